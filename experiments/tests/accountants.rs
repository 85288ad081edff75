//! The page of what accountants of others answered: that its rows add up, and that each broken promise has a page.

use std::fs;
use std::path::Path;

fn page(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    fs::read_to_string(folder.join(name)).unwrap_or_default()
}

/// The rows of the table of the page: the name of the accountant, what it promises, and the counts.
struct Row {
    name: String,
    promises: String,
    asked: usize,
    below: usize,
    rest: usize,
}

fn rows(page: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let table = page
        .lines()
        .skip_while(|line| !line.starts_with("| accountant |"));
    for line in table.skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let count = |place: usize| cells[place].parse::<usize>().expect(line);
        rows.push(Row {
            name: cells[0].to_owned(),
            promises: cells[1].to_owned(),
            asked: count(2),
            below: count(3),
            rest: count(4) + count(5) + count(7),
        });
    }
    rows
}

#[test]
fn the_counts_of_a_row_are_those_of_its_answers() {
    let page = page("accountants.md");
    let rows = rows(&page);
    assert!(rows.len() > 5, "{}", rows.len());
    for row in &rows {
        assert_eq!(row.asked, row.below + row.rest, "{}", row.name);
        let of_it = format!("## Below the truth: {}", row.name);
        let is_shown = page.lines().any(|line| line == of_it);
        let breaks = row.below > 0 && row.promises != "an estimate";
        assert_eq!(breaks, is_shown, "{}", row.name);
        assert!(page.contains(&format!("- **{}**: {}", row.name, row.promises)));
    }
}

/// An estimate that is too low breaks no promise.
#[test]
fn every_bound_below_the_truth_has_a_page() {
    let mut found = 0;
    for row in rows(&page("accountants.md")) {
        if row.below == 0 || row.promises == "an estimate" {
            continue;
        }
        found += 1;
        let library = row.name.split([' ', ',']).next().unwrap().to_lowercase();
        let of_it = page(&format!("findings/{library}.md"));
        assert!(of_it.contains("../accountants.md"), "{library}");
    }
    assert!(found > 0);
}
