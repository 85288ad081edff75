(** A hidden threshold.

    A stage draws one integer h, hidden, and then makes rounds that may depend on h, on the data and on what was told
    before. An outcome of a round may be quiet; on no path are more than B outcomes not quiet.
    The two data sets are compared with different thresholds, h and h + k. If h has at most e^c times the probability of
    h + k, and if at these thresholds a quiet outcome is no likelier on the first data set than on the second and any
    other outcome at most e^s times as likely, then the whole transcript is at most e^(c + B s) times as likely.
    However many rounds are quiet, they cost c together.
    As on the page, for every finite number T of rounds. A stage that ends earlier goes on with a constant quiet
    outcome: its rounds are then certain of that outcome. The same is proved where the stage ends after B outcomes that
    are not quiet, whatever it would have told later.

    This is Theorem 9 of the meter's page.

    Claims: none.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Countable Composition.
Open Scope R_scope.

(** * The rounds *)

Section rounds.
Context {O : Type} (quiet : O -> bool).

(** By how much an outcome may be likelier on the first data set: quiet ones by nothing, others by e^s. *)
Definition factor s (o : O) : R := if quiet o then 1 else exp s.
(** A quiet outcome is no likelier under p than under q, and another one at most e^s times as likely. It is said with
    tests, for laws of any kind; a test that is 1 at one outcome only gives the statement on that outcome. *)
Definition quiet_or_within s (p q : law O) := forall f, test f -> p f <= q (fun o => factor s o * f o).

(** Rounds that see what was told before, the last first: at most T, at most B of them not quiet. *)
Fixpoint rounds (T B : nat) (round : list O -> law O) (told : list O) : law (list O) :=
  match T, B with
  | S T', S B' => then_ (round told) (fun o => rounds T' (if quiet o then B else B') round (o :: told))
  | _, _ => unit_law told
  end.

Lemma factor_bounded s f : bounded f -> bounded (fun o => factor s o * f o).
Proof.
  intros [C H]. exists ((1 + exp s) * C). intros o. rewrite Rabs_mult. pose proof (exp_pos s).
  apply Rmult_le_compat; auto using Rabs_pos.
  unfold factor. destruct (quiet o); rewrite Rabs_pos_eq; lra.
Qed.

(** For finite laws the condition can be read off the weights of the outcomes. *)
Lemma quiet_or_within_finite s (w v : O -> R) l Hw Hw1 Hv Hv1 : (forall o, In o l -> w o <= factor s o * v o) ->
  quiet_or_within s (finite w l Hw Hw1) (finite v l Hv Hv1).
Proof.
  intros H f Hf. cbn [E finite]. apply sum_le_in. intros o Ho. specialize (H o Ho). specialize (Hf o).
  replace (v o * (factor s o * f o)) with (factor s o * v o * f o) by ring. apply Rmult_le_compat_r; lra.
Qed.

(** The condition for functions between 0 and C, not only 1. *)
Lemma quiet_or_within_scaled s p q C f : quiet_or_within s p q -> 0 < C -> (forall o, 0 <= f o <= C) ->
  p f <= q (fun o => factor s o * f o).
Proof.
  intros H HC Hf. assert (T : test (fun o => / C * f o)).
  { intros o. specialize (Hf o). assert (0 < / C) by now apply Rinv_0_lt_compat. split; [nra|].
    apply Rmult_le_reg_l with C; [auto|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
  assert (B : bounded f) by (exists C; intros o; specialize (Hf o); rewrite Rabs_pos_eq; lra).
  specialize (H _ T). rewrite E_scal in H by auto.
  rewrite (E_ext q _ (fun o => / C * (factor s o * f o))), E_scal in H
    by (auto using factor_bounded, bounded_scal, test_bounded; intros; ring).
  apply Rmult_le_reg_l with (/ C); auto. now apply Rinv_0_lt_compat.
Qed.

(** One round and what comes after it: if that costs the factor w o after the outcome o, and the factor of o and w o
    are W together, then the whole costs W. *)
Lemma one_round s (p q : law O) (g g' w : O -> R) W : 0 <= s -> quiet_or_within s p q -> test g -> test g' -> 0 < W ->
  (forall o, g o <= w o * g' o) -> (forall o, 0 < w o) -> (forall o, factor s o * w o = W) -> p g <= W * q g'.
Proof.
  intros Hs H Tg Tg' HW Step Pos All.
  assert (Le : forall o, w o <= W).
  { intros o. rewrite <- (All o). specialize (Pos o). unfold factor. destruct (quiet o); [lra|].
    pose proof (exp_ge_1 s Hs). nra. }
  set (later := fun o => w o * g' o).
  assert (Range : forall o, 0 <= later o <= W).
  { intros o. unfold later. specialize (Tg' o). specialize (Le o). specialize (Pos o). nra. }
  assert (Bl : bounded later) by (exists W; intros o; specialize (Range o); rewrite Rabs_pos_eq; lra).
  apply Rle_trans with (p later); [apply E_mono; auto using test_bounded|].
  apply Rle_trans with (q (fun o => factor s o * later o)); [now apply quiet_or_within_scaled with W|].
  rewrite <- E_scal by auto using test_bounded. right.
  apply E_ext; auto using factor_bounded, bounded_scal, test_bounded.
  intros o. unfold later. now rewrite <- Rmult_assoc, All.
Qed.

(** The rounds together: every told outcome costs s, and at most B are told. *)
Lemma rounds_within s (p q : list O -> law O) : 0 <= s -> (forall told, quiet_or_within s (p told) (q told)) ->
  forall T B told, close (INR B * s) 0 (rounds T B p told) (rounds T B q told).
Proof.
  intros Hs H. induction T as [|T IH]; intros B told.
  { apply close_same; [|lra]. apply Rmult_le_pos; auto using pos_INR. }
  destruct B as [|B]; [apply close_same; simpl; lra|].
  intros f Hf. rewrite Rplus_0_r. cbn [rounds E then_].
  set (after := fun o => if quiet o then S B else B).
  apply one_round with (s := s) (w := fun o => exp (INR (after o) * s)); auto using exp_pos.
  - intros o. now apply E_test.
  - intros o. now apply E_test.
  - intros o. specialize (IH (after o) (o :: told) f Hf). rewrite Rplus_0_r in IH. apply IH.
  - (* What this outcome may cost and what the later ones may cost is B s in all. *)
    intros o. unfold factor, after. destruct (quiet o); [lra|]. rewrite <- exp_plus, S_INR. f_equal. ring.
Qed.

(** The number of outcomes that are not quiet. *)
Fixpoint not_quiet (told : list O) : nat :=
  match told with [] => 0%nat | o :: before => ((if quiet o then 0 else 1) + not_quiet before)%nat end.

(** Where only quiet outcomes are possible, and none of them is likelier under p, nothing is. *)
Lemma only_quiet s p q : quiet_or_within s p q -> p (fun o => if quiet o then 0 else 1) = 0 -> quiet_or_within 0 p q.
Proof.
  intros H P f Hf.
  set (loud := fun o : O => if quiet o then 0 else 1) in *. set (fq := fun o => if quiet o then f o else 0).
  assert (Tl : test loud) by (intros o; unfold loud; destruct (quiet o); lra).
  assert (Tf : test fq) by (intros o; unfold fq; specialize (Hf o); destruct (quiet o); lra).
  apply Rle_trans with (p fq).
  - replace (p fq) with (p fq + p loud) by lra. rewrite <- E_plus by auto using test_bounded.
    apply E_mono; auto using test_bounded, bounded_plus.
    intros o. unfold fq, loud. specialize (Hf o). destruct (quiet o); lra.
  - eapply Rle_trans; [now apply H|]. apply E_mono; auto using factor_bounded, test_bounded.
    intros o. unfold factor, fq. rewrite exp_0. specialize (Hf o). destruct (quiet o); lra.
Qed.

(** Rounds that do not stop, but of which no path has more than B that are not quiet. *)
Lemma unstopped_within s B (p q : list O -> law O) : 0 <= s -> (forall told, quiet_or_within s (p told) (q told)) ->
  (forall told, (B <= not_quiet told)%nat -> p told (fun o => if quiet o then 0 else 1) = 0) ->
  forall T told, close (INR (B - not_quiet told) * s) 0
    (adaptive T (fun told (_ : unit) => p told) told tt) (adaptive T (fun told (_ : unit) => q told) told tt).
Proof.
  intros Hs H AtMost. induction T as [|T IH]; intros told.
  { apply close_same; [|lra]. apply Rmult_le_pos; auto using pos_INR. }
  intros f Hf. rewrite Rplus_0_r. cbn [adaptive E then_].
  set (cost := if le_dec B (not_quiet told) then 0 else s).
  apply one_round with (s := cost) (w := fun o => exp (INR (B - not_quiet (o :: told)) * s)); auto using exp_pos.
  - unfold cost. destruct (le_dec B (not_quiet told)); lra.
  - unfold cost. destruct (le_dec B (not_quiet told)); [apply only_quiet with s|]; auto.
  - intros o. now apply E_test.
  - intros o. now apply E_test.
  - intros o. specialize (IH (o :: told) f Hf). rewrite Rplus_0_r in IH. apply IH.
  - intros o. unfold factor, cost. cbn [not_quiet]. destruct (quiet o); [simpl; lra|].
    destruct (le_dec B (not_quiet told)).
    + replace (B - (1 + not_quiet told))%nat with 0%nat by lia. replace (B - not_quiet told)%nat with 0%nat by lia.
      rewrite exp_0. lra.
    + replace (B - not_quiet told)%nat with (S (B - (1 + not_quiet told))) by lia.
      rewrite <- exp_plus, S_INR. f_equal. ring.
Qed.
End rounds.

(** * The stage *)

(** The threshold is drawn first; it is not part of what is told. *)
Definition hidden_threshold {O} (quiet : O -> bool) (threshold : law Z) (round : Z -> list O -> law O) T B
  : law (list O) :=
  then_ threshold (fun h => rounds quiet T B (round h) []).

(** A stage that does not stop by itself: T rounds. *)
Definition hidden_threshold_unstopped {O} (threshold : law Z) (round : Z -> list O -> law O) T : law (list O) :=
  then_ threshold (fun h => adaptive T (fun told (_ : unit) => round h told) [] tt).

(** The threshold h on one side is compared with h + k on the other. *)
Lemma threshold_moved {P} (threshold : law Z) k c b (F F' : Z -> law P) :
  close c 0 threshold (relabel (fun h => h - k)%Z threshold) -> (forall h, close b 0 (F h) (F' (h + k)%Z)) ->
  close (c + b) 0 (then_ threshold F) (then_ threshold F').
Proof.
  intros Hc H f Hf.
  pose proof (close_then c 0 b 0 threshold (relabel (fun h => h - k)%Z threshold) F (fun h => F' (h + k)%Z)
    (Rle_refl 0) Hc H f Hf) as G.
  rewrite Rplus_0_r in G. cbn [E then_ relabel unit_law] in *.
  rewrite (E_ext threshold (fun h => F' (h - k + k)%Z f) (fun h => F' h f)) in G; auto.
  - apply test_bounded. intros h. now apply E_test.
  - apply test_bounded. intros h. now apply E_test.
  - intros h. now replace (h - k + k)%Z with h by lia.
Qed.
Lemma threshold_ratio (p : Z -> R) nonneg total k c : (forall h, p h <= exp c * p (h + k)%Z) ->
  close c 0 (countable p nonneg total) (relabel (fun h => h - k)%Z (countable p nonneg total)).
Proof.
  intros Hp f Hf. pose proof (countable_noise_pointwise c p nonneg total 0 (- k)) as N.
  specialize (N ltac:(intros h; rewrite Z.sub_0_r; replace (h - - k)%Z with (h + k)%Z by lia; auto) f Hf).
  cbn [E relabel then_ unit_law] in *.
  rewrite (E_ext (countable p nonneg total) (fun h => f (h - k)%Z) (fun h => f (- k + h)%Z));
    [exact N | | | intros h; f_equal; lia]; apply test_bounded; intros h; apply Hf.
Qed.

(** For any law of the threshold. *)
Lemma hidden_threshold_moved {O} (quiet : O -> bool) (threshold : law Z) k c s
    (round round' : Z -> list O -> law O) T B : 0 <= s ->
  close c 0 threshold (relabel (fun h => h - k)%Z threshold) ->
  (forall h told, quiet_or_within quiet s (round h told) (round' (h + k)%Z told)) ->
  close (c + INR B * s) 0 (hidden_threshold quiet threshold round T B) (hidden_threshold quiet threshold round' T B).
Proof.
  intros Hs Hc H. apply threshold_moved with k; auto. intros h. apply rounds_within; auto.
Qed.

(** meter, Theorem 9: the threshold h has probability p h <= e^c p (h + k). At the thresholds h and h + k, whatever was
    told before, a quiet outcome is no likelier in the first stage than in the second, and any other at most e^s times
    as likely. If B outcomes are not quiet, the first stage has only quiet ones from there on. Then all that T rounds of
    the first stage tell is at most e^(c + B s) times as likely as by the second. *)
Theorem hidden_threshold_close {O} (quiet : O -> bool) (p : Z -> R) nonneg total k c s
    (round round' : Z -> list O -> law O) T B : 0 <= s ->
  (forall h, p h <= exp c * p (h + k)%Z) ->
  (forall h told, quiet_or_within quiet s (round h told) (round' (h + k)%Z told)) ->
  (forall h told, (B <= not_quiet quiet told)%nat -> round h told (fun o => if quiet o then 0 else 1) = 0) ->
  close (c + INR B * s) 0 (hidden_threshold_unstopped (countable p nonneg total) round T)
                          (hidden_threshold_unstopped (countable p nonneg total) round' T).
Proof.
  intros Hs Hp H AtMost. apply threshold_moved with k; [now apply threshold_ratio|].
  intros h. replace B with (B - not_quiet quiet [])%nat by (simpl; lia).
  apply (unstopped_within quiet s B (round h) (round' (h + k)%Z)); auto.
Qed.

(** The same for a stage that ends after B outcomes that are not quiet. *)
Theorem hidden_threshold_close_stopped {O} (quiet : O -> bool) (p : Z -> R) nonneg total k c s
    (round round' : Z -> list O -> law O) T B : 0 <= s ->
  (forall h, p h <= exp c * p (h + k)%Z) ->
  (forall h told, quiet_or_within quiet s (round h told) (round' (h + k)%Z told)) ->
  close (c + INR B * s) 0 (hidden_threshold quiet (countable p nonneg total) round T B)
                          (hidden_threshold quiet (countable p nonneg total) round' T B).
Proof. intros Hs Hp H. apply hidden_threshold_moved with k; auto. now apply threshold_ratio. Qed.

(** meter, Theorem 9: if this is so for all ordered pairs of neighbours, each with a k of its own, the stage is
    (c + B s, 0)-private. *)
Theorem hidden_threshold_dp {Data O} (neighbours : Data -> Data -> Prop) (quiet : O -> bool) (p : Z -> R) nonneg total
    c s (round : Data -> Z -> list O -> law O) T B : 0 <= s ->
  (forall x h told, (B <= not_quiet quiet told)%nat -> round x h told (fun o => if quiet o then 0 else 1) = 0) ->
  (forall x y, neighbours x y -> exists k, (forall h, p h <= exp c * p (h + k)%Z) /\
    forall h told, quiet_or_within quiet s (round x h told) (round y (h + k)%Z told)) ->
  dp neighbours (c + INR B * s) 0 (fun x => hidden_threshold_unstopped (countable p nonneg total) (round x) T).
Proof.
  intros Hs AtMost H x y A. destruct (H x y A) as (k & Hk & Hr).
  apply hidden_threshold_close with quiet k; auto.
Qed.
