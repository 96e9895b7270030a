"""The paper's statements, one module per subsection; each imports the toolkit only, never another."""

from importlib import import_module

from mnlbandits.ledger.claim import CLAIMS

PARTS: dict[str, tuple[str, ...]] = {}
"""Parts of the paper, which are examined side by side, and their modules, in the order in which they are read."""


def load(*parts: str) -> list[str]:
    """Import the modules of these parts, of all if none is named; the ids of their claims in order."""
    modules = [module for part in parts or PARTS for module in PARTS[part]]
    for module in modules:
        import_module(f"{__name__}.{module}")
    return [id for module in modules for id, claim in CLAIMS.items() if claim.section == module]
