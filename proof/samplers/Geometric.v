(* The geometric law and the discrete Laplace law. *)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Samplers Laws BernoulliExp.
Open Scope R_scope.

(* Sums over 0, ..., n-1. *)
Lemma sumn_le n f g : (forall i, (0 <= i < Z.of_nat n)%Z -> f i <= g i) -> sumn n f <= sumn n g.
Proof. induction n; intros H; simpl; [lra|]. assert (sumn n f <= sumn n g) by (apply IHn; intros; apply H; lia). specialize (H (Z.of_nat n) ltac:(lia)). lra. Qed.
Lemma sumn_scal n c f : sumn n (fun i => c * f i) = c * sumn n f.
Proof. induction n; simpl; [lra|]. rewrite IHn. lra. Qed.
Lemma sumn_shift n f : sumn (S n) f = f 0%Z + sumn n (fun i => f (1 + i)%Z).
Proof. change (S n) with (1 + n)%nat. rewrite sumn_app. simpl. lra. Qed.
Lemma sumn_swap n m f : sumn n (fun i => sumn m (fun j => f i j)) = sumn m (fun j => sumn n (fun i => f i j)).
Proof. induction n; simpl; [rewrite sumn_const; lra|]. rewrite IHn, <- sumn_plus. reflexivity. Qed.
Lemma sumn_blocks t n f : sumn (t * n) f = sumn n (fun j => sumn t (fun u => f (Z.of_nat t * j + u)%Z)).
Proof.
  induction n; [rewrite Nat.mul_0_r; reflexivity|]. rewrite Nat.mul_succ_r, sumn_app, IHn. cbn [sumn]. f_equal.
  apply sumn_ext; intros i _. f_equal. lia.
Qed.
Lemma sumn_more n m f : (n <= m)%nat -> (forall i, (0 <= i)%Z -> 0 <= f i) -> sumn n f <= sumn m f.
Proof. intros H Hf. replace m with (n + (m - n))%nat by lia. rewrite sumn_app. assert (0 <= sumn (m - n) (fun i => f (Z.of_nat n + i)%Z)) by (apply sumn_ge0; intros; apply Hf; lia). lra. Qed.
Lemma EU_le n f g : (0 < n)%Z -> (forall i, (0 <= i < n)%Z -> f i <= g i) -> EU n f <= EU n g.
Proof. intros H Hf. unfold EU. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, IZR_lt; lia|]. apply sumn_le. intros; apply Hf; lia. Qed.

Section geo.
Variables (s t : Z) (Hs : (0 < s)%Z) (Ht : (0 < t)%Z).
Definition om (x : Z) : R := exp (- (IZR x / IZR t)).
Let T0 : 0 < IZR t. Proof. apply IZR_lt; lia. Qed.
Lemma om_plus x y : om (x + y) = om x * om y.
Proof. unfold om. rewrite <- exp_plus, plus_IZR. f_equal. field. lra. Qed.
Lemma om_pos x : 0 < om x. Proof. apply exp_pos. Qed.
Lemma om_0 : om 0 = 1. Proof. unfold om. replace (- (0 / IZR t)) with 0 by (field; lra). apply exp_0. Qed.
Lemma om_lt1 x : (0 < x)%Z -> om x < 1.
Proof. intros H. rewrite <- om_0. unfold om. apply exp_increasing. assert (0 < IZR x) by (apply IZR_lt; lia).
  assert (0 < IZR x / IZR t) by (apply Rdiv_lt_0_compat; lra). unfold Rdiv at 2. lra. Qed.
Lemma om_le1 x : (0 <= x)%Z -> om x <= 1.
Proof. intros H. destruct (Z.eq_dec x 0) as [->|]; [rewrite om_0; lra | left; apply om_lt1; lia]. Qed.
Lemma om_t : om t = exp (- (1 / 1)).
Proof. unfold om. f_equal. field. lra. Qed.
Lemma tele n : (1 - om 1) * sumn n om = 1 - om (Z.of_nat n).
Proof. induction n; simpl sumn; [change (Z.of_nat 0) with 0%Z; rewrite om_0; lra|]. rewrite Rmult_plus_distr_l, IHn, Nat2Z.inj_succ. unfold Z.succ. rewrite om_plus. lra. Qed.

(* 1. U in 0..t, proportional to exp(-u/t). *)
Let tot := sumn (Z.to_nat t) om.
Lemma tot_eq : (1 - om 1) * tot = 1 - om t.
Proof. unfold tot. rewrite tele, Z2Nat.id by lia. reflexivity. Qed.
Lemma tot_pos : 0 < tot.
Proof. pose proof tot_eq. pose proof (om_lt1 1 ltac:(lia)). pose proof (om_lt1 t Ht). nra. Qed.
Lemma tot_le : tot <= IZR t.
Proof. unfold tot. replace (IZR t) with (sumn (Z.to_nat t) (fun _ => 1)) by (rewrite sumn_const, INR_IZR_INZ, Z2Nat.id by lia; lra).
  apply sumn_le. intros; apply om_le1; lia. Qed.
Definition EUg (f : Z -> R) := sumn (Z.to_nat t) (fun u => om u * f u) / tot.
Let a := tot / IZR t.
Lemma a_range : 0 < a <= 1.
Proof. pose proof tot_pos. pose proof tot_le. unfold a. split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_le_reg_r with (IZR t); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.
Lemma u_attempt_below F g : (forall o, 0 <= g o) ->
  expect (geometric_u_attempt F t) g <= a * EUg (fun x => g (Some x)) + (1 - a) * g None.
Proof.
  intros Hg. unfold geometric_u_attempt. rewrite expect_bind.
  eapply Rle_trans; [apply (uniform_below_below t Ht)|].
  { intros c. apply expect_ge0. auto. }
  eapply Rle_trans.
  { apply EU_le with (g := fun c => om c * g (Some c) + (1 - om c) * g None); auto. intros c Hc. rewrite expect_bind.
    pose proof (bernoulli_exp_below c t ltac:(lia) Ht F (fun b : bool => expect (Ret (if b then Some c else None)) g)) as B.
    eapply Rle_trans; [apply B; intros []; simpl; auto|]. unfold EB, om. simpl. lra. }
  apply Req_le. unfold EU, EUg, a. rewrite sumn_plus.
  replace (sumn (Z.to_nat t) (fun i => (1 - om i) * g None)) with (g None * (IZR t - tot)).
  - pose proof tot_pos. field. lra.
  - rewrite (sumn_ext _ (fun i => (1 - om i) * g None) (fun i => g None * 1 + (- g None) * om i)) by (intros; lra).
    rewrite sumn_plus, !sumn_scal, sumn_const, INR_IZR_INZ, Z2Nat.id by lia. fold tot. lra.
Qed.
Lemma EUg_le f g : (forall u, (0 <= u < t)%Z -> f u <= g u) -> EUg f <= EUg g.
Proof. intros H. unfold EUg. pose proof tot_pos. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
  apply sumn_le. intros u Hu. apply Rmult_le_compat_l; [left; apply om_pos | apply H; lia]. Qed.
Lemma EUg_const c : EUg (fun _ => c) = c.
Proof. unfold EUg. rewrite (sumn_ext _ _ (fun u => c * om u)) by (intros; lra). rewrite sumn_scal. fold tot. pose proof tot_pos. field. lra. Qed.
Lemma u_below F f : (forall x, 0 <= f x) -> expect (attempts F (geometric_u_attempt F t)) f <= EUg f.
Proof.
  intros Hf. apply attempts_below with (a := a); auto.
  - pose proof a_range; lra.
  - intros h Hh. rewrite <- (EUg_const 0). apply EUg_le; auto.
  - intros g Hg. now apply u_attempt_below.
Qed.
Lemma u_und F : undecided (attempts F (geometric_u_attempt F t)) <= (1 - a) ^ F + 6 * (/ 2) ^ F / a.
Proof.
  apply attempts_und; [apply a_range| |].
  - unfold geometric_u_attempt. rewrite undecided_bind. pose proof (uniform_und t F Ht) as U.
    assert (expect (uniform_below F t) (fun c => undecided (b <- bernoulli_exp F c t; Ret (if b : bool then Some c else None))) <= 5 * (/ 2) ^ F); [|lra].
    eapply Rle_trans; [apply (uniform_below_below t Ht); intros; apply undecided_bounds|].
    destruct (mean_EU t Ht) as (M1 & _ & _).
    replace (5 * (/ 2) ^ F) with (EU t (fun _ => 5 * (/ 2) ^ F)).
    2:{ unfold EU. rewrite sumn_const, INR_IZR_INZ, Z2Nat.id by lia. field. lra. }
    apply EU_le; auto. intros c Hc. rewrite undecided_bind.
    pose proof (bernoulli_exp_und c t F ltac:(lia) Ht) as B. rewrite Z.div_small in B by lia. simpl in B.
    rewrite (expect_ext _ _ (fun _ => 0)), expect_0 by (intros []; unfold undecided; simpl; lra). lra.
  - eapply Rle_trans; [apply u_attempt_below; intros []; lra|]. cbv beta iota. rewrite EUg_const. lra.
Qed.

(* 2. V, proportional to exp(-v). *)
Let r := om t.
Lemma v_below F G : forall v f, (forall x, 0 <= f x) ->
  expect (geometric_v F G v) f <= sumn F (fun j => (1 - r) * om (t * j) * f (v + j)%Z).
Proof.
  induction F; intros v f Hf; [simpl; lra|]. cbn [geometric_v]. rewrite expect_bind.
  eapply Rle_trans; [apply (bernoulli_exp_below 1 1 ltac:(lia) ltac:(lia))|].
  { intros []; [apply expect_ge0; auto | apply Hf]. }
  rewrite <- om_t. fold r. unfold EB. cbn [expect]. specialize (IHF (v + 1)%Z f Hf). rewrite sumn_shift.
  rewrite (sumn_ext F (fun i => (1 - r) * om (t * (1 + i)) * f (v + (1 + i))%Z) (fun i => r * ((1 - r) * om (t * i) * f (v + 1 + i)%Z))).
  2:{ intros i _. replace (t * (1 + i))%Z with (t + t * i)%Z by lia. rewrite om_plus. replace (v + (1 + i))%Z with (v + 1 + i)%Z by lia. unfold r. lra. }
  rewrite sumn_scal, Z.mul_0_r, om_0, Z.add_0_r. pose proof (om_pos t). fold r in H.
  apply (Rmult_le_compat_l r) in IHF; [|lra]. lra.
Qed.
Lemma v_und F G : forall v, undecided (geometric_v F G v) <= r ^ F + 10 * (/ 2) ^ G / (1 - r).
Proof.
  pose proof (om_lt1 t Ht) as R1. pose proof (om_pos t) as R0. fold r in R0, R1. assert (0 < (/ 2) ^ G) by (apply pow_lt; lra).
  assert (0 <= 10 * (/ 2) ^ G / (1 - r)) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  induction F; intros v; [unfold undecided; simpl; lra|]. cbn [geometric_v]. rewrite undecided_bind.
  pose proof (bernoulli_exp_und 1 1 G ltac:(lia) ltac:(lia)) as U. change (INR (Z.to_nat (1 / 1))) with 1 in U.
  eapply Rle_trans; [apply Rplus_le_compat; [apply U | apply (bernoulli_exp_below 1 1 ltac:(lia) ltac:(lia))]|].
  { intros []; apply undecided_bounds. }
  rewrite <- om_t. fold r. unfold EB. unfold undecided at 2. cbn [expect]. specialize (IHF (v + 1)%Z).
  apply (Rmult_le_compat_l r) in IHF; [|lra]. rewrite <- tech_pow_Rmult.
  replace (r * r ^ F + 10 * (/ 2) ^ G / (1 - r)) with (r * (r ^ F + 10 * (/ 2) ^ G / (1 - r)) + 10 * (/ 2) ^ G) by (field; lra). lra.
Qed.

(* 3. (U + tV)/s. *)
Definition pgeo (k : Z) : R := (1 - om s) * om (s * k).
Lemma pgeo_pos k : 0 <= pgeo k.
Proof. unfold pgeo. pose proof (om_lt1 s Hs). pose proof (om_pos (s * k)). nra. Qed.
Lemma pgeo_sum n : sumn n pgeo = 1 - om (s * Z.of_nat n).
Proof. induction n; simpl sumn; [change (Z.of_nat 0) with 0%Z; rewrite Z.mul_0_r, om_0; lra|]. rewrite IHn. unfold pgeo. 
  replace (s * Z.of_nat (S n))%Z with (s + s * Z.of_nat n)%Z by lia. rewrite om_plus. lra. Qed.
Theorem geometric_below F : exists K0, forall K, (K0 <= K)%nat -> forall f, (forall x, 0 <= f x) ->
  expect (geometric F s t) f <= sumn K (fun k => pgeo k * f k).
Proof.
  exists (Z.to_nat t * F)%nat. intros K HK f Hf. unfold geometric. rewrite expect_bind.
  eapply Rle_trans; [apply u_below; intros; apply expect_ge0; auto|].
  eapply Rle_trans.
  { apply EUg_le with (g := fun u => sumn F (fun j => (1 - r) * om (t * j) * f ((u + t * j) / s)%Z)). intros u _. rewrite expect_bind.
    eapply Rle_trans; [apply v_below; intros; apply Hf|]. cbn [expect]. apply Req_le, sumn_ext. intros j _. now rewrite Z.add_0_l. }
  pose proof tot_pos as TP. pose proof tot_eq as TE. fold r in TE.
  assert (C : (1 - r) / tot = 1 - om 1) by (rewrite <- TE; field; lra).
  apply Rle_trans with (sumn (Z.to_nat t * F) (fun x => (1 - om 1) * (om x * f (x / s)%Z))).
  - apply Req_le. rewrite sumn_blocks. unfold EUg. rewrite Z2Nat.id by lia.
    rewrite (sumn_ext (Z.to_nat t) _ (fun u => sumn F (fun j => (1 - r) * (om (t * j + u) * f ((t * j + u) / s)%Z)))).
    2:{ intros u _. rewrite <- sumn_scal. apply sumn_ext. intros j _. rewrite om_plus, (Z.add_comm u). lra. }
    rewrite sumn_swap. unfold Rdiv. rewrite Rmult_comm, <- sumn_scal. apply sumn_ext. intros j _.
    rewrite <- sumn_scal. apply sumn_ext. intros u _. rewrite <- C. unfold Rdiv. lra.
  - pose proof (om_lt1 1 ltac:(lia)) as O1.
    apply Rle_trans with (sumn (Z.to_nat s * K) (fun x => (1 - om 1) * (om x * f (x / s)%Z))).
    + apply sumn_more; [nia|]. intros i _. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [left; apply om_pos | auto].
    + apply Req_le. rewrite sumn_blocks. apply sumn_ext. intros k _. rewrite Z2Nat.id by lia.
      rewrite (sumn_ext _ _ (fun i => (om (s * k) * f k * (1 - om 1)) * om i)).
      2:{ intros i Hi. rewrite (Z.mul_comm s k), Z.div_add_l, Z.div_small, Z.add_0_r, om_plus by lia. lra. }
      rewrite sumn_scal. unfold pgeo. pose proof (tele (Z.to_nat s)) as Te. rewrite Z2Nat.id in Te by lia. rewrite <- Te. lra.
Qed.
Theorem geometric_und F : undecided (geometric F s t) <= (1 - a) ^ F + r ^ F + (6 / a + 10 / (1 - r)) * (/ 2) ^ F.
Proof.
  unfold geometric. rewrite undecided_bind. pose proof (u_und F) as U. pose proof a_range. pose proof (om_lt1 t Ht) as R1. fold r in R1.
  assert (expect (attempts F (geometric_u_attempt F t)) (fun u => undecided (v <- geometric_v F F 0; Ret ((u + t * v) / s)%Z)) <= r ^ F + 10 * (/ 2) ^ F / (1 - r)).
  { eapply Rle_trans; [apply u_below; intros; apply undecided_bounds|].
    rewrite <- (EUg_const (r ^ F + 10 * (/ 2) ^ F / (1 - r))). apply EUg_le. intros u _. rewrite undecided_bind.
    rewrite (expect_ext _ _ (fun _ => 0)), expect_0 by (intros; unfold undecided; simpl; lra). pose proof (v_und F F 0). lra. }
  replace ((6 / a + 10 / (1 - r)) * (/ 2) ^ F) with (6 * (/ 2) ^ F / a + 10 * (/ 2) ^ F / (1 - r)) by (field; lra). lra.
Qed.
Lemma pow_cv x : 0 <= x < 1 -> Un_cv (fun n => x ^ n) 0.
Proof. intros H eps He. destruct (pow_lt_1_zero x ltac:(rewrite Rabs_pos_eq; lra) eps He) as [N HN]. exists N. intros n Hn. unfold R_dist. rewrite Rminus_0_r. now apply HN. Qed.
Lemma geometric_decided : decided (fun F => geometric F s t).
Proof.
  pose proof a_range. pose proof (om_lt1 t Ht) as R1. pose proof (om_pos t) as R0. fold r in R0, R1.
  set (c := 6 / a + 10 / (1 - r)).
  assert (CV : Un_cv (fun F => (1 - a) ^ F + r ^ F + c * (/ 2) ^ F) 0).
  { replace 0 with (0 + 0 + c * 0) by lra. apply CV_plus; [apply CV_plus; apply pow_cv; lra|].
    apply CV_mult; [|apply pow_cv; lra]. intros e He. exists O. intros. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0; auto. }
  intros eps He. destruct (CV eps He) as [N HN]. exists N. intros n Hn. specialize (HN n Hn).
  pose proof (geometric_und n) as G. fold c in G. pose proof (undecided_bounds (geometric n s t)). unfold R_dist in *.
  rewrite Rminus_0_r in *. rewrite Rabs_pos_eq by lra. apply Rabs_def2 in HN. lra.
Qed.
Definition is (k : Z) (x : Z) : R := if Z.eq_dec x k then 1 else 0.
Lemma sumn_is n k g : (0 <= k < Z.of_nat n)%Z -> sumn n (fun x => g x * is k x) = g k.
Proof.
  induction n; intros H; [lia|]. cbn [sumn]. unfold is at 2. destruct (Z.eq_dec (Z.of_nat n) k) as [<-|].
  - rewrite (sumn_ext _ _ (fun _ => 0)); [rewrite sumn_const; lra|]. intros i Hi. unfold is. destruct (Z.eq_dec i (Z.of_nat n)); [lia | lra].
  - rewrite IHn by lia. lra.
Qed.
(* claim sample.geometric: Pr[k] = (1 - e^-rate) e^(-rate k), rate = s/t *)
Theorem geometric_law k : (0 <= k)%Z ->
  (forall F, expect (geometric F s t) (is k) <= pgeo k <= expect (geometric F s t) (is k) + undecided (geometric F s t)) /\
  Un_cv (fun F => expect (geometric F s t) (is k)) (pgeo k).
Proof.
  intros Hk. assert (I : forall x, 0 <= is k x <= 1) by (intros; unfold is; destruct (Z.eq_dec x k); lra).
  assert (S : forall F, expect (geometric F s t) (is k) <= pgeo k <= expect (geometric F s t) (is k) + undecided (geometric F s t)).
  { intros F. destruct (geometric_below F) as [K0 HK]. set (K := (K0 + Z.to_nat k + 1)%nat). specialize (HK K ltac:(lia)). split.
    - rewrite <- (sumn_is K k pgeo) by lia. apply HK. apply I.
    - pose proof (HK (fun x => 1 - is k x) ltac:(intros x; specialize (I x); lra)) as H. rewrite (expect_minus _ (fun _ => 1)) in H.
      rewrite (sumn_ext K _ (fun x => pgeo x + (-1) * (pgeo x * is k x))) in H by (intros; lra).
      rewrite sumn_plus, sumn_scal, sumn_is, pgeo_sum in H by lia. pose proof (om_pos (s * Z.of_nat K)). unfold undecided. lra. }
  split; auto. intros eps He. destruct (geometric_decided eps He) as [N HN]. exists N. intros n Hn. specialize (HN n Hn).
  specialize (S n). pose proof (undecided_bounds (geometric n s t)). unfold R_dist in *. rewrite Rminus_0_r, Rabs_pos_eq in HN by lra. apply Rabs_def1; lra.
Qed.
End geo.
Lemma pgeo_is s t k : (0 < t)%Z -> pgeo s t k = (1 - exp (- (IZR s / IZR t))) * exp (- (IZR s / IZR t) * IZR k).
Proof. intros H. unfold pgeo, om. f_equal. f_equal. rewrite mult_IZR. field. apply not_0_IZR; lia. Qed.
