(** A private mechanism on records of one law against the same mechanism on records of another law.

    Let D and Q be laws of one record, and c >= 0. Suppose that c D(F) <= Q(F) for every F that varies by a factor of at
    most e^epsilon over the records. Then everything that an (epsilon, 0)-private mechanism does on n independent
    records from D it does at least c^n times as often on n independent records from Q: the records are exchanged one
    by one. In the lower bounds this is the step "one dataset for all labellings". It needs neither a coupling nor the
    number of records that differ.

    Claims: none.
*)
Require Import Reals Lra.
From DpAssay Require Import Privacy Neighbours.
Open Scope R_scope.

(** c D(F) <= Q(F) for every F that varies by a factor of at most e^epsilon. *)
Definition covers {X} (eps c : R) (Q D : law X) : Prop :=
  forall F, test F -> (forall x x', F x <= exp eps * F x') -> c * D F <= Q F.

Lemma exchange_of_records {X O} eps c (Q D : law X) : 0 <= c -> covers eps c Q D ->
  forall n (M : data X n -> law O), dp (nb n) eps 0 M -> forall f, test f ->
  c ^ n * then_ (iid D n) M f <= then_ (iid Q n) M f.
Proof.
  intros C Cover. induction n as [|n IH]; intros M Private f Tf; [simpl; lra|].
  cbn [iid E then_ relabel unit_law].
  (* The last n records are from `rest`, the first one is x. *)
  set (given := fun (rest : law (data X n)) x => rest (fun s => M (x, s) f)).
  assert (TM : forall x, test (fun s => M (x, s) f)) by (intros x s; now apply E_test).
  assert (T : forall rest, test (given rest)) by (intros rest x; now apply E_test).
  change (c ^ S n * D (given (iid D n)) <= Q (given (iid Q n))).
  assert (others : forall x, c ^ n * given (iid D n) x <= given (iid Q n) x).
  { intros x. apply (IH (fun s => M (x, s))); auto. intros s s' N. apply Private. right. auto. }
  assert (first : c * D (given (iid Q n)) <= Q (given (iid Q n))).
  { apply Cover; auto. intros x x'. unfold given. rewrite <- E_scal by auto using test_bounded.
    apply E_mono; auto using bounded_scal, test_bounded.
    intros s. pose proof (Private (x, s) (x', s) (or_introl eq_refl) f Tf). lra. }
  eapply Rle_trans; [|exact first].
  rewrite <- tech_pow_Rmult, Rmult_assoc. apply Rmult_le_compat_l; [exact C|].
  rewrite <- E_scal by auto using test_bounded.
  apply E_mono; auto using bounded_scal, test_bounded.
Qed.
