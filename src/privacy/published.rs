//! Results as the bytes that are published.
//!
//! The meter says that two results are equal if whoever reads them cannot tell them apart. `==` is coarser than that: it
//! takes 0.0 for -0.0, 2/4 for 1/2, and may leave a field out. So results are compared as bytes, which [`Published`] writes.

use crate::coins::CoinsError;
use crate::number::{Grid, NumberError, OutOfRange, Rational};
use crate::sample::{DiscreteGaussian, DiscreteLaplace};
use num_bigint::{BigInt, BigUint};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is published, as bytes. Two values with the same bytes are the same to everybody who reads them.
///
/// For a type of your own, [`published!`](crate::published) writes all of its fields.
pub trait Published {
    /// Writes all that is published of this value, so that other values of the type never begin with the same bytes.
    fn publish(&self, page: &mut Vec<u8>);

    /// What is published of this value.
    fn page(&self) -> Vec<u8> {
        let mut page = Vec::new();
        self.publish(&mut page);
        page
    }
}

/// [`Published`](crate::privacy::Published) for a struct: all of its fields, in this order. A field that is left out does
/// not compile.
///
/// ```
/// struct Answer { value: i64, round: u32 }
/// dp_assay::published!(Answer { value, round });
/// ```
#[macro_export]
macro_rules! published {
    ($name:ty { $($field:ident),* $(,)? }) => {
        impl $crate::privacy::Published for $name {
            fn publish(&self, page: &mut Vec<u8>) {
                let Self { $($field),* } = self;
                $($crate::privacy::Published::publish($field, page);)*
            }
        }
    };
}

/// [`Published`](crate::privacy::Published) for types whose `Debug` is derived, and shows all that they are: errors, and
/// enumerations of public numbers. What they say is a function of that.
#[macro_export]
macro_rules! published_in_words {
    ($($name:ty),* $(,)?) => {$(
        impl $crate::privacy::Published for $name {
            fn publish(&self, page: &mut Vec<u8>) {
                $crate::privacy::Published::publish(&format!("{self:?}"), page);
            }
        }
    )*};
}

published_in_words!(CoinsError, NumberError, OutOfRange, super::PrivacyError);
published_in_words!(Grid, DiscreteGaussian, DiscreteLaplace);

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl Published for $integer {
            fn publish(&self, page: &mut Vec<u8>) {
                page.extend(self.to_le_bytes());
            }
        }
    )*};
}
integers!(
    u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize
);

/// All bits: the sign of 0 is one of them, and so is what an undefined number carries.
macro_rules! floats {
    ($($float:ty),*) => {$(
        impl Published for $float {
            fn publish(&self, page: &mut Vec<u8>) {
                page.extend(self.to_bits().to_le_bytes());
            }
        }
    )*};
}
floats!(f32, f64);

impl Published for () {
    fn publish(&self, _: &mut Vec<u8>) {}
}

impl Published for bool {
    fn publish(&self, page: &mut Vec<u8>) {
        page.push(u8::from(*self));
    }
}

impl Published for char {
    fn publish(&self, page: &mut Vec<u8>) {
        u32::from(*self).publish(page);
    }
}

impl Published for str {
    fn publish(&self, page: &mut Vec<u8>) {
        self.as_bytes().publish(page);
    }
}

impl Published for String {
    fn publish(&self, page: &mut Vec<u8>) {
        self.as_str().publish(page);
    }
}

impl Published for BigInt {
    fn publish(&self, page: &mut Vec<u8>) {
        self.to_signed_bytes_le().publish(page);
    }
}

impl Published for BigUint {
    fn publish(&self, page: &mut Vec<u8>) {
        self.to_bytes_le().publish(page);
    }
}

/// As it is written: 2/4 is not 1/2.
impl Published for Rational {
    fn publish(&self, page: &mut Vec<u8>) {
        (self.numer(), self.denom()).publish(page);
    }
}

impl<T: Published> Published for [T] {
    fn publish(&self, page: &mut Vec<u8>) {
        self.len().publish(page);
        self.iter().for_each(|one| one.publish(page));
    }
}

impl<T: Published, const N: usize> Published for [T; N] {
    fn publish(&self, page: &mut Vec<u8>) {
        self.as_slice().publish(page);
    }
}

impl<T: Published> Published for Vec<T> {
    fn publish(&self, page: &mut Vec<u8>) {
        self.as_slice().publish(page);
    }
}

impl<T: Published> Published for BTreeSet<T> {
    fn publish(&self, page: &mut Vec<u8>) {
        self.len().publish(page);
        self.iter().for_each(|one| one.publish(page));
    }
}

impl<K: Published, V: Published> Published for BTreeMap<K, V> {
    fn publish(&self, page: &mut Vec<u8>) {
        self.len().publish(page);
        self.iter().for_each(|one| one.publish(page));
    }
}

impl<T: Published> Published for Option<T> {
    fn publish(&self, page: &mut Vec<u8>) {
        self.is_some().publish(page);
        self.iter().for_each(|one| one.publish(page));
    }
}

impl<T: Published, E: Published> Published for Result<T, E> {
    fn publish(&self, page: &mut Vec<u8>) {
        self.is_ok().publish(page);
        match self {
            Ok(result) => result.publish(page),
            Err(error) => error.publish(page),
        }
    }
}

macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        impl<T: Published + ?Sized> Published for $pointer {
            fn publish(&self, page: &mut Vec<u8>) {
                T::publish(self, page);
            }
        }
    )*};
}
pointers!(&T, &mut T, Box<T>, Arc<T>);

macro_rules! tuples {
    ($(($($one:ident)+))*) => {$(
        impl<$($one: Published),+> Published for ($($one,)+) {
            fn publish(&self, page: &mut Vec<u8>) {
                #[expect(non_snake_case, reason = "a part has the name of its type")]
                let ($($one,)+) = self;
                $($one.publish(page);)+
            }
        }
    )*};
}
tuples!((A)(A B)(A B C)(A B C D)(A B C D E)(A B C D E F));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;

    #[test]
    fn what_prints_differently_has_other_bytes() {
        assert_ne!(0.0f64.page(), (-0.0f64).page());
        let raw = Rational::new_raw(2.into(), 4.into());
        assert_eq!(raw, ratio(1, 2));
        assert_ne!(raw.page(), ratio(1, 2).page());
        assert_ne!(Some(0u8).page(), None::<u8>.page());
        assert_ne!(Ok::<u8, u8>(1).page(), Err::<u8, u8>(1).page());
    }

    #[test]
    fn no_two_values_of_a_type_have_the_same_bytes() {
        // Where one value ends and the next begins is part of the bytes.
        let words = |words: [&str; 2]| words.map(str::to_owned).page();
        assert_ne!(words(["ab", "c"]), words(["a", "bc"]));
        assert_ne!(
            (vec![1u8], vec![2u8, 3]).page(),
            (vec![1u8, 2], vec![3u8]).page()
        );
        let big = |a: i64, b: i64| (BigInt::from(a), BigInt::from(b)).page();
        assert_ne!(big(1, 256), big(256, 1));
        assert_ne!(big(0, -1), big(-1, 0));
    }

    struct Pair {
        first: u8,
        second: f64,
    }
    published!(Pair { first, second });

    #[test]
    fn a_struct_is_published_with_all_of_its_fields() {
        let page = |first, second| Pair { first, second }.page();
        assert_eq!(page(1, 0.5), (1u8, 0.5f64).page());
        assert_ne!(page(1, 0.0), page(1, -0.0));
    }

    #[test]
    fn an_error_is_published_with_what_it_says() {
        let error = |value: &str| CoinsError::NotAProbability {
            value: value.to_owned(),
        };
        assert_ne!(error("2").page(), error("3").page());
    }
}
