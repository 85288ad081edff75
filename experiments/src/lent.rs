//! Learners that a paper lends to the experiments of others, which know no paper but their own.

use dp_assay::coins::ChaCha;
use dp_assay::geometry::FeatureMap;
use dp_assay::number::Grid;
use dp_assay::privacy::Budget;
use dp_assay_cli::error::Error;

/// A private learner of numbers from features.
pub struct Lent {
    /// What a table calls it.
    pub name: &'static str,
    /// What its draws are named by.
    pub stream: &'static str,
    /// Whether it takes many features, such as random ones, or few.
    pub takes_many: bool,
    /// What it draws by, under the relation of the budget: found once, from public numbers alone.
    pub plan: Planner,
}

/// Finds a plan.
pub type Planner = fn(&Shape<'_>, &Budget) -> Result<Plan, Error>;

/// Learns from the records by a plan, and predicts at the points.
pub type Plan = Box<dyn Fn(&Sample<'_>, &mut ChaCha) -> Result<Vec<f64>, Error> + Send + Sync>;

/// What is public of the records.
pub struct Shape<'a> {
    /// Coordinates and labels are from -1 to 1, in steps of this grid.
    pub grid: Grid,
    /// How many coordinates a record has.
    pub dimension: usize,
    /// How many records there are.
    pub records: usize,
    /// Features of the form that will be taken.
    pub map: &'a FeatureMap,
}

/// Records and their labels, in steps of the grid, and the points to predict at.
pub struct Sample<'a> {
    pub training: Vec<(Vec<i64>, i64)>,
    pub test: Vec<Vec<i64>>,
    pub map: &'a FeatureMap,
}
