(* What the shipped code does on every tape of at most `depth` bits, as it was exported, against the functions here. *)
Require Import ZArith Bool List.
From DpAssay Require Import Trees Samplers. Import ListNotations. Open Scope Z_scope.
Inductive T := L (z : Z) | M | N (zero one : T).
Definition b2z := Z.b2z.
(* None -> 0, k >= 0 -> 2k+1, k < 0 -> -2k *)
Definition out (o : option Z) : Z := match o with None => 0 | Some k => if 0 <=? k then 2 * k + 1 else -2 * k end.
Fixpoint agree (t : tree Z) (e : T) : bool :=
  match e, t with
  | L z, Ret a => a =? z
  | M, Flip _ => true
  | N e0 e1, Flip k => agree (k false) e0 && agree (k true) e1
  | _, _ => false
  end.
(* The exported table read as a function of the tape: Some (Done ..) or Some More; None past the table. *)
Fixpoint table (e : T) (tape : list bool) : option (outcome Z) :=
  match e, tape with
  | L z, _ => Some (Done z 0)
  | M, [] => Some More | M, _ => None
  | N _ _, [] => Some More
  | N e0 e1, b :: rest => match table (if b then e1 else e0) rest with
      | Some (Done a n) => Some (Done a (S n)) | o => o end
  end.
(* Agreement is what it says: on every tape that the table covers, result, bits used and "more" are equal. *)
Theorem agree_sound : forall e t, agree t e = true ->
  forall tape o, table e tape = Some o -> run t tape = o.
Proof.
  induction e; intros t H tape o E; destruct t; simpl in *; try discriminate.
  - apply Z.eqb_eq in H. congruence.
  - destruct tape; congruence.
  - apply andb_true_iff in H as [H0 H1]. destruct tape as [|b rest]; [congruence|].
    destruct (table (if b then e2 else e1) rest) as [r|] eqn:Q; [|discriminate].
    assert (run (k b) rest = r) as -> by (destruct b; [eapply IHe2 | eapply IHe1]; eauto).
    destruct r; congruence.
Qed.
(* The table covers every tape that it decides and every tape no longer than its depth. *)
Fixpoint deep (d : nat) (e : T) : bool :=
  match e with L _ => true | M => match d with O => true | _ => false end
  | N a b => match d with O => false | S c => deep c a && deep c b end end.
Theorem deep_covers : forall d e, deep d e = true -> forall tape, (length tape <= d)%nat -> table e tape <> None.
Proof.
  induction d; intros e; destruct e; simpl; intros H tape Hl; try discriminate.
  - destruct tape; simpl in *; [discriminate|]. inversion Hl.
  - apply andb_true_iff in H as [H0 H1]. destruct tape as [|b rest]; [discriminate|].
    assert (table (if b then e2 else e1) rest <> None) by (apply IHd; [destruct b; auto | simpl in Hl; apply le_S_n; auto]).
    destruct (table (if b then e2 else e1) rest) as [[]|]; congruence.
Qed.
