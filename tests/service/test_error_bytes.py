"""Equal errors are equal bytes, so that an item of a batch that is refused is a function of the request, too."""

from google.rpc import error_details_pb2

from service.errors import Refusal, status_of


def test_metadata_are_written_in_the_order_of_their_names() -> None:
    names = [f"name_{number}" for number in range(8)]  # a map without an order has this one once in 40,320 times
    refusal = Refusal("ILLEGAL_MOVE", "No.")
    refusal.metadata = dict.fromkeys(reversed(names), "value")
    status = status_of(refusal)
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert dict(info.metadata) == dict.fromkeys(names, "value")
    places = [status.details[0].value.index(name.encode()) for name in names]
    assert places == sorted(places)
