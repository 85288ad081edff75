use super::common::{Numbers, gaussian, on, point, polynomial};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay_reference::kernels::kernel::{Kernel, Shape};
use num_bigint::BigInt;

fn shapes() -> Vec<Kernel> {
    vec![
        polynomial(1, 0, 3, 0, 5),
        polynomial(1, 0, 2, 4, 16),
        // 2 b p = 48 is the last grid on which all values are exact.
        polynomial(1, 0, 2, 24, 1 << 24),
        polynomial(1, 0, 2, 25, 1 << 25),
        polynomial(2, 1, 2, 0, 3),
        polynomial(3, 64, 2, 3, 8),
        polynomial(3, 7, 2, 9, 512),
        polynomial(2, 0, 2, 13, 1 << 13),
    ]
}

#[test]
fn polynomial_values_are_the_shipped_ones() {
    let mut numbers = Numbers(1);
    for kernel in shapes() {
        let theirs = on(&kernel);
        for _ in 0..200 {
            let (x, z) = (numbers.point(&kernel), numbers.point(&kernel));
            let value = kernel.value(&x, &z).unwrap();
            assert_eq!(value, theirs.value(&point(&x), &point(&z)).into());
        }
        assert_eq!(kernel.squared_r(), *theirs.squared_bound());
        assert_eq!(kernel.error(), theirs.error_of_a_value());
    }
}

#[test]
fn halves_go_up() {
    // Values in steps of 2^-50: 2 of them are half a step of 2^-48.
    let kernel = polynomial(1, 0, 1, 25, 1 << 25);
    let theirs = on(&kernel);
    for (x, expected) in [(1, 0), (2, 1), (3, 1), (6, 2), (-2, 0), (-3, -1), (-6, -1)] {
        assert_eq!(kernel.value(&[x], &[1]).unwrap(), BigInt::from(expected));
        assert_eq!(theirs.value(&point(&[x]), &point(&[1])), expected);
    }
}

#[test]
fn gaussian_values_are_the_nearest_and_the_shipped_ones_a_step_off_at_most() {
    let mut numbers = Numbers(2);
    let (mut others, mut all) = (0, 0);
    for (v, d, bits, radius) in [
        (integer(1), 2, 4, 16),
        (ratio(1, 50), 3, 10, 1024),
        (integer(1000), 2, 0, 9),
        // Beyond e^-34 all is 0.
        (ratio(1, 1000), 1, 2, 4),
    ] {
        let kernel = gaussian(v.clone(), d, bits, radius);
        let theirs = on(&kernel);
        for _ in 0..crate::by_day_or_night(10_000, 100_000) {
            let (x, z) = (numbers.point(&kernel), numbers.point(&kernel));
            let value = kernel.value(&x, &z).unwrap();
            let shipped = BigInt::from(theirs.value(&point(&x), &point(&z)));
            let off = &value - &shipped;
            assert!(off >= BigInt::from(-1) && off <= BigInt::from(1), "{off}");
            others += i32::from(value != shipped);
            all += 1;
            // The definition, in steps.
            let squared: i64 = x.iter().zip(&z).map(|(x, z)| (x - z).pow(2)).sum();
            let exponent =
                Rational::new(squared.into(), BigInt::from(1) << (2 * bits)) / &v / integer(2);
            let exact = Enclosure::exp_of(&-exponent, 200).unwrap().shifted(48);
            let half = Enclosure::of(&ratio(1, 2), 200);
            let value = Enclosure::integer(value, 200);
            assert!((exact - value).abs().lower() <= half.upper());
        }
        assert_eq!(kernel.squared_r(), *theirs.squared_bound());
        assert_eq!(kernel.error(), theirs.error_of_a_value());
        let zero = vec![0; d];
        assert_eq!(kernel.value(&zero, &zero).unwrap(), BigInt::from(1) << 48);
    }
    println!("{others} of {all} Gaussian values are not the shipped ones");
    // Fewer points scatter more.
    assert!(others * crate::by_day_or_night(40, 50) < all);
}

#[test]
fn queries_on_the_sphere_are_taken_and_others_refused() {
    let kernel = polynomial(1, 0, 2, 0, 5);
    assert!(kernel.check(&[3, -4]).is_ok() && kernel.check(&[0, 5]).is_ok());
    for wrong in [vec![4, 4], vec![0, -6], vec![1], vec![1, 1, 1]] {
        assert!(kernel.check(&wrong).is_err());
    }
    assert!(matches!(kernel.shape, Shape::Polynomial { p: 1, c: 0 }));
}
