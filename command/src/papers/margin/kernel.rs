//! `assay learn margin-kernel`: the learner, and its model file.

use super::efficient::{Accounting, Kind, MOST_ROUNDS, beyond_delta, describe, guaranteed};
use super::learn::Common;
use crate::error::Error;
use crate::options::{MOST, Range, number, whole, whole_in};
use crate::papers::Predict;
use crate::papers::classifier::{Data, Found, OfClasses, Options};
use crate::papers::halfspace_model::{Prediction, by_product, printed, unit};
use crate::papers::learn::{Learner, Parameters, Trained};
use crate::papers::model::{self, ModelFile, integers};
use clap::Args;
use dp_assay::coins::Coins;
use dp_assay::geometry::{
    FeatureMap, GeometryError, Halfspace, PolynomialMap, ShiftInvariantKernel,
};
use dp_assay::margin::kernel::{Features, KernelMap, KernelModel, KernelParameters};
use dp_assay::margin::map::Map;
use dp_assay::margin::{Dataset, Domain, MarginError};
use dp_assay::number::chosen::{Origin, overridden};
use dp_assay::number::rational::{ratio, shortly};
use dp_assay::number::{Grid, Rational, rational};
use dp_assay::privacy::Budget;
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Functions of a kernel, efficient: Algorithm 3 of Bassily, Mohri and Suresh 2022, random Fourier features, or all monomials, and Algorithm 2 on them.
///
/// So many frequencies as the theorem asks for fit in memory up to about 1,000 records. With --frequencies privacy is the
/// same. There is no --choose-margin: a margin is chosen by the losses of public candidates, and among so many features no
/// candidate fits. The support vector machine of --unsafe-report is linear.
#[derive(Debug, Args)]
pub struct KernelOptions {
    #[command(flatten)]
    pub common: Common,
    /// The kernel of z = x - x': gaussian=V is exp(-V |z|^2 / 2), laplacian=V is exp(-V |z|_1), cauchy=V is the product of the
    /// 1 / (1 + V^2 z_j^2); polynomial=P,C is (<x, x'> + C)^P. To be chosen without the records
    #[arg(long, value_name = "KERNEL", value_parser = kernel, allow_hyphen_values = true)]
    kernel: Kernel,
    /// The margin of functions of norm 1 in the kernel's space on records of the unit ball: in (0, 1], of a polynomial
    /// kernel in (0, (1 + C)^(P/2)]
    #[arg(long, value_name = "RHO", value_parser = Range::Positive.parser(), allow_hyphen_values = true)]
    margin: Rational,
    /// The privacy parameter delta, from 1e-100 to 1/2
    #[arg(long, value_name = "D", value_parser = Range::Delta.parser(), allow_hyphen_values = true)]
    delta: Rational,
    /// The number of frequencies, instead of the theorem's; each gives a cosine and a sine. Not of a polynomial kernel
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true)]
    frequencies: Option<u64>,
    /// How the noise is calibrated: all hold, and mixture has the least
    #[arg(long, value_enum, default_value = "mixture")]
    accounting: Accounting,
    /// The dimension that the features are projected to, instead of the theorem's; there is no projection if this is at
    /// least the number of features
    #[arg(long, value_name = "K", value_parser = whole_in::<u32>(1..=MOST), allow_hyphen_values = true)]
    dimension: Option<u32>,
    /// The number of rounds, from 1 to 4096, instead of the theorem's
    #[arg(long, value_name = "M", value_parser = whole_in::<u32>(1..=MOST_ROUNDS), allow_hyphen_values = true)]
    rounds: Option<u32>,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    pub load: Data,
}

/// A kernel of the command line.
#[derive(Debug, Clone, PartialEq)]
enum Kernel {
    ShiftInvariant(ShiftInvariantKernel),
    Polynomial { degree: u32, offset: Rational },
}

/// A kernel in the form of `--kernel`.
fn kernel(text: &str) -> Result<Kernel, String> {
    let form = "it must be gaussian=V, laplacian=V, cauchy=V or polynomial=P,C";
    let (name, parameters) = text.split_once('=').ok_or(form)?;
    if name == "polynomial" {
        let (degree, offset) = parameters.split_once(',').ok_or(form)?;
        let degree = whole(degree).ok().filter(|p| (1..=20).contains(p));
        let degree = degree.ok_or("the degree P must be a whole number from 1 to 20")?;
        let offset = number(offset).map_err(|error| format!("C: {error}"))?;
        if offset.is_negative() || offset > rational::integer(1000) {
            return Err("C must be from 0 to 1000".to_owned());
        }
        let degree = degree as u32;
        return Ok(Kernel::Polynomial { degree, offset });
    }
    let scale = |value: &str| {
        let value = number(value).map_err(|error| format!("V: {error}"))?;
        // Down to a step of the frequencies' grid.
        let range = ratio(1, 1 << 10)..=rational::integer(1_000_000);
        let fits = range.contains(&value).then_some(value);
        fits.ok_or_else(|| "V must be from 1/1024 to 1e6".to_owned())
    };
    Ok(Kernel::ShiftInvariant(match name {
        "gaussian" => ShiftInvariantKernel::Gaussian {
            variance: scale(parameters)?,
        },
        "laplacian" => ShiftInvariantKernel::Laplacian {
            rate: scale(parameters)?,
        },
        "cauchy" => ShiftInvariantKernel::Cauchy {
            scale: scale(parameters)?,
        },
        _ => return Err(form.to_owned()),
    }))
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ShiftInvariant(ShiftInvariantKernel::Gaussian { variance }) => {
                write!(f, "gaussian={variance}")
            }
            Self::ShiftInvariant(ShiftInvariantKernel::Laplacian { rate }) => {
                write!(f, "laplacian={rate}")
            }
            Self::ShiftInvariant(ShiftInvariantKernel::Cauchy { scale }) => {
                write!(f, "cauchy={scale}")
            }
            Self::Polynomial { degree, offset } => write!(f, "polynomial={degree},{offset}"),
        }
    }
}

impl Learner for KernelOptions {
    const NAME: &'static str = "margin-kernel";
    type Family = OfClasses<Dataset>;
    type Before = ();

    fn family(&self) -> Options<'_> {
        Options {
            delta: Some(&self.delta),
            ..Options::new(&self.common.inputs, &self.load)
        }
    }

    fn public(&self) -> &'static str {
        "parameters, the frequencies, intervals, categories and label values"
    }

    fn before(&self) -> Result<(), Error> {
        self.common.validate(&self.load)?;
        let least = ratio(1, 100_000);
        let expected = "above 0, and here at least 1e-5";
        if self.margin < least {
            return Err(Error::option("--margin", expected, shortly(&self.margin)));
        }
        match &self.kernel {
            Kernel::ShiftInvariant(_) => {
                if self.margin > Rational::one() {
                    let expected = "above 0 and at most 1 for this kernel";
                    return Err(Error::option("--margin", expected, shortly(&self.margin)));
                }
                if let Some(0) = self.frequencies {
                    return Err(Error::option("--frequencies", "at least 1", 0));
                }
            }
            Kernel::Polynomial { degree, offset } => {
                // rho <= (1 + C)^(P/2).
                let most = (offset + Rational::one()).pow(*degree as i32);
                if self.margin.pow(2) > most {
                    let expected = "above 0 and at most (1 + C)^(P/2) for this kernel";
                    return Err(Error::option("--margin", expected, shortly(&self.margin)));
                }
                if let Some(count) = self.frequencies {
                    let expected = "left out for a polynomial kernel, which has none";
                    return Err(Error::option("--frequencies", expected, count));
                }
                self.offset_in_steps(offset)?;
            }
        }
        Ok(())
    }

    fn train(
        &self,
        _before: &(),
        data: &Dataset,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        let (common, domain) = (&self.common, data.domain());
        let m = data.records().len();
        let refused = |error| {
            let asked = (self.rounds, &self.delta);
            beyond_delta(error, asked, |error| self.named_option(error))
        };
        let parameters = self.parameters(domain, m)?;
        // What takes too much memory is refused here, before anything is made.
        let plan = parameters.plan(domain, m).map_err(refused)?;
        common.describe(named, &self.margin);
        named.set("kernel", &self.kernel);
        if let Features::Fourier { frequencies, .. } = &parameters.features {
            let overridden = frequencies.origin == Origin::Overridden;
            named.choose("frequencies", frequencies.value, overridden);
        }
        let features = plan.space().dimension();
        named.set("features", features);
        describe(
            named,
            &parameters.learner,
            plan.learner().erm(),
            (Kind::Signs, features),
        );
        let guarantee = guaranteed(plan.run(&common.beta).guarantee(&Rational::zero()))?;
        let some = match &self.kernel {
            Kernel::ShiftInvariant(_) => {
                "some h of norm 1 in the space of the kernel, which is that which the frequencies average to, has y h(x)"
            }
            Kernel::Polynomial { .. } => "some h of norm 1 in the space of the kernel has y h(x)",
        };
        let condition = format!("{some} > {}", self.margin);
        let bound = common.bound_if(&condition, &self.margin, guarantee);
        let model = plan.learn(data, coins).map_err(refused)?;
        let weights = weights(&model, &parameters.features);
        let predict = by_features(model.map, model.model.halfspace);
        // The support vector machine is linear: its records have norm at most 1.
        let beside = self.margin.clone().min(Rational::one());
        Ok(Trained::new(weights, predict, beside, bound))
    }

    /// The label of the side that a halfspace of the features puts a point on; where it does not decide, "undecided". The
    /// score is the distance of its features from the boundary.
    fn predictor(model: &ModelFile) -> Result<Predict, String> {
        let weights: Weights = model.weights()?;
        let grid = |bits| Grid::new(bits).map_err(|error| error.to_string());
        let (inputs, dimension) = (grid(model.columns.grid_bits)?, model.columns.dimension());
        let (map, features, in_steps_of) = match weights.features {
            WrittenFeatures::Fourier {
                frequency_grid_bits,
                feature_grid_bits,
                frequencies,
            } => {
                let drawn = model::frequencies(&frequencies, dimension, frequency_grid_bits)?;
                let steps = grid(feature_grid_bits)?;
                let map = FeatureMap::new(drawn, inputs, steps);
                let map = map.map_err(|error| error.to_string())?;
                let count = map.dimension();
                (KernelMap::Fourier(map), count, steps)
            }
            WrittenFeatures::Polynomial { degree, offset } => {
                let domain = Domain::unit_ball(inputs, dimension);
                let domain = domain.map_err(|error| error.to_string())?;
                let map = PolynomialMap::new(domain, degree, offset);
                let map = map.map_err(|error| error.to_string())?;
                let (count, steps) = (map.domain().dimension(), map.domain().grid());
                (KernelMap::Polynomial(map), count, steps)
            }
        };
        let direction = integers("direction", &weights.direction)?;
        if direction.len() != features {
            return Err(format!(
                "its direction must have {features} coordinates, one for each feature, got {}",
                direction.len()
            ));
        }
        let unit = unit(&direction, in_steps_of);
        printed(model, by_features(map, Halfspace { direction }), unit)
    }
}

impl KernelOptions {
    /// The offset of a polynomial kernel in squared steps of the grid.
    fn offset_in_steps(&self, offset: &Rational) -> Result<u64, Error> {
        let steps = offset * rational::integer(1u128 << (2 * self.load.grid_bits));
        let steps = steps.is_integer().then(|| steps.to_integer());
        steps.and_then(|steps| steps.to_u64()).ok_or_else(|| {
            Error::Usage(format!(
                "--kernel {}: C must be a multiple of 4^-B on the grid of 2^-B, such as 1 or 1/4, and less than 2^64 of \
                 them: B is --grid-bits, here {}",
                self.kernel, self.load.grid_bits
            ))
        })
    }

    /// The theorem's parameters for `m` records of a domain, with what is overridden.
    fn parameters(&self, domain: Domain, m: usize) -> Result<KernelParameters, Error> {
        let refused = |error| self.named_option(error);
        let budget = Budget::substituting(&self.common.inputs.epsilon, &self.delta)
            .map_err(MarginError::from)
            .map_err(refused)?;
        let (beta, norms) = (&self.common.beta, (Rational::one(), self.margin.clone()));
        let accounting = self.accounting.of_the_library();
        let parameters = match &self.kernel {
            Kernel::ShiftInvariant(kernel) => {
                let kernel = kernel.clone();
                match self.frequencies {
                    None => KernelParameters::fourier(kernel, beta, budget, norms, accounting, m),
                    Some(count) => {
                        let kernel = (kernel, usize::try_from(count).unwrap_or(usize::MAX));
                        KernelParameters::fourier_with(kernel, beta, budget, norms, accounting, m)
                    }
                }
            }
            Kernel::Polynomial { degree, offset } => {
                let kernel = (*degree, self.offset_in_steps(offset)?);
                let shape = (m, domain);
                KernelParameters::polynomial(kernel, beta, budget, norms, accounting, shape)
            }
        };
        let mut parameters = parameters.map_err(refused)?;
        if let Some(rows) = self.dimension {
            let map = Map::Signs(rows as usize);
            parameters = parameters
                .with_map(map, beta, (m, domain))
                .map_err(refused)?;
        }
        if let Some(rounds) = self.rounds {
            parameters.learner.rounds = overridden(rounds);
        }
        Ok(parameters)
    }

    /// The error, with the option that helps.
    fn named_option(&self, error: MarginError) -> Error {
        match &error {
            MarginError::Parameter(wrong)
            | MarginError::Geometry(GeometryError::Parameter(wrong)) => match wrong.parameter {
                "the memory of the features" => Error::Usage(format!(
                    "{error}: lower --frequencies, or the degree of --kernel (here {})",
                    self.kernel
                )),
                "the number of monomials" => {
                    Error::Usage(format!("--kernel {}: {error}", self.kernel))
                }
                "the largest kernel in steps" => Error::Usage(format!(
                    "--kernel {}: {error}: lower --grid-bits (here {})",
                    self.kernel, self.load.grid_bits
                )),
                "the number of frequencies" => Error::Usage(format!("--frequencies: {error}")),
                _ => self.common.named_option(error, &self.load),
            },
            _ => self.common.named_option(error, &self.load),
        }
    }
}

/// The prediction by a halfspace of the features.
fn by_features(map: KernelMap, halfspace: Halfspace) -> Prediction {
    Box::new(move |point| {
        let features = map.features(point)?;
        Ok(by_product(halfspace.inner_product(&features)?))
    })
}

/// The weights in a model file: numbers as texts.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weights {
    features: WrittenFeatures,
    direction: Vec<String>,
}

/// The features in a model file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
enum WrittenFeatures {
    /// Of each frequency its coordinates, in steps of their grid.
    Fourier {
        frequency_grid_bits: u32,
        feature_grid_bits: u32,
        frequencies: Vec<Vec<String>>,
    },
    /// The offset is in squared steps of the grid of the points.
    Polynomial { degree: u32, offset: u64 },
}

fn weights(model: &KernelModel, features: &Features) -> serde_json::Value {
    let texts = |numbers: &[i64]| -> Vec<String> { numbers.iter().map(i64::to_string).collect() };
    let features = match features {
        Features::Fourier {
            frequency_grid,
            feature_grid,
            ..
        } => WrittenFeatures::Fourier {
            frequency_grid_bits: frequency_grid.bits(),
            feature_grid_bits: feature_grid.bits(),
            frequencies: model.map.frequencies().map(texts).collect(),
        },
        Features::Polynomial { degree, offset } => WrittenFeatures::Polynomial {
            degree: *degree,
            offset: *offset,
        },
    };
    serde_json::json!(Weights {
        features,
        direction: texts(&model.model.halfspace.direction),
    })
}
