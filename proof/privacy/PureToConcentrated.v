(** Pure epsilon-privacy is epsilon^2/2-zCDP (Bun and Steinke 2016, Proposition 1.4).

    The likelihood ratio t = p/q lies between e^-eps and e^eps.  t^alpha is convex, so it is below the chord
    between these two ends, and the average of the chord under q (the average of t is 1) is
        cosh((alpha - 1/2) eps) / cosh(eps/2) <= e^(alpha (alpha-1) eps^2/2),
    because cosh(x) e^(-x^2/2) falls for x >= 0.

    It is step 3 of the proof of the one-record descent in the page of halfspaces.

    Claims: none.
*)
Require Import Reals Lra List Classical. Import ListNotations.
From DpAssay Require Import Privacy RandomisedResponseMoment Totals Distributions ThetaSums ZeroConcentrated.
Open Scope R_scope.

(** cosh(x) e^(-x^2/2) falls. *)
Lemma cosh_bell_falls h a : 0 <= h <= a -> cosh a * exp (- (a * a) / 2) <= cosh h * exp (- (h * h) / 2).
Proof.
  intros [Hh [H | <-]]; [|lra].
  destruct (MVT_cor2 (fun y => cosh y * exp (- (y * y) / 2))
    (fun y => (sinh y - y * cosh y) * exp (- (y * y) / 2)) h a H)
    as (c & E & I).
  - intros y _.
    replace ((sinh y - y * cosh y) * exp (- (y * y) / 2))
      with (sinh y * exp (- (y * y) / 2) + cosh y * (exp (- (y * y) / 2) * - y)) by ring.
    apply (derivable_pt_lim_mult cosh (fun y => exp (- (y * y) / 2))); [apply derivable_pt_lim_cosh|].
    apply (derivable_pt_lim_comp (fun y => - (y * y) / 2) exp); [|apply derivable_pt_lim_exp].
    replace (- y) with (- / 2 * (1 * y + y * 1)) by lra.
    apply derivable_pt_lim_ext with (f := mult_real_fct (- / 2) (fun y => y * y)); [intros; unfold mult_real_fct; lra|].
    apply derivable_pt_lim_scal. apply (derivable_pt_lim_mult (fun y => y) (fun y => y)); apply derivable_pt_lim_id.
  - pose proof (sinh_le c ltac:(lra)). pose proof (exp_pos (- (c * c) / 2)).
    assert (0 <= (c * cosh c - sinh c) * exp (- (c * c) / 2) * (a - h))
      by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
    lra.
Qed.

(** t^alpha is below its chord between e^-eps and e^eps, for t = e^s. *)
Lemma power_chord alpha eps s : 1 < alpha -> 0 < eps -> - eps <= s <= eps ->
  exp (alpha * s) * (exp eps - exp (- eps)) <=
  (exp s - exp (- eps)) * exp (alpha * eps) + (exp eps - exp s) * exp (- (alpha * eps)).
Proof.
  intros Ha He Hs.
  assert (Tangent : forall u, exp (alpha * s) + alpha * exp ((alpha - 1) * s) * (exp u - exp s) <= exp (alpha * u)).
  { intros u. pose proof (power_tangent alpha (u - s) Ha) as T.
    apply (Rmult_le_compat_l (exp (alpha * s))) in T; [|left; apply exp_pos].
    rewrite <- exp_plus in T. replace (alpha * s + alpha * (u - s)) with (alpha * u) in T by ring.
    replace (exp u) with (exp (u - s) * exp s) by (rewrite <- exp_plus; f_equal; ring).
    replace (exp (alpha * s)) with (exp ((alpha - 1) * s) * exp s) in * by (rewrite <- exp_plus; f_equal; ring). lra. }
  pose proof (Tangent eps) as T1. pose proof (Tangent (- eps)) as T2.
  replace (alpha * - eps) with (- (alpha * eps)) in T2 by ring.
  assert (0 <= exp s - exp (- eps)) as W1 by (assert (exp (- eps) <= exp s) by (apply exp_le; lra); lra).
  assert (0 <= exp eps - exp s) as W2 by (assert (exp s <= exp eps) by (apply exp_le; lra); lra).
  apply (Rmult_le_compat_l _ _ _ W1) in T1. apply (Rmult_le_compat_l _ _ _ W2) in T2. lra.
Qed.

(** Distributions whose likelihood ratio lies between e^-eps and e^eps. *)
Lemma renyi_of_pure {X} alpha eps (p q : distribution X) : 1 < alpha -> 0 < eps ->
  (forall x, p x <= exp eps * q x) -> (forall x, q x <= exp eps * p x) ->
  renyi_at_most alpha (alpha * (eps ^ 2 / 2)) p q.
Proof.
  intros Ha He Hp Hq. split.
  { intros x E. specialize (Hp x). pose proof (probability_ge0 p x). rewrite E in Hp. lra. }
  set (ep := exp eps) in *. set (em := exp (- eps)).
  assert (I : ep * em = 1) by (unfold ep, em; rewrite <- exp_plus, <- exp_0; f_equal; ring).
  assert (Em : 0 < em) by apply exp_pos.
  assert (W : 0 < ep - em) by (unfold ep, em; assert (exp (- eps) < exp eps) by (apply exp_increasing; lra); lra).
  set (A := exp (alpha * eps)). set (B := exp (- (alpha * eps))).
  assert (PA : 0 < A) by apply exp_pos. assert (PB : 0 < B) by apply exp_pos.
  assert (Hq' : forall x, em * q x <= p x).
  { intros x. specialize (Hq x). apply (Rmult_le_compat_l em) in Hq; [|lra].
    rewrite <- Rmult_assoc, (Rmult_comm em) in Hq.
    rewrite (Rmult_comm em), I in Hq. lra. }
  (* the chord, outcome by outcome *)
  assert (Chord : forall x, renyi_term alpha (p x) (q x) <=
    A / (ep - em) * (p x - em * q x) + B / (ep - em) * (ep * q x - p x)).
  { intros x. specialize (Hp x). specialize (Hq x). specialize (Hq' x). destruct (probability_ge0 p x) as [P | P].
    - destruct (probability_ge0 q x) as [Q | Q]; [|rewrite <- Q in Hp; lra].
      rewrite renyi_term_pos by auto. set (s := ln (p x) - ln (q x)).
      assert (Es : exp s * q x = p x).
      { unfold s. rewrite <- (exp_ln (q x)) at 2 by auto. rewrite <- exp_plus.
        replace (ln (p x) - ln (q x) + ln (q x)) with (ln (p x)) by ring. now apply exp_ln. }
      assert (T : Rpower (p x) alpha * Rpower (q x) (1 - alpha) = exp (alpha * s) * q x).
      { unfold Rpower. rewrite <- (exp_ln (q x)) at 2 by auto. rewrite <- !exp_plus. f_equal. unfold s. ring. }
      assert (L : - eps <= s <= eps).
      { assert (ln (p x) <= ln (ep * q x)) as L1 by (destruct Hp as [L | ->]; [left; now apply ln_increasing | lra]).
        assert (ln (q x) <= ln (ep * p x)) as L2 by (destruct Hq as [L | ->]; [left; now apply ln_increasing | lra]).
        rewrite ln_mult in L1, L2 by (auto; apply exp_pos). unfold ep in L1, L2. rewrite ln_exp in L1, L2.
        unfold s. lra. }
      pose proof (power_chord alpha eps s Ha He L) as C. fold ep em A B in C.
      rewrite T. apply Rmult_le_reg_r with (ep - em); [lra|].
      replace ((A / (ep - em) * (p x - em * q x) + B / (ep - em) * (ep * q x - p x)) * (ep - em))
        with (((exp s - em) * A + (ep - exp s) * B) * q x) by (rewrite <- Es; field; lra).
      replace (exp (alpha * s) * q x * (ep - em)) with (exp (alpha * s) * (ep - em) * q x) by ring.
      apply Rmult_le_compat_r; lra.
    - rewrite <- P in *. rewrite renyi_term_0. assert (0 < / (ep - em)) by now apply Rinv_0_lt_compat.
      unfold Rdiv. apply Rplus_le_le_0_compat; (apply Rmult_le_pos; [left; now apply Rmult_lt_0_compat | lra]). }
  (* its total *)
  pose proof (probability_total p) as Tp. pose proof (probability_total q) as Tq.
  assert (T1 : has_total (fun x => p x - em * q x) (1 - em * 1)).
  { apply has_total_minus; auto; [|apply has_total_scal; auto; lra].
    intros x. split; [|apply Hq']. apply Rmult_le_pos; [lra | apply probability_ge0]. }
  assert (T2 : has_total (fun x => ep * q x - p x) (ep * 1 - 1)).
  { apply has_total_minus; auto; [|apply has_total_scal; auto; left; apply exp_pos].
    intros x. split; [apply probability_ge0 | apply Hp]. }
  assert (Q : 0 <= A / (ep - em) /\ 0 <= B / (ep - em)) by (split; left; now apply Rdiv_lt_0_compat).
  assert (T : has_total (fun x => A / (ep - em) * (p x - em * q x) + B / (ep - em) * (ep * q x - p x))
                (A / (ep - em) * (1 - em * 1) + B / (ep - em) * (ep * 1 - 1))).
  { apply has_total_plus; try (apply has_total_scal; tauto).
    - intros x. apply Rmult_le_pos; [tauto|]. specialize (Hq' x). lra.
    - intros x. apply Rmult_le_pos; [tauto|]. specialize (Hp x). lra. }
  apply sums_at_most_le with (1 := Chord). intros l N. eapply Rle_trans; [apply (proj1 T l N)|].
  (* cosh((alpha - 1/2) eps) / cosh(eps/2) <= e^(alpha (alpha-1) eps^2/2) *)
  set (h := eps / 2). set (a := (alpha - / 2) * eps).
  assert (Ratio : A / (ep - em) * (1 - em * 1) + B / (ep - em) * (ep * 1 - 1) = cosh a / cosh h).
  { unfold cosh. set (x := exp a). set (x' := exp (- a)). set (y := exp h). set (y' := exp (- h)).
    assert (Ex : x * x' = 1) by (unfold x, x'; rewrite <- exp_plus, <- exp_0; f_equal; ring).
    assert (Ey : y * y' = 1) by (unfold y, y'; rewrite <- exp_plus, <- exp_0; f_equal; ring).
    assert (EA : A = x * y) by (unfold A, x, y; rewrite <- exp_plus; f_equal; unfold a, h; field).
    assert (EB : B = x' * y') by (unfold B, x', y'; rewrite <- exp_plus; f_equal; unfold a, h; field).
    assert (Ep : ep = y * y) by (unfold ep, y; rewrite <- exp_plus; f_equal; unfold h; field).
    assert (Eq : em = y' * y') by (unfold em, y'; rewrite <- exp_plus; f_equal; unfold h; field).
    assert (0 < y) by apply exp_pos. assert (0 < y') by apply exp_pos.
    assert (y' < y) by (apply exp_increasing; unfold h; lra).
    apply Rmult_eq_reg_r with ((ep - em) * ((y + y') / 2)); [|apply Rmult_integral_contrapositive; split; lra].
    replace ((A / (ep - em) * (1 - em * 1) + B / (ep - em) * (ep * 1 - 1)) * ((ep - em) * ((y + y') / 2)))
      with ((A * (1 - em) + B * (ep - 1)) * ((y + y') / 2)) by (field; lra).
    replace ((x + x') / 2 / ((y + y') / 2) * ((ep - em) * ((y + y') / 2)))
      with ((x + x') / 2 * (ep - em)) by (field; lra).
    rewrite EA, EB, Ep, Eq.
    replace (x * y * (1 - y' * y') + x' * y' * (y * y - 1))
      with (x * y - x * (y * y') * y' + x' * (y * y') * y - x' * y')
      by ring.
    rewrite Ey. field. }
  rewrite Ratio.
  assert (Hh : 0 <= h <= a) by (unfold h, a; split; nra).
  pose proof (cosh_bell_falls h a Hh) as F. pose proof (cosh_pos h).
  replace ((alpha - 1) * (alpha * (eps ^ 2 / 2))) with (a * a / 2 + - (h * h) / 2) by (unfold a, h; field).
  rewrite exp_plus. apply Rmult_le_reg_r with (cosh h); auto.
  replace (cosh a / cosh h * cosh h) with (cosh a) by (field; lra).
  apply (Rmult_le_compat_l (exp (a * a / 2))) in F; [|left; apply exp_pos].
  replace (exp (a * a / 2) * (cosh a * exp (- (a * a) / 2))) with (cosh a) in F; [lra|].
  replace (- (a * a) / 2) with (- (a * a / 2)) by field. rewrite exp_Ropp. field. apply Rgt_not_eq, exp_pos.
Qed.

(** Bun and Steinke 2016, Proposition 1.4: a purely eps-private mechanism is eps^2/2-zCDP. *)
Theorem zcdp_of_pure {D X} (adj : D -> D -> Prop) eps (M : D -> distribution X) : 0 < eps ->
  (forall x y, adj x y -> adj y x) -> dp adj eps 0 (fun d => law_of (M d)) -> zcdp adj (eps ^ 2 / 2) M.
Proof.
  intros He Sym H.
  assert (Pointwise : forall x y, adj x y -> forall o, M x o <= exp eps * M y o).
  { intros x y N o. set (f := fun z => if ClassicalDedekindReals.sig_not_dec (z = o) then 1 else 0).
    assert (F : forall z, (z = o -> f z = 1) /\ (z <> o -> f z = 0)).
    { intros z. unfold f.
      destruct (ClassicalDedekindReals.sig_not_dec (z = o)) as [Y | Y]; split; intros Q; auto; contradiction. }
    rewrite <- (law_of_outcome (M x) o f F), <- (law_of_outcome (M y) o f F).
    pose proof (H x y N f) as G. rewrite Rplus_0_r in G. apply G.
    intros z. unfold f. destruct (ClassicalDedekindReals.sig_not_dec (z = o)); lra. }
  intros x y N alpha Ha. apply renyi_of_pure; auto.
Qed.
