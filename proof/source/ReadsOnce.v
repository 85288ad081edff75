(** The control flow of learners, as translated: through what the data enter, and by which draws.

    What a learner calls is opaque, a function of its arguments; a variable that is given is a function of those
      from which
    its expression computes it (spec/source.md). Each theorem says that the learner is a program that does not have
      the
    data: it has the values that stand in its arguments, and draws what is written in it, in this order.

    Claims: none.
*)
Require Import ZArith Bool String List Lia.
From DpAssay Require Import Trees Samplers Rust Source Same SamplersFuel SamplersEqual.
Import ListNotations.
Open Scope Z_scope.

Lemma returned {R A B} (a : A) (k : A -> M R B) : mbind (call (Ret (Returned a))) k = k a.
Proof. reflexivity. Qed.

(** What is computed first: where it panics, the whole panics. *)
Definition first {A B} (e : ending A) (k : A -> rust B) : rust B :=
  match e with Returned a => k a | Panicked => Ret Panicked end.

Section learners.
Variables (Points : Type -> Type) (dimension len : forall A, Points A -> ending Z).
Variables (Choice : Type) (new : list Z -> rational -> ending (result Choice)) (sample : nat -> Choice -> rust
  (result Z)).

(** One draw from the exponential mechanism of these losses. *)
Definition choose {R} F (losses : list Z) (epsilon : rational) : M (result R) Z :=
  let* law := ask (Ret (new losses epsilon)) in ask (sample F law).

(** * bms22, the Gibbs learner *)

Definition gibbs_from F losses epsilon : rust (result Z) := body (let* k := choose F losses epsilon in val (Ok k)).

(** Of the data it has the errors of the candidates, and draws once, at epsilon. *)
Theorem gibbs_reads_once errors F s candidates epsilon :
  gibbs_learn Points Choice new sample errors F s candidates epsilon
  = first (errors candidates s) (fun losses => gibbs_from F losses epsilon).
Proof.
  unfold gibbs_learn, first. destruct (errors candidates s) as [losses|]; [|reflexivity].
  rewrite returned. unfold gibbs_from, choose. rewrite mbind_mbind. reflexivity.
Qed.

(** * bms22, the learner of private labels *)

Definition labels_from F (taken : list (Z * list rational)) losses epsilon : rust (result Z) :=
  body (let* place := choose F losses epsilon in let* hypothesis := at_place taken place in val (Ok (fst
    hypothesis))).

(** Of the data it has the hypotheses that are taken and their errors, and draws once, at epsilon. That the labels
  do not
    enter the first is a property of [taken]. *)
Theorem labels_reads_once taken errors F s h rho epsilon : let half := rational_mul rho (lowest 1 2) in
  labels_learn Points Choice new sample taken errors F s h rho epsilon
  = if rational_is_positive rho
    then first (taken h half rho s []) (fun cover => first (errors half rho s cover) (fun losses => labels_from F
      cover losses epsilon))
    else out_of_range "rho".
Proof.
  intros half. unfold labels_learn. destruct (rational_is_positive rho); [|reflexivity]. cbn [negb].
  change (call (rational_ratio F 1 2)) with (@val (result Z) _ (lowest 1 2)). rewrite mbind_val. cbv zeta. fold half.
  unfold first. destruct (taken h half rho s []) as [cover|]; [|reflexivity]. rewrite returned.
  destruct (errors half rho s cover) as [losses|]; [|reflexivity]. rewrite returned.
  unfold labels_from, choose. rewrite mbind_mbind. reflexivity.
Qed.

(** * bms22, Algorithm 1 *)

Section algorithm_1.
Variables (signs : nat -> Z -> Z -> rust (result (list (list Z)))) (identity : Z -> ending (list (list Z))).
Variables (cover : Z -> rational -> ending (result (list (list Z)))).
Variables (images : list (list Z) -> Points bool -> ending (list (list Z))).
Variables (errors : list (list Z) -> list (list Z) -> ending (list Z)).
Variables (direction : list Z -> Z -> list (list Z) -> ending (list Z)).

Definition algorithm_1_from F d (images_of : list (list Z) -> ending (list (list Z))) k radius epsilon :=
  body (
    let* phi := (if k <? d then ask (signs F k d) else call (Ret (identity d))) in
    let* s_phi := call (Ret (images_of phi)) in
    let* net := ask (Ret (cover (Z.of_nat (length phi)) radius)) in
    let* losses := call (Ret (errors net s_phi)) in
    let* place := choose F losses epsilon in
    let* c := at_place net place in
    let* pulled_back := call (Ret (direction c d phi)) in
    val (Ok (phi, c, pulled_back))).

Lemma itself {R A} (m : M R A) : mbind m (fun a => val a) = m.
Proof. unfold mbind. transitivity (bind m Ret); [|apply bind_ret]. apply bind_ext. now intros [a|r|]. Qed.

(** Of the data it has their dimension and the images of the records under the map that is drawn, and draws the map
  and then
    one of the cover, at epsilon. *)
Theorem algorithm_1_reads_once F s k radius epsilon :
  margin_algorithm_1_learn Points dimension Choice new sample signs identity cover images errors direction F s k
    radius epsilon
  = first (dimension _ s) (fun d => algorithm_1_from F d (fun phi => images phi s) k radius epsilon).
Proof.
  unfold margin_algorithm_1_learn, first. destruct (dimension bool s) as [d|]; [|reflexivity]. rewrite returned.
    cbv zeta.
  unfold algorithm_1_from. f_equal. rewrite !itself. unfold choose.
  apply mbind_ext. intros phi. apply mbind_ext. intros s_phi. apply mbind_ext. intros net. apply mbind_ext. intros
    losses.
  rewrite mbind_mbind. reflexivity.
Qed.
End algorithm_1.

(** * nuz20, Algorithm 2 *)

Section algorithm_2.
Variables (draw : nat -> option Z -> Z -> rust (result (list (list Z)))) (net : Z -> rational -> ending (Z * list
  (list Z))).
Variables (pull_back : list Z -> list (list Z) -> Z -> ending (list Z)).
Variables (images : list (list Z) -> Points bool -> ending (list (list Z))).
Variables (errors : Z -> list (list Z) -> rational -> list (list Z) -> ending (list Z)).

Definition algorithm_2_from F d (images_of : list (list Z) -> ending (list (list Z))) m radius threshold epsilon :=
  body (
    let* a := ask (draw F m d) in
    let* s_a := call (Ret (images_of a)) in
    let* found := call (Ret (net (Z.of_nat (length a)) radius)) in
    let '(q, w) := found in
    let* losses := call (Ret (errors q s_a threshold w)) in
    let* place := choose F losses epsilon in
    let* k := at_place w place in
    let* pulled_back := call (Ret (pull_back k a d)) in
    let* again := at_place w place in
    val (Ok (a, again, pulled_back))).

(** Of the data it has their number (for a refusal), their dimension, and the images of the records under the
  matrix that is
    drawn, and draws the matrix and then one of the net, at epsilon. *)
Theorem algorithm_2_reads_once F s m radius threshold epsilon n d : len _ s = Returned n -> dimension _ s =
  Returned d ->
  halfspaces_algorithm_2_learn Points dimension len Choice new sample draw net pull_back images errors F s m
    (radius, threshold) epsilon
  = if negb (rational_is_positive radius) || rational_is_negative threshold
       || rational_ltb (Rational 8388608 1) (rational_mul epsilon (Rational n 1))
    then out_of_range "radius, threshold or epsilon n"
    else algorithm_2_from F d (fun a => images a s) m radius threshold epsilon.
Proof.
  intros N D. unfold halfspaces_algorithm_2_learn. cbv beta iota zeta. rewrite N, D.
  unfold algorithm_2_from, choose.
  destruct (negb (rational_is_positive radius) || rational_is_negative threshold); cbn [orb]; [reflexivity|].
  rewrite returned, mbind_val.
  destruct (rational_ltb (Rational 8388608 1) (rational_mul epsilon (Rational n 1))); [reflexivity|].
  rewrite returned. f_equal. apply mbind_ext. intros a. apply mbind_ext. intros s_a. apply mbind_ext. intros [q w].
  cbv beta iota. apply mbind_ext. intros losses. rewrite mbind_mbind. apply mbind_ext. intros law.
  apply mbind_ext. intros place. apply mbind_ext. intros k. rewrite returned. reflexivity.
Qed.
End algorithm_2.

(** * bms22, the learner of private labels, as printed *)

Section labels_as_printed.
Variables (rows : list (list Z) -> rational -> ending (list (list rational))).
Variables (cover : list (list Z) -> list (list rational) -> rational -> ending (list Z)).
Variables (errors : list Z -> list (list rational) -> rational -> list Z -> ending (list Z)).

(** The labels y enter by the errors of the cover, which is made without them; one draw, at epsilon. *)
Theorem labels_as_printed_reads_once F h y rho epsilon : let half := rational_mul rho (lowest 1 2) in
  labels_as_printed_label_privacy Choice new sample rows cover errors F h y rho epsilon
  = first (rows h rho) (fun r => first (cover h r half) (fun c => first (errors c r half y) (fun losses =>
      body (let* place := choose F losses epsilon in let* k := at_place c place in val (Ok k))))).
Proof.
  intros half. unfold labels_as_printed_label_privacy, first. destruct (rows h rho) as [r|]; [|reflexivity].
  rewrite returned. change (call (rational_ratio F 1 2)) with (@val (result Z) _ (lowest 1 2)). rewrite mbind_val.
  cbv zeta. fold half. destruct (cover h r half) as [c|]; [|reflexivity]. rewrite returned.
  destruct (errors c r half y) as [losses|]; [|reflexivity]. rewrite returned.
  unfold choose. rewrite mbind_mbind. reflexivity.
Qed.
End labels_as_printed.

(** * lnsx25, the interpolation that is clipped *)

(** The coefficients enter as integers on the grid, by one draw of noise around them. *)
Theorem clipped_interpolation_reads_once grid F c c_one radius variance :
  clipped_interpolation_learn grid F c c_one radius variance
  = body (
      let* noise := ask (DiscreteGaussian_new F variance) in
      let* exact := call (Ret (grid c c_one radius)) in
      let* law := call (DiscreteGaussian_around_all F noise exact) in
      let* told := ask (AroundAll_sample DiscreteGaussian_draw_vector F law) in
      val (Ok told)).
Proof. reflexivity. Qed.

(** * nuz20, Algorithm 3 *)

Section algorithm_3.
Variables (of_mechanism : nat -> ExponentialMechanism -> rust (result Z)).
Variables (draw : nat -> option Z -> Z -> rust (result (list (list Z)))).
Variables (pull_back : list Z -> list (list Z) -> Z -> ending (list Z)).
Variables (mechanism : rational -> rational -> list ScoreClass -> ending (result ExponentialMechanism)).
Variables (classes : list (list Z) -> list (list Z) -> HingeLoss -> ending (list ScoreClass)).
Variables (one : forall A, Points A -> ending Z) (images : list (list Z) -> Points bool -> ending (list (list Z))).
Variables (noise_gd : nat -> list (list Z) -> HingeLoss -> Public -> rust (result (list Z))).

(** One of the candidates, by their classes of scores. *)
Definition choose_from F loss scores records epsilon : rust (result Z) :=
  body (
    let* most := call (rational_ratio F 8388608 1) in
    if rational_ltb most (rational_mul epsilon (Rational records 1)) : bool then
      leave (Err ("OutOfRange"%string, "epsilon n"%string))
    else
    let* range := rational_div (rational_add (HingeLoss_target loss) (Rational 1 1)) (HingeLoss_width loss) in
    let* scores := call (Ret scores) in
    let* law := ask (Ret (mechanism epsilon range scores)) in
    let* place := ask (of_mechanism F law) in
    val (Ok place)).

(** The records enter by their number and by the scores of the candidates; one draw. *)
Theorem choose_reads_once F loss candidates records epsilon :
  HingeLoss_choose of_mechanism mechanism classes F loss candidates records epsilon
  = choose_from F loss (classes candidates records loss) (Z.of_nat (length records)) epsilon.
Proof. reflexivity. Qed.

Definition algorithm_3_from F (d n step : ending Z) (images_of : list (list Z) -> ending (list (list Z))) public :=
  body (
    let* d1 := call (Ret d) in
    let m := unwrap_or (Public_m public) d1 in
    let* n1 := call (Ret n) in
    if (n1 =? 0) || (m =? 0) || (Public_points public =? 0) : bool then
      leave (Err ("OutOfRange"%string, "n, m or T"%string))
    else
    let* d2 := call (Ret d) in
    let* a := ask (draw F (Public_m public) d2) in
    let* s_a := call (Ret (images_of a)) in
    let* one1 := call (Ret step) in
    let* loss := ask (HingeLoss_printed F (Public_gamma public) one1) in
    let* candidates := each (range (Public_k public))
      (fun _ candidates => let* w := ask (noise_gd F s_a loss public) in val (candidates ++ [w])) [] in
    let* half := rational_div (Public_epsilon public) (Rational 2 1) in
    let* chosen := ask (HingeLoss_choose of_mechanism mechanism classes F loss candidates s_a half) in
    let* w := at_place candidates chosen in
    let* d3 := call (Ret d) in
    let* pulled_back := call (Ret (pull_back w a d3)) in
    val (Ok (make_Model a candidates chosen pulled_back))).

(** Of the data it has their dimension, their number (for a refusal), the step of their grid, and the images of the
    records under the matrix that is drawn: these are read by each descent and by the choice among the candidates. *)
Theorem algorithm_3_reads_once F s public :
  halfspaces_algorithm_3_learn of_mechanism Points dimension len draw pull_back mechanism classes one images noise_gd
    F s public
  = algorithm_3_from F (dimension _ s) (len _ s) (one _ s) (fun a => images a s) public.
Proof. reflexivity. Qed.
End algorithm_3.

(** * jt13, Algorithm 2 *)

Section kernels_algorithm_2.
Variables (Kernel : Type) (check : Kernel -> list Z -> ending (result unit)).
Variables (predict : Kernel -> list (rational * list Z) -> list Z -> ending (result rational)).
Variables (Problem : Type) (s_prime : Problem -> ending (result rational)).
Variables (nearest_in_span : Kernel -> list (list Z) -> list rational -> rational
  -> ending (result (list (rational * list Z)))).
Variables (kernel_of : Problem -> ending Kernel).

Definition kernels_algorithm_2_from F (predicts : Kernel -> list Z -> ending (result rational)) problem z e steps c0 :=
  body (
    let* kernel := call (Ret (kernel_of problem)) in
    let* _ := each z (fun z_t _ => let* _ := ask (Ret (check kernel z_t)) in val tt) tt in
    let* moved := ask (Ret (s_prime problem)) in
    let* steps1 := call (rational_integer F steps) in
    let* u := rational_div moved steps1 in
    let* steps2 := call (rational_integer F steps) in
    let* scale := rational_div steps2 e in
    let* noise := ask (DiscreteLaplace_new F scale) in
    let* y := each z (fun z_t y =>
      let* predicted := ask (Ret (predicts kernel z_t)) in
      let* in_steps := rational_div predicted u in
      let* exact := call (rational_nearest F in_steps) in
      let* law := call (DiscreteLaplace_around F noise exact) in
      let* told := ask (Around_sample DiscreteLaplace_sample F law) in
      val (y ++ [rational_mul u (Rational told 1)])) [] in
    let* w_hat := ask (Ret (nearest_in_span kernel z y c0)) in
    val (Ok (y, w_hat))).

(** The minimiser w* of the data enters by what it predicts at the public points, each told by one draw of noise. *)
Theorem kernels_algorithm_2_reads_once F w_star problem z e steps c0 :
  kernels_algorithm_2_learn Kernel check predict Problem s_prime nearest_in_span kernel_of F w_star problem z
    (e, steps) c0
  = kernels_algorithm_2_from F (fun kernel z_t => predict kernel w_star z_t) problem z e steps c0.
Proof. reflexivity. Qed.
End kernels_algorithm_2.
End learners.
