(** The test data dependent learner: noisy targets at public points.

    Algorithm 2 adds noise to the exact predictions at T public points and fits a vector to these targets. Predictions
    are counted in steps of a grid, are rounded down to it, and move by at most t steps, S' in the units of the page. If
    noise around two integers at most t apart has laws within the factor e^e, with e = epsilon/sqrt(8 T ln(1/delta)),
    then what is fitted is (epsilon, delta)-private, for epsilon up to 8 ln(1/delta). With discrete Laplace noise e is
    S'/nu, so that nu = S' sqrt(8 T ln(1/delta))/epsilon, as on the page. The range of epsilon is wider than that of
    the page, which has 2 ln(1/delta): the mean loss e tanh(e/2) is used in place of e (e^e - 1). Also proved: any
    loss e at which the exact composition of T randomised responses is at most delta will do; and with e = epsilon/T,
    delta is 0.
    Narrower than the page: of jt13.thm4.exact, that no smaller noise will do is not shown here; that T randomised
    responses reach the delta is in OptimalComposition.v.

    Claims: jt13.thm4.exact, jt13.thm4.corrected.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy LikelihoodMoments RandomisedResponseIsWorst RandomisedResponseMoment
  AdvancedComposition OptimalComposition NoisyAnswersSession.
Open Scope R_scope.

(** The target at the next public point: the points are given, and their number is that of the targets before. *)
Definition next_target {Point} (around : Z -> law Z) (points : nat -> Point) (prediction : Point -> R)
    (before : list Z) : law Z :=
  around (floor (prediction (points (length before)))).

(** All T targets, and what is fitted to them. The fit may be randomised. *)
Definition fitted {Point W} (around : Z -> law Z) (points : nat -> Point) (fit : list Z -> law W) (T : nat)
    (prediction : Point -> R) : law W :=
  then_ (in_a_row (next_target around points prediction) T []) fit.

Section targets.
Context {D Point W : Type}.
Variable neighbours : D -> D -> Prop.
Variable around : Z -> law Z.
Variable prediction : D -> Point -> R.
Variable points : nat -> Point.
Variable fit : list Z -> law W.
Variable t : Z.
Hypothesis symmetric : forall x y, neighbours x y -> neighbours y x.
Hypothesis predictions_move : forall x y, neighbours x y -> forall z, Rabs (prediction x z - prediction y z) <= IZR t.

(** Noise of loss e: its laws around two integers at most t apart are within the factor e^e. *)
Definition noise_of_loss (e : R) : Prop := forall v w, (Z.abs (v - w) <= t)%Z -> close e 0 (around v) (around w).

Lemma targets_pure e : noise_of_loss e ->
  forall before, dp neighbours e 0 (fun x => next_target around points (prediction x) before).
Proof. intros noise before x y xy. apply noise, floor_moves. now apply predictions_move. Qed.

Lemma targets_pure_pair e x y : noise_of_loss e -> neighbours x y -> forall before,
  pure e (next_target around points (prediction x) before) (next_target around points (prediction y) before).
Proof. intros noise xy before. split; apply targets_pure; auto. Qed.

(** jt13.thm4.exact: noise of a loss e at which T randomised responses are (epsilon, delta)-private will do. *)
Theorem exact_targets_dp (e epsilon delta : R) (T : nat) : 0 < e -> noise_of_loss e ->
  optimal_delta e T epsilon <= delta ->
  dp neighbours epsilon delta (fun x => fitted around points fit T (prediction x)).
Proof.
  intros He noise Hdelta x y xy f Hf. unfold fitted. cbn [E then_].
  pose proof (optimal_composition neighbours (fun x => next_target around points (prediction x)) e epsilon T He
    symmetric
    (targets_pure e noise) x y xy (fun told => fit told f) (fun told => E_test (fit told) f Hf)). cbn beta in *. lra.
Qed.

(** jt13.thm4.exact: with the loss epsilon/T for each target, delta is 0. *)
Theorem pure_targets_dp (epsilon : R) (T : nat) : (1 <= T)%nat -> noise_of_loss (epsilon / INR T) ->
  dp neighbours epsilon 0 (fun x => fitted around points fit T (prediction x)).
Proof.
  intros HT noise x y xy f Hf. unfold fitted. cbn [E then_]. assert (0 < INR T) by (apply lt_0_INR; lia).
  cut (forall k before g, test g -> in_a_row (next_target around points (prediction x)) k before g <=
    exp (INR k * (epsilon / INR T)) * in_a_row (next_target around points (prediction y)) k before g).
  { intros H'. specialize (H' T [] (fun told => fit told f) (fun told => E_test (fit told) f Hf)).
    replace (INR T * (epsilon / INR T)) with epsilon in H' by (field; lra). lra. }
  induction k as [|k IH]; intros before g Hg.
  - cbn [in_a_row E unit_law INR]. rewrite Rmult_0_l, exp_0. lra.
  - cbn [in_a_row E then_]. set (Gx := fun o => in_a_row (next_target around points (prediction x)) k (o :: before) g).
    set (Gy := fun o => in_a_row (next_target around points (prediction y)) k (o :: before) g).
    assert (Tx : test Gx) by (intros o; now apply E_test). assert (Ty : test Gy) by (intros o; now apply E_test).
    pose proof (targets_pure _ noise before x y xy Gx Tx) as first. cbn beta in first.
    assert (rest : next_target around points (prediction y) before Gx <=
      exp (INR k * (epsilon / INR T)) * next_target around points (prediction y) before Gy).
    { rewrite <- E_scal by now apply test_bounded. apply E_mono; auto using test_bounded, bounded_scal.
      intros o. now apply IH. }
    rewrite S_INR. replace ((INR k + 1) * (epsilon / INR T)) with (epsilon / INR T + INR k * (epsilon / INR T)) by ring.
    rewrite exp_plus. apply (Rmult_le_compat_l (exp (epsilon / INR T))) in rest; [|left; apply exp_pos]. lra.
Qed.

(** jt13.thm4.corrected: the loss epsilon/sqrt(8 T ln(1/delta)) for each target is enough. *)
Theorem targets_dp (epsilon delta : R) (T : nat) :
  (1 <= T)%nat -> 0 < delta < 1 -> 0 < epsilon <= 8 * ln (/ delta) ->
  noise_of_loss (epsilon / sqrt (8 * INR T * ln (/ delta))) ->
  dp neighbours epsilon delta (fun x => fitted around points fit T (prediction x)).
Proof.
  intros HT Hdelta Heps noise x y xy f Hf. unfold fitted. cbn [E then_].
  assert (n0 : 0 < INR T) by (apply lt_0_INR; lia).
  assert (L0 : 0 < ln (/ delta)) by lra.
  set (L := ln (/ delta)) in *. set (n := INR T) in *.
  set (root := sqrt (2 * n * L)). assert (Hroot : 0 < root) by (apply sqrt_lt_R0; repeat apply Rmult_lt_0_compat; lra).
  assert (square : root * root = 2 * n * L) by (apply sqrt_sqrt; repeat apply Rmult_le_pos; lra).
  assert (twice : sqrt (8 * n * L) = 2 * root).
  { replace (8 * n * L) with (4 * (2 * n * L)) by ring. rewrite <- square.
    replace (4 * (root * root)) with ((2 * root) * (2 * root)) by ring. apply sqrt_square; lra. }
  rewrite twice in noise. set (e := epsilon / (2 * root)) in *. assert (He : 0 < e) by (apply Rdiv_lt_0_compat; lra).
  pose proof (sharper_composition_close e delta _ _ T He Hdelta (fun before => targets_pure_pair e x y noise xy before)
    (fun told => fit told f) (fun told => E_test (fit told) f Hf)) as H.
  (* epsilon/2 for the deviation, and epsilon^2/(16 L) at most for the means. *)
  assert (enough : sharper_epsilon e delta T <= epsilon).
  { unfold sharper_epsilon. fold n L root. pose proof (tanh_le (e / 2) ltac:(lra)) as Ht.
    assert (half : root * e = epsilon / 2) by (unfold e; field; lra).
    assert (mean : n * e * (e / 2) = epsilon * epsilon / (16 * L)).
    { assert (Ee : e * e = epsilon * epsilon / (8 * n * L)).
      { replace (8 * n * L) with (4 * (root * root)) by (rewrite square; ring). unfold e. field. lra. }
      replace (n * e * (e / 2)) with (n * (e * e) / 2) by field. rewrite Ee. field. lra. }
    assert (small : epsilon * epsilon / (16 * L) <= epsilon / 2).
    { apply Rmult_le_reg_r with (16 * L); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l; nra. }
    assert (n * e * tanh (e / 2) <= n * e * (e / 2)) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | auto]).
    lra. }
  eapply Rle_trans; [exact H|]. apply Rplus_le_compat_r, Rmult_le_compat_r; [|now apply exp_le].
  apply (E_test (in_a_row (next_target around points (prediction y)) T [])). intros told. now apply E_test.
Qed.
End targets.
