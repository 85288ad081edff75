//! The first page: all claims, with search and filters where scripts run.

use super::frame::{self, counts, made};
use super::paper::line;
use super::prose::Prose;
use super::site::Site;
use dp_assay_ledger::claim::{Fault, Version};
use maud::{Markup, html};

const SCRIPT: &str = include_str!("index.js");

/// The file.
pub fn page(site: &Site) -> String {
    let prose = Prose::at_top(site);
    let summary = &site.run.summary;
    let body = html! {
        h1 { "What four papers on private learning claim, checked" }
        p.short {
            "Every statement with its constants, the check that was run on it, and where it fails a counterexample that anyone can replay: "
            (summary.claims) " claims, " (summary.counterexamples) " distinct counterexamples."
        }
        (counts(site.rows.iter()))
        (form())
        @for paper in &site.papers {
            section.of-paper {
                h2 { a href={ "p/" (paper.name()) ".html" } { (paper.title) } }
                ol.claims { @for row in site.rows_of(paper) { (line(&prose, row)) } }
            }
        }
        script { (made(SCRIPT)) }
    };
    frame::page(site, "", "index.html", "Claims", &body)
}

/// What the script shows: without it the whole list stands there.
fn form() -> Markup {
    let statuses = ["checked", "supported", "refuted", "open"];
    let versions = [
        Version::AsPrinted,
        Version::Repaired,
        Version::Reconstructed,
        Version::Ours,
    ];
    html! {
        form.find hidden role="search" {
            input type="search" name="q" placeholder="Words, ids, items" aria-label="Search the claims";
            select name="status" aria-label="Status" {
                option value="" { "any status" }
                @for status in statuses { option { (status) } }
            }
            select name="kind" aria-label="Kind" {
                option value="" { "any kind" }
                @for kind in Fault::ALL { option { (kind) } }
            }
            select name="version" aria-label="Version" {
                option value="" { "any version" }
                @for version in versions { option { (version) } }
            }
            output aria-live="polite" {}
        }
    }
}
