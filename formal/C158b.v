(* Claim C158b, Section 3.3.2, the binary setting, one round: logits l of the best arm and l - g of the one played. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C158b : forall l g p q : R, 0 <= g -> p = 1 / (1 + exp (- l)) -> q = 1 / (1 + exp (- (l - g))) ->
  q * (1 - q) <= p * (1 - p) + 1 * (p - q).
Proof.
  intros l g p q Hg Hp Hq.
  pose proof (exp_pos (- l)) as P1. pose proof (exp_pos (- (l - g))) as P2.
  assert (Hle : exp (- l) <= exp (- (l - g))).
  { destruct Hg as [L | E]; [left; apply exp_increasing; lra | right; f_equal; lra]. }
  assert (Hp1 : p * (1 + exp (- l)) = 1) by (rewrite Hp; field; lra).
  assert (Hq1 : q * (1 + exp (- (l - g))) = 1) by (rewrite Hq; field; lra).
  assert (Hp0 : 0 < p) by (rewrite Hp; apply Rdiv_lt_0_compat; lra).
  assert (Hq0 : 0 < q) by (rewrite Hq; apply Rdiv_lt_0_compat; lra).
  assert (Hpl : p <= 1) by nra.
  assert (Hqp : q <= p).
  { rewrite Hp, Hq. unfold Rdiv. apply Rmult_le_compat_l; [lra |]. apply Rinv_le_contravar; lra. }
  assert (0 <= (p - q) * ((1 - p) + (1 - q))) by (apply Rmult_le_pos; lra).
  nra.
Qed.
