//! Errors to plant in a copy of the library: Coq must refuse what each makes of the tapes.

use std::fs;
use std::path::Path;

/// An error: where it is planted, which file of tapes should be refused, and what it is.
struct Plant {
    path: &'static str,
    old: &'static str,
    new: &'static str,
    noticed_by: &'static str,
    says: &'static str,
}

const PLANTS: [Plant; 14] = [
    Plant {
        path: "src/coins/layers.rs",
        old: "Ok((candidate < *n).then_some(candidate))",
        new: "Ok((candidate <= *n).then_some(candidate))",
        noticed_by: "TapesUniformBelow",
        says: "an integer is accepted that is not below n",
    },
    Plant {
        path: "src/coins/layers.rs",
        old: "candidate = (candidate << count) + coins.bits(count)?;",
        new: "candidate = (candidate << count.min(32)) + coins.bits(count)?;",
        noticed_by: "TapesUniformBelow",
        says: "words of coins overlap: seen on long tapes alone",
    },
    Plant {
        path: "src/coins/layers.rs",
        old: "let digit = remainder >= *denominator;",
        new: "let digit = remainder > *denominator;",
        noticed_by: "TapesBernoulli",
        says: "the last digit of a dyadic probability is lost",
    },
    Plant {
        path: "src/coins/layers.rs",
        old: "let mut k = BigInt::one();\n    // `new_raw`",
        new: "let mut k = BigInt::from(2);\n    // `new_raw`",
        noticed_by: "TapesBernoulliExp",
        says: "the series of e^-x begins with its second term",
    },
    Plant {
        path: "src/coins/layers.rs",
        old: "whole -= 1;",
        new: "whole -= BigInt::from(2).min(whole.clone());",
        noticed_by: "TapesBernoulliExp",
        says: "every second factor e^-1 is left out",
    },
    Plant {
        path: "src/coins/layers.rs",
        old: "    while !remainder.is_zero() {",
        new: "    let end = coins.consumed() + 53;\n    while !remainder.is_zero() && coins.consumed() < end {",
        noticed_by: "TapesBernoulli",
        says: "a probability has 53 digits: seen on a chosen tape alone",
    },
    Plant {
        path: "src/sample/geometric.rs",
        old: "while coins.bernoulli_exp(&rational::integer(1))? {",
        new: "while v < 30u32.into() && coins.bernoulli_exp(&rational::integer(1))? {",
        noticed_by: "TapesGeometric",
        says: "the tail ends at 30 scales: seen on a chosen tape alone",
    },
    Plant {
        path: "src/sample/geometric.rs",
        old: "Ok((u + t * v) / s)",
        new: "Ok((u + t * v + 1u32) / s)",
        noticed_by: "TapesGeometric",
        says: "a geometric draw is rounded up",
    },
    Plant {
        path: "src/sample/discrete_laplace.rs",
        old: "if negative && magnitude.is_zero() {",
        new: "if false && negative && magnitude.is_zero() {",
        noticed_by: "TapesDiscreteLaplace",
        says: "zero is kept with either sign",
    },
    Plant {
        path: "src/sample/discrete_gaussian.rs",
        old: "let gap = y.abs() * b * t - a;",
        new: "let gap = y.abs() * b * t - a + 1;",
        noticed_by: "TapesDiscreteGaussian",
        says: "the centre of the proposal's bump is off",
    },
    Plant {
        path: "src/law/around.rs",
        old: "Ok(&self.value + self.noise.sample(coins)?)",
        new: "Ok(&self.value - self.noise.sample(coins)?)",
        noticed_by: "TapesDiscreteLaplace",
        says: "noise is subtracted: the law is the same, the program is not",
    },
    Plant {
        path: "src/sample/exponential_mechanism.rs",
        old: ".then_some(chosen))",
        new: ".then_some(chosen.min(1)))",
        noticed_by: "TapesExponentialMechanism",
        says: "the third class and those behind it are taken for the second",
    },
    Plant {
        path: "src/coins/uniform.rs",
        old: "const SPARE: u32 = 32;",
        new: "const SPARE: u32 = 64;",
        noticed_by: "TapesExponentialMechanism",
        says: "sharper bounds are asked for too early: seen on a chosen tape alone",
    },
    Plant {
        path: "src/sample/exponential_mechanism.rs",
        old: "let rate = &epsilon / (&sensitivity * BigInt::from(2));",
        new: "let rate = &epsilon / &sensitivity;",
        noticed_by: "TapesExponentialMechanism",
        says: "the factor two of the exponential mechanism is missing",
    },
];

/// Prints the errors, one a line.
pub fn list() {
    for (number, plant) in PLANTS.iter().enumerate() {
        println!("{} {} {}", number + 1, plant.noticed_by, plant.says);
    }
}

/// Plants an error in a copy of the library.
pub fn plant(number: &str, tree: &Path) -> Result<(), String> {
    let at = number
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1));
    let plant = at.and_then(|at| PLANTS.get(at)).ok_or(format!(
        "NUMBER is {number}: an error, from 1 to {}",
        PLANTS.len()
    ))?;
    let path = tree.join(plant.path);
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let times = text.matches(plant.old).count();
    if times != 1 {
        return Err(format!(
            "{} has '{}' {times} times, not once",
            plant.path, plant.old
        ));
    }
    fs::write(&path, text.replace(plant.old, plant.new))
        .map_err(|error| format!("{}: {error}", path.display()))
}
