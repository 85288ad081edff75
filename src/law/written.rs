//! Laws to be written and read with `serde` (feature `serde`).
//!
//! A law is its public parameters, by name. Numbers that may be fractions, or longer than a machine word, are text, such as
//! `"7/3"`, and never floats ([`exact_text`]); the others are integers. What is read goes through the constructor: its error
//! names the field and says what would be right. These forms do not change within a major version.
//!
//! | law | as JSON |
//! |---|---|
//! | [`Geometric`] | `{"rate":"1/2"}` |
//! | [`DiscreteLaplace`] | `{"scale":"7/3"}` |
//! | [`DiscreteGaussian`] | `{"variance":"4"}` |
//! | [`DiscreteCauchy`] | `{"squared_scale":"9/4"}` |
//! | [`GammaNoise`] | `{"rate":"1/4","dimension":2}` |
//! | [`ExponentialMechanism`] | `{"epsilon":"1","sensitivity":"2","classes":[{"loss":"0","count":"3"}]}` |
//! | [`ScoredChoice`] | `{"scores":[0,2,2],"epsilon":"1"}` |
//! | [`WithReplacement`] | `{"records":5,"draws":3,"most":2}` |
//! | [`NamedLaw`] | `"discrete-laplace scale=7/3"` |
//!
//! The losses of an exponential mechanism and the scores of a choice are data: what is written of them is as private as
//! these. Laws around a private value ([`Around`](super::Around) and the like) are not written: write their noise.
//!
//! ```
//! use dp_assay::sample::DiscreteLaplace;
//!
//! let noise: DiscreteLaplace = serde_json::from_str(r#"{"scale":"7/3"}"#)?;
//! assert_eq!(serde_json::to_string(&noise)?, r#"{"scale":"7/3"}"#);
//! let error = serde_json::from_str::<DiscreteLaplace>(r#"{"scale":"-1"}"#).unwrap_err();
//! assert_eq!(error.to_string(), "discrete Laplace: scale must be above 0, got -1");
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! [`exact_text`]: crate::number::exact_text

use super::named::NamedLaw;
use crate::coins::CoinsError;
use crate::number::OutOfRange;
use crate::sample::{
    DiscreteCauchy, DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, GammaNoise, Geometric,
    ScoreClass, ScoredChoice, WithReplacement,
};
use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{self, Serialize, Serializer};

/// What is written of each law: the names and the order of the fields are public.
mod form {
    use crate::number::Rational;
    use num_bigint::BigUint;
    use serde::{Deserialize, Serialize};

    /// A form, whose text fields say their names in errors.
    macro_rules! forms {
        ($($law:ident { $($field:ident: $kind:ty $(, $with:literal)?;)* })*) => {$(
            #[derive(Serialize, Deserialize)]
            #[serde(deny_unknown_fields)]
            pub(super) struct $law {
                $($(#[serde(with = $with)])? pub(super) $field: $kind,)*
            }
        )*};
    }

    forms! {
        Geometric { rate: Rational, "rate"; }
        DiscreteLaplace { scale: Rational, "scale"; }
        DiscreteGaussian { variance: Rational, "variance"; }
        DiscreteCauchy { squared_scale: Rational, "squared_scale"; }
        GammaNoise { rate: Rational, "rate"; dimension: usize; }
        ScoreClass { loss: Rational, "loss"; count: BigUint, "count"; }
        ExponentialMechanism {
            epsilon: Rational, "epsilon";
            sensitivity: Rational, "sensitivity";
            classes: Vec<crate::sample::ScoreClass>;
        }
        ScoredChoice { scores: Vec<u32>; epsilon: Rational, "epsilon"; }
        WithReplacement { records: usize; draws: usize; most: usize; }
    }

    /// An exact number as text, and its name.
    macro_rules! exact {
        ($($name:ident)*) => {$(
            mod $name {
                use crate::number::{Rational, exact_text};
                pub(super) use exact_text::serialize;
                use serde::Deserializer;

                pub(super) fn deserialize<'de, D: Deserializer<'de>>(
                    from: D,
                ) -> Result<Rational, D::Error> {
                    exact_text::named(from, stringify!($name))
                }
            }
        )*};
    }

    exact!(rate scale variance squared_scale epsilon sensitivity loss);

    mod count {
        use crate::number::{Rational, exact_text};
        use num_bigint::BigUint;
        use serde::{Deserializer, Serializer};

        pub(super) fn serialize<S: Serializer>(count: &BigUint, to: S) -> Result<S::Ok, S::Error> {
            exact_text::serialize(&Rational::from_integer(count.clone().into()), to)
        }

        pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BigUint, D::Error> {
            exact_text::named_count(from, "count")
        }
    }
}

/// A law is written as its form, and read by its constructor.
macro_rules! written {
    ($law:ident, $write:expr, $read:expr) => {
        impl Serialize for $law {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                let write: fn(&Self) -> form::$law = $write;
                write(self).serialize(to)
            }
        }

        impl<'de> Deserialize<'de> for $law {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let read: fn(form::$law) -> Result<Self, CoinsError> = $read;
                read(form::$law::deserialize(from)?).map_err(de::Error::custom)
            }
        }
    };
}

written!(
    Geometric,
    |law| form::Geometric {
        rate: law.rate().clone(),
    },
    |form| Self::new(form.rate)
);

written!(
    DiscreteLaplace,
    |law| form::DiscreteLaplace {
        scale: law.scale().clone(),
    },
    |form| Self::new(form.scale)
);

written!(
    DiscreteGaussian,
    |law| form::DiscreteGaussian {
        variance: law.variance().clone(),
    },
    |form| Self::new(form.variance)
);

written!(
    DiscreteCauchy,
    |law| form::DiscreteCauchy {
        squared_scale: law.squared_scale().clone(),
    },
    |form| Self::new(form.squared_scale)
);

written!(
    GammaNoise,
    |law| form::GammaNoise {
        rate: law.rate().clone(),
        dimension: law.dimension(),
    },
    |form| Self::new(form.rate, form.dimension)
);

written!(
    ScoreClass,
    |class| form::ScoreClass {
        loss: class.loss.clone(),
        count: class.count.clone(),
    },
    |form| Ok(Self {
        loss: form.loss,
        count: form.count,
    })
);

written!(
    ExponentialMechanism,
    |law| form::ExponentialMechanism {
        epsilon: law.epsilon().clone(),
        sensitivity: law.sensitivity().clone(),
        classes: law.classes().to_vec(),
    },
    |form| Self::new(form.epsilon, form.sensitivity, form.classes).map_err(|error| {
        let expected = "at least one with a count above 0";
        nothing_to_choose(error, "classes", expected)
    })
);

written!(
    ScoredChoice,
    |law| form::ScoredChoice {
        scores: law.scores().to_vec(),
        epsilon: law.epsilon().clone(),
    },
    |form| Self::new(form.scores, &form.epsilon).map_err(|error| nothing_to_choose(
        error,
        "scores",
        "at least one"
    ))
);

written!(
    WithReplacement,
    |law| form::WithReplacement {
        records: law.records(),
        draws: law.draws(),
        most: law.most(),
    },
    |form| Self::new(form.records, form.draws)?.at_most(form.most)
);

/// A choice from nothing, said by the name of the field that is empty.
fn nothing_to_choose(error: CoinsError, field: &'static str, expected: &'static str) -> CoinsError {
    match error {
        CoinsError::NoOutcome => CoinsError::Parameter {
            law: "exponential mechanism",
            wrong: OutOfRange::new(field, &"none", expected),
        },
        error => error,
    }
}

/// As it is named in text. One outside the range of its family, which would not be read again, is not written.
impl Serialize for NamedLaw {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let text = self.to_string();
        text.parse::<Self>().map_err(ser::Error::custom)?;
        to.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for NamedLaw {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(de::Error::custom)
    }
}
