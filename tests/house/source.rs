//! Rust files read as text: their code without comments, and the tokens of that.

use std::fs;
use std::path::Path;

/// A Rust file of a package.
pub struct Source {
    /// The path from the root of the repository.
    pub path: String,
    /// Where the file stands in its package, as `["number", "rational"]`; empty for the root.
    pub module: Vec<String>,
    /// The code, tests and texts included, without comments.
    pub code: String,
    /// The tokens of the code, without the insides of texts and without what is compiled for tests only.
    pub tokens: Vec<Token>,
    /// The modules of this file that are compiled for tests only.
    pub test_modules: Vec<String>,
}

/// A name, a number, `::`, or a single sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub text: String,
    pub line: usize,
}

impl Source {
    /// The file at `path`, which stands at `module` in its package.
    pub fn read(root: &Path, path: &Path, module: Vec<String>) -> Self {
        let text =
            fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (code, bare) = without_comments(&text);
        let (bare, test_modules) = without_tests(&bare);
        Self {
            path: relative(root, path),
            module,
            code,
            tokens: tokens(&bare),
            test_modules,
        }
    }
}

/// The path from `root`, with slashes.
pub fn relative(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}

/// The text with comments blanked out, and the same with the insides of texts blanked out too. Lines stay.
fn without_comments(text: &str) -> (String, String) {
    let chars: Vec<char> = text.chars().collect();
    let at = |index: usize| chars.get(index).copied().unwrap_or('\0');
    let (mut code, mut bare) = (String::new(), String::new());
    let mut index = 0;
    // Copies up to `end`, the code as it is where `shown`, otherwise blank.
    let copy = |index: &mut usize,
                end: usize,
                code: &mut String,
                bare: &mut String,
                keep: (bool, bool)| {
        while *index < end.min(chars.len()) {
            let c = chars[*index];
            let blank = if c == '\n' { '\n' } else { ' ' };
            code.push(if keep.0 { c } else { blank });
            bare.push(if keep.1 { c } else { blank });
            *index += 1;
        }
    };
    while index < chars.len() {
        let after_a_name = index > 0 && (at(index - 1).is_alphanumeric() || at(index - 1) == '_');
        let end = match (at(index), at(index + 1)) {
            ('/', '/') => {
                let end = (index..chars.len())
                    .find(|&i| chars[i] == '\n')
                    .unwrap_or(chars.len());
                copy(&mut index, end, &mut code, &mut bare, (false, false));
                continue;
            }
            ('/', '*') => {
                let (mut depth, mut end) = (0, index);
                loop {
                    match (at(end), at(end + 1)) {
                        ('/', '*') => (depth, end) = (depth + 1, end + 2),
                        ('*', '/') => (depth, end) = (depth - 1, end + 2),
                        _ => end += 1,
                    }
                    if depth == 0 || end >= chars.len() {
                        break;
                    }
                }
                copy(&mut index, end, &mut code, &mut bare, (false, false));
                continue;
            }
            ('"', _) => (index + 1..chars.len())
                .scan(false, |escaped, i| {
                    let ends = chars[i] == '"' && !*escaped;
                    *escaped = chars[i] == '\\' && !*escaped;
                    Some((i, ends))
                })
                .find(|&(_, ends)| ends)
                .map(|(i, _)| i),
            ('r', '"' | '#') if !after_a_name || matches!(at(index - 1), 'b' | 'c') => {
                let hashes = (index + 1..).take_while(|&i| at(i) == '#').count();
                if at(index + 1 + hashes) == '"' {
                    let closing = format!("\"{}", "#".repeat(hashes));
                    let from = index + 2 + hashes;
                    (from..chars.len())
                        .find(|&i| closing.chars().enumerate().all(|(k, c)| at(i + k) == c))
                        .map(|i| i + hashes)
                } else {
                    None
                }
            }
            ('\'', '\\') => (index + 3..chars.len()).find(|&i| chars[i] == '\''),
            ('\'', _) if at(index + 2) == '\'' => Some(index + 2),
            _ => None,
        };
        match end {
            Some(end) => copy(&mut index, end + 1, &mut code, &mut bare, (true, false)),
            None => {
                let next = index + 1;
                copy(&mut index, next, &mut code, &mut bare, (true, true));
            }
        }
    }
    (code, bare)
}

/// The code with every item under `#[cfg(test)]` blanked out, and the names of the modules among them.
fn without_tests(bare: &str) -> (String, Vec<String>) {
    let mut chars: Vec<char> = bare.chars().collect();
    let mut names = Vec::new();
    let is = |chars: &[char], at: usize, text: &str| {
        text.chars()
            .enumerate()
            .all(|(k, c)| chars.get(at + k) == Some(&c))
    };
    let mut start = 0;
    while start < chars.len() {
        if !(is(&chars, start, "#[cfg(test)]") || is(&chars, start, "#[cfg(all(test")) {
            start += 1;
            continue;
        }
        // The item ends at the first ';' or '}' outside brackets; attributes are brackets.
        let (mut depth, mut end) = (0i32, start);
        while end < chars.len() {
            match chars[end] {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' => depth -= 1,
                '}' => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                ';' if depth == 0 => break,
                _ => {}
            }
            end += 1;
        }
        let end = (end + 1).min(chars.len());
        let item: String = chars[start..end].iter().collect();
        if let Some((_, name)) = item.split_once("mod ")
            && let Some(name) = name.strip_suffix(';')
        {
            names.push(name.trim().to_owned());
        }
        for c in &mut chars[start..end] {
            if *c != '\n' {
                *c = ' ';
            }
        }
        start = end;
    }
    (chars.into_iter().collect(), names)
}

fn tokens(bare: &str) -> Vec<Token> {
    let mut found = Vec::new();
    for (number, line) in bare.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if first.is_alphanumeric() || first == '_' {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_')
                    .unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            found.push(Token {
                text: rest[..length].to_owned(),
                line: number + 1,
            });
            rest = rest[length..].trim_start();
        }
    }
    found
}
