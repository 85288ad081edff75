//! Steps to one of which each record is allocated: two of them beside an integral, and laws of sums beside rationals.

use super::{BITS, exactly, gaussian, number};
use crate::claim::{Check, Trouble};
use dp_assay::accountant::interval::Interval;
use dp_assay::accountant::sums::{Half, Law, gathered};
use dp_assay::accountant::{Account, Mechanism, Relation, Step};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use num_traits::{One, Zero};

pub(super) fn allocation(check: &mut Check) -> Result<(), Trouble> {
    two_steps(check)?;
    sums(check)?;
    gathering(check)
}

/// The normal variable is cut into so many cells, from -12 to 12.
const CELLS: i64 = 480;

/// Delta of two steps, by the law of the likelihood ratio `(X + Y)/2`: given X it has a closed form, which is convex in X. Between two
/// points it is below its chord, and at the mean of X above none of its tangents.
fn two_steps(check: &mut Check) -> Result<(), Trouble> {
    check.certified("one epoch of two steps, (deviation, epsilon) in {(1, 1/2), (2, 1/10)}, both directions, beside an integral in 480 cells");
    for (deviation, epsilon) in [(integer(1), ratio(1, 2)), (integer(2), ratio(1, 10))] {
        let mu = Enclosure::of(&deviation.recip(), BITS);
        let cells = lognormal(&mu)?;
        for (relation, is_added) in [(Relation::Remove, false), (Relation::Add, true)] {
            let step = Step {
                mechanism: Mechanism::Allocation {
                    deviation: deviation.clone(),
                    steps: 2,
                },
                times: 1,
            };
            let found = Account::new(&[step], relation)?.delta(&epsilon, 4)?.value;
            let g = Enclosure::exp_of(&epsilon, BITS)?;
            let given = |x: &Enclosure| -> Result<Enclosure, Trouble> {
                match is_added {
                    false => exceeds(&mu, &(g.shifted(1) - x)).map(|all| all.shifted(-1)),
                    // 1 - g (x + Y)/2 is g/2 times what Y falls short of 2/g - x.
                    true => {
                        let most = Enclosure::integer(2, BITS).divided_by(&g)? - x;
                        falls_short(&mu, &most).map(|all| (&g * all).shifted(-1))
                    }
                }
            };
            let name = format!("deviation {deviation}, {relation:?}: {found}");
            let [below, above] = integral(&cells, &given)?;
            check.holds(found.upper() >= below.lower(), &name);
            check.holds(found.lower() <= above.upper(), &name);
            let is_near = (above - below).upper() <= found.upper() * ratio(1, 500);
            check.holds(is_near && found.has_digits(3), &name);
        }
    }
    Ok(())
}

/// A cell of the number `e^(mu z - mu^2/2)`: its ends, its mass, and that times its mean.
struct Piece {
    ends: [Enclosure; 2],
    mass: Enclosure,
    moment: Enclosure,
}

fn lognormal(mu: &Enclosure) -> Result<Vec<Piece>, Trouble> {
    let half = mu.shifted(-1);
    let mut pieces = Vec::new();
    for i in 0..CELLS {
        let at = |i: i64| Enclosure::of(&(ratio(24 * i, CELLS) - integer(12)), BITS);
        let (from, to) = (at(i), at(i + 1));
        let number = |z: &Enclosure| (mu * (z - &half)).exp();
        let between = |by: &Enclosure| (&from - by).normal_upper() - (&to - by).normal_upper();
        pieces.push(Piece {
            ends: [number(&from)?, number(&to)?],
            mass: between(&Enclosure::integer(0, BITS)),
            moment: between(mu),
        });
    }
    Ok(pieces)
}

/// The mean of a convex function between two bounds; what lies beyond 12 is less than 2^-100 of it.
fn integral(
    pieces: &[Piece],
    function: &dyn Fn(&Enclosure) -> Result<Enclosure, Trouble>,
) -> Result<[Enclosure; 2], Trouble> {
    let zero = Enclosure::integer(0, BITS);
    let (mut below, mut above) = (zero.clone(), zero);
    for Piece { ends, mass, moment } in pieces {
        below = below + mass * function(&moment.divided_by(mass)?)?;
        let [low, high] = ends;
        let gap = high - low;
        let up = (moment - low * mass).divided_by(&gap)?;
        let down = (high * mass - moment).divided_by(&gap)?;
        above = above + up * function(high)? + down * function(low)?;
    }
    let beyond = Enclosure::of(&integer(2).pow(-90), BITS);
    Ok([below, above + beyond])
}

/// The mean of what a number exceeds `c` by.
fn exceeds(mu: &Enclosure, c: &Enclosure) -> Result<Enclosure, Trouble> {
    match c.lo().is_positive() {
        true => gaussian(mu, c),
        false => Ok(Enclosure::integer(1, BITS) - c),
    }
}

/// The mean of what a number of mean 1 falls short of `c` by.
fn falls_short(mu: &Enclosure, c: &Enclosure) -> Result<Enclosure, Trouble> {
    match c.lo().is_positive() {
        true => Ok(gaussian(mu, c)? + c - Enclosure::integer(1, BITS)),
        false => Ok(Enclosure::integer(0, BITS)),
    }
}

/// Masses at numbers.
type Atoms = Vec<(Rational, Rational)>;

fn atoms(nodes: &[f64], masses: &[f64]) -> Result<Atoms, Trouble> {
    let pairs = nodes.iter().zip(masses);
    pairs
        .map(|(x, mass)| Ok((exactly(*x)?, exactly(*mass)?)))
        .collect()
}

/// The mean of what numbers exceed c by, and of what they fall short of it by.
fn means(atoms: &Atoms, c: &Rational) -> [Rational; 2] {
    let mut means = [Rational::zero(), Rational::zero()];
    for (x, mass) in atoms {
        let over = (x - c).max(Rational::zero()) * mass;
        let under = (c - x).max(Rational::zero()) * mass;
        means[0] += over;
        means[1] += under;
    }
    means
}

/// Sums of two laws of few numbers, at nodes that are others: all means above and below those of the sum itself.
fn sums(check: &mut Check) -> Result<(), Trouble> {
    check.exact("sums of laws of 4 and 5 numbers at 9 nodes that are others, doubled and unlike, means of what exceeds and falls short of c = 0, 1/4, ..., 12");
    let law = |nodes: &[f64], masses: &[f64], excess: f64| Law {
        nodes: nodes.to_vec(),
        above: masses.to_vec(),
        below: masses.to_vec(),
        excess,
        slack: 0.0,
    };
    let one = law(&[0.0, 0.5, 1.25, 4.0], &[0.125, 0.5, 0.25, 0.125], 0.015625);
    let other = law(
        &[0.0, 0.75, 1.0, 1.5, 3.0],
        &[0.0625, 0.25, 0.375, 0.25, 0.0625],
        0.03125,
    );
    let nodes = vec![0.0, 0.4, 0.9, 1.3, 1.6, 2.2, 3.1, 4.6, 6.5];
    for (name, found, other) in [
        ("doubled", one.doubled(nodes.clone()), &one),
        ("unlike", one.plus(&other, nodes.clone()), &other),
    ] {
        let parts = [
            atoms(&one.nodes, &one.above)?,
            atoms(&other.nodes, &other.above)?,
        ];
        let mut exact = Atoms::new();
        for (x, mass) in &parts[0] {
            exact.extend(parts[1].iter().map(|(y, other)| (x + y, mass * other)));
        }
        let above = atoms(&found.nodes, &found.above)?;
        let below = atoms(&found.nodes, &found.below)?;
        // What both exceed their last nodes by, once each: the masses of both laws add up to 1.
        let excess = exactly(one.excess)? + exactly(other.excess)?;
        for i in 0..=48 {
            let c = ratio(i, 4);
            let [over, under] = means(&exact, &c);
            let [over_above, under_above] = means(&above, &c);
            let [over_below, under_below] = means(&below, &c);
            let name = format!("{name} at {c}");
            let most = over_above + exactly(found.excess)?;
            check.holds(
                most >= &over + &excess,
                format_args!("{name}: exceeds, above"),
            );
            check.holds(
                under_above >= under,
                format_args!("{name}: falls short, above"),
            );
            check.holds(over_below <= over, format_args!("{name}: exceeds, below"));
            check.holds(
                under_below <= under,
                format_args!("{name}: falls short, below"),
            );
        }
        let kept: Rational = below.iter().map(|(_, mass)| mass).sum();
        check.holds(
            kept > ratio(1, 2),
            format_args!("{name}: {kept} is kept below"),
        );
    }
    Ok(())
}

/// What is gathered keeps mass and mean where there is enough beside it, and is below where there is not.
fn gathering(check: &mut Check) -> Result<(), Trouble> {
    check.exact("three outcomes gathered on four nodes, with enough on all of them and with too little on one, c = 0, 1/4, ..., 5");
    let nodes = [0.0, 1.0, 2.0, 4.0];
    let exact = Interval::exactly;
    let half = |mass: f64, distance: f64| Half {
        mass: exact(mass),
        moment: exact(mass * distance),
    };
    for (is_enough, scarce) in [(true, 0.25), (false, 0.001_953_125)] {
        // On node 1 and around node 2; node 2's surplus is taken from node 1.
        let over = [Half::NONE, half(scarce, 0.0), half(0.25, 0.75)];
        let under = [Half::NONE, half(0.125, 0.5), Half::NONE];
        let outcomes: Atoms = [(1.0, scarce), (2.75, 0.25), (1.5, 0.125)]
            .iter()
            .map(|(x, mass)| Ok((exactly(*x)?, exactly(*mass)?)))
            .collect::<Result<_, Trouble>>()?;
        let found = atoms(&nodes, &gathered(&nodes, &over, &under))?;
        for i in 0..=20 {
            let c = ratio(i, 4);
            let ([over, under], [found_over, found_under]) =
                (means(&outcomes, &c), means(&found, &c));
            check.holds(
                found_over <= over && found_under <= under,
                format_args!(
                    "enough {is_enough}, at {c}: {found_over} {over}, {found_under} {under}"
                ),
            );
        }
        let of = |atoms: &Atoms| -> Rational { atoms.iter().map(|(x, mass)| x * mass).sum() };
        let lost = of(&outcomes) - of(&found);
        let is_kept = lost <= number("1e-12")?;
        check.holds(
            is_kept == is_enough,
            format_args!("enough {is_enough}: {lost} of the mean is lost"),
        );
        check.holds(lost < Rational::one(), "not all is lost");
    }
    Ok(())
}
