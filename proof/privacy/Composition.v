(* Post-processing, adaptive composition and groups. *)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy.
Open Scope R_scope.

Theorem post_processing {D O P} adj eps delta (M : D -> law O) (k : O -> law P) :
  dp adj eps delta M -> dp adj eps delta (fun x => then_ (M x) k).
Proof. intros H x y A f Hf. apply (H x y A). intros o. now apply E_test. Qed.

Theorem adaptive_composition {D O P} adj e1 d1 e2 d2 (M : D -> law O) (K : O -> D -> law P) :
  0 <= d2 -> dp adj e1 d1 M -> (forall o, dp adj e2 d2 (K o)) ->
  dp adj (e1 + e2) (d1 + d2) (fun x => then_ (M x) (fun o => relabel (fun p => (o, p)) (K o x))).
Proof.
  intros Hd HM HK x y A f Hf. cbn [E then_ relabel unit_law].
  set (a := fun o => K o x (fun p => f (o, p))). set (b := fun o => K o y (fun p => f (o, p))).
  assert (Ta : test a) by (intros o; apply E_test; intros p; apply Hf).
  assert (Tb : test b) by (intros o; apply E_test; intros p; apply Hf).
  set (c := fun o => Rmin 1 (exp e2 * b o)).
  assert (Tc : test c) by (intros o; unfold c; specialize (Tb o); pose proof (exp_pos e2); split; [apply Rmin_glb; nra | apply Rmin_l]).
  assert (S1 : M x a <= M x (fun o => c o + d2)).
  { apply E_mono; auto using test_bounded; [apply bounded_plus; auto using test_bounded, bounded_const|].
    intros o. specialize (HK o x y A (fun p => f (o, p)) (fun p => Hf (o, p))). fold (a o) in HK. fold (b o) in HK.
    specialize (Ta o). unfold c, Rmin. destruct (Rle_dec 1 (exp e2 * b o)); lra. }
  rewrite E_plus, E_const in S1 by auto using test_bounded, bounded_const.
  specialize (HM x y A c Tc).
  assert (S2 : M y c <= exp e2 * M y b).
  { rewrite <- E_scal by auto using test_bounded. apply E_mono; auto using test_bounded, bounded_scal. intros o; apply Rmin_r. }
  rewrite exp_plus. pose proof (exp_pos e1).
  assert (exp e1 * M y c <= exp e1 * (exp e2 * M y b)) by (apply Rmult_le_compat_l; lra).
  change (M x a <= exp e1 * exp e2 * M y b + (d1 + d2)). lra.
Qed.

(* Group privacy: a chain of k neighbours; delta grows to delta (1 + e^eps + ... + e^((k-1) eps)). *)
Fixpoint chain {D} (adj : D -> D -> Prop) k x y : Prop := match k with O => x = y | S j => exists z, adj x z /\ chain adj j z y end.
Fixpoint geo eps k := match k with O => 0 | S j => 1 + exp eps * geo eps j end.
Theorem group_privacy {D O} adj eps delta (M : D -> law O) : dp adj eps delta M ->
  forall k, dp (chain adj k) (INR k * eps) (delta * geo eps k) M.
Proof.
  intros H. induction k; intros x y C f Hf.
  - simpl in C. subst. rewrite Rmult_0_l, exp_0. simpl. lra.
  - destruct C as [z [A C]]. specialize (H x z A f Hf). specialize (IHk z y C f Hf).
    rewrite S_INR. replace ((INR k + 1) * eps) with (eps + INR k * eps) by lra. rewrite exp_plus. cbn [geo].
    apply (Rmult_le_compat_l (exp eps)) in IHk; [|left; apply exp_pos]. lra.
Qed.

