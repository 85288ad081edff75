(** What it means that a randomised program has a law.

    A program is a family of trees, one for each fuel. It has the law [probability] if, for every fuel and every result
    a, the tree gives a with a probability that is at most [probability a], and at least [probability a] less what is
    undecided; and if what is undecided vanishes as the fuel grows ([has_law]).
    The theorems say what follows: the probability of every result tends to [probability] ([law_is_the_limit]); over
    tapes of bits, the share of the tapes of n bits on which the program ends with a never exceeds [probability a] and
    comes as near to it as one likes ([law_on_tapes]); a program has at most one law ([law_is_unique]); the
    probabilities are at least 0 and add up to 1 ([law_nonnegative], [law_adds_up_to_one]); and the expected value of
    every test tends to its sum over the law ([law_of_a_test], [law_of_a_test_limit]).

    The laws in samplers/ are laws in this sense.

    Claims: none.
*)
Require Import Reals Lra Lia List Bool.
From DpAssay Require Import Trees.
Import ListNotations.
Open Scope R_scope.

Section Law.
Context {A : Type} (dec : forall x y : A, {x = y} + {x <> y}).

(** 1 on the result a, 0 on the others. *)
Definition equals (a x : A) : R := if dec x a then 1 else 0.

(** The probability that the tree [t] gives the result [a]. *)
Definition Pr (t : tree A) (a : A) : R := expect t (equals a).

(** [program] draws from the law in which [a] has the probability [probability a]. *)
Definition has_law (program : nat -> tree A) (probability : A -> R) : Prop :=
  (forall fuel a,
     Pr (program fuel) a <= probability a <= Pr (program fuel) a + undecided (program fuel)) /\
  Un_cv (fun fuel => undecided (program fuel)) 0.

(** Whether a run has ended with [a]. *)
Definition ends_with (a : A) (o : outcome A) : bool :=
  match o with Done x _ => if dec x a then true else false | _ => false end.

(** Of the 2^n tapes of n bits, the share of those on which [t] ends with [a] and asks for no further bit. *)
Definition share_of_tapes (n : nat) (t : tree A) (a : A) : R :=
  INR (length (filter (fun tape => ends_with a (run t tape)) (tapes n))) / 2 ^ n.

(** The sum of the probabilities of the results in a list. *)
Definition total (probability : A -> R) (l : list A) : R := sumR probability l.

(** * The probability under more and more fuel. *)

Lemma equals_bounds a x : 0 <= equals a x <= 1.
Proof. unfold equals. destruct (dec x a); lra. Qed.

Lemma Pr_nonnegative t a : 0 <= Pr t a.
Proof. apply expect_ge0. intros x. apply equals_bounds. Qed.

(** Between a lower bound and what it lacks, if that vanishes, there is only the limit. *)
Lemma limit_of_lower_bounds (lower lacking : nat -> R) v : Un_cv lacking 0 ->
  (forall n, lower n <= v <= lower n + lacking n) -> Un_cv lower v.
Proof.
  intros D S eps He. destruct (D eps He) as [N HN]. exists N. intros n Hn. specialize (HN n Hn). specialize (S n).
  unfold R_dist in *. rewrite Rminus_0_r, Rabs_pos_eq in HN by lra. apply Rabs_def1; lra.
Qed.

(** The probability of a result under a given fuel tends to its probability in the law. *)
Theorem law_is_the_limit program probability : has_law program probability ->
  forall a, Un_cv (fun fuel => Pr (program fuel) a) (probability a).
Proof. intros [S D] a. eapply limit_of_lower_bounds; [exact D|]. intros fuel. apply S. Qed.

(** A program has at most one law. *)
Theorem law_is_unique program probability probability' :
  has_law program probability -> has_law program probability' -> forall a, probability a = probability' a.
Proof. intros H H' a. eapply UL_sequence; apply law_is_the_limit; eassumption. Qed.

(** No probability is negative. *)
Theorem law_nonnegative program probability : has_law program probability -> forall a, 0 <= probability a.
Proof. intros [S _] a. pose proof (S O a). pose proof (Pr_nonnegative (program O) a). lra. Qed.

Lemma has_law_ext program probability probability' : (forall a, probability a = probability' a) ->
  has_law program probability -> has_law program probability'.
Proof. intros E [S D]. split; auto. intros fuel a. rewrite <- E. apply S. Qed.

(** * Over tapes. *)

Lemma share_is_mass n t a : share_of_tapes n t a = mass n t (equals a).
Proof.
  unfold share_of_tapes, mass. f_equal. induction (tapes n) as [|tape l IH]; [reflexivity|]. simpl sumR.
  rewrite <- IH. cbn [filter]. unfold ends_with at 1, gain, equals.
  destruct (run t tape) as [x u| |]; [destruct (dec x a)| |]; try lra.
  change (length (?h :: ?r)) with (S (length r)). rewrite S_INR. lra.
Qed.

(** The share of the tapes of n bits on which the program ends with [a] never exceeds its probability, whatever fuel
    and n; and it comes as near to it as one likes, for enough fuel and then for enough bits. *)
Theorem law_on_tapes program probability : has_law program probability -> forall a,
  (forall fuel n, share_of_tapes n (program fuel) a <= probability a) /\
  (forall eps, eps > 0 -> exists fuel0, forall fuel, (fuel >= fuel0)%nat ->
     exists n0, forall n, (n >= n0)%nat -> probability a - eps < share_of_tapes n (program fuel) a).
Proof.
  intros [S D] a. split.
  - intros fuel n. rewrite share_is_mass. apply Rle_trans with (Pr (program fuel) a); [|apply S].
    apply mass_le. intros x. apply equals_bounds.
  - intros eps He. destruct (D eps He) as [fuel0 H0]. exists fuel0. intros fuel Hf.
    destruct (mass_eventually (program fuel) (equals a)) as [n0 Hn0]. exists n0. intros n Hn.
    rewrite share_is_mass, Hn0 by auto. specialize (H0 fuel Hf). pose proof (S fuel a). unfold Pr in *.
    pose proof (undecided_bounds (program fuel)). unfold R_dist in H0. rewrite Rminus_0_r, Rabs_pos_eq in H0 by lra.
    lra.
Qed.

(** * Sums over the results. *)

(** The results of a tree, one for each leaf. *)
Fixpoint results (t : tree A) : list A :=
  match t with Ret a => [a] | Stop => [] | Flip k => results (k false) ++ results (k true) end.

Lemma sumR_le {X} (g h : X -> R) l : (forall x, In x l -> g x <= h x) -> sumR g l <= sumR h l.
Proof.
  induction l; simpl; intros H; [lra|].
  assert (sumR g l <= sumR h l) by (apply IHl; intros; apply H; auto). specialize (H a (or_introl eq_refl)). lra.
Qed.

Lemma sumR_plus {X} (g h : X -> R) l : sumR (fun x => g x + h x) l = sumR g l + sumR h l.
Proof. induction l; simpl; [lra|]. rewrite IHl. lra. Qed.

Lemma sumR_scal {X} c (g : X -> R) l : sumR (fun x => c * g x) l = c * sumR g l.
Proof. induction l; simpl; [lra|]. rewrite IHl. lra. Qed.

Lemma sumR_one_result (f : A -> R) a l : NoDup l ->
  sumR (fun x => equals x a * f x) l = if in_dec dec a l then f a else 0.
Proof.
  induction l as [|b l IH]; intros N; [reflexivity|]. inversion N as [|? ? Hb Hl]; subst.
  simpl sumR. rewrite IH by auto.
  unfold equals. destruct (dec a b) as [->|D].
  - destruct (in_dec dec b l); [tauto|]. destruct (in_dec dec b (b :: l)) as [|C]; [lra|]. destruct C; now left.
  - destruct (in_dec dec a l) as [I|I], (in_dec dec a (b :: l)) as [J|J]; try lra.
    + destruct J; now right.
    + destruct J; [congruence | tauto].
Qed.

(** Over a list of results, each once, the probabilities of a tree sum to the expected value of what lies in it. *)
Lemma sum_over_results (t : tree A) f l : NoDup l ->
  sumR (fun a => Pr t a * f a) l = expect t (fun a => if in_dec dec a l then f a else 0).
Proof.
  intros N. induction t as [a| |k IH]; unfold Pr; cbn [expect].
  - apply sumR_one_result; auto.
  - rewrite (sumR_ext _ (fun _ => 0)) by (intros; lra). rewrite sumR_const. lra.
  - rewrite <- !IH. unfold Pr.
    rewrite (sumR_ext _ (fun a => / 2 * (expect (k false) (equals a) * f a + expect (k true) (equals a) * f a)))
      by (intros; lra).
    rewrite sumR_scal, sumR_plus. lra.
Qed.

Lemma expect_on_results (t : tree A) f g : (forall a, In a (results t) -> f a = g a) -> expect t f = expect t g.
Proof.
  induction t as [a| |k IH]; cbn [results expect]; intros E; [apply E; now left | reflexivity|].
  rewrite !IH; auto; intros; apply E, in_or_app; auto.
Qed.

Lemma sums_converge (g : nat -> A -> R) h l : (forall a, Un_cv (fun m => g m a) (h a)) ->
  Un_cv (fun m => sumR (g m) l) (sumR h l).
Proof.
  intros H. induction l as [|a l IH]; cbn [sumR fold_right].
  - intros e He. exists O. intros. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0; auto.
  - apply (CV_plus (fun m => g m a) (fun m => sumR (g m) l)); auto.
Qed.

Lemma limit_at_most (u : nat -> R) v bound : Un_cv u v -> (forall n, u n <= bound) -> v <= bound.
Proof.
  intros C B. apply Rnot_lt_le. intros L. destruct (C (v - bound)) as [N HN]; [lra|].
  specialize (HN N (Nat.le_refl _)). specialize (B N). unfold R_dist in HN. apply Rabs_def2 in HN. lra.
Qed.

(** Every list of results can be lengthened so that it has all of another list, each once. *)
Lemma extend_list (l m : list A) : NoDup l -> exists more, NoDup (l ++ more) /\ incl m (l ++ more).
Proof.
  intros N. induction m as [|b m [more [Hn Hi]]].
  - exists []. rewrite app_nil_r. split; auto. intros x [].
  - destruct (in_dec dec b (l ++ more)) as [I|I].
    + exists more. split; auto. intros x [<-|]; auto.
    + exists (b :: more). split; [apply (NoDup_Add (Add_app b l more)); auto|].
      intros x [<-|Hx]; [apply in_elt|]. specialize (Hi x Hx). rewrite in_app_iff in *. simpl. tauto.
Qed.

(** Distinct results have a total probability of at most 1, ... *)
Theorem law_at_most_one program probability : has_law program probability ->
  forall l, NoDup l -> total probability l <= 1.
Proof.
  intros H l N. unfold total. rewrite (sumR_ext _ (fun a => probability a * 1)) by (intros; lra).
  eapply limit_at_most; [apply (sums_converge (fun m a => Pr (program m) a * 1) (fun a => probability a * 1))|].
  - intros a. pose proof (law_is_the_limit program probability H a) as C.
    intros e He. destruct (C e He) as [n0 Hn]. exists n0. intros n Hn'. rewrite !Rmult_1_r. auto.
  - intros n. cbv beta. rewrite sum_over_results by auto. eapply Rle_trans; [|apply (expect_one (program n))].
    apply expect_le. intros a. destruct (in_dec dec a l); lra.
Qed.

(** What a list of distinct results still lacks under a given fuel is at most what is undecided. *)
Lemma lacking_at_most_undecided program probability : has_law program probability -> forall fuel l, NoDup l ->
  sumR (fun a => probability a - Pr (program fuel) a) l <= undecided (program fuel).
Proof.
  intros H fuel l N. destruct (extend_list l (results (program fuel)) N) as (more & N' & I).
  set (lack := fun a => probability a - Pr (program fuel) a).
  assert (pos : forall a, 0 <= lack a) by (intros a; destruct H as [S _]; specialize (S fuel a); unfold lack; lra).
  apply Rle_trans with (sumR lack (l ++ more)).
  { rewrite sumR_app. assert (0 <= sumR lack more); [|lra].
    replace 0 with (sumR (fun _ : A => 0) more) by (rewrite sumR_const; lra). apply sumR_le; auto. }
  pose proof (law_at_most_one program probability H _ N') as L. unfold total in L.
  pose proof (sum_over_results (program fuel) (fun _ => 1) _ N') as E.
  rewrite (expect_on_results _ _ (fun _ => 1)) in E.
  2:{ intros a J. destruct (in_dec dec a (l ++ more)) as [|C]; [reflexivity | destruct C; auto]. }
  rewrite (sumR_ext lack (fun a => probability a + -1 * (Pr (program fuel) a * 1))) by (intros; unfold lack; lra).
  rewrite sumR_plus, sumR_scal, E. unfold undecided. lra.
Qed.

Lemma sum_over_all_results (t : tree A) f l : NoDup l -> incl (results t) l ->
  sumR (fun a => Pr t a * f a) l = expect t f.
Proof.
  intros N I. rewrite sum_over_results by auto. apply expect_on_results. intros a J.
  destruct (in_dec dec a l) as [|C]; [reflexivity | destruct C; auto].
Qed.

(** ... and finitely many of them come as near to 1 as one likes. *)
Theorem law_adds_up_to_one program probability : has_law program probability ->
  forall eps, eps > 0 -> exists l, NoDup l /\ 1 - eps < total probability l <= 1.
Proof.
  intros H eps He. destruct H as [S D]. destruct (D eps He) as [fuel Hfuel]. specialize (Hfuel fuel (Nat.le_refl _)).
  unfold R_dist in Hfuel. rewrite Rminus_0_r, Rabs_pos_eq in Hfuel by apply undecided_bounds.
  exists (nodup dec (results (program fuel))). split; [apply NoDup_nodup|].
  split; [|apply (law_at_most_one program); [split; auto | apply NoDup_nodup]].
  apply Rlt_le_trans with (expect (program fuel) (fun _ => 1)); [unfold undecided in Hfuel; lra|].
  rewrite <- (sum_over_all_results (program fuel) (fun _ => 1) (nodup dec (results (program fuel))));
    [| apply NoDup_nodup | intros a; apply nodup_In].
  unfold total. apply sumR_le. intros a _. rewrite Rmult_1_r. apply S.
Qed.

(** For a test f of the result, with values in [0, 1]: under every fuel the expected value is at most a finite sum of
    probability * f, and no finite sum exceeds it by more than what is undecided. So it tends to the sum of
    probability * f over all results. *)
Theorem law_of_a_test program probability : has_law program probability -> forall f, (forall a, 0 <= f a <= 1) ->
  forall fuel,
  (exists l, NoDup l /\ expect (program fuel) f <= sumR (fun a => probability a * f a) l) /\
  (forall l, NoDup l -> sumR (fun a => probability a * f a) l <= expect (program fuel) f + undecided (program fuel)).
Proof.
  intros H f Hf fuel. pose proof H as [S D]. split.
  - exists (nodup dec (results (program fuel))). split; [apply NoDup_nodup|].
    rewrite <- (sum_over_all_results (program fuel) f (nodup dec (results (program fuel))));
      [| apply NoDup_nodup | intros a; apply nodup_In].
    apply sumR_le. intros a _. apply Rmult_le_compat_r; [apply Hf | apply S].
  - intros l N.
    assert (got : sumR (fun a => Pr (program fuel) a * f a) l <= expect (program fuel) f).
    { rewrite sum_over_results by auto. apply expect_le. intros a. specialize (Hf a). destruct (in_dec dec a l); lra. }
    assert (more : sumR (fun a => probability a * f a + -1 * (Pr (program fuel) a * f a)) l <=
                   sumR (fun a => probability a - Pr (program fuel) a) l).
    { apply sumR_le. intros a _. specialize (Hf a). specialize (S fuel a). nra. }
    rewrite sumR_plus, sumR_scal in more. pose proof (lacking_at_most_undecided program probability H fuel l N). lra.
Qed.

(** So the expected value of a test tends to the sum of probability * f over all results (the least upper bound of
    the finite sums). *)
Theorem law_of_a_test_limit program probability : has_law program probability ->
  forall f, (forall a, 0 <= f a <= 1) -> forall value,
  is_lub (fun s => exists l, NoDup l /\ s = sumR (fun a => probability a * f a) l) value ->
  Un_cv (fun fuel => expect (program fuel) f) value.
Proof.
  intros H f Hf value [upper least]. eapply limit_of_lower_bounds; [apply H|]. intros fuel.
  destruct (law_of_a_test program probability H f Hf fuel) as [(l & N & U) V]. split.
  - eapply Rle_trans; [exact U|]. apply upper. eauto.
  - apply least. intros s (m & M & ->). auto.
Qed.

(** Two programs with the same law give every result, and pass every test, with probabilities that differ by no more
    than what the two leave undecided. *)
Theorem same_law_same_tests program program' probability :
  has_law program probability -> has_law program' probability ->
  forall f, (forall a, 0 <= f a <= 1) -> forall fuel fuel',
  expect (program fuel) f <= expect (program' fuel') f + undecided (program' fuel').
Proof.
  intros H H' f Hf fuel fuel'. destruct (law_of_a_test program probability H f Hf fuel) as [(l & N & U) _].
  destruct (law_of_a_test program' probability H' f Hf fuel') as [_ L]. specialize (L l N). lra.
Qed.
End Law.

(** * The same, for results whose indicator is written out. *)

Definition option_eq_dec {A} (dec : forall x y : A, {x = y} + {x <> y}) : forall x y : option A, {x = y} + {x <> y}.
Proof. decide equality. Defined.

Section facts.
Context {A : Type} (dec : forall x y : A, {x = y} + {x <> y}).

Lemma indicator_expect_range (t : tree A) a :
  0 <= expect t (fun x => if dec x a then 1 else 0) <= 1 - undecided t.
Proof.
  unfold undecided. split.
  - apply expect_ge0. intros x. destruct (dec x a); lra.
  - replace (1 - (1 - expect t (fun _ => 1))) with (expect t (fun _ => 1)) by lra.
    apply expect_le. intros x. destruct (dec x a); lra.
Qed.

Lemma has_law_range program p : has_law dec program p -> forall a, 0 <= p a <= 1.
Proof.
  intros [bounds _] a. specialize (bounds O a). unfold Pr, equals in bounds.
  pose proof (indicator_expect_range (program O) a). lra.
Qed.

(** [law_is_the_limit], with the probability written out. *)
Lemma has_law_limit program p : has_law dec program p ->
  forall a, Un_cv (fun fuel => expect (program fuel) (fun x => if dec x a then 1 else 0)) (p a).
Proof. exact (law_is_the_limit dec program p). Qed.
End facts.
