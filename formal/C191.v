(* Claim C191, proof of Theorem 1, Step 2: one eigenvalue x of B^(-1/2) A B^(-1/2). *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C191 : forall x : R, 0 < x -> 1 - 1 / x <= ln x.
Proof.
  intros x Hx.
  assert (H : 1 + ln (/ x) <= exp (ln (/ x))) by apply exp_ineq1_le.
  rewrite exp_ln in H by (apply Rinv_0_lt_compat; exact Hx).
  rewrite ln_Rinv in H by exact Hx.
  unfold Rdiv. lra.
Qed.
