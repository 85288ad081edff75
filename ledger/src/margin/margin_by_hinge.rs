//! Algorithm 6 with hinge losses: the choice of a margin, and a learner that reads it.

use super::line::{hinge, least_hinge};
use super::pairs;
use super::{BITS, of_the_coins, record};
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use crate::common::shares;
use dp_assay::coins::{ChaCha, Coins, Explorer, Layer, Meter};
use dp_assay::geometry::Record;
use dp_assay::margin::choice_of_margin::{
    Choice, Loss, learn_with, least_hinge_losses, of_efficient,
};
use dp_assay::margin::efficient::{EfficientParameters, EfficientPlan};
use dp_assay::margin::erm::Accounting;
use dp_assay::margin::gibbs::Candidates;
use dp_assay::margin::{Dataset, Domain, Margin};
use dp_assay::number::rational::{integer, ratio, shortly};
use dp_assay::number::{Enclosure, Grid, Rational};
use num_traits::Zero;

/// `bms22.algF.hinge`.
pub(super) fn privacy(check: &mut Check) -> Result<(), Trouble> {
    explored(check)?;
    least_of_the_ball(check)?;
    metered(check)
}

/// Candidates of the plane, and their norms rounded up.
const VECTORS: [([i32; 2], i64); 4] = [([3, 4], 5), ([0, 1], 1), ([-1, 2], 3), ([-2, -2], 3)];

/// On the draw, all datasets of two records from six: each margin has its probability.
fn explored(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "choose on every outcome of its draw: four candidates of the plane, margins r, r/2 and r/4, the 36 datasets of two of six \
         records, epsilon = 1, with the probabilities by a count of their own; these on all 360 ordered pairs of neighbours",
    );
    let vectors: Vec<i32> = VECTORS.iter().flat_map(|(w, _)| *w).collect();
    let candidates = Candidates::new(2, vectors)?;
    let choice = Choice {
        loss: Loss::Hinge,
        bounds: vec![ratio(1, 4), ratio(1, 2), integer(1)],
        epsilon: integer(1),
        beta: ratio(1, 10),
    };
    let mut laws = Vec::new();
    for data in pairs::two_of_six()? {
        let found = Explorer::new(Layer::Laws, 1000).explore(|coins| {
            let chosen = choice.choose(&data, &candidates, coins);
            chosen.map_err(of_the_coins)
        })?;
        let law = by_count(data.records(), &choice)?;
        for (halvings, p) in law.iter().enumerate() {
            let agrees = found.allows(&halvings, p);
            check.holds(
                agrees,
                format_args!("{:?}: {halvings}: {p}", data.records()),
            );
        }
        laws.push(law);
    }
    let worst = pairs::largest_loss_of_two_of_six(&laws)?;
    let sound = worst <= choice.epsilon;
    check.holds(sound, format_args!("a loss of {worst}"));
    let text = format!("{} of {}", shortly(&worst), choice.epsilon);
    check.figure("largest loss on 36 datasets", text);
    Ok(())
}

/// The probabilities of the three margins, from the definition: `q_i` is a least sum of hinge losses and twice a bound, and
/// the sensitivities are 2, 3 and 5.
fn by_count(records: &[Record], choice: &Choice) -> Result<Vec<Enclosure>, Trouble> {
    // 2 ln(3/beta)/epsilon, rounded up as the mechanism has it.
    let mechanism = choice.mechanism()?;
    let t = mechanism.shift();
    let mut scores = Vec::new();
    for (q, bound) in [1, 2, 4].into_iter().zip(&choice.bounds) {
        let sum = |(w, norm): &([i32; 2], i64)| -> Rational {
            let loss = |record: &Record| {
                let sign = if record.positive { 1 } else { -1 };
                let x = &record.features;
                let product = sign * (i64::from(w[0]) * x[0] + i64::from(w[1]) * x[1]);
                // 1 - y <w/norm, x>/rho, rho = 4/q in steps.
                (integer(1) - ratio(q * product, 4 * norm)).max(integer(0))
            };
            records.iter().map(loss).sum()
        };
        // That of the origin is 1 a record.
        let least = VECTORS.iter().map(sum).fold(integer(2), Rational::min);
        let d = integer(1 + q);
        scores.push((least + bound * integer(2) + t * &d, d));
    }
    let mut weights = Vec::new();
    for (own, d) in &scores {
        let quotients = scores.iter().map(|(other, e)| (own - other) / (d + e));
        let s = quotients.fold(Rational::zero(), Rational::max);
        weights.push(Enclosure::exp_of(&-(s / integer(2)), BITS)?);
    }
    Ok(shares(&weights)?)
}

/// The least loss of candidates beside that of all hypotheses, on the line; and what Algorithm 2's bound adds.
fn least_of_the_ball(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "40 random points of the line, candidates 7 and -7, four margins: their least hinge losses are those of w = 1 and w = -1, and at \
         least the least of all |w| <= 1; what Algorithm 2's bound adds at m = 10^6, d = 2, rho = r",
    );
    let grid = Grid::new(6)?;
    let line = Domain::unit_ball(grid, 1)?;
    let mut coins = ChaCha::reproducible(check.seed(), 3);
    let mut records = Vec::new();
    for _ in 0..40 {
        let place = (coins.bits(40)? % 129) as i64 - 64;
        records.push(record(&[place], true));
    }
    let two = Candidates::new(1, vec![7, -7])?;
    let data = Dataset::new(line, records.clone())?;
    let found = least_hinge_losses(&two, &data, 4)?;
    for (q, found) in [1, 2, 4, 8].into_iter().zip(&found) {
        let scaled = |record: &Record| (integer(1), ratio(q * record.features[0], 64));
        let points: Vec<_> = records.iter().map(scaled).collect();
        let ends = [integer(1), integer(-1)].map(|w| hinge(&points, &w));
        let [up, down] = ends;
        let (_, least) = least_hinge(&points, Some(&integer(1)));
        let right = *found == up.min(down).min(integer(40)) && *found >= least;
        check.holds(right, format_args!("q = {q}: {found} and {least}"));
    }
    let budget = budget("4", "1e-6")?;
    let margin = Margin::new(integer(1), integer(1), integer(1))?;
    let shape = (1_000_000, 2);
    let beta = ratio(1, 20);
    let large = EfficientParameters::from_theorem(&beta, budget, margin, Accounting::Zcdp, shape)?;
    let run = large.plan(Domain::unit_ball(grid, 2)?, shape.0)?.run(&beta);
    let training = run.guarantee(&integer(0))?.training;
    let added = of_efficient(&run)?;
    check.holds(
        training.as_ref() == Some(&added),
        format_args!("{training:?} and {added}"),
    );
    Ok(())
}

/// The choice, and then Algorithm 2 at the margin: one record that decides, turned.
fn metered(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "learn_with Algorithm 2 metered, epsilons 1/2 and 1: 16 records on one point, one turned; drawn and steered outcomes",
    );
    let line = Domain::unit_ball(Grid::new(10)?, 1)?;
    let candidates = Candidates::new(1, vec![1, -1])?;
    let choice = Choice {
        loss: Loss::Hinge,
        bounds: [1, 2, 4].map(|q| ratio(q, 8)).to_vec(),
        epsilon: ratio(1, 2),
        beta: ratio(1, 10),
    };
    let mut plans: Vec<EfficientPlan> = Vec::new();
    for q in [1, 2, 4] {
        let margin = Margin::new(integer(1), integer(1), ratio(1, q))?;
        let shape = (16, 1);
        let accounting = Accounting::Zcdp;
        let beta = ratio(1, 30);
        let parameters = EfficientParameters::from_theorem(
            &beta,
            budget("1", "1e-6")?,
            margin,
            accounting,
            shape,
        )?;
        plans.push(parameters.plan(line, 16)?);
    }
    for (q, plan) in [1, 2, 4].into_iter().zip(&plans) {
        let [own, first] = [plan, &plans[0]].map(|plan| plan.run(&ratio(1, 30)));
        let equal = own == first.at(&integer(q));
        check.holds(equal, format_args!("the run at q = {q}: {own:?}"));
    }
    let learner = |data: &Dataset, coins: &mut Meter| {
        learn_with(data, &candidates, &choice, coins, |halvings, coins| {
            plans[halvings].learn(data, coins)
        })
    };
    let (second, first) = pairs::one_against(line, &[1024], 16)?;
    let claim = budget("3/2", "1e-6")?;
    let reasons = [
        (
            "the choice of a margin",
            "with sensitivities so near to each other the mechanism takes little more than half",
        ),
        (
            "the rounds of descent",
            "the uses of one record are spread over rounds and phases",
        ),
    ];
    check.family("16 records", &reasons, |family| {
        for time in 0..12 {
            let steered = (ChaCha::reproducible(1, time), 4);
            family.drawn_and_steered(learner, (&first, &second), steered, &claim)?;
        }
        Ok(())
    })
}
