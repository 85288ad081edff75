(** The lower bound for pure learners of halfspaces, as printed, with the constants of a repair of its proof.

    In dimension d = floor(1/(1000 gamma^2)) >= 1, every (epsilon, 0)-private (1/10, 1/10, gamma)-learner with n records
    has n epsilon >= 0.0001308/gamma^2 + 1.373. The statement is that of the page. The proof is another one: the bounds
    of PureLowerBound.v with N = d, the first of them for d >= 3 and that of two labels for d <= 2. So it needs neither
    a code nor the claim about two classifiers.

    Claims: nuz20.thm12, nuz20.thm12.packing.
*)
Require Import Reals Lra Lia Arith.
From DpAssay Require Import Privacy Neighbours Learners Numbers PureLowerBound.
Open Scope R_scope.

(** Two labels at one point, in terms of n epsilon. *)
Lemma two_labels_need n eps : 0 <= eps ->
  exp (INR (n / 2) * eps) + exp (INR (n - n / 2) * eps) >= 10 -> 177 / 100 <= INR n * eps.
Proof.
  intros Eps Ten. destruct (Rle_lt_dec (177 / 100) (INR n * eps)) as [|Small]; [easy | exfalso].
  assert (nine : exp (177 / 100) < 9).
  { apply Rlt_le_trans with (exp 2); [apply exp_increasing; lra|].
    replace 2 with (1 + 1) by lra. rewrite exp_plus. pose proof exp_le_3. pose proof (exp_pos 1). nra. }
  assert (five : exp (118 / 100) < 5).
  { pose proof (exp_minus_ge (59 / 100) ltac:(lra)) as B. pose proof (exp_pos (59 / 100)) as P.
    assert (inverse : exp (59 / 100) * exp (- (59 / 100)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
    assert (Two : exp (59 / 100) <= 2) by nra.
    replace (118 / 100) with (59 / 100 + 59 / 100) by lra. rewrite exp_plus. nra. }
  assert (monotone : forall k x, INR k * eps <= x -> exp (INR k * eps) <= exp x).
  { intros k x [L | ->]; [left; now apply exp_increasing | lra]. }
  destruct n as [|[|n]].
  - simpl in Ten. rewrite Rmult_0_l, exp_0 in Ten. lra.
  - cbn [Nat.div Nat.divmod fst Nat.sub] in Ten. simpl INR in Ten. simpl INR in Small. rewrite Rmult_0_l, exp_0 in Ten.
    assert (exp (1 * eps) <= exp (177 / 100)) by (apply (monotone 1%nat); simpl INR; lra). lra.
  - set (m := S (S n)) in *.
    assert (two_thirds : forall k, (3 * k <= 2 * m)%nat -> INR k * eps <= 118 / 100).
    { intros k K. apply le_INR in K. rewrite !mult_INR in K.
      replace (INR 3) with 3 in K by (simpl; lra). replace (INR 2) with 2 in K by (simpl; lra). nra. }
    pose proof (Nat.div_mod m 2 ltac:(lia)). pose proof (Nat.mod_upper_bound m 2 ltac:(lia)).
    assert (2 <= m)%nat by (unfold m; lia).
    assert (exp (INR (m / 2) * eps) <= exp (118 / 100)) by (apply monotone, two_thirds; lia).
    assert (exp (INR (m - m / 2) * eps) <= exp (118 / 100)) by (apply monotone, two_thirds; lia).
    lra.
Qed.

(** nuz20.thm12, nuz20.thm12.packing: in dimension d = floor(1/(1000 gamma^2)) >= 1, every (epsilon, 0)-private
    (1/10, 1/10, gamma)-learner with n records has n epsilon >= 0.0001308/gamma^2 + 1.373. *)
Theorem printed_pure_lower_bound {O} d n eps gamma (q : O -> ball d -> bool -> R) (M : data (example d) n -> law O) :
  0 <= eps -> 0 < gamma -> (0 < d)%nat -> INR d <= 1 / (1000 * gamma ^ 2) < INR d + 1 ->
  hypotheses q -> dp (nb n) eps 0 M -> learns q (1 / 10) (1 / 10) gamma M ->
  INR n * eps >= 0.0001308 / gamma ^ 2 + 1.373.
Proof.
  intros Eps G D Floor Hypotheses Private Learns. assert (G2 : 0 < gamma ^ 2) by now apply pow_lt.
  assert (Scale : 0.0001308 / gamma ^ 2 = 0.1308 * (1 / (1000 * gamma ^ 2))).
  { unfold Rdiv. rewrite Rinv_mult. lra. }
  set (u := 1 / (1000 * gamma ^ 2)) in *.
  assert (Fits : INR d * (gamma * gamma) <= 1).
  { assert (u * gamma ^ 2 = 1 / 1000) by (unfold u; field; lra).
    assert (INR d * gamma ^ 2 <= u * gamma ^ 2) by (apply Rmult_le_compat_r; lra). simpl in *. lra. }
  destruct (pure_lower_bound d d n eps gamma q M G (conj D (le_n d)) Fits Hypotheses Private Learns)
    as [_ [Slope [_ Ten]]].
  rewrite Scale. destruct (Nat.le_gt_cases 3 d) as [Three | Few].
  - apply le_INR in Three. replace (INR 3) with 3 in Three by (simpl; lra). lra.
  - assert (Two : INR d <= 2) by (apply (le_INR d 2); lia).
    pose proof (two_labels_need n eps Eps Ten). lra.
Qed.
