"""Faults are tried on each transport."""

import pytest


@pytest.fixture(params=["grpcio", "native"])
def transport(request: pytest.FixtureRequest) -> str:
    """What the server is served by."""
    chosen: str = request.param
    return chosen
