//! What the files declare, and what a name in them means.

use crate::Refused;
use crate::types::split;
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
const OUTSIDE: [&str; 13] = [
    "num_bigint::BigInt",
    "num_bigint::BigUint",
    "num_integer::Integer",
    "num_rational::BigRational",
    "num_traits::One",
    "num_traits::Pow",
    "num_traits::Signed",
    "num_traits::ToPrimitive",
    "num_traits::Zero",
    "std::collections::BTreeMap",
    "std::fmt::Debug",
    "rand_chacha::ChaCha20Rng",
    "thiserror::Error",
];
/// What is there without a `use`, and may not be declared otherwise.
const PRELUDE: &str = "Ok Err Some None Option Result Vec Into From Clone Ord String PartialEq PartialOrd Fn bool str u8 u32 u64 usize \
    i32 i64 Iterator";
/// The traits that the reference may declare or implement: any other might change what is erased, or what a sum is.
pub const TRAITS: [&str; 3] = ["Coins", "Law", "Noise"];

impl World {
    /// Reads a file: `coins/layers.rs`; `lib.rs` is the root of the crate.
    pub fn read(&mut self, root: &Path, file: &str) -> Result<(), Refused> {
        let path = format!("crate::{}", file.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::"));
        let path = path.trim_end_matches("::lib");
        let mut module = Module { file: file.into(), items: HashMap::new(), children: HashSet::new(), uses: HashMap::new() };
        let items = expanded(parsed(&root.join(file))?).map_err(|why| Refused::new(file, why))?;
        for item in items {
            self.take(path, &mut module, item)?;
        }
        // A trait from elsewhere might give a method its meaning.
        let inside = |first: &String| ["crate", "super", "self"].contains(&first.as_str()) || module.children.contains(first);
        module.uses.values().filter(|target| !inside(&target[0])).try_for_each(|target| outside(file, target).map(|_| ()))?;
        match self.modules.insert(path.into(), module) {
            Some(_) => Err(Refused::new(file, "is read twice")),
            None => Ok(()),
        }
    }

    fn take(&mut self, path: &str, module: &mut Module, item: Item) -> Result<(), Refused> {
        let file = module.file.clone();
        let refused = |why: &str| Err(Refused::new(&file, why));
        let (name, attributes) = match &item {
            Item::Fn(it) => (&it.sig.ident, &it.attrs),
            Item::Struct(it) => (&it.ident, &it.attrs),
            Item::Enum(it) => (&it.ident, &it.attrs),
            Item::Type(it) => (&it.ident, &it.attrs),
            Item::Const(it) => (&it.ident, &it.attrs),
            Item::Trait(it) => (&it.ident, &it.attrs),
            Item::Mod(it) if it.content.is_none() => {
                module.children.insert(it.ident.to_string());
                return Ok(());
            }
            Item::Mod(it) if is_conditional(&it.attrs) => return Ok(()),
            Item::Mod(_) => return refused("a module within the file"),
            Item::Use(it) => return read_use(module, &it.tree, Vec::new()),
            Item::Impl(it) => {
                let of = it.trait_.as_ref().and_then(|(_, of, _)| of.segments.last()).map(|it| it.ident.to_string());
                return match of {
                    _ if is_conditional(&it.attrs) => refused("an impl under a condition"),
                    Some(of) if !TRAITS.contains(&of.as_str()) => refused(&format!("an impl of {of}")),
                    _ if it.items.iter().any(|it| matches!(it, ImplItem::Macro(_))) => refused("a macro in an impl"),
                    _ => {
                        self.impls.push((path.into(), it.clone()));
                        Ok(())
                    }
                };
            }
            _ => return refused("an item that is not known"),
        };
        let name = name.to_string();
        if is_conditional(attributes) {
            return refused(&format!("{name} under a condition"));
        }
        if is_prelude(&name) || module.items.insert(name.clone(), item).is_some() {
            return refused(&format!("{name} is declared twice, or has a name of the prelude"));
        }
        Ok(())
    }

    /// What a path means that stands in a module: from `crate` on, or from another crate's name on.
    pub fn resolve(&self, module: &str, path: &[String]) -> Result<String, Refused> {
        self.resolve_within(module, path, 0)
    }

    fn resolve_within(&self, module: &str, path: &[String], depth: u32) -> Result<String, Refused> {
        let refused = |at: &str, why: &str| Err(Refused::new(at, &format!("{}: {why}", path.join("::"))));
        let Some(here) = self.modules.get(module) else {
            return refused(module, "is not in the manifest");
        };
        if depth > 16 {
            return refused(&here.file, "a circle of names");
        }
        let below = |module: &str, names: &[String]| module.split("::").map(str::to_owned).chain(names.iter().cloned()).collect();
        let whole: Vec<String> = match (path[0].as_str(), here.uses.get(&path[0])) {
            ("crate", _) => path.to_vec(),
            ("self", _) => below(module, &path[1..]),
            ("super", _) => below(split(module).0, &path[1..]),
            (first, _) if here.items.contains_key(first) || here.children.contains(first) => below(module, path),
            (_, Some(target)) => return self.resolve_within(module, &[&target[..], &path[1..]].concat(), depth + 1),
            (_, None) => return outside(&here.file, path),
        };
        // The longest beginning that is a module; and what stands in it, or is re-exported.
        let longest = (1..=whole.len()).rev().find_map(|end| {
            let path = whole[..end].join("::");
            Some((self.modules.get(&path)?, path, &whole[end..]))
        });
        let Some((found, module, rest)) = longest else {
            return refused(&here.file, "not in the files of the manifest");
        };
        match rest {
            [] => Ok(module),
            [name, ..] if found.items.contains_key(name) => Ok(whole.join("::")),
            [name, ..] if found.uses.contains_key(name) => self.resolve_within(&module, rest, depth + 1),
            _ => refused(&here.file, "not in the files of the manifest"),
        }
    }

    /// What is declared under a whole path.
    pub fn item(&self, path: &str) -> Option<&Item> {
        let (module, name) = split(path);
        self.modules.get(module)?.items.get(name)
    }
}

/// The items of a file.
pub fn parsed(file: &Path) -> Result<Vec<Item>, Refused> {
    let at = |why: String| Refused::new(&file.to_string_lossy(), &why);
    let text = std::fs::read_to_string(file).map_err(|error| at(error.to_string()))?;
    Ok(syn::parse_file(&text).map_err(|error| at(error.to_string()))?.items)
}

fn is_prelude(name: &str) -> bool {
    PRELUDE.split(' ').any(|known| known == name)
}

fn outside(file: &str, path: &[String]) -> Result<String, Refused> {
    let text = path.join("::");
    if OUTSIDE.iter().any(|known| text.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))) {
        return Ok(text);
    }
    if is_prelude(&path[0]) {
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
            if it.ident != "self" {
                before.push(it.ident.to_string());
            }
            let name = before.last().cloned().unwrap_or_default();
            if is_prelude(&name) {
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
            let parameter = rule.strip_prefix("($($").and_then(|rest| rest.split_once(":ident),*)=>{$("));
            let one_rule = rule.ends_with(")*};") || rule.ends_with(")*}");
            let inside = |tokens: TokenStream, place| match tokens.into_iter().nth(place) {
                Some(TokenTree::Group(it)) => Some(it.stream()),
                _ => None,
            };
            let body = inside(it.mac.tokens, 3).and_then(|braces| inside(braces, 1));
            let (Some((parameter, _)), Some(body), true) = (parameter, body, one_rule) else {
                return Err("a macro of another form than ($($x:ident),*) => {$( items )*}");
            };
            macros.insert(name.to_string(), (parameter.to_owned(), body));
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
