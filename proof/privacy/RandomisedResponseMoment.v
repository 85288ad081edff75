(** The moment of randomised response.

    For randomised response with loss s, E_P[(P/Q)^l] = cosh((l + 1/2) s)/cosh(s/2), and this is at least 1.
    It is also at most exp(l s tanh(s/2) + (l s)^2/2): the loss is s or -s and has mean s tanh(s/2), and this is
    Hoeffding's lemma for it. Two real inequalities carry that: cosh x <= exp(x^2/2), and tanh x <= x for x >= 0.

    Claims: none.
*)
Require Import Reals Lra.
From DpAssay Require Import Privacy LikelihoodMoments.
Open Scope R_scope.

(** E_P[(P/Q)^l] where P and Q are the two laws of randomised response with loss s. *)
Definition rr_moment (l s : R) : R := cosh ((l + / 2) * s) / cosh (s / 2).

Lemma exp_ge1 x : 0 <= x -> 1 <= exp x.
Proof. intros. rewrite <- exp_0. now apply exp_le. Qed.

Lemma cosh_pos x : 0 < cosh x.
Proof. unfold cosh. pose proof (exp_pos x). pose proof (exp_pos (- x)). lra. Qed.

(** The answer s has the probability e^s/(1 + e^s) under P, and -s has 1/(1 + e^s). *)
Lemma rr_moment_is l s : (1 + exp s) * rr_moment l s = exp ((1 + l) * s) + exp (- (l * s)).
Proof.
  unfold rr_moment, cosh. pose proof (exp_pos (s / 2)) as A. pose proof (exp_pos (- (s / 2))) as B.
  apply Rmult_eq_reg_r with (exp (s / 2) + exp (- (s / 2))); [|lra].
  set (up := exp ((l + / 2) * s)). set (down := exp (- ((l + / 2) * s))).
  transitivity ((1 + exp s) * (up + down)); [field; lra|].
  assert (P1 : up = exp ((1 + l) * s) * exp (- (s / 2))) by (unfold up; rewrite <- exp_plus; f_equal; field).
  assert (P2 : exp s * down = exp (- (l * s)) * exp (s / 2)) by (unfold down; rewrite <- !exp_plus; f_equal; field).
  assert (P3 : exp s * up = exp ((1 + l) * s) * exp (s / 2)) by (unfold up; rewrite <- !exp_plus; f_equal; field).
  assert (P4 : down = exp (- (l * s)) * exp (- (s / 2))) by (unfold down; rewrite <- exp_plus; f_equal; field).
  replace ((1 + exp s) * (up + down)) with (up + down + exp s * up + exp s * down) by ring.
  rewrite P2, P3. rewrite P1, P4 at 1. ring.
Qed.

Lemma rr_moment_ge1 l s : 0 <= l -> 0 <= s -> 1 <= rr_moment l s.
Proof.
  intros Hl Hs. pose proof (exp_pos s). apply Rmult_le_reg_l with (1 + exp s); [lra|]. rewrite rr_moment_is.
  (* The difference is (e^((1+l) s) - 1) (1 - e^(-l s)). *)
  assert (split : exp s = exp ((1 + l) * s) * exp (- (l * s))) by (rewrite <- exp_plus; f_equal; ring).
  assert (0 <= (1 + l) * s) by (apply Rmult_le_pos; lra). assert (0 <= l * s) by (apply Rmult_le_pos; lra).
  pose proof (exp_ge1 ((1 + l) * s) ltac:(auto)) as A.
  assert (B : exp (- (l * s)) <= 1) by (rewrite <- exp_0; apply exp_le; lra).
  assert (0 <= (exp ((1 + l) * s) - 1) * (1 - exp (- (l * s)))) by (apply Rmult_le_pos; lra).
  rewrite split. lra.
Qed.

(** A function that vanishes at 0 and has a derivative below 0 is below 0. *)
Lemma decreasing_from_0 (f f' : R -> R) : f 0 <= 0 -> (forall x, derivable_pt_lim f x (f' x)) ->
  (forall x, 0 <= x -> f' x <= 0) -> forall x, 0 <= x -> f x <= 0.
Proof.
  intros F0 D N x [Hx | <-]; [|auto].
  destruct (MVT_cor2 f f' 0 x Hx (fun c _ => D c)) as (c & E & Hc).
  assert (f' c * (x - 0) <= 0) by (specialize (N c ltac:(lra)); nra). lra.
Qed.

Lemma sinh_ge0 x : 0 <= x -> 0 <= sinh x.
Proof. intros. unfold sinh. pose proof (exp_le (- x) x ltac:(lra)). lra. Qed.

Lemma sinh_le x : 0 <= x -> sinh x <= x * cosh x.
Proof.
  intros Hx. cut (sinh x - x * cosh x <= 0); [lra|].
  apply (decreasing_from_0 (fun y => sinh y - y * cosh y) (fun y => cosh y - (1 * cosh y + y * sinh y))); auto.
  - unfold sinh. rewrite Ropp_0. lra.
  - intros y. apply derivable_pt_lim_minus; [apply derivable_pt_lim_sinh|].
    apply (derivable_pt_lim_mult id cosh); [apply derivable_pt_lim_id | apply derivable_pt_lim_cosh].
  - intros y Hy. pose proof (Rmult_le_pos y (sinh y) Hy (sinh_ge0 y Hy)). lra.
Qed.

Lemma tanh_le x : 0 <= x -> tanh x <= x.
Proof.
  intros Hx. unfold tanh. pose proof (cosh_pos x). apply Rmult_le_reg_r with (cosh x); auto.
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. pose proof (sinh_le x Hx). lra.
Qed.

Lemma tanh_ge0 x : 0 <= x -> 0 <= tanh x.
Proof. intros Hx. apply Rmult_le_pos; [now apply sinh_ge0 | left; apply Rinv_0_lt_compat, cosh_pos]. Qed.

Lemma cosh_0 : cosh 0 = 1.
Proof. unfold cosh. rewrite Ropp_0, exp_0. field. Qed.

Lemma cosh_le x : 0 <= x -> cosh x <= exp (x * x / 2).
Proof.
  intros Hx. cut (ln (cosh x) - x * x / 2 <= 0).
  - intros H. rewrite <- (exp_ln (cosh x)) by apply cosh_pos. apply exp_le. lra.
  - apply (decreasing_from_0 (fun y => ln (cosh y) - y * y / 2) (fun y => / cosh y * sinh y - y)); auto.
    + rewrite cosh_0, ln_1. lra.
    + intros y. apply derivable_pt_lim_minus.
      * apply (derivable_pt_lim_comp cosh ln); [apply derivable_pt_lim_cosh | apply derivable_pt_lim_ln, cosh_pos].
      * replace y with ((1 * y + y * 1) * / 2 + (y * y) * 0) at 2 by field.
        apply (derivable_pt_lim_mult (fun z => z * z) (fun _ => / 2)); [|apply derivable_pt_lim_const].
        apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id.
    + intros y Hy. pose proof (tanh_le y Hy). unfold tanh in *. lra.
Qed.

Lemma cosh_plus x y : cosh (x + y) = cosh x * cosh y + sinh x * sinh y.
Proof. unfold cosh, sinh. rewrite Ropp_plus_distr, !exp_plus. field. Qed.

(** Hoeffding's lemma for the loss of randomised response, whose mean is s tanh(s/2). *)
Lemma rr_moment_le l s : 0 <= l -> 0 <= s -> rr_moment l s <= exp (l * s * tanh (s / 2) + (l * s) * (l * s) / 2).
Proof.
  intros Hl Hs. set (x := l * s). assert (Hx : 0 <= x) by (apply Rmult_le_pos; auto).
  pose proof (cosh_pos (s / 2)) as C. pose proof (tanh_ge0 (s / 2) ltac:(lra)) as Ht. set (t := tanh (s / 2)) in *.
  (* The moment is cosh x + t sinh x = cosh x (1 + t tanh x). *)
  assert (moment : rr_moment l s = cosh x * (1 + t * tanh x)).
  { unfold rr_moment. replace ((l + / 2) * s) with (x + s / 2) by (unfold x; field). rewrite cosh_plus.
    unfold t, tanh. pose proof (cosh_pos x). field. lra. }
  rewrite moment, (Rplus_comm (x * t)), exp_plus. pose proof (tanh_ge0 x Hx) as Hx'. pose proof (tanh_le x Hx) as small.
  apply Rmult_le_compat; [left; apply cosh_pos | nra | now apply cosh_le|].
  apply Rle_trans with (exp (t * tanh x)); [apply exp_ge_tangent|]. apply exp_le. nra.
Qed.
