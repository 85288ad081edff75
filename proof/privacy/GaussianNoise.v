(** The sampler of the discrete Gaussian is private.

    The law that is proved of the sampler (samplers/Gaussian.v) is the distribution whose privacy is proved
    (GaussianMechanism.v): the sampler, its draw added to an integer m, draws from the discrete Gaussian
    around m; draws in turn, added to the coordinates of a vector, draw from the product of the distributions
    around the coordinates.  So what is proved of the distributions holds of the programs.

    Claims: sample.spherical-gaussian, sample.discrete-gaussian.zcdp.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Trees Samplers Privacy Totals Distributions ThetaSums ZeroConcentrated.
From DpAssay Require Import GaussianMechanism Programs.
From DpAssay Require Law Sums Gaussian.
Open Scope R_scope.

Section noise.
Variables (a b : Z) (Ha : (0 < a)%Z) (Hb : (0 < b)%Z).   (* variance = a/b *)
Definition variance : R := IZR a / IZR b.
Lemma variance_pos : 0 < variance.
Proof. apply Rdiv_lt_0_compat; apply IZR_lt; lia. Qed.

(** The two ways to write the sum over the integers. *)
Lemma weight_is k : exp (- IZR (k * k) / (2 * variance)) = bell (/ (2 * variance)) 0 k.
Proof. pose proof variance_pos. unfold bell. f_equal. rewrite mult_IZR. field. lra. Qed.
Lemma weights_converge : Un_cv (Sums.symmetric_sum (fun k => exp (- IZR (k * k) / (2 * variance))))
  (theta (/ (2 * variance)) 0).
Proof.
  pose proof (half_precision_pos variance variance_pos) as Hc.
  assert (same : forall n, Sums.symmetric_sum (fun k => exp (- IZR (k * k) / (2 * variance))) n =
    sum (bell (/ (2 * variance)) 0) (symmetric n)).
  { induction n as [|n IH]; cbn [Sums.symmetric_sum symmetric sum]; [rewrite weight_is; lra|].
    rewrite IH, !weight_is. lra. }
  destruct (has_total_symmetric (bell (/ (2 * variance)) 0) (theta (/ (2 * variance)) 0)) as [CV _].
  { intros k. left. apply bell_pos. }
  intros e He. destruct (CV (theta_is _ 0 Hc) e He) as [N HN]. exists N. intros n Hn. rewrite same. now apply HN.
Qed.

(** The discrete Gaussian around m, and the sampler whose draw is added to m. *)
Definition around (m : Z) : distribution Z := discrete_gaussian variance variance_pos m.
Definition gaussian_around (m : Z) (fuel : nat) : tree Z := tmap (fun y => m + y)%Z (gaussian fuel a b).
Lemma gaussian_draws : draws_from (fun fuel => gaussian fuel a b) (around 0).
Proof.
  destruct (Gaussian.discrete_gaussian_law a b Ha Hb _ weights_converge) as [B U].
  apply (draws_from_outcomes Z.eq_dec); [|exact U].
  intros fuel k. destruct (B fuel k) as [L _]. eapply Rle_trans; [exact L|].
  fold variance. cbn. rewrite gaussian_probability_bell, weight_is by apply variance_pos. unfold Rdiv.
  rewrite Rmult_comm. lra.
Qed.
(** The sampler around m draws from the discrete Gaussian around m. *)
Theorem gaussian_around_draws m : draws_from (gaussian_around m) (around m).
Proof.
  apply (draws_from_relabel (fun y => m + y)%Z (fun fuel => gaussian fuel a b) (around 0) (around m) Z.eq_dec).
  - intros k. cbn. unfold gaussian_probability. do 6 f_equal. lia.
  - intros k. exists (k - m)%Z. lia.
  - intros; lia.
  - apply gaussian_draws.
Qed.
(** Draws in turn, one around each coordinate of ms. *)
Definition spherical_gaussian (ms : list Z) : nat -> tree (list Z) := in_turn (map gaussian_around ms).
Theorem spherical_gaussian_draws ms : draws_from (spherical_gaussian ms) (independent (map around ms)).
Proof.
  apply (in_turn_draws_independent Z.eq_dec). induction ms as [|m ms IH]; constructor; auto.
  apply gaussian_around_draws.
Qed.
(** sample.spherical-gaussian: the list ks comes with the product of the probabilities that the discrete Gaussian
    around m_i gives k_i (and does not come if its length is wrong). *)
Theorem spherical_gaussian_law ms ks :
  Un_cv (fun fuel => expect (spherical_gaussian ms fuel) (outcome_is (list_eq_dec Z.eq_dec) ks))
    (product_probability (map around ms) ks).
Proof.
  change (product_probability (map around ms) ks) with (probability (independent (map around ms)) ks).
  rewrite <- (law_of_outcome _ ks (outcome_is (list_eq_dec Z.eq_dec) ks)).
  - apply draws_from_limit; [apply spherical_gaussian_draws | apply outcome_is_test].
  - intros y. unfold outcome_is. destruct (list_eq_dec Z.eq_dec y ks); split; intros; auto; contradiction.
Qed.
(** sample.discrete-gaussian.zcdp: the programs.  Neighbours change an integer vector query by at most S in l2; then
    every test on the noisy answer passes with probabilities u and w that are (epsilon, delta)-close, where
    rho = S^2/(2v) and epsilon = rho + 2 sqrt(rho ln(1/delta)). *)
Theorem spherical_gaussian_dp {D} (adj : D -> D -> Prop) (query : D -> list Z) (S delta : R) : 0 < delta < 1 ->
  (forall x y, adj x y -> length (query x) = length (query y) /\ squared_distance (query x) (query y) <= S ^ 2) ->
  let rho := S ^ 2 / (2 * variance) in
  forall x y, adj x y -> forall f, test f -> forall u w,
  Un_cv (fun fuel => expect (spherical_gaussian (query x) fuel) f) u ->
  Un_cv (fun fuel => expect (spherical_gaussian (query y) fuel) f) w ->
  u <= exp (rho + 2 * sqrt (rho * ln (1 / delta))) * w + delta.
Proof.
  intros Hd H rho. apply (programs_dp adj _ delta (fun d => independent (map around (query d)))).
  - intros d. apply spherical_gaussian_draws.
  - exact (gaussian_vector_mechanism_dp variance variance_pos adj query S delta Hd H).
Qed.
End noise.
