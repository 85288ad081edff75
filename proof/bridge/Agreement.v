(** What it means that the shipped code and a program of Coq agree on tapes.

    Claims: none.

    The bridge runs the shipped code on every tape of at most so many bits, and writes what it did as a table. Coq runs
    its own program through the table. If [agrees] computes to true, then on every tape of at most [depth] bits both end
    with the same result after the same number of bits, or both ask for more. Nothing is said of longer tapes that the
    table does not decide, nor of other parameters than those of the tables: there, one reads both programs. *)
Require Import ZArith Bool List Lia.
From DpAssay Require Import Trees.
Import ListNotations.
Open Scope Z_scope.

(** What the shipped code did: it ended with a result; it asked for more than the longest tape has; or it asked for a
    bit, and did this after a 0 and that after a 1. *)
Inductive table := L (result : Z) | M | N (zero one : table).

(** The outcome that the table has for a tape; none where the tape goes on beyond the table. *)
Fixpoint outcome_in (e : table) (tape : list bool) : option (outcome Z) :=
  match e, tape with
  | L result, _ => Some (Done result 0)
  | M, [] => Some More
  | M, _ :: _ => None
  | N _ _, [] => Some More
  | N zero one, bit :: rest =>
      match outcome_in (if bit then one else zero) rest with
      | Some (Done result used) => Some (Done result (S used))
      | other => other
      end
  end.

(** The program does what the table says. *)
Fixpoint follows (program : tree Z) (e : table) : bool :=
  match e, program with
  | L result, Ret a => a =? result
  | M, Flip _ => true
  | N zero one, Flip next => follows (next false) zero && follows (next true) one
  | _, _ => false
  end.

(** The table has an outcome for every tape of at most [depth] bits. *)
Fixpoint covers (depth : nat) (e : table) : bool :=
  match e, depth with
  | L _, _ => true
  | M, O => true
  | M, S _ => false
  | N _ _, O => false
  | N zero one, S less => covers less zero && covers less one
  end.

Definition agrees (depth : nat) (program : tree Z) (e : table) : bool := follows program e && covers depth e.

Lemma follows_sound : forall e program, follows program e = true ->
  forall tape found, outcome_in e tape = Some found -> run program tape = found.
Proof.
  induction e as [result | | zero IHzero one IHone]; intros program F tape found E; destruct program; simpl in *;
    try discriminate.
  - apply Z.eqb_eq in F. congruence.
  - destruct tape; congruence.
  - apply andb_true_iff in F as [F0 F1]. destruct tape as [|bit rest]; [congruence|].
    destruct (outcome_in (if bit then one else zero) rest) as [there|] eqn:R; [|discriminate].
    assert (run (k bit) rest = there) as -> by (destruct bit; [eapply IHone | eapply IHzero]; eauto).
    destruct there; congruence.
Qed.

Lemma covers_sound : forall depth e, covers depth e = true ->
  forall tape, (length tape <= depth)%nat -> exists found, outcome_in e tape = Some found.
Proof.
  induction depth as [|less IH]; intros e; destruct e; simpl; intros C tape short; try discriminate; eauto.
  - destruct tape; simpl in *; [eauto | lia].
  - apply andb_true_iff in C as [C0 C1]. destruct tape as [|bit rest]; [eauto|]. simpl in short.
    destruct (IH (if bit then e2 else e1) ltac:(destruct bit; auto) rest ltac:(lia)) as [found ->].
    destruct found; eauto.
Qed.

(** Agreement is what it says: on every tape of at most [depth] bits the table has an outcome, the program's. *)
Theorem agrees_on_every_tape depth program e : agrees depth program e = true ->
  forall tape, (length tape <= depth)%nat ->
  exists found, outcome_in e tape = Some found /\ run program tape = found.
Proof.
  unfold agrees. intros H tape short. apply andb_true_iff in H as [F C].
  destruct (covers_sound depth e C tape short) as [found E]. exists found. split; [exact E|].
  eapply follows_sound; eauto.
Qed.

(** How a table writes the outcome of an attempt: 0 for a rejection, 2k + 1 for k >= 0 and -2k for k < 0. *)
Definition out (attempt : option Z) : Z :=
  match attempt with None => 0 | Some k => if 0 <=? k then 2 * k + 1 else -2 * k end.

(** How a table writes a vector: 0 for none, and 2^(out k) (2 v + 1) for the coordinate k before the vector v. *)
Fixpoint out_vector (v : list Z) : Z :=
  match v with [] => 0 | k :: rest => 2 ^ out (Some k) * (2 * out_vector rest + 1) end.

Lemma out_injective a b : out a = out b -> a = b.
Proof.
  unfold out. destruct a as [k|], b as [m|]; auto.
  - destruct (Z.leb_spec 0 k), (Z.leb_spec 0 m); intros E; try lia; f_equal; lia.
  - destruct (Z.leb_spec 0 k); lia.
  - destruct (Z.leb_spec 0 m); lia.
Qed.
