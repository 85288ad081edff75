//! Sources of the library, lent to the reference: so equal coins go to both, the explorer runs the reference's code on every
//! outcome, and holds its laws atomic.

use dp_assay::coins as library;
use dp_assay::coins::{CoinsError, Explored, Layer, explorer::Run};
use dp_assay::law::{self as laws, Noise};
use dp_assay::number::Rational;
use dp_assay::sample as shipped;
use dp_assay_reference::sample::{self, Around, AroundAll};
use dp_assay_reference::{Error, coins as reference};
use num_bigint::BigUint;
use std::any::Any;

/// A source of the library, and the error that it gave, which the reference does not know.
#[derive(Debug, Clone)]
pub struct Lent<C> {
    coins: C,
    // Whether it explores, and may hold a law atomic.
    explores: bool,
    failed: Option<CoinsError>,
}

/// Equal seeds give equal coins to the library and to the reference.
pub type ChaCha = Lent<library::ChaCha>;
/// Given bits, for both.
pub type Tape = Lent<library::Tape>;

impl<C> Lent<C> {
    pub fn new(coins: C) -> Self {
        Self {
            coins,
            explores: false,
            failed: None,
        }
    }
}

impl ChaCha {
    pub fn reproducible(number: u64, stream: u64) -> Self {
        Self::new(library::ChaCha::reproducible(number, stream))
    }
}

impl Tape {
    pub fn written(text: &str) -> Self {
        Self::new(library::Tape::written(text))
    }
}

impl<C: library::Coins> library::Coins for Lent<C> {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        self.coins.bits(count)
    }

    fn consumed(&self) -> u64 {
        self.coins.consumed()
    }

    fn uniform_below(&mut self, n: &BigUint) -> Result<BigUint, CoinsError> {
        self.coins.uniform_below(n)
    }

    fn bernoulli(&mut self, p: &Rational) -> Result<bool, CoinsError> {
        self.coins.bernoulli(p)
    }

    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, CoinsError> {
        self.coins.bernoulli_exp(x)
    }

    fn draw<L: library::Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        self.coins.draw(law)
    }
}

impl<C: library::Coins> Lent<C> {
    fn ask<T>(
        &mut self,
        question: impl FnOnce(&mut C) -> Result<T, CoinsError>,
    ) -> Result<T, Error> {
        question(&mut self.coins).map_err(|error| {
            self.failed = Some(error);
            Error::Coins("lent".to_owned())
        })
    }

    /// A draw from the library's law that is this law of the reference; `None` if there is none.
    fn draw_in_the_library(&mut self, law: &dyn Any) -> Option<Result<Box<dyn Any>, Error>> {
        macro_rules! known {
            ($($kind:ty: |$law:ident| $make:expr;)*) => {$(
                if let Some($law) = law.downcast_ref::<$kind>() {
                    let theirs = $make;
                    return Some(self.ask(|coins| Ok(Box::new(coins.draw(&theirs)?) as Box<dyn Any>)));
                }
            )*};
        }
        let laplace = |law: &sample::DiscreteLaplace| {
            shipped::DiscreteLaplace::new(law.scale().clone()).unwrap()
        };
        let gaussian = |law: &sample::DiscreteGaussian| {
            shipped::DiscreteGaussian::new(law.variance().clone()).unwrap()
        };
        let gamma = |law: &sample::GammaNoise| {
            shipped::GammaNoise::new(law.rate().clone(), law.dimension()).unwrap()
        };
        known! {
            sample::Geometric: |law| shipped::Geometric::new(law.rate().clone()).unwrap();
            sample::DiscreteLaplace: |law| laplace(law);
            sample::DiscreteGaussian: |law| gaussian(law);
            sample::DiscreteCauchy: |law| shipped::DiscreteCauchy::new(law.squared_scale().clone()).unwrap();
            Around<sample::DiscreteLaplace>: |law| laplace(&law.noise).around(law.value.clone());
            Around<sample::DiscreteGaussian>: |law| gaussian(&law.noise).around(law.value.clone());
            AroundAll<sample::DiscreteLaplace>: |law| laplace(&law.noise).around_all(law.values.clone());
            AroundAll<sample::DiscreteGaussian>: |law| gaussian(&law.noise).around_all(law.values.clone());
            AroundAll<sample::GammaNoise>: |law| gamma(&law.noise).around_all(law.values.clone());
            sample::ScoredChoice: |law| shipped::ScoredChoice::new(law.losses().to_vec(), law.epsilon()).unwrap();
            sample::ExponentialMechanism: |law| {
                let class = |class: &sample::ScoreClass| shipped::ScoreClass { loss: class.loss.clone(), count: class.count.clone() };
                let (epsilon, sensitivity, classes) = law.parts();
                let classes = classes.iter().map(class).collect();
                shipped::ExponentialMechanism::new(epsilon.clone(), sensitivity.clone(), classes).unwrap()
            };
            sample::Censored: |law| {
                let (told, quiet) = law.parts();
                laws::Censored::new(told.value.clone(), &laplace(&told.noise), quiet.map(Clone::clone)).unwrap()
            };
            sample::AboveThenAnswer: |law| {
                let (excess, test, answer) = law.parts();
                let values = [excess.clone(), answer.value.clone()];
                laws::AboveThenAnswer::new(values, &laplace(test), &laplace(&answer.noise))
            };
            sample::WithReplacement: |law| {
                let [records, draws, most] = law.parts();
                shipped::WithReplacement::new(records, draws).unwrap().at_most(most).unwrap()
            };
        }
        None
    }
}

impl<C: library::Coins> reference::Coins for Lent<C> {
    fn bits(&mut self, count: u32) -> Result<u64, Error> {
        self.ask(|coins| coins.bits(count))
    }

    fn consumed(&self) -> u64 {
        self.coins.consumed()
    }

    fn uniform_below(&mut self, n: &BigUint) -> Result<BigUint, Error> {
        self.ask(|coins| coins.uniform_below(n))
    }

    fn bernoulli(&mut self, p: &Rational) -> Result<bool, Error> {
        self.ask(|coins| coins.bernoulli(p))
    }

    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, Error> {
        self.ask(|coins| coins.bernoulli_exp(x))
    }

    /// On real coins by the reference's own sampler; the explorer may hold the law atomic, and is asked for the library's.
    fn draw<L: reference::Law>(&mut self, law: &L) -> Result<L::Outcome, Error> {
        let held = match self.explores {
            true => self.draw_in_the_library(law),
            false => None,
        };
        match held {
            Some(drawn) => Ok(*drawn?
                .downcast()
                .expect("both laws have one kind of outcome")),
            None => law.sample(self),
        }
    }
}

/// What the reference says of an error that a source of the library gave: [`Explorer`] puts the source's in its place.
pub fn passed_on(error: Error) -> CoinsError {
    match error {
        Error::Coins(reason) => CoinsError::Generator { reason },
        other => panic!("{other}"),
    }
}

/// The library's explorer, for code of either.
#[derive(Debug, Clone)]
pub struct Explorer(library::Explorer);

impl Explorer {
    pub fn new(layer: Layer, runs: usize) -> Self {
        Self(library::Explorer::new(layer, runs))
    }

    pub fn with_tail(self, tail: Rational) -> Self {
        Self(self.0.with_tail(tail))
    }

    pub fn until(self, enough: Rational) -> Self {
        Self(self.0.until(enough))
    }

    pub fn explore<T: Ord>(
        &self,
        mut code: impl FnMut(&mut Lent<&mut Run>) -> Result<T, CoinsError>,
    ) -> Result<Explored<T>, CoinsError> {
        self.0.explore(|run| {
            let mut lent = Lent::new(run);
            lent.explores = true;
            let result = code(&mut lent);
            match lent.failed {
                Some(error) => Err(error),
                None => result,
            }
        })
    }
}

/// Runs the reference's `code` on every outcome of this layer, until less than `2^-20` is undecided.
pub fn explored<T: Ord>(
    layer: Layer,
    runs: usize,
    mut code: impl FnMut(&mut Lent<&mut Run>) -> Result<T, Error>,
) -> Explored<T> {
    Explorer::new(layer, runs)
        .until(Rational::new(1.into(), (1 << 20).into()))
        .explore(|run| code(run).map_err(passed_on))
        .unwrap()
}

/// The relation, as the reference has it.
pub fn relation(
    of: dp_assay::privacy::NeighbouringRelation,
) -> dp_assay_reference::privacy::NeighbouringRelation {
    use dp_assay::privacy::NeighbouringRelation as Theirs;
    use dp_assay_reference::privacy::NeighbouringRelation as Ours;
    match of {
        Theirs::Substitute => Ours::Substitute,
        Theirs::AddOrRemove => Ours::AddOrRemove,
    }
}
