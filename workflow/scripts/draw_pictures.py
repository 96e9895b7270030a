"""Draw the pictures of the README from the tables of the full reference: `make pictures`."""

from pathlib import Path

import pandas as pd

from mnlbandits.config import read_config
from mnlbandits.instances import build_instance
from mnlbandits.ledger.chain import chain_table
from mnlbandits.plots import chains, horizon, style

config = read_config(Path(__file__).parents[2] / "config" / "config.yaml")
table = pd.read_csv("reference/full/horizon.csv")
facts = {name: style.facts_of(build_instance(name, config["instances"][name])) for name in table["instance"].unique()}
style.save(horizon.draw(table, facts=facts), "docs/pictures/horizon.png")
style.save(chains.draw(chain_table(pd.read_csv("reference/full/verdicts.csv"))), "docs/pictures/chains.png")
