(** Noisy answers without noise on the threshold: Theorem A.

    A mechanism runs in rounds. The law of a round is any function of what was published before; one of its outcomes is
    quiet, and all others are updates. After B updates the mechanism ends. If the two laws of every round are within the
    factor e^s of each other, the mechanism is (epsilon, delta)-private, with the delta of the page, for every number of
    rounds: delta does not depend on it.
    Laws are over any outcomes, and no densities are needed: instead of the moment E_P[(P/Q)^l] the proof bounds
    P f - x Q f for all tests f and all x > 0 by a multiple of x^-l, which follows from the moment and is as good for
    delta. The moment itself is in NoisyAnswersMoment.v. Here the number of rounds is any number that is given in
    advance; NoisyAnswersEndless.v has runs that may never end.

    Claims: jt13.thmA.
*)
Require Import Reals Lra List. Import ListNotations.
From DpAssay Require Import Privacy LikelihoodMoments RandomisedResponseIsWorst RandomisedResponseMoment
  NoisyAnswersRound.
Open Scope R_scope.

(** What was published: the outcomes of the rounds, the latest first. None is a quiet outcome, Some a is an update. *)
Definition published (A : Type) := list (option A).

(** At most so many rounds, as long as updates are left. A round's law is chosen by what was published before. *)
Fixpoint session {A} (round : published A -> law (option A)) (updates rounds : nat) (before : published A) :
    law (published A) :=
  match rounds, updates with
  | S rounds', S updates' => then_ (round before) (fun outcome =>
      session round (match outcome with None => updates | Some _ => updates' end) rounds' (outcome :: before))
  | _, _ => unit_law before
  end.

(** delta(epsilon) of Theorem A for B updates. *)
Definition noisy_answers_delta (l s : R) (B : nat) (epsilon : R) : R :=
  exp (INR B * update_cost l s - l * epsilon) * (/ (1 + l) * Rpower (l / (1 + l)) l).

(** The tests that a round is quiet, and that it is an update. *)
Definition is_quiet {A} (outcome : option A) : R := match outcome with None => 1 | Some _ => 0 end.
Definition is_update {A} (outcome : option A) : R := match outcome with None => 0 | Some _ => 1 end.

Lemma is_quiet_test {A} : test (@is_quiet A).
Proof. intros [a|]; simpl; lra. Qed.
Lemma is_update_test {A} : test (@is_update A).
Proof. intros [a|]; simpl; lra. Qed.

Lemma quiet_or_update {A} (p : law (option A)) : p is_quiet = 1 - p is_update.
Proof.
  rewrite <- (E_one p). rewrite (E_ext p (fun _ => 1) (fun o => is_quiet o + is_update o)).
  - rewrite E_plus by auto using test_bounded, is_quiet_test, is_update_test. ring.
  - apply bounded_const.
  - auto using bounded_plus, test_bounded, is_quiet_test, is_update_test.
  - intros [a|]; simpl; lra.
Qed.

Lemma Rpower_scaled x y l : 0 < x -> 0 < y -> Rpower (x * y) (- l) = Rpower x (- l) * Rpower y (- l).
Proof. intros. now rewrite Rpower_mult_distr. Qed.

Section step.
Context {A : Type}.
Variables l s : R.
Hypothesis l_positive : 0 < l.
Hypothesis s_positive : 0 < s.
Hypothesis room : quiet_moment l s < 1.

(** The law m of a round weighs a difference of what follows: a quiet outcome's is kept, an update's is bounded. *)
Lemma difference_split (m : law (option A)) F G x bound : test F -> test G ->
  (forall a, F (Some a) - x * G (Some a) <= bound) ->
  m F - x * m G <= m is_quiet * (F None - x * G None) + m is_update * bound.
Proof.
  intros TF TG H. set (kept := F None - x * G None).
  assert (BF := test_bounded _ TF). assert (BG := test_bounded _ TG).
  assert (Bq := test_bounded _ (@is_quiet_test A)). assert (Bu := test_bounded _ (@is_update_test A)).
  assert (below : m (fun o => F o + - x * G o) <= m (fun o => kept * is_quiet o + bound * is_update o)).
  { apply E_mono; auto using bounded_plus, bounded_scal. unfold kept. intros [a|]; simpl; [specialize (H a)|]; lra. }
  rewrite !E_plus, !E_scal in below by auto using bounded_scal. lra.
Qed.

(** One round. If what follows a quiet outcome is within V x^-l for every x > 0, and what follows an update within
    e^-c V x^-l, then so is the round with all that follows, within V x^-l. *)
Lemma round_step (p q : law (option A)) F G V : pure s p q -> test F -> test G -> 0 <= V ->
  (forall x, 0 < x -> F None - x * G None <= V * Rpower x (- l)) ->
  (forall a x, 0 < x -> F (Some a) - x * G (Some a) <= exp (- update_cost l s) * V * Rpower x (- l)) ->
  forall x, 0 < x -> p F - x * q G <= V * Rpower x (- l).
Proof.
  intros pq TF TG HV Hquiet Hupdate x Hx.
  assert (Wu : within_factor s (p is_update) (q is_update)).
  { destruct pq as [H H']. specialize (H _ is_update_test). specialize (H' _ is_update_test). split; lra. }
  assert (Wq : within_factor s (1 - p is_update) (1 - q is_update)).
  { rewrite <- !quiet_or_update. destruct pq as [H H'].
    specialize (H _ is_quiet_test). specialize (H' _ is_quiet_test). split; lra. }
  pose proof (E_test p _ is_update_test) as Rp. pose proof (E_test q _ is_update_test) as Rq.
  pose proof (round_bound l s l_positive s_positive room _ _ Rp Rq Wu Wq) as bound.
  (* The quiet outcome: its hypothesis is used at x (1 - q)/(1 - p). *)
  assert (quiet_part : p is_quiet * F None - x * (q is_quiet * G None) <=
    V * Rpower x (- l) * moment_term l (p is_quiet) (q is_quiet)).
  { rewrite !quiet_or_update. set (u := 1 - p is_update) in *. set (v := 1 - q is_update) in *.
    destruct Wq as [uv vu]. pose proof (exp_pos s).
    destruct (Req_dec u 0) as [Eu | Nu].
    - assert (Ev : v = 0) by (rewrite Eu in vu; unfold v in *; lra). rewrite Eu, Ev, moment_term_at0. lra.
    - assert (Hu : 0 < u) by (unfold u in *; lra). assert (Hv : 0 < v) by nra.
      specialize (Hquiet (x * (v / u)) ltac:(apply Rmult_lt_0_compat; auto; now apply Rdiv_lt_0_compat)).
      rewrite Rpower_scaled in Hquiet by (auto; now apply Rdiv_lt_0_compat).
      assert (turned : Rpower (v / u) (- l) = Rpower (u / v) l).
      { unfold Rpower, Rdiv. rewrite !ln_mult, !ln_Rinv by auto using Rinv_0_lt_compat. f_equal. ring. }
      rewrite turned in Hquiet. apply (Rmult_le_compat_l u) in Hquiet; [|lra].
      replace (u * (F None - x * (v / u) * G None)) with (u * F None - x * (v * G None)) in Hquiet by (field; lra).
      unfold moment_term. lra. }
  (* The updates: p and q are mixtures of two laws, whose ratio is e^s on one and e^-s on the other. *)
  destruct (mixtures s p q s_positive pq) as (a & b & M).
  set (V' := exp (- update_cost l s) * V) in *. pose proof (exp_pos s) as Hs. pose proof (exp_pos (- s)) as Hs'.
  pose proof (difference_split a F G (x * exp (- s)) _ TF TG
    (fun o => Hupdate o (x * exp (- s)) ltac:(apply Rmult_lt_0_compat; auto))) as Da.
  pose proof (difference_split b F G (x * exp s) _ TF TG
    (fun o => Hupdate o (x * exp s) ltac:(apply Rmult_lt_0_compat; auto))) as Db.
  rewrite Rpower_scaled, Rpower_of_exp in Da by auto. rewrite Rpower_scaled, Rpower_of_exp in Db by auto.
  replace (- l * - s) with (l * s) in Da by ring. replace (- l * s) with (- (l * s)) in Db by ring.
  assert (inverse : exp s * exp (- s) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (worst : (1 + exp s) * worst_moment l s (p is_update) (q is_update) =
    exp ((1 + l) * s) * a is_update + exp (- (l * s)) * b is_update).
  { destruct (M is_update) as [Mp Mq]. pose proof (room_of_exp s s_positive) as grows.
    unfold worst_moment. apply Rmult_eq_reg_r with (exp s * exp s - 1); [|lra].
    transitivity (exp ((1 + l) * s) * (exp s * ((1 + exp s) * p is_update) - (1 + exp s) * q is_update) +
      exp (- (l * s)) * (exp s * ((1 + exp s) * q is_update) - (1 + exp s) * p is_update)); [field; lra|].
    rewrite Mp, Mq. ring. }
  replace ((1 + l) * s) with (s + l * s) in worst by ring. rewrite exp_plus in worst.
  destruct (M F) as [MF _]. destruct (M G) as [_ MG]. destruct (M is_quiet) as [Mpq Mqq].
  apply (Rmult_le_compat_l (exp s)) in Da; [|lra].
  assert (sum : (1 + exp s) * (p F - x * q G) <= (1 + exp s) * (p is_quiet * F None - x * (q is_quiet * G None)) +
    V' * Rpower x (- l) * ((1 + exp s) * worst_moment l s (p is_update) (q is_update))).
  { rewrite worst.
    replace ((1 + exp s) * (p F - x * q G)) with ((1 + exp s) * p F - x * ((1 + exp s) * q G)) by ring.
    replace ((1 + exp s) * (p is_quiet * F None - x * (q is_quiet * G None)))
      with ((1 + exp s) * p is_quiet * F None - x * ((1 + exp s) * q is_quiet * G None)) by ring.
    rewrite MF, MG, Mpq, Mqq.
    replace (exp s * (a F - x * exp (- s) * a G)) with (exp s * a F - x * (exp s * exp (- s)) * a G) in Da by ring.
    replace (exp s * (a is_quiet * (F None - x * exp (- s) * G None) +
      a is_update * (V' * (Rpower x (- l) * exp (l * s)))))
      with (a is_quiet * (exp s * F None - x * (exp s * exp (- s)) * G None) +
      V' * Rpower x (- l) * (exp s * exp (l * s) * a is_update)) in Da by ring.
    rewrite inverse in Da. lra. }
  rewrite !quiet_or_update in quiet_part.
  apply Rmult_le_reg_l with (1 + exp s); [lra|]. eapply Rle_trans; [exact sum|].
  rewrite !quiet_or_update. apply Rle_trans with
    ((1 + exp s) * (V * Rpower x (- l)) * (moment_term l (1 - p is_update) (1 - q is_update) +
      exp (- update_cost l s) * worst_moment l s (p is_update) (q is_update))).
  - unfold V'. apply (Rmult_le_compat_l (1 + exp s)) in quiet_part; lra.
  - pose proof (Rpower_pos x (- l)). assert (0 <= (1 + exp s) * (V * Rpower x (- l)))
      by (repeat apply Rmult_le_pos; lra).
    apply (Rmult_le_compat_l ((1 + exp s) * (V * Rpower x (- l)))) in bound; lra.
Qed.

(** All rounds. *)
Lemma session_difference (P Q : published A -> law (option A)) : (forall before, pure s (P before) (Q before)) ->
  forall rounds updates before f x, test f -> 0 < x ->
  session P updates rounds before f - x * session Q updates rounds before f <=
    excess_factor l * exp (INR updates * update_cost l s) * Rpower x (- l).
Proof.
  intros pure_rounds. pose proof (excess_factor_pos l l_positive) as K0.
  assert (ended : forall updates (y x : R), 0 <= y <= 1 -> 0 < x ->
    y - x * y <= excess_factor l * exp (INR updates * update_cost l s) * Rpower x (- l)).
  { intros updates y x Hy Hx. pose proof (excess_le l x l_positive Hx) as base.
    pose proof (update_cost_ge0 l s l_positive s_positive room) as c0.
    pose proof (exp_ge1 (INR updates * update_cost l s) ltac:(apply Rmult_le_pos; [apply pos_INR | auto])) as grown.
    pose proof (Rpower_pos x (- l)). assert (0 < excess_factor l * Rpower x (- l)) by (apply Rmult_lt_0_compat; auto).
    assert (y * (1 - x) <= excess_factor l * Rpower x (- l)) by (destruct (Rle_lt_dec x 1); nra).
    nra. }
  induction rounds as [|rounds IH]; intros updates before f x Hf Hx;
    [exact (ended updates (f before) x (Hf before) Hx)|].
  destruct updates as [|updates]; [exact (ended 0%nat (f before) x (Hf before) Hx)|]. cbn [session E then_].
  apply round_step; [apply pure_rounds | intros o; now apply E_test | intros o; now apply E_test | | | | exact Hx].
  - left. apply Rmult_lt_0_compat; [auto | apply exp_pos].
  - intros y Hy. apply IH; auto.
  - intros a y Hy. eapply Rle_trans; [apply IH; auto|]. apply Req_le.
    replace (INR (S updates) * update_cost l s) with (INR updates * update_cost l s + update_cost l s)
      by (rewrite S_INR; ring).
    rewrite exp_plus. replace (exp (- update_cost l s) * (excess_factor l *
      (exp (INR updates * update_cost l s) * exp (update_cost l s))) * Rpower y (- l))
      with (excess_factor l * exp (INR updates * update_cost l s) * Rpower y (- l) *
        (exp (- update_cost l s) * exp (update_cost l s))) by ring.
    rewrite <- (exp_plus (- update_cost l s)), Rplus_opp_l, exp_0. ring.
Qed.
End step.

(** jt13.thmA: rounds with laws within the factor e^s of each other, B of them told, are (epsilon, delta)-close, for
    every number of rounds and every real order l > 0 with D < 1. The two laws of a round may be any functions of what
    was published before: queries, and even the pair of neighbours, may be chosen anew. *)
Theorem noisy_answers_close {A} (l s : R) (P Q : published A -> law (option A)) (B rounds : nat) (epsilon : R) :
  0 < l -> 0 < s -> quiet_moment l s < 1 -> (forall before, pure s (P before) (Q before)) ->
  close epsilon (noisy_answers_delta l s B epsilon) (session P B rounds []) (session Q B rounds []).
Proof.
  intros Hl Hs room pure_rounds f Hf.
  pose proof (session_difference l s Hl Hs room P Q pure_rounds rounds B [] f (exp epsilon) Hf (exp_pos epsilon)) as H.
  rewrite Rpower_of_exp in H. unfold noisy_answers_delta. fold (excess_factor l).
  replace (INR B * update_cost l s - l * epsilon) with (INR B * update_cost l s + - l * epsilon) by ring.
  rewrite exp_plus. lra.
Qed.

(** jt13.thmA: the same for a mechanism whose rounds are purely private with loss s under a symmetric relation. *)
Theorem noisy_answers_dp {D A} (adj : D -> D -> Prop) (M : D -> published A -> law (option A)) (l s : R)
    (B rounds : nat) (epsilon : R) :
  (forall x y, adj x y -> adj y x) -> (forall before, dp adj s 0 (fun x => M x before)) ->
  0 < l -> 0 < s -> quiet_moment l s < 1 ->
  dp adj epsilon (noisy_answers_delta l s B epsilon) (fun x => session (M x) B rounds []).
Proof.
  intros symmetric pure_rounds Hl Hs room x y xy. apply noisy_answers_close; auto.
  intros before. split; apply pure_rounds; auto.
Qed.
