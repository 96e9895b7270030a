"""Draw the pictures of the README from the tables of the full reference: `make pictures`."""

import pandas as pd

from mnlbandits.ledger.chain import chain_table
from mnlbandits.plots import chains, horizon, style

style.save(horizon.draw(pd.read_csv("reference/full/horizon.csv")), "docs/pictures/horizon.png")
style.save(chains.draw(chain_table(pd.read_csv("reference/full/verdicts.csv"))), "docs/pictures/chains.png")
