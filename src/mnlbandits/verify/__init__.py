"""Checks of what the paper's analysis rests on: the diameter of Theta, coverage, and the constants."""
