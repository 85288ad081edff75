(** The error bound of networks, as printed, fails where its logarithm is 0 (Theorem 5.1).

    Two layers, one neuron, eta = 1/10, Lambda = 4, r = 1, rho = r (eta Lambda)^2 = 4/25. There theta = 0, so that the
    bound is the least margin loss alone, for every constant C and number of records; the least margin loss is 0 for the
    law of one record with either label; and no learner that is private at epsilon = 1 errs on neither with probability
    9/10, from one record. The other reading, with absolute logarithms, is left out.

    Claims: bms22.thm5_1.
*)
Require Import Reals Lra Lia List Bool. Import ListNotations.
From DpAssay Require Import Privacy Neighbours DataLosses MarginErrors.
Open Scope R_scope.

(** The activation (1 - e^(-eta a/2))/(1 + e^(-eta a/2)), and the network w2 psi(w1 x). *)
Definition activation (eta a : R) : R := (1 - exp (- (eta * a / 2))) / (1 + exp (- (eta * a / 2))).
Definition network (eta w1 w2 x : R) : R := w2 * activation eta (w1 * x).

(** What Theorem 5.1 adds to the margin loss, as printed:
    C (X sqrt(N theta/m) + X^2 N theta/(eps m)), X = r (2 eta Lambda)^L/rho,
    theta = ln(L m/beta) ln(r (eta Lambda)^L/rho). *)
Definition added (C r eta Lambda rho eps beta : R) (L N m : nat) : R :=
  let X := r * (2 * eta * Lambda) ^ L / rho in
  let theta := ln (INR L * INR m / beta) * ln (r * (eta * Lambda) ^ L / rho) in
  C * (X * sqrt (INR N * theta / INR m) + X ^ 2 * INR N * theta / (eps * INR m)).

(** At that instance nothing is added. *)
Lemma nothing_added C eps beta m : added C 1 (1 / 10) 4 (4 / 25) eps beta 2 1 m = 0.
Proof.
  unfold added. replace (1 * (1 / 10 * 4) ^ 2 / (4 / 25)) with 1 by field. rewrite ln_1, Rmult_0_r.
  replace (INR 1 * 0 / INR m) with 0 by (unfold Rdiv; lra). rewrite sqrt_0. unfold Rdiv. lra.
Qed.

(** Two weights of norm Lambda = 4 put out more than rho at x = 1, and less than -rho with a sign before one. *)
Lemma network_margin label : 4 / 25 < sign label * network (1 / 10) 4 (4 * sign label) 1.
Proof.
  unfold network, activation. set (e := exp (- (1 / 10 * (4 * 1) / 2))).
  assert (small : e <= 5 / 6).
  { unfold e. replace (1 / 10 * (4 * 1) / 2) with (1 / 5) by lra. rewrite exp_Ropp.
    pose proof (exp_ineq1_le (1 / 5)). replace (5 / 6) with (/ (6 / 5)) by lra. apply Rinv_le_contravar; lra. }
  assert (pos : 0 < e) by apply exp_pos.
  assert (quotient : 1 / 11 <= (1 - e) / (1 + e)).
  { apply Rmult_le_reg_r with (1 + e); [lra|]. unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  destruct label; simpl sign; lra.
Qed.

(** The law of one record: the point 1 with a label. A predictor errs where y h(x) <= 0. *)
Definition one_point (label : bool) : law (R * bool) := unit_law (1, label).
Definition predictor_risk (records : law (R * bool)) (h : R -> R) : R :=
  records (fun x => indicator (at_most (sign (snd x) * h (fst x)) 0)).
Definition predictor_margin_loss (records : law (R * bool)) rho (h : R -> R) : R :=
  records (fun x => indicator (at_most (sign (snd x) * h (fst x)) rho)).

(** The networks with weights of norm at most 4. *)
Definition weights_allowed (w : R * R) : Prop := Rabs (fst w) <= 4 /\ Rabs (snd w) <= 4.

(** The least margin loss of a network on the law of one record. *)
Definition least_margin_loss label (v : R) : Prop :=
  infimum weights_allowed
    (fun w => predictor_margin_loss (one_point label) (4 / 25) (network (1 / 10) (fst w) (snd w))) v.

Lemma least_margin_loss_is_0 label : least_margin_loss label 0.
Proof.
  split.
  - intros w _. apply E_test, test_indicator.
  - intros u H. specialize (H (4, 4 * sign label)). cbn [fst snd] in H.
    assert (zero : predictor_margin_loss (one_point label) (4 / 25) (network (1 / 10) 4 (4 * sign label)) = 0).
    { unfold predictor_margin_loss, one_point. cbn [E unit_law fst snd].
      replace (at_most _ _) with false; [reflexivity|]. symmetry. apply at_most_false, network_margin. }
    rewrite zero in H. apply H. unfold weights_allowed. cbn [fst snd].
    split; [rewrite Rabs_pos_eq; lra|].
    destruct label; simpl sign; [rewrite Rabs_pos_eq; lra | rewrite Rabs_left; lra].
Qed.

(** bms22.thm5_1: refuted as printed: at eta = 1/10, Lambda = 4, r = 1, rho = 4/25, L = 2, N = 1, eps = 1, beta = 1/10
    and m = 1, whatever C is, no learner that is (1, 0)-private has for both laws of one record, with probability at
    least 1 - beta over the sample and its coins, a risk of at most the least margin loss and what the theorem adds; it
    may return any predictors. *)
Theorem network_bound_fails C (learner : data (R * bool) 1 -> law (R -> R)) : dp (nb 1) 1 0 learner ->
  ~ (forall label v, least_margin_loss label v ->
       then_ (iid (one_point label) 1) learner (fun h => indicator (at_most (predictor_risk (one_point label) h)
         (v + added C 1 (1 / 10) 4 (4 / 25) 1 (1 / 10) 2 1 1))) >= 1 - 1 / 10).
Proof.
  intros D right.
  assert (correct : forall label, 9 / 10 <= learner (((1, label), tt) : data (R * bool) 1)
    (fun h => indicator (negb (at_most (sign label * h 1) 0)))).
  { intros label. specialize (right label 0 (least_margin_loss_is_0 label)). rewrite nothing_added in right.
    apply Rge_le in right. replace (1 - 1 / 10) with (9 / 10) in right by lra.
    eapply Rle_trans; [exact right|]. cbn [E then_ iid relabel one_point unit_law].
    apply E_mono; [apply test_bounded, test_indicator | apply test_bounded, test_indicator|].
    intros h. apply indicator_le. unfold predictor_risk, one_point. cbn [E unit_law fst snd].
    destruct (at_most (sign label * h 1) 0); [|reflexivity]. rewrite at_most_true. simpl. lra. }
  pose proof (correct true) as plus. pose proof (correct false) as minus.
  set (s := ((1, true), tt) : data (R * bool) 1) in *. set (t := ((1, false), tt) : data (R * bool) 1) in *.
  set (f := fun h : R -> R => indicator (negb (at_most (sign true * h 1) 0))) in *.
  set (g := fun h : R -> R => indicator (negb (at_most (sign false * h 1) 0))) in *.
  assert (Tf : test f) by apply test_indicator. assert (Tg : test g) by apply test_indicator.
  (* No predictor is right with both labels. *)
  assert (apart : learner t (fun h => f h + g h) <= 1).
  { rewrite <- (E_one (learner t)). apply E_mono; auto using bounded_const, bounded_plus, test_bounded. intros h.
    unfold f, g, sign. destruct (at_most (1 * h 1) 0) eqn:A, (at_most (-1 * h 1) 0) eqn:B; simpl; try lra.
    apply at_most_false in A. apply at_most_false in B. lra. }
  rewrite E_plus in apart by auto using test_bounded.
  pose proof (D s t (or_introl eq_refl) f Tf) as private. pose proof exp_le_3 as three.
  pose proof (E_test (learner t) f Tf). nra.
Qed.
