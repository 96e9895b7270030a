"""Introduction: the mean reward as a multi-index model."""

from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Identities, Statement, claim


def gradients_differ(least: int = 3) -> bool:
    """Whether rho^T mu(theta x) has gradients at two points that are not parallel, for every K >= least.

    theta has rows e_1, e_2 and K - 2 times 0, rho = (1, 0, ..., 0); the two points give weights (1, 1) and (1, 2) to the first
    two outcomes, and the gradients (mu_k (rho_k - rho^T mu))_{k = 1, 2}. More outcomes than `least` are an unknown >= 0.
    """
    (more,) = unknowns("more")
    others = more + least - 2
    rows = []
    for second in (1, 2):
        total = 1 + second + others
        mean = 1 / total
        rows.append(((1 - mean) / total, -second * mean / total))
    minor = rows[0][1] * rows[1][0] - rows[0][0] * rows[1][1]
    return nonnegative(minor) and minor.numerator(0) > 0


C005 = claim(
    "C005",
    Statement(
        place="Introduction",
        lines=(162, 162),
        kind="text",
        prints=r"The MNL bandit problem is not a GLM, but a multi-index model.",
        reading=r"Not every MNL bandit is one; for $K = 2$ each is, with the sigmoid function. For $K \ge 3$ there are $\theta$ and $\rho$ for which $\rho^\top \mu(\theta x)$ is no function of one linear index of $x$: its gradients are not all parallel.",
        labels=("section:introduction",),
    ),
    Identities(
        gradients_differ,
        r"$\theta$ with rows $e_1, e_2, 0, \dots, 0$, $\rho = (1, 0, \dots, 0)$, weights $e^{[\theta x]_k}$ of $(1, 1)$ and of $(1, 2)$: the determinant of the two gradients in $x$ is $K - 2$ over a positive number; at $K = 2$, where it is $0$, the problem is a GLM",
    ),
    domain=r"every $K \ge 3$, an instance with $d = 2$.",
    planted={"least": 2},
    module=__name__,
)
