(** How many coins the samplers flip on average, for every fuel and so without fuel.

    As on the page: uniform_below(n) takes fewer than 2 w bits for n >= 2, w the least integer with n <= 2^w, and none
    for n = 1; bernoulli takes at most 2. For bernoulli_exp(x), x <= 1, the page bounds the number of Bernoulli draws by
    e^x; here the bits are bounded by 2 e^x, and for every x by 2 e / (1 - 1/e), about 8.6. The bounds for the last
    three are not on the page; their constants are generous.

    Claims: sample.uniform-below, sample.bernoulli, sample.bernoulli-exp, sample.geometric, sample.discrete-laplace,
    sample.discrete-gaussian.
*)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees CoinsFlipped Samplers Laws ExponentialSeries BernoulliExp.
From DpAssay Require Import Geometric Laplace Gaussian.
Open Scope R_scope.

(** Attempts that cost c each and are accepted with probability at least a cost c / a. *)
Lemma attempts_coins {A} (t : tree (option A)) a c : 0 < a -> coins t <= c -> expect t rejected <= 1 - a ->
  forall F, coins (attempts F t) <= c / a.
Proof.
  intros Ha Hc Hr F. pose proof (coins_nonneg t).
  assert (C0 : 0 <= c / a) by (apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]).
  induction F; [simpl; lra|]. cbn [attempts]. rewrite coins_bind.
  rewrite (expect_ext t _ (fun o => coins (attempts F t) * rejected o)) by (intros [x|]; simpl; lra).
  rewrite expect_scal. pose proof (coins_nonneg (attempts F t)).
  assert (0 <= expect t rejected) by (apply expect_ge0; intros [x|]; simpl; lra).
  assert (coins (attempts F t) * expect t rejected <= c / a * (1 - a)) by (apply Rmult_le_compat; lra).
  replace (c / a) with (c + c / a * (1 - a)) by (field; lra). lra.
Qed.

(** * sample.uniform-below *)

Lemma coins_bits w : forall acc, coins (bits w acc) = INR w.
Proof. induction w; intros acc; [reflexivity|]. rewrite S_INR. cbn [bits coins]. rewrite !IHw. lra. Qed.

Lemma coins_ret {A B} (t : tree A) (f : A -> B) : coins (bind t (fun a => Ret (f a))) = coins t.
Proof. rewrite coins_bind, (expect_ext _ _ (fun _ => 0)) by auto. rewrite expect_0. lra. Qed.

Lemma uniform_below_coins_exact n F : (1 <= n)%Z ->
  coins (uniform_below F n) <= INR (width n) / (IZR n / 2 ^ width n).
Proof.
  intros H. destruct (uniform_attempt n rejected) as [A E]; [lia|]. cbv zeta in *. apply attempts_coins; [lra| |].
  - unfold uniform_below_attempt. rewrite coins_ret, coins_bits. lra.
  - rewrite E. simpl rejected. rewrite EU_const by lia. lra.
Qed.

(** sample.uniform-below: for n >= 2, fewer than 2 w coins on average, w the least integer with n <= 2^w; ... *)
Theorem uniform_below_coins n F : (2 <= n)%Z -> coins (uniform_below F n) < 2 * INR (width n).
Proof.
  intros H. pose proof (uniform_below_coins_exact n F ltac:(lia)) as B.
  destruct (uniform_attempt n rejected) as [A _]; [lia|]. cbv zeta in A.
  set (a := IZR n / 2 ^ width n) in *. eapply Rle_lt_trans; [apply B|].
  assert (0 < INR (width n)).
  { apply lt_0_INR. unfold width. pose proof (Z.log2_up_pos n ltac:(lia)). lia. }
  apply Rmult_lt_reg_r with a; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.

(** sample.uniform-below: for n = 1 it flips no coin. *)
Theorem uniform_below_one_coins F : coins (uniform_below F 1) = 0.
Proof. destruct F; reflexivity. Qed.

Lemma uniform_below_coins_le n F : (1 <= n)%Z -> coins (uniform_below F n) <= 2 * INR (width n).
Proof.
  intros H. destruct (Z.eq_dec n 1) as [->|]; [rewrite uniform_below_one_coins; simpl; lra|].
  left. apply uniform_below_coins. lia.
Qed.

(** * sample.bernoulli *)

Lemma bernoulli_loop_coins F : forall r q, coins (bernoulli_loop F r q) <= 2.
Proof.
  induction F; intros r q; [simpl; lra|]. cbn [bernoulli_loop]. destruct (r =? 0)%Z; [simpl; lra|].
  destruct (q <=? 2 * r)%Z; cbn [coins eqb].
  - specialize (IHF (2 * r - q)%Z q). lra.
  - specialize (IHF (2 * r)%Z q). lra.
Qed.

(** sample.bernoulli: at most 2 coins on average. *)
Theorem bernoulli_coins p q F : coins (bernoulli F p q) <= 2.
Proof. unfold bernoulli. destruct (p =? q)%Z; [simpl; lra | apply bernoulli_loop_coins]. Qed.

(** sample.bernoulli: more than j coins with probability at most 2^-j. *)
Theorem bernoulli_tail p q F j : share_too_short j (bernoulli F p q) <= (/ 2) ^ j.
Proof.
  assert (ret : forall (b : bool) j, share_too_short j (Ret b) = 0) by (intros; now apply too_short_at_end).
  assert (pos : forall j, 0 < (/ 2) ^ j) by (intros; apply pow_lt; lra).
  unfold bernoulli. destruct (p =? q)%Z; [rewrite ret; left; apply pos|]. revert j p. induction F; intros j r.
  - rewrite (too_short_at_end j) by auto. left. apply pos.
  - cbn [bernoulli_loop]. destruct (r =? 0)%Z; [rewrite ret; left; apply pos|].
    destruct j as [|j]; [unfold share_too_short; simpl; lra|].
    cbv zeta. rewrite too_short_flip, <- tech_pow_Rmult.
    destruct (q <=? 2 * r)%Z; cbn [eqb]; rewrite ret.
    + specialize (IHF j (2 * r - q)%Z). lra.
    + specialize (IHF j (2 * r)%Z). lra.
Qed.

Lemma bernoulli_loop_coins_exact F : forall r q, (0 <= r < q)%Z ->
  (forall j, (0 <= j)%Z -> ((2 ^ j * r) mod q <> 0)%Z) -> coins (bernoulli_loop F r q) = 2 - 2 * (/ 2) ^ F.
Proof.
  induction F; intros r q Hr N; [simpl; lra|]. cbn [bernoulli_loop]. rewrite <- tech_pow_Rmult.
  pose proof (N 0%Z ltac:(lia)) as N0. rewrite Z.pow_0_r, Z.mul_1_l, Z.mod_small in N0 by lia.
  destruct (Z.eqb_spec r 0); [lia|].
  assert (next : forall j, (0 <= j)%Z -> ((2 ^ j * (2 * r)) mod q <> 0)%Z).
  { intros j Hj. specialize (N (Z.succ j) ltac:(lia)). rewrite Z.pow_succ_r in N by lia.
    now replace (2 ^ j * (2 * r))%Z with (2 * 2 ^ j * r)%Z by ring. }
  destruct (Z.leb_spec q (2 * r)); cbn [coins eqb]; rewrite IHF; try lia; try lra; auto.
  intros j Hj. specialize (next j Hj).
  replace (2 ^ j * (2 * r - q))%Z with (2 ^ j * (2 * r) + (- 2 ^ j) * q)%Z by ring. now rewrite Z.mod_add by lia.
Qed.

(** sample.bernoulli: exactly 2 in the limit, where p/q is not dyadic (no power of 2 times p is divisible by q). *)
Theorem bernoulli_coins_not_dyadic p q : (0 <= p < q)%Z -> (forall j, (0 <= j)%Z -> ((2 ^ j * p) mod q <> 0)%Z) ->
  forall F, coins (bernoulli F p q) = 2 - 2 * (/ 2) ^ F.
Proof.
  intros Hp N F. unfold bernoulli. destruct (Z.eqb_spec p q); [lia|]. now apply bernoulli_loop_coins_exact.
Qed.

(** * sample.bernoulli-exp *)

Lemma exp_partial_sums x F : 0 <= x -> sm F (all_true x) <= exp x.
Proof.
  intros Hx. destruct F; [simpl; left; apply exp_pos|].
  assert (E : sm (S F) (all_true x) = sum_f_R0 (fun i => / INR (Factorial.fact i) * x ^ i) F).
  { induction F; [simpl; lra|]. cbn [sum_f_R0]. rewrite <- IHF, <- all_true_eq. reflexivity. }
  rewrite E. unfold exp. destruct (exist_exp x) as [l Hl]. simpl.
  apply (growing_ineq (fun n => sum_f_R0 (fun i => / INR (Factorial.fact i) * x ^ i) n)); [|exact Hl].
  intros n. cbn [sum_f_R0]. rewrite <- all_true_eq. pose proof (all_true_pos x (S n) Hx). lra.
Qed.

Lemma below_one_loop_coins p q G : (0 <= p <= q)%Z -> (0 < q)%Z -> forall F k, let x := IZR p / IZR q in
  all_true x k * coins (below_one_loop F G p q (Z.of_nat (S k))) <= 2 * sm F (fun i => all_true x (k + i)).
Proof.
  intros Hp Hq. induction F; intros k x; [simpl; lra|]. cbn [below_one_loop]. rewrite coins_bind, sm_shift, Nat.add_0_r.
  pose proof (bernoulli_coins p (q * Z.of_nat (S k)) G) as B.
  assert (D : expect (bernoulli G p (q * Z.of_nat (S k))) (fun b => coins
      (if b : bool then below_one_loop F G p q (Z.of_nat (S k) + 1) else Ret (Z.odd (Z.of_nat (S k)))))
    <= x / INR (S k) * coins (below_one_loop F G p q (Z.of_nat (S (S k))))).
  { eapply Rle_trans; [apply (draw_below p q Hp Hq G k); intros []; apply coins_nonneg|].
    unfold EB. replace (Z.of_nat (S k) + 1)%Z with (Z.of_nat (S (S k))) by lia. simpl coins. fold x. lra. }
  specialize (IHF (S k)). cbv zeta in IHF. fold x in IHF.
  rewrite (sm_ext F _ (fun i => all_true x (S k + i))) by (intros i; now rewrite Nat.add_succ_r).
  change (all_true x (S k)) with (all_true x k * (x / INR (S k))) in IHF.
  pose proof (all_true_pos x k ltac:(apply fraction_bounds; auto)) as T.
  apply (Rmult_le_compat_l _ _ _ T) in B. apply (Rmult_le_compat_l _ _ _ T) in D.
  rewrite Rmult_plus_distr_l. lra.
Qed.

Lemma below_one_coins p q F : (0 <= p <= q)%Z -> (0 < q)%Z ->
  coins (bernoulli_exp_below_one F p q) <= 2 * exp (IZR p / IZR q).
Proof.
  intros Hp Hq. pose proof (below_one_loop_coins p q F Hp Hq F 0) as H. cbv zeta in H. simpl all_true in H.
  pose proof (exp_partial_sums (IZR p / IZR q) F ltac:(apply fraction_bounds; auto)) as E.
  rewrite (sm_ext F _ (all_true (IZR p / IZR q))) in H by auto.
  unfold bernoulli_exp_below_one. change (Z.of_nat 1) with 1%Z in H. lra.
Qed.

(** sample.bernoulli-exp: at most 2 e^x coins on average, if x <= 1; ... *)
Theorem bernoulli_exp_coins_up_to_one p q F : (0 <= p <= q)%Z -> (0 < q)%Z ->
  coins (bernoulli_exp F p q) <= 2 * exp (IZR p / IZR q).
Proof.
  intros Hp Hq. unfold bernoulli_exp. destruct (Z.leb_spec p q); [|lia]. now apply below_one_coins.
Qed.

Lemma exp_fraction_le p q : (0 <= p <= q)%Z -> (0 < q)%Z -> exp (IZR p / IZR q) <= exp 1.
Proof.
  intros Hp Hq. destruct (fraction_bounds p q Hp Hq) as [_ [L|L]]; [left; now apply exp_increasing | rewrite L; lra].
Qed.

(** sample.bernoulli-exp: at most 2 e / (1 - 1/e) coins on average, about 8.6, whatever x. *)
Theorem bernoulli_exp_coins p q F : (0 <= p)%Z -> (0 < q)%Z ->
  coins (bernoulli_exp F p q) <= 2 * exp 1 / (1 - exp (- (1))).
Proof.
  intros Hp Hq. pose proof exp_minus_one as E. pose proof (exp_pos 1).
  set (bound := 2 * exp 1 / (1 - exp (- (1)))).
  assert (fixed : bound = 2 * exp 1 + exp (- (1)) * bound) by (unfold bound; field; lra).
  assert (0 < bound) by (unfold bound; apply Rdiv_lt_0_compat; lra).
  assert (one : forall r s, (0 <= r <= s)%Z -> (0 < s)%Z -> coins (bernoulli_exp_below_one F r s) <= 2 * exp 1).
  { intros r s Hr Hs. pose proof (below_one_coins r s F Hr Hs). pose proof (exp_fraction_le r s Hr Hs). lra. }
  unfold bernoulli_exp. destruct (Z.leb_spec p q).
  - pose proof (one p q ltac:(lia) Hq). nra.
  - pose proof (Z.mod_pos_bound p q Hq). induction (Z.to_nat (p / q)) as [|w IH]; cbn [exp_whole].
    + pose proof (one (p mod q)%Z q ltac:(lia) Hq). nra.
    + rewrite coins_bind. pose proof (one 1%Z 1%Z ltac:(lia) ltac:(lia)).
      assert (D : expect (bernoulli_exp_below_one F 1 1) (fun b => coins
          (if b : bool then exp_whole F w (p mod q) q else Ret false)) <= exp (- (1)) * bound); [|lra].
      eapply Rle_trans; [apply (below_one_below 1 1 ltac:(lia) ltac:(lia)); intros []; apply coins_nonneg|].
      replace (- (1 / 1)) with (- (1)) by lra. unfold EB. simpl (coins (Ret false)). nra.
Qed.

Lemma bernoulli_exp_coins_12 p q F : (0 <= p)%Z -> (0 < q)%Z -> coins (bernoulli_exp F p q) <= 12.
Proof.
  intros Hp Hq. eapply Rle_trans; [now apply bernoulli_exp_coins|]. pose proof exp_minus_one. pose proof exp_le_3.
  apply Rmult_le_reg_r with (1 - exp (- (1))); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** * sample.geometric *)

Section geometric.
Variables (s t : Z) (Hs : (0 < s)%Z) (Ht : (0 < t)%Z).

Lemma u_attempt_coins F : coins (geometric_u_attempt F t) <= 2 * INR (width t) + 6.
Proof.
  unfold geometric_u_attempt. rewrite coins_bind. pose proof (uniform_below_coins_le t F ltac:(lia)) as U.
  match goal with |- _ + ?rest <= _ => assert (rest <= 6); [|lra] end.
  eapply Rle_trans; [apply (uniform_below_below t Ht); intros; apply coins_nonneg|].
  rewrite <- (EU_const t 6) by auto. apply EU_le; auto. intros c Hc. rewrite coins_ret.
  pose proof (bernoulli_exp_coins_up_to_one c t F ltac:(lia) Ht).
  pose proof (exp_fraction_le c t ltac:(lia) Ht). pose proof exp_le_3. lra.
Qed.

Lemma v_coins F G : forall v, coins (geometric_v F G v) <= 12.
Proof.
  pose proof exp_minus_one. pose proof exp_le_3. induction F; intros v; [simpl; lra|].
  cbn [geometric_v]. rewrite coins_bind.
  pose proof (bernoulli_exp_coins_up_to_one 1 1 G ltac:(lia) ltac:(lia)) as B. replace (1 / 1) with 1 in B by lra.
  match goal with |- _ + ?rest <= _ => assert (rest <= 6); [|lra] end.
  eapply Rle_trans; [apply (bernoulli_exp_below 1 1 ltac:(lia) ltac:(lia)); intros []; apply coins_nonneg|].
  replace (- (1 / 1)) with (- (1)) by lra. unfold EB. simpl (coins (Ret v)). specialize (IHF (v + 1)%Z).
  pose proof (coins_nonneg (geometric_v F G (v + 1))). nra.
Qed.

Lemma geometric_coins_aux F : coins (geometric F s t) <= 6 * INR (width t) + 30.
Proof.
  unfold geometric. rewrite coins_bind. pose proof (pos_INR (width t)).
  assert (U : coins (attempts F (geometric_u_attempt F t)) <= (2 * INR (width t) + 6) / (/ 3)).
  { apply attempts_coins; [lra | apply u_attempt_coins |].
    pose proof (u_rejected t Ht F). pose proof (u_acceptance_third t Ht). lra. }
  replace ((2 * INR (width t) + 6) / (/ 3)) with (6 * INR (width t) + 18) in U by field.
  match goal with |- _ + ?rest <= _ => assert (rest <= 12); [|lra] end.
  eapply Rle_trans; [apply (u_below t Ht); intros; apply coins_nonneg|].
  rewrite <- (EUg_const t Ht 12). apply (EUg_le t Ht). intros u Hu. rewrite coins_ret. apply v_coins.
Qed.
End geometric.

(** sample.geometric: at most 6 w + 30 coins on average, w the width of the denominator t of the rate s/t. *)
Theorem geometric_coins s t F : (0 < s)%Z -> (0 < t)%Z -> coins (geometric F s t) <= 6 * INR (width t) + 30.
Proof. intros _ Ht. now apply geometric_coins_aux. Qed.

(** sample.discrete-laplace: at most 12 w + 62 coins on average, w the width of the numerator p of the scale p/q. *)
Theorem laplace_coins p q F : (0 < p)%Z -> (0 < q)%Z -> coins (laplace F p q) <= 12 * INR (width p) + 62.
Proof.
  intros Hp Hq. replace (12 * INR (width p) + 62) with ((1 + (6 * INR (width p) + 30)) / (/ 2)) by field.
  apply attempts_coins; [lra| |].
  - unfold laplace_attempt, coin. cbn [bind coins]. rewrite !coins_ret.
    pose proof (geometric_coins q p F Hq Hp). lra.
  - pose proof (laplace_rejected p q Hp Hq F). pose proof (laplace_acceptance_bounds p q Hp Hq). lra.
Qed.

(** sample.discrete-gaussian: at most 60 w + 370 coins on average, w the width of t = floor(sqrt(variance)) + 1. *)
Theorem gaussian_coins a b F : (0 < a)%Z -> (0 < b)%Z ->
  coins (gaussian F a b) <= 60 * INR (width (gaussian_t a b)) + 370.
Proof.
  intros Ha Hb. pose proof (t_pos a b) as tp. set (t := gaussian_t a b) in *.
  replace (60 * INR (width t) + 370) with ((12 * INR (width t) + 62 + 12) / (/ 5)) by field.
  apply attempts_coins; [lra | | now apply gaussian_rejected].
  unfold gaussian_attempt. fold t. rewrite coins_bind. pose proof (laplace_coins t 1 F tp Z.lt_0_1).
  match goal with |- _ + ?rest <= _ => assert (rest <= 12); [|lra] end.
  destruct (laplace_below t 1 tp Z.lt_0_1 F) as [K HK].
  eapply Rle_trans; [apply (HK K (Nat.le_refl _)); intros; apply coins_nonneg|].
  eapply Rle_trans; [|apply (EL_const_le t 1 tp Z.lt_0_1 K); lra].
  apply EL_le; auto using Z.lt_0_1. intros y. rewrite coins_ret. 
  apply bernoulli_exp_coins_12; [apply Z.square_nonneg | exact (den_pos a b Ha Hb)].
Qed.
