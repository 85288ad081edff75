(** One explored attempt bounds the whole rejection loop.

    An attempt of a rejection sampler gives outcomes and a rejection with some probabilities; what is missing to 1 is
    the probability that it never ends. An exploration knows lower bounds: of finitely many outcomes, and of the
    rejection. With l the lower bound of the outcome k, r that of the rejection and u what is undecided, attempts
    repeated independently until one is accepted give k with a probability between l/(1-r) and (l+u)/(1-r). For all l,
    r, u >= 0 with r < 1 and l + r + u <= 1 some attempt attains the upper end, and some attempt the lower end. The last
    section says the bounds once more of programs of coins, for the loop that the samplers run.

    As on the page.

    Claims: sample.attempts.
*)
Require Import Reals Lra Lia List.
From DpAssay Require Import Trees Samplers. Import ListNotations.
Open Scope R_scope.

Section attempts.
Context {A : Type} (dec : forall x y : A, {x = y} + {x <> y}).

(** The probabilities of one attempt: of each outcome, and of the rejection. *)
Record attempt := { gives : A -> R; rejects : R }.
Definition is_attempt (t : attempt) : Prop :=
  (forall a, 0 <= gives t a) /\ 0 <= rejects t /\ forall l, NoDup l -> sumR (gives t) l + rejects t <= 1.

(** The loop gives k with probability P: the sum over n of the probability that n attempts are rejected and the next one
    gives k. *)
Definition loop_gives (t : attempt) (k : A) (P : R) : Prop := infinite_sum (fun n => rejects t ^ n * gives t k) P.

(** What an exploration knows: lower bounds of the outcomes that it has seen, and of the rejection. *)
Record exploration := { seen : list A; lower : A -> R; lower_rejected : R }.
Definition is_exploration (e : exploration) : Prop :=
  NoDup (seen e) /\ (forall a, 0 <= lower e a) /\ (forall a, ~ In a (seen e) -> lower e a = 0) /\ 0 <= lower_rejected e.
Definition undecided_mass (e : exploration) : R := 1 - sumR (lower e) (seen e) - lower_rejected e.
(** The exploration is right about the attempt. *)
Definition explores (e : exploration) (t : attempt) : Prop :=
  (forall a, lower e a <= gives t a) /\ lower_rejected e <= rejects t.

Lemma loop_probability t k : is_attempt t -> rejects t < 1 -> loop_gives t k (gives t k / (1 - rejects t)).
Proof.
  intros (_ & nonneg & _) small eps He.
  pose proof (GP_infinite (rejects t) ltac:(rewrite Rabs_pos_eq; lra)) as geometric. unfold Pser in geometric.
  assert (0 < Rabs (gives t k) + 1) by (pose proof (Rabs_pos (gives t k)); lra).
  destruct (geometric (eps / (Rabs (gives t k) + 1))) as [N HN]; [now apply Rdiv_lt_0_compat|].
  exists N. intros n Hn. specialize (HN n Hn). unfold R_dist in *.
  assert (sums : sum_f_R0 (fun i => rejects t ^ i * gives t k) n
    = gives t k * sum_f_R0 (fun i => 1 * rejects t ^ i) n).
  { clear. induction n; simpl; [lra|]. rewrite IHn. lra. }
  rewrite sums. unfold Rdiv. rewrite <- Rmult_minus_distr_l, Rabs_mult.
  apply Rle_lt_trans with ((Rabs (gives t k) + 1) * Rabs (sum_f_R0 (fun i => 1 * rejects t ^ i) n - / (1 - rejects t))).
  - apply Rmult_le_compat_r; [apply Rabs_pos | lra].
  - apply Rlt_le_trans with ((Rabs (gives t k) + 1) * (eps / (Rabs (gives t k) + 1))); [now apply Rmult_lt_compat_l|].
    apply Req_le. field. lra.
Qed.
Lemma loop_probability_unique t k P : is_attempt t -> rejects t < 1 -> loop_gives t k P ->
  P = gives t k / (1 - rejects t).
Proof. intros Ht small HP. eapply uniqueness_sum; [exact HP | now apply loop_probability]. Qed.

Definition without (k : A) (l : list A) : list A := filter (fun a => if dec a k then false else true) l.
Lemma without_absent k l : ~ In k l -> without k l = l.
Proof. induction l as [|a l IH]; simpl; intros no; auto. destruct (dec a k); [tauto|]. rewrite IH; tauto. Qed.
Lemma sum_without f k l : NoDup l -> sumR f l = (if in_dec dec k l then f k else 0) + sumR f (without k l).
Proof.
  induction 1 as [|a l new distinct IH]; [simpl; lra|]. simpl sumR at 1. rewrite IH. simpl without.
  destruct (dec a k) as [->|other].
  - rewrite without_absent by auto. destruct (in_dec dec k l), (in_dec dec k (k :: l)); simpl in *; tauto || lra.
  - simpl sumR. destruct (in_dec dec k l), (in_dec dec k (a :: l)); simpl in *; intuition (congruence || lra).
Qed.
Lemma sum_le (f g : A -> R) l : (forall a, f a <= g a) -> sumR f l <= sumR g l.
Proof. intros le. induction l; simpl; [lra|]. specialize (le a). lra. Qed.

(** The outcome k and the rejection share what is known of them and what is undecided. *)
Lemma outcome_and_rejection e t k : is_attempt t -> is_exploration e -> explores e t ->
  gives t k + rejects t <= lower e k + lower_rejected e + undecided_mass e.
Proof.
  intros (nonneg & _ & total) (distinct & _ & unseen & _) [right _].
  assert (fresh : ~ In k (without k (seen e))).
  { intros member. apply filter_In in member as [_ E]. destruct (dec k k); congruence. }
  specialize (total (k :: without k (seen e)) (NoDup_cons _ fresh (NoDup_filter _ distinct))). simpl in total.
  pose proof (sum_le (lower e) (gives t) (without k (seen e)) right).
  unfold undecided_mass. rewrite (sum_without (lower e) k (seen e) distinct).
  destruct (in_dec dec k (seen e)); [lra|]. rewrite (unseen k) by auto. lra.
Qed.

Lemma known_at_most_one e k : is_exploration e -> lower e k + lower_rejected e + undecided_mass e <= 1.
Proof.
  intros (distinct & lower_nonneg & unseen & _). unfold undecided_mass.
  rewrite (sum_without (lower e) k (seen e) distinct).
  assert (0 <= sumR (lower e) (without k (seen e))).
  { rewrite <- (Rmult_0_l (INR (length (without k (seen e))))), <- (sumR_const 0). now apply sum_le. }
  destruct (in_dec dec k (seen e)); [lra|]. rewrite (unseen k) by auto. lra.
Qed.

(** sample.attempts: with l the lower bound of k, r < 1 that of the rejection, and u what is undecided, the loop gives k
    with a probability of at least l/(1-r) and at most (l+u)/(1-r). *)
Theorem attempts_bounds e t k P : is_attempt t -> is_exploration e -> explores e t -> lower_rejected e < 1 ->
  loop_gives t k P ->
  lower e k / (1 - lower_rejected e) <= P <= (lower e k + undecided_mass e) / (1 - lower_rejected e).
Proof.
  intros Ht He right small HP. pose proof (outcome_and_rejection e t k Ht He right) as share.
  pose proof (known_at_most_one e k He) as known. pose proof Ht as (nonneg & rejects_nonneg & total).
  destruct He as (distinct & lower_nonneg & unseen & _). destruct right as [right right_rejected].
  pose proof (total [k] (NoDup_cons k (@in_nil A k) (NoDup_nil A))) as one. simpl in one.
  specialize (nonneg k). specialize (lower_nonneg k). specialize (right k).
  set (l := lower e k) in *. set (r := lower_rejected e) in *. set (u := undecided_mass e) in *.
  assert (quotient : P = 0 /\ gives t k = 0 \/ rejects t < 1 /\ P = gives t k / (1 - rejects t)).
  { destruct (Rlt_dec (rejects t) 1) as [less|].
    - right. split; auto. now apply loop_probability_unique.
    - left. assert (gives t k = 0) as none by lra. split; auto. eapply uniqueness_sum; [exact HP|].
      intros eps He. exists O. intros m _. rewrite none, (sum_eq _ (fun _ => 0)) by (intros; lra).
      rewrite sum_cte. unfold R_dist. replace (0 * INR (S m) - 0) with 0 by lra. now rewrite Rabs_R0. }
  split.
  - destruct quotient as [[-> none]|[less ->]].
    + assert (l = 0) as -> by lra. unfold Rdiv. lra.
    + apply Rmult_le_reg_r with ((1 - r) * (1 - rejects t)); [nra|].
      replace (l / (1 - r) * ((1 - r) * (1 - rejects t))) with (l * (1 - rejects t)) by (field; lra).
      replace (gives t k / (1 - rejects t) * ((1 - r) * (1 - rejects t))) with (gives t k * (1 - r)) by (field; lra).
      nra.
  - apply Rmult_le_reg_r with (1 - r); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    destruct quotient as [[-> none]|[less ->]]; [nra|].
    apply Rmult_le_reg_r with (1 - rejects t); [lra|].
    replace (gives t k / (1 - rejects t) * (1 - r) * (1 - rejects t)) with (gives t k * (1 - r)) by (field; lra).
    assert (0 <= (rejects t - r) * (1 - r - (l + u))) by (apply Rmult_le_pos; lra). nra.
Qed.

(** * Both ends are attained *)

Variables (k other : A) (different : k <> other).
(** An exploration of k, of the rejection, and of another outcome: lower bounds l, r and what is left but u. *)
Definition explored (l r u : R) : exploration :=
  {| seen := [k; other]; lower := fun a => if dec a k then l else if dec a other then 1 - l - r - u else 0;
     lower_rejected := r |}.
(** The attempt that gives what is known, and all that is undecided to k, or to the other outcome. *)
Definition all_to_k (l r u : R) : attempt :=
  {| gives := fun a => if dec a k then l + u else if dec a other then 1 - l - r - u else 0; rejects := r |}.
Definition all_to_other (l r u : R) : attempt :=
  {| gives := fun a => if dec a k then l else if dec a other then 1 - l - r else 0; rejects := r |}.

Lemma two_outcomes_are_an_attempt a b r : 0 <= a -> 0 <= b -> 0 <= r -> a + b + r <= 1 ->
  is_attempt {| gives := fun x => if dec x k then a else if dec x other then b else 0; rejects := r |}.
Proof.
  intros Ha Hb Hr one. repeat split; simpl; auto.
  - intros x. destruct (dec x k); [lra|]. destruct (dec x other); lra.
  - intros l distinct. pose proof (NoDup_filter (fun a => if dec a k then false else true) distinct) as distinct'.
    rewrite (sum_without _ k l distinct). rewrite (sum_without _ other (without k l)) by exact distinct'.
    assert (rest : forall x, In x (without other (without k l)) -> x <> k /\ x <> other).
    { intros x member. apply filter_In in member as [member E]. apply filter_In in member as [_ E'].
      destruct (dec x k), (dec x other); try discriminate; auto. }
    assert (nothing : sumR (fun x => if dec x k then a else if dec x other then b else 0)
      (without other (without k l)) = 0).
    { revert rest. generalize (without other (without k l)). clear.
      induction l as [|x l IH]; simpl; intros rest; [lra|].
      rewrite IH by auto. specialize (rest x (or_introl eq_refl)).
      destruct (dec x k), (dec x other); try tauto; lra. }
    rewrite nothing. destruct (dec k k) as [_|]; [|congruence]. destruct (dec other k) as [|_]; [congruence|].
    destruct (dec other other) as [_|]; [|congruence].
    destruct (in_dec dec k l), (in_dec dec other (without k l)); lra.
Qed.
Lemma explored_is_exploration l r u : 0 <= l -> 0 <= r -> 0 <= u -> l + r + u <= 1 ->
  is_exploration (explored l r u) /\ undecided_mass (explored l r u) = u /\ lower (explored l r u) k = l.
Proof.
  intros Hl Hr Hu one. unfold is_exploration, undecided_mass. simpl.
  destruct (dec k k) as [_|]; [|congruence]. destruct (dec other k) as [|_]; [congruence|].
  destruct (dec other other) as [_|]; [|congruence]. repeat split; try lra.
  - constructor; [simpl; intuition congruence|]. constructor; [tauto | constructor].
  - intros a. destruct (dec a k); [lra|]. destruct (dec a other); lra.
  - intros a new. destruct (dec a k); [subst; tauto|]. destruct (dec a other); [subst; tauto | lra].
Qed.

(** sample.attempts: for all l, r, u >= 0 with r < 1 and l + r + u <= 1, some exploration has these, some attempt that
    it is right about attains the upper end, and some attempt the lower end. *)
Theorem attempts_attained l r u : 0 <= l -> 0 <= r -> 0 <= u -> r < 1 -> l + r + u <= 1 ->
  exists e, is_exploration e /\ lower e k = l /\ lower_rejected e = r /\ undecided_mass e = u
    /\ (exists t, is_attempt t /\ explores e t /\ loop_gives t k ((l + u) / (1 - r)))
    /\ (exists t, is_attempt t /\ explores e t /\ loop_gives t k (l / (1 - r))).
Proof.
  intros Hl Hr Hu small one. exists (explored l r u).
  destruct (explored_is_exploration l r u Hl Hr Hu one) as (He & left & known). repeat split; auto; try apply He.
  - exists (all_to_k l r u).
    assert (Ht : is_attempt (all_to_k l r u)) by (apply two_outcomes_are_an_attempt; lra).
    split; [exact Ht|]. split.
    + split; simpl; [|lra]. intros a. destruct (dec a k); [lra|]. destruct (dec a other); lra.
    + pose proof (loop_probability (all_to_k l r u) k Ht small) as loop. simpl in loop.
      destruct (dec k k); [exact loop | congruence].
  - exists (all_to_other l r u).
    assert (Ht : is_attempt (all_to_other l r u)) by (apply two_outcomes_are_an_attempt; lra).
    split; [exact Ht|]. split.
    + split; simpl; [|lra]. intros a. destruct (dec a k); [lra|]. destruct (dec a other); lra.
    + pose proof (loop_probability (all_to_other l r u) k Ht small) as loop. simpl in loop.
      destruct (dec k k); [exact loop | congruence].
Qed.
End attempts.

(** * Programs of coins *)

(** A tree of coins, explored, knows of the attempt what it gives to every test. If every attempt of the loop gives at
    least as much, then the loop within n attempts gives k at most (l+u)/(1-r), and at least l (1 - r^n)/(1-r), where l
    and r are what the explored tree gives to k and to the rejection, and u is what it leaves undecided. *)
Section coins.
Context {A : Type} (dec : forall x y : A, {x = y} + {x <> y}) (k : A).
Variables (known attempt : tree (option A)).
Hypothesis more : forall test, (forall o, 0 <= test o) -> expect known test <= expect attempt test.
Let at_k (o : option A) : R := match o with Some x => if dec x k then 1 else 0 | None => 0 end.
Let rejected (o : option A) : R := match o with Some _ => 0 | None => 1 end.
Let l := expect known at_k.
Let r := expect known rejected.
Let u := undecided known.

(** sample.attempts: of the loop of a program, cut off after n attempts. *)
Theorem attempts_bounds_of_programs n : r < 1 ->
  l * (1 - r ^ n) / (1 - r) <= expect (attempts n attempt) (fun x => if dec x k then 1 else 0) <= (l + u) / (1 - r).
Proof.
  intros small.
  assert (at_k_range : forall o, 0 <= at_k o <= 1) by (intros [x|]; simpl; [destruct (dec x k)|]; lra).
  assert (rejected_range : forall o, 0 <= rejected o <= 1) by (intros [x|]; simpl; lra).
  assert (Hl : l <= expect attempt at_k) by (apply more; apply at_k_range).
  assert (Hr : r <= expect attempt rejected) by (apply more; apply rejected_range).
  assert (l_nonneg : 0 <= l) by (apply expect_ge0; apply at_k_range).
  assert (r_nonneg : 0 <= r) by (apply expect_ge0; apply rejected_range).
  assert (rest : expect known (fun o => 1 - at_k o - rejected o) <= expect attempt (fun o => 1 - at_k o - rejected o)).
  { apply more. intros [x|]; simpl; [destruct (dec x k)|]; lra. }
  assert (parts : forall t, expect t (fun o => 1 - at_k o - rejected o)
    = expect t (fun _ => 1) - expect t at_k - expect t rejected).
  { intros t. rewrite (expect_minus t (fun o => 1 - at_k o)), (expect_minus t (fun _ => 1)). reflexivity. }
  rewrite !parts in rest. fold l r in rest.
  pose proof (expect_one attempt) as total. pose proof (undecided_bounds known) as u_range. fold u in u_range.
  assert (u_is : expect known (fun _ => 1) = 1 - u) by (unfold u, undecided; lra). rewrite u_is in rest.
  assert (known_total : l + r <= 1 - u).
  { rewrite <- u_is. unfold l, r. rewrite <- expect_plus. apply expect_le.
    intros [x|]; simpl; [destruct (dec x k)|]; lra. }
  set (g := expect attempt at_k) in *. set (rho := expect attempt rejected) in *.
  assert (step : forall m, expect (attempts (S m) attempt) (fun x => if dec x k then 1 else 0)
    = g + rho * expect (attempts m attempt) (fun x => if dec x k then 1 else 0)).
  { intros m. simpl. rewrite expect_bind. unfold g, rho. rewrite (Rmult_comm (expect attempt rejected)).
    rewrite <- expect_scal, <- expect_plus. apply expect_ext. intros [x|]; simpl; [destruct (dec x k)|]; lra. }
  induction n as [|n [below above]].
  - simpl. split.
    + apply Req_le. field. lra.
    + apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
  - rewrite step. set (e := expect (attempts n attempt) (fun x => if dec x k then 1 else 0)) in *.
    assert (r ^ n <= 1) by (rewrite <- (pow1 n); apply pow_incr; lra). assert (0 <= r ^ n) by (now apply pow_le).
    assert (e_nonneg : 0 <= e) by (apply expect_ge0; intros; destruct (dec _ k); lra). split.
    + apply Rle_trans with (l + r * (l * (1 - r ^ n) / (1 - r))); [apply Req_le; simpl; field; lra|]. nra.
    + set (U := (l + u) / (1 - r)) in *.
      assert (U_is : U * (1 - r) = l + u) by (unfold U; field; lra). assert (U_range : U <= 1) by nra. nra.
Qed.
End coins.
