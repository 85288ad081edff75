//! What rests on what, as a map: a statement and what stands in its place are one node.

mod drawing;
mod layout;

use super::frame::{self, sign};
use super::prose::Prose;
use super::site::{Row, Site};
use dp_assay_ledger::claim::Proof;
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};

/// A node of a map.
#[derive(Debug)]
struct Node {
    /// The id of the statement, or the key of a work.
    name: String,
    /// What it shows: the signs of its status and of what stands in its place, and the end of its id.
    label: String,
    /// The class of its looks.
    class: String,
    /// What a pointer over it reads.
    title: String,
    /// Whether it is a claim, with a page.
    is_claim: bool,
}

/// Nodes, and the arrows from one to another.
#[derive(Debug, Default)]
struct Graph {
    nodes: BTreeMap<String, Node>,
    arrows: BTreeSet<(String, String)>,
}

/// The map of these claims, with its key and the same in words.
pub fn of(prose: &Prose, rows: &[&Row]) -> Markup {
    let graph = Graph::new(prose.site, rows);
    let alone = rows
        .iter()
        .filter(|row| !graph.nodes.contains_key(node_of(row)))
        .count();
    html! {
        p.key {
            "An arrow leads from a claim to what its proof uses. " "✗→✓: refuted as stated, checked as repaired. "
            "A dashed frame has no proof here: it is open, only ran on its scope, or is another work that is cited. "
            "A thick frame has a theorem in Coq. "
            (alone) " claims neither use another nor are used, and are not drawn."
        }
        @if !graph.arrows.is_empty() {
            div.map tabindex="0" role="group" aria-label="Map; the same in words below" { (drawing::svg(prose, &graph)) }
            details { summary { "The same in words" } (in_words(prose, &graph)) }
        }
    }
}

/// The statement whose node a claim is in.
fn node_of<'r>(row: &'r Row) -> &'r str {
    row.relations
        .repairs
        .first()
        .map_or(row.id(), |other| &other.claim.id)
}

impl Graph {
    fn new(site: &Site, rows: &[&Row]) -> Self {
        let mut graph = Self::default();
        for row in rows {
            let from = node_of(row);
            let claims = row.relations.rests_on.iter();
            for used in claims.filter_map(|entry| site.row(&entry.claim.id)) {
                let to = node_of(used);
                if to != from {
                    graph.claim(site, from);
                    graph.claim(site, to);
                    graph.arrows.insert((from.to_owned(), to.to_owned()));
                }
            }
            for work in &row.entry.claim.cites {
                graph.claim(site, from);
                graph.work(work);
                graph.arrows.insert((from.to_owned(), work.clone()));
            }
        }
        graph
    }

    fn claim(&mut self, site: &Site, id: &str) {
        let Some(row) = site.row(id).filter(|_| !self.nodes.contains_key(id)) else {
            return;
        };
        let repairs = row.relations.repaired_by.iter();
        let repairs: Vec<&Row> = repairs
            .filter_map(|entry| site.row(&entry.claim.id))
            .filter(|repair| node_of(repair) == id)
            .collect();
        let all = || std::iter::once(row).chain(repairs.iter().copied());
        let proof = all()
            .map(|row| row.entry.claim.proof())
            .max()
            .unwrap_or(Proof::None);
        let status = &row.found.status;
        let signs = match repairs.first() {
            Some(repair) => format!("{}→{}", sign(status), sign(&repair.found.status)),
            None => sign(status).to_owned(),
        };
        let frame = match proof {
            Proof::None | Proof::Cited => " unproved",
            Proof::Paper => "",
            _ => " coq",
        };
        let shown: Vec<String> = all()
            .map(|row| format!("{}: {}", row.id(), row.found.shown))
            .collect();
        let node = Node {
            name: id.to_owned(),
            label: format!("{signs} {}", id.split_once('.').map_or(id, |(_, end)| end)),
            class: format!("{status}{frame}"),
            title: shown.join("; "),
            is_claim: true,
        };
        self.nodes.insert(id.to_owned(), node);
    }

    fn work(&mut self, key: &str) {
        let node = Node {
            name: key.to_owned(),
            label: key.to_owned(),
            class: "work unproved".to_owned(),
            title: format!("{key}: another work, cited"),
            is_claim: false,
        };
        self.nodes.entry(key.to_owned()).or_insert(node);
    }
}

/// Each node with what it uses.
fn in_words(prose: &Prose, graph: &Graph) -> Markup {
    let named = |name: &str| {
        let is_claim = graph.nodes.get(name).is_some_and(|node| node.is_claim);
        html! { @if is_claim { a href=(prose.claim(name)) { (name) } } @else { (name) } }
    };
    let used = |from: &str| -> Vec<String> {
        let arrows = graph.arrows.iter().filter(|(start, _)| start == from);
        arrows.map(|(_, to)| to.clone()).collect()
    };
    html! {
        ul {
            @for name in graph.nodes.keys() {
                @let used = used(name);
                @if !used.is_empty() {
                    li {
                        (named(name)) " rests on "
                        @for (at, other) in used.iter().enumerate() { @if at > 0 { ", " } (named(other)) }
                    }
                }
            }
        }
    }
}

/// The file with the map of all claims.
pub fn page(site: &Site) -> String {
    let prose = Prose::at_top(site);
    let rows: Vec<&Row> = site.rows.iter().collect();
    let body = html! {
        h1 { "What rests on what" }
        p.short { "All claims of all pages. The page of a paper has a map of its own, which is easier to read." }
        (of(&prose, &rows))
    };
    frame::page(site, "", "map.html", "Map", &body)
}
