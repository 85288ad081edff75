//! What a row found when somebody last looked at it: its paragraph of `ledger/evidence`. A test holds these files equal to what the
//! checks find, so that a reader need not run them.

/// What the check of a claim found, at full size and with seed 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// What was established, a word: `refuted`.
    pub status: &'static str,
    /// How it was decided: `exact, certified`, or `none`.
    pub method: &'static str,
    /// How many assertions were made.
    pub assertions: u64,
    /// The counterexamples.
    pub counterexamples: Vec<&'static str>,
    /// The numbers that came out, each behind its name: `Pr[A x = 0], m = 1, d = 2: 1/2`.
    pub figures: Vec<&'static str>,
}

impl Accepted {
    /// The paragraph of this claim in a file of evidence: `ID: STATUS, METHOD, N assertions`, and indented lines.
    pub(super) fn of(id: &str, evidence: &'static str) -> Option<Self> {
        let is_its = |line: &str| line.strip_prefix(id).is_some_and(|it| it.starts_with(": "));
        let mut lines = evidence.lines().skip_while(|line| !is_its(line));
        let (_, found) = lines.next()?.split_once(": ")?;
        let (status, rest) = found.split_once(", ")?;
        let (method, count) = rest.rsplit_once(", ")?;
        let mut this = Self {
            status,
            method,
            assertions: count.strip_suffix(" assertions")?.parse().ok()?,
            counterexamples: Vec::new(),
            figures: Vec::new(),
        };
        for line in lines.map_while(|line| line.strip_prefix("    ")) {
            match line.strip_prefix("counterexample: ") {
                Some(text) => this.counterexamples.push(text),
                None => this.figures.push(line),
            }
        }
        Some(this)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_is_read_whole_and_is_that_of_the_claim() {
        let evidence = "p.a.b: checked, exact, 1 assertions\n\np.a: refuted, exact, certified, 3 assertions\n    counterexample: x = 1\n    Pr[x]: 1/2\n\np.c: open, none, 0 assertions\n";
        let found = Accepted::of("p.a", evidence).unwrap();
        assert_eq!(
            (found.status, found.method, found.assertions),
            ("refuted", "exact, certified", 3)
        );
        assert_eq!(found.counterexamples, ["x = 1"]);
        assert_eq!(found.figures, ["Pr[x]: 1/2"]);
        assert!(Accepted::of("p.c", evidence).unwrap().figures.is_empty());
        assert_eq!(Accepted::of("p.d", evidence), None);
    }
}
