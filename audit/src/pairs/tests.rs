use super::*;
use serde_json::{Value, json};
use std::convert::Infallible;

const SUBSTITUTE: NeighbouringRelation = NeighbouringRelation::Substitute;
const ADD_REMOVE: NeighbouringRelation = NeighbouringRelation::AddOrRemove;

fn domain(text: &str) -> Result<Domain, PairError> {
    Domain::read("domain.json", text)
}

fn numbers() -> Domain {
    let text = r#"{"records": {"type": "number", "lo": 0, "hi": 1, "thresholds": [0.5]},
                   "size": [1, 10], "neighbours": "substitute"}"#;
    domain(text).unwrap()
}

#[test]
fn neighbours_are_told_from_others() {
    let check = |a, b, relation| Pair(a, b).check(relation);
    let record = Neighbourhood::Record;
    assert_eq!(
        check(json!([1, 2]), json!([1, 3]), SUBSTITUTE).unwrap(),
        record(1)
    );
    assert_eq!(check(json!([]), json!([1]), ADD_REMOVE).unwrap(), record(0));
    assert_eq!(
        check(json!([1, 1, 2]), json!([1, 2]), ADD_REMOVE).unwrap(),
        record(1)
    );
    assert_eq!(
        check(json!(0), json!(1), SUBSTITUTE).unwrap(),
        Neighbourhood::Unchecked
    );
    for (a, b, relation, said) in [
        (json!([1, 2]), json!([2, 3]), SUBSTITUTE, "records 0 and 1"),
        (json!([1, 2]), json!([1]), SUBSTITUTE, "2 and 1"),
        (json!([1, 2]), json!([1, 3]), ADD_REMOVE, "2 and 2"),
        (json!([1, 2, 3]), json!([3, 4]), ADD_REMOVE, "record 0"),
        (json!([1]), json!([1]), SUBSTITUTE, "equal"),
        (json!(null), json!([4]), ADD_REMOVE, "got one and null"),
        (
            json!([1]),
            json!({"y": [1]}),
            SUBSTITUTE,
            "got one and an object",
        ),
        (
            json!({"x": [1]}),
            json!({"y": [1]}),
            SUBSTITUTE,
            "got \"x\" in one",
        ),
        (json!({}), json!({"y": [1]}), SUBSTITUTE, "got \"y\" in one"),
        (
            json!({"x": 1}),
            json!({"x": 2, "y": 1}),
            ADD_REMOVE,
            "same names",
        ),
    ] {
        let error = check(a, b, relation).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_record_may_be_added_under_a_name() {
    let (small, large) = (json!({"ann": 1}), json!({"ann": 1, "bob": 2}));
    for pair in [Pair(small.clone(), large.clone()), Pair(large, small)] {
        let found = pair.check(ADD_REMOVE).unwrap();
        assert_eq!(found, Neighbourhood::Unchecked);
        assert!(pair.check(SUBSTITUTE).is_err());
    }
}

#[test]
fn a_byte_order_mark_and_a_name_that_stands_twice_are_named() {
    for (text, said) in [
        ("\u{feff}[1]", "line 1: it begins with a byte order mark"),
        (
            "{\"a\": 1,\n\"a\": 2}",
            "line 2: the name \"a\" stands twice",
        ),
    ] {
        let error = super::json::<Value>("d.json", text, "")
            .unwrap_err()
            .to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_wrong_domain_is_refused_by_its_field() {
    let with = |records: &str, size: &str, neighbours: &str| {
        domain(&format!(
            r#"{{"records": {records}, "size": {size}, "neighbours": "{neighbours}"}}"#
        ))
        .unwrap_err()
        .to_string()
    };
    let number = r#"{"type": "number", "lo": 0, "hi": 1}"#;
    for (error, said) in [
        (with(number, "[3, 2]", "substitute"), "size"),
        (with(number, "[0, 0]", "substitute"), "size"),
        (with(number, "[2, 2]", "add-remove"), "size"),
        (
            with(number, "[1000000000000, 1000000000000]", "substitute"),
            "least <= 100000",
        ),
        (with(number, "[1, 2]", "both"), "line 1"),
        (
            with(
                r#"{"type": "number", "lo": 1, "hi": 1}"#,
                "[1, 2]",
                "substitute",
            ),
            "records.lo",
        ),
        (
            with(
                r#"{"type": "choice", "values": ["a", "a"]}"#,
                "[1, 2]",
                "substitute",
            ),
            "values",
        ),
        (
            with(r#"{"type": "tuple", "fields": []}"#, "[1, 2]", "substitute"),
            "fields",
        ),
        (
            with(r#"{"type": "number", "lo": 0}"#, "[1, 2]", "substitute"),
            "hi",
        ),
    ] {
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn generated_pairs_are_neighbours_of_the_domain() {
    for neighbours in [Neighbours::Substitute, Neighbours::AddRemove] {
        let tuple = RecordType::Tuple {
            fields: vec![
                numbers().records,
                RecordType::Choice {
                    values: vec![json!("a"), json!("b")],
                },
            ],
        };
        for records in [numbers().records, tuple] {
            let domain = Domain {
                records,
                size: (0, 5),
                neighbours,
            };
            let pairs = domain.pairs(500);
            assert!(pairs.len() > 50, "{}", pairs.len());
            for pair in pairs.iter().chain(&domain.near(&pairs[40], 100)) {
                pair.check(domain.relation()).unwrap();
                for data in [&pair.0, &pair.1] {
                    assert!(data.as_array().unwrap().len() <= 5);
                }
            }
        }
    }
}

#[test]
fn the_obvious_pairs_come_early() {
    let pairs = numbers().pairs(60);
    assert_eq!(pairs[0], Pair(json!([0]), json!([1])));
    let outlier = Pair(
        json!([0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        json!([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
    );
    assert!(pairs.contains(&outlier));
    let added = Domain {
        neighbours: Neighbours::AddRemove,
        size: (0, 3),
        ..numbers()
    };
    assert_eq!(added.pairs(1), [Pair(json!([]), json!([1]))]);
}

#[test]
fn shrinking_ends_at_a_smallest_pair() {
    let pair = Pair(
        json!([0.3, 0.7, 0.9, 0.25, 0.125, 0.75]),
        json!([0.3, 0.7, 0.9, 0.25, 0.875, 0.75]),
    );
    // The violation needs one other record above one half, and any difference.
    let persists = |pair: &Pair| -> Result<bool, Infallible> {
        let first = pair.0.as_array().unwrap();
        let second = pair.1.as_array().unwrap();
        let shared = first.iter().zip(second).filter(|(a, b)| a == b);
        Ok(shared.filter(|(a, _)| a.as_f64() > Some(0.5)).count() >= 1)
    };
    let shrunk = shrink(&pair, SUBSTITUTE, Some(&numbers()), 1000, persists).unwrap();
    let first = shrunk.0.as_array().unwrap();
    assert_eq!(first.len(), 2, "{shrunk:?}");
    assert!(persists(&shrunk).unwrap());
    assert!(shrunk.0.to_string().len() == "[0,1]".len(), "{shrunk:?}");
    // Without a budget, nothing is done.
    assert_eq!(shrink(&pair, SUBSTITUTE, None, 0, persists).unwrap(), pair);
    let always = |_: &Pair| Ok::<_, Infallible>(true);
    let added = Pair(json!([1, 2, 3]), json!([1, 2, 5, 3]));
    let smallest = shrink(&added, ADD_REMOVE, None, 100, always).unwrap();
    assert_eq!(smallest, Pair(json!([]), json!([5])));
}

/// Of the third power of the number of records this would take hours.
#[test]
fn many_different_records_are_shrunk_by_their_tries_alone() {
    let first: Vec<f64> = (0..10_000).map(|i| 0.5 + f64::from(i) / 3.0).collect();
    let mut second = first.clone();
    second[5000] = 0.25;
    let pair = Pair(json!(first), json!(second));
    let mut tries = 0;
    let never = |_: &Pair| {
        tries += 1;
        Ok::<_, Infallible>(false)
    };
    assert_eq!(shrink(&pair, SUBSTITUTE, None, 30, never).unwrap(), pair);
    assert_eq!(tries, 30);
}

#[test]
fn without_a_domain_the_number_of_records_is_public_under_substitution_and_is_kept() {
    let always = |_: &Pair| Ok::<_, Infallible>(true);
    let mut first = vec![json!(17); 1000];
    first[3] = json!(5);
    first[700] = json!(40);
    let mut second = first.clone();
    second[500] = json!(0);
    let pair = Pair(json!(first), json!(second));
    // With as many steps as an audit tries.
    let shrunk = shrink(&pair, SUBSTITUTE, None, 30, always).unwrap();
    let Pair(Value::Array(first), Value::Array(second)) = &shrunk else {
        panic!("{shrunk:?}");
    };
    assert_eq!((first.len(), second.len()), (1000, 1000));
    assert_eq!(
        shrunk.check(SUBSTITUTE).unwrap(),
        Neighbourhood::Record(500)
    );
    // All common records are the simplest one of the pair, and nothing else came in.
    for (place, (a, b)) in first.iter().zip(second).enumerate() {
        assert!(place == 500 || (a == b && a == 0), "{place}: {a}");
    }
    assert!([&json!(5), &json!(17)].contains(&&first[500]) && second[500] == 0);
    // Where records are added and removed, fewer are neighbours too.
    let pair = Pair(json!([7, 7, 7]), json!([7, 7, 7, 9]));
    let shrunk = shrink(&pair, ADD_REMOVE, None, 30, always).unwrap();
    assert_eq!(shrunk, Pair(json!([]), json!([9])));
}

#[test]
fn a_record_becomes_only_one_of_the_pair_with_the_same_form() {
    let always = |_: &Pair| Ok::<_, Infallible>(true);
    let pair = Pair(
        json!([[3, "long"], 0, {"a": 12}, "x", [33, "b"]]),
        json!([[3, "long"], 0, {"a": 12}, "x", [34, "b"]]),
    );
    let shrunk = shrink(&pair, SUBSTITUTE, None, 1000, always).unwrap();
    // [33, "b"] is simpler than [3, "long"]; the others have no other of their form.
    let common = json!([[33, "b"], 0, {"a": 12}, "x"]);
    let records = shrunk.0.as_array().unwrap();
    assert_eq!(records[..4], common.as_array().unwrap()[..], "{shrunk:?}");
}

#[test]
fn in_a_domain_of_many_records_all_become_simple_at_once() {
    let always = |_: &Pair| Ok::<_, Infallible>(true);
    let text = r#"{"records": {"type": "number", "lo": 0, "hi": 1},
                   "size": [50, 100], "neighbours": "substitute"}"#;
    let domain = domain(text).unwrap();
    let mut first = vec![json!(0.24854566391716945); 80];
    let mut second = first.clone();
    (first[70], second[70]) = (json!(0.125), json!(0.875));
    let pair = Pair(json!(first), json!(second));
    let shrunk = shrink(&pair, SUBSTITUTE, Some(&domain), 30, always).unwrap();
    let records = shrunk.0.as_array().unwrap();
    assert_eq!(records.len(), 50);
    assert!(records.iter().filter(|record| **record == 0).count() >= 49);
}

#[test]
fn objects_of_columns_are_checked_row_by_row() {
    let check = |a, b, relation| Pair(a, b).check(relation);
    let table = json!({"x": [1, 2, 3], "y": ["a", "b", "c"]});
    for (other, relation, expected) in [
        (json!({"x": [1, 9, 3], "y": ["a", "z", "c"]}), SUBSTITUTE, 1),
        (json!({"x": [1, 3], "y": ["a", "c"]}), ADD_REMOVE, 1),
    ] {
        let found = check(table.clone(), other, relation).unwrap();
        assert_eq!(found, Neighbourhood::Row(expected));
    }
    for (a, b, said) in [
        (json!({"x": [0]}), json!({"x": [0, 9, 9]}), "1 and 3"),
        (
            table.clone(),
            json!({"x": [9, 2, 3], "y": ["a", "b", "z"]}),
            "records 0 and 2",
        ),
    ] {
        let error = check(a, b, SUBSTITUTE).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    // Other objects are not tables, and nothing is said of them.
    for (a, b) in [
        (json!({"x": [1], "n": 1}), json!({"x": [2], "n": 1})),
        (
            json!({"x": [1], "y": [1, 2]}),
            json!({"x": [2], "y": [1, 2]}),
        ),
    ] {
        let found = check(a, b, SUBSTITUTE).unwrap();
        assert_eq!(found, Neighbourhood::Unchecked);
    }
}

#[test]
fn errors_in_a_domain_are_in_the_words_of_its_format() {
    let integer = r#"{"type": "integer", "lo": 0, "hi": 1}"#;
    let domain = |records: &str, size: &str| {
        let text =
            format!(r#"{{"records": {records}, "size": {size}, "neighbours": "substitute"}}"#);
        Domain::read("d.json", &text).unwrap_err().to_string()
    };
    for (error, said) in [
        (domain(integer, "[1]"), "expected [least, largest]"),
        (domain(integer, "3"), "expected [least, largest]"),
        (domain(integer, "[0.5, 1]"), "a whole number of at least 0"),
        (
            domain(r#"{"type": "integer", "lo": 0.5, "hi": 1}"#, "[1, 2]"),
            "a whole number of 64 bits",
        ),
        (
            domain("7", "[1, 2]"),
            "an object with a type: integer, number",
        ),
        (domain(r#"{"type": "int"}"#, "[1, 2]"), "`choice`, `tuple`"),
    ] {
        assert!(error.contains(said), "{said}: {error}");
        for rust in ["i64", "usize", "size 2", "enum", "struct", "RecordType"] {
            assert!(!error.contains(rust), "{rust}: {error}");
        }
    }
    let error = Domain::read("d.json", "7").unwrap_err().to_string();
    assert!(error.contains("an object with records, size"), "{error}");
}

#[test]
fn pathological_records_come_first_where_the_domain_allows_them() {
    let of = |records: &str, size: &str, neighbours: &str| {
        let text =
            format!(r#"{{"records": {records}, "size": {size}, "neighbours": "{neighbours}"}}"#);
        domain(&text).unwrap()
    };
    let nan = json!({"float": "nan"});
    let number = r#"{"type": "number", "lo": 0, "hi": 1, "also": [{"float": "nan"}, null]}"#;
    let numbers = of(number, "[1, 4]", "substitute");
    let pairs = numbers.pathological(100);
    // NaN, null, -0 and the least double; each as the record that differs, and beside it.
    assert_eq!(pairs.len(), 8, "{pairs:?}");
    assert_eq!(pairs[0], Pair(json!([0]), json!([nan])));
    assert_eq!(pairs[1], Pair(json!([nan, 0]), json!([nan, 1])));
    assert_eq!(pairs[2], Pair(json!([0]), json!([null])));
    assert_eq!(pairs[4].1.to_string(), "[-0.0]");
    for pair in &pairs {
        pair.check(SUBSTITUTE).unwrap();
    }
    let mut measured = Vec::new();
    search(&numbers, &Effort::default(), 1, |pair, _| {
        measured.push(pair.clone());
        Ok::<_, Infallible>(0.0)
    })
    .unwrap();
    assert_eq!(measured[..8], pairs[..]);
    // One more record, and one record alone; integers above the doubles, and the extremes of the type.
    let integer = r#"{"type": "integer", "lo": -9223372036854775808, "hi": 9223372036854775807}"#;
    let added = of(integer, "[0, 1]", "add-remove").pathological(100);
    assert_eq!(added[0], Pair(json!([]), json!([1_i64 << 53])));
    assert!(added.contains(&Pair(json!([]), json!([(1_i64 << 53) + 1]))));
    // What the range has not is not tried.
    let small = r#"{"type": "integer", "lo": 0, "hi": 9}"#;
    let none = of(small, "[1, 1]", "substitute").pathological(100);
    assert!(none.is_empty(), "{none:?}");
    let tuple = format!(r#"{{"type": "tuple", "fields": [{small}, {number}]}}"#);
    let found = of(&tuple, "[1, 1]", "substitute").pathological(100);
    assert_eq!(found[0].1, json!([[0, nan]]));
    let choice = r#"{"type": "choice", "values": ["a", null, {"float": "inf"}]}"#;
    let found = of(choice, "[1, 1]", "substitute").pathological(100);
    assert_eq!(found.len(), 2);
    // A double that is none is refused by its line.
    let wrong = r#"{"records": {"type": "choice", "values": [0, {"float": "NaN"}]}, "size": [1, 1], "neighbours": "substitute"}"#;
    let error = domain(wrong).unwrap_err().to_string();
    assert!(error.contains("line 1: expected \"nan\""), "{error}");
}
