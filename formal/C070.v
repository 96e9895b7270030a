(* Claim C070, proof of Theorem 2, Step 1, Eq. (inside 7): as corrected with 128 for 64; as printed it fails at K = d = 2 and the
   largest eps. The squared norm of the first row of M is 4/(K + 3) + (d - 1) eps^2, and r is R. *)
Require Import Reals Psatz.
From Interval Require Import Tactic.
Open Scope R_scope.

Theorem C070_printed : 1 / (16 * sqrt (2 + 3) * (4 / (2 + 3) + (2 - 1) * (2 / sqrt ((2 + 3) * (2 - 1))) ^ 2)) < sqrt (2 + 3) / 64.
Proof.
  interval with (i_prec 60).
Qed.

Theorem C070 : forall r T K d eps : R, 0 < r -> 0 < T -> 2 <= K -> 2 <= d -> 0 < eps ->
  eps <= 2 / sqrt ((K + 3) * (d - 1)) ->
  r * T * eps ^ 2 * sqrt (K + 3) / 128 <= r * T * eps ^ 2 / (16 * sqrt (K + 3) * (4 / (K + 3) + (d - 1) * eps ^ 2)).
Proof.
  intros r T K d eps Hr HT HK Hd He Hl.
  set (P := (K + 3) * (d - 1)) in *.
  assert (HP : 0 < P) by (unfold P; nra).
  pose proof (sqrt_lt_R0 P HP) as Hs.
  assert (H2 : eps * sqrt P <= 2).
  { replace 2 with (2 / sqrt P * sqrt P) by (field; lra). apply Rmult_le_compat_r; lra. }
  assert (H4 : P * eps ^ 2 <= 4).
  { assert (Hss : sqrt P * sqrt P = P) by (apply sqrt_sqrt; lra).
    replace (P * eps ^ 2) with ((eps * sqrt P) * (eps * sqrt P)) by (rewrite <- Hss at 3; ring).
    replace 4 with (2 * 2) by ring.
    assert (0 <= eps * sqrt P) by (apply Rmult_le_pos; lra).
    apply Rmult_le_compat; lra. }
  assert (Hw : 0 < sqrt (K + 3)) by (apply sqrt_lt_R0; lra).
  assert (Hww : sqrt (K + 3) * sqrt (K + 3) = K + 3) by (apply sqrt_sqrt; lra).
  assert (HN : (K + 3) * (4 / (K + 3) + (d - 1) * eps ^ 2) <= 8).
  { replace ((K + 3) * (4 / (K + 3) + (d - 1) * eps ^ 2)) with (4 + P * eps ^ 2) by (unfold P; field; lra). lra. }
  assert (He2 : 0 < eps ^ 2) by (apply pow_lt; exact He).
  assert (HN0 : 0 < 4 / (K + 3) + (d - 1) * eps ^ 2).
  { apply Rplus_lt_0_compat; [apply Rdiv_lt_0_compat; lra | apply Rmult_lt_0_compat; lra]. }
  set (N := 4 / (K + 3) + (d - 1) * eps ^ 2) in *.
  set (w := sqrt (K + 3)) in *.
  set (c := r * T * eps ^ 2).
  assert (Hc : 0 < c) by (unfold c; repeat apply Rmult_lt_0_compat; lra).
  assert (HwN : 0 < 16 * w * N) by (apply Rmult_lt_0_compat; lra).
  apply Rmult_le_reg_r with (16 * w * N); [exact HwN |].
  replace (c / (16 * w * N) * (16 * w * N)) with c by (field; lra).
  replace (c * w / 128 * (16 * w * N)) with (c * (w * w * N / 8)) by field.
  rewrite Hww. rewrite <- (Rmult_1_r c) at 2. apply Rmult_le_compat_l; lra.
Qed.
