//! Tables and tapes, as Coq writes them.

use crate::samplers::Sampler;
use crate::tapes::{Spot, Table, spot, spots};
use std::fmt::Write;

/// How many long tapes each instance with large parameters is run on.
const SPOTS: u64 = 40;

/// The Coq file of a sampler, and on how many tapes it was run.
pub fn file(sampler: &Sampler, depth: usize) -> (String, u64) {
    let mut count = 0;
    let mut text = format!(
        "(* What the shipped code of {} did on every tape of at most {depth} bits, and on long ones.\n   \
         Written by the bridge. *)\n\
         Require Import ZArith List. Import ListNotations.\n\
         From DpAssay Require Import {} Agreement Spots.\n\
         Open Scope Z_scope.\n",
        sampler.claim,
        [&["Trees", "Samplers"], sampler.imports].concat().join(" ")
    );
    for (number, (model, program)) in sampler.on_all_tapes.iter().enumerate() {
        let table = Table::of(program, depth);
        count += table.tapes();
        let name = format!("table_{number}");
        let _ = write!(
            text,
            "\nDefinition {name} : table :=\n  {}.\n",
            written(&table)
        );
        let _ = writeln!(
            text,
            "Theorem {name}_agrees : agrees {depth} ({model}) {name} = true.\n\
             Proof. vm_compute. reflexivity. Qed."
        );
    }
    let random = sampler.on_long_tapes.iter();
    let random = random.map(|(model, program)| (model, spots(program, SPOTS)));
    let chosen = sampler.on_chosen_tapes.iter();
    let chosen = chosen.map(|(model, program, tape)| (model, vec![spot(program, tape)]));
    for (number, (model, found)) in random.chain(chosen).enumerate() {
        count += found.len() as u64;
        let name = format!("spots_{number}");
        let list: Vec<String> = found
            .iter()
            .map(|Spot { bits, used, result }| format!("({used}, {bits}, {result})"))
            .collect();
        let _ = write!(
            text,
            "\nDefinition {name} : list (Z * Z * Z) :=\n  [{}].\n",
            list.join("; ")
        );
        let _ = writeln!(
            text,
            "Theorem {name}_agree : spots_agree ({model}) {name} = true.\nProof. vm_compute. reflexivity. Qed."
        );
    }
    (text, count)
}

fn written(table: &Table) -> String {
    match table {
        Table::Result(result) => format!("L ({result})"),
        Table::More => "M".to_owned(),
        Table::Coin(then) => format!("N ({}) ({})", written(&then[0]), written(&then[1])),
    }
}
