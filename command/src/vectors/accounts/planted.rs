//! The mistakes of accountants that cases of class F are for: each is made, and a case is given to one that it shows.

use super::questions::{At, Law, Question};
use super::renyi::{Conversion, Curve};
use super::transform;
use crate::error::Error;
use dp_assay::accountant::{Known, Mechanism, Relation};
use dp_assay::number::Rational;
use dp_assay::number::rational::{from_f64, integer, ratio, to_f64_for_display};

/// A mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mistake {
    Transform,
    Direction,
    Fixed,
    Orders,
    Conversion,
}

impl Mistake {
    pub const ALL: [Self; 5] = [
        Self::Transform,
        Self::Direction,
        Self::Fixed,
        Self::Orders,
        Self::Conversion,
    ];

    /// Its word, its effect in a word, and both in a sentence.
    pub fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Transform => (
                "transform",
                "unsound",
                "losses are convolved by a Fourier transform in doubles, and its error is not charged: at small delta epsilon is below the truth",
            ),
            Self::Direction => (
                "direction",
                "unsound",
                "only one of the two pairs is accounted, where neighbours have a record more or fewer: of Gaussian noise only the addition, of Laplace noise only the removal",
            ),
            Self::Fixed => (
                "fixed",
                "unsound",
                "batches of a fixed size are taken for Poisson samples, at the same noise: a replaced record moves a sum by up to 2",
            ),
            Self::Orders => (
                "orders",
                "loose",
                "Renyi divergences of the orders 2, 3, ..., 64 alone, with the new conversion: other orders would give less",
            ),
            Self::Conversion => (
                "conversion",
                "loose",
                "epsilon = divergence + ln(1/delta) / (order - 1), the conversion of Renyi divergences that was usual before 2020",
            ),
        }
    }

    /// Whether it makes epsilon too small.
    pub fn is_unsound(self) -> bool {
        self.words().1 == "unsound"
    }

    /// What an accountant with the mistake says, where the case shows it: outside of both ends, with something to spare.
    pub fn shown(self, question: &Question, truth: &Known) -> Result<Option<Rational>, Error> {
        let found = match self {
            Self::Transform => of_transform(question)?,
            Self::Direction => of_direction(question)?,
            Self::Fixed => of_fixed(question)?,
            Self::Orders | Self::Conversion => of_orders(self, question)?,
        };
        let (lo, hi) = (truth.value.lower(), truth.value.upper());
        Ok(found.filter(|found| match self.is_unsound() {
            true => *found < lo * ratio(99, 100),
            false => *found > hi * ratio(101, 100),
        }))
    }
}

/// Digits of an account that is planted.
const DIGITS: u32 = 3;

/// Of more steps than these the account of one direction is left out: it takes as long as both.
const MOST_STEPS: u64 = 1000;

fn of_transform(question: &Question) -> Result<Option<Rational>, Error> {
    let At::Delta(delta) = &question.at else {
        return Ok(None);
    };
    let delta = to_f64_for_display(delta);
    if question.law != Law::PoissonGaussian || question.steps < 10 || delta > 1e-7 {
        return Ok(None);
    }
    let found = transform::epsilon(&question.rate, &question.noise, question.steps, delta);
    Ok(found.and_then(|found| from_f64(found).ok()))
}

fn of_direction(question: &Question) -> Result<Option<Rational>, Error> {
    let relation = match question.law {
        Law::PoissonGaussian => Relation::Add,
        Law::PoissonLaplace => Relation::Remove,
        Law::FixedGaussian => return Ok(None),
    };
    if question.rate == integer(1) || question.steps > MOST_STEPS {
        return Ok(None);
    }
    let known = question.answer(question.mechanism(), relation, DIGITS)?;
    let found = known.value.upper();
    // A delta of next to nothing is what is left of rounding.
    let is_said = matches!(question.at, At::Delta(_)) || found > integer(10).pow(-30);
    Ok(is_said.then_some(found))
}

fn of_fixed(question: &Question) -> Result<Option<Rational>, Error> {
    if question.law != Law::FixedGaussian {
        return Ok(None);
    }
    let poisson = Mechanism::Gaussian {
        deviation: question.noise.clone(),
        rate: question.rate.clone(),
    };
    let known = question.answer(poisson, Relation::AddOrRemove, DIGITS)?;
    Ok(Some(known.value.upper()))
}

/// With the mistake, if without it there is less.
fn of_orders(mistake: Mistake, question: &Question) -> Result<Option<Rational>, Error> {
    if question.law != Law::PoissonGaussian {
        return Ok(None);
    }
    let (rate, deviation) = (
        to_f64_for_display(&question.rate),
        to_f64_for_display(&question.noise),
    );
    let answer = |curve: &Curve, conversion| match &question.at {
        At::Delta(delta) => curve.epsilon(question.steps, to_f64_for_display(delta), conversion),
        At::Epsilon(epsilon) => {
            curve.delta(question.steps, to_f64_for_display(epsilon), conversion)
        }
    };
    let fine = Curve::fine(rate, deviation);
    let right = answer(&fine, Conversion::New);
    let wrong = match mistake {
        Mistake::Orders => answer(&Curve::coarse(rate, deviation), Conversion::New),
        _ => answer(&fine, Conversion::Old),
    };
    Ok(from_f64(wrong).ok().filter(|_| wrong > 1.01 * right))
}
