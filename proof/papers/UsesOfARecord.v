(** How often a record occurs in draws with replacement.

    n draws from m records, independent and uniform: a fixed record occurs more than K times with probability at most
    C(n,K+1)/m^(K+1), which for n <= m is at most 1/(K+1)!; and some record does with probability at most m/(K+1)!. Of
    the claim the middle part, that 1 + 3 ln(1/b) times are enough with probability 1 - b, is left out.

    Claims: bms22.lem3_1.mult.
*)
Require Import Reals Lra Lia List Bool Arith. Import ListNotations.
From DpAssay Require Import Privacy Neighbours Events HammingBalls DataLosses.
Open Scope R_scope.

(** A number below m = N + 1, uniformly. *)
Definition uniform_number (N : nat) : law nat :=
  finite (fun _ => / INR (S N)) (seq 0 (S N)) (inv_pos N) (inv_sum N).

(** How often i occurs among n numbers. *)
Fixpoint uses (i n : nat) : data nat n -> nat :=
  match n with
  | O => fun _ => 0%nat
  | S n' => fun s => ((if fst s =? i then 1 else 0) + uses i n' (snd s))%nat
  end.

(** The event that i occurs at least k times. *)
Definition at_least (k i n : nat) (s : data nat n) : R := indicator (k <=? uses i n s)%nat.

Lemma at_least_test k i n : test (at_least k i n).
Proof. intros s. apply indicator_range. Qed.

Lemma hit_probability N i : uniform_number N (fun j => indicator (j =? i)%nat) <= / INR (S N).
Proof.
  unfold uniform_number. cbn [E finite]. rewrite sum_scal.
  assert (once : forall l, NoDup l -> sum (fun j => indicator (j =? i)%nat) l <= 1).
  { induction 1 as [|j l out _ IH]; cbn [sum]; [lra|].
    destruct (Nat.eqb_spec j i) as [-> | _]; cbn [indicator]; [|lra].
    assert (none : forall l, ~ In i l -> sum (fun j => indicator (j =? i)%nat) l = 0).
    { clear. induction l as [|j l IH]; intros out; cbn [sum]; [reflexivity|].
      rewrite IH by (intros I; apply out; now right).
      destruct (Nat.eqb_spec j i) as [-> | _]; [exfalso; apply out; now left | simpl; lra]. }
    rewrite (none l out). lra. }
  specialize (once (seq 0 (S N)) (seq_NoDup _ _)).
  assert (0 < / INR (S N)) by (apply Rinv_0_lt_compat, lt_0_INR; lia). nra.
Qed.

Lemma at_least_bound N i n : forall k,
  iid (uniform_number N) n (at_least k i n) <= INR (binom n k) * (/ INR (S N)) ^ k.
Proof.
  assert (ip : 0 < / INR (S N)) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  induction n as [|n IH]; intros k.
  - destruct k as [|k]; unfold at_least; simpl; lra.
  - destruct k as [|k].
    + replace (INR (binom (S n) 0) * (/ INR (S N)) ^ 0) with 1 by (simpl; lra). apply E_test, at_least_test.
    + (* The first draw hits i and k more are needed, or all of k + 1 are among the others. *)
      cbn [iid E then_ relabel unit_law]. set (others := iid (uniform_number N) n) in *.
      set (hit := fun j => indicator (j =? i)%nat).
      assert (Th : test hit) by apply test_indicator.
      assert (step : forall j, others (fun s => at_least (S k) i (S n) ((j, s) : data nat (S n)))
        <= hit j * others (at_least k i n) + others (at_least (S k) i n)).
      { intros j. unfold hit, at_least. cbn [uses fst snd].
        pose proof (E_test others _ (at_least_test (S k) i n)) as P.
        destruct (j =? i)%nat; cbn [indicator plus]; unfold at_least in *.
        - assert (same : others (fun s => indicator (S k <=? S (uses i n s))%nat)
            = others (fun s => indicator (k <=? uses i n s)%nat)) by reflexivity. lra.
        - lra. }
      eapply Rle_trans; [apply E_mono; [| |exact step]|].
      * apply test_bounded. intros j. apply E_test. intros s. apply indicator_range.
      * apply bounded_plus; [|apply bounded_const]. exists 1. intros j.
        pose proof (Th j). pose proof (E_test others _ (at_least_test k i n)). rewrite Rabs_pos_eq; nra.
      * set (a := others (at_least k i n)). set (b := others (at_least (S k) i n)).
        assert (mean : uniform_number N (fun j => hit j * a + b) = a * uniform_number N hit + b).
        { rewrite (E_ext _ _ (fun j => a * hit j + b)); [| | |intros; lra].
          - rewrite E_plus, E_scal, E_const by auto using test_bounded, bounded_scal, bounded_const. reflexivity.
          - apply bounded_plus; [|apply bounded_const]. exists (Rabs a). intros j. rewrite Rabs_mult.
            pose proof (Th j). rewrite (Rabs_pos_eq (hit j)) by lra. pose proof (Rabs_pos a). nra.
          - apply bounded_plus; [apply bounded_scal; now apply test_bounded | apply bounded_const]. }
        rewrite mean. pose proof (IH k) as Ia. pose proof (IH (S k)) as Ib. fold a in Ia. fold b in Ib.
        pose proof (hit_probability N i) as H. fold hit in H.
        assert (pa : 0 <= a) by apply (E_test others _ (at_least_test k i n)).
        assert (a * uniform_number N hit <= INR (binom n k) * (/ INR (S N)) ^ k * / INR (S N)).
        { apply Rle_trans with (a * / INR (S N)); [now apply Rmult_le_compat_l|].
          apply Rmult_le_compat_r; lra. }
        cbn [binom]. rewrite plus_INR, <- tech_pow_Rmult. rewrite <- tech_pow_Rmult in Ib. lra.
Qed.

Lemma binom_power n : forall k, (binom n k * fact k <= n ^ k)%nat.
Proof.
  induction n as [|n IH]; intros k; [destruct k; simpl; lia|]. destruct k as [|k]; [simpl; lia|].
  (* C(n+1,k+1)(k+1)! = (k+1) C(n,k) k! + C(n,k+1)(k+1)! <= (k+1) n^k + n^(k+1) <= (n+1)^(k+1). *)
  assert (bernoulli : forall j, (S j * n ^ j + n ^ S j <= S n ^ S j)%nat).
  { induction j as [|j J]; [simpl; lia|].
    assert (grow : (n ^ S j <= S n ^ S j)%nat) by (apply Nat.pow_le_mono_l; lia).
    replace (S n ^ S (S j))%nat with (S n ^ S j + n * S n ^ S j)%nat by (simpl; lia).
    assert (n * (S j * n ^ j + n ^ S j) <= n * S n ^ S j)%nat by (apply Nat.mul_le_mono_l; exact J).
    simpl in *. nia. }
  pose proof (IH k) as A. pose proof (IH (S k)) as B. specialize (bernoulli k). cbn [binom].
  replace ((binom n k + binom n (S k)) * fact (S k))%nat
    with (S k * (binom n k * fact k) + binom n (S k) * fact (S k))%nat by (simpl; lia).
  assert (S k * (binom n k * fact k) <= S k * n ^ k)%nat by (apply Nat.mul_le_mono_l; exact A). lia.
Qed.

Lemma binom_over_power n m k : (0 < m)%nat -> (n <= m)%nat ->
  INR (binom n k) * (/ INR m) ^ k <= / INR (fact k).
Proof.
  intros Hm L. assert (pf : 0 < INR (fact k)) by apply INR_fact_lt_0. apply lt_0_INR in Hm as Pm.
  assert (pm : 0 < INR m ^ k) by now apply pow_lt.
  assert (P : INR (binom n k) * INR (fact k) <= INR m ^ k).
  { rewrite <- mult_INR, <- pow_INR. apply le_INR. eapply Nat.le_trans; [apply binom_power|].
    now apply Nat.pow_le_mono_l. }
  rewrite pow_inv. apply Rmult_le_reg_r with (INR (fact k) * INR m ^ k); [now apply Rmult_lt_0_compat|].
  replace (INR (binom n k) * / INR m ^ k * (INR (fact k) * INR m ^ k)) with (INR (binom n k) * INR (fact k))
    by (field; lra).
  replace (/ INR (fact k) * (INR (fact k) * INR m ^ k)) with (INR m ^ k) by (field; lra). exact P.
Qed.

(** bms22.lem3_1.mult: for n <= m a fixed record occurs more than K times in n draws from m with probability at most
    C(n,K+1)/m^(K+1), and that is at most 1/(K+1)!; m is N + 1. *)
Theorem record_seldom_often N n K i : (n <= S N)%nat ->
  iid (uniform_number N) n (fun s => indicator (K <? uses i n s)%nat) <= INR (binom n (S K)) / INR (S N) ^ S K /\
  INR (binom n (S K)) / INR (S N) ^ S K <= / INR (fact (S K)).
Proof.
  intros L. unfold Rdiv. rewrite <- pow_inv. split; [apply (at_least_bound N i n (S K))|].
  apply binom_over_power; [lia | exact L].
Qed.

(** bms22.lem3_1.mult: no record occurs more than K times, with probability at least 1 - m/(K+1)!. *)
Theorem no_record_often N n K : (n <= S N)%nat ->
  1 - INR (S N) / INR (fact (S K)) <= iid (uniform_number N) n
    (fun s => indicator (forallb (fun i => uses i n s <=? K)%nat (seq 0 (S N)))).
Proof.
  intros L. set (M := iid (uniform_number N) n). set (g := fun s => indicator (forallb _ _)).
  assert (Tg : test g) by apply test_indicator.
  assert (union : forall l, bounded (fun s => sum (fun i => at_least (S K) i n s) l) /\
    M (fun s => sum (fun i => at_least (S K) i n s) l) <= INR (length l) * / INR (fact (S K))).
  { induction l as [|i l [B IH]]; [split; [exact (bounded_const 0) | simpl; rewrite E_const; lra]|]. cbn [sum].
    split; [apply bounded_plus; [apply test_bounded, at_least_test | exact B]|].
    rewrite E_plus by (auto; apply test_bounded, at_least_test).
    change (length (i :: l)) with (S (length l)). rewrite S_INR.
    destruct (record_seldom_often N n K i L) as [H1 H2].
    change (M (at_least (S K) i n) <= INR (binom n (S K)) / INR (S N) ^ S K) in H1. lra. }
  destruct (union (seq 0 (S N))) as [B U]. rewrite seq_length in U.
  assert (cover : 1 <= M (fun s => g s + sum (fun i => at_least (S K) i n s) (seq 0 (S N)))).
  { rewrite <- (E_one M) at 1. apply E_mono; [apply bounded_const | apply bounded_plus; auto using test_bounded|].
    intros s. unfold g. destruct (forallb _ _) eqn:F; cbn [indicator].
    - pose proof (sum_le (fun _ : nat => 0) (fun i => at_least (S K) i n s) (seq 0 (S N))
        (fun i => proj1 (at_least_test (S K) i n s))) as P. rewrite sum_0 in P. lra.
    - assert (some : exists i, In i (seq 0 (S N)) /\ (S K <=? uses i n s)%nat = true).
      { clear - F. induction (seq 0 (S N)) as [|i l IH]; [discriminate|]. cbn [forallb] in F.
        apply andb_false_iff in F as [F | F].
        - exists i. split; [now left|]. apply Nat.leb_gt in F. now apply Nat.leb_le.
        - destruct (IH F) as [j [I H]]. exists j. split; [now right | exact H]. }
      destruct some as [i [I H]].
      pose proof (sum_ge_term (fun i => at_least (S K) i n s) (seq 0 (S N)) i
        (fun i => proj1 (at_least_test (S K) i n s)) I) as P.
      cbv beta in P. unfold at_least at 1 in P. rewrite H in P. simpl indicator in P. lra. }
  rewrite E_plus in cover by auto using test_bounded. unfold Rdiv. lra.
Qed.
