//! README's picture, `docs/ledger.svg`: how many claims of each paper are checked, refuted, open, by the ledger.

mod printed;

use dp_assay_ledger::claim::{Claim, Fault, Status, Version};
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

/// The parts of a line, each with its class, its word, and what it counts. What is refuted under one reading, or is a statement of
/// ours and nobody's, is apart from what a paper is charged with.
const PARTS: [(&str, &str, fn(&Claim) -> bool); 5] = [
    ("checked", "checked", |claim| {
        status(claim) == Status::Checked
    }),
    ("supported", "supported", |claim| {
        status(claim) == Status::Supported
    }),
    ("refuted", "refuted", |claim| {
        status(claim) == Status::Refuted && !in_part(claim)
    }),
    ("reading", "under one reading, or ours", |claim| {
        status(claim) == Status::Refuted && in_part(claim)
    }),
    ("open", "open", |claim| status(claim) == Status::Open),
];

/// The status with the second arithmetic, whether or not this build has it: the picture is one.
fn status(claim: &Claim) -> Status {
    match claim.id.as_str() {
        "number.two-arithmetics" => Status::Checked,
        _ => claim.expected,
    }
}

fn in_part(claim: &Claim) -> bool {
    claim.fault == Some(Fault::Reading) || claim.version == Version::Ours
}

/// One colour a status, in a light and in a dark page; the words say it too.
const STYLE: &str = "<style>\
text{font:14px sans-serif;fill:#222}.checked{fill:#17694a}.supported{fill:#2b5c9b}.refuted{fill:#a8321f}.reading{fill:#c07a5a}.open{fill:#b9a76a}.in{fill:#fff;text-anchor:middle}\
@media(prefers-color-scheme:dark){text{fill:#ddd}.checked{fill:#2d8f68}.supported{fill:#4b7fc4}.refuted{fill:#d2604c}.reading{fill:#9a5a40}.open{fill:#7d6f3c}.in{fill:#fff}}\
</style>";

/// The least width of a part in which its number has room.
const ROOM: usize = 22;

fn count(paper: &str, is: fn(&Claim) -> bool) -> usize {
    let claims = entries().unwrap().iter().map(|entry| &entry.claim);
    claims
        .filter(|claim| claim.paper == paper && is(claim))
        .count()
}

/// The line of one paper: its name and its parts, four points a claim.
fn line(text: &mut String, y: usize, (paper, name): (&str, &str)) {
    writeln!(text, r#"<text x="0" y="{}">{name}</text>"#, y + 15).unwrap();
    let mut x = 250;
    for (class, word, is) in PARTS {
        let count = count(paper, is);
        let width = 4 * count;
        writeln!(
            text,
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="20"><title>{count} {word}</title></rect>"#
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
    for ((class, word, _), x) in PARTS.into_iter().zip([150, 244, 346, 430, 650]) {
        writeln!(
            text,
            r#"<rect class="{class}" x="{x}" y="156" width="14" height="14"/><text x="{}" y="168">{word}</text>"#,
            x + 20
        )
        .unwrap();
    }
    text + "</svg>\n"
}

/// What the picture shows, for who does not see it.
fn words() -> String {
    let of_paper = papers().into_iter().map(|(paper, name)| {
        let counts = PARTS.map(|(_, word, is)| format!("{} {word}", count(paper, is)));
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
