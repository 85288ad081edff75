//! The public candidates of learners that choose among them, or by them.

use super::learn::Common;
use crate::error::Error;
use crate::papers::classifier::Data;
use crate::papers::learn::Parameters;
use dp_assay::coins::ChaCha;
use dp_assay::margin::MarginError;
use dp_assay::margin::gibbs::Candidates;

/// A stream that no learner draws from: candidates and coins stay independent under equal seeds.
const STREAM: u64 = u64::from_le_bytes(*b"candidat");

/// The candidates of a seed.
pub fn candidates(seed: u64, count: usize, dimension: usize) -> Result<Candidates, MarginError> {
    Candidates::draw(count, dimension, &mut ChaCha::reproducible(seed, STREAM))
}

/// Says how long it takes to draw candidates, where it takes long.
pub fn drawing(candidates: u64, dimension: usize, named: &Parameters) {
    // As measured, on one core.
    const COORDINATES_A_SECOND: u64 = 500_000;
    let seconds = candidates.saturating_mul(dimension as u64) / COORDINATES_A_SECOND;
    // More than twenty minutes' do not fit in memory.
    if (10..1200).contains(&seconds) {
        named.note(&format!(
            "drawing {candidates} candidates in dimension {dimension} takes about {seconds} s"
        ));
    }
}

/// The error, with the option that helps.
pub fn named_option(
    error: MarginError,
    (candidates, common, load): (u64, &Common, &Data),
) -> Error {
    match error {
        MarginError::TooManyCandidates { .. } => {
            Error::Usage(format!("--candidates {candidates}: {error}"))
        }
        error => common.named_option(error, load),
    }
}
