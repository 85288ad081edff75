//! How often the tests run what is decided by many runs: so often by day, and ten times as often at night.

/// So many by day; ten times as many where `NIGHTLY` is set (`make test-nightly`).
pub fn runs(by_day: u32) -> u32 {
    match std::env::var_os("NIGHTLY") {
        Some(_) => 10 * by_day,
        None => by_day,
    }
}
