"""What help and lists say of algorithms and instances, without importing them, which takes a second."""

import json
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from mnlbandits.sources import GROUP, digest_of_files

LISTING = Path(__file__).with_name("listing.json")
"""What `mnlbandits.commands.describe` says, which writes it; a test compares them."""


def listing() -> dict[str, Any]:
    """`LISTING`; or the library's own words, if its sources are others or it has algorithms of a user's own."""
    if "mnlbandits.algorithms" not in sys.modules and not entry_points(group=GROUP):
        kept = json.loads(LISTING.read_text(encoding="utf-8"))
        if kept["sources"] == digest_of_sources():
            return kept
    from mnlbandits.commands.describe import everything

    return everything()


def digest_of_sources() -> str:
    """A hash of the files that define algorithms and families of instances."""
    return "-".join(digest_of_files(f"{folder}/*.py") for folder in ("algorithms", "instances"))
