//! Algorithm 3: private learning with a kernel.
//!
//! Bassily, Mohri, Suresh 2022, Section 4. Features that are drawn without the data stand for the kernel, and Algorithm 2
//! learns on them. Two changes: fewer frequencies are enough ([`bounds::features`]), and the frequencies have an exact law on
//! a grid ([`ShiftInvariantKernel`]). For a polynomial kernel the features are its monomials, and nothing is drawn.
//!
//! [`bounds::features`]: super::bounds::features

use super::bounds::KernelRun;
use super::bounds::features::frequencies;
use super::data::{Dataset, Margin};
use super::efficient::{EfficientModel, EfficientParameters, EfficientPlan};
use super::erm::Accounting;
use super::error::MarginError;
use super::map::Map;
use crate::coins::{Coins, Stage};
use crate::geometry::{
    Domain, FeatureMap, Frequencies, PolynomialMap, Record, ShiftInvariantKernel,
};
use crate::number::chosen::{Chosen, from_theorem, overridden};
use crate::number::range::{OutOfRange, above_zero_below_one, at_least_one, require};
use crate::number::{Grid, Rational};
use crate::privacy::Budget;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Learns a predictor on the features of a kernel by Algorithm 3; `(epsilon, delta)`-differentially private under
/// substitution of one record, for the budget of the parameters (ledger: `bms22.thm4_2.corrected`).
///
/// For many models on data of one shape, calibrate once: [`KernelParameters::plan`].
///
/// # Errors
/// Those of [`KernelParameters::plan`] and [`KernelPlan::learn`]; none depends on the records.
pub fn learn(
    data: &Dataset,
    parameters: &KernelParameters,
    coins: &mut impl Coins,
) -> Result<KernelModel, MarginError> {
    let plan = parameters.plan(data.domain(), data.records().len())?;
    plan.learn(data, coins)
}

impl KernelPlan {
    /// Algorithm 3.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] for data of another domain or number of records, which are public; those of the frequencies
    /// and of Algorithm 2.
    pub fn learn(
        &self,
        data: &Dataset,
        coins: &mut impl Coins,
    ) -> Result<KernelModel, MarginError> {
        data.is_for(self.domain, self.learner.erm().records())?;
        // 1., 2. The law of the frequencies, and their number D, were computed from public numbers.
        // 3. The frequencies, once. Drawing them again until they suit the data would not be private.
        coins.stage(&Stage::public("the frequencies"));
        let map = self.features.draw(data.domain(), coins)?;
        // 4. S_psi. The features of a record are made from it alone, and their norm is at most the radius, in integers.
        let featured = |record: &Record| -> Result<Record, MarginError> {
            Ok(Record {
                features: map.features(&record.features)?,
                positive: record.positive,
            })
        };
        let records = data.records().iter().map(featured);
        let data = Dataset::new(self.space, records.collect::<Result<_, _>>()?)?;
        // 5. Algorithm 2 on S_psi.
        let model = self.learner.learn(&data, coins)?;
        // 6. The predictor is <w, psi(x)>.
        Ok(KernelModel { map, model })
    }

    /// What is public of a run, for its guarantee ([`KernelRun::guarantee`]): `beta` is that of the whole.
    #[must_use]
    pub fn run(&self, beta: &Rational) -> KernelRun {
        let (frequencies, beta) = match &self.features {
            Features::Fourier { frequencies, .. } => (Some(frequencies.value as u64), &half(beta)),
            Features::Polynomial { .. } => (None, beta),
        };
        KernelRun {
            learner: self.learner.run(beta),
            frequencies,
            features: self.space.dimension() as u64,
            grid_bits: self.space.grid().bits(),
            radius: self.space.radius(),
        }
    }

    /// Algorithm 2 on the features.
    #[must_use]
    pub fn learner(&self) -> &EfficientPlan {
        &self.learner
    }

    /// Where the features are.
    #[must_use]
    pub fn space(&self) -> Domain {
        self.space
    }
}

/// Algorithm 3 with the noise of Algorithm 2 calibrated: what depends on public values alone, so that one plan serves any
/// number of models. Each has the whole budget.
#[derive(Debug, Clone)]
pub struct KernelPlan {
    features: Features,
    domain: Domain,
    space: Domain,
    learner: EfficientPlan,
}

/// The parameters of Algorithm 3. All are public: none may be chosen after looking at the data.
///
/// Privacy rests on the learner's budget alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelParameters {
    /// The features.
    pub features: Features,
    /// Algorithm 2 on them. Its margin has their radius, and twice the norm `Lambda` for a shift-invariant kernel.
    pub learner: EfficientParameters,
}

/// Which features stand for the kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Features {
    /// Random Fourier features: `2D` of them for `D` frequencies, of norm at most `r = 1`.
    Fourier {
        /// The kernel, with `K(x, x) = 1`.
        kernel: ShiftInvariantKernel,
        /// The number `D` of frequencies.
        frequencies: Chosen<usize>,
        /// The grid of the frequencies.
        frequency_grid: Grid,
        /// The grid of the features, of at most 24 bits.
        feature_grid: Grid,
    },
    /// All monomials of the kernel `(<x, x'> + c)^degree`, see [`PolynomialMap`].
    Polynomial {
        /// The degree.
        degree: u32,
        /// `c`, in squared steps of the grid of the points.
        offset: u64,
    },
}

/// The bits of the default grids.
const FREQUENCY_BITS: u32 = 10;
const FEATURE_BITS: u32 = 20;

/// The most that the features of all records may take, twice: as they are, and as the learner's points.
const MOST_BYTES: u128 = 2 << 30;

impl KernelParameters {
    /// For a shift-invariant kernel and `m` records: `D = ceil(4 m ln(8 m/beta))` frequencies ([`frequencies`] at `beta/2`), and
    /// Algorithm 2 at norm `2 Lambda` and `beta/2` (ledger: `bms22.thm4_2.corrected`).
    ///
    /// So many frequencies are enough for one predictor that does not depend on them, which is what the learner is compared
    /// with. They do not keep the kernel of all pairs up to `1/m`.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless `0 < beta < 1` and `0 < rho <= 2 Lambda`; those of
    /// [`EfficientParameters::from_theorem`].
    pub fn fourier(
        kernel: ShiftInvariantKernel,
        beta: &Rational,
        budget: Budget,
        norms: (Rational, Rational),
        accounting: Accounting,
        m: usize,
    ) -> Result<Self, MarginError> {
        above_zero_below_one("beta", beta)?;
        let count = frequencies(m as u64, &half(beta))?;
        let expected = "small enough for fewer than 2^63 features";
        let count = count
            .to_usize()
            .filter(|count| *count <= usize::MAX / 2)
            .ok_or_else(|| OutOfRange::new("the number of records", &m, expected))?;
        let count = from_theorem(count);
        Self::of_frequencies((kernel, count), beta, budget, norms, accounting, m)
    }

    /// The same with so many frequencies, whose features Algorithm 2 is set for. Privacy is the same; with fewer than the
    /// theorem's nothing is guaranteed of the error.
    ///
    /// # Errors
    /// Those of [`KernelParameters::fourier`], and [`MarginError::Parameter`] unless `1 <= D < 2^31`.
    pub fn fourier_with(
        (kernel, frequencies): (ShiftInvariantKernel, usize),
        beta: &Rational,
        budget: Budget,
        norms: (Rational, Rational),
        accounting: Accounting,
        m: usize,
    ) -> Result<Self, MarginError> {
        let right = (1..1 << 31).contains(&frequencies);
        let expected = "at least 1 and below 2^31";
        require(right, "the number of frequencies", &frequencies, expected)?;
        let count = overridden(frequencies);
        Self::of_frequencies((kernel, count), beta, budget, norms, accounting, m)
    }

    fn of_frequencies(
        (kernel, frequencies): (ShiftInvariantKernel, Chosen<usize>),
        beta: &Rational,
        budget: Budget,
        (norm, rho): (Rational, Rational),
        accounting: Accounting,
        m: usize,
    ) -> Result<Self, MarginError> {
        let margin = Margin::new(
            norm * BigInt::from(2),
            Rational::from_integer(1.into()),
            rho,
        )?;
        let (half, shape) = (half(beta), (m, 2 * frequencies.value));
        Ok(Self {
            features: Features::Fourier {
                kernel,
                frequencies,
                frequency_grid: Grid::new(FREQUENCY_BITS)?,
                feature_grid: Grid::new(FEATURE_BITS)?,
            },
            learner: EfficientParameters::from_theorem(&half, budget, margin, accounting, shape)?,
        })
    }

    /// For the polynomial kernel `(<x, x'> + c)^degree` on `m` points of a domain, `c` in squared steps of its grid: Algorithm 2
    /// on all monomials, at the norm `Lambda` and the radius of the features.
    ///
    /// # Errors
    /// Those of [`PolynomialMap::new`], [`Margin::new`] and [`EfficientParameters::from_theorem`].
    pub fn polynomial(
        (degree, offset): (u32, u64),
        beta: &Rational,
        budget: Budget,
        (norm, rho): (Rational, Rational),
        accounting: Accounting,
        (m, domain): (usize, Domain),
    ) -> Result<Self, MarginError> {
        let space = PolynomialMap::new(domain, degree, offset)?.domain();
        let margin = Margin::new(norm, space.radius_value(), rho)?;
        let shape = (m, space.dimension());
        Ok(Self {
            features: Features::Polynomial { degree, offset },
            learner: EfficientParameters::from_theorem(beta, budget, margin, accounting, shape)?,
        })
    }

    /// The same with another map in Algorithm 2, for `m` records of a domain ([`EfficientParameters::with_map`]).
    ///
    /// # Errors
    /// Those of [`KernelParameters::check`] and of [`EfficientParameters::with_map`].
    pub fn with_map(
        self,
        map: Map,
        beta: &Rational,
        (m, domain): (usize, Domain),
    ) -> Result<Self, MarginError> {
        let shape = (m, self.check(domain, m)?.dimension());
        let beta = match &self.features {
            Features::Fourier { .. } => half(beta),
            Features::Polynomial { .. } => beta.clone(),
        };
        Ok(Self {
            learner: self.learner.with_map(map, &beta, shape)?,
            ..self
        })
    }

    /// Calibrates the noise for `m` records of a domain.
    ///
    /// # Errors
    /// Those of [`KernelParameters::check`] and [`EfficientParameters::plan`].
    pub fn plan(&self, domain: Domain, m: usize) -> Result<KernelPlan, MarginError> {
        let space = self.check(domain, m)?;
        Ok(KernelPlan {
            features: self.features.clone(),
            learner: self.learner.plan(space, m)?,
            domain,
            space,
        })
    }

    /// The space of the features of `m` points of a domain; that they fit in memory is checked before any is made.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] for no frequency, or features that take more than 2 GiB; [`MarginError::Geometry`] for a
    /// parameter of the kernel or a grid with which nothing can be drawn; those of [`PolynomialMap::new`] and [`Domain::new`].
    pub fn check(&self, domain: Domain, m: usize) -> Result<Domain, MarginError> {
        let (space, of_map) = match &self.features {
            Features::Fourier {
                kernel,
                frequencies,
                frequency_grid,
                feature_grid,
            } => {
                let count = frequencies.value;
                at_least_one("the number of frequencies", count as u64)?;
                kernel.check(*frequency_grid)?;
                FeatureMap::check_grid(count, *feature_grid)?;
                let of_map = count as u128 * domain.dimension() as u128;
                let space = Domain::unit_ball(*feature_grid, count.saturating_mul(2))?;
                (space, of_map)
            }
            Features::Polynomial { degree, offset } => {
                let space = PolynomialMap::new(domain, *degree, *offset)?.domain();
                (space, 0)
            }
        };
        let numbers = of_map + 2 * m as u128 * space.dimension() as u128;
        let bytes = numbers.saturating_mul(size_of::<i64>() as u128);
        if bytes > MOST_BYTES {
            let shown = format!(
                "{} MiB for {m} records of {} features",
                bytes >> 20,
                space.dimension()
            );
            let expected =
                "at most 2048 MiB: take fewer frequencies or records, or a smaller degree";
            return Err(OutOfRange::new("the memory of the features", &shown, expected).into());
        }
        Ok(space)
    }
}

/// The share of `beta` of the frequencies, and that of Algorithm 2 on their features.
fn half(beta: &Rational) -> Rational {
    beta / BigInt::from(2)
}

impl Features {
    /// The map for points of a domain; its frequencies are drawn.
    fn draw(&self, domain: Domain, coins: &mut impl Coins) -> Result<KernelMap, MarginError> {
        Ok(match self {
            Self::Fourier {
                kernel,
                frequencies,
                frequency_grid,
                feature_grid,
            } => {
                let (count, d) = (frequencies.value, domain.dimension());
                let drawn = Frequencies::of_kernel(count, d, kernel, *frequency_grid, coins)?;
                let map = FeatureMap::new(drawn, domain.grid(), *feature_grid)?;
                KernelMap::Fourier(map)
            }
            Self::Polynomial { degree, offset } => {
                KernelMap::Polynomial(PolynomialMap::new(domain, *degree, *offset)?)
            }
        })
    }
}

/// The map from a point to its features. It may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KernelMap {
    /// Random Fourier features.
    Fourier(FeatureMap),
    /// Monomials.
    Polynomial(PolynomialMap),
}
crate::published_in_words!(KernelMap);

impl KernelMap {
    /// The frequencies, in steps of their grid; none of monomials.
    pub fn frequencies(&self) -> impl Iterator<Item = &[i64]> {
        let drawn = match self {
            Self::Fourier(map) => map.frequencies(),
            Self::Polynomial(_) => None,
        };
        drawn.into_iter().flat_map(Frequencies::iter)
    }

    /// The features of a point, in steps of their grid; of norm at most their radius, in integers.
    ///
    /// # Errors
    /// [`MarginError::Length`] or [`MarginError::Geometry`] for a point of another dimension.
    pub fn features(&self, point: &[i64]) -> Result<Vec<i64>, MarginError> {
        match self {
            Self::Fourier(map) => {
                let features = map.features(point)?;
                Ok(features.into_iter().map(i64::from).collect())
            }
            Self::Polynomial(map) => Ok(map.features(point)?),
        }
    }
}

/// What Algorithm 3 returns. All of it may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelModel {
    /// The features.
    pub map: KernelMap,
    /// The halfspace of the features, with what Algorithm 2 returns beside it.
    pub model: EfficientModel,
}
crate::published!(KernelModel { map, model });

impl KernelModel {
    /// The sign of `<w, psi(x)>`; nothing if it is 0.
    ///
    /// # Errors
    /// Those of [`KernelMap::features`] and of the inner product.
    pub fn predict(&self, point: &[i64]) -> Result<Option<bool>, MarginError> {
        let features = self.map.features(point)?;
        Ok(self.model.halfspace.predict(&features)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::number::rational::{integer, ratio};
    use crate::privacy::NeighbouringRelation;

    fn budget() -> Budget {
        let relation = NeighbouringRelation::Substitute;
        Budget::approximate(integer(10), ratio(1, 1000), relation).unwrap()
    }

    fn gaussian(m: usize) -> KernelParameters {
        let kernel = ShiftInvariantKernel::Gaussian {
            variance: integer(1),
        };
        let (beta, norms) = (ratio(1, 20), (integer(1), ratio(1, 2)));
        KernelParameters::fourier(kernel, &beta, budget(), norms, Accounting::Zcdp, m).unwrap()
    }

    fn line(m: usize) -> Dataset {
        let domain = Domain::unit_ball(Grid::new(8).unwrap(), 1).unwrap();
        let record = |place: usize| {
            // Inside is positive, which no halfspace of the line tells.
            let x = place as i64 * 512 / m as i64 - 256;
            Record {
                features: vec![x],
                positive: x.abs() < 128,
            }
        };
        Dataset::new(domain, (0..m).map(record).collect()).unwrap()
    }

    #[test]
    fn the_parameters_of_the_theorem() {
        let parameters = gaussian(1000);
        // 4000 ln(160000) = 47931.7
        let Features::Fourier { frequencies, .. } = &parameters.features else {
            panic!("{parameters:?}");
        };
        assert_eq!(frequencies.value, 47_932);
        assert_eq!(parameters.learner.margin.ratio(), integer(4));
        // Twice as many features as that are more than are balanced.
        assert!(matches!(parameters.learner.map.value, Map::Signs(_)));
        // A thousand records fit in memory; ten thousand do not, and are refused before anything is made.
        let domain = line(2).domain();
        let space = parameters.check(domain, 1000).unwrap();
        assert_eq!((space.dimension(), space.radius()), (95_864, 1 << 20));
        let refused = gaussian(10_000)
            .check(domain, 10_000)
            .unwrap_err()
            .to_string();
        assert!(
            refused.contains("MiB") && refused.contains("10000 records"),
            "{refused}"
        );
    }

    #[test]
    fn a_polynomial_kernel_has_the_radius_of_its_features() {
        let domain = Domain::unit_ball(Grid::new(8).unwrap(), 2).unwrap();
        let norms = (integer(1), ratio(1, 2));
        let of = |degree| {
            let kernel = (degree, 1 << 16);
            let shape = (100, domain);
            KernelParameters::polynomial(
                kernel,
                &ratio(1, 20),
                budget(),
                norms.clone(),
                Accounting::Zcdp,
                shape,
            )
        };
        // (1 + 1)^(2/2) = 2, for six monomials.
        let parameters = of(2).unwrap();
        assert_eq!(*parameters.learner.margin.radius(), integer(2));
        assert_eq!(parameters.check(domain, 100).unwrap().dimension(), 6);
        assert!(of(0).is_err());
    }

    #[test]
    fn a_plan_is_for_one_domain_and_number_of_records() {
        let data = line(8);
        let bits = |bits| Domain::new(Grid::new(bits).unwrap(), 1, 256).unwrap();
        let other = Dataset::new(bits(7), data.records().to_vec()).unwrap();
        let norms = (integer(1), ratio(1, 2));
        let shape = (8, data.domain());
        let (kernel, accounting) = ((2, 1), Accounting::Zcdp);
        let parameters =
            KernelParameters::polynomial(kernel, &ratio(1, 20), budget(), norms, accounting, shape);
        let plan = parameters.unwrap().plan(data.domain(), 8).unwrap();
        let refused = |data: &Dataset| {
            let found = plan.learn(data, &mut ChaCha::reproducible(1, 0));
            found.err().map(|error| error.to_string())
        };
        assert_eq!(refused(&data), None);
        assert!(refused(&other).unwrap().contains("the bits of the grid"));
        assert!(refused(&line(9)).unwrap().contains("the number of records"));
    }

    #[test]
    fn what_cannot_be_drawn_is_refused_before_anything_is() {
        let domain = line(2).domain();
        let check = |kernel, feature_bits| {
            let mut parameters = gaussian(2);
            parameters.features = Features::Fourier {
                kernel,
                frequencies: overridden(20),
                frequency_grid: Grid::new(10).unwrap(),
                feature_grid: Grid::new(feature_bits).unwrap(),
            };
            parameters.check(domain, 2).map(|_| ())
        };
        let laplacian = |rate| ShiftInvariantKernel::Laplacian {
            rate: integer(rate),
        };
        let cauchy = |scale| ShiftInvariantKernel::Cauchy {
            scale: integer(scale),
        };
        assert_eq!(check(laplacian(1), 20), Ok(()));
        for (kernel, bits) in [
            (laplacian(-1), 20),
            (cauchy(0), 20),
            (laplacian(1), 25),
            (laplacian(1), 1),
        ] {
            let refused = check(kernel.clone(), bits);
            assert!(
                matches!(refused, Err(MarginError::Geometry(_))),
                "{kernel:?}"
            );
        }
    }

    #[test]
    fn what_no_halfspace_tells_is_learned() {
        let data = line(4000);
        let mut learner = gaussian(4000).learner;
        learner.map = overridden(Map::Identity);
        let parameters = KernelParameters {
            features: Features::Fourier {
                kernel: ShiftInvariantKernel::Gaussian {
                    variance: integer(9),
                },
                frequencies: overridden(20),
                frequency_grid: Grid::new(10).unwrap(),
                feature_grid: Grid::new(16).unwrap(),
            },
            learner,
        };
        let model = learn(&data, &parameters, &mut ChaCha::reproducible(3, 0)).unwrap();
        let right = data
            .records()
            .iter()
            .filter(|record| model.predict(&record.features).unwrap() == Some(record.positive));
        assert!(right.count() > 3000);
        assert!(model.predict(&[1, 2]).is_err());
    }
}
