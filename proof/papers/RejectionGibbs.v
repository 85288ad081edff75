(** The Gibbs law by rejection: exact, but the number of draws tells of the data.

    Candidates are drawn from the prior until one is accepted, each with probability exp(-eps errors/2); here the loop
    ends, without a result, after T draws. Given that it ends with a result, the result has the law of the Gibbs
    learner, for every T. The number of rejected draws is geometric, and for no eps' is its law (eps', 0)-private once T
    is large enough: the page has the loop without an end, where each number below T has the same probability.

    Claims: bms22.gibbs.rejection.
*)
Require Import Reals Lra Lia List Bool Arith. Import ListNotations.
From DpAssay Require Import Privacy Neighbours ExponentialMechanism DataLosses MarginErrors GibbsLearner.
Open Scope R_scope.

(** * Rejection *)

(** A coin that is true with probability a. *)
Lemma coin_pos a : 0 <= a <= 1 -> forall b : bool, 0 <= (fun b : bool => if b then a else 1 - a) b.
Proof. intros H [|]; lra. Qed.
Lemma coin_sum a : sum (fun b : bool => if b then a else 1 - a) [true; false] = 1.
Proof. simpl. lra. Qed.
(** A coin that shows true with probability a. *)
Definition coin (a : R) (range : 0 <= a <= 1) : law bool := finite _ [true; false] (coin_pos a range) (coin_sum a).

(** At most T draws from the prior. Some (j, h): j draws were rejected, then h was accepted. None: all were rejected. *)
Fixpoint by_rejection {H} (prior : law H) (accept : H -> R) (range : forall h, 0 <= accept h <= 1) (T : nat) :
    law (option (nat * H)) :=
  match T with
  | O => unit_law None
  | S T' => then_ prior (fun h => then_ (coin (accept h) (range h)) (fun accepted : bool =>
      if accepted then unit_law (Some (0%nat, h))
      else relabel (option_map (fun p => (S (fst p), snd p))) (by_rejection prior accept range T')))
  end.

Section draws.
Context {H : Type} (prior : law H) (accept : H -> R) (range : forall h, 0 <= accept h <= 1).

(** The probability that one draw is accepted. *)
Definition acceptance : R := prior accept.

Lemma by_rejection_step T (F : option (nat * H) -> R) f c : test f ->
  (forall h, F (Some (0%nat, h)) = f h) ->
  by_rejection prior accept range T (fun o => F (option_map (fun p => (S (fst p), snd p)) o)) = c -> 0 <= c <= 1 ->
  by_rejection prior accept range (S T) F = prior (fun h => accept h * f h) + (1 - acceptance) * c.
Proof.
  intros Tf now later c_range. cbn [by_rejection E then_ coin finite sum].
  assert (Ta : test accept) by exact range.
  assert (Tp : test (fun h => accept h * f h)) by (intros h; pose proof (range h); specialize (Tf h); nra).
  assert (Tr : bounded (fun h => c + - c * accept h))
    by (apply bounded_plus; [apply bounded_const | now apply bounded_scal, test_bounded]).
  rewrite (E_ext prior _ (fun h => accept h * f h + (c + - c * accept h))).
  - rewrite E_plus by (auto; now apply test_bounded).
    rewrite E_plus, E_const, E_scal by (auto using bounded_const; try apply bounded_scal; now apply test_bounded).
    unfold acceptance. lra.
  - exists 2. intros h. cbn [E unit_law relabel then_]. rewrite now, later.
    pose proof (range h). specialize (Tf h). rewrite Rabs_pos_eq; nra.
  - apply bounded_plus; [now apply test_bounded | exact Tr].
  - intros h. cbn [E unit_law relabel then_]. rewrite now, later. lra.
Qed.

(** What is published of a result: the hypothesis, without the number of draws. *)
Definition published (f : H -> R) (o : option (nat * H)) : R := match o with Some (_, h) => f h | None => 0 end.

(** Whether exactly j draws were rejected before one was accepted. *)
Definition rejected (j : nat) (o : option (nat * H)) : R :=
  match o with Some (i, _) => indicator (i =? j)%nat | None => 0 end.

Lemma acceptance_range : 0 <= acceptance <= 1.
Proof. apply E_test. exact range. Qed.

Lemma pow_unit a T : 0 <= a <= 1 -> 0 <= a ^ T <= 1.
Proof. intros Ha. induction T as [|T IH]; simpl; [lra|]. nra. Qed.

Lemma published_probability T f : test f -> 0 < acceptance ->
  by_rejection prior accept range T (published f)
    = (1 - (1 - acceptance) ^ T) * (prior (fun h => accept h * f h) / acceptance).
Proof.
  intros Tf pos. pose proof acceptance_range as A.
  induction T as [|T IH]; [simpl; lra|].
  assert (Tp : test (published f)) by (intros [[i h]|]; simpl; [apply Tf | lra]).
  assert (same : by_rejection prior accept range T
      (fun o => published f (option_map (fun p => (S (fst p), snd p)) o))
    = by_rejection prior accept range T (published f)).
  { apply E_ext; [apply test_bounded; intros o; apply Tp | now apply test_bounded | intros [[i h]|]; reflexivity]. }
  rewrite (by_rejection_step T (published f) f _ Tf (fun h => eq_refl) same) by now apply E_test.
  rewrite IH. simpl. field. lra.
Qed.

(** The number of rejected draws is geometric. *)
Lemma rejected_probability j : forall T, (j < T)%nat ->
  by_rejection prior accept range T (rejected j) = acceptance * (1 - acceptance) ^ j.
Proof.
  pose proof acceptance_range as A. assert (Tr : forall j, test (rejected j))
    by (intros i [[k h]|]; simpl; [apply indicator_range | lra]).
  induction j as [|j IH]; intros [|T] L; try lia.
  - rewrite (by_rejection_step T (rejected 0) (fun _ => 1) 0); [| intros h; lra | reflexivity | | lra].
    + rewrite Rmult_0_r, Rplus_0_r, pow_O, Rmult_1_r. apply E_ext; [| now apply test_bounded | intros; lra].
      apply test_bounded. intros h. pose proof (range h). lra.
    + rewrite (E_ext _ _ (fun _ => 0)); [apply E_const | | apply bounded_const | intros [[k h]|]; reflexivity].
      apply test_bounded. intros o. apply Tr.
  - assert (later : by_rejection prior accept range T
      (fun o => rejected (S j) (option_map (fun p => (S (fst p), snd p)) o)) = acceptance * (1 - acceptance) ^ j).
    { rewrite <- (IH T) by lia. apply E_ext; [| now apply test_bounded | intros [[k h]|]; reflexivity].
      apply test_bounded. intros o. apply Tr. }
    pose proof (pow_unit (1 - acceptance) j ltac:(lra)).
    rewrite (by_rejection_step T (rejected (S j)) (fun _ => 0) (acceptance * (1 - acceptance) ^ j));
      [| intros h; lra | reflexivity | exact later | nra].
    rewrite (E_ext prior _ (fun _ => 0)); [| | apply bounded_const | intros; lra].
    + rewrite E_const. simpl. lra.
    + apply test_bounded. intros h. lra.
Qed.
End draws.

(** * The Gibbs law *)

(** The uniform law on a list of candidates. *)
Lemma uniform_sum {H} (l : list H) : l <> [] -> sum (fun _ : H => / INR (length l)) l = 1.
Proof.
  intros some. assert (const : forall c, sum (fun _ : H => c) l = INR (length l) * c).
  { intros c. clear some. induction l as [|h l IH]; [simpl; lra|].
    change (length (h :: l)) with (S (length l)). rewrite S_INR. cbn [sum]. rewrite IH. lra. }
  rewrite const. apply Rinv_r. destruct l; [congruence|]. apply not_0_INR. simpl. lia.
Qed.
Lemma uniform_pos {H} (l : list H) (h : H) : 0 <= (fun _ : H => / INR (length l)) h.
Proof.
  destruct l; [simpl; rewrite Rinv_0; lra|]. left. apply Rinv_0_lt_compat, lt_0_INR. simpl. lia.
Qed.
Definition uniform {H} (l : list H) (some : l <> []) : law H := finite _ l (uniform_pos l) (uniform_sum l some).

(** A draw is accepted with probability exp(-eps errors/2). *)
Definition accept_by_errors {H X} (wrong : H -> X -> bool) eps n (s : data X n) (h : H) : R :=
  exp (- (eps * errors (wrong h) n s / 2)).
Lemma accept_range {H X} (wrong : H -> X -> bool) eps n (s : data X n) : 0 <= eps -> forall h,
  0 <= accept_by_errors wrong eps n s h <= 1.
Proof.
  intros He h. unfold accept_by_errors. split; [left; apply exp_pos|]. rewrite <- exp_0.
  pose proof (errors_range (wrong h) n s) as [P _].
  assert (L : - (eps * errors (wrong h) n s / 2) <= 0) by nra.
  destruct L as [L | ->]; [left; now apply exp_increasing | lra].
Qed.

(** Rejection from the uniform prior on the candidates, with at most T draws. *)
Definition rejection_learner {H X} (wrong : H -> X -> bool) (candidates : list H) some eps (He : 0 <= eps) T n
    (s : data X n) : law (option (nat * H)) :=
  by_rejection (uniform candidates some) (accept_by_errors wrong eps n s) (accept_range wrong eps n s He) T.

(** bms22.gibbs.rejection: given that it ends with a result within T draws, the hypothesis has the law of the Gibbs
    learner: its probability is that of the learner times that of a result. *)
Theorem rejection_is_gibbs {H X} (wrong : H -> X -> bool) candidates some eps He T n (s : data X n) f : test f ->
  rejection_learner wrong candidates some eps He T n s (published f)
    = rejection_learner wrong candidates some eps He T n s (published (fun _ => 1))
      * gibbs wrong candidates some eps n s f.
Proof.
  intros Tf. unfold rejection_learner. set (accept := accept_by_errors wrong eps n s).
  set (range := accept_range wrong eps n s He). set (prior := uniform candidates some).
  set (N := INR (length candidates)).
  assert (HN : 0 < N) by (apply lt_0_INR; destruct candidates; [congruence | simpl; lia]).
  assert (prior_sum : forall g, prior (fun h => accept h * g h) = / N * sum (fun h => accept h * g h) candidates)
    by (intros g; unfold prior, uniform; cbn [E finite]; apply sum_scal).
  set (W := sum (weight eps 1 (fun h => - errors (wrong h) n s)) candidates).
  assert (HW : 0 < W) by (apply total; exact some).
  assert (weights : forall h, accept h = weight eps 1 (fun h => - errors (wrong h) n s) h)
    by (intros h; unfold accept, accept_by_errors, weight; f_equal; lra).
  assert (one : prior accept = / N * W).
  { transitivity (prior (fun h => accept h * 1)).
    - apply E_ext; [apply test_bounded; exact range | apply test_bounded | intros; lra].
      intros h. pose proof (range h) as K. change (0 <= accept h <= 1) in K. lra.
    - rewrite prior_sum. f_equal. unfold W. apply sum_ext. intros h. rewrite weights. lra. }
  assert (HZ : 0 < acceptance prior accept)
    by (unfold acceptance; rewrite one; apply Rmult_lt_0_compat; [now apply Rinv_0_lt_compat | exact HW]).
  assert (T1 : test (fun _ : H => 1)) by (intros h; lra).
  rewrite !published_probability by auto.
  assert (law_f : gibbs wrong candidates some eps n s f = / W * sum (fun h => accept h * f h) candidates).
  { unfold gibbs, by_loss, exponential. cbn [E finite]. unfold em. fold W. rewrite <- sum_scal. apply sum_ext.
    intros h. rewrite weights. lra. }
  rewrite law_f, !prior_sum. unfold acceptance. rewrite one.
  replace (sum (fun h => accept h * 1) candidates) with W
    by (unfold W; apply sum_ext; intros h; rewrite weights; lra).
  field. lra.
Qed.

(** * The number of draws *)

Lemma double_beyond x : exists j, x < 2 ^ j.
Proof.
  destruct (Pow_x_infinity 2) with (b := Rabs x + 1) as [j H]; [rewrite Rabs_pos_eq; lra|].
  exists j. specialize (H j (le_n j)). rewrite Rabs_pos_eq in H by (apply pow_le; lra).
  pose proof (Rle_abs x). lra.
Qed.

(** bms22.gibbs.rejection: there are candidates on the line such that at every eps > 0, for no eps', rejection with at
    most T draws, which publishes the number of draws too, is (eps', 0)-differentially private on datasets of one
    record, once T is large enough. *)
Theorem rejection_not_dp : exists (candidates : list vector) some, forall eps (He : 0 <= eps), 0 < eps ->
  forall eps', exists T0, forall T, (T0 <= T)%nat ->
  ~ dp (nb 1) eps' 0 (rejection_learner halfspace_error candidates some eps He T 1).
Proof.
  (* Of three candidates one or two err, whatever the label of the one record. *)
  set (candidates := [[1]; [1]; [-1]] : list vector). assert (some : candidates <> []) by discriminate.
  exists candidates, some. intros eps He pos eps'.
  destruct (double_beyond (3 * exp eps')) as [j beyond]. exists (S j). intros T HT D.
  set (s := (([1], false), tt) : data (vector * bool) 1). set (t := (([1], true), tt) : data (vector * bool) 1).
  specialize (D s t (or_introl eq_refl) (rejected j)).
  assert (Tr : test (@rejected vector j)) by (intros [[k h]|]; simpl; [apply indicator_range | lra]).
  specialize (D Tr). unfold rejection_learner in D. rewrite !rejected_probability in D by lia.
  set (e := exp (- (eps / 2))).
  assert (He' : 0 < e < 1) by (split; [apply exp_pos | rewrite <- exp_0; apply exp_increasing; lra]).
  assert (right : forall w x label, 0 < sign label * (w * x) ->
    accept_by_errors halfspace_error eps 1 ((([x], label), tt) : data (vector * bool) 1) [w] = 1).
  { intros w x label P. unfold accept_by_errors, errors, halfspace_error, margin_error. cbn [total_loss fst snd].
    replace (at_most _ 0) with false by (symmetry; apply at_most_false; simpl; lra). simpl indicator.
    rewrite <- exp_0. f_equal. lra. }
  assert (wrong : forall w x label, sign label * (w * x) <= 0 ->
    accept_by_errors halfspace_error eps 1 ((([x], label), tt) : data (vector * bool) 1) [w] = e).
  { intros w x label P. unfold accept_by_errors, errors, halfspace_error, margin_error. cbn [total_loss fst snd].
    replace (at_most _ 0) with true by (symmetry; apply at_most_true; simpl; lra). simpl indicator.
    unfold e. f_equal. lra. }
  assert (Zs : acceptance (uniform candidates some) (accept_by_errors halfspace_error eps 1 s) = (1 + 2 * e) / 3).
  { unfold acceptance, uniform, candidates, s. cbn [E finite sum length].
    rewrite (wrong 1 1 false), (right (-1) 1 false) by (simpl; lra). simpl INR. lra. }
  assert (Zt : acceptance (uniform candidates some) (accept_by_errors halfspace_error eps 1 t) = (2 + e) / 3).
  { unfold acceptance, uniform, candidates, t. cbn [E finite sum length].
    rewrite (right 1 1 true), (wrong (-1) 1 true) by (simpl; lra). simpl INR. lra. }
  rewrite Zs, Zt in D.
  replace (1 - (1 + 2 * e) / 3) with (2 * ((1 - e) / 3)) in D by lra.
  replace (1 - (2 + e) / 3) with ((1 - e) / 3) in D by lra. rewrite Rpow_mult_distr in D.
  assert (P : 0 < ((1 - e) / 3) ^ j) by (apply pow_lt; lra). set (p := ((1 - e) / 3) ^ j) in *.
  pose proof (exp_pos eps') as X.
  assert (low : 1 / 3 * (2 ^ j * p) <= (1 + 2 * e) / 3 * (2 ^ j * p))
    by (apply Rmult_le_compat_r; [|lra]; apply Rmult_le_pos; [apply pow_le; lra | lra]).
  assert (high : exp eps' * ((2 + e) / 3 * p) <= exp eps' * p) by (apply Rmult_le_compat_l; [lra|]; nra).
  assert (3 * exp eps' * p < 2 ^ j * p) by (apply Rmult_lt_compat_r; lra). lra.
Qed.
