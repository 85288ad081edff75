//! Runs each operation of `operations.rs` on values at the edges and then on random ones, and writes a file of Coq that says
//! what it gave: Coq is to find the same of the translation. The seed is fixed.

use crate::coins::{ChaCha, Coins};
use crate::{Error, number::Rational, operations};
use num_bigint::{BigInt, BigUint};
use num_traits::One;
use std::panic::catch_unwind;

/// How often each operation is run.
const ROWS: usize = 250;
/// How many values at an edge there are of each type: the first rows are these, of two arguments each with each.
const EDGES: usize = 12;

/// Arguments, drawn: `edges` says which values at an edge come next, if any.
struct Arguments {
    coins: ChaCha,
    edges: Option<usize>,
}

impl Arguments {
    fn below(&mut self, n: u64) -> u64 {
        self.coins.bits(32).unwrap() % n
    }

    /// A value at an edge: the next, or any, one time in four.
    fn edge<T: Clone>(&mut self, edges: &[T; EDGES]) -> Option<T> {
        let Some(next) = self.edges else {
            return (self.below(4) == 0).then(|| edges[self.below(EDGES as u64) as usize].clone());
        };
        self.edges = Some(next / EDGES);
        Some(edges[next % EDGES].clone())
    }

    /// Of at most 200 bits.
    fn random(&mut self) -> BigUint {
        let width = self.below(201);
        (0..width).fold(BigUint::default(), |sum, _| (sum << 1u32) + self.coins.bits(1).unwrap())
    }

    fn natural(&mut self) -> BigUint {
        let power = |bits: u32| BigUint::one() << bits;
        let [zero, one, two, three] = [0u32, 1, 2, 3].map(BigUint::from);
        let [below, at, above] = [power(64) - 1u32, power(64), power(64) + 1u32];
        let edges = [zero, one, two, three, power(31), power(32), power(63), below, at, above, power(128) - 1u32, power(128)];
        self.edge(&edges).unwrap_or_else(|| self.random())
    }

    fn integer(&mut self) -> BigInt {
        let power = |bits: u32| BigInt::one() << bits;
        let [zero, one, minus_one, two, minus_two] = [0, 1, -1, 2, -2].map(BigInt::from);
        let [below, at, beyond] = [power(64) - 1, power(64), -power(64) - 1];
        let [least, long] = [-power(63), power(128) + 1];
        let edges = [zero, one, minus_one, two, minus_two, power(32), least, below, at, beyond, long, -power(128)];
        self.edge(&edges).unwrap_or_else(|| {
            let size = BigInt::from(self.random());
            if self.coins.bits(1).unwrap() == 1 { -size } else { size }
        })
    }

    fn word(&mut self) -> u64 {
        let edges = [0, 1, 2, 3, 1 << 31, u32::MAX.into(), 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, u64::MAX - 1, u64::MAX];
        self.edge(&edges).unwrap_or_else(|| {
            let width = self.below(65) as u32;
            self.coins.bits(width).unwrap()
        })
    }

    fn short_word(&mut self) -> u32 {
        let edges = [0, 1, 2, 3, 65535, 65536, 65537, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, u32::MAX - 1, u32::MAX];
        self.edge(&edges).unwrap_or_else(|| {
            let width = self.below(33) as u32;
            self.coins.bits(width).unwrap() as u32
        })
    }

    /// How far to shift.
    fn places(&mut self) -> u32 {
        self.edge(&[0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 200]).unwrap_or_else(|| self.below(200) as u32)
    }

    /// A rational, in lowest terms or not, the denominator above 0.
    fn fraction(&mut self) -> Rational {
        let power = |bits: u32| BigInt::one() << bits;
        let raw = |a: i32, b: i32| Rational::new_raw(a.into(), b.into());
        let edges = [
            raw(0, 1),
            raw(1, 1),
            raw(-1, 1),
            raw(1, 2),
            raw(-7, 2),
            raw(2, 4),
            raw(-6, 4),
            raw(0, 5),
            Rational::from(power(64)),
            Rational::new_raw(1.into(), power(64)),
            Rational::new_raw(power(64) + 1, power(64)),
            Rational::new_raw(-power(128), 3.into()),
        ];
        self.edge(&edges).unwrap_or_else(|| {
            let (numerator, denominator) = (self.integer(), BigInt::from(self.natural()) + 1);
            match self.coins.bits(1).unwrap() {
                1 => Rational::new(numerator, denominator),
                _ => Rational::new_raw(numerator, denominator),
            }
        })
    }

    fn truth(&mut self) -> bool {
        self.coins.bits(1).unwrap() == 1
    }

    fn perhaps(&mut self) -> Option<BigInt> {
        let value = self.integer();
        self.truth().then_some(value)
    }

    fn list(&mut self) -> Vec<BigInt> {
        self.edges = None;
        (0..self.below(5)).map(|_| self.integer()).collect()
    }

    fn place(&mut self) -> usize {
        self.below(6) as usize
    }
}

/// A value as Coq writes it.
trait Coq {
    fn coq(&self) -> String;
}

macro_rules! as_it_is_shown {
    ($($ty:ty)*) => {$(
        impl Coq for $ty {
            fn coq(&self) -> String {
                format!("({self})")
            }
        }
    )*};
}
as_it_is_shown!(BigInt BigUint u64 u32 usize bool);

impl Coq for Rational {
    fn coq(&self) -> String {
        format!("(Rational {} {})", self.numer().coq(), self.denom().coq())
    }
}

impl<T: Coq> Coq for Vec<T> {
    fn coq(&self) -> String {
        format!("[{}]", self.iter().map(Coq::coq).collect::<Vec<_>>().join("; "))
    }
}

impl<T: Coq> Coq for Option<T> {
    fn coq(&self) -> String {
        self.as_ref().map_or("None".into(), |value| format!("(Some {})", value.coq()))
    }
}

impl<T: Coq> Coq for Result<T, Error> {
    fn coq(&self) -> String {
        match self {
            Ok(value) => format!("(Ok {})", value.coq()),
            Err(Error::OutOfRange(what)) => format!("(Err (\"OutOfRange\", \"{what}\")%string)"),
            Err(_) => "an error that no operation gives".into(),
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: Coq),*> Coq for ($($name,)*) {
            #[allow(non_snake_case)]
            fn coq(&self) -> String {
                let ($($name,)*) = self;
                format!("({})", [$($name.coq()),*].join(", "))
            }
        }
    )*};
}
tuples!((A B) (A B C) (A B C D));

macro_rules! rows_of {
    ($($name:ident($($argument:ident: $kind:ident),*))*) => {
        vec![$((stringify!($name), vec![$(stringify!($argument)),*], Box::new(|arguments: &mut Arguments| {
            $(let $argument = arguments.$kind();)*
            let given = [$($argument.coq()),*].join(", ");
            (given, catch_unwind(move || operations::$name($($argument),*).coq()).ok())
        }) as Row)),*]
    };
}

/// What an operation is given and what it gives: nothing, where it panics.
type Row = Box<dyn Fn(&mut Arguments) -> (String, Option<String>)>;

fn operations() -> Vec<(&'static str, Vec<&'static str>, Row)> {
    rows_of! {
        sum(a: integer, b: integer)
        difference(a: integer, b: integer)
        product(a: integer, b: integer)
        quotient(a: integer, b: integer)
        quotient_and_rest(a: integer, b: integer)
        sum_with_a_word(a: integer, b: word)
        negative(a: integer)
        root(a: integer)
        shifted(a: integer, b: places)
        digit(a: integer, b: word)
        sizes(a: integer)
        signs(a: integer)
        equal(a: integer, b: integer)
        in_order(a: integer, b: integer)
        natural_sum(a: natural, b: natural)
        natural_difference(a: natural, b: natural)
        natural_product(a: natural, b: natural)
        natural_quotient(a: natural, b: natural)
        natural_root(a: natural)
        natural_shifted(a: natural, b: places)
        natural_less_a_word(a: natural, b: word)
        word_sum(a: word, b: word)
        word_difference(a: word, b: word)
        word_product(a: word, b: word)
        short_word_sum(a: short_word, b: short_word)
        short_word_product(a: short_word, b: short_word)
        cut_off(a: word)
        lesser(a: word, b: word)
        fraction(a: integer, b: integer)
        fraction_squared(a: integer, b: integer)
        fraction_sum(a: fraction, b: fraction)
        fraction_difference(a: fraction, b: fraction)
        fraction_product(a: fraction, b: fraction)
        fraction_quotient(a: fraction, b: fraction)
        fraction_by_an_integer(a: fraction, b: integer)
        fraction_turned_over(a: fraction)
        fraction_floor(a: fraction)
        fraction_whole(a: fraction)
        fraction_signs(a: fraction)
        fractions_in_order(a: fraction, b: fraction)
        place_of(a: list, b: place)
        pairs(a: list, b: list)
        refused_unless(a: truth, b: integer)
        or_else(a: perhaps, b: integer)
    }
}

/// A theorem an operation.
pub fn write() {
    println!("From Snippet Require Import Snippets.\nImport ListNotations.\nOpen Scope Z_scope.");
    for (stream, (name, arguments, run)) in operations().into_iter().enumerate() {
        let mut drawn = Arguments { coins: ChaCha::reproducible(1, stream as u64), edges: None };
        let combinations = EDGES.pow(arguments.len() as u32);
        let (mut given, mut found) = (vec![], vec![]);
        for row in 0..ROWS {
            drawn.edges = (row < combinations).then_some(row);
            let (arguments, result) = run(&mut drawn);
            given.push(format!("({arguments})"));
            found.push(result.map_or("Ret Panicked".to_owned(), |value| format!("Ret (Returned {value})")));
        }
        let bound = if let [one] = &arguments[..] { (*one).to_owned() } else { format!("'({})", arguments.join(", ")) };
        let called = format!("operations_{name} 0 {}", arguments.join(" "));
        println!(
            "\nTheorem operation_{name}_agrees : map (fun {bound} => {called}) [\n{}] = [\n{}].",
            given.join(";\n"),
            found.join(";\n")
        );
        println!("Proof. vm_compute. reflexivity. Qed.");
    }
}
