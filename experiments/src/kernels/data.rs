//! The records of the experiments, and how they come onto a public grid.

use super::{Settings, number};
use crate::data::{RED_WINE, Source, WHITE_WINE, others};
use dp_assay::geometry::{Domain, Point};
use dp_assay::kernels::Labels;
use dp_assay::number::{Grid, Rational};
use dp_assay_cli::error::Error;
use dp_assay_cli::papers::kernels::generate;
use dp_assay_cli::table::{Placed, Scale};

/// Coordinates and labels are multiples of 2^-12.
pub const GRID_BITS: u32 = 12;

/// A data set.
pub struct DataSet {
    /// The name of its tables.
    pub name: &'static str,
    /// The name of the table of its plans.
    pub plans: &'static str,
    /// What it is.
    pub title: String,
    /// What its labels are.
    pub labels: Labels,
    /// What a label of 1 is in the units in which errors are measured: for classes 1.
    pub unit: f64,
    /// The coordinates of a record are multiplied by this before they come into the unit ball.
    pub shrunk: Shrunk,
    /// Its records.
    pub records: Vec<Labelled>,
    /// How it is learned.
    pub setting: Setting,
}

/// A record: coordinates in [-1, 1] and a label, in steps.
#[derive(Debug, Clone)]
pub struct Labelled {
    pub coordinates: Vec<i64>,
    pub label: i64,
}

/// A public factor, as a divisor.
#[derive(Debug, Clone, Copy)]
pub struct Shrunk(pub i64);

/// What is chosen for all learners of a data set, without its records.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The regularisation.
    pub lambda: &'static str,
    /// The kernels, each with the title of its rows.
    pub kernels: &'static [Shape],
}

/// A kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `<x, z>`, x with a constant coordinate.
    Linear,
    /// `exp(-V |x - z|^2/2)`.
    Gaussian(i64),
    /// `(<x, z> + 1)^3`.
    Cubic,
}

impl DataSet {
    /// The unit ball that the points are in: the coordinates, and a constant one.
    pub fn domain(&self) -> Result<Domain, Error> {
        let dimension = self.records.first().map_or(0, |r| r.coordinates.len()) + 1;
        Ok(Domain::unit_ball(Grid::new(GRID_BITS)?, dimension)?)
    }

    /// The point of a record: its coordinates and a constant one, divided; shortened if it is longer than 1.
    pub fn point(&self, record: &Labelled) -> Result<Point, Error> {
        let constant = Grid::new(GRID_BITS)?.one();
        let all = record.coordinates.iter().chain([&constant]);
        let all: Vec<(u32, i64)> = (0..).zip(all.map(|x| x / self.shrunk.0)).collect();
        Ok(self.domain()?.clipped(&all)?)
    }

    /// Whether labels are classes.
    pub fn of_classes(&self) -> bool {
        self.labels == Labels::Classes
    }

    /// The label of a record in the units of predictions.
    pub fn label(&self, record: &Labelled) -> f64 {
        record.label as f64 / f64::from(1 << self.labels.bits())
    }

    /// The error of predictions on these records: of classes the share of wrong signs, a prediction of 0 being half wrong; of
    /// numbers the mean squared error.
    pub fn error(&self, predictions: &[f64], records: &[usize]) -> f64 {
        let errors = predictions.iter().zip(records).map(|(&f, &record)| {
            let y = self.label(&self.records[record]);
            match self.of_classes() {
                true if f == 0.0 => 0.5,
                true => f64::from(f * y < 0.0),
                false => (self.unit * (f - y)).powi(2),
            }
        });
        errors.sum::<f64>() / records.len() as f64
    }
}

/// The files.
pub struct Sources {
    red: Source,
    white: Source,
    others: Vec<&'static str>,
}

impl Sources {
    /// Reads both, and refuses others than the published ones unless told otherwise.
    pub fn read(settings: &Settings) -> Result<Self, Error> {
        let both = [&RED_WINE, &WHITE_WINE];
        let others = others(&settings.data, &both, settings.any_data)?;
        Ok(Self {
            red: Source::read(&settings.data, &RED_WINE)?,
            white: Source::read(&settings.data, &WHITE_WINE)?,
            others,
        })
    }

    fn title(&self, title: &str) -> String {
        if self.others.is_empty() {
            return title.to_owned();
        }
        let others = self.others.join(", ");
        format!("{title} (not the files that the authors publish: {others})")
    }
}

/// Round figures that a form would allow, in the order of the columns.
const WINE: [(&str, &str); 11] = [
    ("4", "12"),
    ("0", "1"),
    ("0", "1"),
    ("0", "20"),
    ("0", "0.2"),
    ("0", "100"),
    ("0", "300"),
    ("0.985", "1.005"),
    ("2.7", "3.8"),
    ("0.2", "1"),
    ("8", "14"),
];

/// The coordinates of all records: columns from their intervals onto [-1, 1], values beyond them clipped.
fn coordinates(source: &Source) -> Result<Vec<Vec<i64>>, Error> {
    let one = Grid::new(GRID_BITS)?.one();
    let mut scales = Vec::new();
    for (lo, hi) in WINE {
        scales.extend(Scale::new(number(lo)?, number(hi)?));
    }
    let row = |record: usize| {
        let columns = scales.iter().zip(&source.numeric);
        columns
            .map(|(scale, (_, column))| placed(scale, &column[record], one))
            .collect()
    };
    Ok((0..source.records()).map(row).collect())
}

fn placed(scale: &Scale, value: &Rational, one: i64) -> i64 {
    match scale.place(value.to_string().as_bytes(), one) {
        Some(Placed::Inside(steps)) => steps,
        Some(Placed::Above) => one,
        // Every rational is a number, so that nothing else comes here.
        Some(Placed::Below) | None => -one,
    }
}

/// Those of the tables.
pub fn sets(sources: &Sources) -> Result<Vec<DataSet>, Error> {
    Ok(vec![colours(sources)?, qualities(sources)?])
}

/// Red wines against white ones.
fn colours(sources: &Sources) -> Result<DataSet, Error> {
    let mut records = Vec::new();
    for (source, label) in [(&sources.red, -1), (&sources.white, 1)] {
        let rows = coordinates(source)?.into_iter();
        records.extend(rows.map(|coordinates| Labelled { coordinates, label }));
    }
    Ok(DataSet {
        name: "wine-colour",
        plans: "wine-colour-plans",
        title: sources.title("red wine against white"),
        labels: Labels::Classes,
        unit: 1.0,
        shrunk: Shrunk(2),
        records,
        setting: Setting {
            lambda: "1/100",
            kernels: &[Shape::Linear, Shape::Gaussian(4)],
        },
    })
}

/// The quality of white wine, as a number.
fn qualities(sources: &Sources) -> Result<DataSet, Error> {
    let grid = Grid::new(GRID_BITS)?;
    let scale = Scale::new(number("3")?, number("9")?);
    let label = |value: &Rational| {
        let scale = scale.as_ref();
        scale.map_or(0, |scale| placed(scale, value, grid.one()))
    };
    let rows = coordinates(&sources.white)?.into_iter();
    let records = rows
        .zip(&sources.white.label)
        .map(|(coordinates, value)| Labelled {
            coordinates,
            label: label(value),
        });
    Ok(DataSet {
        name: "wine-quality",
        plans: "wine-quality-plans",
        title: sources.title("the quality of white wine as a number"),
        labels: Labels::Numbers {
            grid,
            largest: grid.one().unsigned_abs(),
        },
        unit: 3.0,
        shrunk: Shrunk(2),
        records: records.collect(),
        setting: Setting {
            lambda: "1/100",
            kernels: &[Shape::Linear, Shape::Gaussian(4)],
        },
    })
}

/// White wine of quality 6 or more against the rest.
pub fn good_wines(sources: &Sources) -> Result<DataSet, Error> {
    let six = number("6")?;
    let rows = coordinates(&sources.white)?.into_iter();
    let records = rows
        .zip(&sources.white.label)
        .map(|(coordinates, value)| Labelled {
            coordinates,
            label: if *value >= six { 1 } else { -1 },
        });
    Ok(DataSet {
        name: "wine",
        plans: "wine-plans",
        title: sources.title("white wine of quality 6 or more"),
        labels: Labels::Classes,
        unit: 1.0,
        shrunk: Shrunk(2),
        records: records.collect(),
        setting: Setting {
            lambda: "1/100",
            kernels: &[Shape::Gaussian(4)],
        },
    })
}

/// Made-up records in the shape of CoverType.
pub fn covertype(records: usize, seed: u64) -> Result<DataSet, Error> {
    let one = Grid::new(GRID_BITS)?.one();
    let (spread, noise) = (number(generate::SPREAD)?, number(generate::NOISE)?);
    let mut source = generate::Source::new(&spread, &noise, seed)?;
    let mut made = Vec::new();
    for _ in 0..records {
        let record = source.draw()?;
        let mut coordinates = vec![0; 54];
        for (to, steps) in coordinates.iter_mut().zip(record.numbers) {
            // From [0, 1] onto [-1, 1].
            *to = (2 * steps - generate::ONE) * one / generate::ONE;
        }
        coordinates[10 + record.area] = one;
        coordinates[14 + record.soil] = one;
        made.push(Labelled {
            coordinates,
            label: if record.positive { 1 } else { -1 },
        });
    }
    Ok(DataSet {
        name: "covertype-shaped",
        plans: "covertype-shaped-plans",
        title: "made-up records in the shape of CoverType".to_owned(),
        labels: Labels::Classes,
        unit: 1.0,
        shrunk: Shrunk(3),
        records: made,
        setting: Setting {
            lambda: "1/100",
            kernels: &[Shape::Cubic],
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(labels: Labels, all: &[i64]) -> DataSet {
        let records = all.iter().map(|&label| Labelled {
            coordinates: vec![1 << GRID_BITS, 0],
            label,
        });
        DataSet {
            name: "t",
            plans: "t-plans",
            title: "t".to_owned(),
            labels,
            unit: 2.0,
            shrunk: Shrunk(2),
            records: records.collect(),
            setting: Setting {
                lambda: "1",
                kernels: &[],
            },
        }
    }

    #[test]
    fn a_point_has_a_constant_and_is_in_the_ball() {
        let mut set = set(Labels::Classes, &[1]);
        let half = 1 << (GRID_BITS - 1);
        let found = set.point(&set.records[0]).unwrap();
        assert_eq!(found, Point::dense(&[half, 0, half]));
        set.shrunk = Shrunk(1);
        let found = set.point(&set.records[0]).unwrap();
        assert!(set.domain().unwrap().check(&found).is_ok());
        assert_eq!(found.coordinates().len(), 2);
    }

    #[test]
    fn errors_are_of_signs_or_of_squares() {
        let classes = set(Labels::Classes, &[1, -1, 1, -1]);
        // Right, half, wrong, right.
        let error = classes.error(&[0.5, 0.0, -0.1, -3.0], &[0, 1, 2, 3]);
        assert_eq!(error, 1.5 / 4.0);
        let numbers = Labels::Numbers {
            grid: Grid::new(1).unwrap(),
            largest: 2,
        };
        // (2 (1 - 1/2))^2 and (2 (0 + 1))^2
        let error = set(numbers, &[1, -2]).error(&[1.0, 0.0], &[0, 1]);
        assert_eq!(error, 2.5);
    }
}
