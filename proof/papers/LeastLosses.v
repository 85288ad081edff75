(** How far one record moves the least margin loss and the least hinge loss.

    As on the page: the least margin loss over any set of hypotheses, x + sqrt(x A/n) of it, and the least mean hinge
    loss over the vectors w with |w| <= Lambda. Least values are infima. For every q >= 1 and every number of records
    there is a pair of neighbours on which the bound for the hinge loss is attained.

    Claims: bms22.lemF_3.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Neighbours DataLosses MarginErrors.
Open Scope R_scope.

(** A labelled point of the ball of radius r. *)
Definition ball_record (r : R) := { x : vector * bool | in_ball r (fst x) }.

(** The hinge loss of w at the margin rho, max(0, 1 - y <w,x>/rho), and its mean over the data, L_rho(w). *)
Definition hinge (rho : R) (w : vector) (x : vector * bool) : R :=
  Rmax 0 (1 - sign (snd x) * inner w (fst x) / rho).
Definition hinge_sum {r} rho (w : vector) n (s : data (ball_record r) n) : R :=
  total_loss (fun x : ball_record r => hinge rho w (proj1_sig x)) n s.
Definition mean_hinge {r} rho (w : vector) n (s : data (ball_record r) n) : R := hinge_sum rho w n s / INR n.

(** * Margin losses *)

Lemma share_moves a b c n : (0 < n)%nat -> Rabs (a - b) <= c -> Rabs (a / INR n - b / INR n) <= c / INR n.
Proof.
  intros Hn H. apply lt_0_INR in Hn. apply Rinv_0_lt_compat in Hn.
  replace (a / INR n - b / INR n) with ((a - b) * / INR n) by (unfold Rdiv; lra).
  rewrite Rabs_mult, (Rabs_pos_eq (/ INR n)) by lra. apply Rmult_le_compat_r; lra.
Qed.

(** bms22.lemF_3: the least margin loss over any set of hypotheses moves by at most 1/n. *)
Theorem least_margin_loss_moves {F H} (value : H -> F -> R) rho (among : H -> Prop) n s t u v :
  (0 < n)%nat -> nb n s t ->
  infimum among (fun h => margin_loss value rho h n s) u ->
  infimum among (fun h => margin_loss value rho h n t) v -> Rabs (u - v) <= 1 / INR n.
Proof.
  intros Hn N Iu Iv. apply (infimum_moves among _ _ u v _ Iu Iv). intros h _.
  apply share_moves; [exact Hn|]. now apply errors_move.
Qed.

Lemma sqrt_moves x y c : 0 <= x -> 0 <= y -> Rabs (x - y) <= c -> Rabs (sqrt x - sqrt y) <= sqrt c.
Proof.
  assert (one_way : forall a b, 0 <= a -> 0 <= b -> a - b <= c -> sqrt a - sqrt b <= sqrt c).
  { intros a b Ha Hb H. destruct (Rle_dec a b) as [L | L].
    - apply sqrt_le_1 in L; auto. pose proof (sqrt_pos c). lra.
    - pose proof (sqrt_pos b). pose proof (sqrt_pos c). pose proof (sqrt_sqrt b Hb).
      assert (Hc : 0 <= c) by lra. pose proof (sqrt_sqrt c Hc).
      assert (sqrt a <= sqrt b + sqrt c); [|lra].
      rewrite <- (sqrt_Rsqr (sqrt b + sqrt c)) by lra. apply sqrt_le_1; unfold Rsqr; nra. }
  intros Hx Hy H. unfold Rabs in H. apply Rabs_le. destruct (Rcase_abs (x - y)).
  - pose proof (one_way y x Hy Hx ltac:(lra)). pose proof (one_way x y Hx Hy ltac:(lra)). lra.
  - pose proof (one_way y x Hy Hx ltac:(lra)). pose proof (one_way x y Hx Hy ltac:(lra)). lra.
Qed.

(** bms22.lemF_3: x + sqrt(x A/n) of the least margin loss x moves by at most (1 + sqrt A)/n, for A >= 0. *)
Theorem least_margin_loss_root_moves {F H} (value : H -> F -> R) rho (among : H -> Prop) n s t u v A :
  (0 < n)%nat -> nb n s t -> 0 <= A ->
  infimum among (fun h => margin_loss value rho h n s) u ->
  infimum among (fun h => margin_loss value rho h n t) v ->
  Rabs ((u + sqrt (u * A / INR n)) - (v + sqrt (v * A / INR n))) <= (1 + sqrt A) / INR n.
Proof.
  intros Hn N HA Iu Iv. pose proof (least_margin_loss_moves value rho among n s t u v Hn N Iu Iv) as move.
  assert (pos : forall w z, infimum among (fun h => margin_loss value rho h n w) z -> 0 <= z).
  { intros w z [_ G]. apply G. intros h _. unfold margin_loss, Rdiv. apply Rmult_le_pos.
    - apply errors_range.
    - apply lt_0_INR in Hn. left. now apply Rinv_0_lt_compat. }
  pose proof (pos s u Iu) as Hu. pose proof (pos t v Iv) as Hv.
  assert (Hn' : 0 < INR n) by now apply lt_0_INR. pose proof (Rinv_0_lt_compat _ Hn') as Hi.
  assert (scaled : Rabs (u * A / INR n - v * A / INR n) <= A * (/ INR n) ^ 2).
  { replace (u * A / INR n - v * A / INR n) with ((u - v) * (A * / INR n)) by (unfold Rdiv; lra).
    assert (pos' : 0 <= A * / INR n) by (apply Rmult_le_pos; lra). rewrite Rabs_mult, (Rabs_pos_eq _ pos').
    unfold Rdiv in move. rewrite Rmult_1_l in move. apply (Rmult_le_compat_r _ _ _ pos') in move. simpl. lra. }
  assert (root_pos : forall x, 0 <= x -> 0 <= x * A / INR n)
    by (intros x Hx; unfold Rdiv; apply Rmult_le_pos; [now apply Rmult_le_pos | lra]).
  apply sqrt_moves in scaled; auto.
  rewrite sqrt_mult, sqrt_pow2 in scaled; [|lra | exact HA | apply pow2_ge_0].
  replace ((1 + sqrt A) / INR n) with (1 / INR n + sqrt A * / INR n) by (unfold Rdiv; lra).
  eapply Rle_trans; [|apply Rplus_le_compat; [exact move | exact scaled]].
  eapply Rle_trans; [|apply Rabs_triang]. right. f_equal. lra.
Qed.

(** * Hinge losses *)

(** For |w| <= Lambda and |x| <= r a hinge loss lies in [0, 1 + q], q = Lambda r/rho. *)
Lemma hinge_range Lambda r rho w x : 0 <= Lambda -> 0 <= r -> 0 < rho -> in_ball Lambda w -> in_ball r (fst x) ->
  0 <= hinge rho w x <= 1 + Lambda * r / rho.
Proof.
  intros HL Hr Hrho Hw Hx. pose proof (inner_ball Lambda r w (fst x) HL Hr Hw Hx) as I.
  assert (0 < / rho) by now apply Rinv_0_lt_compat. assert (0 <= Lambda * r) by nra.
  unfold hinge. split; [apply Rmax_l|]. apply Rmax_lub; unfold Rdiv; [nra|].
  assert (- (Lambda * r) <= sign (snd x) * inner w (fst x)) by (unfold sign; destruct (snd x); lra). nra.
Qed.

(** The sum of the hinge losses of a vector of the ball moves by at most 1 + q. *)
Lemma hinge_sum_moves Lambda r rho w n (s t : data (ball_record r) n) : 0 <= Lambda -> 0 <= r -> 0 < rho ->
  in_ball Lambda w -> nb n s t -> Rabs (hinge_sum rho w n s - hinge_sum rho w n t) <= 1 + Lambda * r / rho.
Proof.
  intros HL Hr Hrho Hw. apply total_loss_moves.
  - assert (0 < / rho) by now apply Rinv_0_lt_compat. assert (0 <= Lambda * r) by nra. unfold Rdiv. nra.
  - intros [x Hx] [y Hy]. cbn [proj1_sig].
    pose proof (hinge_range Lambda r rho w x HL Hr Hrho Hw Hx).
    pose proof (hinge_range Lambda r rho w y HL Hr Hrho Hw Hy).
    pose proof (within_moves _ _ 0 (1 + Lambda * r / rho) H H0). lra.
Qed.

Lemma total_loss_pos {X} (loss : X -> R) n s : (forall x, 0 <= loss x) -> 0 <= total_loss loss n s.
Proof. intros H. induction n as [|m IH]; simpl; [lra|]. specialize (H (fst s)). specialize (IH (snd s)). lra. Qed.

Lemma hinge_of_zero rho x : hinge rho [] x = 1.
Proof. unfold hinge. cbn [inner]. rewrite Rmult_0_r. unfold Rdiv. rewrite Rmult_0_l, Rmax_right; lra. Qed.

Lemma zero_in_ball Lambda : in_ball Lambda [].
Proof. unfold in_ball. simpl. nra. Qed.

(** The least mean hinge loss over the ball lies in [0, 1]: the vector 0 has the loss 1. *)
Lemma least_hinge_range Lambda r rho n (s : data (ball_record r) n) u : (0 < n)%nat ->
  infimum (in_ball Lambda) (fun w => mean_hinge rho w n s) u -> 0 <= u <= 1.
Proof.
  intros Hn [L G]. assert (Hn' : 0 < INR n) by now apply lt_0_INR. split.
  - apply G. intros w _. unfold mean_hinge, Rdiv.
    apply Rmult_le_pos; [apply total_loss_pos | left; now apply Rinv_0_lt_compat]. intros x. apply Rmax_l.
  - specialize (L [] (zero_in_ball Lambda)). eapply Rle_trans; [exact L|].
    unfold mean_hinge, hinge_sum. apply Rmult_le_reg_r with (INR n); [exact Hn'|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
    pose proof (total_loss_range (fun x : ball_record r => hinge rho [] (proj1_sig x)) 1 1 n s) as T.
    assert (forall x : ball_record r, 1 <= hinge rho [] (proj1_sig x) <= 1) as One
      by (intros x; rewrite hinge_of_zero; lra).
    specialize (T One). lra.
Qed.

(** bms22.lemF_3: the least mean hinge loss over |w| <= Lambda moves by at most min(1, (1 + q)/n), q = Lambda r/rho. *)
Theorem least_hinge_moves Lambda r rho n (s t : data (ball_record r) n) u v :
  0 <= Lambda -> 0 <= r -> 0 < rho -> (0 < n)%nat -> nb n s t ->
  infimum (in_ball Lambda) (fun w => mean_hinge rho w n s) u ->
  infimum (in_ball Lambda) (fun w => mean_hinge rho w n t) v ->
  Rabs (u - v) <= Rmin 1 ((1 + Lambda * r / rho) / INR n).
Proof.
  intros HL Hr Hrho Hn N Iu Iv. apply Rmin_glb.
  - pose proof (least_hinge_range Lambda r rho n s u Hn Iu). pose proof (least_hinge_range Lambda r rho n t v Hn Iv).
    apply Rabs_le. lra.
  - apply (infimum_moves (in_ball Lambda) _ _ u v _ Iu Iv). intros w Hw.
    apply share_moves; [exact Hn|]. now apply hinge_sum_moves.
Qed.

(** * The bound is attained *)

(** The point x of the line, labelled +1. *)
Definition on_line (q x : R) (H : Rabs x <= q) : ball_record q.
Proof.
  exists ([x], true). unfold in_ball. simpl. rewrite !Rplus_0_r, !Rmult_1_r.
  pose proof (Rabs_pos x). unfold Rabs in *. destruct (Rcase_abs x); nra.
Defined.

(** The first coordinate of a vector; the product with a point of the line depends on nothing else. *)
Definition first (w : vector) : R := match w with a :: _ => a | [] => 0 end.

Lemma first_in_ball w : in_ball 1 w -> -1 <= first w <= 1.
Proof.
  destruct w as [|a w]; unfold in_ball; simpl; [lra|]. pose proof (inner_square_pos w) as rest. intros ball.
  split; nra.
Qed.

Lemma hinge_on_line q x H w : hinge 1 w (proj1_sig (on_line q x H)) = Rmax 0 (1 - first w * x).
Proof.
  unfold hinge, on_line. cbn [proj1_sig fst snd sign]. f_equal.
  destruct w as [|a w]; simpl; [lra|]. destruct w; simpl; lra.
Qed.

Lemma total_loss_same {X} (loss : X -> R) x k : total_loss loss k (same x k) = INR k * loss x.
Proof. induction k as [|k IH]; [simpl; lra|]. rewrite S_INR. cbn [total_loss same fst snd]. rewrite IH. lra. Qed.

(** bms22.lemF_3: for every q >= 1 and every number n of records, on the line with Lambda = rho = 1 and r = q, the bound
    of least_hinge_moves is attained. *)
Theorem least_hinge_attained q n : 1 <= q -> (0 < n)%nat -> exists (s t : data (ball_record q) n) u v,
  nb n s t /\
  infimum (in_ball 1) (fun w => mean_hinge 1 w n s) u /\
  infimum (in_ball 1) (fun w => mean_hinge 1 w n t) v /\
  v - u = Rmin 1 ((1 + q) / INR n).
Proof.
  intros Hq Hn. destruct n as [|k]; [lia|]. clear Hn.
  set (far := Rmin q (INR k)). pose proof (pos_INR k) as Hk.
  assert (far_range : 0 <= far <= q) by (unfold far; split; [apply Rmin_glb; lra | apply Rmin_l]).
  assert (H1 : Rabs 1 <= q) by (rewrite Rabs_pos_eq; lra).
  assert (H2 : Rabs q <= q) by (rewrite Rabs_pos_eq; lra).
  assert (H3 : Rabs (- far) <= q) by (rewrite Rabs_Ropp, Rabs_pos_eq; lra).
  (* All points but one are at 1; the last is at q, and is moved to - min(q, n - 1). *)
  set (ones := same (on_line q 1 H1) k).
  set (s := (on_line q q H2, ones) : data (ball_record q) (S k)).
  set (t := (on_line q (- far) H3, ones) : data (ball_record q) (S k)).
  assert (Hn : 0 < INR (S k)) by (apply lt_0_INR; lia). pose proof (Rinv_0_lt_compat _ Hn) as Hi.
  assert (loss : forall x H w, mean_hinge 1 w (S k) ((on_line q x H, ones) : data (ball_record q) (S k)) =
    (Rmax 0 (1 - first w * x) + INR k * Rmax 0 (1 - first w * 1)) / INR (S k)).
  { intros x H w. unfold mean_hinge, hinge_sum. cbn [total_loss fst snd]. unfold ones.
    now rewrite total_loss_same, !hinge_on_line. }
  assert (least_s : infimum (in_ball 1) (fun w => mean_hinge 1 w (S k) s) 0).
  { split.
    - intros w _. unfold s. rewrite loss. unfold Rdiv. apply Rmult_le_pos; [|lra].
      pose proof (Rmax_l 0 (1 - first w * q)). pose proof (Rmax_l 0 (1 - first w * 1)). nra.
    - intros u H. specialize (H [1]). unfold s in H. rewrite loss in H. cbn [first] in H.
      rewrite (Rmax_left 0 (1 - 1 * q)), (Rmax_left 0 (1 - 1 * 1)) in H by lra. unfold in_ball in H. simpl in H.
      unfold Rdiv in H. assert (1 * 1 + 0 <= 1 * (1 * 1)) by lra. specialize (H H0). lra. }
  assert (least_t : infimum (in_ball 1) (fun w => mean_hinge 1 w (S k) t) (Rmin 1 ((1 + q) / INR (S k)))).
  { assert (size : INR (S k) = INR k + 1) by apply S_INR.
    unfold t. destruct (Rle_dec q (INR k)) as [many | few].
    - (* The slope is not positive: the loss is least at w = 1. *)
      assert (is_q : far = q) by now apply Rmin_left.
      assert (value : Rmin 1 ((1 + q) / INR (S k)) = (1 + q) / INR (S k)).
      { apply Rmin_right, Rmult_le_reg_r with (INR (S k)); [exact Hn|].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      rewrite value. split.
      + intros w Hw. apply first_in_ball in Hw. rewrite loss. apply Rmult_le_compat_r; [lra|].
        pose proof (Rmax_r 0 (1 - first w * - far)) as moved. pose proof (Rmax_r 0 (1 - first w * 1)) as others.
        apply (Rmult_le_compat_l (INR k)) in others; [|exact Hk]. rewrite is_q in *. nra.
      + intros u H. specialize (H [1]). rewrite loss in H. cbn [first] in H.
        rewrite (Rmax_right 0 (1 - 1 * - far)), (Rmax_left 0 (1 - 1 * 1)), is_q in H by lra.
        replace (1 - 1 * - q + INR k * 0) with (1 + q) in H by lra. apply H. unfold in_ball. simpl. lra.
    - (* The slopes at 0 cancel: the loss is least at w = 0. *)
      assert (is_k : far = INR k) by (apply Rmin_right; lra).
      assert (value : Rmin 1 ((1 + q) / INR (S k)) = 1).
      { apply Rmin_left, Rmult_le_reg_r with (INR (S k)); [exact Hn|].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      rewrite value. split.
      + intros w _. rewrite loss. apply Rmult_le_reg_r with (INR (S k)); [exact Hn|].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
        pose proof (Rmax_r 0 (1 - first w * - far)) as moved. pose proof (Rmax_r 0 (1 - first w * 1)) as others.
        apply (Rmult_le_compat_l (INR k)) in others; [|exact Hk]. rewrite is_k in *. lra.
      + intros u H. specialize (H [] (zero_in_ball 1)). rewrite loss in H. cbn [first] in H.
        rewrite (Rmax_right 0 (1 - 0 * - far)), (Rmax_right 0 (1 - 0 * 1)) in H by lra.
        replace (1 - 0 * - far + INR k * (1 - 0 * 1)) with (INR (S k)) in H by lra.
        unfold Rdiv in H. rewrite Rinv_r in H by lra. exact H. }
  exists s, t, 0, (Rmin 1 ((1 + q) / INR (S k))). split; [now left|]. split; [exact least_s|].
  split; [exact least_t | lra].
Qed.
