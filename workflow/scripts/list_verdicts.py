"""The list of claims that the package carries, from a table of verdicts; run by hand, see the Makefile."""

import sys

from mnlbandits.ledger.listing import LISTING
from mnlbandits.ledger.summary import listing
from mnlbandits.results import read_table, write_table

write_table(listing(read_table(sys.argv[1], "verdicts")), LISTING, "listing")
