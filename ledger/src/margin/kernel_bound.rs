//! The bound of Algorithm 3: what the features add, and what is evaluated.

use super::BITS;
use crate::budgets;
use crate::claim::{Check, Trouble};
use dp_assay::geometry::{Domain, PolynomialMap};
use dp_assay::margin::bounds::features::frequencies;
use dp_assay::margin::bounds::{EfficientRun, KernelRun};
use dp_assay::margin::choice_of_margin::of_efficient;
use dp_assay::margin::erm::Accounting;
use dp_assay::margin::kernel::KernelParameters;
use dp_assay::number::rational::{integer, ratio, shortly};
use dp_assay::number::{Enclosure, Grid, Rational};
use num_traits::{ToPrimitive, Zero};

/// `bms22.thm4_2.bound`.
pub(super) fn bound(check: &mut Check) -> Result<(), Trouble> {
    super::edges::kernel_parameters(check)?;
    super::printed::kernel(check)?;
    rounded_monomials(check)?;
    evaluated(check)
}

/// The features of a polynomial kernel are within `sqrt(N)` steps of the exact ones, at every point of a grid.
fn rounded_monomials(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "degrees 2 and 3, offsets 0, 1/4 and 1: the features of the 197 points of the disc on a grid of 1/8 within sqrt(N) steps of the \
         exact ones",
    );
    let domain = Domain::unit_ball(Grid::new(3)?, 2)?;
    let mut worst = Rational::zero();
    for degree in [2, 3] {
        for offset in [0, 16, 64] {
            let map = PolynomialMap::new(domain, degree, offset)?;
            let count = map.domain().dimension();
            for place in 0..17 * 17 {
                let point = [place % 17 - 8, place / 17 - 8];
                if point[0] * point[0] + point[1] * point[1] > 64 {
                    continue;
                }
                let features = map.features(&point)?;
                let mut squared = Rational::zero();
                let terms = map.monomials(&point)?.into_iter().zip(map.weights());
                for (feature, (monomial, weight)) in features.iter().zip(terms) {
                    // The root of the weight times the monomial, in steps.
                    let exact = Enclosure::of(&integer(weight), BITS).sqrt()?
                        * Enclosure::of(&integer(monomial), BITS);
                    let exact = exact.shifted(-i64::from(map.coarser()));
                    let off = exact - Enclosure::of(&integer(*feature), BITS);
                    squared += off.squared().upper();
                }
                let share = squared / integer(count as u64);
                check.holds(
                    share < integer(1),
                    format_args!("degree {degree}, offset {offset}, {point:?}: {share}"),
                );
                worst = worst.max(share);
            }
        }
    }
    check.figure("largest squared distance, of N", shortly(&worst));
    Ok(())
}

/// What the shipped bound evaluates, beside its parts.
fn evaluated(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "a million records, epsilon = 4: the bound for monomials of degree 2 in the plane, and that for as many frequencies as are \
         asked for, beside their parts; one frequency less, for which there is none",
    );
    let (m, beta) = (1_000_000u64, ratio(1, 20));
    let budget = budgets::approximate(integer(4), ratio(1, 1 << 30))?;
    let domain = Domain::unit_ball(Grid::new(10)?, 2)?;
    let rho = ratio(1, 2);
    let parameters = KernelParameters::polynomial(
        (2, 1 << 20),
        &beta,
        budget,
        (integer(1), rho.clone()),
        Accounting::Zcdp,
        (m as usize, domain),
    )?;
    let plan = parameters.plan(domain, m as usize)?;
    let run = plan.run(&beta);
    // Six monomials of norm at most 2 = 2 * 2^20 steps; rho is half a unit: sqrt(6) steps over it.
    let of_monomials =
        Enclosure::integer(6, BITS).sqrt()? * Enclosure::of(&ratio(2, 1 << 20), BITS);
    agrees(check, "monomials", &run, &of_monomials)?;
    let monomials = run.learner.clone();
    let needed = frequencies(m, &beta)?;
    let needed = needed.to_u64().unwrap_or(0);
    let fourier = |count| KernelRun {
        learner: EfficientRun {
            beta: beta.clone(),
            ..monomials.clone()
        },
        frequencies: Some(count),
        features: 2 * count,
        grid_bits: 24,
        radius: 1 << 24,
    };
    // The learner's q is 4 at 2 Lambda: 2 q/sqrt(m) and 8 q sqrt(D)/2^24 at q = 2.
    let of_grid =
        Enclosure::of(&integer(needed), BITS).sqrt()? * Enclosure::of(&ratio(16, 1 << 24), BITS);
    let of_frequencies = of_grid + Enclosure::of(&ratio(4, 1000), BITS);
    agrees(check, "frequencies", &fourier(needed), &of_frequencies)?;
    let fewer = fourier(needed - 1).guarantee(&integer(0))?;
    let none = fewer.alpha.is_none() && fewer.training.is_none();
    check.holds(none, format_args!("one frequency less: {fewer:?}"));
    Ok(())
}

/// The guarantee at hinge loss 1/50: that, what the features add, and what Algorithm 2's bound adds.
fn agrees(
    check: &mut Check,
    name: &str,
    run: &KernelRun,
    of_features: &Enclosure,
) -> Result<(), Trouble> {
    let loss = ratio(1, 50);
    let found = run.guarantee(&loss)?;
    let found = found.training.unwrap_or_else(Rational::zero);
    let parts = &loss + of_efficient(&run.learner)?;
    let expected = Enclosure::of(&parts, BITS) + of_features;
    let slack = ratio(1, 1 << 60);
    let right = found >= expected.lower() && found <= expected.upper() + slack;
    check.holds(right, format_args!("{name}: {found} and {expected}"));
    check.figure(
        format_args!("{name}: hinge loss on the data"),
        shortly(&found),
    );
    Ok(())
}
