//! A parameter of an algorithm, and whether a theorem chose it.

/// Where the value of a parameter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// From the theorem: its guarantee of utility applies.
    Theorem,
    /// From the caller: the guarantee of privacy is the same, that of utility need not apply.
    Overridden,
}

/// A parameter and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub origin: Origin,
}

/// A value that the theorem chose.
#[must_use]
pub fn from_theorem<T>(value: T) -> Chosen<T> {
    Chosen {
        value,
        origin: Origin::Theorem,
    }
}

/// A value that the caller chose.
#[must_use]
pub fn overridden<T>(value: T) -> Chosen<T> {
    Chosen {
        value,
        origin: Origin::Overridden,
    }
}
