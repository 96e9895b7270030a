"""Which kinds of action sets every system plays; `docs/action-sets.md` is the table."""

from collections.abc import Iterable

from mnlbandits.algorithms.base import Algorithm
from mnlbandits.instances.action_sets import KINDS

HEAD = """# Which action sets every system plays

Made from the registry by `python tests/algorithms/test_kinds.py`; do not edit. "yes", or the number of the reason below. An
instance says its sets under `actions`, see [Configuration](howto/config.md).

What published texts allow, as far as they were at hand. Sets that change: Theorem 3 of the paper, for adaptive REAL; remark
3.1.3 of Faury's thesis, for what is Logistic-UCB-2 here; public code of authors, which draws such sets, for GLM-UCB,
Logistic-UCB-1, OFULog-r, ada-OFU-ECOLog, OFULog+, OFUGLB and RS-MNL; the abstract of GLB-OMD, which is about contexts. One
set for ever: Algorithms 1 and 2 of the paper; the poster of OFU-ECOLog; TS-ECOLog as others restate it. Not read in full:
MNL-UCB, both MNL-UCB+, OFUL-MLogB and EVILL; nothing in their steps needs a set that stays. EOFD-MLogB, the second-order MLE
and TS-MLogB are reconstructed or ours, and play what OFUL-MLogB plays on sets that change. A sphere or ball
is one fixed set: Theorem 1 assumes a finite one, for its constant nu, the steps of Algorithms 1 to 3 do not.
"""


def page(algorithms: Iterable[Algorithm]) -> str:
    """The page, in Markdown."""
    reasons: list[str] = []

    def cell(algorithm: Algorithm, kind: str) -> str:
        reason = algorithm.refusal(kind)
        if reason and reason not in reasons:
            reasons.append(reason)
        return str(reasons.index(reason) + 1) if reason else "yes"

    rows = [[algorithm.name, *(cell(algorithm, kind) for kind in KINDS)] for algorithm in algorithms]
    lines = ["| " + " | ".join(row) + " |" for row in (["system", *KINDS], ["---"] * (1 + len(KINDS)), *rows)]
    meanings = [f"- **{kind}**: {meaning}" for kind, meaning in KINDS.items()]
    numbered = [f"{number}. {reason}" for number, reason in enumerate(reasons, start=1)]
    return "\n".join([HEAD, *meanings, "", *lines, "", "## Reasons", "", *numbered, ""])
