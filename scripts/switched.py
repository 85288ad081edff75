"""Many changes in one build, each behind a switch.

Beside the honest body of a function stand its changed copies, and the environment variable SWITCH says which of
them runs:

    fn f(x: u32) -> u32 { if crate::switched::on(3) { x - 1 } else if crate::switched::on(4) { x * 1 } else { x + 1 } }

A change whose copy does not compile would not compile in place of the body either: a copy has the same
arguments, types and names in sight. Only a `const fn`, and one that returns `impl Trait`, cannot have several
bodies; a change in such a function, or in none, is left to a build of its own.
"""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

MODULE = '''
mod switched {
    use std::io::Write;
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    static ON: LazyLock<Option<usize>> = LazyLock::new(|| std::env::var("SWITCH").ok()?.parse().ok());
    static REACHED: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("REACHED").ok());
    static SEEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
    pub(crate) fn on(number: usize) -> bool {
        if let Some(path) = REACHED.as_ref()
            && !SEEN[number].swap(true, Relaxed)
        {
            let mut file = std::fs::File::options().append(true).create(true).open(path).unwrap();
            file.write_all(format!("{number}\\n").as_bytes()).unwrap();
        }
        *ON == Some(number)
    }
}
'''


@dataclass(frozen=True)
class Change:
    """In `file`, the characters from `start` to `end` become `new`."""

    file: str
    start: int
    end: int
    new: str


def in_place(copy, change):
    """Makes one change, without a switch."""
    text = (copy.tree / change.file).read_text()
    (copy.tree / change.file).write_text(text[: change.start] + change.new + text[change.end :])


def build(copy, changes, tests):
    """Builds the copy with all changes that can stand behind a switch, and the tests that cargo is told.

    Returns the programs, {number: error} of those that do not compile, and the numbers left to a build of their own.
    """
    files = {change.file for change in changes} | {copy.crate}
    honest = {file: (copy.tree / file).read_text() for file in files}
    bodies = {file: outermost_functions(text) for file, text in honest.items()}
    functions, alone = {}, set()
    for number, change in enumerate(changes):
        around = [body for body in bodies[change.file] if body.start < change.start and change.end < body.end]
        if around and around[0].can_have_several:
            functions.setdefault((change.file, around[0]), []).append(number)
        else:
            alone.add(number)
    broken = {}
    while True:
        places = {}  # of each file: (first line, last line, the numbers to blame)
        for file, text in honest.items():
            written = write(file, text, functions, changes, broken, places)
            module = MODULE.replace("COUNT", str(len(changes))) if file == copy.crate else ""
            (copy.tree / file).write_text(written + module)
        programs, errors = copy.build(tests)
        if programs:
            break
        blamed = {}
        for error in errors:
            for number in blame(error, places):
                blamed.setdefault(number, error["message"])
        if not blamed:
            raise SystemExit(f"this does not compile, and no change is to blame: {errors[0]['rendered']}")
        broken |= blamed
    # The next build writes others.
    kept = {}
    for name, program in programs.items():
        kept[name] = str(copy.home / f"switched-{name}")
        # Of an earlier run it may still be running.
        Path(kept[name]).unlink(missing_ok=True)
        shutil.copy2(program, kept[name])
    copy.restore(files)
    return kept, broken, alone


def write(file, text, functions, changes, broken, places):
    """The file with the changed copies of its functions, and where each stands."""
    out, at = "", 0
    found = sorted((body.start, body.end, numbers) for (of, body), numbers in functions.items() if of == file)
    for start, end, numbers in found:
        out += text[at:start] + "{ "
        first = out.count("\n") + 1
        for number in numbers:
            if number in broken:
                continue
            change = changes[number]
            begin = out.count("\n") + 1
            out += f"if crate::switched::on({number}) "
            out += text[start : change.start] + change.new + text[change.end : end] + "\n"
            places.setdefault(file, []).append((begin, out.count("\n"), [number]))
            out += "else "
        out += text[start:end] + "}"
        at = end
        left = [number for number in numbers if number not in broken]
        # An error elsewhere in the function is any one's.
        places.setdefault(file, []).append((first, out.count("\n") + 1, left))
    return out + text[at:]


def blame(error, places):
    spans = []
    for span in error["spans"]:
        while span.get("expansion"):
            span = span["expansion"]["span"]
        spans.append(span)
    spans.sort(key=lambda span: not span["is_primary"])
    for span in spans:
        inside = [place for place in places.get(span["file_name"], []) if place[0] <= span["line_start"] and span["line_end"] <= place[1]]
        if inside:
            return min(inside, key=lambda place: place[1] - place[0])[2]
    return []


@dataclass(frozen=True, order=True)
class Body:
    """Of a function: where its braces stand."""

    start: int
    end: int
    can_have_several: bool


TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*)|(?P<comment>/\*)|(?P<raw>b?r(?P<hashes>\#*)")|(?P<string>b?"(?:\\.|[^"\\])*")"""
    r"""|(?P<char>b?'(?:\\(?:x..|u\{[^}]*\}|.)|[^'\\])')|(?P<word>'?\w+)|(?P<other>.)""",
    re.DOTALL,
)


def outermost_functions(text):
    """The functions that stand in no other function, in order."""
    tokens = list(code(text))
    bodies, at = [], 0
    while at < len(tokens):
        if tokens[at][0] != "fn" or not re.match(r"\w", tokens[at + 1][0]):  # not the type fn(…)
            at += 1
            continue
        constant = any(word == "const" for word, _ in tokens[max(0, at - 1) : at])
        depth, returns, hidden = 0, False, False
        while depth or tokens[at][0] not in ("{", ";"):
            word = tokens[at][0]
            depth += (word in "([") - (word in ")]")
            returns |= word == ">" and tokens[at - 1][0] == "-" and not depth
            hidden |= returns and word == "impl"
            at += 1
        if tokens[at][0] == ";":
            continue
        start = tokens[at][1]
        depth = 0
        while True:
            depth += (tokens[at][0] == "{") - (tokens[at][0] == "}")
            if not depth:
                break
            at += 1
        bodies.append(Body(start, tokens[at][1] + 1, not constant and not hidden))
    return bodies


def code(text):
    """Words and signs, with their places: no comments, no strings."""
    at = 0
    while at < len(text):
        token = TOKEN.match(text, at)
        if token["comment"]:
            depth, at = 1, at + 2
            while depth:
                sign = re.compile(r"/\*|\*/").search(text, at)
                depth += 1 if sign.group() == "/*" else -1
                at = sign.end()
            continue
        if token["raw"]:
            at = text.index('"' + token["hashes"], token.end()) + 1 + len(token["hashes"])
            continue
        at = token.end()
        if token["word"] or token["other"]:
            yield token.group(), token.start()
