(** Sums of non-negative functions over any type, finite or not.

    The total of h >= 0 is the least upper bound of its sums over finite lists without repetitions.
    No order of summation is chosen: totals can be split, paired and relabelled freely.  Over the
    integers it is the limit of the sums over -n, ..., n.

    Claims: none.
*)
Require ClassicalDedekindReals.
Require Import ZArith Reals Lra Lia List Permutation Classical. Import ListNotations.
From DpAssay Require Import Privacy.
Open Scope R_scope.

(** No finite sum of h exceeds B. *)
Definition sums_at_most {X} (h : X -> R) (B : R) := forall l, NoDup l -> sum h l <= B.
(** The total of h exists and is s. *)
Definition has_total {X} (h : X -> R) (s : R) := sums_at_most h s /\ forall B, sums_at_most h B -> s <= B.
Definition summable {X} (h : X -> R) := exists B, sums_at_most h B.

(** The total as a number (0 if the finite sums have no bound). *)
Lemma least_bound {X} (h : X -> R) : summable h -> {s | has_total h s}.
Proof.
  intros S. destruct (completeness (fun y => exists l, NoDup l /\ y = sum h l)) as [s [U L]].
  - destruct S as [B H]. exists B. intros y (l & N & ->). now apply H.
  - exists 0, []. split; [constructor | reflexivity].
  - exists s. split.
    + intros l N. apply U. now exists l.
    + intros B H. apply L. intros y (l & N & ->). now apply H.
Qed.
Definition total {X} (h : X -> R) : R :=
  match ClassicalDedekindReals.sig_not_dec (summable h) with
  | left yes => proj1_sig (least_bound h (NNPP _ yes))
  | right _ => 0
  end.
Lemma total_is {X} (h : X -> R) : summable h -> has_total h (total h).
Proof.
  intros S. unfold total. destruct (ClassicalDedekindReals.sig_not_dec (summable h)) as [yes | no]; [|contradiction].
  destruct (least_bound h (NNPP _ yes)); auto.
Qed.
Lemma has_total_unique {X} (h : X -> R) s t : has_total h s -> has_total h t -> s = t.
Proof. intros [U L] [U' L']. apply Rle_antisym; auto. Qed.
Lemma has_total_summable {X} (h : X -> R) s : has_total h s -> summable h.
Proof. intros [U _]. now exists s. Qed.
Lemma total_eq {X} (h : X -> R) s : has_total h s -> total h = s.
Proof. intros H. apply (has_total_unique h); auto. apply total_is. now apply (has_total_summable h s). Qed.
Lemma has_total_ge0 {X} (h : X -> R) s : has_total h s -> 0 <= s.
Proof. intros [U _]. apply (U []). constructor. Qed.
Lemma total_ge0 {X} (h : X -> R) : 0 <= total h.
Proof.
  destruct (classic (summable h)) as [S | N]; [now apply (has_total_ge0 h), total_is|].
  unfold total. destruct (ClassicalDedekindReals.sig_not_dec (summable h)) as [yes | no]; [|lra]. exfalso. auto.
Qed.
Lemma has_total_term {X} (h : X -> R) s x : has_total h s -> h x <= s.
Proof. intros [U _]. specialize (U [x] ltac:(repeat constructor; auto)). simpl in U. lra. Qed.

(** Finite sums. *)
Lemma sum_le_on {X} (f g : X -> R) l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [|a l IH]; intros H; simpl; [lra|].
  pose proof (H a (or_introl eq_refl)). specialize (IH (fun x I => H x (or_intror I))). lra.
Qed.
Lemma sum_pos {X} (h : X -> R) l : (forall x, 0 <= h x) -> 0 <= sum h l.
Proof. intros H. induction l; simpl; [lra | specialize (H a); lra]. Qed.
Lemma sum_permutation {X} (h : X -> R) l m : Permutation l m -> sum h l = sum h m.
Proof. induction 1; simpl; lra. Qed.
(** A list without repetitions weighs at most what any list weighs that contains it. *)
Lemma sum_incl {X} (h : X -> R) : (forall x, 0 <= h x) -> forall l m, NoDup l -> incl l m -> sum h l <= sum h m.
Proof.
  intros P l. induction l as [|a l IH]; intros m N I; [simpl; now apply sum_pos|].
  inversion N as [|? ? Na Nl]; subst.
  destruct (in_split a m (I a (or_introl eq_refl))) as (m1 & m2 & ->).
  assert (incl l (m1 ++ m2)) as I'.
  { intros x Hx. specialize (I x (or_intror Hx)). apply in_app_iff in I as [? | [-> | ?]]; try contradiction;
      apply in_app_iff; auto. }
  specialize (IH _ Nl I'). rewrite sum_app in *. simpl. lra.
Qed.
Lemma without_repetitions {X} (l : list X) : exists m, NoDup m /\ (forall x, In x l <-> In x m).
Proof.
  induction l as [|a l (m & N & E)]; [exists []; split; [constructor | tauto]|].
  destruct (classic (In a m)) as [I | I].
  - exists m. split; auto. intros x. simpl. rewrite E. intuition congruence.
  - exists (a :: m). split; [now constructor|]. intros x. simpl. now rewrite E.
Qed.
Lemma NoDup_map {X Y} (phi : X -> Y) l : (forall x x', phi x = phi x' -> x = x') -> NoDup l -> NoDup (map phi l).
Proof. intros H. apply FinFun.Injective_map_NoDup. exact H. Qed.
Lemma NoDup_append {X} (l m : list X) : NoDup l -> NoDup m -> (forall x, In x l -> ~ In x m) -> NoDup (l ++ m).
Proof.
  induction l as [|a l IH]; intros Nl Nm D; simpl; auto. inversion Nl; subst. constructor.
  - rewrite in_app_iff. intros [?|?]; [contradiction | apply (D a); simpl; auto].
  - apply IH; auto. intros x I. apply D. now right.
Qed.

(** Comparison, sums and multiples. *)
Lemma sums_at_most_le {X} (f g : X -> R) B : (forall x, f x <= g x) -> sums_at_most g B -> sums_at_most f B.
Proof. intros H U l N. eapply Rle_trans; [apply sum_le, H | now apply U]. Qed.
Lemma has_total_le {X} (f g : X -> R) s t : (forall x, f x <= g x) -> has_total f s -> has_total g t -> s <= t.
Proof. intros H [_ L] [U _]. apply L. now apply (sums_at_most_le f g). Qed.
Lemma has_total_ext {X} (f g : X -> R) s : (forall x, f x = g x) -> has_total f s -> has_total g s.
Proof.
  intros H [U L]. split.
  - intros l N. rewrite <- (sum_ext f g) by auto. now apply U.
  - intros B K. apply L. intros l N. rewrite (sum_ext f g) by auto. now apply K.
Qed.
Lemma summable_le {X} (f g : X -> R) : (forall x, f x <= g x) -> summable g -> summable f.
Proof. intros H [B U]. exists B. now apply (sums_at_most_le f g). Qed.
Lemma sums_at_most_scal {X} c (f : X -> R) B : 0 <= c -> sums_at_most f B -> sums_at_most (fun x => c * f x) (c * B).
Proof. intros Hc U l N. rewrite sum_scal. apply Rmult_le_compat_l; auto. Qed.
Lemma has_total_scal {X} c (f : X -> R) s : 0 <= c -> has_total f s -> has_total (fun x => c * f x) (c * s).
Proof.
  intros Hc [U L]. split; [now apply sums_at_most_scal|]. intros B K.
  destruct (Req_dec c 0) as [-> | Hn].
  - specialize (K [] ltac:(constructor)). simpl in K. lra.
  - assert (s <= B / c).
    { apply L. intros l N. specialize (K l N). rewrite sum_scal in K.
      apply Rmult_le_reg_l with c; [lra|]. replace (c * (B / c)) with B by (field; lra). exact K. }
    replace B with (c * (B / c)) by (field; lra). apply Rmult_le_compat_l; auto.
Qed.
Lemma has_total_plus {X} (f g : X -> R) s t : (forall x, 0 <= f x) -> (forall x, 0 <= g x) ->
  has_total f s -> has_total g t -> has_total (fun x => f x + g x) (s + t).
Proof.
  intros Pf Pg [U L] [U' L']. split.
  - intros l N. rewrite sum_plus. specialize (U l N). specialize (U' l N). lra.
  - intros B K. assert (s <= B - t); [|lra]. apply L. intros l N. assert (t <= B - sum f l); [|lra].
    apply L'. intros m M. destruct (without_repetitions (l ++ m)) as (w & Nw & E).
    specialize (K w Nw). rewrite sum_plus in K.
    assert (sum f l <= sum f w) by (apply sum_incl; auto; intros x I; apply E, in_app_iff; auto).
    assert (sum g m <= sum g w) by (apply sum_incl; auto; intros x I; apply E, in_app_iff; auto).
    lra.
Qed.

Lemma has_total_minus {X} (f g : X -> R) s t : (forall x, 0 <= g x <= f x) -> has_total f s -> has_total g t ->
  has_total (fun x => f x - g x) (s - t).
Proof.
  intros P F G. assert (D : summable (fun x => f x - g x)).
  { apply (summable_le _ f); [intros x; specialize (P x); lra | now apply (has_total_summable f s)]. }
  pose proof (total_is _ D) as T. set (d := total (fun x => f x - g x)) in *.
  assert (E : s = d + t).
  { apply (has_total_unique f); auto. apply (has_total_ext (fun x => (f x - g x) + g x)); [intros; lra|].
    apply has_total_plus; auto; intros x; specialize (P x); lra. }
  now replace (s - t) with d by lra.
Qed.

(** Relabelling: phi is injective, and g is 0 outside of its image. *)
Section relabelling.
Context {X Y} (phi : X -> Y) (injective : forall x x', phi x = phi x' -> x = x').
Context (g : Y -> R) (outside : forall y, (forall x, phi x <> y) -> g y = 0).
Lemma preimage l : NoDup l -> exists m, NoDup m /\ sum (fun x => g (phi x)) m = sum g l /\
  forall x, In x m -> In (phi x) l.
Proof.
  induction l as [|y l IH]; intros N; [exists []; repeat split; [constructor | intros x []]|].
  inversion N as [|? ? Ny Nl]; subst. destruct (IH Nl) as (m & Nm & E & I).
  destruct (classic (exists x, phi x = y)) as [[x <-] | H].
  - exists (x :: m). repeat split; [constructor; auto | simpl; lra|].
    intros z [-> | Hz]; [now left | right; auto].
  - exists m. repeat split; auto; [|intros; right; auto]. simpl. rewrite outside; [lra|].
    intros x Hx. apply H. now exists x.
Qed.
Lemma sums_at_most_relabel B : sums_at_most (fun x => g (phi x)) B -> sums_at_most g B.
Proof. intros U l N. destruct (preimage l N) as (m & Nm & <- & _). now apply U. Qed.
Lemma sums_at_most_unlabel B : sums_at_most g B -> sums_at_most (fun x => g (phi x)) B.
Proof. intros U l N. rewrite <- (sum_map phi g). apply U. now apply NoDup_map. Qed.
Lemma has_total_relabel s : has_total (fun x => g (phi x)) s -> has_total g s.
Proof. intros [U L]. split; [now apply sums_at_most_relabel|]. intros B K. now apply L, sums_at_most_unlabel. Qed.
Lemma has_total_unlabel s : has_total g s -> has_total (fun x => g (phi x)) s.
Proof. intros [U L]. split; [now apply sums_at_most_unlabel|]. intros B K. now apply L, sums_at_most_relabel. Qed.
End relabelling.

(** Pairs: the total of totals. *)
Lemma sums_at_most_pairs {X Y} (h : X -> Y -> R) (g : X -> R) B : (forall x y, 0 <= h x y) ->
  (forall x, sums_at_most (h x) (g x)) -> sums_at_most g B -> sums_at_most (fun xy => h (fst xy) (snd xy)) B.
Proof.
  intros P Ug U l N.
  destruct (without_repetitions (map fst l)) as (xs & Nx & Ex).
  destruct (without_repetitions (map snd l)) as (ys & Ny & Ey).
  apply Rle_trans with (sum g xs); [|now apply U].
  apply Rle_trans with (sum (fun xy => h (fst xy) (snd xy)) (list_prod xs ys)).
  - apply sum_incl; auto. intros [x y] I. apply in_prod; [apply Ex | apply Ey].
    + now apply (in_map fst) in I.
    + now apply (in_map snd) in I.
  - clear Ex Nx. induction xs as [|x xs IH]; [simpl; lra|]. cbn [list_prod].
    rewrite sum_app, sum_map. cbn [fst snd]. specialize (Ug x ys Ny). simpl.
    change (sum (fun y => h x y) ys) with (sum (h x) ys). lra.
Qed.
(** Rows with totals: no finite sum of the totals of the rows exceeds a bound on the finite sums over pairs. *)
Lemma rows_at_most {X Y} (h : X -> Y -> R) (g : X -> R) B : (forall x, has_total (h x) (g x)) ->
  sums_at_most (fun xy => h (fst xy) (snd xy)) B -> sums_at_most g B.
Proof.
  intros Hg K xs Nx.
  (* Keep a finite list m of pairs in hand whose first parts are done, and replace the rest one by one. *)
  enough (G : forall xs, NoDup xs -> forall m, NoDup m -> (forall x y, In x xs -> ~ In (x, y) m) ->
    sum g xs + sum (fun xy => h (fst xy) (snd xy)) m <= B).
  { specialize (G xs Nx [] ltac:(constructor) ltac:(auto)). simpl in G. lra. }
  clear xs Nx. induction xs as [|x xs IH]; intros Nx m Nm D; [specialize (K m Nm); simpl in *; lra|].
  inversion Nx as [|? ? Nin Nxs]; subst. simpl.
  set (M := sum (fun xy => h (fst xy) (snd xy)) m). assert (g x <= B - sum g xs - M); [|lra].
  apply (proj2 (Hg x)). intros ys Ny.
  assert (G : sum g xs + sum (fun xy => h (fst xy) (snd xy)) (map (pair x) ys ++ m) <= B).
  { apply IH; auto.
    - apply NoDup_append; auto; [apply NoDup_map; auto; congruence|].
      intros p I. apply in_map_iff in I as (y & <- & _). apply D. now left.
    - intros x' y I J. apply in_app_iff in J as [J | J].
      + apply in_map_iff in J as (y' & E & _). congruence.
      + apply (D x' y); auto. now right. }
  rewrite sum_app, sum_map in G. cbn [fst snd] in G. unfold M.
  change (sum (fun y => h x y) ys) with (sum (h x) ys) in G. lra.
Qed.
Lemma has_total_pairs {X Y} (h : X -> Y -> R) (g : X -> R) s : (forall x y, 0 <= h x y) ->
  (forall x, has_total (h x) (g x)) -> has_total g s -> has_total (fun xy => h (fst xy) (snd xy)) s.
Proof.
  intros P Hg [U L]. split; [apply (sums_at_most_pairs h g); auto; intros x; apply Hg|].
  intros B K. apply L. now apply (rows_at_most h g).
Qed.
(** The other way: a total over pairs gives totals of the rows, and their total. *)
Lemma has_total_rows {X Y} (h : X -> Y -> R) s : (forall x y, 0 <= h x y) ->
  has_total (fun xy => h (fst xy) (snd xy)) s ->
  (forall x, summable (h x)) /\ has_total (fun x => total (h x)) s.
Proof.
  intros P T. assert (S : forall x, summable (h x)).
  { intros x. exists s. intros ys Ny.
    assert (N : NoDup (map (pair x) ys)) by (apply NoDup_map; auto; congruence).
    pose proof (proj1 T _ N) as U. rewrite sum_map in U. exact U. }
  split; auto. assert (Rt : forall x, has_total (h x) (total (h x))) by (intros; now apply total_is).
  assert (Sg : summable (fun x => total (h x))) by (exists s; apply (rows_at_most h _ s Rt (proj1 T))).
  pose proof (total_is _ Sg) as Tg.
  pose proof (has_total_pairs h (fun x => total (h x)) _ P Rt Tg) as T'.
  now rewrite (has_total_unique _ _ _ T T').
Qed.
(** Pairs the other way round. *)
Lemma has_total_swap {X Y} (h : X * Y -> R) s : has_total h s -> has_total (fun yx => h (snd yx, fst yx)) s.
Proof.
  intros T. apply (has_total_relabel (fun xy : X * Y => (snd xy, fst xy))).
  - intros [x y] [x' y']. simpl. congruence.
  - intros [y x] H. exfalso. now apply (H (x, y)).
  - apply has_total_ext with (2 := T). now intros [x y].
Qed.
Lemma has_total_product {X Y} (f : X -> R) (g : Y -> R) s t : (forall x, 0 <= f x) -> (forall y, 0 <= g y) ->
  has_total f s -> has_total g t -> has_total (fun xy => f (fst xy) * g (snd xy)) (s * t).
Proof.
  intros Pf Pg S T. apply (has_total_pairs (fun x y => f x * g y) (fun x => t * f x)).
  - intros; now apply Rmult_le_pos.
  - intros x. rewrite Rmult_comm. now apply has_total_scal.
  - rewrite Rmult_comm. apply has_total_scal; auto. now apply (has_total_ge0 g).
Qed.
Lemma has_total_finite {X} (h : X -> R) l : (forall x, 0 <= h x) -> NoDup l -> (forall x, ~ In x l -> h x = 0) ->
  has_total h (sum h l).
Proof.
  intros P N H. split; [|intros B U; now apply U]. intros m M.
  assert (forall k, NoDup k -> exists k', NoDup k' /\ incl k' l /\ incl k' k /\ sum h k = sum h k') as G.
  { induction k as [|a k IH]; intros Nk; [exists []; repeat split; auto; intros x []|].
    inversion Nk as [|? ? Na Nk']; subst. destruct (IH Nk') as (k' & N' & I & J & E).
    destruct (classic (In a l)) as [Al | Al].
    - exists (a :: k'). repeat split; [constructor; auto | | | simpl; lra].
      + intros x [<- | Hx]; auto.
      + intros x [<- | Hx]; [now left | right; auto].
    - exists k'. repeat split; auto; [intros x Hx; right; auto|]. simpl. rewrite (H a Al). lra. }
  destruct (G m M) as (k' & N' & I & _ & ->). apply sum_incl; auto.
Qed.

(** Over the integers: the symmetric partial sums. *)
Fixpoint symmetric (n : nat) : list Z :=
  match n with O => [0%Z] | S m => Z.of_nat n :: (- Z.of_nat n)%Z :: symmetric m end.
Lemma symmetric_in n k : In k (symmetric n) <-> (Z.abs k <= Z.of_nat n)%Z.
Proof.
  induction n as [|n IH]; [simpl; lia|]. cbn [symmetric In]. rewrite IH. lia.
Qed.
Lemma symmetric_NoDup n : NoDup (symmetric n).
Proof.
  induction n as [|n IH]; [repeat constructor; auto|]. cbn [symmetric].
  constructor; [|constructor; auto]; cbn [In]; rewrite symmetric_in; lia.
Qed.
Lemma in_some_symmetric (l : list Z) : exists n, incl l (symmetric n).
Proof.
  induction l as [|k l (n & I)]; [exists O; intros x []|].
  exists (Nat.max n (Z.to_nat (Z.abs k))). intros x [<- | Hx]; apply symmetric_in; [lia|].
  apply I, symmetric_in in Hx. lia.
Qed.
Lemma sums_at_most_symmetric (h : Z -> R) B : (forall k, 0 <= h k) ->
  (forall n, sum h (symmetric n) <= B) -> sums_at_most h B.
Proof.
  intros P U l N. destruct (in_some_symmetric l) as (n & I). eapply Rle_trans; [|apply (U n)]. now apply sum_incl.
Qed.
Lemma has_total_symmetric (h : Z -> R) s : (forall k, 0 <= h k) ->
  (has_total h s <-> Un_cv (fun n => sum h (symmetric n)) s).
Proof.
  intros P.
  assert (Gr : forall m n, (m <= n)%nat -> sum h (symmetric m) <= sum h (symmetric n)).
  { intros m n H. apply sum_incl; auto; [apply symmetric_NoDup|]. intros x. rewrite !symmetric_in. lia. }
  split.
  - intros [U L] eps He.
    assert (exists n, s - eps < sum h (symmetric n)) as [n Hn].
    { apply NNPP. intros H. assert (s <= s - eps); [|lra]. apply L, sums_at_most_symmetric; auto.
      intros n. apply Rnot_lt_le. intros C. apply H. now exists n. }
    exists n. intros m Hm. specialize (Gr n m Hm). specialize (U (symmetric m) (symmetric_NoDup m)).
    unfold R_dist. apply Rabs_def1; lra.
  - intros CV. assert (U : forall n, sum h (symmetric n) <= s) by (apply growing_ineq; auto; intros n; apply Gr; lia).
    split; [now apply sums_at_most_symmetric|]. intros B K.
    apply Rnot_lt_le. intros C. destruct (CV (s - B)) as [n Hn]; [lra|]. specialize (Hn n (Nat.le_refl _)).
    specialize (K (symmetric n) (symmetric_NoDup n)). unfold R_dist in Hn. apply Rabs_def2 in Hn. lra.
Qed.
(** e^(-c |k|) sums to at most 2/(1 - e^-c). *)
Lemma geometric_summable q : 0 < q < 1 -> summable (fun k : Z => q ^ Z.to_nat (Z.abs k)).
Proof.
  intros Hq. exists (2 / (1 - q)). apply sums_at_most_symmetric; [intros; apply pow_le; lra|].
  intros n. apply Rle_trans with ((2 - 2 * q ^ S n) / (1 - q)).
  - apply Rmult_le_reg_r with (1 - q); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    induction n as [|n IH]; [simpl; lra|]. cbn [symmetric sum].
    replace (Z.to_nat (Z.abs (- Z.of_nat (S n)))) with (S n) by lia.
    replace (Z.to_nat (Z.abs (Z.of_nat (S n)))) with (S n) by lia.
    change (q ^ S (S n)) with (q * q ^ S n). nra.
  - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. assert (0 < q ^ S n) by (apply pow_lt; lra). lra.
Qed.
