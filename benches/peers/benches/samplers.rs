//! Our samplers beside OpenDP's: one table, each row with its limit.
//!
//! `cargo bench`, in this folder; `cargo bench -- Laplace plain` for the rows that name both.

use dp_assay::coins::{ChaCha, Coins, CoinsError, Law, Recycled};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::prepared::{
    IntegerScores, PreparedExponentialMechanism, PreparedGaussian, PreparedLaplace, RealNoise,
    RoundedGaussian, RoundedLaplace,
};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, ScoreClass};
use num_bigint::BigInt;
use peers::clock::{Side, alone, in_turn, milliseconds};
use peers::table::{Limit, Table};
use peers::{entropy, opendp};
use std::hint::black_box;

/// The scales of the table; for the Gaussian law the standard deviation parameter.
const SCALES: [u64; 4] = [1, 10, 1000, 1_000_000];

/// How many draws a slow side makes at a time, and a fast one.
const FEW: usize = 1000;
const MANY: usize = 4096;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let filters = arguments
        .into_iter()
        .filter(|argument| !argument.starts_with("--"));
    let mut table = Table::new(filters.collect());
    recycled(&mut table);
    bits(&mut table);
    bulk(&mut table);
    exponential_mechanism(&mut table);
    on_a_grid(&mut table);
    preparing(&mut table);
    plain(&mut table);
    table.end();
}

fn laplace(scale: u64) -> DiscreteLaplace {
    DiscreteLaplace::new(integer(scale)).expect("a scale above 0")
}

fn gaussian(scale: u64) -> DiscreteGaussian {
    DiscreteGaussian::new(variance(scale)).expect("a variance above 0")
}

fn variance(scale: u64) -> Rational {
    integer(BigInt::from(scale).pow(2))
}

fn prepared_laplace(scale: u64) -> PreparedLaplace {
    PreparedLaplace::new(&laplace(scale)).expect("a sampler")
}

fn prepared_gaussian(scale: u64) -> PreparedGaussian {
    PreparedGaussian::new(&gaussian(scale)).expect("a sampler")
}

fn coins() -> ChaCha {
    ChaCha::reproducible(1, 0)
}

fn peers_laplace(scale: u64) -> Side<'static> {
    Side::new(FEW, opendp::laplace(scale, FEW))
}

fn peers_gaussian(scale: u64) -> Side<'static> {
    Side::new(FEW, opendp::gaussian(scale, FEW))
}

/// Our side: what `fill` draws with these coins.
fn filled<'a, C: Coins + 'a>(
    mut coins: C,
    fill: impl Fn(&mut C, &mut [i64]) -> Result<(), CoinsError> + 'a,
) -> Side<'a> {
    let mut out = vec![0; MANY];
    Side::new(MANY, move || {
        fill(&mut coins, &mut out).expect("draws");
        black_box(&mut out);
    })
}

/// The prepared samplers with recycled coins, which draw as few bits as can be.
fn recycled(table: &mut Table) {
    for (scale, limit) in SCALES.into_iter().zip([200.0, 180.0, 60.0, 40.0]) {
        table.compare(
            &format!("recycled, Laplace, scale {scale}"),
            Limit::AtLeast(limit),
            || {
                let ours = prepared_laplace(scale);
                let ours = filled(Recycled::new(coins()), move |coins, out| {
                    ours.fill(coins, out)
                });
                in_turn(ours, peers_laplace(scale))
            },
        );
    }
    for (scale, limit) in SCALES.into_iter().zip([500.0, 350.0, 150.0, 150.0]) {
        table.compare(
            &format!("recycled, Gaussian, scale {scale}"),
            Limit::AtLeast(limit),
            || {
                let ours = prepared_gaussian(scale);
                let ours = filled(Recycled::new(coins()), move |coins, out| {
                    ours.fill(coins, out)
                });
                in_turn(ours, peers_gaussian(scale))
            },
        );
    }
}

/// What they draw, over the entropy.
fn bits(table: &mut Table) {
    for scale in SCALES {
        table.bits(
            &format!("bits a draw, recycled, Laplace, scale {scale}"),
            Limit::AtMost(1.01),
            || {
                let bits = bits_a_draw(|coins, out| prepared_laplace(scale).fill(coins, out));
                (bits, entropy::of(&laplace(scale), |k| k / scale as f64))
            },
        );
    }
    for (scale, limit) in SCALES.into_iter().zip([1.01, 1.01, 1.2, 1.2]) {
        table.bits(
            &format!("bits a draw, recycled, Gaussian, scale {scale}"),
            Limit::AtMost(limit),
            || {
                let bits = bits_a_draw(|coins, out| prepared_gaussian(scale).fill(coins, out));
                let exponent = |k: f64| (k / scale as f64).powi(2) / 2.0;
                (bits, entropy::of(&gaussian(scale), exponent))
            },
        );
    }
}

fn bits_a_draw(
    fill: impl FnOnce(&mut Recycled<ChaCha>, &mut [i64]) -> Result<(), CoinsError>,
) -> f64 {
    let mut coins = Recycled::new(coins());
    let mut out = vec![0; 4_000_000];
    fill(&mut coins, &mut out).expect("draws");
    coins.consumed() as f64 / out.len() as f64
}

/// The prepared samplers with the cipher's coins: more bits, less work. At small scales, 16 bits first.
fn bulk(table: &mut Table) {
    for (scale, limit) in SCALES.into_iter().zip([500.0, 500.0, 60.0, 40.0]) {
        table.compare(
            &format!("bulk, Laplace, scale {scale}"),
            Limit::AtLeast(limit),
            || {
                let ours = prepared_laplace(scale);
                let ours = filled(coins(), move |coins, out| ours.fill(coins, out));
                in_turn(ours, peers_laplace(scale))
            },
        );
    }
    for (scale, limit) in SCALES.into_iter().zip([1500.0, 1500.0, 150.0, 150.0]) {
        table.compare(
            &format!("bulk, Gaussian, scale {scale}"),
            Limit::AtLeast(limit),
            || {
                let ours = prepared_gaussian(scale);
                let ours = filled(coins(), move |coins, out| ours.fill(coins, out));
                in_turn(ours, peers_gaussian(scale))
            },
        );
    }
}

/// Among 10^4 integer scores, at scale 10: given with each call, and prepared.
fn exponential_mechanism(table: &mut Table) {
    let scores: Vec<i32> = (0..10_000).map(|i| i % 97).collect();
    let (scale, rate) = (10.0, ratio(1, 10));
    table.compare(
        "exponential mechanism, 10^4 scores a call",
        Limit::AtLeast(200.0),
        || {
            let mechanism = IntegerScores::new(rate.clone()).expect("a rate above 0");
            let mut coins = coins();
            let given = &scores;
            let ours = Side::new(1, move || {
                black_box(mechanism.draw(black_box(given), &mut coins)).expect("a choice");
            });
            let peers = opendp::exponential_mechanism(scores.clone(), scale);
            in_turn(ours, Side::new(1, peers))
        },
    );
    let prepare = || {
        let class = |score: &i32| ScoreClass {
            loss: integer(-score),
            count: 1u32.into(),
        };
        let classes = scores.iter().map(class).collect();
        let law = ExponentialMechanism::new(&rate * BigInt::from(2), integer(1), classes);
        PreparedExponentialMechanism::new(&law.expect("a mechanism")).expect("a sampler")
    };
    table.speed(
        "exponential mechanism, 10^4 prepared scores",
        Limit::AtLeast(1e7),
        || {
            let ours = prepare();
            alone(filled(coins(), move |coins, out| ours.fill(coins, out)))
        },
    );
    table.speed(
        "exponential mechanism, 10^4 prepared scores, recycled",
        Limit::AtLeast(1e7),
        || {
            let ours = prepare();
            alone(filled(Recycled::new(coins()), move |coins, out| {
                ours.fill(coins, out)
            }))
        },
    );
}

/// Continuous noise on multiples of 2^-32, around 0.
fn on_a_grid(table: &mut Table) {
    const GRID: i32 = -32;
    let (step, nothing) = (ratio(1, 1 << 32), integer(0));
    for scale in [1, 1000] {
        table.compare(
            &format!("rounded to 2^{GRID}, Laplace, scale {scale}"),
            Limit::AtLeast(100.0),
            || {
                let ours = RoundedLaplace::new(integer(scale), step.clone()).expect("a sampler");
                let nothing = nothing.clone();
                let ours = filled(coins(), move |coins, out| ours.fill(&nothing, coins, out));
                let peers = opendp::laplace_on_a_grid(scale as f64, GRID, FEW);
                in_turn(ours, Side::new(FEW, peers))
            },
        );
        table.compare(
            &format!("rounded to 2^{GRID}, Gaussian, scale {scale}"),
            Limit::AtLeast(100.0),
            || {
                let ours = RoundedGaussian::new(variance(scale), step.clone()).expect("a sampler");
                let nothing = nothing.clone();
                let ours = filled(coins(), move |coins, out| ours.fill(&nothing, coins, out));
                let peers = opendp::gaussian_on_a_grid(scale as f64, GRID, FEW);
                in_turn(ours, Side::new(FEW, peers))
            },
        );
    }
}

/// What it takes to prepare a sampler.
fn preparing(table: &mut Table) {
    let limits = [Limit::AtMost(5.0); 3].into_iter().chain([Limit::None]);
    for (scale, limit) in SCALES.into_iter().zip(limits) {
        table.milliseconds(&format!("preparing, Laplace, scale {scale}"), limit, || {
            milliseconds(|| drop(black_box(prepared_laplace(scale))))
        });
        table.milliseconds(
            &format!("preparing, Gaussian, scale {scale}"),
            limit,
            || milliseconds(|| drop(black_box(prepared_gaussian(scale)))),
        );
    }
}

/// The plain samplers, which are the reference: at least as fast as the peer's.
fn plain(table: &mut Table) {
    for scale in SCALES {
        table.compare(
            &format!("plain, Laplace, scale {scale}"),
            Limit::AtLeast(1.0),
            || in_turn(plain_draws(laplace(scale)), peers_laplace(scale)),
        );
        table.compare(
            &format!("plain, Gaussian, scale {scale}"),
            Limit::AtLeast(1.0),
            || in_turn(plain_draws(gaussian(scale)), peers_gaussian(scale)),
        );
    }
}

fn plain_draws(law: impl Law) -> Side<'static> {
    let mut coins = coins();
    Side::new(FEW, move || {
        for _ in 0..FEW {
            black_box(coins.draw(&law).expect("a draw"));
        }
    })
}
