(** The discrete Laplace mechanism.

    The discrete Laplace law of a real scale > 0 gives the integer k the probability (1-q)/(1+q) q^|k|, with
    q = e^(-1/scale). The probabilities sum to 1. An integer query that moves by at most D between neighbours, under
    any neighbouring relation, released with noise of this law, is (D/scale, 0)-differentially private; with the scale
    D/epsilon it is (epsilon, 0)-differentially private.

    That the sampler of the library has this law is sample.discrete-laplace. Its page has rational scales; the law here
    has any real scale > 0.

    Claims: none.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Countable.
Open Scope R_scope.

(** * The law *)

(** The probability of k in the discrete Laplace law: (1 - q)/(1 + q) q^|k|, q = e^(-1/scale). *)
Definition laplace_at scale (k : Z) : R :=
  (1 - exp (- / scale)) / (1 + exp (- / scale)) * exp (- IZR (Z.abs k) / scale).

(** q is between 0 and 1. *)
Lemma laplace_at_base scale : 0 < scale -> 0 < exp (- / scale) < 1.
Proof.
  intros Hs. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing.
  assert (0 < / scale) by now apply Rinv_0_lt_compat. lra.
Qed.
Lemma laplace_at_power scale k : exp (- IZR (Z.abs k) / scale) = exp (- / scale) ^ Z.to_nat (Z.abs k).
Proof.
  rewrite <- (Z2Nat.id (Z.abs k)) at 1 by lia. rewrite <- INR_IZR_INZ.
  induction (Z.to_nat (Z.abs k)) as [|n IH]; [simpl; rewrite <- exp_0; f_equal; lra|].
  rewrite S_INR. cbn [pow]. rewrite <- IH, <- exp_plus. f_equal. lra.
Qed.
Lemma laplace_at_nonneg scale k : 0 < scale -> 0 <= laplace_at scale k.
Proof.
  intros Hs. pose proof (laplace_at_base scale Hs). apply Rmult_le_pos; [|left; apply exp_pos].
  apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
Qed.

(** The integers from -n to n have the probability 1 - 2 q^(n+1)/(1+q) together. *)
Lemma laplace_at_partial_sum scale n : 0 < scale ->
  let q := exp (- / scale) in partial_sum (laplace_at scale) n = 1 - 2 * q ^ S n / (1 + q).
Proof.
  intros Hs q. pose proof (laplace_at_base scale Hs) as Q. fold q in Q. induction n.
  - cbn [partial_sum]. unfold laplace_at. rewrite laplace_at_power. fold q. simpl. field. lra.
  - cbn [partial_sum]. rewrite IHn. unfold laplace_at. rewrite !laplace_at_power. fold q.
    replace (Z.to_nat (Z.abs (- Z.of_nat (S n)))) with (S n) by lia.
    replace (Z.to_nat (Z.abs (Z.of_nat (S n)))) with (S n) by lia. cbn [pow]. field. lra.
Qed.
Lemma laplace_at_total scale : 0 < scale -> sums_to (laplace_at scale) 1.
Proof.
  intros Hs. pose proof (laplace_at_base scale Hs) as Q. set (q := exp (- / scale)) in *.
  assert (P : Un_cv (fun n => q ^ S n) 0).
  { apply (cv_later (fun n => q ^ n)). intros e He. destruct (pow_lt_1_zero q) with (y := e) as [N HN]; auto.
    - rewrite Rabs_pos_eq; lra.
    - exists N. intros n Hn. unfold R_dist. rewrite Rminus_0_r. auto. }
  apply cv_ext with (u := fun n => 1 - 2 / (1 + q) * q ^ S n).
  - intros n. rewrite laplace_at_partial_sum by auto. fold q. field. lra.
  - replace 1 with (1 - 2 / (1 + q) * 0) at 1 by lra. apply CV_minus; [apply cv_const | now apply cv_scal].
Qed.

(** The discrete Laplace law of this scale. *)
Definition discrete_laplace scale (positive : 0 < scale) : law Z :=
  countable (laplace_at scale) (fun k => laplace_at_nonneg scale k positive) (laplace_at_total scale positive).

(** An integer with noise of this law added. *)
Definition around scale positive (value : Z) : law Z :=
  relabel (fun noise => value + noise)%Z (discrete_laplace scale positive).

(** The law has the probability (1-q)/(1+q) q^|k| at k, as the page says of the sampler. *)
Lemma discrete_laplace_probability scale positive k : let q := exp (- / scale) in
  discrete_laplace scale positive (fun i => if Z.eq_dec i k then 1 else 0)
  = (1 - q) / (1 + q) * q ^ Z.to_nat (Z.abs k).
Proof.
  intros q. unfold discrete_laplace. rewrite countable_probability. unfold laplace_at. now rewrite laplace_at_power.
Qed.

(** * Privacy *)

(** The probabilities of one outcome k, around two integers at most D apart. *)
Lemma discrete_laplace_ratio scale D (m m' k : Z) : 0 < scale -> (Z.abs (m - m') <= D)%Z ->
  laplace_at scale (k - m) <= exp (IZR D / scale) * laplace_at scale (k - m').
Proof.
  intros Hs H. unfold laplace_at. set (c := (1 - exp (- / scale)) / (1 + exp (- / scale))).
  assert (I : 0 < / scale) by now apply Rinv_0_lt_compat.
  assert (0 <= c).
  { pose proof (laplace_at_base scale Hs). apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra. }
  rewrite <- Rmult_assoc, (Rmult_comm (exp _)), Rmult_assoc, <- exp_plus. apply Rmult_le_compat_l; auto.
  assert (L : - IZR (Z.abs (k - m)) / scale <= IZR D / scale + - IZR (Z.abs (k - m')) / scale).
  { unfold Rdiv. rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [lra|].
    rewrite <- !opp_IZR, <- plus_IZR. apply IZR_le. lia. }
  now apply exp_le.
Qed.

Lemma discrete_laplace_close scale positive D v w : (Z.abs (v - w) <= D)%Z ->
  close (IZR D / scale) 0 (around scale positive v) (around scale positive w).
Proof. intros H. apply countable_noise_pointwise. intros k. now apply discrete_laplace_ratio. Qed.

(** An integer query that moves by at most D between neighbours, with noise, is (D/scale, 0)-private. *)
Theorem discrete_laplace_dp {Data} (neighbours : Data -> Data -> Prop) (query : Data -> Z) (D : Z) scale positive :
  (forall x y, neighbours x y -> (Z.abs (query x - query y) <= D)%Z) ->
  dp neighbours (IZR D / scale) 0 (fun x => around scale positive (query x)).
Proof. intros H x y A. apply discrete_laplace_close. auto. Qed.

(** With the scale D/epsilon: (epsilon, 0)-private. *)
Corollary discrete_laplace_dp_epsilon {Data} (neighbours : Data -> Data -> Prop) (query : Data -> Z) (D : Z) eps
    (positive : 0 < IZR D / eps) : 0 < eps ->
  (forall x y, neighbours x y -> (Z.abs (query x - query y) <= D)%Z) ->
  dp neighbours eps 0 (fun x => around (IZR D / eps) positive (query x)).
Proof.
  intros He H. assert (IZR D <> 0) by (intros Z; rewrite Z in positive; unfold Rdiv in positive; lra).
  replace eps with (IZR D / (IZR D / eps)) at 1 by (field; lra). now apply discrete_laplace_dp.
Qed.
