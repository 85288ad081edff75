(** When a translated function and a program are the same.

    [same p q]: whatever the one does under some fuel, the other does under some fuel. Fuel is a device of both. Then
    [agrees_without_fuel] says it of tapes, and [law_of_source] in Laws of the source carries a law over.
      [eventually p q]:
    from some fuel on both are the same tree.

    Claims: none.
*)
Require Import Lia List Bool ZArith FunctionalExtensionality.
From DpAssay Require Import Trees Fuel Samplers Rust.
Open Scope nat_scope.

(** * Trees *)

Lemma bind_ext {A B} (t : tree A) (f g : A -> tree B) : (forall a, f a = g a) -> bind t f = bind t g.
Proof. intros E. now replace g with f by (extensionality a; apply E). Qed.
Lemma bind_bind {A B C} (t : tree A) (f : A -> tree B) (g : B -> tree C) :
  bind (bind t f) g = bind t (fun a => bind (f a) g).
Proof. induction t; simpl; auto. f_equal. extensionality coin. apply H. Qed.
Lemma bind_ret {A} (t : tree A) : bind t Ret = t.
Proof. induction t; simpl; auto. f_equal. extensionality coin. apply H. Qed.

(** [P] holds of every result. *)
Fixpoint results {A} (P : A -> Prop) (t : tree A) : Prop :=
  match t with Ret a => P a | Stop => True | Flip k => forall coin, results P (k coin) end.
Lemma results_bind {A B} (P : A -> Prop) (Q : B -> Prop) (t : tree A) f :
  results P t -> (forall a, P a -> results Q (f a)) -> results Q (bind t f).
Proof. induction t; simpl; auto. Qed.
Lemma bind_ext_results {A B} (P : A -> Prop) (t : tree A) (f g : A -> tree B) :
  results P t -> (forall a, P a -> f a = g a) -> bind t f = bind t g.
Proof. intros R E. induction t; simpl in *; auto. f_equal. extensionality coin. auto. Qed.
Lemma results_attempts {A} (P : A -> Prop) (t : tree (option A)) F :
  results (fun o => match o with Some a => P a | None => True end) t -> results P (attempts F t).
Proof. intros R. induction F; simpl; auto. eapply results_bind; [exact R|]. intros [a|]; simpl; auto. Qed.
Lemma results_true {A} (t : tree A) : results (fun _ => True) t.
Proof. induction t; simpl; auto. Qed.

Lemma extends_trans {A} (t u v : tree A) : extends t u -> extends u v -> extends t v.
Proof. intros E. revert v. induction E; intros v E'; auto; [constructor|]. inversion E'; subst. constructor. auto.
  Qed.

(** * Programs *)

Definition monotone {A} (p : nat -> tree A) : Prop := forall F G, F <= G -> extends (p F) (p G).
Definition within {A} (p q : nat -> tree A) : Prop := forall F, exists G, extends (p F) (q G).
Definition same {A} (p q : nat -> tree A) : Prop := within p q /\ within q p.
Definition eventually {A} (p q : nat -> tree A) : Prop := exists K, forall F, K <= F -> p F = q F.

Lemma same_refl {A} (p : nat -> tree A) : same p p.
Proof. split; intros F; exists F; apply extends_refl. Qed.
Lemma same_of_eventually {A} (p q : nat -> tree A) : monotone p -> monotone q -> eventually p q -> same p q.
Proof.
  intros Mp Mq [K E]. split; intros F; exists (F + K).
  - rewrite <- E by lia. apply Mp. lia.
  - rewrite E by lia. apply Mq. lia.
Qed.
Lemma same_trans {A} (p q r : nat -> tree A) : same p q -> same q r -> same p r.
Proof.
  intros [A1 A2] [B1 B2]. split; intros F.
  - destruct (A1 F) as [G E]. destruct (B1 G) as [H E']. exists H. eapply extends_trans; eauto.
  - destruct (B2 F) as [G E]. destruct (A2 G) as [H E']. exists H. eapply extends_trans; eauto.
Qed.

(** A tree has finitely many results, so that one fuel is enough for all. *)
Lemma enough_for_all {A} (P : A -> nat -> Prop) (t : tree A) (R : A -> Prop) : results R t ->
  (forall a n m, n <= m -> P a n -> P a m) -> (forall a, R a -> exists n, P a n) -> exists n, results (fun a => P a
    n) t.
Proof.
  intros Rt M H. induction t as [a| |k IH]; simpl in *; [auto | now exists 0 |].
  destruct (IH false (Rt false)) as [n Hn], (IH true (Rt true)) as [m Hm]. exists (n + m).
  assert (L : forall t a b, a <= b -> results (fun x => P x a) t -> results (fun x => P x b) t).
  { intros t. induction t; simpl; intros; eauto. }
  intros []; [apply (L _ m) | apply (L _ n)]; auto; lia.
Qed.
Lemma extends_bind_results {A B} (t u : tree A) (f g : A -> tree B) : extends t u ->
  results (fun a => extends (f a) (g a)) t -> extends (bind t f) (bind u g).
Proof. induction 1; simpl; intros R; auto; constructor; auto. Qed.
Lemma results_extends {A} (P : A -> Prop) (t u : tree A) : extends t u -> results P u -> results P t.
Proof. induction 1; simpl; auto. Qed.

Lemma within_bind {A B} (R : A -> Prop) (p q : nat -> tree A) (f g : nat -> A -> tree B) :
  within p q -> monotone q -> (forall F, results R (p F)) -> (forall a, monotone (fun F => g F a)) ->
  (forall a, R a -> within (fun F => f F a) (fun F => g F a)) ->
  within (fun F => bind (p F) (f F)) (fun F => bind (q F) (g F)).
Proof.
  intros W Mq Rp Mg Wf F. destruct (W F) as [G0 E].
  destruct (enough_for_all (fun a n => extends (f F a) (g n a)) (p F) R (Rp F)) as [G1 E1].
  - intros a n m L. intros X. eapply extends_trans; [exact X|]. now apply Mg.
  - intros a Ra. apply (Wf a Ra F).
  - exists (G0 + G1). eapply extends_trans; [apply extends_bind_results; [exact E | exact E1]|].
    apply extends_bind; [apply Mq; lia|]. intros a. apply Mg. lia.
Qed.
Lemma same_bind {A B} (R : A -> Prop) (p q : nat -> tree A) (f g : nat -> A -> tree B) :
  same p q -> monotone p -> monotone q -> (forall F, results R (q F)) ->
  (forall a, monotone (fun F => f F a)) -> (forall a, monotone (fun F => g F a)) ->
  (forall a, R a -> same (fun F => f F a) (fun F => g F a)) ->
  same (fun F => bind (p F) (f F)) (fun F => bind (q F) (g F)).
Proof.
  intros [W W'] Mp Mq Rq Mf Mg S. split.
  - apply within_bind with (R := R); auto; [|intros a Ra; apply S, Ra].
    intros F. destruct (W F) as [G E]. eapply results_extends; [exact E | apply Rq].
  - apply within_bind with (R := R); auto. intros a Ra. apply S, Ra.
Qed.

(** * The monad of the translation *)

Lemma mbind_val {R A B} (a : A) (k : A -> M R B) : mbind (val a) k = k a.
Proof. reflexivity. Qed.
Lemma mbind_leave {R A B} (r : R) (k : A -> M R B) : mbind (leave r) k = leave r.
Proof. reflexivity. Qed.
Lemma natural_sub_val {R} a b : (b <= a)%Z -> @natural_sub R a b = val (a - b)%Z.
Proof. intros L. unfold natural_sub. now rewrite (proj2 (Z.leb_le _ _) L). Qed.
Lemma big_div_val {R} a b : b <> 0%Z -> @big_div R a b = val (Z.quot a b).
Proof. intros L. unfold big_div. now rewrite (proj2 (Z.eqb_neq _ _) L). Qed.
Lemma big_div_rem_val {R} a b : b <> 0%Z -> @big_div_rem R a b = val (Z.quot a b, Z.rem a b).
Proof. intros L. unfold big_div_rem. now rewrite (proj2 (Z.eqb_neq _ _) L). Qed.
Lemma ok_bind {A B} (t : tree A) (k : A -> tree B) : ok (bind t k) = bind t (fun a => ok (k a)).
Proof. unfold ok, tmap. apply bind_bind. Qed.
Lemma mbind_bind {R A B C} (t : tree A) (f : A -> M R B) (k : B -> M R C) :
  mbind (bind t f) k = bind t (fun a => mbind (f a) k).
Proof. unfold mbind. apply bind_bind. Qed.
Lemma mbind_mbind {R A B C} (m : M R A) (f : A -> M R B) (g : B -> M R C) :
  mbind (mbind m f) g = mbind m (fun a => mbind (f a) g).
Proof. unfold mbind. rewrite bind_bind. apply bind_ext. intros [a|r|]; reflexivity. Qed.
Lemma mbind_ext {R A B} (m : M R A) (f g : A -> M R B) : (forall a, f a = g a) -> mbind m f = mbind m g.
Proof. intros E. unfold mbind. apply bind_ext. intros [a|r|]; auto. Qed.
Lemma ask_ok {T A B} (t : tree A) (k : A -> M (result T) B) : mbind (ask (ok t)) k = bind t k.
Proof. unfold ask, call, ok, tmap, mbind. rewrite !bind_bind. apply bind_ext. reflexivity. Qed.
Lemma call_ok {R A B} (t : tree A) (k : result A -> M R B) : mbind (call (ok t)) k = bind t (fun a => k (Ok a)).
Proof. unfold call, ok, tmap, mbind. rewrite !bind_bind. apply bind_ext. reflexivity. Qed.
Lemma body_bind {A R} (t : tree A) (k : A -> M R R) : body (bind t k) = bind t (fun a => body (k a)).
Proof. unfold body. apply bind_bind. Qed.
Lemma body_call {A} (t : rust A) : body (call t) = t.
Proof. unfold body, call. rewrite bind_bind. transitivity (bind t Ret); [|apply bind_ret]. apply bind_ext. now
  intros [a|]. Qed.
Lemma call_val {R A} (a : A) : @call R A (body (val a)) = val a.
Proof. reflexivity. Qed.
(** The parts of a function, in their places. *)
Ltac parts := autounfold with parts; rewrite ?call_val, ?body_call, ?mbind_val.
(** Two runs that do the same in the same order, however it is written: case by case. *)
Ltac same_run :=
  autounfold with parts; unfold body, call, ask, Rust.try, mbind, leave, val, panic, negb, andb, orb;
  repeat (rewrite ?bind_bind; cbn [bind]; first
    [ reflexivity
    | apply bind_ext; intros ?
    | match goal with |- context [match ?x with _ => _ end] =>
        lazymatch x with context [match _ with _ => _ end] => fail | _ => destruct x end end ]).
(** A function whose body begins with a run that is only ever [Ok]. *)
Lemma body_ask {T A} (t : tree A) (k : A -> M (result T) (result T)) : body (mbind (ask (ok t)) k) = bind t (fun a
  => body (k a)).
Proof. now rewrite ask_ok, body_bind. Qed.

(** * More fuel changes no result of a translated function. *)

Lemma mbind_extends {R A B} (m n : M R A) (f g : A -> M R B) : extends m n -> (forall a, extends (f a) (g a)) ->
  extends (mbind m f) (mbind n g).
Proof. intros E H. apply extends_bind; auto. intros [a|r|]; auto; constructor. Qed.
Lemma body_extends {R} (m n : M R R) : extends m n -> extends (body m) (body n).
Proof. intros E. apply extends_bind; auto. intros x. apply extends_refl. Qed.
Lemma call_extends {R A} (m n : rust A) : extends m n -> extends (@call R A m) (call n).
Proof. intros E. apply extends_bind; auto. intros x. apply extends_refl. Qed.
Lemma ask_extends {T A} (m n : rust (result A)) : extends m n -> extends (@ask T A m) (ask n).
Proof. intros E. apply mbind_extends; [now apply call_extends|]. intros x. apply extends_refl. Qed.
Lemma ok_extends {A} (t u : tree A) : extends t u -> extends (ok t) (ok u).
Proof. intros E. apply extends_bind; auto. intros. apply extends_refl. Qed.
Lemma while_extends {R S} F : forall G (c c' : S -> M R bool) (b b' : S -> M R S) s, F <= G ->
  (forall s, extends (c s) (c' s)) -> (forall s, extends (b s) (b' s)) -> extends (while F c b s) (while G c' b' s).
Proof.
  induction F; intros G c c' b b' s L C B; [constructor|]. destruct G; [lia|]. cbn [while].
  apply mbind_extends; auto. intros []; [|apply extends_refl]. apply mbind_extends; auto. intros s'. apply IHF;
    auto. lia.
Qed.
Lemma forever_extends {R S A} F : forall G (b b' : S -> M R S) s, F <= G ->
  (forall s, extends (b s) (b' s)) -> extends (@forever R S A F b s) (forever G b' s).
Proof.
  induction F; intros G b b' s L B; [constructor|]. destruct G; [lia|]. cbn [forever].
  apply mbind_extends; auto. intros s'. apply IHF; auto. lia.
Qed.
Lemma each_extends {R A S} (l : list A) : forall (b b' : A -> S -> M R S) s,
  (forall a s, extends (b a s) (b' a s)) -> extends (each l b s) (each l b' s).
Proof. induction l; intros b b' s B; [apply extends_refl|]. apply mbind_extends; auto. Qed.
Lemma collect_each_extends {A B} (l : list A) (f g : A -> rust (result B)) :
  (forall a, extends (f a) (g a)) -> extends (collect_each l f) (collect_each l g).
Proof.
  intros E. induction l; [apply extends_refl|]. cbn [collect_each]. apply body_extends, mbind_extends; [now apply
    ask_extends|].
  intros b. apply mbind_extends; [now apply ask_extends | intros; apply extends_refl].
Qed.

Create HintDb more_fuel.
(** Every translated function is monotone, by its form alone. *)
Ltac more_fuel :=
  autounfold with parts;
  repeat first
    [ apply extends_refl
    | solve [auto with more_fuel]
    | apply body_extends
    | apply ask_extends
    | apply call_extends
    | apply while_extends; [lia | intros | intros]
    | apply forever_extends; [lia | intros]
    | apply each_extends; intros
    | apply collect_each_extends; intros
    | apply mbind_extends; [| intros]
    | match goal with
      | |- context [match ?x with _ => _ end] => destruct x
      | s : (_ * _)%type |- _ => destruct s
      end ].

(** * A loop that is left with the first result that is accepted *)

Definition judged {A} (o : option A) : M (result A) unit := match o with Some a => leave (Ok a) | None => val tt end.

Lemma forever_attempts {A} F (t : tree (option A)) :
  body (forever F (fun _ : unit => bind t judged) tt) = ok (attempts F t).
Proof.
  induction F as [|F IH]; [reflexivity|]. cbn [forever attempts].
  rewrite mbind_bind, body_bind, ok_bind. apply bind_ext. intros [a|]; [reflexivity | exact IH].
Qed.
(** The same, where the attempts are the same only without fuel. *)
Lemma forever_same {A} (round : nat -> M (result A) unit) (t : nat -> tree (option A)) : monotone round -> monotone
  t ->
  same round (fun F => bind (t F) judged) ->
  same (fun F => body (forever F (fun _ : unit => round F) tt)) (fun F => ok (attempts F (t F))).
Proof.
  intros Mr Mt [W W']. split; intros F.
  - destruct (W F) as [G E]. exists (F + G). rewrite <- forever_attempts. apply body_extends, forever_extends; [lia|].
    intros _. eapply extends_trans; [exact E|]. apply extends_bind; [apply Mt; lia | intros; apply extends_refl].
  - destruct (W' F) as [G E]. exists (F + G). rewrite <- forever_attempts. apply body_extends, forever_extends;
    [lia|].
    intros _. eapply extends_trans; [exact E|]. apply Mr. lia.
Qed.

(** * What it means *)

(** Without fuel, on every tape: the source ends with [Ok a] after so many coins if and only if the program ends
  with a after
    as many; and the source never ends in another way: no error, no panic. *)
Definition agrees_without_fuel {A} (source : nat -> rust (result A)) (program : nat -> tree A) : Prop :=
  forall tape end' used,
    (exists F, run (source F) tape = Done end' used) <->
    (exists F a, end' = Returned (Ok a) /\ run (program F) tape = Done a used).

Lemma run_ok {A} (t : tree A) tape end' used :
  run (ok t) tape = Done end' used <-> exists a, end' = Returned (Ok a) /\ run t tape = Done a used.
Proof.
  revert tape end' used. unfold ok, tmap. induction t as [a| |k IH]; intros tape end' used; simpl.
  - split; [intros E; inversion E; eauto | intros [x [-> E]]; inversion E; auto].
  - split; [discriminate | intros [x [_ E]]; discriminate].
  - destruct tape as [|coin rest]; [split; [discriminate | intros [x [_ E]]; discriminate]|].
    specialize (IH coin rest). destruct (run (bind (k coin) _) rest) as [e n| |] eqn:R.
    + destruct (proj1 (IH e n) eq_refl) as [a [-> Ra]]. rewrite Ra.
      split; [intros E; inversion E; eauto | intros [x [-> E]]; inversion E; auto].
    + destruct (run (k coin) rest) as [a n| |] eqn:Ra; split; try discriminate; try (intros [x [_ E]]; discriminate).
      discriminate (proj2 (IH _ n) (ex_intro _ a (conj eq_refl eq_refl))).
    + destruct (run (k coin) rest) as [a n| |] eqn:Ra; split; try discriminate; try (intros [x [_ E]]; discriminate).
      discriminate (proj2 (IH _ n) (ex_intro _ a (conj eq_refl eq_refl))).
Qed.
Lemma agrees_of_same {A} (source : nat -> rust (result A)) (program : nat -> tree A) :
  same source (fun F => ok (program F)) -> agrees_without_fuel source program.
Proof.
  intros [W W'] tape end' used. split.
  - intros [F R]. destruct (W F) as [G E]. exists G. apply run_ok. eapply extends_run; eauto.
  - intros [F [a [-> R]]]. destruct (W' F) as [G E]. exists G. eapply extends_run; [exact E|]. apply run_ok. eauto.
Qed.
