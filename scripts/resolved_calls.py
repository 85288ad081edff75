"""What the compiler resolves in the functions that are translated: the calls of rustc's MIR, as `rustc --emit=mir` prints it.

    scripts/resolved_calls.py MIR SOURCE    prints, for each function of SOURCE (proof/source/Source.v), what it calls in MIR

Names and types are rustc's, so that another `Zero`, `Add` or `clone` than the one of num-bigint is another line. Fails where the
translator has a function of the reference called that rustc does not, or rustc one that the translator does not.
"""

import re
import sys
from pathlib import Path

HEAD = re.compile(r"^fn (.*?)\((.*)\) -> (.*) \{$", re.MULTILINE)
CALL = re.compile(r"^ +\S+ = ((?:<|[A-Za-z_]).*?)\((?:[^()]|\([^()]*\))*\) -> (?:\[return|unwind)", re.MULTILINE)
# What `?`, loops and the borrow checker call: in every function, and nothing to resolve.
PLUMBING = re.compile(r"as (Try|FromResidual<.*>)>::(branch|from_residual)$|as Deref>::deref$|as Into<.*>>::into$|IntoIterator>::into_iter$")
OWN = re.compile(r"^\(\*\* (crate::\S+) \*\)\n(Definition|Fixpoint|Variable) (\w+)(.*?)(?=^\(\*\*|^Variable |\Z)", re.MULTILINE | re.DOTALL)


def main(mir, source):
    manifest = Path(source).with_name("manifest.txt").read_text()
    given = set(re.findall(r"^given (\S+)", manifest, re.MULTILINE))
    functions = [Function(*found.groups()) for found in OWN.finditer(Path(source).read_text())]
    names = {function.name for function in functions if not function.is_type} | {"coins_bits"}
    bodies = with_closures(Path(mir).read_text())
    wrong = []
    for function in functions:
        if function.kind == "Variable":
            continue
        found = [body for head, body in bodies if function.is_of(head)]
        if len(found) != 1:
            wrong.append(f"{function.path}: {len(found)} functions of MIR are taken for it")
        calls = {re.sub(r"\{closure@[^}]*\}", "{closure}", call) for body in found for call in CALL.findall(body)}
        calls = sorted(call for call in calls if not PLUMBING.search(call))
        print(function.path, *calls, sep="\n    ")
        resolved = {in_coq(call, functions) for call in calls} - {None, function.name}
        translated = function.calls(names) - {function.name}
        if missing := translated - resolved:
            wrong.append(f"{function.path}: rustc does not call {', '.join(sorted(missing))}")
        # What is given may call more.
        if function.path not in given and (missing := resolved - translated):
            wrong.append(f"{function.path}: the translation does not call {', '.join(sorted(missing))}")
    return wrong


def with_closures(mir):
    """The head of each function that is no closure, and its body with its closures."""
    heads = [head for head in HEAD.finditer(mir) if "{closure#" not in head[1]]
    ends = [head.start() for head in heads[1:]] + [len(mir)]
    return [(head, mir[head.end() : end]) for head, end in zip(heads, ends)]


class Function:
    """A function of Source.v."""

    def __init__(self, path, kind, name, body):
        self.path, self.kind, self.name, self.body = path, kind, name.removesuffix("_deep"), body.replace("_deep", "")
        *self.modules, self.short = path.removeprefix("crate::").split("::")
        self.owner = self.modules.pop() if self.modules[-1][0].isupper() else None
        self.is_type = body.rstrip().endswith("Type.")

    def calls(self, names):
        """The functions of the reference that its translation calls. The sampler of a law that is a parameter goes with the law."""
        body = re.sub(r"\((\w+_sample) \(\w+\)\)", r"\1", self.body)
        own = {f"{law}_{method}" for law, method in re.findall(r"\b([A-Z])_(sample|draw_vector)\b", body)}
        return own | {name for name in re.findall(r"\w+", body) if name in names}

    def is_of(self, head):
        """Whether this is its head in MIR."""
        name, parameters, result = head.groups()
        if self.owner is None:
            return "<impl" not in name and f"::{'::'.join([*self.modules, self.short])}".endswith(f"::{name}")
        if name == f"Noise::{self.short}":
            return True
        # An impl is where it likes: what tells is the type, of what the method is called on or of what it makes.
        is_its = re.match(rf"_1: &{self.owner}\b", parameters) or re.match(rf"(Result<)?{self.owner}\b", result)
        return bool(is_its and re.fullmatch(rf".*<impl at [^>]*>::{self.short}", name))


def in_coq(call, functions):
    """The name in Coq of what is called, if it is of the reference."""
    if found := re.fullmatch(r"<.* as Coins>::draw::<(?:&)?(\w+)(?:<(\w+)>)?>", call):
        return f"{found[1]}_sample"
    if found := re.fullmatch(r"<.* as Coins>::(\w+)", call):
        return "coins_bits" if found[1] == "bits" else f"layers_{found[1]}"
    if found := re.fullmatch(r"<&?(\w+)(?:<.*>)? as (?:Law|Noise)>::(\w+)(?:::<.*>)?", call):
        return f"{found[1]}_{found[2]}"
    path = re.sub(r"(::)?<.*?>+(?=::|$)", "", call)
    named = [function.name for function in functions if function.path.endswith(f"::{path}")]
    return named[0] if len(named) == 1 else None


if __name__ == "__main__":
    wrong = main(*sys.argv[1:])
    print("\n".join(wrong), file=sys.stderr)
    sys.exit(bool(wrong))
