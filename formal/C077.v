(* Claim C077, proof of Theorem 2, Step 3, self-concordance of the sigmoid from above: on the left its mean slope between b and
   b + g, which is the integral of the paper. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C077 : forall b g : R, 0 < Rabs g ->
  (1 / (1 + exp (- (b + g))) - 1 / (1 + exp (- b))) / g <= 1 / (2 + 2 * cosh b) * exp (1 * Rabs g).
Proof.
  intros b g Habs.
  assert (Hg : g <> 0) by (intro Z; rewrite Z, Rabs_R0 in Habs; lra).
  assert (PE : 0 < exp b) by apply exp_pos.
  assert (PG : 0 < exp g) by apply exp_pos.
  assert (Hgap : 1 + g <= exp g) by apply exp_ineq1_le.
  assert (Hback : exp g * (1 - g) <= 1).
  { apply Rle_trans with (exp g * / exp g); [| right; apply Rinv_r; lra].
    apply Rmult_le_compat_l; [lra |]. rewrite <- exp_Ropp. pose proof (exp_ineq1_le (- g)). lra. }
  assert (Hs : 1 / (2 + 2 * cosh b) = exp b / (1 + exp b) ^ 2).
  { unfold cosh. rewrite exp_Ropp. field. split; nra. }
  rewrite Hs, Rmult_1_l.
  replace (1 / (1 + exp (- (b + g))) - 1 / (1 + exp (- b)))
    with (exp b / (1 + exp b) ^ 2 * ((exp g - 1) * ((1 + exp b) / (1 + exp b * exp g)))).
  2: { rewrite !exp_Ropp, exp_plus. field. repeat split; nra. }
  set (E := exp b) in *.
  assert (PS : 0 < E / (1 + E) ^ 2).
  { apply Rdiv_lt_0_compat; [exact PE |]. apply pow_lt. lra. }
  assert (HEG : 0 < 1 + E * exp g) by nra.
  assert (Key : (exp g - 1) * ((1 + E) / (1 + E * exp g)) / g <= exp (Rabs g)).
  { destruct (Rtotal_order g 0) as [Neg | [Z | Pos]]; [| contradiction |].
    - rewrite Rabs_left, exp_Ropp by exact Neg.
      assert (HG1 : exp g <= 1).
      { rewrite <- exp_0. left. apply exp_increasing. exact Neg. }
      set (G := exp g) in *.
      apply Rmult_le_reg_r with (- g * G * (1 + E * G)).
      { apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra | exact HEG]. }
      replace ((G - 1) * ((1 + E) / (1 + E * G)) / g * (- g * G * (1 + E * G))) with ((1 - G) * (G * (1 + E)))
        by (field; lra).
      replace (/ G * (- g * G * (1 + E * G))) with (- g * (1 + E * G)) by (field; lra).
      apply Rmult_le_compat; nra.
    - rewrite Rabs_pos_eq by lra.
      set (G := exp g) in *.
      apply Rmult_le_reg_r with (g * (1 + E * G)); [apply Rmult_lt_0_compat; lra |].
      replace ((G - 1) * ((1 + E) / (1 + E * G)) / g * (g * (1 + E * G))) with ((G - 1) * (1 + E)) by (field; lra).
      replace (G * (g * (1 + E * G))) with ((G * g) * (1 + E * G)) by ring.
      apply Rmult_le_compat; nra. }
  unfold Rdiv in *.
  replace (E * / (1 + E) ^ 2 * ((exp g - 1) * ((1 + E) * / (1 + E * exp g))) * / g)
    with (E * / (1 + E) ^ 2 * ((exp g - 1) * ((1 + E) * / (1 + E * exp g)) * / g)) by ring.
  apply Rmult_le_compat_l; lra.
Qed.
