(** The exponential mechanism from what it is made of, for the tapes of the bridge.

    Claims: none.
*)
Require Import ZArith QArith List.
From DpAssay Require Import Trees ExponentialRejection.

(** A program for the classes that epsilon, the sensitivity and the losses make; it never ends where there are none. *)
Definition made_of {A} (epsilon sensitivity : Q) (scores : list score_class) (program : list class -> tree A) :
  tree A :=
  match of_scores epsilon sensitivity scores with Some classes => program classes | None => Stop end.
