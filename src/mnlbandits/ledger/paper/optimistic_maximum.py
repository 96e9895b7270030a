"""Section 3.2: the optimistic reward as a maximum over the confidence set, which is not computed."""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Balls, Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.softmax import sigmoid, slope


def middle_over_mean(m: Arithmetic, gap: int, left: int = -4) -> Number:
    r"""$\rho^\top\mu$ in the middle of two points over the mean of both, $\rho = (1, 0)$, logits from `left` in two steps."""
    first, middle, last = (sigmoid(m, m.number(left + steps * gap)) for steps in range(3))
    return 2 * middle / (first + last)


C133b = claim(
    "C133b",
    Statement(
        place="Section 3.2, Eq. def_tilder_nonefficient and text after it",
        lines=(386, 390),
        kind="equation",
        prints=r"$\tilde r_t(x) := \max_{\theta \in \mathcal C_t(\delta)} \rho^\top \mu(\theta x)$ results in a non-concave maximization problem.",
        reading=r"Not concave in general: one instance shows it.",
        labels=("eq:def_tilder_nonefficient",),
    ),
    Inequality(
        middle_over_mean,
        cases=[{"gap": 2}],
        note="below the mean of two points in their middle, so not concave",
        proof=Balls(middle_over_mean, {}, [{"gap": 2}], bound=0.5, words="one point"),
    ),
    domain=r"$\rho = (1, 0)$, $K = 2$, $x = 1$, differences of the logits $-4$, $-2$, $0$",
    planted={"left": -1},
    module=__name__,
)


def centre_by_outcome(m: Arithmetic, b: Number, weight: Number, lag: int = 0) -> Number:
    r"""Distance of the centres after $y_t = 1$ and $y_t = 2$, in units of $\sqrt 2/\tilde W_t$, of the set of index $t - \mathrm{lag}$."""
    root, known = m.sqrt(2), 10**weight + 2 * slope(m, m.sqrt(2) * b)
    first, second = root * sigmoid(m, -root * b) / known, -root * sigmoid(m, root * b) / known
    return (b - b if lag else (b + first) - (b + second)) * known / root


def outcomes_part(lag: int) -> bool:
    """Whether the centre of index t - lag is the same for y_t = 1 and 2: (b + p) - (b - q) with p + q = 1, in units."""
    b, p = unknowns("b", "p")
    first, second = (b, b) if lag else (b + p, b - (1 - p))
    return first == second


C133c = claim(
    "C133c",
    Statement(
        place="Section 3.3.1, definition of C_t, as Eq. def_tilder_nonefficient of Section 3.2 uses it",
        lines=(473, 475),
        kind="definition",
        prints=r"$\mathcal C_t(\delta) := \{\theta : \lVert \theta - \theta_{t+1} \rVert_{\bar W_{t+1}} \le \sigma_t(\delta)\}$.",
        reading=r"By the convention of lines 333 to 335 its index is one too small: $\theta_{t+1}$ needs $y_t$. Lines 385 to 389 maximise over $\mathcal C_t(\delta)$ before $y_t$ is seen (line 380), which is right of a set that is known before round $t$, and the same symbol.",
    ),
    Correction(
        "misprint",
        Equality(
            centre_by_outcome,
            {"b": (-8.0, 8.0), "weight": (2.46, 6.0)},
            examples=[{"b": 0.0, "weight": 3.0}],
            note=r"the centre $\theta_{t+1}$ of $\mathcal C_t$ depends on $y_t$",
            proof=Exactly(outcomes_part, "both outcomes, in unknown probabilities"),
        ),
        Equality(
            centre_by_outcome,
            {"b": (-8.0, 8.0), "weight": (2.46, 6.0)},
            share=0.25,
            fixed={"lag": 1},
            proof=Exactly(outcomes_part, r"the centre $\theta_t$ and $\bar W_t$ are known before round $t$"),
        ),
        r"misprint: $\mathcal C_{t+1}(\delta)$ for the set around $\theta_{t+1}$ (or $\mathcal C_{t-1}$ under the maximum of line 387); the closed form (Eq. optimistic reward) has it right",
    ),
    domain=r"$K = 2$, $d = 1$, $x = 1$, $\eta = 1$: $\theta_t = (b, -b)/\sqrt 2$ inside $\Theta$, $b \in [-8, 8]$, $W_t \in [288, 10^6]$",
    planted={"lag": 1, "mended_lag": 0},
    module=__name__,
)
