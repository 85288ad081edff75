(** One pass of Kaczmarz with clipped residuals.

    Over rows of norm at most 1, the pass c <- c + psi(y - <phi, c>) phi from 0, with psi the clip to [-tau, tau],
    moves by at most 2 tau if one record is substituted, at any place, and by at most tau if one is removed. Both are
    attained behind every beginning. Rounding, of psi and of every coordinate to a grid, adds m (sqrt(D) + 1) steps of
    the grid. For rows of norm sqrt(N) and division by N both bounds are divided by sqrt(N). A hidden order that is
    drawn at random leaves (epsilon, delta) as it is. Without the clip, over rows of norm sqrt(N), the pass ends
    within |y|/sqrt(N).

    Narrower than the pages: the noise of the learner is not here (any mechanism that hides a distance of 2 tau serves
    for the hidden order); under removal the hidden order of the smaller dataset is that of the larger one without the
    record, and that this is again a uniform order if the larger one has a uniform one is not proved; the rows of
    lnsx25.kaczmarz.corrected are real.

    Claims: lnsx25.r4, lnsx25.kaczmarz.corrected.
*)
Require Import Reals Lra Lia Psatz List Permutation. Import ListNotations.
From DpAssay Require Import Privacy InnerProduct.
Open Scope R_scope. Open Scope vector_scope.

(** * Definitions *)

(** The number in [-tau, tau] that is nearest to r. *)
Definition clip (tau r : R) : R := Rmax (- tau) (Rmin tau r).

Section Pass.
Context {V : inner_product_space}.
Implicit Types c : V.

(** By how much the prediction <row, c> is below the label; and a step, with this clipped. *)
Definition residual c (r : record V) : R := label r - inner (row r) c.
Definition step (tau : R) c (r : record V) : V := c +v clip tau (residual c r) *v row r.
(** One pass over the records in their order, from c. *)
Definition pass_from (tau : R) c (data : list (record V)) : V := fold_left (step tau) data c.
(** One pass from 0. *)
Definition pass (tau : R) (data : list (record V)) : V := pass_from tau zero data.

(** * The clip *)

Lemma clip_range tau r : 0 <= tau -> - tau <= clip tau r <= tau.
Proof. intros H. unfold clip, Rmax, Rmin. repeat destruct Rle_dec; lra. Qed.
(** The clip does not decrease and has slope at most 1. *)
Lemma clip_slope tau r s : 0 <= tau -> s <= r -> 0 <= clip tau r - clip tau s <= r - s.
Proof. intros H L. unfold clip, Rmax, Rmin. repeat destruct Rle_dec; lra. Qed.
Lemma clip_above tau r : 0 <= tau <= r -> clip tau r = tau.
Proof. intros H. unfold clip, Rmax, Rmin. repeat destruct Rle_dec; lra. Qed.
Lemma clip_below tau r : 0 <= tau -> r <= - tau -> clip tau r = - tau.
Proof. intros H L. unfold clip, Rmax, Rmin. repeat destruct Rle_dec; lra. Qed.

(** * One step *)

(** A step on the same record does not drive two vectors apart. *)
Lemma step_nonexpansive tau c c' r : 0 <= tau -> norm (row r) <= 1 ->
  distance (step tau c r) (step tau c' r) <= distance c c'.
Proof.
  intros Ht Hr. unfold distance. set (d := c -v c'). set (p := inner (row r) d).
  set (s := clip tau (residual c r) - clip tau (residual c' r)).
  assert (moved : step tau c r -v step tau c' r = d +v s *v row r) by (unfold step, d, s; vector).
  assert (opposed : s * p <= 0 /\ s ^ 2 <= - (s * p)).
  { assert (P : p = inner (row r) c - inner (row r) c') by (unfold p, d; expand; ring).
    assert (residuals : residual c r - residual c' r = - p) by (unfold residual; lra).
    destruct (Rle_dec (residual c' r) (residual c r)) as [L | L].
    - pose proof (clip_slope tau _ _ Ht L). fold s in H. nra.
    - assert (L' : residual c r <= residual c' r) by lra. pose proof (clip_slope tau _ _ Ht L').
      replace (clip tau (residual c' r) - clip tau (residual c r)) with (- s) in H by (unfold s; ring). nra. }
  rewrite moved. apply norm_at_most; [apply norm_positive|]. rewrite norm_squared. expand.
  rewrite (inner_symmetric _ d (row r)). fold p. pose proof (inner_at_most _ _ Hr) as H. nra.
Qed.
Lemma own_step tau c r : 0 <= tau -> norm (row r) <= 1 -> distance (step tau c r) c <= tau.
Proof.
  intros Ht Hr. unfold distance. replace (step tau c r -v c) with (clip tau (residual c r) *v row r)
    by (unfold step; vector).
  rewrite norm_scale. pose proof (clip_range tau (residual c r) Ht) as H.
  assert (Rabs (clip tau (residual c r)) <= tau) by (apply Rabs_le; lra).
  pose proof (norm_positive (row r)). pose proof (Rabs_pos (clip tau (residual c r))). nra.
Qed.
Lemma pass_nonexpansive tau data : 0 <= tau -> rows_at_most 1 data -> forall c c',
  distance (pass_from tau c data) (pass_from tau c' data) <= distance c c'.
Proof.
  intros Ht H. induction H as [|r rest Hr _ IH]; intros c c'; simpl; [lra|].
  eapply Rle_trans; [apply IH | now apply step_nonexpansive].
Qed.
Lemma pass_app tau c before after :
  pass_from tau c (before ++ after) = pass_from tau (pass_from tau c before) after.
Proof. apply fold_left_app. Qed.
End Pass.

(** * The sensitivity *)

(** lnsx25.r4: if one record is substituted, at any place, the result moves by at most 2 tau. *)
Theorem substitution_moves_by_two_tau {V : inner_product_space} tau (before after : list (record V)) (r r' : record V) :
  0 <= tau -> rows_at_most 1 (before ++ r :: after) -> rows_at_most 1 (before ++ r' :: after) ->
  distance (pass tau (before ++ r :: after)) (pass tau (before ++ r' :: after)) <= 2 * tau.
Proof.
  intros Ht H H'. apply Forall_app in H, H'. destruct H as [_ H], H' as [_ H'].
  inversion H as [|? ? Hr Ha]. inversion H' as [|? ? Hr' _]. subst.
  unfold pass. rewrite !pass_app. cbn [pass_from fold_left]. set (c := pass_from tau zero before).
  eapply Rle_trans; [apply pass_nonexpansive; assumption|].
  eapply Rle_trans; [apply (distance_triangle _ c)|]. rewrite (distance_symmetric c).
  pose proof (own_step tau c r Ht Hr). pose proof (own_step tau c r' Ht Hr'). lra.
Qed.

(** lnsx25.r4: if one record is removed, from any place, the result moves by at most tau. *)
Theorem removal_moves_by_tau {V : inner_product_space} tau (before after : list (record V)) (r : record V) :
  0 <= tau -> rows_at_most 1 (before ++ r :: after) ->
  distance (pass tau (before ++ r :: after)) (pass tau (before ++ after)) <= tau.
Proof.
  intros Ht H. apply Forall_app in H. destruct H as [_ H]. inversion H as [|? ? Hr Ha]. subst.
  unfold pass. rewrite !pass_app. cbn [pass_from fold_left]. set (c := pass_from tau zero before).
  eapply Rle_trans; [apply pass_nonexpansive; assumption|]. now apply own_step.
Qed.

Lemma step_above {V : inner_product_space} tau (c u : V) y : 0 <= tau <= y - inner u c ->
  step tau c (u, y) = c +v tau *v u.
Proof. intros H. unfold step, residual, row, label. cbn [fst snd]. now rewrite clip_above. Qed.
Lemma step_below {V : inner_product_space} tau (c u : V) y : 0 <= tau -> y - inner u c <= - tau ->
  step tau c (u, y) = c +v (- tau) *v u.
Proof. intros Ht H. unfold step, residual, row, label. cbn [fst snd]. now rewrite clip_below. Qed.

(** lnsx25.r4: behind any records, a last record with a row of norm 1 and two labels attains 2 tau. *)
Theorem two_tau_is_attained {V : inner_product_space} tau (before : list (record V)) (u : V) : 0 <= tau -> norm u = 1 ->
  exists y y', distance (pass tau (before ++ [(u, y)])) (pass tau (before ++ [(u, y')])) = 2 * tau.
Proof.
  intros Ht Hu. set (c := pass tau before). exists (inner u c + tau), (inner u c - tau).
  assert (last : forall y, pass tau (before ++ [(u, y)]) = step tau c (u, y)).
  { intros y. unfold pass. now rewrite pass_app. }
  rewrite !last, step_above, step_below by lra. unfold distance.
  replace (c +v tau *v u -v (c +v (- tau) *v u)) with ((2 * tau) *v u) by vector.
  rewrite norm_scale, Hu, Rabs_pos_eq; lra.
Qed.
(** lnsx25.r4: behind any records, a last record with a row of norm 1 attains tau when it is removed. *)
Theorem tau_is_attained {V : inner_product_space} tau (before : list (record V)) (u : V) : 0 <= tau -> norm u = 1 ->
  exists y, distance (pass tau (before ++ [(u, y)])) (pass tau before) = tau.
Proof.
  intros Ht Hu. set (c := pass tau before). exists (inner u c + tau).
  assert (last : forall y, pass tau (before ++ [(u, y)]) = step tau c (u, y)).
  { intros y. unfold pass. now rewrite pass_app. }
  rewrite last, step_above by lra. unfold distance.
  replace (c +v tau *v u -v c) with (tau *v u) by vector.
  rewrite norm_scale, Hu, Rabs_pos_eq; lra.
Qed.

(** * Rounding to a grid *)

(** A step with rounding to multiples of u: psi may be off by u/2, and then every one of the D coordinates. *)
Definition rounded_step {D} (u tau : R) (c : euclidean D) (r : record (euclidean D)) (next : euclidean D) : Prop :=
  exists psi, Rabs (psi - clip tau (residual c r)) <= u / 2 /\
    forall i, Rabs (coordinate i next - coordinate i (c +v psi *v row r)) <= u / 2.
(** One pass from c with rounding may end at [final]. *)
Fixpoint rounded_pass {D} (u tau : R) (c : euclidean D) (data : list (record (euclidean D))) (final : euclidean D) :=
  match data with
  | [] => final = c
  | r :: rest => exists next, rounded_step u tau c r next /\ rounded_pass u tau next rest final
  end.

(** What a rounded step is off by. *)
Lemma rounded_step_error {D} u tau (c next : euclidean D) r : 0 <= u -> norm (row r) <= 1 ->
  rounded_step u tau c r next -> distance next (step tau c r) <= (sqrt (INR D) + 1) / 2 * u.
Proof.
  intros Hu Hr [psi [Hpsi Hc]].
  eapply Rle_trans; [apply (distance_triangle _ (c +v psi *v row r))|].
  assert (coordinates : distance next (c +v psi *v row r) <= sqrt (INR D) * (u / 2)).
  { apply norm_by_coordinates; [lra|]. intros i. specialize (Hc i).
    rewrite (coordinate_add D i next), coordinate_scale.
    replace (coordinate i next + -1 * coordinate i (c +v psi *v row r))
      with (coordinate i next - coordinate i (c +v psi *v row r)) by ring. exact Hc. }
  assert (clipped : distance (c +v psi *v row r) (step tau c r) <= u / 2).
  { unfold distance, step.
    replace (c +v psi *v row r -v (c +v clip tau (residual c r) *v row r))
      with ((psi - clip tau (residual c r)) *v row r) by vector.
    rewrite norm_scale. pose proof (norm_positive (row r)).
    pose proof (Rabs_pos (psi - clip tau (residual c r))). nra. }
  lra.
Qed.
Lemma rounded_pass_app {D} u tau (after : list (record (euclidean D))) final : forall before c,
  rounded_pass u tau c (before ++ after) final ->
  exists middle, rounded_pass u tau c before middle /\ rounded_pass u tau middle after final.
Proof.
  induction before as [|r rest IH]; intros c H; simpl in *; [now exists c|].
  destruct H as [next [Hs Hp]]. destruct (IH _ Hp) as [middle [H1 H2]]. exists middle. split; eauto.
Qed.
(** Two rounded passes over the same records. *)
Lemma rounded_passes_apart {D} u tau (data : list (record (euclidean D))) : 0 <= u -> 0 <= tau -> rows_at_most 1 data ->
  forall c c' final final', rounded_pass u tau c data final -> rounded_pass u tau c' data final' ->
  distance final final' <= distance c c' + INR (length data) * ((sqrt (INR D) + 1) * u).
Proof.
  intros Hu Ht H. induction H as [|r rest Hr _ IH]; intros c c' final final' P P'.
  - simpl in *. subst. lra.
  - cbn [rounded_pass] in P, P'. destruct P as [b [Hb P]], P' as [b' [Hb' P']].
    specialize (IH _ _ _ _ P P'). cbn [length]. rewrite S_INR.
    pose proof (rounded_step_error u tau c b r Hu Hr Hb). pose proof (rounded_step_error u tau c' b' r Hu Hr Hb').
    pose proof (step_nonexpansive tau c c' r Ht Hr).
    pose proof (distance_triangle b (step tau c r) b') as T.
    pose proof (distance_triangle (step tau c r) (step tau c' r) b') as T'.
    rewrite (distance_symmetric (step tau c' r) b') in T'. lra.
Qed.

(** lnsx25.r4: with rounding to a grid of step u, substitution of one of m records moves the result by at most
    2 tau + m (sqrt(D) + 1) u. *)
Theorem substitution_with_rounding {D} u tau (before after : list (record (euclidean D))) r r' final final' :
  0 <= u -> 0 <= tau -> rows_at_most 1 (before ++ r :: after) -> rows_at_most 1 (before ++ r' :: after) ->
  rounded_pass u tau zero (before ++ r :: after) final -> rounded_pass u tau zero (before ++ r' :: after) final' ->
  distance final final' <= 2 * tau + INR (length (before ++ r :: after)) * ((sqrt (INR D) + 1) * u).
Proof.
  intros Hu Ht H H' P P'. apply Forall_app in H, H'. destruct H as [Hb H], H' as [_ H'].
  inversion H as [|? ? Hr Ha]. inversion H' as [|? ? Hr' _]. subst.
  apply rounded_pass_app in P, P'. destruct P as [c [P1 P2]], P' as [c' [P1' P2']].
  cbn [rounded_pass] in P2, P2'. destruct P2 as [b [Hb2 P2]], P2' as [b' [Hb2' P2']].
  pose proof (rounded_passes_apart u tau before Hu Ht Hb _ _ _ _ P1 P1') as first.
  pose proof (rounded_passes_apart u tau after Hu Ht Ha _ _ _ _ P2 P2') as last.
  rewrite distance_self in first. rewrite app_length, plus_INR. cbn [length]. rewrite S_INR.
  pose proof (rounded_step_error u tau c b r Hu Hr Hb2). pose proof (rounded_step_error u tau c' b' r' Hu Hr' Hb2').
  pose proof (own_step tau c r Ht Hr). pose proof (own_step tau c' r' Ht Hr').
  pose proof (distance_triangle b (step tau c r) b') as T1.
  pose proof (distance_triangle (step tau c r) c b') as T2.
  pose proof (distance_triangle c c' b') as T3.
  pose proof (distance_triangle c' (step tau c' r') b') as T4.
  rewrite (distance_symmetric c' (step tau c' r')) in T4. rewrite (distance_symmetric (step tau c' r') b') in T4. lra.
Qed.

(** lnsx25.r4: with rounding to a grid of step u, removal of one of m records moves the result by at most
    tau + m (sqrt(D) + 1) u. *)
Theorem removal_with_rounding {D} u tau (before after : list (record (euclidean D))) r final final' :
  0 <= u -> 0 <= tau -> rows_at_most 1 (before ++ r :: after) ->
  rounded_pass u tau zero (before ++ r :: after) final -> rounded_pass u tau zero (before ++ after) final' ->
  distance final final' <= tau + INR (length (before ++ r :: after)) * ((sqrt (INR D) + 1) * u).
Proof.
  intros Hu Ht H P P'. apply Forall_app in H. destruct H as [Hb H]. inversion H as [|? ? Hr Ha]. subst.
  apply rounded_pass_app in P, P'. destruct P as [c [P1 P2]], P' as [c' [P1' P2']].
  cbn [rounded_pass] in P2. destruct P2 as [b [Hb2 P2]].
  pose proof (rounded_passes_apart u tau before Hu Ht Hb _ _ _ _ P1 P1') as first.
  pose proof (rounded_passes_apart u tau after Hu Ht Ha _ _ _ _ P2 P2') as last.
  rewrite distance_self in first. rewrite app_length, plus_INR. cbn [length]. rewrite S_INR.
  pose proof (rounded_step_error u tau c b r Hu Hr Hb2). pose proof (own_step tau c r Ht Hr).
  pose proof (distance_triangle b (step tau c r) c') as T1.
  pose proof (distance_triangle (step tau c r) c c') as T2.
  assert (0 <= (sqrt (INR D) + 1) * u).
  { apply Rmult_le_pos; [pose proof (sqrt_pos (INR D)); lra | exact Hu]. }
  lra.
Qed.

(** * A hidden order *)

(** An order of m places. *)
Definition order (m : nat) : Type := { o : list nat | Permutation o (seq 0 m) }.
(** The records of a dataset in the order o. *)
Definition arrange {A} (default : A) (o : list nat) (data : list A) : list A := map (fun i => nth i data default) o.
(** An order without the place k. *)
Definition without (k : nat) (o : list nat) : list nat := filter (fun i => negb (Nat.eqb i k)) o.

(** A bound for every order is one for their mixture. *)
Lemma mixture {W O} eps delta (w : law W) (p q : W -> law O) : (forall o, close eps delta (p o) (q o)) ->
  close eps delta (then_ w p) (then_ w q).
Proof.
  intros H f Hf. cbn [E then_].
  assert (Tp : test (fun o => p o f)) by (intros o; now apply E_test).
  assert (Tq : test (fun o => q o f)) by (intros o; now apply E_test).
  assert (split : w (fun o => exp eps * q o f + delta) = exp eps * w (fun o => q o f) + delta).
  { rewrite E_plus, E_scal, E_const by auto using bounded_scal, test_bounded, bounded_const. reflexivity. }
  rewrite <- split.
  apply E_mono; auto using bounded_plus, bounded_scal, test_bounded, bounded_const. intros o. now apply H.
Qed.

Lemma nth_substituted {A} (d : A) before r r' after i : i <> length before ->
  nth i (before ++ r :: after) d = nth i (before ++ r' :: after) d.
Proof.
  intros N. destruct (Nat.lt_ge_cases i (length before)) as [L | L].
  - now rewrite !app_nth1.
  - rewrite !app_nth2 by lia. destruct (i - length before)%nat eqn:E; [lia | reflexivity].
Qed.
Lemma nth_place {A} (d : A) before r after : nth (length before) (before ++ r :: after) d = r.
Proof. rewrite app_nth2, Nat.sub_diag by lia. reflexivity. Qed.
Lemma place_in_order m (o : list nat) k : Permutation o (seq 0 m) -> (k < m)%nat ->
  exists o1 o2, o = o1 ++ k :: o2 /\ ~ In k o1 /\ ~ In k o2.
Proof.
  intros P L. assert (I : In k o) by (apply (Permutation_in _ (Permutation_sym P)), in_seq; lia).
  apply in_split in I. destruct I as [o1 [o2 E]]. exists o1, o2. split; [exact E|].
  assert (ND : NoDup o) by (apply (Permutation_NoDup (Permutation_sym P)), seq_NoDup).
  rewrite E in ND. apply NoDup_remove_2 in ND. rewrite in_app_iff in ND. tauto.
Qed.
Lemma arrange_elsewhere {A} (d : A) before r r' after o : ~ In (length before) o ->
  arrange d o (before ++ r :: after) = arrange d o (before ++ r' :: after).
Proof.
  intros N. apply map_ext_in. intros i I. apply nth_substituted. intros E. apply N. now rewrite <- E.
Qed.
Lemma without_absent k o : ~ In k o -> without k o = o.
Proof.
  induction o as [|i o IH]; intros N; simpl; [reflexivity|]. simpl in N.
  destruct (Nat.eqb_spec i k); [tauto|]. simpl. now rewrite IH by tauto.
Qed.
Lemma arrange_rows {V : inner_product_space} (default : record V) b o data : norm (row default) <= b ->
  rows_at_most b data -> rows_at_most b (arrange default o data).
Proof.
  intros Hd H. apply Forall_forall. intros r I. apply in_map_iff in I. destruct I as [i [E _]]. subst.
  destruct (nth_in_or_default i data default) as [I | E].
  - now apply (proj1 (Forall_forall _ _) H).
  - now rewrite E.
Qed.

Section HiddenOrder.
Context {V : inner_product_space} {O : Type}.
(** A record that stands where there is none; no order reaches it. *)
Let nowhere : record V := (zero, 0).
(** The pass over the data in a random order, which is hidden, and then a release of its result. *)
Definition hidden_order_pass tau {m} (w : law (order m)) (release : V -> law O) (data : list (record V)) : law O :=
  then_ w (fun o => release (pass tau (arrange nowhere (proj1_sig o) data))).
(** The same for the dataset that lacks the record at place k: the others keep their order. *)
Definition hidden_order_pass_without tau {m} (w : law (order m)) (release : V -> law O) data k : law O :=
  then_ w (fun o => release (pass tau (arrange nowhere (without k (proj1_sig o)) data))).

Lemma nowhere_norm : norm (row nowhere) <= 1.
Proof. unfold nowhere, row. cbn [fst]. rewrite norm_zero. lra. Qed.

(** lnsx25.r4: in a random hidden order, of whatever law, a release that hides a distance of 2 tau hides the
    substitution of a record. *)
Theorem hidden_order_substitution eps delta tau (w : forall m, law (order m)) (release : V -> law O) before after r r' :
  0 <= tau -> rows_at_most 1 (before ++ r :: after) -> rows_at_most 1 (before ++ r' :: after) ->
  (forall c c', distance c c' <= 2 * tau -> close eps delta (release c) (release c')) ->
  let m := length (before ++ r :: after) in
  close eps delta (hidden_order_pass tau (w m) release (before ++ r :: after))
                  (hidden_order_pass tau (w m) release (before ++ r' :: after)).
Proof.
  intros Ht H H' hides m. apply mixture. intros [o P]. cbn [proj1_sig]. apply hides.
  destruct (place_in_order m o (length before) P) as [o1 [o2 [E [N1 N2]]]].
  { unfold m. rewrite app_length. simpl. lia. }
  pose proof (arrange_rows nowhere 1 o _ nowhere_norm H) as rows. revert rows.
  pose proof (arrange_rows nowhere 1 o _ nowhere_norm H') as rows'. revert rows'.
  subst o. unfold arrange at 1 2 3 4. rewrite !map_app. cbn [map]. rewrite !nth_place.
  fold (arrange nowhere o1 (before ++ r' :: after)). fold (arrange nowhere o2 (before ++ r' :: after)).
  fold (arrange nowhere o1 (before ++ r :: after)). fold (arrange nowhere o2 (before ++ r :: after)).
  rewrite <- (arrange_elsewhere nowhere before r r' after o1 N1).
  rewrite <- (arrange_elsewhere nowhere before r r' after o2 N2).
  intros rows' rows. now apply substitution_moves_by_two_tau.
Qed.

(** lnsx25.r4: in a random hidden order a release that hides a distance of tau hides the removal of a record. *)
Theorem hidden_order_removal eps delta tau (w : forall m, law (order m)) (release : V -> law O) before after r :
  0 <= tau -> rows_at_most 1 (before ++ r :: after) ->
  (forall c c', distance c c' <= tau -> close eps delta (release c) (release c')) ->
  let m := length (before ++ r :: after) in
  let data := before ++ r :: after in
  close eps delta (hidden_order_pass tau (w m) release data)
                  (hidden_order_pass_without tau (w m) release data (length before)) /\
  close eps delta (hidden_order_pass_without tau (w m) release data (length before))
                  (hidden_order_pass tau (w m) release data).
Proof.
  intros Ht H hides m data.
  assert (apart : forall o, Permutation o (seq 0 m) ->
    distance (pass tau (arrange nowhere o data)) (pass tau (arrange nowhere (without (length before) o) data)) <= tau).
  { intros o P. destruct (place_in_order m o (length before) P) as [o1 [o2 [E [N1 N2]]]].
    { unfold m. rewrite app_length. simpl. lia. }
    pose proof (arrange_rows nowhere 1 o _ nowhere_norm H) as rows. revert rows. subst o data.
    assert (W : without (length before) (o1 ++ length before :: o2) = o1 ++ o2).
    { unfold without. rewrite filter_app. cbn [filter]. rewrite Nat.eqb_refl. cbn [negb].
      fold (without (length before) o1). fold (without (length before) o2). now rewrite !without_absent. }
    rewrite W. unfold arrange. rewrite !map_app. cbn [map]. apply removal_moves_by_tau. exact Ht. }
  split; apply mixture; intros [o P]; cbn [proj1_sig]; apply hides; [|rewrite distance_symmetric]; now apply apart.
Qed.
End HiddenOrder.

(** * Rows of norm sqrt(N) *)

Section LongRows.
Context {V : inner_product_space}.
(** A step over rows of norm sqrt(N), with division by N. *)
Definition long_step (N tau : R) (c : V) (r : record V) : V := c +v (clip tau (residual c r) / N) *v row r.
(** One pass of such steps from 0. *)
Definition long_pass (N tau : R) (data : list (record V)) : V := fold_left (long_step N tau) data zero.
Definition shortened (N : R) (r : record V) : record V := ((/ sqrt N) *v row r, label r).

Lemma long_pass_is_scaled N tau data : 0 < N -> forall c : V,
  fold_left (long_step N tau) data c = (/ sqrt N) *v pass_from tau (sqrt N *v c) (map (shortened N) data).
Proof.
  intros HN. pose proof (sqrt_lt_R0 N HN) as S. pose proof (sqrt_sqrt N (Rlt_le _ _ HN)) as SS.
  induction data as [|r rest IH]; intros c; cbn [fold_left map pass_from].
  - apply inner_separates; intro; expand. field. lra.
  - rewrite IH. unfold pass_from. f_equal. f_equal. unfold step, long_step.
    assert (E : residual (sqrt N *v c) (shortened N r) = residual c r).
    { unfold residual, shortened, row, label. cbn [fst snd]. expand. field. lra. }
    rewrite E. unfold shortened, row. cbn [fst snd]. apply inner_separates; intro; expand.
    rewrite <- SS at 2. field. lra.
Qed.
Lemma shortened_rows N data : 0 < N -> rows_at_most (sqrt N) data -> rows_at_most 1 (map (shortened N) data).
Proof.
  intros HN H. pose proof (sqrt_lt_R0 N HN) as S. apply Forall_forall. intros r' I. apply in_map_iff in I.
  destruct I as [r [E I]]. subst. pose proof (proj1 (Forall_forall _ _) H r I) as Hr. unfold shortened, row at 1.
  cbn [fst]. rewrite norm_scale, Rabs_pos_eq by (left; now apply Rinv_0_lt_compat).
  apply (Rmult_le_reg_l (sqrt N)); [exact S|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra.
Qed.
Lemma long_pass_distance N tau data data' : 0 < N ->
  distance (long_pass N tau data) (long_pass N tau data') =
  distance (pass tau (map (shortened N) data)) (pass tau (map (shortened N) data')) / sqrt N.
Proof.
  intros HN. pose proof (sqrt_lt_R0 N HN) as S. unfold long_pass. rewrite !long_pass_is_scaled by exact HN.
  unfold pass, distance. replace (sqrt N *v (zero : V)) with (zero : V) by vector.
  set (a := pass_from tau zero (map (shortened N) data)). set (b := pass_from tau zero (map (shortened N) data')).
  replace (/ sqrt N *v a -v / sqrt N *v b) with (/ sqrt N *v (a -v b)) by vector.
  rewrite norm_scale, Rabs_pos_eq by (left; now apply Rinv_0_lt_compat). unfold Rdiv. ring.
Qed.
(** lnsx25.r4: over rows of norm at most sqrt(N), with division by N, substitution moves by at most 2 tau/sqrt(N). *)
Theorem substitution_over_long_rows N tau (before after : list (record V)) r r' : 0 < N -> 0 <= tau ->
  rows_at_most (sqrt N) (before ++ r :: after) -> rows_at_most (sqrt N) (before ++ r' :: after) ->
  distance (long_pass N tau (before ++ r :: after)) (long_pass N tau (before ++ r' :: after)) <= 2 * tau / sqrt N.
Proof.
  intros HN Ht H H'. rewrite long_pass_distance by exact HN. apply shortened_rows in H, H'; try exact HN.
  rewrite !map_app in *. cbn [map] in *.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, sqrt_lt_R0, HN|].
  now apply substitution_moves_by_two_tau.
Qed.
End LongRows.

(** * Without the clip *)

Section Unclipped.
Context {V : inner_product_space}.
(** A step of Kaczmarz: the nearest c at which the record is fitted exactly. *)
Definition kaczmarz_step (c : V) (r : record V) : V := c +v (residual c r / inner (row r) (row r)) *v row r.
(** One pass of such steps from 0. *)
Definition kaczmarz_pass (data : list (record V)) : V := fold_left kaczmarz_step data zero.
(** All rows have the norm b. *)
Definition rows_of_norm (b : R) (data : list (record V)) : Prop := Forall (fun r => norm (row r) = b) data.
(** The sum of y^2 / |a|^2 over the records (a, y). *)
Definition label_energy (data : list (record V)) : R := sum (fun r => label r ^ 2 / norm (row r) ^ 2) data.

Lemma kaczmarz_step_norm c r : row r <> zero ->
  norm (kaczmarz_step c r) ^ 2 <= norm c ^ 2 + label r ^ 2 / norm (row r) ^ 2.
Proof.
  intros N. rewrite !norm_squared. set (q := inner (row r) (row r)).
  assert (Q : 0 < q).
  { pose proof (inner_positive _ (row r)). fold q in H. destruct (Req_dec q 0); [|lra].
    exfalso. apply N. now apply inner_definite. }
  unfold kaczmarz_step, residual. fold q. expand. rewrite (inner_symmetric _ c (row r)). fold q.
  set (p := inner (row r) c). set (y := label r). fold q.
  apply Rle_trans with (inner c c + y ^ 2 / q - p ^ 2 / q).
  - apply Req_le. field. lra.
  - assert (0 <= p ^ 2 / q) by (apply Rmult_le_pos; [apply pow2_ge_0 | left; now apply Rinv_0_lt_compat]). lra.
Qed.

(** lnsx25.kaczmarz.corrected: a pass over rows other than 0 ends at |c|^2 <= the sum of y_j^2/|a_j|^2. *)
Theorem kaczmarz_pass_norm data : Forall (fun r => row r <> zero) data ->
  norm (kaczmarz_pass data) ^ 2 <= label_energy data.
Proof.
  intros H. assert (G : forall c, norm (fold_left kaczmarz_step data c) ^ 2 <= norm c ^ 2 + label_energy data).
  { induction H as [|r rest Hr _ IH]; intros c; unfold label_energy in *; cbn [fold_left sum]; [lra|].
    pose proof (IH (kaczmarz_step c r)). pose proof (kaczmarz_step_norm c r Hr). lra. }
  specialize (G zero). rewrite norm_zero in G. unfold kaczmarz_pass. lra.
Qed.

Lemma equal_rows_energy N data : 0 < N -> rows_of_norm (sqrt N) data ->
  label_energy data = sum (fun r => label r ^ 2) data / N.
Proof.
  intros HN H. induction H as [|r rest Hr _ IH]; unfold label_energy in *; cbn [sum]; [field; lra|].
  rewrite IH, Hr, pow2_sqrt by lra. field. lra.
Qed.

(** lnsx25.kaczmarz.corrected: over rows of norm sqrt(N) and labels of norm at most 1 any two passes, over whatever
    datasets, end at most 2/sqrt(N) apart. *)
Theorem any_two_kaczmarz_passes N data data' : 0 < N ->
  rows_of_norm (sqrt N) data -> sum (fun r => label r ^ 2) data <= 1 ->
  rows_of_norm (sqrt N) data' -> sum (fun r => label r ^ 2) data' <= 1 ->
  distance (kaczmarz_pass data) (kaczmarz_pass data') <= 2 / sqrt N.
Proof.
  intros HN H Y H' Y'. pose proof (sqrt_lt_R0 N HN) as S.
  assert (bound : forall d, rows_of_norm (sqrt N) d -> sum (fun r => label r ^ 2) d <= 1 ->
    norm (kaczmarz_pass d) <= / sqrt N).
  { intros d Hd Yd. assert (I : 0 < / sqrt N) by now apply Rinv_0_lt_compat.
    apply norm_at_most; [lra|]. rewrite <- norm_squared.
    eapply Rle_trans; [apply kaczmarz_pass_norm|].
    - apply Forall_impl with (2 := Hd). intros r Hr Z. rewrite Z, norm_zero in Hr. lra.
    - rewrite (equal_rows_energy N d HN Hd). rewrite pow_inv, pow2_sqrt by lra.
      apply (Rmult_le_reg_r N); [exact HN|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  apply distance_in_ball; auto.
Qed.

(** lnsx25.kaczmarz.corrected: 2/sqrt(N) is attained by one record whose label is reversed. *)
Theorem two_over_root_is_attained N (u : V) : 0 < N -> norm u = 1 -> let a := sqrt N *v u in
  norm a = sqrt N /\ distance (kaczmarz_pass [(a, 1)]) (kaczmarz_pass [(a, -1)]) = 2 / sqrt N.
Proof.
  intros HN Hu a. pose proof (sqrt_lt_R0 N HN) as S.
  assert (A : norm a = sqrt N) by (unfold a; rewrite norm_scale, Hu, Rabs_pos_eq; lra). split; [exact A|].
  assert (AA : inner a a = sqrt N ^ 2) by (rewrite <- norm_squared, A; reflexivity).
  unfold kaczmarz_pass, kaczmarz_step, residual, row, label, distance. cbn [fold_left fst snd].
  rewrite inner_zero_right, AA.
  replace (zero +v ((1 - 0) / sqrt N ^ 2) *v a -v (zero +v ((-1 - 0) / sqrt N ^ 2) *v a))
    with ((2 / sqrt N ^ 2) *v a) by vector.
  rewrite norm_scale, A, Rabs_pos_eq; [field; lra|]. left. apply Rdiv_lt_0_compat; [lra | now apply pow_lt].
Qed.
End Unclipped.
