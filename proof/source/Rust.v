(** What the translated Rust means.

    A function is a program of Trees.v. It ends with what it returns, or it panics: where the debug build would (a
      machine
    integer overflows, a natural falls below 0, a division by 0, an index beyond the end). References, clones and
    lifetimes are erased. Integers are Z, and a rational is the pair that it stores. An error is its kind and its
      text.
    That a source of coins has no more to give is no leaf: the program asks, and [run] says [More].

    Trusted, with the translator: each line says what an operation of Rust, num-bigint or num-rational computes.

    Claims: none.
*)
Require Import ZArith Bool String List.
From DpAssay Require Import Trees Samplers.
Import ListNotations.
Open Scope Z_scope.

Inductive result (A : Type) := Ok (a : A) | Err (error : string * string).
Arguments Ok {A}.
Arguments Err {A}.

(** How a function ends. *)
Inductive ending (A : Type) := Returned (a : A) | Panicked.
Arguments Returned {A}.
Arguments Panicked {A}.
Definition rust (A : Type) := tree (ending A).

(** Within a function that returns R: a value, or the function is left with a result, or it panics. *)
Inductive flow (R A : Type) := Val (a : A) | Leave (r : R) | Panic.
Arguments Val {R A}.
Arguments Leave {R A}.
Arguments Panic {R A}.
Definition M (R A : Type) := tree (flow R A).
Definition val {R A} (a : A) : M R A := Ret (Val a).
Definition leave {R A} (r : R) : M R A := Ret (Leave r).
Definition panic {R A} : M R A := Ret Panic.
Definition mbind {R A B} (m : M R A) (k : A -> M R B) : M R B :=
  bind m (fun x => match x with Val a => k a | Leave r => Ret (Leave r) | Panic => Ret Panic end).
Notation "'let*' x := m 'in' u" := (mbind m (fun x => u)) (at level 200, x name, u at level 200).
Notation "'let*' ' x := m 'in' u" := (mbind m (fun x => u)) (at level 200, x strict pattern, u at level 200).

(** The body of a function; a call; the operator [?]; both together; [ok_or]. *)
Definition body {R} (m : M R R) : rust R :=
  bind m (fun x => Ret match x with Val r | Leave r => Returned r | Panic => Panicked end).
Definition call {R A} (m : rust A) : M R A :=
  bind m (fun x => Ret match x with Returned a => Val a | Panicked => Panic end).
Definition try {T A} (r : result A) : M (result T) A := match r with Ok a => val a | Err e => leave (Err e) end.
Definition ask {T A} (m : rust (result A)) : M (result T) A := mbind (call m) try.
Definition ok_or {A} (o : option A) (e : string * string) : result A := match o with Some a => Ok a | None => Err e
  end.
Definition unwrap_or {A} (o : option A) (b : A) : A := match o with Some a => a | None => b end.

(** Loops on the variables that they assign: at most F rounds; [for] goes through a list. *)
Fixpoint while {R S} (F : nat) (condition : S -> M R bool) (round : S -> M R S) (s : S) : M R S :=
  match F with
  | O => Stop
  | S G => let* go := condition s in if go : bool then let* s' := round s in while G condition round s' else val s
  end.
Fixpoint forever {R S A} (F : nat) (round : S -> M R S) (s : S) : M R A :=
  match F with O => Stop | S G => let* s' := round s in forever G round s' end.
Fixpoint each {R A S} (l : list A) (round : A -> S -> M R S) (s : S) : M R S :=
  match l with [] => val s | a :: rest => let* s' := round a s in each rest round s' end.
(** [iter().map(...).collect()] into a Result: up to the first error. *)
Fixpoint collect_each {A B} (l : list A) (f : A -> rust (result B)) : rust (result (list B)) :=
  match l with
  | [] => Ret (Returned (Ok []))
  | a :: rest => body (let* b := ask (f a) in let* bs := ask (collect_each rest f) in val (Ok (b :: bs)))
  end.
Definition range (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)).
Definition at_place {R A} (l : list A) (place : Z) : M R A :=
  match (if place <? 0 then None else nth_error l (Z.to_nat place)) with Some a => val a | None => panic end.

(** Functions without a theorem of their own, which are parts of those that call them: the translator lists them. *)
Create HintDb parts.

(** * Integers *)

(** BigUint and unsigned machine integers of so many bits. *)
Definition natural_sub {R} (a b : Z) : M R Z := if b <=? a then val (a - b) else panic.
Definition big_div {R} (a b : Z) : M R Z := if b =? 0 then panic else val (Z.quot a b).
Definition big_div_rem {R} (a b : Z) : M R (Z * Z) := if b =? 0 then panic else val (Z.quot a b, Z.rem a b).
Definition big_sqrt {R} (a : Z) : M R Z := if a <? 0 then panic else val (Z.sqrt a).
Definition fits {R} (width : Z) (a : Z) : M R Z := if (0 <=? a) && (a <? 2 ^ width) then val a else panic.
Definition cast (width a : Z) : Z := a mod 2 ^ width.
Definition number_of_bits (a : Z) : Z := if a =? 0 then 0 else Z.log2 (Z.abs a) + 1.

(** * Rationals: what is stored has a denominator above 0, and is in lowest terms unless it is made by new_raw. *)

Record rational := Rational { numer : Z; denom : Z }.
Definition rational_is_positive (x : rational) : bool :=
  (0 <? numer x) && (0 <? denom x) || (numer x <? 0) && (denom x <? 0).
Definition rational_is_negative (x : rational) : bool :=
  (numer x <? 0) && (0 <? denom x) || (0 <? numer x) && (denom x <? 0).
Definition rational_leb (x y : rational) : bool := numer x * denom y <=? numer y * denom x.
Definition rational_ltb (x y : rational) : bool := numer x * denom y <? numer y * denom x.
Definition lowest (a b : Z) : rational :=
  let g := if b <? 0 then - Z.gcd a b else Z.gcd a b in Rational (Z.quot a g) (Z.quot b g).
Definition rational_new {R} (a b : Z) : M R rational := if b =? 0 then panic else val (lowest a b).
Definition rational_add (x y : rational) := lowest (numer x * denom y + numer y * denom x) (denom x * denom y).
Definition rational_sub (x y : rational) := lowest (numer x * denom y - numer y * denom x) (denom x * denom y).
Definition rational_mul (x y : rational) := lowest (numer x * numer y) (denom x * denom y).
Definition rational_div {R} (x y : rational) : M R rational :=
  if numer y =? 0 then panic else val (lowest (numer x * denom y) (denom x * numer y)).
Definition rational_recip {R} (x : rational) : M R rational :=
  if numer x =? 0 then panic
  else val (if numer x <? 0 then Rational (- denom x) (- numer x) else Rational (denom x) (numer x)).
Definition rational_floor (x : rational) : rational := Rational (numer x / denom x) 1.

(** * What is given: [Coins::bits] of a source of fair coins, the first bit highest. *)

Definition ok {A} (t : tree A) : rust (result A) := tmap (fun a => Returned (Ok a)) t.
Definition coins_bits (F : nat) (count : Z) : rust (result Z) :=
  if count <=? 64 then ok (bits (Z.to_nat count) 0) else Ret (Returned (Err ("OutOfRange",
    "the number of bits at once")%string)).
