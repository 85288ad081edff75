(** A hidden threshold.

    A stage draws one integer h, hidden, and then makes rounds that may depend on h, on the data and on what was told
    before. An outcome of a round may be quiet; after B outcomes that are not quiet, or after T rounds, the stage ends.
    The two data sets are compared with different thresholds, h and h + k. If h has at most e^c times the probability of
    h + k, and if at these thresholds a quiet outcome is no likelier on the first data set than on the second and any
    other outcome at most e^s times as likely, then the whole transcript is at most e^(c + B s) times as likely.
    However many rounds are quiet, they cost c together.
    As on the page, for every finite number T of rounds. That at most B outcomes are not quiet is here the rule by which
    the stage ends. A stage that ends earlier goes on with a constant quiet outcome; the rounds are then laws that are
    certain of it.
    Claims: meter, Theorem 9. *)
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

(** The rounds together: every told outcome costs s, and at most B are told. *)
Lemma rounds_within s (p q : list O -> law O) : 0 <= s -> (forall told, quiet_or_within s (p told) (q told)) ->
  forall T B told, close (INR B * s) 0 (rounds T B p told) (rounds T B q told).
Proof.
  intros Hs H. induction T as [|T IH]; intros B told.
  { apply close_same; [|lra]. apply Rmult_le_pos; auto using pos_INR. }
  destruct B as [|B]; [apply close_same; simpl; lra|].
  intros f Hf. rewrite Rplus_0_r. cbn [rounds E then_].
  set (after := fun o => if quiet o then S B else B).
  set (g := fun o => rounds T (after o) p (o :: told) f).
  set (g' := fun o => rounds T (after o) q (o :: told) f).
  change (p told g <= exp (INR (S B) * s) * q told g').
  assert (Tg : test g) by (intros o; now apply E_test). assert (Tg' : test g') by (intros o; now apply E_test).
  assert (Step : forall o, g o <= exp (INR (after o) * s) * g' o).
  { intros o. specialize (IH (after o) (o :: told) f Hf). rewrite Rplus_0_r in IH. apply IH. }
  (* What this outcome may cost and what the later ones may cost is B s in all. *)
  assert (All : forall o, factor s o * exp (INR (after o) * s) = exp (INR (S B) * s)).
  { intros o. unfold factor, after. destruct (quiet o); [lra|]. rewrite <- exp_plus, S_INR. f_equal. ring. }
  assert (Le : forall o, exp (INR (after o) * s) <= exp (INR (S B) * s)).
  { intros o. apply exp_le, Rmult_le_compat_r, le_INR; auto. unfold after. destruct (quiet o); lia. }
  set (later := fun o => exp (INR (after o) * s) * g' o).
  assert (Range : forall o, 0 <= later o <= exp (INR (S B) * s)).
  { intros o. unfold later. specialize (Tg' o). specialize (Le o). pose proof (exp_pos (INR (after o) * s)). nra. }
  assert (Bl : bounded later).
  { exists (exp (INR (S B) * s)). intros o. specialize (Range o). rewrite Rabs_pos_eq; lra. }
  apply Rle_trans with (p told later); [apply E_mono; auto using test_bounded|].
  apply Rle_trans with (q told (fun o => factor s o * later o)).
  - apply quiet_or_within_scaled with (exp (INR (S B) * s)); auto using exp_pos.
  - rewrite <- E_scal by auto using test_bounded. right.
    apply E_ext; auto using factor_bounded, bounded_scal, test_bounded.
    intros o. unfold later. now rewrite <- Rmult_assoc, All.
Qed.
End rounds.

(** * The stage *)

(** The threshold is drawn first; it is not part of what is told. *)
Definition hidden_threshold {O} (quiet : O -> bool) (threshold : law Z) (round : Z -> list O -> law O) T B
  : law (list O) :=
  then_ threshold (fun h => rounds quiet T B (round h) []).

(** The law of the threshold as its move sees it: for any law of the threshold. *)
Lemma hidden_threshold_moved {O} (quiet : O -> bool) (threshold : law Z) k c s
    (round round' : Z -> list O -> law O) T B : 0 <= s ->
  close c 0 threshold (relabel (fun h => h - k)%Z threshold) ->
  (forall h told, quiet_or_within quiet s (round h told) (round' (h + k)%Z told)) ->
  close (c + INR B * s) 0 (hidden_threshold quiet threshold round T B) (hidden_threshold quiet threshold round' T B).
Proof.
  intros Hs Hc H f Hf. rewrite Rplus_0_r. cbn [E hidden_threshold then_].
  set (F := fun h => rounds quiet T B (round h) [] f). set (F' := fun h => rounds quiet T B (round' h) [] f).
  assert (TF' : test F') by (intros h; now apply E_test).
  assert (TG : test (fun h => F' (h + k)%Z)) by (intros h; now apply E_test).
  assert (Rounds : forall h, F h <= exp (INR B * s) * F' (h + k)%Z).
  { intros h. pose proof (rounds_within quiet s (round h) (round' (h + k)%Z) Hs (H h) T B [] f Hf) as R.
    rewrite Rplus_0_r in R. apply R. }
  apply Rle_trans with (threshold (fun h => exp (INR B * s) * F' (h + k)%Z)).
  { apply E_mono; auto using test_bounded, bounded_scal. apply test_bounded. intros h. now apply E_test. }
  rewrite E_scal by auto using test_bounded.
  specialize (Hc _ TG). rewrite Rplus_0_r in Hc. cbn [E relabel then_ unit_law] in Hc.
  rewrite (E_ext threshold (fun h => F' (h - k + k)%Z) F') in Hc;
    [| apply test_bounded; intros h; now apply E_test | now apply test_bounded | intros h; f_equal; lia].
  rewrite exp_plus. pose proof (exp_pos (INR B * s)).
  apply Rle_trans with (exp (INR B * s) * (exp c * threshold F')); [|lra]. apply Rmult_le_compat_l; lra.
Qed.

(** meter, Theorem 9: the threshold h has probability p h <= e^c p (h + k). At the thresholds h and h + k, whatever was
    told before, a quiet outcome is no likelier in the first stage than in the second, and any other at most e^s times
    as likely. With at most B outcomes that are not quiet, all that is told by the first stage is at most e^(c + B s)
    times as likely as by the second. *)
Theorem hidden_threshold_close {O} (quiet : O -> bool) (p : Z -> R) nonneg total k c s
    (round round' : Z -> list O -> law O) T B : 0 <= s ->
  (forall h, p h <= exp c * p (h + k)%Z) ->
  (forall h told, quiet_or_within quiet s (round h told) (round' (h + k)%Z told)) ->
  close (c + INR B * s) 0 (hidden_threshold quiet (countable p nonneg total) round T B)
                          (hidden_threshold quiet (countable p nonneg total) round' T B).
Proof.
  intros Hs Hp. apply hidden_threshold_moved; auto. intros f Hf.
  pose proof (countable_noise_pointwise c p nonneg total 0 (- k)) as N.
  specialize (N ltac:(intros h; rewrite Z.sub_0_r; replace (h - - k)%Z with (h + k)%Z by lia; auto) f Hf).
  cbn [E relabel then_ unit_law] in *.
  rewrite (E_ext (countable p nonneg total) (fun h => f (h - k)%Z) (fun h => f (- k + h)%Z));
    [exact N | | | intros h; f_equal; lia]; apply test_bounded; intros h; apply Hf.
Qed.

(** The same for all ordered pairs of neighbours, of which each may have its own k. *)
Corollary hidden_threshold_dp {Data O} (neighbours : Data -> Data -> Prop) (quiet : O -> bool) (p : Z -> R) nonneg total
    c s (round : Data -> Z -> list O -> law O) T B : 0 <= s ->
  (forall x y, neighbours x y -> exists k, (forall h, p h <= exp c * p (h + k)%Z) /\
    forall h told, quiet_or_within quiet s (round x h told) (round y (h + k)%Z told)) ->
  dp neighbours (c + INR B * s) 0 (fun x => hidden_threshold quiet (countable p nonneg total) (round x) T B).
Proof. intros Hs H x y A. destruct (H x y A) as (k & Hk & Hr). now apply hidden_threshold_close with k. Qed.
