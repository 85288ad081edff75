//! The book of the ledger: every link leads somewhere, the pages say what the ledger says, and the formulas are read as the golden
//! file has them.

mod formulas;
mod html;

use dp_assay_cli::book::{Book, Run, Stamp};
use dp_assay_cli::papers::figures;
use dp_assay_ledger::claim::{Fault, Status, Version};
use dp_assay_ledger::{Entry, entries};
use html::{attributes, text};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A report as `assay verify --format json` has it, in which each claim is as its page expects, with the figures that are kept:
/// nothing is run.
fn report() -> Value {
    let found = |entry: &Entry| {
        let claim = &entry.claim;
        let mut figures = json!({"b <c>": "1/2", "a": "[1, 2]"});
        for kept in entry.accepted().map_or(Vec::new(), |kept| kept.figures) {
            let (name, value) = kept.rsplit_once(": ").unwrap();
            figures[name] = value.into();
        }
        let shown = match claim.fault {
            Some(kind) => format!("{} ({kind})", claim.expected),
            None => claim.expected.to_string(),
        };
        json!({
            "id": claim.id, "statement": claim.statement, "status": claim.expected.to_string(), "shown": shown,
            "proof_shown": claim.proof().to_string(), "as_expected": true, "scope": "n = 1",
            "evidence": {"method": "exact", "assertions": 3, "slack": false, "figures": figures,
                "replay": format!("assay verify {} --figures --seed 1", claim.id)},
        })
    };
    let all = entries().unwrap();
    let count = |status: Status| {
        all.iter()
            .filter(|entry| entry.claim.expected == status)
            .count()
    };
    json!({
        "claims": all.iter().map(found).collect::<Vec<_>>(),
        "summary": {"version": env!("CARGO_PKG_VERSION"), "quick": false, "thorough": false, "seed": 1, "claims": all.len(),
            "checked": count(Status::Checked), "supported": count(Status::Supported), "refuted": count(Status::Refuted),
            "open": count(Status::Open), "could_not_run": 0, "not_as_expected": 0, "counterexamples": 1, "arithmetic": "one"},
    })
}

fn made() -> Book {
    made_with(None)
}

fn made_with(core: Option<&[u8]>) -> Book {
    let run = Run::read(&report().to_string()).unwrap();
    let stamp = Stamp {
        commit: Some("0123abc".to_owned()),
        date: "2026-11-27".to_owned(),
    };
    Book::new(&run, stamp, figures(), core).unwrap()
}

/// The files of the book, by their paths.
fn files() -> &'static BTreeMap<String, String> {
    static FILES: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    FILES.get_or_init(|| made().files.into_iter().collect())
}

/// Where a link of a file leads: the file, and the place in it.
fn target(from: &str, link: &str) -> (String, String) {
    let (path, place) = link.split_once('#').unwrap_or((link, ""));
    let mut folder: Vec<&str> = from.split('/').collect();
    folder.pop();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        match part {
            ".." => {
                assert!(
                    folder.pop().is_some(),
                    "{from}: {link} leads out of the book"
                );
            }
            part => folder.push(part),
        }
    }
    let file = match path {
        "" => from.to_owned(),
        _ => folder.join("/"),
    };
    (file, place.to_owned())
}

/// The links of the book that lead nowhere.
fn broken(files: &BTreeMap<String, String>) -> Vec<String> {
    let ids: BTreeMap<&str, BTreeSet<String>> = files
        .iter()
        .map(|(name, text)| (name.as_str(), attributes(text, "id").collect()))
        .collect();
    let mut broken = Vec::new();
    for (name, page) in files.iter().filter(|(name, _)| name.ends_with(".html")) {
        for link in
            attributes(page, "href").filter(|link| !link.starts_with("https:") && link != "data:,")
        {
            let (file, place) = target(name, &link);
            let found = files.contains_key(&file)
                && (place.is_empty()
                    || ids
                        .get(file.as_str())
                        .is_some_and(|ids| ids.contains(&place)));
            if !found {
                broken.push(format!("{name}: {link}"));
            }
        }
    }
    broken
}

#[test]
fn every_link_and_anchor_leads_somewhere() {
    let found = broken(files());
    assert!(found.is_empty(), "{found:#?}");
    let links: usize = files()
        .values()
        .map(|page| attributes(page, "href").count())
        .sum();
    assert!(links > 3000, "{links}");
}

#[test]
fn a_page_that_is_gone_and_an_anchor_that_is_gone_are_noticed() {
    let mut fewer = files().clone();
    fewer.remove("words.html");
    assert!(!broken(&fewer).is_empty());
    let mut other = files().clone();
    let page = other.get_mut("conventions.html").unwrap();
    *page = page.replace("id=\"what-a-row-says\"", "");
    assert!(!broken(&other).is_empty());
}

/// Both forbid the page every connection.
#[test]
fn the_page_that_checks_has_a_core_or_says_that_there_is_none() {
    let without = &files()["check.html"];
    assert!(text(without).contains("made without the core"));
    assert!(!without.contains("<form") && !without.contains("<script"));
    assert!(!files().contains_key("core.js"));
    let with: BTreeMap<String, String> = made_with(Some(b"\0asm\x01\0\0\0"))
        .files
        .into_iter()
        .collect();
    assert_eq!(with["core.js"], "const CORE = \"AGFzbQEAAAA=\";\n");
    let page = &with["check.html"];
    assert!(page.matches("<form").count() >= 5 && page.contains("src=\"check.js\""));
    for page in [without, page] {
        assert!(
            page.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';")
        );
        assert!(!page.contains("connect-src") && !page.contains("unsafe-inline"));
    }
}

#[test]
fn an_id_is_once_in_a_page() {
    for (name, page) in files() {
        let mut seen = BTreeSet::new();
        for id in attributes(page, "id") {
            assert!(seen.insert(id.clone()), "{name}: {id} twice");
        }
    }
}

#[test]
fn every_claim_has_its_page_with_its_words() {
    for entry in entries().unwrap() {
        let claim = &entry.claim;
        let page = &files()[&format!("c/{}.html", claim.id)];
        let shown = text(page);
        assert!(shown.contains(&claim.id), "{}", claim.id);
        assert!(shown.contains(&claim.expected.to_string()), "{}", claim.id);
        if let Some(kind) = claim.fault {
            assert!(
                shown.contains(&format!("{} ({kind})", claim.expected)),
                "{}",
                claim.id
            );
        }
        if let (Some(quote), Some(place)) = (&claim.quote, &claim.place) {
            let plain: String = quote.chars().filter(|sign| *sign != '`').collect();
            // What stands in backticks in a quotation is set, and not the same text.
            assert!(
                quote.contains('`') || shown.contains(&plain),
                "{}: {plain}",
                claim.id
            );
            assert!(shown.contains(place.as_str()), "{}: {place}", claim.id);
        }
        for other in claim.rests_on.iter().chain(&claim.repairs) {
            assert!(
                page.contains(&format!("href=\"../c/{other}.html\"")),
                "{}: {other}",
                claim.id
            );
        }
        for alias in &entry.aliases {
            let redirect = &files()[&format!("c/{alias}.html")];
            assert!(
                redirect.contains(&format!("0; url={}.html", claim.id)),
                "{alias}"
            );
        }
        assert!(
            page.contains("2026-11-27") && page.contains("0123abc"),
            "{}",
            claim.id
        );
    }
}

#[test]
fn the_counts_and_the_list_of_what_is_false_are_those_of_the_ledger() {
    let all = entries().unwrap();
    for status in [
        Status::Checked,
        Status::Supported,
        Status::Refuted,
        Status::Open,
    ] {
        let count = all
            .iter()
            .filter(|entry| entry.claim.expected == status)
            .count();
        assert!(
            count == 0 || text(&files()["index.html"]).contains(&format!("{count} {status}")),
            "{status}"
        );
    }
    assert_eq!(
        files()["index.html"].matches("<li data-status").count(),
        all.len()
    );
    // What is false and ours is charged to nobody.
    let fails = |entry: &&Entry| {
        entry.claim.fault == Some(Fault::False) && entry.claim.version != Version::Ours
    };
    for entry in all.iter().filter(fails) {
        let claim = &entry.claim;
        let page = &files()[&format!("p/{}.html", claim.paper)];
        let (list, _) = page.split_once("All items").unwrap();
        assert!(
            list.contains(&format!("c/{}.html", claim.id)),
            "{}",
            claim.id
        );
        assert!(
            files()["errata.html"].contains(&format!("c/{}.html", claim.id)),
            "{}",
            claim.id
        );
    }
}

#[test]
fn pages_are_small_and_need_nothing_from_elsewhere() {
    let mut all = 0;
    for (name, page) in files() {
        // Three pages of all claims, and the longest text that is shown whole.
        let large = ["index.html", "map.html", "errata.html", "auditor.html"];
        let is_large = large.contains(&name.as_str());
        let most = if is_large { 250_000 } else { 150_000 };
        assert!(page.len() <= most, "{name}: {} bytes", page.len());
        all += page.len();
        for word in ["src=", "@import", "url(http", "<iframe", "<img"] {
            assert!(!page.contains(word), "{name}: {word}");
        }
        for link in attributes(page, "href") {
            let leads = !link.contains("://") || link.starts_with("https://");
            assert!(leads, "{name}: {link}");
        }
        assert_eq!(page.contains("<script"), name == "index.html", "{name}");
    }
    assert!(all <= 8_000_000, "{all} bytes");
}

#[test]
fn what_a_run_says_is_escaped() {
    let page = &files()[&format!("c/{}.html", entries().unwrap()[0].claim.id)];
    assert!(!page.contains("<c>") && page.contains("1/2"));
}

#[test]
fn two_books_of_one_run_are_the_same() {
    assert_eq!(
        made().files.into_iter().collect::<BTreeMap<_, _>>(),
        *files()
    );
}

#[test]
fn a_report_of_another_version_or_of_some_claims_is_refused() {
    let mut other = report();
    other["summary"]["version"] = json!("9.9.9");
    let reason = Run::read(&other.to_string()).unwrap_err();
    assert!(reason.contains("9.9.9"), "{reason}");
    let book = |report: &Value| {
        let stamp = Stamp {
            commit: None,
            date: String::new(),
        };
        Book::new(
            &Run::read(&report.to_string()).unwrap(),
            stamp,
            figures(),
            None,
        )
    };
    let mut fewer = report();
    fewer["claims"].as_array_mut().unwrap().remove(0);
    assert!(
        book(&fewer)
            .unwrap_err()
            .to_string()
            .contains("has not the claim")
    );
    let mut changed = report();
    changed["claims"][0]["statement"] = json!("another");
    assert!(book(&changed).is_err());
}

/// The numbers in a text, fractions among them.
fn numbers(text: &str) -> BTreeSet<String> {
    let read = |word: &str| word.parse::<f64>().ok();
    let number = |word: &str| match word.split_once('/') {
        Some((one, other)) => Some(read(one)? / read(other)?),
        None => read(word),
    };
    let words = text.split(|sign: char| !(sign.is_ascii_alphanumeric() || ".-/".contains(sign)));
    let words = words.map(|word| word.trim_end_matches('.'));
    words
        .filter_map(number)
        .map(|number| number.to_string())
        .collect()
}

#[test]
fn each_figure_says_what_to_see_in_numbers_of_its_row() {
    let mut drawn = 0;
    for (name, csv) in files().iter().filter(|(name, _)| name.ends_with(".csv")) {
        let id = name.strip_prefix("f/").unwrap().trim_end_matches(".csv");
        let page = &files()[&format!("c/{id}.html")];
        assert!(page.contains(&format!("href=\"../{name}\"")), "{name}");
        let entry = entries()
            .unwrap()
            .iter()
            .find(|one| one.claim.id == id)
            .unwrap();
        let kept = numbers(&entry.accepted().unwrap().figures.join("; "));
        let found: Vec<&str> = csv
            .lines()
            .filter(|line| line.contains("certified") || line.contains("exact"))
            .collect();
        assert!(found.len() >= 3, "{csv}");
        for line in found {
            for end in line.rsplit(',').take(2) {
                assert!(kept.contains(end), "{name}: {line}");
            }
        }
        let told = numbers(&[&entry.claim.statement[..], &entry.claim.prose].join(" "));
        for end in csv
            .lines()
            .skip(1)
            .flat_map(|line| line.rsplit(',').take(2))
        {
            let is_known = kept.contains(end) || told.contains(end);
            assert!(is_known, "{name}: {end}");
        }
        // What to see: its numbers are those of the row, or of the claim.
        let (_, said) = page.split_once("<figcaption>").unwrap();
        let said = text(said.split_once("</figcaption>").unwrap().0);
        for number in numbers(&said) {
            let is_known = kept.contains(&number) || told.contains(&number);
            assert!(is_known, "{name}: {number} in {said}");
        }
        drawn += 1;
    }
    assert_eq!(drawn, figures().count());
    assert!(drawn >= 5, "{drawn}");
}
