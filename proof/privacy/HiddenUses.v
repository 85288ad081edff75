(** The mean of delta over hidden uses.

    The numbers of the records that a learner reads are drawn, hidden, from one law on both datasets.  For fixed
    numbers h let the release t be j_t(h)^2 rho-zCDP, whatever was released before, where j_t(h) says how often it reads
    the record that differs.  Then the releases together are (epsilon, delta)-private with the mean over h of the delta
    of J(h) rho-zCDP, where J(h) is the sum of the j_t(h)^2.  The order of the conversion may depend on h.

    Narrower than the page: the law of the numbers is any; that the j_t are binomial is left out.

    Claims: bms22.uses.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Totals Distributions ZeroConcentrated ConcentratedPaths.
Open Scope R_scope.

(** Mixtures with the same weights: the deltas are averaged. *)
Lemma close_of_mixture {H O} (hidden : law H) (P Q : H -> law O) eps (delta : H -> R) : bounded delta ->
  (forall h, close eps (delta h) (P h) (Q h)) -> close eps (hidden delta) (then_ hidden P) (then_ hidden Q).
Proof.
  intros Bd C f Hf. cbn [E then_].
  assert (B : forall M : H -> law O, bounded (fun h => M h f)).
  { intros M. apply test_bounded. intros h. now apply E_test. }
  rewrite <- E_scal by apply B. rewrite <- E_plus; auto; [|apply bounded_scal, B].
  apply E_mono; auto; [apply bounded_plus; auto; apply bounded_scal, B|].
  intros h. now apply C.
Qed.

(** The sum of the costs along a path, if the cost depends only on how many draws were made. *)
Lemma path_cost_by_time {X} (g : nat -> R) (xs : list X) : forall earlier,
  path_cost (fun e => g (length e)) earlier xs = sum g (seq (length earlier) (length xs)).
Proof.
  induction xs as [|x xs IH]; intros earlier; [reflexivity|]. cbn [path_cost length seq sum].
  rewrite IH, app_length, Nat.add_1_r. reflexivity.
Qed.

(** bms22.uses: T releases, release t on the numbers h being (j_t(h))^2 rho-zCDP whatever was released before.
    [order h] is the order of the conversion for the numbers h, and a delta above 1 is taken as 1. *)
Theorem hidden_uses_dp {H X} (numbers : law H) (next next' : H -> list X -> distribution X) (uses : H -> nat -> nat)
  (rho eps : R) (T : nat) (order : H -> R) :
  (forall h earlier alpha, 1 < alpha ->
     renyi_at_most alpha (alpha * (INR (uses h (length earlier)) ^ 2 * rho)) (next h earlier) (next' h earlier)) ->
  (forall h, 1 < order h) ->
  let J h := sum (fun t => INR (uses h t) ^ 2) (seq 0 T) in
  let delta h := Rmin 1 (conversion_delta (order h) (order h * (J h * rho)) eps) in
  close eps (numbers delta)
    (then_ numbers (fun h => law_of (path_law (next h) [] T)))
    (then_ numbers (fun h => law_of (path_law (next' h) [] T))).
Proof.
  intros C Ho J delta.
  assert (P : forall h, 0 <= delta h <= 1).
  { intros h. unfold delta. split; [|apply Rmin_l]. apply Rmin_glb; [lra|]. left. apply conversion_delta_pos, Ho. }
  apply close_of_mixture; [now apply test_bounded|]. intros h.
  assert (R : renyi_at_most (order h) (order h * (J h * rho)) (path_law (next h) [] T) (path_law (next' h) [] T)).
  { apply (renyi_path (order h) _ _ (fun earlier => INR (uses h (length earlier)) ^ 2 * rho)); [apply Ho | |].
    - intros earlier. apply C, Ho.
    - intros xs L. rewrite (path_cost_by_time (fun t => INR (uses h t) ^ 2 * rho)). cbn [length]. rewrite L. unfold J.
      rewrite <- (Rmult_comm rho), <- sum_scal. apply Req_le, sum_ext. intros t. apply Rmult_comm. }
  pose proof (renyi_to_close (order h) (order h * (J h * rho)) eps _ _ (Ho h) R) as K.
  intros f Hf. specialize (K f Hf). unfold delta, Rmin. destruct (Rle_dec 1 _); [|exact K].
  pose proof (E_test (law_of (path_law (next h) [] T)) f Hf).
  pose proof (E_test (law_of (path_law (next' h) [] T)) f Hf). pose proof (exp_pos eps).
  assert (0 <= exp eps * law_of (path_law (next' h) [] T) f) by (apply Rmult_le_pos; lra). lra.
Qed.
