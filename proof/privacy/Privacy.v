(** Laws and differential privacy.

    A law over a set of outcomes is its expected value: a function that takes a real function of the outcome to a
    number, and that on bounded functions is linear, monotone, and 1 at the constant 1. Finite laws, laws over the
    integers (Countable.v), and what is made of them in sequence are of this kind.
    A test is a function with values in [0, 1]. The probability of an event is the expected value of its indicator,
    which is a test. (epsilon, delta)-privacy says: for every test f and all neighbours x and y, the expected value of
    f on x is at most e^epsilon times that on y, plus delta. PrivacyByEvents.v proves that this is what the usual
    definition by events says.
    A neighbouring relation is any relation; nothing here asks that it be symmetric.

    Claims: none.
*)
Require Import Reals Lra Lia List. Import ListNotations.
Open Scope R_scope.

(** Bounded functions, and laws. *)
Definition bounded {A} (f : A -> R) := exists C, forall a, Rabs (f a) <= C.
Record law (A : Type) := { E :> (A -> R) -> R;
  E_one : E (fun _ => 1) = 1;
  E_mono : forall f g, bounded f -> bounded g -> (forall a, f a <= g a) -> E f <= E g;
  E_plus : forall f g, bounded f -> bounded g -> E (fun a => f a + g a) = E f + E g;
  E_scal : forall c f, bounded f -> E (fun a => c * f a) = c * E f }.
Arguments E {A}. Arguments E_one {A}. Arguments E_mono {A}. Arguments E_plus {A}. Arguments E_scal {A}.
(** Values in [0, 1]. The indicator of an event is a test. *)
Definition test {A} (f : A -> R) := forall a, 0 <= f a <= 1.

Lemma test_bounded {A} (f : A -> R) : test f -> bounded f.
Proof. intros H. exists 1. intros a. specialize (H a). rewrite Rabs_pos_eq; lra. Qed.
Lemma bounded_const {A} c : bounded (fun _ : A => c).
Proof. exists (Rabs c). intros; lra. Qed.
Lemma bounded_plus {A} (f g : A -> R) : bounded f -> bounded g -> bounded (fun a => f a + g a).
Proof.
  intros [C H] [D K]. exists (C + D). intros a. specialize (H a). specialize (K a).
  pose proof (Rabs_triang (f a) (g a)). lra.
Qed.
Lemma bounded_scal {A} c (f : A -> R) : bounded f -> bounded (fun a => c * f a).
Proof.
  intros [C H]. exists (Rabs c * C). intros a. rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos | auto].
Qed.
Lemma E_const {A} (m : law A) c : m (fun _ => c) = c.
Proof.
  pose proof (E_scal m c (fun _ => 1) (bounded_const 1)) as H. rewrite E_one, Rmult_1_r in H. rewrite <- H.
  apply Rle_antisym; apply E_mono; try apply bounded_const; try (apply bounded_scal, bounded_const); intros; lra.
Qed.
Lemma E_ext {A} (m : law A) f g : bounded f -> bounded g -> (forall a, f a = g a) -> m f = m g.
Proof. intros Hf Hg H. apply Rle_antisym; apply E_mono; auto; intros; rewrite H; lra. Qed.
Lemma E_range {A} (m : law A) f : bounded f -> forall lo hi, (forall a, lo <= f a <= hi) -> lo <= m f <= hi.
Proof.
  intros Hf lo hi H. split; [rewrite <- (E_const m lo) | rewrite <- (E_const m hi)];
    apply E_mono; auto using bounded_const; apply H.
Qed.
Lemma E_test {A} (m : law A) f : test f -> 0 <= m f <= 1.
Proof. intros H. apply E_range; auto using test_bounded. Qed.
Lemma E_abs {A} (m : law A) f C : (forall a, Rabs (f a) <= C) -> Rabs (m f) <= C.
Proof.
  intros H. apply Rabs_le. apply E_range; [now exists C|].
  intros a. specialize (H a). unfold Rabs in H; destruct (Rcase_abs (f a)); lra.
Qed.

(** * Laws in sequence *)

(** The law that is certain of a. *)
Definition unit_law {A} (a : A) : law A.
Proof. refine {| E := fun f => f a |}; auto. Defined.

(** Draw a from m, then draw from k a. *)
Definition then_ {A B} (m : law A) (k : A -> law B) : law B.
Proof.
  assert (bk : forall f, bounded f -> bounded (fun a => k a f))
    by (intros f [C H]; exists C; intros a; now apply E_abs).
  refine {| E := fun f => m (fun a => k a f) |}.
  - rewrite (E_ext m _ (fun _ => 1)); [apply E_one | apply bk, bounded_const | apply bounded_const |].
    intros; apply E_one.
  - intros f g Hf Hg H. apply E_mono; auto. intros; apply E_mono; auto.
  - intros f g Hf Hg. rewrite <- E_plus by auto. apply E_ext; auto using bounded_plus. intros; apply E_plus; auto.
  - intros c f Hf. rewrite <- E_scal by auto. apply E_ext; auto using bounded_scal. intros; apply E_scal; auto.
Defined.
(** Draw from m and apply g. *)
Definition relabel {A B} (g : A -> B) (m : law A) : law B := then_ m (fun a => unit_law (g a)).

(** * Finite laws *)

(** The sum of f over a list. *)
Fixpoint sum {A} (f : A -> R) (l : list A) : R := match l with [] => 0 | x :: t => f x + sum f t end.
Lemma sum_le {A} (f g : A -> R) l : (forall x, f x <= g x) -> sum f l <= sum g l.
Proof. intros H; induction l; simpl; [lra | specialize (H a); lra]. Qed.
Lemma sum_le_in {A} (f g : A -> R) l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  intros H; induction l; simpl; [lra|]. pose proof (H a (or_introl eq_refl)).
  assert (sum f l <= sum g l) by (apply IHl; intros x Hx; apply H; now right). lra.
Qed.
Lemma sum_const {A} c (l : list A) : sum (fun _ => c) l = INR (length l) * c.
Proof. induction l; [simpl; lra|]. cbn [sum length]. rewrite IHl, S_INR. lra. Qed.
Lemma sum_scal {A} c (f : A -> R) l : sum (fun x => c * f x) l = c * sum f l.
Proof. induction l; simpl; [lra | rewrite IHl; lra]. Qed.
Lemma sum_plus {A} (f g : A -> R) l : sum (fun x => f x + g x) l = sum f l + sum g l.
Proof. induction l; simpl; [lra | rewrite IHl; lra]. Qed.
Lemma sum_ext {A} (f g : A -> R) l : (forall x, f x = g x) -> sum f l = sum g l.
Proof. intros H; induction l; simpl; auto. now rewrite H, IHl. Qed.
Lemma sum_ext_in {A} (f g : A -> R) l : (forall x, In x l -> f x = g x) -> sum f l = sum g l.
Proof. intros H. apply Rle_antisym; apply sum_le_in; intros x I; rewrite (H x I); lra. Qed.
Lemma sum_app {A} (f : A -> R) l m : sum f (l ++ m) = sum f l + sum f m.
Proof. induction l; simpl; lra. Qed.
Lemma sum_map {A B} (g : B -> A) (f : A -> R) l : sum f (map g l) = sum (fun x => f (g x)) l.
Proof. induction l; simpl; lra. Qed.
(** Each place of the list l is drawn with the probability w of what stands there. *)
Definition finite {A} (w : A -> R) (l : list A) : (forall x, 0 <= w x) -> sum w l = 1 -> law A.
Proof.
  intros W W1. refine {| E := fun f => sum (fun x => w x * f x) l |}.
  - transitivity (sum w l); [apply sum_ext; intros; lra | exact W1].
  - intros f g _ _ H. apply sum_le. intros x. apply Rmult_le_compat_l; auto.
  - intros. rewrite <- sum_plus. apply sum_ext; intros; lra.
  - intros. rewrite <- sum_scal. apply sum_ext; intros; lra.
Defined.

(** * Differential privacy *)

Lemma exp_le a b : a <= b -> exp a <= exp b.
Proof. intros [H | ->]; [left; now apply exp_increasing | lra]. Qed.
Lemma exp_ge_1 a : 0 <= a -> 1 <= exp a.
Proof. intros H. rewrite <- exp_0. now apply exp_le. Qed.

(** p gives no test more than e^eps times what q gives it, and delta. *)
Definition close {O} eps delta (p q : law O) := forall f, test f -> p f <= exp eps * q f + delta.
(** (eps, delta)-differential privacy under the neighbouring relation adj. *)
Definition dp {D O} (adj : D -> D -> Prop) eps delta (M : D -> law O) :=
  forall x y, adj x y -> close eps delta (M x) (M y).

(** Weights of every outcome within a factor e^eps are pure differential privacy. *)
Lemma pointwise_in {O} eps (w v : O -> R) l Hw Hw1 Hv Hv1 : (forall o, In o l -> w o <= exp eps * v o) ->
  close eps 0 (finite w l Hw Hw1) (finite v l Hv Hv1).
Proof.
  intros H f Hf. cbn [E finite]. rewrite Rplus_0_r, <- sum_scal.
  apply sum_le_in. intros o Ho. specialize (H o Ho). specialize (Hf o). nra.
Qed.
Lemma pointwise {O} eps (w v : O -> R) l Hw Hw1 Hv Hv1 : (forall o, w o <= exp eps * v o) ->
  close eps 0 (finite w l Hw Hw1) (finite v l Hv Hv1).
Proof. intros H. apply pointwise_in. auto. Qed.
