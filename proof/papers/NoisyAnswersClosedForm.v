(** Noisy answers without noise on the threshold: closed forms.

    Theorem A at the order l = 3 ln(1/delta)/(2 epsilon) shows that rounds with the loss
    epsilon/(3 sqrt(B) ln(1/delta)) are (epsilon, delta)-private together if B of them may be told; and so are rounds
    with the loss epsilon/(100 sqrt(B) ln(4/delta)), for any real B >= 1, if ceil(B) may be told; and rounds with half
    that loss, which is what Theorem 9 of the paper has. The ranges of epsilon and delta are those of the page. The
    proofs are those of the page, with rougher constants where those were enough. Theorem 9 is about Laplace noise of
    scale 1/eps_0 on answers that move by at most S; what is shown here of it is all that follows once such a round is
    known to have the loss S eps_0.

    Claims: jt13.corA1, jt13.corA2, jt13.thm9.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy LikelihoodMoments RandomisedResponseIsWorst RandomisedResponseMoment
  NoisyAnswersRound NoisyAnswers.
Open Scope R_scope.

(** D of Theorem A is at most (1 - e^-s/2) e^(l s), hence at most (1 + s)/2 e^(l s). *)
Lemma quiet_moment_simpler l s : 0 < l -> 0 < s -> quiet_moment l s <= (1 + s) / 2 * exp (l * s).
Proof.
  intros Hl Hs. pose proof (exp_s_above_1 s Hs) as above_1. pose proof (exp_minus_s s) as inverse.
  pose proof (exp_minus_s_between s Hs) as between. pose proof (exp_ge_tangent (- s)) as tangent.
  set (e := exp s) in *. set (m := exp (- s)) in *. pose proof (exp_pos (l * s)) as Hx.
  apply Rle_trans with ((1 - m / 2) * exp (l * s)); [|apply Rmult_le_compat_r; lra].
  unfold quiet_moment. fold e m. apply Rmax_lub.
  - apply Rmult_le_compat_l; [lra|]. rewrite <- Rpower_of_exp. apply Rpower_le_base; [lra|]. fold e.
    pose proof (exp_ge_tangent s). fold e in H. nra.
  - replace ((1 + l) * s) with (s + l * s) by ring. rewrite exp_plus. fold e. unfold Rdiv.
    replace (e * exp (l * s) * / (1 + e)) with (e / (1 + e) * exp (l * s)) by (unfold Rdiv; ring).
    apply Rmult_le_compat_r; [lra|]. apply Rmult_le_reg_r with (1 + e); [lra|].
    unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.

(** T - 1 is at most (x^2/2) (8/7) + x (8/7) s/2, where x = l s <= 1/2. *)
Lemma rr_moment_simpler l s : 0 < l -> 0 < s -> l * s <= / 2 ->
  rr_moment l s - 1 <= 4 / 7 * ((l * s) * (l * s) + l * s * s).
Proof.
  intros Hl Hs Hx. assert (0 < l * s) by (now apply Rmult_lt_0_compat). unfold rr_moment.
  replace ((l + / 2) * s) with (l * s + s / 2) by field. set (x := l * s) in *. rewrite cosh_plus.
  pose proof (cosh_pos (s / 2)). pose proof (tanh_le (s / 2) ltac:(lra)) as Ht.
  pose proof (tanh_ge0 (s / 2) ltac:(lra)) as Ht0.
  replace ((cosh x * cosh (s / 2) + sinh x * sinh (s / 2)) / cosh (s / 2)) with (cosh x + sinh x * tanh (s / 2))
    by (unfold tanh; field; lra).
  (* cosh x <= e^(x^2/2) <= 1/(1 - x^2/2) <= 1 + (8/7) x^2/2 *)
  pose proof (cosh_le x ltac:(lra)) as Hc. pose proof (exp_ge_tangent (- (x * x / 2))) as tangent.
  assert (square : 0 < x * x <= / 4) by nra.
  assert (Hcosh : cosh x <= 1 + 4 / 7 * (x * x)).
  { apply Rle_trans with (exp (x * x / 2)); auto.
    assert (inverse : exp (x * x / 2) * exp (- (x * x / 2)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
    pose proof (exp_pos (x * x / 2)). set (e := exp (x * x / 2)) in *. set (m := exp (- (x * x / 2))) in *.
    assert (e * (1 + - (x * x / 2)) <= 1) by (rewrite <- inverse; apply Rmult_le_compat_l; lra).
    nra. }
  pose proof (sinh_le x ltac:(lra)) as Hsinh. pose proof (sinh_ge0 x ltac:(lra)).
  assert (sinh x <= 8 / 7 * x) by nra.
  assert (sinh x * tanh (s / 2) <= 8 / 7 * x * (s / 2)) by (apply Rmult_le_compat; lra). lra.
Qed.

(** c of Theorem A, if D <= d < 1. *)
Lemma update_cost_le l s d : 0 < l -> 0 < s -> l * s <= / 2 -> quiet_moment l s <= d -> d < 1 ->
  update_cost l s <= 4 / 7 * ((l * s) * (l * s) + l * s * s) / (1 - d).
Proof.
  intros Hl Hs Hx HD Hd. pose proof (rr_moment_simpler l s Hl Hs Hx) as HT.
  pose proof (rr_moment_ge1 l s ltac:(lra) ltac:(lra)) as T1.
  pose proof (quotient_ge0 l s Hl Hs ltac:(lra)) as Q. unfold update_cost.
  apply Rle_trans with ((rr_moment l s - 1) / (1 - quiet_moment l s)).
  - set (y := (rr_moment l s - 1) / (1 - quiet_moment l s)) in *.
    rewrite <- (ln_exp y) at 2. destruct (exp_ge_tangent y) as [L | E].
    + left. apply ln_increasing; lra.
    + rewrite E. lra.
  - apply Rmult_le_compat; [lra | left; apply Rinv_0_lt_compat; lra | lra | apply Rinv_le_contravar; lra].
Qed.

(** From c to delta, at the order at which l epsilon = (3/2) ln(1/delta). *)
Lemma delta_reached l s (B : nat) epsilon delta : 0 < l -> 0 < delta ->
  l * epsilon = 3 / 2 * ln (/ delta) -> INR B * update_cost l s <= ln (/ delta) / 2 ->
  noisy_answers_delta l s B epsilon <= delta.
Proof.
  intros Hl Hd order cost. unfold noisy_answers_delta. fold (excess_factor l).
  rewrite <- (Rmult_1_r delta). apply Rmult_le_compat.
  - left. apply exp_pos.
  - left. now apply excess_factor_pos.
  - rewrite <- (exp_ln delta Hd). apply exp_le. rewrite ln_Rinv in * by auto. lra.
  - now apply excess_factor_le1.
Qed.

Section closed_forms.
Context {D A : Type}.
Variable adj : D -> D -> Prop.
Variable M : D -> published A -> law (option A).
Hypothesis symmetric : forall x y, adj x y -> adj y x.

Lemma session_dp (l s : R) (B rounds : nat) (epsilon delta : R) :
  (forall before, dp adj s 0 (fun x => M x before)) -> 0 < l -> 0 < s -> quiet_moment l s < 1 ->
  noisy_answers_delta l s B epsilon <= delta ->
  dp adj epsilon delta (fun x => session (M x) B rounds []).
Proof.
  intros pure_rounds Hl Hs room Hdelta x y xy f Hf.
  pose proof (noisy_answers_dp adj M l s B rounds epsilon symmetric pure_rounds Hl Hs room x y xy f Hf). lra.
Qed.

Lemma ln_inverse_pos delta : 0 < delta < 1 -> 0 < ln (/ delta).
Proof. intros. rewrite <- ln_1. apply ln_increasing; [lra|]. rewrite <- Rinv_1 at 1. apply Rinv_lt_contravar; lra. Qed.

(** jt13.corA1: rounds of the loss epsilon/(3 sqrt(B) ln(1/delta)), B of them told, are (epsilon, delta)-private. *)
Theorem closed_form_dp (B rounds : nat) (epsilon delta : R) :
  (1 <= B)%nat -> 0 < delta <= exp (- 5) -> 0 < epsilon <= ln (/ delta) / 5 ->
  (forall before, dp adj (epsilon / (3 * sqrt (INR B) * ln (/ delta))) 0 (fun x => M x before)) ->
  dp adj epsilon delta (fun x => session (M x) B rounds []).
Proof.
  intros HB Hdelta Heps pure_rounds.
  assert (below_1 : exp (- 5) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
  pose proof (ln_inverse_pos delta ltac:(lra)) as k0.
  assert (k5 : 5 <= ln (/ delta)).
  { rewrite ln_Rinv by lra. assert (ln delta <= ln (exp (- 5))).
    { destruct (proj2 Hdelta) as [L | ->]; [left; now apply ln_increasing | lra]. }
    rewrite ln_exp in H. lra. }
  set (k := ln (/ delta)) in *. set (s := epsilon / (3 * sqrt (INR B) * k)) in *.
  assert (B1 : 1 <= INR B) by (now apply (le_INR 1)).
  assert (square : sqrt (INR B) * sqrt (INR B) = INR B) by (apply sqrt_sqrt; lra).
  assert (R1 : 1 <= sqrt (INR B)) by (rewrite <- sqrt_1; apply sqrt_le_1; lra). set (r := sqrt (INR B)) in *.
  set (l := 3 / 2 * k / epsilon). assert (Hl : 0 < l) by (apply Rdiv_lt_0_compat; lra).
  assert (Hs : 0 < s) by (apply Rdiv_lt_0_compat; [lra|]; repeat apply Rmult_lt_0_compat; lra).
  assert (Ex : l * s = / (2 * r)) by (unfold l, s; field; lra). set (x := l * s) in *.
  assert (Hr : 0 < / r <= 1).
  { split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]. }
  assert (Hx : 0 < x <= / 2) by (rewrite Ex, Rinv_mult; lra).
  assert (Bx : INR B * (x * x) = / 4) by (rewrite Ex, <- square; field; lra).
  assert (Hsx : s <= x * (2 / 15)).
  { replace s with (x * (epsilon / k) * (2 / 3)) by (unfold x, l; field; lra).
    assert (epsilon / k <= / 5).
    { apply Rmult_le_reg_r with k; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    nra. }
  (* D is at most (1 + 1/15)/2 sqrt(3), below 0.925. *)
  assert (root3 : exp x <= 1.733).
  { apply Rle_trans with (exp (/ 2)); [now apply exp_le|]. pose proof exp_le_3 as e3.
    replace 1 with (/ 2 + / 2) in e3 by field. rewrite exp_plus in e3. pose proof (exp_pos (/ 2)). nra. }
  assert (HD : quiet_moment l s <= 0.925).
  { eapply Rle_trans; [now apply quiet_moment_simpler|]. fold x. pose proof (exp_pos x). nra. }
  apply (session_dp l s); auto; [lra|]. apply delta_reached; [auto | lra | unfold l, k; field; lra |].
  fold k. pose proof (update_cost_le l s 0.925 Hl Hs (proj2 Hx) HD ltac:(lra)) as cost. fold x in cost.
  assert (cost' : update_cost l s <= 10 * (x * x)) by nra. nra.
Qed.

(** jt13.corA2: rounds of the loss epsilon/(100 sqrt(B) ln(4/delta)), at most ceil(B) of them told, are
    (epsilon, delta)-private. A natural number is at most ceil(B) if it is below B + 1. *)
Theorem printed_noise_dp (B : R) (updates rounds : nat) (epsilon delta : R) :
  1 <= B -> INR updates < B + 1 -> 0 < epsilon <= 10 -> 0 < delta < 1 ->
  (forall before, dp adj (epsilon / (100 * sqrt B * ln (4 / delta))) 0 (fun x => M x before)) ->
  dp adj epsilon delta (fun x => session (M x) updates rounds []).
Proof.
  intros HB Hupdates Heps Hdelta pure_rounds. pose proof (ln_inverse_pos delta Hdelta) as k0.
  assert (Hg : 1 < ln 4).
  { rewrite <- (ln_exp 1). apply ln_increasing; [apply exp_pos | pose proof exp_le_3; lra]. }
  assert (Eg : ln (4 / delta) = ln 4 + ln (/ delta)).
  { unfold Rdiv. apply ln_mult; [lra | apply Rinv_0_lt_compat; lra]. }
  set (k := ln (/ delta)) in *. set (g := ln (4 / delta)) in *. set (s := epsilon / (100 * sqrt B * g)) in *.
  assert (square : sqrt B * sqrt B = B) by (apply sqrt_sqrt; lra).
  assert (R1 : 1 <= sqrt B) by (rewrite <- sqrt_1; apply sqrt_le_1; lra). set (r := sqrt B) in *.
  set (l := 3 / 2 * k / epsilon). assert (Hl : 0 < l) by (apply Rdiv_lt_0_compat; lra).
  assert (Hs : 0 < s) by (apply Rdiv_lt_0_compat; [lra|]; repeat apply Rmult_lt_0_compat; lra).
  (* x r and s r are bounded, where x = l s. *)
  set (h := k / g). assert (Hh : 0 < h <= k /\ h <= 1).
  { unfold h. assert (Ig : 0 < / g <= 1).
    { split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]. }
    assert (k * / g <= 1) by (apply Rmult_le_reg_r with g; [lra|]; rewrite Rmult_assoc, Rinv_l; lra).
    repeat split; unfold Rdiv; nra. }
  assert (Ex : l * s * r = 3 / 200 * h) by (unfold l, s, h; field; lra). set (x := l * s) in *.
  assert (x0 : 0 < x) by (now apply Rmult_lt_0_compat).
  assert (Es : s * r <= 0.1).
  { replace (s * r) with (epsilon / 100 * / g) by (unfold s; field; lra).
    assert (/ g <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (0 < / g) by (apply Rinv_0_lt_compat; lra). nra. }
  assert (Hx : x <= 0.015) by nra. assert (Hs1 : s <= 0.1) by nra.
  assert (HD : quiet_moment l s <= 0.56).
  { eapply Rle_trans; [now apply quiet_moment_simpler|]. fold x. pose proof (exp_ge_tangent (- x)) as tangent.
    assert (inverse : exp x * exp (- x) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
    pose proof (exp_pos x) as positive. set (e := exp x) in *. set (m := exp (- x)) in *.
    assert (e * 0.985 <= 1) by (rewrite <- inverse; apply Rmult_le_compat_l; lra). nra. }
  apply (session_dp l s); auto; [lra|]. apply delta_reached; [auto | lra | unfold l, k; field; lra |].
  fold k. pose proof (update_cost_le l s 0.56 Hl Hs ltac:(fold x; lra) HD ltac:(lra)) as cost. fold x in cost.
  pose proof (update_cost_ge0 l s Hl Hs ltac:(lra)) as c0.
  assert (cost' : update_cost l s <= 13 / 10 * (x * x + x * s)) by nra.
  assert (all : INR updates * update_cost l s <= 2 * B * (13 / 10 * (x * x + x * s))).
  { pose proof (pos_INR updates). apply Rmult_le_compat; lra. }
  replace (2 * B * (13 / 10 * (x * x + x * s))) with (13 / 5 * (x * r * (x * r) + x * r * (s * r))) in all
    by (rewrite <- square; field).
  rewrite Ex in all. nra.
Qed.

(** jt13.thm9: rounds of the loss S eps_0 with eps_0 = epsilon/(200 sqrt(B) S ln(4/delta)), where S is the sensitivity
    of an answer, at most B of them told, are (epsilon, delta)-private. *)
Theorem theorem_9 (B rounds : nat) (epsilon delta sensitivity eps_0 : R) :
  (1 <= B)%nat -> 0 < epsilon <= 10 -> 0 < delta < 1 -> 0 < sensitivity ->
  eps_0 = epsilon / (200 * sqrt (INR B) * sensitivity * ln (4 / delta)) ->
  (forall before, dp adj (sensitivity * eps_0) 0 (fun x => M x before)) ->
  dp adj epsilon delta (fun x => session (M x) B rounds []).
Proof.
  intros HB Heps Hdelta HS E pure_rounds. assert (B1 : 1 <= INR B) by (now apply (le_INR 1)).
  apply (printed_noise_dp (INR B)); auto; try lra. intros before x y xy f Hf.
  eapply Rle_trans; [apply (pure_rounds before x y xy f Hf)|].
  apply Rplus_le_compat_r, Rmult_le_compat_r; [now apply E_test|]. apply exp_le.
  assert (R1 : 0 < sqrt (INR B)) by (apply sqrt_lt_R0; lra).
  assert (Hg : 0 < ln (4 / delta)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. unfold Rdiv. apply Rlt_le_trans with (4 * 1); [lra|].
    apply Rmult_le_compat_l; [lra|]. rewrite <- Rinv_1 at 1. apply Rinv_le_contravar; lra. }
  assert (0 < epsilon / (100 * sqrt (INR B) * ln (4 / delta)))
    by (apply Rdiv_lt_0_compat; [lra|]; repeat apply Rmult_lt_0_compat; lra).
  replace (sensitivity * eps_0) with (epsilon / (100 * sqrt (INR B) * ln (4 / delta)) / 2) by (rewrite E; field; lra).
  lra.
Qed.
End closed_forms.
