"""The ledger as tables and pages."""

import html
import time
from collections.abc import Callable, Iterable, Sequence

import pandas as pd

from mnlbandits.claims import CLAIMS, EFFECTS, EFFORTS, METHODS, VERDICTS, Finding, examine

COLOURS = {
    "holds": "#d9ead3",
    "holds, loose": "#e8f0d8",
    "corrected": "#fff2cc",
    "refuted": "#f4cccc",
    "not testable": "#e6e6e6",
}


def ledger(section: str, effort: str, progress: Callable[[Sequence[str]], Iterable[str]] = iter) -> pd.DataFrame:
    """Examine all claims of one section with one of `EFFORTS`.

    Columns: id, section, label (of the LaTeX source, joined by ``; ``), place, kind, statement, method, domain, verdict,
    effect (of the correction), margin, counterexample, evidence, seconds.
    """
    rows = []
    for id in progress([id for id, claim in CLAIMS.items() if claim.section == section]):
        claim, start = CLAIMS[id], time.perf_counter()
        finding = examine(id, EFFORTS[effort])
        rows.append(
            {"id": id, "section": section, "label": "; ".join(claim.labels), "place": claim.place, "kind": claim.kind}
            | {"statement": claim.statement, "method": claim.method, "domain": claim.domain, "verdict": finding.verdict}
            | {"effect": finding.effect, "margin": finding.margin, "counterexample": finding.counterexample}
            | {"evidence": finding.evidence, "seconds": time.perf_counter() - start}
        )
    return pd.DataFrame(rows)


def page(table: pd.DataFrame) -> str:
    """The ledger as one HTML page, with a count of the verdicts and of what corrections change, and what these mean."""
    table = table.fillna({"counterexample": "", "label": "", "domain": "", "effect": ""})
    counts, effects = table["verdict"].value_counts(), table["effect"].value_counts()
    legend = "".join(
        f'<li><span style="background:{COLOURS[verdict]}">{verdict}</span> ({counts.get(verdict, 0)}): {meaning}</li>'
        for verdict, meaning in VERDICTS.items()
    )
    changes = "; ".join(f"{effect} ({effects.get(effect, 0)}): {meaning}" for effect, meaning in EFFECTS.items())
    rows = "".join(row_of(row) for row in table.to_dict("records"))
    return PAGE.format(count=len(table), legend=legend, changes=changes, rows=rows)


def row_of(row: dict) -> str:
    """One claim as a row of the page."""
    text = {key: html.escape(str(value)) for key, value in row.items()}
    margin = "" if pd.isna(row["margin"]) else f"{row['margin']:.4g}"
    label = f"<br><code>{text['label']}</code>" if row["label"] else ""
    verdict = text["verdict"] + (f": {text['effect']}" if row["effect"] else "")
    example = f"<br><b>Counterexample:</b> {text['counterexample']}" if row["counterexample"] else ""
    return (
        f'<tr id="{text["id"]}"><td>{text["id"]}</td><td>{text["place"]}{label}</td>'
        f"<td>{text['kind']}: {text['statement']}</td>"
        f'<td style="background:{COLOURS[row["verdict"]]}">{verdict}</td><td>{margin}</td>'
        f"<td>{text['evidence']}{example}<br><i>{text['method']}: {text['domain']}</i></td></tr>\n"
    )


def explain(id: str, finding: Finding, seconds: float) -> str:
    """What a terminal shows of one claim that was just examined."""
    claim = CLAIMS[id]
    lines = {
        "place": claim.place + (f" ({', '.join(claim.labels)})" if claim.labels else ""),
        claim.kind: claim.statement,
        "method": f"{claim.method}: {METHODS[claim.method]}",
        "domain": claim.domain,
        "verdict": f"{finding.verdict}: {VERDICTS[finding.verdict]}",
        "effect": f"{finding.effect}: {EFFECTS[finding.effect]}" if finding.effect else "",
        "margin": "" if pd.isna(finding.margin) else f"{finding.margin:.6g}",
        "counterexample": finding.counterexample,
        "evidence": finding.evidence,
        "seconds": f"{seconds:.2g}",
    }
    return "\n".join([id, *(f"    {key}: {value}" for key, value in lines.items() if value)])


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Claims ledger</title><style>
body {{ font: 15px/1.4 Georgia, serif; margin: 2em auto; max-width: 90em; padding: 0 1em; }}
table {{ border-collapse: collapse; }}
td, th {{ border: 1px solid #ccc; padding: .4em .6em; vertical-align: top; text-align: left; }}
td:nth-child(3) {{ width: 28em; }} td:nth-child(6) {{ width: 34em; }}
code, td:nth-child(1) {{ font: 12px monospace; }}
</style></head><body>
<h1>Claims ledger</h1>
<p>{count} statements of the paper, in our words, each examined by a program. The margin is the left over the right side of
an inequality where it is worst (at most 1 where it holds), or the largest relative difference of two sides claimed equal. A
search that finds no violation is not a proof, and a refuted or corrected step of a proof is not a refuted theorem: theorems
have rows of their own. Rows that inherit a slip from an earlier one say so, and are counted again.</p>
<ul>{legend}</ul>
<p>What a correction changes: {changes}.</p>
<table><tr><th>id</th><th>place</th><th>statement</th><th>verdict</th><th>margin</th><th>evidence</th></tr>
{rows}</table></body></html>
"""
