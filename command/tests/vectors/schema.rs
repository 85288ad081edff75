//! A small validator of JSON Schema: the keywords that `spec/schemas` uses, and no others.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The schemas by the names of their files.
pub struct Schemas(BTreeMap<String, Value>);

impl Schemas {
    /// Those of a folder.
    pub fn read(folder: &Path) -> Self {
        let files = fs::read_dir(folder).unwrap();
        Self(
            files
                .map(|file| {
                    let path = file.unwrap().path();
                    let text = fs::read_to_string(&path).unwrap();
                    let name = path.file_name().unwrap().to_string_lossy().into_owned();
                    (name, serde_json::from_str(&text).unwrap())
                })
                .collect(),
        )
    }

    /// What is wrong with a value by the schema of this name.
    pub fn check(&self, name: &str, value: &Value) -> Result<(), String> {
        let file = format!("{name}.json");
        let schema = self.0.get(&file).ok_or(format!("no schema {file}"))?;
        self.holds(&file, schema, value, name)
    }

    fn holds(&self, file: &str, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let schema = schema.as_object().ok_or("a schema is an object")?;
        for (keyword, says) in schema {
            self.keyword(file, schema, keyword, says, value, at)?;
        }
        Ok(())
    }

    fn keyword(
        &self,
        file: &str,
        schema: &serde_json::Map<String, Value>,
        keyword: &str,
        says: &Value,
        value: &Value,
        at: &str,
    ) -> Result<(), String> {
        let fails = |what: &str| Err(format!("{at}: {what} {says}, got {value}"));
        let list = says.as_array();
        let text = says.as_str().unwrap_or_default();
        match keyword {
            "$schema" | "$id" | "$defs" | "title" | "description" => {}
            "$ref" => {
                let (of, name) = text.split_once("#/$defs/").ok_or("an unknown reference")?;
                let of = if of.is_empty() { file } else { of };
                let definition = self.0.get(of).and_then(|schema| schema["$defs"].get(name));
                let definition = definition.ok_or(format!("{text} is not there"))?;
                self.holds(of, definition, value, at)?;
            }
            "type" => {
                let is = match text {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "integer" => value.is_u64(),
                    _ => return Err(format!("the type {text} is not known")),
                };
                if !is {
                    return fails("must be of type");
                }
            }
            "const" if value != says => return fails("must be"),
            "enum" if !list.is_some_and(|list| list.contains(value)) => {
                return fails("must be one of");
            }
            "minimum" if value.as_u64() < says.as_u64() => return fails("must be at least"),
            "maximum" if value.as_u64() > says.as_u64() => return fails("must be at most"),
            "const" | "enum" | "minimum" | "maximum" => {}
            "pattern" => {
                let given = value.as_str().unwrap_or_default();
                if !matches(text, given) {
                    return fails("must match");
                }
            }
            "minItems" => {
                let length = value.as_array().map_or(0, Vec::len) as u64;
                if Some(length) < says.as_u64() {
                    return fails("must have so many entries:");
                }
            }
            "items" => {
                for (place, entry) in value.as_array().into_iter().flatten().enumerate() {
                    self.holds(file, says, entry, &format!("{at}[{place}]"))?;
                }
            }
            "required" => {
                for name in list.into_iter().flatten().filter_map(Value::as_str) {
                    if value.get(name).is_none() {
                        return Err(format!("{at}: {name} is missing"));
                    }
                }
            }
            "properties" => {
                for (name, schema) in says.as_object().into_iter().flatten() {
                    if let Some(entry) = value.get(name) {
                        self.holds(file, schema, entry, &format!("{at}.{name}"))?;
                    }
                }
            }
            "additionalProperties" => {
                for (name, entry) in value.as_object().into_iter().flatten() {
                    let known = schema.get("properties").and_then(|all| all.get(name));
                    match says {
                        _ if known.is_some() => {}
                        Value::Bool(false) => return Err(format!("{at}: {name} is not known")),
                        _ => self.holds(file, says, entry, &format!("{at}.{name}"))?,
                    }
                }
            }
            "anyOf" => {
                let tried = list
                    .into_iter()
                    .flatten()
                    .map(|schema| self.holds(file, schema, value, at));
                let errors: Vec<String> = tried.clone().filter_map(Result::err).collect();
                if errors.len() == tried.count() {
                    return Err(format!("{at}: none of these: {}", errors.join("; ")));
                }
            }
            _ => return Err(format!("the keyword {keyword} is not known")),
        }
        Ok(())
    }
}

/// Whether the whole text matches an anchored pattern of letters, classes, groups with alternatives, `?`, `*` and `+`.
pub fn matches(pattern: &str, text: &str) -> bool {
    let inner = pattern
        .strip_prefix('^')
        .and_then(|rest| rest.strip_suffix('$'))
        .expect("a pattern that is anchored");
    let letters: Vec<char> = inner.chars().collect();
    let mut rest = &letters[..];
    let alternatives = alternatives(&mut rest);
    assert!(rest.is_empty(), "{pattern}: not read to its end");
    let text: Vec<char> = text.chars().collect();
    any(&alternatives, &text, &mut |rest| rest.is_empty())
}

enum Piece {
    Class(Vec<(char, char)>),
    Group(Vec<Vec<Repeated>>),
}

struct Repeated {
    piece: Piece,
    least: usize,
    most: usize,
}

fn alternatives(pattern: &mut &[char]) -> Vec<Vec<Repeated>> {
    let mut all = vec![Vec::new()];
    while let Some((&first, rest)) = pattern.split_first() {
        if first == ')' {
            break;
        }
        *pattern = rest;
        let piece = match first {
            '|' => {
                all.push(Vec::new());
                continue;
            }
            '(' => {
                let inside = alternatives(pattern);
                *pattern = &pattern[1..];
                Piece::Group(inside)
            }
            '[' => {
                let end = pattern
                    .iter()
                    .position(|&c| c == ']')
                    .expect("a class that ends");
                let class = class(&pattern[..end]);
                *pattern = &pattern[end + 1..];
                Piece::Class(class)
            }
            '\\' => {
                let letter = pattern[0];
                *pattern = &pattern[1..];
                Piece::Class(vec![(letter, letter)])
            }
            letter => Piece::Class(vec![(letter, letter)]),
        };
        let (least, most) = match pattern.first() {
            Some('?') => (0, 1),
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            _ => (1, 1),
        };
        if (least, most) != (1, 1) {
            *pattern = &pattern[1..];
        }
        let repeated = Repeated { piece, least, most };
        all.last_mut().expect("there is one").push(repeated);
    }
    all
}

fn class(letters: &[char]) -> Vec<(char, char)> {
    let mut ranges = Vec::new();
    let mut place = 0;
    while place < letters.len() {
        let last = match letters.get(place + 1..place + 3) {
            Some(['-', last]) => *last,
            _ => letters[place],
        };
        ranges.push((letters[place], last));
        place += if last == letters[place] { 1 } else { 3 };
    }
    ranges
}

type Then<'a> = &'a mut dyn FnMut(&[char]) -> bool;

fn any(alternatives: &[Vec<Repeated>], text: &[char], then: Then) -> bool {
    alternatives
        .iter()
        .any(|pieces| sequence(pieces, text, then))
}

fn sequence(pieces: &[Repeated], text: &[char], then: Then) -> bool {
    match pieces.split_first() {
        None => then(text),
        Some((first, others)) => repeat(first, 0, text, &mut |rest| sequence(others, rest, then)),
    }
}

/// As often as possible first.
fn repeat(repeated: &Repeated, times: usize, text: &[char], then: Then) -> bool {
    let again = times < repeated.most
        && once(&repeated.piece, text, &mut |rest| {
            rest.len() < text.len() && repeat(repeated, times + 1, rest, then)
        });
    again || (times >= repeated.least && then(text))
}

fn once(piece: &Piece, text: &[char], then: Then) -> bool {
    match piece {
        Piece::Group(inside) => any(inside, text, then),
        Piece::Class(ranges) => text.split_first().is_some_and(|(letter, rest)| {
            ranges
                .iter()
                .any(|(least, last)| (least..=last).contains(&letter))
                && then(rest)
        }),
    }
}

#[test]
fn patterns_match_whole_texts() {
    for (pattern, yes, no) in [
        ("^(0|-?[1-9][0-9]*)$", "0 -7 120", "00 -0 7a +1 1/2 "),
        (
            "^-?(0|[1-9][0-9]*)(\\.[0-9]+)?(e-?[1-9][0-9]*)?$",
            "0 -1.50 2e-7",
            ". 1. e5 1e0 0x1",
        ),
        ("^[a-z0-9=/,.^-]+$", "a-b=1/2,c^3", "A a_b"),
        ("^([0-9a-f][0-9a-f])*$", "00ff", "0 fg 00F"),
        ("^a(b|cd)+$", "ab acdb", "a acb ac"),
    ] {
        for text in yes.split(' ') {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for text in no.split(' ') {
            assert!(
                !matches(pattern, text) || text.is_empty(),
                "{pattern} {text}"
            );
        }
    }
    assert!(!matches("^(0|-?[1-9][0-9]*)$", "") && matches("^([0-9a-f][0-9a-f])*$", ""));
}
