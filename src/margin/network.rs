//! Section 5: pure privacy for neural networks, by projections, a cover of each layer and the exponential mechanism.
//!
//! The cover of the product is the product of the covers of the layers, in integers; a layer's scale enters through the
//! activation, so that radii and norms count here, and signs are certified ([`Network::sign`]). A layer whose input has
//! no more coordinates than a projection would have rows is not projected.
//!
//! With the parameters of Theorem 5.1 the networks are far too many to go through, but for the smallest ones
//! (`spec/margin.md`, `bms22.thm5_1.corrected`).

use super::bounds::NetworkRun;
use super::data::Dataset;
use super::error::MarginError;
use super::feed_forward::{
    Layer, Network, NetworkMargin, Neurons, Scale, Shape, Signal, inputs, right, sum_of,
};
use crate::coins::{Coins, Promise, Stage};
use crate::geometry::{GeometryError, LatticeCover, SignMatrix};
use crate::number::range::{above_zero, above_zero_at_most_one, at_least_one, require};
use crate::number::rational::integer;
use crate::number::{Grid, Rational};
use crate::sample::{ScoredChoice, check_exponent};
use num_traits::ToPrimitive;

/// Learns a network; `(epsilon, 0)`-differentially private under substitution of one record (ledger:
/// `bms22.sec5.dp`).
///
/// Goes through all networks of the cover, for each record. The time that this takes depends on the data: it must not
/// be published.
///
/// # Errors
/// [`MarginError::TooManyNetworks`] beyond the limit; [`MarginError::Length`] for data of another dimension;
/// [`MarginError::Parameter`] for an `epsilon m` beyond what is drawn exactly; those of the projections, the cover and
/// the coins. None depends on the records.
pub fn learn(
    data: &Dataset,
    parameters: &NetworkParameters,
    coins: &mut impl Coins,
) -> Result<NetworkModel, MarginError> {
    // 0. Whether it can be done at all is decided by what is public.
    check_exponent(&parameters.epsilon, data.records().len())?;
    parameters.shape.check(data.domain().dimension())?;
    parameters.count()?;

    // 1. Phi_0, ..., Phi_(L-1), once. Drawing one again until it suits the data would not be private.
    coins.stage(&Stage::public("the projections"));
    let mut projections = Vec::new();
    for (rows, inputs) in parameters.projected() {
        projections.push(match rows {
            Some(k) => Some(SignMatrix::random(k, inputs, coins)?),
            None => None,
        });
    }

    // 2. The networks of the product of the layers' covers, in an order that is public.
    let networks = Networks::new(parameters, data.domain().grid(), projections)?;

    // 3. Of each the errors: the records with y h(x) <= 0.
    let errors = networks.errors(data)?;

    // 4. The number of a network, with probability proportional to exp(-epsilon errors / 2): a substituted record moves
    //    the errors of each network by at most one.
    let promise = Promise::Pure(parameters.epsilon.clone());
    coins.stage(&Stage::once("the choice of a network", promise));
    let chosen = coins.draw(&ScoredChoice::new(errors, &parameters.epsilon)?)?;

    // 5. Return the network, its projections multiplied in.
    Ok(NetworkModel {
        chosen,
        network: networks.network(chosen)?,
        projections: networks.into_projections(),
    })
}

/// What the learner returns. All of it may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkModel {
    /// Of each layer `sqrt(k) Phi`; `None` where nothing was projected.
    pub projections: Vec<Option<SignMatrix>>,
    /// The number of the network that was chosen, among all of the cover.
    pub chosen: usize,
    /// The network, on points in steps of the grid.
    pub network: Network,
}
crate::published!(NetworkModel {
    projections,
    chosen,
    network
});

/// The parameters of the learner. All are public: none may be chosen after looking at the data.
///
/// Privacy rests on `epsilon` alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkParameters {
    epsilon: Rational,
    shape: Shape,
    slope: Rational,
    norm: Rational,
    rows: Option<usize>,
    // The radius of each layer's cover, relative to the ball.
    radii: Vec<Rational>,
    limit: u128,
}

/// The most networks that are gone through unless told otherwise. A network was measured to take some 85 bytes, with its
/// score, its matrices and what is kept of a record's neurons: these take about 0.85 GB, and some 1e7 of them are gone
/// through in a second, for one record.
pub const DEFAULT_NETWORKS: u128 = 10_000_000;

impl NetworkParameters {
    /// Networks of this shape, with activations `tanh(slope a/4)`; each layer projected to `rows` coordinates, or none;
    /// the matrices of Frobenius norm up to `norm` covered, to within `radius` times this norm.
    ///
    /// As many rows as a layer has inputs, or more, are no projection.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless epsilon, slope and norm are above 0, there is at least one row, and the radius
    /// is in (0, 1].
    pub fn new(
        epsilon: Rational,
        shape: Shape,
        slope: Rational,
        norm: Rational,
        rows: Option<usize>,
        radius: &Rational,
    ) -> Result<Self, MarginError> {
        above_zero("epsilon", &epsilon)?;
        above_zero("the slope of the activation", &slope)?;
        above_zero("the norm of weight matrices", &norm)?;
        at_least_one("the rows of the projections", rows.map_or(1, |k| k as u64))?;
        above_zero_at_most_one("the radius of the covers", radius)?;
        Ok(Self {
            epsilon,
            shape,
            slope,
            norm,
            rows,
            radii: vec![radius.clone(); shape.layers()],
            limit: DEFAULT_NETWORKS,
        })
    }

    /// The parameters of `bms22.thm5_1.corrected` for `m` records: those of the smallest cover ([`NetworkRun::best`]).
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless `0 < beta < 1`, `epsilon > 0` and `m >= 1`, and for a margin above what any
    /// network of the shape puts out: there every margin loss is 1, and any network will do.
    pub fn from_theorem(
        beta: &Rational,
        epsilon: &Rational,
        margin: &NetworkMargin,
        shape: Shape,
        records: u64,
    ) -> Result<Self, MarginError> {
        let run = NetworkRun {
            records,
            shape,
            epsilon: epsilon.clone(),
            beta: beta.clone(),
            reach: margin.reach(shape.layers()),
        };
        let best = run.best()?;
        let rows = best.rows.and_then(|k| k.to_usize());
        let norm = margin.norm() * &best.stretch;
        let slope = margin.slope().clone();
        let any = integer(1);
        let parameters = Self::new(epsilon.clone(), shape, slope, norm, rows, &any)?;
        Ok(Self {
            radii: best.radii,
            ..parameters
        })
    }

    /// The same parameters with another limit on the networks gone through.
    #[must_use]
    pub fn with_limit(self, limit: u128) -> Self {
        Self { limit, ..self }
    }

    /// The privacy parameter: the learner is `(epsilon, 0)`-differentially private.
    #[must_use]
    pub fn epsilon(&self) -> &Rational {
        &self.epsilon
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Of each layer the rows of its projection, if it has one, and the coordinates that go in.
    pub fn projected(&self) -> impl Iterator<Item = (Option<usize>, usize)> + use<'_> {
        let sides = self.shape.sides();
        sides.map(|(inputs, _)| (self.rows.filter(|k| *k < inputs), inputs))
    }

    /// The cover of each layer's matrices, neuron by neuron, for its relative radius.
    ///
    /// # Errors
    /// Those of [`LatticeCover::new`].
    pub fn covers(&self) -> Result<Vec<LatticeCover>, MarginError> {
        let layers = self.projected().zip(self.shape.sides()).zip(&self.radii);
        let cover = |(((rows, inputs), (_, outputs)), radius): (((Option<usize>, usize), _), _)| {
            let entries = rows.unwrap_or(inputs).saturating_mul(outputs);
            Ok(LatticeCover::rounding(entries, radius)?)
        };
        layers.map(cover).collect()
    }

    /// How many networks the cover has.
    ///
    /// # Errors
    /// [`MarginError::TooManyNetworks`] beyond the limit.
    pub fn count(&self) -> Result<u128, MarginError> {
        let mut networks = 1u128;
        let mut layers = Vec::new();
        let mut is_exact = true;
        for cover in self.covers()? {
            match cover.count_at_most(self.limit) {
                Ok(points) => {
                    networks = networks.saturating_mul(points);
                    layers.push(points.to_string());
                }
                Err(GeometryError::TooManyPoints { points, .. }) => {
                    is_exact = false;
                    layers.push(points.trim_start_matches("at least ").to_owned());
                }
                Err(error) => return Err(error.into()),
            }
        }
        if is_exact && networks <= self.limit {
            return Ok(networks);
        }
        Err(MarginError::TooManyNetworks {
            networks: if is_exact && networks < u128::MAX {
                networks.to_string()
            } else {
                format!("at least {}", layers.join(" * "))
            },
            limit: self.limit,
        })
    }
}

/// The networks of the product of the covers, for given projections, in public order: by the number of the first layer's
/// matrix in its cover, then by the second's, and so on.
#[derive(Debug, Clone)]
pub struct Networks {
    shape: Shape,
    slope: Rational,
    layers: Vec<Matrices>,
}

/// The matrices of one layer.
#[derive(Debug, Clone)]
struct Matrices {
    projection: Option<SignMatrix>,
    /// Neuron by neuron, on the input of the layer; of the first layer on the projected point.
    matrices: Vec<Vec<Vec<i64>>>,
    scale: Scale,
}

impl Networks {
    /// The networks of these parameters, on points in steps of `grid`.
    ///
    /// # Errors
    /// [`MarginError::TooManyNetworks`] beyond the limit; [`MarginError::Parameter`] unless there is a projection of the
    /// right shape for each layer that has one; those of the cover.
    pub fn new(
        parameters: &NetworkParameters,
        grid: Grid,
        projections: Vec<Option<SignMatrix>>,
    ) -> Result<Self, MarginError> {
        parameters.count()?;
        let shapes: Vec<_> = parameters.projected().collect();
        let fits = |(matrix, (rows, inputs)): (&Option<SignMatrix>, &(Option<usize>, usize))| {
            let shape = |matrix: &SignMatrix| (matrix.rows(), matrix.columns());
            matrix.as_ref().map(shape) == rows.map(|k| (k, *inputs))
        };
        let right = projections.len() == shapes.len() && projections.iter().zip(&shapes).all(fits);
        let expected = "one of the right shape for each layer that is projected";
        require(right, "the projections", &projections.len(), expected)?;
        let mut layers = Vec::new();
        for (number, (cover, projection)) in
            parameters.covers()?.iter().zip(projections).enumerate()
        {
            let inputs = match &projection {
                Some(matrix) => matrix.rows(),
                None => shapes[number].1,
            };
            let mut matrices = Vec::new();
            let mut lines = cover.lines();
            while let Some(line) = lines.next_line() {
                for place in 0..line.length() {
                    let point = line.point(place);
                    let neurons = point.chunks_exact(inputs);
                    // The first layer's projection is applied to the records, which may be long.
                    let later = projection.as_ref().filter(|_| number > 0);
                    let weights = neurons.map(|neuron| pulled_back(neuron, later));
                    matrices.push(weights.collect::<Result<_, _>>()?);
                }
            }
            let factor = &parameters.norm / integer(cover.denominator());
            layers.push(Matrices {
                scale: Scale {
                    factor: if number == 0 {
                        factor / integer(grid.one())
                    } else {
                        factor
                    },
                    root: projection.as_ref().map_or(1, |matrix| matrix.rows() as u64),
                },
                projection,
                matrices,
            });
        }
        Ok(Self {
            shape: parameters.shape,
            slope: parameters.slope.clone(),
            layers,
        })
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.layers
            .iter()
            .map(|layer| layer.matrices.len())
            .product()
    }

    /// The network of a number, with its projections multiplied in: on points as they are.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] past the last.
    pub fn network(&self, number: usize) -> Result<Network, MarginError> {
        let expected = "below their count";
        let right = number < self.count();
        require(right, "the number of a network", &number, expected)?;
        let mut left = number;
        let mut layers = Vec::new();
        for (place, layer) in self.layers.iter().enumerate().rev() {
            let matrix = &layer.matrices[left % layer.matrices.len()];
            left /= layer.matrices.len();
            let first = layer.projection.as_ref().filter(|_| place == 0);
            let weights = matrix.iter().map(|neuron| pulled_back(neuron, first));
            layers.push(Layer {
                weights: weights.collect::<Result<_, _>>()?,
                scale: layer.scale.clone(),
            });
        }
        layers.reverse();
        Network::new(self.slope.clone(), layers)
    }

    /// Of each network the number of records with `y h(x) <= 0`: a tie is an error, and so is a sign that is not
    /// decided. **Not private.**
    ///
    /// # Errors
    /// [`MarginError::Length`] for data of another dimension; those of the enclosures.
    pub fn errors(&self, data: &Dataset) -> Result<Vec<u32>, MarginError> {
        self.shape.check(data.domain().dimension())?;
        let scales: Vec<Scale> = self
            .layers
            .iter()
            .map(|layer| layer.scale.clone())
            .collect();
        let mut errors = vec![0; self.count()];
        for record in data.records() {
            let point = match &self.layers[0].projection {
                Some(matrix) => matrix.apply(&record.features)?,
                None => record.features.clone(),
            };
            let mut neurons = Neurons::new(&self.slope, &scales);
            let mut place = 0;
            let right = Some(right(record));
            self.visit(0, &inputs(&point), &mut neurons, &mut |sign| {
                errors[place] += u32::from(sign != right);
                place += 1;
            })?;
        }
        Ok(errors)
    }

    /// Goes through all networks from a layer on, for what goes into it; the signs of their outputs, in order.
    fn visit(
        &self,
        layer: usize,
        signals: &[Signal],
        neurons: &mut Neurons,
        seen: &mut impl FnMut(Option<std::cmp::Ordering>),
    ) -> Result<(), MarginError> {
        for matrix in &self.layers[layer].matrices {
            if layer + 1 == self.layers.len() {
                let sum = sum_of(&matrix[0], signals);
                seen(neurons.sign(&sum)?);
            } else {
                let outputs = neurons.layer(layer, matrix, signals);
                self.visit(layer + 1, &outputs, neurons, seen)?;
            }
        }
        Ok(())
    }

    fn into_projections(self) -> Vec<Option<SignMatrix>> {
        self.layers
            .into_iter()
            .map(|layer| layer.projection)
            .collect()
    }
}

/// The weights of a neuron on what goes into a projection.
fn pulled_back(neuron: &[i64], projection: Option<&SignMatrix>) -> Result<Vec<i64>, MarginError> {
    Ok(match projection {
        Some(matrix) => matrix.pull_back(neuron)?,
        None => neuron.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, CoinsError, Explorer, Layer as Atomic, Tape};
    use crate::geometry::Record;
    use crate::margin::Domain;
    use crate::number::rational::ratio;
    use num_traits::Zero;

    fn dataset(radius: u64, records: &[(&[i64], bool)]) -> Dataset {
        let domain = Domain::new(Grid::new(4).unwrap(), records[0].0.len(), radius).unwrap();
        let record = |&(features, positive): &(&[i64], bool)| Record {
            features: features.to_vec(),
            positive,
        };
        Dataset::new(domain, records.iter().map(record).collect()).unwrap()
    }

    fn parameters(
        (dimension, width, layers): (usize, usize, usize),
        rows: Option<usize>,
        radius: &Rational,
    ) -> NetworkParameters {
        let shape = Shape::new(dimension, width, layers).unwrap();
        let (slope, norm) = (integer(2), integer(3));
        NetworkParameters::new(integer(4), shape, slope, norm, rows, radius).unwrap()
    }

    #[test]
    fn networks_are_counted_as_they_are_and_one_without_errors_is_chosen_at_a_large_epsilon() {
        let records: Vec<(&[i64], bool)> = vec![(&[0, 16, 1], false), (&[16, 0, -1], true)];
        for (shape, rows, radius) in [
            ((3, 2, 2), Some(1), ratio(3, 4)),
            ((3, 2, 3), Some(1), ratio(3, 4)),
            ((3, 1, 2), Some(2), ratio(3, 4)),
            ((3, 1, 2), None, ratio(3, 4)),
            ((3, 5, 1), None, ratio(3, 4)),
        ] {
            let parameters = parameters(shape, rows, &radius);
            let mut coins = ChaCha::reproducible(1, 0);
            let data = dataset(17, &records.repeat(40));
            let model = learn(&data, &parameters, &mut coins).unwrap();
            let projected: Vec<_> = parameters.projected().map(|(rows, _)| rows).collect();
            let found = model
                .projections
                .iter()
                .map(|m| m.as_ref().map(SignMatrix::rows));
            assert!(found.eq(projected));
            let grid = data.domain().grid();
            let networks = Networks::new(&parameters, grid, model.projections.clone()).unwrap();
            assert_eq!(networks.network(model.chosen).unwrap(), model.network);
            assert_eq!(networks.count() as u128, parameters.count().unwrap());
            let least = networks.errors(&data).unwrap().into_iter().min().unwrap();
            assert_eq!(
                model.network.errors(data.records()).unwrap(),
                least as usize
            );
            // One network after the other, its projections multiplied in.
            let few = dataset(17, &records);
            for (number, errors) in networks.errors(&few).unwrap().into_iter().enumerate() {
                let network = networks.network(number).unwrap();
                assert_eq!(network.errors(few.records()).unwrap(), errors as usize);
            }
            assert!(networks.network(networks.count()).is_err());
        }
    }

    #[test]
    fn the_scales_are_those_of_the_norm_the_cover_the_rows_and_the_grid() {
        let parameters = parameters((3, 2, 2), Some(2), &ratio(1, 4));
        let covers = parameters.covers().unwrap();
        // Four and two entries: sqrt(4)/(1/2) and sqrt(2)/(1/2), rounded up.
        let shown = |cover: &LatticeCover| (cover.dimension(), cover.denominator());
        assert_eq!(
            covers.iter().map(shown).collect::<Vec<_>>(),
            [(4, 4), (2, 3)]
        );
        let matrix = SignMatrix::from_signs(&[vec![1, 1, -1], vec![1, -1, 1]]).unwrap();
        let grid = Grid::new(4).unwrap();
        let networks = Networks::new(&parameters, grid, vec![Some(matrix), None]).unwrap();
        let network = networks.network(0).unwrap();
        let scale = |place: usize| network.layers()[place].scale.clone();
        let (factor, root) = (ratio(3, 4 * 16), 2);
        assert_eq!(scale(0), Scale { factor, root });
        let (factor, root) = (integer(1), 1);
        assert_eq!(scale(1), Scale { factor, root });
        // The first point is (-4, ...) or less: of norm at most 4 + 1.
        let weights = &network.layers()[0].weights;
        assert_eq!((weights.len(), weights[0].len()), (2, 3));
        assert!(Networks::new(&parameters, grid, vec![None, None]).is_err());
    }

    #[test]
    fn what_cannot_be_done_is_refused_before_a_coin_is_drawn() {
        let data = dataset(16, &[(&[16, 0], true), (&[0, 16], false)]);
        let refused = |parameters: &NetworkParameters| {
            let model = learn(&data, parameters, &mut Tape::written(""));
            model.unwrap_err().to_string()
        };
        let right = parameters((2, 1, 2), None, &ratio(1, 2));
        let few = right.count().unwrap();
        assert!(right.clone().with_limit(few).count().is_ok());
        let text = refused(&right.clone().with_limit(few - 1));
        let said = format!(
            "the networks are {few}, more than the limit of {}:",
            few - 1
        );
        assert!(text.starts_with(&said), "{text}");
        let text = refused(&parameters((2, 30, 3), None, &ratio(1, 100)));
        assert!(
            text.starts_with("the networks are at least ") && text.contains(" * "),
            "{text}"
        );
        let text = refused(&parameters((3, 1, 2), None, &ratio(1, 2)));
        assert_eq!(text, "the networks' points must have 2 coordinates, got 3");
        let large = NetworkParameters {
            epsilon: integer(1 << 23),
            ..right
        };
        assert!(refused(&large).contains("2^23 divided"));
        let shape = Shape::new(2, 1, 2).unwrap();
        let new = |epsilon, slope, norm, rows, radius: Rational| {
            NetworkParameters::new(epsilon, shape, slope, norm, rows, &radius).is_err()
        };
        let one = || integer(1);
        assert!(!new(one(), one(), one(), Some(1), one()));
        assert!(new(Rational::zero(), one(), one(), Some(1), one()));
        assert!(new(one(), Rational::zero(), one(), Some(1), one()));
        assert!(new(one(), one(), Rational::zero(), Some(1), one()));
        assert!(new(one(), one(), one(), Some(0), one()));
        assert!(new(one(), one(), one(), Some(1), integer(2)));
        let right = Shape::new(5, 3, 2).unwrap();
        assert_eq!(
            (right.dimension(), right.width(), right.layers()),
            (5, 3, 2)
        );
        assert!(right.sides().eq([(5, 3), (3, 1)]));
        assert!(Shape::new(0, 1, 1).is_err() && Shape::new(1, 0, 1).is_err());
        assert!(Shape::new(1, 1, 0).is_err() && Shape::new(1, 1, 65).is_err());
    }

    #[test]
    fn the_theorem_asks_for_a_margin_that_networks_reach() {
        let margin = |rho| NetworkMargin::new(integer(2), integer(3), integer(1), rho).unwrap();
        // 3 (2 * 3/4)^1/rho
        assert_eq!(margin(integer(2)).reach(2), ratio(9, 4));
        assert_eq!(margin(integer(2)).reach(1), ratio(3, 2));
        let theorem = |d, rho| {
            let shape = Shape::new(d, 1, 2).unwrap();
            let (beta, epsilon) = (ratio(1, 20), integer(1));
            NetworkParameters::from_theorem(&beta, &epsilon, &margin(rho), shape, 1000)
        };
        let plane = theorem(2, integer(3)).unwrap();
        assert_eq!((plane.norm.clone(), plane.rows), (integer(3), None));
        assert!(plane.count().unwrap() < 10_000);
        let high = theorem(1 << 40, integer(3)).unwrap();
        assert!(high.rows.is_some() && high.norm > integer(3));
        assert!(high.count().is_err());
        let text = theorem(2, integer(5)).unwrap_err().to_string();
        assert!(
            text.contains("no network of this shape puts out more than the margin"),
            "{text}"
        );
        assert!(NetworkMargin::new(integer(1), integer(1), integer(1), integer(0)).is_err());
    }

    /// What the explorer needs to see of an error.
    fn of_the_coins(error: MarginError) -> CoinsError {
        match error {
            MarginError::Coins(error) | MarginError::Geometry(GeometryError::Coins(error)) => error,
            _ => CoinsError::NoOutcome,
        }
    }

    /// A twin that is not private: the projection is drawn again until it sends no record to 0.
    fn again_until_it_suits(
        data: &Dataset,
        coins: &mut impl Coins,
    ) -> Result<SignMatrix, CoinsError> {
        loop {
            let matrix = SignMatrix::random(1, 2, coins);
            let matrix = matrix.map_err(|error| of_the_coins(error.into()))?;
            let kept = |record: &Record| {
                matrix
                    .apply(&record.features)
                    .is_ok_and(|image| image != [0])
            };
            if data.records().iter().all(kept) {
                return Ok(matrix);
            }
        }
    }

    #[test]
    fn a_projection_that_is_drawn_again_until_it_suits_the_data_tells_of_them() {
        let parameters = parameters((2, 1, 2), Some(1), &ratio(1, 2));
        let pair = [[16, 16], [16, -16]].map(|x| dataset(30, &[(&x, true), (&[16, 0], true)]));
        let killing = SignMatrix::from_signs(&[vec![1, 1]]).unwrap();
        let explorer = Explorer::new(Atomic::Laws, 20_000).until(ratio(1, 1 << 10));
        let learned = pair.each_ref().map(|data| {
            let shown = |coins: &mut _| match learn(data, &parameters, coins) {
                Ok(model) => Ok(model.projections[0].clone()),
                Err(error) => Err(of_the_coins(error)),
            };
            explorer
                .explore(shown)
                .unwrap()
                .lower(&Some(killing.clone()))
        });
        assert!(learned.iter().all(|p| *p > ratio(24, 100)));
        let twin = pair.each_ref().map(|data| {
            let law = explorer
                .explore(|coins| again_until_it_suits(data, coins))
                .unwrap();
            (law.lower(&killing), law.undecided)
        });
        assert!(twin[0].0 > ratio(49, 100));
        assert!(twin[1].0.is_zero() && twin[1].1 < ratio(1, 100));
    }
}
