(* The discrete Gaussian law, one attempt and the loop. *)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Samplers Laws BernoulliExp Geometric Laplace.
Open Scope R_scope.

Section gauss.
Variables (a b : Z) (Ha : (0 < a)%Z) (Hb : (0 < b)%Z).   (* variance = a/b *)
Let t := gaussian_t a b.
Lemma t_pos : (0 < t)%Z.
Proof. unfold t, gaussian_t. pose proof (Z.sqrt_nonneg (a / b)). lia. Qed.
Let tp := t_pos.
Let EK := EL t 1.
Let Q := qq t 1.
Let Q01 : 0 < Q < 1. Proof. apply qq01; [apply t_pos | lia]. Qed.
Definition den : Z := (2 * a * b * t * t)%Z.
Definition gap (y : Z) : Z := (Z.abs y * b * t - a)%Z.
Lemma den_pos : (0 < den)%Z. Proof. unfold den. pose proof tp. nia. Qed.
Definition acc (y : Z) : R := exp (- (IZR (gap y * gap y) / IZR den)).
Definition gam (k : Z) : R := exp (- (IZR (k * k) / (2 * (IZR a / IZR b)))).
Definition C : R := (1 - Q) / (1 + Q) * exp (- (IZR a / IZR b / (2 * IZR (t * t)))).
Lemma C_pos : 0 < C.
Proof. pose proof Q01. unfold C. apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra | apply exp_pos]. Qed.
Lemma acc01 y : 0 < acc y <= 1.
Proof. apply exp_le_1. pose proof den_pos. apply Rmult_le_pos; [apply IZR_le; nia | left; apply Rinv_0_lt_compat, IZR_lt; lia]. Qed.
(* completing the square *)
Lemma square k : plap t 1 k * acc k = C * gam k.
Proof.
  unfold plap, C, acc, gam, om. fold Q. rewrite !Rmult_assoc. f_equal. rewrite <- !exp_plus. f_equal.
  assert (0 < IZR a) by (apply IZR_lt; lia). assert (0 < IZR b) by (apply IZR_lt; lia). assert (0 < IZR t) by (apply IZR_lt, t_pos).
  replace (IZR (k * k)) with (IZR (Z.abs k) * IZR (Z.abs k)) by (rewrite <- mult_IZR; f_equal; nia).
  unfold gap, den. rewrite !mult_IZR, !minus_IZR, !mult_IZR. field. lra.
Qed.
Definition S (K : nat) (h : Z -> R) : R := sumn K (fun k => gam k * (h k + other h k)).
Definition Theta (K : nat) : R := S K (fun _ => 1).
Lemma EL_acc K h : EK K (fun y => acc y * h y) = C * S K h.
Proof.
  pose proof Q01. unfold EK, EL, S. fold Q. unfold Rdiv. rewrite Rmult_comm, <- !sumn_scal. apply sumn_ext. intros k Hk.
  assert (O : other (fun y => acc y * h y) k = acc k * other h k).
  { unfold other. destruct (k =? 0)%Z; [lra|]. unfold acc, gap. now rewrite Z.abs_opp. }
  rewrite O. pose proof (square k) as Sq.
  assert (P : plap t 1 k = / (1 + Q) * pgeo 1 t k).
  { unfold plap, pgeo, Q, qq. rewrite Z.abs_eq by lia. field. unfold Q, qq in *. lra. }
  rewrite P in Sq. rewrite <- (Rmult_assoc C), <- Sq. ring.
Qed.
Lemma gam_pos k : 0 < gam k. Proof. apply exp_pos. Qed.
Lemma gam_0 : gam 0 = 1.
Proof. unfold gam. rewrite Z.mul_0_l. unfold Rdiv. rewrite Rmult_0_l, Ropp_0. apply exp_0. Qed.
Lemma other_pos h k : (forall x, 0 <= h x) -> 0 <= other h k.
Proof. intros H. unfold other. pose proof (H (- k)%Z). destruct (k =? 0)%Z; lra. Qed.
Lemma Theta_grows m n : (m <= n)%nat -> Theta m <= Theta n.
Proof. intros H. apply sumn_more; auto. intros i _. pose proof (gam_pos i). pose proof (other_pos (fun _ => 1) i ltac:(intros; lra)). nra. Qed.
Lemma Theta_1 : Theta 1 = 1.
Proof. unfold Theta, S. simpl sumn. rewrite gam_0. unfold other. simpl. lra. Qed.
Lemma Theta_pos K : (1 <= K)%nat -> 1 <= Theta K.
Proof. intros H. rewrite <- Theta_1. now apply Theta_grows. Qed.
Lemma CTheta K : C * Theta K <= 1.
Proof.
  unfold Theta. rewrite <- EL_acc. eapply Rle_trans; [|apply (EL_1 t 1 tp ltac:(lia) K)].
  apply EL_le; try solve [lia | apply tp]. intros y. pose proof (acc01 y). lra.
Qed.
Lemma attempt_below F : exists K0, forall K, (K0 <= K)%nat -> forall g, (forall o, 0 <= g o) ->
  expect (gaussian_attempt F a b) g <= C * S K (fun x => g (Some x)) + (1 - C * Theta K) * g None.
Proof.
  destruct (laplace_below t 1 tp ltac:(lia) F) as [K0 HK]. exists K0. intros K H g Hg. unfold gaussian_attempt. fold t. rewrite expect_bind.
  eapply Rle_trans; [apply (HK K H); intros; apply expect_ge0; auto|].
  eapply Rle_trans.
  { apply EL_le with (g := fun y => 1 * (acc y * g (Some y)) + g None * (1 * 1 + (-1) * (acc y * 1))); try solve [lia | apply tp]. intros y. rewrite expect_bind.
    pose proof (bernoulli_exp_below (gap y * gap y) den ltac:(nia) den_pos F (fun ok : bool => expect (Ret (if ok then Some y else None)) g)) as B.
    eapply Rle_trans; [apply B; intros []; simpl; auto|]. unfold EB, acc. simpl. lra. }
  rewrite (EL_lin t 1 K 1 (g None) (fun y => acc y * g (Some y))), (EL_lin t 1 K 1 (-1) (fun _ => 1) (fun y => acc y * 1)).
  fold EK. rewrite !EL_acc. fold (Theta K). pose proof (EL_1 t 1 tp ltac:(lia) K) as E1. fold EK in E1. specialize (Hg None). nra.
Qed.

(* What is undecided vanishes: small |y| uniformly, large |y| seldom. *)
Definition far (Y : nat) (y : Z) : R := if (Z.of_nat Y <=? Z.abs y)%Z then 1 else 0.
Lemma far_sum Y K : sumn K (fun k => pgeo 1 t k * far Y k) <= om t (Z.of_nat Y).
Proof.
  enough (sumn K (fun k => pgeo 1 t k * far Y k) <= om t (Z.of_nat Y) - om t (Z.of_nat (Nat.max K Y))) by (pose proof (om_pos t (Z.of_nat (Nat.max K Y))); lra).
  induction K; [simpl; lra|]. cbn [sumn]. unfold far at 2. rewrite Z.abs_eq by lia. destruct (Z.leb_spec (Z.of_nat Y) (Z.of_nat K)).
  - replace (Nat.max (Datatypes.S K) Y) with (Datatypes.S K) by lia. replace (Nat.max K Y) with K in IHK by lia.
    rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite om_plus by apply tp. unfold pgeo at 2. rewrite Z.mul_1_l. lra.
  - replace (Nat.max (Datatypes.S K) Y) with Y by lia. replace (Nat.max K Y) with Y in IHK by lia. lra.
Qed.
Lemma far_small Y K : EK K (far Y) <= 2 * om t (Z.of_nat Y).
Proof.
  pose proof Q01. unfold EK, EL. fold Q.
  assert (N : 0 <= sumn K (fun k => pgeo 1 t k * far Y k)).
  { apply sumn_ge0. intros i _. apply Rmult_le_pos; [apply pgeo_pos; [lia|apply tp] | unfold far; destruct (_ <=? _)%Z; lra]. }
  apply Rmult_le_reg_r with (1 + Q); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rle_trans with (2 * sumn K (fun k => pgeo 1 t k * far Y k)).
  - rewrite <- sumn_scal. apply sumn_le. intros i _. pose proof (pgeo_pos 1 t ltac:(lia) tp i).
    assert (other (far Y) i <= far Y i) by (unfold other, far; rewrite Z.abs_opp; destruct (i =? 0)%Z, (_ <=? _)%Z; lra). nra.
  - pose proof (far_sum Y K). nra.
Qed.
Definition MY (Y : nat) : R := (IZR ((Z.of_nat Y * b * t + a) * (Z.of_nat Y * b * t + a)) + 1) * 5.
Lemma undecided_at F Y y : undecided (bernoulli_exp F (gap y * gap y) den) <= MY Y * (/ 2) ^ F + far Y y.
Proof.
  assert (P : 0 < (/ 2) ^ F) by (apply pow_lt; lra). pose proof den_pos as D. pose proof tp.
  assert (B : 0 <= MY Y). { unfold MY. assert (0 <= IZR ((Z.of_nat Y * b * t + a) * (Z.of_nat Y * b * t + a))) by (apply IZR_le; nia). lra. }
  unfold far. destruct (Z.leb_spec (Z.of_nat Y) (Z.abs y)).
  - pose proof (undecided_bounds (bernoulli_exp F (gap y * gap y) den)). nra.
  - pose proof (bernoulli_exp_und (gap y * gap y) den F ltac:(nia) D) as U. rewrite INR_IZR_INZ, Z2Nat.id in U by (apply Z.div_pos; nia).
    assert (L : (gap y * gap y / den <= (Z.of_nat Y * b * t + a) * (Z.of_nat Y * b * t + a))%Z).
    { apply Z.le_trans with (gap y * gap y)%Z; [apply Z.div_le_upper_bound; nia|].
      assert (0 <= Z.abs y * b * t <= Z.of_nat Y * b * t)%Z by nia. unfold gap. nia. }
    apply IZR_le in L. unfold MY. nra.
Qed.
Lemma om_pow n : om t (Z.of_nat n) = om t 1 ^ n.
Proof. induction n; [apply om_0, tp|]. rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite om_plus, IHn by apply tp. simpl. lra. Qed.
Lemma attempt_decided : decided (fun F => gaussian_attempt F a b).
Proof.
  intros eps He. pose proof (om_lt1 t tp 1 ltac:(lia)) as O1. pose proof (om_pos t 1) as O0.
  destruct (pow_cv (om t 1) ltac:(lra) (eps / 4)) as [Y HY]; [lra|]. specialize (HY Y (Nat.le_refl _)).
  unfold R_dist in HY. rewrite Rminus_0_r in HY. apply Rabs_def2 in HY. rewrite <- om_pow in HY.
  assert (CV : Un_cv (fun F => undecided (laplace F t 1) + MY Y * (/ 2) ^ F) 0).
  { replace 0 with (0 + MY Y * 0) by lra. apply CV_plus; [apply (laplace_decided t 1 tp ltac:(lia))|].
    apply CV_mult; [|apply pow_cv; lra]. intros e H. exists O. intros. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0; auto. }
  destruct (CV (eps / 2)) as [N HN]; [lra|]. exists N. intros n Hn. specialize (HN n Hn). unfold R_dist in *. rewrite Rminus_0_r in *.
  apply Rabs_def2 in HN. rewrite Rabs_pos_eq by apply undecided_bounds.
  unfold gaussian_attempt. fold t. rewrite undecided_bind. destruct (laplace_below t 1 tp ltac:(lia) n) as [K0 HK].
  assert (expect (laplace n t 1) (fun y => undecided (ok <- bernoulli_exp n (gap y * gap y) den; Ret (if ok : bool then Some y else None))) <= MY Y * (/ 2) ^ n + 2 * om t (Z.of_nat Y)).
  { eapply Rle_trans; [apply (HK K0 (Nat.le_refl _)); intros; apply undecided_bounds|].
    eapply Rle_trans.
    - apply EL_le with (g := fun y => MY Y * (/ 2) ^ n * 1 + 1 * far Y y); try solve [lia | apply tp]. intros y. rewrite undecided_bind.
      rewrite (expect_ext _ _ (fun _ => 0)), expect_0 by (intros []; unfold undecided; simpl; lra). pose proof (undecided_at n Y y). lra.
    - rewrite (EL_lin t 1 K0 (MY Y * (/ 2) ^ n) 1 (fun _ => 1)). pose proof (EL_1 t 1 tp ltac:(lia) K0). pose proof (far_small Y K0) as FS. unfold EK in FS.
      assert (0 <= MY Y * (/ 2) ^ n). { apply Rmult_le_pos; [|left; apply pow_lt; lra]. unfold MY. assert (0 <= IZR ((Z.of_nat Y * b * t + a) * (Z.of_nat Y * b * t + a))) by (apply IZR_le; nia). lra. }
      nra. }
  unfold gap, den in H. lra.
Qed.

(* The loop. *)
Lemma gaussian_below F : exists K0, forall K, (K0 <= K)%nat -> forall f, (forall x, 0 <= f x) -> expect (gaussian F a b) f <= S K f / Theta K.
Proof.
  destruct (attempt_below F) as [K0 HK]. exists (K0 + 1)%nat. intros K H f Hf. pose proof (Theta_pos K ltac:(lia)). pose proof C_pos. pose proof (CTheta K).
  unfold gaussian. apply attempts_below with (a := C * Theta K) (E := fun f => S K f / Theta K); auto; [nra| |].
  - intros h Hh. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra]. apply sumn_ge0. intros i _. pose proof (gam_pos i). pose proof (other_pos h i Hh). specialize (Hh i). nra.
  - intros g Hg. specialize (HK K ltac:(lia) g Hg). replace (C * Theta K * (S K (fun x => g (Some x)) / Theta K)) with (C * S K (fun x => g (Some x))) by (field; lra). lra.
Qed.
Lemma gaussian_decided : decided (fun F => gaussian F a b).
Proof.
  unfold gaussian. apply attempts_decided with (a := C) (t := fun F => gaussian_attempt F a b).
  - pose proof C_pos. pose proof (CTheta 1). rewrite Theta_1 in *. lra.
  - apply attempt_decided.
  - intros F. destruct (attempt_below F) as [K0 HK]. eapply Rle_trans; [apply (HK (K0 + 1)%nat ltac:(lia)); intros []; lra|]. cbv beta iota.
    pose proof (Theta_pos (K0 + 1) ltac:(lia)). pose proof C_pos.
    assert (S (K0 + 1) (fun _ => 0) = 0) as -> by (unfold S; rewrite (sumn_ext _ _ (fun _ => 0)), sumn_const by (intros; unfold other; destruct (_ =? _)%Z; lra); lra). nra.
Qed.
Lemma theta_exists : { theta | Un_cv Theta theta }.
Proof.
  apply growing_cv; [intros n; apply Theta_grows; lia|]. exists (/ C). intros x [n ->]. pose proof C_pos. pose proof (CTheta n).
  apply Rmult_le_reg_l with C; auto. rewrite Rinv_r; lra.
Qed.
Lemma S_is K k : (Z.abs k < Z.of_nat K)%Z -> S K (is k) = gam k.
Proof.
  intros H. unfold S. rewrite (sumn_ext K _ (fun x => gam k * is (Z.abs k) x)).
  - now rewrite (sumn_is K (Z.abs k) (fun _ => gam k)) by lia.
  - intros x Hx. assert (G : gam (Z.abs k) = gam k) by (unfold gam; do 4 f_equal; nia).
    unfold other, is. destruct (Z.eqb_spec x 0), (Z.eq_dec x k), (Z.eq_dec (-x) k), (Z.eq_dec x (Z.abs k)); try lia; try lra; replace (gam x) with (gam k) by (rewrite <- G; f_equal; lia); lra.
Qed.
(* claim sample.discrete-gaussian: Pr[k] = e^(-k^2/(2v)) / theta, theta the sum over the integers, v = a/b *)
Theorem discrete_gaussian_law theta k : Un_cv Theta theta ->
  (forall F, expect (gaussian F a b) (is k) <= gam k / theta <= expect (gaussian F a b) (is k) + undecided (gaussian F a b)) /\
  Un_cv (fun F => expect (gaussian F a b) (is k)) (gam k / theta).
Proof.
  intros CV. assert (I : forall x, 0 <= is k x <= 1) by (intros; unfold is; destruct (Z.eq_dec x k); lra).
  assert (UP : forall K, Theta K <= theta) by (apply growing_ineq; auto; intros n; apply Theta_grows; lia).
  assert (T1 : 1 <= theta) by (rewrite <- Theta_1; apply UP).
  assert (Sw : forall F, expect (gaussian F a b) (is k) <= gam k / theta <= expect (gaussian F a b) (is k) + undecided (gaussian F a b)).
  { intros F. destruct (gaussian_below F) as [K0 HK]. pose proof (gam_pos k). pose proof (expect_ge0 (gaussian F a b) (is k) ltac:(apply I)) as W0. split.
    - apply Rmult_le_reg_r with theta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. set (w := expect (gaussian F a b) (is k)) in *.
      apply Rnot_lt_le. intros H'. assert (0 < w) by nra. destruct (CV ((w * theta - gam k) / w)) as [N HN]; [apply Rdiv_lt_0_compat; lra|].
      set (K := (N + K0 + Z.to_nat (Z.abs k) + 1)%nat). specialize (HN K ltac:(lia)). specialize (HK K ltac:(lia) (is k) ltac:(apply I)). fold w in HK.
      rewrite S_is in HK by lia. pose proof (Theta_pos K ltac:(lia)). unfold R_dist in HN. apply Rabs_def2 in HN as [_ HN].
      apply (Rmult_le_compat_r (Theta K)) in HK; [|lra]. unfold Rdiv in HK. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in HK by lra.
      assert (w * - ((w * theta - gam k) / w) < w * (Theta K - theta)) by (apply Rmult_lt_compat_l; lra).
      replace (w * - ((w * theta - gam k) / w)) with (gam k - w * theta) in * by (field; lra). lra.
    - set (K := (K0 + Z.to_nat (Z.abs k) + 1)%nat). pose proof (HK K ltac:(lia) (fun x => 1 - is k x) ltac:(intros x; specialize (I x); lra)) as H'.
      rewrite (expect_minus _ (fun _ => 1)) in H'. pose proof (Theta_pos K ltac:(lia)).
      assert (S K (fun x => 1 - is k x) = Theta K - gam k) as E1.
      { rewrite <- (S_is K k) by lia. unfold Theta, S. 
        rewrite (sumn_ext K _ (fun x => gam x * (1 + other (fun _ => 1) x) + (-1) * (gam x * (is k x + other (is k) x)))) by (intros; unfold other; destruct (_ =? _)%Z; lra).
        rewrite sumn_plus, sumn_scal. lra. }
      rewrite E1 in H'. replace ((Theta K - gam k) / Theta K) with (1 - gam k / Theta K) in H' by (field; lra).
      assert (gam k / theta <= gam k / Theta K) by (apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; [lra | apply UP]). unfold undecided. lra. }
  split; auto. apply squeeze; auto. apply gaussian_decided.
Qed.
End gauss.
