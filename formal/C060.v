(* Claim C060, proof of Theorem 2, range of eps: the squared norm of the first row of M. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C060 : forall K d eps : R, 2 <= K -> 2 <= d -> 0 < eps -> eps <= 2 / sqrt ((K + 3) * (d - 1)) ->
  4 / (K + 3) + (d - 1) * eps ^ 2 <= 8 / (K + 3).
Proof.
  intros K d eps HK Hd He Hl.
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
  apply Rmult_le_reg_r with (K + 3); [lra |].
  replace ((4 / (K + 3) + (d - 1) * eps ^ 2) * (K + 3)) with (4 + P * eps ^ 2) by (unfold P; field; lra).
  replace (8 / (K + 3) * (K + 3)) with 8 by (field; lra).
  lra.
Qed.
