(** Learners of all labellings of N points.

    1. `labellings_of_one_classifier`: one classifier, randomised or not, makes at most tau N mistakes on at most
       e^(N H(tau)) of the 2^N labellings of N points; H is the entropy in nats, 0 < tau <= 1/2.
    2. `learners_of_all_labellings`: D_y is a law of records for the labelling y. Suppose that n records from one law Q
       do duty for those of every D_y, up to a factor c a record (RecordExchange.v), and that an (epsilon, 0)-private
       learner succeeds on every D_y with probability at least 1 - beta. Then c^n 2^N (1 - beta) <= e^(N H(tau)).
    These are steps 1 to 3 of the proofs of nuz20.thm12.corrected and nuz20.thm12.alpha.

    Claims: none.
*)
Require Import Reals Lra Lia List Bool. Import ListNotations.
From DpAssay Require Import Privacy Neighbours Events RecordExchange.
Open Scope R_scope.

(** All labellings of N points. *)
Fixpoint labellings (N : nat) : list (list bool) :=
  match N with O => [[]] | S m => map (cons false) (labellings m) ++ map (cons true) (labellings m) end.

(** q i y: the probability that the classifier does not say y at point i. A tie counts for both labels. *)
Definition classifies (q : nat -> bool -> R) : Prop :=
  forall i, (forall y, 0 <= q i y <= 1) /\ 1 <= q i true + q i false.
(** The expected number of mistakes on the labelling y. *)
Definition mistakes (q : nat -> bool -> R) (y : list bool) : R :=
  sum (fun i => q i (nth i y false)) (seq 0 (length y)).

(** The entropy of a coin of probability t, in nats. *)
Definition entropy (t : R) : R := - (t * ln t) - (1 - t) * ln (1 - t).

Lemma number_of_labellings N : INR (length (labellings N)) = 2 ^ N.
Proof. induction N; simpl; [lra|]. rewrite app_length, !map_length, plus_INR, IHN. lra. Qed.
Lemma length_of_labelling N : forall y, In y (labellings N) -> length y = N.
Proof.
  induction N as [|N IH]; simpl; intros y Hy; [now destruct Hy as [<-|[]]|].
  apply in_app_or in Hy. destruct Hy as [Hy|Hy]; apply in_map_iff in Hy as [z [<- Hz]]; simpl; auto.
Qed.

Lemma mistakes_cons q b y : mistakes q (b :: y) = q 0%nat b + mistakes (fun i => q (S i)) y.
Proof. unfold mistakes. simpl. now rewrite <- seq_shift, sum_map. Qed.

Lemma exp_nat_mult k x : exp (INR k * x) = exp x ^ k.
Proof.
  induction k as [|k IH]; [simpl; now rewrite Rmult_0_l, exp_0|].
  rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH. simpl. lra.
Qed.

(** e^(-lambda q) is below its chord, for 0 <= q <= 1. *)
Lemma below_the_chord lambda q : 0 <= q <= 1 -> exp (- lambda * q) <= 1 - q * (1 - exp (- lambda)).
Proof.
  intros Q. set (m := - lambda * q). pose proof (exp_pos m) as P.
  assert (at_0 : exp m * (1 - m) <= 1).
  { pose proof (exp_ineq1_le (- m)) as T. apply (Rmult_le_compat_l (exp m)) in T; [|lra].
    rewrite <- exp_plus, Rplus_opp_r, exp_0 in T. lra. }
  assert (at_1 : exp m * (1 + (- lambda - m)) <= exp (- lambda)).
  { pose proof (exp_ineq1_le (- lambda - m)) as T. apply (Rmult_le_compat_l (exp m)) in T; [|lra].
    rewrite <- exp_plus in T. replace (m + (- lambda - m)) with (- lambda) in T by lra. lra. }
  apply (Rmult_le_compat_l (1 - q)) in at_0; [|lra]. apply (Rmult_le_compat_l q) in at_1; [|lra].
  assert (tangents : (1 - q) * (exp m * (1 - m)) + q * (exp m * (1 + (- lambda - m))) = exp m) by (unfold m; ring).
  lra.
Qed.

Lemma moment_of_mistakes lambda N : 0 <= lambda -> forall q, classifies q ->
  sum (fun y => exp (- lambda * mistakes q y)) (labellings N) <= (1 + exp (- lambda)) ^ N.
Proof.
  intros L. assert (small : exp (- lambda) <= 1).
  { destruct L as [L | <-]; [|rewrite Ropp_0, exp_0; lra]. left. rewrite <- exp_0. apply exp_increasing. lra. }
  induction N as [|N IH]; intros q Q.
  - simpl. unfold mistakes. simpl. rewrite Rmult_0_r, exp_0. lra.
  - cbn [labellings]. rewrite sum_app, !sum_map.
    assert (first : forall b, sum (fun y => exp (- lambda * mistakes q (b :: y))) (labellings N)
      = exp (- lambda * q 0%nat b) * sum (fun y => exp (- lambda * mistakes (fun i => q (S i)) y)) (labellings N)).
    { intros b. rewrite <- sum_scal. apply sum_ext. intros y. now rewrite mistakes_cons, Rmult_plus_distr_l, exp_plus. }
    rewrite !first, <- Rmult_plus_distr_r, <- tech_pow_Rmult.
    specialize (IH (fun i => q (S i)) (fun i => Q (S i))). destruct (Q 0%nat) as [range both].
    pose proof (below_the_chord lambda _ (range true)). pose proof (below_the_chord lambda _ (range false)).
    assert (one_point : exp (- lambda * q 0%nat false) + exp (- lambda * q 0%nat true) <= 1 + exp (- lambda)) by nra.
    apply Rmult_le_compat; auto.
    + left. apply Rplus_lt_0_compat; apply exp_pos.
    + rewrite <- (Rmult_0_r (INR (length (labellings N)))), <- sum_const.
      apply sum_le. intros y. left. apply exp_pos.
Qed.

(** The labellings on which a classifier makes at most tau N mistakes. *)
Definition few_mistakes tau (q : nat -> bool -> R) (y : list bool) : R :=
  indicator (at_most (mistakes q y) (tau * INR (length y))).

Lemma labellings_of_one_classifier tau N q : 0 < tau <= 1 / 2 -> classifies q ->
  sum (few_mistakes tau q) (labellings N) <= exp (INR N * entropy tau).
Proof.
  intros T Q. set (lambda := ln (1 - tau) - ln tau).
  assert (L : 0 <= lambda).
  { unfold lambda. destruct (Req_dec tau (1 - tau)) as [<-|]; [lra|].
    assert (ln tau < ln (1 - tau)) by (apply ln_increasing; lra). lra. }
  assert (few : forall y, In y (labellings N) ->
    few_mistakes tau q y <= exp (lambda * (tau * INR N)) * exp (- lambda * mistakes q y)).
  { intros y Hy. unfold few_mistakes. rewrite (length_of_labelling N y Hy), <- exp_plus.
    unfold at_most. destruct (Rle_dec _ _) as [Few|]; simpl; [|left; apply exp_pos].
    eapply Rle_trans; [|apply exp_ineq1_le]. nra. }
  eapply Rle_trans; [apply (sum_le_in _ _ _ few)|]. rewrite sum_scal.
  eapply Rle_trans; [apply Rmult_le_compat_l; [left; apply exp_pos | apply (moment_of_mistakes lambda N L q Q)]|].
  assert (base : 1 + exp (- lambda) = exp (- ln (1 - tau))).
  { unfold lambda. replace (- (ln (1 - tau) - ln tau)) with (ln tau + - ln (1 - tau)) by lra.
    rewrite exp_plus, exp_Ropp, !exp_ln by lra. field. lra. }
  rewrite base, <- exp_nat_mult, <- exp_plus. right. f_equal. unfold lambda, entropy. ring.
Qed.

Lemma learners_of_all_labellings {X O} N n eps c tau beta (Q : law X) (D : list bool -> law X)
    (q : O -> nat -> bool -> R) (M : data X n -> law O) :
  0 < tau <= 1 / 2 -> 0 <= c -> (forall y, length y = N -> covers eps c Q (D y)) ->
  (forall o, classifies (q o)) -> dp (nb n) eps 0 M ->
  (forall y, length y = N -> then_ (iid (D y) n) M (fun o => few_mistakes tau (q o) y) >= 1 - beta) ->
  c ^ n * 2 ^ N * (1 - beta) <= exp (INR N * entropy tau).
Proof.
  intros T C Cover Classifies Private Learns.
  set (B := then_ (iid Q n) M).
  assert (Tf : forall y, test (fun o => few_mistakes tau (q o) y)) by (intros y o; apply (test_indicator (fun b => b))).
  assert (each : forall y, In y (labellings N) -> c ^ n * (1 - beta) <= B (fun o => few_mistakes tau (q o) y)).
  { intros y Hy. apply length_of_labelling in Hy.
    eapply Rle_trans; [|apply (exchange_of_records eps c Q (D y) C (Cover y Hy) n M Private _ (Tf y))].
    apply Rmult_le_compat_l; [now apply pow_le | apply Rge_le, Learns, Hy]. }
  pose proof (sum_le_in _ _ _ each) as total. rewrite sum_const, number_of_labellings, <- E_sum in total by exact Tf.
  replace (c ^ n * 2 ^ N * (1 - beta)) with (2 ^ N * (c ^ n * (1 - beta))) by ring.
  eapply Rle_trans; [exact total|].
  rewrite <- (E_const B (exp (INR N * entropy tau))).
  apply E_mono; auto using bounded_sum, bounded_const.
  intros o. now apply labellings_of_one_classifier.
Qed.
