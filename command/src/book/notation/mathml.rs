//! Formulas as MathML. Browsers do not break a formula over lines: a long one is several, with places between where a line may end.

use super::tree::{Tree, row};
use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};

/// How wide a piece may be, in characters, before it is divided further, or scrolls by itself.
const WIDE: usize = 26;
/// Pieces are put together up to this width.
const NARROW: usize = 16;

/// The pieces of a formula: they end before a relation and behind a comma; wide ones before a sum or a product too.
pub fn pieces(trees: &[Tree]) -> Vec<Vec<Tree>> {
    let coarse = divided(trees, |tree| matches!(tree, Tree::Relation(_)), true);
    let is_part = |tree: &Tree| matches!(tree, Tree::Plus(_) | Tree::Space);
    let fine = coarse
        .into_iter()
        .flat_map(|piece| match width(&piece) > WIDE {
            true => divided(&piece, is_part, false),
            false => vec![piece],
        });
    let mut found: Vec<Vec<Tree>> = Vec::new();
    for piece in fine {
        // A short left side stays with its relation.
        let first = found.len() == 1;
        let fits = |last: &Vec<Tree>| {
            let most = if first && width(last) <= 8 {
                WIDE
            } else {
                NARROW
            };
            width(last) + width(&piece) <= most
        };
        match found.last_mut().filter(|last| fits(last)) {
            Some(last) => last.extend(piece),
            None => found.push(piece),
        }
    }
    found
}

fn width(piece: &[Tree]) -> usize {
    piece.iter().map(Tree::width).sum()
}

/// The parts of a row; each of them begins where it says, or behind a comma.
fn divided(trees: &[Tree], begins: impl Fn(&Tree) -> bool, commas: bool) -> Vec<Vec<Tree>> {
    let mut parts: Vec<Vec<Tree>> = vec![Vec::new()];
    let mut comma = false;
    for (at, tree) in trees.iter().enumerate() {
        if at > 0 && (begins(tree) || comma) {
            parts.push(Vec::new());
        }
        comma = commas && matches!(tree, Tree::Sign("," | ";"));
        if let Some(part) = parts.last_mut() {
            part.push(tree.clone());
        }
    }
    parts
}

/// A piece as MathML. One that is still wide scrolls by itself.
pub fn shown(piece: &[Tree]) -> Option<String> {
    let latex = match piece.first() {
        // In the middle of a formula these stand between two operands, whose spaces they have.
        Some(Tree::Relation(_) | Tree::Plus(_)) => format!("{{}}{}", row(piece)),
        _ => row(piece),
    };
    // A prime above is too small and too high in many fonts: it stands beside.
    let latex = latex.replace("^{\\prime}", "\\text{′}");
    let converter = LatexToMathML::new(MathCoreConfig::default()).ok()?;
    let found = converter
        .convert_with_local_counter(&latex, MathDisplay::Inline)
        .ok()?;
    Some(match width(piece) > WIDE + 4 {
        true => format!("<span class=\"wide\">{found}</span>"),
        false => found,
    })
}

#[cfg(test)]
mod tests {
    use super::super::parse::formula;
    use super::*;

    fn divided(text: &str) -> Vec<String> {
        let trees = formula(text).unwrap();
        pieces(&trees).iter().map(|piece| row(piece)).collect()
    }

    #[test]
    fn a_line_may_end_before_a_relation() {
        assert_eq!(divided("x = 1").len(), 1);
        let long = "|c - c'| <= 2 N/(N - 1) + 17 k = sqrt(n)/2 + 1234567";
        let found = divided(long);
        assert!(found.len() >= 3, "{found:?}");
        assert!(found[2].starts_with('='), "{found:?}");
    }

    #[test]
    fn a_formula_is_shown_as_mathml() {
        let trees = formula("alpha_1 <= 2").unwrap();
        let found = shown(&trees).unwrap();
        assert!(found.contains("<math") && found.contains('α'), "{found}");
    }
}
