//! What all files of the book share: head, navigation, foot, and how a status is shown.

use super::site::{Row, Site};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The pages that are named at the head of each.
const NAVIGATION: [(&str, &str); 7] = [
    ("index.html", "Claims"),
    ("papers.html", "Papers"),
    ("errata.html", "Errata"),
    ("map.html", "Map"),
    ("check.html", "Check"),
    ("words.html", "Words"),
    ("about.html", "About"),
];

/// A file of the book: its title, its contents, and the way from it to the folder of the book.
pub fn page(site: &Site, root: &str, file: &str, title: &str, body: &Markup) -> String {
    page_under(None, site, root, file, title, body)
}

/// The same under a policy of what it may load.
pub fn page_under(
    policy: Option<&str>,
    site: &Site,
    root: &str,
    file: &str,
    title: &str,
    body: &Markup,
) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                @if let Some(policy) = policy { meta http-equiv="Content-Security-Policy" content=(policy); }
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · dp-assay" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href={ (root) "style.css" };
            }
            body {
                a.skip href="#main" { "To the text" }
                header.site {
                    nav aria-label="The book" {
                        a.name href={ (root) "index.html" } { "dp-assay: the ledger" }
                        @for (place, name) in NAVIGATION {
                            a href={ (root) (place) } aria-current=[(place == file).then_some("page")] { (name) }
                        }
                    }
                }
                main #main { (body) }
                (foot(site))
            }
        }
    }
    .into_string()
}

fn foot(site: &Site) -> Markup {
    let summary = &site.run.summary;
    html! {
        footer {
            "dp-assay " (summary.version)
            @if let Some(commit) = &site.stamp.commit { ", commit " code { (commit) } }
            ". What is shown was found on " time { (site.stamp.date) } " by " (site.run.size())
            " of the ledger with seed " (summary.seed) "; " (summary.arithmetic) "."
        }
    }
}

/// A file that leads on to another.
pub fn redirect(root: &str, id: &str, to: &str) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (id) " · dp-assay" }
                meta http-equiv="refresh" content={ "0; url=" (to) ".html" };
                link rel="canonical" href={ (to) ".html" };
                link rel="icon" href="data:,";
                link rel="stylesheet" href={ (root) "style.css" };
            }
            body { main { p { code { (id) } " says again what " a href={ (to) ".html" } { code { (to) } } " says." } } }
        }
    }
    .into_string()
}

/// The sign of a status: shape, word and colour, never colour alone.
pub fn sign(status: &str) -> &'static str {
    match status {
        "checked" => "✓",
        "supported" => "≈",
        "refuted" => "✗",
        _ => "○",
    }
}

/// The sign of a claim's status, without the word.
pub fn mark(row: &Row) -> Markup {
    let status = row.found.status.as_str();
    html! { span.mark.(status) aria-hidden="true" { (sign(status)) } }
}

/// A claim's status in the words of the ledger, with its sign.
pub fn status(row: &Row) -> Markup {
    let status = row.found.status.as_str();
    html! { span.status.(status) { span aria-hidden="true" { (sign(status)) } " " (plain(row)) } }
}

/// The status and its kind alone: what it is given stands on the claim's own page.
pub fn plain<'r>(row: &'r Row) -> &'r str {
    let shown = row.found.shown.as_str();
    shown
        .split_once(", given ")
        .map_or(shown, |(first, _)| first)
}

/// How many of these have each status, as a bar and in words.
pub fn counts<'r, 'a: 'r>(rows: impl Iterator<Item = &'r Row<'a>> + Clone) -> Markup {
    let count = |status: &str| {
        rows.clone()
            .filter(|row| row.found.status == status)
            .count()
    };
    let counted: Vec<(&str, usize)> = ["checked", "supported", "refuted", "open", "could-not-run"]
        .into_iter()
        .map(|status| (status, count(status)))
        .filter(|(_, count)| *count > 0)
        .collect();
    html! {
        div.bar aria-hidden="true" {
            @for (status, count) in &counted { i.(status) style={ "flex:" (count) } {} }
        }
        p.key {
            @for (status, count) in &counted {
                span.status.(status) { span aria-hidden="true" { (sign(status)) } " " (count) " " (status.replace('-', " ")) }
                " "
            }
        }
    }
}

/// A text that is HTML already.
pub fn made(text: impl Into<String>) -> Markup {
    PreEscaped(text.into())
}
