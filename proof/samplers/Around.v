(** Noise around an exact value, and vectors of independent noise.

    If a program draws noise k with probability p(k), then value + noise is k with probability p(k - value); d draws one
    after the other give the vector (k_1, ..., k_d) with the product of the p(k_i); and the noise around a vector of
    values gives each coordinate around its own value. This holds for every law on the integers.

    The law of one coordinate is a hypothesis here; the discrete Gaussian is put in in SphericalGaussian.v. The
    statement for d coordinates includes d = 0.

    Claims: sample.spherical-gaussian.
*)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Laws Sequence. Import ListNotations.
Open Scope R_scope.

(** Rust: src/law/around.rs, Around::sample. The value and noise. *)
Definition around (F : nat) (value : Z) (noise : nat -> tree Z) : tree Z := tmap (fun k => (value + k)%Z) (noise F).
(** Noise for so many coordinates, one draw after the other. *)
Fixpoint draw_vector (F : nat) (dimension : nat) (noise : nat -> tree Z) : tree (list Z) :=
  match dimension with
  | O => Ret []
  | S rest => k <- noise F; l <- draw_vector F rest noise; Ret (k :: l)
  end.
(** Rust: AroundAll::sample. The values and noise, coordinate by coordinate. *)
Definition around_all (F : nat) (values : list Z) (noise : nat -> tree Z) : tree (list Z) :=
  tmap (fun l => map (fun xy => (fst xy + snd xy)%Z) (combine values l)) (draw_vector F (length values) noise).

(** The product of p over the coordinates; 0 for a vector of another length. *)
Fixpoint product_probability (p : Z -> R) (dimension : nat) (v : list Z) : R :=
  match dimension, v with
  | O, [] => 1
  | S rest, k :: l => p k * product_probability p rest l
  | _, _ => 0
  end.
(** The same around a vector of values. *)
Fixpoint product_around (p : Z -> R) (values v : list Z) : R :=
  match values, v with
  | [], [] => 1
  | value :: rest, k :: l => p (k - value)%Z * product_around p rest l
  | _, _ => 0
  end.

Section around.
Variables (noise : nat -> tree Z) (p : Z -> R).
Hypothesis noise_law : has_law Z.eq_dec noise p.

(** sample.spherical-gaussian: the noise around a value is k with the probability of noise k - value. *)
Theorem around_law value : has_law Z.eq_dec (fun F => around F value noise) (fun k => p (k - value)%Z).
Proof.
  apply (renamed_law Z.eq_dec Z.eq_dec noise p (fun k => (value + k)%Z) (fun k => Some (k - value)%Z)); auto.
  intros a b. split; [intros <-; f_equal; lia | intros E; injection E as <-; lia].
Qed.

(** sample.spherical-gaussian: independent draws have the product of the probabilities. *)
Theorem vector_law dimension :
  has_law (list_eq_dec Z.eq_dec) (fun F => draw_vector F dimension noise) (product_probability p dimension).
Proof.
  induction dimension as [|dimension IH].
  - eapply has_law_ext; [|exact (returned_law (list_eq_dec Z.eq_dec) [])].
    intros v. destruct (list_eq_dec Z.eq_dec [] v) as [<-|other]; [reflexivity|].
    destruct v; [congruence | reflexivity].
  - pose proof (sequence_law Z.eq_dec (list_eq_dec Z.eq_dec) noise p (fun _ F => draw_vector F dimension noise)
      (fun _ => product_probability p dimension) noise_law (fun _ _ => IH)) as both.
    pose proof (renamed_law _ (list_eq_dec Z.eq_dec) _ _ (fun ab => fst ab :: snd ab)
      (fun v => match v with k :: l => Some (k, l) | [] => None end) both) as named.
    apply has_law_same_expect with (program := fun F => tmap (fun ab => fst ab :: snd ab)
      (a <- noise F; b <- draw_vector F dimension noise; Ret (a, b))).
    + intros F f. rewrite expect_map. cbn [draw_vector]. rewrite !expect_bind. apply expect_ext. intros k.
      rewrite !expect_bind. reflexivity.
    + eapply has_law_ext; [|apply named].
      * intros [|k l]; reflexivity.
      * intros [k l] [|k' l']; simpl; split; congruence.
Qed.

(** Around values: a draw of each coordinate around its value. *)
Fixpoint each_around (F : nat) (values : list Z) : tree (list Z) :=
  match values with
  | [] => Ret []
  | value :: rest => k <- around F value noise; l <- each_around F rest; Ret (k :: l)
  end.
Lemma each_around_expect F values f : expect (around_all F values noise) f = expect (each_around F values) f.
Proof.
  revert f. induction values as [|value rest IH]; intros f; [reflexivity|].
  unfold around_all in *. rewrite expect_map. cbn [length draw_vector each_around]. rewrite !expect_bind.
  unfold around. rewrite expect_map. apply expect_ext. intros k. rewrite !expect_bind. cbn [expect].
  specialize (IH (fun l => f ((value + k)%Z :: l))). rewrite expect_map in IH. exact IH.
Qed.

(** sample.spherical-gaussian: noise around a vector c of values is c + y with the product of the probabilities of the
    coordinates of y. *)
Theorem around_all_law values :
  has_law (list_eq_dec Z.eq_dec) (fun F => around_all F values noise) (product_around p values).
Proof.
  apply has_law_same_expect with (program := fun F => each_around F values).
  { intros F f. symmetry. apply each_around_expect. }
  induction values as [|value rest IH].
  - exact (vector_law 0).
  - pose proof (sequence_law Z.eq_dec (list_eq_dec Z.eq_dec) _ _ (fun _ F => each_around F rest)
      (fun _ => product_around p rest) (around_law value) (fun _ _ => IH)) as both.
    pose proof (renamed_law _ (list_eq_dec Z.eq_dec) _ _ (fun ab => fst ab :: snd ab)
      (fun v => match v with k :: l => Some (k, l) | [] => None end) both) as named.
    apply has_law_same_expect with (program := fun F => tmap (fun ab => fst ab :: snd ab)
      (a <- around F value noise; b <- each_around F rest; Ret (a, b))).
    + intros F f. rewrite expect_map. cbn [each_around]. rewrite !expect_bind. apply expect_ext. intros k.
      rewrite !expect_bind. reflexivity.
    + eapply has_law_ext; [|apply named].
      * intros [|k l]; reflexivity.
      * intros [k l] [|k' l']; simpl; split; congruence.
Qed.

(** sample.spherical-gaussian: around c, the outcome c + y is as likely as the noise y. *)
Corollary around_all_shift values y : length y = length values ->
  product_around p values (map (fun xy => (fst xy + snd xy)%Z) (combine values y))
  = product_probability p (length values) y.
Proof.
  revert y. induction values as [|value rest IH]; intros [|k l]; simpl; try congruence; auto.
  intros same. rewrite IH by congruence. replace (value + k - value)%Z with k by lia. reflexivity.
Qed.
End around.
