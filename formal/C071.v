(* Claim C071, proof of Theorem 2, Step 2: (K + 3)/kappa_* of rho = (2, 1, ..., 1)/sqrt (K + 3), whose variance stands on the
   right, is the slope of the sigmoid at the logit u of outcome 1. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C071 : forall K u p : R, 2 <= K -> p = 1 / (1 + exp (- u)) ->
  1 / (2 + 2 * cosh u) = (K + 3) * ((2 ^ 2 * p + (1 - p)) / (K + 3) - ((2 * p + (1 - p)) / sqrt (K + 3)) ^ 2).
Proof.
  intros K u p HK Hp.
  assert (Hw : 0 < K + 3) by lra.
  pose proof (sqrt_lt_R0 (K + 3) Hw) as Hs.
  assert (Hr : ((2 * p + (1 - p)) / sqrt (K + 3)) ^ 2 = (2 * p + (1 - p)) ^ 2 / (K + 3)).
  { rewrite <- (sqrt_sqrt (K + 3)) at 2 by lra. field. lra. }
  rewrite Hr, Hp. unfold cosh. rewrite exp_Ropp.
  pose proof (exp_pos u) as Pu.
  assert (0 < 2 * exp u + (exp u * exp u + 1)) by nra.
  field. repeat split; nra.
Qed.
