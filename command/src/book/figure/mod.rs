//! The figures of claims: curves through what a run found, beside what is printed. Every number is the row's own; each figure
//! has a sentence that says what to see, and its numbers as CSV.

pub(super) mod declared;
mod plot;

use super::site::{Row, Site};
pub use declared::{Axis, Drawn, Figure, Source, axis};
use maud::{Markup, html};
pub use plot::Scale;
use plot::{Curve, Plot, Point};

/// The figure of a claim, if it has one and the run found its numbers: the picture, what to see, the way to the numbers.
pub fn of(site: &Site, row: &Row) -> Option<Markup> {
    let figure = site.figures.iter().find(|one| one.claim == row.id())?;
    let plot = figure.plot(row)?;
    let see = figure.sentence(row)?;
    Some(html! {
        figure {
            (plot.svg(row.id()))
            figcaption {
                b { (see) } " "
                a href={ "../f/" (row.id()) ".csv" } { "The numbers" }
            }
        }
    })
}

/// The numbers of all figures, as files of the book.
pub fn files(site: &Site) -> impl Iterator<Item = (String, String)> {
    site.figures.iter().filter_map(|figure| {
        let plot = figure.plot(site.row(figure.claim)?)?;
        Some((format!("f/{}.csv", figure.claim), plot.csv()))
    })
}

impl Figure {
    /// The picture; `None` if the run has not two points of each curve of its own.
    fn plot(&self, row: &Row) -> Option<Plot> {
        let found = &row.found.evidence.figures.0;
        let mut curves: Vec<Curve> = Vec::new();
        for drawn in self.curves {
            if let Source::Row(pattern, place) = drawn.from {
                let points = points(found, pattern, place);
                if points.len() < 2 {
                    return None;
                }
                curves.push(Curve {
                    name: drawn.name,
                    points,
                });
            }
        }
        let xs = || curves.iter().flat_map(|curve| &curve.points).map(|p| p.x);
        let ends = [xs().fold(f64::INFINITY, f64::min), xs().fold(0.0, f64::max)];
        for drawn in self.curves {
            if let Source::Told(text) = drawn.from {
                let y = number(text)?;
                let points = ends.map(|x| Point { x, low: y, high: y }).to_vec();
                curves.insert(
                    0,
                    Curve {
                        name: drawn.name,
                        points,
                    },
                );
            }
        }
        Some(Plot {
            title: row.entry.claim.short.clone(),
            axes: [(self.x.name, self.x.scale), (self.y.name, self.y.scale)],
            curves,
        })
    }

    /// What to see, with the row's numbers.
    fn sentence(&self, row: &Row) -> Option<String> {
        let mut said = String::new();
        let mut rest = self.see;
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, after) = behind.split_once('}')?;
            let mut found = row.found.evidence.figures.0.iter();
            let (_, value) = found.find(|(known, _)| known == name)?;
            said += before;
            said += &plain(value);
            rest = after;
        }
        Some(said + rest)
    }
}

/// A value in a sentence: of two ends, both.
fn plain(value: &str) -> String {
    let ends = value
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    match ends.and_then(|ends| ends.split_once(", ")) {
        Some((low, high)) => format!("between {low} and {high}"),
        None => value.replace(" / ", " and "),
    }
}

/// The figures whose names follow the pattern, as points.
fn points(found: &[(String, String)], pattern: &str, place: usize) -> Vec<Point> {
    let Some((before, behind)) = pattern.split_once('*') else {
        return Vec::new();
    };
    let point = |(name, value): &(String, String)| {
        let x = name.strip_prefix(before)?.strip_suffix(behind)?;
        let part = value.split(" / ").nth(place)?;
        let (low, high) = ends(part)?;
        Some(Point {
            x: number(x)?,
            low,
            high,
        })
    };
    found.iter().filter_map(point).collect()
}

/// The two ends of a value: `[a, b]`, or one number twice.
fn ends(text: &str) -> Option<(f64, f64)> {
    let inside = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    match inside.and_then(|inside| inside.split_once(", ")) {
        Some((low, high)) => Some((number(low)?, number(high)?)),
        None => number(text).map(|one| (one, one)),
    }
}

/// A number as rows write it: `0.25`, `1e-6`, `1/4`, `10^6`. For a drawing a double is enough.
fn number(text: &str) -> Option<f64> {
    let read = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite());
    if let Some((one, other)) = text.split_once('/') {
        return Some(read(one)? / read(other)?);
    }
    if let Some((base, power)) = text.split_once('^') {
        return Some(read(base)?.powf(read(power)?));
    }
    read(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_rows_write_them() {
        for (text, value) in [("0.25", 0.25), ("1e-6", 1e-6), ("1/4", 0.25), ("10^6", 1e6)] {
            assert_eq!(number(text), Some(value));
        }
        for text in ["", "n", "1/", "about 2", "inf"] {
            assert_eq!(number(text), None, "{text}");
        }
        assert_eq!(ends("[0.5, 0.6]"), Some((0.5, 0.6)));
        assert_eq!(ends("7"), Some((7.0, 7.0)));
        assert_eq!(ends("[0.5]"), None);
    }

    #[test]
    fn points_are_those_of_the_pattern_alone() {
        let found = [
            ("d = 20", "[1, 2]"),
            ("d = 40: bound", "3"),
            ("d = 30", "29 / 38"),
        ];
        let found = found.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let points = points(&found, "d = *", 0);
        let xs: Vec<f64> = points.iter().map(|point| point.x).collect();
        assert_eq!(xs, [20.0, 30.0]);
        assert_eq!((points[0].low, points[0].high), (1.0, 2.0));
        assert_eq!(points[1].low, 29.0);
    }
}
