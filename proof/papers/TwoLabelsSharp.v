(** The lower bound by two labels at one point is attained, by a learner.

    In dimension 1 with margin 1, every record (x, y) of a distribution has x = 1 or -1, and y x is always the same
    sign. With n = 2 records, take y x of each as a vote. Return the sign of the votes with probability 9/10 if they
    agree, and a fair coin otherwise. This is (ln 5, 0)-private and a (1/10, 1/10, 1)-learner, and
    e^(floor(n/2) epsilon) + e^(ceil(n/2) epsilon) = 5 + 5 = 10: the last bound of PureLowerBound.v cannot be improved
    there. It also shows that there are learners in the sense of Learners.v.

    Claims: nuz20.thm12.corrected.
*)
Require Import Reals Lra Lia List Bool. Import ListNotations.
From DpAssay Require Import Privacy Neighbours RealVectors Events Learners.
Open Scope R_scope.

Definition value (x : ball 1) : R := hd 0 (coordinates x).
(** The hypothesis b: true is the direction +1, false is -1. *)
Definition label (b : bool) (x : ball 1) : bool := if Rle_dec 0 (value x) then b else negb b.
Definition mistake (b : bool) (x : ball 1) (y : bool) : R := indicator (negb (eqb y (label b x))).
(** The direction that a record votes for. *)
Definition vote (r : example 1) : bool := if Rle_dec 0 (value (fst r)) then snd r else negb (snd r).

Definition answer (v v' b : bool) : R := if eqb v v' then (if eqb b v then 9 / 10 else 1 / 10) else 1 / 2.
Lemma answer_nonneg v v' b : 0 <= answer v v' b.
Proof. unfold answer. destruct v, v', b; simpl; lra. Qed.
Lemma answer_total v v' : sum (answer v v') [true; false] = 1.
Proof. unfold answer. destruct v, v'; simpl; lra. Qed.
Definition by_votes (s : data (example 1) 2) : law bool :=
  let v := vote (fst s) in let v' := vote (fst (snd s)) in
  finite (answer v v') [true; false] (answer_nonneg v v') (answer_total v v').

Lemma by_votes_is_private : dp (nb 2) (ln 5) 0 by_votes.
Proof.
  intros [r [r' []]] [t [t' []]] N. apply pointwise. intros b. rewrite exp_ln by lra. simpl in *.
  assert (One : r' = t' \/ r = t) by (destruct N as [N | [N _]]; [left; now injection N | now right]).
  unfold answer. destruct One as [-> | ->].
  - destruct (vote r), (vote t), (vote t'), b; simpl; lra.
  - destruct (vote t), (vote r'), (vote t'), b; simpl; lra.
Qed.

Lemma mistakes_are_probabilities : hypotheses mistake.
Proof.
  intros b x. unfold mistake, label.
  split; [intros y|]; destruct (Rle_dec _ _), b; try destruct y; simpl; lra.
Qed.

(** With margin 1 all votes are the same, and the hypothesis that they are for makes no mistake. *)
Lemma votes_agree k record : separated 1 k record ->
  exists b, forall i, (i < k)%nat -> vote (record i) = b /\ mistake b (fst (record i)) (snd (record i)) = 0.
Proof.
  intros [w [Lw [Nw Margin]]]. destruct w as [|c [|? ?]]; try discriminate. simpl in Nw.
  exists (if Rle_dec 0 c then true else false). intros i I. specialize (Margin i I).
  destruct (record i) as [[x [Lx Nx]] y]. destruct x as [|v [|? ?]]; try discriminate.
  unfold mistake, vote, label, value in *. cbn [fst snd coordinates proj1_sig hd inner] in *.
  destruct y, (Rle_dec 0 v), (Rle_dec 0 c); simpl in *; try (split; easy); exfalso; nra.
Qed.

Lemma by_votes_learns : learns mistake (1 / 10) (1 / 10) 1 by_votes.
Proof.
  intros k weight record nonneg total Separated D. destruct (votes_agree k record Separated) as [b Agree].
  assert (no_error : error mistake D b = 0).
  { unfold error, D. cbn [E distribution relabel then_ unit_law finite].
    rewrite (sum_ext_in _ (fun _ => 0)); [rewrite sum_const; lra|].
    intros i I. apply in_seq in I. destruct (Agree i) as [_ ->]; [lia | lra]. }
  assert (good_b : good mistake D (1 / 10) b = 1) by (unfold good; apply indicator_at_most; lra).
  assert (two : forall i j, In i (seq 0 k) -> In j (seq 0 k) ->
    9 / 10 <= by_votes (record i, (record j, tt)) (good mistake D (1 / 10))).
  { intros i j I J. apply in_seq in I. apply in_seq in J. cbn [E by_votes finite fst snd].
    destruct (Agree i) as [-> _]; [lia|]. destruct (Agree j) as [-> _]; [lia|].
    assert (T : test (good mistake D (1 / 10))) by apply (test_indicator (fun o => at_most _ _)).
    pose proof (T (negb b)) as Other. unfold answer. rewrite eqb_reflx.
    destruct b; simpl; simpl in Other; rewrite good_b; lra. }
  assert (mean : forall (f : nat -> R), (forall i, In i (seq 0 k) -> 9 / 10 <= f i) ->
    9 / 10 <= sum (fun i => weight i * f i) (seq 0 k)).
  { intros f F. rewrite <- (Rmult_1_r (9 / 10)), <- total, <- sum_scal. apply sum_le_in.
    intros i I. rewrite Rmult_comm. apply Rmult_le_compat_l; auto. }
  apply Rle_ge. replace (1 - 1 / 10) with (9 / 10) by lra. unfold D at 1.
  cbn [iid E distribution relabel then_ unit_law finite].
  apply mean. intros i I. apply mean. intros j J. now apply two.
Qed.

(** nuz20.thm12.corrected: its last bound cannot be improved: at e^epsilon = 5 and n = 2, where
    e^(floor(n/2) epsilon) + e^(ceil(n/2) epsilon) = 10, there is an (epsilon, 0)-private (1/10, 1/10, 1)-learner. *)
Theorem two_labels_bound_is_attained : let eps := ln 5 in let n := 2%nat in
  exp (INR (n / 2) * eps) + exp (INR (n - n / 2) * eps) = 10 /\
  hypotheses mistake /\ dp (nb n) eps 0 by_votes /\ learns mistake (1 / 10) (1 / 10) 1 by_votes.
Proof.
  intros eps n. split; [simpl; rewrite Rmult_1_l; unfold eps; rewrite exp_ln; lra|].
  split; [apply mistakes_are_probabilities|]. split; [apply by_votes_is_private | apply by_votes_learns].
Qed.
