(** A budget of zCDP that is spent on every path.

    Draws are made one after another; the law of a draw is a function of the data and of what was drawn before.
    For two neighbours let the laws of the next draw, given the earlier outcomes h, have a Renyi divergence of at
    most alpha rho(h) for every order alpha > 1.  If the rho(h) add up to at most R on every path of T draws, then
    the T draws together are R-zCDP, although what a draw costs may depend on what was drawn.
    For discrete Gaussian vectors of one variance parameter v the cost of a draw is the squared distance of the two
    centres over 2v: if the squared distances add up to at most S^2 on every path, the path is S^2/(2v)-zCDP.

    This is Theorem 4 of the meter's page, without hidden draws. Narrower than the pages: of Theorem 8 and of
    jt13.gp.adaptive it is the part that rests on zCDP, without the bound through a rounded Gaussian. The corollary on T
    steps is what the proof of nuz20.full-batch uses.

    Claims: jt13.gp.adaptive.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Totals Distributions ThetaSums ZeroConcentrated GaussianMechanism.
Open Scope R_scope.

(** A first outcome and the list of the others, as one list. *)
Definition as_list {X} (p : distribution (X * list X)) : distribution (list X).
Proof.
  refine {| probability := fun xs => match xs with [] => 0 | x :: rest => p (x, rest) end |}.
  - intros [|x rest]; [apply Rle_refl | apply probability_ge0].
  - apply (has_total_relabel joined); [apply joined_injective | |].
    + intros [|x rest] H; auto. exfalso. now apply (H (x, rest)).
    + apply has_total_ext with (2 := probability_total p). now intros [x rest].
Defined.
(** The law of the next [draws] outcomes, after the outcomes [earlier] (the first draw first). *)
Fixpoint path_law {X} (next : list X -> distribution X) (earlier : list X) (draws : nat) : distribution (list X) :=
  match draws with
  | O => independent []
  | S more => as_list (and_then (next earlier) (fun x => path_law next (earlier ++ [x]) more))
  end.
(** The sum of the costs of the draws that gave xs. *)
Fixpoint path_cost {X} (rho : list X -> R) (earlier xs : list X) : R :=
  match xs with [] => 0 | x :: rest => rho earlier + path_cost rho (earlier ++ [x]) rest end.

Lemma renyi_as_list {X} alpha b (p q : distribution (X * list X)) :
  renyi_at_most alpha b p q -> renyi_at_most alpha b (as_list p) (as_list q).
Proof.
  intros [A U]. split.
  - intros [|x rest] E; [reflexivity | exact (A (x, rest) E)].
  - apply (sums_at_most_relabel joined).
    + intros [|x rest] H; [apply renyi_term_0 | exfalso; now apply (H (x, rest))].
    + intros l N. rewrite (sum_ext _ (fun xy => renyi_term alpha (p xy) (q xy))); [now apply U|]. now intros [x rest].
Qed.
Lemma renyi_path {X} alpha (p q : list X -> distribution X) rho : 1 < alpha ->
  (forall earlier, renyi_at_most alpha (alpha * rho earlier) (p earlier) (q earlier)) ->
  forall draws earlier R, (forall xs, length xs = draws -> path_cost rho earlier xs <= R) ->
  renyi_at_most alpha (alpha * R) (path_law p earlier draws) (path_law q earlier draws).
Proof.
  intros Ha H. induction draws as [|draws IH]; intros earlier R C; cbn [path_law].
  - specialize (C [] eq_refl). cbn in C. apply (renyi_at_most_weaken alpha 0); auto.
    + apply Rmult_le_pos; lra.
    + apply renyi_independent_nil.
  - apply renyi_as_list. replace (alpha * R) with (alpha * rho earlier + alpha * (R - rho earlier)) by ring.
    apply renyi_and_then; [apply H|]. intros x. apply IH. intros xs E.
    specialize (C (x :: xs) ltac:(simpl; auto)). cbn [path_cost] in C. lra.
Qed.
(** meter, Theorem 4 (without hidden draws): if the costs add up to at most R on every path of T draws, the path is
    R-zCDP. *)
Theorem zcdp_on_every_path {D X} (adj : D -> D -> Prop) (next : D -> list X -> distribution X)
  (rho : D -> D -> list X -> R) (R : R) (T : nat) :
  (forall x y, adj x y -> forall earlier alpha, 1 < alpha ->
     renyi_at_most alpha (alpha * rho x y earlier) (next x earlier) (next y earlier)) ->
  (forall x y, adj x y -> forall xs, length xs = T -> path_cost (rho x y) [] xs <= R) ->
  zcdp adj R (fun d => path_law (next d) [] T).
Proof.
  intros H C x y N alpha Ha. apply (renyi_path alpha _ _ (rho x y)); auto.
Qed.

(** jt13.gp.adaptive: the part of it, and of Theorem 8 of the meter, that rests on zCDP: discrete Gaussian vectors
    around centres that depend on the earlier outcomes; on every path the squared distances of the neighbours' centres
    add up to at most S^2. *)
Theorem gaussian_path_zcdp {D} v (Hv : 0 < v) (adj : D -> D -> Prop) (centre : D -> list (list Z) -> list Z)
  (S : R) (T : nat) :
  (forall x y, adj x y -> forall earlier, length (centre x earlier) = length (centre y earlier)) ->
  (forall x y, adj x y -> forall outcomes, length outcomes = T ->
     path_cost (fun earlier => squared_distance (centre x earlier) (centre y earlier)) [] outcomes <= S ^ 2) ->
  zcdp adj (S ^ 2 / (2 * v)) (fun d => path_law (fun earlier => discrete_gaussian_vector v Hv (centre d earlier)) [] T).
Proof.
  intros E C.
  apply (zcdp_on_every_path adj _
    (fun x y earlier => squared_distance (centre x earlier) (centre y earlier) / (2 * v))).
  - intros x y N earlier alpha Ha. now apply renyi_at_most_gaussian_vector, E.
  - intros x y N xs L. specialize (C x y N xs L).
    set (d := fun earlier => squared_distance (centre x earlier) (centre y earlier)) in *.
    assert (Sc : forall ys earlier, path_cost (fun h => d h / (2 * v)) earlier ys = path_cost d earlier ys / (2 * v)).
    { induction ys as [|y' ys IH]; intros earlier; cbn [path_cost]; [field; lra|]. rewrite IH. field. lra. }
    change (path_cost (fun h => d h / (2 * v)) [] xs <= S ^ 2 / (2 * v)). rewrite Sc.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | exact C].
Qed.
(** T steps, each of which moves the centre by at most S in l2, whatever was drawn before: T S^2/(2v)-zCDP. *)
Corollary gaussian_steps_zcdp {D} v (Hv : 0 < v) (adj : D -> D -> Prop) (centre : D -> list (list Z) -> list Z)
  (S : R) (T : nat) :
  (forall x y, adj x y -> forall earlier, length (centre x earlier) = length (centre y earlier) /\
     squared_distance (centre x earlier) (centre y earlier) <= S ^ 2) ->
  zcdp adj (INR T * (S ^ 2 / (2 * v)))
    (fun d => path_law (fun earlier => discrete_gaussian_vector v Hv (centre d earlier)) [] T).
Proof.
  intros C.
  apply (zcdp_on_every_path adj _ (fun _ _ _ => S ^ 2 / (2 * v))).
  - intros x y N earlier alpha Ha. destruct (C x y N earlier) as [E L].
    apply (renyi_at_most_weaken alpha
      (alpha * (squared_distance (centre x earlier) (centre y earlier) / (2 * v)))); auto.
    + apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | exact L].
    + now apply renyi_at_most_gaussian_vector.
  - intros x y _ xs <-. generalize (@nil (list Z)). induction xs as [|o xs IH]; intros earlier.
    + cbn. lra.
    + change (length (o :: xs)) with (Datatypes.S (length xs)). rewrite S_INR. cbn [path_cost].
      specialize (IH (earlier ++ [o])). lra.
Qed.
