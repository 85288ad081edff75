(** Zero-concentrated differential privacy (Bun and Steinke 2016), for every real order alpha > 1.

    The Renyi divergence is D_alpha(p || q) = ln(sum of p^alpha q^(1-alpha)) / (alpha - 1).
    A mechanism is rho-zCDP if D_alpha(M x || M y) <= alpha rho for all neighbours x, y and all alpha > 1.
    Proved here: adaptive composition (rhos add), independent coordinates, and the two conversions to
    (epsilon, delta)-privacy: for every alpha > 1 and epsilon
        delta = e^((alpha-1)(alpha rho - epsilon)) (1 - 1/alpha)^alpha / (alpha - 1),
    and epsilon = rho + 2 sqrt(rho ln(1/delta)).  Outcomes are of any type; laws are given by probabilities.

    These are rows of the table "The privacy room" of the page of the samplers.

    Claims: none.
*)
Require Import Reals Lra List Classical. Import ListNotations.
From DpAssay Require Import Privacy Totals Distributions.
Open Scope R_scope.

(** p^alpha q^(1-alpha), and 0 if p = 0. *)
Definition renyi_term (alpha p q : R) : R := if Req_EM_T p 0 then 0 else Rpower p alpha * Rpower q (1 - alpha).
(** D_alpha(p || q) <= b: what is impossible under q is impossible under p, and the sum of
    p^alpha q^(1-alpha) over all outcomes is at most e^((alpha-1) b). *)
Definition renyi_at_most {X} (alpha b : R) (p q : distribution X) : Prop :=
  (forall x, q x = 0 -> p x = 0) /\ sums_at_most (fun x => renyi_term alpha (p x) (q x)) (exp ((alpha - 1) * b)).
(** The divergence as a number. *)
Definition renyi_divergence {X} (alpha : R) (p q : distribution X) : R :=
  ln (total (fun x => renyi_term alpha (p x) (q x))) / (alpha - 1).
(** rho-zCDP: the divergence of every order alpha > 1 is at most alpha rho between neighbours. *)
Definition zcdp {D X} (adj : D -> D -> Prop) (rho : R) (M : D -> distribution X) : Prop :=
  forall x y, adj x y -> forall alpha, 1 < alpha -> renyi_at_most alpha (alpha * rho) (M x) (M y).

Lemma renyi_term_pos alpha p q : 0 < p -> renyi_term alpha p q = Rpower p alpha * Rpower q (1 - alpha).
Proof. intros H. unfold renyi_term. destruct (Req_EM_T p 0); [lra | auto]. Qed.
Lemma renyi_term_0 alpha q : renyi_term alpha 0 q = 0.
Proof. unfold renyi_term. destruct (Req_EM_T 0 0); [auto | lra]. Qed.
Lemma renyi_term_ge0 alpha p q : 0 <= renyi_term alpha p q.
Proof. unfold renyi_term. destruct (Req_EM_T p 0); [lra|]. left. apply Rmult_lt_0_compat; apply exp_pos. Qed.
(** The two definitions agree: the sum is at most e^((alpha-1) b) if and only if it exists and the divergence,
    as a number, is at most b. *)
Lemma renyi_at_most_iff {X} alpha b (p q : distribution X) : 1 < alpha ->
  (renyi_at_most alpha b p q <-> (forall x, q x = 0 -> p x = 0) /\
   summable (fun x => renyi_term alpha (p x) (q x)) /\ renyi_divergence alpha p q <= b).
Proof.
  intros Ha. unfold renyi_at_most, renyi_divergence. set (h := fun x => renyi_term alpha (p x) (q x)).
  assert (P : (forall x, q x = 0 -> p x = 0) -> summable h -> 0 < total h).
  { intros A S. apply NNPP. intros N.
    assert (Z : forall x, p x = 0).
    { intros x. apply NNPP. intros Px. apply N. apply Rlt_le_trans with (h x).
      - unfold h, renyi_term. destruct (Req_EM_T (p x) 0); [contradiction|].
        apply Rmult_lt_0_compat; apply exp_pos.
      - apply (has_total_term h). now apply total_is. }
    destruct (probability_total p) as [_ L]. specialize (L 0). enough (1 <= 0) by lra. apply L.
    intros l _. induction l as [|x l IH]; simpl; [lra | rewrite Z; lra]. }
  split.
  - intros [A U]. assert (S : summable h) by (now exists (exp ((alpha - 1) * b))). repeat split; auto.
    specialize (P A S). apply Rmult_le_reg_l with (alpha - 1); [lra|].
    replace ((alpha - 1) * (ln (total h) / (alpha - 1))) with (ln (total h)) by (field; lra).
    assert (L : total h <= exp ((alpha - 1) * b)) by (now apply total_is).
    rewrite <- (ln_exp ((alpha - 1) * b)). destruct L as [L | ->]; [left; now apply ln_increasing | lra].
  - intros (A & S & D). specialize (P A S). split; auto.
    assert (L : total h <= exp ((alpha - 1) * b)).
    { rewrite <- (exp_ln (total h)) by auto.
      assert (E : ln (total h) <= (alpha - 1) * b).
      { replace (ln (total h)) with ((alpha - 1) * (ln (total h) / (alpha - 1))) by (field; lra).
        apply Rmult_le_compat_l; lra. }
      destruct E as [E | ->]; [left; now apply exp_increasing | lra]. }
    intros l N. eapply Rle_trans; [now apply (total_is h S)|exact L].
Qed.
Lemma renyi_term_product alpha p q p' q' :
  0 <= p -> 0 <= q -> (q = 0 -> p = 0) -> 0 <= p' -> 0 <= q' -> (q' = 0 -> p' = 0) ->
  renyi_term alpha (p * p') (q * q') = renyi_term alpha p q * renyi_term alpha p' q'.
Proof.
  intros [P | <-] Q A P' Q' A'; [|rewrite Rmult_0_l, !renyi_term_0; lra].
  destruct P' as [P' | <-]; [|rewrite Rmult_0_r, !renyi_term_0; lra].
  destruct Q as [Q | <-]; [|rewrite A in P by auto; lra]. destruct Q' as [Q' | <-]; [|rewrite A' in P' by auto; lra].
  rewrite !renyi_term_pos by (auto; now apply Rmult_lt_0_compat). rewrite <- !Rpower_mult_distr by auto. ring.
Qed.
Lemma zero_factor a b : a * b = 0 -> a = 0 \/ b = 0.
Proof. apply Rmult_integral. Qed.

(** t^alpha, t = e^w, is above its tangent at 1. *)
Lemma power_tangent alpha w : 1 < alpha -> 1 + alpha * (exp w - 1) <= exp (alpha * w).
Proof.
  intros Ha. pose proof (exp_pos w) as P.
  pose proof (exp_ineq1_le ((alpha - 1) * w)) as E1. pose proof (exp_ineq1_le (- w)) as E2.
  assert ((alpha - 1) * (1 + - w) <= (alpha - 1) * exp (- w)) by (apply Rmult_le_compat_l; lra).
  assert (G : 0 <= exp w * (exp ((alpha - 1) * w) - alpha + (alpha - 1) * exp (- w))) by (apply Rmult_le_pos; lra).
  replace (alpha * w) with (w + (alpha - 1) * w) by ring. rewrite exp_plus.
  assert (exp w * exp (- w) = 1) by (rewrite <- exp_plus, <- exp_0; f_equal; ring). nra.
Qed.
(** Two steps, the second of which may look at the outcome of the first. *)
Lemma renyi_and_then {X Y} alpha b b' (p q : distribution X) (k l : X -> distribution Y) :
  renyi_at_most alpha b p q -> (forall x, renyi_at_most alpha b' (k x) (l x)) ->
  renyi_at_most alpha (b + b') (and_then p k) (and_then q l).
Proof.
  intros [A U] H. split.
  - intros [x y] E. cbn in *. apply zero_factor in E as [E | E].
    + rewrite A by auto. lra.
    + destruct (H x) as [A' _]. rewrite A' by auto. lra.
  - cbn. rewrite Rmult_plus_distr_l, exp_plus, Rmult_comm.
    apply (sums_at_most_pairs (fun x y => renyi_term alpha (p x * k x y) (q x * l x y))
      (fun x => exp ((alpha - 1) * b') * renyi_term alpha (p x) (q x))).
    + intros. apply renyi_term_ge0.
    + intros x. destruct (H x) as [A' U'].
      apply sums_at_most_le with (g := fun y => renyi_term alpha (p x) (q x) * renyi_term alpha (k x y) (l x y)).
      * intros y. rewrite renyi_term_product; auto using probability_ge0; lra.
      * rewrite Rmult_comm. apply sums_at_most_scal; [apply renyi_term_ge0 | exact U'].
    + apply sums_at_most_scal; [left; apply exp_pos | exact U].
Qed.
(** Adaptive composition: rhos add. *)
Theorem zcdp_adaptive_composition {D X Y} adj rho rho' (M : D -> distribution X) (K : X -> D -> distribution Y) :
  zcdp adj rho M -> (forall o, zcdp adj rho' (K o)) ->
  zcdp adj (rho + rho') (fun x => and_then (M x) (fun o => K o x)).
Proof.
  intros HM HK x y N alpha Ha. rewrite Rmult_plus_distr_l. apply renyi_and_then; [now apply HM|].
  intros o. now apply HK.
Qed.
(** Independent coordinates: divergences add. *)
Lemma renyi_independent_nil {X} alpha : renyi_at_most alpha 0 (independent (@nil (distribution X))) (independent []).
Proof.
  split; [auto|]. rewrite Rmult_0_r, exp_0. intros l N.
  assert (E : forall xs : list X,
    renyi_term alpha (product_probability [] xs) (product_probability [] xs) = product_probability [] xs).
  { intros [|x xs]; cbn; [|apply renyi_term_0]. rewrite renyi_term_pos by lra.
    unfold Rpower. rewrite ln_1, !Rmult_0_r, exp_0. lra. }
  change (sum (fun xs : list X => renyi_term alpha (product_probability [] xs) (product_probability [] xs)) l <= 1).
  rewrite (sum_ext _ _ l E). now apply (product_total []).
Qed.
Lemma renyi_independent_cons {X} alpha b b' (p q : distribution X) ps qs :
  renyi_at_most alpha b p q -> renyi_at_most alpha b' (independent ps) (independent qs) ->
  renyi_at_most alpha (b + b') (independent (p :: ps)) (independent (q :: qs)).
Proof.
  intros Hp Hps.
  destruct (renyi_and_then alpha b b' p q (fun _ => independent ps) (fun _ => independent qs) Hp (fun _ => Hps))
    as [A U].
  split.
  - intros [|x xs] E; [reflexivity|]. exact (A (x, xs) E).
  - apply (sums_at_most_relabel joined).
    + intros xs O. cbn -[product_probability]. rewrite (product_outside p ps) by auto. apply renyi_term_0.
    + exact U.
Qed.

(** Conversion, one outcome: p - e^eps q <= c p^alpha q^(1-alpha) with the best c. *)
Definition conversion_delta (alpha b eps : R) : R :=
  exp ((alpha - 1) * (b - eps)) * (Rpower (1 - / alpha) alpha / (alpha - 1)).
Lemma conversion_one_outcome alpha eps p q : 1 < alpha -> 0 <= p -> 0 <= q -> (q = 0 -> p = 0) ->
  p - exp eps * q <= conversion_delta alpha 0 eps * renyi_term alpha p q.
Proof.
  intros Ha P Q A. pose proof (exp_pos eps) as Ee.
  destruct P as [P | <-].
  2:{ rewrite renyi_term_0. nra. }
  destruct Q as [Q | <-]; [|rewrite A in P by auto; lra].
  assert (La : 0 < 1 - / alpha) by (assert (/ alpha < / 1) by (apply Rinv_lt_contravar; lra); lra).
  rewrite renyi_term_pos by auto.
  (* s is chosen so that e^eps q/p = (1 - 1/alpha) e^-s. *)
  set (s := ln (1 - / alpha) - (eps + ln q - ln p)).
  assert (R : exp eps * q = p * ((1 - / alpha) * exp (- s))).
  { rewrite <- (exp_ln (1 - / alpha)), <- (exp_ln p), <- (exp_ln q) by auto.
    rewrite <- !exp_plus. f_equal. unfold s. lra. }
  assert (T : conversion_delta alpha 0 eps * (Rpower p alpha * Rpower q (1 - alpha)) =
    p * (exp ((alpha - 1) * s) / alpha)).
  { unfold conversion_delta.
    replace (Rpower (1 - / alpha) alpha) with (Rpower (1 - / alpha) (alpha - 1) * (1 - / alpha)).
    2:{ rewrite <- (Rpower_1 (1 - / alpha)) at 2 by auto. rewrite <- Rpower_plus. f_equal. lra. }
    replace (Rpower p alpha) with (p * Rpower p (alpha - 1)).
    2:{ rewrite <- (Rpower_1 p) at 1 by auto. rewrite <- Rpower_plus. f_equal. lra. }
    replace (exp ((alpha - 1) * s)) with (exp ((alpha - 1) * (0 - eps)) *
      Rpower (1 - / alpha) (alpha - 1) * Rpower p (alpha - 1) * Rpower q (1 - alpha)).
    2:{ unfold Rpower. rewrite <- !exp_plus. f_equal. unfold s. ring. }
    field. lra. }
  rewrite R, T. replace (p - p * ((1 - / alpha) * exp (- s))) with (p * (1 - (1 - / alpha) * exp (- s))) by ring.
  apply Rmult_le_compat_l; [lra|].
  (* alpha <= (alpha - 1) e^-s + e^((alpha-1) s), as e^y >= 1 + y. *)
  pose proof (exp_ineq1_le (- s)) as E1. pose proof (exp_ineq1_le ((alpha - 1) * s)) as E2.
  apply Rmult_le_reg_l with alpha; [lra|].
  replace (alpha * (1 - (1 - / alpha) * exp (- s))) with (alpha - (alpha - 1) * exp (- s)) by (field; lra).
  replace (alpha * (exp ((alpha - 1) * s) / alpha)) with (exp ((alpha - 1) * s)) by (field; lra).
  assert ((alpha - 1) * (1 + - s) <= (alpha - 1) * exp (- s)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma conversion_delta_pos alpha b eps : 1 < alpha -> 0 < conversion_delta alpha b eps.
Proof.
  intros H. unfold conversion_delta. apply Rmult_lt_0_compat; [apply exp_pos|].
  apply Rdiv_lt_0_compat; [apply exp_pos | lra].
Qed.
Lemma conversion_delta_le alpha b eps : 1 < alpha -> conversion_delta alpha b eps <= exp ((alpha - 1) * (b - eps)).
Proof.
  intros H. unfold conversion_delta. rewrite <- (Rmult_1_r (exp _)) at 2.
  apply Rmult_le_compat_l; [left; apply exp_pos|].
  assert (I : / alpha < / 1) by (apply Rinv_lt_contravar; lra). pose proof (Rinv_0_lt_compat alpha ltac:(lra)).
  replace (Rpower (1 - / alpha) alpha) with (Rpower (1 - / alpha) (alpha - 1) * (1 - / alpha)).
  2:{ rewrite <- (Rpower_1 (1 - / alpha)) at 2 by lra. rewrite <- Rpower_plus. f_equal. lra. }
  replace (Rpower (1 - / alpha) (alpha - 1) * (1 - / alpha) / (alpha - 1))
    with (Rpower (1 - / alpha) (alpha - 1) * / alpha) by (field; lra).
  assert (Rpower (1 - / alpha) (alpha - 1) <= 1).
  { apply Rle_trans with (exp 0); [|rewrite exp_0; lra]. unfold Rpower. apply Rlt_le, exp_increasing.
    assert (ln (1 - / alpha) < 0) by (rewrite <- ln_1; apply ln_increasing; lra). nra. }
  pose proof (exp_pos ((alpha - 1) * ln (1 - / alpha))). unfold Rpower in *. nra.
Qed.
(** Conversion of one Renyi divergence (Canonne, Kamath and Steinke 2020, Corollary 13). *)
Theorem renyi_to_close {X} alpha b eps (p q : distribution X) : 1 < alpha -> renyi_at_most alpha b p q ->
  close eps (conversion_delta alpha b eps) (law_of p) (law_of q).
Proof.
  intros Ha [A U] f Hf. pose proof (exp_pos eps) as Ee.
  assert (Pf : forall x, 0 <= f x) by (intros; apply Hf).
  destruct (law_of_ge0 p f (test_bounded f Hf) Pf) as [_ Lp].
  destruct (law_of_ge0 q f (test_bounded f Hf) Pf) as [Uq _].
  apply Lp. intros l N. specialize (Uq l N). specialize (U l N).
  set (c := conversion_delta alpha 0 eps). assert (C : 0 < c) by now apply conversion_delta_pos.
  apply Rle_trans with (exp eps * sum (fun x => q x * f x) l + c * sum (fun x => renyi_term alpha (p x) (q x)) l).
  - rewrite <- !sum_scal, <- sum_plus. apply sum_le. intros x.
    pose proof (conversion_one_outcome alpha eps (p x) (q x) Ha (probability_ge0 p x) (probability_ge0 q x) (A x)) as H.
    fold c in H. pose proof (renyi_term_ge0 alpha (p x) (q x)). specialize (Hf x).
    assert (f x * (p x - exp eps * q x) <= c * renyi_term alpha (p x) (q x)); [|lra].
    assert (0 <= c * renyi_term alpha (p x) (q x)) by (apply Rmult_le_pos; lra). nra.
  - apply Rplus_le_compat; [apply Rmult_le_compat_l; lra|].
    replace (conversion_delta alpha b eps) with (c * exp ((alpha - 1) * b)).
    2:{ unfold c, conversion_delta.
        replace ((alpha - 1) * (b - eps)) with ((alpha - 1) * (0 - eps) + (alpha - 1) * b) by ring.
        rewrite exp_plus. ring. }
    apply Rmult_le_compat_l; lra.
Qed.
(** The same for rho-zCDP, at any order alpha > 1. *)
Theorem zcdp_to_dp_at {D X} adj rho (M : D -> distribution X) alpha eps : 1 < alpha -> zcdp adj rho M ->
  dp adj eps (exp ((alpha - 1) * (alpha * rho - eps)) * (Rpower (1 - / alpha) alpha / (alpha - 1)))
    (fun x => law_of (M x)).
Proof. intros Ha H x y N. now apply (renyi_to_close alpha (alpha * rho)), H. Qed.

(** Bun and Steinke 2016, Proposition 1.3: rho-zCDP implies (rho + 2 sqrt(rho ln(1/delta)), delta)-privacy. *)
Theorem zcdp_to_dp {D X} adj rho delta (M : D -> distribution X) : 0 <= rho -> 0 < delta < 1 -> zcdp adj rho M ->
  dp adj (rho + 2 * sqrt (rho * ln (1 / delta))) delta (fun x => law_of (M x)).
Proof.
  intros Hr Hd H x y N f Hf.
  assert (Ln : ln delta = - ln (1 / delta)) by (unfold Rdiv; rewrite Rmult_1_l, ln_Rinv; lra).
  assert (L : 0 < ln (1 / delta)) by (assert (ln delta < ln 1) by (apply ln_increasing; lra); rewrite ln_1 in *; lra).
  set (L1 := ln (1 / delta)) in *.
  (* Whatever alpha and epsilon: if the exponent is ln delta, then delta bounds the excess. *)
  assert (G : forall alpha eps, 1 < alpha -> (alpha - 1) * (alpha * rho - eps) = ln delta ->
      law_of (M x) f <= exp eps * law_of (M y) f + delta).
  { intros alpha eps Ha E. pose proof (renyi_to_close alpha (alpha * rho) eps (M x) (M y) Ha (H x y N _ Ha) f Hf).
    pose proof (conversion_delta_le alpha (alpha * rho) eps Ha) as Dl. rewrite E, exp_ln in Dl by lra. lra. }
  destruct Hr as [Hr | <-].
  - assert (W : 0 < sqrt (rho * L1)) by (apply sqrt_lt_R0; now apply Rmult_lt_0_compat).
    pose proof (sqrt_sqrt (rho * L1) ltac:(nra)) as W2. set (w := sqrt (rho * L1)) in *.
    (* alpha = (epsilon + rho)/(2 rho) = 1 + w/rho *)
    apply (G (1 + w / rho)); [assert (0 < w / rho) by (now apply Rdiv_lt_0_compat); lra|].
    replace ((1 + w / rho - 1) * ((1 + w / rho) * rho - (rho + 2 * w))) with (- (w * w) / rho) by (field; lra).
    rewrite W2, Ln. field. lra.
  - (* rho = 0: every epsilon > 0 will do, so 0 does. *)
    rewrite Rmult_0_l, sqrt_0, Rmult_0_r, Rplus_0_r, exp_0, Rmult_1_l. apply le_epsilon. intros e He.
    assert (Hl : 0 < ln (1 + e)) by (rewrite <- ln_1; apply ln_increasing; lra).
    specialize (G (1 + L1 / ln (1 + e)) (ln (1 + e))). rewrite exp_ln in G by lra.
    assert (law_of (M x) f <= (1 + e) * law_of (M y) f + delta).
    { apply G; [assert (0 < L1 / ln (1 + e)) by (now apply Rdiv_lt_0_compat); lra|]. rewrite Ln. field. lra. }
    pose proof (E_test (law_of (M y)) f Hf). nra.
Qed.
