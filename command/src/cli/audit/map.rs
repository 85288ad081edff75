//! `assay audit --map`: is a transformation as stable as it is claimed to be?

use super::{Arguments, failed_without_bound, notes, start};
use crate::error::Error;
use dp_assay::number::range::at_least_zero;
use dp_assay::privacy::NeighbouringRelation;
use dp_assay_audit::maps::{
    Bound, Datasets, Effort, MapError, Measure, Metric, Stability, UserField, examine,
};
use dp_assay_audit::pairs::{Domain, Pair};
use dp_assay_audit::report::{AuditReport, map};

/// The most pairs of a domain that are tried, unless --most-pairs says otherwise.
const PAIRS: usize = 2000;

/// Audits it.
pub(super) fn audit(arguments: &Arguments, command: &str) -> Result<AuditReport, Error> {
    let datasets = datasets(arguments)?;
    let stability = stability(arguments, &datasets)?;
    let effort = Effort {
        pairs: arguments.maps.most_pairs.unwrap_or(PAIRS),
        seed: arguments.seed,
        shrink: !arguments.no_shrink,
    };
    let mut target = start(arguments, command)?;
    let report = match examine(&mut target, &datasets, &stability, effort) {
        Ok(found) => map::report(&found, &stability, &datasets, effort, command),
        Err(error @ (MapError::Target(_) | MapError::NotDeterministic { .. })) => {
            failed_without_bound(
                stability.to_string(),
                command,
                arguments.seed,
                target.asked(),
                &error.to_string(),
            )
            .asking(map::asked(&stability))
        }
        Err(error) => return Err(Error::Usage(error.to_string())),
    };
    Ok(report.noting(notes(&target, command)))
}

fn datasets(arguments: &Arguments) -> Result<Datasets, Error> {
    if let (Some(most), None) = (arguments.maps.most_pairs, &arguments.domain) {
        return Err(Error::Usage(format!(
            "--most-pairs is of the pairs of a --domain, got {most} for --pair"
        )));
    }
    let usage = |error: &dyn std::fmt::Display| Error::Usage(error.to_string());
    match (&arguments.pair[..], &arguments.domain) {
        ([first, second], None) => {
            let pair = Pair::read(first, second).map_err(|error| usage(&error))?;
            Ok(Datasets::Given(pair))
        }
        ([], Some(path)) => {
            let domain = Domain::read_file(path).map_err(|error| usage(&error))?;
            Ok(Datasets::Described(domain))
        }
        _ => Err(Error::Usage(
            "the datasets are missing: give --pair A.json,B.json, two of them, or --domain DOMAIN.json"
                .to_owned(),
        )),
    }
}

fn stability(arguments: &Arguments, datasets: &Datasets) -> Result<Stability, Error> {
    let options = &arguments.maps;
    let bound = match (&options.stability, &options.bound) {
        (Some(factor), None) => {
            at_least_zero("--stability", factor)?;
            Bound::Factor(factor.clone())
        }
        (None, Some(most)) => {
            at_least_zero("--bound", most)?;
            Bound::Neighbours(most.clone())
        }
        _ => {
            return Err(Error::Usage(
                "the claim is missing: give --stability C, outputs are at most C times as far apart as the datasets, or --bound B".to_owned(),
            ));
        }
    };
    let neighbours = match datasets {
        Datasets::Given(_) => arguments.neighbours.relation(),
        Datasets::Described(domain) => Some(NeighbouringRelation::from(domain.neighbours)),
    };
    let usual = neighbours.map(|relation| match relation {
        NeighbouringRelation::Substitute => Metric::Hamming,
        NeighbouringRelation::AddOrRemove => Metric::Symmetric,
    });
    let input = options.input_metric.or(usual).ok_or_else(|| {
        Error::Usage(
            "--neighbours vouched names no metric of the datasets for --map: give --input-metric"
                .to_owned(),
        )
    })?;
    let output = options.output_metric.ok_or_else(|| {
        Error::Usage(
            "--output-metric is needed: symmetric, insert-delete, hamming, by-user, absolute, l1, l2 or l-infinity"
                .to_owned(),
        )
    })?;
    let user = options.user.as_deref().map(UserField::read);
    if let (Some(field), false) = (&options.user, [input, output].contains(&Metric::ByUser)) {
        return Err(Error::Usage(format!(
            "--user is for the metric by-user, got {field} for {input} and {output}"
        )));
    }
    if user.is_none() && [input, output].contains(&Metric::ByUser) {
        return Err(Error::Usage(
            "the metric by-user needs --user FIELD, the name or the position of the field that says whose record it is".to_owned(),
        ));
    }
    let measure = |metric| Measure {
        metric,
        user: user.clone().filter(|_| metric == Metric::ByUser),
    };
    Ok(Stability {
        input: measure(input),
        output: measure(output),
        bound,
    })
}
