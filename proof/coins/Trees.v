(* Randomised programs as trees of fair coins, cut off by fuel. *)
Require Import Reals Lra List Bool. Import ListNotations.
Open Scope R_scope.

(* Ret: a result. Stop: the fuel of a loop is used up. Flip: asks for one coin. *)
Inductive tree (A : Type) := Ret (a : A) | Stop | Flip (k : bool -> tree A).
Arguments Ret {A}. Arguments Stop {A}. Arguments Flip {A}.

Fixpoint bind {A B} (t : tree A) (f : A -> tree B) : tree B :=
  match t with Ret a => f a | Stop => Stop | Flip k => Flip (fun b => bind (k b) f) end.
Definition tmap {A B} (g : A -> B) (t : tree A) := bind t (fun a => Ret (g a)).
Notation "x <- t ; u" := (bind t (fun x => u)) (at level 61, t at next level, right associativity).

(* What the program does on a tape of bits. *)
Inductive outcome (A : Type) := Done (a : A) (used : nat) | More | NoFuel.
Arguments Done {A}. Arguments More {A}. Arguments NoFuel {A}.
Fixpoint run {A} (t : tree A) (tape : list bool) : outcome A :=
  match t with
  | Ret a => Done a 0 | Stop => NoFuel
  | Flip k => match tape with [] => More | b :: rest =>
      match run (k b) rest with Done a n => Done a (S n) | o => o end end
  end.

(* The expected value of f on the results, 0 where there is none. *)
Fixpoint expect {A} (t : tree A) (f : A -> R) : R :=
  match t with Ret a => f a | Stop => 0 | Flip k => (expect (k false) f + expect (k true) f) / 2 end.

Lemma expect_bind {A B} (t : tree A) (k : A -> tree B) f : expect (bind t k) f = expect t (fun a => expect (k a) f).
Proof. induction t; simpl; auto. now rewrite !H. Qed.
Lemma expect_map {A B} (t : tree A) (g : A -> B) f : expect (tmap g t) f = expect t (fun a => f (g a)).
Proof. unfold tmap. now rewrite expect_bind. Qed.
Lemma expect_ext {A} (t : tree A) f g : (forall a, f a = g a) -> expect t f = expect t g.
Proof. intros E. induction t; simpl; auto. now rewrite !H. Qed.
Lemma expect_le {A} (t : tree A) f g : (forall a, f a <= g a) -> expect t f <= expect t g.
Proof. intros E. induction t; simpl; auto; [lra|]. specialize (H false) as H0; specialize (H true). lra. Qed.
Lemma expect_plus {A} (t : tree A) f g : expect t (fun a => f a + g a) = expect t f + expect t g.
Proof. induction t; simpl; try lra. rewrite !H. lra. Qed.
Lemma expect_scal {A} (t : tree A) c f : expect t (fun a => c * f a) = c * expect t f.
Proof. induction t; simpl; try lra. rewrite !H. lra. Qed.
Lemma expect_0 {A} (t : tree A) : expect t (fun _ => 0) = 0.
Proof. induction t; simpl; try lra. rewrite !H. lra. Qed.
Lemma expect_ge0 {A} (t : tree A) f : (forall a, 0 <= f a) -> 0 <= expect t f.
Proof. intros. rewrite <- (expect_0 t). now apply expect_le. Qed.
Lemma expect_one {A} (t : tree A) : 0 <= expect t (fun _ => 1) <= 1.
Proof. induction t; simpl; try lra. specialize (H false) as H0; specialize (H true). lra. Qed.
Lemma expect_minus {A} (t : tree A) f g : expect t (fun a => f a - g a) = expect t f - expect t g.
Proof. induction t; simpl; try lra. rewrite !H. lra. Qed.
(* What is undecided when the fuel is used up. *)
Definition undecided {A} (t : tree A) := 1 - expect t (fun _ => 1).
Lemma undecided_bounds {A} (t : tree A) : 0 <= undecided t <= 1.
Proof. unfold undecided. pose proof (expect_one t). lra. Qed.

(* The law as the sum over tapes: mass n = (number of tapes of n bits on which the run is done with f)
   / 2^n, which is the sum of f(result) 2^-(bits used) over the accepted prefixes of at most n bits. *)
Fixpoint tapes (n : nat) : list (list bool) :=
  match n with O => [[]] | S m => map (cons false) (tapes m) ++ map (cons true) (tapes m) end.
Definition sumR {X} (g : X -> R) (l : list X) := fold_right (fun x s => g x + s) 0 l.
Lemma sumR_app {X} (g : X -> R) l m : sumR g (l ++ m) = sumR g l + sumR g m.
Proof. induction l; simpl; [lra|]. rewrite IHl. lra. Qed.
Lemma sumR_map {X Y} (h : Y -> X) (g : X -> R) l : sumR g (map h l) = sumR (fun y => g (h y)) l.
Proof. induction l; simpl; auto. now rewrite IHl. Qed.
Lemma sumR_ext {X} (g h : X -> R) l : (forall x, g x = h x) -> sumR g l = sumR h l.
Proof. intros E; induction l; simpl; auto. now rewrite E, IHl. Qed.
Lemma sumR_const {X} c (l : list X) : sumR (fun _ => c) l = c * INR (length l).
Proof. induction l; [simpl; lra|]. change (length (a :: l)) with (S (length l)). rewrite S_INR. simpl. rewrite IHl. lra. Qed.
Lemma tapes_length n : INR (length (tapes n)) = 2 ^ n.
Proof. induction n; simpl; [lra|]. rewrite app_length, !map_length, plus_INR, IHn. lra. Qed.
Definition gain {A} (f : A -> R) (o : outcome A) := match o with Done a _ => f a | _ => 0 end.
Definition mass {A} (n : nat) (t : tree A) (f : A -> R) := sumR (fun tape => gain f (run t tape)) (tapes n) / 2 ^ n.
(* The tree cut off after n coins. *)
Fixpoint cut {A} (n : nat) (t : tree A) : tree A :=
  match t with Flip k => match n with O => Stop | S m => Flip (fun b => cut m (k b)) end | _ => t end.
Theorem mass_cut {A} n (t : tree A) f : mass n t f = expect (cut n t) f.
Proof.
  unfold mass. revert n; induction t; intros n.
  - assert (0 < 2 ^ n) by (apply pow_lt; lra). simpl. destruct n; simpl; [lra|].
    rewrite sumR_app, !sumR_map. simpl in *. rewrite !sumR_const, tapes_length. field. apply pow_nonzero; lra.
  - rewrite (sumR_ext _ (fun _ => 0)) by auto. rewrite sumR_const. simpl. unfold Rdiv. destruct n; simpl; lra.
  - destruct n; simpl; [lra|]. rewrite sumR_app, !sumR_map. rewrite <- !H.
    assert (P : 2 ^ n <> 0) by (apply pow_nonzero; lra).
    assert (E : forall b, sumR (fun y => gain f match run (k b) y with Done a n0 => Done a (S n0) | More => More | NoFuel => NoFuel end) (tapes n)
      = sumR (fun y => gain f (run (k b) y)) (tapes n)) by (intros b; apply sumR_ext; intros y; destruct (run (k b) y); auto).
    rewrite !E. field. auto.
Qed.
