//! The margin of a learner: given, or chosen privately (Appendix F).

use super::candidates::{candidates, drawing, named_option};
use super::learn::Common;
use crate::error::Error;
use crate::options::{Range, whole, whole_in};
use crate::papers::classifier::Data;
use crate::papers::learn::Parameters;
use clap::Args;
use dp_assay::coins::Coins;
use dp_assay::margin::bounds::Guarantee;
use dp_assay::margin::choice_of_margin::{Choice, Loss, grid_size, learn_with};
use dp_assay::margin::{Dataset, MarginError};
use dp_assay::number::{Rational, rational};
use num_bigint::BigInt;
use num_traits::One;

/// What is public of a run that has candidates.
pub const WITH_CANDIDATES: &str =
    "parameters, the candidates and their seed, intervals, categories and label values";

/// The margin.
#[derive(Debug, Args)]
pub struct MarginOptions {
    /// The margin, in (0, 1]: that of halfspaces of norm 1 on records of the unit ball
    #[arg(
        long, value_name = "RHO", value_parser = Range::LearnedMargin.parser(), allow_hyphen_values = true,
        required_unless_present = "choose_margin", conflicts_with = "choose_margin"
    )]
    margin: Option<Rational>,
    /// Choose the margin privately among 1, 1/2, 1/4, ... with half of epsilon, and learn with the other half: the
    /// margin at which the least loss of a public candidate and the learner's bound are least
    #[arg(long)]
    choose_margin: bool,
}

/// The public candidates by which a margin is chosen, for a learner that has none of its own.
#[derive(Debug, Args)]
pub struct Judges {
    /// With --choose-margin: how many public candidates there are
    #[arg(long, value_name = "N", value_parser = whole_in::<u64>(1..=u64::MAX), allow_hyphen_values = true, default_value_t = 1000)]
    candidates: u64,
    /// With --choose-margin: the public seed of the candidates
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    candidates_seed: u64,
}

/// What a learner has at each margin that is considered.
#[derive(Debug, Clone)]
pub struct Share {
    /// Of epsilon: the choice has the rest.
    pub epsilon: Rational,
    /// Of beta: the bounds of all margins hold at once.
    pub beta: Rational,
    /// The margins.
    pub margins: Vec<Rational>,
}

impl MarginOptions {
    /// Whether it is chosen.
    pub fn is_chosen(&self) -> bool {
        self.choose_margin
    }

    /// What is public of a run of a learner that has no candidates but those by which a margin is chosen.
    pub fn public(&self) -> &'static str {
        match self.choose_margin {
            true => WITH_CANDIDATES,
            false => "parameters, intervals, categories and label values",
        }
    }

    /// The margin as given, with all of epsilon and beta; or those of the grid for `m` records.
    pub fn share(&self, common: &Common, m: usize) -> Result<Share, MarginError> {
        let (epsilon, beta) = (&common.inputs.epsilon, &common.beta);
        if let Some(rho) = &self.margin {
            return Ok(Share {
                epsilon: epsilon.clone(),
                beta: beta.clone(),
                margins: vec![rho.clone()],
            });
        }
        let count = grid_size(m)?;
        let margin = |halvings: usize| Rational::new(BigInt::one(), BigInt::one() << halvings);
        Ok(Share {
            epsilon: epsilon / BigInt::from(2),
            beta: beta / BigInt::from(count),
            margins: (0..count).map(margin).collect(),
        })
    }

    /// Runs a learner at the margin: the first if it is given, or the one that is chosen by `bounds`, one for each margin that
    /// is considered. The margin's number, and the model.
    pub fn learn<C: Coins, M>(
        &self,
        (common, judges): (&Common, &Judges),
        data: &Dataset,
        (loss, bounds): (Loss, Vec<Rational>),
        coins: &mut C,
        learner: impl FnOnce(usize, &mut C) -> Result<M, MarginError>,
    ) -> Result<(usize, M), MarginError> {
        if !self.choose_margin {
            return Ok((0, learner(0, coins)?));
        }
        let d = data.domain().dimension();
        let public = candidates(judges.candidates_seed, judges.candidates as usize, d)?;
        let choice = Choice {
            loss,
            bounds,
            epsilon: &common.inputs.epsilon / BigInt::from(2),
            beta: common.beta.clone(),
        };
        learn_with(data, &public, &choice, coins, learner)
    }

    /// Sets the parameters that a choice has.
    pub fn describe(&self, named: &mut Parameters, share: &Share) {
        if self.choose_margin {
            // The choice and the learner have half each.
            named.set("margin_chosen_with_epsilon", &share.epsilon);
        }
    }

    /// The guarantee, which says that it is one of many where the margin is chosen.
    pub fn said(&self, guarantee: Guarantee, share: &Share, common: &Common) -> Guarantee {
        if !self.choose_margin {
            return guarantee;
        }
        let beta = rational::shortly(&share.beta);
        let all = rational::shortly(&(Rational::one() - &common.beta));
        Guarantee {
            reason: format!(
                "{} (at each of the margins with epsilon {} and beta {beta}, so that the bounds of all of them hold at once \
                 with probability {all})",
                guarantee.reason, share.epsilon
            ),
            ..guarantee
        }
    }
}

impl Judges {
    /// Says how long it takes to draw the candidates, where it takes long.
    pub fn announce(&self, dimension: usize, named: &Parameters) {
        drawing(self.candidates, dimension, named);
    }

    /// The error, with the option that helps.
    pub fn named_option(&self, error: MarginError, common: &Common, load: &Data) -> Error {
        named_option(error, (self.candidates, common, load))
    }

    /// Sets the parameters of the candidates.
    pub fn describe(&self, named: &mut Parameters) {
        named.set("candidates", self.candidates);
        named.set("candidates_seed", self.candidates_seed);
    }
}
