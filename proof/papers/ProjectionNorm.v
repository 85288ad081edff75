(** The norm of A^T w for a random matrix of signs.

    A has k rows of d independent fair signs, divided by sqrt(k). For every fixed w of k coordinates the mean of |A^T
    w|^2 is (d/k)|w|^2, and |A^T w|^2 <= d |w|^2 for every such A. As on the page; what it says beside of the w that is
    returned is left out.

    Claims: bms22.alg1.norm.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Events MarginErrors GibbsLearner.
Open Scope R_scope.

(** d independent entries, each c or -c, and a matrix of k such rows. *)
Fixpoint sign_row (c : R) (d : nat) : law vector :=
  match d with
  | O => unit_law []
  | S d' => then_ coin (fun b => relabel (cons (sign b * c)) (sign_row c d'))
  end.
Fixpoint sign_rows (c : R) (d k : nat) : law matrix :=
  match k with
  | O => unit_law []
  | S k' => then_ (sign_row c d) (fun row => relabel (cons row) (sign_rows c d k'))
  end.

(** The entries of A are 1/sqrt(k) and -1/sqrt(k). *)
Definition sign_matrix (d k : nat) : law matrix := sign_rows (/ sqrt (INR k)) d k.

(** * Means over finitely many signs, for every function *)

Lemma sign_row_step c d f :
  sign_row c (S d) f = 1 / 2 * sign_row c d (fun v => f (c :: v)) + 1 / 2 * sign_row c d (fun v => f (- c :: v)).
Proof.
  cbn [sign_row E then_ coin finite sum relabel unit_law]. simpl sign.
  replace (1 * c) with c by lra. replace (-1 * c) with (- c) by lra.
  rewrite Rplus_0_r. reflexivity.
Qed.

(** A matrix of k rows of d entries that are c or -c. *)
Definition is_signs (c : R) (v : vector) : Prop := Forall (fun a => a = c \/ a = - c) v.

Lemma sign_row_ext c d : forall f g, (forall v, length v = d -> is_signs c v -> f v = g v) ->
  sign_row c d f = sign_row c d g.
Proof.
  induction d as [|d IH]; intros f g H; [apply H; [reflexivity | constructor]|].
  rewrite !sign_row_step. f_equal; f_equal; apply IH; intros v L S; apply H; simpl; auto; constructor; auto.
Qed.

Lemma sign_row_linear c d : forall a f b g,
  sign_row c d (fun v => a * f v + b * g v) = a * sign_row c d f + b * sign_row c d g.
Proof.
  induction d as [|d IH]; intros a f b g; [reflexivity|]. rewrite !sign_row_step, !IH. lra.
Qed.

(** The mean of <row, v> is 0, and |row|^2 is d c^2. *)
Lemma sign_row_inner c d : forall v, sign_row c d (fun row => inner row v) = 0.
Proof.
  induction d as [|d IH]; intros v; [reflexivity|]. rewrite sign_row_step. destruct v as [|b v]; cbn [inner].
  - pose proof (sign_row_linear c d 0 (fun _ => 0) 0 (fun _ => 0)) as zero.
    assert (sign_row c d (fun _ => 0) = 0) by (apply E_const). lra.
  - assert (shift : forall a, sign_row c d (fun row => a * b + inner row v) = a * b).
    { intros a. rewrite (sign_row_ext c d _ (fun row => (a * b) * 1 + 1 * inner row v)) by (intros; lra).
      rewrite sign_row_linear, IH, E_one. lra. }
    rewrite !shift. lra.
Qed.

Lemma signs_square c v : is_signs c v -> inner v v = INR (length v) * c ^ 2.
Proof.
  induction 1 as [|a v [-> | ->] _ IH]; [simpl; lra | |];
    change (length (_ :: v)) with (S (length v)); rewrite S_INR; cbn [inner]; rewrite IH; lra.
Qed.

(** |a row + T|^2 by its parts. *)
Lemma square_of_sum a row T : length row = length T ->
  inner (add (map (Rmult a) row) T) (add (map (Rmult a) row) T)
    = a ^ 2 * inner row row + 2 * a * inner T row + inner T T.
Proof.
  revert T. induction row as [|x row IH]; intros [|y T] L; try discriminate; simpl; [lra|].
  rewrite IH by (injection L; auto). simpl. lra.
Qed.

Lemma sign_rows_linear c d k : forall a f b g,
  sign_rows c d k (fun A => a * f A + b * g A) = a * sign_rows c d k f + b * sign_rows c d k g.
Proof.
  induction k as [|k IH]; intros a f b g; [reflexivity|]. cbn [sign_rows E then_ relabel unit_law].
  rewrite <- sign_row_linear. apply sign_row_ext. intros row _ _. apply IH.
Qed.

Lemma sign_rows_ext c d k : forall f g,
  (forall A, length A = k -> (forall row, In row A -> length row = d /\ is_signs c row) -> f A = g A) ->
  sign_rows c d k f = sign_rows c d k g.
Proof.
  induction k as [|k IH]; intros f g H; [apply H; [reflexivity | intros ? []]|].
  cbn [sign_rows E then_ relabel unit_law]. apply sign_row_ext. intros row L S. apply IH. intros A LA SA.
  apply H; [simpl; congruence|]. intros r [<- | I]; auto.
Qed.

Lemma sign_rows_const c d k x : sign_rows c d k (fun _ => x) = x.
Proof. apply E_const. Qed.

Lemma transposed_length d A w : (forall row, In row A -> length row = d) -> length (transposed d A w) = d.
Proof. intros rows. apply (inner_transposed d A w [] rows). Qed.

(** The mean of <A^T w, v> is 0. *)
Lemma mean_inner c d v : forall k w, sign_rows c d k (fun A => inner (transposed d A w) v) = 0.
Proof.
  induction k as [|k IH]; intros w; [cbn [sign_rows E unit_law transposed]; apply inner_zero|].
  destruct w as [|a w].
  - rewrite (sign_rows_ext c d (S k) _ (fun _ => 0)); [apply E_const|].
    intros A _ _. destruct A; cbn [transposed]; apply inner_zero.
  - cbn [sign_rows E then_ relabel unit_law transposed].
    rewrite (sign_row_ext c d _ (fun row => a * inner row v + 0 * 0)).
    + eapply eq_trans; [apply (sign_row_linear c d a (fun row => inner row v) 0 (fun _ => 0))|].
      rewrite sign_row_inner. lra.
    + intros row L _. rewrite (sign_rows_ext c d k _ (fun A => 1 * inner (transposed d A w) v + a * inner row v * 1)).
      * eapply eq_trans; [apply (sign_rows_linear c d k 1 (fun A => inner (transposed d A w) v)
          (a * inner row v) (fun _ => 1))|].
        rewrite IH, sign_rows_const. lra.
      * intros A _ rows. rewrite inner_add, inner_scaled; [lra|].
        rewrite map_length, transposed_length, L; [reflexivity|]. intros r I. now apply rows.
Qed.

Lemma mean_square c d : forall k w, length w = k ->
  sign_rows c d k (fun A => inner (transposed d A w) (transposed d A w)) = INR d * c ^ 2 * inner w w.
Proof.
  induction k as [|k IH]; intros w L.
  - destruct w; [|discriminate]. cbn [sign_rows E unit_law transposed inner]. rewrite inner_zero. lra.
  - destruct w as [|a w]; [discriminate|]. injection L as L. specialize (IH w L).
    cbn [sign_rows E then_ relabel unit_law transposed inner].
    rewrite (sign_row_ext c d _ (fun _ => INR d * c ^ 2 * (a * a + inner w w))); [apply E_const|].
    intros row Lr Sr. pose proof (signs_square c row Sr) as norm. rewrite Lr in norm.
    (* Given the first row, the product of it and the rest has the mean 0. *)
    rewrite (sign_rows_ext c d k _ (fun A => 1 * inner (transposed d A w) (transposed d A w)
      + 1 * (2 * a * inner (transposed d A w) row + a ^ 2 * (INR d * c ^ 2) * 1))).
    + pose proof (sign_rows_linear c d k (2 * a) (fun A => inner (transposed d A w) row) (a ^ 2 * (INR d * c ^ 2))
        (fun _ => 1)) as parts. rewrite mean_inner, sign_rows_const in parts.
      eapply eq_trans; [apply (sign_rows_linear c d k 1 (fun A => inner (transposed d A w) (transposed d A w)) 1
        (fun A => 2 * a * inner (transposed d A w) row + a ^ 2 * (INR d * c ^ 2) * 1))|].
      rewrite IH. eapply eq_trans; [apply (f_equal (fun z => 1 * (INR d * c ^ 2 * inner w w) + 1 * z)), parts|]. lra.
    + intros A _ rows. rewrite square_of_sum.
      * rewrite norm. lra.
      * rewrite transposed_length, Lr; [reflexivity|]. intros r I. now apply rows.
Qed.

Lemma root_square k : (0 < k)%nat -> (/ sqrt (INR k)) ^ 2 = / INR k.
Proof. intros Hk. apply lt_0_INR in Hk. rewrite pow_inv. f_equal. apply pow2_sqrt. lra. Qed.

(** bms22.alg1.norm: for every fixed w the mean of |A^T w|^2 is (d/k)|w|^2. *)
Theorem projection_mean_norm d k w : (0 < k)%nat -> length w = k ->
  sign_matrix d k (fun A => inner (transposed d A w) (transposed d A w)) = INR d / INR k * inner w w.
Proof. intros Hk L. unfold sign_matrix. rewrite mean_square, root_square by assumption. unfold Rdiv. lra. Qed.

(** |A^T w|^2 is at most |w|^2 times the sum of the squares of the entries. *)
Lemma norm_by_rows q d : forall A w, 0 <= q -> (forall row, In row A -> length row = d /\ inner row row = q) ->
  inner (transposed d A w) (transposed d A w) <= INR (length A) * q * inner w w.
Proof.
  induction A as [|row A IH]; intros w Hq rows.
  - cbn [transposed]. rewrite inner_zero. simpl. lra.
  - change (length (row :: A)) with (S (length A)). rewrite S_INR. destruct w as [|a w].
    + cbn [transposed]. rewrite inner_zero. simpl. lra.
    + specialize (IH w Hq (fun r I => rows r (or_intror I))). destruct (rows row (or_introl eq_refl)) as [L N].
      assert (LT : length (transposed d A w) = d) by (apply transposed_length; intros r I; apply rows; now right).
      cbn [transposed inner]. rewrite square_of_sum by congruence. rewrite N.
      pose proof (cauchy_schwarz (transposed d A w) row) as CS. rewrite N in CS.
      set (T := inner (transposed d A w) (transposed d A w)) in *. set (x := inner (transposed d A w) row) in *.
      set (n := INR (length A)) in *. assert (Hn : 0 <= n) by apply pos_INR.
      pose proof (inner_square_pos w) as W. set (ww := inner w w) in *.
      (* 2 a x <= a^2 n q + q ww: its square is at most 4 a^2 q (n q ww). *)
      assert (mixed : 2 * (a * x) <= a ^ 2 * (n * q) + q * ww).
      { assert (nq : 0 <= n * q) by now apply Rmult_le_pos. assert (qw : 0 <= q * ww) by now apply Rmult_le_pos.
        assert (pos : 0 <= a ^ 2 * (n * q) + q * ww).
        { apply Rplus_le_le_0_compat; [apply Rmult_le_pos; [apply pow2_ge_0 | exact nq] | exact qw]. }
        assert (x2 : x ^ 2 <= n * q * (q * ww)).
        { eapply Rle_trans; [exact CS|]. replace (n * q * (q * ww)) with (n * q * ww * q) by lra.
          now apply Rmult_le_compat_r. }
        assert (a2x2 : a ^ 2 * x ^ 2 <= a ^ 2 * (n * q) * (q * ww)).
        { rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply pow2_ge_0 | exact x2]. }
        set (u := a ^ 2 * (n * q)) in *. set (v := q * ww) in *.
        assert (squares : (2 * (a * x)) ^ 2 <= (u + v) ^ 2).
        { replace ((2 * (a * x)) ^ 2) with (4 * (a ^ 2 * x ^ 2)) by ring. pose proof (pow2_ge_0 (u - v)).
          replace ((u + v) ^ 2) with (4 * (u * v) + (u - v) ^ 2) by ring. lra. }
        destruct (Rle_dec 0 (2 * (a * x))) as [up | down]; [|lra].
        apply Rsqr_incr_0; unfold Rsqr; lra. }
      replace ((n + 1) * q * (a * a + ww)) with (n * q * ww + (a ^ 2 * (n * q) + q * ww) + a ^ 2 * q) by ring. lra.
Qed.

(** bms22.alg1.norm: |A^T w|^2 <= d |w|^2 for every matrix of k rows of d entries 1/sqrt(k) and -1/sqrt(k), and every
    w. *)
Theorem projection_largest_norm d k A w : (0 < k)%nat -> length A = k ->
  (forall row, In row A -> length row = d /\ is_signs (/ sqrt (INR k)) row) ->
  inner (transposed d A w) (transposed d A w) <= INR d * inner w w.
Proof.
  intros Hk L rows.
  assert (each : forall row, In row A -> length row = d /\ inner row row = INR d * / INR k).
  { intros row I. destruct (rows row I) as [Lr Sr]. split; [exact Lr|].
    now rewrite (signs_square _ _ Sr), Lr, root_square. }
  assert (Hk' : 0 < INR k) by now apply lt_0_INR.
  assert (Hq : 0 <= INR d * / INR k)
    by (apply Rmult_le_pos; [apply pos_INR | left; now apply Rinv_0_lt_compat]).
  pose proof (norm_by_rows _ d A w Hq each) as B. rewrite L in B.
  replace (INR k * (INR d * / INR k)) with (INR d) in B by (field; lra). exact B.
Qed.
