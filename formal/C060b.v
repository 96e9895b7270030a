(* Claim C060b, proof of Theorem 2, Step 6: the chosen eps^2 is in the range of the family; q = sqrt (T / kappa_* ) >= d. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C060b : forall c K d q : R, c = 1 / 100 -> 2 <= K -> 2 <= d -> d <= q ->
  c / (K + 3) / q <= (2 / sqrt ((K + 3) * (d - 1))) ^ 2.
Proof.
  intros c K d q Hc HK Hd Hq.
  assert (HP : 0 < (K + 3) * (d - 1)) by nra.
  pose proof (sqrt_lt_R0 _ HP) as Hs.
  assert (Hss : sqrt ((K + 3) * (d - 1)) * sqrt ((K + 3) * (d - 1)) = (K + 3) * (d - 1)) by (apply sqrt_sqrt; lra).
  set (s := sqrt ((K + 3) * (d - 1))) in *.
  replace ((2 / s) ^ 2) with (4 / (s * s)) by (field; lra).
  rewrite Hss, Hc.
  apply Rmult_le_reg_r with ((K + 3) * (d - 1) * q); [apply Rmult_lt_0_compat; lra |].
  replace (1 / 100 / (K + 3) / q * ((K + 3) * (d - 1) * q)) with ((d - 1) / 100) by (field; lra).
  replace (4 / ((K + 3) * (d - 1)) * ((K + 3) * (d - 1) * q)) with (4 * q) by (field; lra).
  lra.
Qed.
