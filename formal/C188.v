(* Claim C188, auxiliary results: first-order optimality along a segment; phi h = f (x_0 + h (y - x_0)) for a minimiser x_0 of f
   on a convex set, and D = grad f(x_0)^T (y - x_0) is the derivative of phi at 0. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C188 : forall (phi : R -> R) (D : R), (forall h : R, 0 < h <= 1 -> phi 0 <= phi h) -> derivable_pt_lim phi 0 D -> 0 <= D.
Proof.
  intros phi D Hmin Hder.
  destruct (Rle_lt_dec 0 D) as [L | N]; [exact L |].
  exfalso.
  destruct (Hder (- D)) as [[delta Hdelta] Hlim]; [lra |].
  set (h := Rmin (delta / 2) 1).
  assert (Hh : 0 < h <= 1).
  { unfold h. split; [apply Rmin_glb_lt; lra | apply Rmin_r]. }
  assert (Hd : Rabs h < delta).
  { rewrite Rabs_pos_eq by lra. apply Rle_lt_trans with (delta / 2); [apply Rmin_l | lra]. }
  assert (Hn : h <> 0) by lra.
  pose proof (Hlim h Hn Hd) as Hq.
  rewrite Rplus_0_l in Hq.
  pose proof (Hmin h Hh) as Hm.
  apply Rabs_def2 in Hq.
  assert (0 <= (phi h - phi 0) / h).
  { apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]. }
  lra.
Qed.
