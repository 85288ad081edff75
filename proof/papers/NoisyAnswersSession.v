(** Sessions of noisy answers.

    An analyst asks queries one after the other, each chosen by what was published before and by coins of the analyst's
    own. The exact prediction, in steps of the grid, is rounded down, noise is added, and the noisy answer is told only
    if it lies outside an interval, which is a function of public things. After B answers are told the session ends. If
    predictions on neighbours are at most t steps apart, and noise around two integers that are at most t apart has laws
    within the factor e^s, then all that is published is (epsilon, delta)-private for every epsilon and the delta of
    Theorem A.
    The noise of the page is discrete Laplace noise of scale t/s; here any noise with this property will do. A refusal
    is a function of the query and of the counts, which are public, so that it tells nothing more; it is left out
    here. The number of rounds is any number given in advance: the T of the page.

    Claims: jt13.nt.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy LikelihoodMoments RandomisedResponseIsWorst NoisyAnswersRound NoisyAnswers.
Open Scope R_scope.

(** The largest integer that is at most x. *)
Definition floor (x : R) : Z := Int_part x.

(** Rounding is free: real numbers at most t apart, an integer, are rounded down to integers at most t apart. *)
Lemma floor_moves (x y : R) (t : Z) : Rabs (x - y) <= IZR t -> (Z.abs (floor x - floor y) <= t)%Z.
Proof.
  intros H. unfold floor. destruct (base_Int_part x) as [x1 x2], (base_Int_part y) as [y1 y2].
  pose proof (Rle_abs (x - y)) as A. pose proof (Rle_abs (- (x - y))) as A'. rewrite Rabs_Ropp in A'.
  assert (up : IZR (Int_part x - Int_part y) < IZR (t + 1)) by (rewrite minus_IZR, plus_IZR; lra).
  assert (down : IZR (Int_part y - Int_part x) < IZR (t + 1)) by (rewrite minus_IZR, plus_IZR; lra).
  apply lt_IZR in up, down. lia.
Qed.

(** What is told of a noisy answer: nothing if it is in the interval, and otherwise all of it. *)
Definition told_outside (interval : Z * Z) (answer : Z) : option Z :=
  if andb (fst interval <=? answer)%Z (answer <=? snd interval)%Z then None else Some answer.

(** One round: the query and the interval are functions of what was published before. *)
Definition answer_round {Query} (around : Z -> law Z) (prediction : Query -> R) (query : published Z -> Query)
    (interval : published Z -> Z * Z) (before : published Z) : law (option Z) :=
  relabel (told_outside (interval before)) (around (floor (prediction (query before)))).

(** The analyst's coins, and all that is published. *)
Definition answers {Coins Query} (around : Z -> law Z) (coins : law Coins) (query : Coins -> published Z -> Query)
    (interval : Coins -> published Z -> Z * Z) (B rounds : nat) (prediction : Query -> R) : law (Coins * published Z) :=
  then_ coins (fun c => relabel (fun told => (c, told))
    (session (answer_round around prediction (query c) (interval c)) B rounds [])).

(** jt13.nt: whoever chooses the queries by the answers, and the interval by what is public, all that is published is
    (epsilon, delta)-private, delta being that of Theorem A. *)
Theorem answers_dp {D Coins Query} (neighbours : D -> D -> Prop) (around : Z -> law Z) (prediction : D -> Query -> R)
    (coins : law Coins) (query : Coins -> published Z -> Query) (interval : Coins -> published Z -> Z * Z)
    (t : Z) (l s : R) (B rounds : nat) (epsilon : R) :
  (forall x y, neighbours x y -> forall z, Rabs (prediction x z - prediction y z) <= IZR t) ->
  (forall v w, (Z.abs (v - w) <= t)%Z -> close s 0 (around v) (around w)) ->
  0 < l -> 0 < s -> quiet_moment l s < 1 ->
  dp neighbours epsilon (noisy_answers_delta l s B epsilon)
    (fun x => answers around coins query interval B rounds (prediction x)).
Proof.
  intros moves noise Hl Hs room x y xy f Hf. unfold answers. cbn [E then_ relabel unit_law].
  set (of := fun c u => session (answer_round around (prediction u) (query c) (interval c)) B rounds []
    (fun told => f (c, told))).
  change (coins (fun c => of c x) <= exp epsilon * coins (fun c => of c y) + noisy_answers_delta l s B epsilon).
  assert (T : forall u, test (fun c => of c u)) by (intros u c; apply E_test; intros told; apply Hf).
  assert (BT : forall u, bounded (fun c => of c u)) by (intros u; apply test_bounded, T).
  (* The analyst's coins are given. *)
  assert (each : forall c, of c x <= exp epsilon * of c y + noisy_answers_delta l s B epsilon).
  { intros c. apply (noisy_answers_close l s); auto; [|intros told; apply Hf].
    intros before. assert (near : forall u v, neighbours u v \/ neighbours v u ->
      close s 0 (answer_round around (prediction u) (query c) (interval c) before)
        (answer_round around (prediction v) (query c) (interval c) before)).
    { intros u v uv g Hg. unfold answer_round. cbn [E then_ relabel unit_law].
      apply noise; [|intros a; apply Hg]. apply floor_moves.
      destruct uv as [uv | vu]; [now apply moves | rewrite Rabs_minus_sym; now apply moves]. }
    split; apply near; auto. }
  eapply Rle_trans; [apply E_mono; [apply BT | | exact each]|].
  - apply bounded_plus; [now apply bounded_scal | apply bounded_const].
  - rewrite E_plus, E_scal, E_const by auto using bounded_scal, bounded_const. lra.
Qed.
