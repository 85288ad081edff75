(** The law of [gaussian]: k with probability e^(-k^2/(2v)) / theta, theta the sum of e^(-j^2/(2v)) over all integers j.

    With t = floor(sqrt v) + 1, a proposal Y of the discrete Laplace law of scale t is accepted with probability
    e^-((|Y| - v/t)^2/(2v)); the product of the two is a constant times e^(-Y^2/(2v)) ([square]). The sum theta exists
    for every real v > 0 ([theta_exists]).

    As on the page: all rational v > 0, in lowest terms or not; theta is the limit of the sums from -n to n. The page's
    bounds on the probabilities (its parts a, b, c) are not here. An attempt is accepted with probability at least 1/5
    ([gaussian_acceptance_fifth]); the page has 0.28.

    Claims: sample.discrete-gaussian.
*)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Samplers Laws BernoulliExp Geometric Laplace.
Open Scope R_scope.

(** * The sum theta. *)

(** sample.discrete-gaussian: for every real variance > 0 the sums of e^(-k^2 / (2 variance)) from -n to n have a
    limit. *)
Theorem theta_exists (variance : R) : 0 < variance ->
  { theta | Un_cv (symmetric_sum (fun k => exp (- IZR (k * k) / (2 * variance)))) theta }.
Proof.
  intros Hv. set (w := fun k => exp (- IZR (k * k) / (2 * variance))).
  set (r := exp (- / (2 * variance))).
  assert (I : 0 < / (2 * variance)) by (apply Rinv_0_lt_compat; lra).
  assert (r01 : 0 < r < 1) by (split; [apply exp_pos|]; rewrite <- exp_0; apply exp_increasing; lra).
  assert (r_power : forall n, r ^ n = exp (- INR n * / (2 * variance))).
  { induction n; [simpl; rewrite Ropp_0, Rmult_0_l, exp_0; reflexivity|].
    rewrite <- tech_pow_Rmult, IHn, S_INR. unfold r. rewrite <- exp_plus. f_equal. lra. }
  assert (small : forall n, w (Z.of_nat n) <= r ^ n).
  { intros n. rewrite r_power. unfold w, Rdiv. rewrite INR_IZR_INZ.
    assert (IZR (Z.of_nat n) <= IZR (Z.of_nat n * Z.of_nat n)) by (apply IZR_le; nia).
    assert (L : - IZR (Z.of_nat n * Z.of_nat n) * / (2 * variance) <= - IZR (Z.of_nat n) * / (2 * variance))
      by (apply Rmult_le_compat_r; lra).
    destruct L as [L | ->]; [left; now apply exp_increasing | lra]. }
  assert (even : forall k, w (- k)%Z = w k) by (intros k; unfold w; do 4 f_equal; ring).
  apply growing_cv.
  - intros n. cbn [symmetric_sum]. pose proof (exp_pos (- IZR (Z.of_nat (S n) * Z.of_nat (S n)) / (2 * variance))).
    rewrite even. fold (w (Z.of_nat (S n))) in *. lra.
  - exists (1 + 2 * r / (1 - r)). intros x [n ->].
    assert (B : symmetric_sum w n + 2 * r ^ S n / (1 - r) <= 1 + 2 * r / (1 - r)).
    { induction n; cbn [symmetric_sum].
      - unfold w. change (0 * 0)%Z with 0%Z. replace (- 0 / (2 * variance)) with 0 by (field; lra).
        rewrite exp_0, pow_1. lra.
      - rewrite even. specialize (small (S n)).
        replace (2 * r ^ S n / (1 - r)) with (2 * r ^ S n + 2 * r ^ S (S n) / (1 - r)) in IHn
          by (simpl; field; lra). lra. }
    assert (0 < r ^ S n) by (apply pow_lt; lra).
    assert (0 < 2 * r ^ S n / (1 - r)) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.

Section gaussian.
Variables (a b : Z) (Ha : (0 < a)%Z) (Hb : (0 < b)%Z).   (* variance = a/b *)
Let t := gaussian_t a b.

Lemma t_pos : (0 < t)%Z.
Proof. unfold t, gaussian_t. pose proof (Z.sqrt_nonneg (a / b)). lia. Qed.
Let tp := t_pos.
Let one : (0 < 1)%Z := Z.lt_0_1.

(** (t - 1)^2 <= variance < t^2 *)
Lemma t_spec : (b * ((t - 1) * (t - 1)) <= a < b * (t * t))%Z.
Proof.
  assert (Q : (0 <= a / b)%Z) by (apply Z.div_pos; lia). pose proof (Z.sqrt_spec (a / b) Q) as S.
  cbv zeta in S. unfold Z.succ in S. pose proof (Z.div_mod a b ltac:(lia)). pose proof (Z.mod_pos_bound a b Hb).
  unfold t, gaussian_t. nia.
Qed.

Let Q := laplace_ratio t 1.
Let Q01 : 0 < Q < 1.
Proof. apply laplace_ratio01; [apply t_pos | lia]. Qed.

(** The exponent of the acceptance: gap^2 / den. *)
Definition den : Z := (2 * a * b * t * t)%Z.
Definition gap (y : Z) : Z := (Z.abs y * b * t - a)%Z.

Lemma den_pos : (0 < den)%Z.
Proof. unfold den. pose proof tp. nia. Qed.

(** The probability that the proposal y is accepted. *)
Definition accept (y : Z) : R := exp (- (IZR (gap y * gap y) / IZR den)).

(** e^(-k^2/(2v)) *)
Definition weight (k : Z) : R := exp (- IZR (k * k) / (2 * (IZR a / IZR b))).

(** What a proposal's probability times its acceptance is to its weight. *)
Definition scaling : R := (1 - Q) / (1 + Q) * exp (- (IZR a / IZR b / (2 * IZR (t * t)))).

Lemma scaling_pos : 0 < scaling.
Proof. pose proof Q01. unfold scaling. apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra | apply exp_pos]. Qed.

Lemma accept01 y : 0 < accept y <= 1.
Proof.
  apply exp_le_1. pose proof den_pos.
  apply Rmult_le_pos; [apply IZR_le; nia | left; apply Rinv_0_lt_compat, IZR_lt; lia].
Qed.

(** Completing the square. *)
Lemma square k : laplace_mass t 1 k * accept k = scaling * weight k.
Proof.
  unfold laplace_mass, scaling, accept, weight, decay. fold Q.
  rewrite !Rmult_assoc. f_equal. rewrite <- !exp_plus. f_equal.
  assert (0 < IZR a) by (apply IZR_lt; lia). assert (0 < IZR b) by (apply IZR_lt; lia).
  assert (0 < IZR t) by (apply IZR_lt, t_pos).
  replace (IZR (k * k)) with (IZR (Z.abs k) * IZR (Z.abs k)) by (rewrite <- mult_IZR; f_equal; nia).
  unfold gap, den. rewrite !mult_IZR, !minus_IZR, !mult_IZR. field. lra.
Qed.

(** The sum of weight * h over |k| < K, and of the weights alone. *)
Definition weighted (K : nat) (h : Z -> R) : R := sumn K (fun k => weight k * (h k + mirrored h k)).
Definition Theta (K : nat) : R := weighted K (fun _ => 1).

Lemma weight_pos k : 0 < weight k.
Proof. apply exp_pos. Qed.

Lemma weight_0 : weight 0 = 1.
Proof. unfold weight. rewrite Z.mul_0_l. unfold Rdiv. rewrite Ropp_0, Rmult_0_l. apply exp_0. Qed.

Lemma weight_even k : weight (- k) = weight k.
Proof. unfold weight. do 4 f_equal. ring. Qed.

Lemma mirrored_nonneg h k : (forall x, 0 <= h x) -> 0 <= mirrored h k.
Proof. intros H. unfold mirrored. pose proof (H (- k)%Z). destruct (k =? 0)%Z; lra. Qed.

Lemma weighted_nonneg K h : (forall x, 0 <= h x) -> 0 <= weighted K h.
Proof.
  intros H. apply sumn_ge0. intros i _. pose proof (weight_pos i). pose proof (mirrored_nonneg h i H).
  specialize (H i). nra.
Qed.

Lemma Theta_symmetric n : Theta (S n) = symmetric_sum weight n.
Proof.
  induction n.
  - unfold Theta, weighted, mirrored. simpl. lra.
  - cbn [symmetric_sum]. rewrite <- IHn, weight_even. unfold Theta, weighted.
    set (k := S n). cbn [sumn]. unfold mirrored at 2. replace (Z.of_nat k =? 0)%Z with false; [lra|].
    symmetry. apply Z.eqb_neq. lia.
Qed.

Lemma Theta_grows m n : (m <= n)%nat -> Theta m <= Theta n.
Proof.
  intros H. apply sumn_more; auto. intros i _. pose proof (weight_pos i).
  pose proof (mirrored_nonneg (fun _ => 1) i ltac:(intros; lra)). nra.
Qed.

Lemma Theta_1 : Theta 1 = 1.
Proof. rewrite Theta_symmetric. apply weight_0. Qed.

Lemma Theta_ge1 K : (1 <= K)%nat -> 1 <= Theta K.
Proof. intros H. rewrite <- Theta_1. now apply Theta_grows. Qed.

Lemma weighted_is K k : (Z.abs k < Z.of_nat K)%Z -> weighted K (is k) = weight k.
Proof.
  intros H. unfold weighted. rewrite (sumn_ext K _ (fun x => weight k * is (Z.abs k) x)).
  - now rewrite (sumn_is K (Z.abs k) (fun _ => weight k)) by lia.
  - intros x Hx. assert (G : weight (Z.abs k) = weight k) by (unfold weight; do 4 f_equal; nia).
    unfold mirrored, is.
    destruct (Z.eqb_spec x 0), (Z.eq_dec x k), (Z.eq_dec (-x) k), (Z.eq_dec x (Z.abs k)); try lia; try lra;
      replace (weight x) with (weight k) by (rewrite <- G; f_equal; lia); lra.
Qed.

Lemma weighted_complement K k : (Z.abs k < Z.of_nat K)%Z -> weighted K (fun x => 1 - is k x) = Theta K - weight k.
Proof.
  intros H. rewrite <- (weighted_is K k) by lia. unfold Theta, weighted.
  rewrite (sumn_ext K (fun x => weight x * (1 - is k x + mirrored (fun y => 1 - is k y) x))
    (fun x => weight x * (1 + mirrored (fun _ => 1) x) + (-1) * (weight x * (is k x + mirrored (is k) x))))
    by (intros; unfold mirrored; destruct (_ =? _)%Z; lra).
  rewrite sumn_plus, sumn_scal. lra.
Qed.

(** * One attempt. *)

Lemma proposal_accepted K h : EL t 1 K (fun y => accept y * h y) = scaling * weighted K h.
Proof.
  pose proof Q01. unfold EL, weighted. fold Q. unfold Rdiv. rewrite Rmult_comm, <- !sumn_scal.
  apply sumn_ext. intros k Hk.
  assert (O : mirrored (fun y => accept y * h y) k = accept k * mirrored h k).
  { unfold mirrored. destruct (k =? 0)%Z; [lra|]. unfold accept, gap. now rewrite Z.abs_opp. }
  rewrite O. pose proof (square k) as Sq.
  assert (P : laplace_mass t 1 k = / (1 + Q) * geometric_mass 1 t k).
  { unfold laplace_mass, geometric_mass, Q, laplace_ratio. rewrite Z.abs_eq by lia.
    field. unfold Q, laplace_ratio in *. lra. }
  rewrite P in Sq. rewrite <- (Rmult_assoc scaling), <- Sq. ring.
Qed.

Lemma acceptance_le1 K : scaling * Theta K <= 1.
Proof.
  unfold Theta. rewrite <- proposal_accepted. eapply Rle_trans; [|apply (EL_1 t 1 tp one K)].
  apply EL_le; auto using tp. intros y. pose proof (accept01 y). lra.
Qed.

Lemma attempt_below F : exists K0, forall K, (K0 <= K)%nat -> forall g, (forall o, 0 <= g o) ->
  expect (gaussian_attempt F a b) g <= scaling * weighted K (fun x => g (Some x)) + (1 - scaling * Theta K) * g None.
Proof.
  destruct (laplace_below t 1 tp one F) as [K0 HK]. exists K0. intros K H g Hg.
  unfold gaussian_attempt. fold t. rewrite expect_bind.
  eapply Rle_trans; [apply (HK K H); intros; apply expect_ge0; auto|].
  eapply Rle_trans.
  { apply EL_le with (g := fun y => 1 * (accept y * g (Some y)) + g None * (1 * 1 + (-1) * (accept y * 1)));
      auto using tp.
    intros y. rewrite expect_bind.
    pose proof (bernoulli_exp_below (gap y * gap y) den ltac:(nia) den_pos F
                 (fun ok : bool => expect (Ret (if ok then Some y else None)) g)) as B.
    eapply Rle_trans; [apply B; intros []; simpl; auto|]. unfold EB, accept. simpl. lra. }
  rewrite (EL_lin t 1 K 1 (g None) (fun y => accept y * g (Some y))).
  rewrite (EL_lin t 1 K 1 (-1) (fun _ => 1) (fun y => accept y * 1)), !proposal_accepted.
  fold (Theta K). pose proof (EL_1 t 1 tp one K). specialize (Hg None). nra.
Qed.

(** The constant is at least e^(-1/2) / (2t + 1), as 1 + 1/t <= e^(1/t) and variance < t^2; ... *)
Lemma scaling_lower : exp (- (/ 2)) / (2 * IZR t + 1) <= scaling.
Proof.
  assert (T : 1 <= IZR t) by (apply IZR_le; pose proof tp; lia).
  assert (A : 0 < IZR a) by (apply IZR_lt; lia). assert (B : 0 < IZR b) by (apply IZR_lt; lia).
  assert (Q_le : Q * (IZR t + 1) <= IZR t).
  { unfold Q, laplace_ratio, decay. rewrite exp_Ropp. pose proof (exp_ineq1 (1 / IZR t)) as E.
    assert (P : 0 < 1 / IZR t) by (apply Rdiv_lt_0_compat; lra). specialize (E ltac:(lra)).
    apply Rmult_le_reg_r with (exp (1 / IZR t)); [apply exp_pos|].
    replace (/ exp (1 / IZR t) * (IZR t + 1) * exp (1 / IZR t)) with (IZR t * (1 + 1 / IZR t))
      by (field; split; [lra | pose proof (exp_pos (1 / IZR t)); lra]).
    apply Rmult_le_compat_l; lra. }
  assert (first : / (2 * IZR t + 1) <= (1 - Q) / (1 + Q)).
  { pose proof Q01. apply Rmult_le_reg_r with ((2 * IZR t + 1) * (1 + Q)); [nra|].
    replace (/ (2 * IZR t + 1) * ((2 * IZR t + 1) * (1 + Q))) with (1 + Q) by (field; lra).
    replace ((1 - Q) / (1 + Q) * ((2 * IZR t + 1) * (1 + Q))) with ((1 - Q) * (2 * IZR t + 1)) by (field; lra). nra. }
  assert (second : exp (- (/ 2)) <= exp (- (IZR a / IZR b / (2 * IZR (t * t))))).
  { left. apply exp_increasing, Ropp_lt_contravar. pose proof t_spec as [_ L]. apply IZR_lt in L.
    rewrite !mult_IZR in *. apply Rmult_lt_reg_r with (2 * (IZR b * (IZR t * IZR t))); [nra|].
    replace (IZR a / IZR b / (2 * (IZR t * IZR t)) * (2 * (IZR b * (IZR t * IZR t)))) with (IZR a)
      by (field; lra). lra. }
  unfold scaling, Rdiv at 1. rewrite Rmult_comm. pose proof (exp_pos (- / 2)).
  assert (0 < / (2 * IZR t + 1)) by (apply Rinv_0_lt_compat; lra). apply Rmult_le_compat; lra.
Qed.

(** ... and the weights of |k| < t are at least e^(-1/2). *)
Lemma Theta_lower : (2 * IZR t - 1) * exp (- (/ 2)) <= Theta (Z.to_nat t).
Proof.
  assert (A : 0 < IZR a) by (apply IZR_lt; lia). assert (B : 0 < IZR b) by (apply IZR_lt; lia).
  apply Rle_trans with (sumn (Z.to_nat t) (fun k => exp (- (/ 2)) * (2 + (-1) * (1 * is 0 k)))).
  - rewrite sumn_scal, sumn_plus, sumn_scal, sumn_const, (sumn_is _ 0 (fun _ => 1)) by (pose proof tp; lia).
    rewrite INR_IZR_INZ, Z2Nat.id by (pose proof tp; lia). lra.
  - apply sumn_le. intros k Hk. rewrite Z2Nat.id in Hk by (pose proof tp; lia).
    replace (1 + mirrored (fun _ => 1) k) with (2 + -1 * (1 * is 0 k)).
    2:{ unfold mirrored, is. destruct (Z.eqb_spec k 0), (Z.eq_dec k 0); try lia; lra. }
    apply Rmult_le_compat_r; [unfold is; destruct (Z.eq_dec k 0); lra|].
    assert (L : - / 2 <= - IZR (k * k) / (2 * (IZR a / IZR b))).
    { pose proof t_spec as [M _]. assert (k * k <= (t - 1) * (t - 1))%Z by nia.
      assert (N : (b * (k * k) <= a)%Z) by nia. apply IZR_le in N. rewrite mult_IZR in N.
      apply Rmult_le_reg_r with (2 * IZR a); [lra|].
      replace (- IZR (k * k) / (2 * (IZR a / IZR b)) * (2 * IZR a)) with (- (IZR b * IZR (k * k))) by (field; lra).
      lra. }
    unfold weight. destruct L as [L | <-]; [left; now apply exp_increasing | lra].
Qed.

(** An attempt is accepted with probability at least 1/5, whatever the variance (the sum of
    the proposals below K alone, for K >= t). *)
Lemma gaussian_acceptance_fifth K : (Z.to_nat t <= K)%nat -> / 5 <= scaling * Theta K.
Proof.
  intros H. pose proof (Theta_grows _ _ H). pose proof Theta_lower. pose proof scaling_lower as CL.
  pose proof scaling_pos.
  assert (T : 1 <= IZR t) by (apply IZR_le; pose proof tp; lia). pose proof (exp_pos (- / 2)).
  assert (E : exp (- / 2) * exp (- / 2) = exp (- (1))) by (rewrite <- exp_plus; f_equal; lra).
  pose proof exp_minus_one. set (e := exp (- / 2)) in *.
  assert (e_lower : 3 / 5 <= e) by (apply Rnot_lt_le; intros L; nra).
  destruct (Z.eq_dec t 1) as [t1|t1].
  - (* t = 1: the weights are at least 1, and the constant at least e^(-1/2) / 3. *)
    pose proof (Theta_ge1 K ltac:(lia)). assert (T1 : IZR t = 1) by (rewrite t1; reflexivity).
    rewrite T1 in CL. assert (/ 5 <= e / (2 * 1 + 1)) by lra. nra.
  - assert (T2 : 2 <= IZR t) by (apply IZR_le; pose proof tp; lia).
    apply Rle_trans with (e / (2 * IZR t + 1) * ((2 * IZR t - 1) * e)).
    + replace (e / (2 * IZR t + 1) * ((2 * IZR t - 1) * e)) with ((e * e) * ((2 * IZR t - 1) / (2 * IZR t + 1)))
        by (field; lra).
      assert (3 / 5 <= (2 * IZR t - 1) / (2 * IZR t + 1)).
      { apply Rmult_le_reg_r with (2 * IZR t + 1); [lra|]. unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l; lra. }
      apply Rle_trans with (11 / 30 * (3 / 5)); [lra|]. apply Rmult_le_compat; lra.
    + assert (0 <= e / (2 * IZR t + 1)) by (left; apply Rdiv_lt_0_compat; lra).
      apply Rmult_le_compat; nra.
Qed.

(** Under any fuel an attempt is rejected with probability at most 4/5. *)
Lemma gaussian_rejected F : expect (gaussian_attempt F a b) rejected <= 1 - / 5.
Proof.
  destruct (attempt_below F) as [K0 HK]. set (K := (K0 + Z.to_nat t)%nat).
  eapply Rle_trans; [apply (HK K ltac:(lia)); intros []; simpl; lra|]. simpl rejected.
  pose proof (gaussian_acceptance_fifth K ltac:(lia)).
  replace (weighted K (fun _ => 0)) with 0; [lra|].
  unfold weighted. rewrite (sumn_ext _ _ (fun _ => 0)); [rewrite sumn_const; lra|].
  intros. unfold mirrored. destruct (_ =? _)%Z; lra.
Qed.

Lemma gaussian_attempt_undecided F : undecided (gaussian_attempt F a b) <= 71 * (2 / 3) ^ F.
Proof.
  unfold gaussian_attempt. fold t. rewrite undecided_bind. pose proof (laplace_undecided t 1 F tp one) as L.
  destruct (laplace_below t 1 tp one F) as [K HK]. specialize (HK K (Nat.le_refl _)).
  assert (0 < (/ 2) ^ F) by (apply pow_lt; lra). assert ((/ 2) ^ F <= (2 / 3) ^ F) by (apply pow_incr; lra).
  set (rest := fun y =>
    undecided (ok <- bernoulli_exp F (gap y * gap y) den; Ret (if ok : bool then Some y else None))).
  assert (E : expect (laplace F t 1) rest <= 10 * (/ 2) ^ F).
  { eapply Rle_trans; [apply HK; intros; apply undecided_bounds|].
    eapply Rle_trans; [|apply (EL_const_le t 1 tp one K); lra].
    apply EL_le; auto using tp. intros y. unfold rest. rewrite undecided_bind.
    rewrite (expect_ext _ _ (fun _ => 0)), expect_0 by (intros []; unfold undecided; simpl; lra).
    pose proof (bernoulli_exp_undecided (gap y * gap y) den F ltac:(nia) den_pos). lra. }
  unfold rest, gap, den in E. lra.
Qed.

(** * The loop. *)

Lemma gaussian_below F : exists K0, forall K, (K0 <= K)%nat -> forall f, (forall x, 0 <= f x) ->
  expect (gaussian F a b) f <= weighted K f / Theta K.
Proof.
  destruct (attempt_below F) as [K0 HK]. exists (K0 + 1)%nat. intros K H f Hf.
  pose proof (Theta_ge1 K ltac:(lia)). pose proof scaling_pos. pose proof (acceptance_le1 K).
  unfold gaussian.
  apply attempts_below with (a := scaling * Theta K) (E := fun f => weighted K f / Theta K); auto; [nra| |].
  - intros h Hh. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra]. now apply weighted_nonneg.
  - intros g Hg. specialize (HK K ltac:(lia) g Hg).
    replace (scaling * Theta K * (weighted K (fun x => g (Some x)) / Theta K))
      with (scaling * weighted K (fun x => g (Some x))) by (field; lra). lra.
Qed.

Lemma gaussian_undecided_aux F : undecided (gaussian F a b) <= 356 * (4 / 5) ^ F.
Proof.
  assert (H : undecided (gaussian F a b) <= (1 - / 5) ^ F + 71 * (2 / 3) ^ F / (/ 5)).
  { apply attempts_undecided; [lra | apply gaussian_attempt_undecided | apply gaussian_rejected]. }
  assert ((2 / 3) ^ F <= (4 / 5) ^ F) by (apply pow_incr; lra).
  replace (1 - / 5) with (4 / 5) in H by lra. lra.
Qed.
End gaussian.

(** sample.discrete-gaussian: with fuel F, what is undecided is at most 356 (4/5)^F, whatever the variance. *)
Theorem gaussian_undecided a b F : (0 < a)%Z -> (0 < b)%Z -> undecided (gaussian F a b) <= 356 * (4 / 5) ^ F.
Proof. intros Ha Hb. now apply gaussian_undecided_aux. Qed.

Lemma gaussian_decided a b : (0 < a)%Z -> (0 < b)%Z -> decided (fun F => gaussian F a b).
Proof.
  intros Ha Hb. apply decided_rate with (c := 356) (r := 4 / 5); [lra|]. intros F. now apply gaussian_undecided.
Qed.

(** sample.discrete-gaussian: for every rational variance = a/b > 0, with theta the limit of the sums of
    e^(-j^2 / (2 variance)) from -n to n, the sampler gives k with probability e^(-k^2 / (2 variance)) / theta. *)
Theorem discrete_gaussian_law (a b : Z) : (0 < a)%Z -> (0 < b)%Z ->
  let variance := IZR a / IZR b in
  forall theta, Un_cv (symmetric_sum (fun j => exp (- IZR (j * j) / (2 * variance)))) theta ->
  has_law Z.eq_dec (fun fuel => gaussian fuel a b) (fun k => exp (- IZR (k * k) / (2 * variance)) / theta).
Proof.
  intros Ha Hb variance theta CV.
  change (Un_cv (symmetric_sum (weight a b)) theta) in CV.
  assert (partial : forall K, Theta a b K <= theta).
  { intros K. apply Rle_trans with (Theta a b (S K)); [apply Theta_grows; lia|]. rewrite Theta_symmetric.
    apply growing_ineq; auto. intros n. rewrite <- !Theta_symmetric. apply Theta_grows. lia. }
  assert (T1 : 1 <= theta) by (rewrite <- (Theta_1 a b); apply partial).
  apply has_law_of_bounds; [now apply gaussian_decided | |]; intros F k;
    change (exp (- IZR (k * k) / (2 * variance))) with (weight a b k);
    destruct (gaussian_below a b Ha Hb F) as [K0 HK]; pose proof (weight_pos a b k).
  - (* w Theta(K) <= weight k for every large K, so also for every K, and in the limit. *)
    set (w := Pr Z.eq_dec (gaussian F a b) k).
    assert (W0 : 0 <= w) by apply Pr_nonnegative.
    assert (each : forall n, w * symmetric_sum (weight a b) n <= weight a b k).
    { intros n. rewrite <- Theta_symmetric. set (K := (S n + K0 + Z.to_nat (Z.abs k) + 1)%nat).
      apply Rle_trans with (w * Theta a b K); [apply Rmult_le_compat_l; auto; apply Theta_grows; lia|].
      specialize (HK K ltac:(lia) (is k) ltac:(intros; apply (equals_bounds Z.eq_dec))).
      rewrite weighted_is in HK by lia. change (expect (gaussian F a b) (is k)) with w in HK.
      pose proof (Theta_ge1 a b K ltac:(lia)).
      apply (Rmult_le_compat_r (Theta a b K)) in HK; [|lra].
      unfold Rdiv in HK. rewrite Rmult_assoc, Rinv_l in HK; lra. }
    apply Rmult_le_reg_r with theta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply (limit_at_most (fun n => w * symmetric_sum (weight a b) n)); auto.
    apply CV_mult; [apply constant_cv | exact CV].
  - set (K := (K0 + Z.to_nat (Z.abs k) + 1)%nat).
    eapply Rle_trans; [apply (HK K ltac:(lia)); intros x; pose proof (equals_bounds Z.eq_dec k x); lra|].
    change (equals Z.eq_dec k) with (is k). rewrite weighted_complement by lia.
    pose proof (Theta_ge1 a b K ltac:(lia)).
    replace ((Theta a b K - weight a b k) / Theta a b K) with (1 - weight a b k / Theta a b K) by (field; lra).
    assert (weight a b k / theta <= weight a b k / Theta a b K); [|lra].
    apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [lra | apply partial].
Qed.
