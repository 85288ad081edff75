//! A law around its centre: which integer an output is, and how likely each range of integers is.
//!
//! Everything that is bet on is an integer. Of a law of integers it is the output less the centre. Of noise on the real line
//! that is not rounded, it is the multiple of the grid that is nearest to the output less the centre. Of noise that is rounded
//! it is the output in steps of the grid, less what the centre alone would be rounded to.

use super::law::Law;
use super::tabled::Table;
use crate::refute::{AuditError, Field};
use crate::targets::Output;
use dp_assay::law::named::NamedLaw;
use dp_assay::law::{OnGrid, Rounding};
use dp_assay::number::range::require;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, NumberError, Rational, certify};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Digits of certified probabilities, and bits where so many digits cannot be had: extremely small ones.
const DIGITS: u32 = 13;
const MANY: u32 = 1024;

/// The value of a function to [`DIGITS`] digits, or to [`MANY`] bits.
pub fn certified(
    mut function: impl FnMut(u32) -> Result<Enclosure, NumberError>,
) -> Result<Enclosure, NumberError> {
    match certify(DIGITS, &mut function) {
        Err(NumberError::PrecisionExhausted { .. } | NumberError::Underflow { .. }) => {
            function(MANY)
        }
        result => result,
    }
}

/// The bits to which the classes of residues are added up: thousands of terms, and no small sum among them.
const BITS_OF_CLASSES: u32 = 96;

/// A law around its centre.
#[derive(Debug, Clone)]
pub enum Placed {
    /// Of integers.
    Integers {
        /// The law.
        law: NamedLaw,
        /// What the output would be without noise.
        centre: BigInt,
        /// The normaliser of Gaussian noise at each precision: it costs more than the rest.
        normalisers: RefCell<BTreeMap<u32, Enclosure>>,
    },
    /// Of integers, by a table.
    Table {
        /// The table.
        table: Box<Table>,
        /// What the output would be without noise.
        centre: BigInt,
    },
    /// Of the real line.
    Reals {
        /// The law of the multiple of the grid.
        law: OnGrid,
        /// If outputs are not rounded, what they would be without noise.
        unrounded: Option<Rational>,
    },
}

impl Placed {
    /// The law around the centre.
    ///
    /// # Errors
    /// [`AuditError::Question`] if a law of integers has another centre than an integer, or the grid is too fine or too coarse.
    pub fn new(law: &Law, centre: &Rational) -> Result<Self, AuditError> {
        let whole_centre = || {
            let expected = "an integer, as the law is one of integers";
            let right = require(centre.is_integer(), "the centre", centre, expected);
            Field::Centre.check(right)?;
            Ok::<_, AuditError>(centre.to_integer())
        };
        Ok(match law {
            Law::Integers(law) => Self::Integers {
                law: law.clone(),
                centre: whole_centre()?,
                normalisers: RefCell::default(),
            },
            Law::Tabled(law) => {
                let centre = whole_centre()?;
                let table = Field::Law.check(Table::new(law.clone()))?;
                Self::Table {
                    table: Box::new(table),
                    centre,
                }
            }
            Law::Reals {
                noise,
                grid,
                rounded,
            } => {
                let rounding = rounded.unwrap_or(Rounding::Nearest);
                let around =
                    |value: Rational| OnGrid::new(noise.clone(), grid.clone(), rounding, value);
                let around_zero = Field::Grid.check(around(Rational::zero()))?;
                // Rounding of the doubles that are answered must not move them by a notable part of a cell, around the centre too.
                let around_centre = Field::Centre.check(around(centre.clone()))?;
                match rounded {
                    Some(_) => Self::Reals {
                        law: around_centre,
                        unrounded: None,
                    },
                    None => Self::Reals {
                        law: around_zero,
                        unrounded: Some(centre.clone()),
                    },
                }
            }
        })
    }

    /// The integer that an output is; `None` if the law cannot answer it.
    pub fn read(&self, output: &Output) -> Option<BigInt> {
        match self {
            Self::Integers { law, centre, .. } => {
                whole(output, centre).filter(|value| law.is_possible(value))
            }
            Self::Table { table, centre } => {
                whole(output, centre).filter(|value| table.is_possible(value))
            }
            Self::Reals {
                law,
                unrounded: Some(centre),
            } => Some(
                law.rounding()
                    .apply(&((output.exact_number()? - centre) / law.step())),
            ),
            Self::Reals {
                law,
                unrounded: None,
            } => {
                let value = output.exact_number()?;
                let steps = (&value / law.step()).round();
                // As near as a double and a few roundings are.
                let off = (&steps * law.step() - &value).abs();
                let few_roundings = match output {
                    Output::Float(_) => value.abs() / integer(1i64 << 50),
                    _ => Rational::zero(),
                };
                let possible = off <= few_roundings && !is_negative_zero(output);
                possible.then(|| steps.to_integer() - law.of_value())
            }
        }
    }

    /// Whether `k` and `-k` are equally likely, as far as it is known.
    pub fn is_symmetric(&self) -> bool {
        match self {
            Self::Integers { law, .. } => law.is_symmetric(),
            Self::Table { table, .. } => table.is_symmetric(),
            Self::Reals { law, .. } => {
                let middle = law.of_value();
                let [above, below] = [law.end(&middle), law.end(&(&middle - 1))];
                // Towards zero the cell of zero is wider than others.
                let alike = law.rounding() != Rounding::TowardZero || middle.is_zero();
                alike && above == -below
            }
        }
    }

    /// The law of the same kind with `factor` times the noise.
    pub fn scaled(&self, factor: &Rational) -> Result<Self, AuditError> {
        Ok(match self {
            Self::Integers { law, centre, .. } => Self::Integers {
                law: law.scaled(factor)?,
                centre: centre.clone(),
                normalisers: RefCell::default(),
            },
            Self::Table { table, centre } => Self::Table {
                table: Box::new(Field::Law.check(table.scaled(factor))?),
                centre: centre.clone(),
            },
            Self::Reals { law, unrounded } => Self::Reals {
                law: Field::Law.check(law.scaled(factor))?,
                unrounded: unrounded.clone(),
            },
        })
    }

    /// The probability of at least `from` and at most `to`; without an end if it is `None`. Certified.
    pub fn between(
        &self,
        from: Option<&BigInt>,
        to: Option<&BigInt>,
    ) -> Result<Enclosure, NumberError> {
        certified(|bits| match self {
            Self::Integers { .. } => {
                let up_to = match to {
                    Some(to) => self.at_most(to, bits)?,
                    None => Enclosure::integer(1, bits),
                };
                match from {
                    Some(from) => Ok(up_to - self.at_most(&(from - 1), bits)?),
                    None => Ok(up_to),
                }
            }
            Self::Table { table, .. } => Ok(table.between(from, to)),
            Self::Reals { law, .. } => {
                let middle = law.of_value();
                let [from, to] = [from, to].map(|end| end.map(|end| end + &middle));
                law.between(from.as_ref(), to.as_ref(), bits)
            }
        })
    }

    /// The probability of at most `k`.
    fn at_most(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        let (law, normalisers) = match self {
            Self::Integers {
                law: NamedLaw::DiscreteGaussian(law),
                normalisers,
                ..
            } => (law, normalisers),
            Self::Integers { law, .. } => return law.cdf(k, bits),
            Self::Table { table, .. } => return Ok(table.between(None, Some(k))),
            Self::Reals { law, .. } => return law.between(None, Some(&(k + law.of_value())), bits),
        };
        let known = normalisers.borrow().get(&bits).cloned();
        let normaliser = match known {
            Some(normaliser) => normaliser,
            None => {
                let normaliser = law.normaliser(bits)?;
                normalisers.borrow_mut().insert(bits, normaliser.clone());
                normaliser
            }
        };
        law.upper_tail_with(&-k, &normaliser, bits)
    }

    /// For each modulus and each residue, a bound from above on the probability of its class.
    pub fn residues_at_most(&self, moduli: &[u32]) -> Result<Vec<Vec<Enclosure>>, NumberError> {
        match self {
            Self::Integers { law, .. } => moduli
                .iter()
                .map(|&modulus| {
                    (0..modulus)
                        .map(|residue| {
                            certified(|bits| law.residue_at_most(residue, modulus, bits))
                        })
                        .collect()
                })
                .collect(),
            Self::Table { table, .. } => Ok(moduli
                .iter()
                .map(|modulus| table.residues_at_most(*modulus))
                .collect()),
            Self::Reals { law, .. } => law.residues_at_most(moduli, BITS_OF_CLASSES),
        }
    }

    /// How large a number of steps is.
    pub fn size(&self, steps: &BigInt) -> Rational {
        match self {
            Self::Integers { .. } | Self::Table { .. } => integer(steps.clone()),
            Self::Reals { law, .. } => integer(steps.clone()) * law.step(),
        }
    }

    /// From which magnitude on an output, less the centre, has at least so many steps.
    pub fn threshold(&self, steps: &BigInt) -> Rational {
        match self {
            Self::Reals {
                law,
                unrounded: Some(_),
            } => self.size(steps) - law.step() * ratio(1, 2),
            _ => self.size(steps),
        }
    }

    /// The ends of a range of outputs less the centre, or of cells of them.
    pub fn range(&self, from: Option<&BigInt>, to: Option<&BigInt>) -> [Option<Rational>; 2] {
        match self {
            Self::Reals {
                law,
                unrounded: Some(_),
            } => [
                from.map(|from| law.end(&(from - 1))),
                to.map(|to| law.end(to)),
            ],
            _ => [from, to].map(|end| end.map(|end| self.size(end))),
        }
    }
}

/// The integers that are told apart by [`Placed::read`] are those of a class modulo `modulus`.
pub fn class(value: &BigInt, modulus: u32) -> usize {
    usize::try_from(value.mod_floor(&modulus.into())).unwrap_or(0)
}

/// The integer that an output is, less the centre; -0.0 can be told from 0.
fn whole(output: &Output, centre: &BigInt) -> Option<BigInt> {
    let value = output.exact_number().filter(Rational::is_integer)?;
    (!is_negative_zero(output)).then(|| value.to_integer() - centre)
}

fn is_negative_zero(output: &Output) -> bool {
    matches!(output, Output::Float(bits) if *bits == (-0.0f64).to_bits())
}
