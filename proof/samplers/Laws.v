(* The laws of the samplers of Samplers.v. *)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Samplers. Import ListNotations.
Open Scope R_scope.

(* 1. What a law is. E is the claimed expected value. *)
Definition below {A} (s : nat -> tree A) (E : (A -> R) -> R) :=
  forall F f, (forall a, 0 <= f a) -> expect (s F) f <= E f.
Definition mean {A} (E : (A -> R) -> R) := E (fun _ => 1) = 1 /\
  (forall f g, (forall a, f a = g a) -> E f = E g) /\ (forall f g, E (fun a => f a + g a) = E f + E g).
Definition decided {A} (s : nat -> tree A) := Un_cv (fun F => undecided (s F)) 0.

Theorem sandwich {A} (s : nat -> tree A) E : below s E -> mean E -> forall F f, (forall a, 0 <= f a <= 1) ->
  expect (s F) f <= E f <= expect (s F) f + undecided (s F).
Proof.
  intros B (E1 & Ee & Ep) F f Hf. split; [apply B; intros; apply Hf|].
  assert (H : expect (s F) (fun a => 1 - f a) <= E (fun a => 1 - f a)) by (apply B; intros a; specialize (Hf a); lra).
  rewrite expect_minus in H. pose proof (Ep f (fun a => 1 - f a)) as P.
  cbv beta in P. rewrite (Ee (fun a => f a + (1 - f a)) (fun _ => 1)), E1 in P by (intros; lra). unfold undecided. lra.
Qed.
Theorem law_limit {A} (s : nat -> tree A) E : below s E -> mean E -> decided s -> forall f, (forall a, 0 <= f a <= 1) ->
  Un_cv (fun F => expect (s F) f) (E f).
Proof.
  intros B M D f Hf eps He. destruct (D eps He) as [N HN]. exists N. intros n Hn.
  specialize (HN n Hn). pose proof (sandwich s E B M n f Hf). pose proof (undecided_bounds (s n)).
  unfold R_dist in *. rewrite Rminus_0_r, Rabs_pos_eq in HN by lra. apply Rabs_def1; lra.
Qed.
(* On tapes: what the accepting tapes of n bits weigh never exceeds it, and comes as close as one likes. *)
Lemma mass_le {A} n (t : tree A) f : (forall a, 0 <= f a) -> mass n t f <= expect t f.
Proof.
  intros Hf. rewrite mass_cut. revert n. induction t; intros n; destruct n; simpl; try lra.
  - pose proof (expect_ge0 (k false) f Hf). pose proof (expect_ge0 (k true) f Hf). lra.
  - specialize (H false n) as H0. specialize (H true n). lra.
Qed.
Lemma mass_eventually {A} (t : tree A) f : exists n0, forall n, (n >= n0)%nat -> mass n t f = expect t f.
Proof.
  enough (exists n0, forall n, (n >= n0)%nat -> expect (cut n t) f = expect t f) as [m Hm] by (exists m; intros; rewrite mass_cut; auto).
  induction t; try (exists O; intros n; destruct n; reflexivity).
  destruct (H false) as [a Ha], (H true) as [b Hb]. exists (S (a + b)). intros n Hn.
  destruct n; [lia|]. simpl. rewrite Ha, Hb by lia. reflexivity.
Qed.
Theorem law_tapes {A} (s : nat -> tree A) E : below s E -> mean E -> decided s -> forall f, (forall a, 0 <= f a <= 1) ->
  (forall F n, mass n (s F) f <= E f) /\
  (forall eps, eps > 0 -> exists F0, forall F, (F >= F0)%nat -> exists n0, forall n, (n >= n0)%nat -> E f - eps < mass n (s F) f).
Proof.
  intros B M D f Hf. assert (Hp : forall a, 0 <= f a) by apply Hf. split.
  - intros F n. eapply Rle_trans; [apply mass_le; auto | apply B; auto].
  - intros eps He. destruct (D eps He) as [N HN]. exists N. intros F HF.
    destruct (mass_eventually (s F) f) as [n0 Hn]. exists n0. intros n Hn'. rewrite Hn by auto.
    specialize (HN F HF). pose proof (sandwich s E B M F f Hf). pose proof (undecided_bounds (s F)).
    unfold R_dist in HN. rewrite Rminus_0_r, Rabs_pos_eq in HN by lra. lra.
Qed.
Lemma decided_rate {A} (s : nat -> tree A) c r : 0 <= r < 1 -> (forall F, undecided (s F) <= c * r ^ F) -> decided s.
Proof.
  intros Hr H eps He. assert (0 < Rabs c + 1) by (pose proof (Rabs_pos c); lra).
  destruct (pow_lt_1_zero r) with (y := eps / (Rabs c + 1)) as [N HN]; [rewrite Rabs_pos_eq; lra | apply Rdiv_lt_0_compat; lra|].
  exists N. intros n Hn. specialize (HN n Hn). specialize (H n). pose proof (undecided_bounds (s n)).
  assert (P : 0 <= r ^ n) by (apply pow_le; lra). rewrite Rabs_pos_eq in HN by auto.
  unfold R_dist. rewrite Rminus_0_r, Rabs_pos_eq by lra.
  apply (Rmult_lt_compat_l (Rabs c + 1)) in HN; [|lra]. replace ((Rabs c + 1) * (eps / (Rabs c + 1))) with eps in HN by (field; lra).
  pose proof (Rle_abs c). nra.
Qed.

Lemma undecided_bind {A B} (t : tree A) (k : A -> tree B) : undecided (bind t k) = undecided t + expect t (fun a => undecided (k a)).
Proof. unfold undecided. rewrite expect_bind, (expect_minus t (fun _ => 1)). lra. Qed.

(* 2. Bernoulli(p/q). *)
Definition EB (p : R) (f : bool -> R) := p * f true + (1 - p) * f false.
Lemma mean_EB p : mean (EB p).
Proof. unfold mean, EB. repeat split; intros; rewrite ?H; lra. Qed.
Lemma EB_nonneg p f : 0 <= p <= 1 -> (forall b, 0 <= f b) -> 0 <= EB p f.
Proof. intros H Hf. unfold EB. specialize (Hf true) as H1; specialize (Hf false). nra. Qed.

Lemma bernoulli_loop_below F : forall r q f, (0 <= r < q)%Z -> (forall b, 0 <= f b) ->
  expect (bernoulli_loop F r q) f <= EB (IZR r / IZR q) f.
Proof.
  induction F; intros r q f Hr Hf.
  - assert (0 < IZR q) by (apply IZR_lt; lia). assert (0 <= IZR r <= IZR q) by (split; apply IZR_le; lia).
    apply EB_nonneg; auto. split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]|].
    apply Rmult_le_reg_r with (IZR q); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - cbn [bernoulli_loop]. destruct (Z.eqb_spec r 0) as [->|Hn].
    + unfold EB. simpl. unfold Rdiv. rewrite Rmult_0_l. lra.
    + assert (0 < IZR q) by (apply IZR_lt; lia).
      destruct (Z.leb_spec q (2 * r)); cbn [expect eqb].
      * specialize (IHF (2 * r - q)%Z q f ltac:(lia) Hf). rewrite minus_IZR, mult_IZR in IHF. unfold EB in *.
        replace (IZR r / IZR q) with ((1 + (IZR 2 * IZR r - IZR q) / IZR q) / 2) by (field; lra). lra.
      * specialize (IHF (2 * r)%Z q f ltac:(lia) Hf). rewrite mult_IZR in IHF. unfold EB in *.
        replace (IZR r / IZR q) with (((IZR 2 * IZR r) / IZR q) / 2) by (field; lra). lra.
Qed.
Lemma bernoulli_loop_und F : forall r q, (0 <= r < q)%Z -> undecided (bernoulli_loop F r q) <= (/ 2) ^ F.
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
Lemma bernoulli_und p q F : (0 <= p <= q)%Z -> (0 < q)%Z -> undecided (bernoulli F p q) <= (/ 2) ^ F.
Proof.
  intros Hp Hq. unfold bernoulli. destruct (Z.eqb_spec p q) as [->|].
  - unfold undecided; simpl. assert (0 < (/ 2) ^ F) by (apply pow_lt; lra). lra.
  - apply bernoulli_loop_und; lia.
Qed.
(* claim sample.bernoulli *)
Theorem bernoulli_law p q : (0 <= p <= q)%Z -> (0 < q)%Z -> forall f, (forall a, 0 <= f a <= 1) ->
  (forall F n, mass n (bernoulli F p q) f <= EB (IZR p / IZR q) f) /\
  (forall eps, eps > 0 -> exists F0, forall F, (F >= F0)%nat -> exists n0, forall n, (n >= n0)%nat -> EB (IZR p / IZR q) f - eps < mass n (bernoulli F p q) f).
Proof.
  intros Hp Hq. apply (law_tapes (fun F => bernoulli F p q)); [now apply bernoulli_below | apply mean_EB|].
  apply decided_rate with (c := 1) (r := / 2); [lra|]. intros F. rewrite Rmult_1_l. now apply bernoulli_und.
Qed.

(* 3. Rejection. *)
Lemma attempts_below {A} (t : tree (option A)) E a : 0 <= a <= 1 -> (forall f, (forall x, 0 <= f x) -> 0 <= E f) ->
  (forall g, (forall o, 0 <= g o) -> expect t g <= a * E (fun x => g (Some x)) + (1 - a) * g None) ->
  forall F f, (forall x, 0 <= f x) -> expect (attempts F t) f <= E f.
Proof.
  intros Ha HE H F f Hf. induction F; simpl; [auto|]. rewrite expect_bind.
  eapply Rle_trans; [apply H|]; simpl.
  - intros [x|]; simpl; auto. apply expect_ge0; auto.
  - assert ((1 - a) * expect (attempts F t) f <= (1 - a) * E f) by (apply Rmult_le_compat_l; lra).
    change (E (fun x => f x)) with (E f). lra.
Qed.
Lemma attempts_und {A} (t : tree (option A)) a u : 0 < a <= 1 -> undecided t <= u ->
  expect t (fun o => match o with Some _ => 0 | None => 1 end) <= 1 - a ->
  forall F, undecided (attempts F t) <= (1 - a) ^ F + u / a.
Proof.
  intros Ha Hu Hn F. pose proof (undecided_bounds t). assert (0 <= u / a) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  induction F; simpl; [unfold undecided; simpl; lra|]. rewrite undecided_bind.
  rewrite (expect_ext t _ (fun o => undecided (attempts F t) * match o with Some _ => 0 | None => 1 end)) by (intros [x|]; unfold undecided; simpl; lra).
  rewrite expect_scal. pose proof (undecided_bounds (attempts F t)).
  assert (undecided (attempts F t) * expect t (fun o => match o with Some _ => 0 | None => 1 end) <= ((1 - a) ^ F + u / a) * (1 - a)).
  { apply Rmult_le_compat; auto; try lra. apply expect_ge0. intros [x|]; lra. }
  replace ((1 - a) * (1 - a) ^ F + u / a) with (((1 - a) ^ F + u / a) * (1 - a) + u) by (field; lra). lra.
Qed.

(* 4. Uniform below n. *)
Fixpoint sumn (n : nat) (f : Z -> R) : R := match n with O => 0 | S m => sumn m f + f (Z.of_nat m) end.
Lemma sumn_ext n f g : (forall i, (0 <= i < Z.of_nat n)%Z -> f i = g i) -> sumn n f = sumn n g.
Proof. induction n; intros H; simpl; auto. rewrite IHn, H; auto; intros; try apply H; lia. Qed.
Lemma sumn_plus n f g : sumn n (fun i => f i + g i) = sumn n f + sumn n g.
Proof. induction n; simpl; [lra|]. rewrite IHn. lra. Qed.
Lemma sumn_const n c : sumn n (fun _ => c) = INR n * c.
Proof. induction n; [simpl; lra|]. rewrite S_INR. simpl. rewrite IHn. lra. Qed.
Lemma sumn_ge0 n f : (forall i, (0 <= i < Z.of_nat n)%Z -> 0 <= f i) -> 0 <= sumn n f.
Proof. induction n; intros H; simpl; [lra|]. assert (0 <= sumn n f) by (apply IHn; intros; apply H; lia). specialize (H (Z.of_nat n) ltac:(lia)). lra. Qed.
Lemma sumn_app m n f : sumn (m + n) f = sumn m f + sumn n (fun i => f (Z.of_nat m + i)%Z).
Proof. induction n; simpl; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r. simpl. rewrite IHn. rewrite Nat2Z.inj_add. lra. Qed.
Lemma bits_wp w : forall acc f, expect (bits w acc) f = sumn (2 ^ w) (fun i => f (acc * 2 ^ Z.of_nat w + i)%Z) / 2 ^ w.
Proof.
  induction w; intros acc f.
  - simpl. replace (acc * 1 + 0)%Z with acc by lia. lra.
  - cbn [bits expect]. rewrite !IHw. rewrite (Nat.pow_succ_r' 2 w), (Nat.mul_comm 2). 
    replace (2 ^ w * 2)%nat with (2 ^ w + 2 ^ w)%nat by lia. rewrite sumn_app.
    rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
    assert (P : 2 ^ w <> 0) by (apply pow_nonzero; lra). change (2 ^ S w) with (2 * 2 ^ w).
    rewrite (sumn_ext _ (fun i => f ((2 * acc + Z.b2z false) * 2 ^ Z.of_nat w + i)%Z) (fun i => f (acc * (2 * 2 ^ Z.of_nat w) + i)%Z)) by (intros; apply (f_equal f); change (Z.b2z false) with 0%Z; ring).
    rewrite (sumn_ext _ (fun i => f ((2 * acc + Z.b2z true) * 2 ^ Z.of_nat w + i)%Z) (fun i => f (acc * (2 * 2 ^ Z.of_nat w) + (Z.of_nat (2 ^ w) + i))%Z)).
    2:{ intros i _. apply (f_equal f). rewrite Nat2Z.inj_pow. change (Z.b2z true) with 1%Z. change (Z.of_nat 2) with 2%Z. ring. }
    field. auto.
Qed.
Lemma width_spec n : (0 < n)%Z -> (n <= 2 ^ Z.of_nat (width n) < 2 * n)%Z.
Proof.
  intros H. unfold width. rewrite Z2Nat.id by apply Z.log2_up_nonneg.
  destruct (Z.eq_dec n 1) as [->|]; [simpl; lia|]. pose proof (Z.log2_up_spec n ltac:(lia)) as [H1 H2].
  split; auto. replace (Z.log2_up n) with (Z.succ (Z.pred (Z.log2_up n))) by lia.
  rewrite Z.pow_succ_r; [lia|]. pose proof (Z.log2_up_pos n ltac:(lia)). lia.
Qed.
Definition EU (n : Z) (f : Z -> R) := sumn (Z.to_nat n) f / IZR n.
Lemma mean_EU n : (0 < n)%Z -> mean (EU n).
Proof.
  intros H. assert (0 < IZR n) by (apply IZR_lt; lia). unfold mean, EU. repeat split.
  - rewrite sumn_const, INR_IZR_INZ, Z2Nat.id by lia. field. lra.
  - intros. f_equal. apply sumn_ext; auto.
  - intros. rewrite sumn_plus. field. lra.
Qed.
Lemma EU_ge0 n f : (0 < n)%Z -> (forall i, (0 <= i < n)%Z -> 0 <= f i) -> 0 <= EU n f.
Proof. intros H Hf. unfold EU. apply Rmult_le_pos; [apply sumn_ge0; intros; apply Hf; lia | left; apply Rinv_0_lt_compat, IZR_lt; lia]. Qed.
(* claim sample.uniform-below, one attempt: exactly *)
Theorem uniform_attempt n g : (0 < n)%Z -> let a := IZR n / 2 ^ width n in
  / 2 < a <= 1 /\ expect (uniform_below_attempt n) g = a * EU n (fun x => g (Some x)) + (1 - a) * g None.
Proof.
  intros H a. pose proof (width_spec n H) as [W1 W2]. assert (0 < IZR n) by (apply IZR_lt; lia).
  assert (P : IZR (2 ^ Z.of_nat (width n)) = 2 ^ width n) by (rewrite <- pow_IZR; reflexivity).
  assert (Q : 0 < 2 ^ width n) by (apply pow_lt; lra).
  apply IZR_le in W1. apply IZR_lt in W2. rewrite mult_IZR in W2. rewrite P in W1, W2. split; [split|].
  - apply Rmult_lt_reg_r with (2 ^ width n); auto. unfold a, Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - apply Rmult_le_reg_r with (2 ^ width n); auto. unfold a, Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - unfold uniform_below_attempt. rewrite expect_bind. cbn [expect]. rewrite bits_wp.
    assert (L : (2 ^ width n = Z.to_nat n + (2 ^ width n - Z.to_nat n))%nat).
    { assert (IZR n <= IZR (2 ^ Z.of_nat (width n))) by lra. apply le_IZR in H1. 
      assert (Z.of_nat (2 ^ width n) = (2 ^ Z.of_nat (width n))%Z) by (rewrite Nat2Z.inj_pow; reflexivity). lia. }
    set (m := (2 ^ width n)%nat) in *. rewrite L, sumn_app.
    rewrite (sumn_ext (Z.to_nat n) _ (fun x => g (Some x))).
    2:{ intros i Hi. replace (0 * 2 ^ Z.of_nat (width n) + i)%Z with i by lia. destruct (Z.ltb_spec i n); auto; lia. }
    rewrite (sumn_ext (m - Z.to_nat n) _ (fun _ => g None)).
    2:{ intros i Hi. destruct (Z.ltb_spec (0 * 2 ^ Z.of_nat (width n) + (Z.of_nat (Z.to_nat n) + i)) n); auto; lia. }
    rewrite sumn_const, minus_INR by lia. unfold m. rewrite pow_INR. simpl (INR 2).
    rewrite (INR_IZR_INZ (Z.to_nat n)), Z2Nat.id by lia. unfold EU, a. replace (1 + 1) with 2 by lra. field. lra.
Qed.
Lemma uniform_below_below n : (0 < n)%Z -> below (fun F => uniform_below F n) (EU n).
Proof.
  intros H F f Hf. destruct (uniform_attempt n (fun _ => 0) H) as [Ha _].
  apply attempts_below with (a := IZR n / 2 ^ width n); auto; [lra | intros; apply EU_ge0; auto|].
  intros g _. destruct (uniform_attempt n g H) as [_ ->]. lra.
Qed.
Lemma uniform_und n F : (0 < n)%Z -> undecided (uniform_below F n) <= (/ 2) ^ F.
Proof.
  intros H. destruct (uniform_attempt n (fun _ => 1) H) as [Ha E1].
  destruct (uniform_attempt n (fun o => match o with Some _ => 0 | None => 1 end) H) as [_ E0].
  destruct (mean_EU n H) as (M1 & M2 & _). set (a := IZR n / 2 ^ width n) in *.
  assert (Z0 : EU n (fun _ => 0) = 0) by (unfold EU; rewrite sumn_const; unfold Rdiv; ring).
  assert (U : undecided (uniform_below_attempt n) <= 0) by (unfold undecided; rewrite E1, M1; lra).
  pose proof (attempts_und (uniform_below_attempt n) a 0 ltac:(lra) U ltac:(rewrite E0, Z0; lra) F) as A.
  unfold uniform_below. eapply Rle_trans; [apply A|]. unfold Rdiv. rewrite Rmult_0_l, Rplus_0_r.
  apply pow_incr. lra.
Qed.
(* claim sample.uniform-below *)
Theorem uniform_below_law n : (0 < n)%Z -> forall f, (forall a, 0 <= f a <= 1) ->
  (forall F m, mass m (uniform_below F n) f <= EU n f) /\
  (forall eps, eps > 0 -> exists F0, forall F, (F >= F0)%nat -> exists m0, forall m, (m >= m0)%nat -> EU n f - eps < mass m (uniform_below F n) f).
Proof.
  intros H. apply (law_tapes (fun F => uniform_below F n)); [now apply uniform_below_below | now apply mean_EU|].
  apply decided_rate with (c := 1) (r := / 2); [lra|]. intros F. rewrite Rmult_1_l. now apply uniform_und.
Qed.
