(** Vectors and matrices of reals as lists.

    A vector is the list of its coordinates, a matrix the list of its rows: the form in which laws of vectors and
    matrices are finite laws of lists. What holds in any dimension is proved in geometry/InnerProduct.v.

    Claims: none.
*)
Require Import Reals Lra List Bool. Import ListNotations.
From DpAssay Require Import Privacy.
Open Scope R_scope.

Definition vector := list R.
Definition matrix := list vector.

(** The sign of a label: true is +1, false is -1. *)
Definition sign (label : bool) : R := if label then 1 else -1.
Fixpoint inner (u v : vector) : R :=
  match u, v with
  | a :: u', b :: v' => a * b + inner u' v'
  | _, _ => 0
  end.
Definition norm (v : vector) : R := sqrt (inner v v).
(** The vector is in the ball of the given radius about the origin. *)
Definition in_ball (radius : R) (v : vector) : Prop := inner v v <= radius ^ 2.
Definition is_zero (v : vector) : bool := forallb (fun c => if Req_EM_T c 0 then true else false) v.
(** v/|v|. *)
Definition normalised (v : vector) : vector := map (fun c => c / norm v) v.

(** A x. *)
Definition image (A : matrix) (x : vector) : vector := map (fun row => inner row x) A.
(** A^T w, a vector of d coordinates: the sum of the rows of A, each times its coordinate of w. *)
Fixpoint add (u v : vector) : vector :=
  match u, v with
  | a :: u', b :: v' => a + b :: add u' v'
  | _, _ => []
  end.
Fixpoint transposed (d : nat) (A : matrix) (w : vector) : vector :=
  match A, w with
  | row :: A', c :: w' => add (map (Rmult c) row) (transposed d A' w')
  | _, _ => repeat 0 d
  end.

Lemma is_zero_spec v : is_zero v = true <-> forall c, In c v -> c = 0.
Proof.
  unfold is_zero. rewrite forallb_forall.
  split; intros H c Hc; specialize (H c Hc); destruct (Req_EM_T c 0); easy.
Qed.

(** Two vectors whose coordinates are given by functions of the place. *)
Lemma inner_map {P} (f g : P -> R) l : inner (map f l) (map g l) = sum (fun j => f j * g j) l.
Proof. induction l; simpl; [easy|]. now rewrite IHl. Qed.

Lemma inner_square_pos v : 0 <= inner v v.
Proof. induction v as [|a v IH]; simpl; [lra|]. nra. Qed.

(** The inequality of Cauchy and Schwarz. *)
Lemma cauchy_schwarz u : forall v, (inner u v) ^ 2 <= inner u u * inner v v.
Proof.
  induction u as [|a u IH]; intros [|b v]; cbn [inner]; try nra.
  specialize (IH v). set (S := inner u v) in *.
  pose proof (inner_square_pos u) as P. pose proof (inner_square_pos v) as Q.
  set (p := inner u u) in *. set (q := inner v v) in *.
  assert (mixed : 2 * (a * b * S) <= a ^ 2 * q + b ^ 2 * p).
  { assert (pos : 0 <= a ^ 2 * q + b ^ 2 * p) by nra.
    assert (squares : (2 * (a * b * S)) ^ 2 <= (a ^ 2 * q + b ^ 2 * p) ^ 2).
    { assert (a ^ 2 * b ^ 2 * S ^ 2 <= a ^ 2 * b ^ 2 * (p * q)) by (apply Rmult_le_compat_l; nra).
      pose proof (pow2_ge_0 (a ^ 2 * q - b ^ 2 * p)). nra. }
    destruct (Rle_dec 0 (2 * (a * b * S))) as [up | down]; [|lra].
    apply Rsqr_incr_0; unfold Rsqr; nra. }
  nra.
Qed.

Lemma inner_ball a b u v : 0 <= a -> 0 <= b -> in_ball a u -> in_ball b v -> - (a * b) <= inner u v <= a * b.
Proof.
  unfold in_ball. intros Ha Hb Hu Hv. pose proof (cauchy_schwarz u v) as C.
  pose proof (inner_square_pos u). pose proof (inner_square_pos v).
  assert (inner u v ^ 2 <= (a * b) ^ 2).
  { eapply Rle_trans; [exact C|]. rewrite Rpow_mult_distr. now apply Rmult_le_compat. }
  assert (0 <= a * b) by now apply Rmult_le_pos.
  split; [apply Rsqr_neg_pos_le_0 | apply Rsqr_incr_0_var]; unfold Rsqr; lra.
Qed.
