//! A curve of masses by hand: every term of its bounds beside the sum by its definition.

use super::{BITS, exactly};
use crate::claim::{Check, Trouble};
use dp_assay::accountant::curve::Curve;
use dp_assay::accountant::interval::Interval;
use dp_assay::accountant::tilt::Tilt;
use dp_assay::accountant::total::Total;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};

/// Tilted masses of the companions above and below, from node -3 on.
const MASSES: [[f64; 2]; 8] = [
    [0.125, 0.0625],
    [0.0625, 0.03125],
    [0.25, 0.21875],
    [0.03125, 0.015625],
    [0.1875, 0.125],
    [0.046875, 0.03125],
    [0.09375, 0.078125],
    [0.015625, 0.0078125],
];
const BOTTOM: i64 = -3;
const STEP: f64 = 0.25;

/// What the window leaves out above, what folded back, and the mass at infinite loss.
const ABOVE: f64 = 0.007_812_5;
const FOLDED: f64 = 0.000_244_140_625;
const INFINITE: f64 = 0.003_906_25;

/// The tilt, the loss of node 0, by how much losses may be off, and the logarithm by which masses were scaled.
struct Setting {
    theta: f64,
    offset: f64,
    shift: f64,
    scale: f64,
}

impl Setting {
    fn curve(&self) -> Curve {
        let tilt = Tilt {
            theta: self.theta,
            bottom: BOTTOM,
            length: MASSES.len(),
            chernoff: [-1.0, 1.0],
        };
        let total = Total {
            masses: MASSES.to_vec(),
            above: ABOVE,
            folded: FOLDED,
            scale: Interval::exactly(self.scale),
            errors: [0.0; 2],
        };
        let [offset, shift] = [self.offset, self.shift].map(Interval::exactly);
        Curve::new(&total, &tilt, STEP, offset, shift, INFINITE)
    }

    /// `e^(scale - theta step node)`.
    fn weight(&self, node: i64) -> Result<Enclosure, Trouble> {
        let exponent = exactly(self.scale)? - exactly(self.theta)? * exactly(STEP)? * integer(node);
        Ok(Enclosure::exp_of(&exponent, BITS)?)
    }

    /// `sum of P (1 - e^(epsilon - loss))` over the nodes of larger losses.
    fn delta(&self, epsilon: &Rational, side: usize) -> Result<Enclosure, Trouble> {
        let mut sum = Enclosure::integer(0, BITS);
        for (node, masses) in (BOTTOM..).zip(MASSES) {
            let loss = exactly(self.offset)? + exactly(STEP)? * integer(node);
            if loss > *epsilon {
                let mass = Enclosure::of(&exactly(masses[side])?, BITS) * self.weight(node)?;
                sum = sum + mass * Enclosure::exp_of(&(epsilon - loss), BITS)?.complement();
            }
        }
        Ok(sum)
    }
}

/// Both ends of delta are those of the definition, each with all that is charged to it, and hardly more.
pub(super) fn by_hand(check: &mut Check) -> Result<(), Trouble> {
    check.certified("curves of eight masses by hand, tilted by 0 and 3/2, with losses that may be off by 0 and 1/16, at 12 epsilons");
    for theta in [0.0, 1.5] {
        for (offset, shift, scale) in [(0.0, 0.0, 0.0), (0.125, 0.0, 0.25), (0.0, 0.0625, -0.5)] {
            let setting = Setting {
                theta,
                offset,
                shift,
                scale,
            };
            let curve = setting.curve();
            let of = |value: f64| -> Result<Enclosure, Trouble> {
                Ok(Enclosure::of(&exactly(value)?, BITS))
            };
            let grown = Enclosure::exp_of(&exactly(shift)?, BITS)?;
            for i in 0..12 {
                let epsilon = f64::from(i) / 16.0 + 0.03125;
                let exact = exactly(epsilon)?;
                let end = BOTTOM + MASSES.len() as i64;
                let above = setting.delta(&(&exact - exactly(shift)?), 0)?
                    + of(ABOVE)? * setting.weight(end)?
                    + of(INFINITE)?;
                let above = &grown * above;
                let found = exactly(curve.above(epsilon))?;
                let name =
                    format!("tilt {theta}, offset {offset}, shift {shift}, epsilon {epsilon}");
                check.holds(
                    found >= above.lower() && found <= above.upper() * (integer(1) + slip()),
                    format_args!("{name}, above: {found} {above}"),
                );
                // The node before weighs the most of those where the masses that folded back can be.
                let moved = &exact + exactly(shift)?;
                let place = (&moved - exactly(offset)?) / exactly(STEP)?;
                let node = i64::try_from(place.floor().to_integer()).unwrap_or(BOTTOM);
                let below = setting.delta(&moved, 1)? - of(FOLDED)? * setting.weight(node)?;
                let below = below.divided_by(&grown)?;
                let found = exactly(curve.below(epsilon))?;
                check.holds(
                    found <= below.upper() && found >= below.lower() * (integer(1) - slip()),
                    format_args!("{name}, below: {found} {below}"),
                );
            }
        }
    }
    Ok(())
}

/// What doubles may lose.
fn slip() -> Rational {
    ratio(1, 1_000_000_000)
}
