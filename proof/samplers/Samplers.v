(* src/coins/layers.rs and src/sample/*.rs, line by line; F is the fuel of every loop. *)
Require Import ZArith Bool.
From DpAssay Require Import Trees. Open Scope Z_scope.

Definition coin : tree bool := Flip (fun b => Ret b).
(* bits(count), appended to acc, the first bit highest *)
Fixpoint bits (w : nat) (acc : Z) : tree Z :=
  match w with O => Ret acc | S v => Flip (fun b => bits v (2 * acc + Z.b2z b)) end.
(* the least w with n <= 2^w *)
Definition width (n : Z) : nat := Z.to_nat (Z.log2_up n).

Fixpoint attempts {A} (F : nat) (t : tree (option A)) : tree A :=
  match F with O => Stop | S G =>
    o <- t; match o with Some a => Ret a | None => attempts G t end end.

Definition uniform_below_attempt (n : Z) : tree (option Z) :=
  c <- bits (width n) 0; Ret (if c <? n then Some c else None).
Definition uniform_below F n := attempts F (uniform_below_attempt n).

Fixpoint bernoulli_loop (F : nat) (r q : Z) : tree bool :=
  match F with O => Stop | S G =>
    if r =? 0 then Ret false else
    let digit := q <=? 2 * r in
    let r' := if digit then 2 * r - q else 2 * r in
    Flip (fun c => if eqb c digit then bernoulli_loop G r' q else Ret digit) end.
Definition bernoulli F (p q : Z) : tree bool := if p =? q then Ret true else bernoulli_loop F p q.

(* x = p/q in [0, 1]: Bernoulli(x/k), Bernoulli(x/(k+1)), ... up to the first false *)
Fixpoint below_one_loop (F G : nat) (p q k : Z) : tree bool :=
  match F with O => Stop | S F' =>
    b <- bernoulli G p (q * k); if b : bool then below_one_loop F' G p q (k + 1) else Ret (Z.odd k) end.
Definition bernoulli_exp_below_one F p q := below_one_loop F F p q 1.
Fixpoint exp_whole (F : nat) (w : nat) (rest q : Z) : tree bool :=
  match w with O => bernoulli_exp_below_one F rest q
  | S v => b <- bernoulli_exp_below_one F 1 1; if b : bool then exp_whole F v rest q else Ret false end.
Definition bernoulli_exp F p q : tree bool := exp_whole F (Z.to_nat (p / q)) (p mod q) q.

Definition geometric_u_attempt F (t : Z) : tree (option Z) :=
  c <- uniform_below F t; b <- bernoulli_exp F c t; Ret (if b : bool then Some c else None).
Fixpoint geometric_v (F G : nat) (v : Z) : tree Z :=
  match F with O => Stop | S F' =>
    b <- bernoulli_exp G 1 1; if b : bool then geometric_v F' G (v + 1) else Ret v end.
(* rate = s/t in lowest terms *)
Definition geometric F (s t : Z) : tree Z :=
  u <- attempts F (geometric_u_attempt F t); v <- geometric_v F F 0; Ret ((u + t * v) / s).

(* scale = p/q in lowest terms *)
Definition laplace_attempt F (p q : Z) : tree (option Z) :=
  neg <- coin; m <- geometric F q p;
  Ret (if neg && (m =? 0) then None else Some (if neg then - m else m)).
Definition laplace F p q := attempts F (laplace_attempt F p q).

(* variance = a/b *)
Definition gaussian_t (a b : Z) : Z := Z.sqrt (a / b) + 1.
Definition gaussian_attempt F (a b : Z) : tree (option Z) :=
  let t := gaussian_t a b in
  y <- laplace F t 1;
  let gap := Z.abs y * b * t - a in
  ok <- bernoulli_exp F (gap * gap) (2 * a * b * t * t); Ret (if ok : bool then Some y else None).
Definition gaussian F a b := attempts F (gaussian_attempt F a b).
