//! Claims that are true and leave nothing to spare, and what the whole pipeline says of them.

use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, parse, ratio, to_scientific};
use dp_assay::prepared::DrawnOften;
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace};
use dp_assay_audit::pairs::Pair;
use dp_assay_audit::refute::{Claim, Finding, Measure, Profile, Question, Until, audit_pair};
use dp_assay_audit::targets::{Function, Output, TargetError};
use num_traits::ToPrimitive;
use serde_json::{Value, json};

/// One in so many true claims may be called violated.
pub const ONE_IN: u32 = 20;

/// A mechanism, on data that are one bit, whose claim is met with equality.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Randomised response: (1, 0).
    RandomisedResponse,
    /// The truth with probability 3/4: (1, 3/4 - e/4), rounded up in the 16th digit.
    ThreeQuarters,
    /// The bit with discrete Laplace noise of scale 1: (1, 0).
    DiscreteLaplace,
    /// Half of that, as a double: values and bits are two lines, and each may be refuted.
    HalfLaplace,
}

/// A null: a mechanism, and which of its datasets comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Null {
    /// The mechanism.
    pub kind: Kind,
    /// Whether the dataset 1 comes first.
    pub swapped: bool,
}

/// All nulls.
pub const ALL: [Null; 8] = {
    const fn null(kind: Kind, swapped: bool) -> Null {
        Null { kind, swapped }
    }
    [
        null(Kind::RandomisedResponse, false),
        null(Kind::RandomisedResponse, true),
        null(Kind::ThreeQuarters, false),
        null(Kind::ThreeQuarters, true),
        null(Kind::DiscreteLaplace, false),
        null(Kind::DiscreteLaplace, true),
        OF_TWO_LINES[0],
        OF_TWO_LINES[1],
    ]
};

/// Those whose audit has two lines.
pub const OF_TWO_LINES: [Null; 2] = {
    const fn null(swapped: bool) -> Null {
        let kind = Kind::HalfLaplace;
        Null { kind, swapped }
    }
    [null(false), null(true)]
};

impl Null {
    /// The true delta at the claimed epsilon, in floats, and a unit more than it errs.
    pub fn delta(self) -> f64 {
        match self.kind {
            Kind::ThreeQuarters => 0.75 - 0.25 * 1f64.exp() + 1e-15,
            Kind::RandomisedResponse | Kind::DiscreteLaplace | Kind::HalfLaplace => 0.0,
        }
    }

    /// One audit of it, from the first sample to the verdict.
    pub fn audit(self, seed: u64, calls: u64, until: Until) -> Finding {
        let noise = DiscreteLaplace::new(ratio(1, 1)).unwrap();
        let mut coins = ChaCha::reproducible(seed, self.kind as u64);
        let mut target = Function(|data: &Value| -> Result<Output, TargetError> {
            let bit = data[0] == 1;
            let value = match self.kind {
                Kind::RandomisedResponse => loop {
                    let answer = coins.bits(1)? == 1;
                    if answer == bit || coins.bernoulli_exp(&ratio(1, 1))? {
                        break i128::from(answer);
                    }
                },
                Kind::ThreeQuarters => i128::from((coins.bits(2)? > 0) == bit),
                Kind::DiscreteLaplace | Kind::HalfLaplace => {
                    i128::from(bit) + coins.draw(&noise)?.to_i128().unwrap_or(i128::MAX / 2)
                }
            };
            Ok(match self.kind {
                Kind::HalfLaplace => Output::float(value as f64 / 2.0),
                _ => Output::Integer(value),
            })
        });
        let (zero, one) = (json!([0]), json!([1]));
        let pair = if self.swapped {
            Pair(one, zero)
        } else {
            Pair(zero, one)
        };
        let question = Question {
            claim: Claim::budget(
                ratio(1, 1),
                match self.kind {
                    Kind::ThreeQuarters => parse("0.0704295428852387").unwrap(),
                    _ => ratio(0, 1),
                },
            ),
            level: ratio(1, ONE_IN.into()),
            calls,
            until,
            shrink: false,
            time: false,
            seed,
        };
        audit_pair(&mut target, &pair, &question).unwrap()
    }
}

/// A claim in another measure, and a mechanism that leaves it nothing to spare.
pub struct Measured {
    /// Its name.
    pub measure: &'static str,
    claim: Claim,
    law: Law,
    /// Whether outputs are halves of odd integers, as doubles: values and bits are two lines.
    pub of_two_lines: bool,
}

/// On data that are one bit.
enum Law {
    /// A mark with these probabilities, on 0 and on 1.
    Marked([Rational; 2]),
    /// The bit with this noise.
    Noise(DrawnOften<DiscreteGaussian>),
}

/// For each measure its nulls; the last ones are its first and its second once more, with two lines. The probabilities are on the boundary of the region of the claim, rounded inwards in the
/// tenth digit: of a mark that is likely on one dataset and unlikely on the other, and of a rarer one. The discrete Gaussian
/// noise of variance 1 is 1/2-zCDP and no better.
pub fn measured() -> [Vec<Measured>; 4] {
    let two = |claim: &Claim, measure, marked: [&str; 2]| Measured {
        measure,
        claim: claim.clone(),
        law: Law::Marked(marked.map(|chance| parse(chance).unwrap())),
        of_two_lines: false,
    };
    let in_two_lines = |null: &Measured| match &null.law {
        Law::Marked(marked) => Some(Measured {
            measure: null.measure,
            claim: null.claim.clone(),
            law: Law::Marked(marked.clone()),
            of_two_lines: true,
        }),
        Law::Noise(_) => None,
    };
    let zcdp = Claim::new(Measure::Zcdp { rho: ratio(1, 2) });
    let (order, epsilon) = (integer(2), ratio(1, 2));
    let renyi = Claim::new(Measure::Renyi { order, epsilon });
    let gaussian = Claim::new(Measure::Gaussian { mu: integer(1) });
    let profile = Profile::parse("p", "epsilon,delta\n0,3/10\n1,1/10\n").unwrap();
    let profile = Claim::new(Measure::Profile(profile));
    let noise = DiscreteGaussian::new(integer(1)).unwrap();
    let all = [
        vec![
            two(&zcdp, "zcdp", ["0.2604507885", "0.7395492115"]),
            two(&zcdp, "zcdp", ["0.01", "0.1245899283"]),
            Measured {
                measure: "zcdp",
                claim: zcdp.clone(),
                law: Law::Noise(DrawnOften::new(noise, u64::MAX).unwrap()),
                of_two_lines: false,
            },
        ],
        vec![
            two(&renyi, "renyi", ["0.3132191620", "0.6867808380"]),
            two(&renyi, "renyi", ["0.05", "0.2255399110"]),
        ],
        vec![
            two(&gaussian, "gaussian", ["0.3085375388", "0.6914624612"]),
            two(&gaussian, "gaussian", ["0.05", "0.2595110228"]),
        ],
        vec![
            two(&profile, "profile", ["0.35", "0.65"]),
            two(&profile, "profile", ["0.1163953414", "0.4163953413"]),
            // The edge of (1, 1/10): e / 20 + 1/10.
            two(&profile, "profile", ["0.05", "0.2359140914"]),
        ],
    ];
    all.map(|mut nulls| {
        let again: Vec<Measured> = nulls.iter().take(2).filter_map(in_two_lines).collect();
        nulls.extend(again);
        nulls
    })
}

impl Measured {
    /// The mechanism in a few words.
    pub fn name(&self) -> String {
        let law = match &self.law {
            Law::Marked([first, second]) => {
                let [first, second] = [first, second].map(|p| to_scientific(p, 4));
                format!("{first} : {second}")
            }
            Law::Noise(_) => "Gaussian noise".to_owned(),
        };
        let lines = if self.of_two_lines { ", two lines" } else { "" };
        format!("{law}{lines}")
    }

    /// One audit of it; every second one with the datasets exchanged.
    pub fn audit(&self, seed: u64, calls: u64, until: Until) -> Finding {
        let mut coins = ChaCha::reproducible(seed, 17);
        let mut target = Function(|data: &Value| -> Result<Output, TargetError> {
            let bit = data[0] == 1;
            let value = match &self.law {
                Law::Marked(chances) => i128::from(coins.bernoulli(&chances[usize::from(bit)])?),
                Law::Noise(noise) => {
                    i128::from(bit) + coins.draw(noise)?.to_i128().unwrap_or(i128::MAX / 2)
                }
            };
            Ok(match self.of_two_lines {
                true => Output::float(value as f64 + 0.5),
                false => Output::Integer(value),
            })
        });
        let mut pair = [json!([0]), json!([1])];
        pair.rotate_left((seed % 2) as usize);
        let [first, second] = pair;
        let question = Question {
            claim: self.claim.clone(),
            level: ratio(1, ONE_IN.into()),
            calls,
            until,
            shrink: false,
            time: false,
            seed,
        };
        audit_pair(&mut target, &Pair(first, second), &question).unwrap()
    }
}

/// `Pr[Bin(runs, 1/one_in) >= alarms]`, to about ten digits.
pub fn tail(runs: u32, alarms: u32, one_in: u32) -> f64 {
    let p = 1.0 / f64::from(one_in);
    let mut log = f64::from(runs) * (1.0 - p).ln();
    let mut sum = 0.0;
    for k in 0..=runs {
        if k >= alarms {
            sum += log.exp();
        }
        log += (f64::from(runs - k) / f64::from(k + 1) * p / (1.0 - p)).ln();
    }
    sum
}
