//! The grammar of the notation, by recursive descent.
//!
//! ```text
//! row      := { operator | relation | word | scripted }          a space between two operands is a product
//! scripted := atom { ' | * | # | ! | % | ~ | _ argument | ^ argument }
//! argument := ( row ) | { sign } atom { script }                  brackets of an argument are only brackets
//! atom     := number | name | "words" | ( row ) | |row| | <row> | sqrt scripted | floor(row) | sum over row of
//! ```
//!
//! A quotient stays on its line, as it is written: so it needs no rule of precedence, and none can be wrong.

use super::names::{big, is_mathematical, is_word, meaning};
use super::token::{Kind, Token, angle, tokens};
use super::tree::Tree;

/// The rows of a formula; `None` where it is not of the grammar.
pub fn formula(text: &str) -> Option<Vec<Tree>> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
    };
    let row = parser.row(&[])?;
    (parser.at == parser.tokens.len() && !row.is_empty()).then_some(row)
}

/// What closes a bracket: intervals are half open too.
const CLOSING: [&str; 3] = [")", "]", "}"];

pub(super) struct Parser<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) at: usize,
}

impl<'a> Parser<'a> {
    /// The token that many places on.
    pub(super) fn peek(&self, ahead: usize) -> Option<Token<'a>> {
        self.tokens.get(self.at + ahead).copied()
    }

    /// Its text; empty behind the end.
    pub(super) fn text(&self, ahead: usize) -> &'a str {
        match self.peek(ahead) {
            Some(token) if token.kind != Kind::Quoted => token.text,
            _ => "",
        }
    }

    /// Whether a token is there without a space before it.
    pub(super) fn is_tight(&self, ahead: usize) -> bool {
        self.peek(ahead).is_some_and(|token| !token.spaced)
    }

    /// What stands up to one of these tokens, or to the end.
    pub(super) fn row(&mut self, ends: &[&str]) -> Option<Vec<Tree>> {
        let mut row: Vec<Tree> = Vec::new();
        while let Some(token) = self.peek(0) {
            let operand = row.last().is_some_and(Tree::is_operand);
            let closes = token.text != "|" || operand;
            if token.kind != Kind::Quoted && ends.contains(&token.text) && closes {
                break;
            }
            if let Some(tree) = self.operator(operand) {
                row.push(tree);
                continue;
            }
            let trees = match token.text {
                "|" if operand => vec![self.bar_or_given()?],
                _ => self.scripted()?,
            };
            let apart = token.spaced || matches!(row.last(), Some(Tree::Word(_)));
            if operand && apart && trees[0].is_operand() {
                row.push(Tree::Space);
            }
            row.extend(trees);
        }
        Some(row)
    }

    /// An operator, a relation or a mark, if the next token is one.
    fn operator(&mut self, operand: bool) -> Option<Tree> {
        let token = self.peek(0)?;
        let around = token.spaced && self.peek(1).is_some_and(|next| next.spaced);
        let tree = match (token.kind, token.text) {
            (Kind::Name, "in") if operand && self.peek(1).is_some() => Tree::Relation("\\in"),
            (Kind::Name, "x") if around && self.between_numbers() => Tree::Sign("\\times"),
            (Kind::Sign, "<") if self.opens_angle() => return None,
            (Kind::Sign, "||") if operand => Tree::Sign("\\parallel"),
            (Kind::Sign, "-") if self.is_hyphen() => Tree::Sign("\\text{-}"),
            (Kind::Sign, ".") if around => Tree::Sign("\\cdot"),
            (Kind::Sign, text) => simple(text)?,
            _ => return None,
        };
        self.at += 1;
        Some(tree)
    }

    fn between_numbers(&self) -> bool {
        let is_number = |token: Option<&Token>| token.is_some_and(|it| it.kind == Kind::Number);
        let before = self.at.checked_sub(1);
        is_number(before.and_then(|at| self.tokens.get(at)))
            && is_number(self.tokens.get(self.at + 1))
    }

    /// A minus within a word, as in `k-th`.
    fn is_hyphen(&self) -> bool {
        let next = self.peek(1);
        self.is_tight(0)
            && next.is_some_and(|it| !it.spaced && it.kind == Kind::Name && is_word(it.text))
    }

    fn opens_angle(&self) -> bool {
        angle(&self.tokens, self.at).is_some()
    }

    /// A bar behind an operand: it opens what closes again, or says "given".
    fn bar_or_given(&mut self) -> Option<Tree> {
        let start = self.at;
        let around = self.peek(0)?.spaced && self.peek(1).is_some_and(|next| next.spaced);
        if let (false, Some(tree)) = (around, self.fenced("|", &["|"])) {
            return self.scripts(tree);
        }
        self.at = start + 1;
        Some(Tree::Sign("\\mid"))
    }

    /// Between brackets.
    pub(super) fn fenced(&mut self, open: &'static str, ends: &[&str]) -> Option<Tree> {
        self.at += 1;
        let inner = Box::new(Tree::Row(self.row(ends)?));
        let close = self.text(0);
        if close.is_empty() {
            return None;
        }
        self.at += 1;
        let latex = |bracket: &str| match bracket {
            "{" => "\\{",
            "}" => "\\}",
            "(" => "(",
            ")" => ")",
            "[" => "[",
            "<" => "\\langle ",
            ">" => "\\rangle ",
            "|" => "|",
            "||" => "\\|",
            _ => "]",
        };
        Some(Tree::Fenced(latex(open), inner, latex(close)))
    }

    /// An operand with its scripts, and the letters of a product before it.
    pub(super) fn scripted(&mut self) -> Option<Vec<Tree>> {
        let (mut trees, base) = self.atom()?;
        trees.push(self.scripts(base)?);
        Some(trees)
    }

    /// One operand, without the letters before it.
    pub(super) fn atom(&mut self) -> Option<(Vec<Tree>, Tree)> {
        let token = self.peek(0)?;
        let tree = match (token.kind, token.text) {
            (Kind::Number, text) => self.took(number(text)),
            (Kind::Quoted, text) => self.took(quoted(text)?),
            (Kind::Name, name) => return self.name(name),
            (_, "(") => self.fenced("(", &CLOSING)?,
            (_, "[") => self.fenced("[", &CLOSING)?,
            (_, "{") => self.fenced("{", &CLOSING)?,
            (_, "|") => self.fenced("|", &["|"])?,
            (_, "||") => self.fenced("||", &["||"])?,
            (_, "<") if self.opens_angle() => self.fenced("<", &[">"])?,
            (_, "..." | ".." | "…") => self.took(Tree::Atom("\\dots".to_owned())),
            (_, "∞") => self.took(Tree::Atom("\\infty".to_owned())),
            (_, "√") => {
                self.at += 1;
                Tree::Root(Box::new(Tree::Row(self.scripted()?)))
            }
            _ => return None,
        };
        Some((Vec::new(), tree))
    }

    fn took(&mut self, tree: Tree) -> Tree {
        self.at += 1;
        tree
    }

    fn name(&mut self, name: &str) -> Option<(Vec<Tree>, Tree)> {
        let called = self.text(1) == "(" && self.is_tight(1);
        let limits = ["over", "from", "of"].contains(&self.text(1)) || self.text(1) == "_";
        self.at += 1;
        let tree = match (name, big(name)) {
            ("sqrt", _) if called => Tree::Root(Box::new(self.inside()?)),
            ("sqrt", _) => Tree::Root(Box::new(Tree::Row(self.scripted()?))),
            ("floor", _) if called => {
                Tree::Fenced("\\lfloor ", Box::new(self.inside()?), "\\rfloor ")
            }
            ("ceil", _) if called => Tree::Fenced("\\lceil ", Box::new(self.inside()?), "\\rceil "),
            ("hat", _) if called => Tree::Accent("\\hat", Box::new(self.inside()?)),
            (_, Some(operator)) if limits => self.limits(operator)?,
            ("max" | "min" | "sup" | "inf", Some(operator)) => Tree::Atom(operator.to_owned()),
            (_, Some(_)) => Tree::Word(name.to_owned()),
            _ => return Some(meaning(name)),
        };
        Some((Vec::new(), tree))
    }

    /// What stands between the brackets that come next.
    pub(super) fn inside(&mut self) -> Option<Tree> {
        match self.fenced("(", &CLOSING)? {
            Tree::Fenced(_, inner, _) => Some(*inner),
            _ => None,
        }
    }

    /// `sum over i = 1..n of`, `integral from a to b of`, `sum of`; a limit may also end where its brackets do.
    fn limits(&mut self, operator: &str) -> Option<Tree> {
        const ENDS: [&str; 6] = ["of", "to", ")", "]", "}", "|"];
        let base = Box::new(Tree::Atom(operator.to_owned()));
        let (mut sub, mut sup) = (None, None);
        if ["over", "from"].contains(&self.text(0)) {
            self.at += 1;
            sub = Some(Box::new(Tree::Row(self.row(&ENDS)?)));
            if self.text(0) == "to" {
                self.at += 1;
                sup = Some(Box::new(Tree::Row(self.row(&ENDS)?)));
            }
        }
        if self.text(0) == "of" {
            self.at += 1;
        }
        let plain = sub.is_none() && sup.is_none();
        Some(match plain {
            true => *base,
            false => Tree::Scripted { base, sub, sup },
        })
    }
}

/// Whether a row may stop being one: the token begins an operand.
pub(super) fn begins(token: Token) -> bool {
    let sign = ["(", "[", "{", "|", "||", "∞", "√"].contains(&token.text);
    token.kind != Kind::Sign || sign
}

/// Whether what has this name is applied to what stands in brackets behind it, in an exponent too.
pub(super) fn is_applied(name: &str) -> bool {
    name.len() > 1 && is_mathematical(name)
}

/// An operator that is what it is wherever it stands.
fn simple(text: &str) -> Option<Tree> {
    Some(match text {
        "<=" | "≤" => Tree::Relation("\\le"),
        ">=" | "≥" => Tree::Relation("\\ge"),
        "!=" | "≠" => Tree::Relation("\\ne"),
        "=" | "==" => Tree::Relation("="),
        "<" => Tree::Relation("<"),
        ">" => Tree::Relation(">"),
        "<<" => Tree::Relation("\\ll"),
        ">>" => Tree::Relation("\\gg"),
        "->" => Tree::Relation("\\to"),
        "<->" => Tree::Relation("\\leftrightarrow"),
        "|->" => Tree::Relation("\\mapsto"),
        "=>" => Tree::Relation("\\Rightarrow"),
        "<=>" => Tree::Relation("\\Leftrightarrow"),
        ":=" => Tree::Relation(":="),
        "=:" => Tree::Relation("=:"),
        "~" => Tree::Relation("\\sim"),
        "+" => Tree::Plus("+"),
        "-" | "−" => Tree::Plus("-"),
        "+-" | "±" => Tree::Plus("\\pm"),
        "*" | "·" => Tree::Sign("\\cdot"),
        "×" => Tree::Sign("\\times"),
        "/" => Tree::Sign("/"),
        "\\" => Tree::Sign("\\setminus"),
        "," => Tree::Sign(","),
        ";" => Tree::Sign(";"),
        ":" => Tree::Sign(":"),
        "." => Tree::Sign("."),
        _ => return None,
    })
}

/// `1e-6` is a power of ten.
fn number(text: &str) -> Tree {
    let plain = |text: &str| text.replace(',', "{,}");
    Tree::Atom(match text.split_once('e') {
        None => plain(text),
        Some(("1", power)) => format!("10^{{{power}}}"),
        Some((digits, power)) => format!("{}\\cdot10^{{{power}}}", plain(digits)),
    })
}

/// Words in quotes, if they have no sign that LaTeX obeys.
fn quoted(text: &str) -> Option<Tree> {
    let plain = |sign: char| sign.is_alphanumeric() || " .,;:-'()+".contains(sign);
    text.chars()
        .all(plain)
        .then(|| Tree::Word(format!("“{text}”")))
}
