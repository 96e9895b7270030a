(* Claim C085b, proof of Theorem 2, Step 6, second display: the capped bracket; q = sqrt (T / kappa_* ), reg = Reg_T / R. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C085b_first : forall K d q reg : R, 2 <= K -> 2 <= d -> 0 < q -> reg <= d * sqrt K * q ->
  6 * sqrt (K + 3) * reg <= 6 * (K + 3) * d * q.
Proof.
  intros K d q reg HK Hd Hq Hc.
  assert (Hs : sqrt (K + 3) * sqrt (K + 3) = K + 3) by (apply sqrt_sqrt; lra).
  assert (Hp : 0 < sqrt (K + 3)) by (apply sqrt_lt_R0; lra).
  assert (Hm : sqrt K <= sqrt (K + 3)) by (apply sqrt_le_1_alt; lra).
  assert (Hreg : sqrt (K + 3) * reg <= sqrt (K + 3) * (d * sqrt (K + 3) * q)).
  { apply Rmult_le_compat_l; [lra |]. apply Rle_trans with (d * sqrt K * q); [exact Hc |].
    apply Rmult_le_compat_r; [lra |]. apply Rmult_le_compat_l; lra. }
  replace (sqrt (K + 3) * (d * sqrt (K + 3) * q)) with (sqrt (K + 3) * sqrt (K + 3) * d * q) in Hreg by ring.
  rewrite Hs in Hreg. lra.
Qed.

Theorem C085b : forall K d q eps reg : R, 2 <= K -> 2 <= d -> 0 < q -> 0 < eps -> 0 <= reg -> reg <= d * sqrt K * q ->
  6 * sqrt (K + 3) * reg + (K + 3) / 4 * (d - 1) * eps ^ 2 * ((K + 3) * q ^ 2 + sqrt (K + 3) * reg)
    <= 6 * (K + 3) * d * q + (K + 3) / 4 * (d - 1) * eps ^ 2 * ((K + 3) * q ^ 2 + (K + 3) * d * q).
Proof.
  intros K d q eps reg HK Hd Hq He Hr Hc.
  assert (Hreg : 6 * sqrt (K + 3) * reg <= 6 * (K + 3) * d * q) by (apply C085b_first; assumption).
  assert (Hk : 0 <= (K + 3) / 4 * (d - 1) * eps ^ 2).
  { apply Rmult_le_pos; [nra | apply pow2_ge_0]. }
  apply Rplus_le_compat; [lra |].
  apply Rmult_le_compat_l; lra.
Qed.
