use super::common::{Numbers, gaussian, on, point, polynomial};
use dp_assay::kernels::InSpan;
use dp_assay::number::Rational;
use dp_assay::number::rational::{from_f64, integer, ratio, to_f64_for_display};
use dp_assay_reference::kernels::kernel::Kernel;
use dp_assay_reference::kernels::span::{certificate, nearest_in_span};

fn coefficients(kernel: &Kernel, z: &[Vec<i64>], y: &[Rational], c0: &Rational) -> Vec<Rational> {
    let w = nearest_in_span(kernel, z, y, c0).unwrap();
    assert!(w.iter().map(|term| &term.1).eq(z));
    w.into_iter().map(|term| term.0).collect()
}

#[test]
fn in_one_dimension_it_is_the_slope_within_the_bound() {
    let kernel = polynomial(1, 0, 1, 0, 3);
    let slope = |x: &[i64], y: &[i64], c0: Rational| {
        let z: Vec<Vec<i64>> = x.iter().map(|x| vec![*x]).collect();
        let y: Vec<Rational> = y.iter().map(|y| integer(*y)).collect();
        let w = nearest_in_span(&kernel, &z, &y, &c0).unwrap();
        kernel.predict(&w, &[1]).unwrap()
    };
    // sum of x y over sum of x^2
    assert_eq!(slope(&[1, 2], &[2, 3], integer(9)), ratio(8, 5));
    assert_eq!(slope(&[1, 2, 2], &[2, 1, 5], integer(9)), ratio(14, 9));
    // The bound met exactly: nothing is shortened.
    assert_eq!(slope(&[1, 2], &[2, 3], ratio(8, 5)), ratio(8, 5));
    assert_eq!(slope(&[1, 2], &[0, 0], integer(1)), integer(0));
    assert_eq!(slope(&[0], &[5], integer(1)), integer(0));
    assert_eq!(slope(&[], &[], integer(1)), integer(0));
    for c0 in [
        ratio(3, 2),
        ratio(1, 10),
        ratio(1, 1_000_000),
        ratio(159_999_999, 100_000_000),
    ] {
        let found = slope(&[1, 2], &[2, 3], c0.clone());
        assert!(
            found <= c0 && found >= &c0 * ratio((1 << 30) - 1, 1 << 30),
            "{found}"
        );
    }
}

#[test]
fn it_is_optimal_and_so_is_the_shipped_one_nearly() {
    let mut numbers = Numbers(11);
    for kernel in [
        polynomial(1, 0, 2, 0, 4),
        polynomial(3, 1, 2, 0, 2),
        gaussian(ratio(3, 2), 2, 2, 8),
    ] {
        for c0 in [ratio(1, 20), integer(2), integer(1000)] {
            for round in 0..6 {
                let mut z: Vec<Vec<i64>> = (0..5).map(|_| numbers.point(&kernel)).collect();
                if round > 2 {
                    z[3] = z[0].clone();
                    z[4] = vec![0, 0];
                }
                let y: Vec<Rational> = (0..5).map(|_| ratio(numbers.next(300), 7)).collect();
                let a = coefficients(&kernel, &z, &y, &c0);
                let (squared, gap) = certificate(&kernel, &z, &y, &c0, &a).unwrap();
                let scale: Rational = y.iter().map(|y| y * y).sum();
                assert!(
                    squared <= &c0 * &c0 && gap <= &scale * ratio(1, 1 << 28),
                    "{gap}"
                );
                // The shipped one, in floats.
                let public: Vec<_> = z.iter().map(|z| point(z)).collect();
                let targets: Vec<f64> = y.iter().map(to_f64_for_display).collect();
                let shipped =
                    InSpan::nearest(&on(&kernel), &public, &targets, to_f64_for_display(&c0));
                let a: Vec<Rational> = shipped.terms().map(|(_, a)| from_f64(a).unwrap()).collect();
                let (squared, gap) = certificate(&kernel, &z, &y, &c0, &a).unwrap();
                assert!(squared <= &c0 * &c0 * ratio((1 << 40) + 1, 1 << 40));
                assert!(gap <= scale * ratio(1, 1 << 20), "{gap}");
            }
        }
    }
}

#[test]
fn a_certificate_is_the_gap_of_one_point() {
    // K = 4, y = 3: the objective at a is (4a - 3)^2, |w|^2 = 4 a^2, and the least over |w| <= 1 is at a = 1/2, 1.
    let kernel = polynomial(1, 0, 1, 0, 2);
    let of = |a| certificate(&kernel, &[vec![2]], &[integer(3)], &integer(1), &[a]).unwrap();
    assert_eq!(of(ratio(1, 2)), (integer(1), integer(0)));
    // At 0: |g| = 2 * 3 * 2.
    assert_eq!(of(integer(0)), (integer(0), integer(12)));
}
