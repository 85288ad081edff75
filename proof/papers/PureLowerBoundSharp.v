(** One light point and one record: the factor of PureLowerBoundAlpha.v is attained.

    A record is the heavy one (None), or the light point with its label y (Some y), which has mass a. A learner says
    how the light point is labelled: by a fair coin if its record is the heavy one, and by randomised response if it is
    the light point. This is (epsilon, 0)-private, and right with probability
      s = (1 + a (1 - e^-epsilon)/(1 + e^-epsilon))/2
    for both labels. So PureLowerBoundAlpha.v is an equality at n = N = 1 and 1 - beta = s, but for H(tau), which
    vanishes as tau does. And -n ln(1 - a (1 - e^-epsilon)/2), where a = alpha/tau, is less than
    (ln 2 - H(tau)) N + ln(1 - beta) there, for a = 1/2, e^epsilon = 5, tau = 1/100. So a bound with that left side does
    not follow from success on these distributions alone. (A learner has to succeed on all distributions of margin
    gamma: it is no counterexample to such a bound for learners.)

    Claims: nuz20.thm12.alpha.
*)
Require Import Reals Lra List Bool. Import ListNotations.
From DpAssay Require Import Privacy Neighbours Events Labellings Numbers.
Open Scope R_scope.

Section OneLightPoint.
Context (a : R) (A : 0 <= a <= 1) (eps : R) (Eps : 0 <= eps).

(** The probability of a record. *)
Definition mass (r : option bool) : R := match r with None => 1 - a | Some _ => a end.
Lemma mass_nonneg r : 0 <= mass r.
Proof. destruct r; simpl; lra. Qed.
Lemma mass_total y : sum mass [None; Some y] = 1.
Proof. simpl. lra. Qed.
Definition one_light_point (y : bool) : law (option bool) := finite mass [None; Some y] mass_nonneg (mass_total y).

(** The probability of the guess b. *)
Definition guess_probability (r : option bool) (b : bool) : R :=
  match r with None => 1 / 2 | Some y => (if eqb y b then 1 else exp (- eps)) / (1 + exp (- eps)) end.
Lemma guess_nonneg r b : 0 <= guess_probability r b.
Proof.
  pose proof (exp_pos (- eps)). destruct r as [y|]; simpl; [|lra].
  apply Rmult_le_pos; [destruct (eqb y b); lra | left; apply Rinv_0_lt_compat; lra].
Qed.
Lemma guess_total r : sum (guess_probability r) [true; false] = 1.
Proof. pose proof (exp_pos (- eps)). destruct r as [[]|]; simpl; field; lra. Qed.
Definition guess (s : data (option bool) 1) : law bool :=
  finite (guess_probability (fst s)) [true; false] (guess_nonneg (fst s)) (guess_total (fst s)).

Definition says (y b : bool) : R := indicator (eqb y b).
Definition success : R := (1 + a * ((1 - exp (- eps)) / (1 + exp (- eps)))) / 2.

Lemma guess_is_private : dp (nb 1) eps 0 guess.
Proof.
  intros s s' _. apply pointwise. intros b. pose proof (exp_pos (- eps)) as P.
  assert (E : exp (- eps) <= 1).
  { destruct Eps as [H | <-]; [|rewrite Ropp_0, exp_0; lra]. left. rewrite <- exp_0. apply exp_increasing. lra. }
  assert (inverse : exp eps * exp (- eps) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  set (e := exp (- eps)) in *. assert (F : 1 <= exp eps) by nra.
  assert (I : 0 < / (1 + e)) by (apply Rinv_0_lt_compat; lra).
  (* All probabilities are between e/(1+e) and 1/(1+e). *)
  assert (below : forall r, e * / (1 + e) <= guess_probability r b).
  { intros [y|]; simpl; [fold e; destruct (eqb y b); unfold Rdiv; apply Rmult_le_compat_r; lra|].
    apply Rmult_le_reg_r with (1 + e); [lra|]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (above : forall r, guess_probability r b <= / (1 + e)).
  { intros [y|]; simpl; [fold e; destruct (eqb y b); unfold Rdiv; nra|].
    apply Rmult_le_reg_r with (1 + e); [lra|]. rewrite Rinv_l by lra. lra. }
  eapply Rle_trans; [apply above|].
  eapply Rle_trans; [|apply Rmult_le_compat_l; [lra | apply below]].
  rewrite <- Rmult_assoc, inverse. lra.
Qed.

Lemma guess_succeeds y : then_ (iid (one_light_point y) 1) guess (says y) = success.
Proof.
  pose proof (exp_pos (- eps)). unfold success.
  destruct y; cbn [iid E then_ relabel unit_law one_light_point finite guess sum mass fst]; simpl;
     unfold says; simpl; field; lra.
Qed.
End OneLightPoint.

(** nuz20.thm12.alpha: its factor is attained by one record: a mechanism that is (epsilon, 0)-private, is right with
    probability s for both labels of a light point of mass a, and has ln(1 + a (1 - e^-epsilon)/(1 + e^-epsilon)) = ln 2
    + ln s; and for a = 1/2, e^epsilon = 5, tau = 1/100 it has -ln(1 - a (1 - e^-epsilon)/2) < ln 2 - H(tau) + ln s. *)
Theorem one_light_point_is_sharp a (A : 0 <= a <= 1) eps : 0 <= eps ->
  dp (nb 1) eps 0 (guess eps) /\
  (forall y, then_ (iid (one_light_point a A y) 1) (guess eps) (says y) = success a eps) /\
  ln (1 + a * ((1 - exp (- eps)) / (1 + exp (- eps)))) = ln 2 + ln (success a eps) /\
  (a = 1 / 2 -> exp eps = 5 ->
    - ln (1 - a * (1 - exp (- eps)) / 2) < ln 2 - entropy (1 / 100) + ln (success a eps)).
Proof.
  intros Eps. split; [now apply guess_is_private|]. split; [intros y; apply guess_succeeds|].
  pose proof (exp_pos (- eps)) as P.
  assert (E : exp (- eps) <= 1).
  { destruct Eps as [H | <-]; [|rewrite Ropp_0, exp_0; lra]. left. rewrite <- exp_0. apply exp_increasing. lra. }
  assert (t : 0 <= (1 - exp (- eps)) / (1 + exp (- eps)))
    by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  split.
  - assert (S : 0 < success a eps) by (unfold success; nra).
    rewrite <- ln_mult by lra. f_equal. unfold success. lra.
  - intros -> Five. rewrite exp_Ropp, Five. unfold success. rewrite exp_Ropp, Five.
    replace ((1 + 1 / 2 * ((1 - / 5) / (1 + / 5))) / 2) with (2 / 3) by lra.
    replace (1 - 1 / 2 * (1 - / 5) / 2) with (4 / 5) by lra.
    (* ln 2 + ln(2/3) + ln(4/5) = ln(16/15) >= 1/16, and H(1/100) is less. *)
    assert (sum_of_logs : ln 2 + ln (2 / 3) + ln (4 / 5) = - ln (15 / 16)).
    { rewrite <- !ln_mult, <- ln_Rinv by lra. f_equal. lra. }
    pose proof (ln_le_minus_1 (15 / 16) ltac:(lra)). pose proof entropy_hundredth. lra.
Qed.
