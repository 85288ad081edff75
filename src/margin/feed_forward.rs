//! Feed-forward networks with integer weights, and the sign of what they put out, which is certified.
//!
//! The activation is that of the paper, `(1 - e^(-eta a/2))/(1 + e^(-eta a/2)) = tanh(eta a/4)`. A sign is decided by
//! enclosures of rising precision. Neurons that are equal, or opposite, at a point are one: what cancels is a tie and is
//! seen to be one. With two layers nothing else can be a tie (`spec/margin.md`, `bms22.sec5.dp`).

use super::error::MarginError;
use crate::geometry::Record;
use crate::number::range::{above_zero, at_least_one, require};
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A network `h(x) = W_L psi(... W_2 psi(W_1 x))`, where `psi` takes `tanh(eta a/4)` of each coordinate `a`, and there is
/// none after the last layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    slope: Rational,
    layers: Vec<Layer>,
}
crate::published!(Network { slope, layers });

/// A linear map: integer weights, one row for each neuron, times a scale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// The weights of each neuron.
    pub weights: Vec<Vec<i64>>,
    /// What they are multiplied by.
    pub scale: Scale,
}
crate::published!(Layer { weights, scale });

/// The number `factor/sqrt(root)`, above 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scale {
    /// The factor, above 0.
    pub factor: Rational,
    /// Of its square root the inverse is taken; at least 1.
    pub root: u64,
}
crate::published!(Scale { factor, root });

impl Network {
    /// The network of the given layers, the first one first; `slope` is the paper's `eta`.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless slope and scales are above 0, there is a layer, each has a neuron, the last has
    /// one, and the absolute weights of a neuron sum to less than 2^63; [`MarginError::Length`] for a neuron that does
    /// not have as many weights as there are neurons before it.
    pub fn new(slope: Rational, layers: Vec<Layer>) -> Result<Self, MarginError> {
        above_zero("the slope of the activation", &slope)?;
        at_least_one("the number of layers", layers.len() as u64)?;
        let mut before = layers[0].weights.first().map_or(0, Vec::len);
        for (number, layer) in layers.iter().enumerate() {
            above_zero("the scale of a layer", &layer.scale.factor)?;
            at_least_one("the root in the scale of a layer", layer.scale.root)?;
            at_least_one("the neurons of a layer", layer.weights.len() as u64)?;
            for neuron in &layer.weights {
                if neuron.len() != before {
                    return Err(MarginError::Length {
                        what: format!("a neuron of layer {}", number + 1),
                        expected: before,
                        found: neuron.len(),
                    });
                }
                let sum: u128 = neuron.iter().map(|w| u128::from(w.unsigned_abs())).sum();
                let expected = "below 2^63: use a coarser cover";
                require(
                    sum < 1 << 63,
                    "the absolute weights of a neuron",
                    &sum,
                    expected,
                )?;
            }
            before = layer.weights.len();
        }
        require(before == 1, "the neurons of the last layer", &before, "1")?;
        Ok(Self { slope, layers })
    }

    /// The layers, the first one first.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The sign of `h(x)`; `None` if it is so close to 0 that the last precision does not tell.
    ///
    /// # Errors
    /// [`MarginError::Length`] for a point of another dimension; those of the enclosures.
    pub fn sign(&self, x: &[i64]) -> Result<Option<Ordering>, MarginError> {
        let scales = self.scales();
        let mut neurons = Neurons::new(&self.slope, &scales);
        let sum = self.last_sum(x, &mut neurons)?;
        neurons.sign(&sum)
    }

    /// An enclosure of `h(x)`, computed with `bits` bits.
    ///
    /// # Errors
    /// Those of [`Network::sign`].
    pub fn output(&self, x: &[i64], bits: u32) -> Result<Enclosure, MarginError> {
        let scales = self.scales();
        let mut neurons = Neurons::new(&self.slope, &scales);
        let sum = self.last_sum(x, &mut neurons)?;
        let last = &scales[scales.len() - 1];
        Ok(neurons.total(&sum, bits)? * last.enclosure(bits)?)
    }

    /// How many records have `y h(x) <= 0`: a tie is an error, and so is a sign that is not decided. **Not private.**
    ///
    /// # Errors
    /// Those of [`Network::sign`].
    pub fn errors(&self, records: &[Record]) -> Result<usize, MarginError> {
        let mut errors = 0;
        for record in records {
            errors += usize::from(self.sign(&record.features)? != Some(right(record)));
        }
        Ok(errors)
    }

    fn scales(&self) -> Vec<Scale> {
        self.layers
            .iter()
            .map(|layer| layer.scale.clone())
            .collect()
    }

    /// What the last neuron sums up.
    fn last_sum(&self, x: &[i64], neurons: &mut Neurons) -> Result<Sum, MarginError> {
        let expected = self.layers[0].weights[0].len();
        if x.len() != expected {
            return Err(MarginError::Length {
                what: "a point".to_owned(),
                expected,
                found: x.len(),
            });
        }
        let mut signals = inputs(x);
        for (number, layer) in self.layers[..self.layers.len() - 1].iter().enumerate() {
            signals = neurons.layer(number, &layer.weights, &signals);
        }
        Ok(sum_of(
            &self.layers[self.layers.len() - 1].weights[0],
            &signals,
        ))
    }
}

impl Scale {
    fn enclosure(&self, bits: u32) -> Result<Enclosure, MarginError> {
        let root = Enclosure::integer(self.root, bits).sqrt()?;
        Ok(Enclosure::of(&self.factor, bits).divided_by(&root)?)
    }
}

/// The sign that is right for a record.
pub(super) fn right(record: &Record) -> Ordering {
    if record.positive {
        Ordering::Greater
    } else {
        Ordering::Less
    }
}

/// The public shape of a network: `layers` linear maps, with `width` neurons in each hidden layer and one in the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    dimension: usize,
    width: usize,
    layers: usize,
}

/// The most layers of a network.
const MOST_LAYERS: usize = 64;

impl Shape {
    /// Networks on points of this dimension. With one layer the width is of no matter.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless all three are at least 1, and there are at most 64 layers.
    pub fn new(dimension: usize, width: usize, layers: usize) -> Result<Self, MarginError> {
        at_least_one("the dimension of a network", dimension as u64)?;
        at_least_one("the width of a network", width as u64)?;
        let right = (1..=MOST_LAYERS).contains(&layers);
        require(
            right,
            "the layers of a network",
            &layers,
            "at least 1 and at most 64",
        )?;
        Ok(Self {
            dimension,
            width,
            layers,
        })
    }

    /// The dimension `d` of the points.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The width `N`.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many layers, `L`.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.layers
    }

    /// Of each layer how many coordinates go in and how many come out.
    pub fn sides(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let Self {
            dimension,
            width,
            layers,
        } = *self;
        (0..layers).map(move |layer| {
            let inputs = if layer == 0 { dimension } else { width };
            let outputs = if layer + 1 == layers { 1 } else { width };
            (inputs, outputs)
        })
    }

    pub(super) fn check(&self, dimension: usize) -> Result<(), MarginError> {
        if dimension == self.dimension {
            return Ok(());
        }
        Err(MarginError::Length {
            what: "the networks' points".to_owned(),
            expected: dimension,
            found: self.dimension,
        })
    }
}

/// The margin at which a bound for networks is stated: activations `tanh(eta a/4)`, weight matrices of Frobenius norm at
/// most `Lambda`, points of norm at most `r`, and the confidence margin `rho`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkMargin {
    slope: Rational,
    norm: Rational,
    radius: Rational,
    rho: Rational,
}

impl NetworkMargin {
    /// For `eta`, `Lambda`, `r` and `rho`, in this order.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless all are above 0.
    pub fn new(
        slope: Rational,
        norm: Rational,
        radius: Rational,
        rho: Rational,
    ) -> Result<Self, MarginError> {
        above_zero("the slope of the activation", &slope)?;
        above_zero("the norm of weight matrices", &norm)?;
        above_zero("the radius", &radius)?;
        above_zero("the margin", &rho)?;
        Ok(Self {
            slope,
            norm,
            radius,
            rho,
        })
    }

    /// `eta`.
    #[must_use]
    pub fn slope(&self) -> &Rational {
        &self.slope
    }

    /// `Lambda`.
    #[must_use]
    pub fn norm(&self) -> &Rational {
        &self.norm
    }

    /// `Q = Lambda r (eta Lambda/4)^(L-1)/rho`: no network of `L` layers puts out more than `Q rho`. Where it is at most
    /// 1, every network errs on every record at the margin `rho`.
    #[must_use]
    pub fn reach(&self, layers: usize) -> Rational {
        let steepness = &self.slope * &self.norm / integer(4);
        let steps = num_traits::pow(steepness, layers - 1);
        &self.norm * &self.radius * steps / &self.rho
    }
}

/// What goes into a layer at one place: a neuron, by its number, times an integer; or 0.
pub(super) type Signal = Option<(usize, i128)>;

/// An integer combination of neurons, in the order of their numbers, without coefficients 0.
pub(super) type Sum = Vec<(usize, i128)>;

/// The constant 1, of which the features are multiples.
const ONE: usize = 0;

/// The first and the last precision, in bits.
const PRECISIONS: [u32; 2] = [64, 4096];

/// The features of a point as signals.
pub(super) fn inputs(x: &[i64]) -> Vec<Signal> {
    let signal = |&x: &i64| (x != 0).then_some((ONE, i128::from(x)));
    x.iter().map(signal).collect()
}

/// The weighted sum of signals. Below 2^126: the weights sum to less than 2^63, and a signal's factor is a feature or 1.
pub(super) fn sum_of(weights: &[i64], signals: &[Signal]) -> Sum {
    let term = |(&weight, signal): (&i64, &Signal)| {
        let (neuron, factor) = (*signal)?;
        Some((neuron, i128::from(weight) * factor))
    };
    let mut sum: Sum = weights.iter().zip(signals).filter_map(term).collect();
    sum.sort_unstable_by_key(|(neuron, _)| *neuron);
    sum.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    sum.retain(|(_, factor)| *factor != 0);
    sum
}

/// The neurons that occur at one point in networks of the same scales. Neurons that sum up the same are one, and such
/// with the opposite sum are its negative, as the activation is odd.
#[derive(Debug)]
pub(super) struct Neurons<'a> {
    slope: &'a Rational,
    scales: &'a [Scale],
    // The layer and the sum of each neuron but the constant 1, from number 1 on.
    sums: Vec<(usize, Sum)>,
    numbers: BTreeMap<(usize, Sum), usize>,
    // What was computed, by the number of a neuron or a layer, and the precision.
    outputs: BTreeMap<(usize, u32), Enclosure>,
    factors: BTreeMap<(usize, u32), Enclosure>,
    signs: BTreeMap<Sum, Option<Ordering>>,
}

impl<'a> Neurons<'a> {
    pub(super) fn new(slope: &'a Rational, scales: &'a [Scale]) -> Self {
        Self {
            slope,
            scales,
            sums: Vec::new(),
            numbers: BTreeMap::new(),
            outputs: BTreeMap::new(),
            factors: BTreeMap::new(),
            signs: BTreeMap::new(),
        }
    }

    /// What a hidden layer of these weights puts out.
    pub(super) fn layer(
        &mut self,
        layer: usize,
        weights: &[Vec<i64>],
        signals: &[Signal],
    ) -> Vec<Signal> {
        let sums = weights.iter().map(|neuron| sum_of(neuron, signals));
        sums.map(|sum| self.signal(layer, sum)).collect()
    }

    /// A neuron of this layer that sums up this: `psi(0) = 0` and `psi(-a) = -psi(a)`.
    fn signal(&mut self, layer: usize, mut sum: Sum) -> Signal {
        let (_, first) = *sum.first()?;
        let sign = first.signum();
        for (_, factor) in &mut sum {
            *factor *= sign;
        }
        let key = (layer, sum);
        if let Some(&number) = self.numbers.get(&key) {
            return Some((number, sign));
        }
        self.sums.push(key.clone());
        let number = self.sums.len();
        self.numbers.insert(key, number);
        Some((number, sign))
    }

    /// The sign of a sum of the last layer, whose scale is positive. At the last precision it may be undecided, and
    /// stays so: that depends on the point and the network alone.
    pub(super) fn sign(&mut self, sum: &Sum) -> Result<Option<Ordering>, MarginError> {
        if sum.is_empty() {
            return Ok(Some(Ordering::Equal));
        }
        if let Some(&known) = self.signs.get(sum) {
            return Ok(known);
        }
        let [mut bits, last] = PRECISIONS;
        let sign = loop {
            let total = self.total(sum, bits)?;
            if total.lo().is_positive() {
                break Some(Ordering::Greater);
            }
            if total.hi().is_negative() {
                break Some(Ordering::Less);
            }
            if bits >= last {
                break None;
            }
            bits *= 2;
        };
        self.signs.insert(sum.clone(), sign);
        Ok(sign)
    }

    /// An enclosure of a sum of what neurons put out.
    fn total(&mut self, sum: &Sum, bits: u32) -> Result<Enclosure, MarginError> {
        let mut total = Enclosure::integer(0, bits);
        for &(neuron, factor) in sum {
            total = total + self.output(neuron, bits)? * Enclosure::integer(factor, bits);
        }
        Ok(total)
    }

    /// `tanh(eta a/4)`, where `a` is the sum of a neuron times the scale of its layer.
    fn output(&mut self, neuron: usize, bits: u32) -> Result<Enclosure, MarginError> {
        if neuron == ONE {
            return Ok(Enclosure::integer(1, bits));
        }
        if let Some(known) = self.outputs.get(&(neuron, bits)) {
            return Ok(known.clone());
        }
        let (layer, sum) = self.sums[neuron - 1].clone();
        let output = (self.total(&sum, bits)? * self.factor(layer, bits)?).tanh();
        self.outputs.insert((neuron, bits), output.clone());
        Ok(output)
    }

    /// `eta/4` times the scale of a layer.
    fn factor(&mut self, layer: usize, bits: u32) -> Result<Enclosure, MarginError> {
        if let Some(known) = self.factors.get(&(layer, bits)) {
            return Ok(known.clone());
        }
        let quarter = Enclosure::of(&(self.slope * ratio(1, 4)), bits);
        let factor = quarter * self.scales[layer].enclosure(bits)?;
        self.factors.insert((layer, bits), factor.clone());
        Ok(factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(weights: &[&[i64]], factor: Rational) -> Layer {
        Layer {
            weights: weights.iter().map(|neuron| neuron.to_vec()).collect(),
            scale: Scale { factor, root: 1 },
        }
    }

    #[test]
    fn outputs_of_another_program() {
        // 2 tanh((7/2)/4) - tanh((-1/2)/4), and the same with 1/sqrt 2 before the first layer.
        let first = layer(&[&[6, 1], &[-2, 1]], ratio(1, 2));
        let second = layer(&[&[2, -1]], integer(1));
        let two = Network::new(integer(1), vec![first.clone(), second.clone()]).unwrap();
        let output = two.output(&[1, 1], 128).unwrap();
        assert!(output.has_digits(30));
        assert_eq!(output.to_decimals(12).0, "1.53216420964");
        let rooted = Layer {
            scale: Scale {
                factor: ratio(1, 2),
                root: 2,
            },
            ..first
        };
        let two = Network::new(integer(1), vec![rooted, second]).unwrap();
        assert_eq!(
            two.output(&[1, 1], 128).unwrap().to_decimals(12).0,
            "1.18862908184"
        );
    }

    #[test]
    fn what_cancels_is_a_tie() {
        // Equal and opposite neurons, and a neuron of weight 0.
        let hidden = layer(&[&[1, 2], &[-1, -2], &[0, 0], &[3, 1]], ratio(1, 3));
        let sign = |last: &[i64], x: &[i64]| {
            let layers = vec![hidden.clone(), layer(&[last], integer(1))];
            Network::new(ratio(1, 7), layers).unwrap().sign(x).unwrap()
        };
        assert_eq!(sign(&[1, 1, 5, 0], &[1, 1]), Some(Ordering::Equal));
        assert_eq!(sign(&[1, 0, 5, 0], &[1, 1]), Some(Ordering::Greater));
        assert_eq!(sign(&[1, 0, 5, 0], &[-1, -1]), Some(Ordering::Less));
        assert_eq!(sign(&[0, 1, 5, 0], &[1, 1]), Some(Ordering::Less));
        assert_eq!(sign(&[0, 0, 5, 0], &[1, 1]), Some(Ordering::Equal));
        // 3 + 1 = 4 is another neuron than 1 + 2 = 3; on (1, 2) both sum up 5.
        assert_eq!(sign(&[1, 0, 0, -1], &[1, 1]), Some(Ordering::Less));
        assert_eq!(sign(&[1, 0, 0, -1], &[1, 2]), Some(Ordering::Equal));
        assert_eq!(sign(&[1, 2, 3, 4], &[0, 0]), Some(Ordering::Equal));
    }

    #[test]
    fn a_small_difference_is_told_at_a_higher_precision_and_beyond_the_last_is_undecided() {
        // tanh(2u) - 2 tanh(u) = -2u^3 or so, and below 0 for every u > 0.
        let hidden = |bits: u32| {
            layer(
                &[&[1], &[2]],
                Rational::new(1.into(), (1u64 << bits).into()),
            )
        };
        for bits in [0, 10, 30, 40, 60] {
            let last = layer(&[&[-2, 1]], integer(1));
            let network = Network::new(integer(4), vec![hidden(bits), last]).unwrap();
            assert_eq!(network.sign(&[1]).unwrap(), Some(Ordering::Less), "{bits}");
            assert_eq!(
                network.sign(&[-1]).unwrap(),
                Some(Ordering::Greater),
                "{bits}"
            );
        }
        // Both are 1 to 4096 bits.
        let last = layer(&[&[-1, 1]], integer(1));
        let far = Network::new(integer(40_000), vec![hidden(0), last]).unwrap();
        assert_eq!(far.sign(&[1]).unwrap(), None);
        let records = [true, false].map(|positive| Record {
            features: vec![1],
            positive,
        });
        assert_eq!(far.errors(&records).unwrap(), 2);
    }

    #[test]
    fn networks_that_do_not_fit_are_refused() {
        let right = || {
            vec![
                layer(&[&[1, 2], &[3, 4]], integer(1)),
                layer(&[&[1, 1]], integer(1)),
            ]
        };
        assert!(Network::new(integer(1), right()).is_ok());
        let refused = |slope, layers| Network::new(slope, layers).unwrap_err().to_string();
        assert!(refused(integer(0), right()).starts_with("the slope of the activation"));
        assert!(refused(integer(1), Vec::new()).contains("layers"));
        assert!(refused(integer(1), right()[..1].to_vec()).contains("the last layer must be 1"));
        let mut wrong = right();
        wrong[1] = layer(&[&[1]], integer(1));
        let text = "a neuron of layer 2 must have 2 coordinates, got 1";
        assert_eq!(refused(integer(1), wrong), text);
        let mut wrong = right();
        wrong[0].scale.root = 0;
        assert!(refused(integer(1), wrong).contains("root"));
        let wide = vec![layer(&[&[i64::MAX, 1]], integer(1))];
        assert!(refused(integer(1), wide).contains("2^63"));
        let linear = Network::new(integer(1), vec![layer(&[&[3, -1]], integer(2))]).unwrap();
        assert_eq!(
            linear.output(&[1, 1], 64).unwrap(),
            Enclosure::integer(4, 64)
        );
        assert!(linear.sign(&[1]).is_err());
    }
}
