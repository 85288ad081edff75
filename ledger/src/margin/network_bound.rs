//! Theorem 5.1: as quantified, its number of rows, and corrected.

use super::theorem::least;
use super::{BITS, of, record};
use crate::claim::{Check, Trouble};
use dp_assay::geometry::SignMatrix;
use dp_assay::margin::bounds::{NetworkRun, NetworkSetting};
use dp_assay::margin::feed_forward::{Layer, Network, NetworkMargin, Scale, Shape};
use dp_assay::margin::network::{NetworkParameters, Networks};
use dp_assay::margin::{Dataset, Domain};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Grid, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};

/// One hidden neuron on the line, both weights `norm`.
fn chain(eta: &Rational, norm: &Rational) -> Result<Network, Trouble> {
    let layer = || Layer {
        weights: vec![vec![1]],
        scale: Scale {
            factor: norm.clone(),
            root: 1,
        },
    };
    Ok(Network::new(eta.clone(), vec![layer(), layer()])?)
}

/// `bms22.thm5_1`.
pub(super) fn theorem_5_1(check: &mut Check) -> Result<(), Trouble> {
    two_points(check)?;
    other_reading(check)
}

/// One record of either label: a bound of 0, or below 1, contradicts privacy.
fn two_points(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "L = 2, N = r = m = 1, the two distributions on one record (1, +1) and (1, -1): networks with margin loss 0 for both; \
         epsilon = 1, beta = 1/10",
    );
    // Success with probability 1 - beta on both asks for 1 - beta <= e^epsilon beta.
    let odds = of(&integer(1)).exp()? * of(&ratio(1, 10));
    check.holds(
        odds.is_below_rational(&ratio(9, 10)),
        format_args!("e beta = {odds}"),
    );
    // 1. r (eta Lambda)^L = rho, so that theta = 0: nothing is added to the margin loss, whatever the constant.
    let (eta, norm, rho) = (ratio(1, 10), integer(4), ratio(16, 100));
    let inner = num_traits::pow(&eta * &norm, 2) / &rho;
    check.holds(
        inner.is_one(),
        format_args!("r (eta Lambda)^L/rho = {inner}"),
    );
    let output = chain(&eta, &norm)?.output(&[1], BITS)?;
    check.refutes(
        inner.is_one() && output.is_above_rational(&rho),
        "L = 2, eta = 1/10, Lambda = 4, r = 1, rho = 4/25, one record: theta = 0, and margin loss 0 is reached for either label",
    );
    check.figure(
        "output, where 4/25 is the margin",
        to_scientific(&output.lower(), 4),
    );
    // 2. With max(1, |log|) for every log, and a constant C in the O: rho = 1, Lambda = 4/sqrt(eta).
    for (constant, digits) in [(1u64, 4u32), (1000, 8), (1_000_000, 10)] {
        let root = Rational::new(BigInt::one(), BigInt::from(10).pow(digits / 2));
        let (eta, norm) = (&root * &root, integer(4) / &root);
        let inner = &eta * &norm * &eta * &norm;
        let factor = &inner * integer(4);
        let log = |x: &Rational| -> Result<Enclosure, Trouble> {
            Ok(of(x).ln()?.abs().max(&of(&integer(1))))
        };
        // m = 1, L = 2, N = 1, beta = 1/10.
        let theta = log(&integer(20))? * log(&inner)?;
        let added = of(&factor) * theta.sqrt()? + of(&(&factor * &factor)) * &theta;
        let added = added * of(&integer(constant));
        let output = chain(&eta, &norm)?.output(&[1], BITS)?;
        let instance = format!("C = {constant}, eta = 1e-{digits}");
        check.holds(
            added.is_below_rational(&integer(1)) && output.is_above_rational(&integer(1)),
            format_args!("{instance}: {added}, output {output}"),
        );
        check.figure(
            format_args!("what the theorem adds, {instance}"),
            to_scientific(&added.upper(), 3),
        );
    }
    Ok(())
}

/// For `eta >= 1` and `rho <= r (eta Lambda)^L/2` the printed terms are at least a constant times those of
/// `bms22.thm5_1.corrected`.
fn other_reading(check: &mut Check) -> Result<(), Trouble> {
    let layers: &[usize] = if check.quick() {
        &[1, 2]
    } else {
        &[1, 2, 3, 4]
    };
    check.certified(format_args!(
        "eta = 1, 2, 8, Lambda = 1/2, 1, 4, r (eta Lambda)^L/rho = 2, 8, 64, L in {layers:?}, N = 1, 4, 32, m = 1000 and 10^6, \
         beta = 1/20, wherever Q >= 1: (ln |C| + ln(3/beta))/(r^2 (2 eta Lambda)^(2L) N theta/rho^2) is at most 64",
    ));
    let beta = ratio(1, 20);
    let mut worst = Rational::zero();
    for &layers in layers {
        for eta in [1u64, 2, 8] {
            for norm in [ratio(1, 2), integer(1), integer(4)] {
                for inner in [2u64, 8, 64] {
                    let steep = num_traits::pow(&norm * integer(eta), layers);
                    let rho = &steep / integer(inner);
                    let margin = NetworkMargin::new(integer(eta), norm.clone(), integer(1), rho)?;
                    let reach = margin.reach(layers);
                    if reach < integer(1) {
                        continue;
                    }
                    for width in [1usize, 4, 32] {
                        for records in [1000u64, 1_000_000] {
                            if check.quick() && (width == 4 || records == 1000) {
                                continue;
                            }
                            let run = NetworkRun {
                                records,
                                shape: Shape::new(1 << 50, width, layers)?,
                                epsilon: integer(1),
                                beta: beta.clone(),
                                reach: reach.clone(),
                            };
                            let setting = run.setting(&ratio(17, 20))?;
                            let odds = of(&setting.log_cover) + of(&integer(60)).ln()?;
                            let of_beta = integer(20 * layers as u64 * records);
                            let theta = of(&of_beta).ln()? * of(&integer(inner)).ln()?;
                            // r (2 eta Lambda)^L/rho
                            let factor = integer(inner) * integer(1u64 << layers);
                            let printed = theta * of(&(&factor * &factor * integer(width as u64)));
                            let share = odds.divided_by(&printed)?.upper();
                            check.holds(
                                share <= integer(64),
                                format_args!("L = {layers}, eta = {eta}, Q = {reach}: {share}"),
                            );
                            worst = worst.max(share);
                        }
                    }
                }
            }
        }
    }
    check.figure("largest quotient", to_scientific(&worst, 3));
    Ok(())
}

/// `bms22.thm5_1.k`: records whose margins are lost independently of one another.
pub(super) fn rows(check: &mut Check) -> Result<(), Trouble> {
    // w = e_0, x_i = (3 e_0 + 4 e_i)/5, i = 1, ..., m: with k rows, <Phi w, Phi x_i> <= 0 where 3 k + 4 S <= 0, S a sum of k
    // signs, independent of those of the other records.
    let lost = |k: u64| -> Rational {
        let mut ways = BigUint::one();
        let mut all = BigUint::zero();
        for minus in 0..=k {
            // S = k - 2 minus
            if 8 * minus >= 7 * k {
                all += &ways;
            }
            ways = ways * (k - minus) / (minus + 1);
        }
        Rational::new(all.into(), BigInt::one() << k)
    };
    check.exact("all 65536 matrices of four rows and four columns: three records, one lost as often as by the count");
    let mut failed = 0u64;
    for matrix in SignMatrix::all(4, 4)? {
        let first = matrix.apply(&[1, 0, 0, 0])?;
        let mut any = false;
        for place in 1..4 {
            let mut x = vec![3, 0, 0, 0];
            x[place] = 4;
            let image = record(&x, true).projected(Some(&matrix))?;
            let product: i64 = first.iter().zip(&image).map(|(w, x)| w * x).sum();
            any |= product <= 0;
        }
        failed += u64::from(any);
    }
    let kept = num_traits::pow(integer(1) - lost(4), 3);
    check.holds(
        integer(failed) == (integer(1) - kept) * integer(65_536),
        format_args!("{failed} of 65536"),
    );
    check.certified(
        "L = 1, eta = Lambda = r = 1, rho = 1/2, so that r^2 (2 eta Lambda)^(2L)/rho^2 = 16; k = 16, 64 and 160 rows, as many \
         records as ln 2/p, p the probability that one is lost: some margin is lost with probability at least 1/2",
    );
    for k in [16u64, 64, 160] {
        let p = lost(k);
        let log = (-of(&p)).ln_1p()?;
        let records = of(&integer(2)).ln()?.divided_by(&of(&p))?.upper().ceil();
        let none = (log * of(&records)).exp()?;
        let stands = none.upper() <= ratio(1, 2);
        let m = to_scientific(&records, 3);
        if k == 160 {
            check.refutes(
                stands,
                "L = 1, k = 160 = 10 r^2 (2 eta Lambda)^(2L)/rho^2, records (3 e_0 + 4 e_i)/5: with enough records some margin is \
                 lost with probability 1/2",
            );
        } else {
            check.holds(stands, format_args!("k = {k}"));
        }
        check.figure(format_args!("records, k = {k}"), &m);
        // With the logarithm: the rows of the corrected theorem, of which Hoeffding's inequality is enough here.
        let run = NetworkRun {
            records: records.to_integer().to_u64().unwrap_or(u64::MAX),
            shape: Shape::new(1 << 50, 1, 1)?,
            epsilon: integer(1),
            beta: ratio(1, 20),
            reach: integer(2),
        };
        if let Some(rows) = run.setting(&ratio(17, 20))?.rows {
            // Pr[S <= -3k/4] <= e^(-9k/32)
            let one = Enclosure::exp_of(&-(integer(rows) * ratio(9, 32)), BITS)?;
            let any = one * of(&records);
            check.holds(
                any.is_below_rational(&ratio(1, 20)),
                format_args!("{rows} rows for {m} records"),
            );
            check.figure(format_args!("rows with the logarithm, {m} records"), rows);
        }
    }
    Ok(())
}

fn with_goal(records: u64, shape: Shape, reach: &Rational) -> NetworkRun {
    NetworkRun {
        records,
        shape,
        epsilon: integer(1),
        beta: ratio(1, 20),
        reach: reach.clone(),
    }
}

/// `bms22.thm5_1.corrected`.
pub(super) fn corrected(check: &mut Check) -> Result<(), Trouble> {
    margin_is_spent(check)?;
    transfer(check)?;
    least_records(check)
}

/// What a layer loses by the projection and the cover is the loss, and all layers together do not lose the margin.
fn margin_is_spent(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "Q = 1, 3/2, 10 and 1000, L = 1, 2, 5, in 2 and 2^50 dimensions, N = 3, c in fifths: (1 + loss)^L < 1 + 1/Q, and not with \
         2^-38 more; projected layers: gamma + radius (1 + gamma/2)^2 is the loss; others: radius (1 + gamma/2)",
    );
    let one = integer(1);
    for reach in [integer(1), ratio(3, 2), integer(10), integer(1000)] {
        for layers in [1, 2, 5] {
            for dimension in [2, 1 << 50] {
                for fifths in 1..5 {
                    let run = with_goal(1000, Shape::new(dimension, 3, layers)?, &reach);
                    let setting = run.setting(&ratio(fifths, 5))?;
                    let instance = format!("Q = {reach}, L = {layers}, d = {dimension}");
                    let gamma = &setting.distortion;
                    let loss = &setting.loss;
                    let room = reach.recip() + &one;
                    let more = loss * (Rational::new(BigInt::one(), BigInt::one() << 38) + &one);
                    check.holds(
                        num_traits::pow(loss + &one, layers) < room
                            && num_traits::pow(more + &one, layers) > room,
                        format_args!("{instance}: {loss}"),
                    );
                    let stretch = gamma / integer(2) + &one;
                    check.holds(stretch == setting.stretch, &instance);
                    let long = |inputs: usize| setting.rows.is_some_and(|k| k < inputs as u64);
                    let sides = run.shape.sides();
                    for ((inputs, _), radius) in sides.zip(&setting.radii) {
                        let spent = if long(inputs) {
                            gamma + radius * &stretch * &stretch
                        } else {
                            radius * &stretch
                        };
                        check.holds(spent == *loss, format_args!("{instance}: {spent}"));
                    }
                    check.holds(long(dimension) == (dimension > 2), &instance);
                }
            }
        }
    }
    Ok(())
}

/// The parameters of the theorem in the plane: for each of many networks, the nearest one of the cover, and so the best,
/// errs on none of the records that have the margin.
fn transfer(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "the parameters of the theorem for the plane, L = 2, N = 1, eta = 2, Lambda = r = 1, rho = 1/3, so that Q = 3/2: 16 \
         networks at the largest norms, and those of 20 records near the circle that they have at the margin: some network of the cover \
         has no error on them, and the nearest is one",
    );
    let margin = NetworkMargin::new(integer(2), integer(1), integer(1), ratio(1, 3))?;
    let shape = Shape::new(2, 1, 2)?;
    let parameters =
        NetworkParameters::from_theorem(&ratio(1, 20), &integer(1), &margin, shape, 100)?;
    let covers = parameters.covers()?;
    let grid = Grid::new(6)?;
    let domain = Domain::unit_ball(grid, 2)?;
    let networks = Networks::new(&parameters, grid, vec![None, None])?;
    check.figure("networks of the cover", networks.count());
    let circle = [
        [65i64, 0],
        [63, 16],
        [60, 25],
        [56, 33],
        [52, 39],
        [39, 52],
        [33, 56],
        [25, 60],
        [16, 63],
        [0, 65],
    ];
    // From over 65 to over 64, rounded towards zero.
    let shorter = |x: &[i64; 2]| x.map(|x| x * 64 / 65);
    let quarters = circle.iter().flat_map(|x| [*x, [-x[1], x[0]]]);
    let points: Vec<[i64; 2]> = quarters.map(|x| shorter(&x)).collect();
    let mut at_the_margin = 0u64;
    for w in [
        [65, 0],
        [63, 16],
        [52, 39],
        [33, 56],
        [0, 65],
        [-39, 52],
        [-56, 33],
        [-63, 16],
    ] {
        for last in [1i64, -1] {
            let layer = |weights: Vec<i64>, factor| Layer {
                weights: vec![weights],
                scale: Scale { factor, root: 1 },
            };
            let layers = vec![
                layer(w.to_vec(), ratio(1, 65 * 64)),
                layer(vec![last], integer(1)),
            ];
            let itself = Network::new(integer(2), layers)?;
            // The nearest point of each cover.
            let steps = covers.iter().map(|cover| cover.denominator() as i64);
            let steps: Vec<i64> = steps.collect();
            let nearest = |w: i64| (2 * steps[0] * w + 65).div_euclid(2 * 65);
            let rounded = w.map(nearest).to_vec();
            let above = vec![last * steps[1]];
            check.holds(
                covers[0].contains(&rounded) && covers[1].contains(&above),
                format_args!("w = {w:?}: {rounded:?}, {above:?}"),
            );
            let layers = vec![
                layer(rounded, ratio(1, 64 * steps[0])),
                layer(above, ratio(1, steps[1])),
            ];
            let near = Network::new(integer(2), layers)?;
            let mut records = Vec::new();
            for x in &points {
                let output = itself.output(x, BITS)?;
                if output.abs().is_above_rational(&ratio(1, 3)) {
                    records.push(record(x, output.lo().is_positive()));
                }
            }
            at_the_margin += records.len() as u64;
            check.holds(
                near.errors(&records)? == 0,
                format_args!("w = {w:?}, {last}"),
            );
            if !records.is_empty() {
                let errors = networks.errors(&Dataset::new(domain, records)?)?;
                check.holds(errors.contains(&0), format_args!("w = {w:?}: no network"));
            }
        }
    }
    check.holds(at_the_margin > 100, "records have the margin often enough");
    check.figure("records at the margin", at_the_margin);
    Ok(())
}

/// The least number of records for an error of 1/10, to a thousandth, and the bound there by formulas of its own.
fn least_records(check: &mut Check) -> Result<(), Trouble> {
    let mut all = vec![(2, 1, 2, ratio(3, 2))];
    if !check.quick() {
        all.push((1usize << 50, 4usize, 2usize, integer(2)));
    }
    if check.thorough() {
        all.push((1 << 50, 1, 1, integer(1)));
        all.push((1 << 50, 16, 3, integer(2)));
    }
    check.certified(
        "epsilon = 1, beta = 1/20, margin loss 0: the records at which the bound is 1/10, and the bound there by formulas of their \
         own",
    );
    let tenth = ratio(1, 10);
    for (d, width, layers, reach) in all {
        let shape = Shape::new(d, width, layers)?;
        let bound = |m| -> Result<Rational, Trouble> {
            let found = with_goal(m, shape, &reach).guarantee(&Rational::zero())?;
            Ok(found.alpha.unwrap_or(integer(1)))
        };
        let m = least(&tenth, bound)?;
        let run = with_goal(m, shape, &reach);
        let setting = run.best()?;
        let again = by_hand(&run, &setting)?;
        let found = bound(m)?;
        let size = if d == 2 {
            "2".to_owned()
        } else {
            "any".to_owned()
        };
        let instance = format!("d = {size}, N = {width}, L = {layers}, Q = {reach}");
        let apart = (again.upper() - &found).abs();
        check.holds(
            apart < Rational::new(1.into(), BigInt::one() << 50),
            format_args!("{instance}: {again}"),
        );
        check.attained(format_args!("bound at m = {m}, {instance}"), &found, &tenth);
        check.figure(
            instance,
            format_args!(
                "m = {m}, k = {}, |C| = e^{}",
                setting.rows.map_or("none".to_owned(), |k| k.to_string()),
                to_scientific(&setting.log_cover, 4)
            ),
        );
    }
    Ok(())
}

/// `ln |C| = sum of n (ln(1 + Q'/sqrt n) + (1 + ln(2 pi))/2) - ln(pi n)/2` over the layers' entries `n`, with `Q'` the
/// denominator; then `p1 = 2 H/(epsilon m)` and `p1 + h + sqrt(h^2 + 2 h p1)` for `h = H/m`, `H = ln |C| + ln(3/beta)`.
fn by_hand(run: &NetworkRun, setting: &NetworkSetting) -> Result<Enclosure, Trouble> {
    let pi = Enclosure::pi(BITS);
    let one = of(&integer(1));
    let mut total = of(&(integer(3) / &run.beta)).ln()?;
    let mut sides = run.shape.sides();
    for radius in &setting.radii {
        let Some((inputs, outputs)) = sides.next() else {
            break;
        };
        let inputs = setting.rows.map_or(inputs as u64, |k| k.min(inputs as u64));
        let n = integer(inputs * outputs as u64);
        // The least Q' with (2 Q' radius)^2 >= n.
        let exact = &n / (radius * radius * integer(4));
        let mut q = exact.ceil().to_integer().sqrt();
        if Rational::from_integer(&q * &q) < exact {
            q += 1;
        }
        let n = of(&n);
        let stretched = of(&Rational::from_integer(q)).divided_by(&n.sqrt()?)?;
        let per_entry = stretched.ln_1p()? + (pi.shifted(1).ln()? + &one).shifted(-1);
        total = total + &n * per_entry - (&pi * &n).ln()?.shifted(-1);
    }
    let h = total * of(&integer(run.records).recip());
    let chosen = &h * of(&(integer(2) / &run.epsilon));
    let root = (h.squared() + (&h * &chosen).shifted(1)).sqrt()?;
    Ok(chosen + h + root)
}
