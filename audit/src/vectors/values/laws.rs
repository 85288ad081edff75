//! The laws that have a name.

use super::super::File;
use super::super::numbers::{fraction, in_a_name};
use super::{Bug, Group, Table, certified, exact};
use crate::error::Error;
use crate::truth::laws::least_reaching;
use dp_assay::law::named::NamedLaw;
use dp_assay::number::rational::{integer, parse, ratio};
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use num_bigint::BigInt;
use rayon::prelude::*;
use serde_json::{Value, json};

/// A family: its name, its parameter, the definition, how its values are computed, and the values of its parameter.
struct Family {
    name: &'static str,
    parameter: &'static str,
    definition: &'static str,
    method: &'static str,
    values: &'static [&'static str],
}

const GEOMETRIC: Family = Family {
    name: "geometric",
    parameter: "rate",
    definition: "Pr[k] = (1 - e^-rate) e^(-rate k), for k = 0, 1, 2, ...",
    method: "closed form; the exponential by a series with an enclosed remainder",
    values: &["1", "1/2", "1/7", "355/113", "10", "1e-6", "1e-12"],
};

const LAPLACE: Family = Family {
    name: "discrete-laplace",
    parameter: "scale",
    definition: "Pr[k] = (1 - q) / (1 + q) q^|k| with q = e^(-1/scale), for all integers k",
    method: "closed form; the exponential by a series with an enclosed remainder",
    values: &[
        "1",
        "2",
        "1/2",
        "1/50",
        "10",
        "355/113",
        "1000003/7",
        "1e6",
        "1e12",
    ],
};

const GAUSSIAN: Family = Family {
    name: "discrete-gaussian",
    parameter: "variance",
    definition: "Pr[k] = e^(-k^2 / (2 variance)) / (sum over all integers j of e^(-j^2 / (2 variance))), for all integers k",
    method: "the series, or by Poisson's formula its dual; tails by summation or by Euler and Maclaurin's formula; remainders enclosed",
    values: &[
        "1", "4", "1/4", "1/100", "100", "355/113", "65537", "1e6", "1e12",
    ],
};

/// A law of a family.
struct Member {
    family: &'static Family,
    value: Rational,
    law: NamedLaw,
    /// About how far the noise goes, at least 1.
    width: BigInt,
}

pub fn files() -> Result<Vec<File>, Error> {
    let mut members = Vec::new();
    for family in [&GEOMETRIC, &LAPLACE, &GAUSSIAN] {
        for text in family.values {
            members.push(Member::new(family, parse(text)?)?);
        }
    }
    members
        .par_iter()
        .map(|member| Ok(member.table()?.file()))
        .collect()
}

impl Member {
    fn new(family: &'static Family, value: Rational) -> Result<Self, Error> {
        let (law, width) = match family.name {
            "geometric" => (
                NamedLaw::Geometric(Geometric::new(value.clone())?),
                value.recip().ceil().to_integer(),
            ),
            "discrete-laplace" => (
                NamedLaw::DiscreteLaplace(DiscreteLaplace::new(value.clone())?),
                value.ceil().to_integer(),
            ),
            _ => (
                NamedLaw::DiscreteGaussian(DiscreteGaussian::new(value.clone())?),
                value.ceil().to_integer().sqrt(),
            ),
        };
        Ok(Self {
            family,
            value,
            law,
            width,
        })
    }

    fn table(&self) -> Result<Table, Error> {
        let Family {
            name,
            parameter,
            definition,
            ..
        } = *self.family;
        let mut groups = vec![
            self.pmf()?,
            self.cdf()?,
            self.tail()?,
            self.mean()?,
            self.variance()?,
            self.quantile()?,
        ];
        if self.law.is_symmetric() {
            groups.push(self.profile()?);
        }
        Ok(Table {
            law: name,
            definition,
            parameters: json!({ parameter: fraction(&self.value) }),
            name: format!("{parameter}={}", in_a_name(&self.value)),
            flags: self.flags(),
            groups,
        })
    }

    fn flags(&self) -> Vec<&'static str> {
        let tiny = match self.family.name {
            "geometric" => self.value >= integer(10),
            "discrete-laplace" => self.value <= ratio(1, 10),
            _ => self.value <= ratio(1, 100),
        };
        let long = self.value.numer().magnitude() > &100u32.into()
            && self.value.denom().magnitude() > &1u32.into();
        let happens = [
            ("HugeScale", self.width >= 1000.into()),
            ("TinyScale", tiny),
            ("OffGrid", long),
        ];
        let mut flags: Vec<&str> = happens
            .into_iter()
            .filter_map(|(flag, happens)| happens.then_some(flag))
            .collect();
        if flags.is_empty() {
            flags.push("Ordinary");
        }
        flags
    }

    fn group(
        &self,
        quantity: &'static str,
        meaning: &'static str,
        bug: Bug,
        values: Vec<Value>,
    ) -> Group {
        let Family {
            name,
            parameter,
            method,
            ..
        } = *self.family;
        Group {
            id: format!("{name}-{parameter}={}", fraction(&self.value)),
            quantity,
            meaning,
            method,
            bug,
            values,
        }
    }

    /// Integers near the middle, about the width, and far out.
    fn places(&self) -> Vec<BigInt> {
        let near = [-3, -2, -1, 0, 1, 2, 3, 5, 8, 13].map(BigInt::from);
        let wide = [-20, -7, -1, 1, 2, 5, 10, 20].map(|factor| &self.width * factor);
        let mut places: Vec<BigInt> = near.into_iter().chain(wide).collect();
        places.push(&self.width / 2 + 1);
        places.sort_unstable();
        places.dedup();
        // One place outside the law's support.
        let outside = BigInt::from(-1);
        places.retain(|k| self.law.is_possible(k) || *k == outside);
        places
    }

    fn at_places(
        &self,
        value: impl Fn(&BigInt, u32) -> Result<Enclosure, NumberError>,
    ) -> Result<Vec<Value>, Error> {
        let places = self.places();
        let values = places
            .iter()
            .map(|k| certified(json!({"k": k.to_string()}), |bits| value(k, bits)));
        values.collect()
    }

    fn pmf(&self) -> Result<Group, Error> {
        let bug = match self.family.name {
            "geometric" => ("support", "shift", "the law starts at 1 instead of 0"),
            "discrete-laplace" => (
                "sign",
                "negative",
                "(q - 1) / (1 + q) instead of (1 - q) / (1 + q): negative probabilities",
            ),
            _ => (
                "normaliser",
                "sum",
                "divided by sqrt(2 pi variance), the integral, instead of the sum: they don't add up to 1",
            ),
        };
        let values = self.at_places(|k, bits| self.law.pmf(k, bits))?;
        Ok(self.group("pmf", "Pr[Y = k]", bug, values))
    }

    fn cdf(&self) -> Result<Group, Error> {
        let bug = (
            "strict",
            "shift",
            "Pr[Y < k] instead of Pr[Y <= k]: one probability is missing",
        );
        let values = self.at_places(|k, bits| self.law.cdf(k, bits))?;
        Ok(self.group("cdf", "Pr[Y <= k]", bug, values))
    }

    fn tail(&self) -> Result<Group, Error> {
        let bug = (
            "cancellation",
            "digits",
            "computed as 1 - cdf in doubles: beyond 1e-16 nothing is left",
        );
        let values = self.at_places(|k, bits| self.law.upper_tail(k, bits))?;
        Ok(self.group("tail", "Pr[Y >= k]", bug, values))
    }

    fn mean(&self) -> Result<Group, Error> {
        let bug = match self.law.is_symmetric() {
            true => ("asymmetry", "shift", "one side is drawn more often"),
            false => ("support", "shift", "the law starts at 1 instead of 0"),
        };
        let value = certified(json!({}), |bits| self.law.mean(bits))?;
        Ok(self.group("mean", "the mean of Y", bug, vec![value]))
    }

    fn variance(&self) -> Result<Group, Error> {
        let bug = match self.family.name {
            "discrete-gaussian" => (
                "parameter",
                "scale",
                "the parameter is taken for the variance: it is above it",
            ),
            "discrete-laplace" => (
                "moment",
                "scale",
                "2 scale^2, that of the continuous law, or scale^2",
            ),
            _ => ("moment", "scale", "1 / rate^2, that of the continuous law"),
        };
        let value = certified(json!({}), |bits| self.law.variance(bits))?;
        Ok(self.group("variance", "the variance of Y", bug, vec![value]))
    }

    fn quantile(&self) -> Result<Group, Error> {
        let bug = (
            "rounding",
            "shift",
            "a quantile of the continuous law, rounded",
        );
        let mut values = Vec::new();
        for p in [
            "1e-12",
            "1/1000000",
            "1/100",
            "1/10",
            "1/4",
            "1/3",
            "1/2",
            "2/3",
            "3/4",
            "9/10",
            "99/100",
            "999999/1000000",
        ] {
            let p = parse(p)?;
            values.push(exact(&p, &least_reaching(&self.law, &p)?));
        }
        let meaning = "the least integer k with Pr[Y <= k] >= p";
        Ok(self.group("quantile", meaning, bug, values))
    }

    fn profile(&self) -> Result<Group, Error> {
        let bug = (
            "continuous",
            "unsound",
            "the profile of the continuous law, or of another shift, for that of the integers",
        );
        let of_width: [BigInt; 2] = [1, 3].map(|factor| &self.width * factor);
        let mut shifts = [[1.into(), 2.into()], of_width].concat();
        shifts.sort_unstable();
        shifts.dedup();
        let epsilons = ["0", "1/10", "1/2", "1", "2", "355/113"].map(parse);
        let mut values = Vec::new();
        for shift in &shifts {
            for epsilon in epsilons.clone() {
                let epsilon = epsilon?;
                // Beyond that it is 0 for Laplace noise, and below e^-200 for Gaussian noise.
                let far = &epsilon * &self.width / shift;
                if far > integer(20) {
                    continue;
                }
                let at = json!({"shift": shift.to_string(), "epsilon": fraction(&epsilon)});
                values.push(certified(at, |bits| {
                    let value = self.law.profile(shift, &epsilon, bits);
                    value.unwrap_or_else(|| self.law.mean(bits))
                })?);
            }
        }
        let meaning = "the least delta for which integers that differ by shift are (epsilon, delta)-private with this noise";
        Ok(self.group("profile", meaning, bug, values))
    }
}
