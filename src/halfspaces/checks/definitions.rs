//! Section 2.1: the error of a hypothesis.

use crate::claim::{Check, Trouble};
use crate::halfspaces::Halfspace;
use crate::number::Rational;

/// What a classifier says of `<w,x> = product`, if `sign(0)` is this.
fn sign(product: i64, sign_of_zero: i64) -> i64 {
    if product == 0 {
        sign_of_zero
    } else {
        product.signum()
    }
}

/// `nuz20.e3`.
pub(super) fn ties(check: &mut Check) -> Result<(), Trouble> {
    check.exact("w = 0, the records (1, +) and (1, -), sign(0) = +1 and -1");
    let records = [(1i64, 1i64), (1, -1)];
    let w = 0;
    let share = |wrong: &dyn Fn(i64, i64) -> bool| {
        let count = records.iter().filter(|(x, y)| wrong(w * x, *y)).count();
        Rational::new(count.into(), records.len().into())
    };
    let below = share(&|product, y| y * product < 0);
    let at_most = share(&|product, y| y * product <= 0);
    check.figure("Pr[y <w,x> < 0]", &below);
    for sign_of_zero in [1, -1] {
        let differs = share(&|product, y| sign(product, sign_of_zero) != y);
        check.refutes(differs > below, "w = 0 on the records (1, +) and (1, -)");
        check.figure(
            format_args!("Pr[sign(<w,x>) != y] for sign(0) = {sign_of_zero}"),
            differs,
        );
    }
    // The intended statement: sign(0) = 0 is no label, and "<" is "<=".
    let no_label = share(&|product, y| sign(product, 0) != y);
    check.holds(no_label == at_most, "sign(0) = 0, and <= for <");
    check.figure("Pr[y <w,x> <= 0]", at_most);
    Ok(())
}

/// `nuz20.e3.corrected`.
pub(super) fn ties_corrected(check: &mut Check) -> Result<(), Trouble> {
    check.exact("all triples of w and x in {-2, ..., 2}^2 and a label");
    let line = || -2..=2i64;
    let points: Vec<[i64; 2]> = line().flat_map(|x| line().map(move |y| [x, y])).collect();
    for w in &points {
        let halfspace = Halfspace {
            direction: w.to_vec(),
        };
        for x in &points {
            let product = w[0] * x[0] + w[1] * x[1];
            for y in [1, -1] {
                // What the learners and their reports count.
                let error = halfspace.predict(x)? != Some(y > 0);
                let instance = format!("w = {w:?}, x = {x:?}, y = {y}");
                check.holds(error == (y * product <= 0), &instance);
                check.holds(error == (sign(product, 0) != y), &instance);
                for sign_of_zero in [1, -1] {
                    let differs = sign(product, sign_of_zero) != y;
                    check.holds(error || !differs, &instance);
                    check.holds(product == 0 || error == differs, &instance);
                }
            }
        }
    }
    Ok(())
}
