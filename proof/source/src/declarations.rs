//! Types, functions and what stands for them in Coq.

use crate::Refused;
use crate::names::{World, is_conditional};
use crate::types::Ty;
use quote::ToTokens;
use syn::{Block, FnArg, GenericParam, Generics, ImplItem, Item, ItemStruct, Pat, ReturnType, Signature, TraitItem, Type};

/// A function, found.
#[derive(Clone)]
pub struct Function {
    /// `crate::coins::layers::bernoulli`, `crate::sample::geometric::Geometric::new`
    pub path: String,
    /// The module in which it stands.
    pub module: String,
    /// Its signature.
    pub signature: Signature,
    /// Its body.
    pub block: Block,
    /// Of a method, `Self`.
    pub this: Option<Ty>,
    /// The type parameters that are laws on the integers, each with the method by which it is drawn from.
    pub laws: Vec<(String, &'static str)>,
    /// The type parameters that are sources of coins.
    pub sources: Vec<String>,
    /// `Self::Outcome`, if the `impl` says it.
    pub outcome: Option<Type>,
}

/// How a function is called.
#[derive(Clone)]
pub struct Callable {
    /// Its name in Coq.
    pub name: String,
    /// Its laws: each needs its method.
    pub laws: Vec<(String, &'static str)>,
    /// Names and types of its parameters, the coins left out.
    pub parameters: Vec<(String, Ty)>,
    /// What it returns.
    pub result: Ty,
    /// Whether it is handed coins.
    pub draws: bool,
}

/// The last name of a type's path: `Noise` of `crate::sample::Noise`.
pub fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|it| it.ident.to_string()).collect()
}

impl World {
    fn refuse<T>(&self, module: &str, it: &impl ToTokens, why: &str) -> Result<T, Refused> {
        let file = self.modules.get(module).map_or(module, |it| it.file.as_str());
        Err(Refused::at(file, it, why))
    }

    /// A type, in a module.
    pub fn ty(&self, module: &str, ty: &Type, of: &Function) -> Result<Ty, Refused> {
        match ty {
            Type::Paren(it) => self.ty(module, &it.elem, of),
            Type::Reference(it) => {
                let found = self.ty(module, &it.elem, of)?;
                if it.mutability.is_some() && found != Ty::Coins {
                    return self.refuse(module, ty, "a reference that is written through");
                }
                Ok(found)
            }
            Type::Slice(it) => Ok(Ty::List(Box::new(self.ty(module, &it.elem, of)?))),
            Type::Array(it) if it.len.to_token_stream().to_string() == "2" => {
                let of_it = self.ty(module, &it.elem, of)?;
                Ok(Ty::Tuple(vec![of_it.clone(), of_it]))
            }
            Type::Tuple(it) if it.elems.is_empty() => Ok(Ty::Unit),
            Type::Tuple(it) => {
                let all: Result<_, _> = it.elems.iter().map(|it| self.ty(module, it, of)).collect();
                Ok(Ty::Tuple(all?))
            }
            Type::ImplTrait(it) => {
                let text = it.bounds.to_token_stream().to_string().replace(' ', "");
                match text.as_str() {
                    "Coins" | "Coins+?Sized" => self.is_coins(module, ty),
                    "Into<BigInt>" => Ok(Ty::BigInt),
                    _ => self.refuse(module, ty, "a type that is not known"),
                }
            }
            Type::Path(it) if it.qself.is_none() => self.path_ty(module, &it.path, of),
            _ => self.refuse(module, ty, "a type that is not known"),
        }
    }

    fn is_coins(&self, module: &str, at: &Type) -> Result<Ty, Refused> {
        if self.resolve(module, &["Coins".into()])? != "crate::coins::Coins" {
            return self.refuse(module, at, "another trait Coins");
        }
        Ok(Ty::Coins)
    }

    fn path_ty(&self, module: &str, path: &syn::Path, of: &Function) -> Result<Ty, Refused> {
        let names = segments(path);
        match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["Self"] => {
                return of.this.clone().map_or_else(|| self.refuse(module, path, "Self of nothing"), Ok);
            }
            ["Self", "Outcome"] => {
                let Some(outcome) = &of.outcome else {
                    return self.refuse(module, path, "an outcome that is not said");
                };
                return self.ty(&of.module, outcome, of);
            }
            [name] if of.laws.iter().any(|(it, _)| it == name) => return Ok(Ty::Law(name.into())),
            [name] if of.sources.iter().any(|it| it == name) => return Ok(Ty::Coins),
            _ => {}
        }
        let mut of_it = Vec::new();
        if let Some(segment) = path.segments.last()
            && let syn::PathArguments::AngleBracketed(it) = &segment.arguments
        {
            for argument in &it.args {
                let syn::GenericArgument::Type(ty) = argument else {
                    return self.refuse(module, path, "an argument of a type");
                };
                of_it.push(self.ty(module, ty, of)?);
            }
        }
        let whole = self.resolve(module, &names)?;
        Ok(match (whole.as_str(), &mut of_it[..]) {
            ("num_bigint::BigInt", []) => Ty::BigInt,
            ("num_bigint::BigUint", []) => Ty::BigUint,
            ("num_rational::BigRational", []) => Ty::Rational,
            ("std::bool", []) => Ty::Bool,
            ("std::str", []) => Ty::Text,
            ("std::u32", []) => Ty::Word(32, false),
            ("std::u64" | "std::usize", []) => Ty::Word(64, false),
            ("std::i32", []) => Ty::Word(32, true),
            ("std::i64", []) => Ty::Word(64, true),
            ("std::Vec", [a]) => Ty::List(Box::new(a.clone())),
            ("std::Option", [a]) => Ty::Option(Box::new(a.clone())),
            ("std::Result", [a, Ty::Error]) => Ty::Result(Box::new(a.clone())),
            ("crate::error::Error", []) => Ty::Error,
            (whole, _) => match self.item(whole) {
                Some(Item::Type(alias)) => {
                    let module = whole.rsplit_once("::").map_or("", |(module, _)| module);
                    if let Type::Path(it) = &*alias.ty
                        && segments(&it.path) == ["num_rational", "BigRational"]
                    {
                        return Ok(Ty::Rational);
                    }
                    self.ty(module, &alias.ty, of)?
                }
                Some(Item::Struct(_)) => Ty::Named(whole.into(), of_it),
                _ => return self.refuse(module, path, "a type that is not known"),
            },
        })
    }

    /// The struct of a path. It is to derive `Clone`: a clone is erased.
    pub fn structure(&self, path: &str) -> Result<&ItemStruct, Refused> {
        let Some(Item::Struct(it)) = self.item(path) else {
            return Err(Refused::new(path, "is no struct"));
        };
        let derived: String =
            it.attrs.iter().filter(|it| it.path().is_ident("derive")).map(|it| it.to_token_stream().to_string()).collect();
        if !derived.contains("Clone") {
            return Err(Refused::new(path, "a struct that does not derive Clone"));
        }
        Ok(it)
    }

    /// The laws and the sources among the parameters of types.
    fn parameters(&self, module: &str, generics: &Generics, of: &mut Function) -> Result<(), Refused> {
        for parameter in &generics.params {
            let GenericParam::Type(it) = parameter else {
                return self.refuse(module, parameter, "a parameter of a lifetime or a constant");
            };
            let name = it.ident.to_string();
            let bounds: Vec<String> = it.bounds.iter().map(|it| it.to_token_stream().to_string().replace(' ', "")).collect();
            let bounds: Vec<&str> = bounds.iter().map(String::as_str).collect();
            match bounds[..] {
                ["Coins"] if self.resolve(module, &["Coins".into()])? == "crate::coins::Coins" => of.sources.push(name),
                ["Noise", "Law<Outcome=BigInt>"] if self.resolve(module, &["Noise".into()])? == "crate::sample::noise::Noise" => {
                    of.laws.push((name, "sample"))
                }
                ["Noise"] if self.resolve(module, &["Noise".into()])? == "crate::sample::noise::Noise" => {
                    of.laws.push((name, "draw_vector"))
                }
                _ => return self.refuse(module, it, "a parameter that is neither coins nor noise"),
            }
        }
        if let Some(it) = &generics.where_clause {
            return self.refuse(module, it, "a where clause");
        }
        Ok(())
    }

    /// The function of a path. `Type::method` is looked for in the type's `impl`s, and then among the defaults of its traits.
    pub fn function(&self, path: &str) -> Result<Function, Refused> {
        let (owner, name) = path.rsplit_once("::").unwrap_or(("", path));
        if let Some(Item::Fn(it)) = self.item(path) {
            let mut found = blank(path, owner, &it.sig, &it.block);
            self.parameters(owner, &it.sig.generics, &mut found)?;
            return Ok(found);
        }
        let (mut methods, mut defaults) = (Vec::new(), Vec::new());
        for (module, it) in &self.impls {
            let mut of = blank(path, module, &empty_signature(), &Block { brace_token: Default::default(), stmts: vec![] });
            let Type::Path(ty) = &*it.self_ty else {
                continue;
            };
            if self.resolve(module, &segments(&ty.path)).ok().as_deref() != Some(owner) {
                continue;
            }
            self.parameters(module, &it.generics, &mut of)?;
            of.this = Some(self.ty(module, &it.self_ty, &of)?);
            for item in &it.items {
                match item {
                    ImplItem::Type(it) if it.ident == "Outcome" => of.outcome = Some(it.ty.clone()),
                    ImplItem::Fn(method) if method.sig.ident == name => {
                        if is_conditional(&method.attrs) {
                            return self.refuse(module, &method.sig, "a method under a condition");
                        }
                        let mut found = of.clone();
                        (found.signature, found.block) = (method.sig.clone(), method.block.clone());
                        self.parameters(module, &method.sig.generics, &mut found)?;
                        methods.push(found);
                    }
                    _ => {}
                }
            }
            if let Some((_, of_trait, _)) = &it.trait_
                && let Ok(whole) = self.resolve(module, &segments(of_trait))
                && let Some((signature, block)) = self.default_of(&whole, name)
            {
                let module = whole.rsplit_once("::").map_or("", |(module, _)| module);
                let mut found = Function { module: module.into(), signature, block, ..of };
                let generics = found.signature.generics.clone();
                self.parameters(module, &generics, &mut found)?;
                defaults.push(found);
            }
        }
        let mut found = if methods.is_empty() { defaults } else { methods };
        match (found.pop(), found.is_empty()) {
            (Some(found), true) => Ok(found),
            (Some(_), false) => Err(Refused::new(path, "two functions of this name")),
            (None, _) => Err(Refused::new(path, "no function of this name is in the files of the manifest")),
        }
    }

    /// The default of a method of a trait.
    pub fn default_of(&self, of: &str, name: &str) -> Option<(Signature, Block)> {
        let Some(Item::Trait(it)) = self.item(of) else {
            return None;
        };
        it.items.iter().find_map(|item| match item {
            TraitItem::Fn(it) if it.sig.ident == name && !is_conditional(&it.attrs) => Some((it.sig.clone(), it.default.clone()?)),
            _ => None,
        })
    }

    /// How a function is called.
    pub fn callable(&self, of: &Function) -> Result<Callable, Refused> {
        let (owner, name) = of.path.rsplit_once("::").unwrap_or(("", &of.path));
        // Of algorithms the paper as well.
        let mut owners = owner.rsplit("::");
        let prefix = match (owners.next().unwrap_or(""), owners.next().unwrap_or("")) {
            (short, paper) if short.starts_with("algorithm_") => format!("{paper}_{short}"),
            (short, _) => short.to_owned(),
        };
        let mut callable =
            Callable { name: format!("{prefix}_{name}"), laws: of.laws.clone(), parameters: Vec::new(), result: Ty::Unit, draws: false };
        if of.signature.unsafety.is_some() || of.signature.asyncness.is_some() || of.signature.constness.is_some() {
            return self.refuse(&of.module, &of.signature, "a function that is const, async or unsafe");
        }
        for (number, input) in of.signature.inputs.iter().enumerate() {
            let (name, ty) = match input {
                FnArg::Receiver(it) if it.mutability.is_none() => {
                    let Some(this) = of.this.clone() else {
                        return self.refuse(&of.module, it, "self of nothing");
                    };
                    ("self".to_owned(), this)
                }
                FnArg::Typed(it) => {
                    let name = match &*it.pat {
                        Pat::Ident(it) => it.ident.to_string(),
                        _ => format!("p{number}"),
                    };
                    (name, self.ty(&of.module, &it.ty, of)?)
                }
                FnArg::Receiver(_) => {
                    return self.refuse(&of.module, input, "a method that changes what it is called on");
                }
            };
            if ty == Ty::Coins {
                callable.draws = true;
            } else {
                callable.parameters.push((name, ty));
            }
        }
        if let ReturnType::Type(_, ty) = &of.signature.output {
            callable.result = self.ty(&of.module, ty, of)?;
        }
        Ok(callable)
    }
}

fn blank(path: &str, module: &str, signature: &Signature, block: &Block) -> Function {
    Function {
        path: path.into(),
        module: module.into(),
        signature: signature.clone(),
        block: block.clone(),
        this: None,
        laws: vec![],
        sources: vec![],
        outcome: None,
    }
}

fn empty_signature() -> Signature {
    syn::parse_quote!(fn nothing())
}
