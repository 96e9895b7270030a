(* Claim C023, Section 2, Eq. (4), right: Gershgorin's bound on an eigenvalue of grad mu, of the probability p of the row. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C023 : forall p : R, 0 <= p <= 1 -> 2 * p * (1 - p) <= 1.
Proof.
  intros p Hp.
  nra.
Qed.
