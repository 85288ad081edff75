//! `assay learn margin-gibbs`.

use super::candidates::{candidates, named_option};
use super::choice::{MarginOptions, Share, WITH_CANDIDATES};
use super::learn::Common;
use crate::error::Error;
use crate::options::{whole, whole_in};
use crate::papers::classifier::{Data, Found, OfClasses, Options};
use crate::papers::forecast::{Forecast, Size, Way};
use crate::papers::learn::{Learner, Parameters, Trained};
use crate::papers::work::{
    DEFAULT_LIMIT, SECONDS_UNLESS_TOLD, STEPS_A_SECOND, Work, bytes_of_records,
};
use clap::Args;
use dp_assay::coins::Coins;
use dp_assay::margin::Dataset;
use dp_assay::margin::bounds::GibbsRun;
use dp_assay::margin::choice_of_margin::{self, ChoiceParameters};
use dp_assay::margin::gibbs::{self, Candidates};
use dp_assay::number::rational::integer;
use dp_assay::number::{Enclosure, Rational};
use dp_assay::sample::check_exponent;
use num_traits::Zero;

/// Halfspaces with a margin, pure, the Gibbs learner: candidates are drawn from a normal prior by a public seed, before the data are looked at,
/// and the exponential mechanism chooses one of them.
///
/// It needs neither a projection nor a cover, and its bound depends on the margin alone, not on the dimension. The bound
/// takes the seed to be independent of the data: do not choose it after looking at them.
///
/// The learner does not read the margin: with --choose-margin the model is no better. What it buys is a bound at a margin that
/// fits, which may be published.
#[derive(Debug, Args)]
pub struct Gibbs {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    margin: MarginOptions,
    /// How many candidates are drawn, instead of 10000, or of as many as take some 10 seconds if these are fewer: of more the
    /// best is better, and the choice among them costs little more
    #[arg(long, value_name = "N", value_parser = whole_in::<u64>(1..=u64::MAX), allow_hyphen_values = true)]
    candidates: Option<u64>,
    /// The public seed of the candidates
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    candidates_seed: u64,
    /// The most steps that may be taken, each of one coordinate of a record and of a candidate, at some 1e9 a second; to
    /// draw a coordinate of a candidate takes as long as 2000
    #[arg(long, value_name = "N", value_parser = whole_in::<u128>(0..=u64::MAX), allow_hyphen_values = true, default_value_t = DEFAULT_LIMIT)]
    limit: u128,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    pub load: Data,
}

impl Learner for Gibbs {
    const NAME: &'static str = "margin-gibbs";
    type Family = OfClasses<Dataset>;
    type Before = ();

    fn family(&self) -> Options<'_> {
        Options::new(&self.common.inputs, &self.load)
    }

    fn before(&self) -> Result<(), Error> {
        self.common.validate(&self.load)
    }

    fn public(&self) -> &'static str {
        WITH_CANDIDATES
    }

    fn forecast(&self, size: Size) -> Result<Option<Forecast>, Error> {
        let common = &self.common;
        let shape = (size.records, size.coordinates);
        let candidates = self.candidates(shape);
        let refused = |error| named_option(error, (candidates, common, &self.load));
        Candidates::check_size(candidates as usize, shape.1).map_err(refused)?;
        let share = self.margin.share(common, shape.0).map_err(refused)?;
        let rho = &share.margins[0];
        let guarantee = self
            .run(shape, &share)
            .guarantee(&Common::margin(rho)?.ratio(), &Rational::zero())?;
        // The one chosen has at most this many errors more than the best, but for the probability beta.
        let all = Rational::from_integer(candidates.into()) / &common.beta;
        let more = Enclosure::of(&all, 64).ln()?.upper() * integer(2) / &share.epsilon;
        Ok(Some(Forecast {
            way: Way::Candidates,
            noise: format!(
                "at most {} errors more than the best of {candidates} candidates",
                more.ceil().to_integer()
            ),
            bound: Some(common.bound(rho, guarantee)),
            work: self.work(shape)?,
        }))
    }

    fn train(
        &self,
        _before: &(),
        data: &Dataset,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        let common = &self.common;
        let (m, d) = (data.records().len(), data.domain().dimension());
        let count = self.candidates((m, d));
        let refused = |error| named_option(error, (count, common, &self.load));
        // What the learner would refuse is refused before the candidates are drawn.
        Candidates::check_size(count as usize, d).map_err(refused)?;
        let share = self.margin.share(common, m).map_err(refused)?;
        check_exponent(&share.epsilon, m).map_err(|error| refused(error.into()))?;
        let work = self.work((m, d))?;
        named.say(&work);
        let candidates = candidates(self.candidates_seed, count as usize, d).map_err(refused)?;
        let (place, model) = if self.margin.is_chosen() {
            let parameters = ChoiceParameters {
                epsilon_of_choice: share.epsilon.clone(),
                epsilon: share.epsilon.clone(),
                beta: common.beta.clone(),
            };
            let found = choice_of_margin::learn(data, &candidates, &parameters, coins);
            let found = found.map_err(refused)?;
            (found.halvings, found.model)
        } else {
            let model = gibbs::learn(data, &candidates, &share.epsilon, coins);
            (0, model.map_err(refused)?)
        };
        let run = self.run((m, d), &share);
        let rho = &share.margins[place];
        let guarantee = run.guarantee(&Common::margin(rho)?.ratio(), &Rational::zero())?;
        let guarantee = self.margin.said(guarantee, &share, common);
        common.describe(named, rho);
        self.margin.describe(named, &share);
        named.set("candidates", count);
        named.set("candidates_seed", self.candidates_seed);
        named.set("candidate_chosen", model.chosen);
        let bound = common.bound(rho, guarantee);
        Ok(Trained::halfspace(model.halfspace, rho.clone(), bound))
    }
}

impl Gibbs {
    /// A run on `m` records in dimension `d`, at each of the margins that are considered.
    fn run(&self, (m, d): (usize, usize), share: &Share) -> GibbsRun {
        GibbsRun {
            records: m as u64,
            dimension: d as u64,
            candidates: self.candidates((m, d)),
            epsilon: share.epsilon.clone(),
            beta: share.beta.clone(),
        }
    }

    /// How many candidates in dimension `d` there are for `m` records: those that were asked for, or what takes some seconds.
    fn candidates(&self, shape: (usize, usize)) -> u64 {
        let quick = SECONDS_UNLESS_TOLD * STEPS_A_SECOND / steps_of_a_candidate(shape);
        let quick = u64::try_from(quick).unwrap_or(u64::MAX);
        self.candidates.unwrap_or(quick.clamp(1, MOST_UNLESS_TOLD))
    }

    /// The work on `m` records in dimension `d`; more than the limit is refused.
    fn work(&self, (m, d): (usize, usize)) -> Result<Work, Error> {
        let candidates = self.candidates((m, d));
        let work = Work {
            what: format!("{candidates} candidates in dimension {d} on {m} records"),
            steps: steps_of_a_candidate((m, d)).saturating_mul(candidates.into()),
            a_second: STEPS_A_SECOND,
            bytes: bytes_of_records(m, d).saturating_add(8 * u128::from(candidates) * d as u128),
        };
        let fit = match self.limit / steps_of_a_candidate((m, d)) {
            0 => String::new(),
            fit => format!("--candidates {fit} would do; "),
        };
        work.within(self.limit, &format!("{fit}lower --candidates"))
    }
}

/// So many candidates are drawn unless told otherwise, and if it takes no longer than others may.
const MOST_UNLESS_TOLD: u64 = 10_000;

/// To draw a coordinate of a candidate takes as long as so many steps, as measured.
const STEPS_OF_A_DRAW: u128 = 2000;

/// The steps that a candidate in dimension `d` takes on `m` records.
fn steps_of_a_candidate((m, d): (usize, usize)) -> u128 {
    (STEPS_OF_A_DRAW + m as u128).saturating_mul(d.max(1) as u128)
}
