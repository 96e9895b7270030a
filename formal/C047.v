(* Claim C047, Appendix B.2: the corner m of the matrix for which ||Pi M|| = S; at K = 2 and S = 1 the two sides that
   are printed equal, at m and at S, differ. *)
Require Import Reals Psatz.
From Interval Require Import Tactic.
Open Scope R_scope.

Theorem C047_printed :
  2 * (exp (- sqrt (2 / (2 - 1))) / ((2 - 1) * exp (- sqrt (2 / (2 - 1))) + 1)) * (1 / ((2 - 1) * exp (- sqrt (2 / (2 - 1))) + 1))
    < 2 * (exp (- 1) / ((2 - 1) * exp (- 1) + 1)) * (1 / ((2 - 1) * exp (- 1) + 1)).
Proof.
  interval with (i_prec 60).
Qed.

Theorem C047 : forall K S m : R, 2 <= K -> 0 < S -> m = S * sqrt (K / (K - 1)) ->
  sqrt ((m * (K - 1) / K) ^ 2 + (K - 1) * (m / K) ^ 2) = S.
Proof.
  intros K S m HK HS Hm.
  assert (H : sqrt (K / (K - 1)) * sqrt (K / (K - 1)) = K / (K - 1)).
  { apply sqrt_sqrt. left. apply Rdiv_lt_0_compat; lra. }
  replace ((m * (K - 1) / K) ^ 2 + (K - 1) * (m / K) ^ 2) with (S * S).
  - apply sqrt_square. lra.
  - replace ((m * (K - 1) / K) ^ 2 + (K - 1) * (m / K) ^ 2) with (m * m * ((K - 1) / K)) by (field; lra).
    rewrite Hm.
    replace (S * sqrt (K / (K - 1)) * (S * sqrt (K / (K - 1)))) with (S * S * (sqrt (K / (K - 1)) * sqrt (K / (K - 1)))) by ring.
    rewrite H. field. lra.
Qed.
