(** Discrete Laplace noise on predictions that move by one step is randomised response.

    The page of the test data dependent learner takes the loss e of a draw such that T randomised responses of this loss
    are (epsilon, delta)-private. If predictions may move by a whole step, and all targets are released, this is needed:
    T targets around 1 and T targets around 0, with noise of scale 1/e, are (epsilon, delta)-close only if the exact
    delta of T randomised responses is at most delta. Also proved: the tails of discrete Laplace noise, and with them
    the probabilities of a quiet round in the attacks on noisy answers.

    Claims: jt13.thm4.exact, jt13.thmA.attacks.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Countable LaplaceMechanism RandomisedResponse LikelihoodMoments
  RandomisedResponseIsWorst AdvancedComposition OptimalComposition NoisyAnswers.
Open Scope R_scope.

(** * Tails *)

(** 1 from the integer n on. *)
Definition from (n k : Z) : R := if (n <=? k)%Z then 1 else 0.

Lemma from_test n : test (from n).
Proof. intros k. unfold from. destruct (n <=? k)%Z; lra. Qed.

Lemma laplace_at_tail_sum scale n N : 0 < scale -> let q := exp (- / scale) in
  partial_sum (fun k => laplace_at scale k * from (Z.of_nat n) k) N =
    if (N <? n)%nat then 0 else (q ^ n - q ^ S N) / (1 + q).
Proof.
  intros Hs q. pose proof (laplace_at_base scale Hs) as Q. fold q in Q.
  assert (at_k : forall k, laplace_at scale (Z.of_nat k) = (1 - q) / (1 + q) * q ^ k).
  { intros k. unfold laplace_at. rewrite laplace_at_power. fold q.
    now replace (Z.to_nat (Z.abs (Z.of_nat k))) with k by lia. }
  assert (below : forall m, partial_sum (fun k => laplace_at scale k * from (Z.of_nat n) k) (S m) =
    partial_sum (fun k => laplace_at scale k * from (Z.of_nat n) k) m +
      (if (S m <? n)%nat then 0 else laplace_at scale (Z.of_nat (S m)))).
  { intros m. cbn [partial_sum]. unfold from.
    destruct (Z.leb_spec (Z.of_nat n) (- Z.of_nat (S m))), (Z.leb_spec (Z.of_nat n) (Z.of_nat (S m))),
      (Nat.ltb_spec (S m) n); lia || lra. }
  induction N as [|N IH].
  - cbn [partial_sum]. unfold from. pose proof (at_k 0%nat) as E0. change (Z.of_nat 0) with 0%Z in E0. rewrite E0.
    destruct (Z.leb_spec (Z.of_nat n) 0), (Nat.ltb_spec 0 n); try lia; [|ring].
    replace n with 0%nat by lia. cbn [pow]. field. lra.
  - rewrite below, IH, at_k. destruct (Nat.ltb_spec N n), (Nat.ltb_spec (S N) n); try lia; [ring | |].
    + replace n with (S N) by lia. cbn [pow]. field. lra.
    + cbn [pow]. field. lra.
Qed.

(** Pr[noise >= n] = q^n/(1 + q) for n >= 0, where q = e^(-1/scale). *)
Lemma discrete_laplace_tail scale positive n : let q := exp (- / scale) in
  discrete_laplace scale positive (from (Z.of_nat n)) = q ^ n / (1 + q).
Proof.
  intros q. pose proof (laplace_at_base scale positive) as Q. fold q in Q. unfold discrete_laplace. apply countable_is.
  assert (P : Un_cv (fun N => q ^ S N) 0).
  { apply (cv_later (fun N => q ^ N)). intros e He. destruct (pow_lt_1_zero q) with (y := e) as [N HN]; auto.
    - rewrite Rabs_pos_eq; lra.
    - exists N. intros m Hm. unfold R_dist. rewrite Rminus_0_r. auto. }
  assert (limit : Un_cv (fun N => q ^ n / (1 + q) - / (1 + q) * q ^ S N) (q ^ n / (1 + q))).
  { replace (q ^ n / (1 + q)) with (q ^ n / (1 + q) - / (1 + q) * 0) at 1 by ring.
    apply CV_minus; [apply cv_const | now apply cv_scal]. }
  intros e He. destruct (limit e He) as [N HN]. exists (N + n)%nat. intros m Hm.
  rewrite laplace_at_tail_sum by auto. fold q.
  destruct (Nat.ltb_spec m n); [lia|]. specialize (HN m ltac:(lia)).
  replace ((q ^ n - q ^ S m) / (1 + q)) with (q ^ n / (1 + q) - / (1 + q) * q ^ S m) by (field; lra). exact HN.
Qed.

(** * One step of randomised response *)

(** Noise of scale 1/e around 1 or 0, of which only is asked whether it is at least 1, is randomised response. *)
Lemma laplace_is_randomised_response e (positive : 0 < / e) : 0 < e -> forall (truth : bool) (h : bool -> R), test h ->
  around (/ e) positive (if truth then 1 else 0)%Z (fun v => h (1 <=? v)%Z) = randomised_response e truth h.
Proof.
  intros He truth h Hh. assert (Eq : exp (- / / e) = exp (- e)) by (f_equal; rewrite Rinv_inv; reflexivity).
  pose proof (exp_pos e) as c0. pose proof (exp_pos (- e)) as m0.
  assert (Em : exp (- e) = / exp e) by apply exp_Ropp.
  set (n := if truth then 0%nat else 1%nat).
  assert (Bf : bounded (from (Z.of_nat n))) by (apply test_bounded, from_test).
  transitivity (discrete_laplace (/ e) positive (fun k => h false + (h true - h false) * from (Z.of_nat n) k)).
  - unfold around. cbn [E then_ relabel unit_law]. apply E_ext.
    + apply test_bounded. intros k. apply Hh.
    + apply bounded_plus; [apply bounded_const | now apply bounded_scal].
    + intros k. unfold from, n. destruct truth.
      * destruct (Z.leb_spec 1 (1 + k)), (Z.leb_spec (Z.of_nat 0) k); lia || ring.
      * destruct (Z.leb_spec 1 (0 + k)), (Z.leb_spec (Z.of_nat 1) k); lia || ring.
  - rewrite E_plus, E_const, E_scal by auto using bounded_const, bounded_scal.
    rewrite discrete_laplace_tail, Eq, Em. unfold n.
    cbn [E randomised_response finite Privacy.sum]. unfold rr. destruct truth; cbn [Bool.eqb pow]; field; lra.
Qed.

(** Equal laws of a function of each outcome give equal laws of these functions of k outcomes. *)
Lemma in_a_row_mapped {O O'} (p : law O) (p' : law O') (g : O -> O') :
  (forall h, test h -> p (fun o => h (g o)) = p' h) ->
  forall k before f, test f ->
  in_a_row (fun _ => p) k before (fun told => f (map g told)) = in_a_row (fun _ => p') k (map g before) f.
Proof.
  intros same. induction k as [|k IH]; intros before f Hf; [reflexivity|]. cbn [in_a_row E then_].
  rewrite <- same by (intros o; now apply E_test). apply E_ext.
  - apply test_bounded. intros o. apply E_test. intros told. apply Hf.
  - apply test_bounded. intros o. now apply E_test.
  - intros o. now apply IH.
Qed.

(** jt13.thm4.exact: if T targets around 1 and around 0, with noise of scale 1/e, are (epsilon, delta)-close, then the
    exact delta of T randomised responses of the loss e is at most delta. *)
Theorem exact_targets_are_needed (e epsilon delta : R) (positive : 0 < / e) (T : nat) : 0 < e ->
  close epsilon delta (in_a_row (fun _ => around (/ e) positive 1%Z) T [])
    (in_a_row (fun _ => around (/ e) positive 0%Z) T []) ->
  optimal_delta e T epsilon <= delta.
Proof.
  intros He H. destruct (optimal_composition_is_attained e epsilon T) as (f & Hf & E).
  specialize (H (fun told => f (map (fun v => 1 <=? v)%Z told)) (fun told => Hf _)).
  rewrite (in_a_row_mapped _ (randomised_response e true)) in H
    by (auto; intros h Hh; now apply (laplace_is_randomised_response e positive He true)).
  rewrite (in_a_row_mapped _ (randomised_response e false)) in H
    by (auto; intros h Hh; now apply (laplace_is_randomised_response e positive He false)).
  unfold responses in E. cbn [map] in H. lra.
Qed.

(** * The rounds of the attacks *)

(** A round that is an update if the noisy answer is at least 0, by noise of scale steps/s. *)
Definition attacked_round (scale : R) (positive : 0 < scale) (value : Z) : law (option Z) :=
  relabel (fun v => if (0 <=? v)%Z then Some v else None) (around scale positive value).

(** jt13.thmA.attacks: the probabilities of an update are 1/(1 + r) and e^-s/(1 + r), where r = e^(-s/steps). *)
Theorem attacked_round_probabilities (s : R) (steps : nat) (positive : 0 < INR steps / s) : 0 < s -> (1 <= steps)%nat ->
  let r := exp (- s / INR steps) in
  attacked_round (INR steps / s) positive 0 is_update = / (1 + r) /\
  attacked_round (INR steps / s) positive (- Z.of_nat steps) is_update = exp (- s) / (1 + r).
Proof.
  intros Hs Hsteps r. assert (n0 : 0 < INR steps) by (apply lt_0_INR; lia).
  assert (Er : exp (- / (INR steps / s)) = r) by (unfold r; f_equal; field; lra).
  assert (power : r ^ steps = exp (- s)).
  { unfold r. rewrite <- Rpower_pow by apply exp_pos. unfold Rpower. rewrite ln_exp. f_equal. field. lra. }
  assert (tail : forall n, attacked_round (INR steps / s) positive (- Z.of_nat n) is_update = r ^ n / (1 + r)).
  { intros n. rewrite <- Er, <- discrete_laplace_tail with (positive := positive).
    unfold attacked_round, around. cbn [E then_ relabel unit_law]. apply E_ext.
    - apply test_bounded. intros k. apply is_update_test.
    - apply test_bounded, from_test.
    - intros k. unfold from. destruct (Z.leb_spec 0 (- Z.of_nat n + k)), (Z.leb_spec (Z.of_nat n) k);
        lia || reflexivity. }
  split; [|now rewrite tail, power].
  specialize (tail 0%nat). cbn [Z.of_nat Z.opp pow] in tail. rewrite tail. unfold Rdiv. ring.
Qed.
