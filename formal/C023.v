(* Claim C023, Section 2, Eq. (4), right: u^T grad mu u <= |u|^2, of n + 1 outcomes, p their probabilities. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C023 : forall (p u : nat -> R) (n : nat), (forall k : nat, 0 <= p k <= 1) ->
  sum_f_R0 (fun k => p k * (u k * u k)) n - sum_f_R0 (fun k => p k * u k) n * sum_f_R0 (fun k => p k * u k) n
    <= 1 * sum_f_R0 (fun k => u k * u k) n.
Proof.
  intros p u n Hp.
  assert (Hs : sum_f_R0 (fun k => p k * (u k * u k)) n <= sum_f_R0 (fun k => u k * u k) n).
  { apply sum_Rle. intros k _. pose proof (Hp k). pose proof (Rle_0_sqr (u k)) as Hu. unfold Rsqr in Hu. nra. }
  pose proof (Rle_0_sqr (sum_f_R0 (fun k => p k * u k) n)) as Hm. unfold Rsqr in Hm.
  lra.
Qed.
