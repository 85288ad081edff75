(** The meter, what Theorem 1 cannot do without.

    Two checks of privacy/Meter.v. A learner that draws once and returns the outcome gives each outcome the probability
    of the draw: the probability of a set of results is what it should be. And the converse that the page names: where a
    result tells its transcript, a transcript whose losses add up to more than epsilon is an event on which
    (epsilon, 0)-privacy fails.

    Claims: none.
*)
Require Import Reals Lra Lia List.
From DpAssay Require Import Trees Meter. Import ListNotations.
Open Scope R_scope.

Section converse.
Context {X O : Type}.

(** The probability of a result that one transcript alone gives. *)
Lemma result_of_one_transcript (L : @learner X O) x r : lawful L -> L x = Return r ->
  (forall y, L y = Return r -> y = x) ->
  result_probability L (fun r' => r' = r) (transcript_probability L x).
Proof.
  intros law returns alone. split.
  - intros s (transcripts & distinct & inside & ->).
    assert (only : forall y, In y transcripts -> y = x).
    { rewrite Forall_forall in inside. intros y member. destruct (inside y member) as (r' & E & ->). auto. }
    destruct distinct as [|y l fresh distinct]; simpl; [now apply transcript_probability_nonneg|].
    rewrite (only y) by (simpl; auto). destruct l as [|z l]; [simpl; lra|]. destruct fresh.
    rewrite (only y), (only z) by (simpl; auto). simpl. auto.
  - intros bound above. apply above. exists [x]. split; [constructor; [tauto | constructor]|].
    split; [constructor; [exists r; auto | constructor] | simpl; lra].
Qed.

(** meter, the converse of Theorem 1: if a result is given by one transcript alone, and the losses of this transcript
    add up to more than epsilon, the result is more than e^epsilon times as likely on the first dataset. *)
Theorem meter_converse epsilon (L L' : @learner X O) x r P P' : lawful L -> lawful L' -> draw_alike L L' ->
  possible L x -> L x = Return r -> L' x = Return r ->
  (forall y, L y = Return r -> y = x) -> (forall y, L' y = Return r -> y = x) ->
  epsilon < total_loss L L' x ->
  result_probability L (fun r' => r' = r) P -> result_probability L' (fun r' => r' = r) P' -> exp epsilon * P' < P.
Proof.
  intros law law' alike possibly returns returns' alone alone' loss HP HP'.
  assert (P = transcript_probability L x) as ->.
  { eapply is_lub_u; [exact HP | now apply (result_of_one_transcript L x r)]. }
  assert (P' = transcript_probability L' x) as ->.
  { eapply is_lub_u; [exact HP' | now apply (result_of_one_transcript L' x r)]. }
  rewrite (transcript_ratio L L' x alike possibly). apply Rmult_lt_compat_r; [|now apply exp_increasing].
  assert (possibly' := possible_alike L L' x alike possibly). clear - possibly' returns' law'.
  revert L' possibly' returns' law'. induction x as [|o rest IH]; intros L' possibly' returns' law'; simpl in *.
  - rewrite returns'. lra.
  - destruct (L' []) as [p'|] eqn:E; [|tauto]. destruct possibly' as [positive possibly'].
    apply Rmult_lt_0_compat; auto. apply IH; auto. now apply lawful_after.
Qed.
End converse.

(** The learner that draws once, from p, and returns the outcome. *)
Definition one_draw {X} (p : X -> R) : @learner X X := fun x => match x with [] => Draw p | o :: _ => Return o end.

(** It returns each outcome with its probability. *)
Theorem one_draw_probability {X} (p : X -> R) o : is_probability p ->
  result_probability (one_draw p) (fun r => r = o) (p o).
Proof.
  intros Hp. assert (law : lawful (one_draw p)).
  { intros [|o' rest] q E; [injection E as <-; exact Hp | discriminate]. }
  assert (rests : forall o' rest, transcript_probability (one_draw p) (o' :: rest)
    = p o' * match rest with [] => 1 | _ => 0 end).
  { intros o' [|o'' rest]; simpl; lra. }
  split.
  - intros s (transcripts & distinct & inside & ->).
    enough (sumR (transcript_probability (one_draw p)) transcripts <= p o
      /\ (~ In [o] transcripts -> sumR (transcript_probability (one_draw p)) transcripts = 0)) as [le _] by exact le.
    pose proof (proj1 Hp o) as nonneg.
    induction distinct as [|x l fresh distinct IH]; [simpl; split; auto; lra|].
    inversion_clear inside as [|? ? here inside']. destruct (IH inside') as [le none].
    destruct here as (r & E & ->). destruct x as [|o' rest]; [discriminate|]. simpl in E. injection E as ->.
    change (sumR (transcript_probability (one_draw p)) ((o :: rest) :: l)) with
      (transcript_probability (one_draw p) (o :: rest) + sumR (transcript_probability (one_draw p)) l).
    rewrite rests. destruct rest as [|o'' rest].
    + split; [rewrite none by auto; lra | intros absent; destruct absent; simpl; auto].
    + split; [lra|].
      intros absent. rewrite none; [lra|].
      intros member. apply absent. simpl. auto.
  - intros bound above. apply above. exists [[o]]. split; [constructor; [tauto | constructor]|].
    split; [constructor; [exists o; auto | constructor] | simpl; lra].
Qed.
