(** What epsilon = 1 costs in the margin bounds, and their rate.

    The second bound of Theorem 3.1 and that of the Gibbs learner have the form x + h + sqrt(h^2 + 2 h x). For epsilon
    >= 1 they are at most (3 + sqrt 5)/2 times their value without privacy. Of bms22.text.rate the first half: the bound
    at a margin loss p; that h falls like ln(m)/m is left out. The bounds themselves are not proved here.

    Claims: bms22.text.free, bms22.text.rate.
*)
Require Import Reals Lra Lia.
Open Scope R_scope.

(** The bound x + h + sqrt(h^2 + 2 h x). *)
Definition bound (h x : R) : R := x + h + sqrt (h ^ 2 + 2 * h * x).

(** The second bound of bms22.thm3_1, at the margin loss p: ln_C is the logarithm of the size of the cover. *)
Definition algorithm1_bound (ln_C beta m eps p : R) : R :=
  let H := ln_C + ln (3 / beta) in bound (H / m) (p + 2 / (eps * m) * H).
(** Without the term of privacy: the limit for eps to infinity. *)
Definition algorithm1_bound_not_private (ln_C beta m p : R) : R := bound ((ln_C + ln (3 / beta)) / m) p.

(** The bound of bms22.gibbs.bound with N candidates, of which each is good with probability at least a; x is
    R_rho + 2 T. *)
Definition gibbs_bound (N a beta m eps x : R) : R :=
  bound (ln (3 * N / beta) / m) (x + 2 / (eps * m) * ln (6 / (a * beta))).
(** Without the term of privacy: the limit for eps to infinity. *)
Definition gibbs_bound_not_private (N beta m x : R) : R := bound (ln (3 * N / beta) / m) x.

Lemma bound_mono h x y : 0 <= h -> 0 <= x -> x <= y -> bound h x <= bound h y.
Proof.
  intros Hh Hx L. unfold bound. assert (sqrt (h ^ 2 + 2 * h * x) <= sqrt (h ^ 2 + 2 * h * y)); [|lra].
  apply sqrt_le_1; nra.
Qed.

(** To add 2 h to x costs a factor of at most (3 + sqrt 5)/2, the square of the golden ratio. *)
Lemma bound_plus_2h h x : 0 <= h -> 0 <= x -> bound h (x + 2 * h) <= (3 + sqrt 5) / 2 * bound h x.
Proof.
  intros Hh Hx. unfold bound.
  assert (s5 : sqrt 5 ^ 2 = 5) by (apply pow2_sqrt; lra). pose proof (sqrt_pos 5) as p5.
  assert (p52 : 2 <= sqrt 5).
  { rewrite <- (sqrt_pow2 2) by lra. apply sqrt_le_1; lra. }
  set (g := (1 + sqrt 5) / 2). assert (golden : g ^ 2 = g + 1) by (unfold g; nra).
  replace ((3 + sqrt 5) / 2) with (g + 1) by (unfold g; lra). assert (g1 : 3 / 2 <= g) by (unfold g; lra).
  set (v := sqrt (h ^ 2 + 2 * h * x)). set (w := sqrt (h ^ 2 + 2 * h * (x + 2 * h))).
  assert (Hv : v ^ 2 = h ^ 2 + 2 * h * x) by (apply pow2_sqrt; nra).
  assert (Hw : w ^ 2 = v ^ 2 + 4 * h ^ 2) by (rewrite Hv; unfold w; rewrite pow2_sqrt; nra).
  assert (pv : 0 <= v) by apply sqrt_pos. assert (pw : 0 <= w) by apply sqrt_pos.
  assert (vh : h <= v).
  { unfold v. rewrite <- (sqrt_pow2 h) at 1 by lra. apply sqrt_le_1; nra. }
  (* h + w <= g (h + v), and 2 h bound = (h + sqrt(...))^2. *)
  assert (root : w <= g * (h + v) - h).
  { apply Rsqr_incr_0_var; [|nra]. rewrite !Rsqr_pow2, Hw.
    replace ((g * (h + v) - h) ^ 2) with (g ^ 2 * (h + v) ^ 2 - 2 * g * h * (h + v) + h ^ 2) by ring.
    rewrite golden.
    assert (identity : (g + 1) * (h + v) ^ 2 - 2 * g * h * (h + v) + h ^ 2 - (v ^ 2 + 4 * h ^ 2)
      = g * ((v + h) * (v - h)) + 2 * (h * (v - h))) by ring.
    assert (0 <= (v + h) * (v - h)) by (apply Rmult_le_pos; lra).
    assert (0 <= g * ((v + h) * (v - h))) by (apply Rmult_le_pos; lra).
    assert (0 <= h * (v - h)) by (apply Rmult_le_pos; lra). lra. }
  destruct Hh as [Hh | <-]; [|nra].
  assert (twice : 2 * h * (x + 2 * h + h + w) = (h + w) ^ 2) by nra.
  assert (twice' : 2 * h * (x + h + v) = (h + v) ^ 2) by nra.
  assert (squares : (h + w) ^ 2 <= g ^ 2 * (h + v) ^ 2).
  { rewrite <- Rpow_mult_distr. apply pow_incr. lra. }
  rewrite golden in squares. rewrite <- twice, <- twice' in squares.
  apply Rmult_le_reg_l with (2 * h); lra.
Qed.

Lemma bound_plus h x extra : 0 <= h -> 0 <= x -> 0 <= extra <= 2 * h ->
  bound h (x + extra) <= (3 + sqrt 5) / 2 * bound h x.
Proof.
  intros Hh Hx [low high]. eapply Rle_trans; [|now apply bound_plus_2h]. apply bound_mono; lra.
Qed.

(** bms22.text.free: for eps >= 1 the second bound of Algorithm 1 is at most (3 + sqrt 5)/2 times that without
    privacy. *)
Theorem algorithm1_almost_free ln_C beta m eps p : 1 <= eps -> 0 < beta <= 1 -> 0 <= ln_C -> 0 < m -> 0 <= p ->
  algorithm1_bound ln_C beta m eps p <= (3 + sqrt 5) / 2 * algorithm1_bound_not_private ln_C beta m p.
Proof.
  intros He [Hb Hb'] HC Hm Hp. unfold algorithm1_bound, algorithm1_bound_not_private.
  assert (Hl : 0 <= ln (3 / beta)).
  { rewrite <- ln_1. assert (1 < 3 / beta); [|left; apply ln_increasing; lra].
    apply Rmult_lt_reg_r with beta; [exact Hb|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  set (H := ln_C + ln (3 / beta)). assert (HH : 0 <= H) by (unfold H; lra).
  assert (Hi : 0 < / m) by now apply Rinv_0_lt_compat. assert (HHm : 0 <= H / m) by (unfold Rdiv; nra).
  assert (ie : 0 < / eps <= 1).
  { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  apply bound_plus; [exact HHm | exact Hp|].
  replace (2 / (eps * m) * H) with (2 * / eps * (H / m)) by (field; lra). nra.
Qed.

(** bms22.text.free: and so is the bound of the Gibbs learner, where N a >= 2. *)
Theorem gibbs_almost_free N a beta m eps x : 1 <= eps -> 0 < beta <= 1 -> 0 < a <= 1 -> 2 <= N * a -> 0 < m -> 0 <= x ->
  gibbs_bound N a beta m eps x <= (3 + sqrt 5) / 2 * gibbs_bound_not_private N beta m x.
Proof.
  intros He [Hb Hb'] [Ha Ha'] HN Hm Hx. unfold gibbs_bound, gibbs_bound_not_private.
  assert (pab : 0 < a * beta) by nra.
  assert (N1 : 2 <= N) by nra.
  assert (above : 6 / (a * beta) <= 3 * N / beta).
  { apply Rmult_le_reg_r with (a * beta); [exact pab|].
    replace (6 / (a * beta) * (a * beta)) with 6 by (field; lra).
    replace (3 * N / beta * (a * beta)) with (3 * (N * a)) by (field; lra). lra. }
  assert (one : 1 < 6 / (a * beta)).
  { apply Rmult_lt_reg_r with (a * beta); [exact pab|].
    replace (6 / (a * beta) * (a * beta)) with 6 by (field; lra). nra. }
  assert (l0 : 0 < ln (6 / (a * beta))) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (l1 : ln (6 / (a * beta)) <= ln (3 * N / beta))
    by (destruct above as [above | ->]; [left; apply ln_increasing; lra | lra]).
  assert (Hi : 0 < / m) by now apply Rinv_0_lt_compat.
  assert (ie : 0 < / eps <= 1).
  { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  set (l := ln (6 / (a * beta))) in *. set (L := ln (3 * N / beta)) in *.
  assert (scaled : 0 <= l / m <= L / m) by (unfold Rdiv; split; [nra | apply Rmult_le_compat_r; lra]).
  apply bound_plus; [lra | exact Hx|].
  replace (2 / (eps * m) * l) with (2 * / eps * (l / m)) by (field; lra). nra.
Qed.

(** bms22.text.rate: the second bound of Algorithm 1 is at most p + sqrt(2 h p) + h (2 + 2/eps + 2/sqrt(eps)). *)
Theorem algorithm1_rate ln_C beta m eps p : 0 < eps -> 0 < m -> 0 <= p -> 0 <= ln_C + ln (3 / beta) ->
  let h := (ln_C + ln (3 / beta)) / m in
  algorithm1_bound ln_C beta m eps p <= p + sqrt (2 * h * p) + h * (2 + 2 / eps + 2 / sqrt eps).
Proof.
  intros He Hm Hp HH h. unfold algorithm1_bound, bound. fold h.
  replace (2 / (eps * m) * (ln_C + ln (3 / beta))) with (2 * h / eps) by (unfold h; field; lra).
  assert (Hh : 0 <= h) by (unfold h, Rdiv; apply Rmult_le_pos; [exact HH | left; now apply Rinv_0_lt_compat]).
  assert (pe : 0 < sqrt eps) by now apply sqrt_lt_R0. assert (se : sqrt eps ^ 2 = eps) by (apply pow2_sqrt; lra).
  assert (pi : 0 < / sqrt eps) by now apply Rinv_0_lt_compat.
  set (b := sqrt (2 * h * p)). assert (pb : 0 <= b) by apply sqrt_pos.
  assert (sb : b ^ 2 = 2 * h * p) by (apply pow2_sqrt; nra).
  (* The root of a sum of squares is at most the sum of the roots. *)
  assert (root : sqrt (h ^ 2 + 2 * h * (p + 2 * h / eps)) <= b + h + 2 * h * / sqrt eps).
  { assert (pc : 0 <= 2 * h * / sqrt eps) by (apply Rmult_le_pos; lra).
    rewrite <- (sqrt_pow2 (b + h + 2 * h * / sqrt eps)) by lra.
    assert (sc : (2 * h * / sqrt eps) ^ 2 = 2 * h * (2 * h / eps)) by (rewrite <- se at 2; field; lra).
    apply sqrt_le_1_alt. set (c := 2 * h * / sqrt eps) in *.
    replace (h ^ 2 + 2 * h * (p + 2 * h / eps)) with (h ^ 2 + 2 * h * p + 2 * h * (2 * h / eps)) by lra.
    rewrite <- sb, <- sc. assert (0 <= b * h) by nra. assert (0 <= b * c) by nra. assert (0 <= h * c) by nra. nra. }
  unfold Rdiv in *. lra.
Qed.
