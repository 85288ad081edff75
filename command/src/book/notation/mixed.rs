//! Formulas in a statement, which is written without backticks: what is a word of English is text, what is none is a formula.

use super::names::{big, is_word, is_word_too};
use super::token::{Kind, Token, angle, tokens};

/// A part of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// Words, and what stands between.
    Text(&'a str),
    /// What may be read as a formula.
    Formula(&'a str),
}

/// The parts of a statement, in its order: together they are all of it.
pub fn parts(text: &str) -> Vec<Part<'_>> {
    let Some(tokens) = tokens(text) else {
        return vec![Part::Text(text)];
    };
    let (mut found, mut done, mut at) = (Vec::new(), 0, 0);
    while at < tokens.len() {
        let end = run(&tokens, at);
        if end == at {
            at += 1;
            continue;
        }
        let (start, stop) = (tokens[at].bytes.0, tokens[end - 1].bytes.1);
        found.extend((start > done).then(|| Part::Text(&text[done..start])));
        found.push(Part::Formula(&text[start..stop]));
        (done, at) = (stop, end);
    }
    found.extend((done < text.len()).then(|| Part::Text(&text[done..])));
    found
}

/// Where the formula ends that begins here; here if none does.
fn run(tokens: &[Token], at: usize) -> usize {
    let (mut end, mut limits, mut operands) = (at, false, 0);
    while let Some(token) = tokens.get(end) {
        match token.kind {
            Kind::Number => operands += 1,
            Kind::Name if limits && ["over", "from", "to", "of"].contains(&token.text) => {
                limits = token.text != "of";
            }
            Kind::Name if token.text == "in" && end > at && is_symbol(tokens, end + 1) => {}
            // What stands below or above is of the formula, a word too.
            Kind::Name
                if end > at && !token.spaced && ["_", "^"].contains(&tokens[end - 1].text) => {}
            Kind::Name if is_symbol(tokens, end) => {
                limits |= has_limits(tokens, end);
                operands += 1;
            }
            Kind::Sign => match sign(tokens, at, end) {
                Some(last) => {
                    operands += usize::from(last > end);
                    end = last;
                }
                None => break,
            },
            _ => break,
        }
        end += 1;
    }
    if operands == 0 { at } else { end }
}

/// Whether a token is a name of mathematics, and no word.
fn is_symbol(tokens: &[Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else {
        return false;
    };
    let next = tokens.get(at + 1);
    let tight = next
        .filter(|next| !next.spaced)
        .map_or("", |next| next.text);
    let word_next =
        next.is_some_and(|next| next.spaced && next.kind == Kind::Name && is_word(next.text));
    match token.text {
        _ if token.kind == Kind::Number => true,
        _ if token.kind != Kind::Name => ["(", "[", "{", "|"].contains(&token.text),
        "a" | "A" if word_next => false,
        "in" => false,
        name if big(name).is_some() => has_limits(tokens, at) || tight == "(",
        name if is_word_too(name) => ["(", "_", "^"].contains(&tight),
        name if is_word(name) => {
            let behind = tokens
                .get(at + 2)
                .is_some_and(|it| it.kind == Kind::Name && is_word(it.text));
            ["_", "^"].contains(&tight) || (["/", "("].contains(&tight) && !behind)
        }
        _ => true,
    }
}

/// Whether limits stand behind an operator: `over`, `from`, an index, or `of` and no word.
fn has_limits(tokens: &[Token], at: usize) -> bool {
    let is_big = tokens
        .get(at)
        .is_some_and(|token| big(token.text).is_some());
    let next = tokens.get(at + 1).map_or("", |next| next.text);
    let of = next == "of" && is_symbol(tokens, at + 2);
    is_big && (["over", "from", "_"].contains(&next) || of)
}

/// The last token of what a sign stands for within a formula: of a bracket, where it closes. `None` if it is a mark of the text.
fn sign(tokens: &[Token], start: usize, at: usize) -> Option<usize> {
    let token = tokens[at];
    let next = tokens.get(at + 1);
    match token.text {
        "(" | "[" | "{" => bracket(tokens, at),
        "<" if angle(tokens, at).is_some() => angle(tokens, at),
        ")" | "]" | "}" | "," | ";" | ":" | "." => None,
        "'" if next.is_some_and(|next| next.text == "s" && !next.spaced) => None,
        "'" | "!" => (at > start && !token.spaced).then_some(at),
        "^" | "_" if at == start => None,
        // A hyphen, or a dash between words.
        "-" => {
            let word = next.is_none_or(|next| next.kind == Kind::Name && is_word(next.text));
            let dash = token.spaced && next.is_none_or(|next| next.spaced);
            (!(word || (dash && at == start))).then_some(at)
        }
        _ => Some(at),
    }
}

/// Where a bracket closes, if what stands in it is no text.
fn bracket(tokens: &[Token], at: usize) -> Option<usize> {
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate().skip(at) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            "in" | "of" | "over" | "from" | "to" | "and" | "or" => {}
            text if token.kind == Kind::Name && is_word(text) && token.spaced => return None,
            text if place == at + 1 && token.kind == Kind::Name && is_word(text) => return None,
            _ if token.kind == Kind::Quoted => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(place);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formulas in brackets of their own.
    fn marked(text: &str) -> String {
        let shown = |part: &Part| match part {
            Part::Text(text) => (*text).to_owned(),
            Part::Formula(text) => format!("«{text}»"),
        };
        parts(text).iter().map(shown).collect()
    }

    #[test]
    fn words_are_text_and_the_rest_is_formulas() {
        for (text, found) in [
            (
                "for every epsilon <= 1, a learner",
                "for every «epsilon <= 1», a learner",
            ),
            (
                "the law (as it is) of (p, q)",
                "the law (as it is) of «(p, q)»",
            ),
            ("the sum of all x_i", "the sum of all «x_i»"),
            (
                "the sum over i of x_i is at most n",
                "the «sum over i of x_i» is at most «n»",
            ),
            ("a two-sided bound - or none", "a two-sided bound - or none"),
            ("y <w,x> >= 0 for w in W", "«y <w,x> >= 0» for «w in W»"),
            ("the sign of sign(x)", "the sign of «sign(x)»"),
        ] {
            assert_eq!(marked(text), found);
        }
    }

    #[test]
    fn nothing_of_a_statement_is_lost() {
        for text in ["x in [0, 1), and \"y\": z", "a & b", "(", ""] {
            let all: String = parts(text)
                .iter()
                .map(|part| match part {
                    Part::Text(text) | Part::Formula(text) => *text,
                })
                .collect();
            assert_eq!(all, text);
        }
    }
}
