(** How far ridge regression moves.

    The minimum c of |Phi c - y|^2 + Lambda |c|^2, with any rows, in any inner product space: it exists, is unique, and
    is where the gradient vanishes. If the vector of labels has norm at most 1, it moves by at most 1/sqrt(Lambda)
    under substitution and by at most 1/(2 sqrt(Lambda)) under removal; both are attained. With rows of norm at most 1
    and labels of magnitude at most B it moves by at most
    B min(sqrt(m/Lambda), 2 h (1 + sqrt(m - 1)/(2 sqrt(Lambda)))) under substitution.

    Narrower than the pages: the sensitivities alone, without the noise, the solver's tolerance and the rounding. The
    proofs need no inverse matrix and no formula of Sherman and Morrison.

    Claims: lnsx25.r2, lnsx25.rls.corrected, lnsx25.rls.normed-labels.
*)
Require Import Reals Lra Lia Psatz List Permutation. Import ListNotations.
From DpAssay Require Import Privacy InnerProduct.
Open Scope R_scope. Open Scope vector_scope.

(** * Definitions *)

Section Ridge.
Context {V : inner_product_space}.
Implicit Types (c v d z : V) (data rest : list (record V)).

(** |Phi c - y|^2 + Lambda |c|^2. *)
Definition ridge_objective (Lambda : R) data c : R :=
  sum (fun r => (inner (row r) c - label r) ^ 2) data + Lambda * norm c ^ 2.
Definition ridge_minimum (Lambda : R) data c : Prop :=
  forall v, ridge_objective Lambda data c <= ridge_objective Lambda data v.
(** Half the gradient: Phi^T (Phi c - y) + Lambda c. *)
Definition ridge_gradient (Lambda : R) data c : V :=
  vector_sum (fun r => (inner (row r) c - label r) *v row r) data +v Lambda *v c.
(** |y|, the norm of the vector of labels. *)
Definition label_norm data : R := sqrt (sum (fun r => label r ^ 2) data).
Definition labels_within (B : R) data : Prop := Forall (fun r => Rabs (label r) <= B) data.

(** * Sums *)

Lemma sum_positive {A} (f : A -> R) l : (forall a, 0 <= f a) -> 0 <= sum f l.
Proof. intros H. induction l; simpl; [lra|]. specialize (H a). lra. Qed.
Lemma sum_squares_positive {A} (f : A -> R) l : 0 <= sum (fun a => f a ^ 2) l.
Proof. apply sum_positive. intros. apply pow2_ge_0. Qed.
Lemma sum_permuted {A} (f : A -> R) l l' : Permutation l l' -> sum f l = sum f l'.
Proof. induction 1; simpl; lra. Qed.
Lemma sum_cauchy_schwarz {A} (f g : A -> R) l :
  sum (fun a => f a * g a) l ^ 2 <= sum (fun a => f a ^ 2) l * sum (fun a => g a ^ 2) l.
Proof.
  induction l as [|a l IH]; cbn [sum]; [lra|].
  pose proof (sum_squares_positive f l) as F. pose proof (sum_squares_positive g l) as G.
  set (P := sum (fun a => f a * g a) l) in *. set (A2 := sum (fun a => f a ^ 2) l) in *.
  set (B2 := sum (fun a => g a ^ 2) l) in *. set (x := f a). set (y := g a).
  enough (cross : 2 * (x * y * P) <= x ^ 2 * B2 + y ^ 2 * A2) by nra.
  destruct (Req_dec B2 0) as [Z | N].
  - rewrite Z, Rmult_0_r in IH. assert (P = 0) by nra. rewrite H, Z. pose proof (pow2_ge_0 y). nra.
  - assert (0 < B2) by lra. apply (Rmult_le_reg_l B2); [assumption|].
    pose proof (pow2_ge_0 (x * B2 - y * P)). pose proof (pow2_ge_0 y).
    assert (0 <= y ^ 2 * (A2 * B2 - P ^ 2)) by (apply Rmult_le_pos; lra). nra.
Qed.
Lemma label_norm_squared data : label_norm data ^ 2 = sum (fun r => label r ^ 2) data.
Proof. apply pow2_sqrt, sum_squares_positive. Qed.
Lemma label_norm_positive data : 0 <= label_norm data.
Proof. apply sqrt_pos. Qed.
(** m labels of magnitude at most B have norm at most B sqrt(m). *)
Lemma label_norm_within B data : 0 <= B -> labels_within B data -> label_norm data <= B * sqrt (INR (length data)).
Proof.
  intros HB H. unfold label_norm. rewrite <- (sqrt_pow2 B HB), <- sqrt_mult by auto using pow2_ge_0, pos_INR.
  apply sqrt_le_1_alt. induction H as [|r l Hr _ IH]; [simpl; lra|]. cbn [sum length]. rewrite S_INR.
  assert (label r ^ 2 <= B ^ 2).
  { rewrite <- (pow2_abs (label r)). apply pow_incr. split; [apply Rabs_pos | exact Hr]. }
  lra.
Qed.

(** * The minimum *)

(** The objective is quadratic. *)
Lemma objective_expanded Lambda data c z : ridge_objective Lambda data (c +v z) =
  ridge_objective Lambda data c + 2 * inner (ridge_gradient Lambda data c) z +
  (sum (fun r => inner (row r) z ^ 2) data + Lambda * norm z ^ 2).
Proof.
  unfold ridge_objective, ridge_gradient. rewrite !norm_squared. expand. rewrite inner_sum, (inner_symmetric _ z c).
  enough (sum (fun r => (inner (row r) (c +v z) - label r) ^ 2) data =
    sum (fun r => (inner (row r) c - label r) ^ 2) data +
    2 * sum (fun r => inner ((inner (row r) c - label r) *v row r) z) data +
    sum (fun r => inner (row r) z ^ 2) data) by lra.
  induction data as [|r l IH]; cbn [sum]; [ring|]. rewrite IH. expand. ring.
Qed.

(** The minimum is where the gradient vanishes. *)
Lemma minimum_iff_gradient Lambda data c : 0 <= Lambda ->
  ridge_minimum Lambda data c <-> ridge_gradient Lambda data c = zero.
Proof.
  intros HL. split.
  - intros M. apply inner_definite. set (g := ridge_gradient Lambda data c).
    set (k := sum (fun r => inner (row r) g ^ 2) data + Lambda * norm g ^ 2).
    assert (K : 0 <= k).
    { unfold k. pose proof (sum_squares_positive (fun r => inner (row r) g) data).
      assert (0 <= Lambda * norm g ^ 2) by (apply Rmult_le_pos; [exact HL | apply pow2_ge_0]). lra. }
    assert (Q : forall t, 2 * (t * inner g g) <= t ^ 2 * k).
    { intros t. pose proof (M (c +v (- t) *v g)) as H. rewrite objective_expanded in H. fold g in H.
      rewrite norm_scale, Rpow_mult_distr, pow2_abs, inner_scale_right in H.
      rewrite (sum_ext _ (fun r => t ^ 2 * inner (row r) g ^ 2)) in H by (intros; expand; ring).
      rewrite sum_scal in H. unfold k. lra. }
    pose proof (inner_positive _ g) as P. specialize (Q (inner g g / (k + 1))).
    set (t := inner g g / (k + 1)) in *. assert (T : inner g g = t * (k + 1)) by (unfold t; field; lra).
    assert (0 <= t) by (unfold t; apply Rmult_le_pos; [exact P | left; apply Rinv_0_lt_compat; lra]).
    rewrite T in Q. assert (t ^ 2 * (k + 2) <= 0) by nra.
    assert (0 <= t ^ 2) by apply pow2_ge_0. assert (t ^ 2 = 0) by nra. assert (t = 0) by nra. rewrite T, H3. ring.
  - intros G v. replace v with (c +v (v -v c)) by vector. rewrite objective_expanded, G, inner_zero.
    pose proof (sum_squares_positive (fun r => inner (row r) (v -v c)) data).
    assert (0 <= Lambda * norm (v -v c) ^ 2) by (apply Rmult_le_pos; [exact HL | apply pow2_ge_0]). lra.
Qed.
(** The first order condition, tested against z. *)
Lemma first_order Lambda data c : 0 <= Lambda -> ridge_minimum Lambda data c -> forall z,
  sum (fun r => (inner (row r) c - label r) * inner (row r) z) data + Lambda * inner c z = 0.
Proof.
  intros HL M z. apply minimum_iff_gradient in M; [|exact HL].
  assert (G : inner (ridge_gradient Lambda data c) z = 0) by (rewrite M; apply inner_zero).
  unfold ridge_gradient in G. rewrite inner_add, inner_scale, inner_sum in G.
  rewrite (sum_ext _ (fun r => (inner (row r) c - label r) * inner (row r) z)) in G by (intros; expand; ring). exact G.
Qed.
Lemma minimum_by_first_order Lambda data c : 0 <= Lambda ->
  (forall z, sum (fun r => (inner (row r) c - label r) * inner (row r) z) data + Lambda * inner c z = 0) ->
  ridge_minimum Lambda data c.
Proof.
  intros HL H. apply minimum_iff_gradient; [exact HL|]. apply inner_separates. intros z.
  rewrite inner_zero, <- (H z). unfold ridge_gradient. rewrite inner_add, inner_scale, inner_sum. f_equal.
  apply sum_ext. intros r. expand. ring.
Qed.
Lemma minimum_permutation Lambda data data' c : Permutation data data' ->
  ridge_minimum Lambda data c -> ridge_minimum Lambda data' c.
Proof.
  intros P M v. specialize (M v). unfold ridge_objective in *. now rewrite !(sum_permuted _ _ _ P) in M.
Qed.

(** There is one minimum at most. *)
Theorem ridge_minimum_unique Lambda data c c' : 0 < Lambda ->
  ridge_minimum Lambda data c -> ridge_minimum Lambda data c' -> c = c'.
Proof.
  intros HL M M'. set (d := c -v c').
  pose proof (first_order Lambda data c (Rlt_le _ _ HL) M d) as F.
  pose proof (first_order Lambda data c' (Rlt_le _ _ HL) M' d) as F'.
  assert (S : sum (fun r => inner (row r) d ^ 2) data + Lambda * inner d d = 0).
  { assert (E : sum (fun r => inner (row r) d ^ 2) data =
      sum (fun r => (inner (row r) c - label r) * inner (row r) d) data -
      sum (fun r => (inner (row r) c' - label r) * inner (row r) d) data).
    { clear. induction data as [|r l IH]; cbn [sum]; [ring|]. rewrite IH. unfold d. expand. ring. }
    rewrite E. replace (inner d d) with (inner c d - inner c' d) by (unfold d; expand; ring). lra. }
  pose proof (sum_squares_positive (fun r => inner (row r) d) data). pose proof (inner_positive _ d).
  assert (D : inner d d = 0).
  { assert (0 <= Lambda * inner d d) by (apply Rmult_le_pos; lra).
    apply (Rmult_eq_reg_l Lambda); lra. }
  apply inner_definite in D. transitivity (c' +v d); [unfold d; vector|]. rewrite D. vector.
Qed.

(** The equation (Phi^T Phi + Lambda) x = b has a solution: one record after the other. *)
Lemma normal_matrix_onto Lambda data : 0 < Lambda -> forall b, exists x,
  vector_sum (fun r => inner (row r) x *v row r) data +v Lambda *v x = b.
Proof.
  intros HL. induction data as [|r l IH]; intros b.
  - exists (/ Lambda *v b). cbn [vector_sum]. apply inner_separates; intro; expand. field. lra.
  - destruct (IH b) as [x Hx]. destruct (IH (row r)) as [u Hu].
    assert (q : 0 <= inner (row r) u).
    { rewrite <- Hu at 1. rewrite inner_add, inner_scale, inner_sum.
      rewrite (sum_ext _ (fun s => inner (row s) u ^ 2)) by (intros; expand; ring).
      pose proof (sum_squares_positive (fun s => inner (row s) u) l). pose proof (inner_positive _ u).
      assert (0 <= Lambda * inner u u) by (apply Rmult_le_pos; lra). lra. }
    set (k := inner (row r) x / (1 + inner (row r) u)). exists (x -v k *v u). cbn [vector_sum].
    assert (L : vector_sum (fun s => inner (row s) (x -v k *v u) *v row s) l =
      vector_sum (fun s => inner (row s) x *v row s) l -v k *v vector_sum (fun s => inner (row s) u *v row s) l).
    { clear. induction l as [|s l IH]; cbn [vector_sum]; [vector|]. rewrite IH. vector. }
    rewrite L. set (sx := vector_sum (fun s => inner (row s) x *v row s) l) in *.
    set (su := vector_sum (fun s => inner (row s) u *v row s) l) in *.
    transitivity ((inner (row r) x - k * inner (row r) u) *v row r +v (sx +v Lambda *v x) -v k *v (su +v Lambda *v u));
      [vector|].
    rewrite Hx, Hu. transitivity ((inner (row r) x - k * (1 + inner (row r) u)) *v row r +v b); [vector|].
    replace (inner (row r) x - k * (1 + inner (row r) u)) with 0 by (unfold k; field; lra). vector.
Qed.
(** There is a minimum. *)
Theorem ridge_minimum_exists Lambda data : 0 < Lambda -> exists c, ridge_minimum Lambda data c.
Proof.
  intros HL. destruct (normal_matrix_onto Lambda data HL (vector_sum (fun r => label r *v row r) data)) as [c H].
  exists c. apply minimum_iff_gradient; [lra|].
  assert (E : ridge_gradient Lambda data c = (vector_sum (fun r => inner (row r) c *v row r) data +v Lambda *v c) -v
    vector_sum (fun r => label r *v row r) data).
  { unfold ridge_gradient. clear. enough (E : vector_sum (fun r => (inner (row r) c - label r) *v row r) data =
      vector_sum (fun r => inner (row r) c *v row r) data -v vector_sum (fun r => label r *v row r) data)
      by (rewrite E; vector).
    induction data as [|r l IH]; cbn [vector_sum]; [vector|]. rewrite IH. vector. }
  rewrite E, H. apply add_opposite.
Qed.

(** * Labels with a bound on their norm *)

Lemma half_bound Lambda n y : 0 < Lambda -> 0 <= n -> 0 <= y ->
  Lambda * n ^ 2 <= y ^ 2 / 4 -> n <= y / (2 * sqrt Lambda).
Proof.
  intros HL Hn Hy H. pose proof (sqrt_lt_R0 Lambda HL) as S.
  assert (I : 0 < / (2 * sqrt Lambda)) by (apply Rinv_0_lt_compat; lra).
  apply Rsqr_incr_0_var; [|apply Rmult_le_pos; lra]. unfold Rsqr.
  apply (Rmult_le_reg_l Lambda); [exact HL|]. rewrite <- (sqrt_sqrt Lambda) at 2 by lra.
  replace (sqrt Lambda * sqrt Lambda * (y / (2 * sqrt Lambda) * (y / (2 * sqrt Lambda)))) with (y ^ 2 / 4)
    by (field; lra). lra.
Qed.
Lemma sqrt_of_square_at_most x y : 0 <= y -> x ^ 2 <= y ^ 2 -> x <= y.
Proof. intros Hy H. destruct (Rle_dec 0 x); [|lra]. apply Rsqr_incr_0_var; [unfold Rsqr; lra | exact Hy]. Qed.

(** |c| <= |y|/(2 sqrt(Lambda)). *)
Lemma ridge_norm Lambda data c : 0 < Lambda -> ridge_minimum Lambda data c ->
  norm c <= label_norm data / (2 * sqrt Lambda).
Proof.
  intros HL M. apply half_bound; auto using norm_positive, label_norm_positive.
  pose proof (first_order Lambda data c (Rlt_le _ _ HL) M c) as F. rewrite norm_squared, label_norm_squared.
  assert (E : sum (fun r => (inner (row r) c - label r) * inner (row r) c) data =
    sum (fun r => (inner (row r) c - label r / 2) ^ 2) data - sum (fun r => label r ^ 2) data / 4).
  { clear. induction data as [|r l IH]; cbn [sum]; [lra|]. rewrite IH. field. }
  pose proof (sum_squares_positive (fun r => inner (row r) c - label r / 2) data). lra.
Qed.

(** lnsx25.r2: with labels of norm at most 1 any two minima, over whatever datasets, are at most 1/sqrt(Lambda)
    apart; so are those of neighbours by substitution. *)
Theorem ridge_substitution_normed_labels Lambda data data' c c' : 0 < Lambda ->
  label_norm data <= 1 -> label_norm data' <= 1 ->
  ridge_minimum Lambda data c -> ridge_minimum Lambda data' c' -> distance c c' <= 1 / sqrt Lambda.
Proof.
  intros HL Y Y' M M'. pose proof (sqrt_lt_R0 Lambda HL) as S.
  assert (I : 0 < / (2 * sqrt Lambda)) by (apply Rinv_0_lt_compat; lra).
  replace (1 / sqrt Lambda) with (2 * (1 / (2 * sqrt Lambda))) by (field; lra).
  apply distance_in_ball; (eapply Rle_trans; [eapply (ridge_norm Lambda _ _ HL); eassumption|]);
    apply Rmult_le_compat_r; lra.
Qed.

(** * One record more *)

Section OneMore.
Variables (Lambda : R) (r : record V) (rest : list (record V)) (c c0 : V).
Hypothesis Lambda_positive : 0 < Lambda.
Hypothesis with_record : ridge_minimum Lambda (r :: rest) c.
Hypothesis without_record : ridge_minimum Lambda rest c0.
(** What the record moves, and the residual that is left at it. *)
Let d := c -v c0.
Let rho := label r - inner (row r) c.

Lemma displacement z : sum (fun s => inner (row s) d * inner (row s) z) rest + Lambda * inner d z =
  rho * inner (row r) z.
Proof.
  pose proof (first_order Lambda (r :: rest) c (Rlt_le _ _ Lambda_positive) with_record z) as F. cbn [sum] in F.
  pose proof (first_order Lambda rest c0 (Rlt_le _ _ Lambda_positive) without_record z) as F0.
  assert (E : sum (fun s => inner (row s) d * inner (row s) z) rest =
    sum (fun s => (inner (row s) c - label s) * inner (row s) z) rest -
    sum (fun s => (inner (row s) c0 - label s) * inner (row s) z) rest).
  { unfold d. clear. induction rest as [|s l IH]; cbn [sum]; [ring|]. rewrite IH. expand. ring. }
  rewrite E. unfold rho. replace (inner d z) with (inner c z - inner c0 z) by (unfold d; expand; ring). lra.
Qed.
(** |Phi d|^2 + Lambda |d|^2 = rho <a, d>. *)
Lemma displacement_energy : sum (fun s => inner (row s) d ^ 2) rest + Lambda * norm d ^ 2 = rho * inner (row r) d.
Proof.
  rewrite <- displacement, norm_squared. f_equal. apply sum_ext. intros. ring.
Qed.
(** rho (y - <a, c0>) splits into rho y and what the other labels contribute. *)
Lemma displacement_labels : rho * inner (row r) c0 = sum (fun s => inner (row s) d * label s) rest.
Proof.
  rewrite <- displacement. pose proof (first_order Lambda rest c0 (Rlt_le _ _ Lambda_positive) without_record d) as F0.
  assert (E : sum (fun s => inner (row s) d * inner (row s) c0) rest =
    sum (fun s => (inner (row s) c0 - label s) * inner (row s) d) rest + sum (fun s => inner (row s) d * label s) rest).
  { clear. induction rest as [|s l IH]; cbn [sum]; [ring|]. rewrite IH. ring. }
  rewrite E, (inner_symmetric _ d c0). lra.
Qed.
Lemma old_residual : label r - inner (row r) c0 = rho + inner (row r) d.
Proof. unfold rho, d. expand. ring. Qed.

(** |c - c0| <= |y|/(2 sqrt(Lambda)), y the labels with that of the record. *)
Lemma one_more_normed_labels : distance c c0 <= label_norm (r :: rest) / (2 * sqrt Lambda).
Proof.
  apply half_bound; auto using distance_positive, label_norm_positive. rewrite label_norm_squared. cbn [sum].
  change (distance c c0) with (norm d).
  pose proof displacement_energy as En. pose proof displacement_labels as La. pose proof old_residual as Re.
  set (e := sum (fun s => inner (row s) d ^ 2) rest) in *. set (y2 := sum (fun s => label s ^ 2) rest).
  (* Twice <e, y> is at most 2 e + y^2/2, record by record. *)
  assert (young : - sum (fun s => inner (row s) d * label s) rest <= e + y2 / 4).
  { unfold e, y2. clear. induction rest as [|s l IH]; cbn [sum]; [lra|].
    pose proof (pow2_ge_0 (inner (row s) d + label s / 2)). nra. }
  pose proof (pow2_ge_0 (rho - label r / 2)) as own. nra.
Qed.

(** |c - c0| <= |y - <a, c0>|/(2 sqrt(Lambda)). *)
Lemma one_more_small_penalty : distance c c0 <= Rabs (label r - inner (row r) c0) / (2 * sqrt Lambda).
Proof.
  apply half_bound; auto using distance_positive, Rabs_pos. change (distance c c0) with (norm d).
  rewrite pow2_abs, old_residual. pose proof displacement_energy as En.
  pose proof (sum_squares_positive (fun s => inner (row s) d) rest).
  pose proof (pow2_ge_0 (rho - inner (row r) d)). nra.
Qed.
(** For Lambda >= 1 and a row of norm at most 1: |c - c0| <= |y - <a, c0>|/(1 + Lambda). *)
Lemma one_more_large_penalty : 1 <= Lambda -> norm (row r) <= 1 ->
  distance c c0 <= Rabs (label r - inner (row r) c0) / (1 + Lambda).
Proof.
  intros H1 Hr. change (distance c c0) with (norm d). apply (Rmult_le_reg_r (1 + Lambda)); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. rewrite old_residual.
  pose proof displacement_energy as En. pose proof (sum_squares_positive (fun s => inner (row s) d) rest) as P.
  set (s := inner (row r) d) in *. set (n := norm d) in *. assert (N : 0 <= n) by apply norm_positive.
  assert (S : Rabs s <= n).
  { unfold s, n. eapply Rle_trans; [apply cauchy_schwarz|]. pose proof (norm_positive d). nra. }
  assert (Q : Lambda * n ^ 2 <= Rabs rho * Rabs s) by (rewrite <- Rabs_mult; pose proof (Rle_abs (rho * s)); lra).
  assert (signs : Rabs (rho + s) = Rabs rho + Rabs s).
  { assert (0 <= rho * s) by (assert (0 <= Lambda * n ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]); lra).
    unfold Rabs. repeat destruct Rcase_abs; nra. }
  rewrite signs. pose proof (Rabs_pos rho). pose proof (Rabs_pos s).
  destruct (Req_dec n 0) as [-> | Nn]; [lra|]. apply (Rmult_le_reg_l n); [lra|].
  (* n (1 + Lambda) - (|rho| + |s|) is at most (n - |s|) (1 - Lambda n/|s|). *)
  destruct (Req_dec (Rabs s) 0) as [Z | Z]; [rewrite Z in *; nra|].
  apply (Rmult_le_reg_l (Rabs s)); [lra|].
  assert (A : 0 <= (n - Rabs s) * (Lambda * n - Rabs s)) by (apply Rmult_le_pos; nra).
  assert (B : 0 <= n * (Rabs rho * Rabs s - Lambda * n ^ 2)) by (apply Rmult_le_pos; lra).
  assert (C : 0 <= n * ((n - Rabs s) * (Lambda * n - Rabs s))) by (apply Rmult_le_pos; lra). nra.
Qed.
End OneMore.

(** lnsx25.r2: with labels of norm at most 1 the removal of a record moves the minimum by at most
    1/(2 sqrt(Lambda)). *)
Theorem ridge_removal_normed_labels Lambda data r rest c c0 : 0 < Lambda -> Permutation data (r :: rest) ->
  label_norm data <= 1 -> ridge_minimum Lambda data c -> ridge_minimum Lambda rest c0 ->
  distance c c0 <= 1 / (2 * sqrt Lambda).
Proof.
  intros HL P Y M M0. pose proof (sqrt_lt_R0 Lambda HL) as S.
  assert (I : 0 < / (2 * sqrt Lambda)) by (apply Rinv_0_lt_compat; lra).
  unfold label_norm in Y. rewrite (sum_permuted _ _ _ P) in Y. fold (label_norm (r :: rest)) in Y.
  eapply Rle_trans; [apply (one_more_normed_labels Lambda r rest c c0 HL)|].
  - now apply (minimum_permutation Lambda data).
  - exact M0.
  - apply Rmult_le_compat_r; lra.
Qed.

(** lnsx25.r2: both bounds are attained, by one record with a row of norm sqrt(Lambda) and the label 1, which turns to
    -1 or is removed. *)
Theorem ridge_normed_labels_attained Lambda (u : V) : 0 < Lambda -> norm u = 1 -> let a := sqrt Lambda *v u in
  exists c c' c0, ridge_minimum Lambda [(a, 1)] c /\ ridge_minimum Lambda [(a, -1)] c' /\ ridge_minimum Lambda [] c0 /\
    distance c c' = 1 / sqrt Lambda /\ distance c c0 = 1 / (2 * sqrt Lambda).
Proof.
  intros HL Hu a. pose proof (sqrt_lt_R0 Lambda HL) as S. pose proof (sqrt_sqrt Lambda (Rlt_le _ _ HL)) as SS.
  assert (UU : inner u u = 1) by (rewrite <- norm_squared, Hu; ring).
  set (k := 1 / (2 * sqrt Lambda)). assert (K : 0 < k) by (apply Rdiv_lt_0_compat; lra).
  assert (one : forall y, ridge_minimum Lambda [(a, y)] ((y * k) *v u)).
  { intros y. apply minimum_by_first_order; [lra|]. intros z. cbn [sum]. unfold row, label, a, k. cbn [fst snd].
    expand. rewrite UU. generalize (inner u z). clear - S SS. set (s := sqrt Lambda) in *. clearbody s.
    intros w. rewrite <- SS. field. lra. }
  exists ((1 * k) *v u), ((-1 * k) *v u), zero. split; [apply one|]. split; [apply one|]. split.
  { apply minimum_by_first_order; [lra|]. intros z. cbn [sum]. rewrite inner_zero. ring. }
  split.
  - unfold distance. replace ((1 * k) *v u -v (-1 * k) *v u) with ((2 * k) *v u) by vector.
    rewrite norm_scale, Hu, Rabs_pos_eq by lra. unfold k. field. lra.
  - rewrite distance_zero, norm_scale, Hu, Rabs_pos_eq by lra. unfold k. field. lra.
Qed.

(** * Labels that are bounded one by one *)

(** The factor h: 1/(1 + Lambda) for Lambda >= 1, and 1/(2 sqrt(Lambda)) below. *)
Definition h_factor (Lambda : R) : R := if Rle_dec 1 Lambda then 1 / (1 + Lambda) else 1 / (2 * sqrt Lambda).
Lemma h_factor_positive Lambda : 0 < Lambda -> 0 < h_factor Lambda.
Proof.
  intros HL. pose proof (sqrt_lt_R0 Lambda HL). unfold h_factor. destruct Rle_dec; apply Rdiv_lt_0_compat; lra.
Qed.
(** One record more moves the minimum by at most h times its residual before. *)
Lemma one_more Lambda r rest c c0 : 0 < Lambda -> norm (row r) <= 1 ->
  ridge_minimum Lambda (r :: rest) c -> ridge_minimum Lambda rest c0 ->
  distance c c0 <= h_factor Lambda * Rabs (label r - inner (row r) c0).
Proof.
  intros HL Hr M M0. unfold h_factor. destruct (Rle_dec 1 Lambda) as [L | L].
  - pose proof (one_more_large_penalty Lambda r rest c c0 HL M M0 L Hr). unfold Rdiv in *. lra.
  - pose proof (one_more_small_penalty Lambda r rest c c0 HL M M0). unfold Rdiv in *. lra.
Qed.

(** lnsx25.rls.corrected: with rows of norm at most 1 and m labels in [-B, B], substitution moves the minimum by at
    most B min(sqrt(m/Lambda), 2 h (1 + sqrt(m - 1)/(2 sqrt(Lambda)))). *)
Theorem ridge_substitution_bounded_labels Lambda B r r' rest data data' c c' : 0 < Lambda -> 0 <= B ->
  Permutation data (r :: rest) -> Permutation data' (r' :: rest) ->
  rows_at_most 1 data -> rows_at_most 1 data' -> labels_within B data -> labels_within B data' ->
  ridge_minimum Lambda data c -> ridge_minimum Lambda data' c' ->
  let m := INR (length data) in
  distance c c' <= B * Rmin (sqrt (m / Lambda)) (2 * h_factor Lambda * (1 + sqrt (m - 1) / (2 * sqrt Lambda))).
Proof.
  intros HL HB P P' R R' Y Y' M M' m. pose proof (sqrt_lt_R0 Lambda HL) as S.
  assert (I : 0 < / (2 * sqrt Lambda)) by (apply Rinv_0_lt_compat; lra).
  pose proof (h_factor_positive Lambda HL) as H.
  assert (length_same : length data' = length data).
  { now rewrite (Permutation_length P), (Permutation_length P'). }
  assert (length_rest : INR (length rest) = m - 1).
  { unfold m. rewrite (Permutation_length P). cbn [length]. rewrite S_INR. ring. }
  unfold Rmin. destruct Rle_dec.
  - (* Both minima are in a ball. *)
    replace (B * sqrt (m / Lambda)) with (2 * (B * sqrt m / (2 * sqrt Lambda))).
    2:{ rewrite sqrt_div by (try exact HL; apply pos_INR). field. lra. }
    apply distance_in_ball; (eapply Rle_trans; [eapply (ridge_norm Lambda _ _ HL); eassumption|]);
      apply Rmult_le_compat_r; try (left; exact I).
    + now apply label_norm_within.
    + unfold m. rewrite <- length_same. now apply label_norm_within.
  - (* Through the dataset without the record. *)
    destruct (ridge_minimum_exists Lambda rest HL) as [c0 M0].
    assert (rest_labels : labels_within B rest).
    { unfold labels_within in *. rewrite P in Y. now inversion Y. }
    assert (each : forall s e v, Permutation e (s :: rest) -> rows_at_most 1 e -> labels_within B e ->
      ridge_minimum Lambda e v -> distance v c0 <= h_factor Lambda * (B * (1 + sqrt (m - 1) / (2 * sqrt Lambda)))).
    { intros s e v Pe Re Ye Me. unfold rows_at_most in Re. unfold labels_within in Ye. rewrite Pe in Re, Ye.
      inversion Re as [|? ? Hs _]. inversion Ye as [|? ? Hy _]. subst.
      apply (minimum_permutation Lambda e (s :: rest) v Pe) in Me.
      eapply Rle_trans; [apply (one_more Lambda s rest v c0 HL Hs Me M0)|].
      apply Rmult_le_compat_l; [lra|].
      assert (small : Rabs (inner (row s) c0) <= B * (sqrt (m - 1) / (2 * sqrt Lambda))).
      { eapply Rle_trans; [apply cauchy_schwarz|].
        pose proof (ridge_norm Lambda rest c0 HL M0) as N. pose proof (label_norm_within B rest HB rest_labels) as LN.
        rewrite length_rest in LN. pose proof (norm_positive c0). pose proof (norm_positive (row s)).
        assert (label_norm rest / (2 * sqrt Lambda) <= B * sqrt (m - 1) / (2 * sqrt Lambda))
          by (apply Rmult_le_compat_r; lra).
        unfold Rdiv in *. nra. }
      pose proof (Rabs_triang (label s) (- inner (row s) c0)) as T. rewrite Rabs_Ropp in T.
      fold (label s - inner (row s) c0) in T. lra. }
    eapply Rle_trans; [apply (distance_triangle _ c0)|]. rewrite (distance_symmetric c0).
    pose proof (each r data c P R Y M). pose proof (each r' data' c' P' R' Y' M'). lra.
Qed.

(** lnsx25.rls.normed-labels: with rows of norm at most 1 and labels of norm at most 1 substitution moves the minimum by
    at most 2 h sqrt(1 + 1/(4 Lambda)), which is at most 2/Lambda. *)
Theorem ridge_substitution_short_rows Lambda r r' rest data data' c c' : 0 < Lambda ->
  Permutation data (r :: rest) -> Permutation data' (r' :: rest) ->
  rows_at_most 1 data -> rows_at_most 1 data' -> label_norm data <= 1 -> label_norm data' <= 1 ->
  ridge_minimum Lambda data c -> ridge_minimum Lambda data' c' ->
  distance c c' <= 2 * h_factor Lambda * sqrt (1 + 1 / (4 * Lambda)) /\
  2 * h_factor Lambda * sqrt (1 + 1 / (4 * Lambda)) <= 2 / Lambda.
Proof.
  intros HL P P' R R' Y Y' M M'. pose proof (sqrt_lt_R0 Lambda HL) as S.
  pose proof (sqrt_sqrt Lambda (Rlt_le _ _ HL)) as SS. pose proof (h_factor_positive Lambda HL) as H.
  assert (I : 0 < 1 / (4 * Lambda)) by (apply Rdiv_lt_0_compat; lra). split.
  - destruct (ridge_minimum_exists Lambda rest HL) as [c0 M0].
    assert (each : forall s e v, Permutation e (s :: rest) -> rows_at_most 1 e -> label_norm e <= 1 ->
      ridge_minimum Lambda e v -> distance v c0 <= h_factor Lambda * sqrt (1 + 1 / (4 * Lambda))).
    { intros s e v Pe Re Ye Me. unfold rows_at_most in Re. rewrite Pe in Re. inversion Re as [|? ? Hs _]. subst.
      apply (minimum_permutation Lambda e (s :: rest) v Pe) in Me.
      eapply Rle_trans; [apply (one_more Lambda s rest v c0 HL Hs Me M0)|].
      apply Rmult_le_compat_l; [lra|].
      pose proof (ridge_norm Lambda rest c0 HL M0) as N. pose proof (label_norm_positive rest) as Q.
      pose proof (label_norm_squared rest) as LQ.
      assert (sum_at_most : label s ^ 2 + label_norm rest ^ 2 <= 1).
      { rewrite LQ. pose proof (label_norm_squared e) as LE. rewrite (sum_permuted _ _ _ Pe) in LE. cbn [sum] in LE.
        rewrite <- LE. pose proof (label_norm_positive e). nra. }
      assert (small : Rabs (inner (row s) c0) <= label_norm rest / (2 * sqrt Lambda)).
      { eapply Rle_trans; [apply cauchy_schwarz|].
        pose proof (norm_positive c0). pose proof (norm_positive (row s)). nra. }
      apply sqrt_of_square_at_most; [apply sqrt_pos|]. rewrite pow2_sqrt by lra.
      assert (T : Rabs (label s - inner (row s) c0) <= Rabs (label s) + label_norm rest * (1 / (2 * sqrt Lambda))).
      { pose proof (Rabs_triang (label s) (- inner (row s) c0)) as T. rewrite Rabs_Ropp in T.
        fold (label s - inner (row s) c0) in T. unfold Rdiv in *. lra. }
      set (w := 1 / (2 * sqrt Lambda)) in *.
      assert (W : w ^ 2 = 1 / (4 * Lambda)) by (unfold w; rewrite <- SS at 2; field; lra).
      rewrite <- W. rewrite <- (pow2_abs (label s)) in sum_at_most. pose proof (Rabs_pos (label s)).
      pose proof (Rabs_pos (label s - inner (row s) c0)).
      set (x := Rabs (label s)) in *. set (n := label_norm rest) in *.
      assert (Rabs (label s - inner (row s) c0) ^ 2 <= (x + n * w) ^ 2) by (apply pow_incr; lra).
      assert ((x + n * w) ^ 2 <= (x ^ 2 + n ^ 2) * (1 + w ^ 2)) by (pose proof (pow2_ge_0 (x * w - n)); nra).
      pose proof (pow2_ge_0 w). nra. }
    eapply Rle_trans; [apply (distance_triangle _ c0)|]. rewrite (distance_symmetric c0).
    pose proof (each r data c P R Y M). pose proof (each r' data' c' P' R' Y' M'). lra.
  - apply sqrt_of_square_at_most; [apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]|].
    rewrite Rpow_mult_distr, pow2_sqrt by lra. unfold h_factor. destruct (Rle_dec 1 Lambda) as [L | L].
    + apply (Rmult_le_reg_r (Lambda ^ 2 * (1 + Lambda) ^ 2)); [apply Rmult_lt_0_compat; apply pow_lt; lra|].
      replace ((2 * (1 / (1 + Lambda))) ^ 2 * (1 + 1 / (4 * Lambda)) * (Lambda ^ 2 * (1 + Lambda) ^ 2))
        with (4 * Lambda ^ 2 + Lambda) by (field; lra).
      replace ((2 / Lambda) ^ 2 * (Lambda ^ 2 * (1 + Lambda) ^ 2)) with (4 * (1 + Lambda) ^ 2) by (field; lra). nra.
    + apply (Rmult_le_reg_r (4 * Lambda ^ 2)); [pose proof (pow_lt Lambda 2 HL); lra|].
      replace ((2 * (1 / (2 * sqrt Lambda))) ^ 2) with (/ Lambda) by (rewrite <- SS at 1; field; lra).
      replace (/ Lambda * (1 + 1 / (4 * Lambda)) * (4 * Lambda ^ 2)) with (4 * Lambda + 1) by (field; lra).
      replace ((2 / Lambda) ^ 2 * (4 * Lambda ^ 2)) with 16 by (field; lra). lra.
Qed.
End Ridge.
