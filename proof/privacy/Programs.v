(** Privacy of what a program draws.

    A program (a tree of fair coins for each amount of fuel, coins/Trees.v) draws from a distribution p if
    under every fuel each test passes with a probability that is at most its expected value under p, short
    of it by at most what is undecided, and what is undecided vanishes as the fuel grows.  It is enough to
    compare outcome by outcome.  Programs run in turn on fresh coins draw from independent distributions.
    Privacy of the distributions is privacy of the programs, in the limit of much fuel.

    Claims: none.
*)
Require Import Reals Lra List. Import ListNotations.
From DpAssay Require Import Trees Privacy Totals Distributions.
Open Scope R_scope.

Definition draws_from {X} (program : nat -> tree X) (p : distribution X) : Prop :=
  (forall f, test f -> forall fuel,
     expect (program fuel) f <= law_of p f <= expect (program fuel) f + undecided (program fuel)) /\
  Un_cv (fun fuel => undecided (program fuel)) 0.

(** So the probability of every test tends to its expected value under p. *)
Lemma draws_from_limit {X} (program : nat -> tree X) (p : distribution X) : draws_from program p ->
  forall f, test f -> Un_cv (fun fuel => expect (program fuel) f) (law_of p f).
Proof.
  intros [B U] f Hf e He. destruct (U e He) as [N HN]. exists N. intros n Hn. specialize (HN n Hn).
  specialize (B f Hf n). unfold R_dist in *. pose proof (undecided_bounds (program n)).
  rewrite Rminus_0_r, Rabs_pos_eq in HN by lra. apply Rabs_def1; lra.
Qed.

(** Outcome by outcome. *)
Section outcomes.
Context {X : Type} (dec : forall x y : X, {x = y} + {x <> y}).
Definition outcome_is (a x : X) : R := if dec x a then 1 else 0.
Lemma outcome_is_test a : test (outcome_is a).
Proof. intros x. unfold outcome_is. destruct (dec x a); lra. Qed.
Lemma sum_outcome_is (f : X -> R) a l : NoDup l ->
  sum (fun x => f x * outcome_is x a) l = if in_dec dec a l then f a else 0.
Proof.
  induction l as [|x l IH]; intros N; [reflexivity|]. inversion N as [|? ? Nx Nl]; subst. simpl sum. rewrite IH by auto.
  unfold outcome_is. destruct (dec a x) as [<- | D].
  - destruct (in_dec dec a l); [contradiction|]. destruct (in_dec dec a (a :: l)) as [|C]; [lra | destruct C; now left].
  - destruct (in_dec dec a l) as [I | I], (in_dec dec a (x :: l)) as [J | J]; try lra.
    + destruct J. now right.
    + destruct J as [-> | J]; contradiction.
Qed.
(** The expected value is a finite sum over outcomes. *)
Lemma expect_by_outcomes (t : tree X) : exists l, NoDup l /\ forall m, NoDup m -> incl l m -> forall f,
  expect t f = sum (fun x => f x * expect t (outcome_is x)) m.
Proof.
  induction t as [a | | k IH].
  - exists [a]. split; [repeat constructor; auto|]. intros m N I f. cbn [expect].
    rewrite (sum_outcome_is f a m N). destruct (in_dec dec a m) as [|C]; [reflexivity | destruct C; apply I; now left].
  - exists []. split; [constructor|]. intros m _ _ f. cbn [expect].
    rewrite (sum_ext _ (fun x => 0 * 1)), sum_scal by (intros; lra). lra.
  - destruct (IH false) as (l0 & N0 & E0), (IH true) as (l1 & N1 & E1).
    exists (nodup dec (l0 ++ l1)). split; [apply NoDup_nodup|]. intros m N I f. cbn [expect].
    assert (I0 : incl l0 m) by (intros x Hx; apply I, nodup_In, in_or_app; auto).
    assert (I1 : incl l1 m) by (intros x Hx; apply I, nodup_In, in_or_app; auto).
    rewrite (E0 m N I0 f), (E1 m N I1 f).
    transitivity (sum (fun x =>
      / 2 * (f x * expect (k false) (outcome_is x) + f x * expect (k true) (outcome_is x))) m).
    + rewrite sum_scal, sum_plus. lra.
    + apply sum_ext. intros; lra.
Qed.
Theorem draws_from_outcomes (program : nat -> tree X) (p : distribution X) :
  (forall fuel a, expect (program fuel) (outcome_is a) <= p a) -> Un_cv (fun fuel => undecided (program fuel)) 0 ->
  draws_from program p.
Proof.
  intros H U. split; auto.
  assert (Up : forall f, test f -> forall fuel, expect (program fuel) f <= law_of p f).
  { intros f Hf fuel. destruct (expect_by_outcomes (program fuel)) as (l & N & E).
    rewrite (E l N (fun x I => I) f).
    destruct (law_of_ge0 p f (test_bounded f Hf) (fun x => proj1 (Hf x))) as [B _].
    eapply Rle_trans; [|apply (B l N)]. apply sum_le. intros x. rewrite Rmult_comm.
    apply Rmult_le_compat_r; [apply Hf | apply H]. }
  intros f Hf fuel. split; [now apply Up|].
  assert (Hg : test (fun x => 1 + -1 * f x)) by (intros x; specialize (Hf x); lra).
  pose proof (Up _ Hg fuel) as C. rewrite expect_plus, expect_scal in C.
  assert (Bf : bounded f) by now apply test_bounded.
  rewrite (E_plus (law_of p) (fun _ => 1) (fun x => -1 * f x)), E_one, E_scal in C
    by (auto using bounded_const, bounded_scal).
  unfold undecided. lra.
Qed.
Lemma outcome_at_most (program : nat -> tree X) (p : distribution X) : draws_from program p ->
  forall fuel a, expect (program fuel) (outcome_is a) <= p a.
Proof.
  intros [B _] fuel a. rewrite <- (law_of_outcome p a (outcome_is a)).
  - apply B, outcome_is_test.
  - intros y. unfold outcome_is. destruct (dec y a); split; intros; auto; contradiction.
Qed.
End outcomes.

(** Programs run in turn, each on coins of its own. *)
Fixpoint in_turn {X} (programs : list (nat -> tree X)) (fuel : nat) : tree (list X) :=
  match programs with
  | [] => Ret []
  | program :: rest => x <- program fuel; xs <- in_turn rest fuel; Ret (x :: xs)
  end.
Lemma undecided_in_turn {X} (program : nat -> tree X) rest fuel :
  undecided (in_turn (program :: rest) fuel) <= undecided (program fuel) + undecided (in_turn rest fuel).
Proof.
  unfold undecided. cbn [in_turn]. rewrite expect_bind.
  rewrite (expect_ext (program fuel) _ (fun _ => expect (in_turn rest fuel) (fun _ => 1) * 1)).
  2:{ intros x. rewrite expect_bind. rewrite Rmult_1_r. now apply expect_ext. }
  rewrite expect_scal. pose proof (expect_one (program fuel)). pose proof (expect_one (in_turn rest fuel)). nra.
Qed.
Theorem in_turn_draws_independent {X} (dec : forall x y : X, {x = y} + {x <> y})
  (programs : list (nat -> tree X)) (ps : list (distribution X)) :
  Forall2 draws_from programs ps -> draws_from (in_turn programs) (independent ps).
Proof.
  intros F. assert (dec' := list_eq_dec dec). apply (draws_from_outcomes dec').
  - intros fuel. induction F as [|program p rest ps Hp _ IH]; intros xs; cbn [in_turn].
    + cbn [expect]. unfold outcome_is.
      destruct (dec' [] xs) as [<- | N]; [cbn; lra | apply probability_ge0].
    + rewrite expect_bind. destruct xs as [|x xs].
      * rewrite (expect_ext _ _ (fun _ => 0)), expect_0; [apply probability_ge0|]. intros y. rewrite expect_bind.
        rewrite (expect_ext _ _ (fun _ => 0)), expect_0; auto. intros ys. cbn. unfold outcome_is.
        destruct (dec' (y :: ys) []); [discriminate | auto].
      * rewrite (expect_ext _ _ (fun y => expect (in_turn rest fuel) (outcome_is dec' xs) * outcome_is dec x y)).
        2:{ intros y. rewrite expect_bind, Rmult_comm, <- expect_scal. apply expect_ext. intros ys. cbn.
            unfold outcome_is.
            destruct (dec' (y :: ys) (x :: xs)) as [Q | Q], (dec y x) as [A | A], (dec' ys xs) as [B | B];
              try lra; try (injection Q; intros; congruence); congruence. }
        rewrite expect_scal. cbn. rewrite Rmult_comm. apply Rmult_le_compat.
        -- apply expect_ge0. intros y. apply outcome_is_test.
        -- apply expect_ge0. intros y. apply outcome_is_test.
        -- now apply outcome_at_most.
        -- apply IH.
  - induction F as [|program p rest ps [_ Hu] _ IH].
    + intros e He. exists O. intros n _. unfold R_dist, undecided. cbn.
      replace (1 - 1 - 0) with 0 by lra. now rewrite Rabs_R0.
    + pose proof (CV_plus _ _ _ _ Hu IH) as S. rewrite Rplus_0_r in S.
      intros e He. destruct (S e He) as [N HN]. exists N. intros n Hn. specialize (HN n Hn).
      unfold R_dist in *. rewrite Rminus_0_r in *. pose proof (undecided_in_turn program rest n).
      pose proof (undecided_bounds (in_turn (program :: rest) n)). rewrite Rabs_pos_eq by lra.
      apply Rabs_def2 in HN. lra.
Qed.

(** A relabelled program, by an injective map. *)
Lemma draws_from_relabel {X} (phi : X -> X) (program : nat -> tree X) (p q : distribution X)
  (dec : forall x y : X, {x = y} + {x <> y}) :
  (forall x, q (phi x) = p x) -> (forall y, exists x, phi x = y) -> (forall x x', phi x = phi x' -> x = x') ->
  draws_from program p -> draws_from (fun fuel => tmap phi (program fuel)) q.
Proof.
  intros E Sur Inj H. apply (draws_from_outcomes dec).
  - intros fuel y. destruct (Sur y) as [x <-]. rewrite expect_map, E.
    rewrite (expect_ext _ _ (outcome_is dec x)); [now apply outcome_at_most|].
    intros x'. unfold outcome_is.
    destruct (dec (phi x') (phi x)) as [Q | Q], (dec x' x) as [R | R]; auto; exfalso; auto.
    now subst.
  - destruct H as [_ U]. intros e He. destruct (U e He) as [N HN]. exists N. intros n Hn. specialize (HN n Hn).
    unfold undecided in *. now rewrite expect_map.
Qed.

(** The programs are as private as their distributions: what tests on them tend to is (eps, delta)-close. *)
Theorem programs_dp {D X} (adj : D -> D -> Prop) eps delta (M : D -> distribution X) (program : D -> nat -> tree X) :
  (forall d, draws_from (program d) (M d)) -> dp adj eps delta (fun d => law_of (M d)) ->
  forall x y, adj x y -> forall f, test f -> forall u w,
  Un_cv (fun fuel => expect (program x fuel) f) u -> Un_cv (fun fuel => expect (program y fuel) f) w ->
  u <= exp eps * w + delta.
Proof.
  intros H P x y N f Hf u w U W.
  rewrite (UL_sequence _ _ _ U (draws_from_limit _ _ (H x) f Hf)).
  rewrite (UL_sequence _ _ _ W (draws_from_limit _ _ (H y) f Hf)). now apply (P x y).
Qed.
