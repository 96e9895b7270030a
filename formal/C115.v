(* Claim C115, proof of Proposition 3, Step 1: solving for the norm y; gamma is gamma_t, lambda is lambda_0. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C115 : forall gamma lambda y : R, 0 < gamma -> 0 < lambda -> y ^ 2 <= gamma / sqrt lambda * y + gamma ->
  y <= gamma / sqrt lambda + sqrt gamma.
Proof.
  intros gamma lambda y Hg Hl H.
  assert (Hs : sqrt gamma * sqrt gamma = gamma) by (apply sqrt_sqrt; lra).
  assert (Hp : 0 < sqrt gamma) by (apply sqrt_lt_R0; lra).
  assert (Hb : 0 < gamma / sqrt lambda).
  { apply Rdiv_lt_0_compat; [exact Hg | apply sqrt_lt_R0; exact Hl]. }
  set (b := gamma / sqrt lambda) in *.
  set (s := sqrt gamma) in *.
  destruct (Rle_lt_dec y (b + s)) as [L | N]; [exact L |].
  exfalso. nra.
Qed.
