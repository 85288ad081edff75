(** Sums of losses over the records of a dataset, the least of many of them, and the exponential mechanism on them.

    A sum of losses moves by at most the range of the loss if one record is substituted; the least of numbers that
    move by at most c moves by at most c, also an infimum over infinitely many. The exponential mechanism whose score is
    minus the sum of losses is private, and seldom chooses what has a much larger sum than another.

    Claims: none.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Neighbours ExponentialMechanism.
From DpAssay Require Export Events.
Open Scope R_scope.

(** * Sums of losses *)

(** The sum of the losses of the n records. *)
Fixpoint total_loss {X} (loss : X -> R) (n : nat) : data X n -> R :=
  match n with
  | O => fun _ => 0
  | S m => fun s => loss (fst s) + total_loss loss m (snd s)
  end.

(** How many of the n records are errors. *)
Definition errors {X} (wrong : X -> bool) (n : nat) (s : data X n) : R :=
  total_loss (fun x => indicator (wrong x)) n s.

Lemma total_loss_le {X} (f g : X -> R) n s : (forall x, f x <= g x) -> total_loss f n s <= total_loss g n s.
Proof.
  intros H. induction n as [|m IH]; simpl; [lra|].
  specialize (H (fst s)). specialize (IH (snd s)). lra.
Qed.

Lemma total_loss_range {X} (f : X -> R) lo hi n s : (forall x, lo <= f x <= hi) ->
  INR n * lo <= total_loss f n s <= INR n * hi.
Proof.
  intros H. induction n as [|m IH]; [simpl; lra|].
  specialize (H (fst s)). specialize (IH (snd s)). rewrite S_INR. cbn [total_loss]. lra.
Qed.

Lemma errors_le {X} (wrong wrong' : X -> bool) n s : (forall x, wrong x = true -> wrong' x = true) ->
  errors wrong n s <= errors wrong' n s.
Proof. intros H. apply total_loss_le. intros x. apply indicator_le, H. Qed.

Lemma errors_range {X} (wrong : X -> bool) n s : 0 <= errors wrong n s <= INR n.
Proof.
  pose proof (total_loss_range (fun x => indicator (wrong x)) 0 1 n s (fun x => indicator_range (wrong x))).
  unfold errors. lra.
Qed.

(** A substituted record moves the sum by at most what the loss of a record may move by. *)
Lemma total_loss_moves {X} (loss : X -> R) c : 0 <= c -> (forall x y, Rabs (loss x - loss y) <= c) ->
  forall n s t, nb n s t -> Rabs (total_loss loss n s - total_loss loss n t) <= c.
Proof.
  intros Hc H. induction n as [|m IH]; intros s t N; cbn [total_loss].
  - rewrite Rminus_0_r, Rabs_R0. exact Hc.
  - destruct N as [Same | [Same N]].
    + rewrite Same. specialize (H (fst s) (fst t)).
      replace (_ - _) with (loss (fst s) - loss (fst t)) by lra. exact H.
    + rewrite Same. specialize (IH (snd s) (snd t) N).
      replace (_ - _) with (total_loss loss m (snd s) - total_loss loss m (snd t)) by lra. exact IH.
Qed.

Lemma within_moves x y lo hi : lo <= x <= hi -> lo <= y <= hi -> Rabs (x - y) <= hi - lo.
Proof. intros. apply Rabs_le. lra. Qed.

Lemma errors_move {X} (wrong : X -> bool) n s t : nb n s t -> Rabs (errors wrong n s - errors wrong n t) <= 1.
Proof.
  apply total_loss_moves; [lra|]. intros x y.
  pose proof (within_moves _ _ 0 1 (indicator_range (wrong x)) (indicator_range (wrong y))). lra.
Qed.

(** * The least of many numbers *)

(** The least value of f on the list a :: l. *)
Definition least {A} (f : A -> R) (a : A) (l : list A) : R := fold_right (fun b m => Rmin (f b) m) (f a) l.

(** v is the infimum of f on the things that have P; P may hold of infinitely many. *)
Definition infimum {A} (P : A -> Prop) (f : A -> R) (v : R) : Prop :=
  (forall a, P a -> v <= f a) /\ (forall u, (forall a, P a -> u <= f a) -> u <= v).

Lemma least_le {A} (f : A -> R) a l b : In b (a :: l) -> least f a l <= f b.
Proof.
  unfold least. induction l as [|c l IH]; simpl in *; intros H.
  - destruct H as [-> | []]; lra.
  - pose proof (Rmin_l (f c) (fold_right (fun b m => Rmin (f b) m) (f a) l)) as below_c.
    pose proof (Rmin_r (f c) (fold_right (fun b m => Rmin (f b) m) (f a) l)) as below_rest.
    destruct H as [H | [<- | H]]; [| exact below_c |].
    + apply Rle_trans with (1 := below_rest), IH. now left.
    + apply Rle_trans with (1 := below_rest), IH. now right.
Qed.

Lemma least_attained {A} (f : A -> R) a l : exists b, In b (a :: l) /\ least f a l = f b.
Proof.
  unfold least. induction l as [|c l IH]; simpl in *.
  - exists a. auto.
  - destruct IH as [b [I E]]. unfold Rmin at 1. destruct (Rle_dec (f c) _).
    + exists c. auto.
    + exists b. split; [tauto | exact E].
Qed.

Lemma least_infimum {A} (f : A -> R) a l : infimum (fun b => In b (a :: l)) f (least f a l).
Proof.
  split.
  - intros b. apply least_le.
  - intros u H. destruct (least_attained f a l) as [b [I ->]]. now apply H.
Qed.

(** An infimum of numbers that move by at most c moves by at most c. *)
Lemma infimum_moves {A} (P : A -> Prop) (f g : A -> R) u v c : infimum P f u -> infimum P g v ->
  (forall a, P a -> Rabs (f a - g a) <= c) -> Rabs (u - v) <= c.
Proof.
  intros [Lu Gu] [Lv Gv] H.
  assert (near : forall a, P a -> f a - g a <= c /\ g a - f a <= c).
  { intros a Pa. specialize (H a Pa). unfold Rabs in H. destruct (Rcase_abs (f a - g a)); lra. }
  assert (v - c <= u) by (apply Gu; intros a Pa; specialize (near a Pa); specialize (Lv a Pa); lra).
  assert (u - c <= v) by (apply Gv; intros a Pa; specialize (near a Pa); specialize (Lu a Pa); lra).
  apply Rabs_le. lra.
Qed.

(** The least of finitely many numbers that move by at most c moves by at most c. *)
Lemma least_moves {A} (f g : A -> R) c a l : (forall b, In b (a :: l) -> Rabs (f b - g b) <= c) ->
  Rabs (least f a l - least g a l) <= c.
Proof. apply infimum_moves; apply least_infimum. Qed.

(** * The exponential mechanism on losses *)

(** Among the candidates each is drawn with probability proportional to exp(-eps loss/2). *)
Definition by_loss {O} (candidates : list O) (some : candidates <> []) (eps : R) (loss : O -> R) : law O :=
  exponential candidates some eps 1 (fun o => - loss o).

Lemma by_loss_close {O} (candidates : list O) some eps (l l' : O -> R) : 0 <= eps ->
  (forall o, Rabs (l o - l' o) <= 1) ->
  close eps 0 (by_loss candidates some eps l) (by_loss candidates some eps l').
Proof.
  intros He H. apply (exponential_dp candidates some eps 1 He Rlt_0_1).
  intros o. rewrite <- Rabs_Ropp. replace (- (- l o - - l' o)) with (l o - l' o) by lra. apply H.
Qed.

Lemma sum_ge_term {A} (f : A -> R) l a : (forall x, 0 <= f x) -> In a l -> f a <= sum f l.
Proof.
  intros Pos. induction l as [|b l IH]; simpl; [tauto|].
  assert (0 <= sum f l) by (clear IH; induction l; simpl; [lra | specialize (Pos a0); lra]).
  intros [-> | I]; [lra | specialize (IH I); specialize (Pos b); lra].
Qed.

Lemma sum_bounded {A} (f : A -> R) l c : (forall x, In x l -> f x <= c) -> sum f l <= INR (length l) * c.
Proof.
  induction l as [|b l IH]; intros H; [simpl; lra|].
  change (length (b :: l)) with (S (length l)). rewrite S_INR. cbn [sum].
  assert (sum f l <= INR (length l) * c) by (apply IH; intros; apply H; now right).
  specialize (H b (or_introl eq_refl)). lra.
Qed.

(** What is t above some candidate's loss is chosen with probability at most (number of candidates) exp(-eps t/2). *)
Lemma by_loss_seldom_bad {O} (candidates : list O) some eps (loss : O -> R) best t : 0 <= eps -> In best candidates ->
  by_loss candidates some eps loss (fun o => indicator (at_most (loss o) (loss best + t)))
    >= 1 - INR (length candidates) * exp (- (eps * t / 2)).
Proof.
  intros He I. set (good := fun o => indicator (at_most (loss o) (loss best + t))).
  set (M := by_loss candidates some eps loss).
  set (W := sum (weight eps 1 (fun o => - loss o)) candidates).
  assert (Wpos : 0 < W) by (apply total; exact some).
  assert (Wbest : weight eps 1 (fun o => - loss o) best <= W)
    by (apply sum_ge_term; auto; intros; left; apply exp_pos).
  assert (bad : M (fun o => 1 + -1 * good o) <= INR (length candidates) * exp (- (eps * t / 2))).
  { unfold M, by_loss, exponential. cbn [E finite]. apply sum_bounded. intros o Io. unfold em. fold W.
    pose proof (exp_pos (- (eps * t / 2))) as P.
    assert (em_o : 0 <= / W * weight eps 1 (fun o => - loss o) o)
      by (apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat | left; apply exp_pos]).
    unfold good, indicator. destruct (at_most _ _) eqn:A; [nra|]. apply at_most_false in A.
    assert (small : weight eps 1 (fun o => - loss o) o
      <= exp (- (eps * t / 2)) * weight eps 1 (fun o => - loss o) best).
    { unfold weight. rewrite <- exp_plus.
      assert (L : eps * - loss o / (2 * 1) <= - (eps * t / 2) + eps * - loss best / (2 * 1)) by nra.
      destruct L as [L | L]; [left; now apply exp_increasing | rewrite L; lra]. }
    assert (weight eps 1 (fun o => - loss o) o <= exp (- (eps * t / 2)) * W) by nra.
    replace (1 + -1 * 0) with 1 by lra. rewrite Rmult_1_r.
    apply Rmult_le_reg_l with W; [exact Wpos|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
  assert (split : M (fun o => 1 + -1 * good o) = 1 + -1 * M good).
  { assert (bg : bounded good) by (apply test_bounded, test_indicator).
    rewrite (E_plus M (fun _ => 1) (fun o => -1 * good o)) by auto using bounded_const, bounded_scal.
    now rewrite E_one, E_scal. }
  rewrite split in bad. lra.
Qed.
