(** The meter, Theorems 2, 3 and 6 where promises are added up.

    A learner on given data draws from laws, each chosen by what was drawn before, and returns a result. A list of
    promises (epsilon_t, delta_t) is fixed before anything is drawn. Some draws are visible: on two datasets they keep
    the next promise, and both runs go on with the same outcome. Others are hidden: they are coupled, that is the second
    run goes on with pi(h) where the first one has h, and pi(h) has the law that the second run draws; they cost
    nothing. If so, whatever was drawn before, and both runs end together with the same result, then the results are
    close with the sums of the epsilons and of the deltas.

    Narrower than the page: of its rules of composition only that (epsilon, delta) add up, and every path is finite. A
    path may have fewer visible draws than there are promises (Theorem 6). Hidden draws may stand anywhere, and what
    follows may depend on them. The laws may be any, countable or not.

    Claims: none.
*)
Require Import Reals Lra List. Import ListNotations.
From DpAssay Require Import Privacy Composition.
Open Scope R_scope.

Section promises.
Context {X O : Type}.

(** A learner on given data: it returns a result, or draws and goes on as the outcome says. *)
Inductive run := Returns (result : O) | Draws (m : law X) (next : X -> run).

(** The law of the result. *)
Fixpoint result_law (L : run) : law O :=
  match L with Returns r => unit_law r | Draws m next => then_ m (fun x => result_law (next x)) end.

(** pi(h) has the law H' if h has the law H. *)
Definition couples {A B} (pi : A -> B) (H : law A) (H' : law B) : Prop :=
  forall f, bounded f -> H' f = H (fun h => f (pi h)).

(** Each visible draw keeps its promise in one direction, whatever was drawn before, hidden or not; each hidden draw is
    coupled; both runs end together, at the latest when all promises are used up, and with one result. *)
Inductive keeps : list (R * R) -> run -> run -> Prop :=
  | keeps_result promises r : keeps promises (Returns r) (Returns r)
  | keeps_draw epsilon delta promises m m' next next' :
      close epsilon delta m m' -> (forall x, keeps promises (next x) (next' x)) ->
      keeps ((epsilon, delta) :: promises) (Draws m next) (Draws m' next')
  | keeps_hidden promises pi H H' next next' :
      couples pi H H' -> (forall h, keeps promises (next h) (next' (pi h))) ->
      keeps promises (Draws H next) (Draws H' next').

(** Laws that are close, and then laws that are close whatever the first ones gave. *)
Lemma close_then {A B} e1 d1 e2 d2 (m m' : law A) (k k' : A -> law B) : 0 <= d2 ->
  close e1 d1 m m' -> (forall a, close e2 d2 (k a) (k' a)) -> close (e1 + e2) (d1 + d2) (then_ m k) (then_ m' k').
Proof.
  intros Hd Hm Hk.
  set (M := fun first : bool => if first then m else m').
  set (K := fun a (first : bool) => if first then k a else k' a).
  set (adj := fun x y : bool => x = true /\ y = false).
  assert (dpM : dp adj e1 d1 M) by (intros x y [-> ->]; exact Hm).
  assert (dpK : forall a, dp adj e2 d2 (K a)) by (intros a x y [-> ->]; apply Hk).
  intros f Hf.
  exact (adaptive_composition adj e1 d1 e2 d2 M K Hd dpM dpK true false (conj eq_refl eq_refl)
    (fun p => f (snd p)) (fun p => Hf (snd p))).
Qed.

(** A coupled draw costs nothing. *)
Lemma close_coupled {A B C} epsilon delta (pi : A -> B) (H : law A) (H' : law B) (k : A -> law C) (k' : B -> law C) :
  couples pi H H' -> (forall h, close epsilon delta (k h) (k' (pi h))) -> close epsilon delta (then_ H k) (then_ H' k').
Proof.
  intros coupled each f Hf. cbn [E then_].
  assert (in_first : test (fun h => k h f)) by (intros h; now apply E_test).
  assert (in_second : test (fun h => k' h f)) by (intros h; now apply E_test).
  assert (moved : bounded (fun h => k' (pi h) f)).
  { apply test_bounded. intros h. apply in_second. }
  rewrite coupled by now apply test_bounded.
  rewrite <- (E_const H delta), <- E_scal, <- E_plus by auto using bounded_scal, bounded_const.
  apply E_mono; auto using test_bounded, bounded_plus, bounded_scal, bounded_const.
  intros h. now apply each.
Qed.

(** meter, Theorems 2 and 3: if every visible draw keeps its promise whatever was drawn before, every hidden draw is
    coupled, and both runs return the same on every path, then the results are close with the sums of the promised
    epsilons and deltas. *)
Theorem promises_add_up promises L L' :
  Forall (fun promise => 0 <= fst promise /\ 0 <= snd promise) promises -> keeps promises L L' ->
  close (sum fst promises) (sum snd promises) (result_law L) (result_law L').
Proof.
  intros nonneg kept.
  induction kept as [promises r|epsilon delta promises m m' next next' first _ rest|
    promises pi H H' next next' coupled _ rest].
  - intros f Hf. simpl. assert (0 <= sum fst promises /\ 0 <= sum snd promises) as [He Hd].
    { induction nonneg; simpl; lra. }
    assert (1 <= exp (sum fst promises)).
    { rewrite <- exp_0. destruct He as [He|<-]; [left; now apply exp_increasing | lra]. }
    specialize (Hf r). nra.
  - inversion_clear nonneg as [|? ? [He Hd] nonneg']. simpl in *.
    apply close_then; auto. clear - nonneg'. induction nonneg'; simpl; lra.
  - simpl. apply (close_coupled _ _ pi); auto.
Qed.
End promises.

(** meter, Theorems 2 and 3: a learner whose draws keep their promises on all pairs of neighbours is
    (epsilon, delta)-private with the sums of the promises. *)
Theorem kept_promises_are_private {D X O} (adj : D -> D -> Prop) promises (learner : D -> @run X O) :
  Forall (fun promise => 0 <= fst promise /\ 0 <= snd promise) promises ->
  (forall S S', adj S S' -> keeps promises (learner S) (learner S')) ->
  dp adj (sum fst promises) (sum snd promises) (fun S => result_law (learner S)).
Proof. intros nonneg kept S S' neighbours. apply promises_add_up; auto. Qed.
