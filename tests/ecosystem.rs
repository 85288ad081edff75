//! The laws through `rand`, `serde`, `proptest` and `quickcheck`.

use dp_assay::coins::{Coins, CoinsError, Generator, Law};
use dp_assay::law::arbitrary_laws::{AboveZero, above_zero};
use dp_assay::law::named::NamedLaw;
use dp_assay::law::{AboveThenAnswer, Censored, GammaLaw, Noise};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::sample::{
    DiscreteCauchy, DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, GammaNoise, Geometric,
    ScoreClass, ScoredChoice, WithReplacement,
};
use num_bigint::BigInt;
use num_traits::Zero;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{TestError, TestRunner};
use quickcheck::Gen;
use rand::distr::Distribution;
use rand::{Rng, RngExt, SeedableRng, TryCryptoRng, TryRng};
use rand_chacha::ChaCha20Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::fmt::Debug;

// ---- rand

/// Not cryptographic: SplitMix64.
struct Predictable(u64);

impl TryRng for Predictable {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next_u64() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(word ^ (word >> 31))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill_with(|| self.next_u32() as u8);
        Ok(())
    }
}

/// Gives so many words of a good generator, and then fails.
struct Failing {
    left: usize,
    generator: ChaCha20Rng,
}

impl TryRng for Failing {
    type Error = std::fmt::Error;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Err(std::fmt::Error)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.left = self.left.checked_sub(1).ok_or(std::fmt::Error)?;
        Ok(self.generator.next_u64())
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
        Err(std::fmt::Error)
    }
}

impl TryCryptoRng for Failing {}

fn seeded(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// Drawn by `rand` and by the coins of the same generator, the outcomes are the same.
fn is_drawn_alike<L: Law + Distribution<L::Outcome>>(law: &L) {
    for seed in 0..20 {
        let drawn: L::Outcome = seeded(seed).sample(law);
        let expected = Generator::new(seeded(seed)).draw(law);
        assert_eq!(Ok(drawn), expected, "{} at {seed}", law.label());
    }
}

#[test]
fn every_law_is_drawn_by_rand_as_by_coins() {
    let laplace = DiscreteLaplace::new(ratio(7, 3)).unwrap();
    let gaussian = DiscreteGaussian::new(ratio(17, 4)).unwrap();
    let values = [3i64, -8, 20];
    is_drawn_alike(&Geometric::new(ratio(2, 7)).unwrap());
    is_drawn_alike(&laplace);
    is_drawn_alike(&gaussian);
    is_drawn_alike(&DiscreteCauchy::new(ratio(9, 4)).unwrap());
    is_drawn_alike(&mechanism());
    is_drawn_alike(&ScoredChoice::new(vec![0, 2, 2, 1], &integer(1)).unwrap());
    is_drawn_alike(&WithReplacement::new(9, 5).unwrap());
    is_drawn_alike(&laplace.around(5));
    is_drawn_alike(&gaussian.around(5));
    is_drawn_alike(&laplace.around_all(values));
    is_drawn_alike(&gaussian.around_all(values));
    let [least, largest] = [-2, 2].map(BigInt::from);
    is_drawn_alike(&Censored::new(1, &laplace, [least, largest]).unwrap());
    let question = [0, 7].map(BigInt::from);
    is_drawn_alike(&AboveThenAnswer::new(question, &laplace, &laplace));
    // This one knows its normaliser, and is not needed for a draw.
    let noise = GammaNoise::new(integer(1), 2).unwrap();
    is_drawn_alike(&GammaLaw::new(noise.clone()).unwrap());
    for seed in 0..20 {
        let mut coins = Generator::new(seeded(seed));
        assert_eq!(Ok(seeded(seed).sample(&noise)), noise.draw(&mut coins));
        let named: NamedLaw = "geometric rate=1/9".parse().unwrap();
        let mut coins = Generator::new(seeded(seed));
        assert_eq!(Ok(seeded(seed).sample(&named)), named.draw(&mut coins));
    }
}

#[test]
fn a_simulation_takes_any_generator_and_goes_on_from_where_it_is() {
    let law = DiscreteGaussian::new(integer(100)).unwrap();
    let drawn: Vec<BigInt> = Predictable(5).sample_iter(&law).take(50).collect();
    let mut generator = Predictable(5);
    // Also one whose type is not known.
    let unknown: &mut dyn Rng = &mut generator;
    let one_by_one: Vec<BigInt> = (0..50).map(|_| unknown.sample(&law)).collect();
    assert_eq!(drawn, one_by_one);
    assert!((1..50).any(|at| drawn[at] != drawn[0]));
}

#[test]
fn a_generator_that_fails_within_a_draw_is_an_error() {
    let law = GammaNoise::new(ratio(1, 5), 3).unwrap();
    let expected = law.draw(&mut Generator::new(seeded(1))).unwrap();
    let draw = |left| {
        let generator = seeded(1);
        law.draw(&mut Generator::new(Failing { left, generator }))
    };
    let reason = std::fmt::Error.to_string();
    let enough = (0..1000).find(|&left| draw(left) == Ok(expected.clone()));
    let enough = enough.unwrap();
    assert!(enough > 1);
    for left in 0..enough {
        let reason = reason.clone();
        assert_eq!(draw(left), Err(CoinsError::Generator { reason }), "{left}");
    }
}

// ---- serde

fn class(loss: Rational, count: u32) -> ScoreClass {
    let count = count.into();
    ScoreClass { loss, count }
}

fn mechanism() -> ExponentialMechanism {
    let classes = vec![
        class(integer(0), 3),
        class(ratio(-1, 2), 0),
        class(ratio(4, 3), 10),
    ];
    ExponentialMechanism::new(integer(1), integer(2), classes).unwrap()
}

/// Writes and reads again.
fn is_written_as<T: Serialize + DeserializeOwned>(value: &T, json: &str) -> T {
    let written = serde_json::to_string(value).unwrap();
    assert_eq!(written, json);
    let read: T = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), json);
    read
}

/// The forms are public: a change of this test breaks what others have written.
#[test]
fn every_law_has_its_written_form() {
    macro_rules! written {
        ($($law:expr => $json:literal;)*) => {$({
            let law = $law.unwrap();
            assert_eq!(is_written_as(&law, $json), law);
        })*};
    }
    let named: NamedLaw = "discrete-laplace scale=0.7".parse().unwrap();
    is_written_as(&named, r#""discrete-laplace scale=7/10""#);
    written! {
        Geometric::new(ratio(1, 2)) => r#"{"rate":"1/2"}"#;
        DiscreteLaplace::new(ratio(7, 3)) => r#"{"scale":"7/3"}"#;
        DiscreteGaussian::new(integer(4)) => r#"{"variance":"4"}"#;
        DiscreteCauchy::new(ratio(9, 4)) => r#"{"squared_scale":"9/4"}"#;
        GammaNoise::new(ratio(1, 4), 2) => r#"{"rate":"1/4","dimension":2}"#;
        Some(mechanism()) => r#"{"epsilon":"1","sensitivity":"2","classes":[{"loss":"0","count":"3"},{"loss":"-1/2","count":"0"},{"loss":"4/3","count":"10"}]}"#;
        ScoredChoice::new(vec![0, 2, 2], &ratio(1, 10)) => r#"{"scores":[0,2,2],"epsilon":"1/10"}"#;
        WithReplacement::new(5, 3).unwrap().at_most(2) => r#"{"records":5,"draws":3,"most":2}"#;
        WithReplacement::new(5, 3) => r#"{"records":5,"draws":3,"most":3}"#;
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(
        geometric: Geometric,
        laplace: DiscreteLaplace,
        gaussian: DiscreteGaussian,
        cauchy: DiscreteCauchy,
        gamma: GammaNoise,
        mechanism: ExponentialMechanism,
        choice: ScoredChoice,
        replacement: WithReplacement,
        named: NamedLaw,
    ) {
        fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
            let json = serde_json::to_string(value).unwrap();
            // No float is ever written.
            assert!(!json.contains('.'), "{json}");
            is_written_as(value, &json)
        }
        prop_assert_eq!(again(&geometric), geometric);
        prop_assert_eq!(again(&laplace), laplace);
        prop_assert_eq!(again(&gaussian), gaussian);
        prop_assert_eq!(again(&cauchy), cauchy);
        prop_assert_eq!(again(&gamma), gamma);
        prop_assert_eq!(again(&choice), choice);
        prop_assert_eq!(again(&replacement), replacement);
        prop_assert_eq!(again(&named).to_string(), named.to_string());
        // Equal as laws, and with the same guarantee.
        let read = again(&mechanism);
        prop_assert_eq!(read.epsilon(), mechanism.epsilon());
        prop_assert_eq!(read.sensitivity(), mechanism.sensitivity());
        prop_assert_eq!(read, mechanism);
    }
}

#[test]
fn what_is_no_law_is_refused_by_the_name_of_its_field() {
    fn refused<T: DeserializeOwned + Debug>(json: &str, says: &str) {
        let error = serde_json::from_str::<T>(json).unwrap_err().to_string();
        assert!(error.starts_with(says), "{json}: {error}");
    }
    refused::<DiscreteLaplace>(
        r#"{"scale":"-1"}"#,
        "discrete Laplace: scale must be above 0, got -1",
    );
    refused::<DiscreteLaplace>(
        r#"{"scale":0.1}"#,
        "invalid type: floating point `0.1`, expected scale in quotes, such as \"7/3\" or \"0.1\"",
    );
    refused::<DiscreteLaplace>(r#"{"scale":"1/0"}"#, "scale: '1/0' is not an exact number");
    refused::<DiscreteLaplace>(r#"{"scale":"NaN"}"#, "scale: 'NaN' is not an exact number");
    refused::<DiscreteLaplace>(r#"{"scale":"1e99999"}"#, "scale: '1e99999' is too large");
    refused::<DiscreteLaplace>(r#"{"rate":"1"}"#, "unknown field `rate`, expected `scale`");
    refused::<DiscreteLaplace>("{}", "missing field `scale`");
    refused::<Geometric>(r#"{"rate":"0"}"#, "geometric: rate must be above 0, got 0");
    refused::<DiscreteGaussian>(
        r#"{"variance":"-1/3"}"#,
        "discrete Gaussian: variance must be above 0, got -1/3",
    );
    refused::<DiscreteCauchy>(
        r#"{"squared_scale":"0.99"}"#,
        "discrete Cauchy: squared scale must be at least 1, got 99/100",
    );
    refused::<GammaNoise>(
        r#"{"rate":"1","dimension":17}"#,
        "Gamma noise: dimension must be 1 to 16, got 17",
    );
    refused::<ScoreClass>(
        r#"{"loss":"1","count":"-1"}"#,
        "count must be a whole number of at least 0, got -1",
    );
    refused::<ScoreClass>(
        r#"{"loss":"1","count":"1/2"}"#,
        "count must be a whole number of at least 0, got 1/2",
    );
    refused::<ExponentialMechanism>(
        r#"{"epsilon":"1","sensitivity":"0","classes":[{"loss":"1","count":"1"}]}"#,
        "exponential mechanism: sensitivity must be above 0, got 0",
    );
    refused::<ExponentialMechanism>(
        r#"{"epsilon":"1","sensitivity":"1","classes":[{"loss":"1","count":"0"}]}"#,
        "exponential mechanism: classes must be at least one with a count above 0, got none",
    );
    refused::<ScoredChoice>(
        r#"{"scores":[],"epsilon":"1"}"#,
        "exponential mechanism: scores must be at least one, got none",
    );
    refused::<ScoredChoice>(
        r#"{"scores":[0.5],"epsilon":"1"}"#,
        "invalid type: floating",
    );
    refused::<WithReplacement>(
        r#"{"records":3,"draws":4,"most":1}"#,
        "draws with replacement: the most uses of one record must be at least draws / records",
    );
    refused::<NamedLaw>(
        r#""discrete-laplace scale=1e-7""#,
        "discrete-laplace: scale must be between 1e-6 and 1e100, got 1e-7",
    );
}

#[test]
fn a_law_that_has_no_name_is_not_written() {
    let narrow = DiscreteLaplace::new(ratio(1, 10_000_000)).unwrap();
    assert!(serde_json::to_string(&narrow).is_ok());
    let error = serde_json::to_string(&NamedLaw::DiscreteLaplace(narrow)).unwrap_err();
    assert!(
        error.to_string().contains("between 1e-6 and 1e100"),
        "{error}"
    );
}

#[test]
fn laws_are_read_from_other_formats() {
    #[derive(serde::Deserialize)]
    struct Configuration {
        noise: DiscreteGaussian,
        selection: ExponentialMechanism,
        test: NamedLaw,
    }
    let text = r#"
        test = "geometric rate=1/3"
        [noise]
        variance = "0.25"
        [selection]
        epsilon = "1"
        sensitivity = "2"
        classes = [
            { loss = "0", count = "3" }, { loss = "-0.5", count = "0" }, { count = "1e1", loss = "4/3" },
        ]
    "#;
    let read: Configuration = toml::from_str(text).unwrap();
    assert_eq!(*read.noise.variance(), ratio(1, 4));
    assert_eq!(read.selection, mechanism());
    assert_eq!(read.test.to_string(), "geometric rate=1/3");
}

/// A structure of somebody else with an exact number.
#[derive(Debug, PartialEq, Serialize, serde::Deserialize)]
struct Claim {
    #[serde(with = "dp_assay::number::exact_text")]
    epsilon: Rational,
}

fn read_claim(epsilon: &str) -> Result<Rational, String> {
    let claim: Result<Claim, _> = serde_json::from_str(&format!("{{\"epsilon\":{epsilon}}}"));
    claim
        .map(|claim| claim.epsilon)
        .map_err(|error| error.to_string())
}

#[test]
fn a_number_is_written_as_a_fraction_and_read_exactly() {
    let written = |epsilon| serde_json::to_string(&Claim { epsilon }).unwrap();
    assert_eq!(written(ratio(-7, 3)), r#"{"epsilon":"-7/3"}"#);
    assert_eq!(written(integer(12)), r#"{"epsilon":"12"}"#);
    for (text, value) in [
        (r#""14/6""#, ratio(7, 3)),
        (r#""0.1""#, ratio(1, 10)),
        (r#""1e-6""#, ratio(1, 1_000_000)),
        (r#""0x1.8p+0""#, ratio(3, 2)),
    ] {
        assert_eq!(read_claim(text), Ok(value));
    }
}

#[test]
fn a_number_without_quotes_is_refused() {
    for (text, found) in [
        ("0.1", "floating point `0.1`"),
        ("2", "integer `2`"),
        ("null", "null"),
        ("[1]", "sequence"),
    ] {
        let says = read_claim(text).unwrap_err();
        let expected = "the number in quotes, such as \"7/3\" or \"0.1\"";
        let expected = format!("invalid type: {found}, expected {expected}");
        assert!(says.starts_with(&expected), "{says}");
    }
    let says = read_claim(r#""seven""#).unwrap_err();
    assert!(
        says.starts_with("the number: 'seven' is not an exact number"),
        "{says}"
    );
}

#[test]
fn no_number_is_written_that_is_too_long_to_be_read() {
    let power = |digits: u32| integer(BigInt::from(10).pow(digits - 1));
    for of in [|power: Rational| -power, |power: Rational| power.recip()] {
        let epsilon = of(power(10_000));
        let claim = Claim { epsilon };
        let text = serde_json::to_string(&claim).unwrap();
        assert_eq!(serde_json::from_str::<Claim>(&text).unwrap(), claim);
        let epsilon = of(power(10_001));
        let error = serde_json::to_string(&Claim { epsilon }).unwrap_err();
        assert!(
            error.to_string().contains("more than 10000 digits"),
            "{error}"
        );
    }
}

// ---- proptest and quickcheck

fn is_in_range(value: &Rational) -> bool {
    *value >= ratio(1, 100) && *value < integer(101)
}

/// Its denominator is beyond those of simple numbers.
fn is_ugly(value: &Rational) -> bool {
    *value.denom() > BigInt::from(u64::MAX >> 4)
}

/// What both frameworks must give among 300 numbers: 100 ugly ones are expected, with a standard deviation of 8.2.
fn are_various(values: &[Rational]) {
    assert!(values.iter().all(is_in_range));
    let count = |is: fn(&Rational) -> bool| values.iter().filter(|value| is(value)).count();
    let ugly = count(is_ugly);
    assert!((50..=150).contains(&ugly), "{ugly}");
    assert!(count(|value| *value < integer(1)) > 50 && count(|value| *value > integer(1)) > 50);
}

/// Empty classes, classes of one loss, and the best class empty: all of them occur.
fn are_various_mechanisms(laws: &[ExponentialMechanism]) {
    let count = |is: fn(&[ScoreClass]) -> bool| {
        let having = laws.iter().filter(|law| is(law.classes()));
        having.count()
    };
    let best_is_empty = |classes: &[ScoreClass]| {
        let best = classes.iter().min_by_key(|class| class.loss.clone());
        best.is_some_and(|class| class.count.is_zero())
    };
    let share_a_loss = |classes: &[ScoreClass]| {
        let pairs =
            (1..classes.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
        pairs
            .into_iter()
            .any(|(first, second)| classes[first].loss == classes[second].loss)
    };
    for is in [
        |classes: &[ScoreClass]| classes.len() == 1,
        |classes: &[ScoreClass]| classes.len() == 6,
        |classes: &[ScoreClass]| classes.iter().any(|class| class.count.is_zero()),
        best_is_empty,
        share_a_loss,
        |classes: &[ScoreClass]| classes.iter().any(|class| is_ugly(&class.loss)),
    ] {
        assert!(count(is) >= 5, "{}", count(is));
    }
}

fn drawn<S: Strategy>(strategy: &S) -> Vec<S::Value> {
    let mut runner = TestRunner::deterministic();
    let draw = |_| strategy.new_tree(&mut runner).unwrap().current();
    (0..300).map(draw).collect()
}

fn arbitrary<A: quickcheck::Arbitrary>() -> Vec<A> {
    let mut source = Gen::from_size_and_seed(100, 1);
    (0..300).map(|_| A::arbitrary(&mut source)).collect()
}

#[test]
fn parameters_are_small_and_large_simple_and_ugly() {
    are_various(&drawn(&above_zero()));
    let scales = drawn(&any::<DiscreteLaplace>());
    are_various(
        &scales
            .iter()
            .map(|law| law.scale().clone())
            .collect::<Vec<_>>(),
    );
    let values: Vec<AboveZero> = arbitrary();
    are_various(&values.into_iter().map(|value| value.0).collect::<Vec<_>>());
    let laws: Vec<DiscreteGaussian> = arbitrary();
    are_various(
        &laws
            .iter()
            .map(|law| law.variance().clone())
            .collect::<Vec<_>>(),
    );
}

#[test]
fn mechanisms_have_empty_classes_and_classes_of_one_loss() {
    are_various_mechanisms(&drawn(&any::<ExponentialMechanism>()));
    are_various_mechanisms(&arbitrary());
}

/// The simplest law that fails, of a search by `proptest`.
fn simplest<L: Arbitrary>(fails: impl Fn(&L) -> bool) -> L {
    let found = TestRunner::deterministic().run(&any::<L>(), |law| {
        prop_assert!(!fails(&law));
        Ok(())
    });
    match found {
        Err(TestError::Fail(_, law)) => law,
        found => panic!("{found:?}"),
    }
}

/// The same by `quickcheck`: whatever it starts from, in a bounded number of steps.
fn simplest_of_each<L: quickcheck::Arbitrary>(fails: impl Fn(&L) -> bool) -> Vec<L> {
    let simpler = |law: L| {
        let mut law = law;
        for _ in 0..1000 {
            match law.shrink().find(&fails) {
                Some(next) => law = next,
                None => return law,
            }
        }
        panic!("does not end");
    };
    arbitrary()
        .into_iter()
        .filter(|law| fails(law))
        .map(simpler)
        .collect()
}

#[test]
fn a_fault_is_shrunk_to_a_simple_law() {
    let wide = |law: &DiscreteLaplace| *law.scale() > integer(3);
    assert_eq!(*simplest(wide).scale(), integer(4));
    let found = simplest_of_each(wide);
    assert!(found.len() > 10 && found.iter().all(|law| *law.scale() == integer(4)));
    let narrow = |law: &DiscreteGaussian| *law.variance() < ratio(1, 3);
    let found = simplest_of_each(narrow);
    assert!(found.len() > 10 && found.iter().all(|law| *law.variance() == ratio(1, 4)));
    let variance = simplest(narrow).variance().clone();
    assert!(
        *variance.numer() == BigInt::from(1) && !is_ugly(&variance),
        "{variance}"
    );
}

#[test]
fn a_mechanism_is_shrunk_class_by_class() {
    let has_an_empty_class =
        |law: &ExponentialMechanism| law.classes().iter().any(|class| class.count.is_zero());
    let mut found = simplest_of_each(has_an_empty_class);
    assert!(found.len() > 10);
    found.push(simplest(has_an_empty_class));
    for law in found {
        let (epsilon, sensitivity) = (law.epsilon(), law.sensitivity());
        assert_eq!((epsilon, sensitivity), (&integer(1), &integer(1)));
        let mut classes = law.classes().to_vec();
        assert!(
            classes.iter().all(|class| class.loss.numer().bits() <= 3),
            "{classes:?}"
        );
        classes.sort_by_key(|class| class.count.clone());
        let counts: Vec<u32> = classes
            .iter()
            .map(|class| class.count.iter_u32_digits().sum())
            .collect();
        assert_eq!(counts, [0, 1]);
    }
}

#[test]
fn every_law_shrinks_to_an_end() {
    fn shrinks<L: quickcheck::Arbitrary>() -> L {
        let mut simplest = simplest_of_each::<L>(|_| true);
        assert_eq!(simplest.len(), 300);
        simplest.swap_remove(0)
    }
    assert_eq!(shrinks::<AboveZero>(), AboveZero(integer(1)));
    assert_eq!(*shrinks::<Geometric>().rate(), integer(1));
    assert_eq!(*shrinks::<DiscreteCauchy>().squared_scale(), integer(1));
    assert_eq!(
        shrinks::<GammaNoise>(),
        GammaNoise::new(integer(1), 1).unwrap()
    );
    assert_eq!(
        shrinks::<WithReplacement>(),
        WithReplacement::new(1, 1).unwrap()
    );
    assert_eq!(
        shrinks::<ScoredChoice>(),
        ScoredChoice::new(vec![0], &integer(1)).unwrap()
    );
    let least = vec![class(integer(0), 1)];
    let least = ExponentialMechanism::new(integer(1), integer(1), least).unwrap();
    assert_eq!(shrinks::<ExponentialMechanism>(), least);
    assert!(shrinks::<NamedLaw>().to_string().ends_with("=1"));
}
