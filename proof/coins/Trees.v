(** Randomised programs as trees of fair coins.

    A program that asks for fair coins is a tree: a leaf is its result, an inner node asks for one coin. A loop has no
    bound, so every program here takes a number, its fuel, that bounds the rounds of its loops; where the fuel is used
    up, the tree ends without a result ([Stop]). [expect t f] is the expected value of [f] on the result of [t], with
    0 where there is none, and [undecided t] is the probability that there is none.
    The last part ties this to tapes of bits: among the 2^n tapes of n bits, the share of those on which the program
    ends with a given result within the n bits ([mass]) is the expected value on the tree that is cut off after n
    coins ([mass_cut]).

    The laws in samplers/ rest on this file.

    Claims: none.
*)
Require Import Reals Lra Lia List Bool.
Import ListNotations.
Open Scope R_scope.

(** A leaf [Ret a] is the result [a]; [Stop] says that the fuel is used up; [Flip k] asks for one coin. *)
Inductive tree (A : Type) := Ret (a : A) | Stop | Flip (k : bool -> tree A).
Arguments Ret {A}.
Arguments Stop {A}.
Arguments Flip {A}.

(** First [t], then [f] of its result. *)
Fixpoint bind {A B} (t : tree A) (f : A -> tree B) : tree B :=
  match t with
  | Ret a => f a
  | Stop => Stop
  | Flip k => Flip (fun coin => bind (k coin) f)
  end.
Definition tmap {A B} (g : A -> B) (t : tree A) : tree B := bind t (fun a => Ret (g a)).
Notation "x <- t ; u" := (bind t (fun x => u)) (at level 61, t at next level, right associativity).

(** What the program does on a tape of bits: it ends with a result and has used so many bits, or it asks for more bits
    than the tape has, or its fuel is used up. *)
Inductive outcome (A : Type) := Done (a : A) (used : nat) | More | NoFuel.
Arguments Done {A}.
Arguments More {A}.
Arguments NoFuel {A}.

Fixpoint run {A} (t : tree A) (tape : list bool) : outcome A :=
  match t with
  | Ret a => Done a 0
  | Stop => NoFuel
  | Flip k =>
      match tape with
      | [] => More
      | coin :: rest => match run (k coin) rest with Done a n => Done a (S n) | o => o end
      end
  end.

(** The expected value of [f] on the result, 0 where there is none. *)
Fixpoint expect {A} (t : tree A) (f : A -> R) : R :=
  match t with
  | Ret a => f a
  | Stop => 0
  | Flip k => (expect (k false) f + expect (k true) f) / 2
  end.

(** The probability that the fuel is used up before there is a result. *)
Definition undecided {A} (t : tree A) : R := 1 - expect t (fun _ => 1).

(** * The expected value is linear and monotone. *)

Lemma expect_bind {A B} (t : tree A) (k : A -> tree B) f : expect (bind t k) f = expect t (fun a => expect (k a) f).
Proof. induction t; simpl; auto. now rewrite !H. Qed.

Lemma expect_map {A B} (t : tree A) (g : A -> B) f : expect (tmap g t) f = expect t (fun a => f (g a)).
Proof. unfold tmap. now rewrite expect_bind. Qed.

Lemma expect_ext {A} (t : tree A) f g : (forall a, f a = g a) -> expect t f = expect t g.
Proof. intros E. induction t; simpl; auto. now rewrite !H. Qed.

Lemma expect_le {A} (t : tree A) f g : (forall a, f a <= g a) -> expect t f <= expect t g.
Proof.
  intros E. induction t; simpl; auto; [lra|].
  specialize (H false) as H0; specialize (H true). lra.
Qed.

Lemma expect_plus {A} (t : tree A) f g : expect t (fun a => f a + g a) = expect t f + expect t g.
Proof. induction t; simpl; try lra. rewrite !H. lra. Qed.

Lemma expect_minus {A} (t : tree A) f g : expect t (fun a => f a - g a) = expect t f - expect t g.
Proof. induction t; simpl; try lra. rewrite !H. lra. Qed.

Lemma expect_scal {A} (t : tree A) c f : expect t (fun a => c * f a) = c * expect t f.
Proof. induction t; simpl; try lra. rewrite !H. lra. Qed.

Lemma expect_0 {A} (t : tree A) : expect t (fun _ => 0) = 0.
Proof. induction t; simpl; try lra. rewrite !H. lra. Qed.

Lemma expect_ge0 {A} (t : tree A) f : (forall a, 0 <= f a) -> 0 <= expect t f.
Proof. intros. rewrite <- (expect_0 t). now apply expect_le. Qed.

Lemma expect_one {A} (t : tree A) : 0 <= expect t (fun _ => 1) <= 1.
Proof. induction t; simpl; try lra. specialize (H false) as H0; specialize (H true). lra. Qed.

Lemma undecided_bounds {A} (t : tree A) : 0 <= undecided t <= 1.
Proof. unfold undecided. pose proof (expect_one t). lra. Qed.

Lemma undecided_bind {A B} (t : tree A) (k : A -> tree B) :
  undecided (bind t k) = undecided t + expect t (fun a => undecided (k a)).
Proof. unfold undecided. rewrite expect_bind, (expect_minus t (fun _ => 1)). lra. Qed.

(** * Tapes of bits. *)

(** All tapes of n bits. *)
Fixpoint tapes (n : nat) : list (list bool) :=
  match n with
  | O => [[]]
  | S m => map (cons false) (tapes m) ++ map (cons true) (tapes m)
  end.

(** The sum of [g] over a list. *)
Definition sumR {X} (g : X -> R) (l : list X) : R := fold_right (fun x s => g x + s) 0 l.

(** What [f] gains on an outcome: 0 where there is no result. *)
Definition gain {A} (f : A -> R) (o : outcome A) : R := match o with Done a _ => f a | _ => 0 end.

(** The mean of what [f] gains over all tapes of n bits. *)
Definition mass {A} (n : nat) (t : tree A) (f : A -> R) : R :=
  sumR (fun tape => gain f (run t tape)) (tapes n) / 2 ^ n.

(** The tree cut off after n coins. *)
Fixpoint cut {A} (n : nat) (t : tree A) : tree A :=
  match t with
  | Flip k => match n with O => Stop | S m => Flip (fun coin => cut m (k coin)) end
  | _ => t
  end.

Lemma sumR_app {X} (g : X -> R) l m : sumR g (l ++ m) = sumR g l + sumR g m.
Proof. induction l; simpl; [lra|]. rewrite IHl. lra. Qed.

Lemma sumR_map {X Y} (h : Y -> X) (g : X -> R) l : sumR g (map h l) = sumR (fun y => g (h y)) l.
Proof. induction l; simpl; auto. now rewrite IHl. Qed.

Lemma sumR_ext {X} (g h : X -> R) l : (forall x, g x = h x) -> sumR g l = sumR h l.
Proof. intros E; induction l; simpl; auto. now rewrite E, IHl. Qed.

Lemma sumR_const {X} c (l : list X) : sumR (fun _ => c) l = c * INR (length l).
Proof.
  induction l; [simpl; lra|].
  change (length (a :: l)) with (S (length l)). rewrite S_INR. simpl. rewrite IHl. lra.
Qed.

Lemma tapes_length n : INR (length (tapes n)) = 2 ^ n.
Proof. induction n; simpl; [lra|]. rewrite app_length, !map_length, plus_INR, IHn. lra. Qed.

(** The mean over the tapes of n bits is the expected value on the tree that is cut off after n coins. *)
Theorem mass_cut {A} n (t : tree A) f : mass n t f = expect (cut n t) f.
Proof.
  unfold mass. revert n; induction t; intros n.
  - assert (0 < 2 ^ n) by (apply pow_lt; lra). simpl. destruct n; simpl; [lra|].
    rewrite sumR_app, !sumR_map. simpl in *. rewrite !sumR_const, tapes_length. field. apply pow_nonzero; lra.
  - rewrite (sumR_ext _ (fun _ => 0)) by auto. rewrite sumR_const. simpl. unfold Rdiv. destruct n; simpl; lra.
  - destruct n; simpl; [lra|]. rewrite sumR_app, !sumR_map. rewrite <- !H.
    assert (P : 2 ^ n <> 0) by (apply pow_nonzero; lra).
    assert (E : forall coin,
      sumR (fun rest => gain f match run (k coin) rest with Done a m => Done a (S m) | o => o end) (tapes n)
      = sumR (fun rest => gain f (run (k coin) rest)) (tapes n))
      by (intros coin; apply sumR_ext; intros rest; destruct (run (k coin) rest); auto).
    pose proof (E false) as E0. pose proof (E true) as E1. cbv beta iota in E0, E1. rewrite E0, E1. field. auto.
Qed.

(** So the tapes of n bits never weigh more than the tree, ... *)
Lemma mass_le {A} n (t : tree A) f : (forall a, 0 <= f a) -> mass n t f <= expect t f.
Proof.
  intros Hf. rewrite mass_cut. revert n. induction t; intros n; destruct n; simpl; try lra.
  - pose proof (expect_ge0 (k false) f Hf). pose proof (expect_ge0 (k true) f Hf). lra.
  - specialize (H false n) as H0. specialize (H true n). lra.
Qed.

(** ... and long tapes weigh as much. *)
Lemma mass_eventually {A} (t : tree A) f : exists n0, forall n, (n >= n0)%nat -> mass n t f = expect t f.
Proof.
  assert (exists n0, forall n, (n >= n0)%nat -> expect (cut n t) f = expect t f) as [n0 H0].
  { induction t; try (exists O; intros n; destruct n; reflexivity).
    destruct (H false) as [a Ha], (H true) as [b Hb]. exists (S (a + b)). intros n Hn.
    destruct n; [lia|]. simpl. rewrite Ha, Hb by lia. reflexivity. }
  exists n0. intros. rewrite mass_cut; auto.
Qed.
