(* Claim C037, Appendix B.1: the smallest probability; z is its logit, `others` the sum of exp over the K - 1 other logits,
   each of which is at most exp r, r = S X. C037_weyl: lambda_{K-1}, the least of u^T grad mu u over unit u with sum 0, is at
   least the smallest probability, of n + 1 outcomes, p their probabilities. *)
Require Import Reals Psatz.
Open Scope R_scope.

Theorem C037 : forall K r z others : R, 2 <= K -> 0 <= r -> - r <= z -> 0 < others -> z <= r -> others <= (K - 1) * exp r ->
  exp (- r) / (K * exp r) <= exp z / (exp z + others).
Proof.
  intros K r z others HK Hr Hz Ho Hzr Hot.
  assert (mono : forall x y, x <= y -> exp x <= exp y).
  { intros x y [L | E]; [left; apply exp_increasing; exact L | right; rewrite E; reflexivity]. }
  pose proof (exp_pos z) as Pz. pose proof (exp_pos r) as Pr. pose proof (exp_pos (- r)) as Pm.
  pose proof (mono _ _ Hz) as Lz. pose proof (mono _ _ Hzr) as Lr.
  apply Rmult_le_reg_r with ((K * exp r) * (exp z + others)).
  { apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra | lra]. }
  replace (exp (- r) / (K * exp r) * (K * exp r * (exp z + others))) with (exp (- r) * (exp z + others))
    by (field; split; lra).
  replace (exp z / (exp z + others) * (K * exp r * (exp z + others))) with (exp z * (K * exp r)) by (field; lra).
  apply Rle_trans with (exp (- r) * (K * exp r)).
  - apply Rmult_le_compat_l; nra.
  - apply Rmult_le_compat_r; nra.
Qed.

Theorem C037_equal : forall K r : R, 2 <= K -> exp (- r) / (K * exp r) = 1 / K * exp (- (2 * r)).
Proof.
  intros K r HK.
  replace (- (2 * r)) with (- r + - r) by ring.
  rewrite exp_plus, exp_Ropp. pose proof (exp_pos r). field. split; lra.
Qed.

Theorem C037_weyl : forall (p u : nat -> R) (low : R) (n : nat),
  0 <= low -> (forall k : nat, low <= p k) -> sum_f_R0 p n = 1 -> sum_f_R0 u n = 0 ->
  low * sum_f_R0 (fun k => u k * u k) n
    <= sum_f_R0 (fun k => p k * (u k * u k)) n - sum_f_R0 (fun k => p k * u k) n * sum_f_R0 (fun k => p k * u k) n.
Proof.
  intros p u low n Hl Hp H1 H0.
  set (c := sum_f_R0 (fun k => p k * u k) n).
  assert (Hle : sum_f_R0 (fun k => low * ((u k - c) * (u k - c))) n <= sum_f_R0 (fun k => p k * ((u k - c) * (u k - c))) n).
  { apply sum_Rle. intros k _. pose proof (Hp k) as Hk. pose proof (Rle_0_sqr (u k - c)) as Hs. unfold Rsqr in Hs. nra. }
  assert (Hright : forall j : nat, sum_f_R0 (fun k => p k * ((u k - c) * (u k - c))) j =
    sum_f_R0 (fun k => p k * (u k * u k)) j - 2 * c * sum_f_R0 (fun k => p k * u k) j + c * c * sum_f_R0 p j).
  { intro j. induction j as [| j IH]; simpl; [ring | rewrite IH; ring]. }
  assert (Hleft : forall j : nat, sum_f_R0 (fun k => low * ((u k - c) * (u k - c))) j =
    low * (sum_f_R0 (fun k => u k * u k) j - 2 * c * sum_f_R0 u j + c * c * (INR j + 1))).
  { intro j. induction j as [| j IH]; [simpl; ring | rewrite S_INR; simpl; rewrite IH; ring]. }
  rewrite (Hright n), (Hleft n), H1, H0 in Hle. fold c in Hle.
  assert (Hn : 0 <= low * (c * c * (INR n + 1))).
  { pose proof (pos_INR n) as Hpos. pose proof (Rle_0_sqr c) as Hs. unfold Rsqr in Hs.
    apply Rmult_le_pos; [exact Hl | apply Rmult_le_pos; lra]. }
  nra.
Qed.
