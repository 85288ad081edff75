//! Lemma A.4 and the further extensions of Section 4: fast projections and sketches, enumerated.

use crate::claim::{Check, Trouble};
use crate::common::{dot, vectors};
use dp_assay::coins::Law;
use dp_assay::geometry::sketch::{
    CountSketch, Fastfood, RandomisedHadamard, TensorSketch, TreeSketch, TwoStage,
};
use dp_assay::geometry::{GeometryError, SignMatrix, johnson_lindenstrauss};
use dp_assay::margin::bounds::maps::{hadamard_rows, two_stage_rows};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::sample::DiscreteGaussian;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;

/// The working precision, in bits.
const BITS: u32 = 96;

type Images = Result<Vec<i64>, GeometryError>;

/// The sum over equally likely maps of the inner products of all pairs of images, and the number of maps.
struct Sums {
    points: Vec<Vec<i64>>,
    sums: Vec<i64>,
    maps: i64,
}

impl Sums {
    fn new(points: Vec<Vec<i64>>) -> Self {
        let sums = vec![0; points.len() * points.len()];
        Self {
            points,
            sums,
            maps: 0,
        }
    }

    fn add(&mut self, apply: impl Fn(&[i64]) -> Images) -> Result<(), Trouble> {
        let images: Vec<Vec<i64>> = self
            .points
            .iter()
            .map(|point| apply(point))
            .collect::<Result<_, _>>()?;
        let pairs = images
            .iter()
            .flat_map(|a| images.iter().map(move |b| (a, b)));
        for (sum, (a, b)) in self.sums.iter_mut().zip(pairs) {
            *sum += dot(a, b);
        }
        self.maps += 1;
        Ok(())
    }

    /// The average of each pair of points.
    fn averages(&self) -> impl Iterator<Item = (&[i64], &[i64], Rational)> {
        let count = self.points.len();
        self.sums.iter().enumerate().map(move |(place, &sum)| {
            let (x, y) = (&self.points[place / count], &self.points[place % count]);
            (&x[..], &y[..], ratio(sum, self.maps))
        })
    }

    /// That the average is the kernel for all pairs.
    fn average_to(&self, check: &mut Check, name: &str, kernel: impl Fn(i64) -> Rational) {
        for (x, y, average) in self.averages() {
            check.holds(
                average == kernel(dot(x, y)),
                format_args!("{name}: {x:?}, {y:?}: {average}"),
            );
        }
    }
}

/// `bms22.lemA_4`.
pub(super) fn fast_projection(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "every draw of the signs and rows: 1 to 3 rows of dimension 2, 2 rows of dimensions 3 and 4; all pairs of vectors with \
         coordinates -1, 0 and 2",
    );
    for (rows, dimension) in [(1, 2), (2, 2), (3, 2), (2, 3), (2, 4)] {
        let mut sums = Sums::new(vectors(&[-1, 0, 2], dimension));
        let mut scale = Rational::zero();
        for map in RandomisedHadamard::all(rows, dimension)? {
            scale = map.squared_scale();
            sums.add(|x| map.apply(x))?;
        }
        let name = format!("{rows} rows of dimension {dimension}");
        sums.average_to(check, &name, |product| integer(product) / &scale);
    }
    flat_and_kept(check)?;
    let (half, beta) = (ratio(1, 2), ratio(1, 20));
    check.certified(
        "20 vectors, gamma = 1/2, beta = 1/20: the rows grow with the dimension, 2^4, 2^8, ..., 2^40; both terms of the failure at 256",
    );
    let mut before = 0;
    for log in (4..=40).step_by(4) {
        let rows = hadamard_rows(20, 1 << log, &half, &beta)?;
        check.holds(rows > before, format_args!("dimension 2^{log}: {rows}"));
        before = rows;
    }
    let rows = hadamard_rows(20, 256, &half, &beta)?;
    let bound = failure_bound((20, 256), rows, &half, &ratio(1, 40))?.upper();
    check.attained(
        "probability that one of 20 vectors is not kept, dimension 256",
        &bound,
        &beta,
    );
    let dense = johnson_lindenstrauss::dimension(&(beta / BigInt::from(20)), &half)?;
    check.figure("rows, dimension 256", rows);
    check.figure("rows of a dense projection", dense);
    Ok(())
}

/// The two events of the proof, and the probability that they fail, for 8 coordinates of 0 and 1.
fn flat_and_kept(check: &mut Check) -> Result<(), Trouble> {
    let length = 8;
    check.certified(
        "8 coordinates of 0 and 1, every draw of the signs: how often a coordinate of the transform is large, beside Hoeffding's \
         bound; then the exact law of the squared norm of 64 rows, and of as many as the lemma asks for at gamma = 1 and beta = \
         1/2, 1/4",
    );
    let every_row: Vec<usize> = (0..length).collect();
    let mut maps = Vec::new();
    for bits in 0..1u32 << length {
        let signs = (0..length).map(|place| if bits >> place & 1 == 1 { 1 } else { -1 });
        maps.push(RandomisedHadamard::new(signs.collect(), every_row.clone())?);
    }
    let gamma = Rational::one();
    let mut counts = vec![(64, least_bound(length as i64, 64, &gamma)?)];
    for beta in [ratio(1, 2), ratio(1, 4)] {
        counts.push((hadamard_rows(1, length as u64, &gamma, &beta)?, beta));
    }
    let mut worst_tail = Rational::zero();
    let mut worst_failure = vec![Rational::zero(); counts.len()];
    let mut known: BTreeMap<Vec<i64>, Vec<Rational>> = BTreeMap::new();
    for x in vectors(&[0, 1], length) {
        let norm = dot(&x, &x);
        if norm == 0 {
            continue;
        }
        // 1. The law of the squared coordinates, over the signs.
        let mut coordinate: BTreeMap<i64, i64> = BTreeMap::new();
        let mut spectra: BTreeMap<Vec<i64>, i64> = BTreeMap::new();
        for map in &maps {
            let mut squares: Vec<i64> = map.apply(&x)?.iter().map(|v| v * v).collect();
            for &square in &squares {
                *coordinate.entry(square).or_default() += 1;
            }
            squares.sort_unstable();
            *spectra.entry(squares).or_default() += 1;
        }
        for &level in coordinate.keys() {
            let above: i64 = coordinate.range(level..).map(|(_, count)| count).sum();
            let share = ratio(above, (maps.len() * length) as i64);
            let bound = Enclosure::exp_of(&ratio(-level, 2 * norm), BITS)?.shifted(1);
            let quotient = Enclosure::of(&share, BITS).divided_by(&bound)?.upper();
            check.holds(
                quotient <= Rational::one(),
                format_args!("{x:?}: a squared coordinate of at least {level}: {share}"),
            );
            worst_tail = worst_tail.max(quotient);
        }
        // 2. The law of the mean of k of them, drawn with replacement.
        for (place, (rows, promised)) in counts.iter().enumerate() {
            let mut failure = Rational::zero();
            for (squares, &signs) in &spectra {
                let laws = known.entry(squares.clone()).or_default();
                if laws.len() == place {
                    laws.push(failure_of_rows(squares, norm, *rows, &gamma));
                }
                failure += &laws[place] * ratio(signs, maps.len() as i64);
            }
            check.holds(
                failure <= *promised,
                format_args!("{x:?}, {rows} rows: fails with probability {failure}"),
            );
            worst_failure[place] = worst_failure[place].clone().max(failure);
        }
    }
    check.figure(
        "largest share of Hoeffding's bound",
        to_scientific(&worst_tail, 3),
    );
    for ((rows, _), failure) in counts.iter().zip(&worst_failure) {
        check.figure(
            format_args!("largest probability that {rows} rows fail"),
            to_scientific(failure, 3),
        );
    }
    Ok(())
}

/// The probability that the mean of `rows` of these squares, drawn with replacement, is farther than `gamma norm` from
/// `norm`: by convolution.
fn failure_of_rows(squares: &[i64], norm: i64, rows: u64, gamma: &Rational) -> Rational {
    // Squares of sums of equally many signs differ by multiples of four.
    let least = squares.iter().min().copied().unwrap_or(0);
    let mut steps: BTreeMap<usize, u64> = BTreeMap::new();
    for square in squares {
        *steps.entry(((square - least) / 4) as usize).or_default() += 1;
    }
    let largest = steps.keys().max().copied().unwrap_or(0);
    let mut ways = vec![BigUint::one()];
    for _ in 0..rows {
        let mut next = vec![BigUint::zero(); ways.len() + largest];
        for (sum, count) in ways.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
            for (step, times) in &steps {
                next[sum + step] += count * times;
            }
        }
        ways = next;
    }
    let k = integer(rows);
    let expected = integer(norm) * &k;
    let mut failed = BigUint::zero();
    for (sum, count) in ways.iter().enumerate() {
        let total = integer(least) * &k + integer(sum) * BigInt::from(4);
        if (total - &expected).abs() > gamma * &expected {
            failed += count;
        }
    }
    let all = BigUint::from(squares.len()).pow(rows as u32);
    Rational::new(failed.into(), all.into())
}

/// The least of `2 d e^(-B/2) + 2 e^(-k gamma^2/(3 B))` over `B` in quarters: the sum of the two events, for one vector.
fn least_bound(d: i64, rows: u64, gamma: &Rational) -> Result<Rational, Trouble> {
    let mut least = Rational::one();
    for quarters in 1..100 {
        let bound = ratio(quarters, 4);
        let spike = Enclosure::exp_of(&(-&bound / BigInt::from(2)), BITS)?;
        let exponent = -(gamma * gamma) * integer(rows) / (bound * BigInt::from(3));
        let mean = Enclosure::exp_of(&exponent, BITS)?;
        let sum = spike * Enclosure::integer(2 * d, BITS) + mean.shifted(1);
        least = least.min(sum.lower());
    }
    Ok(least)
}

/// `b + 2 N e^(-k gamma^2/(3 B))` with `B = 2 ln(2 d N/b)`, for `N` vectors of dimension `d`, a power of two: the probability
/// that the transform is not flat, and that its sample is off.
pub(super) fn failure_bound(
    (vectors, dimension): (u64, u64),
    rows: u64,
    gamma: &Rational,
    b: &Rational,
) -> Result<Enclosure, Trouble> {
    let events = u128::from(vectors) * 2;
    let largest = Enclosure::of(&(integer(events * u128::from(dimension)) / b), BITS)
        .ln()?
        .shifted(1);
    let exponent = Enclosure::of(&(gamma * gamma * integer(rows) / integer(3)), BITS);
    let of_rows = (-exponent.divided_by(&largest)?).exp()? * Enclosure::of(&integer(events), BITS);
    Ok(of_rows + Enclosure::of(b, BITS))
}

/// `bms22.lemA_4.two-stage`.
pub(super) fn two_stages(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "every draw of both stages, dimension 4 through 2 rows to 2; all vectors with coordinates -1, 0 and 2: averages; and where \
         each stage keeps the norm up to gamma/3 both do up to gamma, gamma = 1, 3/4, 1/2",
    );
    let points = vectors(&[-1, 0, 2], 4);
    let mut sums = Sums::new(points.clone());
    let mut scale = Rational::zero();
    let gammas = [integer(1), ratio(3, 4), ratio(1, 2)];
    let keeps = |a: &Rational, b: &Rational, share: &Rational| (b - a).abs() <= a * share;
    let squared = |v: &[i64]| integer(dot(v, v));
    let mut kept_by_both = 0;
    for first in RandomisedHadamard::all(2, 4)? {
        // What the first stage keeps up to a third of gamma.
        let mut kept = Vec::new();
        for x in points.iter().filter(|x| dot(x, x) > 0) {
            let middle = squared(&first.apply(x)?) * first.squared_scale();
            for gamma in &gammas {
                if keeps(&squared(x), &middle, &(gamma / BigInt::from(3))) {
                    kept.push((x, middle.clone(), gamma));
                }
            }
        }
        for last in SignMatrix::all(2, 2)? {
            let map = TwoStage::new(first.clone(), last)?;
            scale = map.squared_scale();
            sums.add(|x| map.apply(x))?;
            for (x, middle, gamma) in &kept {
                let after = squared(&map.apply(x)?) * &scale;
                if keeps(middle, &after, &(*gamma / BigInt::from(3))) {
                    kept_by_both += 1;
                    check.holds(
                        keeps(&squared(x), &after, gamma),
                        format_args!("{map:?}, {x:?}, gamma = {gamma}"),
                    );
                }
            }
        }
    }
    check.holds(kept_by_both > 0, "some are kept by both stages");
    check.figure("vectors that both stages keep", kept_by_both);
    sums.average_to(check, "two stages", |product| integer(product) / &scale);
    check.certified(
        "20 vectors, gamma = 1/2, beta = 1/20: the last rows are the same for dimensions 2^4, 2^8, ..., 2^40",
    );
    let rows = |log: u32| two_stage_rows(20, 1 << log, &ratio(1, 2), &ratio(1, 20));
    let (_, last) = rows(4)?;
    for log in (4..=40).step_by(4) {
        check.holds(rows(log)?.1 == last, format_args!("dimension 2^{log}"));
    }
    // The probabilities of failure of the stages, each at its own number of rows.
    let (first, _) = rows(8)?;
    let sixth = ratio(1, 6);
    let rate = &sixth * &sixth / integer(4) - &sixth * &sixth * &sixth / integer(6);
    let tail = Enclosure::exp_of(&-(integer(last) * rate), BITS)?;
    let of_last = tail * Enclosure::integer(40, BITS);
    let total = (failure_bound((20, 256), first, &sixth, &ratio(1, 60))? + of_last).upper();
    check.attained(
        "probability that one of 20 vectors is not kept, dimension 256",
        &total,
        &ratio(1, 20),
    );
    check.figure("rows of the first stage, dimension 256", first);
    check.figure("rows of the last stage", last);
    Ok(())
}

/// `bms22.ext.tensor`.
pub(super) fn tensor_sketch(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "every draw of the count sketches: degree 2 in 2 and 3 buckets, degree 3 in 2 buckets, all pairs of vectors of two \
         coordinates in -1, 0, 1, 2; degree 2 in 2 buckets with a constant coordinate 1 and 2, coordinates -1, 0, 2",
    );
    let plane = vectors(&[-1, 0, 1, 2], 2);
    for (degree, size) in [(1, 3), (2, 2), (2, 3), (3, 2)] {
        let mut sums = Sums::new(plane.clone());
        each_choice(&count_sketches(size, 2)?, degree, &mut |factors| {
            let sketch = TensorSketch::new(factors.to_vec())?;
            sums.add(|x| sketch.apply(x))
        })?;
        let name = format!("degree {degree}, {size} buckets");
        sums.average_to(check, &name, |product| integer(product).pow(degree as i32));
    }
    for constant in [1, 2] {
        let mut points = vectors(&[-1, 0, 2], 2);
        for point in &mut points {
            point.push(constant);
        }
        let mut sums = Sums::new(points);
        each_choice(&count_sketches(2, 3)?, 2, &mut |factors| {
            let sketch = TensorSketch::new(factors.to_vec())?;
            sums.add(|x| sketch.apply(x))
        })?;
        for (x, y, average) in sums.averages() {
            let kernel = (x[0] * y[0] + x[1] * y[1] + constant * constant).pow(2);
            check.holds(
                average == integer(kernel),
                format_args!("constant {constant}: {x:?}, {y:?}: {average}"),
            );
        }
    }
    // The twin: one sketch for both factors.
    let mut sums = Sums::new(vec![vec![2, 1], vec![1, 3]]);
    for sketch in CountSketch::all(2, 2)? {
        let twice = TensorSketch::new(vec![sketch.clone(), sketch])?;
        sums.add(|x| twice.apply(x))?;
    }
    let biased = sums.averages().nth(1);
    let average = biased
        .map(|(_, _, average)| average)
        .unwrap_or_else(Rational::zero);
    check.holds(average != integer(25), "one sketch used twice is biased");
    check.figure("average for <x,y> = 5, one sketch used twice", average);
    Ok(())
}

fn count_sketches(size: usize, dimension: usize) -> Result<Vec<CountSketch>, Trouble> {
    Ok(CountSketch::all(size, dimension)?.collect())
}

/// Calls `with` on each list of `count` of the sketches.
fn each_choice(
    sketches: &[CountSketch],
    count: usize,
    with: &mut impl FnMut(&[CountSketch]) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    for number in 0..sketches.len().pow(count as u32) {
        let mut rest = number;
        let mut chosen = Vec::with_capacity(count);
        for _ in 0..count {
            chosen.push(sketches[rest % sketches.len()].clone());
            rest /= sketches.len();
        }
        with(&chosen)?;
    }
    Ok(())
}

/// `bms22.ext.tree`.
pub(super) fn tree_sketch(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "every draw of leaves and nodes: degree 2 in 2 buckets; degrees 3 and 4 in 1 bucket; all pairs of four vectors of two \
         coordinates; and a node in 2 and 3 buckets on all pairs of pairs of vectors",
    );
    let points = vec![vec![2, 1], vec![1, 3], vec![-1, 1], vec![0, 2]];
    for (degree, size) in [(2, 2), (3, 1), (4, 1)] {
        let leaves = count_sketches(size, 2)?;
        let sketches = count_sketches(size, size)?;
        let mut sums = Sums::new(points.clone());
        each_choice(&leaves, degree, &mut |leaves| {
            each_choice(&sketches, 2 * (degree - 1), &mut |sketches| {
                let nodes = sketches
                    .chunks(2)
                    .map(|pair| [pair[0].clone(), pair[1].clone()]);
                let tree = TreeSketch::new(leaves.to_vec(), nodes.collect())?;
                sums.add(|x| tree.apply(x))
            })
        })?;
        let name = format!("degree {degree}, {size} buckets");
        sums.average_to(check, &name, |product| integer(product).pow(degree as i32));
    }
    // A node, on leaves that are held fixed: the step of the induction.
    let shapes: &[_] = if check.quick() {
        &[(2, 2)]
    } else {
        &[(2, 2), (3, 1)]
    };
    for &(size, leaves) in shapes {
        let held = count_sketches(size, leaves)?;
        let sketches = count_sketches(size, size)?;
        let points = vectors(&[-1, 1, 2], leaves);
        // Not the first ones: those have all coordinates in one bucket.
        let quarter = held.len() / 4;
        for first in held.iter().skip(quarter).step_by(3).take(3) {
            for second in held.iter().rev().skip(quarter).step_by(2).take(2) {
                let mut sums = Sums::new(points.clone());
                each_choice(&sketches, 2, &mut |pair| {
                    let node = [pair[0].clone(), pair[1].clone()];
                    let leaves = vec![first.clone(), second.clone()];
                    let tree = TreeSketch::new(leaves, vec![node])?;
                    sums.add(|x| tree.apply(x))
                })?;
                for (x, y, average) in sums.averages() {
                    let one = dot(&first.apply(x)?, &first.apply(y)?);
                    let other = dot(&second.apply(x)?, &second.apply(y)?);
                    check.holds(
                        average == integer(one * other),
                        format_args!("{first:?}, {second:?}: {x:?}, {y:?}: {average}"),
                    );
                }
            }
        }
    }
    // The twin: one leaf for both.
    let mut sums = Sums::new(vec![vec![2, 1], vec![1, 3]]);
    let sketches = count_sketches(2, 2)?;
    for leaf in &sketches {
        each_choice(&sketches, 2, &mut |pair| {
            let node = [pair[0].clone(), pair[1].clone()];
            let tree = TreeSketch::new(vec![leaf.clone(), leaf.clone()], vec![node])?;
            sums.add(|x| tree.apply(x))
        })?;
    }
    let biased = sums.averages().nth(1);
    let average = biased
        .map(|(_, _, average)| average)
        .unwrap_or_else(Rational::zero);
    check.holds(average != integer(25), "a leaf used twice is biased");
    check.figure("average for <x,y> = 5, a leaf used twice", average);
    Ok(())
}

/// `bms22.ext.fastfood`.
pub(super) fn fastfood(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "all signs and permutations of 2 and 4 coordinates, and of 3 padded to 4; all vectors with coordinates -1, 0 and 2: each \
         row is a sum of gains with coefficients whose squares sum to n |z|^2; and in 2 coordinates the two rows depend on each \
         other",
    );
    for dimension in [2, 3, 4usize] {
        let length = dimension.next_power_of_two();
        let points = vectors(&[-1, 0, 2], dimension);
        let gains: Vec<i64> = (0..length as i64).map(|place| 3 * place - 4).collect();
        for order in permutations(length) {
            for bits in 0..1u32 << dimension {
                let sign = |place: usize| if bits >> place & 1 == 1 { 1 } else { -1 };
                let signs: Vec<i8> = (0..dimension).map(sign).collect();
                let with =
                    |gains: &[i64]| Fastfood::new(signs.clone(), order.clone(), gains.to_vec());
                let mut of_gain = Vec::new();
                for place in 0..length {
                    let mut unit = vec![0; length];
                    unit[place] = 1;
                    of_gain.push(with(&unit)?);
                }
                let block = with(&gains)?;
                for z in &points {
                    // coefficients[l][i]: of gain l in row i.
                    let coefficients: Vec<Vec<i64>> = of_gain
                        .iter()
                        .map(|b| b.apply(z))
                        .collect::<Result<_, _>>()?;
                    let rows = block.apply(z)?;
                    for (i, row) in rows.iter().enumerate() {
                        let squares: i64 = coefficients.iter().map(|c| c[i] * c[i]).sum();
                        let sum: i64 = coefficients.iter().zip(&gains).map(|(c, g)| c[i] * g).sum();
                        check.holds(
                            squares == length as i64 * dot(z, z) && sum == *row,
                            format_args!("signs {signs:?}, order {order:?}, {z:?}, row {i}"),
                        );
                    }
                }
            }
        }
    }
    // The rows of a block are not independent: for z = (1, 1) one is the other, up to the sign.
    for order in permutations(2) {
        for signs in vectors(&[-1, 1], 2) {
            for gains in vectors(&[-2, 0, 1, 3], 2) {
                let signs = signs.iter().map(|&sign| sign as i8).collect();
                let rows = Fastfood::new(signs, order.clone(), gains)?.apply(&[1, 1])?;
                check.holds(rows[0].abs() == rows[1].abs(), format_args!("{rows:?}"));
            }
        }
    }
    of_drawn_gains(check)
}

fn permutations(length: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for place in 0..length {
        let with = |order: &Vec<usize>| {
            let order = order.clone();
            (0..=order.len()).map(move |at| {
                let mut order = order.clone();
                order.insert(at, place);
                order
            })
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// The average cosine of a row, for gains as they are drawn: discrete Gaussian, not normal.
fn of_drawn_gains(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "discrete Gaussian gains of parameter v = 1 and 2, in 2 coordinates, t = 1/4 and 1/8, all signs and orders, z = (1, 0), \
         (1, 1), (1, 2): the average of cos(t row), beside e^(-t^2 v n |z|^2/2)",
    );
    let mut worst = Rational::zero();
    for v in [1, 2] {
        let law = DiscreteGaussian::new(integer(v))?;
        let farthest = 40;
        let beyond = law
            .upper_tail(&BigInt::from(farthest + 1), BITS)?
            .shifted(1);
        let mut mass = Vec::new();
        for k in 0..=farthest {
            mass.push(law.pmf(&BigInt::from(k), BITS)?);
        }
        for t in [ratio(1, 4), ratio(1, 8)] {
            for z in [[1, 0], [1, 1], [1, 2]] {
                if &t * integer(z[0] + z[1]) > Rational::one() {
                    continue;
                }
                let exponent = -(&t * &t) * integer(v * dot(&z, &z));
                let normal = Enclosure::exp_of(&exponent, BITS)?;
                for signs in [vec![1, 1], vec![1, -1]] {
                    for row in 0..2 {
                        // The cosine of a sum of independent symmetric angles: the product.
                        let mut average = Enclosure::integer(1, BITS);
                        for gain in 0..2 {
                            let mut unit = vec![0; 2];
                            unit[gain] = 1;
                            let block = Fastfood::new(signs.clone(), vec![0, 1], unit)?;
                            let c = block.apply(&z)?[row];
                            let mut factor = mass[0].clone();
                            for (k, p) in (0i64..).zip(&mass).skip(1) {
                                let angle = Enclosure::of(&(&t * integer(c * k)), BITS);
                                factor = factor + (angle.cos()? * p).shifted(1);
                            }
                            let slack = beyond.hi().clone();
                            average = average * factor.widened(&slack);
                        }
                        let gap = (average - &normal).abs().upper();
                        let bound = Enclosure::exp_of(&integer(-13 * v), BITS)?;
                        let share = Enclosure::of(&gap, BITS).divided_by(&bound)?.upper();
                        check.holds(
                            share <= integer(6),
                            format_args!("v = {v}, t = {t}, z = {z:?}, signs {signs:?}, row {row}"),
                        );
                        worst = worst.max(share);
                    }
                }
            }
        }
    }
    check.figure(
        "largest distance from the kernel, over 2 e^(-13 v)",
        to_scientific(&(worst / integer(2)), 3),
    );
    Ok(())
}
