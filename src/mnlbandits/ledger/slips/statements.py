"""The paper's theorems, lemmas and propositions as they stand: as printed, and in the least mended form known here."""

from mnlbandits.ledger.slips import Stated

STATED_AGAIN: tuple[Stated, ...] = (
    Stated(
        "C156",
        r"Not as printed: $C$ cannot be free of $S$, $\Theta$ can miss $\theta_*$ for large $S$ and short arms, and Step 4 gives $K$ for $\sqrt K$.",
        r"REAL with $\tau = \lceil 42 (S+3)^2 \lambda_0 \kappa d \log T \rceil$, the squared radius $1.67 (S+3)^2 \lambda_0$ of $\Theta$, $\eta = 5/4$, the start at the point of $\Theta$ of least norm and $\sigma_t$ of Lemma 2 below; $\lambda_0$, $\lambda$ and the bonuses as printed; $\lVert \theta_* \rVert_F \le S$, $\mathcal X$ finite, $T \ge 2$. With probability $1 - 2\delta$, $D = (K-1) d$, $L = \log(T/\delta)$: $\mathrm{Reg}_T \le R \sqrt{T/\kappa_*}\,(7.5 D L + 114 S \sqrt{K d D \log T})$ $+\; 36 R \kappa d D L^2 + 8300 S^2 R \kappa K d^2 L$ $+\; (112 R + 28.2 \nu) D^2 L^2$ $+\; (25900 R + 6500 \nu) S^2 K d D L + R \tau$. In the leading term $K^1 d^1$, and $S$ only beside $\sqrt{\log T}$; for $K = 2$ it is the printed rate. Open: $\sqrt K$ for $K \ge 3$.",
    ),
    Stated(
        "C134",
        r"Not as printed: it needs the event of Lemma 1 and $t > \tau$.",
        r"On the event of Lemma 1 and with Lemma 2 as below, for all $t > \tau$ at once, with probability $1 - \delta$ given it and $1 - 2\delta$ in all.",
    ),
    Stated(
        "C135",
        r"Not as printed: Algorithm 2 leaves $\theta_{\tau+1}$ open, and from the boundary of $\Theta$ the distance is 34 times $\sigma_t$ although the event of Lemma 1 holds. From $\hat\theta$, with the printed $\eta = 1$ and $\sigma_t$, nothing here contradicts it at $\delta = 0.05$, and it is not proved.",
        r"On the event of Lemma 1, $t > \tau$, $\eta = 5/4$, start at the point of $\Theta$ of least norm, $D = (K-1) d$: $\lVert \theta_* - \theta_{t+1} \rVert_{\bar W_{t+1}}^2 \le 4 S^2 \lambda + 2.5 \log \frac1\delta + 2.1 D \log(1 + \frac{t}{\lambda D})$, with probability $1 - \delta$ for all $t$ at once.",
    ),
    Stated(
        "C121b",
        r"True for $S \le 66$ and $T \ge \tau$; false for $S > 84$.",
        r"For all $S \ge \lVert \theta_* \rVert_F$ and arms: the squared radius $1.67 (S+3)^2 \lambda_0$ for $84^2 \lambda_0$, $\tau = \lceil 42 (S+3)^2 \lambda_0 \kappa d \log T \rceil$, $T \ge \max(2, \tau)$, ties broken without looking at outcomes. With another $\lambda_0$ both can be free of $S$ (C121d).",
    ),
    Stated(
        "C112",
        r"The step from $\gamma$ to $\beta$ is true; $\gamma = 16 \lambda_0$ is not.",
        r"$\beta = (1 + g + g^2)^2 g^2 \lambda_0$, $g = S + 4$.",
    ),
    Stated(
        "C108",
        r"Not for large $S$: the regulariser alone moves $\hat\theta$ by $S \sqrt{\lambda_0}$.",
        r"$\gamma = (S + 4)^2 \lambda_0$, $S \ge \lVert \theta_* \rVert_F$, for $t \le T$ and the exploration of Algorithm 1.",
    ),
    Stated(
        "C165",
        r"Not where $\nu = 0$.",
        r"$\nu > 0$, $\mathcal X$ finite, not every arm optimal. What Theorem 1 uses of it, that some $x_*$ maximises both, is true as printed.",
    ),
    Stated(
        "C029",
        r"Not in its order of quantifiers, and without expectation.",
        r"For any algorithm and any $T \ge d^2 \kappa_*$ there are $\theta_*$ and $\rho$ with $\mathbb E[\mathrm{Reg}_T] \ge R \sqrt{T/\kappa_*} \max(\frac{d}{312}, c \sqrt{d K})$, $c = \frac1{19}$ for $d = 2$, $K \ge 4$, and $\frac1{25}$ for $d \ge 3$; so the printed rate with the constant $1/25000$ for $K \le 6420$ or $d \le 7.8 \cdot 10^7$. The family of the proof gives the first of the two, pairs of outcomes the second. Open: both $K$ and $d$ large.",
    ),
    Stated(
        "C184",
        r"Not as printed: rounds of exploration have regret that the right side leaves out.",
        r"$\mathrm{Reg}_T \le R \sqrt{\sum_{t \notin T^w} 1/\kappa_{*,t}}\,(7.5 D L + 114 S \sqrt{K d D \log T})$ with the second-order terms of Theorem 1 and $R |T^w|$ added, on the mended Lemmas 4 to 7; argued.",
    ),
    Stated(
        "C180",
        r"Not for small $S$: the radius vanishes with $S$, the noise does not.",
        r"$\beta_t^2 = S^2 \lambda^w + 2 \eta^w \log\frac1\delta + 1.02 (\eta^w)^2 D \log(1 + \frac{t}{\lambda^w D})$ with $\eta^w = 1 + \sqrt 2 S$, $\lambda^w = 144 \eta^w (K d + S)$; argued, its numbers checked.",
    ),
    Stated(
        "C181",
        r"$t$ is free; false for $t = 1$.",
        r"With $\tau_T$ for $\tau_t$, and in the spectral norm with half the right side.",
    ),
    Stated("C182", r"Not in rounds of exploration.", r"In rounds of learning."),
    Stated(
        "C183",
        r"Not as printed: it rests on Lemma 4.",
        r"On the event of the mended Lemma 4, with $\eta = 5/4$; argued.",
    ),
)
