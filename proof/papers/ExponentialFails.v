(** A cover on which the exponential mechanism fails (Appendix G).

    A set of unit vectors, pairwise at distance at least 1, of which one never errs and all others err on a quarter of
    the distribution at least, or on all of it, but are so many that the exponential mechanism chooses the good one with
    probability at most 1/2 as long as m <= (2/eps) ln(|C| - 1). The vectors are the words of a greedy code. For every
    dimension d = 4 k, not only 4, 8 and 12; the sizes of the code in these three, 16, 128 and 256, are computed. That
    the size is at least 2^((1 - H(1/4)) d) is left out: the sum of binomials stands instead, as on the page.

    Claims: bms22.lemG_1.
*)
Require Import Reals Lra Lia List Bool Arith. Import ListNotations.
From DpAssay Require Import Privacy Neighbours ExponentialMechanism Events HammingBalls DataLosses MarginErrors.
From DpAssay Require Import LeastLosses GibbsLearner.
Open Scope R_scope.

(** * The exponential mechanism on a good hypothesis and many others *)

(** Whatever the data, the good one is chosen with probability at most 1/(1 + others exp(-eps m/2)). *)
Lemma gibbs_one_among_many {H X} (wrong : H -> X -> bool) (good : H) (others : list H) some eps m (s : data X m)
    (is_good : H -> bool) : 0 <= eps -> is_good good = true -> (forall h, In h others -> is_good h = false) ->
  gibbs wrong (good :: others) some eps m s (fun h => indicator (is_good h))
    <= / (1 + INR (length others) * exp (- (eps * INR m / 2))).
Proof.
  intros He G O. unfold gibbs, by_loss, exponential. cbn [E finite].
  set (w := weight eps 1 (fun h => - errors (wrong h) m s)). unfold em. fold w. cbn [sum]. rewrite G.
  assert (none : sum (fun h => / (w good + sum w others) * w h * indicator (is_good h)) others = 0).
  { transitivity (sum (fun _ : H => 0) others); [|apply sum_0]. generalize (/ (w good + sum w others)). intros c.
    clear some. induction others as [|h l IH]; [reflexivity|]. cbn [sum]. rewrite (O h) by now left.
    rewrite IH by (intros; apply O; now right). simpl. lra. }
  rewrite none. cbn [indicator].
  assert (good_weight : 0 < w good <= 1).
  { split; [apply exp_pos|]. rewrite <- exp_0. unfold w, weight.
    pose proof (errors_range (wrong good) m s) as [R _].
    destruct (Rle_lt_or_eq_dec (eps * - errors (wrong good) m s / (2 * 1)) 0) as [L | ->]; [nra | | lra].
    left. now apply exp_increasing. }
  assert (many : INR (length others) * exp (- (eps * INR m / 2)) <= sum w others).
  { clear - He. induction others as [|h l IH]; [simpl; lra|].
    change (length (h :: l)) with (S (length l)). rewrite S_INR. cbn [sum].
    assert (exp (- (eps * INR m / 2)) <= w h); [|lra]. unfold w, weight.
    pose proof (errors_range (wrong h) m s) as [_ R].
    assert (L : - (eps * INR m / 2) <= eps * - errors (wrong h) m s / (2 * 1)) by nra.
    destruct L as [L | ->]; [left; now apply exp_increasing | lra]. }
  set (rest := INR (length others) * exp (- (eps * INR m / 2))) in *.
  assert (0 <= rest) by (apply Rmult_le_pos; [apply pos_INR | left; apply exp_pos]).
  apply Rmult_le_reg_r with ((1 + rest) * (w good + sum w others)); [apply Rmult_lt_0_compat; lra|].
  replace ((/ (w good + sum w others) * w good * 1 + 0) * ((1 + rest) * (w good + sum w others)))
    with (w good * (1 + rest)) by (field; lra).
  replace (/ (1 + rest) * ((1 + rest) * (w good + sum w others))) with (w good + sum w others) by (field; lra).
  nra.
Qed.

(** Where the number of records is at most (2/eps) ln(others), that is at most 1/2. *)
Lemma few_records others eps m : 0 < eps -> 0 < others -> INR m <= 2 / eps * ln others ->
  / (1 + others * exp (- (eps * INR m / 2))) <= 1 / 2.
Proof.
  intros He Ho H.
  assert (L : eps * INR m / 2 <= ln others).
  { apply (Rmult_le_compat_l (eps / 2)) in H; [|lra].
    replace (eps / 2 * (2 / eps * ln others)) with (ln others) in H by (field; lra). lra. }
  assert (M : exp (eps * INR m / 2) <= others).
  { rewrite <- (exp_ln others) by exact Ho. destruct L as [L | ->]; [left; now apply exp_increasing | lra]. }
  assert (1 <= others * exp (- (eps * INR m / 2))).
  { rewrite exp_Ropp. pose proof (exp_pos (eps * INR m / 2)) as P.
    apply Rmult_le_reg_r with (exp (eps * INR m / 2)); [exact P|]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  replace (1 / 2) with (/ 2) by lra. apply Rinv_le_contravar; lra.
Qed.

(** * The code *)

(** In the order of the list, a word is taken if it differs from all that were taken in at least D places. *)
Fixpoint greedy_code (D : nat) (taken words : list (list bool)) : list (list bool) :=
  match words with
  | [] => []
  | w :: rest =>
      if existsb (fun c => hamming c w <? D)%nat taken then greedy_code D taken rest
      else w :: greedy_code D (w :: taken) rest
  end.

(** Words of d letters, false for +1 and true for -1, in lexicographic order: the first is all +1. They differ in at
    least d/4 places. *)
Definition code (d : nat) : list (list bool) := greedy_code (d / 4) [] (cube d).

(** The unit vector of a word of d letters. *)
Definition word_vector (d : nat) (w : list bool) : vector := map (fun b => sign (negb b) / sqrt (INR d)) w.

(** The unit vector e_i of dimension d. *)
Fixpoint axis (d i : nat) : vector :=
  match d, i with
  | O, _ => []
  | S d', O => 1 :: repeat 0 d'
  | S d', S i' => 0 :: axis d' i'
  end.

(** The squared distance of two vectors. *)
Fixpoint distance2 (u v : vector) : R :=
  match u, v with
  | a :: u', b :: v' => (a - b) ^ 2 + distance2 u' v'
  | _, _ => 0
  end.

Lemma hamming_self w : hamming w w = 0%nat.
Proof. induction w as [|b w IH]; simpl; [reflexivity|]. now rewrite eqb_reflx. Qed.

Lemma cube_length d : forall w, In w (cube d) -> length w = d.
Proof.
  induction d as [|d IH]; simpl; intros w I; [now destruct I as [<- | []]|].
  apply in_app_or in I as [I | I]; apply in_map_iff in I as [v [<- J]]; simpl; auto.
Qed.

Lemma cube_all d : forall w, length w = d -> In w (cube d).
Proof.
  induction d as [|d IH]; intros w L; destruct w as [|b w]; try discriminate; simpl; [now left|].
  injection L as L. apply in_or_app. destruct b; [right | left]; apply in_map, IH, L.
Qed.

Lemma cube_first d : exists rest, cube d = repeat false d :: rest.
Proof.
  induction d as [|d [rest E]]; [now exists []|]. simpl. rewrite E. simpl. eexists. reflexivity.
Qed.

Lemma greedy_code_incl D : forall words taken, incl (greedy_code D taken words) words.
Proof.
  induction words as [|w rest IH]; intros taken c I; [exact I|]. cbn [greedy_code] in I.
  destruct (existsb _ taken); [right; now apply (IH taken)|].
  destruct I as [-> | I]; [now left | right; now apply (IH (w :: taken))].
Qed.

Lemma greedy_code_apart D : forall words taken,
  (forall c w, In c taken -> In w (greedy_code D taken words) -> (D <= hamming c w)%nat) /\
  ForallOrdPairs (fun c w => (D <= hamming c w)%nat) (greedy_code D taken words).
Proof.
  induction words as [|w rest IH]; intros taken; cbn [greedy_code]; [split; [intros ? ? ? [] | constructor]|].
  destruct (existsb (fun c => hamming c w <? D)%nat taken) eqn:B; [apply IH|].
  destruct (IH (w :: taken)) as [far apart]. split.
  - intros c v Ic [<- | Iv]; [|apply far; [now right | exact Iv]].
    destruct (hamming c w <? D)%nat eqn:N; [|now apply Nat.ltb_ge].
    assert (existsb (fun c => hamming c w <? D)%nat taken = true); [|congruence]. apply existsb_exists. now exists c.
  - constructor; [|exact apart]. apply Forall_forall. intros v Iv. apply far; [now left | exact Iv].
Qed.

Lemma greedy_code_maximal D : (0 < D)%nat -> forall words taken w, In w words ->
  exists c, In c (taken ++ greedy_code D taken words) /\ (hamming c w < D)%nat.
Proof.
  intros HD. induction words as [|v rest IH]; intros taken w I; [destruct I|]. cbn [greedy_code].
  destruct (existsb (fun c => hamming c v <? D)%nat taken) eqn:B.
  - destruct I as [-> | I]; [|now apply IH].
    apply existsb_exists in B as [c [Ic N]]. exists c. split; [apply in_or_app; now left | now apply Nat.ltb_lt].
  - destruct I as [-> | I].
    + exists w. rewrite hamming_self. split; [apply in_or_app; right; now left | exact HD].
    + destruct (IH (v :: taken) w I) as [c [Ic N]]. exists c. split; [|exact N].
      apply in_app_or in Ic. apply in_or_app. simpl in *. tauto.
Qed.

(** The bound of Gilbert and Varshamov: balls of radius D - 1 about the words of a maximal code cover the cube. *)
Lemma code_size d : (4 <= d)%nat ->
  2 ^ d <= INR (length (code d)) * INR (ball d (d / 4 - 1)).
Proof.
  intros Hd. assert (HD : (0 < d / 4)%nat) by (apply Nat.div_str_pos; lia).
  set (r := (d / 4 - 1)%nat). rewrite <- cube_size.
  assert (swap : sum (fun y => sum (fun c => HammingBalls.ind (hamming c y <=? r)) (code d)) (cube d)
    = INR (length (code d)) * INR (ball d r)).
  { assert (len : forall c, In c (code d) -> length c = d)
      by (intros c I; apply cube_length; now apply greedy_code_incl in I).
    revert len. generalize (code d). intros C len. induction C as [|c C IH].
    - simpl. rewrite sum_0. lra.
    - change (length (c :: C)) with (S (length C)). rewrite S_INR. cbn [sum].
      rewrite (sum_plus (fun y => HammingBalls.ind (hamming c y <=? r)) (fun y => sum _ C)).
      rewrite ball_size by (apply len; now left). rewrite IH by (intros; apply len; now right). lra. }
  rewrite <- swap.
  assert (covered : forall y, In y (cube d) -> 1 <= sum (fun c => HammingBalls.ind (hamming c y <=? r)) (code d)).
  { intros y I. destruct (greedy_code_maximal (d / 4) HD (cube d) [] y I) as [c [Ic N]].
    pose proof (sum_ge_term (fun c => HammingBalls.ind (hamming c y <=? r)) (code d) c) as one. cbv beta in one.
    assert (hit : (hamming c y <=? r)%nat = true) by (apply Nat.leb_le; unfold r; lia).
    rewrite hit in one. apply one; [|exact Ic]. intros x. unfold HammingBalls.ind.
    destruct (hamming x y <=? r)%nat; [apply Rle_0_1 | apply Rle_refl]. }
  revert covered. generalize (cube d). intros l covered. induction l as [|y l IH]; [simpl; lra|]. cbn [sum].
  pose proof (covered y (or_introl eq_refl)).
  assert (sum (fun _ : list bool => 1) l
          <= sum (fun y => sum (fun c => HammingBalls.ind (hamming c y <=? r)) (code d)) l)
    by (apply IH; intros; apply covered; now right).
  lra.
Qed.

Lemma word_distance d u v : (0 < d)%nat -> length u = length v ->
  distance2 (word_vector d u) (word_vector d v) = 4 * INR (hamming u v) / INR d.
Proof.
  intros Hd. revert v. assert (Hd' : 0 < INR d) by now apply lt_0_INR.
  assert (root : (/ sqrt (INR d)) ^ 2 = / INR d).
  { rewrite pow_inv. f_equal. now apply pow2_sqrt, Rlt_le. }
  induction u as [|a u IH]; intros [|b v] L; try discriminate; [simpl; field; lra|].
  injection L as L. unfold word_vector in *. cbn [map distance2 hamming]. rewrite (IH v L), plus_INR. unfold Rdiv.
  replace ((sign (negb a) * / sqrt (INR d) - sign (negb b) * / sqrt (INR d)) ^ 2)
    with ((sign (negb a) - sign (negb b)) ^ 2 * (/ sqrt (INR d)) ^ 2) by (simpl; lra).
  rewrite root. destruct a, b; simpl; lra.
Qed.

Lemma word_unit d w : (0 < d)%nat -> length w = d -> inner (word_vector d w) (word_vector d w) = 1.
Proof.
  intros Hd L. assert (Hd' : 0 < INR d) by now apply lt_0_INR.
  assert (general : forall v, inner (word_vector d v) (word_vector d v) = INR (length v) / INR d).
  { assert (root : / sqrt (INR d) * / sqrt (INR d) = / INR d).
    { rewrite <- Rinv_mult. f_equal. now apply sqrt_sqrt, Rlt_le. }
    induction v as [|b v IH]; [simpl; field; lra|]. change (length (b :: v)) with (S (length v)). rewrite S_INR.
    unfold word_vector in *. cbn [map inner]. rewrite IH. unfold Rdiv.
    replace (sign (negb b) * / sqrt (INR d) * (sign (negb b) * / sqrt (INR d)))
      with ((sign (negb b)) ^ 2 * (/ sqrt (INR d) * / sqrt (INR d))) by (simpl; lra).
    rewrite root. destruct b; simpl; lra. }
  rewrite general, L. unfold Rdiv. apply Rinv_r. lra.
Qed.

(** The word w errs on e_i, labelled +1, where its letter is true. *)
Lemma word_error d w i : (0 < d)%nat -> length w = d -> (i < d)%nat ->
  halfspace_error (word_vector d w) (axis d i, true) = nth i w false.
Proof.
  intros Hd L Hi. assert (Hd' : 0 < sqrt (INR d)) by (apply sqrt_lt_R0; now apply lt_0_INR).
  assert (value : forall n v j, length v = n -> (j < n)%nat ->
    inner (word_vector d v) (axis n j) = sign (negb (nth j v false)) / sqrt (INR d)).
  { induction n as [|n IH]; intros v j Lv Hj; [lia|]. destruct v as [|b v]; [discriminate|]. injection Lv as Lv.
    destruct j as [|j]; cbn [word_vector map axis inner nth]; fold (word_vector d v).
    - assert (zero : forall n v, inner v (repeat 0 n) = 0).
      { clear. induction n as [|n IH]; intros [|a v]; simpl; try lra. rewrite IH. lra. }
      rewrite zero. lra.
    - rewrite IH by (auto; lia). lra. }
  unfold halfspace_error, margin_error. cbn [fst snd]. rewrite (value d w i L Hi).
  apply Rinv_0_lt_compat in Hd'. unfold Rdiv.
  destruct (nth i w false); cbn [negb sign]; [apply at_most_true | apply at_most_false]; lra.
Qed.

(** * The first distribution: the unit vectors of the axes, labelled +1 *)

(** e_i with i uniform below d = N + 1, labelled +1. *)
Definition axes (N : nat) : law (vector * bool) :=
  relabel (fun i => (axis (S N) i, true)) (finite (fun _ => / INR (S N)) (seq 0 (S N)) (inv_pos N) (inv_sum N)).

(** The probability that the halfspace of a vector errs. *)
Definition risk (records : law (vector * bool)) (v : vector) : R :=
  records (fun r => indicator (halfspace_error v r)).

(** A word errs with probability (number of places in which it differs from the all +1 word)/d. *)
Lemma word_risk N w : length w = S N ->
  risk (axes N) (word_vector (S N) w) = INR (hamming (repeat false (S N)) w) / INR (S N).
Proof.
  intros L. set (d := S N) in *. unfold risk, axes. cbn [E then_ relabel unit_law finite]. fold d.
  rewrite sum_scal. unfold Rdiv. rewrite Rmult_comm. f_equal.
  assert (letters : forall v, sum (fun i => indicator (nth i v false)) (seq 0 (length v))
    = INR (hamming (repeat false (length v)) v)).
  { induction v as [|b v IH]; [reflexivity|]. cbn [length seq repeat hamming sum nth]. rewrite plus_INR, <- IH.
    rewrite <- seq_shift, sum_map. destruct b; simpl; lra. }
  pose proof (letters w) as all. rewrite L in all. rewrite <- all.
  assert (each : forall l, (forall i, In i l -> (i < d)%nat) ->
    sum (fun i => indicator (halfspace_error (word_vector d w) (axis d i, true))) l
      = sum (fun i => indicator (nth i w false)) l).
  { induction l as [|i l IH]; intros H; [reflexivity|]. cbn [sum].
    rewrite IH by (intros; apply H; now right). rewrite word_error; auto; [unfold d; lia | apply H; now left]. }
  apply each. intros i I. apply in_seq in I. lia.
Qed.

(** The code of the page has 16, 128 and 256 words in 4, 8 and 12 dimensions. *)
Lemma code_sizes : length (code 4) = 16%nat /\ length (code 8) = 128%nat /\ length (code 12) = 256%nat.
Proof. vm_compute. auto. Qed.

(** Whether a word is the all +1 word. *)
Definition all_plus (w : list bool) : bool := forallb negb w.

Lemma all_plus_repeat d : all_plus (repeat false d) = true.
Proof. induction d; simpl; auto. Qed.

Lemma all_plus_spec d w : length w = d -> all_plus w = true -> w = repeat false d.
Proof.
  intros <-. induction w as [|b w IH]; simpl; [reflexivity|]. intros H. apply andb_prop in H as [B H].
  destruct b; [discriminate|]. f_equal. auto.
Qed.

Lemma hamming_all_true n : hamming (repeat false n) (repeat true n) = n.
Proof. induction n as [|n IH]; simpl; [reflexivity|]. now rewrite IH. Qed.

(** The code is the all +1 word and at least one other. *)
Lemma code_first d : (4 <= d)%nat -> exists others, code d = repeat false d :: others /\ others <> [].
Proof.
  intros Hd. assert (HD : (0 < d / 4)%nat) by (apply Nat.div_str_pos; lia).
  assert (Hlt : (d / 4 < d)%nat) by (apply Nat.div_lt; lia).
  destruct (greedy_code_maximal (d / 4) HD (cube d) [] (repeat true d)) as [c [Ic N]];
    [apply cube_all, repeat_length|].
  unfold code in *. destruct (cube_first d) as [rest E]. rewrite E in *. cbn [greedy_code existsb app] in *.
  eexists. split; [reflexivity|]. intros none. rewrite none in Ic.
  destruct Ic as [<- | []]. rewrite hamming_all_true in N. lia.
Qed.

Lemma at_least_quarter a n m : 0 < m -> n = 4 * m -> m <= a -> 1 / 4 <= a / n.
Proof.
  intros Hm -> H. apply Rmult_le_reg_r with (4 * m); [lra|]. unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** bms22.lemG_1: for every d = 4 (k + 1) the words of the code are unit vectors, pairwise at distance at least 1; the
    first never errs on the axes, and every other errs with probability at least 1/4; there are at least
    2^d/(C(d,0) + ... + C(d,k)) of them; and for m <= (2/eps) ln(|C| - 1), on every dataset of m records, the
    exponential mechanism on them chooses the first with probability at most 1/2. *)
Theorem exponential_mechanism_fails k (some : code (4 * S k) <> []) :
  let d := (4 * S k)%nat in
  let vector_of := word_vector d in
  (forall w, In w (code d) -> inner (vector_of w) (vector_of w) = 1) /\
  ForallOrdPairs (fun u v => 1 <= distance2 (vector_of u) (vector_of v)) (code d) /\
  (exists others, code d = repeat false d :: others /\
    risk (axes (pred d)) (vector_of (repeat false d)) = 0 /\
    forall w, In w others -> 1 / 4 <= risk (axes (pred d)) (vector_of w)) /\
  2 ^ d / INR (sum_to (binom d) k) <= INR (length (code d)) /\
  forall eps m (s : data (vector * bool) m), 0 < eps -> INR m <= 2 / eps * ln (INR (length (code d)) - 1) ->
    gibbs (fun w => halfspace_error (vector_of w)) (code d) some eps m s (fun w => indicator (all_plus w)) <= 1 / 2.
Proof.
  intros d vector_of. assert (Hd : (4 <= d)%nat) by (unfold d; lia).
  assert (Hd' : 0 < INR d) by (apply lt_0_INR; lia).
  assert (quarter : (d / 4)%nat = S k) by (unfold d; rewrite Nat.mul_comm; apply Nat.div_mul; lia).
  assert (real : INR d = 4 * INR (S k)) by (unfold d; rewrite mult_INR; simpl INR at 1; lra).
  assert (Hk : 0 < INR (S k)) by (apply lt_0_INR; lia).
  assert (len : forall w, In w (code d) -> length w = d)
    by (intros w I; apply cube_length; now apply greedy_code_incl in I).
  assert (apart : ForallOrdPairs (fun u v => (S k <= hamming u v)%nat) (code d))
    by (rewrite <- quarter; apply greedy_code_apart).
  destruct (code_first d Hd) as [others [first more]].
  split; [intros w I; apply word_unit; [lia | now apply len]|]. split; [|split; [|split]].
  - clear - apart len Hd Hd' Hk real. induction apart as [|w C far _ IH]; constructor.
    + rewrite Forall_forall in *. intros v I. specialize (far v I).
      unfold vector_of. rewrite word_distance; [|lia | rewrite !len; auto; [now right | now left]].
      apply le_INR in far. apply Rmult_le_reg_r with (INR d); [exact Hd'|].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
    + apply IH. intros v I. apply len. now right.
  - exists others. split; [exact first|]. rewrite first in apart. inversion apart as [|? ? far _]; subst.
    change d with (S (pred d)). unfold vector_of. split.
    + rewrite word_risk by apply repeat_length. rewrite hamming_self. change (INR 0) with 0. unfold Rdiv. lra.
    + intros w I. rewrite Forall_forall in far. specialize (far w I). change d with (S (pred d)).
      rewrite word_risk by (apply len; rewrite first; now right). apply le_INR in far.
      apply at_least_quarter with (INR (S k)); [exact Hk | exact real | exact far].
  - rewrite <- ball_binom. pose proof (code_size d Hd) as G. rewrite quarter in G. simpl Nat.sub in G.
    rewrite Nat.sub_0_r in G. assert (0 < INR (ball d k)) by (apply lt_0_INR, ball_pos).
    apply Rmult_le_reg_r with (INR (ball d k)); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - intros eps m s He Hm.
    assert (count : INR (length (code d)) - 1 = INR (length others)).
    { rewrite first. change (length (repeat false d :: others)) with (S (length others)). rewrite S_INR. lra. }
    rewrite count in Hm.
    assert (pos : 0 < INR (length others)) by (apply lt_0_INR; destruct others; [congruence | simpl; lia]).
    eapply Rle_trans; [|exact (few_records (INR (length others)) eps m He pos Hm)].
    assert (distinct : forall w, In w others -> all_plus w = false).
    { intros w I. destruct (all_plus w) eqn:P; [|reflexivity]. exfalso.
      rewrite first in apart. inversion apart as [|? ? far _]; subst.
      rewrite Forall_forall in far. specialize (far w I).
      rewrite (all_plus_spec d w), hamming_self in far; [lia | | exact P]. apply len. rewrite first. now right. }
    revert some. fold d. rewrite first. intros some.
    apply gibbs_one_among_many; [lra | apply all_plus_repeat | exact distinct].
Qed.

(** * The second distribution: one point, at which the good vector has margin 1 *)

(** The words beside a coordinate of their own, in which they are 0; None is the unit vector of that coordinate. *)
Definition beside (d : nat) (w : option (list bool)) : vector :=
  match w with
  | None => 1 :: repeat 0 d
  | Some w => 0 :: word_vector d w
  end.

(** All records are this one: the unit vector of that coordinate, labelled +1. *)
Definition one_record (d : nat) : vector * bool := (1 :: repeat 0 d, true).

Definition is_none {A} (w : option A) : bool := match w with None => true | Some _ => false end.

Lemma zeros_inner d v : inner v (repeat 0 d) = 0 /\ inner (repeat 0 d) v = 0.
Proof.
  revert v. induction d as [|d IH]; intros [|a v]; simpl; try lra. destruct (IH v). lra.
Qed.

Lemma distance2_pos u : forall v, 0 <= distance2 u v.
Proof.
  induction u as [|a u IH]; intros [|b v]; cbn [distance2]; try lra.
  pose proof (pow2_ge_0 (a - b)). specialize (IH v). lra.
Qed.

Lemma beside_error d w : halfspace_error (beside d w) (one_record d) = negb (is_none w).
Proof.
  unfold halfspace_error, margin_error, one_record, beside. cbn [fst snd sign].
  destruct w as [w|]; cbn [inner is_none negb]; rewrite (proj1 (zeros_inner d _));
    [apply at_most_true | apply at_most_false]; lra.
Qed.

(** Where the good one never errs on the data and the others always do, the bound is attained. *)
Lemma gibbs_one_exact {H X} (wrong : H -> X -> bool) (good : H) (others : list H) some eps m (s : data X m)
    (is_good : H -> bool) : is_good good = true -> (forall h, In h others -> is_good h = false) ->
  errors (wrong good) m s = 0 -> (forall h, In h others -> errors (wrong h) m s = INR m) ->
  gibbs wrong (good :: others) some eps m s (fun h => indicator (is_good h))
    = / (1 + INR (length others) * exp (- (eps * INR m / 2))).
Proof.
  intros G O Eg Eo. unfold gibbs, by_loss, exponential. cbn [E finite].
  set (w := weight eps 1 (fun h => - errors (wrong h) m s)). unfold em. fold w. cbn [sum]. rewrite G.
  assert (good_weight : w good = 1).
  { unfold w, weight. rewrite Eg. replace (eps * - 0 / (2 * 1)) with 0 by lra. apply exp_0. }
  assert (rest : sum w others = INR (length others) * exp (- (eps * INR m / 2)) /\
    forall c, sum (fun h => c * w h * indicator (is_good h)) others = 0).
  { clear some. induction others as [|h l IH]; [split; intros; simpl; lra|].
    destruct IH as [IH none]; [intros; apply O; now right | intros; apply Eo; now right|].
    change (length (h :: l)) with (S (length l)). rewrite S_INR. cbn [sum]. rewrite IH, (O h) by now left. split.
    - unfold w at 1, weight. rewrite (Eo h) by now left.
      replace (eps * - INR m / (2 * 1)) with (- (eps * INR m / 2)) by lra. lra.
    - intros c. rewrite none. simpl. lra. }
  destruct rest as [total none]. rewrite none, good_weight, total. simpl. lra.
Qed.

(** bms22.lemG_1: with margin 1, for every d = 4 (k + 1) the words beside a coordinate of their own, and the unit vector
    of that coordinate, are unit vectors, pairwise at distance at least 1; on the law of one record the last has margin
    1 and never errs, and all others always err; on m such records the exponential mechanism chooses it with probability
    1/(1 + (|C| - 1) exp(-eps m/2)), which for m <= (2/eps) ln(|C| - 1) is at most 1/2. *)
Theorem exponential_mechanism_fails_at_margin_1 k :
  let d := (4 * S k)%nat in
  let C := None :: map Some (code d) in
  forall some : C <> [],
  (forall w, In w C -> inner (beside d w) (beside d w) = 1) /\
  ForallOrdPairs (fun u v => 1 <= distance2 (beside d u) (beside d v)) C /\
  inner (beside d None) (fst (one_record d)) = 1 /\
  risk (unit_law (one_record d)) (beside d None) = 0 /\
  (forall w, In (Some w) C -> risk (unit_law (one_record d)) (beside d (Some w)) = 1) /\
  2 ^ d / INR (sum_to (binom d) k) <= INR (length C) - 1 /\
  forall eps m, 0 < eps ->
    let chosen := gibbs (fun w => halfspace_error (beside d w)) C some eps m (same (one_record d) m)
      (fun w => indicator (is_none w)) in
    chosen = / (1 + (INR (length C) - 1) * exp (- (eps * INR m / 2))) /\
    (INR m <= 2 / eps * ln (INR (length C) - 1) -> chosen <= 1 / 2).
Proof.
  intros d C some. assert (Hd : (4 <= d)%nat) by (unfold d; lia).
  destruct (code_first d Hd) as [others [first more]].
  assert (code_some : code (4 * S k) <> []) by (fold d; rewrite first; discriminate).
  destruct (exponential_mechanism_fails k code_some) as [units [apart [_ [size _]]]]. fold d in units, apart, size.
  assert (count : INR (length C) - 1 = INR (length (code d))).
  { unfold C. cbn [length]. rewrite S_INR, map_length. lra. }
  split; [|split; [|split; [|split; [|split; [|split]]]]].
  - intros w [<- | I]; [cbn [beside inner]; rewrite (proj1 (zeros_inner d _)); lra|].
    apply in_map_iff in I as [v [<- J]]. cbn [beside inner]. rewrite (units v J). lra.
  - unfold C. constructor.
    + apply Forall_forall. intros w I. apply in_map_iff in I as [v [<- _]]. cbn [beside distance2].
      pose proof (distance2_pos (repeat 0 d) (word_vector d v)). lra.
    + clear - apart. induction apart as [|w l far _ IH]; cbn [map]; constructor; [|exact IH].
      rewrite Forall_forall in *. intros v I. apply in_map_iff in I as [x [<- J]]. specialize (far x J).
      cbn [beside distance2]. lra.
  - cbn [beside one_record fst inner]. rewrite (proj1 (zeros_inner d _)). lra.
  - unfold risk. cbn [E unit_law]. now rewrite beside_error.
  - intros w _. unfold risk. cbn [E unit_law]. now rewrite beside_error.
  - rewrite count. exact size.
  - intros eps m He chosen. unfold chosen, C.
    assert (exact_probability : chosen = / (1 + INR (length (map Some (code d))) * exp (- (eps * INR m / 2)))).
    { unfold chosen, C. apply gibbs_one_exact; [reflexivity | | |].
      - intros h I. apply in_map_iff in I as [v [<- _]]. reflexivity.
      - unfold errors. rewrite total_loss_same, beside_error. simpl. lra.
      - intros h I. apply in_map_iff in I as [v [<- _]]. unfold errors.
        rewrite total_loss_same, beside_error. simpl. lra. }
    fold C. fold chosen. rewrite count, exact_probability, map_length. split; [reflexivity|].
    apply few_records; [exact He|]. apply lt_0_INR. rewrite first. simpl. lia.
Qed.
