"""The pictures of the report: each a function from results to SVG, the same bytes each time."""

import io
from collections.abc import Callable, Mapping
from typing import Any, Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from load import batch, latency
from load.results import Results
from load.servers import TRANSPORTS

_STYLE: Final[dict[Any, Any]] = {
    "svg.hashsalt": "shinpan",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.alpha": 0.3,
}
_YARDSTICKS: Final = {
    "yardstick.playout.cshogi": ("cshogi", "tab:red"),
    "yardstick.loop.open-spiel": ("OpenSpiel, dark chess", "tab:green"),
    "yardstick.loop.chess": ("python-chess", "tab:purple"),
}
COLOURS: Final = {"grpcio": "tab:blue", "native": "tab:orange"}


def games(results: Results) -> str:
    """Plies a second of each game, in the core and from Python, with the yardsticks as lines."""
    names = [name.removeprefix("core.playout.") for name in results.figures if name.startswith("core.playout.")]
    names.sort(key=lambda name: results.figures[f"core.playout.{name}"].spread.median)

    def draw(axes: Axes) -> None:
        for offset, kind, label in ((0.2, "playout", "playouts in the core"), (-0.2, "loop", "ply by ply from Python")):
            rates = [results.figures[f"core.{kind}.{name}"].spread.median for name in names]
            axes.barh([place + offset for place in range(len(names))], rates, 0.38, label=label)
        for name, (label, colour) in _YARDSTICKS.items():
            axes.axvline(
                results.figures[name].spread.median, color=colour, linestyle="--", label=f"{label}, from Python"
            )
        axes.set_yticks(range(len(names)), names)
        axes.set_xscale("log")
        axes.set_xlabel("plies for each second of CPU, one thread")

    return picture(draw, height=4.6)


def latencies(results: Results) -> str:
    """Latency against load: median and 99th percentile."""

    def draw(axes: Axes) -> None:
        for transport in TRANSPORTS:
            for method in latency.METHODS:
                for percentile, line in (("p50", "-"), ("p99", "--")):
                    names = [f"latency.{transport}.{method}.{percent}.{percentile}" for percent in latency.PERCENTS]
                    if names[0] in results.figures:
                        millis = [results.figures[name].spread.median / 1000 for name in names]
                        axes.plot(
                            latency.PERCENTS, millis, line,
                            color=COLOURS[transport],
                            marker="o" if method == "empty" else "s",
                            markerfacecolor="white" if method == "empty" else COLOURS[transport],
                            label=f"{transport}, {method}, {percentile}",
                        )  # fmt: skip
        _log_scale(axes)
        axes.set_xlabel("load, % of the rate that saturates the server")
        axes.set_ylabel("ms")

    return picture(draw)


def batches(results: Results) -> str:
    """Server CPU for one item against the size of the batch."""

    def draw(axes: Axes) -> None:
        for transport in TRANSPORTS:
            names = [f"batch.{transport}.{size}.per-core" for size in batch.SIZES]
            if names[0] in results.figures:
                micros = [1e6 / results.figures[name].spread.median for name in names]
                axes.plot(batch.SIZES, micros, color=COLOURS[transport], marker="o", label=transport)
        axes.set_xscale("log", base=2)
        _log_scale(axes)
        axes.set_xticks(batch.SIZES, [str(size) for size in batch.SIZES])
        axes.set_xlabel("items in a batch")
        axes.set_ylabel("us of server CPU an item")

    return picture(draw)


def scaling(results: Results) -> str:
    """One process and two."""

    def draw(axes: Axes) -> None:
        measured = (
            ("scale.batches.{}.rate", "batches, by the clock"),
            ("scale.calls.{}.per-core", "single calls, by CPU"),
        )
        for place, (name, label) in enumerate(measured):
            one, two = (results.figures[name.format(count)].spread.median for count in ("one", "two"))
            axes.bar([0.2 * (2 * place - 1), 1 + 0.2 * (2 * place - 1)], [1, two / one], 0.38, label=label)
        axes.axhline(2, color="grey", linestyle=":", label="twice as much")
        axes.set_xticks((0, 1), ("one process", "two processes"))
        axes.set_ylabel("rate, of that of one process")

    return picture(draw)


def _log_scale(axes: Axes) -> None:
    """A logarithmic scale of upright numbers."""
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("{x:g}")


def picture(*draws: Callable[[Axes], None], height: float = 3.6) -> str:
    """One set of axes for each function that draws, below each other; the same bytes each time."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(7.2, height), layout="constrained")
        for place, draw in enumerate(draws, 1):
            draw(figure.add_subplot(len(draws), 1, place))
        figure.legend(loc="outside lower center", ncols=2, frameon=False)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


PICTURES: Final[Mapping[str, Callable[[Results], str]]] = {
    "games": games,
    "latency": latencies,
    "batch": batches,
    "scaling": scaling,
}
"""By the names of their files."""
