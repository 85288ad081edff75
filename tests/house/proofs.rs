//! The proofs of `proof/`, as text: that pages, theorems and the list of theorems speak of each other. Whether the proofs
//! hold is Coq's matter (`make prove`).

use crate::root;
use dp_assay::ledger;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// A theorem that backs a claim: the claim, the file in `proof/`, the name.
type Backing = (String, String, String);

/// What a Coq file says in its comments.
struct Proofs {
    /// The claims that its header names.
    claims: BTreeSet<String>,
    /// Its theorems, each with the text of the comment right above it.
    theorems: BTreeMap<String, String>,
    text: String,
}

impl Proofs {
    fn read(text: String) -> Self {
        let header = text.split_once("*)").map_or("", |(header, _)| header);
        let named = header.split_once("Claims:").map_or("", |(_, rest)| rest);
        let named = named.split_once(".\n").map_or(named, |(named, _)| named);
        let ids = named.split([',', '\n']).map(str::trim);
        let claims = ids
            .filter(|id| !id.is_empty() && *id != "none")
            .map(str::to_owned)
            .collect();
        let mut theorems = BTreeMap::new();
        let mut comment = String::new();
        let mut in_comment = false;
        for line in text.lines() {
            if line.starts_with("(**") {
                comment.clear();
                in_comment = true;
            }
            if in_comment {
                comment += line;
                comment.push('\n');
                in_comment = !line.ends_with("*)");
                continue;
            }
            let mut words = line.split([' ', ':']);
            if let (Some("Theorem" | "Corollary" | "Lemma"), Some(name)) =
                (words.next(), words.next())
            {
                theorems.insert(name.to_owned(), comment.clone());
            }
            comment.clear();
        }
        Self {
            claims,
            theorems,
            text,
        }
    }

    /// The ids with which the comment above a theorem begins: `(** p.a, p.b: ... *)`.
    fn backed_by(&self, theorem: &str) -> BTreeSet<String> {
        let comment = self.theorems[theorem].trim_start_matches("(**");
        let Some((ids, _)) = comment.split_once(':') else {
            return BTreeSet::new();
        };
        let ids: Vec<&str> = ids.split(',').map(str::trim).collect();
        if ids.iter().all(|id| is_id(id)) {
            ids.into_iter().map(str::to_owned).collect()
        } else {
            BTreeSet::new()
        }
    }
}

/// Whether this may be the id of a claim: `p.thm1`, and no prose.
fn is_id(text: &str) -> bool {
    text.contains('.') && !text.contains(char::is_whitespace)
}

/// The Coq files, by their paths in `proof/`.
fn files() -> BTreeMap<String, Proofs> {
    let mut found = BTreeMap::new();
    for folder in fs::read_dir(root().join("proof")).unwrap().flatten() {
        for file in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let path = file.path();
            if path.extension().is_some_and(|extension| extension == "v") {
                let name = format!(
                    "{}/{}",
                    folder.file_name().to_str().unwrap(),
                    file.file_name().to_str().unwrap()
                );
                found.insert(name, Proofs::read(fs::read_to_string(path).unwrap()));
            }
        }
    }
    assert!(found.contains_key("coins/Trees.v"));
    found
}

/// `proof/theorems.txt`: claim or `-`, file, theorem, axioms.
fn listed() -> Vec<Backing> {
    let text = fs::read_to_string(root().join("proof/theorems.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let words = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        assert!(
            words.len() >= 3 && words.iter().all(|word| !word.is_empty()),
            "{line}"
        );
        (
            words[0].to_owned(),
            words[1].to_owned(),
            words[2].to_owned(),
        )
    };
    lines.map(words).collect()
}

#[test]
fn the_list_of_theorems_is_that_of_the_files() {
    let files = files();
    let listed = listed();
    let backing = |(path, proofs): (&String, &Proofs)| -> Vec<Backing> {
        let of_theorem = |theorem: &String| {
            let ids = proofs.backed_by(theorem).into_iter();
            let (path, theorem) = (path.clone(), theorem.clone());
            ids.map(move |id| (id, path.clone(), theorem.clone()))
        };
        proofs.theorems.keys().flat_map(of_theorem).collect()
    };
    let stated: BTreeSet<Backing> = files.iter().flat_map(backing).collect();
    let of_claims: BTreeSet<Backing> = listed
        .iter()
        .filter(|(claim, ..)| claim != "-")
        .cloned()
        .collect();
    let missing: Vec<_> = stated.difference(&of_claims).collect();
    assert!(missing.is_empty(), "not in proof/theorems.txt: {missing:?}");
    let extra: Vec<_> = of_claims.difference(&stated).collect();
    assert!(
        extra.is_empty(),
        "in proof/theorems.txt, and not above a theorem: {extra:?}"
    );
    for (_, file, theorem) in &listed {
        let there = files
            .get(file)
            .is_some_and(|proofs| proofs.theorems.contains_key(theorem));
        assert!(there, "no theorem {theorem} in proof/{file}");
    }
    let mut sorted = listed.clone();
    sorted.dedup();
    assert_eq!(sorted, listed, "a theorem is listed twice");
}

#[test]
fn a_page_names_the_theorems_whose_comments_name_its_claim() {
    let mut named: BTreeSet<Backing> = BTreeSet::new();
    for entry in ledger::entries().unwrap() {
        if let Some(found) = &entry.claim.machine_checked {
            let id = &entry.claim.id;
            let backing = |theorem: &String| (id.clone(), found.file.clone(), theorem.clone());
            named.extend(found.theorems.iter().map(backing));
        }
    }
    let listed: BTreeSet<Backing> = listed()
        .into_iter()
        .filter(|(claim, ..)| claim != "-")
        .collect();
    assert_eq!(
        named, listed,
        "pages on the left, proof/theorems.txt on the right"
    );
}

#[test]
fn the_header_of_a_file_names_the_claims_of_its_theorems() {
    for (path, proofs) in files() {
        assert!(proofs.text.starts_with("(** "), "{path} has no header");
        let ids = proofs
            .theorems
            .keys()
            .flat_map(|theorem| proofs.backed_by(theorem));
        assert_eq!(ids.collect::<BTreeSet<_>>(), proofs.claims, "{path}");
        for (number, line) in proofs.text.lines().enumerate() {
            assert!(
                line.chars().count() <= 120,
                "{path}:{} is longer than 120 characters",
                number + 1
            );
        }
    }
}

#[test]
fn every_law_of_a_sampler_has_its_theorem_and_its_tapes() {
    for law in [
        "sample.uniform-below",
        "sample.bernoulli",
        "sample.bernoulli-exp",
        "sample.geometric",
        "sample.discrete-laplace",
        "sample.discrete-gaussian",
        "sample.exponential-mechanism",
    ] {
        let entry = ledger::select(&[law.to_owned()]).unwrap()[0];
        let found = entry.claim.machine_checked.as_ref();
        let tapes = found.and_then(|found| found.tapes);
        assert!(tapes.is_some_and(|tapes| tapes > 0), "{law}");
    }
}
