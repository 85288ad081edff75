//! Random maps that are fast to apply, or that sketch tensor powers, in integers.
//!
//! | map | of `x` | inner products |
//! |---|---|---|
//! | [`RandomisedHadamard`] | `P H D x`: random signs, the Walsh-Hadamard transform, random rows | `<x, y>` on average |
//! | [`TwoStage`] | the same, then a matrix of random signs | `<x, y>` on average |
//! | [`CountSketch`] | signed coordinates, thrown into buckets | `<x, y>` on average |
//! | [`TensorSketch`] | the circular convolution of `p` count sketches | `<x, y>^p` on average |
//! | [`TreeSketch`] | a binary tree of tensor sketches of degree 2 | `<x, y>^p` on average |
//! | [`Fastfood`] | `H G Q H B x`: signs, a permutation, Gaussian gains | rows of a Gaussian matrix, dependent |
//!
//! Each is drawn without the data, and may be published. What makes "on average" of the inner product of two images is the
//! map's `squared_scale`, a rational: it is returned, and never applied, so that the image of an integer vector is one.
//! How long an image is depends on the draw: a learner clips it.

mod count;
mod fastfood;
mod tensor;
mod transform;

pub use count::CountSketch;
pub use fastfood::Fastfood;
pub use tensor::{TensorSketch, TreeSketch};
pub use transform::{RandomisedHadamard, TwoStage};

use super::GeometryError;
use crate::coins::Coins;
use crate::number::range::{OutOfRange, require};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// The longest vector that is transformed, 2^30: what it would be padded to fits in memory.
const LONGEST: usize = 1 << 30;

/// The most maps that are gone through: 16 million.
const MOST_ENUMERATED: u64 = 1 << 24;

/// The least power of two that is at least the dimension.
fn padded_length(dimension: usize) -> usize {
    dimension.next_power_of_two()
}

fn check_dimension(dimension: usize) -> Result<(), GeometryError> {
    let right = (1..=LONGEST).contains(&dimension);
    let expected = "at least 1 and at most 2^30";
    Ok(require(
        right,
        "the dimension of a sketched vector",
        &dimension,
        expected,
    )?)
}

fn check_signs(signs: &[i8]) -> Result<(), GeometryError> {
    for sign in signs {
        require(sign.abs() == 1, "a sign of a sketch", sign, "1 or -1")?;
    }
    Ok(())
}

fn random_signs(count: usize, coins: &mut impl Coins) -> Result<Vec<i8>, GeometryError> {
    let sign = |_| Ok(if coins.bits(1)? == 1 { 1 } else { -1 });
    (0..count).map(sign).collect()
}

fn random_below(n: usize, coins: &mut impl Coins) -> Result<usize, GeometryError> {
    let drawn = coins.uniform_below(&BigUint::from(n))?.to_usize();
    Ok(drawn.unwrap_or(0))
}

/// The first coordinates of `x`, each times its sign.
fn signed(x: &[i64], signs: &[i8]) -> Vec<i64> {
    let product = |(x, &sign): (&i64, &i8)| x * i64::from(sign);
    x.iter().zip(signs).map(product).collect()
}

/// The product of the powers, if so many maps are gone through.
fn count_of_all(powers: &[(u64, usize)]) -> Result<u64, GeometryError> {
    let mut count = Some(1u64);
    for &(base, exponent) in powers {
        let power = u32::try_from(exponent)
            .ok()
            .and_then(|exponent| base.checked_pow(exponent));
        count = count
            .zip(power)
            .and_then(|(count, power)| count.checked_mul(power));
    }
    let few = count.filter(|count| *count <= MOST_ENUMERATED);
    let shown = count.map_or("2^64 or more".to_owned(), |count| count.to_string());
    let refused = || OutOfRange::new("the number of maps of a shape", &shown, "at most 2^24");
    Ok(few.ok_or_else(refused)?)
}

/// The digits of a number, in whatever bases they are asked for.
struct Digits(u64);

impl Digits {
    fn below(&mut self, base: u64) -> usize {
        let digit = self.0 % base;
        self.0 /= base;
        digit as usize
    }

    fn sign(&mut self) -> i8 {
        if self.below(2) == 0 { 1 } else { -1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::geometry::SignMatrix;
    use crate::number::rational::{integer, ratio};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn dot(a: &[i64], b: &[i64]) -> i64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    fn count_sketch(signs: &[i8], buckets: &[usize], size: usize) -> CountSketch {
        CountSketch {
            signs: signs.to_vec(),
            buckets: buckets.to_vec(),
            size,
        }
    }

    #[test]
    fn rows_of_the_transform_of_the_signed_vector() {
        let map = RandomisedHadamard::new(vec![1, -1], vec![1, 0, 1]).unwrap();
        assert_eq!(map.apply(&[5, 3]).unwrap(), [8, 2, 8]);
        assert_eq!(map.pull_back(&[10, 1, 100]).unwrap(), [111, 109]);
        assert_eq!((map.rows(), map.squared_scale()), (3, ratio(1, 3)));
        // Three coordinates are padded to four.
        let map = RandomisedHadamard::new(vec![1, 1, -1], vec![0, 3]).unwrap();
        assert_eq!(map.apply(&[1, 2, 4]).unwrap(), [-1, 3]);
    }

    #[test]
    fn a_matrix_of_signs_after_the_transform() {
        let first = RandomisedHadamard::new(vec![1, -1], vec![1, 0]).unwrap();
        let last = SignMatrix::from_signs(&[vec![1, 1], vec![1, -1], vec![-1, 1]]).unwrap();
        let map = TwoStage::new(first.clone(), last).unwrap();
        assert_eq!(map.apply(&[5, 3]).unwrap(), [10, 6, -6]);
        assert_eq!(map.squared_scale(), ratio(1, 6));
        let wide = SignMatrix::from_signs(&[vec![1, 1, 1]]).unwrap();
        assert!(TwoStage::new(first, wide).is_err());
    }

    #[test]
    fn coordinates_are_thrown_into_buckets() {
        let sketch = count_sketch(&[1, -1, -1], &[1, 0, 1], 3);
        assert_eq!(sketch.apply(&[5, 3, 7]).unwrap(), [-3, -2, 0]);
        assert_eq!(sketch.pull_back(&[10, 20, 30]).unwrap(), [20, -10, -20]);
    }

    #[test]
    fn a_tensor_sketch_is_a_count_sketch_of_the_tensor_power() {
        let mut coins = ChaCha::reproducible(3, 0);
        let x = [2, -3, 5];
        for degree in 1..4 {
            let sketch = TensorSketch::random(degree, 4, 3, &mut coins).unwrap();
            let mut sums = vec![0; 4];
            for tuple in 0..3usize.pow(degree as u32) {
                let (mut bucket, mut product, mut rest) = (0, 1, tuple);
                for factor in &sketch.factors {
                    let i = rest % 3;
                    rest /= 3;
                    bucket += factor.buckets[i];
                    product *= x[i] * i64::from(factor.signs[i]);
                }
                sums[bucket % 4] += product;
            }
            assert_eq!(sketch.apply(&x).unwrap(), sums, "degree {degree}");
        }
    }

    #[test]
    fn a_tree_of_three_leaves() {
        let leaf = |sign| count_sketch(&[sign, 1], &[0, 1], 2);
        let swapped = count_sketch(&[1, 1], &[1, 0], 2);
        let same = count_sketch(&[1, 1], &[0, 1], 2);
        let tree = TreeSketch::new(
            vec![leaf(1), leaf(-1), leaf(-1)],
            vec![[same.clone(), swapped.clone()], [swapped, same]],
        )
        .unwrap();
        // The leaves have (2, 3), (-2, 3) and (-2, 3). The first node: (2, 3) * (3, -2) = (0, 5). The second: (5, 0) * (-2, 3).
        assert_eq!(tree.apply(&[2, 3]).unwrap(), [-10, 15]);
    }

    #[test]
    fn a_block_of_fastfood_is_its_product_of_matrices() {
        // H B x = (2, 8), its places exchanged and with gains (24, 4), transformed.
        let block = Fastfood::new(vec![1, -1], vec![1, 0], vec![3, 2]).unwrap();
        assert_eq!(block.apply(&[5, 3]).unwrap(), [28, 20]);
        let mut coins = ChaCha::reproducible(7, 0);
        let mut orders = BTreeSet::new();
        for _ in 0..500 {
            let block = Fastfood::random(3, &integer(100), &mut coins).unwrap();
            let Fastfood {
                signs,
                order,
                gains,
            } = block;
            assert!(Fastfood::new(signs, order.clone(), gains).is_ok());
            orders.insert(order);
        }
        assert_eq!(orders.len(), 24);
    }

    #[test]
    fn all_maps_of_a_shape_are_distinct_and_those_that_are_drawn() {
        let mut coins = ChaCha::reproducible(1, 0);
        let all: Vec<_> = RandomisedHadamard::all(2, 3).unwrap().collect();
        assert_eq!(all.len(), 8 * 16);
        let distinct: BTreeSet<_> = all.iter().map(|map| format!("{map:?}")).collect();
        assert_eq!(distinct.len(), all.len());
        let mut drawn = BTreeSet::new();
        for _ in 0..2000 {
            let map = RandomisedHadamard::random(2, 3, &mut coins).unwrap();
            drawn.insert(format!("{map:?}"));
        }
        assert_eq!(drawn, distinct);
        let distinct: BTreeSet<_> = CountSketch::all(3, 2)
            .unwrap()
            .map(|map| format!("{map:?}"))
            .collect();
        assert_eq!(distinct.len(), 36);
        let mut drawn = BTreeSet::new();
        for _ in 0..1000 {
            let map = CountSketch::random(3, 2, &mut coins).unwrap();
            drawn.insert(format!("{map:?}"));
        }
        assert_eq!(drawn, distinct);
    }

    #[test]
    fn shapes_that_cannot_be_are_refused() {
        let mut coins = ChaCha::reproducible(1, 0);
        assert!(RandomisedHadamard::random(0, 3, &mut coins).is_err());
        assert!(RandomisedHadamard::random(1, 0, &mut coins).is_err());
        assert!(RandomisedHadamard::random(1, LONGEST + 1, &mut coins).is_err());
        assert!(RandomisedHadamard::new(vec![1, 0], vec![0]).is_err());
        assert!(RandomisedHadamard::new(vec![1, 1, 1], vec![3]).is_ok());
        assert!(RandomisedHadamard::new(vec![1, 1, 1], vec![4]).is_err());
        assert!(RandomisedHadamard::all(8, 8).is_err() && CountSketch::all(2, 13).is_err());
        assert!(RandomisedHadamard::all(100, 100).is_err() && CountSketch::all(2, 12).is_ok());
        assert!(CountSketch::random(0, 3, &mut coins).is_err());
        assert!(CountSketch::random(3, 0, &mut coins).is_err());
        assert!(CountSketch::random(LONGEST + 1, 3, &mut coins).is_err());
        assert!(TensorSketch::random(0, 3, 3, &mut coins).is_err());
        assert!(TensorSketch::random(65, 3, 3, &mut coins).is_err());
        assert!(TreeSketch::random(usize::MAX, 3, 3, &mut coins).is_err());
        assert!(TreeSketch::random(0, 3, 3, &mut coins).is_err());
        let of = |size, dimension| count_sketch(&vec![1; dimension], &vec![0; dimension], size);
        assert!(TensorSketch::new(vec![of(2, 3), of(2, 2)]).is_err());
        assert!(TensorSketch::new(vec![of(2, 3), of(3, 3)]).is_err());
        let tree = |nodes| TreeSketch::new(vec![of(2, 3), of(2, 3)], nodes);
        assert!(tree(vec![]).is_err());
        assert!(tree(vec![[of(2, 2), of(2, 3)]]).is_err());
        assert!(tree(vec![[of(2, 2), of(3, 2)]]).is_err());
        assert!(tree(vec![[of(2, 2), of(2, 2)]]).is_ok());
        assert!(Fastfood::random(3, &integer(0), &mut coins).is_err());
        assert!(Fastfood::new(vec![1, 1], vec![0, 0], vec![1, 1]).is_err());
        assert!(Fastfood::new(vec![1, 1], vec![0], vec![1, 1]).is_err());
        assert!(Fastfood::new(vec![1, 1], vec![0, 1], vec![1]).is_err());
        assert!(Fastfood::new(vec![1, 2], vec![0, 1], vec![1, 1]).is_err());
    }

    #[test]
    fn what_might_overflow_is_refused() {
        let overflow = |found: Result<Vec<i64>, GeometryError>| {
            assert_eq!(found.unwrap_err(), GeometryError::Overflow);
        };
        let map = RandomisedHadamard::new(vec![1, 1], vec![0]).unwrap();
        overflow(map.apply(&[i64::MAX, 1]));
        overflow(map.apply(&[i64::MIN, 0]));
        overflow(map.pull_back(&[i64::MIN]));
        let sketch = count_sketch(&[1, 1], &[0, 0], 1);
        overflow(sketch.apply(&[i64::MAX, 1]));
        overflow(sketch.pull_back(&[i64::MIN]));
        let squared = TensorSketch::new(vec![sketch.clone(), sketch.clone()]).unwrap();
        let one = count_sketch(&[1], &[0], 1);
        let tree = TreeSketch::new(vec![sketch.clone(), sketch], vec![[one.clone(), one]]).unwrap();
        // 3037000499 is the integer part of the root of 2^63 - 1.
        let root = 3_037_000_499;
        assert_eq!(squared.apply(&[root, 0]).unwrap(), [root * root]);
        assert_eq!(tree.apply(&[root, 0]).unwrap(), [root * root]);
        overflow(squared.apply(&[root, 1]));
        overflow(tree.apply(&[root, 1]));
        let block = Fastfood::new(vec![1, 1], vec![0, 1], vec![1 << 40, 1]).unwrap();
        overflow(block.apply(&[1 << 40, 0]));
        overflow(block.apply(&[i64::MAX, 1]));
        assert!(block.apply(&[1 << 20, 0]).is_ok() && block.apply(&[1]).is_err());
    }

    proptest! {
        #[test]
        fn pulling_back_keeps_the_inner_product(
            x in prop::collection::vec(-1_000_000i64..1_000_000, 1..40),
            w in prop::collection::vec(-1000i64..1000, 1..12), seed in any::<u64>()
        ) {
            let mut coins = ChaCha::reproducible(seed, 0);
            let map = RandomisedHadamard::random(w.len(), x.len(), &mut coins).unwrap();
            let (image, pulled) = (map.apply(&x).unwrap(), map.pull_back(&w).unwrap());
            prop_assert_eq!(dot(&image, &w), dot(&x, &pulled));
            let map = TwoStage::random(w.len(), 5, x.len(), &mut coins).unwrap();
            let (image, pulled) = (map.apply(&x).unwrap(), map.pull_back(&w).unwrap());
            prop_assert_eq!(dot(&image, &w), dot(&x, &pulled));
            let map = CountSketch::random(w.len(), x.len(), &mut coins).unwrap();
            let (image, pulled) = (map.apply(&x).unwrap(), map.pull_back(&w).unwrap());
            prop_assert_eq!(dot(&image, &w), dot(&x, &pulled));
        }
    }
}
