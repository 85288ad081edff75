//! What names mean: Greek letters, functions, words of English.

use super::tree::Tree;

const GREEK: [&str; 38] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi",
    "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi",
    "Omega", "eps", "lam", "ell", "infinity",
];

/// Functions that LaTeX knows by the same name.
const KNOWN: [&str; 20] = [
    "ln", "log", "exp", "sin", "cos", "tan", "cot", "sinh", "cosh", "tanh", "coth", "arcsin",
    "arccos", "arctan", "det", "ker", "dim", "arg", "gcd", "Pr",
];

/// Other functions, and abbreviations that are set upright.
const OTHER: [&str; 48] = [
    "err", "erf", "erfc", "sign", "sgn", "tr", "Tr", "trace", "rank", "diag", "vol", "poly",
    "polylog", "Re", "Im", "round", "span", "Var", "var", "Cov", "KL", "TV", "Lap", "Bin", "Beta",
    "Geom", "Poisson", "argmin", "argmax", "conv", "ulp", "supp", "nint", "emp", "mod", "kl",
    "ldim", "fat", "JL", "DP", "VC", "NaN", "grad", "SGD", "GD", "SVM", "PAC", "KDD",
];

/// Operators that take limits, with their LaTeX.
const BIG: [(&str, &str); 9] = [
    ("sum", "\\sum"),
    ("product", "\\prod"),
    ("prod", "\\prod"),
    ("integral", "\\int"),
    ("union", "\\bigcup"),
    ("max", "\\max"),
    ("min", "\\min"),
    ("sup", "\\sup"),
    ("inf", "\\inf"),
];

/// Words of two or three letters. A longer name that is nothing else is a word too.
const SHORT_WORDS: [&str; 91] = [
    "of", "in", "to", "is", "as", "at", "by", "if", "no", "on", "or", "we", "it", "be", "an", "so",
    "do", "up", "all", "and", "any", "are", "but", "for", "has", "its", "let", "new", "not", "odd",
    "one", "out", "set", "the", "two", "was", "who", "why", "per", "net", "may", "can", "put",
    "run", "bit", "low", "old", "few", "did", "had", "how", "via", "use", "too", "off", "own",
    "see", "say", "add", "end", "far", "get", "got", "key", "lie", "mid", "nor", "now", "bad",
    "yes", "th", "ok", "law", "gap", "row", "our", "fit", "map", "bar", "arc", "cut", "go", "sub",
    "red", "cup", "cap", "tie", "rem", "fix", "non", "sex",
];

/// A name without the digits behind it, and these.
pub fn parts(name: &str) -> (&str, &str) {
    name.split_at(
        name.trim_end_matches(|sign: char| sign.is_ascii_digit())
            .len(),
    )
}

/// The operator that takes limits, in LaTeX.
pub fn big(name: &str) -> Option<&'static str> {
    BIG.iter()
        .find(|(known, _)| *known == name)
        .map(|(_, latex)| *latex)
}

/// Whether a name means something in mathematics, and is not a word.
pub fn is_mathematical(name: &str) -> bool {
    let (base, _) = parts(name);
    base.len() == 1
        || GREEK.contains(&base)
        || KNOWN.contains(&base)
        || OTHER.contains(&base)
        || big(base).is_some()
        || ["sqrt", "floor", "ceil", "hat", "fhat"].contains(&base)
}

/// Whether a name is a word of English.
pub fn is_word(name: &str) -> bool {
    let (base, _) = parts(name);
    let rest = base.get(1..).unwrap_or_default();
    let plain = rest.chars().all(|sign| sign.is_ascii_lowercase());
    let short = plain && SHORT_WORDS.contains(&base.to_ascii_lowercase().as_str());
    !is_mathematical(name) && (base.len() >= 4 || short)
}

/// Functions whose names are words too: they are functions where something is in brackets behind them.
pub fn is_word_too(name: &str) -> bool {
    [
        "sign", "rank", "round", "span", "trace", "mod", "poly", "fat", "dim", "arg", "var", "vol",
        "conv", "hat",
    ]
    .contains(&name)
}

/// A name, and the letters before it where it is a product of letters: scripts belong to the last.
pub fn meaning(name: &str) -> (Vec<Tree>, Tree) {
    let (base, digits) = parts(name);
    let mut before = Vec::new();
    let tree = if GREEK.contains(&base) {
        Tree::Atom(greek(base))
    } else if base == "fhat" {
        Tree::Accent("\\hat", Box::new(Tree::Atom("f".to_owned())))
    } else if KNOWN.contains(&base) {
        Tree::Atom(format!("\\{base}"))
    } else if OTHER.contains(&base) {
        Tree::Atom(format!("\\operatorname{{{base}}}"))
    } else if is_word(name) {
        Tree::Word(base.to_owned())
    } else {
        let mut letters = base.chars().map(|letter| Tree::Atom(letter.to_string()));
        let last = letters.next_back();
        before = letters.collect();
        last.unwrap_or(Tree::Row(Vec::new()))
    };
    match digits {
        "" => (before, tree),
        _ => (before, scripted(tree, digits)),
    }
}

/// With the digits of its name below it.
fn scripted(base: Tree, digits: &str) -> Tree {
    Tree::Scripted {
        base: Box::new(base),
        sub: Some(Box::new(Tree::Atom(digits.to_owned()))),
        sup: None,
    }
}

fn greek(name: &str) -> String {
    match name {
        "epsilon" | "eps" => "\\varepsilon".to_owned(),
        "phi" => "\\varphi".to_owned(),
        "lam" => "\\lambda".to_owned(),
        "infinity" => "\\infty".to_owned(),
        _ => format!("\\{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_symbol_a_word_or_a_product() {
        let latex = |name: &str| {
            let (mut all, last) = meaning(name);
            all.push(last);
            Tree::Row(all).latex()
        };
        assert_eq!(latex("epsilon"), "\\varepsilon");
        assert_eq!(latex("err"), "\\operatorname{err}");
        assert_eq!(latex("rate"), "\\text{rate}");
        assert_eq!(latex("Ax"), "Ax");
        assert_eq!(latex("c0"), "c_{0}");
        assert_eq!(latex("delta1"), "\\delta_{1}");
    }
}
