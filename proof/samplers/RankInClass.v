(** The rank of an outcome within its class.

    The exponential mechanism draws a class, and then the rank of the outcome among the outcomes of the class,
    uniformly. Whatever program draws the class with its probability: the class i and the rank k < count_i come with the
    probability of the class divided by count_i, which is e^(-x_i) / sum over j of count_j e^(-x_j).

    This is the claim's last sentence: given the class, the rank is uniform.

    Claims: sample.exponential-mechanism.
*)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Samplers Laws Sequence ExponentialRejection. Import ListNotations.
Open Scope R_scope.

(** The number of outcomes of the class at a place; 0 where there is none. *)
Definition count_at (classes : list class) (place : Z) : Z :=
  if (place <? 0)%Z then 0%Z else nth (Z.to_nat place) (map count classes) 0%Z.

(** Rust: src/sample/exponential_mechanism.rs, draw_outcome. A class, by a program that draws one, and a rank in it. *)
Definition draw_outcome (draw_class : nat -> tree Z) (F : nat) (classes : list class) : tree (Z * Z) :=
  place <- draw_class F; rank <- uniform_below F (count_at classes place); Ret (place, rank).

Definition uniform_probability (n k : Z) : R := if (0 <=? k)%Z && (k <? n)%Z then / IZR n else 0.

Lemma uniform_has_law n : (0 < n)%Z -> has_law Z.eq_dec (fun F => uniform_below F n) (uniform_probability n).
Proof.
  intros Hn. eapply has_law_ext; [|apply (has_law_of_mean Z.eq_dec _ (EU n))].
  - intros k. unfold EU, uniform_probability. cbv beta.
    assert (at_k : forall m, sumn m (fun x => if Z.eq_dec x k then 1 else 0)
      = if (0 <=? k)%Z && (k <? Z.of_nat m)%Z then 1 else 0).
    { induction m; cbn [sumn].
      - destruct (Z.leb_spec 0 k), (Z.ltb_spec k (Z.of_nat 0)); simpl; lia || lra.
      - rewrite IHm. destruct (Z.eq_dec (Z.of_nat m) k), (Z.leb_spec 0 k), (Z.ltb_spec k (Z.of_nat m)),
          (Z.ltb_spec k (Z.of_nat (S m))); simpl; lia || lra. }
    rewrite at_k, Z2Nat.id by lia. destruct ((0 <=? k)%Z && (k <? n)%Z); lra.
  - now apply uniform_below_below.
  - now apply mean_EU.
  - apply decided_rate with (c := 1) (r := / 2); [lra|]. intros F. rewrite Rmult_1_l. now apply uniform_below_undecided.
Qed.

(** sample.exponential-mechanism: the class i and the rank k in it come with the probability of the class, divided by
    the number of its outcomes. *)
Theorem rank_in_class_law classes draw_class : sound classes ->
  has_law Z.eq_dec draw_class (class_probability classes) ->
  has_law (pair_eq_dec Z.eq_dec Z.eq_dec) (fun F => draw_outcome draw_class F classes)
    (fun outcome => class_probability classes (fst outcome)
                    * uniform_probability (count_at classes (fst outcome)) (snd outcome)).
Proof.
  intros Hsound law. unfold draw_outcome.
  apply (sequence_law Z.eq_dec Z.eq_dec draw_class (class_probability classes)
    (fun place F => uniform_below F (count_at classes place))
    (fun place => uniform_probability (count_at classes place))); auto.
  intros place positive. apply uniform_has_law.
  destruct (total_weight_range classes Hsound) as [total _].
  assert (weighty : 0 < weight_at classes place).
  { unfold class_probability in positive. apply Rmult_lt_reg_r with (/ total_weight classes);
      [now apply Rinv_0_lt_compat|]. rewrite Rmult_0_l. exact positive. }
  unfold weight_at, count_at in *. destruct (place <? 0)%Z; [lra|].
  destruct Hsound as [all _]. revert weighty. generalize (Z.to_nat place) as n. clear law positive total.
  induction all as [|c rest (Hc & _) _ IH]; intros [|n]; simpl; try (intros; lra); [|apply IH].
  intros weighty. destruct (Z.eq_dec (count c) 0) as [none|]; [|lia].
  unfold weight in weighty. rewrite none in weighty. lra.
Qed.
