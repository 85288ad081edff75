(** The sparse vector technique with told answers: sessions with a hidden threshold.

    The data answer queries, one by one. Whoever sees the answers chooses the next query and makes a public model of
    them, as he likes. The answer of the data, in integer steps, moves by at most t steps between neighbours. A
    threshold is drawn once, around theta with discrete Laplace noise, and never told. In each round, how far the answer
    of the data is from that of the public model, with noise, is compared with the threshold. Below it the round is
    quiet: nothing is told. Otherwise the answer of the data with fresh noise is told. The session ends after T rounds
    or B told answers.
    With noises of scale t/e_1 for the threshold, 2 B t/e_2 for a test and B t/e_3 for an answer, all that is told is
    (e_1 + e_2 + e_3, 0)-private, whatever T is.
    As on the page, with two things in other words. Who asks is a function of what was told, or such a function that was
    drawn at random; this covers refused queries, since a refusal depends on the query and on the counts alone. The
    predictions of neighbours are supposed to move by at most t steps; that they do is jt13.eq3.solver. Of
    sample.above-then-answer the law is here, from draws of the two ideal noises.

    Claims: sample.above-then-answer, jt13.svt.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Countable Composition LaplaceMechanism HiddenThreshold.
Open Scope R_scope.

(** * One round *)

Section round.
Variables (test_scale answer_scale : R) (test_pos : 0 < test_scale) (answer_pos : 0 < answer_scale).

(** What is told of a value whose excess over the threshold is this: nothing if the excess and noise are negative, and
    otherwise the value with fresh noise. *)
Definition above_then_answer (excess value : Z) : law (option Z) :=
  then_ (around test_scale test_pos excess) (fun noisy_excess =>
    if Z_le_dec 0 noisy_excess then relabel Some (around answer_scale answer_pos value) else unit_law None).
Definition nothing_told (outcome : option Z) : bool := match outcome with None => true | Some _ => false end.

(** The probability that the test passes. *)
Definition passes (excess : Z) : R := around test_scale test_pos excess (fun x => if Z_le_dec 0 x then 1 else 0).

Lemma indicator_test : test (fun x => if Z_le_dec 0 x then 1 else 0).
Proof. intros x. destruct (Z_le_dec 0 x); lra. Qed.
Lemma passes_range excess : 0 <= passes excess <= 1.
Proof. apply E_test, indicator_test. Qed.
(** A larger excess passes at least as often. *)
Lemma passes_increases e e' : (e' <= e)%Z -> passes e' <= passes e.
Proof.
  intros H. unfold passes, around. cbn [E relabel then_ unit_law].
  apply E_mono; try (apply test_bounded; intros x; apply (indicator_test)). intros x.
  destruct (Z_le_dec 0 (e' + x)), (Z_le_dec 0 (e + x)); try lra. lia.
Qed.
Lemma above_then_answer_value e v f : test f ->
  above_then_answer e v f
  = passes e * around answer_scale answer_pos v (fun k => f (Some k)) + (1 - passes e) * f None.
Proof.
  intros Hf. unfold above_then_answer, passes. set (m := around test_scale test_pos e). cbn [E then_].
  set (told := around answer_scale answer_pos v (fun k => f (Some k))).
  set (i := fun x => if Z_le_dec 0 x then 1 else 0). pose proof (indicator_test) as Ti. fold i in Ti.
  assert (G : m (fun x => (told - f None) * i x + f None) = (told - f None) * m i + f None).
  { rewrite E_plus, E_scal, E_const; auto using bounded_const, bounded_scal, test_bounded. }
  replace (m i * told + (1 - m i) * f None) with ((told - f None) * m i + f None) by ring. rewrite <- G.
  apply E_ext.
  - apply test_bounded. intros x. destruct (Z_le_dec 0 x); now apply E_test.
  - apply bounded_plus; auto using bounded_const, bounded_scal, test_bounded.
  - intros x. unfold i. destruct (Z_le_dec 0 x); cbn [E relabel then_ unit_law]; [fold told|]; lra.
Qed.

Lemma above_then_answer_nothing e v :
  above_then_answer e v (fun o => match o with None => 1 | Some _ => 0 end) = 1 - passes e.
Proof. rewrite above_then_answer_value; [rewrite E_const; lra | intros [k|]; lra]. Qed.
Lemma above_then_answer_told e v k :
  above_then_answer e v (fun o => match o with None => 0 | Some i => if Z.eq_dec i k then 1 else 0 end)
  = passes e * laplace_at answer_scale (k - v).
Proof.
  rewrite above_then_answer_value; [|intros [i|]; [destruct (Z.eq_dec i k)|]; lra].
  unfold around, discrete_laplace. rewrite countable_moved_probability. lra.
Qed.
(** sample.above-then-answer: nothing is told with the probability that the excess and its noise are negative, and k
    with the probability that they are not, times that of k for the value with its noise. *)
Theorem above_then_answer_law e v :
  above_then_answer e v (fun o => match o with None => 1 | Some _ => 0 end) = 1 - passes e /\
  forall k, above_then_answer e v (fun o => match o with None => 0 | Some i => if Z.eq_dec i k then 1 else 0 end)
    = passes e * laplace_at answer_scale (k - v).
Proof. split; [apply above_then_answer_nothing | apply above_then_answer_told]. Qed.

(** If the excess falls by 0 to 2 t, and the value moves by at most t, a quiet round is no likelier before than after,
    and any told answer at most e^(2 t/test_scale + t/answer_scale) times as likely. *)
Lemma above_then_answer_close t e e' v v' : (e' <= e <= e' + 2 * t)%Z -> (Z.abs (v - v') <= t)%Z ->
  quiet_or_within nothing_told (IZR (2 * t) / test_scale + IZR t / answer_scale)
    (above_then_answer e v) (above_then_answer e' v').
Proof.
  intros He Hv f Hf. set (s := IZR (2 * t) / test_scale + IZR t / answer_scale).
  assert (Ta : test (fun k => f (Some k))) by (intros k; apply Hf).
  (* Tests and answers apart. *)
  assert (Right : above_then_answer e' v' (fun o => factor nothing_told s o * f o)
    = passes e' * (exp s * around answer_scale answer_pos v' (fun k => f (Some k))) + (1 - passes e') * f None).
  { (* The right side is that of a test, times e^s: factor times f is not a test, f and f at None alone are. *)
    set (fn := fun o : option Z => match o with None => f None | Some _ => 0 end).
    set (fs := fun o : option Z => match o with None => 0 | Some k => f (Some k) end).
    assert (Tn : test fn) by (intros [k|]; [simpl; lra | apply Hf]).
    assert (Ts : test fs) by (intros [k|]; [apply Hf | simpl; lra]).
    rewrite (E_ext _ _ (fun o => fn o + exp s * fs o)).
    - rewrite E_plus, E_scal, !above_then_answer_value by auto using test_bounded, bounded_scal.
      cbn [fn fs]. rewrite E_const. ring.
    - apply factor_bounded, test_bounded, Hf.
    - auto using bounded_plus, bounded_scal, test_bounded.
    - intros [k|]; unfold factor, nothing_told, fn, fs; ring. }
  rewrite Right, above_then_answer_value by auto. clear Right.
  assert (A : around answer_scale answer_pos v (fun k => f (Some k))
    <= exp (IZR t / answer_scale) * around answer_scale answer_pos v' (fun k => f (Some k))).
  { pose proof (discrete_laplace_close answer_scale answer_pos t v v' Hv _ Ta) as G. now rewrite Rplus_0_r in G. }
  assert (P : passes e <= exp (IZR (2 * t) / test_scale) * passes e').
  { pose proof (discrete_laplace_close test_scale test_pos (2 * t) e e' ltac:(lia) _ indicator_test) as G.
    now rewrite Rplus_0_r in G. }
  pose proof (passes_increases e e' (proj1 He)) as Quiet.
  pose proof (passes_range e). pose proof (passes_range e'). pose proof (Hf None).
  pose proof (E_test (around answer_scale answer_pos v) _ Ta) as R.
  apply Rplus_le_compat; [|apply Rmult_le_compat_r; lra].
  unfold s. rewrite exp_plus.
  set (a := around answer_scale answer_pos v _) in *. set (a' := around answer_scale answer_pos v' _) in *.
  replace (passes e' * (exp (IZR (2 * t) / test_scale) * exp (IZR t / answer_scale) * a'))
    with ((exp (IZR (2 * t) / test_scale) * passes e') * (exp (IZR t / answer_scale) * a')) by ring.
  apply Rmult_le_compat; lra.
Qed.
End round.

(** * Rounding *)

(** The nearest integer, halves up. *)
Definition nearest (r : R) : Z := Int_part (r + / 2).
(** Rounding does not add to a difference of at most t steps. *)
Lemma nearest_moves r r' t : Rabs (r - r') <= IZR t -> (Z.abs (nearest r - nearest r') <= t)%Z.
Proof.
  intros H. unfold nearest. destruct (base_Int_part (r + / 2)) as [A B], (base_Int_part (r' + / 2)) as [A' B'].
  set (i := Int_part (r + / 2)) in *. set (i' := Int_part (r' + / 2)) in *.
  assert (D : -IZR t <= r - r' <= IZR t) by (revert H; unfold Rabs; destruct (Rcase_abs (r - r')); lra).
  assert (IZR (i - i') < IZR (t + 1)) by (rewrite minus_IZR, plus_IZR; lra).
  assert (IZR (i' - i) < IZR (t + 1)) by (rewrite minus_IZR, plus_IZR; lra).
  apply lt_IZR in H0, H1. lia.
Qed.

(** * Sessions *)

Section session.
Context {Data Query : Type}.
(** What the data predict at a query, in steps of the grid of answers. *)
Variable prediction : Data -> Query -> R.
(** Who asks: the next query, and the public model's answer to it in steps, from what was told before (the last
    first). *)
Record analyst := { asks : list (option Z) -> Query; public_answer : list (option Z) -> Z }.
(** The public parameters: the threshold without noise, the three scales, the most rounds, the most told answers. *)
Variables (theta : Z) (threshold_scale test_scale answer_scale : R).
Variables (threshold_pos : 0 < threshold_scale) (test_pos : 0 < test_scale) (answer_pos : 0 < answer_scale) (T B : nat).

(** One round at the hidden threshold h. *)
Definition session_round (who : analyst) (x : Data) (h : Z) (told : list (option Z)) : law (option Z) :=
  let exact := nearest (prediction x (asks who told)) in
  let excess := (Z.abs (exact - public_answer who told) - h)%Z in
  above_then_answer test_scale answer_scale test_pos answer_pos excess exact.
(** All that is told in a session. *)
Definition session (who : analyst) (x : Data) : law (list (option Z)) :=
  hidden_threshold nothing_told (around threshold_scale threshold_pos theta) (session_round who x) T B.

(** If no prediction moves by more than t steps between neighbours, the threshold costs t/threshold_scale once, and each
    told answer 2 t/test_scale + t/answer_scale. *)
Lemma session_dp (neighbours : Data -> Data -> Prop) t who : (0 <= t)%Z ->
  (forall x y, neighbours x y -> forall z, Rabs (prediction x z - prediction y z) <= IZR t) ->
  dp neighbours (IZR t / threshold_scale + INR B * (IZR (2 * t) / test_scale + IZR t / answer_scale)) 0 (session who).
Proof.
  intros Ht H x y A.
  assert (Nonneg : forall c scale, (0 <= c)%Z -> 0 < scale -> 0 <= IZR c / scale).
  { intros c scale Hc Hs. apply Rmult_le_pos; [now apply IZR_le | left; now apply Rinv_0_lt_compat]. }
  apply hidden_threshold_moved with (k := t).
  - apply Rplus_le_le_0_compat; apply Nonneg; auto; lia.
  - intros f Hf.
    pose proof (discrete_laplace_close threshold_scale threshold_pos t theta (theta - t) ltac:(lia) f Hf) as G.
    cbn [E relabel then_ unit_law around] in *.
    rewrite (E_ext _ (fun n => f (theta + n - t)%Z) (fun n => f (theta - t + n)%Z));
      [exact G | | | intros n; f_equal; lia]; apply test_bounded; intros n; apply Hf.
  - intros h told. unfold session_round.
    pose proof (nearest_moves _ _ t (H x y A (asks who told))) as M.
    apply above_then_answer_close; lia.
Qed.
End session.

(** The scales of the page: t/e_1, 2 B t/e_2 and B t/e_3. *)
Definition threshold_scale (t : positive) (e1 : R) : R := IZR (Zpos t) / e1.
Definition test_scale (t B : positive) (e2 : R) : R := 2 * IZR (Zpos B) * IZR (Zpos t) / e2.
Definition answer_scale (t B : positive) (e3 : R) : R := IZR (Zpos B) * IZR (Zpos t) / e3.

(** jt13.svt: if no prediction moves by more than t steps between neighbours, then with noises of scale t/e_1 for the
    threshold, 2 B t/e_2 for a test and B t/e_3 for an answer, all that a session of at most T rounds and B told answers
    tells is (e_1 + e_2 + e_3, 0)-private, whoever asks and however he chooses. *)
Theorem sparse_vector_dp {Data Query} (neighbours : Data -> Data -> Prop) (prediction : Data -> Query -> R) who
    (t B : positive) (T : nat) (theta : Z) e1 e2 e3 threshold_pos test_pos answer_pos :
  0 < e1 -> 0 < e2 -> 0 < e3 ->
  (forall x y, neighbours x y -> forall z, Rabs (prediction x z - prediction y z) <= IZR (Zpos t)) ->
  dp neighbours (e1 + e2 + e3) 0
    (session prediction theta (threshold_scale t e1) (test_scale t B e2) (answer_scale t B e3)
       threshold_pos test_pos answer_pos T (Pos.to_nat B) who).
Proof.
  intros H1 H2 H3 H.
  pose proof (session_dp prediction theta _ _ _ threshold_pos test_pos answer_pos T (Pos.to_nat B) neighbours (Zpos t)
    who ltac:(lia) H) as G.
  assert (0 < IZR (Zpos t)) by now apply IZR_lt. assert (0 < IZR (Zpos B)) by now apply IZR_lt.
  replace (e1 + e2 + e3) with (IZR (Zpos t) / threshold_scale t e1 + INR (Pos.to_nat B) *
    (IZR (2 * Zpos t) / test_scale t B e2 + IZR (Zpos t) / answer_scale t B e3)); [exact G|].
  rewrite INR_IZR_INZ, positive_nat_Z, mult_IZR. unfold threshold_scale, test_scale, answer_scale. field. lra.
Qed.

(** jt13.svt: the same where who asks is drawn at random, from a law that does not depend on the data. *)
Corollary sparse_vector_dp_random_analyst {Data Query} (neighbours : Data -> Data -> Prop)
    (prediction : Data -> Query -> R) (who : law (@analyst Query))
    (t B : positive) (T : nat) (theta : Z) e1 e2 e3 threshold_pos test_pos answer_pos :
  0 < e1 -> 0 < e2 -> 0 < e3 ->
  (forall x y, neighbours x y -> forall z, Rabs (prediction x z - prediction y z) <= IZR (Zpos t)) ->
  dp neighbours (e1 + e2 + e3) 0 (fun x => then_ who (fun someone =>
    relabel (fun told => (someone, told))
      (session prediction theta (threshold_scale t e1) (test_scale t B e2) (answer_scale t B e3)
         threshold_pos test_pos answer_pos T (Pos.to_nat B) someone x))).
Proof.
  intros H1 H2 H3 H. apply public_randomness; [lra|]. intros someone. apply post_processing.
  now apply sparse_vector_dp.
Qed.
