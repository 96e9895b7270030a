(* Claim C163, proof of Theorem 1, Step 6: the bound on a number that a quadratic is not positive at. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C163 : forall b c x : R, 0 <= b -> 0 <= c -> x ^ 2 - b * x - c <= 0 -> x ^ 2 <= 2 * b ^ 2 + 2 * c.
Proof.
  intros b c x Hb Hc Hx.
  nra.
Qed.
