//! The page of a claim, at an address that does not change.

use super::check;
use super::figure;
use super::frame::{self, made, mark, status};
use super::notation::is_word;
use super::prose::Prose;
use super::site::{Row, Site};
use super::sources::{anchor, meaning};
use dp_assay_ledger::claim::{Claim, Status, Version};
use dp_assay_ledger::{Entry, verdict as in_words};
use maud::{Markup, html};

/// The file of a claim: the place in the paper, the verdict, the words, the evidence.
pub fn page(site: &Site, row: &Row) -> String {
    let claim = &row.entry.claim;
    let paper = site.paper_of(row);
    let home = format!("n/{}.html", paper.name());
    let prose = Prose::below(site, &home);
    let body = html! {
        p.place {
            a href={ "../p/" (paper.name()) ".html" } { (paper.short()) }
            @if !row.section.is_empty() {
                " › " a href={ "../p/" (paper.name()) ".html#" (anchor(&row.section)) } { (row.section) }
            }
        }
        h1 { (prose.field(&claim.item)) }
        p.id { (claim.id) @for alias in &row.entry.aliases { ", also " (alias) } }
        p.short { (prose.field(&sentence(&claim.short))) }
        (verdict(&prose, row))
        (statements(&prose, row))
        @if let Some(figure) = figure::of(site, row) { (figure) }
        div.columns {
            div.text {
                @if !claim.prose.is_empty() {
                    h2 { (heading(claim)) }
                    (prose.text(&claim.prose))
                }
                (evidence(&prose, row))
                h2 { "Replay" }
                pre { code { (row.found.evidence.replay) } }
                @if let Some(place) = check::place_of(&claim.id) {
                    p { a href={ "../" (place) } { "Run the sampler in this browser" } ", on every outcome of its coins." }
                }
            }
            (aside(&prose, row))
        }
    };
    let title = format!("{}, {}", claim.id, row.found.shown);
    frame::page(site, "../", "", &title, &body)
}

/// The short form as a sentence. A formula keeps its first letter.
fn sentence(short: &str) -> String {
    let first = short.split(|sign: char| !sign.is_ascii_alphabetic()).next();
    let is_word = first.is_some_and(|first| first == "a" || is_word(first));
    let dot = if short.ends_with('.') { "" } else { "." };
    match is_word {
        true => capital(short) + dot,
        false => format!("{short}{dot}"),
    }
}

/// What the prose under a claim is.
fn heading(claim: &Claim) -> &'static str {
    match claim.expected {
        Status::Refuted => "Counterexample and proof",
        Status::Open => "Why it is open",
        _ if claim.proved => "Proof and scope",
        _ => "What the page says",
    }
}

/// Status, kind, reading and proof, in words.
fn verdict(prose: &Prose, row: &Row) -> Markup {
    let (claim, found) = (&row.entry.claim, row.found);
    let kind = claim
        .fault
        .map(|kind| format!("{} ({kind})", claim.expected));
    let proof = claim.proof().to_string();
    html! {
        section.verdict.(found.status) aria-label="Verdict" {
            p { (status(row)) " " (prose.field(&capital(meaning(&found.status)))) "." }
            @if let Some(kind) = &kind { p { b { (kind) } ": " (prose.field(in_words(claim).unwrap_or_default())) "." } }
            @if let Some(error) = &found.evidence.error { p { b { "The check could not run: " } (error) } }
            @if !found.as_expected { p { b { "This is not what its page expects: " (claim.expected) "." } } }
            @if let Some((_, given)) = found.shown.split_once(", given ") {
                p { "Given " (linked(prose, given)) ", on which it rests." }
            }
            @if let Some(reading) = &claim.reading { p { b { "Read as: " } (prose.field(reading)) } }
            p {
                b { "Proof: " (claim.proof_in_words()) } ". " (prose.field(&capital(meaning(&proof)))) "."
                @if let Some(note) = claim.machine_checked.as_ref().and_then(|coq| coq.note.as_ref()) {
                    " In part: " (prose.field(note)) "."
                }
                @if let Some((_, given)) = found.proof_shown.split_once(", given ") {
                    " Given " (linked(prose, given)) "."
                }
            }
            @if let Some(clauses) = &claim.proof_only {
                p { b { "Proof only, no check: " } (prose.field(clauses)) }
            }
            p.more { a href={ (prose.root) "words.html" } { "What the words mean" } }
        }
    }
}

/// Ids and keys with what stands in brackets behind each: the ids as links.
fn linked(prose: &Prose, list: &str) -> Markup {
    let shown = |item: &str| {
        let (name, behind) = item.split_once(' ').unwrap_or((item, ""));
        let known = prose.site.row(name).is_some();
        html! {
            @if known { a href=(prose.claim(name)) { code { (name) } } } @else { (name) }
            " " (behind)
        }
    };
    html! { @for (at, item) in list.split(", ").enumerate() { @if at > 0 { ", " } (shown(item)) } }
}

/// What the paper says beside what stands in its place.
fn statements(prose: &Prose, row: &Row) -> Markup {
    let claim = &row.entry.claim;
    let origin = row.relations.repairs.first().copied();
    let printed = match claim.version {
        Version::Repaired => origin.unwrap_or(row.entry),
        _ => row.entry,
    };
    let repairs: Vec<&Entry> = match printed.claim.id == claim.id {
        true => row.relations.repaired_by.clone(),
        false => vec![row.entry],
    };
    html! {
        div.pair {
            (statement(prose, &printed.claim, claim))
            @for repair in repairs { (statement(prose, &repair.claim, claim)) }
        }
    }
}

/// A statement in its box: the quotation with its place, our rendering, and the status.
fn statement(prose: &Prose, claim: &Claim, here: &Claim) -> Markup {
    let row = prose.site.row(&claim.id);
    html! {
        section {
            h2 { span { (capital(&claim.version.to_string())) } @if let Some(row) = row { (status(row)) } }
            @if let Some(quote) = &claim.quote {
                blockquote { p { (prose.field(quote)) } @if let Some(place) = &claim.place { footer { (place) } } }
                p.label { "With all constants" }
            }
            p.statement { (prose.statement(&claim.statement)) }
            @if claim.id != here.id { p { a href=(prose.claim(&claim.id)) { code { (claim.id) } } } }
        }
    }
}

fn capital(word: &str) -> String {
    let mut signs = word.chars();
    let first = signs.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(signs).collect()
}

/// What was run, and what came out.
fn evidence(prose: &Prose, row: &Row) -> Markup {
    let evidence = &row.found.evidence;
    let coq = row.entry.claim.machine_checked.as_ref();
    let assertions = match evidence.assertions {
        1 => "one assertion".to_owned(),
        several => format!("{several} assertions"),
    };
    html! {
        h2 #evidence { "What was run" }
        dl {
            dt { "Method" }
            dd {
                (evidence.method.as_deref().unwrap_or("none")) "; " (assertions)
                @if evidence.slack { "; nothing seen comes near a bound" }
            }
            @if let Some(scope) = row.found.scope.as_deref().filter(|scope| !scope.is_empty()) {
                dt { "Scope" } dd { (prose.statement(scope)) }
            }
            @for counterexample in &evidence.counterexamples {
                dt { "Counterexample" } dd { (prose.statement(counterexample)) }
            }
            @if let Some(failure) = &evidence.failure { dt { "Failure" } dd { (failure) } }
            @if let Some(coq) = coq {
                dt { "Coq" }
                dd {
                    @for theorem in &coq.theorems { code { "proof/" (theorem) } br; }
                    @if let Some(tapes) = coq.tapes { "The shipped code agrees with it on " (tapes) " tapes. " }
                    @if let Some(note) = &coq.note { (prose.field(note)) }
                }
            }
        }
        @if !evidence.figures.0.is_empty() {
            div.scroll tabindex="0" {
                table {
                    thead { tr { th { "figure" } th { "value" } } }
                    tbody {
                        @for (name, value) in &evidence.figures.0 {
                            tr { td { (prose.statement(name)) } td.value { (value) } }
                        }
                    }
                }
            }
        }
    }
}

/// What hangs together with the claim, where it stands, how to cite it.
fn aside(prose: &Prose, row: &Row) -> Markup {
    let (site, claim, relations) = (prose.site, &row.entry.claim, &row.relations);
    let paper = site.paper_of(row);
    html! {
        aside aria-label="What hangs together with it" {
            (list(prose, "Repairs", &relations.repairs))
            (list(prose, "Rests on", &relations.rests_on))
            @if !claim.cites.is_empty() {
                section { h2 { "Works used" } p { (claim.cites.join(", ")) ": cited, not proved again." } }
            }
            (list(prose, "Rested on by", &relations.rested_on_by))
            (list(prose, "Mentioned by", &relations.mentioned_by))
            section { h2 { "Source" } p { code { (claim.source) } } }
            section {
                h2 { "Cite" }
                p {
                    @if paper.authors.is_empty() { "dp-assay, " i { (paper.title) } ". " }
                    @else { (paper.authors) ", " i { (paper.title) } ": " (prose.field(&claim.item)) ". " }
                    "As checked by dp-assay " (site.run.summary.version)
                    @if let Some(commit) = &site.stamp.commit { " (" (commit) ")" }
                    ", " code { (claim.id) } ", " (site.stamp.date) "."
                }
            }
        }
    }
}

/// Claims with their statuses, under a heading.
fn list(prose: &Prose, title: &str, entries: &[&Entry]) -> Markup {
    let rows = entries
        .iter()
        .filter_map(|entry| prose.site.row(&entry.claim.id));
    html! {
        @if !entries.is_empty() {
            section {
                h2 { (title) }
                ul.related {
                    @for row in rows {
                        li {
                            (mark(row)) " " a href=(prose.claim(row.id())) { code { (row.id()) } }
                            small { (made(" ")) (frame::plain(row)) ": " (prose.statement(&row.entry.claim.short)) }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_form_becomes_a_sentence() {
        assert_eq!(sentence("no classifier errs"), "No classifier errs.");
        assert_eq!(sentence("gamma is small"), "gamma is small.");
        assert_eq!(sentence("n epsilon >= 2"), "n epsilon >= 2.");
        assert_eq!(sentence("the band has mass"), "The band has mass.");
    }
}
