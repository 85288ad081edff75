//! The claims of the paper, in its order, and the machinery that is for their evidence only.
//!
//! - [`exhaustive`]: the exact privacy loss of Algorithm 2 on small domains;
//! - [`one_dimension`]: the exact law of a transcript of Algorithm 3 in one dimension;
//! - [`mod@band`]: the mass of the band (Lemma 16);
//! - [`mod@bisector`]: the classifier that refutes Claim 12.1;
//! - [`errata`]: small exact facts that contradict the text.

pub mod band;
pub mod bisector;
pub mod errata;
pub mod exhaustive;
pub mod one_dimension;
