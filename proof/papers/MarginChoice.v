(** A margin is chosen privately, and then a learner is run at it (Appendix F, Algorithm 6).

    The score of a margin is the least loss of public candidates and a public number: one record moves it by at most the
    sensitivity of the loss. So a choice that is private for scores of these sensitivities and a learner that is private
    at each margin are private together, and epsilons add up. If the learner's bound fails with probability at most
    beta/|V| at each margin, the bound holds at the chosen one, and no margin would have promised much less.
    Narrower than the page: the choice by the generalised exponential mechanism enters by what bms22.gem says of it, its
    privacy and its utility, as hypotheses. Wider: any mechanism of which that holds may choose.

    Claims: bms22.algF, bms22.algF.hinge, bms22.lemF_1.corrected.
*)
Require Import Reals Lra Lia List Bool. Import ListNotations.
From DpAssay Require Import Privacy Composition Neighbours ExponentialMechanism DataLosses MarginErrors LeastLosses.
From DpAssay Require Import GibbsLearner.
Open Scope R_scope.

(** * Algorithm 6 *)

(** The choice of a margin by scores is (eps, 0)-differentially private if the score of v moves by at most
    sensitivity v. *)
Definition private_choice {V} (sensitivity : V -> R) eps (choose : (V -> R) -> law V) : Prop :=
  dp (fun q q' : V -> R => forall v, Rabs (q v - q' v) <= sensitivity v) eps 0 choose.

(** A margin is chosen by the scores of the data, the learner is run at it, and both are published. *)
Definition choose_then_learn {V D O} (score : D -> V -> R) (choose : (V -> R) -> law V) (learner : V -> D -> law O)
    (s : D) : law (V * O) :=
  then_ (choose (score s)) (fun v => relabel (fun o => (v, o)) (learner v s)).

(** The least number of margin errors of a candidate at the margin rho v, and a public number. *)
Definition margin_score {V F H} (value : H -> F -> R) (rho public : V -> R) (h0 : H) rest n
    (s : data (F * bool) n) (v : V) : R :=
  least (fun h => margin_errors value (rho v) h n s) h0 rest + public v.

(** The least sum of hinge losses of a candidate at the margin Lambda r/ratio v, and a public number. *)
Definition hinge_score {V r} Lambda (ratio public : V -> R) (w0 : vector) rest n
    (s : data (ball_record r) n) (v : V) : R :=
  least (fun w => hinge_sum (Lambda * r / ratio v) w n s) w0 rest + public v.

(** * Privacy *)

(** The plain exponential mechanism is such a choice, if no sensitivity is above c. *)
Lemma exponential_private_choice {V} (margins : list V) some sensitivity eps c : 0 <= eps -> 0 < c ->
  (forall v, sensitivity v <= c) ->
  private_choice sensitivity eps (fun q => exponential margins some eps c (fun v => - q v)).
Proof.
  intros He Hc small q q' H. apply exponential_dp; auto. intros v. specialize (H v). specialize (small v).
  rewrite <- Rabs_Ropp. replace (- (- q v - - q' v)) with (q v - q' v) by lra. lra.
Qed.

Lemma choose_then_learn_dp {V D O} (adj : D -> D -> Prop) score sensitivity e1 e2 delta choose
    (learner : V -> D -> law O) :
  0 <= delta -> private_choice sensitivity e1 choose ->
  (forall s t, adj s t -> forall v, Rabs (score s v - score t v) <= sensitivity v) ->
  (forall v, dp adj e2 delta (learner v)) ->
  dp adj (e1 + e2) delta (choose_then_learn score choose learner).
Proof.
  intros Hd C S L. assert (choice : dp adj e1 0 (fun s => choose (score s))) by (intros s t A; apply C; auto).
  pose proof (adaptive_composition adj e1 0 e2 delta _ learner Hd choice L) as both. now rewrite Rplus_0_l in both.
Qed.

(** One record moves the score of a margin by at most 1. *)
Lemma margin_score_moves {V F H} (value : H -> F -> R) (rho public : V -> R) h0 rest n s t : nb n s t -> forall v,
  Rabs (margin_score value rho public h0 rest n s v - margin_score value rho public h0 rest n t v) <= 1.
Proof.
  intros N v. unfold margin_score. match goal with |- Rabs (?a + ?p - (?b + ?p)) <= _ =>
    replace (a + p - (b + p)) with (a - b) by lra end.
  apply least_moves. intros h _. now apply errors_move.
Qed.

(** bms22.algF: to publish a margin, chosen by the least numbers of margin errors of public candidates and public
    numbers with a choice that is (e1, 0)-private for scores that move by at most 1, and then a candidate by the Gibbs
    learner with e2, is (e1 + e2, 0)-differentially private under substitution. *)
Theorem margin_then_gibbs_dp {V F H} (value : H -> F -> R) (rho public : V -> R) h0 rest some e1 e2 n choose :
  0 <= e2 -> private_choice (fun _ => 1) e1 choose ->
  dp (nb n) (e1 + e2) 0 (choose_then_learn (margin_score value rho public h0 rest n) choose
    (fun _ => gibbs (margin_error value 0) (h0 :: rest) some e2 n)).
Proof.
  intros He C. apply choose_then_learn_dp with (sensitivity := fun _ => 1); [lra | exact C | |].
  - intros s t. apply margin_score_moves.
  - intros _. now apply gibbs_dp.
Qed.

(** One record moves the score of a margin by at most 1 + q, q its ratio. *)
Lemma hinge_score_moves {V r} Lambda (ratio public : V -> R) w0 rest n (s t : data (ball_record r) n) :
  0 < Lambda -> 0 < r -> (forall v, 0 < ratio v) -> Forall (in_ball Lambda) (w0 :: rest) -> nb n s t -> forall v,
  Rabs (hinge_score Lambda ratio public w0 rest n s v - hinge_score Lambda ratio public w0 rest n t v) <= 1 + ratio v.
Proof.
  intros HL Hr Hq B N v. unfold hinge_score. match goal with |- Rabs (?a + ?p - (?b + ?p)) <= _ =>
    replace (a + p - (b + p)) with (a - b) by lra end.
  apply least_moves. intros w I. rewrite Forall_forall in B. specialize (B w I). specialize (Hq v).
  pose proof (hinge_sum_moves Lambda r (Lambda * r / ratio v) w n s t (Rlt_le _ _ HL) (Rlt_le _ _ Hr)) as M.
  replace (Lambda * r / (Lambda * r / ratio v)) with (ratio v) in M by (field; lra). apply M; auto.
  unfold Rdiv. apply Rmult_lt_0_compat; [now apply Rmult_lt_0_compat | now apply Rinv_0_lt_compat].
Qed.

(** bms22.algF.hinge: to publish a margin, chosen by the least sums of hinge losses of public candidates of the ball and
    public numbers with a choice that is (e1, 0)-private for scores that move by at most 1 + q, and then what a learner
    returns that is (e2, delta)-private at each margin, is (e1 + e2, delta)-differentially private under
    substitution. *)
Theorem hinge_then_learn_dp {V O r} Lambda (ratio public : V -> R) w0 rest e1 e2 delta n choose
    (learner : V -> data (ball_record r) n -> law O) :
  0 < Lambda -> 0 < r -> (forall v, 0 < ratio v) -> Forall (in_ball Lambda) (w0 :: rest) -> 0 <= delta ->
  private_choice (fun v => 1 + ratio v) e1 choose -> (forall v, dp (nb n) e2 delta (learner v)) ->
  dp (nb n) (e1 + e2) delta (choose_then_learn (hinge_score Lambda ratio public w0 rest n) choose learner).
Proof.
  intros HL Hr Hq B Hd C L. apply choose_then_learn_dp with (sensitivity := fun v => 1 + ratio v); auto.
  intros s t N. now apply hinge_score_moves.
Qed.

(** bms22.algF.hinge: the least sum of hinge losses of the candidates is at least that over all |w| <= Lambda. *)
Theorem candidates_above_ball {r} Lambda rho w0 rest n (s : data (ball_record r) n) u :
  Forall (in_ball Lambda) (w0 :: rest) -> infimum (in_ball Lambda) (fun w => hinge_sum rho w n s) u ->
  u <= least (fun w => hinge_sum rho w n s) w0 rest.
Proof.
  intros B [L _]. destruct (least_attained (fun w => hinge_sum rho w n s) w0 rest) as [w [I ->]].
  rewrite Forall_forall in B. apply L. now apply B.
Qed.

(** * Utility *)

(** The event that something holds of all margins of a list. *)
Definition at_all {V} (margins : list V) (holds : V -> bool) : R := indicator (forallb holds margins).

Lemma at_all_test {A V} (margins : list V) (holds : A -> V -> bool) : test (fun a => at_all margins (holds a)).
Proof. apply test_indicator. Qed.

(** bms22.lemF_1.corrected: let sample be the law of the data, learner v that of the learner at the margin v, and let
    the bound L v + B v of the risk fail at each fixed v with probability at most beta/|V|. Let the chosen margin have,
    with probability at least 1 - beta, a score that is at most that of every v and extra v (bms22.gem: extra is
    4 D v ln(|V|/beta)/eps). Then with probability at least 1 - 2 beta the risk at the chosen margin is at most
    L v + B v + extra v for every v. *)
Theorem choose_then_learn_utility {S V W} (sample : law S) (choose : (V -> R) -> law V) (learner : V -> S -> law W)
    (risk : W -> R) (L : S -> V -> R) (B extra : V -> R) (margins : list V) (beta : R) :
  margins <> [] -> (forall v, In v margins) ->
  let score := fun s v => L s v + B v in
  (forall v, then_ sample (fun s => relabel (fun w => (s, w)) (learner v s))
    (fun sw => indicator (negb (at_most (risk (snd sw)) (score (fst sw) v)))) <= beta / INR (length margins)) ->
  (forall s, choose (score s)
    (fun v => at_all margins (fun v' => at_most (score s v) (score s v' + extra v'))) >= 1 - beta) ->
  then_ sample (fun s => relabel (fun vw => (s, vw)) (choose_then_learn score choose learner s))
    (fun svw => at_all margins (fun v' => at_most (risk (snd (snd svw))) (score (fst svw) v' + extra v')))
    >= 1 - 2 * beta.
Proof.
  intros some complete score fails chosen. unfold choose_then_learn. cbn [E then_ relabel unit_law fst snd] in *.
  set (fail := fun s v => learner v s (fun w => indicator (negb (at_most (risk w) (score s v))))).
  set (bad := fun s v => 1 - at_all margins (fun v' => at_most (score s v) (score s v' + extra v'))).
  assert (fail_test : forall v, test (fun s => fail s v)) by (intros v s; apply E_test, test_indicator).
  assert (bad_test : forall s, test (bad s)).
  { intros s v. unfold bad.
    pose proof (at_all_test margins (fun v v' => at_most (score s v) (score s v' + extra v')) v). lra. }
  (* The union bound: on data s, what is promised fails only if some margin's bound fails, or the choice is bad. *)
  assert (union : forall s, choose (score s) (fun v => learner v s (fun w =>
    at_all margins (fun v' => at_most (risk w) (score s v' + extra v')))) >= 1 - sum (fail s) margins - beta).
  { intros s.
    set (F := sum (fail s) margins).
    assert (each : forall v, 1 - bad s v - F <= learner v s (fun w =>
      at_all margins (fun v' => at_most (risk w) (score s v' + extra v')))).
    { intros v.
      assert (one : fail s v <= F) by (apply sum_ge_term; [intros; apply (fail_test x s) | apply complete]).
      set (g := fun w => at_all margins (fun v' => at_most (risk w) (score s v' + extra v'))).
      set (f := fun w => indicator (negb (at_most (risk w) (score s v)))).
      assert (Tg : test g) by apply at_all_test. assert (Tf : test f) by apply test_indicator.
      assert (P : 1 - bad s v <= learner v s (fun w => g w + f w)).
      { rewrite <- (E_const (learner v s) (1 - bad s v)).
        apply E_mono; auto using bounded_const, bounded_plus, test_bounded. intros w.
        unfold bad, g, f, at_all. destruct (forallb (fun v' => at_most (score s v) _) margins) eqn:G;
          [|pose proof (Tg w); pose proof (Tf w); unfold g, f, at_all in *; cbn [indicator] in *; lra].
        destruct (at_most (risk w) (score s v)) eqn:A; cbn [negb indicator];
          [|pose proof (Tg w); unfold g, at_all in *; lra].
        replace (forallb _ margins) with true; [simpl; lra|]. symmetry. apply forallb_forall. intros v' I.
        rewrite forallb_forall in G. specialize (G v' I). apply at_most_true in G. apply at_most_true in A.
        apply at_most_true. lra. }
      rewrite E_plus in P by auto using test_bounded. change (learner v s f) with (fail s v) in P. lra. }
    apply Rle_ge. eapply Rle_trans; [|apply E_mono; [| |exact each]].
    - set (b := fun v => at_all margins (fun v' => at_most (score s v) (score s v' + extra v'))).
      assert (Tb : test b) by apply at_all_test.
      rewrite (E_ext _ _ (fun v => b v + - F)); [| | |intros v; unfold bad, b; lra].
      + rewrite E_plus, E_const by auto using test_bounded, bounded_const.
        specialize (chosen s). fold b in chosen. lra.
      + exists (1 + Rabs F + 1). intros v. pose proof (bad_test s v). unfold Rabs.
        destruct (Rcase_abs F), (Rcase_abs (1 - bad s v - F)); lra.
      + apply bounded_plus; auto using test_bounded, bounded_const.
    - exists (1 + Rabs F + 1). intros v. pose proof (bad_test s v). unfold Rabs.
      destruct (Rcase_abs F), (Rcase_abs (1 - bad s v - F)); lra.
    - apply test_bounded. intros v. apply E_test, at_all_test. }
  assert (sums : forall l, bounded (fun s => sum (fail s) l) /\
    sample (fun s => sum (fail s) l) <= INR (length l) * (beta / INR (length margins))).
  { induction l as [|v l [IHb IH]]; [split; [exact (bounded_const 0) | simpl; rewrite E_const; lra]|].
    cbn [sum]. split; [apply bounded_plus; auto; apply test_bounded, fail_test|].
    rewrite E_plus by (auto; apply test_bounded, fail_test).
    change (length (v :: l)) with (Datatypes.S (length l)). rewrite S_INR. specialize (fails v).
    change (sample (fun s => fail s v) <= beta / INR (length margins)) in fails. lra. }
  destruct (sums margins) as [bounded_sum total]. clear sums.
  assert (size : 0 < INR (length margins)) by (apply lt_0_INR; destruct margins; [congruence | simpl; lia]).
  replace (INR (length margins) * (beta / INR (length margins))) with beta in total by (field; lra).
  apply Rle_ge. eapply Rle_trans; [|apply E_mono; [| |intros s; apply Rge_le, union]].
  - rewrite (E_ext _ _ (fun s => (1 - beta) + -1 * sum (fail s) margins)); [| | |intros s; lra].
    + rewrite E_plus, E_const, E_scal by auto using bounded_const, bounded_scal. lra.
    + destruct bounded_sum as [C HC]. exists (1 + C + Rabs beta). intros s. specialize (HC s).
      unfold Rabs in *. destruct (Rcase_abs (sum (fail s) margins)), (Rcase_abs beta), (Rcase_abs _); lra.
    + apply bounded_plus; auto using bounded_const, bounded_scal.
  - destruct bounded_sum as [C HC]. exists (1 + C + Rabs beta). intros s. specialize (HC s).
    unfold Rabs in *. destruct (Rcase_abs (sum (fail s) margins)), (Rcase_abs beta), (Rcase_abs _); lra.
  - apply test_bounded. intros s. apply E_test. intros v. apply E_test, at_all_test.
Qed.

(** bms22.lemF_1.corrected: what holds at a margin g of the grid holds at every rho with rho/2 <= g <= rho, with
    B(rho/2) and D(rho/2) in place of B and D, if L grows with rho, and B and D fall; c stands for
    4 ln(|V|/beta)/eps. *)
Theorem between_margins (L B D : R -> R) c risk g rho : 0 <= c -> rho / 2 <= g <= rho ->
  (forall x y, x <= y -> L x <= L y) -> (forall x y, rho / 2 <= x <= y -> B y <= B x) ->
  (forall x y, rho / 2 <= x <= y -> D y <= D x) ->
  risk <= L g + B g + D g * c -> risk <= L rho + B (rho / 2) + D (rho / 2) * c.
Proof.
  intros Hc [below above] up downB downD bound.
  specialize (up g rho above). specialize (downB (rho / 2) g ltac:(lra)). specialize (downD (rho / 2) g ltac:(lra)).
  nra.
Qed.
