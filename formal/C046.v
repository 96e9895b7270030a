(* Claim C046, Appendix B.2: 1/kappa_* of the example against 2 mu_2 mu_1; m is the corner of its matrix. C046_half: half of that
   is a bound too. *)
Require Import Reals Psatz.
Open Scope R_scope.

Lemma bound_with : forall c K m : R, 1 <= c -> 2 <= K ->
  (K - 1) / (K + 3) * (exp (- m) / ((K - 1) * exp (- m) + 1) ^ 2)
    <= c * (exp (- m) / ((K - 1) * exp (- m) + 1)) * (1 / ((K - 1) * exp (- m) + 1)).
Proof.
  intros c K m Hc HK.
  pose proof (exp_pos (- m)) as P.
  set (a := exp (- m)) in *.
  assert (Hx : 0 < (K - 1) * a + 1) by nra.
  set (x := (K - 1) * a + 1) in *.
  replace (c * (a / x) * (1 / x)) with (c * (a / x ^ 2)) by (field; lra).
  apply Rmult_le_compat_r.
  - left. apply Rdiv_lt_0_compat; [exact P | apply pow_lt; exact Hx].
  - apply Rmult_le_reg_r with (K + 3); [lra |].
    replace ((K - 1) / (K + 3) * (K + 3)) with (K - 1) by (field; lra). nra.
Qed.

Theorem C046 : forall K m : R, 2 <= K ->
  (K - 1) / (K + 3) * (exp (- m) / ((K - 1) * exp (- m) + 1) ^ 2)
    <= 2 * (exp (- m) / ((K - 1) * exp (- m) + 1)) * (1 / ((K - 1) * exp (- m) + 1)).
Proof.
  intros K m HK. apply bound_with; lra.
Qed.

Theorem C046_half : forall K m : R, 2 <= K ->
  (K - 1) / (K + 3) * (exp (- m) / ((K - 1) * exp (- m) + 1) ^ 2)
    <= 1 * (exp (- m) / ((K - 1) * exp (- m) + 1)) * (1 / ((K - 1) * exp (- m) + 1)).
Proof.
  intros K m HK. apply bound_with; lra.
Qed.
