//! `assay learn margin-descent`.

use super::choice::{Judges, MarginOptions, Share};
use super::learn::Common;
use crate::error::Error;
use crate::options::{MOST, Range, whole_in};
use crate::papers::classifier::{Data, Found, OfClasses, Options};
use crate::papers::forecast::{Forecast, Size, Way};
use crate::papers::learn::{Learner, Parameters, Trained};
use crate::papers::work::{Work, bytes_of_records};
use clap::{Args, ValueEnum};
use dp_assay::coins::Coins;
use dp_assay::geometry::Domain;
use dp_assay::margin::bounds::Guarantee;
use dp_assay::margin::choice_of_margin::{Loss, of_efficient};
use dp_assay::margin::efficient::{EfficientParameters, EfficientPlan};
use dp_assay::margin::erm::ErmPlan;
use dp_assay::margin::map::{Map, MapKind};
use dp_assay::margin::{Dataset, MarginError, erm};
use dp_assay::number::chosen::{Origin, overridden};
use dp_assay::number::rational::{shortly, to_scientific_above};
use dp_assay::number::{Grid, Rational};
use dp_assay::privacy::{Budget, PrivacyError};
use num_traits::Zero;

/// Halfspaces with a margin, efficient: Algorithm 2 of Bassily, Mohri and Suresh 2022, a random projection, and noisy phased descent on the smoothed hinge loss, in rounds that draw
/// records with replacement.
///
/// With --choose-margin public candidates, as those of margin-gibbs, judge the margins by their hinge losses; in many
/// dimensions no candidate fits, and the bounds decide.
#[derive(Debug, Args)]
pub struct Efficient {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    margin: MarginOptions,
    #[command(flatten)]
    judges: Judges,
    /// The privacy parameter delta, from 1e-100 to 1/2
    #[arg(long, value_name = "D", value_parser = Range::Delta.parser(), allow_hyphen_values = true)]
    delta: Rational,
    /// How the noise is calibrated: all hold, and mixture has the least
    #[arg(long, value_enum, default_value = "mixture")]
    accounting: Accounting,
    /// The random projection: privacy is the same with each
    #[arg(long, value_enum, default_value = "signs")]
    map: Kind,
    /// The dimension of the projection, instead of the theorem's; there is none if this is at least the
    /// dimension of the data
    #[arg(
        long, value_name = "K", value_parser = whole_in::<u32>(1..=MOST), allow_hyphen_values = true, conflicts_with = "choose_margin"
    )]
    dimension: Option<u32>,
    /// The dimension between the two stages of --map two-stage, beside --dimension
    #[arg(long, value_name = "K1", value_parser = whole_in::<u32>(1..=MOST), allow_hyphen_values = true)]
    between: Option<u32>,
    /// The number of rounds, from 1 to 4096, instead of the theorem's
    #[arg(
        long, value_name = "M", value_parser = whole_in::<u32>(1..=MOST_ROUNDS), allow_hyphen_values = true,
        conflicts_with = "choose_margin"
    )]
    rounds: Option<u32>,
    /// The most steps that may be taken, each of one coordinate of a record, at some 4e7 a second
    #[arg(long, value_name = "N", value_parser = whole_in::<u128>(0..=u64::MAX), allow_hyphen_values = true, default_value_t = 600 * STEPS_A_SECOND)]
    limit: u128,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    pub load: Data,
}

/// How the noise of Algorithm 2 is calibrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Accounting {
    /// As in the paper's proof: Chernoff's bound on how often a record is drawn, and group privacy
    Paper,
    /// Samples in which no record occurs too often, and zero-concentrated privacy
    Zcdp,
    /// The exact law of how often a record is drawn
    Mixture,
}

/// The kind of the projection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
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
    fn named(accounting: erm::Accounting) -> &'static str {
        match accounting {
            erm::Accounting::Paper => "paper",
            erm::Accounting::Zcdp => "zcdp",
            erm::Accounting::Mixture => "mixture",
        }
    }

    pub fn of_the_library(self) -> erm::Accounting {
        match self {
            Self::Paper => erm::Accounting::Paper,
            Self::Zcdp => erm::Accounting::Zcdp,
            Self::Mixture => erm::Accounting::Mixture,
        }
    }
}

/// The most rounds that may be asked for: Theorem 3.2 asks for some ten.
pub const MOST_ROUNDS: u64 = 4096;

impl Learner for Efficient {
    const NAME: &'static str = "margin-descent";
    const ALIASES: &'static [&'static str] = &["margin-efficient"];
    type Family = OfClasses<Dataset>;
    type Before = ();

    fn family(&self) -> Options<'_> {
        Options {
            delta: Some(&self.delta),
            ..Options::new(&self.common.inputs, &self.load)
        }
    }

    fn public(&self) -> &'static str {
        self.margin.public()
    }

    fn before(&self) -> Result<(), Error> {
        self.common.validate(&self.load)?;
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
        Ok(())
    }

    fn forecast(&self, size: Size) -> Result<Option<Forecast>, Error> {
        let domain = Domain::unit_ball(Grid::new(self.load.grid_bits)?, size.coordinates)?;
        let Planned {
            share, plan, work, ..
        } = self.planned(domain, size.records)?;
        let rho = &share.margins[0];
        let run = plan.run(&share.beta).at(&Common::margin(rho)?.ratio());
        let multiplier = to_scientific_above(plan.erm().multiplier(), 3);
        let guarantee = guaranteed(run.guarantee(&Rational::zero()))?;
        Ok(Some(Forecast {
            way: Way::Parts,
            noise: format!("{multiplier} times what one use of a record moves"),
            bound: Some(self.common.bound(rho, guarantee)),
            work,
        }))
    }

    fn train(
        &self,
        _before: &(),
        data: &Dataset,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        let (common, judges) = (&self.common, &self.judges);
        let (m, domain) = (data.records().len(), data.domain());
        let refused = |error| self.refused(error);
        let Planned {
            share,
            parameters,
            plan,
            work,
        } = self.planned(domain, m)?;
        named.say(&work);
        let run = plan.run(&share.beta);
        let run_at = |rho: &Rational| Ok(run.at(&Common::margin(rho)?.ratio()));
        let mut bounds = Vec::new();
        if self.margin.is_chosen() {
            judges.announce(domain.dimension(), named);
            for rho in &share.margins {
                let bound = run_at(rho).and_then(|run| of_efficient(&run));
                bounds.push(bound.map_err(refused)?);
            }
        }
        let found = self.margin.learn(
            (common, judges),
            data,
            (Loss::Hinge, bounds),
            coins,
            |place, coins| match place {
                0 => plan.learn(data, coins),
                _ => EfficientParameters {
                    margin: Common::margin(&share.margins[place])?,
                    ..parameters.clone()
                }
                .plan(domain, m)?
                .learn(data, coins),
            },
        );
        let (place, model) = found.map_err(refused)?;
        let rho = &share.margins[place];
        common.describe(named, rho);
        if self.margin.is_chosen() {
            self.margin.describe(named, &share);
            judges.describe(named);
        }
        let d = domain.dimension();
        describe(named, &parameters, plan.erm(), (self.map, d));
        let run = run_at(rho).map_err(refused)?;
        let guarantee = guaranteed(run.guarantee(&Rational::zero()))?;
        let guarantee = self.margin.said(guarantee, &share, common);
        let bound = common.bound(rho, guarantee);
        Ok(Trained::halfspace(model.halfspace, rho.clone(), bound))
    }
}

/// A run before it has drawn anything.
struct Planned {
    share: Share,
    parameters: EfficientParameters,
    plan: EfficientPlan,
    work: Work,
}

impl Efficient {
    /// The plan for `m` records of a domain at the first of its margins; more work than the limit is refused. Nothing but the loss
    /// depends on the margin: the noise is calibrated once for the bounds of all.
    fn planned(&self, domain: Domain, m: usize) -> Result<Planned, Error> {
        let (shape, refused) = ((m, domain.dimension()), |error| self.refused(error));
        let share = self.margin.share(&self.common, m).map_err(refused)?;
        let parameters = self.parameters(&share.margins[0], &share, shape);
        let parameters = parameters.map_err(refused)?;
        Ok(Planned {
            plan: parameters.plan(domain, m).map_err(refused)?,
            work: self.work(&parameters, shape)?,
            share,
            parameters,
        })
    }

    /// The error, with the option that helps.
    fn refused(&self, error: MarginError) -> Error {
        beyond_delta(error, (self.rounds, &self.delta), |error| {
            self.judges.named_option(error, &self.common, &self.load)
        })
    }

    /// The theorem's parameters at a margin for `m` records in dimension `d`, with what is overridden.
    fn parameters(
        &self,
        rho: &Rational,
        share: &Share,
        (m, d): (usize, usize),
    ) -> Result<EfficientParameters, MarginError> {
        let budget = Budget::substituting(&share.epsilon, &self.delta)?;
        let mut parameters = EfficientParameters::from_theorem_for(
            self.map.of_the_library(),
            &share.beta,
            budget,
            Common::margin(rho)?,
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
            parameters = parameters.with_map(map, &share.beta, (m, d))?;
        }
        if let Some(rounds) = self.rounds {
            parameters.rounds = overridden(rounds);
        }
        Ok(parameters)
    }
}

/// The error: where the rounds alone exceed delta, with the options that help, and otherwise as `usual` says.
pub fn beyond_delta(
    error: MarginError,
    (rounds, delta): (Option<u32>, &Rational),
    usual: impl FnOnce(MarginError) -> Error,
) -> Error {
    let MarginError::Privacy(error @ PrivacyError::DeltaOutOfReach { .. }) = error else {
        return usual(error);
    };
    let delta = shortly(delta);
    Error::Usage(match rounds {
        Some(rounds) => {
            format!("--rounds {rounds}: too many for --delta {delta}: {error}; lower --rounds")
        }
        None => format!("--delta {delta}: {error}; raise --delta"),
    })
}

/// So many coordinates of points go through a step of the descent in a second, as measured.
const STEPS_A_SECOND: u128 = 40_000_000;

impl Efficient {
    /// The work of the descent on `m` records in dimension `d`; more than the limit is refused.
    fn work(
        &self,
        parameters: &EfficientParameters,
        (m, d): (usize, usize),
    ) -> Result<Work, Error> {
        let rounds = parameters.rounds.value;
        let rows = parameters.map.value.rows(d).unwrap_or(d);
        let work = Work {
            what: format!("{rounds} rounds over {m} records in dimension {rows}"),
            steps: u128::from(rounds) * m as u128 * rows as u128,
            a_second: STEPS_A_SECOND,
            // The records, and their images.
            bytes: bytes_of_records(m, d) + bytes_of_records(m, rows),
        };
        work.within(self.limit, "lower --rounds or --dimension")
    }
}

/// Sets the parameters of Algorithm 2 on data of dimension `d`, where this kind of map was asked for.
pub fn describe(
    named: &mut Parameters,
    parameters: &EfficientParameters,
    plan: &ErmPlan,
    (kind, d): (Kind, usize),
) {
    let (map, rounds) = (&parameters.map, &parameters.rounds);
    let rows = map.value.rows(d);
    let overridden = map.origin == Origin::Overridden;
    named.choose("dimension", rows.unwrap_or(d), overridden);
    let projection = match (rows, map.value) {
        (Some(_), Map::Hadamard(_)) => "randomised Hadamard transform".to_owned(),
        (Some(_), Map::TwoStage { first, .. }) => {
            format!("randomised Hadamard transform to dimension {first}, then random signs")
        }
        (Some(_), _) => "random signs".to_owned(),
        (None, _) if kind == Kind::None => "none".to_owned(),
        (None, Map::Identity) => format!("none, since the theorem asks for at least {d} rows"),
        (None, Map::Signs(k) | Map::Hadamard(k) | Map::TwoStage { last: k, .. }) => {
            format!("none, since --dimension {k} is not below {d}")
        }
    };
    named.set("projection", projection);
    let overridden = rounds.origin == Origin::Overridden;
    named.choose("rounds", rounds.value, overridden);
    named.set("accounting", Accounting::named(parameters.accounting));
    named.set(
        "noise_over_what_one_use_moves",
        to_scientific_above(plan.multiplier(), 6),
    );
}

/// The guarantee; with fewer rounds than the theorem's there is none.
pub fn guaranteed(guarantee: Result<Guarantee, MarginError>) -> Result<Guarantee, Error> {
    match guarantee {
        Err(MarginError::Parameter(error)) => Ok(Guarantee {
            alpha: None,
            training: None,
            reason: error.to_string(),
        }),
        other => Ok(other?),
    }
}
