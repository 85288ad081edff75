(** Noisy answers without noise on the threshold: endlessly many rounds.

    A run of the mechanism may never end. Let P and Q be the laws of whole runs, such that what is published in the
    first n rounds has the law of the session of n rounds, for every n. Then P f <= e^epsilon Q f + delta, with the
    delta of Theorem A, for every test f of whole runs that tests of finitely many rounds approximate in mean under
    both laws.
    If P and Q are probability measures on the sequences of outcomes, every measurable test is of this kind: this is the
    approximation of measurable events by events of finitely many coordinates, which is not proved here.

    Claims: jt13.thmA.
*)
Require Import Reals Lra List. Import ListNotations.
From DpAssay Require Import Privacy LikelihoodMoments RandomisedResponseIsWorst NoisyAnswersRound NoisyAnswers.
Open Scope R_scope.

(** The mean of |f - g| under a law. *)
Definition mean_distance {Run} (m : law Run) (f g : Run -> R) : R := m (fun run => Rabs (f run - g run)).

Lemma mean_distance_bound {Run} (m : law Run) f g : test f -> test g -> Rabs (m f - m g) <= mean_distance m f g.
Proof.
  intros TF TG. unfold mean_distance. assert (BF := test_bounded _ TF). assert (BG := test_bounded _ TG).
  assert (BD : bounded (fun run => Rabs (f run - g run))).
  { exists 1. intros run. specialize (TF run). specialize (TG run). rewrite Rabs_Rabsolu. apply Rabs_le. lra. }
  assert (up : m f <= m (fun run => g run + Rabs (f run - g run))).
  { apply E_mono; auto using bounded_plus. intros run. pose proof (Rle_abs (f run - g run)). lra. }
  assert (down : m g <= m (fun run => f run + Rabs (f run - g run))).
  { apply E_mono; auto using bounded_plus. intros run. pose proof (Rle_abs (- (f run - g run))) as H.
    rewrite Rabs_Ropp in H. lra. }
  rewrite E_plus in up, down by auto. apply Rabs_le. lra.
Qed.

(** jt13.thmA: whole runs, of any number of rounds, are (epsilon, delta)-close. *)
Theorem endless_answers_close {A Run} (told : nat -> Run -> published A) (P_runs Q_runs : law Run)
    (P Q : published A -> law (option A)) (l s : R) (B : nat) (epsilon : R) :
  0 < l -> 0 < s -> quiet_moment l s < 1 -> (forall before, pure s (P before) (Q before)) ->
  (forall n g, test g -> P_runs (fun run => g (told n run)) = session P B n [] g) ->
  (forall n g, test g -> Q_runs (fun run => g (told n run)) = session Q B n [] g) ->
  forall f, test f ->
  (forall error, 0 < error -> exists n g, test g /\
    mean_distance P_runs f (fun run => g (told n run)) <= error /\
    mean_distance Q_runs f (fun run => g (told n run)) <= error) ->
  P_runs f <= exp epsilon * Q_runs f + noisy_answers_delta l s B epsilon.
Proof.
  intros Hl Hs room pure_rounds P_finite Q_finite f Hf approximated. pose proof (exp_pos epsilon) as c0.
  apply le_epsilon. intros gap Hgap.
  destruct (approximated (gap / (1 + exp epsilon)) ltac:(apply Rdiv_lt_0_compat;
    lra)) as (n & g & Hg & P_near & Q_near).
  assert (Hg' : test (fun run => g (told n run))) by (intros run; apply Hg).
  pose proof (mean_distance_bound P_runs f _ Hf Hg') as P_bound.
  pose proof (mean_distance_bound Q_runs f _ Hf Hg') as Q_bound.
  rewrite P_finite in P_bound by auto. rewrite Q_finite in Q_bound by auto.
  pose proof (noisy_answers_close l s P Q B n epsilon Hl Hs room pure_rounds g Hg) as finite_bound.
  set (error := gap / (1 + exp epsilon)) in *.
  assert (total : error + exp epsilon * error = gap) by (unfold error; field; lra).
  pose proof (Rle_abs (P_runs f - session P B n [] g)). pose proof (Rle_abs (- (Q_runs f - session Q B n [] g))) as H'.
  rewrite Rabs_Ropp in H'.
  assert (Q_step : exp epsilon * session Q B n [] g <= exp epsilon * (Q_runs f + error))
    by (apply Rmult_le_compat_l; lra).
  lra.
Qed.
