(** Inner product spaces.

    A real vector space with an inner product, of any dimension, its norm and its distance: the inequality of Cauchy
    and Schwarz, the triangle inequality, sums of vectors. R^d is an instance ([euclidean d]), so that what is proved
    of all inner product spaces is proved of something.

    KernelMinimiser.v, RidgeSensitivity.v and ClippedKaczmarz.v rest on this file.

    Claims: none.
*)
Require Import Reals Lra Lia Psatz List. Import ListNotations.
From DpAssay Require Import Privacy.
Open Scope R_scope.

(** * The spaces *)

Record inner_product_space := {
  vector :> Type;
  zero : vector;
  add : vector -> vector -> vector;
  scale : R -> vector -> vector;
  inner : vector -> vector -> R;
  add_comm : forall x y, add x y = add y x;
  add_assoc : forall x y z, add x (add y z) = add (add x y) z;
  add_zero : forall x, add x zero = x;
  add_opposite : forall x, add x (scale (-1) x) = zero;
  scale_one : forall x, scale 1 x = x;
  scale_scale : forall a b x, scale a (scale b x) = scale (a * b) x;
  scale_add : forall a x y, scale a (add x y) = add (scale a x) (scale a y);
  add_scale : forall a b x, scale (a + b) x = add (scale a x) (scale b x);
  inner_symmetric : forall x y, inner x y = inner y x;
  inner_add : forall x y z, inner (add x y) z = inner x z + inner y z;
  inner_scale : forall a x z, inner (scale a x) z = a * inner x z;
  inner_positive : forall x, 0 <= inner x x;
  inner_definite : forall x, inner x x = 0 -> x = zero }.
Arguments zero {_}. Arguments add {_}. Arguments scale {_}. Arguments inner {_}.

Declare Scope vector_scope. Delimit Scope vector_scope with vector.
Notation "x +v y" := (add x y) (at level 50, left associativity) : vector_scope.
Notation "x -v y" := (add x (scale (-1) y)) (at level 50, left associativity) : vector_scope.
Notation "a *v x" := (scale a x) (at level 40, left associativity) : vector_scope.
Open Scope vector_scope.

Definition norm {V : inner_product_space} (x : V) : R := sqrt (inner x x).
Definition distance {V : inner_product_space} (x y : V) : R := norm (x -v y).

(** The sum of the vectors f a over a list. *)
Fixpoint vector_sum {V : inner_product_space} {A} (f : A -> V) (l : list A) : V :=
  match l with [] => zero | a :: rest => f a +v vector_sum f rest end.

(** * Rules of reckoning *)

Section Rules.
Context {V : inner_product_space}.
Implicit Types x y z : V.

Lemma inner_add_right x y z : inner z (x +v y) = inner z x + inner z y.
Proof. now rewrite inner_symmetric, inner_add, (inner_symmetric _ x), (inner_symmetric _ y). Qed.
Lemma inner_scale_right a x z : inner z (a *v x) = a * inner z x.
Proof. now rewrite inner_symmetric, inner_scale, (inner_symmetric _ x). Qed.
Lemma inner_zero z : inner zero z = 0.
Proof. rewrite <- (add_opposite _ z), inner_add, inner_scale. ring. Qed.
Lemma inner_zero_right z : inner z zero = 0.
Proof. rewrite inner_symmetric. apply inner_zero. Qed.
(** Two vectors with the same inner products are equal. *)
Lemma inner_separates x y : (forall z, inner x z = inner y z) -> x = y.
Proof.
  intros H. assert (apart : x -v y = zero).
  { apply inner_definite. rewrite inner_add, H, inner_scale. ring. }
  transitivity (y +v (x -v y)).
  - now rewrite (add_comm _ y), <- add_assoc, (add_comm _ (-1 *v y)), add_opposite, add_zero.
  - now rewrite apart, add_zero.
Qed.
End Rules.

(** [expand] multiplies out inner products; [vector] proves an identity of vectors. *)
Ltac expand := repeat rewrite ?inner_add, ?inner_add_right, ?inner_scale, ?inner_scale_right, ?inner_zero,
  ?inner_zero_right.
Ltac vector := apply inner_separates; intro; expand; try ring; try (field; lra).

Section Norm.
Context {V : inner_product_space}.
Implicit Types x y z : V.

Lemma norm_positive x : 0 <= norm x.
Proof. apply sqrt_pos. Qed.
Lemma norm_squared x : norm x ^ 2 = inner x x.
Proof. unfold norm. apply pow2_sqrt, inner_positive. Qed.
Lemma norm_at_most x b : 0 <= b -> inner x x <= b ^ 2 -> norm x <= b.
Proof. intros Hb H. unfold norm. rewrite <- (sqrt_pow2 b Hb). now apply sqrt_le_1_alt. Qed.
Lemma norm_is x b : 0 <= b -> inner x x = b ^ 2 -> norm x = b.
Proof. intros Hb H. unfold norm. rewrite H. now apply sqrt_pow2. Qed.
Lemma inner_at_most x b : norm x <= b -> inner x x <= b ^ 2.
Proof. intros H. rewrite <- norm_squared. apply pow_incr. split; [apply norm_positive | exact H]. Qed.
Lemma norm_zero : norm (zero : V) = 0.
Proof. apply norm_is; [lra|]. rewrite inner_zero. ring. Qed.
Lemma norm_zero_only x : norm x = 0 -> x = zero.
Proof. intros H. apply inner_definite. rewrite <- norm_squared, H. ring. Qed.
Lemma norm_scale a x : norm (a *v x) = Rabs a * norm x.
Proof.
  apply norm_is; [apply Rmult_le_pos; [apply Rabs_pos | apply norm_positive]|].
  rewrite Rpow_mult_distr, pow2_abs, norm_squared. expand. ring.
Qed.

(** The inequality of Cauchy and Schwarz. *)
Lemma cauchy_schwarz_squared x y : inner x y ^ 2 <= inner x x * inner y y.
Proof.
  destruct (Req_dec (inner y y) 0) as [E | N].
  - apply inner_definite in E. subst y. rewrite !inner_zero_right. lra.
  - assert (P : 0 < inner y y) by (pose proof (inner_positive _ y); lra).
    assert (Q : 0 <= inner y y * (inner x x * inner y y - inner x y ^ 2)).
    { pose proof (inner_positive _ (inner y y *v x -v inner x y *v y)) as H. revert H. expand.
      rewrite (inner_symmetric _ y x). intros H. nra. }
    apply Rnot_lt_le. intros L. assert (inner y y * (inner x y ^ 2 - inner x x * inner y y) > 0).
    { apply Rmult_lt_0_compat; lra. } lra.
Qed.
(** The inequality of Cauchy and Schwarz. *)
Theorem cauchy_schwarz x y : Rabs (inner x y) <= norm x * norm y.
Proof.
  apply Rsqr_incr_0_var; [|apply Rmult_le_pos; apply norm_positive].
  rewrite <- Rsqr_abs. unfold Rsqr. pose proof (cauchy_schwarz_squared x y) as H.
  rewrite <- !norm_squared in H. lra.
Qed.
Lemma inner_le x y : inner x y <= norm x * norm y.
Proof. eapply Rle_trans; [apply RRle_abs | apply cauchy_schwarz]. Qed.
(** The triangle inequality. *)
Theorem triangle x y : norm (x +v y) <= norm x + norm y.
Proof.
  apply norm_at_most; [pose proof (norm_positive x); pose proof (norm_positive y); lra|].
  expand. rewrite (inner_symmetric _ y x). pose proof (inner_le x y).
  rewrite <- !norm_squared. nra.
Qed.

Lemma distance_positive x y : 0 <= distance x y.
Proof. apply norm_positive. Qed.
Lemma distance_symmetric x y : distance x y = distance y x.
Proof.
  unfold distance. replace (x -v y) with (-1 *v (y -v x)) by vector.
  rewrite norm_scale, (Rabs_left (-1)) by lra. ring.
Qed.
Lemma distance_self x : distance x x = 0.
Proof. unfold distance. rewrite add_opposite. apply norm_zero. Qed.
Lemma distance_zero x : distance x zero = norm x.
Proof. unfold distance. f_equal. vector. Qed.
Lemma distance_zero_only x y : distance x y = 0 -> x = y.
Proof.
  intros H. apply norm_zero_only in H. transitivity (y +v (x -v y)); [vector|]. rewrite H. vector.
Qed.
Lemma distance_triangle x y z : distance x z <= distance x y + distance y z.
Proof. unfold distance. replace (x -v z) with ((x -v y) +v (y -v z)) by vector. apply triangle. Qed.
(** Two points of a ball are at most its diameter apart. *)
Lemma distance_in_ball r x y : norm x <= r -> norm y <= r -> distance x y <= 2 * r.
Proof.
  intros Hx Hy. pose proof (distance_triangle x zero y) as H.
  rewrite (distance_symmetric zero y), !distance_zero in H. lra.
Qed.

(** Sums of vectors. *)
Lemma inner_sum {A} (f : A -> V) z l : inner (vector_sum f l) z = sum (fun a => inner (f a) z) l.
Proof. induction l; simpl; expand; [ring | now rewrite IHl]. Qed.
Lemma vector_sum_app {A} (f : A -> V) l l' : vector_sum f (l ++ l') = vector_sum f l +v vector_sum f l'.
Proof. induction l; simpl; [vector|]. rewrite IHl. vector. Qed.
Lemma vector_sum_ext {A} (f g : A -> V) l : (forall a, f a = g a) -> vector_sum f l = vector_sum g l.
Proof. intros H; induction l; simpl; auto. now rewrite H, IHl. Qed.
End Norm.

(** * R^d *)

(** d real numbers, one after the other. *)
Fixpoint tuple (d : nat) : Type := match d with O => unit | S k => (R * tuple k)%type end.
Fixpoint tuple_zero d : tuple d := match d with O => tt | S k => (0, tuple_zero k) end.
Fixpoint tuple_add {d} : tuple d -> tuple d -> tuple d :=
  match d with O => fun _ _ => tt | S k => fun x y => (fst x + fst y, tuple_add (snd x) (snd y)) end.
Fixpoint tuple_scale {d} (a : R) : tuple d -> tuple d :=
  match d with O => fun _ => tt | S k => fun x => (a * fst x, tuple_scale a (snd x)) end.
Fixpoint tuple_inner {d} : tuple d -> tuple d -> R :=
  match d with O => fun _ _ => 0 | S k => fun x y => fst x * fst y + tuple_inner (snd x) (snd y) end.
(** The coordinate of number i, from 0 on. *)
Fixpoint coordinate {d} (i : nat) : tuple d -> R :=
  match d with O => fun _ => 0 | S k => fun x => match i with O => fst x | S j => coordinate j (snd x) end end.

Ltac by_coordinates := intros; repeat match goal with x : tuple _ |- _ => revert x end;
  match goal with d : nat |- _ => induction d as [|d IH] end; intros; simpl in *;
  repeat match goal with x : unit |- _ => destruct x | x : (_ * _)%type |- _ => destruct x end; simpl in *;
  try reflexivity.

Definition euclidean (d : nat) : inner_product_space.
Proof.
  refine {| vector := tuple d; zero := tuple_zero d; add := tuple_add; scale := tuple_scale; inner := tuple_inner |}.
  - by_coordinates. now rewrite IH, Rplus_comm.
  - by_coordinates. now rewrite IH, Rplus_assoc.
  - by_coordinates. now rewrite IH, Rplus_0_r.
  - by_coordinates. rewrite IH. f_equal. ring.
  - by_coordinates. rewrite IH. f_equal. ring.
  - by_coordinates. rewrite IH. f_equal. ring.
  - by_coordinates. rewrite IH. f_equal. ring.
  - by_coordinates. rewrite IH. f_equal. ring.
  - by_coordinates. rewrite IH. ring.
  - by_coordinates; [ring|]. rewrite IH. ring.
  - by_coordinates; [ring|]. rewrite IH. ring.
  - by_coordinates; [lra|]. specialize (IH t). nra.
  - assert (P : forall k (x : tuple k), 0 <= tuple_inner x x).
    { intros k. induction k as [|k IH]; intros x; simpl; [lra|]. specialize (IH (snd x)). nra. }
    by_coordinates. specialize (P d t). assert (r = 0) by nra. subst r. f_equal. apply IH. lra.
Defined.

Lemma coordinate_add d i : forall x y : euclidean d, coordinate i (x +v y) = coordinate i x + coordinate i y.
Proof.
  revert i. induction d as [|d IH]; intros i x y; simpl; [ring|]. destruct i; simpl; [reflexivity | apply IH].
Qed.
Lemma coordinate_scale d i a : forall x : euclidean d, coordinate i (a *v x) = a * coordinate i x.
Proof.
  revert i. induction d as [|d IH]; intros i x; simpl; [ring|]. destruct i; simpl; [reflexivity | apply IH].
Qed.
(** A vector of d coordinates of magnitude at most h has norm at most sqrt(d) h. *)
Lemma norm_by_coordinates d h : 0 <= h -> forall x : euclidean d,
  (forall i, Rabs (coordinate i x) <= h) -> norm x <= sqrt (INR d) * h.
Proof.
  intros Hh x H. apply norm_at_most; [apply Rmult_le_pos; [apply sqrt_pos | lra]|].
  rewrite Rpow_mult_distr, pow2_sqrt by apply pos_INR. revert x H.
  induction d as [|d IH]; intros x H; [simpl; lra|]. rewrite S_INR. cbn [inner euclidean tuple_inner].
  pose proof (IH (snd x) (fun i => H (S i))) as H1. pose proof (H O) as H0. cbn [coordinate] in H0.
  assert (fst x * fst x <= h ^ 2).
  { replace (fst x * fst x) with (Rabs (fst x) ^ 2) by (rewrite pow2_abs; ring).
    apply pow_incr. split; [apply Rabs_pos | exact H0]. }
  cbn [inner euclidean] in H1. lra.
Qed.
(** The first unit vector of R^d, d >= 1. *)
Definition first_unit d : euclidean (S d) := (1, tuple_zero d).
Lemma first_unit_norm d : norm (first_unit d) = 1.
Proof.
  apply norm_is; [lra|]. assert (Z : inner (zero : euclidean d) zero = 0) by apply inner_zero.
  cbn [inner euclidean tuple_inner first_unit fst snd zero] in *. rewrite Z. ring.
Qed.

(** * Records of a linear model *)

(** A record: a row of features and a label. *)
Definition record (V : inner_product_space) : Type := (V * R)%type.
Definition row {V} (r : record V) : V := fst r.
Definition label {V} (r : record V) : R := snd r.
Definition rows_at_most {V} (b : R) (data : list (record V)) : Prop := Forall (fun r => norm (row r) <= b) data.
