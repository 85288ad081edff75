//! Expressions: what each operation of Rust is in `Rust.v`. Whatever is not in these tables is refused.

use crate::body::{Body, Found, Lines, Term, strict};
use crate::declarations::{Callable, segments};
use crate::translator::safe;
use crate::types::{Ty, last, split};
use quote::ToTokens;
use syn::{BinOp, Expr, ExprClosure, Lit, UnOp};

impl Body<'_, '_> {
    /// The value of an expression; a function is run.
    pub fn value(&mut self, it: &Expr, wanted: Option<&Ty>, lines: &mut Lines) -> Found<(String, Ty)> {
        match self.term(it, wanted, lines)? {
            Term::Pure(term, ty) => Ok((term, ty)),
            Term::Run(run, ty) => Ok((self.bound(format!("call ({run})"), lines), ty)),
        }
    }

    /// The value of an expression that is to have this type.
    pub fn fitting(&mut self, it: &Expr, wanted: &Ty, lines: &mut Lines) -> Found<(String, Ty)> {
        match self.value(it, Some(wanted), lines)? {
            (term, ty) if ty.fits(wanted) => Ok((term, ty)),
            _ => self.refuse(it, "a value of another type"),
        }
    }

    fn values(&mut self, all: &[&Expr], wanted: Option<&Ty>, lines: &mut Lines) -> Found<Vec<(String, Ty)>> {
        all.iter().map(|it| self.value(it, wanted, lines)).collect()
    }

    /// A name for what a step gives.
    fn bound(&mut self, step: String, lines: &mut Lines) -> String {
        let name = self.fresh();
        lines.push(format!("let* {name} := {step} in"));
        name
    }

    /// An expression, with the lines that come before it.
    pub fn term(&mut self, it: &Expr, wanted: Option<&Ty>, lines: &mut Lines) -> Found<Term> {
        match it {
            Expr::Lit(it) => self.literal(it),
            Expr::Paren(it) => self.term(&it.expr, wanted, lines),
            Expr::Group(it) => self.term(&it.expr, wanted, lines),
            Expr::Reference(it) if it.mutability.is_none() => self.term(&it.expr, wanted, lines),
            Expr::Path(it) => self.path(it, wanted),
            Expr::Unary(it) => {
                let (value, ty) = self.value(&it.expr, wanted, lines)?;
                match (&it.op, &ty) {
                    (UnOp::Deref(_), _) => Ok(Term::Pure(value, ty)),
                    (UnOp::Not(_), Ty::Bool) => Ok(Term::Pure(format!("(negb {value})"), ty)),
                    (UnOp::Neg(_), Ty::BigInt | Ty::Literal) => Ok(Term::Pure(format!("(- {value})"), ty)),
                    _ => self.refuse(it, "an operation that is not known"),
                }
            }
            Expr::Binary(it) => self.binary(it, lines),
            Expr::Try(it) => self.question(it, wanted, lines),
            Expr::Cast(it) => {
                let to = self.translator.world.ty(&self.of.module, &it.ty, self.of)?;
                let (value, ty) = self.value(&it.expr, None, lines)?;
                match (&ty, &to) {
                    (Ty::Word(_, false), Ty::Word(width, false)) => Ok(Term::Pure(format!("(cast {width} {value})"), to)),
                    _ => self.refuse(it, "a cast that is not known"),
                }
            }
            Expr::Tuple(it) if it.elems.is_empty() => Ok(Term::Pure("tt".into(), Ty::Unit)),
            Expr::Tuple(it) => {
                let (mut terms, mut types) = (vec![], vec![]);
                for (place, it) in it.elems.iter().enumerate() {
                    let wanted = if let Some(Ty::Tuple(of)) = wanted { of.get(place) } else { None };
                    let (term, ty) = self.value(it, wanted, lines)?;
                    terms.push(term);
                    types.push(ty);
                }
                Ok(Term::Pure(format!("({})", terms.join(", ")), Ty::Tuple(types)))
            }
            Expr::Field(it) => self.field(it, lines),
            Expr::Index(it) => {
                let (list, ty) = self.value(&it.expr, None, lines)?;
                let Ty::List(of) = ty else {
                    return self.refuse(it, "an index into what is no list");
                };
                if it.index.to_token_stream().to_string() == ".." {
                    return Ok(Term::Pure(list, Ty::List(of)));
                }
                let (place, _) = self.fitting(&it.index, &Ty::Word(64, false), lines)?;
                Ok(Term::Pure(self.bound(format!("at_place {list} {place}"), lines), *of))
            }
            Expr::If(it) => self.conditional(it, wanted, lines),
            Expr::Range(it) => self.range(it, lines),
            Expr::Struct(it) => self.structure(it, lines),
            Expr::Call(it) => self.call(it, wanted, lines),
            Expr::MethodCall(it) => self.method(it, wanted, lines),
            _ => self.refuse(it, "an expression that is not known"),
        }
    }

    fn literal(&self, it: &syn::ExprLit) -> Found<Term> {
        match &it.lit {
            Lit::Bool(it) => Ok(Term::Pure(it.value.to_string(), Ty::Bool)),
            Lit::Str(it) if it.value().chars().all(|c| c.is_ascii() && c != '"' && !c.is_control()) => {
                Ok(Term::Pure(format!("\"{}\"%string", it.value()), Ty::Text))
            }
            Lit::Int(number) => {
                let ty = match number.suffix() {
                    "" => Ty::Literal,
                    "u32" => Ty::Word(32, false),
                    "u64" | "usize" => Ty::Word(64, false),
                    _ => return self.refuse(it, "a number of a type that is not known"),
                };
                Ok(Term::Pure(number.base10_digits().into(), ty))
            }
            _ => self.refuse(it, "a literal that is not known"),
        }
    }

    fn path(&mut self, it: &syn::ExprPath, wanted: Option<&Ty>) -> Found<Term> {
        if let Some(name) = it.path.get_ident() {
            let name = name.to_string();
            if let Some(found) = self.variable(&name) {
                if found.ty == Ty::Never || found.ty == Ty::Coins {
                    return self.refuse(it, "a closure or coins as a value");
                }
                return Ok(Term::Pure(safe(&name), found.ty.clone()));
            }
            if name == "None" {
                let Some(Ty::Option(_)) = wanted else {
                    return self.refuse(it, "None of a type that is not said");
                };
                return Ok(Term::Pure("None".into(), wanted.cloned().unwrap_or(Ty::Unit)));
            }
        }
        self.refuse(it, "a name that is no variable")
    }

    fn binary(&mut self, it: &syn::ExprBinary, lines: &mut Lines) -> Found<Term> {
        let left = self.value(&it.left, None, lines)?;
        if matches!(it.op, BinOp::And(_) | BinOp::Or(_)) {
            let mut after = Lines::new();
            let (right, _) = self.fitting(&it.right, &Ty::Bool, &mut after)?;
            if left.1 != Ty::Bool {
                return self.refuse(it, "`&&` or `||` of what is not bool");
            }
            let (and, left) = (matches!(it.op, BinOp::And(_)), left.0);
            if after.is_empty() {
                let op = if and { "&&" } else { "||" };
                return Ok(Term::Pure(format!("({left} {op} {right})"), Ty::Bool));
            }
            // The right side does something, and only where the left does not decide.
            let right = format!("({} val {right})", after.join(" "));
            let (yes, no) = if and { (right.as_str(), "val false") } else { ("val true", right.as_str()) };
            return Ok(Term::Pure(self.bound(format!("(if {left} : bool then {yes} else {no})"), lines), Ty::Bool));
        }
        let right = self.value(&it.right, None, lines)?;
        let (term, ty) = self.operation(it, &it.op, left, right, lines)?;
        Ok(Term::Pure(term, ty))
    }

    /// A sum, a product, a comparison: by the types of both sides.
    pub fn operation(
        &mut self,
        it: &impl ToTokens,
        op: &BinOp,
        (a, of_a): (String, Ty),
        (b, of_b): (String, Ty),
        lines: &mut Lines,
    ) -> Found<(String, Ty)> {
        use BinOp::*;
        let (name, sum) = match op {
            Add(_) => ("rational_add", "+"),
            Sub(_) => ("rational_sub", "-"),
            Mul(_) => ("rational_mul", "*"),
            _ => ("", ""),
        };
        if let Shl(_) = op {
            return match (&of_a, &of_b) {
                (Ty::BigInt | Ty::BigUint, Ty::Word(_, false) | Ty::Literal) => Ok((format!("(Z.shiftl {a} {b})"), of_a)),
                (Ty::Literal, Ty::Literal) => match (a.parse::<u32>(), b.parse::<u32>()) {
                    (Ok(1), Ok(b)) if b < 31 => Ok(((1u32 << b).to_string(), Ty::Literal)),
                    _ => self.refuse(it, "a shift that is not known"),
                },
                _ => self.refuse(it, "a shift that is not known"),
            };
        }
        if let Some(found) = comparison(op, &a, &b, &of_a, &of_b) {
            return Ok((found, Ty::Bool));
        }
        let (b, of_b) = match (&of_a, of_b) {
            (Ty::Rational, Ty::BigInt) => (format!("(Rational {b} 1)"), Ty::Rational),
            (_, of_b) => (b, of_b),
        };
        let ty = match (of_a, of_b) {
            (x, y) if x == y && x != Ty::Literal => x,
            (x, Ty::Literal) | (Ty::Literal, x) if x.is_integer() && x != Ty::Literal => x,
            (Ty::BigUint, Ty::Word(_, false)) => Ty::BigUint,
            (Ty::BigInt, Ty::Word(..)) => Ty::BigInt,
            _ => return self.refuse(it, "an operation on these types"),
        };
        let step = match (&ty, op) {
            (Ty::Rational, _) if !name.is_empty() => return Ok((format!("({name} {a} {b})"), ty)),
            (Ty::BigInt, _) | (Ty::BigUint, Add(_) | Mul(_)) if !sum.is_empty() => return Ok((format!("({a} {sum} {b})"), ty)),
            (Ty::BigUint | Ty::Word(_, false), Sub(_)) => format!("natural_sub {a} {b}"),
            (Ty::BigInt | Ty::BigUint, Div(_)) => format!("big_div {a} {b}"),
            (Ty::Rational, Div(_)) => format!("rational_div {a} {b}"),
            (Ty::Word(width, false), _) if !sum.is_empty() => format!("fits {width} ({a} {sum} {b})"),
            _ => return self.refuse(it, "an operation on these types"),
        };
        Ok((self.bound(step, lines), ty))
    }

    /// The operator `?`.
    fn question(&mut self, it: &syn::ExprTry, wanted: Option<&Ty>, lines: &mut Lines) -> Found<Term> {
        if !matches!(self.result, Ty::Result(_)) {
            return self.refuse(it, "`?` in a function that returns no Result");
        }
        let wanted = wanted.map(|ty| Ty::Result(Box::new(ty.clone())));
        let (step, ty) = match self.term(&it.expr, wanted.as_ref(), lines)? {
            Term::Pure(term, ty) => (format!("try {term}"), ty),
            Term::Run(run, ty) => (format!("ask ({run})"), ty),
        };
        let Ty::Result(of) = ty else {
            return self.refuse(it, "`?` of what is no Result");
        };
        Ok(Term::Pure(self.bound(step, lines), *of))
    }

    fn field(&mut self, it: &syn::ExprField, lines: &mut Lines) -> Found<Term> {
        let (value, ty) = self.value(&it.base, None, lines)?;
        match (&ty, &it.member) {
            (Ty::Named(path, of), syn::Member::Named(name)) => {
                let fields = self.translator.structure(path)?;
                let Some((_, ty)) = fields.iter().find(|(field, _)| name == field) else {
                    return self.refuse(it, "a field that is not there");
                };
                Ok(Term::Pure(format!("({}_{name} {value})", last(path)), with_laws(ty, of)))
            }
            (Ty::Tuple(of), syn::Member::Unnamed(place)) if of.len() == 2 => {
                let (name, ty) = if place.index == 0 { ("fst", &of[0]) } else { ("snd", &of[1]) };
                Ok(Term::Pure(format!("({name} {value})"), ty.clone()))
            }
            _ => self.refuse(it, "a field of this type"),
        }
    }

    /// `if` as a value. Both sides are values; what they do is done on the side that is taken.
    fn conditional(&mut self, it: &syn::ExprIf, wanted: Option<&Ty>, lines: &mut Lines) -> Found<Term> {
        let Some((_, other)) = &it.else_branch else {
            return self.refuse(it, "if without else, as a value");
        };
        let (Expr::Block(other), false) = (&**other, matches!(&*it.cond, Expr::Let(_))) else {
            return self.refuse(it, "else if, or if let, as a value");
        };
        let (condition, _) = self.fitting(&it.cond, &Ty::Bool, lines)?;
        if let ([syn::Stmt::Expr(yes, None)], [syn::Stmt::Expr(no, None)]) = (&it.then_branch.stmts[..], &other.block.stmts[..]) {
            let (mut before_yes, mut before_no) = (Lines::new(), Lines::new());
            let (yes, ty) = self.value(yes, wanted, &mut before_yes)?;
            let (no, of_no) = self.value(no, wanted, &mut before_no)?;
            if !(ty.fits(&of_no) || of_no.fits(&ty)) {
                return self.refuse(it, "two sides of two types");
            }
            let ty = if ty.fits(&of_no) { of_no } else { ty };
            if before_yes.is_empty() && before_no.is_empty() {
                return Ok(Term::Pure(format!("(if {condition} : bool then {yes} else {no})"), ty));
            }
            let (yes, no) = (format!("({} val {yes})", before_yes.join(" ")), format!("({} val {no})", before_no.join(" ")));
            return Ok(Term::Pure(self.bound(format!("(if {condition} : bool then {yes} else {no})"), lines), ty));
        }
        self.refuse(it, "an if whose sides are not one value each")
    }

    /// `0..n`, of usize.
    fn range(&mut self, it: &syn::ExprRange, lines: &mut Lines) -> Found<Term> {
        let (Some(from), Some(to), syn::RangeLimits::HalfOpen(_)) = (&it.start, &it.end, &it.limits) else {
            return self.refuse(it, "a range without an end");
        };
        if from.to_token_stream().to_string() != "0" {
            return self.refuse(it, "a range that does not begin with 0");
        }
        let (to, ty) = self.value(to, None, lines)?;
        if !matches!(ty, Ty::Word(_, false)) {
            return self.refuse(it, "a range of another type");
        }
        Ok(Term::Pure(format!("(range {to})"), Ty::List(Box::new(ty))))
    }

    fn structure(&mut self, it: &syn::ExprStruct, lines: &mut Lines) -> Found<Term> {
        if it.rest.is_some() {
            return self.refuse(it, "a struct from another");
        }
        let path = self.called(&segments(&it.path))?;
        let fields = self.translator.structure(&path)?;
        let (mut terms, mut laws) = (vec![String::new(); fields.len()], vec![]);
        // Evaluated in the order in which they are written, and put in the order of the declaration.
        for field in &it.fields {
            let name = field.member.to_token_stream().to_string();
            let Some(place) = fields.iter().position(|(it, _)| *it == name) else {
                return self.refuse(field, "a field that is not there");
            };
            let term = match &fields[place].1 {
                Ty::Law(_) => {
                    let (term, ty) = self.value(&field.expr, None, lines)?;
                    laws.push(ty);
                    term
                }
                wanted => self.fitting(&field.expr, wanted, lines)?.0,
            };
            terms[place] = term;
        }
        if terms.iter().any(String::is_empty) {
            return self.refuse(it, "a field without a value");
        }
        let terms: String = terms.iter().map(|it| format!(" {it}")).collect();
        Ok(Term::Pure(format!("(make_{}{terms})", last(&path)), Ty::Named(path, laws)))
    }

    fn call(&mut self, it: &syn::ExprCall, wanted: Option<&Ty>, lines: &mut Lines) -> Found<Term> {
        let Expr::Path(function) = &*it.func else {
            return self.refuse(it, "a call of what is no name");
        };
        let names = segments(&function.path);
        if names.len() == 1 && self.variable(&names[0]).is_some() {
            return self.refuse(it, "a call of a closure");
        }
        let whole = self.called(&names)?;
        let arguments: Vec<&Expr> = it.args.iter().collect();
        if let Some(found) = self.known(it, &whole, &arguments, wanted, lines)? {
            return Ok(found);
        }
        self.run(it, &whole, None, &arguments, lines)
    }

    /// The path of a function or a type, through `Self` and the aliases of types.
    fn called(&self, names: &[String]) -> Found<String> {
        let (module, world) = (&self.of.module, self.translator.world);
        let whole = match (names[0].as_str(), &self.of.this) {
            ("Self", Some(Ty::Named(path, _))) => [&[path.clone()][..], &names[1..]].concat().join("::"),
            _ => world.resolve(module, names)?,
        };
        let (owner, name) = split(&whole);
        Ok(if world.alias(owner)? == Some(Ty::Rational) { format!("num_rational::BigRational::{name}") } else { whole })
    }

    /// The functions of other crates and the constructors that are known.
    fn known(
        &mut self,
        it: &syn::ExprCall,
        whole: &str,
        arguments: &[&Expr],
        wanted: Option<&Ty>,
        lines: &mut Lines,
    ) -> Found<Option<Term>> {
        if !["num_", "std::", "crate::error::Error::"].iter().any(|known| whole.starts_with(known)) {
            return Ok(None);
        }
        let inside = match (whole, wanted) {
            ("std::Ok", Some(Ty::Result(of))) | ("std::Some", Some(Ty::Option(of))) => Some((**of).clone()),
            ("std::Err", _) => Some(Ty::Error),
            _ if whole.starts_with("num_rational::") => Some(Ty::BigInt),
            _ => None,
        };
        let found = self.values(arguments, inside.as_ref(), lines)?;
        let text: Vec<(&str, &Ty)> = found.iter().map(|(term, ty)| (term.as_str(), ty)).collect();
        let (term, ty) = match (whole, &text[..]) {
            ("std::Ok", [(a, ty)]) => (format!("(Ok {a})"), Ty::Result(Box::new(settled(ty, inside.as_ref())))),
            ("std::Some", [(a, ty)]) => (format!("(Some {a})"), Ty::Option(Box::new(settled(ty, inside.as_ref())))),
            ("std::Err", [(a, Ty::Error)]) => (format!("(Err {a})"), wanted.cloned().unwrap_or(Ty::Never)),
            ("crate::error::Error::OutOfRange", [(a, Ty::Text)]) => (format!("(\"OutOfRange\"%string, {a})"), Ty::Error),
            ("num_bigint::BigUint::zero", []) => ("0".into(), Ty::BigUint),
            ("num_bigint::BigInt::zero", []) => ("0".into(), Ty::BigInt),
            ("num_bigint::BigInt::one", []) => ("1".into(), Ty::BigInt),
            ("num_bigint::BigInt::from", [(a, ty)]) if ty.is_integer() => ((*a).into(), Ty::BigInt),
            ("num_bigint::BigUint::from", [(a, Ty::Word(_, false) | Ty::BigUint)]) => ((*a).into(), Ty::BigUint),
            ("std::u64::from", [(a, Ty::Word(32, false))]) => ((*a).into(), Ty::Word(64, false)),
            ("num_rational::BigRational::one", []) => ("(Rational 1 1)".into(), Ty::Rational),
            ("num_rational::BigRational::zero", []) => ("(Rational 0 1)".into(), Ty::Rational),
            ("num_rational::BigRational::new_raw", [(a, Ty::BigInt), (b, Ty::BigInt)]) => (format!("(Rational {a} {b})"), Ty::Rational),
            ("num_rational::BigRational::new", [(a, Ty::BigInt), (b, Ty::BigInt)]) => {
                (self.bound(format!("rational_new {a} {b}"), lines), Ty::Rational)
            }
            ("num_rational::BigRational::from_integer" | "num_rational::BigRational::from", [(a, Ty::BigInt)]) => {
                (format!("(Rational {a} 1)"), Ty::Rational)
            }
            ("std::Vec::new", []) => match wanted {
                Some(ty @ Ty::List(_)) => ("[]".into(), ty.clone()),
                _ => return self.refuse(it, "a vector whose type is not said"),
            },
            _ => return self.refuse(it, &format!("the function {whole}")),
        };
        Ok(Some(Term::Pure(term, ty)))
    }

    /// A run of a translated or an opaque function.
    fn run(
        &mut self,
        it: &impl ToTokens,
        path: &str,
        receiver: Option<(String, Ty)>,
        arguments: &[&Expr],
        lines: &mut Lines,
    ) -> Found<Term> {
        let callable = self.translator.function(path)?;
        let mut found: Vec<(String, Ty)> = receiver.into_iter().collect();
        if found.len() + arguments.len() != callable.parameters.len() {
            return self.refuse(it, "another number of arguments");
        }
        for ((_, wanted), argument) in callable.parameters[found.len()..].iter().zip(arguments) {
            found.push(match (self.is_coins(argument), *wanted == Ty::Coins) {
                (true, true) => (String::new(), Ty::Coins),
                (false, false) => self.value(argument, Some(wanted), lines)?,
                _ => return self.refuse(it, "coins for another number of arguments"),
            });
        }
        let (mut terms, mut laws) = (String::new(), vec![]);
        for ((term, ty), (_, wanted)) in found.iter().zip(&callable.parameters) {
            match (ty, wanted) {
                (_, Ty::Coins) => continue,
                (Ty::Named(a, of), Ty::Named(b, _)) if a == b => laws.extend(of.iter().cloned()),
                (ty, wanted) if ty.fits(wanted) || (*wanted == Ty::BigInt && ty.is_integer()) => {}
                _ => return self.refuse(it, &format!("a value of another type: {ty:?} for {wanted:?}")),
            }
            terms.push_str(&format!(" {term}"));
        }
        if self.translator.opaque.contains(path) && !callable.draws() {
            return Ok(Term::Run(format!("Ret ({}{terms})", callable.name), callable.result));
        }
        let called = self.with_samplers(it, &callable, &laws)?;
        Ok(Term::Run(format!("{called} F{terms}"), callable.result))
    }

    /// A function, and for each law that is a parameter of it a sampler.
    fn with_samplers(&mut self, it: &impl ToTokens, callable: &Callable, laws: &[Ty]) -> Found<String> {
        let mut text = callable.name.clone();
        for (law, (_, method)) in laws.iter().zip(&callable.laws) {
            text.push_str(&format!(" {}", self.sampler(it, law, method)?));
        }
        Ok(text)
    }

    /// The sampler of a law, as a function of fuel and law.
    fn sampler(&mut self, it: &impl ToTokens, law: &Ty, method: &str) -> Found<String> {
        match law {
            Ty::Law(name) => Ok(format!("{name}_{method}")),
            Ty::Named(path, of) => {
                let callable = self.translator.function(&format!("{path}::{method}"))?;
                Ok(format!("({})", self.with_samplers(it, &callable, of)?))
            }
            _ => self.refuse(it, "what is no law"),
        }
    }

    fn is_coins(&self, it: &Expr) -> bool {
        let Expr::Path(path) = it else { return false };
        path.path.get_ident().is_some_and(|name| self.variable(&name.to_string()).is_some_and(|it| it.ty == Ty::Coins))
    }

    fn method(&mut self, it: &syn::ExprMethodCall, wanted: Option<&Ty>, lines: &mut Lines) -> Found<Term> {
        if it.turbofish.is_some() {
            return self.refuse(it, "a method with types");
        }
        let name = it.method.to_string();
        if self.is_coins(&it.receiver) {
            return self.of_coins(it, &name, lines);
        }
        if name == "collect"
            && let Expr::MethodCall(map) = &*it.receiver
            && map.method == "map"
        {
            return match map.args.first() {
                Some(Expr::Closure(closure)) => self.collected(map, closure, lines),
                Some(Expr::Path(into)) if segments(&into.path) == ["Into", "into"] => {
                    let integers = Ty::List(Box::new(Ty::BigInt));
                    Ok(Term::Pure(self.fitting(&map.receiver, &integers, lines)?.0, integers))
                }
                _ => self.refuse(map, "a map that is not known"),
            };
        }
        let (receiver, ty) = self.value(&it.receiver, None, lines)?;
        let arguments: Vec<&Expr> = it.args.iter().collect();
        if let Ty::Named(path, _) = &ty {
            let path = path.clone();
            if name == "clone" && arguments.is_empty() {
                return Ok(Term::Pure(receiver, ty));
            }
            return self.run(it, &format!("{path}::{name}"), Some((receiver, ty)), &arguments, lines);
        }
        // A law that is a parameter has one method, which is an argument of the function in Coq.
        if let (Ty::Law(law), [before @ .., coins]) = (&ty, &arguments[..])
            && self.is_coins(coins)
        {
            let (dimension, of) = match (name.as_str(), before) {
                ("sample", []) => (String::new(), Ty::BigInt),
                ("draw_vector", [dimension]) => {
                    (format!(" {}", self.fitting(dimension, &Ty::Word(64, false), lines)?.0), Ty::List(Box::new(Ty::BigInt)))
                }
                _ => return self.refuse(it, "a method of a law that is not known"),
            };
            return Ok(Term::Run(format!("{law}_{name} F {receiver}{dimension}"), Ty::Result(Box::new(of))));
        }
        let found = self.values(&arguments, None, lines)?;
        let text: Vec<(&str, &Ty)> = found.iter().map(|(term, ty)| (term.as_str(), ty)).collect();
        self.operation_named(it, &name, (receiver, ty), &text, wanted, lines)
    }

    /// The methods of other crates and of the standard library that are known.
    fn operation_named(
        &mut self,
        it: &syn::ExprMethodCall,
        name: &str,
        (a, ty): (String, Ty),
        of: &[(&str, &Ty)],
        wanted: Option<&Ty>,
        lines: &mut Lines,
    ) -> Found<Term> {
        let same = ty.clone();
        let word = Ty::Word(64, false);
        let (term, ty) = match (&ty, name, of) {
            (Ty::BigInt | Ty::BigUint | Ty::Rational | Ty::Word(..) | Ty::List(_) | Ty::Bool, "clone", []) => (a, same),
            (Ty::BigUint | Ty::Word(..) | Ty::BigInt | Ty::Literal, "into", []) => match wanted {
                Some(Ty::BigInt) => (a, Ty::BigInt),
                Some(Ty::BigUint) if matches!(ty, Ty::BigUint | Ty::Word(_, false)) => (a, Ty::BigUint),
                Some(Ty::Rational) if ty == Ty::BigInt => (format!("(Rational {a} 1)"), Ty::Rational),
                _ => return self.refuse(it, "into a type that is not known"),
            },
            (Ty::BigInt | Ty::BigUint, "is_zero", []) => (format!("({a} =? 0)"), Ty::Bool),
            (Ty::BigInt, "is_negative", []) => (format!("({a} <? 0)"), Ty::Bool),
            (Ty::BigInt, "is_positive", []) => (format!("(0 <? {a})"), Ty::Bool),
            (Ty::BigInt, "abs", []) => (format!("(Z.abs {a})"), same),
            (Ty::BigInt, "magnitude", []) => (format!("(Z.abs {a})"), Ty::BigUint),
            (Ty::BigUint, "bits", []) => (format!("(number_of_bits {a})"), word),
            (Ty::BigInt, "bit", [(b, b_ty)]) if b_ty.fits(&word) => (format!("(Z.testbit {a} {b})"), Ty::Bool),
            (Ty::BigInt, "div_rem", [(b, Ty::BigInt)]) => {
                (self.bound(format!("big_div_rem {a} {b}"), lines), Ty::Tuple(vec![Ty::BigInt, Ty::BigInt]))
            }
            (Ty::BigInt | Ty::BigUint, "sqrt", []) => (self.bound(format!("big_sqrt {a}"), lines), same),
            (Ty::Word(..), "min", [(b, b_ty)]) if b_ty.fits(&same) => (format!("(Z.min {a} {b})"), same),
            (Ty::Rational, "is_positive", []) => (format!("(rational_is_positive {a})"), Ty::Bool),
            (Ty::Rational, "is_negative", []) => (format!("(rational_is_negative {a})"), Ty::Bool),
            (Ty::Rational, "numer", []) => (format!("(numer {a})"), Ty::BigInt),
            (Ty::Rational, "denom", []) => (format!("(denom {a})"), Ty::BigInt),
            (Ty::Rational, "recip", []) => (self.bound(format!("rational_recip {a}"), lines), same),
            (Ty::Rational, "floor", []) => (format!("(rational_floor {a})"), same),
            (Ty::Rational, "to_integer", []) => (self.bound(format!("big_div (numer {a}) (denom {a})"), lines), Ty::BigInt),
            (Ty::Rational, "pow", [("2", Ty::Literal)]) => (format!("(rational_mul {a} {a})"), same),
            (Ty::Bool, "then_some", [(b, b_ty)]) => {
                (format!("(if {a} : bool then Some {b} else None)"), Ty::Option(Box::new((*b_ty).clone())))
            }
            (Ty::Option(of_it), "ok_or", [(b, Ty::Error)]) => (format!("(ok_or {a} {b})"), Ty::Result(of_it.clone())),
            (Ty::Option(of_it), "unwrap_or", [(b, b_ty)]) if b_ty.fits(of_it) => (format!("(unwrap_or {a} {b})"), (**of_it).clone()),
            (Ty::List(_), "iter" | "into_iter", []) => (a, same),
            (Ty::List(_), "len", []) => (format!("(Z.of_nat (length {a}))"), word),
            (Ty::List(x), "zip", [(b, Ty::List(y))]) => {
                (format!("(combine {a} {b})"), Ty::List(Box::new(Ty::Tuple(vec![(**x).clone(), (**y).clone()]))))
            }
            _ => return self.refuse(it, &format!("the method {name} of {ty:?}")),
        };
        Ok(Term::Pure(term, ty))
    }

    /// `list.map(|x| ...).collect()`: of values a list; of results of runs, a run up to the first error.
    fn collected(&mut self, map: &syn::ExprMethodCall, closure: &ExprClosure, lines: &mut Lines) -> Found<Term> {
        let (list, ty) = self.value(&map.receiver, None, lines)?;
        let inputs: Vec<_> = closure.inputs.iter().collect();
        let (Ty::List(of), [input], None) = (ty, &inputs[..], &closure.capture) else {
            return self.refuse(map, "a map that is not known");
        };
        let depth = self.scope.len();
        let bound = strict(self.bind(input, &of)?);
        let mut inside = Lines::new();
        let term = self.term(&closure.body, None, &mut inside)?;
        self.scope.truncate(depth);
        if !inside.is_empty() {
            return self.refuse(closure, "a closure of more than one step");
        }
        match term {
            Term::Pure(term, ty) if ty != Ty::Literal && !matches!(ty, Ty::Result(_)) => {
                Ok(Term::Pure(format!("(map (fun {bound} => {term}) {list})"), Ty::List(Box::new(ty))))
            }
            Term::Run(run, Ty::Result(ty)) => {
                let run = format!("collect_each {list} (fun {bound} => {run})");
                Ok(Term::Run(run, Ty::Result(Box::new(Ty::List(ty)))))
            }
            _ => self.refuse(closure, "a closure that is not known"),
        }
    }

    /// A method of the source of coins: `bits` is given, and everything else is the default of the trait, if it only hands on.
    fn of_coins(&mut self, it: &syn::ExprMethodCall, name: &str, lines: &mut Lines) -> Found<Term> {
        if name == "bits" && it.args.len() == 1 {
            let (count, _) = self.fitting(&it.args[0], &Ty::Word(32, false), lines)?;
            return Ok(Term::Run(format!("coins_bits F {count}"), Ty::Result(Box::new(Ty::Word(64, false)))));
        }
        let Some((signature, block)) = self.translator.world.default_of("crate::coins::Coins", name) else {
            return self.refuse(it, "a method of the coins without a default");
        };
        let parameter = match signature.inputs.iter().nth(1) {
            Some(syn::FnArg::Typed(it)) => it.pat.to_token_stream().to_string(),
            _ => String::new(),
        };
        let text = block.to_token_stream().to_string().replace(' ', "");
        let (Some(argument), 2, 1) = (it.args.first(), signature.inputs.len(), it.args.len()) else {
            return self.refuse(it, "another number of arguments");
        };
        if name == "draw" && text == format!("{{{parameter}.sample(self)}}") {
            let (law, ty) = self.value(argument, None, lines)?;
            let result = match &ty {
                Ty::Law(_) => Ty::Result(Box::new(Ty::BigInt)),
                Ty::Named(path, _) => self.translator.function(&format!("{path}::sample"))?.result,
                _ => return self.refuse(it, "a draw from what is no law"),
            };
            let sampler = self.sampler(it, &ty, "sample")?;
            return Ok(Term::Run(format!("{sampler} F {law}"), result));
        }
        if text == format!("{{layers::{name}(self,{parameter})}}") {
            let path = self.translator.world.resolve("crate::coins", &["layers".into(), name.into()])?;
            return self.run(it, &path, None, &[&it.receiver, argument], lines);
        }
        self.refuse(it, "a default of the coins that does more than hand on")
    }
}

/// The type of a value, with literals settled.
fn settled(ty: &Ty, wanted: Option<&Ty>) -> Ty {
    wanted.filter(|wanted| ty.fits(wanted)).unwrap_or(ty).clone()
}

/// The type of a field, with laws for the parameter of the struct.
fn with_laws(ty: &Ty, laws: &[Ty]) -> Ty {
    match (ty, laws) {
        (Ty::Law(_), [law]) => law.clone(),
        _ => ty.clone(),
    }
}

/// `==`, `<` and the like, of two integers, rationals or truths.
fn comparison(op: &BinOp, a: &str, b: &str, of_a: &Ty, of_b: &Ty) -> Option<String> {
    use BinOp::*;
    let integers = of_a.is_integer() && of_b.is_integer() && (of_a.fits(of_b) || of_b.fits(of_a));
    let (a, b) = if matches!(op, Gt(_) | Ge(_)) { (b, a) } else { (a, b) };
    let (equal, less, at_most) = match (of_a, of_b) {
        _ if integers => (format!("({a} =? {b})"), format!("({a} <? {b})"), format!("({a} <=? {b})")),
        (Ty::Rational, Ty::Rational) => (String::new(), format!("(rational_ltb {a} {b})"), format!("(rational_leb {a} {b})")),
        (Ty::Bool, Ty::Bool) => (format!("(Bool.eqb {a} {b})"), String::new(), String::new()),
        _ => return None,
    };
    let found = match op {
        Eq(_) | Ne(_) => equal,
        Lt(_) | Gt(_) => less,
        Le(_) | Ge(_) => at_most,
        _ => return None,
    };
    match op {
        _ if found.is_empty() => None,
        Ne(_) => Some(format!("(negb {found})")),
        _ => Some(found),
    }
}
