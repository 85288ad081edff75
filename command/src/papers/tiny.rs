//! The data of specimens that learn from labelled points: few records, in eighths, in the unit ball.

use dp_assay::geometry::{GeometryError, Record, SignMatrix};
use dp_assay_audit::specimen;
use dp_assay_audit::targets::{Output, TargetError};
use serde_json::{Value, json};
use std::fmt::Display;

/// The grid has steps of 1/8.
pub const BITS: u32 = 3;

/// The records that are written as an array.
pub fn records(data: &Value) -> Result<Vec<Record>, TargetError> {
    let record = |record: &Value| {
        let values: Vec<i64> = record
            .as_array()?
            .iter()
            .map(Value::as_i64)
            .collect::<Option<_>>()?;
        let (label, features) = values.split_last()?;
        (label.abs() == 1).then(|| Record {
            features: features.to_vec(),
            positive: *label == 1,
        })
    };
    let read = || -> Option<Vec<Record>> { data.as_array()?.iter().map(record).collect() };
    read().ok_or_else(|| not_records(data))
}

/// The error for data that are no such records.
pub fn not_records(data: &Value) -> TargetError {
    TargetError::Data {
        expected: "an array of records [x_1, ..., x_d, label] in eighths, the label 1 or -1",
        got: data.to_string(),
    }
}

/// What the library refuses, which is a matter of the data: the parameters are constants.
pub fn refused<E: Display>(data: &Value) -> impl Fn(E) -> TargetError + use<E> {
    specimen::refused(data, "records on which the learner runs")
}

/// An output of several integers.
pub fn vector(entries: impl IntoIterator<Item = i64>) -> Output {
    let entries = entries.into_iter().map(|k| Output::Integer(k.into()));
    Output::Vector(entries.collect())
}

/// A projection of the plane, by its signs, and a point of what it projects to.
pub fn projected(projection: &SignMatrix, point: &[i64]) -> Result<Output, GeometryError> {
    let signs = [projection.apply(&[1, 0])?, projection.apply(&[0, 1])?].concat();
    Ok(vector(signs.into_iter().chain(point.iter().copied())))
}

/// Outputs in proportion to their weights, of one of these lists; each list is as likely.
pub fn in_proportion(lists: Vec<Vec<(Output, f64)>>) -> Vec<(Output, f64)> {
    let count = lists.len() as f64;
    let mut law = Vec::new();
    for list in lists {
        let total: f64 = list.iter().map(|(_, weight)| weight).sum();
        law.extend(
            list.into_iter()
                .map(|(output, w)| (output, w / total / count)),
        );
    }
    law
}

/// Six records that agree, and the same with one that does not.
pub fn one_dissents() -> [Value; 2] {
    let agree = |dissenters: usize| -> Value {
        let label = |record| if record < dissenters { -1 } else { 1 };
        (0..6).map(|record| json!([8, 0, label(record)])).collect()
    };
    [agree(0), agree(1)]
}

/// (4, 4) is projected to zero by half of the projections of signs to one dimension, and (4, 0) by none.
pub fn projected_to_zero() -> [Value; 2] {
    [json!([[4, 0, 1], [4, 0, 1]]), json!([[4, 0, 1], [4, 4, 1]])]
}
