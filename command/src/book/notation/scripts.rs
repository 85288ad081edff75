//! What stands below, above and behind an operand.

use super::parse::{Parser, begins, is_applied};
use super::token::Kind;
use super::tree::Tree;

/// The scripts gathered of one operand.
#[derive(Default)]
struct Scripts {
    sub: Option<Tree>,
    sup: Vec<Tree>,
}

impl Scripts {
    fn are_none(&self) -> bool {
        self.sub.is_none() && self.sup.is_empty()
    }

    /// The operand with them.
    fn on(self, base: Tree) -> Tree {
        if self.are_none() {
            return base;
        }
        let sup = match self.sup.len() {
            0 => None,
            _ => Some(Box::new(Tree::Row(self.sup))),
        };
        Tree::Scripted {
            base: Box::new(base),
            sub: self.sub.map(Box::new),
            sup,
        }
    }
}

/// An atom of LaTeX.
fn atom(latex: &str) -> Tree {
    Tree::Atom(latex.to_owned())
}

impl Parser<'_> {
    /// The operand with all that stands behind it without a space.
    pub(super) fn scripts(&mut self, mut base: Tree) -> Option<Tree> {
        let mut scripts = Scripts::default();
        while self.is_tight(0) {
            match self.text(0) {
                "'" if self.text(1) == "s" && self.is_tight(1) => break,
                "'" => self.above(&mut scripts, "\\prime"),
                "#" => self.above(&mut scripts, "\\sharp"),
                "*" if !self.is_factor(&base) => self.above(&mut scripts, "*"),
                "!" | "%" => {
                    let mark = if self.text(0) == "!" { "!" } else { "\\%" };
                    let before = std::mem::take(&mut scripts).on(base);
                    base = Tree::Row(vec![before, atom(mark)]);
                    self.at += 1;
                }
                "~" if scripts.are_none() => base = self.accented("\\tilde", base),
                "^" if scripts.are_none() && !self.has_argument() => {
                    base = self.accented("\\hat", base);
                }
                "_" => {
                    if scripts.sub.is_some() {
                        base = std::mem::take(&mut scripts).on(base);
                    }
                    self.at += 1;
                    scripts.sub = Some(self.argument("_")?);
                }
                "^" => {
                    self.at += 1;
                    scripts.sup.push(self.argument("^")?);
                }
                _ => break,
            }
        }
        Some(scripts.on(base))
    }

    fn above(&mut self, scripts: &mut Scripts, latex: &str) {
        self.at += 1;
        scripts.sup.push(atom(latex));
    }

    fn accented(&mut self, accent: &'static str, base: Tree) -> Tree {
        self.at += 1;
        Tree::Accent(accent, Box::new(base))
    }

    /// Whether a star that comes next stands between two factors. `A*(y)` is an adjoint, `2*(y)` a product.
    fn is_factor(&self, base: &Tree) -> bool {
        let of_number = matches!(base, Tree::Atom(text) if text.starts_with(|sign: char| sign.is_ascii_digit()));
        match self.peek(1) {
            Some(next) if !next.spaced => {
                matches!(next.kind, Kind::Number | Kind::Name) || (of_number && next.text == "(")
            }
            _ => of_number,
        }
    }

    /// Whether what comes behind a `^` can stand above: otherwise it is a hat.
    fn has_argument(&self) -> bool {
        let Some(next) = self.peek(1) else {
            return false;
        };
        let sign = ["-", "+", "*", "#"].contains(&next.text);
        let closes = next.text == "|" && !self.peek(2).is_some_and(|it| !it.spaced && begins(it));
        !next.spaced && (sign || begins(next)) && !closes
    }

    /// What stands below or above. Brackets about it are not shown, but about a single letter: that is a derivative or an index,
    /// and no power.
    fn argument(&mut self, mark: &str) -> Option<Tree> {
        if !self.is_tight(0) {
            return None;
        }
        if self.text(0) == "(" {
            let single = self.text(2) == ")" && self.peek(1).is_some_and(|it| it.text.len() == 1);
            return match single {
                true => self.fenced("(", &[")"]),
                false => self.inside(),
            };
        }
        let mut row = Vec::new();
        while self.peek(0).is_some() && (row.is_empty() || self.is_tight(0)) {
            row.push(atom(match self.text(0) {
                "-" => "-",
                "+" => "+",
                "<" => "<",
                ">" => ">",
                "<=" => "\\le ",
                ">=" => "\\ge ",
                "*" => "*",
                "#" => "\\sharp",
                _ => break,
            }));
            self.at += 1;
        }
        // A bar behind `y_-` closes: that is an index of its own.
        let is_operand = |text: &str| row.is_empty() || mark == "^" || text != "|";
        let next = self.peek(0);
        let next =
            next.filter(|it| begins(*it) && is_operand(it.text) && (row.is_empty() || !it.spaced));
        match next {
            Some(next) => row.extend(self.of_argument(mark, next.text)?),
            None if row.is_empty() => return None,
            None => {}
        }
        Some(Tree::Row(row))
    }

    /// One operand within an argument, with scripts of its own: below only such as stand below.
    fn of_argument(&mut self, mark: &str, name: &str) -> Option<Vec<Tree>> {
        let (mut trees, mut last) = self.atom()?;
        while self.is_tight(0) {
            let mut scripts = Scripts::default();
            match self.text(0) {
                "'" => self.above(&mut scripts, "\\prime"),
                "!" => {
                    self.at += 1;
                    last = Tree::Row(vec![last, atom("!")]);
                    continue;
                }
                "~" if mark == "^" => {
                    last = self.accented("\\tilde", last);
                    continue;
                }
                "_" => {
                    self.at += 1;
                    scripts.sub = Some(self.argument("_")?);
                }
                "^" if mark == "^" && self.has_argument() => {
                    self.at += 1;
                    scripts.sup.push(self.argument("^")?);
                }
                "(" if mark == "^" && (is_applied(name) || matches!(last, Tree::Accent(..))) => {
                    trees.push(last);
                    last = self.fenced("(", &[")"])?;
                    continue;
                }
                _ => break,
            }
            last = scripts.on(last);
        }
        trees.push(last);
        Some(trees)
    }
}
