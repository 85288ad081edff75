(* The discrete Laplace law, one attempt and the loop. *)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Samplers Laws BernoulliExp Geometric.
Open Scope R_scope.

Lemma attempts_decided {A} (t : nat -> tree (option A)) a : 0 < a <= 1 -> decided t ->
  (forall F, expect (t F) (fun o => match o with Some _ => 0 | None => 1 end) <= 1 - a) -> decided (fun F => attempts F (t F)).
Proof.
  intros Ha D Hn.
  assert (CV : Un_cv (fun F => (1 - a) ^ F + undecided (t F) * / a) 0).
  { replace 0 with (0 + 0 * / a) by lra. apply CV_plus; [apply pow_cv; lra|]. apply CV_mult; [exact D|].
    intros e He. exists O. intros. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0; auto. }
  intros eps He. destruct (CV eps He) as [N HN]. exists N. intros n Hn'. specialize (HN n Hn').
  pose proof (attempts_und (t n) a (undecided (t n)) Ha (Rle_refl _) (Hn n) n) as U. unfold Rdiv in U.
  pose proof (undecided_bounds (attempts n (t n))). unfold R_dist in *. rewrite Rminus_0_r in *. rewrite Rabs_pos_eq by lra. apply Rabs_def2 in HN. lra.
Qed.
(* A lower bound for every outcome and total 1 give the law. *)
Lemma squeeze {A} (s : nat -> tree A) f v : decided s -> (forall F, expect (s F) f <= v <= expect (s F) f + undecided (s F)) -> Un_cv (fun F => expect (s F) f) v.
Proof.
  intros D S eps He. destruct (D eps He) as [N HN]. exists N. intros n Hn. specialize (HN n Hn). specialize (S n).
  pose proof (undecided_bounds (s n)). unfold R_dist in *. rewrite Rminus_0_r, Rabs_pos_eq in HN by lra. apply Rabs_def1; lra.
Qed.

Section lap.
Variables (p q : Z) (Hp : (0 < p)%Z) (Hq : (0 < q)%Z).   (* scale = p/q *)
Let pm := pgeo q p.
Definition qq : R := om p q.
Lemma qq01 : 0 < qq < 1. Proof. split; [apply om_pos | now apply om_lt1]. Qed.
Lemma pm_0 : pm 0 = 1 - qq.
Proof. unfold pm, pgeo, qq. rewrite Z.mul_0_r, om_0 by auto. lra. Qed.
Definition other (h : Z -> R) (k : Z) : R := if (k =? 0)%Z then 0 else h (- k)%Z.
Definition EL (K : nat) (f : Z -> R) : R := sumn K (fun k => pm k * (f k + other f k)) / (1 + qq).
Let a := (1 + qq) / 2.
Lemma a01 : 0 < a <= 1. Proof. pose proof qq01. unfold a. lra. Qed.

Lemma laplace_attempt_below F : exists K0, forall K, (K0 <= K)%nat -> forall g, (forall o, 0 <= g o) ->
  expect (laplace_attempt F p q) g <= a * EL K (fun x => g (Some x)) + (1 - a) * g None.
Proof.
  destruct (geometric_below q p Hq Hp F) as [K0 HK]. exists (S K0). intros K HK' g Hg. specialize (HK K ltac:(lia)).
  unfold laplace_attempt, coin. cbn [bind expect andb]. rewrite !expect_bind. cbn [expect].
  pose proof (HK (fun m => g (Some m)) (fun m => Hg _)) as A.
  pose proof (HK (fun m => g (if (m =? 0)%Z then None else Some (- m)%Z)) (fun m => Hg _)) as B. fold pm in A, B.
  rewrite (sumn_ext K _ (fun k => pm k * other (fun x => g (Some x)) k + g None * (pm k * is 0 k))) in B.
  2:{ intros k _. unfold other, is. destruct (Z.eqb_spec k 0), (Z.eq_dec k 0); try lia; lra. }
  rewrite sumn_plus, sumn_scal, sumn_is, pm_0 in B by lia.
  assert (Q : a * EL K (fun x => g (Some x)) = (sumn K (fun k => pm k * g (Some k)) + sumn K (fun k => pm k * other (fun x => g (Some x)) k)) / 2).
  { unfold EL, a. rewrite <- sumn_plus. rewrite (sumn_ext K (fun i => pm i * g (Some i) + pm i * other (fun x => g (Some x)) i) (fun k => pm k * (g (Some k) + other (fun x => g (Some x)) k))) by (intros; lra). pose proof qq01. field. lra. }
  rewrite Q. unfold a. lra.
Qed.
Lemma laplace_attempt_und F : undecided (laplace_attempt F p q) = undecided (geometric F q p).
Proof.
  unfold laplace_attempt, coin, undecided. cbn [bind expect]. rewrite !expect_bind. cbn [expect]. lra.
Qed.
Lemma EL_pos K f : (forall x, 0 <= f x) -> 0 <= EL K f.
Proof.
  intros Hf. unfold EL. pose proof qq01. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
  apply sumn_ge0. intros i _. apply Rmult_le_pos; [now apply pgeo_pos|]. unfold other. pose proof (Hf i). pose proof (Hf (- i)%Z). destruct (i =? 0)%Z; lra.
Qed.
Lemma EL_le K f g : (forall x, f x <= g x) -> EL K f <= EL K g.
Proof.
  intros H. unfold EL. pose proof qq01. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  apply sumn_le. intros i _. apply Rmult_le_compat_l; [now apply pgeo_pos|]. unfold other. pose proof (H i). pose proof (H (- i)%Z). destruct (i =? 0)%Z; lra.
Qed.
Lemma EL_lin K c d f g : EL K (fun x => c * f x + d * g x) = c * EL K f + d * EL K g.
Proof.
  unfold EL. rewrite (sumn_ext K _ (fun k => c * (pm k * (f k + other f k)) + d * (pm k * (g k + other g k)))).
  - rewrite sumn_plus, !sumn_scal. lra.
  - intros k _. unfold other. destruct (k =? 0)%Z; lra.
Qed.
Lemma EL_ext K f g : (forall x, f x = g x) -> EL K f = EL K g.
Proof. intros H. apply Rle_antisym; apply EL_le; intros; rewrite H; lra. Qed.
Lemma EL_1 K : EL K (fun _ => 1) <= 1.
Proof.
  pose proof qq01. destruct K; [unfold EL; simpl; lra|]. unfold EL.
  rewrite (sumn_ext _ _ (fun k => 2 * pm k + (-1) * (pm k * is 0 k))).
  2:{ intros k _. unfold other, is. destruct (Z.eqb_spec k 0), (Z.eq_dec k 0); try lia; lra. }
  rewrite sumn_plus, !sumn_scal, sumn_is, pm_0 by lia. unfold pm. rewrite pgeo_sum by auto.
  pose proof (om_pos p (q * Z.of_nat (S K))). apply Rmult_le_reg_r with (1 + qq); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Definition plap (k : Z) : R := (1 - qq) / (1 + qq) * om p (q * Z.abs k).
Lemma EL_is K k g : (Z.abs k < Z.of_nat K)%Z -> EL K (fun x => g x * is k x) = plap k * g k.
Proof.
  intros H. pose proof qq01. unfold EL. rewrite (sumn_ext K _ (fun x => (pm x * g k) * is (Z.abs k) x)).
  - rewrite sumn_is by lia. unfold plap, pm, pgeo, qq. field. unfold qq in *. lra.
  - intros x Hx. unfold other, is. destruct (Z.eqb_spec x 0), (Z.eq_dec x k), (Z.eq_dec (-x) k), (Z.eq_dec x (Z.abs k)); subst; try lia; try lra.
    all: try (replace (Z.abs k) with (-k)%Z in * by lia); try lra.
    all: replace k with (- x)%Z by lia; lra.
Qed.
Lemma laplace_below F : exists K0, forall K, (K0 <= K)%nat -> forall f, (forall x, 0 <= f x) -> expect (laplace F p q) f <= EL K f.
Proof.
  destruct (laplace_attempt_below F) as [K0 HK]. exists K0. intros K H f Hf. unfold laplace.
  apply attempts_below with (a := a); auto; [pose proof a01; lra | apply EL_pos].
Qed.
Lemma laplace_decided : decided (fun F => laplace F p q).
Proof.
  unfold laplace. apply attempts_decided with (a := a) (t := fun F => laplace_attempt F p q); [apply a01| |].
  - intros eps He. destruct (geometric_decided q p Hp eps He) as [N HN]. exists N. intros n Hn. rewrite laplace_attempt_und. now apply HN.
  - intros F. destruct (laplace_attempt_below F) as [K0 HK]. eapply Rle_trans; [apply (HK K0 (Nat.le_refl _)); intros []; lra|]. cbv beta iota.
    rewrite (EL_ext K0 _ (fun x => 0 * 0 + 0 * 0)), EL_lin by (intros; lra). lra.
Qed.
(* claim sample.discrete-laplace *)
Theorem discrete_laplace_law k :
  (forall F, expect (laplace F p q) (is k) <= plap k <= expect (laplace F p q) (is k) + undecided (laplace F p q)) /\
  Un_cv (fun F => expect (laplace F p q) (is k)) (plap k).
Proof.
  assert (I : forall x, 0 <= is k x <= 1) by (intros; unfold is; destruct (Z.eq_dec x k); lra).
  assert (S : forall F, expect (laplace F p q) (is k) <= plap k <= expect (laplace F p q) (is k) + undecided (laplace F p q)).
  { intros F. destruct (laplace_below F) as [K0 HK]. set (K := (K0 + Z.to_nat (Z.abs k) + 1)%nat). specialize (HK K ltac:(lia)).
    pose proof (EL_is K k (fun _ => 1) ltac:(lia)) as P. rewrite (EL_ext K _ (is k)) in P by (intros; lra). rewrite Rmult_1_r in P. split.
    - rewrite <- P. apply HK. apply I.
    - pose proof (HK (fun x => 1 - is k x) ltac:(intros x; specialize (I x); lra)) as H. rewrite (expect_minus _ (fun _ => 1)) in H.
      rewrite (EL_ext K _ (fun x => 1 * 1 + (-1) * is k x)), (EL_lin K 1 (-1) (fun _ => 1)), P in H by (intros; lra). pose proof (EL_1 K). unfold undecided. lra. }
  split; auto. apply squeeze; auto. apply laplace_decided.
Qed.
End lap.
Lemma plap_is p q k : (0 < p)%Z -> (0 < q)%Z -> let e := exp (- (IZR q / IZR p)) in
  plap p q k = (1 - e) / (1 + e) * exp (- (IZR q / IZR p) * IZR (Z.abs k)).
Proof. intros H H' e. unfold plap, qq, om. f_equal. f_equal. rewrite mult_IZR. field. apply not_0_IZR; lia. Qed.
