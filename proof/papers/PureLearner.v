(** Algorithm 2, the pure learner of halfspaces, with a total rule for bad records, is (epsilon, 0)-private.

    The learner draws a matrix A without looking at the data. Then it chooses a candidate w of a finite public net W,
    with a weight of e^(-epsilon b/2), where b is the number of records that are bad for w under A. It publishes (A, w).
    - `learner_is_private`: this holds for every law of A, every net, and every total rule that says from A, w and one
      record alone whether the record is bad. Every further computation on (A, w) is private as well.
    - `algorithm_2_is_private` is the learner of halfspaces. A record (x, y) with A x = 0 is bad for every w, and so is
      a tie; otherwise it is bad if y<w, x_A> < gamma/10, with x_A = A x/|A x|.
    The statements are those of the page, for exact real weights, and for every law of A (the page has signs).
    Neighbours differ in one record of n (Neighbours.v). How a program draws with these weights is not here.

    Claims: nuz20.e5.corrected, nuz20.alg2.corrected.
*)
Require Import Reals Lra List Bool. Import ListNotations.
From DpAssay Require Import Privacy Composition Neighbours ExponentialMechanism RealVectors.
Open Scope R_scope.

(** A public draw, and then a choice that looks at the data: both are published. *)
Definition publish_both {A B} (draw : law A) (choose : A -> law B) : law (A * B) :=
  then_ draw (fun a => relabel (fun b => (a, b)) (choose a)).

(** nuz20.e5.corrected: if A is drawn without the data, and for every fixed A the choice w is (epsilon, delta)-private,
    then the pair (A, w) is (epsilon, delta)-private. *)
Theorem publish_both_is_private {D A B} (adj : D -> D -> Prop) eps delta (draw : law A) (choose : D -> A -> law B) :
  (forall a, dp adj eps delta (fun s => choose s a)) ->
  dp adj eps delta (fun s => publish_both draw (choose s)).
Proof.
  intros Private s s' N f Tf. cbn [E publish_both then_ relabel unit_law].
  assert (T : forall u, test (fun a => choose u a (fun b => f (a, b))))
    by (intros u a; apply E_test; intros b; apply Tf).
  rewrite <- (E_const draw delta), <- E_scal, <- E_plus
    by auto using bounded_scal, bounded_const, test_bounded.
  apply E_mono; auto using bounded_plus, bounded_scal, bounded_const, test_bounded.
  intros a. apply (Private a s s' N). intros b. apply Tf.
Qed.

(** nuz20.e5.corrected: and so is every function of A and w, such as w^T A. *)
Corollary function_of_both_is_private {D A B Output} (adj : D -> D -> Prop) eps delta (draw : law A)
    (choose : D -> A -> law B) (f : A * B -> Output) :
  (forall a, dp adj eps delta (fun s => choose s a)) ->
  dp adj eps delta (fun s => relabel f (publish_both draw (choose s))).
Proof. intros Private. now apply post_processing, publish_both_is_private. Qed.

(** How many of the n records have the property p. *)
Fixpoint number_of {X} (p : X -> bool) n : data X n -> R :=
  match n with O => fun _ => 0 | S m => fun s => (if p (fst s) then 1 else 0) + number_of p m (snd s) end.

Lemma number_of_moves_by_one {X} (p : X -> bool) n : forall s s', nb n s s' ->
  Rabs (number_of p n s - number_of p n s') <= 1.
Proof.
  induction n as [|n IH]; intros s s' N; simpl.
  - rewrite Rminus_0_r, Rabs_R0. lra.
  - destruct N as [Rest | [First N]].
    + rewrite Rest. destruct (p (fst s)), (p (fst s')); apply Rabs_le; lra.
    + rewrite First. specialize (IH _ _ N). eapply Rle_trans; [|exact IH]. right. f_equal. lra.
Qed.

(** The learner for any rule of what is bad. *)
Section Learner.
Context {Matrix Example Candidate : Type} (law_of_A : law Matrix).
Context (W : list Candidate) (W_nonempty : W <> []) (eps : R) (eps_nonneg : 0 <= eps).
Context (bad : Matrix -> Example -> Candidate -> bool).

Definition bad_records {n} (A : Matrix) (s : data Example n) (w : Candidate) : R := number_of (fun r => bad A r w) n s.
(** The exponential mechanism with the score -(bad records), which has sensitivity 1. *)
Definition choose_w {n} (s : data Example n) (A : Matrix) : law Candidate :=
  exponential W W_nonempty eps 1 (fun w => - bad_records A s w).
Definition learner {n} (s : data Example n) : law (Matrix * Candidate) := publish_both law_of_A (choose_w s).

(** The weight of w, before division by the sum of the weights, is e^(-epsilon (bad records)/2). *)
Lemma weight_of_w {n} (s : data Example n) A w :
  weight eps 1 (fun v => - bad_records A s v) w = exp (- (eps * bad_records A s w / 2)).
Proof. unfold weight. f_equal. field. Qed.

Lemma choose_w_is_private n A : dp (nb n) eps 0 (fun s => choose_w s A).
Proof.
  intros s s' N. apply exponential_dp; [exact eps_nonneg | lra|]. intros w.
  replace (- bad_records A s w - - bad_records A s' w) with (- (bad_records A s w - bad_records A s' w)) by lra.
  rewrite Rabs_Ropp. now apply number_of_moves_by_one.
Qed.

(** nuz20.alg2.corrected: the same for every total rule of what is bad, every law of A and every net. *)
Theorem learner_is_private n : dp (nb n) eps 0 (@learner n).
Proof. apply publish_both_is_private. intros A. apply choose_w_is_private. Qed.

Lemma function_of_learner_is_private {Output} (f : Matrix * Candidate -> Output) n :
  dp (nb n) eps 0 (fun s => relabel f (@learner n s)).
Proof. apply function_of_both_is_private. intros A. apply choose_w_is_private. Qed.
End Learner.

(** Algorithm 2. A record is a point and its label. *)
Definition example : Type := vector * bool.
(** y<w, x_A>. *)
Definition projected_margin (A : matrix) (r : example) (w : vector) : R :=
  sign (snd r) * inner w (normalised (image A (fst r))).
(** The total rule: A x = 0, a tie (or the wrong side), or a margin that is too small. *)
Definition is_bad (gamma : R) (A : matrix) (r : example) (w : vector) : bool :=
  is_zero (image A (fst r))
  || (if Rle_dec (projected_margin A r w) 0 then true else false)
  || (if Rlt_dec (projected_margin A r w) (gamma / 10) then true else false).

Lemma vanishing_record_is_bad gamma A x y w : is_zero (image A x) = true -> is_bad gamma A (x, y) w = true.
Proof. intros Z. unfold is_bad. simpl. now rewrite Z. Qed.
Lemma tie_is_bad gamma A r w : inner w (normalised (image A (fst r))) = 0 -> is_bad gamma A r w = true.
Proof.
  intros Tie. unfold is_bad, projected_margin. rewrite Tie, Rmult_0_r.
  destruct (Rle_dec 0 0); [|lra]. now rewrite orb_true_r.
Qed.
(** Where A x is not 0 the rule is the printed one. *)
Lemma otherwise_bad_as_printed gamma A r w : 0 < gamma -> is_zero (image A (fst r)) = false ->
  is_bad gamma A r w = true <-> projected_margin A r w < gamma / 10.
Proof.
  intros G Z. unfold is_bad. rewrite Z. destruct (Rle_dec _ 0), (Rlt_dec _ _); simpl; split; try easy; intros; lra.
Qed.

Definition algorithm_2 (law_of_A : law matrix) W (W_nonempty : W <> []) eps gamma {n} (s : data example n) :
  law (matrix * vector) := learner law_of_A W W_nonempty eps (is_bad gamma) s.
(** w^T A, of d coordinates. *)
Definition lifted (d : nat) (result : matrix * vector) : vector := transposed d (fst result) (snd result).

(** nuz20.alg2.corrected: if a record with A x = 0 is bad for every w, and a tie is bad too, then Algorithm 2 is
    (epsilon, 0)-private on all data, jointly in (A, w), and so is w^T A. *)
Theorem algorithm_2_is_private law_of_A W (W_nonempty : W <> []) eps gamma d n : 0 <= eps ->
  dp (nb n) eps 0 (@algorithm_2 law_of_A W W_nonempty eps gamma n) /\
  dp (nb n) eps 0 (fun s => relabel (lifted d) (@algorithm_2 law_of_A W W_nonempty eps gamma n s)).
Proof.
  intros Eps. split.
  - exact (learner_is_private law_of_A W W_nonempty eps Eps (is_bad gamma) n).
  - exact (function_of_learner_is_private law_of_A W W_nonempty eps Eps (is_bad gamma) (lifted d) n).
Qed.
