(** The slope of the smoothed hinge loss.

    f(s) = C max(0, K - s) is smoothed to the least over s of f(s) + (t/2)(s - p)^2, as a function of p. Its slope at p
    is -min(C, t (K - p)_+). The other half of the claim, bisection for any convex loss, is in SmoothedConvex.v.

    Claims: bms22.lem3_1.prox.
*)
Require Import Reals Lra Lia.
Open Scope R_scope.

Section smoothed.
Variables (C K t : R) (C_pos : 0 <= C) (t_pos : 0 < t).

Definition loss (s : R) : R := C * Rmax 0 (K - s).

(** -min(C, t (K - p)_+). *)
Definition slope (p : R) : R := - Rmin C (t * Rmax 0 (K - p)).

(** What is minimised, the place of its least value, and the smoothed loss. *)
Definition objective (p s : R) : R := loss s + t / 2 * (s - p) ^ 2.
Definition minimiser (p : R) : R := p - slope p / t.
Definition smoothed (p : R) : R := objective p (minimiser p).

(** The slope is minus a number between 0 and C that is at most t (K - p)_+, and it is one of the two. *)
Lemma slope_cases p :
  (K <= p /\ slope p = 0) \/ (p <= K /\ t * (K - p) <= C /\ slope p = - (t * (K - p))) \/
  (p <= K /\ C <= t * (K - p) /\ slope p = - C).
Proof.
  unfold slope. destruct (Rle_dec K p) as [right | left].
  - left. split; [exact right|]. rewrite Rmax_left, Rmult_0_r, Rmin_right by lra. lra.
  - right. rewrite Rmax_right by lra. destruct (Rle_dec (t * (K - p)) C).
    + left. rewrite Rmin_right by lra. lra.
    + right. rewrite Rmin_left by lra. lra.
Qed.

(** slope p is a slope of the loss at the minimiser: the loss is above that line. *)
Lemma loss_above_line p s : loss (minimiser p) + slope p * (s - minimiser p) <= loss s.
Proof.
  assert (it : t * / t = 1) by (apply Rinv_r; lra). assert (ti : 0 < / t) by now apply Rinv_0_lt_compat.
  unfold loss, minimiser, Rdiv. pose proof (Rmax_l 0 (K - s)) as M0. pose proof (Rmax_r 0 (K - s)) as M1.
  destruct (slope_cases p) as [[H ->] | [[H [H' ->]] | [H [H' ->]]]].
  - rewrite (Rmax_left 0 (K - _)) by lra. nra.
  - (* The minimiser is K. *)
    replace (p - - (t * (K - p)) * / t) with K by (replace (p - - (t * (K - p)) * / t) with
      (p + (K - p) * (t * / t)) by ring; rewrite it; lra).
    rewrite (Rmax_left 0 (K - K)) by lra.
    assert (0 <= t * (K - p)) by (apply Rmult_le_pos; lra).
    set (c := t * (K - p)) in *. set (m := Rmax 0 (K - s)) in *.
    assert (c * m <= C * m) by (apply Rmult_le_compat_r; lra). nra.
  - assert (C * / t <= K - p).
    { replace (K - p) with (t * (K - p) * / t) by (replace (t * (K - p) * / t) with ((K - p) * (t * / t)) by ring;
        rewrite it; lra).
      apply Rmult_le_compat_r; lra. }
    rewrite (Rmax_right 0 (K - (p - - C * / t))) by lra. nra.
Qed.

(** bms22.lem3_1.prox: the smoothed loss is the least value over s of f(s) + (t/2)(s - p)^2. *)
Theorem smoothed_is_least p s : smoothed p <= objective p s.
Proof.
  unfold smoothed, objective. pose proof (loss_above_line p s) as above.
  assert (move : slope p = t * (p - minimiser p)) by (unfold minimiser; field; lra).
  rewrite move in above. set (m := minimiser p) in *. pose proof (pow2_ge_0 (s - m)). nra.
Qed.

Lemma smoothed_above p p' : smoothed p' <= smoothed p + slope p * (p' - p) + t / 2 * (p' - p) ^ 2.
Proof.
  pose proof (smoothed_is_least p' (minimiser p)) as L. unfold smoothed at 2. unfold objective in *.
  assert (move : slope p = t * (p - minimiser p)) by (unfold minimiser; field; lra).
  rewrite move. set (m := minimiser p) in *.
  replace (loss m + t / 2 * (m - p) ^ 2 + t * (p - m) * (p' - p) + t / 2 * (p' - p) ^ 2)
    with (loss m + t / 2 * (m - p') ^ 2) by field. exact L.
Qed.

Lemma slope_grows p p' : p <= p' -> slope p <= slope p'.
Proof.
  intros L. unfold slope. apply Ropp_le_contravar. apply Rle_min_compat_l. apply Rmult_le_compat_l; [lra|].
  apply Rle_max_compat_l. lra.
Qed.

(** The smoothed loss is within (t/2)(p' - p)^2 of its tangent. *)
Lemma smoothed_tangent p p' : Rabs (smoothed p' - smoothed p - slope p * (p' - p)) <= t / 2 * (p' - p) ^ 2.
Proof.
  pose proof (smoothed_above p p') as up. pose proof (smoothed_above p' p) as down.
  replace ((p - p') ^ 2) with ((p' - p) ^ 2) in down by ring.
  assert (order : slope p * (p' - p) <= slope p' * (p' - p)).
  { destruct (Rle_dec p p') as [L | L].
    - apply Rmult_le_compat_r; [lra|]. now apply slope_grows.
    - pose proof (slope_grows p' p ltac:(lra)). nra. }
  apply Rabs_le. lra.
Qed.

(** bms22.lem3_1.prox: the slope of the smoothed hinge loss at p is -min(C, t (K - p)_+). *)
Theorem smoothed_slope p : derivable_pt_lim smoothed p (- Rmin C (t * Rmax 0 (K - p))).
Proof.
  change (- Rmin C (t * Rmax 0 (K - p))) with (slope p). intros eps He.
  assert (pos : 0 < eps / t) by now apply Rdiv_lt_0_compat.
  exists (mkposreal _ pos). intros h Hh small. simpl in small.
  pose proof (smoothed_tangent p (p + h)) as T. replace (p + h - p) with h in T by lra.
  assert (Ph : 0 < Rabs h) by now apply Rabs_pos_lt.
  replace ((smoothed (p + h) - smoothed p) / h - slope p) with ((smoothed (p + h) - smoothed p - slope p * h) / h)
    by (field; exact Hh).
  unfold Rdiv. rewrite Rabs_mult, Rabs_inv.
  apply Rle_lt_trans with (t / 2 * h ^ 2 * / Rabs h).
  - apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact T].
  - replace (h ^ 2) with (Rabs h * Rabs h) by (rewrite <- Rabs_mult, Rabs_pos_eq; nra).
    replace (t / 2 * (Rabs h * Rabs h) * / Rabs h) with (t / 2 * Rabs h) by (field; lra).
    apply (Rmult_lt_compat_l t) in small; [|lra]. replace (t * (eps / t)) with eps in small by (field; lra). lra.
Qed.
End smoothed.
