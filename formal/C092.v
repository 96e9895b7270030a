(* Claim C092, proof of Theorem 2, Step 6, last display: the final constant at c = 1/100. *)
Require Import Reals.
From Interval Require Import Tactic.
Open Scope R_scope.

Theorem C092 : forall c : R, c = 1 / 100 ->
  1 / 25000 <= c / 64 * (1 - sqrt (8 * exp (sqrt c)) * sqrt (6 * c + c ^ 2 / 4 + c ^ 2 / 4)).
Proof.
  intros c Hc.
  rewrite Hc.
  interval with (i_prec 60).
Qed.
