//! Appendix F: the choice of a margin.

use super::gibbs::of_margin_two_thirds;
use super::line::least_hinge;
use super::pairs;
use super::{BITS, of_the_coins};
use crate::budgets;
use crate::claim::{Check, Trouble};
use crate::common::{shares, turned};
use dp_assay::coins::{ChaCha, Explorer, Law, Layer, Meter};
use dp_assay::geometry::Record;
use dp_assay::margin::bounds::{EfficientRun, GibbsRun};
use dp_assay::margin::choice_of_margin::{
    ChoiceParameters, GeneralisedMechanism, grid_size, learn, least_margin_errors,
};
use dp_assay::margin::efficient::EfficientParameters;
use dp_assay::margin::erm::Accounting;
use dp_assay::margin::gibbs::Candidates;
use dp_assay::margin::{Dataset, Domain, Margin};
use dp_assay::number::rational::{integer, ratio, shortly};
use dp_assay::number::{Enclosure, Grid, Rational};
use dp_assay::sample::{DiscreteLaplace, ExponentialMechanism, ScoreClass, ScoredChoice};
use dp_assay::stats::binomial;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeSet;

/// `bms22.gem`: the mechanism as shipped.
pub(super) fn mechanism(check: &mut Check) -> Result<(), Trouble> {
    on_hinge_losses(check)?;
    at_its_worst(check)
}

/// On least hinge losses at three margins: every dataset of four points of the line.
fn on_hinge_losses(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "margins 1, 1/2 and 1/4, Lambda = r = 1: the 81 datasets of four points from -1, 1/4 and 1 of the line, with their \
         least hinge losses; epsilon = 1 and beta = 1/10; all 648 ordered pairs of neighbours",
    );
    let (epsilon, m) = (integer(1), 4);
    let points = [integer(-1), ratio(1, 4), integer(1)];
    let ratios = [integer(1), integer(2), integer(4)];
    // D = min(1, (1 + q)/m), and a bound that grows as the margin falls.
    let sensitivity = |q: &Rational| ((q + integer(1)) / integer(m)).min(integer(1));
    let sensitivities: Vec<Rational> = ratios.iter().map(sensitivity).collect();
    let shipped = GeneralisedMechanism::new(sensitivities, &epsilon, &ratio(1, 10))?;
    let mut found = Vec::new();
    for place in 0..81usize {
        let chosen = [place % 3, place / 3 % 3, place / 9 % 3, place / 27];
        let score = |q: &Rational| {
            let of_point = |&point: &usize| (ratio(1, m), &points[point] * q);
            let all: Vec<_> = chosen.iter().map(of_point).collect();
            least_hinge(&all, Some(&integer(1))).1 + q / integer(10)
        };
        let scores: Vec<Rational> = ratios.iter().map(score).collect();
        let normalised = shipped.normalised(&scores)?;
        let sound = normalised.iter().min() == Some(&integer(0));
        check.holds(sound, format_args!("{chosen:?}: {normalised:?}"));
        let log = logarithms(&shipped.choice(&scores)?)?;
        found.push((chosen, normalised, log));
    }
    let (mut farthest, mut worst) = (integer(0), integer(0));
    for (first, s, log) in &found {
        for (second, others, other_log) in &found {
            if first.iter().zip(second).filter(|(a, b)| a != b).count() == 1 {
                farthest = farthest.max(most_moved(s, others));
                worst = worst.max(largest_difference(log, other_log));
            }
        }
    }
    let sound = farthest <= integer(1) && worst <= epsilon;
    check.holds(
        sound,
        format_args!("s moves by {farthest}, a loss of {worst}"),
    );
    check.figure("most by which s moves", shortly(&farthest));
    check.figure("largest loss of 1", shortly(&worst));
    Ok(())
}

fn most_moved(first: &[Rational], second: &[Rational]) -> Rational {
    let moves = first.iter().zip(second).map(|(a, b)| (a - b).abs());
    moves.fold(Rational::zero(), Rational::max)
}

/// The exponential mechanism with one sensitivity for all scores.
fn plain(
    epsilon: &Rational,
    sensitivity: &Rational,
    scores: &[Rational],
) -> Result<ExponentialMechanism, Trouble> {
    let class = |loss: &Rational| ScoreClass {
        loss: loss.clone(),
        count: 1u32.into(),
    };
    let classes = scores.iter().map(class).collect();
    let law = ExponentialMechanism::new(epsilon.clone(), sensitivity.clone(), classes);
    Ok(law?)
}

/// `ln` of the probability of each class.
fn logarithms(law: &ExponentialMechanism) -> Result<Vec<Enclosure>, Trouble> {
    let mut found = Vec::new();
    for class in 0..law.classes().len() {
        found.push(law.pmf(&class, BITS)?.ln()?);
    }
    Ok(found)
}

fn largest_difference(first: &[Enclosure], second: &[Enclosure]) -> Rational {
    let pairs = first.iter().zip(second);
    let differences = pairs.map(|(a, b)| (a - b).upper());
    differences.fold(Rational::zero(), Rational::max)
}

/// Two families of 42 scores, one of sensitivity 1/100 and 41 of sensitivity 1: neighbours whose loss is nearly epsilon,
/// and scores of which a bad one is chosen with nearly probability beta.
fn at_its_worst(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "42 scores, one of sensitivity 1/100 and 41 of 1, epsilon = 1 and beta = 1/20: neighbours with a large loss, and \
         with the smallest sensitivity for all instead of each; scores just beyond the bound on what is chosen",
    );
    let (epsilon, beta) = (integer(1), ratio(1, 20));
    let mut sensitivities = vec![integer(1); 42];
    sensitivities[0] = ratio(1, 100);
    let shipped = GeneralisedMechanism::new(sensitivities.clone(), &epsilon, &beta)?;
    // t, from its definition, just above: 2 ln(42 * 20).
    let defined = Enclosure::integer(840, BITS).ln()?.shifted(1);
    let t = shipped.shift();
    let sound = *t >= defined.lower() && *t < defined.upper() + ratio(1, 1 << 20);
    check.holds(sound, format_args!("t = {t}"));

    // s = 1/(1.01) of all but the first, and 0 of the first. At the neighbour one is worse and the others are better by 1.
    let first = t * ratio(99, 100) - integer(1);
    let mut scores = vec![integer(0); 42];
    scores[0] = first.clone();
    let mut neighbour = vec![integer(-1); 42];
    neighbour[0] = first;
    neighbour[1] = integer(1);
    let laws = (shipped.choice(&scores)?, shipped.choice(&neighbour)?);
    let (here, there) = (logarithms(&laws.0)?, logarithms(&laws.1)?);
    let worst = largest_difference(&here, &there).max(largest_difference(&there, &here));
    let moved = most_moved(
        &shipped.normalised(&scores)?,
        &shipped.normalised(&neighbour)?,
    );
    check.attained("most by which s moves", &moved, &integer(1));
    check.attained("privacy loss", &worst, &epsilon);
    // The first score the worst: s of it moves by (1/100 + 1)/(1/100 + 1).
    let mut bad = vec![integer(0); 42];
    bad[0] = t + integer(5);
    let mut worse = vec![integer(-1); 42];
    worse[0] = &bad[0] + &sensitivities[0];
    let moved = most_moved(&shipped.normalised(&bad)?, &shipped.normalised(&worse)?);
    check.attained("most by which s moves, of a bad score", &moved, &integer(1));
    // With the smallest sensitivity for all.
    let (here, there) = (
        logarithms(&plain(&epsilon, &sensitivities[0], &scores)?)?,
        logarithms(&plain(&epsilon, &sensitivities[0], &neighbour)?)?,
    );
    let naive = largest_difference(&here, &there);
    check.holds(
        naive > epsilon,
        format_args!("the smallest sensitivity for all: a loss of {naive}"),
    );
    check.figure(
        "loss with the smallest sensitivity for all",
        shortly(&naive),
    );

    // All but the first exceed q_1 + 2 t D_1 by a little.
    let mut scores = vec![t * ratio(2, 100) + ratio(1, 1 << 20); 42];
    scores[0] = integer(0);
    let law = shipped.choice(&scores)?;
    let least = t * ratio(2, 100);
    let promised = shipped.promised(&scores)?;
    check.holds(promised == least, format_args!("{promised} is promised"));
    let failed = beyond(&law, &scores, &least)?;
    check.attained("probability of a score beyond", &failed.upper(), &beta);
    Ok(())
}

/// The probability of a score above this one.
fn beyond(
    law: &ExponentialMechanism,
    scores: &[Rational],
    most: &Rational,
) -> Result<Enclosure, Trouble> {
    let mut sum = Enclosure::integer(0, BITS);
    for (place, score) in scores.iter().enumerate() {
        if score > most {
            sum = sum + law.pmf(&place, BITS)?;
        }
    }
    Ok(sum)
}

/// `bms22.algF`: the choice of a margin and the Gibbs learner, explored and metered.
pub(super) fn privacy(check: &mut Check) -> Result<(), Trouble> {
    explored(check)?;
    metered(check)
}

/// On the draws, all datasets of two records from six: each pair of a margin and a candidate has its probability.
fn explored(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "learn on every outcome of its two draws: five candidates of the plane, two margins, the 36 datasets of two of six \
         records, epsilons 1/2 and 1, with the probabilities by a count of their own; these on all 360 ordered pairs of \
         neighbours",
    );
    let vectors = [[1, 0], [0, 1], [-1, 2], [-1, -3], [5, -2]];
    let candidates = Candidates::new(2, vectors.concat())?;
    let parameters = ChoiceParameters {
        epsilon_of_choice: ratio(1, 2),
        epsilon: integer(1),
        beta: ratio(1, 10),
    };
    let mut laws = Vec::new();
    for data in pairs::two_of_six()? {
        let found = Explorer::new(Layer::Laws, 1000).explore(|coins| {
            let chosen = learn(&data, &candidates, &parameters, coins);
            chosen
                .map(|chosen| (chosen.halvings, chosen.model.chosen))
                .map_err(of_the_coins)
        })?;
        let mut law = Vec::new();
        for halvings in 0..2 {
            for chosen in 0..5 {
                let p = by_count(data.records(), &vectors, &parameters, halvings, chosen)?;
                let agrees = found.allows(&(halvings, chosen), &p);
                let instance = format!("{:?}: {halvings}, {chosen}: {p}", data.records());
                check.holds(agrees, instance);
                law.push(p);
            }
        }
        laws.push(law);
    }
    let worst = pairs::largest_loss_of_two_of_six(&laws)?;
    let epsilon = &parameters.epsilon + &parameters.epsilon_of_choice;
    check.holds(worst <= epsilon, format_args!("a loss of {worst}"));
    let text = format!("{} of {epsilon}", shortly(&worst));
    check.figure("largest loss on 36 datasets", text);
    Ok(())
}

/// The probability of a margin and a candidate, from the definition. All sensitivities are 1, so that `s` is half the
/// distance from the least score; five candidates are too few for a bound, so that the scores are the errors.
fn by_count(
    records: &[Record],
    vectors: &[[i32; 2]],
    parameters: &ChoiceParameters,
    halvings: usize,
    chosen: usize,
) -> Result<Enclosure, Trouble> {
    // y <w, x> <= |w| r / 2^j with r = 4.
    let errors = |w: &[i32; 2], squared_margin: Option<i64>| -> i64 {
        let is_error = |record: &&Record| {
            let sign = if record.positive { 1 } else { -1 };
            let x = &record.features;
            let product = sign * (i64::from(w[0]) * x[0] + i64::from(w[1]) * x[1]);
            let norm_squared = i64::from(w[0] * w[0] + w[1] * w[1]);
            product <= 0 || squared_margin.is_some_and(|rho| product.pow(2) <= rho * norm_squared)
        };
        records.iter().filter(is_error).count() as i64
    };
    let least = |squared_margin| {
        let all = vectors.iter().map(|w| errors(w, Some(squared_margin)));
        all.min().unwrap_or(0)
    };
    let share = |scores: &[i64], place: usize, rate: &Rational| -> Result<Enclosure, Trouble> {
        let mut weights = Vec::new();
        for &score in scores {
            weights.push(Enclosure::exp_of(&-(rate * integer(score)), BITS)?);
        }
        Ok(shares(&weights)?.swap_remove(place))
    };
    let margins = [least(16), least(4)];
    let of_margin = share(
        &margins,
        halvings,
        &(&parameters.epsilon_of_choice / integer(4)),
    )?;
    let scores: Vec<i64> = vectors.iter().map(|w| errors(w, None)).collect();
    let of_candidate = share(&scores, chosen, &(&parameters.epsilon / integer(2)))?;
    Ok(of_margin * of_candidate)
}

/// One record that decides against all others, turned, at two sizes; and random records with one turned.
fn metered(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "learn metered, epsilons 1/2 and 1: 12 and 1000 records on one point, all but one with one label, that one turned; \
         200 random records in 5 dimensions, one turned; drawn and steered outcomes",
    );
    let parameters = ChoiceParameters {
        epsilon_of_choice: ratio(1, 2),
        epsilon: integer(1),
        beta: ratio(1, 10),
    };
    let claim = budgets::pure(ratio(3, 2))?;
    let grid = Grid::new(10)?;
    let two = Candidates::new(1, vec![1, -1])?;
    let line = Domain::unit_ball(grid, 1)?;
    let mut pairs = Vec::new();
    for n in [12, 1000] {
        let pair = pairs::one_against(line, &[grid.one()], n)?;
        pairs.push((format!("{n} on one point"), &two, pair));
    }
    let many = Candidates::from_seed(5, 400, 5)?;
    let data = of_margin_two_thirds(1, 0)?;
    let mut records = data.records()[..200].to_vec();
    let second = Dataset::new(data.domain(), records.clone())?;
    records[0] = turned(&records[0]);
    let first = Dataset::new(data.domain(), records)?;
    pairs.push(("random".to_owned(), &many, (first, second)));
    let seed = check.seed();
    for (name, candidates, (first, second)) in &pairs {
        let learner =
            |data: &Dataset, coins: &mut Meter| learn(data, candidates, &parameters, coins);
        let half = "with equal sensitivities the mechanism takes at most half";
        check.family(name, &[("the choice of a margin", half)], |family| {
            let steered = (ChaCha::reproducible(seed, 1), 1);
            family.drawn_and_steered(learner, (first, second), steered, &claim)
        })?;
    }
    Ok(())
}

/// A precision that is enough for rates of failure, in bits.
const COARSE: u32 = 64;

/// How many records are on one side, for so many fair records, and the grid's margins with a range each.
struct FairCounts {
    records: u64,
    /// `Pr[T = t]`, for `t` within six standard deviations.
    counts: Vec<(i64, Enclosure)>,
    /// The ends of all ranges but the last: range `j` is above the one and up to the next.
    ends: Vec<i64>,
    /// By how much the bound of each margin is above that of the one before.
    step: i64,
}

impl FairCounts {
    /// Ranges that `T` falls into about equally often, as many as margins.
    fn new(records: u64, step: i64) -> Result<Self, Trouble> {
        let margins = grid_size(records as usize)? as i64;
        let middle = records / 2;
        let farthest = 6 * records.isqrt() / 2;
        let centre = binomial::pmf(records, middle, &Enclosure::of(&ratio(1, 2), COARSE))?;
        // Pr[T = t + 1] = Pr[T = t] (m - t)/(t + 1), and the law is symmetric.
        let mut upper = vec![centre];
        for t in middle..middle + farthest {
            let factor = Rational::new((records - t).into(), (t + 1).into());
            let next = &upper[upper.len() - 1] * &Enclosure::of(&factor, COARSE);
            upper.push(next);
        }
        let mut counts = Vec::new();
        let far = farthest as i64;
        for distance in -far..=far {
            let probability = upper[distance.unsigned_abs() as usize].clone();
            counts.push((middle as i64 + distance, probability));
        }
        let mut ends = Vec::new();
        let mut sum = Enclosure::integer(0, COARSE);
        for (count, probability) in &counts {
            sum = sum + probability;
            let next = ratio(ends.len() as i64 + 1, margins);
            if (ends.len() as i64) < margins - 1 && sum.lower() >= next {
                ends.push(*count);
            }
        }
        Ok(Self {
            records,
            counts,
            ends,
            step,
        })
    }

    /// For a count `T = t` the probability that `T` with noise is in each range: there the learner run at this margin fails.
    fn failures(&self, count: i64, noise: &DiscreteLaplace) -> Result<Vec<Enclosure>, Trouble> {
        let mut below = Enclosure::integer(0, COARSE);
        let mut found = Vec::new();
        for end in &self.ends {
            let next = noise.cdf(&BigInt::from(end - count), COARSE)?;
            found.push(&next - &below);
            below = next;
        }
        found.push(below.complement());
        Ok(found)
    }

    /// The probability with which the learner fails at each margin, and at the one that is chosen: at most and at least.
    fn rates(
        &self,
        mechanism: &GeneralisedMechanism,
    ) -> Result<(Vec<Rational>, Rational), Trouble> {
        let noise = DiscreteLaplace::new(integer(1))?;
        let margins = self.ends.len() + 1;
        let zero = Enclosure::integer(0, COARSE);
        let (mut seen, mut chosen) = (zero.clone(), zero.clone());
        let mut each = vec![zero; margins];
        for (count, probability) in &self.counts {
            let failures = self.failures(*count, &noise)?;
            // The loss (T - U_j)_+, none at the last margin, and the bound; in steps of the sensitivity.
            let score = |place: usize| {
                let beyond = self.ends.get(place).map_or(0, |end| (count - end).max(0));
                integer(beyond + self.step * place as i64)
            };
            let scores: Vec<Rational> = (0..margins).map(score).collect();
            let weights = mechanism.choice(&scores)?.weights(COARSE)?;
            let total = weights
                .iter()
                .fold(Enclosure::integer(0, COARSE), |sum, w| sum + w);
            for (place, failure) in failures.iter().enumerate() {
                let here = probability * failure;
                chosen = chosen + (&here * &weights[place]).divided_by(&total)?;
                each[place] = &each[place] + &here;
            }
            seen = seen + probability;
        }
        let rest = seen.complement().upper().max(Rational::zero());
        let each = each.iter().map(|rate| rate.upper() + &rest);
        Ok((each.collect(), chosen.lower()))
    }
}

/// `bms22.lemF_1`: a private learner that fails seldom at every fixed margin, and mostly at the one that is chosen.
pub(super) fn fixed_margins(check: &mut Check) -> Result<(), Trouble> {
    let (records, step) = if check.quick() {
        (1 << 12, 4)
    } else {
        (1 << 16, 8)
    };
    check.certified(format!(
        "{records} fair records, the grid of Algorithm 6, both epsilons 1 and beta = 1/20 in the choice: the counts within \
         six standard deviations, and all outcomes of the choice and of the learner's noise"
    ));
    let counts = FairCounts::new(records, step)?;
    let margins = counts.ends.len() + 1;
    let increasing = counts.ends.windows(2).all(|pair| pair[0] < pair[1]);
    check.holds(
        increasing && margins == grid_size(records as usize)?,
        format_args!("the ranges {:?}", counts.ends),
    );
    // What the lemma promises at the last margin, where nothing is lost: below 1, the risk of what fails.
    let odds = Enclosure::integer(margins as u64 * 20, BITS).ln()?.upper();
    let promised = integer(step * margins as i64) + odds * integer(4);
    check.holds(
        promised < integer(4 * records),
        format_args!("{promised} of {}", 4 * records),
    );
    let mechanism =
        GeneralisedMechanism::new(vec![integer(1); margins], &integer(1), &ratio(1, 20))?;
    let (each, chosen) = counts.rates(&mechanism)?;
    let at_some = each.iter().fold(Rational::zero(), |sum, rate| sum + rate);
    let beta = each.into_iter().max().unwrap_or_else(Rational::one);
    check.holds(
        chosen > &beta * integer(2),
        format_args!(
            "m = {}: a learner that fails at a margin where the noisy count is in the margin's range",
            counts.records
        ),
    );
    check.left_open(
        "the probability in the hypothesis is not legible in our copy: if it covers all margins of the grid at once, the lemma holds; \
         if each fixed margin alone, it does not",
    );
    check.figure("beta: fails at a fixed margin, at most", shortly(&beta));
    check.figure("fails at the chosen margin, at least", shortly(&chosen));
    check.figure(
        "the other reading, beta for all margins at once, asks for more: fails at some margin, at most",
        shortly(&at_some),
    );
    Ok(())
}

/// `bms22.lemF_1.corrected`: the same learner, and the shipped one.
pub(super) fn union_over_margins(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "the learner of bms22.lemF_1 at m = 4096; 300 records of margin 2/3 in 5 dimensions, none or 30 turned, 6000 \
         candidates, both epsilons 1 and beta = 1/20: the exact laws of the two draws of learn",
    );
    // A learner that fails with probability b at every fixed margin fails with at most |V| b at the chosen one.
    let counts = FairCounts::new(1 << 12, 4)?;
    let margins = counts.ends.len() + 1;
    let mechanism =
        GeneralisedMechanism::new(vec![integer(1); margins], &integer(1), &ratio(1, 20))?;
    let (each, chosen) = counts.rates(&mechanism)?;
    let most = each.into_iter().max().unwrap_or_else(Rational::one);
    let allowed = &most * integer(margins as u64);
    check.holds(chosen <= allowed, format_args!("{chosen} of {allowed}"));
    check.figure(
        "fails at the chosen margin, over the most at a fixed one",
        shortly(&(chosen / most)),
    );

    let parameters = ChoiceParameters {
        epsilon_of_choice: integer(1),
        epsilon: integer(1),
        beta: ratio(1, 20),
    };
    let candidates = Candidates::from_seed(100, 6000, 5)?;
    let bounds = parameters.bounds(300, &candidates)?;
    // The bounds at beta / |V| = 1/120, and 1 where that is vacuous.
    let run = GibbsRun {
        records: 300,
        dimension: 5,
        candidates: 6000,
        epsilon: integer(1),
        beta: ratio(1, 120),
    };
    let mut promised = Vec::new();
    for halvings in 0..6 {
        let guarantee = run.guarantee(&integer(1 << halvings), &integer(0))?;
        promised.push(guarantee.training.unwrap_or_else(Rational::one));
    }
    check.holds(bounds == promised, format_args!("the bounds {bounds:?}"));
    let m = integer(300);
    for turned in [0, 30] {
        let data = of_margin_two_thirds(1, turned)?;
        let least = least_margin_errors(&candidates, &data, bounds.len())?;
        let terms = least.iter().zip(&bounds);
        let scores: Vec<Rational> = terms.map(|(&e, b)| integer(e) + b * &m).collect();
        let best = scores.iter().min().cloned().unwrap_or_else(Rational::zero);
        // The choice: 4 ln(|V|/beta)/epsilon beyond the best, of |V| = 6 margins.
        let odds = Enclosure::integer(6 * 20, BITS).ln()?.upper();
        let slack = odds * integer(4);
        let law = parameters
            .choice(300, &candidates)?
            .mechanism()?
            .choice(&scores)?;
        let beyond = beyond(&law, &scores, &(&best + &slack))?;
        let sound = bounds.len() == 6 && beyond.upper() <= parameters.beta;
        check.holds(
            sound,
            format_args!("{turned} turned: a bad margin: {beyond}"),
        );
        // The learner: more errors than the best margin promises.
        let errors = candidates.errors(&data)?;
        let law = ScoredChoice::new(errors, &parameters.epsilon)?;
        let mut worse = Enclosure::integer(0, BITS);
        for (level, probability) in law.law_of_the_score(BITS)? {
            if integer(level) > best {
                worse = worse + probability;
            }
        }
        let sound = worse.upper() <= parameters.beta && best < m;
        check.holds(sound, format_args!("{turned} turned: an error: {worse}"));
        let promised = format!("{} of 300", shortly(&best));
        check.figure(format!("{turned} turned: promised errors"), promised);
    }
    Ok(())
}

/// `bms22.corF_2`: Algorithm 6 with hinge losses, whose sensitivities are `(1 + q)/m`.
pub(super) fn with_hinge_losses(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "points of the line, all at 1, a tenth at -1, and half at 1/4 (Lambda = r = 1), the grid of Algorithm 6, epsilon_1 = 1, \
         beta = 1/20; 200 of them and bounds q/100 and q/15, a million and the bound of Algorithm 2 (EfficientRun::guarantee, \
         epsilon_2 = 1): the probability of a chosen score beyond what is promised, and this against 100 margins an octave (10 in quick runs)",
    );
    let datasets = [
        vec![(200, integer(1))],
        vec![(180, integer(1)), (20, integer(-1))],
        vec![(100, integer(1)), (100, ratio(1, 4))],
    ];
    let mut worst = Rational::zero();
    let run = algorithm_2(1_000_000, &integer(1))?;
    // Of a run nothing else depends on the margin.
    let at_the_margin = |q: &Rational| {
        let mut run = run.clone();
        (run.ratio, run.erm.ratio) = (q.clone(), q.clone());
        run
    };
    let two = integer(2);
    check.holds(
        algorithm_2(1_000_000, &two)? == at_the_margin(&two),
        "q = 2",
    );
    let of_algorithm_2 = |q: &Rational| -> Result<Rational, Trouble> {
        let guarantee = at_the_margin(q).guarantee(&Rational::zero())?;
        Ok(guarantee.alpha.unwrap_or_else(Rational::one))
    };
    let at_one = of_algorithm_2(&integer(1))?;
    check.holds(at_one < Rational::one(), "Algorithm 2 promises nothing");
    check.figure("B of Algorithm 2 at q = 1", shortly(&at_one));
    for points in &datasets {
        for step in [ratio(1, 100), ratio(1, 15)] {
            let name = format!("{points:?}, B = {step} q");
            let found = promised_by_the_choice(check, &name, points, 200, |q| Ok(q * &step))?;
            worst = worst.max(found);
        }
        let name = format!("{points:?}, Algorithm 2");
        let found = promised_by_the_choice(check, &name, points, 1_000_000, of_algorithm_2)?;
        worst = worst.max(found);
    }
    check.figure("largest probability of a score beyond", shortly(&worst));
    Ok(())
}

/// A run of Algorithm 2 with the theorem's parameters on the line, at the `beta/|V|` of a margin.
fn algorithm_2(m: usize, q: &Rational) -> Result<EfficientRun, Trouble> {
    let beta = ratio(1, 20) / integer(grid_size(m)?);
    let budget = budgets::approximate(integer(1), integer(10 * m).recip())?;
    let margin = Margin::new(integer(1), integer(1), q.recip())?;
    let (zcdp, shape) = (Accounting::Zcdp, (m, 1));
    let parameters = EfficientParameters::from_theorem(&beta, budget, margin, zcdp, shape)?;
    let domain = Domain::unit_ball(Grid::new(16)?, 1)?;
    Ok(parameters.plan(domain, m)?.run(&beta))
}

/// One dataset, points with their shares of 200, as of `m` records, and one bound as a function of `q`: how likely it is that
/// the chosen score is beyond what is promised.
fn promised_by_the_choice(
    check: &mut Check,
    name: &str,
    points: &[(i64, Rational)],
    m: usize,
    bound: impl Fn(&Rational) -> Result<Rational, Trouble>,
) -> Result<Rational, Trouble> {
    let beta = ratio(1, 20);
    let least = |q: &Rational| {
        let scaled = points.iter().map(|(count, z)| (ratio(*count, 200), z * q));
        least_hinge(&scaled.collect::<Vec<_>>(), Some(&integer(1))).1
    };
    let margins = grid_size(m)?;
    let ratios: Vec<Rational> = (0..margins).map(|j| integer(1u64 << j)).collect();
    let sensitivity = |q: &Rational| (q + integer(1)) / integer(m);
    let mut scores = Vec::new();
    for q in &ratios {
        scores.push(least(q) + bound(q)?);
    }
    let sensitivities = ratios.iter().map(sensitivity).collect();
    let mechanism = GeneralisedMechanism::new(sensitivities, &integer(1), &beta)?;
    let promised = mechanism.promised(&scores)?;
    let failed = beyond(&mechanism.choice(&scores)?, &scores, &promised)?.upper();
    check.holds(failed <= beta, format_args!("{name}: {failed}"));
    // 4 D ln(|V|/beta)/epsilon_1 at rho/2, of margins between the ends of the grid.
    let odds = integer(margins) / &beta;
    let slack = Enclosure::of(&odds, BITS).ln()?.shifted(2);
    let parts = if check.quick() { 10 } else { 100 };
    for octave in 0..margins - 1 {
        for part in 0..parts {
            let q = integer(1u64 << octave) * ratio(parts + part, parts);
            let twice = &q * integer(2);
            let own = least(&q) + bound(&twice)?;
            let own =
                Enclosure::of(&own, BITS) + Enclosure::of(&sensitivity(&twice), BITS) * &slack;
            let enough = own.upper() >= promised;
            check.holds(enough, format_args!("{name}, q = {q}: {own} of {promised}"));
        }
    }
    Ok(failed)
}

/// `bms22.lemF_3`: sensitivities of the least losses, on the line.
pub(super) fn sensitivities(check: &mut Check) -> Result<(), Trouble> {
    let most = if check.quick() { 3 } else { 4 };
    check.exact(format!(
        "q = 1, 3/2, 2, 5: all datasets of 1 to {most} points of the line from -q, -q/2, -1, 0, 1/2, 1, q and 1 - m (in units \
         of rho/Lambda), all neighbours, with the exact least losses; for q up to 10 and m up to 20 the pairs of the proof"
    ));
    for q in [integer(1), ratio(3, 2), integer(2), integer(5)] {
        for m in 1..=most {
            on_the_line(check, &q, m);
        }
    }
    for q in [integer(1), ratio(3, 2), integer(2), integer(5), integer(10)] {
        for m in 1..=20 {
            let mut points = vec![integer(1); m - 1];
            points.push(q.clone());
            let before = least_loss(&points);
            let rest = integer(m as u64 - 1);
            points[m - 1] = -rest.min(q.clone());
            let moved = least_loss(&points) - before;
            let bound = ((&q + integer(1)) / integer(m as u64)).min(integer(1));
            check.holds(moved == bound, format_args!("q = {q}, m = {m}: {moved}"));
        }
    }
    check.certified("x + sqrt(x A / m) for A = 5, m = 10 and all numbers of errors");
    let value = |errors: i64| -> Result<Enclosure, Trouble> {
        let x = ratio(errors, 10);
        let root = Enclosure::of(&(&x * ratio(5, 10)), BITS).sqrt()?;
        Ok(Enclosure::of(&x, BITS) + root)
    };
    let one_and_root = Enclosure::integer(1, BITS) + Enclosure::integer(5, BITS).sqrt()?;
    let bound = one_and_root.divided_by(&Enclosure::integer(10, BITS))?;
    let mut worst = Rational::zero();
    for errors in 0..10 {
        worst = worst.max((value(errors + 1)? - value(errors)?).lower());
    }
    check.attained("x + sqrt(x A / m)", &worst, &bound.upper());
    Ok(())
}

/// All datasets of so many points, and all neighbours of each.
fn on_the_line(check: &mut Check, q: &Rational, m: usize) {
    let half = ratio(1, 2);
    let mut points = BTreeSet::from([-q.clone(), -q * &half, integer(-1), integer(0)]);
    points.extend([half, integer(1), q.clone()]);
    let rest = integer(m as u64 - 1);
    if rest <= *q {
        points.insert(-rest);
    }
    let points: Vec<Rational> = points.into_iter().collect();
    let n = points.len();
    let datasets = n.pow(m as u32);
    let chosen = |dataset: usize| -> Vec<Rational> {
        let digit = |place: usize| points[dataset / n.pow(place as u32) % n].clone();
        (0..m).map(digit).collect()
    };
    let losses: Vec<(Rational, usize)> = (0..datasets)
        .map(|dataset| (least_loss(&chosen(dataset)), least_errors(&chosen(dataset))))
        .collect();
    let (mut of_hinge, mut of_errors) = (integer(0), 0);
    for (dataset, (loss, errors)) in losses.iter().enumerate() {
        // The last point is another.
        let size = n.pow(m as u32 - 1);
        for other in 0..n {
            let (other_loss, other_errors) = &losses[dataset % size + other * size];
            of_hinge = of_hinge.max((loss - other_loss).abs());
            of_errors = of_errors.max(errors.abs_diff(*other_errors));
        }
    }
    let bound = ((q + integer(1)) / integer(m as u64)).min(integer(1));
    // No more, and no less.
    check.holds(
        of_hinge == bound,
        format_args!("q = {q}, m = {m}: {of_hinge}"),
    );
    check.holds(
        of_errors <= 1,
        format_args!("q = {q}, m = {m}: {of_errors} errors"),
    );
}

/// The least mean hinge loss `max(0, 1 - z w)` for `|w| <= 1`.
fn least_loss(points: &[Rational]) -> Rational {
    let share = Rational::new(1.into(), points.len().into());
    let weighted: Vec<_> = points.iter().map(|z| (share.clone(), z.clone())).collect();
    least_hinge(&weighted, Some(&integer(1))).1
}

/// The least number of points with `z w <= 1` for `|w| <= 1`: at one of the ends, since `z w` grows with `|w|` where it is
/// above 0.
fn least_errors(points: &[Rational]) -> usize {
    let of_sign = |sign: i64| {
        let errors = points.iter().filter(|&z| z * integer(sign) <= integer(1));
        errors.count()
    };
    of_sign(1).min(of_sign(-1))
}
