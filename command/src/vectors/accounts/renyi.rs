//! Accounting by Renyi divergences in plain floats, right and with mistakes: what class F shows of it.
//!
//! Nothing here is certified. Exponential and logarithm are the library's own, so that all machines have the same.

use dp_assay::accountant::double::{guess_exp, guess_ln};

/// How epsilon follows from the divergence of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conversion {
    /// Mironov 2017, Proposition 3.
    Old,
    /// Canonne, Kamath and Steinke 2020, Proposition 12.
    New,
}

/// Divergences of one step of Gaussian noise on a Poisson sample, by their orders.
#[derive(Debug, Clone)]
pub struct Curve {
    orders: Vec<f64>,
    divergences: Vec<f64>,
}

/// Points of an integral to a standard deviation.
const POINTS: f64 = 8.0;

/// An integral reaches so many standard deviations beyond where most of it is.
const REACH: f64 = 14.0;

/// Orders whose integral is farther than so many deviations are left out.
const FARTHEST: f64 = 1000.0;

impl Curve {
    /// Orders so close together that others would not matter: from 1.02 on, the distances to 1 growing by a seventh.
    pub fn fine(rate: f64, deviation: f64) -> Self {
        let orders = (0..110).scan(0.02, |distance, _| {
            let order = 1.0 + *distance;
            *distance *= 1.0 + 1.0 / 7.0;
            Some(order)
        });
        Self::of(rate, deviation, orders)
    }

    /// The integers from 2 to 64.
    pub fn coarse(rate: f64, deviation: f64) -> Self {
        Self::of(rate, deviation, (2..=64).map(f64::from))
    }

    fn of(rate: f64, deviation: f64, orders: impl Iterator<Item = f64>) -> Self {
        let orders: Vec<f64> = orders
            .filter(|order| *order <= FARTHEST * deviation)
            .collect();
        let divergence = |order: &f64| divergence(rate, deviation, *order);
        Self {
            divergences: orders.iter().map(divergence).collect(),
            orders,
        }
    }

    /// The least epsilon over all orders, of so many steps.
    pub fn epsilon(&self, steps: u64, delta: f64, conversion: Conversion) -> f64 {
        let ln_delta = guess_ln(delta);
        let of_order = |order: f64, divergence: f64| {
            let added = match conversion {
                Conversion::Old => -ln_delta / (order - 1.0),
                Conversion::New => {
                    guess_ln((order - 1.0) / order) - (ln_delta + guess_ln(order)) / (order - 1.0)
                }
            };
            steps as f64 * divergence + added
        };
        self.least(of_order).max(0.0)
    }

    /// The least delta over all orders, of so many steps.
    pub fn delta(&self, steps: u64, epsilon: f64, conversion: Conversion) -> f64 {
        let of_order = |order: f64, divergence: f64| {
            let excess = steps as f64 * divergence - epsilon;
            match conversion {
                Conversion::Old => (order - 1.0) * excess,
                Conversion::New => {
                    (order - 1.0) * (excess + guess_ln((order - 1.0) / order)) - guess_ln(order)
                }
            }
        };
        guess_exp(self.least(of_order)).min(1.0)
    }

    fn least(&self, of_order: impl Fn(f64, f64) -> f64) -> f64 {
        let pairs = self.orders.iter().zip(&self.divergences);
        pairs
            .map(|(order, divergence)| of_order(*order, *divergence))
            .fold(f64::INFINITY, f64::min)
    }
}

/// `ln(E_Q T^order) / (order - 1)`, `T = 1 - rate + rate e^(y/deviation - 1/(2 deviation^2))` and Q normal: a sum over even points,
/// which for such functions is as good as the integral.
fn divergence(rate: f64, deviation: f64, order: f64) -> f64 {
    let ln_ratio = |y: f64| {
        let exponent = (y - 0.5 / deviation) / deviation;
        match exponent > 0.0 {
            true => exponent + guess_ln(rate + (1.0 - rate) * guess_exp(-exponent)),
            false => guess_ln(1.0 - rate + rate * guess_exp(exponent)),
        }
    };
    let count = ((order / deviation + 2.0 * REACH) * POINTS).ceil() as u32;
    let heights: Vec<f64> = (0..=count)
        .map(|i| f64::from(i) / POINTS - REACH)
        .map(|y| order * ln_ratio(y) - 0.5 * y * y)
        .collect();
    let top = heights.iter().copied().fold(f64::MIN, f64::max);
    let sum: f64 = heights.iter().map(|height| guess_exp(height - top)).sum();
    let integral = top + guess_ln(sum / POINTS * 0.398_942_280_401_432_7);
    (integral / (order - 1.0)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_sampling_divergences_are_those_of_the_gaussian() {
        for deviation in [0.3, 1.0, 100.0] {
            let curve = Curve::fine(1.0, deviation);
            for (order, found) in curve.orders.iter().zip(&curve.divergences) {
                let exact = order / (2.0 * deviation * deviation);
                assert!((found - exact).abs() <= 1e-9 * exact + 1e-12, "{order}");
            }
        }
    }

    /// Of order 2 the integral of T^2 is `1 + rate^2 (e^(1/deviation^2) - 1)`.
    #[test]
    fn at_order_two_the_divergence_has_a_closed_form() {
        for (rate, deviation) in [(0.01, 1.0), (0.3, 0.5), (1e-3, 0.3), (0.1, 10.0)] {
            let exact = (rate * rate * ((1.0_f64 / (deviation * deviation)).exp() - 1.0)).ln_1p();
            let found = divergence(rate, deviation, 2.0);
            assert!((found - exact).abs() <= 1e-9 * exact + 1e-13, "{rate}");
        }
    }

    #[test]
    fn epsilon_and_delta_are_inverse_and_the_new_conversion_gives_less() {
        let curve = Curve::fine(0.01, 1.0);
        for conversion in [Conversion::Old, Conversion::New] {
            let epsilon = curve.epsilon(1000, 1e-6, conversion);
            assert!((curve.delta(1000, epsilon, conversion) - 1e-6).abs() < 1e-14);
        }
        let of = |conversion| curve.epsilon(1000, 1e-6, conversion);
        assert!(of(Conversion::New) < 0.97 * of(Conversion::Old));
    }
}
