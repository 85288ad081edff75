(** With more fuel each sampler gives the same result, from the same bits.

    So the fuel is only a device: it tells how far a run may go, and changes no result. The laws without fuel are in
    WithoutFuel.v.

    This joins the laws with fuel to the page, which knows none.

    Claims: sample.uniform-below, sample.bernoulli, sample.bernoulli-exp, sample.geometric, sample.discrete-laplace,
    sample.discrete-gaussian.
*)
Require Import ZArith List Bool Lia.
From DpAssay Require Import Trees Fuel Samplers.

Lemma attempts_extends {A} (t u : tree (option A)) F : forall G, (F <= G)%nat -> extends t u ->
  extends (attempts F t) (attempts G u).
Proof.
  induction F; intros G L E; [constructor|]. destruct G; [lia|]. cbn [attempts].
  apply extends_bind; auto. intros [x|]; [constructor | apply IHF; auto; lia].
Qed.

Lemma uniform_below_extends n F G : (F <= G)%nat -> extends (uniform_below F n) (uniform_below G n).
Proof. intros L. apply attempts_extends; auto using extends_refl. Qed.

Lemma bernoulli_loop_extends F : forall G r q, (F <= G)%nat -> extends (bernoulli_loop F r q) (bernoulli_loop G r q).
Proof.
  induction F; intros G r q L; [constructor|]. destruct G; [lia|]. cbn [bernoulli_loop].
  destruct (r =? 0)%Z; constructor. intros coin. destruct (eqb coin _); [apply IHF; lia | constructor].
Qed.

Lemma bernoulli_extends p q F G : (F <= G)%nat -> extends (bernoulli F p q) (bernoulli G p q).
Proof. intros L. unfold bernoulli. destruct (p =? q)%Z; [constructor | now apply bernoulli_loop_extends]. Qed.

Lemma below_one_loop_extends F F' : forall G G' p q k, (F <= G)%nat -> (F' <= G')%nat ->
  extends (below_one_loop F F' p q k) (below_one_loop G G' p q k).
Proof.
  induction F; intros G G' p q k L L'; [constructor|]. destruct G; [lia|]. cbn [below_one_loop].
  apply extends_bind; [now apply bernoulli_extends|]. intros []; [apply IHF; lia | constructor].
Qed.

Lemma exp_whole_extends w rest q F G : (F <= G)%nat -> extends (exp_whole F w rest q) (exp_whole G w rest q).
Proof.
  intros L. induction w; cbn [exp_whole]; [now apply below_one_loop_extends|].
  apply extends_bind; [now apply below_one_loop_extends|]. intros []; [exact IHw | constructor].
Qed.

Lemma bernoulli_exp_extends p q F G : (F <= G)%nat -> extends (bernoulli_exp F p q) (bernoulli_exp G p q).
Proof.
  intros L. unfold bernoulli_exp.
  destruct (p <=? q)%Z; [now apply below_one_loop_extends | now apply exp_whole_extends].
Qed.

Lemma geometric_v_extends F F' : forall G G' v, (F <= G)%nat -> (F' <= G')%nat ->
  extends (geometric_v F F' v) (geometric_v G G' v).
Proof.
  induction F; intros G G' v L L'; [constructor|]. destruct G; [lia|]. cbn [geometric_v].
  apply extends_bind; [now apply bernoulli_exp_extends|]. intros []; [apply IHF; lia | constructor].
Qed.

Lemma geometric_extends s t F G : (F <= G)%nat -> extends (geometric F s t) (geometric G s t).
Proof.
  intros L. unfold geometric, geometric_u_attempt. apply extends_bind.
  - apply attempts_extends; auto. apply extends_bind; [now apply uniform_below_extends|].
    intros u. apply extends_bind; [now apply bernoulli_exp_extends|]. intros. apply extends_refl.
  - intros u. apply extends_bind; [now apply geometric_v_extends|]. intros. apply extends_refl.
Qed.

Lemma laplace_extends p q F G : (F <= G)%nat -> extends (laplace F p q) (laplace G p q).
Proof.
  intros L. unfold laplace, laplace_attempt. apply attempts_extends; auto. apply extends_bind; [apply extends_refl|].
  intros negative. apply extends_bind; [now apply geometric_extends|]. intros. apply extends_refl.
Qed.

Lemma gaussian_extends a b F G : (F <= G)%nat -> extends (gaussian F a b) (gaussian G a b).
Proof.
  intros L. unfold gaussian, gaussian_attempt. apply attempts_extends; auto.
  apply extends_bind; [now apply laplace_extends|].
  intros y. apply extends_bind; [now apply bernoulli_exp_extends|]. intros. apply extends_refl.
Qed.

(** sample.uniform-below: more fuel changes no result. *)
Theorem uniform_below_fuel_monotone n : fuel_monotone (fun fuel => uniform_below fuel n).
Proof. apply monotone_of_extends. intros F G. apply uniform_below_extends. Qed.

(** sample.bernoulli: more fuel changes no result. *)
Theorem bernoulli_fuel_monotone p q : fuel_monotone (fun fuel => bernoulli fuel p q).
Proof. apply monotone_of_extends. intros F G. apply bernoulli_extends. Qed.

(** sample.bernoulli-exp: more fuel changes no result. *)
Theorem bernoulli_exp_fuel_monotone p q : fuel_monotone (fun fuel => bernoulli_exp fuel p q).
Proof. apply monotone_of_extends. intros F G. apply bernoulli_exp_extends. Qed.

(** sample.geometric: more fuel changes no result. *)
Theorem geometric_fuel_monotone s t : fuel_monotone (fun fuel => geometric fuel s t).
Proof. apply monotone_of_extends. intros F G. apply geometric_extends. Qed.

(** sample.discrete-laplace: more fuel changes no result. *)
Theorem laplace_fuel_monotone p q : fuel_monotone (fun fuel => laplace fuel p q).
Proof. apply monotone_of_extends. intros F G. apply laplace_extends. Qed.

(** sample.discrete-gaussian: more fuel changes no result. *)
Theorem gaussian_fuel_monotone a b : fuel_monotone (fun fuel => gaussian fuel a b).
Proof. apply monotone_of_extends. intros F G. apply gaussian_extends. Qed.
