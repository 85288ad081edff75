(** The hinge loss can be least at a large norm (Appendix H).

    On the line, at the margin 1: the expected hinge loss of a law with three values of y x is least at 1/gamma alone,
    although every w > 0 has the same error; and a sample of m points for which it is least at m/3. As on the page.

    Claims: bms22.appH.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy DataLosses.
Open Scope R_scope.

(** The hinge loss of w at the margin 1, where y x = z. *)
Definition line_hinge (w z : R) : R := Rmax 0 (1 - w * z).

(** y x is gamma, -1 or +1, with probability p, q1 and q2. *)
Inductive place := at_gamma | at_minus_one | at_one.
Definition product (gamma : R) (a : place) : R :=
  match a with at_gamma => gamma | at_minus_one => -1 | at_one => 1 end.
(** The probability of a place. *)
Definition mass (p q1 q2 : R) (a : place) : R := match a with at_gamma => p | at_minus_one => q1 | at_one => q2 end.

Lemma mass_pos p q1 q2 : 0 <= p -> 0 <= q1 -> 0 <= q2 -> forall a, 0 <= mass p q1 q2 a.
Proof. intros ? ? ? []; assumption. Qed.
Lemma mass_sum p q1 q2 : p + q1 + q2 = 1 -> sum (mass p q1 q2) [at_gamma; at_minus_one; at_one] = 1.
Proof. simpl. lra. Qed.
Definition three_places p q1 q2 (Hp : 0 <= p) (H1 : 0 <= q1) (H2 : 0 <= q2) (one : p + q1 + q2 = 1) : law place :=
  finite _ _ (mass_pos p q1 q2 Hp H1 H2) (mass_sum p q1 q2 one).

(** The mean of the three hinge losses is above its value at 1/gamma everywhere else. *)
Lemma least_at_large_norm gamma p q1 q2 w : 0 < gamma < 1 -> 0 < p -> 0 < q1 -> 0 <= q2 -> q1 < p * gamma ->
  let loss := fun w => p * line_hinge w gamma + (q1 * line_hinge w (-1) + q2 * line_hinge w 1) in
  loss (/ gamma) = q1 * (1 + / gamma) /\ (w <> / gamma -> loss (/ gamma) < loss w).
Proof.
  intros Hg Hp H1 H2 small loss.
  assert (inv : 1 < / gamma) by (rewrite <- Rinv_1 at 1; apply Rinv_lt_contravar; lra).
  assert (unit : / gamma * gamma = 1) by (apply Rinv_l; lra).
  assert (value : loss (/ gamma) = q1 * (1 + / gamma)).
  { unfold loss, line_hinge. rewrite unit, (Rmax_left 0 (1 - 1)), (Rmax_right 0 (1 - / gamma * -1)),
      (Rmax_left 0 (1 - / gamma * 1)) by lra. lra. }
  split; [exact value|]. intros other. rewrite value. unfold loss, line_hinge.
  pose proof (Rmax_l 0 (1 - w * gamma)) as A. pose proof (Rmax_r 0 (1 - w * gamma)) as A'.
  pose proof (Rmax_l 0 (1 - w * -1)) as B. pose proof (Rmax_r 0 (1 - w * -1)) as B'.
  pose proof (Rmax_l 0 (1 - w * 1)) as C.
  set (a := Rmax 0 (1 - w * gamma)) in *. set (b := Rmax 0 (1 - w * -1)) in *. set (c := Rmax 0 (1 - w * 1)) in *.
  assert (0 <= q2 * c) by now apply Rmult_le_pos.
  assert (q1 * (1 + w) <= q1 * b) by (apply Rmult_le_compat_l; lra).
  destruct (Rlt_le_dec w (/ gamma)) as [less | more].
  - (* With every step below 1/gamma the losses at gamma grow by more than that at -1 falls. *)
    assert (p * (1 - w * gamma) <= p * a) by (apply Rmult_le_compat_l; lra).
    assert (step : q1 * (/ gamma - w) < p * gamma * (/ gamma - w)) by (apply Rmult_lt_compat_r; lra).
    replace (p * gamma * (/ gamma - w)) with (p * (1 - w * gamma)) in step by (rewrite <- unit at 1; lra). lra.
  - assert (0 <= p * a) by (apply Rmult_le_pos; lra).
    assert (q1 * / gamma < q1 * w) by (apply Rmult_lt_compat_l; lra). lra.
Qed.

(** bms22.appH: for q1 < p gamma the expected hinge loss is least at 1/gamma alone, with the value q1 (1 + 1/gamma), and
    every w > 0 errs, y w x <= 0, with probability q1. *)
Theorem hinge_least_at_large_norm gamma p q1 q2 Hp H1 H2 one : 0 < gamma < 1 -> 0 < p -> 0 < q1 -> q1 < p * gamma ->
  let records := three_places p q1 q2 Hp H1 H2 one in
  let loss := fun w => records (fun a => line_hinge w (product gamma a)) in
  loss (/ gamma) = q1 * (1 + / gamma) /\
  (forall w, w <> / gamma -> loss (/ gamma) < loss w) /\
  (forall w, 0 < w -> records (fun a => indicator (at_most (w * product gamma a) 0)) = q1).
Proof.
  intros Hg Pp P1 small records loss.
  assert (same : forall w, loss w = p * line_hinge w gamma + (q1 * line_hinge w (-1) + q2 * line_hinge w 1))
    by (intros w; unfold loss, records; simpl; lra).
  split; [|split].
  - rewrite same. now apply (least_at_large_norm gamma p q1 q2 0).
  - intros w other. rewrite !same. now apply (least_at_large_norm gamma p q1 q2 w).
  - intros w Hw. unfold records. simpl.
    replace (at_most (w * gamma) 0) with false by (symmetry; apply at_most_false; nra).
    replace (at_most (w * -1) 0) with true by (symmetry; apply at_most_true; lra).
    replace (at_most (w * 1) 0) with false by (symmetry; apply at_most_false; lra). simpl. lra.
Qed.

Lemma sum_repeat {A} (f : A -> R) a n : sum f (repeat a n) = INR n * f a.
Proof.
  induction n as [|n IH]; [simpl; lra|]. change (repeat a (S n)) with (a :: repeat a n). rewrite S_INR. cbn [sum].
  rewrite IH. lra.
Qed.

(** The sample: of m = 2 k points one is at -1, k are at 3/m and the others at 1. *)
Definition sample (k : nat) : list R := -1 :: repeat (3 / INR (2 * k)) k ++ repeat 1 (k - 1).

(** bms22.appH: for even m > 3 the mean hinge loss of that sample is least at m/3 alone. *)
Theorem sample_hinge_least k w : (2 <= k)%nat -> let m := INR (2 * k) in
  let loss := fun w => sum (fun z => line_hinge w z) (sample k) / m in
  length (sample k) = (2 * k)%nat /\ (w <> m / 3 -> loss (m / 3) < loss w).
Proof.
  intros Hk m loss. split.
  - unfold sample. cbn [length]. rewrite app_length, !repeat_length. lia.
  - assert (size : m = 2 * INR k) by (unfold m; rewrite mult_INR; simpl; lra).
    apply le_INR in Hk as Hk'. simpl in Hk'.
    assert (same : forall v, loss v = 1 / 2 * line_hinge v (3 / m)
      + (1 / m * line_hinge v (-1) + (1 / 2 - 1 / m) * line_hinge v 1)).
    { intros v. unfold loss, sample. fold m. cbn [sum].
      assert (app : forall f (a b : list R), sum f (a ++ b) = sum f a + sum f b)
        by (intros f a b; induction a as [|x a IH]; simpl; [lra | rewrite IH; lra]).
      rewrite app, !sum_repeat, minus_INR by lia. rewrite size. simpl INR. field. lra. }
    assert (inv : m / 3 = / (3 / m)) by (field; lra).
    intros other. rewrite inv in other. rewrite !same, inv.
    assert (im : 0 < / m) by (apply Rinv_0_lt_compat; lra). assert (unit : / m * m = 1) by (apply Rinv_l; lra).
    apply (least_at_large_norm (3 / m) (1 / 2) (1 / m) (1 / 2 - 1 / m) w); try exact other; unfold Rdiv; nra.
Qed.
