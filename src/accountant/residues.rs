//! Cyclic convolution of integers, exactly: by two primes of 63 bits, put together by the Chinese remainder theorem.

/// The primes: both are 1 modulo 2^24.
const PRIMES: [u64; 2] = [9_223_372_036_737_335_297, 9_223_372_036_636_672_001];

/// A number of order 2^24 modulo each.
const ROOTS: [u64; 2] = [2_419_180_138_865_645_092, 510_271_893_463_106_651];

/// Masses are integers in units of 2^-62.
pub const BITS: u32 = 62;

fn times(a: u64, b: u64, prime: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(prime)) as u64
}

fn plus(a: u64, b: u64, prime: u64) -> u64 {
    let sum = a + b;
    if sum >= prime { sum - prime } else { sum }
}

fn power(base: u64, exponent: u64, prime: u64) -> u64 {
    (0..u64::BITS).rev().fold(1, |result, bit| {
        let square = times(result, result, prime);
        if exponent >> bit & 1 == 1 {
            times(square, base, prime)
        } else {
            square
        }
    })
}

/// The number-theoretic transform modulo a prime, by the definition of halves: even and odd places.
fn transform(values: &[u64], root: u64, prime: u64) -> Vec<u64> {
    if values.len() == 1 {
        return values.to_vec();
    }
    let half = |parity: usize| {
        values
            .iter()
            .skip(parity)
            .step_by(2)
            .copied()
            .collect::<Vec<_>>()
    };
    let square = times(root, root, prime);
    let (even, odd) = (
        transform(&half(0), square, prime),
        transform(&half(1), square, prime),
    );
    let mut result = vec![0; values.len()];
    let mut turn = 1;
    for (i, (e, o)) in even.iter().zip(&odd).enumerate() {
        let turned = times(turn, *o, prime);
        result[i] = plus(*e, turned, prime);
        result[i + even.len()] = plus(*e, prime - turned, prime);
        turn = times(turn, root, prime);
    }
    result
}

/// The cyclic convolution of two lists of one length, a power of two up to 2^24, modulo a prime.
fn convolved(a: &[u64], b: &[u64], at: usize) -> Vec<u64> {
    let prime = PRIMES[at];
    let n = a.len() as u64;
    let root = power(ROOTS[at], (1 << 24) / n, prime);
    let reduced = |list: &[u64]| list.iter().map(|x| x % prime).collect::<Vec<_>>();
    let (a, b) = (
        transform(&reduced(a), root, prime),
        transform(&reduced(b), root, prime),
    );
    let product: Vec<u64> = a
        .iter()
        .zip(&b)
        .map(|(a, b)| times(*a, *b, prime))
        .collect();
    let inverse = power(root, prime - 2, prime);
    let scale = power(n, prime - 2, prime);
    let result = transform(&product, inverse, prime);
    result.into_iter().map(|x| times(x, scale, prime)).collect()
}

/// The cyclic convolution of masses in units of 2^-62 whose sums are at most 2^62.4, rounded up or down to such units.
///
/// No entry reaches the product of the primes, which is above 2^125.9.
#[must_use]
pub fn convolution(a: &[u64], b: &[u64], up: bool) -> Vec<u64> {
    let (first, second) = (convolved(a, b, 0), convolved(a, b, 1));
    let inverse = power(PRIMES[0] % PRIMES[1], PRIMES[1] - 2, PRIMES[1]);
    let together = |(x, y): (u64, u64)| {
        let difference = plus(y, PRIMES[1] - x % PRIMES[1], PRIMES[1]);
        let exact = u128::from(x)
            + u128::from(PRIMES[0]) * u128::from(times(difference, inverse, PRIMES[1]));
        let whole = (exact >> BITS) as u64;
        let is_whole = exact & ((1 << BITS) - 1) == 0;
        if up && !is_whole { whole + 1 } else { whole }
    };
    first.into_iter().zip(second).map(together).collect()
}

/// A power of at least 1 under cyclic convolution, every product rounded up or down.
#[must_use]
pub fn convolution_power(a: &[u64], times: u64, up: bool) -> Vec<u64> {
    let top = u64::BITS - 1 - times.leading_zeros();
    (0..top).rev().fold(a.to_vec(), |result, bit| {
        let square = convolution(&result, &result, up);
        if times >> bit & 1 == 1 {
            convolution(&square, a, up)
        } else {
            square
        }
    })
}
