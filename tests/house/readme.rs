//! README.md stays a page: its words are counted, and its first screen is a sentence, a picture and ten lines that end in a violation.

use crate::root;

/// As `wc -w` counts them, with those of code and of tables.
const WORDS: usize = 900;

/// Of the program and of what it prints.
const FIRST_LINES: usize = 10;

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).expect("README.md")
}

#[test]
fn readme_has_at_most_900_words() {
    let words = readme().split_whitespace().count();
    assert!(
        words <= WORDS,
        "README.md has {words} words, and {WORDS} are allowed"
    );
}

#[test]
fn the_first_screen_ends_in_a_violation() {
    let text = readme();
    let parts: Vec<&str> = text.split("```").collect();
    let [before, program, between, printed, ..] = parts[..] else {
        panic!("README.md begins with a program and what it prints");
    };
    let before: Vec<&str> = before.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(
        before.len(),
        3,
        "a title, a sentence, a picture: {before:?}"
    );
    assert!(
        !before[1].trim_end_matches('.').contains(". "),
        "{}",
        before[1]
    );
    assert!(before[2].starts_with("!["), "{}", before[2]);
    assert_eq!(between.trim(), "", "nothing stands between both");
    let lines = |block: &str| {
        block
            .lines()
            .skip(1)
            .filter(|line| !line.is_empty())
            .count()
    };
    assert_eq!(lines(program) + lines(printed), FIRST_LINES);
    assert!(program.starts_with("python\n"), "{program}");
    assert!(
        printed.contains("violation: not (1, 0)-private"),
        "{printed}"
    );
}
