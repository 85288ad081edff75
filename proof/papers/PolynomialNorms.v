(** The norm of polynomial features.

    kappa(x, x') = (<x, x'> + c)^p is the inner product of the features of x and x' (bms22.poly.kernel, not proved
    here), so that their norm is sqrt kappa(x, x). Both sentences of the paper are refuted: no constant C(p) has the
    norm at most C(p) r^p for all c > 0 and r; and the largest kappa(x, x) is not r^p. The first holds for c <= r^2.

    Claims: bms22.poly.norm, bms22.poly.kappa.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import MarginErrors.
Open Scope R_scope.

(** The polynomial kernel of degree p with offset c. *)
Definition kappa (c : R) (p : nat) (x x' : vector) : R := (inner x x' + c) ^ p.

(** The norm of the features of x. *)
Definition feature_norm (c : R) (p : nat) (x : vector) : R := sqrt (kappa c p x x).

Lemma pow_at_least_base a p : 1 <= a -> (1 <= p)%nat -> a <= a ^ p.
Proof.
  intros Ha Hp. destruct p as [|p]; [lia|]. pose proof (pow_R1_Rle a p Ha). simpl. nra.
Qed.

(** bms22.poly.norm: refuted: for no p >= 1 is there a constant C so that for every r > 0, c > 0 and all |x| <= r the
    norm of the features is at most C r^p. *)
Theorem no_constant_bounds_features p : (1 <= p)%nat ->
  ~ exists C, forall r c x, 0 < r -> 0 < c -> in_ball r x -> feature_norm c p x <= C * r ^ p.
Proof.
  intros Hp [C H]. set (c := C ^ 2 + 1). assert (Hc : 1 <= c) by (unfold c; pose proof (pow2_ge_0 C); lra).
  specialize (H 1 c [1] Rlt_0_1 ltac:(lra)). rewrite pow1, Rmult_1_r in H. unfold in_ball, feature_norm, kappa in H.
  cbn [inner] in H. specialize (H ltac:(lra)).
  pose proof (pow_at_least_base (1 * 1 + 0 + c) p ltac:(lra) Hp) as big.
  set (k := (1 * 1 + 0 + c) ^ p) in *. assert (pos : 0 <= k) by lra.
  pose proof (sqrt_pos k) as ps. pose proof (pow2_sqrt k pos) as sq.
  assert (sqrt k ^ 2 <= C ^ 2) by (apply pow_incr; lra). unfold c in *. lra.
Qed.

(** bms22.poly.norm: if c <= r^2, the norm of the features is at most 2^(p/2) r^p. *)
Theorem features_of_small_offset r c p x : 0 <= r -> 0 <= c <= r ^ 2 -> in_ball r x ->
  feature_norm c p x <= sqrt (2 ^ p) * r ^ p.
Proof.
  intros Hr Hc Hx. unfold feature_norm, kappa, in_ball in *. pose proof (inner_square_pos x).
  assert (rp : 0 <= r ^ p) by now apply pow_le.
  rewrite <- (sqrt_pow2 (r ^ p) rp), <- sqrt_mult_alt by (apply pow_le; lra). apply sqrt_le_1_alt.
  replace ((r ^ p) ^ 2) with ((r ^ 2) ^ p) by (rewrite <- !pow_mult; f_equal; lia).
  rewrite <- Rpow_mult_distr. apply pow_incr. lra.
Qed.

(** bms22.poly.kappa: refuted: for r >= 1, c > 0 and p >= 1 the largest kappa(x, x) over |x| <= r is (r^2 + c)^p, which
    is above r^(2p), and so above r^p. *)
Theorem largest_kappa r c p : 1 <= r -> 0 < c -> (1 <= p)%nat ->
  (forall x, in_ball r x -> kappa c p x x <= (r ^ 2 + c) ^ p) /\
  (in_ball r [r] /\ kappa c p [r] [r] = (r ^ 2 + c) ^ p) /\
  r ^ p <= r ^ (2 * p) < (r ^ 2 + c) ^ p.
Proof.
  intros Hr Hc Hp. split; [|split].
  - intros x Hx. unfold kappa, in_ball in *. apply pow_incr. pose proof (inner_square_pos x). lra.
  - unfold in_ball, kappa. cbn [inner]. split; [simpl; lra|]. f_equal. simpl. lra.
  - split; [apply Rle_pow; [exact Hr | lia]|]. rewrite pow_mult.
    assert (strict : forall n, (r ^ 2) ^ S n < (r ^ 2 + c) ^ S n).
    { assert (r2 : 1 <= r ^ 2) by nra. induction n as [|n IH]; [simpl; lra|].
      rewrite <- !(tech_pow_Rmult _ (S n)). apply Rmult_le_0_lt_compat; try lra. apply pow_le. lra. }
    destruct p as [|p]; [lia | apply strict].
Qed.
