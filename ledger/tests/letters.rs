//! The letters to the authors of the papers, `docs/letters/`: below what a person wrote, each lists all that the ledger charges
//! its paper with, in the paper's own words. Nothing else is charged, and nothing is left out.

mod printed;

use dp_assay_ledger::claim::{Claim, Fault, Status, Version};
use dp_assay_ledger::{entries, repairs_of};
use printed::{held, order, page_of, pages};

const BEGINS: &str = "<!-- By the ledger: WRITE=1 cargo test -p dp-assay-ledger --test letters -->";
const ENDS: &str = "<!-- So far by the ledger. -->";

/// The kinds of charge, gravest first, each with its heading and what it means.
const KINDS: [(Fault, &str, &str); 5] = [
    (
        Fault::False,
        "False",
        "We found no reading that saves these.",
    ),
    (
        Fault::Gap,
        "A step that does not follow",
        "What is to be shown may hold; the step that is printed does not show it.",
    ),
    (
        Fault::Misprint,
        "Misprints",
        "What is meant is plain, or was to us.",
    ),
    (
        Fault::AsCoded,
        "In the program",
        "The paper may not say this; its public program does it.",
    ),
    (
        Fault::Reading,
        "Not so under one reading",
        "Each holds, or may hold, under another. Which one did you mean?",
    ),
];

/// What a paper prints, in its order.
fn as_printed(page: &str) -> Vec<&'static Claim> {
    let claims = entries().unwrap().iter().map(|entry| &entry.claim);
    let mut claims: Vec<_> = claims
        .filter(|claim| page_of(claim) == page && claim.version == Version::AsPrinted)
        .collect();
    claims.sort_by_key(|claim| order(claim.place.as_deref().unwrap()));
    claims
}

/// As Markdown that shows these very characters; what the page has as code stays code.
fn plain(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => part.replace('<', "\\<").replace('*', "\\*"),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("`")
}

/// One charge: the paper's words, our reading, and what holds in their place.
fn charge(claim: &Claim) -> String {
    let page = page_of(claim);
    let anchor = claim.id.replace('.', "");
    let mut text = format!(
        "**{}** ({}; [`{}`](../../{page}#{anchor}))\n\n> {}\n\n",
        plain(&claim.item),
        claim.place.as_deref().unwrap(),
        claim.id,
        plain(claim.quote.as_deref().unwrap()),
    );
    text += &format!("What we checked: {}.", plain(&claim.statement));
    if let Some(reading) = &claim.reading {
        text += &format!(" Our reading: {}.", plain(reading));
    }
    let repairs = repairs_of(&claim.id);
    if !repairs.is_empty() {
        let links = repairs.iter().map(|id| {
            let anchor = id.replace('.', "");
            format!("[`{id}`](../../{page}#{anchor})")
        });
        text += &format!(" In its place: {}.", links.collect::<Vec<_>>().join(", "));
    }
    text + "\n\n"
}

/// How many of what does not hold is of each kind.
fn by_kind(claims: &[&Claim]) -> String {
    let kinds = KINDS.iter().filter_map(|(fault, _, _)| {
        let of_it = claims.iter().filter(|claim| claim.fault == Some(*fault));
        let count = of_it
            .filter(|claim| claim.expected == Status::Refuted)
            .count();
        let word = match fault {
            Fault::False => "false in every reading that we found",
            Fault::Gap => "a step of a proof",
            Fault::Misprint => "by a misprint",
            Fault::AsCoded => "in the program",
            _ => "under one reading of several",
        };
        (count > 0).then(|| format!("{count} {word}"))
    });
    kinds.collect::<Vec<_>>().join(", ")
}

fn letter(page: &str) -> String {
    let claims = as_printed(page);
    let count = |status| {
        claims
            .iter()
            .filter(|claim| claim.expected == status)
            .count()
    };
    let mut text = format!(
        "Of {} statements that we quote from your paper {} hold on all that we checked, {} are open to us, and {} do not hold as we read them: {}.\n\n",
        claims.len(),
        count(Status::Checked) + count(Status::Supported),
        count(Status::Open),
        count(Status::Refuted),
        by_kind(&claims),
    );
    for (fault, heading, meaning) in KINDS {
        let of_it: Vec<_> = claims
            .iter()
            .filter(|claim| claim.fault == Some(fault))
            .collect();
        if of_it.is_empty() {
            continue;
        }
        text += &format!("## {heading}\n\n{meaning}\n\n");
        text.extend(of_it.into_iter().map(|claim| charge(claim)));
    }
    text.trim_end().to_owned() + "\n"
}

#[test]
fn each_letter_has_all_that_its_paper_is_charged_with_and_no_more() {
    for page in pages() {
        let name = page.strip_prefix("spec/").unwrap();
        held(
            &format!("docs/letters/{name}"),
            [BEGINS, ENDS],
            &letter(page),
        );
    }
}
