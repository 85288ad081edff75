(** The lower bound for pure learners of halfspaces.

    Let gamma > 0, N gamma^2 <= 1 (N = floor(1/gamma^2) is the largest such N, `floor_fits`) and d >= N >= 1. Every
    (epsilon, 0)-private (1/10, 1/10, gamma)-learner in dimension d with n records, with hypotheses of any type that
    may be randomised, has
      n ln(2/(1 + e^-epsilon)) >= (ln 2 - H(1/10)) N + ln(9/10),   H the entropy in nats,
      n epsilon >= 0.736 N - 0.211,   n >= 0.53 N - 0.16,   e^(floor(n/2) epsilon) + e^(ceil(n/2) epsilon) >= 10.
    The statement is that of the page. That the last bound cannot be improved is in TwoLabelsSharp.v.

    For the first bound the records are (e_i, y_i), i < N, with an unknown labelling y. Records with labels by fair
    coins do duty for those of every y, each up to a factor of (1 + e^-epsilon)/2. For the last bound all records are
    at one point, k of them with the one label and n-k with the other.

    Claims: nuz20.thm12.corrected.
*)
Require Import Reals Lra Lia List Bool Arith. Import ListNotations.
From DpAssay Require Import Privacy Neighbours RealVectors Events RecordExchange Labellings Learners Numbers.
Open Scope R_scope.

(** What a fair coin does for one label. *)
Lemma a_coin_does_duty eps (F : bool -> R) y : (forall b b', F b <= exp eps * F b') ->
  (1 + exp (- eps)) / 2 * F y <= (F true + F false) / 2.
Proof.
  intros Ratio. pose proof (exp_pos (- eps)).
  assert (other : forall b b', exp (- eps) * F b <= F b').
  { intros b b'. specialize (Ratio b b'). apply (Rmult_le_compat_l (exp (- eps))) in Ratio; [|lra].
    rewrite <- Rmult_assoc, <- exp_plus, Rplus_opp_l, exp_0, Rmult_1_l in Ratio. exact Ratio. }
  destruct y; [pose proof (other true false) | pose proof (other false true)]; lra.
Qed.

(** The records (e_i, y_i), i < N, evenly; and the same points labelled by fair coins. *)
Section Points.
Context (d N : nat) (N_positive : (0 < N)%nat).

Definition even (i : nat) : R := / INR N.
Lemma even_nonneg i : 0 <= even i.
Proof. left. now apply Rinv_0_lt_compat, lt_0_INR. Qed.
Lemma even_total : sum even (seq 0 N) = 1.
Proof. unfold even. rewrite sum_const, seq_length. apply Rinv_r, not_0_INR. lia. Qed.
Definition labelled_by (y : list bool) : law (example d) :=
  distribution N even (fun i => (unit_point d i, nth i y false)) even_nonneg even_total.
Definition labelled_by_coins : law (example d) :=
  then_ (finite even (seq 0 N) even_nonneg even_total) (fun i => relabel (fun label => (unit_point d i, label)) coin).

(** A fair coin agrees with half of the labels. *)
Lemma coins_do_duty eps y : covers eps ((1 + exp (- eps)) / 2) labelled_by_coins (labelled_by y).
Proof.
  intros F TF Ratio. cbn [E labelled_by labelled_by_coins distribution relabel then_ unit_law finite coin].
  rewrite <- sum_scal. apply sum_le. intros i. simpl sum. pose proof (even_nonneg i).
  pose proof (a_coin_does_duty eps (fun label => F (unit_point d i, label)) (nth i y false)) as duty.
  cbv beta in duty. specialize (duty (fun _ _ => Ratio _ _)).
  apply (Rmult_le_compat_l (even i)) in duty; lra.
Qed.

(** The error on the labelled points is the number of mistakes over N. *)
Lemma good_is_few_mistakes {O} (q : O -> ball d -> bool -> R) y tau o : length y = N ->
  good q (labelled_by y) tau o = few_mistakes tau (fun i => q o (unit_point d i)) y.
Proof.
  intros Y. unfold good, few_mistakes, error, mistakes, at_most.
  cbn [E labelled_by distribution relabel then_ unit_law finite fst snd]. unfold even.
  rewrite sum_scal, Y. set (m := sum _ _).
  assert (P : 0 < INR N) by now apply lt_0_INR.
  assert (C : / INR N * m = m / INR N) by (unfold Rdiv; ring). rewrite C.
  assert (Back : m = m / INR N * INR N) by (field; lra).
  destruct (Rle_dec (m / INR N) tau) as [H|H], (Rle_dec m (tau * INR N)) as [H'|H']; try easy; exfalso.
  - apply H'. rewrite Back. apply Rmult_le_compat_r; lra.
  - apply H. apply Rmult_le_reg_r with (INR N); [exact P | lra].
Qed.
End Points.

(** The two inequalities. *)
Lemma bound_by_all_labellings {O} d N n eps gamma tau beta (q : O -> ball d -> bool -> R)
    (M : data (example d) n -> law O) :
  (0 < N <= d)%nat -> 0 < gamma -> INR N * (gamma * gamma) <= 1 -> 0 < tau <= 1 / 2 -> hypotheses q ->
  dp (nb n) eps 0 M -> learns q tau beta gamma M ->
  ((1 + exp (- eps)) / 2) ^ n * 2 ^ N * (1 - beta) <= exp (INR N * entropy tau).
Proof.
  intros [N0 Nd] G Fits T Hypotheses Private Learns.
  apply (learners_of_all_labellings N n eps _ tau beta (labelled_by_coins d N N0) (labelled_by d N N0)
    (fun o i => q o (unit_point d i)) M); auto.
  - pose proof (exp_pos (- eps)). lra.
  - intros y _. apply coins_do_duty.
  - intros o i. apply Hypotheses.
  - intros y Y.
    pose proof (Learns N (even N) _ (even_nonneg N N0) (even_total N N0)
      (unit_points_separated d N gamma y (conj N0 Nd) G Fits)) as L.
    cbv zeta in L. change (distribution _ _ _ _ _) with (labelled_by d N N0 y) in L.
    rewrite (E_ext _ _ (good q (labelled_by d N N0 y) tau)); auto.
    + apply test_bounded, (test_indicator (fun o => at_most _ _)).
    + apply test_bounded, (test_indicator (fun o => at_most _ _)).
    + intros o. symmetry. now apply good_is_few_mistakes.
Qed.

(** Datasets with the first k records equal to a, and the others to b. *)
Fixpoint mixed {X} (a b : X) (k n : nat) : data X n :=
  match n with O => tt | S m => match k with O => (b, mixed a b O m) | S j => (a, mixed a b j m) end end.

Lemma mixed_to_none {X O} eps (a b : X) (f : O -> R) n : test f -> forall k (M : data X n -> law O), (k <= n)%nat ->
  dp (nb n) eps 0 M -> M (mixed a b k n) f <= exp (INR k * eps) * M (mixed a b 0 n) f.
Proof.
  intros Tf. induction n as [|n IH]; intros k M K Private.
  - replace k with 0%nat by lia. simpl. rewrite Rmult_0_l, exp_0. lra.
  - destruct k as [|k]; [simpl; rewrite Rmult_0_l, exp_0; lra|]. cbn [mixed].
    assert (rest : M (a, mixed a b k n) f <= exp (INR k * eps) * M (a, mixed a b 0 n) f).
    { apply (IH k (fun s => M (a, s))); [lia|]. intros s s' N. apply Private. now right. }
    pose proof (Private (a, mixed a b 0 n) (b, mixed a b 0 n) (or_introl eq_refl) f Tf) as first.
    rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, Rmult_assoc.
    eapply Rle_trans; [exact rest|]. apply Rmult_le_compat_l; [left; apply exp_pos | lra].
Qed.
Lemma mixed_to_all {X O} eps (a b : X) (f : O -> R) n : test f -> forall k (M : data X n -> law O), (k <= n)%nat ->
  dp (nb n) eps 0 M -> M (mixed a b k n) f <= exp (INR (n - k) * eps) * M (mixed a b n n) f.
Proof.
  intros Tf. induction n as [|n IH]; intros k M K Private.
  - simpl. rewrite Rmult_0_l, exp_0. lra.
  - destruct k as [|k]; cbn [mixed].
    + assert (rest : M (b, mixed a b 0 n) f <= exp (INR (n - 0) * eps) * M (b, mixed a b n n) f).
      { apply (IH 0%nat (fun s => M (b, s))); [lia|]. intros s s' N. apply Private. now right. }
      pose proof (Private (b, mixed a b n n) (a, mixed a b n n) (or_introl eq_refl) f Tf) as first.
      replace (S n - 0)%nat with (S (n - 0)) by lia.
      rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, Rmult_assoc.
      eapply Rle_trans; [exact rest|]. apply Rmult_le_compat_l; [left; apply exp_pos | lra].
    + cbn [Nat.sub]. apply (IH k (fun s => M (a, s))); [lia|]. intros s s' N. apply Private. now right.
Qed.

Lemma iid_of_one_record {X O} (D : law X) (x : X) : (forall F, D F = F x) -> forall n (M : data X n -> law O) f,
  then_ (iid D n) M f = M (same x n) f.
Proof.
  intros Point. induction n as [|n IH]; intros M f; [easy|].
  cbn [iid E then_ relabel unit_law same]. rewrite Point. apply (IH (fun s => M (x, s))).
Qed.
Lemma mixed_none {X} (a b : X) n : mixed a b 0 n = same b n.
Proof. induction n; simpl; congruence. Qed.
Lemma mixed_all {X} (a b : X) n : mixed a b n n = same a n.
Proof. induction n; simpl; congruence. Qed.

Lemma bound_by_two_labels {O} d n eps gamma (q : O -> ball d -> bool -> R) (M : data (example d) n -> law O) k :
  (0 < d)%nat -> 0 < gamma <= 1 -> (k <= n)%nat -> hypotheses q ->
  dp (nb n) eps 0 M -> learns q (1 / 10) (1 / 10) gamma M ->
  10 <= exp (INR k * eps) + exp (INR (n - k) * eps).
Proof.
  intros D0 G K Hypotheses Private Learns. set (x := unit_point d 0).
  set (right_at := fun label o => indicator (at_most (q o x label) (1 / 10))).
  assert (T : forall label, test (right_at label)) by (intros label; apply (test_indicator (fun o => at_most _ _))).
  (* All records have the same label: the learner is right there with probability at least 9/10. *)
  assert (one_label : forall label, 9 / 10 <= M (same (x, label) n) (right_at label)).
  { intros label.
    assert (One : (0 < 1)%nat) by lia.
    assert (sep : separated gamma 1 (fun i => (unit_point d i, nth i [label] false))).
    { apply unit_points_separated; [lia | lra | simpl; nra]. }
    pose proof (Learns 1%nat (even 1) _ (even_nonneg 1 One) (even_total 1 One) sep) as L. cbv zeta in L.
    rewrite (iid_of_one_record _ (x, label)) in L.
    - rewrite (E_ext _ _ (right_at label)) in L; [lra | | |].
      + apply test_bounded, (test_indicator (fun o => at_most _ _)).
      + apply test_bounded, T.
      + intros o. unfold good, error, right_at. do 2 f_equal.
        change (even 1 0 * q o x label + 0 = q o x label). unfold even. simpl INR. rewrite Rinv_1. lra.
    - intros F. change (even 1 0 * F (x, label) + 0 = F (x, label)). unfold even. simpl INR. rewrite Rinv_1. lra. }
  (* No hypothesis is right for both labels. *)
  assert (not_both : forall o, right_at false o <= 1 - right_at true o).
  { intros o. destruct (Hypotheses o x) as [_ Both]. unfold right_at, at_most.
    destruct (Rle_dec (q o x true) (1 / 10)), (Rle_dec (q o x false) (1 / 10)); simpl; lra. }
  assert (B : bounded (right_at true)) by apply test_bounded, T.
  set (wrong := fun o => 1 - right_at true o).
  assert (Tw : test wrong) by (intros o; specialize (T true o); unfold wrong; lra).
  assert (complement : forall s, M s wrong = 1 - M s (right_at true)).
  { intros s. assert (H : M s (fun o => wrong o + right_at true o) = M s wrong + M s (right_at true))
      by (apply E_plus; auto using test_bounded).
    rewrite (E_ext (M s) _ (fun _ => 1)) in H; [rewrite E_one in H; lra | | apply bounded_const |].
    - apply bounded_plus; auto using test_bounded.
    - intros o. unfold wrong. lra. }
  set (a := (x, true)). set (b := (x, false)).
  (* p_k <= e^(k epsilon)/10 and 1 - p_k <= e^((n-k) epsilon)/10. *)
  pose proof (mixed_to_none eps a b (right_at true) n (T true) k M K Private) as up.
  pose proof (mixed_to_all eps a b wrong n Tw k M K Private) as down.
  rewrite mixed_none in up. rewrite mixed_all in down. rewrite !complement in down.
  assert (p_0 : M (same b n) (right_at true) <= 1 / 10).
  { assert (M (same b n) (right_at false) <= M (same b n) wrong) by (apply E_mono; auto using test_bounded).
    rewrite complement in *. specialize (one_label false). fold b in one_label. lra. }
  pose proof (one_label true) as p_n. fold a in p_n.
  pose proof (exp_pos (INR k * eps)). pose proof (exp_pos (INR (n - k) * eps)).
  assert (exp (INR k * eps) * M (same b n) (right_at true) <= exp (INR k * eps) * (1 / 10))
    by (apply Rmult_le_compat_l; lra).
  assert (exp (INR (n - k) * eps) * (1 - M (same a n) (right_at true)) <= exp (INR (n - k) * eps) * (1 / 10))
    by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

(** (1 + e^-epsilon)/2 is at least e^(-epsilon/2). *)
Lemma mean_of_1_and_exp eps : ln (2 / (1 + exp (- eps))) <= eps / 2.
Proof.
  pose proof (exp_pos (- eps)). set (h := exp (- (eps / 2))).
  assert (square : exp (- eps) = h * h) by (unfold h; rewrite <- exp_plus; f_equal; lra).
  assert (0 < h) by apply exp_pos.
  rewrite <- (ln_exp (eps / 2)).
  assert (L : 2 / (1 + exp (- eps)) <= exp (eps / 2)).
  { assert (inverse : exp (eps / 2) * h = 1) by (unfold h; rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
    apply Rmult_le_reg_r with (1 + exp (- eps)); [lra|].
    unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    rewrite square, Rmult_plus_distr_l, Rmult_1_r, <- Rmult_assoc, inverse.
    pose proof (exp_pos (eps / 2)). pose proof (Rle_0_sqr (exp (eps / 2) - h)) as S. unfold Rsqr in S.
    pose proof (Rle_0_sqr (exp (eps / 2) - 1)) as S'. unfold Rsqr in S'. nra. }
  assert (0 < 2 / (1 + exp (- eps))) by (apply Rdiv_lt_0_compat; lra).
  destruct L as [L | ->]; [left; now apply ln_increasing | lra].
Qed.
Lemma at_most_ln_2 eps : ln (2 / (1 + exp (- eps))) <= ln 2.
Proof.
  pose proof (exp_pos (- eps)). left. apply ln_increasing; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_reg_r with (1 + exp (- eps)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(** nuz20.thm12.corrected: every (epsilon, 0)-private (1/10, 1/10, gamma)-learner in dimension d >= N, where
    N gamma^2 <= 1, with hypotheses of any type that may be randomised, and with n records, has
    n ln(2/(1 + e^-epsilon)) >= (ln 2 - H(1/10)) N + ln(9/10), so that n epsilon >= 0.736 N - 0.211 and
    n >= 0.53 N - 0.16; and e^(floor(n/2) epsilon) + e^(ceil(n/2) epsilon) >= 10. *)
Theorem pure_lower_bound {O} d N n eps gamma (q : O -> ball d -> bool -> R) (M : data (example d) n -> law O) :
  0 < gamma -> (0 < N <= d)%nat -> INR N * (gamma * gamma) <= 1 -> hypotheses q ->
  dp (nb n) eps 0 M -> learns q (1 / 10) (1 / 10) gamma M ->
  INR n * ln (2 / (1 + exp (- eps))) >= (ln 2 - entropy (1 / 10)) * INR N + ln (9 / 10) /\
  INR n * eps >= 0.736 * INR N - 0.211 /\
  INR n >= 0.53 * INR N - 0.16 /\
  exp (INR (n / 2) * eps) + exp (INR (n - n / 2) * eps) >= 10.
Proof.
  intros G N0 Fits Hypotheses Private Learns.
  assert (first : INR n * ln (2 / (1 + exp (- eps))) >= (ln 2 - entropy (1 / 10)) * INR N + ln (9 / 10)).
  { pose proof (bound_by_all_labellings d N n eps gamma (1 / 10) (1 / 10) q M N0 G Fits ltac:(lra)
      Hypotheses Private Learns) as B.
    replace (1 - 1 / 10) with (9 / 10) in B by lra. pose proof (exp_pos (- eps)).
    set (c := (1 + exp (- eps)) / 2) in *. assert (C : 0 < c) by (unfold c; lra).
    replace (2 / (1 + exp (- eps))) with (/ c) by (unfold c; field; lra).
    assert (0 < c ^ n) by now apply pow_lt. assert (0 < 2 ^ N) by (apply pow_lt; lra).
    assert (L : ln (c ^ n * 2 ^ N * (9 / 10)) <= INR N * entropy (1 / 10)).
    { rewrite <- (ln_exp (INR N * entropy (1 / 10))).
      assert (0 < c ^ n * 2 ^ N * (9 / 10)) by (repeat apply Rmult_lt_0_compat; lra).
      destruct B as [B | ->]; [left; now apply ln_increasing | lra]. }
    rewrite !ln_mult, !ln_pow in L by (try apply Rmult_lt_0_compat; lra).
    rewrite ln_Rinv by exact C. lra. }
  assert (NR : 0 <= INR N) by apply pos_INR. assert (nR : 0 <= INR n) by apply pos_INR.
  pose proof ln_2_minus_entropy_tenth as Slope. pose proof ln_9_10_ge. pose proof ln_2_le. pose proof ln_2_ge.
  apply (Rmult_le_compat_r (INR N)) in Slope; [|exact NR].
  split; [exact first|]. split; [|split].
  - pose proof (mean_of_1_and_exp eps) as Mean. apply (Rmult_le_compat_l (INR n)) in Mean; lra.
  - pose proof (at_most_ln_2 eps) as Half. apply (Rmult_le_compat_l (INR n)) in Half; [|exact nR].
    apply Rle_ge. apply Rmult_le_reg_r with (ln 2); [lra|].
    assert (0.53 * INR N * ln 2 <= 0.53 * INR N * 0.694) by (apply Rmult_le_compat_l; lra). lra.
  - apply Rle_ge, (bound_by_two_labels d n eps gamma q M); auto; [lia | | apply Nat.div_le_upper_bound; lia].
    assert (1 <= INR N) by (apply (le_INR 1); lia). split; [exact G|]. nra.
Qed.
