(** The exponential mechanism, run on coins, is private.

    Two datasets give the same classes with the same counts, and the loss of each class differs by at most the
    sensitivity. Whatever program draws a class with the probabilities of the mechanism, by rejection or by inversion,
    its laws on the two datasets are (epsilon, 0)-close; and so they are with the rank of the outcome in its class. So
    the program of coins itself, and not only the mechanism on paper, is (epsilon, 0)-differentially private.

    The claim is about the sampler; that the mechanism is private is a theorem of McSherry and Talwar. Narrower than the
    mechanism: losses are rational, and the outcomes come in the same classes on both datasets; outcomes with losses of
    their own are classes of one.

    Claims: sample.exponential-mechanism.
*)
Require Import ZArith QArith Qreals Reals Lra Lia List.
From DpAssay Require Import Trees Laws Sequence ExponentialRejection RankInClass Privacy ProgramLaw.
Import ListNotations.
Open Scope R_scope.

(** The same classes, with losses that differ by at most the sensitivity. *)
Definition neighbouring_scores (sensitivity : Q) (scores scores' : list score_class) : Prop :=
  Forall2 (fun s s' => size s = size s' /\ Rabs (Q2R (loss s) - Q2R (loss s')) <= Q2R sensitivity) scores scores'.

Lemma neighbouring_scores_sym sensitivity scores scores' :
  neighbouring_scores sensitivity scores scores' -> neighbouring_scores sensitivity scores' scores.
Proof.
  induction 1 as [|s s' l l' [same near] _ IH]; constructor; auto. split; [auto|]. now rewrite Rabs_minus_sym.
Qed.

Lemma sizes_of_neighbour sensitivity scores scores' : neighbouring_scores sensitivity scores scores' ->
  Forall (fun s => (0 <= size s)%Z) scores -> Forall (fun s => (0 <= size s)%Z) scores'.
Proof.
  induction 1 as [|s s' l l' [same _] _ IH]; intros sizes; [constructor|].
  inversion_clear sizes. constructor; [congruence | auto].
Qed.

Lemma same_sizes sensitivity scores scores' : neighbouring_scores sensitivity scores scores' ->
  map size scores = map size scores'.
Proof. induction 1 as [|s s' l l' [same _] _ IH]; simpl; congruence. Qed.

Section ratio.
Variables (epsilon sensitivity : R) (epsilon_positive : 0 < epsilon) (sensitivity_positive : 0 < sensitivity).

Lemma score_weight_nonneg s : (0 <= size s)%Z -> 0 <= score_weight epsilon sensitivity s.
Proof. intros H. apply Rmult_le_pos; [now apply IZR_le | left; apply exp_pos]. Qed.
Lemma score_weight_ratio s s' : (0 <= size s)%Z -> size s = size s' ->
  Rabs (Q2R (loss s) - Q2R (loss s')) <= sensitivity ->
  score_weight epsilon sensitivity s <= exp (epsilon / 2) * score_weight epsilon sensitivity s'.
Proof.
  intros nonneg same near. unfold score_weight. rewrite <- same.
  assert (0 <= IZR (size s)) by now apply IZR_le.
  replace (exp (epsilon / 2) * (IZR (size s) * exp (- (epsilon * Q2R (loss s') / (2 * sensitivity)))))
    with (IZR (size s) * (exp (epsilon / 2) * exp (- (epsilon * Q2R (loss s') / (2 * sensitivity))))) by lra.
  apply Rmult_le_compat_l; auto. rewrite <- exp_plus.
  assert (bound : - (epsilon * Q2R (loss s) / (2 * sensitivity))
    <= epsilon / 2 + - (epsilon * Q2R (loss s') / (2 * sensitivity))).
  { assert (Q2R (loss s') - Q2R (loss s) <= sensitivity).
    { rewrite Rabs_minus_sym in near. pose proof (Rle_abs (Q2R (loss s') - Q2R (loss s))). lra. }
    apply Rmult_le_reg_r with (2 * sensitivity / epsilon); [apply Rdiv_lt_0_compat; lra|].
    replace (- (epsilon * Q2R (loss s) / (2 * sensitivity)) * (2 * sensitivity / epsilon)) with (- Q2R (loss s))
      by (field; lra).
    replace ((epsilon / 2 + - (epsilon * Q2R (loss s') / (2 * sensitivity))) * (2 * sensitivity / epsilon))
      with (sensitivity - Q2R (loss s')) by (field; lra). lra. }
  destruct bound as [less | ->]; [left; now apply exp_increasing | lra].
Qed.

Variables (bound : Q) (bound_is : Q2R bound = sensitivity).
Lemma total_weight_ratio scores scores' : neighbouring_scores bound scores scores' ->
  Forall (fun s => (0 <= size s)%Z) scores ->
  sumR (score_weight epsilon sensitivity) scores <= exp (epsilon / 2) * sumR (score_weight epsilon sensitivity) scores'.
Proof.
  induction 1 as [|s s' l l' [same near] _ IH]; intros sizes; simpl; [lra|].
  inversion_clear sizes as [|? ? first rest]. specialize (IH rest). rewrite bound_is in near.
  pose proof (score_weight_ratio s s' first same near). lra.
Qed.
Lemma score_weights_ratio scores scores' n : neighbouring_scores bound scores scores' ->
  Forall (fun s => (0 <= size s)%Z) scores ->
  0 <= nth n (map (score_weight epsilon sensitivity) scores') 0
  /\ nth n (map (score_weight epsilon sensitivity) scores) 0
     <= exp (epsilon / 2) * nth n (map (score_weight epsilon sensitivity) scores') 0.
Proof.
  intros near. revert n. induction near as [|s s' l l' [same near] _ IH]; intros [|n] sizes; simpl; try lra;
    inversion_clear sizes as [|? ? first rest]; [|now apply IH].
  split; [apply score_weight_nonneg; congruence|]. rewrite bound_is in near. now apply score_weight_ratio.
Qed.
End ratio.

Section private.
Variables (epsilon sensitivity : Q) (scores scores' : list score_class) (classes classes' : list class).
Hypothesis epsilon_positive : (0 < epsilon)%Q.
Hypothesis sensitivity_positive : (0 < sensitivity)%Q.
Hypothesis sizes : Forall (fun s => (0 <= size s)%Z) scores.
Hypothesis made : of_scores epsilon sensitivity scores = Some classes.
Hypothesis made' : of_scores epsilon sensitivity scores' = Some classes'.
Hypothesis neighbours : neighbouring_scores sensitivity scores scores'.

Lemma Q_positive_real q : (0 < q)%Q -> 0 < Q2R q.
Proof. intros H. apply Qlt_Rlt in H. unfold Q2R at 1 in H. simpl in H. lra. Qed.
Let sizes' : Forall (fun s => (0 <= size s)%Z) scores' := sizes_of_neighbour _ _ _ neighbours sizes.

(** No class is more than e^epsilon times as likely. *)
Lemma class_probability_ratio i : class_probability classes i <= exp (Q2R epsilon) * class_probability classes' i.
Proof.
  pose proof (Q_positive_real epsilon epsilon_positive) as He.
  pose proof (Q_positive_real sensitivity sensitivity_positive) as Hs.
  rewrite (class_probability_of_scores epsilon sensitivity scores classes) by auto.
  rewrite (class_probability_of_scores epsilon sensitivity scores' classes') by auto.
  set (w := score_weight (Q2R epsilon) (Q2R sensitivity)). set (h := exp (Q2R epsilon / 2)).
  assert (h_positive : 0 < h) by apply exp_pos.
  assert (twice : exp (Q2R epsilon) = h * h) by (unfold h; rewrite <- exp_plus; f_equal; lra).
  assert (total' : 0 < sumR w scores').
  { pose proof (total_weight_range classes' (sound_of_scores epsilon sensitivity scores' classes' epsilon_positive
      sensitivity_positive sizes' made')) as [positive _].
    unfold of_scores in made'. destruct (least_loss scores') as [least|]; [|discriminate]. injection made' as <-.
    unfold total_weight in positive. rewrite sumR_map in positive.
    rewrite (sumR_ext _ (fun s => exp (Q2R epsilon * Q2R least / (2 * Q2R sensitivity)) * w s)) in positive
      by (intros s; now apply weight_of_score).
    assert (factor : 0 < exp (Q2R epsilon * Q2R least / (2 * Q2R sensitivity))) by apply exp_pos.
    assert (scaled : forall c l, sumR (fun s => c * w s) l = c * sumR w l).
    { intros c l. induction l; simpl; [lra|]. rewrite IHl. lra. }
    rewrite scaled in positive. nra. }
  assert (totals : sumR w scores' <= h * sumR w scores).
  { apply total_weight_ratio with (bound := sensitivity); auto. now apply neighbouring_scores_sym. }
  assert (total : 0 < sumR w scores) by nra.
  assert (weights : 0 <= score_weight_at (Q2R epsilon) (Q2R sensitivity) scores' i
    /\ score_weight_at (Q2R epsilon) (Q2R sensitivity) scores i
       <= h * score_weight_at (Q2R epsilon) (Q2R sensitivity) scores' i).
  { unfold score_weight_at. destruct (i <? 0)%Z; [lra|]. now apply score_weights_ratio with (bound := sensitivity). }
  destruct weights as [nonneg weights].
  set (v := score_weight_at (Q2R epsilon) (Q2R sensitivity) scores i) in *.
  set (v' := score_weight_at (Q2R epsilon) (Q2R sensitivity) scores' i) in *.
  rewrite twice. apply Rmult_le_reg_r with (sumR w scores * sumR w scores'); [nra|].
  replace (v / sumR w scores * (sumR w scores * sumR w scores')) with (v * sumR w scores') by (field; lra).
  replace (h * h * (v' / sumR w scores') * (sumR w scores * sumR w scores'))
    with ((h * v') * (h * sumR w scores)) by (field; lra).
  apply Rle_trans with (h * v' * sumR w scores'); [apply Rmult_le_compat_r; lra|].
  apply Rmult_le_compat_l; nra.
Qed.

(** sample.exponential-mechanism: programs that draw the classes with the mechanism's probabilities have laws that are
    (epsilon, 0)-close on neighbouring losses. *)
Theorem exponential_programs_close program program'
  (draws : has_law Z.eq_dec program (class_probability classes))
  (draws' : has_law Z.eq_dec program' (class_probability classes')) :
  close (Q2R epsilon) 0 (law_of_program Z.eq_dec program _ draws) (law_of_program Z.eq_dec program' _ draws').
Proof. apply programs_close. exact class_probability_ratio. Qed.

Lemma same_counts : map count classes = map count classes'.
Proof.
  unfold of_scores in made, made'. destruct (least_loss scores) as [least|]; [|discriminate].
  destruct (least_loss scores') as [least'|]; [|discriminate]. injection made as <-. injection made' as <-.
  rewrite !map_map. exact (same_sizes _ _ _ neighbours).
Qed.

(** sample.exponential-mechanism: so are the programs that draw an outcome, a class and then the rank in it. *)
Theorem outcome_programs_close program program'
  (draws : has_law Z.eq_dec program (class_probability classes))
  (draws' : has_law Z.eq_dec program' (class_probability classes')) :
  close (Q2R epsilon) 0
    (law_of_program (pair_eq_dec Z.eq_dec Z.eq_dec) _ _
      (rank_in_class_law classes program
        (sound_of_scores epsilon sensitivity scores classes epsilon_positive sensitivity_positive sizes made) draws))
    (law_of_program (pair_eq_dec Z.eq_dec Z.eq_dec) _ _
      (rank_in_class_law classes' program'
        (sound_of_scores epsilon sensitivity scores' classes' epsilon_positive sensitivity_positive sizes' made')
        draws')).
Proof.
  apply programs_close. intros [i k]. simpl fst. simpl snd.
  assert (same : count_at classes i = count_at classes' i) by (unfold count_at; now rewrite same_counts).
  rewrite same, <- Rmult_assoc. apply Rmult_le_compat_r; [|apply class_probability_ratio].
  unfold uniform_probability. destruct ((0 <=? k)%Z && (k <? count_at classes' i)%Z)%bool eqn:inside; [|lra].
  apply andb_prop in inside as [low high]. apply Z.leb_le in low. apply Z.ltb_lt in high.
  left. apply Rinv_0_lt_compat, IZR_lt. lia.
Qed.
End private.

(** sample.exponential-mechanism: the rejection sampler, run on coins, is (epsilon, 0)-differentially private for losses
    of this sensitivity. *)
Theorem rejection_sampler_is_private {D} (adj : D -> D -> Prop) (epsilon sensitivity : Q)
  (scores : D -> list score_class) (classes : D -> list class) (epsilon_positive : (0 < epsilon)%Q)
  (sensitivity_positive : (0 < sensitivity)%Q) (sizes : forall S, Forall (fun s => (0 <= size s)%Z) (scores S))
  (made : forall S, of_scores epsilon sensitivity (scores S) = Some (classes S)) :
  (forall S S', adj S S' -> neighbouring_scores sensitivity (scores S) (scores S')) ->
  dp adj (Q2R epsilon) 0 (fun S => law_of_program Z.eq_dec (fun F => exponential F (classes S)) _
    (exponential_rejection_law (classes S)
      (sound_of_scores epsilon sensitivity (scores S) (classes S) epsilon_positive sensitivity_positive (sizes S)
        (made S)))).
Proof.
  intros sensitive S S' neighbours.
  exact (exponential_programs_close epsilon sensitivity (scores S) (scores S') (classes S) (classes S') epsilon_positive
    sensitivity_positive (sizes S) (made S) (made S') (sensitive S S' neighbours) _ _ _ _).
Qed.
