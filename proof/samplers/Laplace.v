(** The law of [laplace]: k with probability (1 - q)/(1 + q) q^|k|, q = e^(-1/scale).

    An attempt draws a fair sign and a geometric magnitude of rate 1/scale, and rejects -0: it gives k with probability
    (1 - q)/2 q^|k|, and is accepted with probability (1 + q)/2.

    As on the page: all rational scales > 0, in lowest terms or not.

    Claims: sample.discrete-laplace.
*)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Samplers Laws BernoulliExp Geometric.
Open Scope R_scope.

(** h at -k, for k > 0: what the minus sign adds. *)
Definition mirrored (h : Z -> R) (k : Z) : R := if (k =? 0)%Z then 0 else h (- k)%Z.

Section laplace.
Variables (p q : Z) (Hp : (0 < p)%Z) (Hq : (0 < q)%Z).   (* scale = p/q *)

Let magnitude := geometric_mass q p.

(** e^(-1/scale) *)
Definition laplace_ratio : R := decay p q.

Lemma laplace_ratio01 : 0 < laplace_ratio < 1.
Proof. split; [apply decay_pos | now apply decay_lt1]. Qed.

Lemma magnitude_0 : magnitude 0 = 1 - laplace_ratio.
Proof. unfold magnitude, geometric_mass, laplace_ratio. rewrite Z.mul_0_r, decay_0 by auto. lra. Qed.

Lemma magnitude_nonneg k : 0 <= magnitude k.
Proof. now apply geometric_mass_nonneg. Qed.

(** The expected value of f on the law, as far as |k| < K. *)
Definition EL (K : nat) (f : Z -> R) : R := sumn K (fun k => magnitude k * (f k + mirrored f k)) / (1 + laplace_ratio).

(** The probability of k. *)
Definition laplace_mass (k : Z) : R := (1 - laplace_ratio) / (1 + laplace_ratio) * decay p (q * Z.abs k).

(** The probability that an attempt is accepted. *)
Definition laplace_acceptance : R := (1 + laplace_ratio) / 2.

Lemma laplace_acceptance_bounds : / 2 <= laplace_acceptance <= 1.
Proof. pose proof laplace_ratio01. unfold laplace_acceptance. lra. Qed.

Lemma laplace_attempt_below F : exists K0, forall K, (K0 <= K)%nat -> forall g, (forall o, 0 <= g o) ->
  expect (laplace_attempt F p q) g <=
  laplace_acceptance * EL K (fun x => g (Some x)) + (1 - laplace_acceptance) * g None.
Proof.
  destruct (geometric_below q p Hq Hp F) as [K0 HK].
  exists (S K0). intros K HK' g Hg. specialize (HK K ltac:(lia)).
  unfold laplace_attempt, coin. cbn [bind expect andb]. rewrite !expect_bind. cbn [expect].
  pose proof (HK (fun m => g (Some m)) (fun m => Hg _)) as plus.
  pose proof (HK (fun m => g (if (m =? 0)%Z then None else Some (- m)%Z)) (fun m => Hg _)) as minus.
  fold magnitude in plus, minus.
  set (h := fun x => g (Some x)) in *.
  rewrite (sumn_ext K _ (fun k => magnitude k * mirrored h k + g None * (magnitude k * is 0 k))) in minus.
  2:{ intros k _. unfold mirrored, is, h. destruct (Z.eqb_spec k 0), (Z.eq_dec k 0); try lia; lra. }
  rewrite sumn_plus, sumn_scal, sumn_is, magnitude_0 in minus by lia.
  assert (accepted : laplace_acceptance * EL K h =
    (sumn K (fun k => magnitude k * h k) + sumn K (fun k => magnitude k * mirrored h k)) / 2).
  { unfold EL, laplace_acceptance. rewrite <- sumn_plus.
    rewrite (sumn_ext K (fun i => magnitude i * h i + magnitude i * mirrored h i)
                        (fun k => magnitude k * (h k + mirrored h k))) by (intros; lra).
    pose proof laplace_ratio01. field. lra. }
  rewrite accepted. change (fun k => magnitude k * g (Some k)) with (fun k => magnitude k * h k) in plus.
  unfold laplace_acceptance. lra.
Qed.

Lemma laplace_attempt_undecided F : undecided (laplace_attempt F p q) = undecided (geometric F q p).
Proof. unfold laplace_attempt, coin, undecided. cbn [bind expect]. rewrite !expect_bind. cbn [expect]. lra. Qed.

Lemma EL_le K f g : (forall x, f x <= g x) -> EL K f <= EL K g.
Proof.
  intros H. unfold EL. pose proof laplace_ratio01. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  apply sumn_le. intros i _. apply Rmult_le_compat_l; [apply magnitude_nonneg|].
  unfold mirrored. pose proof (H i). pose proof (H (- i)%Z). destruct (i =? 0)%Z; lra.
Qed.

Lemma EL_lin K c d f g : EL K (fun x => c * f x + d * g x) = c * EL K f + d * EL K g.
Proof.
  unfold EL. rewrite (sumn_ext K _
    (fun k => c * (magnitude k * (f k + mirrored f k)) + d * (magnitude k * (g k + mirrored g k)))).
  - rewrite sumn_plus, !sumn_scal. lra.
  - intros k _. unfold mirrored. destruct (k =? 0)%Z; lra.
Qed.

Lemma EL_ext K f g : (forall x, f x = g x) -> EL K f = EL K g.
Proof. intros H. apply Rle_antisym; apply EL_le; intros; rewrite H; lra. Qed.

Lemma EL_0 K : EL K (fun _ => 0) = 0.
Proof. rewrite (EL_ext K _ (fun _ => 0 * 0 + 0 * 0)), EL_lin by (intros; lra). lra. Qed.

Lemma EL_pos K f : (forall x, 0 <= f x) -> 0 <= EL K f.
Proof. intros H. rewrite <- (EL_0 K). now apply EL_le. Qed.

Lemma EL_1 K : EL K (fun _ => 1) <= 1.
Proof.
  pose proof laplace_ratio01. destruct K; [unfold EL; simpl; lra|]. unfold EL.
  rewrite (sumn_ext _ _ (fun k => 2 * magnitude k + (-1) * (magnitude k * is 0 k))).
  2:{ intros k _. unfold mirrored, is. destruct (Z.eqb_spec k 0), (Z.eq_dec k 0); try lia; lra. }
  rewrite sumn_plus, !sumn_scal, sumn_is, magnitude_0 by lia. unfold magnitude. rewrite geometric_mass_sum by auto.
  pose proof (decay_pos p (q * Z.of_nat (S K))).
  apply Rmult_le_reg_r with (1 + laplace_ratio); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma EL_const_le K c : 0 <= c -> EL K (fun _ => c) <= c.
Proof.
  intros Hc. rewrite (EL_ext K _ (fun _ => c * 1 + 0 * 0)), (EL_lin K c 0 (fun _ => 1)) by (intros; lra).
  pose proof (EL_1 K). nra.
Qed.

Lemma EL_is K k : (Z.abs k < Z.of_nat K)%Z -> EL K (is k) = laplace_mass k.
Proof.
  intros H. pose proof laplace_ratio01. unfold EL. rewrite (sumn_ext K _ (fun x => magnitude x * is (Z.abs k) x)).
  - rewrite sumn_is by lia. unfold laplace_mass, magnitude, geometric_mass, laplace_ratio.
    field. unfold laplace_ratio in *. lra.
  - intros x Hx. unfold mirrored, is.
    destruct (Z.eqb_spec x 0), (Z.eq_dec x k), (Z.eq_dec (-x) k), (Z.eq_dec x (Z.abs k)); try lia; lra.
Qed.

Lemma laplace_below F : exists K0, forall K, (K0 <= K)%nat -> forall f, (forall x, 0 <= f x) ->
  expect (laplace F p q) f <= EL K f.
Proof.
  destruct (laplace_attempt_below F) as [K0 HK]. exists K0. intros K H f Hf. unfold laplace.
  apply attempts_below with (a := laplace_acceptance); auto; [pose proof laplace_acceptance_bounds; lra | apply EL_pos].
Qed.

(** Under any fuel an attempt is rejected with probability at most (1 - e)/2,
    e = e^(-1/scale). *)
Lemma laplace_rejected F : expect (laplace_attempt F p q) rejected <= 1 - laplace_acceptance.
Proof.
  destruct (laplace_attempt_below F) as [K0 HK].
  eapply Rle_trans; [apply (HK K0 (Nat.le_refl _)); intros []; simpl; lra|].
  simpl rejected. rewrite EL_0. lra.
Qed.

Lemma laplace_undecided_aux F : undecided (laplace F p q) <= 61 * (2 / 3) ^ F.
Proof.
  pose proof laplace_acceptance_bounds as A. set (a := laplace_acceptance) in *.
  assert (H : undecided (laplace F p q) <= (1 - a) ^ F + 30 * (2 / 3) ^ F / a).
  { apply attempts_undecided; [lra | | apply laplace_rejected].
    rewrite laplace_attempt_undecided. now apply geometric_undecided. }
  assert ((1 - a) ^ F <= (2 / 3) ^ F) by (apply pow_incr; lra).
  assert (0 < (2 / 3) ^ F) by (apply pow_lt; lra).
  assert (/ a <= 2) by (replace 2 with (/ / 2) by lra; apply Rinv_le_contravar; lra).
  unfold Rdiv in *. nra.
Qed.
End laplace.

(** sample.discrete-laplace: with fuel F, what is undecided is at most 61 (2/3)^F, whatever the scale. *)
Theorem laplace_undecided p q F : (0 < p)%Z -> (0 < q)%Z -> undecided (laplace F p q) <= 61 * (2 / 3) ^ F.
Proof. intros Hp Hq. now apply laplace_undecided_aux. Qed.

Lemma laplace_decided p q : (0 < p)%Z -> (0 < q)%Z -> decided (fun F => laplace F p q).
Proof.
  intros Hp Hq. apply decided_rate with (c := 61) (r := 2 / 3); [lra|]. intros F. now apply laplace_undecided.
Qed.

Lemma laplace_mass_is p q k : (0 < p)%Z -> (0 < q)%Z -> let scale := IZR p / IZR q in
  laplace_mass p q k = (1 - exp (- / scale)) / (1 + exp (- / scale)) * exp (- IZR (Z.abs k) / scale).
Proof.
  intros Hp Hq scale. assert (0 < IZR p) by (apply IZR_lt; lia). assert (0 < IZR q) by (apply IZR_lt; lia).
  unfold laplace_mass, laplace_ratio, decay. replace (/ scale) with (IZR q / IZR p) by (unfold scale; field; lra).
  f_equal. f_equal. unfold scale. rewrite mult_IZR. field. lra.
Qed.

(** sample.discrete-laplace: for every rational scale = p/q > 0, with e = e^(-1/scale), the sampler gives k with
    probability (1 - e)/(1 + e) e^(-|k|/scale). *)
Theorem discrete_laplace_law (p q : Z) : (0 < p)%Z -> (0 < q)%Z ->
  let scale := IZR p / IZR q in
  has_law Z.eq_dec (fun fuel => laplace fuel p q)
    (fun k => (1 - exp (- / scale)) / (1 + exp (- / scale)) * exp (- IZR (Z.abs k) / scale)).
Proof.
  intros Hp Hq scale. apply has_law_ext with (probability := laplace_mass p q); [intros; now apply laplace_mass_is|].
  apply has_law_of_bounds; [now apply laplace_decided | |]; intros F k;
    destruct (laplace_below p q Hp Hq F) as [K0 HK]; set (K := (K0 + Z.to_nat (Z.abs k) + 1)%nat);
    specialize (HK K ltac:(lia)); pose proof (EL_is p q Hp Hq K k ltac:(lia)) as mass_k.
  - rewrite <- mass_k. apply HK. intros; apply equals_bounds.
  - eapply Rle_trans; [apply HK; intros x; pose proof (equals_bounds Z.eq_dec k x); lra|].
    change (equals Z.eq_dec k) with (is k).
    rewrite (EL_ext p q Hp Hq K _ (fun x => 1 * 1 + (-1) * is k x)), (EL_lin p q K 1 (-1) (fun _ => 1)), mass_k
      by (intros; lra).
    pose proof (EL_1 p q Hp Hq K). lra.
Qed.
