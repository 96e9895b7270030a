(* Claim C162, proof of Theorem 1, Step 6, K = 2: what a round's 2 eps_1 needs of the factor e,
   as 1/(1 + cosh (sqrt 2 s)) is the curvature at logits of norm s, and the diameter of Theta is 1/sqrt 6. *)
Require Import Reals Psatz.
From Interval Require Import Tactic.
Open Scope R_scope.

Theorem C162 : forall s a : R, 0 <= s -> 0 <= a <= 1 ->
  2 * sqrt ((1 + cosh (sqrt 2 * (s + a / sqrt 6))) / (1 + cosh (sqrt 2 * s))) <= exp 1.
Proof.
  intros s a Hs Ha.
  set (u := sqrt 2 * s).
  set (h := sqrt 2 * (a / sqrt 6)).
  replace (sqrt 2 * (s + a / sqrt 6)) with (u + h) by (unfold u, h; ring).
  destruct Ha as [Ha Hb].
  assert (Hh : 0 <= h <= 0.578) by (unfold h; split; [| interval];
    apply Rmult_le_pos; [apply sqrt_pos |]; apply Rmult_le_pos; [exact Ha | left; apply Rinv_0_lt_compat; interval]).
  assert (H2 : exp h <= exp 0.578).
  { destruct (Rle_lt_or_eq_dec h 0.578 (proj2 Hh)) as [L | E].
    - left. apply exp_increasing. exact L.
    - right. rewrite E. reflexivity. }
  assert (H1 : 1 <= exp h) by (apply Rle_trans with (1 + h); [lra | apply exp_ineq1_le]).
  assert (Hc : 1 + cosh (u + h) <= exp h * (1 + cosh u)).
  { unfold cosh. rewrite Ropp_plus_distr, !exp_plus, (exp_Ropp h).
    assert (Hi : / exp h <= exp h).
    { apply Rle_trans with 1; [rewrite <- Rinv_1; apply Rinv_le_contravar; lra | exact H1]. }
    pose proof (exp_pos (- u)). nra. }
  assert (Hd : 0 < 1 + cosh u).
  { unfold cosh. pose proof (exp_pos u). pose proof (exp_pos (- u)). lra. }
  apply Rle_trans with (2 * sqrt (exp 0.578)).
  - apply Rmult_le_compat_l; [lra |]. apply sqrt_le_1_alt.
    apply Rle_trans with (exp h); [| exact H2].
    apply Rmult_le_reg_r with (1 + cosh u); [exact Hd |].
    replace ((1 + cosh (u + h)) / (1 + cosh u) * (1 + cosh u)) with (1 + cosh (u + h)) by (field; lra).
    exact Hc.
  - interval.
Qed.
