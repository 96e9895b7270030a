"""The static site of a study: pages to read from disk, with no network and no server, from what the workflow made."""

from mnlbandits.sources import PACKAGE

PAGES = tuple(sorted((PACKAGE / "site" / "pages").iterdir()))
"""Templates of the pages, the style and the script."""
