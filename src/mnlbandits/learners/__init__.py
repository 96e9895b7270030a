"""What the systems share: mirror descent, likelihood, confidence sets, exploration design, linear algebra."""
