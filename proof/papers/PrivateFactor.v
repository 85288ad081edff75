(** A private w does not make w^T A private, though A is drawn without the data.

    In one dimension A is a fair sign, the data are a sign s, and w = A s. Then A is drawn without the data, and w is a
    fair sign whatever s is, so (0, 0)-private. But w A = s. What does make w^T A private is that w is private for every
    fixed A: `publish_both_is_private` in PureLearner.v. The statement is that of the page.

    Claims: nuz20.e5.
*)
Require Import Reals Lra List Bool.
From DpAssay Require Import Privacy RealVectors Events.
Open Scope R_scope.

(** A fair sign. *)
Definition random_sign : law R := relabel sign coin.
(** A and w, for the data s. *)
Definition sign_and_product (s : bool) : law (R * R) := relabel (fun A => (A, A * sign s)) random_sign.

(** nuz20.e5: there are A, drawn without the data, and w, which is (0, 0)-private, such that w A is
    (epsilon, delta)-private for no epsilon and no delta < 1; any two data are neighbours. *)
Theorem private_factor_is_not_enough : let any_two (_ _ : bool) := True in
  (forall s f, relabel fst (sign_and_product s) f = random_sign f) /\
  dp any_two 0 0 (fun s => relabel snd (sign_and_product s)) /\
  (forall s f, relabel (fun p => snd p * fst p) (sign_and_product s) f = f (sign s)) /\
  forall eps delta, delta < 1 ->
    ~ dp any_two eps delta (fun s => relabel (fun p => snd p * fst p) (sign_and_product s)).
Proof.
  intros any_two.
  assert (product : forall s f, relabel (fun p => snd p * fst p) (sign_and_product s) f = f (sign s)).
  { intros s f. cbn [E relabel then_ unit_law sign_and_product random_sign coin finite sum fst snd].
    replace (sign true * sign s * sign true) with (sign s) by (simpl; lra).
    replace (sign false * sign s * sign false) with (sign s) by (simpl; lra). lra. }
  split; [easy|]. split; [|split; [exact product|]].
  - intros s s' _ f _. rewrite exp_0.
    cbn [E relabel then_ unit_law sign_and_product random_sign coin finite sum fst snd].
    assert (signs : sign true * sign true = 1 /\ sign true * sign false = -1 /\
      sign false * sign true = -1 /\ sign false * sign false = 1) by (simpl; lra).
    destruct signs as [TT [TF [FT FF]]]. destruct s, s'; rewrite ?TT, ?TF, ?FT, ?FF; lra.
  - intros eps delta Delta Private.
    set (f := fun c => indicator (at_most c 0)).
    assert (T : test f) by apply (test_indicator (fun c => at_most c 0)).
    specialize (Private false true I f T). cbv beta in Private. rewrite !product in Private.
    unfold f, at_most in Private. simpl in Private. destruct (Rle_dec (-1) 0), (Rle_dec 1 0); simpl in Private; lra.
Qed.
