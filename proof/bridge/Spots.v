(** Single long tapes, for parameters that no short tape decides.

    Claims: none.

    The bridge runs the shipped code on long tapes, and writes how many bits it read, these bits as an integer, and the
    result. If [spots_agree] computes to true, the program of Coq reads the same bits of each and ends with the same
    result. *)
Require Import ZArith Bool List Lia.
From DpAssay Require Import Trees.
Import ListNotations.
Open Scope Z_scope.

(** The [length] lowest bits of an integer, the highest of them first. *)
Fixpoint tape_of (length : nat) (bits : Z) : list bool :=
  match length with O => [] | S less => Z.testbit bits (Z.of_nat less) :: tape_of less bits end.

Definition spot_agrees (program : tree Z) (spot : Z * Z * Z) : bool :=
  let '(used, bits, result) := spot in
  match run program (tape_of (Z.to_nat used) bits) with
  | Done found read => (found =? result) && (Z.of_nat read =? used)
  | _ => false
  end.

Definition spots_agree (program : tree Z) (spots : list (Z * Z * Z)) : bool := forallb (spot_agrees program) spots.

Theorem spots_agree_on_each_tape program spots : spots_agree program spots = true ->
  forall used bits result, In (used, bits, result) spots ->
  run program (tape_of (Z.to_nat used) bits) = Done result (Z.to_nat used).
Proof.
  unfold spots_agree. intros H used bits result I. rewrite forallb_forall in H. specialize (H _ I). simpl in H.
  destruct (run program _) as [found read| |]; try discriminate.
  apply andb_true_iff in H as [R U]. apply Z.eqb_eq in R, U. f_equal; lia.
Qed.
