//! README's picture, `docs/ledger.svg`: how many claims of each paper have which status, by the ledger.

mod printed;

use dp_assay_ledger::claim::Status;
use dp_assay_ledger::{entries, title};
use printed::root;
use std::fmt::Write;
use std::fs;

/// The papers in the order of the ledger, each with who wrote it.
fn papers() -> Vec<(&'static str, &'static str)> {
    let mut papers = Vec::new();
    for entry in entries().unwrap() {
        let paper = entry.claim.paper;
        let name = title(paper).split(':').next().unwrap();
        if !papers.contains(&(paper, name)) {
            papers.push((paper, name));
        }
    }
    papers
}

/// The statuses, each with its class and its word.
const STATUSES: [(Status, &str); 4] = [
    (Status::Checked, "checked"),
    (Status::Supported, "supported"),
    (Status::Refuted, "refuted"),
    (Status::Open, "open"),
];

/// One colour a status, in a light and in a dark page; the words say it too.
const STYLE: &str = "<style>\
text{font:14px sans-serif;fill:#222}.checked{fill:#17694a}.supported{fill:#2b5c9b}.refuted{fill:#a8321f}.open{fill:#b9a76a}.in{fill:#fff;text-anchor:middle}\
@media(prefers-color-scheme:dark){text{fill:#ddd}.checked{fill:#2d8f68}.supported{fill:#4b7fc4}.refuted{fill:#d2604c}.open{fill:#7d6f3c}.in{fill:#fff}}\
</style>";

/// The least width of a part in which its number has room.
const ROOM: usize = 22;

fn count(paper: &str, status: Status) -> usize {
    let claims = entries().unwrap().iter().map(|entry| &entry.claim);
    claims
        .filter(|claim| claim.paper == paper && claim.expected == status)
        .count()
}

/// The line of one paper: its name, and a part a status, four points a claim.
fn line(text: &mut String, y: usize, (paper, name): (&str, &str)) {
    writeln!(text, r#"<text x="0" y="{}">{name}</text>"#, y + 15).unwrap();
    let mut x = 250;
    for (status, class) in STATUSES {
        let count = count(paper, status);
        let width = 4 * count;
        writeln!(
            text,
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="20"><title>{count} {class}</title></rect>"#
        )
        .unwrap();
        if width >= ROOM {
            let (middle, base) = (x + width / 2, y + 15);
            writeln!(
                text,
                r#"<text class="in" x="{middle}" y="{base}">{count}</text>"#
            )
            .unwrap();
        }
        x += width;
    }
}

fn picture() -> String {
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 176\" role=\"img\" aria-label=\"{}\">\n{STYLE}\n",
        words()
    );
    for (row, paper) in papers().into_iter().enumerate() {
        line(&mut text, 30 * row, paper);
    }
    for (place, (_, class)) in STATUSES.into_iter().enumerate() {
        let x = 250 + 110 * place;
        writeln!(
            text,
            r#"<rect class="{class}" x="{x}" y="156" width="14" height="14"/><text x="{}" y="168">{class}</text>"#,
            x + 20
        )
        .unwrap();
    }
    text + "</svg>\n"
}

/// What the picture shows, for who does not see it.
fn words() -> String {
    let of_paper = papers().into_iter().map(|(paper, name)| {
        let counts = STATUSES.map(|(status, word)| format!("{} {word}", count(paper, status)));
        format!("{name}: {}", counts.join(", "))
    });
    of_paper.collect::<Vec<_>>().join("; ")
}

#[test]
fn the_picture_of_the_ledger_is_that_of_the_ledger() {
    let path = root().join("docs/ledger.svg");
    let expected = picture();
    if std::env::var("WRITE").is_ok() {
        fs::write(&path, &expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "docs/ledger.svg is not of this ledger; WRITE=1 writes it"
    );
}
