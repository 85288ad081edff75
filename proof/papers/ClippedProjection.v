(** Predictions need not be clipped.

    A vector that is moved into the ball of radius R is multiplied by a positive number, so that <w, v> keeps its sign:
    a halfspace errs on a vector if and only if it errs on the clipped one, and its error on a distribution is the same.
    As on the page, for every radius above 0.

    Claims: bms22.thm3_2.proj.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy DataLosses MarginErrors GibbsLearner.
Open Scope R_scope.

(** P v = v min(1, R/|v|), and the vector 0 is left as it is. *)
Definition clip_factor (radius : R) (v : vector) : R :=
  if Rle_dec (norm v) radius then 1 else radius / norm v.
Definition clipped (radius : R) (v : vector) : vector := map (Rmult (clip_factor radius v)) v.

Lemma clip_factor_pos radius v : 0 < radius -> 0 < clip_factor radius v.
Proof.
  intros Hr. unfold clip_factor. destruct (Rle_dec (norm v) radius); [lra|].
  apply Rdiv_lt_0_compat; lra.
Qed.

Lemma inner_sym u : forall v, inner u v = inner v u.
Proof. induction u as [|a u IH]; intros [|b v]; simpl; try reflexivity. rewrite IH. lra. Qed.

(** The clipped vector is in the ball. *)
Lemma clipped_in_ball radius v : 0 < radius -> in_ball radius (clipped radius v).
Proof.
  intros Hr. unfold in_ball, clipped. rewrite inner_scaled, inner_sym, inner_scaled.
  pose proof (inner_square_pos v) as P. assert (N : norm v ^ 2 = inner v v) by (unfold norm; now apply pow2_sqrt).
  assert (0 <= norm v) by apply sqrt_pos.
  unfold clip_factor. destruct (Rle_dec (norm v) radius) as [L | L]; [nra|].
  rewrite <- N. right. field. lra.
Qed.

(** bms22.thm3_2.proj: <w, v> and <w, P v> have the same sign, or are both 0. *)
Theorem clipping_keeps_signs radius w v : 0 < radius ->
  (inner w (clipped radius v) < 0 <-> inner w v < 0) /\ (inner w (clipped radius v) = 0 <-> inner w v = 0) /\
  (0 < inner w (clipped radius v) <-> 0 < inner w v).
Proof.
  intros Hr. unfold clipped. rewrite inner_sym, inner_scaled, (inner_sym v w).
  pose proof (clip_factor_pos radius v Hr). repeat split; nra.
Qed.

(** bms22.thm3_2.proj: the error of a halfspace on a distribution is that on the clipped records. *)
Theorem clipping_keeps_errors radius w (records : law (vector * bool)) : 0 < radius ->
  records (fun r => indicator (halfspace_error w r))
    = relabel (fun r => (clipped radius (fst r), snd r)) records (fun r => indicator (halfspace_error w r)).
Proof.
  intros Hr. cbn [E then_ relabel unit_law]. apply E_ext; [apply test_bounded, test_indicator ..|].
  intros [x y]. unfold halfspace_error, margin_error. cbn [fst snd]. f_equal.
  assert (same : inner w (clipped radius x) = clip_factor radius x * inner w x)
    by (unfold clipped; now rewrite inner_sym, inner_scaled, (inner_sym x w)).
  rewrite same. pose proof (clip_factor_pos radius x Hr) as P.
  unfold at_most. destruct (Rle_dec _ 0) as [A | A], (Rle_dec _ 0) as [B | B]; auto; exfalso;
    destruct y; simpl in *; nra.
Qed.

(** bms22.thm3_2.proj: so the error of A^T w on a distribution is that of w on its clipped projection. *)
Corollary algorithm2_predicts_unclipped radius d A w (records : law (vector * bool)) : 0 < radius ->
  (forall row, In row A -> length row = d) ->
  records (fun r => indicator (halfspace_error (transposed d A w) r))
    = relabel (fun r => (clipped radius (image A (fst r)), snd r)) records
        (fun r => indicator (halfspace_error w r)).
Proof.
  intros Hr rows.
  pose proof (clipping_keeps_errors radius w (relabel (fun r => (image A (fst r), snd r)) records) Hr) as same.
  cbn [E then_ relabel unit_law fst snd] in *. rewrite <- same.
  apply E_ext; [apply test_bounded; intros r; apply indicator_range ..|].
  intros [x y]. unfold halfspace_error, margin_error. cbn [fst snd].
  now rewrite (proj1 (inner_transposed d A w x rows)).
Qed.
