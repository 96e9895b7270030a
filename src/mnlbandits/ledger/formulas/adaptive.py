"""Algorithm 3: its constants, its trigger and its bonuses, Section 3.4 and Appendix H."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.formulas.designs import design_score, determinant_grows, one_over_log, score_norms, with_arm
from mnlbandits.ledger.formulas.learning import cauchy_schwarz
from mnlbandits.ledger.formulas.orders import vectors
from mnlbandits.ledger.formulas.potentials import excess_of_tangents
from mnlbandits.ledger.formulas.softmax import binary_curvature
from mnlbandits.ledger.search import Box, column, vectors_box

DELTA_W = Fraction(1, 20)
"""delta in statements about Algorithm 3 that hold for any."""


def lambda_w(m: Arithmetic, size: Number, S: Number, factor: int = 72) -> Number:
    """lambda^w = 72 (1 + sqrt(6) S) K d, size = K d."""
    return factor * (1 + m.sqrt(6) * S) * size


def eta_w(m: Arithmetic, S: Number, alpha: Number | int = 1) -> Number:
    """eta^w = (1 + sqrt(6) S)/2, as printed with alpha = S."""
    return (1 + m.sqrt(6) * alpha * S) / 2


def beta_over_norm(m: Arithmetic, size: Number, S: Number, level: Number) -> Number:
    """beta_t/S at level = log(t/delta)."""
    return 4 * m.sqrt(size * level) + 2 * m.sqrt(lambda_w(m, size, S))


def beta_w(m: Arithmetic, size: Number, S: Number, t: Number) -> Number:
    """beta_t = 4 S sqrt(K d log(t/delta)) + 2 S sqrt(lambda^w)."""
    return S * beta_over_norm(m, size, S, m.log(t / m.number(DELTA_W)))


def sigma_w(m: Arithmetic, size: Number, S: Number, level: Number) -> Number:
    """sigma_t = 2 sqrt(K d log(t/delta)) + 24 S sqrt(K d) at level = log(t/delta)."""
    return 2 * m.sqrt(size * level) + 24 * S * m.sqrt(size)


def inverse_eigenvalue(plays: Number, ones: Number, ridge: Number) -> Number:
    """lambda_max of Hbar^-1 on a unit arm learnt `plays` times at curvature 1/2, K = 2, 11^T counted ones/2 times."""
    return 1 / min(ridge + ones, ridge + plays / 2)


def eps_two_of_last(m: Arithmetic, level: Number, plays: Number, last: bool, cumulative: bool) -> Number:
    """eps_2 of that arm, d = 2, S = R = 1; with Hbar_{t+1} as printed 11^T counts once, for the arm played last only."""
    ones = 2 * plays if cumulative else m.number(2 * int(last))
    return 3 * sigma_w(m, m.number(4), m.number(1), level) ** 2 * inverse_eigenvalue(plays, ones, m.number(576))


def first_bonus(m: Arithmetic, sigma: Number, mean: Number, plays: Number) -> Number:
    """eps_1 of that arm at mu_1 = `mean`, rho = (1, 0): the ones do not count, as grad mu rho is orthogonal to 1."""
    curvature = 2 * mean * (1 - mean)
    return sigma * curvature / m.sqrt(2 * (576 + curvature * plays))


def preferred(m: Arithmetic, root: Number, gap: Number, cumulative: bool = False) -> Number:
    """Gap and largest eps_1 over how much more eps_2 an arm has that was not played last, both learnt 1e12 times.

    At log(t/delta) = 1/root^2, where root sigma_t = 4 + 48 root; both sides times root^2.
    """
    plays, half, sigma = m.number(10**12), m.number(Fraction(1, 2)), 4 + 48 * root
    other, last = (inverse_eigenvalue(plays, 2 * plays if cumulative else m.number(n), m.number(576)) for n in (0, 2))
    return (gap * root**2 + first_bonus(m, sigma, half, plays) * root) / (3 * sigma**2 * (other - last))


def loss_gradient(K: int = 3, share: int = 1) -> bool:
    """-log mu_y has the derivative mu_k - `share` [k = y] in logit k: the logarithmic one of 1/mu_y in the exponential."""
    e = unknowns(*(f"e{k}" for k in range(K)))
    inverses = [sum(e) / weight for weight in e]
    return all(
        e[k] * inverse.derivative(k) / inverse == e[k] / sum(e) - share * int(k == y)
        for y, inverse in enumerate(inverses)
        for k in range(K)
    )


def beta_grows() -> bool:
    """beta_T - beta_t = 4 S sqrt(K d) (b - a), b - a = (b^2 - a^2)/(a + b), b^2 = log(T/delta), a^2 = log(t/delta)."""
    a, b, base, factor = unknowns("a", "b", "base", "factor")
    return (factor * b + base) - (factor * a + base) == factor * (b**2 - a**2) / (a + b)


def elliptical_of_arms(
    m: Arithmetic, K: int, rounds: int, S: Number, curved: Number, factor: Number | int = 2, **point: Number
) -> Number:
    """sum ||kappa^-1/2 I (x) x||_F^2, H^w, over factor K d log(1 + T/(K d lambda^w)) of arms x, a round each, d = 2."""
    size = 2 * K
    weight = lambda_w(m, size, S) * K * 10**curved
    design, total = (weight, 0 * weight, weight), 0 * weight
    for x in vectors(m, column(point, "x"), 2):
        total, design = total + design_score(*design, x), with_arm(*design, x)
    return K * total / (factor * size * m.log1p(m.number(rounds) / (size * lambda_w(m, size, S))))


def sequence_box(K: int, rounds: int) -> Box:
    """The coordinates of `elliptical_of_arms`; kappa = K 10^curved."""
    del K
    return vectors_box(x=(2 * rounds, 1.0)) | {"S": (0.0, 10.0), "curved": (0.0, 9.0)}


def score_of_round(m: Arithmetic, q: Number, factor: Number | int = 2) -> Number:
    """The derivative of q over that of factor log(1 + q), both 0 at q = 0."""
    return one_over_log(m, q, near=True, constant=factor)


def elliptical_below(power: int = 1, factor: Fraction | int = 2) -> bool:
    """The steps from single scores to sum_{T^w} ||kappa^-1/2 I (x) x||^2 <= factor K d log(1 + T/(K d lambda^w)), Frobenius.

    In the spectral norm half of it is enough. H^w = I (x) U: the square of that norm is q = x^T U^-1 x/kappa, that of the
    Frobenius norm K q, |U| grows by 1 + q in a round, and with 1 + a_i the eigenvalues of U/lambda^w the tangents of log
    give log |U/lambda^w| <= d log(1 + mean a), mean a <= n/(d kappa lambda^w).
    kappa >= K as diag(p) - p p^T at theta = 0 is (1/K) I on 1^perp. The sum of q is at most 2 d log, and K = 2 + more.
    """
    K, more = unknowns("K", "more")
    spectral = nonnegative(Fraction(factor) / 2 * (2 + more) - 2)
    frobenius = nonnegative(Fraction(factor) * (2 + more) - 2 * (2 + more))
    own, other = 1 / K - 1 / K**2, -1 / K**2
    tangents = all(excess_of_tangents(unknowns(*(f"a{i}" for i in range(d)))) == 0 for d in range(1, 7))
    return determinant_grows() and score_norms(power) and tangents and spectral and frobenius and own - other == 1 / K


def first_index(m: Arithmetic, S: Number, d: int, start: Number, longer: Number, last: bool = False) -> Number:
    """Rounds from exp(start) to T = exp(start + longer) over the bound of Lemma 5 with tau_1, or as `last` tau_T.

    K = 2, delta = 1, d orthonormal arms. All explore: the trigger fires at both ends, beta_t^2 is concave in t and the
    design linear; 0 if that is not so. Before exp(start)/1.001 no round does.
    """
    size, ridge, least = m.number(2 * d), lambda_w(m, m.number(2 * d), S), binary_curvature(m, S)
    T, early, from_here = m.exp(start + longer), m.exp(start) / m.number(Fraction(1001, 1000)), m.exp(start)
    before, at_start, at_end = (
        24 * (S * beta_over_norm(m, size, S, level)) ** 2 for level in (m.log(early), start, start + longer)
    )
    fires = before < ridge and at_start >= ridge and at_end >= ridge + ((T - early) / d + 1) * least
    level = start + longer if last else 0 * start
    bound = 48 * (S * beta_over_norm(m, size, S, level)) ** 2 / least * size * m.log1p(T / (size * ridge))
    return (T - from_here) / bound if fires else 0 * T


def radius_over_trigger() -> bool:
    r"""$\|I \otimes x\|_{(H^w)^{-1}} \cdot 2 \beta_t < 2 \beta_t/\tau_t = 1/\sqrt 6$ where the trigger does not fire."""
    beta, root = unknowns("beta", "root")
    return 2 * beta / (2 * root * beta) == 1 / root and cauchy_schwarz()


def gap_below_norm() -> bool:
    """A difference of means of rewards in [0, max rho] is at most max rho, and R^2 - rho_k^2 is a sum of squares."""
    low, rest, share, top = unknowns("low", "rest", "share", "top")
    between = top - (share * top + (1 - share) * low) == (1 - share) * (top - low)
    return between and (top**2 + low**2 + rest**2) - top**2 == low**2 + rest**2


def optimal_by_score(factor: int = 2) -> bool:
    """Whether nu = factor D/g makes every maximiser of nu rho + rho^2 optimal.

    D is at least every difference of second moments, g at most every gap. With gap = g + e and q_* - q = f - D, e, f >= 0,
    the score of x_* exceeds that of x by (factor - 1) D + factor D e/g + f.
    """
    D, g, e, f = unknowns("D", "g", "e", "f")
    exceeds = factor * D / g * (g + e) + (f - D)
    return exceeds == (factor - 1) * D + factor * D * e / g + f and factor > 1
