(** The probability of a set of results of a learner.

    What privacy/Meter.v speaks of exists: for every learner whose laws are probabilities, and every set of results, the
    finite sums over transcripts that end in the set have a least upper bound, and it lies between 0 and 1. The reason
    is that the transcripts of one learner exclude each other: any finitely many add up to at most 1.

    Claims: none.
*)
Require Import Reals Lra Lia List Bool.
From DpAssay Require Import Trees Meter. Import ListNotations.
Open Scope R_scope.

Section transcripts.
Context {X O : Type} (dec : forall o o' : X, {o = o'} + {o <> o'}).

Lemma sum_plus (f g : X -> R) l : sumR (fun o => f o + g o) l = sumR f l + sumR g l.
Proof. induction l; simpl; [lra|]. rewrite IHl. lra. Qed.
Lemma sum_le (f g : X -> R) l : (forall o, f o <= g o) -> sumR f l <= sumR g l.
Proof. intros le. induction l; simpl; [lra|]. specialize (le a). lra. Qed.
Lemma sum_single (f : X -> R) o l : NoDup l -> In o l -> sumR (fun o' => if dec o o' then f o' else 0) l = f o.
Proof.
  assert (absent : forall l, ~ In o l -> sumR (fun o' => if dec o o' then f o' else 0) l = 0).
  { induction l0; simpl; intros fresh; [lra|]. destruct (dec o a); [subst; tauto|]. rewrite IHl0; [lra | tauto]. }
  induction 1 as [|o' rest fresh distinct IH]; [contradiction|]. intros member. simpl.
  destruct (dec o o') as [<-|other].
  - rewrite absent by auto. lra.
  - destruct member as [->|member]; [congruence|]. rewrite (IH member). lra.
Qed.

(** The transcripts that begin with o, without it. *)
Fixpoint beginning_with (o : X) (l : list (list X)) : list (list X) :=
  match l with
  | [] => []
  | [] :: rest => beginning_with o rest
  | (o' :: x) :: rest => if dec o' o then x :: beginning_with o rest else beginning_with o rest
  end.
Fixpoint first_outcomes (l : list (list X)) : list X :=
  match l with [] => [] | [] :: rest => first_outcomes rest | (o :: _) :: rest => o :: first_outcomes rest end.

Lemma in_beginning_with o x l : In x (beginning_with o l) <-> In (o :: x) l.
Proof.
  induction l as [|[|o' y] l IH]; simpl; [tauto | rewrite IH; intuition discriminate|].
  destruct (dec o' o) as [->|other]; simpl; rewrite IH; intuition congruence.
Qed.
Lemma beginning_with_distinct o l : NoDup l -> NoDup (beginning_with o l).
Proof.
  induction 1 as [|[|o' y] l fresh _ IH]; simpl; auto; [constructor|].
  destruct (dec o' o) as [->|]; auto. constructor; auto. now rewrite in_beginning_with.
Qed.
Lemma first_outcomes_all o x l : In (o :: x) l -> In o (first_outcomes l).
Proof.
  induction l as [|[|o' y] l IH]; simpl; [tauto | intros [|]; [discriminate | auto]|].
  intros [E|member]; [left; congruence | auto].
Qed.

(** Where the learner draws first, a sum over transcripts is one over the first outcomes. *)
Lemma sum_by_first (L : @learner X O) p l firsts : L [] = Draw p -> NoDup firsts ->
  (forall o x, In (o :: x) l -> In o firsts) ->
  sumR (transcript_probability L) l
  = sumR (fun o => p o * sumR (transcript_probability (after o L)) (beginning_with o l)) firsts.
Proof.
  intros E distinct. induction l as [|[|o y] l IH]; intros all.
  - simpl sumR at 1. rewrite (sumR_ext _ (fun _ => 0) firsts) by (intros; simpl; lra). rewrite sumR_const. lra.
  - transitivity (sumR (transcript_probability L) l); [simpl; rewrite E; lra|].
    apply IH. intros o x member. apply (all o x). now right.
  - transitivity (p o * transcript_probability (after o L) y + sumR (transcript_probability L) l).
    { simpl. now rewrite E. }
    rewrite IH by (intros o' x member; apply (all o' x); now right).
    set (sums := fun o => p o * sumR (transcript_probability (after o L)) (beginning_with o l)).
    set (one := fun o' => p o' * transcript_probability (after o' L) y).
    transitivity (sumR (fun o' => (if dec o o' then one o' else 0) + sums o') firsts).
    + rewrite sum_plus, sum_single; auto. apply (all o y). simpl. auto.
    + apply sumR_ext. intros o'. unfold sums, one. simpl beginning_with. destruct (dec o o'); simpl; lra.
Qed.

(** Transcripts exclude each other. *)
Lemma transcripts_exclusive n : forall (L : @learner X O) l, lawful L -> NoDup l ->
  Forall (fun x => (length x < n)%nat) l -> sumR (transcript_probability L) l <= 1.
Proof.
  induction n as [|n IH]; intros L l law distinct short.
  - destruct l as [|x l]; [simpl; lra|]. inversion short; subst. lia.
  - destruct (L []) as [p|r] eqn:E.
    + destruct (law [] p E) as [nonneg at_most].
      rewrite (sum_by_first L p l (nodup dec (first_outcomes l)) E (NoDup_nodup _ _)).
      2:{ intros o x member. apply nodup_In. eapply first_outcomes_all; eauto. }
      eapply Rle_trans; [|apply (at_most (nodup dec (first_outcomes l)) (NoDup_nodup _ _))].
      apply sum_le. intros o. rewrite <- (Rmult_1_r (p o)) at 2. apply Rmult_le_compat_l; auto.
      apply IH; [now apply lawful_after | now apply beginning_with_distinct|].
      apply Forall_forall. intros x member. apply in_beginning_with in member. rewrite Forall_forall in short.
      specialize (short _ member). simpl in short. lia.
    + clear - E distinct dec.
      enough ((In [] l -> sumR (transcript_probability L) l = 1)
        /\ (~ In [] l -> sumR (transcript_probability L) l = 0)) as [present absent].
      { destruct (in_dec (list_eq_dec dec) [] l); [rewrite present | rewrite absent]; auto; lra. }
      induction distinct as [|x l fresh distinct [present absent]]; [simpl; split; [tauto | auto]|].
      destruct x as [|o y]; simpl; rewrite E; split; intros member.
      * rewrite absent by auto. lra.
      * tauto.
      * destruct member as [|member]; [discriminate|]. rewrite present by auto. lra.
      * rewrite absent by tauto. lra.
Qed.

(** Every set of results of a lawful learner has a probability, between 0 and 1. *)
Theorem result_probability_exists (L : @learner X O) set : lawful L ->
  exists P, result_probability L set P /\ 0 <= P <= 1.
Proof.
  intros law.
  set (sums := fun s => exists transcripts, NoDup transcripts /\ Forall (returns_in L set) transcripts
                        /\ s = sumR (transcript_probability L) transcripts).
  assert (upper : is_upper_bound sums 1).
  { intros s (transcripts & distinct & _ & ->).
    assert (short : exists n, Forall (fun x => (length x < n)%nat) transcripts).
    { clear. induction transcripts as [|x l [n IH]]; [exists 0%nat; constructor|].
      exists (S (length x) + n)%nat. constructor; [lia|]. eapply Forall_impl; [|exact IH]. simpl. intros; lia. }
    destruct short as [n short]. now apply (transcripts_exclusive n). }
  assert (nothing : sums 0) by (exists []; repeat split; constructor).
  destruct (completeness sums) as [P lub]; [now exists 1 | now exists 0|].
  exists P. split; [exact lub|]. destruct lub as [above least]. split; [now apply above | now apply least].
Qed.
End transcripts.
