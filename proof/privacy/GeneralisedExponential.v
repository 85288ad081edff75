(** The generalised exponential mechanism (Raskhodnikova and Smith 2016).

    n scores q_i, the lower the better, of which q_i moves by at most D_i > 0 between neighbours. The mechanism with the
    one largest sensitivity would err by that for every i. This one publishes i with a probability proportional to
    e^(-epsilon s_i/2), where s_i is the largest, over j, of
    ((q_i + t D_i) - (q_j + t D_j))/(D_i + D_j), with a public t. It is (epsilon, 0)-private for every t, and for
    t >= 2 ln(n/beta)/epsilon, with probability at least 1 - beta, q_i <= q_j + 2 t D_j for every j.
    As on the page. The indices are any nonempty list.

    Claims: bms22.gem.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Composition ExponentialMechanism.
Open Scope R_scope.

(** * The largest value of a function on a nonempty list (0 on the empty one) *)

Fixpoint largest {A} (f : A -> R) (l : list A) : R :=
  match l with
  | [] => 0
  | [a] => f a
  | a :: rest => Rmax (f a) (largest f rest)
  end.
Lemma largest_above {A} (f : A -> R) l x : In x l -> f x <= largest f l.
Proof.
  induction l as [|a [|b l] IH]; intros Hx; [easy | destruct Hx as [-> | []]; simpl; lra |].
  change (largest f (a :: b :: l)) with (Rmax (f a) (largest f (b :: l))).
  destruct Hx as [-> | Hx]; [apply Rmax_l | eapply Rle_trans; [now apply IH | apply Rmax_r]].
Qed.
Lemma largest_attained {A} (f : A -> R) l : l <> [] -> exists x, In x l /\ largest f l = f x.
Proof.
  induction l as [|a [|b l] IH]; intros N; [easy | exists a; simpl; auto |].
  change (largest f (a :: b :: l)) with (Rmax (f a) (largest f (b :: l))).
  destruct (IH ltac:(easy)) as (x & Hx & E).
  destruct (Rle_dec (f a) (largest f (b :: l))) as [L | L].
  - exists x. split; [now right|]. now rewrite Rmax_right.
  - exists a. split; [now left|]. rewrite Rmax_left; lra.
Qed.
Lemma largest_moves {A} (f g : A -> R) l c : l <> [] -> (forall x, In x l -> f x <= g x + c) ->
  largest f l <= largest g l + c.
Proof.
  intros N H. destruct (largest_attained f l N) as (x & Hx & ->).
  pose proof (H x Hx). pose proof (largest_above g l x Hx). lra.
Qed.

(** * The mechanism *)

Section gem.
Context {I : Type} (indices : list I) (nonempty : indices <> []).
Variables (sensitivity : I -> R) (sensitivity_pos : forall i, 0 < sensitivity i) (t eps : R) (eps_nonneg : 0 <= eps).

(** s_i. *)
Definition normalised (score : I -> R) (i : I) : R :=
  largest (fun j => ((score i + t * sensitivity i) - (score j + t * sensitivity j)) / (sensitivity i + sensitivity j))
    indices.
(** The exponential mechanism with the utilities - s_i, which move by at most 1. *)
Definition generalised_exponential (score : I -> R) : law I :=
  exponential indices nonempty eps 1 (fun i => - normalised score i).

(** The probability of i is proportional to e^(-eps s_i/2). *)
Lemma generalised_exponential_weight score i :
  weight eps 1 (fun i => - normalised score i) i = exp (- eps * normalised score i / 2).
Proof. unfold weight. f_equal. field. Qed.

(** If every score moves by at most its sensitivity, every s_i moves by at most 1. *)
Lemma normalised_moves score score' i :
  (forall j, In j indices -> Rabs (score j - score' j) <= sensitivity j) -> In i indices ->
  normalised score i <= normalised score' i + 1.
Proof.
  intros H Hi. apply largest_moves; auto. intros j Hj.
  pose proof (sensitivity_pos i). pose proof (sensitivity_pos j).
  pose proof (Rle_abs (score i - score' i)). pose proof (H i Hi).
  pose proof (Rle_abs (score' j - score j)). pose proof (H j Hj). rewrite (Rabs_minus_sym (score j)) in *.
  apply Rmult_le_reg_r with (sensitivity i + sensitivity j); [lra|].
  unfold Rdiv. rewrite Rmult_plus_distr_r, !Rmult_assoc, Rinv_l by lra. lra.
Qed.

(** bms22.gem: if score i moves by at most sensitivity i between neighbours, to publish i with probability proportional
    to e^(-eps s_i/2) is (eps, 0)-private, for every t. *)
Theorem generalised_exponential_dp {Data} (neighbours : Data -> Data -> Prop) (score : Data -> I -> R) :
  (forall x y, neighbours x y -> forall i, In i indices -> Rabs (score x i - score y i) <= sensitivity i) ->
  dp neighbours eps 0 (fun x => generalised_exponential (score x)).
Proof.
  intros H x y A. apply exponential_dp_in; auto using Rlt_0_1. intros i Hi.
  assert (S : forall j, In j indices -> Rabs (score x j - score y j) <= sensitivity j) by auto.
  assert (S' : forall j, In j indices -> Rabs (score y j - score x j) <= sensitivity j)
    by (intros; rewrite Rabs_minus_sym; auto).
  pose proof (normalised_moves _ _ i S Hi). pose proof (normalised_moves _ _ i S' Hi).
  apply Rabs_le. lra.
Qed.

(** Some s_i is at most 0: that of the least q_i + t D_i. *)
Lemma some_normalised_is_0 score : exists i, In i indices /\ normalised score i <= 0.
Proof.
  destruct (largest_attained (fun i => - (score i + t * sensitivity i)) indices nonempty) as (i & Hi & E).
  exists i. split; auto. unfold normalised.
  match goal with |- largest ?f _ <= 0 => destruct (largest_attained f indices nonempty) as (j & Hj & ->) end.
  pose proof (largest_above (fun i => - (score i + t * sensitivity i)) indices j Hj) as L. rewrite E in L.
  pose proof (sensitivity_pos i). pose proof (sensitivity_pos j).
  apply Rmult_le_reg_r with (sensitivity i + sensitivity j); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(** If s_i is at most t, score i is at most that of j and 2 t times the sensitivity of j. *)
Lemma normalised_small score i j : In j indices -> normalised score i <= t ->
  score i <= score j + 2 * t * sensitivity j.
Proof.
  intros Hj H.
  pose proof (largest_above (fun j => ((score i + t * sensitivity i) - (score j + t * sensitivity j)) /
    (sensitivity i + sensitivity j)) indices j Hj) as L. fold (normalised score i) in L. cbv beta in L.
  pose proof (sensitivity_pos i). pose proof (sensitivity_pos j).
  apply Rle_trans with (r3 := t) in L; auto.
  apply (Rmult_le_compat_r (sensitivity i + sensitivity j)) in L; [|lra].
  unfold Rdiv in L. rewrite Rmult_assoc, Rinv_l in L by lra. lra.
Qed.

(** q_i <= q_j + 2 t D_j for every j; the two cases are decided by looking at the finitely many j. *)
Definition good (score : I -> R) (i : I) := forall j, In j indices -> score i <= score j + 2 * t * sensitivity j.
Lemma good_dec score i : {good score i} + {~ good score i}.
Proof.
  unfold good. assert (G : forall l, {forall j, In j l -> score i <= score j + 2 * t * sensitivity j} +
    {~ forall j, In j l -> score i <= score j + 2 * t * sensitivity j}).
  { induction l as [|a l [IH | IH]]; [left; easy | |].
    - destruct (Rle_dec (score i) (score a + 2 * t * sensitivity a)) as [L | L].
      + left. intros j [<- | Hj]; auto.
      + right. intros H. apply L, H. now left.
    - right. intros H. apply IH. intros j Hj. apply H. now right. }
  apply G.
Qed.

(** bms22.gem: for t >= 2 ln(n/beta)/eps, with probability at least 1 - beta, q_i <= q_j + 2 t D_j for every j. *)
Theorem generalised_exponential_utility score beta : 0 < eps -> 0 < beta ->
  2 * ln (INR (length indices) / beta) / eps <= t ->
  1 - beta <= generalised_exponential score (fun i => if good_dec score i then 1 else 0).
Proof.
  intros He Hb Ht. set (M := generalised_exponential score).
  set (u := fun i => - normalised score i).
  destruct (some_normalised_is_0 score) as (best & Hbest & B).
  pose proof (exponential_utility indices nonempty eps 1 u best beta He Rlt_0_1 Hb Hbest) as U. cbv zeta in U.
  set (low := u best - 2 * 1 / eps * ln (INR (length indices) / beta)) in U.
  change (exponential indices nonempty eps 1 u) with M in U.
  (* An index that is not good has s_i > t, and so a low utility. *)
  assert (Bad : forall i, ~ good score i -> u i <= low).
  { intros i N. assert (t < normalised score i).
    { apply Rnot_le_lt. intros L. apply N. intros j Hj. now apply normalised_small. }
    replace (2 * ln (INR (length indices) / beta) / eps) with (2 * 1 / eps * ln (INR (length indices) / beta)) in Ht
      by (field; lra).
    unfold low, u. lra. }
  set (g := fun i => if good_dec score i then 1 else 0). set (b := fun i => if Rle_dec (u i) low then 1 else 0) in U.
  assert (Tg : test g) by (intros i; unfold g; destruct (good_dec score i); lra).
  assert (Tb : test b) by (intros i; unfold b; destruct (Rle_dec (u i) low); lra).
  assert (S : 1 <= M (fun i => g i + b i)).
  { rewrite <- (E_one M). apply E_mono; auto using bounded_const, bounded_plus, test_bounded.
    intros i. unfold g, b. destruct (good_dec score i), (Rle_dec (u i) low); try lra. exfalso. auto. }
  rewrite E_plus in S by auto using test_bounded. lra.
Qed.
End gem.

(** bms22.gem: at the least such t, with probability at least 1 - beta, q_i <= q_j + 4 D_j ln(n/beta)/eps for every j.
    Stated for every function that is 1 where this holds for all j, and between 0 and 1 elsewhere. *)
Corollary generalised_exponential_utility_least {I} (indices : list I) nonempty sensitivity eps score beta
    (f : I -> R) : (forall i, 0 < sensitivity i) -> 0 < eps -> 0 < beta -> test f ->
  let n := INR (length indices) in
  (forall i, (forall j, In j indices -> score i <= score j + 4 * sensitivity j * ln (n / beta) / eps) -> f i = 1) ->
  let t := 2 * ln (n / beta) / eps in
  1 - beta <= generalised_exponential indices nonempty sensitivity t eps score f.
Proof.
  intros Hs He Hb Hf n H t.
  eapply Rle_trans; [apply (generalised_exponential_utility indices nonempty sensitivity Hs t eps score beta); auto;
    apply Rle_refl|].
  apply E_mono; [|now apply test_bounded|].
  - apply test_bounded. intros i. destruct (good_dec indices sensitivity t score i); lra.
  - intros i. destruct (good_dec indices sensitivity t score i) as [G | _]; [|apply Hf].
    rewrite H; [lra|]. intros j Hj. specialize (G j Hj). unfold t in G.
    replace (4 * sensitivity j * ln (n / beta) / eps) with (2 * (2 * ln (n / beta) / eps) * sensitivity j)
      by (field; lra). auto.
Qed.
