(** The discrete Cauchy sampler, as translated, is a program written by hand: the same, for all scales from 1 on.

    With a = p/q the square of the scale and n = floor(sqrt a), the magnitudes fall into blocks: those below n, and
    from L to 2L for L = n, 2n, 4n, ... That the law of the program is Cauchy's, with weights 1/(a + k^2), is not
    proved here.

    Claims: none.
*)
Require Import ZArith Bool Lia FunctionalExtensionality.
From DpAssay Require Import Trees Fuel Samplers FuelMonotone Rust Source Same SamplersFuel SamplersEqual.
Open Scope Z_scope.

(** * The program *)

(** Twice as long for each coin that is true. *)
Fixpoint doubled (F : nat) (length : Z) : tree Z :=
  match F with O => Stop | S G => Flip (fun coin => if coin : bool then doubled G (2 * length) else Ret length) end.
(** Where a block begins, and how long it is. *)
Definition cauchy_block (F : nat) (n : Z) : tree (Z * Z) :=
  bind (uniform_below F 3) (fun i => if i =? 0 then Ret (0, n) else bind (doubled F n) (fun l => Ret (l, l))).
(** A magnitude of the block, accepted with probability l^2/(a + m^2), and its sign. Zero has one. *)
Definition cauchy_of_block (F : nat) (p q : Z) (block : Z * Z) : tree (option Z) :=
  bind (uniform_below F (snd block)) (fun rank => let m := fst block + rank in
  bind (bernoulli F (snd block * snd block * q) (p + m * m * q)) (fun accepted : bool =>
    if accepted then Flip (fun negative => Ret (if negative && (m =? 0) then None else Some (if negative then - m
      else m)))
    else Ret None)).
Definition cauchy_attempt (F : nat) (p q : Z) : tree (option Z) :=
  bind (cauchy_block F (Z.sqrt (p / q))) (cauchy_of_block F p q).
Definition cauchy (F : nat) (p q : Z) : tree Z := attempts F (cauchy_attempt F p q).

Lemma doubled_extends F : forall G l, (F <= G)%nat -> extends (doubled F l) (doubled G l).
Proof.
  induction F; intros G l L; [constructor|]. destruct G; [lia|]. constructor. intros []; [apply IHF; lia | apply
    extends_refl].
Qed.
Lemma block_more n : monotone (fun F => cauchy_block F n).
Proof.
  intros F G L. apply extends_bind; [now apply uniform_below_extends|]. intros i. destruct (i =? 0); [apply
    extends_refl|].
  apply extends_bind; [now apply doubled_extends | intros; apply extends_refl].
Qed.
Lemma of_block_more p q block : monotone (fun F => cauchy_of_block F p q block).
Proof.
  intros F G L. apply extends_bind; [now apply uniform_below_extends|]. intros rank.
  apply extends_bind; [now apply bernoulli_extends | intros; apply extends_refl].
Qed.

(** * A probability that is not in lowest terms *)

Lemma bernoulli_loop_scaled g q : 0 < g -> forall F r, bernoulli_loop F (r * g) (q * g) = bernoulli_loop F r q.
Proof.
  intros G. induction F as [|F IH]; intros r; [reflexivity|]. cbn [bernoulli_loop].
  assert ((r * g =? 0) = (r =? 0)) as -> by (destruct (Z.eqb_spec (r * g) 0), (Z.eqb_spec r 0); auto; nia).
  destruct (r =? 0); [reflexivity|]. cbv zeta.
  assert ((q * g <=? 2 * (r * g)) = (q <=? 2 * r)) as -> by (destruct (Z.leb_spec (q * g) (2 * (r * g))), (Z.leb_spec
    q (2 * r)); auto; nia).
  f_equal. extensionality c. destruct (Bool.eqb c (q <=? 2 * r)); [|reflexivity].
  rewrite <- IH. f_equal. destruct (q <=? 2 * r); ring.
Qed.
Lemma bernoulli_scaled F g p q : 0 < g -> bernoulli F (p * g) (q * g) = bernoulli F p q.
Proof.
  intros G. unfold bernoulli.
  assert ((p * g =? q * g) = (p =? q)) as -> by (destruct (Z.eqb_spec (p * g) (q * g)), (Z.eqb_spec p q); auto; nia).
  now rewrite bernoulli_loop_scaled.
Qed.

Lemma lowest_is a b : 0 < b -> exists g, 0 < g /\ numer (lowest a b) * g = a /\ denom (lowest a b) * g = b.
Proof.
  intros B. unfold lowest. rewrite (proj2 (Z.ltb_ge b 0)) by lia. cbn [numer denom].
  exists (Z.gcd a b). assert (G : 0 < Z.gcd a b).
  { pose proof (Z.gcd_nonneg a b). destruct (Z.eq_dec (Z.gcd a b) 0) as [E|]; [apply Z.gcd_eq_0 in E|]; lia. }
  destruct (Z.gcd_divide_l a b) as [x X], (Z.gcd_divide_r a b) as [y Y].
  set (g := Z.gcd a b) in *. clearbody g. subst a b. rewrite !Z.quot_mul by lia. lia.
Qed.
(** l^2/(p/q + w), as num-rational computes it. *)
Lemma weighed {R} l p q w : 0 < q -> 0 < p + w * q -> exists x y g,
  @rational_div R (rational_mul (Rational l 1) (Rational l 1)) (rational_add (Rational p q) (Rational w 1)) = val
    (Rational x y) /\
  0 < g /\ x * g = l * l * q /\ y * g = p + w * q.
Proof.
  intros Q W. unfold rational_div, rational_mul, rational_add. cbn [numer denom].
  replace (p * 1 + w * q) with (p + w * q) by ring. rewrite !Z.mul_1_r.
  destruct (lowest_is (l * l) 1 ltac:(lia)) as (g & G & E & D), (lowest_is (p + w * q) q Q) as (h & H & E' & D').
  set (u := lowest (l * l) 1) in *. set (v := lowest (p + w * q) q) in *.
  assert (U : denom u = 1) by (destruct (Z.mul_eq_1 _ _ D); nia). assert (g = 1) as -> by (rewrite U in D; lia).
  assert (0 < numer v) by nia.
  rewrite (proj2 (Z.eqb_neq (numer v) 0)) by lia. rewrite U, Z.mul_1_l.
  destruct (lowest_is (numer u * denom v) (numer v) ltac:(lia)) as (k & K & E2 & D2).
  set (r := lowest (numer u * denom v) (numer v)) in *. exists (numer r), (denom r), (k * h).
  split; [now destruct r|]. split; [nia|]. split.
  - rewrite Z.mul_assoc, E2. rewrite <- Z.mul_assoc, D'. nia.
  - rewrite Z.mul_assoc, D2. exact E'.
Qed.

(** * The same *)

Lemma doubled_loop {R} condition next : (forall l, condition l = Flip (fun c => @val (result R) bool c)) ->
  (forall l, next l = val (2 * l)) -> forall F l, while F condition next l = bind (doubled F l) val.
Proof.
  intros go step. induction F as [|F IH]; intros l; [reflexivity|]. cbn [while doubled]. rewrite go. unfold mbind.
    cbn [bind].
  f_equal. extensionality c. destruct c; [rewrite step; exact (IH _) | reflexivity].
Qed.

Definition in_a_block (n : Z) (block : Z * Z) : Prop := 1 <= snd block /\ (fst block = 0 /\ snd block = n \/ fst
  block = snd block).
Lemma results_doubled F : forall l, 1 <= l -> results (fun k => 1 <= k) (doubled F l).
Proof. induction F; intros l L; cbn [doubled results]; auto. intros []; [apply IHF; lia | exact L]. Qed.
Lemma results_block F n : 1 <= n -> results (in_a_block n) (cauchy_block F n).
Proof.
  intros N. apply results_bind with (P := fun _ => True); [apply results_true|]. intros i _.
  destruct (i =? 0); [split; cbn; auto with zarith|]. eapply results_bind; [now apply results_doubled|].
  intros l L. split; cbn; auto.
Qed.

Lemma same_ext {A} (p p' q : nat -> tree A) : (forall F, p F = p' F) -> same p' q -> same p q.
Proof. intros E. now replace p with p' by (extensionality F; symmetry; apply E). Qed.

Theorem cauchy_same p q : 0 < q <= p ->
  same (fun F => DiscreteCauchy_sample F (make_DiscreteCauchy (Rational p q))) (fun F => ok (cauchy F p q)).
Proof.
  intros Q. set (n := Z.sqrt (p / q)). assert (1 <= p / q) by (apply Z.div_le_lower_bound; lia).
  assert (N : 1 <= n) by (apply Z.sqrt_le_square; lia).
  assert (S : n * n * q <= p).
  { pose proof (Z.sqrt_spec (p / q) ltac:(lia)) as [S _]. fold n in S. pose proof (Z.mul_div_le p q ltac:(lia)). nia. }
  eapply same_ext.
  { intros F. unfold DiscreteCauchy_sample, rational_floor. cbn [DiscreteCauchy_a numer denom].
    rewrite big_div_val, mbind_val, Z.quot_1_r, Z.abs_eq by lia. unfold big_sqrt.
    rewrite (proj2 (Z.ltb_ge (p / q) 0)), mbind_val by lia. fold n. cbv beta iota zeta. reflexivity. }
  unfold cauchy. apply forever_same; [intros F G L; more_fuel | |].
  { intros F G L. apply extends_bind; [now apply block_more | intros; now apply of_block_more]. }
  set (rest F (block : Z * Z) :=
    let* t5 := ask (layers_uniform_below F (snd block)) in
    let m := fst block + t5 in
    let* t7 := rational_div (rational_mul (Rational (snd block) 1) (Rational (snd block) 1)) (rational_add (Rational
      p q) (Rational (m * m) 1)) in
    let* t8 := ask (layers_bernoulli F t7) in
    if negb t8 then @val (result Z) unit tt else
    let* t9 := ask (coins_bits F 1) in
    if (t9 =? 1) && (m =? 0) then val tt else leave (Ok (if t9 =? 1 then - m else m))).
  assert (more_rest : forall block, monotone (fun F => rest F block)) by (intros block F G L; unfold rest; more_fuel).
  apply same_trans with (q := fun F => bind (cauchy_block F n) (rest F)).
  - apply same_of_eventually.
    + intros F G L. more_fuel.
    + intros F G L. apply extends_bind; [now apply block_more | intros; now apply more_rest].
    + exists (enough 3). intros F L. rewrite uniform_below_equal, ask_ok by (auto; lia). unfold cauchy_block. rewrite
      bind_bind.
      apply bind_ext. intros i. destruct (i =? 0); cbn [negb]; [reflexivity|].
      erewrite doubled_loop; [rewrite !mbind_bind, !bind_bind; apply bind_ext; intros l; reflexivity | |].
      * intros l. cbv beta. rewrite one_coin. f_equal. extensionality c. now rewrite is_one.
      * intros l. cbv beta zeta. f_equal; rewrite ?(Z.shiftl_mul_pow2 _ 1) by lia; lia.
  - apply same_ext with (p' := fun F => bind (cauchy_block F n) (rest F)); [reflexivity|].
    replace (fun F => bind (cauchy_attempt F p q) judged)
      with (fun F => bind (cauchy_block F n) (fun block => bind (cauchy_of_block F p q block) judged)).
    2: { extensionality F. unfold cauchy_attempt. fold n. now rewrite bind_bind. }
    apply same_bind with (R := in_a_block n).
    + apply same_refl.
    + apply block_more.
    + apply block_more.
    + intros F. now apply results_block.
    + exact more_rest.
    + intros block F G L. apply extends_bind; [now apply of_block_more | intros; apply extends_refl].
    + intros [start length] [L B]. cbn [fst snd] in *. apply same_of_eventually; [apply more_rest | |].
      { intros F G L'. apply extends_bind; [now apply of_block_more | intros; apply extends_refl]. }
      exists (enough length). intros F E. unfold rest, cauchy_of_block. cbn [fst snd].
      rewrite uniform_below_equal, ask_ok, bind_bind by auto. eapply bind_ext_results; [apply results_uniform_below|].
      intros rank K. cbv beta zeta in *.
      assert (W : length * length * q <= p + (start + rank) * (start + rank) * q /\ 0 < p + (start + rank) * (start +
        rank) * q).
      { destruct B as [[-> ->] | ->]; split; nia. }
      set (m := start + rank) in *. clearbody m.
      destruct (@weighed (result Z) length p q (m * m)) as (x & y & g & -> & G & X & Y); [lia | lia |].
      rewrite mbind_val, bernoulli_equal, ask_ok, <- X, <- Y, bernoulli_scaled, bind_bind by (auto; nia).
      apply bind_ext. intros []; [|reflexivity]. cbn [negb]. rewrite one_coin. cbn [bind]. f_equal. extensionality c.
      rewrite is_one. now destruct c, (m =? 0).
Qed.
