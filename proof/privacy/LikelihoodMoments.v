(** Terms of a moment of the likelihood ratio.

    An outcome of probability u under one law and v under another adds u (u/v)^l to the moment E_P[(P/Q)^l].
    This function of (u, v) is homogeneous and subadditive, hence convex; and it rises in u. All rests on
    e^y >= 1 + y. Also proved: for every c > 0, the part of 1 beyond c is at most
    c^-l (1/(1+l)) (l/(1+l))^l, which turns a moment into a delta.

    Claims: none.
*)
Require Import Reals Lra.
From DpAssay Require Import Privacy.
Open Scope R_scope.

(** What an outcome of probability u under P and v under Q adds to E_P[(P/Q)^l]. It is 0 if u = 0. *)
Definition moment_term (l u v : R) : R := u * Rpower (u / v) l.

(** The largest value of (1 - x) x^l for x in [0, 1]. *)
Definition excess_factor (l : R) : R := / (1 + l) * Rpower (l / (1 + l)) l.

Lemma exp_ge_tangent (y : R) : 1 + y <= exp y.
Proof. destruct (Req_dec y 0) as [-> | H]; [rewrite exp_0; lra | left; now apply exp_ineq1]. Qed.

Lemma Rpower_pos (x a : R) : 0 < Rpower x a.
Proof. apply exp_pos. Qed.

Lemma Rpower_of_exp (z l : R) : Rpower (exp z) l = exp (l * z).
Proof. unfold Rpower. now rewrite ln_exp. Qed.

Lemma Rpower_of_1 (a : R) : Rpower 1 a = 1.
Proof. unfold Rpower. now rewrite ln_1, Rmult_0_r, exp_0. Qed.

(** Bernoulli's inequality for real powers. *)
Lemma bernoulli (l t : R) : 0 <= l -> 0 < t -> (1 + l) * t - l <= t * Rpower t l.
Proof.
  intros Hl Ht. rewrite <- (exp_ln t Ht). set (z := ln t). rewrite Rpower_of_exp.
  (* After division by t = e^z it reads 1 + l <= e^(l z) + l e^-z. *)
  pose proof (exp_ge_tangent (l * z)) as above. pose proof (exp_ge_tangent (- z)) as below.
  apply (Rmult_le_compat_l l) in below; [|lra].
  assert (divided : (1 + l) - l * exp (- z) <= exp (l * z)) by lra.
  apply (Rmult_le_compat_l (exp z)) in divided; [|left; apply exp_pos].
  replace (exp z * (1 + l - l * exp (- z))) with ((1 + l) * exp z - l * (exp z * exp (- z))) in divided by ring.
  rewrite <- exp_plus in divided. replace (z + - z) with 0 in divided by ring. rewrite exp_0 in divided. lra.
Qed.

Lemma moment_term_ge0 l u v : 0 <= u -> 0 <= moment_term l u v.
Proof. intros. apply Rmult_le_pos; [auto | left; apply Rpower_pos]. Qed.

Lemma moment_term_at0 l v : moment_term l 0 v = 0.
Proof. unfold moment_term. ring. Qed.

(** Homogeneous: both probabilities may be scaled. *)
Lemma moment_term_scaled l a u v : 0 < a -> moment_term l (a * u) (a * v) = a * moment_term l u v.
Proof.
  intros Ha. unfold moment_term. destruct (Req_dec v 0) as [-> | Hv].
  - destruct (Req_dec u 0) as [-> | Hu]; [ring|].
    rewrite !Rmult_0_r. unfold Rdiv. rewrite Rinv_0, !Rmult_0_r. ring.
  - replace (a * u / (a * v)) with (u / v) by (field; lra). ring.
Qed.

(** A plane below the function, which touches it where u/v = r. *)
Lemma moment_term_tangent l r u v : 0 <= l -> 0 < r -> 0 <= u -> 0 <= v -> (v = 0 -> u = 0) ->
  (1 + l) * Rpower r l * u - l * (r * Rpower r l) * v <= moment_term l u v.
Proof.
  intros Hl Hr [Hu | <-] [Hv | Hv] Huv; [| specialize (Huv (eq_sym Hv)); lra | |].
  - pose proof (bernoulli l (u / v / r) Hl ltac:(repeat apply Rdiv_lt_0_compat; auto)) as base.
    assert (split : Rpower (u / v) l = Rpower (u / v / r) l * Rpower r l).
    { rewrite Rpower_mult_distr by (repeat apply Rdiv_lt_0_compat; auto). f_equal. field; lra. }
    unfold moment_term. rewrite split. pose proof (Rpower_pos r l) as positive.
    apply (Rmult_le_compat_r (Rpower r l * r * v)) in base; [|left; repeat apply Rmult_lt_0_compat; auto].
    replace (((1 + l) * (u / v / r) - l) * (Rpower r l * r * v))
      with ((1 + l) * Rpower r l * u - l * (r * Rpower r l) * v) in base by (field; lra).
    replace (u / v / r * Rpower (u / v / r) l * (Rpower r l * r * v))
      with (u * (Rpower (u / v / r) l * Rpower r l)) in base by (field; lra).
    exact base.
  - rewrite moment_term_at0. pose proof (Rpower_pos r l). assert (0 <= l * (r * Rpower r l) * v)
      by (repeat apply Rmult_le_pos; lra). lra.
  - rewrite moment_term_at0, <- Hv. lra.
Qed.

(** Subadditive: to merge two outcomes never raises the moment. *)
Lemma moment_term_add l u v u' v' : 0 <= l -> 0 <= u -> 0 <= v -> (v = 0 -> u = 0) ->
  0 <= u' -> 0 <= v' -> (v' = 0 -> u' = 0) ->
  moment_term l (u + u') (v + v') <= moment_term l u v + moment_term l u' v'.
Proof.
  intros Hl Hu Hv Z Hu' Hv' Z'. destruct (Req_dec (u + u') 0) as [E | E].
  - rewrite E, moment_term_at0. pose proof (moment_term_ge0 l u v Hu). pose proof (moment_term_ge0 l u' v' Hu'). lra.
  - assert (0 < u + u') by lra.
    assert (0 < v + v').
    { destruct Hv as [? | Ev]; [lra|]. destruct Hv' as [? | Ev']; [lra|].
      specialize (Z (eq_sym Ev)). specialize (Z' (eq_sym Ev')). lra. }
    (* Both tangents are taken at the ratio of the sums, where they add up to the left side. *)
    set (r := (u + u') / (v + v')). assert (Hr : 0 < r) by now apply Rdiv_lt_0_compat.
    pose proof (moment_term_tangent l r u v Hl Hr Hu Hv Z) as T.
    pose proof (moment_term_tangent l r u' v' Hl Hr Hu' Hv' Z') as T'.
    assert (touch : moment_term l (u + u') (v + v') =
      (1 + l) * Rpower r l * (u + u') - l * (r * Rpower r l) * (v + v')).
    { unfold moment_term. fold r. replace (l * (r * Rpower r l) * (v + v')) with (l * Rpower r l * (r * (v + v')))
        by ring.
      replace (r * (v + v')) with (u + u') by (unfold r; field; lra). ring. }
    rewrite touch. lra.
Qed.

(** Convex: between two pairs of probabilities it is at most the larger of the two values. *)
Lemma moment_term_convex l t u v u' v' : 0 <= l -> 0 < u -> 0 < v -> 0 < u' -> 0 < v' -> 0 < t < 1 ->
  moment_term l (t * u + (1 - t) * u') (t * v + (1 - t) * v') <=
    t * moment_term l u v + (1 - t) * moment_term l u' v'.
Proof.
  intros Hl Hu Hv Hu' Hv' Ht. rewrite <- !moment_term_scaled by lra.
  assert (0 < t * u /\ 0 < t * v) by (split; apply Rmult_lt_0_compat; lra).
  assert (0 < (1 - t) * u' /\ 0 < (1 - t) * v') by (split; apply Rmult_lt_0_compat; lra).
  apply moment_term_add; lra.
Qed.

Lemma Rpower_le_base x y l : 0 <= l -> 0 < x <= y -> Rpower x l <= Rpower y l.
Proof. intros. apply Rle_Rpower_l; lra. Qed.

(** It rises in the first probability. *)
Lemma moment_term_mono l u u' v : 0 <= l -> 0 <= u <= u' -> 0 < v -> moment_term l u v <= moment_term l u' v.
Proof.
  intros Hl Hu Hv. destruct (Req_dec u 0) as [-> | Z].
  - rewrite moment_term_at0. apply moment_term_ge0; lra.
  - unfold moment_term. apply Rmult_le_compat; [lra | left; apply Rpower_pos | lra |].
    apply Rpower_le_base; auto. split; [apply Rdiv_lt_0_compat; lra|].
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | lra].
Qed.

Lemma excess_factor_pos l : 0 < l -> 0 < excess_factor l.
Proof. intros. apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat; lra | apply Rpower_pos]. Qed.

Lemma excess_factor_le1 l : 0 < l -> excess_factor l <= 1.
Proof.
  intros Hl. assert (small : / (1 + l) <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  assert (power : Rpower (l / (1 + l)) l <= 1).
  { apply Rle_trans with (Rpower 1 l); [|rewrite Rpower_of_1; lra].
    apply Rpower_le_base; [lra|]. split; [apply Rdiv_lt_0_compat; lra|].
    apply Rmult_le_reg_r with (1 + l); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  unfold excess_factor. pose proof (Rpower_pos (l / (1 + l)) l).
  assert (0 < / (1 + l)) by (apply Rinv_0_lt_compat; lra). nra.
Qed.

(** What 1 exceeds c by is at most c^-l (1/(1+l)) (l/(1+l))^l. *)
Lemma excess_le l c : 0 < l -> 0 < c -> 1 - c <= excess_factor l * Rpower c (- l).
Proof.
  intros Hl Hc. set (m := l / (1 + l)). assert (Hm : 0 < m) by (apply Rdiv_lt_0_compat; lra).
  set (z := ln (c / m)). assert (Hz : exp z = c / m) by (apply exp_ln; now apply Rdiv_lt_0_compat).
  assert (Ec : c = m * exp z) by (rewrite Hz; field; lra).
  assert (power : Rpower m l * Rpower c (- l) = exp (- l * z)).
  { unfold z, Rdiv, Rpower. rewrite <- exp_plus. f_equal.
    rewrite ln_mult, ln_Rinv by auto using Rinv_0_lt_compat. ring. }
  unfold excess_factor. fold m. rewrite Rmult_assoc, power, Ec.
  (* It reads 1 <= m e^z + (1 - m) e^(-l z), and the tangents add up to 1. *)
  pose proof (exp_ge_tangent z) as up. pose proof (exp_ge_tangent (- l * z)) as down.
  assert (Hi : 0 < / (1 + l)) by (apply Rinv_0_lt_compat; lra).
  apply (Rmult_le_compat_l m) in up; [|lra]. apply (Rmult_le_compat_l (/ (1 + l))) in down; [|lra].
  assert (sum : m * (1 + z) + / (1 + l) * (1 + - l * z) = 1) by (unfold m; field; lra). lra.
Qed.
