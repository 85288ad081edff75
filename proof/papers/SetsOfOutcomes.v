(** Privacy for all sets of outcomes, by single outcomes (Definition 2.1).

    For laws on finitely many outcomes, given by their probabilities: P(S) <= e^eps P'(S) + delta for all sets S of
    outcomes, if and only if the sum over outcomes of max(0, P(o) - e^eps P'(o)) is at most delta; for delta = 0, if and
    only if P(o) <= e^eps P'(o) for each outcome. And this is what `close` says, with tests in the place of sets.

    Claims: bms22.def2_1.
*)
Require Import Reals Lra Lia List Bool. Import ListNotations.
From DpAssay Require Import Privacy Events PrivacyByEvents.
Open Scope R_scope.

Section two_laws.
(** P and P' have the probabilities p o and p' o on the outcomes of a list. *)
Context {O : Type} (outcomes : list O) (p p' : O -> R).
Context (p_pos : forall o, 0 <= p o) (p_sum : sum p outcomes = 1).
Context (p'_pos : forall o, 0 <= p' o) (p'_sum : sum p' outcomes = 1).
Let P : law O := finite p outcomes p_pos p_sum.
Let P' : law O := finite p' outcomes p'_pos p'_sum.

(** Definition 2.1, one of its two inequalities: for all sets of outcomes. *)
Definition for_all_sets eps delta : Prop := forall S, probability P S <= exp eps * probability P' S + delta.

(** The sum over outcomes of max(0, P(o) - e^eps P'(o)). *)
Definition excess eps : R := sum (fun o => Rmax 0 (p o - exp eps * p' o)) outcomes.

Lemma finite_difference eps f : P f - exp eps * P' f = sum (fun o => (p o - exp eps * p' o) * f o) outcomes.
Proof.
  unfold P, P'. cbn [E finite]. rewrite <- sum_scal. clear. induction outcomes as [|o l IH]; simpl; [lra|].
  rewrite <- IH. lra.
Qed.

(** The excess is attained by the set of outcomes where P is above e^eps P'. *)
Lemma excess_attained eps :
  excess eps = sum (fun o => (p o - exp eps * p' o) * indicator (negb (at_most (p o) (exp eps * p' o)))) outcomes.
Proof.
  apply sum_ext. intros o. destruct (at_most (p o) (exp eps * p' o)) eqn:A; simpl.
  - apply at_most_true in A. rewrite Rmax_left; lra.
  - apply at_most_false in A. rewrite Rmax_right; lra.
Qed.

Lemma difference_below_excess eps f : test f -> P f - exp eps * P' f <= excess eps.
Proof.
  intros Hf. rewrite finite_difference. apply sum_le. intros o. specialize (Hf o).
  pose proof (Rmax_l 0 (p o - exp eps * p' o)). pose proof (Rmax_r 0 (p o - exp eps * p' o)).
  destruct (Rle_dec 0 (p o - exp eps * p' o)); nra.
Qed.

(** bms22.def2_1: for all sets, if and only if the sum of max(0, P(o) - e^eps P'(o)) is at most delta. *)
Theorem sets_by_excess eps delta : for_all_sets eps delta <-> excess eps <= delta.
Proof.
  split; intros H.
  - rewrite excess_attained, <- finite_difference.
    specialize (H (fun o => negb (at_most (p o) (exp eps * p' o)))). unfold probability in H. lra.
  - intros S. pose proof (difference_below_excess eps (fun o => indicator (S o)) (test_indicator S)).
    unfold probability. lra.
Qed.

(** bms22.def2_1: for delta = 0, if and only if P(o) <= e^eps P'(o) for each outcome. *)
Theorem sets_by_outcomes eps : for_all_sets eps 0 <-> forall o, In o outcomes -> p o <= exp eps * p' o.
Proof.
  rewrite sets_by_excess. unfold excess. clear p_sum p'_sum P P'. induction outcomes as [|o l IH].
  - simpl. split; [intros _ o [] | lra].
  - assert (pos : forall l, 0 <= sum (fun o => Rmax 0 (p o - exp eps * p' o)) l).
    { clear. induction l as [|o l IH]; simpl; [lra|]. pose proof (Rmax_l 0 (p o - exp eps * p' o)). lra. }
    cbn [sum]. pose proof (Rmax_l 0 (p o - exp eps * p' o)) as L. pose proof (Rmax_r 0 (p o - exp eps * p' o)) as R'.
    specialize (pos l). split; intros H.
    + intros a [<- | I]; [lra | apply IH; [lra | exact I]].
    + assert (head : p o <= exp eps * p' o) by (apply H; now left).
      rewrite Rmax_left by lra. assert (sum (fun o => Rmax 0 (p o - exp eps * p' o)) l <= 0); [|lra].
      apply IH. intros a I. apply H. now right.
Qed.

(** bms22.def2_1: sets of outcomes say the same as tests with values in [0, 1]. *)
Theorem sets_by_tests eps delta : for_all_sets eps delta <-> close eps delta P P'.
Proof.
  rewrite sets_by_excess. split; intros H.
  - intros f Hf. pose proof (difference_below_excess eps f Hf). lra.
  - rewrite excess_attained, <- finite_difference.
    specialize (H (fun o => indicator (negb (at_most (p o) (exp eps * p' o))))
      (test_indicator (fun o => negb (at_most (p o) (exp eps * p' o))))). lra.
Qed.
End two_laws.
