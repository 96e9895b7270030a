(* Claim C043, Appendix B.2: the mean reward, times sqrt (K + 3), of a unit vector whose first entry is x, against that of e_1; m is
   the corner of the matrix. The rewards are (2, 1, ..., 1) over sqrt (K + 3), of norm 1. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C043_norm : forall K : R, 2 <= K -> (2 ^ 2 + (K - 1) * 1 ^ 2) / sqrt (K + 3) ^ 2 = 1.
Proof.
  intros K HK.
  replace (sqrt (K + 3) ^ 2) with (sqrt (K + 3) * sqrt (K + 3)) by ring.
  rewrite sqrt_sqrt by lra. field. lra.
Qed.

Theorem C043 : forall K m x : R, 2 <= K -> 0 <= m -> x <= 1 ->
  1 + (2 - 1) * (1 / (1 + (K - 1) * exp (- x * m))) <= 1 + (2 - 1) * (1 / (1 + (K - 1) * exp (- m))).
Proof.
  intros K m x HK Hm Hx.
  pose proof (exp_pos (- m)) as P.
  assert (H : exp (- m) <= exp (- x * m)).
  { assert (L : - m <= - x * m) by nra.
    destruct L as [L | E]; [left; apply exp_increasing; exact L | right; f_equal; exact E]. }
  apply Rplus_le_compat_l, Rmult_le_compat_l; [lra |].
  unfold Rdiv. apply Rmult_le_compat_l; [lra |].
  apply Rinv_le_contravar; [nra |].
  apply Rplus_le_compat_l, Rmult_le_compat_l; lra.
Qed.
