(** Noisy answers without noise on the threshold: the moment of the likelihood ratio.

    Let each round's two laws have a likelihood ratio between e^-s and e^s. Then the product of the ratios of the rounds
    is the likelihood ratio of all that is published, and its moment E_P[(dP/dQ)^l] is at most e^(B c), for every
    number of rounds. This is the first conclusion of Theorem A; the second, with delta, is in NoisyAnswers.v, where
    no likelihood ratios are asked for. Finite weights within the factor e^s of each other have such a ratio, as is
    shown at the end.
    Narrower than the page: the number of rounds is any number that is given in advance.

    Claims: jt13.thmA.
*)
Require Import Reals Lra List FunctionalExtensionality. Import ListNotations.
From DpAssay Require Import Privacy LikelihoodMoments RandomisedResponseMoment NoisyAnswersRound NoisyAnswers.
Open Scope R_scope.

(** ratio is the likelihood ratio dp/dq. *)
Definition likelihood_ratio {O} (ratio : O -> R) (p q : law O) : Prop :=
  forall f, bounded f -> p f = q (fun o => ratio o * f o).

(** A likelihood ratio between e^-s and e^s. *)
Definition bounded_ratio {O} (s : R) (ratio : O -> R) : Prop := forall o, exp (- s) <= ratio o <= exp s.

(** The product of the likelihood ratios of the rounds, each given what was published before it. *)
Fixpoint product_of_ratios {A} (ratio : published A -> option A -> R) (told : published A) : R :=
  match told with [] => 1 | outcome :: before => ratio before outcome * product_of_ratios ratio before end.

Lemma bounded_by_0 {O} (f : O -> R) C : (forall o, 0 <= f o <= C) -> bounded f.
Proof. intros H. exists C. intros o. specialize (H o). rewrite Rabs_pos_eq; lra. Qed.

Section moment.
Context {A : Type}.
Variables l s : R.
Hypothesis l_positive : 0 < l.
Hypothesis s_positive : 0 < s.
Hypothesis room : quiet_moment l s < 1.

Lemma ratio_positive {O} (ratio : O -> R) : bounded_ratio s ratio -> forall o, 0 < ratio o.
Proof. intros H o. specialize (H o). pose proof (exp_pos (- s)). lra. Qed.

Lemma ratio_bounded {O} (ratio : O -> R) : bounded_ratio s ratio -> bounded ratio.
Proof.
  intros H. apply (bounded_by_0 _ (exp s)). intros o. pose proof (ratio_positive ratio H o). specialize (H o). lra.
Qed.

Lemma power_of_ratio_bounded {O} (ratio : O -> R) : bounded_ratio s ratio -> bounded (fun o => Rpower (ratio o) l).
Proof.
  intros H. apply (bounded_by_0 _ (Rpower (exp s) l)). intros o. split; [left; apply Rpower_pos|].
  apply Rpower_le_base; [lra|]. split; [now apply ratio_positive | apply H].
Qed.

Lemma bounded_mult {O} (f g : O -> R) : bounded f -> bounded g -> bounded (fun o => f o * g o).
Proof.
  intros [C HC] [C' HC']. exists (C * C'). intros o. rewrite Rabs_mult.
  apply Rmult_le_compat; auto using Rabs_pos.
Qed.

(** One round: the moment of the quiet outcome, and e^-c times that of the updates, come to at most 1. *)
Lemma moment_of_a_round (p q : law (option A)) ratio : likelihood_ratio ratio p q -> bounded_ratio s ratio ->
  p (fun o => Rpower (ratio o) l * is_quiet o) +
    exp (- update_cost l s) * p (fun o => Rpower (ratio o) l * is_update o) <= 1.
Proof.
  intros pq between. assert (Bq := test_bounded _ (@is_quiet_test A)).
  assert (Bu := test_bounded _ (@is_update_test A)).
  pose proof (ratio_bounded ratio between) as Br. pose proof (power_of_ratio_bounded ratio between) as Bp.
  assert (inverse : exp s * exp (- s) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  pose proof (exp_pos s) as Hs. pose proof (room_of_exp s s_positive) as grows.
  assert (factor : forall f, test f -> within_factor s (p f) (q f)).
  { intros f Hf. assert (Bf := test_bounded _ Hf). rewrite (pq f Bf). split.
    - rewrite <- E_scal by auto. apply E_mono; auto using bounded_mult, bounded_scal.
      intros o. specialize (Hf o). destruct (between o). apply Rmult_le_compat_r; lra.
    - rewrite <- E_scal by auto using bounded_mult. apply E_mono; auto using bounded_mult, bounded_scal.
      intros o. specialize (Hf o). destruct (between o) as [low _]. apply (Rmult_le_compat_l (exp s)) in low; [|lra].
      rewrite inverse in low. nra. }
  pose proof (E_test p _ is_update_test) as Rp. pose proof (E_test q _ is_update_test) as Rq.
  pose proof (factor _ is_quiet_test) as Wq. rewrite !quiet_or_update in Wq.
  pose proof (round_bound l s l_positive s_positive room _ _ Rp Rq (factor _ is_update_test) Wq) as bound.
  (* The quiet outcome is one outcome: its ratio is p/q. *)
  assert (quiet_part : p (fun o => Rpower (ratio o) l * is_quiet o) = moment_term l (p is_quiet) (q is_quiet)).
  { assert (one_ratio : p is_quiet = ratio None * q is_quiet).
    { rewrite pq, <- E_scal by auto. apply E_ext; auto using bounded_mult, bounded_scal.
      intros [a|]; simpl; ring. }
    transitivity (Rpower (ratio None) l * p is_quiet).
    - rewrite <- E_scal by auto. apply E_ext; auto using bounded_mult, bounded_scal. intros [a|]; simpl; ring.
    - unfold moment_term. destruct (Req_dec (q is_quiet) 0) as [Z | N].
      + rewrite one_ratio, Z. ring.
      + replace (p is_quiet / q is_quiet) with (ratio None) by (rewrite one_ratio; field; auto). ring. }
  (* The updates: each has at most the part of the mixture of ratios e^s and e^-s that it is. *)
  assert (update_part : p (fun o => Rpower (ratio o) l * is_update o) <= worst_moment l s (p is_update) (q is_update)).
  { rewrite (pq (fun o => Rpower (ratio o) l * is_update o)), (pq is_update) by auto using bounded_mult.
    set (up := exp ((1 + l) * s)). set (down := exp (- (l * s))). set (room' := exp s * exp s - 1) in *.
    assert (linear : worst_moment l s (q (fun o => ratio o * is_update o)) (q is_update) =
      q (fun o => (up * exp s - down) / room' * (ratio o * is_update o) + (down * exp s - up) / room' * is_update o)).
    { rewrite E_plus, !E_scal by auto using bounded_mult, bounded_scal.
      unfold worst_moment. fold up down room'. field. lra. }
    rewrite linear. apply E_mono; auto 6 using bounded_mult, bounded_plus, bounded_scal. intros o.
    assert (point : ratio o * Rpower (ratio o) l <= worst_moment l s (ratio o) 1).
    { pose proof (ratio_positive ratio between o). destruct (between o) as [low high].
      pose proof (moment_term_le_worst l s l_positive s_positive (ratio o) 1 ltac:(lra) ltac:(lra)) as H0.
      unfold moment_term in H0. replace (ratio o / 1) with (ratio o) in H0 by field. apply H0. split; [lra|].
      rewrite <- inverse. apply Rmult_le_compat_l; lra. }
    unfold worst_moment in point. fold up down room' in point.
    assert (Hu : 0 <= is_update o) by (destruct o; simpl; lra).
    apply (Rmult_le_compat_r _ _ _ Hu) in point. eapply Rle_trans; [|eapply Rle_trans; [exact point|]].
    - apply Req_le. ring.
    - apply Req_le. field. lra. }
  rewrite quiet_part, !quiet_or_update.
  apply (Rmult_le_compat_l (exp (- update_cost l s))) in update_part; [|left; apply exp_pos].
  lra.
Qed.

Variable ratio : published A -> option A -> R.
Variables P Q : published A -> law (option A).
Hypothesis ratios : forall before, likelihood_ratio (ratio before) (P before) (Q before).
Hypothesis ratios_bounded : forall before, bounded_ratio s (ratio before).

Lemma product_positive told : 0 < product_of_ratios ratio told.
Proof.
  induction told as [|o before IH]; simpl; [lra|]. apply Rmult_lt_0_compat; auto. apply ratio_positive, ratios_bounded.
Qed.

Lemma session_bounded (R1 : published A -> law (option A)) updates rounds f :
  bounded f -> forall told, bounded (fun o : option A => session R1 (updates o) rounds (o :: told) f).
Proof. intros [C H] told. exists C. intros o. now apply E_abs. Qed.

(** jt13.thmA: the product of the ratios is the likelihood ratio of all that is published. *)
Theorem product_is_likelihood_ratio B rounds :
  likelihood_ratio (product_of_ratios ratio) (session P B rounds []) (session Q B rounds []).
Proof.
  intros f Hf. cut (forall rounds updates before, product_of_ratios ratio before * session P updates rounds before f =
    session Q updates rounds before (fun told => product_of_ratios ratio told * f told)).
  { intros H. specialize (H rounds B []). cbn [product_of_ratios] in H. lra. }
  clear rounds. induction rounds as [|rounds IH]; intros updates before; [reflexivity|].
  destruct updates as [|updates]; [reflexivity|]. cbn [session E then_].
  set (left_over := fun o : option A => match o with None => S updates | Some _ => updates end).
  change (product_of_ratios ratio before * P before (fun o => session P (left_over o) rounds (o :: before) f) =
    Q before (fun o => session Q (left_over o) rounds (o :: before)
      (fun told => product_of_ratios ratio told * f told))).
  pose proof (session_bounded P left_over rounds f Hf before) as BF.
  rewrite (ratios before) by exact BF. rewrite <- E_scal by (apply bounded_mult; auto; now apply ratio_bounded).
  f_equal. apply functional_extensionality. intros o. rewrite <- IH. cbn [product_of_ratios]. ring.
Qed.

Lemma moment_of_a_session rounds : forall updates before,
  0 <= session P updates rounds before (fun told => Rpower (product_of_ratios ratio told) l) <=
    exp (INR updates * update_cost l s) * Rpower (product_of_ratios ratio before) l.
Proof.
  pose proof (update_cost_ge0 l s l_positive s_positive room) as c0.
  assert (ended : forall updates before, 0 <= Rpower (product_of_ratios ratio before) l <=
    exp (INR updates * update_cost l s) * Rpower (product_of_ratios ratio before) l).
  { intros updates before. pose proof (Rpower_pos (product_of_ratios ratio before) l).
    pose proof (exp_ge1 (INR updates * update_cost l s) ltac:(apply Rmult_le_pos; [apply pos_INR | auto])). nra. }
  induction rounds as [|rounds IH]; intros updates before; [apply ended|].
  destruct updates as [|updates]; [apply (ended 0%nat)|]. cbn [session E then_].
  set (c := update_cost l s) in *. set (x := product_of_ratios ratio before).
  set (V := exp (INR (S updates) * c) * Rpower x l).
  set (F := fun o : option A => session P match o with None => S updates | Some _ => updates end rounds (o :: before)
    (fun told => Rpower (product_of_ratios ratio told) l)).
  change (0 <= P before F <= V).
  assert (V0 : 0 < V) by (apply Rmult_lt_0_compat; [apply exp_pos | apply Rpower_pos]).
  assert (split : forall o, Rpower (product_of_ratios ratio (o :: before)) l = Rpower (ratio before o) l * Rpower x l).
  { intros o. cbn [product_of_ratios]. fold x. rewrite Rpower_mult_distr; auto.
    - apply ratio_positive, ratios_bounded.
    - apply product_positive. }
  assert (unroll : exp (INR updates * c) = exp (- c) * exp (INR (S updates) * c)).
  { rewrite <- exp_plus. f_equal. rewrite S_INR. ring. }
  assert (each : forall o, 0 <= F o <= V * (Rpower (ratio before o) l * is_quiet o) +
    exp (- c) * V * (Rpower (ratio before o) l * is_update o)).
  { intros o. unfold F, V. destruct o as [a|]; cbn [is_quiet is_update].
    - specialize (IH updates (Some a :: before)). rewrite split, unroll in IH. lra.
    - specialize (IH (S updates) (None :: before)). rewrite split in IH. lra. }
  assert (Bq := test_bounded _ (@is_quiet_test A)). assert (Bu := test_bounded _ (@is_update_test A)).
  pose proof (power_of_ratio_bounded _ (ratios_bounded before)) as Bp.
  set (G := fun o => V * (Rpower (ratio before o) l * is_quiet o) +
    exp (- c) * V * (Rpower (ratio before o) l * is_update o)).
  assert (below_G : forall o, 0 <= F o <= G o) by exact each.
  assert (BG : bounded G) by (apply bounded_plus; apply bounded_scal; now apply bounded_mult).
  assert (BF : bounded F).
  { destruct BG as [C HC]. apply (bounded_by_0 _ C). intros o. specialize (below_G o). specialize (HC o).
    pose proof (Rle_abs (G o)). lra. }
  split; [rewrite <- (E_const (P before) 0); apply E_mono; auto using bounded_const; apply below_G|].
  apply Rle_trans with (P before G); [apply E_mono; auto; apply below_G|].
  unfold G. rewrite E_plus, !E_scal by (try apply bounded_scal; now apply bounded_mult).
  pose proof (moment_of_a_round (P before) (Q before) (ratio before) (ratios before) (ratios_bounded before)) as bound.
  fold c in bound. apply (Rmult_le_compat_l V) in bound; lra.
Qed.

(** jt13.thmA: the moment of order l of the likelihood ratio of all that is published is at most e^(B c). *)
Theorem noisy_answers_moment (B rounds : nat) :
  session P B rounds [] (fun told => Rpower (product_of_ratios ratio told) l) <= exp (INR B * update_cost l s).
Proof.
  pose proof (moment_of_a_session rounds B []) as H. cbn [product_of_ratios] in H. rewrite Rpower_of_1 in H. lra.
Qed.
End moment.

(** Finite weights within the factor e^s of each other have a likelihood ratio between e^-s and e^s. *)
Lemma ratio_of_weights {O} s (w v : O -> R) outcomes Hw Hw1 Hv Hv1 : 0 <= s ->
  (forall o, w o <= exp s * v o /\ v o <= exp s * w o) ->
  exists ratio, bounded_ratio s ratio /\ likelihood_ratio ratio (finite w outcomes Hw Hw1) (finite v outcomes Hv Hv1).
Proof.
  intros Hs H. exists (fun o => if Req_EM_T (v o) 0 then 1 else w o / v o).
  assert (inverse : exp (- s) * exp s = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
  pose proof (exp_pos (- s)). pose proof (exp_ge1 s Hs). split.
  - intros o. destruct (H o) as [wv vw]. specialize (Hv o). specialize (Hw o).
    destruct (Req_EM_T (v o) 0) as [Z | N]; [nra|]. assert (0 < v o) by lra.
    split; apply Rmult_le_reg_r with (v o); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra.
  - intros f _. cbn [E finite]. apply sum_ext. intros o. destruct (H o) as [wv _].
    destruct (Req_EM_T (v o) 0) as [Z | N]; [|field; auto].
    assert (w o = 0) as -> by (specialize (Hw o); nra). rewrite Z. ring.
Qed.
