//! The Gibbs learner on `N` public candidates.

use super::{BITS, Guarantee, of};
use crate::margin::MarginError;
use crate::margin::gibbs::PRIOR_VARIANCE;
use crate::number::range::{above_zero, above_zero_below_one, at_least_one, require, zero_to_one};
use crate::number::rational::{integer, ratio, to_scientific_above};
use crate::number::{Enclosure, Rational};

/// A run of the Gibbs learner ([`mod@crate::margin::gibbs`]), by what is public of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GibbsRun {
    /// The records, `m`.
    pub records: u64,
    /// The dimension, `d`.
    pub dimension: u64,
    /// The candidates, `N`.
    pub candidates: u64,
    /// The privacy parameter.
    pub epsilon: Rational,
    /// The probability with which the guarantee may fail.
    pub beta: Rational,
}

/// How far the comparator is moved into the prior: `tau` is gone through in steps of this, the inverse.
const STEPS: u64 = 16;

impl GibbsRun {
    /// What the run guarantees if some `w` with `Lambda r / rho <= q` has the margin loss `margin_loss` on the data.
    ///
    /// Let `a = e^(-d/(11 v)) Phi(-tau)`, `T = Phi(slip - tau/q)`, `slip = sqrt(d/(4 (v - 1/6)))`. With probability
    /// `1 - beta/3` each:
    ///
    /// 1. `N a / 2` candidates have an error of at most `margin_loss + 2 T` on the data, if `N a >= 8 ln(3/beta)`;
    /// 2. the one chosen has at most `(2/(epsilon m)) ln(6/(a beta))` more;
    /// 3. no candidate's error on the distribution is above that of [`Guarantee::alpha`], for a class of size `N`.
    ///
    /// The best `tau` on a grid is taken: it depends on nothing that is private but `margin_loss`, and the bound holds
    /// for each. Proof: `spec/margin.md`, `bms22.gibbs.bound`.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] for a parameter outside its range; those of the enclosures.
    pub fn guarantee(
        &self,
        q: &Rational,
        margin_loss: &Rational,
    ) -> Result<Guarantee, MarginError> {
        self.check()?;
        require(*q >= integer(1), "the ratio q", q, "at least 1")?;
        zero_to_one("the margin loss", margin_loss)?;
        let mut best: Option<Terms> = None;
        for step in 0.. {
            let tau = Rational::new(step.into(), STEPS.into());
            let Some(terms) = self.terms(q, margin_loss, &tau)? else {
                break;
            };
            if best
                .as_ref()
                .is_none_or(|best| terms.training < best.training)
            {
                best = Some(terms);
            }
        }
        let Some(best) = best else {
            return Ok(Guarantee::vacuous(format!(
                "{} candidates are too few for any of them to be surely good",
                self.candidates
            )));
        };
        let class = of(&(integer(3) * integer(self.candidates) / &self.beta)).ln()?;
        let reason = format!(
            "tau = {}: {} by the margin, {} by the choice",
            best.tau,
            to_scientific_above(&best.by_the_margin, 3),
            to_scientific_above(&best.by_the_choice, 3)
        );
        Guarantee::of_class(best.training, &class, self.records, reason)
    }

    /// The share of the prior that is as good as the comparator moved by `tau`: `a`, rounded down.
    ///
    /// # Errors
    /// Those of the enclosures.
    pub fn good_share(&self, tau: &Rational) -> Result<Rational, MarginError> {
        let grid = -ratio(1, 11) * integer(self.dimension) / integer(PRIOR_VARIANCE);
        let share = of(tau).normal_upper() * Enclosure::exp_of(&grid, BITS)?;
        Ok(share.lower())
    }

    /// The share of the records within the margin that a candidate near the comparator may lose: `T`, rounded up.
    ///
    /// # Errors
    /// Those of the enclosures.
    pub fn lost_share(&self, q: &Rational, tau: &Rational) -> Result<Rational, MarginError> {
        let variance = integer(PRIOR_VARIANCE) - ratio(1, 6);
        let slip = of(&(integer(self.dimension) / (variance * integer(4)))).sqrt()?;
        Ok((of(&(tau / q)) - slip).normal_upper().upper())
    }

    /// The bound on the training error at one `tau`; nothing if there are too few candidates for it.
    fn terms(
        &self,
        q: &Rational,
        margin_loss: &Rational,
        tau: &Rational,
    ) -> Result<Option<Terms>, MarginError> {
        let share = self.good_share(tau)?;
        let needed = of(&(integer(3) / &self.beta)).ln()? * of(&integer(8));
        let expected = &share * integer(self.candidates);
        if !needed.is_below_rational(&expected) {
            return Ok(None);
        }
        let by_the_margin = self.lost_share(q, tau)? * integer(2);
        let odds = of(&(integer(6) / (share * &self.beta))).ln()?;
        let rate = integer(2) / (&self.epsilon * integer(self.records));
        let by_the_choice = (odds * of(&rate)).upper();
        Ok(Some(Terms {
            tau: tau.clone(),
            training: margin_loss + &by_the_margin + &by_the_choice,
            by_the_margin,
            by_the_choice,
        }))
    }

    fn check(&self) -> Result<(), MarginError> {
        at_least_one("the number of records", self.records)?;
        at_least_one("the dimension", self.dimension)?;
        at_least_one("the number of candidates", self.candidates)?;
        above_zero("epsilon", &self.epsilon)?;
        Ok(above_zero_below_one("beta", &self.beta)?)
    }
}

/// The bound on the training error at one `tau`, rounded up.
struct Terms {
    tau: Rational,
    training: Rational,
    by_the_margin: Rational,
    by_the_choice: Rational,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{parse, to_scientific};

    fn run(records: u64, candidates: u64) -> GibbsRun {
        GibbsRun {
            records,
            dimension: 20,
            candidates,
            epsilon: integer(1),
            beta: parse("0.05").unwrap(),
        }
    }

    /// The bounds on the training error and on the error, to four digits.
    fn bounds(run: &GibbsRun, q: Rational) -> (String, String) {
        let found = run.guarantee(&q, &integer(0)).unwrap();
        let four = |value: Option<Rational>| {
            value.map_or("none".to_owned(), |value| to_scientific(&value, 4))
        };
        (four(found.training), four(found.alpha))
    }

    #[test]
    fn bounds_of_another_program() {
        // A few lines of floating point, with the same steps of tau.
        for (q, records, candidates, training, alpha) in [
            (integer(1), 1000, 10_000, "0.02804", "0.07173"),
            (ratio(3, 2), 5000, 1_000_000, "0.01463", "0.02906"),
            (integer(2), 1000, 1_000_000, "0.07882", "0.1528"),
        ] {
            let found = bounds(&run(records, candidates), q);
            assert_eq!(found, (training.to_owned(), alpha.to_owned()));
        }
    }

    #[test]
    fn too_few_candidates_or_records_guarantee_nothing() {
        let none = |run: &GibbsRun, q| run.guarantee(&q, &integer(0)).unwrap();
        let few = none(&run(1000, 60), integer(1));
        assert!(few.alpha.is_none() && few.reason.contains("too few"));
        let short = none(&run(20, 1_000_000), integer(1));
        assert!(short.alpha.is_none() && short.reason.contains("by the choice"));
    }

    #[test]
    fn a_margin_loss_is_added() {
        let run = run(1000, 10_000);
        let at = |p| run.guarantee(&integer(1), &p).unwrap().training.unwrap();
        assert_eq!(at(ratio(1, 10)), at(integer(0)) + ratio(1, 10));
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let right = run(1000, 10_000);
        assert!(right.guarantee(&ratio(1, 2), &integer(0)).is_err());
        assert!(right.guarantee(&integer(1), &integer(2)).is_err());
        for wrong in [
            GibbsRun {
                records: 0,
                ..right.clone()
            },
            GibbsRun {
                dimension: 0,
                ..right.clone()
            },
            GibbsRun {
                candidates: 0,
                ..right.clone()
            },
            GibbsRun {
                epsilon: integer(0),
                ..right.clone()
            },
            GibbsRun {
                beta: integer(1),
                ..right.clone()
            },
        ] {
            assert!(wrong.guarantee(&integer(1), &integer(0)).is_err());
        }
    }
}
