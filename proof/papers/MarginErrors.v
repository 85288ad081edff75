(** The margin errors of a hypothesis.

    A record is a pair of features and a label, and a margin error of a hypothesis at rho
    is a record with y h(x) <= rho: a tie is an error.

    Claims: none.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Neighbours DataLosses.
From DpAssay Require Export RealVectors.
Open Scope R_scope.

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
