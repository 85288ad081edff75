(** The expected number of coins that a randomised program flips.

    [coins t] counts the coins until t ends, with a result or for want of fuel. It is the sum over j of the probability
    that more than j coins are asked for, that is of the share of the tapes of j bits that are too short
    ([coins_over_tapes]). More fuel never lowers it ([coins_extends]), so a bound for every fuel is one for the program
    without fuel.

    The bounds for the samplers are in samplers/ExpectedCoins.v.

    Claims: none.
*)
Require Import Reals Lra Lia List Bool.
From DpAssay Require Import Trees Fuel.
Import ListNotations.
Open Scope R_scope.

(** The expected number of coins. *)
Fixpoint coins {A} (t : tree A) : R :=
  match t with
  | Ret _ => 0
  | Stop => 0
  | Flip k => 1 + (coins (k false) + coins (k true)) / 2
  end.

Lemma coins_nonneg {A} (t : tree A) : 0 <= coins t.
Proof. induction t; simpl; try lra. specialize (H false) as H0. specialize (H true). lra. Qed.

Lemma coins_bind {A B} (t : tree A) (k : A -> tree B) : coins (bind t k) = coins t + expect t (fun a => coins (k a)).
Proof. induction t; simpl; try lra. rewrite !H. lra. Qed.

Lemma coins_extends {A} (t u : tree A) : extends t u -> coins t <= coins u.
Proof.
  induction 1 as [u| |k k' E IH]; simpl; [apply coins_nonneg | lra |].
  pose proof (IH false). pose proof (IH true). lra.
Qed.

(** * Over tapes. *)

(** Whether the tape is too short for the program. *)
Definition asks_for_more {A} (o : outcome A) : bool := match o with More => true | _ => false end.

(** Of the 2^n tapes of n bits, the share of those that are too short. *)
Definition share_too_short {A} (n : nat) (t : tree A) : R :=
  INR (length (filter (fun tape => asks_for_more (run t tape)) (tapes n))) / 2 ^ n.

Lemma filter_map_length {X Y} (h : X -> Y) p l : length (filter p (map h l)) = length (filter (fun x => p (h x)) l).
Proof. induction l; simpl; auto. destruct (p (h a)); simpl; congruence. Qed.

Lemma filter_none {X} (l : list X) : filter (fun _ => false) l = [].
Proof. induction l; auto. Qed.

Lemma too_short_at_end {A} n (t : tree A) :
  (forall tape, asks_for_more (run t tape) = false) -> share_too_short n t = 0.
Proof.
  intros E. unfold share_too_short. rewrite (filter_ext _ (fun _ => false)) by exact E. rewrite filter_none.
  unfold Rdiv. apply Rmult_0_l.
Qed.

Lemma too_short_flip {A} n (k : bool -> tree A) :
  share_too_short (S n) (Flip k) = (share_too_short n (k false) + share_too_short n (k true)) / 2.
Proof.
  unfold share_too_short. cbn [tapes]. rewrite filter_app, app_length, plus_INR, !filter_map_length.
  assert (E : forall coin rest, asks_for_more (run (Flip k) (coin :: rest)) = asks_for_more (run (k coin) rest))
    by (intros coin rest; simpl; destruct (run (k coin) rest); auto).
  rewrite !(filter_ext _ _ (E _)). simpl. field. apply pow_nonzero. lra.
Qed.

(** The sum over j < n of the share of the tapes of j bits that are too short. *)
Fixpoint sum_too_short {A} (n : nat) (t : tree A) : R :=
  match n with O => 0 | S m => sum_too_short m t + share_too_short m t end.

Lemma sum_too_short_flip {A} n (k : bool -> tree A) :
  sum_too_short (S n) (Flip k) = 1 + (sum_too_short n (k false) + sum_too_short n (k true)) / 2.
Proof.
  induction n.
  - unfold sum_too_short, share_too_short. simpl. lra.
  - change (sum_too_short (S (S n)) (Flip k)) with (sum_too_short (S n) (Flip k) + share_too_short (S n) (Flip k)).
    rewrite IHn, too_short_flip. cbn [sum_too_short]. lra.
Qed.

(** The expected number of coins is the sum over j of the share of the tapes of j bits that are too short. *)
Theorem coins_over_tapes {A} (t : tree A) : exists n0, forall n, (n >= n0)%nat -> sum_too_short n t = coins t.
Proof.
  induction t as [a| |k IH].
  - exists O. intros n _. induction n; simpl; [lra|]. rewrite IHn, too_short_at_end by auto. simpl. lra.
  - exists O. intros n _. induction n; simpl; [lra|]. rewrite IHn, too_short_at_end by auto. simpl. lra.
  - destruct (IH false) as [n0 H0], (IH true) as [n1 H1]. exists (S (n0 + n1)). intros n L.
    destruct n as [|n]; [lia|]. rewrite sum_too_short_flip, H0, H1 by lia. reflexivity.
Qed.
