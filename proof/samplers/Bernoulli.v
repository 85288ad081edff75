(** The law of [bernoulli]: true with probability p/q.

    The loop keeps p/q = 0.d1 d2 ... as long division gives it, and compares it with coins, digit by digit.

    As on the page: all rationals in [0, 1], in lowest terms or not. The expected number of bits is in ExpectedCoins.v.

    Claims: sample.bernoulli.
*)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Law Below Samplers.
Open Scope R_scope.

(** The expected value of f under a Bernoulli draw with probability p. *)
Definition EB (p : R) (f : bool -> R) : R := p * f true + (1 - p) * f false.

Lemma mean_EB p : mean (EB p).
Proof. unfold mean, EB. repeat split; intros; rewrite ?H; lra. Qed.

Lemma EB_nonneg p f : 0 <= p <= 1 -> (forall b, 0 <= f b) -> 0 <= EB p f.
Proof. intros H Hf. unfold EB. specialize (Hf true) as H1; specialize (Hf false). nra. Qed.

Lemma EB_equals p b : EB p (equals bool_dec b) = if b then p else 1 - p.
Proof. unfold EB, equals. destruct b; simpl; lra. Qed.

Lemma fraction_bounds p q : (0 <= p <= q)%Z -> (0 < q)%Z -> 0 <= IZR p / IZR q <= 1.
Proof.
  intros Hp Hq. assert (0 < IZR q) by (apply IZR_lt; lia).
  assert (0 <= IZR p <= IZR q) by (split; apply IZR_le; lia). split.
  - apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
  - apply Rmult_le_reg_r with (IZR q); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma bernoulli_loop_below F : forall r q f, (0 <= r < q)%Z -> (forall b, 0 <= f b) ->
  expect (bernoulli_loop F r q) f <= EB (IZR r / IZR q) f.
Proof.
  induction F; intros r q f Hr Hf.
  - apply EB_nonneg; auto. apply fraction_bounds; lia.
  - cbn [bernoulli_loop]. destruct (Z.eqb_spec r 0) as [->|Hn].
    + unfold EB. simpl. unfold Rdiv. rewrite Rmult_0_l. lra.
    + assert (0 < IZR q) by (apply IZR_lt; lia).
      destruct (Z.leb_spec q (2 * r)); cbn [expect eqb].
      * specialize (IHF (2 * r - q)%Z q f ltac:(lia) Hf). rewrite minus_IZR, mult_IZR in IHF. unfold EB in *.
        replace (IZR r / IZR q) with ((1 + (IZR 2 * IZR r - IZR q) / IZR q) / 2) by (field; lra). lra.
      * specialize (IHF (2 * r)%Z q f ltac:(lia) Hf). rewrite mult_IZR in IHF. unfold EB in *.
        replace (IZR r / IZR q) with (((IZR 2 * IZR r) / IZR q) / 2) by (field; lra). lra.
Qed.

Lemma bernoulli_loop_undecided F : forall r q, (0 <= r < q)%Z -> undecided (bernoulli_loop F r q) <= (/ 2) ^ F.
Proof.
  unfold undecided. induction F; intros r q Hr; [simpl; lra|]. cbn [bernoulli_loop]. rewrite <- tech_pow_Rmult.
  assert (0 < (/ 2) ^ F) by (apply pow_lt; lra).
  destruct (Z.eqb_spec r 0); [simpl; lra|]. destruct (Z.leb_spec q (2 * r)); cbn [expect eqb].
  - specialize (IHF (2 * r - q)%Z q ltac:(lia)). lra.
  - specialize (IHF (2 * r)%Z q ltac:(lia)). lra.
Qed.

Lemma bernoulli_below p q : (0 <= p <= q)%Z -> (0 < q)%Z -> below (fun F => bernoulli F p q) (EB (IZR p / IZR q)).
Proof.
  intros Hp Hq F f Hf. unfold bernoulli. destruct (Z.eqb_spec p q) as [->|].
  - unfold EB. simpl. replace (IZR q / IZR q) with 1 by (field; apply not_0_IZR; lia). lra.
  - apply bernoulli_loop_below; auto; lia.
Qed.

(** sample.bernoulli: with fuel F, what is undecided is at most 2^-F. *)
Theorem bernoulli_undecided p q F : (0 <= p <= q)%Z -> (0 < q)%Z -> undecided (bernoulli F p q) <= (/ 2) ^ F.
Proof.
  intros Hp Hq. unfold bernoulli. destruct (Z.eqb_spec p q) as [->|].
  - unfold undecided; simpl. assert (0 < (/ 2) ^ F) by (apply pow_lt; lra). lra.
  - apply bernoulli_loop_undecided; lia.
Qed.

Lemma bernoulli_decided p q : (0 <= p <= q)%Z -> (0 < q)%Z -> decided (fun F => bernoulli F p q).
Proof.
  intros Hp Hq. apply decided_rate with (c := 1) (r := / 2); [lra|].
  intros F. rewrite Rmult_1_l. now apply bernoulli_undecided.
Qed.

(** sample.bernoulli: for every rational p/q in [0, 1], bernoulli is true with probability p/q. *)
Theorem bernoulli_law (p q : Z) : (0 <= p <= q)%Z -> (0 < q)%Z ->
  has_law bool_dec (fun fuel => bernoulli fuel p q) (fun result => if result then IZR p / IZR q else 1 - IZR p / IZR q).
Proof.
  intros Hp Hq. apply has_law_ext with (probability := fun b => EB (IZR p / IZR q) (equals bool_dec b)).
  - apply EB_equals.
  - apply has_law_of_mean; [now apply bernoulli_below | apply mean_EB | now apply bernoulli_decided].
Qed.
