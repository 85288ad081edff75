(* nuz20.thm12.corrected, step 3: packing with disjoint sets of good classifiers. *)
Require Import Reals Lra Lia List. Import ListNotations.
From DpAssay Require Import Privacy Neighbours Packing.
Open Scope R_scope.
Theorem disjoint_packing {O X J} (n : nat) (eps beta : R) (M : data X n -> law O) (D : J -> law (data X n)) (G : J -> O -> R) (j0 : J) (rest : list J) :
  dp (nb n) eps 0 M -> (forall j, test (G j)) -> (forall o, sum (fun j => G j o) (j0 :: rest) <= 1) ->
  (forall j, then_ (D j) M (G j) >= beta) ->
  beta * INR (length rest) <= exp (INR n * eps) * (1 - beta).
Proof.
  intros Hdp Tg Dj Hs. set (m0 := then_ (D j0) M).
  assert (each : forall j, beta <= exp (INR n * eps) * m0 (G j)).
  { intros j. pose proof (Hs j) as H. apply Rge_le in H. eapply Rle_trans; [apply H|].
    assert (B : forall s, then_ (D j) M (G j) <= exp (INR n * eps) * M s (G j)).
    { intros s. cbn [E then_]. rewrite <- (E_const (D j) (exp (INR n * eps) * M s (G j))). apply E_mono; [|apply bounded_const|].
      - exists 1. intros u. pose proof (E_test (M u) _ (Tg j)). rewrite Rabs_pos_eq; lra.
      - intros u. now apply any_two. }
    rewrite <- (E_const (D j0) (then_ (D j) M (G j))). unfold m0. cbn [E then_].
    assert (BM : bounded (fun s => M s (G j))) by (exists 1; intros u; pose proof (E_test (M u) _ (Tg j)); rewrite Rabs_pos_eq; lra).
    rewrite <- E_scal by auto. apply E_mono; [apply bounded_const | now apply bounded_scal | apply B]. }
  assert (total : beta * INR (length rest) <= exp (INR n * eps) * sum (fun j => m0 (G j)) rest).
  { clear Dj. induction rest as [|j l IH]; [simpl; lra|]. change (length (j :: l)) with (S (length l)). rewrite S_INR. cbn [sum]. assert (IH2 : beta * INR (length l) <= exp (INR n * eps) * sum (fun j => m0 (G j)) l) by apply IH. specialize (each j). lra. }
  destruct (E_sum m0 G rest Tg) as [B E1]. rewrite <- E1 in total.
  assert (m0 (fun o => sum (fun j => G j o) rest) <= 1 - beta).
  { assert (P : m0 (fun o => G j0 o + sum (fun j => G j o) rest) <= 1).
    { rewrite <- (E_one m0) at 1. apply E_mono; [apply (bounded_plus (G j0)); auto using test_bounded | apply bounded_const | apply Dj]. }
    rewrite (E_plus m0 (G j0)) in P by auto using test_bounded. specialize (Hs j0). fold m0 in Hs. lra. }
  pose proof (exp_pos (INR n * eps)). nra.
Qed.
(* K alternatives, success 9/10: n eps >= ln (9 (K-1)) *)
Corollary thm12_step3 {O X J} n eps (M : data X n -> law O) (D : J -> law (data X n)) (G : J -> O -> R) j0 rest : rest <> [] ->
  dp (nb n) eps 0 M -> (forall j, test (G j)) -> (forall o, sum (fun j => G j o) (j0 :: rest) <= 1) ->
  (forall j, then_ (D j) M (G j) >= 9 / 10) -> INR n * eps >= ln (9 * INR (length rest)).
Proof.
  intros Hr Hd Tg Dj Hs. pose proof (disjoint_packing n eps (9/10) M D G j0 rest Hd Tg Dj Hs) as P.
  assert (0 < INR (length rest)) by (apply lt_0_INR; destruct rest; [congruence | simpl; lia]).
  apply Rle_ge. rewrite <- (ln_exp (INR n * eps)). assert (L : 9 * INR (length rest) <= exp (INR n * eps)) by lra.
  destruct L as [L | ->]; [left; apply ln_increasing; lra | lra].
Qed.
