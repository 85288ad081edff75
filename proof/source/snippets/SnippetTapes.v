(** Whether a translated function does on tapes what the compiled one did.

    Claims: none.
*)
Require Import ZArith Bool String List.
From DpAssay Require Import Trees Rust.

Definition same_ending (a b : ending (result Z)) : bool :=
  match a, b with
  | Returned (Ok x), Returned (Ok y) => Z.eqb x y
  | Returned (Err (k, x)), Returned (Err (l, y)) => String.eqb k l && String.eqb x y
  | Panicked, Panicked => true
  | _, _ => false
  end.
Definition same_outcome (a b : outcome (ending (result Z))) : bool :=
  match a, b with Done x n, Done y m => same_ending x y && Nat.eqb n m | More, More => true | _, _ => false end.
Definition agree (t : rust (result Z)) (rows : list (list bool * outcome (ending (result Z)))) : bool :=
  forallb (fun row => same_outcome (run t (fst row)) (snd row)) rows.
