//! The notation of the pages, from text to a tree, from the tree to LaTeX, and from there to MathML.
//!
//! Formulas stand on the pages as one writes them in a letter: `sqrt(n)/2`, `e^-x`, `sum over i of x_i`. A golden file of the
//! tests has each of them beside its LaTeX: what is read wrongly is seen there, since parsing says nothing about being right.

mod kind;
mod mathml;
mod mixed;
mod names;
mod parse;
mod scripts;
mod token;
mod tree;

use tree::{Tree, row};

pub use kind::is_mathematics;
pub use mixed::{Part, parts};
pub use names::is_word;

/// A formula that was read.
#[derive(Debug, Clone)]
pub struct Formula(Vec<Tree>);

impl Formula {
    /// Reads a formula; `None` where it is none of the grammar.
    pub fn read(text: &str) -> Option<Self> {
        parse::formula(text).map(Self)
    }

    /// It in LaTeX.
    pub fn latex(&self) -> String {
        row(&self.0)
    }

    /// It in MathML, in pieces between which a line may end: a formula in one piece is never broken. `None` if LaTeX cannot say it.
    pub fn mathml(&self) -> Option<String> {
        let pieces = mathml::pieces(&self.0);
        let shown: Option<Vec<String>> = pieces.iter().map(|piece| mathml::shown(piece)).collect();
        Some(shown?.join("<wbr>"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of what binds before what.
    #[test]
    fn a_formula_means_what_it_says() {
        for (text, latex) in [
            ("sqrt(n)/2", "\\sqrt{n}/2"),
            ("sqrt T/2", "\\sqrt{T}/2"),
            ("epsilon_p^2", "\\varepsilon_{p}^{2}"),
            ("x_i^a", "x_{i}^{a}"),
            ("N_u(E)", "N_{u}(E)"),
            ("q^|k|", "q^{|k|}"),
            ("f^(n)(x)", "f^{(n)}(x)"),
            ("m^(1/2)", "m^{1/2}"),
            ("e^-x^2", "e^{-x^{2}}"),
            ("2^-30", "2^{-30}"),
            ("w*", "w^{*}"),
            ("Aw*/|Aw*|", "Aw^{*}/|Aw^{*}|"),
            ("w^/2", "\\hat{w}/2"),
            ("2^O~(1/gamma^2)", "2^{\\tilde{O}(1/\\gamma^{2})}"),
            ("y<w,x>", "y\\langle w,x\\rangle "),
            ("k < n", "k<n"),
            ("|w| |x|", "|w|\\,|x|"),
            ("c |x|^2/2", "c\\,|x|^{2}/2"),
            ("KL(P || Q)", "\\operatorname{KL}(P\\parallel Q)"),
            ("|y/|y| - x|", "|y/|y|-x|"),
            ("Pr[A | B]", "\\Pr[A\\mid B]"),
            ("sum over i = 1..n of x_i", "\\sum_{i=1\\dots n}\\,x_{i}"),
            ("integral from 0 to 1 of f", "\\int_{0}^{1}\\,f"),
            ("w in W", "w\\in W"),
            ("n!/2", "n!/2"),
            ("a'_j", "a_{j}^{\\prime}"),
            ("floor(c/2)", "\\lfloor c/2\\rfloor "),
        ] {
            let read = Formula::read(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(read.latex(), latex, "{text}");
        }
    }

    #[test]
    fn what_is_no_formula_is_not_read() {
        for text in ["(a", "a_ b", "|x", "", "a)"] {
            assert!(Formula::read(text).is_none(), "{text}");
        }
    }
}
