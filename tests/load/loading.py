"""What tests of loads need: h2load."""

import shutil

import pytest

needs_h2load = pytest.mark.skipif(
    shutil.which("h2load") is None, reason="h2load is not installed (Debian: nghttp2-client)"
)
