//! What is published has what it is built of, the texts of its licences, and a page that says what it is.

use crate::commands::plain;
use crate::source::relative;
use crate::{NOT_PUBLISHED, PACKAGES, none, packages, root};
use std::collections::BTreeSet;
use std::process::Command;

/// The files of a package, by their paths in it, as cargo would pack them. Nothing is built, and no registry is asked.
fn files_of(package: &str) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let listed = Command::new(cargo)
        .args([
            "package",
            "--list",
            "--allow-dirty",
            "--offline",
            "--package",
            package,
        ])
        .current_dir(root())
        .output()
        .expect("cargo");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace('\\', "/");
    assert!(listed.status.success(), "{}", text(&listed.stderr));
    text(&listed.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn what_a_package_is_built_of_is_in_it() {
    let sources = packages().sources;
    let mut included = 0;
    let mut violations = Vec::new();
    for package in PACKAGES
        .iter()
        .filter(|package| !NOT_PUBLISHED.contains(&package.name))
    {
        let name = package.name.replace('_', "-");
        let files = files_of(&name);
        for needed in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "src/lib.rs"] {
            if !files.contains(needed) {
                violations.push(format!("{name} has no {needed}"));
            }
        }
        let home = plain(&root().join(package.folder).join(".."));
        let folder = format!("{}/", package.folder);
        for source in sources
            .iter()
            .filter(|source| source.path.starts_with(&folder))
        {
            let beside = root().join(&source.path);
            let beside = beside.parent().expect("a folder");
            // What tests read need not be there.
            let code = source.code.split("#[cfg(test)]").next().unwrap_or_default();
            for macro_name in ["include_str!(\"", "include_bytes!(\"", "include!(\""] {
                for rest in code.split(macro_name).skip(1) {
                    included += 1;
                    let path = rest.split('"').next().unwrap_or_default();
                    let inside = relative(&home, &plain(&beside.join(path)));
                    if !files.contains(&inside) {
                        violations.push(format!(
                            "{name} does not have what {} includes: {path}",
                            source.path
                        ));
                    }
                }
            }
        }
    }
    assert!(included > 4, "{included}: are the sources read?");
    none(
        &violations,
        "what is published has what it is built of, the texts of its licences, and a page that says what it is",
    );
}
