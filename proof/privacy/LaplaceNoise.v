(* What the ledger may quote; the laws of the samplers meet the foundations. *)
Require Import ZArith Reals Lra Lia List.
From DpAssay Require Import Trees Samplers Laws BernoulliExp Geometric Laplace LaplaceMechanism.
Open Scope R_scope.
(* The law that was proved of the sampler is the one whose privacy was proved. *)
Lemma same_law p q k : (0 < p)%Z -> (0 < q)%Z -> plap p q k = dlap (IZR p / IZR q) k.
Proof.
  intros Hp Hq. rewrite plap_is by auto. unfold dlap. assert (0 < IZR p) by (apply IZR_lt; lia). assert (0 < IZR q) by (apply IZR_lt; lia).
  replace (/ (IZR p / IZR q)) with (IZR q / IZR p) by (field; lra). f_equal. f_equal. field. lra.
Qed.
Theorem laplace_noise p q (D m m' k : Z) : (0 < p)%Z -> (0 < q)%Z -> (Z.abs (m - m') <= D)%Z -> forall eps v v',
  eps = IZR D / (IZR p / IZR q) ->
  Un_cv (fun F => expect (laplace F p q) (is (k - m))) v -> Un_cv (fun F => expect (laplace F p q) (is (k - m'))) v' -> v <= exp eps * v'.
Proof.
  intros Hp Hq H eps v v' -> V V'.
  rewrite (UL_sequence _ _ _ V (proj2 (discrete_laplace_law p q Hp Hq (k - m)))).
  rewrite (UL_sequence _ _ _ V' (proj2 (discrete_laplace_law p q Hp Hq (k - m')))).
  rewrite !same_law by auto. apply discrete_laplace_ratio; auto. apply Rdiv_lt_0_compat; apply IZR_lt; lia.
Qed.
