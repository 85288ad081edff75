//! The errors that are planted to see a row notice them, by the table `tests/plants.toml`, which `make plants` tries.

const TABLE: &str = include_str!("../../pages/plants.toml");

/// What each planted error is that the check of this claim must notice: "an integer is accepted that is not below n".
#[must_use]
pub fn planted(id: &str) -> Vec<&'static str> {
    noticed_by(id, TABLE)
}

/// Of the entries of a table with this row, what they say; each field is a line, with its value in quotes of one of two kinds.
fn noticed_by<'a>(id: &str, table: &'a str) -> Vec<&'a str> {
    let field = |entry: &'a str, name: &str| -> Option<&'a str> {
        entry.lines().find_map(|line| {
            let value = line.strip_prefix(name)?.strip_prefix(" = ")?;
            let bare = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
            bare('\'').or_else(|| bare('"'))
        })
    };
    let entries = table.split("\n[[plant]]\n").skip(1);
    entries
        .filter(|entry| field(entry, "row") == Some(id))
        .filter_map(|entry| field(entry, "says"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_belongs_to_the_row_that_notices_it() {
        let table = "# Table\n\n[[plant]]\nold = '''\nrow'''\nrow = 'p.a'\nsays = 'one'\n\n[[plant]]\nrow = 'p.b'\nsays = 'two'\n\n[[plant]]\nrow = 'p.a'\nsays = \"it's three\"\n\n[[tested]]\ntest = 'p.a'\nsays = 'four'\n";
        assert_eq!(noticed_by("p.a", table), ["one", "it's three"]);
        assert!(noticed_by("p", table).is_empty());
    }
}
