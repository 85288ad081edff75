//! Appendix D: the steps of the proof of Theorem 5.1.

use super::network::{activation, tiny};
use super::projection::{Images, bound, failure};
use super::pure::six_records;
use super::{BITS, of, record};
use crate::claim::{Check, Trouble};
use crate::common::dot;
use dp_assay::geometry::{LatticeCover, SignMatrix};
use dp_assay::margin::bounds::NetworkRun;
use dp_assay::margin::feed_forward::{Layer, Network, NetworkMargin, Scale, Shape};
use dp_assay::margin::network::{NetworkParameters, Networks};
use dp_assay::margin::{Dataset, Domain};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Grid, Rational};
use dp_assay::sample::ScoredChoice;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// `bms22.lemD_1`.
pub(super) fn lemma_d_1(check: &mut Check) -> Result<(), Trouble> {
    let all: &[usize] = if check.quick() { &[40] } else { &[40, 60] };
    check.certified(format_args!(
        "the exact probability over all matrices of {all:?} rows and three columns that W^T Phi^T Phi u is off by more than gamma \
         |W| |u|, |Phi u| too long or |Phi W| too large, two neurons and two points, gamma = 3/4 and 1, against 20 one-sided \
         events"
    ));
    let neurons = [[2i64, 1, 2], [0, 3, 4]];
    let points = [[6i64, 2, 3], [1, 2, -2]];
    let norm: i64 = neurons.iter().map(|w| dot(w, w)).sum();
    for &k in all {
        for gamma in [ratio(3, 4), integer(1)] {
            let rows = integer(k as u64);
            let longest = (&gamma + integer(1)) * &rows;
            let within = &gamma * &gamma * &rows * &rows;
            let good = |images: &Images| {
                let matrix: i64 = neurons.iter().map(|w| images.product(w, w)).sum();
                integer(matrix) <= &longest * integer(norm)
                    && points.iter().all(|u| {
                        let off =
                            |w: &[i64; 3]| (images.product(w, u) - k as i64 * dot(w, u)).pow(2);
                        let off: i64 = neurons.iter().map(off).sum();
                        integer(images.product(u, u)) <= &longest * integer(dot(u, u))
                            && integer(off) <= &within * integer(norm * dot(u, u))
                    })
            };
            let found = failure(k, good);
            // 4 m N for the products, m for the points, N for the neurons.
            let most = bound(4 * 2 * 2 + 2 + 2, k as u64, &gamma)?;
            let instance = format!("k = {k}, gamma = {gamma}");
            check.holds(found <= most.lower(), &instance);
            check.figure(
                &instance,
                format_args!(
                    "fails with probability {}, bound {}",
                    to_scientific(&found, 3),
                    to_scientific(&most.upper(), 3)
                ),
            );
        }
    }
    check.exact(
        "the events that the rows are for, by a count of their own, L = 1 and 3, N = 1 and 4, m = 1, 1000: (4mN + m + N) \
         e^(-k rate) summed over the layers is at most beta/3, and not with one row fewer",
    );
    for (width, layers) in [(1, 1), (1, 3), (4, 3)] {
        for records in [1u64, 1000] {
            let run = NetworkRun {
                records,
                shape: Shape::new(1 << 50, width, layers)?,
                epsilon: integer(1),
                beta: ratio(1, 20),
                reach: integer(2),
            };
            let setting = run.setting(&ratio(3, 4))?;
            let instance = format!("L = {layers}, N = {width}, m = {records}");
            let Some(k) = setting.rows else {
                check.holds(false, "no projection");
                continue;
            };
            let (n, hidden) = (width as u64, layers as u64 - 1);
            let events = hidden * (4 * records * n + records + n) + 5 * records + 1;
            let third = ratio(1, 60);
            let below = bound(events, k, &setting.distortion)?.is_below_rational(&third);
            let above = bound(events, k - 1, &setting.distortion)?.is_above_rational(&third);
            check.holds(below && above, format_args!("{instance}: k = {k}"));
        }
    }
    Ok(())
}

/// Two layers of two neurons on the plane, `tanh(a)` itself (`eta = 4`), `Lambda = 2`, points of norm 1 as integers over 5.
struct Example {
    weights: [Vec<Vec<i64>>; 2],
    /// What the integers of a layer are multiplied by; both matrices have norm at most 2.
    factors: [Rational; 2],
}

/// Points of norm 1, over 5.
const POINTS: [[i64; 2]; 3] = [[3, 4], [-5, 0], [4, -3]];

impl Example {
    fn new() -> Self {
        Self {
            // Squared norms 15/4 and 13/4.
            weights: [vec![vec![3, 1], vec![-1, 2]], vec![vec![3, -2]]],
            factors: [ratio(1, 2), ratio(1, 2)],
        }
    }

    /// The network itself, or that of other integers with other factors.
    fn network(weights: &[Vec<Vec<i64>>; 2], factors: &[Rational; 2]) -> Result<Network, Trouble> {
        let layer = |number: usize| Layer {
            weights: weights[number].clone(),
            scale: Scale {
                factor: if number == 0 {
                    &factors[0] / integer(5)
                } else {
                    factors[1].clone()
                },
                root: 1,
            },
        };
        Ok(Network::new(integer(4), vec![layer(0), layer(1)])?)
    }
}

/// What a projection does: `Phi^T Phi - 1` times the number of rows, and what Lemma D.1 is about.
struct Realised {
    rows: i64,
    gram: Vec<Vec<i64>>,
}

impl Realised {
    fn new(matrix: &SignMatrix) -> Result<Self, Trouble> {
        let rows = matrix.rows() as i64;
        let mut columns = Vec::new();
        for place in 0..matrix.columns() {
            let mut unit = vec![0; matrix.columns()];
            unit[place] = 1;
            columns.push(matrix.apply(&unit)?);
        }
        let entry = |i: usize, j: usize| dot(&columns[i], &columns[j]) - i64::from(i == j) * rows;
        let places = 0..columns.len();
        let gram = places
            .clone()
            .map(|i| places.clone().map(|j| entry(i, j)).collect())
            .collect();
        Ok(Self { rows, gram })
    }

    /// The least `gamma` with `|Phi W|^2 <= (1 + gamma) 4`, or 0.
    fn of_matrix(&self, weights: &[Vec<i64>], factor: &Rational) -> Rational {
        let mut square = Rational::zero();
        for w in weights {
            let through: i64 = (0..w.len()).map(|i| w[i] * dot(&self.gram[i], w)).sum();
            square += ratio(through, self.rows) + integer(dot(w, w));
        }
        let gamma = square * factor * factor / integer(4) - integer(1);
        gamma.max(Rational::zero())
    }

    /// The least `gamma`, rounded up, with `|W^T Phi^T Phi u - W^T u| <= gamma 2 |u|` and `|Phi u|^2 <= (1 + gamma)
    /// |u|^2`; 0 for `u = 0`.
    fn of_point(
        &self,
        weights: &[Vec<i64>],
        factor: &Rational,
        u: &[Enclosure],
    ) -> Result<Rational, Trouble> {
        let zero = || Enclosure::integer(0, BITS);
        let norm = u.iter().fold(zero(), |sum, x| sum + x.squared());
        if !norm.lo().is_positive() {
            return Ok(Rational::zero());
        }
        let row = |i: usize| {
            let pairs = self.gram[i].iter().zip(u);
            pairs.fold(zero(), |sum, (g, x)| sum + x * Enclosure::integer(*g, BITS))
        };
        let image: Vec<Enclosure> = (0..u.len()).map(row).collect();
        let mut off = zero();
        for w in weights {
            let pairs = w.iter().zip(&image);
            let product = pairs.fold(zero(), |sum, (w, x)| sum + x * Enclosure::integer(*w, BITS));
            off = off + product.squared();
        }
        let scale = factor / integer(2 * self.rows);
        let off = off.divided_by(&norm)?.sqrt()? * of(&scale);
        let longer = u.iter().zip(&image).fold(zero(), |sum, (u, x)| sum + u * x);
        let longer = longer.divided_by(&norm)? * of(&ratio(1, self.rows));
        Ok(off.upper().max(longer.upper()).max(Rational::zero()))
    }
}

/// What goes into the second layer for integers and a factor of the first.
fn hidden(weights: &[Vec<i64>], factor: &Rational, x: &[i64]) -> Result<Vec<Enclosure>, Trouble> {
    let neuron = |w: &Vec<i64>| activation(&integer(4), &of(&(factor * ratio(dot(w, x), 5))));
    weights.iter().map(neuron).collect()
}

/// The matrices that are gone through: of those of four rows and two columns every third, or all; and five, one for each
/// Gram matrix.
fn matrices(check: &Check) -> Result<(Vec<SignMatrix>, Vec<SignMatrix>), Trouble> {
    let all: Vec<SignMatrix> = SignMatrix::all(4, 2)?.collect();
    let one_each = |minus: usize| -> Result<SignMatrix, Trouble> {
        let row = |place: usize| vec![1, if place < minus { -1 } else { 1 }];
        Ok(SignMatrix::from_signs(
            &(0..4).map(row).collect::<Vec<_>>(),
        )?)
    };
    let five = (0..5).map(one_each).collect::<Result<Vec<_>, _>>()?;
    let step = match (check.quick(), check.thorough()) {
        (true, _) => 5,
        (_, true) => 1,
        _ => 3,
    };
    Ok((all.into_iter().step_by(step).collect(), five))
}

/// The integers of `W` projected and pulled back: `Phi^T Phi W` times the number of rows.
fn there_and_back(weights: &[Vec<i64>], matrix: &SignMatrix) -> Result<Vec<Vec<i64>>, Trouble> {
    let neuron = |w: &Vec<i64>| Ok(matrix.pull_back(&matrix.apply(w)?)?);
    weights.iter().map(neuron).collect()
}

/// The differences seen, against the bound, and how many signs were implied.
struct Seen {
    worst: Rational,
    implied: u64,
}

impl Seen {
    /// Compares two networks at a point; `loss` is what each layer loses: `4 ((1 + loss)^2 - 1)` is the bound.
    fn compare(
        &mut self,
        check: &mut Check,
        [network, other]: [&Network; 2],
        x: &[i64],
        loss: &Rational,
        instance: &str,
    ) -> Result<(), Trouble> {
        let one = integer(1);
        let most = (num_traits::pow(loss + &one, 2) - one) * integer(4);
        let output = network.output(x, BITS)?;
        let change = (&output - other.output(x, BITS)?).abs();
        let tiny = Rational::new(BigInt::one(), BigInt::one() << 100);
        check.holds(
            change.upper() <= &most + &tiny,
            format_args!("{instance}: {change}"),
        );
        if most.is_positive() {
            self.worst = self.worst.clone().max(change.upper() / &most);
        }
        // What the bound is for.
        if output.abs().is_above_rational(&most) {
            self.implied += 1;
            let sign = if output.lo().is_positive() {
                Ordering::Greater
            } else {
                Ordering::Less
            };
            check.holds(
                other.sign(x)? == Some(sign),
                format_args!("{instance}: the sign"),
            );
        }
        Ok(())
    }

    fn new() -> Self {
        Self {
            worst: Rational::zero(),
            implied: 0,
        }
    }

    fn report(self, check: &mut Check) {
        check.holds(self.implied > 20, "the bound implies signs often enough");
        check.figure("signs implied", self.implied);
        check.figure(
            "largest change, of its bound",
            to_scientific(&self.worst, 3),
        );
    }
}

/// `bms22.claimD_2`.
pub(super) fn projections(check: &mut Check) -> Result<(), Trouble> {
    let (first, five) = matrices(check)?;
    check.certified(format_args!(
        "two layers of two neurons on the plane, eta = 4, Lambda = 2, three points of norm 1: {} matrices of four rows and two \
         columns for the first layer, and one for each Gram matrix for the second; gamma as it is realised",
        first.len()
    ));
    let example = Example::new();
    let itself = Example::network(&example.weights, &example.factors)?;
    let mut seen = Seen::new();
    for (number, one) in first.iter().enumerate() {
        let first = Realised::new(one)?;
        let below = [there_and_back(&example.weights[0], one)?];
        for (place, two) in five.iter().enumerate() {
            let second = Realised::new(two)?;
            let weights = [below[0].clone(), there_and_back(&example.weights[1], two)?];
            let factors = example.factors.each_ref().map(|f| f / integer(4));
            let network = Example::network(&weights, &factors)?;
            for x in &POINTS {
                let point: Vec<Enclosure> = x.iter().map(|x| of(&ratio(*x, 5))).collect();
                let inner = hidden(&weights[0], &factors[0], x)?;
                let [w1, w2] = &example.weights;
                let [f1, f2] = &example.factors;
                let gamma = first
                    .of_point(w1, f1, &point)?
                    .max(second.of_point(w2, f2, &inner)?)
                    .max(first.of_matrix(w1, f1))
                    .max(second.of_matrix(w2, f2));
                let instance = format!("matrices {number} and {place}, x = {x:?}, gamma = {gamma}");
                seen.compare(check, [&itself, &network], x, &gamma, &instance)?;
            }
        }
    }
    seen.report(check);
    Ok(())
}

/// `bms22.claimD_3`.
pub(super) fn roundings(check: &mut Check) -> Result<(), Trouble> {
    let (first, five) = matrices(check)?;
    let radius = ratio(1, 12);
    let covers = [
        LatticeCover::rounding(8, &radius)?,
        LatticeCover::rounding(4, &radius)?,
    ];
    check.certified(format_args!(
        "as in claimD_2, each projected matrix rounded to the cover of its layer, of radius {radius} relative to its ball, \
         {} first matrices: the rounded matrix is in the cover, and gamma + radius (1 + gamma/2)^2 bounds the loss of a layer",
        first.len()
    ));
    let example = Example::new();
    let itself = Example::network(&example.weights, &example.factors)?;
    let mut seen = Seen::new();
    // The point of the cover that is nearest to Phi W, for Phi = A/2 and the ball of radius (1 + gamma/2) 2.
    let rounded = |layer: usize, matrix: &SignMatrix, gamma: &Rational| -> Result<_, Trouble> {
        let ball = (gamma / integer(2) + integer(1)) * integer(2);
        let step = ball / integer(covers[layer].denominator());
        let mut points = Vec::new();
        for w in &example.weights[layer] {
            let image = matrix.apply(w)?;
            let nearest = |v: &i64| -> Result<i64, Trouble> {
                let exact = integer(*v) * &example.factors[layer] / integer(2) / &step;
                Ok(i64::try_from(exact.round().to_integer())?)
            };
            points.push(image.iter().map(nearest).collect::<Result<Vec<_>, _>>()?);
        }
        let flat: Vec<i64> = points.iter().flatten().copied().collect();
        let back = points.iter().map(|w| Ok(matrix.pull_back(w)?));
        let back = back.collect::<Result<Vec<_>, Trouble>>()?;
        // The network multiplies by Phi once more.
        Ok((covers[layer].contains(&flat), back, step / integer(2)))
    };
    for (number, one) in first.iter().enumerate() {
        let first = Realised::new(one)?;
        let [w1, w2] = &example.weights;
        let [f1, f2] = &example.factors;
        let ball = first.of_matrix(w1, f1);
        let (covered, below, factor) = rounded(0, one, &ball)?;
        check.holds(covered, format_args!("matrix {number}, first layer"));
        for (place, two) in five.iter().enumerate() {
            let second = Realised::new(two)?;
            let ball = second.of_matrix(w2, f2).max(ball.clone());
            let (covered, above, last) = rounded(1, two, &ball)?;
            check.holds(covered, format_args!("matrix {place}, second layer"));
            let factors = [factor.clone(), last];
            let network = Example::network(&[below.clone(), above], &factors)?;
            for x in &POINTS {
                let point: Vec<Enclosure> = x.iter().map(|x| of(&ratio(*x, 5))).collect();
                let inner = hidden(&below, &factor, x)?;
                let gamma = first
                    .of_point(w1, f1, &point)?
                    .max(second.of_point(w2, f2, &inner)?)
                    .max(ball.clone());
                let stretch = &gamma / integer(2) + integer(1);
                let loss = &gamma + &radius * &stretch * &stretch;
                let instance = format!("matrices {number} and {place}, x = {x:?}, gamma = {gamma}");
                seen.compare(check, [&itself, &network], x, &loss, &instance)?;
            }
        }
    }
    seen.report(check);
    Ok(())
}

/// `bms22.claimD_4`.
pub(super) fn choice(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "801 networks of two hidden neurons, 12 records on one point or on three, both labels, epsilon = 1/2 and 2: Pr[errors > \
         least + t] for every t, against the number of networks by a count of its own",
    );
    let parameters = tiny((2, 2), None, &integer(1))?;
    let domain = Domain::new(Grid::new(2)?, 2, 6)?;
    let networks = Networks::new(&parameters, domain.grid(), vec![None, None])?;
    // Rounding to within the whole radius: Q = 1, |c| <= 1 + sqrt(n)/2, so |c|^2 <= 4 and 2.
    let size = integer_points(4, 2, 4) * integer_points(2, 2, 2);
    check.holds(
        networks.count() == size && parameters.count()? == size as u128,
        format_args!("{} networks, counted {size}", networks.count()),
    );
    let size = integer(size as u64);
    let mut worst = Rational::zero();
    for spread in [1, 3] {
        let points = [[4, 0], [2, 3], [-1, 3]];
        let records = (0..12).map(|n| record(&points[n % spread], n % 5 != 4));
        let data = Dataset::new(domain, records.collect())?;
        let errors = networks.errors(&data)?;
        for epsilon in [ratio(1, 2), integer(2)] {
            let law = ScoredChoice::new(errors.clone(), &epsilon)?.law_of_the_score(BITS)?;
            let least = law[0].0;
            for t in 0..12u32 {
                let tail = law.iter().filter(|(score, _)| *score > least + t);
                let above = tail.fold(Enclosure::integer(0, BITS), |sum, (_, p)| sum + p);
                let exponent = -(&epsilon * integer(t)) / integer(2);
                let most = Enclosure::exp_of(&exponent, BITS)? * of(&size);
                let share = above.divided_by(&most)?.upper();
                check.holds(
                    share <= Rational::one(),
                    format_args!("{spread} points, epsilon = {epsilon}, t = {t}"),
                );
                worst = worst.max(share);
            }
        }
    }
    check.figure(
        "largest probability, of its bound",
        to_scientific(&worst, 3),
    );

    check.certified(
        "the networks of the theorem's cover in the plane and on the line, L = 2 and 3, N = 1 and 2, Q = 1 and 3/2, against the \
         bound on their logarithm",
    );
    for (d, width, layers) in [(1, 1, 2), (2, 1, 2), (1, 1, 3), (1, 2, 2)] {
        for reach in [integer(1), ratio(3, 2)] {
            let shape = Shape::new(d, width, layers)?;
            // eta = 4/Lambda: then Q = 1/rho.
            let margin = NetworkMargin::new(integer(4), integer(1), integer(1), reach.recip())?;
            let (beta, epsilon) = (ratio(1, 20), integer(1));
            let found = NetworkParameters::from_theorem(&beta, &epsilon, &margin, shape, 100)?;
            let run = NetworkRun {
                records: 100,
                shape,
                epsilon,
                beta,
                reach: reach.clone(),
            };
            let count = found.with_limit(1 << 60).count()?;
            let log = of(&integer(count)).ln()?;
            let instance = format!("d = {d}, N = {width}, L = {layers}, Q = {reach}");
            check.holds(
                log.upper() <= run.best()?.log_cover,
                format_args!("{instance}: {count}"),
            );
            check.figure(format_args!("networks, {instance}"), count);
        }
    }
    Ok(())
}

/// How many integer vectors with entries up to `most` have a squared norm up to `bound`.
fn integer_points(dimension: u32, most: i64, bound: i64) -> usize {
    let side = 2 * most + 1;
    let square = |code: &i64| -> i64 {
        let entry = |place: u32| code / side.pow(place) % side - most;
        (0..dimension).map(|place| entry(place).pow(2)).sum()
    };
    let all = 0..side.pow(dimension);
    all.filter(|code| square(code) <= bound).count()
}

/// `bms22.claimD_5`.
pub(super) fn distribution(check: &mut Check) -> Result<(), Trouble> {
    let sizes: &[u64] = if check.quick() { &[5, 15] } else { &[5, 30] };
    check.certified(format_args!(
        "the sets of errors of 801 networks on a distribution on four labelled points: the exact probability over {sizes:?} \
         records that some network's error exceeds that on the data by t, for every t in twentieths, and that it exceeds the \
         relative bound, against their number times e^(-2 m t^2) and e^(-c m)"
    ));
    let parameters = tiny((2, 2), None, &integer(1))?;
    let domain = Domain::new(Grid::new(2)?, 2, 6)?;
    let networks = Networks::new(&parameters, domain.grid(), vec![None, None])?;
    let six = six_records(4);
    let support = [&six[0], &six[2], &six[3], &six[5]];
    let shares = [8u64, 4, 3, 1];
    let mut patterns: BTreeSet<Vec<bool>> = BTreeSet::new();
    let mut errors = Vec::new();
    for kind in support {
        errors.push(networks.errors(&Dataset::new(domain, vec![kind.clone()])?)?);
    }
    for number in 0..networks.count() {
        patterns.insert(errors.iter().map(|of_kind| of_kind[number] > 0).collect());
    }
    check.figure("sets of errors", patterns.len());
    let count = integer(patterns.len() as u64);
    let of_shares = |pattern: &Vec<bool>, counts: &[u64; 4]| -> u64 {
        let pairs = pattern.iter().zip(counts);
        pairs
            .filter(|(lost, _)| **lost)
            .map(|(_, count)| count)
            .sum()
    };
    let mut worst = Rational::zero();
    for &m in sizes {
        // Of each number of records of each kind the probability, times 16^m, and of each the largest excess.
        let mut absolute = vec![BigInt::zero(); 21];
        let mut relative = vec![BigInt::zero(); 21];
        for a in 0..=m {
            for b in 0..=m - a {
                for c in 0..=m - a - b {
                    let counts = [a, b, c, m - a - b - c];
                    let (mut excess, mut exponent) = (Rational::zero(), Rational::zero());
                    for pattern in &patterns {
                        let truly = ratio(of_shares(pattern, &shares) as i64, 16);
                        let seen = ratio(of_shares(pattern, &counts) as i64, m as i64);
                        if truly > seen {
                            let more = &truly - seen;
                            // R <= seen + c + sqrt(c^2 + 2 c seen) is (R - seen)^2 <= 2 c R.
                            exponent = exponent.max(&more * &more / (truly * integer(2)));
                            excess = excess.max(more);
                        }
                    }
                    let mass = multinomial(&counts, &shares);
                    for (place, (t, c)) in absolute.iter_mut().zip(&mut relative).enumerate() {
                        let twentieth = ratio(place as i64, 20);
                        if excess > twentieth {
                            *t += &mass;
                        }
                        if exponent > twentieth {
                            *c += &mass;
                        }
                    }
                }
            }
        }
        let whole = BigInt::from(16).pow(m as u32);
        for place in 0..=20usize {
            let t = ratio(place as i64, 20);
            let hoeffding = -(&t * &t * integer(2 * m));
            let chernoff = -(&t * integer(m));
            for (name, mass, exponent) in [
                ("t", &absolute[place], hoeffding),
                ("c", &relative[place], chernoff),
            ] {
                let found = of(&Rational::new(mass.clone(), whole.clone()));
                let most = Enclosure::exp_of(&exponent, BITS)? * of(&count);
                let share = found.divided_by(&most)?.upper();
                check.holds(
                    share <= Rational::one(),
                    format_args!("m = {m}, {name} = {t}"),
                );
                worst = worst.max(share);
            }
        }
    }
    check.figure(
        "largest probability, of its bound",
        to_scientific(&worst, 3),
    );
    Ok(())
}

/// How often these counts come among `m` draws with these weights, out of the sum of the weights to the power of `m`.
fn multinomial(counts: &[u64; 4], weights: &[u64; 4]) -> BigInt {
    let mut ways = BigInt::one();
    let mut drawn = 0u64;
    for (count, weight) in counts.iter().zip(weights) {
        for i in 1..=*count {
            drawn += 1;
            ways = ways * drawn / i;
        }
        ways *= BigInt::from(*weight).pow(*count as u32);
    }
    ways
}
