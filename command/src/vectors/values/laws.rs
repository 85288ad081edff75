//! The laws that have a name.

use super::super::File;
use super::super::numbers::{fraction, in_a_name};
use super::{Bug, CLOSED, Group, Table, certified, exact};
use crate::error::Error;
use crate::truth::laws::least_reaching;
use dp_assay::law::named::{FAMILIES, Family, NamedLaw};
use dp_assay::number::rational::{integer, parse, ratio};
use dp_assay::number::{Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use rayon::prelude::*;
use serde_json::{Value, json};

/// The values of the parameter, by the name of the family.
const PARAMETERS: [(&str, &[&str]); 3] = [
    (
        "geometric",
        &["1", "1/2", "1/7", "355/113", "10", "1e-6", "1e-12"],
    ),
    (
        "discrete-laplace",
        &[
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
    ),
    (
        "discrete-gaussian",
        &[
            "1", "4", "1/4", "1/100", "100", "355/113", "65537", "1e6", "1e12",
        ],
    ),
];

/// How a quantity is computed.
fn method(law: &NamedLaw, quantity: &str) -> &'static str {
    let is_gaussian = matches!(law, NamedLaw::DiscreteGaussian(_));
    match quantity {
        "mean" if law.is_symmetric() => "exact: 0, by symmetry",
        "quantile" => {
            "by halving: the distribution function is enclosed on both sides of the answer"
        }
        "profile" if is_gaussian => {
            "the two tails from the least integer on where the privacy loss is above epsilon"
        }
        "profile" => "the two tails up to the last integer where the privacy loss is above epsilon",
        "cdf" | "tail" if is_gaussian => {
            "the tail by summation or by Euler and Maclaurin's formula, over the sum of all by its series or by Poisson's formula; remainders enclosed"
        }
        "pmf" if is_gaussian => {
            "the exponential over the sum of all, which is its series, or by Poisson's formula its dual; remainders enclosed"
        }
        "variance" if is_gaussian => {
            "the series of the squares over that of the probabilities, or the logarithmic derivative of Poisson's formula; remainders enclosed"
        }
        _ => CLOSED,
    }
}

/// A law of a family.
struct Member {
    family: &'static Family,
    value: Rational,
    law: NamedLaw,
    /// About how far the noise goes, at least 1.
    width: BigInt,
}

pub fn files() -> Result<Vec<File>, Error> {
    let families: &'static [Family] = &FAMILIES;
    let mut members = Vec::new();
    for (name, values) in PARAMETERS {
        for family in families.iter().filter(|family| family.name == name) {
            for text in values {
                members.push(Member::new(family, parse(text)?)?);
            }
        }
    }
    members
        .par_iter()
        .map(|member| Ok(member.table()?.file()))
        .collect()
}

impl Member {
    fn new(family: &'static Family, value: Rational) -> Result<Self, Error> {
        let (name, parameter) = (family.name, family.parameter.0);
        let law: NamedLaw = format!("{name} {parameter}={}", fraction(&value)).parse()?;
        let width = match &law {
            NamedLaw::Geometric(law) => law.rate().recip().ceil().to_integer(),
            NamedLaw::DiscreteLaplace(law) => law.scale().ceil().to_integer(),
            NamedLaw::DiscreteGaussian(law) => law.variance().ceil().to_integer().sqrt(),
        };
        Ok(Self {
            family,
            value,
            law,
            width,
        })
    }

    fn table(&self) -> Result<Table, Error> {
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
        let parameter = self.family.parameter.0;
        Ok(Table {
            law: self.family.name,
            definition: self.family.to_string(),
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
        let (name, parameter) = (self.family.name, self.family.parameter.0);
        Group {
            id: format!("{name}-{parameter}={}", fraction(&self.value)),
            quantity,
            meaning,
            method: method(&self.law, quantity),
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
                    profile_of(&self.law, shift, &epsilon, bits)
                })?);
            }
        }
        let meaning = "the least delta for which integers that differ by shift are (epsilon, delta)-private with this noise";
        Ok(self.group("profile", meaning, bug, values))
    }
}

/// The privacy profile of a law that is added to a value.
fn profile_of(
    law: &NamedLaw,
    shift: &BigInt,
    epsilon: &Rational,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    let profile = law.profile(shift, epsilon, bits);
    profile.unwrap_or_else(|| {
        Err(NumberError::OutOfDomain {
            function: "the profile",
            argument: law.to_string(),
            expected: "a law that is symmetric",
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean once stood for a profile that was missing.
    #[test]
    fn a_law_without_a_profile_is_an_error_and_no_other_number() {
        let [one_sided, symmetric] =
            ["geometric rate=1", "discrete-laplace scale=1"].map(|law| law.parse().unwrap());
        let of = |law: &NamedLaw| profile_of(law, &1.into(), &integer(0), 64);
        assert!(
            of(&one_sided)
                .unwrap_err()
                .to_string()
                .contains("geometric rate=1")
        );
        let delta = of(&symmetric).unwrap();
        assert!(delta.is_above_rational(&ratio(46, 100)), "tanh(1/2)");
    }

    #[test]
    fn every_family_has_parameters_and_is_what_it_is_called() {
        assert_eq!(PARAMETERS.len(), FAMILIES.len());
        for family in &FAMILIES {
            let (_, values) = PARAMETERS
                .iter()
                .find(|(name, _)| *name == family.name)
                .unwrap();
            for text in *values {
                let member = Member::new(family, parse(text).unwrap()).unwrap();
                assert!(member.law.to_string().starts_with(family.name));
            }
        }
    }

    #[test]
    fn a_mean_of_zero_is_not_said_to_be_a_series() {
        for (law, due) in [
            ("discrete-gaussian variance=4", "exact: 0, by symmetry"),
            ("discrete-laplace scale=4", "exact: 0, by symmetry"),
            ("geometric rate=4", CLOSED),
        ] {
            assert_eq!(method(&law.parse().unwrap(), "mean"), due, "{law}");
        }
    }
}
