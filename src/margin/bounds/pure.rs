//! Theorem 3.1: Algorithm 1.

use super::deviation::{log_growth, relative_deviation};
use super::{BITS, Guarantee, of};
use crate::geometry::LatticeCover;
use crate::geometry::johnson_lindenstrauss::least_dimension;
use crate::margin::MarginError;
use crate::number::range::{above_zero, above_zero_below_one, at_least_one, require, zero_to_one};
use crate::number::rational::{integer, ratio, to_scientific_above};
use crate::number::{Enclosure, Rational};
use num_traits::{ToPrimitive, Zero};

/// A run of Algorithm 1 ([`mod@crate::margin::pure`]), by what is public of it, and the ratio `q` at which it is analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PureRun {
    /// The records, `m`.
    pub records: u64,
    /// The dimension, `d`.
    pub dimension: u64,
    /// The privacy parameter.
    pub epsilon: Rational,
    /// The probability with which the guarantee may fail.
    pub beta: Rational,
    /// `q = Lambda r / rho`.
    pub ratio: Rational,
}

/// How the margin is spent: a part `c` of it on the projection, and the rest on the cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PureSetting {
    /// `c`; 0 without a projection.
    pub part: Rational,
    /// The rows `k` of the projection; `None` for no projection.
    pub rows: Option<u64>,
    /// The radius of the cover, relative to the ball that is covered.
    pub radius: Rational,
    /// The dimension that is covered.
    pub covered: u64,
    /// A bound on the logarithm of the number of points of the cover.
    pub log_cover: Rational,
}

impl PureRun {
    /// The setting with the part `c` for the projection.
    ///
    /// The distortion is `gamma = c/q`, with the least number `k` of rows for which `3m + 1` one-sided events of
    /// probability at most `e^(-k (gamma^2/4 - gamma^3/6))` each have together at most `beta/3`. The projected
    /// hypothesis has norm at most `sqrt(1 + gamma) Lambda`, and a point of the cover within `zeta` of it keeps the
    /// margin's sign if `zeta sqrt(1 + gamma) r <= (1 - c) rho`: relative to the norm that is
    /// `(1 - c)/((1 + gamma) q) = (1 - c)/(q + c)`.
    ///
    /// Where the projection would not reduce the dimension there is none, and the radius is `1/q`.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless `0 < c < 1`, or for parameters outside their range; those of the enclosures.
    pub fn setting(&self, part: &Rational) -> Result<PureSetting, MarginError> {
        self.check()?;
        above_zero_below_one("the part of the projection", part)?;
        let failure = &self.beta / (integer(3) * integer(3 * u128::from(self.records) + 1));
        // least_dimension is for two events.
        let rows = least_dimension(&(failure * integer(2)), &(part / &self.ratio))?.to_u64();
        let rows = rows.filter(|k| *k < self.dimension);
        let part = rows.map_or(Rational::zero(), |_| part.clone());
        let covered = rows.unwrap_or(self.dimension);
        let radius = (integer(1) - &part) / (&self.ratio + &part);
        Ok(PureSetting {
            log_cover: log_cover(covered, &radius)?.upper(),
            part,
            rows,
            radius,
            covered,
        })
    }

    /// The setting of the smallest cover that a search finds, from `c = 1/4` in twentieths and then in hundredths.
    ///
    /// # Errors
    /// Those of [`PureRun::setting`].
    pub fn best(&self) -> Result<PureSetting, MarginError> {
        let (best, _) = self.best_by(|setting| Ok(setting.log_cover.clone()))?;
        Ok(best)
    }

    /// The setting of a run with these rows and this radius, if Theorem 3.1 holds for it: for some `c` in hundredths the
    /// rows are enough, and the radius is small enough.
    ///
    /// # Errors
    /// Those of [`PureRun::setting`]; [`MarginError::Geometry`] for a radius outside (0, 1].
    pub fn setting_of(
        &self,
        rows: Option<u64>,
        radius: &Rational,
    ) -> Result<Option<PureSetting>, MarginError> {
        self.check()?;
        let rows = rows.filter(|k| *k < self.dimension);
        let part = match rows {
            None => (radius * &self.ratio <= integer(1)).then(Rational::zero),
            // The least part leaves most to the cover.
            Some(k) => {
                let mut least = None;
                for hundredths in 1..100 {
                    let setting = self.setting(&ratio(hundredths, 100))?;
                    if setting.rows.is_some_and(|needed| needed <= k) {
                        least = (*radius <= setting.radius).then_some(setting.part);
                        break;
                    }
                }
                least
            }
        };
        let Some(part) = part else {
            return Ok(None);
        };
        let covered = rows.unwrap_or(self.dimension);
        Ok(Some(PureSetting {
            part,
            rows,
            radius: radius.clone(),
            covered,
            log_cover: log_cover(covered, radius)?.upper(),
        }))
    }

    /// The setting of the least cost, and the cost: the best `c` in twentieths from 1/4 on, and then in hundredths
    /// about it.
    fn best_by(
        &self,
        cost: impl Fn(&PureSetting) -> Result<Rational, MarginError>,
    ) -> Result<(PureSetting, Rational), MarginError> {
        let at = |hundredths: i64| -> Result<(PureSetting, Rational), MarginError> {
            let setting = self.setting(&ratio(hundredths, 100))?;
            let cost = cost(&setting)?;
            Ok((setting, cost))
        };
        let mut best = at(25)?;
        let mut around = 25;
        for hundredths in (30..100).step_by(5) {
            let next = at(hundredths)?;
            if next.1 < best.1 {
                (best, around) = (next, hundredths);
            }
        }
        for hundredths in around - 4..(around + 5).min(100) {
            let next = at(hundredths)?;
            if next.1 < best.1 {
                best = next;
            }
        }
        Ok(best)
    }

    /// Theorem 3.1 with explicit constants: with probability `1 - beta` over data, projection and coins, if some `w` of
    /// norm `Lambda` has the margin loss `margin_loss` on the data, the error on the distribution is at most this.
    ///
    /// Lemma A.1 for halfspaces in dimension `k`. The paper's proof; [`PureRun::guarantee`] is sharper.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] for a margin loss outside [0, 1]; those of the enclosures.
    pub fn theorem_3_1(
        &self,
        setting: &PureSetting,
        margin_loss: &Rational,
    ) -> Result<Rational, MarginError> {
        let training = self.training(setting, margin_loss)?;
        let growth = log_growth(2 * u128::from(self.records), setting.covered)?;
        let third = &self.beta / integer(3);
        Ok(relative_deviation(&of(&training), &growth, &third, self.records)?.upper())
    }

    /// [`PureRun::theorem_3_1`] with the best `c`, and that setting.
    ///
    /// # Errors
    /// Those of [`PureRun::theorem_3_1`].
    pub fn theorem_3_1_best(
        &self,
        margin_loss: &Rational,
    ) -> Result<(PureSetting, Rational), MarginError> {
        self.best_by(|setting| self.theorem_3_1(setting, margin_loss))
    }

    /// What the run guarantees: as Theorem 3.1, but the error on the distribution by a union over the cover, which is
    /// finite and fixed before the data, instead of Lemma A.1.
    ///
    /// # Errors
    /// Those of [`PureRun::theorem_3_1`].
    pub fn guarantee(
        &self,
        setting: &PureSetting,
        margin_loss: &Rational,
    ) -> Result<Guarantee, MarginError> {
        let training = self.training(setting, margin_loss)?;
        let reason = format!(
            "a cover of at most e^{} points in dimension {}",
            to_scientific_above(&setting.log_cover, 3),
            setting.covered
        );
        let class = of(&setting.log_cover) + of(&(integer(3) / &self.beta)).ln()?;
        Guarantee::of_class(training, &class, self.records, reason)
    }

    /// The error on the data: the best point of the cover errs on no more than `margin_loss`, and the choice adds at
    /// most `(2/(epsilon m)) (ln |C| + ln(3/beta))`, with probability `1 - beta/3`. Rounded up.
    fn training(
        &self,
        setting: &PureSetting,
        margin_loss: &Rational,
    ) -> Result<Rational, MarginError> {
        zero_to_one("the margin loss", margin_loss)?;
        let odds = of(&setting.log_cover) + of(&(integer(3) / &self.beta)).ln()?;
        let rate = integer(2) / (&self.epsilon * integer(self.records));
        Ok(margin_loss + (odds * of(&rate)).upper())
    }

    fn check(&self) -> Result<(), MarginError> {
        at_least_one("the number of records", self.records)?;
        at_least_one("the dimension", self.dimension)?;
        above_zero("epsilon", &self.epsilon)?;
        above_zero_below_one("beta", &self.beta)?;
        let right = self.ratio >= integer(1);
        Ok(require(right, "the ratio q", &self.ratio, "at least 1")?)
    }
}

/// A bound on the logarithm of the number of points of the rounding cover of this radius in dimension `k`, with the
/// denominator `Q`: `k ln(sqrt(2 pi e/k) (Q + sqrt k)) - ln(pi k)/2`.
///
/// Proof: the unit cubes about its integer points, of norm at most `Q + sqrt(k)/2`, are disjoint and lie in the ball of
/// radius `Q + sqrt(k)`, and the unit ball has volume at most `(2 pi e/k)^(k/2)/sqrt(pi k)` (Stirling).
///
/// # Errors
/// [`MarginError::Geometry`] unless the dimension is at least 1 and the radius in (0, 1]; those of the enclosures.
pub fn log_cover(dimension: u64, radius: &Rational) -> Result<Enclosure, MarginError> {
    let cover = LatticeCover::rounding(dimension as usize, radius)?;
    let k = of(&integer(dimension));
    let pi = Enclosure::pi(BITS);
    let reach = of(&integer(cover.denominator())) + k.sqrt()?;
    let two_pi_e = pi.shifted(1) * of(&integer(1)).exp()?;
    let base = two_pi_e.divided_by(&k)?.ln()?.shifted(-1) + reach.ln()?;
    Ok(&k * base - (pi * &k).ln()?.shifted(-1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::to_scientific;

    fn run(records: u64, q: Rational, epsilon: Rational) -> PureRun {
        PureRun {
            records,
            dimension: 1 << 50,
            epsilon,
            beta: ratio(1, 20),
            ratio: q,
        }
    }

    #[test]
    fn rows_of_another_program() {
        // ceil(ln(3 (3 m + 1)/beta) / (gamma^2/4 - gamma^3/6)), in floats.
        for (m, q, c, rows) in [
            (1000, integer(1), ratio(1, 10), 5187),
            (1000, integer(2), ratio(17, 20), 374),
            (100_000, integer(1), ratio(17, 20), 214),
        ] {
            let setting = run(m, q, integer(1)).setting(&c).unwrap();
            assert_eq!(setting.rows, Some(rows));
            assert_eq!((setting.covered, setting.part), (rows, c));
        }
    }

    #[test]
    fn the_setting_of_a_run_is_that_of_the_least_part_whose_rows_are_enough() {
        let run = run(1000, integer(2), integer(1));
        let of = |rows, radius: &Rational| run.setting_of(rows, radius).unwrap();
        for hundredths in [30, 85] {
            let setting = run.setting(&ratio(hundredths, 100)).unwrap();
            assert_eq!(of(setting.rows, &setting.radius), Some(setting.clone()));
            // A larger radius loses the margin; one row more or less moves the part.
            assert_eq!(of(setting.rows, &(&setting.radius + ratio(1, 1000))), None);
            let fewer = setting.rows.map(|k| k - 1);
            assert_eq!(of(fewer, &setting.radius), None);
            let more = of(setting.rows.map(|k| k * 2), &setting.radius).unwrap();
            assert!(more.part < setting.part && more.log_cover > setting.log_cover);
        }
        // No projection, or one that would not reduce the dimension: the radius alone decides.
        let run = PureRun {
            dimension: 10,
            ..run
        };
        let of = |rows, radius: &Rational| run.setting_of(rows, radius).unwrap();
        assert_eq!(of(None, &ratio(1, 2)), Some(run.best().unwrap()));
        assert_eq!(of(Some(10), &ratio(1, 2)), of(None, &ratio(1, 2)));
        assert_eq!(of(None, &ratio(51, 100)), None);
        assert_eq!(of(Some(9), &ratio(1, 100)), None);
        assert!(
            run.setting_of(None, &integer(2))
                .is_ok_and(|found| found.is_none())
        );
    }

    #[test]
    fn the_best_part_is_looked_for_in_twentieths_and_then_about_the_best_of_them() {
        let run = run(1000, integer(2), integer(1));
        // The costs are the distances from 61/100, and from 99/100.
        for (goal, tried) in [(61, 15 + 9), (99, 15 + 9)] {
            let seen = std::cell::RefCell::new(Vec::new());
            let cost = |setting: &PureSetting| {
                seen.borrow_mut().push(setting.part.clone());
                let above = &setting.part - ratio(goal, 100);
                Ok(if above < integer(0) { -above } else { above })
            };
            let (best, least) = run.best_by(cost).unwrap();
            assert_eq!((best.part, least), (ratio(goal, 100), integer(0)));
            assert_eq!(seen.into_inner().len(), tried);
        }
    }

    #[test]
    fn without_a_projection_the_whole_margin_is_the_cover_s() {
        let run = PureRun {
            dimension: 10,
            ..run(1000, integer(2), integer(1))
        };
        let setting = run.best().unwrap();
        assert_eq!((setting.rows, setting.covered), (None, 10));
        assert_eq!((setting.part, setting.radius), (integer(0), ratio(1, 2)));
        let guarantee = run.guarantee(&run.best().unwrap(), &integer(0)).unwrap();
        assert!(guarantee.alpha.is_some());
        let lost = run.guarantee(&run.best().unwrap(), &ratio(1, 10)).unwrap();
        assert_eq!(
            lost.training.unwrap() - guarantee.training.unwrap(),
            ratio(1, 10)
        );
    }

    #[test]
    fn the_theorem_asks_for_a_hundred_thousand_records() {
        let bound = |m| {
            let run = run(m, integer(1), integer(1));
            let (setting, bound) = run.theorem_3_1_best(&integer(0)).unwrap();
            let sharper = run.guarantee(&run.best().unwrap(), &integer(0)).unwrap();
            (setting, bound, sharper)
        };
        let (setting, paper, ours) = bound(115_000);
        assert!(setting.rows.is_some());
        assert_eq!(to_scientific(&paper, 4), "0.09984");
        assert!(ours.alpha.unwrap() < paper);
        let (_, paper, ours) = bound(1000);
        assert!(paper > integer(1) && ours.alpha.is_none());
        assert!(ours.alpha.is_none());
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let right = run(1000, integer(2), integer(1));
        let half = ratio(1, 2);
        assert!(right.setting(&half).is_ok());
        assert!(right.setting(&integer(1)).is_err() && right.setting(&integer(0)).is_err());
        let setting = right.setting(&half).unwrap();
        assert!(right.guarantee(&setting, &integer(2)).is_err());
        for wrong in [
            PureRun {
                records: 0,
                ..right.clone()
            },
            PureRun {
                dimension: 0,
                ..right.clone()
            },
            PureRun {
                epsilon: integer(0),
                ..right.clone()
            },
            PureRun {
                beta: integer(1),
                ..right.clone()
            },
            PureRun {
                ratio: half.clone(),
                ..right.clone()
            },
        ] {
            assert!(wrong.setting(&half).is_err());
        }
    }
}
