(** The control flow of learners, as translated: through what the data enter, and by which draws.

    What a learner calls is opaque, a function of its arguments; a variable that is given is a function of those
      from which
    its expression computes it (spec/source.md). Each theorem says that the learner is a program that does not have
      the
    data: it has the values that stand in its arguments, and draws what is written in it, in this order.

    Claims: none.
*)
Require Import ZArith Bool String List Lia.
From DpAssay Require Import Trees Samplers Rust Source Same SamplersFuel SamplersEqual.
Import ListNotations.
Open Scope Z_scope.

Lemma returned {R A B} (a : A) (k : A -> M R B) : mbind (call (Ret (Returned a))) k = k a.
Proof. reflexivity. Qed.

(** What is computed first: where it panics, the whole panics. *)
Definition first {A B} (e : ending A) (k : A -> rust B) : rust B :=
  match e with Returned a => k a | Panicked => Ret Panicked end.

Section learners.
Variables (Points : Type -> Type) (dimension len : forall A, Points A -> ending Z).
Variables (Choice : Type) (new : list Z -> rational -> ending (result Choice)) (sample : nat -> Choice -> rust
  (result Z)).

(** One draw from the exponential mechanism of these losses. *)
Definition choose {R} F (losses : list Z) (epsilon : rational) : M (result R) Z :=
  let* law := ask (Ret (new losses epsilon)) in ask (sample F law).

(** * bms22, the Gibbs learner *)

Definition gibbs_from F losses epsilon : rust (result Z) := body (let* k := choose F losses epsilon in val (Ok k)).

(** Of the data it has the errors of the candidates, and draws once, at epsilon. *)
Theorem gibbs_reads_once errors F s candidates epsilon :
  gibbs_learn Points Choice new sample errors F s candidates epsilon
  = first (errors candidates s) (fun losses => gibbs_from F losses epsilon).
Proof.
  unfold gibbs_learn, first. destruct (errors candidates s) as [losses|]; [|reflexivity].
  rewrite returned. unfold gibbs_from, choose. rewrite mbind_mbind. reflexivity.
Qed.

(** * bms22, the learner of private labels *)

Definition labels_from F (taken : list (Z * list rational)) losses epsilon : rust (result Z) :=
  body (let* place := choose F losses epsilon in let* hypothesis := at_place taken place in val (Ok (fst
    hypothesis))).

(** Of the data it has the hypotheses that are taken and their errors, and draws once, at epsilon. That the labels
  do not
    enter the first is a property of [taken]. *)
Theorem labels_reads_once taken errors F s h rho epsilon : let half := rational_mul rho (lowest 1 2) in
  labels_learn Points Choice new sample taken errors F s h rho epsilon
  = if rational_is_positive rho
    then first (taken h half rho s []) (fun cover => first (errors half rho s cover) (fun losses => labels_from F
      cover losses epsilon))
    else out_of_range "rho".
Proof.
  intros half. unfold labels_learn. destruct (rational_is_positive rho); [|reflexivity]. cbn [negb].
  change (call (rational_ratio F 1 2)) with (@val (result Z) _ (lowest 1 2)). rewrite mbind_val. cbv zeta. fold half.
  unfold first. destruct (taken h half rho s []) as [cover|]; [|reflexivity]. rewrite returned.
  destruct (errors half rho s cover) as [losses|]; [|reflexivity]. rewrite returned.
  unfold labels_from, choose. rewrite mbind_mbind. reflexivity.
Qed.

(** * bms22, Algorithm 1 *)

Section algorithm_1.
Variables (signs : nat -> Z -> Z -> rust (result (list (list Z)))) (identity : Z -> ending (list (list Z))).
Variables (cover : Z -> rational -> ending (result (list (list Z)))).
Variables (images : list (list Z) -> Points bool -> ending (list (list Z))).
Variables (errors : list (list Z) -> list (list Z) -> ending (list Z)).
Variables (direction : list Z -> Z -> list (list Z) -> ending (list Z)).

Definition algorithm_1_from F d (images_of : list (list Z) -> ending (list (list Z))) k radius epsilon :=
  body (
    let* phi := (if k <? d then ask (signs F k d) else call (Ret (identity d))) in
    let* s_phi := call (Ret (images_of phi)) in
    let* net := ask (Ret (cover (Z.of_nat (length phi)) radius)) in
    let* losses := call (Ret (errors net s_phi)) in
    let* place := choose F losses epsilon in
    let* c := at_place net place in
    let* pulled_back := call (Ret (direction c d phi)) in
    val (Ok (phi, c, pulled_back))).

Lemma itself {R A} (m : M R A) : mbind m (fun a => val a) = m.
Proof. unfold mbind. transitivity (bind m Ret); [|apply bind_ret]. apply bind_ext. now intros [a|r|]. Qed.

(** Of the data it has their dimension and the images of the records under the map that is drawn, and draws the map
  and then
    one of the cover, at epsilon. *)
Theorem algorithm_1_reads_once F s k radius epsilon :
  margin_algorithm_1_learn Points dimension Choice new sample signs identity cover images errors direction F s k
    radius epsilon
  = first (dimension _ s) (fun d => algorithm_1_from F d (fun phi => images phi s) k radius epsilon).
Proof.
  unfold margin_algorithm_1_learn, first. destruct (dimension bool s) as [d|]; [|reflexivity]. rewrite returned.
    cbv zeta.
  unfold algorithm_1_from. f_equal. rewrite !itself. unfold choose.
  apply mbind_ext. intros phi. apply mbind_ext. intros s_phi. apply mbind_ext. intros net. apply mbind_ext. intros
    losses.
  rewrite mbind_mbind. reflexivity.
Qed.
End algorithm_1.

(** * nuz20, Algorithm 2 *)

Section algorithm_2.
Variables (draw : nat -> option Z -> Z -> rust (result (list (list Z)))) (net : Z -> rational -> ending (Z * list
  (list Z))).
Variables (pull_back : list Z -> list (list Z) -> Z -> ending (list Z)).
Variables (images : list (list Z) -> Points bool -> ending (list (list Z))).
Variables (errors : Z -> list (list Z) -> rational -> list (list Z) -> ending (list Z)).

Definition algorithm_2_from F d (images_of : list (list Z) -> ending (list (list Z))) m radius threshold epsilon :=
  body (
    let* a := ask (draw F m d) in
    let* s_a := call (Ret (images_of a)) in
    let* found := call (Ret (net (Z.of_nat (length a)) radius)) in
    let '(q, w) := found in
    let* losses := call (Ret (errors q s_a threshold w)) in
    let* place := choose F losses epsilon in
    let* k := at_place w place in
    let* pulled_back := call (Ret (pull_back k a d)) in
    let* again := at_place w place in
    val (Ok (a, again, pulled_back))).

(** Of the data it has their number (for a refusal), their dimension, and the images of the records under the
  matrix that is
    drawn, and draws the matrix and then one of the net, at epsilon. *)
Theorem algorithm_2_reads_once F s m radius threshold epsilon n d : len _ s = Returned n -> dimension _ s =
  Returned d ->
  halfspaces_algorithm_2_learn Points dimension len Choice new sample draw net pull_back images errors F s m
    (radius, threshold) epsilon
  = if negb (rational_is_positive radius) || rational_is_negative threshold
       || rational_ltb (Rational 8388608 1) (rational_mul epsilon (Rational n 1))
    then out_of_range "radius, threshold or epsilon n"
    else algorithm_2_from F d (fun a => images a s) m radius threshold epsilon.
Proof.
  intros N D. unfold halfspaces_algorithm_2_learn. cbv beta iota zeta. rewrite N, D.
  unfold algorithm_2_from, choose.
  destruct (negb (rational_is_positive radius) || rational_is_negative threshold); cbn [orb]; [reflexivity|].
  rewrite returned, mbind_val.
  destruct (rational_ltb (Rational 8388608 1) (rational_mul epsilon (Rational n 1))); [reflexivity|].
  rewrite returned. f_equal. apply mbind_ext. intros a. apply mbind_ext. intros s_a. apply mbind_ext. intros [q w].
  cbv beta iota. apply mbind_ext. intros losses. rewrite mbind_mbind. apply mbind_ext. intros law.
  apply mbind_ext. intros place. apply mbind_ext. intros k. rewrite returned. reflexivity.
Qed.
End algorithm_2.
End learners.
