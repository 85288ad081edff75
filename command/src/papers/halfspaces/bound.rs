//! The bounds of the theorems: nuz20.thm6, nuz20.thm11, nuz20.thm12 and nuz20.thm12.alpha.

use crate::error::Error;
use crate::options::Range;
use crate::papers::bound::{
    ALPHA, BETA, Cost, DELTA, EPSILON, Parameter, Stated, Status, Theorem, Values, Version,
    constant, in_tens, log10, power_of_ten,
};
use dp_assay::halfspaces::bounds::lower_bound::{
    lower_bound, orthonormal_points, packing, records_needed_best,
};
use dp_assay::halfspaces::bounds::pure::{
    Net, Pure, counted_best, one_line_best, optimised_best, theorem_11,
};
use dp_assay::halfspaces::bounds::{Goal, full_batch_best, theorem_6};
use dp_assay::number::Enclosure;
use dp_assay::number::rational::{ratio, to_scientific_above, to_scientific_below};
use num_bigint::BigInt;
use num_traits::One;

/// The margin.
const GAMMA: Parameter = Parameter::new("--gamma", "G", "The margin", Range::Margin);

/// The theorems.
pub const THEOREMS: &[Theorem] = &[
    Theorem {
        claim: "nuz20.thm6",
        about: "The records that the efficient learner needs",
        parameters: &[ALPHA, BETA, EPSILON, DELTA, GAMMA],
        evaluate: theorem6,
    },
    Theorem {
        claim: "nuz20.thm11",
        about: "The records that the pure learner needs",
        parameters: &[ALPHA, BETA, EPSILON, GAMMA],
        evaluate: theorem11,
    },
    Theorem {
        claim: "nuz20.thm12",
        about: "The records that every pure private learner needs",
        parameters: &[EPSILON, GAMMA],
        evaluate: theorem12,
    },
    Theorem {
        claim: "nuz20.thm12.alpha",
        about: "The same for every error alpha",
        parameters: &[ALPHA, BETA, EPSILON, GAMMA],
        evaluate: theorem12_with_alpha,
    },
];

fn goal(values: &Values) -> Result<Goal, Error> {
    let of = |parameter| values.of(parameter);
    Ok(Goal::new(of(&ALPHA), of(&BETA), of(&GAMMA), of(&EPSILON))?)
}

fn theorem6(values: &Values) -> Result<Stated, Error> {
    let goal = goal(values)?;
    let delta = values.of(&DELTA);
    let paper = theorem_6(&goal, &delta)?;
    let full = full_batch_best(&goal, &delta)?;
    let versions = vec![
        Version::new(
            "constants of the paper",
            vec![
                constant("records n", &paper.records),
                constant("n for the training error (Claim 6.1)", &paper.training),
                constant(
                    "n for the generalisation (Claim 6.2)",
                    &paper.generalisation,
                ),
                constant("distortion kappa", &paper.kappa),
                constant("dimension m", &paper.dimension),
                constant("runs k", paper.runs),
                constant("gradient steps k n^2, of one record", &paper.gradient_steps),
            ],
            &Cost {
                what: "operations (k n^2 m)",
                size: log10(&paper.operations())?,
            },
        ),
        Version::new(
            "full gradients, averaged (ours)",
            vec![
                constant("records n", &full.records),
                constant("distortion kappa", &full.kappa),
                constant("margin of the loss", &full.margin),
                constant("dimension m", &full.dimension),
                constant("runs k", full.runs),
                constant("gradient steps k n^2, of n records", full.gradient_steps()),
            ],
            &Cost {
                what: "operations (k n^3 m)",
                size: log10(&full.operations())?,
            },
        ),
    ];
    let statement = "with n records the efficient (epsilon, delta)-private learner has an error of at most \
                     alpha with probability 1 - beta, on every distribution of margin gamma in any dimension";
    Ok((statement.to_owned(), versions))
}

fn theorem11(values: &Values) -> Result<Stated, Error> {
    let goal = goal(values)?;
    let version = |name, pure: Pure| -> Result<Version, Error> {
        let log10_net = in_tens(&pure.log_net)?;
        Ok(Version::new(
            name,
            vec![
                constant("records n", &pure.records),
                constant("n for the choice (Claim 11.1)", &pure.choice),
                constant(
                    "n for the generalisation (Claim 14.2)",
                    &pure.generalisation,
                ),
                constant("distortion kappa", &pure.kappa),
                constant("radius of the net", &pure.radius),
                constant("dimension m", &pure.dimension),
                constant("points of the net, at most", power_of_ten(&log10_net)),
            ],
            &Cost {
                what: "points of the net",
                size: log10_net,
            },
        ))
    };
    let versions = vec![
        version("constants of the paper", theorem_11(&goal, Net::Volume)?)?,
        version("optimised constants", optimised_best(&goal, Net::Volume)?)?,
        version("our own proof", counted_best(&goal, Net::Volume)?)?,
        version(
            "our own proof, with the lattice that is gone through",
            counted_best(&goal, Net::Lattice)?,
        )?,
        version(
            "one expectation for choice and generalisation",
            one_line_best(&goal, Net::Volume)?,
        )?,
    ];
    let statement = "with n records the pure epsilon-private learner has an error of at most alpha with \
                     probability 1 - beta, on every distribution of margin gamma in any dimension";
    Ok((statement.to_owned(), versions))
}

fn theorem12(values: &Values) -> Result<Stated, Error> {
    let (epsilon, gamma) = (values.of(&EPSILON), values.of(&GAMMA));
    let found = lower_bound(&epsilon, &gamma)?;
    let printed = packing(&ratio(1, 10), &ratio(1, 1000))?;
    let low = |value: &Enclosure| to_scientific_below(&value.lower(), 5);
    let high = |value: &Enclosure| to_scientific_above(&value.upper(), 5);
    let proof = vec![
        constant("records n, at least", "not proved"),
        constant(
            "two halfspaces disagree, at least",
            low(&printed.disagreement),
        ),
        constant("mass of a band, at most", high(&printed.band)),
        constant(
            "errors of a classifier on two, at least",
            low(&printed.both_errors),
        ),
        constant("needed of them", "above 0.2"),
        constant("ln K / d of the code, at least", low(&printed.rate)),
    ];
    let repaired = vec![
        constant("records n, at least", &found.records),
        constant(
            "all labellings of the points ask for",
            to_scientific_below(&found.labellings, 6),
        ),
        constant("two labellings ask for", &found.two),
        constant(
            "formula",
            "max(((ln 2 - H(1/10)) N + ln(9/10)) / ln(2/(1 + e^-epsilon)), that of two)",
        ),
        constant("points N = floor(1/gamma^2)", &found.points),
        constant("in every dimension from", &found.points),
    ];
    let (status, reason) = asked(&found.records);
    let versions = vec![
        Version {
            version: "constants of the paper",
            constants: proof,
            status: Status::Vacuous,
            reason: "Claim 12.1 is false at distance d/10: one classifier can be accurate for two \
                     distributions"
                .to_owned(),
        },
        Version {
            version: "repaired: all labellings of orthonormal points",
            constants: repaired,
            status,
            reason,
        },
    ];
    let statement = "every epsilon-private learner with error at most 1/10 with probability 9/10, on every \
                     distribution of margin gamma, needs n records";
    Ok((statement.to_owned(), versions))
}

fn theorem12_with_alpha(values: &Values) -> Result<Stated, Error> {
    let goal = goal(values)?;
    let (tau, needed) = records_needed_best(&goal)?;
    let records = needed.ceil().to_integer();
    let enough = counted_best(&goal, Net::Volume)?;
    let (status, reason) = asked(&records);
    let versions = vec![Version {
        version: "all labellings of light points (ours)",
        constants: vec![
            constant("records n, at least", &records),
            constant("error tau among the light points", &tau),
            constant(
                "points floor(1/gamma^2)",
                orthonormal_points(&values.of(&GAMMA))?,
            ),
            constant(
                "records that are enough (nuz20.thm11.corrected)",
                &enough.records,
            ),
        ],
        status,
        reason,
    }];
    let statement = "every epsilon-private learner with error at most alpha with probability 1 - beta, on every \
                     distribution of margin gamma, needs n records";
    Ok((statement.to_owned(), versions))
}

/// Whether a lower bound says anything.
fn asked(records: &BigInt) -> (Status, String) {
    if *records <= BigInt::one() {
        (Status::Vacuous, "it asks for a single record".to_owned())
    } else {
        let reason = "for every pure private learner, however slow";
        (Status::Holds, reason.to_owned())
    }
}
