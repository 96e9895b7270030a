"""The multinomial logistic model and its constants. Nothing here knows a bandit."""
