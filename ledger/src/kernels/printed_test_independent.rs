//! Algorithm 3 as printed, Theorems 7, 8 and 14, and what the paper says of them elsewhere.

use super::BITS;
use super::test_independent::{Linear, points};
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Law, Meter};
use dp_assay::geometry::Point;
use dp_assay::kernels::as_printed::test_independent::{Algorithm3, Exponent};
use dp_assay::kernels::bounds::noisy_answers as noisy_answer_bounds;
use dp_assay::kernels::bounds::test_independent::Printed;
use dp_assay::kernels::{Dataset, Predictor, fit};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::privacy::composition::{dwork_rothblum_vadhan, optimal_delta};
use dp_assay::privacy::{Budget, noisy_answers};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Algorithm 3 on the records of `all`, with `L = R = 1`, epsilon = 1, delta = 1e-6, beta = 1/20.
fn algorithm(all: &Linear, exponent: Exponent) -> Result<Algorithm3, Trouble> {
    Ok(Algorithm3 {
        lipschitz: integer(1),
        penalty: all.problem.penalty().clone(),
        records: all.n,
        squared_bound: all.kernel.squared_bound().clone(),
        budget: budget("1", "1e-6")?,
        failure: ratio(1, 20),
        exponent,
    })
}

/// What is left of `w*` at the points of the net in the first round.
fn at_first(all: &Linear, data: &Dataset, net: &[Point]) -> Result<Vec<Rational>, Trouble> {
    let w = fit(data, &all.problem)?;
    Ok(net.iter().map(|z| w.prediction(z)).collect())
}

/// `jt13.thm7`
pub(super) fn literal_exponent(check: &mut Check) -> Result<(), Trouble> {
    one_draw(check)?;
    predictor_only(check)
}

/// The first draw of line 5, between two kinds of points.
fn one_draw(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "n = 10^7, lambda = 1/100, phi = (.44, +-.90), half of the records at each, label 1; one moved to the other: the law of the \
         first z",
    );
    let all = Linear::new(2, 10, ratio(1, 100), 10_000_000)?;
    let (up, down): (&[i32], &[i32]) = (&[446, 921], &[446, -921]);
    let net = points(&[up, down]);
    let first = all.data(&[(up, 5_000_000, 0), (down, 5_000_000, 0)])?;
    let second = all.data(&[(up, 4_999_999, 0), (down, 5_000_001, 0)])?;
    let probability = |exponent, data| -> Result<Enclosure, Trouble> {
        let law = algorithm(&all, exponent)?.choice(&at_first(&all, data, &net)?)?;
        Ok(law.pmf(&0, BITS)?)
    };
    let e = Enclosure::exp_of(&Rational::one(), BITS)?;
    let p = probability(Exponent::Literal, &first)?;
    let q = probability(Exponent::Literal, &second)?;
    let delta = &p - &e * &q;
    check.refutes(
        delta.is_above_rational(&ratio(2, 5)),
        "n = 10^7: which of two kinds of points the first z is has probabilities 1/2 and .036: delta is above .4",
    );
    check.figure(
        "n = 10^7, literal exponent: P, Q, delta at least",
        format_args!("{p}, {q}, {delta}"),
    );
    let (p, q) = (
        probability(Exponent::Repaired, &first)?,
        probability(Exponent::Repaired, &second)?,
    );
    let loss = p.ln()? - q.ln()?;
    check.holds(
        loss.is_below_rational(&ratio(1, 1000)),
        format_args!("the exponent (eps_0/4) |.|: the loss is {loss}"),
    );
    check.figure("n = 10^7, exponent (eps_0/4) |.|: loss of this draw", loss);
    Ok(())
}

/// What `w^` alone tells: which kind of point its one update was at.
fn predictor_only(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "n = 10^8, lambda = 1/100, phi = (sqrt(.75), +-1/2), both with scores .95 sigma; a label turned: the law of the point of the \
         one update",
    );
    let n = 100_000_000u64;
    let all = Linear::new(2, 10, ratio(1, 100), n)?;
    let (up, down): (&[i32], &[i32]) = (&[886, 512], &[886, -512]);
    let net = points(&[up, down]);
    let printed = algorithm(&all, Exponent::Literal)?;
    let (sigma, grid, noise) = (printed.threshold()?, printed.grid()?, printed.noise()?);
    // The mean label for which both predictions are .95 sigma: f = (886/1024)^2 mean/lambda.
    let mean = &sigma * ratio(95, 100) * all.problem.penalty() / ratio(886 * 886, 1024 * 1024);
    let plus = (integer(n) * (Rational::one() + mean) / integer(4)).round();
    let plus = plus.to_integer().to_u64().unwrap_or(0);
    let half = n / 2;
    let data = |turned: u64| {
        all.data(&[
            (up, plus - turned, half - plus + turned),
            (down, plus, half - plus),
        ])
    };
    let rounds = printed.bound_on_updates()?.to_integer();
    let threshold = (&sigma / grid.step()).floor().to_integer();
    // |rest + noise| > sigma, in steps.
    let update = |rest: &Rational| -> Result<Enclosure, NumberError> {
        let rest = grid.round(rest);
        Ok(noise
            .between(&(-&threshold - &rest), &(&threshold - &rest), BITS)?
            .complement())
    };
    let eta = printed.step_size()?;
    let e = Enclosure::exp_of(&Rational::one(), BITS)?;
    let mut first_at_up = Vec::new();
    let mut other = Enclosure::integer(0, BITS);
    for data in [data(0)?, data(1)?] {
        let rest = at_first(&all, &data, &net)?;
        let choice = printed.choice(&rest)?;
        let at = |place: usize| -> Result<Enclosure, NumberError> {
            Ok(choice.pmf(&place, BITS)? * update(&rest[place])?)
        };
        let (here, there) = (at(0)?, at(1)?);
        let either = &here + &there;
        // 1. The first update is at the upper point with this probability.
        first_at_up.push(here.divided_by(&either)?);
        // 2. Something else happens: no update in half of the rounds, or one more.
        let none = either
            .complement()
            .power((&rounds / 2u32).to_u64().unwrap_or(0));
        let mut more = Enclosure::integer(0, BITS);
        for moved in 0..2 {
            for (z, rest) in net.iter().zip(&rest) {
                let value = BigInt::from(all.kernel.value(z, &net[moved]));
                let product = Rational::new(value, BigInt::one() << dp_assay::kernels::VALUE_BITS);
                more = more.max(&update(&(rest - &eta * product))?);
            }
        }
        let all_rounds = Enclosure::integer(rounds.clone(), BITS);
        other = other.max(&(none + all_rounds * more));
    }
    let delta = &first_at_up[0] - &other - &e * (&first_at_up[1] + &other);
    check.refutes(
        delta.is_above_rational(&ratio(39, 100)),
        "n = 10^8: w^ is one step in one of two directions, with probabilities 1/2 and .039 for the first: delta is above .39",
    );
    check.figure(
        "n = 10^8, w^ alone: P, Q, what else may happen, delta at least",
        format_args!("{}, {}, {other}, {delta}", first_at_up[0], first_at_up[1]),
    );
    Ok(())
}

/// Budgets with epsilon at most 1 and delta at most 1/2.
const BUDGETS: [(&str, &str); 5] = [
    ("0.01", "1e-9"),
    ("0.1", "1e-6"),
    ("1", "1e-6"),
    ("1", "0.25"),
    ("1", "0.5"),
];

/// `4.5 eps_0 S = .9 epsilon/(sqrt(B) ln(4/delta))`, rounded up: what a round of three releases costs with the exponent
/// `(eps_0/4) |.|`.
fn of_a_round(rounds: u64, budget: &Budget) -> Result<Rational, NumberError> {
    let logarithm = Enclosure::of(&(integer(4) / budget.delta()), BITS).ln()?;
    let divisor = Enclosure::integer(rounds, BITS).sqrt()? * logarithm;
    let loss = Enclosure::of(&(budget.epsilon() * ratio(9, 10)), BITS).divided_by(&divisor)?;
    Ok(loss.with_bits(64).upper())
}

/// `jt13.thm7.proof`
pub(super) fn proof(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "what a round of Algorithm 3 costs against the hypothesis of Theorem 9, B = 1, 10, 1000, epsilon = 1, delta = 1e-6; Theorem A \
         at that cost, B = 1, 2, 10, 1000",
    );
    let asked = budget("1", "1e-6")?;
    for rounds in [1, 10, 1000] {
        let loss = of_a_round(rounds, &asked)?;
        let allowed = noisy_answer_bounds::theorem_9_loss(rounds, &asked)?;
        let times = loss / allowed;
        check.holds(
            times >= integer(180) && times < integer(181),
            format_args!("B = {rounds}: {times} times what Theorem 9 allows"),
        );
    }
    let delta = noisy_answers::delta(&of_a_round(1, &asked)?, 1, asked.epsilon())?;
    check.holds(
        delta > *asked.delta(),
        format_args!("B = 1: delta {}", to_scientific(&delta, 3)),
    );
    check.figure("B = 1: delta by Theorem A", to_scientific(&delta, 3));
    for rounds in [2, 10, 1000] {
        let delta = noisy_answers::delta(&of_a_round(rounds, &asked)?, rounds, asked.epsilon())?;
        check.holds(
            delta <= *asked.delta(),
            format_args!("B = {rounds}: delta {}", to_scientific(&delta, 3)),
        );
    }
    check.left_open(
        "a round costs 180 times what Theorem 9 allows, on which Theorem 2 rests; Theorem 11 does it (jt13.thm7.corrected)",
    );
    Ok(())
}

/// `jt13.thm7.corrected`
pub(super) fn repaired_exponent(check: &mut Check) -> Result<(), Trouble> {
    let sizes: &[u64] = if check.quick() {
        &[1, 10]
    } else {
        &[1, 2, 10, 1000, 100_000]
    };
    check.certified(format_args!(
        "rounds of three releases with the exponent (eps_0/4) |.|: Theorem 11 and the exact delta, five budgets, B in {sizes:?}"
    ));
    let mut worst = Rational::zero();
    for (epsilon, delta) in BUDGETS {
        let asked = budget(epsilon, delta)?;
        for &rounds in sizes {
            let each = Budget::pure(of_a_round(rounds, &asked)?, asked.neighbours())?;
            let whole = dwork_rothblum_vadhan(&each, rounds, asked.delta())?;
            let exact = optimal_delta(&each, rounds, asked.epsilon(), BITS)?;
            check.holds(
                exact.upper() <= *asked.delta(),
                format_args!("epsilon = {epsilon}, delta = {delta}, B = {rounds}: {exact}"),
            );
            worst = worst.max(whole.epsilon() / asked.epsilon());
        }
    }
    check.attained(
        "epsilon by Theorem 11, of what is stated",
        &worst,
        &ratio(3, 4),
    );
    let n = if check.quick() { 6_000 } else { 50_000 };
    check.certified(format_args!(
        "Algorithm 3 with the exponent (eps_0/4) |.| metered, n = {n}, lambda = 1/100, a net of three points: a label turned"
    ));
    let all = Linear::new(2, 10, ratio(1, 100), n)?;
    let net = points(&[&[1024, 0], &[1000, 200], &[0, 1024]]);
    let printed = algorithm(&all, Exponent::Repaired)?;
    let data = |turned: u64| {
        let half = n / 2;
        all.data(&[
            (&[1024, 0], half - turned, turned),
            (&[0, 1024], n - half, 0),
        ])
    };
    let (first, second) = (data(0)?, data(1)?);
    let learner = |data: &Dataset, coins: &mut Meter| {
        let w = fit(data, &all.problem)?;
        printed.learn(&w, &all.kernel, &net, coins)
    };
    let claim = &printed.budget;
    check.family("exponent (eps_0/4) |.|", &[], |family| {
        family.both_orders(learner, (&first, &second), (6, 20), claim)
    })
}

/// The instance of `jt13.alg3.output` and `jt13.alg3.B`: `R = 16`, so that `B` is small, and far from enough.
fn few_rounds(check: &mut Check) -> Result<(Algorithm3, Rational, u64, bool), Trouble> {
    use dp_assay::geometry::Domain;
    use dp_assay::kernels::{Kernel, Problem};
    use dp_assay::optimise::erm::Loss;
    check.certified("n = 50000, lambda = 1, R = 16, all records at x = 16 with the label 1, a net of that point: a run");
    let n = 50_000;
    let problem = Problem::new(Loss::Linear, Kernel::Linear, integer(1))?;
    let domain = Domain::new(super::grid(0)?, 1, 16)?;
    let data = Dataset::new(domain, [(super::record(&[16], 1), n)])?;
    let kernel = problem.kernel().on(domain)?;
    let printed = Algorithm3 {
        lipschitz: integer(1),
        penalty: integer(1),
        records: n,
        squared_bound: integer(256),
        budget: budget("1", "1e-6")?,
        failure: ratio(1, 20),
        exponent: Exponent::Literal,
    };
    let w = fit(&data, &problem)?;
    let x = Point::dense(&[16]);
    let mut coins = ChaCha::reproducible(1, 0);
    let found = printed.learn(&w, &kernel, std::slice::from_ref(&x), &mut coins)?;
    let error = (w.prediction(&x) - found.last.prediction(&x)).abs();
    Ok((printed, error, found.updates, found.last_is_update))
}

/// `jt13.alg3.output`
pub(super) fn last_iterate(check: &mut Check) -> Result<(), Trouble> {
    let (printed, error, updates, last_is_update) = few_rounds(check)?;
    let rounds = printed.bound_on_updates()?.to_integer();
    let sigma = printed.threshold()?;
    // The error is at least so large before each of the two rounds: one is quiet only if noise is beyond 11 sigma.
    let steps = (&sigma * integer(11) / printed.grid()?.step()).to_integer();
    let quiet = printed.noise()?.cdf(&-steps, BITS)?.shifted(2);
    check.refutes(
        last_is_update
            && BigInt::from(updates) == rounds
            && rounds == 2.into()
            && error > &sigma * integer(12)
            && quiet.upper() < ratio(1, 1_000_000_000),
        "R = 16, n = 50000: both rounds are updates but with probability 1e-9, and w_B errs by more than 12 sigma",
    );
    check.figure(
        "rounds, sigma, error of w_B",
        format_args!(
            "{rounds}, {}, {}",
            to_scientific(&sigma, 3),
            to_scientific(&error, 3)
        ),
    );
    Ok(())
}

/// `jt13.alg3.B`
pub(super) fn printed_rounds(check: &mut Check) -> Result<(), Trouble> {
    let (printed, _, updates, _) = few_rounds(check)?;
    let bound = printed.bound_on_updates()?;
    // 16 C^2 R^2/(5 sigma^2) with C = L R/lambda
    let sigma = printed.threshold()?;
    let ratio_of_lengths = &printed.squared_bound / &printed.penalty / &sigma;
    let needed = &ratio_of_lengths * &ratio_of_lengths * ratio(16, 5);
    check.refutes(
        BigInt::from(updates) == bound.to_integer() && needed > &bound * integer(50),
        "L R = 16: all rounds are updates, and the potential allows for more than fifty times as many",
    );
    check.figure(
        "L R = 16: B, and what the potential needs",
        format_args!(
            "{}, {}",
            to_scientific(&bound, 3),
            to_scientific(&needed, 3)
        ),
    );
    check.certified("L R = 1/2 and 1/20 below ln(2B/beta)/sqrt(20): B is enough");
    for part in [2i64, 20] {
        // The Lipschitz constant varies; lambda and n with it do not matter.
        let small = Algorithm3 {
            lipschitz: ratio(1, part),
            squared_bound: integer(1),
            records: 1_000_000,
            ..printed.clone()
        };
        let length = &small.lipschitz / &small.penalty / small.threshold()?;
        let needed = &length * &length * ratio(16, 5);
        check.holds(
            needed < small.bound_on_updates()?,
            format_args!("L R = 1/{part}: {needed}"),
        );
    }
    check.figure("L R = 1/2, 1/20", "B is enough");
    Ok(())
}

fn printed_error(all: &Linear, of_features: Rational) -> Result<Printed, Trouble> {
    Ok(Printed {
        lipschitz: integer(1),
        penalty: all.problem.penalty().clone(),
        records: integer(all.n),
        bound: integer(1),
        dimension: integer(1),
        of_features,
        budget: budget("1", "1e-6")?,
        failure: ratio(1, 20),
    })
}

/// The probability that some round of Algorithm 3 is an update if `|<w*, phi(z)>| <= sigma/2` for all z, at most: the noise
/// must be above `sigma/2`, less a step for rounding.
fn some_update(printed: &Algorithm3) -> Result<Enclosure, Trouble> {
    let half = printed.threshold()? / printed.grid()?.step() / integer(2);
    let far: BigInt = half.floor().to_integer() - 2;
    let tail = printed.noise()?.cdf(&-far, BITS)?.shifted(1);
    Ok(tail * Enclosure::of(&printed.bound_on_updates()?, BITS))
}

/// `jt13.thm8`
pub(super) fn printed_rate(check: &mut Check) -> Result<(), Trouble> {
    super::printed::theorem_8(check)?;
    check.certified(
        "|w*| R = sigma/2, lambda = 1/100, L = R = d = epsilon = 1, L_phi = e, delta = 1e-6, beta = 1/20, n = 10^6, 10^8, 10^10, \
         10^12: that no round is an update, and the error sigma/2 against the printed one",
    );
    let mut last: Option<Enclosure> = None;
    for digits in [6u32, 8, 10, 12] {
        let n = 10u64.pow(digits);
        let all = Linear::new(1, 10, ratio(1, 100), n)?;
        let printed = algorithm(&all, Exponent::Literal)?;
        let update = some_update(&printed)?;
        check.holds(
            update.is_below_rational(&ratio(1, 1_000_000)),
            format_args!("n = 10^{digits}: an update with probability {update}"),
        );
        // ln(L_phi) = 1 at L_phi = e: 27182818/10^7 is below e.
        let bound = printed_error(&all, ratio(27_182_818, 10_000_000))?.error()?;
        let error = Enclosure::of(&(printed.threshold()? / integer(2)), BITS);
        let times = error.divided_by(&bound)?;
        check.figure(
            format_args!("n = 10^{digits}: error over what is printed"),
            &times,
        );
        // n^(1/6) is 2.15 for a hundredfold n; the logarithm in sigma grows too.
        if let Some(before) = last {
            let grown = times.divided_by(&before)?;
            check.refutes(
                grown.is_above_rational(&ratio(21, 10)),
                "|w*| R = sigma/2: w^ = 0 errs by sigma/2, of order ln(n)/sqrt(n), more than any constant times n^(-2/3)",
            );
        }
        last = Some(times);
    }
    check.certified("n = 10^6: a run");
    let all = Linear::new(1, 10, ratio(1, 100), 1_000_000)?;
    let printed = algorithm(&all, Exponent::Literal)?;
    // f(1) = mean/lambda = sigma/2, rounded down.
    let mean = printed.threshold()? / integer(2) * all.problem.penalty();
    let plus = (integer(all.n) * (Rational::one() + mean) / integer(2)).floor();
    let plus = plus.to_integer().to_u64().unwrap_or(0);
    let data = all.data(&[(&[1024], plus, all.n - plus)])?;
    let w = fit(&data, &all.problem)?;
    let net = points(&[&[1024], &[512], &[0], &[-1024]]);
    let mut coins = ChaCha::reproducible(1, 0);
    let found = printed.learn(&w, &all.kernel, &net, &mut coins)?;
    check.holds(
        found.updates == 0 && found.last.terms().is_empty(),
        format_args!("{} updates", found.updates),
    );
    Ok(())
}

/// `jt13.thm8.log`
pub(super) fn logarithm(check: &mut Check) -> Result<(), Trouble> {
    super::printed::theorem_8(check)?;
    check.certified("phi(z) = z, L_phi = 1, the instance of jt13.thm8 at n = 10^6");
    let all = Linear::new(1, 10, ratio(1, 100), 1_000_000)?;
    let printed = algorithm(&all, Exponent::Literal)?;
    let bound = printed_error(&all, Rational::one())?.error()?;
    let update = some_update(&printed)?;
    check.refutes(
        bound.abs().upper() < ratio(1, 1 << 60)
            && printed.threshold()?.is_positive()
            && update.is_below_rational(&ratio(1, 1_000_000)),
        "L_phi = 1: the printed error is 0, and w^ = 0 errs by sigma/2",
    );
    Ok(())
}

/// `jt13.thm8.second`
pub(super) fn second_term(check: &mut Check) -> Result<(), Trouble> {
    super::printed::theorem_8(check)?;
    check.certified(
        "the sigma at which the second term is sigma, for |w*| and 8 |w*|, epsilon and epsilon/64",
    );
    let all = Linear::new(1, 10, ratio(1, 100), 1_000_000)?;
    let printed = printed_error(&all, integer(3))?;
    // At |w*| = w, epsilon = 1 the second term is X w^2/sigma^2; take X w^2 = 1.
    let at =
        |norm: &Rational, epsilon: &Rational, sigma: &Rational| -> Result<Enclosure, Trouble> {
            let changed = Printed {
                budget: Budget::approximate(
                    epsilon.clone(),
                    printed.budget.delta().clone(),
                    printed.budget.neighbours(),
                )?,
                ..printed.clone()
            };
            let [_, second] = changed.terms(norm, sigma)?;
            Ok(second.divided_by(&Enclosure::of(sigma, BITS))?)
        };
    let one = Rational::one();
    let base = at(&one, &one, &one)?;
    // sigma grows like |w*|^(2/3) epsilon^(-1/3): where it does, the quotient second term/sigma stays.
    for (norm, epsilon, sigma, printed_growth) in [
        (integer(8), one.clone(), integer(4), 8),
        (one.clone(), ratio(1, 64), integer(4), 8),
    ] {
        let there = at(&norm, &epsilon, &sigma)?;
        let stays = (&there - &base).abs().upper() < ratio(1, 1 << 60) * base.upper();
        let changed = Printed {
            budget: Budget::approximate(
                epsilon,
                printed.budget.delta().clone(),
                printed.budget.neighbours(),
            )?,
            ..printed.clone()
        };
        let grown = changed
            .last_display(&norm)?
            .divided_by(&printed.last_display(&one)?)?;
        let apart = (&grown - Enclosure::integer(printed_growth, BITS)).abs();
        check.refutes(
            stays && apart.upper() < ratio(1, 1 << 60),
            "the fixed point of the second term is of order |w*|^(2/3) epsilon^(-1/3), the printed minimum |w*| epsilon^(-1/2)",
        );
    }
    Ok(())
}

/// `jt13.thm8.factors`
pub(super) fn factors(check: &mut Check) -> Result<(), Trouble> {
    super::printed::theorem_8(check)?;
    check.certified("the last display with |w*| = 2LR/lambda, times L, over the theorem: R = 1, 8, lambda = 1/64, 1/8");
    let all = Linear::new(1, 10, Rational::one(), 1_000_000)?;
    for (bound, penalty, times) in [
        (1, Rational::one(), 2),
        (8, Rational::one(), 128),
        (1, ratio(1, 8), 4),
        (1, ratio(1, 64), 8),
    ] {
        let printed = Printed {
            bound: integer(bound),
            penalty: penalty.clone(),
            ..printed_error(&all, integer(3))?
        };
        let norm = integer(2 * bound) / &penalty;
        let quotient = printed.last_display(&norm)?.divided_by(&printed.error()?)?;
        let apart = (quotient - Enclosure::integer(times, BITS)).abs();
        check.holds(
            apart.upper() < ratio(1, 1 << 60),
            format_args!("R = {bound}, lambda = {penalty}: {times} times"),
        );
    }
    check.left_open(
        "in our copy, an OCR text, the proof comes to R^3/lambda^(5/3), 2 R^2/lambda^(1/3) times the R/lambda^(4/3) of the theorem: \
         which exponents are printed is not legible",
    );
    Ok(())
}

/// `jt13.thm14`
pub(super) fn no_records(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "|w*| = R = L = d = epsilon = 1, lambda = 1/100, n = 10^6 to 10^12: the least maximum of the two terms against the last \
         display",
    );
    let one = Rational::one();
    for digits in [6u32, 8, 10, 12] {
        let all = Linear::new(1, 10, ratio(1, 100), 10u64.pow(digits))?;
        let printed = printed_error(&all, integer(3))?;
        // Below sigma = 1/2 the first term is above 1, and from there on sigma is at least 1/2.
        let [first, _] = printed.terms(&one, &ratio(1, 2))?;
        let display = printed.last_display(&one)?;
        check.holds(
            first.contains(&one),
            format_args!("n = 10^{digits}: the first term has no n"),
        );
        check.figure(format_args!("n = 10^{digits}: last display"), display);
    }
    check.left_open(
        "the first term of the maximum has no n, so that the last display does not follow; the conclusion is not legible in our copy",
    );
    Ok(())
}

/// `jt13.intro.d13`
pub(super) fn samples(check: &mut Check) -> Result<(), Trouble> {
    check.certified("Theorem 8's error at 64 d and 4 n, 8 n, against that at d and n");
    let all = Linear::new(1, 10, ratio(1, 100), 1_000_000)?;
    let printed = printed_error(&all, integer(3))?;
    let at = |dimension: i64, records: i64| -> Result<Enclosure, NumberError> {
        let changed = Printed {
            dimension: integer(dimension),
            records: &printed.records * integer(records),
            ..printed.clone()
        };
        changed.error()?.divided_by(&printed.error()?)
    };
    let (cube_root, root) = (at(64, 4)?, at(64, 8)?);
    check.refutes(
        cube_root.is_above_rational(&ratio(3, 2))
            && (root - Enclosure::integer(1, BITS)).abs().upper() < ratio(1, 1 << 60),
        "64 times the dimension: 64^(1/3) = 4 times as many records are too few by Theorem 8, 64^(1/2) = 8 times are needed",
    );
    let error = at(64, 1)?;
    check.holds(
        (&error - Enclosure::integer(4, BITS)).abs().upper() < ratio(1, 1 << 60),
        "the other reading: the error grows by 64^(1/3)",
    );
    check.figure("64 d, n as it is: the error grows by", error);
    Ok(())
}

/// `jt13.sec4.exponential`
pub(super) fn growth_of_net(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "the printed radius nu of the net at n and 4 n, n = 10^6 to 10^12: it falls to an eighth; and at d = n, beside 1",
    );
    for digits in [6u32, 8, 10, 12] {
        let radius = |n: u64| -> Result<Rational, Trouble> {
            let all = Linear::new(1, 10, ratio(1, 100), n)?;
            Ok(algorithm(&all, Exponent::Literal)?.net_radius(1, &Rational::one())?)
        };
        let n = 10u64.pow(digits);
        let fall = radius(n / 4)? / radius(n)?;
        check.holds(
            (fall - integer(8)).abs() < ratio(1, 1 << 40),
            format_args!("n = 10^{digits}: for fixed d a polynomial in n, of degree 3 d/2"),
        );
        // nu is in proportion to d: at d = n it is n times as large as in one dimension.
        let wide = radius(n)? * integer(n);
        check.holds(
            wide <= Rational::one(),
            format_args!("n = d = 10^{digits}: (4/nu)^d >= 4^n, nu = {wide}"),
        );
    }
    Ok(())
}
