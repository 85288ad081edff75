"""Changes the text of reference/src, one change at a time, and says what the translator and Coq make of it.

    scripts/prove errors        the errors of proof/source/plants.txt: each must be refused
    scripts/prove rewritings    the rewritings of proof/source/rewritings.txt, which change nothing: each must do as it says there
    scripts/prove translator    instead changes of proof/source/src, the errors of translator.txt: with what the translator then makes of
                                the source and the snippets a proof must fail, a tape must differ, or a test

A line of these files is `file | what is there, once | what is put there | what it is`, and of a rewriting one field more, before the
last: `holds`, or a word of the translator's refusal. White space in the texts stands for any. Each change must build.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "proof" / "source"
CARGO = os.environ.get("CARGO", "cargo")
# The files of proof/source that rest on the translation, each after those that it needs.
RESTING = ["Source", "SamplersFuel", "SamplersEqual", "PartsEqual", "CauchyEqual", "ReadsOnce", "SamplersLaw", "GibbsPrivate", "NoiseEqual"]


def main(kind, work, translator):
    file = {"errors": "plants.txt"}.get(kind, f"{kind}.txt")
    changes = list(lines(SOURCE / file, 5 if kind == "rewritings" else 4))
    trials = Trials(Path(work), translator)
    find = trials.found_of_translator if kind == "translator" else trials.found
    wrong = 0
    # One tree of the translator is built again and again; of the source each change has its own.
    with ThreadPoolExecutor(1 if kind == "translator" else os.cpu_count()) as workers:
        for change, (verdict, said) in zip(changes, workers.map(find, range(len(changes)), changes)):
            right = is_as_expected(kind, change, verdict, said)
            wrong += not right
            print(f"  {verdict if right else 'NOT SO: ' + verdict:<12}{change[-1]}{': ' * bool(said)}{said}", flush=True)
    print(f"{file}: {len(changes)} changes, {wrong} not as they should be")
    wrong += kind == "errors" and not is_counted(trials.honest, changes)
    return wrong == 0


def is_counted(texts, changes):
    """Whether spec/source.md and probes.json say of each function how many errors are planted in it."""
    planted = [function_around(file, texts[ROOT / "reference/src" / file], old) for file, old, *_ in changes]
    page, wrong = (ROOT / "spec/source.md").read_text(), []
    for row in json.loads((SOURCE / "probes.json").read_text())["functions"]:
        path = row["function"].removeprefix("crate::")
        *modules, name = path.split("::")
        owner = modules.pop() if modules[-1][0].isupper() else ""
        # What a trait or a macro gives a type stands there.
        count = planted.count(("/".join(modules) + ".rs", owner, name))
        count += bool(owner) and sum(planted.count(("sample/noise.rs", given, name)) for given in ("Noise", "$law"))
        if row["errors_refused"] != count or f"| {count or ''} |\n" not in (re.findall(rf"^\| `{path}` .*\n", page, re.MULTILINE) or [""])[0]:
            wrong.append(f"{path}: {count}")
    if wrong:
        print("  NOT SO: of errors planted in functions spec/source.md and probes.json have other numbers than:", *wrong, sep="\n    ")
    return not wrong


def function_around(file, text, old):
    """The file, type and name of the function in which a text stands."""
    before = text[: pattern(old).search(text).start()]
    indent, name = re.findall(r"^( *)(?:pub(?:\(crate\))? )?fn (\w+)", before, re.MULTILINE)[-1]
    owners = re.findall(r"^ *(?:impl\b.* ([$\w]+)(?:<\w+>)? \{|pub trait (\w+).*)$", before, re.MULTILINE)
    return file, "".join(owners[-1]) if indent else "", name


def pattern(text):
    return re.compile(r"\s+".join(re.escape(word) for word in text.split()))


def is_as_expected(kind, change, verdict, said):
    if kind != "rewritings":
        return verdict in ("translator", "Coq", "a test")
    return verdict == "holds" if change[3] == "holds" else verdict == "translator" and change[3] in said


def lines(file, fields):
    """The changes of a file."""
    for line in file.read_text().splitlines():
        if line and not line.startswith("#"):
            parts = [part.strip() for part in line.split(" | ")]
            if len(parts) != fields:
                sys.exit(f"{file}: not {fields} fields: {line}")
            yield parts


class Trials:
    """Folders in which one change at a time is tried."""

    def __init__(self, work, translator):
        self.work, self.translator, self.theory = work / "changes", translator, work / "theory"
        for old in self.work.glob("*"):
            if old.name != "target":
                shutil.rmtree(old)
        self.honest = {path: path.read_text() for path in (ROOT / "reference/src").rglob("*.rs")}
        self.building = Lock()
        # A package of its own, so that one folder of builds serves all changes.
        package = (ROOT / "reference/Cargo.toml").read_text().replace("[lints]\nworkspace = true", "[workspace]")
        package = re.sub(r"^(?!edition)\S+\.workspace = true\n", "", package, flags=re.MULTILINE)
        package = package.replace("edition.workspace = true", 'edition = "2024"').replace('readme = "README.md"', "")
        self.package = package.replace('description', 'version = "0.0.0"\ndescription', 1)

    def found(self, number, change):
        """What is found of a change: `translator`, `Coq` or `holds`, or what should not be; and what they said."""
        file, old, new = change[:3]
        folder = self.work / str(number)
        for path, text in self.honest.items():
            copy = folder / path.relative_to(ROOT / "reference")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text)
        said = put(folder / "src" / file, old, new)
        if said:
            return "no such text", said
        said = self.builds(folder)
        if said:
            return "no program", said
        translated = run([self.translator, SOURCE / "manifest.txt", folder / "src"])
        if translated.returncode:
            return "translator", translated.stderr.splitlines()[0].removeprefix("not translated: ")
        if translated.stdout == (SOURCE / "Source.v").read_text():
            return ("holds", "the translation is the same") if len(change) == 5 else ("no change", "")
        return self.judged(folder / "theory", translated.stdout)

    def found_of_translator(self, number, change):
        """What is found of an error in the translator."""
        file, old, new, _ = change
        source, snippets = self.work / "tree/proof/source", self.work.parent / "snippets"
        shutil.rmtree(source, ignore_errors=True)
        for part in ("src", "tests", "snippets"):
            shutil.copytree(SOURCE / part, source / part, copy_function=shutil.copyfile)  # with new times: cargo goes by these
        for part in ("Cargo.toml", "Cargo.lock", "Rust.v"):
            shutil.copyfile(SOURCE / part, source / part)
        if not (self.work / "tree/reference").exists():
            (self.work / "tree/reference").symlink_to(ROOT / "reference")
        said = put(source / "src" / file, old, new)
        if said:
            return "no such text", said
        cargo = ["--locked", "--manifest-path", source / "Cargo.toml", "--target-dir", self.work / "target"]
        if run([CARGO, "build", *cargo]).returncode:
            return "no program", ""
        made = self.work / "target/debug/source-to-coq"
        for manifest, texts in ((SOURCE / "manifest.txt", ROOT / "reference/src"), (SOURCE / "snippets/manifest.txt", snippets / "src")):
            translated = run([made, manifest, texts])
            if translated.returncode:
                return "translator", translated.stderr.splitlines()[0].removeprefix("not translated: ")
            of_source = texts.parent.name == "reference"
            if translated.stdout != ((SOURCE / "Source.v") if of_source else (snippets / "Snippets.v")).read_text():
                judge = self.judged if of_source else self.agrees
                verdict, said = judge(self.work / str(number) / ("source" if of_source else "snippets"), translated.stdout)
                if verdict == "Coq":
                    return verdict, said
        failed = re.search(r"^test (\w+) \.\.\. FAILED", run([CARGO, "test", *cargo]).stdout, re.MULTILINE)
        return ("a test", failed[1]) if failed else ("missed", "")

    def agrees(self, folder, translation):
        """What Coq says of another translation of the snippets, on the tapes that rustc's have run on."""
        folder.mkdir(parents=True)
        (folder / "Snippets.v").write_text(translation)
        shutil.copy(self.work.parent / "snippets/SnippetsAgree.v", folder)
        for name in ("Snippets", "SnippetsAgree"):
            tried = run(["coqc", "-R", self.theory, "DpAssay", "-Q", folder, "Snippet", folder / f"{name}.v"], cwd=folder)
            if tried.returncode:
                return "Coq", f"{name}.v, {theorem(folder / f'{name}.v', tried.stderr)}"
        return "holds", ""

    def builds(self, folder):
        """What rustc says against it."""
        (folder / "Cargo.toml").write_text(self.package)
        shutil.copy(SOURCE / "snippets/Cargo.lock", folder)
        with self.building:
            tried = run([CARGO, "check", "--quiet", "--manifest-path", folder / "Cargo.toml", "--target-dir", self.work / "target"])
        errors = [line for line in tried.stderr.splitlines() if line.startswith("error")]
        return errors[0] if errors else "" if tried.returncode == 0 else "it does not build"

    def judged(self, theory, translation):
        """What Coq says of another translation: all else is as it was compiled."""
        (theory / "source").mkdir(parents=True)
        for folder in self.theory.iterdir():
            if folder.is_dir() and folder.name != "source":
                (theory / folder.name).symlink_to(folder)
        for name in ("Rust", "Same"):
            (theory / f"source/{name}.vo").symlink_to(self.theory / f"source/{name}.vo")
        for name in RESTING:
            file = theory / f"source/{name}.v"
            file.write_text(translation if name == "Source" else (SOURCE / f"{name}.v").read_text())
            tried = run(["coqc", "-R", theory, "DpAssay", file], cwd=theory)
            if tried.returncode:
                return "Coq", f"{name}.v, {theorem(file, tried.stderr)}"
        return "holds", "with the new translation"


def put(file, old, new):
    """Puts a text where another is, once; says if it is not."""
    text, count = pattern(old).subn(lambda _: new, file.read_text())
    if count != 1:
        return f"{count} times in {file.name}"
    file.write_text(text)
    return ""


def theorem(file, said):
    """The theorem in which Coq stopped."""
    line = re.search(r"line (\d+)", said)
    before = "\n".join(file.read_text().splitlines()[: int(line[1]) if line else 0])
    return (re.findall(r"^(?:Theorem|Lemma|Corollary|Definition|Fixpoint) (\w+)", before, re.MULTILINE) or ["?"])[-1]


def run(command, **where):
    return subprocess.run(command, capture_output=True, text=True, **where)


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
