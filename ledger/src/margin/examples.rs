//! Appendices G and H: a bad cover for the exponential mechanism, and a large minimiser of the hinge loss.

use super::gibbs::shipped_bound;
use super::line::{hinge, least_hinge};
use super::{BITS, record};
use crate::claim::{Check, Trouble};
use dp_assay::coins::Law;
use dp_assay::margin::bounds::GibbsRun;
use dp_assay::margin::gibbs::Candidates;
use dp_assay::margin::{Dataset, Domain};
use dp_assay::number::rational::{integer, ratio, shortly, to_scientific_above};
use dp_assay::number::{Enclosure, Grid, Rational};
use dp_assay::sample::ScoredChoice;
use num_traits::Zero;

/// Vectors of signs, as bits that are 1 for -1: first that of all +1, then in their order each that differs from all taken
/// in at least `d/4` places.
fn code(d: u32) -> Vec<u32> {
    let mut taken: Vec<u32> = Vec::new();
    for word in 0..1u32 << d {
        if taken.iter().all(|c| 4 * (word ^ c).count_ones() >= d) {
            taken.push(word);
        }
    }
    taken
}

/// The signs of a word.
fn signs(word: u32, d: u32) -> impl Iterator<Item = i32> {
    (0..d).map(move |place| 1 - 2 * ((word >> place) & 1) as i32)
}

/// All ways to write `total` as a sum of at most `parts` numbers that do not increase, each at most `largest`.
fn partitions(total: usize, parts: usize, largest: usize) -> Vec<Vec<usize>> {
    if total == 0 {
        return vec![Vec::new()];
    }
    if parts == 0 {
        return Vec::new();
    }
    let mut found = Vec::new();
    for first in 1..=largest.min(total) {
        for rest in partitions(total - first, parts - 1, first) {
            found.push([vec![first], rest].concat());
        }
    }
    found
}

/// `1/(1 + (|C| - 1) e^(-epsilon m/2))` at epsilon = 1.
fn promised(size: usize, m: usize) -> Result<Enclosure, Trouble> {
    let weight = Enclosure::exp_of(&-ratio(m as i64, 2), BITS)?;
    let others = Enclosure::integer(size as u64 - 1, BITS) * weight;
    let all = others + Enclosure::integer(1, BITS);
    Ok(Enclosure::integer(1, BITS).divided_by(&all)?)
}

/// `bms22.lemG_1`: the cover of the proof, and one where the good hypothesis has margin 1.
pub(super) fn bad_cover(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "d = 4, 8, 12, epsilon = 1 and the largest m for which the lemma speaks, 5, 9, 11: the greedy code; all samples of \
         e_1, ..., e_d up to the order of coordinates, with how often each comes not increasing; and the code beside a \
         coordinate of its own, all records there",
    );
    let dimensions: &[u32] = if check.quick() { &[4, 8] } else { &[4, 8, 12] };
    for &d in dimensions {
        let words = code(d);
        // No smaller than by the argument of Gilbert and Varshamov.
        let mut ball: u64 = 0;
        let mut choose: u64 = 1;
        for k in 0..d.div_ceil(4) {
            ball += choose;
            choose = choose * u64::from(d - k) / u64::from(k + 1);
        }
        let large = words.len() as u64 * ball >= 1 << d;
        check.holds(large, format_args!("d = {d}: {} words", words.len()));
        let coordinates = words.iter().flat_map(|&word| signs(word, d)).collect();
        let candidates = Candidates::new(d as usize, coordinates)?;

        // Errors on the distribution: a quarter at least of all but the first.
        let domain = Domain::new(Grid::new(0)?, d as usize, 1)?;
        let unit = |place: usize| {
            let mut features = vec![0; d as usize];
            features[place] = 1;
            record(&features, true)
        };
        let once = Dataset::new(domain, (0..d as usize).map(unit).collect())?;
        let errors = candidates.errors(&once)?;
        let far = errors[1..].iter().all(|e| 4 * e >= d);
        check.holds(errors[0] == 0 && far, format_args!("d = {d}: {errors:?}"));

        // m <= (2/epsilon) ln |U|, with U all but the first.
        let logarithm = Enclosure::integer(words.len() as u64 - 1, BITS)
            .ln()?
            .shifted(1);
        let mut m: usize = 0;
        while Enclosure::integer(m as u64 + 1, BITS).is_below(&logarithm) {
            m += 1;
        }
        let most = promised(words.len(), m)?;
        check.holds(
            most.is_below_rational(&ratio(1, 2)),
            format_args!("d = {d}, m = {m}: {most}"),
        );
        let mut largest = Rational::zero();
        for counts in partitions(m, d as usize, m) {
            let mut records = Vec::new();
            for (place, &count) in counts.iter().enumerate() {
                records.extend(vec![unit(place); count]);
            }
            let data = Dataset::new(domain, records)?;
            let law = ScoredChoice::new(candidates.errors(&data)?, &integer(1))?;
            let good = law.pmf(&0, BITS)?;
            check.holds(
                good.is_below(&most),
                format_args!("d = {d}, {counts:?}: {good} of {most}"),
            );
            largest = largest.max(good.upper());
        }
        let text = format!("{} of {}", shortly(&largest), shortly(&most.upper()));
        check.figure(
            format!("d = {d}, m = {m}: largest probability of the good hypothesis"),
            text,
        );

        // With margin 1: the good hypothesis is a coordinate on which all others tie.
        let mut coordinates = vec![1];
        coordinates.extend(vec![0; d as usize]);
        for &word in &words[1..] {
            coordinates.push(0);
            coordinates.extend(signs(word, d));
        }
        let candidates = Candidates::new(d as usize + 1, coordinates)?;
        let domain = Domain::new(Grid::new(0)?, d as usize + 1, 1)?;
        let mut first = vec![0; d as usize + 1];
        first[0] = 1;
        let data = Dataset::new(domain, vec![record(&first, true); m])?;
        let errors = candidates.errors(&data)?;
        let law = ScoredChoice::new(errors.clone(), &integer(1))?;
        let good = law.pmf(&0, BITS)?;
        let bad = errors[1..].iter().all(|e| *e as usize == m);
        check.holds(
            errors[0] == 0 && bad && good.meets(&most) && good.has_digits(20),
            format_args!("d = {d}, m = {m}, margin 1: {good}"),
        );
    }
    Ok(())
}

/// `bms22.e8`: where the cover of Lemma G.1 fails, candidates from a prior that is the same in all directions do not.
pub(super) fn direct_mechanism(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "m = 5000, epsilon = 1, q = 3/2, beta = 1/20 and d = 10^6: the shipped bound, and by its formula; that of the lemma",
    );
    let (m, d) = (5000u64, 1_000_000u64);
    let run = GibbsRun {
        records: m,
        dimension: d,
        candidates: 1_000_000,
        epsilon: integer(1),
        beta: ratio(1, 20),
    };
    let alpha = shipped_bound(check, &run, &ratio(3, 2), &integer(0))?;
    // ln(|U| + 1) >= d (ln 2 - H(1/4)): the lemma speaks for m <= 2 ln |U|.
    let ln = |value: Rational| Enclosure::of(&value, BITS).ln();
    let entropy = ln(integer(4))? * Enclosure::of(&ratio(1, 4), BITS)
        + ln(ratio(4, 3))? * Enclosure::of(&ratio(3, 4), BITS);
    let size = (ln(integer(2))? - entropy) * Enclosure::integer(d, BITS);
    let speaks = size.is_above_rational(&integer(m / 2 + 1));
    check.holds(speaks, "the cover of Lemma G.1 fails at m = 5000, d = 10^6");
    check.holds(
        size.is_above_rational(&(integer(d) / integer(8))),
        "the logarithm of the size of the cover is above d/8",
    );
    check.holds(
        alpha < ratio(1, 10),
        "m = 5000, d = 10^6, epsilon = 1: a million public candidates from a prior that is the same in all directions",
    );
    check.figure(
        "error that the candidates promise",
        to_scientific_above(&alpha, 3),
    );
    check.figure(
        "the cover of Lemma G.1 errs a quarter for all m up to",
        shortly(&(size.lower() * integer(2)).floor()),
    );
    Ok(())
}

/// `bms22.appH`: the distribution of Appendix H, and samples of it.
pub(super) fn large_norm(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "gamma = 1/4, 1/10, 1/1000 and 1/10^6, p = 1/2, q_1 = p gamma/2, p gamma and 3 p gamma/2; samples of m = 20, 100 \
         and 1000 points, one of them at -1",
    );
    for inverse in [4, 10, 1000, 1_000_000] {
        let gamma = ratio(1, inverse);
        let p = ratio(1, 2);
        for (half, expected) in [(1, Some(inverse)), (2, None), (3, Some(1))] {
            let q1 = &p * &gamma * ratio(half, 2);
            let q2 = integer(1) - &p - &q1;
            let points = [
                (p.clone(), gamma.clone()),
                (q1.clone(), integer(-1)),
                (q2.clone(), integer(1)),
            ];
            let (w, least) = least_hinge(&points, None);
            let (far, near) = (
                hinge(&points, &integer(inverse)),
                hinge(&points, &integer(1)),
            );
            let instance = format!("gamma = {gamma}, q_1 = {q1}: {w}, {least}");
            match expected {
                Some(expected) => {
                    // By the slopes: of the lesser of the two bends, and of no other point.
                    check.holds(w == integer(expected) && far != near, &instance);
                }
                None => check.holds(far == near && least == far, &instance),
            }
            if half == 1 {
                let value = &q1 * integer(inverse + 1);
                check.holds(least == value, &instance);
            }
            // Every w > 0 errs on the point at -1 and on no other.
            for w in [integer(1), integer(inverse), ratio(1, 1000)] {
                let wrong = points.iter().filter(|(_, z)| z * &w <= integer(0));
                let error = wrong.fold(integer(0), |sum, (weight, _)| sum + weight);
                check.holds(error == q1, format_args!("{instance}: w = {w}"));
            }
        }
    }
    // One point of m at -1, half of them at 3/m: the hinge loss is least at m/3.
    for m in [20, 100, 1000] {
        let share = |count: i64| ratio(count, m);
        let points = [
            (share(m / 2), ratio(3, m)),
            (share(1), integer(-1)),
            (share(m / 2 - 1), integer(1)),
        ];
        let (w, least) = least_hinge(&points, None);
        check.holds(w == ratio(m, 3), format_args!("m = {m}: {w}, {least}"));
        check.figure(format!("m = {m}: |w| of the least hinge loss"), shortly(&w));
    }
    Ok(())
}
