//! The choice among the points of a cover by the magnitude of a linear function, without going through the cover.

use super::{GeometryError, LatticeCover};
use crate::coins::{Coins, CoinsError, Divergence, Law, Uniform};
use crate::number::range::require;
use crate::number::{Enclosure, NumberError, Rational};
use crate::sample::LARGEST_EXPONENT;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// The law of a point `k` of a lattice cover with probability proportional to `cosh(<slopes, k>)` (ledger: `jt13.tdil.linear`).
///
/// `ln cosh` is 1-Lipschitz, and between `|x| - ln 2` and `|x|`: this is the exponential mechanism for the score
/// `|<slopes, k>|`, with its privacy, and the loss of a factor 2 in its utility. It is drawn coordinate by coordinate: the
/// weights of all points with the same first coordinates add up to a number that depends on what they leave of the squared
/// norm only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearChoice {
    cover: LatticeCover,
    slopes: Vec<Rational>,
}

/// The largest bound on the squared norm of `k`: the sums of weights are a table of so many columns.
const LARGEST_SQUARE: u128 = 1 << 12;

/// The largest table.
const LARGEST_TABLE: u128 = 1 << 20;

impl LinearChoice {
    /// The choice with these slopes, which depend on the data. Their number and the cover are public.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] unless there are as many slopes as dimensions, and for slopes with `|<slopes, k>|` above [`LARGEST_EXPONENT`] for some `k`. A learner has to exclude the last by public
    /// numbers.
    pub fn new(cover: LatticeCover, slopes: Vec<Rational>) -> Result<Self, GeometryError> {
        let right = slopes.len() == cover.dimension();
        require(right, "the slopes", &slopes.len(), "one a dimension")?;
        Self::check_size(&cover)?;
        let square = cover.squared_bound();
        let squared: Rational = slopes.iter().map(|slope| slope * slope).sum();
        let most = BigInt::from(LARGEST_EXPONENT).pow(2);
        let right = squared * BigInt::from(square) <= Rational::from_integer(most);
        require(right, "the slopes", &"more", "within what can be enclosed")?;
        Ok(Self { cover, slopes })
    }

    /// That the table of a cover is not too large.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for squared norms above 2^12, or a table of more than 2^20 numbers: one for each dimension
    /// and each squared norm.
    pub fn check_size(cover: &LatticeCover) -> Result<(), GeometryError> {
        let square = cover.squared_bound();
        let name = "the squared norm of a lattice";
        let expected = "at most 2^12: take a larger radius of the net";
        require(square <= LARGEST_SQUARE, name, &square, expected)?;
        let size = (square + 1) * cover.dimension() as u128;
        let name = "the size of the table of a lattice";
        let expected = "at most 2^20: take a larger radius of the net";
        Ok(require(size <= LARGEST_TABLE, name, &size, expected)?)
    }

    /// `<slopes, k>`.
    fn exponent(&self, k: &[i64]) -> Rational {
        let products = self.slopes.iter().zip(k).map(|(s, &k)| s * BigInt::from(k));
        products.sum()
    }

    /// `e^(k s_j)` for the `k` with `k^2 <= b`, from the least.
    fn powers(&self, j: usize, bits: u32) -> Result<Vec<Enclosure>, NumberError> {
        let reach = self.cover.squared_bound().isqrt() as i64;
        (-reach..=reach)
            .map(|k| Enclosure::exp_of(&(&self.slopes[j] * BigInt::from(k)), bits))
            .collect()
    }

    /// The powers of each `j`, and the sums.
    fn table(&self, bits: u32) -> Result<Table, NumberError> {
        let most = self.cover.squared_bound() as usize;
        let mut sums = vec![vec![Enclosure::integer(1, bits); most + 1]];
        let all = 0..self.slopes.len();
        let powers = all.map(|j| self.powers(j, bits));
        let powers: Vec<Vec<Enclosure>> = powers.collect::<Result<_, _>>()?;
        for powers in powers.iter().rev() {
            let later = &sums[sums.len() - 1];
            let middle = powers.len() / 2;
            // W_j(r) = sum over k of e^(k s_j) W_(j+1)(r - k^2)
            let sum = |r: usize| {
                let reach = r.isqrt();
                (middle - reach..=middle + reach).fold(Enclosure::integer(0, bits), |sum, place| {
                    sum + &powers[place] * &later[r - place.abs_diff(middle).pow(2)]
                })
            };
            let next = (0..=most).map(sum).collect();
            sums.push(next);
        }
        sums.reverse();
        Ok(Table { bits, powers, sums })
    }
}

/// The numbers that a draw needs, at so many bits.
struct Table {
    bits: u32,
    /// `e^(k s_j)` for each `j`, the `k` with `k^2 <= b` from the least.
    powers: Vec<Vec<Enclosure>>,
    /// `W_j(r)`, for each `j` and `r <= b`: the sum of `e^(s_j k_j + ... + s_m k_m)` over `k_j^2 + ... + k_m^2 <= r`.
    sums: Vec<Vec<Enclosure>>,
}

impl Law for LinearChoice {
    type Outcome = Vec<i64>;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Vec<i64>, CoinsError> {
        // 1. cosh x = (e^x + e^-x)/2: a fair sign, and a point with probability proportional to e^x.
        let negative = coins.bits(1)? == 1;
        let mut table = self.table(128)?;
        let mut room = self.cover.squared_bound() as usize;
        let mut point = Vec::with_capacity(self.slopes.len());
        for j in 0..self.slopes.len() {
            // 2. k_j with probability e^(k s_j) W_(j+1)(r - k^2)/W_j(r), r what is left of the squared norm.
            let reach = room.isqrt();
            let place = Uniform::new().falls_among(
                || coins.bits(1),
                |bits| {
                    if bits != table.bits {
                        table = self.table(bits)?;
                    }
                    let (powers, sums) = (&table.powers[j], &table.sums);
                    let middle = powers.len() / 2;
                    let weights = (middle - reach..=middle + reach).map(|place| {
                        let left = room - place.abs_diff(middle).pow(2);
                        &powers[place] * &sums[j + 1][left]
                    });
                    cumulative(weights, &sums[j][room])
                },
            )?;
            room -= place.abs_diff(reach).pow(2);
            let k = place as i64 - reach as i64;
            point.push(if negative { -k } else { k });
        }
        Ok(point)
    }

    fn pmf(&self, k: &Vec<i64>, bits: u32) -> Result<Enclosure, NumberError> {
        if !self.cover.contains(k) {
            return Ok(Enclosure::integer(0, bits));
        }
        let exponent = self.exponent(k);
        let twice = Enclosure::exp_of(&exponent, bits)? + Enclosure::exp_of(&-exponent, bits)?;
        // Every point goes with its negative, so that the weights e^x have the same sum.
        twice
            .shifted(-1)
            .divided_by(&self.table(bits)?.sums[0][self.cover.squared_bound() as usize])
    }

    // ln cosh <s, k> - ln cosh <s', k> + ln(Z'/Z): both differences are at most |s - s'| |k|.
    fn divergence(&self, other: &Self, bits: u32) -> Result<Divergence, NumberError> {
        if self.cover != other.cover {
            return Ok(Divergence::Unbounded(
                "the choice is not among the same points",
            ));
        }
        let pairs = self.slopes.iter().zip(&other.slopes);
        let squared: Rational = pairs.map(|(a, b)| (a - b) * (a - b)).sum();
        let square = BigInt::from(self.cover.squared_bound()) * 4;
        let worst = root_above(&(squared * square), bits)?;
        Ok(if worst.is_positive() {
            Divergence::Pure(worst)
        } else {
            Divergence::None
        })
    }

    /// Any point, all as likely.
    fn far_out<C: Coins>(&self, _: u32, coins: &mut C) -> Result<Option<Vec<i64>>, CoinsError> {
        let flat = Self {
            cover: self.cover.clone(),
            slopes: vec![Rational::zero(); self.slopes.len()],
        };
        flat.sample(coins).map(Some)
    }
}

/// The root, exact if it is rational, otherwise rounded up.
fn root_above(square: &Rational, bits: u32) -> Result<Rational, NumberError> {
    let root = Rational::new(square.numer().sqrt(), square.denom().sqrt());
    if &root * &root == *square {
        return Ok(root);
    }
    Ok(Enclosure::of(square, bits).sqrt()?.upper())
}

/// The cumulative probabilities of these weights with this sum, the last exactly 1.
fn cumulative(
    weights: impl Iterator<Item = Enclosure>,
    total: &Enclosure,
) -> Result<Vec<Enclosure>, NumberError> {
    let mut sum = Enclosure::integer(0, total.bits());
    let mut cumulative = Vec::new();
    for weight in weights {
        sum = sum + weight;
        cumulative.push(sum.divided_by(total)?);
    }
    if let Some(last) = cumulative.last_mut() {
        *last = Enclosure::integer(1, total.bits());
    }
    Ok(cumulative)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Explorer, Layer};
    use crate::number::rational::{integer, ratio};

    fn choice(slopes: [Rational; 2]) -> LinearChoice {
        let cover = LatticeCover::truncating(2, &ratio(7, 10)).unwrap();
        LinearChoice::new(cover, slopes.to_vec()).unwrap()
    }

    #[test]
    fn points_are_drawn_by_the_cosh_of_their_product() {
        let law = choice([ratio(1, 2), ratio(-1, 3)]);
        let found = Explorer::new(Layer::Bits, 60_000)
            .until(ratio(1, 1 << 8))
            .explore(|coins| law.sample(coins))
            .unwrap();
        let mut sum = Enclosure::integer(0, 128);
        for rank in 0.. {
            let Some(k) = law.cover.point_at(rank) else {
                break;
            };
            let pmf = law.pmf(&k, 128).unwrap();
            assert!(found.allows(&k, &pmf), "{k:?}");
            sum = sum + pmf;
        }
        assert!(sum.contains(&integer(1)) && sum.has_digits(30));
        assert!(found.undecided <= ratio(1, 1 << 8));
        assert!(law.pmf(&vec![9, 9], 64).unwrap().hi().is_zero());
    }

    #[test]
    fn what_cannot_be_chosen_is_refused() {
        let cover = || LatticeCover::truncating(2, &ratio(7, 10)).unwrap();
        assert!(LinearChoice::new(cover(), vec![integer(1)]).is_err());
        assert!(LinearChoice::new(cover(), vec![integer(1 << 23), integer(0)]).is_err());
        let fine = LatticeCover::truncating(2, &ratio(1, 100)).unwrap();
        assert!(LinearChoice::new(fine, vec![integer(1), integer(1)]).is_err());
    }

    #[test]
    fn losses_are_within_their_bound() {
        let (first, second) = (
            choice([ratio(1, 2), ratio(0, 1)]),
            choice([ratio(3, 4), ratio(0, 1)]),
        );
        // q = 3: 2 (1/4) 3
        let bound = first.divergence(&second, 128).unwrap();
        assert_eq!(bound, Divergence::Pure(ratio(3, 2)));
        for k in [vec![3, 0], vec![0, 3], vec![0, 0]] {
            let loss = first.loss(&second, &k, 128).unwrap().magnitude().unwrap();
            assert!(loss < ratio(3, 2), "{loss}");
        }
    }
}
