//! Bassily, Mohri, Suresh 2022: differentially private learning with margin guarantees (bms22).
//!
//! Two texts are read, and neither is whole in our copies: the proceedings print Algorithms 1 to 3 and have no
//! appendix; of the first version all displays are lost, every algorithm among them. Algorithm 4 of the proceedings is
//! Algorithm 5 of the first version, and Algorithm 4 of the first version is the learner of private labels, which the
//! proceedings have in Appendix E: here it has no number. Algorithm 6 is Algorithm 6 in the first version.
//!
//! In reading order:
//!
//! - [`algorithm_1_as_printed`], [`algorithm_1`]: a halfspace by a projection, a cover and the exponential mechanism.
//!   Pure;
//! - [`gibbs`]: the same without a projection and without a cover. Pure, and the one to take;
//! - [`algorithm_4_as_printed`], [`algorithm_4`]: the hinge loss, minimised privately by phased descent;
//! - [`algorithm_2_as_printed`], [`algorithm_2`]: a halfspace by a fast projection and Algorithm 4;
//! - [`algorithm_3_as_printed`], [`algorithm_3`]: a kernel's features and Algorithm 2;
//! - [`labels_as_printed`], [`labels`]: labels alone are private;
//! - [`algorithm_6_as_printed`], [`algorithm_6`]: a margin chosen privately, then any learner;
//! - [`network_as_printed`]: the networks of Section 5. They are advised to nobody, and have no other file.
//!
//! Neighbours differ in one record, which is substituted: the number `m` of records is public, and so is every
//! parameter but the records. For all choices by the exponential mechanism `epsilon m` is to be at most `2^23`.

pub mod algorithm_1;
pub mod algorithm_1_as_printed;
pub mod algorithm_2;
pub mod algorithm_2_as_printed;
pub mod algorithm_3;
pub mod algorithm_3_as_printed;
pub mod algorithm_4;
pub mod algorithm_4_as_printed;
pub mod algorithm_6;
pub mod algorithm_6_as_printed;
pub mod gibbs;
pub mod labels;
pub mod labels_as_printed;
pub mod network_as_printed;
