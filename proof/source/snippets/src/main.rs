//! `tapes`: runs each function of `translated.rs` on every tape of at most so many bits. `operations`: runs each of
//! `operations.rs` on many arguments. Writes a file of Coq that says what they did: Coq is to find the same of the translation.

pub use dp_assay_reference::{Error, coins, number};
mod arguments;
mod operations;
mod translated;

use coins::{Coins, Tape};
use num_bigint::BigInt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// Tapes of at most so many bits.
const DEPTH: usize = 6;

/// What a function did on a tape, as Coq writes it.
fn on(function: fn(&mut Tape) -> Result<BigInt, Error>, bits: &[bool]) -> String {
    let mut tape = Tape::new(bits.to_vec());
    let found = catch_unwind(AssertUnwindSafe(|| function(&mut tape)));
    let used = tape.consumed();
    match found {
        Err(_) => format!("Done Panicked {used}"),
        Ok(Ok(value)) => format!("Done (Returned (Ok ({value}))) {used}"),
        Ok(Err(Error::OutOfRange(what))) => {
            format!("Done (Returned (Err (\"OutOfRange\", \"{what}\")%string)) {used}")
        }
        Ok(Err(_)) => "More".into(),
    }
}

fn tapes() -> Vec<Vec<bool>> {
    let mut all = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..DEPTH {
        last = last.iter().flat_map(|tape: &Vec<bool>| [false, true].map(|bit| [&tape[..], &[bit]].concat())).collect();
        all.extend(last.clone());
    }
    all
}

macro_rules! run {
    ($($name:ident)*) => {
        vec![$((stringify!($name), (|tape: &mut Tape| translated::$name(tape)) as fn(&mut Tape) -> Result<BigInt, Error>)),*]
    };
}

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    println!("Require Import ZArith Bool String List.\nFrom DpAssay Require Import Trees Rust.");
    match std::env::args().nth(1).as_deref() {
        Some("tapes") => write_tapes(),
        Some("operations") => arguments::write(),
        _ => {
            eprintln!("arguments: tapes, or operations");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// A theorem a function.
fn write_tapes() {
    println!(
        "From DpAssay Require Import SnippetTapes.\nFrom Snippet Require Import Snippets.\nImport ListNotations.\nOpen Scope Z_scope."
    );
    let functions = run! {
        a_word
        no_word
        too_long_a_word
        from_left_to_right
        fields_in_the_order_written
        shadowed
        first_one
        left_early
        begun_again
        begun_again_and_counted
        joined
        joined_without_else
        left_from_a_branch
        a_value_that_draws
        the_right_of_and
        the_right_of_or
        below_zero
        a_word_below_zero
        a_word_too_large
        a_product_too_large
        cut_off
        the_lesser
        a_quotient_towards_zero
        by_zero
        quotient_and_rest
        a_root
        widths
        signs
        a_negative_bit
        sums_of_rationals
        products_of_rationals
        quotients_of_rationals
        turned_over
        floors
        whole_parts
        rationals_compared
        refused_by_name
        if_let
        let_else
        a_list_of_draws
        through_a_range
        pushed
        sums_of_lists
        layers_below
        a_loop_in_a_loop
    };
    for (name, function) in functions {
        let rows: Vec<String> = tapes()
            .iter()
            .map(|tape| format!("([{}], {})", tape.iter().map(bool::to_string).collect::<Vec<_>>().join("; "), on(function, tape)))
            .collect();
        println!("\nTheorem {name}_agrees : agree (translated_{name} 20) [\n{}] = true.", rows.join(";\n"));
        println!("Proof. vm_compute. reflexivity. Qed.");
    }
}
