(* Claim C089, proof of Theorem 2, Step 6: the factor at the chosen eps, q = sqrt (T / kappa_* ), as corrected with 128 for 64;
   as printed it is another number at K = d = q = 2 and c = 1/100. *)
Require Import Reals Psatz.
From Interval Require Import Tactic.
Open Scope R_scope.

Theorem C089_printed :
  (2 + 3) * sqrt (2 + 3) * 2 ^ 2 * (1 / 100 / (2 + 3) / 2) / 64 * 2 / 2 < 1 / 100 * 2 * sqrt (2 + 3) * 2 / 64.
Proof.
  interval with (i_prec 60).
Qed.

Theorem C089 : forall K d q c eps : R, 2 <= K -> 2 <= d -> 0 < q -> 0 < c -> eps = sqrt (c / (K + 3) / q) ->
  (K + 3) * sqrt (K + 3) * q ^ 2 * eps ^ 2 / 64 * d / 2 = c * d * sqrt (K + 3) * q / 128.
Proof.
  intros K d q c eps HK Hd Hq Hc He.
  assert (H2 : eps ^ 2 = c / (K + 3) / q).
  { replace (eps ^ 2) with (eps * eps) by ring. rewrite He. apply sqrt_sqrt.
    left. apply Rdiv_lt_0_compat; [apply Rdiv_lt_0_compat; lra | exact Hq]. }
  rewrite H2. field. lra.
Qed.
