//! Algorithm 2: approximate privacy in nearly linear time.
//!
//! Bassily, Mohri, Suresh 2022, Section 3.2. What it does on the projected records is Algorithm 4, in [`mod@super::erm`].

use super::bounds::EfficientRun;
use super::bounds::efficient::{balanced_map, distortion_of, rounds_for};
use super::data::{Dataset, Margin};
use super::erm::{Accounting, ErmPlan, account, half_of, solve, uses};
use super::error::MarginError;
use super::map::{Map, MapKind, Projection};
use crate::coins::{Coins, Stage};
use crate::geometry::{Domain, Halfspace, Record};
use crate::number::chosen::{Chosen, Origin, from_theorem, overridden};
use crate::number::range::{above_zero_below_one, require};
use crate::number::{Rational, grid, rational};
use crate::privacy::Budget;
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

/// Learns a halfspace by Algorithm 2; `(epsilon, delta)`-differentially private under substitution of one record (ledger:
/// `bms22.alg4.dp.mixture`, and one row for each other accounting).
///
/// For many models on data of one shape, calibrate once: [`EfficientParameters::plan`].
///
/// # Errors
/// Those of [`EfficientParameters::plan`] and [`EfficientPlan::learn`]; none depends on the records.
pub fn learn(
    data: &Dataset,
    parameters: &EfficientParameters,
    coins: &mut impl Coins,
) -> Result<EfficientModel, MarginError> {
    let plan = parameters.plan(data.domain(), data.records().len())?;
    plan.learn(data, coins)
}

impl EfficientPlan {
    /// Algorithm 2.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] for data of another domain or number of records, which are public; those of the
    /// projection and the coins.
    pub fn learn(
        &self,
        data: &Dataset,
        coins: &mut impl Coins,
    ) -> Result<EfficientModel, MarginError> {
        data.is_for(self.domain, self.erm.records())?;
        // 1. k was computed from public numbers.
        // 2. Phi, once. Drawing it again until it suits the data would not be private.
        coins.stage(&Stage::public("the projection"));
        let projection = self.map.draw(data.domain().dimension(), coins)?;
        // 3. S_Phi: of each record y Phi x, moved into the ball of radius r~. No other record is read.
        let image = |record: &Record| -> Result<Vec<i64>, MarginError> {
            let mut image = projection.apply(&record.signed())?;
            grid::clip_to_radius(&mut image, self.erm.radius());
            Ok(image)
        };
        let points: Vec<_> = data.records().iter().map(image).collect::<Result<_, _>>()?;
        // 4. The hinge loss on S_Phi, minimised privately by Algorithm 4.
        let (candidates, chosen) = solve(&points, &self.erm, coins)?;
        // 5. Return Phi^T w. A prediction needs no clipping: it would not change the sign.
        let direction = projection.pull_back(&candidates[chosen])?;
        Ok(EfficientModel {
            projection,
            candidates,
            chosen,
            halfspace: Halfspace { direction },
        })
    }
}

/// What Algorithm 2 returns. All of it may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EfficientModel {
    /// The map that was drawn, in integers.
    pub projection: Projection,
    /// The candidates, one for each round, in steps of `2^-30` of the largest norm.
    pub candidates: Vec<Vec<i64>>,
    /// The number of the one that was chosen.
    pub chosen: usize,
    /// The halfspace `Phi^T w`, its normal vector scaled to integers.
    pub halfspace: Halfspace,
}
crate::published!(EfficientModel {
    projection,
    candidates,
    chosen,
    halfspace
});

/// The parameters of Algorithm 2. All are public: none may be chosen after looking at the data.
///
/// Privacy rests on the budget alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EfficientParameters {
    /// `(epsilon, delta)`, under substitution, `delta > 0`.
    pub budget: Budget,
    /// The margin of the loss. Its radius is that of the data's domain.
    pub margin: Margin,
    /// The projection.
    pub map: Chosen<Map>,
    /// By how much the projection may stretch squared norms, `gamma`: points and hypotheses of the projected space have
    /// norms up to `sqrt(1 + gamma)` times those of the others. Not used without a projection.
    pub distortion: Chosen<Rational>,
    /// The number M of rounds.
    pub rounds: Chosen<u32>,
    /// How the noise is calibrated.
    pub accounting: Accounting,
}

impl EfficientParameters {
    /// [`EfficientParameters::from_theorem_for`] random signs.
    ///
    /// # Errors
    /// Those of [`EfficientParameters::from_theorem_for`].
    pub fn from_theorem(
        beta: &Rational,
        budget: Budget,
        margin: Margin,
        accounting: Accounting,
        shape: (usize, usize),
    ) -> Result<Self, MarginError> {
        Self::from_theorem_for(MapKind::Signs, beta, budget, margin, accounting, shape)
    }

    /// The parameters of Theorem 3.2 for `m` records in dimension `d`: `M = ceil(log2(6/beta))` rounds, and of this kind the
    /// map that balances the projection's part of the bound with the noise's ([`balanced_map`]); no projection if that has
    /// `d` rows or more.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless `m >= 2`, `0 < beta < 1` and `delta > 0`; those of the accounting and the lemmas.
    pub fn from_theorem_for(
        kind: MapKind,
        beta: &Rational,
        budget: Budget,
        margin: Margin,
        accounting: Accounting,
        (m, d): (usize, usize),
    ) -> Result<Self, MarginError> {
        above_zero_below_one("beta", beta)?;
        above_zero_below_one("delta", budget.delta())?;
        require(m >= 2, "the number of records", &m, "at least 2")?;
        let third = beta / BigInt::from(3);
        let rounds = rounds_for(&third)?;
        let (multiplier, ..) = account(accounting, &uses(m, rounds)?, &half_of(&budget)?)?;
        let map = balanced_map(kind, (m as u64, d as u64), &multiplier, &third)?;
        let map = map.filter(|map| map.rows(d).is_some());
        let parameters = Self {
            budget,
            margin,
            map: overridden(Map::Identity),
            distortion: overridden(Rational::one()),
            rounds: from_theorem(rounds),
            accounting,
        };
        let mut parameters = parameters.with_map(map.unwrap_or(Map::Identity), beta, (m, d))?;
        parameters.map.origin = Origin::Theorem;
        Ok(parameters)
    }

    /// The same with another map, and the distortion that the theorem allows it for `m` records in dimension `d`; 1 if it
    /// has too few rows for any, and nothing is guaranteed.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] for a map without rows or a `beta` outside of (0, 1); those of the lemmas.
    pub fn with_map(
        self,
        map: Map,
        beta: &Rational,
        (m, d): (usize, usize),
    ) -> Result<Self, MarginError> {
        above_zero_below_one("beta", beta)?;
        map.check()?;
        let gamma = match map.rows(d) {
            Some(_) => distortion_of(map, (m as u64, d as u64), &(beta / BigInt::from(3)))?,
            None => None,
        };
        Ok(Self {
            map: overridden(map),
            distortion: from_theorem(gamma.unwrap_or_else(Rational::one)),
            ..self
        })
    }

    /// Calibrates the noise for `m` records of a domain.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless `m >= 2`, the margin's radius is the domain's, `0 <= gamma <= 3`, there are a round
    /// and a row, `0 < delta` and the budget is under substitution; and for an `epsilon m` beyond what is drawn exactly;
    /// [`MarginError::Overflow`] for a grid too fine; those of the accounting.
    pub fn plan(&self, domain: Domain, m: usize) -> Result<EfficientPlan, MarginError> {
        let right = *self.margin.radius() == domain.radius_value();
        let expected = "that of the data's domain";
        require(
            right,
            "the radius of the margin",
            self.margin.radius(),
            expected,
        )?;
        let d = domain.dimension();
        let map = self.map.value;
        map.check()?;
        let rows = map.rows(d);
        let gamma = match rows {
            Some(_) => self.distortion.value.clone(),
            None => rational::integer(0),
        };
        let right = gamma >= rational::integer(0) && gamma <= rational::integer(3);
        let expected = "at least 0 and at most 3";
        require(right, "the distortion", &gamma, expected)?;
        // r~^2 = (1 + gamma) r^2; of sqrt(s) Phi x the square is s times that.
        let stretch = &gamma + Rational::one();
        let squared = &stretch * BigInt::from(domain.radius()).pow(2);
        let squared = (squared * BigInt::from(map.squared_scale(d))).floor();
        let radius = squared.to_integer().sqrt().to_u64();
        let radius = radius.filter(|radius| *radius <= 1 << 30);
        let radius = radius.ok_or(MarginError::Overflow {
            what: "an inner product of a hypothesis and a projected record",
        })?;
        Ok(EfficientPlan {
            erm: ErmPlan::new(
                (m, rows.unwrap_or(d), radius),
                // q' = (1 + gamma) q: both norms are stretched.
                &(self.margin.ratio() * stretch),
                &self.budget,
                self.rounds.value,
                self.accounting,
            )?,
            map,
            gamma,
            domain,
        })
    }
}

/// Algorithm 2 with its noise calibrated: what depends on public values alone, so that one plan serves any number of
/// models. Each has the whole budget.
#[derive(Debug, Clone)]
pub struct EfficientPlan {
    map: Map,
    gamma: Rational,
    domain: Domain,
    erm: ErmPlan,
}

impl EfficientPlan {
    /// What is public of a run, for its guarantee ([`EfficientRun::guarantee`]).
    #[must_use]
    pub fn run(&self, beta: &Rational) -> EfficientRun {
        let erm = self.erm.run();
        EfficientRun {
            ratio: &erm.ratio / (&self.gamma + Rational::one()),
            map: self.map,
            dimension: self.domain.dimension() as u64,
            distortion: self.gamma.clone(),
            beta: beta.clone(),
            erm,
        }
    }

    /// Algorithm 4, as it is run on the projected points.
    #[must_use]
    pub fn erm(&self) -> &ErmPlan {
        &self.erm
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Promise};
    use crate::number::Grid;
    use crate::number::rational::{integer, ratio};
    use crate::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
    use crate::privacy::Zcdp;

    /// `n` records of norm up to 1, with the label of their first coordinate, which is 1/2.
    fn dataset(n: usize, d: usize) -> Dataset {
        let domain = Domain::unit_ball(Grid::new(10).unwrap(), d).unwrap();
        let mut coins = ChaCha::reproducible(3, 0);
        let limit = 800 / (d.isqrt() as u64 + 1);
        let records = (0..n).map(|number| {
            let mut features: Vec<i64> = (0..d)
                .map(|_| (coins.bits(40).unwrap() % (2 * limit + 1)) as i64 - limit as i64)
                .collect();
            features[0] = if number % 2 == 0 { 512 } else { -512 };
            Record {
                positive: number % 2 == 0,
                features,
            }
        });
        Dataset::new(domain, records.collect()).unwrap()
    }

    fn parameters(epsilon: i64, map: Map, accounting: Accounting) -> EfficientParameters {
        let budget = Budget::approximate(integer(epsilon), ratio(1, 1 << 20), Substitute);
        EfficientParameters {
            budget: budget.unwrap(),
            margin: Margin::new(integer(1), integer(1), ratio(1, 4)).unwrap(),
            map: overridden(map),
            distortion: overridden(integer(1)),
            rounds: overridden(2),
            accounting,
        }
    }

    #[test]
    fn a_separable_set_is_learned_at_a_large_epsilon_with_every_accounting_and_map() {
        let data = dataset(600, 6);
        for (seed, accounting, map) in [
            (1, Accounting::Mixture, Map::Identity),
            (2, Accounting::Zcdp, Map::Identity),
            (3, Accounting::Paper, Map::Identity),
            (4, Accounting::Mixture, Map::Signs(5)),
            (5, Accounting::Mixture, Map::Signs(6)),
            (6, Accounting::Mixture, Map::Hadamard(5)),
            (7, Accounting::Mixture, Map::Hadamard(6)),
            (8, Accounting::Mixture, Map::TwoStage { first: 9, last: 5 }),
        ] {
            let parameters = parameters(4000, map, accounting);
            let mut coins = ChaCha::reproducible(seed, 0);
            let model = learn(&data, &parameters, &mut coins).unwrap();
            let identity = model.projection == Projection::Identity;
            assert_eq!(identity, map.rows(6).is_none());
            if map.rows(6).is_none() {
                let errors = model.halfspace.errors(data.records()).unwrap();
                assert!(errors < 20, "{accounting:?} {errors}");
            }
            assert_eq!(model.candidates.len(), 2);
            // A prediction is that of the candidate on the projected record.
            let record = &data.records()[0];
            let image = model.projection.apply(&record.signed()).unwrap();
            assert_eq!(image.len(), map.rows(6).unwrap_or(6));
            let candidate = &model.candidates[model.chosen];
            let product = |w: &[i64], x: &[i64]| -> i128 {
                let products = w
                    .iter()
                    .zip(x)
                    .map(|(&w, &x)| i128::from(w) * i128::from(x));
                products.sum()
            };
            let pulled_back = product(&model.halfspace.direction, &record.signed());
            assert_eq!(product(candidate, &image), pulled_back);
        }
    }

    #[test]
    fn candidates_are_in_the_ball() {
        let data = dataset(40, 3);
        let parameters = parameters(1, Map::Identity, Accounting::Mixture);
        let mut coins = ChaCha::reproducible(1, 0);
        let model = learn(&data, &parameters, &mut coins).unwrap();
        for candidate in &model.candidates {
            let squared = grid::squared_norm(candidate);
            assert!(squared <= 1 << 60 && squared > 0, "{squared}");
        }
    }

    #[test]
    fn a_plan_learns_what_is_learned_without_one_and_refuses_other_shapes() {
        let data = dataset(40, 3);
        let parameters = parameters(1, Map::Signs(2), Accounting::Mixture);
        let plan = parameters.plan(data.domain(), 40).unwrap();
        // (1 + gamma) k r^2 = 4 1024^2.
        assert_eq!(plan.erm().radius(), 2048);
        let mut coins = [ChaCha::reproducible(1, 0), ChaCha::reproducible(1, 0)];
        let planned = plan.learn(&data, &mut coins[0]).unwrap();
        assert_eq!(planned, learn(&data, &parameters, &mut coins[1]).unwrap());
        let few = Dataset::new(data.domain(), data.records()[..39].to_vec()).unwrap();
        for other in [few, dataset(40, 4)] {
            let refused = plan.learn(&other, &mut coins[0]).unwrap_err();
            assert!(
                refused.to_string().contains("that of the plan"),
                "{refused}"
            );
        }
        let outside = vec![vec![2048, 1]; 40];
        let refused = solve(&outside, plan.erm(), &mut coins[0]).unwrap_err();
        assert_eq!(refused, MarginError::OutsideTheBall { record: 0 });
        let short = vec![vec![1]; 40];
        let refused = solve(&short, plan.erm(), &mut coins[0]).unwrap_err();
        assert!(matches!(refused, MarginError::Length { .. }), "{refused}");
    }

    #[test]
    fn many_records_can_be_learned_from() {
        for (m, d) in [(1_000_000, 20), (1 << 22, 100)] {
            let parameters = parameters(1, Map::Identity, Accounting::Zcdp);
            let domain = Domain::unit_ball(Grid::new(20).unwrap(), d).unwrap();
            let planned = parameters.plan(domain, m).map(|_| ());
            assert_eq!(planned, Ok(()), "{m} records");
        }
    }

    #[test]
    fn a_plan_says_what_it_does() {
        let data = dataset(40, 3);
        for (accounting, quarters) in [(Accounting::Mixture, 4), (Accounting::Zcdp, 3)] {
            let plan = parameters(1, Map::Signs(2), accounting).plan(data.domain(), 40);
            let plan = plan.unwrap();
            let erm = plan.erm();
            // 16, 8, 4, 2 and 1 of 32 points.
            assert_eq!((erm.rounds(), erm.phases().samples()), (2, 31));
            assert_eq!(erm.hinge().target, ratio(1, 8));
            let nu = erm.multiplier();
            assert_eq!(erm.noise().len(), 5);
            for (noise, phase) in erm.noise().zip(erm.phases().iter()) {
                let deviation = nu * Rational::from_integer(phase.sensitivity());
                assert_eq!(*noise.variance(), deviation.pow(2).ceil());
            }
            // h^2 n c = 4, with sqrt(2) rounded up to 2 in c.
            let c = ratio(11, 48) + nu.pow(2) + nu * ratio(4, 1024);
            let four = erm.step().pow(2) * integer(32) * c;
            assert!(four <= integer(4) && four > ratio(39_999, 10_000), "{four}");
            let run = plan.run(&ratio(1, 20));
            assert_eq!((&run.ratio, &run.erm.ratio), (&integer(4), &integer(8)));
            assert_eq!((run.map, run.distortion), (Map::Signs(2), integer(1)));
            assert_eq!((run.erm.records, run.erm.dimension), (40, 2));
            assert_eq!((run.erm.radius, run.erm.rounds), (2048, 2));
            assert_eq!(run.erm.acceptance, ratio(quarters, 4));
            assert_eq!(run.erm.epsilon, integer(1));
            assert_eq!((&run.erm.multiplier, &run.erm.step), (nu, erm.step()));
        }
    }

    #[test]
    fn with_a_cap_the_rounds_promise_what_half_of_epsilon_and_delta_allow() {
        let data = dataset(40, 3);
        let plan = parameters(1, Map::Identity, Accounting::Zcdp).plan(data.domain(), 40);
        let stage = plan.unwrap().erm.stage;
        let (Promise::Concentrated(each), Promise::Concentrated(whole)) =
            (&stage.each, &stage.whole)
        else {
            panic!("{stage:?}");
        };
        // In each round a record may be read (K + 1)! >= 160 times, so K = 5, all of them in one phase.
        assert_eq!(*whole, each * integer(2));
        assert_eq!(stage.draws, Some(10));
        let delta = |rho: Rational| {
            let rho = Zcdp::new(rho, Substitute).unwrap();
            rho.delta(&ratio(1, 2)).unwrap()
        };
        assert!(delta(whole.clone()) <= ratio(1, 1 << 20));
        assert!(delta(whole * ratio(11, 10)) > ratio(1, 1 << 20));
    }

    #[test]
    fn a_projected_record_is_clipped_to_the_stretched_radius() {
        // gamma = 0: the image of e_1 under one row is as long as it, that of (3, 4)/5 may be 7/5.
        let domain = Domain::unit_ball(Grid::new(10).unwrap(), 2).unwrap();
        let record = Record {
            features: vec![614, 819],
            positive: true,
        };
        let data = Dataset::new(domain, vec![record; 4]).unwrap();
        let mut parameters = parameters(1, Map::Signs(1), Accounting::Mixture);
        parameters.distortion = overridden(integer(0));
        let plan = parameters.plan(domain, 4).unwrap();
        assert_eq!(plan.erm().radius(), 1024);
        for seed in 0..8 {
            let mut coins = ChaCha::reproducible(seed, 0);
            assert!(plan.learn(&data, &mut coins).is_ok());
        }
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let right = parameters(1, Map::Signs(2), Accounting::Mixture);
        let domain = |radius, d| Domain::new(Grid::new(10).unwrap(), d, radius).unwrap();
        let refused = |parameters: &EfficientParameters, radius, m| {
            let refused = parameters.plan(domain(radius, 3), m).unwrap_err();
            refused.to_string()
        };
        assert!(right.plan(domain(1024, 3), 2).is_ok());
        assert!(refused(&right, 1024, 1).starts_with("the number of records must"));
        assert!(refused(&right, 1023, 2).starts_with("the radius of the margin must"));
        let budget = |delta, relation| Budget::approximate(integer(1), delta, relation).unwrap();
        for (wrong, says) in [
            (
                EfficientParameters {
                    map: overridden(Map::Signs(0)),
                    ..right.clone()
                },
                "the rows of the projection must",
            ),
            (
                EfficientParameters {
                    map: overridden(Map::TwoStage { first: 0, last: 1 }),
                    ..right.clone()
                },
                "the rows of the first stage must",
            ),
            (
                EfficientParameters {
                    distortion: overridden(integer(4)),
                    ..right.clone()
                },
                "the distortion must",
            ),
            (
                EfficientParameters {
                    rounds: overridden(0),
                    ..right.clone()
                },
                "the number of rounds must",
            ),
            (
                EfficientParameters {
                    budget: budget(integer(0), Substitute),
                    ..right.clone()
                },
                "delta must",
            ),
            (
                EfficientParameters {
                    budget: budget(ratio(1, 9), AddOrRemove),
                    ..right.clone()
                },
                "",
            ),
            (
                EfficientParameters {
                    budget: Budget::approximate(integer(1 << 23), ratio(1, 9), Substitute).unwrap(),
                    ..right.clone()
                },
                "epsilon must",
            ),
        ] {
            let found = refused(&wrong, 1024, 2);
            assert!(found.starts_with(says), "{found}");
        }
        let fine = Domain::unit_ball(Grid::new(30).unwrap(), 3).unwrap();
        let refused = right.plan(fine, 2).unwrap_err().to_string();
        assert!(refused.contains("use a coarser grid"), "{refused}");
    }

    #[test]
    fn the_theorem_projects_only_to_fewer_dimensions() {
        let budget = || Budget::approximate(integer(1), ratio(1, 1 << 20), Substitute).unwrap();
        let beta = ratio(1, 20);
        let theorem = |kind, d| {
            let margin = Margin::new(integer(1), integer(1), ratio(1, 4)).unwrap();
            let (mixture, shape) = (Accounting::Mixture, (1000, d));
            EfficientParameters::from_theorem_for(kind, &beta, budget(), margin, mixture, shape)
        };
        let kinds = [MapKind::Signs, MapKind::Hadamard, MapKind::TwoStage];
        for kind in kinds {
            let low = theorem(kind, 20).unwrap();
            assert_eq!(low.map, from_theorem(Map::Identity));
            // ceil(log2(6/beta)) = ceil(log2(120)).
            assert_eq!(low.rounds, from_theorem(7));
            let high = theorem(kind, 5000).unwrap();
            assert_eq!(high.map.origin, Origin::Theorem);
            assert!(high.map.value.rows(5000).is_some(), "{high:?}");
            // As much distortion as the lemma asks for, and a little less would not do.
            let third = ratio(1, 60);
            let keeps = |gamma: &Rational| {
                crate::margin::bounds::efficient::keeps(high.map.value, (1000, 5000), gamma, &third)
            };
            let gamma = &high.distortion.value;
            assert!(keeps(gamma).unwrap(), "{high:?}");
            assert!(!keeps(&(gamma - ratio(1, 1 << 15))).unwrap(), "{high:?}");
        }
        let none = theorem(MapKind::Identity, 5000).unwrap();
        assert_eq!(none.map, from_theorem(Map::Identity));
        assert!(theorem(MapKind::Signs, 0).is_ok());
        // A map of one's own has the distortion that its rows allow, or none that is shown.
        let few = none.clone().with_map(Map::Signs(2), &beta, (1000, 5000));
        let few = few.unwrap();
        assert_eq!(few.map, overridden(Map::Signs(2)));
        assert_eq!(few.distortion, from_theorem(integer(1)));
        let many = none.clone().with_map(Map::Signs(4000), &beta, (1000, 5000));
        assert!(many.unwrap().distortion.value < ratio(1, 4));
        assert!(none.with_map(Map::Signs(9), &integer(1), (9, 99)).is_err());
    }
}
