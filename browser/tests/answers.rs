//! What the page is told, without a browser: through the one function that its script reaches.

use dp_assay::coins::{ChaCha, Coins as _};
use dp_assay::law::named::NamedLaw;
use dp_assay::number::rational::{self, integer};
use dp_assay::sample::DiscreteLaplace;
use dp_assay_browser::answer;
use serde_json::{Value, json};

fn asked(question: &Value) -> Value {
    serde_json::from_str(&answer(&question.to_string())).unwrap()
}

/// Laws with parameters.
const LAWS: [(&str, &str); 9] = [
    ("uniform-below", "6"),
    ("bernoulli", "1/3"),
    ("bernoulli-exp", "1/2"),
    ("bernoulli-exp", "5/2"),
    ("geometric", "1/2"),
    ("discrete-laplace", "2"),
    ("discrete-laplace", "2/3"),
    ("discrete-gaussian", "4"),
    ("discrete-gaussian", "1/3"),
];

/// As many as the page makes.
const RUNS: usize = 4000;

const COINS: [&str; 4] = ["bits", "uniform-below", "bernoulli", "bernoulli-exp"];

fn explored(law: &str, parameter: &str, coins: &str, broken: bool, runs: usize) -> Value {
    asked(
        &json!({"ask": "explore", "law": law, "parameter": parameter, "coins": coins, "broken": broken, "runs": runs}),
    )
}

#[test]
fn every_sampler_has_its_stated_law_on_every_kind_of_coins() {
    for (law, parameter) in LAWS {
        for coins in COINS {
            let found = explored(law, parameter, coins, false, RUNS);
            assert_eq!(
                found["ruled_out"],
                Value::Null,
                "{law} {parameter} {coins}: {found}"
            );
            assert!(found["outcomes"].as_array().unwrap().len() >= 2);
            assert_eq!(found["mistake"], Value::Null);
        }
    }
}

#[test]
fn every_twin_with_a_mistake_is_ruled_out_on_some_coins() {
    for (law, parameter) in LAWS {
        let seen = COINS
            .map(|coins| explored(law, parameter, coins, true, RUNS)["ruled_out"] != Value::Null);
        assert!(seen.contains(&true), "{law} {parameter}");
    }
}

/// So that a law that is another is told from the stated one in the end.
#[test]
fn more_runs_leave_less_undecided() {
    for (law, parameter) in LAWS {
        for coins in COINS {
            let undecided = [200, 4000].map(|runs| {
                let found = explored(law, parameter, coins, false, runs);
                rational::parse(found["undecided"].as_str().unwrap()).unwrap()
            });
            // Or next to nothing is left.
            let is_less =
                undecided[1] < undecided[0] || undecided[0] < rational::parse("1e-40").unwrap();
            assert!(is_less, "{law} {parameter} {coins}: {undecided:?}");
        }
    }
}

/// Hexadecimal digits of a generator's bits.
fn coins(digits: usize) -> String {
    let mut coins = ChaCha::reproducible(1, 1);
    let digit = |_| char::from_digit(coins.bits(4).unwrap() as u32, 16).unwrap();
    (0..digits).map(digit).collect()
}

#[test]
fn draws_are_a_function_of_one_tape_and_more_coins_change_none() {
    let drawn = |digits: usize, count: usize| {
        asked(
            &json!({"ask": "draw", "law": "discrete-gaussian", "parameter": "4", "count": count, "coins": coins(digits)}),
        )
    };
    assert_eq!(drawn(100, 1000)["more"], true);
    let (few, many) = (drawn(100_000, 100), drawn(200_000, 1000));
    let [few, many] = [&few, &many].map(|found| found["drawn"].as_array().unwrap());
    assert_eq!((few.len(), many.len()), (100, 1000));
    assert_eq!(few[..], many[..100]);
    // Of variance 3.999..., so with a standard error of 0.18 around it.
    let squares = many
        .iter()
        .map(|value| value.as_str().unwrap().parse::<i64>().unwrap().pow(2));
    let sum: i64 = squares.sum();
    assert!((3000..5000).contains(&sum), "{sum}");
}

#[test]
fn a_value_is_what_the_command_prints() {
    let found = asked(
        &json!({"ask": "truth", "subject": "discrete-laplace scale=2", "quantity": "profile", "shift": "1",
        "epsilon": "3/10", "digits": 20, "format": "csv"}),
    );
    let text = found["text"].as_str().unwrap();
    let row = text.lines().nth(1).unwrap();
    assert!(
        row.starts_with("discrete-laplace scale=2,profile,1,3/10,20,enclosure,,"),
        "{row}"
    );
    // 1 - e^((0.3 - 0.5) / 2) over 1 + e^(-1/2), times 1 plus: by hand, (1 - q) / (1 + q) (1 - e^0.3 q) / (1 - q) with q = e^(-1/2).
    let q = (-0.5f64).exp();
    let by_hand = (1.0 - 0.3f64.exp() * q) / (1.0 + q);
    let lo: f64 = row.split(',').nth(7).unwrap().parse().unwrap();
    assert!((lo - by_hand).abs() < 1e-12, "{lo} {by_hand}");
}

/// Noise of scale 1 around 0 and around 1, so (1, 0)-private and no better.
fn audited(epsilon: &str, count: usize) -> Value {
    let drawn = |seed: u64, centre: i64| {
        let law = NamedLaw::DiscreteLaplace(DiscreteLaplace::new(integer(1)).unwrap());
        let mut coins = ChaCha::reproducible(seed, 7);
        let draws = (0..count).map(|_| law.draw(&mut coins).unwrap() + centre);
        draws
            .map(|value| value.to_string())
            .collect::<Vec<_>>()
            .join("\n")
    };
    asked(
        &json!({"ask": "outputs", "first": drawn(1, 0), "second": drawn(2, 1), "epsilon": epsilon, "delta": "0", "level": "1/1000", "seed": 5}),
    )
}

#[test]
fn outputs_refute_a_claim_that_is_false_and_none_that_is_true() {
    let violated = audited("1/4", 4000);
    assert_eq!(violated["conclusion"], "refuted", "{violated}");
    assert!(
        violated["text"].as_str().unwrap().contains("violation"),
        "{violated}"
    );
    assert_eq!(audited("1", 4000)["conclusion"], "not refuted");
    let few = audited("1", 57)["error"].as_str().unwrap().to_owned();
    assert!(few.contains("at least 58 outputs"), "{few}");
}

#[test]
fn what_is_no_question_is_refused_in_words() {
    for (question, words) in [
        (json!("x"), "expected"),
        (json!({"ask": "dance"}), "dance"),
        (
            json!({"ask": "explore", "law": "zipf", "parameter": "1", "coins": "bits", "runs": 10}),
            "no law 'zipf'",
        ),
        (
            json!({"ask": "explore", "law": "discrete-laplace", "parameter": "0", "coins": "bits", "runs": 10}),
            "from 1/1000 to 1000000, such as 3/2 or 0.1, got '0'",
        ),
        (
            json!({"ask": "explore", "law": "uniform-below", "parameter": "5/2", "coins": "bits", "runs": 10}),
            "got '5/2'",
        ),
        (
            json!({"ask": "explore", "law": "geometric", "parameter": "1", "coins": "bits", "runs": 1_000_000}),
            "runs are from 1 to 100000, got 1000000",
        ),
        (
            json!({"ask": "draw", "law": "geometric", "parameter": "1", "count": 1, "coins": "xyz"}),
            "hexadecimal",
        ),
        (
            json!({"ask": "draw", "law": "geometric", "parameter": "1", "count": 1_000_000, "coins": ""}),
            "at most 100000",
        ),
        (
            json!({"ask": "truth", "subject": "", "digits": 20, "format": "table"}),
            "a subject is needed",
        ),
        (
            json!({"ask": "truth", "subject": "exp", "at": "1", "digits": 0, "format": "table"}),
            "--digits must be from 1 to 1000, got 0",
        ),
        (
            json!({"ask": "truth", "subject": "exp", "at": "one", "digits": 9, "format": "table"}),
            "--at",
        ),
    ] {
        let found = asked(&question);
        let error = found["error"]
            .as_str()
            .unwrap_or_else(|| panic!("{question}: {found}"));
        assert!(error.contains(words), "{question}: {error}");
    }
}
