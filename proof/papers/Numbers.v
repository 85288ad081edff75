(** Rational bounds of the constants in the lower bounds.

    0.66 <= ln 2 <= 0.694, ln(9/10) >= -0.1055, ln 2 - H(1/10) >= 0.368, ln 2 - H(4/25) >= 0.2532 and H(1/100) <= 0.057,
    H the entropy in nats; and tanh(x/2) <= x/2 for x >= 0.
    All the numbers follow from the first terms of the series of e^(-x), which enclose it for x >= 0.

    Claims: none.
*)
Require Import Reals Lra Lia.
From DpAssay Require Import Labellings.
Open Scope R_scope.

(** A function that is 0 at 0 and does not fall is nowhere negative beyond. *)
Lemma nonneg_by_derivative (f f' : R -> R) x : 0 <= x -> f 0 = 0 ->
  (forall t, derivable_pt_lim f t (f' t)) -> (forall t, 0 <= t -> 0 <= f' t) -> 0 <= f x.
Proof.
  intros [X | <-] F0 D P; [|lra].
  destruct (MVT_cor2 f f' 0 x X (fun t _ => D t)) as [t [E R]]. specialize (P t). nra.
Qed.

Lemma derivative_of_exp_minus t : derivable_pt_lim (fun x => exp (- x)) t (- exp (- t)).
Proof.
  replace (- exp (- t)) with (exp (- t) * - 1) by ring.
  apply (derivable_pt_lim_comp Ropp exp); [|apply derivable_pt_lim_exp].
  apply (derivable_pt_lim_opp (fun x => x)), derivable_pt_lim_id.
Qed.
Lemma derivative_of_polynomial a b c d t :
  derivable_pt_lim (fun x => a + b * x + c * x ^ 2 + d * x ^ 3) t (b + 2 * c * t + 3 * d * t ^ 2).
Proof.
  assert (constant : derivable_pt_lim (fun _ => a) t 0) by apply derivable_pt_lim_const.
  assert (linear : derivable_pt_lim (fun x => b * x) t (b * 1)) by apply derivable_pt_lim_scal, derivable_pt_lim_id.
  assert (square := derivable_pt_lim_scal _ c t _ (derivable_pt_lim_pow t 2)).
  assert (cube := derivable_pt_lim_scal _ d t _ (derivable_pt_lim_pow t 3)).
  pose proof (derivable_pt_lim_plus _ _ _ _ _
    (derivable_pt_lim_plus _ _ _ _ _ (derivable_pt_lim_plus _ _ _ _ _ constant linear) square) cube) as whole.
  unfold plus_fct, mult_real_fct in whole. simpl pred in whole.
  replace (b + 2 * c * t + 3 * d * t ^ 2) with (0 + b * 1 + c * (INR 2 * t ^ 1) + d * (INR 3 * t ^ 2)) by (simpl; ring).
  exact whole.
Qed.

Lemma exp_minus_le x : 0 <= x -> exp (- x) <= 1 - x + x ^ 2 / 2.
Proof.
  intros X. enough (0 <= (1 + -1 * x + 1 / 2 * x ^ 2 + 0 * x ^ 3) - exp (- x)) by lra.
  apply (nonneg_by_derivative (fun x => (1 + -1 * x + 1 / 2 * x ^ 2 + 0 * x ^ 3) - exp (- x))
    (fun x => (-1 + 2 * (1 / 2) * x + 3 * 0 * x ^ 2) - - exp (- x))); [exact X | rewrite Ropp_0, exp_0; lra | |].
  - intros t. apply derivable_pt_lim_minus; [apply derivative_of_polynomial | apply derivative_of_exp_minus].
  - intros t _. pose proof (exp_ineq1_le (- t)). lra.
Qed.
Lemma exp_minus_ge x : 0 <= x -> 1 - x + x ^ 2 / 2 - x ^ 3 / 6 <= exp (- x).
Proof.
  intros X. enough (0 <= exp (- x) - (1 + -1 * x + 1 / 2 * x ^ 2 + - (1 / 6) * x ^ 3)) by lra.
  apply (nonneg_by_derivative (fun x => exp (- x) - (1 + -1 * x + 1 / 2 * x ^ 2 + - (1 / 6) * x ^ 3))
    (fun x => - exp (- x) - (-1 + 2 * (1 / 2) * x + 3 * - (1 / 6) * x ^ 2)));
    [exact X | rewrite Ropp_0, exp_0; lra | |].
  - intros t. apply derivable_pt_lim_minus; [apply derivative_of_exp_minus | apply derivative_of_polynomial].
  - intros t T. pose proof (exp_minus_le t T). lra.
Qed.

(** e^(-k x) is between the k-th powers of those bounds. *)
Lemma exp_minus_multiple k x : exp (- (INR k * x)) = exp (- x) ^ k.
Proof. rewrite <- exp_nat_mult. f_equal. ring. Qed.
Lemma le_ln_of_exp a b : exp (- a) <= b -> - a <= ln b.
Proof.
  intros H. rewrite <- (ln_exp (- a)). pose proof (exp_pos (- a)).
  destruct H as [H | <-]; [left; now apply ln_increasing | lra].
Qed.
Lemma ln_le_of_exp a b : 0 < b -> b <= exp (- a) -> ln b <= - a.
Proof.
  intros B H. rewrite <- (ln_exp (- a)). destruct H as [H | <-]; [left; now apply ln_increasing | lra].
Qed.

Lemma ln_half : ln (1 / 2) = - ln 2.
Proof. unfold Rdiv. rewrite Rmult_1_l, ln_Rinv by lra. reflexivity. Qed.

Lemma ln_2_le : ln 2 <= 694 / 1000.
Proof.
  enough (- (694 / 1000) <= ln (1 / 2)) by (rewrite ln_half in *; lra).
  apply le_ln_of_exp. replace (694 / 1000) with (INR 16 * (694 / 16000)) by (simpl; lra).
  rewrite exp_minus_multiple. apply Rle_trans with ((95757 / 100000) ^ 16); [|lra].
  apply pow_incr. split; [left; apply exp_pos|]. eapply Rle_trans; [apply exp_minus_le; lra | lra].
Qed.

Lemma ln_2_ge : 66 / 100 <= ln 2.
Proof.
  enough (ln (1 / 2) <= - (66 / 100)) by (rewrite ln_half in *; lra).
  apply ln_le_of_exp; [lra|]. eapply Rle_trans; [|apply exp_minus_ge; lra]. lra.
Qed.

Lemma ln_9_10_ge : - (1055 / 10000) <= ln (9 / 10).
Proof.
  apply le_ln_of_exp. replace (1055 / 10000) with (INR 2 * (1055 / 20000)) by (simpl; lra).
  rewrite exp_minus_multiple. apply Rle_trans with ((948642 / 1000000) ^ 2); [|lra].
  apply pow_incr. split; [left; apply exp_pos|]. eapply Rle_trans; [apply exp_minus_le; lra | lra].
Qed.

(** 5 (ln 2 - H(1/10)) = ln(3^9/5^5), and e^1.84 is below 3^9/5^5. *)
Lemma ln_2_minus_entropy_tenth : 368 / 1000 <= ln 2 - entropy (1 / 10).
Proof.
  assert (tenth : ln (1 / 10) = - ln 2 - ln 5).
  { replace (1 / 10) with (/ (2 * 5)) by lra. rewrite ln_Rinv, ln_mult by lra. ring. }
  assert (nine_tenths : ln (1 - 1 / 10) = 2 * ln 3 - ln 2 - ln 5).
  { replace (1 - 1 / 10) with (3 * 3 * / (2 * 5)) by lra. rewrite !ln_mult, ln_Rinv, ln_mult by lra. ring. }
  assert (quotient : ln (5 ^ 5 / 3 ^ 9) = 5 * ln 5 - 9 * ln 3).
  { unfold Rdiv. rewrite ln_mult, ln_Rinv, !ln_pow by first [lra | apply Rinv_0_lt_compat; lra]. simpl. ring. }
  assert (bound : ln (5 ^ 5 / 3 ^ 9) <= - (184 / 100)).
  { apply ln_le_of_exp; [apply Rdiv_lt_0_compat; lra|].
    replace (184 / 100) with (INR 16 * (115 / 1000)) by (simpl; lra).
    rewrite exp_minus_multiple. apply Rle_trans with ((891359 / 1000000) ^ 16); [lra|].
    apply pow_incr. split; [lra|]. eapply Rle_trans; [|apply exp_minus_ge; lra]. lra. }
  unfold entropy. rewrite tenth, nine_tenths. lra.
Qed.

(** 25 (ln 2 - H(4/25)) = ln(2^33 21^21/5^50). *)
Lemma ln_2_minus_entropy_4_25 : 2532 / 10000 <= ln 2 - entropy (4 / 25).
Proof.
  assert (light : ln (4 / 25) = 2 * ln 2 - 2 * ln 5).
  { replace (4 / 25) with (2 * 2 * / (5 * 5)) by lra. rewrite !ln_mult, ln_Rinv, ln_mult by lra. ring. }
  assert (rest : ln (1 - 4 / 25) = ln 21 - 2 * ln 5).
  { replace (1 - 4 / 25) with (21 * / (5 * 5)) by lra. rewrite !ln_mult, ln_Rinv, ln_mult by lra. ring. }
  assert (quotient : ln (5 ^ 50 / (2 ^ 33 * 21 ^ 21)) = 50 * ln 5 - 33 * ln 2 - 21 * ln 21).
  { unfold Rdiv. rewrite ln_mult, ln_Rinv, ln_mult, !ln_pow by first [lra | apply Rinv_0_lt_compat; lra].
    simpl INR. ring. }
  assert (bound : ln (5 ^ 50 / (2 ^ 33 * 21 ^ 21)) <= - (633 / 100)).
  { apply ln_le_of_exp; [apply Rdiv_lt_0_compat; lra|].
    replace (633 / 100) with (INR 64 * (633 / 6400)) by (simpl; lra).
    rewrite exp_minus_multiple. apply Rle_trans with ((905823 / 1000000) ^ 64); [lra|].
    apply pow_incr. split; [lra|]. eapply Rle_trans; [|apply exp_minus_ge; lra]. lra. }
  unfold entropy. rewrite light, rest. lra.
Qed.

Lemma ln_100_le : ln 100 <= 47 / 10.
Proof.
  enough (- (47 / 10) <= ln (/ 100)) by (rewrite ln_Rinv in * by lra; lra).
  apply le_ln_of_exp. replace (47 / 10) with (INR 64 * (47 / 640)) by (simpl; lra).
  rewrite exp_minus_multiple. apply Rle_trans with ((92926 / 100000) ^ 64); [|lra].
  apply pow_incr. split; [left; apply exp_pos|]. eapply Rle_trans; [apply exp_minus_le; lra | lra].
Qed.
Lemma ln_le_minus_1 x : 0 < x -> ln x <= x - 1.
Proof. intros X. pose proof (exp_ineq1_le (ln x)) as H. rewrite exp_ln in H by exact X. lra. Qed.
Lemma entropy_hundredth : entropy (1 / 100) <= 57 / 1000.
Proof.
  assert (light : ln (1 / 100) = - ln 100) by (unfold Rdiv; rewrite Rmult_1_l; apply ln_Rinv; lra).
  assert (rest : - (1 / 99) <= ln (1 - 1 / 100)).
  { replace (1 - 1 / 100) with (/ (100 / 99)) by lra. rewrite ln_Rinv by lra.
    pose proof (ln_le_minus_1 (100 / 99) ltac:(lra)). lra. }
  pose proof ln_100_le. unfold entropy. rewrite light. lra.
Qed.

(** tanh(x/2) is at most x/2, for x >= 0. *)
Lemma tanh_le x : 0 <= x -> (1 - exp (- x)) / (1 + exp (- x)) <= x / 2.
Proof.
  intros X. pose proof (exp_pos (- x)) as P.
  apply Rmult_le_reg_r with (1 + exp (- x)); [lra|].
  unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  enough (0 <= (x / 2) * (1 + exp (- x)) - (1 - exp (- x))) by lra.
  apply (nonneg_by_derivative (fun x => (x / 2) * (1 + exp (- x)) - (1 - exp (- x)))
    (fun x => (1 / 2 * (1 + exp (- x)) + x / 2 * (0 + - exp (- x))) - (0 - - exp (- x))));
    [exact X | rewrite Ropp_0, exp_0; lra | |].
  - intros t. assert (constant := derivable_pt_lim_const 1 t). assert (e := derivative_of_exp_minus t).
    assert (half : derivable_pt_lim (fun x => x / 2) t (1 / 2)).
    { assert (H := derivable_pt_lim_scal _ (1 / 2) t _ (derivable_pt_lim_id t)). unfold mult_real_fct in H.
      replace (1 / 2) with (1 / 2 * 1) by lra.
      apply (derivable_pt_lim_ext (fun x => 1 / 2 * id x)); [intros; unfold id; lra | exact H]. }
    apply (derivable_pt_lim_minus (fun x => (x / 2) * (1 + exp (- x))) (fun x => 1 - exp (- x))).
    + apply (derivable_pt_lim_mult (fun x => x / 2) (fun x => 1 + exp (- x))); [exact half|].
      apply (derivable_pt_lim_plus (fun _ => 1) (fun x => exp (- x))); assumption.
    + apply (derivable_pt_lim_minus (fun _ => 1) (fun x => exp (- x))); assumption.
  - intros t T. pose proof (exp_ineq1_le t) as Above. pose proof (exp_pos (- t)).
    apply (Rmult_le_compat_l (exp (- t))) in Above; [|lra]. rewrite <- exp_plus, Rplus_opp_l, exp_0 in Above. lra.
Qed.
