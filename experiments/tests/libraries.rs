//! The plans of libraries and the pages of what was found in them: that they name each other.

use std::fs;
use std::path::Path;

/// A file that no command names and no plan uses could change, and the records of before would stand.
#[test]
fn the_plans_of_libraries_name_all_files_beside_them() {
    let libraries = Path::new(env!("CARGO_MANIFEST_DIR")).join("libraries");
    let mut plans = 0;
    for folder in fs::read_dir(&libraries).unwrap() {
        let folder = folder.unwrap().path();
        let Ok(plan) = fs::read_to_string(folder.join("plan.toml")) else {
            continue;
        };
        plans += 1;
        for file in fs::read_dir(&folder).unwrap() {
            let file = file.unwrap();
            let name = file.file_name().into_string().unwrap();
            let is_named = match file.file_type().unwrap().is_dir() {
                true => plan.contains(&format!("\"{name}/")),
                false => ["\"", ","]
                    .iter()
                    .any(|before| plan.contains(&format!("{before}{name}"))),
            };
            assert!(
                is_named || name == "plan.toml",
                "{}: {name}",
                folder.display()
            );
            // Scripts take two modules from the folder above.
            let text = fs::read_to_string(file.path()).unwrap_or_default();
            for module in ["named", "values"] {
                let imports = text.contains(&format!("from {module} import"));
                let used = plan.contains(&format!("\"../{module}.py\""));
                assert!(used || !imports, "{}: {module}", folder.display());
            }
        }
    }
    assert!(plans > 20, "{plans}");
}

/// One page is for all versions of a library. What was planted to see that a library is heard is no finding.
#[test]
fn every_finding_in_a_library_has_a_page() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut missing) = (0, Vec::new());
    for folder in fs::read_dir(here.join("libraries")).unwrap() {
        let plan = folder.unwrap().path().join("plan.toml");
        if !plan.exists() {
            continue;
        }
        let plan: toml::Table = fs::read_to_string(plan).unwrap().parse().unwrap();
        let library = plan["library"].as_str().unwrap();
        if library == "restated" {
            continue;
        }
        let versions = |c: char| c.is_ascii_digit() || ['-', '.'].contains(&c);
        let page = format!("results/findings/{}.md", library.trim_end_matches(versions));
        let text = fs::read_to_string(here.join(&page)).unwrap_or_default();
        for mechanism in plan["mechanism"].as_array().unwrap() {
            let expected = |key| mechanism["expected"][key].as_str().unwrap();
            let is_fault = ["violation", "unsound"].contains(&expected("verdict"));
            if !is_fault || expected("why").starts_with("planted") {
                continue;
            }
            found += 1;
            let name = mechanism["name"].as_str().unwrap();
            // A version may come after the name.
            let of_it = |line: &str| {
                let heading = line.strip_prefix("## ");
                heading.and_then(|heading| heading.split(' ').next()) == Some(name)
            };
            if !text.lines().any(of_it) {
                missing.push(format!("{name}: {page}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(found > 40, "{found}");
}
