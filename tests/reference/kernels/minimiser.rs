use super::common::{Numbers, domain, gaussian, loss, on, point, polynomial, problem};
use dp_assay::kernels::{Dataset, Labels, Predictor, Record, fit};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Grid, Rational};
use dp_assay::optimise::erm::{Erm, Matrix};
use dp_assay_reference::data::Points;
use dp_assay_reference::kernels::kernel::Kernel;
use dp_assay_reference::kernels::minimiser::{
    Loss, Problem, c, eta, gap, lipschitz, s, s_prime, squared_d, vector,
};
use num_bigint::BigInt;
use num_traits::Signed;

fn losses() -> [Loss; 5] {
    [
        Loss::Linear,
        Loss::Hinge,
        Loss::Logistic,
        Loss::Huber { width: ratio(1, 3) },
        Loss::Squared {
            largest: integer(2),
        },
    ]
}

fn is_of_classes(loss: &Loss) -> bool {
    matches!(loss, Loss::Linear | Loss::Hinge | Loss::Logistic)
}

fn kernels() -> [Kernel; 4] {
    [
        polynomial(1, 0, 2, 0, 4),
        polynomial(3, 4, 2, 1, 3),
        polynomial(1, 0, 2, 26, 1 << 26),
        gaussian(ratio(1, 2), 2, 3, 8),
    ]
}

/// Different points of a ball with labels, the first at the origin and the second on the sphere.
fn records(
    numbers: &mut Numbers,
    kernel: &Kernel,
    n: usize,
    of_classes: bool,
) -> Vec<(Vec<i64>, i64)> {
    let mut records: Vec<(Vec<i64>, i64)> = vec![(vec![0; kernel.d], 1)];
    let mut axis = vec![0; kernel.d];
    axis[0] = kernel.radius;
    records.push((axis, -1));
    while records.len() < n {
        let x = numbers.point(kernel);
        if records.iter().all(|record| record.0 != x) {
            let y = if of_classes {
                2 * (numbers.next(1)).abs() - 1
            } else {
                numbers.next(2)
            };
            records.push((x, y));
        }
    }
    records
}

#[test]
fn public_numbers_are_the_shipped_ones() {
    for kernel in kernels() {
        for l in losses() {
            for (lambda, n) in [(ratio(1, 10), 1), (integer(3), 5), (ratio(1, 7), 1_000_000)] {
                let (ours, theirs, sensitivity) = problem(&kernel, l.clone(), lambda.clone(), n);
                assert_eq!(s(&ours).unwrap(), sensitivity.exact);
                assert_eq!(eta(&ours).unwrap(), sensitivity.evaluation);
                assert_eq!(s_prime(&ours).unwrap(), sensitivity.predictions());
                assert_eq!(squared_d(&ours).unwrap(), sensitivity.squared_vectors());
                assert_eq!(
                    c(&ours).unwrap(),
                    theirs.norm_bound(domain(&kernel)).unwrap()
                );
                let slope = loss(&l).lipschitz(&kernel.squared_r(), &lambda).unwrap();
                assert_eq!(lipschitz(&ours).unwrap(), slope);
            }
        }
    }
}

/// The dual point that the shipped solver finds: `a_i = lambda n mu_i` of a record that occurs once.
fn found(
    kernel: &Kernel,
    problem: &Problem,
    theirs: &dp_assay::kernels::Problem,
    records: &[(Vec<i64>, i64)],
) -> (Vec<Rational>, dp_assay::kernels::Optimum) {
    let labels = match &problem.loss {
        l if is_of_classes(l) => Labels::Classes,
        _ => Labels::Numbers {
            grid: Grid::new(0).unwrap(),
            largest: 2,
        },
    };
    let given = records.iter().map(|(x, y)| {
        (
            Record {
                point: point(x),
                label: *y,
            },
            1,
        )
    });
    let data = Dataset::of_labels(domain(kernel), labels, given).unwrap();
    let w = fit(&data, theirs).unwrap();
    let scale = &problem.lambda * integer(problem.n);
    let a = records
        .iter()
        .map(|(x, _)| {
            w.terms()
                .find(|(z, _)| **z == point(x))
                .map_or(integer(0), |(_, mu)| mu * &scale)
        })
        .collect();
    (a, w)
}

#[test]
fn what_the_shipped_solver_finds_is_certified_and_predicts_the_same() {
    let mut numbers = Numbers(3);
    for kernel in kernels() {
        for l in losses() {
            for (lambda, n) in [(ratio(1, 10), 7), (integer(2), 4)] {
                let records = records(&mut numbers, &kernel, n, is_of_classes(&l));
                let (ours, theirs, _) = problem(&kernel, l.clone(), lambda, n as u64);
                let (a, w) = found(&kernel, &ours, &theirs, &records);
                let points = Points::new(kernel.radius, kernel.d, records.clone()).unwrap();
                let vector = vector(&points, &ours, &a).unwrap();
                for (x, _) in &records {
                    // Of Gaussian values the shipped one is a step off at most.
                    let off = kernel.predict(&vector, x).unwrap() - w.prediction(&point(x));
                    assert!(
                        off.abs() <= eta(&ours).unwrap() * integer(2),
                        "{l:?}: {off}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_gap_is_the_shipped_one() {
    let mut numbers = Numbers(4);
    for kernel in [polynomial(1, 0, 2, 0, 4), polynomial(2, 3, 2, 1, 3)] {
        for l in losses() {
            for round in 0..12 {
                let records = records(&mut numbers, &kernel, 5, is_of_classes(&l));
                let (ours, _, _) = problem(&kernel, l.clone(), ratio(1, 3), 5);
                // The ends of the intervals among them, and the middle.
                let slope = lipschitz(&ours).unwrap();
                let a: Vec<Rational> = records
                    .iter()
                    .map(|(_, y)| {
                        let share = Rational::new(((numbers.next(4) + 4) * 2).into(), 16.into());
                        match &l {
                            Loss::Linear => integer(*y),
                            Loss::Hinge | Loss::Logistic => share * integer(*y),
                            _ => (share * integer(2) - integer(1)) * &slope,
                        }
                    })
                    .collect();
                let rows = records
                    .iter()
                    .map(|(x, _)| {
                        records
                            .iter()
                            .map(|(z, _)| on(&kernel).value(&point(x), &point(z)))
                            .collect()
                    })
                    .collect();
                let (matrix, counts) = (Matrix { rows, bits: 48 }, [1; 5]);
                let labels: Vec<i64> = records.iter().map(|record| record.1).collect();
                let erm = Erm::new(
                    &matrix,
                    (&labels, 0),
                    &counts,
                    &loss(&l),
                    &ours.lambda,
                    &kernel.squared_r(),
                )
                .unwrap();
                let weights: Vec<i64> = a
                    .iter()
                    .map(|a| (a * integer(1i64 << 30)).to_integer().try_into().unwrap())
                    .collect();
                let theirs = erm.gap(&weights, 30).unwrap();
                let points = Points::new(kernel.radius, kernel.d, records).unwrap();
                let off = gap(&points, &ours, &a).unwrap() - theirs;
                let most = if l == Loss::Logistic {
                    Rational::new(1.into(), BigInt::from(1) << 100)
                } else {
                    integer(0)
                };
                assert!(off.abs() <= most, "{l:?} {round}: {off}");
            }
        }
    }
}

#[test]
fn a_gap_counts_twice_what_the_rounding_of_the_kernel_moves() {
    // One record with K(x, x) = 1, and lambda = n = 1: f = a.
    let kernel = gaussian(ratio(1, 2), 1, 3, 8);
    let largest = integer(2);
    for (l, y, a, exact) in [
        (Loss::Linear, 1, integer(1), integer(0)),
        (Loss::Hinge, 1, ratio(3, 4), ratio(1, 16)),
        (Loss::Squared { largest }, 2, ratio(3, 4), ratio(1, 8)),
    ] {
        let (ours, _, _) = problem(&kernel, l, integer(1), 1);
        let points = Points::new(8, 1, vec![(vec![8], y)]).unwrap();
        let most = integer(2) * lipschitz(&ours).unwrap() * eta(&ours).unwrap();
        let off = gap(&points, &ours, &[a]).unwrap() - exact;
        let is_linear = ours.loss == Loss::Linear;
        assert!(most.is_positive() && off == if is_linear { integer(0) } else { most });
    }
}

/// One record at 1, `lambda = n = R = 1`, the hinge loss: `f = a`, and the gap is `(1 - a)^2`.
fn one_record(a: Rational, r: Rational, label: i64) -> Result<Rational, dp_assay_reference::Error> {
    let kernel = polynomial(1, 0, 1, 0, 1);
    let problem = Problem {
        kernel,
        loss: Loss::Hinge,
        label_bits: 0,
        lambda: integer(1),
        n: 1,
        r,
    };
    let points = Points::new(1, 1, vec![(vec![1], label)]).unwrap();
    Ok(vector(&points, &problem, &[a])?[0].0.clone())
}

#[test]
fn a_gap_of_exactly_the_tolerance_is_taken_and_one_above_is_not() {
    assert_eq!(
        one_record(ratio(3, 4), ratio(1, 4), 1).unwrap(),
        ratio(3, 4)
    );
    assert!(one_record(ratio(3, 4), ratio(249, 1000), 1).is_err());
    assert_eq!(
        one_record(ratio(-3, 4), ratio(1, 4), -1).unwrap(),
        ratio(-3, 4)
    );
    assert_eq!(one_record(integer(1), integer(0), 1).unwrap(), integer(1));
}

#[test]
fn a_dual_variable_outside_its_interval_is_refused_however_large_r_is() {
    for (a, y) in [
        (ratio(5, 4), 1),
        (ratio(-1, 4), 1),
        (ratio(1, 4), -1),
        (ratio(-5, 4), -1),
    ] {
        assert!(one_record(a, integer(100), y).is_err());
    }
    assert!(one_record(integer(0), integer(100), -1).is_ok());
}

#[test]
fn every_label_is_admitted() {
    // The sign is the class, of 0 it is 1; numbers are clipped.
    assert!(
        one_record(ratio(3, 4), ratio(1, 4), 0).is_ok()
            && one_record(ratio(3, 4), ratio(1, 4), i64::MAX).is_ok()
    );
    assert!(one_record(ratio(-3, 4), ratio(1, 4), i64::MIN).is_ok());
    let kernel = polynomial(1, 0, 1, 0, 1);
    let with = |label, label_bits| {
        let loss = Loss::Squared {
            largest: integer(2),
        };
        let problem = Problem {
            kernel: kernel.clone(),
            loss,
            label_bits,
            lambda: integer(1),
            n: 1,
            r: integer(0),
        };
        let points = Points::new(1, 1, vec![(vec![1], label)]).unwrap();
        // y = 2: f = a = 1.
        (
            gap(&points, &problem, &[integer(1)]).unwrap(),
            gap(&points, &problem, &[integer(-1)]).unwrap(),
        )
    };
    assert_eq!(with(2, 0).0, integer(0));
    assert_eq!(with(9, 0), with(2, 0));
    assert_eq!(with(16, 3), with(2, 0));
    assert_eq!(with(i64::MIN, 3), (with(2, 0).1, with(2, 0).0));
}

#[test]
fn what_does_not_fit_is_refused() {
    let (ours, _, _) = problem(&polynomial(1, 0, 2, 0, 4), Loss::Linear, integer(1), 2);
    let points = |one, d, n: usize| Points::new(one, d, vec![(vec![1; d], 1); n]).unwrap();
    let a = vec![integer(1); 3];
    assert!(vector(&points(4, 2, 2), &ours, &a[..2]).is_ok());
    for wrong in [points(5, 2, 2), points(4, 3, 2), points(4, 2, 1)] {
        assert!(vector(&wrong, &ours, &a[..2]).is_err());
    }
    assert!(
        vector(&points(4, 2, 3), &ours, &a).is_err()
            && vector(&points(4, 2, 2), &ours, &a).is_err()
    );
    let none = Problem { n: 0, ..ours };
    assert!(vector(&points(4, 2, 0), &none, &[]).is_err());
}
