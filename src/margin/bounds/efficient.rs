//! Lemma 3.1 and Theorem 3.2: Algorithms 4 and 2.

use super::maps::{hadamard_rows, two_stage_rows};
use super::{Guarantee, of};
use crate::geometry::johnson_lindenstrauss::least_dimension;
use crate::margin::MarginError;
use crate::margin::map::{Map, MapKind};
use crate::number::Rational;
use crate::number::range::{above_zero, above_zero_below_one, at_least_one, require};
use crate::number::rational::{integer, ratio, to_scientific_above};
use num_traits::{Signed, ToPrimitive};

/// A run of Algorithm 4 ([`fn@crate::margin::erm::solve`]), by what is public of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErmRun {
    /// The records, `m`.
    pub records: u64,
    /// The dimension of the points, `k`.
    pub dimension: u64,
    /// The norm of hypotheses times that of points, over the margin: `q`, that of the points as they are solved for.
    pub ratio: Rational,
    /// The largest norm of a point, in steps of its grid.
    pub radius: u64,
    /// The privacy parameter of all.
    pub epsilon: Rational,
    /// The rounds, `M`.
    pub rounds: u32,
    /// The deviation of the noise over what one use of a record moves, `nu`.
    pub multiplier: Rational,
    /// The step, `h`.
    pub step: Rational,
    /// How likely it is, at least, that a sample of a round is not rejected.
    pub acceptance: Rational,
}

impl ErmRun {
    /// By how much the expected loss of a round's hypothesis is above the least in the ball, at most:
    /// `E1 = q (4/(h n) + h (11/48 + 16 k nu^2/n + 2 sqrt(k) nu/n^2))`, `n = 2^floor(log2 m)`, and the roundings. Rounded
    /// up. Proof: `spec/margin.md`, `bms22.lem3_1.util`.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] for a parameter outside its range; those of the enclosures.
    pub fn expected_excess(&self) -> Result<Rational, MarginError> {
        self.check()?;
        let log_samples = self.records.ilog2();
        let n = integer(1u128 << log_samples);
        let root = self.root()?;
        // What a use moves is more by the rounding, by up to 2^-10.
        let nu = &self.multiplier * ratio(1025, 1024);
        let of_noise = &nu * &nu * integer(16 * u128::from(self.dimension)) / &n
            + &nu * &root * integer(2) / (&n * &n);
        let c = ratio(11, 48) + of_noise;
        // With the rounding of the steps.
        let steps = integer(4) / (&self.step * &n) + &self.step * (c + ratio(1, 768));
        // The rounding of the radius and of the hypothesis.
        let rounding = integer(2) / integer(self.radius)
            + (integer(1) + root * integer(2)) / integer(1u64 << 30);
        Ok(&self.ratio * (steps / &self.acceptance + rounding))
    }

    /// With probability `1 - failure` the loss of the hypothesis that is returned is above the least in the ball by at most
    /// this: `2 E1 + (4 (1 + q)/(epsilon m)) ln(2 M/failure)`. Rounded up.
    ///
    /// Each round has at most `2 E1` with probability 1/2 (Markov), so that some of [`rounds_for`] rounds has it, up to
    /// `failure/2`; the choice adds the rest, up to `failure/2`.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] if there are fewer rounds than that; those of [`ErmRun::expected_excess`].
    pub fn excess(&self, failure: &Rational) -> Result<Rational, MarginError> {
        above_zero_below_one("the probability of failure", failure)?;
        let enough = self.rounds >= rounds_for(failure)?;
        let expected = "at least log2(2/failure)";
        require(enough, "the number of rounds", &self.rounds, expected)?;
        let odds = of(&(integer(2 * u64::from(self.rounds)) / failure)).ln()?;
        let range = &self.ratio + integer(1);
        let rate = range * integer(4) / (&self.epsilon * integer(self.records));
        Ok(self.expected_excess()? * integer(2) + (odds * of(&rate)).upper())
    }

    /// `sqrt(k)`, rounded up.
    fn root(&self) -> Result<Rational, MarginError> {
        Ok(of(&integer(self.dimension)).sqrt()?.upper())
    }

    fn check(&self) -> Result<(), MarginError> {
        let records = self.records;
        require(
            records >= 2,
            "the number of records",
            &records,
            "at least 2",
        )?;
        at_least_one("the dimension", self.dimension)?;
        at_least_one("the radius in steps of the grid", self.radius)?;
        at_least_one("the number of rounds", self.rounds.into())?;
        above_zero("epsilon", &self.epsilon)?;
        above_zero("the step", &self.step)?;
        above_zero("the probability of acceptance", &self.acceptance)?;
        let negative = self.multiplier.is_negative();
        require(
            !negative,
            "the noise multiplier",
            &self.multiplier,
            "at least 0",
        )?;
        let right = self.ratio >= integer(1);
        Ok(require(right, "the ratio q", &self.ratio, "at least 1")?)
    }
}

/// A run of Algorithm 2 ([`mod@crate::margin::efficient`]), by what is public of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EfficientRun {
    /// Algorithm 4, on the projected records.
    pub erm: ErmRun,
    /// The ratio `q` of the data; that of the projected records is `(1 + gamma) q`.
    pub ratio: Rational,
    /// The map.
    pub map: Map,
    /// The dimension of the data, `d`.
    pub dimension: u64,
    /// By how much a projection may stretch squared norms, `gamma`.
    pub distortion: Rational,
    /// The probability with which the guarantee may fail.
    pub beta: Rational,
}

impl EfficientRun {
    /// The same run at another ratio `q` of the data, that is at another margin: noise and step do not depend on it.
    #[must_use]
    pub fn at(&self, ratio: &Rational) -> Self {
        let stretched = ratio * (&self.distortion + integer(1));
        Self {
            erm: ErmRun {
                ratio: stretched,
                ..self.erm.clone()
            },
            ratio: ratio.clone(),
            ..self.clone()
        }
    }

    /// Theorem 3.2 with explicit constants: with probability `1 - beta` over data, projection and coins, if some `w` of norm
    /// at most `Lambda` has the mean hinge loss `hinge_loss` on the data, the error on the distribution is at most
    ///
    /// `hinge_loss + gamma q + excess + 2 (1 + gamma) q/sqrt(m) + sqrt(ln(3/beta)/(2m))`,
    ///
    /// where `excess` is that of [`ErmRun::excess`] at `beta/3`. Nothing is guaranteed if the projection has fewer rows than
    /// `gamma` asks for.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] for parameters outside their range; those of the enclosures.
    pub fn guarantee(&self, hinge_loss: &Rational) -> Result<Guarantee, MarginError> {
        above_zero_below_one("beta", &self.beta)?;
        let negative = hinge_loss.is_negative();
        require(!negative, "the hinge loss", hinge_loss, "at least 0")?;
        let m = self.erm.records;
        let third = &self.beta / integer(3);
        let d = self.dimension;
        let gamma = if self.map.rows(d as usize).is_some() {
            if !keeps(self.map, (m, d), &self.distortion, &third)? {
                let reason = "the projection has too few rows to keep norms";
                return Ok(Guarantee::vacuous(reason.to_owned()));
            }
            self.distortion.clone()
        } else {
            integer(0)
        };
        let by_the_projection = &gamma * &self.ratio;
        let excess = self.erm.excess(&third)?;
        let training = hinge_loss + &by_the_projection + &excess;
        let root = of(&integer(m)).sqrt()?;
        let class = of(&(&self.erm.ratio * integer(2))).divided_by(&root)?;
        let sample = of(&third.recip())
            .ln()?
            .divided_by(&of(&integer(2 * u128::from(m))))?;
        let sample = (class + sample.sqrt()?).upper();
        let alpha = &training + &sample;
        let half = ratio(1, 2);
        let shown = |value: &Rational| to_scientific_above(value, 3);
        Ok(Guarantee {
            reason: format!(
                "{} by the projection, {} by the descent and the choice, {} by the sample",
                shown(&by_the_projection),
                shown(&excess),
                shown(&sample)
            ),
            alpha: (alpha < half).then_some(alpha),
            training: (training < half).then_some(training),
        })
    }
}

/// The number of rounds of which one is good with probability `1 - failure/2`, each being good with probability 1/2:
/// `ceil(log2(2/failure))`.
///
/// # Errors
/// [`MarginError::Parameter`] unless `0 < failure < 1`.
pub fn rounds_for(failure: &Rational) -> Result<u32, MarginError> {
    above_zero_below_one("the probability of failure", failure)?;
    let mut rounds = 0;
    let mut all_fail = integer(1);
    while all_fail > failure / integer(2) {
        all_fail /= integer(2);
        rounds += 1;
    }
    Ok(rounds)
}

/// The least number of rows of random signs with which a projection stretches the margins and norms of `m` records and a
/// hypothesis by at most `gamma`, but for this probability of failure (`bms22.lemA_3.one-sided`); `None` if it has 2^64 or
/// more, or `gamma > 1`, for which nothing is shown.
///
/// # Errors
/// Those of the lemma.
pub fn rows_for(
    records: u64,
    gamma: &Rational,
    failure: &Rational,
) -> Result<Option<u64>, MarginError> {
    if !gamma.is_positive() || *gamma > integer(1) {
        return Ok(None);
    }
    // least_dimension is for two events.
    let event = failure / integer(3 * u128::from(records) + 1);
    Ok(least_dimension(&(event * integer(2)), gamma)?.to_u64())
}

/// The vectors whose norms a fast map must keep, for the margins and norms of `m` records and a hypothesis: `3m + 1`.
fn vectors(records: u64) -> Result<u64, MarginError> {
    let right = records <= 1 << 60;
    let expected = "at most 2^60";
    require(right, "the number of records", &records, expected)?;
    Ok(3 * records + 1)
}

/// Whether this map stretches the margins and norms of `m` records in dimension `d` and of a hypothesis by at most `gamma`,
/// but for this probability of failure: random signs by `bms22.lemA_3.one-sided`, the fast maps by `bms22.lemA_4` and
/// `bms22.lemA_4.two-stage` for `3m + 1` vectors. Nothing is shown for `gamma > 1`.
///
/// # Errors
/// Those of the lemmas.
pub fn keeps(
    map: Map,
    (records, dimension): (u64, u64),
    gamma: &Rational,
    failure: &Rational,
) -> Result<bool, MarginError> {
    if matches!(map, Map::Identity) {
        return Ok(true);
    }
    if !gamma.is_positive() || *gamma > integer(1) {
        return Ok(false);
    }
    let all = vectors(records)?;
    Ok(match map {
        Map::Identity => true,
        Map::Signs(rows) => {
            let needed = rows_for(records, gamma, failure)?;
            needed.is_some_and(|needed| needed <= rows as u64)
        }
        Map::Hadamard(rows) => hadamard_rows(all, dimension, gamma, failure)? <= rows as u64,
        Map::TwoStage { first, last } => {
            let needed = two_stage_rows(all, dimension, gamma, failure)?;
            needed.0 <= first as u64 && needed.1 <= last as u64
        }
    })
}

/// The least `gamma`, in steps of `2^-16`, up to which this map [`keeps`] margins and norms; `None` if none up to 1 is.
///
/// # Errors
/// Those of [`keeps`].
pub fn distortion_of(
    map: Map,
    shape: (u64, u64),
    failure: &Rational,
) -> Result<Option<Rational>, MarginError> {
    least_gamma(|gamma| keeps(map, shape, gamma, failure))
}

/// The least `gamma` in steps of `2^-16` that is enough.
fn least_gamma(
    enough: impl Fn(&Rational) -> Result<bool, MarginError>,
) -> Result<Option<Rational>, MarginError> {
    let (mut too_few, mut least) = (0, 1i64 << 16);
    if !enough(&integer(1))? {
        return Ok(None);
    }
    while least - too_few > 1 {
        let middle = (least + too_few) / 2;
        if enough(&ratio(middle, 1 << 16))? {
            least = middle;
        } else {
            too_few = middle;
        }
    }
    Ok(Some(ratio(least, 1 << 16)))
}

/// The map of this kind that balances the projection's part of the bound with the noise's: `n sqrt(C)/(32 nu)` rows, rounded
/// up, where `k` rows distort by about `sqrt(C/k)`; and no fewer than `gamma = 1` asks for. `None` for no projection, and for
/// one with 2^64 rows or more.
///
/// `C` is `4 ln((3m + 1)/failure)` for random signs; with `N = 3m + 1` vectors `6 ln(4 d N/failure) ln(4 N/failure)` for the
/// fast map (`d` up to a power of two), and `36 ln(6 N/failure)` for the last stage of two. The first stage has as many rows
/// as the distortion of the last asks for.
///
/// # Errors
/// [`MarginError::Parameter`] unless `nu > 0`, there is a dimension and `0 < failure < 1`; those of the lemmas and the
/// enclosures.
pub fn balanced_map(
    kind: MapKind,
    (records, dimension): (u64, u64),
    multiplier: &Rational,
    failure: &Rational,
) -> Result<Option<Map>, MarginError> {
    above_zero("the noise multiplier", multiplier)?;
    above_zero_below_one("the probability of failure", failure)?;
    let all = vectors(records)?;
    let logarithm = |times: u128| of(&(integer(times) * integer(all) / failure)).ln();
    let length = u128::from(dimension).next_power_of_two();
    let one = integer(1);
    let (constant, least) = match kind {
        MapKind::Identity => return Ok(Some(Map::Identity)),
        MapKind::Signs => (
            logarithm(1)? * of(&integer(4)),
            rows_for(records, &one, failure)?,
        ),
        MapKind::Hadamard => (
            logarithm(4 * length)? * logarithm(4)? * of(&integer(6)),
            Some(hadamard_rows(all, dimension, &one, failure)?),
        ),
        MapKind::TwoStage => (
            logarithm(6)? * of(&integer(36)),
            Some(two_stage_rows(all, dimension, &one, failure)?.1),
        ),
    };
    let n = integer(1u128 << records.max(1).ilog2());
    let balanced = constant.sqrt()? * of(&(n / (multiplier * integer(32))));
    let balanced = balanced.upper().ceil().to_integer().to_u64();
    let Some((balanced, least)) = balanced.zip(least) else {
        return Ok(None);
    };
    let rows = balanced.max(least);
    Ok(match kind {
        MapKind::Identity => Some(Map::Identity),
        MapKind::Signs => Some(Map::Signs(rows as usize)),
        MapKind::Hadamard => Some(Map::Hadamard(rows as usize)),
        MapKind::TwoStage => {
            let needed = |gamma: &Rational| two_stage_rows(all, dimension, gamma, failure);
            let gamma = least_gamma(|gamma| Ok(needed(gamma)?.1 <= rows))?;
            let first = needed(&gamma.unwrap_or(one))?.0;
            Some(Map::TwoStage {
                first: first as usize,
                last: rows as usize,
            })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::to_scientific;

    /// n = 512, h = 1/10.
    fn run() -> ErmRun {
        ErmRun {
            records: 1000,
            dimension: 50,
            ratio: integer(3),
            radius: 1024,
            epsilon: ratio(1, 2),
            rounds: 7,
            multiplier: ratio(5, 2),
            step: ratio(1, 10),
            acceptance: ratio(3, 4),
        }
    }

    fn eight(value: &Rational) -> String {
        to_scientific(value, 8)
    }

    #[test]
    fn losses_of_another_program() {
        let right = run();
        let coarse = ErmRun { radius: 4, ..run() };
        let uncapped = ErmRun {
            acceptance: integer(1),
            ..run()
        };
        let few = ErmRun {
            records: 3,
            dimension: 2,
            ratio: integer(1),
            multiplier: integer(0),
            step: integer(1),
            acceptance: integer(1),
            ..run()
        };
        // A few lines of floating point.
        for (run, expected) in [
            (right, "4.3244840"),
            (coarse, "5.8186247"),
            (uncapped, "3.2448279"),
            (few, "2.2324219"),
        ] {
            assert_eq!(eight(&run.expected_excess().unwrap()), expected, "{run:?}");
        }
        // 2 E1 + (4 * 4/500) ln(280)
        assert_eq!(eight(&run().excess(&ratio(1, 20)).unwrap()), "8.8292813");
    }

    #[test]
    fn rounds_are_as_many_as_the_choice_among_them_needs() {
        let rounds = [ratio(1, 2), ratio(1, 20), ratio(1, 60), ratio(1, 64)];
        assert_eq!(
            rounds.map(|failure| rounds_for(&failure).unwrap()),
            [2, 6, 7, 7]
        );
        assert!(rounds_for(&integer(0)).is_err());
        assert!(run().excess(&ratio(1, 64)).is_ok());
        let refused = run().excess(&ratio(1, 65)).unwrap_err().to_string();
        assert!(refused.contains("at least log2(2/failure)"), "{refused}");
    }

    #[test]
    fn rows_and_distortions_of_another_program() {
        // ln(60 * 3001)/(gamma^2/4 - gamma^3/6)
        let failure = ratio(1, 60);
        let rows = |gamma| rows_for(1000, &gamma, &failure).unwrap();
        assert_eq!(rows(ratio(1, 2)), Some(291));
        assert_eq!(rows(integer(1)), Some(146));
        assert_eq!(rows(integer(0)), None);
        assert_eq!(rows(ratio(-1, 2)), None);
        assert_eq!(rows(ratio(11, 10)), None);
        // 12 ln(2 * 4) = 24.95
        assert_eq!(rows_for(1, &integer(1), &ratio(1, 2)).unwrap(), Some(25));
        let least = |rows| distortion_of(Map::Signs(rows), (1000, 5000), &failure).unwrap();
        assert_eq!(least(1000), Some(ratio(15_733, 1 << 16)));
        assert_eq!(least(200), Some(ratio(42_975, 1 << 16)));
        assert_eq!(least(145), None);
        assert!(least(146).is_some());
    }

    #[test]
    fn the_balanced_rows_are_those_of_the_noise_but_enough_for_a_distortion_of_one() {
        // 512 sqrt(ln(60 * 3001))/(16 nu) = 222.6 and 22.3, and 146 rows at gamma = 1.
        let map =
            |m, multiplier, failure| balanced_map(MapKind::Signs, (m, 5000), &multiplier, &failure);
        let rows = |multiplier| map(1000, multiplier, ratio(1, 60)).unwrap();
        assert_eq!(rows(ratio(1, 2)), Some(Map::Signs(223)));
        assert_eq!(rows(integer(5)), Some(Map::Signs(146)));
        // In 8192 dimensions 6 ln(4 8192 3001 60) ln(4 3001 60) = 1820.6 for gamma = 1; 512 sqrt(that)/(32 nu) = 6827.1.
        let of_kind = |kind, nu| balanced_map(kind, (1000, 5000), &nu, &ratio(1, 60)).unwrap();
        let fast = |nu| of_kind(MapKind::Hadamard, nu);
        assert_eq!(fast(ratio(1, 10)), Some(Map::Hadamard(6828)));
        assert_eq!(fast(integer(5)), Some(Map::Hadamard(1821)));
        // ln(6 3001 60) (324/7) = 643.04 rows, which allow for gamma = 65479/65536; and
        // 54 ln(6 8192 3001 60) ln(6 3001 60)/gamma^2 = 17212.6.
        let two_stage = Map::TwoStage {
            first: 17_213,
            last: 644,
        };
        assert_eq!(of_kind(MapKind::TwoStage, integer(5)), Some(two_stage));
        let identity = of_kind(MapKind::Identity, integer(5));
        assert_eq!(identity, Some(Map::Identity));
        // sqrt(ln 8) 100 = 144.2
        let one = map(1, ratio(1, 1600), ratio(1, 2)).unwrap();
        assert_eq!(one, Some(Map::Signs(145)));
        assert!(map(1000, integer(0), ratio(1, 60)).is_err());
    }

    /// 2^26 records, `gamma = 1/16` and as many rows as that asks for.
    fn projected() -> EfficientRun {
        EfficientRun {
            erm: ErmRun {
                records: 1 << 26,
                dimension: 24_806,
                ratio: ratio(17, 16),
                radius: 1 << 20,
                epsilon: integer(1),
                rounds: 7,
                multiplier: integer(2),
                step: ratio(1, 10_000),
                acceptance: integer(1),
            },
            ratio: integer(1),
            map: Map::Signs(24_806),
            dimension: 100_000,
            distortion: ratio(1, 16),
            beta: ratio(1, 20),
        }
    }

    #[test]
    fn a_guarantee_of_another_program() {
        let found = projected().guarantee(&ratio(1, 100)).unwrap();
        let [training, alpha] = [found.training, found.alpha].map(|value| eight(&value.unwrap()));
        assert_eq!((&training[..], &alpha[..]), ("0.073826116", "0.074260173"));
        // Without a projection nothing is spent on one, however few rows there are.
        let whole = EfficientRun {
            map: Map::Identity,
            ..projected()
        };
        let found = whole.guarantee(&ratio(1, 100)).unwrap();
        let alpha = eight(&(found.alpha.unwrap() + ratio(1, 16)));
        assert_eq!(alpha, "0.074260173");
    }

    #[test]
    fn too_few_rows_or_records_guarantee_nothing_and_it_is_said() {
        let mut few = projected();
        few.map = Map::Signs(24_805);
        let found = few.guarantee(&integer(0)).unwrap();
        assert_eq!((found.alpha, found.training), (None, None));
        assert!(found.reason.starts_with("the projection"));
        // The sample takes the error beyond a half: then the hinge loss does.
        let right = projected();
        let sure = |loss: &Rational| right.guarantee(loss).unwrap();
        let zero = sure(&integer(0));
        let alpha = zero.alpha.unwrap();
        let below = sure(&(ratio(49, 100) - &alpha));
        assert!(below.alpha.is_some());
        let half = sure(&(ratio(1, 2) - &alpha));
        assert!(half.alpha.is_none() && half.training.is_some());
        let more = sure(&(ratio(1, 2) - zero.training.unwrap()));
        assert!(more.alpha.is_none() && more.training.is_none());
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        assert!(projected().guarantee(&ratio(-1, 2)).is_err());
        let beta = integer(1);
        assert!(
            EfficientRun {
                beta,
                ..projected()
            }
            .guarantee(&integer(0))
            .is_err()
        );
        assert!(run().excess(&integer(0)).is_err());
        let least = ErmRun {
            records: 2,
            dimension: 1,
            ratio: integer(1),
            multiplier: integer(0),
            ..run()
        };
        assert!(least.expected_excess().is_ok());
        for (wrong, says) in [
            (
                ErmRun {
                    records: 1,
                    ..run()
                },
                "the number of records",
            ),
            (
                ErmRun {
                    dimension: 0,
                    ..run()
                },
                "the dimension",
            ),
            (ErmRun { radius: 0, ..run() }, "the radius"),
            (ErmRun { rounds: 0, ..run() }, "the number of rounds"),
            (
                ErmRun {
                    epsilon: integer(0),
                    ..run()
                },
                "epsilon",
            ),
            (
                ErmRun {
                    step: integer(0),
                    ..run()
                },
                "the step",
            ),
            (
                ErmRun {
                    acceptance: integer(0),
                    ..run()
                },
                "the probability of acceptance",
            ),
            (
                ErmRun {
                    multiplier: ratio(-1, 9),
                    ..run()
                },
                "the noise multiplier",
            ),
            (
                ErmRun {
                    ratio: ratio(9, 10),
                    ..run()
                },
                "the ratio q",
            ),
        ] {
            let refused = wrong.expected_excess().unwrap_err().to_string();
            assert!(refused.starts_with(says), "{refused}");
        }
    }
}
