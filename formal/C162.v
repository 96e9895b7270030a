(* Claim C162, proof of Theorem 1, Step 6, K = 2: what a round's 2 eps_1 needs of the factor e,
   as 1/(1 + cosh (sqrt 2 s)) is the curvature at logits of norm s, and the diameter of Theta is 1/sqrt 6. *)
Require Import Reals Psatz.
From Interval Require Import Tactic.
Open Scope R_scope.

Theorem C162 : forall s a : R, -1 <= a <= 1 ->
  2 * sqrt ((1 + cosh (sqrt 2 * (s + a / sqrt 6))) / (1 + cosh (sqrt 2 * s))) <= exp 1.
Proof.
  intros s a [Ha Hb].
  set (u := sqrt 2 * s).
  set (h := sqrt 2 * (a / sqrt 6)).
  replace (sqrt 2 * (s + a / sqrt 6)) with (u + h) by (unfold u, h; ring).
  assert (mono : forall x y, x <= y -> exp x <= exp y).
  { intros x y [L | E]; [left; apply exp_increasing; exact L | right; rewrite E; reflexivity]. }
  assert (Hh : - 0.578 <= h <= 0.578) by (unfold h; split; interval with (i_prec 60)).
  set (g := exp 0.578).
  assert (H1 : exp h <= g) by (apply mono; lra).
  assert (H2 : exp (- h) <= g) by (apply mono; lra).
  assert (H3 : 1 <= g) by (unfold g; interval with (i_prec 60)).
  assert (Hc : 1 + cosh (u + h) <= g * (1 + cosh u)).
  { unfold cosh. rewrite Ropp_plus_distr, !exp_plus.
    pose proof (exp_pos u). pose proof (exp_pos (- u)). nra. }
  assert (Hd : 0 < 1 + cosh u).
  { unfold cosh. pose proof (exp_pos u). pose proof (exp_pos (- u)). lra. }
  apply Rle_trans with (2 * sqrt g).
  - apply Rmult_le_compat_l; [lra |]. apply sqrt_le_1_alt.
    apply Rmult_le_reg_r with (1 + cosh u); [exact Hd |].
    replace ((1 + cosh (u + h)) / (1 + cosh u) * (1 + cosh u)) with (1 + cosh (u + h)) by (field; lra).
    exact Hc.
  - unfold g. interval with (i_prec 60).
Qed.
