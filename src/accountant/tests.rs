//! The accountant against what does not use it: closed forms, exact integers, enclosures, slow convolution.

use super::cells::{Cells, loss};
use super::companions::{Companion, lower, upper};
use super::curve::Curve;
use super::double;
use super::interval::Interval;
use super::normal;
use super::pairs::fixed::FixedBatch;
use super::pairs::gaussian::SampledGaussian;
use super::pairs::laplace::SampledLaplace;
use super::pairs::{Grid, Noise};
use super::residues::{BITS, convolution, convolution_power};
use super::tilt::Tilt;
use super::total::{Kind, Total, Transformed, convolve, convolved, product};
use super::transform::{Complex, Transform};
use super::{Account, AccountantError, Mechanism, Relation, Step};
use crate::number::rational::{from_f64, parse};
use crate::number::{Enclosure, Rational};
use num_traits::One;

fn number(text: &str) -> Rational {
    parse(text).unwrap()
}

fn gaussian(rate: &str, deviation: &str) -> Mechanism {
    Mechanism::Gaussian {
        rate: number(rate),
        deviation: number(deviation),
    }
}

fn account(mechanism: Mechanism, times: u64) -> Account {
    Account::new(&[Step { mechanism, times }], Relation::AddOrRemove).unwrap()
}

/// Delta of Gaussian noise of deviation 1/mu at epsilon, by the closed form (Balle and Wang 2018).
fn delta_of_gaussian(mu: &Enclosure, epsilon: &Rational) -> Enclosure {
    let e = Enclosure::of(epsilon, 120);
    let (half, ratio) = (mu.shifted(-1), e.divided_by(mu).unwrap());
    let first = (&ratio - &half).normal_upper();
    first - e.exp().unwrap() * (ratio + half).normal_upper()
}

#[test]
fn a_gaussian_of_many_steps_has_the_closed_form() {
    for (deviation, times, delta) in [
        ("20", 1000, "1e-5"),
        ("1", 1, "1e-6"),
        ("100", 100_000, "1e-12"),
        ("100", 100_000, "1e-14"),
        ("5", 3, "0.05"),
    ] {
        let found = account(gaussian("1", deviation), times)
            .epsilon(&number(delta), 5)
            .unwrap()
            .value;
        let mu = Enclosure::of(&Rational::from_integer(times.into()), 120)
            .sqrt()
            .unwrap();
        let mu = mu
            .divided_by(&Enclosure::of(&number(deviation), 120))
            .unwrap();
        // Delta falls: above delta at the lower end, not above it at the upper.
        let name = format!("{deviation} {times} {delta}: {found}");
        assert!(
            delta_of_gaussian(&mu, &found.lower()).lower() >= number(delta),
            "{name}"
        );
        assert!(
            delta_of_gaussian(&mu, &found.upper()).upper() <= number(delta),
            "{name}"
        );
        assert!(found.has_digits(4), "{name}");
    }
}

#[test]
fn one_sampled_step_has_the_closed_form_in_both_directions() {
    // h(g) of ((1-q)N(0) + qN(mu), N(0)) is q h'((g - 1 + q)/q) with h' that of the Gaussian; the other way round it is
    // (1 - g(1-q)) h'(gq / (1 - g(1-q))).
    for (rate, deviation, epsilon) in [
        ("0.01", "1", "0.02"),
        ("0.1", "1/2", "1"),
        ("0.3", "2", "0.05"),
    ] {
        let (q, e) = (number(rate), number(epsilon));
        let g = Enclosure::of(&e, 160).exp().unwrap();
        let (q, one) = (Enclosure::of(&q, 160), Enclosure::integer(1, 160));
        let mu = Enclosure::of(&number(deviation).recip(), 160);
        let h = |g: &Enclosure| {
            let (half, ratio) = (mu.shifted(-1), g.ln().unwrap().divided_by(&mu).unwrap());
            (&ratio - &half).normal_upper() - g * (ratio + half).normal_upper()
        };
        let remove = &q * h(&(&g - &one + &q).divided_by(&q).unwrap());
        let rest = &one - &g * (&one - &q);
        let add = rest
            .lo()
            .is_positive()
            .then(|| &rest * h(&(&g * &q).divided_by(&rest).unwrap()));
        let steps = [Step {
            mechanism: gaussian(rate, deviation),
            times: 1,
        }];
        let at = |relation| {
            Account::new(&steps, relation)
                .unwrap()
                .delta(&e, 5)
                .unwrap()
                .value
        };
        assert!(
            at(Relation::Remove).meets(&remove),
            "{rate} {deviation} {epsilon}"
        );
        if let Some(add) = add {
            let found = at(Relation::Add);
            assert!(
                found.meets(&add),
                "{rate} {deviation} {epsilon}: {found} {add}"
            );
            assert!(at(Relation::AddOrRemove).meets(&remove.max(&add)));
        }
    }
}

#[test]
fn randomised_response_composes_as_the_binomial_law() {
    // Kairouz, Oh and Viswanath: losses (2i - k) epsilon with binomial weights.
    let (epsilon, k) = (number("1/2"), 20_u64);
    let found = account(
        Mechanism::RandomisedResponse {
            epsilon: epsilon.clone(),
            answers: 2,
        },
        k,
    )
    .delta(&number("3"), 9)
    .unwrap()
    .value;
    let odds = Enclosure::of(&epsilon, 160).exp().unwrap();
    let kept = odds
        .divided_by(&(&odds + Enclosure::integer(1, 160)))
        .unwrap();
    let other = kept.complement();
    let mut exact = Enclosure::integer(0, 160);
    let mut ways = Rational::one();
    for i in 0..=k {
        let law = |kept: &Enclosure, other: &Enclosure| kept.power(i) * other.power(k - i);
        let gain = law(&kept, &other)
            - Enclosure::of(&number("3"), 160).exp().unwrap() * law(&other, &kept);
        exact = exact + Enclosure::of(&ways, 160) * gain.max(&Enclosure::integer(0, 160));
        ways =
            ways * Rational::from_integer((k - i).into()) / Rational::from_integer((i + 1).into());
    }
    assert!(
        found.meets(&exact) && found.has_digits(8),
        "{found} {exact}"
    );
}

#[test]
fn laplace_noise_once_has_the_closed_form() {
    // 1 - e^((epsilon - b)/2).
    let found = account(
        Mechanism::Laplace {
            scale: number("2"),
            rate: Rational::one(),
        },
        1,
    )
    .delta(&number("1/4"), 6)
    .unwrap()
    .value;
    let exact = Enclosure::exp_of(&number("-1/8"), 100)
        .unwrap()
        .complement();
    assert!(
        found.meets(&exact) && found.has_digits(5),
        "{found} {exact}"
    );
}

#[test]
fn finer_grids_meet_coarser_ones() {
    let cases = [
        (gaussian("0.01", "1"), 1000, "1e-5"),
        (gaussian("0.2", "0.7"), 5, "1e-3"),
        (
            Mechanism::Laplace {
                scale: number("3"),
                rate: number("0.1"),
            },
            50,
            "1e-6",
        ),
        (
            Mechanism::DiscreteGaussian {
                variance: number("4"),
                shift: 3,
            },
            10,
            "1e-7",
        ),
        (
            Mechanism::DiscreteLaplace {
                scale: number("5"),
                shift: 2,
            },
            10,
            "1e-7",
        ),
        (
            Mechanism::RandomisedResponse {
                epsilon: number("1"),
                answers: 5,
            },
            10,
            "1e-7",
        ),
    ];
    for (mechanism, times, delta) in cases {
        let account = account(mechanism.clone(), times);
        let (few, many) = (
            account.epsilon(&number(delta), 2),
            account.epsilon(&number(delta), 5),
        );
        let (few, many) = (few.unwrap().value, many.unwrap().value);
        assert!(few.meets(&many), "{mechanism:?}: {few} {many}");
        assert!(many.has_digits(4), "{mechanism:?}: {many}");
    }
}

/// On grids that are still coarse two passes may be equally wide: that is not yet the rounding of doubles.
#[test]
fn one_pass_that_narrows_nothing_is_no_limit() {
    for (rate, deviation, times, delta) in [("0.01", "1", 100, "1e-5"), ("0.001", "1", 100, "1e-6")]
    {
        let known = account(gaussian(rate, deviation), times)
            .epsilon(&number(delta), 5)
            .unwrap();
        assert!(known.value.has_digits(4), "{times}: {}", known.value);
        assert_eq!(known.limit, None);
    }
}

#[test]
fn a_batch_of_fixed_size_lies_between_what_is_attained_and_what_dominates() {
    let found = |deviation: &str, rate: &str, times| {
        let mechanism = Mechanism::FixedBatch {
            deviation: number(deviation),
            rate: number(rate),
        };
        let account = Account::new(&[Step { mechanism, times }], Relation::Substitution);
        account.unwrap().epsilon(&number("1e-5"), 4).unwrap()
    };
    // A record in place of another moves the sum by 2: from 1 step on at least what Poisson samples cost at half the deviation.
    let removed = |deviation: &str, times| {
        let account = account(gaussian("0.1", deviation), times);
        account.epsilon(&number("1e-5"), 4).unwrap().value
    };
    let once = found("2", "0.1", 1);
    assert!(once.value.meets(&removed("1", 1)) && once.value.has_digits(4));
    assert_eq!(once.limit, None);
    let many = found("2", "0.1", 10);
    let attained = removed("1", 10);
    assert!(attained.lower() <= many.value.lower() && many.value.lower() <= attained.upper());
    assert!(many.value.upper() > attained.upper(), "{}", many.value);
    assert_eq!(many.limit, Some(super::Limit::Worst));
    // Without sampling nothing is mirrored, and both ends meet.
    assert!(found("20", "1", 7).value.has_digits(4));
}

fn allocated(deviation: &str, steps: u64, epochs: u64, digits: u32) -> Enclosure {
    let mechanism = Mechanism::Allocation {
        deviation: number(deviation),
        steps,
    };
    let account = account(mechanism, epochs);
    account.epsilon(&number("1e-5"), digits).unwrap().value
}

#[test]
fn epochs_of_allocated_records_meet_on_coarse_and_fine_grids() {
    for (steps, epochs) in [(2, 1), (7, 3), (100, 1)] {
        let (few, many) = (
            allocated("1", steps, epochs, 2),
            allocated("1", steps, epochs, 3),
        );
        assert!(few.meets(&many), "{steps} {epochs}: {few} {many}");
        assert!(many.has_digits(2), "{steps} {epochs}: {many}");
        // A record that is in all steps costs more than one that is in one of them, and in one step alone more than among several.
        let whole = account(gaussian("1", "1"), epochs);
        let whole = whole.epsilon(&number("1e-5"), 3).unwrap().value;
        assert!(
            many.upper() < whole.lower(),
            "{steps} {epochs}: {many} {whole}"
        );
    }
}

#[test]
fn an_epoch_has_what_an_independent_account_found() {
    // By exact integers, in another program: one of 100 steps, deviation 1.
    let found = allocated("1", 100, 1, 4);
    let known = Enclosure::between(&number("0.620865"), &number("0.620958"), 64);
    assert!(found.meets(&known), "{found}");
}

#[test]
fn allocation_is_of_whole_epochs() {
    let step = |rate: &str, times| Step::allocated(number("1"), &number(rate), times);
    assert_eq!(step("1/4", 12).unwrap().times, 3);
    assert!(step("2/7", 14).is_err());
    assert!(step("1", 14).is_err());
    assert!(step("1/4", 13).is_err());
}

#[test]
fn a_relation_without_a_proved_pair_is_refused() {
    let fixed = Mechanism::FixedBatch {
        deviation: number("1"),
        rate: number("0.1"),
    };
    let refused = |mechanism, relation| {
        let steps = [Step {
            mechanism,
            times: 1,
        }];
        Account::new(&steps, relation).unwrap_err()
    };
    assert_eq!(
        refused(fixed, Relation::AddOrRemove),
        AccountantError::OnlySubstitution
    );
    assert_eq!(
        refused(gaussian("0.1", "1"), Relation::Substitution),
        AccountantError::NoSubstitution
    );
}

#[test]
fn unlike_steps_add_up_as_like_steps_do() {
    // A Gaussian of 3 steps and one of 5 are one of mu^2 = 3 mu_1^2 + 5 mu_2^2.
    let steps = [
        Step {
            mechanism: gaussian("1", "4"),
            times: 3,
        },
        Step {
            mechanism: gaussian("1", "7"),
            times: 5,
        },
    ];
    let found = Account::new(&steps, Relation::AddOrRemove).unwrap();
    let found = found.epsilon(&number("1e-6"), 4).unwrap().value;
    let mu = Enclosure::of(&(number("3/16") + number("5/49")), 120)
        .sqrt()
        .unwrap();
    assert!(delta_of_gaussian(&mu, &found.lower()).lower() >= number("1e-6"));
    assert!(delta_of_gaussian(&mu, &found.upper()).upper() <= number("1e-6"));
    assert!(found.has_digits(3));
}

/// A companion as likelihood ratios and masses.
fn listed(companion: &Companion, cells: &Cells) -> Vec<[Enclosure; 2]> {
    let exact = |x: f64| Enclosure::of(&from_f64(x).unwrap(), 120);
    companion
        .atoms()
        .map(|(node, mass)| {
            let node = Rational::from_integer(node.into());
            let loss = from_f64(cells.offset).unwrap() + node * from_f64(cells.step).unwrap();
            [Enclosure::exp_of(&loss, 120).unwrap(), exact(mass)]
        })
        .collect()
}

/// h of a companion at a ratio, by its definition.
fn h(companion: &[[Enclosure; 2]], infinite: f64, g: &Rational) -> Enclosure {
    let (zero, g) = (Enclosure::integer(0, 120), Enclosure::of(g, 120));
    let infinite = Enclosure::of(&from_f64(infinite).unwrap(), 120);
    let above = companion.iter().filter(|[ratio, _]| ratio.hi() > g.lo());
    above.fold(infinite, |sum, [ratio, mass]| {
        sum + mass * (ratio - &g).max(&zero)
    })
}

#[test]
fn companions_are_above_and_below_the_pair_at_every_threshold() {
    let interval = |text: &str| Interval::of(&number(text));
    for (rate, rest, mu) in [
        ("0.01", "0.99", "1"),
        ("0.3", "0.7", "2"),
        ("1", "0", "1/2"),
        ("0.001", "0.999", "2"),
    ] {
        let noise = SampledGaussian::new(interval(rate), interval(rest), interval(mu));
        for (points, power) in [(2.5, None), (6.0, None), (6.0, Some(3.0)), (0.2, Some(8.0))] {
            let grid = Grid {
                step: noise.deviation() / points,
                tail: 1e-9,
                power,
            };
            let cells = noise.cells(&grid).unwrap();
            let q = Enclosure::of(&number(rate), 160);
            let one = Enclosure::integer(1, 160);
            let m = Enclosure::of(&number(mu), 160);
            let gaussian = |g: &Enclosure| {
                let (half, ratio) = (m.shifted(-1), g.ln().unwrap().divided_by(&m).unwrap());
                (&ratio - &half).normal_upper() - g * (ratio + half).normal_upper()
            };
            let (up, low) = (upper(&cells), lower(&cells));
            let swapped = cells.swapped();
            let (up_swapped, low_swapped) = (upper(&swapped), lower(&swapped));
            let infinite = [up.infinite, up_swapped.infinite];
            let [up, low] = [up, low].map(|one| listed(&one, &cells));
            let [up_swapped, low_swapped] =
                [up_swapped, low_swapped].map(|one| listed(&one, &swapped));
            let slack = from_f64(cells.slack).unwrap() + Rational::one();
            for i in (-30..60_i64).step_by(6) {
                let g = Rational::one() + Rational::new(i.into(), 77.into());
                let e = Enclosure::of(&g, 160);
                let raised = &g * &slack;
                let lowered = &g / &slack;
                let inner = &e - &one + &q;
                let exact = match inner.lo().is_positive() {
                    true => &q * gaussian(&inner.divided_by(&q).unwrap()),
                    false => &one - &e,
                };
                let name = format!("{rate} {mu} {points} {g}");
                // Both allow losses of `slack`, and so P to be larger by it.
                let above = h(&up, infinite[0], &lowered) * Enclosure::of(&slack, 160);
                assert!(above.hi() >= exact.lo(), "{name}: {above} {exact}");
                assert!(h(&low, 0.0, &raised).lo() <= exact.hi(), "{name}");
                let rest = &one - &e * (&one - &q);
                let exact = match rest.lo().is_positive() {
                    true if g > Rational::from_integer(0.into()) => {
                        &rest * gaussian(&(&e * &q).divided_by(&rest).unwrap())
                    }
                    _ => Enclosure::integer(0, 160),
                };
                let above = h(&up_swapped, infinite[1], &lowered) * Enclosure::of(&slack, 160);
                assert!(above.hi() >= exact.lo(), "{name}: {above} {exact}");
                assert!(h(&low_swapped, 0.0, &raised).lo() <= exact.hi(), "{name}");
            }
        }
    }
}

/// A kind of step to convolve: a small sampled Gaussian.
fn kind(times: u64) -> (Kind, f64) {
    let interval = |text: &str| Interval::of(&number(text));
    let noise = SampledGaussian::new(interval("0.1"), interval("0.9"), interval("1"));
    let step = noise.deviation() / 3.0;
    let cells = noise.cells(&Grid::even(step, 1e-4)).unwrap();
    let (upper, lower) = (upper(&cells), lower(&cells));
    (
        Kind {
            upper,
            lower,
            offset: 0.0,
            times,
        },
        step,
    )
}

/// The tilted masses modulo the window, as the accountant makes them, in units of 2^-62.
fn in_units(companion: &Companion, step: f64, tilt: &Tilt, zeta: f64, up: bool) -> Vec<u64> {
    let mut folded = vec![0_u64; tilt.length];
    for (node, mass) in companion.atoms() {
        let exponent =
            Interval::exactly(1.0 + tilt.theta) * loss(0.0, step, node) - Interval::exactly(zeta);
        let weight = Interval::exactly(mass) * exponent.exp();
        let unit = 2.0_f64.powi(BITS as i32);
        // One way further out than the doubles, so that rounding to units stays outside.
        let units = if up {
            (weight.hi * unit).ceil() as u64 + 1
        } else {
            (weight.lo * unit).floor() as u64
        };
        folded[node.rem_euclid(tilt.length as i64) as usize] += units;
    }
    folded
}

#[test]
fn the_transform_lies_around_exact_integers() {
    for (times, theta, length) in [
        (1, 0.5, 256),
        (7, 2.0, 256),
        (50, 3.0, 512),
        (333, 1.0, 1024),
    ] {
        let (kind, step) = kind(times);
        let tilt = Tilt {
            theta,
            bottom: -(length as i64) / 4,
            length,
            chernoff: [-1.0, 1.0],
        };
        let total = convolve(std::slice::from_ref(&kind), step, &tilt);
        let zeta = super::tilt::scale(&kind.upper, 0.0, step, theta);
        let up = convolution_power(&in_units(&kind.upper, step, &tilt, zeta, true), times, true);
        let low = convolution_power(
            &in_units(&kind.lower, step, &tilt, zeta, false),
            times,
            false,
        );
        let unit = 0.5_f64.powi(BITS as i32);
        // What the integers are rounded by: a unit for every product, and for every mass once a step.
        let rounded = (times as f64 * (length as f64 + 8.0)) * unit * 4.0;
        for (i, [above, below]) in total.masses.iter().enumerate() {
            let place = (tilt.bottom + i as i64).rem_euclid(length as i64) as usize;
            let (high, lowest) = (up[place] as f64 * unit, low[place] as f64 * unit);
            assert!(*above >= high - rounded, "{times} {i}: {above} {high}");
            assert!(*below <= lowest + rounded, "{times} {i}: {below} {lowest}");
            // And not far: within twice the errors charged.
            assert!((above - high).abs() <= 2.0 * total.errors[0] + rounded);
            assert!((below - lowest).abs() <= 2.0 * total.errors[1] + rounded);
        }
    }
}

#[test]
fn a_window_that_is_too_short_is_charged_for_what_it_leaves_out() {
    let (kind, step) = kind(50);
    let curve = |bottom, length| {
        let tilt = Tilt {
            theta: 0.0,
            bottom,
            length,
            chernoff: [-1.0, 1.0],
        };
        let total = convolve(std::slice::from_ref(&kind), step, &tilt);
        Curve::new(&total, &tilt, step, Interval::ZERO, Interval::ZERO, 0.0)
    };
    let (narrow, wide) = (curve(-22, 64), curve(-512, 1024));
    for i in 0..40 {
        let epsilon = f64::from(i) * step;
        assert!(narrow.below(epsilon) <= wide.above(epsilon), "{i}");
        assert!(narrow.above(epsilon) >= wide.below(epsilon), "{i}");
    }
}

#[test]
fn the_error_of_every_entry_is_charged() {
    // Masses of 20 bits, so that products of three are exact both in doubles and in units of 2^-62. Entries are of unlike
    // size: what the transform errs by in the small ones is far above their last place.
    let length = 256;
    let size = |i: usize| ((i * i * 37 + 11 * i) % 8191) as u64 >> (i % 13);
    let masses: [Vec<u64>; 2] = [
        (0..length).map(size).collect(),
        (0..length).map(|i| size(i + 5) / 2).collect(),
    ];
    let transform = Transform::new(length);
    let part = |mass: u64| mass as f64 / 1_048_576.0;
    let values = (0..length).map(|i| Complex {
        re: part(masses[0][i]),
        im: part(masses[1][i]),
    });
    let values: Vec<Complex> = values.collect();
    for times in 1..=3 {
        let kind = Transformed::of(&transform, values.clone(), 2.0, times);
        let (found, errors) = convolved(&transform, &[kind], 0);
        let mut would_be_missed = [0, 0];
        for (side, masses) in masses.iter().enumerate() {
            let units: Vec<u64> = masses.iter().map(|mass| mass << (BITS - 20)).collect();
            assert!(masses.iter().sum::<u64>() <= 1 << 20);
            let up = convolution_power(&units, times, true);
            assert_eq!(up, convolution_power(&units, times, false), "no rounding");
            for (found, units) in found.iter().zip(up) {
                let exact = Rational::new(units.into(), (1_u64 << BITS).into());
                let [above, below] = found.map(|end| from_f64(end).unwrap());
                let charged = from_f64(errors[side]).unwrap();
                let (holds, bare) = match side {
                    0 => (above >= exact, above - &charged < exact),
                    _ => (
                        below <= exact,
                        below > Rational::from_integer(0.into()) && below + &charged > exact,
                    ),
                };
                assert!(holds, "{times} {side}");
                would_be_missed[side] += usize::from(bare);
            }
        }
        // Without the charge some bounds of either side would be wrong, so this test can fail.
        assert!(
            would_be_missed[0] > 0 && would_be_missed[1] > 0,
            "{times} {would_be_missed:?}"
        );
    }
}

#[test]
fn what_folds_back_is_charged_from_either_side() {
    // Windows that cut one side: almost nothing comes from the other, so its charge cannot stand in.
    let (kind, step) = kind(20);
    let zeta = super::tilt::scale(&kind.upper, 0.0, step, 0.0);
    let convolved_in = |length: usize| {
        let tilt = tilt_at(0, length, [0.0; 2]);
        let units = in_units(&kind.lower, step, &tilt, zeta, false);
        convolution_power(&units, kind.times, false)
    };
    let (length, wide) = (128, 2048);
    let (folded, all) = (convolved_in(length), convolved_in(wide));
    let unit = 0.5_f64.powi(BITS as i32);
    // The charges for what lies below and above, each alone beside what is there.
    for (bottom, chernoff) in [(0, [-1.5, 3.0]), (-115, [-8.0, 1.5])] {
        let mut excess = 0.0;
        for node in bottom..bottom + length as i64 {
            let cyclic = folded[node.rem_euclid(length as i64) as usize] as f64;
            excess += (cyclic - all[node.rem_euclid(wide as i64) as usize] as f64) * unit;
        }
        let total = convolve(
            std::slice::from_ref(&kind),
            step,
            &tilt_at(bottom, length, chernoff),
        );
        assert!(excess > 0.1, "this test can fail: {excess}");
        assert!(
            total.folded >= excess,
            "{bottom}: {} {excess}",
            total.folded
        );
    }
}

fn tilt_at(bottom: i64, length: usize, chernoff: [f64; 2]) -> Tilt {
    Tilt {
        theta: 0.0,
        bottom,
        length,
        chernoff,
    }
}

#[test]
fn a_curve_subtracts_what_folded_and_adds_what_lies_above() {
    let (kind, step) = kind(3);
    let tilt = tilt_at(-64, 256, [-1.0, 1.0]);
    let plain = convolve(&[kind], step, &tilt);
    let with = |folded, above| Total {
        folded,
        above,
        ..plain.clone()
    };
    let curve = |total: &Total| {
        let none = Interval::ZERO;
        Curve::new(total, &tilt, step, none, none, 0.0)
    };
    let (without, all) = (curve(&with(0.0, 0.0)), curve(&with(1e-3, 1e-3)));
    let scale = plain.scale.exp();
    for epsilon in [0.0, 2.5 * step, 0.3] {
        // Without a tilt every node has the weight e^scale.
        let (low, high) = (without.below(epsilon), without.above(epsilon));
        let charge = Interval::exactly(1e-3) * scale;
        let is_about = |value: f64, exact: f64| (value - exact).abs() <= 1e-12;
        assert!(is_about(all.below(epsilon), (low - charge.lo).max(0.0)));
        assert!(is_about(all.above(epsilon), (high + charge.hi).min(1.0)));
        assert!(
            low > charge.hi && high + charge.hi < 1.0,
            "neither end is clipped"
        );
    }
}

#[test]
fn what_is_charged_to_a_tilted_curve_has_the_weight_of_its_place() {
    let (kind, step) = kind(3);
    let theta = 1.5;
    let tilt = Tilt {
        theta,
        ..tilt_at(-64, 256, [-1.0, 1.0])
    };
    let plain = convolve(&[kind], step, &tilt);
    let curve = |charge: f64| {
        let total = Total {
            folded: charge,
            above: charge,
            ..plain.clone()
        };
        let none = Interval::ZERO;
        Curve::new(&total, &tilt, step, none, none, 0.0)
    };
    let (without, all) = (curve(0.0), curve(1e-6));
    let weight = |node: f64| {
        let exponent = plain.scale - Interval::exactly(theta * step * node);
        1e-6 * exponent.exp().middle()
    };
    for node in [0.0, 2.0, 7.0] {
        let epsilon = (node + 0.5) * step;
        let (low, high) = (without.below(epsilon), without.above(epsilon));
        let is_about = |value: f64, exact: f64| (value - exact).abs() <= 1e-4 * exact;
        // Below at the node before, above at the end of the window.
        assert!(is_about(low - all.below(epsilon), weight(node)), "{node}");
        assert!(is_about(all.above(epsilon) - high, weight(192.0)), "{node}");
    }
}

#[test]
fn a_lower_end_is_found_where_what_folded_outweighs_the_start_of_the_window() {
    // At the first node of the window its weight is e^38: nothing is known there from below.
    let steps = [Step {
        mechanism: gaussian("0.6592", "2.942"),
        times: 19_006,
    }];
    let account = Account::new(&steps, Relation::Remove).unwrap();
    let found = account.epsilon(&number("2.2e-14"), 2).unwrap();
    assert!(
        found.limit.is_none() && found.value.has_digits(2),
        "{found:?}"
    );
}

#[test]
fn a_curve_is_moved_by_what_its_losses_may_be_off() {
    let (kind, step) = kind(3);
    let tilt = tilt_at(-64, 256, [-1.0, 1.0]);
    let total = Total {
        folded: 0.0,
        ..convolve(&[kind], step, &tilt)
    };
    let at = |shift: f64| {
        let shift = Interval::exactly(shift);
        Curve::new(&total, &tilt, step, Interval::ZERO, shift, 0.0)
    };
    let (exact, off) = (at(0.0), at(0.25));
    // P is e^0.25 of the companion's at most, and losses are 0.25 larger.
    for epsilon in [0.3, 0.5] {
        assert!((off.above(epsilon) / exact.above(epsilon - 0.25) - 0.25_f64.exp()).abs() < 1e-9);
        assert!(
            (off.below(epsilon - 0.25) / exact.below(epsilon) - (-0.25_f64).exp()).abs() < 1e-9
        );
    }
}

#[test]
fn the_error_of_a_power_grows_with_the_power() {
    let one = Complex { re: 1.0, im: 0.0 };
    for (times, least) in [(1, 1e-6), (1000, 1e-3)] {
        let found = product(&[(one, 1e-6, times)]);
        // The truth may be 1 + 1e-6, to the power.
        assert!(found.error >= least && found.error <= 1.1 * least && found.modulus >= 1.0 + least);
        assert_eq!(found.value, one);
    }
    // Of exact values what products round: within sqrt(5) U each.
    for times in [2_u64, 1000] {
        let found = product(&[(one, 0.0, times), (one, 0.0, 1)]);
        let rounded = times as f64 * 5.0_f64.sqrt() * double::U;
        assert!(found.error >= rounded, "{times}: {}", found.error);
    }
}

#[test]
fn a_transform_and_its_inverse_give_the_values_back() {
    let transform = Transform::new(64);
    let values: Vec<Complex> = (0..64)
        .map(|i| Complex {
            re: f64::from(i % 7),
            im: f64::from(i % 5),
        })
        .collect();
    let mut there = values.clone();
    transform.forward(&mut there);
    let sum: f64 = values.iter().map(|value| value.re).sum();
    assert!((there[transform.place(0)].re - sum).abs() < 1e-11);
    transform.inverse(&mut there);
    for (value, there) in values.iter().zip(&there) {
        assert!(
            (value.re - there.re / 64.0).abs() < 1e-12
                && (value.im - there.im / 64.0).abs() < 1e-12
        );
    }
}

#[test]
fn every_root_of_unity_is_within_its_bound() {
    let n = 256;
    let transform = Transform::new(n);
    for j in 0..n {
        let mut values = vec![Complex::default(); n];
        values[1] = Complex { re: 1.0, im: 0.0 };
        transform.forward(&mut values);
        let angle = Enclosure::pi(100)
            * Enclosure::of(
                &Rational::new((2 * j as i64).into(), (n as i64).into()),
                100,
            );
        let got = values[transform.place(j)];
        // The value is a product of at most 8 roots.
        let far = |exact: Enclosure, got: f64| {
            (exact - Enclosure::of(&from_f64(got).unwrap(), 100))
                .abs()
                .hi()
                .to_rational()
        };
        let most = from_f64(transform.error()).unwrap();
        assert!(far(angle.cos().unwrap(), got.re) <= most, "{j}");
        assert!(far(-angle.sin().unwrap(), got.im) <= most, "{j}");
    }
}

#[test]
fn integers_convolve_as_by_hand() {
    let half = 1_u64 << 61;
    let a = [half, half, 0, 0];
    assert_eq!(convolution(&a, &a, false), [1 << 60, 1 << 61, 1 << 60, 0]);
    assert_eq!(
        convolution_power(&a, 3, true),
        [1 << 59, 3 << 59, 3 << 59, 1 << 59]
    );
    // One unit times a half is half a unit: rounded up to one, down to none.
    assert_eq!(convolution(&[1, 0], &[half, 0], true), [1, 0]);
    assert_eq!(convolution(&[1, 0], &[half, 0], false), [0, 0]);
}

/// Exponents spread over the range, without a pattern.
fn spread(i: u32) -> f64 {
    let x = f64::from(i) * 0.618_033_988_749_894_9;
    x - x.floor()
}

#[test]
fn the_exponential_is_within_its_bound() {
    for i in 0..2000 {
        let x = if i % 2 == 0 {
            1360.0 * spread(i) - 680.0
        } else {
            2.0 * spread(i) - 1.0
        };
        let exact = Enclosure::exp_of(&from_f64(x).unwrap(), 120).unwrap();
        let value = from_f64(double::exp(x)).unwrap();
        let error = (Enclosure::of(&value, 120).divided_by(&exact).unwrap()
            - Enclosure::integer(1, 120))
        .abs();
        assert!(
            error.hi().to_rational() <= from_f64(4.0 * double::U).unwrap(),
            "{x}"
        );
        let around = Interval::exactly(x).exp();
        assert!(around.lo < double::exp(x) && double::exp(x) < around.hi);
        assert!((double::guess_ln(double::exp(x)) - x).abs() < 1e-12 * x.abs().max(1.0));
    }
}

#[test]
fn masses_of_the_normal_law_are_enclosed() {
    let mean = Interval::of(&number("1/3"));
    let points = match std::env::var_os("NIGHTLY") {
        Some(_) => 600,
        None => 120,
    };
    for i in 0..points {
        let a = 40.0 * spread(i) - 20.0;
        let b = a + [1e-4, 0.03, 2.0][i as usize % 3] * spread(7 * i + 3);
        let at = |x: f64| Enclosure::of(&(from_f64(x).unwrap() - number("1/3")), 900);
        let exact = match a < 0.0 {
            true => at(b).normal_cdf() - at(a).normal_cdf(),
            false => at(a).normal_upper() - at(b).normal_upper(),
        };
        let found = normal::mass(a, b, mean);
        assert!(from_f64(found.lo).unwrap() <= exact.upper(), "{a} {b}");
        assert!(from_f64(found.hi).unwrap() >= exact.lower(), "{a} {b}");
        assert!(
            (found.hi - found.lo) <= 1e-12 * found.hi,
            "{a} {b}: {found:?}"
        );
    }
    for x in [-30.0, -3.0, 0.2, 5.0] {
        let exact = Enclosure::of(&(from_f64(x).unwrap() - number("1/3")), 900).normal_cdf();
        let found = normal::mass(f64::NEG_INFINITY, x, mean);
        assert!(
            from_f64(found.lo).unwrap() <= exact.upper()
                && from_f64(found.hi).unwrap() >= exact.lower()
        );
        let other = normal::mass(x, f64::INFINITY, mean);
        assert!(found.lo + other.lo <= 1.0 && found.hi + other.hi >= 1.0);
        assert!(normal::above(x, mean) >= other.lo);
    }
}

#[test]
fn the_masses_of_a_pair_add_up_to_one() {
    let interval = |text: &str| Interval::of(&number(text));
    let sampled = SampledGaussian::new(interval("0.2"), interval("0.8"), interval("1"));
    let pairs: [Box<dyn Noise>; 4] = [
        Box::new(FixedBatch::new(sampled)),
        Box::new(SampledGaussian::new(
            interval("0.2"),
            interval("0.8"),
            interval("1"),
        )),
        Box::new(SampledLaplace::new(
            interval("0.2"),
            interval("0.8"),
            interval("3/2"),
        )),
        Box::new(super::pairs::lattice::discrete_gaussian(
            interval("9"),
            2,
            1e-20,
        )),
    ];
    for noise in pairs {
        let grid = Grid::even(noise.step(noise.deviation() / 9.0), 1e-20);
        let cells = noise.cells(&grid).unwrap();
        let mut all = cells.below.and(cells.above);
        for cell in &cells.cells {
            all = all.and(cell.low).and(cell.high);
        }
        for mass in &cells.on {
            all = all.and(*mass);
        }
        for total in [all.p, all.q] {
            assert!(
                total.lo <= 1.0 && 1.0 <= total.hi && total.hi - total.lo < 1e-11,
                "{noise:?} {total:?}"
            );
        }
    }
}

#[test]
fn what_cannot_be_accounted_is_refused() {
    let refused = |mechanism| {
        Account::new(
            &[Step {
                mechanism,
                times: 1,
            }],
            Relation::Add,
        )
        .unwrap_err()
        .to_string()
    };
    assert!(refused(gaussian("2", "1")).starts_with("rate must be between 1e-9 and 1, got 2"));
    assert!(refused(gaussian("1", "0")).starts_with("deviation must be between 1/20 and 1000000"));
    assert_eq!(
        Account::new(&[], Relation::Add).unwrap_err(),
        AccountantError::NoSteps
    );
    let many = Step {
        mechanism: gaussian("1", "1"),
        times: u64::MAX,
    };
    assert!(matches!(
        Account::new(&[many], Relation::Add),
        Err(AccountantError::TooManySteps { .. })
    ));
    let account = account(gaussian("1", "1"), 1);
    assert!(
        account
            .epsilon(&number("0"), 3)
            .unwrap_err()
            .to_string()
            .contains("delta must be at least 1e-30")
    );
    assert!(account.delta(&number("-1"), 3).is_err());
}
