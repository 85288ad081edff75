//! The networks of Section 5: what is printed is the shipped learner with its parameters.

use super::common::{Dice, dataset, exp, explored, largest_quotient, plain, same_coins};
use crate::lent::ChaCha;
use dp_assay::coins::Coins;
use dp_assay::geometry::SignMatrix;
use dp_assay::margin::feed_forward::Shape;
use dp_assay::margin::network::{NetworkParameters, Networks, learn};
use dp_assay::number::Grid;
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay_reference::margin::network_as_printed::{Matrix, Required, network};
use num_traits::pow;

fn matrix(rows: &Matrix) -> SignMatrix {
    let row = |row: &Vec<i64>| row.iter().map(|a| *a as i8).collect();
    SignMatrix::from_signs(&rows.iter().map(row).collect::<Vec<_>>()).unwrap()
}

/// With `k` rows, and covers to within `fineness` of `2 Lambda`, up to the root of `L`.
fn required(
    layers: usize,
    neurons: usize,
    k: i64,
    fineness: &Rational,
    epsilon: Rational,
) -> Required {
    let (eta, lambda, r, rho) = (ratio(3, 2), ratio(5, 4), ratio(1, 2), ratio(2, 7));
    let rows = pow(integer(2) * &eta * &lambda, 2 * layers) * &r * &r / (&rho * &rho);
    let gamma = &rho / (&r * pow(integer(4) * &eta * &lambda, layers));
    Required {
        epsilon,
        layers,
        neurons,
        constants: (
            integer(k) / rows - ratio(1, 1_000_000),
            fineness * integer(2) * &lambda / gamma,
        ),
        eta,
        lambda,
        r,
        rho,
    }
}

#[test]
fn what_is_printed_is_the_shipped_learner_with_its_parameters() {
    let mut dice = Dice::new(17);
    let mut least_errors = 0;
    // L and N, k, gamma over 2 Lambda; and what the shipped cover of each layer is told, gamma/sqrt(L) over 2 Lambda, which of
    // a layer with as many entries has the same q.
    for (layers, neurons, k, gamma, radius, seeds) in [
        (1, 1, 1, ratio(1, 3), ratio(1, 3), 8),
        (1, 1, 2, ratio(1, 2), ratio(1, 2), 8),
        (2, 2, 1, ratio(3, 4), ratio(53, 100), 4),
        (2, 3, 1, ratio(1, 1), ratio(7072, 10_000), 1),
        (2, 3, 2, ratio(7, 5), ratio(99, 100), 0),
        (3, 2, 1, ratio(17, 10), ratio(98, 100), 0),
    ] {
        for seed in 0..seeds {
            let (d, m) = (
                3,
                if k == 2 {
                    1
                } else {
                    dice.between(1, 3) as usize
                },
            );
            let records = dice.records(m, 8, d);
            let epsilon = dice.one_of(&[integer(1), integer(12)]);
            let required = required(layers, neurons, k, &gamma, epsilon.clone());
            let (mut ours, mut theirs) = same_coins(seed);
            let (phi, w) = network(&plain(&records), 16, &required, &mut ours).unwrap();

            let shape = Shape::new(d, neurons, layers).unwrap();
            let norm = &required.lambda * integer(2);
            let parameters = NetworkParameters::new(
                epsilon,
                shape,
                required.eta.clone(),
                norm,
                Some(k as usize),
                &radius,
            )
            .unwrap();
            let data = dataset(8, d, &records);
            let model = learn(&data, &parameters, &mut theirs).unwrap();
            let projections: Vec<_> = phi.iter().map(|phi| Some(matrix(phi))).collect();
            assert_eq!(projections, model.projections);
            for (j, (layer, (w, phi))) in model
                .network
                .layers()
                .iter()
                .zip(w.iter().zip(&projections))
                .enumerate()
            {
                let pulled: Vec<_> = w
                    .iter()
                    .map(|w| phi.as_ref().unwrap().pull_back(w).unwrap())
                    .collect();
                assert_eq!(pulled, layer.weights, "layer {j}");
            }
            assert_eq!(ours.consumed(), theirs.consumed());
            let networks = Networks::new(&parameters, Grid::new(4).unwrap(), projections).unwrap();
            let errors = networks.errors(&data).unwrap();
            least_errors += usize::from(errors[model.chosen] == *errors.iter().min().unwrap());
        }
    }
    assert!(least_errors > 3, "{least_errors}");
}

#[test]
fn the_rows_and_the_cover_are_those_of_the_printed_formulas() {
    // 1/100 (1/2)^2 (2 (3/2) (5/4))^4/(2/7)^2 = 6.05...: seven rows of the first matrix, and as many of the second.
    let of = |rows: Rational, gamma: Rational| Required {
        constants: (rows, gamma),
        ..required(1, 1, 1, &ratio(1, 2), integer(1))
    };
    let s = vec![(vec![3, 1], 1)];
    let mut coins = ChaCha::reproducible(1, 0);
    // L = 1: 1/4 (15/4)^2/(4/49) = 43.07...: a twentieth of it 2.15, and gamma = C (2/7)/((1/2)(15/2)) = .0762 C.
    let (phi, w) = network(&s, 16, &of(ratio(1, 20), integer(20)), &mut coins).unwrap();
    assert_eq!((phi.len(), phi[0].len(), phi[0][0].len()), (1, 3, 2));
    assert_eq!((w.len(), w[0].len(), w[0][0].len()), (1, 1, 3));
    // q >= sqrt(3) Lambda/gamma = sqrt(3) (5/4)/1.524 = 1.42, so 2, and |c| <= 2 + .87: at most 8.
    assert!(w[0][0].iter().map(|c| c * c).sum::<i64>() <= 8);
}

#[test]
fn a_substituted_record_moves_no_probability_by_more_than_epsilon() {
    let epsilon = integer(1);
    let law = |second: (Vec<i64>, i64)| {
        let s = vec![(vec![3, 1], 1), second];
        explored(|coins| {
            network(
                &s,
                16,
                &required(2, 1, 1, &ratio(1, 2), epsilon.clone()),
                coins,
            )
        })
    };
    let laws: Vec<_> = [
        (vec![3, 1], 1),
        (vec![3, 1], -1),
        (vec![0, 0], 1),
        (vec![-2, 5], 1),
    ]
    .into_iter()
    .map(law)
    .collect();
    let mut worst = integer(0);
    // A quotient is that of both directions.
    for (place, one) in laws.iter().enumerate() {
        for other in &laws[place + 1..] {
            worst = worst.max(largest_quotient(one, other));
        }
    }
    assert!(
        worst <= exp(&epsilon) && worst > exp(&ratio(1, 2)),
        "{worst}"
    );
}
