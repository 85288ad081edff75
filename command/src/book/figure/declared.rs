//! How a paper declares a figure: what is drawn, and what to see.

use super::plot::Scale;

/// A figure of a claim.
#[derive(Debug)]
pub struct Figure {
    /// The id of the claim.
    pub claim: &'static str,
    /// What to see. `{NAME}` stands for the row's figure of that name.
    pub see: &'static str,
    /// What is drawn across.
    pub x: Axis,
    /// What is drawn upwards.
    pub y: Axis,
    /// The last is what was found; others stand beside it.
    pub curves: &'static [Drawn],
}

/// What an axis shows, and how it counts.
#[derive(Debug)]
pub struct Axis {
    /// Its name, with its unit if it has one.
    pub name: &'static str,
    /// How it counts.
    pub scale: Scale,
}

/// An axis.
pub const fn axis(name: &'static str, scale: Scale) -> Axis {
    Axis { name, scale }
}

/// A curve.
#[derive(Debug)]
pub struct Drawn {
    /// Its name, for the key.
    pub name: &'static str,
    /// Where its points are from.
    pub from: Source,
}

/// Where points are from.
#[derive(Debug)]
pub enum Source {
    /// The row's figures of this name, in which `*` is x; of several numbers with ` / ` between them, the one at this place.
    Row(&'static str, usize),
    /// The same number everywhere, which the claim tells.
    Told(&'static str),
}
