(** Tails of discrete Gaussian noise and of its linear combinations.

    For Y discrete Gaussian around 0 with parameter v the mean of e^(sY) is e^(s^2 v/2) times the sum of a bell
    around sv over that around 0, so at most e^(s^2 v/2), as for a continuous Gaussian.  So the variance of Y is
    at most v, and a combination
    c_1 Y_1 + ... + c_m Y_m of independent ones is beyond u on one side with probability at most
    e^(-u^2/(2B)) if c_1^2 v_1 + ... + c_m^2 v_m <= B.  For T combinations fixed in advance, with probability at
    least 1 - beta none is beyond sqrt(2 B ln(2T/beta)) on either side.

    Narrower than the page: the noise alone, with B = tau^2 R^2, without the solver's error and the rounding.

    Claims: jt13.gp.error.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Totals Distributions ThetaSums GaussianMechanism.
Open Scope R_scope.

(** The mean of e^(sY). *)
Theorem gaussian_moment v (Hv : 0 < v) s : exists mean,
  has_total (fun k => discrete_gaussian v Hv 0 k * exp (s * IZR k)) mean /\ mean <= exp (s ^ 2 * v / 2).
Proof.
  set (c := / (2 * v)). pose proof (half_precision_pos v Hv) as Hc. fold c in Hc.
  pose proof (theta_pos c 0 Hc) as T. set (e := exp (s ^ 2 * v / 2)). assert (He : 0 < e) by apply exp_pos.
  exists (e / theta c 0 * theta c (s * v)). split.
  - apply (has_total_ext (fun k => e / theta c 0 * bell c (s * v) k)).
    + intros k. cbn. rewrite gaussian_probability_bell by exact Hv. fold c. unfold Rdiv, e, bell.
      replace (- c * (IZR k - s * v) ^ 2) with ((- c * (IZR k - 0) ^ 2 + s * IZR k) + - (s ^ 2 * v / 2))
        by (unfold c; field; lra).
      rewrite !exp_plus, exp_Ropp. field. split; [lra | apply Rgt_not_eq, exp_pos].
    + apply has_total_scal; [left; now apply Rdiv_lt_0_compat | now apply theta_is].
  - pose proof (theta_largest_at_integers c (s * v) Hc).
    replace e with (e / theta c 0 * theta c 0) at 2 by (field; lra).
    apply Rmult_le_compat_l; [left; now apply Rdiv_lt_0_compat | lra].
Qed.

(** The variance is at most v: as 1 + x^2/2 <= cosh x, the mean of 1 + s^2 Y^2/2 is at most e^(s^2 v/2); let s fall. *)
Lemma sinh_ge x : 0 <= x -> x <= sinh x.
Proof.
  intros [H | <-]; [|rewrite sinh_0; lra].
  destruct (MVT_cor2 sinh cosh 0 x H) as (c & E & _); [intros y _; apply derivable_pt_lim_sinh|].
  assert (1 <= cosh c).
  { unfold cosh. pose proof (exp_pos c).
    assert (exp c * exp (- c) = 1) by (rewrite <- exp_plus, <- exp_0; f_equal; ring).
    pose proof (pow2_ge_0 (exp c - exp (- c))). pose proof (exp_pos (- c)). nra. }
  rewrite sinh_0 in E. nra.
Qed.
Lemma cosh_ge x : 1 + x ^ 2 / 2 <= (exp x + exp (- x)) / 2.
Proof.
  assert (G : forall y, 0 <= y -> 1 + (2 * y) ^ 2 / 2 <= (exp (2 * y) + exp (- (2 * y))) / 2).
  { intros y Hy. pose proof (sinh_ge y Hy) as S. unfold sinh in S.
    assert (exp y * exp (- y) = 1) by (rewrite <- exp_plus, <- exp_0; f_equal; ring).
    replace (2 * y) with (y + y) by ring. replace (- (y + y)) with (- y + - y) by ring. rewrite !exp_plus.
    assert ((2 * y) ^ 2 <= (exp y - exp (- y)) ^ 2) by (apply pow_incr; lra). nra. }
  destruct (Rle_dec 0 x) as [H | H].
  - specialize (G (x / 2) ltac:(lra)). replace (2 * (x / 2)) with x in G by field. exact G.
  - specialize (G (- x / 2) ltac:(lra)). replace (2 * (- x / 2)) with (- x) in G by field.
    rewrite Ropp_involutive in G. replace ((- x) ^ 2) with (x ^ 2) in G by ring. lra.
Qed.
(** The variance is at most v. *)
Theorem gaussian_variance v (Hv : 0 < v) : exists variance,
  has_total (fun k => discrete_gaussian v Hv 0 k * IZR k ^ 2) variance /\ variance <= v.
Proof.
  set (p := discrete_gaussian v Hv 0).
  assert (Pp : forall k, 0 <= p k) by (intros; apply probability_ge0).
  assert (Bound : forall s l, NoDup l -> s ^ 2 / 2 * sum (fun k => p k * IZR k ^ 2) l <= exp (s ^ 2 / 2 * v) - 1).
  { intros s l N. destruct (gaussian_moment v Hv s) as (a & Ta & La).
    destruct (gaussian_moment v Hv (- s)) as (b & Tb & Lb).
    fold p in Ta, Tb. replace ((- s) ^ 2) with (s ^ 2) in Lb by ring.
    assert (Tc : has_total (fun k => p k * ((exp (s * IZR k) + exp (- (s * IZR k))) / 2)) (/ 2 * a + / 2 * b)).
    { apply (has_total_ext (fun k => / 2 * (p k * exp (s * IZR k)) + / 2 * (p k * exp (- s * IZR k)))).
      - intros k. replace (- s * IZR k) with (- (s * IZR k)) by ring. field.
      - apply has_total_plus; try (apply has_total_scal; auto; lra);
          intros k; (apply Rmult_le_pos; [lra | apply Rmult_le_pos; [apply Pp | left; apply exp_pos]]). }
    assert (Td : has_total (fun k => p k * ((exp (s * IZR k) + exp (- (s * IZR k))) / 2) - p k)
      (/ 2 * a + / 2 * b - 1)).
    { apply has_total_minus; auto; [|apply probability_total]. intros k. split; auto.
      pose proof (cosh_ge (s * IZR k)). pose proof (pow2_ge_0 (s * IZR k)). specialize (Pp k). nra. }
    destruct Td as [U _]. specialize (U l N).
    replace (s ^ 2 / 2 * v) with (s ^ 2 * v / 2) by field.
    apply Rle_trans with (/ 2 * a + / 2 * b - 1); [|lra]. eapply Rle_trans; [|exact U].
    rewrite <- sum_scal. apply sum_le. intros k. pose proof (cosh_ge (s * IZR k)) as C. specialize (Pp k).
    replace (s ^ 2 / 2 * (p k * IZR k ^ 2)) with (p k * ((s * IZR k) ^ 2 / 2)) by field. nra. }
  assert (U : sums_at_most (fun k => p k * IZR k ^ 2) v).
  { intros l N. set (A := sum (fun k => p k * IZR k ^ 2) l). apply Rnot_lt_le. intros L.
    (* h = s^2/2 with h A v = (A - v)/2 *)
    set (h := (A - v) / (2 * A * v)).
    assert (HA : 0 < A) by lra. assert (Av : 0 < 2 * A * v) by nra.
    assert (Hh : 0 < h) by (apply Rdiv_lt_0_compat; lra).
    specialize (Bound (sqrt (2 * h)) l N). fold A in Bound.
    replace (sqrt (2 * h) ^ 2) with (2 * h) in Bound by (rewrite <- Rsqr_pow2; unfold Rsqr; rewrite sqrt_sqrt; lra).
    replace (2 * h / 2) with h in Bound by field.
    assert (Eh : h * A * v = (A - v) / 2) by (unfold h; field; lra).
    pose proof (exp_ineq1_le (- (h * v))) as E1. pose proof (exp_pos (h * v)) as E0.
    assert (exp (h * v) * exp (- (h * v)) = 1) by (rewrite <- exp_plus, <- exp_0; f_equal; ring).
    (* (1 + h A) (1 - h v) <= 1 *)
    assert (X : (1 + h * A) * (1 + - (h * v)) <= 1).
    { destruct (Rle_dec 0 (1 + - (h * v))) as [P | P].
      - apply Rle_trans with (exp (h * v) * exp (- (h * v))); [|lra]. apply Rmult_le_compat; try lra.
        assert (0 < h * A) by (now apply Rmult_lt_0_compat). lra.
      - assert (0 < h * A) by (now apply Rmult_lt_0_compat). nra. }
    assert (h * (A - v - h * A * v) <= 0) by lra. rewrite Eh in *.
    assert (0 < h * (A - v - (A - v) / 2)) by (apply Rmult_lt_0_compat; lra). lra. }
  destruct (least_bound (fun k => p k * IZR k ^ 2)) as [V T]; [now exists v|].
  exists V. split; auto. now apply T.
Qed.

(** Independent noise, one parameter for each coordinate. *)
Definition noise (vs : list posreal) : distribution (list Z) :=
  independent (map (fun v : posreal => discrete_gaussian v (cond_pos v) 0) vs).
(** c_1 k_1 + ... + c_m k_m, and c_1^2 v_1 + ... + c_m^2 v_m. *)
Fixpoint combination (cs : list R) (ks : list Z) : R :=
  match cs, ks with c :: cs', k :: ks' => c * IZR k + combination cs' ks' | _, _ => 0 end.
Fixpoint weighted_squares (cs : list R) (vs : list posreal) : R :=
  match cs, vs with c :: cs', v :: vs' => c ^ 2 * v + weighted_squares cs' vs' | _, _ => 0 end.

Lemma combination_moment s vs : forall cs, exists mean,
  has_total (fun ks => noise vs ks * exp (s * combination cs ks)) mean /\
  mean <= exp (s ^ 2 * weighted_squares cs vs / 2).
Proof.
  assert (Nothing : forall ws cs, (forall ks, combination cs ks = 0 \/ noise ws ks = 0) -> weighted_squares cs ws = 0 ->
    exists mean, has_total (fun ks => noise ws ks * exp (s * combination cs ks)) mean /\
      mean <= exp (s ^ 2 * weighted_squares cs ws / 2)).
  { intros ws cs Z W. exists 1. rewrite W. split.
    - apply (has_total_ext (noise ws)); [|apply probability_total].
      intros ks. destruct (Z ks) as [-> | ->]; [rewrite Rmult_0_r, exp_0|]; lra.
    - replace (s ^ 2 * 0 / 2) with 0 by field. rewrite exp_0. lra. }
  induction vs as [|v vs IH]; intros cs.
  - apply Nothing; [|destruct cs; reflexivity]. intros [|k ks]; [left; destruct cs; reflexivity | now right].
  - destruct cs as [|c cs]; [apply Nothing; [now left | reflexivity]|].
    destruct (IH cs) as (mean & T & L). destruct (gaussian_moment v (cond_pos v) (s * c)) as (mean1 & T1 & L1).
    exists (mean1 * mean). split.
    + apply (has_total_relabel joined); [apply joined_injective | |].
      * intros ks H. change (noise (v :: vs) ks)
          with (product_probability (map (fun w : posreal => discrete_gaussian w (cond_pos w) 0) (v :: vs)) ks).
        cbn [map]. rewrite product_outside by exact H. lra.
      * apply (has_total_ext (fun kk => (discrete_gaussian v (cond_pos v) 0 (fst kk) * exp (s * c * IZR (fst kk))) *
          (noise vs (snd kk) * exp (s * combination cs (snd kk))))).
        -- intros [k ks]. cbn -[gaussian_probability]. rewrite Rmult_plus_distr_l, exp_plus, (Rmult_assoc s c). ring.
        -- apply (has_total_product (fun k => discrete_gaussian v (cond_pos v) 0 k * exp (s * c * IZR k))
             (fun ks => noise vs ks * exp (s * combination cs ks))); auto;
             intros; apply Rmult_le_pos; try apply probability_ge0; left; apply exp_pos.
    + cbn [weighted_squares]. replace (s ^ 2 * (c ^ 2 * v + weighted_squares cs vs) / 2)
        with ((s * c) ^ 2 * v / 2 + s ^ 2 * weighted_squares cs vs / 2) by field.
      rewrite exp_plus. apply Rmult_le_compat; auto.
      * apply (has_total_ge0 _ _ T1).
      * apply (has_total_ge0 _ _ T).
Qed.

(** One side: Pr[u < combination] <= e^(-u^2/(2B)). *)
Definition exceeds (u : R) (cs : list R) (ks : list Z) : R := if Rlt_dec u (combination cs ks) then 1 else 0.
Lemma exceeds_test u cs : test (exceeds u cs).
Proof. intros ks. unfold exceeds. destruct (Rlt_dec u (combination cs ks)); lra. Qed.
Lemma combination_tail vs cs B u : 0 < B -> 0 <= u -> weighted_squares cs vs <= B ->
  law_of (noise vs) (exceeds u cs) <= exp (- u ^ 2 / (2 * B)).
Proof.
  intros HB Hu W. set (s := u / B).
  assert (S : 0 <= s) by (apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]).
  destruct (combination_moment s vs cs) as (mean & T & L).
  apply Rle_trans with (exp (- (s * u)) * mean).
  - apply (has_total_le (fun ks => noise vs ks * exceeds u cs ks)
      (fun ks => exp (- (s * u)) * (noise vs ks * exp (s * combination cs ks)))).
    + intros ks. pose proof (probability_ge0 (noise vs) ks) as P.
      replace (exp (- (s * u)) * (noise vs ks * exp (s * combination cs ks)))
        with (noise vs ks * exp (s * (combination cs ks - u))).
      2:{ replace (s * (combination cs ks - u)) with (- (s * u) + s * combination cs ks) by ring.
          rewrite exp_plus. ring. }
      apply Rmult_le_compat_l; auto. unfold exceeds. destruct (Rlt_dec u (combination cs ks)) as [Q | Q].
      * rewrite <- exp_0. apply exp_le. apply Rmult_le_pos; lra.
      * left. apply exp_pos.
    + apply law_of_ge0; [apply test_bounded, exceeds_test | apply exceeds_test].
    + apply has_total_scal; auto. left. apply exp_pos.
  - apply Rle_trans with (exp (- (s * u)) * exp (s ^ 2 * B / 2)).
    + apply Rmult_le_compat_l; [left; apply exp_pos|]. eapply Rle_trans; [exact L|]. apply exp_le.
      assert (0 <= s ^ 2) by apply pow2_ge_0.
      assert (s ^ 2 * weighted_squares cs vs <= s ^ 2 * B) by (now apply Rmult_le_compat_l). lra.
    + rewrite <- exp_plus. apply exp_le. apply Req_le. unfold s. field. lra.
Qed.

(** Both sides, and several combinations. *)
Definition some_beyond (u : R) (css : list (list R)) (ks : list Z) : R :=
  if existsb (fun cs => if Rlt_dec u (Rabs (combination cs ks)) then true else false) css then 1 else 0.
Lemma some_beyond_test u css : test (some_beyond u css).
Proof. intros ks. unfold some_beyond. destruct (existsb _ css); lra. Qed.
Lemma combination_opp cs : forall ks, combination (map Ropp cs) ks = - combination cs ks.
Proof. induction cs as [|c cs IH]; intros [|k ks]; simpl; try lra. rewrite IH. lra. Qed.
Lemma weighted_squares_opp cs : forall vs, weighted_squares (map Ropp cs) vs = weighted_squares cs vs.
Proof. induction cs as [|c cs IH]; intros [|v vs]; simpl; try lra. rewrite IH. ring. Qed.
Lemma some_beyond_tail vs css B u : 0 < B -> 0 <= u -> Forall (fun cs => weighted_squares cs vs <= B) css ->
  law_of (noise vs) (some_beyond u css) <= 2 * INR (length css) * exp (- u ^ 2 / (2 * B)).
Proof.
  intros HB Hu F. induction F as [|cs css W F IH].
  - change (law_of (noise vs) (fun _ => 0) <= 2 * 0 * exp (- u ^ 2 / (2 * B))). rewrite E_const. lra.
  - change (length (cs :: css)) with (S (length css)). rewrite S_INR.
    pose proof (combination_tail vs cs B u HB Hu W) as T1.
    pose proof (combination_tail vs (map Ropp cs) B u HB Hu ltac:(now rewrite weighted_squares_opp)) as T2.
    set (g := fun ks => (exceeds u cs ks + exceeds u (map Ropp cs) ks) + some_beyond u css ks).
    assert (B1 : bounded (fun ks => exceeds u cs ks + exceeds u (map Ropp cs) ks)).
    { apply bounded_plus; apply test_bounded, exceeds_test. }
    assert (G : law_of (noise vs) (some_beyond u (cs :: css)) <= law_of (noise vs) g).
    { apply E_mono; [apply test_bounded, some_beyond_test | |].
      { apply bounded_plus; auto. apply test_bounded, some_beyond_test. }
      intros ks. unfold g, some_beyond, exceeds. cbn [existsb]. rewrite combination_opp.
      destruct (existsb _ css); [rewrite Bool.orb_true_r|rewrite Bool.orb_false_r];
        destruct (Rlt_dec u (Rabs (combination cs ks))) as [A | A], (Rlt_dec u (combination cs ks)) as [P | P],
          (Rlt_dec u (- combination cs ks)) as [Q | Q]; try lra.
      exfalso. unfold Rabs in A. destruct (Rcase_abs (combination cs ks)); lra. }
    unfold g in G.
    rewrite E_plus, E_plus in G by (auto; apply test_bounded; first [apply exceeds_test | apply some_beyond_test]).
    lra.
Qed.
(** jt13.gp.error: of T combinations fixed in advance, with c_1^2 v_1 + ... + c_m^2 v_m <= B for each, with probability
    at least 1 - beta none is beyond sqrt(2 B ln(2T/beta)). *)
Theorem noise_of_fixed_points vs css B beta : 0 < B -> 0 < beta <= 1 -> css <> [] ->
  Forall (fun cs => weighted_squares cs vs <= B) css ->
  law_of (noise vs) (some_beyond (sqrt (2 * B * ln (2 * INR (length css) / beta))) css) <= beta.
Proof.
  intros HB Hb Ne F. set (T := INR (length css)).
  assert (HT : 1 <= T).
  { unfold T. destruct css as [|cs css]; [congruence|]. change (length (cs :: css)) with (S (length css)).
    rewrite S_INR. pose proof (pos_INR (length css)). lra. }
  assert (R : 1 <= 2 * T / beta).
  { apply Rmult_le_reg_r with beta; [lra|]. replace (2 * T / beta * beta) with (2 * T) by (field; lra). lra. }
  assert (L : 0 <= ln (2 * T / beta)).
  { rewrite <- ln_1. destruct R as [R | <-]; [left; apply ln_increasing; lra | lra]. }
  eapply Rle_trans; [apply (some_beyond_tail vs css B); auto; apply sqrt_pos|]. fold T.
  replace (sqrt (2 * B * ln (2 * T / beta)) ^ 2) with (2 * B * ln (2 * T / beta)).
  2:{ rewrite <- Rsqr_pow2. unfold Rsqr. rewrite sqrt_sqrt; auto. apply Rmult_le_pos; lra. }
  replace (- (2 * B * ln (2 * T / beta)) / (2 * B)) with (- ln (2 * T / beta)) by (field; lra).
  rewrite exp_Ropp, exp_ln by lra. apply Req_le. field. lra.
Qed.
