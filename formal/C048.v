(* Claim C048, Appendix B.2, last computation: 1/kappa_* of the example, m the corner of its matrix, against the printed bound. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C048_last : forall K S : R, 2 <= K -> 2 * (exp (- S) / ((K - 1) * exp (- S) + 1) ^ 2) <= 2 * exp (- S).
Proof.
  intros K S HK.
  pose proof (exp_pos (- S)) as P.
  set (b := exp (- S)) in *.
  assert (Hy : 1 <= (K - 1) * b + 1) by nra.
  set (y := (K - 1) * b + 1) in *.
  assert (Py : 1 <= y ^ 2) by nra.
  apply Rmult_le_compat_l; [lra |].
  apply Rmult_le_reg_r with (y ^ 2); [lra |].
  replace (b / y ^ 2 * y ^ 2) with b by (field; lra). nra.
Qed.

Theorem C048 : forall K S m : R, 2 <= K -> 0 < S -> m = S * sqrt (K / (K - 1)) ->
  (K - 1) / (K + 3) * (exp (- m) / ((K - 1) * exp (- m) + 1) ^ 2) <= 2 * (exp (- S) / ((K - 1) * exp (- S) + 1) ^ 2).
Proof.
  intros K S m HK HS Hm.
  set (n := K - 1).
  assert (Hn : 1 <= n) by (unfold n; lra).
  replace (K + 3) with (n + 4) by (unfold n; ring).
  set (a := exp (- m)). set (b := exp (- S)).
  assert (Pa : 0 < a) by apply exp_pos.
  assert (Pb : 0 < b) by apply exp_pos.
  assert (Hr : 0 <= n * (m - S) <= S / 2 /\ S <= m).
  { set (r := sqrt (K / (K - 1))) in *.
    assert (Hq : K / (K - 1) = 1 + / n) by (unfold n; field; lra).
    assert (Hi : 0 < / n) by (apply Rinv_0_lt_compat; lra).
    assert (Hni : n * / n = 1) by (apply Rinv_r; lra).
    assert (Hr2 : r * r = 1 + / n) by (unfold r; rewrite sqrt_sqrt; lra).
    assert (Hr0 : 0 <= r) by apply sqrt_pos.
    assert (Hr1 : 1 <= r) by nra.
    assert (Hr3 : r <= 1 + / n / 2) by nra.
    assert (Hr4 : n * (r - 1) <= 1 / 2).
    { apply Rle_trans with (n * (/ n / 2)); [apply Rmult_le_compat_l; lra | lra]. }
    assert (Hr5 : 0 <= n * (r - 1)) by (apply Rmult_le_pos; lra).
    replace (n * (m - S)) with (S * (n * (r - 1))) by (rewrite Hm; ring).
    rewrite Hm. repeat split; nra. }
  destruct Hr as [[Hr0 Hr1] HSm].
  (* a = b e^{-(m - S)} >= b (1 - (m - S)) *)
  assert (Hab : b * (1 - (m - S)) <= a).
  { replace a with (b * exp (- (m - S))) by (unfold a, b; rewrite <- exp_plus; f_equal; ring).
    apply Rmult_le_compat_l; [lra |]. pose proof (exp_ineq1_le (- (m - S))). lra. }
  assert (Hba : a <= b).
  { unfold a, b. destruct HSm as [L | E]; [left; apply exp_increasing; lra | rewrite E; lra]. }
  (* S b <= 1/2, as e^S >= 2 S *)
  assert (HSb : S * b <= 1 / 2).
  { assert (He : 2 * S <= exp S).
    { replace S with (S / 2 + S / 2) at 2 by field. rewrite exp_plus.
      pose proof (exp_ineq1_le (S / 2)) as Hh.
      assert ((1 + S / 2) * (1 + S / 2) <= exp (S / 2) * exp (S / 2)) by (apply Rmult_le_compat; lra).
      pose proof (pow2_ge_0 (1 - S / 2)). nra. }
    unfold b. rewrite exp_Ropp. pose proof (exp_pos S).
    apply Rmult_le_reg_r with (exp S); [lra |].
    rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (Hnb : n * b + 1 <= (n * a + 1) * (5 / 4)).
  { assert (n * b - n * a <= 1 / 4); [| nra].
    apply Rle_trans with (b * (n * (m - S))).
    - assert (0 <= n * (a - b * (1 - (m - S)))) by (apply Rmult_le_pos; lra). lra.
    - apply Rle_trans with (b * (S / 2)); [apply Rmult_le_compat_l; lra | lra]. }
  set (x := n * a + 1) in *. set (y := n * b + 1) in *.
  assert (Hx : 1 <= x) by (unfold x; nra).
  assert (Hy : 1 <= y) by (unfold y; nra).
  apply Rmult_le_reg_r with ((n + 4) * (x ^ 2 * y ^ 2)).
  { apply Rmult_lt_0_compat; [lra |]. apply Rmult_lt_0_compat; apply pow_lt; lra. }
  replace (n / (n + 4) * (a / x ^ 2) * ((n + 4) * (x ^ 2 * y ^ 2))) with (n * a * y ^ 2) by (field; split; lra).
  replace (2 * (b / y ^ 2) * ((n + 4) * (x ^ 2 * y ^ 2))) with (2 * b * (n + 4) * x ^ 2) by (field; lra).
  assert (Hy2 : y ^ 2 <= x ^ 2 * (25 / 16)) by nra.
  assert (Px : 0 <= x ^ 2) by apply pow2_ge_0.
  apply Rle_trans with (n * a * (x ^ 2 * (25 / 16))).
  - apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | exact Hy2].
  - apply Rle_trans with (n * b * (x ^ 2 * (25 / 16))).
    + apply Rmult_le_compat_r; [lra |]. apply Rmult_le_compat_l; lra.
    + assert (0 <= b * x ^ 2) by (apply Rmult_le_pos; lra). nra.
Qed.
