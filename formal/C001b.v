(* Claim C001b, abstract: at K = 2 and rho = (1, 0), 1/kappa_* is the variance p - p^2 of the reward, p its chance. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C001b : forall u p : R, p = 1 / (1 + exp (- u)) -> 1 / (2 + 2 * cosh u) = p - p ^ 2.
Proof.
  intros u p Hp.
  rewrite Hp. unfold cosh. rewrite exp_Ropp.
  pose proof (exp_pos u) as Pu.
  assert (0 < 2 * exp u + (exp u * exp u + 1)) by nra.
  field. repeat split; nra.
Qed.
