//! The tree of a formula, and its LaTeX.

/// A formula. What is a single sign carries its LaTeX.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// A letter, a number, a function's name.
    Atom(String),
    /// A word of English, set upright with spaces about it.
    Word(String),
    /// A relation: a line may end before it.
    Relation(&'static str),
    /// Plus or minus: a long formula may go on in a new line before it.
    Plus(&'static str),
    /// Another operator, a comma, a colon.
    Sign(&'static str),
    /// The space of a product.
    Space,
    /// Several, one after the other.
    Row(Vec<Tree>),
    /// Between brackets, which are LaTeX.
    Fenced(&'static str, Box<Tree>, &'static str),
    /// With what stands below and above it.
    Scripted {
        /// What has the scripts.
        base: Box<Tree>,
        /// Below.
        sub: Option<Box<Tree>>,
        /// Above.
        sup: Option<Box<Tree>>,
    },
    /// Under an accent, a command of LaTeX.
    Accent(&'static str, Box<Tree>),
    /// A square root.
    Root(Box<Tree>),
}

impl Tree {
    /// Whether an operator may follow: a bar behind it closes.
    pub fn is_operand(&self) -> bool {
        !matches!(
            self,
            Self::Relation(_) | Self::Plus(_) | Self::Sign(_) | Self::Space
        )
    }

    /// About how many characters it is wide; scripts are small.
    pub fn width(&self) -> usize {
        let of = |part: &Option<Box<Self>>| part.as_ref().map_or(0, |part| part.width());
        match self {
            Self::Atom(text) => match text.strip_prefix("\\operatorname{") {
                Some(name) => name.len() - 1,
                None if text.starts_with('\\') => 1,
                None => text.len(),
            },
            Self::Word(text) => text.len() + 2,
            Self::Relation(_) | Self::Plus(_) => 3,
            Self::Sign(_) => 2,
            Self::Space => 1,
            Self::Row(parts) => parts.iter().map(Self::width).sum(),
            Self::Fenced(_, inner, _) | Self::Root(inner) => inner.width() + 2,
            Self::Scripted { base, sub, sup } => base.width() + of(sub).max(of(sup)) * 2 / 3,
            Self::Accent(_, inner) => inner.width(),
        }
    }

    /// The formula in LaTeX.
    pub fn latex(&self) -> String {
        match self {
            Self::Atom(text) => text.clone(),
            Self::Word(text) => format!("\\text{{{text}}}"),
            Self::Relation(text) | Self::Plus(text) | Self::Sign(text) => (*text).to_owned(),
            Self::Space => "\\,".to_owned(),
            Self::Row(parts) => row(parts),
            Self::Fenced(open, inner, close) => joined(&[*open, &inner.latex(), *close]),
            Self::Scripted { base, sub, sup } => {
                let inner = base.latex();
                let mut text = match **base {
                    Self::Row(_) | Self::Scripted { .. } | Self::Word(_) => {
                        format!("{{{inner}}}")
                    }
                    _ => inner,
                };
                for (mark, part) in [('_', sub), ('^', sup)] {
                    if let Some(part) = part {
                        text += &format!("{mark}{{{}}}", part.latex());
                    }
                }
                text
            }
            Self::Accent(command, inner) => format!("{command}{{{}}}", inner.latex()),
            Self::Root(inner) => format!("\\sqrt{{{}}}", inner.latex()),
        }
    }
}

/// The LaTeX of several, one after the other. About a word stand spaces.
pub fn row(parts: &[Tree]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &parts[before]);
        let is_word = |tree: Option<&Tree>| matches!(tree, Some(Tree::Word(_)));
        match part {
            Tree::Space if is_word(before) || is_word(parts.get(at + 1)) => {
                texts.push("\\ ".to_owned());
            }
            _ => texts.push(part.latex()),
        }
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    joined(&texts)
}

/// Texts of LaTeX in one: a command of letters is not run into the letters behind it.
fn joined(texts: &[&str]) -> String {
    let mut all = String::new();
    for text in texts {
        let command = all.rsplit('\\').next().unwrap_or_default();
        let open = all.contains('\\')
            && !command.is_empty()
            && command.chars().all(|sign| sign.is_ascii_alphabetic());
        if open && text.starts_with(|sign: char| sign.is_ascii_alphabetic()) {
            all.push(' ');
        }
        all += text;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_not_run_into_what_follows() {
        let atom = |text: &str| Tree::Atom(text.to_owned());
        let row = Tree::Row(vec![atom("\\alpha"), atom("x"), atom("\\beta"), atom("2")]);
        assert_eq!(row.latex(), "\\alpha x\\beta2");
    }

    #[test]
    fn the_base_of_scripts_is_one() {
        let x = Tree::Atom("x".to_owned());
        let base = Box::new(Tree::Row(vec![x.clone(), x.clone()]));
        let power = Tree::Scripted {
            base,
            sub: None,
            sup: Some(Box::new(x)),
        };
        assert_eq!(power.latex(), "{xx}^{x}");
    }
}
