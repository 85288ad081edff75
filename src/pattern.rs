//! Patterns of names, in which `*` stands for any text: ids of claims, and mechanisms of a corpus.

/// Whether `text` matches `pattern`, in which `*` stands for any text, also for none.
///
/// What stands before the first star begins the text, what stands after the last one ends it, and what stands between
/// two is taken where it comes first: so each letter is looked at a bounded number of times, however many stars there are.
#[must_use]
pub fn matches(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let (between, tail) = rest.rsplit_once('*').unwrap_or(("", rest));
    let inner = text.strip_prefix(head);
    let Some(mut inner) = inner.and_then(|text| text.strip_suffix(tail)) else {
        return false;
    };
    for part in between.split('*') {
        match inner.split_once(part) {
            Some((_, after)) => inner = after,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is meant, tried in all ways.
    fn tried(pattern: &[char], text: &[char]) -> bool {
        match pattern {
            [] => text.is_empty(),
            ['*', rest @ ..] => (0..=text.len()).any(|at| tried(rest, &text[at..])),
            [letter, rest @ ..] => text.first() == Some(letter) && tried(rest, &text[1..]),
        }
    }

    /// All texts of up to so many of these letters.
    fn texts(letters: &[char], most: usize) -> Vec<Vec<char>> {
        let mut all = vec![Vec::new()];
        let mut longest = all.clone();
        for _ in 0..most {
            let longer = longest.iter().flat_map(|text| {
                letters
                    .iter()
                    .map(|letter| [text.as_slice(), &[*letter]].concat())
            });
            longest = longer.collect();
            all.extend(longest.iter().cloned());
        }
        all
    }

    #[test]
    fn what_matches_is_what_matches_in_one_of_all_ways() {
        let string = |letters: &Vec<char>| letters.iter().collect::<String>();
        let known = texts(&['a', 'é'], 5);
        for pattern in texts(&['a', 'é', '*'], 6) {
            for text in &known {
                assert_eq!(
                    matches(&string(&pattern), &string(text)),
                    tried(&pattern, text),
                    "{pattern:?} {text:?}"
                );
            }
        }
    }

    #[test]
    fn many_stars_cost_no_more_than_the_letters_among_them() {
        let id = "paper25.as-printed.theorem-1.corrected";
        assert!(!matches("*-*-*-*-*-*-*-*-*-*-*x", id));
        assert!(!matches(&("*e".repeat(12) + "?"), &"e".repeat(1000)));
        assert!(matches(&"*".repeat(100_000), id));
        assert!(!matches(&"*a".repeat(100_000), &"a".repeat(99_999)));
        assert!(matches(&"a*".repeat(100_000), &"a".repeat(100_000)));
    }
}
