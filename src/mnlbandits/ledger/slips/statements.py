"""The paper's theorems, lemmas and propositions as they stand: as printed, and in the least mended form known here."""

from mnlbandits.ledger.slips import Stated

STATED_AGAIN: tuple[Stated, ...] = ()
