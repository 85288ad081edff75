//! A guess of what the outputs are like, once another law is proved. It is told only if calls that did not choose it bear it
//! out: half of the calls choose, the others decide.
//!
//! In doubles, and at no level: it is a guess, and a proof of nothing.

use super::cells::Cells;
use super::guess::Guess;
use super::placed::{Placed, class};
use super::{ClassCount, scales};
use crate::refute::AuditError;
use dp_assay::number::Enclosure;
use dp_assay::number::rational::{from_f64, to_f64_for_display};
use dp_assay::stats::chi_square::upper_tail;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A guess that the other half of the calls bears out.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// What the outputs are like, in words.
    pub says: String,
    /// How many guesses it was chosen from.
    pub tried: usize,
    /// The calls that did not choose it.
    pub calls: u64,
    /// How often such a sum of squares, or a larger one, would come if it were right: the least of five, at least 1/20.
    pub p: f64,
}

/// Fewer calls in a half decide nothing.
const FEWEST: u64 = 40;
/// On the other half the guess must be so many times as likely as the law.
const TIMES: f64 = 20.0;
/// And it must fit at this level.
const FITS: f64 = 0.05;

/// The residues are counted modulo the least common multiple of all moduli that are looked at.
const ALL_CLASSES: usize = 840;
/// The moduli of guesses.
const MODULI: [u32; 6] = [2, 3, 4, 5, 7, 8];
/// Those that they must fit.
const PRIME_POWERS: [u32; 4] = [8, 3, 5, 7];
/// Classes of laws that reach over so many integers are equally likely, nearly.
const WIDE: i64 = 20_000;

/// The calls of one half.
#[derive(Default, Clone)]
struct Half {
    calls: u64,
    cells: Vec<u64>,
    classes: Vec<u64>,
}

/// All calls, each second one in the second half.
pub struct Halves([Half; 2]);

impl Halves {
    pub fn new(cells: usize) -> Self {
        let half = Half {
            calls: 0,
            cells: vec![0; cells],
            classes: vec![0; ALL_CLASSES],
        };
        Self([half.clone(), half])
    }

    pub fn update(&mut self, cell: usize, value: &BigInt) {
        let [choosing, deciding] = &mut self.0;
        let half = if choosing.calls == deciding.calls {
            choosing
        } else {
            deciding
        };
        half.calls += 1;
        half.cells[cell] += 1;
        half.classes[class(value, ALL_CLASSES as u32)] += 1;
    }

    /// The guess that half of the calls like best, if the others bear it out.
    pub fn fit(&self, law: &Placed, cells: &Cells) -> Result<Option<Fit>, AuditError> {
        let [choosing, deciding] = &self.0;
        if deciding.calls < FEWEST {
            return Ok(None);
        }
        let asked = Model {
            says: String::new(),
            cells: cells.guess(law, &BigInt::ZERO),
            classes: Classes::Of(Box::new(law.clone()), BigInt::ZERO),
        };
        let of_law = classes(law, &BigInt::ZERO);
        let mut models = other_noise(law, cells)?;
        models.extend(MODULI.map(|modulus| other_residues(&asked, modulus, choosing)));
        let tried = models.len();
        let gain = |model: &Model, half: &Half| match &model.classes {
            Classes::Of(..) => log_odds(&half.cells, &model.cells, &asked.cells),
            Classes::Learned(modulus, learned) => {
                let [counts, of_law] = [
                    &folded(
                        &half.classes.iter().map(|n| *n as f64).collect::<Vec<_>>(),
                        *modulus,
                    ),
                    &folded(&of_law, *modulus),
                ];
                counts
                    .iter()
                    .zip(learned.iter().zip(of_law))
                    .map(|(n, (q, p))| n * (q / p.max(1e-18)).ln())
                    .sum()
            }
        };
        // What is learned from as many calls as choose seems better than it is.
        let score = |model: &Model| match &model.classes {
            Classes::Of(..) => gain(model, choosing),
            Classes::Learned(modulus, _) => gain(model, choosing) - f64::from(modulus - 1),
        };
        let scored = models.into_iter().map(|model| (score(&model), model));
        let Some((_, best)) = scored.max_by(|a, b| a.0.total_cmp(&b.0)) else {
            return Ok(None);
        };
        if gain(&best, deciding) < TIMES.ln() {
            return Ok(None);
        }
        let p = best.p_value(&of_law, deciding);
        Ok((p >= FITS).then_some(Fit {
            says: best.says,
            tried,
            calls: deciding.calls,
            p,
        }))
    }

    /// The class of residues that is farthest from what it should be, in standard deviations.
    pub fn farthest(&self, law: &Placed) -> Option<ClassCount> {
        let [first, second] = &self.0;
        let all = (first.calls + second.calls) as f64;
        let counts: Vec<f64> = first
            .classes
            .iter()
            .zip(&second.classes)
            .map(|(a, b)| (a + b) as f64)
            .collect();
        let of_law = classes(law, &BigInt::ZERO);
        let candidates = MODULI.into_iter().flat_map(|modulus| {
            let pairs = folded(&counts, modulus)
                .into_iter()
                .zip(folded(&of_law, modulus));
            (0..)
                .zip(pairs)
                .map(move |(residue, (count, p))| {
                    let deviation = (count - all * p).abs() / (all * p * (1.0 - p) + 1.0).sqrt();
                    (
                        deviation,
                        ClassCount {
                            modulus,
                            residue,
                            expected: all * p,
                            count: count as u64,
                        },
                    )
                })
                .collect::<Vec<_>>()
        });
        candidates
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, class)| class)
    }
}

/// What the outputs may be like.
struct Model {
    says: String,
    /// The probabilities of the cells.
    cells: Vec<f64>,
    classes: Classes,
}

/// The probabilities of the classes of residues.
enum Classes {
    /// Those of a law, shifted.
    Of(Box<Placed>, BigInt),
    /// Learned modulo this number, and otherwise those of the law that is asked for.
    Learned(u32, Vec<f64>),
}

impl Model {
    /// The least of one test for the cells and four for the residues.
    fn p_value(&self, of_law: &[f64], half: &Half) -> f64 {
        let counts: Vec<f64> = half.classes.iter().map(|count| *count as f64).collect();
        let own = match &self.classes {
            Classes::Of(law, shift) => classes(law, shift),
            Classes::Learned(..) => of_law.to_vec(),
        };
        let mut least = chi_squared(
            &half.cells.iter().map(|n| *n as f64).collect::<Vec<_>>(),
            &self.cells,
            1.0,
        );
        for modulus in PRIME_POWERS {
            let mut expected = folded(&own, modulus);
            let mut learned_too = 1.0;
            if let Classes::Learned(smaller, learned) = &self.classes
                && modulus % smaller == 0
            {
                let of_smaller = folded(&own, *smaller);
                for (residue, p) in expected.iter_mut().enumerate() {
                    let residue = residue % *smaller as usize;
                    *p *= learned[residue] / of_smaller[residue].max(1e-18);
                }
                // The frequencies that were learned vary as much as these.
                learned_too = 2.0;
            }
            least = least.min(chi_squared(
                &folded(&counts, modulus),
                &expected,
                learned_too,
            ));
        }
        least
    }
}

/// The law with other noise: less, more, shifted, or without what is far out.
fn other_noise(law: &Placed, cells: &Cells) -> Result<Vec<Model>, AuditError> {
    let mut models = Vec::new();
    let scaled = scales::less(law)?.into_iter().chain(scales::more(law)?);
    for (factor, scaled) in scaled {
        models.push(Model {
            says: format!(
                "the law with {} times the noise",
                to_f64_for_display(&factor)
            ),
            cells: cells.guess(&scaled, &BigInt::ZERO),
            classes: Classes::Of(Box::new(scaled), BigInt::ZERO),
        });
    }
    for shift in scales::shifts(law) {
        models.push(Model {
            says: format!("the law shifted by {}", law.size(&shift)),
            cells: cells.guess(law, &shift),
            classes: Classes::Of(Box::new(law.clone()), shift),
        });
    }
    let whole = cells.guess(law, &BigInt::ZERO);
    for edge in cells.edges.iter().filter(|edge| **edge >= BigInt::ZERO) {
        let inside = |cell: usize| {
            let above = cell
                .checked_sub(1)
                .is_none_or(|before| cells.edges[before] >= -edge - 1);
            above && cells.edges.get(cell).is_some_and(|to| to <= edge) && cell > 0
        };
        let kept = (0..cells.count()).map(|cell| if inside(cell) { whole[cell] } else { 0.0 });
        let kept: Vec<f64> = kept.collect();
        let mass: f64 = kept.iter().sum();
        // What is left of the law must be most of it.
        if mass > 0.5 {
            models.push(Model {
                says: format!("the law without what is beyond {}", law.size(edge)),
                cells: kept.iter().map(|p| (p / mass).max(1e-18)).collect(),
                classes: Classes::Of(Box::new(law.clone()), BigInt::ZERO),
            });
        }
    }
    Ok(models)
}

/// The law with residues that come as often as in this half.
fn other_residues(asked: &Model, modulus: u32, half: &Half) -> Model {
    let counts: Vec<f64> = half.classes.iter().map(|count| *count as f64).collect();
    let counts = folded(&counts, modulus);
    let all = half.calls as f64 + f64::from(modulus) / 2.0;
    let learned: Vec<f64> = counts.iter().map(|count| (count + 0.5) / all).collect();
    let parts: Vec<String> = learned.iter().map(|part| format!("{part:.3}")).collect();
    Model {
        says: format!(
            "the law, but with residues modulo {modulus} of frequencies {}",
            parts.join(", ")
        ),
        cells: asked.cells.clone(),
        classes: Classes::Learned(modulus, learned),
    }
}

/// The probabilities of the classes modulo [`ALL_CLASSES`] of a law that is shifted.
fn classes(law: &Placed, shift: &BigInt) -> Vec<f64> {
    let guess = Guess::of(law);
    let ends = [1e-9, 1.0 - 1e-9].map(|mass| guess.quantile(mass).to_i64());
    let (Some(least), Some(most)) = (ends[0], ends[1]) else {
        return vec![1.0 / ALL_CLASSES as f64; ALL_CLASSES];
    };
    if most.saturating_sub(least) > WIDE {
        return vec![1.0 / ALL_CLASSES as f64; ALL_CLASSES];
    }
    let mut classes = vec![0.0; ALL_CLASSES];
    let mut before = 0.0;
    for k in least..=most {
        let to = if k == most { 1.0 } else { guess.cdf(&k.into()) };
        classes[class(&(shift + k), ALL_CLASSES as u32)] += to - before;
        before = to;
    }
    classes
}

/// The sums over the classes modulo a divisor of their number.
fn folded(classes: &[f64], modulus: u32) -> Vec<f64> {
    let mut sums = vec![0.0; modulus as usize];
    for (class, value) in classes.iter().enumerate() {
        sums[class % modulus as usize] += value;
    }
    sums
}

/// By how much the logarithm of the likelihood of one law is above that of another.
fn log_odds(counts: &[u64], model: &[f64], law: &[f64]) -> f64 {
    let terms = counts.iter().zip(model.iter().zip(law));
    terms
        .map(|(&count, (q, p))| count as f64 * (q / p).ln())
        .sum()
}

/// How often a sum of squares as large as that of these counts comes: neighbours are taken together until 5 are expected.
/// `variance` is how many times as large as the binomial one it is.
fn chi_squared(counts: &[f64], probabilities: &[f64], variance: f64) -> f64 {
    let calls: f64 = counts.iter().sum();
    let all: f64 = probabilities.iter().sum();
    let mut groups: Vec<(f64, f64)> = Vec::new();
    let (mut seen, mut expected) = (0.0, 0.0);
    for (count, p) in counts.iter().zip(probabilities) {
        seen += count;
        expected += calls * p / all;
        if expected >= 5.0 {
            groups.push((seen, expected));
            (seen, expected) = (0.0, 0.0);
        }
    }
    if let Some(last) = groups.last_mut() {
        last.0 += seen;
        last.1 += expected;
    }
    if groups.len() < 2 {
        // Nothing else is expected than what is left over.
        return if seen > 0.0 && groups.is_empty() {
            0.0
        } else {
            1.0
        };
    }
    let squares = groups
        .iter()
        .map(|(seen, expected)| (seen - expected).powi(2) / expected);
    let sum = squares.sum::<f64>() / variance;
    let tail =
        from_f64(sum).and_then(|sum| upper_tail(groups.len() as u64 - 1, &Enclosure::of(&sum, 64)));
    // A sum too large to be computed is too large.
    tail.map_or(0.0, |tail| to_f64_for_display(&tail.upper()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::coins::{ChaCha, Coins};
    use dp_assay::law::named::NamedLaw;
    use dp_assay::number::rational::{integer, ratio};

    fn placed(text: &str) -> Placed {
        Placed::new(&text.parse().unwrap(), &integer(0)).unwrap()
    }

    /// The guess after so many calls of `truth`, each changed.
    fn guess(
        asked: &str,
        truth: &str,
        calls: u32,
        change: impl FnMut(BigInt, &mut ChaCha) -> BigInt,
    ) -> Option<Fit> {
        guess_of_stream(29, asked, truth, calls, change)
    }

    /// The same, with coins of this stream.
    fn guess_of_stream(
        stream: u64,
        asked: &str,
        truth: &str,
        calls: u32,
        mut change: impl FnMut(BigInt, &mut ChaCha) -> BigInt,
    ) -> Option<Fit> {
        let (law, truth) = (placed(asked), truth.parse::<NamedLaw>().unwrap());
        let cells = Cells::of(&law).unwrap();
        let mut halves = Halves::new(cells.count());
        let mut coins = ChaCha::reproducible(1, stream);
        for _ in 0..calls {
            let value = truth.draw(&mut coins).unwrap();
            let value = change(value, &mut coins);
            halves.update(cells.index(&value), &value);
        }
        halves.fit(&law, &cells).unwrap()
    }

    const ASKED: &str = "discrete-laplace scale=20";
    /// 1.424 times as wide, a ratio that is guessed.
    const WIDER: &str = "discrete-laplace scale=712/25";

    #[test]
    fn noise_of_another_scale_is_told() {
        // Each of five tests at 1/20 holds it back by chance: it is told at least three times of four, on average. Of 20 runs
        // fewer than 9 tell it with probability 0.001.
        let runs = (0..20)
            .filter_map(|stream| guess_of_stream(stream, ASKED, WIDER, 20_000, |value, _| value));
        let told: Vec<Fit> = runs.collect();
        assert!(told.len() >= 9, "{}", told.len());
        for found in told {
            assert_eq!(found.says, "the law with 1.424 times the noise");
            assert_eq!(found.calls, 10_000);
            assert!(found.p >= 0.05, "{found:?}");
        }
        // Between two ratios there is none that fits.
        assert_eq!(
            guess(ASKED, "discrete-laplace scale=31", 20_000, |value, _| value),
            None
        );
    }

    /// Odd numbers come as 11 to 10: the cells are those of wider noise, and the residues are not.
    #[test]
    fn noise_on_a_lattice_is_like_no_noise_of_another_scale() {
        let odd = |value: BigInt, coins: &mut ChaCha| match coins.bernoulli(&ratio(1, 21)).unwrap()
        {
            true => value | BigInt::from(1),
            false => value,
        };
        assert_eq!(guess(ASKED, WIDER, 20_000, odd), None);
        // Of the law itself they are told.
        let found = guess_of_stream(31, ASKED, ASKED, 40_000, odd).unwrap();
        assert!(found.says.contains("residues modulo 2"), "{found:?}");
    }

    #[test]
    fn few_calls_and_calls_of_the_law_make_no_guess() {
        assert_eq!(guess(ASKED, WIDER, 79, |value, _| value), None);
        assert_eq!(guess(ASKED, ASKED, 20_000, |value, _| value), None);
    }

    #[test]
    fn the_sum_of_squares_has_its_known_quantiles() {
        // (60 - 50)^2 / 50 twice: 4 with one degree of freedom, of probability 0.0455.
        let p = chi_squared(&[60.0, 40.0], &[0.5, 0.5], 1.0);
        assert!((p - 0.0455).abs() < 1e-4, "{p}");
        // Of twice the variance: 2, of probability 0.1573.
        let p = chi_squared(&[60.0, 40.0], &[0.5, 0.5], 2.0);
        assert!((p - 0.1573).abs() < 1e-4, "{p}");
        // Cells of fewer than 5 expected calls are taken together.
        let p = chi_squared(&[60.0, 39.0, 1.0], &[0.5, 0.49, 0.01], 1.0);
        assert!((p - 0.0455).abs() < 1e-4, "{p}");
    }
}
