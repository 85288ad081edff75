(** Events as tests: indicators, a fair coin, and expected values of finite sums.

    Claims: none.
*)
Require Import Reals Lra Lia List Bool. Import ListNotations.
From DpAssay Require Import Privacy.
Open Scope R_scope.

Definition indicator (b : bool) : R := if b then 1 else 0.
(** Whether a <= b, as a boolean: events are tests with the values 0 and 1. *)
Definition at_most (a b : R) : bool := if Rle_dec a b then true else false.

Lemma indicator_range b : 0 <= indicator b <= 1.
Proof. destruct b; simpl; lra. Qed.
Lemma indicator_le b c : (b = true -> c = true) -> indicator b <= indicator c.
Proof. destruct b, c; simpl; intros H; try lra; discriminate H; reflexivity. Qed.
Lemma test_indicator {A} (b : A -> bool) : test (fun a => indicator (b a)).
Proof. intros a. apply indicator_range. Qed.

Lemma at_most_true a b : at_most a b = true <-> a <= b.
Proof. unfold at_most. destruct (Rle_dec a b); split; intros; auto; discriminate. Qed.
Lemma at_most_false a b : at_most a b = false <-> b < a.
Proof.
  unfold at_most. destruct (Rle_dec a b); split; intros H; try discriminate; auto.
  - exfalso. lra.
  - now apply Rnot_le_lt.
Qed.
Lemma indicator_at_most a b : a <= b -> indicator (at_most a b) = 1.
Proof. intros H. unfold at_most. now destruct (Rle_dec a b). Qed.

(** A fair coin. *)
Definition coin : law bool.
Proof. refine (finite (fun _ => 1 / 2) [true; false] _ _); [intros; lra | simpl; lra]. Defined.

(** The expected value of a finite sum is the sum of the expected values. *)
Lemma bounded_sum {A Y} (g : Y -> A -> R) l : (forall y, test (g y)) -> bounded (fun a => sum (fun y => g y a) l).
Proof.
  intros T. induction l as [|y l IH]; simpl; [apply bounded_const|].
  apply (bounded_plus (g y)); auto using test_bounded.
Qed.
Lemma E_sum {A Y} (m : law A) (g : Y -> A -> R) l : (forall y, test (g y)) ->
  m (fun a => sum (fun y => g y a) l) = sum (fun y => m (g y)) l.
Proof.
  intros T. induction l as [|y l IH]; simpl; [apply E_const|].
  rewrite (E_plus m (g y)) by auto using test_bounded, bounded_sum. now rewrite IH.
Qed.

(** The weights of the uniform distribution on 0, ..., N. *)
Lemma inv_pos N i : (0 <= (fun _ : nat => / INR (S N)) i).
Proof. left. apply Rinv_0_lt_compat. apply lt_0_INR. lia. Qed.
Lemma inv_sum N : sum (fun _ : nat => / INR (S N)) (seq 0 (S N)) = 1.
Proof. rewrite sum_const, seq_length. apply Rinv_r. apply not_0_INR; lia. Qed.
