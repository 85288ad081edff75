(** Words of a code: how many lie in a ball.

    Words are lists of N bits. The ball of radius r around a word has as many words as the binomial coefficients of N
    over 0, ..., r add up to, whatever the word.

    Claims: none.
*)
Require Import Reals Lra Lia List Bool Arith.
From DpAssay Require Import Privacy Events.
Import ListNotations.
Open Scope R_scope.

(** All words of N bits. *)
Fixpoint cube (N : nat) : list (list bool) :=
  match N with O => [[]] | S m => map (cons false) (cube m) ++ map (cons true) (cube m) end.

(** In how many places two words differ. *)
Fixpoint hamming (a b : list bool) : nat :=
  match a, b with x :: a', y :: b' => (if eqb x y then 0 else 1) + hamming a' b' | _, _ => 0 end%nat.

(** How many words of N bits differ from one of them in at most r places. *)
Fixpoint ball (N r : nat) : nat :=
  match N with O => 1 | S m => ball m r + match r with O => 0 | S s => ball m s end end%nat.

(** n over k. *)
Fixpoint binom (n k : nat) : nat :=
  match n, k with _, O => 1 | O, S _ => 0 | S m, S j => binom m j + binom m k end%nat.

(** g 0 + ... + g r. *)
Fixpoint sum_to (g : nat -> nat) r : nat := match r with O => g O | S s => sum_to g s + g r end%nat.

Lemma ball_binom N : forall r, ball N r = sum_to (binom N) r.
Proof.
  induction N; intros r.
  - simpl. induction r; simpl; auto. rewrite <- IHr. lia.
  - cbn [ball]. rewrite IHN. destruct r; [destruct N; reflexivity|]. rewrite IHN.
    induction r; [simpl; destruct N; simpl; lia|]. cbn [sum_to binom] in *. lia.
Qed.

Lemma ball_pos N r : (0 < ball N r)%nat.
Proof. revert r; induction N; intros r; simpl; [lia|]. specialize (IHN r). lia. Qed.

(** 1 where it is so, 0 where not. *)
Definition ind (b : bool) : R := if b then 1 else 0.

Lemma sum_0 {A} (l : list A) : sum (fun _ => 0) l = 0.
Proof. induction l; simpl; lra. Qed.

Lemma cube_size N : sum (fun _ => 1) (cube N) = 2 ^ N.
Proof. induction N; simpl; [lra|]. rewrite sum_app, !sum_map, IHN. lra. Qed.

Lemma ball_size N : forall h, length h = N ->
  forall r, sum (fun y => ind (hamming h y <=? r)) (cube N) = INR (ball N r).
Proof.
  induction N; intros h Hh r; [destruct h; [simpl; lra | discriminate]|].
  destruct h as [|b h]; [discriminate|]. injection Hh as Hh. cbn [cube ball].
  rewrite sum_app, !sum_map, plus_INR, <- (IHN h Hh r).
  assert (near : sum (fun y => ind (hamming (b :: h) (b :: y) <=? r)) (cube N)
    = sum (fun y => ind (hamming h y <=? r)) (cube N)).
  { apply sum_ext; intros y. cbn [hamming]. now rewrite eqb_reflx. }
  assert (far : sum (fun y => ind (hamming (b :: h) (negb b :: y) <=? r)) (cube N)
    = INR (match r with O => 0 | S s => ball N s end)).
  { destruct r as [|s]; [change (INR 0) with 0; rewrite <- (sum_0 (cube N)) | rewrite <- (IHN h Hh s)];
      apply sum_ext; intros y; cbn [hamming]; destruct b; reflexivity. }
  destruct b; simpl negb in far; rewrite near, far; lra.
Qed.
