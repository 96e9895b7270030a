(* Claim C065, proof of Theorem 2, Steps 1 and 4, self-concordance of the sigmoid from below: on the right its mean slope between
   b and b + g, which is the integral of the paper. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C065 : forall b g : R, 0 < Rabs g ->
  1 / (2 + 2 * cosh b) / (1 + 1 * Rabs g) <= (1 / (1 + exp (- (b + g))) - 1 / (1 + exp (- b))) / g.
Proof.
  intros b g Habs.
  assert (Hg : g <> 0) by (intro Z; rewrite Z, Rabs_R0 in Habs; lra).
  assert (PE : 0 < exp b) by apply exp_pos.
  assert (PG : 0 < exp g) by apply exp_pos.
  assert (Hgap : 1 + g <= exp g) by apply exp_ineq1_le.
  assert (Hback : 1 - g <= / exp g).
  { rewrite <- exp_Ropp. pose proof (exp_ineq1_le (- g)). lra. }
  assert (Hs : 1 / (2 + 2 * cosh b) = exp b / (1 + exp b) ^ 2).
  { unfold cosh. rewrite exp_Ropp. field. split; nra. }
  rewrite Hs, Rmult_1_l.
  replace (1 / (1 + exp (- (b + g))) - 1 / (1 + exp (- b)))
    with (exp b / (1 + exp b) ^ 2 * ((exp g - 1) * ((1 + exp b) / (1 + exp b * exp g)))).
  2: { rewrite !exp_Ropp, exp_plus. field. repeat split; nra. }
  set (E := exp b) in *. set (G := exp g) in *.
  unfold Rdiv at 1 4. rewrite Rmult_assoc.
  replace (/ (1 + E) ^ 2 * / (1 + Rabs g)) with (/ (1 + E) ^ 2 * (/ (1 + Rabs g))) by ring.
  assert (PS : 0 < E * / (1 + E) ^ 2).
  { apply Rmult_lt_0_compat; [exact PE |]. apply Rinv_0_lt_compat, pow_lt. lra. }
  rewrite <- Rmult_assoc.
  assert (Key : / (1 + Rabs g) <= (G - 1) * ((1 + E) / (1 + E * G)) / g).
  { assert (HEG : 0 < 1 + E * G) by nra.
    destruct (Rtotal_order g 0) as [Neg | [Z | Pos]]; [| contradiction |].
    - rewrite Rabs_left by exact Neg.
      assert (HG1 : G <= 1).
      { unfold G. rewrite <- exp_0. left. apply exp_increasing. exact Neg. }
      assert (HGi : G * (1 - g) <= 1).
      { apply Rle_trans with (G * / G); [apply Rmult_le_compat_l; lra | right; apply Rinv_r; lra]. }
      apply Rmult_le_reg_r with ((1 + - g) * (1 + E * G)); [apply Rmult_lt_0_compat; lra |].
      replace (/ (1 + - g) * ((1 + - g) * (1 + E * G))) with (1 + E * G) by (field; lra).
      apply Rmult_le_reg_r with (- g); [lra |].
      replace ((G - 1) * ((1 + E) / (1 + E * G)) / g * ((1 + - g) * (1 + E * G)) * - g)
        with ((1 - G) * (1 + E) * (1 - g)) by (field; lra).
      assert (H1 : - g <= (1 - G) * (1 - g)) by lra.
      apply Rle_trans with ((1 + E) * - g).
      + apply Rmult_le_compat_r; [lra |]. nra.
      + replace ((1 - G) * (1 + E) * (1 - g)) with ((1 + E) * ((1 - G) * (1 - g))) by ring.
        apply Rmult_le_compat_l; lra.
    - rewrite Rabs_pos_eq by lra.
      apply Rmult_le_reg_r with ((1 + g) * (1 + E * G)); [apply Rmult_lt_0_compat; lra |].
      replace (/ (1 + g) * ((1 + g) * (1 + E * G))) with (1 + E * G) by (field; lra).
      apply Rmult_le_reg_r with g; [exact Pos |].
      replace ((G - 1) * ((1 + E) / (1 + E * G)) / g * ((1 + g) * (1 + E * G)) * g)
        with ((G - 1) * (1 + E) * (1 + g)) by (field; lra).
      assert (H1 : G * g <= (G - 1) * (1 + g)) by lra.
      apply Rle_trans with ((1 + E) * (G * g)).
      + assert (1 + E * G <= (1 + E) * G) by lra. nra.
      + replace ((G - 1) * (1 + E) * (1 + g)) with ((1 + E) * ((G - 1) * (1 + g))) by ring.
        apply Rmult_le_compat_l; lra. }
  unfold Rdiv in *.
  replace (E * / (1 + E) ^ 2 * ((G - 1) * ((1 + E) * / (1 + E * G))) * / g)
    with (E * / (1 + E) ^ 2 * ((G - 1) * ((1 + E) * / (1 + E * G)) * / g)) by ring.
  apply Rmult_le_compat_l; lra.
Qed.
