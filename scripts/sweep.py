"""A mechanical sweep: two neighbouring arguments of a call are exchanged; one side of `+`, `-` or `*` is dropped.

What does not compile is dropped by who asks. So types need not be known, and what is left is cloned: it may be borrowed.
"""

import re

import pinned
from switched import code, outermost_functions

KINDS = ("exchange ", "drop ")  # as the names of changes begin
KEYWORDS = set("as break const dyn else fn for if impl in let loop match move mut ref return unsafe where while".split())


def changes(text):
    """(start, end, new text, what it is) of each change in a file, but for its tests."""
    text = text.split("#[cfg(test)]\nmod tests {")[0]
    bodies, functions = outermost_functions(text), list(pinned.items(text))
    for start, end, new, what in sorted({*Tokens(text).exchanged(), *Tokens(text).dropped()}):
        if any(body.start < start and end < body.end for body in bodies):
            names = [name for name, begin, stop in functions if begin <= start < stop]
            yield start, end, new, f"{what} in {names[-1] if names else '?'}"


class Tokens:
    def __init__(self, text):
        self.text = text
        tokens = list(code(text)) + [(";", len(text))]
        self.words, self.starts = zip(*tokens)
        self.ends = [start + len(word) for word, start in tokens]
        self.partner, opened = {}, []
        for at, word in enumerate(self.words):
            of_types = word == "<" and self.words[at - 1] == ":" or word == ">" and opened and self.words[opened[-1]] == "<"
            if word in "([{" or word == "<" and of_types:
                opened.append(at)
            elif word in ")]}" and opened or of_types:
                self.partner[at] = opened.pop()
                self.partner[self.partner[at]] = at

    def name(self, at):
        """Whether it is a name or a number."""
        return re.match(r"\w", self.words[at]) is not None and self.words[at] not in KEYWORDS

    def ends_operand(self, at):
        return self.name(at) or self.words[at] in ")]?" or self.words[at] == ">" and at in self.partner

    def exchanged(self):
        for at, word in enumerate(self.words):
            called = word == "(" and self.ends_operand(at - 1) and self.words[at - 2] != "fn"
            if not called or at not in self.partner:
                continue
            cuts, inner = [at], at + 1
            while inner < self.partner[at]:
                cuts += [inner] if self.words[inner] == "," else []
                inner = self.partner[inner] if self.words[inner] in "([{" else inner + 1
            places = [(self.ends[a], self.starts[b]) for a, b in zip(cuts, [*cuts[1:], self.partner[at]])]
            for first, second in zip(places, places[1:]):
                one, two = (self.text[slice(*place)].strip() for place in (first, second))
                # Half of a type, or of what a closure is given.
                halves = any(argument.count("<") != argument.count(">") or "|" in argument for argument in (one, two))
                if one and two and one != two and not halves and not re.search('"|//', one + two):
                    yield first[0], second[1], f"{two}, {one}", f"exchange {' '.join(f'{one}, {two}'.split())}"

    def dropped(self):
        for at, sign in enumerate(self.words):
            if sign not in ("+", "-", "*") or self.words[at + 1] in ("=", ">") or not self.ends_operand(at - 1):
                continue
            tighter = "" if sign == "*" else "*/%"
            left, right = self.before(at - 1, tighter), self.after(at + 1, tighter)
            if None in (left, right):
                continue
            one, two = self.text[self.starts[left] : self.ends[at - 1]], self.text[self.starts[at + 1] : self.ends[right - 1]]
            shown = [" ".join(side.split()) for side in (one, two)]
            if self.words[left - 1] in ("*/%" if sign == "*" else "+-"):  # of a longer chain
                yield self.starts[at], self.ends[right - 1], "", f"drop {sign} {shown[1]}"
                continue
            for kept, what in ((one, f"drop {sign} {shown[1]}"), (two, f"drop {shown[0]} {sign}")):
                kept = kept if re.match(r"\d", kept) else f"({kept}).clone()"
                yield self.starts[left], self.ends[right - 1], kept, what

    def after(self, at, tighter):
        """Where the operand ends that begins here, of factors that bind tighter."""
        while self.words[at] in ("&", "-", "*", "!", "mut"):
            at += 1
        if not (self.name(at) or self.words[at] in "(["):
            return None
        at = self.partner.get(at, at) + 1
        while True:
            word, two = self.words[at], self.words[at : at + 2]
            if word in "([?":
                at = self.partner.get(at, at) + 1
            elif word == "as" or word == "." and self.name(at + 1):
                at += 2
            elif two == (":", ":"):
                at = self.partner.get(at + 2, at + 2) + 1
            elif tighter and word in tighter and two[1] != "=":
                return self.after(at + 1, tighter)
            else:
                return at

    def before(self, at, tighter):
        """Where the operand begins that ends here."""
        while True:
            behind = self.words[at - 1]
            if self.words[at] in ")]?>":
                at = self.partner.get(at, at)
                if not (self.ends_operand(at - 1) or self.words[at] == "<"):
                    break
                at -= 3 if self.words[at] == "<" else 1
            elif not self.name(at):
                return None
            elif behind == "as" or behind == "." and self.words[at - 2] != ".":
                at -= 2
            elif (self.words[at - 2], behind) == (":", ":"):
                at -= 3
            else:
                break
        while self.words[at - 1] in ("&", "-", "*", "!") and not self.ends_operand(at - 2) and self.words[at - 2] != "&":
            at -= 1
        return self.before(at - 2, tighter) if tighter and self.words[at - 1] in tighter else at
