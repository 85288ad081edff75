(** The Gibbs learner, Algorithm 1 and the learner of networks: exponential mechanisms on public candidates.

    Whatever is a candidate and whatever is an error, a substituted record moves the errors of each candidate by at most
    one, so that the choice among them is purely private; what is drawn without the data, and published, costs nothing.
    In Algorithm 1 the matrix and in Section 5 the projections are such public coins: their law and the candidates that
    are made of them are arbitrary here. How signs are decided is arbitrary too: the second half of bms22.sec5.dp, that
    enclosures tell the signs of two layers, is left out.
    Of bms22.claimD_4 the first half: the errors of the choice on the data; the size of the covers is left out.

    Claims: bms22.gibbs, bms22.alg1.dp, bms22.sec5.dp, bms22.claimD_4.
*)
Require Import Reals Lra Lia List Bool. Import ListNotations.
From DpAssay Require Import Privacy Composition Neighbours DataLosses MarginErrors.
Open Scope R_scope.

(** * The learners *)

(** Each candidate is drawn with probability proportional to exp(-eps errors/2). *)
Definition gibbs {H X} (wrong : H -> X -> bool) (candidates : list H) (some : candidates <> []) eps n
    (s : data X n) : law H :=
  by_loss candidates some eps (fun h => errors (wrong h) n s).

(** An error of the halfspace w: y <w,x> <= 0. *)
Definition halfspace_error : vector -> vector * bool -> bool := margin_error inner 0.

(** The numbers of the vectors of a list, from 0. *)
Definition numbers (ws : list vector) : list nat := seq 0 (length ws).
Lemma numbers_some ws : ws <> [] -> numbers ws <> [].
Proof. destruct ws; [congruence | discriminate]. Qed.

(** The Gibbs learner publishes the number of one of the vectors. *)
Definition gibbs_number (ws : list vector) (some : ws <> []) eps n (s : data (vector * bool) n) : law nat :=
  gibbs (fun k => halfspace_error (nth k ws [])) (numbers ws) (numbers_some ws some) eps n s.

(** Something is drawn without the data, then a learner is run that may use it, and both are published. *)
Definition with_public {D O P} (public : law O) (learner : O -> D -> law P) (s : D) : law (O * P) :=
  then_ public (fun o => relabel (fun p => (o, p)) (learner o s)).

(** Algorithm 1: a matrix A without the data, a cover of the projected space that may depend on A, and the exponential
    mechanism on the cover, with the errors on the projected records. *)
Definition algorithm1 (matrices : law matrix) (cover : matrix -> list vector) (some : forall A, cover A <> []) eps n :
    data (vector * bool) n -> law (matrix * vector) :=
  with_public matrices (fun A =>
    gibbs (fun w r => halfspace_error w (image A (fst r), snd r)) (cover A) (some A) eps n).

(** An error of a network whose output's sign is told by sign_of, or not told: what is not told is an error. *)
Definition network_error {N F} (sign_of : N -> F -> option bool) (h : N) (r : F * bool) : bool :=
  match sign_of h (fst r) with
  | Some label => negb (eqb label (snd r))
  | None => true
  end.

(** Section 5: projections without the data, a list of networks, and the exponential mechanism on it. *)
Definition network_learner {P N F} (projections : law P) (sign_of : P -> N -> F -> option bool)
    (networks : P -> list N) (some : forall p, networks p <> []) eps n : data (F * bool) n -> law (P * N) :=
  with_public projections (fun p => gibbs (network_error (sign_of p)) (networks p) (some p) eps n).

(** * Privacy *)

(** bms22.gibbs: for every list of candidates that does not depend on the data, and whatever an error is, the
    exponential mechanism on the errors is (eps, 0)-differentially private under substitution. *)
Theorem gibbs_dp {H X} (wrong : H -> X -> bool) candidates some eps n : 0 <= eps ->
  dp (nb n) eps 0 (gibbs wrong candidates some eps n).
Proof. intros He s t N. apply by_loss_close; [exact He|]. intros h. now apply errors_move. Qed.

(** bms22.gibbs: to publish the number k of a vector with probability proportional to exp(-eps errors(w_k)/2) is
    (eps, 0)-differentially private under substitution, for every list of vectors that does not depend on the data. *)
Corollary gibbs_number_dp ws some eps n : 0 <= eps -> dp (nb n) eps 0 (gibbs_number ws some eps n).
Proof. apply gibbs_dp. Qed.

(** What is drawn without the data costs no privacy. *)
Lemma with_public_dp {D O P} (adj : D -> D -> Prop) eps delta (public : law O) (learner : O -> D -> law P) :
  0 <= delta -> (forall o, dp adj eps delta (learner o)) -> dp adj eps delta (with_public public learner).
Proof.
  intros Hd H.
  assert (free : dp adj 0 0 (fun _ : D => public)) by (intros x y _ f _; rewrite exp_0; lra).
  pose proof (adaptive_composition adj 0 0 eps delta _ learner Hd free H) as both.
  now rewrite !Rplus_0_l in both.
Qed.

(** bms22.alg1.dp: for every law of the matrix and every cover, (A, w) of Algorithm 1 is (eps, 0)-differentially private
    under substitution. *)
Theorem algorithm1_dp matrices cover some eps n : 0 <= eps -> dp (nb n) eps 0 (algorithm1 matrices cover some eps n).
Proof. intros He. apply with_public_dp; [lra|]. intros A. now apply gibbs_dp. Qed.

(** bms22.alg1.dp: and so is A^T w. *)
Corollary algorithm1_hypothesis_dp d matrices cover some eps n : 0 <= eps ->
  dp (nb n) eps 0 (fun s => relabel (fun p => transposed d (fst p) (snd p)) (algorithm1 matrices cover some eps n s)).
Proof. intros He. apply post_processing. now apply algorithm1_dp. Qed.

Lemma inner_add u v : length u = length v -> forall x, inner (add u v) x = inner u x + inner v x.
Proof.
  revert v. induction u as [|a u IH]; intros [|b v] L x; try discriminate; simpl; [lra|].
  destruct x as [|c x]; [lra|]. rewrite IH by (injection L; auto). lra.
Qed.

Lemma inner_scaled c u : forall x, inner (map (Rmult c) u) x = c * inner u x.
Proof. induction u as [|a u IH]; intros [|b x]; simpl; try lra. rewrite IH. lra. Qed.

Lemma inner_zero d : forall x, inner (repeat 0 d) x = 0.
Proof. induction d as [|d IH]; intros [|b x]; simpl; try lra. rewrite IH. lra. Qed.

Lemma add_length u : forall v, length u = length v -> length (add u v) = length u.
Proof. induction u as [|a u IH]; intros [|b v] L; simpl in *; auto. Qed.

(** A^T w errs on x where w errs on A x: <A^T w, x> = <w, A x>. *)
Lemma inner_transposed d A w x : (forall row, In row A -> length row = d) ->
  inner (transposed d A w) x = inner w (image A x) /\ length (transposed d A w) = d.
Proof.
  revert w. induction A as [|row A IH]; intros w L; [split; [|apply repeat_length]|].
  - simpl. rewrite inner_zero. now destruct w.
  - destruct w as [|c w]; [split; [apply inner_zero | apply repeat_length]|].
    destruct (IH w (fun r I => L r (or_intror I))) as [same len].
    assert (len' : length (map (Rmult c) row) = length (transposed d A w))
      by (rewrite map_length, len; apply L; now left).
    cbn [transposed image map inner]. split.
    + rewrite inner_add by exact len'. rewrite same, inner_scaled. unfold image. lra.
    + rewrite add_length by exact len'. now rewrite len', len.
Qed.

(** bms22.sec5.dp: for every law of the projections and every list of networks, and however signs are told, to publish
    the projections and a network with probability proportional to exp(-eps errors/2) is (eps, 0)-differentially private
    under substitution; where the sign of a network is not told it errs. *)
Theorem network_learner_dp {P N F} projections (sign_of : P -> N -> F -> option bool) networks some eps n : 0 <= eps ->
  dp (nb n) eps 0 (network_learner projections sign_of networks some eps n).
Proof. intros He. apply with_public_dp; [lra|]. intros p. now apply gibbs_dp. Qed.

(** * Errors on the data *)

(** bms22.claimD_4: with probability at least 1 - beta the exponential mechanism returns a candidate with
    R <= min R + (2/(eps n)) (ln |C| + ln(1/beta)), R the share of errors on the data. *)
Theorem gibbs_utility {H X} (wrong : H -> X -> bool) h0 rest some eps beta n (s : data X n) :
  0 < eps -> 0 < beta -> (0 < n)%nat ->
  let share := fun h => errors (wrong h) n s / INR n in
  let size := INR (length (h0 :: rest)) in
  gibbs wrong (h0 :: rest) some eps n s (fun h => indicator (at_most (share h)
    (least share h0 rest + 2 / (eps * INR n) * (ln size + ln (1 / beta))))) >= 1 - beta.
Proof.
  intros He Hb Hn share size. assert (Hn' : 0 < INR n) by now apply lt_0_INR.
  assert (size_pos : 0 < size) by (apply lt_0_INR; simpl; lia).
  assert (ib : 0 < 1 / beta) by (apply Rdiv_lt_0_compat; lra).
  destruct (least_attained share h0 rest) as [best [I ->]].
  set (t := 2 / eps * (ln size + ln (1 / beta))).
  assert (tail : size * exp (- (eps * t / 2)) = beta).
  { replace (- (eps * t / 2)) with (- (ln size + ln (1 / beta))) by (unfold t; field; lra).
    rewrite exp_Ropp, exp_plus, !exp_ln by assumption. field. lra. }
  pose proof (by_loss_seldom_bad (h0 :: rest) some eps (fun h => errors (wrong h) n s) best t (Rlt_le _ _ He) I) as U.
  fold size in U. cbv beta in U. rewrite tail in U. apply Rge_le in U. apply Rle_ge. eapply Rle_trans; [exact U|].
  apply E_mono; [apply test_bounded, test_indicator | apply test_bounded, test_indicator |].
  intros h. apply indicator_le. rewrite !at_most_true. intros A. unfold share.
  replace (errors (wrong best) n s / INR n + 2 / (eps * INR n) * (ln size + ln (1 / beta)))
    with ((errors (wrong best) n s + t) / INR n) by (unfold t; field; lra).
  now apply share_le.
Qed.
