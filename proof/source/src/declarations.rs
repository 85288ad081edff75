//! Types, functions and what stands for them in Coq.

use crate::Refused;
use crate::names::{World, is_conditional};
use crate::types::{Ty, last, split};
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
    /// Names and types of its parameters, the coins among them.
    pub parameters: Vec<(String, Ty)>,
    /// What it returns.
    pub result: Ty,
}

impl Callable {
    /// Whether it is handed coins.
    pub fn draws(&self) -> bool {
        self.parameters.iter().any(|(_, ty)| *ty == Ty::Coins)
    }

    /// The parameters that are there in Coq: all but the coins.
    pub fn values(&self) -> impl Iterator<Item = &(String, Ty)> {
        self.parameters.iter().filter(|(_, ty)| *ty != Ty::Coins)
    }
}

/// The names of a path.
pub fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|it| it.ident.to_string()).collect()
}

impl World {
    /// A refusal, in a file.
    pub fn refuse<T>(&self, module: &str, it: &impl ToTokens, why: &str) -> Result<T, Refused> {
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
                    "Coins" | "Coins+?Sized" if self.means(module, "Coins", "crate::coins::Coins")? => Ok(Ty::Coins),
                    "Into<BigInt>" => Ok(Ty::BigInt),
                    "IntoIterator<Item=implInto<BigInt>>" => Ok(Ty::List(Box::new(Ty::BigInt))),
                    _ => self.refuse(module, ty, "a type that is not known"),
                }
            }
            Type::Path(it) if it.qself.is_none() => self.path_ty(module, &it.path, of),
            _ => self.refuse(module, ty, "a type that is not known"),
        }
    }

    fn means(&self, module: &str, name: &str, whole: &str) -> Result<bool, Refused> {
        Ok(self.resolve(module, &[name.into()])? == whole)
    }

    /// What the alias of a path stands for, if it is one.
    pub fn alias(&self, path: &str) -> Result<Option<Ty>, Refused> {
        let Some(Item::Type(alias)) = self.item(path) else {
            return Ok(None);
        };
        let module = split(path).0;
        self.ty(module, &alias.ty, &Function::nothing(path, module)).map(Some)
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
            (whole, _) => match (self.alias(whole)?, self.item(whole)) {
                (Some(ty), _) => ty,
                (None, Some(Item::Struct(_))) => Ty::Named(whole.into(), of_it),
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
            let bounds = it.bounds.to_token_stream().to_string().replace(' ', "");
            match bounds.as_str() {
                "Coins" if self.means(module, "Coins", "crate::coins::Coins")? => of.sources.push(name),
                "Noise+Law<Outcome=BigInt>" | "Noise" if self.means(module, "Noise", "crate::sample::noise::Noise")? => {
                    of.laws.push((name, if bounds == "Noise" { "draw_vector" } else { "sample" }))
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
        let (owner, name) = split(path);
        if let Some(Item::Fn(it)) = self.item(path) {
            return self.with_body(Function::nothing(path, owner), owner, &it.sig, &it.block);
        }
        let (mut methods, mut defaults) = (Vec::new(), Vec::new());
        for (module, it) in &self.impls {
            let Type::Path(ty) = &*it.self_ty else {
                continue;
            };
            if self.resolve(module, &segments(&ty.path)).ok().as_deref() != Some(owner) {
                continue;
            }
            let mut of = Function::nothing(path, module);
            self.parameters(module, &it.generics, &mut of)?;
            of.this = Some(self.ty(module, &it.self_ty, &of)?);
            for item in &it.items {
                match item {
                    ImplItem::Type(it) if it.ident == "Outcome" => of.outcome = Some(it.ty.clone()),
                    ImplItem::Fn(it) if it.sig.ident == name && is_conditional(&it.attrs) => {
                        return self.refuse(module, &it.sig, "a method under a condition");
                    }
                    ImplItem::Fn(it) if it.sig.ident == name => methods.push(self.with_body(of.clone(), module, &it.sig, &it.block)?),
                    _ => {}
                }
            }
            if let Some((_, of_trait, _)) = &it.trait_
                && let Ok(whole) = self.resolve(module, &segments(of_trait))
                && let Some((signature, block)) = self.default_of(&whole, name)
            {
                defaults.push(self.with_body(of, split(&whole).0, &signature, &block)?);
            }
        }
        let mut found = if methods.is_empty() { defaults } else { methods };
        match (found.pop(), found.is_empty()) {
            (Some(found), true) => Ok(found),
            (Some(_), false) => Err(Refused::new(path, "two functions of this name")),
            (None, _) => Err(Refused::new(path, "no function of this name is in the files of the manifest")),
        }
    }

    fn with_body(&self, mut of: Function, module: &str, signature: &Signature, block: &Block) -> Result<Function, Refused> {
        (of.module, of.signature, of.block) = (module.into(), signature.clone(), block.clone());
        self.parameters(module, &signature.generics, &mut of)?;
        Ok(of)
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
        let (owner, name) = split(&of.path);
        // Of algorithms the paper as well.
        let prefix = match (last(split(owner).0), last(owner)) {
            (paper, short) if short.starts_with("algorithm_") => format!("{paper}_{short}"),
            (_, short) => short.to_owned(),
        };
        if of.signature.unsafety.is_some() || of.signature.asyncness.is_some() || of.signature.constness.is_some() {
            return self.refuse(&of.module, &of.signature, "a function that is const, async or unsafe");
        }
        let mut parameters = Vec::new();
        for (number, input) in of.signature.inputs.iter().enumerate() {
            parameters.push(match (input, &of.this) {
                (FnArg::Receiver(it), Some(this)) if it.mutability.is_none() => ("self".to_owned(), this.clone()),
                (FnArg::Receiver(_), _) => return self.refuse(&of.module, input, "a method that changes what it is called on"),
                (FnArg::Typed(it), _) => {
                    let name = if let Pat::Ident(it) = &*it.pat { it.ident.to_string() } else { format!("p{number}") };
                    (name, self.ty(&of.module, &it.ty, of)?)
                }
            });
        }
        let result = match &of.signature.output {
            ReturnType::Type(_, ty) => self.ty(&of.module, ty, of)?,
            ReturnType::Default => Ty::Unit,
        };
        Ok(Callable { name: format!("{prefix}_{name}"), laws: of.laws.clone(), parameters, result })
    }
}

impl Function {
    /// Of no signature and no body yet: to see types from a module.
    pub fn nothing(path: &str, module: &str) -> Self {
        Function {
            path: path.into(),
            module: module.into(),
            signature: syn::parse_quote!(fn nothing()),
            block: syn::parse_quote!({}),
            this: None,
            laws: vec![],
            sources: vec![],
            outcome: None,
        }
    }
}
