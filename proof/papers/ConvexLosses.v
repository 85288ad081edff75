(** The margin loss is not convex; the hinge loss is, and is at least the error.

    As on the page: a dataset of one point with both labels on which the margin loss of a midpoint is above the mean,
    for every margin rho >= 0; the mean hinge loss is convex, on every dataset and for every rho, and for rho > 0 at
    least the share of errors.

    Claims: bms22.text.convex.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Neighbours DataLosses MarginErrors LeastLosses GibbsLearner.
Open Scope R_scope.

(** The vector t u + (1 - t) v. *)
Definition between (t : R) (u v : vector) : vector := add (map (Rmult t) u) (map (Rmult (1 - t)) v).

Lemma inner_between t u v x : length u = length v ->
  inner (between t u v) x = t * inner u x + (1 - t) * inner v x.
Proof. intros L. unfold between. rewrite inner_add, !inner_scaled by (now rewrite !map_length). reflexivity. Qed.

(** The mean hinge loss, on records of any norm. *)
Definition mean_hinge_loss rho (w : vector) n (s : data (vector * bool) n) : R := total_loss (hinge rho w) n s / INR n.

(** bms22.text.convex: the margin loss R_rho is not a convex function of w on every dataset. *)
Theorem margin_loss_not_convex rho : 0 <= rho -> exists (s : data (vector * bool) 2) u v,
  length u = length v /\
  1 / 2 * margin_loss inner rho u 2 s + (1 - 1 / 2) * margin_loss inner rho v 2 s
    < margin_loss inner rho (between (1 / 2) u v) 2 s.
Proof.
  intros Hr. exists (([1], true), (([1], false), tt)), [rho + 1], [- (rho + 1)]. split; [reflexivity|].
  unfold margin_loss, margin_errors, errors, margin_error. cbn [total_loss fst snd between add map inner sign].
  replace (at_most (1 * ((rho + 1) * 1 + 0)) rho) with false by (symmetry; apply at_most_false; lra).
  replace (at_most (-1 * ((rho + 1) * 1 + 0)) rho) with true by (symmetry; apply at_most_true; lra).
  replace (at_most (1 * (- (rho + 1) * 1 + 0)) rho) with true by (symmetry; apply at_most_true; lra).
  replace (at_most (-1 * (- (rho + 1) * 1 + 0)) rho) with false by (symmetry; apply at_most_false; lra).
  replace (at_most (1 * ((1 / 2 * (rho + 1) + (1 - 1 / 2) * - (rho + 1)) * 1 + 0)) rho) with true
    by (symmetry; apply at_most_true; lra).
  replace (at_most (-1 * ((1 / 2 * (rho + 1) + (1 - 1 / 2) * - (rho + 1)) * 1 + 0)) rho) with true
    by (symmetry; apply at_most_true; lra).
  simpl. lra.
Qed.

Lemma hinge_convex rho t u v x : 0 <= t <= 1 -> length u = length v ->
  hinge rho (between t u v) x <= t * hinge rho u x + (1 - t) * hinge rho v x.
Proof.
  intros Ht L. unfold hinge. rewrite inner_between by exact L.
  set (a := sign (snd x) * inner u (fst x) / rho). set (b := sign (snd x) * inner v (fst x) / rho).
  replace (sign (snd x) * (t * inner u (fst x) + (1 - t) * inner v (fst x)) / rho) with (t * a + (1 - t) * b)
    by (unfold a, b, Rdiv; lra).
  pose proof (Rmax_l 0 (1 - a)). pose proof (Rmax_r 0 (1 - a)).
  pose proof (Rmax_l 0 (1 - b)). pose proof (Rmax_r 0 (1 - b)).
  apply Rmax_lub; nra.
Qed.

(** bms22.text.convex: the mean hinge loss is a convex function of w, on every dataset and for every margin. *)
Theorem mean_hinge_loss_convex rho t u v n (s : data (vector * bool) n) : 0 <= t <= 1 -> length u = length v ->
  (0 < n)%nat -> mean_hinge_loss rho (between t u v) n s
    <= t * mean_hinge_loss rho u n s + (1 - t) * mean_hinge_loss rho v n s.
Proof.
  intros Ht L Hn. unfold mean_hinge_loss.
  replace (t * (total_loss (hinge rho u) n s / INR n) + (1 - t) * (total_loss (hinge rho v) n s / INR n))
    with ((t * total_loss (hinge rho u) n s + (1 - t) * total_loss (hinge rho v) n s) / INR n) by (unfold Rdiv; lra).
  apply share_le; [exact Hn|]. clear Hn. induction n as [|m IH]; cbn [total_loss]; [lra|].
  pose proof (hinge_convex rho t u v (fst s) Ht L). specialize (IH (snd s)). lra.
Qed.

(** bms22.text.convex: the share of errors is at most the mean hinge loss. *)
Theorem error_below_hinge_loss rho w n (s : data (vector * bool) n) : 0 < rho -> (0 < n)%nat ->
  margin_loss inner 0 w n s <= mean_hinge_loss rho w n s.
Proof.
  intros Hr Hn. apply share_le; [exact Hn|]. apply total_loss_le. intros x.
  unfold margin_error, hinge. destruct (at_most _ 0) eqn:A; [|apply Rmax_l]. apply at_most_true in A.
  eapply Rle_trans; [|apply Rmax_r]. simpl. apply Rinv_0_lt_compat in Hr. unfold Rdiv. nra.
Qed.
