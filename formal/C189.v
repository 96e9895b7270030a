(* Claim C189, Freedman's inequality: the exponential of y = eta X_s. exp (- y) (1 + y + (e - 2) y^2) is 1 at 0 and at 1, and its
   derivative exp (- y) y (2 c - 1 - c y), c = e - 2, is negative before 0, positive up to (2 c - 1)/c and negative after it. *)
Require Import Reals Psatz.
From Interval Require Import Tactic.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

Theorem C189 : forall y : R, -1 <= y <= 1 -> exp y <= 1 + y + (exp 1 - 2) * y ^ 2.
Proof.
  intros y Hy.
  set (c := exp 1 - 2).
  assert (Hc : 0.71 < c < 0.72) by (unfold c; split; interval with (i_prec 60)).
  set (F := fun v => exp (- v) * (1 + v + c * v ^ 2)).
  set (G := fun v => exp (- v) * (v * (2 * c - 1 - c * v))).
  assert (Hder : forall v, is_derive F v (G v)).
  { intro v. unfold F, G. auto_derive; [exact I |]. ring. }
  assert (H0 : F 0 = 1) by (unfold F; rewrite Ropp_0, exp_0; ring).
  assert (H1 : F 1 = 1).
  { unfold F, c. rewrite exp_Ropp. pose proof (exp_pos 1). field. lra. }
  assert (Mean : forall a b, a < b -> exists v, a <= v <= b /\ F b - F a = G v * (b - a)).
  { intros a b Hab.
    destruct (MVT_gen F a b G) as [v [Hv Hf]].
    - intros v _. apply Hder.
    - intros v _. apply derivable_continuous_pt. exists (G v). apply is_derive_Reals, Hder.
    - rewrite Rmin_left, Rmax_right in Hv by lra. exists v. split; [exact Hv | exact Hf]. }
  assert (HF : 1 <= F y).
  { destruct (Rle_lt_dec y 0) as [Neg | Pos].
    - destruct (Req_dec y 0) as [E | N]; [rewrite E; lra |].
      destruct (Mean y 0) as [v [Hv Hf]]; [lra |].
      assert (G v <= 0); [| nra].
      unfold G. pose proof (exp_pos (- v)). assert (v * (2 * c - 1 - c * v) <= 0) by nra. nra.
    - destruct (Rle_lt_dec (c * y) (2 * c - 1)) as [Left | Right].
      + destruct (Mean 0 y) as [v [Hv Hf]]; [lra |].
        assert (0 <= G v); [| nra].
        unfold G. pose proof (exp_pos (- v)). apply Rmult_le_pos; [lra |].
        assert (c * v <= c * y) by (apply Rmult_le_compat_l; lra). apply Rmult_le_pos; lra.
      + destruct (Req_dec y 1) as [E | N]; [rewrite E; lra |].
        destruct (Mean y 1) as [v [Hv Hf]]; [lra |].
        assert (G v <= 0); [| nra].
        unfold G. pose proof (exp_pos (- v)).
        assert (c * y <= c * v) by (apply Rmult_le_compat_l; lra).
        assert (v * (2 * c - 1 - c * v) <= v * 0) by (apply Rmult_le_compat_l; lra). nra. }
  unfold F in HF. rewrite exp_Ropp in HF.
  pose proof (exp_pos y) as P.
  apply Rmult_le_reg_l with (/ exp y); [apply Rinv_0_lt_compat; exact P |].
  rewrite Rinv_l by lra. exact HF.
Qed.
