//! Broken twins: each check that says "exact" or "private" must fail on a mechanism that is not.
//!
//! The twins of Algorithm 2 (the missing factor 2, a score not divided by its sensitivity, a comparison
//! made non-strict at 0, sign(0) counted right, a projection drawn again until the data fit) stand beside
//! it, in `src/halfspaces/`.

use dp_assay::coins::{Coins, Explorer, Law, Layer, RejectionLaw};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::privacy::{
    Budget, NeighbouringRelation, Zcdp, gaussian, one_record_descent::OneRecordDescent,
};
use dp_assay::sample::{
    DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, Geometric, ScoreClass,
};
use num_bigint::{BigInt, BigUint};
use num_traits::Signed;

#[test]
fn a_biased_uniform_below_is_caught() {
    // Three bits reduced modulo 6 favour 0 and 1.
    let biased = Explorer::new(Layer::Bits, 100)
        .explore(|coins| Ok(coins.bits(3)? % 6))
        .unwrap();
    let sixth = Enclosure::of(&ratio(1, 6), 64);
    assert!(!biased.allows(&0, &sixth));
    assert!(!biased.allows(&5, &sixth));
    // And the honest one is not accused.
    let honest = Explorer::new(Layer::Bits, 2000)
        .explore(|coins| coins.uniform_below(&BigUint::from(6u32)))
        .unwrap();
    assert!(honest.allows(&BigUint::from(0u32), &sixth));
}

#[test]
fn a_bernoulli_that_is_off_by_one_digit_is_caught() {
    // `<=` for `<`: a tie in all 10 digits counts as below.
    let p = ratio(1, 3);
    let twin = Explorer::new(Layer::Bits, 4000)
        .explore(|coins| Ok(integer(coins.bits(10)?) <= &p * integer(1024)))
        .unwrap();
    assert!(!twin.allows(&true, &Enclosure::of(&p, 64)));
}

#[test]
fn a_truncated_laplace_tail_is_caught() {
    let law = DiscreteLaplace::new(ratio(2, 1)).unwrap();
    // Draws beyond 12 are drawn again.
    let attempt = Explorer::new(Layer::Laws, 4000)
        .explore(|coins| Ok(law.attempt(coins)?.filter(|k| k.abs() <= BigInt::from(12))))
        .unwrap();
    assert!(
        RejectionLaw::new(attempt)
            .disagreement(&law)
            .unwrap()
            .is_some()
    );
    // Draws beyond 12 become 12.
    let attempt = Explorer::new(Layer::Laws, 4000)
        .explore(|coins| {
            Ok(law
                .attempt(coins)?
                .map(|k| k.min(12.into()).max((-12).into())))
        })
        .unwrap();
    assert!(
        RejectionLaw::new(attempt)
            .disagreement(&law)
            .unwrap()
            .is_some()
    );
}

#[test]
fn a_laplace_with_two_zeros_is_caught() {
    let law = DiscreteLaplace::new(ratio(3, 2)).unwrap();
    let magnitude = Geometric::new(ratio(2, 3)).unwrap();
    let twin = Explorer::new(Layer::Laws, 4000)
        .explore(|coins| {
            let negative = coins.bits(1)? == 1;
            let k = BigInt::from(coins.draw(&magnitude)?);
            Ok(if negative { -k } else { k })
        })
        .unwrap();
    assert!(twin.disagreement(&law).unwrap().is_some());
}

#[test]
fn the_variance_used_as_standard_deviation_is_caught() {
    let meant = DiscreteGaussian::new(ratio(16, 1)).unwrap();
    let twin = DiscreteGaussian::new(ratio(4, 1)).unwrap();
    let attempt = Explorer::new(Layer::Laws, 4000)
        .explore(|coins| twin.attempt(coins))
        .unwrap();
    assert!(
        RejectionLaw::new(attempt)
            .disagreement(&meant)
            .unwrap()
            .is_some()
    );
    // And as a calibration: rho = 1/8 asks for variance 16 at sensitivity 2; with 4 it is four times that.
    let asked = Zcdp::new(ratio(1, 8), NeighbouringRelation::Substitute).unwrap();
    let variance = asked.variance(&integer(2)).unwrap();
    assert_eq!(variance, integer(16));
    let spent = Zcdp::gaussian(&integer(2), &integer(4), NeighbouringRelation::Substitute).unwrap();
    assert!(spent.rho() > asked.rho());
}

#[test]
fn a_gaussian_whose_acceptance_lost_its_two_is_caught() {
    let law = DiscreteGaussian::new(ratio(9, 4)).unwrap();
    let proposal = DiscreteLaplace::new(ratio(2, 1)).unwrap();
    let twin = |coins: &mut dp_assay::coins::explorer::Run| {
        let y = coins.draw(&proposal)?;
        let gap = Rational::from(y.abs()) - ratio(9, 8);
        // exp(-(|y| - v/t)^2 / v) instead of / (2 v).
        Ok(coins
            .bernoulli_exp(&(&gap * &gap / ratio(9, 4)))?
            .then_some(y))
    };
    let attempt = Explorer::new(Layer::Laws, 4000).explore(twin).unwrap();
    assert!(
        RejectionLaw::new(attempt)
            .disagreement(&law)
            .unwrap()
            .is_some()
    );
}

#[test]
fn a_geometric_that_starts_at_one_is_caught() {
    let law = Geometric::new(ratio(1, 2)).unwrap();
    let twin = Explorer::new(Layer::BernoulliExp, 6000)
        .explore(|coins| Ok(law.sample(coins)? + 1u32))
        .unwrap();
    assert!(twin.disagreement(&law).unwrap().is_some());
}

#[test]
fn an_exponential_mechanism_without_its_factor_two_is_caught() {
    let classes = || {
        (0..3)
            .map(|loss| ScoreClass {
                loss: integer(loss),
                count: 2u32.into(),
            })
            .collect()
    };
    let law = ExponentialMechanism::new(integer(1), integer(1), classes()).unwrap();
    let twin = ExponentialMechanism::new(integer(2), integer(1), classes()).unwrap();
    let found = Explorer::new(Layer::Bits, 400)
        .explore(|coins| twin.draw_class(coins))
        .unwrap();
    assert!(found.disagreement(&law).unwrap().is_some());
    // Inversion and rejection draw from one law.
    let attempt = Explorer::new(Layer::BernoulliExp, 400)
        .explore(|coins| twin.attempt(coins))
        .unwrap();
    assert!(
        RejectionLaw::new(attempt)
            .disagreement(&twin)
            .unwrap()
            .is_none()
    );
}

#[test]
fn sigma_without_its_n_is_caught() {
    let n = 30;
    let budget = Budget::approximate(
        integer(1),
        ratio(1, 1_000_000),
        NeighbouringRelation::Substitute,
    )
    .unwrap();
    let descent = OneRecordDescent::calibrated(&budget, n, n * n).unwrap();
    let own = descent.own_step();
    let spends = |multiplier: &Rational| {
        gaussian::profile(&multiplier.recip(), own.epsilon(), 256)
            .unwrap()
            .upper()
    };
    assert!(spends(descent.noise_multiplier()) <= *own.delta());
    // n times the gradient, with the noise of one gradient.
    assert!(spends(&(descent.noise_multiplier() / BigInt::from(n))) > *own.delta());
}

#[test]
fn a_float_in_the_wrong_place_is_caught() {
    // Inversion by a float: floor(ln(u) / ln(q)) for a uniform u of 12 bits cannot have the law.
    let law = Geometric::new(ratio(1, 2)).unwrap();
    let twin = Explorer::new(Layer::Bits, 10_000)
        .explore(|coins| {
            let u = (coins.bits(12)? as f64 + 0.5) / 4096.0;
            Ok(BigUint::from((u.ln() / -0.5) as u64))
        })
        .unwrap();
    assert!(twin.disagreement(&law).unwrap().is_some());
}
