//! Theorem 4.2: Algorithm 3.

use super::features::{excess, frequencies};
use super::{EfficientRun, Guarantee, of};
use crate::margin::MarginError;
use crate::number::Rational;
use crate::number::range::{at_least_one, at_least_zero};
use crate::number::rational::{integer, to_scientific_above};

/// A run of Algorithm 3 ([`mod@crate::margin::kernel`]), by what is public of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelRun {
    /// Algorithm 2 on the features: for a shift-invariant kernel at norm `2 Lambda` and `beta/2`, for a polynomial one at
    /// `Lambda` and `beta`.
    pub learner: EfficientRun,
    /// The number `D` of frequencies; `None` for monomials.
    pub frequencies: Option<u64>,
    /// The number of features.
    pub features: u64,
    /// Their grid is `2^-b`.
    pub grid_bits: u32,
    /// Their largest norm, in steps of that grid.
    pub radius: u64,
}

impl KernelRun {
    /// Theorem 4.2 with explicit constants: with probability `1 - beta` over data, frequencies and coins, if some `h` of norm
    /// at most `Lambda` in the kernel's space has the mean hinge loss `hinge_loss` on the data, the error on the distribution is
    /// at most `hinge_loss`, what the features add ([`KernelRun::of_features`]) and what Algorithm 2's bound adds
    /// ([`EfficientRun::guarantee`]). Nothing is guaranteed with fewer frequencies than `4 m ln(8 m/beta)`. The kernel is the one
    /// that the frequencies average to (ledger: `bms22.thm4_2.corrected`).
    ///
    /// # Errors
    /// [`MarginError::Parameter`] for parameters outside their range; those of the enclosures.
    pub fn guarantee(&self, hinge_loss: &Rational) -> Result<Guarantee, MarginError> {
        at_least_zero("the hinge loss", hinge_loss)?;
        let m = self.learner.erm.records;
        if let Some(count) = self.frequencies {
            let needed = frequencies(m, &self.learner.beta)?;
            if needed > count.into() {
                return Ok(Guarantee::vacuous(format!(
                    "{count} frequencies need not keep it, {needed} do"
                )));
            }
        }
        let of_features = self.of_features()?;
        let on_features = self.learner.guarantee(&(hinge_loss + &of_features))?;
        let shown = to_scientific_above(&of_features, 3);
        Ok(Guarantee {
            reason: format!("{shown} by the features, {}", on_features.reason),
            ..on_features
        })
    }

    /// By how much the least hinge loss on the features is above that in the kernel's space, at most; rounded up. For
    /// frequencies [`excess`]; for monomials, each of which is rounded by less than a step, `q sqrt(N)/R`, `N` their number and
    /// `R` their radius in steps.
    ///
    /// Proof for monomials: the features are within `sqrt(N)` steps of the exact ones, so that the predictions of a `w` of norm
    /// at most `Lambda` are within `Lambda sqrt(N)` steps of those of its `h`; the hinge loss has slope `1/rho`.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] without a feature, a record or a step; those of the enclosures.
    pub fn of_features(&self) -> Result<Rational, MarginError> {
        at_least_one("the number of features", self.features)?;
        at_least_one("the radius in steps of the grid", self.radius)?;
        let ratio = &self.learner.ratio;
        Ok(match self.frequencies {
            // The learner's norm is 2 Lambda.
            Some(count) => {
                let q = ratio / integer(2);
                excess(&q, self.learner.erm.records, count, self.grid_bits)?
            }
            None => {
                let root = of(&integer(self.features)).sqrt()?;
                (root * of(&(ratio / integer(self.radius)))).upper()
            }
        })
    }
}
