//! The proofs of `proof/`, as text: that pages, theorems and the list of theorems speak of each other. Whether the proofs
//! hold is Coq's matter (`make prove`).

use dp_assay_ledger as ledger;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A theorem that backs a claim: the claim, the file in `proof/`, the name.
type Backing = (String, String, String);

/// What a Coq file says in its comments.
struct Proofs {
    /// The claims that its header names.
    claims: BTreeSet<String>,
    /// What it proves: of each name the text of the comment right above it, and whether it is more than a lemma.
    theorems: BTreeMap<String, (String, bool)>,
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
            let (kind, name) = (words.next().unwrap_or(""), words.next());
            assert!(
                !["Proposition", "Fact", "Remark", "Property"].contains(&kind),
                "Theorem, Corollary or Lemma: {line}"
            );
            if let ("Theorem" | "Corollary" | "Lemma", Some(name)) = (kind, name) {
                theorems.insert(name.to_owned(), (comment.clone(), kind != "Lemma"));
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
        let comment = self.theorems[theorem].0.trim_start_matches("(**");
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
///
/// # Panics
/// If two files have one name: Coq is asked for a theorem by the name of its file.
fn files() -> BTreeMap<String, Proofs> {
    let mut names = BTreeSet::new();
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
                assert!(
                    names.insert(file.file_name()),
                    "two files have the name of {name}"
                );
                found.insert(name, Proofs::read(fs::read_to_string(path).unwrap()));
            }
        }
    }
    assert!(found.contains_key("coins/Trees.v"));
    found
}

/// `proof/theorems.txt`: claim or `-`, file, theorem.
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
fn the_list_has_every_theorem_under_the_claims_that_it_names() {
    let files = files();
    let of_file = |(path, proofs): (&String, &Proofs)| -> Vec<Backing> {
        let of_theorem = |(name, (_, theorem)): (&String, &(String, bool))| {
            let mut ids = proofs.backed_by(name);
            if ids.is_empty() && *theorem {
                ids.insert("-".to_owned());
            }
            let (path, name) = (path.clone(), name.clone());
            ids.into_iter()
                .map(move |id| (id, path.clone(), name.clone()))
        };
        proofs.theorems.iter().flat_map(of_theorem).collect()
    };
    let stated: BTreeSet<Backing> = files.iter().flat_map(of_file).collect();
    let lines = listed();
    let listed: BTreeSet<Backing> = lines.iter().cloned().collect();
    assert_eq!(
        lines.len(),
        listed.len(),
        "a line of proof/theorems.txt stands twice"
    );
    let missing: Vec<_> = stated.difference(&listed).collect();
    assert!(missing.is_empty(), "not in proof/theorems.txt: {missing:?}");
    let extra: Vec<_> = listed.difference(&stated).collect();
    assert!(
        extra.is_empty(),
        "in proof/theorems.txt, and not in the files: {extra:?}"
    );
}

#[test]
fn a_page_names_theorems_whose_comments_name_its_claim() {
    let listed: BTreeSet<Backing> = listed().into_iter().collect();
    let mut named = BTreeSet::new();
    for entry in ledger::entries().unwrap() {
        let id = &entry.claim.id;
        for theorem in entry
            .claim
            .machine_checked
            .iter()
            .flat_map(|found| &found.theorems)
        {
            let (file, name) = theorem.split_once(' ').unwrap();
            let backing = (id.clone(), file.to_owned(), name.to_owned());
            assert!(
                listed.contains(&backing),
                "{id} names {theorem}, which does not name it"
            );
            named.insert(id.clone());
        }
    }
    let backed: BTreeSet<String> = listed
        .into_iter()
        .map(|(claim, ..)| claim)
        .filter(|claim| claim != "-")
        .collect();
    assert_eq!(
        named, backed,
        "claims that name a theorem, and claims that a theorem names"
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
    let text = fs::read_to_string(root().join("proof/tapes.txt")).unwrap();
    let mut laws = BTreeSet::new();
    for line in text.lines() {
        let (law, tapes) = line.split_once(' ').unwrap();
        let entry = ledger::select(&[law.to_owned()]).unwrap()[0];
        let found = entry.claim.machine_checked.as_ref();
        assert_eq!(
            found.and_then(|found| found.tapes),
            Some(tapes.parse().unwrap()),
            "{line}"
        );
        laws.insert(law.to_owned());
    }
    let samplers = [
        "uniform-below",
        "bernoulli",
        "bernoulli-exp",
        "geometric",
        "discrete-laplace",
        "discrete-gaussian",
    ];
    let others = ["spherical-gaussian", "exponential-mechanism"];
    let all = samplers
        .iter()
        .chain(&others)
        .map(|law| format!("sample.{law}"));
    assert_eq!(laws, all.collect());
}

#[test]
fn each_error_of_the_bridge_has_its_place_in_the_sources() {
    let plants = fs::read_to_string(root().join("proof/bridge/src/plants.rs")).unwrap();
    let field = |name: &str| -> Vec<String> {
        let begins = format!(" {name}: \"");
        let after = plants.split(&begins).skip(1);
        let literal = |text: &str| {
            let end = text
                .match_indices('"')
                .find(|(at, _)| !text[..*at].ends_with('\\'))
                .unwrap()
                .0;
            text[..end].replace("\\n", "\n").replace("\\\"", "\"")
        };
        after.map(literal).collect()
    };
    let (paths, olds) = (field("path"), field("old"));
    assert!(paths.len() >= 8 && paths.len() == olds.len());
    for (path, old) in paths.iter().zip(&olds) {
        let source = fs::read_to_string(root().join(path)).unwrap();
        assert_eq!(
            source.matches(old).count(),
            1,
            "how often {path} has: {old}"
        );
    }
}
