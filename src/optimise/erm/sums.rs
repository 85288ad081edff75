//! The sums of `m_j a_j K_ij` over `j`, kept up to date while variables change.

use super::products::{Products, Rows};
use num_bigint::BigInt;
use std::ops::{AddAssign, Mul};

/// What sums are made of.
pub(super) trait Number: Clone + AddAssign + Mul<Output = Self> {
    /// An integer as such a number.
    fn of(value: i64) -> Self;
}

impl Number for i128 {
    fn of(value: i64) -> Self {
        value.into()
    }
}

impl Number for BigInt {
    fn of(value: i64) -> Self {
        value.into()
    }
}

impl Number for f64 {
    fn of(value: i64) -> Self {
        value as f64
    }
}

/// The sums, all 0 at first.
pub(super) struct Sums<'r, 'a, P, T> {
    rows: &'r mut Rows<'a, P>,
    // Of the linear kernel the vector w, of another the sum of each record.
    values: Vec<T>,
    is_vector: bool,
}

impl<'r, 'a, P: Products, T: Number> Sums<'r, 'a, P, T> {
    pub fn new(rows: &'r mut Rows<'a, P>) -> Self {
        let products = rows.products();
        let (length, is_vector) = match products.linear_dimension() {
            Some(dimension) => (dimension, true),
            None => (products.count(), false),
        };
        Self {
            rows,
            values: vec![T::of(0); length],
            is_vector,
        }
    }

    /// The sum of a record.
    pub fn at(&self, i: usize) -> T {
        if !self.is_vector {
            return self.values[i].clone();
        }
        let (coordinates, shift) = self.rows.products().coordinates(i);
        let mut sum = T::of(0);
        for &(place, v) in coordinates {
            sum += self.values[place as usize].clone() * T::of(v.into());
        }
        sum * T::of(1 << shift)
    }

    /// How many numbers it takes to move the variable of a record, and to look at its sum: with the vector w the coordinates of a
    /// record, in the mean.
    pub fn costs(&self) -> (u64, u64) {
        let products = self.rows.products();
        let count = products.count();
        if !self.is_vector {
            return (count as u64, 1);
        }
        let coordinates = (0..count).map(|i| products.coordinates(i).0.len());
        let mean = (coordinates.sum::<usize>() / count.max(1)) as u64;
        (mean, mean)
    }

    /// Moves the variable of a record, times its count, by so much.
    pub fn add(&mut self, i: usize, by: &T) {
        if self.is_vector {
            let (coordinates, _) = self.rows.products().coordinates(i);
            for &(place, v) in coordinates {
                self.values[place as usize] += by.clone() * T::of(v.into());
            }
            return;
        }
        for (sum, value) in self.values.iter_mut().zip(self.rows.row(i)) {
            *sum += by.clone() * T::of(*value);
        }
    }
}
