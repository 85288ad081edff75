//! Class F: what must hold of it, by closed forms and by what costs more than what.

use super::{cases, documents, number};
use dp_assay::number::rational::{integer, parse};
use dp_assay::number::{Enclosure, Rational};
use num_traits::One;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Working precision, in bits.
const BITS: u32 = 200;

/// The cases of one law, or of all, each with the quantity of its file.
fn accounts(law: &str) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for (path, document) in documents() {
        if path.starts_with("accounts/") && [document["law"].as_str().unwrap(), ""].contains(&law) {
            let quantity = document["quantity"].as_str().unwrap();
            all.extend(
                cases(&document)
                    .iter()
                    .map(|case| (quantity.to_owned(), case.clone())),
            );
        }
    }
    all
}

fn parameter(case: &Value, name: &str) -> Rational {
    number(&case["parameters"][name])
}

fn has_flag(case: &Value, flag: &str) -> bool {
    case["flags"].as_array().unwrap().contains(&flag.into())
}

/// Six digits unless a flag says that there are fewer, and the mistake outside of both ends.
fn is_as_it_says(case: &Value) -> bool {
    let (lo, hi) = (number(&case["lo"]), number(&case["hi"]));
    let mistaken = number(&case["mistaken"]);
    let fewer = has_flag(case, "FewerDigits") || has_flag(case, "Apart");
    let six = (&hi - &lo) * integer(10).pow(6) <= hi;
    let shows = match case["effect"].as_str().unwrap() {
        "unsound" => mistaken < lo,
        _ => mistaken > hi,
    };
    lo > integer(0) && lo <= hi && shows && six != fewer
}

#[test]
fn both_ends_have_six_digits_or_a_flag_and_the_mistake_is_outside_of_them() {
    let all = accounts("");
    for (_, case) in &all {
        assert!(is_as_it_says(case), "{case}");
    }
    let (_, sharp) = all
        .iter()
        .find(|(_, case)| !has_flag(case, "FewerDigits") && !has_flag(case, "Apart"))
        .unwrap();
    for (field, wrong) in [
        ("lo", sharp["hi"].as_str().unwrap().to_owned() + "1"),
        ("lo", "0".to_owned()),
        ("mistaken", sharp["hi"].as_str().unwrap().to_owned()),
        ("hi", "1e9".to_owned()),
    ] {
        let mut changed = sharp.clone();
        changed[field] = wrong.into();
        assert!(!is_as_it_says(&changed), "{changed}");
    }
    let mut flagged = sharp.clone();
    flagged["flags"] = json!(["FewerDigits"]);
    assert!(!is_as_it_says(&flagged));
}

#[test]
fn the_ranges_are_those_that_are_promised_and_every_mistake_has_its_cases() {
    let all = accounts("");
    assert!(all.len() >= 2000, "{}", all.len());
    let mut bugs: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, case) in &all {
        *bugs.entry(case["bug"].as_str().unwrap()).or_default() += 1;
    }
    for bug in ["transform", "direction", "fixed", "orders", "conversion"] {
        assert!(bugs.get(bug) >= Some(&40), "{bug}: {bugs:?}");
    }
    let gaussian: Vec<Value> = accounts("poisson-gaussian")
        .into_iter()
        .filter(|(quantity, _)| quantity == "epsilon")
        .map(|(_, case)| case)
        .collect();
    let ends = |of: &dyn Fn(&Value) -> Rational| {
        let all: Vec<Rational> = gaussian.iter().map(of).collect();
        [
            all.iter().min().unwrap().clone(),
            all.iter().max().unwrap().clone(),
        ]
    };
    let two = |least: &str, most: &str| [parse(least).unwrap(), parse(most).unwrap()];
    assert_eq!(ends(&|case| parameter(case, "rate")), two("1e-4", "1"));
    assert_eq!(
        ends(&|case| parameter(case, "deviation")),
        two("0.3", "100")
    );
    assert_eq!(ends(&|case| parameter(case, "steps")), two("1", "1e6"));
    assert_eq!(
        ends(&|case| number(&case["at"]["delta"])),
        two("1e-14", "1e-2")
    );
}

/// The delta of two normal laws at this distance.
fn gaussian(mu: &Enclosure, epsilon: &Enclosure) -> Enclosure {
    let (half, ratio) = (mu.shifted(-1), epsilon.divided_by(mu).unwrap());
    let first = (&ratio - &half).normal_upper();
    first - epsilon.exp().unwrap() * (ratio + half).normal_upper()
}

/// The delta of one step on a Poisson sample by `spec/accounting.md`, where the record is removed, and where it is added.
fn sampled(mu: &Enclosure, rate: &Rational, epsilon: &Rational) -> [Enclosure; 2] {
    let g = Enclosure::exp_of(epsilon, BITS).unwrap();
    let (q, one) = (Enclosure::of(rate, BITS), Enclosure::integer(1, BITS));
    let p = Enclosure::of(&(Rational::one() - rate), BITS);
    let remove = &q * gaussian(mu, &(&g - &p).divided_by(&q).unwrap().ln().unwrap());
    let rest = &one - &g * &p;
    let add = match rest.is_above_rational(&integer(0)) {
        true => &rest * gaussian(mu, &(&g * &q).divided_by(&rest).unwrap().ln().unwrap()),
        false => Enclosure::integer(0, BITS),
    };
    [remove, add]
}

/// The delta of a case at this epsilon, where there is a closed form.
fn closed_form(law: &str, case: &Value, epsilon: &Rational) -> Option<Enclosure> {
    let (rate, steps) = (parameter(case, "rate"), parameter(case, "steps"));
    let shift = integer(if law == "fixed-gaussian" { 2 } else { 1 });
    let mu = Enclosure::of(&(shift / parameter(case, "deviation")), BITS);
    if rate.is_one() {
        let mu = Enclosure::of(&steps, BITS).sqrt().unwrap() * mu;
        return Some(gaussian(&mu, &Enclosure::of(epsilon, BITS)));
    }
    if !steps.is_one() {
        return None;
    }
    let [remove, add] = sampled(&mu, &rate, epsilon);
    // For a record in place of another the curve from g = 1 on is that of the removal.
    Some(match law {
        "fixed-gaussian" => remove,
        _ => remove.max(&add),
    })
}

/// Whether the closed form allows both ends; nothing where there is none.
fn agrees(law: &str, quantity: &str, case: &Value) -> Option<bool> {
    let (lo, hi) = (number(&case["lo"]), number(&case["hi"]));
    if quantity == "delta" {
        let delta = closed_form(law, case, &number(&case["at"]["epsilon"]))?;
        return Some(lo <= delta.upper() && delta.lower() <= hi);
    }
    let delta = number(&case["at"]["delta"]);
    // Delta falls: it is at least as large at the lower end, and at most as large at the upper.
    let (at_lo, at_hi) = (closed_form(law, case, &lo)?, closed_form(law, case, &hi)?);
    Some(at_lo.upper() >= delta && at_hi.lower() <= delta)
}

#[test]
fn one_step_and_steps_on_all_records_have_closed_forms_between_both_ends() {
    for (law, least) in [("poisson-gaussian", 300), ("fixed-gaussian", 10)] {
        let mut compared = 0;
        for (quantity, case) in accounts(law) {
            let Some(agreed) = agrees(law, &quantity, &case) else {
                continue;
            };
            assert!(agreed, "{case}");
            // Ends a hundred thousandth above or below do not hold the truth.
            for factor in ["1.00001", "0.99999"] {
                let mut moved = case.clone();
                for end in ["lo", "hi"] {
                    let value = number(&case[end]) * parse(factor).unwrap();
                    moved[end] = format!("{}/{}", value.numer(), value.denom()).into();
                }
                let is_sharp = !has_flag(&case, "FewerDigits");
                assert!(
                    !is_sharp || agrees(law, &quantity, &moved) == Some(false),
                    "{moved}"
                );
            }
            compared += 1;
        }
        assert!(compared >= least, "{law}: {compared}");
    }
}

/// Pairs of cases that differ in one parameter. The second costs at least as much as the first.
fn in_order(all: &[(String, Value)], name: &str) -> Vec<(Value, Value)> {
    let mut rows: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    let field = |case: &Value| {
        ["at", "parameters"]
            .into_iter()
            .find(|field| case[field].get(name).is_some())
    };
    for (quantity, case) in all {
        let Some(field) = field(case) else { continue };
        let mut rest =
            json!({"quantity": quantity, "parameters": case["parameters"], "at": case["at"]});
        rest[field][name] = Value::Null;
        rows.entry(rest.to_string()).or_default().push(case);
    }
    let place = |case: &Value| number(&case[field(case).unwrap()][name]);
    let mut pairs = Vec::new();
    for row in rows.values_mut() {
        row.sort_by_key(|case| place(case));
        if !["rate", "steps"].contains(&name) {
            row.reverse();
        }
        pairs.extend(row.windows(2).map(|two| (two[0].clone(), two[1].clone())));
    }
    pairs
}

#[test]
fn more_steps_a_larger_rate_less_noise_and_a_smaller_delta_cost_no_less() {
    for law in ["poisson-gaussian", "poisson-laplace", "fixed-gaussian"] {
        let all = accounts(law);
        for name in ["rate", "steps", "deviation", "delta", "epsilon"] {
            for (less, more) in in_order(&all, name) {
                let (lo, hi) = (number(&less["lo"]), number(&more["hi"]));
                assert!(lo <= hi, "{less}\n{more}");
            }
        }
    }
    let gaussian = accounts("poisson-gaussian");
    let count = |name| in_order(&gaussian, name).len();
    assert!(count("rate") > 500 && count("steps") > 500 && count("deviation") > 500);
    // Two cases that change places are noticed.
    let pairs = in_order(&gaussian, "steps");
    let is_swapped = |(less, more): &(Value, Value)| number(&more["lo"]) > number(&less["hi"]);
    assert!(pairs.iter().filter(|pair| is_swapped(pair)).count() > 400);
}
