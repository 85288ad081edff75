(** Pairs of measures with finitely many outcomes, one above another, and the companions of a pair on nodes.

    A table lists the masses that each outcome has under P and under Q: any numbers that are not negative, not only
    probabilities. Its curve at g is the sum of the positive parts of p - g q, which is delta at epsilon = ln g.

    Claims: privacy.companions.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy.
Open Scope R_scope.

Definition table := list (R * R).
Definition positive_part x := Rmax 0 x.
Definition curve (t : table) g := sum (fun a => positive_part (fst a - g * snd a)) t.
Definition not_negative (t : table) := forall a, In a t -> 0 <= fst a /\ 0 <= snd a.
(** One pair is below another. *)
Definition below s t := forall g, 0 <= g -> curve s g <= curve t g.

Lemma part_scal c x : 0 <= c -> positive_part (c * x) = c * positive_part x.
Proof. intros H. unfold positive_part. replace 0 with (c * 0) at 1 by ring. now rewrite RmaxRmult. Qed.
Lemma part_le x y : x <= y -> positive_part x <= positive_part y.
Proof. apply Rle_max_compat_l. Qed.
Lemma part_at_least x : x <= positive_part x.
Proof. apply Rmax_r. Qed.
Lemma part_ge0 x : 0 <= positive_part x.
Proof. apply Rmax_l. Qed.
Lemma part_plus x y : positive_part (x + y) <= positive_part x + positive_part y.
Proof.
  pose proof (part_ge0 x). pose proof (part_ge0 y). pose proof (part_at_least x). pose proof (part_at_least y).
  apply Rmax_lub; lra.
Qed.
Lemma part_of_negative x : x <= 0 -> positive_part x = 0.
Proof. intros. now apply Rmax_left. Qed.
Lemma part_of_positive x : 0 <= x -> positive_part x = x.
Proof. intros. now apply Rmax_right. Qed.

(** * Monotone products *)

(** Both outcomes together. *)
Definition product (s t : table) : table :=
  flat_map (fun b => map (fun a => (fst a * fst b, snd a * snd b)) s) t.

Lemma curve_app s t g : curve (s ++ t) g = curve s g + curve t g.
Proof. apply sum_app. Qed.

(** The outcomes of s beside one of another table. *)
Lemma curve_beside s p q g : 0 < p ->
  curve (map (fun a => (fst a * p, snd a * q)) s) g = p * curve s (g * q / p).
Proof.
  intros H. unfold curve. rewrite sum_map, <- sum_scal. apply sum_ext. intros a. cbn [fst snd].
  rewrite <- part_scal by lra. f_equal. field. lra.
Qed.
Lemma curve_beside_none s q g : 0 <= g -> 0 <= q -> not_negative s ->
  curve (map (fun a => (fst a * 0, snd a * q)) s) g = 0.
Proof.
  intros Hg Hq Hs. unfold curve. rewrite sum_map, (sum_ext_in _ (fun _ => 0)), sum_const; [ring|].
  intros a I. apply part_of_negative. cbn [fst snd]. destruct (Hs a I).
  assert (0 <= g * (snd a * q)) by (repeat apply Rmult_le_pos; auto). lra.
Qed.

(** A pair may be replaced by one above it, beside any other; masses need not add up to 1. *)
Theorem products_are_monotone s s' t : not_negative s -> not_negative s' -> not_negative t ->
  below s s' -> below (product s t) (product s' t).
Proof.
  intros Hs Hs' Ht B g Hg. induction t as [|(p, q) t IH]; [unfold curve; simpl; lra|].
  unfold product in *. cbn [flat_map]. rewrite !curve_app. cbn [fst snd].
  destruct (Ht (p, q) (or_introl eq_refl)) as [Hp Hq]. cbn [fst snd] in *.
  specialize (IH (fun a I => Ht a (or_intror I))). apply Rplus_le_compat; [|exact IH].
  destruct Hp as [Hp|<-]; [|rewrite !curve_beside_none by auto; lra].
  rewrite !curve_beside by auto. apply Rmult_le_compat_l; [lra|]. apply B.
  apply Rmult_le_pos; [now apply Rmult_le_pos | left; now apply Rinv_0_lt_compat].
Qed.

(** k outcomes together. *)
Fixpoint power (t : table) k := match k with O => [(1, 1)] | S m => product (power t m) t end.

Lemma not_negative_product s t : not_negative s -> not_negative t -> not_negative (product s t).
Proof.
  intros Hs Ht c I. apply in_flat_map in I as (b & Ib & I). apply in_map_iff in I as (a & <- & Ia).
  destruct (Hs a Ia), (Ht b Ib). split; cbn [fst snd]; now apply Rmult_le_pos.
Qed.
Lemma not_negative_power t k : not_negative t -> not_negative (power t k).
Proof.
  intros H. induction k; [|now apply not_negative_product].
  intros a [<-|[]]. cbn [fst snd]. lra.
Qed.

(** The order of the factors does not matter. *)
Lemma curve_product_swap s t g : curve (product s t) g = curve (product t s) g.
Proof.
  assert (F : forall u v, curve (product u v) g =
    sum (fun b => sum (fun a => positive_part (fst a * fst b - g * (snd a * snd b))) u) v).
  { intros u v. unfold curve, product. induction v as [|b v IH]; simpl; auto.
    rewrite sum_app, IH, sum_map. reflexivity. }
  rewrite !F. clear F. induction t as [|b t IH]; simpl.
  - induction s; simpl; lra.
  - rewrite IH. clear IH. induction s as [|a s IH]; simpl; [lra|].
    assert (E : fst a * fst b - g * (snd a * snd b) = fst b * fst a - g * (snd b * snd a)) by ring.
    rewrite E. lra.
Qed.

(** And so in every step of many. *)
Theorem powers_are_monotone s t k : not_negative s -> not_negative t -> below s t -> below (power s k) (power t k).
Proof.
  intros Hs Ht B. induction k as [|k IH]; [intros g _; apply Rle_refl|]. intros g Hg. simpl.
  apply Rle_trans with (curve (product (power t k) s) g).
  - apply products_are_monotone; auto using not_negative_power.
  - rewrite (curve_product_swap (power t k) s), (curve_product_swap (power t k) t).
    apply products_are_monotone; auto using not_negative_power.
Qed.

(** * Slack *)

(** privacy.companions: if P is at most 1 + s times as large, outcome by outcome, so is the curve, at a threshold that
    is smaller by this factor. *)
Theorem curve_with_slack s t slack g : 0 <= slack ->
  Forall2 (fun a b => fst a <= (1 + slack) * fst b /\ snd a = snd b) s t ->
  curve s g <= (1 + slack) * curve t (g / (1 + slack)).
Proof.
  intros H F. unfold curve. induction F as [|(p, q) (p', q') s t [Hp Hq] F IH]; simpl in *; [lra|]. subst q'.
  assert (One : positive_part (p - g * q) <= (1 + slack) * positive_part (p' - g / (1 + slack) * q)).
  { rewrite <- part_scal by lra. apply part_le.
    replace ((1 + slack) * (p' - g / (1 + slack) * q)) with ((1 + slack) * p' - g * q) by (field; lra). lra. }
  lra.
Qed.

(** * The companion above *)

(** Outcomes whose quotients lie between two nodes, and the masses that are put on these: at most r at the upper node is
    needed, and more may be taken; what is put on both may be more than there is. *)
Record cell := { outcomes : table; lower_node : R; upper_node : R; share : R; all_mass : R }.

Definition sound (c : cell) :=
  let p := sum fst (outcomes c) in let q := sum snd (outcomes c) in
  lower_node c < upper_node c
  /\ (forall a, In a (outcomes c) -> lower_node c * snd a <= fst a <= upper_node c * snd a)
  /\ (p - lower_node c * q) / (upper_node c - lower_node c) <= share c <= all_mass c
  /\ q <= all_mass c.

(** A mass m at the node g: g m under P, m under Q. *)
Definition at_node g m : R * R := (g * m, m).
Definition above (cells : list cell) : table :=
  flat_map (fun c => [at_node (lower_node c) (all_mass c - share c); at_node (upper_node c) (share c)]) cells.

(** On one outcome the chord is above the curve, and its masses are sums. *)
Lemma chord_of_outcomes l g g' x : g < g' -> (forall a, In a l -> g * snd a <= fst a <= g' * snd a) ->
  curve l x <= let r := (sum fst l - g * sum snd l) / (g' - g) in
    (sum snd l - r) * positive_part (g - x) + r * positive_part (g' - x).
Proof.
  intros Hg. cbv zeta. unfold curve. induction l as [|(p, q) l IH]; intros H; cbn [sum fst snd].
  { unfold Rdiv. rewrite !Rmult_0_r, Rminus_0_r, Rmult_0_l. lra. }
  specialize (IH (fun a I => H a (or_intror I))).
  destruct (H (p, q) (or_introl eq_refl)) as [Low High]. cbn [fst snd] in *.
  set (P := sum fst l) in *. set (Q := sum snd l) in *. set (r := (p - g * q) / (g' - g)).
  assert (Hr : 0 <= r) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  assert (Er : r * (g' - g) = p - g * q) by (unfold r; field; lra).
  assert (Hq : 0 <= q - r).
  { apply Rmult_le_reg_r with (g' - g); [lra|]. replace ((q - r) * (g' - g)) with (q * (g' - g) - r * (g' - g)) by ring.
    rewrite Er. lra. }
  replace ((p + P - g * (q + Q)) / (g' - g)) with (r + (P - g * Q) / (g' - g)) by (unfold r; field; lra).
  assert (One : positive_part (p - x * q) <= (q - r) * positive_part (g - x) + r * positive_part (g' - x)).
  { rewrite <- !part_scal by auto. eapply Rle_trans; [|apply part_plus]. apply Req_le. f_equal.
    replace (p - x * q) with (p - g * q + q * (g - x)) by ring. rewrite <- Er. ring. }
  lra.
Qed.

(** privacy.companions: the masses at the nodes are above the outcomes of the cells. *)
Theorem upper_companion cells : (forall c, In c cells -> sound c) -> below (flat_map outcomes cells) (above cells).
Proof.
  intros H x Hx. induction cells as [|c cells IH]; [unfold curve; simpl; lra|].
  unfold above in *. cbn [flat_map]. rewrite !curve_app. specialize (IH (fun d I => H d (or_intror I))).
  apply Rplus_le_compat; [|exact IH]. destruct (H c (or_introl eq_refl)) as (Hg & Hc & [Hr Hm] & Hq). clear H IH.
  eapply Rle_trans; [apply chord_of_outcomes; eauto|]. cbv zeta in *.
  set (g := lower_node c) in *. set (g' := upper_node c) in *. set (Q := sum snd (outcomes c)) in *.
  set (r := (sum fst (outcomes c) - g * Q) / (g' - g)) in *.
  unfold curve, at_node. cbn [sum fst snd].
  assert (Hs : 0 <= r).
  { apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
    unfold Q. rewrite <- sum_scal. assert (sum (fun a => g * snd a) (outcomes c) <= sum fst (outcomes c)); [|lra].
    apply sum_le_in. intros a I. now destruct (Hc a I). }
  replace (g * (all_mass c - share c) - x * (all_mass c - share c)) with ((all_mass c - share c) * (g - x)) by ring.
  replace (g' * share c - x * share c) with (share c * (g' - x)) by ring.
  rewrite !part_scal by lra.
  assert (positive_part (g - x) <= positive_part (g' - x)) by (apply part_le; lra).
  pose proof (part_ge0 (g - x)). nra.
Qed.

(** * The companion below *)

Lemma sum_swap {A B} (f : A -> B -> R) l m : sum (fun b => sum (fun a => f a b) l) m = sum (fun a => sum (f a) m) l.
Proof.
  induction m as [|b m IH]; simpl; [rewrite sum_const; ring|]. rewrite IH, <- sum_plus. reflexivity.
Qed.
Lemma sum_last f j k : sum f (seq j k) + f (j + k)%nat = f j + sum f (seq (S j) k).
Proof.
  revert j. induction k as [|k IH]; intros j; simpl.
  { rewrite Nat.add_0_r. ring. }
  rewrite <- Nat.add_succ_comm. specialize (IH (S j)). simpl in *. lra.
Qed.
Lemma sum_affine (f v : nat -> R) x l : sum (fun i => f i * (v i - x)) l = sum (fun i => f i * v i) l - x * sum f l.
Proof. induction l; simpl; [|rewrite IHl]; ring. Qed.

Section Below.

(** Outcomes with their masses; the nodes 0, ..., n; and how much of each outcome is in the bin of each node, by coins:
    at most all of it. *)
Variables (A : Type) (l : list A) (p q : A -> R) (n : nat) (g : nat -> R) (w : A -> nat -> R).
Hypothesis nodes : 0 <= g 0%nat /\ forall i, (i < n)%nat -> g i < g (S i).
Hypothesis coins : forall a, In a l -> (forall i, 0 <= w a i) /\ sum (w a) (seq 0 (S n)) <= 1.

Definition under_P i := sum (fun a => w a i * p a) l.
Definition under_Q i := sum (fun a => w a i * q a) l.
Definition surplus i := under_P i - g i * under_Q i.

(** What is lifted to a node from the one before, and from ratio 0; and what is lowered to it from the one after. *)
Variables lifted from_zero lowered : nat -> R.
Hypothesis lifts : lifted 0%nat = 0 /\ lifted (S n) = 0 /\ forall i, (i <= n)%nat -> 0 <= lifted i /\ 0 <= from_zero i
  /\ lifted i * (g i - g (pred i)) + from_zero i * g i <= positive_part (surplus i).
Hypothesis lowerings : lowered n = 0
  /\ forall i, (i <= n)%nat -> positive_part (- surplus i) <= lowered i * (g (S i) - g i).

Definition lowered_before i := match i with O => 0 | S j => lowered j end.
Definition moved i := under_Q i + from_zero i + lifted i - lifted (S i) + lowered i - lowered_before i.

(** The masses of the companion, which rounding may make smaller. *)
Variable mass : nat -> R.
Hypothesis rounded : forall i, (i <= n)%nat -> 0 <= mass i <= moved i.

Definition outcomes_of : table := map (fun a => (p a, q a)) l.
Definition companion : table := map (fun i => at_node (g i) (mass i)) (seq 0 (S n)).

(** Each set of bins gives a line below the curve. *)
Definition line j k x := sum (fun i => under_P i - x * under_Q i) (seq j k).
Lemma line_below j k x : (j + k = S n)%nat -> line j k x <= curve outcomes_of x.
Proof.
  intros N. unfold line, curve, outcomes_of. rewrite sum_map. cbn [fst snd].
  rewrite (sum_ext _ (fun i => sum (fun a => w a i * (p a - x * q a)) l)).
  2:{ intros i. unfold under_P, under_Q. rewrite <- sum_scal.
      replace (sum (fun a => w a i * p a) l - sum (fun a => x * (w a i * q a)) l)
        with (sum (fun a => w a i * p a) l + -1 * sum (fun a => x * (w a i * q a)) l) by ring.
      rewrite <- sum_scal, <- sum_plus. apply sum_ext. intros a. ring. }
  rewrite sum_swap. apply sum_le_in. intros a I. destruct (coins a I) as [W0 W1].
  rewrite (sum_ext _ (fun i => (p a - x * q a) * w a i)) by (intros; ring). rewrite sum_scal.
  rewrite <- N, seq_app, sum_app in W1. simpl in W1.
  assert (0 <= sum (w a) (seq 0 j)).
  { rewrite <- (Rmult_0_r (INR (length (seq 0 j)))), <- sum_const. now apply sum_le. }
  assert (0 <= sum (w a) (seq j k)).
  { rewrite <- (Rmult_0_r (INR (length (seq j k)))), <- sum_const. now apply sum_le. }
  set (W := sum (w a) (seq j k)) in *.
  pose proof (part_at_least (p a - x * q a)). pose proof (part_ge0 (p a - x * q a)). nra.
Qed.

(** All moves at the nodes after j telescope. *)
Lemma moves_telescope k j a : (j + k = n)%nat ->
  sum (fun i => moved i * (g i - a)) (seq (S j) k) =
  sum (fun i => under_Q i * (g i - a)) (seq (S j) k) + sum (fun i => from_zero i * (g i - a)) (seq (S j) k)
  + sum (fun i => lifted i * (g i - g (pred i))) (seq (S j) k) + lifted (S j) * (g j - a)
  - sum (fun i => lowered i * (g (S i) - g i)) (seq j k) - lowered j * (g j - a).
Proof.
  revert j. induction k as [|k IH]; intros j N; simpl.
  - destruct lifts as (_ & L & _), lowerings as [D _]. replace j with n by lia. rewrite L, D. ring.
  - rewrite (IH (S j)) by lia. unfold moved. simpl. ring.
Qed.

(** What the bins after j have at g, and what lifts and lowerings add. *)
Lemma surplus_parts i : positive_part (surplus i) - positive_part (- surplus i) = surplus i.
Proof. unfold positive_part, Rmax. repeat destruct (Rle_dec _ _); lra. Qed.
Lemma surplus_sums indices : sum surplus indices =
  sum (fun i => positive_part (surplus i)) indices - sum (fun i => positive_part (- surplus i)) indices.
Proof.
  induction indices as [|i r IH]; simpl; [lra|]. pose proof (surplus_parts i). lra.
Qed.
Lemma last_surplus : positive_part (- surplus n) = 0.
Proof.
  destruct lowerings as [D L]. specialize (L n (le_n n)). rewrite D, Rmult_0_l in L.
  pose proof (part_ge0 (- surplus n)). lra.
Qed.
Lemma bins_at j k x : sum (fun i => under_Q i * (g i - x) + surplus i) (seq j k) = line j k x.
Proof. apply sum_ext. intros i. unfold surplus. ring. Qed.

Lemma lifts_within j k : (j + k = S n)%nat ->
  sum (fun i => lifted i * (g i - g (pred i)) + from_zero i * g i) (seq j k)
  <= sum (fun i => positive_part (surplus i)) (seq j k).
Proof. intros N. apply sum_le_in. intros i I. apply in_seq in I. apply lifts. lia. Qed.
Lemma lowerings_enough j k : (j + k = n)%nat ->
  sum (fun i => positive_part (- surplus i)) (seq j k) <= sum (fun i => lowered i * (g (S i) - g i)) (seq j k).
Proof. intros N. apply sum_le_in. intros i I. apply in_seq in I. apply lowerings. lia. Qed.

Lemma nodes_rise i j : (i <= j <= n)%nat -> g i <= g j.
Proof.
  intros [H N]. induction H as [|j H IH]; [lra|].
  destruct nodes as [_ Hs]. specialize (Hs j ltac:(lia)). specialize (IH ltac:(lia)). lra.
Qed.
Lemma nodes_ge0 i : (i <= n)%nat -> 0 <= g i.
Proof. intros H. pose proof (nodes_rise 0 i ltac:(lia)). destruct nodes. lra. Qed.

(** At a node the companion is below both lines beside it. *)
Lemma below_at_node j k : (j + k = n)%nat ->
  sum (fun i => moved i * (g i - g j)) (seq (S j) k) <= line (S j) k (g j) - positive_part (- surplus j).
Proof.
  intros N. rewrite moves_telescope by auto.
  pose proof (lifts_within (S j) k ltac:(lia)) as L. rewrite sum_plus in L. pose proof (lowerings_enough j k N) as D.
  assert (Z : sum (fun i => from_zero i * (g i - g j)) (seq (S j) k) <= sum (fun i => from_zero i * g i) (seq (S j) k)).
  { apply sum_le_in. intros i I. apply in_seq in I.
    destruct lifts as (_ & _ & Hl). destruct (Hl i ltac:(lia)) as (_ & Hz & _).
    pose proof (nodes_ge0 j ltac:(lia)). nra. }
  pose proof (sum_last (fun i => positive_part (- surplus i)) j k) as S1. cbn beta in S1. rewrite N, last_surplus in S1.
  rewrite <- bins_at, sum_plus.
  rewrite surplus_sums. lra.
Qed.

(** And at ratio 0 below the first line. *)
Lemma below_at_zero : sum (fun i => moved i * (g i - 0)) (seq 0 (S n)) <= line 0 (S n) 0.
Proof.
  pose proof (lifts_within 0 (S n) eq_refl) as L. rewrite sum_plus in L. pose proof (lowerings_enough 0 n eq_refl) as D.
  pose proof (sum_last (fun i => positive_part (- surplus i)) 0 n) as S1. cbn beta in S1. simpl (0 + n)%nat in S1.
  rewrite last_surplus in S1.
  rewrite <- bins_at, sum_plus.
  rewrite surplus_sums. cbn [seq sum] in *. rewrite (moves_telescope n 0 0) by auto.
  destruct lifts as (L0 & _ & _). unfold moved at 1. cbn [lowered_before pred] in *. rewrite L0 in *.
  assert (Z : sum (fun i => from_zero i * (g i - 0)) (seq 1 n) = sum (fun i => from_zero i * g i) (seq 1 n))
    by (apply sum_ext; intros; ring).
  rewrite Z. lra.
Qed.

(** Between two nodes both are affine. *)
Lemma below_between j k x : (j + k = S n)%nat -> (0 < k)%nat -> 0 <= x ->
  (forall i, (i < j)%nat -> g i <= x) -> x <= g j ->
  sum (fun i => moved i * (g i - x)) (seq j k) <= line j k x.
Proof.
  intros N K X Low High.
  assert (Lx : forall y, line j k y = sum under_P (seq j k) - y * sum under_Q (seq j k)).
  { intros y. unfold line. induction (seq j k) as [|i r IH]; simpl; [|rewrite IH]; ring. }
  assert (Right : sum (fun i => moved i * (g i - g j)) (seq j k) <= line j k (g j)).
  { destruct k as [|k]; [lia|]. pose proof (below_at_node j k ltac:(lia)) as B. unfold line in *. cbn [seq sum].
    pose proof (surplus_parts j) as S1. pose proof (part_ge0 (surplus j)).
    assert (- positive_part (- surplus j) <= under_P j - g j * under_Q j) by (fold (surplus j); lra). lra. }
  assert (Left : exists y, y <= x /\ sum (fun i => moved i * (g i - y)) (seq j k) <= line j k y).
  { destruct j as [|j].
    - exists 0. split; auto. replace k with (S n) by lia. apply below_at_zero.
    - exists (g j). split; [apply Low; lia|].
      pose proof (below_at_node j k ltac:(lia)). pose proof (part_ge0 (- surplus j)). lra. }
  destruct Left as (y & Hy & Left). rewrite Lx, !sum_affine in *.
  set (a := sum (fun i => moved i * g i) (seq j k)) in *. set (b := sum moved (seq j k)) in *.
  set (c := sum under_P (seq j k)) in *. set (d := sum under_Q (seq j k)) in *. destruct (Rle_dec b d); nra.
Qed.

(** Where a number stands among the first nodes. *)
Lemma place x m : exists j, (j <= m)%nat /\ (forall i, (i < j)%nat -> g i <= x) /\ ((j < m)%nat -> x <= g j).
Proof.
  induction m as [|m (j & J & Low & High)]; [exists 0%nat; repeat split; intros; lia|].
  destruct (Nat.eq_dec j m) as [->|]; [|exists j; repeat split; auto; intros; apply High; lia].
  destruct (Rle_dec (g m) x).
  - exists (S m). repeat split; auto; [|lia]. intros i I. destruct (Nat.eq_dec i m) as [->|]; auto. apply Low. lia.
  - exists m. repeat split; auto. lra.
Qed.

(** privacy.companions: the masses at the nodes are below the outcomes that are shared out among the bins. *)
Theorem lower_companion : below companion outcomes_of.
Proof.
  intros x X. destruct (place x (S n)) as (j & J & Low & High).
  apply Rle_trans with (sum (fun i => moved i * (g i - x)) (seq j (S n - j))).
  - unfold curve, companion. rewrite sum_map. replace (S n) with (j + (S n - j))%nat at 1 by lia.
    rewrite seq_app, sum_app. simpl (0 + j)%nat.
    rewrite (sum_ext_in _ (fun _ => 0) (seq 0 j)).
    2:{ intros i I. apply in_seq in I. unfold at_node. cbn [fst snd]. apply part_of_negative.
        specialize (Low i ltac:(lia)). destruct (rounded i ltac:(lia)). nra. }
    rewrite sum_const, Rmult_0_r, Rplus_0_l. apply sum_le_in. intros i I. apply in_seq in I.
    unfold at_node. cbn [fst snd].
    destruct (rounded i ltac:(lia)). assert (x <= g i).
    { apply Rle_trans with (g j); [apply High; lia | apply nodes_rise; lia]. }
    replace (g i * mass i - x * mass i) with (mass i * (g i - x)) by ring.
    rewrite part_scal, part_of_positive by lra. nra.
  - destruct (Nat.eq_dec j (S n)) as [->|].
    + rewrite Nat.sub_diag. simpl. unfold curve. rewrite <- (Rmult_0_r (INR (length outcomes_of))), <- sum_const.
      apply sum_le. intros. apply part_ge0.
    + eapply Rle_trans; [apply below_between | apply line_below]; auto; try lia. apply High. lia.
Qed.

End Below.
