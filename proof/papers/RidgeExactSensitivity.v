(** The exact sensitivity of ridge regression with bounded labels, under removal.

    Rows of norm at most 1, labels in [-B, B], at most m records, M = m - 1: the removal of one record moves the minimum
    of |Phi c - y|^2 + Lambda |c|^2 by at most B sqrt(t q/Lambda) (1 + sqrt(M (1 - t) q))/(1 + q) for some t in
    [Lambda/(Lambda + M), 1] and q in (0, t/Lambda], and for all such t and q there is a pair of datasets, in every
    space that has a unit vector, that is exactly so far apart. The supremum is B sqrt(m/Lambda)/2, attained, if
    Lambda <= m/(2 m - 1)^2, and otherwise that of B t/(Lambda + t) (1 + sqrt(M t (1 - t)/Lambda)) over t.

    Claims: lnsx25.r3.

    Narrower than the page: removal alone, and not the two bounds for substitution (twice the removal, and the direct
    one); the sensitivity alone, without the noise, the solver's tolerance and the rounding; that the supremum over t
    is a maximum is not said. *)
Require Import Reals Lra Lia Psatz List Permutation. Import ListNotations.
From DpAssay Require Import Privacy InnerProduct RidgeSensitivity.
Open Scope R_scope. Open Scope vector_scope.

(** * Definitions *)

(** The range of t and q, with M other records. *)
Definition admissible_t (Lambda M t : R) : Prop := Lambda / (Lambda + M) <= t <= 1.
Definition admissible (Lambda M t q : R) : Prop := admissible_t Lambda M t /\ 0 < q <= t / Lambda.
(** The distance at t and q, for B = 1. *)
Definition removal_distance (Lambda M t q : R) : R :=
  sqrt (t * q / Lambda) * (1 + sqrt (M * (1 - t) * q)) / (1 + q).
(** The distance at t and the largest q. *)
Definition largest_q_distance (Lambda M t : R) : R :=
  t / (Lambda + t) * (1 + sqrt (M * t * (1 - t) / Lambda)).

Lemma admissible_t_positive Lambda M t : 0 < Lambda -> 0 <= M -> admissible_t Lambda M t -> 0 < t.
Proof. intros HL HM [H _]. assert (0 < Lambda / (Lambda + M)) by (apply Rdiv_lt_0_compat; lra). lra. Qed.

(** * The upper bound *)

Section Removal.
Context {V : inner_product_space}.
Variables (Lambda B M : R) (r : record V) (rest : list (record V)) (c c0 : V).
Hypothesis HL : 0 < Lambda.
Hypothesis HB : 0 <= B.
Hypothesis rows : rows_at_most 1 (r :: rest).
Hypothesis labels : labels_within B (r :: rest).
Hypothesis count : INR (length rest) <= M.
Hypothesis minimum : ridge_minimum Lambda (r :: rest) c.
Hypothesis minimum0 : ridge_minimum Lambda rest c0.
Let d := c -v c0.
Let rho := label r - inner (row r) c.

(** |Phi d|^2 <= M |d|^2. *)
Lemma energy_at_most : sum (fun s => inner (row s) d ^ 2) rest <= M * norm d ^ 2.
Proof.
  apply Rle_trans with (INR (length rest) * norm d ^ 2);
    [|apply Rmult_le_compat_r; [apply pow2_ge_0 | exact count]].
  inversion rows as [|? ? _ Hrest]. clear - Hrest. induction Hrest as [|s l Hs _ IH]; [simpl; lra|].
  cbn [sum length]. rewrite S_INR.
  assert (inner (row s) d ^ 2 <= norm d ^ 2).
  { rewrite <- (pow2_abs (inner (row s) d)). apply pow_incr. split; [apply Rabs_pos|].
    eapply Rle_trans; [apply cauchy_schwarz|]. pose proof (norm_positive d). nra. }
  lra.
Qed.

(** What one removal moves is a distance at some t and q. *)
Lemma removal_at_some_t_q : exists t q, admissible Lambda M t q /\ distance c c0 <= B * removal_distance Lambda M t q.
Proof.
  assert (HM : 0 <= M) by (pose proof (pos_INR (length rest)); lra).
  change (distance c c0) with (norm d). set (n := norm d). assert (N : 0 <= n) by apply norm_positive.
  destruct (Req_dec n 0) as [Z | NZ].
  { exists 1, (1 / Lambda). split.
    - split; [split|]; [|lra|].
      + apply (Rmult_le_reg_r (Lambda + M)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
      + split; [apply Rdiv_lt_0_compat|]; lra.
    - rewrite Z. apply Rmult_le_pos; [exact HB|]. assert (0 < 1 / Lambda) by (apply Rdiv_lt_0_compat; lra).
      unfold removal_distance. unfold Rdiv at 1. apply Rmult_le_pos; [apply Rmult_le_pos|].
      + apply sqrt_pos.
      + pose proof (sqrt_pos (M * (1 - 1) * (1 / Lambda))). lra.
      + left. apply Rinv_0_lt_compat. lra. }
  assert (P : 0 < n) by lra. assert (P2 : 0 < n ^ 2) by now apply pow_lt.
  pose proof (displacement_energy Lambda r rest c c0 HL minimum minimum0) as En.
  pose proof (displacement_labels Lambda r rest c c0 HL minimum minimum0) as La.
  pose proof energy_at_most as EM. pose proof (old_residual r c c0) as Re. cbn zeta in En, La, Re.
  fold d in En, La, Re. fold rho in En, La, Re. fold n in En, EM.
  set (s := inner (row r) d) in *. set (e := sum (fun x => inner (row x) d ^ 2) rest) in *.
  assert (E0 : 0 <= e) by apply sum_squares_positive.
  assert (LP : 0 < Lambda * n ^ 2) by now apply Rmult_lt_0_compat.
  assert (RS : 0 < rho * s) by lra. assert (R0 : rho <> 0) by (intros R0; rewrite R0 in RS; lra).
  (* q = s/rho and t = Lambda |d|^2/(rho s). *)
  set (q := s / rho). set (t := Lambda * n ^ 2 / (rho * s)).
  assert (Qs : s = q * rho) by (unfold q; field; exact R0).
  assert (rho2 : 0 < rho ^ 2) by nra.
  assert (Q0 : 0 < q).
  { replace q with (rho * s / rho ^ 2) by (unfold q; field; exact R0). now apply Rdiv_lt_0_compat. }
  assert (S0 : s <> 0) by (intros S0; rewrite S0 in RS; lra).
  assert (Tn : Lambda * n ^ 2 = t * q * rho ^ 2) by (unfold t, q; field; auto).
  assert (Te : e = (1 - t) * q * rho ^ 2) by nra.
  assert (T0 : 0 < t) by now apply Rdiv_lt_0_compat.
  assert (T1 : t <= 1).
  { apply Rnot_lt_le. intros L. assert (0 < (t - 1) * q * rho ^ 2) by (apply Rmult_lt_0_compat; nra). lra. }
  assert (row_r : norm (row r) <= 1) by now inversion rows.
  assert (label_r : Rabs (label r) <= B) by now inversion labels.
  assert (labels_rest : labels_within B rest) by now inversion labels.
  exists t, q. split; [split; [split|]|].
  - apply (Rmult_le_reg_r (Lambda + M)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    (* Lambda e <= Lambda M n^2 gives Lambda (1 - t) <= M t. *)
    assert (Lambda * e <= M * (Lambda * n ^ 2)) by nra. rewrite Te, Tn in H.
    assert (0 < q * rho ^ 2) by (apply Rmult_lt_0_compat; lra).
    apply (Rmult_le_reg_r (q * rho ^ 2)); [assumption|]. lra.
  - exact T1.
  - split; [exact Q0|]. apply (Rmult_le_reg_r Lambda); [exact HL|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    assert (short : s ^ 2 <= n ^ 2).
    { rewrite <- (pow2_abs s). apply pow_incr. split; [apply Rabs_pos|]. unfold s, n.
      eapply Rle_trans; [apply cauchy_schwarz|]. pose proof (norm_positive d). nra. }
    assert (Lambda * s ^ 2 <= t * q * rho ^ 2) by nra. rewrite Qs in H.
    assert (0 < q * rho ^ 2) by (apply Rmult_lt_0_compat; lra).
    apply (Rmult_le_reg_r (q * rho ^ 2)); [assumption|]. nra.
  - (* |d| = |rho| sqrt(t q/Lambda), and |rho| (1 + q) is the residual before. *)
    assert (Dn : n = Rabs rho * sqrt (t * q / Lambda)).
    { unfold n. apply norm_is; [apply Rmult_le_pos; [apply Rabs_pos | apply sqrt_pos]|].
      rewrite <- norm_squared. fold n. rewrite Rpow_mult_distr, pow2_abs, pow2_sqrt.
      - apply (Rmult_eq_reg_l Lambda); [|lra]. rewrite Tn. field. lra.
      - unfold Rdiv. apply Rmult_le_pos; [nra | left; now apply Rinv_0_lt_compat]. }
    assert (old : Rabs (inner (row r) c0) <= B * sqrt (M * (1 - t) * q)).
    { assert (square : inner (row r) c0 ^ 2 <= (B * sqrt (M * (1 - t) * q)) ^ 2).
      { apply (Rmult_le_reg_l (rho ^ 2)); [exact rho2|].
        replace (rho ^ 2 * inner (row r) c0 ^ 2) with ((rho * inner (row r) c0) ^ 2) by ring. rewrite La.
        pose proof (sum_cauchy_schwarz (fun x => inner (row x) d) label rest) as CS. cbn beta in CS.
        fold e in CS. rewrite <- label_norm_squared in CS. eapply Rle_trans; [exact CS|].
        assert (L2 : label_norm rest ^ 2 <= B ^ 2 * M).
        { apply Rle_trans with ((B * sqrt (INR (length rest))) ^ 2).
          - apply pow_incr. split; [apply label_norm_positive | now apply label_norm_within].
          - rewrite Rpow_mult_distr, pow2_sqrt by apply pos_INR.
            apply Rmult_le_compat_l; [apply pow2_ge_0 | exact count]. }
        rewrite Rpow_mult_distr, pow2_sqrt by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
        rewrite Te. replace (rho ^ 2 * (B ^ 2 * (M * (1 - t) * q))) with ((1 - t) * q * rho ^ 2 * (B ^ 2 * M)) by ring.
        apply Rmult_le_compat_l; [rewrite <- Te; exact E0 | exact L2]. }
      rewrite <- (pow2_abs (inner (row r) c0)) in square. apply sqrt_of_square_at_most; [|exact square].
      apply Rmult_le_pos; [exact HB | apply sqrt_pos]. }
    assert (residual : Rabs rho * (1 + q) <= B * (1 + sqrt (M * (1 - t) * q))).
    { replace (Rabs rho * (1 + q)) with (Rabs (rho + s)).
      2:{ replace (rho + s) with (rho * (1 + q)) by (rewrite Qs; ring).
          rewrite Rabs_mult, (Rabs_pos_eq (1 + q)); lra. }
      rewrite <- Re. pose proof (Rabs_triang (label r) (- inner (row r) c0)) as T. rewrite Rabs_Ropp in T.
      fold (label r - inner (row r) c0) in T. lra. }
    rewrite Dn. unfold removal_distance. apply (Rmult_le_reg_r (1 + q)); [lra|].
    set (root := sqrt (t * q / Lambda)). assert (0 <= root) by apply sqrt_pos.
    replace (B * (root * (1 + sqrt (M * (1 - t) * q)) / (1 + q)) * (1 + q))
      with (root * (B * (1 + sqrt (M * (1 - t) * q)))) by (field; lra).
    replace (Rabs rho * root * (1 + q)) with (root * (Rabs rho * (1 + q))) by ring.
    now apply Rmult_le_compat_l.
Qed.
End Removal.

(** lnsx25.r3: (the starred bound) removal of a record moves the minimum by at most a distance at some admissible t
    and q. *)
Theorem removal_at_most {V : inner_product_space} Lambda B M (r : record V) rest data c c0 :
  0 < Lambda -> 0 <= B -> Permutation data (r :: rest) -> INR (length data) <= M + 1 ->
  rows_at_most 1 data -> labels_within B data -> ridge_minimum Lambda data c -> ridge_minimum Lambda rest c0 ->
  exists t q, admissible Lambda M t q /\ distance c c0 <= B * removal_distance Lambda M t q.
Proof.
  intros HL HB P Len R Y Mc M0. unfold rows_at_most in R. unfold labels_within in Y. rewrite P in R, Y.
  rewrite (Permutation_length P) in Len. cbn [length] in Len. rewrite S_INR in Len.
  apply (removal_at_some_t_q Lambda B M r rest c c0); auto; [lra|].
  now apply (minimum_permutation Lambda data).
Qed.

(** * The bound is attained *)

Lemma sum_repeat {A} (f : A -> R) a k : sum f (repeat a k) = INR k * f a.
Proof. induction k as [|k IH]; [simpl; ring|]. cbn [repeat sum]. rewrite IH, S_INR. ring. Qed.

(** lnsx25.r3: (the starred bound) every admissible t and q are attained, by M equal records and the one that is
    removed. *)
Theorem removal_attained {V : inner_product_space} Lambda B k t q (u : V) : 0 < Lambda -> 0 <= B -> norm u = 1 ->
  admissible Lambda (INR k) t q -> exists (r : record V) rest c c0, length rest = k /\
    rows_at_most 1 (r :: rest) /\ labels_within B (r :: rest) /\
    ridge_minimum Lambda (r :: rest) c /\ ridge_minimum Lambda rest c0 /\
    distance c c0 = B * removal_distance Lambda (INR k) t q.
Proof.
  intros HL HB Hu [[T0 T1] [Q0 Q1]].
  assert (T : 0 < t) by (apply (admissible_t_positive Lambda (INR k)); [exact HL | apply pos_INR | now split]).
  assert (UU : inner u u = 1) by (rewrite <- norm_squared, Hu; ring). set (M := INR k) in *.
  assert (HM : 0 <= M) by apply pos_INR.
  assert (range : Lambda * (1 - t) <= M * t).
  { apply (Rmult_le_compat_r (Lambda + M)) in T0; [|lra].
    unfold Rdiv in T0. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in T0 by lra. lra. }
  (* The common row: M x^2 = Lambda (1/t - 1). *)
  assert (common : exists x, 0 <= x <= 1 /\ M * x ^ 2 * t = Lambda * (1 - t)).
  { destruct (Req_dec M 0) as [Z | NZ].
    - exists 0. split; [lra|]. rewrite Z in *. assert (0 <= Lambda * (1 - t)) by (apply Rmult_le_pos; lra). lra.
    - set (z := Lambda * (1 - t) / (M * t)). assert (MT : 0 < M * t) by (apply Rmult_lt_0_compat; lra).
      assert (Z : 0 <= z) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | left; now apply Rinv_0_lt_compat]).
      exists (sqrt z). rewrite pow2_sqrt by exact Z. split; [split; [apply sqrt_pos|] | unfold z; field; lra].
      rewrite <- sqrt_1. apply sqrt_le_1_alt. apply (Rmult_le_reg_r (M * t)); [exact MT|].
      unfold z, Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  destruct common as [x [X01 X]].
  (* The removed row: a^2 = q Lambda/t. *)
  set (a := sqrt (q * Lambda / t)).
  assert (A2 : a ^ 2 = q * Lambda / t).
  { apply pow2_sqrt. apply Rmult_le_pos; [apply Rmult_le_pos; lra | left; now apply Rinv_0_lt_compat]. }
  assert (A01 : 0 <= a <= 1).
  { split; [apply sqrt_pos|]. rewrite <- sqrt_1. apply sqrt_le_1_alt. apply (Rmult_le_reg_r t); [exact T|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply (Rmult_le_compat_r Lambda) in Q1; [|lra].
    unfold Rdiv in Q1. rewrite Rmult_assoc, Rinv_l in Q1; lra. }
  assert (S : M * x ^ 2 + Lambda = Lambda / t).
  { apply (Rmult_eq_reg_r t); [|lra]. rewrite Rmult_plus_distr_r, X. field. lra. }
  set (k0 := M * x * B * t / Lambda). set (k1 := (M * x * B - a * B) * t / (Lambda * (1 + q))).
  exists (a *v u, - B), (repeat (x *v u, B) k), (k1 *v u), (k0 *v u).
  split; [apply repeat_length|]. split; [|split; [|split; [|split]]].
  - constructor.
    + unfold row. cbn [fst]. rewrite norm_scale, Hu, Rabs_pos_eq; lra.
    + apply Forall_forall. intros r I. apply repeat_spec in I. subst r. unfold row. cbn [fst].
      rewrite norm_scale, Hu, Rabs_pos_eq; lra.
  - constructor.
    + unfold label. cbn [snd]. rewrite Rabs_Ropp, Rabs_pos_eq; lra.
    + apply Forall_forall. intros r I. apply repeat_spec in I. subst r. unfold label. cbn [snd].
      rewrite Rabs_pos_eq; lra.
  - apply minimum_by_first_order; [lra|]. intros z. cbn [sum]. rewrite sum_repeat. fold M.
    unfold row, label. cbn [fst snd]. expand. rewrite UU.
    assert (E : k1 * (M * x ^ 2 + Lambda + a ^ 2) = M * x * B - a * B) by (rewrite S, A2; unfold k1; field; lra).
    transitivity ((k1 * (M * x ^ 2 + Lambda + a ^ 2) - (M * x * B - a * B)) * inner u z); [ring|]. rewrite E. ring.
  - apply minimum_by_first_order; [lra|]. intros z. rewrite sum_repeat. fold M.
    unfold row, label. cbn [fst snd]. expand. rewrite UU.
    assert (E : k0 * (M * x ^ 2 + Lambda) = M * x * B) by (rewrite S; unfold k0; field; lra).
    transitivity ((k0 * (M * x ^ 2 + Lambda) - M * x * B) * inner u z); [ring|]. rewrite E. ring.
  - unfold distance. replace (k1 *v u -v k0 *v u) with ((k1 - k0) *v u) by vector.
    rewrite norm_scale, Hu, Rmult_1_r.
    assert (roots : sqrt (t * q / Lambda) = t * a / Lambda /\ sqrt (M * (1 - t) * q) = a * M * x * t / Lambda).
    { split.
      - replace (t * q / Lambda) with ((t * a / Lambda) ^ 2).
        2:{ replace ((t * a / Lambda) ^ 2) with (t ^ 2 * a ^ 2 / Lambda ^ 2) by (field; lra). rewrite A2. field. lra. }
        apply sqrt_pow2. apply Rmult_le_pos; [apply Rmult_le_pos; lra | left; now apply Rinv_0_lt_compat].
      - replace (M * (1 - t) * q) with ((a * M * x * t / Lambda) ^ 2).
        2:{ replace ((a * M * x * t / Lambda) ^ 2) with (a ^ 2 * M * t * (M * x ^ 2 * t) / Lambda ^ 2) by (field; lra).
            rewrite A2, X. field. lra. }
        apply sqrt_pow2. apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat].
        repeat apply Rmult_le_pos; lra. }
    destruct roots as [R1 R2]. unfold removal_distance. rewrite R1, R2.
    replace (k1 - k0) with (- (B * (t * a / Lambda * (1 + a * M * x * t / Lambda) / (1 + q)))).
    + rewrite Rabs_Ropp. apply Rabs_pos_eq. apply Rmult_le_pos; [exact HB|].
      assert (IL : 0 <= / Lambda) by (left; now apply Rinv_0_lt_compat).
      assert (0 <= a * M * x * t / Lambda) by (repeat apply Rmult_le_pos; lra).
      assert (0 <= t * a / Lambda) by (repeat apply Rmult_le_pos; lra).
      unfold Rdiv at 1. apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat. lra.
    + assert (Aq : q = a ^ 2 * t / Lambda) by (rewrite A2; field; lra).
      assert (0 <= a ^ 2 * t) by (apply Rmult_le_pos; [apply pow2_ge_0 | lra]).
      unfold k1, k0. rewrite Aq. field. lra.
Qed.

(** * The supremum, first case *)

(** lnsx25.r3: for every Lambda the removal of one of at most m records moves the minimum by at most
    B sqrt(m/Lambda)/2. *)
Theorem removal_small_penalty {V : inner_product_space} Lambda B m (r : record V) rest data c c0 :
  0 < Lambda -> 0 <= B -> Permutation data (r :: rest) -> INR (length data) <= m ->
  labels_within B data -> ridge_minimum Lambda data c -> ridge_minimum Lambda rest c0 ->
  distance c c0 <= B * sqrt (m / Lambda) / 2.
Proof.
  intros HL HB P Len Y Mc M0. pose proof (sqrt_lt_R0 Lambda HL) as S.
  assert (I : 0 < / (2 * sqrt Lambda)) by (apply Rinv_0_lt_compat; lra).
  pose proof (minimum_permutation Lambda data (r :: rest) c P Mc) as Mc'.
  eapply Rle_trans; [apply (one_more_normed_labels Lambda r rest c c0 HL Mc' M0)|].
  assert (0 <= m) by (pose proof (pos_INR (length data)); lra).
  replace (B * sqrt (m / Lambda) / 2) with (B * sqrt m / (2 * sqrt Lambda)) by (rewrite sqrt_div by lra; field; lra).
  apply Rmult_le_compat_r; [lra|]. unfold labels_within in Y. rewrite P in Y.
  eapply Rle_trans; [apply (label_norm_within B); assumption|]. apply Rmult_le_compat_l; [exact HB|].
  apply sqrt_le_1_alt. now rewrite (Permutation_length P) in Len.
Qed.

(** lnsx25.r3: if Lambda <= m/(2 m - 1)^2, then B sqrt(m/Lambda)/2 is attained, by m records. *)
Theorem removal_small_penalty_attained {V : inner_product_space} Lambda B k (u : V) : 0 < Lambda -> 0 <= B ->
  norm u = 1 -> let m := INR (S k) in Lambda <= m / (2 * m - 1) ^ 2 ->
  exists (r : record V) rest c c0, length (r :: rest) = S k /\
    rows_at_most 1 (r :: rest) /\ labels_within B (r :: rest) /\
    ridge_minimum Lambda (r :: rest) c /\ ridge_minimum Lambda rest c0 /\
    distance c c0 = B * sqrt (m / Lambda) / 2.
Proof.
  intros HL HB Hu m HLm. assert (Mk : m = INR k + 1) by apply S_INR. pose proof (pos_INR k) as Pk.
  assert (m1 : 0 < 2 * m - 1) by lra. assert (m2 : 0 < (2 * m - 1) ^ 2) by now apply pow_lt.
  assert (HLm' : Lambda * (2 * m - 1) ^ 2 <= m).
  { apply (Rmult_le_compat_r ((2 * m - 1) ^ 2)) in HLm; [|lra].
    unfold Rdiv in HLm. rewrite Rmult_assoc, Rinv_l in HLm; lra. }
  set (t := m / (2 * m - 1)). set (q := 2 * m - 1).
  assert (tq : t * q = m) by (unfold t, q; field; lra).
  assert (A : admissible Lambda (INR k) t q).
  { split; [split|].
    - apply (Rmult_le_reg_r ((Lambda + INR k) * (2 * m - 1)));
        [destruct (Req_dec (INR k) 0); apply Rmult_lt_0_compat; lra|].
      replace (Lambda / (Lambda + INR k) * ((Lambda + INR k) * (2 * m - 1))) with (Lambda * (2 * m - 1))
        by (field; lra).
      replace (t * ((Lambda + INR k) * (2 * m - 1))) with (m * (Lambda + INR k)) by (unfold t; field; lra).
      (* Lambda (m - 1) <= m (m - 1), as Lambda <= m. *)
      assert (Lambda <= m) by nra. rewrite Mk in *. nra.
    - apply (Rmult_le_reg_r (2 * m - 1)); [exact m1|]. unfold t, Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
    - split; [exact m1|]. apply (Rmult_le_reg_r (Lambda * (2 * m - 1))); [now apply Rmult_lt_0_compat|].
      replace (t / Lambda * (Lambda * (2 * m - 1))) with m by (unfold t; field; lra). unfold q. lra. }
  destruct (removal_attained Lambda B k t q u HL HB Hu A) as [r [rest [c [c0 [Len [R [Y [Mc [M0 D]]]]]]]]].
  exists r, rest, c, c0. cbn [length]. rewrite Len. repeat split; auto. rewrite D.
  unfold removal_distance. rewrite tq.
  replace (INR k * (1 - t) * q) with ((m - 1) ^ 2) by (rewrite Mk; unfold t, q; rewrite Mk; field; lra).
  rewrite sqrt_pow2 by lra. unfold q. field. lra.
Qed.

(** * The supremum, second case *)

Section SecondCase.
(** (x + k x^2)/(1 + x^2), with x = sqrt(q) and k = sqrt(M (1 - t)), grows up to x* = k + sqrt(k^2 + 1), and is x*/2
    there. *)
Definition profile (k x : R) : R := (x + k * x ^ 2) / (1 + x ^ 2).
Definition peak (k : R) : R := k + sqrt (k ^ 2 + 1).

Lemma removal_distance_profile Lambda M t q : 0 < Lambda -> 0 <= M -> 0 < t <= 1 -> 0 < q ->
  removal_distance Lambda M t q = sqrt (t / Lambda) * profile (sqrt (M * (1 - t))) (sqrt q).
Proof.
  intros HL HM Ht Hq. unfold removal_distance, profile.
  assert (0 <= t / Lambda) by (apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]).
  replace (t * q / Lambda) with (t / Lambda * q) by (field; lra).
  rewrite sqrt_mult by lra. rewrite sqrt_mult by (try apply Rmult_le_pos; lra). rewrite pow2_sqrt by lra.
  set (s := sqrt q). replace q with (s * s) by (apply sqrt_sqrt; lra). field. nra.
Qed.
Lemma peak_squared k : 0 <= k -> peak k ^ 2 = 2 * k * peak k + 1 /\ 1 <= peak k /\ k <= peak k.
Proof.
  intros Hk. unfold peak. assert (S : sqrt (k ^ 2 + 1) ^ 2 = k ^ 2 + 1) by (apply pow2_sqrt; nra).
  assert (1 <= sqrt (k ^ 2 + 1)) by (rewrite <- sqrt_1 at 1; apply sqrt_le_1_alt; nra).
  split; [|split]; [nra|lra|lra].
Qed.
Lemma profile_at_most k x : 0 <= k -> 0 <= x -> profile k x <= peak k / 2.
Proof.
  intros Hk Hx. destruct (peak_squared k Hk) as [S [P _]]. unfold profile.
  apply (Rmult_le_reg_r (2 * (1 + x ^ 2) * peak k)); [assert (0 <= x ^ 2) by nra; apply Rmult_lt_0_compat; lra|].
  replace ((x + k * x ^ 2) / (1 + x ^ 2) * (2 * (1 + x ^ 2) * peak k)) with (2 * (x + k * x ^ 2) * peak k)
    by (field; nra).
  replace (peak k / 2 * (2 * (1 + x ^ 2) * peak k)) with (peak k ^ 2 * (1 + x ^ 2)) by field.
  pose proof (pow2_ge_0 (x - peak k)). nra.
Qed.
Lemma profile_at_peak k : 0 <= k -> profile k (peak k) = peak k / 2.
Proof.
  intros Hk. destruct (peak_squared k Hk) as [S [P _]]. unfold profile.
  apply (Rmult_eq_reg_r (2 * (1 + peak k ^ 2))); [|nra].
  replace ((peak k + k * peak k ^ 2) / (1 + peak k ^ 2) * (2 * (1 + peak k ^ 2))) with (2 * (peak k + k * peak k ^ 2))
    by (field; nra).
  replace (peak k / 2 * (2 * (1 + peak k ^ 2))) with (peak k * (1 + peak k ^ 2)) by field. rewrite S.
  replace (k * (2 * k * peak k + 1)) with (k * peak k ^ 2) by now rewrite S. nra.
Qed.
Lemma profile_grows k x y : 0 <= k -> 0 <= x <= y -> y <= peak k -> profile k x <= profile k y.
Proof.
  intros Hk Hxy Hy. destruct (peak_squared k Hk) as [S [P K]]. unfold profile.
  apply (Rmult_le_reg_r ((1 + x ^ 2) * (1 + y ^ 2))); [apply Rmult_lt_0_compat; nra|].
  replace ((x + k * x ^ 2) / (1 + x ^ 2) * ((1 + x ^ 2) * (1 + y ^ 2))) with ((x + k * x ^ 2) * (1 + y ^ 2))
    by (field; nra).
  replace ((y + k * y ^ 2) / (1 + y ^ 2) * ((1 + x ^ 2) * (1 + y ^ 2))) with ((y + k * y ^ 2) * (1 + x ^ 2))
    by (field; nra).
  assert (core : 0 <= 1 + k * (x + y) - x * y).
  { (* (x - k)(y - k) <= (x* - k)^2 = k^2 + 1 *)
    assert (T : (peak k - k) ^ 2 = k ^ 2 + 1) by nra.
    assert (W : k <= peak k - k \/ peak k - k <= k) by lra.
    assert (bound : k <= peak k - k).
    { apply sqrt_of_square_at_most; [lra|]. rewrite T. lra. }
    assert (0 <= (peak k - k - (x - k)) * (peak k - k + (y - k))) by (apply Rmult_le_pos; lra).
    assert (0 <= (peak k - k + (x - k)) * (peak k - k - (y - k))) by (apply Rmult_le_pos; lra). nra. }
  assert (0 <= (y - x) * (1 + k * (x + y) - x * y)) by (apply Rmult_le_pos; lra). nra.
Qed.
Lemma largest_q_is_profile Lambda M t : 0 < Lambda -> 0 <= M -> 0 < t <= 1 ->
  largest_q_distance Lambda M t = removal_distance Lambda M t (t / Lambda).
Proof.
  intros HL HM Ht. unfold largest_q_distance, removal_distance.
  replace (t * (t / Lambda) / Lambda) with ((t / Lambda) ^ 2) by (field; lra).
  rewrite sqrt_pow2 by (apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]).
  replace (M * (1 - t) * (t / Lambda)) with (M * t * (1 - t) / Lambda) by (field; lra). field. lra.
Qed.

(** In the second case the largest q is the best: what is below the peak grows; what is beyond the peak is a
    parabola in z = x*^2, which grows up to z = 2 m - 1. *)
Lemma largest_q_is_best Lambda k t q : 0 < Lambda -> let M := INR k in
  (M + 1) / (2 * M + 1) ^ 2 < Lambda -> admissible Lambda M t q ->
  exists t', admissible_t Lambda M t' /\ removal_distance Lambda M t q <= largest_q_distance Lambda M t'.
Proof.
  intros HL M case [Ht Hq]. assert (HM : 0 <= M) by apply pos_INR.
  pose proof (admissible_t_positive Lambda M t HL HM Ht) as T. assert (T1 : t <= 1) by apply Ht.
  set (a := sqrt (M * (1 - t))). assert (A : 0 <= a) by apply sqrt_pos.
  assert (A2 : a ^ 2 = M * (1 - t)) by (apply pow2_sqrt, Rmult_le_pos; lra).
  destruct (peak_squared a A) as [S [P _]]. set (X := peak a) in *.
  assert (tL : 0 < t / Lambda) by now apply Rdiv_lt_0_compat.
  destruct (Rle_dec (t / Lambda) (X ^ 2)) as [below | beyond].
  - exists t. split; [exact Ht|]. rewrite largest_q_is_profile, !removal_distance_profile by (auto; lra).
    fold a. apply Rmult_le_compat_l; [apply sqrt_pos|]. apply profile_grows; [exact A| |].
    + split; [apply sqrt_pos|]. apply sqrt_le_1_alt, Hq.
    + fold X. apply sqrt_of_square_at_most; [lra|]. rewrite pow2_sqrt; lra.
  - (* The parabola w(z) = z - (z - 1)^2/(4 M). *)
    assert (case' : M + 1 < Lambda * (2 * M + 1) ^ 2).
    { assert (0 < (2 * M + 1) ^ 2) by (apply pow_lt; lra).
      apply (Rmult_lt_compat_r ((2 * M + 1) ^ 2)) in case; [|assumption].
      unfold Rdiv in case. rewrite Rmult_assoc, Rinv_l in case; lra. }
    set (z := X ^ 2) in *. assert (Z1 : 1 <= z) by (unfold z; nra).
    assert (Zt : Lambda * z < t).
    { assert (B : z < t / Lambda) by lra. apply (Rmult_lt_compat_r Lambda) in B; [|exact HL].
      unfold Rdiv in B. rewrite Rmult_assoc, Rinv_l in B; lra. }
    assert (Az : 4 * z * (M * (1 - t)) = (z - 1) ^ 2).
    { rewrite <- A2. replace (z - 1) with (2 * a * X) by lra. unfold z. ring. }
    destruct k as [|k'].
    { (* No other record: t = 1 and Lambda > 1. *)
      exfalso. unfold M in *. simpl in case', Zt, Az. assert (Lambda > 1) by lra. nra. }
    assert (M1 : 1 <= M). { unfold M. rewrite S_INR. pose proof (pos_INR k'). lra. }
    assert (Zm : z < 2 * M + 1).
    { apply Rnot_le_lt. intros L.
      (* t falls in z and is below Lambda (2 m - 1) at z = 2 m - 1. *)
      assert (F : 0 <= (z - (2 * M + 1)) * (z * (2 * M + 1) - 1)) by (apply Rmult_le_pos; nra).
      assert (t * (2 * M + 1) <= M + 1).
      { apply (Rmult_le_reg_r (4 * M * z)); [apply Rmult_lt_0_compat; lra|]. nra. }
      assert (Lambda * (2 * M + 1) ^ 2 <= t * (2 * M + 1)).
      { apply Rle_trans with (Lambda * z * (2 * M + 1)); [|apply Rmult_le_compat_r; lra].
        assert (0 <= Lambda * (2 * M + 1) * (z - (2 * M + 1))) by (repeat apply Rmult_le_pos; lra). lra. }
      lra. }
    set (f := fun v => v - (v - 1) ^ 2 / (4 * M) - Lambda * v ^ 2).
    assert (root : exists z0, z <= z0 <= 2 * M + 1 /\ f z0 = 0).
    { assert (C : continuity f) by (unfold f; reg).
      assert (fz : 0 <= f z).
      { assert (E : f z = z * (t - Lambda * z)).
        { unfold f. rewrite <- Az. field. lra. }
        rewrite E. apply Rmult_le_pos; lra. }
      assert (fm : f (2 * M + 1) <= 0).
      { assert (E : f (2 * M + 1) = M + 1 - Lambda * (2 * M + 1) ^ 2) by (unfold f; field; lra). lra. }
      destruct (IVT_cor f z (2 * M + 1) C) as [z0 [Hz0 Fz0]]; [lra | nra|]. exists z0. split; assumption. }
    destruct root as [z0 [[Z0 Z0m] F0]]. set (t0 := Lambda * z0).
    assert (w0 : z0 - (z0 - 1) ^ 2 / (4 * M) = t0 * z0) by (unfold f in F0; unfold t0; lra).
    assert (Az0 : 4 * z0 * (M * (1 - t0)) = (z0 - 1) ^ 2).
    { replace (4 * z0 * (M * (1 - t0))) with (4 * M * (z0 - t0 * z0)) by ring. rewrite <- w0. field. lra. }
    assert (T0 : 0 < t0) by (apply Rmult_lt_0_compat; lra).
    assert (T01 : t0 <= 1).
    { apply Rnot_lt_le. intros L. assert (0 < z0 * M * (t0 - 1)) by (repeat apply Rmult_lt_0_compat; lra).
      pose proof (pow2_ge_0 (z0 - 1)). lra. }
    assert (Ht0 : admissible_t Lambda M t0).
    { split; [|exact T01]. apply (Rmult_le_reg_r (Lambda + M)); [lra|].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. unfold t0.
      assert (0 <= Lambda * (z0 * (Lambda + M) - 1)) by (apply Rmult_le_pos; nra). lra. }
    exists t0. split; [exact Ht0|].
    rewrite largest_q_is_profile, !removal_distance_profile by (auto; try apply Rdiv_lt_0_compat; lra).
    fold a. set (a0 := sqrt (M * (1 - t0))). assert (A0 : 0 <= a0) by apply sqrt_pos.
    assert (A02 : a0 ^ 2 = M * (1 - t0)) by (apply pow2_sqrt, Rmult_le_pos; lra).
    replace (t0 / Lambda) with z0 by (unfold t0; field; lra).
    assert (Q0 : sqrt z0 ^ 2 = z0) by (apply pow2_sqrt; lra). pose proof (sqrt_lt_R0 z0 ltac:(lra)) as Q0p.
    assert (P0 : peak a0 = sqrt z0).
    { unfold peak. assert (E : 2 * sqrt z0 * a0 = z0 - 1).
      { assert (sq : (2 * sqrt z0 * a0) ^ 2 = (z0 - 1) ^ 2).
        { rewrite <- Az0, <- A02, <- Q0 at 1. rewrite Q0. rewrite !Rpow_mult_distr, Q0. ring. }
        apply Rsqr_inj; [repeat apply Rmult_le_pos; lra | lra | unfold Rsqr; lra]. }
      replace (a0 ^ 2 + 1) with ((sqrt z0 - a0) ^ 2) by nra.
      rewrite sqrt_pow2; [ring|]. nra. }
    apply Rle_trans with (sqrt (t / Lambda) * (X / 2)).
    { apply Rmult_le_compat_l; [apply sqrt_pos|]. apply profile_at_most; [exact A | apply sqrt_pos]. }
    rewrite <- P0, profile_at_peak, P0 by exact A0.
    (* Both sides are roots: t z <= t0 z0. *)
    assert (grows : t * z <= t0 * z0).
    { assert (W : t * z = z - (z - 1) ^ 2 / (4 * M)) by (rewrite <- Az; field; lra).
      rewrite W, <- w0. apply (Rmult_le_reg_r (4 * M)); [lra|].
      replace ((z - (z - 1) ^ 2 / (4 * M)) * (4 * M)) with (4 * M * z - (z - 1) ^ 2) by (field; lra).
      replace ((z0 - (z0 - 1) ^ 2 / (4 * M)) * (4 * M)) with (4 * M * z0 - (z0 - 1) ^ 2) by (field; lra).
      assert (0 <= (z0 - z) * (4 * M + 2 - z0 - z)) by (apply Rmult_le_pos; lra). nra. }
    apply sqrt_of_square_at_most; [apply Rmult_le_pos; lra|].
    rewrite !Rpow_mult_distr, pow2_sqrt by lra.
    replace ((X / 2) ^ 2) with (z / 4) by (unfold z; field).
    replace (sqrt z0 / 2) with (/ 2 * sqrt z0) by field. rewrite Rpow_mult_distr, Q0.
    apply (Rmult_le_reg_r (4 * Lambda)); [lra|].
    replace (t / Lambda * (z / 4) * (4 * Lambda)) with (t * z) by (field; lra).
    replace (z0 * ((/ 2) ^ 2 * z0) * (4 * Lambda)) with (t0 * z0) by (unfold t0; field). exact grows.
Qed.
End SecondCase.

(** lnsx25.r3: if Lambda > m/(2 m - 1)^2, the removal of one of at most m records moves the minimum by at most
    B t/(Lambda + t) (1 + sqrt(M t (1 - t)/Lambda)) for some t in [Lambda/(Lambda + M), 1], M = m - 1. *)
Theorem removal_large_penalty {V : inner_product_space} Lambda B k (r : record V) rest data c c0 :
  0 < Lambda -> 0 <= B -> Permutation data (r :: rest) -> (length data <= S k)%nat ->
  rows_at_most 1 data -> labels_within B data -> ridge_minimum Lambda data c -> ridge_minimum Lambda rest c0 ->
  let m := INR (S k) in m / (2 * m - 1) ^ 2 < Lambda ->
  exists t, admissible_t Lambda (m - 1) t /\ distance c c0 <= B * largest_q_distance Lambda (m - 1) t.
Proof.
  intros HL HB P Len R Y Mc M0 m case. assert (Mk : m - 1 = INR k) by (unfold m; rewrite S_INR; ring). rewrite Mk.
  apply le_INR in Len. rewrite S_INR in Len.
  destruct (removal_at_most Lambda B (INR k) r rest data c c0 HL HB P Len R Y Mc M0) as [t [q [A D]]].
  destruct (largest_q_is_best Lambda k t q HL) as [t' [A' D']]; [|exact A|].
  - replace (INR k + 1) with m by lra. replace (2 * INR k + 1) with (2 * m - 1) by lra. exact case.
  - exists t'. split; [exact A'|]. eapply Rle_trans; [exact D|]. now apply Rmult_le_compat_l.
Qed.

(** lnsx25.r3: every one of these values is attained, by m records. *)
Theorem removal_large_penalty_attained {V : inner_product_space} Lambda B k t (u : V) : 0 < Lambda -> 0 <= B ->
  norm u = 1 -> let m := INR (S k) in admissible_t Lambda (m - 1) t ->
  exists (r : record V) rest c c0, length (r :: rest) = S k /\
    rows_at_most 1 (r :: rest) /\ labels_within B (r :: rest) /\
    ridge_minimum Lambda (r :: rest) c /\ ridge_minimum Lambda rest c0 /\
    distance c c0 = B * largest_q_distance Lambda (m - 1) t.
Proof.
  intros HL HB Hu m A. assert (Mk : m - 1 = INR k) by (unfold m; rewrite S_INR; ring). rewrite Mk in *.
  pose proof (pos_INR k) as Pk. pose proof (admissible_t_positive Lambda (INR k) t HL Pk A) as T.
  assert (Q : admissible Lambda (INR k) t (t / Lambda)).
  { split; [exact A|]. split; [now apply Rdiv_lt_0_compat | lra]. }
  destruct (removal_attained Lambda B k t (t / Lambda) u HL HB Hu Q) as [r [rest [c [c0 [Len H]]]]].
  exists r, rest, c, c0. cbn [length]. rewrite Len. split; [reflexivity|].
  rewrite largest_q_is_profile; [exact H | exact HL | exact Pk | split; [exact T | apply A]].
Qed.

(** lnsx25.r3: the value grows with m: both factors do, and the range of t widens. *)
Theorem removal_distance_grows Lambda M M' t q : 0 < Lambda -> 0 <= M <= M' -> admissible Lambda M t q ->
  admissible Lambda M' t q /\ removal_distance Lambda M t q <= removal_distance Lambda M' t q.
Proof.
  intros HL HM [[T0 T1] [Q0 Q1]].
  assert (T : 0 < t) by (apply (admissible_t_positive Lambda M); [exact HL | lra | now split]). split.
  - split; [split|]; [|exact T1|now split]. eapply Rle_trans; [|exact T0].
    apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
  - unfold removal_distance. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
    apply Rmult_le_compat_l; [apply sqrt_pos|]. apply Rplus_le_compat_l. apply sqrt_le_1_alt.
    apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; lra.
Qed.
