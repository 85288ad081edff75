//! `assay learn margin-gibbs`.

use super::learn::{Common, pure_learner, trained, without_privacy};
use crate::error::Error;
use crate::options::{Range, whole};
use crate::output;
use crate::papers::classifier::{self, Data, Inputs, Trained};
use crate::papers::learn::Options;
use crate::papers::meter::{self, Metered};
use clap::Args;
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::margin::bounds::GibbsRun;
use dp_assay::margin::choice_of_margin::{self, MarginChoice};
use dp_assay::margin::gibbs::{self, Candidates, GibbsModel};
use dp_assay::margin::{Dataset, MarginError};
use dp_assay::number::rational::{ratio, shortly};
use dp_assay::number::{OutOfRange, Rational};
use num_bigint::BigInt;
use num_traits::Zero;

/// The Gibbs learner, pure: candidates are drawn from a normal prior by a public seed, before the data are looked at,
/// and the exponential mechanism chooses one of them.
///
/// It needs neither a projection nor a cover, and its bound depends on the margin alone, not on the dimension. The bound
/// takes the seed to be independent of the data: do not choose it after looking at them.
#[derive(Debug, Args)]
pub struct Gibbs {
    #[command(flatten)]
    pub common: Common,
    /// The margin, in (0, 1]: that of halfspaces of norm 1 on records of the unit ball
    #[arg(
        long, value_name = "RHO", value_parser = Range::LearnedMargin.parser(), allow_hyphen_values = true,
        required_unless_present = "choose_margin", conflicts_with = "choose_margin"
    )]
    margin: Option<Rational>,
    /// Choose the margin privately among 1, 1/2, 1/4, ..., with half of epsilon, and learn with the other half. The
    /// model is no better for it: what it buys is a bound at a margin that fits, which may be published
    #[arg(long)]
    choose_margin: bool,
    /// How many candidates are drawn: of more the best is better, and the choice among them costs little more
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 10_000)]
    candidates: u64,
    /// The public seed of the candidates
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    candidates_seed: u64,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    pub load: Data,
}

/// Its name.
pub const NAME: &str = "margin-gibbs";

/// What is public of a run.
const PUBLIC: &str =
    "parameters, the candidates and their seed, intervals, categories and label values";

/// A stream that no learner draws from: candidates and coins stay independent under equal seeds.
const STREAM: u64 = u64::from_le_bytes(*b"candidat");

/// Runs `assay learn margin-gibbs`.
pub fn run(arguments: &Gibbs, options: &Options) -> Result<(), Error> {
    arguments.validate()?;
    let svm = |data: &Dataset| Ok(without_privacy(data, &arguments.margin_beside()));
    let learner = pure_learner(NAME, PUBLIC, &svm);
    classifier::run(&learner, options, arguments.of(), |data, coins| {
        train(data, arguments, coins, output::note)
    })
}

/// Runs `assay meter margin-gibbs`.
pub fn meter(arguments: &Gibbs, options: &meter::Options) -> Result<Metered, Error> {
    arguments.validate()?;
    let svm = |data: &Dataset| Ok(without_privacy(data, &arguments.margin_beside()));
    let learner = pure_learner(NAME, PUBLIC, &svm);
    classifier::meter(&learner, options, arguments.of(), |data, coins| {
        train(data, arguments, coins, |_| {})
    })
}

/// The candidates of a seed.
pub fn candidates(seed: u64, count: usize, dimension: usize) -> Result<Candidates, MarginError> {
    Candidates::draw(count, dimension, &mut ChaCha::reproducible(seed, STREAM))
}

impl Gibbs {
    /// The margin of the learner without privacy: where ours is chosen, some margin.
    fn margin_beside(&self) -> Rational {
        let some = || ratio(1, 10);
        self.margin.clone().unwrap_or_else(some)
    }

    fn of(&self) -> (&Inputs, &Data) {
        (&self.common.inputs, &self.load)
    }

    fn validate(&self) -> Result<(), Error> {
        self.common.validate(&self.load)?;
        if self.candidates == 0 {
            return Err(Error::option("--candidates", "at least 1", 0));
        }
        Ok(())
    }
}

/// Learns from `data`; before the work it tells `say` where there is much.
fn train(
    data: &Dataset,
    arguments: &Gibbs,
    coins: &mut impl Coins,
    say: impl Fn(&str),
) -> Result<Trained, Error> {
    let common = &arguments.common;
    let (m, d) = (data.records().len(), data.domain().dimension());
    let epsilon = &common.inputs.epsilon;
    let refused = |error| named_option(error, (arguments.candidates, &arguments.load, epsilon));
    drawing(arguments.candidates, d, say);
    let candidates = candidates(arguments.candidates_seed, arguments.candidates as usize, d);
    let candidates = candidates.map_err(refused)?;
    let chosen = match &arguments.margin {
        Some(rho) => {
            let model = gibbs::learn(data, &candidates, epsilon, coins).map_err(refused)?;
            Chosen {
                rho: rho.clone(),
                epsilon: epsilon.clone(),
                beta: common.beta.clone(),
                model,
            }
        }
        None => choose(data, &candidates, common, coins).map_err(refused)?,
    };
    let run = GibbsRun {
        records: m as u64,
        dimension: d as u64,
        candidates: arguments.candidates,
        epsilon: chosen.epsilon,
        beta: chosen.beta,
    };
    let q = Common::margin(&chosen.rho)?.ratio();
    let bound = common.bound(&chosen.rho, run.guarantee(&q, &Rational::zero())?);
    let mut named = common.parameters(&chosen.rho);
    if arguments.choose_margin {
        named.set("margin_chosen_with_epsilon", &run.epsilon);
    }
    named.set("candidates", arguments.candidates);
    named.set("candidates_seed", arguments.candidates_seed);
    named.set("candidate_chosen", chosen.model.chosen);
    Ok(trained(chosen.model.halfspace, named, bound))
}

/// A model, and at which margin, with which epsilon and which probability of failure its bound is stated.
struct Chosen {
    rho: Rational,
    epsilon: Rational,
    beta: Rational,
    model: GibbsModel,
}

/// Chooses a margin with half of epsilon, and learns with the other half. The bound holds at all margins of the grid at
/// once: at each with its share of beta.
fn choose(
    data: &Dataset,
    candidates: &Candidates,
    common: &Common,
    coins: &mut impl Coins,
) -> Result<Chosen, MarginError> {
    let half = &common.inputs.epsilon / BigInt::from(2);
    let parameters = MarginChoice {
        epsilon_of_choice: half.clone(),
        epsilon: half.clone(),
        beta: common.beta.clone(),
    };
    let found = choice_of_margin::learn(data, candidates, &parameters, coins)?;
    let margins = choice_of_margin::grid_size(data.records().len())?;
    Ok(Chosen {
        rho: found.ratio().recip(),
        epsilon: half,
        beta: &common.beta / BigInt::from(margins),
        model: found.model,
    })
}

/// Tells `say` how long it takes to draw candidates, where it takes long.
pub fn drawing(candidates: u64, dimension: usize, say: impl Fn(&str)) {
    // As measured, on one core.
    const COORDINATES_A_SECOND: u64 = 500_000;
    let seconds = candidates.saturating_mul(dimension as u64) / COORDINATES_A_SECOND;
    // More than twenty minutes' do not fit in memory.
    if (10..1200).contains(&seconds) {
        say(&format!(
            "drawing {candidates} candidates in dimension {dimension} takes about {seconds} s"
        ));
    }
}

/// The error, with the option that helps.
pub fn named_option(
    error: MarginError,
    (candidates, load, epsilon): (u64, &Data, &Rational),
) -> Error {
    match error {
        MarginError::TooManyCandidates { .. } => {
            Error::Usage(format!("--candidates {candidates}: {error}"))
        }
        MarginError::Overflow { .. } => Error::Usage(format!(
            "an inner product might not fit in 64 bits: lower --grid-bits (here {})",
            load.grid_bits
        )),
        MarginError::Parameter(OutOfRange {
            parameter: "epsilon",
            expected,
            ..
        }) => Error::option("--epsilon", expected, shortly(epsilon)),
        error => error.into(),
    }
}
