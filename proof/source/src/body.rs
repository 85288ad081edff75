//! The body of a function: its statements, in the order in which they are run.
//!
//! A step that may leave the function, panic or ask for coins is bound by `let*`; everything else is a term of Coq. A loop is a
//! function of the variables that it assigns.

use crate::Refused;
use crate::declarations::{Callable, Function};
use crate::translator::{Translator, arrows, safe};
use crate::types::{Ty, last, split};
use quote::ToTokens;
use std::collections::BTreeSet;
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
}

impl End {
    /// The variables with which it ends, if it is no value.
    fn variables(&self) -> Option<&[String]> {
        match self {
            End::Round(variables) | End::Join(variables) => Some(variables),
            End::Tail => None,
        }
    }
}

impl<'t, 'w> Body<'t, 'w> {
    /// The lines of a function.
    pub fn of(translator: &'t mut Translator<'w>, of: &'t Function, callable: &Callable) -> Found<Lines> {
        let mut body = Body { translator, of, result: callable.result.clone(), scope: vec![], fresh: 0 };
        let (mut lines, mut found) = (Lines::new(), Assigned::default());
        found.visit_block(&of.block);
        if let Some((_, name)) = body.translator.given.keys().find(|(path, name)| *path == of.path && !found.declared.contains(name)) {
            return body.refuse(&of.signature.ident, &format!("the manifest gives {name}, which it does not declare"));
        }
        for (input, (name, ty)) in of.signature.inputs.iter().zip(&callable.parameters) {
            let FnArg::Typed(it) = input else {
                body.push("self", ty.clone(), false);
                continue;
            };
            let bound = body.bind(&it.pat, ty)?;
            match &*it.pat {
                Pat::Ident(_) => {}
                _ if *ty == Ty::Coins => return body.refuse(input, "coins without a name"),
                _ => lines.push(format!("let '{bound} := {name} in")),
            }
        }
        lines.extend(body.statements(&of.block.stmts, &End::Tail)?);
        Ok(lines)
    }

    /// A refusal, with file and line.
    pub fn refuse<T>(&self, it: &impl ToTokens, why: &str) -> Found<T> {
        self.translator.world.refuse(&self.of.module, it, &format!("{}: {why}", last(&self.of.path)))
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
                if self.translator.names.contains_key(&name) {
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
            _ => self.refuse(&self.of.signature.ident, "a block without a value"),
        }
    }

    /// The last expression of a block.
    fn last(&mut self, it: &Expr, end: &End) -> Found<Lines> {
        let is_step = matches!(it, Expr::While(_) | Expr::ForLoop(_) | Expr::Return(_) | Expr::Continue(_) | Expr::Loop(_));
        let is_branch = matches!(it, Expr::If(it) if it.else_branch.is_some() && !matches!(&*it.cond, Expr::Let(_)));
        if is_step || is_branch || end.variables().is_some() {
            return self.step(it, &[], end);
        }
        let wanted = self.result.clone();
        let mut lines = Lines::new();
        match self.term(it, Some(&wanted), &mut lines)? {
            Term::Pure(term, ty) if ty.fits(&wanted) => lines.push(format!("val {term}")),
            Term::Run(run, ty) if ty.fits(&wanted) => lines.push(format!("call ({run})")),
            _ => return self.refuse(it, "a value of another type"),
        }
        Ok(lines)
    }

    /// These lines, and then what follows.
    fn then(&mut self, mut lines: Lines, rest: &[Stmt], end: &End) -> Found<Lines> {
        lines.extend(self.statements(rest, end)?);
        Ok(lines)
    }

    fn condition(&mut self, it: &Expr, lines: &mut Lines) -> Found<String> {
        Ok(self.fitting(it, &Ty::Bool, lines)?.0)
    }

    fn local(&mut self, it: &syn::Local, rest: &[Stmt], end: &End) -> Found<Lines> {
        let Some(init) = &it.init else {
            return self.refuse(it, "a variable without a value");
        };
        if !it.attrs.is_empty() {
            return self.refuse(it, "an attribute in a body");
        }
        let (pattern, mut ty) = match &it.pat {
            Pat::Type(typed) => (&*typed.pat, Some(self.translator.world.ty(&self.of.module, &typed.ty, self.of)?)),
            other => (other, None),
        };
        if let Some((_, other)) = &init.diverge {
            return match &**other {
                Expr::Block(it) if ends_elsewhere(&it.block) => self.matching(pattern, &init.expr, rest, &it.block.stmts, end),
                _ => self.refuse(it, "let else that goes on"),
            };
        }
        let mut lines = Lines::new();
        if let Pat::Ident(name) = pattern {
            let name = name.ident.to_string();
            if let Expr::Closure(_) = &*init.expr {
                let reads = self.reads(&init.expr, "")?;
                self.scope.push(Variable { name, ty: Ty::Never, mutable: false, closure: Some(reads) });
                return self.statements(rest, end);
            }
            // A vector that begins empty is filled by a loop: it may be the loop that is given.
            let is_empty = init.expr.to_token_stream().to_string() == "Vec :: new ()";
            let given = self.given(&name)?;
            if is_empty {
                ty = ty.or(given);
            } else if let Some(ty) = given {
                let term = self.given_call(&name, &init.expr, &ty)?;
                let bound = self.bind(pattern, &ty)?;
                lines.push(format!("let* {bound} := {term} in"));
                return self.then(lines, rest, end);
            }
        }
        let (value, ty) = match ty {
            Some(ty) => (self.fitting(&init.expr, &ty, &mut lines)?.0, ty),
            None => self.value(&init.expr, None, &mut lines)?,
        };
        let bound = strict(self.bind(pattern, &ty)?);
        lines.push(format!("let {bound} := {value} in"));
        self.then(lines, rest, end)
    }

    /// `let else`, or `if let`: what is done where the pattern fits, and what otherwise, one of which leaves.
    fn matching(&mut self, pattern: &Pat, value: &Expr, found: &[Stmt], otherwise: &[Stmt], end: &End) -> Found<Lines> {
        let mut lines = Lines::new();
        let (term, ty) = self.value(value, None, &mut lines)?;
        let depth = self.scope.len();
        let pattern = self.pattern_of_some(pattern, &ty)?;
        let found = self.statements(found, end)?;
        self.scope.truncate(depth);
        let otherwise = self.statements(otherwise, end)?;
        lines.push(format!("match {term} with {pattern} =>"));
        lines.extend(indented(found));
        lines.push("| _ =>".into());
        lines.extend(indented(otherwise));
        lines.push("end".into());
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
        if let Some(parts) = assignment(it) {
            return self.assign(it, parts, rest, end);
        }
        match it {
            Expr::If(it) => self.branch(it, rest, end),
            Expr::Return(it) if rest.is_empty() => {
                let (mut lines, wanted, unit) = (Lines::new(), self.result.clone(), syn::parse_quote!(()));
                let (value, _) = self.fitting(it.expr.as_deref().unwrap_or(&unit), &wanted, &mut lines)?;
                lines.push(format!("leave {value}"));
                Ok(lines)
            }
            Expr::Continue(it) if rest.is_empty() && it.label.is_none() => match end {
                End::Round(_) => self.end(end),
                _ => self.refuse(it, "continue that is not the last of a round"),
            },
            Expr::Loop(it) if it.label.is_none() => {
                let variables = self.assigned(&it.body)?;
                let mut lines = vec!["forever F".to_owned()];
                self.round("  (fun", "", &it.body, &variables, &mut lines)?;
                lines.push(format!("  ) {}", tuple(&variables)));
                Ok(lines)
            }
            Expr::While(_) | Expr::ForLoop(_) => self.rounds(it, rest, end),
            Expr::Try(_) => {
                let mut lines = Lines::new();
                match self.value(it, Some(&Ty::Unit), &mut lines)? {
                    (_, Ty::Unit) => self.then(lines, rest, end),
                    _ => self.refuse(it, "a value that is not used"),
                }
            }
            _ => self.refuse(it, "a statement that is not known"),
        }
    }

    fn assign(&mut self, it: &Expr, (place, value): (&Expr, &Expr), rest: &[Stmt], end: &End) -> Found<Lines> {
        let mut lines = Lines::new();
        let (name, ty) = self.place(place)?;
        let (wanted, pushed) = match (it, &ty) {
            (Expr::MethodCall(it), Ty::List(of)) if it.method == "push" => ((**of).clone(), true),
            (Expr::MethodCall(it), _) if it.method == "push" => return self.refuse(it, "push to what is no vector"),
            _ => (ty.clone(), false),
        };
        let (mut value, mut found) = self.value(value, Some(&wanted), &mut lines)?;
        if let Expr::Binary(it) = it {
            let op = compound(&it.op).unwrap_or(it.op);
            (value, found) = self.operation(it, &op, (safe(&name), wanted.clone()), (value, found), &mut lines)?;
        }
        if !found.fits(&wanted) {
            return self.refuse(it, "a value of another type");
        }
        let name = safe(&name);
        lines.push(if pushed { format!("let {name} := ({name} ++ [{value}]) in") } else { format!("let {name} := {value} in") });
        self.then(lines, rest, end)
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
            return match it.else_branch {
                None if leaves => self.matching(&test.pat, &test.expr, &it.then_branch.stmts, rest, end),
                _ => self.refuse(it, "if let that goes on, or has an else"),
            };
        }
        let condition = self.condition(&it.cond, &mut lines)?;
        let other = match it.else_branch.as_ref().map(|(_, other)| &**other) {
            None => None,
            Some(Expr::Block(other)) => Some(&other.block),
            Some(other) => return self.refuse(other, "else if"),
        };
        // Where nothing follows, or one side leaves: each side goes on to the end.
        let sides = match other {
            None if leaves => Some((self.block(&it.then_branch, end)?, self.statements(rest, end)?)),
            Some(other) if rest.is_empty() && end.variables().is_none() => {
                Some((self.block(&it.then_branch, end)?, self.block(other, end)?))
            }
            _ => None,
        };
        if let Some((then, otherwise)) = sides {
            lines.extend(either(&condition, then, otherwise));
            return Ok(lines);
        }
        let mut variables = self.assigned(&it.then_branch)?;
        if let Some(other) = other {
            let more = self.assigned(other)?;
            variables.extend(more.into_iter().filter(|it| !variables.contains(it)).collect::<Vec<_>>());
        }
        let join = End::Join(variables.clone());
        let then = self.block(&it.then_branch, &join)?;
        let otherwise = match other {
            Some(other) => self.block(other, &join)?,
            None => self.end(&join)?,
        };
        lines.push(format!("let* {} := (", pattern(&variables)));
        lines.extend(indented(either(&condition, then, otherwise)));
        lines.push(") in".into());
        self.then(lines, rest, end)
    }

    /// `while` and `for`.
    fn rounds(&mut self, whole: &Expr, rest: &[Stmt], end: &End) -> Found<Lines> {
        let mut lines = Lines::new();
        match whole {
            Expr::While(it) if it.label.is_none() && !matches!(&*it.cond, Expr::Let(_)) => {
                let variables = self.assigned(&it.body)?;
                let mut condition = Lines::new();
                let term = self.condition(&it.cond, &mut condition)?;
                condition.push(format!("val {term}"));
                lines.push(format!("let* {} := while F", pattern(&variables)));
                lines.push(format!("  (fun {} =>", pattern(&variables)));
                lines.extend(indented(indented(condition)));
                self.round("  ) (fun", "", &it.body, &variables, &mut lines)?;
                lines.push(format!("  ) {} in", tuple(&variables)));
            }
            Expr::ForLoop(it) if it.label.is_none() => {
                let variables = self.assigned(&it.body)?;
                if let [name] = &variables[..]
                    && let Some(ty) = self.given(name)?
                    && self.reads(whole, name).is_ok()
                {
                    let term = self.given_call(name, whole, &ty)?;
                    lines.push(format!("let* {} := {term} in", safe(name)));
                    return self.then(lines, rest, end);
                }
                let (list, ty) = self.value(&it.expr, None, &mut lines)?;
                let Ty::List(of) = ty else {
                    return self.refuse(&it.expr, "for over what is no list");
                };
                let depth = self.scope.len();
                let element = strict(self.bind(&it.pat, &of)?);
                lines.push(format!("let* {} := each {list}", pattern(&variables)));
                self.round("  (fun", &format!(" {element}"), &it.body, &variables, &mut lines)?;
                self.scope.truncate(depth);
                lines.push(format!("  ) {} in", tuple(&variables)));
            }
            _ => return self.refuse(whole, "a loop with a label, or while let"),
        }
        self.then(lines, rest, end)
    }

    /// A round of a loop: a function of the variables that it assigns.
    fn round(&mut self, begins: &str, element: &str, block: &Block, variables: &[String], lines: &mut Lines) -> Found<()> {
        let round = self.block(block, &End::Round(variables.to_vec()))?;
        lines.push(format!("{begins}{element} {} =>", pattern(variables)));
        lines.extend(indented(indented(round)));
        Ok(())
    }

    /// The variables around a block that it assigns, in the order in which it does: that of their declarations says nothing.
    fn assigned(&self, block: &Block) -> Found<Vec<String>> {
        let mut found = Assigned::default();
        found.visit_block(block);
        found.assigned.retain(|name| self.variable(name).is_some());
        match found.assigned.iter().find(|name| found.declared.contains(*name)) {
            Some(both) => self.refuse(&self.of.signature.ident, &format!("{both} is assigned and declared again in one block")),
            None => Ok(found.assigned),
        }
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
        let reads: Vec<String> = self.reads(it, name)?.into_iter().collect();
        let types: Vec<Ty> = reads.iter().filter_map(|it| self.variable(it)).map(|it| it.ty.clone()).collect();
        let (owner, function) = split(&self.of.path);
        let called = format!("{}_{function}_{name}", last(owner));
        self.translator.variable("", &called, &format!("{}ending {}", arrows(&types), ty.coq()))?;
        let arguments: String = reads.iter().map(|it| format!(" {}", safe(it))).collect();
        Ok(format!("call (Ret ({called}{arguments}))"))
    }

    /// The variables in scope that an expression reads, directly or through closures. It may not draw, leave or change them, but for the
    /// one that is given.
    fn reads(&self, it: &Expr, given: &str) -> Found<BTreeSet<String>> {
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
            if variable.mutable && name != given && found.changed.contains(&name) {
                return self.refuse(it, &format!("{name} may be changed, where a variable is given"));
            }
            match &variable.closure {
                _ if variable.ty == Ty::Coins => return self.refuse(it, "coins, where a variable is given"),
                Some(reads) => all.extend(reads.iter().cloned()),
                None => all.extend([name]),
            }
        }
        Ok(all)
    }
}

/// What a block assigns, and what it declares.
#[derive(Default)]
struct Assigned {
    assigned: Vec<String>,
    declared: BTreeSet<String>,
}

impl<'a> Visit<'a> for Assigned {
    fn visit_expr(&mut self, it: &'a Expr) {
        if let Some((Expr::Path(place), _)) = assignment(it) {
            let name = place.path.get_ident().map(ToString::to_string);
            self.assigned.extend(name.filter(|name| !self.assigned.contains(name)));
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
    names: BTreeSet<String>,
    /// On what it calls a method that may change it, or what it assigns.
    changed: BTreeSet<String>,
    refused: Option<&'static str>,
}

impl<'a> Visit<'a> for Reads {
    fn visit_expr(&mut self, it: &'a Expr) {
        let place = match it {
            Expr::MethodCall(it) if it.method == "iter" || it.method == "len" => None,
            Expr::MethodCall(it) => Some(&*it.receiver),
            _ => assignment(it).map(|(place, _)| place),
        };
        self.changed.extend(place.and_then(variable_of));
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

/// What is assigned, and of what: by `=`, `+=` and the like, `push`, `clone_from`.
fn assignment(it: &Expr) -> Option<(&Expr, &Expr)> {
    match it {
        Expr::Assign(it) => Some((&it.left, &it.right)),
        Expr::Binary(it) if compound(&it.op).is_some() => Some((&it.left, &it.right)),
        Expr::MethodCall(it) if it.method == "push" || it.method == "clone_from" => Some((&it.receiver, it.args.first()?)),
        _ => None,
    }
}

/// The variable of which an expression is a part.
fn variable_of(it: &Expr) -> Option<String> {
    match it {
        Expr::Path(it) => it.path.get_ident().map(ToString::to_string),
        Expr::Field(it) => variable_of(&it.base),
        Expr::Index(it) => variable_of(&it.expr),
        Expr::Paren(it) => variable_of(&it.expr),
        Expr::Unary(it) => variable_of(&it.expr),
        _ => None,
    }
}

/// `+` of `+=`.
fn compound(op: &syn::BinOp) -> Option<syn::BinOp> {
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

/// A pattern where Coq wants a tick before a tuple.
pub fn strict(pattern: String) -> String {
    if pattern.starts_with('(') { format!("'{pattern}") } else { pattern }
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
    if variables.is_empty() { "_".into() } else { strict(tuple(variables)) }
}
