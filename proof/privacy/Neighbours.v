(** Data sets of n records, where neighbours differ in one record.

    Any two data sets of n records are n such steps apart, so that a purely private mechanism treats any two of them
    alike up to a factor e^(n epsilon).

    Claims: none.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Composition.
Open Scope R_scope.

(** n records, as nested pairs. *)
Fixpoint data (X : Type) (n : nat) : Type := match n with O => unit | S m => (X * data X m)%type end.
(** At most one record differs. *)
Fixpoint nb {X} n : data X n -> data X n -> Prop := match n with O => fun _ _ => True
  | S m => fun a b => snd a = snd b \/ (fst a = fst b /\ nb m (snd a) (snd b)) end.
(** n times the record x. *)
Fixpoint same {X} (x : X) n : data X n := match n with O => tt | S m => (x, same x m) end.
(** n independent draws from d. *)
Fixpoint iid {X} (d : law X) n : law (data X n) := match n with O => unit_law tt
  | S m => then_ d (fun x => relabel (fun s => (x, s)) (iid d m)) end.

(** Pure privacy between any two data sets of n records: n steps. *)
Lemma any_two {X O} eps n : forall (M : data X n -> law O), dp (nb n) eps 0 M ->
  forall s s' f, test f -> M s f <= exp (INR n * eps) * M s' f.
Proof.
  induction n; intros M H s s' f Hf.
  - destruct s, s'. simpl. rewrite Rmult_0_l, exp_0. lra.
  - destruct s as [x s], s' as [x' s'].
    pose proof (H (x, s) (x', s) (or_introl eq_refl) f Hf) as A.
    assert (B : M (x', s) f <= exp (INR n * eps) * M (x', s') f).
    { apply (IHn (fun u => M (x', u))); auto. intros u v Huv g Hg. apply H; auto. right; auto. }
    rewrite S_INR. replace ((INR n + 1) * eps) with (eps + INR n * eps) by lra. rewrite exp_plus.
    apply (Rmult_le_compat_l (exp eps)) in B; [|left; apply exp_pos]. lra.
Qed.
