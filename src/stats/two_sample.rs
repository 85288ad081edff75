//! Is an event more frequent on one of two data sets than (epsilon, delta) allows? An exact
//! unconditional test, and the lower bound on epsilon that it gives.
//!
//! The event came `x` times in `n` trials on the one and `y` times in `m` on the other; the null is
//! `p <= f(q) = min(1, e^epsilon q + delta)`.
//!
//! 1. *The order.* Each `y` has a fixed reference `q*(y)`, near the null maximum likelihood at the
//!    edge of rejection. The statistic is Pearson's, `T(x, y) = n (x/n - f)^2 / (f (1 - f)) + m (y/m -
//!    q*)^2 / (q* (1 - q*))` at `q*` and `f = f(q*)`, and 0 where `x/n <= f`. It increases in `x`, in
//!    floats too, because every operation is monotone: so `{T >= t}` is `{x >= k(y)}`. To first order
//!    it is the score test at its edge, whose restricted estimate, on the other hand, needs a proof of monotony.
//! 2. *Monotone regions.* The region is enlarged to `R = {x >= kbar(y)}` with the running minimum
//!    `kbar(y) = min {k(y'): y' >= y}`. These regions are nested in `t`. `R` goes up in `x` and down
//!    in `y`, so `P_{p,q}(R)` rises with `p` and falls with `q`: its supremum over the null at given
//!    `q` is at `p = f(q)`, and over a cell `a <= q <= b` it is at most `P_{f(b),a}(R)`.
//! 3. *Berger and Boos.* `q` runs over its Clopper-Pearson interval at level `gamma = level / 1000`,
//!    from `y` alone; the test rejects if all cells are at most `level - gamma`.
//! 4. *Blocks.* The claims of a short interval of epsilons are judged by the order of its first. Their
//!    regions are then the same and their nulls are nested, so that within a block the p-value rises with epsilon,
//!    and halving finds the last claim that is rejected.
//!
//! Probabilities are rounded up (see `window.rs`), and what is not settled counts as not rejected:
//! so the level holds exactly, for every `n` and `m`.
#![allow(clippy::float_arithmetic)] // judges someone else's privacy, each bound rounded to the safe side

use super::window::Window;
use super::{Null, StatsError, clopper_pearson, directed};
use crate::number::{Rational, rational};

/// The steps of the grid on which epsilon is read off, per unit.
const STEPS: i64 = 50_000;

/// The last step of that grid.
const LAST: i64 = 40 * STEPS;

/// The narrowest cell of the sweep over `q`, as a part of the interval: where a wider one does not settle it, the
/// test does not reject. The interval is about eight standard deviations wide, so that `P` is overstated by a few
/// hundredths of itself at most.
const NARROWEST: f64 = 1.0 / 1024.0;

/// The exact test of `p <= e^epsilon q + delta` from two binomial counts.
#[derive(Debug, Clone, PartialEq)]
pub struct TwoSample {
    first: u64,
    second: u64,
    /// `level` less gamma and less `quick`, rounded down.
    level: f64,
    /// A hundredth of the level, for the simple bound from which [`TwoSample::epsilon_lower`] starts.
    quick: Rational,
    /// Half of gamma, for either side of the interval, rounded down.
    half_gamma: f64,
    /// Near the square of the normal quantile at the level; shapes the order, on which the level does not depend.
    edge: f64,
}

impl TwoSample {
    /// The test at this level, with `first` trials on the data set where the event is suspected to be
    /// too frequent, and `second` on the other.
    ///
    /// # Errors
    /// [`StatsError::Parameter`], [`StatsError::Counts`].
    pub fn new(first: u64, second: u64, level: &Rational) -> Result<Self, StatsError> {
        clopper_pearson::check(first, 0)?;
        clopper_pearson::check(second, 0)?;
        let quick = level / num_bigint::BigInt::from(100);
        let level = directed::level(level)?;
        let quantile = normal_quantile(level.min(0.5));
        Ok(Self {
            first,
            second,
            // 0.989 for the exact test, 0.001 for gamma and 0.01 for the simple bound.
            level: level * 0.989 * (1.0 - 1e-12),
            quick,
            half_gamma: level * 0.0005 * (1.0 - 1e-12),
            edge: (quantile * quantile).max(0.25),
        })
    }

    /// Whether `x` occurrences on the first and `y` on the second reject the claim.
    ///
    /// # Errors
    /// [`StatsError::Counts`].
    pub fn rejects(&self, x: u64, y: u64, null: &Null) -> Result<bool, StatsError> {
        self.check(x, y)?;
        let order = Order::new(self, self.block(null));
        let score = order.statistic(x, &order.reference(y));
        let (interval, guess) = (self.interval(y), order.reference(y).q);
        Ok(score > 0.0
            && self
                .region(&order, score, interval)
                .is_improbable(null, guess))
    }

    /// The last of these claims, each of which implies the next one, up to which every one is rejected: except with
    /// probability at most the level, it is false. `null` gives a hypothesis that the claim implies, and depends on no
    /// count of these trials.
    ///
    /// Each is rejected by the simple bounds, which hold for all claims at once with their share of the level, or by the
    /// exact test: so the only other error is that this test rejects the first true claim.
    ///
    /// # Errors
    /// [`StatsError::Counts`], and those of `null`.
    pub fn last_rejected<'a, T>(
        &self,
        x: u64,
        y: u64,
        claims: &'a [T],
        null: impl Fn(&T) -> Result<Null, StatsError>,
    ) -> Result<Option<&'a T>, StatsError> {
        let (p, q) = self.bounds(x, y)?;
        last_while(claims, |claim| {
            let null = null(claim)?;
            Ok(null.boundary(q) < p || self.rejects(x, y, &null)?)
        })
    }

    /// [`Self::last_rejected`] by the simple bounds alone, where not all trials were counted: `x` is at most the true
    /// number of occurrences, and `y` at least.
    ///
    /// With probability 1 less their hundredth of the level, the exact bounds of the true counts hold. The exact lower bound rises with
    /// `x` and the upper one with `y`, and the bounds that are computed lie on their safe sides. So whatever `x` and `y` are, their
    /// bounds hold then too: it does not matter who chose the trials that were left out, after what, nor how often this is asked
    /// on the way.
    ///
    /// # Errors
    /// As for [`Self::last_rejected`].
    pub fn last_rejected_at_worst<'a, T>(
        &self,
        x: u64,
        y: u64,
        claims: &'a [T],
        null: impl Fn(&T) -> Result<Null, StatsError>,
    ) -> Result<Option<&'a T>, StatsError> {
        let (p, q) = self.bounds(x, y)?;
        last_while(claims, |claim| Ok(null(claim)?.boundary(q) < p))
    }

    /// [`Self::epsilon_lower`] by the simple bounds alone, as for [`Self::last_rejected_at_worst`].
    ///
    /// # Errors
    /// As for [`Self::epsilon_lower`].
    pub fn epsilon_lower_at_worst(
        &self,
        x: u64,
        y: u64,
        delta: &Rational,
    ) -> Result<Option<Rational>, StatsError> {
        self.check(x, y)?;
        let step = simple_step((self.first, x), (self.second, y), delta, &self.quick)?;
        Ok(step.map(|step| rational::ratio(step, STEPS)))
    }

    /// The simple bounds, with their hundredth of the level: below `p`, and above `q`.
    fn bounds(&self, x: u64, y: u64) -> Result<(f64, f64), StatsError> {
        self.check(x, y)?;
        let half = &self.quick / num_bigint::BigInt::from(2);
        Ok((
            clopper_pearson::lower(self.first, x, &half)?,
            clopper_pearson::upper(self.second, y, &half)?,
        ))
    }

    /// A lower bound on epsilon at this delta: except with probability at most the level, epsilon is
    /// *above* it. `None` if not even epsilon = 0 is rejected.
    ///
    /// A multiple of 1/50000. The blocks are tested from 0 upwards, each by its last claim, up to the first
    /// that is not rejected as a whole, and that one by halving. If `e` is the smallest true epsilon, the bound reaches
    /// it only if a claim from `e` on is rejected in the block of `e`; then `e` is too, by step 4: so the only error is to
    /// reject the smallest true claim. Halving over all claims would not do, as the order changes from block to block,
    /// and rejection is not monotone across them.
    ///
    /// # Errors
    /// [`StatsError::Counts`], [`StatsError::Claim`].
    pub fn epsilon_lower(
        &self,
        x: u64,
        y: u64,
        delta: &Rational,
    ) -> Result<Option<Rational>, StatsError> {
        self.check(x, y)?;
        let claim = |step| Null::new(&rational::ratio(step, STEPS), delta);
        // Up to the simple bound all claims are rejected at once, by its share of the level.
        let simple = simple_step((self.first, x), (self.second, y), delta, &self.quick)?;
        let mut rejected = simple.unwrap_or(-1);
        while rejected < LAST {
            let (start, end) = self.block_of(rejected + 1);
            let order = Order::new(self, claim(start)?);
            let reference = order.reference(y);
            let score = order.statistic(x, &reference);
            if score <= 0.0 {
                break;
            }
            let region = self.region(&order, score, self.interval(y));
            if region.is_improbable(&claim(end)?, reference.q) {
                rejected = end;
                continue;
            }
            let mut kept = end;
            while kept - rejected > 1 {
                let middle = rejected + (kept - rejected) / 2;
                if region.is_improbable(&claim(middle)?, reference.q) {
                    rejected = middle;
                } else {
                    kept = middle;
                }
            }
            break;
        }
        Ok((rejected >= 0).then(|| rational::ratio(rejected, STEPS)))
    }

    /// Counts that reject for sure: for each `y` in `from..=to` an `x` from which on, and above the number of trials if
    /// there is none. At most a little above the least: one score serves for all `y`, and it is the least to a hundredth.
    ///
    /// Regions are nested in the score, so that a table whose score is at least `t` is rejected if `R_t` is improbable
    /// for all `q` that some `y` leaves possible.
    ///
    /// # Errors
    /// [`StatsError::Counts`].
    pub(super) fn sure_counts(
        &self,
        from: u64,
        to: u64,
        null: &Null,
    ) -> Result<Vec<u64>, StatsError> {
        self.check(0, to)?;
        let order = Order::new(self, self.block(null));
        let interval = (self.interval(from).0, self.interval(to).1);
        let guess = order.reference(from + (to - from) / 2).q;
        let sure = |score: f64| {
            self.region(&order, score, interval)
                .is_improbable(null, guess)
        };
        let (mut low, mut high) = (self.edge * 0.5, self.edge);
        while !sure(high) {
            if high > 1e9 {
                return Ok(vec![self.first + 1; (to - from + 1) as usize]);
            }
            (low, high) = (high, high * 1.1);
        }
        while high > low * 1.01 {
            let middle = (low + high) / 2.0;
            if sure(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Ok((from..=to).map(|y| order.least(y, high)).collect())
    }

    /// The numbers of trials.
    #[must_use]
    pub fn trials(&self) -> (u64, u64) {
        (self.first, self.second)
    }

    fn check(&self, x: u64, y: u64) -> Result<(), StatsError> {
        clopper_pearson::check(self.first, x)?;
        clopper_pearson::check(self.second, y)
    }

    /// Where `q` is, except with probability gamma.
    fn interval(&self, y: u64) -> (f64, f64) {
        (
            clopper_pearson::lower_at(self.second, y, self.half_gamma),
            clopper_pearson::upper_at(self.second, y, self.half_gamma),
        )
    }

    /// Step 4: the first and the last step of the block of `step`. A block is narrower than the standard error of an
    /// estimate of epsilon, which is at least `sqrt((e^epsilon - 1) / n)` as `q <= e^-epsilon`: from one integer to
    /// the next it has `sqrt(n / e^epsilon)` blocks, and at least 50.
    fn block_of(&self, step: i64) -> (i64, i64) {
        let unit = step / STEPS * STEPS;
        let fewest = self.first.min(self.second) as f64;
        let blocks = (fewest / ((unit / STEPS) as f64).exp()).sqrt().max(50.0) as i64;
        let width = (STEPS / blocks).max(1);
        let start = unit + (step - unit) / width * width;
        (start, (start + width - 1).min(unit + STEPS - 1).min(LAST))
    }

    /// Near the first claim of the block of `null`: it only shapes an order.
    fn block(&self, null: &Null) -> Null {
        let step = (null.slope.ln() * STEPS as f64 + 1e-3).max(0.0) as i64;
        let start = self.block_of(step).0 as f64 / STEPS as f64;
        Null {
            slope: start.exp(),
            delta: null.delta,
        }
    }

    /// Step 2: the region of the tables whose score in `order` is at least `score`, made monotone, for `q` in an
    /// interval.
    fn region(&self, order: &Order, score: f64, (low, high): (f64, f64)) -> Region {
        let cut = self.level * 1e-5;
        let top = Window::new(self.second, high, cut);
        // Beyond the last y considered the region counts as hit; q <= high makes that improbable.
        let (least_y, last_y) = (Window::new(self.second, low, cut).first(), top.last());
        let mut bounds: Vec<u64> = (least_y..=last_y).map(|y| order.least(y, score)).collect();
        for i in (0..bounds.len() - 1).rev() {
            bounds[i] = bounds[i].min(bounds[i + 1]);
        }
        Region {
            trials: (self.first, self.second),
            level: self.level,
            cut,
            interval: (low, high),
            least_y,
            bounds,
            beyond: top.upper_tail_above(last_y + 1),
        }
    }
}

/// The last of these claims up to which every one is rejected.
fn last_while<T>(
    claims: &[T],
    mut is_rejected: impl FnMut(&T) -> Result<bool, StatsError>,
) -> Result<Option<&T>, StatsError> {
    let mut last = None;
    for claim in claims {
        if !is_rejected(claim)? {
            break;
        }
        last = Some(claim);
    }
    Ok(last)
}

/// A region `{x >= kbar(y)}` of tables, and the `q` for which it is to be improbable.
struct Region {
    trials: (u64, u64),
    level: f64,
    cut: f64,
    interval: (f64, f64),
    least_y: u64,
    /// `kbar(y)` from `least_y` on; beyond, all tables count as hit.
    bounds: Vec<u64>,
    /// At least the probability of `y` beyond.
    beyond: f64,
}

impl Region {
    /// At least the probability, where `x` and `y` have these laws.
    fn probability(&self, first: &Window, second: &Window) -> f64 {
        let mean = second.mean_above(|y| match y.checked_sub(self.least_y) {
            Some(i) => match self.bounds.get(i as usize) {
                Some(&least) => first.upper_tail_above(least),
                None => 0.0, // counted in `beyond`
            },
            None => 1.0,
        });
        (mean + self.beyond) * (1.0 + 1e-12)
    }

    /// Step 3: whether it is certainly improbable under the null. `guess` is where its probability may be largest.
    fn is_improbable(&self, null: &Null, guess: f64) -> bool {
        let (low, high) = self.interval;
        let at_first = |q: f64| Window::new(self.trials.0, null.boundary(q), self.cut);
        let at_second = |q: f64| Window::new(self.trials.1, q, self.cut);
        // A likely worst case first: one point above the level settles it.
        let guess = guess.clamp(low, high);
        if self.probability(&at_first(guess), &at_second(guess)) > self.level {
            return false;
        }
        // Then a sweep, with cells as wide as they may be.
        let width = high - low;
        let (mut start, mut step) = (low, width / 8.0);
        let mut second = at_second(start);
        loop {
            let end = (start + step).min(high);
            if self.probability(&at_first(end), &second) <= self.level {
                if end >= high {
                    return true;
                }
                start = end;
                second = at_second(start);
                step *= 1.5;
            } else if step <= width * NARROWEST {
                return false;
            } else {
                step /= 2.0;
            }
        }
    }
}

impl Null {
    /// At least the largest `p` that goes with `q`: nondecreasing in `q`.
    fn boundary(&self, q: f64) -> f64 {
        let p = (self.slope * q).next_up() + self.delta;
        p.next_up().min(1.0)
    }
}

/// Step 1: the order on the tables.
struct Order {
    first: f64,
    second: f64,
    trials: u64,
    edge: f64,
    null: Null,
}

/// The point of the null against which a column of tables is judged.
struct Reference {
    q: f64,
    p: f64,
    /// `p (1 - p) / n`; zero if nothing in the column speaks against the null.
    variance: f64,
    /// The share of `y` in the statistic.
    column: f64,
}

impl Order {
    fn new(test: &TwoSample, null: Null) -> Self {
        Self {
            first: test.first as f64,
            second: test.second as f64,
            trials: test.first,
            edge: test.edge.sqrt(),
            null,
        }
    }

    /// The point of the null nearest to the tables at the edge of rejection: the solution of `q = y/m
    /// + edge e^epsilon V_q / sqrt(V_p + e^(2 epsilon) V_q)` with the variances at `q`, by iteration.
    fn reference(&self, y: u64) -> Reference {
        let Null { slope, delta } = self.null;
        let seen = y as f64 / self.second;
        let most = (1.0 - delta) / slope;
        let nothing = Reference {
            q: seen,
            p: 1.0,
            variance: 0.0,
            column: 0.0,
        };
        if seen >= most {
            return nothing;
        }
        let mut q = ((y as f64 + 1.0) / (self.second + 2.0)).min((seen + most) / 2.0);
        for _ in 0..4 {
            let p = slope * q + delta;
            let (v, w) = (p * (1.0 - p) / self.first, q * (1.0 - q) / self.second);
            let spread = (v + slope * slope * w).sqrt();
            q = (seen + self.edge * slope * w / spread).min((seen + most) / 2.0);
        }
        let p = slope * q + delta;
        let variance = p * (1.0 - p) / self.first;
        let off = seen - q;
        let column = off * off * self.second / (q * (1.0 - q));
        if p < 1.0 && variance > 0.0 && column.is_finite() {
            Reference {
                q,
                p,
                variance,
                column,
            }
        } else {
            nothing
        }
    }

    /// `T(x, y)`: nondecreasing in `x`, as floats are rounded monotonically.
    fn statistic(&self, x: u64, reference: &Reference) -> f64 {
        let excess = x as f64 / self.first - reference.p;
        if excess <= 0.0 || reference.variance <= 0.0 {
            return 0.0;
        }
        excess * excess / reference.variance + reference.column
    }

    /// `k(y)`: the least `x` with `T(x, y) >= score`, above the number of trials if there is none.
    fn least(&self, y: u64, score: f64) -> u64 {
        let reference = self.reference(y);
        let enough = |x: u64| self.statistic(x, &reference) >= score;
        let excess = (reference.variance * (score - reference.column).max(0.0)).sqrt();
        let mut x = (((reference.p + excess) * self.first) as u64).min(self.trials);
        while x > 0 && enough(x - 1) {
            x -= 1;
        }
        while x <= self.trials && !enough(x) {
            x += 1;
        }
        x
    }
}

/// The upper quantile of the normal distribution to three digits (Abramowitz and Stegun 26.2.23).
fn normal_quantile(level: f64) -> f64 {
    let t = (-2.0 * level.ln()).sqrt();
    t - (2.515_517 + t * (0.802_853 + t * 0.010_328))
        / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)))
}

/// The simple bound on epsilon: Clopper-Pearson from below for `p` and from above for `q`, each at
/// half the level. `None` if it does not reach 0.
///
/// # Errors
/// [`StatsError::Parameter`], [`StatsError::Counts`], [`StatsError::Claim`].
pub fn simple_epsilon_lower(
    first: (u64, u64),
    second: (u64, u64),
    delta: &Rational,
    level: &Rational,
) -> Result<Option<Rational>, StatsError> {
    let step = simple_step(first, second, delta, level)?;
    Ok(step.map(|step| rational::ratio(step, STEPS)))
}

/// The same, as a step of the grid.
fn simple_step(
    (first, x): (u64, u64),
    (second, y): (u64, u64),
    delta: &Rational,
    level: &Rational,
) -> Result<Option<i64>, StatsError> {
    let half = level / num_bigint::BigInt::from(2);
    let p = clopper_pearson::lower(first, x, &half)?;
    let q = clopper_pearson::upper(second, y, &half)?;
    // The bounds hold for all epsilon at once: any search will do.
    let exceeds = |step| {
        let null = Null::new(&rational::ratio(step, STEPS), delta)?;
        Ok::<_, StatsError>(null.boundary(q) < p)
    };
    if !exceeds(0)? {
        return Ok(None);
    }
    let (mut low, mut high) = (0, LAST + 1);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if exceeds(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(Some(low))
}

/// A lower bound on delta at the epsilon of `null`, whose delta is not used: `p - e^epsilon q` by
/// Clopper-Pearson, each at half the level.
///
/// # Errors
/// [`StatsError::Parameter`], [`StatsError::Counts`].
pub fn delta_lower(
    (first, x): (u64, u64),
    (second, y): (u64, u64),
    null: &Null,
    level: &Rational,
) -> Result<f64, StatsError> {
    let half = level / num_bigint::BigInt::from(2);
    let p = clopper_pearson::lower(first, x, &half)?;
    let q = clopper_pearson::upper(second, y, &half)?;
    Ok((p - (null.slope * q).next_up()).next_down().max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{ratio, to_f64_for_display};
    use num_bigint::BigInt;

    fn null(epsilon: (i64, i64), delta: (i64, i64)) -> Null {
        Null::new(&ratio(epsilon.0, epsilon.1), &ratio(delta.0, delta.1)).unwrap()
    }

    #[test]
    fn the_parts_of_the_level_are_together_at_most_the_level() {
        for level in [
            ratio(1, 20),
            ratio(1, 100),
            ratio(1, 3),
            ratio(1, 1_000_000_007),
        ] {
            let test = TwoSample::new(100, 100, &level).unwrap();
            let exact = |part: f64| rational::from_f64(part).unwrap();
            let parts = exact(test.level) + exact(test.half_gamma) * ratio(2, 1) + &test.quick;
            assert!(
                parts <= level && parts > &level * ratio(999, 1000),
                "{level}"
            );
            // And the interval spends its part: a 2000th on either side.
            let (side, (least, most)) = (&level / BigInt::from(2000), test.interval(30));
            let lower = clopper_pearson::lower(100, 30, &side).unwrap();
            let upper = clopper_pearson::upper(100, 30, &side).unwrap();
            assert!((least - lower).abs() < 1e-9 && (most - upper).abs() < 1e-9);
        }
    }

    #[test]
    fn the_last_rejected_is_the_last_before_one_that_is_not() {
        let test = TwoSample::new(1000, 1000, &ratio(1, 20)).unwrap();
        let claims = [(1, 10), (10, 1), (1, 10)];
        let last = test.last_rejected(600, 300, &claims, |claim| Ok(null(*claim, (0, 1))));
        assert!(std::ptr::eq(last.unwrap().unwrap(), &claims[0]));
        let last = test.last_rejected_at_worst(600, 300, &claims, |claim| Ok(null(*claim, (0, 1))));
        assert!(std::ptr::eq(last.unwrap().unwrap(), &claims[0]));
    }

    fn bound(n: u64, x: u64, y: u64) -> f64 {
        let test = TwoSample::new(n, n, &ratio(1, 20)).unwrap();
        to_f64_for_display(&test.epsilon_lower(x, y, &ratio(0, 1)).unwrap().unwrap())
    }

    fn binomial(n: u64, p: f64) -> Vec<f64> {
        let mut row = vec![1.0];
        for _ in 0..n {
            let mut next = vec![0.0; row.len() + 1];
            for (k, weight) in row.iter().enumerate() {
                next[k] += weight * (1.0 - p);
                next[k + 1] += weight * p;
            }
            row = next;
        }
        row
    }

    /// The largest probability of `rejected` over a grid of the null.
    fn worst(n: u64, m: u64, null: &Null, rejected: &[Vec<bool>]) -> f64 {
        let mut worst = 0.0f64;
        for i in 0..=400 {
            let q = f64::from(i) / 400.0;
            for share in [1.0, 0.99, 0.9, 0.5] {
                let (xs, ys) = (binomial(n, null.boundary(q) * share), binomial(m, q));
                let mut total = 0.0;
                for (x, row) in rejected.iter().enumerate() {
                    for (y, hit) in row.iter().enumerate() {
                        total += if *hit { xs[x] * ys[y] } else { 0.0 };
                    }
                }
                worst = worst.max(total);
            }
        }
        worst
    }

    fn rejections(test: &TwoSample, null: &Null) -> Vec<Vec<bool>> {
        let (n, m) = test.trials();
        let row = |x| (0..=m).map(move |y| test.rejects(x, y, null).unwrap());
        (0..=n).map(|x| row(x).collect()).collect()
    }

    #[test]
    fn the_level_is_kept_by_enumeration() {
        let cases = [
            (12, 12, (0, 1), (0, 1)),
            (20, 20, (1, 2), (0, 1)),
            (20, 20, (1, 1), (1, 10)),
            (15, 25, (1, 1), (0, 1)),
            (25, 15, (2, 1), (1, 100)),
        ];
        let mut largest = 0.0f64;
        for (n, m, epsilon, delta) in cases {
            let null = null(epsilon, delta);
            let test = TwoSample::new(n, m, &ratio(1, 20)).unwrap();
            let level = worst(n, m, &null, &rejections(&test, &null));
            assert!(level <= 0.05, "{n} {m} {epsilon:?} {delta:?}: {level}");
            largest = largest.max(level);
        }
        // Not by never rejecting.
        assert!(largest > 0.035, "{largest}");
    }

    #[test]
    fn a_broken_twin_breaks_the_level() {
        // One occurrence fewer is enough for the twin.
        let null = null((1, 2), (0, 1));
        let test = TwoSample::new(20, 20, &ratio(1, 20)).unwrap();
        let mut rejected = rejections(&test, &null);
        for x in 0..20 {
            rejected[x] = rejected[x + 1].clone();
        }
        assert!(worst(20, 20, &null, &rejected) > 0.05);
    }

    #[test]
    fn the_level_of_the_lower_bound_by_enumeration() {
        // P(bound >= epsilon): the bound claims "above", so at the true epsilon it is in error.
        let (n, truth) = (12u64, ratio(1, 2));
        let test = TwoSample::new(n, n, &ratio(1, 20)).unwrap();
        let zero = ratio(0, 1);
        let wrong = |x, y| {
            test.epsilon_lower(x, y, &zero)
                .unwrap()
                .is_some_and(|e| e >= truth)
        };
        let table: Vec<Vec<bool>> = (0..=n)
            .map(|x| (0..=n).map(|y| wrong(x, y)).collect())
            .collect();
        let level = worst(n, n, &null((1, 2), (0, 1)), &table);
        assert!(level <= 0.05 && level > 0.0, "{level}");
    }

    /// A table that the bounds reject stays rejected with more occurrences on the first data set and fewer on the second: so
    /// the level holds for every choice of the trials that were left out. And it is no test that never rejects.
    #[test]
    fn the_bounds_at_worst_are_monotone_and_within_the_exact_test() {
        let (n, zero) = (60u64, ratio(0, 1));
        let test = TwoSample::new(n, n, &ratio(1, 20)).unwrap();
        let claims = [ratio(0, 1), ratio(1, 2), ratio(1, 1), ratio(2, 1)];
        let null = |epsilon: &Rational| Null::new(epsilon, &ratio(0, 1));
        let mut rejected = 0;
        // By day one table in five, spread evenly.
        let one_in = match std::env::var_os("NIGHTLY") {
            Some(_) => 1,
            None => 5,
        };
        for x in 0..n {
            for y in (1..=n).filter(|y| (x + y).is_multiple_of(one_in)) {
                let bound = test.epsilon_lower_at_worst(x, y, &zero).unwrap();
                let better = test.epsilon_lower_at_worst(x + 1, y - 1, &zero).unwrap();
                assert!(better >= bound && test.epsilon_lower(x, y, &zero).unwrap() >= bound);
                let last = test.last_rejected_at_worst(x, y, &claims, null).unwrap();
                // Of the epsilons that are claimed here, the last one up to the bound.
                let wanted = claims.iter().rfind(|claim| bound.as_ref() >= Some(*claim));
                assert_eq!(last, wanted, "{x} {y}");
                rejected += u32::from(last.is_some());
            }
        }
        assert!(rejected > 100, "{rejected}");
    }

    /// 2^39 trials on each data set, with the frequencies of randomised response with epsilon = 1. By day 2^27, which are also so many
    /// that a window of counts is long.
    #[test]
    fn a_trillion_trials_bound_epsilon_to_a_few_millionths() {
        let (n, at_first, with_more) = match std::env::var_os("NIGHTLY") {
            Some(_) => (1u64 << 39, 0.99996..1.0, 1.00010..1.00014),
            None => (1u64 << 27, 0.9996..0.9998, 0.9998..0.99996),
        };
        let [x, y] = [0.731_058_578_630, 0.268_941_421_370].map(|p| (p * n as f64) as u64);
        let epsilon = bound(n, x, y);
        // The normal law: the standard error is sqrt(((1 - p)/p + (1 - q)/q) / n) = 2.4e-6, by day 1.5e-4, and the grid has steps of
        // 2e-5. The bound is 1.65 errors below the estimate, 1 and then 1.00014.
        assert!(at_first.contains(&epsilon), "{epsilon}");
        let more = bound(n, x + n / 10_000, y);
        assert!(with_more.contains(&more), "{more}");
    }

    #[test]
    fn widths_are_those_of_the_score_test() {
        for (n, x, y, expected, within) in [
            (200, 100, 37, 0.729, 0.012),
            (1_000, 100, 37, 0.690, 0.006),
            (10_000, 1_000, 368, 0.9024, 0.003),
        ] {
            let eps = bound(n, x, y);
            assert!(
                (eps - expected).abs() < within,
                "{n} {x} {y}: {eps} {expected}"
            );
        }
    }

    #[test]
    fn a_million_trials_have_bounds_near_the_estimates() {
        for (x, y, expected) in [
            (500_000, 183_940, 0.99616),
            (20_000, 7_358, 0.97762),
            (500_000, 1_239, 5.95369),
        ] {
            let eps = bound(1_000_000, x, y);
            // A part of the distance to the estimate.
            let slack = ((x as f64 / y as f64).ln() - expected) / 40.0;
            assert!((eps - expected).abs() < slack, "{eps} {expected}");
        }
    }

    #[test]
    fn the_simple_bounds() {
        let simple = |n, x, y| {
            let eps = simple_epsilon_lower((n, x), (n, y), &ratio(0, 1), &ratio(1, 20)).unwrap();
            to_f64_for_display(&eps.unwrap())
        };
        assert!((simple(1_000, 100, 37) - 0.483).abs() < 0.0015);
        assert!((simple(1_000_000, 500_000, 184_000) - 0.99391).abs() < 0.0015);
        let delta = delta_lower((1000, 500), (1000, 0), &null((1, 1), (0, 1)), &ratio(1, 20));
        assert!((delta.unwrap() - 0.458).abs() < 0.002);
        let equal = simple_epsilon_lower((100, 50), (100, 50), &ratio(0, 1), &ratio(1, 20));
        assert_eq!(equal.unwrap(), None);
    }

    #[test]
    fn rejection_is_not_monotone_in_epsilon_for_the_score_order() {
        // The p-value of the score order on the table x = 14, y = 1 of 20 trials each: it falls from
        // epsilon = 1.55 to 1.60, so that bisection has no guarantee.
        let p_value = |epsilon: f64| {
            let (n, slope) = (20u64, epsilon.exp());
            let score = |x: u64, y: u64| {
                let (p, q) = (x as f64 / 20.0, y as f64 / 20.0);
                if p <= slope * q {
                    return 0.0;
                }
                // The null maximum likelihood on p = slope q.
                let f = |t: f64| {
                    p / t - slope * (1.0 - p) / (1.0 - slope * t) + q / t - (1.0 - q) / (1.0 - t)
                };
                let (mut lo, mut hi) = (1e-12, (1.0 - 1e-12) / slope);
                for _ in 0..80 {
                    let middle = (lo + hi) / 2.0;
                    if f(middle) > 0.0 {
                        lo = middle
                    } else {
                        hi = middle
                    }
                }
                let v = slope * lo * (1.0 - slope * lo) + slope * slope * lo * (1.0 - lo);
                (p - slope * q) / (v / 20.0).sqrt()
            };
            let seen = score(14, 1) * (1.0 - 1e-9);
            let region: Vec<Vec<bool>> = (0..=n)
                .map(|x| (0..=n).map(|y| score(x, y) >= seen).collect())
                .collect();
            let interval = (
                clopper_pearson::lower_at(20, 1, 2.5e-5),
                clopper_pearson::upper_at(20, 1, 2.5e-5),
            );
            (0..=2000)
                .map(|i| interval.0 + (interval.1 - interval.0) * f64::from(i) / 2000.0)
                .filter(|q| slope * q <= 1.0)
                .map(|q| {
                    let (xs, ys) = (binomial(n, slope * q), binomial(n, q));
                    let mut total = 5e-5;
                    for (x, row) in region.iter().enumerate() {
                        for (y, hit) in row.iter().enumerate() {
                            total += if *hit { xs[x] * ys[y] } else { 0.0 };
                        }
                    }
                    total
                })
                .fold(0.0, f64::max)
        };
        let (before, after) = (p_value(1.55), p_value(1.60));
        assert!(before > after + 0.01, "{before} {after}");
    }

    #[test]
    fn the_sure_counts_reject_and_are_nearly_the_least() {
        let null = null((1, 2), (0, 1));
        let test = TwoSample::new(300, 400, &ratio(1, 20)).unwrap();
        let (from, to) = (30, 60);
        for (y, sure) in (from..=to).zip(test.sure_counts(from, to, &null).unwrap()) {
            assert!(sure <= 300);
            for x in sure..=300 {
                assert!(test.rejects(x, y, &null).unwrap(), "{x} {y}");
            }
            assert!(!test.rejects(sure - 3, y, &null).unwrap(), "{sure} {y}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(TwoSample::new(0, 5, &ratio(1, 20)).is_err());
        assert!(TwoSample::new(5, 5, &ratio(1, 1)).is_err());
        let test = TwoSample::new(5, 5, &ratio(1, 20)).unwrap();
        assert!(test.rejects(6, 0, &null((1, 1), (0, 1))).is_err());
        assert!(Null::new(&ratio(-1, 1), &ratio(0, 1)).is_err());
        assert!(Null::new(&ratio(1, 1), &ratio(1, 1)).is_err());
    }
}
