//! Section 5 and Appendix C: Theorem 12, Claim 12.1 and Lemma 16.

use super::band::band;
use super::bisector::{Code, bisector, bisector_bound};
use super::{BITS, of};
use crate::claim::{Check, Trouble};
use dp_assay::halfspaces::bounds::lower_bound::{
    Packing, band_bound, disagreement, gilbert_varshamov, lower_bound, nearest_repair,
    records_needed, records_needed_best,
};
use dp_assay::halfspaces::bounds::{Goal, Net, pure};
use dp_assay::number::rational::{integer, ratio, to_scientific_below};
use dp_assay::number::{Enclosure, NumberError, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// The square of the margin at which the paper's dimension is `d`: `1/(1000 d)`.
fn gamma_squared(dimension: u64) -> Rational {
    Rational::new(1.into(), BigInt::from(1000 * dimension))
}

/// The packing of Theorem 12 by formulas of its own: the angle, the band, the entropy.
struct SecondPath {
    both_errors: Enclosure,
    rate: Enclosure,
}

impl SecondPath {
    /// At distance `fraction d` and `d gamma^2 = c`.
    fn new(fraction: &Rational, c: &Rational) -> Result<Self, NumberError> {
        // theta = 2 arctan sqrt(f/(1-f)), since sin^2(theta/2) = f.
        let tangent = of(&(fraction / (integer(1) - fraction))).sqrt()?;
        let pi = Enclosure::pi(BITS);
        let apart = tangent.atan().shifted(1).divided_by(&pi)?;
        let band = of(&(c * integer(2))).divided_by(&pi)?.sqrt()?;
        let one = of(&integer(1));
        // 1 - (1 - theta/pi)/(1 - p) = (theta/pi - p)/(1 - p)
        let both_errors = &one - (&one - apart).divided_by(&(&one - band))?;
        // ln 2 - H = ln 2 + f ln f + (1-f) ln(1-f) = ln(2 (1-f)) + f ln(f/(1-f))
        let odds = fraction / (integer(1) - fraction);
        let rate =
            of(&(integer(2) * (integer(1) - fraction))).ln()? + of(fraction) * of(&odds).ln()?;
        Ok(Self { both_errors, rate })
    }
}

/// The library's packing agrees with the second path, and two errors are above 1/5.
fn no_classifier_for_two(
    check: &mut Check,
    found: &Packing,
    fraction: &Rational,
    c: &Rational,
) -> Result<(), Trouble> {
    let second = SecondPath::new(fraction, c)?;
    let instance = format!("distance {fraction} d, d gamma^2 = {c}");
    check.holds(found.both_errors.meets(&second.both_errors), &instance);
    check.holds(found.rate.meets(&second.rate), &instance);
    check.holds(found.slope.meets(&(of(c) * &second.rate)), &instance);
    check.holds(
        second.both_errors.is_above_rational(&ratio(1, 5)),
        &instance,
    );
    check.figure("theta/pi, at least", &found.disagreement);
    check.figure("mass of the band, at most", &found.band);
    check.figure("sum of the two errors, at least", &found.both_errors);
    check.figure("slope of n epsilon in 1/gamma^2", &found.slope);
    check.figure("offset", &found.offset);
    Ok(())
}

/// `nuz20.thm12`: the order that is printed, with a constant, from the inequality of `nuz20.thm12.corrected` by a formula of
/// the check's own.
pub(super) fn theorem_12(check: &mut Check) -> Result<(), Trouble> {
    let most: u64 = if check.quick() { 100 } else { 1000 };
    check.certified(format_args!(
        "N = 1..{most}: half of what n epsilon is at least, for every gamma with floor(1/gamma^2) = N, beside 1/8 of N + 1 > 1/gamma^2"
    ));
    // (1 + e^-epsilon)/2 >= e^(-epsilon/2), so that n epsilon/2 >= N ln 2 - N H(1/10) + ln(9/10).
    let tenth = ratio(1, 10);
    let mut least = integer(1);
    for points in 1..=most {
        let all = Enclosure::ln_two(BITS) * of(&integer(points));
        let needed = all - log_labellings(points, &tenth)? + of(&ratio(9, 10)).ln()?;
        let share = needed.lower() / integer(points + 1);
        check.holds(share >= ratio(1, 8), format_args!("N = {points}: {needed}"));
        least = least.min(share);
    }
    // From N to N + 1 it grows by ln 2 - H(1/10), which is more than 1/8: so for all N.
    let each = Enclosure::ln_two(BITS) - log_labellings(1, &tenth)?;
    check.holds(each.is_above_rational(&ratio(1, 8)), "from N to N + 1");
    check.figure(
        "least n epsilon gamma^2",
        to_scientific_below(&(least * integer(2)), 4),
    );
    Ok(())
}

/// `nuz20.thm12.packing`.
pub(super) fn theorem_12_by_packing(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the inequalities of the repaired proof, at distance d/4 and d gamma^2 <= 1/1000: they hold for all d at once");
    let (fraction, c) = (ratio(1, 4), ratio(1, 1000));
    let found = nearest_repair()?;
    no_classifier_for_two(check, &found, &fraction, &c)?;
    check.attained(
        "slope that the page states",
        &ratio(1308, 10_000_000),
        &found.slope.lower(),
    );
    check.attained(
        "offset that the page states",
        &ratio(1373, 1000),
        &found.offset.lower(),
    );
    let most: u64 = if check.quick() { 100 } else { 600 };
    check.exact(format_args!(
        "greedy codes with exact binomials, d = 1..{most}"
    ));
    let rate = SecondPath::new(&fraction, &c)?.rate;
    let mut row = vec![BigUint::one()];
    for d in 1..=most {
        let distance = d.div_ceil(4);
        let words = gilbert_varshamov(d, distance);
        // Every word forbids a ball of the words nearer than the distance; C(d, i) by Pascal's rule.
        row = next_row(&row);
        let ball: BigUint = row.iter().take(distance as usize).sum();
        let instance = format!("d = {d}: {words} words");
        check.holds((&words - 1u32) * &ball < BigUint::one() << d, &instance);
        check.holds(&words * &ball >= BigUint::one() << d, &instance);
        check.holds(words >= BigUint::from(2u32), &instance);
        let log = Enclosure::integer(words, BITS).ln()?;
        check.holds((&rate * of(&integer(d))).is_below(&log), &instance);
    }
    Ok(())
}

/// `nuz20.code`.
pub(super) fn words_of_the_code(check: &mut Check) -> Result<(), Trouble> {
    let most: u64 = if check.quick() { 100 } else { 600 };
    check.exact(format_args!(
        "d = 1..{most}: 2^floor(d/20) balls of the words nearer than d/10, beside all 2^d words; 1 - 2/10 beside 4/5"
    ));
    let mut row = vec![BigUint::one()];
    for d in 1..=most {
        row = next_row(&row);
        let ball: BigUint = row.iter().take(d.div_ceil(10) as usize).sum();
        check.holds(
            ball << (d / 20) <= BigUint::one() << d,
            format_args!("d = {d}"),
        );
    }
    let product = integer(1) - integer(2) * ratio(1, 10);
    check.holds(product == ratio(4, 5), "the product at distance d/10");
    Ok(())
}

/// The next row of Pascal's triangle.
fn next_row(row: &[BigUint]) -> Vec<BigUint> {
    let inner = row.windows(2).map(|pair| &pair[0] + &pair[1]);
    let ends = || std::iter::once(BigUint::one());
    ends().chain(inner).chain(ends()).collect()
}

/// `N (tau ln((1-tau)/tau) - ln(1-tau))`, which is `N H(tau)`: the logarithm of the labellings for which one
/// classifier has error tau, at most.
fn log_labellings(points: u64, tau: &Rational) -> Result<Enclosure, NumberError> {
    let rest = integer(1) - tau;
    let each = of(&(&rest / tau)).ln()? * of(tau) - of(&rest).ln()?;
    Ok(each * of(&integer(points)))
}

/// No classifier, randomised or not, has error tau or less for more than `e^(N H(tau))` of the labellings of
/// `N` points: balls with exact binomials, and all classifiers that say +1 with probabilities in quarters.
fn labellings_of_one_classifier(check: &mut Check, taus: &[Rational]) -> Result<(), Trouble> {
    let most: u64 = if check.quick() { 40 } else { 120 };
    check.certified(format_args!(
        "labellings of N = 1..{most} points for which one classifier has error tau, tau in {}",
        taus.iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    ));
    let mut row = vec![BigUint::one()];
    for points in 1..=most {
        row = next_row(&row);
        for tau in taus {
            let radius = (tau * integer(points)).to_integer();
            let near: BigUint = row.iter().take(usize::try_from(radius)? + 1).sum();
            let found = Enclosure::integer(near, BITS).ln()?;
            let bound = log_labellings(points, tau)?;
            check.holds(
                found.upper() <= bound.lower(),
                format_args!("N = {points}, tau = {tau}"),
            );
            if points == most {
                let name = format!("ln of the labellings near one, N = {points}, tau = {tau}");
                check.attained(name, &found.upper(), &bound.lower());
            }
        }
    }
    check.certified("the same for randomised classifiers: up to 5 points, each labelled +1 with a probability in {0, 1/4, ..., 1}");
    for points in 1..=5u32 {
        for code in 0..5u64.pow(points) {
            // Of label +1 a point has error 4 - q quarters, of label -1 q quarters.
            let quarters: Vec<u64> = (0..points).map(|i| code / 5u64.pow(i) % 5).collect();
            for tau in taus {
                let allowed = u64::try_from((tau * integer(4 * points)).to_integer())?;
                let near = (0..1u32 << points).filter(|labels| {
                    let wrong =
                        |(i, q): (usize, &u64)| if labels >> i & 1 == 1 { 4 - q } else { *q };
                    let error: u64 = quarters.iter().enumerate().map(wrong).sum();
                    error <= allowed
                });
                let near = Enclosure::integer(near.count(), BITS);
                let bound = log_labellings(u64::from(points), tau)?.exp()?;
                check.holds(
                    near.upper() <= bound.upper(),
                    format_args!("{quarters:?} quarters, tau = {tau}"),
                );
            }
        }
    }
    Ok(())
}

/// `E e^(-epsilon (records labelled otherwise))` for `n` records that are labelled by coins. By going through all
/// labels, with `e^epsilon = odds`.
fn by_all_labels(n: u32, odds: &Rational) -> Rational {
    let each = |labels: u32| odds.pow(-(labels.count_ones() as i32));
    let sum: Rational = (0..1u32 << n).map(each).sum();
    sum / integer(1u32 << n)
}

/// The expectation of `c^-k` over all places of `n` records, with `k` of them light, each with probability `share`;
/// `c^k` by all labels of these.
fn by_all_places(n: u32, share: &Rational, odds: &Rational) -> Rational {
    let mut sum = Rational::zero();
    for places in 0..1u32 << n {
        let light = places.count_ones();
        let probability = share.pow(light as i32) * (integer(1) - share).pow((n - light) as i32);
        sum += probability / by_all_labels(light, odds);
    }
    sum
}

/// That `n` records are enough for the inequality of labellings, by a formula of the check's own:
/// `N ln 2 + ln(1-beta) <= N H(tau) + n ln((1 - alpha/tau) + (alpha/tau) 2 e^epsilon/(e^epsilon + 1))`.
fn labellings_allow(
    goal: (&Rational, &Rational, &Rational),
    (points, tau): (u64, &Rational),
    n: &Rational,
) -> Result<Enclosure, NumberError> {
    let (alpha, beta, epsilon) = goal;
    let share = alpha / tau;
    let odds = Enclosure::exp_of(epsilon, BITS)?;
    let kept = odds.divided_by(&(&odds + of(&integer(1))))?;
    let each = of(&(integer(1) - &share)) + kept * of(&(share * integer(2)));
    let right = log_labellings(points, tau)? + each.ln()? * of(n);
    Ok(right - Enclosure::ln_two(BITS) * of(&integer(points)) - of(&(integer(1) - beta)).ln()?)
}

/// One record at one light point of mass `share`, or at a heavy one: a classifier says the light point's label by a coin
/// if the record is the heavy one, and by randomised response if it is the light one. What it succeeds with is what the
/// bound allows, for `n = N = 1`; only success on the distributions of the proof is asked for there.
fn one_light_point(check: &mut Check) -> Result<(), Trouble> {
    check.exact("one light point and one record, e^epsilon in {3/2, 5}, light with probability 1/15, 1/2, 1: randomised response on the light record and a coin on the heavy one");
    for share in [ratio(1, 15), ratio(1, 2), integer(1)] {
        for odds in [ratio(3, 2), integer(5)] {
            let instance = format!("light {share}, e^epsilon = {odds}");
            let [heavy, minus, plus] = guess(&odds);
            for (one, other) in [(&heavy, &minus), (&heavy, &plus), (&minus, &plus)] {
                for (p, q) in [(one, other), (other, one)] {
                    let not = |p: &Rational| integer(1) - p;
                    check.holds(*p <= q * &odds, format_args!("{instance}: the label +"));
                    check.holds(
                        not(p) <= not(q) * &odds,
                        format_args!("{instance}: the label -"),
                    );
                }
            }
            let by_coin = (integer(1) - &share) * &heavy;
            let success = &by_coin + &share * &plus;
            let other = by_coin + &share * (integer(1) - minus);
            check.holds(
                success == other,
                format_args!("{instance}: both labels alike"),
            );
            check.attained(
                format_args!("2 (1 - beta), {instance}"),
                &(success * integer(2)),
                &by_all_places(1, &share, &odds),
            );
        }
    }
    // An expectation of each factor, where that of the product is meant: more light records make success likelier.
    let (share, odds, tau) = (ratio(1, 2), integer(5), ratio(1, 100));
    let [heavy, minus, plus] = guess(&odds);
    let of_light = &plus + integer(1) - minus;
    let of_heavy = &heavy + (integer(1) - &heavy);
    let each = by_all_labels(1, &odds);
    let kept = (integer(1) - &share) + &share * &each;
    let both = (integer(1) - &share) * &of_heavy + &share * &of_light;
    let product = (integer(1) - &share) * of_heavy + &share * each * of_light;
    check.holds(
        &kept * &both > product,
        "E[c^k] E[X] is above E[c^k X] at light 1/2, e^epsilon = 5",
    );
    check.figure("E[c^k] E[X], light 1/2, e^epsilon = 5", &kept * &both);
    check.figure("E[c^k X]", product);
    let first = -of(&kept).ln()?;
    let right = of(&both).ln()? - log_labellings(1, &tau)?;
    check.holds(
        first.is_below(&right),
        "the left side of the first derivation is below the right side, tau = 1/100",
    );
    check.figure("-ln E[c^k]", first);
    check.figure("ln 2 - H(1/100) + ln(1-beta)", right);
    // gamma = 7/10 is one light point beside the heavy one, and e^(161/100) is above 5.
    let epsilon = ratio(161, 100);
    check.holds(
        Enclosure::exp_of(&epsilon, BITS)?.is_above_rational(&odds),
        "e^(161/100) > 5",
    );
    let goal = Goal::new(
        share * &tau,
        integer(1) - both / integer(2),
        ratio(7, 10),
        epsilon,
    )?;
    let needed = records_needed(&goal, &tau)?;
    let shown = to_scientific_below(&needed, 5);
    check.holds(
        needed <= integer(1),
        format_args!("one record is enough, and the bound asks for {shown}"),
    );
    check.figure(
        "records that the bound asks for, where one is enough",
        shown,
    );
    Ok(())
}

/// The probabilities of the label + of the heavy record, and of the light one with label - and +.
fn guess(odds: &Rational) -> [Rational; 3] {
    let kept = odds / (odds + integer(1));
    [ratio(1, 2), integer(1) - &kept, kept]
}

/// `nuz20.thm12.corrected`.
pub(super) fn theorem_12_corrected(check: &mut Check) -> Result<(), Trouble> {
    let tenth = ratio(1, 10);
    labellings_of_one_classifier(check, &[tenth.clone(), ratio(1, 4), ratio(2, 5)])?;
    check.exact(
        "E e^(-epsilon distance) over all labels of n = 1..8 records, e^epsilon in {3/2, 5, 100}",
    );
    for n in 1..=8u32 {
        for odds in [ratio(3, 2), integer(5), integer(100)] {
            let each = (integer(1) + odds.recip()) / integer(2);
            check.holds(
                by_all_labels(n, &odds) == each.pow(n as i32),
                format_args!("n = {n}, e^epsilon = {odds}"),
            );
        }
    }
    check.certified("the n that the library returns, and one record fewer: epsilon in {1/100, 1/10, 1, 10, 1000}, gamma in {1/100, 1/10, 1/4, 1}");
    for epsilon in [
        ratio(1, 100),
        tenth.clone(),
        integer(1),
        integer(10),
        integer(1000),
    ] {
        for (denominator, points) in [(100, 10_000u64), (10, 100), (4, 16), (1, 1)] {
            let found = lower_bound(&epsilon, &ratio(1, denominator))?;
            let instance = format!("epsilon = {epsilon}, gamma = 1/{denominator}");
            check.holds(found.points == BigInt::from(points), &instance);
            let enough = |n: &BigInt| -> Result<bool, Trouble> {
                let goal = (&tenth, &tenth, &epsilon);
                let spare = labellings_allow(goal, (points, &tenth), &integer(n.clone()))?;
                // e^(floor(n/2) epsilon) + e^(ceil(n/2) epsilon) >= 10
                let half: BigInt = n / 2;
                let power = |j: BigInt| {
                    Enclosure::exp_of(&(integer(j).min(integer(100) / &epsilon) * &epsilon), BITS)
                };
                let two = power(half.clone())? + power(n - half)?;
                Ok(!spare.hi().is_negative() && two.upper() >= integer(10))
            };
            check.holds(
                enough(&found.records)?,
                format_args!("{instance}: n = {}", found.records),
            );
            check.holds(
                !enough(&(&found.records - 1))?,
                format_args!("{instance}: {} records are too few", &found.records - 1),
            );
            check.figure(
                format_args!("records at {instance}, at least"),
                &found.records,
            );
        }
    }
    check.exact("two labellings: the mechanism that says + with probability 1/10, 1/2, 9/10 of 0, 1, 2 records that say so, at e^epsilon = 5");
    let (odds, law) = (integer(5), [ratio(1, 10), ratio(1, 2), ratio(9, 10)]);
    for pair in law.windows(2) {
        let (less, more) = (&pair[0], &pair[1]);
        let (not_less, not_more) = (integer(1) - less, integer(1) - more);
        check.holds(*more <= less * &odds, "it is private: the label +");
        check.holds(not_less <= not_more * &odds, "it is private: the label -");
    }
    // e^(1 epsilon) + e^(1 epsilon) = 10: no more is asked for than it has.
    check.attained(
        "e^(floor(n/2) epsilon) + e^(ceil(n/2) epsilon) at n = 2",
        &integer(10),
        &(&odds + &odds),
    );
    Ok(())
}

/// `nuz20.thm12.alpha`.
pub(super) fn theorem_12_with_alpha(check: &mut Check) -> Result<(), Trouble> {
    labellings_of_one_classifier(check, &[ratio(3, 20), ratio(1, 4)])?;
    check.exact("E c^-k over all places of n = 1..6 records, k of them light with probability 1/15, 1/2 and 1, c^k by all their labels, e^epsilon in {3/2, 5}");
    for n in 1..=6u32 {
        for share in [ratio(1, 15), ratio(1, 2), integer(1)] {
            for odds in [ratio(3, 2), integer(5)] {
                let told = (&odds - integer(1)) / (&odds + integer(1));
                let each = integer(1) + &share * told;
                check.holds(
                    by_all_places(n, &share, &odds) == each.pow(n as i32),
                    format_args!("n = {n}, light {share}, e^epsilon = {odds}"),
                );
            }
        }
    }
    one_light_point(check)?;
    check.certified("4/25 (ln 2 - H(4/25))");
    let slope = (Enclosure::ln_two(BITS) - log_labellings(1, &ratio(4, 25))?) * of(&ratio(4, 25));
    check.attained(
        "slope that the page states",
        &ratio(405, 10_000),
        &slope.lower(),
    );
    check.certified("the n that the library returns, and the upper bound of nuz20.thm11.corrected (b): 7 goals (alpha, gamma, epsilon), beta = 1/10");
    let beta = ratio(1, 10);
    for (alpha, gamma, epsilon) in [
        (ratio(1, 10), ratio(1, 4), integer(1)),
        (ratio(1, 10), ratio(1, 10), integer(1)),
        (ratio(1, 10), ratio(1, 100), integer(1)),
        (ratio(1, 10), ratio(1, 10), ratio(1, 100)),
        (ratio(1, 10), ratio(1, 10), integer(100)),
        (ratio(1, 1000), ratio(1, 10), integer(1)),
        (ratio(1, 1_000_000), ratio(1, 10), integer(1)),
    ] {
        let goal = Goal::new(alpha.clone(), beta.clone(), gamma.clone(), epsilon.clone())?;
        let instance = format!("alpha = {alpha}, gamma = {gamma}, epsilon = {epsilon}");
        let (tau, lower) = records_needed_best(&goal)?;
        let heavy = u64::from(tau != alpha);
        let points = u64::try_from(gamma.pow(-2).to_integer())? - heavy;
        let spare = |n: &Rational| labellings_allow((&alpha, &beta, &epsilon), (points, &tau), n);
        // The inequality is tight at the real number n that the library returns, rounded down.
        check.holds(
            spare(&(&lower * ratio(1_000_001, 1_000_000)))?
                .lo()
                .is_positive(),
            &instance,
        );
        check.holds(
            spare(&(&lower * ratio(999_999, 1_000_000)))?
                .hi()
                .is_negative(),
            &instance,
        );
        check.holds(lower >= records_needed(&goal, &ratio(1, 4))?, &instance);
        let upper = pure::counted(&goal, &ratio(3, 4), Net::Volume)?;
        let n = integer(BigInt::from(upper.records.clone()));
        let between = &n / &lower;
        // Their ratio grows with the logarithms of the projection and of the net, and with nothing else.
        let log =
            of(&(integer(4) * &n / &beta)).ln()? * (of(&gamma.recip()).ln()? + of(&integer(2)));
        let left = of(&between).divided_by(&log)?;
        check.holds(
            left.is_below_rational(&integer(500)) && left.is_above_rational(&integer(200)),
            format_args!("{instance}: {left}"),
        );
        check.figure(
            format_args!("{instance}: records, at least (best tau), at most, and their ratio"),
            format_args!(
                "{} ({tau}), {}, {}",
                to_scientific_below(&lower, 5),
                upper.records,
                to_scientific_below(&between, 4)
            ),
        );
        check.figure(
            format_args!("{instance}: ratio over ln(4n/beta) (2 + ln(1/gamma))"),
            left,
        );
    }
    Ok(())
}

/// `nuz20.claim12.1`.
pub(super) fn claim_12_1(check: &mut Check) -> Result<(), Trouble> {
    let dimensions: &[u64] = if check.quick() {
        &[20, 40]
    } else {
        &[20, 40, 60, 100, 200]
    };
    const COUNTEREXAMPLE: &str =
        "two words at Hamming distance d/10 and the bisector w + w' of their halfspaces";
    let tenth = ratio(1, 10);
    check.certified(format_args!(
        "the bisector's error, d in {dimensions:?} in closed form, and every d >= 20 that 10 divides by a bound"
    ));
    for &d in dimensions {
        let found = bisector(d, d / 10, &gamma_squared(d))?;
        check.refutes(found.error.is_below_rational(&tenth), COUNTEREXAMPLE);
        // The band, by a series that the bisector does not use.
        let mass = band(d, &gamma_squared(d))?;
        check.holds(found.band.meets(&mass), format_args!("the band at d = {d}"));
        check.figure(
            format_args!("error of the bisector on both distributions, d = {d}"),
            found.error,
        );
    }
    let bound = bisector_bound()?;
    check.refutes(bound.is_below_rational(&tenth), COUNTEREXAMPLE);
    check.figure("bound on it for all d >= 20", bound);
    check.exact("the codes of the proof, d = 20, 40, ..., 200: all pairs of words");
    for length in (20..=200).step_by(20) {
        let code = Code::of_the_paper(length)?;
        let instance = format!("d = {length}");
        let right = code.words.len() == 1 << (length / 20)
            && code.words.iter().all(|word| word.bits() <= length);
        check.holds(right, &instance);
        check.holds(code.minimum_distance() == Some(length / 10), &instance);
    }
    Ok(())
}

/// `nuz20.claim12.1.corrected`.
pub(super) fn claim_12_1_corrected(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the inequality at distance d/4 and d gamma^2 <= 1/1000, for all d at once");
    let found = nearest_repair()?;
    no_classifier_for_two(check, &found, &ratio(1, 4), &ratio(1, 1000))?;
    let dimensions: &[u64] = if check.quick() {
        &[20, 40]
    } else {
        &[20, 40, 60, 100, 200]
    };
    check.certified(format_args!(
        "the bound at the exact mass of the band, against the bisector, d in {dimensions:?}, distances d/4 and d/2"
    ));
    for &d in dimensions {
        for distance in [d / 4, d / 2] {
            let fraction = Rational::new(distance.into(), d.into());
            let band = band(d, &gamma_squared(d))?;
            let apart = disagreement(&fraction)?;
            let bound = (&apart - &band).divided_by(&band.complement())?;
            // The bisector's error is the same on both.
            let reached = bisector(d, distance, &gamma_squared(d))?.error.shifted(1);
            check.attained(
                format_args!("bound on the two errors, d = {d}, distance {distance}"),
                &bound.upper(),
                &reached.lower(),
            );
        }
    }
    Ok(())
}

/// `nuz20.display13`.
pub(super) fn display_13(check: &mut Check) -> Result<(), Trouble> {
    let dimensions: &[u64] = if check.quick() {
        &[20, 40]
    } else {
        &[20, 40, 60, 100, 200]
    };
    check.certified(format_args!("the bisector of two words at distance d/10, d in {dimensions:?}: its error on the sphere, against 0.1 (1-p) + p and 0.3"));
    for &d in dimensions {
        let found = bisector(d, d / 10, &gamma_squared(d))?;
        let mass = band(d, &gamma_squared(d))?;
        // Half of the angle, on the whole sphere.
        let everywhere = disagreement(&ratio(1, 10))?.shifted(-1);
        let instance = format!("d = {d}");
        check.holds(found.error.is_below_rational(&ratio(1, 10)), &instance);
        let outside = &found.error * mass.complement();
        // At least what it errs outside the band, at most that and the band.
        check.holds(!everywhere.is_below(&outside), &instance);
        check.holds(everywhere.is_below(&(outside + &mass)), &instance);
        check.holds(
            (of(&ratio(1, 10)) * mass.complement() + &mass).is_below_rational(&ratio(3, 10)),
            &instance,
        );
        check.figure(format_args!("error on the sphere, d = {d}"), everywhere);
    }
    Ok(())
}

/// `nuz20.display14`.
pub(super) fn display_14(check: &mut Check) -> Result<(), Trouble> {
    const COUNTEREXAMPLE: &str =
        "two words at Hamming distance d/10 and the bisector w + w' of their halfspaces";
    let dimensions: &[u64] = if check.quick() {
        &[20, 40]
    } else {
        &[20, 40, 60, 100, 200]
    };
    check.certified(format_args!(
        "the bisector, d in {dimensions:?}: its errors on U_j and on D_j"
    ));
    for &d in dimensions {
        let found = bisector(d, d / 10, &gamma_squared(d))?;
        let everywhere = disagreement(&ratio(1, 10))?.shifted(-1);
        check.refutes(
            everywhere.is_below_rational(&ratio(49, 100))
                && found.error.is_below_rational(&ratio(29, 100)),
            COUNTEREXAMPLE,
        );
        check.figure(
            format_args!("error on U_j, where 0.49 is claimed, and on D_j, where 0.29 is, d = {d}"),
            format_args!("{everywhere} and {}", found.error),
        );
        // The last display: err_D is the conditional error, and not that times the mass outside the band.
        let product = &found.error * band(d, &gamma_squared(d))?.complement();
        check.holds(
            product.is_below(&found.error),
            format_args!("the last display, d = {d}"),
        );
    }
    Ok(())
}

/// `nuz20.e1`.
pub(super) fn agreement(check: &mut Check) -> Result<(), Trouble> {
    check.exact("w = (1, 0), w' = (1, 1): eight sectors of 45 degrees");
    let angle = ratio(1, 4);
    let agree = Rational::one() - sectors_that_differ([1, 1]);
    check.refutes(
        agree != angle,
        "w = (1, 0), w' = (1, 1): they agree with probability 3/4, and theta/pi = 1/4",
    );
    check.figure("theta/pi", &angle);
    check.figure("Pr[the signs agree]", &agree);
    check.certified("two words at Hamming distance d/10, angle arccos(4/5)");
    let disagree = disagreement(&ratio(1, 10))?;
    let agree = disagree.complement();
    check.holds(
        agree.is_above_rational(&disagree.upper()),
        "words at distance d/10 agree more often than theta/pi",
    );
    let shown = (&agree + of(&ratio(3, 10))).complement();
    check.holds(
        shown.hi().is_negative(),
        "the printed chain then shows an error above a negative number",
    );
    check.figure("theta/pi at distance d/10", disagree);
    check.figure("Pr[the signs agree] at distance d/10", agree);
    check.figure("the printed chain then shows an error of at least", shown);
    Ok(())
}

/// How many of the eight open sectors between the multiples of 45 degrees, which are equally likely, have
/// different signs for `(1, 0)` and for `w`.
fn sectors_that_differ(w: [i64; 2]) -> Rational {
    // One point inside each.
    let sectors = [
        [2, 1],
        [1, 2],
        [-1, 2],
        [-2, 1],
        [-2, -1],
        [-1, -2],
        [1, -2],
        [2, -1],
    ];
    let differ = |x: &&[i64; 2]| (x[0] > 0) != (x[0] * w[0] + x[1] * w[1] > 0);
    Rational::new(sectors.iter().filter(differ).count().into(), 8.into())
}

/// `nuz20.e1.corrected`.
pub(super) fn disagreement_is_the_angle(check: &mut Check) -> Result<(), Trouble> {
    check.exact("theta in {0, pi/4, pi/2, 3 pi/4, pi}, by sectors of the plane");
    for (w, angle) in [
        ([1i64, 0], integer(0)),
        ([1, 1], ratio(1, 4)),
        ([0, 1], ratio(1, 2)),
        ([-1, 1], ratio(3, 4)),
        ([-1, 0], integer(1)),
    ] {
        let found = sectors_that_differ(w);
        check.holds(found == angle, format_args!("w' = {w:?}: {found}"));
    }
    check.certified("arccos(4/5)/pi, by the half angle arctan(1/3)");
    let tenth = disagreement(&ratio(1, 10))?;
    let half_angle = of(&ratio(1, 3)).atan();
    let second = half_angle.shifted(1).divided_by(&Enclosure::pi(BITS))?;
    check.holds(
        tenth.meets(&second) && tenth.has_digits(20),
        "Hamming distance d/10",
    );
    check.figure("theta/pi at Hamming distance d/10", tenth);
    Ok(())
}

/// `nuz20.lem16`.
pub(super) fn lemma_16(check: &mut Check) -> Result<(), Trouble> {
    let most = if check.quick() { 60 } else { 1000 };
    check.certified(format_args!(
        "d = 1..100 and every 30th up to {most}, by a series"
    ));
    let mut largest = Rational::zero();
    for d in (1..=100).chain((110..=most).step_by(30)) {
        let mass = band(d, &gamma_squared(d))?;
        check.holds(
            mass.is_below_rational(&ratio(1, 5)),
            format_args!("d = {d}"),
        );
        largest = largest.max(mass.upper());
    }
    let sharp = band_bound(&ratio(1, 1000))?;
    check.attained(
        "mass of the band, against sqrt(2c/pi)",
        &largest,
        &sharp.lower(),
    );
    check.holds(
        sharp.is_below_rational(&ratio(1, 5)),
        "sqrt(2c/pi) at c = 1/1000",
    );
    check.figure("sqrt(2c/pi) at c = 1/1000", sharp);
    Ok(())
}
