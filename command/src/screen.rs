//! How wide and how coloured a page for people is, and how its text is broken into lines.

use crate::error::Error;
use crate::output;
use dp_assay_audit::report::{aligned, printable};
use std::ffi::OsString;
use textwrap::{Options, WordSplitter, WrapAlgorithm};

/// Prints a page for people, as wide as standard output is.
pub fn print(page: &str) -> Result<(), Error> {
    output::print(&Screen::of_output().fitted(page))
}

/// Where people read.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// The widest line, in characters.
    width: usize,
    /// Whether longer lines are broken. In a file or a pipe they are not: other programs read lines.
    breaks: bool,
    /// Whether there are colours.
    colour: bool,
}

/// What a text is, as a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Nothing in particular.
    Plain,
    /// As it should be.
    Good,
    /// To be looked at.
    Notable,
    /// Wrong.
    Bad,
    /// The heading of what follows.
    Heading,
}

impl Screen {
    /// A file or a pipe.
    pub const FILE: Self = Self {
        width: 120,
        breaks: false,
        colour: false,
    };

    /// Narrower lines than this are not made.
    const NARROWEST: usize = 40;

    /// The widest line of prose that is easy to read, and that of prose in a pipe.
    const PROSE: usize = 100;
    const PROSE_IN_A_PIPE: usize = 80;

    /// Standard output: as wide as the variable COLUMNS says, or else its terminal.
    pub fn of_output() -> Self {
        let asked = columns(std::env::var_os("COLUMNS"), of_terminal());
        Self {
            colour: output::colour(),
            ..asked.map_or(Self::FILE, Self::of_width)
        }
    }

    /// A terminal of this width without colours.
    pub fn of_width(width: usize) -> Self {
        Self {
            width: width.max(Self::NARROWEST),
            breaks: true,
            colour: false,
        }
    }

    /// The same for prose, which is always broken into lines.
    pub fn for_prose(self) -> Self {
        let width = match self.breaks {
            true => self.width.min(Self::PROSE),
            false => Self::PROSE_IN_A_PIPE,
        };
        Self {
            width,
            breaks: true,
            ..self
        }
    }

    /// The same with colours.
    #[cfg(test)]
    pub fn coloured(self) -> Self {
        Self {
            colour: true,
            ..self
        }
    }

    /// The widest line, in characters.
    pub fn width(self) -> usize {
        self.width
    }

    /// A text in the colour of its style.
    pub fn with(self, style: Style, text: &str) -> String {
        let code = match style {
            Style::Good => "32",
            Style::Notable => "33",
            Style::Bad => "1;31",
            Style::Heading => "1",
            Style::Plain => return text.to_owned(),
        };
        match self.colour {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }

    /// A text behind `first`, its further lines behind `then`, with a line's end. A word that is longer than a line is broken; others, and
    /// ids with hyphens, are not.
    pub fn wrapped(self, text: &str, first: &str, then: &str) -> String {
        if !self.breaks {
            return format!("{first}{text}\n");
        }
        let options = Options::new(self.width)
            .initial_indent(first)
            .subsequent_indent(then)
            .word_splitter(WordSplitter::NoHyphenation)
            .wrap_algorithm(WrapAlgorithm::FirstFit);
        textwrap::fill(text, options) + "\n"
    }

    /// A page that is laid out already: a line that is too long is broken, and goes on below its last column, if that begins in the first
    /// half.
    pub fn fitted(self, page: &str) -> String {
        let fitted = |line: &str| {
            if line.chars().count() <= self.width || !self.breaks {
                return format!("{line}\n");
            }
            let blank = line.len() - line.trim_start().len();
            let column = line[blank..].find("  ").map(|gap| {
                let rest = &line[blank + gap..];
                blank + gap + (rest.len() - rest.trim_start().len())
            });
            let column = column.filter(|&column| line[..column].chars().count() <= self.width / 2);
            let (first, text) = line.split_at(column.unwrap_or(blank));
            let then = first.chars().count() + if column.is_none() { 4 } else { 0 };
            self.wrapped(text, first, &" ".repeat(then))
        };
        page.lines().map(fitted).collect()
    }

    /// Rows of a name and a value: the values in a column, or below a name that is long.
    pub fn rows(self, rows: &[(String, String)], indent: &str) -> String {
        if !self.breaks {
            return aligned(rows, indent);
        }
        let length = |name: &str| name.chars().count();
        let lengths = rows.iter().map(|(name, _)| length(name));
        let column = lengths.filter(|&name| name <= self.width / 3).max();
        let column = column.unwrap_or(0);
        let below = format!("{indent}    ");
        let row = |(name, value): &(String, String)| {
            let (name, value) = (printable(name), printable(value));
            if length(&name) <= column {
                let first = format!("{indent}{name:column$}  ");
                return self.wrapped(&value, &first, &" ".repeat(length(&first)));
            }
            self.wrapped(&name, indent, &below) + &self.wrapped(&value, &below, &below)
        };
        rows.iter().map(row).collect()
    }
}

/// How wide a page is to be: as the variable says, if it is a whole number above 0, or else as the terminal is.
fn columns(variable: Option<OsString>, terminal: Option<usize>) -> Option<usize> {
    let asked = variable.and_then(|value| value.to_str()?.trim().parse().ok());
    asked.filter(|&columns: &usize| columns > 0).or(terminal)
}

/// How many characters a line of standard output has, if that is a terminal which says so.
#[cfg(unix)]
fn of_terminal() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
}

#[cfg(not(unix))]
fn of_terminal() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_is_asked_before_the_terminal() {
        let columns = |variable: Option<&str>| columns(variable.map(OsString::from), Some(90));
        assert_eq!(columns(Some("70")), Some(70));
        for none in [None, Some(""), Some("wide"), Some("0"), Some("-5")] {
            assert_eq!(columns(none), Some(90), "{none:?}");
        }
        assert_eq!(Screen::of_width(1).width(), Screen::NARROWEST);
    }

    #[test]
    fn no_line_is_wider_than_the_screen_and_no_word_is_lost() {
        let long = "x".repeat(130);
        let text = format!("a-hyphenated-word {long} and so on, and so on, and so on, to the end");
        for width in [40, 60, 80, 200] {
            let lines = Screen::of_width(width).wrapped(&text, "  ", "    ");
            assert!(lines.lines().all(|line| line.chars().count() <= width));
            let bare = |text: &str| text.replace([' ', '\n'], "");
            assert_eq!(bare(&lines), bare(&text));
            assert!(lines.contains("a-hyphenated-word"));
        }
        assert_eq!(Screen::FILE.wrapped(&text, "", ""), format!("{text}\n"));
    }

    #[test]
    fn a_page_is_broken_below_its_column() {
        let page = "said first\n  name   what is said of it, and of others too\n";
        let screen = Screen::of_width(40);
        let whole = "said first\n  name   what is said of it, and of\n         others too\n";
        assert_eq!(screen.fitted(page), whole);
        let long = "a sentence that has no columns, but words enough\n";
        assert_eq!(screen.fitted(long).lines().nth(1), Some("    words enough"));
        assert_eq!(Screen::FILE.fitted(page), page);
    }

    #[test]
    fn a_value_stands_beside_a_short_name_and_below_a_long_one() {
        let row = |name: &str| (name.to_owned(), "1/2".to_owned());
        let rows = [row("n"), row("two"), row(&"long ".repeat(9))];
        let text = Screen::of_width(60).rows(&rows, " ");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], [" n    1/2", " two  1/2"]);
        assert_eq!(lines[3], "     1/2");
        assert!(Screen::FILE.rows(&rows[..2], "").starts_with("n    1/2\n"));
    }
}
