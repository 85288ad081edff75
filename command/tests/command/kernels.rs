//! The learners with a kernel.

use super::{Room, json, scores_say_the_labels};
use serde_json::Value;
use std::fmt::Write;

/// A call of a learner with these options and changes of them; a change to an empty text leaves an option out.
pub fn call_with<'a>(
    [learner, data]: [&'a str; 2],
    usual: &[(&'a str, &'a str)],
    changes: &[(&'a str, &'a str)],
) -> Vec<&'a str> {
    let mut options = usual.to_vec();
    for &(option, value) in changes {
        options.retain(|(name, _)| *name != option);
        if !value.is_empty() {
            options.push((option, value));
        }
    }
    let mut words = vec!["learn", learner, data];
    words.extend(options.iter().flat_map(|(option, value)| [*option, *value]));
    words
}

fn call<'a>(learner: &'a str, changes: &[(&'a str, &'a str)]) -> Vec<&'a str> {
    let usual = [
        ("--label", "y"),
        ("--box", "-1:1"),
        ("--epsilon", "1"),
        ("--delta", "1e-6"),
        ("--lambda", "1/100"),
        ("--out", "model.json"),
    ];
    call_with([learner, "data.csv"], &usual, changes)
}

const CLASSES: [(&str, &str); 2] = [("--positive", "1"), ("--negative", "0")];

/// Records of two columns whose label is 1 where both have the same sign, which no halfspace tells.
fn crossed(n: u32) -> String {
    let mut text = "a,b,y\n".to_owned();
    for i in 0..n {
        let [a, b] = [i % 2 == 0, i / 2 % 2 == 0].map(|up| if up { "" } else { "-" });
        let label = u32::from(a == b);
        writeln!(text, "{a}0.9{0},{b}0.9{0},{label}", i % 10).unwrap();
    }
    text
}

#[test]
fn the_calls_of_the_documentation_learn() {
    let text = include_str!("../../../docs/learning.md");
    let section = text
        .split("\n## ")
        .find(|part| part.starts_with("With a kernel"));
    let blocks = section.unwrap().split("```sh\n").skip(1);
    let calls: Vec<&str> = blocks
        .map(|block| block.split("```").next().unwrap())
        .flat_map(|block| block.split("assay ").skip(1))
        .collect();
    assert_eq!(calls.len(), 4);
    let data = crossed(8000)
        .replace("a,b,y", "a,b,label")
        .replace(",0\n", ",-1\n");
    let room = Room::new()
        .with("data.csv", &data)
        .with("public.csv", PUBLIC)
        .with("data.svm", &"1 1:0.9 7:0.1\n-1 2:0.9 8:0.1\n".repeat(4000))
        .with("new.svm", "1:1\n2:1\n");
    for call in calls {
        // Two million features take long.
        let call = call.replace('\\', " ").replace("2000000", "2000");
        let words: Vec<&str> = call.split_whitespace().collect();
        let printed = room.prints(&words);
        match words[0] {
            "predict" => assert_eq!(printed, "1\n-1\n"),
            _ if words.contains(&"data.csv") => {
                // Each under a name of its own: a model is not replaced.
                let model = words.iter().skip_while(|word| **word != "--out").nth(1);
                let found = room.prints(&["predict", model.unwrap(), "public.csv"]);
                assert_eq!(found.lines().count(), 5);
            }
            _ => {}
        }
    }
}

/// Records of two columns whose label is 3 a - b.
fn plane(n: u32) -> String {
    let mut text = "a,b,y\n".to_owned();
    for i in 0..n {
        let (a, b) = (i % 19, i % 17);
        let y = 3.0 * (f64::from(a) / 9.0 - 1.0) - (f64::from(b) / 8.0 - 1.0);
        writeln!(
            text,
            "{},{},{y}",
            f64::from(a) / 9.0 - 1.0,
            f64::from(b) / 8.0 - 1.0
        )
        .unwrap();
    }
    text
}

fn statement(printed: &Value) -> &str {
    printed["privacy"]["statement"].as_str().unwrap()
}

#[test]
fn a_release_learns_what_no_halfspace_tells() {
    let data = crossed(4000);
    let room = Room::new().with("data.csv", &data);
    for kernel in ["polynomial=2,0", "fourier=40,4"] {
        let many = [
            ("--epsilon", "10"),
            ("--format", "json"),
            ("--kernel", kernel),
            ("--seed", "5"),
            ("--held-out", "1/5"),
        ];
        let mut arguments = call("kernel-release", &[&CLASSES[..], &many].concat());
        arguments.extend(["--unsafe-report", "--force"]);
        let printed = json(&room.prints(&arguments));
        let said = statement(&printed);
        assert!(
            said.contains("(10, 1/1000000)-differentially private under substitution"),
            "{said}"
        );
        let drawn = said.contains("parameters, the frequencies, intervals");
        assert_eq!(drawn, kernel.starts_with("fourier"), "{said}");
        assert_eq!(printed["parameters"]["kernel"], kernel);
        let held_out = &printed["not_private"]["held_out"];
        let of = printed["not_private"]["held_out_records"].as_u64().unwrap();
        for who in ["this_model", "without_noise"] {
            let wrong = held_out[who].as_u64().unwrap();
            assert!(10 * wrong < of, "{kernel}, {who}: {held_out}");
        }
        let predictions = room.prints(&["predict", "model.json", "data.csv"]);
        let wrong = predictions
            .lines()
            .zip(data.lines().skip(1))
            .filter(|(found, given)| given.rsplit(',').next() != Some(found));
        assert!(wrong.count() < 400, "{kernel}");
    }
}

#[test]
fn a_release_of_numbers_predicts_in_their_units() {
    let room = Room::new().with("data.csv", &plane(20_000));
    for loss in ["squared", "huber=1/2"] {
        let changes = [
            ("--loss", loss),
            ("--label-box", "-4:4"),
            ("--epsilon", "10"),
            ("--lambda", "1/50"),
            ("--format", "json"),
            ("--seed", "3"),
            ("--held-out", "1/5"),
        ];
        let mut arguments = call("kernel-release", &changes);
        arguments.extend(["--unsafe-report", "--force"]);
        let printed = json(&room.prints(&arguments));
        let held_out = &printed["not_private"]["held_out"];
        let [ours, mean] =
            ["this_model", "mean_of_training_labels"].map(|who| held_out[who].as_f64().unwrap());
        assert!(ours < 0.6 && 2.0 * ours < mean, "{loss}: {held_out}");
        let room = &room;
        let found = room.prints(&["predict", "model.json", "data.csv"]);
        let first: f64 = found.lines().next().unwrap().parse().unwrap();
        // 3 (-1) - (-1)
        assert!((first + 2.0).abs() < 1.0, "{loss}: {first}");
    }
}

#[test]
fn noise_as_large_as_the_labels_is_refused_unless_it_is_accepted() {
    // The squared loss has slope 1 + 1/sqrt(lambda): S = 20 on 3200 records.
    let room = Room::new().with("data.csv", &plane(4000));
    let changes = [
        ("--loss", "squared"),
        ("--label-box", "-4:4"),
        ("--epsilon", "10"),
        ("--lambda", "1/1000"),
    ];
    let mut arguments = call("kernel-release", &changes);
    let message = room.refuses(&arguments);
    for part in [
        "standard deviation of up to",
        "nothing was spent",
        "--accept-noise",
    ] {
        assert!(message.contains(part), "{message}");
    }
    assert!(!room.path("model.json").exists());
    arguments.push("--accept-noise");
    room.prints(&arguments);
    assert!(room.path("model.json").exists());
}

#[test]
fn a_release_is_metered() {
    let room = Room::new().with("data.csv", &crossed(400));
    let mut arguments = call(
        "kernel-release",
        &[&CLASSES[..], &[("--held-out", "0")]].concat(),
    );
    let out = arguments.iter().position(|part| *part == "--out").unwrap();
    arguments.drain(out..out + 2);
    arguments[0] = "meter";
    arguments.extend(["--neighbour", "replace:3=0.9,0.9,0", "--seed", "1"]);
    arguments.extend(["--accept-noise", "--format", "json"]);
    let found = json(&room.prints(&arguments));
    assert_eq!(found["faults"], json("[]"), "{found}");
    assert_eq!(found["equal_results"], true, "{found}");
}

/// Public points of two columns.
const PUBLIC: &str = "a,b\n0.5,0.5\n-0.5,0.5\n0.5,-0.5\n-0.5,-0.5\n0.9,0.1\n";

#[test]
fn noisy_predictions_at_public_points_make_a_model() {
    let data = crossed(4000);
    let room = Room::new()
        .with("data.csv", &data)
        .with("public.csv", PUBLIC);
    for (kernel, calibration, delta) in [
        ("polynomial=2,0", "exact", "1/1000000"),
        ("gaussian=4", "closed", "1/1000000"),
        ("gaussian=4", "pure", "0"),
    ] {
        let changes = [
            ("--kernel", kernel),
            ("--calibration", calibration),
            ("--public", "public.csv"),
            ("--epsilon", "5"),
            ("--format", "json"),
            ("--seed", "5"),
            ("--held-out", "1/5"),
        ];
        let mut arguments = call("kernel-targets", &[&CLASSES[..], &changes].concat());
        arguments.extend(["--unsafe-report", "--force"]);
        let printed = json(&room.prints(&arguments));
        assert!(statement(&printed).contains("the public points, intervals"));
        assert_eq!(printed["privacy"]["delta"], delta);
        assert_eq!(printed["parameters"]["public_points"], "5");
        // Five points say little of a distribution.
        assert_eq!(printed["bound"]["vacuous"], true);
        let held_out = &printed["not_private"]["held_out"];
        let of = printed["not_private"]["held_out_records"].as_u64().unwrap();
        let wrong = held_out["this_model"].as_u64().unwrap();
        assert!(4 * wrong < of, "{kernel}: {held_out}");
        let predictions = room.prints(&["predict", "model.json", "public.csv"]);
        let found: Vec<&str> = predictions.lines().take(4).collect();
        assert_eq!(found, ["1", "0", "0", "1"], "{kernel}, {calibration}");
        scores_say_the_labels(&room, "public.csv", ["1", "0"]);
    }
}

#[test]
fn gaussian_noise_in_the_shape_of_the_kernel_makes_a_model() {
    let room = Room::new()
        .with("data.csv", &crossed(4000))
        .with("public.csv", PUBLIC);
    let learn = |changes: &[(&'static str, &'static str)]| {
        let common = [
            ("--kernel", "gaussian=4"),
            ("--public", "public.csv"),
            ("--epsilon", "5"),
            ("--format", "json"),
            ("--seed", "4"),
            ("--held-out", "1/5"),
        ];
        let mut arguments = call("kernel-targets", &[&CLASSES[..], &common, changes].concat());
        arguments.extend(["--unsafe-report", "--force"]);
        arguments
    };
    let laplace = json(&room.prints(&learn(&[])));
    let printed = json(&room.prints(&learn(&[("--noise", "gaussian")])));
    assert_eq!(laplace["parameters"]["noise"], "laplace");
    let parameters = &printed["parameters"];
    assert_eq!(parameters["noise"], "gaussian");
    assert_eq!(parameters.get("calibration"), None);
    assert_eq!(printed["privacy"]["delta"], "1/1000000");
    let noise = |printed: &Value| -> f64 {
        let noise = printed["parameters"]["noise_of_a_target"].as_str().unwrap();
        noise.parse().unwrap()
    };
    // The standard deviation of the Laplace noise is sqrt(2) times its scale.
    assert!(noise(&printed) < 1.5 * noise(&laplace));
    let held_out = &printed["not_private"]["held_out"];
    let of = printed["not_private"]["held_out_records"].as_u64().unwrap();
    let wrong = held_out["this_model"].as_u64().unwrap();
    assert!(4 * wrong < of, "{held_out}");
    let predictions = room.prints(&["predict", "model.json", "public.csv"]);
    let found: Vec<&str> = predictions.lines().take(4).collect();
    assert_eq!(found, ["1", "0", "0", "1"]);
    // The noise does not grow with the number of points, but for the certificate's precision.
    let many: String = (0..40)
        .map(|i| format!("{},{}\n", f64::from(i) / 50.0, f64::from(i % 7) / 9.0))
        .collect();
    std::fs::write(room.path("public.csv"), format!("a,b\n{many}")).unwrap();
    let more = json(&room.prints(&learn(&[("--noise", "gaussian")])));
    assert_eq!(more["parameters"]["public_points"], "40");
    near(noise(&more), noise(&printed));
}

#[test]
fn the_records_are_no_public_points() {
    let room = Room::new().with("data.csv", &crossed(400));
    std::fs::hard_link(room.path("data.csv"), room.path("link.csv")).unwrap();
    std::fs::copy(room.path("data.csv"), room.path("copy.csv")).unwrap();
    for (learner, option) in [("kernel-targets", "--public"), ("kernel-net", "--net")] {
        for path in ["data.csv", "./data.csv", "link.csv"] {
            let message = room.refuses(&call(learner, &[&CLASSES[..], &[(option, path)]].concat()));
            assert!(
                message.contains("the file of the records"),
                "{path}: {message}"
            );
            assert!(!room.path("model.json").exists());
        }
    }
    // Whether a copy was made the records would decide: there is a warning, and a model all the same.
    let arguments = call(
        "kernel-targets",
        &[&CLASSES[..], &[("--public", "copy.csv")]].concat(),
    );
    let warnings = String::from_utf8(room.run(&arguments).stderr).unwrap();
    let warning = "--public copy.csv: it is a copy of the file of the records";
    assert!(warnings.contains(warning), "{warnings}");
    assert!(room.path("model.json").exists());
}

/// Records of two columns whose label is 1 where 3 a > b, and 0 elsewhere.
fn halved(n: u32) -> String {
    let mut text = "a,b,y\n".to_owned();
    for line in plane(n).lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let up = u32::from(!fields[2].starts_with('-'));
        writeln!(text, "{},{},{up}", fields[0], fields[1]).unwrap();
    }
    text
}

#[test]
fn a_model_is_near_the_minimiser_on_a_net() {
    let net = "a,b\n0.95,0.95\n-0.95,0.95\n0.95,-0.95\n-0.95,-0.95\n";
    let room = Room::new()
        .with("data.csv", &crossed(20_000))
        .with("net.csv", net);
    let changes = [
        ("--kernel", "polynomial=2,0"),
        ("--net", "net.csv"),
        ("--epsilon", "10"),
        ("--lambda", "1/10"),
        ("--format", "json"),
        ("--seed", "4"),
    ];
    let printed = json(&room.prints(&call("kernel-net", &[&CLASSES[..], &changes].concat())));
    assert!(statement(&printed).contains("parameters, the net, intervals"));
    let [net, vacuous] = [&printed["parameters"]["net"], &printed["bound"]["vacuous"]];
    assert_eq!((net, vacuous), (&"4".into(), &false.into()));
    let bound = printed["bound"]["statement"].as_str().unwrap();
    let start = "at the points of the net, predictions are within";
    assert!(bound.starts_with(start), "{bound}");
    let found = room.prints(&["predict", "model.json", "net.csv"]);
    assert_eq!(found, "1\n0\n0\n1\n");
}

#[test]
fn a_lattice_is_a_net_for_the_linear_kernel() {
    let data = halved(20_000);
    let room = Room::new().with("data.csv", &data);
    let learner = |changes: &[(&'static str, &'static str)]| {
        let common = [
            ("--net-radius", "1/8"),
            ("--epsilon", "10"),
            ("--lambda", "1/4"),
        ];
        call("kernel-net", &[&CLASSES[..], &common, changes].concat())
    };
    let arguments = learner(&[("--format", "json"), ("--seed", "4")]);
    let printed = json(&room.prints(&arguments));
    assert_eq!(printed["parameters"]["net_radius"], "1/8");
    let bound = printed["bound"]["statement"].as_str().unwrap();
    assert!(bound.contains("at all points of the unit ball"), "{bound}");
    assert_eq!(printed["bound"]["vacuous"], false, "{bound}");
    let predictions = room.prints(&["predict", "model.json", "data.csv"]);
    let wrong = predictions
        .lines()
        .zip(data.lines().skip(1))
        .filter(|(found, given)| given.rsplit(',').next() != Some(found));
    assert!(wrong.count() < 3000);
}

#[test]
fn learners_with_public_points_are_metered() {
    let room = Room::new()
        .with("data.csv", &crossed(400))
        .with("public.csv", PUBLIC);
    for (learner, option, value, kernel) in [
        ("kernel-targets", "--public", "public.csv", "gaussian=4"),
        ("kernel-net", "--net", "public.csv", "gaussian=4"),
        ("kernel-net", "--net-radius", "1/2", "linear"),
    ] {
        for noise in [
            ("--calibration", "exact"),
            ("--calibration", "pure"),
            ("--noise", "gaussian"),
        ] {
            if learner == "kernel-net" && noise.0 == "--noise" {
                continue;
            }
            let changes = [
                ("--held-out", "0"),
                (option, value),
                ("--kernel", kernel),
                noise,
            ];
            let mut arguments = call(learner, &[&CLASSES[..], &changes].concat());
            let out = arguments.iter().position(|part| *part == "--out").unwrap();
            arguments.drain(out..out + 2);
            arguments[0] = "meter";
            arguments.extend(["--neighbour", "replace:3=0.9,0.9,0", "--seed", "1"]);
            if learner == "kernel-net" {
                let message = room.refuses(&arguments);
                assert!(message.contains("the model is likely to be 0"), "{message}");
                arguments.push("--accept-noise");
            }
            arguments.extend(["--format", "json"]);
            let found = json(&room.prints(&arguments));
            assert_eq!(found["faults"], json("[]"), "{learner}: {found}");
            assert_eq!(found["equal_results"], true, "{learner}: {found}");
        }
    }
}

/// How many records differ is private, and does not count.
#[test]
fn pairs_of_very_many_records_are_refused_before_the_work_unless_that_is_allowed() {
    let room = Room::new()
        .with("data.csv", &crossed(100_001))
        .with("public.csv", PUBLIC);
    let usual = [&CLASSES[..], &[("--held-out", "0")]].concat();
    let with = |learner, changes: &[(&'static str, &'static str)]| {
        call(learner, &[&usual[..], changes].concat())
    };
    let public = ("--public", "public.csv");
    let net = ("--net", "public.csv");
    for (arguments, instead) in [
        (
            with("kernel-targets", &[public, ("--kernel", "gaussian=4")]),
            "learn kernel-release with --kernel fourier=N,4",
        ),
        (
            with("kernel-net", &[net, ("--kernel", "polynomial=3,1")]),
            "--kernel linear, or learn kernel-release with --kernel fourier=N,V",
        ),
        (
            with("kernel-release", &[("--kernel", "polynomial=2,0")]),
            "--kernel linear",
        ),
        (
            with("kernel-targets", &[public, ("--grid-bits", "25")]),
            "--grid-bits 24 or less: the time then grows with the records, and not with their square",
        ),
    ] {
        let message = room.refuses(&arguments);
        for part in [
            "100001 records with --kernel ",
            "some 1.0e10 steps, about 16 minutes: more than --limit 10000000000; nothing was spent",
            instead,
            "or raise --limit",
        ] {
            assert!(message.contains(part), "{part} in {message}");
        }
        assert!(!room.path("model.json").exists());
    }
    // Steps of records are fewer, but not none.
    for (changes, work) in [
        (
            vec![("--loss", "logistic"), ("--limit", "1e9")],
            "100001 records with --loss logistic, some 1.0e9 steps, about 100 s: more than --limit 1000000000; nothing was spent. \
             Take fewer records, or --loss hinge; or raise --limit",
        ),
        (
            vec![("--kernel", "fourier=500,1"), ("--limit", "1e8")],
            "100001 records with --loss hinge, some 1.2e8 steps, about 12 s: more than --limit 100000000",
        ),
    ] {
        let message = room.refuses(&with("kernel-release", &changes));
        assert!(message.contains(work), "{message}");
    }
    let points: String = (0..60).map(|i| format!("0.{i:02},0.5\n")).collect();
    let few = Room::new()
        .with("data.csv", &crossed(40))
        .with("public.csv", &format!("a,b\n{points}"));
    let noise = [public, ("--noise", "gaussian"), ("--limit", "6e5")];
    let message = few.refuses(&with("kernel-targets", &noise));
    let work = "60 points of --public with --noise gaussian, some 6.5e5 steps, less than a second: more than --limit 600000";
    assert!(message.contains(work), "{message}");
    // The linear kernel has no pairs. Of the others' records here forty differ.
    for changes in [
        vec![public, ("--out", "linear.json")],
        vec![public, ("--kernel", "gaussian=4"), ("--limit", "1e11")],
    ] {
        room.prints(&with("kernel-targets", &changes));
    }
}

#[test]
fn queries_outside_the_domain_and_models_that_were_changed_are_refused() {
    let room = Room::new()
        .with("data.csv", &crossed(400))
        .with("public.csv", PUBLIC);
    for (learner, option, value) in [
        ("kernel-release", "--split-seed", "1"),
        ("kernel-targets", "--public", "public.csv"),
        ("kernel-net", "--net", "public.csv"),
        ("kernel-net", "--net-radius", "1/2"),
    ] {
        let changes = [(option, value), ("--seed", "1")];
        let mut arguments = call(learner, &[&CLASSES[..], &changes].concat());
        arguments.push("--force");
        if learner != "kernel-targets" {
            arguments.push("--accept-noise");
        }
        room.prints(&arguments);
        for (query, part) in [
            ("a,b\n2,0\n", "outside its public interval"),
            ("a,b\ninf,0\n", "line 2"),
            ("a,b\n0\n", "1 field, where the header has 2"),
            ("a,c\n0,0\n", "the column 'b' is needed"),
        ] {
            std::fs::write(room.path("query.csv"), query).unwrap();
            let message = room.refuses(&["predict", "model.json", "query.csv"]);
            assert!(message.contains(part), "{learner}: {message}");
        }
        let model = json(&std::fs::read_to_string(room.path("model.json")).unwrap());
        let weights = model["weights"].as_object().unwrap();
        let weights = weights.values().next().filter(|first| first.is_object());
        let fields = match weights {
            Some(nested) => nested.as_object().unwrap(),
            None => model["weights"].as_object().unwrap(),
        };
        for name in fields.keys() {
            for wrong in [
                Value::Null,
                "matrix=data.csv".into(),
                serde_json::json!(["NaN"]),
            ] {
                let mut changed = model.clone();
                let weights = &mut changed["weights"];
                let nested = weights.as_object().unwrap().keys().next().unwrap().clone();
                let weights = if weights[&nested].is_object() {
                    &mut weights[&nested]
                } else {
                    weights
                };
                weights[name] = wrong.clone();
                std::fs::write(room.path("changed.json"), changed.to_string()).unwrap();
                let message = room.refuses(&["predict", "changed.json", "public.csv"]);
                assert!(
                    message.contains("changed.json"),
                    "{learner}, {name}: {message}"
                );
            }
        }
    }
}

#[test]
fn numbers_of_a_model_that_take_long_or_make_no_sense_are_refused() {
    let room = Room::new().with("data.csv", &crossed(400));
    let mut arguments = call("kernel-release", &CLASSES);
    arguments.push("--accept-noise");
    room.prints(&arguments);
    let model = json(&std::fs::read_to_string(room.path("model.json")).unwrap());
    let refuses = |change: &dyn Fn(&mut Value), part: &str| {
        let mut changed = model.clone();
        change(&mut changed);
        std::fs::write(room.path("changed.json"), changed.to_string()).unwrap();
        let message = room.refuses(&["predict", "changed.json", "data.csv"]);
        let named = message.contains("changed.json is not a model file");
        assert!(named && message.contains(part), "{message}");
        assert!(message.len() < 1000, "{} letters", message.len());
    };
    let long = "1".repeat(302);
    let weights = |name: &'static str, value: Value| {
        move |model: &mut Value| model["weights"][name] = value.clone()
    };
    refuses(
        &weights("coefficients", serde_json::json!([long, "1"])),
        "at most 300 digits",
    );
    refuses(&weights("step", long.into()), "at most 300 digits");
    refuses(
        &weights("step", "0".into()),
        "step: it must be above 0, got 0",
    );
    refuses(
        &weights("step", "-1".into()),
        "step: it must be above 0, got -1",
    );
    refuses(
        &weights("frequencies", serde_json::json!([["1", "2"]])),
        "frequencies: --kernel linear has none",
    );
    refuses(
        &weights("kernel", "fourier=5,1".into()),
        "frequencies: --kernel fourier=5,1 has 5, got 0",
    );
    refuses(
        &weights("feature_grid_bits", u32::MAX.into()),
        "feature_grid_bits: it must be 20, got 4294967295",
    );
    let name = "x".repeat(1_000_000);
    refuses(
        &|model| model["weights"][name.as_str()] = 1.into(),
        "letters)",
    );
    refuses(
        &|model| model["columns"]["grid_bits"] = 0.into(),
        "grid_bits 0 is too coarse for 2 coordinates",
    );
    refuses(
        &|model| model["weights"] = Value::Null,
        "expected an object with coefficients",
    );
}

/// Two alike, and two others alike.
const MATRIX: &str = "1,1/2,0,0\n1/2,1,0,0\n0,0,1,1/2\n0,0,1/2,1\n";

/// Records of four kinds; A and B have the label 1.
fn kinds(n: u32) -> String {
    let mut text = "kind,y\n".to_owned();
    for i in 0..n {
        let kind = ["A", "B", "C", "D"][i as usize % 4];
        writeln!(text, "{kind},{}", u32::from(i % 4 < 2)).unwrap();
    }
    text
}

#[test]
fn a_public_matrix_is_a_kernel() {
    let points = "kind\nA\nB\nC\nD\n";
    let room = Room::new()
        .with("data.csv", &kinds(20_000))
        .with("points.csv", points)
        .with("matrix.csv", MATRIX);
    let common = [
        ("--kernel", "matrix=matrix.csv"),
        ("--category", "kind=A,B,C,D"),
        ("--separator", ","),
        ("--epsilon", "10"),
        ("--lambda", "1/10"),
        ("--seed", "4"),
    ];
    for (learner, option) in [("kernel-targets", "--public"), ("kernel-net", "--net")] {
        let changes = [&CLASSES[..], &common, &[(option, "points.csv")]].concat();
        let mut arguments = call(learner, &changes);
        arguments.push("--force");
        let boxed = arguments.iter().position(|part| *part == "--box").unwrap();
        arguments.drain(boxed..boxed + 2);
        room.prints(&arguments);
        let predict = ["predict", "model.json", "points.csv", "--separator", ","];
        assert_eq!(room.prints(&predict), "1\n1\n0\n0\n", "{learner}");
        let model = std::fs::read_to_string(room.path("model.json")).unwrap();
        let parameters = &json(&model)["parameters"];
        let of_kernel = ["kernel", "matrix_rows"].map(|name| parameters[name].as_str());
        assert_eq!(of_kernel, [Some("matrix"), Some("4")]);
        assert_eq!(parameters["matrix_sha256"].as_str().unwrap().len(), 64);
        // Where the matrix was is nobody's business.
        assert!(!model.contains("matrix.csv"), "{learner}");
    }
}

/// A constant of a version of an evaluated bound, and its status.
fn evaluated(printed: &Value, version: &str, name: &str) -> (f64, String) {
    let versions = printed["versions"].as_array().unwrap();
    let begins = |found: &&Value| found["version"].as_str().unwrap().starts_with(version);
    let version = versions.iter().find(begins).unwrap();
    let constants = version["constants"].as_array().unwrap();
    let constant = constants
        .iter()
        .find(|found| found["name"] == name)
        .unwrap();
    let status = version["status"].as_str().unwrap();
    (
        constant["value"].as_str().unwrap().parse().unwrap(),
        status.to_owned(),
    )
}

fn near(found: f64, known: f64) {
    assert!((found / known - 1.0).abs() < 0.01, "{found} for {known}");
}

#[test]
fn theorem_a_is_evaluated() {
    let room = Room::new();
    let common = ["bound", "jt13.thmA", "--epsilon", "1", "--delta", "1e-6"];
    let more = ["--updates", "10", "--format", "json"];
    let printed = json(&room.prints(&[&common[..], &more].concat()));
    let loss = |version| evaluated(&printed, version, "privacy loss s of a round").0;
    near(loss("Theorem A"), 0.0312);
    near(loss("Corollary A1"), 0.00763);
    // 1/(200 sqrt(10) ln(4e6)) = 1/(632.456 * 15.2018)
    near(loss("Theorem 9"), 1.0401e-4);
}

/// The options of a bound: (1, 1e-6), and these.
fn bound(room: &Room, claim: &str, options: &[&str]) -> Value {
    let common = ["bound", claim, "--epsilon", "1", "--delta", "1e-6"];
    json(&room.prints(&[&common[..], options, &["--format", "json"]].concat()))
}

#[test]
fn errors_of_sessions_and_releases_are_evaluated() {
    let room = Room::new();
    let options = |records| {
        vec![
            "--beta",
            "0.05",
            "--records",
            records,
            "--lambda",
            "0.01",
            "--queries",
            "1000",
            "--norm-bound",
            "100",
        ]
    };
    let error = "error, at most";
    // The spec has 36.5, 10.5 and 3.24 without the solver's part.
    for (records, known) in [("1e4", 36.5), ("1e5", 10.5), ("1e6", 3.24)] {
        let printed = bound(&room, "jt13.nt.error", &options(records));
        let (stated, status) = evaluated(&printed, "m + 2 w", error);
        assert!((stated / known - 1.0).abs() < 0.03, "{stated} for {known}");
        assert_eq!(status, "feasible");
        let (shipped, _) = evaluated(&printed, "The shipped plan", error);
        assert!(stated < shipped && shipped < 1.1 * stated, "{shipped}");
    }
    let printed = bound(&room, "jt13.nt.error", &options("1000"));
    let (shipped, status) = evaluated(&printed, "The shipped plan", error);
    assert!(shipped > 100.0 && status == "vacuous");
    let release = |records| {
        let options = [options(records), vec!["--dimension", "100"]].concat();
        bound(&room, "jt13.gp.error", &options)
    };
    let printed = release("1e4");
    // S = 1/50, tau = 4.225 S, sqrt(2 ln 40000) = 4.604
    let at_points = "At points fixed in advance, without";
    near(evaluated(&printed, at_points, error).0, 0.389);
    let (shipped, _) = evaluated(&printed, "At points fixed in advance, the", error);
    assert!(0.389 < shipped && shipped < 0.45, "{shipped}");
    // tau (10 + sqrt(2 ln 20))
    let (everywhere, _) = evaluated(&printed, "Everywhere", error);
    assert!((1.05..1.2).contains(&everywhere), "{everywhere}");
    let (_, status) = evaluated(&release("10"), "Everywhere", error);
    assert_eq!(status, "vacuous");
}

#[test]
fn theorems_of_the_learners_are_evaluated() {
    let room = Room::new();
    let options = |points| vec!["--records", "1e6", "--lambda", "0.01", "--points", points];
    let printed = bound(&room, "jt13.thm4.corrected", &options("1000"));
    let scale = "scale nu of the noise";
    // S = 2e-4, and 17/16 of it with the solver; nu = S sqrt(8 * 1000 ln 1e6)
    near(
        evaluated(&printed, "nu = 4 sqrt(2)", scale).0,
        2.125e-4 * 332.45,
    );
    near(
        evaluated(&printed, "The least noise", scale).0,
        2.125e-4 * 133.42,
    );
    near(
        evaluated(&printed, "Pure privacy", scale).0,
        2.125e-4 * 1000.0,
    );
    let (printed_scale, status) = evaluated(&printed, "As printed", scale);
    near(printed_scale, 2e-4 * 332.45 / 32f64.sqrt());
    assert_eq!(status, "infeasible");
    let more = ["--beta", "0.05", "--norm-bound", "14.2"];
    let printed = bound(
        &room,
        "jt13.thm5.corrected",
        &[&options("1000")[..], &more].concat(),
    );
    let closed = "With the noise of jt13.thm4.corrected";
    let (error, status) = evaluated(&printed, closed, "error, at most");
    // nu ln(40000) + 14.2 (2 + sqrt(2 ln 40))/sqrt(1000)
    near(error, 0.0706 * 10.597 + 0.449 * 4.7163);
    assert_eq!(status, "feasible");
    let more = [
        "--beta",
        "0.05",
        "--norm-bound",
        "14.2",
        "--records",
        "1e6",
        "--lambda",
        "0.01",
        "--dimension",
        "2",
        "--net-radius",
        "1/20",
    ];
    let printed = bound(&room, "jt13.thm8.corrected", &more);
    let (exact, _) = evaluated(&printed, "Repaired, with the least noise", "error, at most");
    let (closed, _) = evaluated(&printed, "Repaired, with the constant", "error, at most");
    near(exact, 2.838);
    near(closed, 3.984);
    // On the net.
    let (net, _) = evaluated(
        &printed,
        "Repaired, with the least",
        "of it at the points of the net",
    );
    near(exact, net + 0.71);
}
