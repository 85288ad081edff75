(* The packing lower bound: a pure learner of all labellings of N points. *)
Require Import Reals Lra Lia List Bool Arith. Import ListNotations.
From DpAssay Require Import Privacy Composition Neighbours.
Open Scope R_scope.

(* 1. The cube and its balls. *)
Fixpoint cube (N : nat) : list (list bool) := match N with O => [[]] | S m => map (cons false) (cube m) ++ map (cons true) (cube m) end.
Fixpoint hamming (a b : list bool) : nat := match a, b with x :: a', y :: b' => (if eqb x y then 0 else 1) + hamming a' b' | _, _ => 0 end%nat.
Fixpoint ball (N r : nat) : nat := match N with O => 1 | S m => ball m r + match r with O => 0 | S s => ball m s end end%nat.
Fixpoint binom (n k : nat) : nat := match n, k with _, O => 1 | O, S _ => 0 | S m, S j => binom m j + binom m k end%nat.
Fixpoint sum_to (g : nat -> nat) r : nat := match r with O => g O | S s => sum_to g s + g r end%nat.
Theorem ball_binom N : forall r, ball N r = sum_to (binom N) r.
Proof.
  induction N; intros r.
  - simpl. induction r; simpl; auto. rewrite <- IHr. lia.
  - cbn [ball]. rewrite IHN. destruct r; [destruct N; reflexivity|]. rewrite IHN.
    induction r; [simpl; destruct N; simpl; lia|]. cbn [sum_to binom] in *. lia.
Qed.
Definition ind (b : bool) : R := if b then 1 else 0.
Lemma sum_app {A} (f : A -> R) l m : sum f (l ++ m) = sum f l + sum f m.
Proof. induction l; simpl; [lra|]. rewrite IHl; lra. Qed.
Lemma sum_map {A B} (g : B -> A) (f : A -> R) l : sum f (map g l) = sum (fun x => f (g x)) l.
Proof. induction l; simpl; auto. now rewrite IHl. Qed.
Lemma sum_0 {A} (l : list A) : sum (fun _ => 0) l = 0.
Proof. induction l; simpl; lra. Qed.
Lemma cube_size N : sum (fun _ => 1) (cube N) = 2 ^ N.
Proof. induction N; simpl; [lra|]. rewrite sum_app, !sum_map, IHN. lra. Qed.
Theorem ball_size N : forall h, length h = N -> forall r, sum (fun y => ind (hamming h y <=? r)) (cube N) = INR (ball N r).
Proof.
  induction N; intros h Hh r; [destruct h; [simpl; lra | discriminate]|].
  destruct h as [|b h]; [discriminate|]. injection Hh as Hh. cbn [cube ball]. rewrite sum_app, !sum_map, plus_INR, <- (IHN h Hh r).
  assert (near : sum (fun y => ind (hamming (b :: h) (b :: y) <=? r)) (cube N) = sum (fun y => ind (hamming h y <=? r)) (cube N)).
  { apply sum_ext; intros y. cbn [hamming]. now rewrite eqb_reflx. }
  assert (far : sum (fun y => ind (hamming (b :: h) (negb b :: y) <=? r)) (cube N) = INR (match r with O => 0 | S s => ball N s end)).
  { destruct r as [|s]; [change (INR 0) with 0; rewrite <- (sum_0 (cube N)) | rewrite <- (IHN h Hh s)]; apply sum_ext; intros y; cbn [hamming]; destruct b; reflexivity. }
  destruct b; simpl negb in far; rewrite near, far; lra.
Qed.
Lemma ball_pos N r : (0 < ball N r)%nat.
Proof. revert r; induction N; intros r; simpl; [lia|]. specialize (IHN r). lia. Qed.

Lemma E_sum {A Y} (m : law A) (g : Y -> A -> R) l : (forall y, test (g y)) ->
  bounded (fun a => sum (fun y => g y a) l) /\ m (fun a => sum (fun y => g y a) l) = sum (fun y => m (g y)) l.
Proof.
  intros H. induction l as [|y l [B IH]]; simpl; [split; [apply bounded_const | apply E_const]|]. split.
  - apply (bounded_plus (g y)); auto using test_bounded.
  - rewrite <- IH. apply (E_plus m (g y)); auto using test_bounded.
Qed.

(* 3. The bound. A hypothesis o of any kind; pred o are its labels on the N points. *)
Definition good {O} N (pred : O -> list bool) (y : list bool) (o : O) : R := ind (10 * hamming (pred o) y <=? N).
Theorem packing {O X} (N n : nat) (eps beta : R) (pred : O -> list bool) (x0 : X)
    (sample : list bool -> law (data X n)) (M : data X n -> law O) :
  (forall o, length (pred o) = N) -> dp (nb n) eps 0 M ->
  (forall y, length y = N -> then_ (sample y) M (good N pred y) >= beta) ->
  beta * 2 ^ N <= exp (INR n * eps) * INR (ball N (N / 10)).
Proof.
  intros Hp Hdp Hs. set (s0 := same x0 n).
  assert (Tg : forall y, test (good N pred y)) by (intros y o; unfold good, ind; destruct (_ <=? _); lra).
  assert (each : forall y, length y = N -> beta <= exp (INR n * eps) * M s0 (good N pred y)).
  { intros y Hy. specialize (Hs y Hy). apply Rge_le in Hs. eapply Rle_trans; [apply Hs|]. cbn [E then_].
    rewrite <- (E_const (sample y) (exp (INR n * eps) * M s0 (good N pred y))).
    apply E_mono; [|apply bounded_const|].
    - exists 1. intros s. pose proof (E_test (M s) _ (Tg y)). rewrite Rabs_pos_eq; lra.
    - intros s. now apply any_two. }
  assert (len : forall m y, In y (cube m) -> length y = m).
  { induction m; simpl; intros y Hy; [destruct Hy as [<-|[]]; auto|].
    apply in_app_or in Hy. destruct Hy as [Hy|Hy]; apply in_map_iff in Hy as [z [<- Hz]]; simpl; auto. }
  assert (total : forall l, (forall y, In y l -> length y = N) ->
    beta * sum (fun _ => 1) l <= exp (INR n * eps) * sum (fun y => M s0 (good N pred y)) l).
  { induction l; simpl; intros Hl; [lra|]. assert (beta * sum (fun _ => 1) l <= exp (INR n * eps) * sum (fun y => M s0 (good N pred y)) l) by (apply IHl; auto).
    specialize (each a (Hl a (or_introl eq_refl))). lra. }
  specialize (total (cube N) (len N)). rewrite cube_size in total. eapply Rle_trans; [apply total|].
  apply Rmult_le_compat_l; [left; apply exp_pos|].
  destruct (E_sum (M s0) (good N pred) (cube N) Tg) as [B <-].
  rewrite <- (E_const (M s0) (INR (ball N (N / 10)))). apply E_mono; auto using bounded_const.
  intros o. rewrite <- (ball_size N (pred o) (Hp o)). apply Req_le, sum_ext. intros y. unfold good. f_equal.
  destruct (Nat.leb_spec (10 * hamming (pred o) y) N), (Nat.leb_spec (hamming (pred o) y) (N / 10)); auto; exfalso.
  - apply (Nat.div_le_lower_bound N 10) in H; lia.
  - pose proof (Nat.div_mod N 10 ltac:(lia)). lia.
Qed.

(* n records (i, y_i), i uniform in 0..N, drawn independently; the learner succeeds with probability 9/10. *)
Lemma inv_pos N i : (0 <= (fun _ : nat => / INR (S N)) i).
Proof. left. apply Rinv_0_lt_compat. apply lt_0_INR. lia. Qed.
Lemma inv_sum N : sum (fun _ : nat => / INR (S N)) (seq 0 (S N)) = 1.
Proof.
  assert (forall c l, sum (fun _ : nat => c) l = INR (length l) * c) as -> by
    (intros c l; induction l; [simpl; lra|]; change (length (a :: l)) with (S (length l)); rewrite S_INR; simpl; rewrite IHl; lra).
  rewrite seq_length. apply Rinv_r. apply not_0_INR; lia.
Qed.
Definition labelled N (y : list bool) : law (nat * bool) :=
  relabel (fun i => (i, nth i y false)) (finite (fun _ => / INR (S N)) (seq 0 (S N)) (inv_pos N) (inv_sum N)).
Theorem pure_learner_bound {O} (m n : nat) (eps : R) (pred : O -> list bool) (M : data (nat * bool) n -> law O) :
  let N := S m in
  (forall o, length (pred o) = N) -> dp (nb n) eps 0 M ->
  (forall y, length y = N -> then_ (iid (labelled m y) n) M (good N pred y) >= 9 / 10) ->
  INR n * eps >= ln (9 / 10 * 2 ^ N / INR (sum_to (binom N) (N / 10))).
Proof.
  intros N Hp Hd Hs. pose proof (packing N n eps (9/10) pred (0%nat, true) (fun y => iid (labelled m y) n) M Hp Hd Hs) as P.
  rewrite <- ball_binom. assert (B : 0 < INR (ball N (N / 10))) by apply lt_0_INR, ball_pos.
  assert (0 < 2 ^ N) by (apply pow_lt; lra).
  apply Rle_ge. rewrite <- (ln_exp (INR n * eps)).
  assert (L : 9 / 10 * 2 ^ N / INR (ball N (N / 10)) <= exp (INR n * eps)).
  { apply Rmult_le_reg_r with (INR (ball N (N / 10))); auto. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  destruct L as [L | ->]; [|lra]. left. apply ln_increasing; auto.
  apply Rmult_lt_0_compat; [lra | now apply Rinv_0_lt_compat].
Qed.
