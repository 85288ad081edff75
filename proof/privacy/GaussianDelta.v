(** The exact delta of the discrete Gaussian in one dimension.

    For an integer shift u > 0 and every real epsilon the best event to tell u + Y from Y is the half-line of the
    integers above epsilon v/u + u/2.  So the least delta is
        Pr[Y > epsilon v/u - u/2] - e^epsilon Pr[Y > epsilon v/u + u/2].
    It grows with the shift.  So it bounds delta for an integer query of sensitivity u.

    Narrower than the page: one dimension only, that is the sentence "the best event for a shift is a half-line, whose
    probability under the moved law grows with the shift: the profile grows with it".

    Claims: sample.discrete-gaussian.multivariate.corrected.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Totals Distributions ThetaSums GaussianMechanism.
Open Scope R_scope.

(** The test whether the outcome is above t. *)
Definition above (t : R) (k : Z) : R := if Rlt_dec t (IZR k) then 1 else 0.
Lemma above_test t : test (above t).
Proof. intros k. unfold above. destruct (Rlt_dec t (IZR k)); lra. Qed.

Section delta.
Variables (v : R) (Hv : 0 < v).
Let noise := discrete_gaussian v Hv.
(** Moving and reflecting. *)
Lemma moved_law m j f : test f -> law_of (noise (m + j)) f = law_of (noise m) (fun k => f (k + j)%Z).
Proof.
  intros Hf. assert (Hg : test (fun k => f (k + j)%Z)) by (intros k; apply Hf).
  apply (has_total_unique (fun k => noise (m + j) k * f k)).
  - apply law_of_ge0; [now apply test_bounded | apply Hf].
  - apply (has_total_relabel (fun k => k + j)%Z); [intros; lia | |].
    + intros y H. exfalso. apply (H (y - j)%Z). lia.
    + apply (has_total_ext (fun k => noise m k * f (k + j)%Z)).
      * intros k. f_equal. cbn. unfold gaussian_probability. do 6 f_equal. lia.
      * apply law_of_ge0; [now apply test_bounded | apply Hg].
Qed.
Lemma reflected_law m f : test f -> law_of (noise (- m)) f = law_of (noise m) (fun k => f (- k)%Z).
Proof.
  intros Hf. assert (Hg : test (fun k => f (- k)%Z)) by (intros k; apply Hf).
  apply (has_total_unique (fun k => noise (- m) k * f k)).
  - apply law_of_ge0; [now apply test_bounded | apply Hf].
  - apply (has_total_relabel (fun k => - k)%Z); [intros; lia | |].
    + intros y H. exfalso. apply (H (- y)%Z). lia.
    + apply (has_total_ext (fun k => noise m k * f (- k)%Z)).
      * intros k. f_equal. cbn. unfold gaussian_probability. do 3 f_equal.
        replace (- k - - m)%Z with (- (k - m))%Z by lia. rewrite opp_IZR. ring.
      * apply law_of_ge0; [now apply test_bounded | apply Hg].
Qed.

(** The profile. *)
Definition gaussian_delta (u : Z) (eps : R) : R :=
  law_of (noise 0) (above (eps * v / IZR u - IZR u / 2)) -
  exp eps * law_of (noise 0) (above (eps * v / IZR u + IZR u / 2)).
Lemma above_moved t u : law_of (noise u) (above t) = law_of (noise 0) (above (t - IZR u)).
Proof.
  rewrite <- (Z.add_0_l u) at 1. rewrite moved_law by apply above_test.
  apply E_ext; [apply test_bounded; intros k; apply above_test | apply test_bounded, above_test|].
  intros k. unfold above. rewrite plus_IZR. destruct (Rlt_dec t (IZR k + IZR u)), (Rlt_dec (t - IZR u) (IZR k)); lra.
Qed.
Lemma gaussian_delta_is u eps : gaussian_delta u eps =
  law_of (noise u) (above (eps * v / IZR u + IZR u / 2)) -
  exp eps * law_of (noise 0) (above (eps * v / IZR u + IZR u / 2)).
Proof.
  unfold gaussian_delta. rewrite (above_moved _ u).
  now replace (eps * v / IZR u + IZR u / 2 - IZR u) with (eps * v / IZR u - IZR u / 2) by lra.
Qed.
(** Which outcomes are more likely around u than e^eps times their probability around 0. *)
Lemma likelier u eps k : (0 < u)%Z -> (exp eps * noise 0%Z k < noise u k <-> eps * v / IZR u + IZR u / 2 < IZR k).
Proof.
  intros Hu. apply IZR_lt in Hu. cbn. unfold gaussian_probability.
  assert (T : 0 < / theta (/ (2 * v)) 0) by (apply Rinv_0_lt_compat, theta_pos, Rinv_0_lt_compat; lra).
  unfold Rdiv at 1 3. rewrite <- Rmult_assoc, <- exp_plus.
  assert (S : - IZR (k - u) ^ 2 / (2 * v) - (eps + - IZR (k - 0) ^ 2 * / (2 * v)) =
              (IZR k - (eps * v / IZR u + IZR u / 2)) * (IZR u / v)) by (rewrite !minus_IZR; field; lra).
  assert (W : 0 < IZR u / v) by now apply Rdiv_lt_0_compat.
  set (z := IZR k - (eps * v / IZR u + IZR u / 2)) in *.
  split; intros L.
  - apply Rmult_lt_reg_r in L; auto. apply exp_lt_inv in L. assert (0 < z); [|unfold z in *; lra].
    apply Rmult_lt_reg_r with (IZR u / v); auto. rewrite <- S. unfold Rdiv in *. lra.
  - apply Rmult_lt_compat_r; auto. apply exp_increasing. assert (0 < z) by (unfold z; lra).
    assert (0 < z * (IZR u / v)) by now apply Rmult_lt_0_compat. unfold Rdiv in *. lra.
Qed.
Lemma best_event u eps f : (0 < u)%Z -> test f ->
  law_of (noise u) f - exp eps * law_of (noise 0) f <= gaussian_delta u eps.
Proof.
  intros Hu Hf. rewrite gaussian_delta_is. set (g := above (eps * v / IZR u + IZR u / 2)).
  assert (Hg : test g) by apply above_test. pose proof (exp_pos eps) as Ee.
  assert (P : forall m h, test h -> has_total (fun k => noise m k * h k) (law_of (noise m) h)).
  { intros m h Hh. apply law_of_ge0; [now apply test_bounded | apply Hh]. }
  assert (P0 : forall m h, test h -> forall k, 0 <= noise m k * h k).
  { intros m h Hh k. apply Rmult_le_pos; [apply probability_ge0 | apply Hh]. }
  assert (Pe : forall h, test h -> has_total (fun k => exp eps * (noise 0%Z k * h k)) (exp eps * law_of (noise 0) h)).
  { intros h Hh. apply has_total_scal; [lra | auto]. }
  assert (Pe0 : forall h, test h -> forall k, 0 <= exp eps * (noise 0%Z k * h k)).
  { intros h Hh k. apply Rmult_le_pos; [lra | auto]. }
  enough (law_of (noise u) f + exp eps * law_of (noise 0) g <= law_of (noise u) g + exp eps * law_of (noise 0) f)
    by lra.
  apply (has_total_le (fun k => noise u k * f k + exp eps * (noise 0%Z k * g k))
                      (fun k => noise u k * g k + exp eps * (noise 0%Z k * f k))).
  - intros k. pose proof (likelier u eps k Hu) as [L1 L2]. specialize (Hf k). unfold g, above.
    destruct (Rlt_dec (eps * v / IZR u + IZR u / 2) (IZR k)) as [A | A].
    + specialize (L2 A). nra.
    + assert (noise u k <= exp eps * noise 0%Z k) by (apply Rnot_lt_le; tauto). nra.
  - apply has_total_plus; auto.
  - apply has_total_plus; auto.
Qed.
(** sample.discrete-gaussian.multivariate.corrected: in one dimension, the tails give the least delta for the shift by
    u, exactly. *)
Theorem gaussian_delta_exact u eps delta : (0 < u)%Z ->
  (close eps delta (law_of (noise u)) (law_of (noise 0)) <-> gaussian_delta u eps <= delta).
Proof.
  intros Hu. split.
  - intros C. specialize (C _ (above_test (eps * v / IZR u + IZR u / 2))). rewrite gaussian_delta_is. lra.
  - intros L f Hf. pose proof (best_event u eps f Hu Hf). lra.
Qed.
(** sample.discrete-gaussian.multivariate.corrected: in one dimension, the delta grows with the shift. *)
Theorem gaussian_delta_grows u u' eps : (0 < u <= u')%Z -> gaussian_delta u eps <= gaussian_delta u' eps.
Proof.
  intros [Hu H]. rewrite gaussian_delta_is. set (t := eps * v / IZR u + IZR u / 2).
  assert (law_of (noise u) (above t) <= law_of (noise u') (above t)).
  { rewrite (above_moved t u), (above_moved t u'). apply E_mono; try apply test_bounded, above_test.
    intros k. unfold above. apply IZR_le in H.
    destruct (Rlt_dec (t - IZR u) (IZR k)), (Rlt_dec (t - IZR u') (IZR k)); lra. }
  pose proof (best_event u' eps (above t) ltac:(lia) (above_test t)). lra.
Qed.
Lemma gaussian_delta_ge0 u eps : (0 < u)%Z -> 0 <= gaussian_delta u eps.
Proof.
  intros Hu. pose proof (best_event u eps (fun _ => 0) Hu ltac:(intros k; lra)) as B. rewrite !E_const in B. lra.
Qed.

(** sample.discrete-gaussian.multivariate.corrected: in one dimension, an integer query of sensitivity u is private with
    the delta of the shift by u. *)
Theorem gaussian_mechanism_dp {D} (adj : D -> D -> Prop) (query : D -> Z) (u : Z) (eps : R) : (0 < u)%Z -> 0 <= eps ->
  (forall x y, adj x y -> (Z.abs (query x - query y) <= u)%Z) ->
  dp adj eps (gaussian_delta u eps) (fun x => law_of (noise (query x))).
Proof.
  intros Hu He H x y N f Hf. specialize (H x y N).
  set (m := query x) in *. set (m' := query y) in *.
  pose proof (gaussian_delta_ge0 u eps Hu) as G0.
  assert (E1 : 1 <= exp eps) by (rewrite <- exp_0; now apply exp_le).
  destruct (Z.lt_trichotomy m m') as [L | [-> | L]].
  - (* reflect *)
    assert (R : forall j, law_of (noise j) f = law_of (noise (m' - j)) (fun k => f (m' - k)%Z)).
    { intros j. replace j with (- (m' - j) + m')%Z at 1 by lia. rewrite moved_law by auto.
      rewrite reflected_law by (intros k; apply Hf).
      apply E_ext; try (apply test_bounded; intros k; apply Hf). intros k. f_equal. lia. }
    rewrite (R m), (R m'), Z.sub_diag.
    pose proof (best_event (m' - m) eps (fun k => f (m' - k)%Z) ltac:(lia) ltac:(intros k; apply Hf)).
    pose proof (gaussian_delta_grows (m' - m) u eps ltac:(lia)). lra.
  - pose proof (E_test (law_of (noise m')) f Hf). nra.
  - assert (R : forall j, law_of (noise j) f = law_of (noise (j - m')) (fun k => f (k + m')%Z)).
    { intros j. replace j with (j - m' + m')%Z at 1 by lia. now rewrite moved_law. }
    rewrite (R m), (R m'), Z.sub_diag.
    pose proof (best_event (m - m') eps (fun k => f (k + m')%Z) ltac:(lia) ltac:(intros k; apply Hf)).
    pose proof (gaussian_delta_grows (m - m') u eps ltac:(lia)). lra.
Qed.
End delta.
