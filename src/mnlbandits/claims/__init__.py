"""The claims ledger: every checkable statement of the paper and what a machine finds about it, one file per part of it."""

from importlib import import_module

from mnlbandits.claims.claim import CLAIMS, EFFECTS, EFFORTS, KINDS, METHODS, VERDICTS, Claim, Effort, Finding, examine

SECTIONS = (
    "introduction",
    "setting",
    "exploration",
    "learning",
    "regret",
    "adaptive",
    "constants",
    "frameworks",
    "exploration_proofs",
    "regret_steps",
    "lower_bound",
    "lower_bound_steps",
    "technical",
)
"""The files of the ledger, in the order in which they are read."""

for section in SECTIONS:
    import_module(f"{__name__}.{section}")

__all__ = [
    "CLAIMS",
    "EFFECTS",
    "EFFORTS",
    "KINDS",
    "METHODS",
    "SECTIONS",
    "VERDICTS",
    "Claim",
    "Effort",
    "Finding",
    "examine",
]
