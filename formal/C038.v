(* Claim C038, Appendix B.1, Schur-Horn: the Rayleigh quotient of grad mu at e_i - e_j, which is at least lambda_{K-1}, against the
   sum of two entries of the diagonal; p and q are the probabilities of i and j. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C038 : forall p q : R, 0 <= p -> 0 <= q -> p + q <= 1 ->
  (p * (1 - p) + q * (1 - q) + 2 * p * q) / 2 <= p * (1 - p) + q * (1 - q).
Proof.
  intros p q Hp Hq Hs.
  assert (0 <= (p + q) * (1 - (p + q))) by (apply Rmult_le_pos; lra).
  lra.
Qed.
