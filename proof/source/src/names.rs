//! What the files declare, and what a name in them means.

use crate::Refused;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use syn::{ImplItem, Item, ItemImpl, UseTree};

/// A file of the reference: a module.
pub struct Module {
    /// Its file, from the sources of the reference on.
    pub file: String,
    /// What is declared in it, by name.
    pub items: HashMap<String, Item>,
    children: HashSet<String>,
    uses: HashMap<String, Vec<String>>,
}

/// All that the manifest lets be read.
#[derive(Default)]
pub struct World {
    /// By path: `crate::coins::layers`.
    pub modules: HashMap<String, Module>,
    /// The `impl`s, each with its module.
    pub impls: Vec<(String, ItemImpl)>,
}

/// From outside, these names alone mean something, and only from there.
const OUTSIDE: [&str; 12] = [
    "num_bigint::BigInt",
    "num_bigint::BigUint",
    "num_integer::Integer",
    "num_rational::BigRational",
    "num_traits::One",
    "num_traits::Signed",
    "num_traits::ToPrimitive",
    "num_traits::Zero",
    "std::collections::BTreeMap",
    "std::fmt::Debug",
    "rand_chacha::ChaCha20Rng",
    "thiserror::Error",
];
/// What is there without a `use`, and may not be declared otherwise.
const PRELUDE: [&str; 24] = [
    "Ok",
    "Err",
    "Some",
    "None",
    "Option",
    "Result",
    "Vec",
    "Into",
    "From",
    "Clone",
    "Ord",
    "String",
    "PartialEq",
    "PartialOrd",
    "Fn",
    "bool",
    "str",
    "u8",
    "u32",
    "u64",
    "usize",
    "i32",
    "i64",
    "Iterator",
];

impl World {
    /// Reads a file: `coins/layers.rs`.
    pub fn read(&mut self, root: &Path, file: &str) -> Result<(), Refused> {
        let at = |why: String| Refused::new(file, &why);
        let text = std::fs::read_to_string(root.join(file)).map_err(|e| at(e.to_string()))?;
        let items = syn::parse_file(&text).map_err(|e| at(e.to_string()))?.items;
        let stem = file.trim_end_matches(".rs").trim_end_matches("/mod");
        let path = format!("crate::{}", stem.replace('/', "::"));
        let mut module = Module { file: file.into(), items: HashMap::new(), children: HashSet::new(), uses: HashMap::new() };
        let items = expanded(items).map_err(|why| at(why.into()))?;
        for item in items {
            self.take(&path, &mut module, item)?;
        }
        if self.modules.insert(path, module).is_some() {
            return Err(at("is read twice".into()));
        }
        Ok(())
    }

    fn take(&mut self, path: &str, module: &mut Module, item: Item) -> Result<(), Refused> {
        let file = module.file.clone();
        let refused = |why: &str| Err(Refused::new(&file, why));
        let (name, attributes) = match &item {
            Item::Fn(it) => (it.sig.ident.to_string(), &it.attrs),
            Item::Struct(it) => (it.ident.to_string(), &it.attrs),
            Item::Enum(it) => (it.ident.to_string(), &it.attrs),
            Item::Trait(it) if !["Coins", "Law", "Noise"].iter().any(|known| it.ident == known) => {
                return refused("a trait of its own");
            }
            Item::Trait(it) => (it.ident.to_string(), &it.attrs),
            Item::Type(it) => (it.ident.to_string(), &it.attrs),
            Item::Const(it) => (it.ident.to_string(), &it.attrs),
            Item::Mod(it) => {
                if it.content.is_none() {
                    module.children.insert(it.ident.to_string());
                } else if !is_conditional(&it.attrs) {
                    return refused("a module within the file");
                }
                return Ok(());
            }
            Item::Use(it) => return read_use(module, &it.tree, Vec::new()),
            Item::Impl(it) => {
                if is_conditional(&it.attrs) {
                    return refused("an impl under a condition");
                }
                // `Clone`, `Drop`, `Deref` or `Add` of its own would change what is erased, or what a sum is.
                let of = it.trait_.as_ref().and_then(|(_, of, _)| of.segments.last()).map(|it| it.ident.to_string());
                if of.as_ref().is_some_and(|of| !["Coins", "Law", "Noise"].contains(&of.as_str())) {
                    return refused(&format!("an impl of {}", of.unwrap_or_default()));
                }
                for item in &it.items {
                    if matches!(item, ImplItem::Macro(_)) {
                        return refused("a macro in an impl");
                    }
                }
                self.impls.push((path.into(), it.clone()));
                return Ok(());
            }
            _ => return refused("an item that is not known"),
        };
        if is_conditional(attributes) {
            return refused(&format!("{name} under a condition"));
        }
        if PRELUDE.contains(&name.as_str()) || module.items.insert(name.clone(), item).is_some() {
            return refused(&format!("{name} is declared twice, or has a name of the prelude"));
        }
        Ok(())
    }

    /// What a path means that stands in a module: from `crate` on, or from another crate's name on.
    pub fn resolve(&self, module: &str, path: &[String]) -> Result<String, Refused> {
        self.resolve_within(module, path, 0)
    }

    fn resolve_within(&self, module: &str, path: &[String], depth: u32) -> Result<String, Refused> {
        let text = path.join("::");
        let Some(here) = self.modules.get(module) else {
            return Err(Refused::new(module, &format!("is not in the manifest ({text})")));
        };
        let refused = |why: &str| Err(Refused::new(&here.file, &format!("{text}: {why}")));
        if depth > 16 {
            return refused("a circle of names");
        }
        let first = path[0].as_str();
        let whole: Vec<String> = match first {
            "crate" => path.to_vec(),
            "super" | "self" => {
                let up = if first == "self" { module } else { module.rsplit_once("::").map_or("", |(up, _)| up) };
                up.split("::").map(str::to_owned).chain(path[1..].iter().cloned()).collect()
            }
            _ if here.items.contains_key(first) || here.children.contains(first) => {
                module.split("::").map(str::to_owned).chain(path.iter().cloned()).collect()
            }
            _ => {
                if let Some(target) = here.uses.get(first) {
                    let whole: Vec<String> = target.iter().chain(&path[1..]).cloned().collect();
                    if target[0] == first {
                        return outside(&here.file, &whole);
                    }
                    return self.resolve_within(module, &whole, depth + 1);
                }
                return outside(&here.file, path);
            }
        };
        self.absolute(&here.file, &whole, depth)
    }

    /// A path from `crate` on, through what modules re-export.
    fn absolute(&self, file: &str, whole: &[String], depth: u32) -> Result<String, Refused> {
        let text = whole.join("::");
        for split in (1..=whole.len()).rev() {
            let module = whole[..split].join("::");
            let Some(found) = self.modules.get(&module) else {
                continue;
            };
            let Some(name) = whole.get(split) else {
                return Ok(module);
            };
            if found.items.contains_key(name) {
                return Ok(text);
            }
            if found.uses.contains_key(name) {
                return self.resolve_within(&module, &whole[split..], depth + 1);
            }
            break;
        }
        // The root of the crate re-exports the error.
        if let [root, error, rest @ ..] = whole
            && (root.as_str(), error.as_str()) == ("crate", "Error")
        {
            let there: Vec<String> = ["crate", "error", "Error"].map(String::from).into_iter().chain(rest.iter().cloned()).collect();
            return self.absolute(file, &there, depth + 1);
        }
        Err(Refused::new(file, &format!("{text}: not in the files of the manifest")))
    }

    /// What is declared under a whole path.
    pub fn item(&self, path: &str) -> Option<&Item> {
        let (module, name) = path.rsplit_once("::")?;
        self.modules.get(module)?.items.get(name)
    }
}

fn outside(file: &str, path: &[String]) -> Result<String, Refused> {
    let text = path.join("::");
    let known = |known: &&str| text == **known || text.starts_with(&format!("{known}::"));
    if OUTSIDE.iter().any(|it| known(&it)) {
        return Ok(text);
    }
    if PRELUDE.contains(&path[0].as_str()) {
        return Ok(format!("std::{text}"));
    }
    Err(Refused::new(file, &format!("{text}: a name that is not known")))
}

fn read_use(module: &mut Module, tree: &UseTree, mut before: Vec<String>) -> Result<(), Refused> {
    let refused = |file: &str, why: &str| Err(Refused::new(file, why));
    match tree {
        UseTree::Path(it) => {
            before.push(it.ident.to_string());
            read_use(module, &it.tree, before)
        }
        UseTree::Group(it) => it.items.iter().try_for_each(|tree| read_use(module, tree, before.clone())),
        UseTree::Name(it) => {
            let name = it.ident.to_string();
            if name == "self" {
                let name = before.last().cloned().unwrap_or_default();
                module.uses.insert(name, before);
                return Ok(());
            }
            before.push(name.clone());
            if PRELUDE.contains(&name.as_str()) {
                return refused(&module.file, &format!("{name} is another: use {}", before.join("::")));
            }
            if module.uses.insert(name.clone(), before).is_some() {
                return refused(&module.file, &format!("two uses of {name}"));
            }
            Ok(())
        }
        UseTree::Glob(_) => refused(&module.file, "use of all names of a module"),
        UseTree::Rename(it) => refused(&module.file, &format!("use of {} under another name", it.ident)),
    }
}

/// `#[cfg]`, and every attribute that might replace what it stands on.
pub fn is_conditional(attributes: &[syn::Attribute]) -> bool {
    const KNOWN: [&str; 7] = ["doc", "must_use", "derive", "error", "allow", "inline", "expect"];
    attributes.iter().any(|it| !KNOWN.iter().any(|known| it.path().is_ident(known)))
}

/// With the macros of one form expanded: `macro_rules! name { ($($x:ident),*) => {$( items )*}; }`, invoked in the file.
fn expanded(items: Vec<Item>) -> Result<Vec<Item>, &'static str> {
    let (mut macros, mut all) = (HashMap::new(), Vec::new());
    for item in items {
        let Item::Macro(it) = item else {
            all.push(item);
            continue;
        };
        if !it.attrs.iter().all(|it| it.path().is_ident("doc")) {
            return Err("an attribute of a macro");
        }
        if let Some(name) = &it.ident {
            let rule = it.mac.tokens.to_string().replace(char::is_whitespace, "");
            let Some((parameter, _)) = rule.strip_prefix("($($").and_then(|rest| rest.split_once(":ident),*)=>{$(")) else {
                return Err("a macro of another form than ($($x:ident),*) => {$( items )*}");
            };
            if !(rule.ends_with(")*};") || rule.ends_with(")*}")) {
                return Err("a macro of more than one rule");
            }
            let Some(TokenTree::Group(braces)) = it.mac.tokens.into_iter().nth(3) else {
                return Err("a macro's rule");
            };
            let Some(TokenTree::Group(body)) = braces.stream().into_iter().nth(1) else {
                return Err("a macro's rule");
            };
            macros.insert(name.to_string(), (parameter.to_owned(), body.stream()));
        } else {
            let name = it.mac.path.get_ident().map(ToString::to_string).unwrap_or_default();
            let Some((parameter, body)) = macros.get(&name) else {
                return Err("a macro that is not known");
            };
            for argument in it.mac.tokens.into_iter().filter(|token| matches!(token, TokenTree::Ident(_))) {
                let tokens = substituted(body.clone(), parameter, &argument);
                all.extend(syn::parse2::<syn::File>(tokens).map_err(|_| "a macro's items")?.items);
            }
        }
    }
    Ok(all)
}

fn substituted(tokens: TokenStream, parameter: &str, argument: &TokenTree) -> TokenStream {
    let mut found = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(it) if it.as_char() == '$' && tokens.peek().is_some_and(|next| next.to_string() == parameter) => {
                tokens.next();
                found.push(argument.clone());
            }
            TokenTree::Group(it) => {
                let inside = substituted(it.stream(), parameter, argument);
                found.push(TokenTree::Group(proc_macro2::Group::new(it.delimiter(), inside)));
            }
            other => found.push(other),
        }
    }
    found.into_iter().collect()
}
