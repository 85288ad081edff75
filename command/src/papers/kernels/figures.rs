//! Figures of its claims, for the book.

use crate::book::figure::{Drawn, Figure, Scale, Source, axis};

pub const FIGURES: &[Figure] = &[
    Figure {
        claim: "jt13.thm4",
        see: "Read with the constant 1, and with noise on a grid of one step to S, delta at epsilon 1 is {constant 1, T = 10: delta(1)} at T = 10 and {constant 1, T = 1000: delta(1)} at T = 1000. With continuous noise, as printed, it is at least {constant 1, T = 1000, continuous noise: delta(1), at least} at T = 1000.",
        x: axis("number of points T", Scale::Logarithmic),
        y: axis("delta at epsilon 1", Scale::Logarithmic),
        curves: &[
            Drawn {
                name: "asked for",
                from: Source::Told("1e-6"),
            },
            Drawn {
                name: "with the constant 1, certified",
                from: Source::Row("constant 1, T = *: delta(1)", 0),
            },
        ],
    },
    Figure {
        claim: "jt13.thm8",
        see: "With the B and the sigma of line 1 the error outgrows what is printed. Their quotient, at a constant of 1, is {n = 10^6: error over what is printed} at n = 10^6, and {n = 10^12: error over what is printed} at n = 10^12.",
        x: axis("records n", Scale::Logarithmic),
        y: axis("error over what is printed", Scale::Logarithmic),
        curves: &[Drawn {
            name: "certified",
            from: Source::Row("n = *: error over what is printed", 0),
        }],
    },
];
