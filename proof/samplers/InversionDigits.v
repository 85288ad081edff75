(** How many digits inversion draws.

    If the bounds that are asked for after n digits are no wider than C 2^-n, inversion among k places is undecided
    after n digits with probability at most 2 k (C + 1) 2^-n, and draws at most 4 k (C + 1) digits on average, whatever
    the fuel.

    Claims: sample.exponential-mechanism (its proof: the expected number of digits is finite). The page has the constant
    (k - 1)(C + 2) for 2 k (C + 1). *)
Require Import ZArith Reals Lra Lia List.
From DpAssay Require Import Trees Laws HasLaw Inversion. Import ListNotations.
Open Scope R_scope.

(** The expected number of coins that a tree flips until it ends. *)
Fixpoint expected_coins {A} (t : tree A) : R :=
  match t with Ret _ => 0 | Stop => 0 | Flip k => 1 + (expected_coins (k false) + expected_coins (k true)) / 2 end.

(** Bounds asked for after n digits, no wider than C 2^-n: a precision p is in use only once n + 32 <= p. *)
Definition bounds_shrink_fast (C : R) (cumulative : Z -> enclosures) : Prop := forall p (n : nat), asked p ->
  (Z.of_nat n + 32 <= p)%Z -> Forall (width_at_most (C / 2 ^ n) (scale (cumulative p))) (ends (cumulative p)).

Section digits.
Variables (partition_point : search) (cumulative : Z -> enclosures) (Fs : list R) (C : R).
Hypothesis partition_point_right : partitions partition_point.
Hypothesis up : ascending 0 Fs.
Hypothesis enclose : bounds_enclose cumulative Fs.
Hypothesis fast : bounds_shrink_fast C cumulative.
Hypothesis C_nonneg : 0 <= C.
Let k := INR (length Fs).

Lemma fast_shrinks : bounds_shrink cumulative.
Proof.
  intros w Hw. destruct (pow_lt_1_zero (/ 2) ltac:(rewrite Rabs_pos_eq; lra) (w / (C + 1))) as [M HM].
  { apply Rdiv_lt_0_compat; lra. }
  exists (Z.of_nat M + 32)%Z. intros p Hp enough. eapply Forall_impl; [|exact (fast p M Hp enough)].
  intros e narrow. unfold width_at_most in *.
  specialize (HM M (Nat.le_refl _)). rewrite Rabs_pos_eq, pow_inv in HM by (apply pow_le; lra).
  assert (positive : 0 < / 2 ^ M) by (apply Rinv_0_lt_compat, pow_lt; lra).
  apply (Rmult_lt_compat_l (C + 1)) in HM; [|lra].
  replace ((C + 1) * (w / (C + 1))) with w in HM by (field; lra). unfold Rdiv in narrow. nra.
Qed.

(** sample.exponential-mechanism: after n digits, undecided with probability at most 2 k (C + 1) 2^-n. *)
Theorem inversion_rate n : undecided (invert partition_point cumulative (S n)) <= 2 * k * (C + 1) * / 2 ^ n.
Proof.
  assert (positive : 0 < / 2 ^ n) by (apply Rinv_0_lt_compat, pow_lt; lra).
  eapply Rle_trans.
  { apply (inversion_undecided partition_point cumulative Fs partition_point_right up enclose n (C / 2 ^ n)).
    - apply Rmult_le_pos; lra.
    - intros p Hp precise. now apply fast. }
  apply Req_le. fold k. unfold Rdiv. ring.
Qed.

(** The digits are as many as the depths at which the loop is undecided. *)
Lemma coins_are_undecided F : forall p b drawn digits,
  expected_coins (invert_loop partition_point cumulative F p b drawn digits)
  = sumR (fun m => undecided (invert_loop partition_point cumulative (S m) p b drawn digits)) (seq 0 F).
Proof.
  induction F as [|F IH]; intros p b drawn digits; [reflexivity|].
  assert (flip : forall f : bool -> tree Z, undecided (Flip f) = (undecided (f false) + undecided (f true)) / 2).
  { intros f. unfold undecided. simpl. lra. }
  destruct (decision partition_point b drawn digits) as [place|] eqn:E.
  - rewrite (sumR_ext _ (fun _ => 0)).
    + rewrite sumR_const. cbn [invert_loop]. rewrite E. simpl. lra.
    + intros m. cbn [invert_loop]. rewrite E. unfold undecided. simpl. lra.
  - set (next := fun (G : nat) (bit : bool) => let drawn' := (2 * drawn + Z.b2z bit)%Z in
      if (p <? digits + 1 + 32)%Z
      then invert_loop partition_point cumulative G (p * 2) (cumulative (p * 2)%Z) drawn' (digits + 1)
      else invert_loop partition_point cumulative G p b drawn' (digits + 1)).
    assert (step : forall G, invert_loop partition_point cumulative (S G) p b drawn digits = Flip (next G)).
    { intros G. cbn [invert_loop]. rewrite E. reflexivity. }
    assert (rest : forall bit, expected_coins (next F bit) = sumR (fun m => undecided (next (S m) bit)) (seq 0 F)).
    { intros bit. unfold next. cbv zeta. destruct (p <? digits + 1 + 32)%Z; apply IH. }
    rewrite step. cbn [expected_coins].
    rewrite (sumR_ext _ (fun m => (undecided (next m false) + undecided (next m true)) / 2)) by
      (intros m; rewrite step; apply flip).
    rewrite !rest.
    cbn [seq sumR fold_right].
    assert (none : forall bit, undecided (next O bit) = 1).
    { intros bit. unfold next. cbv zeta. destruct (p <? digits + 1 + 32)%Z; unfold undecided; simpl; lra. }
    rewrite !none, <- seq_shift. fold (@sumR nat). clear.
    rewrite (sumR_map S).
    assert (split : forall (f g : nat -> R) l, sumR (fun m => (f m + g m) / 2) l = (sumR f l + sumR g l) / 2).
    { intros f g l. induction l; simpl; [lra|]. rewrite IHl. lra. }
    rewrite (split (fun m => undecided (next (S m) false)) (fun m => undecided (next (S m) true))). lra.
Qed.

(** sample.exponential-mechanism: inversion draws at most 4 k (C + 1) digits on average, whatever the fuel. *)
Theorem inversion_expected_digits F : expected_coins (invert partition_point cumulative F) <= 4 * k * (C + 1).
Proof.
  unfold invert. rewrite coins_are_undecided. fold (invert partition_point cumulative).
  assert (k_nonneg : 0 <= k) by apply pos_INR.
  assert (bound : forall m, undecided (invert_loop partition_point cumulative (S m) 128 (cumulative 128) 0 0)
    <= 2 * k * (C + 1) * / 2 ^ m) by exact inversion_rate.
  assert (geometric : sumR (fun m => / 2 ^ m) (seq 0 F) <= 2).
  { enough (exact_ : forall from, sumR (fun m => / 2 ^ m) (seq from F) = 2 * / 2 ^ from - 2 * / 2 ^ (from + F)).
    { rewrite exact_. assert (0 < / 2 ^ (0 + F)) by (apply Rinv_0_lt_compat, pow_lt; lra). simpl pow at 1. lra. }
    clear. induction F as [|F IH]; intros from; simpl; [rewrite Nat.add_0_r; lra|].
    rewrite IH. replace (from + S F)%nat with (S from + F)%nat by lia.
    assert (2 ^ from <> 0) by (apply pow_nonzero; lra). simpl pow at 2. rewrite Rinv_mult. lra. }
  apply Rle_trans with (2 * k * (C + 1) * sumR (fun m => / 2 ^ m) (seq 0 F)).
  - clear - bound. induction (seq 0 F) as [|m l IH]; simpl; [lra|]. specialize (bound m). lra.
  - replace (4 * k * (C + 1)) with (2 * k * (C + 1) * 2) by ring. apply Rmult_le_compat_l; [|exact geometric]. nra.
Qed.
End digits.
