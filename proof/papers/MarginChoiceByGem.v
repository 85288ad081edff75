(** Algorithm 6 with the generalised exponential mechanism.

    What MarginChoice.v asks of the choice of a margin is what bms22.gem says of the generalised exponential mechanism,
    so that privacy and utility hold without hypotheses about the choice. As on the page, for any finite list of
    margins.

    Claims: bms22.algF, bms22.algF.hinge, bms22.lemF_1.corrected.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Composition Neighbours ExponentialMechanism GeneralisedExponential.
From DpAssay Require Import DataLosses MarginErrors LeastLosses GibbsLearner MarginChoice.
Open Scope R_scope.

Lemma gem_private_choice {V} (margins : list V) some sensitivity t eps : 0 <= eps -> (forall v, 0 < sensitivity v) ->
  private_choice sensitivity eps (generalised_exponential margins some sensitivity t eps).
Proof.
  intros He Hs.
  apply (generalised_exponential_dp margins some sensitivity Hs t eps He _ (fun q => q)). intros q q' H v _. apply H.
Qed.

(** bms22.algF: a margin by the generalised exponential mechanism with e1, on m times the least margin loss of public
    candidates and public numbers, then a candidate by the Gibbs learner with e2: (e1 + e2, 0)-differentially private
    under substitution. *)
Theorem margin_by_gem_then_gibbs_dp {V F H} (value : H -> F -> R) (rho public : V -> R) h0 rest some
    (margins : list V) some_margin t e1 e2 n : 0 <= e1 -> 0 <= e2 ->
  dp (nb n) (e1 + e2) 0 (choose_then_learn (margin_score value rho public h0 rest n)
    (generalised_exponential margins some_margin (fun _ => 1) t e1)
    (fun _ => gibbs (margin_error value 0) (h0 :: rest) some e2 n)).
Proof. intros H1 H2. apply margin_then_gibbs_dp; [exact H2|]. apply gem_private_choice; auto using Rlt_0_1. Qed.

(** bms22.algF.hinge: a margin by the generalised exponential mechanism with e1, on the least sums of hinge losses of
    public candidates of the ball and public numbers, then any learner that is (e2, delta)-private at each margin:
    (e1 + e2, delta)-differentially private under substitution. *)
Theorem hinge_by_gem_then_learn_dp {V O r} Lambda (ratio public : V -> R) w0 rest (margins : list V) some t e1 e2
    delta n (learner : V -> data (ball_record r) n -> law O) :
  0 < Lambda -> 0 < r -> (forall v, 0 < ratio v) -> Forall (in_ball Lambda) (w0 :: rest) -> 0 <= e1 -> 0 <= delta ->
  (forall v, dp (nb n) e2 delta (learner v)) ->
  dp (nb n) (e1 + e2) delta (choose_then_learn (hinge_score Lambda ratio public w0 rest n)
    (generalised_exponential margins some (fun v => 1 + ratio v) t e1) learner).
Proof.
  intros HL Hr Hq B H1 Hd L. apply hinge_then_learn_dp; auto. apply gem_private_choice; auto.
  intros v. specialize (Hq v). lra.
Qed.

(** bms22.lemF_1.corrected: with scores L v + B v of sensitivity D v and the generalised exponential mechanism with eps:
    if the bound L v + B v fails at each v with probability at most beta/|V|, then with probability at least 1 - 2 beta
    the risk at the chosen margin is at most L v + B v + 4 D v ln(|V|/beta)/eps for every v. *)
Theorem margin_by_gem_utility {S V W} (sample : law S) (learner : V -> S -> law W) (risk : W -> R) (L : S -> V -> R)
    (B D : V -> R) (margins : list V) some eps beta :
  0 < eps -> 0 < beta -> (forall v, 0 < D v) -> (forall v, In v margins) ->
  let size := INR (length margins) in
  let score := fun s v => L s v + B v in
  let choose := generalised_exponential margins some D (2 * ln (size / beta) / eps) eps in
  (forall v, then_ sample (fun s => relabel (fun w => (s, w)) (learner v s))
    (fun sw => indicator (negb (at_most (risk (snd sw)) (score (fst sw) v)))) <= beta / size) ->
  then_ sample (fun s => relabel (fun vw => (s, vw)) (choose_then_learn score choose learner s))
    (fun svw => at_all margins (fun v =>
      at_most (risk (snd (snd svw))) (score (fst svw) v + 4 * D v * ln (size / beta) / eps)))
    >= 1 - 2 * beta.
Proof.
  intros He Hb HD complete size score choose fails.
  apply (choose_then_learn_utility sample choose learner risk L B (fun v => 4 * D v * ln (size / beta) / eps)); auto.
  intros s. apply Rle_ge. apply generalised_exponential_utility_least; auto.
  - apply at_all_test.
  - intros v H. unfold at_all. replace (forallb _ margins) with true; [reflexivity|].
    symmetry. apply forallb_forall. intros v' I. apply at_most_true. now apply H.
Qed.
