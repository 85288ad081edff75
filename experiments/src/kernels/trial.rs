//! One split of the records, and what is learned from it without noise.

use super::data::{DataSet, GRID_BITS, Labelled, Shape};
use super::number;
use crate::draws::Draws;
use dp_assay::geometry::{Domain, FeatureMap, Frequencies, Point};
use dp_assay::kernels::{
    Dataset, Kernel, KernelOn, Optimum, Predictor, Problem, Record, Sensitivity, fit, of_features,
};
use dp_assay::number::{Enclosure, Grid, Rational, rational};
use dp_assay::optimise::erm::Loss;
use dp_assay_cli::error::Error;
use num_traits::One;
use std::collections::BTreeMap;

/// Who is learned from, whose points are public, and on whom predictions are tested.
pub struct Split {
    /// What its draws are named by.
    pub label: String,
    pub training: Vec<usize>,
    pub public: Vec<usize>,
    pub test: Vec<usize>,
}

impl Split {
    /// A tenth of the records to test on, the points of as many public, the others to learn from.
    pub fn new(set: &DataSet, seed: u64, repetition: usize) -> Result<Self, Error> {
        let label = format!("jt13, {}, {repetition}", set.name);
        let order = Draws::new(seed, &label).permutation(set.records.len())?;
        let tenth = tenth(set);
        let (test, rest) = order.split_at(tenth);
        let (public, training) = rest.split_at(tenth);
        Ok(Self {
            label,
            training: training.to_vec(),
            public: public.to_vec(),
            test: test.to_vec(),
        })
    }
}

/// A tenth of the records, and at most 500: Algorithm 2 keeps the kernel between all public points.
fn tenth(set: &DataSet) -> usize {
    (set.records.len() / 10).min(500)
}

/// Random features are multiples of 2^-20.
pub const FEATURE_BITS: u32 = 20;

/// How many random frequencies stand for a Gaussian kernel.
pub const FREQUENCIES: usize = 100;

/// What is public of all trials with one kernel.
pub struct Frame<'a> {
    pub set: &'a DataSet,
    pub shape: Shape,
    pub domain: Domain,
    pub problem: Problem,
    pub kernel: KernelOn,
    pub sensitivity: Sensitivity,
    /// The sizes of a split.
    pub records: u64,
    pub points: u64,
}

impl<'a> Frame<'a> {
    pub fn new(set: &'a DataSet, shape: Shape) -> Result<Self, Error> {
        let domain = set.domain()?;
        let tenth = tenth(set) as u64;
        let records = set.records.len() as u64 - 2 * tenth;
        let problem = problem(set, shape.kernel())?;
        Ok(Self {
            kernel: problem.kernel().on(domain)?,
            sensitivity: problem.sensitivity(domain, records)?,
            set,
            shape,
            domain,
            problem,
            records,
            points: tenth,
        })
    }

    /// `C`, a public bound on `|w*|`: that of the library, or for numbers, whose labels are at most 1 and whose loss at 0 is so at
    /// most 1/2, `1/sqrt(lambda)` (`jt13.eq2`).
    pub fn norm_bound(&self) -> Result<Rational, Error> {
        let bound = self.problem.norm_bound(self.domain)?;
        if self.set.of_classes() {
            return Ok(bound);
        }
        let squared = Enclosure::of(&self.problem.penalty().recip(), 64);
        Ok(bound.min(squared.sqrt()?.upper()))
    }

    /// The problem and the domain of the coefficients: of random features where the kernel has no basis.
    pub fn of_coefficients(&self) -> Result<(Problem, Domain), Error> {
        Ok(match self.shape {
            Shape::Gaussian(_) => {
                let space = Domain::unit_ball(Grid::new(FEATURE_BITS)?, 2 * FREQUENCIES)?;
                (problem(self.set, Kernel::Linear)?, space)
            }
            Shape::Linear | Shape::Cubic => (self.problem.clone(), self.domain),
        })
    }

    /// Random features for a Gaussian kernel, which do not depend on the records.
    pub fn features(&self, seed: u64, split: &Split) -> Result<Option<FeatureMap>, Error> {
        let Shape::Gaussian(variance) = self.shape else {
            return Ok(None);
        };
        let (inputs, grid) = (Grid::new(GRID_BITS)?, Grid::new(FEATURE_BITS)?);
        let mut coins = Draws::new(seed, &format!("{}, frequencies", split.label)).into_coins();
        let dimension = self.domain.dimension();
        let variance = rational::integer(variance);
        let drawn = Frequencies::draw(FREQUENCIES, dimension, &variance, grid, &mut coins)?;
        Ok(Some(FeatureMap::new(drawn, inputs, grid)?))
    }
}

/// The hinge loss for classes; for numbers the squared loss up to a residual of 1, and linear beyond.
fn problem(set: &DataSet, kernel: Kernel) -> Result<Problem, Error> {
    let loss = if set.of_classes() {
        Loss::Hinge
    } else {
        Loss::Huber {
            width: Rational::one(),
        }
    };
    Ok(Problem::new(loss, kernel, number(set.setting.lambda)?)?)
}

impl Shape {
    /// The kernel on points with steps of 2^-12.
    fn kernel(self) -> Kernel {
        match self {
            Self::Linear => Kernel::Linear,
            Self::Gaussian(variance) => Kernel::Gaussian {
                squared_width: rational::ratio(1, variance),
            },
            Self::Cubic => Kernel::Polynomial {
                degree: 3,
                offset: 1 << (2 * GRID_BITS),
            },
        }
    }

    pub fn name(self) -> String {
        match self {
            Self::Linear => "<x, z>".to_owned(),
            Self::Gaussian(variance) => format!("exp(-{variance} |x - z|^2/2)"),
            Self::Cubic => "(<x, z> + 1)^3".to_owned(),
        }
    }
}

/// A minimiser whose predictions at some points are worked out once, for all learners and budgets.
pub struct Known {
    optimum: Optimum,
    predictions: BTreeMap<Point, Rational>,
}

impl Known {
    fn new<'p>(optimum: Optimum, points: impl Iterator<Item = &'p Point>) -> Self {
        let known = |z: &Point| (z.clone(), optimum.prediction(z));
        let predictions = points.map(known).collect();
        Self {
            optimum,
            predictions,
        }
    }
}

impl Predictor for Known {
    fn prediction(&self, z: &Point) -> Rational {
        match self.predictions.get(z) {
            Some(known) => known.clone(),
            None => self.optimum.prediction(z),
        }
    }
}

/// A split with its minimiser.
pub struct Trial<'a> {
    pub frame: &'a Frame<'a>,
    pub split: &'a Split,
    /// The records to learn from.
    pub data: Dataset,
    /// The minimiser for them, without noise.
    pub optimum: Known,
    /// Public points, and those that are predicted at.
    pub public: Vec<Point>,
    pub test: Vec<Point>,
    /// Random features, and the records in them.
    pub features: Option<(FeatureMap, Dataset)>,
}

impl<'a> Trial<'a> {
    pub fn new(frame: &'a Frame<'a>, split: &'a Split, seed: u64) -> Result<Self, Error> {
        let set = frame.set;
        let points = |indices: &[usize]| -> Result<Vec<Point>, Error> {
            indices
                .iter()
                .map(|&index| set.point(&set.records[index]))
                .collect()
        };
        let record = |&index: &usize| {
            let record: &Labelled = &set.records[index];
            let label = record.label;
            Ok((
                Record {
                    point: set.point(record)?,
                    label,
                },
                1,
            ))
        };
        let records: Vec<(Record, u64)> = split
            .training
            .iter()
            .map(record)
            .collect::<Result<_, Error>>()?;
        let data = Dataset::of_labels(frame.domain, set.labels, records)?;
        let features = frame.features(seed, split)?;
        let featured = match features {
            None => None,
            Some(map) => {
                let featured = of_features(&data, &map)?;
                Some((map, featured))
            }
        };
        let (public, test) = (points(&split.public)?, points(&split.test)?);
        let optimum = fit(&data, &frame.problem)?;
        Ok(Self {
            optimum: Known::new(optimum, public.iter().chain(&test)),
            public,
            test,
            frame,
            split,
            data,
            features: featured,
        })
    }

    /// The mean label, or the class that is more common, of the records that are learned from: not private.
    pub fn constant(&self) -> f64 {
        let set = self.frame.set;
        let labels = self
            .split
            .training
            .iter()
            .map(|&index| set.label(&set.records[index]));
        let mean = labels.sum::<f64>() / self.split.training.len() as f64;
        if set.of_classes() {
            mean.signum()
        } else {
            mean
        }
    }
}
