(** The lower bound for pure learners of halfspaces, with alpha.

    Let 0 < alpha <= tau <= 1/2, beta < 1, N >= 1, (N+1) gamma^2 <= 1 and d >= N+1. (If tau = alpha, N gamma^2 <= 1 and
    d >= N are enough.) Every (epsilon, 0)-private (alpha, beta, gamma)-learner in dimension d with n records has
      n ln(1 + (alpha/tau) (1 - e^-epsilon)/(1 + e^-epsilon)) >= (ln 2 - H(tau)) N + ln(1 - beta),
    H the entropy in nats. With tau = alpha it is the first bound of PureLowerBound.v, for every alpha and beta.
    The first version of the page had the smaller -n ln(1 - (alpha/tau) (1 - e^-epsilon)/2) on the left side. That is
    not proved here, and does not follow from success on the distributions below (PureLowerBoundSharp.v).

    A heavy record (e_N, +) has mass 1 - alpha/tau, and the records (e_i, y_i), i < N, share the rest. The n records
    that do duty for all labellings have labels by fair coins on the light points, and come from those a little more
    often than with probability alpha/tau.

    Claims: nuz20.thm12.alpha.
*)
Require Import Reals Lra Lia List Bool Arith. Import ListNotations.
From DpAssay Require Import Privacy Neighbours RealVectors Events RecordExchange.
From DpAssay Require Import Labellings Learners Numbers PureLowerBound.
Open Scope R_scope.

Section HeavyPoint.
Context (d N : nat) (N_positive : (0 < N)%nat).

(** N light places share the mass a; the heavy place N has the rest. *)
Definition light_mass (a : R) (i : nat) : R := if (i <? N)%nat then a / INR N else 1 - a.
Lemma light_mass_nonneg a : 0 <= a <= 1 -> forall i, 0 <= light_mass a i.
Proof.
  intros A i. unfold light_mass. destruct (i <? N)%nat; [|lra].
  apply Rmult_le_pos; [lra|]. left. now apply Rinv_0_lt_compat, lt_0_INR.
Qed.
(** The sum over the light places, and the heavy one. *)
Lemma sum_light_and_heavy a f :
  sum (fun i => light_mass a i * f i) (seq 0 (S N)) = a * (sum f (seq 0 N) / INR N) + (1 - a) * f N.
Proof.
  rewrite seq_S, sum_app. simpl sum. rewrite (sum_ext_in _ (fun i => a / INR N * f i)).
  - rewrite sum_scal. unfold light_mass. rewrite Nat.ltb_irrefl. unfold Rdiv. ring.
  - intros i I. apply in_seq in I. unfold light_mass.
    now replace (i <? N)%nat with true by (symmetry; apply Nat.ltb_lt; lia).
Qed.
Lemma light_mass_total a : sum (light_mass a) (seq 0 (S N)) = 1.
Proof.
  rewrite (sum_ext _ (fun i => light_mass a i * 1)) by (intros; lra).
  rewrite sum_light_and_heavy, sum_const, seq_length.
  field. apply not_0_INR. lia.
Qed.

Section Mass.
Context (a : R) (A : 0 <= a <= 1).
Definition labelled_with_heavy (y : list bool) : law (example d) :=
  distribution (S N) (light_mass a) (fun i => (unit_point d i, nth i (y ++ [true]) false))
    (light_mass_nonneg a A) (light_mass_total a).
(** The heavy place keeps its label; the others have labels by fair coins. *)
Definition coins_with_heavy : law (example d) :=
  then_ (finite (light_mass a) (seq 0 (S N)) (light_mass_nonneg a A) (light_mass_total a))
    (fun i => relabel (fun label => (unit_point d i, if (i <? N)%nat then label else true)) coin).

Lemma E_labelled_with_heavy y F : length y = N ->
  labelled_with_heavy y F
    = a * (sum (fun i => F (unit_point d i, nth i y false)) (seq 0 N) / INR N) + (1 - a) * F (unit_point d N, true).
Proof.
  intros Y. cbn [E labelled_with_heavy distribution relabel then_ unit_law finite].
  rewrite (sum_light_and_heavy a (fun i => F (unit_point d i, nth i (y ++ [true]) false))). f_equal.
  - do 2 f_equal. apply sum_ext_in. intros i I. apply in_seq in I. rewrite app_nth1 by lia. reflexivity.
  - rewrite app_nth2 by lia. rewrite Y, Nat.sub_diag. reflexivity.
Qed.
Lemma E_coins_with_heavy F :
  coins_with_heavy F = a * (sum (fun i => (F (unit_point d i, true) + F (unit_point d i, false)) / 2) (seq 0 N) / INR N)
    + (1 - a) * F (unit_point d N, true).
Proof.
  cbn [E coins_with_heavy relabel then_ unit_law finite coin].
  rewrite (sum_light_and_heavy a (fun i =>
    sum (fun label => 1 / 2 * F (unit_point d i, if (i <? N)%nat then label else true)) [true; false])).
  f_equal.
  - do 2 f_equal. apply sum_ext_in. intros i I. apply in_seq in I.
    replace (i <? N)%nat with true by (symmetry; apply Nat.ltb_lt; lia). simpl. lra.
  - rewrite Nat.ltb_irrefl. simpl. f_equal. lra.
Qed.
End Mass.

(** The factor of one record: 1/(1 + a (1 - e^-epsilon)/(1 + e^-epsilon)). *)
Definition gain a eps : R := 1 + a * ((1 - exp (- eps)) / (1 + exp (- eps))).
Lemma gain_positive a eps : 0 <= a <= 1 -> 0 < gain a eps.
Proof.
  intros A. unfold gain. pose proof (exp_pos (- eps)) as P. set (e := exp (- eps)) in *.
  assert (above : - 1 < (1 - e) / (1 + e)).
  { apply Rmult_lt_reg_r with (1 + e); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  set (t := (1 - e) / (1 + e)) in *. assert (0 <= a * (1 + t)) by (apply Rmult_le_pos; lra).
  destruct (Req_dec a 1) as [->|]; lra.
Qed.
(** The light places are drawn with this mass by the records that do duty. *)
Definition more_mass a eps : R := 2 * a / ((1 + exp (- eps)) * gain a eps).
Lemma less_for_the_heavy a eps : 0 <= a <= 1 -> 1 - more_mass a eps = (1 - a) / gain a eps.
Proof.
  intros A. pose proof (gain_positive a eps A) as G. pose proof (exp_pos (- eps)).
  assert (times : (1 + exp (- eps)) * gain a eps = 1 + exp (- eps) + a * (1 - exp (- eps)))
    by (unfold gain; field; lra).
  unfold more_mass. set (g := gain a eps) in *. assert (0 < (1 + exp (- eps)) * g) by (apply Rmult_lt_0_compat; lra).
  apply (Rmult_eq_reg_r ((1 + exp (- eps)) * g)); [|lra].
  transitivity ((1 + exp (- eps)) * g - 2 * a); [field; lra|].
  transitivity ((1 - a) * (1 + exp (- eps))); [rewrite times; ring | field; lra].
Qed.
Lemma more_mass_range a eps : 0 <= a <= 1 -> 0 <= more_mass a eps <= 1.
Proof.
  intros A. pose proof (gain_positive a eps A) as G. pose proof (exp_pos (- eps)). split.
  - apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra.
  - pose proof (less_for_the_heavy a eps A). assert (0 <= (1 - a) / gain a eps)
      by (apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]). lra.
Qed.

Lemma coins_with_heavy_do_duty a eps (A : 0 <= a <= 1) y : length y = N ->
  covers eps (/ gain a eps) (coins_with_heavy _ (more_mass_range a eps A)) (labelled_with_heavy a A y).
Proof.
  intros Y F TF Ratio. rewrite E_labelled_with_heavy, E_coins_with_heavy, less_for_the_heavy by assumption.
  pose proof (gain_positive a eps A) as G. pose proof (exp_pos (- eps)) as P.
  set (of_y := sum _ (seq 0 N)). set (of_coins := sum _ (seq 0 N)). set (heavy := F _).
  assert (PN : 0 < / INR N) by now apply Rinv_0_lt_compat, lt_0_INR.
  assert (duty : (1 + exp (- eps)) / 2 * of_y <= of_coins).
  { unfold of_y, of_coins. rewrite <- sum_scal. apply sum_le. intros i.
    apply (a_coin_does_duty eps (fun label => F (unit_point d i, label))). intros; apply Ratio. }
  assert (split_mass : / gain a eps * (a * (of_y / INR N) + (1 - a) * heavy)
    = more_mass a eps * ((1 + exp (- eps)) / 2 * of_y / INR N) + (1 - a) / gain a eps * heavy).
  { unfold more_mass. field. repeat split; try lra. apply not_0_INR. lia. }
  rewrite split_mass. apply Rplus_le_compat_r, Rmult_le_compat_l; [now apply more_mass_range|].
  apply Rmult_le_compat_r; lra.
Qed.

(** An error of at most a tau in all is an error of at most tau among the light points. *)
Lemma good_has_few_mistakes {O} (q : O -> ball d -> bool -> R) a (A : 0 <= a <= 1) tau alpha y o :
  length y = N -> 0 < a -> alpha <= a * tau -> hypotheses q ->
  good q (labelled_with_heavy a A y) alpha o <= few_mistakes tau (fun i => q o (unit_point d i)) y.
Proof.
  intros Y Pa Alpha Hypotheses. unfold good, few_mistakes, at_most, error.
  rewrite E_labelled_with_heavy by exact Y. cbn [fst snd]. unfold mistakes. rewrite Y. set (m := sum _ _).
  assert (heavy : 0 <= (1 - a) * q o (unit_point d N) true)
    by (apply Rmult_le_pos; [lra | apply (Hypotheses o (unit_point d N))]).
  assert (PN : 0 < INR N) by now apply lt_0_INR.
  destruct (Rle_dec _ alpha) as [Good|], (Rle_dec m (tau * INR N)) as [|Many]; simpl; try lra. exfalso.
  apply Many. assert (L : m / INR N <= tau) by (apply Rmult_le_reg_l with a; lra).
  apply (Rmult_le_compat_r (INR N)) in L; [|lra]. unfold Rdiv in L. rewrite Rmult_assoc, Rinv_l in L; lra.
Qed.
End HeavyPoint.

Lemma bound_with_heavy_point {O} d N n eps gamma alpha tau beta (q : O -> ball d -> bool -> R)
    (M : data (example d) n -> law O) :
  (0 < N)%nat -> (S N <= d)%nat -> 0 < gamma -> INR (S N) * (gamma * gamma) <= 1 -> 0 < alpha <= tau -> tau <= 1 / 2 ->
  hypotheses q -> dp (nb n) eps 0 M -> learns q alpha beta gamma M ->
  (/ gain (alpha / tau) eps) ^ n * 2 ^ N * (1 - beta) <= exp (INR N * entropy tau).
Proof.
  intros N0 Nd G Fits Alpha Tau Hypotheses Private Learns. set (a := alpha / tau).
  assert (At : a * tau = alpha) by (unfold a; field; lra).
  assert (A0 : 0 < a) by (apply Rdiv_lt_0_compat; lra).
  assert (A : 0 <= a <= 1) by nra.
  apply (learners_of_all_labellings N n eps _ tau beta (coins_with_heavy d N N0 _ (more_mass_range a eps A))
    (labelled_with_heavy d N N0 a A) (fun o i => q o (unit_point d i)) M); auto; [lra | | | |].
  - left. now apply Rinv_0_lt_compat, gain_positive.
  - intros y Y. now apply coins_with_heavy_do_duty.
  - intros o i. apply Hypotheses.
  - intros y Y. pose proof (Learns (S N) _ _ (light_mass_nonneg N N0 a A) (light_mass_total N N0 a)
      (unit_points_separated d (S N) gamma (y ++ [true]) ltac:(lia) G Fits)) as L.
    cbv zeta in L. change (distribution _ _ _ _ _) with (labelled_with_heavy d N N0 a A y) in L.
    apply Rge_trans with (2 := L), Rle_ge. apply E_mono.
    + apply test_bounded, (test_indicator (fun o => at_most _ _)).
    + apply test_bounded, (test_indicator (fun o => at_most _ _)).
    + intros o. apply good_has_few_mistakes; auto. lra.
Qed.

(** nuz20.thm12.alpha: for 0 < alpha <= tau <= 1/2, every (epsilon, 0)-private (alpha, beta, gamma)-learner in
    dimension d with n records has
    n ln(1 + (alpha/tau) (1 - e^-epsilon)/(1 + e^-epsilon)) >= (ln 2 - H(tau)) N + ln(1 - beta),
    if d >= N+1 and (N+1) gamma^2 <= 1; or if d >= N, N gamma^2 <= 1 and tau = alpha. *)
Theorem pure_lower_bound_alpha {O} d N n eps gamma alpha tau beta (q : O -> ball d -> bool -> R)
    (M : data (example d) n -> law O) :
  0 < gamma -> 0 < alpha <= tau -> tau <= 1 / 2 -> beta < 1 -> (0 < N)%nat ->
  ((N + 1 <= d)%nat /\ INR (N + 1) * (gamma * gamma) <= 1) \/
    (tau = alpha /\ (N <= d)%nat /\ INR N * (gamma * gamma) <= 1) ->
  hypotheses q -> dp (nb n) eps 0 M -> learns q alpha beta gamma M ->
  INR n * ln (1 + alpha / tau * ((1 - exp (- eps)) / (1 + exp (- eps))))
    >= (ln 2 - entropy tau) * INR N + ln (1 - beta).
Proof.
  intros G Alpha Tau Beta N0 Room Hypotheses Private Learns. change (1 + alpha / tau * _) with (gain (alpha / tau) eps).
  assert (A : 0 <= alpha / tau <= 1).
  { assert (alpha / tau * tau = alpha) by (field; lra).
    assert (0 < alpha / tau) by (apply Rdiv_lt_0_compat; lra). nra. }
  pose proof (gain_positive _ eps A) as P.
  assert (B : (/ gain (alpha / tau) eps) ^ n * 2 ^ N * (1 - beta) <= exp (INR N * entropy tau)).
  { destruct Room as [[Nd Fits] | [Same [Nd Fits]]].
    - rewrite Nat.add_1_r in Nd, Fits. now apply (bound_with_heavy_point d N n eps gamma alpha tau beta q M).
    - subst tau. pose proof (exp_pos (- eps)).
      replace (/ gain (alpha / alpha) eps) with ((1 + exp (- eps)) / 2) by (unfold gain; field; lra).
      now apply (bound_by_all_labellings d N n eps gamma alpha beta q M). }
  set (g := gain (alpha / tau) eps) in *.
  assert (0 < (/ g) ^ n) by (apply pow_lt; now apply Rinv_0_lt_compat). assert (0 < 2 ^ N) by (apply pow_lt; lra).
  assert (L : ln ((/ g) ^ n * 2 ^ N * (1 - beta)) <= INR N * entropy tau).
  { rewrite <- (ln_exp (INR N * entropy tau)).
    assert (0 < (/ g) ^ n * 2 ^ N * (1 - beta)) by (repeat apply Rmult_lt_0_compat; lra).
    destruct B as [B | ->]; [left; now apply ln_increasing | lra]. }
  rewrite !ln_mult, !ln_pow, ln_Rinv in L by (try apply Rmult_lt_0_compat; try apply Rinv_0_lt_compat; lra). lra.
Qed.

(** nuz20.thm12.alpha: so at tau = 4/25, n >= (0.0405 N + 0.16 ln(1 - beta))/(alpha min(1, epsilon/2)). *)
Corollary records_needed {O} d N n eps gamma alpha beta (q : O -> ball d -> bool -> R)
    (M : data (example d) n -> law O) :
  0 <= eps -> 0 < gamma -> 0 < alpha <= 4 / 25 -> beta < 1 -> (0 < N)%nat ->
  (N + 1 <= d)%nat -> INR (N + 1) * (gamma * gamma) <= 1 ->
  hypotheses q -> dp (nb n) eps 0 M -> learns q alpha beta gamma M ->
  INR n * (alpha * Rmin 1 (eps / 2)) >= 0.0405 * INR N + 0.16 * ln (1 - beta).
Proof.
  intros Eps G Alpha Beta N0 Nd Fits Hypotheses Private Learns.
  assert (Tau : 4 / 25 <= 1 / 2) by lra. assert (A : 0 <= alpha / (4 / 25) <= 1) by lra.
  pose proof (pure_lower_bound_alpha d N n eps gamma alpha (4 / 25) beta q M G Alpha Tau Beta N0
    (or_introl (conj Nd Fits)) Hypotheses Private Learns) as B.
  pose proof (gain_positive (alpha / (4 / 25)) eps A) as P. unfold gain in P.
  pose proof (exp_pos (- eps)). pose proof (tanh_le eps Eps) as T.
  set (t := (1 - exp (- eps)) / (1 + exp (- eps))) in *.
  assert (T1 : t <= 1).
  { unfold t. apply Rmult_le_reg_r with (1 + exp (- eps)); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (least : t <= Rmin 1 (eps / 2)) by now apply Rmin_glb.
  assert (nR : 0 <= INR n) by apply pos_INR. assert (NR : 0 <= INR N) by apply pos_INR.
  assert (ln (1 + alpha / (4 / 25) * t) <= alpha / (4 / 25) * t)
    by (pose proof (ln_le_minus_1 (1 + alpha / (4 / 25) * t) P); lra).
  assert (upper : INR n * ln (1 + alpha / (4 / 25) * t) <= INR n * (alpha / (4 / 25) * Rmin 1 (eps / 2))).
  { apply Rmult_le_compat_l; [exact nR|]. eapply Rle_trans; [eassumption|]. apply Rmult_le_compat_l; lra. }
  pose proof ln_2_minus_entropy_4_25 as Slope. apply (Rmult_le_compat_r (INR N)) in Slope; [|exact NR].
  replace (INR n * (alpha / (4 / 25) * Rmin 1 (eps / 2))) with (25 / 4 * (INR n * (alpha * Rmin 1 (eps / 2))))
    in upper by field.
  lra.
Qed.
