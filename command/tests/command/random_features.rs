//! The bounds of the paper on random features.

use super::{Room, json, the_work_is_bounded};

#[test]
fn the_bounds_of_the_random_feature_model_say_when_they_are_vacuous() {
    let room = Room::new();
    let evaluate = |claim: &str, options: &str| {
        let mut arguments = vec!["bound", claim, "--format", "json"];
        arguments.extend(options.split(' '));
        json(&room.prints(&arguments))["versions"].clone()
    };
    let budget = "--beta 0.05 --epsilon 1 --delta 1e-5";
    let sizes = "--records 1000 --features 1500 --eta 3/8";
    let thm10 = evaluate("lnsx25.thm10", &format!("{budget} {sizes} --norm 1"));
    let thm12 = evaluate("lnsx25.thm12", &format!("{budget} {sizes}"));
    assert_eq!(thm12[0]["constants"][0]["value"], "121.40");
    for version in thm10
        .as_array()
        .unwrap()
        .iter()
        .chain(thm12.as_array().unwrap())
    {
        assert_eq!(version["status"], "vacuous");
    }
    let thm11 = |sizes: &str| evaluate("lnsx25.thm11", &format!("--beta 0.05 --eta 3/8 {sizes}"));
    let few = thm11("--records 1000 --features 1500");
    assert_eq!(few[0]["status"], "vacuous");
    let many = thm11("--records 1000000 --features 1000000000");
    assert_eq!(many[0]["constants"][0]["value"], "0.51488");
    assert_eq!(
        (&many[0]["status"], &many[1]["status"]),
        (&"holds".into(), &"holds".into())
    );
}

#[test]
fn a_bound_whose_probability_is_not_positive_says_nothing() {
    let room = Room::new();
    let sizes = "--records 10 --features 1e12 --eta 1/10";
    let budget = "--epsilon 100 --delta 1/2";
    for (claim, options, failures) in [
        ("lnsx25.thm10", format!("{sizes} {budget} --norm 1"), 9),
        ("lnsx25.thm11", sizes.to_owned(), 8),
        ("lnsx25.thm12", format!("{sizes} {budget}"), 5),
    ] {
        for beta in ["1/2".to_owned(), format!("1/{failures}")] {
            let mut arguments = vec!["bound", claim, "--format", "json", "--beta", &beta];
            arguments.extend(options.split(' '));
            let found = json(&room.prints(&arguments));
            for version in found["versions"].as_array().unwrap() {
                assert_eq!(version["status"], "vacuous");
                let reason = version["reason"].as_str().unwrap();
                let expected = format!("1 - {failures} beta is not above 0");
                assert!(reason.contains(&expected), "{reason}");
            }
        }
    }
}

#[test]
fn the_work_for_extreme_numbers_is_bounded() {
    let sizes =
        "--beta 1e-100 --records 9223372036854775808 --features 9223372036854775808 --eta 1e-9";
    let budget = "--epsilon 1e-9 --delta 1e-100";
    the_work_is_bounded("lnsx25.thm10", &format!("{sizes} {budget} --norm 1e9"));
    the_work_is_bounded("lnsx25.thm11", sizes);
    the_work_is_bounded("lnsx25.thm12", &format!("{sizes} {budget}"));
}
