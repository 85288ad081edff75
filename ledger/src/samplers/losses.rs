//! The law of the privacy loss, its composition and its inverse, and sums of two laws.

use super::BITS;
use crate::budgets;
use crate::claim::{Check, Trouble};
use dp_assay::coins::{Law, Loss};
use dp_assay::law::SumOfLaws;
use dp_assay::law::named::NamedLaw;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Dyadic, Enclosure, Rational};
use dp_assay::privacy::laplace as laplace_noise;
use dp_assay::privacy::{
    LeastEpsilon, LossDistribution, composition, discrete_gaussian, gaussian, mechanisms,
};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, ScoreClass};
use num_bigint::BigInt;
use num_traits::Zero;

/// Two numbers that agree to so many bits after the point.
const AGREE: i64 = 120;

fn zero() -> Enclosure {
    Enclosure::integer(0, BITS)
}

/// Whether both enclose one number, and neither is wide.
fn agree(a: &Enclosure, b: &Enclosure) -> bool {
    let narrow = |x: &Enclosure| x.width() <= Dyadic::new(1, -AGREE);
    a.meets(b) && narrow(a) && narrow(b)
}

/// `sum of max(0, P - e^epsilon Q)` over all sequences of outcomes of these mechanisms, one after the other.
fn over_sequences(
    mechanisms: &[&[[Enclosure; 2]]],
    epsilon: &Rational,
) -> Result<Enclosure, Trouble> {
    let factor = Enclosure::exp_of(epsilon, BITS)?;
    let one = || Enclosure::integer(1, BITS);
    let mut sequences = vec![[one(), one()]];
    for outcomes in mechanisms {
        let extended = sequences
            .iter()
            .flat_map(|[p, q]| outcomes.iter().map(move |[a, b]| [p * a, q * b]));
        sequences = extended.collect();
    }
    let gains = sequences
        .iter()
        .map(|[p, q]| (p - &factor * q).max(&zero()));
    Ok(gains.fold(zero(), |sum, gain| sum + gain))
}

/// The same with the two inputs exchanged.
fn exchanged(outcomes: &[[Enclosure; 2]]) -> Vec<[Enclosure; 2]> {
    let pairs = outcomes.iter();
    pairs.map(|[p, q]| [q.clone(), p.clone()]).collect()
}

fn enclosed(masses: &[[Rational; 2]]) -> Vec<[Enclosure; 2]> {
    let enclose = |x: &Rational| Enclosure::of(x, BITS);
    masses
        .iter()
        .map(|pair| pair.each_ref().map(enclose))
        .collect()
}

/// The losses of an exponential mechanism, with so many outcomes each.
fn scores(losses: &[(i64, u32)]) -> Result<ExponentialMechanism, Trouble> {
    let class = |&(loss, count): &(i64, u32)| ScoreClass {
        loss: ratio(loss, 2),
        count: count.into(),
    };
    let classes = losses.iter().map(class).collect();
    Ok(ExponentialMechanism::new(ratio(3, 2), integer(1), classes)?)
}

/// `privacy.loss-distribution`
pub(super) fn loss_distribution(check: &mut Check) -> Result<(), Trouble> {
    let longest = if check.quick() { 3 } else { 5 };
    check.certified(format_args!(
        "every sequence of outcomes, up to {longest} mechanisms, of three pairs of rational laws, randomised response among 2 \
         and 5 answers and two exponential mechanisms, in both directions; two different mechanisms; optimal composition \
         of up to 1000 steps; discrete noise against its own profiles, and composed Gaussian noise against the law of its sum; what \
         is not held, at 8 bits, alone, three times and with randomised response"
    ));
    let epsilons = [ratio(0, 1), ratio(1, 3), ratio(1, 1), ratio(5, 2)];
    // 1. All sequences of outcomes, one by one.
    let r = ratio;
    let laws: [Vec<[Rational; 2]>; 3] = [
        vec![[r(1, 2), r(1, 6)], [r(1, 3), r(1, 3)], [r(1, 6), r(1, 2)]],
        vec![
            [r(3, 4), r(1, 4)],
            [r(1, 8), r(1, 2)],
            [r(1, 8), r(0, 1)],
            [r(0, 1), r(1, 4)],
        ],
        vec![[r(9, 10), r(1, 100)], [r(1, 10), r(99, 100)]],
    ];
    let mut cases = Vec::new();
    for law in &laws {
        let first: Vec<Rational> = law.iter().map(|[p, _]| p.clone()).collect();
        let second: Vec<Rational> = law.iter().map(|[_, q]| q.clone()).collect();
        let found = LossDistribution::of_masses(&first, &second, BITS)?;
        cases.push((format!("{first:?}"), enclosed(law), found));
    }
    for answers in [2u32, 5] {
        let epsilon = ratio(1, 2);
        let weight = Enclosure::exp_of(&epsilon, BITS)?;
        let total = &weight + Enclosure::integer(answers - 1, BITS);
        let truth = weight.divided_by(&total)?;
        let lie = Enclosure::integer(1, BITS).divided_by(&total)?;
        let mut outcomes = vec![[truth.clone(), lie.clone()], [lie.clone(), truth]];
        outcomes.extend((2..answers).map(|_| [lie.clone(), lie.clone()]));
        let found = mechanisms::randomised_response_among(answers.into(), &epsilon, BITS)?;
        cases.push((format!("randomised response of {answers}"), outcomes, found));
    }
    for (first, second) in [
        ([(0, 1), (1, 2), (3, 1)], [(1, 1), (0, 2), (3, 1)]),
        // The same exponents on either side: the irrational part of the loss is 0.
        ([(0, 1), (1, 1), (2, 3)], [(1, 1), (0, 1), (2, 3)]),
    ] {
        let [first, second] = [scores(&first)?, scores(&second)?];
        let mut outcomes = Vec::new();
        for class in 0..first.classes().len() {
            outcomes.push([first.pmf(&class, BITS)?, second.pmf(&class, BITS)?]);
        }
        let found = mechanisms::exponential_mechanism(&first, &second, BITS)?;
        cases.push((first.label(), outcomes, found));
    }
    for (name, outcomes, found) in &cases {
        let (back, reversed) = (exchanged(outcomes), found.reversed()?);
        for times in 1..=longest {
            for (outcomes, found) in [(outcomes, found), (&back, &reversed)] {
                let composed = found.times(times)?;
                for epsilon in &epsilons {
                    let direct = over_sequences(&vec![&outcomes[..]; times as usize], epsilon)?;
                    let delta = composed.delta(epsilon)?;
                    check.holds(
                        agree(&delta, &direct),
                        format_args!(
                            "{name}, {times} times, epsilon {epsilon}: {delta}, enumerated {direct}"
                        ),
                    );
                }
            }
        }
    }
    // 2. Different mechanisms, one after the other.
    for pair in cases.windows(2) {
        let [(name, outcomes, found), (other_name, others, other)] = pair else {
            continue;
        };
        let composed = found.with(other)?.with(found)?;
        for epsilon in &epsilons {
            let direct = over_sequences(&[outcomes, others, outcomes], epsilon)?;
            let delta = composed.delta(epsilon)?;
            check.holds(
                agree(&delta, &direct),
                format_args!(
                    "{name} with {other_name}, epsilon {epsilon}: {delta}, enumerated {direct}"
                ),
            );
        }
    }
    // 3. Another road to the composition of the worst mechanism with a budget: Kairouz, Oh and Viswanath's sum.
    for (epsilon, delta, times) in [
        (r(1, 10), r(0, 1), 1000),
        (r(1, 2), r(1, 1000), 20),
        (r(1, 100), r(1, 1 << 20), 200),
    ] {
        let step = budgets::approximate(epsilon, delta)?;
        let composed = mechanisms::worst_of(&step, BITS)?.times(times)?;
        for epsilon in [ratio(0, 1), ratio(1, 2), ratio(3, 1), ratio(16, 1)] {
            let formula = composition::optimal_delta(&step, times, &epsilon, BITS)?;
            let found = composed.delta(&epsilon)?;
            check.holds(
                agree(&found, &formula),
                format_args!("{times} of {step}, epsilon {epsilon}: {found}, formula {formula}"),
            );
        }
    }
    // 4. Discrete noise at a shift: its own profile, and the law of <shift, noise>.
    for (scale, shift) in [(ratio(10, 1), 1), (ratio(7, 3), 4), (ratio(1, 2), -3)] {
        let law = DiscreteLaplace::new(scale)?;
        let found = mechanisms::discrete_laplace(&law, &shift.into(), BITS)?;
        for epsilon in &epsilons {
            let (delta, profile) = (
                found.delta(epsilon)?,
                law.profile(&shift.into(), epsilon, BITS)?,
            );
            check.holds(
                agree(&delta, &profile),
                format_args!(
                    "{} at {shift}, epsilon {epsilon}: {delta}, profile {profile}",
                    law.label()
                ),
            );
        }
    }
    for (variance, shift, times) in [
        (ratio(1, 1), 1, 1),
        (ratio(5, 2), 2, 3),
        (ratio(9, 1), 1, 4),
    ] {
        let law = DiscreteGaussian::new(variance.clone())?;
        let found = mechanisms::discrete_gaussian(&law, &shift.into(), BITS)?.times(times)?;
        let shifts = vec![shift; times as usize];
        let sum = discrete_gaussian::ShiftedSum::new(&variance, &shifts, BITS)?;
        for epsilon in &epsilons {
            let (delta, profile) = (found.delta(epsilon)?, sum.profile(epsilon)?);
            check.holds(
                agree(&delta, &profile),
                format_args!(
                    "{times} of {} at {shift}, epsilon {epsilon}: {delta}, sum {profile}",
                    law.label()
                ),
            );
        }
    }
    not_held(check)
}

/// Outcomes that are not held: at few bits they matter where epsilon is beyond the losses that are held.
fn not_held(check: &mut Check) -> Result<(), Trouble> {
    let (variance, shift, few) = (ratio(3, 1), 2i64, 8);
    let law = DiscreteGaussian::new(variance.clone())?;
    let one = mechanisms::discrete_gaussian(&law, &shift.into(), few)?;
    // The loss at k is (shift^2 - 2 k shift) / (2 variance): which k are held, and the probability of the others.
    let exact = one.losses().filter_map(|(loss, _)| match loss {
        Loss::Exact(loss) => Some(loss),
        _ => None,
    });
    let place = |loss: &Rational| {
        (integer(shift) - loss * &variance * integer(2) / integer(shift)) / integer(2)
    };
    let held: Vec<BigInt> = exact.map(|loss| place(&loss).to_integer()).collect();
    let (Some(least), Some(most)) = (held.iter().min(), held.iter().max()) else {
        check.holds(false, "no loss is held");
        return Ok(());
    };
    let missing = law.cdf(&(least - 1), BITS)? + law.upper_tail(&(most + 1), BITS)?;
    let largest = (integer(shift) - Rational::from_integer(least.clone()) * integer(2))
        * integer(shift)
        / (&variance * integer(2));
    let odds = ratio(1, 3);
    let response = mechanisms::randomised_response(&odds, few)?;
    let truth = mechanisms::randomised_response(&odds, BITS)?;
    let three = discrete_gaussian::ShiftedSum::new(&variance, &[shift; 3], BITS)?;
    type Profile<'a> = Box<dyn Fn(&Rational) -> Result<Enclosure, Trouble> + 'a>;
    let alone: Profile = Box::new(|at| Ok(law.profile(&shift.into(), at, BITS)?));
    let composed: Profile = Box::new(|at| Ok(three.profile(at)?));
    // Given the answer of the randomised response, the loss is shifted by that of the answer.
    let mixed: Profile = Box::new(|at| {
        let mut sum = zero();
        for (loss, mass) in truth.losses() {
            if let Loss::Exact(loss) = loss {
                sum = sum + mass * law.profile(&shift.into(), &(at - loss), BITS)?;
            }
        }
        Ok(sum)
    });
    for (name, found, times, beyond, profile) in [
        ("alone", one.clone(), 1u32, largest.clone(), &alone),
        (
            "three times",
            one.times(3)?,
            3,
            &largest * integer(3),
            &composed,
        ),
        (
            "with another",
            one.with(&response)?,
            1,
            &largest + &odds,
            &mixed,
        ),
        (
            "of another",
            response.with(&one)?,
            1,
            &largest + &odds,
            &mixed,
        ),
    ] {
        // At least one of `times` draws is not held.
        let bound = missing.complement().power(times.into()).complement();
        check.holds(
            found.tail().hi() >= bound.lo(),
            format_args!("{name}: {} of {bound} that are not held", found.tail()),
        );
        for epsilon in [
            &beyond - ratio(1, 100),
            &beyond + ratio(1, 100),
            &beyond + integer(2),
        ] {
            let (delta, profile) = (found.delta(&epsilon)?, profile(&epsilon)?);
            // The profile of a sum is known to so many bits after the point, the others to so many digits.
            check.holds(
                (profile.lo().is_positive() || times > 1)
                    && delta.lo() <= profile.lo()
                    && profile.hi() <= delta.hi(),
                format_args!("{name}, at few bits, epsilon {epsilon}: {delta}, profile {profile}"),
            );
        }
    }
    Ok(())
}

/// The profile of continuous Laplace noise at a distance in scales, as the masses of the half-line where the loss is above epsilon: below
/// `(distance - epsilon)/2`, which is right of the first middle and left of the second.
fn continuous_laplace(distance: &Rational, epsilon: &Rational) -> Result<Enclosure, Trouble> {
    let bits = 2 * BITS;
    let edge = (distance - epsilon) / integer(2);
    if edge <= Rational::zero() {
        return Ok(Enclosure::integer(0, bits));
    }
    let on_first = Enclosure::exp_of(&-&edge, bits)?.shifted(-1).complement();
    let on_second = Enclosure::exp_of(&(edge - distance), bits)?.shifted(-1);
    Ok(on_first - Enclosure::exp_of(epsilon, bits)? * on_second)
}

/// `privacy.least-epsilon`
pub(super) fn least_epsilon(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "randomised response composed 1 to 300 times, discrete Laplace and Gaussian noise, continuous Laplace and Gaussian noise: the profile, \
         by its closed form at twice the bits, 2^-120 below and above the epsilon found; delta at and beside kinks, 0, equal to what \
         is alone, and where nothing is enough; a Laplace threshold at delta 0",
    );
    // The closed forms see so far beside an epsilon: the profile falls by 2^-60 of that at least.
    const MORE_BITS: u32 = 2 * BITS;
    let unit = Dyadic::new(1, -AGREE).to_rational();
    // The epsilon found, and a closed form of the profile. Where delta is not at a kink the profile falls strictly there.
    let mut judge = |name: &str,
                     found: &LeastEpsilon,
                     delta: &Rational,
                     profile: &dyn Fn(&Rational) -> Result<Enclosure, Trouble>|
     -> Result<(), Trouble> {
        let LeastEpsilon::Finite(found) = found else {
            check.holds(false, format_args!("{name}, delta {delta}: infinite"));
            return Ok(());
        };
        let enough = profile(&(found.upper() + &unit))?.upper() <= *delta;
        let below = found.lower() - &unit;
        let needed = below < Rational::zero() || profile(&below)?.lower() > *delta;
        let narrow = found.upper() - found.lower() <= unit;
        check.holds(
            enough && needed && narrow,
            format_args!("{name}, delta {delta}: {found}"),
        );
        Ok(())
    };
    let deltas = [
        ratio(1, 1000),
        ratio(1, 20),
        ratio(1, 1 << 60),
        ratio(3, 10),
    ];
    for (epsilon, times) in [(ratio(1, 1), 1), (ratio(1, 4), 3), (ratio(1, 10), 300)] {
        let step = budgets::pure(epsilon.clone())?;
        let one = mechanisms::randomised_response(&epsilon, BITS)?;
        let composed = one.times(times)?;
        let formula = |at: &Rational| Ok(composition::optimal_delta(&step, times, at, MORE_BITS)?);
        let name = format!("{times} randomised responses of {epsilon}");
        for delta in &deltas {
            judge(&name, &composed.epsilon(delta)?, delta, &formula)?;
        }
        // Just beside the kinks of the profile, and nearly at them.
        for kink in 0..times.min(4) {
            let at = &epsilon * BigInt::from(times - 2 * kink.min(times / 2));
            let near = formula(&at)?.upper() + ratio(1, 1 << 40);
            judge(&name, &composed.epsilon(&near)?, &near, &formula)?;
        }
    }
    let laplace = DiscreteLaplace::new(ratio(7, 2))?;
    let gaussian = DiscreteGaussian::new(ratio(9, 2))?;
    let shift = BigInt::from(3);
    let of_laplace = mechanisms::discrete_laplace(&laplace, &shift, BITS)?;
    let of_gaussian = mechanisms::discrete_gaussian(&gaussian, &shift, BITS)?;
    let mu = ratio(4, 5);
    for delta in &deltas {
        let profile = |at: &Rational| Ok(laplace.profile(&shift, at, MORE_BITS)?);
        judge(
            "discrete Laplace",
            &of_laplace.epsilon(delta)?,
            delta,
            &profile,
        )?;
        let profile = |at: &Rational| Ok(gaussian.profile(&shift, at, MORE_BITS)?);
        judge(
            "discrete Gaussian",
            &of_gaussian.epsilon(delta)?,
            delta,
            &profile,
        )?;
        let (scale, distance) = (ratio(7, 3), ratio(5, 2));
        let profile = |at: &Rational| continuous_laplace(&(&distance / &scale), at);
        judge(
            "Laplace",
            &laplace_noise::epsilon(&scale, &distance, delta, BITS)?,
            delta,
            &profile,
        )?;
        let profile = |at: &Rational| Ok(gaussian::profile(&mu, at, MORE_BITS)?);
        judge(
            "Gaussian",
            &gaussian::epsilon(&mu, delta, BITS)?,
            delta,
            &profile,
        )?;
    }
    exact_epsilons(check, &of_laplace, &of_gaussian)
}

/// The epsilon where it is known: of budgets, of a threshold, at delta 0, and where something is alone.
fn exact_epsilons(
    check: &mut Check,
    of_laplace: &LossDistribution,
    of_gaussian: &LossDistribution,
) -> Result<(), Trouble> {
    let budget = budgets::approximate(ratio(2, 3), ratio(1, 100_000))?;
    let worst = mechanisms::worst_of(&budget, BITS)?;
    let twice_told = ratio(199_999, 10_000_000_000);
    // A threshold of 5, for 3 records over 2: noisy counts from 5 on are on the same side of both, and silence differs the least.
    let threshold = mechanisms::LaplaceThreshold::new(DiscreteLaplace::new(integer(1))?, 5.into());
    let three_records = threshold.losses(&3.into(), BITS)?;
    let noise = threshold.noise();
    let one_record = threshold.losses(&1.into(), BITS)?;
    let silence = noise
        .cdf(&2.into(), BITS)?
        .divided_by(&noise.cdf(&1.into(), BITS)?)?
        .ln()?;
    let none = Rational::zero();
    let sure = LossDistribution::of_masses(
        &[ratio(3, 4), ratio(1, 8), ratio(1, 8)],
        &[ratio(1, 4), ratio(3, 4), ratio(0, 1)],
        BITS,
    )?;
    let is = |found: LeastEpsilon, expected: Option<Rational>| match (found.finite(), expected) {
        (None, None) => true,
        (Some(found), Some(expected)) => {
            found.contains(&expected) && found.width() <= Dyadic::new(1, -AGREE)
        }
        _ => false,
    };
    for (name, right) in [
        (
            "the largest loss at delta 0",
            is(of_laplace.epsilon(&none)?, Some(ratio(6, 7))),
        ),
        (
            "the budget's epsilon at its delta",
            is(worst.epsilon(budget.delta())?, Some(ratio(2, 3))),
        ),
        (
            "twice the budget's epsilon at the delta of two",
            is(worst.times(2)?.epsilon(&twice_told)?, Some(ratio(4, 3))),
        ),
        (
            "the loss of a released count at delta 0",
            is(three_records.epsilon(&none)?, Some(integer(1))),
        ),
        (
            "the largest loss of 5000 answers at delta 0",
            is(
                mechanisms::randomised_response(&ratio(1, 100), BITS)?
                    .times(5000)?
                    .epsilon(&none)?,
                Some(integer(50)),
            ),
        ),
        (
            "no epsilon at delta 0 of one record over none",
            is(one_record.epsilon(&none)?, None),
        ),
        (
            "the loss of silence of no record over one at delta 0",
            one_record
                .reversed()?
                .epsilon(&none)?
                .finite()
                .is_some_and(|found| {
                    let of_one = noise.cdf(&3.into(), BITS).and_then(|silent| silent.ln());
                    of_one.is_ok_and(|loss| agree(&found, &-loss))
                }),
        ),
        (
            "the loss of silence, exchanged, at delta 0",
            three_records
                .reversed()?
                .epsilon(&none)?
                .finite()
                .is_some_and(|found| agree(&found, &silence)),
        ),
        (
            "no epsilon at delta 0 of Gaussian noise",
            is(of_gaussian.epsilon(&none)?, None),
        ),
        (
            "no epsilon below what is alone",
            is(sure.epsilon(&ratio(1, 9))?, None),
        ),
        (
            "0 at the total variation, 5/8, which no precision tells from it",
            is(sure.epsilon(&ratio(5, 8))?, Some(integer(0))),
        ),
        (
            "exactly 0 above it",
            is(sure.epsilon(&ratio(63, 100))?, Some(integer(0))),
        ),
        (
            "ln 3 where the delta is all alone",
            sure.epsilon(&ratio(1, 8))?.finite().is_some_and(|found| {
                agree(
                    &found,
                    &Enclosure::integer(3, BITS).ln().unwrap_or_else(|_| zero()),
                )
            }),
        ),
    ] {
        check.holds(right, name);
    }
    Ok(())
}

/// `privacy.laplace-threshold`
pub(super) fn laplace_threshold(check: &mut Check) -> Result<(), Trouble> {
    let instances = [
        (ratio(1, 1), 5),
        (ratio(2, 1), 12),
        (ratio(1, 2), 1),
        (ratio(1, 3), -2),
    ];
    check.certified(format_args!(
        "{} thresholds; every noisy count and the silent outcome, counts up to 6 above the threshold, both directions",
        instances.len()
    ));
    for (scale, threshold) in instances {
        let noise = DiscreteLaplace::new(scale)?;
        let mechanism = mechanisms::LaplaceThreshold::new(noise.clone(), threshold.into());
        let most = 6 + threshold.max(1);
        // Each noisy count that may be released, far enough, and the silent outcome.
        let outcomes = |count: i64| -> Result<Vec<Enclosure>, Trouble> {
            let far = 300;
            let mut released = Vec::new();
            let mut silent = zero();
            for value in most - far..most + far {
                let mass = match count {
                    0 => zero(),
                    _ => noise.pmf(&(value - count).into(), BITS)?,
                };
                if value >= threshold {
                    released.push(mass);
                } else {
                    silent = silent + mass;
                }
            }
            released.push(if count == 0 {
                Enclosure::integer(1, BITS)
            } else {
                silent
            });
            Ok(released)
        };
        let of_count = (0..=most).map(outcomes).collect::<Result<Vec<_>, _>>()?;
        // Both directions of each count and the one below it: the outcomes, and what the library says of them.
        let mut neighbours = Vec::new();
        for (count, pair) in (1..=most).zip(of_count.windows(2)) {
            let pairs = pair[1].iter().cloned().zip(pair[0].iter().cloned());
            let pairs: Vec<[Enclosure; 2]> = pairs.map(|(p, q)| [p, q]).collect();
            let losses = mechanism.losses(&count.into(), BITS)?;
            let (back, reversed) = (exchanged(&pairs), losses.reversed()?);
            neighbours.extend([(count, pairs, losses), (count, back, reversed)]);
        }
        for epsilon in [ratio(0, 1), ratio(1, 5), ratio(2, 3), ratio(4, 1)] {
            let mut worst = zero();
            for (count, pairs, losses) in &neighbours {
                let direct = over_sequences(&[pairs], &epsilon)?;
                let delta = losses.delta(&epsilon)?;
                check.holds(
                    agree(&delta, &direct),
                    format_args!("threshold {threshold}, count {count}, epsilon {epsilon}: {delta}, enumerated {direct}"),
                );
                worst = worst.max(&direct);
            }
            let whole = mechanism.delta(&epsilon, BITS)?;
            check.holds(
                agree(&whole, &worst),
                format_args!("threshold {threshold}, epsilon {epsilon}: {whole}, the worst of all counts {worst}"),
            );
        }
        let one = mechanism.delta_of_one(BITS)?;
        let released = &of_count[1];
        let sum = released[..released.len() - 1]
            .iter()
            .fold(zero(), |sum, p| sum + p);
        check.holds(
            agree(&one, &sum),
            format_args!("threshold {threshold}: {one}, summed {sum}"),
        );
    }
    Ok(())
}

/// `law.sum`
pub(super) fn sum(check: &mut Check) -> Result<(), Trouble> {
    const FAR: i64 = 260;
    let instances = [
        ("discrete-laplace scale=1", "discrete-laplace scale=5/2"),
        ("discrete-laplace scale=2", "discrete-laplace scale=2"),
        (
            "discrete-laplace scale=2",
            "discrete-laplace scale=2000000001/1000000000",
        ),
        ("discrete-laplace scale=1/3", "discrete-laplace scale=1/40"),
        ("geometric rate=1/2", "geometric rate=3/2"),
        ("geometric rate=2/3", "geometric rate=2/3"),
        ("discrete-gaussian variance=4", "discrete-laplace scale=3/2"),
        (
            "discrete-gaussian variance=9/2",
            "discrete-gaussian variance=1/2",
        ),
        ("geometric rate=1", "discrete-gaussian variance=3"),
        ("discrete-laplace scale=1", "geometric rate=1/2"),
    ];
    check.certified(format_args!(
        "{} pairs of laws, in closed form and by convolution: k from -12 to 20, against all terms within {FAR}; the cumulated \
         probabilities and the variance against sums of them; profiles at shifts 1 and 3 against all gains",
        instances.len()
    ));
    let fold = |terms: &[Enclosure]| terms.iter().fold(zero(), |sum, term| sum + term);
    for (first, second) in instances {
        let (first, second): (NamedLaw, NamedLaw) = (first.parse()?, second.parse()?);
        let law = SumOfLaws::new(first.clone(), second.clone());
        let masses = |law: &NamedLaw| -> Result<Vec<Enclosure>, Trouble> {
            (-FAR..=FAR)
                .map(|k| Ok(law.pmf(&k.into(), BITS)?))
                .collect()
        };
        let (of_first, of_second) = (masses(&first)?, masses(&second)?);
        // All pairs within the reach. What is left out is below e^-100 < 2^-140 for these laws, and may be there.
        let left_out = Dyadic::new(1, -140);
        let direct = |k: i64| {
            let mut sum = zero();
            for j in (-FAR).max(k - FAR)..=FAR.min(k + FAR) {
                let (p, q) = (
                    &of_first[(j + FAR) as usize],
                    &of_second[(k - j + FAR) as usize],
                );
                if p.hi().is_positive() && q.hi().is_positive() {
                    sum = sum + p * q;
                }
            }
            sum.widened(&left_out)
        };
        let table: Vec<Enclosure> = (-FAR..=FAR).map(direct).collect();
        let at = |k: i64| &table[(k + FAR) as usize];
        for k in (-12..=20i64).step_by(if check.quick() { 4 } else { 1 }) {
            let place = (k + FAR) as usize;
            for (name, found, expected) in [
                ("pmf", law.pmf(&k.into(), BITS)?, at(k).clone()),
                ("cdf", law.cdf(&k.into(), BITS)?, fold(&table[..=place])),
                (
                    "upper tail",
                    law.upper_tail(&k.into(), BITS)?,
                    fold(&table[place..]),
                ),
            ] {
                check.holds(
                    agree(&found, &expected),
                    format_args!("{law}, {name} at {k}: {found}, summed {expected}"),
                );
            }
        }
        let squares = |power: u32| {
            let terms =
                (-FAR..=FAR).map(|k| at(k) * Enclosure::integer(BigInt::from(k).pow(power), BITS));
            terms.fold(zero(), |sum, term| sum + term)
        };
        let (mean, variance) = (squares(1), squares(2) - squares(1).squared());
        for (name, found, expected) in [
            ("mean", law.mean(BITS)?, mean),
            ("variance", law.variance(BITS)?, variance),
        ] {
            check.holds(
                (&found - &expected).abs().upper() < Dyadic::new(1, -100).to_rational(),
                format_args!("{law}, {name}: {found}, summed {expected}"),
            );
        }
        for (shift, epsilon) in [
            (1i64, ratio(0, 1)),
            (1, ratio(1, 5)),
            (3, ratio(1, 2)),
            (3, ratio(1, 1)),
            (-3, ratio(6, 5)),
        ] {
            let Some(found) = law.profile(&shift.into(), &epsilon, BITS) else {
                check.holds(!law.is_symmetric(), format_args!("{law} has no profile"));
                continue;
            };
            let (found, factor) = (found?, Enclosure::exp_of(&epsilon, BITS)?);
            let gains =
                (-FAR + 4..=FAR - 4).map(|k| (at(k - shift) - &factor * at(k)).max(&zero()));
            let expected = gains.fold(zero(), |sum, gain| sum + gain);
            check.holds(
                agree(&found, &expected),
                format_args!("{law} at {shift}, epsilon {epsilon}: {found}, all gains {expected}"),
            );
        }
    }
    Ok(())
}
