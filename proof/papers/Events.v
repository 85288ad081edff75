(** Indicators, a fair coin, sums over lists, and expected values of sums.

    Claims: none.
*)
Require Import Reals Lra Lia List Bool. Import ListNotations.
From DpAssay Require Import Privacy.
Open Scope R_scope.

Definition indicator (b : bool) : R := if b then 1 else 0.
(* A fair coin. *)
Definition coin : law bool.
Proof. refine (finite (fun _ => 1 / 2) [true; false] _ _); [intros; lra | simpl; lra]. Defined.
Definition at_most (x bound : R) : bool := if Rle_dec x bound then true else false.

Lemma indicator_test {A} (p : A -> bool) : test (fun a => indicator (p a)).
Proof. intros a. destruct (p a); simpl; lra. Qed.
Lemma indicator_at_most x bound : x <= bound -> indicator (at_most x bound) = 1.
Proof. intros H. unfold at_most. now destruct (Rle_dec x bound). Qed.

Lemma sum_app {A} (f : A -> R) l m : sum f (l ++ m) = sum f l + sum f m.
Proof. induction l; simpl; [lra|]. rewrite IHl; lra. Qed.
Lemma sum_map {A B} (g : B -> A) (f : A -> R) l : sum f (map g l) = sum (fun x => f (g x)) l.
Proof. induction l; simpl; auto. now rewrite IHl. Qed.
Lemma sum_const {A} c (l : list A) : sum (fun _ => c) l = INR (length l) * c.
Proof.
  induction l as [|a l IH]; [simpl; lra|].
  change (length (a :: l)) with (S (length l)). rewrite S_INR. simpl. rewrite IH. lra.
Qed.
Lemma sum_ext_in {A} (f g : A -> R) l : (forall x, In x l -> f x = g x) -> sum f l = sum g l.
Proof.
  induction l as [|a l IH]; intros H; simpl; [easy|].
  rewrite (H a), IH; [easy | intros x Hx; apply H; now right | now left].
Qed.
Lemma sum_le_in {A} (f g : A -> R) l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [|a l IH]; intros H; simpl; [lra|].
  apply Rplus_le_compat; [apply H; now left | apply IH; intros x Hx; apply H; now right].
Qed.

(* The expected value of a finite sum is the sum of the expected values. *)
Lemma sum_bounded {A Y} (g : Y -> A -> R) l : (forall y, test (g y)) -> bounded (fun a => sum (fun y => g y a) l).
Proof.
  intros T. induction l as [|y l IH]; simpl; [apply bounded_const|].
  apply (bounded_plus (g y)); auto using test_bounded.
Qed.
Lemma E_sum {A Y} (m : law A) (g : Y -> A -> R) l : (forall y, test (g y)) ->
  m (fun a => sum (fun y => g y a) l) = sum (fun y => m (g y)) l.
Proof.
  intros T. induction l as [|y l IH]; simpl; [apply E_const|].
  rewrite (E_plus m (g y)) by auto using test_bounded, sum_bounded. now rewrite IH.
Qed.

(** The uniform distribution on 0, ..., N. *)
Lemma inv_pos N i : (0 <= (fun _ : nat => / INR (S N)) i).
Proof. left. apply Rinv_0_lt_compat. apply lt_0_INR. lia. Qed.
Lemma inv_sum N : sum (fun _ : nat => / INR (S N)) (seq 0 (S N)) = 1.
Proof. rewrite sum_const, seq_length. apply Rinv_r. apply not_0_INR; lia. Qed.
