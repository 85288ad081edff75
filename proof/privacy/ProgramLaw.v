(** Programs of coins as laws of privacy.

    A program of coins that has a law (probabilities p(a), and what is undecided vanishes) makes a law in the sense of
    privacy/Privacy.v: the expected value of a bounded test is the limit of its expected values within the fuel. The
    expected value of an indicator is the probability p(a), and where p(a) <= e^epsilon q(a) for all a, the laws of two
    programs are (epsilon, 0)-close. So what is proved of a sampler's probabilities is privacy of its program.

    Claims: none.
*)
Require Import Reals Lra Lia List Bool Classical ClassicalDedekindReals.
From DpAssay Require Import Countable Trees Laws Sequence Privacy. Import ListNotations.
Open Scope R_scope.

Section program.
Context {A : Type} (dec : forall x y : A, {x = y} + {x <> y}) (program : nat -> tree A) (p : A -> R).
Hypothesis program_law : has_law dec program p.

Let chance (F : nat) (a : A) : R := expect (program F) (fun x => if dec x a then 1 else 0).

Lemma chance_at_most F a : chance F a <= p a.
Proof. apply (law_bounds dec program p program_law F a). Qed.

(** A finite part of an expected value. *)
Lemma part_of_expect F (f : A -> R) l : NoDup l ->
  sumR (fun b => f b * chance F b) l = expect (program F) (fun x => if in_dec dec x l then f x else 0).
Proof.
  intros distinct. unfold chance.
  rewrite (sumR_ext _ (fun b => expect (program F) (fun x => if dec x b then f b else 0))).
  - rewrite <- expect_sum. apply expect_ext. intros x. now apply sum_of_indicators.
  - intros b. rewrite <- expect_scal. apply expect_ext. intros x. destruct (dec x b); lra.
Qed.
(** Within the fuel, the results are finitely many. *)
Lemma expect_by_results F f : expect (program F) f
  = sumR (fun b => f b * chance F b) (nodup dec (results_of (program F))).
Proof.
  rewrite part_of_expect by apply NoDup_nodup. apply expect_on_results_of. intros a member.
  destruct (in_dec dec a (nodup dec (results_of (program F)))) as [|absent]; auto.
  destruct absent. now apply nodup_In.
Qed.
Lemma sum_of_test_le (f g h : A -> R) l : test f -> (forall b, g b <= h b) ->
  sumR (fun b => f b * g b) l <= sumR (fun b => f b * h b) l.
Proof.
  intros Hf le. induction l as [|b l IH]; simpl; [lra|]. specialize (Hf b). specialize (le b). nra.
Qed.

(** A finite sum of probabilities is reached in the limit, and so never more than what the program gives in the end. *)
Lemma eventually_at_least f l eps : test f -> NoDup l -> 0 < eps ->
  exists N, forall G, (N <= G)%nat -> sumR (fun b => f b * p b) l - eps < expect (program G) f.
Proof.
  intros Hf distinct He.
  assert (converges : Un_cv (fun G => sumR (fun b => f b * chance G b) l) (sumR (fun b => f b * p b) l)).
  { apply (Un_cv_sum (fun b G => f b * chance G b)). intros b _.
    apply (CV_mult (fun _ => f b) (fun G => chance G b)); [apply Un_cv_const|].
    exact (has_law_limit dec program p program_law b). }
  destruct (converges eps He) as [N HN]. exists N. intros G HG. specialize (HN G HG). unfold R_dist in HN.
  apply Rabs_def2 in HN. rewrite part_of_expect in HN by auto.
  assert (expect (program G) (fun x => if in_dec dec x l then f x else 0) <= expect (program G) f); [|lra].
  apply expect_le. intros x. specialize (Hf x). destruct (in_dec dec x l); lra.
Qed.
Lemma eventually_more F f eps : test f -> 0 < eps ->
  exists N, forall G, (N <= G)%nat -> expect (program F) f - eps < expect (program G) f.
Proof.
  intros Hf He.
  destruct (eventually_at_least f (nodup dec (results_of (program F))) eps Hf (NoDup_nodup _ _) He) as [N HN].
  exists N. intros G HG. specialize (HN G HG). rewrite expect_by_results at 1.
  pose proof (sum_of_test_le f (chance F) p (nodup dec (results_of (program F))) Hf (chance_at_most F)). lra.
Qed.

(** The expected values of a test converge. *)
Lemma test_converges f : test f -> { v | Un_cv (fun F => expect (program F) f) v }.
Proof.
  intros Hf. apply R_complete. intros eps He.
  destruct (proj2 program_law (eps / 4)) as [F HF]; [lra|]. specialize (HF F (Nat.le_refl _)).
  unfold R_dist in HF. rewrite Rminus_0_r, Rabs_pos_eq in HF by apply undecided_bounds.
  assert (Hc : test (fun a => 1 - f a)) by (intros a; specialize (Hf a); lra).
  destruct (eventually_more F f (eps / 4) Hf ltac:(lra)) as [N1 H1].
  destruct (eventually_more F _ (eps / 4) Hc ltac:(lra)) as [N2 H2].
  exists (N1 + N2)%nat. intros n m Hn Hm.
  assert (between : forall G, (N1 + N2 <= G)%nat ->
    expect (program F) f - eps / 4 < expect (program G) f < expect (program F) f + eps / 2).
  { intros G HG. specialize (H1 G ltac:(lia)). specialize (H2 G ltac:(lia)).
    rewrite !(expect_minus _ (fun _ => 1)) in H2. pose proof (expect_one (program G)).
    unfold undecided in HF. lra. }
  pose proof (between n ltac:(lia)). pose proof (between m ltac:(lia)). unfold R_dist. apply Rabs_def1; lra.
Qed.
Lemma bounded_converges f : bounded f -> exists v, Un_cv (fun F => expect (program F) f) v.
Proof.
  intros [C HC]. set (B := Rabs C + 1). assert (B_positive : 1 <= B) by (unfold B; pose proof (Rabs_pos C); lra).
  assert (Hg : test (fun a => / (2 * B) * (f a + B))).
  { intros a. specialize (HC a). assert (Rabs (f a) <= B) by (unfold B; pose proof (Rle_abs C); lra).
    assert (- B <= f a <= B) by (unfold Rabs in *; destruct (Rcase_abs (f a)); lra).
    assert (0 < / (2 * B)) by (apply Rinv_0_lt_compat; lra). split; [apply Rmult_le_pos; lra|].
    apply Rmult_le_reg_l with (2 * B); [lra|]. rewrite <- Rmult_assoc, Rinv_r; lra. }
  destruct (test_converges _ Hg) as [v Hv].
  destruct (test_converges (fun _ => 1) ltac:(intros a; lra)) as [w Hw].
  exists (2 * B * v - B * w).
  assert (same : forall F, 2 * B * expect (program F) (fun a => / (2 * B) * (f a + B))
    - B * expect (program F) (fun _ => 1) = expect (program F) f).
  { intros F. rewrite expect_scal, (expect_plus _ f), <- (Rmult_1_r B) at 1.
    rewrite (expect_ext _ (fun _ => B) (fun _ => B * 1)), expect_scal by (intros; lra). field. lra. }
  pose proof (CV_minus _ _ _ _ (CV_mult _ _ _ _ (Un_cv_const (2 * B)) Hv) (CV_mult _ _ _ _ (Un_cv_const B) Hw)) as both.
  intros eps He. destruct (both eps He) as [N HN]. exists N. intros n Hn. rewrite <- same. exact (HN n Hn).
Qed.

(** The law of the program. *)
Definition mean_in_the_limit (f : A -> R) : R := limit (fun F => expect (program F) f).
Lemma mean_converges f : bounded f -> Un_cv (fun F => expect (program F) f) (mean_in_the_limit f).
Proof.
  intros Hf. destruct (bounded_converges f Hf) as [v Hv]. unfold mean_in_the_limit. now rewrite (limit_is _ v).
Qed.

Definition law_of_program : law A.
Proof.
  refine {| E := mean_in_the_limit |}.
  - apply limit_is. intros eps He. destruct (proj2 program_law eps He) as [N HN]. exists N. intros n Hn.
    specialize (HN n Hn). unfold R_dist, undecided in *. rewrite <- Rabs_Ropp.
    replace (- (expect (program n) (fun _ => 1) - 1)) with (1 - expect (program n) (fun _ => 1) - 0) by lra. exact HN.
  - intros f g Hf Hg le.
    eapply Rle_cv_lim; [|apply mean_converges, Hf | apply mean_converges, Hg]. intros n. now apply expect_le.
  - intros f g Hf Hg. apply limit_is.
    pose proof (CV_plus _ _ _ _ (mean_converges f Hf) (mean_converges g Hg)) as both.
    intros eps He. destruct (both eps He) as [N HN]. exists N. intros n Hn. rewrite expect_plus. exact (HN n Hn).
  - intros c f Hf. apply limit_is. pose proof (CV_mult _ _ _ _ (Un_cv_const c) (mean_converges f Hf)) as times.
    intros eps He. destruct (times eps He) as [N HN]. exists N. intros n Hn. rewrite expect_scal. exact (HN n Hn).
Defined.

(** Its expected value of an indicator is the probability. *)
Theorem law_of_program_at a : law_of_program (fun x => if dec x a then 1 else 0) = p a.
Proof. apply limit_is. exact (has_law_limit dec program p program_law a). Qed.

Lemma law_of_program_at_least f l : test f -> NoDup l -> sumR (fun b => f b * p b) l <= law_of_program f.
Proof.
  intros Hf distinct. apply Rnot_lt_le. intros less.
  set (gap := sumR (fun b => f b * p b) l - law_of_program f).
  destruct (eventually_at_least f l (gap / 2) Hf distinct ltac:(unfold gap; lra)) as [N HN].
  destruct (mean_converges f (test_bounded f Hf) (gap / 2) ltac:(unfold gap; lra)) as [M HM].
  specialize (HN (N + M)%nat ltac:(lia)). specialize (HM (N + M)%nat ltac:(lia)). unfold R_dist in HM.
  apply Rabs_def2 in HM. change (mean_in_the_limit f) with (law_of_program f) in HM. unfold gap in *. lra.
Qed.
End program.

(** If no outcome of the first program is more than e^epsilon times as likely as with the second one, the laws of the
    programs are (epsilon, 0)-close. *)
Theorem programs_close {A} (dec : forall x y : A, {x = y} + {x <> y}) epsilon program p program' p'
  (first : has_law dec program p) (second : has_law dec program' p') : (forall a, p a <= exp epsilon * p' a) ->
  close epsilon 0 (law_of_program dec program p first) (law_of_program dec program' p' second).
Proof.
  intros ratio f Hf. rewrite Rplus_0_r.
  set (m := law_of_program dec program p first). set (m' := law_of_program dec program' p' second).
  pose proof (mean_converges dec program p first f (test_bounded f Hf)) as converges.
  apply Rnot_lt_le. intros more. destruct (converges (m f - exp epsilon * m' f)) as [N HN]; [lra|].
  specialize (HN N (Nat.le_refl _)). unfold R_dist in HN. apply Rabs_def2 in HN.
  change (mean_in_the_limit program f) with (m f) in HN.
  assert (below_ : expect (program N) f <= exp epsilon * m' f); [|lra].
  rewrite (expect_by_results dec). set (l := nodup dec (results_of (program N))).
  apply Rle_trans with (exp epsilon * sumR (fun b => f b * p' b) l).
  - apply Rle_trans with (sumR (fun b => f b * (exp epsilon * p' b)) l).
    + apply sum_of_test_le; auto. intros b. eapply Rle_trans; [apply (chance_at_most dec program p first)|apply ratio].
    + apply Req_le. clear. induction l as [|b l IH]; simpl; [lra|]. rewrite IH. lra.
  - apply Rmult_le_compat_l; [left; apply exp_pos|]. apply law_of_program_at_least; auto. apply NoDup_nodup.
Qed.
