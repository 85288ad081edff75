//! Values that were computed before: laws, tables and checks ask for the same ones again and again.

use super::mantissa::Mantissa;
use super::{Dyadic, Enclosure};
use std::cell::RefCell;
use std::collections::HashMap;

/// So many values are kept. With one more all are forgotten.
const MOST: usize = 1 << 12;

/// A function of a point and a number of bits.
type Function = fn(&Dyadic, u32) -> Enclosure;

/// A function, and those of its values that are known. Each thread has its own.
pub(super) struct Memo {
    function: Function,
    known: RefCell<HashMap<(Mantissa, i64, u32), Enclosure>>,
}

impl Memo {
    /// Nothing is known yet.
    pub(super) fn new(function: Function) -> Self {
        Self {
            function,
            known: RefCell::default(),
        }
    }

    /// The value of the function at `x`, computed unless it is known.
    pub(super) fn at(&self, x: &Dyadic, bits: u32) -> Enclosure {
        let (mantissa, exponent) = x.parts();
        let key = (mantissa.clone(), exponent, bits);
        if let Some(value) = self.known.borrow().get(&key) {
            return value.clone();
        }
        let value = (self.function)(x, bits);
        let mut known = self.known.borrow_mut();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, value.clone());
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        static CALLS: Cell<usize> = const { Cell::new(0) };
    }

    fn counted(x: &Dyadic, bits: u32) -> Enclosure {
        CALLS.with(|calls| calls.set(calls.get() + 1));
        Enclosure::new(x, x, bits)
    }

    #[test]
    fn a_value_is_computed_once_for_each_point_and_precision() {
        let memo = Memo::new(counted);
        for (mantissa, exponent, bits, calls) in [
            (3, 5, 64, 1),
            (3, 5, 64, 1),
            (3, 5, 65, 2),
            (3, 6, 64, 3),
            (-3, 5, 64, 4),
            (3, 5, 64, 4),
        ] {
            let x = Dyadic::new(mantissa, exponent);
            assert_eq!(memo.at(&x, bits), Enclosure::new(&x, &x, bits));
            assert_eq!(CALLS.with(Cell::get), calls);
        }
    }

    #[test]
    fn not_more_is_kept_than_it_says() {
        let memo = Memo::new(counted);
        for mantissa in 0..2 * MOST {
            memo.at(&Dyadic::new(mantissa, 0), 64);
            assert!(memo.known.borrow().len() <= MOST);
        }
    }
}
