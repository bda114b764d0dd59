"""Write what is made from panels.py and rules.yml: dashboards, the console page, and the rules as Kubernetes objects.

python deploy/monitoring/generate.py            write the files
python deploy/monitoring/generate.py --check    change nothing; fail when those there are not what would be written
"""

import argparse
import json
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

import yaml
from grafana_foundation_sdk.builders import dashboard, prometheus, timeseries
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import DataSourceRef, GridPos
from panels import DASHBOARDS, Dashboard, Panel

HERE = Path(__file__).parent
DEPLOY = HERE.parent
COLUMNS, WIDTH, HEIGHT = 2, 12, 8
"""Of Grafana's grid of 24 units."""

_LABELS = {"app.kubernetes.io/name": "shinpan", "app.kubernetes.io/instance": "shinpan"}
_SOURCE = DataSourceRef(type_val="prometheus", uid="${datasource}")


def grafana(page: Dashboard) -> str:
    """A dashboard for Grafana, as JSON."""
    made = (
        dashboard.Dashboard(page.title)
        .uid(page.name)
        .tags(["shinpan"])
        .refresh("10s")
        .time("now-1h", "now")
        .timezone("browser")
        .with_variable(dashboard.DatasourceVariable("datasource").label("Prometheus").type("prometheus"))
    )
    for number, panel in enumerate(page.panels):
        graph = (
            timeseries.Panel()
            .title(panel.title)
            .description(panel.description)
            .datasource(_SOURCE)
            .unit(panel.unit)
            .min(0)
            .grid_pos(GridPos(x=number % COLUMNS * WIDTH, y=number // COLUMNS * HEIGHT, w=WIDTH, h=HEIGHT))
        )
        for letter, query in zip("ABCD", panel.queries, strict=False):
            target = prometheus.Dataquery().expr(query.expression).legend_format(query.legend)
            graph = graph.with_target(target.ref_id(letter).range())
        made = made.with_panel(graph)
    return json.dumps(made.build(), cls=JSONEncoder, indent=2, sort_keys=True) + "\n"


def _console_graph(number: int, panel: Panel) -> str:
    queries = ", ".join(json.dumps(query.expression) for query in panel.queries)
    names = ", ".join(json.dumps(query.legend.replace("{{", "[[ ").replace("}}", " ]]")) for query in panel.queries)
    settings = f'{{node: document.querySelector("#graph{number}"), expr: [{queries}], name: [{names}], min: 0'
    formatter = {"bytes": "humanize1024", "s": "humanize"}.get(panel.unit, "humanizeNoSmallPrefix")
    settings += f", yAxisFormatter: PromConsole.NumberFormatter.{formatter}"
    return (
        f'<section style="min-width: 0">\n<h3>{escape(panel.title)}</h3>\n<p>{escape(panel.description)}</p>\n'
        f'<div id="graph{number}"></div>\n<script>new PromConsole.Graph({settings}}})</script>\n</section>\n'
    )


def console() -> str:
    """The panels of all dashboards, each once, as a console template of Prometheus."""
    panels = list(dict.fromkeys(panel for page in DASHBOARDS for panel in page.panels))
    graphs = "".join(_console_graph(number, panel) for number, panel in enumerate(panels))
    grid = '<div style="display: grid; grid-template-columns: 1fr 1fr; gap: 1em 3em">'
    # The page is itself a template: what is in double braces here is Prometheus'.
    return (
        '{{ template "head" . }}\n{{ template "prom_content_head" . }}\n<h1>Shinpan</h1>\n'
        f'{grid}\n{graphs}</div>\n{{{{ template "prom_content_tail" . }}}}\n{{{{ template "tail" }}}}\n'
    )


def prometheus_rule(rules: str) -> str:
    """The rules as an object of the Prometheus operator."""
    made = {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PrometheusRule",
        "metadata": {"name": "shinpan", "labels": _LABELS},
        "spec": yaml.safe_load(rules),
    }
    return "# Generated from deploy/monitoring/rules.yml.\n" + yaml.safe_dump(made, sort_keys=False, width=118)


def files() -> Iterator[tuple[Path, str]]:
    """Every file that is made, and its text."""
    rules = (HERE / "rules.yml").read_text()
    for page in DASHBOARDS:
        yield HERE / "grafana" / f"{page.name}.json", grafana(page)
        yield DEPLOY / "kubernetes/components/monitoring/dashboards" / f"{page.name}.json", grafana(page)
        yield DEPLOY / "helm/shinpan/files/dashboards" / f"{page.name}.json", grafana(page)
    yield HERE / "consoles/shinpan.html", console()
    yield DEPLOY / "kubernetes/components/monitoring/prometheus-rule.yaml", prometheus_rule(rules)
    yield DEPLOY / "helm/shinpan/files/rules.yml", rules


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail when a file is stale")
    check = parser.parse_args().check
    stale = [(path, text) for path, text in files() if not path.exists() or path.read_text() != text]
    for path, text in stale:
        if check:
            print(f"{path.relative_to(DEPLOY.parent)} is stale; run `make dashboards`", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
