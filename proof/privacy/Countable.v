(** Laws over the integers, given by the probability of each integer.

    The library of Coq has no measure theory. A probability function p over the integers is at least 0 and its
    symmetric partial sums, over the integers from -n to n, tend to 1. Such a p gives a law: the expected value of
    a bounded f is the limit of the partial sums of p k * f k. The file proves that this limit exists, that the
    law is linear and monotone, that the integer k has probability p k, that adding a constant to a draw moves the
    probabilities by that constant, and that a bound on the ratio of the probabilities of every integer is a
    bound on privacy with delta = 0.

    Distributions.v has laws over any type, with totals that need no order; here the integers are summed from -n to n,
    which is enough for the discrete Laplace law. Both stay, because both give laws in the sense of Privacy.v: what is
    proved with either composes with the other.

    Claims: none.
*)
Require Import ZArith Reals Lra Lia List Classical ClassicalDedekindReals. Import ListNotations.
From DpAssay Require Import Privacy.
Open Scope R_scope.

(** * Sums over the integers from -n to n *)

Fixpoint partial_sum (a : Z -> R) (n : nat) : R :=
  match n with
  | O => a 0%Z
  | S m => partial_sum a m + a (Z.of_nat n) + a (- Z.of_nat n)%Z
  end.

(** The sum of a over all integers is s. *)
Definition sums_to (a : Z -> R) (s : R) := Un_cv (partial_sum a) s.

Lemma partial_sum_ext a b n : (forall k, a k = b k) -> partial_sum a n = partial_sum b n.
Proof. intros H. induction n; cbn [partial_sum]; rewrite ?IHn, !H; auto. Qed.
Lemma partial_sum_le a b n : (forall k, a k <= b k) -> partial_sum a n <= partial_sum b n.
Proof.
  intros H. induction n; cbn [partial_sum]; [apply H|].
  pose proof (H (Z.of_nat (S n))). pose proof (H (- Z.of_nat (S n))%Z). lra.
Qed.
Lemma partial_sum_plus a b n : partial_sum (fun k => a k + b k) n = partial_sum a n + partial_sum b n.
Proof. induction n; cbn [partial_sum]; [auto|]. rewrite IHn. lra. Qed.
Lemma partial_sum_scal c a n : partial_sum (fun k => c * a k) n = c * partial_sum a n.
Proof. induction n; cbn [partial_sum]; [auto|]. rewrite IHn. lra. Qed.

(** Terms of absolute value at most C p k have partial sums that differ by at most C times those of p. *)
Lemma partial_sum_differ (p a : Z -> R) C n m : (forall k, Rabs (a k) <= C * p k) -> (n <= m)%nat ->
  Rabs (partial_sum a m - partial_sum a n) <= C * (partial_sum p m - partial_sum p n).
Proof.
  intros H L. induction L as [|m L IH]; [rewrite !Rminus_diag_eq, Rabs_R0 by auto; lra|]. cbn [partial_sum].
  set (i := Z.of_nat (S m)). pose proof (H i) as Hi. pose proof (H (- i)%Z) as Hj.
  replace (partial_sum a m + a i + a (- i)%Z - partial_sum a n)
    with ((partial_sum a m - partial_sum a n) + (a i + a (- i)%Z)) by ring.
  pose proof (Rabs_triang (partial_sum a m - partial_sum a n) (a i + a (- i)%Z)).
  pose proof (Rabs_triang (a i) (a (- i)%Z)). lra.
Qed.

Lemma cv_ext (u v : nat -> R) l : (forall n, u n = v n) -> Un_cv u l -> Un_cv v l.
Proof. intros H C e He. destruct (C e He) as [N HN]. exists N. intros n Hn. rewrite <- H. auto. Qed.
Lemma cv_scal c (u : nat -> R) l : Un_cv u l -> Un_cv (fun n => c * u n) (c * l).
Proof.
  intros H. apply (CV_mult (fun _ => c) u c l); auto. intros e He. exists O. intros. unfold R_dist.
  rewrite Rminus_diag_eq, Rabs_R0 by auto. lra.
Qed.
Lemma cv_const c : Un_cv (fun _ => c) c.
Proof. intros e He. exists O. intros. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0 by auto. lra. Qed.
Lemma cv_below (u v : nat -> R) : (forall n, Rabs (u n) <= v n) -> Un_cv v 0 -> Un_cv u 0.
Proof.
  intros H C e He. destruct (C e He) as [N HN]. exists N. intros n Hn. specialize (HN n Hn). specialize (H n).
  unfold R_dist in *. rewrite Rminus_0_r in *. pose proof (Rle_abs (v n)). lra.
Qed.
Lemma cv_later (u : nat -> R) l : Un_cv u l -> Un_cv (fun n => u (S n)) l.
Proof. intros C e He. destruct (C e He) as [N HN]. exists N. intros n Hn. apply HN. lia. Qed.
Lemma cv_earlier (u : nat -> R) l : Un_cv (fun n => u (S n)) l -> Un_cv u l.
Proof.
  intros C e He. destruct (C e He) as [N HN]. exists (S N). intros n Hn. destruct n as [|n]; [lia|]. apply HN. lia.
Qed.

Lemma sums_to_ext a b s : (forall k, a k = b k) -> sums_to a s -> sums_to b s.
Proof. intros H. apply cv_ext. intros n. now apply partial_sum_ext. Qed.
Lemma sums_to_plus a b s t : sums_to a s -> sums_to b t -> sums_to (fun k => a k + b k) (s + t).
Proof.
  intros A B. apply cv_ext with (u := fun n => partial_sum a n + partial_sum b n);
    [intros; now rewrite partial_sum_plus | now apply CV_plus].
Qed.
Lemma sums_to_scal c a s : sums_to a s -> sums_to (fun k => c * a k) (c * s).
Proof.
  intros A. apply cv_ext with (u := fun n => c * partial_sum a n);
    [intros; now rewrite partial_sum_scal | now apply cv_scal].
Qed.
Lemma sums_to_le a b s t : (forall k, a k <= b k) -> sums_to a s -> sums_to b t -> s <= t.
Proof. intros H. apply Rle_cv_lim. intros n. now apply partial_sum_le. Qed.
Lemma sums_to_unique a s t : sums_to a s -> sums_to a t -> s = t.
Proof. apply UL_sequence. Qed.
Lemma sums_to_one_term (a : Z -> R) k : (forall i, i <> k -> a i = 0) -> sums_to a (a k).
Proof.
  intros H. intros e He. exists (Z.to_nat (Z.abs k)). intros n Hn.
  assert (partial_sum a n = a k) as ->; [|unfold R_dist; rewrite Rminus_diag_eq, Rabs_R0; auto; lra].
  assert (G : forall m, partial_sum a m = if Z_le_dec (Z.abs k) (Z.of_nat m) then a k else 0).
  { induction m; cbn [partial_sum].
    - destruct (Z_le_dec (Z.abs k) (Z.of_nat 0)); [f_equal; lia | apply H; lia].
    - rewrite IHm. destruct (Z_le_dec (Z.abs k) (Z.of_nat m)), (Z_le_dec (Z.abs k) (Z.of_nat (S m))); try lia.
      + rewrite (H (Z.of_nat (S m))), (H (- Z.of_nat (S m))%Z) by lia. lra.
      + destruct (Z_le_dec 0 k); [replace (Z.of_nat (S m)) with k by lia; rewrite (H (- k)%Z) by lia; lra|].
        replace (- Z.of_nat (S m))%Z with k by lia. rewrite (H (Z.of_nat (S m))) by lia. lra.
      + rewrite (H (Z.of_nat (S m))), (H (- Z.of_nat (S m))%Z) by lia. lra. }
  rewrite G. destruct (Z_le_dec (Z.abs k) (Z.of_nat n)); [auto|]. lia.
Qed.

(** ** Moving the summation index *)

(** The terms tend to 0 in both directions. *)
Definition vanishes (a : Z -> R) := Un_cv (fun n => a (Z.of_nat n)) 0 /\ Un_cv (fun n => a (- Z.of_nat n)%Z) 0.

Lemma vanishes_up a : vanishes a -> vanishes (fun k => a (k + 1)%Z).
Proof.
  intros [A B]. split.
  - apply cv_ext with (u := fun n => a (Z.of_nat (S n))); [intros; f_equal; lia|].
    now apply (cv_later (fun n => a (Z.of_nat n))).
  - apply cv_earlier. apply cv_ext with (u := fun n => a (- Z.of_nat n)%Z); [intros; f_equal; lia | auto].
Qed.
Lemma vanishes_down a : vanishes a -> vanishes (fun k => a (k - 1)%Z).
Proof.
  intros [A B]. split.
  - apply cv_earlier. apply cv_ext with (u := fun n => a (Z.of_nat n)); [intros; f_equal; lia | auto].
  - apply cv_ext with (u := fun n => a (- Z.of_nat (S n))%Z); [intros; f_equal; lia|].
    now apply (cv_later (fun n => a (- Z.of_nat n)%Z)).
Qed.
Lemma partial_sum_up a n :
  partial_sum (fun k => a (k + 1)%Z) n = partial_sum a n + (a (Z.of_nat (S n)) - a (- Z.of_nat n)%Z).
Proof.
  induction n; [simpl; lra|]. cbn [partial_sum] in *. rewrite IHn.
  replace (Z.of_nat (S n) + 1)%Z with (Z.of_nat (S (S n))) by lia.
  replace (- Z.of_nat (S n) + 1)%Z with (- Z.of_nat n)%Z by lia. lra.
Qed.
Lemma partial_sum_down a n :
  partial_sum (fun k => a (k - 1)%Z) n = partial_sum a n + (a (- Z.of_nat (S n))%Z - a (Z.of_nat n)).
Proof.
  induction n; [simpl; lra|]. cbn [partial_sum] in *. rewrite IHn.
  replace (Z.of_nat (S n) - 1)%Z with (Z.of_nat n) by lia.
  replace (- Z.of_nat (S n) - 1)%Z with (- Z.of_nat (S (S n)))%Z by lia. lra.
Qed.
Lemma sums_to_up a s : vanishes a -> sums_to a s -> sums_to (fun k => a (k + 1)%Z) s.
Proof.
  intros [V W] A. unfold sums_to. eapply cv_ext; [intros n; symmetry; apply partial_sum_up|].
  replace s with (s + (0 - 0)) by lra. apply CV_plus; auto. apply CV_minus; auto.
  apply (cv_later (fun n => a (Z.of_nat n))); auto.
Qed.
Lemma sums_to_down a s : vanishes a -> sums_to a s -> sums_to (fun k => a (k - 1)%Z) s.
Proof.
  intros [V W] A. unfold sums_to. eapply cv_ext; [intros n; symmetry; apply partial_sum_down|].
  replace s with (s + (0 - 0)) by lra. apply CV_plus; auto. apply CV_minus; auto.
  apply (cv_later (fun n => a (- Z.of_nat n)%Z)); auto.
Qed.
Lemma sums_to_moved a s v : vanishes a -> sums_to a s -> sums_to (fun k => a (k + v)%Z) s.
Proof.
  intros V A.
  assert (G : vanishes (fun k => a (k + v)%Z) /\ sums_to (fun k => a (k + v)%Z) s); [|apply G].
  assert (V' : forall b c : Z -> R, (forall k, b k = c k) -> vanishes b -> vanishes c)
    by (intros b c H [Hb Hc]; split; [apply cv_ext with (u := fun n => b (Z.of_nat n))
        | apply cv_ext with (u := fun n => b (- Z.of_nat n)%Z)]; auto).
  revert v. apply Z.bi_induction.
  - intros x y ->. tauto.
  - split; [apply V' with (b := a) | apply sums_to_ext with (a := a)]; auto; intros; f_equal; lia.
  - intros v. split; intros [Hv Hs]; split.
    + apply V' with (b := fun k => a (k + 1 + v)%Z); [intros; f_equal; lia | now apply vanishes_up in Hv].
    + apply sums_to_ext with (a := fun k => a (k + 1 + v)%Z); [intros; f_equal; lia|].
      now apply (sums_to_up (fun k => a (k + v)%Z)).
    + apply V' with (b := fun k => a (k - 1 + Z.succ v)%Z); [intros; f_equal; lia | now apply vanishes_down in Hv].
    + apply sums_to_ext with (a := fun k => a (k - 1 + Z.succ v)%Z); [intros; f_equal; lia|].
      now apply (sums_to_down (fun k => a (k + Z.succ v)%Z)).
Qed.

(** * The law *)

(** The limit of a sequence; 0 if it has none. *)
Definition limit (u : nat -> R) : R :=
  match sig_not_dec (Cauchy_crit u) with
  | left h => proj1_sig (R_complete u (NNPP _ h))
  | right _ => 0
  end.
Lemma limit_is u l : Un_cv u l -> limit u = l.
Proof.
  intros H. unfold limit. destruct (sig_not_dec (Cauchy_crit u)) as [h|h].
  - destruct (R_complete u (NNPP _ h)) as [l' Hl']. simpl. now apply (UL_sequence u).
  - exfalso. apply h. apply CV_Cauchy. now exists l.
Qed.

Section countable.
Variables (p : Z -> R) (nonneg : forall k, 0 <= p k) (total : sums_to p 1).

Definition expected (f : Z -> R) : R := limit (partial_sum (fun k => p k * f k)).

Lemma weighted_below f C : (forall k, Rabs (f k) <= C) -> forall k, Rabs (p k * f k) <= C * p k.
Proof. intros H k. rewrite Rabs_mult, (Rabs_pos_eq (p k)), Rmult_comm by auto. apply Rmult_le_compat_r; auto. Qed.
Lemma bounded_sums f : bounded f -> Cauchy_crit (partial_sum (fun k => p k * f k)).
Proof.
  intros [C H].
  assert (C0 : 0 <= C) by (pose proof (H 0%Z); pose proof (Rabs_pos (f 0%Z)); lra).
  intros e He. destruct (CV_Cauchy _ (exist _ 1 total) (e / (C + 1))) as [N HN]; [apply Rdiv_lt_0_compat; lra|].
  assert (G : forall n m, (N <= n)%nat -> (n <= m)%nat ->
    Rabs (partial_sum (fun k => p k * f k) m - partial_sum (fun k => p k * f k) n) < e).
  { intros n m Hn Hm. pose proof (partial_sum_differ p _ C n m (weighted_below f C H) Hm) as D.
    assert (B : R_dist (partial_sum p m) (partial_sum p n) < e / (C + 1)) by (apply HN; lia). unfold R_dist in B.
    set (d := partial_sum p m - partial_sum p n) in *. pose proof (Rle_abs d).
    assert (C * d <= C * (e / (C + 1))) by (apply Rmult_le_compat_l; lra).
    assert (C * (e / (C + 1)) < e); [|lra].
    apply Rmult_lt_reg_r with (C + 1); [lra|]. unfold Rdiv. rewrite !Rmult_assoc, Rinv_l by lra. nra. }
  exists N. intros n m Hn Hm. unfold R_dist.
  destruct (Nat.le_ge_cases n m); [rewrite Rabs_minus_sym|]; apply G; lia.
Qed.
Lemma expected_sums f : bounded f -> sums_to (fun k => p k * f k) (expected f).
Proof.
  intros H. destruct (R_complete _ (bounded_sums f H)) as [l Hl]. unfold expected. now rewrite (limit_is _ l).
Qed.

Definition countable : law Z.
Proof.
  refine {| E := expected |}.
  - apply limit_is. apply sums_to_ext with (a := p); auto. intros; lra.
  - intros f g Hf Hg H. apply sums_to_le with (a := fun k => p k * f k) (b := fun k => p k * g k);
      auto using expected_sums. intros k. now apply Rmult_le_compat_l.
  - intros f g Hf Hg. apply limit_is. apply sums_to_ext with (a := fun k => p k * f k + p k * g k).
    + intros; lra.
    + apply sums_to_plus; now apply expected_sums.
  - intros c f Hf. apply limit_is. apply sums_to_ext with (a := fun k => c * (p k * f k)).
    + intros; lra.
    + apply sums_to_scal. now apply expected_sums.
Defined.

(** The expected value of a bounded f is the sum of p k * f k over all integers k. *)
Lemma countable_sums f : bounded f -> sums_to (fun k => p k * f k) (countable f).
Proof. apply expected_sums. Qed.
(** Wherever the sum of p k * f k exists, bounded or not, it is the expected value. *)
Lemma countable_is f s : sums_to (fun k => p k * f k) s -> countable f = s.
Proof. apply limit_is. Qed.

(** The integer k has probability p k. *)
Lemma countable_probability k : countable (fun i => if Z.eq_dec i k then 1 else 0) = p k.
Proof.
  apply limit_is. replace (p k) with (p k * (if Z.eq_dec k k then 1 else 0)) by (destruct (Z.eq_dec k k); lra || lia).
  apply (sums_to_one_term (fun i => p i * (if Z.eq_dec i k then 1 else 0))).
  intros i Hi. destruct (Z.eq_dec i k); [lia | lra].
Qed.

Lemma probability_vanishes : vanishes p.
Proof.
  assert (D : Un_cv (fun n => partial_sum p (S n) - partial_sum p n) 0)
    by (replace 0 with (1 - 1) by lra; apply CV_minus; auto; now apply cv_later).
  split; apply cv_earlier; apply cv_below with (v := fun n => partial_sum p (S n) - partial_sum p n); auto;
    intros n; cbn [partial_sum]; pose proof (nonneg (Z.of_nat (S n))); pose proof (nonneg (- Z.of_nat (S n))%Z);
    rewrite Rabs_pos_eq; lra.
Qed.
Lemma weighted_vanishes f : bounded f -> vanishes (fun k => p k * f k).
Proof.
  intros [C H]. destruct probability_vanishes as [V W].
  split; [apply cv_below with (v := fun n => C * p (Z.of_nat n))
         | apply cv_below with (v := fun n => C * p (- Z.of_nat n)%Z)];
    try (intros; now apply weighted_below); replace 0 with (C * 0) by lra; now apply cv_scal.
Qed.

(** The expected value of f (v + draw) is the sum of p (k - v) * f k. *)
Lemma countable_moved v f : bounded f -> sums_to (fun k => p (k - v)%Z * f k) (countable (fun k => f (v + k)%Z)).
Proof.
  intros [C H]. assert (B : bounded (fun k => f (v + k)%Z)) by (exists C; auto).
  apply sums_to_ext with (a := fun k => p (k + - v)%Z * f (v + (k + - v))%Z).
  - intros k. f_equal. f_equal. lia.
  - apply (sums_to_moved (fun k => p k * f (v + k)%Z)); [now apply (weighted_vanishes (fun k => f (v + k)%Z))|].
    now apply countable_sums.
Qed.

(** v + draw is k with probability p (k - v). *)
Lemma countable_moved_probability v k :
  relabel (fun i => v + i)%Z countable (fun i => if Z.eq_dec i k then 1 else 0) = p (k - v)%Z.
Proof.
  cbn [E relabel then_ unit_law].
  change (countable (fun i => if Z.eq_dec (v + i) k then 1 else 0) = p (k - v)%Z).
  rewrite <- countable_probability. apply E_ext.
  - exists 1. intros i. destruct (Z.eq_dec (v + i) k); rewrite Rabs_pos_eq; lra.
  - exists 1. intros i. destruct (Z.eq_dec i (k - v)); rewrite Rabs_pos_eq; lra.
  - intros i. destruct (Z.eq_dec (v + i) k), (Z.eq_dec i (k - v)); auto; lia.
Qed.
End countable.

(** * Privacy *)

(** Probabilities of every integer within a factor e^eps are pure differential privacy. *)
Lemma countable_pointwise eps (p q : Z -> R) nonneg_p total_p nonneg_q total_q :
  (forall k, p k <= exp eps * q k) -> close eps 0 (countable p nonneg_p total_p) (countable q nonneg_q total_q).
Proof.
  intros H f Hf. rewrite Rplus_0_r.
  apply sums_to_le with (a := fun k => p k * f k) (b := fun k => exp eps * (q k * f k)).
  - intros k. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply Hf | apply H].
  - apply countable_sums. now apply test_bounded.
  - apply sums_to_scal. apply countable_sums. now apply test_bounded.
Qed.

(** Noise added to two integers, where their difference costs at most a factor e^eps at every outcome. *)
Lemma countable_noise_pointwise eps (p : Z -> R) nonneg total (v w : Z) :
  (forall k, p (k - v)%Z <= exp eps * p (k - w)%Z) ->
  close eps 0 (relabel (fun k => v + k)%Z (countable p nonneg total))
              (relabel (fun k => w + k)%Z (countable p nonneg total)).
Proof.
  intros H f Hf. rewrite Rplus_0_r. cbn [E relabel then_ unit_law].
  apply sums_to_le with (a := fun k => p (k - v)%Z * f k) (b := fun k => exp eps * (p (k - w)%Z * f k)).
  - intros k. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply Hf | apply H].
  - apply countable_moved; now apply test_bounded.
  - apply sums_to_scal. apply countable_moved; now apply test_bounded.
Qed.
