(* The discrete Laplace mechanism. *)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy.
Open Scope R_scope.

(* The discrete Laplace law, pointwise: a query that moves by at most D. *)
Definition dlap scale (k : Z) : R := (1 - exp (- / scale)) / (1 + exp (- / scale)) * exp (- IZR (Z.abs k) / scale).
Theorem discrete_laplace_ratio scale D (m m' k : Z) : 0 < scale -> (Z.abs (m - m') <= D)%Z ->
  dlap scale (k - m) <= exp (IZR D / scale) * dlap scale (k - m').
Proof.
  intros Hs H. unfold dlap. set (c := (1 - exp (- / scale)) / (1 + exp (- / scale))).
  assert (I : 0 < / scale) by now apply Rinv_0_lt_compat.
  assert (0 <= c).
  { apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; pose proof (exp_pos (- / scale)); lra].
    assert (exp (- / scale) < exp 0) by (apply exp_increasing; lra). rewrite exp_0 in *. lra. }
  rewrite <- Rmult_assoc, (Rmult_comm (exp _)), Rmult_assoc, <- exp_plus. apply Rmult_le_compat_l; auto.
  assert (L : - IZR (Z.abs (k - m)) / scale <= IZR D / scale + - IZR (Z.abs (k - m')) / scale).
  { unfold Rdiv. rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [lra|].
    rewrite <- !opp_IZR, <- plus_IZR. apply IZR_le. lia. }
  destruct L as [L | ->]; [left; now apply exp_increasing | lra].
Qed.

