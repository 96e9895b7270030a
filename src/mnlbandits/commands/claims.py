"""``mnlbandits claims``: the ledger on a terminal."""

import argparse
import time

from mnlbandits.commands.json_text import as_json_text
from mnlbandits.errors import InputError
from mnlbandits.ledger.listing import listed


def run(options: argparse.Namespace) -> None:
    """List claims from the table of the package, or examine those named."""
    if options.set and len(options.ids) != 1:
        raise InputError("--set", " ".join(options.set), "with one claim: mnlbandits claims C122 --set tau_constant=10000")
    rows = listed(options.ids, options.verdict, options.label, options.theorem)
    if options.ids:
        examine_all([row["id"] for row in rows], options)
    elif options.json:
        print(as_json_text(rows))
    else:
        for row in rows:
            print(f"{row['id']}  {row['verdict']} ({row['level']})  {row['place']}: {row['statement']}")


def examine_all(ids: list[str], options: argparse.Namespace) -> None:
    """Examine claims and say what is found, with the constants of ``--set``."""
    from mnlbandits.ledger.claim import examine  # slow to import, and a list does without
    from mnlbandits.ledger.pages import as_record, explain
    from mnlbandits.ledger.paper import load
    from mnlbandits.ledger.search import effort_of
    from mnlbandits.ledger.vary import assignments, constants_in_words

    load()
    effort, records = effort_of(options.effort), []
    for id in ids:
        constants = assignments(id, options.set)
        start = time.perf_counter()
        found = examine(id, effort, **constants)
        seconds = time.perf_counter() - start
        if options.json:
            records.append(as_record(id, found, seconds, constants))
        else:
            print(explain(id, found, seconds, constants))
            print(f"    constants: {constants_in_words(id)}")
    if options.json:
        print(as_json_text(records))
