(* Claim C049, Appendix B.2, end: 1/kappa_* of the example is exponentially small; kappa_* itself is not, at K = 2 and S = 1. *)
Require Import Reals Psatz.
From Interval Require Import Tactic.
Open Scope R_scope.

Theorem C049_printed : exp (- 1) < 1 / ((2 - 1) / (2 + 3) * (exp (- sqrt 2) / ((2 - 1) * exp (- sqrt 2) + 1) ^ 2)).
Proof.
  interval with (i_prec 60).
Qed.

Theorem C049 : forall K S m : R, 2 <= K -> 0 < S -> m = S * sqrt (K / (K - 1)) ->
  (K - 1) / (K + 3) * (exp (- m) / ((K - 1) * exp (- m) + 1) ^ 2) <= exp (- 1 * S).
Proof.
  intros K S m HK HS Hm.
  replace (- 1 * S) with (- S) by ring.
  assert (HSm : S <= m).
  { assert (1 <= sqrt (K / (K - 1))); [| nra].
    rewrite <- sqrt_1 at 1. apply sqrt_le_1_alt.
    apply Rmult_le_reg_r with (K - 1); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (Ha : exp (- m) <= exp (- S)).
  { destruct HSm as [L | E]; [left; apply exp_increasing; lra | rewrite E; lra]. }
  set (a := exp (- m)) in *. set (b := exp (- S)) in *.
  assert (Pa : 0 < a) by apply exp_pos.
  assert (Hx : 1 <= (K - 1) * a + 1) by nra.
  set (x := (K - 1) * a + 1) in *.
  assert (Px : 1 <= x ^ 2) by nra.
  apply Rmult_le_reg_r with ((K + 3) * x ^ 2); [apply Rmult_lt_0_compat; lra |].
  replace ((K - 1) / (K + 3) * (a / x ^ 2) * ((K + 3) * x ^ 2)) with ((K - 1) * a) by (field; split; lra).
  apply Rle_trans with (b * (K + 3)); [nra |].
  replace (b * (K + 3)) with (b * ((K + 3) * 1)) by ring.
  apply Rmult_le_compat_l; [lra |]. apply Rmult_le_compat_l; lra.
Qed.
