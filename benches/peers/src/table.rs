//! The table: a row, its limit, and whether it is reached.

use crate::clock::Speeds;

/// What a figure is held to.
#[derive(Clone, Copy)]
pub enum Limit {
    /// At least so much.
    AtLeast(f64),
    /// At most so much.
    AtMost(f64),
    /// For information.
    None,
}

impl Limit {
    fn reached(self, figure: f64) -> bool {
        match self {
            Self::AtLeast(least) => figure >= least,
            Self::AtMost(most) => figure <= most,
            Self::None => true,
        }
    }

    fn shown(self, unit: &str) -> String {
        match self {
            Self::AtLeast(least) => format!(">= {}{unit}", short(least)),
            Self::AtMost(most) => format!("<= {}{unit}", short(most)),
            Self::None => String::new(),
        }
    }
}

/// The rows printed so far, and how many of them missed their limits.
pub struct Table {
    filters: Vec<String>,
    limits: usize,
    missed: usize,
}

impl Table {
    /// Prints the head. Of the rows those alone are measured whose names contain all `filters`.
    #[must_use]
    pub fn new(filters: Vec<String>) -> Self {
        print_line("", "ours", "peer", "figure", "limit", "");
        Self {
            filters,
            limits: 0,
            missed: 0,
        }
    }

    /// Measures and prints our draws a second over the peer's.
    pub fn compare(&mut self, row: &str, limit: Limit, measure: impl FnOnce() -> Speeds) {
        if self.wants(row) {
            let speeds = measure();
            let (ours, peers) = (per_second(speeds.ours), per_second(speeds.peers));
            self.row(row, &ours, &peers, speeds.ratio, "x", limit);
        }
    }

    /// Measures and prints our draws a second.
    pub fn speed(&mut self, row: &str, limit: Limit, measure: impl FnOnce() -> f64) {
        if self.wants(row) {
            let ours = measure();
            self.row(row, &per_second(ours), "", ours, "/s", limit);
        }
    }

    /// Measures and prints the bits of a draw over the entropy.
    pub fn bits(&mut self, row: &str, limit: Limit, measure: impl FnOnce() -> (f64, f64)) {
        if self.wants(row) {
            let (bits, entropy) = measure();
            let (ours, least) = (format!("{bits:.4} b"), format!("H {entropy:.4}"));
            self.row(row, &ours, &least, bits / entropy, "x", limit);
        }
    }

    /// Measures and prints a time in milliseconds.
    pub fn milliseconds(&mut self, row: &str, limit: Limit, measure: impl FnOnce() -> f64) {
        if self.wants(row) {
            self.row(row, "", "", measure(), " ms", limit);
        }
    }

    /// Whether the row is asked for.
    fn wants(&self, row: &str) -> bool {
        self.filters
            .iter()
            .all(|filter| row.contains(filter.as_str()))
    }

    fn row(&mut self, row: &str, ours: &str, peers: &str, figure: f64, unit: &str, limit: Limit) {
        let verdict = match (limit, limit.reached(figure)) {
            (Limit::None, _) => "",
            (_, true) => "reached",
            (_, false) => "MISSED",
        };
        self.limits += usize::from(!verdict.is_empty());
        self.missed += usize::from(verdict == "MISSED");
        let figure = format!("{}{unit}", short(figure));
        print_line(row, ours, peers, &figure, &limit.shown(unit), verdict);
    }

    /// Prints how many limits were reached.
    pub fn end(&self) {
        println!(
            "{} of {} limits reached",
            self.limits - self.missed,
            self.limits
        );
    }
}

fn print_line(row: &str, ours: &str, peers: &str, figure: &str, limit: &str, verdict: &str) {
    println!("{row:<58} {ours:>11} {peers:>11} {figure:>12} {limit:>12}  {verdict}");
}

fn per_second(speed: f64) -> String {
    format!("{speed:.2e}/s")
}

/// Three or four digits.
fn short(figure: f64) -> String {
    match figure {
        large if large >= 1e6 => format!("{large:.1e}"),
        large if large >= 10.0 => format!("{large:.0}"),
        small => format!("{small:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_holds_up_to_itself_and_no_further() {
        assert!(Limit::AtLeast(2.0).reached(2.0) && !Limit::AtLeast(2.0).reached(1.99));
        assert!(Limit::AtMost(2.0).reached(2.0) && !Limit::AtMost(2.0).reached(2.01));
    }
}
