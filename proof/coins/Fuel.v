(** The fuel is only a device: the law of a program without fuel.

    If a program with more fuel does what it did with less, wherever that has ended ([fuel_monotone]), then the program
    without fuel is well defined on every tape of bits: it ends with a if it does so under some fuel ([ends]). It has
    the law that was proved with fuel: of the 2^n tapes of n bits, the share of those on which it ends with a never
    exceeds the probability of a, and tends to it as n grows ([has_law_without_fuel], [law_without_fuel]).
    [extends t u] is how monotony is proved: u is t with some of its ends for want of fuel replaced by more.

    The theorems for the six samplers are in samplers/FuelMonotone.v and samplers/WithoutFuel.v.

    Claims: none.
*)
Require Import Reals Lra Lia List Bool ClassicalDedekindReals.
From DpAssay Require Import Trees Law.
Import ListNotations.
Open Scope R_scope.

(** With more fuel the program gives the same result, from the same bits. *)
Definition fuel_monotone {A} (program : nat -> tree A) : Prop :=
  forall F G tape a used, (F <= G)%nat ->
  run (program F) tape = Done a used -> run (program G) tape = Done a used.

(** Two fuels under which the program ends give the same result, from the same bits. *)
Lemma same_result {A} (program : nat -> tree A) : fuel_monotone program -> forall F G tape a b used used',
  run (program F) tape = Done a used -> run (program G) tape = Done b used' -> a = b /\ used = used'.
Proof.
  intros M F G tape a b used used' HF HG. destruct (Nat.le_ge_cases F G) as [L|L].
  - rewrite (M F G tape a used L HF) in HG. inversion HG; auto.
  - rewrite (M G F tape b used' L HG) in HF. inversion HF; auto.
Qed.

(** * How monotony is proved. *)

(** u is t, with some [Stop]s replaced by trees. *)
Inductive extends {A} : tree A -> tree A -> Prop :=
| extends_stop u : extends Stop u
| extends_ret a : extends (Ret a) (Ret a)
| extends_flip k k' : (forall coin, extends (k coin) (k' coin)) -> extends (Flip k) (Flip k').

Lemma extends_refl {A} (t : tree A) : extends t t.
Proof. induction t; constructor; auto. Qed.

Lemma extends_run {A} (t u : tree A) : extends t u ->
  forall tape a used, run t tape = Done a used -> run u tape = Done a used.
Proof.
  induction 1 as [u|a|k k' E IH]; intros tape x used; simpl; [discriminate | auto |].
  destruct tape as [|coin rest]; auto. destruct (run (k coin) rest) as [y m| |] eqn:R; try discriminate.
  rewrite (IH coin rest y m R). auto.
Qed.

Lemma extends_bind {A B} (t u : tree A) (f g : A -> tree B) : extends t u -> (forall a, extends (f a) (g a)) ->
  extends (bind t f) (bind u g).
Proof. induction 1; intros E; simpl; [constructor | apply E | constructor; auto]. Qed.

Lemma monotone_of_extends {A} (program : nat -> tree A) :
  (forall F G, (F <= G)%nat -> extends (program F) (program G)) -> fuel_monotone program.
Proof. intros E F G tape a used L. apply extends_run, E, L. Qed.

(** * The program without fuel. *)

Section WithoutFuel.
Context {A : Type} (dec : forall x y : A, {x = y} + {x <> y}) (program : nat -> tree A).

(** Whether the program ends with [a] on this tape: under some fuel, or under none. *)
Definition ends (a : A) (tape : list bool) :
  {exists fuel used, run (program fuel) tape = Done a used} +
  {forall fuel used, run (program fuel) tape <> Done a used}.
Proof.
  assert (known : forall o : outcome A, {ends_with dec a o = false} + {ends_with dec a o <> false})
    by (intros o; destruct (ends_with dec a o); [right; discriminate | now left]).
  destruct (sig_forall_dec (fun fuel => ends_with dec a (run (program fuel) tape) = false)) as [[fuel E]|E].
  - intros fuel. apply known.
  - left. exists fuel. destruct (run (program fuel) tape) as [x used| |]; simpl in E; try congruence.
    exists used. destruct (dec x a); [now subst | congruence].
  - right. intros fuel used R. specialize (E fuel). rewrite R in E. simpl in E. destruct (dec a a); congruence.
Defined.

(** Of the 2^n tapes of n bits, the share of those on which the program, without fuel, ends with [a]. *)
Definition share_without_fuel (n : nat) (a : A) : R :=
  INR (length (filter (fun tape => if ends a tape then true else false) (tapes n))) / 2 ^ n.

Lemma ends_with_true a t (tape : list bool) :
  ends_with dec a (run t tape) = true <-> exists used, run t tape = Done a used.
Proof.
  split.
  - destruct (run t tape) as [x used| |]; simpl; try discriminate.
    destruct (dec x a) as [->|]; [eauto | discriminate].
  - intros [used ->]. simpl. destruct (dec a a); congruence.
Qed.

(** The law of the program without fuel: that share is at most the probability of a, and tends to it as n grows. *)
Definition has_law_without_fuel (probability : A -> R) : Prop :=
  forall a,
    (forall n, share_without_fuel n a <= probability a) /\
    Un_cv (fun n => share_without_fuel n a) (probability a).

(** For finitely many tapes, enough fuel decides all that is ever decided. *)
Lemma enough_fuel (a : A) (l : list (list bool)) : fuel_monotone program ->
  exists fuel0, forall fuel, (fuel >= fuel0)%nat ->
  filter (fun tape => ends_with dec a (run (program fuel) tape)) l =
  filter (fun tape => if ends a tape then true else false) l.
Proof.
  intros M. induction l as [|tape l [F0 IH]]; [exists O; reflexivity|].
  destruct (ends a tape) as [(F1 & used & R)|N] eqn:E.
  - exists (F0 + F1)%nat. intros fuel L. cbn [filter]. rewrite E, IH by lia.
    assert (ends_with dec a (run (program fuel) tape) = true) as ->; [|reflexivity].
    apply ends_with_true. exists used. apply (M F1); auto. lia.
  - exists F0. intros fuel L. cbn [filter]. rewrite E, IH by lia.
    destruct (ends_with dec a (run (program fuel) tape)) eqn:W; [|reflexivity].
    apply ends_with_true in W as [used R]. now apply N in R.
Qed.

Lemma fewer_with_fuel fuel (a : A) (l : list (list bool)) :
  (length (filter (fun tape => ends_with dec a (run (program fuel) tape)) l) <=
   length (filter (fun tape => if ends a tape then true else false) l))%nat.
Proof.
  induction l as [|tape l IH]; [auto|]. cbn [filter].
  destruct (ends_with dec a (run (program fuel) tape)) eqn:W, (ends a tape) as [|N]; simpl; try lia.
  apply ends_with_true in W as [used R]. now apply N in R.
Qed.

(** The law with fuel is the law without fuel. *)
Theorem law_without_fuel probability : has_law dec program probability -> fuel_monotone program ->
  has_law_without_fuel probability.
Proof.
  intros L M a. destruct (law_on_tapes dec program probability L a) as [upper lower].
  assert (U : forall n, share_without_fuel n a <= probability a).
  { intros n. destruct (enough_fuel a (tapes n) M) as [fuel E]. specialize (E fuel (Nat.le_refl _)).
    unfold share_without_fuel. rewrite <- E. apply upper. }
  split; auto. intros eps He. destruct (lower eps He) as [fuel Hfuel].
  destruct (Hfuel fuel (Nat.le_refl _)) as [n0 Hn0]. exists n0. intros n Hn. specialize (Hn0 n Hn). specialize (U n).
  assert (share_of_tapes dec n (program fuel) a <= share_without_fuel n a).
  { apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, pow_lt; lra|]. apply le_INR, fewer_with_fuel. }
  unfold R_dist. apply Rabs_def1; lra.
Qed.
End WithoutFuel.
