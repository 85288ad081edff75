(** Advanced composition of purely private mechanisms.

    k mechanisms are run one after the other; each is chosen by the outcomes of those before, and each is
    (eps, 0)-private. Together they are (eps', slack)-private with
    eps' = sqrt(2 k ln(1/slack)) eps + k eps (e^eps - 1), for every slack between 0 and 1.
    Also proved: the sharper form with tanh(eps/2) in place of e^eps - 1.
    The statement is that of the page, with laws over any outcomes. The proof differs: in place of Azuma's inequality it
    bounds P f - x Q f by T^k x^-l for every x > 0, where T is the moment of randomised response of order l.

    Claims: jt13.thm11.
*)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy LikelihoodMoments RandomisedResponseIsWorst RandomisedResponseMoment.
Open Scope R_scope.

(** k mechanisms in a row. Each is chosen by the outcomes of those before; the result is all outcomes, the latest
    first. It is `adaptive` of Composition.v for fixed data: there the data are an argument, here two laws are compared
    that need not come from data. *)
Fixpoint in_a_row {O} (mechanism : list O -> law O) (k : nat) (before : list O) : law (list O) :=
  match k with
  | O => unit_law before
  | S k' => then_ (mechanism before) (fun outcome => in_a_row mechanism k' (outcome :: before))
  end.

(** What k mechanisms of privacy loss eps cost together but for a probability of slack. *)
Definition advanced_epsilon (eps slack : R) (k : nat) : R :=
  sqrt (2 * INR k * ln (/ slack)) * eps + INR k * eps * (exp eps - 1).

(** The same with the mean loss of randomised response, eps tanh(eps/2), instead of eps (e^eps - 1). *)
Definition sharper_epsilon (eps slack : R) (k : nat) : R :=
  sqrt (2 * INR k * ln (/ slack)) * eps + INR k * eps * tanh (eps / 2).

Section composition.
Context {O : Type}.
Variables l eps : R.
Hypothesis l_positive : 0 < l.
Hypothesis eps_positive : 0 < eps.

(** One mechanism: it multiplies the bound by the moment of randomised response. *)
Lemma mechanism_step (p q : law O) (F G : O -> R) V : pure eps p q -> test F -> test G ->
  (forall o x, 0 < x -> F o - x * G o <= V * Rpower x (- l)) ->
  forall x, 0 < x -> p F - x * q G <= rr_moment l eps * V * Rpower x (- l).
Proof.
  intros pq TF TG H x Hx. pose proof (exp_pos eps) as He.
  pose proof (difference_step eps eps_positive p q F G (fun y => V * Rpower y (- l)) pq TF TG H x Hx) as step.
  eapply Rle_trans; [exact step|]. apply Req_le. rewrite <- !Rpower_mult_distr, !Rpower_of_exp by auto using exp_pos.
  apply Rmult_eq_reg_r with (1 + exp eps); [|lra].
  replace (rr_moment l eps * V * Rpower x (- l) * (1 + exp eps))
    with ((1 + exp eps) * rr_moment l eps * (V * Rpower x (- l))) by ring.
  rewrite rr_moment_is. replace ((1 + l) * eps) with (eps + - l * - eps) by ring.
  replace (- (l * eps)) with (- l * eps) by ring. rewrite exp_plus. field. lra.
Qed.

Lemma in_a_row_difference (P Q : list O -> law O) : (forall before, pure eps (P before) (Q before)) ->
  forall k before f x, test f -> 0 < x ->
  in_a_row P k before f - x * in_a_row Q k before f <= rr_moment l eps ^ k * Rpower x (- l).
Proof.
  intros pure_each. induction k as [|k IH]; intros before f x Hf Hx.
  - cbn [in_a_row E unit_law pow]. specialize (Hf before). pose proof (excess_le l x l_positive Hx) as excess.
    pose proof (excess_factor_le1 l l_positive). pose proof (Rpower_pos x (- l)).
    destruct (Rle_lt_dec x 1); nra.
  - cbn [in_a_row E then_ pow]. apply mechanism_step; auto; intros o; now apply E_test.
Qed.
End composition.

Lemma tanh_half_le eps : 0 <= eps -> tanh (eps / 2) <= exp eps - 1.
Proof. intros H. pose proof (tanh_le (eps / 2) ltac:(lra)). pose proof (exp_ge_tangent eps). lra. Qed.

(** The sharper form, for any two laws of each mechanism within the factor e^eps of each other. *)
Theorem sharper_composition_close {O} (eps slack : R) (P Q : list O -> law O) (k : nat) :
  0 < eps -> 0 < slack < 1 -> (forall before, pure eps (P before) (Q before)) ->
  close (sharper_epsilon eps slack k) slack (in_a_row P k []) (in_a_row Q k []).
Proof.
  intros He Hslack pure_each f Hf. destruct k as [|k].
  { cbn [in_a_row E unit_law]. unfold sharper_epsilon.
    rewrite Rmult_0_r, !Rmult_0_l, sqrt_0, Rmult_0_l, Rplus_0_r, exp_0. lra. }
  set (n := INR (S k)). assert (Hn : 0 < n) by (apply lt_0_INR; lia).
  set (L := ln (/ slack)). assert (HL : 0 < L).
  { unfold L. rewrite <- ln_1. apply ln_increasing; [lra|]. rewrite <- Rinv_1 at 1. apply Rinv_lt_contravar; lra. }
  (* The order l at which the bound is least, by root = l n eps. *)
  set (root := sqrt (2 * n * L)). assert (Hroot : 0 < root) by (apply sqrt_lt_R0; repeat apply Rmult_lt_0_compat; lra).
  assert (square : root * root = 2 * n * L) by (apply sqrt_sqrt; repeat apply Rmult_le_pos; lra).
  set (l := root / (n * eps)). assert (Hl : 0 < l) by (apply Rdiv_lt_0_compat; auto; now apply Rmult_lt_0_compat).
  assert (El : l * eps = root / n) by (unfold l; field; lra).
  pose proof (in_a_row_difference l eps Hl He P Q pure_each (S k) [] f _ Hf
    (exp_pos (sharper_epsilon eps slack (S k)))) as H.
  assert (small : rr_moment l eps ^ S k * Rpower (exp (sharper_epsilon eps slack (S k))) (- l) <= slack).
  { rewrite Rpower_of_exp. pose proof (rr_moment_ge1 l eps ltac:(lra) ltac:(lra)).
    apply Rle_trans with (exp (l * eps * tanh (eps / 2) + l * eps * (l * eps) / 2) ^ S k *
      exp (- l * sharper_epsilon eps slack (S k))).
    { apply Rmult_le_compat_r; [left; apply exp_pos|]. apply pow_incr. split; [lra|]. apply rr_moment_le; lra. }
    rewrite <- Rpower_pow by apply exp_pos. rewrite Rpower_of_exp, <- exp_plus. fold n.
    apply Rle_trans with (exp (- L)).
    2: { unfold L. rewrite ln_Rinv, Ropp_involutive, exp_ln; lra. }
    apply exp_le. apply Req_le. unfold sharper_epsilon. fold n L root.
    replace (- l * (root * eps + n * eps * tanh (eps / 2))) with (- (l * eps) * (root + n * tanh (eps / 2))) by ring.
    rewrite El. replace (n * (root / n * tanh (eps / 2) + root / n * (root / n) / 2) +
      - (root / n) * (root + n * tanh (eps / 2))) with (- (root * root) / (2 * n)) by (field; lra).
    rewrite square. field. lra. }
  lra.
Qed.

(** jt13.thm11: k mechanisms of pure loss eps, chosen adaptively, are (eps', slack)-private together, with
    eps' = sqrt(2 k ln(1/slack)) eps + k eps (e^eps - 1). *)
Theorem advanced_composition {D O} (adj : D -> D -> Prop) (M : D -> list O -> law O) (eps slack : R) (k : nat) :
  0 < eps -> 0 < slack < 1 -> (forall x y, adj x y -> adj y x) ->
  (forall before, dp adj eps 0 (fun x => M x before)) ->
  dp adj (advanced_epsilon eps slack k) slack (fun x => in_a_row (M x) k []).
Proof.
  intros He Hslack symmetric pure_each x y xy f Hf.
  assert (H : close (sharper_epsilon eps slack k) slack (in_a_row (M x) k []) (in_a_row (M y) k [])).
  { apply sharper_composition_close; auto. intros before. split; apply pure_each; auto. }
  specialize (H f Hf). eapply Rle_trans; [exact H|]. apply Rplus_le_compat_r, Rmult_le_compat_r.
  - now apply E_test.
  - apply exp_le. apply Rplus_le_compat_l, Rmult_le_compat_l; [|apply tanh_half_le; lra].
    apply Rmult_le_pos; [apply pos_INR | lra].
Qed.
