(** How the laws in samplers/ are proved: never above, and undecided to 0.

    Let E be the claimed expected value (of non-negative functions of the result). If under every fuel the tree's
    expected value is never above E ([below]), E is additive with E(1) = 1 ([mean]), and what is undecided vanishes
    ([decided]), then the tree's expected value is within what is undecided of E on every test ([sandwich]): what is
    missing on one side would be too much on the other. So the program has the law that E gives ([has_law_of_mean]).

    This is how [has_law] of Law.v is proved.

    Claims: none.
*)
Require Import Reals Lra Lia List Bool.
From DpAssay Require Import Trees Law.
Open Scope R_scope.

(** Never above E, under any fuel. *)
Definition below {A} (s : nat -> tree A) (E : (A -> R) -> R) : Prop :=
  forall F f, (forall a, 0 <= f a) -> expect (s F) f <= E f.

(** E is additive, and 1 on the constant 1. *)
Definition mean {A} (E : (A -> R) -> R) : Prop :=
  E (fun _ => 1) = 1 /\
  (forall f g, (forall a, f a = g a) -> E f = E g) /\
  (forall f g, E (fun a => f a + g a) = E f + E g).

(** What is undecided vanishes as the fuel grows. *)
Definition decided {A} (s : nat -> tree A) : Prop := Un_cv (fun F => undecided (s F)) 0.

(** Within what is undecided of E, on every test. *)
Lemma sandwich {A} (s : nat -> tree A) E : below s E -> mean E -> forall F f, (forall a, 0 <= f a <= 1) ->
  expect (s F) f <= E f <= expect (s F) f + undecided (s F).
Proof.
  intros B (E1 & Ee & Ep) F f Hf. split; [apply B; intros; apply Hf|].
  assert (complement : expect (s F) (fun a => 1 - f a) <= E (fun a => 1 - f a))
    by (apply B; intros a; specialize (Hf a); lra).
  rewrite expect_minus in complement. pose proof (Ep f (fun a => 1 - f a)) as P.
  cbv beta in P. rewrite (Ee (fun a => f a + (1 - f a)) (fun _ => 1)), E1 in P by (intros; lra).
  unfold undecided. lra.
Qed.

(** A result and its complement that are never above what they should be give the law. *)
Lemma has_law_of_bounds {A} (dec : forall x y : A, {x = y} + {x <> y}) s probability : decided s ->
  (forall F a, Pr dec (s F) a <= probability a) ->
  (forall F a, expect (s F) (fun x => 1 - equals dec a x) <= 1 - probability a) ->
  has_law dec s probability.
Proof.
  intros D U C. split; [|exact D]. intros F a. split; [apply U|]. specialize (C F a).
  rewrite (expect_minus _ (fun _ => 1)) in C. unfold undecided, Pr. lra.
Qed.

(** So the program has the law that E gives. *)
Lemma has_law_of_mean {A} (dec : forall x y : A, {x = y} + {x <> y}) s E : below s E -> mean E -> decided s ->
  has_law dec s (fun a => E (equals dec a)).
Proof. intros B M D. split; [|exact D]. intros F a. apply sandwich; auto. intros x. apply equals_bounds. Qed.

(** * How fast what is undecided vanishes. *)

Lemma pow_cv x : 0 <= x < 1 -> Un_cv (fun n => x ^ n) 0.
Proof.
  intros H eps He. destruct (pow_lt_1_zero x ltac:(rewrite Rabs_pos_eq; lra) eps He) as [N HN].
  exists N. intros n Hn. unfold R_dist. rewrite Rminus_0_r. now apply HN.
Qed.

Lemma constant_cv c : Un_cv (fun _ => c) c.
Proof. intros e He. exists O. intros. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0; auto. Qed.

Lemma scaled_cv c u : Un_cv u 0 -> Un_cv (fun n => c * u n) 0.
Proof. intros H. replace 0 with (c * 0) by lra. apply CV_mult; [apply constant_cv | exact H]. Qed.

Lemma decided_within {A} (s : nat -> tree A) u : Un_cv u 0 -> (forall F, undecided (s F) <= u F) -> decided s.
Proof.
  intros C H eps He. destruct (C eps He) as [N HN]. exists N. intros n Hn. specialize (HN n Hn).
  specialize (H n). pose proof (undecided_bounds (s n)). unfold R_dist in *. rewrite Rminus_0_r in *.
  rewrite Rabs_pos_eq by lra. apply Rabs_def2 in HN. lra.
Qed.

Lemma decided_rate {A} (s : nat -> tree A) c r : 0 <= r < 1 -> (forall F, undecided (s F) <= c * r ^ F) -> decided s.
Proof. intros Hr. apply (decided_within s (fun F => c * r ^ F)). apply scaled_cv, pow_cv, Hr. Qed.
