//! Pages for readers: what the words mean, how to cite, and the texts that are shown whole.

use super::frame::{self, sign};
use super::prose::Prose;
use super::site::Site;
use super::sources::{CITATION, DOCUMENTS, Document, meaning};
use dp_assay_ledger::claim::{Fault, Proof, Status};
use maud::{Markup, html};

/// What the words of a claim mean.
pub fn page(site: &Site) -> String {
    let prose = Prose::at_top(site);
    let statuses = [
        Status::Checked,
        Status::Supported,
        Status::Refuted,
        Status::Open,
    ];
    let kinds = Fault::ALL.into_iter().flat_map(|kind| {
        [Status::Refuted, Status::Open].map(|status| format!("{status} ({kind})"))
    });
    let kinds: Vec<String> = kinds.filter(|kind| !meaning(kind).is_empty()).collect();
    let body = html! {
        h1 { "What the words mean" }
        p.short { "A claim has a status, which is what ran, and a proof, which is what covers the rest." }
        h2 { "Status" }
        dl { @for status in statuses { (word(&prose, &status.to_string(), Some(sign(&status.to_string())))) } }
        h2 { "Kind: how a claim is refuted, or why it is open" }
        dl { @for kind in &kinds { (word(&prose, kind, None)) } }
        h2 { "Proof" }
        dl { @for proof in Proof::ALL { (word(&prose, &proof.to_string(), None)) } }
        p { "All rules are in the " a href="conventions.html" { "conventions" } ", the other words of the house in "
            a href="glossary.html" { "the glossary" } "." }
    };
    frame::page(site, "", "words.html", "Words", &body)
}

fn word(prose: &Prose, word: &str, sign: Option<&str>) -> Markup {
    html! {
        dt {
            @match sign {
                Some(sign) => span.status.(word) { span aria-hidden="true" { (sign) } " " (word) },
                None => b { (word) },
            }
        }
        dd { (prose.field(meaning(word))) "." }
    }
}

/// What this is, how to cite it, and what else is in it.
pub fn about(site: &Site) -> String {
    let summary = &site.run.summary;
    let body = html! {
        h1 { "About this book" }
        p.short { "It is made by one command, from the pages of the ledger and one run of it." }
        p { "What was found was found on " (site.stamp.date) " by " (site.run.size()) " of dp-assay " (summary.version)
            @if let Some(commit) = &site.stamp.commit { ", commit " code { (commit) } }
            ", with seed " (summary.seed) ". Of " (summary.claims) " claims " (summary.not_as_expected)
            " are not as their pages expect, and " (summary.could_not_run) " could not be run. " (summary.arithmetic) "." }
        p { "The address of a claim, " code { "c/ID.html" } ", does not change, and an id is never given to another statement." }
        pre { code { "assay verify                 check every claim again\nassay book --out DIR         make this book of such a run" } }
        h2 #documents { "Texts" }
        ul {
            @for document in &DOCUMENTS { li { a href=(document.file) { (document.title()) } } }
            @for paper in &site.papers { li { a href={ "n/" (paper.name()) ".html" } { (paper.short()) ", beside the claims" } } }
        }
        h2 #cite { "How to cite" }
        p { "Cite the paper whose claim you speak of, and the id of the claim with the version of dp-assay: its page has the line. In the form that programs read:" }
        pre { code { (CITATION) } }
    };
    frame::page(site, "", "about.html", "About", &body)
}

/// A text that is shown whole.
pub fn document(site: &Site, document: &Document) -> String {
    let prose = Prose {
        home: document.file,
        ..Prose::at_top(site)
    };
    let text: String = document
        .text
        .lines()
        .filter(|line| !line.starts_with("# "))
        .flat_map(|line| [line, "\n"])
        .collect();
    let body = html! {
        p.place { a href="about.html" { "About" } }
        h1 { (document.title()) }
        p.id { code { (document.path) } }
        (prose.text(&text))
    };
    frame::page(site, "", document.file, document.title(), &body)
}
