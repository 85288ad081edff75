(** Exact composition of purely private mechanisms.

    k mechanisms of the loss eps, each chosen by the outcomes of those before, are (epsilon, delta)-private together for
    every real epsilon, where delta is the binomial sum
      sum over lies j of C(k, j) e^((k-j) eps)/(1 + e^eps)^k max(0, 1 - e^(epsilon - (k - 2 j) eps)).
    This is exact: k randomised responses are (epsilon, delta)-private for no smaller delta.
    It is Theorem 3.3 of Kairouz, Oh and Viswanath (2015) for mechanisms with delta = 0, for every epsilon, with laws
    over any outcomes.

    It is the exact delta of k pure draws, on which jt13.thm4.exact rests.

    Claims: none.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy RandomisedResponse LikelihoodMoments RandomisedResponseIsWorst
  RandomisedResponseMoment AdvancedComposition.
Open Scope R_scope.

(** The probability that randomised response tells the truth all but j times out of k, in one order. *)
Definition lies_probability (eps : R) (k j : nat) : R := exp ((INR k - INR j) * eps) / (1 + exp eps) ^ k.

(** The delta of k randomised responses: j is the number of lies, and (k - 2 j) eps is the privacy loss. *)
Definition optimal_delta (eps : R) (k : nat) (epsilon : R) : R :=
  sum_f_R0 (fun j => C k j * (lies_probability eps k j * Rmax 0 (1 - exp (epsilon - (INR k - 2 * INR j) * eps)))) k.

(** The same by recursion: the largest value of P f - x Q f over all tests f, after k mechanisms. *)
Fixpoint largest_difference (eps : R) (k : nat) (x : R) : R :=
  match k with
  | O => Rmax 0 (1 - x)
  | S k' => (exp eps * largest_difference eps k' (x * exp (- eps)) + largest_difference eps k' (x * exp eps)) /
      (1 + exp eps)
  end.

(** * The recursion is the binomial sum *)

Lemma pascal_sum (a : nat -> R) n : sum_f_R0 (fun j => C (S n) j * a j) (S n) =
  sum_f_R0 (fun j => C n j * a j) n + sum_f_R0 (fun j => C n j * a (S j)) n.
Proof.
  assert (top : forall m, C m m = 1) by (intros m; unfold C; rewrite Nat.sub_diag; simpl; field; apply INR_fact_neq_0).
  assert (bottom : forall m, C m 0 = 1).
  { intros m. unfold C. rewrite Nat.sub_0_r. simpl. field. apply INR_fact_neq_0. }
  rewrite (decomp_sum _ (S n)) by lia. cbn [Init.Nat.pred]. rewrite bottom. destruct n as [|n].
  - cbn [sum_f_R0]. rewrite !top. ring.
  - rewrite (decomp_sum (fun j => C (S n) j * a j) (S n)) by lia. cbn [Init.Nat.pred sum_f_R0]. rewrite bottom, !top.
    rewrite (sum_eq (fun i => C (S (S n)) (S i) * a (S i)) (fun i => C (S n) (S i) * a (S i) + C (S n) i * a (S i)) n).
    + rewrite plus_sum. ring.
    + intros i Hi. rewrite <- pascal by lia. ring.
Qed.

Lemma largest_difference_is_sum eps k epsilon : largest_difference eps k (exp epsilon) = optimal_delta eps k epsilon.
Proof.
  pose proof (exp_pos eps) as He. revert epsilon. induction k as [|k IH]; intros epsilon.
  - unfold optimal_delta, lies_probability. cbn [largest_difference sum_f_R0 INR pow].
    replace (epsilon - (0 - 2 * 0) * eps) with epsilon by ring. replace ((0 - 0) * eps) with 0 by ring.
    rewrite exp_0. unfold C. simpl. field.
  - cbn [largest_difference]. rewrite <- !exp_plus, !IH. unfold optimal_delta. rewrite pascal_sum.
    unfold Rdiv. rewrite Rmult_plus_distr_r, Rmult_assoc, (Rmult_comm _ (/ (1 + exp eps))), <- Rmult_assoc.
    rewrite (Rmult_comm (sum_f_R0 _ k) (/ (1 + exp eps))). rewrite !scal_sum.
    f_equal; apply sum_eq; intros j _; unfold lies_probability; rewrite !S_INR; cbn [pow].
    + replace (epsilon + - eps - (INR k - 2 * INR j) * eps) with (epsilon - (INR k + 1 - 2 * INR j) * eps) by ring.
      replace ((INR k + 1 - INR j) * eps) with (eps + (INR k - INR j) * eps) by ring.
      rewrite exp_plus. field. split; [apply pow_nonzero; lra | lra].
    + replace (epsilon + eps - (INR k - 2 * INR j) * eps) with (epsilon - (INR k + 1 - 2 * (INR j + 1)) * eps) by ring.
      replace ((INR k + 1 - (INR j + 1)) * eps) with ((INR k - INR j) * eps) by ring.
      field. split; [apply pow_nonzero; lra | lra].
Qed.

(** * No mechanisms do worse *)

Section upper.
Context {O : Type}.
Variable eps : R.
Hypothesis eps_positive : 0 < eps.

Lemma difference_le_largest (P Q : list O -> law O) : (forall before, pure eps (P before) (Q before)) ->
  forall k before f x, test f -> 0 < x ->
  in_a_row P k before f - x * in_a_row Q k before f <= largest_difference eps k x.
Proof.
  intros pure_each. induction k as [|k IH]; intros before f x Hf Hx.
  - cbn [in_a_row E unit_law largest_difference]. specialize (Hf before).
    pose proof (Rmax_l 0 (1 - x)). pose proof (Rmax_r 0 (1 - x)). destruct (Rle_lt_dec x 1); nra.
  - cbn [in_a_row E then_ largest_difference].
    apply (difference_step eps eps_positive); auto; intros o; now apply E_test.
Qed.
End upper.

(** Every choice of k mechanisms of pure loss eps is (epsilon, delta)-private with the binomial sum as delta. *)
Theorem optimal_composition {D O} (adj : D -> D -> Prop) (M : D -> list O -> law O) (eps epsilon : R) (k : nat) :
  0 < eps -> (forall x y, adj x y -> adj y x) -> (forall before, dp adj eps 0 (fun x => M x before)) ->
  dp adj epsilon (optimal_delta eps k epsilon) (fun x => in_a_row (M x) k []).
Proof.
  intros He symmetric pure_each x y xy f Hf. rewrite <- largest_difference_is_sum.
  assert (each : forall before, pure eps (M x before) (M y before)) by (intros before; split; apply pure_each; auto).
  pose proof (difference_le_largest eps He (M x) (M y) each k [] f (exp epsilon) Hf (exp_pos epsilon)). lra.
Qed.

(** * Randomised response does as badly *)

(** k answers by randomised response to the same question. *)
Definition responses (eps : R) (truth : bool) (k : nat) : law (list bool) :=
  in_a_row (fun _ => randomised_response eps truth) k [].

(** The likelihood ratio of the answers: e^eps for each true, e^-eps for each false. *)
Fixpoint answers_ratio (eps : R) (answers : list bool) : R :=
  match answers with
  | [] => 1
  | true :: before => exp eps * answers_ratio eps before
  | false :: before => exp (- eps) * answers_ratio eps before
  end.

(** The test that accepts where the likelihood ratio is at least x. *)
Definition ratio_test (eps x : R) (answers : list bool) : R := if Rle_dec x (answers_ratio eps answers) then 1 else 0.

Lemma ratio_test_is_test eps x : test (ratio_test eps x).
Proof. intros answers. unfold ratio_test. destruct (Rle_dec x (answers_ratio eps answers)); lra. Qed.

Lemma answers_ratio_pos eps answers : 0 < answers_ratio eps answers.
Proof. induction answers as [|[] before IH]; simpl; [lra | |]; apply Rmult_lt_0_compat; auto using exp_pos. Qed.

Lemma responses_difference eps x k : forall before,
  answers_ratio eps before * in_a_row (fun _ => randomised_response eps true) k before (ratio_test eps x) -
    x * in_a_row (fun _ => randomised_response eps false) k before (ratio_test eps x) =
  answers_ratio eps before * largest_difference eps k (x / answers_ratio eps before).
Proof.
  pose proof (exp_pos eps) as He. pose proof (exp_pos (- eps)) as He'.
  assert (inverse : exp eps * exp (- eps) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (Em : exp (- eps) = / exp eps) by apply exp_Ropp.
  induction k as [|k IH]; intros before; pose proof (answers_ratio_pos eps before) as Hr.
  - cbn [in_a_row E unit_law largest_difference]. unfold ratio_test. set (r := answers_ratio eps before) in *.
    assert (scaled : r * (1 - x / r) = r - x) by (field; lra).
    destruct (Rle_dec x r); [rewrite Rmax_right | rewrite Rmax_left]; nra.
  - cbn [in_a_row E then_ randomised_response finite Privacy.sum largest_difference]. unfold rr. cbn [Bool.eqb].
    pose proof (IH (true :: before)) as told_true. pose proof (IH (false :: before)) as told_false.
    cbn [answers_ratio] in told_true, told_false. set (r := answers_ratio eps before) in *.
    set (Pt := in_a_row _ k (true :: before) _) in *. set (Pf := in_a_row _ k (false :: before) _) in *.
    set (Qt := in_a_row (fun _ => randomised_response eps false) k (true :: before) (ratio_test eps x)) in *.
    set (Qf := in_a_row (fun _ => randomised_response eps false) k (false :: before) (ratio_test eps x)) in *.
    replace (x / (exp eps * r)) with (x / r * exp (- eps)) in told_true by (rewrite Em; field; lra).
    replace (x / (exp (- eps) * r)) with (x / r * exp eps) in told_false by (rewrite Em; field; lra).
    set (Lt := largest_difference eps k (x / r * exp (- eps))) in *.
    set (Lf := largest_difference eps k (x / r * exp eps)) in *.
    apply Rmult_eq_reg_r with (1 + exp eps); [|lra].
    transitivity ((exp eps * r * Pt - x * Qt) + (exp eps * exp (- eps) * r * Pf - exp eps * x * Qf));
      [rewrite inverse; field; lra|].
    replace (exp eps * exp (- eps) * r * Pf - exp eps * x * Qf) with (exp eps * (exp (- eps) * r * Pf - x * Qf))
      by ring.
    rewrite told_true, told_false. replace (exp eps * (exp (- eps) * r * Lf)) with (exp eps * exp (- eps) * (r * Lf))
      by ring.
    rewrite inverse. field. lra.
Qed.

(** Some test of k randomised responses reaches the binomial sum: for no smaller delta are they
    (epsilon, delta)-private. *)
Theorem optimal_composition_is_attained (eps epsilon : R) (k : nat) :
  exists f, test f /\
    responses eps true k f = exp epsilon * responses eps false k f + optimal_delta eps k epsilon.
Proof.
  exists (ratio_test eps (exp epsilon)). split; [apply ratio_test_is_test|]. rewrite <- largest_difference_is_sum.
  pose proof (responses_difference eps (exp epsilon) k []) as H. cbn [answers_ratio] in H.
  replace (exp epsilon / 1) with (exp epsilon) in H by field. unfold responses. lra.
Qed.

(** If k randomised responses are (epsilon, delta)-close, then so are any k mechanisms of the same loss. *)
Corollary responses_are_the_worst {D O} (adj : D -> D -> Prop) (M : D -> list O -> law O) (eps epsilon delta : R) k :
  0 < eps -> (forall x y, adj x y -> adj y x) -> (forall before, dp adj eps 0 (fun x => M x before)) ->
  close epsilon delta (responses eps true k) (responses eps false k) ->
  dp adj epsilon delta (fun x => in_a_row (M x) k []).
Proof.
  intros He symmetric pure_each H x y xy f Hf.
  destruct (optimal_composition_is_attained eps epsilon k) as (g & Hg & E). specialize (H g Hg).
  pose proof (optimal_composition adj M eps epsilon k He symmetric pure_each x y xy f Hf). lra.
Qed.
