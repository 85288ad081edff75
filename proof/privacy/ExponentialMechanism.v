(** The exponential mechanism over finitely many outcomes.

    From a nonempty list of outcomes, each is drawn with a probability proportional to e^(epsilon u(o)/(2 Delta)), where
    the utility u moves by at most Delta at every outcome between neighbours. That is (epsilon, 0)-private, and the
    chosen utility is seldom far below the best: Pr[u(chosen) <= max u - (2 Delta/epsilon) ln(|O|/beta)] <= beta.
    As on the page, for every finite set of outcomes; here it is a list, in which an outcome may stand more than once
    and then counts as often.

    Claims: nuz20.lem9.
*)
Require Import ZArith Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy.
Open Scope R_scope.

Lemma sum_nonneg {A} (f : A -> R) l : (forall x, 0 <= f x) -> 0 <= sum f l.
Proof. intros H. induction l; simpl; [lra|]. specialize (H a). lra. Qed.
Lemma term_le_sum {A} (f : A -> R) l x : (forall y, 0 <= f y) -> In x l -> f x <= sum f l.
Proof.
  intros H. induction l as [|a l IH]; simpl; [tauto|]. pose proof (sum_nonneg f l H). pose proof (H a).
  intros [-> | Hx]; [lra|]. specialize (IH Hx). lra.
Qed.

(** Utilities q that move by at most s. *)
Section em.
Context {O : Type} (outs : list O) (Hne : outs <> []) (eps s : R) (He : 0 <= eps) (Hs : 0 < s).
Definition weight (q : O -> R) o := exp (eps * q o / (2 * s)).
Lemma weight_pos q o : 0 <= weight q o.
Proof. left. apply exp_pos. Qed.
Lemma total q : 0 < sum (weight q) outs.
Proof.
  destruct outs as [|a l]; [congruence|].
  apply Rlt_le_trans with (weight q a); [apply exp_pos | apply term_le_sum; [apply weight_pos | now left]].
Qed.
(** The probability of o. *)
Definition em q o := / sum (weight q) outs * weight q o.
Lemma em_pos q o : 0 <= em q o.
Proof. apply Rmult_le_pos; left; [apply Rinv_0_lt_compat, total | apply exp_pos]. Qed.
Lemma em_sum q : sum (em q) outs = 1.
Proof. unfold em. rewrite sum_scal. apply Rinv_l. pose proof (total q). lra. Qed.
(** The exponential mechanism. *)
Definition exponential q : law O := finite (em q) outs (em_pos q) (em_sum q).

Lemma weight_le q q' o : Rabs (q o - q' o) <= s -> weight q o <= exp (eps / 2) * weight q' o.
Proof.
  intros H. unfold weight. rewrite <- exp_plus. apply exp_le.
  assert (q o - q' o <= s) by (pose proof (Rle_abs (q o - q' o)); lra).
  apply Rmult_le_reg_r with (2 * s); [lra|]. field_simplify; [nra | lra | lra].
Qed.

(** If no utility of an outcome in the list moves by more than s, the exponential mechanism is (eps, 0)-private. *)
Lemma exponential_dp_in : dp (fun q q' : O -> R => forall o, In o outs -> Rabs (q o - q' o) <= s) eps 0 exponential.
Proof.
  intros q q' H. apply pointwise_in. intros o Ho. unfold em.
  pose proof (total q) as W. pose proof (total q') as W'.
  (* The weight grows by at most e^(eps/2), and the sum of the weights falls by at most as much. *)
  pose proof (weight_le q q' o (H o Ho)) as A.
  assert (B : sum (weight q') outs <= exp (eps / 2) * sum (weight q) outs).
  { rewrite <- sum_scal. apply sum_le_in. intros x Hx. apply weight_le. rewrite Rabs_minus_sym. now apply H. }
  replace (exp eps) with (exp (eps / 2) * exp (eps / 2)) by (rewrite <- exp_plus; f_equal; lra).
  pose proof (exp_pos (eps / 2)). set (e := exp (eps / 2)) in *.
  set (S := sum (weight q) outs) in *. set (S' := sum (weight q') outs) in *.
  set (w := weight q o) in *. set (w' := weight q' o) in *.
  assert (0 < S * S') by now apply Rmult_lt_0_compat.
  apply Rmult_le_reg_r with (S * S'); auto.
  replace (/ S * w * (S * S')) with (w * S') by (field; lra).
  replace (e * e * (/ S' * w') * (S * S')) with ((e * w') * (e * S)) by (field; lra).
  apply Rmult_le_compat; auto; [apply weight_pos | lra].
Qed.

(** If no utility moves by more than s, it is (eps, 0)-private. *)
Corollary exponential_dp : dp (fun q q' : O -> R => forall o, Rabs (q o - q' o) <= s) eps 0 exponential.
Proof. intros q q' H. apply exponential_dp_in. auto. Qed.

(** nuz20.lem9: if no utility moves by more than s between neighbours, the exponential mechanism is (eps, 0)-private. *)
Corollary exponential_mechanism_dp {Data} (neighbours : Data -> Data -> Prop) (utility : Data -> O -> R) :
  (forall x y, neighbours x y -> forall o, In o outs -> Rabs (utility x o - utility y o) <= s) ->
  dp neighbours eps 0 (fun x => exponential (utility x)).
Proof. intros H x y A. apply exponential_dp_in. now apply H. Qed.

(** The outcomes whose utility is at most u have a probability of at most their number times the ratio to one weight. *)
Lemma exponential_tail q best u : In best outs ->
  exponential q (fun o => if Rle_dec (q o) u then 1 else 0) <= INR (length outs) * exp (eps * (u - q best) / (2 * s)).
Proof.
  intros Hb. cbn [E exponential finite].
  pose proof (term_le_sum (weight q) outs best (weight_pos q) Hb) as B. pose proof (total q) as W.
  apply Rle_trans with (sum (fun _ : O => exp (eps * (u - q best) / (2 * s))) outs); [|rewrite sum_const; lra].
  apply sum_le. intros o. pose proof (exp_pos (eps * (u - q best) / (2 * s))) as P.
  destruct (Rle_dec (q o) u) as [L|]; [|lra]. rewrite Rmult_1_r. unfold em.
  apply Rmult_le_reg_l with (sum (weight q) outs); auto. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  apply Rle_trans with (weight q best * exp (eps * (u - q best) / (2 * s))); [|apply Rmult_le_compat_r; lra].
  unfold weight. rewrite <- exp_plus. apply exp_le.
  replace (eps * q best / (2 * s) + eps * (u - q best) / (2 * s)) with (eps * u / (2 * s)) by (field; lra).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | now apply Rmult_le_compat_l].
Qed.

End em.

(** nuz20.lem9: with probability at most beta the chosen utility is (2 s/eps) ln(|O|/beta) or more below that of any
    one outcome, and so below the best. *)
Theorem exponential_utility {O} (outs : list O) nonempty eps s q best beta : 0 < eps -> 0 < s -> 0 < beta ->
  In best outs ->
  let t := 2 * s / eps * ln (INR (length outs) / beta) in
  exponential outs nonempty eps s q (fun o => if Rle_dec (q o) (q best - t) then 1 else 0) <= beta.
Proof.
  intros He Hs Hb Hin t. eapply Rle_trans; [apply exponential_tail with (best := best); auto; lra|]. unfold t.
  assert (L : 0 < INR (length outs)) by (apply lt_0_INR; destruct outs; [congruence | simpl; lia]).
  set (N := INR (length outs)) in *.
  replace (eps * (q best - 2 * s / eps * ln (N / beta) - q best) / (2 * s)) with (- ln (N / beta)) by (field; lra).
  rewrite exp_Ropp, exp_ln by (apply Rdiv_lt_0_compat; lra). right. field. lra.
Qed.
