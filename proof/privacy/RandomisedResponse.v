(** Randomised response.

    One bit is told truthfully with probability e^epsilon/(1 + e^epsilon). That is (epsilon, 0)-private: the two bits
    are neighbours.

    Claims: none.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy.
Open Scope R_scope.

(** The probability of an answer. *)
Definition rr eps (truth answer : bool) : R :=
  if Bool.eqb truth answer then exp eps / (1 + exp eps) else / (1 + exp eps).
Lemma rr_pos eps t o : 0 <= rr eps t o.
Proof.
  pose proof (exp_pos eps). assert (0 < / (1 + exp eps)) by (apply Rinv_0_lt_compat; lra).
  unfold rr, Rdiv. destruct (Bool.eqb t o); nra.
Qed.
Lemma rr_sum eps t : sum (rr eps t) [true; false] = 1.
Proof. pose proof (exp_pos eps). destruct t; unfold rr; simpl; field; lra. Qed.
Definition randomised_response eps t : law bool :=
  finite (rr eps t) [true; false] (rr_pos eps t) (rr_sum eps t).

(** It is (epsilon, 0)-private. *)
Theorem randomised_response_dp eps : 0 <= eps -> dp (fun _ _ => True) eps 0 (randomised_response eps).
Proof.
  intros H x y _. apply pointwise. intros o. pose proof (exp_pos eps).
  assert (1 <= exp eps) by (rewrite <- exp_0; destruct H; [left; now apply exp_increasing | subst; lra]).
  assert (0 < / (1 + exp eps)) by (apply Rinv_0_lt_compat; lra).
  unfold rr, Rdiv. set (i := / (1 + exp eps)) in *. set (e := exp eps) in *.
  assert (0 <= (e - 1) * i) by (apply Rmult_le_pos; lra).
  assert (0 <= e * ((e - 1) * i)) by (apply Rmult_le_pos; lra).
  destruct x, y, o; simpl; lra.
Qed.

