"""What a key ring may say, and that messages about a wrong one do not show it."""

import math
from base64 import b64encode

import pytest
from guarded import SECRETS, keys

from service.keyring import KeyRingError, read_key_ring

KEY = b64encode(SECRETS[1]).decode()


def test_the_first_key_is_primary() -> None:
    ring = read_key_ring(f"# in use since spring\n\n{keys(513)} , {keys(2)}\n  {keys(1)}\n")
    assert (ring.primary.id, list(ring.keys)) == (513, [513, 2, 1])


def test_an_entry_may_say_when_its_key_was_made() -> None:
    ring = read_key_ring(f"{keys(513)} 1970-01-03\n{keys(2)}")
    assert ring.primary.created_timestamp == 2 * 86_400
    assert math.isnan(ring.keys[2].created_timestamp)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no key; write at least one id:key, a number and 32 bytes in base64"),
        ("# nothing", "there is no key; write at least one id:key, a number and 32 bytes in base64"),
        (KEY, "entry 1: it is not id:key, a number and 32 bytes in base64"),
        (f"1:{KEY}\none:{KEY}", "entry 2: it is not id:key, a number and 32 bytes in base64"),
        (f"0:{KEY}", "entry 1: the id is 0; it must be from 1 to 65535"),
        (f"65536:{KEY}", "entry 1: the id is 65536; it must be from 1 to 65535"),
        (f"1:{KEY[:-4]}", "entry 1: key 1 has 30 bytes; it must have 32"),
        (f"1:{KEY[:-5]}", "entry 1: key 1 is not base64"),
        (f"1:!{KEY[1:]}", "entry 1: key 1 is not base64"),
        (f"1:{KEY},1:{b64encode(SECRETS[2]).decode()}", "entry 2: key 1 is there already"),
        (f"1:{KEY},2:{KEY}", "entry 2: key 2 has the bytes of another key; draw new ones"),
        (f"1:{KEY} today", "entry 1: what follows key 1 is not the date it was made, as 2026-11-30"),
        (f"1:{KEY} 2026-02-30", "entry 1: what follows key 1 is not the date it was made, as 2026-11-30"),
        ("1:schlüssel", "entry 1: key 1 is not base64"),
    ],
)
def test_what_is_wrong_is_told_but_not_shown(text: str, message: str) -> None:
    with pytest.raises(KeyRingError) as caught:
        read_key_ring(text)
    assert str(caught.value) == message


def test_a_key_is_not_printed() -> None:
    shown = repr(read_key_ring(keys(1, 2)))
    assert "id=1" in shown
    assert KEY not in shown
    assert repr(SECRETS[1]) not in shown
    assert "nonce_key" not in shown
