//! `assay learn --advise`: which learner to take, from public numbers.

use super::{Room, json};
use crate::nightly;
use serde_json::Value;

const README: &str = include_str!("../../../README.md");

/// A text of the repository.
fn text(path: &str) -> String {
    let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap();
    std::fs::read_to_string(repository.join(path)).unwrap()
}

/// What is said of so many records of so many features, with these options.
fn advice(room: &Room, records: &str, features: &str, more: &[&str]) -> Value {
    let numbers = [
        "learn",
        "--advise",
        "--records",
        records,
        "--features",
        features,
        "--format",
        "json",
    ];
    json(&room.prints(&[&numbers[..], more].concat()))
}

fn of<'a>(advice: &'a Value, learner: &str) -> &'a Value {
    let all = advice["learners"].as_array().unwrap();
    all.iter().find(|one| one["learner"] == learner).unwrap()
}

#[test]
fn the_readme_says_what_the_command_says() {
    let room = Room::new();
    let numbers = "learn --advise --records 5000 --features 12 --epsilon 1";
    let numbers: Vec<&str> = numbers.split(' ').collect();
    for more in [&["--delta", "1e-6"][..], &[]] {
        let said = room.prints(&[&numbers[..], more].concat());
        let taken = said.lines().next().unwrap();
        assert!(README.contains(&format!("\n{taken}\n")), "{taken}");
    }
}

#[test]
fn the_page_of_results_has_the_advice_that_is_given() {
    let room = Room::new();
    let mut sets = Vec::new();
    for line in text("experiments/results/learners.md").lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        // Set, records, features, epsilon, delta, what is taken, and how that errs.
        let [set, records, features, epsilon, delta, taken, ..] = cells[..] else {
            continue;
        };
        if records.parse::<u64>().is_err() {
            continue;
        }
        // By day each fifth.
        if sets.len() % 5 == 0 || nightly::at_night() {
            let more = ["--epsilon", epsilon, "--delta", delta];
            let more = if delta == "0" { &more[..2] } else { &more[..] };
            assert_eq!(
                advice(&room, records, features, more)["take"],
                taken,
                "{line}"
            );
        }
        sets.push(set.to_owned());
    }
    // Each at three epsilons, with a delta and without.
    assert_eq!(sets.len(), 60);
    sets.dedup();
    assert_eq!(sets.len(), 10);
}

#[test]
fn the_guide_says_how_good_the_advice_is_in_the_words_of_the_page() {
    let (page, guide) = (
        text("experiments/results/learners.md"),
        text("docs/learning.md"),
    );
    let on_others = page
        .split("On the sets on which nothing was chosen it takes the one that errs")
        .nth(1)
        .unwrap();
    let said: Vec<&str> = on_others
        .lines()
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty())
        .collect();
    assert_eq!(said.len(), 6, "{said:?}");
    for line in said {
        assert!(guide.contains(line), "{line}");
    }
}

#[test]
fn what_is_taken_follows_from_public_numbers() {
    let room = Room::new();
    for (records, epsilon, delta, taken) in [
        ("5000", "1", "1e-6", "halfspaces-descent"),
        // Few records, or a small epsilon.
        ("600", "1", "1e-6", "margin-gibbs"),
        ("3000", "1/4", "1e-6", "margin-gibbs"),
        ("300", "4", "1e-6", "halfspaces-descent"),
        // Of so many records fewer gradients are taken than the theorem would.
        ("200000", "1", "1e-6", "halfspaces-descent"),
        ("2000000", "1", "1e-9", "halfspaces-descent"),
    ] {
        let more = ["--epsilon", epsilon, "--delta", delta];
        let said = advice(&room, records, "10", &more);
        assert_eq!(said["take"], taken, "{said}");
        for learner in said["learners"].as_array().unwrap() {
            let known = learner["seconds"].is_u64() && learner["noise"].is_string();
            assert!(known != learner["refused"].is_string(), "{learner}");
        }
    }
    // And fewer candidates.
    let said = advice(&room, "2000000", "10", &["--epsilon", "1"]);
    assert_eq!(said["take"], "margin-gibbs", "{said}");
    let noise = of(&said, "margin-gibbs")["noise"].as_str().unwrap();
    assert!(noise.ends_with("the best of 499 candidates"), "{noise}");
}

#[test]
fn without_a_delta_no_learner_that_needs_one_is_named() {
    let room = Room::new();
    let said = advice(&room, "5000", "10", &["--epsilon", "1"]);
    for learner in said["learners"].as_array().unwrap() {
        assert_eq!(learner["delta"], "0", "{learner}");
    }
    let numbers = ["--epsilon", "1", "--delta", "1e-6", "--task", "numbers"];
    let said = advice(&room, "5000", "10", &numbers);
    assert_eq!(said["take"], "random-features", "{said}");
}

#[test]
fn a_guarantee_is_that_of_the_run_itself() {
    let room = Room::new();
    let rows = (0..1000).map(|i| format!("{}0.{},{}\n", ["", "-"][i % 2], 5 + i % 5, i % 2));
    let room = room.with("data.csv", &format!("a,y\n{}", rows.collect::<String>()));
    let said = advice(&room, "1000", "1", &["--epsilon", "1", "--delta", "1e-6"]);
    for (learner, margin) in [
        ("margin-gibbs", "--margin"),
        ("margin-descent", "--margin"),
        ("halfspaces-descent", "--gamma"),
    ] {
        let mut call = vec![
            "learn", learner, "data.csv", "--label", "y", "--box", "-1:1",
        ];
        call.extend([
            "--epsilon",
            "1",
            margin,
            "1/2",
            "--out",
            "m.json",
            "--force",
        ]);
        call.extend(["--format", "json", "--seed", "1"]);
        if learner != "margin-gibbs" {
            call.extend(["--delta", "1e-6"]);
        }
        let learned = json(&room.prints(&call));
        let promised = &learned["bound"]["error_at_most"];
        assert_eq!(
            promised,
            &of(&said, learner)["error_at_margin_half"],
            "{learner}"
        );
    }
}
