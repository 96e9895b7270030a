"""Algorithm 3 (Appendix H), line by line: what it defines, and what its steps are."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import BALLS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Balls, Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, corrected, exactly
from mnlbandits.ledger.formulas.adaptive import (
    beta_over_norm,
    beta_w,
    eps_two_of_last,
    eta_w,
    first_bonus,
    lambda_w,
    loss_gradient,
    preferred,
    sigma_w,
)
from mnlbandits.ledger.formulas.softmax import binary_curvature, sigmoid
from mnlbandits.ledger.prove import Certificate
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.simulate.adaptive import share_of_worse

SIZES_AND_NORMS = {"S": (0.01, 20.0), "size": (2.0, 100.0)}
"""S and K d."""


def other_ridge(m: Arithmetic, S: Number, size: Number, own: bool = False) -> Number:
    r"""Relative difference of $\tilde H^w_t$ and $H^w_{t-1}$ before any round: $\lambda$ (or its `own` $\lambda^w$) and $\lambda^w$."""
    ridge = lambda_w(m, size, S)
    return abs((ridge if own else 144 * size) / ridge - 1)


def own_ridge(own: bool = True) -> bool:
    r"""After a round of exploration, d = 1: the matrix of the step is $H^w_{t-1} + \frac{\eta^w}{\kappa} x^2$ if the ridge is its own."""
    ridge, other, eta, kappa, before, x = unknowns("ridge", "other", "eta", "kappa", "before", "x")
    matrix = ridge + before**2 / kappa
    step = (matrix if own else other) + eta / kappa * x**2
    return step - (matrix + x**2 / kappa) == (eta - 1) / kappa * x**2


C172 = claim(
    "C172",
    Statement(
        place="Algorithm 3, Htilde^w_t",
        lines=(1541, 1541),
        kind="algorithm",
        prints=r"$\tilde H^w_t \leftarrow H_{t-1} + \frac{\eta^w}{\kappa} I_K \otimes x_t x_t^\top$",
        reading=r"The matrix of the step of $\theta^w$ has the $H^w_{t-1}$ of its confidence set in it.",
        labels=("algo:adaptive exploration", "appendix:removing the exploration"),
    ),
    Correction(
        "misprint",
        Equality(other_ridge, SIZES_AND_NORMS, examples=({"S": 1.0, "size": 2.0},)),
        Equality(
            other_ridge,
            SIZES_AND_NORMS,
            proof=Exactly(
                own_ridge,
                r"then $\tilde H^w_t = H^w_t + \frac{\eta^w - 1}{\kappa} I_K \otimes x_t x_t^\top$ in every round, as in Algorithm 2",
            ),
            fixed={"own": True},
        ),
        r"misprint: $H^w_{t-1}$; with $H$, which the exploration does not change, the steps would not shrink as it goes on",
    ),
    domain=r"$K d = 2..100$, $S \in [0.01, 20]$, before any round: $\lambda I$ ($H$) against $\lambda^w I$ ($H^w$); mended: after any round, $d = 1$ (linear in $x x^\top$, so for every $d$)",
    planted={"own": True},
    module=__name__,
)


def entries_of_step(d: int, y: int, loss: bool) -> list[Fraction]:
    r"""The Jacobian of $\mu$, or the gradient $(\mu - e_y) \otimes x$ of the loss, at $\theta = 0$, K = 2, x = e_1."""
    gradient = [Fraction(1 if k != y else -1, 2) * entry for k in (0, 1) for entry in [1] + [0] * (d - 1)]
    return gradient if loss else [Fraction(sign, 4) for sign in (1, -1, -1, 1)]


def gradient_of_step(effort: Effort, loss: bool = False) -> Finding:
    """The Jacobian as printed, or with `loss` the gradient of the loss."""
    del effort
    cases = [(d, y) for d in (1, 2) for y in (0, 1)]
    other = next((d for d, y in cases if entries_of_step(d, y, loss) != entries_of_step(d, y, True)), None)
    example = (
        f"K = 2, d = {other}: shape (2, 2) for theta of shape (2, {other}), the same for either outcome" if other else ""
    )
    printed = exactly(other is None, "shapes and entries at theta = 0, halves and quarters, in exact arithmetic", example)
    words = r"the gradient of $-\log \mu_y$ in the logits is $\mu - e_y$, as rational functions of their exponentials, so that in $\theta$ it is $(\mu - e_y) \otimes x_t$, of the shape of $\theta$"
    mended = exactly(all(loss_gradient(K) for K in (2, 3, 4)), words)
    return corrected("misprint", printed, mended, r"misprint: $\nabla\ell_{t+1}(\theta^w_t)$")


C173 = claim(
    "C173",
    Statement(
        place="Algorithm 3, theta^w_{t+1}",
        lines=(1542, 1542),
        kind="algorithm",
        prints=r"The step minimises $\langle \nabla\mu(\theta^w_t), \theta \rangle + \frac{1}{2\eta^w} \|\theta^w_t - \theta\|^2_{\tilde H^w_t}$.",
        reading=r"$\nabla\mu(\theta^w_t)$ is the gradient of the loss of round $t$.",
    ),
    gradient_of_step,
    domain=r"$K = 2$, $d = 1$ and $K = d = 2$, $\theta = 0$; mended: $K = 2, 3, 4$, every $\theta$, $x_t$ and outcome",
    planted={"loss": True},
    module=__name__,
)


def half_step(m: Arithmetic, b: Number, digits: Number, weight: Fraction | int = 1) -> Number:
    r"""Relative difference of the move of $\theta$ and that of Algorithm 2, K = 2, d = 1, x = 1, W of 10^digits."""
    matrix = 10**digits + binary_curvature(m, b)
    gradient = m.sqrt(2) * sigmoid(m, -m.sqrt(2) * b)
    return abs(gradient / (2 * weight * matrix) / (gradient / matrix) - 1)


def whole_step(weight: Fraction) -> bool:
    r"""Whether the move is gradient over matrix, whatever these are."""
    gradient, matrix = unknowns("gradient", "matrix")
    return gradient / (2 * weight * matrix) == gradient / matrix


STEP_BOX = {"b": (-8.0, 8.0), "digits": (2.4592, 6.0)}

C174 = claim(
    "C174",
    Statement(
        place="Algorithm 3, theta_{t+1}",
        lines=(1549, 1549),
        kind="algorithm",
        prints=r"The learning step minimises $\langle \nabla\ell_{t+1}(\theta_t), \theta \rangle + \|\theta - \theta_t\|^2_{\tilde H_{t+1}}$.",
        reading=r"It is the step of Algorithm 2 with $\eta = 1$.",
    ),
    Correction(
        "misprint",
        Equality(half_step, STEP_BOX, examples=({"b": 0.0, "digits": 2.4592},), share=0.2),
        Equality(
            half_step,
            STEP_BOX,
            share=0.2,
            proof=Exactly(whole_step, "for every gradient and matrix"),
            fixed={"weight": Fraction(1, 2)},
        ),
        r"misprint: $1/(2 \eta)$ before the norm; as printed the step is that of $\eta = 1/2$, half the move",
    ),
    domain=r"$K = 2$, $d = 1$, $x = 1$, inside the set: move of $\theta$ over that of Algorithm 2; $\theta_t \in [-8, 8]$, $W_t \in [288, 10^6]$",
    planted={"weight": Fraction(1, 2)},
    module=__name__,
)


def vanished(m: Arithmetic, digits: Number, gap: Number, cumulative: bool = True) -> Number:
    r"""The bonus of the worse arm, of mean 1/2, over the gap, at $\log(t/\delta) = 10^{digits}$."""
    plays, half, level = m.number(10**12), m.number(Fraction(1, 2)), 10**digits
    sigma = sigma_w(m, m.number(4), m.number(1), level)
    return (first_bonus(m, sigma, half, plays) + eps_two_of_last(m, level, plays, False, cumulative)) / gap


GAP = ({"gap": Fraction(1, 20)},)
ALTERNATES = Balls(preferred, {"root": (0.0, 0.18)}, GAP, words=r"at every $t$ with $\log(t/\delta) \ge 31$")
VANISHES = Balls(vanished, {"digits": (1.49, 8.0)}, GAP, words=r"the worse arm is never played")


def last_arm_only(effort: Effort, cumulative: bool = False) -> Finding:
    """Both arms in turn for ever as printed; mended, the bonus of the worse arm stays below the gap."""
    shares = [share_of_worse(BALLS, kind, effort.rounds) for kind in (cumulative, True)]
    text = f"the worse arm in {{:.3g}} of {effort.rounds} rounds after 2e12, in balls; {{}}"
    example = "K = 2, d = 2, S = 1, arms e_1 and e_2 with mean rewards 0.55 and 0.5: they alternate for ever, linear regret"
    forever, never = (VANISHES if cumulative else ALTERNATES)(), VANISHES()
    alternates = not cumulative and shares[0] == 0.5 and isinstance(forever, Certificate)
    vanishes = shares[1] == 0 and isinstance(never, Certificate)
    printed = exactly(not alternates, text.format(shares[0], forever), example)
    mended = exactly(vanishes, text.format(shares[1], never), example)
    words = r"misprint: $\bar H_{t+1} = \bar H_t + \nabla\mu \otimes x_t x_t^\top + 11^\top \otimes x_t x_t^\top$, $\bar H_1 = \lambda I$, as in Algorithm 2. $H$ has no curvature along $1$, so as printed $\lambda_{\max}$ in $\epsilon_2$ stays at $1/\lambda$, or $1/(\lambda + K)$ for the arm played last"
    return corrected("misprint", printed, mended, words)


C175 = claim(
    "C175",
    Statement(
        place="Algorithm 3, Hbar_{t+1}",
        lines=(1551, 1551),
        kind="algorithm",
        prints=r"$\bar H_{t+1} \leftarrow H_{t+1} + 1_K 1_K^\top \otimes x_t x_t^\top$",
        reading=r"With this $\bar H_{t+1}$, of the last arm only, the bonuses vanish and the regret is sublinear.",
    ),
    last_arm_only,
    domain=r"$K = d = 2$, $S = R = 1$, two orthogonal arms learnt $10^{12}$ times each, means 0.55 and 0.5, both estimated without error, rounds of learning; $\log(t/\delta) \ge 31$, mended: up to $10^8$",
    planted={"cumulative": True},
    module=__name__,
)


def width_of_set(m: Arithmetic, S: Number, size: Number, ball: bool = False) -> Number:
    r"""Radius of $W_2$, below the largest $\|\theta - \theta_*\|$, over 2 S, 1/kappa <= 1/2; `ball`: that if W_2 is cut to $\|\theta\| \le S$."""
    reach = beta_over_norm(m, size, S, m.log(m.number(40))) / m.sqrt(lambda_w(m, size, S) + m.number(Fraction(1, 2)))
    return (1 + m.minimum(reach, m.number(1))) / 2 if ball else reach / 2


WIDTHS = {"S": (0.1, 100.0), "size": (2.0, 100.0)}

C176 = claim(
    "C176",
    Statement(
        place="Algorithm 3, theta^w over R^{K x d}; Appendix H, proof of Lemma 4, display",
        lines=(1577, 1580),
        kind="step",
        prints=r"$\max_{\theta \in \mathcal W} \|(\theta - \theta_*) x\|_2 \le \max_{\theta \in \mathcal W} \|\theta - \theta_*\|_2 \|x\|_2 \le 2 S$",
        quantifiers=r"For all $x \in \mathcal X_t$.",
        reading=r"$\mathcal W = \mathcal W_t(\delta)$.",
    ),
    Correction(
        "condition",
        Inequality(width_of_set, WIDTHS, examples=({"S": 1.0, "size": 2.0},), share=0.5),
        Inequality(width_of_set, WIDTHS, share=0.5, proof=Balls(width_of_set, WIDTHS), fixed={"ball": True}),
        r"$\mathcal W_t$ cut to $\|\theta\| \le S$, and $\theta^w_{t+1}$ the minimiser over that ball; the radius of $\mathcal W_2$ alone is more than $2 S$. Lemma 4 itself did hold in the simulations (C180)",
    ),
    domain=r"$t = 2$, after a round of exploration, in every direction, $S \in [0.1, 100]$, $K d = 2..100$, $\delta = 0.05$; mended: every $\theta$ with $\|\theta\| \le S$",
    planted={"ball": True},
    module=__name__,
)


def unexplored(m: Arithmetic, S: Number, size: Number, constant: int = 24) -> Number:
    r"""$1/\tau_1^2$ over $\max \|I \otimes x\|^2$ at t = 1 with a unit arm: the trigger fires where it is at most 1."""
    return lambda_w(m, size, S) / (constant * beta_w(m, size, S, m.number(1)) ** 2)


def first_centre(m: Arithmetic, S: Number, size: Number) -> Number:
    r"""$\|\theta_*\|_{H^w_0}$ over $\beta_1$ for $\|\theta_*\| = S$."""
    return m.sqrt(lambda_w(m, size, S)) / beta_over_norm(m, size, S, m.log(m.number(20)))


FIRST_BOX = {"S": (0.001, 100.0), "size": (2.0, 100.0)}

C178 = claim(
    "C178",
    Statement(
        place="Algorithm 3, W_1",
        lines=(1537, 1546),
        kind="algorithm",
        prints=r"$\mathcal W_1$ and $\theta^w_1$ are not initialised.",
        reading=r"The first round explores, so that $\mathcal W_2$ and $\theta^w_2$ exist when round 2 learns.",
    ),
    Correction(
        "misprint",
        Inequality(unexplored, FIRST_BOX, examples=({"S": 0.05, "size": 2.0},), share=0.5),
        Inequality(first_centre, FIRST_BOX, share=0.5, proof=Balls(first_centre, FIRST_BOX)),
        r"$\theta^w_1 = 0$ and $\mathcal W_1 = \{\|\theta\|_{H^w_0} \le \beta_1\}$, in which $\theta_*$ is; needed where $S \max \|x\|$ is below 0.08",
    ),
    domain=r"$24 \beta_1^2 \max \|x\|^2/\lambda^w \ge 1$: $K d = 2..100$, $\max \|x\| = 1$ and $S \in [0.001, 100]$",
    planted={"constant": 10**6},
    module=__name__,
)


def resumed(m: Arithmetic, S: Number, level: Number, projected: bool = False) -> Number:
    r"""Distance to $\theta^w$ over $\beta_{t+1}$ after a round of exploration, K = 2, d = 1, x = 1, $H^w = 24 \beta_t^2$, where the trigger just fires."""
    beta = S * beta_over_norm(m, m.number(2), S, level)
    after = S * beta_over_norm(m, m.number(2), S, level + m.log1p(20 * m.exp(-level)))
    eta, ridge, curvature = eta_w(m, S), 24 * beta**2, binary_curvature(m, S)
    move = eta / m.sqrt(2) / (ridge + eta * curvature)
    distance = (beta / m.sqrt(ridge) + move) * m.sqrt(ridge + curvature)
    return 1 - m.maximum(1 - distance / after, m.number(0)) if projected else distance / after


def projection_stays(projected: bool = True) -> bool:
    r"""Projected into the set, a point v beyond its boundary comes closer to one u inside: $(u + v)^2 - u^2 = v^2 + 2 u v$."""
    u, v = unknowns("u", "v")
    return projected and (u + v) ** 2 - u**2 == v**2 + 2 * u * v


C179 = claim(
    "C179",
    Statement(
        place="Algorithm 3, exploration branch",
        lines=(1538, 1544),
        kind="algorithm",
        prints=r"A round of exploration assigns neither $\theta_{t+1}$ nor $H_{t+1}$.",
        reading=r"$\theta_t$ is in $\mathcal W_t$ when learning resumes.",
    ),
    Correction(
        "misprint",
        Inequality(resumed, {"S": (0.05, 20.0), "level": (3.0, 30.0)}, examples=({"S": 1.0, "level": 16.8},), share=0.2),
        Inequality(
            resumed,
            {"S": (0.05, 20.0), "level": (3.0, 30.0)},
            share=0.2,
            proof=Exactly(
                projection_stays, r"a projection into a set is in it, and in one dimension closer to every point of the set"
            ),
            fixed={"projected": True},
        ),
        r"an omission: $H_{t+1} = H_t$, and $\theta_{t+1}$ is $\theta_t$ projected into $\mathcal W_{t+1}$ in the norm of $H$, which takes it no further from $\theta_*$; other choices are possible",
    ),
    domain=r"$K = 2$, $d = 1$, $x = 1$, $\kappa = 1 + \cosh(\sqrt 2 S)$: $\theta_t$ on the boundary of $\mathcal W_t$, $\theta^w_t = 0$ moves away by one step, radius $\beta_{t+1}$; $\log(t/\delta) \in [3, 30]$",
    planted={"projected": True},
    module=__name__,
)
