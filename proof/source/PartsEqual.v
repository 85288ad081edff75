(** What the small functions compute of which laws and learners are made: as translated, for all arguments.

    Claims: none.
*)
Require Import ZArith Bool String List Lia.
From DpAssay Require Import Trees Samplers Rust Source Same SamplersFuel SamplersEqual.
Import ListNotations.
Open Scope Z_scope.

(** * Rationals *)

Theorem ratio_equal F a b : b <> 0 -> rational_ratio F a b = Ret (Returned (lowest a b)).
Proof. intros B. unfold rational_ratio, rational_new. now rewrite (proj2 (Z.eqb_neq b 0) B). Qed.

Lemma floor_lowest a b : 0 < b -> rational_floor (lowest a b) = Rational (a / b) 1.
Proof.
  intros B. unfold rational_floor, lowest. rewrite (proj2 (Z.ltb_ge b 0)) by lia. cbn [numer denom]. f_equal.
  set (g := Z.gcd a b). assert (G : 0 < g).
  { pose proof (Z.gcd_nonneg a b). destruct (Z.eq_dec g 0) as [E|]; [apply Z.gcd_eq_0 in E|]; unfold g in *; lia. }
  destruct (Z.gcd_divide_l a b) as [x X], (Z.gcd_divide_r a b) as [y Y]. fold g in X, Y.
  rewrite X, Y, !Z.quot_mul by lia. symmetry. apply Z.div_mul_cancel_r; [nia | lia].
Qed.
(** The nearest integer, halves up. *)
Theorem nearest_equal F p q : 0 < q -> rational_nearest F (Rational p q) = Ret (Returned ((2 * p + q) / (2 * q))).
Proof.
  intros Q. unfold rational_nearest. rewrite ratio_equal by lia. cbn [call body mbind bind].
  change (lowest 1 2) with (Rational 1 2). unfold rational_add. cbn [numer denom].
  replace (p * 2 + 1 * q) with (2 * p + q) by ring. rewrite (Z.mul_comm q 2), floor_lowest by lia. cbn [numer denom].
  rewrite big_div_val, Z.quot_1_r by lia. reflexivity.
Qed.

(** * Clipping *)

(** x sqrt(n/d), rounded towards zero: never longer, and with the sign of x. *)
Theorem towards_zero_equal F x n d : 0 <= n -> 0 < d ->
  vector_towards_zero F x n d = Ret (Returned (if x <? 0 then - Z.sqrt (x * x * n / d) else Z.sqrt (x * x * n / d))).
Proof.
  intros N D. unfold vector_towards_zero. assert (0 <= x * x) by nia. assert (0 <= x * x * n) by nia.
  rewrite big_div_val, mbind_val, Z.quot_div_nonneg by lia. assert (0 <= x * x * n / d) by (apply Z.div_pos; lia).
  unfold big_sqrt. rewrite (proj2 (Z.ltb_ge _ 0)) by lia. rewrite mbind_val. now destruct (x <? 0).
Qed.
Theorem towards_zero_is_no_longer F x n d y : 0 <= n -> 0 < d -> vector_towards_zero F x n d = Ret (Returned y) ->
  d * (y * y) <= n * (x * x) /\ (0 <= x -> 0 <= y) /\ (x <= 0 -> y <= 0).
Proof.
  intros N D E. rewrite towards_zero_equal in E by lia. injection E as E.
  assert (0 <= x * x) by nia. assert (0 <= x * x * n) by nia. set (r := x * x * n / d) in *.
  assert (0 <= r) by (apply Z.div_pos; lia). pose proof (Z.sqrt_spec r ltac:(lia)) as [S _].
  pose proof (Z.sqrt_nonneg r). assert (d * r <= x * x * n) by (apply Z.mul_div_le; lia).
  destruct (Z.ltb_spec x 0); subst y; nia.
Qed.

(** * Constructors, and what they refuse is in NoiseEqual.v *)

Theorem laplace_around_equal F (law : DiscreteLaplace) value :
  DiscreteLaplace_around F law value = Ret (Returned (make_Around value law)).
Proof. reflexivity. Qed.
Theorem around_all_equal F (laplace : DiscreteLaplace) (gaussian : DiscreteGaussian) values :
  DiscreteLaplace_around_all F laplace values = Ret (Returned (make_AroundAll values laplace)) /\
  DiscreteGaussian_around_all F gaussian values = Ret (Returned (make_AroundAll values gaussian)).
Proof. split; reflexivity. Qed.
Theorem censored_new F value law least largest : least <= largest ->
  Censored_new F value law (least, largest) = Ret (Returned (Ok (make_Censored (make_Around value law) least largest))).
Proof. intros E. unfold Censored_new. now rewrite (proj2 (Z.leb_le least largest) E). Qed.
Theorem above_then_answer_new F excess answer test noise :
  AboveThenAnswer_new F (excess, answer) test noise = Ret (Returned (make_AboveThenAnswer excess test (make_Around
    answer noise))).
Proof. reflexivity. Qed.
Theorem is_quiet_equal F told least largest noisy :
  Censored_is_quiet F (make_Censored told least largest) noisy = Ret (Returned ((least <=? noisy) && (noisy <=?
    largest))).
Proof. reflexivity. Qed.
Theorem cauchy_new F p q : 0 < q <= p -> DiscreteCauchy_new F (Rational p q) = Ret (Returned (Ok (make_DiscreteCauchy
  (Rational p q)))).
Proof.
  intros Q. unfold DiscreteCauchy_new, rational_leb. cbn [numer denom]. now rewrite (proj2 (Z.leb_le _ _)) by lia.
Qed.

(** * The hinge loss *)

(** Refused: a width that is not above 0, a target above 1. *)
Theorem hinge_new F target width one :
  HingeLoss_new F target width one = if rational_leb width (lowest 0 1) || rational_ltb (lowest 1 1) target
    then out_of_range "the margin of the loss" else Ret (Returned (Ok (make_HingeLoss target width one))).
Proof.
  unfold HingeLoss_new. rewrite !ratio_equal by lia. cbn [call bind mbind].
  destruct (rational_leb width (lowest 0 1)); [reflexivity|]. cbn [orb mbind bind].
  now destruct (rational_ltb (lowest 1 1) target).
Qed.
Theorem hinge_printed F gamma one :
  HingeLoss_printed F gamma one = HingeLoss_new F (rational_mul gamma (lowest 96 100)) (rational_mul gamma (lowest 86
    100)) one.
Proof. unfold HingeLoss_printed. rewrite !ratio_equal by lia. cbn [call bind mbind]. apply body_call. Qed.
Theorem hinge_of_margin F mu one : HingeLoss_of_margin F mu one = HingeLoss_new F mu mu one.
Proof. apply body_call. Qed.

(** * The rank within a class *)

(** A class from the mechanism, and a uniform number below its count. *)
Theorem draw_outcome_equal sample F self :
  ExponentialMechanism_draw_outcome sample F self = body (
    let* class := ask (sample F self) in
    let* c := at_place (ExponentialMechanism_classes self) class in
    let* rank := ask (layers_uniform_below F (ScoreClass_count c)) in
    val (Ok (class, rank))).
Proof. unfold ExponentialMechanism_draw_outcome. same_run. Qed.
