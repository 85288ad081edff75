(** Exact composition of mechanisms with a delta.

    k mechanisms, each chosen by the outcomes of those before and each (eps, d)-private, are (epsilon, delta)-private
    together for every real epsilon, with
      delta = 1 - (1 - d)^k (1 - optimal_delta eps k epsilon),
    where optimal_delta is the binomial sum for d = 0. This is exact: k randomised responses, each of which fails openly
    with probability d, are (epsilon, delta)-private for no smaller delta. In closed form: with
    epsilon = k eps tanh(eps/2) + eps sqrt(2 k ln(1/slack)), delta is at most 1 - (1 - slack) (1 - d)^k.
    These are Theorems 3.3 and 3.4 of Kairouz, Oh and Viswanath (2015), the first for every epsilon, with laws over any
    outcomes. The proof of the first differs: it needs no structure theorem, only two tests in each round.

    The page of the samplers lists both among what the library composes with.

    Claims: none.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy RandomisedResponse LikelihoodMoments RandomisedResponseIsWorst
  RandomisedResponseMoment AdvancedComposition OptimalComposition.
Open Scope R_scope.

(** The delta of k randomised responses that fail openly with probability d. *)
Definition optimal_delta_with (eps d : R) (k : nat) (epsilon : R) : R :=
  1 - (1 - d) ^ k * (1 - optimal_delta eps k epsilon).

(** * No mechanisms do worse *)

(** Closeness on a test scaled by K. *)
Lemma close_scaled {O} eps d (p q : law O) (h : O -> R) K : close eps d p q -> 0 <= K -> (forall o, 0 <= h o <= K) ->
  p h <= exp eps * q h + d * K.
Proof.
  intros H [positive | <-] Hh.
  - assert (B : bounded h).
    { exists K. intros o. specialize (Hh o). rewrite Rabs_pos_eq; lra. }
    assert (scaled : test (fun o => / K * h o)).
    { intros o. specialize (Hh o). assert (0 < / K) by now apply Rinv_0_lt_compat.
      assert (/ K * K = 1) by (apply Rinv_l; lra). nra. }
    specialize (H _ scaled). rewrite !E_scal in H by auto. apply (Rmult_le_compat_l K) in H; [|lra].
    replace (K * (/ K * p h)) with (p h) in H by (field; lra).
    replace (K * (exp eps * (/ K * q h) + d)) with (exp eps * q h + d * K) in H by (field; lra). exact H.
  - assert (B : bounded h).
    { exists 0. intros o. specialize (Hh o). rewrite Rabs_pos_eq; lra. }
    pose proof (E_range p h B 0 0 Hh). pose proof (E_range q h B 0 0 Hh). pose proof (exp_pos eps). nra.
Qed.

(** One mechanism and what follows it, of which F - x G is below V x for every x > 0. *)
Lemma difference_step_with {O} eps d (p q : law O) (F G : O -> R) (V : R -> R) :
  0 < eps -> close eps d p q -> close eps d q p -> test F -> test G ->
  (forall o x, 0 < x -> F o - x * G o <= V x) ->
  (forall x y, 0 < x <= y -> V y <= V x) ->
  (forall x a, 0 < x -> 1 <= a -> 1 - V (a * x) <= a * (1 - V x)) ->
  forall x, 0 < x ->
  p F - x * q G <= 1 - (1 - d) * (1 - (exp eps * V (x * exp (- eps)) + V (x * exp eps)) / (1 + exp eps)).
Proof.
  intros He pq qp TF TG H falls slow x Hx.
  assert (inverse : exp eps * exp (- eps) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (c1 : 1 < exp eps) by (rewrite <- exp_0; now apply exp_increasing).
  pose proof (exp_pos (- eps)) as m0.
  assert (F_above : forall o, F o <= V (x * exp (- eps)) + x * exp (- eps) * G o).
  { intros o. specialize (H o (x * exp (- eps)) ltac:(apply Rmult_lt_0_compat; auto)). lra. }
  assert (F_below : forall o, F o <= V (x * exp eps) + x * exp eps * G o).
  { intros o. specialize (H o (x * exp eps) ltac:(apply Rmult_lt_0_compat; lra)). lra. }
  assert (V21 : V (x * exp eps) <= V (x * exp (- eps))).
  { apply falls. split; [apply Rmult_lt_0_compat; auto|]. apply Rmult_le_compat_l; nra. }
  assert (W21 : 1 - V (x * exp eps) <= exp eps * exp eps * (1 - V (x * exp (- eps)))).
  { replace (x * exp eps) with (exp eps * exp eps * (x * exp (- eps))).
    - apply slow; [apply Rmult_lt_0_compat; auto | nra].
    - replace (exp eps * exp eps * (x * exp (- eps))) with (x * exp eps * (exp eps * exp (- eps))) by ring.
      rewrite inverse. ring. }
  set (c := exp eps) in *. set (m := exp (- eps)) in *. set (V1 := V (x * m)) in *. set (V2 := V (x * c)) in *.
  assert (mc : 0 < c - m) by nra. assert (m1 : m < 1) by nra.
  (* The point (u, v) where the two lines that bound F over G cross. *)
  set (v := (V1 - V2) / (x * (c - m))). set (u := V1 + x * m * v).
  assert (Hxc : 0 < x * (c - m)) by (now apply Rmult_lt_0_compat).
  assert (v0 : 0 <= v) by (apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]).
  assert (cross : x * (c - m) * v = V1 - V2) by (unfold v; field; lra).
  assert (below : u - x * c * v = V2) by (unfold u; lra).
  assert (u1 : u <= 1).
  { assert (Eu : (c * c - 1) * (1 - u) = c * c * (1 - V1) - (1 - V2)).
    { assert (xv : x * v * (c * c - 1) = c * (V1 - V2)).
      { rewrite <- cross. replace (c * (x * (c - m) * v)) with (x * v * (c * c - c * m)) by ring. rewrite inverse.
        ring. }
      unfold u. replace ((c * c - 1) * (1 - (V1 + x * m * v))) with
        ((c * c - 1) * (1 - V1) - m * (x * v * (c * c - 1))) by ring.
      rewrite xv. replace (m * (c * (V1 - V2))) with (c * m * (V1 - V2)) by ring. rewrite inverse. ring. }
    assert (0 < c * c - 1) by nra. nra. }
  assert (mean : (c * V1 + V2) / (1 + c) = u - x * v).
  { apply Rmult_eq_reg_r with (1 + c); [|lra]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
    rewrite <- below. replace V1 with (u - x * m * v) by (unfold u; ring).
    replace ((c * (u - x * m * v) + (u - x * c * v)) * 1) with (c * u - c * m * (x * v) + u - x * c * v) by ring.
    rewrite inverse. ring. }
  rewrite mean. clear H falls slow mean W21.
  (* What G has beyond v, cut off where F is 1, and what it lacks of v. *)
  set (beyond := fun o => Rmax 0 (G o - v)). set (low := fun o => Rmax 0 (v - G o)).
  set (high := fun o => Rmin (1 - u) (x * m * beyond o)).
  assert (Hxm : 0 < x * m) by (now apply Rmult_lt_0_compat).
  assert (parts : forall o, 0 <= high o <= 1 - u /\ high o <= x * m * beyond o /\ 0 <= low o <= v /\
    0 <= beyond o <= 1 /\ G o = v + beyond o - low o /\ F o <= u + high o - x * c * low o).
  { intros o. specialize (TF o). specialize (TG o). specialize (F_above o). specialize (F_below o).
    unfold high, low, beyond. destruct (Rle_lt_dec v (G o)) as [above | lacking].
    - rewrite (Rmax_right 0 (G o - v)), (Rmax_left 0 (v - G o)) by lra.
      assert (0 <= x * m * (G o - v)) by (apply Rmult_le_pos; lra).
      assert (F o <= u + x * m * (G o - v)) by (unfold u; lra).
      pose proof (Rmin_l (1 - u) (x * m * (G o - v))). pose proof (Rmin_r (1 - u) (x * m * (G o - v))).
      assert (0 <= Rmin (1 - u) (x * m * (G o - v))) by (apply Rmin_glb; lra).
      assert (F o - u <= Rmin (1 - u) (x * m * (G o - v))) by (apply Rmin_glb; lra).
      repeat split; lra.
    - rewrite (Rmax_left 0 (G o - v)), (Rmax_right 0 (v - G o)) by lra. rewrite Rmult_0_r, Rmin_right by lra.
      repeat split; lra. }
  assert (Bhigh : bounded high).
  { exists (1 - u). intros o. destruct (parts o) as [? _]. rewrite Rabs_pos_eq; lra. }
  assert (Blow : bounded low).
  { exists v. intros o. destruct (parts o) as (_ & _ & ? & _). rewrite Rabs_pos_eq; lra. }
  pose proof (close_scaled eps d p q high (1 - u) pq ltac:(lra) ltac:(intros o; apply parts)) as p_high.
  pose proof (close_scaled eps d q p low v qp v0 ltac:(intros o; apply parts)) as q_low. fold c in p_high, q_low.
  assert (pF : p F <= p (fun o => u + (high o + - (x * c) * low o))).
  { apply E_mono; auto using test_bounded, bounded_plus, bounded_const, bounded_scal.
    intros o. destruct (parts o) as (_ & _ & _ & _ & _ & ?). lra. }
  rewrite !E_plus, E_const, E_scal in pF by auto using bounded_plus, bounded_const, bounded_scal.
  assert (qG : q (fun o => x * v + (c * high o + - x * low o)) <= q (fun o => x * G o)).
  { apply E_mono; auto using test_bounded, bounded_plus, bounded_const, bounded_scal.
    intros o. destruct (parts o) as (_ & short & _ & _ & EG & _). rewrite EG.
    apply (Rmult_le_compat_l c) in short; [|lra].
    replace (c * (x * m * beyond o)) with (c * m * (x * beyond o)) in short by ring. rewrite inverse in short. lra. }
  rewrite !E_plus, !E_const, !E_scal in qG
    by auto using test_bounded, bounded_plus, bounded_const, bounded_scal.
  apply (Rmult_le_compat_l x) in q_low; [|lra]. nra.
Qed.

(** The largest difference falls in x, and 1 less it grows at most as x does. *)
Lemma largest_difference_falls eps k : forall x y, x <= y -> largest_difference eps k y <= largest_difference eps k x.
Proof.
  pose proof (exp_pos eps) as He. pose proof (exp_pos (- eps)).
  induction k as [|k IH]; intros x y Hxy; cbn [largest_difference].
  - apply Rle_max_compat_l. lra.
  - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
    pose proof (IH (x * exp (- eps)) (y * exp (- eps)) ltac:(apply Rmult_le_compat_r; lra)) as H1.
    pose proof (IH (x * exp eps) (y * exp eps) ltac:(apply Rmult_le_compat_r; lra)) as H2.
    apply (Rmult_le_compat_l (exp eps)) in H1; lra.
Qed.

Lemma largest_difference_slow eps k : forall x a, 0 < x -> 1 <= a ->
  1 - largest_difference eps k (a * x) <= a * (1 - largest_difference eps k x).
Proof.
  pose proof (exp_pos eps) as He. pose proof (exp_pos (- eps)).
  induction k as [|k IH]; intros x a Hx Ha; cbn [largest_difference].
  - unfold Rmax. destruct (Rle_dec 0 (1 - a * x)), (Rle_dec 0 (1 - x)); nra.
  - pose proof (IH (x * exp (- eps)) a ltac:(apply Rmult_lt_0_compat; auto) Ha) as H1.
    pose proof (IH (x * exp eps) a ltac:(apply Rmult_lt_0_compat; auto) Ha) as H2.
    rewrite !Rmult_assoc. set (A1 := largest_difference eps k (a * (x * exp (- eps)))) in *.
    set (A2 := largest_difference eps k (a * (x * exp eps))) in *.
    set (B1 := largest_difference eps k (x * exp (- eps))) in *.
    set (B2 := largest_difference eps k (x * exp eps)) in *.
    apply Rmult_le_reg_r with (1 + exp eps); [lra|].
    replace ((1 - (exp eps * A1 + A2) / (1 + exp eps)) * (1 + exp eps)) with (exp eps * (1 - A1) + (1 - A2))
      by (field; lra).
    replace (a * (1 - (exp eps * B1 + B2) / (1 + exp eps)) * (1 + exp eps))
      with (exp eps * (a * (1 - B1)) + a * (1 - B2)) by (field; lra).
    apply (Rmult_le_compat_l (exp eps)) in H1; lra.
Qed.

Lemma difference_le_largest_with {O} eps d (P Q : list O -> law O) : 0 < eps -> 0 <= d <= 1 ->
  (forall before, close eps d (P before) (Q before) /\ close eps d (Q before) (P before)) ->
  forall k before f x, test f -> 0 < x ->
  in_a_row P k before f - x * in_a_row Q k before f <= 1 - (1 - d) ^ k * (1 - largest_difference eps k x).
Proof.
  intros He Hd close_each. induction k as [|k IH]; intros before f x Hf Hx.
  - cbn [in_a_row E unit_law largest_difference pow]. specialize (Hf before).
    pose proof (Rmax_l 0 (1 - x)). pose proof (Rmax_r 0 (1 - x)). destruct (Rle_lt_dec x 1); nra.
  - cbn [in_a_row E then_]. assert (0 <= (1 - d) ^ k) by (apply pow_le; lra). destruct (close_each before) as [pq qp].
    eapply Rle_trans.
    + apply (difference_step_with eps d (P before) (Q before) (fun o => in_a_row P k (o :: before) f)
        (fun o => in_a_row Q k (o :: before) f) (fun y => 1 - (1 - d) ^ k * (1 - largest_difference eps k y)));
        auto; try (intros o; now apply E_test).
      * intros y z Hyz. pose proof (largest_difference_falls eps k y z (proj2 Hyz)). nra.
      * intros y a Hy Ha. pose proof (largest_difference_slow eps k y a Hy Ha). nra.
    + apply Req_le. cbn [largest_difference pow]. field. pose proof (exp_pos eps). lra.
Qed.

(** Every choice of k mechanisms that are (eps, d)-private is (epsilon, delta)-private, with
    delta = 1 - (1 - d)^k (1 - optimal_delta eps k epsilon). *)
Theorem optimal_composition_with {D O} (adj : D -> D -> Prop) (M : D -> list O -> law O) (eps d epsilon : R) (k : nat) :
  0 < eps -> 0 <= d <= 1 -> (forall x y, adj x y -> adj y x) -> (forall before, dp adj eps d (fun x => M x before)) ->
  dp adj epsilon (optimal_delta_with eps d k epsilon) (fun x => in_a_row (M x) k []).
Proof.
  intros He Hd symmetric private_each x y xy f Hf. unfold optimal_delta_with. rewrite <- largest_difference_is_sum.
  assert (each : forall before, close eps d (M x before) (M y before) /\ close eps d (M y before) (M x before)).
  { intros before. split; apply private_each; auto. }
  pose proof (difference_le_largest_with eps d (M x) (M y) He Hd each k [] f (exp epsilon) Hf (exp_pos epsilon)). lra.
Qed.

(** In closed form: k eps tanh(eps/2) + eps sqrt(2 k ln(1/slack)), and 1 - (1 - slack) (1 - d)^k. *)
Theorem advanced_composition_with {D O} (adj : D -> D -> Prop) (M : D -> list O -> law O) (eps d slack : R) (k : nat) :
  0 < eps -> 0 <= d <= 1 -> 0 < slack < 1 -> (forall x y, adj x y -> adj y x) ->
  (forall before, dp adj eps d (fun x => M x before)) ->
  dp adj (sharper_epsilon eps slack k) (1 - (1 - slack) * (1 - d) ^ k) (fun x => in_a_row (M x) k []).
Proof.
  intros He Hd Hslack symmetric private_each x y xy f Hf.
  pose proof (optimal_composition_with adj M eps d (sharper_epsilon eps slack k) k He Hd symmetric private_each
    x y xy f Hf) as H.
  (* The binomial sum is at most slack: randomised response reaches it, and it is (epsilon, slack)-private. *)
  assert (small : optimal_delta eps k (sharper_epsilon eps slack k) <= slack).
  { destruct (optimal_composition_is_attained eps (sharper_epsilon eps slack k) k) as (g & Hg & E).
    assert (each : pure eps (randomised_response eps true) (randomised_response eps false)).
    { split; apply (randomised_response_dp eps ltac:(lra)); exact I. }
    pose proof (sharper_composition_close eps slack _ _ k He Hslack (fun _ => each) g Hg) as bound.
    unfold responses in E. lra. }
  assert (0 <= (1 - d) ^ k) by (apply pow_le; lra). unfold optimal_delta_with in H. nra.
Qed.

(** * Randomised response that may fail does as badly *)

(** An answer, or an open failure, which tells the truth. *)
Inductive response := Answer (answer : bool) | Failure (truth : bool).

(** Open failure with probability d, and randomised response otherwise. *)
Definition failing_response_weight (eps d : R) (truth : bool) (r : response) : R :=
  match r with
  | Answer answer => (1 - d) * rr eps truth answer
  | Failure told => if Bool.eqb truth told then d else 0
  end.

Definition all_responses : list response := [Answer true; Answer false; Failure true; Failure false].

Lemma failing_response_nonneg eps d truth : 0 <= d <= 1 -> forall r, 0 <= failing_response_weight eps d truth r.
Proof.
  intros Hd [answer | told]; simpl; [|destruct (Bool.eqb truth told); lra].
  apply Rmult_le_pos; [lra | apply rr_pos].
Qed.

Lemma failing_response_total eps d truth : sum (failing_response_weight eps d truth) all_responses = 1.
Proof.
  pose proof (rr_sum eps truth) as total. cbn [Privacy.sum] in total.
  unfold all_responses. cbn [Privacy.sum failing_response_weight]. destruct truth; cbn [Bool.eqb]; nra.
Qed.

Definition failing_response eps d (probability : 0 <= d <= 1) truth : law response :=
  finite (failing_response_weight eps d truth) all_responses
    (failing_response_nonneg eps d truth probability) (failing_response_total eps d truth).

(** It is (eps, d)-private: the two bits are neighbours. *)
Lemma failing_response_dp eps d probability : 0 <= eps ->
  dp (fun _ _ => True) eps d (failing_response eps d probability).
Proof.
  intros He x y _ f Hf. pose proof (fun a => randomised_response_dp eps He x y I (fun answer => f
    (Answer answer)) a) as H.
  specialize (H (fun answer => Hf (Answer answer))). cbn [E randomised_response finite Privacy.sum] in H.
  unfold failing_response, all_responses. cbn [E finite Privacy.sum failing_response_weight].
  pose proof (Hf (Failure true)) as T. pose proof (Hf (Failure false)) as F. pose proof (exp_pos eps) as c0.
  apply (Rmult_le_compat_l (1 - d)) in H; [|lra].
  assert (0 <= exp eps * (d * f (Failure true))) by (repeat apply Rmult_le_pos; lra).
  assert (0 <= exp eps * (d * f (Failure false))) by (repeat apply Rmult_le_pos; lra).
  assert (d * f (Failure true) <= d * 1) by (apply Rmult_le_compat_l; lra).
  assert (d * f (Failure false) <= d * 1) by (apply Rmult_le_compat_l; lra).
  destruct x, y; cbn [Bool.eqb]; lra.
Qed.

(** The test that believes a failure, the latest first, and otherwise accepts where the likelihood ratio is at least
    x. *)
Fixpoint failure_or_answers (told : list response) : bool + list bool :=
  match told with
  | [] => inr []
  | Failure truth :: _ => inl truth
  | Answer answer :: before =>
      match failure_or_answers before with inl truth => inl truth | inr answers => inr (answer :: answers) end
  end.

Definition believing_test (eps x : R) (told : list response) : R :=
  match failure_or_answers told with
  | inl truth => if truth then 1 else 0
  | inr answers => ratio_test eps x answers
  end.

Lemma believing_test_is_test eps x : test (believing_test eps x).
Proof.
  intros told. unfold believing_test. destruct (failure_or_answers told) as [[] | answers]; try lra.
  apply ratio_test_is_test.
Qed.

(** After a failure the truth is known: the test accepts if and only if it is true. *)
Lemma believing_after_failure eps d probability x truth k : forall before, failure_or_answers before = inl truth ->
  in_a_row (fun _ => failing_response eps d probability truth) k before (believing_test eps x) =
    if truth then 1 else 0.
Proof.
  induction k as [|k IH]; intros before failed.
  - cbn [in_a_row E unit_law]. unfold believing_test. now rewrite failed.
  - cbn [in_a_row E then_]. set (value := if truth then 1 else 0).
    assert (after : forall o, (forall told, o = Failure told -> told = truth) ->
      in_a_row (fun _ => failing_response eps d probability truth) k (o :: before) (believing_test eps x) = value).
    { intros o same. apply IH. destruct o as [answer | told]; cbn [failure_or_answers]; [now rewrite failed|].
      now rewrite (same told eq_refl). }
    unfold failing_response at 1. unfold all_responses. cbn [E finite Privacy.sum failing_response_weight].
    pose proof (rr_sum eps truth) as total. cbn [Privacy.sum] in total.
    rewrite (after (Answer true)), (after (Answer false)) by (intros told; discriminate).
    destruct truth; cbn [Bool.eqb].
    + rewrite (after (Failure true)) by (intros told E; now injection E). nra.
    + rewrite (after (Failure false)) by (intros told E; now injection E). nra.
Qed.

Lemma failing_responses_difference eps d probability x k : forall before answers,
  failure_or_answers before = inr answers ->
  answers_ratio eps answers * in_a_row (fun _ => failing_response eps d probability true) k before
    (believing_test eps x)
    - x * in_a_row (fun _ => failing_response eps d probability false) k before (believing_test eps x) =
  answers_ratio eps answers * (1 - (1 - d) ^ k * (1 - largest_difference eps k (x / answers_ratio eps answers))).
Proof.
  pose proof (exp_pos eps) as He. pose proof (exp_pos (- eps)) as He'.
  assert (inverse : exp eps * exp (- eps) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (Em : exp (- eps) = / exp eps) by apply exp_Ropp.
  induction k as [|k IH]; intros before answers unfailed; pose proof (answers_ratio_pos eps answers) as Hr.
  - cbn [in_a_row E unit_law largest_difference pow]. unfold believing_test. rewrite unfailed. unfold ratio_test.
    set (r := answers_ratio eps answers) in *. assert (scaled : r * (1 - x / r) = r - x) by (field; lra).
    destruct (Rle_dec x r); [rewrite Rmax_right | rewrite Rmax_left]; nra.
  - cbn [in_a_row E then_ largest_difference pow].
    assert (told_true : failure_or_answers (Answer true :: before) = inr (true :: answers))
      by (cbn [failure_or_answers]; now rewrite unfailed).
    assert (told_false : failure_or_answers (Answer false :: before) = inr (false :: answers))
      by (cbn [failure_or_answers]; now rewrite unfailed).
    apply IH in told_true, told_false. cbn [answers_ratio] in told_true, told_false.
    pose proof (believing_after_failure eps d probability x true k (Failure true :: before) eq_refl) as failed_true.
    pose proof (believing_after_failure eps d probability x false k (Failure false :: before) eq_refl) as failed_false.
    set (P := in_a_row (fun _ => failing_response eps d probability true) k) in *.
    set (Q := in_a_row (fun _ => failing_response eps d probability false) k) in *.
    unfold failing_response, all_responses. cbn [E finite Privacy.sum failing_response_weight Bool.eqb].
    unfold rr. cbn [Bool.eqb]. rewrite failed_true, failed_false. set (r := answers_ratio eps answers) in *.
    set (Pt := P (Answer true :: before) _) in *. set (Pf := P (Answer false :: before) _) in *.
    set (Qt := Q (Answer true :: before) _) in *. set (Qf := Q (Answer false :: before) _) in *.
    replace (x / (exp eps * r)) with (x / r * exp (- eps)) in told_true by (rewrite Em; field; lra).
    replace (x / (exp (- eps) * r)) with (x / r * exp eps) in told_false by (rewrite Em; field; lra).
    set (Lt := largest_difference eps k (x / r * exp (- eps))) in *.
    set (Lf := largest_difference eps k (x / r * exp eps)) in *. set (n := (1 - d) ^ k) in *.
    apply Rmult_eq_reg_r with (1 + exp eps); [|lra].
    transitivity (r * d * (1 + exp eps) + (1 - d) * ((exp eps * r * Pt - x * Qt) +
      exp eps * (exp (- eps) * r * Pf - x * Qf))).
    { replace (exp eps * (exp (- eps) * r * Pf - x * Qf)) with (exp eps * exp (- eps) * r * Pf - exp eps * x * Qf)
        by ring.
      rewrite inverse. field. lra. }
    rewrite told_true, told_false.
    replace (exp eps * (exp (- eps) * r * (1 - n * (1 - Lf)))) with (exp eps * exp (- eps) * (r * (1 - n * (1 - Lf))))
      by ring.
    rewrite inverse. field. lra.
Qed.

(** Some test of k randomised responses that may fail reaches the delta of optimal_composition_with. *)
Theorem optimal_composition_with_is_attained (eps d epsilon : R) (probability : 0 <= d <= 1) (k : nat) :
  exists f, test f /\ in_a_row (fun _ => failing_response eps d probability true) k [] f =
    exp epsilon * in_a_row (fun _ => failing_response eps d probability false) k [] f +
      optimal_delta_with eps d k epsilon.
Proof.
  exists (believing_test eps (exp epsilon)). split; [apply believing_test_is_test|].
  pose proof (failing_responses_difference eps d probability (exp epsilon) k [] [] eq_refl) as H.
  cbn [answers_ratio] in H. replace (exp epsilon / 1) with (exp epsilon) in H by field.
  unfold optimal_delta_with. rewrite <- largest_difference_is_sum. lra.
Qed.
