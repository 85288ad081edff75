(** The translated samplers are the programs whose laws are proved: for all parameters, and what is refused.

    [source = ok program] says that both are one tree of coins, and that the source ends with [Ok]: no error, no
      panic.

    Claims: none.
*)
Require Import ZArith List Bool String Lia FunctionalExtensionality.
From DpAssay Require Import Trees Fuel Samplers FuelMonotone Rust Source Same SamplersFuel.
Open Scope Z_scope.

(** * Refusals, and signs *)

Definition out_of_range {A} (what : string) : rust (result A) := Ret (Returned (Err ("OutOfRange"%string, what))).

Lemma require_holds {T A} F what (k : unit -> M (result T) A) : mbind (ask (error_require F true what)) k = k tt.
Proof. reflexivity. Qed.
Lemma require_fails {T} F what (k : unit -> M (result T) (result T)) :
  body (mbind (ask (error_require F false what)) k) = out_of_range what.
Proof. reflexivity. Qed.
Lemma is_negative p q : 0 < q -> rational_is_negative (Rational p q) = (p <? 0).
Proof.
  intros Q. unfold rational_is_negative. cbn [numer denom].
  rewrite (proj2 (Z.ltb_lt 0 q) Q), (proj2 (Z.ltb_ge q 0)) by lia. now rewrite andb_true_r, andb_false_r, orb_false_r.
Qed.
Lemma is_positive p q : 0 < q -> rational_is_positive (Rational p q) = (0 <? p).
Proof.
  intros Q. unfold rational_is_positive. cbn [numer denom].
  rewrite (proj2 (Z.ltb_lt 0 q) Q), (proj2 (Z.ltb_ge q 0)) by lia. now rewrite andb_true_r, andb_false_r, orb_false_r.
Qed.
Lemma at_most_one p q : rational_leb (Rational p q) (Rational 1 1) = (p <=? q).
Proof. unfold rational_leb. cbn [numer denom]. f_equal; lia. Qed.

(** * uniform_below *)

Lemma bits_split a : forall b acc, bits (a + b) acc = bind (bits a acc) (bits b).
Proof. induction a; intros b acc; [reflexivity|]. cbn [Nat.add bits bind]. f_equal. extensionality coin. apply IHa.
  Qed.
Lemma bits_shift w : forall acc, bits w acc = bind (bits w 0) (fun v => Ret (Z.shiftl acc (Z.of_nat w) + v)).
Proof.
  assert (H : forall w acc c, bits w (acc * 2 ^ 0 + c) = bind (bits w c) (fun v => Ret (acc * 2 ^ Z.of_nat w + v))).
  { clear. induction w; intros acc c; [simpl; now rewrite ?Z.mul_1_r|]. cbn [bits bind]. f_equal. extensionality coin.
    replace (2 * (acc * 2 ^ 0 + c) + Z.b2z coin) with ((2 * acc) * 2 ^ 0 + (2 * c + Z.b2z coin)) by ring.
    rewrite IHw. apply bind_ext. intros v. f_equal. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. ring. }
  intros acc. rewrite <- (Z.add_0_r acc) at 1. replace (acc + 0) with (acc * 2 ^ 0 + 0) by (simpl; ring).
  rewrite H. apply bind_ext. intros v. now rewrite Z.shiftl_mul_pow2 by lia.
Qed.

(** The coins of a candidate come in words of at most 64. *)
Lemma words {R} condition round : (forall c w, condition (c, w) = @val (result R) _ (0 <? w)) ->
  (forall c w, 0 < w -> round (c, w) = bind (bits (Z.to_nat (Z.min w 64)) c) (fun r => val (r, w - Z.min w 64))) ->
  forall F c w, 0 <= w -> w <= 64 * (Z.of_nat F - 1) ->
  while F condition round (c, w) = bind (bits (Z.to_nat w) c) (fun r => val (r, 0)).
Proof.
  intros go step. induction F as [|F IH]; intros c w W L; [lia|]. cbn [while]. rewrite go, mbind_val.
  destruct (Z.ltb_spec 0 w) as [P|P].
  2: { assert (w = 0) as -> by lia. reflexivity. }
  rewrite step, mbind_bind by lia.
  replace (Z.to_nat w) with (Z.to_nat (Z.min w 64) + Z.to_nat (w - Z.min w 64))%nat by lia.
  rewrite bits_split, bind_bind. apply bind_ext. intros v. cbn [mbind bind val]. apply IH; lia.
Qed.

Lemma number_of_bits_width n : 1 <= n -> number_of_bits (n - 1) = Z.of_nat (width n).
Proof.
  intros N. unfold number_of_bits, width. rewrite Z2Nat.id by apply Z.log2_up_nonneg.
  destruct (Z.eqb_spec (n - 1) 0) as [E|E]; [now replace n with 1 by lia|].
  rewrite Z.log2_up_eqn by lia. rewrite Z.abs_eq by lia. now replace (Z.pred n) with (n - 1) by lia.
Qed.

Definition enough (n : Z) : nat := S (width n).

Theorem uniform_below_attempt_equal F n : 1 <= n -> (enough n <= F)%nat ->
  layers_uniform_below_attempt F n = ok (uniform_below_attempt n).
Proof.
  intros N L. unfold layers_uniform_below_attempt. destruct (Z.eqb_spec n 0) as [|_]; [lia|]. cbv zeta.
  rewrite natural_sub_val, mbind_val, number_of_bits_width by lia. cbv zeta.
  unfold enough in L. rewrite words; [| reflexivity | | lia | lia].
  - rewrite Nat2Z.id. unfold uniform_below_attempt. rewrite mbind_bind, body_bind, ok_bind. apply bind_ext. reflexivity.
  - intros c w P. cbv beta iota zeta. set (k := Z.min w 64). assert (K : 0 < k <= 64 /\ k <= w) by (unfold k; lia).
    assert (cast 32 k = k) as -> by (apply Z.mod_small; lia). parts. unfold coins_bits.
    destruct (Z.leb_spec k 64) as [_|]; [|lia]. rewrite ask_ok, (bits_shift _ c), bind_bind. apply bind_ext. intros v.
    cbv beta zeta. now rewrite natural_sub_val, mbind_val, Z2Nat.id by lia.
Qed.
Theorem uniform_below_equal F n : 1 <= n -> (enough n <= F)%nat -> layers_uniform_below F n = ok (uniform_below F n).
Proof.
  intros N L. unfold layers_uniform_below. rewrite uniform_below_attempt_equal by auto.
  unfold uniform_below. rewrite <- forever_attempts. do 2 f_equal. extensionality s. rewrite ask_ok. apply
    bind_ext. now intros [|].
Qed.
(** uniform_below(0) is refused. *)
Theorem uniform_below_refuses F : (1 <= F)%nat -> layers_uniform_below F 0 = out_of_range "the number of outcomes".
Proof. destruct F; [lia|]. reflexivity. Qed.

(** * bernoulli *)

Lemma one_coin {R B} G (k : Z -> M (result R) B) : mbind (ask (coins_bits G 1)) k = Flip (fun c => k (Z.b2z c)).
Proof. change (coins_bits G 1) with (ok (bits 1 0)). rewrite ask_ok. reflexivity. Qed.
Lemma is_one c : (Z.b2z c =? 1) = c.
Proof. now destruct c. Qed.

Lemma bernoulli_loop_equal condition round q : (forall r, condition r = @val (result bool) _ (negb (r =? 0))) ->
  (forall r, round r = let digit := q <=? 2 * r in
    Flip (fun c => if Bool.eqb c digit then val (if digit then 2 * r - q else 2 * r) else leave (Ok digit))) ->
  forall F r, body (let* _ := while F condition round r in val (Ok false)) = ok (bernoulli_loop F r q).
Proof.
  intros go step. induction F as [|F IH]; intros r; [reflexivity|]. cbn [while bernoulli_loop]. rewrite go, mbind_val.
  destruct (r =? 0); [reflexivity|]. cbn [negb]. rewrite step. cbv zeta. cbn [mbind bind body ok tmap]. unfold ok, tmap.
  cbn [bind]. f_equal. extensionality c. destruct (Bool.eqb c (q <=? 2 * r)); [exact (IH _) | reflexivity].
Qed.
Theorem bernoulli_equal F p q : 0 <= p <= q -> 0 < q -> layers_bernoulli F (Rational p q) = ok (bernoulli F p q).
Proof.
  intros P Q. unfold layers_bernoulli, bernoulli. rewrite is_negative, at_most_one by lia.
  rewrite (proj2 (Z.ltb_ge p 0)), (proj2 (Z.leb_le p q)) by lia. cbn [negb andb]. rewrite require_holds. cbn [numer
    denom].
  destruct (p =? q); [reflexivity|]. cbv zeta. apply bernoulli_loop_equal; [reflexivity|]. intros r. cbv beta zeta.
    parts.
  match goal with |- context [q <=? ?x] => replace x with (2 * r) by (rewrite ?(Z.shiftl_mul_pow2 _ 1) by lia; lia) end.
  destruct (q <=? 2 * r); rewrite ?mbind_val, one_coin; f_equal; extensionality c; rewrite is_one; now destruct c.
Qed.
(** bernoulli outside [0, 1] is refused. *)
Theorem bernoulli_refuses F p q : 0 < q -> ~ 0 <= p <= q -> layers_bernoulli F (Rational p q) = out_of_range
  "a probability".
Proof.
  intros Q P. unfold layers_bernoulli. rewrite is_negative, at_most_one by lia.
  replace (negb (p <? 0) && (p <=? q)) with false; [apply require_fails|].
  destruct (Z.ltb_spec p 0), (Z.leb_spec p q); auto; lia.
Qed.

(** * bernoulli_exp *)

Lemma up_to_one_loop condition next G p q : (forall k, 1 <= k -> condition k = bind (bernoulli G p (q * k)) val) ->
  (forall k, next k = val (k + 1)) -> forall F k, 1 <= k ->
  body (let* k := while F condition next k in val (Ok (Z.testbit k 0))) = ok (below_one_loop F G p q k).
Proof.
  intros go step. induction F as [|F IH]; intros k K; [reflexivity|]. cbn [while below_one_loop].
  rewrite go, !mbind_bind, body_bind, ok_bind by lia. apply bind_ext. intros []; [|reflexivity].
  rewrite mbind_val, step, mbind_val. apply IH; lia.
Qed.
Theorem up_to_one_equal F p q : 0 <= p <= q -> 0 < q ->
  layers_bernoulli_exp_up_to_one F (Rational p q) = ok (bernoulli_exp_below_one F p q).
Proof.
  intros P Q. unfold layers_bernoulli_exp_up_to_one, bernoulli_exp_below_one. cbv zeta. apply up_to_one_loop; [| | lia].
  - intros k K. cbn [numer denom]. parts. rewrite bernoulli_equal by nia. apply ask_ok.
  - intros k. cbv zeta. f_equal; lia.
Qed.

Lemma deep_small D F p q : 0 <= p <= q -> 0 < q ->
  layers_bernoulli_exp_deep (S D) F (Rational p q) = ok (bernoulli_exp_below_one F p q).
Proof.
  intros P Q. cbn [layers_bernoulli_exp_deep]. rewrite is_negative, (proj2 (Z.ltb_ge p 0)) by lia. cbn [negb].
  rewrite require_holds. cbn [numer denom]. destruct (Z.leb_spec p q) as [_|]; [|lia].
  rewrite up_to_one_equal, call_ok, body_bind by lia. reflexivity.
Qed.
Lemma whole_loop condition round D F rest q : 0 <= rest < q ->
  (forall w, condition w = @val (result bool) _ (negb (w =? 0))) ->
  (forall w, round w = bind (bernoulli_exp_below_one F 1 1) (fun b : bool => if b then val (w - 1) else leave (Ok
    false))) ->
  forall n w, 0 <= w < Z.of_nat n ->
  body (let* whole := while n condition round w in call (layers_bernoulli_exp_deep (S D) F (Rational rest q)))
  = ok (exp_whole F (Z.to_nat w) rest q).
Proof.
  intros R go step. rewrite (deep_small D F rest q) by lia.
  induction n as [|n IH]; intros w W; [lia|]. cbn [while]. rewrite go, mbind_val.
  destruct (Z.eqb_spec w 0) as [->|N].
  - cbn [negb]. rewrite mbind_val. apply body_call.
  - replace (Z.to_nat w) with (S (Z.to_nat (w - 1))) by lia. cbn [negb exp_whole].
    rewrite step, !mbind_bind, body_bind, ok_bind. apply bind_ext. intros []; [|reflexivity].
    rewrite mbind_val. apply IH. lia.
Qed.
Theorem bernoulli_exp_small F p q : 0 <= p <= q -> 0 < q -> layers_bernoulli_exp F (Rational p q) = ok
  (bernoulli_exp F p q).
Proof.
  intros P Q. unfold layers_bernoulli_exp, bernoulli_exp. rewrite deep_small by lia.
  destruct (Z.leb_spec p q) as [_|]; [reflexivity | lia].
Qed.
Theorem bernoulli_exp_equal F p q : 0 <= p -> 0 < q -> p / q < Z.of_nat F ->
  layers_bernoulli_exp F (Rational p q) = ok (bernoulli_exp F p q).
Proof.
  intros P Q L. destruct (Z.le_gt_cases p q) as [S|B]; [apply bernoulli_exp_small; lia|].
  unfold layers_bernoulli_exp, bernoulli_exp. destruct F as [|F]; [assert (0 <= p / q) by (apply Z.div_pos; lia);
    lia|].
  set (D := S F) in *. cbn [layers_bernoulli_exp_deep]. rewrite is_negative, (proj2 (Z.ltb_ge p 0)) by lia. cbn
    [negb].
  rewrite require_holds. cbn [numer denom]. destruct (Z.leb_spec p q) as [|_]; [lia|].
  rewrite big_div_rem_val, mbind_val by lia.
  rewrite Z.quot_div_nonneg, Z.rem_mod_nonneg by lia. cbv beta iota.
  apply whole_loop; [apply Z.mod_pos_bound; lia | reflexivity | | split; [apply Z.div_pos; lia | lia]].
  intros w. cbv beta. unfold D. parts. rewrite deep_small, ask_ok by lia. apply bind_ext. now intros [].
Qed.
(** bernoulli_exp below 0 is refused. *)
Theorem bernoulli_exp_refuses F p q : 0 < q -> p < 0 -> layers_bernoulli_exp F (Rational p q) = out_of_range
  "the exponent of exp(-x)".
Proof.
  intros Q P. unfold layers_bernoulli_exp. cbn [layers_bernoulli_exp_deep]. rewrite is_negative, (proj2 (Z.ltb_lt p
    0)) by lia.
  apply require_fails.
Qed.

(** * Geometric *)

Lemma integer_ok {R A} F a (k : rational -> M R A) : mbind (call (rational_integer F a)) k = k (Rational a 1).
Proof. reflexivity. Qed.
Lemma results_bits w : forall acc, 0 <= acc -> results (fun v => 0 <= v) (bits w acc).
Proof. induction w; intros acc A; cbn [bits results]; auto. intros c. apply IHw. destruct c; cbn [Z.b2z]; lia. Qed.
Lemma results_uniform_below F n : results (fun u => 0 <= u < n) (uniform_below F n).
Proof.
  apply results_attempts. unfold uniform_below_attempt. eapply results_bind; [apply results_bits; lia|].
  intros v V. simpl. destruct (Z.ltb_spec v n); auto.
Qed.

Theorem remainder_equal F t : 1 <= t -> (enough t <= F)%nat -> geometric_remainder F t = ok (attempts F
  (geometric_u_attempt F t)).
Proof.
  intros T L. unfold geometric_remainder. rewrite <- forever_attempts. do 2 f_equal. extensionality s.
  unfold geometric_u_attempt. rewrite uniform_below_equal by auto. rewrite ask_ok, bind_bind.
  eapply bind_ext_results; [apply results_uniform_below|]. intros u U. cbv beta zeta in *.
  parts. cbv beta zeta. rewrite bernoulli_exp_small by lia. rewrite ask_ok, bind_bind. apply bind_ext. now intros [].
Qed.
Lemma whole_part_loop condition next F : (forall v, condition v = bind (bernoulli_exp F 1 1) val) ->
  (forall v, next v = val (v + 1)) ->
  forall n v, body (let* v := while n condition next v in val (Ok v)) = ok (geometric_v n F v).
Proof.
  intros go step. induction n as [|n IH]; intros v; [reflexivity|]. cbn [while geometric_v].
  rewrite go, !mbind_bind, body_bind, ok_bind. apply bind_ext. intros []; [|reflexivity].
  rewrite mbind_val, step, mbind_val. apply IH.
Qed.
Theorem whole_part_equal F : geometric_whole_part F = ok (geometric_v F F 0).
Proof.
  unfold geometric_whole_part. cbv zeta. apply whole_part_loop.
  - intros v. parts. rewrite integer_ok, bernoulli_exp_small by lia. apply ask_ok.
  - intros v. cbv zeta. f_equal; lia.
Qed.
Lemma results_geometric_v F : forall G v, 0 <= v -> results (fun v => 0 <= v) (geometric_v F G v).
Proof.
  induction F; intros G v V; simpl; auto. apply results_bind with (P := fun _ => True); [apply results_true|].
  intros [] _; [apply IHF; lia | simpl; lia].
Qed.

Theorem geometric_equal F s t : 0 < s -> 0 < t -> (enough t <= F)%nat ->
  Geometric_sample F (make_Geometric (Rational s t)) = ok (geometric F s t).
Proof.
  intros S T L. unfold Geometric_sample, geometric. cbn [Geometric_rate numer denom]. rewrite !Z.abs_eq by lia.
  cbv beta iota zeta.
  rewrite remainder_equal, body_ask, ok_bind by (auto; lia). apply bind_ext_results with (P := fun u => 0 <= u).
  - apply results_attempts. unfold geometric_u_attempt. eapply results_bind; [apply results_uniform_below|].
    intros u U. cbv beta in U. apply results_bind with (P := fun _ => True); [apply results_true|].
    intros [] _; simpl; [lia | auto].
  - intros u U. rewrite whole_part_equal, body_ask, ok_bind.
    eapply bind_ext_results; [apply results_geometric_v; lia|]. intros v V. cbv beta in *.
    match goal with |- context [big_div ?x s] => replace x with (u + t * v) by ring end.
    rewrite big_div_val, mbind_val by lia. rewrite Z.quot_div_nonneg by nia. reflexivity.
Qed.
Theorem geometric_new F s t : 0 < s -> 0 < t -> Geometric_new F (Rational s t) = ok (Ret (make_Geometric (Rational
  s t))).
Proof. intros S T. unfold Geometric_new. rewrite is_positive, (proj2 (Z.ltb_lt 0 s)) by lia. reflexivity. Qed.
(** A rate that is not above 0 is refused. *)
Theorem geometric_refuses F s t : 0 < t -> s <= 0 -> Geometric_new F (Rational s t) = out_of_range
  "the rate of a geometric law".
Proof. intros T S. unfold Geometric_new. rewrite is_positive, (proj2 (Z.ltb_ge 0 s)) by lia. reflexivity. Qed.

(** * DiscreteLaplace *)

Definition laplace_law (p q : Z) : DiscreteLaplace := make_DiscreteLaplace (Rational p q) (make_Geometric (Rational
  q p)).

Theorem laplace_new F p q : 0 < p -> 0 < q -> DiscreteLaplace_new F (Rational p q) = ok (Ret (laplace_law p q)).
Proof.
  intros P Q. unfold DiscreteLaplace_new. rewrite is_positive, (proj2 (Z.ltb_lt 0 p)) by lia. rewrite require_holds.
  unfold rational_recip. cbn [numer denom]. rewrite (proj2 (Z.eqb_neq p 0)), (proj2 (Z.ltb_ge p 0)), mbind_val by lia.
  rewrite geometric_new by auto. reflexivity.
Qed.
(** A scale that is not above 0 is refused. *)
Theorem laplace_refuses F p q : 0 < q -> p <= 0 ->
  DiscreteLaplace_new F (Rational p q) = out_of_range "the scale of a discrete Laplace law".
Proof. intros Q P. unfold DiscreteLaplace_new. rewrite is_positive, (proj2 (Z.ltb_ge 0 p)) by lia. apply
  require_fails. Qed.

Theorem laplace_equal F p q : 0 < p -> 0 < q -> (enough p <= F)%nat ->
  DiscreteLaplace_sample F (laplace_law p q) = ok (laplace F p q).
Proof.
  intros P Q L. unfold DiscreteLaplace_sample, laplace. rewrite <- forever_attempts. do 2 f_equal. extensionality s.
  cbn [DiscreteLaplace_magnitude laplace_law]. rewrite one_coin. unfold laplace_attempt, coin. cbn [bind]. f_equal.
  extensionality negative. rewrite is_one, geometric_equal, ask_ok, bind_bind by auto. apply bind_ext. intros m.
    cbv zeta.
  cbn [bind]. now destruct negative, (m =? 0).
Qed.

(** * DiscreteGaussian *)

Definition gaussian_law (a b : Z) : DiscreteGaussian :=
  make_DiscreteGaussian (Rational a b) (gaussian_t a b) (laplace_law (gaussian_t a b) 1).
Lemma gaussian_t_positive a b : 0 < gaussian_t a b.
Proof. unfold gaussian_t. pose proof (Z.sqrt_nonneg (a / b)). lia. Qed.

Theorem gaussian_new F a b : 0 < a -> 0 < b -> DiscreteGaussian_new F (Rational a b) = ok (Ret (gaussian_law a b)).
Proof.
  intros A B. unfold DiscreteGaussian_new. rewrite is_positive, (proj2 (Z.ltb_lt 0 a)) by lia. rewrite require_holds.
  unfold rational_floor. cbn [numer denom]. assert (0 <= a / b) by (apply Z.div_pos; lia).
  rewrite big_div_val, mbind_val, Z.quot_1_r by lia. unfold big_sqrt. destruct (Z.ltb_spec (a / b) 0) as [|_]; [lia|].
  rewrite mbind_val. cbv zeta. change (Z.sqrt (a / b) + 1) with (gaussian_t a b).
  rewrite laplace_new by (auto using gaussian_t_positive; lia). reflexivity.
Qed.
(** A variance that is not above 0 is refused. *)
Theorem gaussian_refuses F a b : 0 < b -> a <= 0 ->
  DiscreteGaussian_new F (Rational a b) = out_of_range "the variance of a discrete Gaussian law".
Proof. intros B A. unfold DiscreteGaussian_new. rewrite is_positive, (proj2 (Z.ltb_ge 0 a)) by lia. apply
  require_fails. Qed.

Lemma gaussian_attempt_more a b : monotone (fun F => gaussian_attempt F a b).
Proof.
  intros F G L. unfold gaussian_attempt. apply extends_bind; [now apply laplace_extends|].
  intros y. apply extends_bind; [now apply bernoulli_exp_extends|]. intros. apply extends_refl.
Qed.
(** The exponent of an acceptance grows with the proposal, and with it the fuel that is enough: so the two are the
  same
    without fuel, not fuel by fuel. *)
Theorem gaussian_same a b : 0 < a -> 0 < b ->
  same (fun F => DiscreteGaussian_sample F (gaussian_law a b)) (fun F => ok (gaussian F a b)).
Proof.
  intros A B. set (t := gaussian_t a b). pose proof (gaussian_t_positive a b : 0 < t).
  set (gap y := Z.abs y * b * t - a).
  set (accept F y := let* t2 := ask (layers_bernoulli_exp F (Rational (gap y * gap y) (2 * a * b * t * t))) in
    if t2 : bool then leave (Ok y) else @val (result Z) unit tt).
  unfold DiscreteGaussian_sample, gaussian. cbv beta iota zeta.
  apply forever_same; [intros F G L; more_fuel | apply gaussian_attempt_more |].
  apply same_trans with (q := fun F => bind (laplace F t 1) (accept F)).
  - apply same_of_eventually.
    + intros F G L. more_fuel.
    + intros F G L. apply extends_bind; [now apply laplace_extends|]. intros y. unfold accept. more_fuel.
    + exists (enough t). intros F L. cbn [DiscreteGaussian_proposal DiscreteGaussian_variance DiscreteGaussian_t
      gaussian_law numer denom].
      rewrite laplace_equal, ask_ok by auto with zarith. apply bind_ext. intros y. unfold accept. cbv zeta. parts.
      match goal with |- context [layers_bernoulli_exp F (Rational ?n ?d)] =>
        replace n with (gap y * gap y) by (unfold gap, t; ring); replace d with (2 * a * b * t * t) by (unfold t;
          ring) end.
      reflexivity.
  - assert (E : (fun F => bind (gaussian_attempt F a b) judged) = (fun F => bind (laplace F t 1) (fun y =>
      bind (bernoulli_exp F (gap y * gap y) (2 * a * b * t * t))
        (fun accepted : bool => judged (if accepted then Some y else None))))).
    { extensionality F. unfold gaussian_attempt. cbv zeta. fold t. rewrite bind_bind. apply bind_ext. intros y. cbv
      zeta.
      rewrite bind_bind. reflexivity. }
    match goal with |- same _ ?x => change x with (fun F => bind (gaussian_attempt F a b) judged) end.
    rewrite E. apply same_bind with (R := fun _ => True).
    + apply same_refl.
    + intros F G L. now apply laplace_extends.
    + intros F G L. now apply laplace_extends.
    + intros F. apply results_true.
    + intros y F G L. unfold accept. more_fuel.
    + intros y F G L. apply extends_bind; [now apply bernoulli_exp_extends|]. intros. apply extends_refl.
    + intros y _. apply same_of_eventually.
      * intros F G L. unfold accept. more_fuel.
      * intros F G L. apply extends_bind; [now apply bernoulli_exp_extends|]. intros. apply extends_refl.
      * exists (S (Z.to_nat (gap y * gap y / (2 * a * b * t * t)))). intros F L. unfold accept.
        assert (0 < 2 * a * b * t * t) by nia. assert (0 <= gap y * gap y) by nia.
        assert (0 <= gap y * gap y / (2 * a * b * t * t)) by (apply Z.div_pos; lia).
        rewrite bernoulli_exp_equal, ask_ok by lia. apply bind_ext. now intros [].
Qed.
