(** Discrete Gaussian noise is not always as private as continuous noise.

    The delta of continuous Gaussian noise of variance v at the shift D is
        Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu),   mu = D/sqrt v,
    Phi the normal distribution function.  With v = 1/400, D = 1 and epsilon = 0 that of the discrete Gaussian is
    greater: it is 1/theta >= 1 - 3 e^-200, and that of the continuous one is at most 1 - e^-60.5/2.
    Phi enters by what characterises it: its derivative is a multiple of e^(-x^2/2), and its limits are 0 and 1.

    Claims: sample.discrete-gaussian.continuous (refuted; another counterexample than that of the page). *)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Totals Distributions ThetaSums GaussianMechanism GaussianDelta GaussianNorm.
Open Scope R_scope.

(** Phi is the distribution function of the normal law of mean 0 and variance 1; c is 1/sqrt(2 pi). *)
Definition normal_distribution_function (Phi : R -> R) : Prop :=
  (exists c, forall x, derivable_pt_lim Phi x (c * exp (- x ^ 2 / 2))) /\
  (forall e, 0 < e -> exists x0, forall x, x0 < x -> 1 - e < Phi x < 1 + e) /\
  (forall e, 0 < e -> exists x0, forall x, x < x0 -> - e < Phi x < e).
(** The delta of continuous Gaussian noise at the shift D. *)
Definition continuous_delta (Phi : R -> R) (v : R) (D : Z) (eps : R) : R :=
  let mu := IZR D / sqrt v in Phi (mu / 2 - eps / mu) - exp eps * Phi (- mu / 2 - eps / mu).

Section normal.
Variable (Phi : R -> R).
Hypothesis (normal : normal_distribution_function Phi).
Lemma mean_value c : (forall x, derivable_pt_lim Phi x (c * exp (- x ^ 2 / 2))) -> forall a b, a < b ->
  exists x, Phi b - Phi a = c * exp (- x ^ 2 / 2) * (b - a) /\ a < x < b.
Proof.
  intros H a b L. destruct (MVT_cor2 Phi (fun x => c * exp (- x ^ 2 / 2)) a b L) as (x & E & I); [intros; apply H|].
  now exists x.
Qed.
(** c >= 1/4: each half of the integral of e^(-x^2/2) is at most 2, as e^(-x^2/2) <= 2 e^-x. *)
Lemma bell_le_exponential x : exp (- x ^ 2 / 2) <= 2 * exp (- x).
Proof.
  assert (E : exp (/ 2) <= 2).
  { assert (exp (/ 2) * exp (- / 2) = 1) by (rewrite <- exp_plus, <- exp_0; f_equal; ring).
    pose proof (exp_ineq1_le (- / 2)). pose proof (exp_pos (/ 2)). nra. }
  apply Rle_trans with (exp (/ 2) * exp (- x)).
  - rewrite <- exp_plus. apply exp_le. pose proof (pow2_ge_0 (x - 1)). lra.
  - apply Rmult_le_compat_r; [left; apply exp_pos | exact E].
Qed.
Lemma falls (F F' : R -> R) : (forall x, derivable_pt_lim F x (F' x)) -> (forall x, F' x <= 0) ->
  forall x, 0 < x -> F x <= F 0.
Proof.
  intros H N x P. destruct (MVT_cor2 F F' 0 x P) as (y & E & _); [intros; apply H|]. specialize (N y). nra.
Qed.
Lemma derivable_exp_opp x : derivable_pt_lim (fun y => exp (- y)) x (- exp (- x)).
Proof.
  replace (- exp (- x)) with (exp (- x) * (-1)) by ring.
  apply (derivable_pt_lim_comp (fun y => - y) exp); [|apply derivable_pt_lim_exp].
  replace (-1) with (- (1)) by ring. apply (derivable_pt_lim_opp (fun y => y)). apply derivable_pt_lim_id.
Qed.
Lemma constant_bound c : (forall x, derivable_pt_lim Phi x (c * exp (- x ^ 2 / 2))) -> 0 <= c -> / 4 <= c.
Proof.
  intros H Hc. destruct normal as (_ & Right & Left).
  assert (Up : forall x, 0 < x -> Phi x <= Phi 0 + 2 * c).
  { intros x P. pose proof (falls (fun y => Phi y + 2 * c * exp (- y))
      (fun y => c * exp (- y ^ 2 / 2) + 2 * c * (- exp (- y)))) as G.
    assert (Phi x + 2 * c * exp (- x) <= Phi 0 + 2 * c * exp (- 0)).
    { apply G; auto.
      - intros y. apply (derivable_pt_lim_plus Phi (fun y => 2 * c * exp (- y))); [apply H|].
        apply (derivable_pt_lim_scal (fun y => exp (- y))), derivable_exp_opp.
      - intros y. pose proof (bell_le_exponential y). nra. }
    rewrite Ropp_0, exp_0 in *. pose proof (exp_pos (- x)). nra. }
  assert (Down : forall x, 0 < x -> Phi 0 - 2 * c <= Phi (- x)).
  { intros x P. pose proof (falls (fun y => - Phi (- y) + 2 * c * exp (- y))
      (fun y => - (c * exp (- (- y) ^ 2 / 2) * (-1)) + 2 * c * (- exp (- y)))) as G.
    assert (- Phi (- x) + 2 * c * exp (- x) <= - Phi (- 0) + 2 * c * exp (- 0)).
    { apply G; auto.
      - intros y. apply (derivable_pt_lim_plus (fun y => - Phi (- y)) (fun y => 2 * c * exp (- y))).
        + apply (derivable_pt_lim_opp (fun y => Phi (- y))).
          apply (derivable_pt_lim_comp (fun y => - y) Phi); [|apply H].
          replace (-1) with (- (1)) by ring. apply (derivable_pt_lim_opp (fun y => y)). apply derivable_pt_lim_id.
        + apply (derivable_pt_lim_scal (fun y => exp (- y))), derivable_exp_opp.
      - intros y. replace ((- y) ^ 2) with (y ^ 2) by ring. pose proof (bell_le_exponential y). nra. }
    rewrite Ropp_0, exp_0 in *. pose proof (exp_pos (- x)). nra. }
  apply le_epsilon. intros e He.
  destruct (Right e He) as [a Ha]. destruct (Left e He) as [b Hb].
  specialize (Ha (Rmax a 0 + 1)). specialize (Hb (- (Rmax (- b) 0 + 1))).
  pose proof (Rmax_l a 0). pose proof (Rmax_r a 0). pose proof (Rmax_l (- b) 0). pose proof (Rmax_r (- b) 0).
  specialize (Up (Rmax a 0 + 1) ltac:(lra)). specialize (Down (Rmax (- b) 0 + 1) ltac:(lra)).
  specialize (Ha ltac:(lra)). specialize (Hb ltac:(lra)). lra.
Qed.
(** The mass beyond 10 on both sides. *)
Lemma normal_middle : Phi 10 - Phi (-10) <= 1 - exp (- (121 / 2)) / 2.
Proof.
  destruct normal as ((c & H) & Right & Left).
  assert (Hc : 0 <= c).
  { apply Rnot_lt_le. intros N.
    (* otherwise Phi would fall from 0 to 1 *)
    destruct (Right (/ 4) ltac:(lra)) as [a Ha]. destruct (Left (/ 4) ltac:(lra)) as [b Hb].
    specialize (Ha (Rmax a b + 1)). specialize (Hb (b - 1) ltac:(lra)).
    pose proof (Rmax_l a b). pose proof (Rmax_r a b). specialize (Ha ltac:(lra)).
    destruct (mean_value c H (b - 1) (Rmax a b + 1) ltac:(lra)) as (x & E & _). pose proof (exp_pos (- x ^ 2 / 2)).
    assert (c * exp (- x ^ 2 / 2) * (Rmax a b + 1 - (b - 1)) <= 0).
    { assert (0 <= - c * exp (- x ^ 2 / 2)) by (apply Rmult_le_pos; lra).
      assert (0 <= - c * exp (- x ^ 2 / 2) * (Rmax a b + 1 - (b - 1))) by (apply Rmult_le_pos; lra). lra. }
    lra. }
  pose proof (constant_bound c H Hc) as C4.
  assert (Mono : forall a b, a < b -> Phi a <= Phi b).
  { intros a b L. destruct (mean_value c H a b L) as (x & E & _). pose proof (exp_pos (- x ^ 2 / 2)).
    assert (0 <= c * exp (- x ^ 2 / 2) * (b - a)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra). lra. }
  assert (At11 : Phi 11 <= 1).
  { apply le_epsilon. intros e He. destruct (Right e He) as [a Ha]. pose proof (Rmax_l a 11). pose proof (Rmax_r a 11).
    specialize (Ha (Rmax a 11 + 1) ltac:(lra)). specialize (Mono 11 (Rmax a 11 + 1) ltac:(lra)). lra. }
  assert (At11' : 0 <= Phi (-11)).
  { apply le_epsilon. intros e He. destruct (Left e He) as [b Hb]. pose proof (Rmin_l b (-11)).
    pose proof (Rmin_r b (-11)).
    specialize (Hb (Rmin b (-11) - 1) ltac:(lra)). specialize (Mono (Rmin b (-11) - 1) (-11) ltac:(lra)). lra. }
  destruct (mean_value c H 10 11 ltac:(lra)) as (x & E & I).
  destruct (mean_value c H (-11) (-10) ltac:(lra)) as (y & E' & I').
  assert (Ex : exp (- (121 / 2)) <= exp (- x ^ 2 / 2)) by (apply exp_le; nra).
  assert (Ey : exp (- (121 / 2)) <= exp (- y ^ 2 / 2)) by (apply exp_le; nra).
  pose proof (exp_pos (- (121 / 2))).
  assert (/ 4 * exp (- (121 / 2)) <= c * exp (- x ^ 2 / 2)) by (apply Rmult_le_compat; lra).
  assert (/ 4 * exp (- (121 / 2)) <= c * exp (- y ^ 2 / 2)) by (apply Rmult_le_compat; lra).
  lra.
Qed.
End normal.

(** At epsilon = 0 and shift 1 the delta of the discrete Gaussian is the probability of 0. *)
Lemma gaussian_delta_0_1 v (Hv : 0 < v) : gaussian_delta v Hv 1 0 = / theta (/ (2 * v)) 0.
Proof.
  unfold gaussian_delta. rewrite exp_0, Rmult_1_l. replace (0 * v / 1 - 1 / 2) with (- / 2) by field.
  replace (0 * v / 1 + 1 / 2) with (/ 2) by field.
  set (p := discrete_gaussian v Hv 0).
  assert (B : forall t, bounded (above t)) by (intros; apply test_bounded, above_test).
  assert (E1 : law_of p (fun k => above (- / 2) k + -1 * above (/ 2) k) = p 0%Z).
  { apply law_of_outcome. intros k. unfold above. split.
    - intros ->. destruct (Rlt_dec (- / 2) 0), (Rlt_dec (/ 2) 0); lra.
    - intros N. assert (K : (k <= -1 \/ 1 <= k)%Z) by lia.
      destruct K as [K | K]; apply IZR_le in K; destruct (Rlt_dec (- / 2) (IZR k)), (Rlt_dec (/ 2) (IZR k)); lra. }
  rewrite E_plus, E_scal in E1 by (auto; apply bounded_scal; auto).
  assert (p 0%Z = / theta (/ (2 * v)) 0).
  { unfold p. cbn. unfold gaussian_probability. replace (- IZR (0 - 0) ^ 2 / (2 * v)) with 0 by (simpl; field; lra).
    rewrite exp_0. unfold Rdiv. apply Rmult_1_l. }
  lra.
Qed.
(** sample.discrete-gaussian.continuous: it is not true that discrete noise is as private as continuous noise. *)
Theorem discrete_not_below_continuous Phi : normal_distribution_function Phi ->
  ~ (forall v (Hv : 0 < v) eps (D : Z), 0 <= eps -> (0 < D)%Z ->
       gaussian_delta v Hv D eps <= continuous_delta Phi v D eps).
Proof.
  intros N H. assert (Hv : 0 < / 400) by lra. specialize (H (/ 400) Hv 0 1%Z ltac:(lra) ltac:(lia)).
  rewrite gaussian_delta_0_1 in H. unfold continuous_delta in H.
  assert (Sq : sqrt (/ 400) = / 20) by (replace (/ 400) with (/ 20 * / 20) by lra; rewrite sqrt_square; lra).
  rewrite Sq, exp_0 in H.
  replace (1 / / 20 / 2 - 0 / (1 / / 20)) with 10 in H by field.
  replace (- (1 / / 20) / 2 - 0 / (1 / / 20)) with (-10) in H by field.
  pose proof (normal_middle Phi N) as M.
  replace (/ (2 * / 400)) with 200 in H by field.
  assert (X : exp (- (200)) <= / 1024 * exp (- (121 / 2))).
  { replace (- (200)) with (- (279 / 2) + - (121 / 2)) by lra. rewrite exp_plus.
    apply Rmult_le_compat_r; [left; apply exp_pos|].
    apply Rle_trans with (exp (- (10))); [apply exp_le; lra|]. rewrite exp_Ropp. apply Rinv_le_contravar; [lra|].
    replace 10 with (INR 10 * 1) by (simpl; lra). rewrite <- exp_pow. replace 1024 with (2 ^ 10) by (simpl; lra).
    apply pow_incr. pose proof (exp_ineq1_le 1). lra. }
  assert (Le : exp (- (121 / 2)) <= 1) by (rewrite <- exp_0; apply exp_le; lra).
  pose proof (exp_pos (- (200))) as X0. set (x := exp (- (200))) in *. set (w := exp (- (121 / 2))) in *.
  pose proof (theta_small 200 ltac:(lra) ltac:(fold x; lra)) as T. fold x in T.
  pose proof (theta_0_ge_1 200 ltac:(lra)) as T1. set (th := theta 200 0) in *.
  assert (X4 : 8 * x ^ 4 <= x).
  { replace (8 * x ^ 4) with (8 * x ^ 3 * x) by ring. apply Rle_trans with (1 * x); [|lra].
    apply Rmult_le_compat_r; [lra|]. replace 1 with (8 * (/ 2) ^ 3) by field.
    apply Rmult_le_compat_l; [lra|]. apply pow_incr. lra. }
  (* 1/theta >= 1 - 3 x > 1 - w/2 *)
  assert (Q : / th * th = 1) by (field; lra).
  assert (P : 0 < / th <= 1).
  { split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]. }
  assert (/ th * th <= / th * (1 + 3 * x)) by (apply Rmult_le_compat_l; lra).
  assert (/ th * (3 * x) <= 1 * (3 * x)) by (apply Rmult_le_compat_r; lra). lra.
Qed.
