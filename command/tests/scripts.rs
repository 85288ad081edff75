//! The scripts and the Makefile: that they install nothing where that is not wanted, that one failure hides no other, and that the
//! packages of others with which tests run are pinned.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|_| panic!("no {file}"))
}

/// A folder with programs that stand in for those of the machine. Each writes its name and its arguments into `called`.
struct Programs(TempDir);

impl Programs {
    fn new(stand_ins: &[(&str, &str)]) -> Self {
        let room = tempfile::tempdir().unwrap();
        for (name, body) in stand_ins {
            let path = room.path().join(name);
            let called = room.path().join("called");
            let text = format!(
                "#!/bin/sh\necho {name} \"$@\" >>'{}'\n{body}\n",
                called.display()
            );
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self(room)
    }

    /// Programs of the machine that are needed beside them.
    fn with(self, names: &[&str]) -> Self {
        for name in names {
            let found = std::env::split_paths(&std::env::var_os("PATH").unwrap())
                .map(|folder| folder.join(name))
                .find(|path| path.is_file());
            symlink(
                found.unwrap_or_else(|| panic!("no {name}")),
                self.0.path().join(name),
            )
            .unwrap();
        }
        self
    }

    fn called(&self) -> String {
        fs::read_to_string(self.0.path().join("called")).unwrap_or_default()
    }

    /// What the script says, where there are no other programs than these.
    fn run(&self, script: &Path, arguments: &[&str], no_install: &str) -> (Option<i32>, String) {
        let mut command = Command::new(script);
        // Of a make that runs these tests.
        for name in ["MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL"] {
            command.env_remove(name);
        }
        let ran = command
            .args(arguments)
            .env("PATH", self.0.path())
            .env("NO_INSTALL", no_install)
            .env("DP_ASSAY_COMMAND", "true")
            .output()
            .unwrap();
        let said = [ran.stdout, ran.stderr].concat();
        (ran.status.code(), String::from_utf8(said).unwrap())
    }
}

/// As root on a machine that has apt-get, and neither m4 nor Coq.
#[test]
fn no_package_of_the_system_is_installed_where_that_is_not_wanted() {
    let make = root().join("Makefile");
    for (target, package, checked) in [("m4", "m4", "MPFR"), ("coq", "coq", "proof")] {
        let programs =
            Programs::new(&[("id", "echo 0"), ("apt-get", "")]).with(&["make", "sh", "dirname"]);
        let run = |no_install| {
            let arguments = ["-C", make.parent().unwrap().to_str().unwrap(), target];
            programs.run(&programs.0.path().join("make"), &arguments, no_install)
        };
        let (status, said) = run("1");
        assert_eq!(status, Some(0), "{said}");
        assert!(
            !programs.called().contains("apt-get"),
            "{}",
            programs.called()
        );
        assert!(
            said.contains(&format!("NO_INSTALL=1: not installing {package} (for ")),
            "{said}"
        );
        assert!(said.contains(checked), "{said}");
        let (status, said) = run("");
        assert_eq!(status, Some(0), "{said}");
        assert!(
            said.contains(&format!("installing {package} (for ")),
            "{said}"
        );
        let installs = format!("install -y -qq --no-install-recommends {package}\n");
        assert!(
            programs.called().contains(&installs),
            "{}",
            programs.called()
        );
    }
}

/// A copy of these files alone: no environment is there already.
fn copied(files: &[&str]) -> TempDir {
    let room = tempfile::tempdir().unwrap();
    for file in files {
        let to = room.path().join(file);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(root().join(file), to).unwrap();
    }
    room
}

#[test]
fn no_package_of_python_is_installed_where_that_is_not_wanted() {
    for (script, more) in [
        (
            "audit/python/run-tests",
            "audit/python/tests/requirements.txt",
        ),
        (
            "experiments/cluster/run-tests",
            "experiments/cluster/requirements.txt",
        ),
        (
            "audit/targets/python/run-tests",
            "audit/targets/python/recorder.py",
        ),
        ("audit/python/wheel", "audit/python/pyproject.toml"),
    ] {
        let room = copied(&[script, more, "scripts/packages.sh"]);
        let programs = Programs::new(&[("python3", "case \"$*\" in *venv*) exit 1 ;; esac")])
            .with(&["sh", "dirname", "cat", "grep", "sed", "rm"]);
        let (status, said) = programs.run(&room.path().join(script), &[], "1");
        assert_eq!(status, Some(77), "{script}: {said}");
        assert!(
            said.contains("NO_INSTALL=1: not installing"),
            "{script}: {said}"
        );
        assert!(said.contains("skipped: "), "{script}: {said}");
        let called = programs.called();
        assert!(
            !called.contains("venv") && !called.contains("pip"),
            "{script}: {called}"
        );
        let (status, said) = programs.run(&room.path().join(script), &[], "");
        assert_eq!(status, Some(77), "{script}: {said}");
        assert!(
            programs.called().contains("python3 -m venv"),
            "{script}: {said}"
        );
    }
}

/// The files of this folder, and of those in it.
fn files(folder: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{folder}/{name}");
        if entry.file_type().unwrap().is_dir() {
            if !["target", "node_modules", "__pycache__"].contains(&&*name) {
                files(&path, found);
            }
        } else {
            found.push(path);
        }
    }
}

/// Scripts, programs in Python and the Makefile: their paths, their texts, and what they do in words, without comments, without the
/// signs between words, and in small letters. `[CARGO, "install", ...]` and `${CARGO:-cargo} install` are both "cargo install".
fn scripts() -> Vec<(String, String, String)> {
    let mut all = vec!["Makefile".to_owned()];
    for folder in [
        ".ci",
        "scripts",
        "audit",
        "benches",
        "command",
        "experiments",
        "ledger",
        "proof",
        "spec",
        "witness",
    ] {
        files(folder, &mut all);
    }
    let is_text = |file: &String| {
        [".md", ".json", ".rs", ".txt"]
            .iter()
            .any(|ending| file.ends_with(ending))
    };
    let read = |file: String| {
        let text = fs::read_to_string(root().join(&file)).ok()?;
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'));
        let code = lines.collect::<Vec<_>>().join("\n").to_lowercase();
        let code: String = code
            .chars()
            .filter(|c| !"\"',(){}[]$".contains(*c))
            .collect();
        let words = code.split_whitespace().collect::<Vec<_>>().join(" ");
        Some((file, text, words))
    };
    all.into_iter()
        .filter(|file| !is_text(file))
        .filter_map(read)
        .collect()
}

#[test]
fn whatever_installs_can_be_told_not_to() {
    let mut seen = 0;
    for (file, text, words) in scripts() {
        let installs = [
            "apt-get install",
            "pip install",
            "pip3 install",
            "npm ci",
            "npm install",
            "cargo install",
        ];
        if !installs.iter().any(|install| words.contains(install)) {
            continue;
        }
        seen += 1;
        assert!(
            text.contains("NO_INSTALL") || text.contains("may_install"),
            "{file} installs, whatever NO_INSTALL says"
        );
    }
    assert!(seen >= 7, "{seen}");
}

#[test]
fn no_environment_of_python_sees_what_the_variables_of_the_machine_name() {
    let mut seen = 0;
    for (file, text, words) in scripts() {
        if words.contains("-m venv") || words.contains("venv.create") {
            seen += 1;
            let drops = ["PYTHONPATH", "PYTHONHOME"]
                .iter()
                .all(|name| text.contains(name));
            assert!(drops || text.contains("/packages.sh"), "{file}");
        }
    }
    assert!(seen >= 4, "{seen}");
}

/// Of `scripts/packages.sh` and `scripts/own_environment.py` alike: with a stand-in for the Python of the environment.
#[test]
fn an_environment_of_python_is_of_its_pins_and_of_this_python() {
    let told = Command::new("python3").arg("--version").output();
    let Ok(told) = told else {
        eprintln!("python3 is not here: environments of it are not tested");
        return;
    };
    let version = String::from_utf8(told.stdout).unwrap();
    let room = copied(&["scripts/packages.sh", "scripts/own_environment.py"]);
    let at = |name: &str| room.path().join(name);
    let write = |name: &str, text: &str| {
        fs::create_dir_all(at(name).parent().unwrap()).unwrap();
        fs::write(at(name), text).unwrap();
        fs::set_permissions(at(name), fs::Permissions::from_mode(0o755)).unwrap();
    };
    write(
        "scripts/python",
        "#!/usr/bin/env python3\nimport sys\nfrom own_environment import enter\nenter(sys.argv[1], 'to try it', 'nothing==1')\n",
    );
    write(
        "scripts/sh",
        "#!/bin/sh\n. scripts/packages.sh\npython_environment \"$1\" 'to try it' nothing==1 && exec \"$1/bin/python\"\nexit 77\n",
    );
    write(
        "home/bin/python",
        "#!/bin/sh\necho \"sees $PYTHONPATH.$PYTHONHOME\"\n",
    );
    for (made_of, is_right) in [
        (format!("{version}nothing==1\n"), true),
        (format!("{version}nothing==2\n"), false),
        ("Python 3.0.0\nnothing==1\n".to_owned(), false),
        (String::new(), false),
    ] {
        write("home/made-of", &made_of);
        for script in ["scripts/python", "scripts/sh"] {
            let ran = Command::new(at(script))
                .arg(at("home"))
                .current_dir(room.path())
                .env("NO_INSTALL", "1")
                .env("PYTHONPATH", "/of-the-machine")
                .env("PYTHONDONTWRITEBYTECODE", "1")
                .output()
                .unwrap();
            let said = String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap();
            let (status, part) = match is_right {
                true => (0, "sees .\n"),
                false => (77, "NO_INSTALL=1"),
            };
            assert_eq!(
                ran.status.code(),
                Some(status),
                "{script}, {made_of}: {said}"
            );
            assert!(said.contains(part), "{script}, {made_of}: {said}");
        }
    }
}

#[test]
fn a_command_that_fails_keeps_none_from_running_and_is_named() {
    let run = |commands: &[&str]| {
        let ran = Command::new(root().join("scripts/each"))
            .args(commands)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (ran.status.code(), text(ran.stdout), text(ran.stderr))
    };
    let (status, said, failed) = run(&[
        "echo one; exit 3",
        "echo two",
        "no-such-program",
        "echo three; exit 77",
    ]);
    assert_eq!(status, Some(1));
    for word in ["one\n", "two\n", "three\n"] {
        assert!(said.contains(word), "{said}");
    }
    assert!(
        failed.contains("failed:\n  echo one; exit 3 (status 3)\n  no-such-program (status 127)\n"),
        "{failed}"
    );
    assert!(
        !failed.contains("three") && !failed.contains("two"),
        "{failed}"
    );
    assert_eq!(run(&["true", "exit 77"]).0, Some(0));
}

/// A stand-in for cargo fails each time: all lines run, and none stops at its first test.
#[test]
fn make_test_runs_all_that_it_has() {
    for (target, count) in [("test", 1), ("test-nightly", 4)] {
        let programs = Programs::new(&[("cargo", "exit 101"), ("m4", "")]).with(&["make", "sh"]);
        let make = programs.0.path().join("make");
        let arguments = ["-C", root().to_str().unwrap(), target, "CARGO=cargo"];
        let (status, said) = programs.run(&make, &arguments, "1");
        assert_ne!(status, Some(0));
        let called = programs.called();
        let lines: Vec<&str> = called
            .lines()
            .filter(|line| line.starts_with("cargo test "))
            .collect();
        assert_eq!(lines.len(), count, "{target}: {called}");
        for line in &lines {
            assert!(line.contains(" --no-fail-fast "), "{line}");
            assert!(said.contains("(status 101)"), "{said}");
        }
        // The auditor alone has its tests at night; that it builds is seen by `make lint`.
        let alone = "--package dp-assay-cli --no-default-features";
        let has_alone = lines.iter().any(|line| line.contains(alone));
        assert_eq!(has_alone, target == "test-nightly", "{target}: {called}");
    }
}

/// Packages and features that clippy and rustdoc are given, by a stand-in for cargo.
#[test]
fn the_code_of_all_features_is_linted_and_none_needs_m4() {
    for (m4, names) in [
        (false, &[("cargo", "")][..]),
        (true, &[("cargo", ""), ("m4", ""), ("cc", "")]),
    ] {
        let programs = Programs::new(names).with(&["make", "sh"]);
        let make = programs.0.path().join("make");
        let arguments = ["-C", root().to_str().unwrap(), "lint", "CARGO=cargo"];
        let (status, said) = programs.run(&make, &arguments, "1");
        assert_eq!(status, Some(0), "{said}");
        let called = programs.called();
        let lines = |word: &str| -> Vec<&str> {
            let has = |line: &&str| line.starts_with(word);
            called.lines().filter(has).collect()
        };
        let clippy = lines("cargo clippy ");
        let of_all = [clippy.as_slice(), &lines("cargo doc ")].concat();
        for line in of_all.iter().filter(|line| line.contains("--workspace")) {
            let expected = if m4 {
                "--features dp-assay-cli/mpfr"
            } else {
                "--exclude dp-assay-witness"
            };
            assert!(line.contains(expected), "{line}");
        }
        let alone = clippy
            .iter()
            .filter(|line| line.contains("--package dp-assay-cli --no-default-features "));
        let alone: Vec<_> = alone.map(|line| line.contains("mpfr")).collect();
        assert_eq!(alone, [false, m4], "{called}");
    }
}

#[test]
fn continuous_integration_runs_all_that_it_has() {
    let programs = Programs::new(&[("make", "exit 2"), ("coqc", "exit 1")])
        .with(&["bash", "env", "sh", "dirname"]);
    let room = copied(&[".ci/run", "scripts/each"]);
    fs::write(
        room.path().join("scripts/prove"),
        "#!/bin/sh\necho proved\n",
    )
    .unwrap();
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(room.path().join("scripts/prove"), executable).unwrap();
    let (status, said) = programs.run(&room.path().join(".ci/run"), &[], "1");
    assert_eq!(status, Some(1), "{said}");
    assert_eq!(
        programs.called(),
        "make test\nmake test-ecosystem\nmake vectors\n",
        "{said}"
    );
    assert!(
        said.contains("proved\n") && said.contains("  make vectors (status 2)"),
        "{said}"
    );
}

/// What is installed on a machine may leave a test out, and decides none.
#[test]
fn no_test_sees_the_packages_of_the_machine() {
    let mut tests: Vec<String> = Vec::new();
    for folder in ["audit/tests", "command/tests", "experiments/tests"] {
        files(folder, &mut tests);
    }
    files("tests", &mut tests);
    for file in tests {
        if !file.ends_with(".rs")
            || [
                "audit/tests/programs/mod.rs",
                "command/tests/scripts.rs",
                // What pages tell a reader to type.
                "tests/house/commands.rs",
            ]
            .contains(&&*file)
        {
            continue;
        }
        let text = read(&file);
        for words in ["python3 ", "Command::new(\"python3\")"] {
            assert!(
                !text.contains(words),
                "{file}: take PYTHON of audit/tests/programs for {words}"
            );
        }
    }
}

#[test]
fn all_packages_with_which_tests_run_are_pinned() {
    let mut all = Vec::new();
    files("audit", &mut all);
    files("experiments", &mut all);
    let pins: Vec<PathBuf> = all
        .iter()
        .filter(|file| file.ends_with("requirements.txt"))
        .map(PathBuf::from)
        .collect();
    assert!(pins.len() > 20, "{}", pins.len());
    for file in pins {
        for line in read(file.to_str().unwrap()).lines() {
            assert!(
                line.starts_with('#')
                    || line.is_empty()
                    || line.contains("==")
                    || line.contains(" @ "),
                "{}: {line}",
                file.display()
            );
        }
    }
}

/// `audit/targets/python/run-tests` reads the versions there, and tests the oldest and the newest.
#[test]
fn the_pages_name_the_numpy_that_the_recorder_is_tested_with() {
    let tested = |file: &str| {
        let text = read(file).replace('\n', " ");
        let (_, after) = text
            .split_once("tested with numpy from ")
            .unwrap_or_else(|| panic!("{file}"));
        after
            .split([',', ';', ')'])
            .next()
            .unwrap()
            .trim_end_matches(". It")
            .to_owned()
    };
    let range = tested("audit/targets/python/recorder.py");
    assert_eq!(range, "1.23.2 to 2.4.6");
    assert_eq!(tested("docs/protocol.md"), range);
}

/// By a stand-in for cargo, which leaves the command of these tests alone.
#[test]
fn make_install_puts_the_command_its_manual_and_its_completions_where_they_are_found() {
    let room = tempfile::tempdir().unwrap();
    let built = room.path().join("built");
    let prefix = room.path().join("a prefix");
    fs::create_dir_all(built.join("release")).unwrap();
    symlink(env!("CARGO_BIN_EXE_assay"), built.join("release/assay")).unwrap();
    let programs = Programs::new(&[("cargo", "")])
        .with(&["make", "sh", "bash", "dirname", "install", "mkdir"]);
    let given = |name: &str, value: &Path| format!("{name}={}", value.display());
    let arguments = [
        "-C",
        root().to_str().unwrap(),
        "install",
        "CARGO=cargo",
        &given("CARGO_TARGET_DIR", &built),
        &given("PREFIX", &prefix),
    ];
    let make = programs.0.path().join("make");
    let (status, said) = programs.run(&make, &arguments, "1");
    assert_eq!(status, Some(0), "{said}");
    assert!(
        programs
            .called()
            .contains("cargo build --release --locked --package dp-assay-cli\n"),
        "{}",
        programs.called()
    );
    let assay = prefix.join("bin/assay");
    assert!(!assay.is_symlink());
    let says = |program: &Path, arguments: &[&str]| {
        let ran = Command::new(program).args(arguments).output().unwrap();
        assert!(ran.status.success(), "{arguments:?}");
        String::from_utf8(ran.stdout).unwrap()
    };
    let version = says(&assay, &["--version"]);
    assert_eq!(version.trim(), concat!("assay ", env!("CARGO_PKG_VERSION")));
    let read = |file: &str| fs::read_to_string(prefix.join("share").join(file)).unwrap();
    for name in ["assay", "assay-audit", "assay-truth", "assay-self-test"] {
        let page = read(&format!("man/man1/{name}.1"));
        assert!(page.contains(&format!(".TH {name} 1 ")), "{name}");
    }
    assert!(read("zsh/site-functions/_assay").starts_with("#compdef assay\n"));
    assert!(read("fish/vendor_completions.d/assay.fish").contains("complete -c assay "));
    let completions = prefix.join("share/bash-completion/completions/assay");
    let bash = programs.0.path().join("bash");
    let asked = format!(
        "source '{}'; COMP_WORDS=(assay aud) COMP_CWORD=1; _assay assay aud assay; echo $COMPREPLY",
        completions.display()
    );
    assert_eq!(says(&bash, &["-c", &asked]), "audit\n");
}

/// Of what is built: not of what only tests need, nor of what is left out.
#[test]
fn the_licences_of_what_the_wheel_bundles_are_written_with_their_texts() {
    let Ok(ran) = Command::new(root().join("scripts/licences")).output() else {
        eprintln!("python3 is not here: the licences are not written");
        return;
    };
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    let written = String::from_utf8(ran.stdout).unwrap();
    let (list, texts) = written.split_once("-----").unwrap();
    let has = |name: &str| list.contains(&format!("\n{name} v"));
    for name in ["num-bigint", "rand_chacha", "clap", "serde_json"] {
        assert!(has(name), "{name}");
        assert!(texts.contains(&format!("{name} v")), "{name}");
    }
    for name in ["gmp-mpfr-sys", "rug", "proptest", "trycmd", "dp-assay"] {
        assert!(!has(name), "{name}");
    }
    for words in ["Permission is hereby granted", "Apache License"] {
        assert!(texts.contains(words), "{words}");
    }
}

/// There is no package of this name in any registry.
#[test]
fn no_page_installs_the_wheel_from_a_registry() {
    let mut pages = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned()];
    for folder in [
        "docs",
        "spec",
        "audit",
        "examples",
        "benches",
        "experiments",
    ] {
        files(folder, &mut pages);
    }
    for page in pages.iter().filter(|page| page.ends_with(".md")) {
        for line in read(page).lines() {
            let mut words = line
                .split([' ', '`'])
                .skip_while(|word| *word != "pip")
                .skip(1)
                .skip_while(|word| *word != "install");
            let is_named = words.any(|word| word.replace('_', "-").starts_with("dp-assay"));
            assert!(!is_named, "{page}: {line}");
        }
    }
    let page = read("audit/python/README.md");
    for said in ["make wheel", "pip wheel ", "DP_ASSAY_COMMAND"] {
        assert!(page.contains(said), "{said}");
    }
}
