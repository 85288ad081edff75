//! The claims of our own samplers: each has exactly the law that it says (`spec/samplers.md`).
//!
//! Two kinds of rows. The first runs the sampling code itself on every outcome of the layer below and
//! compares certified bounds: no chance is involved. The second draws from the real generator, as a
//! check that what is explored is what runs, by tests of stated level and power.

use super::old::{Claim, Effort, Evidence, LedgerError, Status, ours, refuted, verified};
use crate::coins::explorer::Run;
use crate::coins::{Attempts, ChaCha, Coins, CoinsError, Explored, Explorer, Law, Layer, layers};
use crate::number::{Enclosure, NumberError, Rational, rational, rational::ratio};
use crate::privacy::{discrete_gaussian, gaussian};
use crate::sample::{
    DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, Geometric, ScoreClass,
    spherical_gaussian,
};
use crate::stats::FrequencyTest;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;

/// The claims of `spec/samplers.md`.
pub(super) const CLAIMS: &[Claim] = &[
    own(
        "number.two-arithmetics",
        "number::Enclosure, number::witness",
        "Every enclosure of a real function agrees with MPFR, evaluated with directed rounding, to the last requested digit.",
        if cfg!(feature = "mpfr") {
            Status::Verified
        } else {
            Status::Open
        },
        two_arithmetics,
    ),
    own(
        "sample.uniform-below",
        "coins::layers::uniform_below",
        "uniform_below(n) returns each of 0, ..., n - 1 with probability exactly 1/n.",
        Status::Verified,
        uniform_below,
    ),
    own(
        "sample.bernoulli",
        "coins::layers::bernoulli",
        "bernoulli(p) is true with probability exactly p, for rational p in [0, 1], and uses at most two bits on average.",
        Status::Verified,
        bernoulli,
    ),
    own(
        "sample.bernoulli-exp",
        "coins::layers::bernoulli_exp",
        "bernoulli_exp(x) is true with probability exactly exp(-x), for rational x >= 0.",
        Status::Verified,
        bernoulli_exp,
    ),
    own(
        "sample.attempts",
        "coins::explorer::Attempts",
        "From one attempt of a rejection sampler with known rejected mass r, lower bound l and undecided mass u: \
         l/(1-r) <= Pr[outcome] <= (l+u)/(1-r), and both ends are attained.",
        Status::Verified,
        attempts,
    ),
    own(
        "sample.geometric",
        "sample::Geometric",
        "Geometric(rate) draws k with probability exactly (1 - e^-rate) e^(-rate k).",
        Status::Verified,
        geometric,
    ),
    own(
        "sample.discrete-laplace",
        "sample::DiscreteLaplace",
        "DiscreteLaplace(scale) draws k with probability exactly (1-q)/(1+q) q^|k|, q = e^(-1/scale).",
        Status::Verified,
        discrete_laplace,
    ),
    own(
        "sample.discrete-gaussian",
        "sample::DiscreteGaussian",
        "DiscreteGaussian(v) draws k with probability exactly proportional to e^(-k^2/(2v)).",
        Status::Verified,
        explored_gaussian,
    ),
    own(
        "sample.discrete-gaussian.zcdp",
        "sample::DiscreteGaussian",
        "Noise DiscreteGaussian(v) on an integer query of sensitivity D has Renyi divergence at most \
         alpha D^2/(2v) at every order alpha > 1, with equality where alpha D is an integer.",
        Status::Verified,
        zcdp,
    ),
    own(
        "sample.discrete-gaussian.multivariate",
        "privacy::discrete_gaussian",
        "For an integer query of several coordinates and l2 sensitivity D, the one-dimensional profile at shift D is an upper bound.",
        Status::Refuted,
        multivariate,
    ),
    own(
        "sample.discrete-gaussian.multivariate.corrected",
        "privacy::discrete_gaussian::delta",
        "privacy::discrete_gaussian::delta bounds the exact profile of every integer shift of norm at most D.",
        Status::Verified,
        multivariate_corrected,
    ),
    own(
        "sample.discrete-gaussian.continuous",
        "privacy::gaussian::profile",
        "The discrete Gaussian is at least as (epsilon, delta)-private as the continuous one of the same parameter.",
        Status::Refuted,
        continuous,
    ),
    own(
        "sample.spherical-gaussian",
        "sample::spherical_gaussian",
        "spherical_gaussian draws vectors with exactly the product of its coordinates' laws.",
        Status::Verified,
        spherical,
    ),
    own(
        "sample.exponential-mechanism",
        "sample::ExponentialMechanism",
        "The exponential mechanism draws each score class with probability exactly proportional to \
         count e^(-epsilon loss / (2 sensitivity)), by rejection, and by inversion alike where every exponent is at most 2^22.",
        Status::Verified,
        exponential_mechanism,
    ),
    own(
        "sample.uniform-below.generator",
        "coins::ChaCha",
        "uniform_below(6) on ChaCha20 comes as often as it should.",
        Status::Supported,
        uniform_below_generator,
    ),
    own(
        "sample.bernoulli.generator",
        "coins::ChaCha",
        "bernoulli(1/3) on ChaCha20 comes as often as it should.",
        Status::Supported,
        bernoulli_generator,
    ),
    own(
        "sample.bernoulli-exp.generator",
        "coins::ChaCha",
        "bernoulli_exp(3/4) on ChaCha20 comes as often as it should.",
        Status::Supported,
        bernoulli_exp_generator,
    ),
    own(
        "sample.geometric.generator",
        "coins::ChaCha",
        "Geometric(1/3) on ChaCha20 comes as often as it should.",
        Status::Supported,
        geometric_generator,
    ),
    own(
        "sample.discrete-laplace.generator",
        "coins::ChaCha",
        "DiscreteLaplace(1000000/7) on ChaCha20 comes as often as it should.",
        Status::Supported,
        discrete_laplace_generator,
    ),
    own(
        "sample.discrete-gaussian.generator",
        "coins::ChaCha",
        "DiscreteGaussian(10^12/7) on ChaCha20 comes as often as it should.",
        Status::Supported,
        discrete_gaussian_generator,
    ),
    own(
        "sample.exponential-mechanism.generator",
        "coins::ChaCha",
        "The exponential mechanism on ChaCha20 comes as often as it should.",
        Status::Supported,
        exponential_mechanism_generator,
    ),
];

/// A claim of our own, not printed in any paper.
const fn own(
    id: &'static str,
    item: &'static str,
    statement: &'static str,
    expects: Status,
    check: fn(&Effort) -> Result<Evidence, LedgerError>,
) -> Claim {
    Claim {
        paper: "dp-assay",
        ..ours(id, item, statement, expects, check)
    }
}

const BITS: u32 = 160;

/// Collects, over several instances, whether the exploration ever ruled the law out, and the largest
/// mass that stayed undecided.
struct Comparison {
    ruled_out: Option<String>,
    undecided: Rational,
    runs: usize,
}

impl Comparison {
    fn new() -> Self {
        Self {
            ruled_out: None,
            undecided: Rational::zero(),
            runs: 0,
        }
    }

    fn add(&mut self, instance: &str, ruled_out: Option<String>, undecided: Rational, runs: usize) {
        if let Some(outcome) = ruled_out {
            self.ruled_out
                .get_or_insert(format!("{instance}: outcome {outcome}"));
        }
        self.undecided = self.undecided.clone().max(undecided);
        self.runs += runs;
    }

    fn add_law<L: Law>(
        &mut self,
        instance: &str,
        law: &L,
        found: &Explored<L::Outcome>,
    ) -> Result<(), NumberError> {
        let ruled_out = found
            .disagreement(law)?
            .map(|outcome| format!("{outcome:?}"));
        self.add(instance, ruled_out, found.undecided.clone(), found.runs);
        Ok(())
    }

    fn add_attempts<L: Law>(
        &mut self,
        instance: &str,
        law: &L,
        found: &Attempts<L::Outcome>,
    ) -> Result<(), NumberError> {
        let ruled_out = found
            .disagreement(law)?
            .map(|outcome| format!("{outcome:?}"));
        self.add(instance, ruled_out, found.undecided(), found.runs());
        Ok(())
    }

    /// Verified if no law was ruled out and at most `tolerated` stayed undecided anywhere.
    fn evidence(self, scope: impl Into<String>, tolerated: &Rational) -> Evidence {
        let decided = self.undecided <= *tolerated;
        let status = match (&self.ruled_out, decided) {
            (Some(_), _) => Status::Refuted,
            (None, true) => Status::Verified,
            (None, false) => Status::Open,
        };
        let evidence = Evidence::new("exhaustive exploration", status, scope)
            .figure("runs explored", self.runs)
            .figure(
                "largest undecided mass",
                rational::to_scientific_above(&self.undecided, 3),
            );
        match self.ruled_out {
            Some(outcome) => evidence.figure("ruled out", outcome),
            None => evidence,
        }
    }
}

/// Whether a Boolean sampler is true with the given probability.
fn explore_bool(
    layer: Layer,
    budget: usize,
    probability: &Enclosure,
    sampler: impl FnMut(&mut Run) -> Result<bool, CoinsError>,
) -> Result<(Option<String>, Rational, usize), CoinsError> {
    let found = Explorer::new(layer, budget).explore(sampler)?;
    let fits = found.allows(&true, probability) && found.allows(&false, &probability.complement());
    Ok((
        (!fits).then(|| "true".to_owned()),
        found.undecided.clone(),
        found.runs,
    ))
}

fn uniform_below(effort: &Effort) -> Result<Evidence, LedgerError> {
    let most = if effort.quick { 20u32 } else { 200 };
    let mut comparison = Comparison::new();
    for n in 1..=most {
        let n = BigUint::from(n);
        let attempt = Explorer::new(Layer::Bits, 3000)
            .explore(|coins| layers::uniform_below_attempt(coins, &n))?;
        let found = Attempts::new(attempt);
        let each = Enclosure::of(&Rational::new(1.into(), n.clone().into()), BITS);
        let nothing = Enclosure::integer(0, BITS);
        let width = (&n - 1u32).bits();
        let wrong = (0..1u64 << width)
            .map(BigUint::from)
            .find(|k| !found.allows(k, if *k < n { &each } else { &nothing }));
        let ruled_out = wrong.map(|outcome| outcome.to_string());
        comparison.add(
            &format!("n = {n}"),
            ruled_out,
            found.undecided(),
            found.runs(),
        );
    }
    Ok(comparison.evidence(
        format!("one attempt, bit by bit, n = 1..={most}"),
        &Rational::zero(),
    ))
}

fn bernoulli(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut comparison = Comparison::new();
    for denominator in 1..=24i64 {
        for numerator in 0..=denominator {
            let p = ratio(numerator, denominator);
            let (ruled_out, undecided, runs) =
                explore_bool(Layer::Bits, 120, &Enclosure::of(&p, BITS), |coins| {
                    coins.bernoulli(&p)
                })?;
            comparison.add(&format!("p = {p}"), ruled_out, undecided, runs);
        }
    }
    Ok(comparison.evidence(
        "bit by bit, every p with denominator up to 24",
        &ratio(1, 1 << 40),
    ))
}

/// Arguments of exp(-x): 2/3, 3/4 and 4/5 are those at which a peer's division bug showed.
fn exponents() -> Vec<Rational> {
    [
        (0, 1),
        (1, 1000),
        (1, 2),
        (2, 3),
        (3, 4),
        (4, 5),
        (1, 1),
        (5, 2),
        (7, 1),
    ]
    .map(|(n, d)| ratio(n, d))
    .to_vec()
}

fn bernoulli_exp(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut comparison = Comparison::new();
    for x in exponents() {
        let truth = Enclosure::exp_of(&-&x, BITS)?;
        let (ruled_out, undecided, runs) = explore_bool(Layer::Bernoulli, 3000, &truth, |coins| {
            coins.bernoulli_exp(&x)
        })?;
        comparison.add(
            &format!("x = {x}, held Bernoulli"),
            ruled_out,
            undecided,
            runs,
        );
    }
    // Down to the bits, where an arithmetic that divides wrongly shows in 14 coin flips.
    for x in [ratio(2, 3), ratio(3, 4), ratio(4, 5)] {
        let truth = Enclosure::exp_of(&-&x, BITS)?;
        let (ruled_out, undecided, runs) =
            explore_bool(Layer::Bits, 3000, &truth, |coins| coins.bernoulli_exp(&x))?;
        comparison.add(&format!("x = {x}, bit by bit"), ruled_out, undecided, runs);
    }
    Ok(comparison.evidence(
        "over Bernoulli draws, x in {0, 1/1000, 1/2, 2/3, 3/4, 4/5, 1, 5/2, 7}; bit by bit, x in {2/3, 3/4, 4/5}",
        &ratio(1, 1000),
    ))
}

fn attempts(_effort: &Effort) -> Result<Evidence, LedgerError> {
    // l of the outcome, L of all outcomes, u undecided, and the known rejected mass 1 - L - u.
    let (l, all, u) = (ratio(1, 8), ratio(1, 2), ratio(1, 4));
    let rejected = Rational::one() - &all - &u;
    let not_rejected = Rational::one() - &rejected;
    let lower = &l / &not_rejected;
    let upper = (&l + &u) / &not_rejected;
    // All of the undecided mass turns out to belong to another outcome: the law gives l / (L + u).
    let least = &l / (&all + &u);
    // All of it belongs to this outcome: (l + u) / (L + u).
    let most = (&l + &u) / (&all + &u);
    let mut holds = lower == least && upper == most;
    // Any other share s of u to the outcome, t to others, the rest rejected, stays between.
    for s in 0..=8i64 {
        for t in 0..=8 - s {
            let to_outcome = &u * ratio(s, 8);
            let to_others = &u * ratio(t, 8);
            let truth = (&l + &to_outcome) / (&all + &to_outcome + &to_others);
            holds &= lower <= truth && truth <= upper;
        }
    }
    Ok(verified(
        holds,
        "exact identity",
        "proof in spec/samplers.md; 45 exact splits of the undecided mass, both ends attained",
    )
    .figure("bounds", format!("{lower} and {upper}")))
}

fn geometric(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut comparison = Comparison::new();
    for (numerator, denominator) in [(1000, 1), (3, 1), (1, 1), (7, 5), (2, 3), (1, 2), (1, 7)] {
        let law = Geometric::new(ratio(numerator, denominator))?;
        let found = Explorer::new(Layer::BernoulliExp, 6000).explore(|coins| law.sample(coins))?;
        comparison.add_law(&format!("rate {}", law.rate()), &law, &found)?;
    }
    Ok(comparison.evidence(
        "over Bernoulli(exp(-x)) draws, rates 1000, 3, 1, 7/5, 2/3, 1/2, 1/7",
        &ratio(1, 20),
    ))
}

fn discrete_laplace(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut comparison = Comparison::new();
    for (numerator, denominator) in [(1, 1000), (1, 2), (1, 1), (7, 3), (20, 1), (100, 1)] {
        let law = DiscreteLaplace::new(ratio(numerator, denominator))?;
        let attempt = Explorer::new(Layer::Laws, 1 << 17)
            .with_tail(ratio(1, 1 << 30))
            .explore(|coins| law.attempt(coins))?;
        comparison.add_attempts(
            &format!("scale {}", law.scale()),
            &law,
            &Attempts::new(attempt),
        )?;
    }
    for (numerator, denominator) in [(1, 2), (3, 2)] {
        let law = DiscreteLaplace::new(ratio(numerator, denominator))?;
        let attempt =
            Explorer::new(Layer::BernoulliExp, 4000).explore(|coins| law.attempt(coins))?;
        comparison.add_attempts(
            &format!("scale {}", law.scale()),
            &law,
            &Attempts::new(attempt),
        )?;
    }
    Ok(comparison.evidence(
        "one attempt: over geometric draws, scales 1/1000, 1/2, 1, 7/3, 20, 100; over Bernoulli(exp(-x)) draws, 1/2, 3/2",
        &ratio(1, 100),
    ))
}

fn explored_gaussian(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut comparison = Comparison::new();
    for (numerator, denominator) in [(1, 1_000_000), (1, 4), (1, 1), (25, 7), (400, 1)] {
        let law = DiscreteGaussian::new(ratio(numerator, denominator))?;
        let attempt = Explorer::new(Layer::Laws, 1 << 17)
            .with_tail(ratio(1, 1 << 30))
            .explore(|coins| law.attempt(coins))?;
        comparison.add_attempts(
            &format!("variance {}", law.variance()),
            &law,
            &Attempts::new(attempt),
        )?;
    }
    Ok(comparison.evidence(
        "one attempt, over discrete Laplace draws: variances 10^-6, 1/4, 1, 25/7, 400",
        &ratio(1, 1 << 20),
    ))
}

/// `sum over integers k of exp(-(k - centre)^2 / (2 variance))`, with what is left out bounded.
fn gaussian_sum(centre: &Rational, variance: &Rational) -> Result<Enclosure, NumberError> {
    let reach = BigInt::from(400);
    let middle = centre.round().to_integer();
    let mut sum = Enclosure::integer(0, BITS);
    let mut k = &middle - &reach;
    while k <= &middle + &reach {
        let gap = Rational::from(k.clone()) - centre;
        sum = sum + Enclosure::exp_of(&(-(&gap * &gap) / (variance * BigInt::from(2))), BITS)?;
        k += 1;
    }
    // Beyond the reach R the terms fall at least by exp(-R / variance) a step, and start below
    // exp(-R^2 / (2 variance)), on both sides.
    let reach = Rational::from(reach);
    let first = Enclosure::exp_of(&(-(&reach * &reach) / (variance * BigInt::from(2))), BITS)?;
    let gap = Enclosure::exp_of(&(-&reach / variance), BITS)?.complement();
    let rest = first.divided_by(&gap)?.shifted(1);
    Ok(Enclosure::new(sum.lo(), &(sum.hi() + rest.hi()), BITS))
}

fn zcdp(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut holds = true;
    let mut count = 0;
    let mut slack = Enclosure::integer(0, BITS);
    for variance in [
        ratio(1, 9),
        ratio(1, 2),
        ratio(1, 1),
        ratio(2, 1),
        ratio(10, 3),
    ] {
        let centred = gaussian_sum(&Rational::zero(), &variance)?;
        for shift in 1..=4i64 {
            for alpha in [
                ratio(11, 10),
                ratio(3, 2),
                ratio(2, 1),
                ratio(5, 2),
                ratio(10, 1),
            ] {
                // Completing the square: D_alpha = alpha D^2 / (2 v)
                //   + ln(sum exp(-(k - c)^2 / (2v)) / sum exp(-k^2 / (2v))) / (alpha - 1), c = alpha D.
                let centre = &alpha * rational::integer(shift);
                let moved = gaussian_sum(&centre, &variance)?;
                let excess = moved.divided_by(&centred)?;
                let one = Enclosure::integer(1, BITS);
                if centre.is_integer() {
                    holds &= excess.meets(&one) && excess.has_digits(30);
                } else {
                    holds &= excess.is_below(&one);
                    slack = slack.max(&excess.complement());
                }
                count += 1;
            }
        }
    }
    Ok(verified(holds, "certified enclosure", format!("{count} cases: v in {{1/9, 1/2, 1, 2, 10/3}}, D = 1..4, alpha in {{11/10, 3/2, 2, 5/2, 10}}; proof for all in spec/samplers.md"),
    )
    .figure("largest relative slack", slack))
}

/// The instance of `spec/samplers.md`: standard deviation parameter 2, four coordinates that move by one.
const SHIFT: [i64; 4] = [1, 1, 1, 1];

fn multivariate(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let (variance, epsilon) = (ratio(4, 1), ratio(4, 1));
    let one_dimension =
        DiscreteGaussian::new(variance.clone())?.profile(&2.into(), &epsilon, BITS)?;
    let exact = discrete_gaussian::profile_of_shift(&variance, &SHIFT, &epsilon, BITS)?;
    let stands = one_dimension.is_below(&exact);
    Ok(refuted(
        stands,
        "certified enclosure",
        "variance 4, shift (1, 1, 1, 1) of norm 2, epsilon = 4",
    )
    .figure("delta of the one-dimensional profile at 2", &one_dimension)
    .figure("delta of the shift, by exact convolution", &exact)
    .figure("ratio", exact.divided_by(&one_dimension)?))
}

fn multivariate_corrected(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut holds = true;
    let mut cases = 0;
    let shifts: [&[i64]; 6] = [&[1], &[3], &[1, 1], &[2, 1], &SHIFT, &[3, 4]];
    for shift in shifts {
        let squared: BigInt = shift.iter().map(|v| BigInt::from(v * v)).sum();
        for variance in [ratio(1, 1), ratio(4, 1), ratio(64, 1)] {
            for epsilon in [ratio(1, 10), ratio(1, 2), ratio(2, 1)] {
                let exact = discrete_gaussian::profile_of_shift(&variance, shift, &epsilon, BITS)?;
                let bound =
                    discrete_gaussian::delta(&variance, &squared, shift.len() as u64, &epsilon)?;
                // The convolution is exact to an absolute error, in which tiny deltas drown.
                holds &= exact.upper() <= bound + Rational::new(1.into(), BigInt::one() << 128);
                cases += 1;
            }
        }
    }
    Ok(verified(
        holds,
        "certified enclosure",
        format!(
            "{cases} cases against exact convolution (to 2^-128), up to four coordinates; proof for all in spec/samplers.md"
        ),
    ))
}

fn continuous(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let epsilon = Rational::one();
    let discrete = DiscreteGaussian::new(ratio(25, 1))?.profile(&1.into(), &epsilon, BITS)?;
    let continuous = gaussian::profile(&ratio(1, 5), &epsilon, BITS)?;
    let stands = continuous.is_below(&discrete);
    Ok(refuted(
        stands,
        "certified enclosure",
        "standard deviation parameter 5, shift 1, epsilon = 1",
    )
    .figure("delta of the discrete Gaussian", &discrete)
    .figure("delta of the continuous Gaussian", &continuous)
    .figure("ratio", discrete.divided_by(&continuous)?))
}

/// Arguments of many sizes, and both arithmetics at each.
#[cfg(feature = "mpfr")]
fn two_arithmetics(effort: &Effort) -> Result<Evidence, LedgerError> {
    use crate::number::{certify, witness};
    type Function = (
        &'static str,
        fn(&Enclosure) -> Result<Enclosure, NumberError>,
        fn(&Rational, u32) -> Enclosure,
        bool,
    );
    // The last entry: whether negative arguments are in the domain.
    let functions: [Function; 9] = [
        ("exp", Enclosure::exp, witness::exp, true),
        ("exp - 1", Enclosure::exp_minus_one, witness::exp_m1, true),
        ("ln", Enclosure::ln, witness::ln, false),
        ("sqrt", Enclosure::sqrt, witness::sqrt, false),
        ("sin", Enclosure::sin, witness::sin, true),
        ("cos", Enclosure::cos, witness::cos, true),
        ("atan", |x| Ok(x.atan()), witness::atan, true),
        ("erfc", |x| Ok(x.erfc()), witness::erfc, true),
        ("Phi", |x| Ok(x.normal_cdf()), witness::normal_cdf, true),
    ];
    let digits = 40;
    let count = if effort.quick { 40 } else { 400 };
    let mut coins = ChaCha::reproducible(effort.seed, 100);
    let mut disagreement = None;
    for (name, ours, theirs, negative) in functions {
        for _ in 0..count {
            // A dyadic argument of 40 bits and of size 2^-20 to 2^5.
            let mantissa = BigInt::from(coins.bits(40)? | 1);
            let shift = 15 + coins.bits(5)? % 26 + 20;
            let sign = negative && coins.bits(1)? == 1;
            let magnitude = Rational::new(mantissa, BigInt::one() << shift);
            let x = if sign { -magnitude } else { magnitude };
            let enclosure = certify(digits, |bits| ours(&Enclosure::of(&x, bits.max(64))))?;
            let other = certify(digits, |bits| Ok(theirs(&x, bits)))?;
            if !enclosure.meets(&other) {
                disagreement.get_or_insert(format!("{name}({x})"));
            }
        }
    }
    let agree = disagreement.is_none();
    let evidence = verified(
        agree,
        "two independent arithmetics",
        format!(
            "nine functions at {count} arguments each to {digits} digits; tests/two_arithmetics.rs has the hard arguments"
        ),
    );
    Ok(match disagreement {
        Some(place) => evidence.figure("they disagree at", place),
        None => evidence,
    })
}

/// Without MPFR there is one arithmetic only.
#[cfg(not(feature = "mpfr"))]
fn two_arithmetics(_effort: &Effort) -> Result<Evidence, LedgerError> {
    Ok(Evidence::new(
        "none",
        Status::Open,
        "one arithmetic spoke: built without the feature mpfr, which needs m4 and a C compiler",
    ))
}

fn spherical(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let law = DiscreteGaussian::new(ratio(3, 4))?;
    let found = Explorer::new(Layer::Laws, 6000)
        .with_tail(ratio(1, 1 << 20))
        .explore(|coins| spherical_gaussian(&law, 2, coins))?;
    let mut ruled_out = None;
    for point in found.lower.keys() {
        let product = law.pmf(&point[0], BITS)? * law.pmf(&point[1], BITS)?;
        if !found.allows(point, &product) {
            ruled_out = Some(format!("{point:?}"));
        }
    }
    let mut comparison = Comparison::new();
    comparison.add("variance 3/4", ruled_out, found.undecided, found.runs);
    Ok(comparison.evidence(
        "two coordinates over discrete Gaussian draws, variance 3/4",
        &ratio(1, 1 << 10),
    ))
}

/// Instances of the exponential mechanism: `(epsilon, sensitivity, [(loss, count)])`.
fn mechanisms() -> Result<Vec<ExponentialMechanism>, CoinsError> {
    type Instance<'a> = ((i64, i64), (i64, i64), &'a [(i64, i64, u32)]);
    let instances: [Instance; 5] = [
        ((1, 1), (1, 1), &[(0, 1, 1), (1, 1, 1)]),
        ((2, 1), (1, 1), &[(0, 1, 1), (1, 1, 5), (3, 1, 40)]),
        (
            (1, 3),
            (5, 2),
            &[(7, 2, 3), (1, 2, 2), (40, 1, 7), (3, 1, 0)],
        ),
        ((10, 1), (1, 1), &[(2, 1, 0), (5, 1, 1), (6, 1, 9)]),
        ((1, 1), (1, 1), &[(4, 1, 6)]),
    ];
    instances
        .iter()
        .map(|(epsilon, sensitivity, classes)| {
            let classes = classes
                .iter()
                .map(|&(numerator, denominator, count)| ScoreClass {
                    loss: ratio(numerator, denominator),
                    count: count.into(),
                })
                .collect();
            ExponentialMechanism::new(
                ratio(epsilon.0, epsilon.1),
                ratio(sensitivity.0, sensitivity.1),
                classes,
            )
        })
        .collect()
}

fn exponential_mechanism(_effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut comparison = Comparison::new();
    for (number, law) in mechanisms()?.iter().enumerate() {
        let found = Explorer::new(Layer::Bits, 600).explore(|coins| law.draw_class(coins))?;
        comparison.add_law(&format!("instance {number}, inversion"), law, &found)?;
        let attempt =
            Explorer::new(Layer::BernoulliExp, 200).explore(|coins| law.attempt(coins))?;
        comparison.add_attempts(
            &format!("instance {number}, rejection"),
            law,
            &Attempts::new(attempt),
        )?;
    }
    Ok(comparison.evidence(
        "five instances of up to 46 outcomes, empty and single classes included; inversion bit by bit, one attempt of rejection",
        &ratio(1, 1 << 40),
    ))
}

/// The false-alarm probability of each single test; a run of the whole ledger makes fewer than a
/// thousand, so that all of one run together raise a false alarm with probability below 1e-9.
fn level() -> Rational {
    Rational::new(1.into(), BigInt::from(10).pow(12))
}

/// An event: its name, its probability, and whether an outcome is in it.
type Event<'a, T> = (&'a str, Enclosure, &'a dyn Fn(&T) -> bool);

/// Draws `n` times and tests how often each named event occurs.
fn test_generator<T>(
    effort: &Effort,
    stream: u64,
    events: &[Event<T>],
    mut draw: impl FnMut(&mut ChaCha) -> Result<T, CoinsError>,
) -> Result<Evidence, LedgerError> {
    let n = if effort.quick { 10_000 } else { 100_000 };
    let mut coins = ChaCha::reproducible(effort.seed, stream);
    let mut occurrences: BTreeMap<&str, u64> = BTreeMap::new();
    for _ in 0..n {
        let outcome = draw(&mut coins)?;
        for (name, _, event) in events {
            *occurrences.entry(name).or_default() += u64::from(event(&outcome));
        }
    }
    let mut accepted = true;
    let mut evidence = Evidence::new(
        "frequency test",
        Status::Supported,
        format!(
            "n = {n}, seed {}, level {} an event",
            effort.seed,
            rational::to_scientific(&level(), 1)
        ),
    );
    for (name, probability, _) in events {
        let test = FrequencyTest::new(n, probability.clone(), level())?;
        let count = occurrences.get(name).copied().unwrap_or(0);
        accepted &= test.accepts(count);
        evidence = evidence.figure(
            *name,
            format!(
                "{count} times, expected {}; detects a factor {} with probability 0.99",
                rational::to_scientific(&(probability.lower() * BigInt::from(n)), 6),
                rational::to_scientific(&test.detects()?, 4)
            ),
        );
    }
    if !accepted {
        evidence.status = Status::Refuted;
    }
    Ok(evidence.figure(
        "bits a draw",
        format!("{:.2}", bits_a_draw(coins.consumed(), n)),
    ))
}

/// For printing only.
#[allow(clippy::cast_precision_loss)]
fn bits_a_draw(bits: u64, draws: u64) -> f64 {
    bits as f64 / draws as f64
}

fn uniform_below_generator(effort: &Effort) -> Result<Evidence, LedgerError> {
    let six = BigUint::from(6u32);
    test_generator(
        effort,
        1,
        &[
            ("0", Enclosure::of(&ratio(1, 6), BITS), &|k: &BigUint| {
                k.is_zero()
            }),
            ("5", Enclosure::of(&ratio(1, 6), BITS), &|k| {
                *k == BigUint::from(5u32)
            }),
            ("even", Enclosure::of(&ratio(1, 2), BITS), &|k| !k.bit(0)),
        ],
        |coins| coins.uniform_below(&six),
    )
}

fn bernoulli_generator(effort: &Effort) -> Result<Evidence, LedgerError> {
    let p = ratio(1, 3);
    let events: &[Event<bool>] = &[("true", Enclosure::of(&p, BITS), &|&b| b)];
    test_generator(effort, 2, events, |coins| coins.bernoulli(&p))
}

fn bernoulli_exp_generator(effort: &Effort) -> Result<Evidence, LedgerError> {
    let x = ratio(3, 4);
    let events: &[Event<bool>] = &[("true", Enclosure::exp_of(&-&x, BITS)?, &|&b| b)];
    test_generator(effort, 3, events, |coins| coins.bernoulli_exp(&x))
}

fn geometric_generator(effort: &Effort) -> Result<Evidence, LedgerError> {
    let law = Geometric::new(ratio(1, 3))?;
    test_generator(
        effort,
        4,
        &[
            ("0", law.pmf(&BigUint::zero(), BITS)?, &|k: &BigUint| {
                k.is_zero()
            }),
            ("at most 3", law.cdf(&3u32.into(), BITS)?, &|k| {
                *k <= 3u32.into()
            }),
            (
                "at least 10",
                law.cdf(&9u32.into(), BITS)?.complement(),
                &|k| *k >= 10u32.into(),
            ),
        ],
        |coins| coins.draw(&law),
    )
}

fn discrete_laplace_generator(effort: &Effort) -> Result<Evidence, LedgerError> {
    let law = DiscreteLaplace::new(ratio(1_000_000, 7))?;
    let scale = law.scale().floor().to_integer();
    let twice = BigInt::from(2) * &scale;
    test_generator(
        effort,
        5,
        &[
            (
                "at most 0",
                law.cdf(&BigInt::zero(), BITS)?,
                &|k: &BigInt| !k.is_positive(),
            ),
            ("at most the scale", law.cdf(&scale, BITS)?, &|k| {
                *k <= scale
            }),
            (
                "below minus twice the scale",
                law.cdf(&(-&twice - 1), BITS)?,
                &|k| *k < -&twice,
            ),
        ],
        |coins| coins.draw(&law),
    )
}

fn discrete_gaussian_generator(effort: &Effort) -> Result<Evidence, LedgerError> {
    let law = DiscreteGaussian::new(ratio(1_000_000_000_000, 7))?;
    let sigma = law.variance().floor().to_integer().sqrt();
    let twice = BigInt::from(2) * &sigma;
    test_generator(
        effort,
        6,
        &[
            (
                "at most 0",
                law.cdf(&BigInt::zero(), BITS)?,
                &|k: &BigInt| !k.is_positive(),
            ),
            ("at most sigma", law.cdf(&sigma, BITS)?, &|k| *k <= sigma),
            (
                "below minus 2 sigma",
                law.cdf(&(-&twice - 1), BITS)?,
                &|k| *k < -&twice,
            ),
        ],
        |coins| coins.draw(&law),
    )
}

fn exponential_mechanism_generator(effort: &Effort) -> Result<Evidence, LedgerError> {
    let law = mechanisms()?.remove(1);
    test_generator(
        effort,
        7,
        &[
            ("class 0", law.pmf(&0, BITS)?, &|class: &usize| *class == 0),
            ("class 2", law.pmf(&2, BITS)?, &|class| *class == 2),
        ],
        |coins| coins.draw(&law),
    )
}
