//! `assay learn margin-network`: the learner, and its model file.

use super::learn::{Common, nothing_promised};
use crate::error::Error;
use crate::options::{MOST, Range, number, whole_in};
use crate::papers::Predict;
use crate::papers::classifier::{Data, Found, OfClasses, Options};
use crate::papers::halfspace_model::{Decision, Prediction, printed};
use crate::papers::learn::{Learner, Parameters, Trained};
use crate::papers::model::{ModelFile, integers};
use crate::papers::report::Bound;
use crate::papers::work::work_of;
use clap::Args;
use dp_assay::coins::Coins;
use dp_assay::margin::bounds::NetworkRun;
use dp_assay::margin::feed_forward::{Layer, Network, NetworkMargin, Scale, Shape};
use dp_assay::margin::network::{self, DEFAULT_NETWORKS, NetworkParameters};
use dp_assay::margin::{Dataset, MarginError};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, shortly, to_f64_for_display, to_scientific_above};
use num_traits::{One, Zero};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Neural networks, pure: Section 5 of Bassily, Mohri and Suresh 2022, projections and a cover of each layer, and the exponential mechanism on all networks of the
/// covers.
///
/// The networks that the theorem asks for are far too many to go through, but for the smallest ones. With --dimension and
/// --radius privacy is the same.
#[derive(Debug, Args)]
pub struct NetworkOptions {
    #[command(flatten)]
    pub common: Common,
    /// The margin, in (0, 1]: that of the network's output on records of the unit ball
    #[arg(long, value_name = "RHO", value_parser = Range::LearnedMargin.parser(), allow_hyphen_values = true)]
    margin: Rational,
    /// How many linear maps the network has, from 1 to 64: one is a halfspace, without a hidden layer
    #[arg(long, value_name = "L", value_parser = whole_in::<u32>(1..=64), allow_hyphen_values = true, default_value_t = 2)]
    layers: u32,
    /// How many neurons each hidden layer has, from 1 on; otherwise 1
    #[arg(long, value_name = "N", value_parser = whole_in::<u32>(1..=MOST), allow_hyphen_values = true)]
    width: Option<u32>,
    /// ETA in the activation tanh(ETA a / 4) of hidden layers, from 1e-9 to 1e9; otherwise 4
    #[arg(long, value_name = "ETA", value_parser = Range::Positive.parser(), allow_hyphen_values = true)]
    slope: Option<Rational>,
    /// The largest norm of a layer's weights, from 1e-9 to 1e9
    #[arg(long, value_name = "NORM", default_value = "1", value_parser = Range::Positive.parser(), allow_hyphen_values = true)]
    norm: Rational,
    /// The dimension of the projection before each layer, instead of the theorem's; a layer with no more inputs is not
    /// projected. Needs --radius
    #[arg(long, value_name = "K", requires = "radius", value_parser = whole_in::<u32>(1..=MOST), allow_hyphen_values = true)]
    dimension: Option<u32>,
    /// The radius of each cover, in (0, 1], instead of the theorem's; without --dimension nothing is projected then
    #[arg(long, value_name = "R", value_parser = Range::Margin.parser(), allow_hyphen_values = true)]
    radius: Option<Rational>,
    /// The most steps that may be taken, each of one record at one network, at some 1e7 a second. However many are
    /// allowed, networks above 1e7 do not fit in memory
    #[arg(long, value_name = "N", value_parser = whole_in::<u128>(0..=u64::MAX), allow_hyphen_values = true, default_value_t = 60 * STEPS_A_SECOND)]
    limit: u128,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    pub load: Data,
}

/// About so many times in a second a network is evaluated on a record, as measured on one core.
const STEPS_A_SECOND: u128 = 10_000_000;

impl Learner for NetworkOptions {
    const NAME: &'static str = "margin-network";
    type Family = OfClasses<Dataset>;
    type Before = ();

    fn family(&self) -> Options<'_> {
        Options::new(&self.common.inputs, &self.load)
    }

    fn before(&self) -> Result<(), Error> {
        self.common.validate(&self.load)?;
        if self.layers == 1 && (self.width.is_some() || self.slope.is_some()) {
            return Err(Error::Usage(
                "--width and --slope are of hidden layers, and --layers 1 has none".to_owned(),
            ));
        }
        let most = self.most_put_out()?;
        if self.margin > most {
            let hidden = match self.layers {
                1 => String::new(),
                _ => format!(", --slope {}", shortly(&self.slope())),
            };
            return Err(Error::Usage(format!(
                "--margin {} is above {}, the most that a network of --layers {}, --norm {}{hidden} puts out: lower \
                 --margin or raise --norm",
                shortly(&self.margin),
                to_scientific_above(&most, 4),
                self.layers,
                shortly(&self.norm),
            )));
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
        let (m, d) = (data.records().len() as u64, data.domain().dimension());
        let refused = |error| self.named_option(error, m);
        let (width, layers) = (self.width() as usize, self.layers as usize);
        let shape = Shape::new(d, width, layers).map_err(refused)?;
        let parameters = self.parameters(shape, m).map_err(refused)?;
        let networks = parameters.count().map_err(refused)?;
        let what = format!("{networks} networks on {m} records");
        let steps = networks.saturating_mul(u128::from(m));
        named.note(&work_of(&what, steps, STEPS_A_SECOND));
        self.common.describe(named, &self.margin);
        named.set("layers", layers);
        if layers > 1 {
            named.set("width", width);
            named.set("slope", self.slope());
        }
        named.set("norm", &self.norm);
        named.set("networks", networks);
        let rows: Vec<String> = parameters
            .projected()
            .map(|(rows, inputs)| {
                rows.map_or(format!("none of {inputs}"), |k| format!("{k} of {inputs}"))
            })
            .collect();
        let overridden = self.radius.is_some();
        named.choose("projections", rows.join(", "), overridden);
        if let Some(radius) = &self.radius {
            named.choose("radius", radius, true);
        }
        let bound = self.bound(shape, m)?;
        let model = network::learn(data, &parameters, coins).map_err(refused)?;
        let weights = weights(&self.slope(), &model.network);
        let predict = by_network(model.network);
        Ok(Trained::new(weights, predict, self.margin.clone(), bound))
    }

    /// The label of the side that a network puts a point on; where it does not decide, "undecided".
    fn predictor(model: &ModelFile) -> Result<Predict, String> {
        let weights: Weights = model.weights()?;
        let read =
            |name: &str, text: &str| number(text).map_err(|error| format!("{name}: {error}"));
        let mut layers = Vec::new();
        for layer in &weights.layers {
            let neurons = layer.neurons.iter();
            layers.push(Layer {
                weights: neurons
                    .map(|neuron| integers("neurons", neuron))
                    .collect::<Result<_, _>>()?,
                scale: Scale {
                    factor: read("factor", &layer.factor)?,
                    root: layer.root,
                },
            });
        }
        let inputs = layers.first().and_then(|layer| layer.weights.first());
        let dimension = model.columns.dimension();
        if inputs.map_or(0, Vec::len) != dimension {
            return Err(format!(
                "the neurons of its first layer must have {dimension} weights, one for each coordinate of its columns"
            ));
        }
        let slope = read("slope", &weights.slope)?;
        let network = Network::new(slope, layers).map_err(|error| error.to_string())?;
        printed(model, by_network(network), 1.0)
    }
}

impl NetworkOptions {
    fn width(&self) -> u32 {
        self.width.unwrap_or(1)
    }

    fn slope(&self) -> Rational {
        self.slope.clone().unwrap_or_else(|| integer(4))
    }

    /// What no network of these layers and norms exceeds on the unit ball.
    fn most_put_out(&self) -> Result<Rational, MarginError> {
        Ok(self.margin()?.reach(self.layers as usize) * &self.margin)
    }

    fn margin(&self) -> Result<NetworkMargin, MarginError> {
        let (slope, norm) = (self.slope(), self.norm.clone());
        NetworkMargin::new(slope, norm, Rational::one(), self.margin.clone())
    }

    /// The theorem's parameters, or those that are given.
    fn parameters(&self, shape: Shape, m: u64) -> Result<NetworkParameters, MarginError> {
        let epsilon = &self.common.inputs.epsilon;
        let parameters = match &self.radius {
            None => {
                let margin = self.margin()?;
                NetworkParameters::from_theorem(&self.common.beta, epsilon, &margin, shape, m)?
            }
            Some(radius) => NetworkParameters::new(
                epsilon.clone(),
                shape,
                self.slope(),
                self.norm.clone(),
                self.dimension.map(|rows| rows as usize),
                radius,
            )?,
        };
        // As many as the steps allow, but no more than fit in memory.
        let networks = self.limit / u128::from(m.max(1));
        Ok(parameters.with_limit(networks.min(DEFAULT_NETWORKS)))
    }

    /// The error, with the options that help.
    fn named_option(&self, error: MarginError, m: u64) -> Error {
        match error {
            MarginError::TooManyNetworks { networks, limit } => {
                let (beyond, raise) = if limit == DEFAULT_NETWORKS {
                    (format!("the {limit} that fit in memory"), "")
                } else {
                    (
                        format!(
                            "the {limit} that --limit {} allows on {m} records",
                            self.limit
                        ),
                        ", or raise --limit",
                    )
                };
                Error::Usage(format!(
                    "the networks are {networks}, more than {beyond}: lower --layers (here {}), --width (here {}) or \
                     --dimension, raise --radius{raise}; the guarantee of privacy stays, that of accuracy need not",
                    self.layers,
                    self.width()
                ))
            }
            error => self.common.named_option(error, &self.load),
        }
    }

    /// What is promised, in words.
    fn bound(&self, shape: Shape, m: u64) -> Result<Bound, Error> {
        if let Some(radius) = &self.radius {
            let reason = format!("a cover of radius {} need not keep it", shortly(radius));
            return Ok(nothing_promised(&self.margin, &reason));
        }
        let run = NetworkRun {
            records: m,
            shape,
            epsilon: self.common.inputs.epsilon.clone(),
            beta: self.common.beta.clone(),
            reach: self.margin()?.reach(shape.layers()),
        };
        let guarantee = run.guarantee(&Rational::zero())?;
        let some = "some network of this shape and norm has y h(x)";
        let condition = format!("{some} > {}", self.margin);
        Ok(self.common.bound_if(&condition, &self.margin, guarantee))
    }
}

/// The prediction by a network: the sign of what it puts out, and the end of an enclosure that has it.
fn by_network(network: Network) -> Prediction {
    Box::new(move |point| {
        let order = network.sign(point)?.unwrap_or(Ordering::Equal);
        let value = match order {
            Ordering::Greater => network.output(point, SCORE_BITS)?.upper(),
            Ordering::Less => network.output(point, SCORE_BITS)?.lower(),
            Ordering::Equal => Rational::zero(),
        };
        Ok(Decision::new(order, to_f64_for_display(&value)))
    })
}

/// With so many bits the output of a network is enclosed.
const SCORE_BITS: u32 = 128;

/// The weights in a model file: numbers as texts.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weights {
    slope: String,
    layers: Vec<WrittenLayer>,
}

/// A layer: its integers, one list a neuron, are times `factor / sqrt(root)`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLayer {
    factor: String,
    root: u64,
    neurons: Vec<Vec<String>>,
}

fn weights(slope: &Rational, network: &Network) -> serde_json::Value {
    let layer = |layer: &Layer| WrittenLayer {
        factor: layer.scale.factor.to_string(),
        root: layer.scale.root,
        neurons: layer
            .weights
            .iter()
            .map(|neuron| neuron.iter().map(i64::to_string).collect())
            .collect(),
    };
    let written = Weights {
        slope: slope.to_string(),
        layers: network.layers().iter().map(layer).collect(),
    };
    serde_json::json!(written)
}
