//! Kernels and losses on the command line.

use crate::error::Error;
use crate::options::{number, whole};
use crate::table::{Form, Records};
use dp_assay::geometry::{Domain, Point};
use dp_assay::kernels::{Kernel, KernelError, KernelOn, Precomputed, VALUE_BITS};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::optimise::erm::Loss;
use dp_assay_audit::hexadecimal::hexadecimal;
use num_traits::{One, Signed, ToPrimitive, Zero};
use sha2::{Digest, Sha256};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A kernel of the command line.
#[derive(Debug, Clone, PartialEq)]
pub enum Named {
    Linear,
    Polynomial {
        degree: u32,
        offset: Rational,
    },
    Gaussian {
        variance: Rational,
    },
    Fourier {
        frequencies: usize,
        variance: Rational,
    },
    /// A public matrix, for records of one category.
    Matrix(MatrixFile),
}

/// A public matrix in a file, which is read when it is first asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixFile {
    path: PathBuf,
    read: OnceLock<Matrix>,
}

/// A public matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// Its number of rows.
    pub rows: usize,
    /// The kernel.
    pub kernel: Arc<Precomputed>,
}

impl MatrixFile {
    /// The matrix, certified.
    pub fn read(&self) -> Result<&Matrix, Error> {
        if let Some(matrix) = self.read.get() {
            return Ok(matrix);
        }
        let found = matrix(&self.path)?;
        Ok(self.read.get_or_init(|| found))
    }

    /// The SHA-256 of the kernel: what is public of it, as its path is not.
    pub fn digest(&self) -> Result<String, Error> {
        let Matrix { rows, kernel } = self.read()?;
        let on = Kernel::Precomputed(Arc::clone(kernel)).on(kernel.domain()?)?;
        let points: Result<Vec<Point>, KernelError> =
            (0..*rows as u32).map(|row| kernel.point(row)).collect();
        let points = points?;
        let mut hash = Sha256::new();
        for x in &points {
            for z in &points {
                hash.update(on.value(x, z).to_le_bytes());
            }
        }
        Ok(hexadecimal(&hash.finalize()))
    }
}

/// The most frequencies: each stands in the model file.
const MOST_FREQUENCIES: u64 = 1 << 15;

/// A kernel in the form of `--kernel`.
pub fn kernel(text: &str) -> Result<Named, String> {
    let form = "it must be linear, polynomial=P,C, gaussian=V, fourier=N,V or matrix=FILE";
    if text == "linear" {
        return Ok(Named::Linear);
    }
    let (name, parameters) = text.split_once('=').ok_or(form)?;
    let two = || parameters.split_once(',').ok_or(form);
    // Down to a step of the frequencies' grid.
    let variance = |value: &str| {
        let value = number(value).map_err(|error| format!("V: {error}"))?;
        let range = ratio(1, 1 << 10)..=integer(1_000_000);
        let fits = range.contains(&value).then_some(value);
        fits.ok_or_else(|| "V must be from 1/1024 to 1e6".to_owned())
    };
    let count = |value: &str, name: &str, most: u64| {
        let count = whole(value).ok().filter(|count| (1..=most).contains(count));
        count.ok_or_else(|| format!("{name} must be a whole number from 1 to {most}"))
    };
    match name {
        "polynomial" => {
            let (degree, offset) = two()?;
            let degree = count(degree, "the degree P", 20)? as u32;
            let offset = number(offset).map_err(|error| format!("C: {error}"))?;
            if offset.is_negative() || offset > integer(1000) {
                return Err("C must be from 0 to 1000".to_owned());
            }
            Ok(Named::Polynomial { degree, offset })
        }
        "gaussian" => Ok(Named::Gaussian {
            variance: variance(parameters)?,
        }),
        "fourier" => {
            let (frequencies, value) = two()?;
            Ok(Named::Fourier {
                frequencies: count(frequencies, "the number N of frequencies", MOST_FREQUENCIES)?
                    as usize,
                variance: variance(value)?,
            })
        }
        "matrix" => {
            let path = PathBuf::from(parameters);
            let read = OnceLock::new();
            Ok(Named::Matrix(MatrixFile { path, read }))
        }
        _ => Err(form.to_owned()),
    }
}

/// A kernel in a model file: one that is not in another file.
pub fn kernel_of_a_model(text: &str) -> Result<Named, String> {
    if text.starts_with("matrix") {
        return Err("kernel: a model file has no matrix".to_owned());
    }
    kernel(text).map_err(|error| format!("kernel: {error}"))
}

/// The same on the domain of the model's points.
pub fn kernel_on(text: &str, domain: Domain) -> Result<KernelOn, String> {
    let kernel = kernel_of_a_model(text)?.of_the_library(domain.grid().bits());
    let kernel = kernel.map_err(|error| error.to_string())?;
    kernel.on(domain).map_err(|error| error.to_string())
}

/// A point of a model, which lies in the domain.
pub fn point_of_a_model(coordinates: Vec<(u32, i32)>, domain: Domain) -> Result<Point, String> {
    let point = Point::new(coordinates).map_err(|error| error.to_string())?;
    domain.check(&point).map_err(|error| error.to_string())?;
    Ok(point)
}

/// The matrix of a CSV file of numbers without a header, a row a line.
fn matrix(path: &Path) -> Result<Matrix, Error> {
    let form = Form {
        no_header: true,
        ..Form::default()
    };
    let mut records = Records::open(path, &form)?;
    let mut rows = Vec::new();
    let mut largest = Rational::zero();
    while let Some(line) = records.advance()? {
        let place = rows.len();
        if place == MOST_ROWS {
            let reason = format!("a matrix of a kernel has at most {MOST_ROWS} rows");
            return Err(Error::data(path, reason));
        }
        let mut row = Vec::new();
        for column in 0..records.header().len() {
            let text = String::from_utf8_lossy(records.field(column));
            let wrong = |reason: String| records.wrong(line, column, reason);
            let value = number(&text).map_err(wrong)?;
            let steps = (&value * integer(1u64 << VALUE_BITS)).round().to_integer();
            let fits = value.abs() <= integer(LARGEST_ENTRY);
            let steps = fits.then_some(steps).and_then(|steps| steps.to_i64());
            let expected = format!("it must be from -{LARGEST_ENTRY} to {LARGEST_ENTRY}");
            row.push(steps.ok_or_else(|| wrong(expected))?);
            if column == place {
                largest = largest.max(value);
            }
        }
        rows.push(row);
    }
    // The bound on the diagonal follows from the matrix, which is public. A millionth more is for rounded entries, and for
    // a certificate in floats.
    let step = ratio(1, 1 << VALUE_BITS);
    let bound = &largest + &step;
    let jitter = (&largest / &step).ceil().to_integer() >> 20u32;
    let jitter = jitter.to_u64().unwrap_or(0).max(1);
    let count = rows.len();
    let kernel = Precomputed::new(rows, &bound, jitter);
    let kernel = kernel.map_err(|error| Error::data(path, error.to_string()))?;
    Ok(Matrix {
        rows: count,
        kernel: Arc::new(kernel),
    })
}

/// More are not certified.
const MOST_ROWS: usize = 8192;

/// Larger values of a kernel are not taken.
const LARGEST_ENTRY: u64 = 1 << 14;

/// As on the command line.
impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linear => write!(f, "linear"),
            Self::Polynomial { degree, offset } => write!(f, "polynomial={degree},{offset}"),
            Self::Gaussian { variance } => write!(f, "gaussian={variance}"),
            Self::Fourier {
                frequencies,
                variance,
            } => write!(f, "fourier={frequencies},{variance}"),
            Self::Matrix(file) => write!(f, "matrix={}", file.path.display()),
        }
    }
}

impl Named {
    /// The kernel on points of a grid of so many bits; of the Fourier features it is the linear one of the features.
    pub fn of_the_library(&self, grid_bits: u32) -> Result<Kernel, Error> {
        Ok(match self {
            Self::Linear | Self::Fourier { .. } => Kernel::Linear,
            Self::Polynomial { degree, offset } => {
                let steps = offset * integer(1u128 << (2 * grid_bits));
                let steps = steps.is_integer().then(|| steps.to_integer());
                let steps = steps.and_then(|steps| steps.to_u64()).ok_or_else(|| {
                    Error::Usage(format!(
                        "--kernel {self}: C must be a multiple of 4^-B on the grid of 2^-B, such as 1 or 1/4, and less \
                         than 2^64 of them: B is --grid-bits, here {grid_bits}"
                    ))
                })?;
                Kernel::Polynomial {
                    degree: *degree,
                    offset: steps,
                }
            }
            // exp(-V |z|^2/2)
            Self::Gaussian { variance } => Kernel::Gaussian {
                squared_width: variance.recip(),
            },
            Self::Matrix(file) => Kernel::Precomputed(Arc::clone(&file.read()?.kernel)),
        })
    }

    /// Of a matrix, its number of rows.
    pub fn rows(&self) -> Result<Option<usize>, Error> {
        match self {
            Self::Matrix(file) => Ok(Some(file.read()?.rows)),
            _ => Ok(None),
        }
    }

    /// Of a matrix, its file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Matrix(file) => Some(&file.path),
            _ => None,
        }
    }

    /// What is set down of it: no path, which is of the machine and not of the model.
    pub fn public(&self) -> String {
        match self {
            Self::Matrix(_) => "matrix".to_owned(),
            named => named.to_string(),
        }
    }

    /// How many frequencies are drawn, and the variance of their coordinates.
    pub fn frequencies(&self) -> Option<(usize, &Rational)> {
        match self {
            Self::Fourier {
                frequencies,
                variance,
            } => Some((*frequencies, variance)),
            _ => None,
        }
    }
}

/// A loss in the form of `--loss`.
pub fn loss(text: &str) -> Result<Loss, String> {
    let form = "it must be hinge, logistic, huber=W or squared";
    match text.split_once('=') {
        None => match text {
            "hinge" => Ok(Loss::Hinge),
            "logistic" => Ok(Loss::Logistic),
            // Labels are placed in [-1, 1].
            "squared" => Ok(Loss::Squared {
                largest_label: Rational::one(),
            }),
            _ => Err(form.to_owned()),
        },
        Some(("huber", width)) => {
            let width = number(width).map_err(|error| format!("W: {error}"))?;
            let fits = width.is_positive() && (ratio(1, 1 << 20)..=integer(1000)).contains(&width);
            let width = fits.then_some(width);
            let width = width.ok_or("W must be from 2^-20 to 1000")?;
            Ok(Loss::Huber { width })
        }
        Some(_) => Err(form.to_owned()),
    }
}

/// A loss in the form of `--loss`, exactly.
pub fn shown(loss: &Loss) -> String {
    match loss {
        Loss::Hinge => "hinge".to_owned(),
        Loss::Logistic => "logistic".to_owned(),
        Loss::Huber { width } => format!("huber={width}"),
        _ => "squared".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_and_losses_are_read_as_they_are_written() {
        for text in ["linear", "polynomial=3,1", "gaussian=1/2", "fourier=50,4"] {
            assert_eq!(kernel(text).unwrap().to_string(), text);
        }
        for wrong in [
            "",
            "gauss",
            "polynomial=3",
            "polynomial=0,1",
            "polynomial=21,1",
            "polynomial=2,-1",
            "gaussian=0",
            "fourier=0,1",
            "fourier=5",
            "fourier=1e9,1",
            "linear=1",
        ] {
            assert!(kernel(wrong).is_err(), "{wrong}");
        }
        for text in ["hinge", "logistic", "huber=1/3", "squared"] {
            assert_eq!(shown(&loss(text).unwrap()), text);
        }
        for wrong in ["", "huber", "huber=0", "huber=-1", "square", "hinge=1"] {
            assert!(loss(wrong).is_err(), "{wrong}");
        }
        let half = kernel("polynomial=2,1/2").unwrap();
        let offset = |bits| half.of_the_library(bits);
        let expected = Kernel::Polynomial {
            degree: 2,
            offset: 2,
        };
        assert_eq!(offset(1).unwrap(), expected);
        assert!(offset(0).is_err());
    }
}
