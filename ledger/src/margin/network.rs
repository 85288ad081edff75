//! The learner of networks: its signs, its law, its privacy, and the sign of its score.

use super::pairs;
use super::pure::six_records;
use super::{BITS, of_the_coins, record};
use crate::claim::{Check, Trouble};
use crate::common::{multisets, neighbours, one_of_each, shares};
use dp_assay::coins::{Explorer, Layer as Atomic, Meter};
use dp_assay::geometry::{Record, SignMatrix};
use dp_assay::margin::feed_forward::{Layer, Network, Scale, Shape};
use dp_assay::margin::network::{NetworkParameters, Networks, learn};
use dp_assay::margin::{Dataset, Domain};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Grid, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// `bms22.sec5.dp`.
pub(super) fn privacy(check: &mut Check) -> Result<(), Trouble> {
    super::edges::undecided(check)?;
    super::edges::network_fails(check)?;
    signs(check)?;
    enumerated(check)?;
    explored(check)?;
    metered(check)
}

/// Parameters of `layers` layers of `width` neurons, with all norms 1, on points of the plane.
pub(super) fn tiny(
    (layers, width): (usize, usize),
    rows: Option<usize>,
    radius: &Rational,
) -> Result<NetworkParameters, Trouble> {
    let shape = Shape::new(2, width, layers)?;
    let (epsilon, slope, norm) = (integer(1), integer(3), integer(1));
    Ok(NetworkParameters::new(
        epsilon, shape, slope, norm, rows, radius,
    )?)
}

/// All choices of a matrix for each layer.
pub(super) fn all_projections(
    parameters: &NetworkParameters,
) -> Result<Vec<Vec<Option<SignMatrix>>>, Trouble> {
    let mut choices: Vec<Vec<Option<SignMatrix>>> = Vec::new();
    for (rows, inputs) in parameters.projected() {
        choices.push(match rows {
            Some(k) => SignMatrix::all(k, inputs)?.map(Some).collect(),
            None => vec![None],
        });
    }
    Ok(one_of_each(&choices))
}

/// `(1 - e^(-eta a/2))/(1 + e^(-eta a/2))`, as the paper has it.
pub(super) fn activation(eta: &Rational, a: &Enclosure) -> Result<Enclosure, Trouble> {
    let falling = (-(a * Enclosure::of(&(eta / integer(2)), a.bits()))).exp()?;
    let one = Enclosure::integer(1, a.bits());
    Ok((&one - &falling).divided_by(&(one + falling))?)
}

/// Signs by the paper's formula, at a fixed precision, beside those of the code; and signs that are known beforehand.
fn signs(check: &mut Check) -> Result<(), Trouble> {
    let radius = integer(1);
    let parameters = tiny((2, 2), None, &radius)?;
    let grid = Grid::new(2)?;
    let networks = Networks::new(&parameters, grid, vec![None, None])?;
    check.certified(format_args!(
        "the signs of {} networks of two layers and two hidden neurons at five points, by the paper's activation to 300 bits: \
         equal where that tells, and a tie where it does not; and what every tenth puts out",
        networks.count()
    ));
    let bits = 300;
    let (mut ties, mut told) = (0u64, 0u64);
    let denominators: Vec<Rational> = parameters
        .covers()?
        .iter()
        .map(|cover| integer(cover.denominator()))
        .collect();
    for point in [[4, 0], [1, 1], [3, -2], [-1, 4], [0, 0]] {
        for number in 0..networks.count() {
            let network = networks.network(number)?;
            let [first, last] = network.layers() else {
                check.holds(false, "two layers");
                continue;
            };
            let mut output = Enclosure::integer(0, bits);
            for (neuron, weight) in first.weights.iter().zip(&last.weights[0]) {
                let sum: i64 = neuron.iter().zip(point).map(|(w, x)| w * x).sum();
                // The features are in quarters.
                let sum = integer(sum) / (&denominators[0] * integer(4));
                let hidden = activation(&integer(3), &Enclosure::of(&sum, bits))?;
                output = output + hidden * Enclosure::integer(*weight, bits);
            }
            let expected = if output.contains_zero() {
                ties += 1;
                Ordering::Equal
            } else if output.lo().is_positive() {
                told += 1;
                Ordering::Greater
            } else {
                told += 1;
                Ordering::Less
            };
            let agrees = network.sign(&point)? == Some(expected);
            check.holds(agrees, format_args!("network {number} at {point:?}"));
            if number % 10 == 0 {
                let found = network.output(&point, bits)?;
                let output = output.divided_by(&Enclosure::of(&denominators[1], bits))?;
                check.holds(
                    found.meets(&output) && (output.contains_zero() || found.has_digits(60)),
                    format_args!("network {number} at {point:?}: {found}, {output}"),
                );
            }
        }
    }
    check.figure("signs", format_args!("{told}, and {ties} ties"));

    check.certified(
        "tanh(n u) < n tanh(u) for n = 2, 3, 5, 7 and u = 2^-1/9, 2^-2/8, 2^-3/9, ..., 2^-70/8, since tanh is concave: by a network \
         of two hidden neurons, whose terms have up to 140 bits in common",
    );
    for shift in 1..=70u32 {
        for times in [2, 3, 5, 7] {
            let scale = |factor| Scale { factor, root: 1 };
            // slope 4: the activation is tanh itself. At an eighth its argument is exact, and only its value is rounded.
            let part = if shift % 2 == 0 { 8 } else { 9 };
            let small = Rational::new(BigInt::one(), BigInt::from(part) << shift);
            let hidden = Layer {
                weights: vec![vec![times], vec![1]],
                scale: scale(small),
            };
            let last = Layer {
                weights: vec![vec![1, -times]],
                scale: scale(integer(1)),
            };
            let network = Network::new(integer(4), vec![hidden, last])?;
            let found = (network.sign(&[1])?, network.sign(&[-1])?);
            check.holds(
                found == (Some(Ordering::Less), Some(Ordering::Greater)),
                format_args!("n = {times}, u = 2^-{shift}/{part}: {found:?}"),
            );
        }
    }
    Ok(())
}

/// All datasets of few of six records, in rationals; and the same with twice the exponent, which must be too much.
fn enumerated(check: &mut Check) -> Result<(), Trouble> {
    type Instance = ((usize, usize), Option<usize>, Rational, usize);
    let mut instances: Vec<Instance> = vec![
        ((2, 1), Some(1), ratio(1, 4), 3),
        ((2, 2), Some(1), ratio(3, 4), 2),
    ];
    if !check.quick() {
        instances.push(((2, 2), None, integer(1), 3));
        instances.push(((3, 2), Some(1), ratio(3, 4), 2));
    }
    let named: Vec<String> = instances
        .iter()
        .map(|((layers, width), rows, _, records)| {
            format!("{layers} layers, {width} neurons, {rows:?} rows, {records} records")
        })
        .collect();
    check.exact(format_args!(
        "d = 2, six records, e^epsilon = 9/4, all datasets, neighbours, projections and networks of the cover: {}",
        named.join("; ")
    ));
    let domain = Domain::new(Grid::new(2)?, 2, 6)?;
    let kinds = six_records(4);
    let most = ratio(9, 4);
    let mut worst = Rational::zero();
    for (((layers, width), rows, radius, size), name) in instances.into_iter().zip(named) {
        let parameters = tiny((layers, width), rows, &radius)?;
        let datasets = multisets(kinds.len(), size);
        let pairs = neighbours(&datasets);
        let [mut found, mut twice] = [Rational::zero(), Rational::zero()];
        for projections in all_projections(&parameters)? {
            let networks = Networks::new(&parameters, domain.grid(), projections)?;
            let mut errors = Vec::new();
            for dataset in &datasets {
                let records = dataset.iter().map(|&kind| kinds[kind].clone()).collect();
                errors.push(networks.errors(&Dataset::new(domain, records)?)?);
            }
            found = found.max(pairs::largest_ratio(&errors, &pairs, size, 1));
            twice = twice.max(pairs::largest_ratio(&errors, &pairs, size, 2));
        }
        pairs::half_of_epsilon_is_right(check, &name, [&found, &twice], &most);
        worst = worst.max(found);
    }
    check.attained("largest ratio, against e^epsilon", &worst, &most);
    Ok(())
}

/// The learner as shipped, draw by draw: the law of the projections and the network's number, against a count of its own.
///
/// With hidden weights -1, 0 and 1 of an odd, increasing activation the sign of `sum of b_n tanh(s c_n t)` is that of
/// `sum of b_n c_n t`.
fn explored(check: &mut Check) -> Result<(), Trouble> {
    let kinds: &[usize] = if check.quick() { &[0, 3] } else { &[0, 3, 4] };
    check.certified(format_args!(
        "learn, draw by draw: two layers, two hidden neurons, one row for each layer, 27 networks, epsilon = 1, all datasets of \
         two of {} records of the plane: the law of the projections and the network, against a count of its own",
        kinds.len()
    ));
    let parameters = tiny((2, 2), Some(1), &ratio(3, 4))?;
    let domain = Domain::new(Grid::new(2)?, 2, 6)?;
    let six = six_records(4);
    // The points of the covers in their order: pairs, and single numbers, of -1, 0 and 1.
    let hidden: Vec<[i64; 2]> = (-1..=1).flat_map(|a| [[a, -1], [a, 0], [a, 1]]).collect();
    for dataset in multisets(kinds.len(), 2) {
        let records: Vec<Record> = dataset
            .iter()
            .map(|&kind| six[kinds[kind]].clone())
            .collect();
        let data = Dataset::new(domain, records.clone())?;
        let law = Explorer::new(Atomic::Laws, 10_000).explore(|coins| {
            let model = learn(&data, &parameters, coins);
            let shown = model.map(|model| (model.projections, model.chosen));
            shown.map_err(of_the_coins)
        })?;
        let tiny = Rational::new(BigInt::one(), BigInt::one() << 100);
        check.holds(
            law.undecided < tiny && law.lower.len() == 16 * 27,
            format_args!("records {dataset:?}: {} outcomes", law.lower.len()),
        );
        for signs in 0..16u32 {
            let sign = |place: u32| if signs >> place & 1 == 1 { 1i64 } else { -1 };
            let (a, b) = ([sign(0), sign(1)], [sign(2), sign(3)]);
            let lost = |c: &[i64; 2], last: i64, r: &Record| {
                let image = a[0] * r.features[0] + a[1] * r.features[1];
                let product = last * (b[0] * c[0] + b[1] * c[1]) * image;
                let signed = if r.positive { product } else { -product };
                signed <= 0
            };
            let mut weights = Vec::new();
            for c in &hidden {
                for last in -1..=1 {
                    let errors = records.iter().filter(|r| lost(c, last, r)).count();
                    weights.push(Enclosure::exp_of(&ratio(-(errors as i64), 2), BITS)?);
                }
            }
            let matrix = |signs: [i64; 2]| -> Result<Option<SignMatrix>, Trouble> {
                Ok(Some(SignMatrix::from_signs(&[signs
                    .map(|s| s as i8)
                    .to_vec()])?))
            };
            let projections = vec![matrix(a)?, matrix(b)?];
            for (number, share) in shares(&weights)?.into_iter().enumerate() {
                // Each of the sixteen projections is as likely.
                let expected = share.shifted(-4);
                let outcome = (projections.clone(), number);
                check.holds(
                    law.allows(&outcome, &expected),
                    format_args!("records {dataset:?}, signs {signs:04b}, network {number}"),
                );
            }
        }
    }
    Ok(())
}

/// Small and larger, along drawn and steered outcomes, and reversed.
fn metered(check: &mut Check) -> Result<(), Trouble> {
    let quick = check.quick();
    let size = if quick { 60 } else { 200 };
    check.certified(format_args!(
        "learn metered: 12 records on one point of the line, one against all others; two records of the plane and one row, one \
         of them sent to 0 by some matrices; {size} random records in 20 dimensions, two rows, 801 networks of two hidden \
         neurons; one record turned, moved or sent to the origin; drawn and steered outcomes; the records reversed"
    ));
    let grid = Grid::new(10)?;
    let one = grid.one();
    let parameters = |d, width, rows, radius: &Rational| -> Result<NetworkParameters, Trouble> {
        let shape = Shape::new(d, width, 2)?;
        let (epsilon, slope, norm) = (integer(1), integer(2), integer(3));
        Ok(NetworkParameters::new(
            epsilon, shape, slope, norm, rows, radius,
        )?)
    };
    // 1. One against all others: the networks that it favours have little weight.
    let pairs = [pairs::one_against(Domain::unit_ball(grid, 1)?, &[one], 12)?];
    let learner = parameters(1, 1, None, &ratio(1, 4))?;
    meter(check, "one of 12", &learner, &pairs, 2, &[])?;

    // 2. (1, -1)/sqrt 2, a little shorter, which (1, 1) and (-1, -1) send to 0.
    let pairs = pairs::sent_to_zero(grid, &[record(&[one, 0], true)])?;
    let reason = "only one of twelve records is searched for";
    let reasons = [("the choice of a network", reason)];
    let learner = parameters(2, 2, Some(1), &ratio(1, 2))?;
    meter(check, "one of 2, one row", &learner, &pairs, 4, &reasons)?;

    // 3. At size.
    let pairs = pairs::random(check.seed(), size)?;
    let learner = parameters(20, 2, Some(2), &integer(1))?;
    meter(check, "at size, two rows", &learner, &pairs[..1], 1, &[])
}

fn meter(
    check: &mut Check,
    name: &str,
    parameters: &NetworkParameters,
    pairs: &[(Dataset, Dataset)],
    streams: u64,
    reasons: &[(&str, &str)],
) -> Result<(), Trouble> {
    let learner = |data: &Dataset, coins: &mut Meter| learn(data, parameters, coins);
    let epsilon = parameters.epsilon();
    pairs::metered(check, name, epsilon, learner, pairs, streams, reasons)
}

/// `bms22.sec5.score`: what the exponential mechanism does with the errors as its score.
pub(super) fn score(check: &mut Check) -> Result<(), Trouble> {
    let sizes = [10u32, 40];
    check.exact(format_args!(
        "25 networks of one hidden neuron, {sizes:?} records on one point, e^epsilon = 9/4: the expected share of errors if the \
         share of errors is the score, and if its negative is"
    ));
    let parameters = tiny((2, 1), Some(1), &ratio(1, 4))?;
    let domain = Domain::new(Grid::new(2)?, 2, 6)?;
    let matrix = SignMatrix::from_signs(&[vec![1, -1]])?;
    let networks = Networks::new(&parameters, domain.grid(), vec![Some(matrix), None])?;
    for m in sizes {
        let records = vec![record(&[4, 0], true); m as usize];
        let errors = networks.errors(&Dataset::new(domain, records)?)?;
        // Weights (3/2)^(+-errors).
        let share = |upwards: bool| {
            let (mut total, mut weighted) = (BigInt::zero(), BigInt::zero());
            for &lost in &errors {
                let raised = if upwards { lost } else { m - lost };
                let weight = BigInt::from(3).pow(raised) * BigInt::from(2).pow(m - raised);
                weighted += &weight * lost;
                total += weight;
            }
            Rational::new(weighted, total * m)
        };
        let (literal, meant) = (share(true), share(false));
        let shown = |share: &Rational| to_scientific(share, 4);
        check.figure(
            format_args!("expected share of errors on {m} records"),
            format_args!(
                "{} with the errors as the score, {} with their negative",
                shown(&literal),
                shown(&meant)
            ),
        );
        check.holds(
            meant < ratio(1, 10) && meant.is_positive(),
            format_args!("{m} records: {meant}"),
        );
        let most = if m == 40 {
            ratio(99, 100)
        } else {
            ratio(9, 10)
        };
        check.holds(
            literal > most,
            format_args!("{m} records, with the errors as the score: {literal}"),
        );
    }
    Ok(())
}
