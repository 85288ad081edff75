//! The printed bounds, and ours in their place, written out once more from the page: at parameters that have nothing in common, each term
//! beside the library's to 20 digits.

use crate::claim::{Check, Trouble};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
use dp_assay::random_features::bounds::{
    Setting, approximation, figures, gaussian_mechanism, generalisation, gram, kernel, noise,
    ridge_sensitivity, sensitivity,
};
use dp_assay::random_features::stochastic_gradient_descent::Run;
use num_bigint::{BigInt, BigUint};

/// More bits than the library takes.
const BITS: u32 = 224;

type Found = Result<Enclosure, NumberError>;

fn of(value: &Rational) -> Enclosure {
    Enclosure::of(value, BITS)
}

fn whole(value: u64) -> Enclosure {
    Enclosure::integer(value, BITS)
}

fn over(numerator: Enclosure, denominator: &Enclosure) -> Found {
    numerator.divided_by(denominator)
}

/// What the formulas are made of.
struct Letters {
    m: Enclosure,
    n: Enclosure,
    /// `1 - 2 eta`, `1 + 2 eta`, `epsilon_p`.
    below: Enclosure,
    above: Enclosure,
    epsilon: Enclosure,
    /// `ln(1.25/delta_p)`, `ln(1/delta)`, `ln(2/delta)`.
    privacy: Enclosure,
    l: Enclosure,
    l2: Enclosure,
}

/// Settings whose numbers have no factor in common: few records and many, eta small and nearly 1/2.
fn settings() -> Vec<Setting> {
    let setting = |records, features, eta, epsilon, delta, failure| Setting {
        records,
        features,
        eta,
        epsilon,
        delta,
        failure,
    };
    vec![
        setting(
            7,
            11,
            ratio(3, 13),
            ratio(5, 17),
            ratio(1, 1009),
            ratio(1, 19),
        ),
        setting(
            1,
            3,
            ratio(1, 101),
            ratio(23, 7),
            ratio(2, 29),
            ratio(3, 31),
        ),
        setting(
            997,
            5,
            ratio(48, 97),
            ratio(7, 3),
            ratio(1, 100_003),
            ratio(1, 1_000_003),
        ),
    ]
}

const SETTINGS: &str =
    "m, N = 7, 11; 1, 3; 997, 5, with eta, epsilon, delta_p and delta that have nothing in common";

impl Letters {
    fn of(setting: &Setting) -> Result<Self, NumberError> {
        let twice = &setting.eta * integer(2);
        Ok(Self {
            m: whole(setting.records),
            n: whole(setting.features),
            below: of(&(integer(1) - &twice)),
            above: of(&(integer(1) + &twice)),
            epsilon: of(&setting.epsilon),
            privacy: of(&(ratio(5, 4) / &setting.delta)).ln()?,
            l: of(&setting.failure.recip()).ln()?,
            l2: of(&(integer(2) / &setting.failure)).ln()?,
        })
    }
}

/// `14 L/sqrt(N)`, `28 (2 m l)^(1/4) L/sqrt(N (1 - 2 eta))`, `(32 l/m)^(1/4) sqrt(L)`.
fn theorem_11(x: &Letters) -> Result<[Enclosure; 3], NumberError> {
    let fourth = |value: Enclosure| value.sqrt()?.sqrt();
    let root = (&x.n * &x.below).sqrt()?;
    Ok([
        over(whole(14) * &x.l2, &x.n.sqrt()?)?,
        over(whole(28) * fourth(whole(2) * &x.m * &x.l)? * &x.l2, &root)?,
        fourth(over(whole(32) * &x.l, &x.m)?)? * x.l2.sqrt()?,
    ])
}

/// `1 + 4 L + sqrt(2 L)` at `L = ln(2/share)`.
fn q1(share: &Rational) -> Found {
    let log = of(&(integer(2) / share)).ln()?;
    Ok(whole(1) + whole(4) * &log + (whole(2) * log).sqrt()?)
}

/// `1 + 2 l/3 + sqrt(2 l)` at `l = ln(1/share)`.
fn q2(share: &Rational) -> Found {
    let log = of(&share.recip()).ln()?;
    Ok(whole(1) + of(&ratio(2, 3)) * &log + (whole(2) * log).sqrt()?)
}

/// What is proved in its place, with all logarithms at `share`.
fn theorem_11_proved(x: &Letters, share: &Rational) -> Result<[Enclosure; 3], NumberError> {
    let (q1, q2) = (q1(share)?, q2(share)?);
    let log = of(&share.recip()).ln()?;
    let p = (over(x.above.clone(), &x.m)? + over(log, &(whole(2) * &x.m))?.sqrt()?).sqrt()?;
    let root = (&x.n * &x.below).sqrt()?;
    Ok([
        over(q1.clone(), &x.n.sqrt()?)?,
        over(&p * x.m.sqrt()? * q1, &root)?,
        p * q2.sqrt()?,
    ])
}

/// `2 ln(1.25/delta_p)/(edge epsilon^2) + 8 sqrt(2 l)/(sqrt(N) edge epsilon)`.
fn lemma_13(x: &Letters, edge: &Enclosure) -> Found {
    let leading = over(whole(2) * &x.privacy, &(edge * &x.epsilon * &x.epsilon))?;
    let rest = over(
        whole(8) * (whole(2) * &x.l).sqrt()?,
        &(x.n.sqrt()? * edge * &x.epsilon),
    )?;
    Ok(leading + rest)
}

/// `sqrt(N) (sqrt((1 + 2 eta)/m) + (2 l/m)^(1/4)) sqrt(the bound of Lemma 13)`.
fn theorem_12(x: &Letters, edge: &Enclosure) -> Found {
    let first = over(x.above.clone(), &x.m)?.sqrt()?;
    let second = over(whole(2) * &x.l, &x.m)?.sqrt()?.sqrt()?;
    Ok(x.n.sqrt()? * (first + second) * lemma_13(x, edge)?.sqrt()?)
}

/// `8 ln(1.25/delta_p)/((1 - 2 eta) epsilon^2)`.
fn mean_square(x: &Letters) -> Found {
    over(whole(8) * &x.privacy, &(&x.below * &x.epsilon * &x.epsilon))
}

/// For `lnsx25.thm11` and `lnsx25.thm11.corrected`.
pub(super) fn of_theorem_11(check: &mut Check) -> Result<(), Trouble> {
    check.certified(format_args!(
        "Theorem 11 as printed and as proved, each term evaluated again: {SETTINGS}"
    ));
    for setting in settings() {
        let x = Letters::of(&setting)?;
        let printed = generalisation::theorem_11_printed(&setting)?;
        let share = ratio(3, 37);
        let proved = generalisation::theorem_11_proved(&setting, &share)?;
        for (name, found, again) in [
            ("printed", printed, theorem_11(&x)?),
            ("proved", proved, theorem_11_proved(&x, &share)?),
        ] {
            let [a, b, c] = &again;
            let m = setting.records;
            check.evaluated_again(
                format_args!("{name}, m = {m}: approximation"),
                &found.approximation,
                a,
            );
            check.evaluated_again(format_args!("{name}, m = {m}: labels"), &found.labels, b);
            check.evaluated_again(
                format_args!("{name}, m = {m}: coefficients"),
                &found.coefficients,
                c,
            );
            check.evaluated_again(
                format_args!("{name}, m = {m}: the sum"),
                &found.sum(),
                &(a + b + c),
            );
        }
    }
    // m = 1 and 1 + 2 eta = 2, without the factors in common: what is proved at delta/2 over what is printed.
    for failure in [ratio(1, 8), ratio(3, 41)] {
        let share = &failure / integer(2);
        let (l, l2) = (of(&failure.recip()).ln()?, of(&share.recip()).ln()?);
        let p = (whole(2) + over(l2.clone(), &whole(2))?.sqrt()?).sqrt()?;
        let fourth = |value: Enclosure| value.sqrt()?.sqrt();
        let again = [
            over(q1(&share)?, &(whole(14) * &l2))?,
            over(
                &p * q1(&share)?,
                &(whole(28) * fourth(whole(2) * &l)? * &l2),
            )?,
            over(
                &p * q2(&share)?.sqrt()?,
                &(fourth(whole(32) * &l)? * l2.sqrt()?),
            )?,
        ];
        for (found, again) in generalisation::theorem_11_worst_ratios(&failure)?
            .iter()
            .zip(&again)
        {
            check.evaluated_again(format_args!("worst case, delta = {failure}"), found, again);
        }
    }
    Ok(())
}

/// For `lnsx25.thm10` and `lnsx25.thm10.corrected`.
pub(super) fn of_theorem_10(check: &mut Check) -> Result<(), Trouble> {
    check.certified(format_args!(
        "Theorem 10 as printed, with 1 - 2 eta and as proved, |f| = 0 and 5/43: {SETTINGS}"
    ));
    for setting in settings() {
        let x = Letters::of(&setting)?;
        let [a, b, c] = theorem_11(&x)?;
        let model = a + b + c;
        let once = of(&(integer(1) - &setting.eta));
        for norm in [integer(0), ratio(5, 43)] {
            let name = format!("m = {}, |f| = {norm}", setting.records);
            let part = &model * of(&norm);
            check.evaluated_again(
                format_args!("{name}: printed"),
                &generalisation::theorem_10_printed(&setting, &norm)?,
                &(&part + theorem_12(&x, &once)?),
            );
            check.evaluated_again(
                format_args!("{name}: with 1 - 2 eta"),
                &generalisation::theorem_10_corrected(&setting, &norm)?,
                &(part + theorem_12(&x, &x.below)?),
            );
            let [a, b, c] = theorem_11_proved(&x, &(&setting.failure / integer(2)))?;
            check.evaluated_again(
                format_args!("{name}: proved"),
                &generalisation::theorem_10_proved(&setting, &norm)?,
                &((a + b + c) * of(&norm) + theorem_12_proved(&x)?),
            );
        }
    }
    Ok(())
}

/// `sqrt(N sigma^2 (1 + 2 sqrt(l) + 2 l))`.
fn theorem_12_proved(x: &Letters) -> Found {
    (mean_square(x)? * (whole(1) + whole(2) * x.l.sqrt()? + whole(2) * &x.l)).sqrt()
}

/// For `lnsx25.thm12`, `lnsx25.thm12.corrected`.
pub(super) fn of_theorem_12(check: &mut Check) -> Result<(), Trouble> {
    check.certified(format_args!("Theorem 12 as printed and as proved, its worst case and its tails, evaluated again: {SETTINGS}"));
    for setting in settings() {
        let x = Letters::of(&setting)?;
        let m = setting.records;
        let printed = theorem_12(&x, &x.below)?;
        check.evaluated_again(
            format_args!("m = {m}: printed"),
            &noise::theorem_12_printed(&setting)?,
            &printed,
        );
        check.evaluated_again(
            format_args!("m = {m}: proved"),
            &noise::theorem_12_corrected(&setting)?,
            &theorem_12_proved(&x)?,
        );
        let over_mean = over(printed.squared(), &mean_square(&x)?)?;
        check.evaluated_again(
            format_args!("m = {m}: over the mean"),
            &noise::over_expected(&printed, &setting)?,
            &over_mean,
        );
        let fourth = (whole(2) * &x.l).sqrt()?.sqrt()?;
        let sum = whole(1) + whole(2) * fourth + (whole(2) * &x.l).sqrt()?;
        check.evaluated_again(
            format_args!("m = {m}: worst case"),
            &noise::theorem_12_excess(&setting.failure)?,
            &(whole(2) * &x.l2 * sum),
        );
    }
    for r in [ratio(8, 7), ratio(31, 3)] {
        let exponent = of(&((&r - integer(1)) / integer(2))) - over(of(&r).ln()?, &whole(2))?;
        check.evaluated_again(
            format_args!("more than {r}"),
            &noise::more_than(&of(&r))?,
            &(-exponent).exp()?,
        );
        let e = whole(1).exp()?;
        check.evaluated_again(
            format_args!("less than 1/{r}"),
            &noise::less_than(&of(&r.recip()))?,
            &over(e, &of(&r))?.sqrt()?,
        );
    }
    Ok(())
}

/// For `lnsx25.lemma13` and what stands in its place.
pub(super) fn of_lemma_13(check: &mut Check) -> Result<(), Trouble> {
    check.certified(format_args!("Lemma 13 as printed and as proved, the mean square, the levels of chi-square and the Gamma noise's bound, evaluated again: {SETTINGS}"));
    for setting in settings() {
        let x = Letters::of(&setting)?;
        let name = format!("m = {}, N = {}", setting.records, setting.features);
        check.evaluated_again(
            format_args!("{name}: printed"),
            &noise::lemma_13_printed(&setting)?,
            &lemma_13(&x, &x.below)?,
        );
        check.evaluated_again(
            format_args!("{name}: the mean square"),
            &noise::expected_square(&setting)?,
            &mean_square(&x)?,
        );
        let level = &x.n + whole(2) * (&x.n * &x.l).sqrt()? + whole(2) * &x.l;
        check.evaluated_again(
            format_args!("{name}: the level"),
            &noise::chi_square_level(setting.features, &setting.failure)?,
            &level,
        );
        check.evaluated_again(
            format_args!("{name}: in its place"),
            &noise::lemma_13_corrected(&setting)?,
            &over(mean_square(&x)? * level, &x.n)?,
        );
        let sub_exponential = &x.n + whole(2) * (whole(2) * &x.n * &x.l).sqrt()?;
        check.evaluated_again(
            format_args!("{name}: by a sub-exponential tail"),
            &noise::sub_exponential_level(setting.features, &setting.failure)?,
            &sub_exponential,
        );
        let outer = over(whole(2), &(&x.below * &x.epsilon * &x.epsilon))?.sqrt()?;
        let inner = x.n.sqrt()? + of(&(integer(2) / &setting.failure)).sqrt()?;
        check.evaluated_again(
            format_args!("{name}: Gamma"),
            &noise::gamma_length_printed(&setting)?,
            &(outer * inner),
        );
    }
    Ok(())
}

/// For `lnsx25.eq16` and `lnsx25.e-t`.
pub(super) fn of_equation_16(check: &mut Check) -> Result<(), Trouble> {
    check.certified(format_args!("(16): both quotients at delta = 1/2, 3/47 and 1/10007; (17): both sides; Lemmas 14 to 16's q1 and q2: {SETTINGS}"));
    for failure in [ratio(1, 2), ratio(3, 47), ratio(1, 10_007)] {
        let share = &failure / integer(4);
        let log_two = of(&(integer(2) / &failure)).ln()?;
        let again = [
            over(q1(&share)?, &(whole(14) * &log_two))?,
            over(q2(&share)?, &(whole(16) * &log_two))?.sqrt()?,
        ];
        for (found, again) in generalisation::equation_16_ratios(&failure)?
            .iter()
            .zip(&again)
        {
            check.evaluated_again(format_args!("(16) at delta = {failure}"), found, again);
        }
        check.evaluated_again(
            format_args!("q1 at {failure}"),
            &approximation::approximation(&failure)?,
            &q1(&failure)?,
        );
        check.evaluated_again(
            format_args!("q2 at {failure}"),
            &approximation::squared_norm(&failure)?,
            &q2(&failure)?,
        );
    }
    for setting in settings() {
        let x = Letters::of(&setting)?;
        let (derived, printed) = generalisation::equation_17(&setting)?;
        let first = over(&x.n * &x.above, &x.m)?;
        let second = over((whole(2) * &x.l).sqrt()? * &x.n, &x.m.sqrt()?)?;
        let labels = over(x.m.sqrt()? * whole(14) * &x.l2, &(&x.n * x.below.sqrt()?))?;
        let coefficients = whole(4) * over(x.l2.clone(), &x.n)?.sqrt()?;
        let again = (first + second).sqrt()? * (labels + coefficients);
        check.evaluated_again(
            format_args!("(17), m = {}: derived", setting.records),
            &derived,
            &again,
        );
        let [_, b, c] = theorem_11(&x)?;
        check.evaluated_again(
            format_args!("(17), m = {}: printed", setting.records),
            &printed,
            &(b + c),
        );
    }
    Ok(())
}

fn ceiling(value: &Enclosure) -> BigUint {
    value.hi().ceil().to_biguint().unwrap_or_default()
}

/// For `lnsx25.thm8` and its parts.
pub(super) fn of_theorem_8(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "the conditions of Theorem 8 with our constants, evaluated again at m = 3, 101 and 5003, eta = 2/11, 3/7 and 1/53, delta = 1/13 and 1/100003: separation, C2, frequencies for \
         both edges and for the lower one, close pairs, dimensions, the means of off-diagonal squares, the radius of Theorem 6",
    );
    for m in [3u64, 101, 5003] {
        for eta in [ratio(2, 11), ratio(3, 7), ratio(1, 53)] {
            for failure in [ratio(1, 13), ratio(1, 100_003)] {
                let name = format!("m = {m}, eta = {eta}, delta = {failure}");
                let variance = ratio(17, 5);
                let apart = over(whole(2) * of(&(integer(m) / &eta)).ln()?, &of(&variance))?;
                check.evaluated_again(
                    format_args!("{name}: separation"),
                    &gram::separation(m, &eta, &variance)?,
                    &apart,
                );
                // 2 (1 + 4 eta/3) eta^-2 m ln(2 m/delta)
                let c2 = integer(2) + &eta * ratio(8, 3);
                check.holds(gram::c2(&eta) == c2, format_args!("{name}: C2"));
                let both = of(&(c2 * integer(m) / (&eta * &eta)))
                    * of(&(integer(2 * m) / &failure)).ln()?;
                check.holds(
                    gram::features_for_both_edges(m, &eta, &failure)? == ceiling(&both),
                    format_args!("{name}: both edges"),
                );
                // m ln(m/delta) over (1 - eta)(t + (1 - t) ln(1 - t)), t = eta/(1 - eta)
                let t = &eta / (integer(1) - &eta);
                let rest = of(&(integer(1) - &t));
                let rate = of(&(integer(1) - &eta)) * (of(&t) + &rest * rest.ln()?);
                let lower = over(whole(m) * of(&(integer(m) / &failure)).ln()?, &rate)?;
                check.holds(
                    gram::features_for_the_lower_edge(m, &eta, &failure)? == ceiling(&lower),
                    format_args!("{name}: the lower edge"),
                );
                let n = 64 * m;
                let fails = whole(m) * (-(rate * whole(64))).exp()?;
                let fails = fails.min(&whole(1));
                check.evaluated_again(
                    format_args!("{name}: the lower edge fails"),
                    &gram::lower_edge_failure(m, n, &eta)?,
                    &fails,
                );
                let kurtosis = ratio(9, 4);
                let log = of(&(integer(m) / &failure)).ln()?;
                let dimension = ceiling(&(log * of(&(integer(24) + integer(8) * &kurtosis))));
                check.holds(
                    gram::dimension_of_bounded_kurtosis(m, &kurtosis, &failure)? == dimension,
                    format_args!("{name}: dimension"),
                );
                // (d/2)(ln 2 - 1/2) = ln(m^2/(2 delta))
                let rate = over(whole(2).ln()? - of(&ratio(1, 2)), &whole(2))?;
                let dimension = over(of(&(integer(m * m) / (integer(2) * &failure))).ln()?, &rate)?;
                check.holds(
                    gram::dimension_of_gaussian_data(m, &failure)? == ceiling(&dimension),
                    format_args!("{name}: Gaussian data"),
                );
            }
        }
        off_the_diagonal(check, m)?;
    }
    closeness(check)
}

/// Chebyshev's inequality for the squares off the diagonal.
fn off_the_diagonal(check: &mut Check, m: u64) -> Result<(), Trouble> {
    // N near (m - 1)/(4 eta^2), so that Chebyshev's bound says something and is not 0.
    let (eta, n) = (ratio(3, 7), m);
    let pairs = integer(m * (m - 1));
    let (mean, variance) = gram::off_diagonal(m, n);
    let again = integer(2) * &pairs * integer(n - 1) / integer(n).pow(3);
    check.holds(
        mean == &pairs / integer(n) && variance == again,
        format_args!("m = {m}: off the diagonal"),
    );
    let gap = &pairs / integer(n) - integer(4 * m) * &eta * &eta;
    let bound = if gap > integer(0) {
        (again / gap.pow(2)).min(integer(1))
    } else {
        integer(1)
    };
    check.holds(
        gram::conclusion_at_most(m, n, &eta)? == bound,
        format_args!("m = {m}: Chebyshev"),
    );
    Ok(())
}

/// How close two points are, and how far a kernel is off, by dimension and by frequencies.
fn closeness(check: &mut Check) -> Result<(), Trouble> {
    for d in [1u64, 7, 300] {
        // (e^(1/2)/2)^(d/2)
        let squared = over(whole(1).exp()?, &whole(4))?.power(d);
        let again = squared.sqrt()?.sqrt()?;
        check.evaluated_again(
            format_args!("d = {d}: closeness"),
            &gram::closeness(d)?,
            &again,
        );
        let pairs = (again * of(&ratio(121, 2))).min(&whole(1));
        check.evaluated_again(
            format_args!("d = {d}: a close pair"),
            &gram::close_pair(11, d)?,
            &pairs,
        );
        let kurtosis = ratio(9, 4);
        let exponent = integer(BigInt::from(d)) / (integer(12) + integer(4) * &kurtosis);
        check.evaluated_again(
            format_args!("d = {d}: closeness by kurtosis"),
            &gram::closeness_of_bounded_kurtosis(d, &kurtosis)?,
            &(-of(&exponent)).exp()?,
        );
        let failure = ratio(3, 19);
        let radius = over(whole(4) * of(&(integer(4) / &failure)).ln()?, &whole(d))?.sqrt()?;
        check.evaluated_again(
            format_args!("N = {d}: Theorem 6"),
            &kernel::kernel_error(d, &failure)?,
            &radius,
        );
    }
    Ok(())
}

/// What the noise adds in the figures, and that of the gradient baseline. For `lnsx25.e-q` and `lnsx25.sgd`.
pub(super) fn of_the_figures(check: &mut Check) -> Result<(), Trouble> {
    check.certified("what the noises add as coded at N = 7 and 1009, epsilon = 3/7 and 5, delta = 1/13 and 1/100003, and the baseline of gradient descent at m = 11 and 1204, T not m, evaluated again");
    for size in [7u64, 1009] {
        for (epsilon, delta) in [(ratio(3, 7), ratio(1, 13)), (integer(5), ratio(1, 100_003))] {
            let name = format!("{size}, epsilon = {epsilon}, delta = {delta}");
            let squared = &epsilon * &epsilon;
            let log = |x: Rational| of(&(x / &delta)).ln();
            let again = whole(32) * log(ratio(5, 4))? * of(&(integer(size) * &squared).recip());
            check.evaluated_again(
                format_args!("{name}: Gaussian"),
                &figures::gaussian_noise(size, &epsilon, &delta)?,
                &again,
            );
            let gamma = integer(16 * (size + 1)) / (integer(size) * &squared);
            check.holds(
                figures::gamma_noise(size, &epsilon)? == gamma,
                format_args!("{name}: Gamma"),
            );
            let c = whole(3) * log(integer(2 * size))?;
            let moved = over(
                whole(16) * whole(1).exp()? * (whole(1) + &c) * (whole(2) + &c),
                &whole(size).squared(),
            )?;
            let again = whole(2) * log(ratio(5, 2))? * moved.squared() * of(&squared.recip());
            check.evaluated_again(
                format_args!("{name}: gradient descent"),
                &figures::gradient_noise(size, &epsilon, &delta)?,
                &again,
            );
            // Theorem 7: c = sqrt(2 ln(1.25/delta)), and the profile Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) at mu = epsilon/c.
            let c = (whole(2) * log(ratio(5, 4))?).sqrt()?;
            check.evaluated_again(
                format_args!("{name}: Theorem 7"),
                &gaussian_mechanism::classical_multiplier(&delta)?,
                &c,
            );
            let half = over(of(&(&epsilon / integer(2))), &c)?;
            let profile =
                (&half - &c).normal_cdf() - of(&epsilon).exp()? * (-&half - &c).normal_cdf();
            check.evaluated_again(
                format_args!("{name}: its delta"),
                &gaussian_mechanism::classical_delta(&epsilon, &delta)?,
                &profile,
            );
            check.holds(
                figures::zero_predictor(size)? == integer(size).recip(),
                "the predictor 0",
            );
        }
    }
    for setting in settings() {
        let x = Letters::of(&setting)?;
        let removed = over(whole(1), &(&x.n * &x.below))?.sqrt()?;
        check.evaluated_again(
            "(9-pair), removal",
            &sensitivity::distance(&setting, AddOrRemove)?,
            &removed,
        );
        check.evaluated_again(
            "(9-pair), substitution",
            &sensitivity::distance(&setting, Substitute)?,
            &(whole(2) * removed),
        );
        let fails = ratio(1, 4001);
        let delta =
            [1, 2].map(|matrices| (&setting.delta + &fails * integer(matrices)).min(integer(1)));
        let found = [AddOrRemove, Substitute]
            .map(|relation| sensitivity::delta_of_pair(&setting, relation, &fails));
        check.holds(found == delta, "(9-pair), delta");
    }
    Ok(())
}

/// The closed forms of ridge regression. For `lnsx25.r2`, `lnsx25.r3`, `lnsx25.rls.corrected`, `lnsx25.rls.normed-labels`.
pub(super) fn of_ridge(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the closed sensitivities of ridge regression at Lambda = 2/7, 1, 13/5 and 1009, B = 3/11, m = 1, 2, 17 and 5003, evaluated again");
    // The library's roots have 96 bits.
    let near = |check: &mut Check, name: &str, found: &Rational, again: &Enclosure| {
        check.evaluated_again_above(name, found, again);
    };
    for penalty in [ratio(2, 7), integer(1), ratio(13, 5), integer(1009)] {
        let lambda = of(&penalty);
        // h
        let step = match penalty > integer(1) {
            true => of(&(&penalty + integer(1)).recip()),
            false => over(whole(1), &(whole(2) * lambda.sqrt()?))?,
        };
        near(
            check,
            &format!("Lambda = {penalty}: h"),
            &ridge_sensitivity::largest_step(&penalty)?,
            &step,
        );
        let root = over(whole(1), &lambda.sqrt()?)?;
        near(
            check,
            &format!("Lambda = {penalty}: R2"),
            &ridge_sensitivity::of_normed_labels(&penalty, Substitute)?,
            &root,
        );
        near(
            check,
            &format!("Lambda = {penalty}: R2, removal"),
            &ridge_sensitivity::of_normed_labels(&penalty, AddOrRemove)?,
            &over(root, &whole(2))?,
        );
        let normed =
            whole(2) * &step * of(&(integer(1) + (integer(4) * &penalty).recip())).sqrt()?;
        near(
            check,
            &format!("Lambda = {penalty}: labels of norm 1"),
            &ridge_sensitivity::substitution_of_normed_labels(&penalty)?,
            &normed,
        );
        let bound = ratio(3, 11);
        for m in [1usize, 2, 17, 5003] {
            let name = format!("Lambda = {penalty}, m = {m}");
            let (records, others) = (of(&integer(m as u64)), of(&integer(m as u64 - 1)));
            let trivial = over(records.clone(), &lambda)?.sqrt()?;
            let through = whole(2)
                * &step
                * (whole(1) + over(over(others.clone(), &lambda)?.sqrt()?, &whole(2))?);
            let closed = trivial.min(&through) * of(&bound);
            near(
                check,
                &format!("{name}: the closed form"),
                &ridge_sensitivity::substitution_in_closed_form(&bound, &penalty, m)?,
                &closed,
            );
            let removal = ridge_sensitivity::removal(&bound, &penalty, m)?;
            let direct = of(&bound)
                * (whole(2) * &step
                    + over(others.sqrt()?, &(whole(2) * &lambda * lambda.sqrt()?))?);
            let substituted = direct.min(&of(&(&removal * integer(2))));
            near(
                check,
                &format!("{name}: R3"),
                &ridge_sensitivity::substitution(&bound, &penalty, m)?,
                &substituted,
            );
            // Where the supremum is inside.
            let twice = integer(2 * m as u64 - 1);
            if &penalty * &twice * &twice <= integer(m as u64) {
                let inside = of(&bound) * over(over(records, &lambda)?.sqrt()?, &whole(2))?;
                near(check, &format!("{name}: R3, removal"), &removal, &inside);
            }
        }
    }
    Ok(())
}

/// What the baseline's code computes, with steps and records that differ. For `lnsx25.sgd` and `lnsx25.sgd.corrected`.
pub(super) fn of_descent(check: &mut Check) -> Result<(), Trouble> {
    check.certified("Delta of the gradient baseline, its visits and its deviation, at m, T = 11, 29; 1204, 1204; 2003, 7, eta = 3/101 and 1/7, delta = 1/13 and 1/100003; how far a record moves it in 3 visits, features of squared length 1 and 2; evaluated again");
    for (records, steps) in [(11u64, 29u64), (1204, 1204), (2003, 7)] {
        for rate in [ratio(3, 101), ratio(1, 7)] {
            let run = Run {
                records,
                steps,
                rate: rate.clone(),
            };
            let (eta, t, m) = (of(&rate), whole(steps), whole(records));
            let root = (&eta * &t).sqrt()?;
            for delta in [ratio(1, 13), ratio(1, 100_003)] {
                let name = format!("m = {records}, T = {steps}, eta = {rate}, delta = {delta}");
                let large = over(
                    whole(3) * &m * of(&(integer(2 * records) / &delta)).ln()?,
                    &t,
                )?;
                let visits = over(&t * (whole(1) + large.max(&large.sqrt()?)), &m)?;
                check.evaluated_again(
                    format_args!("{name}: visits"),
                    &run.printed_visits(&delta)?,
                    &visits,
                );
                let moved = whole(4)
                    * whole(1).exp()?
                    * eta.squared()
                    * (whole(1) + &root).squared()
                    * &visits
                    * (whole(1) + &visits);
                check.evaluated_again(format_args!("{name}: Delta"), &run.printed(&delta)?, &moved);
                let epsilon = ratio(5, 7);
                let deviation = (whole(2) * of(&(ratio(5, 2) / &delta)).ln()?).sqrt()?
                    * moved
                    * of(&epsilon.recip());
                check.evaluated_again(
                    format_args!("{name}: deviation"),
                    &run.printed_deviation(&epsilon, &delta)?,
                    &deviation,
                );
            }
            let reach = root.min(&(&eta * &t));
            let bound = whole(6) * &eta * (whole(1) + reach);
            check.evaluated_again_above(
                format_args!("eta = {rate}, T = {steps}: a record"),
                &run.distance_bound(3)?,
                &bound,
            );
            // At twice the rate, over the length sqrt(2).
            let eta = whole(2) * eta;
            let reach = (&eta * &t).sqrt()?.min(&(&eta * &t));
            let bound = over(whole(6) * &eta * (whole(1) + reach), &whole(2).sqrt()?)?;
            let found = run.distance_bound_of_longer_features(&integer(2), 3)?;
            check.evaluated_again_above(
                format_args!("eta = {rate}, T = {steps}: longer features"),
                &found,
                &bound,
            );
        }
    }
    Ok(())
}
