"""The pictures of the runs of minutes."""

from collections.abc import Sequence
from typing import Final

from matplotlib.axes import Axes

from load.capacity_results import OBJECTIVE_MS, Capacity
from load.plots import COLOURS, picture
from load.samples import Sample

_PERCENTILES: Final = {"p50_ms": ("p50", "tab:blue"), "p95_ms": ("p95", "tab:orange"), "p99_ms": ("p99", "tab:red")}


def capacity(found: Capacity) -> str:
    """Latency against the rate that is sent, with the knee and the capacity."""

    def draw(axes: Axes) -> None:
        for name, one in found.transports.items():
            rates = [step.offered for step in one.steps]
            for percentile, line in (("p50_ms", "-"), ("p99_ms", "--")):
                values = [getattr(step, percentile) for step in one.steps]
                label = f"{name}, {_PERCENTILES[percentile][0]}"
                axes.plot(rates, values, line, color=COLOURS[name], marker="o", markersize=3, label=label)
            axes.axvline(one.capacity.offered, color=COLOURS[name], linestyle=":", label=f"{name}, capacity")
        axes.axhline(OBJECTIVE_MS, color="grey", linestyle=":", label="objective for p99")
        axes.set_xscale("log")
        axes.set_yscale("log")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:g}")
            axis.set_minor_formatter("")
        axes.set_xlabel("calls a second that are sent")
        axes.set_ylabel("ms")

    return picture(draw)


def soak(samples: Sequence[Sample]) -> str:
    """Latency and memory in the course of the run."""
    minutes = [sample.second / 60 for sample in samples]

    def latency(axes: Axes) -> None:
        for name, (label, colour) in _PERCENTILES.items():
            values = [getattr(sample, name) for sample in samples]
            axes.plot(minutes, values, color=colour, linewidth=1, label=label)
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter("")
        axes.set_ylabel("ms")

    def memory(axes: Axes) -> None:
        axes.plot(minutes, [sample.memory_mb for sample in samples], color="tab:green", linewidth=1, label="memory")
        axes.set_ylim(bottom=0)
        axes.set_xlabel("minutes")
        axes.set_ylabel("MB")

    return picture(latency, memory, height=4.6)
