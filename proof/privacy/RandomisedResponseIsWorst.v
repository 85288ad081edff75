(** Randomised response is the worst.

    Two laws that are within the factor e^s of each other on every event are what one and the same public
    program makes of the answer of randomised response: of the true one under the first law, of the other one
    under the second. No densities are needed; the laws may be over any outcomes.
    This is the structure theorem of Kairouz, Oh and Viswanath (2015) for delta = 0.

    Claims: none.
*)
Require Import Reals Lra List. Import ListNotations.
From DpAssay Require Import Privacy RandomisedResponse LikelihoodMoments.
Open Scope R_scope.

(** Two laws within the factor e^s of each other: what the outputs on two neighbours have under pure privacy. *)
Definition pure {O} (s : R) (p q : law O) : Prop := close s 0 p q /\ close s 0 q p.

Lemma pure_symmetric {O} s (p q : law O) : pure s p q -> pure s q p.
Proof. intros [H H']. now split. Qed.

(** Tests may be scaled: the factor holds for everything bounded and nonnegative. *)
Lemma close_nonnegative {O} s (p q : law O) (h : O -> R) : close s 0 p q -> bounded h -> (forall o, 0 <= h o) ->
  p h <= exp s * q h.
Proof.
  intros H [C bound] nonnegative. set (c := Rmax C 1). assert (0 < c) by (pose proof (Rmax_r C 1); unfold c; lra).
  assert (scaled : test (fun o => / c * h o)).
  { intros o. assert (0 < / c) by now apply Rinv_0_lt_compat. specialize (nonnegative o). specialize (bound o).
    pose proof (Rle_abs (h o)). pose proof (Rmax_l C 1) as larger. fold c in larger. split; [nra|].
    apply Rmult_le_reg_l with c; [lra|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
  specialize (H _ scaled). rewrite !E_scal in H by (now exists C).
  apply Rmult_le_reg_l with (/ c); [now apply Rinv_0_lt_compat | lra].
Qed.

(** The law (e^s p - q)/(e^s - 1): p with as much of q taken away as may be. *)
Definition extreme {O : Type} (s : R) (p q : law O) : 0 < s -> close s 0 q p -> law O.
Proof.
  intros Hs H. assert (grows : 0 < exp s - 1) by (pose proof (exp_ineq1 s ltac:(lra)); lra).
  refine {| E := fun f => (exp s * p f - q f) / (exp s - 1) |}.
  - rewrite !E_one. field. lra.
  - intros f g Hf Hg below. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
    assert (Hd : bounded (fun o => g o + -1 * f o)) by (apply bounded_plus; auto using bounded_scal).
    assert (D : q (fun o => g o + -1 * f o) <= exp s * p (fun o => g o + -1 * f o)).
    { apply close_nonnegative; auto. intros o. specialize (below o). lra. }
    rewrite !E_plus, !E_scal in D by auto using bounded_scal. lra.
  - intros f g Hf Hg. rewrite !E_plus by auto. field. lra.
  - intros c f Hf. rewrite !E_scal by auto. field. lra.
Defined.

(** Two laws within the factor e^s of each other are mixtures of two laws with the weights of randomised response. *)
Lemma mixtures {O} s (p q : law O) : 0 < s -> pure s p q -> exists a b : law O, forall f : O -> R,
  (1 + exp s) * p f = exp s * a f + b f /\ (1 + exp s) * q f = a f + exp s * b f.
Proof.
  intros Hs [pq qp]. assert (grows : 0 < exp s - 1) by (pose proof (exp_ineq1 s ltac:(lra)); lra).
  exists (extreme s p q Hs qp), (extreme s q p Hs pq). intros f. cbn [E extreme]. split; field; lra.
Qed.

(** Two laws within the factor e^s of each other come from randomised response by one public program k. *)
Theorem randomised_response_is_worst {O} s (p q : law O) : 0 < s -> pure s p q ->
  exists k : bool -> law O, forall f : O -> R,
    p f = then_ (randomised_response s true) k f /\ q f = then_ (randomised_response s false) k f.
Proof.
  intros Hs H. destruct (mixtures s p q Hs H) as (a & b & M). pose proof (exp_pos s).
  exists (fun answer : bool => if answer then a else b). intros f. destruct (M f) as [Mp Mq].
  cbn [E then_ randomised_response finite Privacy.sum]. unfold rr. cbn [Bool.eqb].
  split; apply Rmult_eq_reg_l with (1 + exp s); try lra; [rewrite Mp | rewrite Mq]; field; lra.
Qed.

(** One mechanism and what follows it. If what follows has F - x G below V x, for every x > 0 and after every outcome,
    then with the mechanism the bound is the mean of V at the two ratios of randomised response. *)
Lemma difference_step {O} eps (positive : 0 < eps) (p q : law O) (F G : O -> R) (V : R -> R) :
  pure eps p q -> test F -> test G ->
  (forall o x, 0 < x -> F o - x * G o <= V x) ->
  forall x, 0 < x -> p F - x * q G <= (exp eps * V (x * exp (- eps)) + V (x * exp eps)) / (1 + exp eps).
Proof.
  intros pq TF TG H x Hx. destruct (mixtures eps p q positive pq) as (a & b & M).
  destruct (M F) as [MF _]. destruct (M G) as [_ MG]. pose proof (exp_pos eps). pose proof (exp_pos (- eps)).
  assert (BF := test_bounded _ TF). assert (BG := test_bounded _ TG).
  assert (each : forall (m : law O) y, 0 < y -> m F - y * m G <= V y).
  { intros m y Hy. assert (below : m (fun o => F o + - y * G o) <= m (fun _ => V y)).
    { apply E_mono; auto using bounded_plus, bounded_scal, bounded_const. intros o. specialize (H o y Hy). lra. }
    rewrite E_plus, E_scal, E_const in below by auto using bounded_scal. lra. }
  pose proof (each a (x * exp (- eps)) ltac:(apply Rmult_lt_0_compat; auto)) as Ha.
  pose proof (each b (x * exp eps) ltac:(apply Rmult_lt_0_compat; auto)) as Hb.
  apply (Rmult_le_compat_l (exp eps)) in Ha; [|lra].
  assert (inverse : exp eps * exp (- eps) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  replace (exp eps * (a F - x * exp (- eps) * a G)) with (exp eps * a F - x * (exp eps * exp (- eps)) * a G) in Ha
    by ring.
  rewrite inverse in Ha. apply Rmult_le_reg_l with (1 + exp eps); [lra|].
  replace ((1 + exp eps) * (p F - x * q G)) with ((1 + exp eps) * p F - x * ((1 + exp eps) * q G)) by ring.
  unfold Rdiv. rewrite MF, MG, (Rmult_comm _ (/ (1 + exp eps))), <- Rmult_assoc, Rinv_r by lra. lra.
Qed.
