"""Section 3.1, Lemma 1: an exploration whose length does not grow with S."""

from fractions import Fraction
from functools import partial

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.claim import All, Balls, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.formulas.leverage import (
    FREE_TAU,
    FREE_THETA,
    elliptical_steps,
    factor_is_fixed_point,
    free_theta_covers,
    free_theta_is_narrow,
    kappa_steps,
    short_arm_falls,
    short_arm_over_kappa,
)
from mnlbandits.ledger.formulas.softmax import binary_curvature
from mnlbandits.ledger.prove import Certificate, Open


def free_diameter_of_one_arm(
    m: Arithmetic,
    norm: Number,
    size: Number,
    level: Number,
    horizon: Number,
    theta: int = FREE_THETA,
    tau: int = FREE_TAU,
) -> Number:
    """sqrt(6) diam(Theta), K = 2, d = 1, one arm with S X = 10^size, S = 10^norm; L = `level`, log(1 + 2 T/L) = `horizon`."""
    S = 10**norm
    x = m.minimum(1, 10**size / S)
    weight = level / (1 + S) ** 2 + tau * (level + 2) * horizon * x**2
    return 2 * m.sqrt(6 * theta * level / weight) * x


def free_distance_of_one_arm(
    m: Arithmetic,
    norm: Number,
    size: Number,
    level: Number,
    horizon: Number,
    theta: int = FREE_THETA,
    tau: int = FREE_TAU,
) -> Number:
    """The least distance of theta_* from hat theta over the radius there, whatever the outcomes are."""
    S = 10**norm
    x = m.minimum(1, 10**size / S)
    rounds = tau * (level + 2) * horizon * (1 + S) ** 2 / level / binary_curvature(m, S * x)
    return (S - m.sqrt(2) * x * rounds) / (m.sqrt(theta * m.number(1)) * (1 + S))


def free_steps() -> bool:
    """The identities of the links, and those of the least kappa for every K."""
    return elliptical_steps() and factor_is_fixed_point() and kappa_steps()


LONG_ARMS = Balls(short_arm_falls, {"inverse": (0.0, 1 / 20)})

SHORT_ARMS = Balls(
    short_arm_over_kappa,
    {"y": (0.0, 20.0)},
    words=r"$\kappa \ge \max(2, e^{\sqrt 2 S X}/2)$: at $\theta = S u x^\top/\|x\|$, $u = (1, -1, 0, \dots)/\sqrt 2$, the second outcome has probability $p \le e^{-\sqrt 2 S X}$, and $e_2 - 1/K$ has variance $p (1 - p)$ and squared norm $1 - 1/K \ge 1/2$; $1/w = X^2/(\kappa\lambda_0) \le (1 + S X)^2/(\kappa L) \le 2/L$, as $(1 + y)^2/\max(2, e^{\sqrt 2 y}/2) \le 1.961$, also beyond $y = 20$, where it falls: short arms with a large $S$ cost nothing",
)

FREE_COVERS = Balls(
    free_theta_covers,
    {},
    words=r"for leverage $1/(600 L)$, $b \le S \sqrt{\lambda_0} + 2 (\sqrt 2 + \frac{\sqrt 2}{3 \sqrt{600}}) \sqrt L \le 3.867 \sqrt L$ (Bernstein and a $\frac{1}{2}$-net, cited), $p \le 0.158$, $c \le 1.288$ and $c b \le 4.98 \sqrt L$",
)

FREE_NARROW = Balls(free_theta_is_narrow, {}, words=r"$6 \operatorname{diam}(\Theta)^2 \le 6 \cdot 4 \cdot 25/600 = 1$")

FREE_STEPS = Exactly(
    free_steps,
    r"the links of C121 with $\tau \max_x \|x\|^2_{B_\tau^{-1}} \le (1 + 1/w) d \log(1 + \tau/(w d)) \le \frac{L + 2}{L} d \log(1 + \frac{2 T}{L d})$",
)


def certified_free_theta(theta: Fraction | int = FREE_THETA, tau: int = FREE_TAU) -> Certificate | Open:
    """The first statement."""
    return Together((FREE_STEPS, LONG_ARMS, SHORT_ARMS, partial(FREE_COVERS, theta=theta, tau=tau)))()


def certified_free_width(theta: Fraction | int = FREE_THETA, tau: int = FREE_TAU) -> Certificate | Open:
    """The second one, from the same leverage."""
    found = Together((FREE_STEPS, LONG_ARMS, SHORT_ARMS, partial(FREE_NARROW, theta=theta, tau=tau)))()
    return found if isinstance(found, Open) else found._replace(words=FREE_NARROW.words)


FREE_BOX = {"norm": (-2.0, 16.0), "size": (-30.0, 1.0), "level": (1.6, 1000.0), "horizon": (10.0, 700.0)}

FREE_STATEMENTS = (
    (free_distance_of_one_arm, certified_free_theta),
    (free_diameter_of_one_arm, certified_free_width),
)

C121d = claim(
    "C121d",
    Statement(
        place="Lemma 1",
        lines=(369, 374),
        kind="lemma",
        prints=r"With $L = (K-1) d \log(5/\delta)$, $\lambda_0 = L/(1 + S)^2$, $\Theta := \{\theta \in \Pi \mathbb R^{K \times d} : \|\theta - \hat\theta_{\tau+1}\|^2_{V_\tau} \le 25 L\}$ and $\tau = \lceil 600 \kappa d (L + 2) \log(1 + \frac{2 T}{L d}) \rceil \le T$, Algorithm 1 returns a $\Theta$ with $\theta_* \in \Theta$ with probability $1 - \delta$ and $\operatorname{diam}(\Theta) \le 1/\sqrt 6$.",
        hypotheses=r"ties are broken without looking at outcomes (C104)",
        reading=r"a Lemma 1 in which $S$ stands nowhere but in $\kappa$, for arms of any length in the unit ball; $\|\theta_*\|_F \le S$",
    ),
    All(
        tuple(
            Inequality(
                ratio,
                FREE_BOX,
                share=0.3,
                fixed={"theta": FREE_THETA, "tau": FREE_TAU},
                note=r"of one arm, $K = 2$, $d = 1$",
                proof=proof,
            )
            for ratio, proof in FREE_STATEMENTS
        )
    ),
    domain=r"every $K \ge 2$, $d$, $S \ge 0$, finite $\mathcal X$ in the unit ball, $\delta$ and $T \ge \max(\tau, 2)$, with the inequalities of Bernstein and of a $\frac{1}{2}$-net cited (searched: one arm, $S = 10^{-2}$ to $10^{16}$, $S X = 10^{-30}$ to 10)",
    planted={"theta": Fraction(1, 2), "tau": 2},
    ours=True,
    module=__name__,
)
