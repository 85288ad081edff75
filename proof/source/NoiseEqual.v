(** Noise around a value, translated, is the program of samplers/Around.v; with the law of vectors of discrete
  Gaussian
    noise. A noisy answer that is told outside an interval, and a noisy test with an answer, are their draws and no
      more.

    Claims: sample.spherical-gaussian.
*)
Require Import ZArith Reals Bool String List Lia FunctionalExtensionality.
From DpAssay Require Import Trees Law Fuel Sums Sequence Samplers Gaussian Around SphericalGaussian FuelMonotone.
From DpAssay Require Import Rust Source Same SamplersFuel SamplersEqual SamplersLaw.
Import ListNotations.
Open Scope Z_scope.

(** What is done with a run keeps what is the same. *)
Lemma same_context {A B} (C : tree A -> tree B) p q : (forall t u, extends t u -> extends (C t) (C u)) ->
  same p q -> same (fun F => C (p F)) (fun F => C (q F)).
Proof.
  intros H [W W']. split; intros F; [destruct (W F) as [G E] | destruct (W' F) as [G E]]; exists G; now apply H.
Qed.

(** * One value *)

Theorem around_same {N} (sample : nat -> N -> rust (result Z)) law value (noise : nat -> tree Z) :
  same (fun F => sample F law) (fun F => ok (noise F)) ->
  same (fun F => Around_sample sample F (make_Around value law)) (fun F => ok (around F value noise)).
Proof.
  intros E. unfold Around_sample. cbn [Around_noise Around_value].
  set (C := fun t : rust (result Z) => body (let* t1 := ask t in @val (result Z) _ (Ok (value + t1)))).
  replace (fun F => ok (around F value noise)) with (fun F => C (ok (noise F))).
  - change (same (fun F => C (sample F law)) (fun F => C (ok (noise F)))).
    apply same_context; [|exact E]. intros t u X. unfold C.
    apply body_extends, mbind_extends; [now apply ask_extends|]. intros. apply extends_refl.
  - extensionality F. unfold C, around. rewrite body_ask. unfold ok, tmap. rewrite bind_bind. reflexivity.
Qed.
Lemma around_laplace F value p q : 0 < p -> 0 < q -> (enough p <= F)%nat ->
  Around_sample DiscreteLaplace_sample F (make_Around value (laplace_law p q))
  = ok (around F value (fun F => laplace F p q)).
Proof.
  intros P Q L. unfold Around_sample, around. cbn [Around_noise Around_value]. rewrite laplace_equal, body_ask by
    auto.
  unfold ok, tmap. rewrite bind_bind. reflexivity.
Qed.

(** What a release draws: `noise.around(value)` is the law with this value and this noise, and nothing is drawn. *)
Theorem around_is_the_law F (law : DiscreteGaussian) value :
  DiscreteGaussian_around F law value = Ret (Returned (make_Around value law)).
Proof. reflexivity. Qed.

(** * Vectors *)

Lemma next_coordinate G n (q : nat -> tree Z) : ok (draw_vector G (S n) q) =
  body (let* b := ask (ok (q G)) in let* bs := ask (ok (draw_vector G n q)) in @val (result (list Z)) _ (Ok (b ::
    bs))).
Proof.
  cbn [draw_vector]. rewrite body_ask, ok_bind. apply bind_ext. intros b. rewrite body_ask, ok_bind.
  apply bind_ext. reflexivity.
Qed.
Lemma draws_same {X} (l : list X) (p : nat -> rust (result Z)) (q : nat -> tree Z) : same p (fun F => ok (q F)) ->
  same (fun F => collect_each l (fun _ => p F)) (fun F => ok (draw_vector F (length l) q)).
Proof.
  intros [W W']. split; intros F; [destruct (W F) as [G E] | destruct (W' F) as [G E]]; exists G; clear W W';
    (induction l as [|x l IH]; [apply extends_refl|]); cbn [collect_each length]; rewrite next_coordinate;
    (apply body_extends, mbind_extends; [now apply ask_extends|]); intros b;
    (apply mbind_extends; [now apply ask_extends | intros; apply extends_refl]).
Qed.
Lemma range_length n : length (range (Z.of_nat n)) = n.
Proof. unfold range. now rewrite map_length, seq_length, Nat2Z.id. Qed.

Theorem vector_same a b n : 0 < a -> 0 < b ->
  same (fun F => DiscreteGaussian_draw_vector F (gaussian_law a b) (Z.of_nat n))
    (fun F => ok (spherical_gaussian F n a b)).
Proof.
  intros A B. pose proof (draws_same (range (Z.of_nat n)) _ _ (gaussian_same a b A B)) as S. rewrite range_length
    in S.
  replace (fun F => DiscreteGaussian_draw_vector F (gaussian_law a b) (Z.of_nat n)) with
    (fun F => collect_each (range (Z.of_nat n)) (fun _ => DiscreteGaussian_sample F (gaussian_law a b))); [exact S|].
  extensionality F. unfold DiscreteGaussian_draw_vector. now rewrite body_call.
Qed.

Theorem laplace_vector_same p q n : 0 < p -> 0 < q ->
  same (fun F => DiscreteLaplace_draw_vector F (laplace_law p q) (Z.of_nat n))
    (fun F => ok (draw_vector F n (fun F => laplace F p q))).
Proof.
  intros P Q. assert (one : same (fun F => DiscreteLaplace_sample F (laplace_law p q)) (fun F => ok (laplace F p q))).
  { apply same_of_eventually; [intros F G L; more_fuel | intros F G L; now apply ok_extends, laplace_extends |].
    exists (enough p). intros F L. now apply laplace_equal. }
  pose proof (draws_same (range (Z.of_nat n)) _ _ one) as S. rewrite range_length in S.
  replace (fun F => DiscreteLaplace_draw_vector F (laplace_law p q) (Z.of_nat n)) with
    (fun F => collect_each (range (Z.of_nat n)) (fun _ => DiscreteLaplace_sample F (laplace_law p q))); [exact S|].
  extensionality F. unfold DiscreteLaplace_draw_vector. now rewrite body_call.
Qed.

Theorem around_all_same {N} (draw : nat -> N -> Z -> rust (result (list Z))) law values (noise : nat -> tree Z) :
  same (fun F => draw F law (Z.of_nat (length values))) (fun F => ok (draw_vector F (length values) noise)) ->
  same (fun F => AroundAll_sample draw F (make_AroundAll values law)) (fun F => ok (around_all F values noise)).
Proof.
  intros E. unfold AroundAll_sample. cbn [AroundAll_noise AroundAll_values].
  set (C := fun t : rust (result (list Z)) => body (let* t1 := ask t in
    let noise := t1 in @val (result (list Z)) _ (Ok (map (fun '(x, noise) => x + noise) (combine values noise))))).
  replace (fun F => ok (around_all F values noise)) with (fun F => C (ok (draw_vector F (length values) noise))).
  - change (same (fun F => C (draw F law (Z.of_nat (length values))))
      (fun F => C (ok (draw_vector F (length values) noise)))).
    apply same_context; [|exact E]. intros t u X. unfold C.
    apply body_extends, mbind_extends; [now apply ask_extends|]. intros. apply extends_refl.
  - extensionality F. unfold C, around_all. rewrite body_ask. unfold ok, tmap. rewrite bind_bind. apply bind_ext.
    intros l.
    cbv zeta.
    replace (map (fun '(x, noise) => x + noise) (combine values l))
      with (map (fun xy => fst xy + snd xy) (combine values l)) by (apply map_ext; now intros [x y]).
    reflexivity.
Qed.

(** sample.spherical-gaussian: a draw from `DiscreteGaussian::new(a/b)` around the vector c is Ok v with the
  product of the
    probabilities of the coordinates of v - c. *)
Theorem source_spherical_gaussian a b (A : 0 < a) (B : 0 < b) theta :
  Un_cv (symmetric_sum (fun j => exp (- IZR (j * j) / (2 * (IZR a / IZR b))))) theta -> forall values,
  has_law (ending_dec (list_eq_dec Z.eq_dec))
    (fun F => AroundAll_sample DiscreteGaussian_draw_vector F (make_AroundAll values (gaussian_law a b)))
    (of_ok (product_around (gaussian_probability a b theta) values)).
Proof.
  intros T values. apply law_of_source with (program := fun F => around_all F values (fun F => gaussian F a b)).
  - apply around_all_same, vector_same; auto.
  - intros F G L. unfold AroundAll_sample, DiscreteGaussian_draw_vector. more_fuel.
  - now apply spherical_gaussian_around_law.
Qed.

(** * What is told of a noisy value *)

(** A value with Laplace noise, quiet from [least] to [largest]. *)
Definition censored F value p q least largest : tree (option Z) :=
  noisy <- around F value (fun F => laplace F p q);
  Ret (if negb ((least <=? noisy) && (noisy <=? largest)) then Some noisy else None).

Theorem censored_equal F value p q least largest : 0 < p -> 0 < q -> (enough p <= F)%nat ->
  Censored_sample F (make_Censored (make_Around value (laplace_law p q)) least largest)
  = ok (censored F value p q least largest).
Proof.
  intros P Q L. unfold Censored_sample, censored. cbn [Censored_told Censored_least Censored_largest].
  rewrite around_laplace, body_ask, ok_bind by auto. apply bind_ext. reflexivity.
Qed.
(** An interval that is empty is refused. *)
Theorem censored_refuses F value law least largest : largest < least ->
  Censored_new F value law (least, largest) = out_of_range "the interval of quiet answers".
Proof. intros E. unfold Censored_new. rewrite (proj2 (Z.leb_gt least largest)) by lia. apply require_fails. Qed.

(** A noisy test; where it passes, an answer with noise of its own. *)
Definition above_then_answer F excess p q answer p' q' : tree (option Z) :=
  test <- laplace F p q;
  if excess + test <? 0 then Ret None
  else (told <- around F answer (fun F => laplace F p' q'); Ret (Some told)).

Theorem above_then_answer_equal F excess p q answer p' q' : 0 < p -> 0 < q -> 0 < p' -> 0 < q' ->
  (enough p <= F)%nat -> (enough p' <= F)%nat ->
  AboveThenAnswer_sample F (make_AboveThenAnswer excess (laplace_law p q) (make_Around answer (laplace_law p' q')))
  = ok (above_then_answer F excess p q answer p' q').
Proof.
  intros P Q P' Q' L L'. unfold AboveThenAnswer_sample, above_then_answer.
  cbn [AboveThenAnswer_test AboveThenAnswer_excess AboveThenAnswer_answer].
  rewrite laplace_equal, body_ask, ok_bind by auto. apply bind_ext. intros test. cbv zeta.
  destruct (excess + test <? 0); [reflexivity|].
  rewrite around_laplace, body_ask, ok_bind by auto. apply bind_ext. reflexivity.
Qed.

(** A squared scale below 1 is refused. *)
Theorem cauchy_refuses F p q : 0 < q -> p < q ->
  DiscreteCauchy_new F (Rational p q) = out_of_range "the squared scale of a discrete Cauchy law".
Proof.
  intros Q P. unfold DiscreteCauchy_new, rational_leb. cbn [numer denom].
  rewrite (proj2 (Z.leb_gt _ _)) by lia. apply require_fails.
Qed.
