"""A small site: figures of the committed reference, whose study has a name that is markup, and the ledger as it stands."""

import html
import sys
from importlib import import_module
from pathlib import Path

import pandas as pd

from mnlbandits.config import read_config
from mnlbandits.ledger.chain import chain_table
from mnlbandits.ledger.claim import CLAIMS
from mnlbandits.ledger.paper import PARTS, load
from mnlbandits.ledger.summary import with_slips
from mnlbandits.ledger.tables import STATED
from mnlbandits.plots.style import save
from mnlbandits.results import read_table, write_table
from mnlbandits.site.build import TOLD, Material, make_site
from mnlbandits.verify.table1 import table1

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "reference" / "full"
NAME = "<script>alert(1)</script>"
"""What the study is called: no name that a config may have, but a page must not run it."""

PAGES = ["index.html", "figures.html", "ledger.html", "errata.html", "chains.html", "timings/table1.html"]
"""All pages that a site can have."""

DRAWN = {"chains": ("claims", "chains"), "kappa": ("kappa", "kappa"), "kappa_star": ("kappa_star", "kappa_star")}
"""Figures by their part of the build and the module that draws them."""

FINAL = pd.DataFrame({"algorithm": ["real-valid"], "instance": ["x"], "mean": [12.0], "low": [10.0], "high": [14.0]})
"""Regret of one system on one instance."""


def ledger() -> pd.DataFrame:
    """The ledger with the verdicts of the reference, and no evidence but a text that is markup."""
    found = read_table(REFERENCE / "verdicts.csv", "verdicts").set_index("id")
    part = {module: name for name, modules in PARTS.items() for module in modules}
    rows = []
    for id in load():
        entry, statement = CLAIMS[id], CLAIMS[id].statement
        row = {"id": id, "part": part[entry.section], "label": "; ".join(statement.labels)}
        row |= {"lines": "-".join(map(str, statement.lines))} | {key: getattr(statement, key) for key in STATED}
        row |= {"domain": entry.domain, "counterexample": "", "evidence": f"{NAME} at $K < 3$", "unproved": entry.unproved}
        row |= {key: found[key][id] for key in ("verdict", "level", "effect", "ratio", "difference")}
        rows.append(row | {"ours": entry.ours, "seconds": 0.1})
    return with_slips(pd.DataFrame(rows))


def write_material(folder: Path) -> Material:
    """The files that the site is made of, in a folder."""
    ledger_table = ledger()
    write_table(ledger_table, folder / "claims.csv", "claims")
    write_table(chain_table(ledger_table), folder / "chains.csv", "chains")
    costs = [("real", "x", t, 2.0) for t in (100, 1000, 10**5)] + [("oful-mlogb", "x", t, 10.0) for t in (100, 1000, 10**5)]
    table = table1(pd.DataFrame(costs, columns=["algorithm", "instance", "t", "microseconds"]), FINAL)
    write_table(table, folder / "table1.csv", "table1")
    (folder / "benchmarks" / "verify_kappa").mkdir(parents=True)
    (folder / "benchmarks" / "verify_kappa" / "kappa.tsv").write_text("s\th:m:s\n1.25\t0:00:01\n")
    tables = {name: folder / "chains.csv" if name == "chains" else REFERENCE / f"{name}.csv" for name in DRAWN}
    tables |= {name: REFERENCE / f"{name}.csv" for name in TOLD}
    shown, figures = {}, []
    for name, (part, module) in DRAWN.items():
        figures.append(str(folder / f"{name}.svg"))
        save(import_module(f"mnlbandits.plots.{module}").draw(read_table(tables[name])), figures[-1])
        text = (ROOT / "workflow" / "report" / f"{name}.rst").read_text(encoding="utf-8")
        shown[name] = {"part": part, "data": tables[name].name, "caption": text}
    shown["kappa"]["caption"] = f"{NAME} is written out. {shown['kappa']['caption']}"
    config = read_config(ROOT / "config" / "config.yaml") | {"name": NAME}
    claims, table1_file = str(folder / "claims.csv"), str(folder / "table1.csv")
    (folder / "model.html").write_text(f"<html><head><title>{html.escape(NAME)}</title></head></html>", encoding="utf-8")
    files = ([str(path) for path in tables.values()], claims, table1_file, [str(folder / "model.html")])
    return Material(config, shown, figures, *files, "0" * 16)


def build(folder: Path) -> Path:
    """The site below a folder."""
    make_site(write_material(folder), folder / "site", folder / "benchmarks")
    return folder / "site"


if __name__ == "__main__":
    build(Path(sys.argv[1]))
