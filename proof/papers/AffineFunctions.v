(** Affine functions as linear ones of one more coordinate.

    <w,x> + b = <(w, b/s), (x, s)>, and what this costs: the product of the bounds on both norms, which is least at
    s^2 = r |b|/Lambda. As on the page.

    Claims: bms22.text.affine.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import MarginErrors.
Open Scope R_scope.

Lemma inner_app u v a b : length u = length v -> inner (u ++ [a]) (v ++ [b]) = inner u v + a * b.
Proof.
  revert v. induction u as [|c u IH]; intros [|d v] L; try discriminate; simpl; [lra|].
  rewrite IH by (injection L; auto). lra.
Qed.

(** bms22.text.affine: an affine function is a linear one of (x, s), for every scale s that is not 0. *)
Theorem affine_is_linear w x b s : length w = length x -> s <> 0 ->
  inner w x + b = inner (w ++ [b / s]) (x ++ [s]).
Proof. intros L Hs. rewrite inner_app by exact L. field. exact Hs. Qed.

(** bms22.text.affine: |(w, b/s)|^2 <= Lambda^2 + b^2/s^2 and |(x, s)|^2 <= r^2 + s^2. *)
Theorem affine_norms Lambda r w x b s : s <> 0 -> in_ball Lambda w -> in_ball r x ->
  inner (w ++ [b / s]) (w ++ [b / s]) <= Lambda ^ 2 + b ^ 2 / s ^ 2 /\
  inner (x ++ [s]) (x ++ [s]) <= r ^ 2 + s ^ 2.
Proof.
  unfold in_ball. intros Hs Hw Hx. rewrite !inner_app by reflexivity. split; [|lra].
  replace (b / s * (b / s)) with (b ^ 2 / s ^ 2) by (field; exact Hs). lra.
Qed.

(** bms22.text.affine: the product of the two bounds is at least (Lambda r + |b|)^2, and equal to it exactly where
    Lambda s^2 = r |b|. *)
Theorem affine_cost Lambda r b s : s <> 0 ->
  (Lambda * r + Rabs b) ^ 2 <= (Lambda ^ 2 + b ^ 2 / s ^ 2) * (r ^ 2 + s ^ 2) /\
  ((Lambda ^ 2 + b ^ 2 / s ^ 2) * (r ^ 2 + s ^ 2) = (Lambda * r + Rabs b) ^ 2 <-> Lambda * s ^ 2 = r * Rabs b).
Proof.
  intros Hs. assert (square : b ^ 2 = Rabs b ^ 2) by (rewrite <- !Rsqr_pow2; apply Rsqr_abs).
  assert (identity : (Lambda ^ 2 + b ^ 2 / s ^ 2) * (r ^ 2 + s ^ 2)
    = (Lambda * r + Rabs b) ^ 2 + (Lambda * s - r * Rabs b / s) ^ 2) by (rewrite square; field; exact Hs).
  rewrite identity. pose proof (pow2_ge_0 (Lambda * s - r * Rabs b / s)). split; [lra|]. split.
  - intros E. assert (Z : (Lambda * s - r * Rabs b / s) ^ 2 = 0) by lra.
    assert (root : Lambda * s - r * Rabs b / s = 0) by (apply Rsqr_0_uniq; rewrite Rsqr_pow2; exact Z).
    assert (E' : Lambda * s = r * Rabs b / s) by lra.
    replace (Lambda * s ^ 2) with (Lambda * s * s) by lra. rewrite E'. field. exact Hs.
  - intros E. replace (Lambda * s - r * Rabs b / s) with ((Lambda * s ^ 2 - r * Rabs b) / s) by (field; exact Hs).
    rewrite E. unfold Rdiv. lra.
Qed.
