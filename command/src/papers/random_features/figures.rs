//! Figures of its claims, for the book.

use crate::book::figure::{Drawn, Figure, Scale, Source, axis};

pub const FIGURES: &[Figure] = &[
    Figure {
        claim: "lnsx25.lemma9",
        see: "Over all neighbours there is no such bound. On X6, near-duplicates with opposite labels, the squared distance is {X6, n = 10: excess} times the squared bound at n = 10, and {X6, n = 1000000: excess} times at n = 1000000.",
        x: axis("records n", Scale::Logarithmic),
        y: axis(
            "squared distance over the squared bound",
            Scale::Logarithmic,
        ),
        curves: &[Drawn {
            name: "on X6, exact",
            from: Source::Row("X6, n = *: excess", 0),
        }],
    },
    Figure {
        claim: "lnsx25.r3",
        see: "What a pair attains stays below the bound, at every Lambda that was run. At Lambda = 10 they are {Lambda = 10, m = 10,000: attained by substitution / bound}.",
        x: axis("Lambda, at m = 10,000", Scale::Logarithmic),
        y: axis("distance", Scale::Logarithmic),
        curves: &[
            Drawn {
                name: "bound",
                from: Source::Row(
                    "Lambda = *, m = 10,000: attained by substitution / bound",
                    1,
                ),
            },
            Drawn {
                name: "attained, certified",
                from: Source::Row(
                    "Lambda = *, m = 10,000: attained by substitution / bound",
                    0,
                ),
            },
        ],
    },
];
