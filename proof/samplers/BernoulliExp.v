(* bernoulli_exp has probability exactly exp(-x). *)
Require Import ZArith Reals Lra Lia List Bool Factorial.
From DpAssay Require Import Trees Samplers Laws.
Open Scope R_scope.

(* 1. The series (CKS20, Algorithm 1). *)
Fixpoint all_true (x : R) (j : nat) : R := match j with O => 1 | S i => all_true x i * (x / INR (S i)) end.
Definition stop_at (x : R) (k : nat) : R := all_true x k * (1 - x / INR (S k)).
Lemma all_true_eq x j : all_true x j = / INR (fact j) * x ^ j.
Proof. induction j; [simpl; lra|].
  change (all_true x (S j)) with (all_true x j * (x / INR (S j))). rewrite IHj.
  rewrite fact_simpl, mult_INR. simpl pow. field. split; apply not_0_INR; [|lia]. apply fact_neq_0. Qed.
Lemma stop_eq x k : stop_at x k = all_true x k - all_true x (S k).
Proof. unfold stop_at. change (all_true x (S k)) with (all_true x k * (x / INR (S k))). lra. Qed.
Lemma partial x n : sum_f_R0 (fun i => stop_at x (2*i)) n = sum_f_R0 (fun i => / INR (fact i) * (-x) ^ i) (2*n+1).
Proof. induction n.
  - replace (2*0+1)%nat with (S 0) by reflexivity. rewrite tech5. unfold sum_f_R0. rewrite stop_eq, !all_true_eq.
    replace (2*0)%nat with O by reflexivity. simpl. lra.
  - replace (2 * S n + 1)%nat with (S (S (2*n+1))) by lia.
    rewrite (tech5 (fun i => stop_at x (2*i))), IHn, (tech5 _ (S (2*n+1))), (tech5 _ (2*n+1)), stop_eq, !all_true_eq.
    replace (S (2*n+1)) with (2 * S n)%nat by lia.
    replace ((-x) ^ (2 * S n)) with (x ^ (2 * S n)) by (rewrite !pow_mult; f_equal; simpl; lra).
    replace ((-x) ^ S (2 * S n)) with (- x ^ S (2 * S n)).
    2:{ rewrite <- !tech_pow_Rmult. replace ((-x) ^ (2 * S n)) with (x ^ (2 * S n)) by (rewrite !pow_mult; f_equal; simpl; lra). lra. }
    lra. Qed.
Theorem series x : Un_cv (fun n => sum_f_R0 (fun i => stop_at x (2*i)) n) (exp (-x)).
Proof. unfold exp. destruct (exist_exp (-x)) as [l Hl]; simpl.
  intros eps He. destruct (Hl eps He) as [N HN]. exists N. intros n Hn. rewrite partial. apply HN. lia. Qed.

(* 2. The loop over exact Bernoulli draws, cut off after F of them. *)
Definition chi (b : bool) (k : nat) : R := if eqb (Z.odd (Z.of_nat k)) b then 1 else 0.
Fixpoint ideal (b : bool) x F k : R := match F with O => 0
  | S G => x / INR k * ideal b x G (S k) + (1 - x / INR k) * chi b k end.
Fixpoint sm F (g : nat -> R) := match F with O => 0 | S G => sm G g + g G end.
Lemma sm_shift F g : sm (S F) g = g O + sm F (fun i => g (S i)).
Proof. induction F; [simpl; lra|]. change (sm (S (S F)) g) with (sm (S F) g + g (S F)). rewrite IHF. simpl. lra. Qed.
Lemma sm_ext F g h : (forall i, g i = h i) -> sm F g = sm F h.
Proof. intros E; induction F; simpl; auto. now rewrite IHF, E. Qed.
Lemma ideal_sum b x F : forall k, all_true x k * ideal b x F (S k) = sm F (fun i => chi b (S (k + i)) * stop_at x (k + i)).
Proof.
  induction F; intros k; [simpl; lra|]. rewrite sm_shift. rewrite Nat.add_0_r.
  rewrite (sm_ext F _ (fun i => chi b (S (S k + i)) * stop_at x (S k + i))) by (intros i; now rewrite Nat.add_succ_r).
  rewrite <- IHF. change (all_true x (S k)) with (all_true x k * (x / INR (S k))). unfold stop_at. cbn [ideal]. lra.
Qed.
Lemma ideal_1 b x F : ideal b x F 1 = sm F (fun i => chi b (S i) * stop_at x i).
Proof. pose proof (ideal_sum b x F 0) as H. simpl all_true in H. rewrite Rmult_1_l in H. exact H. Qed.
Lemma all_true_pos x k : 0 <= x -> 0 <= all_true x k.
Proof. intros H. rewrite all_true_eq. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, INR_fact_lt_0 | now apply pow_le]. Qed.
Lemma ratio_le1 x k : 0 <= x <= 1 -> 0 <= x / INR (S k) <= 1.
Proof.
  intros H. assert (1 <= INR (S k)) by (rewrite S_INR; pose proof (pos_INR k); lra). split.
  - apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
  - apply Rmult_le_reg_r with (INR (S k)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma stop_pos x k : 0 <= x <= 1 -> 0 <= stop_at x k.
Proof. intros H. apply Rmult_le_pos; [apply all_true_pos; lra | pose proof (ratio_le1 x k H); lra]. Qed.
Lemma chi_bounds b k : 0 <= chi b k <= 1.
Proof. unfold chi; destruct (eqb _ b); lra. Qed.
Lemma ideal_grows b x F G : 0 <= x <= 1 -> (F <= G)%nat -> ideal b x F 1 <= ideal b x G 1.
Proof.
  intros Hx H. rewrite !ideal_1. induction H; [lra|]. simpl.
  pose proof (stop_pos x m Hx). pose proof (chi_bounds b (S m)). nra.
Qed.
Lemma ideal_both x F : 0 <= x <= 1 -> ideal true x F 1 + ideal false x F 1 = 1 - all_true x F.
Proof.
  intros Hx. rewrite !ideal_1. induction F; [simpl; lra|]. cbn [sm]. rewrite stop_eq.
  assert (chi true (S F) + chi false (S F) = 1) by (unfold chi; destruct (Z.odd _); simpl; lra). nra.
Qed.
Lemma odd_at n : Z.odd (Z.of_nat (S (2 * n))) = true /\ Z.odd (Z.of_nat (S (S (2 * n)))) = false.
Proof. rewrite !Nat2Z.inj_succ, Nat2Z.inj_mul. rewrite !Z.odd_succ, Z.even_succ. change (Z.of_nat 2) with 2%Z. rewrite Z.even_mul, Z.odd_mul. auto. Qed.
Lemma ideal_odd x n : ideal true x (2 * n + 1) 1 = sum_f_R0 (fun i => stop_at x (2 * i)) n.
Proof.
  rewrite ideal_1. induction n.
  - simpl. change (chi true 1) with 1. lra.
  - replace (2 * S n + 1)%nat with (S (S (2 * n + 1))) by lia. rewrite tech5. cbn [sm]. rewrite IHn.
    replace (2 * n + 1)%nat with (S (2 * n)) by lia. destruct (odd_at n) as [_ E]. destruct (odd_at (S n)) as [E' _].
    replace (S (2 * S n)) with (S (S (S (2 * n)))) in E' by lia.
    unfold chi. rewrite E, E'. simpl eqb. cbv iota. replace (2 * S n)%nat with (S (S (2 * n))) by lia. lra.
Qed.
Lemma ideal_true_le x F : 0 <= x <= 1 -> ideal true x F 1 <= exp (-x).
Proof.
  intros Hx. apply Rle_trans with (ideal true x (2 * F + 1) 1); [apply ideal_grows; auto; lia|].
  rewrite ideal_odd. apply (growing_ineq (fun n => sum_f_R0 (fun i => stop_at x (2*i)) n)); [|apply series].
  intros n. rewrite tech5. pose proof (stop_pos x (2 * S n) Hx). lra.
Qed.
Lemma ideal_false_le x F : 0 <= x <= 1 -> ideal false x F 1 <= 1 - exp (-x).
Proof.
  intros Hx. apply Rnot_lt_le. intros H. destruct (series x (ideal false x F 1 - (1 - exp (-x)))) as [N HN]; [lra|].
  specialize (HN (N + F)%nat ltac:(lia)). rewrite <- ideal_odd in HN. unfold R_dist in HN. apply Rabs_def2 in HN.
  pose proof (ideal_both x (2 * (N + F) + 1) Hx). pose proof (all_true_pos x (2 * (N + F) + 1) ltac:(lra)).
  pose proof (ideal_grows false x F (2 * (N + F) + 1) Hx ltac:(lia)). lra.
Qed.

(* 3. The sampler. *)
Section one.
Variables (p q : Z) (Hp : (0 <= p <= q)%Z) (Hq : (0 < q)%Z).
Let x := IZR p / IZR q.
Lemma x01 : 0 <= x <= 1.
Proof.
  assert (0 < IZR q) by (apply IZR_lt; lia). assert (0 <= IZR p <= IZR q) by (split; apply IZR_le; lia). unfold x. split.
  - apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
  - apply Rmult_le_reg_r with (IZR q); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma draw_below G k g : (forall b, 0 <= g b) -> expect (bernoulli G p (q * Z.of_nat (S k))) g <= EB (x / INR (S k)) g.
Proof.
  intros Hg. replace (x / INR (S k)) with (IZR p / IZR (q * Z.of_nat (S k))).
  - apply (bernoulli_below p (q * Z.of_nat (S k))); auto; nia.
  - unfold x. rewrite mult_IZR, <- INR_IZR_INZ. field. split; solve [apply not_0_INR; lia | apply not_0_IZR; lia].
Qed.
Lemma loop_below G f : (forall b, 0 <= f b) -> forall F k,
  expect (below_one_loop F G p q (Z.of_nat (S k))) f <= ideal true x F (S k) * f true + ideal false x F (S k) * f false.
Proof.
  intros Hf. induction F; intros k; [simpl; lra|]. cbn [below_one_loop]. rewrite expect_bind.
  eapply Rle_trans; [apply draw_below|].
  { intros []; [apply expect_ge0; auto | apply Hf]. }
  unfold EB. cbn [expect ideal]. specialize (IHF (S k)). replace (Z.of_nat (S k) + 1)%Z with (Z.of_nat (S (S k))) by lia.
  pose proof (ratio_le1 x k x01) as Hr. set (r := x / INR (S k)) in *.
  apply (Rmult_le_compat_l r) in IHF; [|lra]. unfold chi. destruct (Z.odd (Z.of_nat (S k))); simpl eqb; cbv iota; lra.
Qed.
Lemma below_one_below : below (fun F => bernoulli_exp_below_one F p q) (EB (exp (- x))).
Proof.
  intros F f Hf. unfold bernoulli_exp_below_one. eapply Rle_trans; [apply (loop_below F f Hf F 0)|]. unfold EB.
  pose proof (ideal_true_le x F x01). pose proof (ideal_false_le x F x01). specialize (Hf true) as H1. specialize (Hf false). nra.
Qed.
Lemma loop_und G F : forall k, undecided (below_one_loop F G p q (Z.of_nat (S (S k)))) <= 2 * (/ 2) ^ G + (/ 2) ^ F.
Proof.
  assert (0 < (/ 2) ^ G) by (apply pow_lt; lra).
  induction F; intros k; [unfold undecided; simpl; lra|]. cbn [below_one_loop]. rewrite undecided_bind.
  assert (U : undecided (bernoulli G p (q * Z.of_nat (S (S k)))) <= (/ 2) ^ G) by (apply bernoulli_und; nia).
  eapply Rle_trans; [apply Rplus_le_compat; [apply U | apply draw_below]|].
  { intros []; apply undecided_bounds. }
  unfold EB. specialize (IHF (S k)). replace (Z.of_nat (S (S k)) + 1)%Z with (Z.of_nat (S (S (S k)))) by lia.
  unfold undecided at 2. cbn [expect]. rewrite <- tech_pow_Rmult.
  assert (Hr : 0 <= x / INR (S (S k)) <= / 2).
  { pose proof x01. assert (2 <= INR (S (S k))) by (rewrite !S_INR; pose proof (pos_INR k); lra). split.
    - apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
    - apply Rmult_le_reg_r with (INR (S (S k))); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  pose proof (undecided_bounds (below_one_loop F G p q (Z.of_nat (S (S (S k)))))).
  assert (x / INR (S (S k)) * undecided (below_one_loop F G p q (Z.of_nat (S (S (S k))))) <= / 2 * (2 * (/ 2) ^ G + (/ 2) ^ F)) by (apply Rmult_le_compat; lra).
  lra.
Qed.
Lemma below_one_und F : undecided (bernoulli_exp_below_one F p q) <= 5 * (/ 2) ^ F.
Proof.
  unfold bernoulli_exp_below_one. destruct F; [unfold undecided; simpl; lra|].
  set (G := S F). unfold G at 1. cbn [below_one_loop]. rewrite undecided_bind.
  assert (U : undecided (bernoulli G p (q * Z.of_nat 1)) <= (/ 2) ^ G) by (apply bernoulli_und; nia).
  eapply Rle_trans; [apply Rplus_le_compat; [apply U | apply (draw_below G 0)]|].
  { intros []; apply undecided_bounds. }
  unfold EB. pose proof (loop_und G F 0) as L. change (1 + 1)%Z with (Z.of_nat 2). unfold undecided at 2. cbn [expect].
  pose proof (ratio_le1 x 0 x01) as Hr. pose proof (undecided_bounds (below_one_loop F G p q (Z.of_nat 2))).
  assert (x / INR 1 * undecided (below_one_loop F G p q (Z.of_nat 2)) <= 1 * (2 * (/ 2) ^ G + (/ 2) ^ F)) by (apply Rmult_le_compat; lra).
  replace ((/ 2) ^ F) with (2 * (/ 2) ^ G) in * by (unfold G; simpl; lra). lra.
Qed.
End one.

Lemma exp_le_1 y : 0 <= y -> 0 < exp (- y) <= 1.
Proof. intros H. split; [apply exp_pos|]. rewrite <- exp_0. destruct H; [left; apply exp_increasing; lra | subst; rewrite Ropp_0; lra]. Qed.
Lemma whole_below rest q w : (0 <= rest < q)%Z -> below (fun F => exp_whole F w rest q) (EB (exp (- (INR w + IZR rest / IZR q)))).
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
Lemma whole_und rest q w F : (0 <= rest < q)%Z -> undecided (exp_whole F w rest q) <= (INR w + 1) * 5 * (/ 2) ^ F.
Proof.
  intros H. assert (0 < (/ 2) ^ F) by (apply pow_lt; lra). induction w; cbn [exp_whole].
  - simpl INR. pose proof (below_one_und rest q ltac:(lia) ltac:(lia) F). lra.
  - rewrite undecided_bind, S_INR. pose proof (below_one_und 1 1 ltac:(lia) ltac:(lia) F) as U.
    eapply Rle_trans; [apply Rplus_le_compat; [apply U | apply (below_one_below 1 1 ltac:(lia) ltac:(lia))]|].
    { intros []; apply undecided_bounds. }
    unfold EB. unfold undecided at 2. cbn [expect]. pose proof (exp_le_1 (1 / 1) ltac:(lra)).
    pose proof (undecided_bounds (exp_whole F w rest q)). nra.
Qed.
Lemma whole_rest p q : (0 <= p)%Z -> (0 < q)%Z -> INR (Z.to_nat (p / q)) + IZR (p mod q) / IZR q = IZR p / IZR q.
Proof.
  intros Hp Hq. rewrite INR_IZR_INZ, Z2Nat.id by (apply Z.div_pos; lia).
  rewrite (Z.div_mod p q) at 3 by lia. rewrite plus_IZR, mult_IZR. field. apply not_0_IZR; lia.
Qed.
Lemma bernoulli_exp_below p q : (0 <= p)%Z -> (0 < q)%Z -> below (fun F => bernoulli_exp F p q) (EB (exp (- (IZR p / IZR q)))).
Proof. intros Hp Hq. rewrite <- whole_rest by auto. unfold bernoulli_exp. apply whole_below. apply Z.mod_pos_bound; auto. Qed.
Lemma bernoulli_exp_und p q F : (0 <= p)%Z -> (0 < q)%Z -> undecided (bernoulli_exp F p q) <= (INR (Z.to_nat (p / q)) + 1) * 5 * (/ 2) ^ F.
Proof. intros Hp Hq. apply whole_und. apply Z.mod_pos_bound; auto. Qed.
(* claim sample.bernoulli-exp *)
Theorem bernoulli_exp_law p q : (0 <= p)%Z -> (0 < q)%Z -> let x := IZR p / IZR q in forall f, (forall a, 0 <= f a <= 1) ->
  (forall F n, mass n (bernoulli_exp F p q) f <= EB (exp (- x)) f) /\
  (forall eps, eps > 0 -> exists F0, forall F, (F >= F0)%nat -> exists n0, forall n, (n >= n0)%nat ->
     EB (exp (- x)) f - eps < mass n (bernoulli_exp F p q) f).
Proof.
  intros Hp Hq x. apply (law_tapes (fun F => bernoulli_exp F p q)); [now apply bernoulli_exp_below | apply mean_EB|].
  apply decided_rate with (c := (INR (Z.to_nat (p / q)) + 1) * 5) (r := / 2); [lra|]. intros F. now apply bernoulli_exp_und.
Qed.
