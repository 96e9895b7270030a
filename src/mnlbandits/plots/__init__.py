"""One module per figure, one style: a table in, a matplotlib figure out."""
