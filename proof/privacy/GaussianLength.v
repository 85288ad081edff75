(** The length of a vector of discrete Gaussian noise.

    Let U_i = Y_i / sqrt v_i for m independent discrete Gaussians Y_i of parameters v_i.  With probability at least
    1 - beta the length of U is at most sqrt m + sqrt(2 ln(1/beta)).  Then every combination of the Y_i with
    c_1^2 v_1 + ... + c_m^2 v_m <= B is at most sqrt B times that, all of them together.

    The step that the page takes from Poisson's formula is: sqrt c theta c 0 grows with c.  Here it follows from the
    variance, which is at most v = 1/(2c): the mean of e^(-a Y^2) is at least e^(-a v) (tangent at v), so
    theta (c + a) 0 >= e^(-a/(2c)) theta c 0; many small steps from c to c' give the factor sqrt(c/c').

    The claim is this with c_a = gamma z^a and v_a = tau^2 W_a/gamma^2: then the weighted squares are tau^2 K(z, z) <=
    tau^2 R^2 = B. That the kernel is a sum of features is not repeated here.

    Claims: jt13.gp.error.adaptive.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Totals Distributions ThetaSums GaussianMechanism GaussianTails.
Open Scope R_scope.

(** One step from c to c'. *)
Lemma theta_step c c' : 0 < c <= c' -> exp (- ((c' - c) / (2 * c))) * theta c 0 <= theta c' 0.
Proof.
  intros [Hc Hc']. set (v := / (2 * c)). assert (Hv : 0 < v) by (apply Rinv_0_lt_compat; lra).
  destruct (gaussian_variance v Hv) as (V & T & L). set (a := c' - c).
  assert (Ha : 0 <= a) by (unfold a; lra).
  pose proof (theta_pos c 0 Hc) as T0. assert (Ec : / (2 * v) = c) by (unfold v; field; lra).
  set (p := discrete_gaussian v Hv 0) in *.
  assert (Pb : forall k, p k = / theta c 0 * bell c 0 k).
  { intros k. unfold p. cbn. rewrite gaussian_probability_bell by exact Hv. now rewrite Ec. }
  assert (G : 1 + a * v <= exp (a * v) * (/ theta c 0 * theta c' 0) + a * V).
  { apply (has_total_le (fun k => (1 + a * v) * p k)
      (fun k => exp (a * v) * (/ theta c 0 * bell c' 0 k) + a * (p k * IZR k ^ 2))).
    - intros k. assert (B : bell c' 0 k = bell c 0 k * exp (- (a * IZR k ^ 2))).
      { unfold bell, a. rewrite <- exp_plus. f_equal. ring. }
      rewrite B. replace (exp (a * v) * (/ theta c 0 * (bell c 0 k * exp (- (a * IZR k ^ 2)))))
        with (p k * (exp (a * v) * exp (- (a * IZR k ^ 2)))) by (rewrite Pb; ring).
      rewrite <- exp_plus. pose proof (exp_ineq1_le (a * v + - (a * IZR k ^ 2))) as E.
      pose proof (probability_ge0 p k) as P.
      apply (Rmult_le_compat_l _ _ _ P) in E. lra.
    - pose proof (has_total_scal (1 + a * v) p 1) as S. rewrite Rmult_1_r in S. apply S; [|apply probability_total].
      assert (0 <= a * v) by (apply Rmult_le_pos; lra). lra.
    - apply has_total_plus.
      + intros k. apply Rmult_le_pos; [left; apply exp_pos|]. apply Rmult_le_pos; left;
          [now apply Rinv_0_lt_compat | apply bell_pos].
      + intros k. apply Rmult_le_pos; auto. apply Rmult_le_pos; [apply probability_ge0 | apply pow2_ge_0].
      + apply has_total_scal; [left; apply exp_pos|]. apply has_total_scal; [left; now apply Rinv_0_lt_compat|].
        apply theta_is. lra.
      + now apply has_total_scal. }
  assert (a * V <= a * v) by (now apply Rmult_le_compat_l).
  assert (K : 1 <= exp (a * v) * (/ theta c 0 * theta c' 0)) by lra.
  replace (a / (2 * c)) with (a * v) by (unfold v; field; lra).
  apply (Rmult_le_compat_l (exp (- (a * v)) * theta c 0)) in K;
    [|apply Rmult_le_pos; left; [apply exp_pos | exact T0]].
  replace (exp (- (a * v)) * theta c 0 * (exp (a * v) * (/ theta c 0 * theta c' 0))) with (theta c' 0) in K; [lra|].
  rewrite exp_Ropp. field. split; [lra | apply Rgt_not_eq, exp_pos].
Qed.
Lemma theta_steps c rho n : 0 < c -> 1 <= rho -> exp (- (INR n * ((rho - 1) / 2))) * theta c 0 <= theta (c * rho ^ n) 0.
Proof.
  intros Hc Hr. induction n as [|n IH].
  - simpl. rewrite Rmult_0_l, Ropp_0, exp_0, Rmult_1_r. lra.
  - assert (P : 1 <= rho ^ n) by (now apply pow_R1_Rle).
    set (d := c * rho ^ n) in *.
    assert (Hd : 0 < d) by (apply Rmult_lt_0_compat; lra).
    assert (Hdr : d <= d * rho) by (rewrite <- (Rmult_1_r d) at 1; apply Rmult_le_compat_l; lra).
    pose proof (theta_step d (d * rho) (conj Hd Hdr)) as S.
    replace (c * rho ^ Datatypes.S n) with (d * rho) by (unfold d; simpl; ring).
    replace ((d * rho - d) / (2 * d)) with ((rho - 1) / 2) in S by (field; lra).
    eapply Rle_trans; [|exact S]. rewrite S_INR.
    replace (- ((INR n + 1) * ((rho - 1) / 2))) with (- ((rho - 1) / 2) + - (INR n * ((rho - 1) / 2))) by ring.
    rewrite exp_plus, Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos | exact IH].
Qed.
(** sqrt c theta c 0 grows with c. *)
Lemma theta_scaled_grows c c' : 0 < c <= c' -> sqrt c * theta c 0 <= sqrt c' * theta c' 0.
Proof.
  intros [Hc [L | <-]]; [|lra]. set (lam := ln (c' / c)).
  assert (Q : 0 < c' / c) by (apply Rdiv_lt_0_compat; lra).
  assert (Hl : 0 < lam).
  { unfold lam. rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with c; auto.
    replace (c' / c * c) with c' by (field; lra). lra. }
  pose proof (theta_pos c 0 Hc) as T. pose proof (theta_pos c' 0 ltac:(lra)) as T'.
  assert (Ln : ln (theta c 0) - lam / 2 <= ln (theta c' 0)).
  { enough (ln (theta c 0) - ln (theta c' 0) <= lam / 2) by lra. apply le_epsilon. intros e He.
    (* n steps by the factor e^(lam/n): n (e^(lam/n) - 1) <= lam + 2 e *)
    destruct (archimed (lam * (lam + 2 * e) / (2 * e))) as [A _].
    set (n := Z.to_nat (up (lam * (lam + 2 * e) / (2 * e)))).
    assert (Pos : 0 < lam * (lam + 2 * e) / (2 * e)) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra).
    assert (Hn : lam * (lam + 2 * e) / (2 * e) < INR n).
    { unfold n. rewrite INR_IZR_INZ, Z2Nat.id; [lra|]. apply le_IZR. lra. }
    set (y := lam / INR n). assert (N0 : 0 < INR n) by lra. assert (Ey : INR n * y = lam) by (unfold y; field; lra).
    assert (Y : 0 < y) by (now apply Rdiv_lt_0_compat).
    assert (Y1 : y * (lam + 2 * e) <= 2 * e).
    { apply Rmult_le_reg_l with (INR n); auto. rewrite <- Rmult_assoc, Ey.
      apply Rmult_le_reg_r with (/ (2 * e)); [apply Rinv_0_lt_compat; lra|].
      replace (INR n * (2 * e) * / (2 * e)) with (INR n) by (field; lra). unfold Rdiv in Hn. lra. }
    assert (Eps : INR n * (exp y - 1) <= lam + 2 * e).
    { pose proof (exp_ineq1_le (- y)) as E.
      assert (I : exp y * exp (- y) = 1) by (rewrite <- exp_plus, <- exp_0; f_equal; ring).
      pose proof (exp_pos y). assert (exp y * (1 + - y) <= 1) by (rewrite <- I; apply Rmult_le_compat_l; lra).
      (* (e^y - 1) (1 - y) <= y, and 1 - y >= lam/(lam + 2e) *)
      assert (G : INR n * (exp y - 1) * (1 - y) <= lam).
      { rewrite <- Ey. rewrite Rmult_assoc. apply Rmult_le_compat_l; lra. }
      assert (Z : 0 <= INR n * (exp y - 1)) by (apply Rmult_le_pos; [lra|]; pose proof (exp_ineq1_le y); lra).
      set (z := INR n * (exp y - 1)) in *.
      assert (z * (lam / (lam + 2 * e)) <= z * (1 - y)).
      { apply Rmult_le_compat_l; auto. apply Rmult_le_reg_r with (lam + 2 * e); [lra|].
        replace (lam / (lam + 2 * e) * (lam + 2 * e)) with lam by (field; lra). lra. }
      apply Rmult_le_reg_r with (lam / (lam + 2 * e)); [apply Rdiv_lt_0_compat; lra|].
      replace ((lam + 2 * e) * (lam / (lam + 2 * e))) with lam by (field; lra). lra. }
    pose proof (theta_steps c (exp y) n Hc) as S.
    assert (Elam : exp lam = c' / c) by (now apply exp_ln).
    rewrite exp_pow, Ey, Elam in S.
    replace (c * (c' / c)) with c' in S by (field; lra).
    specialize (S ltac:(pose proof (exp_ineq1_le y); lra)).
    assert (S' : exp (- (lam / 2 + e) + ln (theta c 0)) <= theta c' 0).
    { eapply Rle_trans; [|exact S]. rewrite exp_plus, exp_ln by exact T.
      apply Rmult_le_compat_r; [lra|]. apply exp_le. lra. }
    assert (- (lam / 2 + e) + ln (theta c 0) <= ln (theta c' 0)); [|lra].
    rewrite <- (ln_exp (- (lam / 2 + e) + ln (theta c 0))).
    destruct S' as [S' | <-]; [left; apply ln_increasing; [apply exp_pos | exact S'] | lra]. }
  (* back from logarithms *)
  assert (Sq : sqrt c' = sqrt c * exp (lam / 2)).
  { apply Rsqr_inj; [apply sqrt_pos | apply Rmult_le_pos; [apply sqrt_pos | left; apply exp_pos]|].
    unfold Rsqr. rewrite sqrt_sqrt by lra. replace (sqrt c * exp (lam / 2) * (sqrt c * exp (lam / 2)))
      with (sqrt c * sqrt c * (exp (lam / 2) * exp (lam / 2))) by ring.
    rewrite sqrt_sqrt, <- exp_plus by lra. replace (lam / 2 + lam / 2) with lam by field.
    unfold lam. rewrite exp_ln by exact Q. field. lra. }
  rewrite Sq, Rmult_assoc. apply Rmult_le_compat_l; [apply sqrt_pos|].
  rewrite <- (exp_ln (theta c 0)), <- (exp_ln (theta c' 0)) by auto. rewrite <- exp_plus. apply exp_le. lra.
Qed.

(** The mean of e^(s Y^2/v). *)
Lemma gaussian_square_moment v (Hv : 0 < v) s : 0 <= s < / 2 -> exists mean,
  has_total (fun k => discrete_gaussian v Hv 0 k * exp (s * (IZR k ^ 2 / v))) mean /\ mean <= / sqrt (1 - 2 * s).
Proof.
  intros Hs. set (c := / (2 * v)). assert (Hc : 0 < c) by (apply Rinv_0_lt_compat; lra).
  pose proof (theta_pos c 0 Hc) as T. set (d := c * (1 - 2 * s)). assert (Hd : 0 < d) by (apply Rmult_lt_0_compat; lra).
  exists (/ theta c 0 * theta d 0). split.
  - apply (has_total_ext (fun k => / theta c 0 * bell d 0 k)).
    + intros k. cbn. rewrite gaussian_probability_bell by exact Hv. fold c. rewrite Rmult_assoc. f_equal.
      unfold bell. rewrite <- exp_plus. f_equal. unfold d, c. field. lra.
    + apply has_total_scal; [left; now apply Rinv_0_lt_compat | now apply theta_is].
  - pose proof (theta_scaled_grows d c ltac:(split; [exact Hd | unfold d; nra])) as G.
    unfold d in G at 1. rewrite sqrt_mult in G by lra.
    assert (Sc : 0 < sqrt c) by (now apply sqrt_lt_R0). assert (Sq : 0 < sqrt (1 - 2 * s)) by (apply sqrt_lt_R0; lra).
    rewrite Rmult_assoc in G. apply Rmult_le_reg_l in G; auto.
    apply Rmult_le_reg_l with (sqrt (1 - 2 * s) * theta c 0); [now apply Rmult_lt_0_compat|].
    replace (sqrt (1 - 2 * s) * theta c 0 * (/ theta c 0 * theta d 0))
      with (sqrt (1 - 2 * s) * theta d 0) by (field; lra).
    replace (sqrt (1 - 2 * s) * theta c 0 * / sqrt (1 - 2 * s)) with (theta c 0) by (field; lra). exact G.
Qed.

(** k_1^2/v_1 + ... + k_m^2/v_m, the square of the length of U. *)
Fixpoint scaled_square (vs : list posreal) (ks : list Z) : R :=
  match vs, ks with v :: vs', k :: ks' => IZR k ^ 2 / v + scaled_square vs' ks' | _, _ => 0 end.
Lemma scaled_square_moment s vs : 0 <= s < / 2 -> exists mean,
  has_total (fun ks => noise vs ks * exp (s * scaled_square vs ks)) mean /\ mean <= (/ sqrt (1 - 2 * s)) ^ length vs.
Proof.
  intros Hs. induction vs as [|v vs (mean & T & L)].
  - exists 1. split; [|simpl; lra]. apply (has_total_ext (noise [])); [|apply probability_total].
    intros ks. cbn [scaled_square]. rewrite Rmult_0_r, exp_0. lra.
  - destruct (gaussian_square_moment v (cond_pos v) s Hs) as (mean1 & T1 & L1). exists (mean1 * mean). split.
    + apply (has_total_relabel joined); [apply joined_injective | |].
      * intros ks H. change (noise (v :: vs) ks)
          with (product_probability (map (fun w : posreal => discrete_gaussian w (cond_pos w) 0) (v :: vs)) ks).
        cbn [map]. rewrite product_outside by exact H. lra.
      * apply (has_total_ext (fun kk =>
          (discrete_gaussian v (cond_pos v) 0 (fst kk) * exp (s * (IZR (fst kk) ^ 2 / v))) *
          (noise vs (snd kk) * exp (s * scaled_square vs (snd kk))))).
        -- intros [k ks]. cbn -[gaussian_probability pow]. rewrite Rmult_plus_distr_l, exp_plus. ring.
        -- apply (has_total_product (fun k => discrete_gaussian v (cond_pos v) 0 k * exp (s * (IZR k ^ 2 / v)))
             (fun ks => noise vs ks * exp (s * scaled_square vs ks))); auto;
             intros; apply Rmult_le_pos; try apply probability_ge0; left; apply exp_pos.
    + cbn [length pow]. apply Rmult_le_compat; auto; [apply (has_total_ge0 _ _ T1) | apply (has_total_ge0 _ _ T)].
Qed.

(** Whether the length of U is above r. *)
Definition longer (r : R) (vs : list posreal) (ks : list Z) : R :=
  if Rlt_dec (r ^ 2) (scaled_square vs ks) then 1 else 0.
Lemma longer_test r vs : test (longer r vs).
Proof. intros ks. unfold longer. destruct (Rlt_dec (r ^ 2) (scaled_square vs ks)); lra. Qed.
(** jt13.gp.error.adaptive: with probability at least 1 - beta the length of U is at most
    sqrt m + sqrt(2 ln(1/beta)). *)
Theorem noise_length vs beta : vs <> [] -> 0 < beta < 1 ->
  law_of (noise vs) (longer (sqrt (INR (length vs)) + sqrt (2 * ln (1 / beta))) vs) <= beta.
Proof.
  intros Ne Hb. set (m := length vs). set (L := ln (1 / beta)).
  assert (HM : 1 <= INR m).
  { unfold m. destruct vs as [|v vs]; [congruence|]. change (length (v :: vs)) with (S (length vs)). rewrite S_INR.
    pose proof (pos_INR (length vs)). lra. }
  assert (EL : exp (- L) = beta).
  { unfold L, Rdiv. rewrite Rmult_1_l, ln_Rinv, Ropp_involutive by lra. apply exp_ln. lra. }
  assert (HL : 0 < L).
  { unfold L, Rdiv. rewrite Rmult_1_l, ln_Rinv by lra.
    assert (ln beta < ln 1) by (apply ln_increasing; lra). rewrite ln_1 in *. lra. }
  set (r := sqrt (INR m)). set (w := sqrt (2 * L)).
  assert (Hr : 0 < r) by (apply sqrt_lt_R0; lra). assert (Hw : 0 < w) by (apply sqrt_lt_R0; lra).
  assert (Rr : r * r = INR m) by (apply sqrt_sqrt; lra). assert (Ww : w * w = 2 * L) by (apply sqrt_sqrt; lra).
  (* 1 - 2 s = (r/(r+w))^2 *)
  set (q := r / (r + w)). assert (Hq : 0 < q < 1).
  { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (r + w); [lra|].
    unfold q. replace (r / (r + w) * (r + w)) with r by (field; lra). lra. }
  set (s := (1 - q * q) / 2). assert (Hs : 0 <= s < / 2) by (unfold s; split; nra).
  destruct (scaled_square_moment s vs Hs) as (mean & T & B). fold m in B.
  replace (1 - 2 * s) with (q * q) in B by (unfold s; field). rewrite sqrt_square in B by lra.
  assert (Su : s * (r + w) ^ 2 = r * w + L).
  { unfold s, q.
    replace ((1 - r / (r + w) * (r / (r + w))) / 2 * (r + w) ^ 2) with (r * w + (w * w) / 2) by (field; lra).
    rewrite Ww. field. }
  assert (Iq : / q = 1 + w / r) by (unfold q; field; lra).
  assert (Pw : (/ q) ^ m <= exp (r * w)).
  { apply Rle_trans with (exp (w / r) ^ m).
    - apply pow_incr. rewrite Iq. assert (0 < w / r) by (now apply Rdiv_lt_0_compat). split; [lra | apply exp_ineq1_le].
    - rewrite exp_pow. apply Req_le. f_equal. rewrite <- Rr. field. lra. }
  apply Rle_trans with (exp (- (r * w + L)) * mean).
  - apply (has_total_le (fun ks => noise vs ks * longer (r + w) vs ks)
      (fun ks => exp (- (r * w + L)) * (noise vs ks * exp (s * scaled_square vs ks)))).
    + intros ks. pose proof (probability_ge0 (noise vs) ks) as P.
      replace (exp (- (r * w + L)) * (noise vs ks * exp (s * scaled_square vs ks)))
        with (noise vs ks * exp (s * (scaled_square vs ks - (r + w) ^ 2))).
      2:{ rewrite Rmult_minus_distr_l, Su. unfold Rminus. rewrite exp_plus. ring. }
      apply Rmult_le_compat_l; auto. unfold longer. destruct (Rlt_dec ((r + w) ^ 2) (scaled_square vs ks)) as [Q | Q].
      * rewrite <- exp_0. apply exp_le. apply Rmult_le_pos; lra.
      * left. apply exp_pos.
    + apply law_of_ge0; [apply test_bounded, longer_test | apply longer_test].
    + apply has_total_scal; auto. left. apply exp_pos.
  - replace (- (r * w + L)) with (- (r * w) + - L) by ring. rewrite exp_plus, EL.
    assert (I : exp (- (r * w)) * exp (r * w) = 1) by (rewrite <- exp_plus, <- exp_0; f_equal; ring).
    assert (mean <= exp (r * w)) by lra. pose proof (exp_pos (- (r * w))).
    assert (exp (- (r * w)) * mean <= 1) by (rewrite <- I; apply Rmult_le_compat_l; lra). nra.
Qed.
Lemma weighted_squares_ge0 cs : forall vs, 0 <= weighted_squares cs vs.
Proof.
  induction cs as [|c cs IH]; intros [|v vs]; cbn [weighted_squares]; try lra.
  specialize (IH vs). pose proof (cond_pos v).
  assert (0 <= c ^ 2 * v) by (apply Rmult_le_pos; [apply pow2_ge_0 | lra]). lra.
Qed.
(** Cauchy and Schwarz: where U is no longer than r, every combination is at most sqrt(B) r. *)
Lemma combination_cauchy_schwarz cs : forall vs ks,
  combination cs ks ^ 2 <= weighted_squares cs vs * scaled_square vs ks \/
  length vs <> length ks \/ length cs <> length vs.
Proof.
  assert (Pos : forall vs ks, 0 <= scaled_square vs ks).
  { induction vs as [|v vs IH]; intros [|k ks]; cbn [scaled_square]; try lra. specialize (IH ks).
    assert (0 <= IZR k ^ 2 / v); [|lra].
    apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat, cond_pos]. }
  induction cs as [|c cs IH]; intros [|v vs] [|k ks]; try (right; simpl; lia); try (left; simpl; lra).
  destruct (IH vs ks) as [C | C]; [left | right; simpl; lia]. cbn [combination weighted_squares scaled_square].
  set (a := combination cs ks) in *. set (W := weighted_squares cs vs) in *. set (Q := scaled_square vs ks) in *.
  assert (W0 : 0 <= W) by apply weighted_squares_ge0.
  pose proof (Pos vs ks) as Q0. fold Q in Q0. pose proof (cond_pos v) as Hv. set (x := IZR k). set (V := pos v) in *.
  (* 2 (c x) a <= c^2 V Q + W x^2/V, as the product of the two terms on the right is at least (c x a)^2 *)
  assert (M : 2 * (c * x) * a <= c ^ 2 * V * Q + W * (x ^ 2 / V)).
  { set (A := c ^ 2 * V * Q). set (B := W * (x ^ 2 / V)).
    assert (A0 : 0 <= A) by (apply Rmult_le_pos; auto; apply Rmult_le_pos; [apply pow2_ge_0 | lra]).
    assert (B0 : 0 <= B).
    { apply Rmult_le_pos; auto. apply Rmult_le_pos; [apply pow2_ge_0 | left; now apply Rinv_0_lt_compat]. }
    assert (AB : (c * x * a) ^ 2 <= A * B).
    { replace (A * B) with ((c * x) ^ 2 * (W * Q)) by (unfold A, B; field; lra).
      replace ((c * x * a) ^ 2) with ((c * x) ^ 2 * a ^ 2) by ring.
      apply Rmult_le_compat_l; [apply pow2_ge_0 | exact C]. }
    assert (Sq : (2 * (c * x * a)) ^ 2 <= (A + B) ^ 2) by (pose proof (pow2_ge_0 (A - B)); nra).
    apply Rnot_lt_le. intros N. assert ((A + B) ^ 2 < (2 * (c * x * a)) ^ 2); [|lra].
    replace (2 * (c * x) * a) with (2 * (c * x * a)) in N by ring. nra. }
  replace ((c ^ 2 * V + W) * (x ^ 2 / V + Q))
    with ((c * x) ^ 2 + W * Q + (c ^ 2 * V * Q + W * (x ^ 2 / V))) by (field; lra).
  replace ((c * x + a) ^ 2) with ((c * x) ^ 2 + a ^ 2 + 2 * (c * x) * a) by ring. lra.
Qed.
(** jt13.gp.error.adaptive: where U is no longer than r, all combinations with c_1^2 v_1 + ... + c_m^2 v_m <= B are at
    most sqrt(B) r, also those that are chosen after the noise is seen. *)
Theorem short_noise_everywhere r vs ks : 0 <= r -> length ks = length vs -> longer r vs ks = 0 ->
  forall cs B, length cs = length vs -> weighted_squares cs vs <= B -> Rabs (combination cs ks) <= sqrt B * r.
Proof.
  intros Hr Lk Short cs B Lc W. unfold longer in Short.
  destruct (Rlt_dec (r ^ 2) (scaled_square vs ks)) as [|Q]; [lra|].
  destruct (combination_cauchy_schwarz cs vs ks) as [C | [C | C]]; [|congruence | congruence].
  pose proof (weighted_squares_ge0 cs vs) as W0.
  assert (HB : 0 <= B) by lra. pose proof (sqrt_pos B) as S0. pose proof (sqrt_sqrt B HB) as SB.
  set (x := combination cs ks) in *.
  assert (X : x ^ 2 <= (sqrt B * r) ^ 2).
  { replace ((sqrt B * r) ^ 2) with ((sqrt B * sqrt B) * r ^ 2) by ring. rewrite SB.
    eapply Rle_trans; [exact C|]. apply Rle_trans with (weighted_squares cs vs * r ^ 2).
    - apply Rmult_le_compat_l; lra.
    - apply Rmult_le_compat_r; [apply pow2_ge_0 | exact W]. }
  assert (Y : 0 <= sqrt B * r) by (now apply Rmult_le_pos).
  rewrite <- (pow2_abs x) in X. pose proof (Rabs_pos x). apply Rnot_lt_le. intros N.
  assert ((sqrt B * r) ^ 2 < Rabs x ^ 2) by nra. lra.
Qed.
