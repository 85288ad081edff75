//! Theorem 5.1, corrected: the learner of neural networks.

use super::pure::log_cover;
use super::{Guarantee, of};
use crate::geometry::johnson_lindenstrauss::least_dimension;
use crate::margin::MarginError;
use crate::margin::feed_forward::Shape;
use crate::number::range::{above_zero, above_zero_below_one, at_least_one, require, zero_to_one};
use crate::number::rational::{integer, ratio, to_scientific_above};
use crate::number::{Enclosure, Rational};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

/// A run of the learner of networks ([`mod@crate::margin::network`]), by what is public of it, and the reach `Q` at which
/// it is analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkRun {
    /// The records, `m`.
    pub records: u64,
    /// The shape: dimension, width `N`, layers `L`.
    pub shape: Shape,
    /// The privacy parameter.
    pub epsilon: Rational,
    /// The probability with which the guarantee may fail.
    pub beta: Rational,
    /// `Q = Lambda r (eta Lambda/4)^(L-1)/rho`: no network puts out more than `Q rho`.
    pub reach: Rational,
}

/// How the margin is spent: a part `c` of it on the projections, and the rest on the covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkSetting {
    /// What each layer may lose, relative to its largest output: `(1 + loss)^L < 1 + 1/Q`.
    pub loss: Rational,
    /// The distortion `gamma = c loss`; 0 without a projection.
    pub distortion: Rational,
    /// The rows `k` of a projection; layers with at most as many inputs are not projected. `None` if that is all layers.
    pub rows: Option<u64>,
    /// The norm of the balls that are covered, relative to `Lambda`.
    pub stretch: Rational,
    /// The radius of each layer's cover, relative to its ball.
    pub radii: Vec<Rational>,
    /// The entries of each layer's matrices.
    pub covered: Vec<u64>,
    /// A bound on the logarithm of the number of networks.
    pub log_cover: Rational,
}

impl NetworkRun {
    /// The setting with the part `c` for the projections.
    ///
    /// Rounded to the side on which less is spent: the loss down by a share of 2^-40, so that what is left of a margin
    /// is not too small for the signs to be certified.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless `0 < c < 1`, for parameters outside their range, and for a reach below 1: there
    /// every network errs on every record at the margin; those of the enclosures.
    pub fn setting(&self, part: &Rational) -> Result<NetworkSetting, MarginError> {
        self.check()?;
        above_zero_below_one("the part of the projections", part)?;
        let expected = "at least 1: no network of this shape puts out more than the margin";
        require(
            self.reach >= integer(1),
            "the reach Q",
            &self.reach,
            expected,
        )?;
        let loss = self.loss()?;
        // 1. The rows for all layers, and which of them are projected.
        let distortion = part * &loss;
        let failure = &self.beta / (integer(3) * integer(self.events()));
        // least_dimension is for two events.
        let rows = least_dimension(&(failure * integer(2)), &distortion)?.to_u64();
        let sides = || {
            self.shape
                .sides()
                .map(|(inputs, outputs)| (inputs as u64, outputs as u64))
        };
        let rows = rows.filter(|k| sides().any(|(inputs, _)| *k < inputs));
        let distortion = rows.map_or(Rational::zero(), |_| distortion);
        // 2. |Phi W| <= sqrt(1 + gamma) Lambda <= (1 + gamma/2) Lambda.
        let stretch = integer(1) + &distortion * ratio(1, 2);
        // 3. What is left for the cover: radius (1 + gamma/2)^2 + gamma <= loss where there is a projection.
        let (mut radii, mut covered) = (Vec::new(), Vec::new());
        let mut log_size = of(&Rational::zero());
        for (inputs, outputs) in sides() {
            let projected = rows.filter(|k| *k < inputs);
            let radius = match projected {
                Some(_) => (&loss - &distortion) / (&stretch * &stretch),
                None => &loss / &stretch,
            };
            let entries = projected.unwrap_or(inputs).saturating_mul(outputs);
            log_size = log_size + log_cover(entries, &radius)?;
            radii.push(radius);
            covered.push(entries);
        }
        Ok(NetworkSetting {
            loss,
            distortion,
            rows,
            stretch,
            radii,
            covered,
            log_cover: log_size.upper(),
        })
    }

    /// The setting of the smallest cover, among those with `c` from 1/2 to 19/20 in twentieths.
    ///
    /// # Errors
    /// Those of [`NetworkRun::setting`].
    pub fn best(&self) -> Result<NetworkSetting, MarginError> {
        let mut best = self.setting(&ratio(1, 2))?;
        for twentieths in 11..20 {
            let next = self.setting(&ratio(twentieths, 20))?;
            if next.log_cover < best.log_cover {
                best = next;
            }
        }
        Ok(best)
    }

    /// What the run guarantees: with probability `1 - beta` over data, projections and coins, if some network has the
    /// margin loss `margin_loss` on the data, the error on the distribution is at most this (ledger:
    /// `bms22.thm5_1.corrected`). Below a reach of 1 nothing, and the reason says so.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] for a margin loss outside [0, 1] or parameters outside their range; those of the
    /// enclosures.
    pub fn guarantee(&self, margin_loss: &Rational) -> Result<Guarantee, MarginError> {
        self.check()?;
        zero_to_one("the margin loss", margin_loss)?;
        if self.reach < integer(1) {
            let reason = "no network of this shape puts out more than the margin";
            return Ok(Guarantee::vacuous(reason.to_owned()));
        }
        let setting = self.best()?;
        let training = self.training(&setting, margin_loss)?;
        let reason = format!(
            "a cover of at most e^{} networks",
            to_scientific_above(&setting.log_cover, 3)
        );
        Guarantee::of_class(training, &self.odds(&setting)?, self.records, reason)
    }

    /// The error on the data: the choice adds at most `(2/(epsilon m)) (ln |C| + ln(3/beta))`. Rounded up.
    fn training(
        &self,
        setting: &NetworkSetting,
        margin_loss: &Rational,
    ) -> Result<Rational, MarginError> {
        let rate = integer(2) / (&self.epsilon * integer(self.records));
        Ok(margin_loss + (self.odds(setting)? * of(&rate)).upper())
    }

    /// `ln |C| + ln(3/beta)`.
    fn odds(&self, setting: &NetworkSetting) -> Result<Enclosure, MarginError> {
        Ok(of(&setting.log_cover) + of(&(integer(3) / &self.beta)).ln()?)
    }

    /// Below `(1 + 1/Q)^(1/L) - 1`, by a share of 2^-40.
    fn loss(&self) -> Result<Rational, MarginError> {
        let layers = of(&integer(self.shape.layers() as u64));
        let exponent = of(&self.reach.recip()).ln_1p()?.divided_by(&layers)?;
        let share = integer(1) - Rational::new(BigInt::one(), BigInt::one() << 40);
        Ok(exponent.exp_minus_one()?.lower() * share)
    }

    /// The one-sided events of the projections of all layers: of `m` records and `n` neurons `4 m n` for the inner
    /// products, and `m + n` for the norms.
    fn events(&self) -> BigInt {
        let m = BigInt::from(self.records);
        let of_layer = |(_, neurons): (usize, usize)| BigInt::from(4) * &m * neurons + &m + neurons;
        self.shape.sides().map(of_layer).sum()
    }

    fn check(&self) -> Result<(), MarginError> {
        at_least_one("the number of records", self.records)?;
        above_zero("epsilon", &self.epsilon)?;
        above_zero_below_one("beta", &self.beta)?;
        Ok(above_zero("the reach Q", &self.reach)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::to_scientific;

    fn run(records: u64, (d, width, layers): (usize, usize, usize), reach: Rational) -> NetworkRun {
        NetworkRun {
            records,
            shape: Shape::new(d, width, layers).unwrap(),
            epsilon: integer(1),
            beta: ratio(1, 20),
            reach,
        }
    }

    #[test]
    fn a_setting_of_another_program() {
        // (1 + 1/2)^(1/2) - 1 = 0.22474, gamma is half of it, E = (4 * 1000 * 4 + 1004) + 5001,
        // k = ceil(ln(60 E)/(gamma^2/4 - gamma^3/6)).
        let run = run(1000, (1 << 40, 4, 2), integer(2));
        let setting = run.setting(&ratio(1, 2)).unwrap();
        assert_eq!(to_scientific(&setting.loss, 8), "0.22474487");
        assert_eq!(setting.rows, Some(4826));
        // The hidden layer has four inputs: it is not projected, and has the whole loss for its cover.
        assert_eq!(setting.covered, [4826 * 4, 4]);
        assert_eq!(to_scientific(&setting.radii[0], 6), "0.100735");
        assert_eq!(to_scientific(&setting.radii[1], 6), "0.212789");
        assert_eq!(to_scientific(&setting.stretch, 6), "1.05619");
    }

    #[test]
    fn where_nothing_is_projected_the_whole_loss_is_the_covers() {
        let run = run(1000, (2, 1, 2), integer(1));
        let setting = run.best().unwrap();
        assert_eq!((setting.rows, &setting.stretch), (None, &integer(1)));
        assert_eq!(setting.radii, [setting.loss.clone(), setting.loss.clone()]);
        assert_eq!(setting.covered, [2, 1]);
        assert!(run.guarantee(&integer(0)).unwrap().alpha.is_some());
        let some = run.guarantee(&ratio(1, 10)).unwrap().training.unwrap();
        let none = run.guarantee(&integer(0)).unwrap().training.unwrap();
        assert_eq!(some - none, ratio(1, 10));
    }

    #[test]
    fn below_the_margin_nothing_is_guaranteed_and_it_is_said() {
        let run = run(1000, (2, 1, 2), ratio(99, 100));
        let found = run.guarantee(&integer(0)).unwrap();
        assert_eq!((found.alpha, found.training), (None, None));
        assert!(found.reason.contains("no network of this shape"));
        let refused = run.best().unwrap_err().to_string();
        assert!(
            refused.contains("the reach Q must be at least 1"),
            "{refused}"
        );
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let right = run(10, (2, 1, 2), integer(2));
        assert!(right.setting(&integer(1)).is_err() && right.setting(&integer(0)).is_err());
        assert!(right.guarantee(&integer(2)).is_err());
        for wrong in [
            NetworkRun {
                records: 0,
                ..right.clone()
            },
            NetworkRun {
                epsilon: integer(0),
                ..right.clone()
            },
            NetworkRun {
                beta: integer(1),
                ..right.clone()
            },
            NetworkRun {
                reach: integer(0),
                ..right.clone()
            },
        ] {
            assert!(wrong.guarantee(&integer(0)).is_err());
        }
    }
}
