(** Two programs one after the other.

    A program that has a law is followed by a second one, which may depend on what the first one gave, and has a law for
    each such outcome. Together they have a law: the probability of a pair is the product. In particular what is
    undecided of both vanishes, although the second one need not vanish uniformly. A result that is only renamed keeps
    its probability.

    Claims: none.
*)
Require Import Reals Lra Lia List Bool.
From DpAssay Require Import Trees Laws. Import ListNotations.
Open Scope R_scope.

Definition pair_eq_dec {A B} (decA : forall x y : A, {x = y} + {x <> y}) (decB : forall x y : B, {x = y} + {x <> y}) :
  forall x y : A * B, {x = y} + {x <> y}.
Proof. decide equality. Defined.

(** The results of a tree. *)
Fixpoint results_of {A} (t : tree A) : list A :=
  match t with Ret a => [a] | Stop => [] | Flip k => results_of (k false) ++ results_of (k true) end.

Lemma Un_cv_const c : Un_cv (fun _ => c) c.
Proof. intros eps He. exists O. intros n _. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0; auto. Qed.
Lemma Un_cv_sum {X} (u : X -> nat -> R) v l : (forall x, In x l -> Un_cv (u x) (v x)) ->
  Un_cv (fun n => sumR (fun x => u x n) l) (sumR v l).
Proof.
  induction l as [|x l IH]; simpl; intros each; [apply Un_cv_const|].
  apply (CV_plus (u x) (fun n => sumR (fun y => u y n) l)); auto.
Qed.

(** A law, read as bounds on the expected value of an indicator. *)
Lemma law_bounds {A} (dec : forall x y : A, {x = y} + {x <> y}) program p : has_law dec program p -> forall fuel a,
  expect (program fuel) (fun x => if dec x a then 1 else 0) <= p a
    <= expect (program fuel) (fun x => if dec x a then 1 else 0) + undecided (program fuel).
Proof. intros law. exact (proj1 law). Qed.

Lemma has_law_nonnegative {A} (dec : forall x y : A, {x = y} + {x <> y}) program p : has_law dec program p ->
  forall a, 0 <= p a.
Proof.
  intros law a. pose proof (law_bounds dec program p law O a). pose proof (indicator_expect_range dec (program O) a).
  lra.
Qed.

Section sequence.
Context {A : Type} (dec : forall x y : A, {x = y} + {x <> y}).

Lemma result_has_chance (t : tree A) a : In a (results_of t) -> 0 < expect t (fun x => if dec x a then 1 else 0).
Proof.
  induction t as [b| |k IH]; simpl; [|tauto|].
  - intros [<-|[]]. destruct (dec b b); [lra | congruence].
  - assert (nonneg : forall t, 0 <= expect t (fun x => if dec x a then 1 else 0)).
    { intros t. apply expect_ge0. intros x. destruct (dec x a); lra. }
    pose proof (nonneg (k false)). pose proof (nonneg (k true)).
    intros member. apply in_app_or in member as [member|member]; apply IH in member; lra.
Qed.
Lemma expect_on_results_of (t : tree A) f g : (forall a, In a (results_of t) -> f a = g a) -> expect t f = expect t g.
Proof.
  induction t as [b| |k IH]; simpl; intros same; auto.
  rewrite !IH; auto; intros; apply same, in_or_app; auto.
Qed.
Lemma sum_of_indicators (c : A -> R) x l : NoDup l ->
  sumR (fun b => if dec x b then c b else 0) l = if in_dec dec x l then c x else 0.
Proof.
  induction 1 as [|b l fresh distinct IH]; [reflexivity|]. simpl sumR. rewrite IH.
  destruct (dec x b) as [->|other].
  - destruct (in_dec dec b l), (in_dec dec b (b :: l)); simpl in *; tauto || lra.
  - destruct (in_dec dec x l), (in_dec dec x (b :: l)); simpl in *; intuition (congruence || lra).
Qed.
Lemma expect_sum {X} (t : tree A) (h : X -> A -> R) l :
  expect t (fun a => sumR (fun x => h x a) l) = sumR (fun x => expect t (h x)) l.
Proof. induction l; simpl; [apply expect_0|]. rewrite expect_plus. now rewrite IHl. Qed.

(** If each second program ends, so do both together: all but a little of the first law is on finitely many outcomes. *)
Lemma undecided_after_vanishes program p (w : nat -> A -> R) : has_law dec program p ->
  (forall F a, 0 <= w F a <= 1) -> (forall a, 0 < p a -> Un_cv (fun F => w F a) 0) ->
  Un_cv (fun F => expect (program F) (w F)) 0.
Proof.
  intros law w_range vanishes eps He. pose proof law as [_ ends]. pose proof (law_bounds dec program p law) as bounds.
  destruct (ends (eps / 3)) as [G HG]; [lra|]. specialize (HG G (Nat.le_refl _)).
  unfold R_dist in HG. rewrite Rminus_0_r, Rabs_pos_eq in HG by apply undecided_bounds.
  set (l := nodup dec (results_of (program G))).
  assert (distinct : NoDup l) by apply NoDup_nodup.
  set (chance := fun F a => expect (program F) (fun x => if dec x a then 1 else 0)).
  assert (members : forall F, sumR (chance F) l = expect (program F) (fun x => if in_dec dec x l then 1 else 0)).
  { intros F. unfold chance. rewrite <- expect_sum. apply expect_ext. intros x.
    exact (sum_of_indicators (fun _ => 1) x l distinct). }
  assert (covered : 1 - eps / 3 < sumR p l).
  { apply Rlt_le_trans with (sumR (chance G) l).
    - rewrite members, (expect_on_results_of _ _ (fun _ => 1)); [unfold undecided in HG; lra|].
      intros a member. destruct (in_dec dec a l) as [|absent]; auto. destruct absent. now apply nodup_In.
    - unfold chance. clear - bounds. induction l; simpl; [lra|]. specialize (bounds G a). lra. }
  assert (CV1 : Un_cv (fun F => sumR (fun a => chance F a) l) (sumR p l)).
  { apply (Un_cv_sum (fun a F => chance F a)). intros a _. now apply has_law_limit. }
  assert (CV2 : Un_cv (fun F => sumR (fun a => w F a) l) (sumR (fun _ => 0) l)).
  { apply (Un_cv_sum (fun a F => w F a)). intros a member. apply vanishes.
    apply nodup_In, result_has_chance in member. specialize (bounds G a). lra. }
  rewrite sumR_const, Rmult_0_l in CV2.
  destruct (CV1 (eps / 3)) as [N1 HN1]; [lra|]. destruct (CV2 (eps / 3)) as [N2 HN2]; [lra|].
  exists (N1 + N2)%nat. intros F HF. specialize (HN1 F ltac:(lia)). specialize (HN2 F ltac:(lia)).
  change (sumR (fun a => chance F a) l) with (sumR (chance F) l) in HN1.
  unfold R_dist in *. rewrite Rminus_0_r in *. apply Rabs_def2 in HN1. apply Rabs_def2 in HN2.
  rewrite Rabs_pos_eq by (apply expect_ge0; intros; apply w_range).
  assert (expect (program F) (w F) <= (expect (program F) (fun _ => 1) - sumR (chance F) l) + sumR (fun a => w F a) l).
  { rewrite members, <- expect_minus.
    apply Rle_trans with (expect (program F) (fun x => (1 - (if in_dec dec x l then 1 else 0))
      + sumR (fun b => if dec x b then w F b else 0) l)).
    - apply expect_le. intros x. rewrite sum_of_indicators by auto. specialize (w_range F x).
      destruct (in_dec dec x l); lra.
    - rewrite expect_plus, expect_sum. apply Rplus_le_compat_l. clear - w_range. induction l; simpl; [lra|].
      apply Rplus_le_compat; auto.
      apply Rle_trans with (expect (program F) (fun _ => w F a * 1)).
      + apply expect_le. intros x. specialize (w_range F a). destruct (dec x a); lra.
      + rewrite expect_scal. pose proof (expect_one (program F)). specialize (w_range F a). nra. }
  pose proof (expect_one (program F)). lra.
Qed.

(** A program that returns a result at once. *)
Lemma returned_law a : has_law dec (fun _ => Ret a) (fun x => if dec a x then 1 else 0).
Proof.
  split.
  - intros F x. change ((if dec a x then 1 else 0) <= (if dec a x then 1 else 0)
      <= (if dec a x then 1 else 0) + undecided (Ret a)).
    unfold undecided. simpl. lra.
  - intros eps He. exists O. intros n _. unfold undecided, R_dist. simpl.
    replace (1 - 1 - 0) with 0 by lra. now rewrite Rabs_R0.
Qed.

(** A law is a matter of the expected values alone. *)
Lemma has_law_same_expect program program' p : (forall F f, expect (program F) f = expect (program' F) f) ->
  has_law dec program p -> has_law dec program' p.
Proof.
  intros same law. pose proof (proj2 law) as ends. split.
  - intros F a. change (expect (program' F) (fun x => if dec x a then 1 else 0) <= p a
      <= expect (program' F) (fun x => if dec x a then 1 else 0) + undecided (program' F)).
    unfold undecided. rewrite <- !same. apply (law_bounds dec program p law).
  - intros eps He. destruct (ends eps He) as [N HN]. exists N. intros n Hn. unfold undecided. rewrite <- same.
    exact (HN n Hn).
Qed.

(** One program and then another: the probability of a pair is the product. *)
Theorem sequence_law {B} (decB : forall x y : B, {x = y} + {x <> y}) program p (second : A -> nat -> tree B) q :
  has_law dec program p -> (forall a, 0 < p a -> has_law decB (second a) (q a)) ->
  has_law (pair_eq_dec dec decB)
    (fun F => a <- program F; b <- second a F; Ret (a, b)) (fun ab => p (fst ab) * q (fst ab) (snd ab)).
Proof.
  intros first then_. pose proof (law_bounds dec program p first) as bounds.
  assert (after : forall F a, undecided (b <- second a F; Ret (a, b)) = undecided (second a F)).
  { intros F a. rewrite undecided_bind, (expect_ext _ _ (fun _ => 0)), expect_0; [lra|].
    intros b. unfold undecided. simpl. lra. }
  split.
  - intros F [a b]. set (t := a <- program F; b <- second a F; Ret (a, b)).
    change (expect t (fun x => if pair_eq_dec dec decB x (a, b) then 1 else 0) <= p a * q a b
      <= expect t (fun x => if pair_eq_dec dec decB x (a, b) then 1 else 0) + undecided t).
    unfold t. rewrite expect_bind, undecided_bind.
    set (e := expect (program F) (fun x => if dec x a then 1 else 0)).
    set (e' := expect (second a F) (fun y => if decB y b then 1 else 0)).
    rewrite (expect_ext _ _ (fun x => e' * (if dec x a then 1 else 0))).
    2:{ intros x. rewrite expect_bind. cbn [expect]. destruct (dec x a) as [->|other].
        - unfold e'. rewrite Rmult_1_r. apply expect_ext. intros y.
          destruct (pair_eq_dec dec decB (a, y) (a, b)), (decB y b); congruence.
        - rewrite Rmult_0_r, (expect_ext _ _ (fun _ => 0)), expect_0; auto.
          intros y. destruct (pair_eq_dec dec decB (x, y) (a, b)); congruence. }
    rewrite expect_scal. fold e.
    rewrite (expect_ext _ (fun x => undecided _) (fun x => undecided (second x F))) by apply after.
    set (u := undecided (program F)). set (u' := undecided (second a F)).
    assert (rest : e * u' <= expect (program F) (fun x => undecided (second x F))).
    { rewrite Rmult_comm. unfold e. rewrite <- expect_scal. apply expect_le. intros x. unfold u'.
      pose proof (undecided_bounds (second x F)). destruct (dec x a) as [->|]; lra. }
    pose proof (bounds F a) as Ha. fold e u in Ha. pose proof (indicator_expect_range dec (program F) a) as He.
    fold e u in He. pose proof (undecided_bounds (program F)) as Hu. fold u in Hu.
    pose proof (indicator_expect_range decB (second a F) b) as He'. fold e' u' in He'.
    destruct (Rle_lt_or_eq_dec 0 (p a)) as [positive|zero]; [lra| |].
    + pose proof (law_bounds decB (second a) (q a) (then_ a positive) F b) as Hb. fold e' u' in Hb.
      split; [nra|]. apply Rle_trans with ((e + u) * (e' + u')); [apply Rmult_le_compat; lra|]. nra.
    + rewrite <- zero. assert (e = 0) as -> by lra. lra.
  - pose proof (undecided_after_vanishes program p (fun F a => undecided (second a F)) first
      ltac:(intros; apply undecided_bounds) ltac:(intros a positive; apply (then_ a positive))) as later.
    pose proof (CV_plus _ _ _ _ (proj2 first) later) as both. rewrite Rplus_0_l in both.
    intros eps He. destruct (both eps He) as [N HN]. exists N. intros n Hn. specialize (HN n Hn).
    rewrite undecided_bind, (expect_ext _ _ (fun a => undecided (second a n))) by apply after. exact HN.
Qed.

(** A renamed result keeps its probability: `back` undoes the renaming, and what is no new name has probability 0. *)
Theorem renamed_law {B} (decB : forall x y : B, {x = y} + {x <> y}) program p (name : A -> B) (back : B -> option A) :
  has_law dec program p -> (forall a b, name a = b <-> back b = Some a) ->
  has_law decB (fun F => tmap name (program F)) (fun b => match back b with Some a => p a | None => 0 end).
Proof.
  intros law inverse. pose proof (law_bounds dec program p law) as bounds. pose proof (proj2 law) as ends.
  assert (same : forall F, undecided (tmap name (program F)) = undecided (program F)).
  { intros F. unfold undecided. now rewrite expect_map. }
  split.
  - intros F b. change (expect (tmap name (program F)) (fun x => if decB x b then 1 else 0)
      <= match back b with Some a => p a | None => 0 end
      <= expect (tmap name (program F)) (fun x => if decB x b then 1 else 0) + undecided (tmap name (program F))).
    rewrite same, expect_map. destruct (back b) as [a|] eqn:E.
    + rewrite (expect_ext _ _ (fun x => if dec x a then 1 else 0)); [apply bounds|].
      intros x. apply inverse in E. destruct (decB (name x) b) as [named|], (dec x a) as [->|]; auto; [|congruence].
      apply inverse in named. apply inverse in E. congruence.
    + rewrite (expect_ext _ _ (fun _ => 0)), expect_0; [pose proof (undecided_bounds (program F)); lra|].
      intros x. destruct (decB (name x) b) as [named|]; auto. apply inverse in named. congruence.
  - intros eps He. destruct (ends eps He) as [N HN]. exists N. intros n Hn. rewrite same. auto.
Qed.
End sequence.
