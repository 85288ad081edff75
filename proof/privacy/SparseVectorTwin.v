(** The twin of the sparse vector technique that tells the compared value is not private.

    The threshold has noise and is hidden, as in SparseVector.v. But where the test passes, the value that was compared
    with the threshold is told, in the place of the answer with fresh noise. This mechanism is private for no epsilon,
    however large the noises: one told answer is enough, after enough quiet rounds. If all answers of the data are 0 on
    one data set and 1 on its neighbour, m quiet rounds and then the value 0 are e^((m+1)/scale) times as likely on the
    first. For the value 0 says that the threshold is at most 0, and so that the noise of each quiet round was in its
    lower tail.

    Of the claim this is the page's remark on the twin.

    Claims: jt13.svt.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Countable Composition LaplaceMechanism HiddenThreshold SparseVector.
Open Scope R_scope.

Section twin.
Variables (theta : Z) (threshold_scale scale : R) (threshold_pos : 0 < threshold_scale) (pos : 0 < scale).

(** The value with noise, if it is at least the threshold. *)
Definition twin_round (value threshold : Z) : law (option Z) :=
  then_ (around scale pos value) (fun noisy => unit_law (if Z_le_dec threshold noisy then Some noisy else None)).
(** The session of SparseVector.v with this round in the place of the one with fresh noise. *)
Definition twin_session {Data Query} (prediction : Data -> Query -> R) T B (who : @analyst Query) (x : Data)
  : law (list (option Z)) :=
  hidden_threshold nothing_told (around threshold_scale threshold_pos theta)
    (fun h told => twin_round (Z.abs (nearest (prediction x (asks who told)) - public_answer who told)) h) T B.

(** ** The transcript: m quiet rounds, then the value 0 *)

Definition same_outcome (a b : option Z) : {a = b} + {a <> b}.
Proof. decide equality. apply Z.eq_dec. Defined.
Definition is_transcript m (told : list (option Z)) : R :=
  if list_eq_dec same_outcome told (Some 0%Z :: repeat None m) then 1 else 0.
Definition is_outcome (a o : option Z) : R := if same_outcome o a then 1 else 0.

Lemma is_outcome_test a : test (is_outcome a).
Proof. intros o. unfold is_outcome. destruct (same_outcome o a); lra. Qed.
Lemma is_transcript_test m : test (is_transcript m).
Proof. intros l. unfold is_transcript. destruct (list_eq_dec _ l _); lra. Qed.

(** For rounds of one law, it has the probability of a quiet round, to the power m, times that of 0. *)
Lemma transcript_probability (L : law (option Z)) j : forall i,
  rounds nothing_told (S j) 1 (fun _ => L) (repeat None i) (is_transcript (i + j))
  = L (is_outcome None) ^ j * L (is_outcome (Some 0%Z)).
Proof.
  induction j as [|j IH]; intros i.
  - rewrite Nat.add_0_r, Rmult_1_l. cbn [rounds E then_ unit_law].
    apply E_ext; try apply test_bounded; try apply is_outcome_test.
    + intros o. apply is_transcript_test.
    + intros o. unfold is_outcome, is_transcript.
      destruct (list_eq_dec same_outcome (o :: repeat None i) (Some 0%Z :: repeat None i)), (same_outcome o (Some 0%Z));
        congruence.
  - change (L (fun o => rounds nothing_told (S j) (if nothing_told o then 1 else 0) (fun _ => L) (o :: repeat None i)
      (is_transcript (i + S j))) = L (is_outcome None) ^ S j * L (is_outcome (Some 0%Z))).
    transitivity (L (fun o => (L (is_outcome None) ^ j * L (is_outcome (Some 0%Z))) * is_outcome None o)).
    + apply E_ext.
      * apply test_bounded. intros o. apply E_test, is_transcript_test.
      * apply bounded_scal, test_bounded, is_outcome_test.
      * intros [k|]; unfold is_outcome at 3; cbn [nothing_told].
        -- destruct (same_outcome (Some k) None); [congruence|]. rewrite Rmult_0_r. cbn [rounds E unit_law].
           unfold is_transcript. destruct (list_eq_dec same_outcome _ _) as [Eq|]; auto.
           apply (f_equal (@length _)) in Eq. simpl in Eq. rewrite !repeat_length in Eq. lia.
        -- destruct (same_outcome None None); [|congruence]. rewrite Rmult_1_r, <- (IH (S i)).
           now replace (S i + j)%nat with (i + S j)%nat by lia.
    + rewrite E_scal by (apply test_bounded, is_outcome_test). simpl. ring.
Qed.

(** ** The probabilities of a round *)

(** Quiet is the lower tail. *)
Lemma quiet_sum v h :
  sums_to (fun k => laplace_at scale (k - v) * (if Z_le_dec h k then 0 else 1)) (twin_round v h (is_outcome None)).
Proof.
  assert (B : bounded (fun k => if Z_le_dec h k then 0 else 1))
    by (exists 1; intros k; destruct (Z_le_dec h k); rewrite Rabs_pos_eq; lra).
  pose proof (countable_moved (laplace_at scale) (fun k => laplace_at_nonneg scale k pos) (laplace_at_total scale pos)
    v _ B) as S.
  replace (twin_round v h (is_outcome None)) with (countable (laplace_at scale) (fun k => laplace_at_nonneg scale k pos)
    (laplace_at_total scale pos) (fun k => if Z_le_dec h (v + k) then 0 else 1)); auto.
  unfold twin_round, around, discrete_laplace. cbn [E then_ unit_law relabel].
  apply (E_ext (countable _ _ _)).
  - exists 1. intros k. destruct (Z_le_dec h (v + k)); rewrite Rabs_pos_eq; lra.
  - apply test_bounded. intros k. apply is_outcome_test.
  - intros k. unfold is_outcome. destruct (Z_le_dec h (v + k)), (same_outcome _ None); congruence.
Qed.
(** The value 0 is told if the noise makes it 0 and the threshold is not above. *)
Lemma told_probability v h : twin_round v h (is_outcome (Some 0%Z)) =
  if Z_le_dec h 0 then laplace_at scale (0 - v) else 0.
Proof.
  transitivity ((if Z_le_dec h 0 then 1 else 0) * around scale pos v (fun k => if Z.eq_dec k 0 then 1 else 0)).
  - rewrite <- E_scal by (exists 1; intros k; destruct (Z.eq_dec k 0); rewrite Rabs_pos_eq; lra).
    unfold twin_round. set (m := around scale pos v). cbn [E then_ unit_law]. apply (E_ext m).
    + apply test_bounded. intros k. apply is_outcome_test.
    + exists 1. intros k. destruct (Z_le_dec h 0), (Z.eq_dec k 0); rewrite Rabs_pos_eq; lra.
    + intros k. unfold is_outcome.
      destruct (Z_le_dec h 0), (Z.eq_dec k 0), (Z_le_dec h k), (same_outcome _ (Some 0%Z)); try lra;
        try congruence; exfalso; try (assert (k = 0%Z) by congruence); lia.
  - unfold around, discrete_laplace. rewrite countable_moved_probability. destruct (Z_le_dec h 0); lra.
Qed.

(** Below 0, noise around 0 is e^(1/scale) times as likely as noise around 1. *)
Lemma lower_tail k : (k <= 0)%Z -> laplace_at scale (k - 0) = exp (/ scale) * laplace_at scale (k - 1).
Proof.
  intros H. unfold laplace_at. rewrite (Rmult_comm (exp (/ scale))), Rmult_assoc, <- exp_plus. do 2 f_equal.
  replace (Z.abs (k - 1)) with (Z.abs (k - 0) + 1)%Z by lia. rewrite plus_IZR. field. lra.
Qed.
Lemma quiet_ratio h : (h <= 0)%Z ->
  twin_round 0 h (is_outcome None) = exp (/ scale) * twin_round 1 h (is_outcome None).
Proof.
  intros H. eapply sums_to_unique; [apply quiet_sum|].
  apply sums_to_ext with (a := fun k => exp (/ scale) * (laplace_at scale (k - 1) * (if Z_le_dec h k then 0 else 1)));
    [|apply sums_to_scal, quiet_sum].
  intros k. destruct (Z_le_dec h k); [lra|]. rewrite lower_tail by lia. lra.
Qed.
Lemma laplace_at_pos s k : 0 < s -> 0 < laplace_at s k.
Proof.
  intros Hs. pose proof (laplace_at_base s Hs). apply Rmult_lt_0_compat; [|apply exp_pos].
  apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra].
Qed.
Lemma quiet_pos v h : 0 < twin_round v h (is_outcome None).
Proof.
  apply Rlt_le_trans with (laplace_at scale (h - 1 - v)); [now apply laplace_at_pos|].
  set (one := fun k => if Z.eq_dec k (h - 1) then laplace_at scale (h - 1 - v) else 0).
  apply (sums_to_le one _ _ _) with (3 := quiet_sum v h).
  - intros k. unfold one. destruct (Z.eq_dec k (h - 1)) as [-> | N].
    + destruct (Z_le_dec h (h - 1)); [lia | lra].
    + pose proof (laplace_at_pos scale (k - v) pos). destruct (Z_le_dec h k); lra.
  - assert (One : one (h - 1)%Z = laplace_at scale (h - 1 - v)).
    { unfold one. destruct (Z.eq_dec (h - 1) (h - 1)); congruence. }
    rewrite <- One. apply (sums_to_one_term one).
    intros i Hi. unfold one. destruct (Z.eq_dec i (h - 1)); congruence.
Qed.

(** ** The counterexample *)

(** The data are one bit, and the answer to every query is that bit. The public model always says 0. *)
Definition the_bit (x : bool) (_ : unit) : R := if x then 1 else 0.
Definition any_query : @analyst unit := {| asks := fun _ => tt; public_answer := fun _ => 0%Z |}.

Lemma nearest_integer k : nearest (IZR k) = k.
Proof.
  unfold nearest. destruct (base_Int_part (IZR k + / 2)) as [A B].
  assert (IZR (Int_part (IZR k + / 2) - k) < IZR 1) by (rewrite minus_IZR; lra).
  assert (IZR (k - Int_part (IZR k + / 2)) < IZR 1) by (rewrite minus_IZR; lra).
  apply lt_IZR in H, H0. lia.
Qed.

(** jt13.svt: however large the noises and epsilon, after enough rounds the twin is not (epsilon, 0)-private, with one
    told answer and one query whose answer moves by one step. *)
Theorem twin_not_private eps :
  exists T, ~ dp (fun _ _ : bool => True) eps 0 (twin_session the_bit T 1 any_query).
Proof.
  (* More than scale * eps rounds. *)
  destruct (archimed (scale * eps)) as [Up _]. set (m := Z.to_nat (up (scale * eps))).
  assert (Hm : scale * eps < INR m).
  { apply Rlt_le_trans with (IZR (up (scale * eps))); [lra|]. rewrite INR_IZR_INZ. apply IZR_le. lia. }
  clearbody m. clear Up. exists (S m). intros H.
  specialize (H false true I (is_transcript m) (is_transcript_test m)). rewrite Rplus_0_r in H.
  set (threshold := around threshold_scale threshold_pos theta) in *.
  set (G := fun v h => twin_round v h (is_outcome None) ^ m * twin_round v h (is_outcome (Some 0%Z))).
  assert (Value : forall x, twin_session the_bit (S m) 1 any_query x (is_transcript m)
    = threshold (G (if x then 1%Z else 0%Z))).
  { intros x. unfold twin_session, hidden_threshold. fold threshold. cbn [then_ E].
    cbn [asks any_query public_answer].
    assert (V : Z.abs (nearest (the_bit x tt) - 0) = (if x then 1 else 0)%Z)
      by (destruct x; unfold the_bit; rewrite nearest_integer; reflexivity).
    rewrite V. f_equal. apply FunctionalExtensionality.functional_extensionality. intros h.
    exact (transcript_probability (twin_round (if x then 1 else 0)%Z h) m 0). }
  rewrite !Value in H. clear Value.
  assert (Tests : forall v, test (G v)).
  { intros v h. unfold G. pose proof (E_test (twin_round v h) _ (is_outcome_test None)) as [A B].
    pose proof (E_test (twin_round v h) _ (is_outcome_test (Some 0%Z))) as [C D].
    pose proof (pow_le _ m A). pose proof (pow_incr _ 1 m (conj A B)) as P. rewrite pow1 in P. split; nra. }
  (* At every threshold the transcript is e^((m+1)/scale) times as likely on the first data set. *)
  assert (Ratio : forall h, G 0%Z h = exp (/ scale) ^ S m * G 1%Z h).
  { intros h. unfold G. rewrite !told_probability. destruct (Z_le_dec h 0) as [L|]; [|ring].
    rewrite quiet_ratio, Rpow_mult_distr, (lower_tail 0) by lia. simpl. ring. }
  assert (Whole : threshold (G 0%Z) = exp (/ scale) ^ S m * threshold (G 1%Z)).
  { rewrite <- E_scal by auto using test_bounded. apply E_ext; auto using test_bounded, bounded_scal. }
  (* And it is possible on the second, for the threshold 0. *)
  assert (Possible : 0 < threshold (G 1%Z)).
  { set (at_0 := fun h => if Z.eq_dec h 0 then 1 else 0).
    assert (B0 : bounded at_0) by (exists 1; intros h; unfold at_0; destruct (Z.eq_dec h 0); rewrite Rabs_pos_eq; lra).
    assert (P0 : threshold at_0 = laplace_at threshold_scale (0 - theta)) by apply countable_moved_probability.
    assert (G0 : 0 < G 1%Z 0%Z).
    { unfold G. rewrite told_probability.
      apply Rmult_lt_0_compat; [apply pow_lt, quiet_pos | now apply laplace_at_pos]. }
    apply Rlt_le_trans with (threshold (fun h => G 1%Z 0%Z * at_0 h)).
    - rewrite E_scal, P0 by auto. apply Rmult_lt_0_compat; auto. now apply laplace_at_pos.
    - apply E_mono; auto using bounded_scal, test_bounded. intros h. unfold at_0.
      destruct (Z.eq_dec h 0) as [-> |]; [lra|]. rewrite Rmult_0_r. apply Tests. }
  assert (Power : exp eps < exp (/ scale) ^ S m).
  { assert (Pow : forall n, exp (/ scale) ^ n = exp (INR n / scale)).
    { induction n as [|n IH]; [unfold Rdiv; simpl; now rewrite Rmult_0_l, exp_0|].
      rewrite S_INR. simpl. rewrite IH, <- exp_plus. f_equal. field. lra. }
    rewrite Pow. apply exp_increasing. apply Rmult_lt_reg_r with scale; auto.
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, S_INR by lra. lra. }
  rewrite Whole in H. apply Rmult_le_reg_r in H; auto. lra.
Qed.
End twin.
