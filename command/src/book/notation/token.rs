//! The tokens of the notation.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `12`, `0.5`, `1e-6`, `250,000`.
    Number,
    /// Letters, and digits behind them.
    Name,
    /// Words in double quotes.
    Quoted,
    /// An operator, a bracket, a mark.
    Sign,
}

/// A token, and whether a space stands before it: that is a part of the notation.
#[derive(Debug, Clone, Copy)]
pub struct Token<'a> {
    /// As it is written; of what is quoted, without the quotes.
    pub text: &'a str,
    /// What it is.
    pub kind: Kind,
    /// The bytes of the text that it is, quotes included.
    pub bytes: (usize, usize),
    /// Whether a space stands before it.
    pub spaced: bool,
}

/// The signs of several characters, the longest first.
const LONG: [&str; 17] = [
    "<=>", "<->", "|->", "...", "<=", ">=", "!=", "->", "=>", ":=", "=:", "<<", ">>", "==", "+-",
    "..", "||",
];

/// The signs of one character.
const SHORT: &str = "-+*/<=>|(){}[],;:!'#^_~.%\\…±√∞·×≤≥≠−";

/// The tokens of a text; `None` where a sign is not of the notation.
pub fn tokens(whole: &str) -> Option<Vec<Token<'_>>> {
    let mut found: Vec<Token> = Vec::new();
    let mut rest = whole;
    let mut spaced = true;
    loop {
        let trimmed = rest.trim_start();
        spaced |= trimmed.len() < rest.len();
        rest = trimmed;
        let Some(first) = rest.chars().next() else {
            return Some(found);
        };
        let (kind, length) = match first {
            '0'..='9' => (Kind::Number, number(rest)),
            'a'..='z' | 'A'..='Z' => (Kind::Name, name(rest)),
            '"' => (Kind::Quoted, rest[1..].find('"')? + 2),
            _ => (Kind::Sign, sign(rest)?),
        };
        let all = &rest[..length];
        let text = match kind {
            Kind::Quoted => &all[1..length - 1],
            _ => all,
        };
        let start = whole.len() - rest.len();
        found.push(Token {
            text,
            kind,
            bytes: (start, start + length),
            spaced,
        });
        rest = &rest[length..];
        spaced = false;
    }
}

/// Where the `>` stands that closes the `<` at this place, if that opens an inner product: a comma stands between them.
pub fn angle(tokens: &[Token], at: usize) -> Option<usize> {
    let (mut depth, mut comma) = (0, false);
    for (place, token) in tokens.iter().enumerate().skip(at + 1) {
        match token.text {
            _ if place == at + 1 && token.spaced => return None,
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return None,
            ")" | "]" | "}" => depth -= 1,
            "<" if depth == 0 && token.spaced => return None,
            "," if depth == 0 => comma = true,
            ">" if depth == 0 => return comma.then_some(place),
            _ => {}
        }
    }
    None
}

/// How long the run of digits is with which a text begins.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// `250,000`, `0.5`, `4.0e-5`. A dot or an e without a digit behind it is none of the number.
fn number(text: &str) -> usize {
    let mut length = digits(text);
    if length <= 3 {
        while text[length..].starts_with(',') && digits(&text[length + 1..]) == 3 {
            length += 4;
        }
    }
    if text[length..].starts_with('.') {
        let more = digits(&text[length + 1..]);
        length += if more > 0 { more + 1 } else { 0 };
    }
    if let Some(behind) = text[length..].strip_prefix('e') {
        let signed = usize::from(behind.starts_with(['-', '+']));
        let more = digits(&behind[signed..]);
        let ends = !behind[signed + more..].starts_with(|next: char| next.is_ascii_alphabetic());
        length += if more > 0 && ends {
            1 + signed + more
        } else {
            0
        };
    }
    length
}

fn name(text: &str) -> usize {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    letters + digits(&text[letters..])
}

fn sign(text: &str) -> Option<usize> {
    let long = LONG.iter().find(|long| text.starts_with(**long));
    let first = text.chars().next()?;
    let short = SHORT.contains(first).then(|| first.len_utf8());
    long.map(|long| long.len()).or(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_ends_where_it_ends() {
        for (text, number) in [
            ("250,000 x", "250,000"),
            ("1,100", "1,100"),
            ("1, 100", "1"),
            ("4.0e-5", "4.0e-5"),
            ("2e", "2"),
            ("3e^x", "3"),
            ("1..n", "1"),
            ("0.5.", "0.5"),
        ] {
            assert_eq!(tokens(text).unwrap()[0].text, number, "{text}");
        }
    }

    #[test]
    fn what_is_no_sign_of_the_notation_is_not_read() {
        assert!(tokens("a & b").is_none());
        assert!(tokens("\"open").is_none());
        assert_eq!(tokens("a <= \"b c\"").unwrap()[2].text, "b c");
    }
}
