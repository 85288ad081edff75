(** Learners of halfspaces with a margin, as the lower bounds speak of them.

    A record is a point of the closed unit ball of R^d with a label. A learner takes n records and returns a hypothesis
    of any type. q o x y is the probability that hypothesis o does not say y at x (a tie counts for both labels): so
    hypotheses may be randomised, and need not be halfspaces. A learner `learns` to (alpha, beta, gamma) if for every
    distribution of margin gamma the result of n independent records has error at most alpha with probability at
    least 1 - beta. Only distributions on finitely many records are asked for: so a lower bound for these learners is
    one for all.

    Claims: none.
*)
Require Import Reals Lra Lia List Bool Arith. Import ListNotations.
From DpAssay Require Import Privacy Neighbours RealVectors Events.
Open Scope R_scope.

(** The closed unit ball of R^d. *)
Definition ball (d : nat) : Type := {x : vector | length x = d /\ inner x x <= 1}.
Definition example (d : nat) : Type := ball d * bool.
Definition coordinates {d} (x : ball d) : vector := proj1_sig x.

(** A law on k records, record i with weight i. *)
Definition distribution {X} (k : nat) (weight : nat -> R) (record : nat -> X)
    (nonneg : forall i, 0 <= weight i) (total : sum weight (seq 0 k) = 1) : law X :=
  relabel record (finite weight (seq 0 k) nonneg total).
(** All k records have margin gamma under one halfspace. *)
Definition separated {d} (gamma : R) (k : nat) (record : nat -> example d) : Prop :=
  exists w, length w = d /\ inner w w <= 1 /\
    forall i, (i < k)%nat -> sign (snd (record i)) * inner w (coordinates (fst (record i))) >= gamma.

(** q o x y is a probability, and o says at most one of the two labels. *)
Definition hypotheses {O d} (q : O -> ball d -> bool -> R) : Prop :=
  forall o x, (forall y, 0 <= q o x y <= 1) /\ 1 <= q o x true + q o x false.
(** The probability that o does not say the label of a record from D. *)
Definition error {O d} (q : O -> ball d -> bool -> R) (D : law (example d)) (o : O) : R :=
  D (fun r => q o (fst r) (snd r)).
(** 1 if the hypothesis has error at most alpha, else 0. *)
Definition good {O d} q (D : law (example d)) alpha (o : O) : R := indicator (at_most (error q D o) alpha).

(** An (alpha, beta, gamma)-learner with n records. *)
Definition learns {O d n} (q : O -> ball d -> bool -> R) alpha beta gamma (M : data (example d) n -> law O) : Prop :=
  forall k weight record nonneg total, separated gamma k record ->
  let D := distribution k weight record nonneg total in then_ (iid D n) M (good q D alpha) >= 1 - beta.

(** The records e_i with labels of their own are separated with margin 1/sqrt N. *)

(** Sums over the places below d of what stands at one place, or below N, only. *)
Lemma sum_at_one_place f i d : (i < d)%nat -> sum (fun j => f j * if (j =? i)%nat then 1 else 0) (seq 0 d) = f i.
Proof.
  intros I. replace d with (i + (1 + (d - S i)))%nat by lia. rewrite !seq_app, !sum_app. cbn [seq sum].
  assert (elsewhere : forall l, ~ In i l -> sum (fun j => f j * if (j =? i)%nat then 1 else 0) l = 0).
  { intros l H. rewrite (sum_ext_in _ (fun _ => 0)); [rewrite sum_const; lra|].
    intros j Hj. destruct (Nat.eqb_spec j i) as [->|]; [easy | lra]. }
  rewrite !elsewhere by (rewrite in_seq; lia). simpl. rewrite Nat.eqb_refl. lra.
Qed.
Lemma sum_below N d f c : (N <= d)%nat -> (forall j, (j < N)%nat -> f j = c) -> (forall j, (N <= j)%nat -> f j = 0) ->
  sum f (seq 0 d) = INR N * c.
Proof.
  intros L In Out. replace d with (N + (d - N))%nat by lia. rewrite seq_app, sum_app.
  rewrite (sum_ext_in f (fun _ => c)) by (intros j Hj; apply in_seq in Hj; apply In; lia).
  rewrite (sum_ext_in f (fun _ => 0) (seq _ _)) by (intros j Hj; apply in_seq in Hj; apply Out; lia).
  rewrite !sum_const, !seq_length. lra.
Qed.

(** e_i, for the places i below d. *)
Definition unit_coordinates (d i : nat) : vector := map (fun j => if (j =? i)%nat then 1 else 0) (seq 0 d).
Lemma unit_in_ball d i : length (unit_coordinates d i) = d /\ inner (unit_coordinates d i) (unit_coordinates d i) <= 1.
Proof.
  unfold unit_coordinates. rewrite map_length, seq_length, inner_map. split; [easy|].
  destruct (Nat.lt_ge_cases i d) as [I|I].
  - rewrite (sum_at_one_place (fun j => if (j =? i)%nat then 1 else 0)) by exact I. rewrite Nat.eqb_refl. lra.
  - rewrite (sum_ext_in _ (fun _ => 0)); [rewrite sum_const; lra|].
    intros j Hj. apply in_seq in Hj. destruct (Nat.eqb_spec j i); [lia | lra].
Qed.
Definition unit_point (d i : nat) : ball d := exist _ (unit_coordinates d i) (unit_in_ball d i).

(** The sum of the first N unit vectors with the signs y, over sqrt N. *)
Definition signed_sum (d N : nat) (y : list bool) : vector :=
  map (fun j => if (j <? N)%nat then sign (nth j y false) / sqrt (INR N) else 0) (seq 0 d).

Lemma unit_points_separated d N gamma (y : list bool) : (0 < N <= d)%nat -> 0 < gamma -> INR N * (gamma * gamma) <= 1 ->
  separated gamma N (fun i => (unit_point d i, nth i y false)).
Proof.
  intros [N0 Nd] G Fits. exists (signed_sum d N y).
  assert (P : 0 < INR N) by now apply lt_0_INR.
  assert (Root : 0 < sqrt (INR N)) by now apply sqrt_lt_R0.
  pose proof (sqrt_sqrt (INR N) (Rlt_le _ _ P)) as Square.
  assert (signs : forall b, sign b * sign b = 1) by (intros []; simpl; lra).
  unfold signed_sum. rewrite map_length, seq_length. repeat split.
  - rewrite inner_map, (sum_below N d _ (/ INR N)); [right; field; lra | exact Nd | |].
    + intros j J. apply Nat.ltb_lt in J. rewrite J.
      replace (sign (nth j y false) / sqrt (INR N) * (sign (nth j y false) / sqrt (INR N)))
        with (sign (nth j y false) * sign (nth j y false) / (sqrt (INR N) * sqrt (INR N))) by (field; lra).
      rewrite signs, Square. field. lra.
    + intros j J. apply Nat.ltb_ge in J. rewrite J. lra.
  - intros i I. cbn [coordinates unit_point proj1_sig fst snd].
    unfold unit_coordinates. rewrite inner_map, sum_at_one_place by lia.
    pose proof I as I'. apply Nat.ltb_lt in I'. rewrite I'. unfold Rdiv. rewrite <- Rmult_assoc, signs, Rmult_1_l.
    apply Rle_ge. apply Rmult_le_reg_r with (sqrt (INR N)); [exact Root|]. rewrite Rinv_l by lra.
    assert (0 < gamma * sqrt (INR N)) by now apply Rmult_lt_0_compat.
    assert ((gamma * sqrt (INR N)) * (gamma * sqrt (INR N)) <= 1).
    { replace ((gamma * sqrt (INR N)) * (gamma * sqrt (INR N)))
        with (sqrt (INR N) * sqrt (INR N) * (gamma * gamma)) by ring. now rewrite Square. }
    nra.
Qed.

(** The largest N is floor(1/gamma^2). *)
Lemma floor_fits gamma : 0 < gamma <= 1 ->
  let N := Z.to_nat (Int_part (/ (gamma * gamma))) in (0 < N)%nat /\ INR N * (gamma * gamma) <= 1.
Proof.
  intros G N. assert (S : 0 < gamma * gamma <= 1) by nra.
  pose proof (base_Int_part (/ (gamma * gamma))) as [Below Above].
  assert (One : 1 <= / (gamma * gamma)) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  assert (Positive : (0 < Int_part (/ (gamma * gamma)))%Z) by (apply lt_IZR; lra).
  split; [lia|]. unfold N. rewrite INR_IZR_INZ, Z2Nat.id by lia.
  apply Rmult_le_reg_r with (/ (gamma * gamma)); [apply Rinv_0_lt_compat; lra|].
  rewrite Rmult_assoc, Rinv_r by lra. lra.
Qed.
