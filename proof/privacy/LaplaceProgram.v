(** The discrete Laplace sampler around a vector of queries is private.

    The sampler of rational scale p/q is run once for each coordinate, and its draw added to the value of an integer
    query. If the queries move by at most D in the sum of the coordinates, the program is (D q/p, 0)-differentially
    private: the sampler as it is run, on fair coins.

    The claim is the law of the sampler; this is the privacy that it is used for.

    Claims: sample.discrete-laplace.
*)
Require Import ZArith Reals Lra Lia List.
From DpAssay Require Import Trees Samplers Laws Laplace LaplaceMechanism Sequence Around.
From DpAssay Require Import Privacy ProgramLaw NoiseProgram.
Open Scope R_scope.

Section laplace.
Variables (p q : Z) (p_positive : (0 < p)%Z) (q_positive : (0 < q)%Z).
Let scale := IZR p / IZR q.

Lemma scale_positive : 0 < scale.
Proof. apply Rdiv_lt_0_compat; now apply IZR_lt. Qed.

Lemma laplace_has_law : has_law Z.eq_dec (fun F => laplace F p q)
  (fun k => (1 - exp (- / scale)) / (1 + exp (- / scale)) * exp (- IZR (Z.abs k) / scale)).
Proof. exact (discrete_laplace_law p q p_positive q_positive). Qed.

(** sample.discrete-laplace: noise of the sampler around integer queries that move by at most D in l1 is
    (D / scale, 0)-differentially private. *)
Theorem laplace_sampler_is_private {D} (adj : D -> D -> Prop) (queries : D -> list Z) (sensitivity : Z) :
  (forall S S', adj S S' -> length (queries S) = length (queries S')
                            /\ (l1_distance (queries S) (queries S') <= sensitivity)%Z) ->
  dp adj (IZR sensitivity / scale) 0
    (fun S => noise_around_all (fun F => laplace F p q) _ laplace_has_law (queries S)).
Proof.
  intros sensitive. pose proof scale_positive as positive.
  apply (laplace_program_is_private adj scale ((1 - exp (- / scale)) / (1 + exp (- / scale)))); auto.
  assert (inverse : 0 < / scale) by now apply Rinv_0_lt_compat.
  assert (exp (- / scale) < 1) by (rewrite <- exp_0; apply exp_increasing; lra). pose proof (exp_pos (- / scale)).
  apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
Qed.
End laplace.
