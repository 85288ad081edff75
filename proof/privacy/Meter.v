(** The meter, Theorem 1: losses on every path bound the privacy of a learner.

    A learner on given data is a rule that says, after every sequence of outcomes, whether it draws again and from which
    law, or what it returns. The outcomes are of any one type X, the laws are given by their probabilities (finitely or
    countably many are positive), and a run may have any number of draws, without a bound. The probability that the
    result lies in a set is the sum over all transcripts that end in it. Theorem 1: if two runs in lockstep draw equally
    often, from laws with the same possible outcomes, return the same, and have losses that add up to at most epsilon in
    absolute value, on every path that is possible for one of them, then the result of the one lies in any set with at
    most e^epsilon times the probability of the other, and the other way round.

    The statement is that of the page. That both runs end with probability 1 is not assumed: a run that never ends has
    no result. Laws with a density are outside.

    Claims: none.
*)
Require Import Reals Lra List.
From DpAssay Require Import Trees. Import ListNotations.
Open Scope R_scope.

Section meter.
Context {X O : Type}.

(** What a learner does next: it draws, from a law with these probabilities, or it returns a result. *)
Inductive action := Draw (probability : X -> R) | Return (result : O).
(** A learner on given data: a function of the outcomes so far, the first one first. *)
Definition learner := list X -> action.
(** The learner once its first draw has come out as o. *)
Definition after (o : X) (L : learner) : learner := fun rest => L (o :: rest).

(** Every law has probabilities: they are not negative, and finitely many add up to at most 1. *)
Definition is_probability (p : X -> R) : Prop :=
  (forall o, 0 <= p o) /\ (forall l, NoDup l -> sumR p l <= 1).
Definition lawful (L : learner) : Prop := forall x p, L x = Draw p -> is_probability p.

(** The outcomes x are possible: the learner draws each of them, with positive probability. *)
Fixpoint possible (L : learner) (x : list X) : Prop :=
  match x with
  | [] => True
  | o :: rest => match L [] with Draw p => 0 < p o /\ possible (after o L) rest | Return _ => False end
  end.

(** The probability that the learner draws exactly the outcomes x and then returns. *)
Fixpoint transcript_probability (L : learner) (x : list X) : R :=
  match x with
  | [] => match L [] with Draw _ => 0 | Return _ => 1 end
  | o :: rest => match L [] with Draw p => p o * transcript_probability (after o L) rest | Return _ => 0 end
  end.

(** After x the learner returns a result in the set. *)
Definition returns_in (L : learner) (set : O -> Prop) (x : list X) : Prop := exists r, L x = Return r /\ set r.

(** The probability that the result lies in a set: the least upper bound of the finite sums over its transcripts. *)
Definition result_probability (L : learner) (set : O -> Prop) (P : R) : Prop :=
  is_lub (fun s => exists transcripts, NoDup transcripts /\ Forall (returns_in L set) transcripts
                   /\ s = sumR (transcript_probability L) transcripts) P.

(** The sum of the privacy losses ln(p(o) / p'(o)) of the draws. *)
Fixpoint total_loss (L L' : learner) (x : list X) : R :=
  match x with
  | [] => 0
  | o :: rest =>
      match L [], L' [] with
      | Draw p, Draw p' => ln (p o / p' o) + total_loss (after o L) (after o L') rest
      | _, _ => 0
      end
  end.

(** The three conditions of the theorem, on every sequence of outcomes that is possible for one of the two. *)
Definition draw_alike (L L' : learner) : Prop := forall x, possible L x \/ possible L' x ->
  match L x, L' x with
  | Draw p, Draw p' => forall o, 0 < p o <-> 0 < p' o
  | Return _, Return _ => True
  | _, _ => False
  end.
Definition return_alike (L L' : learner) : Prop := forall x, possible L x \/ possible L' x ->
  forall r r', L x = Return r -> L' x = Return r' -> r = r'.
Definition losses_at_most (epsilon : R) (L L' : learner) : Prop := forall x, possible L x \/ possible L' x ->
  (exists r, L x = Return r) -> Rabs (total_loss L L' x) <= epsilon.
Definition metered (epsilon : R) (L L' : learner) : Prop :=
  draw_alike L L' /\ return_alike L L' /\ losses_at_most epsilon L L'.

(** * Transcripts *)

Lemma lawful_after o L : lawful L -> lawful (after o L).
Proof. intros H x p E. exact (H (o :: x) p E). Qed.

Lemma transcript_probability_nonneg L x : lawful L -> 0 <= transcript_probability L x.
Proof.
  revert L. induction x as [|o rest IH]; intros L H; simpl; destruct (L []) as [p|r] eqn:E; try lra.
  apply Rmult_le_pos; [apply (H [] p E) | apply IH, lawful_after, H].
Qed.

Lemma possible_transcript L x : lawful L -> 0 < transcript_probability L x -> possible L x.
Proof.
  revert L. induction x as [|o rest IH]; intros L H; simpl; auto.
  destruct (L []) as [p|r] eqn:E; [|lra]. intros pos.
  pose proof (proj1 (H [] p E) o). pose proof (transcript_probability_nonneg (after o L) rest (lawful_after o L H)).
  split; [destruct (Rle_lt_or_eq_dec 0 (p o)); auto; subst; nra|]. apply IH; [now apply lawful_after | nra].
Qed.

Lemma draw_alike_after o L L' p p' : L [] = Draw p -> L' [] = Draw p' -> 0 < p o -> 0 < p' o ->
  draw_alike L L' -> draw_alike (after o L) (after o L').
Proof.
  intros E E' pos pos' H x possibly. apply (H (o :: x)). simpl. rewrite E, E'. tauto.
Qed.

(** What is possible on the one is possible on the other. *)
Lemma possible_alike L L' x : draw_alike L L' -> possible L x -> possible L' x.
Proof.
  revert L L'. induction x as [|o rest IH]; intros L L' alike; simpl; auto.
  pose proof (alike [] (or_introl I)) as same. destruct (L []) as [p|r] eqn:E; [|tauto].
  destruct (L' []) as [p'|r'] eqn:E'; [|tauto]. intros [pos possibly]. assert (0 < p' o) by (now apply same).
  split; auto. apply (IH (after o L)); auto. eapply draw_alike_after; eauto.
Qed.

(** The loss is the logarithm of the quotient of the probabilities of the transcript. *)
Lemma transcript_ratio L L' x : draw_alike L L' -> possible L x ->
  transcript_probability L x = exp (total_loss L L' x) * transcript_probability L' x.
Proof.
  revert L L'. induction x as [|o rest IH]; intros L L' alike possibly; simpl in *.
  - rewrite exp_0. pose proof (alike [] (or_introl I)) as same. destruct (L []), (L' []); tauto || lra.
  - pose proof (alike [] (or_introl I)) as same. destruct (L []) as [p|r] eqn:E; [|tauto].
    destruct (L' []) as [p'|r'] eqn:E'; [|tauto]. destruct possibly as [pos possibly].
    assert (pos' : 0 < p' o) by (now apply same).
    rewrite (IH (after o L) (after o L')) by (auto; eapply draw_alike_after; eauto).
    rewrite exp_plus, exp_ln by (now apply Rdiv_lt_0_compat). field. lra.
Qed.

Lemma draw_alike_sym L L' : draw_alike L L' -> draw_alike L' L.
Proof.
  intros H x possibly. specialize (H x ltac:(tauto)). destruct (L x), (L' x); auto. intros o. symmetry. apply H.
Qed.
Lemma total_loss_sym L L' x : draw_alike L L' -> possible L x -> total_loss L' L x = - total_loss L L' x.
Proof.
  revert L L'. induction x as [|o rest IH]; intros L L' alike possibly; simpl in *; [lra|].
  pose proof (alike [] (or_introl I)) as same. destruct (L []) as [p|r] eqn:E; [|tauto].
  destruct (L' []) as [p'|r'] eqn:E'; [|tauto]. destruct possibly as [pos possibly].
  assert (pos' : 0 < p' o) by (now apply same).
  rewrite (IH (after o L) (after o L')) by (auto; eapply draw_alike_after; eauto).
  unfold Rdiv. rewrite !ln_mult, !ln_Rinv by (auto; now apply Rinv_0_lt_compat). lra.
Qed.
Lemma metered_sym epsilon L L' : metered epsilon L L' -> metered epsilon L' L.
Proof.
  intros (alike & results & losses). split; [now apply draw_alike_sym|]. split.
  - intros x possibly r r' E E'. symmetry. apply (results x); tauto.
  - intros x possibly [r E]. assert (possible L x).
    { destruct possibly; auto. apply (possible_alike L'); auto. now apply draw_alike_sym. }
    rewrite total_loss_sym, Rabs_Ropp by auto. apply losses; auto.
    pose proof (alike x ltac:(auto)) as same. rewrite E in same. destruct (L x); [tauto | eauto].
Qed.

(** * The theorem *)

Lemma sum_of_positive (f : list X -> R) l : (forall x, 0 <= f x) ->
  sumR f (filter (fun x => if Rlt_dec 0 (f x) then true else false) l) = sumR f l.
Proof.
  intros nonneg. induction l as [|x l IH]; simpl; auto. destruct (Rlt_dec 0 (f x)); simpl; rewrite IH; auto.
  specialize (nonneg x). lra.
Qed.
Lemma sum_at_most {Y} (f g : Y -> R) a l : Forall (fun x => f x <= a * g x) l -> sumR f l <= a * sumR g l.
Proof. induction 1; simpl; lra. Qed.

Lemma metered_one_way epsilon L L' set P P' : lawful L -> lawful L' -> metered epsilon L L' ->
  result_probability L set P -> result_probability L' set P' -> P <= exp epsilon * P'.
Proof.
  intros law law' (alike & results & losses) [_ least] [upper' _]. apply least.
  intros s (transcripts & distinct & inside & ->).
  set (positive := filter (fun x => if Rlt_dec 0 (transcript_probability L x) then true else false) transcripts).
  assert (each : Forall (fun x => possible L x /\ returns_in L set x) positive).
  { apply Forall_forall. intros x Hx. apply filter_In in Hx as [Hx pos]. rewrite Forall_forall in inside.
    destruct (Rlt_dec 0 (transcript_probability L x)); [|discriminate]. split; [now apply possible_transcript | auto]. }
  rewrite <- sum_of_positive by (intros; now apply transcript_probability_nonneg). fold positive.
  apply Rle_trans with (exp epsilon * sumR (transcript_probability L') positive).
  - apply sum_at_most. eapply Forall_impl; [|exact each]. intros x (possibly & r & E & _).
    rewrite (transcript_ratio L L') by auto.
    apply Rmult_le_compat_r; [now apply transcript_probability_nonneg|].
    specialize (losses x (or_introl possibly) (ex_intro _ r E)). pose proof (Rle_abs (total_loss L L' x)).
    assert (bound : total_loss L L' x <= epsilon) by lra.
    destruct bound as [less | ->]; [left; now apply exp_increasing | lra].
  - apply Rmult_le_compat_l; [left; apply exp_pos|]. apply upper'. exists positive. repeat split.
    + now apply NoDup_filter.
    + eapply Forall_impl; [|exact each]. intros x (possibly & r & E & member).
      pose proof (alike x (or_introl possibly)) as same. rewrite E in same.
      destruct (L' x) as [|r'] eqn:E'; [tauto|]. exists r'. split; auto.
      now rewrite <- (results x (or_introl possibly) r r' E E').
Qed.

(** meter, Theorem 1: if on every possible path two runs draw equally often, from laws with the same possible outcomes,
    return the same, and have losses that add up to at most epsilon in absolute value, then each lands in any set of
    results with at most e^epsilon times the probability of the other. *)
Theorem meter_pure_privacy epsilon L L' : lawful L -> lawful L' -> metered epsilon L L' ->
  forall set P P', result_probability L set P -> result_probability L' set P' ->
  P <= exp epsilon * P' /\ P' <= exp epsilon * P.
Proof.
  intros law law' H set P P' HP HP'. split; [apply (metered_one_way epsilon L L' set)|
    apply (metered_one_way epsilon L' L set)]; auto using metered_sym.
Qed.
End meter.
