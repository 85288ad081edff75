//! How often the tests run what is decided by many runs: so often by day, and ten times as often at night.

#![allow(dead_code)] // each test takes what it needs

/// Whether `NIGHTLY` is set (`make test-nightly`).
pub fn at_night() -> bool {
    std::env::var_os("NIGHTLY").is_some()
}

/// So many by day; ten times as many at night.
pub fn runs(by_day: u32) -> u32 {
    match at_night() {
        true => 10 * by_day,
        false => by_day,
    }
}
