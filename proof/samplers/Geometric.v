(** The law of [geometric]: k with probability (1 - e^-r) e^(-r k), rate r = s/t.

    U is on 0, ..., t - 1 with probability proportional to e^(-u/t), by rejection; V counts the trues of Bernoulli(e^-1)
    before the first false; X = U + t V is geometric of rate 1/t, as division by t with remainder is unique; and the
    quotient of X by s is geometric of rate s/t.

    As on the page: all rational rates > 0, in lowest terms or not.

    Claims: sample.geometric.
*)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Samplers Laws BernoulliExp.
Open Scope R_scope.

Section geometric.
Variables (s t : Z) (Hs : (0 < s)%Z) (Ht : (0 < t)%Z).

(** e^(-x/t) *)
Definition decay (x : Z) : R := exp (- (IZR x / IZR t)).

Let T0 : 0 < IZR t.
Proof. apply IZR_lt; lia. Qed.

Lemma decay_plus x y : decay (x + y) = decay x * decay y.
Proof. unfold decay. rewrite <- exp_plus, plus_IZR. f_equal. field. lra. Qed.

Lemma decay_pos x : 0 < decay x.
Proof. apply exp_pos. Qed.

Lemma decay_0 : decay 0 = 1.
Proof. unfold decay. replace (- (0 / IZR t)) with 0 by (field; lra). apply exp_0. Qed.

Lemma decay_less x y : (x < y)%Z -> decay y < decay x.
Proof.
  intros H. unfold decay. apply exp_increasing, Ropp_lt_contravar, Rmult_lt_compat_r.
  - now apply Rinv_0_lt_compat.
  - now apply IZR_lt.
Qed.

Lemma decay_lt1 x : (0 < x)%Z -> decay x < 1.
Proof. intros H. rewrite <- decay_0. now apply decay_less. Qed.

Lemma decay_le1 x : (0 <= x)%Z -> decay x <= 1.
Proof. intros H. destruct (Z.eq_dec x 0) as [->|]; [rewrite decay_0; lra | left; apply decay_lt1; lia]. Qed.

Lemma decay_t : decay t = exp (- (1)).
Proof. unfold decay. f_equal. field. lra. Qed.

Lemma decay_t_bounds : / 3 <= decay t <= / 2.
Proof. rewrite decay_t. pose proof exp_minus_one. lra. Qed.

(** The geometric series. *)
Lemma decay_sum n : (1 - decay 1) * sumn n decay = 1 - decay (Z.of_nat n).
Proof.
  induction n; simpl sumn; [change (Z.of_nat 0) with 0%Z; rewrite decay_0; lra|].
  rewrite Rmult_plus_distr_l, IHn, Nat2Z.inj_succ. unfold Z.succ. rewrite decay_plus. lra.
Qed.

(** * U on 0, ..., t - 1, with probability proportional to e^(-u/t). *)

Let weights := sumn (Z.to_nat t) decay.

Lemma weights_eq : (1 - decay 1) * weights = 1 - decay t.
Proof. unfold weights. rewrite decay_sum, Z2Nat.id by lia. reflexivity. Qed.

Lemma weights_pos : 0 < weights.
Proof. pose proof weights_eq. pose proof (decay_lt1 1 ltac:(lia)). pose proof (decay_lt1 t Ht). nra. Qed.

(** The expected value of f(U). *)
Definition EUg (f : Z -> R) : R := sumn (Z.to_nat t) (fun u => decay u * f u) / weights.

(** The probability that an attempt is accepted: the mean of e^(-u/t) over 0, ..., t - 1. *)
Definition u_acceptance : R := weights / IZR t.

Lemma u_acceptance_mean : u_acceptance = EU t decay.
Proof. reflexivity. Qed.

(** The probability that an attempt at U is accepted is above e^-1. *)
Lemma u_acceptance_bounds : exp (- (1)) < u_acceptance <= 1.
Proof.
  rewrite u_acceptance_mean. split.
  - rewrite <- decay_t. apply Rlt_le_trans with (decay (t - 1)); [apply decay_less; lia|].
    rewrite <- (EU_const t (decay (t - 1))) by auto. apply EU_le; auto. intros u Hu.
    destruct (Z.eq_dec u (t - 1)) as [->|]; [lra | left; apply decay_less; lia].
  - rewrite <- (EU_const t 1) by auto. apply EU_le; auto. intros. apply decay_le1; lia.
Qed.

Lemma u_acceptance_third : / 3 <= u_acceptance <= 1.
Proof. pose proof u_acceptance_bounds. pose proof exp_minus_one. lra. Qed.

Lemma u_attempt_below F g : (forall o, 0 <= g o) ->
  expect (geometric_u_attempt F t) g <= u_acceptance * EUg (fun x => g (Some x)) + (1 - u_acceptance) * g None.
Proof.
  intros Hg. unfold geometric_u_attempt. rewrite expect_bind.
  eapply Rle_trans; [apply (uniform_below_below t Ht)|].
  { intros c. apply expect_ge0. auto. }
  eapply Rle_trans.
  { apply EU_le with (g := fun c => decay c * g (Some c) + (1 - decay c) * g None); auto.
    intros c Hc. rewrite expect_bind.
    pose proof (bernoulli_exp_below c t ltac:(lia) Ht F
                 (fun b : bool => expect (Ret (if b then Some c else None)) g)) as B.
    eapply Rle_trans; [apply B; intros []; simpl; auto|]. unfold EB, decay. simpl. lra. }
  apply Req_le. unfold EU, EUg, u_acceptance. rewrite sumn_plus.
  replace (sumn (Z.to_nat t) (fun i => (1 - decay i) * g None)) with (g None * (IZR t - weights)).
  - pose proof weights_pos. field. lra.
  - rewrite (sumn_ext _ (fun i => (1 - decay i) * g None) (fun i => g None * 1 + (- g None) * decay i))
      by (intros; lra).
    rewrite sumn_plus, !sumn_scal, sumn_const, INR_IZR_INZ, Z2Nat.id by lia. fold weights. lra.
Qed.

Lemma EUg_le f g : (forall u, (0 <= u < t)%Z -> f u <= g u) -> EUg f <= EUg g.
Proof.
  intros H. unfold EUg. pose proof weights_pos. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
  apply sumn_le. intros u Hu. apply Rmult_le_compat_l; [left; apply decay_pos | apply H; lia].
Qed.

Lemma EUg_const c : EUg (fun _ => c) = c.
Proof.
  unfold EUg. rewrite (sumn_ext _ _ (fun u => c * decay u)) by (intros; lra).
  rewrite sumn_scal. fold weights. pose proof weights_pos. field. lra.
Qed.

Lemma u_below F f : (forall x, 0 <= f x) -> expect (attempts F (geometric_u_attempt F t)) f <= EUg f.
Proof.
  intros Hf. apply attempts_below with (a := u_acceptance); auto.
  - pose proof u_acceptance_third; lra.
  - intros h Hh. rewrite <- (EUg_const 0). apply EUg_le; auto.
  - intros g Hg. now apply u_attempt_below.
Qed.

Lemma u_attempt_undecided F : undecided (geometric_u_attempt F t) <= 6 * (/ 2) ^ F.
Proof.
  unfold geometric_u_attempt. rewrite undecided_bind. pose proof (uniform_below_undecided t F Ht) as U.
  set (rest := fun c => undecided (b <- bernoulli_exp F c t; Ret (if b : bool then Some c else None))).
  assert (expect (uniform_below F t) rest <= 5 * (/ 2) ^ F); [|lra].
  eapply Rle_trans; [apply (uniform_below_below t Ht); intros; apply undecided_bounds|].
  rewrite <- (EU_const t (5 * (/ 2) ^ F)) by auto. apply EU_le; auto. intros c Hc. unfold rest. rewrite undecided_bind.
  pose proof (bernoulli_exp_undecided_up_to_one c t F ltac:(lia) Ht) as B.
  rewrite (expect_ext _ _ (fun _ => 0)), expect_0 by (intros []; unfold undecided; simpl; lra). lra.
Qed.

(** Under any fuel an attempt at U is rejected with probability at most 1 - u_acceptance. *)
Lemma u_rejected F : expect (geometric_u_attempt F t) rejected <= 1 - u_acceptance.
Proof.
  eapply Rle_trans; [apply u_attempt_below; intros []; simpl; lra|]. simpl rejected. cbv beta. rewrite EUg_const. lra.
Qed.

Lemma u_undecided F : undecided (attempts F (geometric_u_attempt F t)) <= 19 * (2 / 3) ^ F.
Proof.
  pose proof u_acceptance_third as A. set (a := u_acceptance) in *.
  assert (H : undecided (attempts F (geometric_u_attempt F t)) <= (1 - a) ^ F + 6 * (/ 2) ^ F / a).
  { apply attempts_undecided; [lra | apply u_attempt_undecided | apply u_rejected]. }
  assert ((1 - a) ^ F <= (2 / 3) ^ F) by (apply pow_incr; lra).
  assert ((/ 2) ^ F <= (2 / 3) ^ F) by (apply pow_incr; lra).
  assert (0 < (/ 2) ^ F) by (apply pow_lt; lra).
  assert (/ a <= 3) by (replace 3 with (/ / 3) by lra; apply Rinv_le_contravar; lra).
  assert (0 < / a) by (apply Rinv_0_lt_compat; lra).
  assert ((/ 2) ^ F * / a <= (2 / 3) ^ F * 3) by (apply Rmult_le_compat; lra).
  unfold Rdiv in H. lra.
Qed.

(** * V, with probability proportional to e^-v. *)

Lemma v_below F G : forall v f, (forall x, 0 <= f x) ->
  expect (geometric_v F G v) f <= sumn F (fun j => (1 - decay t) * decay (t * j) * f (v + j)%Z).
Proof.
  induction F; intros v f Hf; [simpl; lra|]. cbn [geometric_v]. rewrite expect_bind.
  eapply Rle_trans; [apply (bernoulli_exp_below 1 1 ltac:(lia) ltac:(lia))|].
  { intros []; [apply expect_ge0; auto | apply Hf]. }
  replace (- (1 / 1)) with (- (1)) by lra. rewrite <- decay_t.
  unfold EB. cbn [expect]. specialize (IHF (v + 1)%Z f Hf). rewrite sumn_shift.
  rewrite (sumn_ext F (fun i => (1 - decay t) * decay (t * (1 + i)) * f (v + (1 + i))%Z)
                      (fun i => decay t * ((1 - decay t) * decay (t * i) * f (v + 1 + i)%Z))).
  2:{ intros i _. replace (t * (1 + i))%Z with (t + t * i)%Z by lia. rewrite decay_plus.
      replace (v + (1 + i))%Z with (v + 1 + i)%Z by lia. lra. }
  rewrite sumn_scal, Z.mul_0_r, decay_0, Z.add_0_r. pose proof (decay_pos t).
  apply (Rmult_le_compat_l (decay t)) in IHF; [|lra]. lra.
Qed.

Lemma v_undecided F G : forall v, undecided (geometric_v F G v) <= (/ 2) ^ F + 10 * (/ 2) ^ G.
Proof.
  pose proof decay_t_bounds as R. assert (0 < (/ 2) ^ G) by (apply pow_lt; lra).
  induction F; intros v; [unfold undecided; simpl; lra|]. cbn [geometric_v]. rewrite undecided_bind.
  pose proof (bernoulli_exp_undecided_up_to_one 1 1 G ltac:(lia) ltac:(lia)) as U.
  eapply Rle_trans; [apply Rplus_le_compat; [apply U | apply (bernoulli_exp_below 1 1 ltac:(lia) ltac:(lia))]|].
  { intros []; apply undecided_bounds. }
  replace (- (1 / 1)) with (- (1)) by lra. rewrite <- decay_t.
  unfold EB. unfold undecided at 2. cbn [expect]. specialize (IHF (v + 1)%Z).
  pose proof (undecided_bounds (geometric_v F G (v + 1))). rewrite <- tech_pow_Rmult. nra.
Qed.

(** * (U + t V) / s. *)

(** The probability of k >= 0. *)
Definition geometric_mass (k : Z) : R := (1 - decay s) * decay (s * k).

Lemma geometric_mass_nonneg k : 0 <= geometric_mass k.
Proof. unfold geometric_mass. pose proof (decay_lt1 s Hs). pose proof (decay_pos (s * k)). nra. Qed.

Lemma geometric_mass_sum n : sumn n geometric_mass = 1 - decay (s * Z.of_nat n).
Proof.
  induction n; simpl sumn; [change (Z.of_nat 0) with 0%Z; rewrite Z.mul_0_r, decay_0; lra|].
  rewrite IHn. unfold geometric_mass.
  replace (s * Z.of_nat (S n))%Z with (s + s * Z.of_nat n)%Z by lia. rewrite decay_plus. lra.
Qed.

(** The sum over u + t j, j < F, regrouped by the quotient by s. *)
Lemma regroup F K f : (Z.to_nat t * F <= K)%nat -> (forall x, 0 <= f x) ->
  EUg (fun u => sumn F (fun j => (1 - decay t) * decay (t * j) * f ((u + t * j) / s)%Z)) <=
  sumn K (fun k => geometric_mass k * f k).
Proof.
  intros HK Hf. pose proof weights_pos as TP. pose proof weights_eq as TE.
  assert (C : (1 - decay t) / weights = 1 - decay 1) by (rewrite <- TE; field; lra).
  apply Rle_trans with (sumn (Z.to_nat t * F) (fun x => (1 - decay 1) * (decay x * f (x / s)%Z))).
  - apply Req_le. rewrite sumn_blocks. unfold EUg. rewrite Z2Nat.id by lia.
    rewrite (sumn_ext (Z.to_nat t) _
      (fun u => sumn F (fun j => (1 - decay t) * (decay (t * j + u) * f ((t * j + u) / s)%Z)))).
    2:{ intros u _. rewrite <- sumn_scal. apply sumn_ext. intros j _. rewrite decay_plus, (Z.add_comm u). lra. }
    rewrite sumn_swap. unfold Rdiv. rewrite Rmult_comm, <- sumn_scal. apply sumn_ext. intros j _.
    rewrite <- sumn_scal. apply sumn_ext. intros u _. rewrite <- C. unfold Rdiv. lra.
  - pose proof (decay_lt1 1 ltac:(lia)) as O1.
    apply Rle_trans with (sumn (Z.to_nat s * K) (fun x => (1 - decay 1) * (decay x * f (x / s)%Z))).
    + apply sumn_more; [nia|]. intros i _.
      apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [left; apply decay_pos | auto].
    + apply Req_le. rewrite sumn_blocks. apply sumn_ext. intros k _. rewrite Z2Nat.id by lia.
      rewrite (sumn_ext _ _ (fun i => (decay (s * k) * f k * (1 - decay 1)) * decay i)).
      2:{ intros i Hi. rewrite (Z.mul_comm s k), Z.div_add_l, Z.div_small, Z.add_0_r, decay_plus by lia. lra. }
      rewrite sumn_scal. unfold geometric_mass.
      pose proof (decay_sum (Z.to_nat s)) as Te. rewrite Z2Nat.id in Te by lia. rewrite <- Te. lra.
Qed.

Lemma geometric_below F : exists K0, forall K, (K0 <= K)%nat -> forall f, (forall x, 0 <= f x) ->
  expect (geometric F s t) f <= sumn K (fun k => geometric_mass k * f k).
Proof.
  exists (Z.to_nat t * F)%nat. intros K HK f Hf. unfold geometric. rewrite expect_bind.
  eapply Rle_trans; [apply u_below; intros; apply expect_ge0; auto|].
  eapply Rle_trans; [|apply (regroup F K f HK Hf)].
  apply EUg_le. intros u _. rewrite expect_bind.
  eapply Rle_trans; [apply v_below; intros; apply Hf|]. cbn [expect].
  apply Req_le, sumn_ext. intros j _. now rewrite Z.add_0_l.
Qed.

Lemma geometric_undecided_aux F : undecided (geometric F s t) <= 30 * (2 / 3) ^ F.
Proof.
  unfold geometric. rewrite undecided_bind. pose proof (u_undecided F) as U.
  set (rest := fun u => undecided (v <- geometric_v F F 0; Ret ((u + t * v) / s)%Z)).
  assert (H : expect (attempts F (geometric_u_attempt F t)) rest <= 11 * (/ 2) ^ F).
  { eapply Rle_trans; [apply u_below; intros; apply undecided_bounds|].
    rewrite <- (EUg_const (11 * (/ 2) ^ F)). apply EUg_le. intros u _. unfold rest. rewrite undecided_bind.
    rewrite (expect_ext _ _ (fun _ => 0)), expect_0 by (intros; unfold undecided; simpl; lra).
    pose proof (v_undecided F F 0). lra. }
  assert ((/ 2) ^ F <= (2 / 3) ^ F) by (apply pow_incr; lra). lra.
Qed.
End geometric.

(** sample.geometric: with fuel F, what is undecided is at most 30 (2/3)^F, whatever the rate. *)
Theorem geometric_undecided s t F : (0 < s)%Z -> (0 < t)%Z -> undecided (geometric F s t) <= 30 * (2 / 3) ^ F.
Proof. intros _ Ht. now apply geometric_undecided_aux. Qed.

Lemma geometric_decided s t : (0 < s)%Z -> (0 < t)%Z -> decided (fun F => geometric F s t).
Proof.
  intros Hs Ht. apply decided_rate with (c := 30) (r := 2 / 3); [lra|]. intros F. now apply geometric_undecided.
Qed.

Lemma geometric_mass_is s t k : (0 < t)%Z ->
  geometric_mass s t k = (1 - exp (- (IZR s / IZR t))) * exp (- (IZR s / IZR t * IZR k)).
Proof.
  intros H. unfold geometric_mass, decay. do 3 f_equal. rewrite mult_IZR. field. apply not_0_IZR; lia.
Qed.

(** sample.geometric: for every rational rate r = s/t > 0, geometric is k >= 0 with probability (1 - e^-r) e^(-r k). *)
Theorem geometric_law (s t : Z) : (0 < s)%Z -> (0 < t)%Z ->
  let r := IZR s / IZR t in
  has_law Z.eq_dec (fun fuel => geometric fuel s t)
    (fun k => if (k <? 0)%Z then 0 else (1 - exp (- r)) * exp (- (r * IZR k))).
Proof.
  intros Hs Ht r. apply has_law_of_bounds; [now apply geometric_decided | |]; intros F k;
    destruct (geometric_below s t Hs Ht F) as [K0 HK]; set (K := (K0 + Z.to_nat k + 1)%nat);
    specialize (HK K ltac:(lia)).
  - eapply Rle_trans; [apply HK; intros; apply equals_bounds|].
    change (equals Z.eq_dec k) with (is k). destruct (Z.ltb_spec k 0).
    + rewrite sumn_is_outside by lia. lra.
    + rewrite sumn_is by lia. unfold r. rewrite geometric_mass_is by auto. lra.
  - eapply Rle_trans; [apply HK; intros x; pose proof (equals_bounds Z.eq_dec k x); lra|].
    change (equals Z.eq_dec k) with (is k).
    rewrite (sumn_ext K _ (fun x => geometric_mass s t x + (-1) * (geometric_mass s t x * is k x))) by (intros; lra).
    rewrite sumn_plus, sumn_scal, geometric_mass_sum by auto. pose proof (decay_pos t (s * Z.of_nat K)).
    destruct (Z.ltb_spec k 0).
    + rewrite sumn_is_outside by lia. lra.
    + rewrite sumn_is by lia. unfold r. rewrite geometric_mass_is by auto. lra.
Qed.
