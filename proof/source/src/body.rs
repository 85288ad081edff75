//! The body of a function: its statements, in the order in which they are run.
//!
//! A step that may leave the function, panic or ask for coins is bound by `let*`; everything else is a term of Coq. A loop is a
//! function of the variables that it assigns.

use crate::Refused;
use crate::declarations::{Callable, Function};
use crate::translator::{Translator, safe};
use crate::types::{Ty, last};
use quote::ToTokens;
use std::collections::{BTreeSet, HashSet};
use syn::visit::Visit;
use syn::{Block, Expr, FnArg, Pat, Stmt};

/// Lines of Coq.
pub type Lines = Vec<String>;
/// What was found, or why not.
pub type Found<T> = Result<T, Refused>;

/// A variable that is in scope. A closure is known by the variables that it reads: it may stand where a variable is given.
#[derive(Clone)]
pub struct Variable {
    /// Its name in Rust.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    mutable: bool,
    closure: Option<BTreeSet<String>>,
}

/// A function whose body is being translated.
pub struct Body<'t, 'w> {
    /// What stands around it.
    pub translator: &'t mut Translator<'w>,
    /// The function.
    pub of: &'t Function,
    /// What it returns.
    pub result: Ty,
    /// What is in scope, the last first.
    pub scope: Vec<Variable>,
    fresh: usize,
}

/// How a block ends.
#[derive(Clone)]
pub enum End {
    /// With the value of the function.
    Tail,
    /// With the variables that a round of a loop assigns.
    Round(Vec<String>),
    /// With the variables that a branch assigns.
    Join(Vec<String>),
    /// With a value of this type.
    Value(Ty),
}

impl<'t, 'w> Body<'t, 'w> {
    /// The lines of a function.
    pub fn of(translator: &'t mut Translator<'w>, of: &'t Function, callable: &Callable) -> Found<Lines> {
        let mut body = Body { translator, of, result: callable.result.clone(), scope: vec![], fresh: 0 };
        let (mut lines, mut parameters) = (Lines::new(), callable.parameters.iter());
        for input in &of.signature.inputs {
            let ty = match input {
                FnArg::Receiver(_) => body.of.this.clone(),
                FnArg::Typed(it) => Some(body.translator.world.ty(&of.module, &it.ty, of)?),
            };
            if ty == Some(Ty::Coins) {
                let FnArg::Typed(it) = input else {
                    return body.refuse(input, "coins without a name");
                };
                body.bind(&it.pat, &Ty::Coins)?;
                continue;
            }
            let Some((name, ty)) = parameters.next() else {
                return body.refuse(input, "a parameter");
            };
            match input {
                FnArg::Receiver(_) => body.push("self", ty.clone(), false),
                FnArg::Typed(it) if matches!(&*it.pat, Pat::Ident(_)) => {
                    body.bind(&it.pat, ty)?;
                }
                FnArg::Typed(it) => {
                    let pattern = body.bind(&it.pat, ty)?;
                    lines.push(format!("let '{pattern} := {name} in"));
                }
            }
        }
        lines.extend(body.statements(&of.block.stmts, &End::Tail)?);
        Ok(lines)
    }

    /// A refusal, with file and line.
    pub fn refuse<T>(&self, it: &impl ToTokens, why: &str) -> Found<T> {
        let file = self.translator.world.modules.get(&self.of.module).map_or("", |it| it.file.as_str());
        Err(Refused::at(file, it, &format!("{}: {why}", last(&self.of.path))))
    }

    /// A name that no variable of Rust has in Coq.
    pub fn fresh(&mut self) -> String {
        self.fresh += 1;
        format!("t{}", self.fresh)
    }

    fn push(&mut self, name: &str, ty: Ty, mutable: bool) {
        self.scope.push(Variable { name: name.into(), ty, mutable, closure: None });
    }

    /// The variable of a name.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.scope.iter().rev().find(|it| it.name == name)
    }

    /// Binds the names of a pattern, and writes it.
    pub fn bind(&mut self, pattern: &Pat, ty: &Ty) -> Found<String> {
        match (pattern, ty) {
            (Pat::Ident(it), _) if it.by_ref.is_none() && it.subpat.is_none() && it.attrs.is_empty() => {
                let name = it.ident.to_string();
                if self.translator.is_taken(&name) {
                    return self.refuse(pattern, "a variable with the name of a translated function");
                }
                if *ty == Ty::Literal {
                    return self.refuse(pattern, "a number whose type is not said: write 0usize");
                }
                self.push(&name, ty.clone(), it.mutability.is_some());
                Ok(safe(&name))
            }
            (Pat::Wild(_), _) => Ok("_".into()),
            (Pat::Reference(it), _) if it.mutability.is_none() => self.bind(&it.pat, ty),
            (Pat::Paren(it), _) => self.bind(&it.pat, ty),
            (Pat::Tuple(syn::PatTuple { elems, .. }) | Pat::Slice(syn::PatSlice { elems, .. }), Ty::Tuple(of))
                if elems.len() == of.len() =>
            {
                let all: Found<Vec<_>> = elems.iter().zip(of).map(|(it, ty)| self.bind(it, ty)).collect();
                Ok(format!("({})", all?.join(", ")))
            }
            (Pat::Slice(it), Ty::List(of)) => {
                let all: Found<Vec<_>> = it.elems.iter().map(|it| self.bind(it, of)).collect();
                Ok(format!("[{}]", all?.join("; ")))
            }
            _ => self.refuse(pattern, "a pattern that is not known"),
        }
    }

    /// The statements of a block, in a scope of their own.
    pub fn block(&mut self, block: &Block, end: &End) -> Found<Lines> {
        let depth = self.scope.len();
        let lines = self.statements(&block.stmts, end);
        self.scope.truncate(depth);
        lines
    }

    fn statements(&mut self, statements: &[Stmt], end: &End) -> Found<Lines> {
        match statements {
            [] => self.end(end),
            [Stmt::Expr(it, None)] => self.last(it, end),
            [Stmt::Local(it), rest @ ..] => self.local(it, rest, end),
            [Stmt::Expr(it, _), rest @ ..] => self.step(it, rest, end),
            [other, ..] => self.refuse(other, "an item or a macro in a body"),
        }
    }

    fn end(&mut self, end: &End) -> Found<Lines> {
        match end {
            End::Tail if self.result == Ty::Unit => Ok(vec!["val tt".into()]),
            End::Round(variables) | End::Join(variables) => Ok(vec![format!("val {}", tuple(variables))]),
            End::Value(Ty::Unit) => Ok(vec!["val tt".into()]),
            _ => self.refuse(&self.of.signature.ident, "a block without a value"),
        }
    }

    /// The last expression of a block.
    fn last(&mut self, it: &Expr, end: &End) -> Found<Lines> {
        let is_step = matches!(it, Expr::While(_) | Expr::ForLoop(_) | Expr::Return(_) | Expr::Continue(_) | Expr::Loop(_));
        if is_step || matches!(end, End::Round(_) | End::Join(_)) {
            return self.step(it, &[], end);
        }
        let wanted = if let End::Value(ty) = end { ty.clone() } else { self.result.clone() };
        if let Expr::If(it) = it
            && let Some((_, other)) = &it.else_branch
            && !matches!(&*it.cond, Expr::Let(_))
        {
            let mut lines = Lines::new();
            let condition = self.condition(&it.cond, &mut lines)?;
            let Expr::Block(other) = &**other else {
                return self.refuse(other, "else if");
            };
            let (yes, no) = (self.block(&it.then_branch, end)?, self.block(&other.block, end)?);
            lines.extend(either(&condition, yes, no));
            return Ok(lines);
        }
        let mut lines = Lines::new();
        match self.term(it, Some(&wanted), &mut lines)? {
            Term::Pure(term, ty) if ty.fits(&wanted) => lines.push(format!("val {term}")),
            Term::Run(run, ty) if ty.fits(&wanted) => lines.push(format!("call ({run})")),
            _ => return self.refuse(it, "a value of another type"),
        }
        Ok(lines)
    }

    fn condition(&mut self, it: &Expr, lines: &mut Lines) -> Found<String> {
        match self.value(it, Some(&Ty::Bool), lines)? {
            (condition, Ty::Bool) => Ok(condition),
            _ => self.refuse(it, "no condition"),
        }
    }

    fn local(&mut self, it: &syn::Local, rest: &[Stmt], end: &End) -> Found<Lines> {
        let Some(init) = &it.init else {
            return self.refuse(it, "a variable without a value");
        };
        if !it.attrs.is_empty() {
            return self.refuse(it, "an attribute in a body");
        }
        let (pattern, ty) = match &it.pat {
            Pat::Type(typed) => (&*typed.pat, Some(self.translator.world.ty(&self.of.module, &typed.ty, self.of)?)),
            other => (other, None),
        };
        if let Some((_, other)) = &init.diverge {
            return self.let_else(pattern, &init.expr, other, rest, end);
        }
        let mut lines = Lines::new();
        if let Pat::Ident(name) = pattern {
            let name = name.ident.to_string();
            if let Expr::Closure(closure) = &*init.expr {
                let reads = self.reads(&Expr::Closure(closure.clone()))?;
                self.scope.push(Variable { name, ty: Ty::Never, mutable: false, closure: Some(reads) });
                return self.statements(rest, end);
            }
            // A vector that begins empty is filled by the loop that is given.
            let is_empty = init.expr.to_token_stream().to_string() == "Vec :: new ()";
            if let (Some(ty), false) = (self.given(&name)?, is_empty) {
                let term = self.given_call(&name, &init.expr, &ty)?;
                let bound = self.bind(pattern, &ty)?;
                lines.push(format!("let* {bound} := {term} in"));
                lines.extend(self.statements(rest, end)?);
                return Ok(lines);
            }
        }
        let (value, found) = self.value(&init.expr, ty.as_ref(), &mut lines)?;
        let ty = ty.unwrap_or_else(|| found.clone());
        if !found.fits(&ty) {
            return self.refuse(it, "a value of another type");
        }
        let bound = self.bind(pattern, &ty)?;
        let tick = if bound.starts_with('(') { "'" } else { "" };
        lines.push(format!("let {tick}{bound} := {value} in"));
        lines.extend(self.statements(rest, end)?);
        Ok(lines)
    }

    fn let_else(&mut self, pattern: &Pat, value: &Expr, other: &Expr, rest: &[Stmt], end: &End) -> Found<Lines> {
        let Expr::Block(other) = other else {
            return self.refuse(value, "let else");
        };
        if !ends_elsewhere(&other.block) {
            return self.refuse(value, "let else that goes on");
        }
        let mut lines = Lines::new();
        let otherwise = self.block(&other.block, end)?;
        let (term, ty) = self.value(value, None, &mut lines)?;
        let pattern = self.pattern_of_some(pattern, &ty)?;
        let then = self.statements(rest, end)?;
        lines.extend(matched(&term, &pattern, then, otherwise));
        Ok(lines)
    }

    /// `Some(pattern)`, or a slice of so many.
    fn pattern_of_some(&mut self, pattern: &Pat, ty: &Ty) -> Found<String> {
        match (pattern, ty) {
            (Pat::TupleStruct(it), Ty::Option(of)) if it.path.is_ident("Some") && it.elems.len() == 1 => {
                Ok(format!("Some {}", self.bind(&it.elems[0], of)?))
            }
            (Pat::Slice(_), Ty::List(_)) => self.bind(pattern, ty),
            _ => self.refuse(pattern, "a pattern that is not known"),
        }
    }

    /// A statement, and those after it.
    fn step(&mut self, it: &Expr, rest: &[Stmt], end: &End) -> Found<Lines> {
        match it {
            Expr::If(it) => self.branch(it, rest, end),
            Expr::Return(it) if rest.is_empty() => {
                let mut lines = Lines::new();
                let wanted = self.result.clone();
                let (value, ty) = match &it.expr {
                    Some(value) => self.value(value, Some(&wanted), &mut lines)?,
                    None => ("tt".into(), Ty::Unit),
                };
                if !ty.fits(&wanted) {
                    return self.refuse(it, "a value of another type");
                }
                lines.push(format!("leave {value}"));
                Ok(lines)
            }
            Expr::Continue(it) if rest.is_empty() && it.label.is_none() => match end {
                End::Round(variables) => Ok(vec![format!("val {}", tuple(variables))]),
                _ => self.refuse(it, "continue that is not the last of a round"),
            },
            Expr::Loop(it) if it.label.is_none() => {
                let variables = self.assigned(&it.body)?;
                let round = self.block(&it.body, &End::Round(variables.clone()))?;
                let mut lines = vec!["forever F".to_owned(), format!("  (fun {} =>", pattern(&variables))];
                lines.extend(indented(indented(round)));
                lines.push(format!("  ) {}", tuple(&variables)));
                Ok(lines)
            }
            Expr::While(_) | Expr::ForLoop(_) => self.rounds(it, rest, end),
            Expr::Assign(it) => {
                let mut lines = Lines::new();
                let (name, ty) = self.place(&it.left)?;
                let (value, found) = self.value(&it.right, Some(&ty), &mut lines)?;
                self.assign(it, &name, (&ty, value, &found), lines, rest, end)
            }
            Expr::Binary(it) if compound(&it.op).is_some() => {
                let mut lines = Lines::new();
                let (name, ty) = self.place(&it.left)?;
                let right = self.value(&it.right, Some(&ty), &mut lines)?;
                let op = compound(&it.op).unwrap_or(it.op);
                let (value, found) = self.operation(it, &op, (safe(&name), ty.clone()), right, &mut lines)?;
                self.assign(it, &name, (&ty, value, &found), lines, rest, end)
            }
            Expr::MethodCall(it) if it.method == "push" && it.args.len() == 1 => {
                let mut lines = Lines::new();
                let (name, ty) = self.place(&it.receiver)?;
                let Ty::List(of) = &ty else {
                    return self.refuse(it, "push to what is no vector");
                };
                let (value, found) = self.value(&it.args[0], Some(of), &mut lines)?;
                if !found.fits(of) {
                    return self.refuse(it, "a value of another type");
                }
                let value = format!("({} ++ [{value}])", safe(&name));
                self.assign(it, &name, (&ty, value, &ty), lines, rest, end)
            }
            Expr::MethodCall(it) if it.method == "clone_from" && it.args.len() == 1 => {
                let mut lines = Lines::new();
                let (name, ty) = self.place(&it.receiver)?;
                let (value, found) = self.value(&it.args[0], Some(&ty), &mut lines)?;
                self.assign(it, &name, (&ty, value, &found), lines, rest, end)
            }
            Expr::Try(_) => {
                let mut lines = Lines::new();
                let (_, ty) = self.value(it, Some(&Ty::Unit), &mut lines)?;
                if ty != Ty::Unit {
                    return self.refuse(it, "a value that is not used");
                }
                lines.extend(self.statements(rest, end)?);
                Ok(lines)
            }
            _ => self.refuse(it, "a statement that is not known"),
        }
    }

    fn assign(
        &mut self,
        it: &impl ToTokens,
        name: &str,
        (ty, value, found): (&Ty, String, &Ty),
        mut lines: Lines,
        rest: &[Stmt],
        end: &End,
    ) -> Found<Lines> {
        if !found.fits(ty) {
            return self.refuse(it, "a value of another type");
        }
        lines.push(format!("let {} := {value} in", safe(name)));
        lines.extend(self.statements(rest, end)?);
        Ok(lines)
    }

    /// A variable that may be assigned.
    fn place(&self, it: &Expr) -> Found<(String, Ty)> {
        if let Expr::Path(path) = it
            && let Some(name) = path.path.get_ident()
            && let Some(found) = self.variable(&name.to_string())
            && found.mutable
        {
            return Ok((name.to_string(), found.ty.clone()));
        }
        self.refuse(it, "an assignment to what is no variable of the function's own")
    }

    fn branch(&mut self, it: &syn::ExprIf, rest: &[Stmt], end: &End) -> Found<Lines> {
        let mut lines = Lines::new();
        let leaves = ends_elsewhere(&it.then_branch);
        if let Expr::Let(test) = &*it.cond {
            if it.else_branch.is_some() || !leaves {
                return self.refuse(it, "if let that goes on, or has an else");
            }
            let (term, ty) = self.value(&test.expr, None, &mut lines)?;
            let depth = self.scope.len();
            let pattern = self.pattern_of_some(&test.pat, &ty)?;
            let then = self.block(&it.then_branch, end)?;
            self.scope.truncate(depth);
            let otherwise = self.statements(rest, end)?;
            lines.extend(matched(&term, &pattern, then, otherwise));
            return Ok(lines);
        }
        let condition = self.condition(&it.cond, &mut lines)?;
        if leaves && it.else_branch.is_none() {
            let then = self.block(&it.then_branch, end)?;
            let otherwise = self.statements(rest, end)?;
            lines.extend(either(&condition, then, otherwise));
            return Ok(lines);
        }
        let mut variables = self.assigned(&it.then_branch)?;
        let other = match &it.else_branch {
            None => None,
            Some((_, other)) => match &**other {
                Expr::Block(other) => Some(&other.block),
                other => return self.refuse(other, "else if"),
            },
        };
        if let Some(other) = other {
            let more = self.assigned(other)?;
            variables.extend(more.into_iter().filter(|it| !variables.contains(it)).collect::<Vec<_>>());
        }
        let join = End::Join(variables.clone());
        let then = self.block(&it.then_branch, &join)?;
        let otherwise = match other {
            Some(other) => self.block(other, &join)?,
            None => vec![format!("val {}", tuple(&variables))],
        };
        lines.push(format!("let* {} := (", pattern(&variables)));
        lines.extend(indented(either(&condition, then, otherwise)));
        lines.push(") in".into());
        lines.extend(self.statements(rest, end)?);
        Ok(lines)
    }

    /// `while` and `for`.
    fn rounds(&mut self, it: &Expr, rest: &[Stmt], end: &End) -> Found<Lines> {
        let mut lines = Lines::new();
        match it {
            Expr::While(it) if it.label.is_none() && !matches!(&*it.cond, Expr::Let(_)) => {
                let variables = self.assigned(&it.body)?;
                let mut condition = Lines::new();
                let term = self.condition(&it.cond, &mut condition)?;
                condition.push(format!("val {term}"));
                let round = self.block(&it.body, &End::Round(variables.clone()))?;
                lines.push(format!("let* {} := while F", pattern(&variables)));
                lines.push(format!("  (fun {} =>", pattern(&variables)));
                lines.extend(indented(indented(condition)));
                lines.push(format!("  ) (fun {} =>", pattern(&variables)));
                lines.extend(indented(indented(round)));
                lines.push(format!("  ) {} in", tuple(&variables)));
            }
            Expr::ForLoop(it) if it.label.is_none() => {
                let variables = self.assigned(&it.body)?;
                if let [name] = &variables[..]
                    && let Some(ty) = self.given(name)?
                {
                    let term = self.given_call(name, &Expr::ForLoop(it.clone()), &ty)?;
                    lines.push(format!("let* {} := {term} in", safe(name)));
                    lines.extend(self.statements(rest, end)?);
                    return Ok(lines);
                }
                let (list, ty) = self.value(&it.expr, None, &mut lines)?;
                let Ty::List(of) = ty else {
                    return self.refuse(&it.expr, "for over what is no list");
                };
                let depth = self.scope.len();
                let element = self.bind(&it.pat, &of)?;
                let round = self.block(&it.body, &End::Round(variables.clone()))?;
                self.scope.truncate(depth);
                let tick = if element.starts_with('(') { "'" } else { "" };
                lines.push(format!("let* {} := each {list}", pattern(&variables)));
                lines.push(format!("  (fun {tick}{element} {} =>", pattern(&variables)));
                lines.extend(indented(indented(round)));
                lines.push(format!("  ) {} in", tuple(&variables)));
            }
            _ => return self.refuse(it, "a loop with a label, or while let"),
        }
        lines.extend(self.statements(rest, end)?);
        Ok(lines)
    }

    /// The variables around a block that it assigns, in the order of their declarations.
    fn assigned(&self, block: &Block) -> Found<Vec<String>> {
        let mut found = Assigned::default();
        found.visit_block(block);
        let both = found.assigned.intersection(&found.declared);
        if let Some(both) = both.into_iter().find(|name| self.variable(name).is_some()) {
            return self.refuse(&self.of.signature.ident, &format!("{both} is assigned and declared again in one block"));
        }
        let mut all: Vec<String> = Vec::new();
        for variable in &self.scope {
            if found.assigned.contains(&variable.name) && !all.contains(&variable.name) {
                all.push(variable.name.clone());
            }
        }
        Ok(all)
    }

    /// The type of a variable that is given, if the manifest says so.
    fn given(&self, name: &str) -> Found<Option<Ty>> {
        let key = (self.of.path.clone(), name.to_owned());
        let Some(ty) = self.translator.given.get(&key) else {
            return Ok(None);
        };
        self.translator.world.ty(&self.of.module, ty, self.of).map(Some)
    }

    /// The value of a variable that is given: some function of the variables that its expression reads.
    fn given_call(&mut self, name: &str, it: &Expr, ty: &Ty) -> Found<String> {
        self.translator.types_of(ty)?;
        let reads: Vec<String> = self.reads(it)?.into_iter().collect();
        let types: Vec<Ty> = reads.iter().filter_map(|it| self.variable(it)).map(|it| it.ty.clone()).collect();
        let (owner, function) = self.of.path.rsplit_once("::").unwrap_or(("", &self.of.path));
        let called = format!("{}_{function}_{name}", last(owner));
        self.translator.declare_given(&called, &types, ty)?;
        let arguments: String = reads.iter().map(|it| format!(" {}", safe(it))).collect();
        Ok(format!("call (Ret ({called}{arguments}))"))
    }

    /// The variables in scope that an expression reads, directly or through closures. It may not draw, leave or change them.
    fn reads(&self, it: &Expr) -> Found<BTreeSet<String>> {
        let mut found = Reads::default();
        found.visit_expr(it);
        if let Some(why) = found.refused {
            return self.refuse(it, &format!("{why}, where a variable is given"));
        }
        let mut all = BTreeSet::new();
        for name in found.names {
            let Some(variable) = self.variable(&name) else {
                continue;
            };
            if variable.ty == Ty::Coins {
                return self.refuse(it, "coins, where a variable is given");
            }
            match &variable.closure {
                Some(reads) => all.extend(reads.iter().cloned()),
                None => {
                    all.insert(name);
                }
            }
        }
        Ok(all)
    }
}

/// What a block assigns, and what it declares.
#[derive(Default)]
struct Assigned {
    assigned: BTreeSet<String>,
    declared: BTreeSet<String>,
}

impl Assigned {
    fn takes(&mut self, it: &Expr) {
        if let Expr::Path(it) = it
            && let Some(name) = it.path.get_ident()
        {
            self.assigned.insert(name.to_string());
        }
    }
}

impl<'a> Visit<'a> for Assigned {
    fn visit_expr(&mut self, it: &'a Expr) {
        match it {
            Expr::Assign(it) => self.takes(&it.left),
            Expr::Binary(it) if compound(&it.op).is_some() => self.takes(&it.left),
            Expr::MethodCall(it) if it.method == "push" || it.method == "clone_from" => self.takes(&it.receiver),
            _ => {}
        }
        syn::visit::visit_expr(self, it);
    }
    fn visit_pat_ident(&mut self, it: &'a syn::PatIdent) {
        self.declared.insert(it.ident.to_string());
    }
}

/// What an expression reads, and why it may not stand where a variable is given.
#[derive(Default)]
struct Reads {
    names: HashSet<String>,
    refused: Option<&'static str>,
}

impl<'a> Visit<'a> for Reads {
    fn visit_expr(&mut self, it: &'a Expr) {
        match it {
            Expr::Path(it) => {
                if let Some(name) = it.path.get_ident() {
                    self.names.insert(name.to_string());
                }
            }
            Expr::Return(_) | Expr::Try(_) | Expr::Unsafe(_) | Expr::Await(_) => self.refused = Some("a return or `?`"),
            Expr::Reference(it) if it.mutability.is_some() => self.refused = Some("a reference that is written through"),
            _ => {}
        }
        syn::visit::visit_expr(self, it);
    }
    fn visit_macro(&mut self, _: &'a syn::Macro) {
        self.refused = Some("a macro");
    }
}

/// A value, or a run of a translated function.
pub enum Term {
    /// A term of this type.
    Pure(String, Ty),
    /// A term of type `rust` of this type.
    Run(String, Ty),
}

/// `+` of `+=`.
pub fn compound(op: &syn::BinOp) -> Option<syn::BinOp> {
    use syn::BinOp::*;
    Some(match op {
        AddAssign(_) => Add(Default::default()),
        SubAssign(_) => Sub(Default::default()),
        MulAssign(_) => Mul(Default::default()),
        DivAssign(_) => Div(Default::default()),
        ShlAssign(_) => Shl(Default::default()),
        RemAssign(_) | BitXorAssign(_) | BitAndAssign(_) | BitOrAssign(_) | ShrAssign(_) => *op,
        _ => return None,
    })
}

/// Whether a block never goes on to what stands behind it.
fn ends_elsewhere(block: &Block) -> bool {
    matches!(block.stmts.last(), Some(Stmt::Expr(Expr::Return(_) | Expr::Continue(_), _)))
}

fn either(condition: &str, yes: Lines, no: Lines) -> Lines {
    let mut lines = vec![format!("if {condition} : bool then")];
    lines.extend(indented(yes));
    lines.push("else".into());
    lines.extend(no);
    lines
}

fn matched(term: &str, pattern: &str, then: Lines, otherwise: Lines) -> Lines {
    let mut lines = vec![format!("match {term} with {pattern} =>")];
    lines.extend(indented(then));
    lines.push("| _ =>".into());
    lines.extend(indented(otherwise));
    lines.push("end".into());
    lines
}

/// Two spaces before each line.
pub fn indented(lines: Lines) -> Lines {
    lines.into_iter().map(|line| format!("  {line}")).collect()
}

fn tuple(variables: &[String]) -> String {
    let all: Vec<String> = variables.iter().map(|it| safe(it)).collect();
    match &all[..] {
        [] => "tt".into(),
        [one] => one.clone(),
        _ => format!("({})", all.join(", ")),
    }
}

fn pattern(variables: &[String]) -> String {
    match variables {
        [] => "_".into(),
        [one] => safe(one),
        _ => format!("'{}", tuple(variables)),
    }
}
