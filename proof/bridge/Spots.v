(* Single long tapes, for parameters that no tree of small depth reaches. *)
Require Import ZArith Bool List.
From DpAssay Require Import Trees Samplers Agreement. Import ListNotations. Open Scope Z_scope.
(* len bits of z, the highest first *)
Fixpoint tape_of (len : nat) (z : Z) : list bool := match len with O => [] | S l => Z.testbit z (Z.of_nat l) :: tape_of l z end.
Definition spot (t : tree Z) (len : nat) (z result : Z) (used : nat) : bool :=
  match run t (tape_of len z) with Done r u => (r =? result) && Nat.eqb u used | _ => false end.
