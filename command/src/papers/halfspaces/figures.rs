//! Figures of its claims, for the book.

use crate::book::figure::{Drawn, Figure, Scale, Source, axis};

pub const FIGURES: &[Figure] = &[Figure {
    claim: "nuz20.claim12.1",
    see: "The bisector of two words exactly d/10 apart errs on less than a tenth of either distribution, in every dimension that was run. At d = 20 it errs on {error of the bisector on both distributions, d = 20}.",
    x: axis("dimension d", Scale::Linear),
    y: axis("error", Scale::Linear),
    curves: &[
        Drawn {
            name: "exceeded by one of the two errors, as printed",
            from: Source::Told("1/10"),
        },
        Drawn {
            name: "the bisector, certified",
            from: Source::Row("error of the bisector on both distributions, d = *", 0),
        },
    ],
}];
