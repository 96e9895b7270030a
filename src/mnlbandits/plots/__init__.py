"""One module per figure, one style: a table in, a matplotlib figure out."""

UNDATED = {"pdf": {"CreationDate": None, "ModDate": None}, "png": {"Software": None}, "svg": {"Date": None}}
"""Formats of figures, and what of their metadata is left out, so that the same data gives the same bytes."""
