(** More fuel changes no result of a translated sampler.

    Claims: none.
*)
Require Import ZArith Lia.
From DpAssay Require Import Trees Fuel Rust Source Same.

Lemma uniform_below_attempt_more F G n : F <= G -> extends (layers_uniform_below_attempt F n)
  (layers_uniform_below_attempt G n).
Proof. intros L. unfold layers_uniform_below_attempt. more_fuel. Qed.
#[export] Hint Resolve uniform_below_attempt_more : more_fuel.
Lemma uniform_below_more F G n : F <= G -> extends (layers_uniform_below F n) (layers_uniform_below G n).
Proof. intros L. unfold layers_uniform_below. more_fuel. Qed.
Lemma require_more F G right parameter : extends (error_require F right parameter) (error_require G right parameter).
Proof. apply extends_refl. Qed.
#[export] Hint Resolve uniform_below_more require_more : more_fuel.
Lemma bernoulli_more F G p : F <= G -> extends (layers_bernoulli F p) (layers_bernoulli G p).
Proof. intros L. unfold layers_bernoulli. more_fuel. Qed.
#[export] Hint Resolve bernoulli_more : more_fuel.
Lemma up_to_one_more F G x : F <= G -> extends (layers_bernoulli_exp_up_to_one F x) (layers_bernoulli_exp_up_to_one
  G x).
Proof. intros L. unfold layers_bernoulli_exp_up_to_one. more_fuel. Qed.
#[export] Hint Resolve up_to_one_more : more_fuel.
Lemma bernoulli_exp_deep_more D : forall E F G x, D <= E -> F <= G ->
  extends (layers_bernoulli_exp_deep D F x) (layers_bernoulli_exp_deep E G x).
Proof.
  induction D; intros E F G x LD L; [constructor|]. destruct E; [lia|]. cbn [layers_bernoulli_exp_deep].
  assert (LD' : D <= E) by lia. more_fuel.
Qed.
Lemma bernoulli_exp_more F G x : F <= G -> extends (layers_bernoulli_exp F x) (layers_bernoulli_exp G x).
Proof. intros L. apply bernoulli_exp_deep_more; lia. Qed.
Lemma integer_more F G a : extends (rational_integer F a) (rational_integer G a).
Proof. apply extends_refl. Qed.
#[export] Hint Resolve bernoulli_exp_more integer_more : more_fuel.
Lemma remainder_more F G t : F <= G -> extends (geometric_remainder F t) (geometric_remainder G t).
Proof. intros L. unfold geometric_remainder. more_fuel. Qed.
Lemma whole_part_more F G : F <= G -> extends (geometric_whole_part F) (geometric_whole_part G).
Proof. intros L. unfold geometric_whole_part. more_fuel. Qed.
#[export] Hint Resolve remainder_more whole_part_more : more_fuel.
Lemma geometric_more F G law : F <= G -> extends (Geometric_sample F law) (Geometric_sample G law).
Proof. intros L. unfold Geometric_sample. more_fuel. Qed.
#[export] Hint Resolve geometric_more : more_fuel.
Lemma laplace_more F G law : F <= G -> extends (DiscreteLaplace_sample F law) (DiscreteLaplace_sample G law).
Proof. intros L. unfold DiscreteLaplace_sample. more_fuel. Qed.
#[export] Hint Resolve laplace_more : more_fuel.
Lemma gaussian_more F G law : F <= G -> extends (DiscreteGaussian_sample F law) (DiscreteGaussian_sample G law).
Proof. intros L. unfold DiscreteGaussian_sample. more_fuel. Qed.
#[export] Hint Resolve gaussian_more : more_fuel.
