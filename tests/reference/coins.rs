//! Sources of coins, and the layers on them.

use crate::lent::Lent;
use dp_assay::coins as library;
use dp_assay::coins::Coins as _;
use dp_assay::number::rational::ratio;
use dp_assay_reference::coins::{ChaCha, Coins, OperatingSystem, Tape};
use num_bigint::BigUint;
use proptest::prelude::*;

#[test]
fn equal_seeds_and_streams_give_equal_coins_however_they_are_asked_for() {
    for (seed, stream) in [(0, 0), (1, 7), (u64::MAX, u64::MAX)] {
        let mut ours = ChaCha::reproducible(seed, stream);
        let mut theirs = library::ChaCha::reproducible(seed, stream);
        for count in (0..=64)
            .chain([64, 1, 63, 64, 33, 40, 64, 0, 5])
            .cycle()
            .take(700)
        {
            assert_eq!(
                ours.bits(count).unwrap(),
                theirs.bits(count).unwrap(),
                "{count}"
            );
        }
        assert_eq!(ours.consumed(), theirs.consumed());
    }
}

/// RFC 8439, A.1, test vectors 1 and 5: the zero key, blocks 0; and the stream as the nonce.
#[test]
fn the_cipher_gives_the_vectors_of_rfc_8439() {
    let mut coins = ChaCha::new([0; 32], 0);
    let bytes: Vec<u64> = (0..8).map(|_| coins.bits(8).unwrap()).collect();
    assert_eq!(bytes, [0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90]);
    let mut coins = ChaCha::new([0; 32], 2 << 56);
    let bytes: Vec<u64> = (0..4).map(|_| coins.bits(8).unwrap()).collect();
    assert_eq!(bytes, [0xc2, 0xc6, 0x4d, 0x37]);
}

#[test]
fn a_tape_replays_what_is_written_and_ends() {
    let mut tape = Tape::written("101 1");
    assert_eq!((tape.bits(3), tape.bits(1)), (Ok(5), Ok(1)));
    assert_eq!(tape.consumed(), 4);
    assert!(tape.bits(1).is_err());
    let mut tape = Tape::new(vec![true, false]);
    assert_eq!(tape.bits(2), Ok(2));
}

#[test]
fn more_than_a_word_is_refused_by_every_source() {
    assert!(ChaCha::reproducible(1, 0).bits(65).is_err());
    assert!(Tape::new(vec![true; 100]).bits(65).is_err());
    assert!(OperatingSystem::default().bits(65).is_err());
    let mut system = OperatingSystem::default();
    assert_eq!(system.bits(0), Ok(0));
    assert!(system.bits(3).unwrap() < 8);
    assert_eq!(system.consumed(), 3);
}

#[test]
fn what_is_no_parameter_of_a_layer_is_refused() {
    let mut coins = ChaCha::reproducible(1, 0);
    assert!(coins.uniform_below(&0u32.into()).is_err());
    assert!(coins.bernoulli(&ratio(3, 2)).is_err());
    assert!(coins.bernoulli(&ratio(-1, 2)).is_err());
    assert!(coins.bernoulli_exp(&ratio(-1, 2)).is_err());
}

proptest! {
    #[test]
    fn the_layers_draw_the_same_on_the_same_coins(
        seed: u64,
        (n, wide) in (1u64.., 0u32..80),
        (p, q) in (0i64..50, 50i64..60),
        (x, y) in (0i64..900, 1i64..60),
    ) {
        let mut ours = ChaCha::reproducible(seed, 0);
        let mut theirs = library::ChaCha::reproducible(seed, 0);
        for n in [BigUint::from(n), BigUint::from(n) << wide, BigUint::from(1u32) << wide, 1u32.into()] {
            prop_assert_eq!(ours.uniform_below(&n).unwrap(), theirs.uniform_below(&n).unwrap());
        }
        for p in [ratio(p, q), ratio(0, 1), ratio(1, 1)] {
            prop_assert_eq!(ours.bernoulli(&p).unwrap(), theirs.bernoulli(&p).unwrap());
        }
        for x in [ratio(x, y), ratio(0, 1), ratio(1, 1), ratio(y, 1)] {
            prop_assert_eq!(ours.bernoulli_exp(&x).unwrap(), theirs.bernoulli_exp(&x).unwrap());
        }
        prop_assert_eq!(ours.consumed(), theirs.consumed());
    }
}

#[test]
fn what_is_lent_draws_what_the_source_draws() {
    let mut theirs = library::ChaCha::reproducible(3, 0);
    let mut lent = Lent::new(theirs.clone());
    assert_eq!(Coins::bits(&mut lent, 17), Ok(theirs.bits(17).unwrap()));
}
