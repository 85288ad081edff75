(** The samplers, line by line as in the Rust code.

    Each function names the Rust function that it transcribes; "step n" is the number in the comments there. A coin is
    one bit of [Coins::bits], true for 1; an integer of w bits has its first bit highest, as on a tape and in the
    explorer. (The generator puts the first bit of a word lowest: the same fair coins in another order.) A rational is
    given by its numerator and denominator. [F] (and [G]) is the fuel: the most rounds of a loop. The Rust loops have no
    such bound; here an exhausted loop is [Stop]. (The loop over the whole part of an exponent counts down and needs no
    fuel.)
    The functions are meant for the parameters that the Rust functions accept; what they refuse is not transcribed.

    The laws are in the other files of samplers/.

    Claims: none.
*)
Require Import ZArith Bool.
From DpAssay Require Import Trees.
Open Scope Z_scope.

(** * src/coins/layers.rs *)

(** [Coins::bits(1)] *)
Definition coin : tree bool := Flip (fun b => Ret b).

(** [Coins::bits]: w bits, appended to acc. *)
Fixpoint bits (w : nat) (acc : Z) : tree Z :=
  match w with O => Ret acc | S v => Flip (fun b => bits v (2 * acc + Z.b2z b)) end.

(** The width of n - 1 in bits: the least w with n <= 2^w (step 1 of [uniform_below_attempt]). *)
Definition width (n : Z) : nat := Z.to_nat (Z.log2_up n).

(** Attempts until one is accepted ([None] is a rejection). [until_accepted] of src/sample/attempt.rs, and the loop of
    [uniform_below]. *)
Fixpoint attempts {A} (F : nat) (t : tree (option A)) : tree A :=
  match F with
  | O => Stop
  | S G => o <- t; match o with Some a => Ret a | None => attempts G t end
  end.

(** [uniform_below_attempt], n >= 1. Step 2: w bits (the Rust code draws them 64 at a time). Step 3: rejected unless
    below n. *)
Definition uniform_below_attempt (n : Z) : tree (option Z) :=
  candidate <- bits (width n) 0;
  Ret (if candidate <? n then Some candidate else None).

(** [uniform_below]: an integer in 0, ..., n - 1. *)
Definition uniform_below F n := attempts F (uniform_below_attempt n).

(** The loop of [bernoulli] on the remainder r, over the denominator q. *)
Fixpoint bernoulli_loop (F : nat) (r q : Z) : tree bool :=
  match F with
  | O => Stop
  | S G =>
      if r =? 0 then Ret false else
      let digit := q <=? 2 * r in
      let r' := if digit then 2 * r - q else 2 * r in
      Flip (fun c => if eqb c digit then bernoulli_loop G r' q else Ret digit)
  end.

(** [bernoulli]: true with probability p/q, 0 <= p <= q. *)
Definition bernoulli F (p q : Z) : tree bool := if p =? q then Ret true else bernoulli_loop F p q.

(** The loop of [bernoulli_exp_up_to_one]: Bernoulli(x/k), Bernoulli(x/(k+1)), ... up to the first false, x = p/q; true
    if that is an odd one. G is the fuel of each draw. *)
Fixpoint below_one_loop (F G : nat) (p q k : Z) : tree bool :=
  match F with
  | O => Stop
  | S F' =>
      b <- bernoulli G p (q * k);
      if b : bool then below_one_loop F' G p q (k + 1) else Ret (Z.odd k)
  end.

(** [bernoulli_exp_up_to_one]: true with probability e^(-p/q), 0 <= p <= q. *)
Definition bernoulli_exp_below_one F p q := below_one_loop F F p q 1.

(** The loop of [bernoulli_exp] above 1: w draws with e^-1, then one with e^(-rest/q), up to the first false. *)
Fixpoint exp_whole (F : nat) (w : nat) (rest q : Z) : tree bool :=
  match w with
  | O => bernoulli_exp_below_one F rest q
  | S v => b <- bernoulli_exp_below_one F 1 1; if b : bool then exp_whole F v rest q else Ret false
  end.

(** [bernoulli_exp]: true with probability e^(-p/q), p >= 0. *)
Definition bernoulli_exp F p q : tree bool :=
  if p <=? q then bernoulli_exp_below_one F p q else exp_whole F (Z.to_nat (p / q)) (p mod q) q.

(** * src/sample/geometric.rs *)

(** [Remainder::attempt]: a uniform u below t, accepted with probability e^(-u/t). *)
Definition geometric_u_attempt F (t : Z) : tree (option Z) :=
  u <- uniform_below F t;
  accepted <- bernoulli_exp F u t;
  Ret (if accepted : bool then Some u else None).

(** The loop of [WholePart::draw]: v and the trues of Bernoulli(e^-1) before the first false. *)
Fixpoint geometric_v (F G : nat) (v : Z) : tree Z :=
  match F with
  | O => Stop
  | S F' => b <- bernoulli_exp G 1 1; if b : bool then geometric_v F' G (v + 1) else Ret v
  end.

(** [Geometric::draw], rate = s/t in lowest terms (steps 1, 2, 3). *)
Definition geometric F (s t : Z) : tree Z :=
  u <- attempts F (geometric_u_attempt F t);
  v <- geometric_v F F 0;
  Ret ((u + t * v) / s).

(** * src/sample/discrete_laplace.rs *)

(** [DiscreteLaplace::attempt], scale = p/q in lowest terms. Step 1: a sign and a geometric magnitude of rate q/p.
    Step 2: -0 is rejected. *)
Definition laplace_attempt F (p q : Z) : tree (option Z) :=
  negative <- coin;
  magnitude <- geometric F q p;
  Ret (if negative && (magnitude =? 0) then None else Some (if negative then - magnitude else magnitude)).

(** [DiscreteLaplace::draw] *)
Definition laplace F p q := attempts F (laplace_attempt F p q).

(** * src/sample/discrete_gaussian.rs *)

(** The scale of the proposals ([DiscreteGaussian::new]), variance = a/b: floor(sqrt(floor(a/b))) + 1. *)
Definition gaussian_t (a b : Z) : Z := Z.sqrt (a / b) + 1.

(** [DiscreteGaussian::attempt], variance = a/b in lowest terms. Step 1: a proposal y. Step 2: accepted with probability
    e^-((|y| b t - a)^2 / (2 a b t^2)). *)
Definition gaussian_attempt F (a b : Z) : tree (option Z) :=
  let t := gaussian_t a b in
  y <- laplace F t 1;
  let gap := Z.abs y * b * t - a in
  accepted <- bernoulli_exp F (gap * gap) (2 * a * b * t * t);
  Ret (if accepted : bool then Some y else None).

(** [DiscreteGaussian::draw] *)
Definition gaussian F a b := attempts F (gaussian_attempt F a b).
