//! The six variants of the sparse vector technique in Lyu, Su, Li 2017, with discrete Laplace noise and the
//! threshold 0. Data are the answers of queries of sensitivity 1; an entry is 1 for "above" and 0 for
//! "below", and ends there after the last "above" that is allowed.

use crate::specimen::{Mechanism, Noise, Specimen, integers, specimen};
use crate::targets::{Output, TargetError};
use dp_assay::coins::ChaCha;
use dp_assay::number::rational::ratio;
use serde_json::{Value, json};

/// The noise of the threshold that is summed over.
const REACH: i64 = 150;

struct SparseVector {
    threshold: Noise,
    /// None for no noise on the answers.
    answers: Option<Noise>,
    /// After how many "above" it stops.
    cutoff: usize,
    /// Whether the threshold gets fresh noise after each of them.
    refresh: bool,
    /// Whether it releases the noisy answer instead of 1, and "below" instead of 0.
    release: bool,
}

impl SparseVector {
    fn below(&self) -> Output {
        if self.release {
            Output::Label("below".to_owned())
        } else {
            Output::Integer(0)
        }
    }

    /// The probability that answer + noise < rho.
    fn under(&self, answer: i64, rho: i64) -> f64 {
        match &self.answers {
            Some(noise) => noise.cdf(rho - 1 - answer),
            None => f64::from(u8::from(answer < rho)),
        }
    }

    /// The probability of a transcript, for one threshold: `signs` says where it was above.
    fn transcript(&self, answers: &[i64], signs: &[bool]) -> f64 {
        let given = |rho: i64| -> f64 {
            let factors = answers.iter().zip(signs).map(|(&answer, &above)| {
                // 1 - F is computed as the F of the other tail.
                match (above, &self.answers) {
                    (true, Some(noise)) => noise.cdf(answer - rho),
                    (true, None) => 1.0 - self.under(answer, rho),
                    (false, _) => self.under(answer, rho),
                }
            });
            factors.product()
        };
        (-REACH..=REACH)
            .map(|rho| self.threshold.pmf(rho) * given(rho))
            .sum()
    }

    /// All transcripts: the signs up to the end.
    fn transcripts(&self, answers: usize) -> Vec<Vec<bool>> {
        let mut done = Vec::new();
        let mut open = vec![Vec::new()];
        while let Some(signs) = open.pop() {
            let above = signs.iter().filter(|sign| **sign).count();
            if above == self.cutoff || signs.len() == answers {
                done.push(signs);
            } else {
                open.extend([false, true].map(|next| [&signs[..], &[next]].concat()));
            }
        }
        done
    }
}

impl Mechanism for SparseVector {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let mut rho = self.threshold.draw(coins)?;
        let (mut entries, mut above) = (Vec::new(), 0);
        for answer in integers(data)? {
            let noise = self
                .answers
                .as_ref()
                .map_or(Ok(0), |noise| noise.draw(coins))?;
            let noisy = answer + noise;
            if noisy < rho {
                entries.push(self.below());
                continue;
            }
            entries.push(Output::Integer(if self.release { noisy.into() } else { 1 }));
            above += 1;
            if above == self.cutoff {
                break;
            }
            if self.refresh {
                rho = self.threshold.draw(coins)?;
            }
        }
        Ok(Output::Vector(entries))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let answers = integers(data)?;
        if answers.len() > 8 {
            return Err(TargetError::Data {
                expected: "at most 8 answers",
                got: data.to_string(),
            });
        }
        let mut law = Vec::new();
        for signs in self.transcripts(answers.len()) {
            let last = signs.len().saturating_sub(1);
            if let (true, Some(noise), Some(true)) = (self.release, &self.answers, signs.last()) {
                // One "above", with its value: it is at least the threshold.
                for value in -40..=40_i64 {
                    let given = |rho: i64| -> f64 {
                        answers[..last]
                            .iter()
                            .map(|&answer| self.under(answer, rho))
                            .product()
                    };
                    let before: f64 = (-REACH..=value)
                        .map(|rho| self.threshold.pmf(rho) * given(rho))
                        .sum();
                    let mut entries = vec![self.below(); last];
                    entries.push(Output::Integer(value.into()));
                    law.push((
                        Output::Vector(entries),
                        before * noise.pmf(value - answers[last]),
                    ));
                }
                continue;
            }
            let p = if self.refresh {
                // A fresh threshold after each "above": independent pieces.
                let mut start = 0;
                signs
                    .split_inclusive(|sign| *sign)
                    .map(|piece| {
                        let here = &answers[start..start + piece.len()];
                        start += piece.len();
                        self.transcript(here, piece)
                    })
                    .product()
            } else {
                self.transcript(&answers, &signs)
            };
            let entry = |above: &bool| {
                if *above {
                    Output::Integer(1)
                } else {
                    self.below()
                }
            };
            law.push((Output::Vector(signs.iter().map(entry).collect()), p));
        }
        Ok(Some(law))
    }
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    let mut all = Vec::new();
    let late = || [json!([0, 0, 0, 0, 0, 1]), json!([1, 1, 1, 1, 1, 0])];
    let swapped = || [json!([0, 1]), json!([1, 0])];
    let alternating = || [json!([0, 0, 0, 1, 1, 1]), json!([1, 1, 1, 0, 0, 0])];
    let never = usize::MAX;
    // Noise of the threshold and of the answers (thirds), the cutoff.
    for (name, about, pair, threshold, thirds, cutoff) in [
        (
            "sparse-vector-1",
            "right: noise on the threshold and, twice as much, on the answers",
            late(),
            2,
            12,
            1,
        ),
        (
            "sparse-vector-2",
            "right: a fresh threshold after each answer above it",
            late(),
            4,
            24,
            2,
        ),
        (
            "sparse-vector-3",
            "the noisy answer is released",
            late(),
            2,
            6,
            1,
        ),
        (
            "sparse-vector-4",
            "the noise of the answers ignores that all are noisy",
            late(),
            4,
            4,
            1,
        ),
        (
            "sparse-vector-5",
            "no noise on the answers",
            swapped(),
            2,
            0,
            never,
        ),
        (
            "sparse-vector-6",
            "no end to the answers above",
            alternating(),
            2,
            6,
            never,
        ),
    ] {
        let answers = (thirds > 0)
            .then(|| Noise::new(ratio(thirds, 3)))
            .transpose()?;
        let mechanism = SparseVector {
            threshold: Noise::new(ratio(threshold, 1))?,
            answers,
            cutoff,
            refresh: name == "sparse-vector-2",
            release: name == "sparse-vector-3",
        };
        let found = specimen(name, about, pair, mechanism)?;
        all.push(Specimen {
            relation: None,
            ..found
        });
    }
    Ok(all)
}
