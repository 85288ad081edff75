//! The discrete Fourier transform of doubles, with a bound of the error of every entry (`spec/accounting.md`, claim
//! `privacy.transform`).

use super::double::U;

/// A complex number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Complex {
    /// The real part.
    pub re: f64,
    /// The imaginary part.
    pub im: f64,
}

impl Complex {
    /// The product, within `sqrt(5) U` of its modulus (Brent, Percival and Zimmermann 2007).
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }

    fn conjugate(self) -> Self {
        Self {
            re: self.re,
            im: -self.im,
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            re: self.re - other.re,
            im: self.im - other.im,
        }
    }

    /// An upper bound of the modulus.
    #[must_use]
    pub fn modulus(self) -> f64 {
        (self.re * self.re + self.im * self.im).sqrt() * (1.0 + 4.0 * U) + f64::MIN_POSITIVE.sqrt()
    }
}

/// A transform of length `n`, a power of two.
#[derive(Debug, Clone)]
pub struct Transform {
    n: usize,
    /// `e^(-2 pi i j/m)` for `j < m/2`, for m = 2, 4, ..., n.
    roots: Vec<Vec<Complex>>,
}

/// What every value errs by at most, absolutely, because doubles near 0 are coarse: entries are at most 2, lengths 2^26.
pub const UNDERFLOW: f64 = 1e-290;

impl Transform {
    /// The transform of length `n`, a power of two, at least 8.
    #[must_use]
    pub fn new(n: usize) -> Self {
        let mut roots = vec![Complex::default(); n / 2];
        for j in 0..=n / 8 {
            let (cos, sin) = octant(j, n);
            // The other octants have the same numbers, exactly.
            let images = [
                (j, cos, -sin),
                (n / 4 - j, sin, -cos),
                (n / 4 + j, -sin, -cos),
                (n / 2 - j, -cos, -sin),
            ];
            for (at, re, im) in images {
                if at < n / 2 {
                    roots[at] = Complex { re, im };
                }
            }
        }
        // Those of a shorter transform are some of these.
        let levels = 1..=n.trailing_zeros();
        let level = |bits: u32| roots.iter().step_by(n >> bits).copied().collect();
        Self {
            n,
            roots: levels.map(level).collect(),
        }
    }

    /// The relative error of either transform: a value errs by at most this times the sum of the moduli.
    ///
    /// A value is a sum over paths. Each of the `log2 n` levels multiplies a path by a root and by at most
    /// `(1 + U)(1 + sqrt(5) U)(1 + 4U)`: an addition, a product, and the root's own error; that is less than `1 + 7.3U`.
    #[must_use]
    pub fn error(&self) -> f64 {
        7.3 * U * f64::from(self.n.trailing_zeros()) * 1.0001
    }

    /// Where the transform leaves the value at frequency `f`: bits reversed.
    #[must_use]
    pub fn place(&self, f: usize) -> usize {
        f.reverse_bits() >> (usize::BITS - self.n.trailing_zeros())
    }

    /// Where the opposite of the frequency at this place is. In each half of the odd multiples of a power of two places run
    /// against each other.
    #[must_use]
    pub fn opposite(place: usize) -> usize {
        match place {
            0 | 1 => place,
            _ => 3 * (1 << place.ilog2()) - 1 - place,
        }
    }

    /// `sum of a_j e^(-2 pi i jf/n)`, at [`Transform::place`]. Each half is finished before the other, near the processor.
    pub fn forward(&self, a: &mut [Complex]) {
        let half = a.len() / 2;
        if half == 0 {
            return;
        }
        let (x, y) = a.split_at_mut(half);
        let roots = &self.roots[half.trailing_zeros() as usize];
        for ((x, y), root) in x.iter_mut().zip(y.iter_mut()).zip(roots) {
            let (sum, difference) = (x.plus(*y), x.minus(*y));
            *x = sum;
            *y = difference.times(*root);
        }
        self.forward(x);
        self.forward(y);
    }

    /// `sum of a_f e^(2 pi i jf/n)`, not divided by n, from values at [`Transform::place`].
    pub fn inverse(&self, a: &mut [Complex]) {
        let half = a.len() / 2;
        if half == 0 {
            return;
        }
        let (x, y) = a.split_at_mut(half);
        self.inverse(x);
        self.inverse(y);
        let roots = &self.roots[half.trailing_zeros() as usize];
        for ((x, y), root) in x.iter_mut().zip(y.iter_mut()).zip(roots) {
            let turned = y.times(root.conjugate());
            (*x, *y) = (x.plus(turned), x.minus(turned));
        }
    }
}

/// Cosine and sine of `2 pi j/n`, `j <= n/8`, each within 2.5U, so that a root errs by at most 4U.
///
/// `2 pi` is `A + B` up to 2^-82, A of 29 bits: for `n <= 2^24` the angle is `hi + lo` with `hi = A j/n` exact, at most .79, and
/// `lo` at most 2^-29, within 2^-80. Series: sin(hi) leaves out less than hi^19/19!, cos(hi) less than hi^18/18!, both
/// below .01U. In sin(hi), `hi^3 p` errs by at most 5U of .09, the sum by U/2 of 1: 1U. In cos(hi), `z/2` errs by U/2 of
/// .31 twice, `z^2 p` by 5U of .017, the sums by U/2 each: 1.5U. `lo` adds 2^-29 times 2U and a rounding of U/2, and
/// `lo^2/2` less than .02U.
fn octant(j: usize, n: usize) -> (f64, f64) {
    const A: f64 = 6.283_185_303_211_212;
    const B: f64 = 3.968_374_318_722_162e-9;
    let t = j as f64 / n as f64;
    let (hi, lo) = (A * t, B * t);
    let z = hi * hi;
    let p = ODD.iter().rev().fold(0.0, |sum, c| sum * z + c);
    let q = EVEN.iter().rev().fold(0.0, |sum, c| sum * z + c);
    let sin = hi + hi * z * p;
    let cos = (1.0 - 0.5 * z) + z * z * q;
    (cos - sin * lo, sin + cos * lo)
}

/// `-1/3!`, `1/5!`, ...
const ODD: [f64; 8] = [
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
    1.0 / 355_687_428_096_000.0,
];

/// `1/4!`, `-1/6!`, ...
const EVEN: [f64; 7] = [
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
];
