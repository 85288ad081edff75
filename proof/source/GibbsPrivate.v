(** The Gibbs learner, as translated, is (epsilon, 0)-private under two hypotheses on what it calls.

    Hypotheses: the exponential mechanism of losses l_0, ..., l_(n-1) draws k with probability proportional to
    e^(-epsilon l_k / 2), and substituting a record moves each loss by at most one. That a draw is made once, that
      the data
    enter through the losses alone, and with which epsilon, is of the source, and no hypothesis.

    Claims: none.
*)
Require Import ZArith Reals Lra Lia Bool List FunctionalExtensionality.
Require String.
From DpAssay Require Import Trees Law Samplers Rust Source Same SamplersEqual SamplersLaw ReadsOnce.
Import ListNotations.
Open Scope R_scope.

Lemma exp_monotone x y : x <= y -> exp x <= exp y.
Proof. intros [L | ->]; [left; now apply exp_increasing | right; reflexivity]. Qed.
Lemma sum_positive {X} (g : X -> R) l : (forall x, 0 < g x) -> l <> [] -> 0 < sumR g l.
Proof.
  intros P. assert (N : forall l, 0 <= sumR g l) by (intros k; induction k as [|a k IH]; simpl; [lra | specialize
    (P a); lra]).
  destruct l as [|x l]; [congruence|]. intros _. simpl. specialize (P x). specialize (N l). lra.
Qed.

Section mechanism.
Variables (h : R) (h_nonnegative : 0 <= h).
Definition weight (x : Z) : R := exp (- (h * IZR x)).
Definition close (x y : Z) : Prop := (Z.abs (x - y) <= 1)%Z.

(** k with probability proportional to e^(-h l_k). *)
Definition choice (l : list Z) (k : Z) : R :=
  match (if (k <? 0)%Z then None else nth_error l (Z.to_nat k)) with Some x => weight x * / sumR weight l | None =>
    0 end.

Lemma weight_close x y : close x y -> weight x <= exp h * weight y.
Proof.
  intros C. unfold weight. rewrite <- exp_plus. apply exp_monotone. unfold close in C.
  assert (IZR y - IZR x <= 1) by (rewrite <- minus_IZR; apply IZR_le; lia). nra.
Qed.
Lemma sum_close l l' : Forall2 close l l' -> sumR weight l' <= exp h * sumR weight l.
Proof.
  induction 1 as [|x y l l' C _ IH]; simpl; [lra|].
  assert (weight y <= exp h * weight x) by (apply weight_close; unfold close in *; lia). lra.
Qed.
Lemma nth_close l l' n x : Forall2 close l l' -> nth_error l n = Some x -> exists y, nth_error l' n = Some y /\
  close x y.
Proof.
  intros H. revert n. induction H; intros [|n] E; simpl in *; try discriminate; [injection E as ->; eauto | eauto].
Qed.
Lemma same_length l l' : Forall2 close l l' -> length l = length l'.
Proof. induction 1; simpl; congruence. Qed.
Theorem choice_close l l' k : Forall2 close l l' -> choice l k <= exp (2 * h) * choice l' k.
Proof.
  intros H. unfold choice. destruct (k <? 0)%Z; [lra|]. destruct (nth_error l (Z.to_nat k)) as [x|] eqn:E.
  - destruct (nth_close l l' _ x H E) as (y & -> & C). pose proof (weight_close x y C). pose proof (sum_close l l' H).
    assert (P : forall z, 0 < weight z) by (intros; apply exp_pos).
    assert (0 < sumR weight l) by (apply sum_positive; auto; intros ->; destruct (Z.to_nat k); discriminate).
    assert (0 < sumR weight l') by (apply sum_positive; auto; intros ->; inversion H; subst; destruct (Z.to_nat k);
      discriminate).
    assert (/ sumR weight l <= exp h * / sumR weight l').
    { apply Rmult_le_reg_r with (sumR weight l * sumR weight l'); [nra|].
      replace (/ sumR weight l * (sumR weight l * sumR weight l')) with (sumR weight l') by (field; lra).
      replace (exp h * / sumR weight l' * (sumR weight l * sumR weight l')) with (exp h * sumR weight l) by (field;
        lra).
      assumption. }
    replace (exp (2 * h) * (weight y * / sumR weight l')) with ((exp h * weight y) * (exp h * / sumR weight l')).
    + pose proof (P x). apply Rmult_le_compat; auto; [lra | left; now apply Rinv_0_lt_compat].
    + replace (2 * h) with (h + h) by ring. rewrite exp_plus. ring.
  - pose proof (exp_pos (2 * h)). destruct (nth_error l' (Z.to_nat k)) as [y|] eqn:E'; [|lra].
    exfalso. apply nth_error_None in E. apply same_length in H.
    assert (nth_error l' (Z.to_nat k) <> None) as S by congruence. apply nth_error_Some in S. lia.
Qed.
End mechanism.

Section learner.
Variables (Points : Type -> Type) (Choice : Type) (new : list Z -> rational -> ending (result Choice)).
Variables (sample : nat -> Choice -> rust (result Z)) (errors : list (list Z) -> Points bool -> ending (list Z)).
Variables (p q : Z) (p_positive : (0 < p)%Z) (q_positive : (0 < q)%Z).
Let epsilon := IZR p / IZR q.

(** What `ScoredChoice::new` makes, if it makes anything, is the exponential mechanism of these losses. *)
Hypothesis is_the_mechanism : forall losses law, new losses (Rational p q) = Returned (Ok law) ->
  has_law (ending_dec Z.eq_dec) (fun F => sample F law) (of_ok (choice (epsilon / 2) losses)).

Lemma gibbs_is_one_draw F candidates s losses law : errors candidates s = Returned losses ->
  new losses (Rational p q) = Returned (Ok law) ->
  gibbs_learn Points Choice new sample errors F s candidates (Rational p q) = sample F law.
Proof.
  intros E N. rewrite gibbs_reads_once, E. cbn [first]. unfold gibbs_from, choose. rewrite N.
  change (ask (Ret (Returned (Ok law)))) with (@val (result Z) Choice law). rewrite mbind_val.
  unfold body, ask, call, mbind. rewrite !bind_bind. transitivity (bind (sample F law) Ret); [|apply bind_ret].
  apply bind_ext. intros [[k|e]|]; reflexivity.
Qed.

(** For data s and s' whose losses differ by at most one each: whatever the learner ends with, an error among it,
  is at most
    e^epsilon times as likely on s as on s'. *)
Theorem gibbs_source_is_private candidates s s' losses losses' law law' :
  errors candidates s = Returned losses -> errors candidates s' = Returned losses' -> Forall2 close losses losses' ->
  new losses (Rational p q) = Returned (Ok law) -> new losses' (Rational p q) = Returned (Ok law') ->
  exists on_s on_s',
    has_law (ending_dec Z.eq_dec) (fun F => gibbs_learn Points Choice new sample errors F s candidates (Rational p
      q)) on_s /\
    has_law (ending_dec Z.eq_dec) (fun F => gibbs_learn Points Choice new sample errors F s' candidates (Rational p
      q)) on_s' /\
    forall e, on_s e <= exp epsilon * on_s' e.
Proof.
  intros E E' C N N'. exists (of_ok (choice (epsilon / 2) losses)), (of_ok (choice (epsilon / 2) losses')).
  assert (law_of : forall t l m, errors candidates t = Returned l -> new l (Rational p q) = Returned (Ok m) ->
    has_law (ending_dec Z.eq_dec)
      (fun F => gibbs_learn Points Choice new sample errors F t candidates (Rational p q)) (of_ok (choice (epsilon
        / 2) l))).
  { intros t l m El Nm.
    replace (fun F => gibbs_learn Points Choice new sample errors F t candidates (Rational p q)) with (fun F =>
      sample F m)
      by (extensionality F; symmetry; now apply gibbs_is_one_draw with (losses := l)).
    now apply is_the_mechanism. }
  split; [|split]; [eauto | eauto |].
  assert (0 < epsilon) by (apply Rdiv_lt_0_compat; now apply (IZR_lt 0)).
  intros [[k|e]|]; simpl; try lra.
  replace epsilon with (2 * (epsilon / 2)) at 2 by lra. apply choice_close; [lra | exact C].
Qed.
End learner.
