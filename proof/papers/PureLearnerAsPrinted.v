(** Algorithm 2 as printed: private where no A x is 0, and not private elsewhere.

    The printed learner projects every record to A x/|A x|. If A sends a record to 0, there is no such vector and the
    learner has no result. "No result" is an output here, `None`.
    - `printed_algorithm_2_is_private`: on events (A, w) such that A sends no record of S or S' to 0, the probabilities
      under S and S' are within a factor of e^epsilon. The law of A and the net W are any.
    - `printed_algorithm_2_is_not_private`: for A with independent fair entries +-1/sqrt m, "no result" has probability
      2^-m on S = {(1,-1)/sqrt 2} and 0 on S' = {(1,0)}. So the learner is (epsilon, 0)-private for no epsilon.
    Statements as on the page.

    Claims: nuz20.alg2, nuz20.thm10.
*)
Require Import Reals Lra Lia List Bool. Import ListNotations.
From DpAssay Require Import Privacy Composition Neighbours ExponentialMechanism RealVectors Events PureLearner.
Open Scope R_scope.

(** Does A send some record to 0? *)
Fixpoint some_vanishes (A : matrix) n : data example n -> bool :=
  match n with O => fun _ => false | S m => fun s => is_zero (image A (fst (fst s))) || some_vanishes A m (snd s) end.
Definition printed_is_bad (gamma : R) (A : matrix) (r : example) (w : vector) : bool :=
  if Rlt_dec (projected_margin A r w) (gamma / 10) then true else false.
(** None: no result. *)
Definition printed_algorithm_2 (law_of_A : law matrix) W (W_nonempty : W <> []) eps gamma {n} (s : data example n) :
  law (option (matrix * vector)) :=
  then_ law_of_A (fun A => if some_vanishes A n s then unit_law None
    else relabel (fun w => Some (A, w)) (choose_w W W_nonempty eps (printed_is_bad gamma) s A)).
(** An event about (A, w), as one about the output. *)
Definition on_results (f : matrix * vector -> R) (o : option (matrix * vector)) : R :=
  match o with Some result => f result | None => 0 end.

(** nuz20.alg2: on data and matrices with A x <> 0 for all records, Algorithm 2 with the weights e^(-epsilon bad/2) has
    Pr[(A,w) | S] <= e^epsilon Pr[(A,w) | S'] for all neighbours under substitution. *)
Theorem printed_algorithm_2_is_private law_of_A W (W_nonempty : W <> []) eps gamma n (s s' : data example n) event :
  0 <= eps -> nb n s s' -> test event ->
  (forall A w, some_vanishes A n s = true \/ some_vanishes A n s' = true -> event (A, w) = 0) ->
  printed_algorithm_2 law_of_A W W_nonempty eps gamma s (on_results event)
    <= exp eps * printed_algorithm_2 law_of_A W W_nonempty eps gamma s' (on_results event).
Proof.
  intros Eps N Te Zero.
  assert (T : test (on_results event)) by (intros [p|]; simpl; [apply Te | lra]).
  unfold printed_algorithm_2. cbn [E then_].
  set (given := fun u A => (if some_vanishes A n u then unit_law None
    else relabel (fun w => Some (A, w)) (choose_w W W_nonempty eps (printed_is_bad gamma) u A)) (on_results event)).
  assert (Tg : forall u, test (given u)) by (intros u A; now apply E_test).
  change (law_of_A (given s) <= exp eps * law_of_A (given s')).
  rewrite <- E_scal by now apply test_bounded. apply E_mono; auto using bounded_scal, test_bounded.
  intros A. pose proof (Tg s' A) as Positive. pose proof (exp_pos eps) as Factor.
  assert (vanishing : some_vanishes A n s = true \/ some_vanishes A n s' = true -> given s A = 0).
  { intros V. pose proof (fun w => Zero A w V) as Z. unfold given. destruct (some_vanishes A n s); [easy|].
    cbn [E relabel then_ unit_law on_results].
    transitivity (choose_w W W_nonempty eps (printed_is_bad gamma) s A (fun _ => 0)); [|apply E_const].
    apply E_ext; [apply test_bounded; intros w; apply Te | apply bounded_const|]. intros w. apply Z. }
  destruct (some_vanishes A n s) eqn:V; [rewrite vanishing by auto; nra|].
  destruct (some_vanishes A n s') eqn:V'; [rewrite vanishing by auto; nra|].
  unfold given. rewrite V, V'. cbn [E relabel then_ unit_law on_results].
  rewrite <- (Rplus_0_r (exp eps * _)).
  apply (choose_w_is_private W W_nonempty eps Eps (printed_is_bad gamma) n A s s' N). intros w. apply Te.
Qed.

(** The counterexample. *)
(** k independent draws. *)
Fixpoint draws {X} (d : law X) (k : nat) : law (list X) :=
  match k with O => unit_law [] | S j => then_ d (fun x => relabel (cons x) (draws d j)) end.
(** m rows of d independent fair entries +-1/sqrt m: the law of ProjectionNorm.v, entry by entry. *)
Definition entry (m : nat) : law R := relabel (fun b => sign b / sqrt (INR m)) coin.
Definition sign_matrix (m d : nat) : law matrix := draws (draws (entry m) d) m.
Definition diagonal : example := ([1 / sqrt 2; - (1 / sqrt 2)], true).
Definition first_axis : example := ([1; 0], true).
Definition no_result {X} (o : option X) : R := match o with None => 1 | Some _ => 0 end.

Lemma probability_of_no_result law_of_A W (W_nonempty : W <> []) eps gamma (r : example) :
  printed_algorithm_2 law_of_A W W_nonempty eps gamma ((r, tt) : data example 1) no_result
    = law_of_A (fun A => indicator (is_zero (image A (fst r)))).
Proof.
  unfold printed_algorithm_2. cbn [E then_]. apply E_ext; [| |intros A].
  - apply test_bounded. intros A. apply E_test. intros [p|]; simpl; lra.
  - apply test_bounded. intros A. destruct (is_zero _); simpl; lra.
  - cbn [some_vanishes fst snd]. rewrite orb_false_r. destruct (is_zero _); [easy|].
    cbn [relabel then_ E unit_law no_result]. apply E_const.
Qed.

(** The rows are independent. *)
Lemma all_rows_vanish (row : law vector) x k :
  draws row k (fun A => indicator (is_zero (image A x))) = row (fun v => indicator (is_zero [inner v x])) ^ k.
Proof.
  induction k as [|k IH]; [easy|].
  assert (Ti : forall v, test (fun A => indicator (is_zero (image (v :: A) x))))
    by (intros v A; destruct (is_zero _); simpl; lra).
  assert (Tr : test (fun v => indicator (is_zero [inner v x]))) by (intros v; destruct (is_zero _); simpl; lra).
  rewrite <- tech_pow_Rmult, <- IH, Rmult_comm, <- E_scal by now apply test_bounded.
  cbn [draws E then_ relabel unit_law]. apply E_ext.
  - apply test_bounded. intros v. apply E_test. intros A. apply Ti.
  - now apply bounded_scal, test_bounded.
  - intros v. rewrite Rmult_comm. rewrite <- E_scal by (apply test_bounded; intros A; destruct (is_zero _); simpl; lra).
    apply E_ext; [now apply test_bounded | |].
    { apply bounded_scal, test_bounded. intros A. destruct (is_zero _); simpl; lra. }
    intros A. cbn [image map is_zero forallb]. destruct (Req_EM_T (inner v x) 0); simpl; [now rewrite Rmult_1_l | lra].
Qed.

(** The four rows of two signs. *)
Lemma random_row m (f : vector -> R) : let e := 1 / sqrt (INR m) in
  draws (entry m) 2 f = (f [e; e] + f [e; - e] + f [- e; e] + f [- e; - e]) / 4.
Proof.
  intros e. assert (minus : -1 / sqrt (INR m) = - e) by (unfold e, Rdiv; lra).
  cbn [draws E then_ relabel unit_law entry coin finite sum sign]. rewrite minus. fold e. lra.
Qed.

Lemma indicator_zero c : indicator (is_zero [c]) = if Req_EM_T c 0 then 1 else 0.
Proof. simpl. now destruct (Req_EM_T c 0). Qed.

Lemma diagonal_vanishes m : (0 < m)%nat ->
  sign_matrix m 2 (fun A => indicator (is_zero (image A (fst diagonal)))) = (1 / 2) ^ m.
Proof.
  intros M. unfold sign_matrix. rewrite all_rows_vanish, random_row. f_equal.
  assert (E : 0 < 1 / sqrt (INR m)) by (apply Rdiv_lt_0_compat; [lra | now apply sqrt_lt_R0, lt_0_INR]).
  assert (C : 0 < 1 / sqrt 2) by (apply Rdiv_lt_0_compat; [lra | apply sqrt_lt_R0; lra]).
  set (e := 1 / sqrt (INR m)) in *. cbn [diagonal fst inner]. set (c := 1 / sqrt 2) in *. rewrite !indicator_zero.
  assert (0 < e * c) by now apply Rmult_lt_0_compat.
  repeat match goal with |- context [Req_EM_T ?a 0] => destruct (Req_EM_T a 0) end; lra.
Qed.

Lemma first_axis_stays m : (0 < m)%nat ->
  sign_matrix m 2 (fun A => indicator (is_zero (image A (fst first_axis)))) = 0.
Proof.
  intros M. unfold sign_matrix. rewrite all_rows_vanish, random_row.
  assert (E : 0 < 1 / sqrt (INR m)) by (apply Rdiv_lt_0_compat; [lra | now apply sqrt_lt_R0, lt_0_INR]).
  set (e := 1 / sqrt (INR m)) in *. cbn [first_axis fst inner]. rewrite !indicator_zero.
  repeat match goal with |- context [Req_EM_T ?a 0] => destruct (Req_EM_T a 0); [lra|] end.
  replace ((0 + 0 + 0 + 0) / 4) with 0 by lra. apply pow_i. lia.
Qed.

(** nuz20.thm10: "no result" has probability 2^-m on {(1,-1)/sqrt 2} and 0 on {(1,0)}, for every m; so Algorithm 2 as
    printed is (epsilon, 0)-private for no epsilon. *)
Theorem printed_algorithm_2_is_not_private m W (W_nonempty : W <> []) eps gamma : (0 < m)%nat ->
  let learner s := @printed_algorithm_2 (sign_matrix m 2) W W_nonempty eps gamma 1 s in
  learner (diagonal, tt) no_result = (1 / 2) ^ m /\ learner (first_axis, tt) no_result = 0 /\
  forall eps', ~ dp (nb 1) eps' 0 learner.
Proof.
  intros M learner.
  assert (some : learner (diagonal, tt) no_result = (1 / 2) ^ m)
    by (unfold learner; now rewrite probability_of_no_result, diagonal_vanishes).
  assert (none : learner (first_axis, tt) no_result = 0)
    by (unfold learner; now rewrite probability_of_no_result, first_axis_stays).
  repeat split; try easy. intros eps' Private.
  specialize (Private (diagonal, tt) (first_axis, tt) (or_introl eq_refl) no_result).
  rewrite some, none in Private. assert (0 < (1 / 2) ^ m) by (apply pow_lt; lra).
  enough ((1 / 2) ^ m <= exp eps' * 0 + 0) by lra. apply Private. intros [p|]; simpl; lra.
Qed.
