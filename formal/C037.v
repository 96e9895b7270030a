(* Claim C037, Appendix B.1: the smallest probability; z is its logit, `others` the sum of exp over the K - 1 other logits,
   each of which is at most exp r, r = S X. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C037 : forall K r z others : R, 2 <= K -> 0 <= r -> - r <= z -> 0 < others -> z <= r -> others <= (K - 1) * exp r ->
  exp (- r) / (K * exp r) <= exp z / (exp z + others).
Proof.
  intros K r z others HK Hr Hz Ho Hzr Hot.
  assert (mono : forall x y, x <= y -> exp x <= exp y).
  { intros x y [L | E]; [left; apply exp_increasing; exact L | right; rewrite E; reflexivity]. }
  pose proof (exp_pos z) as Pz. pose proof (exp_pos r) as Pr. pose proof (exp_pos (- r)) as Pm.
  pose proof (mono _ _ Hz) as Lz. pose proof (mono _ _ Hzr) as Lr.
  apply Rmult_le_reg_r with ((K * exp r) * (exp z + others)).
  { apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra | lra]. }
  replace (exp (- r) / (K * exp r) * (K * exp r * (exp z + others))) with (exp (- r) * (exp z + others))
    by (field; split; lra).
  replace (exp z / (exp z + others) * (K * exp r * (exp z + others))) with (exp z * (K * exp r)) by (field; lra).
  apply Rle_trans with (exp (- r) * (K * exp r)).
  - apply Rmult_le_compat_l; nra.
  - apply Rmult_le_compat_r; nra.
Qed.

Theorem C037_equal : forall K r : R, 2 <= K -> exp (- r) / (K * exp r) = 1 / K * exp (- (2 * r)).
Proof.
  intros K r HK.
  replace (- (2 * r)) with (- r + - r) by ring.
  rewrite exp_plus, exp_Ropp. pose proof (exp_pos r). field. split; lra.
Qed.
