//! `assay learn margin-cover`.

use super::choice::{Judges, MarginOptions, Share};
use super::learn::Common;
use crate::error::Error;
use crate::options::{MOST, Range, whole_in};
use crate::papers::classifier::{Data, Found, OfClasses, Options};
use crate::papers::learn::{Learner, Parameters, Trained};
use crate::papers::work::{Covered, DEFAULT_LIMIT};
use clap::Args;
use dp_assay::coins::Coins;
use dp_assay::margin::bounds::{Guarantee, PureRun};
use dp_assay::margin::choice_of_margin::Loss;
use dp_assay::margin::pure::{self, PureParameters};
use dp_assay::margin::{Dataset, MarginError};
use dp_assay::number::Rational;
use dp_assay::number::rational::shortly;
use num_traits::{One, Zero};

/// Halfspaces with a margin, pure: Algorithm 1 of Bassily, Mohri and Suresh 2022, a random projection, a lattice cover of
/// the ball, and the exponential mechanism.
///
/// The cover that the theorem asks for is far too large to go through unless the data have few dimensions or the margin
/// is wide: margin-gibbs needs none. With --dimension and --radius privacy is the same.
///
/// With --choose-margin those margins are considered whose cover is within --limit. Public candidates, as those of
/// margin-gibbs, judge them by their margin losses; in many dimensions no candidate fits, and the bounds decide.
#[derive(Debug, Args)]
pub struct Pure {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    margin: MarginOptions,
    #[command(flatten)]
    judges: Judges,
    /// The dimension of the projection, instead of the theorem's; there is none if this is at least the
    /// dimension of the data
    #[arg(
        long, value_name = "K", value_parser = whole_in::<u32>(1..=MOST), allow_hyphen_values = true, conflicts_with = "choose_margin"
    )]
    dimension: Option<u32>,
    /// The radius of the cover, in (0, 1], instead of the theorem's
    #[arg(
        long, value_name = "R", value_parser = Range::Margin.parser(), allow_hyphen_values = true,
        conflicts_with = "choose_margin"
    )]
    radius: Option<Rational>,
    /// The most steps that may be taken, at some 1e9 a second: in two passes a few steps a point, and one for each record
    /// at each point or at each sixteenth of a line of points
    #[arg(long, value_name = "N", value_parser = whole_in::<u128>(0..=u64::MAX), allow_hyphen_values = true, default_value_t = DEFAULT_LIMIT)]
    limit: u128,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    pub load: Data,
}

impl Learner for Pure {
    const NAME: &'static str = "margin-cover";
    const ALIASES: &'static [&'static str] = &["margin-pure"];
    type Family = OfClasses<Dataset>;
    type Before = ();

    fn family(&self) -> Options<'_> {
        Options::new(&self.common.inputs, &self.load)
    }

    fn before(&self) -> Result<(), Error> {
        self.common.validate(&self.load)
    }

    fn public(&self) -> &'static str {
        self.margin.public()
    }

    fn train(
        &self,
        _before: &(),
        data: &Dataset,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        let (common, judges) = (&self.common, &self.judges);
        let (m, d) = (data.records().len(), data.domain().dimension());
        let share = self.margin.share(common, m)?;
        let all = self.considered(&share, (m, d))?;
        // The last has the largest cover.
        all.iter().rev().take(1).for_each(|at| named.note(&at.work));
        if self.margin.is_chosen() {
            judges.announce(d, named);
        }
        // What the bound adds to the margin loss; 1 where it is vacuous.
        let bound = |at: &At| at.guarantee.training.clone().unwrap_or_else(Rational::one);
        let bounds = all.iter().map(bound).collect();
        let found = self.margin.learn(
            (common, judges),
            data,
            (Loss::Margin, bounds),
            coins,
            |place, coins| pure::learn(data, &all[place].parameters, coins),
        );
        let first = &all[0].parameters;
        let (place, model) = found.map_err(|error| self.too_many(error, first, d))?;
        let At {
            rho,
            parameters,
            guarantee,
            ..
        } = &all[place];

        common.describe(named, rho);
        if self.margin.is_chosen() {
            self.margin.describe(named, &share);
            judges.describe(named);
            named.set("margins_considered", all.len());
        }
        let rows = parameters.rows(d);
        named.projection(self.dimension, rows, d);
        named.choose("radius", parameters.radius(), self.radius.is_some());
        named.set("cover_points", parameters.points(d)?);
        named.set("cover_denominator", parameters.cover(d)?.denominator());
        let guarantee = self.margin.said(guarantee.clone(), &share, common);
        let bound = common.bound(rho, guarantee);
        Ok(Trained::halfspace(model.halfspace, rho.clone(), bound))
    }
}

/// A margin that is considered.
struct At {
    rho: Rational,
    parameters: PureParameters,
    guarantee: Guarantee,
    work: String,
}

impl Pure {
    /// The theorem's parameters at a margin for `m` records in dimension `d`, with what is overridden; refused if there is too
    /// much work.
    fn at(&self, rho: &Rational, share: &Share, (m, d): (usize, usize)) -> Result<At, Error> {
        let run = PureRun {
            records: m as u64,
            dimension: d as u64,
            epsilon: share.epsilon.clone(),
            beta: share.beta.clone(),
            ratio: Common::margin(rho)?.ratio(),
        };
        let parameters = self.parameters(&run, rho)?;
        let refused = |error| self.too_many(error, &parameters, d);
        let cover = parameters.cover(d)?;
        let points = parameters.points(d).map_err(refused)?;
        let work = self.covered(&parameters, d).work(&cover, points, m)?;
        Ok(At {
            rho: rho.clone(),
            guarantee: guarantee(&run, &parameters)?,
            parameters,
            work,
        })
    }

    fn parameters(&self, run: &PureRun, rho: &Rational) -> Result<PureParameters, Error> {
        let shape = (run.records, run.dimension);
        let margin = Common::margin(rho)?;
        let theorem = PureParameters::from_theorem(&run.beta, &run.epsilon, &margin, shape)?;
        let rows = match self.dimension {
            Some(rows) => Some(rows as usize),
            None => theorem.rows(run.dimension as usize),
        };
        let radius = self.radius.as_ref().unwrap_or_else(|| theorem.radius());
        let parameters = PureParameters::new(run.epsilon.clone(), rows, radius.clone())?;
        Ok(parameters.with_limit(self.limit))
    }

    /// The margins that are considered: of a grid those, from the widest on, whose cover is within the limit. There is one.
    fn considered(&self, share: &Share, shape: (usize, usize)) -> Result<Vec<At>, Error> {
        let mut all = Vec::new();
        for rho in &share.margins {
            match self.at(rho, share, shape) {
                Ok(at) => all.push(at),
                Err(error) if all.is_empty() => return Err(error),
                Err(_) => break,
            }
        }
        Ok(all)
    }

    /// The cover in dimension `d`, as the options have it.
    fn covered<'a>(&'a self, parameters: &'a PureParameters, d: usize) -> Covered<'a> {
        Covered {
            limit: self.limit,
            dimension: parameters.rows(d).unwrap_or(d),
            radius: parameters.radius(),
            grid_bits: self.load.grid_bits,
            instead: "; or take margin-gibbs, which needs no cover",
        }
    }

    /// The error, with the options that help.
    fn too_many(&self, error: MarginError, parameters: &PureParameters, d: usize) -> Error {
        let covered = self.covered(parameters, d);
        match error {
            MarginError::CoverTooLarge { points, .. } => covered.too_large(points),
            MarginError::Overflow { .. } => covered.overflow(),
            error => self.judges.named_option(error, &self.common, &self.load),
        }
    }
}

/// What a run guarantees at margin loss 0.
fn guarantee(run: &PureRun, parameters: &PureParameters) -> Result<Guarantee, Error> {
    let rows = parameters.rows(run.dimension as usize);
    let rows = rows.map(|rows| rows as u64);
    let radius = parameters.radius();
    let Some(setting) = run.setting_of(rows, radius)? else {
        let cover = format!("a cover of radius {}", shortly(radius));
        let reason = match rows {
            Some(rows) => format!("a projection to {rows} dimensions and {cover} need not keep it"),
            None => format!("{cover} need not keep it"),
        };
        return Ok(Guarantee {
            alpha: None,
            training: None,
            reason,
        });
    };
    Ok(run.guarantee(&setting, &Rational::zero())?)
}
