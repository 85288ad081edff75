(** Noise around a query, run on coins, is private.

    Noise of any law p on the integers is drawn around the value of an integer query, or in each coordinate of a vector
    of queries. If p(k - c) <= e^cost p(k - c') for all k, the program is private with this cost, and a vector with the
    sum of the costs of its coordinates. For noise with p(k) proportional to e^(-|k|/scale), the discrete Laplace law,
    the cost is |c - c'|/scale: a vector query that moves by at most D in the sum of its coordinates is
    (D/scale, 0)-differentially private, as the program of coins that is run.

    Claims: none.
*)
Require Import ZArith Reals Lra Lia List.
From DpAssay Require Import Trees Laws Sequence Around Privacy ProgramLaw. Import ListNotations.
Open Scope R_scope.

Section noise.
Variables (noise : nat -> tree Z) (p : Z -> R).
Hypothesis noise_law : has_law Z.eq_dec noise p.

(** The law of noise around a value, and around a vector of values. *)
Definition noise_around (value : Z) : law Z :=
  law_of_program Z.eq_dec (fun F => around F value noise) _ (around_law noise p noise_law value).
Definition noise_around_all (values : list Z) : law (list Z) :=
  law_of_program (list_eq_dec Z.eq_dec) (fun F => around_all F values noise) _
    (around_all_law noise p noise_law values).

(** What it costs to move the centre from c to c'. *)
Variable cost : Z -> Z -> R.
Hypothesis moving : forall c c' k, p (k - c)%Z <= exp (cost c c') * p (k - c')%Z.

(** Noise around a query costs what the query's move costs. *)
Theorem noise_around_is_private {D} (adj : D -> D -> Prop) epsilon (query : D -> Z) :
  (forall S S', adj S S' -> cost (query S) (query S') <= epsilon) ->
  dp adj epsilon 0 (fun S => noise_around (query S)).
Proof.
  intros sensitive S S' neighbours. apply programs_close. intros k. eapply Rle_trans; [apply moving|].
  apply Rmult_le_compat_r; [apply (has_law_nonnegative Z.eq_dec noise p noise_law)|].
  destruct (sensitive S S' neighbours) as [less | ->]; [left; now apply exp_increasing | lra].
Qed.

(** The costs of the coordinates. *)
Fixpoint total_cost (values values' : list Z) : R :=
  match values, values' with
  | c :: rest, c' :: rest' => cost c c' + total_cost rest rest'
  | _, _ => 0
  end.

Lemma product_around_nonneg values v : 0 <= product_around p values v.
Proof.
  revert v. induction values as [|c rest IH]; intros [|k l]; simpl; try lra.
  apply Rmult_le_pos; auto. apply (has_law_nonnegative Z.eq_dec noise p noise_law).
Qed.
Lemma product_around_moving values values' v : length values = length values' ->
  product_around p values v <= exp (total_cost values values') * product_around p values' v.
Proof.
  revert values' v. induction values as [|c rest IH]; intros [|c' rest'] [|k l] same; simpl in *; try discriminate;
    rewrite ?exp_0; try lra.
  rewrite exp_plus. specialize (IH rest' l ltac:(lia)). specialize (moving c c' k).
  apply Rle_trans with ((exp (cost c c') * p (k - c')%Z) * (exp (total_cost rest rest') * product_around p rest' l));
    [|apply Req_le; lra].
  apply Rmult_le_compat; auto using product_around_nonneg.
  apply (has_law_nonnegative Z.eq_dec noise p noise_law).
Qed.

(** Noise around a vector of queries costs the sum. *)
Theorem noise_around_all_is_private {D} (adj : D -> D -> Prop) epsilon (queries : D -> list Z) :
  (forall S S', adj S S' -> length (queries S) = length (queries S')
                            /\ total_cost (queries S) (queries S') <= epsilon) ->
  dp adj epsilon 0 (fun S => noise_around_all (queries S)).
Proof.
  intros sensitive S S' neighbours. destruct (sensitive S S' neighbours) as [same bound].
  apply programs_close. intros v. eapply Rle_trans; [exact (product_around_moving (queries S) (queries S') v same)|].
  apply Rmult_le_compat_r; [apply product_around_nonneg|].
  destruct bound as [less | ->]; [left; now apply exp_increasing | lra].
Qed.
End noise.

(** The sum of the moves of the coordinates. *)
Fixpoint l1_distance (values values' : list Z) : Z :=
  match values, values' with
  | c :: rest, c' :: rest' => (Z.abs (c - c') + l1_distance rest rest')%Z
  | _, _ => 0%Z
  end.

(** Discrete Laplace noise around a vector of integer queries that moves by at most D in l1 is (D/scale, 0)-private. *)
Theorem laplace_program_is_private {D} (adj : D -> D -> Prop) scale constant noise p
  (noise_law : has_law Z.eq_dec noise p) (queries : D -> list Z) (sensitivity : Z) : 0 < scale -> 0 <= constant ->
  (forall k, p k = constant * exp (- IZR (Z.abs k) / scale)) ->
  (forall S S', adj S S' -> length (queries S) = length (queries S')
                            /\ (l1_distance (queries S) (queries S') <= sensitivity)%Z) ->
  dp adj (IZR sensitivity / scale) 0 (fun S => noise_around_all noise p noise_law (queries S)).
Proof.
  intros Hs Hc laplace sensitive. set (cost := fun c c' => IZR (Z.abs (c - c')) / scale).
  assert (inverse : 0 < / scale) by now apply Rinv_0_lt_compat.
  apply noise_around_all_is_private with (cost := cost).
  - intros c c' k. rewrite !laplace, <- Rmult_assoc, (Rmult_comm (exp _)), Rmult_assoc.
    apply Rmult_le_compat_l; auto. rewrite <- exp_plus.
    assert (bound : - IZR (Z.abs (k - c)) / scale <= cost c c' + - IZR (Z.abs (k - c')) / scale).
    { unfold cost, Rdiv. rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [lra|].
      rewrite <- !opp_IZR, <- plus_IZR. apply IZR_le. lia. }
    destruct bound as [less | ->]; [left; now apply exp_increasing | lra].
  - intros S S' neighbours. destruct (sensitive S S' neighbours) as [same bound]. split; auto.
    assert (total : forall values values', total_cost cost values values' = IZR (l1_distance values values') / scale).
    { induction values as [|c rest IH]; intros [|c' rest']; simpl; try (unfold Rdiv; lra).
      rewrite IH, plus_IZR. unfold cost. lra. }
    rewrite total. apply Rmult_le_compat_r; [lra|]. now apply IZR_le.
Qed.
