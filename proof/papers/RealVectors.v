(** Vectors and matrices of reals as lists.

    A vector is the list of its coordinates, a matrix the list of its rows. Only what the halfspace learners need.

    Claims: none.
*)
Require Import Reals Lra List Bool. Import ListNotations.
From DpAssay Require Import Privacy.
Open Scope R_scope.

Definition vector := list R.
Definition matrix := list vector.

(* The sign of a label: true is +1, false is -1. *)
Definition sign (label : bool) : R := if label then 1 else -1.
Fixpoint inner (u v : vector) : R := match u, v with a :: u', b :: v' => a * b + inner u' v' | _, _ => 0 end.
Definition norm (v : vector) : R := sqrt (inner v v).
Definition is_zero (v : vector) : bool := forallb (fun c => if Req_EM_T c 0 then true else false) v.
(* v/|v|. *)
Definition normalised (v : vector) : vector := map (fun c => c / norm v) v.
(* A x. *)
Definition image (A : matrix) (x : vector) : vector := map (fun row => inner row x) A.
(* w^T A: the sum of the rows of A, each times its coordinate of w. A vector that is shorter is filled up with 0. *)
Fixpoint add (u v : vector) : vector :=
  match u, v with a :: u', b :: v' => a + b :: add u' v' | [], _ => v | _, [] => u end.
Fixpoint transposed_image (A : matrix) (w : vector) : vector :=
  match A, w with row :: A', c :: w' => add (map (fun a => c * a) row) (transposed_image A' w') | _, _ => [] end.

Lemma is_zero_spec v : is_zero v = true <-> forall c, In c v -> c = 0.
Proof.
  unfold is_zero. rewrite forallb_forall.
  split; intros H c Hc; specialize (H c Hc); destruct (Req_EM_T c 0); easy.
Qed.

(* Two vectors whose coordinates are given by functions of the place. *)
Lemma inner_map {P} (f g : P -> R) l : inner (map f l) (map g l) = sum (fun j => f j * g j) l.
Proof. induction l; simpl; [easy|]. now rewrite IHl. Qed.
