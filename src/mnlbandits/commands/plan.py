"""``mnlbandits plan``: what a study takes, before it is run."""

import argparse

from mnlbandits.commands.json_text import as_json_text
from mnlbandits.config import whole_config
from mnlbandits.errors import require_choice
from mnlbandits.planning.costs import packaged
from mnlbandits.planning.jobs import jobs_of
from mnlbandits.planning.plan import PROFILES, Plan, as_record, plan_of

SHOWN = 8
"""Rules that are shown, the dearest ones."""


def run(options: argparse.Namespace) -> None:
    """Plan, and print what is planned."""
    profile = PROFILES[require_choice("profile", options.profile, PROFILES)]
    config = whole_config(options.config)
    jobs = jobs_of(config)
    plan = plan_of(jobs, packaged().each(jobs), profile)
    if options.json:
        print(as_json_text({"name": config["name"], "profile": options.profile} | as_record(plan)))
        return
    for line in lines(plan):
        print(line)


def lines(plan: Plan) -> list[str]:
    """What is said of a plan."""
    head = {
        "jobs": f"{plan.jobs:,}",
        "rounds": f"{plan.rounds:.3g} one by one",
        "core-hours": f"{plan.core_hours:,.3g}",
        "memory": f"{plan.memory:,.0f} MB: {plan.largest}",
        "disk": f"{plan.disk:,.2g} GB",
        "longest job": f"{duration(plan.longest_hours)}: {plan.longest}",
        "longest chain": f"{duration(plan.chain_hours)}: {plan.chain} jobs that wait for one another",
    }
    text = [f"{name:<14} {value}" for name, value in head.items()]
    text += ["", "cores   wall time"]
    text += [f"{wall.cores:>5,}   {duration(wall.least)} to {duration(wall.most)}" for wall in plan.walls]
    text += ["", "core-hours   jobs  rule"]
    return text + [f"{hours:>10,.3g} {count:>6,}  {rule}" for rule, (count, hours) in list(plan.rules.items())[:SHOWN]]


UNITS = {"years": 8766, "days": 24, "h": 1, "min": 1 / 60}
"""Hours of each."""


def duration(hours: float) -> str:
    """A duration in the largest unit of which it is two or more, else in minutes."""
    unit = next((unit for unit, size in UNITS.items() if hours >= 2 * size), "min")
    return f"{hours / UNITS[unit]:,.1f} {unit}"
