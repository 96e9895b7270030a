"""What the systems share.

Online steps: `learner`, `mirror_descent`, `projection`, `optimistic_index`, `exploration_step`; for two outcomes `binary`,
`binary_mirror_descent`, `implicit` and `follower` with `region`. Likelihood: `likelihood`, `data`, `mle`, `binary_mle`,
`first_order`. Confidence sets: `radii`, `loss_set`, `self_normalised`, `admissible`, `log_loss_set` with `optimism` and
`log_loss_binary`; `split_sample`. Below them: `design`, `optimal_design`, `reference`, `linalg`, `eigen`, `exponential`,
`splitmix`.
"""
