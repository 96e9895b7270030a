(* Claim C040, Appendix B.1, last display: two logits -r and K - 2 logits r, r = S X, have the smallest pair of probabilities.
   As printed it fails at K = 2, where the only pair has probability 1; as corrected it holds from K = 4 on. *)
Require Import Reals Psatz.
From Interval Require Import Tactic.
Open Scope R_scope.

Theorem C040_printed : 4 / (2 * (1 + exp (2 * 1))) < 2 * exp (- 1) / (2 * exp (- 1) + (2 - 2) * exp 1).
Proof.
  replace (2 * exp (- 1) / (2 * exp (- 1) + (2 - 2) * exp 1)) with 1 by (field; pose proof (exp_pos (- 1)); lra).
  interval with (i_prec 60).
Qed.

Theorem C040_same : forall K r : R, 0 < K ->
  4 / (K * (1 + exp (2 * r))) = 2 * exp (- r) / (K / 2 * exp (- r) + K / 2 * exp r).
Proof.
  intros K r HK.
  pose proof (exp_pos r) as P.
  replace (2 * r) with (r + r) by ring.
  rewrite exp_plus, exp_Ropp.
  field. repeat split; nra.
Qed.

Theorem C040 : forall K r : R, 4 <= K -> 0 <= r ->
  2 * exp (- r) / (2 * exp (- r) + (K - 2) * exp r) <= 4 / (K * (1 + exp (2 * r))).
Proof.
  intros K r HK Hr.
  pose proof (exp_pos r) as P.
  assert (H1 : 1 <= exp r) by (apply Rle_trans with (1 + r); [lra | apply exp_ineq1_le]).
  replace (2 * r) with (r + r) by ring.
  rewrite exp_plus, exp_Ropp.
  set (q := exp r) in *.
  assert (Hq : 1 <= q * q) by nra.
  assert (HL : 2 * / q / (2 * / q + (K - 2) * q) = 2 / (2 + (K - 2) * (q * q))).
  { field. repeat split; nra. }
  rewrite HL.
  apply Rmult_le_reg_r with ((2 + (K - 2) * (q * q)) * (K * (1 + q * q))).
  { apply Rmult_lt_0_compat; nra. }
  replace (2 / (2 + (K - 2) * (q * q)) * ((2 + (K - 2) * (q * q)) * (K * (1 + q * q)))) with (2 * (K * (1 + q * q)))
    by (field; nra).
  replace (4 / (K * (1 + q * q)) * ((2 + (K - 2) * (q * q)) * (K * (1 + q * q)))) with (4 * (2 + (K - 2) * (q * q)))
    by (field; split; nra).
  nra.
Qed.
