(** Finite sums of reals over the integers 0, ..., n - 1, and over -n, ..., n.

    This is arithmetic for samplers/.

    Claims: none.
*)
Require Import ZArith Reals Lra Lia.
Open Scope R_scope.

(** f 0 + ... + f (n - 1) *)
Fixpoint sumn (n : nat) (f : Z -> R) : R := match n with O => 0 | S m => sumn m f + f (Z.of_nat m) end.

(** f (-n) + ... + f n *)
Fixpoint symmetric_sum (f : Z -> R) (n : nat) : R :=
  match n with O => f 0%Z | S m => symmetric_sum f m + f (Z.of_nat n) + f (- Z.of_nat n)%Z end.

(** 1 at k, 0 elsewhere *)
Definition is (k : Z) (x : Z) : R := if Z.eq_dec x k then 1 else 0.

Lemma sumn_ext n f g : (forall i, (0 <= i < Z.of_nat n)%Z -> f i = g i) -> sumn n f = sumn n g.
Proof. induction n; intros H; simpl; auto. rewrite IHn, H; auto; intros; try apply H; lia. Qed.

Lemma sumn_plus n f g : sumn n (fun i => f i + g i) = sumn n f + sumn n g.
Proof. induction n; simpl; [lra|]. rewrite IHn. lra. Qed.

Lemma sumn_scal n c f : sumn n (fun i => c * f i) = c * sumn n f.
Proof. induction n; simpl; [lra|]. rewrite IHn. lra. Qed.

Lemma sumn_const n c : sumn n (fun _ => c) = INR n * c.
Proof. induction n; [simpl; lra|]. rewrite S_INR. simpl. rewrite IHn. lra. Qed.

Lemma sumn_le n f g : (forall i, (0 <= i < Z.of_nat n)%Z -> f i <= g i) -> sumn n f <= sumn n g.
Proof.
  induction n; intros H; simpl; [lra|].
  assert (sumn n f <= sumn n g) by (apply IHn; intros; apply H; lia). specialize (H (Z.of_nat n) ltac:(lia)). lra.
Qed.

Lemma sumn_ge0 n f : (forall i, (0 <= i < Z.of_nat n)%Z -> 0 <= f i) -> 0 <= sumn n f.
Proof. intros H. replace 0 with (sumn n (fun _ => 0)) by (rewrite sumn_const; lra). now apply sumn_le. Qed.

Lemma sumn_app m n f : sumn (m + n) f = sumn m f + sumn n (fun i => f (Z.of_nat m + i)%Z).
Proof.
  induction n; simpl; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r. simpl.
  rewrite IHn, Nat2Z.inj_add. lra.
Qed.

Lemma sumn_shift n f : sumn (S n) f = f 0%Z + sumn n (fun i => f (1 + i)%Z).
Proof. change (S n) with (1 + n)%nat. rewrite sumn_app. simpl. lra. Qed.

Lemma sumn_swap n m f : sumn n (fun i => sumn m (fun j => f i j)) = sumn m (fun j => sumn n (fun i => f i j)).
Proof. induction n; simpl; [rewrite sumn_const; lra|]. rewrite IHn, <- sumn_plus. reflexivity. Qed.

(** The first t * n integers in n blocks of t: division with remainder. *)
Lemma sumn_blocks t n f : sumn (t * n) f = sumn n (fun j => sumn t (fun u => f (Z.of_nat t * j + u)%Z)).
Proof.
  induction n; [rewrite Nat.mul_0_r; reflexivity|]. rewrite Nat.mul_succ_r, sumn_app, IHn. cbn [sumn]. f_equal.
  apply sumn_ext; intros i _. f_equal. lia.
Qed.

Lemma sumn_more n m f : (n <= m)%nat -> (forall i, (0 <= i)%Z -> 0 <= f i) -> sumn n f <= sumn m f.
Proof.
  intros H Hf. replace m with (n + (m - n))%nat by lia. rewrite sumn_app.
  assert (0 <= sumn (m - n) (fun i => f (Z.of_nat n + i)%Z)) by (apply sumn_ge0; intros; apply Hf; lia). lra.
Qed.

Lemma sumn_is n k g : (0 <= k < Z.of_nat n)%Z -> sumn n (fun x => g x * is k x) = g k.
Proof.
  induction n; intros H; [lia|]. cbn [sumn]. unfold is at 2. destruct (Z.eq_dec (Z.of_nat n) k) as [<-|].
  - rewrite (sumn_ext _ _ (fun _ => 0)); [rewrite sumn_const; lra|].
    intros i Hi. unfold is. destruct (Z.eq_dec i (Z.of_nat n)); [lia | lra].
  - rewrite IHn by lia. lra.
Qed.

Lemma sumn_is_outside n k g : (k < 0 \/ Z.of_nat n <= k)%Z -> sumn n (fun x => g x * is k x) = 0.
Proof.
  intros H. rewrite (sumn_ext _ _ (fun _ => 0)); [rewrite sumn_const; lra|].
  intros i Hi. unfold is. destruct (Z.eq_dec i k); [lia | lra].
Qed.

Lemma symmetric_sum_scal c f n : symmetric_sum (fun k => c * f k) n = c * symmetric_sum f n.
Proof. induction n; cbn [symmetric_sum]; [lra|]. rewrite IHn. lra. Qed.
