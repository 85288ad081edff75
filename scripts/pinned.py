"""Where a text stands that is pinned to an item: to a function or a constant by its name, in whatever file of a package that is.

    find(sources, item, text)    sources: {file: its text}, of one package
"""

import re

# As rustfmt writes them: an item ends where a line closes it at the same indentation, or on its first line.
HEAD = re.compile(r"^( *)(?:pub(?:\([^)\n]*\))? )?(?:(?:const |async )*fn|const|static) (\w+)", re.MULTILINE)


def items(text):
    """The name, start and end of each function and constant."""
    for head in HEAD.finditer(text):
        indent, name = head.groups()
        end = re.compile(rf"^{indent}[^\s].*[;}}]$|^{indent}}}[;,]?$", re.MULTILINE).search(text, head.start())
        yield name, head.start(), end.end() if end else len(text)


def find(sources, item, text):
    """The (file, place) of each time that `text` stands in an item of that name, `FILE.name` where the name alone is not enough."""
    stem, _, name = item.rpartition(".")
    found = set()
    for file, source in sources.items():
        if stem and not file.endswith(f"/{stem}.rs"):
            continue
        spans = [(start, end) for of, start, end in items(source) if of == name] if name else [(0, len(source))]
        for start, end in spans:
            at = source.find(text, start, end)
            while 0 <= at and at + len(text) <= end:
                found.add((file, at))
                at = source.find(text, at + 1, end)
    return sorted(found)
