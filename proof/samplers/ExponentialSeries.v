(** The series of e^-x, as a loop of Bernoulli draws sums it.

    For 0 <= x <= 1 draw Bernoulli(x/1), Bernoulli(x/2), ... up to the first false, say the k-th. The first j are all
    true with probability x^j / j! ([all_true]), so k is odd with probability 1 - x + x^2/2! - ... = e^-x ([series]).
    Here are the sums, cut off after F draws ([ideal]); the sampler is in BernoulliExp.v.

    This is a step of sample.bernoulli-exp.

    Claims: none.
*)
Require Import ZArith Reals Lra Lia List Bool Factorial.
Open Scope R_scope.

(** The probability that the first j draws are all true. *)
Fixpoint all_true (x : R) (j : nat) : R :=
  match j with O => 1 | S i => all_true x i * (x / INR (S i)) end.

(** The probability that the first k draws are true and the next is false. *)
Definition stop_at (x : R) (k : nat) : R := all_true x k * (1 - x / INR (S k)).

Lemma all_true_eq x j : all_true x j = / INR (fact j) * x ^ j.
Proof.
  induction j; [simpl; lra|].
  change (all_true x (S j)) with (all_true x j * (x / INR (S j))). rewrite IHj.
  rewrite fact_simpl, mult_INR. simpl pow. field. split; apply not_0_INR; [|lia]. apply fact_neq_0.
Qed.

Lemma stop_eq x k : stop_at x k = all_true x k - all_true x (S k).
Proof. unfold stop_at. change (all_true x (S k)) with (all_true x k * (x / INR (S k))). lra. Qed.

Lemma partial x n :
  sum_f_R0 (fun i => stop_at x (2 * i)) n = sum_f_R0 (fun i => / INR (fact i) * (-x) ^ i) (2 * n + 1).
Proof.
  assert (even : forall m, (-x) ^ (2 * m) = x ^ (2 * m)) by (intros m; rewrite !pow_mult; f_equal; simpl; lra).
  induction n.
  - replace (2 * 0+1)%nat with (S 0) by reflexivity. rewrite tech5. unfold sum_f_R0. rewrite stop_eq, !all_true_eq.
    replace (2 * 0)%nat with O by reflexivity. simpl. lra.
  - replace (2 * S n + 1)%nat with (S (S (2 * n + 1))) by lia.
    rewrite (tech5 (fun i => stop_at x (2 * i))), IHn, (tech5 _ (S (2 * n + 1))), (tech5 _ (2 * n + 1)).
    rewrite stop_eq, !all_true_eq.
    replace (S (2 * n + 1)) with (2 * S n)%nat by lia.
    replace ((-x) ^ S (2 * S n)) with (- x ^ S (2 * S n)) by (rewrite <- !tech_pow_Rmult, even; lra).
    rewrite even. lra.
Qed.

(** The probability that the first false comes at an odd draw is e^-x. *)
Lemma series x : Un_cv (fun n => sum_f_R0 (fun i => stop_at x (2 * i)) n) (exp (-x)).
Proof.
  unfold exp. destruct (exist_exp (-x)) as [l Hl]; simpl.
  intros eps He. destruct (Hl eps He) as [N HN]. exists N. intros n Hn. rewrite partial. apply HN. lia.
Qed.

(** * The loop over Bernoulli draws, cut off after F of them. *)

(** 1 if the result b is the one for k: true for an odd k. *)
Definition chi (b : bool) (k : nat) : R := if eqb (Z.odd (Z.of_nat k)) b then 1 else 0.

(** The probability that the loop from k on gives b within F draws. *)
Fixpoint ideal (b : bool) (x : R) (F k : nat) : R :=
  match F with O => 0 | S G => x / INR k * ideal b x G (S k) + (1 - x / INR k) * chi b k end.

(** g 0 + ... + g (F - 1) *)
Fixpoint sm (F : nat) (g : nat -> R) := match F with O => 0 | S G => sm G g + g G end.

Lemma sm_shift F g : sm (S F) g = g O + sm F (fun i => g (S i)).
Proof. induction F; [simpl; lra|]. change (sm (S (S F)) g) with (sm (S F) g + g (S F)). rewrite IHF. simpl. lra. Qed.

Lemma sm_ext F g h : (forall i, g i = h i) -> sm F g = sm F h.
Proof. intros E; induction F; simpl; auto. now rewrite IHF, E. Qed.

Lemma ideal_sum b x F : forall k,
  all_true x k * ideal b x F (S k) = sm F (fun i => chi b (S (k + i)) * stop_at x (k + i)).
Proof.
  induction F; intros k; [simpl; lra|]. rewrite sm_shift. rewrite Nat.add_0_r.
  rewrite (sm_ext F _ (fun i => chi b (S (S k + i)) * stop_at x (S k + i)))
    by (intros i; now rewrite Nat.add_succ_r).
  rewrite <- IHF. change (all_true x (S k)) with (all_true x k * (x / INR (S k))). unfold stop_at. cbn [ideal]. lra.
Qed.

Lemma ideal_1 b x F : ideal b x F 1 = sm F (fun i => chi b (S i) * stop_at x i).
Proof. pose proof (ideal_sum b x F 0) as H. simpl all_true in H. rewrite Rmult_1_l in H. exact H. Qed.

Lemma all_true_pos x k : 0 <= x -> 0 <= all_true x k.
Proof.
  intros H. rewrite all_true_eq.
  apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, INR_fact_lt_0 | now apply pow_le].
Qed.

Lemma ratio_le1 x k : 0 <= x <= 1 -> 0 <= x / INR (S k) <= 1.
Proof.
  intros H. assert (1 <= INR (S k)) by (rewrite S_INR; pose proof (pos_INR k); lra). split.
  - apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
  - apply Rmult_le_reg_r with (INR (S k)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma stop_pos x k : 0 <= x <= 1 -> 0 <= stop_at x k.
Proof. intros H. apply Rmult_le_pos; [apply all_true_pos; lra | pose proof (ratio_le1 x k H); lra]. Qed.

Lemma chi_bounds b k : 0 <= chi b k <= 1.
Proof. unfold chi; destruct (eqb _ b); lra. Qed.

Lemma ideal_grows b x F G : 0 <= x <= 1 -> (F <= G)%nat -> ideal b x F 1 <= ideal b x G 1.
Proof.
  intros Hx H. rewrite !ideal_1. induction H; [lra|]. simpl.
  pose proof (stop_pos x m Hx). pose proof (chi_bounds b (S m)). nra.
Qed.

Lemma ideal_both x F : 0 <= x <= 1 -> ideal true x F 1 + ideal false x F 1 = 1 - all_true x F.
Proof.
  intros Hx. rewrite !ideal_1. induction F; [simpl; lra|]. cbn [sm]. rewrite stop_eq.
  assert (chi true (S F) + chi false (S F) = 1) by (unfold chi; destruct (Z.odd _); simpl; lra). nra.
Qed.

Lemma odd_at n : Z.odd (Z.of_nat (S (2 * n))) = true /\ Z.odd (Z.of_nat (S (S (2 * n)))) = false.
Proof.
  rewrite !Nat2Z.inj_succ, Nat2Z.inj_mul, !Z.odd_succ, Z.even_succ.
  change (Z.of_nat 2) with 2%Z. rewrite Z.even_mul, Z.odd_mul. auto.
Qed.

Lemma ideal_odd x n : ideal true x (2 * n + 1) 1 = sum_f_R0 (fun i => stop_at x (2 * i)) n.
Proof.
  rewrite ideal_1. induction n.
  - simpl. change (chi true 1) with 1. lra.
  - replace (2 * S n + 1)%nat with (S (S (2 * n + 1))) by lia. rewrite tech5. cbn [sm]. rewrite IHn.
    replace (2 * n + 1)%nat with (S (2 * n)) by lia. destruct (odd_at n) as [_ E]. destruct (odd_at (S n)) as [E' _].
    replace (S (2 * S n)) with (S (S (S (2 * n)))) in E' by lia.
    unfold chi. rewrite E, E'. simpl eqb. cbv iota. replace (2 * S n)%nat with (S (S (2 * n))) by lia. lra.
Qed.

Lemma ideal_true_le x F : 0 <= x <= 1 -> ideal true x F 1 <= exp (-x).
Proof.
  intros Hx. apply Rle_trans with (ideal true x (2 * F + 1) 1); [apply ideal_grows; auto; lia|].
  rewrite ideal_odd. apply (growing_ineq (fun n => sum_f_R0 (fun i => stop_at x (2 * i)) n)); [|apply series].
  intros n. rewrite tech5. pose proof (stop_pos x (2 * S n) Hx). lra.
Qed.

Lemma ideal_false_le x F : 0 <= x <= 1 -> ideal false x F 1 <= 1 - exp (-x).
Proof.
  intros Hx. apply Rnot_lt_le. intros H. destruct (series x (ideal false x F 1 - (1 - exp (-x)))) as [N HN]; [lra|].
  specialize (HN (N + F)%nat ltac:(lia)). rewrite <- ideal_odd in HN. unfold R_dist in HN. apply Rabs_def2 in HN.
  pose proof (ideal_both x (2 * (N + F) + 1) Hx). pose proof (all_true_pos x (2 * (N + F) + 1) ltac:(lra)).
  pose proof (ideal_grows false x F (2 * (N + F) + 1) Hx ltac:(lia)). lra.
Qed.
