(** The law of [uniform_below]: uniform on 0, ..., n - 1.

    An attempt draws w bits, the least w with n <= 2^w, and keeps the integer if it is below n.

    As on the page: all n >= 1. The expected number of bits is in ExpectedCoins.v.

    Claims: sample.uniform-below.
*)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Law Below Sums Samplers Rejection.
Open Scope R_scope.

(** The mean of f over 0, ..., n - 1. *)
Definition EU (n : Z) (f : Z -> R) : R := sumn (Z.to_nat n) f / IZR n.

Lemma mean_EU n : (0 < n)%Z -> mean (EU n).
Proof.
  intros H. assert (0 < IZR n) by (apply IZR_lt; lia). unfold mean, EU. repeat split.
  - rewrite sumn_const, INR_IZR_INZ, Z2Nat.id by lia. field. lra.
  - intros. f_equal. apply sumn_ext; auto.
  - intros. rewrite sumn_plus. field. lra.
Qed.

Lemma EU_le n f g : (0 < n)%Z -> (forall i, (0 <= i < n)%Z -> f i <= g i) -> EU n f <= EU n g.
Proof.
  intros H Hf. unfold EU. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, IZR_lt; lia|].
  apply sumn_le. intros; apply Hf; lia.
Qed.

Lemma EU_const n c : (0 < n)%Z -> EU n (fun _ => c) = c.
Proof.
  intros H. unfold EU. rewrite sumn_const, INR_IZR_INZ, Z2Nat.id by lia. field. apply not_0_IZR; lia.
Qed.

Lemma EU_ge0 n f : (0 < n)%Z -> (forall i, (0 <= i < n)%Z -> 0 <= f i) -> 0 <= EU n f.
Proof. intros H Hf. rewrite <- (EU_const n 0) by auto. now apply EU_le. Qed.

(** w bits after acc are uniform on acc 2^w, ..., acc 2^w + 2^w - 1. *)
Lemma expect_bits w : forall acc f,
  expect (bits w acc) f = sumn (2 ^ w) (fun i => f (acc * 2 ^ Z.of_nat w + i)%Z) / 2 ^ w.
Proof.
  induction w; intros acc f.
  - simpl. replace (acc * 1 + 0)%Z with acc by lia. lra.
  - cbn [bits expect]. rewrite !IHw. rewrite (Nat.pow_succ_r' 2 w), (Nat.mul_comm 2).
    replace (2 ^ w * 2)%nat with (2 ^ w + 2 ^ w)%nat by lia. rewrite sumn_app.
    rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
    assert (P : 2 ^ w <> 0) by (apply pow_nonzero; lra). change (2 ^ S w) with (2 * 2 ^ w).
    rewrite (sumn_ext _ (fun i => f ((2 * acc + Z.b2z false) * 2 ^ Z.of_nat w + i)%Z)
                        (fun i => f (acc * (2 * 2 ^ Z.of_nat w) + i)%Z)).
    2:{ intros i _. apply (f_equal f). change (Z.b2z false) with 0%Z. ring. }
    rewrite (sumn_ext _ (fun i => f ((2 * acc + Z.b2z true) * 2 ^ Z.of_nat w + i)%Z)
                        (fun i => f (acc * (2 * 2 ^ Z.of_nat w) + (Z.of_nat (2 ^ w) + i))%Z)).
    2:{ intros i _. apply (f_equal f). rewrite Nat2Z.inj_pow.
        change (Z.b2z true) with 1%Z. change (Z.of_nat 2) with 2%Z. ring. }
    field. auto.
Qed.

Lemma width_spec n : (0 < n)%Z -> (n <= 2 ^ Z.of_nat (width n) < 2 * n)%Z.
Proof.
  intros H. unfold width. rewrite Z2Nat.id by apply Z.log2_up_nonneg.
  destruct (Z.eq_dec n 1) as [->|]; [simpl; lia|]. pose proof (Z.log2_up_spec n ltac:(lia)) as [H1 H2].
  split; auto. replace (Z.log2_up n) with (Z.succ (Z.pred (Z.log2_up n))) by lia.
  rewrite Z.pow_succ_r; [lia|]. pose proof (Z.log2_up_pos n ltac:(lia)). lia.
Qed.

(** One attempt: it is accepted with probability n / 2^w, above 1/2, and then uniform. *)
Lemma uniform_attempt n g : (0 < n)%Z -> let a := IZR n / 2 ^ width n in
  / 2 < a <= 1 /\ expect (uniform_below_attempt n) g = a * EU n (fun x => g (Some x)) + (1 - a) * g None.
Proof.
  intros H a. pose proof (width_spec n H) as [W1 W2]. assert (0 < IZR n) by (apply IZR_lt; lia).
  assert (P : IZR (2 ^ Z.of_nat (width n)) = 2 ^ width n) by (rewrite <- pow_IZR; reflexivity).
  assert (Q : 0 < 2 ^ width n) by (apply pow_lt; lra).
  apply IZR_le in W1. apply IZR_lt in W2. rewrite mult_IZR in W2. rewrite P in W1, W2. split; [split|].
  - apply Rmult_lt_reg_r with (2 ^ width n); auto. unfold a, Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - apply Rmult_le_reg_r with (2 ^ width n); auto. unfold a, Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - unfold uniform_below_attempt. rewrite expect_bind. cbn [expect]. rewrite expect_bits.
    assert (L : (2 ^ width n = Z.to_nat n + (2 ^ width n - Z.to_nat n))%nat).
    { assert (IZR n <= IZR (2 ^ Z.of_nat (width n))) by lra. apply le_IZR in H1.
      assert (Z.of_nat (2 ^ width n) = (2 ^ Z.of_nat (width n))%Z) by (rewrite Nat2Z.inj_pow; reflexivity). lia. }
    set (m := (2 ^ width n)%nat) in *. rewrite L, sumn_app.
    rewrite (sumn_ext (Z.to_nat n) _ (fun x => g (Some x))).
    2:{ intros i Hi. replace (0 * 2 ^ Z.of_nat (width n) + i)%Z with i by lia. destruct (Z.ltb_spec i n); auto; lia. }
    rewrite (sumn_ext (m - Z.to_nat n) _ (fun _ => g None)).
    2:{ intros i Hi.
        destruct (Z.ltb_spec (0 * 2 ^ Z.of_nat (width n) + (Z.of_nat (Z.to_nat n) + i)) n); auto; lia. }
    rewrite sumn_const, minus_INR by lia. unfold m. rewrite pow_INR. simpl (INR 2).
    rewrite (INR_IZR_INZ (Z.to_nat n)), Z2Nat.id by lia. unfold EU, a. replace (1 + 1) with 2 by lra. field. lra.
Qed.

Lemma uniform_below_below n : (0 < n)%Z -> below (fun F => uniform_below F n) (EU n).
Proof.
  intros H F f Hf. destruct (uniform_attempt n (fun _ => 0) H) as [Ha _].
  apply attempts_below with (a := IZR n / 2 ^ width n); auto; [lra | intros; apply EU_ge0; auto|].
  intros g _. destruct (uniform_attempt n g H) as [_ ->]. lra.
Qed.

(** sample.uniform-below: with fuel F (so many attempts), what is undecided is at most 2^-F. *)
Theorem uniform_below_undecided n F : (0 < n)%Z -> undecided (uniform_below F n) <= (/ 2) ^ F.
Proof.
  intros H. destruct (uniform_attempt n (fun _ => 1) H) as [Ha E1].
  destruct (uniform_attempt n rejected H) as [_ E0]. simpl in E0.
  rewrite EU_const in E0, E1 by auto. set (a := IZR n / 2 ^ width n) in *.
  assert (U : undecided (uniform_below_attempt n) <= 0) by (unfold undecided; rewrite E1; lra).
  pose proof (attempts_undecided (uniform_below_attempt n) a 0 ltac:(lra) U) as A.
  unfold uniform_below. eapply Rle_trans; [apply A; fold (@rejected Z); lra|].
  unfold Rdiv. rewrite Rmult_0_l, Rplus_0_r. apply pow_incr. lra.
Qed.

Lemma uniform_below_decided n : (0 < n)%Z -> decided (fun F => uniform_below F n).
Proof.
  intros H. apply decided_rate with (c := 1) (r := / 2); [lra|].
  intros F. rewrite Rmult_1_l. now apply uniform_below_undecided.
Qed.

Lemma EU_equals n k : (0 < n)%Z ->
  EU n (equals Z.eq_dec k) = if ((0 <=? k) && (k <? n))%Z then 1 / IZR n else 0.
Proof.
  intros H. unfold EU. rewrite (sumn_ext _ _ (fun x => 1 * is k x)) by (intros; unfold equals, is; lra).
  destruct (Z.leb_spec 0 k), (Z.ltb_spec k n); cbn [andb].
  - rewrite (sumn_is _ k (fun _ => 1)) by lia. reflexivity.
  - rewrite (sumn_is_outside _ k (fun _ => 1)) by lia. unfold Rdiv. ring.
  - rewrite (sumn_is_outside _ k (fun _ => 1)) by lia. unfold Rdiv. ring.
  - rewrite (sumn_is_outside _ k (fun _ => 1)) by lia. unfold Rdiv. ring.
Qed.

(** sample.uniform-below: for every n >= 1, uniform_below(n) is k with probability 1/n, k = 0, ..., n - 1. *)
Theorem uniform_below_law (n : Z) : (1 <= n)%Z ->
  has_law Z.eq_dec (fun fuel => uniform_below fuel n)
    (fun k => if ((0 <=? k) && (k <? n))%Z then 1 / IZR n else 0).
Proof.
  intros H. apply has_law_ext with (probability := fun k => EU n (equals Z.eq_dec k)).
  - intros k. apply EU_equals. lia.
  - apply has_law_of_mean; [apply uniform_below_below | apply mean_EU | apply uniform_below_decided]; lia.
Qed.
