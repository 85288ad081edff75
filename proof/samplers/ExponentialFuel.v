(** More fuel changes no result of the exponential mechanism, nor of vectors of noise.

    FuelMonotone.v has the other samplers.

    Claims: none.
*)
Require Import ZArith List Bool Lia.
From DpAssay Require Import Trees Fuel Samplers FuelMonotone.
From DpAssay Require Import ExponentialRejection Inversion ExponentialInversion RankInClass Around.

Lemma exponential_extends classes F G : (F <= G)%nat -> extends (exponential F classes) (exponential G classes).
Proof.
  intros L. apply attempts_extends; auto. apply extends_bind; [now apply uniform_below_extends|]. intros rank.
  destruct (class_of_rank rank classes 0) as [[place c]|]; [|constructor].
  apply extends_bind; [now apply bernoulli_exp_extends|]. intros. apply extends_refl.
Qed.

(** By rejection. *)
Theorem exponential_fuel_monotone classes : fuel_monotone (fun F => exponential F classes).
Proof. apply monotone_of_extends. intros. now apply exponential_extends. Qed.

Lemma invert_loop_extends search cumulative F : forall G precision bounds drawn digits, (F <= G)%nat ->
  extends (invert_loop search cumulative F precision bounds drawn digits)
    (invert_loop search cumulative G precision bounds drawn digits).
Proof.
  induction F; intros G precision bounds drawn digits L; [constructor|]. destruct G; [lia|]. cbn [invert_loop].
  destruct (decision search bounds drawn digits); [constructor|]. constructor. intros coin. cbv zeta.
  destruct (_ <? _)%Z; apply IHF; lia.
Qed.

Lemma draw_class_extends search cumulative classes F G : (F <= G)%nat ->
  extends (draw_class search cumulative classes F) (draw_class search cumulative classes G).
Proof.
  intros L. unfold draw_class. destruct (occupied classes 0) as [|[only c] [|s r]]; try constructor;
    apply extends_bind; try (now apply invert_loop_extends); intros; apply extends_refl.
Qed.

(** By inversion. *)
Theorem draw_class_fuel_monotone search cumulative classes : fuel_monotone (draw_class search cumulative classes).
Proof. apply monotone_of_extends. intros. now apply draw_class_extends. Qed.

(** With the rank in the class, if the class is drawn by a program that more fuel does not change. *)
Theorem draw_outcome_fuel_monotone program classes :
  (forall F G, (F <= G)%nat -> extends (program F) (program G)) ->
  fuel_monotone (fun F => draw_outcome program F classes).
Proof.
  intros E. apply monotone_of_extends. intros F G L. apply extends_bind; auto. intros.
  apply extends_bind; [now apply uniform_below_extends|]. intros. apply extends_refl.
Qed.

Lemma draw_vector_extends noise F G n :
  extends (noise F) (noise G) -> extends (draw_vector F n noise) (draw_vector G n noise).
Proof.
  intros E. induction n; cbn [draw_vector]; [constructor|]. apply extends_bind; auto. intros k.
  apply extends_bind; auto. intros. apply extends_refl.
Qed.

(** Values and noise. *)
Theorem around_all_fuel_monotone noise values : (forall F G, (F <= G)%nat -> extends (noise F) (noise G)) ->
  fuel_monotone (fun F => around_all F values noise).
Proof.
  intros E. apply monotone_of_extends. intros F G L. apply extends_bind; [now apply draw_vector_extends, E|].
  intros. apply extends_refl.
Qed.
