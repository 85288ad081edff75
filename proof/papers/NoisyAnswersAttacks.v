(** Noisy answers without noise on the threshold: attacks.

    One query is repeated for m rounds, and a round is quiet with probability a on one dataset and b on its neighbour.
    Whoever sees the session can test whether fewer than B of the m rounds were updates. So no delta is below
    Pr[Bin(m, 1-a) < B] - e^epsilon Pr[Bin(m, 1-b) < B], for any m and epsilon. And if a > b, no epsilon makes all such
    sessions purely private, however small the loss of a round: for large m the session that was always quiet is
    more than e^epsilon times as likely on one dataset. Bin(m, u) is the number of updates in m independent rounds with
    an update of probability u each.
    Narrower than the page: its values of a and b for discrete Laplace noise, and its numbers, are not shown here.

    Claims: jt13.thmA.attacks.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy LikelihoodMoments NoisyAnswers.
Open Scope R_scope.

(** Pr[Bin(m, u) = j]. *)
Fixpoint binomial (m j : nat) (u : R) : R :=
  match m, j with
  | O, O => 1
  | O, S _ => 0
  | S m', O => (1 - u) * binomial m' O u
  | S m', S j' => (1 - u) * binomial m' (S j') u + u * binomial m' j' u
  end.

(** Pr[Bin(m, u) < B]. *)
Fixpoint binomial_below (m B : nat) (u : R) : R :=
  match B with O => 0 | S j => binomial_below m j u + binomial m j u end.

(** How many updates were published. *)
Fixpoint updates_told {A} (told : published A) : nat :=
  match told with [] => O | None :: before => updates_told before | Some _ :: before => S (updates_told before) end.

(** The test that accepts if fewer than B updates were published. *)
Definition fewer_updates {A} (B : nat) (told : published A) : R := if updates_told told <? B then 1 else 0.

Lemma fewer_updates_test {A} B : test (@fewer_updates A B).
Proof. intros told. unfold fewer_updates. destruct (updates_told told <? B); lra. Qed.

Lemma binomial_below_step m B u :
  binomial_below (S m) (S B) u = (1 - u) * binomial_below m (S B) u + u * binomial_below m B u.
Proof.
  induction B as [|B IH].
  - cbn [binomial_below binomial]. ring.
  - change (binomial_below (S m) (S (S B)) u) with (binomial_below (S m) (S B) u + binomial (S m) (S B) u).
    rewrite IH. cbn [binomial_below binomial]. ring.
Qed.

Lemma binomial_below_no_rounds B u : binomial_below 0 (S B) u = 1.
Proof. induction B as [|B IH]; [cbn; ring|]. cbn [binomial_below binomial] in *. rewrite IH. ring. Qed.

(** A round's law splits a function of its kind, quiet or update, by their probabilities. *)
Lemma by_kind {A} (p : law (option A)) (F : option A -> R) quiet update : test F -> F None = quiet ->
  (forall a, F (Some a) = update) -> p F = p is_quiet * quiet + (1 - p is_quiet) * update.
Proof.
  intros TF E_quiet E_update. assert (Bq := test_bounded _ (@is_quiet_test A)).
  assert (Bu := test_bounded _ (@is_update_test A)).
  rewrite (E_ext p F (fun o => quiet * is_quiet o + update * is_update o)).
  - rewrite E_plus, !E_scal by auto using bounded_scal. rewrite !quiet_or_update. ring.
  - now apply test_bounded.
  - auto using bounded_plus, bounded_scal.
  - intros [a|]; simpl; [rewrite E_update | rewrite E_quiet]; ring.
Qed.

(** The session of m equal rounds with B updates has fewer than B of them with probability Pr[Bin(m, 1-a) < B]. *)
Lemma session_of_equal_rounds {A} (p : law (option A)) (B m : nat) :
  session (fun _ => p) B m [] (fewer_updates B) = binomial_below m B (1 - p is_quiet).
Proof.
  cut (forall m left_over (before : published A), (updates_told before + left_over = B)%nat ->
    session (fun _ => p) left_over m before (fewer_updates B) = binomial_below m left_over (1 - p is_quiet)).
  { intros H. now apply H. }
  clear m. assert (ended : forall left_over (before : published A), (updates_told before + left_over = B)%nat ->
    fewer_updates B before = match left_over with O => 0 | S _ => 1 end).
  { intros left_over before total. unfold fewer_updates.
    destruct (Nat.ltb_spec (updates_told before) B), left_over; auto; lia. }
  induction m as [|m IH]; intros left_over before total.
  - cbn [session E unit_law]. rewrite (ended left_over before total).
    destruct left_over; [reflexivity | now rewrite binomial_below_no_rounds].
  - destruct left_over as [|left_over]; [now apply (ended 0%nat)|]. cbn [session E then_].
    rewrite binomial_below_step. set (u := 1 - p is_quiet) in *.
    rewrite (by_kind p _ (binomial_below m (S left_over) u) (binomial_below m left_over u)).
    + fold u. replace (1 - u) with (p is_quiet) by (unfold u; ring). ring.
    + intros o. apply E_test, fewer_updates_test.
    + now apply IH.
    + intros a. apply IH. cbn [updates_told]. lia.
Qed.

(** jt13.thmA.attacks: no delta is below that of the test for fewer than B updates. *)
Theorem attack_on_noisy_answers {A} (p q : law (option A)) (B m : nat) (epsilon delta : R) :
  close epsilon delta (session (fun _ => p) B m []) (session (fun _ => q) B m []) ->
  binomial_below m B (1 - p is_quiet) - exp epsilon * binomial_below m B (1 - q is_quiet) <= delta.
Proof.
  intros H. specialize (H _ (fewer_updates_test B)). rewrite !session_of_equal_rounds in H. lra.
Qed.

(** jt13.thmA.attacks: if quiet rounds are likelier on one dataset, no epsilon makes all sessions purely private, even
    of a single update. *)
Theorem never_purely_private {A} (p q : law (option A)) (epsilon : R) : q is_quiet < p is_quiet ->
  exists m, ~ close epsilon 0 (session (fun _ => p) 1 m []) (session (fun _ => q) 1 m []).
Proof.
  intros likelier. set (a := p is_quiet) in *. set (b := q is_quiet) in *.
  pose proof (E_test q _ is_quiet_test) as Hb. fold b in Hb.
  assert (power : forall m u, binomial_below m 1 (1 - u) = u ^ m).
  { intros m u. cbn [binomial_below]. rewrite Rplus_0_l. induction m as [|m IH]; cbn [binomial pow]; [auto|].
    rewrite IH. ring. }
  assert (Ha : 0 < a) by lra.
  (* (b/a)^m tends to 0. *)
  assert (ratio : Rabs (b / a) < 1).
  { assert (0 <= b / a) by (apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]). rewrite Rabs_pos_eq by auto.
    apply Rmult_lt_reg_r with a; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  destruct (pow_lt_1_zero (b / a) ratio (exp (- epsilon)) (exp_pos _)) as [m Hm]. exists m. intros H.
  pose proof (attack_on_noisy_answers p q 1 m epsilon 0 H) as bound. fold a b in bound. rewrite !power in bound.
  specialize (Hm m ltac:(lia)). rewrite Rabs_pos_eq in Hm.
  - assert (am : 0 < a ^ m) by (now apply pow_lt). apply (Rmult_lt_compat_r (a ^ m)) in Hm; auto.
    rewrite <- Rpow_mult_distr in Hm. replace (b / a * a) with b in Hm by (field; lra).
    apply (Rmult_lt_compat_l (exp epsilon)) in Hm; [|apply exp_pos].
    rewrite <- Rmult_assoc, <- exp_plus, Rplus_opp_r, exp_0 in Hm. lra.
  - apply pow_le. apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat].
Qed.
