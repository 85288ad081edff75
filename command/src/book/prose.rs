//! Text of the pages as HTML: Markdown, formulas in backticks, and links to where things stand in the book.

use super::notation::{Part, parts};
use super::site::Site;
use super::sources::anchor;
use maud::{Escaper, Markup, PreEscaped, html};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html as markdown};
use std::fmt::Write;

/// Writes what stands at one place of the book.
#[derive(Clone, Copy)]
pub struct Prose<'a> {
    /// The book.
    pub site: &'a Site<'a>,
    /// From the file to the folder of the book: `../` or nothing.
    pub root: &'static str,
    /// The file in which links to a place without a page lead.
    pub home: &'a str,
    /// Whether a line of the text is a line of the book.
    pub lines: bool,
}

impl<'a> Prose<'a> {
    /// On a page in the folder of the book, which has no notes beside it.
    pub fn at_top(site: &'a Site<'a>) -> Self {
        Self {
            site,
            root: "",
            home: "",
            lines: false,
        }
    }

    /// On a page one folder below, of a claim or a paper, whose notes are in the file `home`.
    pub fn below(site: &'a Site<'a>, home: &'a str) -> Self {
        Self {
            site,
            root: "../",
            home,
            lines: true,
        }
    }
}

impl Prose<'_> {
    /// The file of a claim, from here.
    pub fn claim(&self, id: &str) -> String {
        format!("{}c/{id}.html", self.root)
    }

    /// A field: text in one line, with formulas and code in backticks, and names of claims.
    pub fn field(&self, text: &str) -> Markup {
        self.line(text, escape)
    }

    /// A statement: a field in which formulas stand without backticks too.
    pub fn statement(&self, text: &str) -> Markup {
        self.line(text, |out, part| self.mixed(out, part))
    }

    /// A line: what stands in backticks, names of claims, and between them what `write` makes of it.
    fn line(&self, text: &str, write: impl Fn(&mut String, &str)) -> Markup {
        let mut out = String::new();
        for (at, part) in text.split('`').enumerate() {
            if at % 2 == 1 {
                out += &self.code(part);
                continue;
            }
            let mut rest = part;
            while let Some((before, id, behind)) = self.first_claim(rest) {
                write(&mut out, before);
                out += &self.code(id);
                rest = behind;
            }
            write(&mut out, rest);
        }
        PreEscaped(out)
    }

    /// The first name of a claim in a text, what stands before it, and what behind.
    fn first_claim<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str, &'t str)> {
        let is_of_id = |sign: char| sign.is_ascii_alphanumeric() || ".-_".contains(sign);
        let mut start = 0;
        for word in text.split(|sign| !is_of_id(sign)) {
            let id = word.trim_end_matches('.');
            if id.contains('.') && self.site.row(id).is_some() {
                return Some((&text[..start], id, &text[start + id.len()..]));
            }
            start += word.len();
            start += text[start..].chars().next().map_or(0, char::len_utf8);
        }
        None
    }

    fn mixed(&self, out: &mut String, text: &str) {
        for part in parts(text) {
            match part {
                Part::Text(text) => escape(out, text),
                Part::Formula(text) => match self.site.formula(text) {
                    Some(formula) => *out += &formula,
                    None => escape(out, text),
                },
            }
        }
    }

    /// What stands in backticks: a claim, a text of the repository, a formula, code.
    pub fn code(&self, text: &str) -> String {
        let shown = html! { code { (text) } };
        if let Some(row) = self.site.row(text) {
            let place = self.claim(row.id());
            return html! { a.claim href=(place) { (shown) } }.into_string();
        }
        let place = text
            .ends_with(".md")
            .then(|| self.site.file_of(text))
            .flatten();
        if let Some(file) = place {
            return html! { a href={ (self.root) (file) } { (shown) } }.into_string();
        }
        let formula = self.site.mathematics(text);
        formula.unwrap_or_else(|| shown.into_string())
    }

    /// A text in Markdown. The first word of a proof, of a scope and of what is left open is set off.
    pub fn text(&self, text: &str) -> Markup {
        let text: Vec<String> = text.lines().map(set_off).collect();
        let text = text.join("\n");
        let options = Options::ENABLE_TABLES;
        let mut open_link = false;
        let mut heading: Option<String> = None;
        let mut out = String::new();
        let events = Parser::new_ext(&text, options).flat_map(|event| match event {
            Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
                raw(self.code(&text.replace("\\|", "|")))
            }
            Event::Text(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
                vec![Event::Text(text)]
            }
            Event::SoftBreak if self.lines => raw("<br>\n".to_owned()),
            // Comments are none of the book's, and nothing else of HTML is meant as such.
            Event::Html(text) | Event::InlineHtml(text) => {
                match text.trim_start().starts_with("<!--") {
                    true => Vec::new(),
                    false => vec![Event::Text(text)],
                }
            }
            Event::Start(Tag::Table(columns)) => vec![
                Event::Html("<div class=\"scroll\" tabindex=\"0\">".into()),
                Event::Start(Tag::Table(columns)),
            ],
            Event::End(TagEnd::Table) => {
                vec![Event::End(TagEnd::Table), Event::Html("</div>\n".into())]
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                let place = self.place(&dest_url);
                open_link = place.is_some();
                let open = |place| {
                    html! { a href=(place) {} }
                        .into_string()
                        .replace("</a>", "")
                };
                place.map(open).map(raw).unwrap_or_default()
            }
            Event::End(TagEnd::Link) if open_link => raw("</a>".to_owned()),
            Event::End(TagEnd::Link)
            | Event::Start(Tag::Image { .. })
            | Event::End(TagEnd::Image) => Vec::new(),
            Event::Start(Tag::Heading { level, .. }) => {
                heading = Some(String::new());
                raw(format!("<h{}>", number(level)))
            }
            Event::End(TagEnd::Heading(level)) => {
                let place = anchor(&heading.take().unwrap_or_default());
                raw(format!(
                    "<a class=\"here\" id=\"{place}\"></a></h{}>\n",
                    number(level)
                ))
            }
            event => vec![event],
        });
        markdown::push_html(&mut out, events);
        PreEscaped(out)
    }

    /// Where a link leads in the book; `None` if that is not in it.
    fn place(&self, link: &str) -> Option<String> {
        if link.starts_with("https://") {
            return Some(link.to_owned());
        }
        let (path, place) = match link.split_once('#') {
            Some((path, place)) => (path, format!("#{place}")),
            None => (link, String::new()),
        };
        let file = match path {
            "" => self.home.to_owned(),
            path => self.site.file_of(path)?,
        };
        Some(format!("{}{file}{place}", self.root))
    }
}

/// A piece of HTML among the events.
fn raw(text: String) -> Vec<Event<'static>> {
    vec![Event::InlineHtml(CowStr::from(text))]
}

/// A heading of a text stands below that of the page.
fn number(level: HeadingLevel) -> usize {
    (level as usize).clamp(2, 4)
}

/// `Proof.` and its like in bold, at the beginning of a line.
fn set_off(line: &str) -> String {
    const WORDS: [&str; 6] = [
        "Proof",
        "Counterexample",
        "Scope",
        "Why open",
        "Why",
        "Why it is open",
    ];
    let end = line.find(['.', ':']).filter(|&end| end < 60);
    let first = end.map_or("", |end| &line[..=end]);
    let begins = WORDS.iter().any(|word| {
        let behind = first.strip_prefix(word);
        behind.is_some_and(|behind| behind.starts_with(['.', ':', ' ', ',']))
    });
    match begins && !first.contains(['`', '*']) {
        true => format!("**{first}**{}", &line[first.len()..]),
        false => line.to_owned(),
    }
}

/// Text with the signs of HTML escaped.
fn escape(out: &mut String, text: &str) {
    // Writing to a string does not fail.
    let _ = Escaper::new(out).write_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_of_a_proof_is_set_off() {
        assert_eq!(set_off("Proof. Plain."), "**Proof.** Plain.");
        assert_eq!(set_off("Why open. No."), "**Why open.** No.");
        assert_eq!(set_off("Proofs are long."), "Proofs are long.");
        assert_eq!(set_off("Scope: all."), "**Scope:** all.");
    }
}
