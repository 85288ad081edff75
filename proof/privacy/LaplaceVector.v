(** The discrete Laplace mechanism on integer vectors.

    A vector of integers, of any public length, that moves by at most D in the l1 norm between neighbours, released with
    independent discrete Laplace noise of one scale in each coordinate, is (D/scale, 0)-differentially private.

    LaplaceProgram.v says this of the sampler as it runs on coins, for rational scales; here the law has any real scale.

    Claims: none.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import NoiseProgram Privacy Countable Composition LaplaceMechanism.
Open Scope R_scope.

(** Independent noise on every coordinate. *)
Fixpoint around_vector scale positive (values : list Z) : law (list Z) :=
  match values with
  | [] => unit_law []
  | v :: rest => then_ (around scale positive v) (fun k => relabel (cons k) (around_vector scale positive rest))
  end.

Lemma vector_close scale positive v : forall w, length v = length w ->
  close (IZR (l1_distance v w) / scale) 0 (around_vector scale positive v) (around_vector scale positive w).
Proof.
  induction v as [|a v IH]; intros [|b w] L; try easy; cbn [around_vector l1_distance].
  - apply close_same; [|lra]. unfold Rdiv. rewrite Rmult_0_l. lra.
  - rewrite plus_IZR. unfold Rdiv. rewrite Rmult_plus_distr_r. replace 0 with (0 + 0) at 1 by lra.
    apply close_then; [lra | apply discrete_laplace_close; lia |].
    intros k f Hf. apply (IH w ltac:(auto) (fun rest => f (k :: rest))). intros rest. apply Hf.
Qed.

(** A vector that moves by at most D in the l1 norm, with noise in each coordinate, is (D/scale, 0)-private. *)
Theorem discrete_laplace_vector_dp {Data} (neighbours : Data -> Data -> Prop) (query : Data -> list Z) (D : Z)
    scale positive :
  (forall x y, neighbours x y ->
     length (query x) = length (query y) /\ (l1_distance (query x) (query y) <= D)%Z) ->
  dp neighbours (IZR D / scale) 0 (fun x => around_vector scale positive (query x)).
Proof.
  intros H x y A. destruct (H x y A) as [L M].
  apply close_weaken with (IZR (l1_distance (query x) (query y)) / scale) 0; [| lra | now apply vector_close].
  apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | now apply IZR_le].
Qed.
