(** Vectors, and the margin errors of a hypothesis.

    A vector is a list of reals. A record is a pair of features and a label, and a margin error of a hypothesis at rho
    is a record with y h(x) <= rho: a tie is an error.

    Claims: none.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Neighbours DataLosses.
Open Scope R_scope.

(** * Margin errors *)

Definition sign (label : bool) : R := if label then 1 else -1.

(** A margin error at rho of the hypothesis h, whose value at x is value h x. *)
Definition margin_error {F H} (value : H -> F -> R) (rho : R) (h : H) (r : F * bool) : bool :=
  at_most (sign (snd r) * value h (fst r)) rho.

(** The number of margin errors at rho on the data, and their share R_rho(h). *)
Definition margin_errors {F H} (value : H -> F -> R) rho (h : H) n (s : data (F * bool) n) : R :=
  errors (margin_error value rho h) n s.
Definition margin_loss {F H} (value : H -> F -> R) rho (h : H) n (s : data (F * bool) n) : R :=
  margin_errors value rho h n s / INR n.

Lemma share_le a b n : (0 < n)%nat -> a <= b -> a / INR n <= b / INR n.
Proof. intros Hn H. apply lt_0_INR in Hn. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact H]. Qed.

(** * Vectors *)

Definition vector := list R.

Fixpoint inner (u v : vector) : R :=
  match u, v with
  | a :: u', b :: v' => a * b + inner u' v'
  | _, _ => 0
  end.

(** The vector is in the ball of the given radius about the origin. *)
Definition in_ball (radius : R) (v : vector) : Prop := inner v v <= radius ^ 2.

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
