use super::common::{Numbers, budget, on, optimum, polynomial, problem, same_coins};
use crate::lent::ChaCha;
use dp_assay::coins::{Coins, CoinsError, Law};
use dp_assay::geometry::{LatticeCover, LinearChoice};
use dp_assay::kernels::linear_test_independent::{LinearPlan, learn as shipped_learn};
use dp_assay::kernels::{Calibration, TestIndependent};
use dp_assay::law::Censored;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay_reference::kernels::algorithm_3::Chosen;
use dp_assay_reference::kernels::algorithm_3_linear::learn;
use dp_assay_reference::kernels::kernel::{Expansion, Kernel};
use dp_assay_reference::kernels::minimiser::{Loss, Problem};
use dp_assay_reference::sample::ExponentialMechanism;
use std::any::Any;

/// Coins by which the two learners choose the same points, though they draw them in two ways: the choice is made by a script, and
/// what is drawn otherwise by coins. The laws of the choices are kept.
struct Lockstep {
    coins: ChaCha,
    script: Vec<Vec<i64>>,
    lattice: Vec<Vec<i64>>,
    round: usize,
    negative: bool,
    theirs: Vec<LinearChoice>,
    ours: Vec<ExponentialMechanism>,
}

impl Coins for Lockstep {
    /// The fair sign of the reference: it is asked for nothing else outside the laws.
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        assert_eq!(count, 1);
        Ok(self.negative.into())
    }

    fn consumed(&self) -> u64 {
        self.coins.consumed()
    }

    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        let law_of_any: &dyn Any = law;
        let chosen = &self.script[self.round % self.script.len()];
        let outcome: Box<dyn Any> = if let Some(choice) = law_of_any.downcast_ref::<LinearChoice>()
        {
            self.theirs.push(choice.clone());
            self.round += 1;
            Box::new(chosen.clone())
        } else {
            assert!(law_of_any.is::<Censored>());
            return law.sample(&mut self.coins);
        };
        Ok(*outcome.downcast::<L::Outcome>().unwrap())
    }
}

impl dp_assay_reference::coins::Coins for Lockstep {
    /// The fair sign of the reference: it is asked for nothing else outside the laws.
    fn bits(&mut self, count: u32) -> Result<u64, dp_assay_reference::Error> {
        assert_eq!(count, 1);
        Ok(self.negative.into())
    }

    fn consumed(&self) -> u64 {
        dp_assay_reference::coins::Coins::consumed(&self.coins)
    }

    fn draw<L: dp_assay_reference::coins::Law>(
        &mut self,
        law: &L,
    ) -> Result<L::Outcome, dp_assay_reference::Error> {
        let law_of_any: &dyn Any = law;
        let chosen = &self.script[self.round % self.script.len()];
        let outcome: Box<dyn Any> =
            if let Some(choice) = law_of_any.downcast_ref::<ExponentialMechanism>() {
                self.ours.push(choice.clone());
                self.round += 1;
                let sign = if self.negative { -1 } else { 1 };
                let signed: Vec<i64> = chosen.iter().map(|k| sign * k).collect();
                let place = self.lattice.iter().position(|k| *k == signed).unwrap();
                Box::new(place)
            } else {
                assert!(law_of_any.is::<dp_assay_reference::sample::Censored>());
                return law.sample(&mut self.coins);
            };
        Ok(*outcome.downcast::<L::Outcome>().unwrap())
    }
}

struct Setting {
    kernel: Kernel,
    problem: Problem,
    chosen: Chosen,
    q: i64,
    cover: LatticeCover,
    plan: LinearPlan,
}

fn setting(
    d: usize,
    bits: u32,
    loss: Loss,
    n: u64,
    epsilon: Rational,
    b: u64,
    radius: Rational,
) -> Setting {
    let kernel = polynomial(1, 0, d, bits, 1 << bits);
    let (ours, _, sensitivity) = problem(&kernel, loss, ratio(1, 10), n);
    let asked = TestIndependent {
        budget: budget(epsilon, ratio(1, 1000)),
        calibration: Calibration::Pure,
        failure: ratio(1, 20),
        norm_bound: integer(3),
    };
    let cover = LatticeCover::truncating(d, &radius).unwrap();
    let plan = LinearPlan::new(&asked, &sensitivity, &on(&kernel), cover.clone(), Some(b)).unwrap();
    Setting {
        chosen: Chosen {
            b,
            e: plan.plan().loss().clone(),
            beta: ratio(1, 20),
        },
        q: cover.denominator() as i64,
        kernel,
        problem: ours,
        cover,
        plan,
    }
}

fn settings() -> Vec<Setting> {
    vec![
        setting(1, 4, Loss::Linear, 10_000, integer(3), 4, ratio(1, 3)),
        setting(2, 4, Loss::Hinge, 10_000, integer(10), 3, ratio(3, 4)),
        setting(3, 26, Loss::Logistic, 1_000, integer(20), 3, integer(1)),
        setting(2, 0, Loss::Linear, 100, integer(400), 2, ratio(1, 2)),
    ]
}

/// All points of the cover, in the order of the reference: the first coordinate slowest.
fn lattice(setting: &Setting) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for _ in 0..setting.kernel.d {
        let longer = |k: &Vec<i64>| {
            (-setting.q..=setting.q)
                .map(|last| [&k[..], &[last]].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.retain(|k| setting.cover.contains(k));
    all
}

fn lockstep(setting: &Setting, seed: u64, script: &[Vec<i64>], negative: bool) -> Lockstep {
    Lockstep {
        coins: same_coins(seed).0,
        script: script.to_vec(),
        lattice: lattice(setting),
        round: 0,
        negative,
        theirs: Vec::new(),
        ours: Vec::new(),
    }
}

#[test]
fn with_the_same_choices_it_is_the_shipped_learner_and_choices_have_the_same_law() {
    let mut numbers = Numbers(14);
    let (mut updates, mut quiet, mut never, mut laws) = (0, 0, 0, 0);
    for setting in settings() {
        let lattice = lattice(&setting);
        for seed in 0..crate::by_day_or_night(12, 24) {
            let size = setting.plan.plan().threshold() * integer(1 << (seed % 6));
            let w: Expansion = numbers.expansion(&setting.kernel, 2, &size);
            let script: Vec<Vec<i64>> = (0..4)
                .map(|_| {
                    lattice[(numbers.next(1_000_000) + 1_000_000) as usize % lattice.len()].clone()
                })
                .collect();
            let mut ours = lockstep(&setting, seed as u64, &script, seed % 2 == 0);
            let mut theirs = lockstep(&setting, seed as u64, &script, seed % 2 == 0);
            let found = learn(&w, &setting.problem, setting.q, &setting.chosen, &mut ours).unwrap();
            let expected =
                shipped_learn(&optimum(&setting.kernel, &w), &setting.plan, &mut theirs).unwrap();
            assert_eq!((found.0, found.1), (expected.weights, expected.quiet));
            assert_eq!(
                (ours.consumed(), ours.round),
                (theirs.consumed(), theirs.round)
            );
            updates += ours.round - usize::from(found.1);
            if found.1 {
                quiet += 1
            } else {
                never += 1
            }
            // Half of e^<s, k> and half of e^-<s, k> is cosh <s, k>.
            for (ours, theirs) in
                ours.ours
                    .iter()
                    .zip(&theirs.theirs)
                    .take(if seed < crate::by_day_or_night(2, 6) {
                        3
                    } else {
                        1
                    })
            {
                let mut sum = Enclosure::integer(0, 128);
                for (place, k) in lattice.iter().enumerate() {
                    let back = lattice.len() - 1 - place;
                    let half = |place| {
                        let own = dp_assay_reference::coins::Law::pmf(ours, &place, 128).unwrap();
                        Enclosure::between(&own.lower(), &own.upper(), 128).shifted(-1)
                    };
                    let own = half(place) + half(back);
                    assert!(lattice[back].iter().zip(k).all(|(a, b)| *a == -b));
                    assert!(own.meets(&theirs.pmf(k, 128).unwrap()));
                    assert!(own.has_digits(20) || own.hi().magnitude() < -100);
                    sum = sum + own;
                    laws += 1;
                }
                assert!(sum.contains(&integer(1)));
            }
        }
    }
    println!(
        "{updates} updates, {quiet} quiet, {never} without a quiet round, {laws} probabilities"
    );
    // Half as many runs by day.
    assert!(updates > crate::by_day_or_night(10, 40));
    assert!(quiet > crate::by_day_or_night(6, 30) && never > crate::by_day_or_night(0, 10));
}

#[test]
fn slopes_are_clipped_where_the_shipped_ones_are() {
    for setting in settings() {
        let one = setting.kernel.radius;
        let mut first = vec![0; setting.kernel.d];
        first[0] = one;
        // Predictions of 2^60, of both signs.
        for mu in [integer(1i64 << 60), integer(-(1i64 << 60))] {
            let w = vec![(mu, first.clone())];
            let script = vec![lattice(&setting)[0].clone()];
            let mut ours = lockstep(&setting, 1, &script, false);
            let mut theirs = lockstep(&setting, 1, &script, false);
            let found = learn(&w, &setting.problem, setting.q, &setting.chosen, &mut ours).unwrap();
            let expected =
                shipped_learn(&optimum(&setting.kernel, &w), &setting.plan, &mut theirs).unwrap();
            assert_eq!(found, (expected.weights, expected.quiet));
            // What is told of the exponents is the same: between the two ends of the first axis.
            let q = setting.q;
            let place = |k: i64| {
                let mut point = vec![0; setting.kernel.d];
                point[0] = k;
                lattice(&setting)
                    .iter()
                    .position(|other| *other == point)
                    .unwrap()
            };
            let loss = |k: i64| ours.ours[0].parts().2[place(k)].loss.clone();
            let apart = loss(-q) - loss(q);
            let root = (setting.kernel.d - 1).isqrt() + 1;
            let most = integer(dp_assay::sample::LARGEST_EXPONENT / 2) / integer(root as u64);
            let sign = if w[0].0 > integer(0) {
                integer(1)
            } else {
                integer(-1)
            };
            assert_eq!(apart, most * integer(2) * sign);
        }
    }
}

#[test]
fn another_kernel_or_radius_is_refused() {
    let setting = &settings()[1];
    let (mut coins, _) = same_coins(1);
    for kernel in [
        polynomial(2, 0, 2, 4, 16),
        polynomial(1, 1, 2, 4, 16),
        polynomial(1, 0, 2, 4, 15),
        polynomial(1, 0, 2, 49, 1 << 49),
    ] {
        let problem = Problem {
            kernel,
            ..setting.problem.clone()
        };
        assert!(learn(&vec![], &problem, setting.q, &setting.chosen, &mut coins).is_err());
    }
    assert_eq!(coins.consumed(), 0);
}

#[test]
fn it_runs_on_coins_alone() {
    for setting in settings() {
        let (mut coins, _) = same_coins(2);
        let w = vec![(
            setting.plan.plan().threshold(),
            vec![setting.kernel.radius; 1]
                .into_iter()
                .chain(vec![0; setting.kernel.d - 1])
                .collect(),
        )];
        let (found, _) =
            learn(&w, &setting.problem, setting.q, &setting.chosen, &mut coins).unwrap();
        assert!(found.len() == setting.kernel.d && coins.consumed() > 0);
    }
}
