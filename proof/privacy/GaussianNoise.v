(** The sampler of the discrete Gaussian is private, as the program that is run.

    The law that is proved of the sampler around a vector of values (samplers/SphericalGaussian.v) is the distribution
    whose privacy is proved (GaussianMechanism.v). So what is proved of the distribution holds of the program of coins:
    an integer vector query of l2 sensitivity S is (epsilon, delta)-differentially private.

    Claims: sample.discrete-gaussian.zcdp.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Trees Samplers Laws Privacy ProgramLaw NoiseProgram.
From DpAssay Require Import Totals Distributions ThetaSums ZeroConcentrated GaussianMechanism.
From DpAssay Require Around SphericalGaussian.
Open Scope R_scope.

(** * The law of a program is that of a distribution with the same probabilities *)

Lemma sumR_is_sum {A} (g : A -> R) l : sumR g l = sum g l.
Proof. induction l as [|a l IH]; simpl; [reflexivity | now rewrite IH]. Qed.

Section same.
Context {A : Type} (dec : forall x y : A, {x = y} + {x <> y}) (program : nat -> tree A) (p : A -> R).
Context (program_law : has_law dec program p) (d : distribution A) (same : forall a, p a = d a).
Let m := law_of_program dec program p program_law.

Lemma distribution_at_most f : test f -> law_of d f <= m f.
Proof.
  intros Hf. destruct (law_of_ge0 d f (test_bounded f Hf) (fun a => proj1 (Hf a))) as [_ least]. apply least.
  intros l distinct. pose proof (law_of_program_at_least dec program p program_law f l Hf distinct) as above.
  fold m in above. rewrite sumR_is_sum in above. eapply Rle_trans; [|exact above]. apply Req_le, sum_ext.
  intros a. rewrite same. apply Rmult_comm.
Qed.
Lemma law_of_program_is f : test f -> m f = law_of d f.
Proof.
  intros Hf. pose proof (distribution_at_most f Hf).
  assert (Hg : test (fun a => 1 + -1 * f a)) by (intros a; specialize (Hf a); lra).
  pose proof (distribution_at_most _ Hg) as other. assert (Bf : bounded f) by now apply test_bounded.
  rewrite !(E_plus _ (fun _ => 1) (fun a => -1 * f a)), !E_one, !E_scal in other
    by (auto using bounded_const, bounded_scal).
  lra.
Qed.
End same.

(** * The sampler *)

Section noise.
Variables (a b : Z) (a_positive : (0 < a)%Z) (b_positive : (0 < b)%Z).
Definition variance : R := IZR a / IZR b.
Lemma variance_pos : 0 < variance.
Proof. apply Rdiv_lt_0_compat; now apply IZR_lt. Qed.

(** The two ways to write the sum over the integers. *)
Lemma weight_is k : exp (- IZR (k * k) / (2 * variance)) = bell (/ (2 * variance)) 0 k.
Proof. pose proof variance_pos. unfold bell. f_equal. rewrite mult_IZR. field. lra. Qed.
Lemma weights_converge : Un_cv (symmetric_sum (fun k => exp (- IZR (k * k) / (2 * variance))))
  (theta (/ (2 * variance)) 0).
Proof.
  pose proof (half_precision_pos variance variance_pos) as Hc.
  assert (same : forall n, symmetric_sum (fun k => exp (- IZR (k * k) / (2 * variance))) n =
    sum (bell (/ (2 * variance)) 0) (symmetric n)).
  { induction n as [|n IH]; cbn [symmetric_sum symmetric sum]; [rewrite weight_is; lra|].
    rewrite IH, !weight_is. lra. }
  destruct (has_total_symmetric (bell (/ (2 * variance)) 0) (theta (/ (2 * variance)) 0)) as [CV _].
  { intros k. left. apply bell_pos. }
  intros e He. destruct (CV (theta_is _ 0 Hc) e He) as [N HN]. exists N. intros n Hn. rewrite same. now apply HN.
Qed.

(** The sampler's draws around a vector of values: their law, on coins. *)
Definition gaussian_noise_around_all (values : list Z) : law (list Z) :=
  noise_around_all (fun F => gaussian F a b) _
    (SphericalGaussian.gaussian_has_law a b a_positive b_positive _ weights_converge) values.

Lemma sampler_probabilities values v :
  Around.product_around (SphericalGaussian.gaussian_probability a b (theta (/ (2 * variance)) 0)) values v
  = discrete_gaussian_vector variance variance_pos values v.
Proof.
  revert v. induction values as [|c rest IH]; intros [|k v]; try reflexivity.
  cbn [Around.product_around]. rewrite IH. unfold discrete_gaussian_vector. cbn. f_equal.
  unfold SphericalGaussian.gaussian_probability, gaussian_probability. fold variance.
  rewrite mult_IZR. do 3 f_equal. ring.
Qed.

(** sample.discrete-gaussian.zcdp: the program that adds a draw of the sampler to each coordinate of an integer vector
    query of l2 sensitivity S is (rho + 2 sqrt(rho ln(1/delta)), delta)-private, rho = S^2/(2v). *)
Theorem gaussian_sampler_is_private {D} (adj : D -> D -> Prop) (query : D -> list Z) (S delta : R) : 0 < delta < 1 ->
  (forall x y, adj x y -> length (query x) = length (query y) /\ squared_distance (query x) (query y) <= S ^ 2) ->
  let rho := S ^ 2 / (2 * variance) in
  dp adj (rho + 2 * sqrt (rho * ln (1 / delta))) delta (fun x => gaussian_noise_around_all (query x)).
Proof.
  intros Hd sensitive rho x y neighbours f Hf. unfold gaussian_noise_around_all, noise_around_all.
  rewrite (law_of_program_is _ _ _ _ (discrete_gaussian_vector variance variance_pos (query x))
    (sampler_probabilities _) f Hf).
  rewrite (law_of_program_is _ _ _ _ (discrete_gaussian_vector variance variance_pos (query y))
    (sampler_probabilities _) f Hf).
  exact (gaussian_vector_mechanism_dp variance variance_pos adj query S delta Hd sensitive x y neighbours f Hf).
Qed.
End noise.
