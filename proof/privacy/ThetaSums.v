(** The sum of a bell over the integers is largest when the bell stands on an integer.

    For c > 0 and a real x let theta c x be the sum of e^(-c (k - x)^2) over all integers k.
    Then theta c x <= theta c 0, with equality exactly when x is an integer.

    The proof uses no Fourier analysis (no Poisson summation).  Multiply two such sums and rotate
    the lattice of pairs (j, k) by 45 degrees: j + k = 2 s + o and j - k = 2 t + o, where o is 0 or 1,
    number the pairs of integers by triples (o, s, t), and
        (j - a)^2 + (k - b)^2 = 2 (s - (a + b - o)/2)^2 + 2 (t - (a - b - o)/2)^2.
    With f = theta c, g = theta (2 c) and h(x) = g(x - 1/2) this says
        f(a) f(b) = g((a + b)/2) g((a - b)/2) + h((a + b)/2) h((a - b)/2),
    of which three cases are used:
        f(x)^2 = g(x) g(0) + h(x) h(0),   f(2 x) f(0) = g(x)^2 + h(x)^2,   f(0)^2 = g(0)^2 + h(0)^2.
    By Cauchy and Schwarz f(x)^4 <= f(2 x) f(0) f(0)^2: the ratio r(x) = f(x)/f(0) satisfies
    r(x)^4 <= r(2 x).  It is bounded, by M >= 1 say.  If r(x) > 1 for one x, then r(2^n x) >= r(x)^(4^n)
    passes M for some n, a contradiction.  So r <= 1.
    If r(x) = 1, then equality holds throughout, also in Cauchy and Schwarz, whence g(x) = g(0):
    equality passes on from c to 2 c, to 4 c and so on.  But if x is no integer, then theta (2^n c) x
    tends to 0 as n grows, and theta (2^n c) 0 >= 1.

    Of the claim this is the step that the page takes from Poisson's formula.

    Claims: sample.discrete-gaussian.zcdp.
*)
Require Import ZArith Reals Lra Lia List Classical. Import ListNotations.
From DpAssay Require Import Privacy Totals.
Open Scope R_scope.

(** The sum of e^(-c (k - x)^2) over all integers k. *)
Definition bell (c x : R) (k : Z) : R := exp (- c * (IZR k - x) ^ 2).
Definition theta (c x : R) : R := total (bell c x).

Lemma bell_pos c x k : 0 < bell c x k.
Proof. apply exp_pos. Qed.
Lemma exp_pow a n : exp a ^ n = exp (INR n * a).
Proof.
  induction n as [|n IH]; [simpl; now rewrite Rmult_0_l, exp_0|].
  rewrite <- tech_pow_Rmult, IH, <- exp_plus, S_INR. f_equal. lra.
Qed.
Lemma exp_minus_lt_1 c : 0 < c -> 0 < exp (- c) < 1.
Proof. intros H. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing. lra. Qed.

(** The sum exists: the bell is below a geometric series. *)
Lemma bell_geometric c x k : 0 < c -> bell c x k <= exp (c / 4 + c * Rabs x) * exp (- c) ^ Z.to_nat (Z.abs k).
Proof.
  intros Hc. rewrite exp_pow, <- exp_plus. apply exp_le.
  rewrite INR_IZR_INZ, Z2Nat.id, abs_IZR by lia.
  set (u := IZR k). pose proof (Rabs_triang (u - x) x) as T. replace (u - x + x) with u in T by lra.
  rewrite <- (pow2_abs (u - x)). set (w := Rabs (u - x)) in *.
  assert (0 <= (w - / 2) ^ 2) by apply pow2_ge_0. nra.
Qed.
Lemma bell_summable c x : 0 < c -> summable (bell c x).
Proof.
  intros Hc. destruct (geometric_summable (exp (- c)) (exp_minus_lt_1 c Hc)) as [B U].
  exists (exp (c / 4 + c * Rabs x) * B).
  apply sums_at_most_le with (2 := sums_at_most_scal _ _ B (Rlt_le _ _ (exp_pos _)) U).
  intros k. now apply bell_geometric.
Qed.
Lemma theta_is c x : 0 < c -> has_total (bell c x) (theta c x).
Proof. intros Hc. now apply total_is, bell_summable. Qed.
Lemma theta_pos c x : 0 < c -> 0 < theta c x.
Proof. intros Hc. pose proof (has_total_term _ _ 0%Z (theta_is c x Hc)). pose proof (bell_pos c x 0). lra. Qed.
Lemma theta_0_ge_1 c : 0 < c -> 1 <= theta c 0.
Proof.
  intros Hc. pose proof (has_total_term _ _ 0%Z (theta_is c 0 Hc)) as H.
  unfold bell in H. replace (- c * (0 - 0) ^ 2) with 0 in H by ring. now rewrite exp_0 in H.
Qed.
(** The bell may be moved by an integer: the sum has period 1. *)
Lemma theta_shift c x m : 0 < c -> theta c (x + IZR m) = theta c x.
Proof.
  intros Hc. apply total_eq. apply (has_total_relabel (fun k => (k + m)%Z)).
  - intros; lia.
  - intros y H. exfalso. apply (H (y - m)%Z). lia.
  - apply (has_total_ext (bell c x)); [|now apply theta_is].
    intros k. unfold bell. rewrite plus_IZR. do 2 f_equal. ring.
Qed.
Lemma theta_at_integers c m : 0 < c -> theta c (IZR m) = theta c 0.
Proof. intros Hc. rewrite <- (theta_shift c 0 m) by auto. f_equal. lra. Qed.

(** The pairs (j, k) with j + k = 2 s + o and j - k = 2 t + o, o = 0 or 1. *)
Definition rotated (o : Z) (st : Z * Z) : Z * Z := (fst st + snd st + o, fst st - snd st)%Z.
Lemma rotated_injective o st st' : rotated o st = rotated o st' -> st = st'.
Proof. destruct st, st'. unfold rotated. simpl. intros E. injection E. intros. f_equal; lia. Qed.
Definition parity_part (o : Z) (h : Z * Z -> R) (jk : Z * Z) : R := if Z.even (fst jk + snd jk - o) then h jk else 0.
Lemma parity_parts h jk : parity_part 0 h jk + parity_part 1 h jk = h jk.
Proof.
  unfold parity_part. rewrite Z.sub_0_r, Z.even_sub. change (Z.even 1) with false.
  destruct (Z.even (fst jk + snd jk)); simpl; lra.
Qed.
Lemma parity_part_sums o (h : Z * Z -> R) s : has_total (fun st => h (rotated o st)) s -> has_total (parity_part o h) s.
Proof.
  intros S. apply (has_total_relabel (rotated o)).
  - apply rotated_injective.
  - intros [j k] H. unfold parity_part. simpl. destruct (Z.even (j + k - o)) eqn:Ev; auto.
    apply Z.even_spec in Ev as [m Em]. exfalso. apply (H (m, m - k)%Z). unfold rotated. simpl. f_equal; lia.
  - apply has_total_ext with (2 := S). intros [u t]. unfold parity_part, rotated. simpl.
    replace (u + t + o + (u - t) - o)%Z with (2 * u)%Z by lia. now rewrite Z.even_mul.
Qed.
Lemma bell_rotated c a b o st : let jk := rotated o st in
  bell c a (fst jk) * bell c b (snd jk) =
  bell (2 * c) ((a + b - IZR o) / 2) (fst st) * bell (2 * c) ((a - b - IZR o) / 2) (snd st).
Proof.
  destruct st as [s t]. unfold bell, rotated. simpl fst. simpl snd. rewrite <- !exp_plus. f_equal.
  rewrite minus_IZR, !plus_IZR. field.
Qed.
(** The product of two sums, rotated by 45 degrees. *)
Lemma theta_product c a b : 0 < c -> theta c a * theta c b =
  theta (2 * c) ((a + b) / 2) * theta (2 * c) ((a - b) / 2) +
  theta (2 * c) ((a + b) / 2 - / 2) * theta (2 * c) ((a - b) / 2 - / 2).
Proof.
  intros Hc. assert (Hc2 : 0 < 2 * c) by lra. set (h := fun jk : Z * Z => bell c a (fst jk) * bell c b (snd jk)).
  assert (P : forall c x k, 0 <= bell c x k) by (intros; left; apply bell_pos).
  assert (Ph : forall jk, 0 <= h jk) by (intros; unfold h; now apply Rmult_le_pos).
  assert (Pp : forall o jk, 0 <= parity_part o h jk) by (intros; unfold parity_part; destruct (Z.even _); auto; lra).
  assert (Part : forall o, has_total (parity_part o h)
      (theta (2 * c) ((a + b - IZR o) / 2) * theta (2 * c) ((a - b - IZR o) / 2))).
  { intros o. apply parity_part_sums.
    apply (has_total_ext (fun st => bell (2 * c) ((a + b - IZR o) / 2) (fst st) *
      bell (2 * c) ((a - b - IZR o) / 2) (snd st))).
    - intros st. unfold h. now rewrite bell_rotated.
    - apply has_total_product; auto using theta_is. }
  apply (has_total_unique h).
  - apply has_total_product; auto using theta_is.
  - apply (has_total_ext (fun jk => parity_part 0 h jk + parity_part 1 h jk)); [intros; apply parity_parts|].
    replace ((a + b) / 2) with ((a + b - 0) / 2) by lra. replace ((a - b) / 2) with ((a - b - 0) / 2) by lra.
    replace ((a + b - 0) / 2 - / 2) with ((a + b - 1) / 2) by lra.
    replace ((a - b - 0) / 2 - / 2) with ((a - b - 1) / 2) by lra.
    now apply has_total_plus.
Qed.

(** The three cases, and Cauchy and Schwarz. *)
Section largest.
Variables (c : R) (Hc : 0 < c).
Let f x := theta c x.
Let g x := theta (2 * c) x.
Let h x := theta (2 * c) (x - / 2).
Lemma square_of_theta x : f x ^ 2 = g x * g 0 + h x * h 0.
Proof.
  unfold f, g, h. replace (theta c x ^ 2) with (theta c x * theta c x) by ring. rewrite theta_product by auto.
  replace ((x + x) / 2) with x by lra. now replace ((x - x) / 2) with 0 by lra.
Qed.
Lemma double_of_theta x : f (2 * x) * f 0 = g x ^ 2 + h x ^ 2.
Proof.
  unfold f, g, h. rewrite theta_product by auto.
  replace ((2 * x + 0) / 2) with x by lra. replace ((2 * x - 0) / 2) with x by lra. ring.
Qed.
Lemma centre_of_theta : f 0 ^ 2 = g 0 ^ 2 + h 0 ^ 2.
Proof. rewrite square_of_theta. ring. Qed.
Lemma cauchy_schwarz a b a' b' : (a * a' + b * b') ^ 2 <= (a ^ 2 + b ^ 2) * (a' ^ 2 + b' ^ 2).
Proof. pose proof (pow2_ge_0 (a * b' - b * a')). nra. Qed.

Let r x := f x / f 0.
Lemma ratio_pos x : 0 < r x.
Proof. apply Rdiv_lt_0_compat; now apply theta_pos. Qed.
Lemma ratio_doubles x : r x ^ 4 <= r (2 * x).
Proof.
  pose proof (theta_pos c 0 Hc) as F0. fold (f 0) in F0.
  assert (CS : (f x ^ 2) ^ 2 <= (f (2 * x) * f 0) * f 0 ^ 2).
  { rewrite centre_of_theta, double_of_theta, square_of_theta. apply cauchy_schwarz. }
  unfold r. apply Rmult_le_reg_r with (f 0 ^ 4); [now apply pow_lt|].
  replace ((f x / f 0) ^ 4 * f 0 ^ 4) with ((f x ^ 2) ^ 2) by (field; lra).
  replace (f (2 * x) / f 0 * f 0 ^ 4) with (f (2 * x) * f 0 * f 0 ^ 2) by (field; lra). exact CS.
Qed.
(** One bound for all x: by the period, |x| <= 1 is enough. *)
Lemma ratio_bounded : exists M, forall x, r x <= M.
Proof.
  pose proof (theta_pos c 0 Hc) as F0.
  destruct (geometric_summable (exp (- c)) (exp_minus_lt_1 c Hc)) as [B U].
  exists (exp (c / 4 + c) * B / theta c 0). intros x. unfold r, f, Rdiv.
  apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
  destruct (archimed x) as [A1 A2]. set (m := up x) in *.
  replace x with ((x - IZR m) + IZR m) by lra. rewrite theta_shift by auto.
  apply (proj2 (theta_is c (x - IZR m) Hc)).
  assert (E : 0 <= exp (c / 4 + c)) by (left; apply exp_pos).
  apply sums_at_most_le with (2 := sums_at_most_scal _ _ B E U).
  intros k. eapply Rle_trans; [now apply bell_geometric|].
  apply Rmult_le_compat_r; [apply pow_le; left; apply exp_pos|]. apply exp_le.
  assert (Rabs (x - IZR m) <= 1) by (apply Rabs_le; lra). nra.
Qed.
Lemma ratio_powers x n : r x ^ (4 ^ n) <= r (2 ^ n * x).
Proof.
  revert x. induction n as [|n IH]; intros x; [simpl; rewrite Rmult_1_l, Rmult_1_r; lra|].
  rewrite Nat.pow_succ_r', pow_mult.
  replace (2 ^ S n * x) with (2 ^ n * (2 * x)) by (simpl; ring).
  eapply Rle_trans; [|apply IH]. apply pow_incr. split; [|apply ratio_doubles].
  apply pow_le. left. apply ratio_pos.
Qed.
Lemma ratio_at_most_1 x : r x <= 1.
Proof.
  apply Rnot_lt_le. intros H. destruct ratio_bounded as [M HM].
  destruct (Pow_x_infinity (r x)) with (b := M + 1) as [N HN].
  { rewrite Rabs_pos_eq; [lra | left; apply ratio_pos]. }
  assert (G : (N <= 4 ^ N)%nat) by (apply Nat.lt_le_incl, Nat.pow_gt_lin_r; lia).
  specialize (HN (4 ^ N)%nat G). rewrite Rabs_pos_eq in HN by (apply pow_le; left; apply ratio_pos).
  pose proof (ratio_powers x N). pose proof (HM (2 ^ N * x)). lra.
Qed.
Lemma theta_at_most_centre x : theta c x <= theta c 0.
Proof.
  pose proof (theta_pos c 0 Hc). pose proof (ratio_at_most_1 x) as H'. unfold r, f in H'.
  apply Rmult_le_reg_r with (/ theta c 0); [now apply Rinv_0_lt_compat|]. rewrite (Rinv_r (theta c 0)) by lra. exact H'.
Qed.

(** Equality passes on from c to 2 c. *)
Lemma equality_doubles x : f x = f 0 -> g x = g 0.
Proof.
  intros E. pose proof (theta_pos c 0 Hc) as F0. fold (f 0) in F0.
  assert (G : forall y, 0 < g y) by (intros; apply theta_pos; lra).
  assert (Hp : forall y, 0 < h y) by (intros; apply theta_pos; lra).
  pose proof (G x). pose proof (G 0). pose proof (Hp x). pose proof (Hp 0).
  pose proof (square_of_theta x) as S. rewrite E in S.
  pose proof (double_of_theta x) as D. pose proof centre_of_theta as C0.
  pose proof (theta_at_most_centre (2 * x)) as L. fold (f (2 * x)) (f 0) in L.
  (* With (a, b) = (g x, h x), (u, v) = (g 0, h 0): a u + b v = u^2 + v^2 and a^2 + b^2 <= u^2 + v^2. *)
  assert (g x ^ 2 + h x ^ 2 <= g 0 ^ 2 + h 0 ^ 2) by (rewrite <- D, <- C0; nra).
  assert ((g x - g 0) ^ 2 + (h x - h 0) ^ 2 <= 0) by nra.
  pose proof (pow2_ge_0 (g x - g 0)). pose proof (pow2_ge_0 (h x - h 0)).
  assert (Z : (g x - g 0) ^ 2 = 0) by lra. rewrite <- Rsqr_pow2 in Z. apply Rsqr_0_uniq in Z. lra.
Qed.
End largest.

(** sample.discrete-gaussian.zcdp: the sum of a bell over the integers is largest around an integer. *)
Theorem theta_largest_at_integers c x : 0 < c -> theta c x <= theta c 0.
Proof. intros Hc. now apply theta_at_most_centre. Qed.

(** Away from the integers a narrow bell has a small sum. *)
Lemma equality_doubles_often c x n : 0 < c -> theta c x = theta c 0 -> theta (2 ^ n * c) x = theta (2 ^ n * c) 0.
Proof.
  intros Hc E. induction n as [|n IH]; [now rewrite Rmult_1_l|].
  replace (2 ^ S n * c) with (2 * (2 ^ n * c)) by (simpl; ring).
  apply equality_doubles; auto. apply Rmult_lt_0_compat; auto. apply pow_lt. lra.
Qed.
Lemma distance_from_integers x : (forall m, x <> IZR m) -> exists d, 0 < d /\ forall k, d <= (IZR k - x) ^ 2.
Proof.
  intros N. destruct (archimed x) as [A1 A2]. set (m := up x) in *.
  assert (x <> IZR m - 1) by (intros E; apply (N (m - 1)%Z); rewrite minus_IZR; lra).
  exists (Rmin ((IZR m - x) ^ 2) ((x - (IZR m - 1)) ^ 2)). split; [apply Rmin_glb_lt; apply pow_lt; lra|].
  intros k. destruct (Z.le_gt_cases m k) as [Hk | Hk].
  - apply IZR_le in Hk. eapply Rle_trans; [apply Rmin_l|]. apply pow_incr. lra.
  - assert (H' : (k <= m - 1)%Z) by lia. apply IZR_le in H'. rewrite minus_IZR in H'.
    eapply Rle_trans; [apply Rmin_r|]. replace ((IZR k - x) ^ 2) with ((x - IZR k) ^ 2) by ring. apply pow_incr. lra.
Qed.
Lemma narrow_bell c e d x : 0 < c -> 0 <= e -> (forall k, d <= (IZR k - x) ^ 2) ->
  theta (c + e) x <= exp (- e * d) * theta c x.
Proof.
  intros Hc He Hd. apply (has_total_le (bell (c + e) x) (fun k => exp (- e * d) * bell c x k)).
  - intros k. unfold bell. rewrite <- exp_plus. apply exp_le. specialize (Hd k). nra.
  - apply theta_is. lra.
  - apply has_total_scal; [left; apply exp_pos | now apply theta_is].
Qed.
(** sample.discrete-gaussian.zcdp: the largest sum is attained around the integers only. *)
Theorem theta_largest_only_at_integers c x : 0 < c -> (theta c x = theta c 0 <-> exists m, x = IZR m).
Proof.
  intros Hc. split; [|intros [m ->]; now apply theta_at_integers].
  intros E. apply NNPP. intros N. assert (N' : forall m, x <> IZR m) by (intros m Hm; apply N; now exists m).
  destruct (distance_from_integers x N') as (d & Hd & D).
  pose proof (theta_pos c x Hc) as T.
  (* Take n so large that e = (2^n - 1) c has e^(-e d) theta c x < 1. *)
  destruct (Pow_x_infinity 2) with (b := (theta c x / d) / c + 1) as [n Hn]; [rewrite Rabs_pos_eq; lra|].
  specialize (Hn n (Nat.le_refl n)). rewrite Rabs_pos_eq in Hn by (apply pow_le; lra).
  pose proof (pow_R1_Rle 2 n ltac:(lra)) as P1. set (e := (2 ^ n - 1) * c).
  assert (He : 0 <= e) by (unfold e; nra).
  assert (Big : theta c x <= e * d).
  { unfold e. replace (theta c x) with (theta c x / d / c * c * d) by (field; lra).
    apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; lra. }
  pose proof (narrow_bell c e d x Hc He D) as Small.
  replace (c + e) with (2 ^ n * c) in Small by (unfold e; ring).
  rewrite equality_doubles_often in Small by auto.
  pose proof (theta_0_ge_1 (2 ^ n * c) ltac:(nra)) as One.
  pose proof (exp_ineq1 (e * d) ltac:(nra)) as Ex.
  assert (exp (- e * d) * exp (e * d) = 1) as Inv by (rewrite <- exp_plus, <- exp_0; f_equal; ring).
  pose proof (exp_pos (- e * d)). nra.
Qed.
