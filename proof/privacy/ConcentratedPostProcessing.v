(** Post-processing keeps zero-concentrated privacy.

    What is done with the outcome afterwards, with new coins but without the data, does not raise a Renyi
    divergence: for fixed y let P be the total of p(x, y) over x, and Q that of q(x, y).  As t^alpha is
    above its tangent at T = P/Q, p^alpha q^(1-alpha) >= alpha T^(alpha-1) p - (alpha-1) T^alpha q, and the
    total over x of the right side is P^alpha Q^(1-alpha).

    Claims: none.
*)
Require Import Reals Lra List Classical. Import ListNotations.
From DpAssay Require Import Privacy Totals Distributions ZeroConcentrated.
Open Scope R_scope.

(** The distribution of the second part of a pair. *)
Definition second_part {X Y} (p : distribution (X * Y)) : distribution Y.
Proof.
  assert (T : has_total (fun yx => p (snd yx, fst yx)) 1) by apply has_total_swap, probability_total.
  refine {| probability := fun y => total (fun x => p (x, y)) |}.
  - intros y. apply total_ge0.
  - apply (has_total_rows (fun y x => p (x, y))); [intros; apply probability_ge0 | exact T].
Defined.
(** First p, then k of the outcome; the outcome of p is forgotten. *)
Definition processed {X Y} (p : distribution X) (k : X -> distribution Y) : distribution Y :=
  second_part (and_then p k).

Lemma second_part_is {X Y} (p : distribution (X * Y)) y : has_total (fun x => p (x, y)) (second_part p y).
Proof.
  assert (T : has_total (fun yx => p (snd yx, fst yx)) 1) by apply has_total_swap, probability_total.
  apply total_is, (has_total_rows (fun y x => p (x, y)) 1); [intros; apply probability_ge0 | exact T].
Qed.

(** The law of [processed] is that of [then_] in Privacy. *)
Lemma law_of_processed {X Y} (p : distribution X) (k : X -> distribution Y) f : test f ->
  law_of (processed p k) f = then_ (law_of p) (fun x => law_of (k x)) f.
Proof.
  intros Hf. cbn [E then_]. assert (Hk : test (fun x => law_of (k x) f)) by (intros x; now apply E_test).
  assert (Pf : forall x y, 0 <= p x * (k x y * f y)).
  { intros x y. apply Rmult_le_pos; [|apply Rmult_le_pos]; try apply probability_ge0. apply Hf. }
  (* both are the total of p(x) k(x, y) f(y) over all pairs *)
  apply (has_total_unique (fun yx => p (snd yx) * (k (snd yx) (fst yx) * f (fst yx)))).
  - apply (has_total_pairs (fun y x => p x * (k x y * f y)) (fun y => f y * processed p k y)).
    + intros y x. apply Pf.
    + intros y. apply (has_total_ext (fun x => f y * (p x * k x y))); [intros; ring|].
      apply has_total_scal; [apply Hf | apply (second_part_is (and_then p k))].
    + apply (has_total_ext (fun y => processed p k y * f y)); [intros; ring|].
      apply law_of_ge0; [now apply test_bounded | apply Hf].
  - apply (has_total_swap (fun xy => p (fst xy) * (k (fst xy) (snd xy) * f (snd xy)))).
    apply (has_total_pairs (fun x y => p x * (k x y * f y)) (fun x => p x * law_of (k x) f)).
    + exact Pf.
    + intros x. apply has_total_scal; [apply probability_ge0|]. apply law_of_ge0; [now apply test_bounded | apply Hf].
    + apply law_of_ge0; [now apply test_bounded | apply Hk].
Qed.

(** p^alpha q^(1-alpha) is above the tangent at the ratio T = e^u. *)
Lemma renyi_term_tangent alpha u p q : 1 < alpha -> 0 <= p -> 0 <= q -> (q = 0 -> p = 0) ->
  alpha * exp ((alpha - 1) * u) * p <= renyi_term alpha p q + (alpha - 1) * exp (alpha * u) * q.
Proof.
  intros Ha P Q A. assert (W : 0 <= (alpha - 1) * exp (alpha * u)) by (apply Rmult_le_pos; [lra | left; apply exp_pos]).
  destruct P as [P | <-].
  2:{ rewrite renyi_term_0. assert (0 <= (alpha - 1) * exp (alpha * u) * q) by (now apply Rmult_le_pos). lra. }
  destruct Q as [Q | <-]; [|rewrite A in P by auto; lra].
  rewrite renyi_term_pos by auto. set (w := ln p - ln q - u).
  assert (Ep : p = exp u * exp w * q).
  { unfold w. rewrite <- exp_plus. rewrite <- (exp_ln q) at 2 by auto. rewrite <- exp_plus, <- (exp_ln p) at 1 by auto.
    f_equal. ring. }
  assert (Et : Rpower p alpha * Rpower q (1 - alpha) = exp (alpha * u) * exp (alpha * w) * q).
  { unfold Rpower. rewrite <- (exp_ln q) at 2 by auto. rewrite <- !exp_plus. f_equal. unfold w. ring. }
  rewrite Et. replace (alpha * exp ((alpha - 1) * u) * p) with (exp (alpha * u) * (alpha * exp w) * q).
  2:{ rewrite Ep. replace (alpha * u) with ((alpha - 1) * u + u) by ring. rewrite exp_plus. ring. }
  pose proof (power_tangent alpha w Ha) as T. pose proof (exp_pos (alpha * u)).
  replace (exp (alpha * u) * exp (alpha * w) * q + (alpha - 1) * exp (alpha * u) * q)
    with (exp (alpha * u) * (exp (alpha * w) + (alpha - 1)) * q) by ring.
  apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; lra.
Qed.
Lemma renyi_term_of_totals {X} alpha (p q : X -> R) P Q : 1 < alpha -> (forall x, 0 <= p x) -> (forall x, 0 <= q x) ->
  (forall x, q x = 0 -> p x = 0) -> has_total p P -> has_total q Q ->
  forall S, has_total (fun x => renyi_term alpha (p x) (q x)) S -> renyi_term alpha P Q <= S.
Proof.
  intros Ha Pp Pq A TP TQ S TS.
  destruct (has_total_ge0 p P TP) as [HP | <-]; [|rewrite renyi_term_0; now apply (has_total_ge0 _ _ TS)].
  assert (HQ : 0 < Q).
  { destruct (has_total_ge0 q Q TQ) as [HQ | HQ]; auto. exfalso.
    assert (Z : forall x, p x = 0) by (intros x; apply A; pose proof (has_total_term q Q x TQ); specialize (Pq x); lra).
    assert (P <= 0); [|lra]. apply TP. intros l _. induction l as [|x l IH]; simpl; [lra | rewrite Z; lra]. }
  set (u := ln P - ln Q). set (b := (alpha - 1) * exp (alpha * u)).
  assert (Hb : 0 <= b) by (apply Rmult_le_pos; [lra | left; apply exp_pos]).
  assert (Ha' : 0 <= alpha * exp ((alpha - 1) * u)) by (apply Rmult_le_pos; [lra | left; apply exp_pos]).
  assert (L : alpha * exp ((alpha - 1) * u) * P <= S + b * Q).
  { apply (has_total_le (fun x => alpha * exp ((alpha - 1) * u) * p x)
      (fun x => renyi_term alpha (p x) (q x) + b * q x)).
    - intros x. apply renyi_term_tangent; auto.
    - now apply has_total_scal.
    - apply has_total_plus; auto.
      + intros; apply renyi_term_ge0.
      + intros; now apply Rmult_le_pos.
      + now apply has_total_scal. }
  rewrite renyi_term_pos by auto.
  assert (E1 : Rpower P alpha * Rpower Q (1 - alpha) = exp (alpha * u) * Q).
  { unfold Rpower. rewrite <- (exp_ln Q) at 2 by auto. rewrite <- !exp_plus. f_equal. unfold u. ring. }
  assert (E2 : exp ((alpha - 1) * u) * P = exp (alpha * u) * Q).
  { rewrite <- (exp_ln Q) at 1 by auto. rewrite <- (exp_ln P) at 1 by auto.
    rewrite <- !exp_plus. f_equal. unfold u. ring. }
  rewrite E1. unfold b in L. rewrite Rmult_assoc, E2 in L. lra.
Qed.
Lemma renyi_second_part {X Y} alpha b (p q : distribution (X * Y)) : 1 < alpha ->
  renyi_at_most alpha b p q -> renyi_at_most alpha b (second_part p) (second_part q).
Proof.
  intros Ha [A U]. split.
  - intros y E. pose proof (second_part_is q y) as T. rewrite E in T.
    assert (Z : forall x, p (x, y) = 0).
    { intros x. apply A. pose proof (has_total_term _ _ x T) as L.
      pose proof (probability_ge0 q (x, y)). cbv beta in L. lra. }
    apply (has_total_unique (fun x => p (x, y))); [apply second_part_is|].
    apply (has_total_ext (fun x => 0 * p (x, y))); [intros; rewrite Z; lra|].
    pose proof (has_total_scal 0 _ _ (Rle_refl 0) (second_part_is p y)) as T0. now rewrite Rmult_0_l in T0.
  - set (h := fun y x => renyi_term alpha (p (x, y)) (q (x, y))).
    set (B := exp ((alpha - 1) * b)) in *.
    assert (Uh : sums_at_most (fun yx => h (fst yx) (snd yx)) B).
    { apply (sums_at_most_relabel (fun xy : X * Y => (snd xy, fst xy))).
      - intros [y x] H. exfalso. now apply (H (x, y)).
      - intros l N. rewrite (sum_ext _ (fun xy => renyi_term alpha (p xy) (q xy))); [now apply U|]. now intros [x y]. }
    assert (Sh : forall y, summable (h y)).
    { intros y. exists B. intros xs Nx. assert (N : NoDup (map (pair y) xs)) by (apply NoDup_map; auto; congruence).
      specialize (Uh _ N). rewrite sum_map in Uh. exact Uh. }
    apply sums_at_most_le with (g := fun y => total (h y)).
    + intros y. apply (renyi_term_of_totals alpha (fun x => p (x, y)) (fun x => q (x, y))); auto;
        try (intros; apply probability_ge0); try apply second_part_is. apply total_is, Sh.
    + apply (rows_at_most h); auto. intros y. apply total_is, Sh.
Qed.
(** Post-processing: whatever is done with the outcome, without the data, keeps rho. *)
Theorem zcdp_post_processing {D X Y} adj rho (M : D -> distribution X) (k : X -> distribution Y) :
  zcdp adj rho M -> zcdp adj rho (fun d => processed (M d) k).
Proof.
  intros H x y N alpha Ha. apply renyi_second_part; auto.
  replace (alpha * rho) with (alpha * rho + 0) by ring. apply renyi_and_then; [now apply H|].
  intros o. split; [auto|]. rewrite Rmult_0_r, exp_0. intros l Nl.
  rewrite (sum_ext _ (k o)); [now apply probability_total|].
  intros z. destruct (probability_ge0 (k o) z) as [P | <-]; [|apply renyi_term_0].
  rewrite renyi_term_pos by auto. rewrite <- Rpower_plus.
  replace (alpha + (1 - alpha)) with 1 by ring. now apply Rpower_1.
Qed.
