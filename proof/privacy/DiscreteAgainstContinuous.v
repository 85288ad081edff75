(** Discrete Gaussian noise is not always as private as continuous noise.

    The delta of continuous Gaussian noise of variance v at the shift D is
        Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu),   mu = D/sqrt v,
    Phi the normal distribution function.  With v = 1/400, D = 1 and epsilon = 0 that of the discrete Gaussian is
    greater: it is 1/theta >= 1 - 3 e^-200, and that of the continuous one is at most 1 - e^-60.5/2.
    Phi enters by what characterises it: its derivative is a multiple of e^(-x^2/2), and its limits are 0 and 1.
    That there is such a function is proved as well.

    The claim is refuted, with another counterexample than that of the page.

    Claims: sample.discrete-gaussian.continuous.
*)
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

(** There is such a function: an antiderivative of e^(-x^2/2), glued from the intervals [-n, n], is odd, grows and is
    bounded. *)
Section existence.
Definition curve (x : R) : R := exp (- x ^ 2 / 2).
Lemma curve_pos x : 0 < curve x.
Proof. apply exp_pos. Qed.
Lemma curve_continuous x : continuity_pt curve x.
Proof.
  apply (continuity_pt_comp (fun y => - y ^ 2 / 2) exp).
  - apply derivable_continuous_pt. reg.
  - apply derivable_continuous_pt, derivable_pt_exp.
Qed.
Lemma ends n : - INR (S n) <= INR (S n).
Proof. pose proof (pos_INR (S n)). lra. Qed.
Definition piece (n : nat) (x : R) : R :=
  let P := primitive (ends n) (FTC_P1 (ends n) (fun y _ => curve_continuous y)) in P x - P 0.
Lemma piece_derivative n x : Rabs x <= INR (S n) -> derivable_pt_lim (piece n) x (curve x).
Proof.
  intros B. assert (I : - INR (S n) <= x <= INR (S n)) by (unfold Rabs in B; destruct (Rcase_abs x); lra).
  unfold piece. set (P := primitive (ends n) (FTC_P1 (ends n) (fun y _ => curve_continuous y))).
  replace (curve x) with (curve x - 0) by ring.
  apply (derivable_pt_lim_minus P (fun _ => P 0)); [now apply RiemannInt_P28 | apply derivable_pt_lim_const].
Qed.
(** Two antiderivatives that agree at 0 agree. *)
Lemma agree_from_0 (F G f : R -> R) x : F 0 = G 0 ->
  (forall y, Rabs y <= Rabs x -> derivable_pt_lim F y (f y)) ->
  (forall y, Rabs y <= Rabs x -> derivable_pt_lim G y (f y)) ->
  F x = G x.
Proof.
  intros E HF HG.
  assert (HD : forall y, Rabs y <= Rabs x -> derivable_pt_lim (fun z => F z - G z) y 0).
  { intros y B. replace 0 with (f y - f y) by ring. apply (derivable_pt_lim_minus F G); auto. }
  destruct (Rtotal_order x 0) as [L | [-> | L]]; auto.
  - destruct (MVT_cor2 (fun z => F z - G z) (fun _ => 0) x 0 L) as (y & Ey & _); [|cbv beta in Ey; lra].
    intros y I. apply HD. rewrite (Rabs_left x) by lra. apply Rabs_le. lra.
  - destruct (MVT_cor2 (fun z => F z - G z) (fun _ => 0) 0 x L) as (y & Ey & _); [|cbv beta in Ey; lra].
    intros y I. apply HD. rewrite (Rabs_pos_eq x) by lra. apply Rabs_le. lra.
Qed.
Lemma pieces_agree n m x : Rabs x <= INR (S n) -> Rabs x <= INR (S m) -> piece n x = piece m x.
Proof.
  intros Bn Bm. apply (agree_from_0 _ _ curve); [unfold piece; ring | |]; intros y B; apply piece_derivative; lra.
Qed.
Definition area (x : R) : R := piece (Z.to_nat (up (Rabs x))) x.
Lemma covers x : Rabs x <= INR (S (Z.to_nat (up (Rabs x)))).
Proof.
  destruct (archimed (Rabs x)) as [A _]. pose proof (Rabs_pos x). rewrite S_INR, INR_IZR_INZ, Z2Nat.id; [lra|].
  apply le_IZR. lra.
Qed.
Lemma INR_unbounded x : exists n, x < INR n.
Proof.
  exists (S (S (Z.to_nat (up (Rabs x))))). rewrite S_INR. pose proof (covers x). pose proof (Rle_abs x). lra.
Qed.
Lemma area_derivative x : derivable_pt_lim area x (curve x).
Proof.
  destruct (INR_unbounded (Rabs x + 1)) as [n Hn].
  apply (derivable_pt_lim_locally_ext (piece n) area x (x - 1) (x + 1)); [lra | |].
  - intros z I. unfold area. apply pieces_agree; [|apply covers]. rewrite S_INR.
    pose proof (Rabs_triang x (z - x)) as T. replace (x + (z - x)) with z in T by ring.
    assert (Rabs (z - x) <= 1) by (apply Rabs_le; lra). lra.
  - apply piece_derivative. rewrite S_INR. lra.
Qed.
Lemma area_0 : area 0 = 0.
Proof. unfold area, piece. ring. Qed.
Lemma area_odd x : area (- x) = - area x.
Proof.
  apply (agree_from_0 (fun y => area (- y)) (fun y => - area y) (fun y => - curve y)).
  - rewrite Ropp_0, area_0. ring.
  - intros y _. replace (- curve y) with (curve (- y) * (-1)).
    + apply (derivable_pt_lim_comp (fun z => - z) area); [|apply area_derivative].
      replace (-1) with (- (1)) by ring. apply (derivable_pt_lim_opp (fun z => z)). apply derivable_pt_lim_id.
    + unfold curve. replace ((- y) ^ 2) with (y ^ 2) by ring. ring.
  - intros y _. apply (derivable_pt_lim_opp area). apply area_derivative.
Qed.
Lemma area_grows a b : a < b -> area a < area b.
Proof.
  intros L. destruct (MVT_cor2 area curve a b L) as (x & E & _); [intros; apply area_derivative|].
  pose proof (curve_pos x). assert (0 < curve x * (b - a)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.
Lemma area_bounded x : 0 < x -> area x <= 2.
Proof.
  intros P. pose proof (falls (fun y => area y + 2 * exp (- y)) (fun y => curve y + 2 * (- exp (- y)))) as G.
  assert (L : area x + 2 * exp (- x) <= area 0 + 2 * exp (- 0)).
  { apply G; auto.
    - intros y. apply (derivable_pt_lim_plus area (fun y => 2 * exp (- y))); [apply area_derivative|].
      apply (derivable_pt_lim_scal (fun y => exp (- y))), derivable_exp_opp.
    - intros y. pose proof (bell_le_exponential y). unfold curve. lra. }
  rewrite area_0, Ropp_0, exp_0 in L. pose proof (exp_pos (- x)). lra.
Qed.
(** There is such a function, so that the theorem below speaks of something. *)
Theorem normal_distribution_function_exists : exists Phi, normal_distribution_function Phi.
Proof.
  destruct (growing_cv (fun n => area (INR (S n)))) as [L HL].
  - intros n. left. apply area_grows. apply lt_INR. lia.
  - exists 2. intros y [n ->]. apply area_bounded. apply lt_0_INR. lia.
  - assert (Up : forall n, area (INR (S n)) <= L).
    { apply growing_ineq; auto. intros n. left. apply area_grows, lt_INR. lia. }
    assert (L0 : 0 < L).
    { rewrite <- area_0. apply Rlt_le_trans with (area (INR 1)); [apply area_grows; simpl; lra | apply (Up O)]. }
    assert (Below : forall x, area x < L).
    { intros x. destruct (INR_unbounded x) as [n Hn]. apply Rlt_le_trans with (area (INR (S n))); auto.
      apply area_grows. rewrite S_INR. lra. }
    assert (Near : forall e, 0 < e -> exists x0, forall x, x0 < x -> L - e < area x).
    { intros e He. destruct (HL e He) as [n Hn]. specialize (Hn n (Nat.le_refl n)). exists (INR (S n)). intros x Hx.
      unfold R_dist in Hn. apply Rabs_def2 in Hn. pose proof (area_grows _ _ Hx). lra. }
    exists (fun x => / 2 + / (2 * L) * area x). assert (I : 0 < / (2 * L)) by (apply Rinv_0_lt_compat; lra).
    assert (IL : / (2 * L) * L = / 2) by (field; lra).
    assert (Scale : forall e, 0 < e -> / (2 * L) * (2 * L * e) = e) by (intros; field; lra).
    repeat split.
    + exists (/ (2 * L)). intros x.
      replace (/ (2 * L) * exp (- x ^ 2 / 2)) with (0 + / (2 * L) * curve x) by (unfold curve; ring).
      apply (derivable_pt_lim_plus (fun _ => / 2) (fun x => / (2 * L) * area x)); [apply derivable_pt_lim_const|].
      apply (derivable_pt_lim_scal area), area_derivative.
    + intros e He. destruct (Near (2 * L * e)) as [x0 H0]; [apply Rmult_lt_0_compat; lra|]. exists x0. intros x Hx.
      specialize (H0 x Hx). specialize (Below x). specialize (Scale e He).
      apply (Rmult_lt_compat_l _ _ _ I) in H0. apply (Rmult_lt_compat_l _ _ _ I) in Below. lra.
    + intros e He. destruct (Near (2 * L * e)) as [x0 H0]; [apply Rmult_lt_0_compat; lra|]. exists (- x0). intros x Hx.
      specialize (H0 (- x) ltac:(lra)). specialize (Below (- x)). specialize (Scale e He). rewrite area_odd in *.
      apply (Rmult_lt_compat_l _ _ _ I) in H0. apply (Rmult_lt_compat_l _ _ _ I) in Below. lra.
Qed.
End existence.

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
