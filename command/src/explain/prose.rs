//! The prose under a claim, by its paragraphs: the argument, and the scope of the check.

use crate::screen::Screen;

/// What stands under the fields of a claim.
#[derive(Debug)]
pub struct Prose<'a> {
    /// All paragraphs but those that say the scope.
    paragraphs: Vec<&'a str>,
    /// What the page says of the scope.
    pub scope: Vec<&'a str>,
}

const SCOPE: &str = "Scope: ";

impl<'a> Prose<'a> {
    /// The paragraphs of a text, which blank lines part.
    pub fn of(text: &'a str) -> Self {
        let paragraphs = text.split("\n\n").map(str::trim_end);
        let paragraphs = paragraphs.filter(|paragraph| !paragraph.is_empty());
        let (scope, paragraphs): (Vec<_>, Vec<_>) =
            paragraphs.partition(|paragraph| paragraph.starts_with(SCOPE));
        let scope = scope.into_iter().map(|text| &text[SCOPE.len()..]).collect();
        Self { paragraphs, scope }
    }

    /// The paragraph to read first, under its heading: the counterexample, or the beginning of the proof, or why nothing is checked.
    pub fn first(&self) -> Option<(&'static str, &'a str)> {
        let begins = |word: &str| {
            let found = self.paragraphs.iter().find(|paragraph| {
                let bare = paragraph.trim_start_matches(['*', '_', ' ']);
                bare.starts_with(word)
            });
            found.copied()
        };
        let named = [
            ("COUNTEREXAMPLE", "Counterexample"),
            ("PROOF", "Proof"),
            ("WHY IT IS OPEN", "Why"),
        ];
        let found = named
            .into_iter()
            .find_map(|(heading, word)| Some((heading, begins(word)?)));
        found.or_else(|| Some(("ON THE PAGE", *self.paragraphs.first()?)))
    }

    /// How many paragraphs there are beside the one to read first.
    pub fn others(&self) -> usize {
        self.paragraphs.len().saturating_sub(1)
    }

    /// All of them.
    pub fn all(&self) -> &[&'a str] {
        &self.paragraphs
    }
}

/// A paragraph of Markdown as lines of a terminal: items of a list and rows of a table each begin a line, what is fenced is as it is.
pub fn lines(paragraph: &str, screen: Screen) -> String {
    let mut text = String::new();
    let mut open = String::new();
    let mut fenced = false;
    for line in paragraph.lines() {
        let bare = line.trim();
        if bare.starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            text += &item(&std::mem::take(&mut open), screen);
            text += &format!("  {line}\n");
        } else if bare.starts_with("|---") {
            // The line below a table's head.
        } else if begins_a_line(bare) || open.is_empty() {
            text += &item(&std::mem::take(&mut open), screen);
            bare.trim_start_matches("#### ").clone_into(&mut open);
        } else {
            open += &format!(" {bare}");
        }
    }
    text + &item(&open, screen)
}

/// An item of a list, numbered or not, or a row of a table, or a heading.
fn begins_a_line(line: &str) -> bool {
    let after_number = line.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let numbered = after_number.len() < line.len() && after_number.starts_with(". ");
    numbered
        || ["- ", "| ", "#### "]
            .iter()
            .any(|start| line.starts_with(start))
}

fn item(text: &str, screen: Screen) -> String {
    let then = if begins_a_line(text) { "    " } else { "  " };
    match text.is_empty() {
        true => String::new(),
        false => screen.wrapped(&text.replace('`', ""), "  ", then),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counterexample_is_read_before_its_proof() {
        let prose =
            Prose::of("As printed.\n\nCounterexample: 1.\n\n*Proof.* Plain.\n\nScope: n = 1.");
        assert_eq!(
            prose.first(),
            Some(("COUNTEREXAMPLE", "Counterexample: 1."))
        );
        assert_eq!((prose.others(), prose.scope), (2, vec!["n = 1."]));
        let heading = |text| Prose::of(text).first().map(|(heading, _)| heading);
        assert_eq!(heading("It is plain.\n\n*Proof.* So."), Some("PROOF"));
        assert_eq!(heading("Why open: hard."), Some("WHY IT IS OPEN"));
        assert_eq!(heading("It is plain."), Some("ON THE PAGE"));
        assert_eq!(heading("Scope: all."), None);
    }

    #[test]
    fn items_and_rows_begin_lines_and_what_is_fenced_stays() {
        let text = "Let `x`\nbe 1.\n1. One.\n   And more.\n- Two.\n```\na   b\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n#### Head";
        let found = lines(text, Screen::of_width(80));
        let expected = "  Let x be 1.\n  1. One. And more.\n  - Two.\n  a   b\n  | a | b |\n  | 1 | 2 |\n  Head\n";
        assert_eq!(found, expected);
    }
}
