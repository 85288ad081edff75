(** The slope of a smoothed convex loss, and bisection for it.

    A convex f is smoothed to the least over s of f(s) + (t/2)(s - p)^2, which is attained at m(p). The slope of the
    smoothed function at p is t (p - m(p)); and if the slopes of f are at most L, T halvings of [p - L/t, p + L/t] by
    the sign of a slope find it up to L/2^T. The closed form for the hinge loss is in SmoothedHinge.v. That the least
    value is attained is a hypothesis.

    Claims: bms22.lem3_1.prox.
*)
Require Import Reals Lra Lia.
Open Scope R_scope.

Section smoothed.
(** f is convex: g s is a slope of it at s, for every s. m p is the place of the least value. *)
Variables (f g m : R -> R) (t : R) (t_pos : 0 < t).
Hypothesis slopes : forall s x, f s + g s * (x - s) <= f x.
Hypothesis least : forall p s, f (m p) + t / 2 * (m p - p) ^ 2 <= f s + t / 2 * (s - p) ^ 2.

Definition smoothed_value (p : R) : R := f (m p) + t / 2 * (m p - p) ^ 2.

Lemma convex a b lambda : 0 <= lambda <= 1 ->
  f (a + lambda * (b - a)) <= (1 - lambda) * f a + lambda * f b.
Proof.
  intros Hl. set (s := a + lambda * (b - a)). pose proof (slopes s a) as A. pose proof (slopes s b) as B.
  apply (Rmult_le_compat_l (1 - lambda)) in A; [|lra]. apply (Rmult_le_compat_l lambda) in B; [|lra].
  replace ((1 - lambda) * (f s + g s * (a - s)))
    with ((1 - lambda) * f s + g s * ((1 - lambda) * (a - s))) in A by ring.
  replace (lambda * (f s + g s * (b - s))) with (lambda * f s + g s * (lambda * (b - s))) in B by ring.
  assert (middle : (1 - lambda) * (a - s) + lambda * (b - s) = 0) by (unfold s; ring).
  replace (g s * (lambda * (b - s))) with (- (g s * ((1 - lambda) * (a - s)))) in B
    by (replace (lambda * (b - s)) with (- ((1 - lambda) * (a - s))) by lra; ring).
  lra.
Qed.

(** t (p - m p) is a slope of f at m p. *)
Lemma slope_at_least p s : f (m p) + t * (p - m p) * (s - m p) <= f s.
Proof.
  set (a := m p). set (d := s - a). destruct (Rle_dec (f a + t * (p - a) * d) (f s)) as [H | H]; [exact H|].
  exfalso. set (X := f a + t * (p - a) * d - f s). assert (HX : 0 < X) by (unfold X; lra).
  (* A small step from a towards s would be better than a. *)
  assert (pos : 0 <= t * d ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]).
  set (l := Rmin 1 (X / (t * d ^ 2 + X))).
  assert (frac : 0 < X / (t * d ^ 2 + X)) by (apply Rdiv_lt_0_compat; lra).
  assert (Hl : 0 < l <= 1) by (unfold l; split; [apply Rmin_glb_lt; lra | apply Rmin_l]).
  assert (small : l * (t * d ^ 2) <= X).
  { apply Rle_trans with (X / (t * d ^ 2 + X) * (t * d ^ 2)); [apply Rmult_le_compat_r; [exact pos | apply Rmin_r]|].
    apply Rmult_le_reg_r with (t * d ^ 2 + X); [lra|].
    replace (X / (t * d ^ 2 + X) * (t * d ^ 2) * (t * d ^ 2 + X)) with (X * (t * d ^ 2)) by (field; lra). nra. }
  pose proof (least p (a + l * d)) as L. pose proof (convex a s l ltac:(lra)) as C. fold d in C. fold a in L.
  assert (step : 0 <= l * (f s - f a - t * (p - a) * d + t / 2 * l * d ^ 2)).
  { replace (l * (f s - f a - t * (p - a) * d + t / 2 * l * d ^ 2))
      with (l * (f s - f a) + t / 2 * ((a + l * d - p) ^ 2 - (a - p) ^ 2)) by field. nra. }
  assert (neg : f s - f a - t * (p - a) * d + t / 2 * l * d ^ 2 < 0).
  { replace (t / 2 * l * d ^ 2) with (/ 2 * (l * (t * d ^ 2))) by field. unfold X in *. lra. }
  nra.
Qed.

(** The smoothed function lies between its tangent and the tangent plus (t/2)(q - p)^2. *)
Lemma smoothed_between p q : let tangent := smoothed_value p + t * (p - m p) * (q - p) in
  tangent <= smoothed_value q <= tangent + t / 2 * (q - p) ^ 2.
Proof.
  intros tangent. unfold tangent, smoothed_value. split.
  - pose proof (slope_at_least p (m q)) as S. set (a := m p) in *. set (b := m q) in *.
    assert (square : 0 <= t / 2 * ((b - q) - (a - p)) ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]). nra.
  - pose proof (least q (m p)) as L. set (a := m p) in *.
    replace (f a + t / 2 * (a - p) ^ 2 + t * (p - a) * (q - p) + t / 2 * (q - p) ^ 2)
      with (f a + t / 2 * (a - q) ^ 2) by field. exact L.
Qed.

(** bms22.lem3_1.prox: for every convex f the slope of the smoothed function at p is t (p - m p). *)
Theorem smoothed_convex_slope p : derivable_pt_lim smoothed_value p (t * (p - m p)).
Proof.
  intros eps He. assert (pos : 0 < eps / t) by now apply Rdiv_lt_0_compat.
  exists (mkposreal _ pos). intros h Hh small. simpl in small.
  pose proof (smoothed_between p (p + h)) as [low high]. cbv zeta in *.
  replace (p + h - p) with h in low, high by lra.
  assert (Ph : 0 < Rabs h) by now apply Rabs_pos_lt.
  set (D := smoothed_value (p + h) - smoothed_value p - t * (p - m p) * h).
  replace ((smoothed_value (p + h) - smoothed_value p) / h - t * (p - m p)) with (D / h)
    by (unfold D; field; exact Hh).
  assert (HD : Rabs D <= t / 2 * h ^ 2) by (unfold D; rewrite Rabs_pos_eq; lra).
  unfold Rdiv. rewrite Rabs_mult, Rabs_inv.
  apply Rle_lt_trans with (t / 2 * h ^ 2 * / Rabs h).
  - apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact HD].
  - replace (h ^ 2) with (Rabs h * Rabs h) by (rewrite <- Rabs_mult, Rabs_pos_eq; nra).
    replace (t / 2 * (Rabs h * Rabs h) * / Rabs h) with (t / 2 * Rabs h) by (field; lra).
    apply (Rmult_lt_compat_l t) in small; [|lra]. replace (t * (eps / t)) with eps in small by (field; lra). lra.
Qed.

(** * Bisection *)

(** T halvings of an interval by the sign of the slope of f(s) + (t/2)(s - p)^2 in its middle; then the middle of the
    last. *)
Fixpoint bisect (p : R) (T : nat) (lo hi : R) : R :=
  let middle := (lo + hi) / 2 in
  match T with
  | O => middle
  | S T' => if Rlt_dec 0 (g middle + t * (middle - p)) then bisect p T' lo middle else bisect p T' middle hi
  end.

(** Where that slope is not negative, the place of the least value is not to the right; and the other way round. *)
Lemma least_left p s : 0 <= g s + t * (s - p) -> m p <= s.
Proof.
  intros H. pose proof (least p s) as L. pose proof (slopes s (m p)) as S. set (a := m p) in *.
  destruct (Rle_dec a s) as [ok | far]; [exact ok|]. exfalso.
  assert (E : (g s + t * (s - p)) * (a - s) + t / 2 * (a - s) ^ 2 <= 0) by nra.
  assert (0 <= (g s + t * (s - p)) * (a - s)) by (apply Rmult_le_pos; lra).
  assert (0 < t / 2 * (a - s) ^ 2) by (apply Rmult_lt_0_compat; [lra | apply pow_lt; lra]). lra.
Qed.

Lemma least_right p s : g s + t * (s - p) <= 0 -> s <= m p.
Proof.
  intros H. pose proof (least p s) as L. pose proof (slopes s (m p)) as S. set (a := m p) in *.
  destruct (Rle_dec s a) as [ok | far]; [exact ok|]. exfalso.
  assert (E : (g s + t * (s - p)) * (a - s) + t / 2 * (a - s) ^ 2 <= 0) by nra.
  assert (0 <= - (g s + t * (s - p)) * (s - a)) by (apply Rmult_le_pos; lra).
  assert (0 < t / 2 * (s - a) ^ 2) by (apply Rmult_lt_0_compat; [lra | apply pow_lt; lra]). nra.
Qed.

Lemma bisect_near p T : forall lo hi, lo <= m p <= hi -> Rabs (bisect p T lo hi - m p) <= (hi - lo) / 2 / 2 ^ T.
Proof.
  induction T as [|T IH]; intros lo hi inside; cbn [bisect].
  - simpl. apply Rabs_le. lra.
  - assert (P : 0 < 2 ^ T) by (apply pow_lt; lra).
    destruct (Rlt_dec 0 _) as [up | down].
    + replace ((hi - lo) / 2 / 2 ^ S T) with (((lo + hi) / 2 - lo) / 2 / 2 ^ T) by (simpl; field; lra).
      apply IH. split; [lra | apply least_left; lra].
    + replace ((hi - lo) / 2 / 2 ^ S T) with ((hi - (lo + hi) / 2) / 2 / 2 ^ T) by (simpl; field; lra).
      apply IH. split; [apply least_right; lra | lra].
Qed.

(** bms22.lem3_1.prox: if the slopes of f are at most L, T halvings find the slope of the smoothed function up to
    L/2^T. *)
Theorem bisection_finds_slope L p T : (forall s, Rabs (g s) <= L) ->
  Rabs (t * (p - bisect p T (p - L / t) (p + L / t)) - t * (p - m p)) <= L / 2 ^ T.
Proof.
  intros bounded. assert (P : 0 < 2 ^ T) by (apply pow_lt; lra).
  assert (scale : t * (L / t) = L) by (field; lra).
  assert (inside : p - L / t <= m p <= p + L / t).
  { split; [apply least_right | apply least_left].
    - pose proof (bounded (p - L / t)) as B. pose proof (Rle_abs (g (p - L / t))).
      replace (t * (p - L / t - p)) with (- (t * (L / t))) by ring. lra.
    - pose proof (bounded (p + L / t)) as B. pose proof (Rle_abs (- g (p + L / t))) as A. rewrite Rabs_Ropp in A.
      replace (t * (p + L / t - p)) with (t * (L / t)) by ring. lra. }
  pose proof (bisect_near p T _ _ inside) as N. set (b := bisect p T _ _) in *.
  replace (t * (p - b) - t * (p - m p)) with (t * (m p - b)) by ring.
  rewrite Rabs_mult, (Rabs_pos_eq t), Rabs_minus_sym by lra.
  apply (Rmult_le_compat_l t) in N; [|lra].
  replace (t * ((p + L / t - (p - L / t)) / 2 / 2 ^ T)) with (L / 2 ^ T) in N by (field; lra). exact N.
Qed.
End smoothed.
