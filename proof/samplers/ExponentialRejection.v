(** The exponential mechanism by rejection.

    The outcomes come in classes; class i has count_i outcomes and an exponent x_i >= 0, a rational. An attempt draws
    a uniform outcome among all, finds its class, and accepts it with probability e^(-x_i); attempts go on until one is
    accepted. The class that is drawn is i with probability count_i e^(-x_i) / sum over j of count_j e^(-x_j), exactly,
    and an attempt is accepted with positive probability. With the exponents that the mechanism makes of rational
    losses, epsilon and sensitivity, x_i = epsilon (loss_i - least loss) / (2 sensitivity), where the least loss is that
    of the classes that are not empty, this is count_i e^(-epsilon loss_i / (2 sensitivity)), normalised.

    This is the claim's half on rejection. The half on inversion is in ExponentialInversion.v, the rank within the class
    in RankInClass.v.

    Claims: sample.exponential-mechanism.
*)
Require Import ZArith QArith Qreals Reals Lra Lia List Bool.
From DpAssay Require Import Trees Samplers Laws BernoulliExp Laplace. Import ListNotations.
Open Scope R_scope.

(** * The sampler *)

(** Outcomes that share the exponent numerator/denominator. *)
Record class := { count : Z; numerator : Z; denominator : Z }.

Definition total_count (classes : list class) : Z := fold_right (fun c s => (count c + s)%Z) 0%Z classes.

(** The class of the outcome of this rank, and its place, counted from `place`. *)
Fixpoint class_of_rank (rank : Z) (classes : list class) (place : Z) : option (Z * class) :=
  match classes with
  | [] => None
  | c :: rest => if (count c <=? rank)%Z then class_of_rank (rank - count c) rest (place + 1) else Some (place, c)
  end.

(** Rust: src/sample/exponential_mechanism.rs, attempt. One attempt: a place, or None if rejected. A rank beyond the
    last class does not occur. *)
Definition exponential_attempt (F : nat) (classes : list class) : tree (option Z) :=
  rank <- uniform_below F (total_count classes);
  match class_of_rank rank classes 0 with
  | Some (place, c) =>
      accepted <- bernoulli_exp F (numerator c) (denominator c);
      Ret (if accepted : bool then Some place else None)
  | None => Stop
  end.
(** Rust: draw_class_by_rejection. *)
Definition exponential (F : nat) (classes : list class) : tree Z := attempts F (exponential_attempt F classes).

(** * The law *)

Definition weight (c : class) : R := IZR (count c) * exp (- (IZR (numerator c) / IZR (denominator c))).
Definition total_weight (classes : list class) : R := sumR weight classes.
(** The weight of the class at a place; 0 where there is none. *)
Definition weight_at (classes : list class) (place : Z) : R :=
  if (place <? 0)%Z then 0 else nth (Z.to_nat place) (map weight classes) 0.
Definition class_probability (classes : list class) (place : Z) : R := weight_at classes place / total_weight classes.

(** No count is negative, some outcome exists, and outcomes have exponents that are not negative; an empty class may
    have any exponent. *)
Definition sound (classes : list class) : Prop :=
  Forall (fun c => (0 <= count c)%Z /\ (0 < denominator c)%Z /\ ((0 < count c)%Z -> (0 <= numerator c)%Z)) classes
  /\ (0 < total_count classes)%Z.

(** The probability that an attempt is accepted: the mean of e^(-x) over all outcomes. *)
Definition acceptance (classes : list class) : R := total_weight classes / IZR (total_count classes).

(** ** Sums over ranks and over classes *)

Lemma sumn_mono n f g : (forall i, (0 <= i < Z.of_nat n)%Z -> f i <= g i) -> sumn n f <= sumn n g.
Proof.
  intros le. induction n; cbn [sumn]; [lra|]. assert (IH := IHn ltac:(intros; apply le; lia)).
  specialize (le (Z.of_nat n) ltac:(lia)). lra.
Qed.

Definition nonnegative_count (c : class) := (0 <= count c)%Z.

(** The sum of h over the classes and their places, the first at `place`. *)
Fixpoint over_classes (classes : list class) (place : Z) (h : Z -> class -> R) : R :=
  match classes with [] => 0 | c :: rest => h place c + over_classes rest (place + 1) h end.

Lemma over_classes_le classes (P : class -> Prop) : Forall P classes -> forall place g h,
  (forall i c, P c -> g i c <= h i c) -> over_classes classes place g <= over_classes classes place h.
Proof.
  induction 1 as [|c rest Pc _ IH]; intros place g h le; simpl; [lra|].
  specialize (IH (place + 1)%Z g h le). specialize (le place c Pc). lra.
Qed.
Lemma over_classes_ext classes place g h :
  (forall i c, g i c = h i c) -> over_classes classes place g = over_classes classes place h.
Proof. intros same. revert place. induction classes; intros place; simpl; auto. now rewrite same, IHclasses. Qed.
Lemma over_classes_plus classes place g h :
  over_classes classes place (fun i c => g i c + h i c) = over_classes classes place g + over_classes classes place h.
Proof. revert place. induction classes; intros place; simpl; [lra|]. rewrite IHclasses. lra. Qed.
Lemma over_classes_scal classes place a h :
  over_classes classes place (fun i c => a * h i c) = a * over_classes classes place h.
Proof. revert place. induction classes; intros place; simpl; [lra|]. rewrite IHclasses. lra. Qed.
Lemma over_classes_weight classes place : over_classes classes place (fun _ c => weight c) = total_weight classes.
Proof. revert place. unfold total_weight. induction classes; intros place; simpl; auto. now rewrite IHclasses. Qed.
Lemma over_classes_count classes place :
  over_classes classes place (fun _ c => IZR (count c)) = IZR (total_count classes).
Proof. revert place. induction classes; intros place; simpl; auto. rewrite IHclasses, plus_IZR. lra. Qed.

(** Only the class at the place counts where the test asks for one place. *)
Lemma over_classes_at classes : forall place i, 
  over_classes classes place (fun j c => weight c * (if Z.eq_dec j i then 1 else 0)) = weight_at classes (i - place).
Proof.
  unfold weight_at. induction classes as [|c rest IH]; intros place i; simpl.
  - destruct (_ <? 0)%Z; [lra|]. destruct (Z.to_nat _); lra.
  - rewrite IH. destruct (Z.eq_dec place i) as [<-|other].
    + rewrite Z.sub_diag. replace (place - (place + 1) <? 0)%Z with true by (symmetry; apply Z.ltb_lt; lia). simpl. lra.
    + destruct (Z.ltb_spec (i - place) 0).
      * replace (i - (place + 1) <? 0)%Z with true by (symmetry; apply Z.ltb_lt; lia). lra.
      * replace (i - (place + 1) <? 0)%Z with false by (symmetry; apply Z.ltb_ge; lia).
        replace (Z.to_nat (i - place)) with (S (Z.to_nat (i - (place + 1)))) by lia. simpl. lra.
Qed.

(** A sum over all ranks is a sum over the classes, each taken as often as it has outcomes. *)
Lemma sum_over_ranks (h : Z -> class -> R) classes : Forall nonnegative_count classes -> forall place,
  sumn (Z.to_nat (total_count classes))
    (fun rank => match class_of_rank rank classes place with Some (i, c) => h i c | None => 0 end)
  = over_classes classes place (fun i c => IZR (count c) * h i c).
Proof.
  unfold nonnegative_count. induction 1 as [|c rest Hc Hrest IH]; intros place; [reflexivity|].
  assert (total_nonneg : (0 <= total_count rest)%Z).
  { clear - Hrest. unfold total_count. induction Hrest; simpl; lia. }
  change (total_count (c :: rest)) with (count c + total_count rest)%Z.
  rewrite Z2Nat.inj_add, sumn_app by lia. cbn [class_of_rank over_classes]. f_equal.
  - rewrite (sumn_ext _ _ (fun _ => h place c)).
    + rewrite sumn_const, INR_IZR_INZ, Z2Nat.id by lia. reflexivity.
    + intros rank Hr. destruct (Z.leb_spec (count c) rank); [lia | reflexivity].
  - rewrite <- IH. apply sumn_ext. intros rank Hr. rewrite Z2Nat.id by lia.
    destruct (Z.leb_spec (count c) (count c + rank)); [|lia]. now replace (count c + rank - count c)%Z with rank by lia.
Qed.

(** Every rank below the total has a class. *)
Lemma class_of_rank_found classes : Forall nonnegative_count classes -> forall rank place,
  (0 <= rank < total_count classes)%Z ->
  exists i c, class_of_rank rank classes place = Some (i, c) /\ In c classes /\ (0 < count c)%Z.
Proof.
  unfold nonnegative_count. induction 1 as [|c rest Hc Hrest IH]; intros rank place Hr; [simpl in Hr; lia|].
  change (total_count (c :: rest)) with (count c + total_count rest)%Z in Hr. cbn [class_of_rank].
  destruct (Z.leb_spec (count c) rank).
  - destruct (IH (rank - count c)%Z (place + 1)%Z ltac:(lia)) as (i & d & E & member & positive).
    exists i, d. simpl. auto.
  - exists place, c. simpl. repeat split; auto; lia.
Qed.

Section law.
Variables (classes : list class) (Hsound : sound classes).
Let N := total_count classes.
Let W := total_weight classes.
Let a := acceptance classes.

Lemma counts_nonnegative : Forall nonnegative_count classes.
Proof. destruct Hsound as [all _]. eapply Forall_impl; [|exact all]. intros c H. apply H. Qed.
Lemma total_positive : 0 < IZR N.
Proof. apply IZR_lt, Hsound. Qed.
Lemma each_sound c : In c classes ->
  (0 <= count c)%Z /\ (0 < denominator c)%Z /\ ((0 < count c)%Z -> (0 <= numerator c)%Z).
Proof. destruct Hsound as [all _]. rewrite Forall_forall in all. apply all. Qed.

Lemma weight_range c : In c classes -> 0 <= weight c <= IZR (count c).
Proof.
  intros member. destruct (each_sound c member) as (Hc & Hd & Hn). unfold weight.
  destruct (Z.eq_dec (count c) 0) as [->|]; [lra|].
  assert (0 < IZR (count c)) by (apply IZR_lt; lia).
  assert (0 <= IZR (numerator c) / IZR (denominator c)).
  { apply Rmult_le_pos; [apply IZR_le; lia | left; apply Rinv_0_lt_compat, IZR_lt; lia]. }
  pose proof (exp_le_1 (IZR (numerator c) / IZR (denominator c)) ltac:(assumption)). nra.
Qed.
Lemma weight_positive c : In c classes -> (0 < count c)%Z -> 0 < weight c.
Proof. intros _ Hc. apply Rmult_lt_0_compat; [now apply IZR_lt | apply exp_pos]. Qed.
Lemma total_weight_range : 0 < W <= IZR N.
Proof.
  assert (member : forall l, incl l classes -> 0 <= total_weight l <= IZR (total_count l)
    /\ ((0 < total_count l)%Z -> 0 < total_weight l)).
  { induction l as [|c l IH]; intros sub; [simpl; split; [lra | lia]|].
    destruct IH as [IH IH']; [intros d Hd; apply sub; now right|]. pose proof (sub c (or_introl eq_refl)) as Hc.
    pose proof (weight_range c Hc). pose proof (each_sound c Hc) as (count_nonneg & _).
    change (total_count (c :: l)) with (count c + total_count l)%Z.
    change (total_weight (c :: l)) with (weight c + total_weight l). rewrite plus_IZR. split; [lra|]. intros total.
    destruct (Z.eq_dec (count c) 0) as [none|].
    - specialize (IH' ltac:(lia)). lra.
    - pose proof (weight_positive c Hc ltac:(lia)). lra. }
  destruct (member classes (incl_refl _)) as [range positive].
  assert (0 < total_count classes)%Z by apply Hsound. unfold W, N. specialize (positive ltac:(assumption)). lra.
Qed.

(** An attempt is accepted with a probability that is positive. *)
Lemma acceptance_range : 0 < acceptance classes <= 1.
Proof.
  pose proof total_weight_range. pose proof total_positive. unfold acceptance. fold W N. split.
  - apply Rdiv_lt_0_compat; lra.
  - apply Rmult_le_reg_r with (IZR N); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** The mean of a test of the place, under the law. *)
Definition class_mean (f : Z -> R) : R := over_classes classes 0 (fun i c => weight c * f i) / W.

Lemma mean_class_mean : mean class_mean.
Proof.
  pose proof total_weight_range. unfold mean, class_mean. repeat split.
  - rewrite (over_classes_ext _ _ _ (fun _ c => weight c)) by (intros; lra).
    rewrite over_classes_weight. fold W. field. lra.
  - intros f g same. f_equal. apply over_classes_ext. intros. now rewrite same.
  - intros f g. rewrite (over_classes_ext _ _ _ (fun i c => weight c * f i + weight c * g i)) by (intros; lra).
    rewrite over_classes_plus. field. lra.
Qed.
Lemma class_mean_at i : class_mean (fun x => if Z.eq_dec x i then 1 else 0) = class_probability classes i.
Proof. unfold class_mean, class_probability. rewrite over_classes_at. fold W. now rewrite Z.sub_0_r. Qed.
Lemma class_mean_nonneg f : (forall i, 0 <= f i) -> 0 <= class_mean f.
Proof.
  intros Hf. pose proof total_weight_range. unfold class_mean. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
  rewrite <- (Rmult_0_l (over_classes classes 0 (fun _ _ => 0))), <- over_classes_scal.
  apply over_classes_le with (P := fun c => In c classes); [now apply Forall_forall|].
  intros i c member. pose proof (weight_range c member). specialize (Hf i). nra.
Qed.

(** What the rank and the class make of a test, before the last draw. *)
Definition after_rank (F : nat) (rank : Z) : tree (option Z) :=
  match class_of_rank rank classes 0 with
  | Some (place, c) =>
      accepted <- bernoulli_exp F (numerator c) (denominator c);
      Ret (if accepted : bool then Some place else None)
  | None => Stop
  end.

(** An attempt gives a place no more than its share, and a rejection no more than is left. *)
Lemma exponential_attempt_below F g : (forall o, 0 <= g o) ->
  expect (exponential_attempt F classes) g <= a * class_mean (fun i => g (Some i)) + (1 - a) * g None.
Proof.
  intros Hg. unfold exponential_attempt. rewrite expect_bind. fold (after_rank F).
  eapply Rle_trans; [apply (uniform_below_below (total_count classes))|].
  { apply Hsound. }
  { intros rank. apply expect_ge0. exact Hg. }
  unfold EU.
  set (h := fun (i : Z) (c : class) => let e := exp (- (IZR (numerator c) / IZR (denominator c))) in
    e * g (Some i) + (1 - e) * g None).
  assert (each : forall rank, (0 <= rank < Z.of_nat (Z.to_nat (total_count classes)))%Z ->
    expect (after_rank F rank) g
      <= match class_of_rank rank classes 0 with Some (i, c) => h i c | None => 0 end).
  { intros rank Hr.
    destruct (class_of_rank_found classes counts_nonnegative rank 0 ltac:(lia)) as (i & c & E & Hc & Hpos).
    unfold after_rank. rewrite E, expect_bind. destruct (each_sound c Hc) as (_ & Hd & Hn).
    eapply Rle_trans; [apply (bernoulli_exp_below (numerator c) (denominator c)); auto|].
    { intros []; simpl; auto. }
    unfold EB, h. simpl. lra. }
  fold N. pose proof total_positive. pose proof total_weight_range.
  apply Rle_trans with (over_classes classes 0 (fun i c => IZR (count c) * h i c) / IZR N).
  - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
    rewrite <- (sum_over_ranks h classes counts_nonnegative). fold N.
    now apply sumn_mono.
  - apply Req_le.
    rewrite (over_classes_ext _ _ _
      (fun i c => weight c * g (Some i) + (g None * IZR (count c) + (- g None) * weight c))).
    2:{ intros i c. unfold h, weight. cbv zeta. lra. }
    rewrite over_classes_plus, over_classes_plus, !over_classes_scal, over_classes_weight, over_classes_count.
    fold N W. unfold class_mean, a, acceptance. fold W N. field. lra.
Qed.

(** What the last draw leaves undecided is at most this, times 2^-F. *)
Definition patience (c : class) : R := (INR (Z.to_nat (numerator c / denominator c)) + 1) * 5.

(** Whether an attempt ends: the uniform draw ends, and so does each of the finitely many last draws. *)
Lemma exponential_attempt_undecided F : undecided (exponential_attempt F classes)
  <= (/ 2) ^ F + over_classes classes 0 (fun _ c => IZR (count c) * (patience c * (/ 2) ^ F)) / IZR N.
Proof.
  unfold exponential_attempt. rewrite undecided_bind. fold (after_rank F).
  apply Rplus_le_compat; [apply uniform_below_undecided; apply Hsound|].
  eapply Rle_trans.
  { apply (uniform_below_below (total_count classes)); [apply Hsound | intros; apply undecided_bounds]. }
  unfold EU. fold N. pose proof total_positive. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  rewrite <- (sum_over_ranks (fun _ c => patience c * (/ 2) ^ F) classes
    counts_nonnegative). fold N.
  assert (each : forall rank, (0 <= rank < N)%Z -> undecided (after_rank F rank) <=
    match class_of_rank rank classes 0 with
    | Some (_, c) => patience c * (/ 2) ^ F | None => 0 end).
  { intros rank Hr. destruct (class_of_rank_found classes counts_nonnegative rank 0 Hr) as (i & c & E & Hc & Hpos).
    unfold after_rank. rewrite E, undecided_bind. destruct (each_sound c Hc) as (_ & Hd & Hn).
    rewrite (expect_ext _ _ (fun _ => 0)), expect_0 by (intros []; unfold undecided; simpl; lra).
    pose proof (bernoulli_exp_undecided_by_factors (numerator c) (denominator c) F ltac:(auto) Hd).
    unfold patience. lra. }
  assert (0 <= N)%Z by (unfold N; destruct Hsound; lia).
  apply sumn_mono. intros rank Hr. apply each. lia.
Qed.
Lemma exponential_attempt_decided : decided (fun F => exponential_attempt F classes).
Proof.
  set (K := over_classes classes 0 (fun _ c => IZR (count c) * patience c)).
  apply decided_rate with (c := 1 + K / IZR N) (r := / 2); [lra|]. intros F.
  eapply Rle_trans; [apply exponential_attempt_undecided|]. apply Req_le.
  rewrite (over_classes_ext _ _ _ (fun _ c => (/ 2) ^ F * (IZR (count c) * patience c)))
    by (intros; lra).
  rewrite over_classes_scal. fold K. pose proof total_positive. field. lra.
Qed.

(** sample.exponential-mechanism: one attempt gives the class i with probability count_i e^(-x_i) / N, where N is the
    number of all outcomes, and is rejected otherwise. *)
Theorem exponential_attempt_law : has_law (option_eq_dec Z.eq_dec) (fun F => exponential_attempt F classes)
  (fun o => match o with
            | Some i => weight_at classes i / IZR (total_count classes)
            | None => 1 - acceptance classes
            end).
Proof.
  pose proof total_weight_range. pose proof total_positive.
  set (E := fun g : option Z -> R => a * class_mean (fun i => g (Some i)) + (1 - a) * g None).
  destruct mean_class_mean as (one & ext & plus).
  assert (same : forall o, E (fun x => if option_eq_dec Z.eq_dec x o then 1 else 0)
    = match o with Some i => weight_at classes i / IZR N | None => 1 - acceptance classes end).
  { intros [i|]; unfold E.
    - rewrite (ext _ (fun x => if Z.eq_dec x i then 1 else 0)).
      + rewrite class_mean_at. destruct (option_eq_dec Z.eq_dec None (Some i)); [discriminate|].
        unfold class_probability, a, acceptance. fold W N. field. lra.
      + intros x. destruct (option_eq_dec Z.eq_dec (Some x) (Some i)), (Z.eq_dec x i); congruence.
    - rewrite (ext _ (fun x => 0 + 0)) by (intros; destruct (option_eq_dec _ _ _); [discriminate | lra]).
      rewrite (plus (fun _ => 0) (fun _ => 0)).
      assert (class_mean (fun _ => 0) = 0) as -> by (specialize (plus (fun _ => 0) (fun _ => 0)); cbv beta in plus;
        rewrite (ext (fun _ => 0 + 0) (fun _ => 0)) in plus by (intros; lra); lra).
      destruct (option_eq_dec Z.eq_dec None None); [|congruence]. unfold a. lra. }
  apply has_law_ext with (1 := same). apply has_law_of_mean.
  - intros F g Hg. now apply exponential_attempt_below.
  - unfold mean, E. repeat split.
    + rewrite one. lra.
    + intros f g eq. rewrite (ext (fun i => f (Some i)) (fun i => g (Some i))), eq; auto.
    + intros f g. rewrite (plus (fun i => f (Some i)) (fun i => g (Some i))). lra.
  - apply exponential_attempt_decided.
Qed.

(** sample.exponential-mechanism: the rejection sampler draws the class i with probability
    count_i e^(-x_i) / sum over j of count_j e^(-x_j). *)
Theorem exponential_rejection_law : has_law Z.eq_dec (fun F => exponential F classes) (class_probability classes).
Proof.
  apply has_law_ext with (1 := class_mean_at).
  pose proof acceptance_range as Ha. fold a in Ha. apply (has_law_of_mean Z.eq_dec).
  - intros F f Hf. unfold exponential. apply attempts_below with (a := a); auto; [lra | apply class_mean_nonneg|].
    intros g Hg. now apply exponential_attempt_below.
  - apply mean_class_mean.
  - unfold exponential. apply attempts_decided with (a := a); auto; [apply exponential_attempt_decided|].
    intros F. eapply Rle_trans; [apply exponential_attempt_below; intros []; lra|]. cbv beta iota.
    assert (class_mean (fun _ => 0) = 0) as ->; [|lra].
    unfold class_mean. rewrite (over_classes_ext _ _ _ (fun i c => 0 * 0)), over_classes_scal by (intros; lra). lra.
Qed.
End law.

(** * The mechanism's own parameters *)

(** Outcomes that share one loss. *)
Record score_class := { loss : Q; size : Z }.

(** The least loss of a class that is not empty; None if all are empty. *)
Fixpoint least_loss (scores : list score_class) : option Q :=
  match scores with
  | [] => None
  | s :: rest =>
      if (size s =? 0)%Z then least_loss rest
      else Some (match least_loss rest with
                 | Some l => if Qle_bool (loss s) l then loss s else l
                 | None => loss s
                 end)
  end.

(** epsilon (loss - least) / (2 sensitivity), in lowest terms. *)
Definition exponent (epsilon sensitivity least l : Q) : Q := Qred ((l - least) * (epsilon / (sensitivity * 2))).
Definition with_exponent (epsilon sensitivity least : Q) (s : score_class) : class :=
  let x := exponent epsilon sensitivity least (loss s) in
  {| count := size s; numerator := Qnum x; denominator := Zpos (Qden x) |}.
(** The classes with their exponents; None if there is no outcome. *)
Definition of_scores (epsilon sensitivity : Q) (scores : list score_class) : option (list class) :=
  match least_loss scores with
  | Some least => Some (map (with_exponent epsilon sensitivity least) scores)
  | None => None
  end.

(** count e^(-epsilon loss / (2 sensitivity)). *)
Definition score_weight (epsilon sensitivity : R) (s : score_class) : R :=
  IZR (size s) * exp (- (epsilon * Q2R (loss s) / (2 * sensitivity))).
(** The same of the class at a place; 0 where there is none. *)
Definition score_weight_at (epsilon sensitivity : R) (scores : list score_class) (place : Z) : R :=
  if (place <? 0)%Z then 0 else nth (Z.to_nat place) (map (score_weight epsilon sensitivity) scores) 0.

Lemma least_loss_some scores : (exists s, In s scores /\ size s <> 0%Z) -> exists least, least_loss scores = Some least.
Proof.
  induction scores as [|s rest IH]; intros (t & member & nonempty); [contradiction|]. simpl.
  destruct (Z.eqb_spec (size s) 0) as [empty|]; [|eauto].
  apply IH. destruct member as [->|]; [contradiction | eauto].
Qed.
Lemma least_loss_least scores : forall least, least_loss scores = Some least ->
  (exists s, In s scores /\ size s <> 0%Z) /\ forall s, In s scores -> size s <> 0%Z -> (least <= loss s)%Q.
Proof.
  induction scores as [|s rest IH]; intros least E; [discriminate|]. simpl in E.
  destruct (Z.eqb_spec (size s) 0) as [empty|nonempty].
  - destruct (IH least E) as [(t & member & some) bound]. split; [exists t; simpl; auto|].
    intros u [<-|Hu] Hsize; [contradiction | auto].
  - split; [exists s; simpl; auto|]. injection E as E. intros u Hu Hsize.
    destruct (least_loss rest) as [l|] eqn:of_rest.
    + destruct (IH l eq_refl) as [_ bound]. destruct (Qle_bool (loss s) l) eqn:order; subst least.
      * apply Qle_bool_iff in order. destruct Hu as [<-|Hu]; [apply Qle_refl|]. eapply Qle_trans; eauto.
      * assert (l <= loss s)%Q.
        { apply Qnot_lt_le. intros less. apply Qlt_le_weak in less. apply Qle_bool_iff in less. congruence. }
        destruct Hu as [<-|Hu]; auto.
    + subst least. destruct Hu as [<-|Hu]; [apply Qle_refl|].
      destruct (least_loss_some rest) as [l some]; [eauto | congruence].
Qed.

(** If there is an outcome, the mechanism is made. *)
Lemma of_scores_some epsilon sensitivity scores :
  (exists s, In s scores /\ size s <> 0%Z) -> exists classes, of_scores epsilon sensitivity scores = Some classes.
Proof. intros some. destruct (least_loss_some scores some) as [least E]. unfold of_scores. rewrite E. eauto. Qed.

Section parameters.
Variables (epsilon sensitivity : Q) (scores : list score_class) (classes : list class).
Hypothesis epsilon_positive : (0 < epsilon)%Q.
Hypothesis sensitivity_positive : (0 < sensitivity)%Q.
Hypothesis sizes : Forall (fun s => (0 <= size s)%Z) scores.
Hypothesis made : of_scores epsilon sensitivity scores = Some classes.

Lemma sensitivity_real : 0 < Q2R sensitivity.
Proof. apply Qlt_Rlt in sensitivity_positive. unfold Q2R at 1 in sensitivity_positive. simpl in *. lra. Qed.

Lemma exponent_real least l : Q2R (exponent epsilon sensitivity least l)
  = Q2R epsilon * (Q2R l - Q2R least) / (2 * Q2R sensitivity).
Proof.
  unfold exponent. rewrite (Qeq_eqR _ _ (Qred_correct _)). pose proof sensitivity_real.
  assert (two : Q2R 2 = 2) by (unfold Q2R; simpl; lra).
  rewrite Q2R_mult, Q2R_minus, Q2R_div, Q2R_mult, two; [field; lra|].
  intros zero. apply Qeq_eqR in zero. rewrite Q2R_mult, two in zero. unfold Q2R at 2 in zero. simpl in zero. lra.
Qed.
Lemma sound_of_scores : sound classes.
Proof.
  unfold of_scores in made. destruct (least_loss scores) as [least|] eqn:L; [|discriminate]. injection made as <-.
  destruct (least_loss_least scores least L) as [some bound]. split.
  - apply Forall_forall. intros c Hc. apply in_map_iff in Hc as (s & <- & Hs).
    rewrite Forall_forall in sizes. specialize (sizes s Hs). unfold with_exponent. simpl.
    repeat split; try (assumption || lia).
    intros Hpos. specialize (bound s Hs ltac:(lia)).
    enough (0 <= exponent epsilon sensitivity least (loss s))%Q as nonneg.
    { unfold Qle in nonneg. simpl in nonneg. lia. }
    unfold exponent. rewrite Qred_correct. apply Qmult_le_0_compat.
    + apply Qle_minus_iff in bound. exact bound.
    + apply Qlt_le_weak. apply Qlt_shift_div_l; [|now rewrite Qmult_0_l].
      rewrite <- (Qmult_0_l 2). apply Qmult_lt_compat_r; [reflexivity | assumption].
  - clear L bound. induction scores as [|s rest IH]; [destruct some as (t & [] & _)|].
    inversion_clear sizes as [|? ? Hs Hrest].
    assert (nonneg : (0 <= total_count (map (with_exponent epsilon sensitivity least) rest))%Z).
    { clear - Hrest. induction Hrest; simpl; lia. }
    simpl. destruct (Z.eq_dec (size s) 0) as [empty|]; [|lia].
    destruct some as (t & [<-|Ht] & nonempty); [contradiction|]. specialize (IH Hrest ltac:(eauto)). lia.
Qed.

(** The least loss takes one factor out of all weights, which cancels. *)
Lemma weight_of_score least s : weight (with_exponent epsilon sensitivity least s)
  = exp (Q2R epsilon * Q2R least / (2 * Q2R sensitivity)) * score_weight (Q2R epsilon) (Q2R sensitivity) s.
Proof.
  unfold weight, score_weight, with_exponent. cbn [count numerator denominator].
  set (x := exponent epsilon sensitivity least (loss s)).
  assert (quotient : IZR (Qnum x) / IZR (Zpos (Qden x)) = Q2R x) by reflexivity.
  rewrite quotient. unfold x. rewrite exponent_real. pose proof sensitivity_real.
  replace (- (Q2R epsilon * (Q2R (loss s) - Q2R least) / (2 * Q2R sensitivity)))
    with (Q2R epsilon * Q2R least / (2 * Q2R sensitivity) + - (Q2R epsilon * Q2R (loss s) / (2 * Q2R sensitivity)))
    by (field; lra).
  rewrite exp_plus. lra.
Qed.

(** The probability of a class in the mechanism's own parameters. *)
Lemma class_probability_of_scores i : class_probability classes i
  = score_weight_at (Q2R epsilon) (Q2R sensitivity) scores i
    / sumR (score_weight (Q2R epsilon) (Q2R sensitivity)) scores.
Proof.
  pose proof sound_of_scores as Hsound. pose proof (total_weight_range classes Hsound) as [positive _].
  unfold of_scores in made. destruct (least_loss scores) as [least|]; [|discriminate]. injection made as <-.
  set (factor := exp (Q2R epsilon * Q2R least / (2 * Q2R sensitivity))).
  assert (factor_positive : 0 < factor) by apply exp_pos.
  set (w := score_weight (Q2R epsilon) (Q2R sensitivity)).
  assert (total : total_weight (map (with_exponent epsilon sensitivity least) scores) = factor * sumR w scores).
  { unfold total_weight. rewrite sumR_map. clear - factor sensitivity_positive.
    induction scores as [|s rest IH]; simpl; [lra|].
    rewrite IH, weight_of_score. fold factor w. lra. }
  unfold class_probability. rewrite total in positive |- *. unfold weight_at, score_weight_at. fold w.
  assert (0 < sumR w scores) by nra.
  destruct (i <? 0)%Z; [field; lra|]. rewrite map_map.
  rewrite (map_ext _ (fun s => factor * w s)) by (intros s; apply weight_of_score).
  rewrite <- (map_map w (fun x => factor * x)).
  replace 0 with (factor * 0) at 1 by lra. rewrite (map_nth (fun x => factor * x)). field. lra.
Qed.

(** sample.exponential-mechanism: with losses l_i, counts n_i, epsilon and sensitivity, all rational, the rejection
    sampler draws the class i with probability proportional to n_i e^(-epsilon l_i / (2 sensitivity)). *)
Theorem exponential_mechanism_rejection_law :
  has_law Z.eq_dec (fun F => exponential F classes)
    (fun i => score_weight_at (Q2R epsilon) (Q2R sensitivity) scores i
      / sumR (score_weight (Q2R epsilon) (Q2R sensitivity)) scores).
Proof.
  apply has_law_ext with (1 := class_probability_of_scores), exponential_rejection_law, sound_of_scores.
Qed.
End parameters.
