//! Figures of its claims, for the book.

use crate::book::figure::{Drawn, Figure, Scale, Source, axis};

pub const FIGURES: &[Figure] = &[
    Figure {
        claim: "lnsx25.lemma9",
        see: "Over all neighbours there is no such bound. On X6, two records with opposite labels whose inputs are about 2/n apart, the squared distance is {X6, n = 10: excess} times the squared bound at n = 10, and {X6, n = 1000000: excess} times at n = 1000000.",
        x: axis(
            "n, where the two inputs are about 2/n apart",
            Scale::Logarithmic,
        ),
        y: axis(
            "squared distance over the squared bound",
            Scale::Logarithmic,
        ),
        curves: &[Drawn {
            name: "on X6, exact, to six digits",
            from: Source::Row("X6, n = *: excess", 0),
        }],
    },
    Figure {
        claim: "lnsx25.r3",
        see: "By substitution a pair attains less than the bound, which is not exact there, at every Lambda that was run with m = 10,000. At Lambda = 10 distance and bound are {Lambda = 10, m = 10,000: attained by substitution / bound}.",
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
