(** The functions of reference/src, translated: not to be changed by hand. `make prove` writes it again and compares.

    Claims: none.
*)
Require Import ZArith Bool String List.
From DpAssay Require Import Trees Rust.
Import ListNotations.
Open Scope Z_scope.

(** crate::coins::layers::uniform_below_attempt *)
Definition layers_uniform_below_attempt (F : nat) (n : Z) : rust (result (option Z)) :=
  body (
    if (n =? 0) : bool then
      leave (Err ("OutOfRange"%string, "the number of outcomes"%string))
    else
    let* t1 := natural_sub n 1 in
    let width := (number_of_bits t1) in
    let candidate := 0 in
    let left' := width in
    let* '(candidate, left') := while F
      (fun '(candidate, left') =>
        val (0 <? left')
      ) (fun '(candidate, left') =>
        let count' := (cast 32 (Z.min left' 64)) in
        let* t2 := ask (coins_bits F count') in
        let candidate := ((Z.shiftl candidate count') + t2) in
        let* t3 := natural_sub left' count' in
        let left' := t3 in
        val (candidate, left')
      ) (candidate, left') in
    val (Ok (if (candidate <? n) : bool then Some candidate else None))).

(** crate::coins::layers::uniform_below *)
Definition layers_uniform_below (F : nat) (n : Z) : rust (result Z) :=
  body (
    forever F
      (fun _ =>
        let* t1 := ask (layers_uniform_below_attempt F n) in
        match t1 with Some value =>
          leave (Ok value)
        | _ =>
          val tt
        end
      ) tt).

(** crate::error::require *)
Definition error_require (F : nat) (right' : bool) (parameter : string) : rust (result unit) :=
  body (
    val (ok_or (if right' : bool then Some tt else None) ("OutOfRange"%string, parameter))).

(** crate::coins::layers::bernoulli *)
Definition layers_bernoulli (F : nat) (p : rational) : rust (result bool) :=
  body (
    let* t1 := ask (error_require F ((negb (rational_is_negative p)) && (rational_leb p (Rational 1 1)))
      "a probability"%string) in
    if ((numer p) =? (denom p)) : bool then
      leave (Ok true)
    else
    let denominator := (denom p) in
    let remainder := (numer p) in
    let* remainder := while F
      (fun remainder =>
        val (negb (remainder =? 0))
      ) (fun remainder =>
        let remainder := (Z.shiftl remainder 1) in
        let digit := (denominator <=? remainder) in
        let* remainder := (
          if digit : bool then
            let remainder := (remainder - denominator) in
            val remainder
          else
          val remainder
        ) in
        let* t2 := ask (coins_bits F 1) in
        let coin := (t2 =? 1) in
        if (negb (Bool.eqb coin digit)) : bool then
          leave (Ok digit)
        else
        val remainder
      ) remainder in
    val (Ok false)).

(** crate::coins::layers::bernoulli_exp_up_to_one *)
Definition layers_bernoulli_exp_up_to_one (F : nat) (x : rational) : rust (result bool) :=
  body (
    let k := 1 in
    let* k := while F
      (fun k =>
        let* t1 := ask (layers_bernoulli F (Rational (numer x) ((denom x) * k))) in
        val t1
      ) (fun k =>
        let k := (k + 1) in
        val k
      ) k in
    val (Ok (Z.testbit k 0))).

(** crate::coins::layers::bernoulli_exp *)
Fixpoint layers_bernoulli_exp_deep (D F : nat) (x : rational) {struct D} : rust (result bool) :=
  match D with O => Stop | S D =>
  body (
    let* t1 := ask (error_require F (negb (rational_is_negative x)) "the exponent of exp(-x)"%string) in
    if ((numer x) <=? (denom x)) : bool then
      let* t2 := call (layers_bernoulli_exp_up_to_one F x) in
      leave t2
    else
    let* t3 := big_div_rem (numer x) (denom x) in
    let '(whole, rest) := t3 in
    let* whole := while F
      (fun whole =>
        val (negb (whole =? 0))
      ) (fun whole =>
        let* t4 := ask (layers_bernoulli_exp_deep D F (Rational 1 1)) in
        if (negb t4) : bool then
          leave (Ok false)
        else
        let whole := (whole - 1) in
        val whole
      ) whole in
    call (layers_bernoulli_exp_deep D F (Rational rest (denom x))))
  end.
Definition layers_bernoulli_exp (F : nat) (x : rational) : rust (result bool) := layers_bernoulli_exp_deep (S F) F x.

(** crate::sample::geometric::remainder *)
Definition geometric_remainder (F : nat) (t : Z) : rust (result Z) :=
  body (
    forever F
      (fun _ =>
        let* t1 := ask (layers_uniform_below F t) in
        let u := t1 in
        let exponent := (Rational u t) in
        let* t2 := ask (layers_bernoulli_exp F exponent) in
        if t2 : bool then
          leave (Ok u)
        else
        val tt
      ) tt).

(** crate::number::rational::integer *)
Definition rational_integer (F : nat) (value : Z) : rust rational :=
  body (
    val (Rational value 1)).

(** crate::sample::geometric::whole_part *)
Definition geometric_whole_part (F : nat) : rust (result Z) :=
  body (
    let v := 0 in
    let* v := while F
      (fun v =>
        let* t1 := call (rational_integer F 1) in
        let* t2 := ask (layers_bernoulli_exp F t1) in
        val t2
      ) (fun v =>
        let v := (v + 1) in
        val v
      ) v in
    val (Ok v)).

(** crate::sample::geometric::Geometric *)
Record Geometric := make_Geometric { Geometric_rate : rational }.

(** crate::sample::geometric::Geometric::sample *)
Definition Geometric_sample (F : nat) (self : Geometric) : rust (result Z) :=
  body (
    let '(s, t) := ((Z.abs (numer (Geometric_rate self))), (Z.abs (denom (Geometric_rate self)))) in
    let* t1 := ask (geometric_remainder F t) in
    let u := t1 in
    let* t2 := ask (geometric_whole_part F) in
    let v := t2 in
    let* t3 := big_div (u + (t * v)) s in
    val (Ok t3)).

(** crate::sample::discrete_laplace::DiscreteLaplace *)
Record DiscreteLaplace := make_DiscreteLaplace { DiscreteLaplace_scale : rational; DiscreteLaplace_magnitude :
    Geometric }.

(** crate::sample::discrete_laplace::DiscreteLaplace::sample *)
Definition DiscreteLaplace_sample (F : nat) (self : DiscreteLaplace) : rust (result Z) :=
  body (
    forever F
      (fun _ =>
        let* t1 := ask (coins_bits F 1) in
        let negative := (t1 =? 1) in
        let* t2 := ask ((Geometric_sample) F (DiscreteLaplace_magnitude self)) in
        let magnitude := t2 in
        if (negative && (magnitude =? 0)) : bool then
          val tt
        else
        let value := magnitude in
        leave (Ok (if negative : bool then (- value) else value))
      ) tt).

(** crate::sample::discrete_gaussian::DiscreteGaussian *)
Record DiscreteGaussian := make_DiscreteGaussian { DiscreteGaussian_variance : rational; DiscreteGaussian_t : Z;
    DiscreteGaussian_proposal : DiscreteLaplace }.

(** crate::sample::discrete_gaussian::DiscreteGaussian::sample *)
Definition DiscreteGaussian_sample (F : nat) (self : DiscreteGaussian) : rust (result Z) :=
  body (
    forever F
      (fun _ =>
        let* t1 := ask ((DiscreteLaplace_sample) F (DiscreteGaussian_proposal self)) in
        let y := t1 in
        let '(a, b, t) := ((numer (DiscreteGaussian_variance self)), (denom (DiscreteGaussian_variance self)),
          (DiscreteGaussian_t self)) in
        let gap := ((((Z.abs y) * b) * t) - a) in
        let exponent := (Rational (gap * gap) ((((2 * a) * b) * t) * t)) in
        let* t2 := ask (layers_bernoulli_exp F exponent) in
        if t2 : bool then
          leave (Ok y)
        else
        val tt
      ) tt).

(** crate::sample::geometric::Geometric::new *)
Definition Geometric_new (F : nat) (rate : rational) : rust (result Geometric) :=
  body (
    let* t1 := ask (error_require F (rational_is_positive rate) "the rate of a geometric law"%string) in
    val (Ok (make_Geometric rate))).

(** crate::sample::discrete_laplace::DiscreteLaplace::new *)
Definition DiscreteLaplace_new (F : nat) (scale : rational) : rust (result DiscreteLaplace) :=
  body (
    let* t1 := ask (error_require F (rational_is_positive scale) "the scale of a discrete Laplace law"%string) in
    let* t2 := rational_recip scale in
    let* t3 := ask (Geometric_new F t2) in
    val (Ok (make_DiscreteLaplace scale t3))).

(** crate::sample::discrete_gaussian::DiscreteGaussian::new *)
Definition DiscreteGaussian_new (F : nat) (variance : rational) : rust (result DiscreteGaussian) :=
  body (
    let* t1 := ask (error_require F (rational_is_positive variance) "the variance of a discrete Gaussian law"%string) in
    let* t2 := big_div (numer (rational_floor variance)) (denom (rational_floor variance)) in
    let* t3 := big_sqrt t2 in
    let t := (t3 + 1) in
    let* t4 := ask (DiscreteLaplace_new F (Rational t 1)) in
    val (Ok (make_DiscreteGaussian variance t t4))).

(** crate::sample::noise::Around *)
Record Around (N : Type) := make_Around { Around_value : Z; Around_noise : N }.
Arguments make_Around {N}.
Arguments Around_value {N}.
Arguments Around_noise {N}.

(** crate::sample::noise::Around::sample *)
Definition Around_sample {N : Type} (N_sample : nat -> N -> rust (result Z)) (F : nat) (self : (Around N)) : rust
    (result Z) :=
  body (
    let* t1 := ask (N_sample F (Around_noise self)) in
    val (Ok ((Around_value self) + t1))).

(** crate::sample::discrete_laplace::DiscreteLaplace::around *)
Definition DiscreteLaplace_around (F : nat) (self : DiscreteLaplace) (value : Z) : rust (Around DiscreteLaplace) :=
  body (
    val (make_Around value self)).

(** crate::sample::discrete_gaussian::DiscreteGaussian::around *)
Definition DiscreteGaussian_around (F : nat) (self : DiscreteGaussian) (value : Z) : rust (Around DiscreteGaussian) :=
  body (
    val (make_Around value self)).

(** crate::sample::noise::AroundAll *)
Record AroundAll (N : Type) := make_AroundAll { AroundAll_values : (list Z); AroundAll_noise : N }.
Arguments make_AroundAll {N}.
Arguments AroundAll_values {N}.
Arguments AroundAll_noise {N}.

(** crate::sample::noise::AroundAll::sample *)
Definition AroundAll_sample {N : Type} (N_draw_vector : nat -> N -> Z -> rust (result (list Z))) (F : nat) (self :
    (AroundAll N)) : rust (result (list Z)) :=
  body (
    let* t1 := ask (N_draw_vector F (AroundAll_noise self) (Z.of_nat (length (AroundAll_values self)))) in
    let noise := t1 in
    val (Ok (map (fun '(x, noise) => (x + noise)) (combine (AroundAll_values self) noise)))).

(** crate::sample::discrete_laplace::DiscreteLaplace::draw_vector *)
Definition DiscreteLaplace_draw_vector (F : nat) (self : DiscreteLaplace) (dimension : Z) : rust (result (list Z)) :=
  body (
    call (collect_each (range dimension) (fun _ => (DiscreteLaplace_sample) F self))).

(** crate::sample::discrete_gaussian::DiscreteGaussian::draw_vector *)
Definition DiscreteGaussian_draw_vector (F : nat) (self : DiscreteGaussian) (dimension : Z) : rust (result (list Z)) :=
  body (
    call (collect_each (range dimension) (fun _ => (DiscreteGaussian_sample) F self))).

(** crate::sample::censored::Censored *)
Record Censored := make_Censored { Censored_told : (Around DiscreteLaplace); Censored_least : Z; Censored_largest : Z }.

(** crate::sample::censored::Censored::new *)
Definition Censored_new (F : nat) (value : Z) (noise : DiscreteLaplace) (p2 : (Z * Z)) : rust (result Censored) :=
  body (
    let '(least, largest) := p2 in
    let* t1 := ask (error_require F (least <=? largest) "the interval of quiet answers"%string) in
    let* t2 := call (DiscreteLaplace_around F noise value) in
    val (Ok (make_Censored t2 least largest))).

(** crate::sample::censored::Censored::is_quiet *)
Definition Censored_is_quiet (F : nat) (self : Censored) (noisy : Z) : rust bool :=
  body (
    val (((Censored_least self) <=? noisy) && (noisy <=? (Censored_largest self)))).

(** crate::sample::censored::Censored::sample *)
Definition Censored_sample (F : nat) (self : Censored) : rust (result (option Z)) :=
  body (
    let* t1 := ask ((Around_sample (DiscreteLaplace_sample)) F (Censored_told self)) in
    let noisy := t1 in
    let* t2 := call (Censored_is_quiet F self noisy) in
    val (Ok (if (negb t2) : bool then Some noisy else None))).

(** crate::sample::above_then_answer::AboveThenAnswer *)
Record AboveThenAnswer := make_AboveThenAnswer { AboveThenAnswer_excess : Z; AboveThenAnswer_test : DiscreteLaplace;
    AboveThenAnswer_answer : (Around DiscreteLaplace) }.

(** crate::sample::above_then_answer::AboveThenAnswer::new *)
Definition AboveThenAnswer_new (F : nat) (p0 : (Z * Z)) (test : DiscreteLaplace) (noise : DiscreteLaplace) : rust
    AboveThenAnswer :=
  body (
    let '(excess, answer) := p0 in
    let* t1 := call (DiscreteLaplace_around F noise answer) in
    val (make_AboveThenAnswer excess test t1)).

(** crate::sample::above_then_answer::AboveThenAnswer::sample *)
Definition AboveThenAnswer_sample (F : nat) (self : AboveThenAnswer) : rust (result (option Z)) :=
  body (
    let* t1 := ask ((DiscreteLaplace_sample) F (AboveThenAnswer_test self)) in
    let test := t1 in
    if (((AboveThenAnswer_excess self) + test) <? 0) : bool then
      leave (Ok None)
    else
    let* t2 := ask ((Around_sample (DiscreteLaplace_sample)) F (AboveThenAnswer_answer self)) in
    val (Ok (Some t2))).

(** crate::sample::discrete_cauchy::DiscreteCauchy *)
Record DiscreteCauchy := make_DiscreteCauchy { DiscreteCauchy_a : rational }.

(** crate::sample::discrete_cauchy::DiscreteCauchy::new *)
Definition DiscreteCauchy_new (F : nat) (squared_scale : rational) : rust (result DiscreteCauchy) :=
  body (
    let right' := (rational_leb (Rational 1 1) squared_scale) in
    let* t1 := ask (error_require F right' "the squared scale of a discrete Cauchy law"%string) in
    val (Ok (make_DiscreteCauchy squared_scale))).

(** crate::sample::discrete_cauchy::DiscreteCauchy::sample *)
Definition DiscreteCauchy_sample (F : nat) (self : DiscreteCauchy) : rust (result Z) :=
  body (
    let* t1 := big_div (numer (rational_floor (DiscreteCauchy_a self))) (denom (rational_floor (DiscreteCauchy_a
      self))) in
    let* t2 := big_sqrt (Z.abs t1) in
    let n := t2 in
    forever F
      (fun _ =>
        let '(start, length') := (0, n) in
        let* t3 := ask (layers_uniform_below F 3) in
        let* '(length', start) := (
          if (negb (t3 =? 0)) : bool then
            let* length' := while F
              (fun length' =>
                let* t4 := ask (coins_bits F 1) in
                val (t4 =? 1)
              ) (fun length' =>
                let length' := (Z.shiftl length' 1) in
                val length'
              ) length' in
            let start := length' in
            val (length', start)
          else
          val (length', start)
        ) in
        let* t5 := ask (layers_uniform_below F length') in
        let magnitude := (start + t5) in
        let weight := (rational_add (DiscreteCauchy_a self) (Rational (magnitude * magnitude) 1)) in
        let* t6 := call (rational_integer F length') in
        let* t7 := rational_div (rational_mul t6 t6) weight in
        let* t8 := ask (layers_bernoulli F t7) in
        if (negb t8) : bool then
          val tt
        else
        let* t9 := ask (coins_bits F 1) in
        let negative := (t9 =? 1) in
        if (negative && (magnitude =? 0)) : bool then
          val tt
        else
        leave (Ok (if negative : bool then (- magnitude) else magnitude))
      ) tt).

(** crate::number::rational::ratio *)
Definition rational_ratio (F : nat) (numerator : Z) (denominator : Z) : rust rational :=
  body (
    let* t1 := rational_new numerator denominator in
    val t1).

(** crate::number::rational::nearest *)
Definition rational_nearest (F : nat) (value : rational) : rust Z :=
  body (
    let* t1 := call (rational_ratio F 1 2) in
    let* t2 := big_div (numer (rational_floor (rational_add value t1))) (denom (rational_floor (rational_add value
      t1))) in
    val t2).

(** crate::vector::towards_zero *)
Definition vector_towards_zero (F : nat) (x : Z) (numerator : Z) (denominator : Z) : rust Z :=
  body (
    let* t1 := big_div ((x * x) * numerator) denominator in
    let* t2 := big_sqrt t1 in
    let root := t2 in
    if (x <? 0) : bool then
      val (- root)
    else
    val root).

(** crate::sample::discrete_laplace::DiscreteLaplace::around_all *)
Definition DiscreteLaplace_around_all (F : nat) (self : DiscreteLaplace) (values : (list Z)) : rust (AroundAll
    DiscreteLaplace) :=
  body (
    val (make_AroundAll values self)).

(** crate::sample::discrete_gaussian::DiscreteGaussian::around_all *)
Definition DiscreteGaussian_around_all (F : nat) (self : DiscreteGaussian) (values : (list Z)) : rust (AroundAll
    DiscreteGaussian) :=
  body (
    val (make_AroundAll values self)).

(** crate::halfspaces::hinge_loss::HingeLoss *)
Record HingeLoss := make_HingeLoss { HingeLoss_target : rational; HingeLoss_width : rational; HingeLoss_one : Z }.

(** crate::halfspaces::hinge_loss::HingeLoss::new *)
Definition HingeLoss_new (F : nat) (target : rational) (width : rational) (one : Z) : rust (result HingeLoss) :=
  body (
    let* t1 := call (rational_ratio F 0 1) in
    let* t3 := (if (rational_leb width t1) : bool then val true else (let* t2 := call (rational_ratio F 1 1) in val
      (rational_ltb t2 target))) in
    if t3 : bool then
      leave (Err ("OutOfRange"%string, "the margin of the loss"%string))
    else
    val (Ok (make_HingeLoss target width one))).

(** crate::halfspaces::hinge_loss::HingeLoss::printed *)
Definition HingeLoss_printed (F : nat) (gamma : rational) (one : Z) : rust (result HingeLoss) :=
  body (
    let* t1 := call (rational_ratio F 96 100) in
    let* t2 := call (rational_ratio F 86 100) in
    call (HingeLoss_new F (rational_mul gamma t1) (rational_mul gamma t2) one)).

(** crate::halfspaces::hinge_loss::HingeLoss::of_margin *)
Definition HingeLoss_of_margin (F : nat) (mu : rational) (one : Z) : rust (result HingeLoss) :=
  body (
    call (HingeLoss_new F mu mu one)).

Section opaque.

(** crate::sample::exponential_mechanism::ScoreClass *)
Record ScoreClass := make_ScoreClass { ScoreClass_loss : rational; ScoreClass_count : Z }.

(** crate::sample::exponential_mechanism::ExponentialMechanism *)
Record ExponentialMechanism := make_ExponentialMechanism { ExponentialMechanism_classes : (list ScoreClass);
    ExponentialMechanism_epsilon : rational; ExponentialMechanism_sensitivity : rational;
      ExponentialMechanism_exponents : (list rational) }.

(** crate::sample::exponential_mechanism::ExponentialMechanism::sample *)
Variable ExponentialMechanism_sample : nat -> ExponentialMechanism -> rust (result Z).

(** crate::sample::exponential_mechanism::ExponentialMechanism::draw_outcome *)
Definition ExponentialMechanism_draw_outcome (F : nat) (self : ExponentialMechanism) : rust (result (Z * Z)) :=
  body (
    let* t1 := ask ((ExponentialMechanism_sample) F self) in
    let class := t1 in
    let* t2 := at_place (ExponentialMechanism_classes self) class in
    let* t3 := ask (layers_uniform_below F (ScoreClass_count t2)) in
    let rank := t3 in
    val (Ok (class, rank))).

(** crate::data::Points *)
Variable Points : Type -> Type.

(** crate::data::Points::dimension *)
Variable Points_dimension : forall A, Points A -> ending Z.

(** crate::data::Points::len *)
Variable Points_len : forall A, Points A -> ending Z.

(** crate::sample::scored_choice::ScoredChoice *)
Variable ScoredChoice : Type.

(** crate::sample::scored_choice::ScoredChoice::new *)
Variable ScoredChoice_new : (list Z) -> rational -> ending (result ScoredChoice).

(** crate::sample::scored_choice::ScoredChoice::sample *)
Variable ScoredChoice_sample : nat -> ScoredChoice -> rust (result Z).

Variable gibbs_learn_errors : (list (list Z)) -> (Points bool) -> ending (list Z).

(** crate::margin::gibbs::learn *)
Definition gibbs_learn (F : nat) (s : (Points bool)) (candidates : (list (list Z))) (epsilon : rational) : rust
    (result Z) :=
  body (
    let* errors := call (Ret (gibbs_learn_errors candidates s)) in
    let* t1 := ask (Ret (ScoredChoice_new errors epsilon)) in
    let* t2 := ask ((ScoredChoice_sample) F t1) in
    val (Ok t2)).

Variable labels_learn_taken : (list (list Z)) -> rational -> rational -> (Points bool) -> (list (Z * (list
    rational))) -> ending (list (Z * (list rational))).

Variable labels_learn_errors : rational -> rational -> (Points bool) -> (list (Z * (list rational))) -> ending (list Z).

(** crate::margin::labels::learn *)
Definition labels_learn (F : nat) (s : (Points bool)) (h : (list (list Z))) (rho : rational) (epsilon : rational) :
    rust (result Z) :=
  body (
    if (negb (rational_is_positive rho)) : bool then
      leave (Err ("OutOfRange"%string, "rho"%string))
    else
    let* t1 := call (rational_ratio F 1 2) in
    let half := (rational_mul rho t1) in
    let taken := [] in
    let* taken := call (Ret (labels_learn_taken h half rho s taken)) in
    let* errors := call (Ret (labels_learn_errors half rho s taken)) in
    let* t2 := ask (Ret (ScoredChoice_new errors epsilon)) in
    let* t3 := ask ((ScoredChoice_sample) F t2) in
    let place := t3 in
    let* t4 := at_place taken place in
    val (Ok (fst t4))).

(** crate::margin::algorithm_1::signs *)
Variable margin_algorithm_1_signs : nat -> Z -> Z -> rust (result (list (list Z))).

(** crate::margin::algorithm_1::identity *)
Variable margin_algorithm_1_identity : Z -> ending (list (list Z)).

(** crate::margin::algorithm_1::cover *)
Variable margin_algorithm_1_cover : Z -> rational -> ending (result (list (list Z))).

Variable algorithm_1_learn_s_phi : (list (list Z)) -> (Points bool) -> ending (list (list Z)).

Variable algorithm_1_learn_errors : (list (list Z)) -> (list (list Z)) -> ending (list Z).

Variable algorithm_1_learn_direction : (list Z) -> Z -> (list (list Z)) -> ending (list Z).

(** crate::margin::algorithm_1::learn *)
Definition margin_algorithm_1_learn (F : nat) (s : (Points bool)) (k : Z) (radius : rational) (epsilon : rational) :
    rust (result ((list (list Z)) * (list Z) * (list Z))) :=
  body (
    let* t1 := call (Ret (Points_dimension _ s)) in
    let d := t1 in
    let* t4 := (if (k <? d) : bool then (let* t2 := ask (margin_algorithm_1_signs F k d) in val t2) else (let* t3 :=
      call (Ret (margin_algorithm_1_identity d)) in val t3)) in
    let phi := t4 in
    let* s_phi := call (Ret (algorithm_1_learn_s_phi phi s)) in
    let* t5 := ask (Ret (margin_algorithm_1_cover (Z.of_nat (length phi)) radius)) in
    let cover := t5 in
    let* errors := call (Ret (algorithm_1_learn_errors cover s_phi)) in
    let* t6 := ask (Ret (ScoredChoice_new errors epsilon)) in
    let* t7 := ask ((ScoredChoice_sample) F t6) in
    let* t8 := at_place cover t7 in
    let c := t8 in
    let* direction := call (Ret (algorithm_1_learn_direction c d phi)) in
    val (Ok (phi, c, direction))).

(** crate::halfspaces::projection::draw *)
Variable projection_draw : nat -> (option Z) -> Z -> rust (result (list (list Z))).

(** crate::halfspaces::algorithm_2::net *)
Variable halfspaces_algorithm_2_net : Z -> rational -> ending (Z * (list (list Z))).

(** crate::halfspaces::projection::pull_back *)
Variable projection_pull_back : (list Z) -> (list (list Z)) -> Z -> ending (list Z).

Variable algorithm_2_learn_s_a : (list (list Z)) -> (Points bool) -> ending (list (list Z)).

Variable algorithm_2_learn_errors : Z -> (list (list Z)) -> rational -> (list (list Z)) -> ending (list Z).

(** crate::halfspaces::algorithm_2::learn *)
Definition halfspaces_algorithm_2_learn (F : nat) (s : (Points bool)) (m : (option Z)) (p2 : (rational * rational))
    (epsilon : rational) : rust (result ((list (list Z)) * (list Z) * (list Z))) :=
  body (
    let '(radius, threshold) := p2 in
    let most := (Rational 8388608 1) in
    let* t2 := (if ((negb (rational_is_positive radius)) || (rational_is_negative threshold)) : bool then val true
      else (let* t1 := call (Ret (Points_len _ s)) in val (rational_ltb most (rational_mul epsilon (Rational t1
        1))))) in
    if t2 : bool then
      leave (Err ("OutOfRange"%string, "radius, threshold or epsilon n"%string))
    else
    let* t3 := call (Ret (Points_dimension _ s)) in
    let* t4 := ask (projection_draw F m t3) in
    let a := t4 in
    let* s_a := call (Ret (algorithm_2_learn_s_a a s)) in
    let* t5 := call (Ret (halfspaces_algorithm_2_net (Z.of_nat (length a)) radius)) in
    let '(q, w) := t5 in
    let* errors := call (Ret (algorithm_2_learn_errors q s_a threshold w)) in
    let* t6 := ask (Ret (ScoredChoice_new errors epsilon)) in
    let* t7 := ask ((ScoredChoice_sample) F t6) in
    let chosen := t7 in
    let* t8 := at_place w chosen in
    let* t9 := call (Ret (Points_dimension _ s)) in
    let* t10 := call (Ret (projection_pull_back t8 a t9)) in
    let pulled_back := t10 in
    let* t11 := at_place w chosen in
    val (Ok (a, t11, pulled_back))).

Variable labels_as_printed_label_privacy_h_rho : (list (list Z)) -> rational -> ending (list (list rational)).

Variable labels_as_printed_label_privacy_c : (list (list Z)) -> (list (list rational)) -> rational -> ending (list Z).

Variable labels_as_printed_label_privacy_errors : (list Z) -> (list (list rational)) -> rational -> (list Z) ->
    ending (list Z).

(** crate::margin::labels_as_printed::label_privacy *)
Definition labels_as_printed_label_privacy (F : nat) (h : (list (list Z))) (y : (list Z)) (rho : rational) (epsilon
    : rational) : rust (result Z) :=
  body (
    let* h_rho := call (Ret (labels_as_printed_label_privacy_h_rho h rho)) in
    let* t1 := call (rational_ratio F 1 2) in
    let half := (rational_mul rho t1) in
    let* c := call (Ret (labels_as_printed_label_privacy_c h h_rho half)) in
    let* errors := call (Ret (labels_as_printed_label_privacy_errors c h_rho half y)) in
    let* t2 := ask (Ret (ScoredChoice_new errors epsilon)) in
    let* t3 := ask ((ScoredChoice_sample) F t2) in
    let chosen := t3 in
    let* t4 := at_place c chosen in
    val (Ok t4)).

Variable clipped_interpolation_learn_c : (list rational) -> Z -> Z -> ending (list Z).

(** crate::random_features::clipped_interpolation::learn *)
Definition clipped_interpolation_learn (F : nat) (c : (list rational)) (c_one : Z) (radius : Z) (variance :
    rational) : rust (result (list Z)) :=
  body (
    let* t1 := ask (DiscreteGaussian_new F variance) in
    let noise := t1 in
    let* c := call (Ret (clipped_interpolation_learn_c c c_one radius)) in
    let* t2 := call (DiscreteGaussian_around_all F noise c) in
    let* t3 := ask ((AroundAll_sample (DiscreteGaussian_draw_vector)) F t2) in
    val (Ok t3)).

(** crate::sample::exponential_mechanism::ExponentialMechanism::new *)
Variable ExponentialMechanism_new : rational -> rational -> (list ScoreClass) -> ending (result ExponentialMechanism).

Variable HingeLoss_choose_classes : (list (list Z)) -> (list (list Z)) -> HingeLoss -> ending (list ScoreClass).

(** crate::halfspaces::hinge_loss::HingeLoss::choose *)
Definition HingeLoss_choose (F : nat) (self : HingeLoss) (candidates : (list (list Z))) (records : (list (list Z)))
    (epsilon : rational) : rust (result Z) :=
  body (
    let* t1 := call (rational_ratio F 8388608 1) in
    if (rational_ltb t1 (rational_mul epsilon (Rational (Z.of_nat (length records)) 1))) : bool then
      leave (Err ("OutOfRange"%string, "epsilon n"%string))
    else
    let* t2 := rational_div (rational_add (HingeLoss_target self) (Rational 1 1)) (HingeLoss_width self) in
    let range' := t2 in
    let* classes := call (Ret (HingeLoss_choose_classes candidates records self)) in
    let* t3 := ask (Ret (ExponentialMechanism_new epsilon range' classes)) in
    let* t4 := ask ((ExponentialMechanism_sample) F t3) in
    val (Ok t4)).

(** crate::data::Points::one *)
Variable Points_one : forall A, Points A -> ending Z.

(** crate::halfspaces::projection::unit_points *)
Variable projection_unit_points : (list (list Z)) -> (Points bool) -> ending (list (list Z)).

(** crate::halfspaces::algorithm_3::Public *)
Record Public := make_Public { Public_m : (option Z); Public_gamma : rational; Public_epsilon : rational; Public_k :
    Z; Public_points : Z; Public_variance : rational }.

(** crate::halfspaces::algorithm_3::noise_gd *)
Variable halfspaces_algorithm_3_noise_gd : nat -> (list (list Z)) -> HingeLoss -> Public -> rust (result (list Z)).

(** crate::halfspaces::algorithm_3::Model *)
Record Model := make_Model { Model_a : (list (list Z)); Model_candidates : (list (list Z)); Model_chosen : Z;
    Model_pulled_back : (list Z) }.

(** crate::halfspaces::algorithm_3::learn *)
Definition halfspaces_algorithm_3_learn (F : nat) (s : (Points bool)) (public : Public) : rust (result Model) :=
  body (
    let* t1 := call (Ret (Points_dimension _ s)) in
    let m := (unwrap_or (Public_m public) t1) in
    let* t2 := call (Ret (Points_len _ s)) in
    if (((t2 =? 0) || (m =? 0)) || ((Public_points public) =? 0)) : bool then
      leave (Err ("OutOfRange"%string, "n, m or T"%string))
    else
    let* t3 := call (Ret (Points_dimension _ s)) in
    let* t4 := ask (projection_draw F (Public_m public) t3) in
    let a := t4 in
    let* t5 := call (Ret (projection_unit_points a s)) in
    let s_a := t5 in
    let* t6 := call (Ret (Points_one _ s)) in
    let* t7 := ask (HingeLoss_printed F (Public_gamma public) t6) in
    let loss := t7 in
    let candidates := [] in
    let* candidates := each (range (Public_k public))
      (fun _ candidates =>
        let* t8 := ask (halfspaces_algorithm_3_noise_gd F s_a loss public) in
        let candidates := (candidates ++ [t8]) in
        val candidates
      ) candidates in
    let* t9 := rational_div (Public_epsilon public) (Rational 2 1) in
    let half := t9 in
    let* t10 := ask (HingeLoss_choose F loss candidates s_a half) in
    let chosen := t10 in
    let* t11 := at_place candidates chosen in
    let* t12 := call (Ret (Points_dimension _ s)) in
    let* t13 := call (Ret (projection_pull_back t11 a t12)) in
    let pulled_back := t13 in
    val (Ok (make_Model a candidates chosen pulled_back))).

(** crate::kernels::kernel::Kernel *)
Variable Kernel : Type.

(** crate::kernels::kernel::Kernel::check *)
Variable Kernel_check : Kernel -> (list Z) -> ending (result unit).

(** crate::kernels::kernel::Kernel::predict *)
Variable Kernel_predict : Kernel -> (list (rational * (list Z))) -> (list Z) -> ending (result rational).

(** crate::kernels::minimiser::Problem *)
Variable Problem : Type.

(** crate::kernels::minimiser::s_prime *)
Variable minimiser_s_prime : Problem -> ending (result rational).

(** crate::kernels::span::nearest_in_span *)
Variable span_nearest_in_span : Kernel -> (list (list Z)) -> (list rational) -> rational -> ending (result (list
    (rational * (list Z)))).

Variable algorithm_2_learn_kernel : Problem -> ending Kernel.

(** crate::kernels::algorithm_2::learn *)
Definition kernels_algorithm_2_learn (F : nat) (w_star : (list (rational * (list Z)))) (problem : Problem) (z :
    (list (list Z))) (p3 : (rational * Z)) (c0 : rational) : rust (result ((list rational) * (list (rational * (list
      Z))))) :=
  body (
    let '(e, steps) := p3 in
    let* kernel := call (Ret (algorithm_2_learn_kernel problem)) in
    let* _ := each z
      (fun z_t _ =>
        let* t1 := ask (Ret (Kernel_check kernel z_t)) in
        val tt
      ) tt in
    let* t2 := ask (Ret (minimiser_s_prime problem)) in
    let* t3 := call (rational_integer F steps) in
    let* t4 := rational_div t2 t3 in
    let u := t4 in
    let* t5 := call (rational_integer F steps) in
    let* t6 := rational_div t5 e in
    let* t7 := ask (DiscreteLaplace_new F t6) in
    let noise := t7 in
    let y := [] in
    let* y := each z
      (fun z_t y =>
        let* t8 := ask (Ret (Kernel_predict kernel w_star z_t)) in
        let* t9 := rational_div t8 u in
        let* t10 := call (rational_nearest F t9) in
        let exact := t10 in
        let* t11 := call (DiscreteLaplace_around F noise exact) in
        let* t12 := ask ((Around_sample (DiscreteLaplace_sample)) F t11) in
        let y := (y ++ [(rational_mul u (Rational t12 1))]) in
        val y
      ) y in
    let* t13 := ask (Ret (span_nearest_in_span kernel z y c0)) in
    let w_hat := t13 in
    val (Ok (y, w_hat))).

End opaque.
