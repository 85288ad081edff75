//! What a session is about: the records, and what is minimised.

use super::queries::Queries;
use super::source::Source;
use crate::error::Error;
use crate::output;
use crate::papers::kernels::kernel::Named;
use crate::papers::kernels::learn::{Common, Data, dataset, domain, is_same_file, records};
use crate::papers::learn::{Public, cautions};
use crate::papers::model::{Privacy, guarantee};
use crate::table::{Columns, Label};
use dp_assay::kernels::{Dataset, KernelOn, Problem, Sensitivity};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, shortly, to_scientific_above};
use std::path::Path;

/// What a session is about: the records, and what is minimised.
pub struct Question {
    /// The records.
    pub data: Dataset,
    /// What is minimised.
    pub problem: Problem,
    /// The kernel on their domain.
    pub kernel: KernelOn,
    /// How far the minimiser moves.
    pub sensitivity: Sensitivity,
    /// The public columns.
    pub columns: Columns,
    /// What labels are.
    pub label: Label,
    /// How queries are read.
    pub queries: Queries,
    /// The SHA-256 of the kernel where it is a matrix, whose file may change.
    pub matrix: Option<String>,
    /// How many units of the label a prediction of 1 is.
    pub unit: Rational,
    /// What is guaranteed.
    pub privacy: Privacy,
    /// The coins.
    pub source: Source,
}

impl Question {
    /// Reads the records.
    pub fn new(common: &Common, load: &Data, seed: Option<u64>) -> Result<Self, Error> {
        if let fourier @ Named::Fourier { variance, .. } = &common.kernel {
            return Err(Error::Usage(format!(
                "--kernel {fourier}: random frequencies are for learn kernel-release; take gaussian={variance} itself"
            )));
        }
        refuse_standard_input(&common.data)?;
        let problem = common.problem(load)?;
        let opened = load.open(common, &common.data)?;
        let (features, form) = (opened.features(), opened.form());
        let table = common.read(load, opened)?;
        let public = Public::of(&table);
        for caution in cautions(&common.epsilon, &common.delta, &public) {
            output::warn(&caution);
        }
        let (domain, label, neighbours) = (domain(&table)?, table.label, table.neighbours);
        let unit = match &label {
            Label::Classes(_) => integer(1),
            Label::Interval(column) => (column.scale.hi() - column.scale.lo()) / integer(2),
        };
        let data = dataset(domain, &problem, records(table.training)?)?;
        let (source, origin) = Source::new(seed)?;
        let (epsilon, delta) = (common.epsilon.to_string(), common.delta.to_string());
        let promised = format!(
            "all answers together are {} under {neighbours}; parameters, intervals, categories and label values are public; every further release from \
             the same records adds its own epsilon and delta",
            guarantee(&epsilon, &delta)
        );
        let statement = match seed {
            None => promised,
            Some(seed) => format!(
                "--seed {seed}: whoever knows the seed can undo the noise; these answers are NOT private. With secret coins: \
                 {promised}"
            ),
        };
        match seed {
            None => output::note(&statement),
            Some(_) => output::warn(&statement),
        }
        let privacy = Privacy {
            epsilon,
            delta,
            neighbours,
            private: seed.is_none(),
            coins: origin,
            statement,
        };
        let kernel = problem.kernel().on(domain)?;
        let matrix = match &common.kernel {
            Named::Matrix(file) => Some(file.digest()?),
            _ => None,
        };
        Ok(Self {
            kernel,
            matrix,
            sensitivity: problem.sensitivity(domain, data.size())?,
            columns: table.placement.columns().clone(),
            queries: Queries::new(table.placement, &features, &form),
            data,
            problem,
            label,
            unit,
            privacy,
            source,
        })
    }

    /// The public bound on the norm of the minimiser: a given one, or that of all datasets.
    pub fn norm_bound(&self, given: Option<&Rational>) -> Result<Rational, Error> {
        Ok(match given {
            Some(bound) => bound.clone(),
            None => self.problem.norm_bound(self.data.domain())?,
        })
    }

    /// What a difference of predictions is to be compared with.
    pub fn beside(&self) -> String {
        match &self.label {
            Label::Classes(_) => ", where the classes are -1 and 1".to_owned(),
            Label::Interval(column) => format!(
                ", where labels are from {} to {}",
                shortly(column.scale.lo()),
                shortly(column.scale.hi())
            ),
        }
    }

    /// A difference of predictions in the units of the label, rounded up to three digits.
    pub fn shown(&self, difference: &Rational) -> String {
        to_scientific_above(&(difference * &self.unit), 3)
    }
}

/// Refuses records from where queries come from: they would be asked for, and queries are public.
fn refuse_standard_input(data: &Path) -> Result<(), Error> {
    if !is_same_file(data, Path::new("/dev/stdin")) {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "{}: standard input is this file too, and has the queries, which are public; name another file with the records",
        data.display()
    )))
}
