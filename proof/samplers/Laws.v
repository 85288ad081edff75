(** What a law is, how one is proved, and the laws of the two samplers at the bottom, in one import.

    Claims: none.
*)
From DpAssay Require Export Law Below Sums Rejection Bernoulli UniformBelow.
