(** Differential privacy by events.

    The definition in Privacy.v speaks of tests, functions with values in [0, 1]. The usual definition speaks of events:
    Pr[M(x) in E] <= e^epsilon Pr[M(y) in E] + delta for every event E. The two say the same, for laws of every kind.
    Events are tests. Conversely, the mean of the indicators of f >= 1/n, f >= 2/n, ..., f >= n/n is at most f, and at
    least f - 1/n.

    Claims: none.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Events.
Open Scope R_scope.

(** The probability of an event. *)
Definition probability {O} (p : law O) (event : O -> bool) : R := p (fun o => indicator (event o)).

(** How many of 1, ..., n are at most y. *)
Definition count n (y : R) : R := sum (fun j => if Rle_dec (INR (S j)) y then 1 else 0) (seq 0 n).
Lemma count_near n y : 0 <= y <= INR n -> count n y <= y <= count n y + 1.
Proof.
  intros [H0 Hn].
  assert (G : forall m, count m y <= y /\ count m y <= INR m /\ (count m y = INR m \/ y < count m y + 1)).
  { induction m as [|m (A & B & C)]; [unfold count; simpl; lra|].
    assert (S1 : count (S m) y = count m y + (if Rle_dec (INR (S m)) y then 1 else 0)).
    { unfold count. rewrite seq_S, sum_app. cbn [sum]. simpl (0 + m)%nat. lra. }
    rewrite S1, S_INR in *. destruct (Rle_dec (INR m + 1) y); lra. }
  destruct (G n) as (A & _ & C). lra.
Qed.

(** If every event is at most e^eps times as likely under p as under q, and delta, so it is for every test. *)
Lemma close_by_events {O} eps delta (p q : law O) :
  (forall event, probability p event <= exp eps * probability q event + delta) -> close eps delta p q.
Proof.
  intros H f Hf. apply Rnot_lt_le. intros Gap.
  destruct (archimed_cor1 (p f - (exp eps * q f + delta))) as (n & Hn & N); [lra|].
  assert (P : 0 < INR n) by now apply lt_0_INR. assert (I : 0 < / INR n) by now apply Rinv_0_lt_compat.
  (* The mean of the indicators of f >= 1/n, ..., f >= n/n. *)
  set (event := fun j o => if Rle_dec (INR (S j)) (INR n * f o) then true else false).
  set (steps := fun o => sum (fun j => indicator (event j o)) (seq 0 n)).
  assert (Near : forall o, / INR n * steps o <= f o <= / INR n * steps o + / INR n).
  { intros o. specialize (Hf o).
    assert (C : count n (INR n * f o) <= INR n * f o <= count n (INR n * f o) + 1) by (apply count_near; nra).
    replace (steps o) with (count n (INR n * f o)).
    2:{ apply sum_ext. intros j. unfold indicator, event. now destruct (Rle_dec (INR (S j)) (INR n * f o)). }
    replace (f o) with (/ INR n * (INR n * f o)) at 2 3 by (field; lra). nra. }
  assert (T : forall j, test (fun o => indicator (event j o))) by (intros; apply test_indicator).
  assert (B : bounded steps) by exact (bounded_sum (fun j o => indicator (event j o)) (seq 0 n) T).
  assert (S_of : forall m : law O, m steps = sum (fun j => probability m (event j)) (seq 0 n))
    by (intros m; exact (E_sum m (fun j o => indicator (event j o)) (seq 0 n) T)).
  pose proof (S_of p) as Sp. pose proof (S_of q) as Sq.
  (* p f <= p(mean) + 1/n, and q(mean) <= q f. *)
  assert (Up : p f <= / INR n * p steps + / INR n).
  { rewrite <- E_scal, <- (E_const p (/ INR n)) at 1 by auto.
    rewrite <- E_plus by auto using bounded_scal, bounded_const.
    apply E_mono; auto using test_bounded, bounded_plus, bounded_scal, bounded_const. intros o. apply Near. }
  assert (Low : / INR n * q steps <= q f).
  { rewrite <- E_scal by auto. apply E_mono; auto using test_bounded, bounded_scal. intros o. apply Near. }
  (* The events one by one. *)
  assert (Mean : p steps <= exp eps * q steps + INR n * delta).
  { assert (Nd : INR n * delta = sum (fun _ => delta) (seq 0 n)) by now rewrite sum_const, seq_length.
    rewrite Sp, Sq, Nd, <- sum_scal, <- sum_plus. apply sum_le. intros j. apply H. }
  assert (/ INR n * p steps <= exp eps * (/ INR n * q steps) + delta).
  { apply Rmult_le_reg_l with (INR n); auto. rewrite Rmult_plus_distr_l.
    replace (INR n * (/ INR n * p steps)) with (p steps) by (field; lra).
    replace (INR n * (exp eps * (/ INR n * q steps))) with (exp eps * q steps) by (field; lra). auto. }
  pose proof (exp_pos eps). nra.
Qed.

(** (eps, delta)-privacy is what the usual definition by events says. *)
Theorem dp_by_events {D O} (adj : D -> D -> Prop) eps delta (M : D -> law O) :
  dp adj eps delta M <->
  forall x y, adj x y -> forall event, probability (M x) event <= exp eps * probability (M y) event + delta.
Proof.
  split.
  - intros H x y A event. apply H; auto. apply test_indicator.
  - intros H x y A. apply close_by_events. auto.
Qed.
