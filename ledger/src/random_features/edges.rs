//! What is out of range and what fails, and terms that usual sizes hide.

use super::{domain, record};
use crate::claim::{Check, Trouble};
use crate::failing;
use dp_assay::coins::{ChaCha, Coins, CoinsError, Law};
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Grid, Rational};
use dp_assay::privacy::Budget;
use dp_assay::privacy::NeighbouringRelation::{self, AddOrRemove, Substitute};
use dp_assay::random_features::steps::RidgeParameters;
use dp_assay::random_features::{
    Dataset, Domain, HiddenOrder, Record, adassp, clipped_gradient_descent, clipped_interpolation,
    clipped_kaczmarz, noisy_statistics, ridge_of_bounded_labels, ridge_of_normed_labels,
    ridge_with_gamma_noise,
};
use dp_assay::sample::{DiscreteLaplace, GammaNoise};
use num_bigint::BigInt;
use num_traits::One;
use std::any::Any;

const BITS: u32 = 160;

fn of(value: &Rational) -> Enclosure {
    Enclosure::of(value, BITS)
}

/// What R4 moves by: its steps, and the rounding of every step of both neighbours. For `lnsx25.r4`.
pub(super) fn rounding_of_a_pass(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the sensitivity of R4 for m = 3, 7 and 1009 records, D = 2, 5 and 11, tau = 2/7 and 3, grids 2^-1, 2^-3 and 2^-20: 2 tau or tau, and m (sqrt(D) + 1)/2^b, evaluated again");
    for records in [3usize, 7, 1009] {
        for dimension in [2usize, 5, 11] {
            for tau in [ratio(2, 7), integer(3)] {
                for bits in [1, 3, 20] {
                    let parameters = clipped_kaczmarz::Parameters {
                        residual_bound: tau.clone(),
                        order: clipped_kaczmarz::Order::Random,
                        coefficient_grid: Grid::new(bits)?,
                    };
                    let root = Enclosure::integer(dimension, BITS).sqrt()?;
                    let rounding = (root + Enclosure::integer(1, BITS))
                        * of(&(integer(records) / integer(1u64 << bits)));
                    for (neighbours, times) in [(Substitute, 2), (AddOrRemove, 1)] {
                        let found = clipped_kaczmarz::sensitivity(
                            &parameters,
                            (records, dimension),
                            neighbours,
                        )?;
                        let again = of(&(&tau * integer(times))) + &rounding;
                        // The root is rounded up to 64 bits.
                        let slip = ratio(1, 1 << 60);
                        check.holds(
                            again.lower() <= found && found <= again.upper() * (integer(1) + slip),
                            format_args!("{neighbours}, m = {records}, D = {dimension}, tau = {tau}, grid 2^-{bits}: {found}, and {again} evaluated again"),
                        );
                    }
                }
            }
        }
    }
    Ok(())
}

/// So many labels of magnitude 1, each divided by this, have norm at most 1, and by one less they have not. For `lnsx25.r2`.
pub(super) fn divisors(check: &mut Check) -> Result<(), Trouble> {
    check.exact("1 to 3000 records: the least integer whose square is at least as many; for 2, 3, 5 and 9 labels of magnitude 1 on a grid of 2^-12, divided by it and rounded towards 0, R2 learns");
    for m in 1..=3000i64 {
        let found = ridge_of_normed_labels::divisor(usize::try_from(m)?);
        check.holds(
            found * found >= m && (found - 1) * (found - 1) < m,
            format_args!("m = {m}: {found}"),
        );
    }
    for m in [2usize, 3, 5, 9] {
        let grid = Grid::new(12)?;
        let label = grid.one() / ridge_of_normed_labels::divisor(m);
        let domain = Domain {
            label_grid: grid,
            largest_label: grid.one(),
            ..domain(Substitute, m)?
        };
        let record = |k: usize| {
            let label = if k.is_multiple_of(2) { label } else { -label };
            record(k as i64 % 3, label)
        };
        let data = Dataset::new(domain, (0..m).map(record).collect())?;
        let found = ridge_of_normed_labels::learn(
            &data,
            &map()?,
            &ridge()?,
            &budget(Substitute)?,
            &mut ChaCha::reproducible(1, 0),
        );
        check.holds(found.is_ok(), format_args!("m = {m}: {found:?}"));
    }
    Ok(())
}

/// The noise of AdaSSP as published, evaluated again. For `lnsx25.adassp`.
pub(super) fn published_noise(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the noise of AdaSSP as published, sqrt(ln(6/delta))/(epsilon/3) for sensitivities 1, at epsilon = 3/7, 1 and 11, delta = 1/13 and 1/100003, evaluated again; the squared sensitivity of all that is released, whose parts are evaluated again");
    let map = map()?;
    let one = integer(BigInt::from(map.feature_grid().one()).pow(2));
    for epsilon in [ratio(3, 7), integer(1), integer(11)] {
        for delta in [ratio(1, 13), ratio(1, 100_003)] {
            let budget = Budget::approximate(epsilon.clone(), delta.clone(), AddOrRemove)?;
            let found = adassp::published_noise(&map, &budget)?;
            let third = &epsilon / integer(3);
            let again = of(&(integer(6) / &delta)).ln()? * of(&(&one / third).pow(2));
            // The logarithm is rounded up to 64 bits.
            let most = again.upper() * (integer(1) + ratio(1, 1 << 60));
            check.holds(
                again.lower() <= *found.variance() && *found.variance() <= most,
                format_args!(
                    "epsilon = {epsilon}, delta = {delta}: {}, and {again} evaluated again",
                    found.variance()
                ),
            );
        }
    }
    Ok(())
}

/// Coins that give one number to every draw of a number, and note the laws and with what probability a proposal is accepted.
struct Probing {
    value: BigInt,
    labels: Vec<String>,
    accepted: Option<Enclosure>,
}

impl Coins for Probing {
    fn bits(&mut self, _: u32) -> Result<u64, CoinsError> {
        Err(CoinsError::NoOutcome)
    }

    fn consumed(&self) -> u64 {
        0
    }

    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        let number: Box<dyn Any> = Box::new(self.value.clone());
        if let Ok(number) = number.downcast::<L::Outcome>() {
            self.labels.push(law.label());
            return Ok(*number);
        }
        let first = law.outcome(0).ok_or(CoinsError::NoOutcome)?;
        self.accepted = Some(law.pmf(&first, BITS)?);
        Ok(first)
    }
}

/// The proposal and the acceptance of the Gamma noise, in all dimensions, also along the diagonal and far out. For `lnsx25.gamma-lattice`.
pub(super) fn proposals(check: &mut Check) -> Result<(), Trouble> {
    check.certified("an attempt of the Gamma noise in 1 to 16 dimensions, rates 1/3 and 2, at (k, ..., k) for k = 0, 1, 7 and 10^6: coordinates of scale 1/(rate r), r the largest multiple of 2^-20 below 1/sqrt(d), accepted with probability e^(-rate (|k| - r |k|_1)), which is at most 1");
    for d in 1..=16usize {
        let unit = Rational::new(1.into(), BigInt::one() << 20);
        let fits = |k: u64| (integer(k) * &unit).pow(2) * integer(d) <= integer(1);
        let near = of(&unit.recip()).divided_by(&Enclosure::integer(d, BITS).sqrt()?)?;
        let near = u64::try_from(near.hi().ceil())?;
        let r = (near - 2..=near).rev().find(|&k| fits(k)).unwrap_or(0);
        let r = integer(r) * unit;
        for rate in [ratio(1, 3), integer(2)] {
            let noise = GammaNoise::new(rate.clone(), d)?;
            let proposal = DiscreteLaplace::new((&rate * &r).recip())?.label();
            for k in [0i64, 1, 7, 1_000_000] {
                let mut coins = Probing {
                    value: k.into(),
                    labels: Vec::new(),
                    accepted: None,
                };
                let found = noise.attempt(&mut coins)?;
                let name = format!("d = {d}, rate {rate}, k = {k}");
                check.holds(
                    found == Some(vec![BigInt::from(k); d])
                        && coins.labels == vec![proposal.clone(); d],
                    format_args!("{name}: proposals {:?}", coins.labels),
                );
                let length = Enclosure::integer(d, BITS).sqrt()? * Enclosure::integer(k, BITS);
                let less = of(&(&r * integer(k) * integer(d)));
                let again = (-((length - less) * of(&rate))).exp()?;
                let Some(accepted) = coins.accepted else {
                    check.holds(false, format_args!("{name}: nothing is accepted"));
                    continue;
                };
                check.holds(
                    accepted.meets(&again)
                        && again.lower() <= integer(1)
                        && accepted.has_digits(20),
                    format_args!("{name}: accepted with {accepted}, and {again} evaluated again"),
                );
            }
        }
    }
    Ok(())
}

/// Records at their bounds and one step beyond. For `lnsx25.r3`, and all that learn from such data.
pub(super) fn outside(check: &mut Check) -> Result<(), Trouble> {
    check.exact("features up to 4 steps and labels up to 2, and the reverse, both relations: at the bounds records are taken, a step beyond and as far out as integers go they are refused; more records than are public, or fewer");
    for (largest_feature, largest_label) in [(4i64, 2i64), (2, 4)] {
        for neighbours in [Substitute, AddOrRemove] {
            let domain = Domain {
                largest_feature,
                largest_label,
                ..domain(neighbours, 2)?
            };
            let with =
                |x: i64, label: i64| Dataset::new(domain, vec![record(0, 0), record(x, label)]);
            for sign in [1, -1] {
                let name = format!(
                    "{neighbours}, bounds {largest_feature} and {largest_label}, sign {sign}"
                );
                let (x, y) = (sign * largest_feature, sign * largest_label);
                check.holds(with(x, y).is_ok(), format_args!("{name}: at the bounds"));
                for (x, label) in [
                    (x + sign, y),
                    (x, y + sign),
                    (i64::MAX, y),
                    (x, i64::MAX),
                    (i64::MIN, y),
                    (x, i64::MIN),
                ] {
                    check.holds(
                        with(x, label).is_err(),
                        format_args!("{name}: feature {x}, label {label}"),
                    );
                }
            }
            let records = |count: usize| Dataset::new(domain, vec![record(1, 1); count]);
            check.holds(
                records(3).is_err(),
                format_args!("{neighbours}: three records of two"),
            );
            let fewer = records(1).is_ok();
            check.holds(
                fewer == (neighbours == AddOrRemove),
                format_args!("{neighbours}: one record of two"),
            );
            let long = Record {
                features: vec![1, 1],
                label: 1,
            };
            check.holds(
                Dataset::new(domain, vec![long.clone(), long]).is_err(),
                "two features of one",
            );
        }
    }
    Ok(())
}

/// Two frequencies.
fn map() -> Result<FeatureMap, Trouble> {
    let frequencies = Frequencies::new(Grid::new(8)?, 1, vec![402, -77])?;
    Ok(FeatureMap::new(frequencies, Grid::new(2)?, Grid::new(10)?)?)
}

fn budget(neighbours: NeighbouringRelation) -> Result<Budget, Trouble> {
    Ok(Budget::approximate(
        integer(1),
        ratio(1, 100_000),
        neighbours,
    )?)
}

fn ridge() -> Result<RidgeParameters, Trouble> {
    Ok(RidgeParameters {
        penalty: integer(1),
        coefficient_grid: Grid::new(12)?,
    })
}

/// Three records.
fn data() -> Result<Dataset, Trouble> {
    let records = vec![record(4, 2), record(-3, -1), record(1, 2)];
    Ok(Dataset::new(domain(Substitute, 3)?, records)?)
}

/// R1 on coins that fail; the others likewise, each for its row.
pub(super) fn interpolation_fails(check: &mut Check) -> Result<(), Trouble> {
    let (data, map, budget) = (data()?, map()?, budget(Substitute)?);
    let parameters = clipped_interpolation::Parameters {
        eta: ratio(3, 8),
        coefficient_grid: Grid::new(12)?,
    };
    failing::learner(check, "R1", |coins| {
        clipped_interpolation::learn(&data, &map, &parameters, &budget, coins)
    })
}

/// R2: labels of norm at most 1.
pub(super) fn normed_labels_fail(check: &mut Check) -> Result<(), Trouble> {
    let records = vec![record(4, 1), record(-3, -1), record(1, 1)];
    let data = Dataset::new(domain(Substitute, 3)?, records)?;
    let (map, budget, ridge) = (map()?, budget(Substitute)?, ridge()?);
    failing::learner(check, "R2", |coins| {
        ridge_of_normed_labels::learn(&data, &map, &ridge, &budget, coins)
    })
}

/// R3, and the same with Gamma noise.
pub(super) fn bounded_labels_fail(check: &mut Check) -> Result<(), Trouble> {
    let (data, map, budget, ridge) = (data()?, map()?, budget(Substitute)?, ridge()?);
    failing::learner(check, "R3", |coins| {
        ridge_of_bounded_labels::learn(&data, &map, &ridge, &budget, coins)
    })
}

/// R4.
pub(super) fn kaczmarz_fails(check: &mut Check) -> Result<(), Trouble> {
    let (data, map, budget) = (data()?, map()?, budget(Substitute)?);
    let parameters = clipped_kaczmarz::Parameters {
        residual_bound: ratio(1, 2),
        order: clipped_kaczmarz::Order::Random,
        coefficient_grid: Grid::new(12)?,
    };
    failing::learner(check, "R4", |coins| {
        clipped_kaczmarz::learn(&data, &map, &parameters, &budget, coins)
    })?;
    hidden_orders(check, data.records())
}

/// A hidden order goes with one of as many records or of fewer, and with none of more.
fn hidden_orders(check: &mut Check, records: &[Record]) -> Result<(), Trouble> {
    let of_first = |count: usize| -> Result<HiddenOrder, Trouble> {
        let data = Dataset::new(domain(Substitute, count)?, records[..count].to_vec())?;
        Ok(HiddenOrder::of(&data))
    };
    for count in 1..=records.len() {
        for other in 1..=records.len() {
            let order = (0..count).rev().collect();
            let carried = of_first(count)?.transport(&of_first(other)?, &order);
            let expected = (other <= count).then(|| (0..other).rev().collect::<Vec<_>>());
            check.holds(
                carried == expected,
                format_args!("the order of {count} records, carried to {other}: {carried:?}"),
            );
        }
    }
    Ok(())
}

/// R5.
pub(super) fn statistics_fail(check: &mut Check) -> Result<(), Trouble> {
    let (data, map, budget) = (data()?, map()?, budget(Substitute)?);
    let parameters = noisy_statistics::Parameters::suggested()?;
    failing::learner(check, "R5", |coins| {
        noisy_statistics::learn(&data, &map, &parameters, &budget, coins)
    })
}

/// R6.
pub(super) fn gradient_descent_fails(check: &mut Check) -> Result<(), Trouble> {
    let (data, map, budget) = (data()?, map()?, budget(Substitute)?);
    let parameters = clipped_gradient_descent::Parameters {
        steps: 5,
        residual_bound: ratio(1, 2),
        rate: integer(1),
        radius: integer(3),
        coefficient_grid: Grid::new(12)?,
    };
    failing::learner(check, "R6", |coins| {
        clipped_gradient_descent::learn(&data, &map, &parameters, &budget, coins)
    })
}

/// AdaSSP.
pub(super) fn adassp_fails(check: &mut Check) -> Result<(), Trouble> {
    let (data, map, budget) = (data()?, map()?, budget(Substitute)?);
    let grid = Grid::new(12)?;
    failing::learner(check, "AdaSSP", |coins| {
        adassp::learn(&data, &map, grid, &budget, coins)
    })
}

/// Ridge regression with Gamma noise.
pub(super) fn gamma_fails(check: &mut Check) -> Result<(), Trouble> {
    let parameters = ridge_with_gamma_noise::Parameters {
        dimension: 2,
        records: 3,
        label_bound: integer(1),
        penalty: integer(1),
        grid_bits: 6,
    };
    let record = |(x, y): &([Rational; 2], Rational)| ridge_with_gamma_noise::Record {
        x: x.to_vec(),
        y: y.clone(),
    };
    let data: Vec<_> = [
        ([ratio(1, 2), ratio(-1, 3)], integer(1)),
        ([integer(0), integer(1)], ratio(-1, 2)),
        ([ratio(3, 5), ratio(4, 5)], integer(0)),
    ]
    .iter()
    .map(record)
    .collect();
    failing::learner(check, "ridge regression with Gamma noise", |coins| {
        ridge_with_gamma_noise::learn(&data, &parameters, &integer(1), coins)
    })
}
