(** Inversion: a place in a list, from bounds on its cumulative probabilities.

    A uniform number is drawn bit by bit, until bounds on the cumulative probabilities F_1 <= ... <= F_k = 1 say between
    which two of them it lies; as the digits come close to the precision of the bounds, sharper bounds are asked for. If
    the bounds that are asked for enclose the F_i and shrink to points, the place i is drawn with probability exactly
    F_i - F_(i-1), and the program ends with probability 1. The bounds are any: pairs of integers over a power of two,
    one list for each precision. Nothing is asked of F_i - F_(i-1) > 0: a place of probability 0 is never drawn, because
    an interval of positive length must fit between F_(i-1) and F_i; and intervals around a repeated F_i are undecided
    no more often than around another one.
    Where the list of bounds is not ordered, the standard library's search for the first place that is not below may
    give any place; the theorem holds for every search that is right on ordered lists.

    This is the claim's half on inversion, for every cumulative law, with the enclosures as hypothesis. The rate is that
    of the page, 2^-j if the bounds are of width C 2^-j after j digits, with the constant 2 k (C + 1) instead of (k - 1)
    (C + 2).

    Claims: sample.exponential-mechanism.
*)
Require Import ZArith Reals Lra Lia List Bool.
From DpAssay Require Import Trees Laws. Import ListNotations.
Open Scope R_scope.

(** * The sampler *)

(** Bounds (lo, hi) on the cumulative probabilities: integers over 2^scale. *)
Record enclosures := { scale : Z; ends : list (Z * Z) }.

(** A search for the first element that fails the test: right where all that pass come before all that fail. *)
Definition search := (Z * Z -> bool) -> list (Z * Z) -> nat.
Definition partitions (partition_point : search) : Prop := forall passes l n, (n <= length l)%nat ->
  (forall i e, nth_error l i = Some e -> passes e = (i <? n)%nat) -> partition_point passes l = n.

(** One such search: element by element. *)
Fixpoint first_failing (passes : Z * Z -> bool) (l : list (Z * Z)) : nat :=
  match l with [] => O | e :: rest => if passes e then S (first_failing passes rest) else O end.

Section sampler.
Variables (partition_point : search) (cumulative : Z -> enclosures).

(** x / 2^scale is at most drawn / 2^digits. *)
Definition not_above (b : enclosures) (x drawn digits : Z) : bool := (x * 2 ^ digits <=? drawn * 2 ^ scale b)%Z.

(** The place, if the bounds decide in which the interval from drawn / 2^digits to (drawn + 1) / 2^digits lies. *)
Definition decision (b : enclosures) (drawn digits : Z) : option nat :=
  let place := partition_point (fun e => not_above b (snd e) drawn digits) (ends b) in
  match nth_error (ends b) place with
  | None => None
  | Some e =>
      let reaches := ((drawn + 1) * 2 ^ scale b <=? fst e * 2 ^ digits)%Z in
      let begins := match place with
                    | O => true
                    | S prior => match nth_error (ends b) prior with
                                 | Some e' => not_above b (snd e') drawn digits
                                 | None => false
                                 end
                    end in
      if reaches && begins then Some place else None
  end.

(** Rust: src/coins/uniform.rs, falls_among, the loop. *)
Fixpoint invert_loop (F : nat) (precision : Z) (bounds : enclosures) (drawn digits : Z) : tree Z :=
  match F with
  | O => Stop
  | S G =>
      match decision bounds drawn digits with
      | Some place => Ret (Z.of_nat place)
      | None => Flip (fun bit =>
          let drawn' := (2 * drawn + Z.b2z bit)%Z in
          let digits' := (digits + 1)%Z in
          if (precision <? digits' + 32)%Z
          then invert_loop G (precision * 2) (cumulative (precision * 2)%Z) drawn' digits'
          else invert_loop G precision bounds drawn' digits')
      end
  end.
Definition invert (F : nat) : tree Z := invert_loop F 128 (cumulative 128) 0 0.
End sampler.

(** * Cumulative probabilities and bounds on them *)

(** before <= F_1 <= ... <= F_k = 1. *)
Fixpoint ascending (before : R) (Fs : list R) : Prop :=
  match Fs with [] => before = 1 | x :: rest => before <= x /\ ascending x rest end.
(** F_1 - before, F_2 - F_1, ... *)
Fixpoint increments (before : R) (Fs : list R) : list R :=
  match Fs with [] => [] | x :: rest => (x - before) :: increments x rest end.
(** The probability of a place: F_i - F_(i-1), with F_(-1) = 0 where places count from 0; 0 where there is none. *)
Definition place_probability (Fs : list R) (place : Z) : R :=
  if (place <? 0)%Z then 0 else nth (Z.to_nat place) (increments 0 Fs) 0.

(** x / 2^digits *)
Definition dyadic (x digits : Z) : R := IZR x / IZR (2 ^ digits).
Definition encloses (s : Z) (e : Z * Z) (x : R) : Prop := dyadic (fst e) s <= x <= dyadic (snd e) s.
Definition width_at_most (w : R) (s : Z) (e : Z * Z) : Prop := dyadic (snd e) s - dyadic (fst e) s <= w.

(** The precisions that are asked for: 128, 256, 512, ... *)
Definition asked (precision : Z) : Prop := exists j, precision = (128 * 2 ^ Z.of_nat j)%Z.
Definition bounds_enclose (cumulative : Z -> enclosures) (Fs : list R) : Prop := forall p, asked p ->
  (0 <= scale (cumulative p))%Z /\ Forall2 (encloses (scale (cumulative p))) (ends (cumulative p)) Fs.
Definition bounds_shrink (cumulative : Z -> enclosures) : Prop := forall w, 0 < w -> exists P, forall p, asked p ->
  (P <= p)%Z -> Forall (width_at_most w (scale (cumulative p))) (ends (cumulative p)).

(** ** Dyadic numbers *)

Lemma power_positive n : (0 <= n)%Z -> 0 < IZR (2 ^ n).
Proof. intros H. apply IZR_lt. apply Z.pow_pos_nonneg; lia. Qed.
Lemma dyadic_le x s d n : (0 <= s)%Z -> (0 <= n)%Z -> (x * 2 ^ n <= d * 2 ^ s)%Z <-> dyadic x s <= dyadic d n.
Proof.
  intros Hs Hn. pose proof (power_positive s Hs). pose proof (power_positive n Hn). unfold dyadic.
  assert (left_ : IZR x / IZR (2 ^ s) * (IZR (2 ^ s) * IZR (2 ^ n)) = IZR (x * 2 ^ n)).
  { rewrite mult_IZR. field. lra. }
  assert (right_ : IZR d / IZR (2 ^ n) * (IZR (2 ^ s) * IZR (2 ^ n)) = IZR (d * 2 ^ s)).
  { rewrite mult_IZR. field. lra. }
  assert (0 < IZR (2 ^ s) * IZR (2 ^ n)) by nra. split; intros le.
  - apply Rmult_le_reg_r with (IZR (2 ^ s) * IZR (2 ^ n)); auto. rewrite left_, right_. now apply IZR_le.
  - apply le_IZR. rewrite <- left_, <- right_. apply Rmult_le_compat_r; lra.
Qed.
Lemma dyadic_double x n : (0 <= n)%Z -> dyadic (2 * x) (n + 1) = dyadic x n.
Proof.
  intros Hn. pose proof (power_positive n Hn). unfold dyadic. rewrite Z.pow_add_r, !mult_IZR by lia.
  change (2 ^ 1)%Z with 2%Z. field. lra.
Qed.
Lemma dyadic_next x n : (0 <= n)%Z -> dyadic (x + 1) n = dyadic x n + / IZR (2 ^ n).
Proof. intros Hn. pose proof (power_positive n Hn). unfold dyadic. rewrite plus_IZR. field. lra. Qed.

(** ** Lengths of intervals *)

(** The length of what the intervals from a to c and from x to y have in common. *)
Definition overlap (a c x y : R) : R := Rmax 0 (Rmin c y - Rmax a x).

Ltac by_cases := unfold overlap, Rmax, Rmin in *; repeat destruct (Rle_dec _ _); try lra.
Lemma overlap_nonneg a c x y : 0 <= overlap a c x y.
Proof. apply Rmax_l. Qed.
Lemma overlap_halves a m c x y : a <= m <= c -> x <= y -> overlap a m x y + overlap m c x y = overlap a c x y.
Proof. intros. by_cases. Qed.
Lemma overlap_inside a c x y : a <= c -> x <= a -> c <= y -> overlap a c x y = c - a.
Proof. intros. by_cases. Qed.
Lemma overlap_within a c x y : a <= c -> a <= x -> x <= y -> y <= c -> overlap a c x y = y - x.
Proof. intros. by_cases. Qed.
Lemma overlap_at_most a c x y : x <= y -> overlap a c x y <= y - x.
Proof. intros. by_cases. Qed.

(** The interval from a to c, divided among the places: each has what lies between its two cumulative probabilities. *)
Fixpoint share (a c before : R) (Fs : list R) (place : Z) (f : Z -> R) : R :=
  match Fs with [] => 0 | x :: rest => overlap a c before x * f place + share a c x rest (place + 1) f end.

Lemma share_nonneg a c before Fs place f : (forall i, 0 <= f i) -> 0 <= share a c before Fs place f.
Proof.
  intros Hf. revert before place. induction Fs as [|x rest IH]; intros before place; simpl; [lra|].
  specialize (IH x (place + 1)%Z). pose proof (overlap_nonneg a c before x). specialize (Hf place). nra.
Qed.
Lemma share_halves a m c before Fs place f : a <= m <= c -> ascending before Fs ->
  share a m before Fs place f + share m c before Fs place f = share a c before Fs place f.
Proof.
  intros mid. revert before place. induction Fs as [|x rest IH]; intros before place; simpl; [lra|].
  intros [le up]. rewrite <- (IH x), <- (overlap_halves a m c before x) by auto. lra.
Qed.
(** The cumulative probability before a place. *)
Definition before_place (before : R) (Fs : list R) (place : nat) : R :=
  match place with O => before | S prior => nth prior Fs 0 end.
Lemma share_of_place a c Fs f : a <= c -> (forall i, 0 <= f i) -> forall j before place x,
  nth_error Fs j = Some x -> before_place before Fs j <= a -> c <= x ->
  (c - a) * f (place + Z.of_nat j)%Z <= share a c before Fs place f.
Proof.
  intros le Hf. induction Fs as [|y rest IH]; intros [|j] before place x found from to; try discriminate; simpl in *.
  - injection found as ->. rewrite overlap_inside, Z.add_0_r by auto.
    pose proof (share_nonneg a c x rest (place + 1) f Hf). lra.
  - specialize (IH j y (place + 1)%Z x found).
    replace (place + 1 + Z.of_nat j)%Z with (place + Z.of_nat (S j))%Z in IH by lia.
    pose proof (overlap_nonneg a c before y). specialize (Hf place).
    assert (before_place y rest j <= a) by (destruct j; exact from). specialize (IH ltac:(assumption) to).
    change (Z.pos (Pos.of_succ_nat j)) with (Z.of_nat (S j)). nra.
Qed.

(** ** The mean under the law *)

Definition place_mean (Fs : list R) (f : Z -> R) : R := share 0 1 0 Fs 0 f.

Lemma ascending_range before Fs : ascending before Fs -> before <= 1 /\ Forall (fun x => before <= x <= 1) Fs.
Proof.
  revert before. induction Fs as [|x rest IH]; intros before; simpl; [intros ->; split; [lra | constructor]|].
  intros [le up]. destruct (IH x up) as [one all]. split; [lra|]. constructor; [lra|].
  eapply Forall_impl; [|exact all]. simpl. intros; lra.
Qed.
Lemma share_total before Fs place : 0 <= before -> ascending before Fs ->
  share 0 1 before Fs place (fun _ => 1) = 1 - before.
Proof.
  revert before place. induction Fs as [|x rest IH]; intros before place nonneg; simpl; [intros ->; lra|].
  intros [le up]. destruct (ascending_range x rest up) as [one _].
  rewrite (IH x) by (auto; lra). rewrite overlap_within; lra.
Qed.
Lemma share_ext a c before Fs place f g :
  (forall i, f i = g i) -> share a c before Fs place f = share a c before Fs place g.
Proof.
  intros same. revert before place. induction Fs as [|x rest IH]; intros before place; simpl; auto.
  now rewrite same, IH.
Qed.
Lemma share_plus a c before Fs place f g : share a c before Fs place (fun i => f i + g i)
  = share a c before Fs place f + share a c before Fs place g.
Proof.
  revert before place. induction Fs as [|x rest IH]; intros before place; simpl; [lra|]. rewrite IH. lra.
Qed.
Lemma mean_place_mean Fs : ascending 0 Fs -> mean (place_mean Fs).
Proof.
  intros up. unfold mean, place_mean. repeat split.
  - rewrite share_total by (auto; lra). lra.
  - intros f g same. now apply share_ext.
  - intros f g. apply share_plus.
Qed.
Lemma place_mean_at Fs i : ascending 0 Fs ->
  place_mean Fs (fun x => if Z.eq_dec x i then 1 else 0) = place_probability Fs i.
Proof.
  unfold place_mean, place_probability.
  enough (general : forall before place, 0 <= before -> ascending before Fs ->
    share 0 1 before Fs place (fun x => if Z.eq_dec x i then 1 else 0)
    = if (i - place <? 0)%Z then 0 else nth (Z.to_nat (i - place)) (increments before Fs) 0).
  { intros up. rewrite general by (auto; lra). now rewrite Z.sub_0_r. }
  induction Fs as [|x rest IH]; intros before place nonneg; simpl.
  - intros _. destruct (_ <? 0)%Z; auto. destruct (Z.to_nat _); auto.
  - intros [le up]. rewrite IH by (auto; lra). destruct (ascending_range x rest up) as [one _].
    rewrite overlap_within by lra. destruct (Z.eq_dec place i) as [<-|other].
    + rewrite Z.sub_diag. replace (place - (place + 1) <? 0)%Z with true by (symmetry; apply Z.ltb_lt; lia). simpl. lra.
    + destruct (Z.ltb_spec (i - place) 0).
      * replace (i - (place + 1) <? 0)%Z with true by (symmetry; apply Z.ltb_lt; lia). lra.
      * replace (i - (place + 1) <? 0)%Z with false by (symmetry; apply Z.ltb_ge; lia).
        replace (Z.to_nat (i - place)) with (S (Z.to_nat (i - (place + 1)))) by lia. simpl. lra.
Qed.

(** ** What the bounds decide *)

Lemma Forall2_nth {X Y} (P : X -> Y -> Prop) l m : Forall2 P l m -> forall i x, nth_error l i = Some x ->
  exists y, nth_error m i = Some y /\ P x y.
Proof.
  induction 1 as [|a b l m both _ IH]; intros [|i] x found; try discriminate; simpl in *.
  - injection found as <-. eauto.
  - eauto.
Qed.

Lemma not_above_le b x drawn digits : (0 <= scale b)%Z -> (0 <= digits)%Z ->
  not_above b x drawn digits = true <-> dyadic x (scale b) <= dyadic drawn digits.
Proof. intros Hs Hd. unfold not_above. rewrite Z.leb_le. now apply dyadic_le. Qed.

Section law.
Variables (partition_point : search) (cumulative : Z -> enclosures) (Fs : list R).
Hypothesis partition_point_right : partitions partition_point.
Hypothesis up : ascending 0 Fs.
Hypothesis enclose : bounds_enclose cumulative Fs.
Hypothesis shrink : bounds_shrink cumulative.

(** A decision is right: the interval lies between the cumulative probabilities of the place. *)
Lemma decision_right b drawn digits place : (0 <= scale b)%Z -> Forall2 (encloses (scale b)) (ends b) Fs ->
  (0 <= drawn)%Z -> (0 <= digits)%Z -> decision partition_point b drawn digits = Some place ->
  exists x, nth_error Fs place = Some x /\ dyadic (drawn + 1) digits <= x
            /\ before_place 0 Fs place <= dyadic drawn digits.
Proof.
  intros Hs enc Hdrawn Hd. unfold decision.
  set (place' := partition_point _ _). destruct (nth_error (ends b) place') as [e|] eqn:found; [|discriminate].
  destruct ((drawn + 1) * 2 ^ scale b <=? fst e * 2 ^ digits)%Z eqn:reaches; [|discriminate]. cbn [andb].
  destruct (Forall2_nth _ _ _ enc _ _ found) as (x & found' & lower & upper).
  apply Z.leb_le, dyadic_le in reaches; auto. intros E.
  assert (begins : before_place 0 Fs place' <= dyadic drawn digits).
  { destruct place' as [|prior]; simpl.
    - unfold dyadic. apply Rmult_le_pos; [now apply IZR_le | left; now apply Rinv_0_lt_compat, power_positive].
    - destruct (nth_error (ends b) prior) as [e'|] eqn:found''; [|discriminate].
      destruct (not_above b (snd e') drawn digits) eqn:not_above'; [|discriminate].
      apply not_above_le in not_above'; auto.
      destruct (Forall2_nth _ _ _ enc _ _ found'') as (y & Hy & _ & upper').
      rewrite (nth_error_nth _ _ _ Hy). lra. }
  destruct place' as [|prior].
  - injection E as <-. exists x. repeat split; auto; lra.
  - destruct (nth_error (ends b) prior) as [e'|]; [|discriminate].
    destruct (not_above b (snd e') drawn digits); [|discriminate]. injection E as <-. exists x. repeat split; auto. lra.
Qed.

(** The interval from a to c is farther than w from every cumulative probability. *)
Definition far_from_all (w a c : R) : Prop := Forall (fun x => x <= a - w \/ c + w <= x) Fs.

(** Those far below come before those far above. *)
Lemma far_split w a c : 0 <= w -> a <= c -> far_from_all w a c ->
  exists n, (n <= length Fs)%nat
    /\ forall i x, nth_error Fs i = Some x -> if (i <? n)%nat then x <= a - w else c + w <= x.
Proof.
  intros Hw le. unfold far_from_all. revert up. generalize 0 as before. clear enclose.
  induction Fs as [|y rest IH]; intros before up' far.
  - exists O. split; [simpl; lia|]. intros [|i] x found; discriminate.
  - simpl in up'. destruct up' as [_ up'']. inversion_clear far as [|? ? here far'].
    destruct (Rle_dec y (a - w)) as [low|high].
    + destruct (IH y up'' far') as (n & Hn & spec). exists (S n). split; [simpl; lia|].
      intros [|i] x found; simpl in found; [injection found as <-; exact low|].
      change (S i <? S n)%nat with (i <? n)%nat. now apply spec.
    + exists O. split; [simpl; lia|]. intros [|i] x found; simpl in found; [injection found as <-; simpl; lra|].
      simpl. destruct (ascending_range y rest up'') as [_ all]. rewrite Forall_forall in all.
      specialize (all x (nth_error_In _ _ found)). lra.
Qed.
Lemma last_is_one : exists i, nth_error Fs i = Some 1.
Proof.
  assert (general : forall before, before <> 1 -> ascending before Fs -> exists i, nth_error Fs i = Some 1).
  { clear. induction Fs as [|x rest IH]; intros before other; simpl; [tauto|]. intros [_ up].
    destruct (Req_dec x 1) as [->|other']; [exists O; reflexivity|].
    destruct (IH x other' up) as [i found]. exists (S i). exact found. }
  apply (general 0); [lra | exact up].
Qed.

(** Far from all cumulative probabilities, the bounds decide. *)
Lemma decision_made w b drawn digits : (0 <= scale b)%Z -> Forall2 (encloses (scale b)) (ends b) Fs ->
  Forall (width_at_most w (scale b)) (ends b) -> 0 <= w -> (0 <= digits)%Z -> (drawn + 1 <= 2 ^ digits)%Z ->
  far_from_all w (dyadic drawn digits) (dyadic (drawn + 1) digits) ->
  exists place, decision partition_point b drawn digits = Some place.
Proof.
  intros Hs enc widths Hw Hd Hdrawn far.
  set (a := dyadic drawn digits) in *. set (c := dyadic (drawn + 1) digits) in *.
  assert (length_ : a < c).
  { unfold a, c. rewrite dyadic_next by auto. pose proof (Rinv_0_lt_compat _ (power_positive digits Hd)). lra. }
  assert (c_one : c <= 1).
  { unfold c, dyadic. pose proof (power_positive digits Hd). apply Rmult_le_reg_r with (IZR (2 ^ digits)); auto.
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra. now apply IZR_le. }
  destruct (far_split w a c Hw ltac:(lra) far) as (n & Hn & spec).
  assert (same_length : length (ends b) = length Fs) by (clear - enc; induction enc; simpl; auto).
  assert (each : forall i e, nth_error (ends b) i = Some e ->
    not_above b (snd e) drawn digits = (i <? n)%nat /\ ((n <= i)%nat -> c <= dyadic (fst e) (scale b))).
  { intros i e found. destruct (Forall2_nth _ _ _ enc _ _ found) as (x & found' & lower & upper).
    rewrite Forall_forall in widths. specialize (widths e (nth_error_In _ _ found)). unfold width_at_most in widths.
    specialize (spec i x found'). destruct (Nat.ltb_spec i n).
    - split; [|lia]. apply not_above_le; auto. fold a. lra.
    - split; [|intros _; lra]. destruct (not_above b (snd e) drawn digits) eqn:E; auto.
      apply not_above_le in E; auto. fold a in E. lra. }
  assert (place_is : partition_point (fun e => not_above b (snd e) drawn digits) (ends b) = n).
  { apply partition_point_right; [lia|]. intros i e found. apply (each i e found). }
  assert (n_small : (n < length Fs)%nat).
  { destruct last_is_one as [i found]. specialize (spec i 1 found). destruct (Nat.ltb_spec i n); [lra|].
    assert (i < length Fs)%nat by (apply nth_error_Some; congruence). lia. }
  unfold decision. rewrite place_is.
  destruct (nth_error (ends b) n) as [e|] eqn:found; [|apply nth_error_None in found; lia].
  destruct (each n e found) as [_ reaches]. specialize (reaches (Nat.le_refl _)).
  assert (reaches' : ((drawn + 1) * 2 ^ scale b <=? fst e * 2 ^ digits)%Z = true) by (apply Z.leb_le, dyadic_le; auto).
  rewrite reaches'. destruct n as [|prior]; [now exists O|].
  destruct (nth_error (ends b) prior) as [e'|] eqn:found'; [|apply nth_error_None in found'; lia].
  destruct (each prior e' found') as [before' _]. rewrite before'.
  replace (prior <? S prior)%nat with true by (symmetry; apply Nat.ltb_lt; lia). now exists (S prior).
Qed.

(** ** The loop gives each place no more than its share *)

Lemma asked_positive p : asked p -> (128 <= p)%Z.
Proof. intros [j ->]. pose proof (Z.pow_pos_nonneg 2 (Z.of_nat j)). nia. Qed.
Lemma asked_double p : asked p -> asked (p * 2).
Proof. intros [j ->]. exists (S j). rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. ring. Qed.
Lemma halves drawn digits : (0 <= digits)%Z ->
  dyadic (2 * drawn + 1 + 1) (digits + 1) = dyadic (drawn + 1) digits
  /\ dyadic (2 * drawn) (digits + 1) = dyadic drawn digits
  /\ dyadic drawn digits <= dyadic (2 * drawn + 1) (digits + 1) <= dyadic (drawn + 1) digits
  /\ IZR (2 ^ (digits + 1)) = 2 * IZR (2 ^ digits).
Proof.
  intros Hd. assert (next : (2 * drawn + 1 + 1 = 2 * (drawn + 1))%Z) by lia. rewrite next, !dyadic_double by auto.
  assert (twice : IZR (2 ^ (digits + 1)) = 2 * IZR (2 ^ digits)).
  { rewrite Z.pow_add_r, mult_IZR by lia. change (2 ^ 1)%Z with 2%Z. lra. }
  rewrite (dyadic_next (2 * drawn)), dyadic_double, dyadic_next, twice by lia.
  pose proof (Rinv_0_lt_compat _ (power_positive digits Hd)).
  assert (/ (2 * IZR (2 ^ digits)) = / 2 * / IZR (2 ^ digits)) by (apply Rinv_mult).
  repeat split; lra.
Qed.

Lemma invert_loop_below F : forall p drawn digits f,
  asked p -> (0 <= drawn)%Z -> (0 <= digits)%Z -> (forall i, 0 <= f i) ->
  expect (invert_loop partition_point cumulative F p (cumulative p) drawn digits) f
  <= IZR (2 ^ digits) * share (dyadic drawn digits) (dyadic (drawn + 1) digits) 0 Fs 0 f.
Proof.
  induction F as [|F IH]; intros p drawn digits f Hp Hdrawn Hd Hf; pose proof (power_positive digits Hd) as positive.
  - simpl. apply Rmult_le_pos; [lra | now apply share_nonneg].
  - cbn [invert_loop]. destruct (enclose p Hp) as [Hs enc].
    destruct (decision partition_point (cumulative p) drawn digits) as [place|] eqn:E.
    + destruct (decision_right _ _ _ _ Hs enc Hdrawn Hd E) as (x & found & to & from). cbn [expect].
      assert (lengths : dyadic (drawn + 1) digits - dyadic drawn digits = / IZR (2 ^ digits))
        by (rewrite dyadic_next by auto; lra).
      pose proof (Rinv_0_lt_compat _ positive).
      pose proof (share_of_place (dyadic drawn digits) (dyadic (drawn + 1) digits) Fs f ltac:(lra) Hf place 0 0%Z x
        found from to) as given.
      rewrite lengths, Z.add_0_l in given. apply (Rmult_le_compat_l (IZR (2 ^ digits))) in given; [|lra].
      rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l in given by lra. exact given.
    + cbn [expect]. destruct (halves drawn digits Hd) as (right_ & left_ & middle & twice).
      set (go_on := invert_loop partition_point cumulative F).
      assert (next : forall bit, expect (if (p <? digits + 1 + 32)%Z
          then go_on (p * 2)%Z (cumulative (p * 2)%Z) (2 * drawn + Z.b2z bit)%Z (digits + 1)%Z
          else go_on p (cumulative p) (2 * drawn + Z.b2z bit)%Z (digits + 1)%Z) f
        <= IZR (2 ^ (digits + 1)) * share (dyadic (2 * drawn + Z.b2z bit) (digits + 1))
             (dyadic (2 * drawn + Z.b2z bit + 1) (digits + 1)) 0 Fs 0 f).
      { intros bit. pose proof (asked_double p Hp).
        assert (0 <= 2 * drawn + Z.b2z bit)%Z by (destruct bit; cbn [Z.b2z]; lia).
        destruct (p <? digits + 1 + 32)%Z; apply IH; auto; lia. }
      pose proof (next false) as zero. pose proof (next true) as one. cbn [Z.b2z] in zero, one.
      rewrite Z.add_0_r, left_, twice in zero. rewrite right_, twice in one.
      rewrite <- (share_halves (dyadic drawn digits) (dyadic (2 * drawn + 1) (digits + 1))) by auto. 
      cbn [Z.b2z]. rewrite Z.add_0_r. lra.
Qed.

(** ** The loop ends *)

(** How much of the interval from a to c is within d of a cumulative probability. *)
Definition near (d a c : R) : R := sumR (fun x => overlap a c (x - d) (x + d)) Fs.

Lemma near_nonneg d a c : 0 <= near d a c.
Proof.
  unfold near. clear. induction Fs as [|x rest IH]; simpl; [lra|]. pose proof (overlap_nonneg a c (x - d) (x + d)). lra.
Qed.
Lemma near_halves d a m c : 0 <= d -> a <= m <= c -> near d a m + near d m c = near d a c.
Proof.
  intros Hd mid. unfold near. clear - Hd mid. induction Fs as [|x rest IH]; simpl; [lra|].
  rewrite <- IH, <- (overlap_halves a m c (x - d) (x + d)) by lra. lra.
Qed.
Lemma near_at_most d a c : 0 <= d -> near d a c <= INR (length Fs) * (2 * d).
Proof.
  intros Hd. unfold near. clear - Hd. induction Fs as [|x rest IH]; [simpl; lra|].
  change (length (x :: rest)) with (S (length rest)). rewrite S_INR. simpl sumR.
  pose proof (overlap_at_most a c (x - d) (x + d) ltac:(lra)). lra.
Qed.
Lemma near_one d a c x : In x Fs -> overlap a c (x - d) (x + d) <= near d a c.
Proof.
  unfold near. clear. induction Fs as [|y rest IH]; simpl; [tauto|].
  pose proof (overlap_nonneg a c (y - d) (y + d)). intros [->|member].
  - assert (0 <= sumR (fun x => overlap a c (x - d) (x + d)) rest); [|lra].
    clear. induction rest as [|y rest IH]; simpl; [lra|]. pose proof (overlap_nonneg a c (y - d) (y + d)). lra.
  - specialize (IH member). lra.
Qed.

(** After N digits, with bounds no wider than w, only intervals near a cumulative probability are undecided. *)
Lemma invert_loop_undecided N w : 0 <= w ->
  (forall p, asked p -> (N + 32 <= p)%Z -> Forall (width_at_most w (scale (cumulative p))) (ends (cumulative p))) ->
  forall m p drawn digits, asked p -> (digits + 32 <= p)%Z -> (0 <= digits)%Z -> (0 <= drawn)%Z ->
  (drawn + 1 <= 2 ^ digits)%Z -> (N = digits + Z.of_nat m)%Z ->
  undecided (invert_loop partition_point cumulative (S m) p (cumulative p) drawn digits)
  <= IZR (2 ^ digits) * near (w + / IZR (2 ^ N)) (dyadic drawn digits) (dyadic (drawn + 1) digits).
Proof.
  intros Hw narrow. induction m as [|m IH]; intros p drawn digits Hp precise Hd Hdrawn Hdrawn' HN;
    pose proof (power_positive digits Hd) as positive;
    pose proof (near_nonneg (w + / IZR (2 ^ N)) (dyadic drawn digits) (dyadic (drawn + 1) digits)) as nonneg.
  - assert (N = digits) as -> by lia. destruct (enclose p Hp) as [Hs enc].
    set (t := invert_loop _ _ _ _ _ _ _). pose proof (undecided_bounds t) as at_most_one.
    assert (h_positive : 0 < / IZR (2 ^ digits)) by (now apply Rinv_0_lt_compat).
    set (h := / IZR (2 ^ digits)) in *. set (a := dyadic drawn digits) in *. set (c := dyadic (drawn + 1) digits) in *.
    assert (length_ : c - a = h) by (unfold a, c, h; rewrite dyadic_next by auto; lra).
    assert (either : {Forall (fun x => x <= a - w \/ c + w <= x) Fs}
                     + {Exists (fun x => ~ (x <= a - w \/ c + w <= x)) Fs}).
    { apply Forall_Exists_dec. intros x.
      destruct (Rle_dec x (a - w)) as [|]; [left; tauto|]. destruct (Rle_dec (c + w) x) as [|]; [left; tauto|].
      right. tauto. }
    destruct either as [far|close_].
    + destruct (decision_made w (cumulative p) drawn digits Hs enc (narrow p Hp precise) Hw Hd Hdrawn' far)
        as [place decided_].
      unfold t. cbn [invert_loop]. rewrite decided_. unfold undecided. simpl. nra.
    + apply Exists_exists in close_ as (x & member & close_).
      pose proof (near_one (w + h) a c x member) as one. rewrite overlap_inside in one by lra. rewrite length_ in one.
      apply (Rmult_le_compat_l (IZR (2 ^ digits))) in one; [|lra]. 
      unfold h in one at 1. rewrite Rinv_r in one by lra. lra.
  - set (fuel := S m) in *. cbn [invert_loop].
    destruct (decision partition_point (cumulative p) drawn digits) as [place|] eqn:E.
    + unfold undecided. simpl. nra.
    + destruct (halves drawn digits Hd) as (right_ & left_ & middle & twice).
      set (d := w + / IZR (2 ^ N)) in *.
      assert (d_nonneg : 0 <= d).
      { unfold d. pose proof (Rinv_0_lt_compat _ (power_positive N ltac:(lia))). lra. }
      set (go_on := invert_loop partition_point cumulative fuel).
      assert (next : forall bit, undecided (if (p <? digits + 1 + 32)%Z
          then go_on (p * 2)%Z (cumulative (p * 2)%Z) (2 * drawn + Z.b2z bit)%Z (digits + 1)%Z
          else go_on p (cumulative p) (2 * drawn + Z.b2z bit)%Z (digits + 1)%Z)
        <= IZR (2 ^ (digits + 1)) * near d (dyadic (2 * drawn + Z.b2z bit) (digits + 1))
             (dyadic (2 * drawn + Z.b2z bit + 1) (digits + 1))).
      { intros bit. pose proof (asked_double p Hp). pose proof (asked_positive p Hp).
        assert (0 <= 2 * drawn + Z.b2z bit)%Z by (destruct bit; cbn [Z.b2z]; lia).
        assert (2 * drawn + Z.b2z bit + 1 <= 2 ^ (digits + 1))%Z.
        { rewrite Z.pow_add_r by lia. change (2 ^ 1)%Z with 2%Z. destruct bit; cbn [Z.b2z]; lia. }
        destruct (Z.ltb_spec p (digits + 1 + 32)); apply IH; auto; lia. }
      assert (flip : forall k : bool -> tree Z, undecided (Flip k) = (undecided (k false) + undecided (k true)) / 2).
      { intros k. unfold undecided. simpl. lra. }
      rewrite flip. cbv beta zeta. pose proof (next false) as zero. pose proof (next true) as one.
      cbn [Z.b2z] in zero, one |- *. rewrite Z.add_0_r in zero |- *.
      rewrite left_, twice in zero. rewrite right_, twice in one.
      rewrite <- (near_halves d (dyadic drawn digits) (dyadic (2 * drawn + 1) (digits + 1))) by auto. lra.
Qed.

(** sample.exponential-mechanism: if the bounds are no wider than w where they are asked for after N digits, the
    inversion of k places is undecided after N digits with probability at most 2 k (w + 2^-N). *)
Theorem inversion_undecided (n : nat) w : 0 <= w ->
  (forall p, asked p -> (Z.of_nat n + 32 <= p)%Z ->
     Forall (width_at_most w (scale (cumulative p))) (ends (cumulative p))) ->
  undecided (invert partition_point cumulative (S n)) <= INR (length Fs) * (2 * (w + / 2 ^ n)).
Proof.
  intros Hw narrow. pose proof (invert_loop_undecided (Z.of_nat n) w Hw narrow n 128 0 0) as bound.
  specialize (bound (ex_intro _ O eq_refl) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(simpl; lia) ltac:(lia)).
  fold (invert partition_point cumulative (S n)) in bound. change (IZR (2 ^ 0)) with 1 in bound.
  rewrite <- pow_IZR in bound. assert (0 < / 2 ^ n) by (apply Rinv_0_lt_compat, pow_lt; lra).
  pose proof (near_at_most (w + / 2 ^ n) (dyadic 0 0) (dyadic (0 + 1) 0) ltac:(lra)). lra.
Qed.

Lemma invert_decided : decided (invert partition_point cumulative).
Proof.
  intros eps He. set (k := INR (length Fs)). assert (0 <= k) by apply pos_INR.
  set (w := eps / (4 * (k + 1))). assert (Hw : 0 < w) by (apply Rdiv_lt_0_compat; lra).
  destruct (shrink w Hw) as [P narrow].
  destruct (pow_lt_1_zero (/ 2) ltac:(rewrite Rabs_pos_eq; lra) w Hw) as [M HM].
  exists (S (M + Z.to_nat P))%nat. intros [|n] Hn; [lia|].
  assert (small : / 2 ^ n < w).
  { specialize (HM n ltac:(lia)). rewrite Rabs_pos_eq, pow_inv in HM by (apply pow_le; lra). exact HM. }
  pose proof (inversion_undecided n w ltac:(lra) ltac:(intros; apply narrow; auto; lia)) as bound. fold k in bound.
  unfold R_dist. rewrite Rminus_0_r, Rabs_pos_eq by apply undecided_bounds.
  assert (total : 4 * (k * w) + 4 * w = eps) by (unfold w; field; lra).
  assert (k * (2 * (w + / 2 ^ n)) <= k * (4 * w)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** No place gets more than its probability. *)
Lemma inversion_below : below (invert partition_point cumulative) (place_mean Fs).
Proof.
  intros F f Hf. unfold invert.
  pose proof (invert_loop_below F 128 0 0 f (ex_intro _ O eq_refl) ltac:(lia) ltac:(lia) Hf) as bound.
  unfold place_mean. replace (IZR (2 ^ 0)) with 1 in bound by reflexivity.
  replace (dyadic 0 0) with 0 in bound by (unfold dyadic; simpl; lra).
  replace (dyadic (0 + 1) 0) with 1 in bound by (unfold dyadic; simpl; lra). lra.
Qed.

(** sample.exponential-mechanism: if the bounds that are asked for enclose the cumulative probabilities
    F_1 <= ... <= F_k = 1 and shrink to points, inversion draws the place i with probability F_i - F_(i-1), and what is
    undecided after j digits tends to 0. *)
Theorem inversion_law : has_law Z.eq_dec (invert partition_point cumulative) (place_probability Fs).
Proof.
  eapply has_law_ext; [intros i; apply place_mean_at, up|].
  apply has_law_of_mean; [exact inversion_below | now apply mean_place_mean | exact invert_decided].
Qed.
End law.

(** ** A search that is right *)

Lemma first_failing_partitions : partitions first_failing.
Proof.
  intros passes l. induction l as [|e rest IH]; intros n Hn spec; simpl in *; [lia|].
  pose proof (spec O e eq_refl) as first. destruct n as [|n].
  - change (0 <? 0)%nat with false in first. now rewrite first.
  - change (0 <? S n)%nat with true in first. rewrite first. f_equal. apply IH; [lia|].
    intros i e' found. exact (spec (S i) e' found).
Qed.

(** The probability of a place in words: F_i - F_(i-1). *)
Lemma place_probability_is Fs (i : nat) : (i < length Fs)%nat ->
  place_probability Fs (Z.of_nat i) = nth i Fs 0 - match i with O => 0 | S prior => nth prior Fs 0 end.
Proof.
  intros Hi. unfold place_probability. replace (Z.of_nat i <? 0)%Z with false by (symmetry; apply Z.ltb_ge; lia).
  rewrite Nat2Z.id.
  enough (general : forall before i, (i < length Fs)%nat ->
    nth i (increments before Fs) 0 = nth i Fs 0 - match i with O => before | S prior => nth prior Fs 0 end).
  { now apply general. }
  clear. induction Fs as [|x rest IH]; intros before [|i] Hi; simpl in *; try lia; try lra.
  rewrite (IH x) by lia. destruct i; reflexivity.
Qed.

(** ** Such bounds exist for all cumulative probabilities: the integers around x 2^precision. *)
Definition nearest_bounds (Fs : list R) (p : Z) : enclosures :=
  {| scale := p; ends := map (fun x => let above := up (x * IZR (2 ^ p)) in (above - 1, above)%Z) Fs |}.
Lemma nearest_bounds_right Fs : bounds_enclose (nearest_bounds Fs) Fs /\ bounds_shrink (nearest_bounds Fs).
Proof.
  split.
  - intros p Hp. pose proof (asked_positive p Hp). split; [simpl; lia|]. simpl.
    pose proof (power_positive p ltac:(lia)) as positive. induction Fs as [|x rest IH]; simpl; constructor; auto.
    destruct (archimed (x * IZR (2 ^ p))) as [more less]. unfold encloses, dyadic. simpl. rewrite minus_IZR. split.
    + apply Rmult_le_reg_r with (IZR (2 ^ p)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
    + apply Rmult_le_reg_r with (IZR (2 ^ p)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - intros w Hw. destruct (pow_lt_1_zero (/ 2) ltac:(rewrite Rabs_pos_eq; lra) w Hw) as [M HM].
    exists (Z.of_nat M). intros p Hp enough. pose proof (asked_positive p Hp).
    apply Forall_forall. intros e member. simpl in member. apply in_map_iff in member as (x & <- & _).
    unfold width_at_most, dyadic. simpl. rewrite minus_IZR.
    specialize (HM (Z.to_nat p) ltac:(lia)). rewrite Rabs_pos_eq, pow_inv in HM by (apply pow_le; lra).
    replace (2 ^ Z.to_nat p)%R with (IZR (2 ^ p)) in HM by (rewrite pow_IZR, Z2Nat.id by lia; reflexivity).
    pose proof (power_positive p ltac:(lia)).
    replace (IZR (up (x * IZR (2 ^ p))) / IZR (2 ^ p) - (IZR (up (x * IZR (2 ^ p))) - 1) / IZR (2 ^ p))
      with (/ IZR (2 ^ p)) by (field; lra). lra.
Qed.
