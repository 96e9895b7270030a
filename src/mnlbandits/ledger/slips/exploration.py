"""Appendix F.1 and F.2: the exploration and the confidence set of the learning."""

from mnlbandits.ledger.slips import Name, Slip

SLIPS: tuple[Slip, ...] = (
    Slip(
        "gamma",
        ("C108", "C109", "C112", "C121", "C121b"),
        "Appendix F.1, Proposition 2; with it Proposition 3, Algorithm 1 and Lemma 1",
        (820, 830),
        r"$\gamma_t(\delta) = 16 \lambda_0$, and by it the radius $84 \sqrt{\lambda_0}$ of $\Theta$ and $336^2$ in $\tau$",
        r"the regulariser pulls $\hat\theta$ to 0 by up to $S \sqrt{\lambda_0}$: $K = 2$, $d = 1$, the arm 1, $t = 1$, $S = 5$: $1.56 \gamma$; and $\theta_* \notin \Theta$ for $S = 85$ and the arm $10^{-9}$, whatever the outcomes, as $\hat\theta$ stays within $0.02$ of 0",
        r"$\gamma = (S + 4)^2 \lambda_0$ for $t \le T$, ties of the exploration broken without looking at outcomes; then Lemma 1 holds with $\lVert \theta - \hat\theta \rVert_{V_\tau}^2 \le 1.67 (S + 3)^2 \lambda_0$ and $\tau = \lceil 42 (S + 3)^2 \lambda_0 \kappa d \log T \rceil$, for all $S$ and arms; as printed it holds for $S \le 66$",
        "Lemma 2, Proposition 1 and Theorem 1, by way of $\\Theta$ and $\\tau$",
    ),
    Slip(
        "root of two in the curvature",
        ("C113",),
        "Appendix F.1, Proposition 3, proof, Step 1",
        (856, 860),
        r"$1 + d(x_s, \hat\theta_{t+1}, \theta_*)$",
        r"$K = 2$, logits $(2, -2)$ moved by $(3, -3)$: $1.127$ times too much",
        r"$1 + \sqrt 2\,d(x_s, \hat\theta_{t+1}, \theta_*)$; the display after it is true as printed all the same",
    ),
    Slip(
        "shapes",
        ("C114", "C182b"),
        "Appendix F.1, Step 1; Appendix H, proof of Lemma 6",
        (860, 863),
        r"$\lVert x_s \rVert_{G_t^{-1}}$, and $I_K \otimes x$ for its transpose in lines 1621 to 1632",
        r"$x_s \in \mathbb R^d$ and $G_t$ is $K d \times K d$: for $K = 2$, $d = 1$ a number and a $2 \times 2$ matrix",
        r"$\lVert I_K \otimes x_s \rVert_{G_t^{-1}}$, $I_K \otimes x^\top$",
    ),
)

NAMES: tuple[Name, ...] = (
    Name(
        "Proof of Lemma 1", (912, 913), "the transpose of $I_K \\otimes x$ in a norm of $V_\\tau^{-1}$", "$I_K \\otimes x$"
    ),
    Name(
        "Proof of Lemma 1", (914, 914), "Proposition 3 and symmetry", "the definition of Theta and the triangle inequality"
    ),
    Name("Proof of Lemma 1", (920, 920), "lemma 10 of Abbasi-Yadkori et al.", "lemma 11"),
)
