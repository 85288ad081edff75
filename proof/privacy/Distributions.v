(** Distributions given by a probability for every outcome, on any type of outcomes.

    A distribution is a non-negative function whose total is 1.  It has a law in the sense of Privacy:
    the expected value of a bounded f is the total of p f.  One distribution after another, that may look
    at the first outcome, gives a distribution on pairs; independent ones give a distribution on lists.

    Claims: none.
*)
Require Import Reals Lra List Classical. Import ListNotations.
From DpAssay Require Import Privacy Totals.
Open Scope R_scope.

Record distribution (X : Type) := {
  probability :> X -> R;
  probability_ge0 : forall x, 0 <= probability x;
  probability_total : has_total probability 1 }.
Arguments probability {X}. Arguments probability_ge0 {X}. Arguments probability_total {X}.

(** The law: for a bounded f the total over its positive part less the total over its negative part. *)
Section law.
Context {X} (p : distribution X).
Definition expected (f : X -> R) : R :=
  total (fun x => p x * Rmax (f x) 0) - total (fun x => p x * Rmax (- f x) 0).
Lemma weighted_ge0 (f : X -> R) : (forall x, 0 <= f x) -> forall x, 0 <= p x * f x.
Proof. intros P x. apply Rmult_le_pos; auto. apply probability_ge0. Qed.
Lemma weighted_summable (f : X -> R) : bounded f -> summable (fun x => p x * f x).
Proof.
  intros [C H]. exists (Rabs C * 1). apply sums_at_most_le with (g := fun x => Rabs C * p x).
  - intros x. rewrite (Rmult_comm (p x)). apply Rmult_le_compat_r; [apply probability_ge0|].
    specialize (H x). pose proof (Rle_abs (f x)). pose proof (Rle_abs C). lra.
  - apply sums_at_most_scal; [apply Rabs_pos | apply probability_total].
Qed.
Lemma weighted_is (f : X -> R) : bounded f -> has_total (fun x => p x * f x) (total (fun x => p x * f x)).
Proof. intros B. now apply total_is, weighted_summable. Qed.
Lemma bounded_positive_part (f : X -> R) : bounded f -> bounded (fun x => Rmax (f x) 0).
Proof.
  intros [C H]. exists C. intros x. specialize (H x). unfold Rmax. destruct (Rle_dec (f x) 0); auto.
  rewrite Rabs_R0. pose proof (Rabs_pos (f x)). lra.
Qed.
Lemma bounded_opp (f : X -> R) : bounded f -> bounded (fun x => - f x).
Proof. intros [C H]. exists C. intros x. now rewrite Rabs_Ropp. Qed.
(** Any way to write f as a difference of non-negative functions gives the same. *)
Lemma expected_difference (f u w : X -> R) : bounded u -> bounded w -> (forall x, 0 <= u x) -> (forall x, 0 <= w x) ->
  (forall x, f x = u x - w x) -> expected f = total (fun x => p x * u x) - total (fun x => p x * w x).
Proof.
  intros Bu Bw Pu Pw D.
  assert (Bf : bounded f).
  { destruct Bu as [C H], Bw as [C' H']. exists (C + C'). intros x. rewrite D. unfold Rminus.
    specialize (H x). specialize (H' x). pose proof (Rabs_triang (u x) (- w x)). rewrite Rabs_Ropp in *. lra. }
  assert (Bp := bounded_positive_part f Bf).
  assert (Bn := bounded_positive_part (fun x => - f x) (bounded_opp f Bf)).
  assert (Pp : forall x, 0 <= Rmax (f x) 0) by (intros; apply Rmax_r).
  assert (Pn : forall x, 0 <= Rmax (- f x) 0) by (intros; apply Rmax_r).
  assert (T : total (fun x => p x * Rmax (f x) 0) + total (fun x => p x * w x) =
              total (fun x => p x * u x) + total (fun x => p x * Rmax (- f x) 0)).
  { apply (has_total_unique (fun x => p x * Rmax (f x) 0 + p x * w x)).
    - apply has_total_plus; (apply weighted_ge0 || apply weighted_is); auto.
    - apply (has_total_ext (fun x => p x * u x + p x * Rmax (- f x) 0)).
      + intros x. rewrite <- !Rmult_plus_distr_l. f_equal. specialize (D x).
        unfold Rmax. destruct (Rle_dec (f x) 0), (Rle_dec (- f x) 0); lra.
      + apply has_total_plus; (apply weighted_ge0 || apply weighted_is); auto. }
  unfold expected. lra.
Qed.
Lemma total_weighted_0 : total (fun x => p x * 0) = 0.
Proof.
  transitivity (0 * 1); [|lra]. apply total_eq. apply (has_total_ext (fun x => 0 * p x)); [intros; lra|].
  apply has_total_scal; [lra | apply probability_total].
Qed.
Lemma expected_ge0 (f : X -> R) : bounded f -> (forall x, 0 <= f x) -> expected f = total (fun x => p x * f x).
Proof.
  intros B P. rewrite (expected_difference f f (fun _ => 0)); auto using bounded_const; try (intros; lra).
  rewrite total_weighted_0. lra.
Qed.
Lemma positive_part (f : X -> R) x : f x = Rmax (f x) 0 - Rmax (- f x) 0.
Proof. unfold Rmax. destruct (Rle_dec (f x) 0), (Rle_dec (- f x) 0); lra. Qed.
Lemma total_plus (u w : X -> R) : bounded u -> bounded w -> (forall x, 0 <= u x) -> (forall x, 0 <= w x) ->
  total (fun x => p x * (u x + w x)) = total (fun x => p x * u x) + total (fun x => p x * w x).
Proof.
  intros Bu Bw Pu Pw. apply total_eq. apply (has_total_ext (fun x => p x * u x + p x * w x)); [intros; lra|].
  apply has_total_plus; (apply weighted_ge0 || apply weighted_is); auto.
Qed.
Lemma total_scal c (u : X -> R) : 0 <= c -> bounded u -> (forall x, 0 <= u x) ->
  total (fun x => p x * (c * u x)) = c * total (fun x => p x * u x).
Proof.
  intros Hc Bu Pu. apply total_eq. apply (has_total_ext (fun x => c * (p x * u x))); [intros; lra|].
  apply has_total_scal; auto using weighted_is.
Qed.
Lemma expected_plus (h f g : X -> R) : bounded f -> bounded g -> (forall x, h x = f x + g x) ->
  expected h = expected f + expected g.
Proof.
  intros Bf Bg D. pose proof (bounded_positive_part f Bf). pose proof (bounded_positive_part _ (bounded_opp f Bf)).
  pose proof (bounded_positive_part g Bg). pose proof (bounded_positive_part _ (bounded_opp g Bg)).
  rewrite (expected_difference h (fun x => Rmax (f x) 0 + Rmax (g x) 0) (fun x => Rmax (- f x) 0 + Rmax (- g x) 0)).
  - unfold expected. rewrite !total_plus; auto; try lra; intros; apply Rmax_r.
  - now apply bounded_plus.
  - now apply bounded_plus.
  - intros x. apply Rplus_le_le_0_compat; apply Rmax_r.
  - intros x. apply Rplus_le_le_0_compat; apply Rmax_r.
  - intros x. rewrite D, (positive_part f x), (positive_part g x) at 1. lra.
Qed.
Lemma expected_scal c (f : X -> R) : bounded f -> expected (fun x => c * f x) = c * expected f.
Proof.
  intros Bf. unfold expected at 2.
  pose proof (bounded_positive_part f Bf). pose proof (bounded_positive_part _ (bounded_opp f Bf)).
  destruct (Rle_dec 0 c) as [Hc | Hc].
  - rewrite (expected_difference _ (fun x => c * Rmax (f x) 0) (fun x => c * Rmax (- f x) 0)).
    + rewrite !total_scal; auto; try lra; intros; apply Rmax_r.
    + now apply bounded_scal.
    + now apply bounded_scal.
    + intros x. apply Rmult_le_pos; auto. apply Rmax_r.
    + intros x. apply Rmult_le_pos; auto. apply Rmax_r.
    + intros x. rewrite (positive_part f x) at 1. lra.
  - rewrite (expected_difference _ (fun x => - c * Rmax (- f x) 0) (fun x => - c * Rmax (f x) 0)).
    + rewrite !total_scal; auto; try lra; intros; apply Rmax_r.
    + now apply bounded_scal.
    + now apply bounded_scal.
    + intros x. apply Rmult_le_pos; [lra | apply Rmax_r].
    + intros x. apply Rmult_le_pos; [lra | apply Rmax_r].
    + intros x. rewrite (positive_part f x) at 1. lra.
Qed.
Definition law_of : law X.
Proof.
  refine {| E := expected |}.
  - rewrite expected_ge0 by (auto using bounded_const; intros; lra). apply total_eq.
    apply (has_total_ext p); [intros; lra | apply probability_total].
  - intros f g Bf Bg H.
    assert (B : bounded (fun x => g x + - f x)) by (apply bounded_plus; auto using bounded_opp).
    rewrite (expected_plus g f (fun x => g x + - f x)) by (auto; intros; lra).
    rewrite (expected_ge0 (fun x => g x + - f x)) by (auto; intros x; specialize (H x); lra).
    pose proof (total_ge0 (fun x => p x * (g x + - f x))). lra.
  - intros f g Bf Bg. now apply expected_plus.
  - intros c f Bf. now apply expected_scal.
Defined.
Lemma law_of_ge0 (f : X -> R) : bounded f -> (forall x, 0 <= f x) -> has_total (fun x => p x * f x) (law_of f).
Proof. intros B P. cbn [law_of E]. rewrite expected_ge0 by auto. now apply weighted_is. Qed.
(** The law of one outcome is its probability. *)
Lemma law_of_outcome x (f : X -> R) : (forall y, (y = x -> f y = 1) /\ (y <> x -> f y = 0)) -> law_of f = p x.
Proof.
  intros H. assert (P : forall y, 0 <= f y <= 1).
  { intros y. destruct (H y) as [H1 H0]. destruct (classic (y = x)); [rewrite H1 by auto | rewrite H0 by auto]; lra. }
  apply (has_total_unique (fun y => p y * f y)); [apply law_of_ge0; [now apply test_bounded | apply P]|].
  replace (p x) with (sum (fun y => p y * f y) [x]) by (simpl; rewrite (proj1 (H x) eq_refl); lra).
  apply has_total_finite.
  - apply weighted_ge0. apply P.
  - repeat constructor. auto.
  - intros y N. rewrite (proj2 (H y)); [lra|]. intros ->. apply N. now left.
Qed.
End law.

(** First p, then k of the outcome of p. *)
Definition and_then {X Y} (p : distribution X) (k : X -> distribution Y) : distribution (X * Y).
Proof.
  refine {| probability := fun xy => p (fst xy) * k (fst xy) (snd xy) |}.
  - intros xy. apply Rmult_le_pos; apply probability_ge0.
  - apply (has_total_pairs (fun x y => p x * k x y) p).
    + intros. apply Rmult_le_pos; apply probability_ge0.
    + intros x. pose proof (has_total_scal _ _ _ (probability_ge0 p x) (probability_total (k x))) as S.
      now rewrite Rmult_1_r in S.
    + apply probability_total.
Defined.

(** Independent draws, one from each distribution of a list. *)
Fixpoint product_probability {X} (ps : list (distribution X)) (xs : list X) : R :=
  match ps, xs with
  | [], [] => 1
  | p :: ps', x :: xs' => p x * product_probability ps' xs'
  | _, _ => 0
  end.
Lemma product_probability_ge0 {X} (ps : list (distribution X)) : forall xs, 0 <= product_probability ps xs.
Proof.
  induction ps as [|p ps IH]; intros [|x xs]; simpl; try lra. apply Rmult_le_pos; auto. apply probability_ge0.
Qed.
Definition joined {X} (xy : X * list X) : list X := fst xy :: snd xy.
Lemma joined_injective {X} (a b : X * list X) : joined a = joined b -> a = b.
Proof. destruct a, b. unfold joined. simpl. congruence. Qed.
Lemma product_outside {X} p (ps : list (distribution X)) xs :
  (forall xy, joined xy <> xs) -> product_probability (p :: ps) xs = 0.
Proof. destruct xs as [|x xs]; auto. intros H. exfalso. apply (H (x, xs)). reflexivity. Qed.
Lemma product_total {X} (ps : list (distribution X)) : has_total (product_probability ps) 1.
Proof.
  induction ps as [|p ps IH].
  - replace 1 with (sum (product_probability (@nil (distribution X))) [[]]) by (simpl; lra). apply has_total_finite.
    + apply product_probability_ge0.
    + repeat constructor. auto.
    + intros [|x xs] N; [exfalso; apply N; now left | reflexivity].
  - apply (has_total_relabel joined); [apply joined_injective | apply product_outside|].
    replace 1 with (1 * 1) by lra. apply (has_total_product p (product_probability ps)); auto.
    + apply probability_ge0.
    + apply product_probability_ge0.
    + apply probability_total.
Qed.
Definition independent {X} (ps : list (distribution X)) : distribution (list X) :=
  {| probability := product_probability ps;
     probability_ge0 := product_probability_ge0 ps;
     probability_total := product_total ps |}.
