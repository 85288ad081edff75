(* The exponential mechanism over finitely many outcomes. *)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy.
Open Scope R_scope.

(* The exponential mechanism with scores q of sensitivity s. *)
Section em.
Context {O : Type} (outs : list O) (Hne : outs <> []) (eps s : R) (He : 0 <= eps) (Hs : 0 < s).
Definition weight (q : O -> R) o := exp (eps * q o / (2 * s)).
Lemma total q : 0 < sum (weight q) outs.
Proof. destruct outs as [|a l]; [congruence|]. simpl. assert (0 <= sum (weight q) l) by (clear; induction l; simpl; [lra | unfold weight in *; pose proof (exp_pos (eps * q a / (2 * s))); lra]).
  unfold weight at 1. pose proof (exp_pos (eps * q a / (2 * s))). lra. Qed.
Definition em q o := / sum (weight q) outs * weight q o.
Lemma em_pos q o : 0 <= em q o.
Proof. apply Rmult_le_pos; left; [apply Rinv_0_lt_compat, total | apply exp_pos]. Qed.
Lemma em_sum q : sum (em q) outs = 1.
Proof. unfold em. rewrite sum_scal. apply Rinv_l. pose proof (total q). lra. Qed.
Definition exponential q : law O := finite (em q) outs (em_pos q) (em_sum q).
Lemma weight_le q q' o : (forall x, Rabs (q x - q' x) <= s) -> weight q o <= exp (eps / 2) * weight q' o.
Proof.
  intros H. unfold weight. rewrite <- exp_plus.
  assert (L : eps * q o / (2 * s) <= eps / 2 + eps * q' o / (2 * s)).
  { specialize (H o). assert (q o - q' o <= s) by (pose proof (Rle_abs (q o - q' o)); lra).
    apply Rmult_le_reg_r with (2 * s); [lra|]. field_simplify; [nra | lra | lra]. }
  destruct L as [L | ->]; [left; now apply exp_increasing | lra].
Qed.
Theorem exponential_dp : dp (fun q q' : O -> R => forall x, Rabs (q x - q' x) <= s) eps 0 exponential.
Proof.
  intros q q' H. apply pointwise. intros o. unfold em.
  assert (H' : forall x, Rabs (q' x - q x) <= s) by (intros x; rewrite Rabs_minus_sym; auto).
  pose proof (total q) as W. pose proof (total q') as W'.
  pose proof (weight_le q q' o H) as A.
  assert (B : sum (weight q') outs <= exp (eps / 2) * sum (weight q) outs) by (rewrite <- sum_scal; apply sum_le; intros; apply weight_le; auto).
  assert (Ex : exp eps = exp (eps / 2) * exp (eps / 2)) by (rewrite <- exp_plus; f_equal; lra). rewrite Ex. pose proof (exp_pos (eps / 2)).
  apply Rmult_le_reg_r with (sum (weight q) outs * sum (weight q') outs); [nra|].
  replace (/ sum (weight q) outs * weight q o * (sum (weight q) outs * sum (weight q') outs)) with (weight q o * sum (weight q') outs) by (field; lra).
  replace (exp (eps/2) * exp (eps/2) * (/ sum (weight q') outs * weight q' o) * (sum (weight q) outs * sum (weight q') outs))
    with ((exp (eps/2) * weight q' o) * (exp (eps/2) * sum (weight q) outs)) by (field; lra).
  apply Rmult_le_compat; auto; [left; apply exp_pos | lra].
Qed.
End em.
