(** The laws of the six samplers without fuel, as the Rust code has them: loops with no bound, on tapes of bits.

    Each theorem says: among the 2^n tapes of n bits, the share of those on which the sampler ends with a given result
    within the n bits never exceeds the probability of that result, and tends to it as n grows
    ([has_law_without_fuel]). This is all that "probability" means here: no measure on infinite tapes is needed.

    As on the page: all rational parameters, in lowest terms or not.

    Claims: sample.uniform-below, sample.bernoulli, sample.bernoulli-exp, sample.geometric, sample.discrete-laplace,
    sample.discrete-gaussian.
*)
Require Import ZArith Reals Bool Lia.
From DpAssay Require Import Trees Law Fuel Sums Samplers FuelMonotone.
From DpAssay Require Import UniformBelow Bernoulli BernoulliExp Geometric Laplace Gaussian.
Open Scope R_scope.

(** sample.uniform-below: for every n >= 1, uniform_below(n) is k with probability 1/n, k = 0, ..., n - 1. *)
Theorem uniform_below_law_without_fuel (n : Z) : (1 <= n)%Z ->
  has_law_without_fuel Z.eq_dec (fun fuel => uniform_below fuel n)
    (fun k => if ((0 <=? k) && (k <? n))%Z then 1 / IZR n else 0).
Proof. intros H. apply law_without_fuel; [now apply uniform_below_law | apply uniform_below_fuel_monotone]. Qed.

(** sample.bernoulli: for every rational p/q in [0, 1], bernoulli is true with probability p/q. *)
Theorem bernoulli_law_without_fuel (p q : Z) : (0 <= p <= q)%Z -> (0 < q)%Z ->
  has_law_without_fuel bool_dec (fun fuel => bernoulli fuel p q)
    (fun result => if result then IZR p / IZR q else 1 - IZR p / IZR q).
Proof. intros Hp Hq. apply law_without_fuel; [now apply bernoulli_law | apply bernoulli_fuel_monotone]. Qed.

(** sample.bernoulli-exp: for every rational x = p/q >= 0, bernoulli_exp(x) is true with probability e^-x. *)
Theorem bernoulli_exp_law_without_fuel (p q : Z) : (0 <= p)%Z -> (0 < q)%Z ->
  let x := IZR p / IZR q in
  has_law_without_fuel bool_dec (fun fuel => bernoulli_exp fuel p q)
    (fun result => if result then exp (- x) else 1 - exp (- x)).
Proof. intros Hp Hq x. apply law_without_fuel; [now apply bernoulli_exp_law | apply bernoulli_exp_fuel_monotone]. Qed.

(** sample.geometric: for every rational rate r = s/t > 0, geometric is k >= 0 with probability (1 - e^-r) e^(-r k). *)
Theorem geometric_law_without_fuel (s t : Z) : (0 < s)%Z -> (0 < t)%Z ->
  let r := IZR s / IZR t in
  has_law_without_fuel Z.eq_dec (fun fuel => geometric fuel s t)
    (fun k => if (k <? 0)%Z then 0 else (1 - exp (- r)) * exp (- (r * IZR k))).
Proof. intros Hs Ht r. apply law_without_fuel; [now apply geometric_law | apply geometric_fuel_monotone]. Qed.

(** sample.discrete-laplace: for every rational scale = p/q > 0, with e = e^(-1/scale), the sampler gives k with
    probability (1 - e)/(1 + e) e^(-|k|/scale). *)
Theorem discrete_laplace_law_without_fuel (p q : Z) : (0 < p)%Z -> (0 < q)%Z ->
  let scale := IZR p / IZR q in
  has_law_without_fuel Z.eq_dec (fun fuel => laplace fuel p q)
    (fun k => (1 - exp (- / scale)) / (1 + exp (- / scale)) * exp (- IZR (Z.abs k) / scale)).
Proof. intros Hp Hq scale. apply law_without_fuel; [now apply discrete_laplace_law | apply laplace_fuel_monotone]. Qed.

(** sample.discrete-gaussian: for every rational variance = a/b > 0, with theta the limit of the sums of
    e^(-j^2 / (2 variance)) from -n to n, the sampler gives k with probability e^(-k^2 / (2 variance)) / theta. *)
Theorem discrete_gaussian_law_without_fuel (a b : Z) : (0 < a)%Z -> (0 < b)%Z ->
  let variance := IZR a / IZR b in
  forall theta, Un_cv (symmetric_sum (fun j => exp (- IZR (j * j) / (2 * variance)))) theta ->
  has_law_without_fuel Z.eq_dec (fun fuel => gaussian fuel a b)
    (fun k => exp (- IZR (k * k) / (2 * variance)) / theta).
Proof.
  intros Ha Hb variance theta CV.
  apply law_without_fuel; [now apply discrete_gaussian_law | apply gaussian_fuel_monotone].
Qed.
