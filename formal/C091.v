(* Claim C091, proof of Theorem 2, Step 6, last display: the exponent, kappa for kappa_*. *)
Require Import Reals Psatz.
From Interval Require Import Tactic.
Open Scope R_scope.

Theorem C091 : forall c K d kappa T : R, 0 <= c -> 2 <= K -> 2 <= d -> 0 < kappa -> d ^ 2 * kappa <= T ->
  exp (2 * sqrt c / sqrt (K + 3) * sqrt (sqrt (kappa / T))) <= exp (sqrt c).
Proof.
  intros c K d kappa T Hc HK Hd Hk HT.
  assert (Hd2 : 4 <= d ^ 2) by nra.
  assert (HdT : 4 * kappa <= T) by (apply Rle_trans with (d ^ 2 * kappa); [apply Rmult_le_compat_r; lra | exact HT]).
  assert (Hq : sqrt (kappa / T) <= 1 / 2).
  { replace (1 / 2) with (sqrt (1 / 4)).
    - apply sqrt_le_1_alt. apply Rmult_le_reg_r with T; [lra |].
      unfold Rdiv. rewrite (Rmult_assoc kappa), Rinv_l by lra. lra.
    - replace (1 / 4) with ((1 / 2) * (1 / 2)) by field. apply sqrt_square. lra. }
  assert (Hr : sqrt (sqrt (kappa / T)) <= sqrt (1 / 2)) by (apply sqrt_le_1_alt; exact Hq).
  assert (Hw : sqrt 5 <= sqrt (K + 3)) by (apply sqrt_le_1_alt; lra).
  assert (Hn : 2 * sqrt (1 / 2) <= sqrt 5) by interval with (i_prec 60).
  assert (H5 : 0 < sqrt 5) by interval with (i_prec 60).
  pose proof (sqrt_pos c) as Pc.
  assert (Le : 2 * sqrt c / sqrt (K + 3) * sqrt (sqrt (kappa / T)) <= sqrt c).
  { apply Rmult_le_reg_r with (sqrt (K + 3)); [lra |].
    replace (2 * sqrt c / sqrt (K + 3) * sqrt (sqrt (kappa / T)) * sqrt (K + 3))
      with (sqrt c * (2 * sqrt (sqrt (kappa / T)))) by (field; lra).
    apply Rmult_le_compat_l; lra. }
  destruct Le as [L | E]; [left; apply exp_increasing; exact L | right; rewrite E; reflexivity].
Qed.
