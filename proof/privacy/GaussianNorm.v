(** A vector may be less private than its norm says, for the discrete Gaussian.

    For continuous Gaussian noise the delta of a shift by a vector is that of a shift of the same length in one
    dimension.  For the discrete Gaussian it is not: with v = 1/20 and epsilon = 0, the shift by (1, 1, 1, 1),
    whose norm is 2, has a greater delta than the shift by 2 in one dimension.  Write x = e^(-1/(2v)).
    In one dimension the laws around 0 and 2 share their mass at 1, so that delta <= 1 - x/theta, about 1 - x.
    In four dimensions the test "three or more of the coordinates are 1" has a delta of about 1 - 6 x^2.

    The claim is refuted, with another counterexample than that of the page.

    Claims: sample.discrete-gaussian.multivariate.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Totals Distributions ThetaSums GaussianMechanism.
Open Scope R_scope.

(** The probability of a finite set of outcomes. *)
Lemma law_of_set {X} (dec : forall x y : X, {x = y} + {x <> y}) (p : distribution X) l : NoDup l ->
  law_of p (fun x => if in_dec dec x l then 1 else 0) = sum p l.
Proof.
  intros N. set (f := fun x => if in_dec dec x l then 1 else 0).
  assert (F : test f) by (intros x; unfold f; destruct (in_dec dec x l); lra).
  transitivity (sum (fun x => p x * f x) l).
  - apply (has_total_unique (fun x => p x * f x)); [apply law_of_ge0; [now apply test_bounded | apply F]|].
    apply has_total_finite; auto.
    + intros x. apply Rmult_le_pos; [apply probability_ge0 | apply F].
    + intros x H. unfold f. destruct (in_dec dec x l); [contradiction | lra].
  - assert (G : forall m, incl m l -> sum (fun x => p x * f x) m = sum p m); [|now apply G].
    induction m as [|a m IH]; intros I; [reflexivity|]. simpl. rewrite IH by (intros x Hx; apply I; now right).
    unfold f. destruct (in_dec dec a l) as [|C]; [lra | destruct C; apply I; now left].
Qed.
(** Two distributions that agree at the outcome a are close with epsilon = 0 and delta = 1 - p a. *)
Lemma close_of_agreement {X} (dec : forall x y : X, {x = y} + {x <> y}) (p q : distribution X) a :
  p a = q a -> close 0 (1 - p a) (law_of p) (law_of q).
Proof.
  intros E f Hf. rewrite exp_0, Rmult_1_l.
  set (g := fun x => if dec x a then 0 else 1).
  assert (G : test g) by (intros x; unfold g; destruct (dec x a); lra).
  assert (Pg : law_of p g = 1 - p a).
  { assert (law_of p (fun x => 1 + -1 * (if dec x a then 1 else 0)) = 1 + -1 * p a).
    { assert (B : bounded (fun x => if dec x a then 1 else 0))
        by (exists 1; intros x; destruct (dec x a); rewrite Rabs_pos_eq; lra).
      rewrite (E_plus (law_of p) (fun _ => 1) (fun x => -1 * (if dec x a then 1 else 0))), E_one, E_scal
        by auto using bounded_const, bounded_scal.
      rewrite (law_of_outcome p a); auto. intros y. destruct (dec y a); split; intros; auto; contradiction. }
    rewrite (E_ext (law_of p) g (fun x => 1 + -1 * (if dec x a then 1 else 0))); [lra | now apply test_bounded | |].
    - exists 1. intros x. destruct (dec x a); rewrite Rabs_pos_eq; lra.
    - intros x. unfold g. destruct (dec x a); lra. }
  rewrite <- Pg. apply (has_total_le (fun x => p x * f x) (fun x => q x * f x + p x * g x)).
  - intros x. unfold g. pose proof (probability_ge0 p x). pose proof (probability_ge0 q x). specialize (Hf x).
    destruct (dec x a) as [-> | _]; [rewrite E; lra | nra].
  - apply law_of_ge0; [now apply test_bounded | apply Hf].
  - apply has_total_plus.
    + intros x. apply Rmult_le_pos; [apply probability_ge0 | apply Hf].
    + intros x. apply Rmult_le_pos; [apply probability_ge0 | apply G].
    + apply law_of_ge0; [now apply test_bounded | apply Hf].
    + apply law_of_ge0; [now apply test_bounded | apply G].
Qed.

(** theta for a small x = e^-c: at most 1 + 2 x + 8 x^4. *)
Lemma theta_small c : 0 < c -> exp (- c) <= / 2 -> theta c 0 <= 1 + 2 * exp (- c) + 8 * exp (- c) ^ 4.
Proof.
  intros Hc Hx. pose proof (exp_pos (- c)) as X0. set (x := exp (- c)) in *.
  assert (W : forall n s, (s = Z.of_nat n \/ s = - Z.of_nat n)%Z -> bell c 0 s = x ^ (n * n)).
  { intros n s Hs. unfold x. rewrite exp_pow. unfold bell. f_equal. rewrite mult_INR, INR_IZR_INZ.
    destruct Hs as [-> | ->]; rewrite ?opp_IZR; ring. }
  apply (proj2 (theta_is c 0 Hc)). apply sums_at_most_symmetric; [intros; left; apply bell_pos|].
  assert (X4 : 0 < x ^ 4) by now apply pow_lt.
  intros n. apply Rle_trans with (1 + 2 * x + 8 * x ^ 4 - 8 * x ^ 4 * (/ 2) ^ n).
  2:{ assert (0 < (/ 2) ^ n) by (apply pow_lt; lra). nra. }
  induction n as [|n IH].
  - cbn [symmetric sum]. rewrite (W O) by auto. simpl. lra.
  - cbn [symmetric sum]. rewrite !(W (S n)) by auto.
    assert (P : 0 < (/ 2) ^ n) by (apply pow_lt; lra).
    destruct n as [|n].
    + cbn [symmetric sum] in *. rewrite (W O) in * by auto. simpl in *. lra.
    + assert (B : x ^ (S (S n) * S (S n)) <= x ^ 4 * (/ 2) ^ n).
      { replace (S (S n) * S (S n))%nat with (4 + (n + (3 * n + n * n)))%nat by lia.
        rewrite (pow_add x 4), (pow_add x n).
        apply Rmult_le_compat_l; [lra|]. rewrite <- (Rmult_1_r ((/ 2) ^ n)).
        apply Rmult_le_compat; try (apply pow_le; lra); [apply pow_incr; lra|].
        rewrite <- (pow1 (3 * n + n * n)). apply pow_incr. lra. }
      simpl pow in *. simpl pow in IH. lra.
Qed.

(** The variance parameter of the counterexample. *)
Definition v0 : R := / 20.
Lemma v0_pos : 0 < v0.
Proof. unfold v0. lra. Qed.
Lemma x_small : exp (- / (2 * v0)) <= / 1024.
Proof.
  replace (- / (2 * v0)) with (INR 10 * -1) by (unfold v0; simpl; field). rewrite <- exp_pow.
  replace (/ 1024) with ((/ 2) ^ 10) by (simpl; lra). apply pow_incr. split; [left; apply exp_pos|].
  pose proof (exp_ineq1_le 1). replace (-1) with (- (1)) by lra. rewrite exp_Ropp. apply Rinv_le_contravar; lra.
Qed.

(** sample.discrete-gaussian.multivariate: it is not true that delta at the norm, in one dimension, bounds delta at
    an integer vector whose norm is an integer. *)
Theorem norm_does_not_bound_delta : ~ (forall v (Hv : 0 < v) eps (us : list Z) (D : Z), 0 <= eps ->
  squared_distance us (map (fun _ => 0%Z) us) = IZR D ^ 2 ->
  forall delta, close eps delta (law_of (discrete_gaussian v Hv D)) (law_of (discrete_gaussian v Hv 0)) ->
  close eps delta (law_of (discrete_gaussian_vector v Hv us))
                  (law_of (discrete_gaussian_vector v Hv (map (fun _ => 0%Z) us)))).
Proof.
  intros H. specialize (H v0 v0_pos 0 [1; 1; 1; 1]%Z 2%Z ltac:(lra) ltac:(simpl; lra)).
  set (g := gaussian_probability v0) in *.
  (* the probabilities at distance 0, 1 and 2 *)
  set (x := exp (- / (2 * v0))). set (q := / theta (/ (2 * v0)) 0).
  assert (g0 : forall m, g m m = q).
  { intros m. unfold g, gaussian_probability. rewrite Z.sub_diag.
    replace (- 0 ^ 2 / (2 * v0)) with 0 by (unfold v0; field).
    rewrite exp_0. unfold q, Rdiv. lra. }
  assert (g1 : forall m k, (k - m = 1 \/ k - m = -1)%Z -> g m k = x * q).
  { intros m k [E | E]; unfold g, gaussian_probability; rewrite E; unfold x, q, Rdiv; do 2 f_equal; unfold v0; field. }
  assert (g2 : g 0%Z 2%Z = x ^ 4 * q).
  { unfold g, gaussian_probability. unfold x. rewrite exp_pow. unfold q, Rdiv. do 2 f_equal. unfold v0. simpl. field. }
  (* one dimension *)
  specialize (H (1 - x * q)).
  assert (One : close 0 (1 - x * q) (law_of (discrete_gaussian v0 v0_pos 2)) (law_of (discrete_gaussian v0 v0_pos 0))).
  { pose proof (close_of_agreement Z.eq_dec (discrete_gaussian v0 v0_pos 2) (discrete_gaussian v0 v0_pos 0) 1%Z) as C.
    cbn [discrete_gaussian probability] in C. fold g in C. rewrite (g1 2%Z 1%Z), (g1 0%Z 1%Z) in C by lia.
    now apply C. }
  specialize (H One).
  (* four dimensions *)
  set (l := [[1;1;1;1]; [0;1;1;1]; [1;0;1;1]; [1;1;0;1]; [1;1;1;0]; [2;1;1;1]; [1;2;1;1]; [1;1;2;1]; [1;1;1;2]]%Z).
  assert (N : NoDup l).
  { unfold l. repeat constructor; cbn [In]; intros I; repeat (destruct I as [I | I]; [discriminate|]); exact I. }
  specialize (H (fun ks => if in_dec (list_eq_dec Z.eq_dec) ks l then 1 else 0)).
  rewrite !(law_of_set (list_eq_dec Z.eq_dec)), exp_0 in H by exact N.
  assert (T : forall ks, 0 <= (if in_dec (list_eq_dec Z.eq_dec) ks l then 1 else 0) <= 1)
    by (intros ks; destruct (in_dec _ ks l); lra).
  specialize (H T). unfold l, discrete_gaussian_vector in H.
  cbn [map sum independent probability product_probability discrete_gaussian] in H. fold g in H.
  rewrite !g0, !(g1 1%Z 0%Z), !(g1 1%Z 2%Z), !(g1 0%Z 1%Z), !g2 in H by lia.
  (* x <= 1/1024 and 1/q <= 1 + 2 x + 8 x^4 *)
  pose proof x_small as X1. pose proof (exp_pos (- / (2 * v0))) as X0. fold x in X0, X1.
  pose proof (half_precision_pos v0 v0_pos) as Hc. pose proof (theta_0_ge_1 _ Hc) as T1.
  pose proof (theta_small _ Hc ltac:(fold x; lra)) as T2. fold x in T2.
  assert (Q1 : 0 < q <= 1).
  { unfold q. split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (Qt : q * theta (/ (2 * v0)) 0 = 1) by (unfold q; field; lra).
  set (th := theta (/ (2 * v0)) 0) in *.
  assert (X2 : 0 < x ^ 2 <= / 8) by (split; [now apply pow_lt | clear - X0 X1; simpl; nra]).
  assert (X4 : 8 * x ^ 4 <= x ^ 2).
  { replace (8 * x ^ 4) with (8 * x ^ 2 * x ^ 2) by ring. apply Rle_trans with (1 * x ^ 2); [|lra].
    apply Rmult_le_compat_r; lra. }
  set (u := 2 * x + x ^ 2).
  assert (U : 0 < u <= / 4) by (unfold u; lra).
  assert (Q0 : 1 - u <= q).
  { assert (q * th <= q * (1 + u)) by (apply Rmult_le_compat_l; unfold u; lra). nra. }
  assert (Q2 : 1 - 2 * u <= q ^ 2) by nra.
  assert (Q4 : 1 - 4 * u <= q ^ 4) by (replace (q ^ 4) with (q ^ 2 * q ^ 2) by ring; nra).
  assert (H1 : q ^ 4 * (1 + 8 * x) <= q ^ 4 * (x ^ 2 * (x ^ 2 + 4 * x + 4 * x ^ 5)) + (1 - x * q)) by (clear - H; nra).
  assert (X5 : x ^ 5 <= x).
  { replace (x ^ 5) with (x ^ 4 * x) by ring. apply Rle_trans with (1 * x); [|lra]. apply Rmult_le_compat_r; lra. }
  assert (H2 : q ^ 4 * (1 + 8 * x - x ^ 2) <= 1 - x * q).
  { assert (q ^ 4 * (x ^ 2 * (x ^ 2 + 4 * x + 4 * x ^ 5)) <= q ^ 4 * (x ^ 2 * 1)); [|lra].
    apply Rmult_le_compat_l; [apply pow_le; lra|]. apply Rmult_le_compat_l; lra. }
  assert (H3 : (1 - 4 * u) * (1 + 8 * x - x ^ 2) <= 1 - x * (1 - u)).
  { apply Rle_trans with (q ^ 4 * (1 + 8 * x - x ^ 2)); [apply Rmult_le_compat_r; nra|]. nra. }
  unfold u in H3. clear - H3 X0 X1. nra.
Qed.
