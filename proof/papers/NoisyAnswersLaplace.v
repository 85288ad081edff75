(** Sessions of noisy answers and noisy targets, with discrete Laplace noise.

    The noise of the page has the scale t/s, where t is by how many steps a prediction moves at most, and s is the
    loss of a draw. Sessions are (epsilon, delta)-private with the delta of Theorem A; what is fitted to T noisy
    targets is (epsilon, delta)-private at the scale t sqrt(8 T ln(1/delta))/epsilon.

    Claims: jt13.nt, jt13.thm4.corrected.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy LaplaceMechanism NoisyAnswersRound NoisyAnswers NoisyAnswersSession NoisyTargets.
Open Scope R_scope.

(** Noise of scale t/s has the loss s on predictions that move by at most t steps. *)
Lemma laplace_loss (t : Z) (s : R) (positive : 0 < IZR t / s) : 0 < s ->
  forall v w, (Z.abs (v - w) <= t)%Z -> close s 0 (around (IZR t / s) positive v) (around (IZR t / s) positive w).
Proof.
  intros Hs v w near. assert (t_not_0 : IZR t <> 0).
  { intros Z. rewrite Z in positive. unfold Rdiv in positive. lra. }
  replace s with (IZR t / (IZR t / s)) at 1 by (field; lra). now apply discrete_laplace_close.
Qed.

(** jt13.nt: sessions with discrete Laplace noise of scale t/s. *)
Theorem laplace_answers_dp {D Coins Query} (neighbours : D -> D -> Prop) (prediction : D -> Query -> R)
    (coins : law Coins) (query : Coins -> published Z -> Query) (interval : Coins -> published Z -> Z * Z)
    (t : Z) (l s : R) (positive : 0 < IZR t / s) (B rounds : nat) (epsilon : R) :
  (forall x y, neighbours x y -> forall z, Rabs (prediction x z - prediction y z) <= IZR t) ->
  0 < l -> 0 < s -> quiet_moment l s < 1 ->
  dp neighbours epsilon (noisy_answers_delta l s B epsilon)
    (fun x => answers (around (IZR t / s) positive) coins query interval B rounds (prediction x)).
Proof. intros moves Hl Hs room. apply answers_dp with (t := t); auto. now apply laplace_loss. Qed.

(** jt13.thm4.corrected: noise of scale t/e, where e = epsilon/sqrt(8 T ln(1/delta)). *)
Theorem laplace_targets_dp {D Point W} (neighbours : D -> D -> Prop) (prediction : D -> Point -> R)
    (points : nat -> Point) (fit : list Z -> law W) (t : Z) (epsilon delta : R) (T : nat) :
  let e := epsilon / sqrt (8 * INR T * ln (/ delta)) in
  forall positive : 0 < IZR t / e,
  (forall x y, neighbours x y -> neighbours y x) ->
  (forall x y, neighbours x y -> forall z, Rabs (prediction x z - prediction y z) <= IZR t) ->
  (1 <= T)%nat -> 0 < delta < 1 -> 0 < epsilon <= 8 * ln (/ delta) ->
  dp neighbours epsilon delta (fun x => fitted (around (IZR t / e) positive) points fit T (prediction x)).
Proof.
  intros e positive symmetric moves HT Hdelta Heps. apply targets_dp with (t := t); auto.
  intros v w. apply laplace_loss. apply Rdiv_lt_0_compat; [lra|]. apply sqrt_lt_R0.
  assert (0 < INR T) by (apply lt_0_INR; lia). repeat apply Rmult_lt_0_compat; lra.
Qed.
