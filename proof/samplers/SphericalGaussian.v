(** The spherical discrete Gaussian.

    Independent draws of the discrete Gaussian of variance a/b give a vector y with probability the product over its
    coordinates of e^(-y_i^2/(2a/b)) / theta, and around an integer vector c they give c + y with the same probability.

    As on the page.

    Claims: sample.spherical-gaussian.
*)
Require Import ZArith Reals Lra Lia List.
From DpAssay Require Import Trees Samplers Laws Gaussian Sequence Around.
Open Scope R_scope.

(** Rust: src/sample/discrete_gaussian.rs, spherical_gaussian. *)
Definition spherical_gaussian (F : nat) (dimension : nat) (a b : Z) : tree (list Z) :=
  draw_vector F dimension (fun F => gaussian F a b).

Section spherical.
Variables (a b : Z) (a_positive : (0 < a)%Z) (b_positive : (0 < b)%Z) (theta : R).
Hypothesis theta_is_the_sum : Un_cv (symmetric_sum (fun j => exp (- IZR (j * j) / (2 * (IZR a / IZR b))))) theta.

(** Pr[DiscreteGaussian(a/b) = k]. *)
Definition gaussian_probability (k : Z) : R := exp (- IZR (k * k) / (2 * (IZR a / IZR b))) / theta.

Lemma gaussian_has_law : has_law Z.eq_dec (fun F => gaussian F a b) gaussian_probability.
Proof. exact (discrete_gaussian_law a b a_positive b_positive theta theta_is_the_sum). Qed.

(** sample.spherical-gaussian: the vector y comes with the product of the probabilities of its coordinates. *)
Theorem spherical_gaussian_law dimension : has_law (list_eq_dec Z.eq_dec)
  (fun F => spherical_gaussian F dimension a b) (product_probability gaussian_probability dimension).
Proof. apply vector_law, gaussian_has_law. Qed.

(** sample.spherical-gaussian: around the vector c of values, v comes with the product of Pr[k = v_i - c_i]. *)
Theorem spherical_gaussian_around_law values : has_law (list_eq_dec Z.eq_dec)
  (fun F => around_all F values (fun F => gaussian F a b)) (product_around gaussian_probability values).
Proof. apply around_all_law, gaussian_has_law. Qed.
End spherical.
