//! What is written: types before the functions that need them, functions before those that call them.

use crate::Refused;
use crate::body::Body;
use crate::declarations::{Callable, Function, segments};
use crate::names::{TRAITS, World, parsed};
use crate::types::{Ty, last, split};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use syn::{Fields, ImplItem, Item};

/// What has been translated so far.
pub struct Translator<'w> {
    /// The files.
    pub world: &'w World,
    callable: HashMap<String, Callable>,
    /// What has a name in Coq: the path.
    pub names: HashMap<String, String>,
    structs: HashSet<String>,
    /// Functions whose bodies are being translated, and those of them that were called again.
    open: Vec<String>,
    recursive: HashSet<String>,
    /// What is only known by its signature.
    pub opaque: HashSet<String>,
    /// Variables that are functions of others, by function and name, each with its type.
    pub given: HashMap<(String, String), syn::Type>,
    /// The functions that the manifest names. All others are parts of those that call them.
    pub named: HashSet<String>,
    out: String,
    section: bool,
}

const HEADER: &str = "(** The functions of reference/src, translated: not to be changed by hand. `make prove` writes it again and compares.

    Claims: none.
*)
Require Import ZArith Bool String List.
From DpAssay Require Import Trees Rust.
Import ListNotations.
Open Scope Z_scope.
";

impl<'w> Translator<'w> {
    /// Nothing yet.
    pub fn new(world: &'w World) -> Self {
        Self {
            world,
            callable: HashMap::new(),
            names: HashMap::new(),
            structs: HashSet::new(),
            open: Vec::new(),
            recursive: HashSet::new(),
            opaque: HashSet::new(),
            given: HashMap::new(),
            named: HashSet::new(),
            out: HEADER.into(),
            section: false,
        }
    }

    /// The file of Coq.
    pub fn text(mut self) -> String {
        if self.section {
            self.out.push_str("\nEnd opaque.\n");
        }
        let is_part = |path: &&String| self.world.function(path).is_ok() && !self.named.contains(*path) && !self.opaque.contains(*path);
        let mut parts: Vec<&str> = self.callable.iter().filter(|(path, _)| is_part(path)).map(|(_, it)| it.name.as_str()).collect();
        parts.sort_unstable();
        parts.iter().for_each(|name| self.out.push_str(&format!("#[export] Hint Unfold {name} : parts.\n")));
        self.out.lines().map(|line| wrapped(line) + "\n").collect()
    }

    /// From here on functions may use what is opaque: in Coq, variables of a section.
    pub fn open_section(&mut self) -> Result<(), Refused> {
        self.section = true;
        self.out.push_str("\nSection opaque.\n");
        Ok(())
    }

    /// `PATH`, a type or a function; or `PATH -> TYPE`, a method of an opaque type with parameters.
    pub fn let_be_opaque(&mut self, line: &str) -> Result<(), Refused> {
        let (path, returns) = line.split_once(" -> ").map_or((line, None), |(path, ty)| (path, Some(ty)));
        self.opaque.insert(path.into());
        let (owner, name) = split(path);
        if let Some(Item::Struct(it)) = self.world.item(path) {
            let of = "Type -> ".repeat(it.generics.type_params().count());
            return self.variable(path, name, &format!("{of}Type"));
        }
        if let Some(returns) = returns {
            let ty = syn::parse_str(returns).map_err(|error| Refused::new(line, &error.to_string()))?;
            let result = self.world.ty(split(owner).0, &ty, &Function::nothing(path, owner))?;
            let (name, of) = (format!("{}_{name}", last(owner)), last(owner));
            self.variable(path, &name, &format!("forall A, {of} A -> ending {}", result.coq()))?;
            let parameters = vec![("self".into(), Ty::Named(owner.into(), vec![]))];
            self.callable.insert(path.into(), Callable { name: format!("{name} _"), laws: vec![], parameters, result });
            return Ok(());
        }
        let callable = self.world.callable(&self.world.function(path)?)?;
        callable.parameters.iter().try_for_each(|(_, ty)| self.types_of(ty))?;
        let (fuel, end) = if callable.draws() { ("nat -> ", "rust") } else { ("", "ending") };
        let of = arrows(callable.values().map(|(_, ty)| ty));
        self.variable(path, &callable.name, &format!("{fuel}{of}{end} {}", callable.result.coq()))?;
        self.callable.insert(path.into(), callable);
        Ok(())
    }

    /// `PATH NAME : TYPE`: in this function this variable is some function of those of which it is computed.
    pub fn let_be_given(&mut self, line: &str) -> Result<(), Refused> {
        let parts = line.split_once(' ').and_then(|(path, rest)| Some((path, rest.split_once(" : ")?)));
        let Some((path, (name, ty))) = parts else {
            return Err(Refused::new("the manifest", line));
        };
        let ty = syn::parse_str(ty).map_err(|error| Refused::new(line, &error.to_string()))?;
        self.given.insert((path.into(), name.into()), ty);
        Ok(())
    }

    /// A variable of the section: of a path, or one that is given.
    pub fn variable(&mut self, path: &str, name: &str, ty: &str) -> Result<(), Refused> {
        if !self.section {
            return Err(Refused::new(name, "opaque or given outside of the section of learners"));
        }
        self.declare(name, if path.is_empty() { name } else { path })?;
        let comment = if path.is_empty() { String::new() } else { format!("(** {path} *)\n") };
        self.out.push_str(&format!("\n{comment}Variable {name} : {ty}.\n"));
        Ok(())
    }

    fn declare(&mut self, name: &str, path: &str) -> Result<(), Refused> {
        match self.names.insert(name.into(), path.into()) {
            Some(other) if other != path => Err(Refused::new(path, &format!("has the same name in Coq as {other}: {name}"))),
            _ => Ok(()),
        }
    }

    /// A function, which is translated first if it is not there.
    pub fn function(&mut self, path: &str) -> Result<Callable, Refused> {
        if let Some(callable) = self.callable.get(path) {
            if self.open.iter().any(|it| it == path) {
                if self.open.last().is_none_or(|it| it != path) {
                    return Err(Refused::new(path, "two functions that call each other"));
                }
                self.recursive.insert(path.into());
                return Ok(Callable { name: format!("{}_deep D", callable.name), ..callable.clone() });
            }
            return Ok(callable.clone());
        }
        let function = self.world.function(path)?;
        let callable = self.world.callable(&function)?;
        self.declare(&callable.name, path)?;
        callable.parameters.iter().map(|(_, ty)| ty).chain([&callable.result]).try_for_each(|ty| self.types_of(ty))?;
        self.callable.insert(path.into(), callable.clone());
        self.open.push(path.into());
        let lines = Body::of(self, &function, &callable)?;
        self.open.pop();
        self.write(&callable, path, &lines);
        Ok(callable)
    }

    fn write(&mut self, callable: &Callable, path: &str, lines: &[String]) {
        let laws: String = callable
            .laws
            .iter()
            .map(|(law, method)| {
                let of = if *method == "sample" { "rust (result Z)" } else { "Z -> rust (result (list Z))" };
                format!(" {{{law} : Type}} ({law}_{method} : nat -> {law} -> {of})")
            })
            .collect();
        let parameters: String = callable.values().map(|(name, ty)| format!(" ({} : {})", safe(name), ty.coq())).collect();
        let (name, result) = (&callable.name, callable.result.coq());
        let body = lines.join("\n    ");
        self.out.push_str(&format!("\n(** {path} *)\n"));
        if self.recursive.contains(path) {
            let arguments: String = callable.values().map(|(name, _)| format!(" {}", safe(name))).collect();
            self.out.push_str(&format!(
                "Fixpoint {name}_deep (D F : nat){parameters} {{struct D}} : rust {result} :=\n  match D with O => Stop | S D =>\n  body (\n    {body})\n  end.\n\
                 Definition {name} (F : nat){parameters} : rust {result} := {name}_deep (S F) F{arguments}.\n"
            ));
        } else {
            self.out.push_str(&format!("Definition {name}{laws} (F : nat){parameters} : rust {result} :=\n  body (\n    {body}).\n"));
        }
    }

    /// The structs that a type is made of.
    pub fn types_of(&mut self, ty: &Ty) -> Result<(), Refused> {
        match ty {
            Ty::Option(a) | Ty::Result(a) | Ty::List(a) => self.types_of(a),
            Ty::Tuple(all) => all.iter().try_for_each(|ty| self.types_of(ty)),
            Ty::Named(path, of) => {
                of.iter().try_for_each(|ty| self.types_of(ty))?;
                self.structure(path).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    /// The fields of a struct, which is written first if it is not there; with laws for its parameters.
    pub fn structure(&mut self, path: &str) -> Result<Vec<(String, Ty)>, Refused> {
        if self.opaque.contains(path) {
            return Ok(vec![]);
        }
        let it = self.world.structure(path)?;
        let module = split(path).0;
        let laws: Vec<String> = it.generics.type_params().map(|it| it.ident.to_string()).collect();
        let mut of = Function::nothing(path, module);
        of.laws = laws.iter().map(|law| (law.clone(), "sample")).collect();
        if let Fields::Unnamed(_) = &it.fields {
            return Err(Refused::new(path, "a struct whose fields have no names"));
        }
        let mut fields = Vec::new();
        for field in &it.fields {
            let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
            fields.push((name, self.world.ty(module, &field.ty, &of)?));
        }
        if !self.structs.insert(path.into()) {
            return Ok(fields);
        }
        let name = last(path);
        self.declare(name, path)?;
        fields.iter().try_for_each(|(_, ty)| self.types_of(ty))?;
        let parameters: String = laws.iter().map(|law| format!(" ({law} : Type)")).collect();
        let written: Vec<String> = fields.iter().map(|(field, ty)| format!("{name}_{field} : {}", ty.coq())).collect();
        self.out.push_str(&format!("\n(** {path} *)\nRecord {name}{parameters} := make_{name} {{ {} }}.\n", written.join("; ")));
        if !laws.is_empty() {
            let implicit = format!("{{{}}}", laws.join("} {"));
            self.out.push_str(&format!("Arguments make_{name} {implicit}.\n"));
            for (field, _) in &fields {
                self.out.push_str(&format!("Arguments {name}_{field} {implicit}.\n"));
            }
        }
        Ok(fields)
    }
}

/// `A -> B -> `
pub fn arrows<'a>(of: impl IntoIterator<Item = &'a Ty>) -> String {
    of.into_iter().map(|ty| format!("{} -> ", ty.coq())).collect()
}

/// A line in lines of at most 120 characters, broken at spaces that stand in no text.
fn wrapped(line: &str) -> String {
    if line.len() <= 120 {
        return line.into();
    }
    let mut quoted = false;
    let mut best = None;
    for (at, c) in line.char_indices().take_while(|(at, _)| *at <= 116) {
        quoted ^= c == '"';
        if c == ' ' && !quoted && !line[..at].trim().is_empty() {
            best = Some(at);
        }
    }
    let Some(at) = best else { return line.into() };
    let indent = line.len() - line.trim_start().len();
    format!("{}\n{}", &line[..at], wrapped(&format!("{}{}", " ".repeat(indent.max(2) + 2), &line[at + 1..])))
}

/// Words of Coq, and names of its library and of `Trees.v`.
const TAKEN: &str = "as at cofix else end exists exists2 fix for forall fun if in let match mod return Set Prop SProp Type then using \
    where with by left right O S F D tt true false negb xorb fst snd map combine fold_right length nth_error app list option unit bool \
    string nat tree bind tmap run bits count rev repeat filter numer denom";

/// The name of a variable in Coq: with a prime, if it has another meaning there or in `Rust.v`.
pub fn safe(name: &str) -> String {
    let fresh = name.strip_prefix('t').is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()));
    let mut defined = include_str!("../Rust.v").lines().filter_map(|line| {
        let mut words = line.split([' ', '(', ':']);
        matches!(words.next(), Some("Definition" | "Fixpoint" | "Inductive" | "Record")).then(|| words.next())?
    });
    let taken = fresh || TAKEN.split(' ').any(|it| it == name) || defined.any(|it| it == name);
    if taken { format!("{name}'") } else { name.to_owned() }
}

/// Of the methods of `Coins` a source in the reference may give none but those without a default; and no other trait may give a method
/// another meaning.
pub fn check_traits(folder: &Path) -> Result<(), Refused> {
    let at = |why: std::io::Error| Refused::new(&folder.to_string_lossy(), &why.to_string());
    let mut entries: Vec<_> = std::fs::read_dir(folder).map_err(at)?.flatten().map(|it| it.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            check_traits(&path)?;
        } else if path.extension().is_some_and(|it| it == "rs") {
            let file = path.to_string_lossy();
            for item in parsed(&path)? {
                let known = |it: &&ImplItem| matches!(it, ImplItem::Fn(it) if it.sig.ident == "bits" || it.sig.ident == "consumed");
                match &item {
                    Item::Trait(it) if !TRAITS.iter().any(|known| it.ident == known) => {
                        return Err(Refused::at(&file, it, "a trait of its own"));
                    }
                    Item::Impl(it) if it.trait_.as_ref().is_some_and(|(_, of, _)| segments(of).last().is_some_and(|it| it == "Coins")) => {
                        if let Some(more) = it.items.iter().find(|it| !known(it)) {
                            return Err(Refused::at(&file, more, "a source of coins that has more than bits and consumed"));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}
