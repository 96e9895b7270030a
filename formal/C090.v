(* Claim C090, proof of Theorem 2, Step 6: the bracket at the chosen eps, q = sqrt (T / kappa_* ); its last term is printed with
   d q for d / q, which is another number at c = 1/100 and d = q = 2. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C090_printed :
  6 * (1 / 100) + (1 / 100) ^ 2 / 4 + (1 / 100) ^ 2 / 4 * (2 / 2) < 6 * (1 / 100) + (1 / 100) ^ 2 / 4 + (1 / 100) ^ 2 / 4 * (2 * 2).
Proof.
  lra.
Qed.

Theorem C090 : forall K d q c eps : R, 2 <= K -> 2 <= d -> 0 < q -> 0 < c -> eps = sqrt (c / (K + 3) / q) ->
  6 * eps ^ 2 * (K + 3) * q + (eps ^ 2 * (K + 3)) ^ 2 / 4 * q ^ 2 + (eps ^ 2 * (K + 3)) ^ 2 / 4 * d * q
    = 6 * c + c ^ 2 / 4 + c ^ 2 / 4 * d / q.
Proof.
  intros K d q c eps HK Hd Hq Hc He.
  assert (H2 : eps ^ 2 = c / (K + 3) / q).
  { replace (eps ^ 2) with (eps * eps) by ring. rewrite He. apply sqrt_sqrt.
    left. apply Rdiv_lt_0_compat; [apply Rdiv_lt_0_compat; lra | exact Hq]. }
  rewrite H2. field. lra.
Qed.
