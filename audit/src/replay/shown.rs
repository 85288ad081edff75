//! Where the noisy values stand in the outputs: a reader knows them only by their places.

use super::recording::Recording;
use crate::targets::Output;
use dp_assay::number::Rational;
use std::collections::{BTreeMap, BTreeSet};

/// The place of a value in an output: the entries that lead to it.
type Place = Vec<usize>;

/// For each form that outputs have, the places at which each noisy value stood in all outputs of this form.
///
/// A value that stands somewhere in an output need not be known to a reader: whoever releases which of four noisy counts is the
/// largest, and beside it a list of public numbers, shows none of the counts. A value is known if it always stands at one place, where the
/// place may depend on the form of the output, which is seen too.
#[derive(Debug, Default)]
pub struct Shown(BTreeMap<String, Vec<BTreeSet<Place>>>);

impl Shown {
    /// Takes a run into account that did not end in an exception. An error says which draw has no place of its own.
    ///
    /// # Errors
    /// In words, why a reader does not know a noisy value.
    pub fn enter(&mut self, run: &Recording) -> Result<(), String> {
        let (mut form, mut numbers) = (String::new(), Vec::new());
        walk(&run.output, &mut Vec::new(), &mut form, &mut numbers);
        let places = run.draws.iter().map(|draw| -> BTreeSet<Place> {
            let here = numbers
                .iter()
                .filter(|(_, value)| Some(value) == draw.released.as_ref());
            here.map(|(place, _)| place.clone()).collect()
        });
        let places: Vec<BTreeSet<Place>> = places.collect();
        let kept = self.0.entry(form).or_insert_with(|| places.clone());
        if kept.len() != places.len() {
            return Err(
                "two runs made other numbers of draws, and their outputs have one form".to_owned(),
            );
        }
        for (kept, places) in kept.iter_mut().zip(&places) {
            kept.retain(|place| places.contains(place));
        }
        for (draw, places) in kept.iter().enumerate() {
            let others = kept[..draw].iter();
            if places.is_empty()
                || places.len() == 1 && others.into_iter().any(|other| other == places)
            {
                return Err(format!(
                    "the noisy value of draw {draw} (from 0) does not always stand at one place of the output"
                ));
            }
        }
        Ok(())
    }
}

/// The form of an output, all but its numbers and texts, and its numbers with their places.
fn walk(
    output: &Output,
    place: &mut Place,
    form: &mut String,
    numbers: &mut Vec<(Place, Rational)>,
) {
    if let Output::Object(names, _) = output {
        form.push_str(&format!("{names:?}"));
    }
    let Some(entries) = output.entries() else {
        form.push('.');
        numbers.extend(output.exact_number().map(|value| (place.clone(), value)));
        return;
    };
    form.push('[');
    for (index, entry) in entries.iter().enumerate() {
        place.push(index);
        walk(entry, place, form, numbers);
        place.pop();
    }
    form.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(output: &str, released: &[i64]) -> Recording {
        let draws: Vec<String> = released
            .iter()
            .map(|value| {
                format!(
                    r#"{{"law": "discrete-laplace", "scale": 1, "value": 0, "released": {value}, "otherwise_used": false}}"#
                )
            })
            .collect();
        let told = format!(r#"{{"output": {output}, "draws": [{}]}}"#, draws.join(", "));
        Recording::read(&Output::read(&told).unwrap()).unwrap()
    }

    #[test]
    fn a_value_at_one_place_is_known_whatever_is_equal_to_it_by_chance() {
        let mut shown = Shown::default();
        for (output, released) in [
            ("[7, 7, 7]", [7, 7]),
            ("[7, 3, 4]", [3, 4]),
            ("[3, 3, 3]", [3, 3]),
            ("{\"a\": 1, \"b\": [2]}", [2, 1]),
        ] {
            shown.enter(&run(output, &released)).unwrap();
        }
        // In outputs of another form it may stand elsewhere.
        shown.enter(&run("[5, [8, 6]]", &[6, 8])).unwrap();
    }

    #[test]
    fn a_value_that_moves_is_not_known() {
        for outputs in [
            // Sorted; in a list of public numbers; two draws at one place.
            &[("[1, 2]", [2, 1]), ("[3, 4]", [3, 4])][..],
            &[("[0, 1, 2, 3]", [1, 2]), ("[0, 1, 2, 3]", [1, 3])],
            &[("[1, 1]", [1, 1]), ("[5, 2]", [2, 2])],
        ] {
            let mut shown = Shown::default();
            let entered: Result<Vec<()>, String> = outputs
                .iter()
                .map(|(output, released)| shown.enter(&run(output, released)))
                .collect();
            assert!(entered.is_err(), "{outputs:?}");
        }
        let mut shown = Shown::default();
        shown.enter(&run("[1, 2]", &[1])).unwrap();
        assert!(shown.enter(&run("[1, 2]", &[1, 2])).is_err());
    }
}
