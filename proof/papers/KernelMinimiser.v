(** How far the minimiser of a regularised risk moves.

    w* minimises (1/n) sum of l(<w, phi(x_i)>; y_i) + (lambda/2) |w|^2 in any inner product space, for a loss l that is
    convex and L-Lipschitz in the prediction, and |phi(x)| <= R. If one record is substituted, w* moves by at most
    2 L R/(lambda n) and its predictions by at most 2 L R^2/(lambda n); both are attained. |w*| <= L R/lambda. A dual
    point of gap g is within sqrt(g/lambda) of w*; so the predictions of a solver move by at most S + 2 r + 2 eta.
    The squared loss with bounded labels is covered.

    Narrower than the pages: that there is a minimiser is a hypothesis (it is proved where the bounds are attained);
    of jt13.eq2 the two bounds, the second sharper by sqrt(2), and not the form of w*. The proof of jt13.eq2.gap is
    shorter than that of the page: it needs no maximiser of the dual.

    Claims: jt13.eq3, jt13.eq2, jt13.eq2.gap, jt13.eq3.solver, jt13.eq3.squared.corrected.
*)
Require Import Reals Lra Lia Psatz List Permutation. Import ListNotations.
From DpAssay Require Import Privacy InnerProduct.
Open Scope R_scope. Open Scope vector_scope.

(** * Definitions *)

(** Two datasets, as multisets, that differ in one record, which is substituted. *)
Definition neighbours {A} (data data' : list A) : Prop :=
  exists r r' rest, Permutation data (r :: rest) /\ Permutation data' (r' :: rest).
(** The mean of f over the records. *)
Definition mean {A} (f : A -> R) (data : list A) : R := sum f data / INR (length data).

Definition convex (l : R -> R) : Prop :=
  forall t a b, 0 <= t <= 1 -> l (t * a + (1 - t) * b) <= t * l a + (1 - t) * l b.
Definition lipschitz (L : R) (l : R -> R) : Prop := forall a b, Rabs (l a - l b) <= L * Rabs (a - b).

Section Definitions.
Context {V : inner_product_space} {X Y : Type}.
(** The feature map, and the loss of a prediction at a label. *)
Variables (phi : X -> V) (loss : R -> Y -> R).
(** The prediction <w, phi(x)>, and the loss of a record. *)
Definition prediction (w : V) (x : X) : R := inner w (phi x).
Definition record_loss (w : V) (r : X * Y) : R := loss (prediction w (fst r)) (snd r).
(** The regularised risk: the mean loss, and (lambda/2) |w|^2. It is least at w if w minimises it. *)
Definition risk (lambda : R) (data : list (X * Y)) (w : V) : R :=
  mean (record_loss w) data + lambda / 2 * norm w ^ 2.
Definition minimises_risk (lambda : R) (data : list (X * Y)) (w : V) : Prop :=
  forall v, risk lambda data w <= risk lambda data v.

(** The vector w(a) of a dual point a, which has a number for every record. *)
Definition image (lambda : R) (data : list (X * Y)) (a : X * Y -> R) : V :=
  (/ (lambda * INR (length data))) *v vector_sum (fun r => a r *v phi (fst r)) data.
(** b lies below the terms of the dual at a. The dual takes the greatest such b, inf over f of l(f; y) + a f, record by
    record, and is finite where there is one. What is proved for every such b is proved for the greatest. *)
Definition below_dual_terms (a b : X * Y -> R) : Prop := forall r f, b r <= loss f (snd r) + a r * f.
(** The value of the dual, and the gap between the risk and it. *)
Definition dual_value (lambda : R) (data : list (X * Y)) (a b : X * Y -> R) : R :=
  mean b data - lambda / 2 * norm (image lambda data a) ^ 2.
Definition gap (lambda : R) (data : list (X * Y)) (a b : X * Y -> R) : R :=
  risk lambda data (image lambda data a) - dual_value lambda data a b.

(** A prediction as it is evaluated: by the coefficients of a dual point and a kernel in place of <phi(x), phi(z)>. *)
Definition evaluated (kernel : X -> X -> R) (lambda : R) (data : list (X * Y)) (a : X * Y -> R) (z : X) : R :=
  sum (fun r => a r * kernel (fst r) z) data / (lambda * INR (length data)).
End Definitions.

(** * Means *)

Lemma sum_permutation {A} (f : A -> R) l l' : Permutation l l' -> sum f l = sum f l'.
Proof. induction 1; simpl; lra. Qed.
Lemma mean_permutation {A} (f : A -> R) l l' : Permutation l l' -> mean f l = mean f l'.
Proof. intros P. unfold mean. now rewrite (sum_permutation f l l' P), (Permutation_length P). Qed.
Lemma length_positive {A} (l : list A) : l <> [] -> 0 < INR (length l).
Proof. destruct l; [congruence|]. intros _. apply lt_0_INR. simpl. lia. Qed.
Lemma mean_le {A} (f g : A -> R) l : (forall a, In a l -> f a <= g a) -> mean f l <= mean g l.
Proof.
  intros H. unfold mean. destruct l as [|a0 l0] eqn:E; [simpl; unfold Rdiv; lra|]. rewrite <- E in *.
  assert (P : 0 < INR (length l)) by (apply length_positive; subst; discriminate).
  apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. clear E P. induction l; simpl; [lra|].
  pose proof (H a (or_introl eq_refl)). assert (sum f l <= sum g l) by (apply IHl; intros; apply H; now right). lra.
Qed.
Lemma mean_const {A} c (l : list A) : l <> [] -> mean (fun _ => c) l = c.
Proof.
  intros N. pose proof (length_positive l N) as P. unfold mean.
  assert (S : sum (fun _ => c) l = c * INR (length l)).
  { clear N P. induction l; [simpl; ring|]. cbn [sum length]. rewrite IHl, S_INR. ring. }
  rewrite S. field. lra.
Qed.
Lemma mean_plus {A} (f g : A -> R) l : mean (fun a => f a + g a) l = mean f l + mean g l.
Proof. unfold mean. rewrite sum_plus. unfold Rdiv. ring. Qed.
Lemma mean_scal {A} c (f : A -> R) l : mean (fun a => c * f a) l = c * mean f l.
Proof. unfold mean. rewrite sum_scal. unfold Rdiv. ring. Qed.

(** * Strong convexity *)

Section Minimiser.
Context {V : inner_product_space} {X Y : Type}.
Variables (phi : X -> V) (loss : R -> Y -> R).
Implicit Types (data : list (X * Y)) (w v : V).

Lemma risk_permutation lambda data data' w : Permutation data data' ->
  risk phi loss lambda data w = risk phi loss lambda data' w.
Proof. intros P. unfold risk. now rewrite (mean_permutation _ data data' P). Qed.

(** On the segment from w to v a risk lies below its chord by lambda/2 t (1 - t) |w - v|^2. *)
Lemma risk_on_segment lambda data w v t : (forall y, convex (fun f => loss f y)) -> 0 <= t <= 1 ->
  risk phi loss lambda data (t *v v +v (1 - t) *v w) <=
  t * risk phi loss lambda data v + (1 - t) * risk phi loss lambda data w
  - lambda / 2 * (t * (1 - t) * distance v w ^ 2).
Proof.
  intros C Ht. unfold risk.
  assert (losses : mean (record_loss phi loss (t *v v +v (1 - t) *v w)) data <=
    t * mean (record_loss phi loss v) data + (1 - t) * mean (record_loss phi loss w) data).
  { rewrite <- !mean_scal, <- mean_plus. apply mean_le. intros [x y] _. unfold record_loss, prediction. expand.
    now apply (C y). }
  assert (squares : norm (t *v v +v (1 - t) *v w) ^ 2 =
    t * norm v ^ 2 + (1 - t) * norm w ^ 2 - t * (1 - t) * distance v w ^ 2).
  { unfold distance. rewrite !norm_squared. expand. rewrite (inner_symmetric _ w v). ring. }
  rewrite squares. nra.
Qed.

(** If (1 - t) a <= b for all t in (0, 1), then a <= b. *)
Lemma limit_at_zero a b : (forall t, 0 < t < 1 -> (1 - t) * a <= b) -> a <= b.
Proof.
  intros H. apply Rnot_lt_le. intros L. destruct (Rle_dec a 0) as [Na | Pa]; [specialize (H (1/2)); lra|].
  set (t := Rmin (1 / 2) ((a - b) / (2 * a))).
  assert (T : 0 < t). { apply Rmin_glb_lt; [lra|]. apply Rdiv_lt_0_compat; lra. }
  assert (T1 : t <= 1 / 2) by apply Rmin_l. assert (T2 : t <= (a - b) / (2 * a)) by apply Rmin_r.
  assert (t * a <= (a - b) / 2).
  { replace ((a - b) / 2) with ((a - b) / (2 * a) * a) by (field; lra). apply Rmult_le_compat_r; lra. }
  specialize (H t). lra.
Qed.

(** From its minimiser on a risk grows at least as (lambda/2) |v - w|^2. *)
Lemma risk_grows lambda data w : (forall y, convex (fun f => loss f y)) ->
  minimises_risk phi loss lambda data w -> forall v,
  risk phi loss lambda data w + lambda / 2 * distance v w ^ 2 <= risk phi loss lambda data v.
Proof.
  intros C M v. enough (lambda / 2 * distance v w ^ 2 <= risk phi loss lambda data v - risk phi loss lambda data w)
    by lra.
  apply limit_at_zero. intros t Ht.
  assert (Ht' : 0 <= t <= 1) by lra. pose proof (risk_on_segment lambda data w v t C Ht') as S.
  specialize (M (t *v v +v (1 - t) *v w)). apply (Rmult_le_reg_l t); [lra|]. nra.
Qed.

(** A vector of primal gap g is within sqrt(2 g/lambda) of the minimiser. *)
Lemma distance_by_primal_gap lambda data w v : 0 < lambda -> (forall y, convex (fun f => loss f y)) ->
  minimises_risk phi loss lambda data w ->
  distance v w <= sqrt (2 * (risk phi loss lambda data v - risk phi loss lambda data w) / lambda).
Proof.
  intros Hl C M. pose proof (risk_grows lambda data w C M v) as G.
  rewrite <- (sqrt_pow2 (distance v w)) by apply distance_positive. apply sqrt_le_1_alt.
  set (g := risk phi loss lambda data v - risk phi loss lambda data w) in *.
  apply (Rmult_le_reg_l (lambda / 2)); [lra|].
  replace (lambda / 2 * (2 * g / lambda)) with g by (field; lra). unfold g. lra.
Qed.

(** There is at most one minimiser. *)
Theorem minimiser_unique lambda data w w' : 0 < lambda -> (forall y, convex (fun f => loss f y)) ->
  minimises_risk phi loss lambda data w -> minimises_risk phi loss lambda data w' -> w = w'.
Proof.
  intros Hl C M M'. pose proof (risk_grows lambda data w C M w') as G. specialize (M' w).
  pose proof (distance_positive w' w) as P. symmetry. apply distance_zero_only.
  assert (square : distance w' w ^ 2 <= 0) by (apply (Rmult_le_reg_l (lambda / 2)); lra).
  destruct (Rle_lt_or_eq_dec _ _ P) as [Q | Q]; [|now symmetry]. pose proof (pow_lt _ 2 Q). lra.
Qed.

(** * The sensitivity *)

(** In the sum of the two inequalities all losses cancel but those of the one record. *)
Lemma minimisers_apart lambda r r' rest w w' : (forall y, convex (fun f => loss f y)) ->
  minimises_risk phi loss lambda (r :: rest) w -> minimises_risk phi loss lambda (r' :: rest) w' ->
  lambda * distance w w' ^ 2 <=
  (record_loss phi loss w' r - record_loss phi loss w r + (record_loss phi loss w r' - record_loss phi loss w' r'))
  / INR (length (r :: rest)).
Proof.
  intros C M M'. pose proof (risk_grows lambda _ w C M w') as G. pose proof (risk_grows lambda _ w' C M' w) as G'.
  rewrite (distance_symmetric w' w) in G. unfold risk, mean in G, G'. cbn [sum] in G, G'.
  change (length (r' :: rest)) with (length (r :: rest)) in G'. unfold Rdiv in *. nra.
Qed.

Lemma prediction_difference w w' x : prediction phi w x - prediction phi w' x = inner (w -v w') (phi x).
Proof. unfold prediction. expand. ring. Qed.
Lemma loss_difference L radius w w' r : 0 <= L -> lipschitz L (fun f => loss f (snd r)) ->
  norm (phi (fst r)) <= radius ->
  Rabs (record_loss phi loss w r - record_loss phi loss w' r) <= L * (distance w w' * radius).
Proof.
  intros HL H Hr. eapply Rle_trans; [apply H|]. apply Rmult_le_compat_l; [exact HL|]. rewrite prediction_difference.
  eapply Rle_trans; [apply cauchy_schwarz|]. apply Rmult_le_compat_l; [apply norm_positive | exact Hr].
Qed.
(** From lambda d^2 <= 2 L R d/n to d <= 2 L R/(lambda n). *)
Lemma solve_for_distance lambda n d b : 0 < lambda -> 0 < n -> 0 <= d -> 0 <= b ->
  lambda * d ^ 2 <= b * d / n -> d <= b / (lambda * n).
Proof.
  intros Hl Hn Hd Hb H. destruct (Req_dec d 0) as [-> | N].
  - apply Rmult_le_pos; [exact Hb | left; apply Rinv_0_lt_compat; now apply Rmult_lt_0_compat].
  - apply (Rmult_le_reg_l (lambda * d)); [apply Rmult_lt_0_compat; lra|].
    replace (lambda * d * (b / (lambda * n))) with (b * d / n) by (field; lra). lra.
Qed.
Lemma neighbours_cases lambda (data data' : list (X * Y)) w w' : neighbours data data' ->
  minimises_risk phi loss lambda data w -> minimises_risk phi loss lambda data' w' ->
  exists r r' rest, In r data /\ In r' data' /\ length (r :: rest) = length data /\
    minimises_risk phi loss lambda (r :: rest) w /\ minimises_risk phi loss lambda (r' :: rest) w'.
Proof.
  intros [r [r' [rest [P P']]]] M M'. exists r, r', rest. split; [|split; [|split; [|split]]].
  - apply (Permutation_in _ (Permutation_sym P)). now left.
  - apply (Permutation_in _ (Permutation_sym P')). now left.
  - symmetry. now apply Permutation_length.
  - intros v. rewrite <- !(risk_permutation lambda _ _ _ P). apply M.
  - intros v. rewrite <- !(risk_permutation lambda _ _ _ P'). apply M'.
Qed.

(** jt13.eq3: for neighbours, a convex loss that is L-Lipschitz in the prediction, and |phi(x)| <= R on the domain,
    |w - w'| <= 2 L R/(lambda n), and every prediction moves by at most 2 L R^2/(lambda n). *)
Theorem minimiser_sensitivity lambda L radius data data' w w' : 0 < lambda -> 0 <= L ->
  (forall y, convex (fun f => loss f y)) -> (forall y, lipschitz L (fun f => loss f y)) ->
  (forall x, norm (phi x) <= radius) -> neighbours data data' ->
  minimises_risk phi loss lambda data w -> minimises_risk phi loss lambda data' w' ->
  let n := INR (length data) in
  distance w w' <= 2 * L * radius / (lambda * n) /\
  forall z, Rabs (prediction phi w z - prediction phi w' z) <= 2 * L * radius ^ 2 / (lambda * n).
Proof.
  intros Hl HL C Lip Hphi Nb M M' n.
  destruct (neighbours_cases lambda data data' w w' Nb M M') as [r [r' [rest [_ [_ [Len [Mr Mr']]]]]]].
  assert (Hn : 0 < n). { unfold n. rewrite <- Len. apply length_positive. discriminate. }
  assert (Hrad : 0 <= radius). { pose proof (Hphi (fst r)). pose proof (norm_positive (phi (fst r))). lra. }
  assert (close : distance w w' <= 2 * L * radius / (lambda * n)).
  { apply solve_for_distance; auto using distance_positive.
    - apply Rmult_le_pos; [lra | exact Hrad].
    - eapply Rle_trans; [apply (minimisers_apart lambda r r' rest w w' C Mr Mr')|]. rewrite Len. fold n.
      apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
      pose proof (loss_difference L radius w' w r HL (Lip _) (Hphi _)) as D1.
      pose proof (loss_difference L radius w w' r' HL (Lip _) (Hphi _)) as D2.
      rewrite (distance_symmetric w' w) in D1.
      pose proof (Rle_abs (record_loss phi loss w' r - record_loss phi loss w r)).
      pose proof (Rle_abs (record_loss phi loss w r' - record_loss phi loss w' r')). lra. }
  split; [exact close|]. intros z. rewrite prediction_difference.
  eapply Rle_trans; [apply cauchy_schwarz|].
  replace (2 * L * radius ^ 2 / (lambda * n)) with (2 * L * radius / (lambda * n) * radius)
    by (unfold Rdiv; ring).
  apply Rmult_le_compat; auto using norm_positive.
Qed.

(** jt13.eq2: |w*| <= L R/lambda. *)
Theorem minimiser_norm lambda L radius data w : 0 < lambda -> 0 <= L -> data <> [] ->
  (forall y, convex (fun f => loss f y)) -> (forall y, lipschitz L (fun f => loss f y)) ->
  (forall x, norm (phi x) <= radius) -> minimises_risk phi loss lambda data w -> norm w <= L * radius / lambda.
Proof.
  intros Hl HL Nd C Lip Hphi M. pose proof (risk_grows lambda data w C M zero) as G.
  rewrite distance_symmetric, distance_zero in G. unfold risk in G. rewrite norm_zero in G.
  assert (losses : mean (record_loss phi loss zero) data - mean (record_loss phi loss w) data <= L * (norm w * radius)).
  { rewrite <- (mean_const (L * (norm w * radius)) data Nd).
    enough (mean (record_loss phi loss zero) data <=
      mean (fun r => record_loss phi loss w r + L * (norm w * radius)) data) by (rewrite mean_plus in H; lra).
    apply mean_le. intros r _. pose proof (loss_difference L radius zero w r HL (Lip _) (Hphi _)) as D.
    rewrite distance_symmetric, distance_zero in D.
    pose proof (Rle_abs (record_loss phi loss zero r - record_loss phi loss w r)). lra. }
  assert (Hrad : 0 <= radius).
  { destruct data as [|[x y] t]; [congruence|]. pose proof (Hphi x). pose proof (norm_positive (phi x)). lra. }
  pose proof (solve_for_distance lambda 1 (norm w) (L * radius) Hl Rlt_0_1 (norm_positive w)
    (Rmult_le_pos _ _ HL Hrad)) as S. rewrite Rmult_1_r in S. apply S. lra.
Qed.

(** jt13.eq2: if the loss is not negative and at most b at the prediction 0, then |w*| <= sqrt(b/lambda). *)
Theorem minimiser_norm_by_loss_at_zero lambda b data w : 0 < lambda -> data <> [] ->
  (forall y, convex (fun f => loss f y)) -> (forall f y, 0 <= loss f y) ->
  (forall r, In r data -> loss 0 (snd r) <= b) -> minimises_risk phi loss lambda data w -> norm w <= sqrt (b / lambda).
Proof.
  intros Hl Nd C Pos Hb M. pose proof (risk_grows lambda data w C M zero) as G.
  rewrite distance_symmetric, distance_zero in G. unfold risk in G. rewrite norm_zero in G.
  assert (at_zero : mean (record_loss phi loss zero) data <= b).
  { rewrite <- (mean_const b data Nd). apply mean_le. intros r I. unfold record_loss, prediction.
    rewrite inner_zero. now apply Hb. }
  assert (positive : 0 <= mean (record_loss phi loss w) data).
  { rewrite <- (mean_const 0 data Nd). apply mean_le. intros r _. apply Pos. }
  rewrite <- (sqrt_pow2 (norm w)) by apply norm_positive. apply sqrt_le_1_alt.
  apply (Rmult_le_reg_l lambda); [lra|]. replace (lambda * (b / lambda)) with b by (field; lra). lra.
Qed.

(** * The gap of a dual point *)

Lemma inner_image lambda data a v : data <> [] -> 0 < lambda ->
  lambda * inner (image phi lambda data a) v = mean (fun r => a r * prediction phi v (fst r)) data.
Proof.
  intros Nd Hl. pose proof (length_positive data Nd) as Hn. unfold image. expand. rewrite inner_sum.
  unfold mean, prediction. rewrite (sum_ext _ (fun r => a r * inner v (phi (fst r)))).
  - field. lra.
  - intros r. expand. now rewrite inner_symmetric.
Qed.

(** jt13.eq2.gap: for every a at which the dual is finite, lambda |w(a) - w*|^2 <= P(w(a)) - D(a). *)
Theorem distance_by_duality_gap lambda data a b w : 0 < lambda -> data <> [] ->
  (forall y, convex (fun f => loss f y)) -> below_dual_terms loss a b -> minimises_risk phi loss lambda data w ->
  lambda * distance (image phi lambda data a) w ^ 2 <= gap phi loss lambda data a b.
Proof.
  intros Hl Nd C B M. set (u := image phi lambda data a). unfold gap. fold u.
  pose proof (risk_grows lambda data w C M u) as primal.
  (* The same for the dual: P(w) - D(a) >= (lambda/2) |w(a) - w|^2. *)
  assert (dual : lambda / 2 * distance u w ^ 2 <= risk phi loss lambda data w - dual_value phi lambda data a b).
  { assert (terms : mean b data <= mean (record_loss phi loss w) data + lambda * inner u w).
    { unfold u. rewrite inner_image by assumption. rewrite <- mean_plus. apply mean_le. intros r _. apply B. }
    unfold risk, dual_value. fold u. unfold distance. rewrite !norm_squared. expand.
    rewrite (inner_symmetric _ w u). lra. }
  lra.
Qed.

(** Where the dual of an L-Lipschitz loss is finite, its variables are at most L in magnitude. *)
Lemma dual_variables_at_most L (a b : X * Y -> R) : 0 <= L -> (forall y, lipschitz L (fun f => loss f y)) ->
  below_dual_terms loss a b -> forall r, Rabs (a r) <= L.
Proof.
  intros HL Lip B r. apply Rnot_lt_le. intros N.
  assert (sign : exists s, Rabs s = 1 /\ a r * s = - Rabs (a r)).
  { unfold Rabs at 2. destruct (Rcase_abs (a r)); [exists 1 | exists (-1)]; split; try lra.
    - apply Rabs_R1.
    - rewrite Rabs_left; lra. }
  destruct sign as [s [S1 S2]]. pose proof (B r 0) as B0.
  set (k := (loss 0 (snd r) - b r + 1) / (Rabs (a r) - L)).
  assert (K : 0 < k) by (apply Rdiv_lt_0_compat; lra).
  assert (KK : k * (Rabs (a r) - L) = loss 0 (snd r) - b r + 1) by (unfold k; field; lra).
  pose proof (B r (k * s)) as Bk. pose proof (Lip (snd r) (k * s) 0) as Lk. cbn beta in Lk.
  rewrite Rminus_0_r, Rabs_mult, S1, (Rabs_pos_eq k) in Lk by lra.
  pose proof (Rle_abs (loss (k * s) (snd r) - loss 0 (snd r))).
  replace (a r * (k * s)) with (- (k * Rabs (a r))) in Bk by (rewrite <- (Ropp_involutive (Rabs (a r))), <- S2; ring).
  lra.
Qed.

(** What an error e of the kernel does to a prediction: at most e L/lambda. *)
Lemma evaluation_error kernel lambda L e data a z : 0 < lambda -> data <> [] -> 0 <= e ->
  (forall r, Rabs (a r) <= L) -> (forall x, Rabs (kernel x z - inner (phi x) (phi z)) <= e) ->
  Rabs (evaluated kernel lambda data a z - prediction phi (image phi lambda data a) z) <= e * L / lambda.
Proof.
  intros Hl Nd He Ha Hk. pose proof (length_positive data Nd) as Hn.
  assert (E : evaluated kernel lambda data a z - prediction phi (image phi lambda data a) z =
    mean (fun r => a r * (kernel (fst r) z - inner (phi (fst r)) (phi z))) data / lambda).
  { unfold evaluated, prediction, image, mean. expand. rewrite inner_sum.
    rewrite (sum_ext (fun r => inner (a r *v phi (fst r)) (phi z)) (fun r => a r * inner (phi (fst r)) (phi z)))
      by (intros; expand; reflexivity).
    rewrite (sum_ext (fun r => a r * (kernel (fst r) z - inner (phi (fst r)) (phi z)))
      (fun r => a r * kernel (fst r) z + -1 * (a r * inner (phi (fst r)) (phi z)))) by (intros; ring).
    rewrite sum_plus, sum_scal. field. lra. }
  rewrite E. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ lambda)) by (left; now apply Rinv_0_lt_compat).
  apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
  assert (each : forall r, Rabs (a r * (kernel (fst r) z - inner (phi (fst r)) (phi z))) <= e * L).
  { intros r. rewrite Rabs_mult, Rmult_comm. apply Rmult_le_compat; auto using Rabs_pos. }
  apply Rabs_le. split.
  - rewrite <- (mean_const (- (e * L)) data Nd). apply mean_le. intros r _. specialize (each r).
    pose proof (Rle_abs (- (a r * (kernel (fst r) z - inner (phi (fst r)) (phi z))))) as Q.
    rewrite Rabs_Ropp in Q. lra.
  - rewrite <- (mean_const (e * L) data Nd). apply mean_le. intros r _. specialize (each r).
    eapply Rle_trans; [apply Rle_abs | exact each].
Qed.

(** jt13.eq3.solver: if the solver reaches a gap of at most lambda r^2/R^2, and values of the kernel are off by at most
    e, then the evaluated predictions of neighbours differ by at most S + 2 r + 2 eta, with S = 2 L R^2/(lambda n)
    and eta = e L/lambda. *)
Theorem solver_sensitivity kernel lambda L radius tolerance e data data' w w' a a' b b' :
  0 < lambda -> 0 <= L -> 0 < radius -> 0 <= tolerance -> 0 <= e ->
  (forall y, convex (fun f => loss f y)) -> (forall y, lipschitz L (fun f => loss f y)) ->
  (forall x, norm (phi x) <= radius) -> (forall x z, Rabs (kernel x z - inner (phi x) (phi z)) <= e) ->
  neighbours data data' -> minimises_risk phi loss lambda data w -> minimises_risk phi loss lambda data' w' ->
  below_dual_terms loss a b -> gap phi loss lambda data a b <= lambda * tolerance ^ 2 / radius ^ 2 ->
  below_dual_terms loss a' b' -> gap phi loss lambda data' a' b' <= lambda * tolerance ^ 2 / radius ^ 2 ->
  forall z, Rabs (evaluated kernel lambda data a z - evaluated kernel lambda data' a' z) <=
    2 * L * radius ^ 2 / (lambda * INR (length data)) + 2 * tolerance + 2 * (e * L / lambda).
Proof.
  intros Hl HL Hrad Ht He C Lip Hphi Hk Nb M M' B G B' G' z.
  assert (Nd : data <> []).
  { destruct Nb as [r [r' [rest [P _]]]]. intros ->. now apply Permutation_nil in P. }
  assert (Nd' : data' <> []).
  { destruct Nb as [r [r' [rest [_ P]]]]. intros ->. now apply Permutation_nil in P. }
  destruct (minimiser_sensitivity lambda L radius data data' w w' Hl HL C Lip Hphi Nb M M') as [_ S]. specialize (S z).
  assert (near : forall d c c' v, d <> [] -> below_dual_terms loss c c' ->
    gap phi loss lambda d c c' <= lambda * tolerance ^ 2 / radius ^ 2 -> minimises_risk phi loss lambda d v ->
    Rabs (evaluated kernel lambda d c z - prediction phi v z) <= tolerance + e * L / lambda).
  { intros d c c' v Ndd Bc Gc Mv.
    pose proof (distance_by_duality_gap lambda d c c' v Hl Ndd C Bc Mv) as D.
    assert (D1 : distance (image phi lambda d c) v <= tolerance / radius).
    { apply norm_at_most; [apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]|].
      rewrite <- norm_squared. fold (distance (image phi lambda d c) v). apply (Rmult_le_reg_l lambda); [lra|].
      replace (lambda * (tolerance / radius) ^ 2) with (lambda * tolerance ^ 2 / radius ^ 2) by (field; lra). lra. }
    assert (D2 : Rabs (prediction phi (image phi lambda d c) z - prediction phi v z) <= tolerance).
    { rewrite prediction_difference. eapply Rle_trans; [apply cauchy_schwarz|].
      replace tolerance with (tolerance / radius * radius) by (field; lra).
      apply Rmult_le_compat; auto using norm_positive. }
    pose proof (evaluation_error kernel lambda L e d c z Hl Ndd He
      (dual_variables_at_most L c c' HL Lip Bc) (fun x => Hk x z)) as D3.
    replace (evaluated kernel lambda d c z - prediction phi v z)
      with ((evaluated kernel lambda d c z - prediction phi (image phi lambda d c) z) +
            (prediction phi (image phi lambda d c) z - prediction phi v z)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. lra. }
  pose proof (near data a b w Nd B G M) as N1. pose proof (near data' a' b' w' Nd' B' G' M') as N2.
  rewrite Rabs_minus_sym in N2.
  replace (evaluated kernel lambda data a z - evaluated kernel lambda data' a' z)
    with ((evaluated kernel lambda data a z - prediction phi w z) + (prediction phi w z - prediction phi w' z) +
          (prediction phi w' z - evaluated kernel lambda data' a' z)) by ring.
  eapply Rle_trans; [apply Rabs_triang|].
  pose proof (Rabs_triang (evaluated kernel lambda data a z - prediction phi w z)
    (prediction phi w z - prediction phi w' z)). lra.
Qed.
End Minimiser.

(** jt13.eq3.solver: two numbers that differ by at most t steps of a grid (t an integer) still do so once both are
    rounded down to it; with a shift of one half, once both are rounded to the nearest. *)
Theorem rounding_is_free (x y grid shift : R) (t : Z) : 0 < grid -> Rabs (x - y) <= IZR t * grid ->
  (Z.abs (Int_part (x / grid + shift) - Int_part (y / grid + shift)) <= t)%Z.
Proof.
  intros Hg H. set (a := x / grid + shift). set (b := y / grid + shift).
  assert (AB : Rabs (a - b) <= IZR t).
  { replace (a - b) with ((x - y) / grid) by (unfold a, b; field; lra).
    unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ grid)) by (left; now apply Rinv_0_lt_compat).
    apply (Rmult_le_reg_r grid); [exact Hg|]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  destruct (base_Int_part a) as [A1 A2]. destruct (base_Int_part b) as [B1 B2].
  pose proof (Rle_abs (a - b)). pose proof (Rle_abs (b - a)). rewrite (Rabs_minus_sym b a) in *.
  assert (Int_part a - Int_part b < t + 1)%Z by (apply lt_IZR; rewrite minus_IZR, plus_IZR; lra).
  assert (Int_part b - Int_part a < t + 1)%Z by (apply lt_IZR; rewrite minus_IZR, plus_IZR; lra). lia.
Qed.

(** * The bounds are attained *)

Section Attained.
Context {V : inner_product_space} {X : Type}.
Variable phi : X -> V.
(** The loss - L f y at the labels 1 (true) and -1 (false). *)
Definition linear_loss (L : R) (f : R) (y : bool) : R := if y then - L * f else L * f.
Definition sign (y : bool) : R := if y then 1 else -1.

Lemma linear_loss_convex L y : convex (fun f => linear_loss L f y).
Proof. intros t a b _. unfold linear_loss. destruct y; lra. Qed.
Lemma linear_loss_lipschitz L y : 0 <= L -> lipschitz L (fun f => linear_loss L f y).
Proof.
  intros H a b. unfold linear_loss. apply Req_le.
  destruct y; [replace (- L * a - - L * b) with (- (L * (a - b))) by ring; rewrite Rabs_Ropp |
    replace (L * a - L * b) with (L * (a - b)) by ring]; now rewrite Rabs_mult, Rabs_pos_eq.
Qed.

(** Its minimiser is (1/(lambda n)) times the sum of L y_i phi(x_i). *)
Lemma linear_minimiser lambda L data : 0 < lambda -> data <> [] ->
  minimises_risk phi (linear_loss L) lambda data (image phi lambda data (fun r => L * sign (snd r))).
Proof.
  intros Hl Nd v. set (u := image phi lambda data (fun r => L * sign (snd r))).
  assert (losses : forall w, mean (record_loss phi (linear_loss L) w) data = - (lambda * inner u w)).
  { intros w. unfold u. rewrite inner_image by assumption. rewrite <- (Rmult_1_l (mean (fun r => L * _ * _) data)).
    rewrite Ropp_mult_distr_l, <- mean_scal. unfold mean. f_equal. apply sum_ext. intros [x y].
    unfold record_loss, linear_loss, sign. simpl. destruct y; ring. }
  unfold risk. rewrite !losses, !norm_squared.
  pose proof (inner_positive _ (v -v u)) as P. revert P. expand. rewrite (inner_symmetric _ v u). intros P. nra.
Qed.

(** jt13.eq3: both bounds are attained, beside any other records: by the loss - L f y, where the label of a record of
    norm R turns from 1 to -1. *)
Theorem minimiser_sensitivity_attained lambda L radius x rest : 0 < lambda -> 0 <= L -> norm (phi x) = radius ->
  let n := INR (length ((x, true) :: rest)) in
  exists w w', minimises_risk phi (linear_loss L) lambda ((x, true) :: rest) w /\
    minimises_risk phi (linear_loss L) lambda ((x, false) :: rest) w' /\
    distance w w' = 2 * L * radius / (lambda * n) /\
    prediction phi w x - prediction phi w' x = 2 * L * radius ^ 2 / (lambda * n).
Proof.
  intros Hl HL Hx n. exists (image phi lambda ((x, true) :: rest) (fun r => L * sign (snd r))),
    (image phi lambda ((x, false) :: rest) (fun r => L * sign (snd r))).
  assert (Hn : 0 < n) by (apply length_positive; discriminate).
  assert (I : 0 < / (lambda * n)) by (apply Rinv_0_lt_compat; now apply Rmult_lt_0_compat).
  assert (apart : image phi lambda ((x, true) :: rest) (fun r => L * sign (snd r)) -v
    image phi lambda ((x, false) :: rest) (fun r => L * sign (snd r)) = (2 * L / (lambda * n)) *v phi x).
  { unfold image. change (length ((x, false) :: rest)) with (length ((x, true) :: rest)). fold n.
    cbn [vector_sum fst snd sign]. apply inner_separates; intro; expand. field. lra. }
  split; [apply linear_minimiser; [lra | discriminate]|]. split; [apply linear_minimiser; [lra | discriminate]|].
  assert (Q : 0 <= 2 * L / (lambda * n)) by (unfold Rdiv; apply Rmult_le_pos; lra).
  split.
  - unfold distance. rewrite apart, norm_scale, Hx, Rabs_pos_eq by exact Q. unfold Rdiv. ring.
  - rewrite prediction_difference, apart. expand. rewrite <- norm_squared, Hx. unfold Rdiv. ring.
Qed.
End Attained.

(** * The squared loss *)

Section SquaredLoss.
Context {V : inner_product_space} {X : Type}.
Variable phi : X -> V.
Definition squared_loss (f y : R) : R := (f - y) ^ 2 / 2.
Definition labels_at_most (bound : R) (data : list (X * R)) : Prop := Forall (fun r => Rabs (snd r) <= bound) data.

Lemma squared_loss_convex y : convex (fun f => squared_loss f y).
Proof.
  intros t a b Ht. unfold squared_loss.
  assert (0 <= t * (1 - t) * (a - b) ^ 2).
  { apply Rmult_le_pos; [apply Rmult_le_pos; lra | apply pow2_ge_0]. }
  assert (E : (t * a + (1 - t) * b - y) ^ 2 = t * (a - y) ^ 2 + (1 - t) * (b - y) ^ 2 - t * (1 - t) * (a - b) ^ 2)
    by ring.
  rewrite E. lra.
Qed.
Lemma squared_minimiser_norm lambda bound data w : 0 < lambda -> 0 <= bound -> data <> [] ->
  labels_at_most bound data -> minimises_risk phi squared_loss lambda data w -> norm w <= bound / sqrt lambda.
Proof.
  intros Hl Hb Nd Hy M. pose proof (sqrt_lt_R0 lambda Hl) as S.
  apply Rle_trans with (sqrt (bound ^ 2 / lambda));
    [apply (minimiser_norm_by_loss_at_zero phi squared_loss lambda (bound ^ 2) data w Hl Nd)|].
  - apply squared_loss_convex.
  - intros f y. unfold squared_loss. pose proof (pow2_ge_0 (f - y)). lra.
  - intros r I. pose proof (proj1 (Forall_forall _ _) Hy r I) as Hr. cbn beta in Hr. unfold squared_loss.
    assert (snd r ^ 2 <= bound ^ 2) by (rewrite <- (pow2_abs (snd r)); apply pow_incr; split; [apply Rabs_pos | lra]).
    replace ((0 - snd r) ^ 2) with (snd r ^ 2) by ring. pose proof (pow2_ge_0 (snd r)). lra.
  - exact M.
  - rewrite sqrt_div by (auto using pow2_ge_0; lra). rewrite sqrt_pow2 by lra. apply Rle_refl.
Qed.

(** jt13.eq3.squared.corrected: for the squared loss (f - y)^2/2 and labels in [-Y, Y] the bounds of jt13.eq3 hold with
    L = Y (1 + R/sqrt(lambda)). *)
Theorem squared_loss_sensitivity lambda bound radius data data' w w' : 0 < lambda -> 0 <= bound ->
  (forall x, norm (phi x) <= radius) -> labels_at_most bound data -> labels_at_most bound data' ->
  neighbours data data' ->
  minimises_risk phi squared_loss lambda data w -> minimises_risk phi squared_loss lambda data' w' ->
  let n := INR (length data) in let L := bound * (1 + radius / sqrt lambda) in
  distance w w' <= 2 * L * radius / (lambda * n) /\
  forall z, Rabs (prediction phi w z - prediction phi w' z) <= 2 * L * radius ^ 2 / (lambda * n).
Proof.
  intros Hl Hb Hphi Hy Hy' Nb M M' n L.
  assert (Nd : data <> []). { destruct Nb as [r [r' [t [P _]]]]. intros ->. now apply Permutation_nil in P. }
  assert (Nd' : data' <> []). { destruct Nb as [r [r' [t [_ P]]]]. intros ->. now apply Permutation_nil in P. }
  destruct (neighbours_cases phi squared_loss lambda data data' w w' Nb M M')
    as [r [r' [rest [In_r [In_r' [Len [Mr Mr']]]]]]].
  pose proof (squared_minimiser_norm lambda bound data w Hl Hb Nd Hy M) as Nw.
  pose proof (squared_minimiser_norm lambda bound data' w' Hl Hb Nd' Hy' M') as Nw'.
  pose proof (sqrt_lt_R0 lambda Hl) as S.
  assert (Hn : 0 < n) by now apply length_positive.
  assert (Hrad : 0 <= radius). { pose proof (Hphi (fst r)). pose proof (norm_positive (phi (fst r))). lra. }
  assert (HL : 0 <= L).
  { apply Rmult_le_pos; [exact Hb|]. assert (0 <= radius / sqrt lambda); [|lra].
    apply Rmult_le_pos; [exact Hrad | left; now apply Rinv_0_lt_compat]. }
  (* Between the two minimisers the slope of the loss is at most L. *)
  assert (slope : forall s, Rabs (snd s) <= bound ->
    Rabs (record_loss phi squared_loss w s - record_loss phi squared_loss w' s) <= L * (distance w w' * radius)).
  { intros s Hs. unfold record_loss, squared_loss.
    set (f := prediction phi w (fst s)). set (f' := prediction phi w' (fst s)).
    replace ((f - snd s) ^ 2 / 2 - (f' - snd s) ^ 2 / 2) with (((f + f') / 2 - snd s) * (f - f')) by field.
    assert (small : forall v, norm v <= bound / sqrt lambda ->
      Rabs (prediction phi v (fst s)) <= bound * (radius / sqrt lambda)).
    { intros v Hv. unfold prediction. eapply Rle_trans; [apply cauchy_schwarz|].
      replace (bound * (radius / sqrt lambda)) with (bound / sqrt lambda * radius) by (field; lra).
      apply Rmult_le_compat; auto using norm_positive. }
    pose proof (small w Nw) as F. pose proof (small w' Nw') as F'. fold f in F. fold f' in F'.
    assert (residual : Rabs ((f + f') / 2 - snd s) <= L).
    { unfold L. apply Rabs_le.
      pose proof (Rle_abs f). pose proof (Rle_abs (- f)). pose proof (Rle_abs f'). pose proof (Rle_abs (- f')).
      pose proof (Rle_abs (snd s)). pose proof (Rle_abs (- snd s)). rewrite !Rabs_Ropp in *. lra. }
    assert (moved : Rabs (f - f') <= distance w w' * radius).
    { unfold f, f'. rewrite prediction_difference. eapply Rle_trans; [apply cauchy_schwarz|].
      apply Rmult_le_compat_l; [apply norm_positive | apply Hphi]. }
    rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos. }
  assert (close : distance w w' <= 2 * L * radius / (lambda * n)).
  { apply solve_for_distance; auto using distance_positive.
    - apply Rmult_le_pos; [lra | exact Hrad].
    - eapply Rle_trans; [apply (minimisers_apart phi squared_loss lambda r r' rest w w' squared_loss_convex Mr Mr')|].
      rewrite Len. fold n. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
      pose proof (slope r (proj1 (Forall_forall _ _) Hy r In_r)) as D1.
      pose proof (slope r' (proj1 (Forall_forall _ _) Hy' r' In_r')) as D2. rewrite Rabs_minus_sym in D1.
      pose proof (Rle_abs (record_loss phi squared_loss w' r - record_loss phi squared_loss w r)).
      pose proof (Rle_abs (record_loss phi squared_loss w r' - record_loss phi squared_loss w' r')). lra. }
  split; [exact close|]. intros z. rewrite prediction_difference.
  eapply Rle_trans; [apply cauchy_schwarz|].
  replace (2 * L * radius ^ 2 / (lambda * n)) with (2 * L * radius / (lambda * n) * radius) by (unfold Rdiv; ring).
  apply Rmult_le_compat; auto using norm_positive.
Qed.
End SquaredLoss.
