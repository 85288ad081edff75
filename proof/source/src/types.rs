//! The types of the subset. References are erased, and `usize` is taken to have 64 bits.

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// `num_bigint::BigInt`
    BigInt,
    /// `num_bigint::BigUint`
    BigUint,
    /// A machine integer of so many bits, and whether it has a sign.
    Word(u32, bool),
    /// An integer literal without a suffix.
    Literal,
    /// `num_rational::BigRational`
    Rational,
    /// `bool`
    Bool,
    /// `()`
    Unit,
    /// `&'static str`
    Text,
    /// A source of coins: threaded by the monad, and no value.
    Coins,
    /// Of what does not return.
    Never,
    /// The error: it is its kind and its text.
    Error,
    /// `Option`
    Option(Box<Ty>),
    /// `Result`, with the crate's error.
    Result(Box<Ty>),
    /// A tuple.
    Tuple(Vec<Ty>),
    /// A vector, a slice, an array.
    List(Box<Ty>),
    /// A struct that is translated, by its whole path, or one that is opaque.
    Named(String, Vec<Ty>),
    /// A type parameter that is a law on the integers.
    Law(String),
}

impl Ty {
    /// Whether it is one of the integers.
    pub fn is_integer(&self) -> bool {
        matches!(self, Ty::BigInt | Ty::BigUint | Ty::Word(..) | Ty::Literal)
    }

    /// Whether a value of this type may stand where `other` is expected.
    pub fn fits(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Never, _) => true,
            (Ty::Literal, other) => other.is_integer(),
            (Ty::Option(a), Ty::Option(b)) | (Ty::Result(a), Ty::Result(b)) | (Ty::List(a), Ty::List(b)) => a.fits(b),
            (Ty::Tuple(a), Ty::Tuple(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.fits(b)),
            (a, b) => a == b,
        }
    }

    /// The type in Coq.
    pub fn coq(&self) -> String {
        let all = |all: &[Ty], between: &str| {
            let all: Vec<_> = all.iter().map(Ty::coq).collect();
            all.join(between)
        };
        match self {
            Ty::BigInt | Ty::BigUint | Ty::Word(..) | Ty::Literal => "Z".into(),
            Ty::Rational => "rational".into(),
            Ty::Bool => "bool".into(),
            Ty::Text => "string".into(),
            Ty::Error => "(string * string)".into(),
            Ty::Unit | Ty::Never | Ty::Coins => "unit".into(),
            Ty::Option(a) => format!("(option {})", a.coq()),
            Ty::Result(a) => format!("(result {})", a.coq()),
            Ty::List(a) => format!("(list {})", a.coq()),
            Ty::Tuple(of) => format!("({})", all(of, " * ")),
            Ty::Law(name) => name.clone(),
            Ty::Named(path, of) if of.is_empty() => last(path).into(),
            Ty::Named(path, of) => format!("({} {})", last(path), all(of, " ")),
        }
    }
}

/// A path without its last name, and that name.
pub fn split(path: &str) -> (&str, &str) {
    path.rsplit_once("::").unwrap_or(("", path))
}

/// The last name of a path.
pub fn last(path: &str) -> &str {
    split(path).1
}
