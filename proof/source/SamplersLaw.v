(** The laws of the translated source: of what the functions of reference/src do, without the programs by which it
  was proved.

    Each theorem says of every amount of fuel and every way to end what `has_law` says (coins/Law.v). [of_ok] gives
      an error
    and a panic the probability 0.

    Claims: sample.uniform-below, sample.bernoulli, sample.bernoulli-exp, sample.geometric, sample.discrete-laplace,
    sample.discrete-gaussian.
*)
Require Import ZArith Reals Lra Lia List Bool.
Require String.
From DpAssay Require Import Trees Law Fuel Sums Sequence Rust Source Same SamplersFuel SamplersEqual.
From DpAssay Require Import UniformBelow Bernoulli BernoulliExp Geometric Laplace Gaussian FuelMonotone.
Open Scope R_scope.

Lemma extends_expect {A} (t u : tree A) f : extends t u -> (forall a, 0 <= f a) -> expect t f <= expect u f.
Proof.
  intros E P. induction E as [u|a|k k' E IH]; simpl; [now apply expect_ge0 | lra |].
  specialize (IH false) as H0; specialize (IH true). lra.
Qed.
Lemma extends_undecided {A} (t u : tree A) : extends t u -> undecided u <= undecided t.
Proof. intros E. unfold undecided. pose proof (extends_expect t u (fun _ => 1) E ltac:(intros; lra)). lra. Qed.
Lemma extends_upper {A} (t u : tree A) f : extends t u -> (forall a, 0 <= f a <= 1) ->
  expect u f <= expect t f + undecided t.
Proof.
  intros E P. assert (Q : forall a, 0 <= 1 - f a) by (intros a; specialize (P a); lra).
  pose proof (extends_expect t u (fun a => 1 - f a) E Q) as H. rewrite !expect_minus in H.
  pose proof (expect_one u). unfold undecided. lra.
Qed.

Section law.
Context {A : Type} (dec : forall x y : A, {x = y} + {x <> y}).

Lemma has_law_same (p q : nat -> tree A) probability : same p q -> monotone p ->
  has_law dec q probability -> has_law dec p probability.
Proof.
  intros [W W'] M L. pose proof (law_is_the_limit dec q probability L) as lim. destruct L as [S D].
  assert (B : forall a x, 0 <= equals dec a x <= 1) by (intros; apply equals_bounds).
  assert (B0 : forall a x, 0 <= equals dec a x) by (intros a x; apply B). split.
  - intros F a. split.
    + destruct (W F) as [G E]. eapply Rle_trans; [apply (extends_expect _ _ (equals dec a) E (B0 a)) | apply S].
    + apply limit_at_most with (u := fun n => Pr dec (q n) a); [apply lim|]. intros n. destruct (W' n) as [G E].
      eapply Rle_trans; [apply (extends_expect _ (p (F + G)%nat) (equals dec a)); [|apply B0]|].
      * eapply extends_trans; [exact E | apply M; lia].
      * apply (extends_upper (p F)); [apply M; lia | apply B].
  - intros eps H. destruct (D eps H) as [n N]. destruct (W' n) as [G E]. exists G. intros F L.
    specialize (N n (Nat.le_refl _)). unfold R_dist in *. rewrite Rminus_0_r in *.
    pose proof (undecided_bounds (p F)). pose proof (undecided_bounds (q n)).
    pose proof (extends_undecided _ _ (extends_trans _ _ _ E (M G F L))). rewrite Rabs_pos_eq in * by lra. lra.
Qed.
End law.

Definition ending_dec {A} (dec : forall x y : A, {x = y} + {x <> y}) :
  forall x y : ending (result A), {x = y} + {x <> y}.
Proof. intros x y. repeat decide equality. Defined.

(** The probability of each ending: of an error and of a panic, 0. *)
Definition of_ok {A} (probability : A -> R) (e : ending (result A)) : R :=
  match e with Returned (Ok a) => probability a | _ => 0 end.

Theorem law_of_source {A} (dec : forall x y : A, {x = y} + {x <> y}) (source : nat -> rust (result A)) program
  probability :
  same source (fun F => ok (program F)) -> monotone source -> has_law dec program probability ->
  has_law (ending_dec dec) source (of_ok probability).
Proof.
  intros S M L. eapply has_law_same; [exact S | exact M |].
  pose proof (renamed_law dec (ending_dec dec) program probability (fun a => Returned (Ok a))
    (fun e : ending (result A) => match e with Returned (Ok a) => Some a | _ => None end) L) as N.
  eapply has_law_ext; [|apply N].
  - intros [[a|e]|]; reflexivity.
  - intros a [[b|e]|]; split; congruence.
Qed.

(** * The samplers *)

(** sample.uniform-below: uniform_below(n), n >= 1, is Ok k with probability 1/n, k < n. *)
Theorem source_uniform_below n : (1 <= n)%Z ->
  has_law (ending_dec Z.eq_dec) (fun F => layers_uniform_below F n)
    (of_ok (fun k => if ((0 <=? k) && (k <? n))%Z then 1 / IZR n else 0)).
Proof.
  intros N. apply law_of_source with (program := fun F => Samplers.uniform_below F n); [| |now apply
    uniform_below_law].
  - apply same_of_eventually; [| |exists (enough n); intros; now apply uniform_below_equal].
    + intros F G L. more_fuel.
    + intros F G L. apply ok_extends. now apply uniform_below_extends.
  - intros F G L. more_fuel.
Qed.

(** sample.bernoulli: bernoulli(p/q), 0 <= p <= q, is Ok true with probability p/q. *)
Theorem source_bernoulli p q : (0 <= p <= q)%Z -> (0 < q)%Z ->
  has_law (ending_dec bool_dec) (fun F => layers_bernoulli F (Rational p q))
    (of_ok (fun r : bool => if r then IZR p / IZR q else 1 - IZR p / IZR q)).
Proof.
  intros P Q. apply law_of_source with (program := fun F => Samplers.bernoulli F p q); [| |now apply bernoulli_law].
  - apply same_of_eventually; [| |exists O; intros; now apply bernoulli_equal].
    + intros F G L. more_fuel.
    + intros F G L. apply ok_extends. now apply bernoulli_extends.
  - intros F G L. more_fuel.
Qed.

(** sample.bernoulli-exp: bernoulli_exp(p/q), p >= 0, is Ok true with probability e^(-p/q). *)
Theorem source_bernoulli_exp p q : (0 <= p)%Z -> (0 < q)%Z -> let x := IZR p / IZR q in
  has_law (ending_dec bool_dec) (fun F => layers_bernoulli_exp F (Rational p q))
    (of_ok (fun r : bool => if r then exp (- x) else 1 - exp (- x))).
Proof.
  intros P Q x. apply law_of_source with (program := fun F => Samplers.bernoulli_exp F p q); [| |now apply
    bernoulli_exp_law].
  - apply same_of_eventually; [| |exists (S (Z.to_nat (p / q))); intros; apply bernoulli_exp_equal; auto; lia].
    + intros F G L. more_fuel.
    + intros F G L. apply ok_extends. now apply bernoulli_exp_extends.
  - intros F G L. more_fuel.
Qed.

(** sample.geometric: a draw from Geometric { rate: s/t } is Ok k with probability (1 - e^-r) e^(-r k). *)
Theorem source_geometric s t : (0 < s)%Z -> (0 < t)%Z -> let r := IZR s / IZR t in
  has_law (ending_dec Z.eq_dec) (fun F => Geometric_sample F (make_Geometric (Rational s t)))
    (of_ok (fun k => if (k <? 0)%Z then 0 else (1 - exp (- r)) * exp (- (r * IZR k)))).
Proof.
  intros S T r. apply law_of_source with (program := fun F => Samplers.geometric F s t); [| |now apply geometric_law].
  - apply same_of_eventually; [| |exists (enough t); intros; now apply geometric_equal].
    + intros F G L. more_fuel.
    + intros F G L. apply ok_extends. now apply geometric_extends.
  - intros F G L. more_fuel.
Qed.

Lemma laplace_same p q : (0 < p)%Z -> (0 < q)%Z ->
  same (fun F => DiscreteLaplace_sample F (laplace_law p q)) (fun F => ok (Samplers.laplace F p q)).
Proof.
  intros P Q. apply same_of_eventually; [| |exists (enough p); intros; now apply laplace_equal].
  - intros F G L. more_fuel.
  - intros F G L. apply ok_extends. now apply laplace_extends.
Qed.

(** sample.discrete-laplace: a draw from what DiscreteLaplace::new(p/q) returns is Ok k with probability
    (1 - e)/(1 + e) e^(-|k|/scale), e = e^(-1/scale). *)
Theorem source_discrete_laplace p q : (0 < p)%Z -> (0 < q)%Z -> let scale := IZR p / IZR q in
  has_law (ending_dec Z.eq_dec) (fun F => DiscreteLaplace_sample F (laplace_law p q))
    (of_ok (fun k => (1 - exp (- / scale)) / (1 + exp (- / scale)) * exp (- IZR (Z.abs k) / scale))).
Proof.
  intros P Q scale. apply law_of_source with (program := fun F => Samplers.laplace F p q); [| |now apply
    discrete_laplace_law].
  - now apply laplace_same.
  - intros F G L. more_fuel.
Qed.

(** sample.discrete-gaussian: a draw from what DiscreteGaussian::new(a/b) returns is Ok k with probability
    e^(-k^2 / (2 variance)) / theta. *)
Theorem source_discrete_gaussian a b : (0 < a)%Z -> (0 < b)%Z -> let variance := IZR a / IZR b in
  forall theta, Un_cv (symmetric_sum (fun j => exp (- IZR (j * j) / (2 * variance)))) theta ->
  has_law (ending_dec Z.eq_dec) (fun F => DiscreteGaussian_sample F (gaussian_law a b))
    (of_ok (fun k => exp (- IZR (k * k) / (2 * variance)) / theta)).
Proof.
  intros A B variance theta CV.
  apply law_of_source with (program := fun F => Samplers.gaussian F a b); [| |now apply discrete_gaussian_law].
  - now apply gaussian_same.
  - intros F G L. more_fuel.
Qed.

(** On every tape the translated source and the program end alike. *)
Theorem gaussian_on_every_tape a b : (0 < a)%Z -> (0 < b)%Z ->
  agrees_without_fuel (fun F => DiscreteGaussian_sample F (gaussian_law a b)) (fun F => Samplers.gaussian F a b).
Proof. intros A B. apply agrees_of_same. now apply gaussian_same. Qed.
