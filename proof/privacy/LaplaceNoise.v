(** A value with discrete Laplace noise from the sampler: its law, and how far it moves between neighbours.

    The sampler's law (samplers/Laplace.v) is the law [dlap] whose ratio LaplaceMechanism.v bounds. So the program that
    adds the noise to an integer that differs by at most D between neighbours is D/scale-differentially private: for
    each result ([noisy_value_ratio]), and for every test of the result ([noisy_value_private]).

    It joins sample.discrete-laplace to the privacy of the discrete Laplace mechanism.

    Claims: none.
*)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Samplers Laws Laplace LaplaceMechanism.
Open Scope R_scope.

(** The value m with noise of scale p/q. *)
Definition noisy_value (m p q : Z) (fuel : nat) : tree Z := tmap (fun noise => (m + noise)%Z) (laplace fuel p q).

(** The law that was proved of the sampler is the one whose ratio was bounded. *)
Lemma same_law p q : (0 < p)%Z -> (0 < q)%Z -> has_law Z.eq_dec (fun fuel => laplace fuel p q) (dlap (IZR p / IZR q)).
Proof. exact (discrete_laplace_law p q). Qed.

Theorem noisy_value_law m p q : (0 < p)%Z -> (0 < q)%Z ->
  has_law Z.eq_dec (noisy_value m p q) (fun k => dlap (IZR p / IZR q) (k - m)).
Proof.
  intros Hp Hq. destruct (same_law p q Hp Hq) as [S D].
  assert (U : forall fuel, undecided (noisy_value m p q fuel) = undecided (laplace fuel p q))
    by (intros; unfold undecided, noisy_value; now rewrite expect_map).
  split.
  - intros fuel k. specialize (S fuel (k - m)%Z). rewrite U.
    assert (Pr Z.eq_dec (noisy_value m p q fuel) k = Pr Z.eq_dec (laplace fuel p q) (k - m)%Z) as ->; auto.
    unfold Pr, noisy_value. rewrite expect_map. apply expect_ext. intros x. unfold equals.
    destruct (Z.eq_dec (m + x) k), (Z.eq_dec x (k - m)); auto; lia.
  - intros e He. destruct (D e He) as [N HN]. exists N. intros n Hn. rewrite U. auto.
Qed.

Lemma ratio_of_laws p q D m m' k : (0 < p)%Z -> (0 < q)%Z -> (Z.abs (m - m') <= D)%Z ->
  dlap (IZR p / IZR q) (k - m) <= exp (IZR D / (IZR p / IZR q)) * dlap (IZR p / IZR q) (k - m').
Proof. intros Hp Hq H. apply discrete_laplace_ratio; auto. apply Rdiv_lt_0_compat; apply IZR_lt; lia. Qed.

(** Two values that differ by at most D, each with noise of scale p/q: no result is more than e^(D/scale) times as
    likely for the one as for the other. *)
Theorem noisy_value_ratio p q (D m m' k : Z) P P' : (0 < p)%Z -> (0 < q)%Z -> (Z.abs (m - m') <= D)%Z ->
  has_law Z.eq_dec (noisy_value m p q) P -> has_law Z.eq_dec (noisy_value m' p q) P' ->
  P k <= exp (IZR D / (IZR p / IZR q)) * P' k.
Proof.
  intros Hp Hq H L L'.
  rewrite (law_is_unique _ _ _ _ L (noisy_value_law m p q Hp Hq) k).
  rewrite (law_is_unique _ _ _ _ L' (noisy_value_law m' p q Hp Hq) k). now apply ratio_of_laws.
Qed.

(** The same for every test f of the result and every fuel, up to what is undecided. *)
Theorem noisy_value_private p q (D m m' : Z) : (0 < p)%Z -> (0 < q)%Z -> (Z.abs (m - m') <= D)%Z ->
  forall f, (forall k, 0 <= f k <= 1) -> forall fuel fuel',
  expect (noisy_value m p q fuel) f <=
  exp (IZR D / (IZR p / IZR q)) *
    (expect (noisy_value m' p q fuel') f + undecided (noisy_value m' p q fuel')).
Proof.
  intros Hp Hq H f Hf fuel fuel'. pose proof (noisy_value_law m p q Hp Hq) as L.
  pose proof (noisy_value_law m' p q Hp Hq) as L'.
  destruct (law_of_a_test Z.eq_dec _ _ L f Hf fuel) as [(l & N & U) _].
  destruct (law_of_a_test Z.eq_dec _ _ L' f Hf fuel') as [_ V]. specialize (V l N). cbv beta in U, V.
  eapply Rle_trans; [apply U|].
  eapply Rle_trans; [|apply Rmult_le_compat_l; [left; apply exp_pos | apply V]].
  rewrite <- sumR_scal. apply sumR_le. intros k _. rewrite <- Rmult_assoc.
  apply Rmult_le_compat_r; [apply Hf | now apply ratio_of_laws].
Qed.
