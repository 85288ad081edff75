(** The law of [bernoulli_exp]: true with probability e^-x, x = p/q >= 0.

    For x <= 1 the loop of Bernoulli draws of ExponentialSeries.v; above 1, e^-x = (e^-1)^floor(x) e^-(x - floor(x)):
    all factors must come up true.

    As on the page: all rationals x >= 0, in lowest terms or not.

    Claims: sample.bernoulli-exp.
*)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Samplers Laws ExponentialSeries.
Open Scope R_scope.

Section below_one.
Variables (p q : Z) (Hp : (0 <= p <= q)%Z) (Hq : (0 < q)%Z).
Let x := IZR p / IZR q.

Lemma x01 : 0 <= x <= 1.
Proof. now apply fraction_bounds. Qed.

(** One draw of the loop: Bernoulli(x / (k + 1)). *)
Lemma draw_below G k g : (forall b, 0 <= g b) ->
  expect (bernoulli G p (q * Z.of_nat (S k))) g <= EB (x / INR (S k)) g.
Proof.
  intros Hg. replace (x / INR (S k)) with (IZR p / IZR (q * Z.of_nat (S k))).
  - apply (bernoulli_below p (q * Z.of_nat (S k))); auto; nia.
  - unfold x. rewrite mult_IZR, <- INR_IZR_INZ. field. split; solve [apply not_0_INR; lia | apply not_0_IZR; lia].
Qed.

Lemma loop_below G f : (forall b, 0 <= f b) -> forall F k,
  expect (below_one_loop F G p q (Z.of_nat (S k))) f <=
  ideal true x F (S k) * f true + ideal false x F (S k) * f false.
Proof.
  intros Hf. induction F; intros k; [simpl; lra|]. cbn [below_one_loop]. rewrite expect_bind.
  eapply Rle_trans; [apply draw_below|].
  { intros []; [apply expect_ge0; auto | apply Hf]. }
  unfold EB. cbn [expect ideal]. specialize (IHF (S k)).
  replace (Z.of_nat (S k) + 1)%Z with (Z.of_nat (S (S k))) by lia.
  pose proof (ratio_le1 x k x01) as Hr. set (r := x / INR (S k)) in *.
  apply (Rmult_le_compat_l r) in IHF; [|lra].
  unfold chi. destruct (Z.odd (Z.of_nat (S k))); simpl eqb; cbv iota; lra.
Qed.

Lemma below_one_below : below (fun F => bernoulli_exp_below_one F p q) (EB (exp (- x))).
Proof.
  intros F f Hf. unfold bernoulli_exp_below_one.
  eapply Rle_trans; [apply (loop_below F f Hf F 0)|]. unfold EB.
  pose proof (ideal_true_le x F x01). pose proof (ideal_false_le x F x01).
  specialize (Hf true) as H1. specialize (Hf false). nra.
Qed.

(** From the second draw on, each is true with probability at most 1/2. *)
Lemma loop_undecided G F : forall k,
  undecided (below_one_loop F G p q (Z.of_nat (S (S k)))) <= 2 * (/ 2) ^ G + (/ 2) ^ F.
Proof.
  assert (0 < (/ 2) ^ G) by (apply pow_lt; lra).
  induction F; intros k; [unfold undecided; simpl; lra|]. cbn [below_one_loop]. rewrite undecided_bind.
  assert (U : undecided (bernoulli G p (q * Z.of_nat (S (S k)))) <= (/ 2) ^ G) by (apply bernoulli_undecided; nia).
  eapply Rle_trans; [apply Rplus_le_compat; [apply U | apply draw_below]|].
  { intros []; apply undecided_bounds. }
  unfold EB. specialize (IHF (S k)). replace (Z.of_nat (S (S k)) + 1)%Z with (Z.of_nat (S (S (S k)))) by lia.
  unfold undecided at 2. cbn [expect]. rewrite <- tech_pow_Rmult.
  assert (Hr : 0 <= x / INR (S (S k)) <= / 2).
  { pose proof x01. assert (2 <= INR (S (S k))) by (rewrite !S_INR; pose proof (pos_INR k); lra). split.
    - apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
    - apply Rmult_le_reg_r with (INR (S (S k))); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  set (rest := undecided (below_one_loop F G p q (Z.of_nat (S (S (S k)))))) in *.
  assert (0 <= rest) by apply undecided_bounds.
  assert (x / INR (S (S k)) * rest <= / 2 * (2 * (/ 2) ^ G + (/ 2) ^ F)) by (apply Rmult_le_compat; lra).
  lra.
Qed.

Lemma below_one_undecided F : undecided (bernoulli_exp_below_one F p q) <= 5 * (/ 2) ^ F.
Proof.
  unfold bernoulli_exp_below_one. destruct F; [unfold undecided; simpl; lra|].
  set (G := S F). unfold G at 1. cbn [below_one_loop]. rewrite undecided_bind.
  assert (U : undecided (bernoulli G p (q * Z.of_nat 1)) <= (/ 2) ^ G) by (apply bernoulli_undecided; nia).
  eapply Rle_trans; [apply Rplus_le_compat; [apply U | apply (draw_below G 0)]|].
  { intros []; apply undecided_bounds. }
  unfold EB. pose proof (loop_undecided G F 0) as L. change (1 + 1)%Z with (Z.of_nat 2).
  unfold undecided at 2. cbn [expect].
  pose proof (ratio_le1 x 0 x01) as Hr. set (rest := undecided (below_one_loop F G p q (Z.of_nat 2))) in *.
  assert (0 <= rest) by apply undecided_bounds.
  assert (x / INR 1 * rest <= 1 * (2 * (/ 2) ^ G + (/ 2) ^ F)) by (apply Rmult_le_compat; lra).
  replace ((/ 2) ^ F) with (2 * (/ 2) ^ G) in * by (unfold G; simpl; lra). lra.
Qed.
End below_one.

Lemma exp_le_1 y : 0 <= y -> 0 < exp (- y) <= 1.
Proof.
  intros H. split; [apply exp_pos|]. rewrite <- exp_0.
  destruct H; [left; apply exp_increasing; lra | subst; rewrite Ropp_0; lra].
Qed.

(** 1 - 1 + 1/2 - 1/6 + 1/24 - 1/120 = 11/30 <= e^-1, and 2 <= e *)
Lemma exp_minus_one : 11 / 30 <= exp (- (1)) <= / 2.
Proof.
  split.
  - pose proof (ideal_true_le 1 (2 * 2 + 1) ltac:(lra)) as H. rewrite ideal_odd in H.
    unfold sum_f_R0, stop_at in H. simpl in H. lra.
  - rewrite exp_Ropp. apply Rinv_le_contravar; [lra|]. pose proof (exp_ineq1 1 ltac:(lra)). lra.
Qed.

(** * Above 1. *)

Lemma whole_below rest q w : (0 <= rest < q)%Z ->
  below (fun F => exp_whole F w rest q) (EB (exp (- (INR w + IZR rest / IZR q)))).
Proof.
  intros H. assert (Hq : 0 < IZR q) by (apply IZR_lt; lia).
  induction w; intros F f Hf.
  - simpl INR. rewrite Rplus_0_l. apply below_one_below; auto; lia.
  - cbn [exp_whole]. rewrite expect_bind. specialize (IHw F f Hf).
    eapply Rle_trans; [apply (below_one_below 1 1 ltac:(lia) ltac:(lia))|].
    { intros []; [apply expect_ge0; auto | apply Hf]. }
    rewrite S_INR. replace (- (INR w + 1 + IZR rest / IZR q)) with (- (1 / 1) + - (INR w + IZR rest / IZR q)) by lra.
    rewrite exp_plus. unfold EB in *. cbn [expect]. pose proof (exp_pos (- (1 / 1))). nra.
Qed.

(** Each further factor is asked for with probability at most 1/2. *)
Lemma whole_undecided rest q w F : (0 <= rest < q)%Z -> undecided (exp_whole F w rest q) <= 10 * (/ 2) ^ F.
Proof.
  intros H. assert (0 < (/ 2) ^ F) by (apply pow_lt; lra). induction w; cbn [exp_whole].
  - pose proof (below_one_undecided rest q ltac:(lia) ltac:(lia) F). lra.
  - rewrite undecided_bind. pose proof (below_one_undecided 1 1 ltac:(lia) ltac:(lia) F) as U.
    eapply Rle_trans; [apply Rplus_le_compat; [apply U | apply (below_one_below 1 1 ltac:(lia) ltac:(lia))]|].
    { intros []; apply undecided_bounds. }
    unfold EB. unfold undecided at 2. cbn [expect]. pose proof exp_minus_one.
    replace (- (1 / 1)) with (- (1)) by lra. pose proof (undecided_bounds (exp_whole F w rest q)). nra.
Qed.

Lemma whole_and_rest p q : (0 <= p)%Z -> (0 < q)%Z ->
  INR (Z.to_nat (p / q)) + IZR (p mod q) / IZR q = IZR p / IZR q.
Proof.
  intros Hp Hq. rewrite INR_IZR_INZ, Z2Nat.id by (apply Z.div_pos; lia).
  rewrite (Z.div_mod p q) at 3 by lia. rewrite plus_IZR, mult_IZR. field. apply not_0_IZR; lia.
Qed.

Lemma bernoulli_exp_below p q : (0 <= p)%Z -> (0 < q)%Z ->
  below (fun F => bernoulli_exp F p q) (EB (exp (- (IZR p / IZR q)))).
Proof.
  intros Hp Hq F f Hf. unfold bernoulli_exp. destruct (Z.leb_spec p q).
  - apply (below_one_below p q); auto.
  - rewrite <- whole_and_rest by auto. apply (whole_below (p mod q) q); auto. apply Z.mod_pos_bound; auto.
Qed.

(** sample.bernoulli-exp: with fuel F, what is undecided is at most 10 * 2^-F, whatever x. *)
Theorem bernoulli_exp_undecided p q F : (0 <= p)%Z -> (0 < q)%Z -> undecided (bernoulli_exp F p q) <= 10 * (/ 2) ^ F.
Proof.
  intros Hp Hq. unfold bernoulli_exp. destruct (Z.leb_spec p q).
  - pose proof (below_one_undecided p q ltac:(lia) Hq F). assert (0 < (/ 2) ^ F) by (apply pow_lt; lra). lra.
  - apply whole_undecided. apply Z.mod_pos_bound; auto.
Qed.

Lemma bernoulli_exp_undecided_up_to_one p q F : (0 <= p <= q)%Z -> (0 < q)%Z ->
  undecided (bernoulli_exp F p q) <= 5 * (/ 2) ^ F.
Proof.
  intros Hp Hq. unfold bernoulli_exp. destruct (Z.leb_spec p q); [|lia]. now apply below_one_undecided.
Qed.

(** A weaker bound, with the number of factors. *)
Lemma bernoulli_exp_undecided_by_factors p q F : (0 <= p)%Z -> (0 < q)%Z ->
  undecided (bernoulli_exp F p q) <= (INR (Z.to_nat (p / q)) + 1) * 5 * (/ 2) ^ F.
Proof.
  intros Hp Hq. assert (0 < (/ 2) ^ F) by (apply pow_lt; lra). destruct (Z.to_nat (p / q)) as [|w] eqn:E.
  - assert (p / q = 0)%Z by (pose proof (Z.div_pos p q Hp Hq); lia).
    pose proof (Z.div_mod p q ltac:(lia)). pose proof (Z.mod_pos_bound p q Hq).
    pose proof (bernoulli_exp_undecided_up_to_one p q F ltac:(lia) Hq). simpl INR. lra.
  - pose proof (bernoulli_exp_undecided p q F Hp Hq). rewrite S_INR. pose proof (pos_INR w). nra.
Qed.

Lemma bernoulli_exp_decided p q : (0 <= p)%Z -> (0 < q)%Z -> decided (fun F => bernoulli_exp F p q).
Proof.
  intros Hp Hq. apply decided_rate with (c := 10) (r := / 2); [lra|]. intros F. now apply bernoulli_exp_undecided.
Qed.

(** sample.bernoulli-exp: for every rational x = p/q >= 0, bernoulli_exp(x) is true with probability e^-x. *)
Theorem bernoulli_exp_law (p q : Z) : (0 <= p)%Z -> (0 < q)%Z ->
  let x := IZR p / IZR q in
  has_law bool_dec (fun fuel => bernoulli_exp fuel p q) (fun result => if result then exp (- x) else 1 - exp (- x)).
Proof.
  intros Hp Hq x. apply has_law_ext with (probability := fun b => EB (exp (- x)) (equals bool_dec b)).
  - apply EB_equals.
  - apply has_law_of_mean; [now apply bernoulli_exp_below | apply mean_EB | now apply bernoulli_exp_decided].
Qed.
