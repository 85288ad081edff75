(** When a program has a law.

    A program is a family of trees of fair coins, one for each fuel. It has the law `probability` if, for every fuel
    and outcome, what it has given to the outcome so far is at most the probability of the outcome, and misses it by
    at most what is undecided; and if what is undecided tends to 0. From this follow the limits: the chance of an
    outcome tends to its probability.

    Claims: none.
*)
Require Import Reals Lra Lia List.
From DpAssay Require Import Trees Laws. Import ListNotations.
Open Scope R_scope.

Definition option_eq_dec {A} (dec : forall x y : A, {x = y} + {x <> y}) : forall x y : option A, {x = y} + {x <> y}.
Proof. decide equality. Defined.

Section facts.
Context {A : Type} (dec : forall x y : A, {x = y} + {x <> y}).

Lemma indicator_expect_range (t : tree A) a :
  0 <= expect t (fun x => if dec x a then 1 else 0) <= 1 - undecided t.
Proof.
  unfold undecided. split.
  - apply expect_ge0. intros x. destruct (dec x a); lra.
  - replace (1 - (1 - expect t (fun _ => 1))) with (expect t (fun _ => 1)) by lra.
    apply expect_le. intros x. destruct (dec x a); lra.
Qed.

Lemma has_law_range program p : has_law dec program p -> forall a, 0 <= p a <= 1.
Proof.
  intros [bounds _] a. specialize (bounds O a). unfold Pr, equals in bounds.
  pose proof (indicator_expect_range (program O) a). lra.
Qed.

(** The chance of an outcome within the fuel tends to its probability. *)
Lemma has_law_limit program p : has_law dec program p ->
  forall a, Un_cv (fun fuel => expect (program fuel) (fun x => if dec x a then 1 else 0)) (p a).
Proof.
  intros [bounds vanishes] a eps He. destruct (vanishes eps He) as [N HN]. exists N. intros n Hn.
  specialize (HN n Hn). specialize (bounds n a). unfold Pr, equals in bounds. pose proof (undecided_bounds (program n)).
  unfold R_dist in *. rewrite Rminus_0_r, Rabs_pos_eq in HN by lra. apply Rabs_def1; lra.
Qed.

End facts.
