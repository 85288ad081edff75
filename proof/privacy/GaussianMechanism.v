(** The discrete Gaussian mechanism is zero-concentrated private.

    Around an integer m and with v > 0, the outcome k has probability e^(-(k-m)^2/(2v)) / theta,
    theta = sum of e^(-j^2/(2v)) over all integers j.  Between the laws around m and m' the Renyi
    divergence of every real order alpha > 1 is at most alpha (m-m')^2/(2v), with equality exactly when
    alpha (m-m') is an integer.  An integer query of sensitivity D is D^2/(2v)-zCDP with this noise; so
    is an integer vector query of l2 sensitivity D, in every dimension, with independent noise in each
    coordinate.  With (epsilon, delta) as well, by the conversion of ZeroConcentrated.

    As on the page, and for every real v > 0, where the page has rational ones.

    Claims: sample.discrete-gaussian.zcdp.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Totals Distributions ThetaSums ZeroConcentrated.
Open Scope R_scope.

Definition gaussian_probability (v : R) (m k : Z) : R :=
  exp (- IZR (k - m) ^ 2 / (2 * v)) / theta (/ (2 * v)) 0.

Section gaussian.
Variables (v : R) (Hv : 0 < v).
Let c := / (2 * v).
Lemma half_precision_pos : 0 < c.
Proof. apply Rinv_0_lt_compat. lra. Qed.
Lemma gaussian_probability_bell m k : gaussian_probability v m k = / theta c 0 * bell c (IZR m) k.
Proof.
  unfold gaussian_probability, bell. fold c. rewrite minus_IZR.
  replace (- (IZR k - IZR m) ^ 2 / (2 * v)) with (- c * (IZR k - IZR m) ^ 2) by (unfold c; field; lra).
  unfold Rdiv. ring.
Qed.
Lemma gaussian_probability_pos m k : 0 < gaussian_probability v m k.
Proof. apply Rdiv_lt_0_compat; [apply exp_pos | apply theta_pos, half_precision_pos]. Qed.
Lemma gaussian_probability_total m : has_total (gaussian_probability v m) 1.
Proof.
  pose proof half_precision_pos as Hc. pose proof (theta_pos c 0 Hc) as T.
  apply (has_total_ext (fun k => / theta c 0 * bell c (IZR m) k)); [intros; now rewrite gaussian_probability_bell|].
  replace 1 with (/ theta c 0 * theta c (IZR m)) by (rewrite (theta_at_integers c m) by auto; field; lra).
  apply has_total_scal; [left; now apply Rinv_0_lt_compat | now apply theta_is].
Qed.
Definition discrete_gaussian (m : Z) : distribution Z := {|
  probability := gaussian_probability v m;
  probability_ge0 := fun k => Rlt_le _ _ (gaussian_probability_pos m k);
  probability_total := gaussian_probability_total m |}.

(** Completing the square: alpha (k-m)^2 + (1-alpha) (k-m')^2 = (k - m' - alpha (m-m'))^2 - alpha (alpha-1) (m-m')^2. *)
Lemma renyi_term_gaussian alpha m m' k :
  renyi_term alpha (discrete_gaussian m k) (discrete_gaussian m' k) =
  exp (alpha * (alpha - 1) * IZR (m - m') ^ 2 / (2 * v)) / theta c 0 * bell c (alpha * IZR (m - m') + IZR m') k.
Proof.
  pose proof half_precision_pos as Hc. pose proof (theta_pos c 0 Hc) as T.
  cbn [discrete_gaussian probability]. rewrite renyi_term_pos by apply gaussian_probability_pos.
  assert (P : forall j, gaussian_probability v j k = exp (- c * (IZR k - IZR j) ^ 2 - ln (theta c 0))).
  { intros j. rewrite gaussian_probability_bell. unfold Rminus at 1.
    rewrite exp_plus, exp_Ropp, exp_ln by auto. unfold bell. ring. }
  assert (I : / theta c 0 = exp (- ln (theta c 0))) by (now rewrite exp_Ropp, exp_ln).
  rewrite !P. unfold Rpower. rewrite !ln_exp. unfold bell, Rdiv. rewrite I, <- !exp_plus. f_equal.
  rewrite minus_IZR. unfold c. field. lra.
Qed.
(** The Renyi sum exactly. *)
Lemma renyi_sum_gaussian alpha m m' :
  has_total (fun k => renyi_term alpha (discrete_gaussian m k) (discrete_gaussian m' k))
    (exp (alpha * (alpha - 1) * IZR (m - m') ^ 2 / (2 * v)) * (theta c (alpha * IZR (m - m')) / theta c 0)).
Proof.
  pose proof half_precision_pos as Hc. pose proof (theta_pos c 0 Hc) as T.
  set (e := exp (alpha * (alpha - 1) * IZR (m - m') ^ 2 / (2 * v))). assert (He : 0 < e) by apply exp_pos.
  apply (has_total_ext (fun k => e / theta c 0 * bell c (alpha * IZR (m - m') + IZR m') k)).
  - intros k. now rewrite renyi_term_gaussian.
  - replace (e * (theta c (alpha * IZR (m - m')) / theta c 0))
      with (e / theta c 0 * theta c (alpha * IZR (m - m'))) by (field; lra).
    rewrite <- (theta_shift c (alpha * IZR (m - m')) m') by auto.
    apply has_total_scal; [left; now apply Rdiv_lt_0_compat | now apply theta_is].
Qed.
(** sample.discrete-gaussian.zcdp: the sum of p^alpha q^(1-alpha), p and q around m and m', is at most
    e^(alpha (alpha-1) (m-m')^2/(2v)), with equality if and only if alpha (m-m') is an integer. *)
Theorem renyi_discrete_gaussian alpha m m' : exists s,
  has_total (fun k => renyi_term alpha (discrete_gaussian m k) (discrete_gaussian m' k)) s /\
  s <= exp (alpha * (alpha - 1) * IZR (m - m') ^ 2 / (2 * v)) /\
  (s = exp (alpha * (alpha - 1) * IZR (m - m') ^ 2 / (2 * v)) <-> exists j, alpha * IZR (m - m') = IZR j).
Proof.
  pose proof half_precision_pos as Hc. pose proof (theta_pos c 0 Hc) as T.
  eexists. split; [apply renyi_sum_gaussian|].
  set (e := exp (alpha * (alpha - 1) * IZR (m - m') ^ 2 / (2 * v))). assert (He : 0 < e) by apply exp_pos.
  set (x := alpha * IZR (m - m')).
  assert (Q : theta c x / theta c 0 * theta c 0 = theta c x) by (field; lra). split.
  - pose proof (theta_largest_at_integers c x Hc).
    assert (theta c x / theta c 0 <= 1) by (apply Rmult_le_reg_r with (theta c 0); lra). nra.
  - rewrite <- (theta_largest_only_at_integers c x Hc). split; intros E.
    + assert (theta c x / theta c 0 = 1) by (apply Rmult_eq_reg_l with e; lra). rewrite <- Q, H. lra.
    + rewrite E. field. lra.
Qed.
(** sample.discrete-gaussian.zcdp: the Renyi divergence of order alpha > 1 between the laws around m and m' is at
    most alpha (m-m')^2/(2v), with equality if and only if alpha (m-m') is an integer. *)
Theorem renyi_divergence_discrete_gaussian alpha m m' : 1 < alpha ->
  renyi_divergence alpha (discrete_gaussian m) (discrete_gaussian m') <= alpha * IZR (m - m') ^ 2 / (2 * v) /\
  (renyi_divergence alpha (discrete_gaussian m) (discrete_gaussian m') = alpha * IZR (m - m') ^ 2 / (2 * v) <->
   exists j, alpha * IZR (m - m') = IZR j).
Proof.
  intros Ha. destruct (renyi_discrete_gaussian alpha m m') as (s & T & L & Eq).
  assert (P : 0 < s).
  { pose proof (has_total_term _ _ m T) as H. cbv beta in H.
    rewrite renyi_term_gaussian in H. pose proof half_precision_pos as Hc. pose proof (theta_pos c 0 Hc).
    eapply Rlt_le_trans; [|exact H]. apply Rmult_lt_0_compat; [|apply bell_pos].
    apply Rdiv_lt_0_compat; [apply exp_pos | auto]. }
  unfold renyi_divergence. rewrite (total_eq _ s T).
  set (b := alpha * IZR (m - m') ^ 2 / (2 * v)).
  replace (exp (alpha * (alpha - 1) * IZR (m - m') ^ 2 / (2 * v))) with (exp ((alpha - 1) * b)) in L, Eq
    by (f_equal; unfold b; field; lra).
  assert (Back : ln s / (alpha - 1) = b <-> s = exp ((alpha - 1) * b)).
  { split; intros E.
    - rewrite <- E. replace ((alpha - 1) * (ln s / (alpha - 1))) with (ln s) by (field; lra). now rewrite exp_ln.
    - rewrite E, ln_exp. field. lra. }
  split; [|now rewrite Back].
  assert (ln s <= (alpha - 1) * b).
  { rewrite <- (ln_exp ((alpha - 1) * b)). destruct L as [L | ->]; [left; now apply ln_increasing | lra]. }
  apply Rmult_le_reg_l with (alpha - 1); [lra|].
  now replace ((alpha - 1) * (ln s / (alpha - 1))) with (ln s) by (field; lra).
Qed.
Lemma renyi_at_most_gaussian alpha m m' :
  renyi_at_most alpha (alpha * (IZR (m - m') ^ 2 / (2 * v))) (discrete_gaussian m) (discrete_gaussian m').
Proof.
  split.
  - intros k H. cbn in H. pose proof (gaussian_probability_pos m' k). lra.
  - destruct (renyi_discrete_gaussian alpha m m') as (s & [U _] & L & _). intros l N. specialize (U l N).
    replace ((alpha - 1) * (alpha * (IZR (m - m') ^ 2 / (2 * v))))
      with (alpha * (alpha - 1) * IZR (m - m') ^ 2 / (2 * v)); [lra|].
    field. lra.
Qed.
Lemma renyi_at_most_weaken {X} alpha b b' (p q : distribution X) : 1 < alpha -> b <= b' ->
  renyi_at_most alpha b p q -> renyi_at_most alpha b' p q.
Proof.
  intros Ha H [A U]. split; auto. intros l N. eapply Rle_trans; [now apply U|]. apply exp_le.
  apply Rmult_le_compat_l; lra.
Qed.

(** sample.discrete-gaussian.zcdp: an integer query of sensitivity S with this noise is S^2/(2v)-zCDP. *)
Theorem gaussian_mechanism_zcdp {D} (adj : D -> D -> Prop) (query : D -> Z) (S : R) :
  (forall x y, adj x y -> Rabs (IZR (query x - query y)) <= S) ->
  zcdp adj (S ^ 2 / (2 * v)) (fun x => discrete_gaussian (query x)).
Proof.
  intros H x y N alpha Ha. apply (renyi_at_most_weaken alpha (alpha * (IZR (query x - query y) ^ 2 / (2 * v)))); auto.
  - apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
    rewrite <- pow2_abs. apply pow_incr. split; [apply Rabs_pos | now apply H].
  - apply renyi_at_most_gaussian.
Qed.

(** Vectors: lists of integers of the same length, and the square of their l2 distance. *)
Fixpoint squared_distance (a b : list Z) : R :=
  match a, b with x :: s, y :: t => IZR (x - y) ^ 2 + squared_distance s t | _, _ => 0 end.
Definition discrete_gaussian_vector (ms : list Z) : distribution (list Z) := independent (map discrete_gaussian ms).
Lemma renyi_at_most_gaussian_vector alpha ms : forall ms', length ms = length ms' ->
  renyi_at_most alpha (alpha * (squared_distance ms ms' / (2 * v)))
    (discrete_gaussian_vector ms) (discrete_gaussian_vector ms').
Proof.
  induction ms as [|m ms IH]; intros [|m' ms'] E; try discriminate; unfold discrete_gaussian_vector.
  - simpl. replace (alpha * (0 / (2 * v))) with 0 by (field; lra). apply renyi_independent_nil.
  - cbn [squared_distance map]. replace (alpha * ((IZR (m - m') ^ 2 + squared_distance ms ms') / (2 * v)))
      with (alpha * (IZR (m - m') ^ 2 / (2 * v)) + alpha * (squared_distance ms ms' / (2 * v))) by (field; lra).
    apply renyi_independent_cons; [apply renyi_at_most_gaussian|]. apply IH. now injection E.
Qed.
(** sample.discrete-gaussian.zcdp: an integer vector query of l2 sensitivity S with independent noise in each
    coordinate is S^2/(2v)-zCDP, in every dimension. *)
Theorem gaussian_vector_mechanism_zcdp {D} (adj : D -> D -> Prop) (query : D -> list Z) (S : R) :
  (forall x y, adj x y -> length (query x) = length (query y) /\ squared_distance (query x) (query y) <= S ^ 2) ->
  zcdp adj (S ^ 2 / (2 * v)) (fun x => discrete_gaussian_vector (query x)).
Proof.
  intros H x y N alpha Ha. destruct (H x y N) as [E L].
  apply (renyi_at_most_weaken alpha (alpha * (squared_distance (query x) (query y) / (2 * v)))); auto.
  - apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | exact L].
  - now apply renyi_at_most_gaussian_vector.
Qed.
(** In (epsilon, delta): rho = S^2/(2v), epsilon = rho + 2 sqrt(rho ln(1/delta)). *)
Corollary gaussian_vector_mechanism_dp {D} (adj : D -> D -> Prop) (query : D -> list Z) (S delta : R) : 0 < delta < 1 ->
  (forall x y, adj x y -> length (query x) = length (query y) /\ squared_distance (query x) (query y) <= S ^ 2) ->
  let rho := S ^ 2 / (2 * v) in
  dp adj (rho + 2 * sqrt (rho * ln (1 / delta))) delta (fun x => law_of (discrete_gaussian_vector (query x))).
Proof.
  intros Hd H. apply zcdp_to_dp; auto; [|now apply gaussian_vector_mechanism_zcdp].
  apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; lra].
Qed.
End gaussian.
