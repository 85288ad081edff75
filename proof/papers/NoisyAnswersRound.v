(** Noisy answers without noise on the threshold: one round.

    A round has laws P, Q on two neighbours that are within the factor e^s of each other, and one quiet outcome. If p
    and q are the probabilities of an update under P and Q, then the quiet outcome's part of the moment E_P[(P/Q)^l],
    and e^-c times the part of the updates, come to at most 1. What the updates have of the moment is replaced here by
    its largest value for the given p and q (worst_moment). The statement and the proof are those of the page.

    This is the step of one round in jt13.thmA; the theorem is in NoisyAnswers.v.

    Claims: none.
*)
Require Import Reals Lra.
From DpAssay Require Import Privacy LikelihoodMoments RandomisedResponseMoment.
Open Scope R_scope.

(** What is quiet has at most this part of the moment if updates are likely: D of Theorem A. *)
Definition quiet_moment (l s : R) : R :=
  Rmax ((1 - exp (- s) / 2) * Rpower (2 - exp (- s)) l) (exp ((1 + l) * s) / (1 + exp s)).

(** What an update costs: c of Theorem A. *)
Definition update_cost (l s : R) : R := ln (1 + (rr_moment l s - 1) / (1 - quiet_moment l s)).

(** Events of probabilities u and v under two laws within the factor e^s of each other have at most this part of the
    moment: they are a mixture of an outcome with the likelihood ratio e^s, of probability (e^s u - v)/(e^(2s) - 1)
    under the second law, and one with the ratio e^-s, of probability (e^s v - u)/(e^(2s) - 1) under the first. *)
Definition worst_moment (l s u v : R) : R :=
  (exp ((1 + l) * s) * (exp s * u - v) + exp (- (l * s)) * (exp s * v - u)) / (exp s * exp s - 1).

(** Two probabilities within the factor e^s of each other. *)
Definition within_factor (s u v : R) : Prop := u <= exp s * v /\ v <= exp s * u.

Section round.
Variables l s : R.
Hypothesis l_positive : 0 < l.
Hypothesis s_positive : 0 < s.

Lemma exp_s_above_1 : 1 < exp s.
Proof. rewrite <- exp_0. now apply exp_increasing. Qed.

Lemma room_of_exp : 0 < exp s * exp s - 1.
Proof. pose proof exp_s_above_1. nra. Qed.

Lemma exp_minus_s : exp (- s) * exp s = 1.
Proof. rewrite <- exp_plus, Rplus_opp_l. apply exp_0. Qed.

Lemma exp_minus_s_between : 0 < exp (- s) < 1.
Proof. split; [apply exp_pos | rewrite <- exp_0; apply exp_increasing; lra]. Qed.

Lemma worst_moment_ge0 u v : within_factor s u v -> 0 <= worst_moment l s u v.
Proof.
  intros [uv vu]. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat, room_of_exp].
  pose proof (exp_pos ((1 + l) * s)). pose proof (exp_pos (- (l * s))).
  assert (0 <= exp ((1 + l) * s) * (exp s * u - v)) by (apply Rmult_le_pos; lra).
  assert (0 <= exp (- (l * s)) * (exp s * v - u)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma worst_moment_add u v u' v' :
  worst_moment l s (u + u') (v + v') = worst_moment l s u v + worst_moment l s u' v'.
Proof. unfold worst_moment. field. pose proof room_of_exp. lra. Qed.

Lemma worst_moment_scaled a u v : worst_moment l s (a * u) (a * v) = a * worst_moment l s u v.
Proof. unfold worst_moment. field. pose proof room_of_exp. lra. Qed.

Lemma worst_moment_of_all : worst_moment l s 1 1 = rr_moment l s.
Proof.
  pose proof exp_s_above_1. pose proof room_of_exp. apply Rmult_eq_reg_l with (1 + exp s); [|lra].
  rewrite rr_moment_is. unfold worst_moment. field. lra.
Qed.

Lemma within_factor_zero u v : within_factor s u v -> 0 <= u -> v = 0 -> u = 0.
Proof. intros [uv _] Hu ->. rewrite Rmult_0_r in uv. lra. Qed.

(** 1. Randomised response is the worst: an outcome has at most the part of the two that it is a mixture of. *)
Lemma moment_term_le_worst u v : 0 <= u -> 0 <= v -> within_factor s u v -> moment_term l u v <= worst_moment l s u v.
Proof.
  intros Hu Hv [uv vu]. pose proof exp_s_above_1. pose proof room_of_exp as room.
  set (a := (exp s * u - v) / (exp s * exp s - 1)). set (b := (exp s * v - u) / (exp s * exp s - 1)).
  assert (0 <= a) by (apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]).
  assert (0 <= b) by (apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]).
  assert (Eu : u = exp s * a + b) by (unfold a, b; field; lra).
  assert (Ev : v = a + exp s * b) by (unfold a, b; field; lra).
  assert (sure : forall x, 0 <= x -> moment_term l (exp s * x) x = exp ((1 + l) * s) * x).
  { intros x [Hx | <-]; [|rewrite Rmult_0_r, moment_term_at0; ring]. unfold moment_term.
    replace (exp s * x / x) with (exp s) by (field; lra). rewrite Rpower_of_exp.
    replace ((1 + l) * s) with (s + l * s) by ring. rewrite exp_plus. ring. }
  assert (rare : forall x, 0 <= x -> moment_term l x (exp s * x) = exp (- (l * s)) * x).
  { intros x [Hx | <-]; [|rewrite Rmult_0_r, moment_term_at0; ring]. unfold moment_term.
    replace (x / (exp s * x)) with (exp (- s)) by (rewrite exp_Ropp; field; lra). rewrite Rpower_of_exp.
    replace (l * - s) with (- (l * s)) by ring. ring. }
  rewrite Eu, Ev at 1. apply Rle_trans with (moment_term l (exp s * a) a + moment_term l b (exp s * b)).
  - apply moment_term_add; try nra.
  - rewrite sure, rare by auto. apply Req_le. unfold a, b, worst_moment. field. lra.
Qed.

Lemma moments_of_a_round p q : 0 <= p <= 1 -> 0 <= q <= 1 -> within_factor s (1 - p) (1 - q) ->
  moment_term l (1 - p) (1 - q) + worst_moment l s p q <= rr_moment l s.
Proof.
  intros Hp Hq W. rewrite <- worst_moment_of_all.
  replace (worst_moment l s 1 1) with (worst_moment l s (1 - p + p) (1 - q + q)) by (f_equal; ring).
  rewrite worst_moment_add. pose proof (moment_term_le_worst (1 - p) (1 - q) ltac:(lra) ltac:(lra) W). lra.
Qed.

(** 2. A large probability of an update. *)
Lemma quiet_moment_le p q : 0 <= p <= 1 -> 0 <= q <= 1 -> within_factor s p q -> within_factor s (1 - p) (1 - q) ->
  / 2 <= Rmax p q -> moment_term l (1 - p) (1 - q) <= quiet_moment l s.
Proof.
  intros Hp Hq [_ qp] W large. pose proof exp_s_above_1 as above_1. pose proof exp_minus_s as inverse.
  pose proof exp_minus_s_between as between. set (e := exp s) in *. set (m := exp (- s)) in *.
  assert (told : e / (1 + e) = 1 - / (1 + e)) by (field; lra).
  assert (0 < / (1 + e)) by (apply Rinv_0_lt_compat; lra).
  destruct (Rle_lt_dec (/ (1 + e)) p) as [told_p | told_p].
  - (* An update tells as much as randomised response. *)
    eapply Rle_trans; [|apply Rmax_r]. fold e. destruct (Req_dec (1 - p) 0) as [-> | Np].
    { rewrite moment_term_at0. apply Rmult_le_pos; [left; apply exp_pos | lra]. }
    assert (0 < 1 - q) by (destruct W as [W _]; fold e in W; assert (0 <= 1 - q) by lra; nra).
    replace (exp ((1 + l) * s) / (1 + e)) with (e / (1 + e) * Rpower e l).
    2: { unfold e. rewrite Rpower_of_exp. replace ((1 + l) * s) with (s + l * s) by ring. rewrite exp_plus. field.
      fold e. lra. }
    apply Rmult_le_compat; [lra | left; apply Rpower_pos | lra |].
    apply Rpower_le_base; [lra|]. split; [apply Rdiv_lt_0_compat; lra|].
    apply Rmult_le_reg_r with (1 - q); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
    destruct W as [W _]. fold e in W. lra.
  - (* Otherwise p < 1/2 <= q, and q < e/(1 + e): the moment is at most that at p = e^-s q, which is convex in q. *)
    assert (/ (1 + e) < / 2) by (apply Rinv_lt_contravar; lra).
    assert (half_q : / 2 <= q) by (unfold Rmax in large; destruct (Rle_dec p q); lra).
    assert (q_below : q < e / (1 + e)).
    { apply Rle_lt_trans with (e * p); [exact qp|]. apply Rmult_lt_compat_l; lra. }
    assert (p_above : m * q <= p).
    { apply Rle_trans with (m * (e * p)); [apply Rmult_le_compat_l; lra|]. rewrite <- Rmult_assoc, inverse. lra. }
    apply Rle_trans with (moment_term l (1 - m * q) (1 - q)); [apply moment_term_mono; lra|].
    assert (low : moment_term l (1 - m / 2) (/ 2) = (1 - m / 2) * Rpower (2 - m) l).
    { unfold moment_term. do 2 f_equal. field. }
    assert (high : moment_term l (e / (1 + e)) (/ (1 + e)) = exp ((1 + l) * s) / (1 + e)).
    { unfold moment_term. replace (e / (1 + e) / / (1 + e)) with e by (field; lra). unfold e. rewrite Rpower_of_exp.
      replace ((1 + l) * s) with (s + l * s) by ring. rewrite exp_plus. field. fold e. lra. }
    unfold quiet_moment. fold e m. destruct half_q as [half_q | <-].
    + set (t := (e / (1 + e) - q) / (e / (1 + e) - / 2)).
      assert (Ht : 0 < t < 1).
      { unfold t. split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (e / (1 + e) - / 2); [lra|].
        unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l; lra. }
      assert (Eq : q = t * / 2 + (1 - t) * (e / (1 + e))) by (unfold t; field; nra).
      replace (1 - q) with (t * / 2 + (1 - t) * / (1 + e)) by (rewrite told in Eq; lra).
      replace (1 - m * q) with (t * (1 - m / 2) + (1 - t) * (e / (1 + e))).
      2: { rewrite Eq. replace (m * (t * / 2 + (1 - t) * (e / (1 + e)))) with
             (t * (m / 2) + (1 - t) * (m * e) / (1 + e)) by (field; lra). rewrite inverse, told. field; lra. }
      eapply Rle_trans; [apply moment_term_convex; lra|]. rewrite low, high.
      set (first := (1 - m / 2) * Rpower (2 - m) l). set (second := exp ((1 + l) * s) / (1 + e)).
      pose proof (Rmax_l first second). pose proof (Rmax_r first second). set (both := Rmax first second) in *. nra.
    + replace (1 - / 2) with (/ 2) by field. replace (1 - m * / 2) with (1 - m / 2) by field. rewrite low. apply Rmax_l.
Qed.

Hypothesis room : quiet_moment l s < 1.

Lemma quotient_ge0 : 0 <= (rr_moment l s - 1) / (1 - quiet_moment l s).
Proof.
  pose proof (rr_moment_ge1 l s ltac:(lra) ltac:(lra)).
  apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
Qed.

Lemma exp_update_cost : exp (update_cost l s) = 1 + (rr_moment l s - 1) / (1 - quiet_moment l s).
Proof. apply exp_ln. pose proof quotient_ge0. lra. Qed.

Lemma update_cost_ge0 : 0 <= update_cost l s.
Proof.
  pose proof quotient_ge0. unfold update_cost. rewrite <- ln_1.
  destruct (Req_dec ((rr_moment l s - 1) / (1 - quiet_moment l s)) 0) as [-> | N]; [rewrite Rplus_0_r; lra|].
  left. apply ln_increasing; lra.
Qed.

(** 3. There the claim holds. *)
Lemma round_if_updates_are_likely p q : 0 <= p <= 1 -> 0 <= q <= 1 -> within_factor s p q ->
  within_factor s (1 - p) (1 - q) -> / 2 <= Rmax p q ->
  moment_term l (1 - p) (1 - q) + exp (- update_cost l s) * worst_moment l s p q <= 1.
Proof.
  intros Hp Hq W W' large. pose proof (quiet_moment_le p q Hp Hq W W' large) as small.
  pose proof (moments_of_a_round p q Hp Hq W') as total. pose proof (worst_moment_ge0 p q W) as U0.
  pose proof (rr_moment_ge1 l s ltac:(lra) ltac:(lra)) as T1.
  set (d := moment_term l (1 - p) (1 - q)) in *. set (U := worst_moment l s p q) in *.
  set (T := rr_moment l s) in *. set (D := quiet_moment l s) in *.
  assert (bound : U <= exp (update_cost l s) * (1 - d)).
  { rewrite exp_update_cost. fold T D.
    assert (inverse : / (1 - D) * (1 - D) = 1) by (apply Rinv_l; lra).
    assert (0 < / (1 - D)) by (apply Rinv_0_lt_compat; lra).
    assert (1 <= / (1 - D) * (1 - d)) by nra.
    replace ((1 + (T - 1) / (1 - D)) * (1 - d)) with (1 - d + (T - 1) * (/ (1 - D) * (1 - d))) by (unfold Rdiv; ring).
    nra. }
  apply (Rmult_le_compat_l (exp (- update_cost l s))) in bound; [|left; apply exp_pos].
  rewrite <- Rmult_assoc, <- exp_plus, Rplus_opp_l, exp_0 in bound. lra.
Qed.

(** 4. A small probability: all probabilities of updates are scaled until the larger is 1/2. What is bounded is convex
    in the factor a, and it is 1 at a = 0. *)
Lemma round_if_updates_are_unlikely p q : 0 < p -> 0 < q -> within_factor s p q -> Rmax p q < / 2 ->
  moment_term l (1 - p) (1 - q) + exp (- update_cost l s) * worst_moment l s p q <= 1.
Proof.
  intros Hp Hq [pq qp] small. set (larger := Rmax p q). assert (0 < larger < / 2).
  { unfold larger. pose proof (Rmax_l p q). lra. }
  set (t := 2 * larger). assert (Ht : 0 < t < 1) by (unfold t; lra).
  (* t is 1/a*, where a* is the factor of the page. *)
  set (p' := p / t). set (q' := q / t).
  assert (Ep : p = t * p') by (unfold p'; field; lra). assert (Eq : q = t * q') by (unfold q'; field; lra).
  assert (Hp' : 0 < p') by (apply Rdiv_lt_0_compat; lra). assert (Hq' : 0 < q') by (apply Rdiv_lt_0_compat; lra).
  assert (W : within_factor s p' q').
  { split; apply Rmult_le_reg_l with t; try lra; rewrite Ep, Eq in pq, qp; lra. }
  pose proof exp_s_above_1 as above_1. pose proof exp_minus_s as inverse. pose proof exp_minus_s_between as between.
  assert (quiet_ratio : 2 - exp (- s) <= exp s).
  { pose proof (exp_ge_tangent s). pose proof (exp_ge_tangent (- s)). nra. }
  assert (half : (p' <= / 2 /\ q' = / 2) \/ (q' <= / 2 /\ p' = / 2)).
  { unfold p', q', t, larger, Rmax. destruct (Rle_dec p q); [left | right]; split; try (field; lra);
      apply Rmult_le_reg_r with (2 * q) + apply Rmult_le_reg_r with (2 * p); try lra;
      unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  assert (W' : within_factor s (1 - p') (1 - q')).
  { destruct W as [W1 W2]. unfold within_factor. destruct half as [[H1 H2] | [H1 H2]]; split; nra. }
  assert (base : moment_term l (1 - p') (1 - q') + exp (- update_cost l s) * worst_moment l s p' q' <= 1).
  { apply round_if_updates_are_likely; auto; [lra | lra |].
    pose proof (Rmax_l p' q'). pose proof (Rmax_r p' q'). lra. }
  assert (convex : moment_term l (1 - p) (1 - q) <= t * moment_term l (1 - p') (1 - q') + (1 - t) * moment_term l 1 1).
  { replace (1 - p) with (t * (1 - p') + (1 - t) * 1) by (rewrite Ep; ring).
    replace (1 - q) with (t * (1 - q') + (1 - t) * 1) by (rewrite Eq; ring).
    apply moment_term_convex; lra. }
  assert (one : moment_term l 1 1 = 1).
  { unfold moment_term. replace (1 / 1) with 1 by field. rewrite Rpower_of_1. ring. }
  rewrite Ep at 2. rewrite Eq at 2. rewrite worst_moment_scaled, one in *.
  apply (Rmult_le_compat_l t) in base; lra.
Qed.

(** One round of jt13.thmA: what is quiet adds to the moment, and e^-c times what the updates add at most, are 1 at
    most. *)
Lemma round_bound p q : 0 <= p <= 1 -> 0 <= q <= 1 -> within_factor s p q -> within_factor s (1 - p) (1 - q) ->
  moment_term l (1 - p) (1 - q) + exp (- update_cost l s) * worst_moment l s p q <= 1.
Proof.
  intros Hp Hq W W'. destruct (Rle_lt_dec (/ 2) (Rmax p q)) as [large | small].
  { now apply round_if_updates_are_likely. }
  destruct W as [pq qp]. destruct (Req_dec p 0) as [-> | Np].
  - assert (q = 0) as -> by (rewrite Rmult_0_r in qp; lra).
    unfold moment_term, worst_moment. rewrite Rminus_0_r, !Rmult_0_r, Rminus_0_r.
    replace (1 / 1) with 1 by field. rewrite Rpower_of_1. unfold Rdiv. lra.
  - destruct (Req_dec q 0) as [-> | Nq]; [rewrite Rmult_0_r in pq; lra|].
    apply round_if_updates_are_unlikely; try lra. now split.
Qed.
End round.
