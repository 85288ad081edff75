//! What the words of a row mean, by the tables of `spec/conventions.md`; and the symbols of a page, by its table of notation.

use super::PAGES;
use crate::claim::{Claim, Status, Version};

const CONVENTIONS: &str = include_str!("../../pages/conventions.md");

/// What a status, a proof or a kind means, in the words of `spec/conventions.md`, as Markdown: of `refuted (gap)`, "a step of the
/// printed proof has a counterexample; the statement may hold". `None` for a word that has no row there.
#[must_use]
pub fn meaning(word: &str) -> Option<&'static str> {
    let row = format!("| `{word}` | ");
    let text = CONVENTIONS
        .lines()
        .find_map(|line| line.strip_prefix(&row))?;
    Some(text.trim_end_matches(" |"))
}

/// What status and kind of a claim mean: of a refuted one of our own, that it is charged to nobody.
#[must_use]
pub fn verdict(claim: &Claim) -> Option<&'static str> {
    match (claim.version, claim.expected) {
        (Version::Ours, Status::Refuted) => meaning("refuted, ours"),
        _ => meaning(&claim.expected_in_words()),
    }
}

/// The symbols of a claim's page, each with its meaning and where it is defined or holds, as Markdown: the table
/// `| symbol | meaning | where |`; none if the page has no such table. A symbol with two meanings is there twice.
#[must_use]
pub fn notation(claim: &Claim) -> Vec<[&'static str; 3]> {
    let is_its = |path: &str| {
        claim
            .source
            .strip_prefix(path)
            .is_some_and(|it| it.starts_with(':'))
    };
    let page = PAGES.iter().find(|page| is_its(page.path));
    page.map_or_else(Vec::new, |page| symbols(page.text))
}

fn symbols(page: &str) -> Vec<[&str; 3]> {
    let table = page
        .lines()
        .skip_while(|line| *line != "| symbol | meaning | where |");
    let rows = table.skip(2).map_while(|line| line.strip_prefix("| `"));
    rows.filter_map(cells).collect()
}

/// The cells of a row whose first backtick is taken off.
fn cells(row: &str) -> Option<[&str; 3]> {
    let (symbol, rest) = row.strip_suffix(" |")?.split_once("` | ")?;
    let (meaning, place) = rest.split_once(" | ")?;
    Some([symbol, meaning, place])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_symbols_is_read_to_its_end() {
        let page = "# P\n\n| symbol | meaning | where |\n|---|---|---|\n| `p` | mass of `B` | Section 2 |\n| `E(k)` | k^2 | `p.a` |\n\n| `q` | no row | |\n";
        assert_eq!(
            symbols(page),
            [["p", "mass of `B`", "Section 2"], ["E(k)", "k^2", "`p.a`"]]
        );
        assert!(symbols("# P\n").is_empty());
    }
}
