//! Kernels by their definition, and exact minimisers: what the shipped code is compared with.

use dp_assay::geometry::Point;
use dp_assay::kernels::{Dataset, Kernel, Optimum, Problem};
use dp_assay::number::Rational;
use dp_assay::number::rational::integer;
use dp_assay::optimise::OptimiseError;
use dp_assay::optimise::erm::SmallProblem;
use num_bigint::BigInt;
use num_traits::{One, Pow, Zero};

/// A vector by the points and coefficients of its expansion.
pub type Terms = Vec<(Point, Rational)>;

/// The kernel `(<x, z> + offset)^degree` in rationals, for points with a step of 1.
pub struct Plain {
    pub degree: u32,
    pub offset: u64,
}

pub const LINEAR: Plain = Plain {
    degree: 1,
    offset: 0,
};

pub const CUBIC: Plain = Plain {
    degree: 3,
    offset: 1,
};

impl Plain {
    pub fn shipped(&self) -> Kernel {
        if (self.degree, self.offset) == (1, 0) {
            return Kernel::Linear;
        }
        Kernel::Polynomial {
            degree: self.degree,
            offset: self.offset,
        }
    }

    pub fn value(&self, x: &Point, z: &Point) -> Rational {
        let places = x.coordinates().iter();
        let product = |(i, a): &(u32, i32)| {
            let other = z.coordinates().iter().find(|(j, _)| i == j);
            integer(*a) * integer(other.map_or(0, |(_, b)| *b))
        };
        let sum: Rational = places.map(product).sum();
        Pow::pow(sum + integer(self.offset), self.degree)
    }

    /// `R^2` of the ball of this radius.
    pub fn squared_bound(&self, radius: u64) -> Rational {
        Pow::pow(integer(radius * radius + self.offset), self.degree)
    }

    /// `<w, phi(z)>`.
    pub fn prediction(&self, w: &Terms, z: &Point) -> Rational {
        w.iter().map(|(x, mu)| mu * self.value(x, z)).sum()
    }

    /// `|w - v|^2`.
    pub fn squared_distance(&self, w: &Terms, v: &Terms) -> Rational {
        let negated = v.iter().map(|(x, mu)| (x.clone(), -mu));
        let all: Terms = w.iter().cloned().chain(negated).collect();
        all.iter()
            .map(|(x, mu)| mu * self.prediction(&all, x))
            .sum()
    }

    /// The Gram matrix of the different records of a dataset.
    pub fn gram(&self, data: &Dataset) -> Vec<Vec<Rational>> {
        let points = || data.records().iter().map(|(record, _)| &record.point);
        points()
            .map(|x| points().map(|z| self.value(x, z)).collect())
            .collect()
    }

    /// The minimiser, exactly.
    pub fn minimiser(&self, data: &Dataset, problem: &Problem) -> Result<Terms, OptimiseError> {
        let counts: Vec<u64> = data.records().iter().map(|(_, count)| *count).collect();
        let small = SmallProblem {
            gram: &self.gram(data),
            labels: &labels(data),
            counts: &counts,
            loss: problem.loss(),
            penalty: problem.penalty(),
            squared_bound: &self.squared_bound(data.domain().radius()),
        };
        Ok(image(data, problem.penalty(), &small.minimise()?))
    }
}

/// The labels as numbers.
pub fn labels(data: &Dataset) -> Vec<Rational> {
    let step = BigInt::one() << data.labels().bits();
    let label = |y: i64| Rational::new(y.into(), step.clone());
    let records = data.records().iter();
    records.map(|(record, _)| label(record.label)).collect()
}

/// `w(a) = (1/(lambda n)) sum of m_i a_i phi(x_i)`.
pub fn image(data: &Dataset, penalty: &Rational, a: &[Rational]) -> Terms {
    let n: BigInt = data
        .records()
        .iter()
        .map(|(_, count)| BigInt::from(*count))
        .sum();
    let unit = (penalty * n).recip();
    let records = data.records().iter().zip(a);
    let records = records.filter(|(_, a)| !a.is_zero());
    records
        .map(|((record, count), a)| (record.point.clone(), a * &unit * BigInt::from(*count)))
        .collect()
}

/// The expansion of what the shipped solver returns.
pub fn terms(w: &Optimum) -> Terms {
    w.terms().map(|(x, mu)| (x.clone(), mu)).collect()
}
