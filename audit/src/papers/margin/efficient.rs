//! `assay learn margin-efficient`.

use super::learn::{BESIDE, Common, nothing_promised, trained, without_privacy};
use crate::error::Error;
use crate::options::Range;
use crate::papers::classifier::{self, Data, Inputs, Learner, Private, Trained};
use crate::papers::learn::Options;
use crate::papers::meter::{self, Metered};
use clap::{Args, ValueEnum};
use dp_assay::coins::Coins;
use dp_assay::margin::efficient::EfficientParameters;
use dp_assay::margin::map::{Map, MapKind};
use dp_assay::margin::{Dataset, MarginError, efficient};
use dp_assay::number::chosen::overridden;
use dp_assay::number::rational::{shortly, to_scientific_above};
use dp_assay::number::{OutOfRange, Rational};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use num_traits::Zero;

/// Algorithm 2, efficient: a random projection, and noisy phased descent on the smoothed hinge loss, in rounds that draw
/// records with replacement.
#[derive(Debug, Args)]
pub struct Efficient {
    #[command(flatten)]
    pub common: Common,
    /// The margin, in (0, 1]: that of halfspaces of norm 1 on records of the unit ball
    #[arg(long, value_name = "RHO", value_parser = Range::LearnedMargin.parser(), allow_hyphen_values = true)]
    margin: Rational,
    /// The privacy parameter delta, in (0, 1)
    #[arg(long, value_name = "D", value_parser = Range::Probability.parser(), allow_hyphen_values = true)]
    delta: Rational,
    /// How the noise is calibrated: all hold, and mixture has the least
    #[arg(long, value_enum, default_value = "mixture")]
    accounting: Accounting,
    /// The random projection: privacy is the same with each
    #[arg(long, value_enum, default_value = "signs")]
    map: Kind,
    /// The dimension of the projection, instead of the theorem's; there is none if this is at least the
    /// dimension of the data
    #[arg(long, value_name = "K")]
    dimension: Option<u32>,
    /// The dimension between the two stages of --map two-stage, beside --dimension
    #[arg(long, value_name = "K1")]
    between: Option<u32>,
    /// The number of rounds, instead of the theorem's
    #[arg(long, value_name = "M")]
    rounds: Option<u32>,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    pub load: Data,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Accounting {
    /// As in the paper's proof: Chernoff's bound on how often a record is drawn, and group privacy
    Paper,
    /// Samples in which no record occurs too often, and zero-concentrated privacy
    Zcdp,
    /// The exact law of how often a record is drawn
    Mixture,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A matrix of random signs: the fewest rows
    Signs,
    /// Rows of a randomised Hadamard transform: fast, and more rows, in number growing with ln d
    Hadamard,
    /// The same, then random signs: fast, and rows that do not grow with d, but more than signs alone need
    TwoStage,
    /// No projection
    None,
}

impl Kind {
    fn of_the_library(self) -> MapKind {
        match self {
            Self::Signs => MapKind::Signs,
            Self::Hadamard => MapKind::Hadamard,
            Self::TwoStage => MapKind::TwoStage,
            Self::None => MapKind::Identity,
        }
    }
}

impl Accounting {
    fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Zcdp => "zcdp",
            Self::Mixture => "mixture",
        }
    }

    fn of_the_library(self) -> efficient::Accounting {
        match self {
            Self::Paper => efficient::Accounting::Paper,
            Self::Zcdp => efficient::Accounting::Zcdp,
            Self::Mixture => efficient::Accounting::Mixture,
        }
    }
}

/// Its name.
pub const NAME: &str = "margin-efficient";

/// Runs `assay learn margin-efficient`.
pub fn run(arguments: &Efficient, options: &Options) -> Result<(), Error> {
    arguments.validate()?;
    let svm = |data: &Dataset| Ok(without_privacy(data, &arguments.margin));
    let learner = arguments.learner(&svm);
    classifier::run(&learner, options, arguments.of(), |data, coins| {
        train(data, arguments, coins)
    })
}

/// Runs `assay meter margin-efficient`.
pub fn meter(arguments: &Efficient, options: &meter::Options) -> Result<Metered, Error> {
    arguments.validate()?;
    let svm = |data: &Dataset| Ok(without_privacy(data, &arguments.margin));
    let learner = arguments.learner(&svm);
    classifier::meter(&learner, options, arguments.of(), |data, coins| {
        train(data, arguments, coins)
    })
}

impl Efficient {
    fn of(&self) -> (&Inputs, &Data) {
        (&self.common.inputs, &self.load)
    }

    fn learner<'a>(
        &self,
        beside: &'a classifier::WithoutPrivacy<'a, Dataset>,
    ) -> Learner<'a, Dataset> {
        Learner {
            name: NAME,
            delta: self.delta.clone(),
            public: "parameters, intervals, categories and label values",
            private: Private::Records,
            beside: (BESIDE, beside),
        }
    }

    fn validate(&self) -> Result<(), Error> {
        self.common.validate(&self.load)?;
        for (option, value) in [("--dimension", self.dimension), ("--between", self.between)] {
            if value == Some(0) {
                return Err(Error::option(option, "at least 1", 0));
            }
        }
        match self.map {
            Kind::TwoStage if self.dimension.is_some() != self.between.is_some() => {
                return Err(Error::Usage(
                    "--map two-stage: give --dimension and --between, or neither".to_owned(),
                ));
            }
            Kind::TwoStage => {}
            _ if self.between.is_some() => {
                return Err(Error::Usage(
                    "--between: only with --map two-stage".to_owned(),
                ));
            }
            Kind::None if self.dimension.is_some() => {
                return Err(Error::Usage("--dimension: not with --map none".to_owned()));
            }
            _ => {}
        }
        if self.rounds == Some(0) {
            return Err(Error::option("--rounds", "at least 1", 0));
        }
        Ok(())
    }

    /// The theorem's parameters for `m` records in dimension `d`, with what is overridden.
    fn parameters(&self, m: usize, d: usize) -> Result<EfficientParameters, MarginError> {
        let epsilon = self.common.inputs.epsilon.clone();
        let relation = NeighbouringRelation::Substitute;
        let budget = Budget::approximate(epsilon, self.delta.clone(), relation)?;
        let mut parameters = EfficientParameters::from_theorem_for(
            self.map.of_the_library(),
            &self.common.beta,
            budget,
            Common::margin(&self.margin)?,
            self.accounting.of_the_library(),
            (m, d),
        )?;
        if let Some(rows) = self.dimension {
            let last = rows as usize;
            let map = match self.map {
                Kind::None => Map::Identity,
                Kind::Signs => Map::Signs(last),
                Kind::Hadamard => Map::Hadamard(last),
                Kind::TwoStage => Map::TwoStage {
                    first: self.between.unwrap_or(1) as usize,
                    last,
                },
            };
            parameters = parameters.with_map(map, &self.common.beta, (m, d))?;
        }
        if let Some(rounds) = self.rounds {
            parameters.rounds = overridden(rounds);
        }
        Ok(parameters)
    }
}

/// Learns from `data`.
fn train(data: &Dataset, arguments: &Efficient, coins: &mut impl Coins) -> Result<Trained, Error> {
    let common = &arguments.common;
    let (m, d) = (data.records().len(), data.domain().dimension());
    let refused = |error| named_option(error, arguments);
    let parameters = arguments.parameters(m, d).map_err(refused)?;
    let plan = parameters.plan(data.domain(), m).map_err(refused)?;
    let mut named = common.parameters(&arguments.margin);
    let rows = parameters.map.value.rows(d);
    named.choose(
        "dimension",
        rows.unwrap_or(d),
        arguments.dimension.is_some(),
    );
    let projection = match (rows, parameters.map.value, arguments.dimension) {
        (Some(_), Map::Hadamard(_), _) => "randomised Hadamard transform".to_owned(),
        (Some(_), Map::TwoStage { first, .. }, _) => {
            format!("randomised Hadamard transform to dimension {first}, then random signs")
        }
        (Some(_), ..) => "random signs".to_owned(),
        (None, _, Some(k)) => format!("none, since --dimension {k} is not below {d}"),
        (None, ..) if arguments.map == Kind::None => "none".to_owned(),
        (None, ..) => format!("none, since the theorem asks for at least {d} rows"),
    };
    named.set("projection", projection);
    named.choose(
        "rounds",
        parameters.rounds.value,
        arguments.rounds.is_some(),
    );
    named.set("accounting", arguments.accounting.name());
    named.set(
        "noise_over_what_one_use_moves",
        to_scientific_above(plan.erm().multiplier(), 6),
    );
    let run = plan.run(&common.beta);
    let enough = run.guarantee(&Rational::zero());
    let bound = match enough {
        Ok(guarantee) => common.bound(&arguments.margin, guarantee),
        // Fewer rounds than the theorem's.
        Err(MarginError::Parameter(error)) => {
            nothing_promised(&arguments.margin, &error.to_string())
        }
        Err(error) => return Err(error.into()),
    };
    let model = plan.learn(data, coins).map_err(refused)?;
    Ok(trained(model.halfspace, named, bound))
}

/// The error, with the option that helps.
fn named_option(error: MarginError, arguments: &Efficient) -> Error {
    match error {
        MarginError::Overflow { .. } => Error::Usage(format!(
            "{error}: lower --grid-bits (here {})",
            arguments.load.grid_bits
        )),
        MarginError::Parameter(OutOfRange {
            parameter: "epsilon",
            expected,
            ..
        }) => Error::option(
            "--epsilon",
            expected,
            shortly(&arguments.common.inputs.epsilon),
        ),
        error => error.into(),
    }
}
