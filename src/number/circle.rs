//! Pi and the functions of the circle.

use super::Enclosure;
use super::exponential::Sign;
use super::logarithm::inverse_tangent_of_reciprocal;

impl Enclosure {
    /// Pi, by Machin's formula `pi = 16 arctan(1/5) - 4 arctan(1/239)`.
    ///
    /// The remainder of both series is bounded as for every power series of this room.
    #[must_use]
    pub fn pi(bits: u32) -> Self {
        let guarded = bits + 16;
        let part = |n| inverse_tangent_of_reciprocal(n, guarded, Sign::Alternating);
        (part(5).shifted(4) - part(239).shifted(2)).with_bits(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digits() {
        let pi = Enclosure::pi(200);
        assert_eq!(
            pi.to_decimals(50).0,
            "3.1415926535897932384626433832795028841971693993751"
        );
        assert!(pi.has_digits(58));
        assert!(Enclosure::pi(2000).meets(&pi) && Enclosure::pi(2000).has_digits(600));
    }
}
