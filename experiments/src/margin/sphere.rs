//! Records on the unit sphere that one halfspace separates with one margin, in any dimension.

use crate::draws::Draws;
use dp_assay::coins::CoinsError;
use dp_assay::geometry::Record;
use dp_assay::margin::{Dataset, Domain};
use dp_assay::number::Grid;
use dp_assay_cli::error::Error;

/// The law of the records: `y margin u + sqrt(1 - margin^2) v`, for a uniform label `y` and `v` uniform on the unit vectors
/// orthogonal to `u`. Which `u` it is, is drawn uniformly.
pub struct Sphere {
    u: Vec<f64>,
    margin: f64,
}

/// Records are multiples of 2^-20, rounded towards zero: no norm exceeds 1, and the margin stays, but for `sqrt(d) 2^-20`.
const GRID_BITS: u32 = 20;

impl Sphere {
    /// The law in this dimension.
    pub fn new(dimension: usize, margin: f64, draws: &mut Draws) -> Result<Self, CoinsError> {
        let mut u = draws.normals(dimension)?;
        normalise(&mut u);
        Ok(Self { u, margin })
    }

    /// So many records.
    pub fn records(&self, count: usize, draws: &mut Draws) -> Result<Vec<Record>, CoinsError> {
        (0..count).map(|_| self.record(draws)).collect()
    }

    fn record(&self, draws: &mut Draws) -> Result<Record, CoinsError> {
        let positive = draws.uniform()? < 0.5;
        let mut v = draws.normals(self.u.len())?;
        let along: f64 = v.iter().zip(&self.u).map(|(v, u)| v * u).sum();
        let coordinates = v.iter_mut().zip(&self.u);
        coordinates.for_each(|(v, u)| *v -= along * u);
        normalise(&mut v);
        let sign = if positive { 1.0 } else { -1.0 };
        let rest = (1.0 - self.margin.powi(2)).sqrt();
        let one = f64::from(1u32 << GRID_BITS);
        let coordinates = self.u.iter().zip(&v);
        let features = coordinates
            .map(|(u, v)| ((sign * self.margin * u + rest * v) * one).trunc() as i64)
            .collect();
        Ok(Record { features, positive })
    }
}

/// The domain of such records.
pub fn domain(dimension: usize) -> Result<Domain, Error> {
    Ok(Domain::unit_ball(Grid::new(GRID_BITS)?, dimension)?)
}

/// The dataset of such records. Where rounding lengthened one beyond the ball, which floats can do, it is clipped.
pub fn dataset(records: Vec<Record>, dimension: usize) -> Result<Dataset, Error> {
    let domain = domain(dimension)?;
    let records = records.into_iter().map(|r| r.clipped(domain.radius()));
    Ok(Dataset::new(domain, records.collect())?)
}

fn normalise(vector: &mut [f64]) {
    let norm = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    if norm > 0.0 {
        vector.iter_mut().for_each(|x| *x /= norm);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_record_has_the_margin_and_norm_1() {
        for (dimension, margin) in [(2, 0.5), (50, 0.1)] {
            let mut draws = Draws::new(1, "sphere");
            let sphere = Sphere::new(dimension, margin, &mut draws).unwrap();
            let records = sphere.records(50, &mut draws).unwrap();
            let data = dataset(records, dimension).unwrap();
            for record in data.records() {
                let one = f64::from(1 << GRID_BITS);
                let x: Vec<f64> = record.signed().iter().map(|&x| x as f64 / one).collect();
                let product: f64 = x.iter().zip(&sphere.u).map(|(x, u)| x * u).sum();
                let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
                assert!((product - margin).abs() < 1e-4, "{product}");
                assert!((norm - 1.0).abs() < 1e-4, "{norm}");
            }
        }
    }
}
