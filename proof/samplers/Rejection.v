(** Rejection: attempts until one is accepted.

    If one attempt gives E with probability a, and is rejected otherwise, then the loop gives E ([attempts_below]);
    and if an attempt leaves nothing undecided in the limit, neither does the loop ([attempts_decided]).

    This is a step of the laws of the samplers that reject.

    Claims: none.
*)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Law Below Samplers.
Open Scope R_scope.

(** 1 for a rejection, 0 for a result. *)
Definition rejected {A} (o : option A) : R := match o with Some _ => 0 | None => 1 end.

Lemma attempts_below {A} (t : tree (option A)) E a : 0 <= a <= 1 -> (forall f, (forall x, 0 <= f x) -> 0 <= E f) ->
  (forall g, (forall o, 0 <= g o) -> expect t g <= a * E (fun x => g (Some x)) + (1 - a) * g None) ->
  forall F f, (forall x, 0 <= f x) -> expect (attempts F t) f <= E f.
Proof.
  intros Ha HE H F f Hf. induction F; simpl; [auto|]. rewrite expect_bind.
  eapply Rle_trans; [apply H|]; simpl.
  - intros [x|]; simpl; auto. apply expect_ge0; auto.
  - assert ((1 - a) * expect (attempts F t) f <= (1 - a) * E f) by (apply Rmult_le_compat_l; lra).
    change (E (fun x => f x)) with (E f). lra.
Qed.

(** At most (1 - a)^F for F rejections, and u / a for the attempts that do not end themselves. *)
Lemma attempts_undecided {A} (t : tree (option A)) a u : 0 < a <= 1 -> undecided t <= u ->
  expect t (fun o => match o with Some _ => 0 | None => 1 end) <= 1 - a ->
  forall F, undecided (attempts F t) <= (1 - a) ^ F + u / a.
Proof.
  intros Ha Hu Hn F. fold (@rejected A) in *. pose proof (undecided_bounds t).
  assert (0 <= u / a) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  induction F; simpl; [unfold undecided; simpl; lra|]. rewrite undecided_bind.
  rewrite (expect_ext t _ (fun o => undecided (attempts F t) * rejected o))
    by (intros [x|]; unfold undecided; simpl; lra).
  rewrite expect_scal. pose proof (undecided_bounds (attempts F t)).
  assert (undecided (attempts F t) * expect t rejected <= ((1 - a) ^ F + u / a) * (1 - a)).
  { apply Rmult_le_compat; auto; try lra. apply expect_ge0. intros [x|]; simpl; lra. }
  replace ((1 - a) * (1 - a) ^ F + u / a) with (((1 - a) ^ F + u / a) * (1 - a) + u) by (field; lra). lra.
Qed.

Lemma attempts_decided {A} (t : nat -> tree (option A)) a : 0 < a <= 1 -> decided t ->
  (forall F, expect (t F) (fun o => match o with Some _ => 0 | None => 1 end) <= 1 - a) ->
  decided (fun F => attempts F (t F)).
Proof.
  intros Ha D Hn. apply decided_within with (u := fun F => (1 - a) ^ F + / a * undecided (t F)).
  - replace 0 with (0 + 0) by lra. apply CV_plus; [apply pow_cv; lra | apply scaled_cv, D].
  - intros F. eapply Rle_trans; [apply (attempts_undecided (t F) a (undecided (t F)) Ha (Rle_refl _) (Hn F) F)|].
    unfold Rdiv. lra.
Qed.
