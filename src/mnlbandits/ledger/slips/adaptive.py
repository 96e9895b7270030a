"""Slips."""

from mnlbandits.ledger.slips import Name, Slip

SLIPS: tuple[Slip, ...] = ()

NAMES: tuple[Name, ...] = ()
