"""The stages of a spike."""

from load.scenarios.stages import users_at


def test_users_second_by_second() -> None:
    assert [users_at(second) for second in range(31)] == [5] * 10 + [100] * 10 + [5] * 10 + [None]


def test_a_stage_ends_where_the_next_begins() -> None:
    assert (users_at(9.99), users_at(10), users_at(19.99), users_at(20), users_at(29.99)) == (5, 100, 100, 5, 5)
