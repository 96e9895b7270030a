"""Algorithms that know two members of the family of Theorem 2, d = 2: test, then commit."""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.formulas.family import loss, member_logits, rise, star
from mnlbandits.ledger.formulas.softmax import sigmoid


def testing_then_commit(
    m: Arithmetic, K: int, q: Number, share: Number, angle: Number, pulls: Number
) -> tuple[Number, Number, Number]:
    """(E Reg_T/R, P(wrong)), bounded from above, and the rounds left to commit; T = q^2 kappa_*.

    The arms at angles +-`angle` to e_1 are played `pulls` times in turn, then x_* of the likelier member. The sum of the two
    error probabilities is at most the Bhattacharyya coefficient to the power of `pulls`; ties are broken by a coin.
    """
    high, low = member_logits(m, m.number(K), share, angle)
    p, r = sigmoid(m, high), sigmoid(m, low)
    roots = m.sqrt(p) + m.sqrt(r), m.sqrt(sigmoid(m, -high)) + m.sqrt(sigmoid(m, -low))
    hellinger = rise(m, high, low) ** 2 * (1 / roots[0] ** 2 + 1 / roots[1] ** 2) / 2
    wrong = m.exp(pulls * m.log1p(-hellinger)) / 2
    alpha = m.atan(share)
    explored = (loss(m, m.number(K), m.cos(angle - alpha)) + loss(m, m.number(K), m.cos(angle + alpha))) / 2
    committed = q**2 * star(m, m.number(K)) - pulls
    return pulls * explored + committed * wrong * loss(m, m.number(K), m.cos(2 * alpha)), wrong, committed
