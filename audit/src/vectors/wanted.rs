//! The cases of class B: which parameter, what must happen, and the mistake that must show.

use super::algorithms::Algorithm::{
    self, Bernoulli, BernoulliExp, DiscreteGaussian, DiscreteLaplace, Geometric, UniformBelow,
};
use super::mistakes::Mistake;

/// Cases of one kind.
pub struct Wanted {
    pub algorithm: Algorithm,
    pub parameters: &'static [&'static str],
    /// What happens in each of them.
    pub flag: &'static str,
    /// The mistake that each of them shows.
    pub bug: Mistake,
    /// How many there are of each parameter.
    pub count: usize,
}

const fn wanted(
    algorithm: Algorithm,
    flag: &'static str,
    bug: Mistake,
    count: usize,
    parameters: &'static [&'static str],
) -> Wanted {
    Wanted {
        algorithm,
        parameters,
        flag,
        bug,
        count,
    }
}

pub const WANTED: &[Wanted] = &[
    wanted(UniformBelow, "Ordinary", Mistake::Order, 2, &["10", "100", "355113"]),
    wanted(UniformBelow, "Ordinary", Mistake::Width, 1, &["1", "2", "4", "256", "65536"]),
    wanted(UniformBelow, "Ordinary", Mistake::Modulo, 2, &["5", "6", "10", "355"]),
    wanted(UniformBelow, "Boundary", Mistake::Inclusive, 2, &["3", "5", "6", "7", "1000"]),
    wanted(UniformBelow, "Unlucky", Mistake::GiveUp, 2, &["3", "5", "17", "1025"]),
    wanted(UniformBelow, "HugeScale", Mistake::Narrow, 2, &["4294967297", "1e12"]),
    wanted(
        UniformBelow,
        "HugeScale",
        Mistake::Word,
        2,
        &[
            "18446744073709551617",
            "1e30",
            "170141183460469231731687303715884105727",
            "1e60",
        ],
    ),
    wanted(UniformBelow, "HugeScale", Mistake::Width, 1, &["18446744073709551616"]),
    wanted(
        Bernoulli,
        "Ordinary",
        Mistake::Inverted,
        2,
        &["1/3", "2/7", "71/226", "1/10", "1/1000000", "999999/1000000", "1e-30"],
    ),
    wanted(Bernoulli, "Boundary", Mistake::Float, 2, &["1/3", "2/7", "71/226", "1/10"]),
    wanted(
        Bernoulli,
        "Boundary",
        Mistake::Endless,
        1,
        &["0", "1", "1/2", "3/4", "5/8", "1/1024"],
    ),
    wanted(BernoulliExp, "Ordinary", Mistake::Parity, 2, &["1/2", "1/3", "1/1000", "113/355"]),
    wanted(BernoulliExp, "Boundary", Mistake::Parity, 2, &["1"]),
    wanted(BernoulliExp, "Boundary", Mistake::Endless, 1, &["0"]),
    wanted(BernoulliExp, "Boundary", Mistake::Float, 1, &["2/7", "1/3", "113/355"]),
    wanted(BernoulliExp, "Ordinary", Mistake::Fraction, 2, &["3/2", "7/3", "355/113"]),
    wanted(
        BernoulliExp,
        "GcdSharing",
        Mistake::Division,
        3,
        &["2/3", "3/4", "4/5", "6/7", "12/13", "22/71", "8/3", "14/3"],
    ),
    wanted(BernoulliExp, "LargeExponent", Mistake::Cap, 1, &["8", "17/2", "9", "20", "50"]),
    wanted(
        BernoulliExp,
        "LargeExponent",
        Mistake::Underflow,
        2,
        &["15/2", "8", "20", "355/7", "1000", "1e12"],
    ),
    wanted(Geometric, "Ordinary", Mistake::Floor, 2, &["2", "3/2", "7/5", "355/113"]),
    wanted(Geometric, "Ordinary", Mistake::Remainder, 2, &["1/2", "1/3", "1/20", "113/355"]),
    wanted(Geometric, "Unlucky", Mistake::GiveUp, 2, &["1/2", "1/7", "1/1000"]),
    wanted(Geometric, "GcdSharing", Mistake::Division, 2, &["1/5", "1/7", "1/1000", "113/355"]),
    wanted(Geometric, "TinyScale", Mistake::Floor, 1, &["10", "1000"]),
    wanted(Geometric, "HugeScale", Mistake::Modulo, 1, &["1/1000003"]),
    wanted(Geometric, "HugeScale", Mistake::Narrow, 1, &["1e-12"]),
    wanted(Geometric, "HugeScale", Mistake::Word, 2, &["1e-30"]),
    wanted(
        DiscreteLaplace,
        "Ordinary",
        Mistake::Sign,
        2,
        &["1", "2", "1/2", "3/2", "355/113", "10"],
    ),
    wanted(DiscreteLaplace, "Ordinary", Mistake::Remainder, 2, &["3", "10", "355/113"]),
    wanted(
        DiscreteLaplace,
        "NegativeZeroReject",
        Mistake::DoubleZero,
        2,
        &["1/2", "1", "2", "355/113", "10"],
    ),
    wanted(DiscreteLaplace, "Unlucky", Mistake::GiveUp, 2, &["1/3", "1", "355/113"]),
    wanted(DiscreteLaplace, "GcdSharing", Mistake::Division, 2, &["7", "10", "355/113"]),
    wanted(DiscreteLaplace, "TinyScale", Mistake::DoubleZero, 2, &["1/10", "1/1000"]),
    wanted(DiscreteLaplace, "TinyScale", Mistake::GiveUp, 1, &["1/10", "1/1000"]),
    wanted(DiscreteLaplace, "HugeScale", Mistake::Modulo, 1, &["1000003"]),
    wanted(DiscreteLaplace, "HugeScale", Mistake::Narrow, 2, &["1e12"]),
    wanted(DiscreteLaplace, "HugeScale", Mistake::Word, 2, &["1e30"]),
    wanted(DiscreteGaussian, "Ordinary", Mistake::Proposal, 2, &["1", "4", "100", "355/113"]),
    wanted(DiscreteGaussian, "Ordinary", Mistake::Sigma, 2, &["1/4", "3/2", "10"]),
    wanted(
        DiscreteGaussian,
        "NegativeZeroReject",
        Mistake::DoubleZero,
        2,
        &["1/2", "1", "5"],
    ),
    wanted(
        DiscreteGaussian,
        "Unlucky",
        Mistake::GiveUp,
        2,
        &["1/4", "1", "355/113", "10000"],
    ),
    wanted(
        DiscreteGaussian,
        "LargeExponent",
        Mistake::Underflow,
        2,
        &["4", "355/113", "400"],
    ),
    wanted(DiscreteGaussian, "GcdSharing", Mistake::Division, 2, &["4", "400", "10000"]),
    wanted(DiscreteGaussian, "TinyScale", Mistake::Underflow, 1, &["1/100", "1/10000"]),
    wanted(DiscreteGaussian, "HugeScale", Mistake::Proposal, 2, &["1000003"]),
    wanted(DiscreteGaussian, "HugeScale", Mistake::Overflow, 2, &["1e12"]),
    wanted(DiscreteGaussian, "HugeScale", Mistake::Word, 2, &["1e40"]),
];

/// Parameters that must be refused.
pub const INVALID: &[(Algorithm, &[&str])] = &[
    (UniformBelow, &["0"]),
    (Bernoulli, &["-1/2", "3/2", "1000001/1000000"]),
    (BernoulliExp, &["-1/2", "-1/1000000"]),
    (Geometric, &["0", "-1/2"]),
    (DiscreteLaplace, &["0", "-1"]),
    (DiscreteGaussian, &["0", "-1/4"]),
];
