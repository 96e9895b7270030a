(* Claim C164, proof of Theorem 1, Step 6: the last display solved for X, the sum of the bonuses; r is R. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C164 : forall A B b r nu X : R, 0 <= A -> 0 <= B -> 0 <= b -> 0 <= r -> 0 <= nu -> 0 <= X ->
  2 * X <= A + B + b * sqrt ((4 * r + 2 * nu) * X) -> 2 * X <= 2 * A + 2 * B + 2 * b ^ 2 * (4 * r + 2 * nu).
Proof.
  intros A B b r nu X HA HB Hb Hr Hn HX H.
  set (M := 4 * r + 2 * nu) in *.
  assert (HM : 0 <= M) by (unfold M; lra).
  assert (Hroot : b * sqrt (M * X) <= X + b ^ 2 * M / 4).
  { apply Rsqr_incr_0_var.
    - rewrite Rsqr_mult, Rsqr_sqrt by (apply Rmult_le_pos; assumption).
      unfold Rsqr. assert (0 <= (X - b ^ 2 * M / 4) ^ 2) by apply pow2_ge_0. nra.
    - assert (0 <= b ^ 2 * M) by (apply Rmult_le_pos; [apply pow2_ge_0 | assumption]). lra. }
  assert (0 <= b ^ 2 * M) by (apply Rmult_le_pos; [apply pow2_ge_0 | assumption]).
  nra.
Qed.
