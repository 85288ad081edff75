(** The exponential mechanism by inversion.

    Empty classes are left out. If one class is left, it is returned without a coin; otherwise a place among those left
    is drawn by inversion of bounds on their cumulative probabilities. If the bounds enclose these probabilities and
    shrink to points, the class i is drawn with probability count_i e^(-x_i) / sum over j of count_j e^(-x_j): the same
    law as by rejection.

    This is the claim's half on inversion. Narrower than the page: that the library's enclosures enclose, and shrink for
    all x_i <= 2^22, is a hypothesis.

    Claims: sample.exponential-mechanism.
*)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Laws ExponentialRejection Inversion. Import ListNotations.
Open Scope R_scope.

(** The classes that are not empty, each with its place among all. *)
Fixpoint occupied (classes : list class) (place : Z) : list (Z * class) :=
  match classes with
  | [] => []
  | c :: rest => if (count c =? 0)%Z then occupied rest (place + 1) else (place, c) :: occupied rest (place + 1)
  end.

(** Rust: src/sample/exponential_mechanism.rs, draw_class. *)
Definition draw_class (partition_point : search) (cumulative : Z -> enclosures) (classes : list class) (F : nat) :
  tree Z :=
  match occupied classes 0 with
  | [(only, _)] => Ret only
  | several => tmap (fun place => nth (Z.to_nat place) (map fst several) 0%Z) (invert partition_point cumulative F)
  end.

(** The sums of the first weights, divided by the total. *)
Fixpoint cumulative_weights (total sum : R) (l : list (Z * class)) : list R :=
  match l with
  | [] => []
  | (_, c) :: rest => (sum + weight c) / total :: cumulative_weights total (sum + weight c) rest
  end.
(** The cumulative probabilities of the classes that are not empty. *)
Definition cumulative_probabilities (classes : list class) : list R :=
  cumulative_weights (total_weight classes) 0 (occupied classes 0).

Section law.
Variables (classes : list class) (Hsound : sound classes).
Let W := total_weight classes.
Lemma W_positive : 0 < W.
Proof. apply (total_weight_range classes Hsound). Qed.

(** Sums over the classes that are not empty. *)
Definition over_occupied (l : list (Z * class)) (f : Z -> R) : R := sumR (fun pc => weight (snd pc) * f (fst pc)) l.

Lemma over_occupied_is l place f :
  over_classes l place (fun i c => weight c * f i) = over_occupied (occupied l place) f.
Proof.
  revert place. induction l as [|c rest IH]; intros place; simpl; [reflexivity|]. rewrite IH.
  destruct (Z.eqb_spec (count c) 0) as [empty|]; simpl; [|reflexivity].
  unfold weight at 1. rewrite empty. lra.
Qed.
Lemma over_occupied_total : over_occupied (occupied classes 0) (fun _ => 1) = W.
Proof.
  rewrite <- over_occupied_is, (over_classes_ext _ _ _ (fun _ c => weight c)) by (intros; lra).
  apply over_classes_weight.
Qed.
Lemma occupied_weights l place : incl l classes -> Forall (fun pc => 0 <= weight (snd pc)) (occupied l place).
Proof.
  revert place. induction l as [|c rest IH]; intros place sub; simpl; [constructor|].
  assert (incl rest classes) by (intros d Hd; apply sub; now right).
  destruct (count c =? 0)%Z; auto. constructor; auto. simpl.
  apply (weight_range classes Hsound). apply sub. now left.
Qed.

Lemma cumulative_ascending l sum : Forall (fun pc => 0 <= weight (snd pc)) l ->
  sum + over_occupied l (fun _ => 1) = W -> ascending (sum / W) (cumulative_weights W sum l).
Proof.
  pose proof W_positive. intros nonneg. revert sum.
  induction nonneg as [|[i c] rest first _ IH]; intros sum total; simpl in *.
  - unfold over_occupied in total. simpl in total. rewrite Rplus_0_r in total. subst sum. field. lra.
  - split.
    + apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | lra].
    + apply IH. unfold over_occupied in *. simpl in total. lra.
Qed.

(** Divided among the cumulative probabilities, the unit interval gives each class its weight. *)
Lemma shares_are_weights (name : Z -> Z) (f : Z -> R) l : Forall (fun pc => 0 <= weight (snd pc)) l ->
  forall sum place, 0 <= sum -> sum + over_occupied l (fun _ => 1) = W ->
  (forall j pc, nth_error l j = Some pc -> name (place + Z.of_nat j)%Z = fst pc) ->
  share 0 1 (sum / W) (cumulative_weights W sum l) place (fun x => f (name x)) = over_occupied l f / W.
Proof.
  pose proof W_positive as positive.
  induction 1 as [|[i c] rest first rest_nonneg IH]; intros sum place sum_nonneg total names; simpl in *.
  - unfold over_occupied. simpl. lra.
  - unfold over_occupied in total |- *. simpl in total |- *.
    assert (rest_sum : 0 <= sumR (fun pc : Z * class => weight (snd pc) * 1) rest).
    { clear - rest_nonneg. induction rest_nonneg; simpl; lra. }
    rewrite (IH (sum + weight c) (place + 1)%Z); try lra.
    + pose proof (names O (i, c) eq_refl) as here. rewrite Z.add_0_r in here. rewrite here.
      assert (inverse : 0 < / W) by now apply Rinv_0_lt_compat.
      rewrite overlap_within; [unfold over_occupied; simpl; field; lra | lra | | |].
      * apply Rmult_le_pos; lra.
      * apply Rmult_le_compat_r; lra.
      * apply Rmult_le_reg_r with W; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
    + unfold over_occupied. lra.
    + intros j pc found. replace (place + 1 + Z.of_nat j)%Z with (place + Z.of_nat (S j))%Z by lia.
      apply (names (S j)). exact found.
Qed.

Variables (partition_point : search) (cumulative : Z -> enclosures).
Hypothesis partition_point_right : partitions partition_point.
Hypothesis enclose : bounds_enclose cumulative (cumulative_probabilities classes).
Hypothesis shrink : bounds_shrink cumulative.

(** sample.exponential-mechanism: by inversion of bounds that enclose the cumulative probabilities and shrink to points,
    the class i is drawn with probability count_i e^(-x_i) / sum over j of count_j e^(-x_j). *)
Theorem exponential_inversion_law :
  has_law Z.eq_dec (draw_class partition_point cumulative classes) (class_probability classes).
Proof.
  pose proof W_positive as positive. pose proof (occupied_weights classes 0 (incl_refl _)) as nonneg.
  assert (up : ascending 0 (cumulative_probabilities classes)).
  { replace 0 with (0 / W) by (field; lra). apply cumulative_ascending; auto. rewrite over_occupied_total. lra. }
  eapply has_law_ext; [intros i; apply (class_mean_at classes)|].
  apply has_law_of_mean; [| apply (mean_class_mean classes Hsound) |].
  - intros F f Hf. unfold class_mean. fold W. rewrite over_occupied_is. unfold draw_class.
    set (l := occupied classes 0) in *. pose proof over_occupied_total as total. fold l in total.
    assert (several : expect (tmap (fun place => nth (Z.to_nat place) (map fst l) 0%Z)
      (invert partition_point cumulative F)) f <= over_occupied l f / W).
    { rewrite expect_map. eapply Rle_trans.
      - apply (inversion_below partition_point cumulative (cumulative_probabilities classes)); auto.
      - unfold place_mean, cumulative_probabilities. fold l W. apply Req_le.
        rewrite <- (shares_are_weights (fun place => nth (Z.to_nat place) (map fst l) 0%Z) f l nonneg 0 0%Z);
          [| lra | lra |].
        + replace (0 / W) with 0 by (field; lra). reflexivity.
        + intros j pc found. rewrite Z.add_0_l, Nat2Z.id. apply nth_error_nth. now apply map_nth_error. }
    destruct l as [|[only c] [|second rest]]; auto.
    simpl. unfold over_occupied in *. simpl in *. assert (weight c = W) as -> by lra.
    apply Req_le. field. lra.
  - assert (ends : decided (invert partition_point cumulative)).
    { exact (proj2 (inversion_law partition_point cumulative _ partition_point_right up enclose shrink)). }
    intros eps He. destruct (ends eps He) as [N HN]. exists N. intros n Hn. specialize (HN n Hn).
    unfold draw_class. destruct (occupied classes 0) as [|[only c] [|second rest]];
      try (unfold undecided in *; rewrite expect_map; exact HN).
    unfold undecided, R_dist. simpl. replace (1 - 1 - 0) with 0 by lra. now rewrite Rabs_R0.
Qed.
End law.
