//! The search as a whole, on mechanisms with known laws.

use super::*;
use crate::targets::Output;
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
fn cells_tell_bumps_apart() {
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
    // The laws differ by 1/2 in total variation, and so do they on the cells.
    let mut counts = vec![[0u64; 2]; cells.count()];
    for (side, outputs) in sides.iter().enumerate() {
        for output in outputs {
            counts[cells.index(output)][side] += 1;
        }
    }
    let apart: u64 = counts.iter().map(|c| c[0].abs_diff(c[1])).sum();
    let variation = apart as f64 / 100_000.0;
    assert!(variation > 0.45 && variation < 0.55, "{variation}");
    assert!(cells.index(&Output::Error("?".into())) < cells.count());
}

/// Both coordinates are one uniform number; on the second dataset the last one is larger by one. Of thirty outputs all
/// values are different, so that sets of them look like a proof, and are none.
#[test]
fn few_outputs_that_never_overlap_have_a_readable_event() {
    let pair = |shift: f64| {
        move |u: u64| {
            let u = (u >> 11) as f64 / (1u64 << 53) as f64;
            Output::Vector(vec![Output::float(u), Output::float(u + shift)])
        }
    };
    for n in [8, 16, 30, 60] {
        let sides = two(n, pair(0.0), pair(1.0));
        let event = learn_event(&sides[0], &sides[1], 0.0);
        assert!(event.to_string().starts_with("output[1] <= 0."), "{event}");
    }
}

/// Three answers, each lied about with probability 1/4: the odds are 3 for each that is 0 on the first dataset.
pub fn three_answers(side: u64, n: u64) -> Vec<Output> {
    let answer = |row: u64, place: u64| {
        let lie = (row >> (2 * place)).is_multiple_of(4);
        Output::Integer(i128::from((side == 1) != lie))
    };
    let rows = (0..n).map(|row| row * 37 % 64);
    rows.map(|row| Output::Vector((0..3).map(|place| answer(row, place)).collect()))
        .collect()
}

#[test]
fn cells_by_the_odds_of_a_model_need_few_calls() {
    let sides = [three_answers(0, 64), three_answers(1, 64)];
    let lesson = Lesson::new(&sides[0], &sides[1], Aim::after(64, 0.0));
    let (cells, Estimator::Careful { shares, .. }) = lesson.by_odds().unwrap() else {
        panic!("a model");
    };
    let zeros = Output::Vector(vec![Output::Integer(0); 3]);
    assert!(shares[cells.index(&zeros)] > 0.85, "{shares:?}");
    // Without numbers there is no model.
    let labels = [Output::Label("a".into())];
    let lesson = Lesson::new(&[], &labels, Aim::after(64, 0.0));
    assert!(lesson.by_odds().is_none());
}

#[test]
fn outputs_are_cells_only_if_they_are_few() {
    let many: Vec<Output> = (0..600).map(|i| Output::Integer(i % 257)).collect();
    let aim = Aim::after(600, 0.0);
    let outcomes = |all: &[Output]| Lesson::new(all, all, aim).outcomes().map(|c| c.count());
    assert_eq!(outcomes(&many), None);
    let few: Vec<Output> = (0..600).map(|i| Output::Integer(i % 256)).collect();
    assert_eq!(outcomes(&few), Some(257));
    // Once each on either dataset, which is twice; a single one came once.
    assert_eq!(outcomes(&few[..8]), Some(9));
    assert!(Lesson::new(&few[..8], &[], aim).outcomes().is_none());
}

/// Numbers and texts that are all different: only their kinds tell the datasets apart.
#[test]
fn the_kind_of_an_output_is_looked_at() {
    let outputs = |side: usize| -> Vec<Output> {
        (0..400)
            .map(|i| match (i + side) % 4 {
                0 if side == 0 => Output::Label(format!("none {}", i * 7919 % 1000)),
                _ => Output::float(i as f64 * 0.37 % 1.0),
            })
            .collect()
    };
    let event = learn_event(&outputs(0), &outputs(1), 0.0);
    let texts = outputs(0).iter().filter(|o| o.number().is_none()).count();
    assert_eq!(event.count(&outputs(0)), texts as u64, "{event}");
    assert_eq!(event.count(&outputs(1)), 0, "{event}");
    // In an object too, and a value that is there or not.
    let field = |side: usize| -> Vec<Output> {
        let value = |i: usize| match (i + side) % 2 {
            0 if side == 0 => Output::Null,
            _ => Output::float(i as f64 * 0.37 % 1.0),
        };
        let object = |i| Output::Object(vec!["mean".to_owned()], vec![value(i)]);
        (0..400).map(object).collect()
    };
    let event = learn_event(&field(0), &field(1), 0.0);
    assert_eq!(event.count(&field(0)), 200, "{event}");
    assert_eq!(event.count(&field(1)), 0, "{event}");
}
