"""One service config, in every client that ships it."""

import json
from pathlib import Path

from shinpan import SERVICE_CONFIG

CLIENTS = Path(__file__).resolve().parents[2] / "clients"
NOT_OURS = {"node_modules", "build", "target", "dist", "bin", "obj"}


def test_every_copy_is_the_same() -> None:
    copies = [
        path for path in CLIENTS.rglob("*service_config*.json") if not NOT_OURS & set(path.relative_to(CLIENTS).parts)
    ]
    assert len(copies) >= 2
    assert [path for path in copies if path.read_text(encoding="utf-8") != SERVICE_CONFIG] == []
    config = json.loads(SERVICE_CONFIG)
    assert config["loadBalancingConfig"] == [{"round_robin": {}}]
    assert all(method["retryPolicy"]["retryableStatusCodes"] == ["UNAVAILABLE"] for method in config["methodConfig"])
