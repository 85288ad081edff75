//! The integers of [`Dyadic`](super::Dyadic): short ones are held in place, without the heap.
//!
//! Enclosures make a handful of integers of a few limbs for each sum and product, and the heap would take longer than the
//! arithmetic. What does not fit is a plain [`BigInt`]; and each operation gives what that of plain integers gives, by the tests.

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Shl, Shr, Sub, SubAssign};

/// The most limbs that are held in place: the product of two numbers of 512 bits.
const MOST: usize = 16;

/// An integer.
#[derive(Clone)]
pub(super) enum Mantissa {
    Short(Short),
    /// Only what has more than [`MOST`] limbs.
    Long(BigInt),
}

use Mantissa::{Long, Short as InPlace};

/// An integer of at most [`MOST`] limbs, the least first. Of these `length` are used, the last of them not 0; the others are 0.
#[derive(Clone, Copy)]
pub(super) struct Short {
    negative: bool,
    length: usize,
    limbs: [u64; MOST],
}

impl Short {
    const ZERO: Self = Self {
        negative: false,
        length: 0,
        limbs: [0; MOST],
    };

    /// Of limbs that are 0 from `length` on, and perhaps before.
    #[inline]
    fn trimmed(negative: bool, mut length: usize, limbs: [u64; MOST]) -> Self {
        while length > 0 && limbs[length - 1] == 0 {
            length -= 1;
        }
        Self {
            negative: negative && length > 0,
            length,
            limbs,
        }
    }

    #[inline]
    fn used(&self) -> &[u64] {
        &self.limbs[..self.length]
    }

    fn bits(&self) -> u64 {
        self.used().last().map_or(0, |last| {
            64 * self.length as u64 - u64::from(last.leading_zeros())
        })
    }

    fn compare_sizes(&self, other: &Self) -> Ordering {
        let lengths = self.length.cmp(&other.length);
        lengths.then_with(|| self.used().iter().rev().cmp(other.used().iter().rev()))
    }

    fn negated(self) -> Self {
        Self {
            negative: !self.negative && self.length > 0,
            ..self
        }
    }

    fn plus(&self, other: &Self) -> Option<Self> {
        if self.negative != other.negative {
            return Some(match self.compare_sizes(other) {
                Ordering::Less => other.less(self),
                _ => self.less(other),
            });
        }
        let length = self.length.max(other.length);
        let mut limbs = [0; MOST];
        let mut carry = false;
        let pairs = self.limbs[..length].iter().zip(&other.limbs[..length]);
        for (sum, (a, b)) in limbs.iter_mut().zip(pairs) {
            let (both, over) = a.overflowing_add(*b);
            let (all, more) = both.overflowing_add(u64::from(carry));
            *sum = all;
            carry = over || more;
        }
        if carry {
            *limbs.get_mut(length)? = 1;
        }
        Some(Self {
            negative: self.negative,
            length: length + usize::from(carry),
            limbs,
        })
    }

    /// With the sign of `self`, the difference of the sizes, of which `other` has the smaller.
    fn less(&self, other: &Self) -> Self {
        let mut limbs = [0; MOST];
        let mut borrow = false;
        let pairs = self.used().iter().zip(&other.limbs);
        for (difference, (a, b)) in limbs.iter_mut().zip(pairs) {
            let (both, under) = a.overflowing_sub(*b);
            let (all, more) = both.overflowing_sub(u64::from(borrow));
            *difference = all;
            borrow = under || more;
        }
        Self::trimmed(self.negative, self.length, limbs)
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let length = self.length + other.length;
        if length > MOST {
            return None;
        }
        let mut limbs = [0; MOST];
        for (place, &a) in self.used().iter().enumerate() {
            let mut carry = 0;
            for (sum, &b) in limbs[place..].iter_mut().zip(other.used()) {
                let all = u128::from(a) * u128::from(b) + u128::from(*sum) + u128::from(carry);
                *sum = all as u64;
                carry = (all >> 64) as u64;
            }
            limbs[place + other.length] = carry;
        }
        Some(Self::trimmed(
            self.negative != other.negative,
            length,
            limbs,
        ))
    }

    fn times_word(&self, word: u64) -> Option<Self> {
        let mut limbs = [0; MOST];
        let mut carry = 0;
        for (product, &a) in limbs.iter_mut().zip(self.used()) {
            let all = u128::from(a) * u128::from(word) + u128::from(carry);
            *product = all as u64;
            carry = (all >> 64) as u64;
        }
        if carry > 0 {
            *limbs.get_mut(self.length)? = carry;
        }
        let length = self.length + usize::from(carry > 0);
        Some(Self::trimmed(self.negative, length, limbs))
    }

    /// Rounded towards zero.
    fn over_word(&self, word: u64) -> Self {
        let mut limbs = [0; MOST];
        let mut rest = 0;
        for (quotient, &a) in limbs[..self.length].iter_mut().zip(self.used()).rev() {
            let all = u128::from(rest) << 64 | u128::from(a);
            *quotient = (all / u128::from(word)) as u64;
            rest = (all % u128::from(word)) as u64;
        }
        Self::trimmed(self.negative, self.length, limbs)
    }

    fn shifted_up(&self, by: u64) -> Option<Self> {
        if self.length == 0 {
            return Some(*self);
        }
        if by.checked_add(self.bits())? > 64 * MOST as u64 {
            return None;
        }
        let (whole, part) = ((by / 64) as usize, by % 64);
        let mut limbs = [0; MOST];
        let mut carry = 0;
        for (shifted, &limb) in limbs[whole..].iter_mut().zip(self.used()) {
            *shifted = limb << part | carry;
            carry = limb.checked_shr(64 - part as u32).unwrap_or(0);
        }
        let mut length = whole + self.length;
        if carry > 0 {
            limbs[length] = carry;
            length += 1;
        }
        Some(Self {
            negative: self.negative,
            length,
            limbs,
        })
    }

    /// Rounded down.
    fn shifted_down(&self, by: u64) -> Self {
        let (whole, part) = ((by / 64) as usize, by % 64);
        let minus_one = Self {
            negative: true,
            length: 1,
            limbs: std::array::from_fn(|place| u64::from(place == 0)),
        };
        let Some(kept) = self.used().get(whole..).filter(|kept| !kept.is_empty()) else {
            return if self.negative { minus_one } else { Self::ZERO };
        };
        let mut limbs = [0; MOST];
        let mut carry = 0;
        for (shifted, &limb) in limbs[..kept.len()].iter_mut().zip(kept).rev() {
            *shifted = limb >> part | carry;
            carry = limb.checked_shl(64 - part as u32).unwrap_or(0);
        }
        let shifted = Self::trimmed(self.negative, kept.len(), limbs);
        let lost = carry != 0 || self.limbs[..whole].iter().any(|&limb| limb != 0);
        if self.negative && lost {
            // What is left of a negative number has the sign already, unless it is 0: and a shift of at least one bit left room.
            return shifted.plus(&minus_one).unwrap_or(shifted);
        }
        shifted
    }
}

impl Mantissa {
    /// Zero.
    pub(super) const ZERO: Self = InPlace(Short::ZERO);

    /// The plain integer.
    pub(super) fn to_plain(&self) -> BigInt {
        match self {
            Long(value) => value.clone(),
            InPlace(value) => {
                let sign = if value.negative {
                    Sign::Minus
                } else {
                    Sign::Plus
                };
                let digits = value.used().iter();
                BigInt::from_slice(
                    sign,
                    &digits
                        .flat_map(|&limb| [limb as u32, (limb >> 32) as u32])
                        .collect::<Vec<u32>>(),
                )
            }
        }
    }

    /// -1, 0 or 1, in this order.
    pub(super) fn sign(&self) -> Sign {
        match self {
            Long(value) => value.sign(),
            InPlace(Short { length: 0, .. }) => Sign::NoSign,
            InPlace(Short { negative: true, .. }) => Sign::Minus,
            InPlace(_) => Sign::Plus,
        }
    }

    /// The number of bits, without the sign.
    pub(super) fn bits(&self) -> u64 {
        match self {
            Long(value) => value.bits(),
            InPlace(value) => value.bits(),
        }
    }

    /// The absolute value.
    pub(super) fn abs(&self) -> Self {
        if self.sign() == Sign::Minus {
            -self
        } else {
            self.clone()
        }
    }
}

impl From<BigInt> for Mantissa {
    fn from(value: BigInt) -> Self {
        let mut limbs = [0; MOST];
        let digits = value.iter_u64_digits();
        let length = digits.len();
        if length > MOST {
            return Long(value);
        }
        for (limb, digit) in limbs.iter_mut().zip(digits) {
            *limb = digit;
        }
        InPlace(Short {
            negative: value.sign() == Sign::Minus,
            length,
            limbs,
        })
    }
}

impl From<u64> for Mantissa {
    fn from(value: u64) -> Self {
        let limbs = std::array::from_fn(|place| if place == 0 { value } else { 0 });
        InPlace(Short::trimmed(false, 1, limbs))
    }
}

impl fmt::Debug for Mantissa {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_plain(), formatter)
    }
}

impl Hash for Mantissa {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            InPlace(value) => (value.negative, value.used()).hash(state),
            Long(value) => value.hash(state),
        }
    }
}

impl PartialEq for Mantissa {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Mantissa {}

impl PartialOrd for Mantissa {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Mantissa {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (InPlace(a), InPlace(b)) if a.negative && b.negative => b.compare_sizes(a),
            (InPlace(a), InPlace(b)) if !a.negative && !b.negative => a.compare_sizes(b),
            (InPlace(_), InPlace(_)) => self.sign().cmp(&other.sign()),
            _ => self.to_plain().cmp(&other.to_plain()),
        }
    }
}

/// The operation on short numbers, if both are and the result is; otherwise that of plain integers.
macro_rules! operator {
    ($trait:ident $method:ident, $a:ident $b:ident: $short:expr) => {
        impl $trait for &Mantissa {
            type Output = Mantissa;
            #[inline]
            fn $method(self, other: &Mantissa) -> Mantissa {
                if let (InPlace($a), InPlace($b)) = (self, other)
                    && let Some(result) = $short
                {
                    return InPlace(result);
                }
                self.to_plain().$method(other.to_plain()).into()
            }
        }
    };
}
operator!(Add add, a b: a.plus(b));
operator!(Sub sub, a b: a.plus(&b.negated()));
operator!(Mul mul, a b: a.times(b));

impl Mul<u64> for &Mantissa {
    type Output = Mantissa;
    fn mul(self, word: u64) -> Mantissa {
        if let InPlace(a) = self
            && let Some(product) = a.times_word(word)
        {
            return InPlace(product);
        }
        (self.to_plain() * word).into()
    }
}

/// Rounded towards zero.
impl Div<u64> for &Mantissa {
    type Output = Mantissa;
    fn div(self, word: u64) -> Mantissa {
        match self {
            InPlace(a) => InPlace(a.over_word(word)),
            Long(a) => (a / word).into(),
        }
    }
}

impl Neg for &Mantissa {
    type Output = Mantissa;
    fn neg(self) -> Mantissa {
        match self {
            InPlace(a) => InPlace(a.negated()),
            Long(a) => Long(-a),
        }
    }
}

impl Shl<u64> for &Mantissa {
    type Output = Mantissa;
    fn shl(self, by: u64) -> Mantissa {
        if let InPlace(a) = self
            && let Some(shifted) = a.shifted_up(by)
        {
            return InPlace(shifted);
        }
        (self.to_plain() << by).into()
    }
}

/// Rounded down.
impl Shr<u64> for &Mantissa {
    type Output = Mantissa;
    fn shr(self, by: u64) -> Mantissa {
        match self {
            InPlace(a) => InPlace(a.shifted_down(by)),
            Long(a) => (a >> by).into(),
        }
    }
}

/// The owned forms, so that formulas read as formulas.
macro_rules! owned_operator {
    ($($trait:ident $method:ident $other:ty),*) => {$(
        impl $trait<$other> for Mantissa {
            type Output = Mantissa;
            fn $method(self, other: $other) -> Mantissa {
                (&self).$method(other)
            }
        }
    )*};
}
owned_operator!(Add add &Mantissa, Mul mul &Mantissa, Mul mul u64, Div div u64, Shl shl u64, Shr shr u64);

impl AddAssign<&Mantissa> for Mantissa {
    fn add_assign(&mut self, other: &Mantissa) {
        *self = &*self + other;
    }
}

impl SubAssign<&Mantissa> for Mantissa {
    fn sub_assign(&mut self, other: &Mantissa) {
        *self = &*self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `2^(64 k) + d`: around the ends of limbs, of what is held in place and of what is not.
    fn at_an_end(k: usize, d: i64) -> BigInt {
        (BigInt::from(1) << (64 * k)) + d
    }

    /// At the end of a limb, or any: short, long, and at the end of what is short.
    fn any_integer() -> impl Strategy<Value = BigInt> {
        let limb = prop_oneof![Just(0), Just(1), Just(u64::MAX), any::<u64>()];
        let limbs = prop::collection::vec(limb, 0..2 * MOST + 2);
        let at_ends = (0..=MOST + 1, -2i64..=2, any::<bool>()).prop_map(|(k, d, negative)| {
            let size = at_an_end(k, d);
            if negative { -size } else { size }
        });
        let any = (limbs, 0u32..=64, any::<bool>()).prop_map(|(limbs, less, negative)| {
            let size = limbs
                .iter()
                .fold(BigInt::ZERO, |size, &limb| (size << 64) + limb)
                >> less;
            if negative { -size } else { size }
        });
        prop_oneof![at_ends, any]
    }

    /// What is short is held in place, trimmed, zero without a sign.
    fn well_held(value: &Mantissa) -> bool {
        match value {
            Long(value) => value.iter_u64_digits().len() > MOST,
            InPlace(value) => {
                value.used().last() != Some(&0)
                    && value.limbs[value.length..].iter().all(|&limb| limb == 0)
                    && !(value.negative && value.length == 0)
            }
        }
    }

    fn same(short: &Mantissa, plain: &BigInt) -> Result<(), TestCaseError> {
        prop_assert_eq!(&short.to_plain(), plain);
        prop_assert!(well_held(short), "{:?}", short);
        Ok(())
    }

    #[test]
    fn carries_and_borrows_pass_every_limb() {
        let ends = (0..=MOST + 1).flat_map(|k| (-2..=2).map(move |d| at_an_end(k, d)));
        let ends: Vec<BigInt> = ends.flat_map(|end| [-&end, end]).collect();
        for a in &ends {
            let x = Mantissa::from(a.clone());
            for b in &ends {
                let y = Mantissa::from(b.clone());
                for (found, plain) in [(&x + &y, a + b), (&x - &y, a - b), (&x * &y, a * b)] {
                    assert!(
                        found.to_plain() == plain && well_held(&found),
                        "{a}, {b}: {found:?}"
                    );
                }
                assert_eq!(x.cmp(&y), a.cmp(b), "{a}, {b}");
            }
            for by in 0..=64 * (MOST as u64 + 2) {
                let shifted = &x >> by;
                assert!(
                    shifted.to_plain() == a >> by && well_held(&shifted),
                    "{a} >> {by}"
                );
            }
        }
        // The sums that are one limb too long to be held in place.
        let most = Mantissa::from(at_an_end(MOST, -1));
        for (sum, plain) in [
            (&most + &Mantissa::from(1), at_an_end(MOST, 0)),
            (&-&most - &Mantissa::from(1), -at_an_end(MOST, 0)),
        ] {
            assert!(matches!(sum, Long(_)) && sum.to_plain() == plain);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn every_operation_is_that_of_plain_integers(a in any_integer(), b in any_integer(), by in 0u64..2200, word in 1u64..) {
            let (x, y) = (Mantissa::from(a.clone()), Mantissa::from(b.clone()));
            same(&x, &a)?;
            same(&-&x, &-&a)?;
            same(&x.abs(), &BigInt::from(a.magnitude().clone()))?;
            same(&(&x + &y), &(&a + &b))?;
            same(&(&x - &y), &(&a - &b))?;
            same(&(&x - &x), &BigInt::ZERO)?;
            same(&(&x * &y), &(&a * &b))?;
            for word in [0, 1, word, u64::MAX] {
                same(&Mantissa::from(word), &word.into())?;
                same(&(&x * word), &(&a * word))?;
            }
            for word in [1, word >> 40 | 1, word, u64::MAX] {
                same(&(&x / word), &(&a / word))?;
            }
            for by in [0, 1, 63, 64, 128, by] {
                same(&(&x << by), &(&a << by))?;
                same(&(&x >> by), &(&a >> by))?;
            }
            prop_assert_eq!((x.sign(), x.bits()), (a.sign(), a.bits()));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x.cmp(&-&y), a.cmp(&-&b));
            prop_assert_eq!(x.cmp(&x.clone()), Ordering::Equal);
        }
    }
}
