"""The claims ledger: every checkable statement of the paper, what a machine finds about it, and how that is known.

`arithmetic` -> `formulas` -> `search`, `prove`, `simulate` -> `finding`, `claim` -> `paper` -> `tables`, `pages`.
"""
