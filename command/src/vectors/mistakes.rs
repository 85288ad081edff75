//! The mistakes that cases are for: each is planted in the second writing of the algorithms, and must be noticed.

use serde_json::{Map, Value, json};

/// A mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mistake {
    /// Of uniform-below.
    Modulo,
    Inclusive,
    Width,
    Order,
    Narrow,
    Word,
    /// Of every loop.
    GiveUp,
    /// Of bernoulli.
    Inverted,
    Float,
    Endless,
    /// Of bernoulli-exp.
    Division,
    Cap,
    Underflow,
    Parity,
    Fraction,
    /// Of geometric.
    Floor,
    Remainder,
    /// Of discrete-laplace.
    DoubleZero,
    Sign,
    /// Of discrete-gaussian.
    Proposal,
    Sigma,
    Overflow,
    /// Of what is given. Not planted: the case is the refusal itself.
    Unchecked,
    Padding,
}

impl Mistake {
    /// Its word, its effect in a word, and both in a sentence.
    pub fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Modulo => (
                "modulo",
                "bias",
                "a candidate that is too large is reduced instead of rejected: small integers come too often",
            ),
            Self::Inclusive => (
                "inclusive",
                "bias",
                "the candidate n is accepted: at most n instead of below n",
            ),
            Self::Width => (
                "width",
                "waste",
                "candidates have the length of n, not of n - 1: at a power of two half of them are rejected",
            ),
            Self::Order => (
                "order",
                "mismatch",
                "the first bit that is read is the lowest",
            ),
            Self::Narrow => ("narrow", "bias", "a candidate loses what is beyond 32 bits"),
            Self::Word => ("word", "bias", "a candidate loses what is beyond 64 bits"),
            Self::GiveUp => (
                "give-up",
                "bias",
                "after three rejections in a row the sampler gives up, and takes 0",
            ),
            Self::Inverted => (
                "inverted",
                "complement",
                "true at the first difference if the tape has the larger digit: 1 - p instead of p",
            ),
            Self::Float => (
                "float",
                "bias",
                "the comparison ends after 53 digits, as one of doubles does",
            ),
            Self::Endless => (
                "endless",
                "waste",
                "bits are read where the digits of p are known to be all 0 or all 1",
            ),
            Self::Division => (
                "division",
                "bias",
                "(a/b)/k takes the factor that a and k share out of b, not out of k: (2/3)/2 is 1/2",
            ),
            Self::Cap => (
                "cap",
                "bias",
                "x is cut off at 8: no probability is below e^-8",
            ),
            Self::Underflow => (
                "underflow",
                "bias",
                "e^-x counts as 0 for x above 7: no bit is read",
            ),
            Self::Parity => (
                "parity",
                "complement",
                "true if the first false comes at an even place",
            ),
            Self::Fraction => (
                "fraction",
                "bias",
                "the factor of the fraction of x is left out: e^-floor(x)",
            ),
            Self::Floor => (
                "floor",
                "scale",
                "the quotient by the numerator of the rate is left out: the rate is 1/t",
            ),
            Self::Remainder => (
                "remainder",
                "bias",
                "the remainder is uniform: its rejection is left out",
            ),
            Self::DoubleZero => (
                "double-zero",
                "bias",
                "minus zero is accepted: 0 comes twice as often as it should",
            ),
            Self::Sign => ("sign", "mismatch", "the sign is read after the magnitude"),
            Self::Proposal => (
                "proposal",
                "mismatch",
                "the proposals have scale floor(sqrt(variance)), without the 1",
            ),
            Self::Sigma => (
                "sigma",
                "scale",
                "the variance is taken for the standard deviation",
            ),
            Self::Overflow => (
                "overflow",
                "bias",
                "the numerator of the exponent is computed modulo 2^64",
            ),
            Self::Unchecked => (
                "unchecked",
                "undefined",
                "the parameter is not checked: a draw that never ends, or a law that there is not",
            ),
            Self::Padding => (
                "padding",
                "predictable",
                "where the coins end zeros are made up: the noise is known",
            ),
        }
    }

    pub fn word(self) -> &'static str {
        self.words().0
    }

    pub fn effect(self) -> &'static str {
        self.words().1
    }
}

/// The notes of a file: what its flags mean, and its bugs.
pub fn notes<'a>(
    flags: impl IntoIterator<Item = &'a str>,
    meaning: impl Fn(&str) -> &'static str,
    bugs: impl IntoIterator<Item = (&'static str, &'static str, &'static str)>,
) -> Value {
    let flags: Map<String, Value> = flags
        .into_iter()
        .map(|flag| (flag.to_owned(), meaning(flag).into()))
        .collect();
    let bugs: Map<String, Value> = bugs
        .into_iter()
        .map(|(word, effect, about)| (word.to_owned(), json!({"effect": effect, "about": about})))
        .collect();
    json!({"flags": flags, "bugs": bugs})
}
