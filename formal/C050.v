(* Claim C050, Appendix B.2, last display: the root of 1/kappa_*, where a = exp (- m) is at most exp (- S). *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C050 : forall K S m : R, 2 <= K -> 0 < S -> m = S * sqrt (K / (K - 1)) ->
  sqrt ((K - 1) / (K + 3) * (exp (- m) / ((K - 1) * exp (- m) + 1) ^ 2)) <= sqrt 2 * exp (- S / 2).
Proof.
  intros K S m HK HS Hm.
  assert (HSm : S <= m).
  { assert (1 <= sqrt (K / (K - 1))); [| nra].
    rewrite <- sqrt_1 at 1. apply sqrt_le_1_alt.
    apply Rmult_le_reg_r with (K - 1); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (Ha : exp (- m) <= exp (- S)).
  { destruct HSm as [L | E]; [left; apply exp_increasing; lra | rewrite E; lra]. }
  set (a := exp (- m)) in *. set (b := exp (- S)) in *.
  assert (Pa : 0 < a) by apply exp_pos.
  replace (sqrt 2 * exp (- S / 2)) with (sqrt (2 * b)).
  - apply sqrt_le_1_alt.
    assert (Hx : 1 <= (K - 1) * a + 1) by nra.
    set (x := (K - 1) * a + 1) in *.
    assert (Px : 1 <= x ^ 2) by nra.
    apply Rmult_le_reg_r with ((K + 3) * x ^ 2); [apply Rmult_lt_0_compat; lra |].
    replace ((K - 1) / (K + 3) * (a / x ^ 2) * ((K + 3) * x ^ 2)) with ((K - 1) * a) by (field; split; lra).
    apply Rle_trans with (2 * b * (K + 3)); [nra |].
    replace (2 * b * (K + 3)) with (2 * b * ((K + 3) * 1)) by ring.
    apply Rmult_le_compat_l; [lra |]. apply Rmult_le_compat_l; lra.
  - rewrite sqrt_mult by lra. f_equal.
    assert (E : b = exp (- S / 2) * exp (- S / 2)) by (unfold b; rewrite <- exp_plus; f_equal; field).
    rewrite E. apply sqrt_square. left. apply exp_pos.
Qed.
