(** Private labels on public features.

    A record is a pair of features and a label. The hypotheses are finitely many real functions of the features, in
    public order. The learner covers them on the features of the data, truncated to [-rho, rho], and runs the
    exponential mechanism on the cover with the margin errors at rho/2. It is private if one label changes, for every
    cover that is a function of the features; it is not private if a whole record changes, for any epsilon. (The
    instance is on the line, with one record and two hypotheses: smaller than the page's.)
    Of Theorem 6.1: the transfer from the margin rho to rho/2, the size of the cover, and the errors of the choice on
    the data. Its last clause, the error on the distribution, is left out.

    Claims: bms22.alg_label.dp, bms22.alg_label.full, bms22.thm6_1.
*)
Require Import Reals Lra Lia List Bool. Import ListNotations.
From DpAssay Require Import Privacy Neighbours ExponentialMechanism DataLosses MarginErrors.
Open Scope R_scope.

(** * Labels *)

(** The features of the n records, without their labels. *)
Fixpoint features {F L} (n : nat) : data (F * L) n -> data F n :=
  match n with
  | O => fun _ => tt
  | S m => fun s => (fst (fst s), features m (snd s))
  end.

(** Label neighbours: the features are the same, and at most one label differs. *)
Fixpoint label_nb {F L} (n : nat) : data (F * L) n -> data (F * L) n -> Prop :=
  match n with
  | O => fun _ _ => True
  | S m => fun a b => (snd a = snd b /\ fst (fst a) = fst (fst b)) \/ (fst a = fst b /\ label_nb m (snd a) (snd b))
  end.

(** The points of a dataset, as a list. *)
Fixpoint points {F} (n : nat) : data F n -> list F :=
  match n with
  | O => fun _ => []
  | S m => fun s => fst s :: points m (snd s)
  end.

Lemma label_nb_features {F L} n : forall s t : data (F * L) n, label_nb n s t -> features n s = features n t.
Proof.
  induction n as [|m IH]; intros s t N; cbn [features]; [reflexivity|].
  destruct N as [[Same Feat] | [Same N]].
  - now rewrite Same, Feat.
  - now rewrite Same, (IH _ _ N).
Qed.

Lemma label_nb_nb {F L} n : forall s t : data (F * L) n, label_nb n s t -> nb n s t.
Proof.
  induction n as [|m IH]; intros s t N; [exact I|].
  destruct N as [[Same _] | [Same N]]; [now left | right; auto].
Qed.

(** * The learner *)

(** The value v, moved into [-rho, rho]. *)
Definition truncated (rho v : R) : R := Rmax (- rho) (Rmin rho v).

(** The exponential mechanism on a cover that is a function of the features, with the margin errors at rho/2. *)
Definition label_learner {F H} (value : H -> F -> R) rho eps n (cover : data F n -> list H)
    (some : forall x, cover x <> []) (s : data (F * bool) n) : law H :=
  by_loss (cover (features n s)) (some (features n s)) eps (fun c => margin_errors value (rho / 2) c n s).

(** Two hypotheses are near if, truncated, they are within less than rho/2 of each other on every point. *)
Definition near {F H} (value : H -> F -> R) rho (xs : list F) (g h : H) : bool :=
  forallb (fun x => negb (at_most (rho / 2) (Rabs (truncated rho (value g x) - truncated rho (value h x))))) xs.

(** The greedy cover: in public order, a hypothesis is taken unless one that was taken is near it. *)
Fixpoint greedy {F H} (value : H -> F -> R) rho (xs : list F) (taken hypotheses : list H) : list H :=
  match hypotheses with
  | [] => []
  | h :: rest =>
      if existsb (fun c => near value rho xs c h) taken then greedy value rho xs taken rest
      else h :: greedy value rho xs (h :: taken) rest
  end.

Definition greedy_cover {F H} (value : H -> F -> R) rho (hypotheses : list H) n (x : data F n) : list H :=
  greedy value rho (points n x) [] hypotheses.

Lemma greedy_cover_some {F H} (value : H -> F -> R) rho (hypotheses : list H) n : hypotheses <> [] ->
  forall x : data F n, greedy_cover value rho hypotheses n x <> [].
Proof. unfold greedy_cover. destruct hypotheses; [congruence|]. simpl. discriminate. Qed.

(** The learner of the page: the greedy cover of a list of hypotheses. *)
Definition greedy_learner {F H} (value : H -> F -> R) rho (hypotheses : list H) (some : hypotheses <> []) eps n :=
  label_learner value rho eps n (greedy_cover value rho hypotheses n)
    (greedy_cover_some (F := F) value rho hypotheses n some).

(** * Privacy of the labels *)

(** bms22.alg_label.dp: for datasets that differ in the label of one record the learner is (eps, 0)-differentially
    private, whatever function of the features the cover is. *)
Theorem label_learner_dp {F H} (value : H -> F -> R) rho eps n (cover : data F n -> list H) some : 0 <= eps ->
  dp (label_nb n) eps 0 (label_learner value rho eps n cover some).
Proof.
  intros He s t N. unfold label_learner. pose proof (label_nb_features n s t N) as Same.
  assert (all : forall x x' (p : cover x <> []) (p' : cover x' <> []), x = x' ->
    close eps 0 (by_loss (cover x) p eps (fun c => margin_errors value (rho / 2) c n s))
                (by_loss (cover x') p' eps (fun c => margin_errors value (rho / 2) c n t))).
  { intros x x' p p' ->. intros f Hf.
    (* The law does not depend on which proof says that the cover is not empty. *)
    apply (by_loss_close (cover x') p eps); auto.
    intros c. now apply errors_move, label_nb_nb. }
  now apply all.
Qed.

(** bms22.alg_label.dp: the same for the greedy cover of a finite list of hypotheses. *)
Corollary greedy_learner_dp {F H} (value : H -> F -> R) rho (hypotheses : list H) some eps n : 0 <= eps ->
  dp (label_nb n) eps 0 (greedy_learner (F := F) value rho hypotheses some eps n).
Proof. intros He. now apply label_learner_dp. Qed.

(** * No privacy of whole records *)

(** Hypotheses and points are real numbers, and w x is the value of w at x. At the margin 1 the hypotheses 0 and 1 are
    half a margin apart at the point 1, and equal at the point 0. *)
Definition line (w x : R) : R := w * x.
Definition zero_and_one : list R := [0; 1].
Lemma zero_and_one_some : zero_and_one <> [].
Proof. discriminate. Qed.

Lemma cover_at_one : greedy_cover line 1 zero_and_one 1 (features 1 ((1, true), tt)) = [0; 1].
Proof.
  unfold greedy_cover, zero_and_one. cbn [features points fst snd greedy existsb near forallb].
  replace (truncated 1 (line 0 1)) with 0
    by (unfold truncated, line, Rmin, Rmax; repeat (destruct (Rle_dec _ _); try lra)).
  replace (truncated 1 (line 1 1)) with 1
    by (unfold truncated, line, Rmin, Rmax; repeat (destruct (Rle_dec _ _); try lra)).
  replace (at_most (1 / 2) (Rabs (0 - 1))) with true; [reflexivity|].
  symmetry. apply at_most_true. rewrite Rabs_left by lra. lra.
Qed.

Lemma cover_at_zero : greedy_cover line 1 zero_and_one 1 (features 1 ((0, true), tt)) = [0].
Proof.
  unfold greedy_cover, zero_and_one. cbn [features points fst snd greedy existsb near forallb].
  replace (line 0 0) with 0 by (unfold line; lra). replace (line 1 0) with 0 by (unfold line; lra).
  replace (at_most (1 / 2) _) with false; [reflexivity|].
  symmetry. apply at_most_false. rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. lra.
Qed.

(** Whether the hypothesis 1 is chosen. *)
Definition is_one (w : R) : R := indicator (at_most 1 w).

Lemma one_possible eps : 0 < greedy_learner line 1 zero_and_one zero_and_one_some eps 1 ((1, true), tt) is_one.
Proof.
  unfold greedy_learner, label_learner, by_loss, exponential. cbn [E finite].
  rewrite cover_at_one. cbn [sum].
  set (q := fun o : R => - _). unfold is_one.
  replace (at_most 1 0) with false by (symmetry; apply at_most_false; lra).
  replace (at_most 1 1) with true by (symmetry; apply at_most_true; lra). cbn [indicator].
  unfold em. pose proof (total [0; 1] ltac:(discriminate) eps 1 q) as W. apply Rinv_0_lt_compat in W.
  assert (P : 0 < weight eps 1 q 1) by apply exp_pos.
  pose proof (Rmult_lt_0_compat _ _ W P). lra.
Qed.

Lemma one_impossible eps : greedy_learner line 1 zero_and_one zero_and_one_some eps 1 ((0, true), tt) is_one = 0.
Proof.
  unfold greedy_learner, label_learner, by_loss, exponential. cbn [E finite].
  rewrite cover_at_zero. cbn [sum]. unfold is_one.
  replace (at_most 1 0) with false by (symmetry; apply at_most_false; lra). cbn [indicator]. lra.
Qed.

(** bms22.alg_label.full: there are hypotheses on the line and two datasets of one record that differ in that record,
    such that at every eps, at the margin 1, an event has positive probability on the one and none on the other. *)
Theorem greedy_learner_impossible : exists (hypotheses : list R) (some : hypotheses <> []) (s t : data (R * bool) 1) f,
  nb 1 s t /\ test f /\ forall eps,
  0 < greedy_learner line 1 hypotheses some eps 1 s f /\ greedy_learner line 1 hypotheses some eps 1 t f = 0.
Proof.
  exists zero_and_one, zero_and_one_some, ((1, true), tt), ((0, true), tt), is_one.
  split; [now left|]. split; [apply test_indicator|]. intros eps. split; [apply one_possible | apply one_impossible].
Qed.

(** bms22.alg_label.full: so, run at any eps, the learner is (eps', 0)-differentially private for whole records at no
    eps'. *)
Corollary greedy_learner_not_dp : exists (hypotheses : list R) (some : hypotheses <> []),
  forall eps eps', ~ dp (nb 1) eps' 0 (greedy_learner line 1 hypotheses some eps 1).
Proof.
  destruct greedy_learner_impossible as [hs [some [s [t [f [N [Tf H]]]]]]].
  exists hs, some. intros eps eps' D. specialize (D s t N f Tf). destruct (H eps) as [P Z].
  rewrite Z in D. lra.
Qed.

(** * Theorem 6.1 on the data *)

Lemma near_spec {F H} (value : H -> F -> R) rho xs g h : near value rho xs g h = true <->
  forall x, In x xs -> Rabs (truncated rho (value g x) - truncated rho (value h x)) < rho / 2.
Proof.
  unfold near. rewrite forallb_forall. split; intros A x I; specialize (A x I).
  - apply negb_true_iff, at_most_false in A. exact A.
  - apply negb_true_iff, at_most_false. exact A.
Qed.

Lemma near_refl {F H} (value : H -> F -> R) rho xs h : 0 < rho -> near value rho xs h h = true.
Proof.
  intros Hr. apply near_spec. intros x _. rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. lra.
Qed.

(** The greedy cover is made of hypotheses, and every hypothesis is near to an element of it. *)
Lemma greedy_covers {F H} (value : H -> F -> R) rho xs : 0 < rho -> forall hypotheses taken h, In h hypotheses ->
  exists c, In c (taken ++ greedy value rho xs taken hypotheses) /\ near value rho xs c h = true.
Proof.
  intros Hr. induction hypotheses as [|g rest IH]; intros taken h I; [destruct I|]. cbn [greedy].
  destruct (existsb (fun c => near value rho xs c g) taken) eqn:B.
  - destruct I as [-> | I]; [|now apply IH].
    apply existsb_exists in B as [c [Ic Nc]]. exists c. split; [apply in_or_app; now left | exact Nc].
  - destruct I as [-> | I].
    + exists h. split; [apply in_or_app; right; now left | now apply near_refl].
    + destruct (IH (g :: taken) h I) as [c [Ic Nc]]. exists c. split; [|exact Nc].
      apply in_app_or in Ic. apply in_or_app. simpl in *. tauto.
Qed.

Lemma greedy_incl {F H} (value : H -> F -> R) rho xs : forall hypotheses taken,
  incl (greedy value rho xs taken hypotheses) hypotheses.
Proof.
  induction hypotheses as [|g rest IH]; intros taken c I; [exact I|]. cbn [greedy] in I.
  destruct (existsb _ taken).
  - right. now apply (IH taken).
  - destruct I as [-> | I]; [now left | right; now apply (IH (g :: taken))].
Qed.

(** Where h has the margin rho, an element of the cover near h has the margin rho/2. *)
Lemma near_margin rho label v w : 0 < rho -> Rabs (truncated rho v - truncated rho w) < rho / 2 ->
  sign label * v <= rho / 2 -> sign label * w <= rho.
Proof.
  unfold truncated, sign, Rmin, Rmax. intros Hr N A. apply Rabs_def2 in N.
  destruct label; repeat (destruct (Rle_dec _ _); try lra).
Qed.

Lemma margin_errors_transfer {F H} (value : H -> F -> R) rho c h : 0 < rho -> forall n (s : data (F * bool) n),
  near value rho (points n (features n s)) c h = true ->
  margin_errors value (rho / 2) c n s <= margin_errors value rho h n s.
Proof.
  intros Hr. unfold margin_errors, errors. induction n as [|m IH]; intros s N; cbn [total_loss]; [lra|].
  assert (N' : near value rho (points m (features m (snd s))) c h = true)
    by (apply near_spec; intros x I; apply (proj1 (near_spec _ _ _ _ _) N); now right).
  specialize (IH (snd s) N'). apply near_spec with (x := fst (fst s)) in N; [|now left].
  assert (one : indicator (margin_error value (rho / 2) c (fst s)) <= indicator (margin_error value rho h (fst s))).
  { apply indicator_le. unfold margin_error. rewrite !at_most_true. now apply near_margin. }
  lra.
Qed.

Lemma best_hypothesis {A} (f : A -> R) (l : list A) : l <> [] -> exists a, In a l /\ forall b, In b l -> f a <= f b.
Proof.
  destruct l as [|a l]; [congruence|]. intros _. destruct (least_attained f a l) as [b [I L]].
  exists b. split; [exact I|]. intros c J. rewrite <- L. now apply least_le.
Qed.

Lemma greedy_cover_good {F H} (value : H -> F -> R) rho (hypotheses : list H) n (s : data (F * bool) n) :
  0 < rho -> hypotheses <> [] -> exists c, In c (greedy_cover value rho hypotheses n (features n s)) /\
  forall h, In h hypotheses -> margin_errors value (rho / 2) c n s <= margin_errors value rho h n s.
Proof.
  intros Hr some. destruct (best_hypothesis (fun h => margin_errors value rho h n s) hypotheses some) as [h [I best]].
  destruct (greedy_covers value rho (points n (features n s)) Hr hypotheses [] h I) as [c [Ic Nc]].
  exists c. split; [exact Ic|]. intros g J. eapply Rle_trans; [|apply (best g J)].
  now apply margin_errors_transfer.
Qed.

(** bms22.thm6_1: transfer: some element c of the cover has R_(rho/2)(c) <= R_rho(h) for all hypotheses h. *)
Theorem cover_transfer {F H} (value : H -> F -> R) rho (hypotheses : list H) n (s : data (F * bool) n) :
  0 < rho -> hypotheses <> [] -> (0 < n)%nat ->
  exists c, In c (greedy_cover value rho hypotheses n (features n s)) /\ In c hypotheses /\
  forall h, In h hypotheses -> margin_loss value (rho / 2) c n s <= margin_loss value rho h n s.
Proof.
  intros Hr some Hn. destruct (greedy_cover_good value rho hypotheses n s Hr some) as [c [I good]].
  exists c. split; [exact I|]. split; [now apply greedy_incl in I|].
  intros h J. apply share_le; auto.
Qed.

(** Two elements of the greedy cover are at least rho/2 apart at some point. *)
Lemma greedy_apart {F H} (value : H -> F -> R) rho xs : forall hypotheses taken,
  (forall c d, In c taken -> In d (greedy value rho xs taken hypotheses) -> near value rho xs c d = false) /\
  ForallOrdPairs (fun c d => near value rho xs c d = false) (greedy value rho xs taken hypotheses).
Proof.
  induction hypotheses as [|g rest IH]; intros taken; cbn [greedy]; [split; [intros ? ? ? [] | constructor]|].
  destruct (existsb (fun c => near value rho xs c g) taken) eqn:B; [apply IH|].
  destruct (IH (g :: taken)) as [far apart]. split.
  - intros c d Ic [<- | Id]; [|apply far; [now right | exact Id]].
    destruct (near value rho xs c g) eqn:N; [|reflexivity].
    rewrite <- B. symmetry. apply existsb_exists. now exists c.
  - constructor; [|exact apart]. apply Forall_forall. intros d Id. apply far; [now left | exact Id].
Qed.

Lemma greedy_size {F H} (value : H -> F -> R) rho xs (balls : list (F -> R)) : forall cover : list H,
  ForallOrdPairs (fun c d => near value rho xs c d = false) cover ->
  (forall c, In c cover -> exists g, In g balls /\
    forall x, In x xs -> Rabs (truncated rho (value c x) - g x) < rho / 4) ->
  (length cover <= length balls)%nat.
Proof.
  intros cover apart inside.
  assert (centres : exists l, length l = length cover /\ NoDup l /\ incl l balls /\ forall g, In g l -> exists c,
    In c cover /\ forall x, In x xs -> Rabs (truncated rho (value c x) - g x) < rho / 4).
  { clear - apart inside. induction cover as [|c cover IH].
    - exists []. repeat split; [constructor | intros g [] | intros g []].
    - inversion apart as [|? ? far apart']; subst.
      destruct (IH apart' (fun d I => inside d (or_intror I))) as [l [Len [Once [Sub Of]]]].
      destruct (inside c (or_introl eq_refl)) as [g [Ig near_g]].
      exists (g :: l). split; [simpl; congruence|]. split; [|split].
      + constructor; [|exact Once]. intros J. destruct (Of g J) as [d [Id near_d]].
        rewrite Forall_forall in far. specialize (far d Id).
        assert (both : near value rho xs c d = true); [|congruence]. apply near_spec. intros x Ix.
        specialize (near_g x Ix). specialize (near_d x Ix).
        apply Rabs_def2 in near_g. apply Rabs_def2 in near_d. apply Rabs_def1; lra.
      + intros k [<- | K]; auto.
      + intros k [<- | K]; [exists c; split; [now left | exact near_g]|].
        destruct (Of k K) as [d [Id N]]. exists d. split; [now right | exact N]. }
  destruct centres as [l [<- [Once [Sub _]]]]. now apply NoDup_incl_length.
Qed.

(** bms22.thm6_1: size: the cover has at most as many elements as any list of functions that has, for each truncated
    hypothesis, one within less than rho/4 on every point. *)
Theorem cover_size {F H} (value : H -> F -> R) rho (hypotheses : list H) n (x : data F n) (balls : list (F -> R)) :
  (forall h, In h hypotheses -> exists g, In g balls /\
    forall p, In p (points n x) -> Rabs (truncated rho (value h p) - g p) < rho / 4) ->
  (length (greedy_cover value rho hypotheses n x) <= length balls)%nat.
Proof.
  intros inside. apply greedy_size with (value := value) (rho := rho) (xs := points n x).
  - apply greedy_apart.
  - intros c I. apply inside. now apply greedy_incl in I.
Qed.

(** bms22.thm6_1: choice: with probability at least 1 - beta the chosen c has
    R_(rho/2)(c) <= R_rho(h) + (2/(eps n)) ln(|C|/beta) for every hypothesis h, |C| the size of the cover. *)
Theorem label_learner_utility {F H} (value : H -> F -> R) rho (h0 : H) (rest : list H) some eps beta n
    (s : data (F * bool) n) : 0 < rho -> 0 < eps -> 0 < beta -> (0 < n)%nat ->
  let size := INR (length (greedy_cover value rho (h0 :: rest) n (features n s))) in
  let bound := least (fun h => margin_loss value rho h n s) h0 rest + 2 / (eps * INR n) * ln (size / beta) in
  greedy_learner value rho (h0 :: rest) some eps n s
    (fun c => indicator (at_most (margin_loss value (rho / 2) c n s) bound)) >= 1 - beta.
Proof.
  intros Hr He Hb Hn size bound.
  destruct (greedy_cover_good value rho (h0 :: rest) n s Hr some) as [c0 [I good]].
  set (cover := greedy_cover value rho (h0 :: rest) n (features n s)) in *.
  set (t := 2 / eps * ln (size / beta)).
  assert (size_pos : 0 < size) by (apply lt_0_INR; fold cover; destruct cover; [destruct I | simpl; lia]).
  assert (tail : size * exp (- (eps * t / 2)) = beta).
  { replace (- (eps * t / 2)) with (- ln (size / beta)) by (unfold t; field; lra).
    rewrite exp_Ropp, exp_ln by (apply Rdiv_lt_0_compat; assumption). field. lra. }
  pose proof (by_loss_seldom_bad cover (greedy_cover_some value rho (h0 :: rest) n some (features n s)) eps
    (fun c => margin_errors value (rho / 2) c n s) c0 t (Rlt_le _ _ He) I) as U.
  fold size in U. cbv beta in U. rewrite tail in U. apply Rge_le in U. apply Rle_ge. eapply Rle_trans; [exact U|].
  apply E_mono; [apply test_bounded, test_indicator | apply test_bounded, test_indicator |].
  intros c. apply indicator_le. rewrite !at_most_true. intros A. unfold bound.
  destruct (least_attained (fun h => margin_loss value rho h n s) h0 rest) as [h [J ->]].
  assert (Hn' : 0 < INR n) by now apply lt_0_INR.
  replace (margin_loss value rho h n s + 2 / (eps * INR n) * ln (size / beta))
    with ((margin_errors value rho h n s + t) / INR n) by (unfold margin_loss, t; field; lra).
  apply share_le; auto. specialize (good h J). lra.
Qed.
