//! A profile in a file: a curve of (epsilon, delta), or a trade-off function.

use crate::input::read_text_at_most;
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, parse, ratio, shortly};
use dp_assay::privacy::HalfPlane;
use num_traits::{Signed, Zero};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

/// The bits of certified numbers.
pub(super) const BITS: u32 = 96;

/// The most points, and the most bytes of a file.
const MOST_POINTS: usize = 1000;
const MOST_BYTES: u64 = 1 << 20;

/// What a profile allows one event.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    name: String,
    /// The least slope first.
    half_planes: Vec<HalfPlane>,
}

/// The two kinds of profiles, by the names of their columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Delta at epsilon.
    Curve,
    /// The least probability of error of the second kind at that of the first kind.
    TradeOff,
}

const KINDS: [(Kind, [&str; 2]); 2] = [
    (Kind::Curve, ["epsilon", "delta"]),
    (Kind::TradeOff, ["alpha", "beta"]),
];

/// A point, and where it stands: `line 3` or `entry 3`.
struct Point {
    place: String,
    x: Rational,
    y: Rational,
}

impl Profile {
    /// Reads a file: CSV with the header `epsilon,delta` or `alpha,beta`, or JSON, an object with these two names, each an
    /// array of numbers.
    ///
    /// # Errors
    /// A sentence that names the place in the file and what is wrong there.
    pub fn read(path: &Path) -> Result<Self, String> {
        let name = path.display().to_string();
        let wrong = |reason: String| format!("--profile {name}: {reason}");
        let text = read_text_at_most(path, MOST_BYTES).map_err(|error| wrong(error.to_string()))?;
        let text = text.ok_or_else(|| wrong(format!("it may have at most {MOST_BYTES} bytes")))?;
        Self::parse(&name, &text).map_err(wrong)
    }

    /// The same of a text.
    ///
    /// # Errors
    /// As for [`Self::read`], without the name.
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (kind, points) = match text.trim_start().starts_with('{') {
            true => json(text)?,
            false => csv(text)?,
        };
        if points.is_empty() {
            return Err("it has no points".to_owned());
        }
        if points.len() > MOST_POINTS {
            return Err(format!(
                "it has {} points, and may have {MOST_POINTS}",
                points.len()
            ));
        }
        for two in points.windows(2) {
            let [x, y] = names(kind);
            if two[1].x <= two[0].x {
                return Err(format!(
                    "{}: {x} must rise, got {} after {}",
                    two[1].place,
                    shortly(&two[1].x),
                    shortly(&two[0].x)
                ));
            }
            if two[1].y > two[0].y {
                return Err(format!(
                    "{}: {y} must not rise, got {} after {}",
                    two[1].place,
                    shortly(&two[1].y),
                    shortly(&two[0].y)
                ));
            }
        }
        let mut half_planes = match kind {
            Kind::Curve => curve(&points)?,
            Kind::TradeOff => trade_off(&points)?,
        };
        half_planes.sort_by(|a, b| a.slope().cmp(b.slope()));
        Ok(Self {
            name: name.to_owned(),
            half_planes,
        })
    }

    /// The name of its file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its half-planes, the least slope first.
    #[must_use]
    pub fn half_planes(&self) -> &[HalfPlane] {
        &self.half_planes
    }

    /// Every epsilon and every delta so many times as large; without those that then say nothing.
    pub(super) fn stretched(&self, factor: &Rational) -> Self {
        let steepest = HalfPlane::of_budget(&integer(40), &Rational::zero(), BITS).ok();
        let all = self.half_planes.iter();
        let all = all.filter_map(|half_plane| half_plane.stretched(factor, BITS).ok());
        let all = all.filter(|half_plane| {
            steepest
                .as_ref()
                .is_some_and(|most| half_plane.slope() < most.slope())
        });
        Self {
            name: self.name.clone(),
            half_planes: all.collect(),
        }
    }
}

fn names(kind: Kind) -> [&'static str; 2] {
    KINDS[usize::from(kind == Kind::TradeOff)].1
}

const COLUMNS: &str = "epsilon and delta, or alpha and beta";

fn csv(text: &str) -> Result<(Kind, Vec<Point>), String> {
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let Some((place, header)) = lines.next() else {
        return Err("it is empty".to_owned());
    };
    let columns: Vec<&str> = header.split(',').map(str::trim).collect();
    let found = KINDS.iter().find(|(_, names)| columns == names);
    let Some((kind, names)) = found else {
        return Err(format!(
            "line {place}: the header must name the columns {COLUMNS}, got '{}'",
            cut(header)
        ));
    };
    let mut points = Vec::new();
    for (place, line) in lines {
        let place = format!("line {place}");
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [x, y] = fields[..] else {
            return Err(format!(
                "{place}: it must have 2 fields, got {}",
                fields.len()
            ));
        };
        let [x, y] = [(names[0], x), (names[1], y)].map(|(name, text)| number(&place, name, text));
        points.push(Point {
            place,
            x: x?,
            y: y?,
        });
    }
    Ok((*kind, points))
}

/// A profile in JSON: two of these names, and no others.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Columns {
    epsilon: Option<Value>,
    delta: Option<Value>,
    alpha: Option<Value>,
    beta: Option<Value>,
}

fn json(text: &str) -> Result<(Kind, Vec<Point>), String> {
    let columns: Columns =
        serde_json::from_str(text).map_err(|error| format!("no profile in JSON: {error}"))?;
    let (kind, given) = match columns {
        Columns {
            epsilon: Some(epsilon),
            delta: Some(delta),
            alpha: None,
            beta: None,
        } => (Kind::Curve, [epsilon, delta]),
        Columns {
            epsilon: None,
            delta: None,
            alpha: Some(alpha),
            beta: Some(beta),
        } => (Kind::TradeOff, [alpha, beta]),
        _ => {
            return Err(format!(
                "its object must have the names {COLUMNS}, and no others"
            ));
        }
    };
    let names = names(kind);
    let column = |place: usize| {
        given[place]
            .as_array()
            .ok_or_else(|| format!("{} must be an array of numbers", names[place]))
    };
    let (first, second) = (column(0)?, column(1)?);
    if first.len() != second.len() {
        return Err(format!(
            "{} has {} entries, and {} has {}",
            names[0],
            first.len(),
            names[1],
            second.len()
        ));
    }
    let mut points = Vec::new();
    for (index, (x, y)) in (1..).zip(first.iter().zip(second)) {
        let place = format!("entry {index}");
        let read = |name: &str, value: &Value| match value {
            Value::String(text) => number(&place, name, text),
            value => number(&place, name, &value.to_string()),
        };
        let (x, y) = (read(names[0], x)?, read(names[1], y)?);
        points.push(Point { place, x, y });
    }
    Ok((kind, points))
}

fn number(place: &str, name: &str, text: &str) -> Result<Rational, String> {
    parse(text).map_err(|_| format!("{place}: {name} must be a number, got '{}'", cut(text)))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Whether the middle one of three points is above the line from the first to the last by more than a thousandth of
/// itself: rounded digits are let through, and a point that is too high is none that says anything.
fn is_bent([a, b, c]: [(&Rational, &Rational); 3]) -> bool {
    let part = (b.0 - a.0) / (c.0 - a.0);
    let chord = a.1 + part * (c.1 - a.1);
    b.1 * ratio(999, 1000) > chord
}

fn not_convex(point: &Point, what: &str) -> String {
    format!(
        "{}: {what} is not convex: this point is above the line between its neighbours",
        point.place
    )
}

/// Each point is a claim (epsilon, delta), and all together they are the profile.
fn curve(points: &[Point]) -> Result<Vec<HalfPlane>, String> {
    let mut half_planes = Vec::new();
    for Point {
        place,
        x: epsilon,
        y: delta,
    } in points
    {
        if epsilon.is_negative() || *epsilon > integer(40) {
            return Err(format!(
                "{place}: epsilon must be at least 0 and at most 40, got {}",
                shortly(epsilon)
            ));
        }
        if delta.is_negative() || *delta >= integer(1) {
            return Err(format!(
                "{place}: delta must be at least 0 and below 1, got {}",
                shortly(delta)
            ));
        }
        let half_plane = HalfPlane::of_budget(epsilon, delta, BITS);
        half_planes.push(half_plane.map_err(|error| format!("{place}: {error}"))?);
    }
    // In e^epsilon, in which every profile is convex.
    for (three, point) in half_planes.windows(3).zip(&points[1..]) {
        let at = |index: usize| (three[index].slope(), three[index].delta());
        if is_bent([at(0), at(1), at(2)]) {
            return Err(not_convex(point, "delta, as a function of e^epsilon,"));
        }
    }
    Ok(half_planes)
}

/// Between the points a trade-off function is taken as straight: each edge of its convex hull is a half-plane.
fn trade_off(points: &[Point]) -> Result<Vec<HalfPlane>, String> {
    let one = integer(1);
    for Point {
        place,
        x: alpha,
        y: beta,
    } in points
    {
        if alpha.is_negative() || *alpha > one {
            return Err(format!(
                "{place}: alpha must be in [0, 1], got {}",
                shortly(alpha)
            ));
        }
        if beta.is_negative() || alpha + beta > one {
            return Err(format!(
                "{place}: beta must be at least 0 and at most 1 - alpha, got {}",
                shortly(beta)
            ));
        }
    }
    let (first, last) = (&points[0], &points[points.len() - 1]);
    if !first.x.is_zero() || last.x != one {
        return Err(
            "a trade-off function begins with alpha = 0 and ends with alpha = 1".to_owned(),
        );
    }
    for three in points.windows(3) {
        let at = |index: usize| (&three[index].x, &three[index].y);
        if is_bent([at(0), at(1), at(2)]) {
            return Err(not_convex(&three[1], "beta"));
        }
    }
    // The hull from below.
    let mut hull: Vec<&Point> = Vec::new();
    for point in points {
        while let [.., a, b] = hull[..] {
            let turn = (&b.x - &a.x) * (&point.y - &a.y) - (&b.y - &a.y) * (&point.x - &a.x);
            if turn.is_positive() {
                break;
            }
            hull.pop();
        }
        hull.push(point);
    }
    let mut half_planes = Vec::new();
    for two in hull.windows(2) {
        // An event is a test that rejects: q is alpha, and p is 1 - beta.
        let slope = (&two[0].y - &two[1].y) / (&two[1].x - &two[0].x);
        if slope.is_zero() {
            continue;
        }
        let intercept = &one - &two[0].y - &slope * &two[0].x;
        if let Ok(half_plane) = HalfPlane::line(&slope, &intercept)
            && !half_planes.contains(&half_plane)
        {
            half_planes.push(half_plane);
        }
    }
    if half_planes.is_empty() {
        return Err("beta is 0 at alpha = 0: every program is within this profile".to_owned());
    }
    Ok(half_planes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Profile, String> {
        Profile::parse("p", text)
    }

    #[test]
    fn a_curve_is_a_claim_a_point() {
        let csv = read("epsilon,delta\n0, 0.3\n\n1,1e-3\n").unwrap();
        let json = read(r#"{"delta": ["3/10", 0.001], "epsilon": [0, 1]}"#).unwrap();
        assert_eq!(csv, json);
        let [total_variation, other] = csv.half_planes() else {
            panic!("two points");
        };
        assert_eq!(
            (total_variation.slope(), total_variation.delta()),
            (&integer(1), &ratio(3, 10))
        );
        assert_eq!(
            other,
            &HalfPlane::of_budget(&integer(1), &ratio(1, 1000), BITS).unwrap()
        );
        // Twice as weak: e^0 and 0.6, e^2 and 0.002. At ten times the first says nothing.
        let twice = csv.stretched(&integer(2));
        assert_eq!(twice.half_planes()[0].delta(), &ratio(6, 10));
        assert_eq!(csv.stretched(&integer(10)).half_planes().len(), 1);
        assert_eq!(csv.stretched(&integer(1000)).half_planes().len(), 0);
    }

    #[test]
    fn a_trade_off_function_is_its_edges_and_their_mirror_images() {
        // Randomised response that tells the truth in 3 of 4: (0, 1), (1/4, 1/4), (1, 0); slopes 3 and 1/3.
        let profile = read("alpha,beta\n0,1\n0.25,0.25\n1,0\n").unwrap();
        let pure = HalfPlane::new(integer(3), integer(0)).unwrap();
        assert_eq!(profile.half_planes(), [pure]);
        // A point on a line, rounded up, changes the hull by nothing.
        let rounded = read("alpha,beta\n0,1\n0.1,0.7001\n0.25,0.25\n1,0").unwrap();
        assert_eq!(rounded.half_planes(), profile.half_planes());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, reason) in [
            ("", "it is empty"),
            ("epsilon,delta\n", "it has no points"),
            (
                "a,b\n1,2",
                "line 1: the header must name the columns epsilon and delta, or alpha and beta, got 'a,b'",
            ),
            ("epsilon,delta\n1", "line 2: it must have 2 fields, got 1"),
            (
                "epsilon,delta\n1,x",
                "line 2: delta must be a number, got 'x'",
            ),
            (
                "epsilon,delta\n1,0.1\n1,0",
                "line 3: epsilon must rise, got 1 after 1",
            ),
            (
                "epsilon,delta\n1,0.1\n2,0.2",
                "line 3: delta must not rise, got 1/5 after 1/10",
            ),
            (
                "epsilon,delta\n41,0",
                "line 2: epsilon must be at least 0 and at most 40, got 41",
            ),
            (
                "epsilon,delta\n1,1",
                "line 2: delta must be at least 0 and below 1, got 1",
            ),
            (
                "epsilon,delta\n0,0.3\n1,0.29\n2,0",
                "line 3: delta, as a function of e^epsilon, is not convex: this point is above the line between its neighbours",
            ),
            (
                "alpha,beta\n0,1\n0.5,0.4\n0.6,0.39\n1,0",
                "line 4: beta is not convex: this point is above the line between its neighbours",
            ),
            (
                "alpha,beta\n0.1,0.5\n1,0",
                "a trade-off function begins with alpha = 0 and ends with alpha = 1",
            ),
            (
                "alpha,beta\n0,1\n0.5,0.6\n1,0",
                "line 3: beta must be at least 0 and at most 1 - alpha, got 3/5",
            ),
            (
                "alpha,beta\n0,0\n1,0",
                "beta is 0 at alpha = 0: every program is within this profile",
            ),
            (
                "{\"epsilon\": [1]}",
                "its object must have the names epsilon and delta, or alpha and beta, and no others",
            ),
            (
                "{\"epsilon\": [1], \"delta\": [0.1], \"alpha\": [0, 1]}",
                "its object must have the names epsilon and delta, or alpha and beta, and no others",
            ),
            (
                "{\"epsilon\": [1], \"delta\": []}",
                "epsilon has 1 entries, and delta has 0",
            ),
            (
                "{\"epsilon\": 1, \"delta\": []}",
                "epsilon must be an array of numbers",
            ),
            (
                "{\"epsilon\": [1], \"delta\": [null]}",
                "entry 1: delta must be a number, got 'null'",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), reason, "{text}");
        }
        for wrong in [
            "{\"epsilon\"",
            "{\"epsilon\": [1], \"epsilon\": [2], \"delta\": [0.1]}",
            "{\"epsilon\": [1], \"delta\": [0.1], \"rho\": 1}",
        ] {
            let error = read(wrong).unwrap_err();
            assert!(error.starts_with("no profile in JSON: "), "{error}");
        }
        let many: String = (0..=1000)
            .map(|i| format!("{},0\n", f64::from(i) / 100.0))
            .collect();
        let error = read(&format!("epsilon,delta\n{many}")).unwrap_err();
        assert_eq!(error, "it has 1001 points, and may have 1000");
    }
}
