//! The search as a whole, on mechanisms with known laws.

use super::*;
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::rational::ratio;
use dp_assay::stats::Null;

/// Epsilon = 1.
fn claim() -> Null {
    Null::new(&ratio(1, 1), &ratio(0, 1)).unwrap()
}

/// `n` outputs of each of two mechanisms that read 64 uniform bits.
fn two(
    n: usize,
    first: impl Fn(u64) -> Output,
    second: impl Fn(u64) -> Output,
) -> [Vec<Output>; 2] {
    let mut coins = ChaCha::reproducible(11, 0);
    let mut draw = |f: &dyn Fn(u64) -> Output| -> Vec<Output> {
        (0..n).map(|_| f(coins.bits(64).unwrap())).collect()
    };
    [draw(&first), draw(&second)]
}

fn learned(sides: &[Vec<Output>; 2]) -> (Event, [u64; 2]) {
    let event = learn_event(&sides[0], &sides[1], 0.0);
    let json = serde_json::to_string(&event).unwrap();
    assert_eq!(
        serde_json::from_str::<Event>(&json).unwrap(),
        event,
        "{json}"
    );
    let counts = [event.count(&sides[0]), event.count(&sides[1])];
    (event, counts)
}

#[test]
fn a_threshold_is_found() {
    let sides = two(
        20_000,
        |u| Output::Integer((u % 10).into()),
        |u| {
            Output::Integer(if u % 3 == 0 {
                5
            } else {
                5 + (u / 3 % 5) as i128
            })
        },
    );
    let (event, counts) = learned(&sides);
    assert_eq!(event.to_string(), "output <= 4");
    assert_eq!(event.likelier, Side::First);
    assert_eq!(counts[1], 0);
}

#[test]
fn low_bits_are_found() {
    // Uniform on multiples of 2^-54 or of 2^-50: almost the same numbers.
    let sides = two(
        20_000,
        |u| Output::float((u >> 10) as f64 * 2f64.powi(-54) + 0.0),
        |u| Output::float((u >> 14) as f64 * 2f64.powi(-50)),
    );
    let (event, counts) = learned(&sides);
    assert!(
        event
            .to_string()
            .starts_with("lowest bit of output <= 2^-5"),
        "{event}"
    );
    assert!(counts[0] > 10_000 && counts[1] == 0, "{event} {counts:?}");
}

#[test]
fn errors_zeros_lengths_and_prefixes_are_found() {
    let error = || Output::Error("division by zero".to_owned());
    let sides = two(
        5000,
        |u| Output::float(u as f64),
        |u| {
            if u % 9 == 0 {
                error()
            } else {
                Output::float(u as f64)
            }
        },
    );
    let (event, _) = learned(&sides);
    assert_eq!(event.to_string(), "error \"division by zero\"");
    assert_eq!(event.likelier, Side::Second);

    let sides = two(
        5000,
        |u| Output::float((u % 3) as f64),
        |u| Output::float(-((u % 3) as f64)),
    );
    let (event, counts) = learned(&sides);
    assert!(
        counts.contains(&0) && counts.iter().sum::<u64>() > 4000,
        "{event} {counts:?}"
    );

    let list = |u: u64, n: usize| {
        Output::Vector(
            (0..n)
                .map(|i| Output::Integer((u >> i & 1).into()))
                .collect(),
        )
    };
    let sides = two(5000, |u| list(u, 3 + (u % 7 == 0) as usize), |u| list(u, 3));
    let (event, _) = learned(&sides);
    assert_eq!(event.to_string(), "length of output >= 4");

    let label = |u: u64, with: &str| Output::Label(format!("{with}{}", u % 1_000_000));
    let sides = two(
        5000,
        |u| label(u, if u % 2 == 0 { "x" } else { "y" }),
        |u| label(u, "x"),
    );
    let (event, counts) = learned(&sides);
    assert!(counts[1] == 0 && counts[0] > 2000, "{event}");
}

#[test]
fn rare_values_of_one_dataset_are_found() {
    let sides = two(
        100_000,
        |u| {
            Output::Integer(if u % 1000 == 0 {
                1 << 40
            } else {
                (u / 1000 % 50).into()
            })
        },
        |u| Output::Integer((u % 50).into()),
    );
    let (event, counts) = learned(&sides);
    assert!(counts[0] > 50 && counts[1] == 0, "{event} {counts:?}");
}

#[test]
fn nothing_is_learned_from_nothing() {
    let event = learn_event(&[], &[], 0.0);
    assert!(!event.contains(&Output::Integer(1)));
    let lesson = Lesson::new(&[], &[], Aim::after(0, 0.0));
    let cells = lesson.cells(&event, MOST_CELLS, &claim());
    assert!(cells.index(&Output::Integer(1)) < cells.count());
}

#[test]
fn cells_are_ordered_by_their_ratio() {
    // Two bumps against one: no threshold orders the ratio.
    let sides = two(
        50_000,
        |u| Output::float((u % 1_000_000) as f64),
        |u| Output::float((u % 500_000 + 250_000) as f64),
    );
    let lesson = Lesson::new(&sides[0], &sides[1], Aim::after(50_000, 0.0));
    let event = Event {
        likelier: Side::First,
        predicate: Predicate::never(),
    };
    let cells = lesson.cells(&event, MOST_CELLS, &claim());
    assert!(cells.count() <= MOST_CELLS && cells.count() > 10);
    // By the outputs that were searched, which are the first half.
    let mut counts = vec![[0u64; 2]; cells.count()];
    for (side, outputs) in sides.iter().enumerate() {
        for output in &outputs[..outputs.len() / 2] {
            counts[cells.index(output)][side] += 1;
        }
    }
    let ratio = |c: [u64; 2]| (c[0] as f64 + 0.5) / (c[1] as f64 + 0.5);
    assert!(
        counts.windows(2).all(|w| ratio(w[0]) <= ratio(w[1])),
        "{counts:?}"
    );
    assert!(cells.index(&Output::Error("?".into())) < cells.count());
}
