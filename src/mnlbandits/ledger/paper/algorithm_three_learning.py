"""Algorithm 3 (Appendix H), line by line: its rounds of learning, against Algorithm 2."""

from dataclasses import replace
from fractions import Fraction

from mnlbandits.ledger.arithmetic import BALLS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Balls, Equality, Exactly, Statement, claim
from mnlbandits.ledger.finding import Finding, corrected, exactly
from mnlbandits.ledger.formulas.adaptive import eps_two_of_last, first_bonus, preferred, sigma_w
from mnlbandits.ledger.formulas.softmax import binary_curvature, sigmoid
from mnlbandits.ledger.prove import Certificate
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.simulate.adaptive import learnt_square, share_of_worse


def other_matrix(m: Arithmetic, digits: Number, b: Number, eta: Fraction | int = 1) -> Number:
    r"""Relative difference of $\tilde H_{t+1}$ and of Algorithm 2's $\tilde W_t$, K = 2, d = 1, x = 1, W_t of 10^digits."""
    curved = binary_curvature(m, b)
    return abs((10**digits + m.number(eta) * curved) / (10**digits + curved) - 1)


def same_matrix(eta: Fraction | int = 1) -> bool:
    r"""Whether $W + \eta \nabla\mu$ is $W + \nabla\mu$, whatever these are."""
    before, curved = unknowns("before", "curved")
    return before + eta * curved == before + curved


C174b = claim(
    "C174b",
    Statement(
        place="Algorithm 3, Htilde_{t+1} and H_{t+1}",
        lines=(1548, 1550),
        kind="algorithm",
        prints=r"$\tilde H_{t+1} \leftarrow H_t + \nabla\mu(\theta_t x_t) \otimes x_t x_t^\top$, $H_{t+1} \leftarrow H_t + \nabla\mu(\theta_{t+1} x_t) \otimes x_t x_t^\top$",
        reading=r"They are the $\tilde W_t$ and $W_{t+1}$ of Algorithm 2 at $\eta = 1$, $H_t$ for its $W_t$.",
    ),
    Equality(
        other_matrix, {"digits": (2.4592, 6.0), "b": (-8.0, 8.0)}, share=0.2, proof=Exactly(same_matrix, "for every matrix")
    ),
    domain=r"every $K$, $d$, $\theta_t$ and $x_t$; searched with $K = 2$, $d = 1$, $x = 1$, $W_t \in [288, 10^6]$",
    planted={"eta": Fraction(5, 4)},
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

HALF_THE_STEP = Fraction(1, 2)

HALVED = Equality(half_step, STEP_BOX, examples=({"b": 0.0, "digits": 2.4592},), share=0.2)

WHOLE = Equality(half_step, STEP_BOX, share=0.2, proof=Exactly(whole_step, "for every gradient and matrix"))


def keeps_its_error(weight: Fraction | int = 1) -> bool:
    r"""Whether $u_t = H_t E(\theta_t - \theta_*)^2$ falls in no round, so that each adds step^2/(2 H), in the linear model.

    K = 2, d = 1, x = 1, theta_* = 0: curvature and variance of the gradient are 1/2, $H_t$ grows by 1/2. From $u$ a round makes
    $u (1 - step/(2 H))^2 H/(H - 1/2)$ and step^2/(2 H), H = 1/2 + before.
    """
    (before,) = unknowns("before")
    H, step = before + HALF_THE_STEP, Fraction(1, 2) / weight
    return nonnegative(H * (1 - step / (2 * H)) ** 2 - before)


def step_of_learning(effort: Effort, weight: Fraction | int = 1, mended_weight: Fraction | int = HALF_THE_STEP) -> Finding:
    """The step as printed against Algorithm 2's, and what half the step does to the estimate."""
    effect = "rate" if keeps_its_error(weight) else "constant"
    runs, rounds = 4 * effort.runs, 30 * effort.rounds
    half, whole = (learnt_square(1 / (2 * float(value)), runs, rounds) for value in (weight, mended_weight))
    errors = f"$H_T (\\theta_T - \\theta_*)^2$ is ${half:.3g}$ on average with half the step and ${whole:.3g}$ with the whole in {runs} runs of {rounds} rounds, $K = 2$, $d = 1$, $x = 1$, $\\theta_* = 0$"
    words = r"$1/(2 \eta)$ before the norm; as printed the step is that of $\eta = 1/2$, half the move. Then the error does not fall as it should: with the curvature and the variance of the gradient at $\theta_* = 0$, exactly, $E H_T (\theta_T - \theta_*)^2 = \frac{T}{576 + T} < 1$ with the whole step, and at least $\sum_t \frac{1}{4 (576 + t)}$, about $\frac14 \log(1 + \frac{T}{576})$, with half of it: a logarithm more. It is the logarithm of the actual error, whose mean is still inside of the printed $\sigma_t^2$; its tail is not: with a probability of about $\delta$ the error is $\frac12 \log(1/\delta) \log(1 + \frac{T}{576})$ (Gaussian, in words), a product where Lemma 7 has the sum $\log T + \log(1/\delta)$, and for $T = 1/\delta = e^{100}$ and small $S$ it is $2.9$ times its $\sigma_T^2$"
    printed, mended = HALVED(effort, weight=weight), WHOLE(effort, weight=mended_weight)
    return corrected(effect, replace(printed, evidence=f"{printed.evidence}; {errors}"), mended, words)


C174 = claim(
    "C174",
    Statement(
        place="Algorithm 3, theta_{t+1}",
        lines=(1549, 1549),
        kind="algorithm",
        prints=r"$\theta_{t+1} \leftarrow \arg\min_{\theta \in \mathcal W_t(\delta)} \langle \nabla\ell_{t+1}(\theta_t), \theta \rangle + \|\theta - \theta_t\|^2_{\tilde H_{t+1}}$",
        reading=r"It is the step of Algorithm 2 with $\eta = 1$, as Section 3.4 says (line 558: otherwise it follows the learning procedure of Algorithm 2), over $\mathcal W_t$ in place of $\Theta$.",
    ),
    step_of_learning,
    domain=r"the move of $\theta$ over that of Algorithm 2, inside the set: every gradient and matrix; searched with $K = 2$, $d = 1$, $x = 1$, $\theta_t \in [-8, 8]$, $W_t \in [288, 10^6]$; the error: the linear model, every $T$, and runs",
    planted={"weight": HALF_THE_STEP, "mended_weight": 1},
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


def last_arm_only(effort: Effort, cumulative: bool = False, mended_cumulative: bool = True) -> Finding:
    """Both arms in turn for ever as printed; mended, the bonus of the worse arm stays below the gap."""
    shares = [share_of_worse(BALLS, kind, effort.rounds) for kind in (cumulative, mended_cumulative)]
    text = f"the worse arm in {{:.3g}} of {effort.rounds} rounds after 2e12, in balls; {{}}"
    example = "K = 2, d = 2, S = 1, arms e_1 and e_2 with mean rewards 0.55 and 0.5: they alternate for ever, linear regret"
    forever, never = (VANISHES if cumulative else ALTERNATES)(), VANISHES()
    alternates = not cumulative and shares[0] == 0.5 and isinstance(forever, Certificate)
    vanishes = shares[1] == 0 and isinstance(never, Certificate)
    printed = exactly(not alternates, text.format(shares[0], forever), example)
    mended = exactly(vanishes, text.format(shares[1], never), example)
    words = r"$\bar H_{t+1} = \bar H_t + \nabla\mu \otimes x_t x_t^\top + 11^\top \otimes x_t x_t^\top$, $\bar H_1 = \lambda I$, as in Algorithm 2. $H$ has no curvature along $1$, so as printed $\lambda_{\max}$ in $\epsilon_2$ stays at $1/\lambda$, or $1/(\lambda + K)$ for the arm played last"
    return corrected("rate", printed, mended, words)


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
    planted={"cumulative": True, "mended_cumulative": False},
    module=__name__,
)
