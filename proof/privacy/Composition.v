(** Post-processing, composition and groups.

    All of it for any neighbouring relation and any delta. Sequences are adaptive: what is done next may depend on what
    was told before. (1) What is computed from an outcome is as private as the outcome. (2) Two mechanisms, the second
    chosen by the outcome of the first, cost the sums of epsilon and delta; so do k mechanisms, each chosen by what was
    told before. (3) Mechanisms that each see one part of the data, where neighbours differ in one part, cost
    together what one of them costs. (4) Groups: a chain of k neighbours costs k epsilon and
    (1 + e^epsilon + ... + e^((k-1) epsilon)) delta.

    Claims: none.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy.
Open Scope R_scope.

(** * Weaker and derived statements *)

Lemma close_same {O} eps delta (p : law O) : 0 <= eps -> 0 <= delta -> close eps delta p p.
Proof. intros He Hd f Hf. pose proof (exp_ge_1 eps He). pose proof (E_test p f Hf). nra. Qed.
Lemma close_weaken {O} eps eps' delta delta' (p q : law O) :
  eps <= eps' -> delta <= delta' -> close eps delta p q -> close eps' delta' p q.
Proof.
  intros He Hd H f Hf. specialize (H f Hf). pose proof (exp_le eps eps' He). pose proof (E_test q f Hf). nra.
Qed.

(** A larger epsilon and delta are promised as well. *)
Theorem dp_weaken {D O} (adj : D -> D -> Prop) eps eps' delta delta' (M : D -> law O) :
  eps <= eps' -> delta <= delta' -> dp adj eps delta M -> dp adj eps' delta' M.
Proof. intros He Hd H x y A. apply close_weaken with eps delta; auto. Qed.
(** Fewer neighbours are promised as much. *)
Theorem dp_fewer_neighbours {D O} (adj adj' : D -> D -> Prop) eps delta (M : D -> law O) :
  (forall x y, adj' x y -> adj x y) -> dp adj eps delta M -> dp adj' eps delta M.
Proof. intros H HM x y A. auto. Qed.
(** A function of the data that takes neighbours to neighbours, before the mechanism. *)
Theorem dp_preprocessing {D D' O} (adj : D -> D -> Prop) (adj' : D' -> D' -> Prop) eps delta (g : D' -> D)
    (M : D -> law O) :
  (forall x y, adj' x y -> adj (g x) (g y)) -> dp adj eps delta M -> dp adj' eps delta (fun x => M (g x)).
Proof. intros H HM x y A. apply HM. auto. Qed.

(** * Post-processing *)

(** What is done with the outcome afterwards, with new coins but without the data, keeps epsilon and delta. *)
Theorem post_processing {D O P} adj eps delta (M : D -> law O) (k : O -> law P) :
  dp adj eps delta M -> dp adj eps delta (fun x => then_ (M x) k).
Proof. intros H x y A f Hf. apply (H x y A). intros o. now apply E_test. Qed.

(** * Two mechanisms *)

(** Two laws in sequence, the second chosen by the outcome of the first. *)
Lemma close_then {O P} e1 d1 e2 d2 (p q : law O) (K L : O -> law P) :
  0 <= d2 -> close e1 d1 p q -> (forall o, close e2 d2 (K o) (L o)) ->
  close (e1 + e2) (d1 + d2) (then_ p K) (then_ q L).
Proof.
  intros Hd Hpq HKL f Hf. cbn [E then_].
  set (a := fun o => K o f). set (b := fun o => L o f).
  assert (Ta : test a) by (intros o; now apply E_test).
  assert (Tb : test b) by (intros o; now apply E_test).
  (* The second law gives at most e^e2 b + d2, and at most 1; the first is applied to the smaller of e^e2 b and 1. *)
  set (c := fun o => Rmin 1 (exp e2 * b o)).
  assert (Tc : test c).
  { intros o. unfold c. specialize (Tb o). pose proof (exp_pos e2). split; [apply Rmin_glb; nra | apply Rmin_l]. }
  assert (S1 : p a <= p (fun o => c o + d2)).
  { apply E_mono; [now apply test_bounded | apply bounded_plus; auto using test_bounded, bounded_const |].
    intros o. specialize (HKL o f Hf). fold (a o) in HKL. fold (b o) in HKL.
    specialize (Ta o). unfold c, Rmin. destruct (Rle_dec 1 (exp e2 * b o)); lra. }
  rewrite E_plus, E_const in S1 by auto using test_bounded, bounded_const.
  specialize (Hpq c Tc).
  assert (S2 : q c <= exp e2 * q b).
  { rewrite <- E_scal by auto using test_bounded.
    apply E_mono; auto using test_bounded, bounded_scal. intros o; apply Rmin_r. }
  rewrite exp_plus. pose proof (exp_pos e1).
  assert (exp e1 * q c <= exp e1 * (exp e2 * q b)) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

(** Both outcomes are told. *)
Theorem adaptive_composition {D O P} adj e1 d1 e2 d2 (M : D -> law O) (K : O -> D -> law P) :
  0 <= d2 -> dp adj e1 d1 M -> (forall o, dp adj e2 d2 (K o)) ->
  dp adj (e1 + e2) (d1 + d2) (fun x => then_ (M x) (fun o => relabel (fun p => (o, p)) (K o x))).
Proof.
  intros Hd HM HK x y A. apply close_then; auto. intros o.
  apply (post_processing adj e2 d2 (K o)) with (x := x) (y := y); auto.
Qed.

(** A draw that does not depend on the data, and a mechanism that may depend on it: if each of these is private, so is
    the whole, whether the draw is told or not. *)
Theorem public_randomness {C D O} adj eps delta (coins : law C) (M : C -> D -> law O) :
  0 <= delta -> (forall c, dp adj eps delta (M c)) -> dp adj eps delta (fun x => then_ coins (fun c => M c x)).
Proof.
  intros Hd H x y A. replace eps with (0 + eps) by lra. replace delta with (0 + delta) by lra.
  apply close_then; auto; [apply close_same; lra|]. intros c. now apply H.
Qed.

(** * k mechanisms *)

(** k rounds. Round i sees what was told before, the last first, and its outcome is put before it. *)
Fixpoint adaptive {D O} k (M : list O -> D -> law O) (told : list O) (x : D) : law (list O) :=
  match k with
  | O => unit_law told
  | S j => then_ (M told x) (fun o => adaptive j M (o :: told) x)
  end.

Lemma adaptive_close {D O} (eps delta : nat -> R) (M : list O -> D -> law O) x y : (forall i, 0 <= delta i) ->
  (forall told, close (eps (length told)) (delta (length told)) (M told x) (M told y)) ->
  forall k told, close (sum eps (seq (length told) k)) (sum delta (seq (length told) k))
    (adaptive k M told x) (adaptive k M told y).
Proof.
  intros Hd H. induction k; intros told; cbn [adaptive seq sum]; [apply close_same; lra|].
  apply close_then; auto.
  - clear - Hd. generalize (seq (S (length told)) k). induction l; simpl; [lra | specialize (Hd a); lra].
  - intros o. apply (IHk (o :: told)).
Qed.

(** If round i is (eps i, delta i)-private whatever was told before, k rounds cost the sums. *)
Theorem k_fold_composition {D O} adj (eps delta : nat -> R) (M : list O -> D -> law O) k : (forall i, 0 <= delta i) ->
  (forall told, dp adj (eps (length told)) (delta (length told)) (M told)) ->
  dp adj (sum eps (seq 0 k)) (sum delta (seq 0 k)) (adaptive k M []).
Proof. intros Hd H x y A. apply (adaptive_close eps delta M x y Hd) with (told := []). intros told. now apply H. Qed.

(** k rounds, each (eps, delta)-private whatever was told before, are (k eps, k delta)-private. *)
Corollary k_fold_composition_equal {D O} adj eps delta (M : list O -> D -> law O) k : 0 <= delta ->
  (forall told, dp adj eps delta (M told)) -> dp adj (INR k * eps) (INR k * delta) (adaptive k M []).
Proof.
  intros Hd H. pose proof (k_fold_composition adj (fun _ => eps) (fun _ => delta) M k (fun _ => Hd) H) as G.
  now rewrite !sum_const, seq_length in G.
Qed.

(** * Parts of the data *)

(** The neighbours differ in one part, and there they are neighbours. *)
Definition one_part_differs {D P} (part : nat -> D -> P) (adj : P -> P -> Prop) (x y : D) :=
  exists j, adj (part j x) (part j y) /\ forall i, i <> j -> part i x = part i y.

Lemma sum_single c j l : 0 <= c -> NoDup l -> 0 <= sum (fun i => if Nat.eq_dec i j then c else 0) l <= c.
Proof.
  intros Hc. induction 1 as [|i l N _ IH]; simpl; [lra|]. destruct (Nat.eq_dec i j) as [->|]; [|lra].
  assert (sum (fun i => if Nat.eq_dec i j then c else 0) l = 0); [|lra].
  clear IH. induction l as [|a l IH]; simpl; [auto|]. simpl in N.
  destruct (Nat.eq_dec a j); [exfalso; auto|]. rewrite IH; [lra|]. intros Hin. auto.
Qed.

(** Round i sees part i alone, and what was told before. All rounds together cost what one costs. *)
Theorem parallel_composition {D P O} (part : nat -> D -> P) adj eps delta (M : list O -> P -> law O) k :
  0 <= eps -> 0 <= delta -> (forall told, dp adj eps delta (M told)) ->
  dp (one_part_differs part adj) eps delta (adaptive k (fun told x => M told (part (length told) x)) []).
Proof.
  intros He Hd H x y [j [A S]].
  (* Round j costs eps and delta, any other round nothing. *)
  set (only := fun (c : R) i => if Nat.eq_dec i j then c else 0).
  assert (G : close (sum (only eps) (seq 0 k)) (sum (only delta) (seq 0 k))
    (adaptive k (fun told x => M told (part (length told) x)) [] x)
    (adaptive k (fun told x => M told (part (length told) x)) [] y)).
  { apply (adaptive_close (only eps) (only delta)) with (told := []).
    - intros i. unfold only. destruct (Nat.eq_dec i j); lra.
    - intros told. unfold only. destruct (Nat.eq_dec (length told) j) as [-> | N]; [now apply H|].
      rewrite S by auto. apply close_same; lra. }
  revert G. apply close_weaken; apply sum_single; auto using seq_NoDup.
Qed.

(** One record more or less, at any place. *)
Definition add_or_remove {X} (x y : list X) :=
  exists before after record, (x = before ++ after /\ y = before ++ record :: after) \/
                              (y = before ++ after /\ x = before ++ record :: after).
(** The records that a rule sends to part i, in their order. *)
Definition part_by {X} (rule : X -> nat) (i : nat) (x : list X) : list X :=
  filter (fun record => Nat.eqb (rule record) i) x.

Lemma add_or_remove_one_part {X} (rule : X -> nat) x y :
  add_or_remove x y -> one_part_differs (part_by rule) add_or_remove x y.
Proof.
  intros (b & a & r & H). exists (rule r). unfold part_by.
  assert (In : filter (fun s => Nat.eqb (rule s) (rule r)) (b ++ r :: a) =
    filter (fun s => Nat.eqb (rule s) (rule r)) b ++ r :: filter (fun s => Nat.eqb (rule s) (rule r)) a)
    by (rewrite filter_app; simpl; now rewrite Nat.eqb_refl).
  assert (Out : forall i, i <> rule r -> filter (fun s => Nat.eqb (rule s) i) (b ++ r :: a) =
    filter (fun s => Nat.eqb (rule s) i) (b ++ a)).
  { intros i N. rewrite !filter_app. simpl. destruct (Nat.eqb_spec (rule r) i); [congruence | auto]. }
  split.
  - exists (filter (fun s => Nat.eqb (rule s) (rule r)) b), (filter (fun s => Nat.eqb (rule s) (rule r)) a), r.
    destruct H as [[-> ->] | [-> ->]]; rewrite In, filter_app; auto.
  - intros i N. destruct H as [[-> ->] | [-> ->]]; rewrite Out; auto.
Qed.

(** A list of records, split by a public rule; neighbours have one record more or less. (Under substitution a record
    may leave one part and enter another: two steps, and so twice the cost.) *)
Theorem parallel_composition_of_records {X O} (rule : X -> nat) eps delta (M : list O -> list X -> law O) k :
  0 <= eps -> 0 <= delta -> (forall told, dp add_or_remove eps delta (M told)) ->
  dp add_or_remove eps delta (adaptive k (fun told x => M told (part_by rule (length told) x)) []).
Proof.
  intros He Hd H. apply dp_fewer_neighbours with (adj := one_part_differs (part_by rule) add_or_remove).
  - apply add_or_remove_one_part.
  - now apply parallel_composition.
Qed.

(** * Groups *)

(** From x to y in k steps between neighbours. *)
Fixpoint chain {D} (adj : D -> D -> Prop) k x y : Prop :=
  match k with O => x = y | S j => exists z, adj x z /\ chain adj j z y end.
(** 1 + e^eps + ... + e^((k-1) eps). *)
Fixpoint geo eps k := match k with O => 0 | S j => 1 + exp eps * geo eps j end.

(** Datasets that are k neighbours apart: k epsilon, and delta (1 + e^epsilon + ... + e^((k-1) epsilon)). *)
Theorem group_privacy {D O} adj eps delta (M : D -> law O) : dp adj eps delta M ->
  forall k, dp (chain adj k) (INR k * eps) (delta * geo eps k) M.
Proof.
  intros H. induction k; intros x y C f Hf.
  - simpl in C. subst. rewrite Rmult_0_l, exp_0. simpl. lra.
  - destruct C as [z [A C]]. specialize (H x z A f Hf). specialize (IHk z y C f Hf).
    rewrite S_INR. replace ((INR k + 1) * eps) with (eps + INR k * eps) by lra. rewrite exp_plus. cbn [geo].
    apply (Rmult_le_compat_l (exp eps)) in IHk; [|left; apply exp_pos]. lra.
Qed.
