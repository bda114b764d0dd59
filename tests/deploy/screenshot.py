"""`make console-screenshot`: the console page of a real Prometheus that watches real servers, as docs/console.png."""

import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Event
from typing import Final
from urllib.parse import quote

from deploy.eventful import Eventful
from deploy.prometheus import Prometheus
from deploy.tools import ROOT, tool

WATCHED_SECONDS: Final = 150
WINDOW: Final = "1400,3020"
PICTURE: Final = ROOT / "docs/console.png"


def main() -> int:
    """Watch for two and a half minutes with a restart in their middle, and take the picture."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Eventful(folder) as events, Prometheus(folder, events.targets) as prometheus:
            Event().wait(WATCHED_SECONDS / 2)
            events.restart()
            Event().wait(WATCHED_SECONDS / 2)
            shown = quote(f'{{"duration": {WATCHED_SECONDS}, "endTime": 0}}')
            subprocess.run(
                [
                    *(tool("chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
                    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
                    *(f"--user-data-dir={folder / 'chromium'}", f"--window-size={WINDOW}", "--hide-scrollbars"),
                    *("--virtual-time-budget=8000", f"--screenshot={PICTURE}"),
                    f"{prometheus.url}/consoles/shinpan.html#pctc{shown}",
                ],
                check=True,
                capture_output=True,
            )
    print(f"{PICTURE.relative_to(ROOT)} has {PICTURE.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
