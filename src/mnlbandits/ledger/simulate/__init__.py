"""Plays of the paper's algorithms, for statements about probabilities and regret; nothing here knows a claim."""
