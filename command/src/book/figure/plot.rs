//! Curves as SVG, whose colours are those of the page, and as CSV.

use maud::{Markup, html};
use std::fmt::Write as _;

/// How an axis counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// From 0 on.
    Linear,
    /// By powers of ten; all values are above 0.
    Logarithmic,
}

/// A value at x, between two ends.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    pub x: f64,
    pub low: f64,
    pub high: f64,
}

/// A curve and what it is.
#[derive(Debug)]
pub struct Curve {
    pub name: &'static str,
    pub points: Vec<Point>,
}

/// Curves in one frame.
#[derive(Debug)]
pub struct Plot {
    /// For those who do not see it.
    pub title: String,
    /// The names of x and y, and how they count.
    pub axes: [(&'static str, Scale); 2],
    /// The last is what was found; others stand beside it.
    pub curves: Vec<Curve>,
}

/// The frame: its width and height, and what is left of it and below it for numbers.
const WIDTH: f64 = 540.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 64.0;
const BELOW: f64 = 44.0;
const ABOVE: f64 = 22.0;

/// Where values of an axis lie: its ends, and its marks.
struct Ruler {
    scale: Scale,
    ends: [f64; 2],
    marks: Vec<f64>,
}

impl Ruler {
    fn of(scale: Scale, values: impl Iterator<Item = f64>) -> Self {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            least = least.min(value);
            most = most.max(value);
        }
        match scale {
            Scale::Linear => {
                let rough = most / 4.0;
                let power = 10_f64.powf(rough.log10().floor());
                let step = [1.0, 2.0, 5.0, 10.0]
                    .map(|digit| digit * power)
                    .into_iter()
                    .find(|step| *step >= rough)
                    .unwrap_or(10.0 * power);
                let count = (most / step).ceil() as u32;
                let marks: Vec<f64> = (0..=count).map(|i| f64::from(i) * step).collect();
                Self {
                    scale,
                    ends: [0.0, f64::from(count) * step],
                    marks,
                }
            }
            Scale::Logarithmic => {
                let [first, last] = [least.log10().floor(), most.log10().ceil()];
                let [first, last] = [first as i32, (last as i32).max(first as i32 + 1)];
                // At most six of them are named.
                let each = ((last - first) as usize).div_ceil(6);
                let marks = (first..=last).step_by(each).map(|k| 10_f64.powi(k));
                Self {
                    scale,
                    ends: [10_f64.powi(first), 10_f64.powi(last)],
                    marks: marks.collect(),
                }
            }
        }
    }

    /// How far along the axis a value lies, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        let along = |value: f64| match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.log10(),
        };
        let [first, last] = self.ends.map(along);
        (along(value) - first) / (last - first)
    }

    fn name(&self, mark: f64) -> String {
        match self.scale {
            Scale::Logarithmic if !(1e-3..1e4).contains(&mark) => {
                format!("1e{}", mark.log10().round())
            }
            _ => {
                let text = format!("{mark:.6}");
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
        }
    }
}

impl Plot {
    fn rulers(&self) -> [Ruler; 2] {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        [
            Ruler::of(self.axes[0].1, points().map(|point| point.x)),
            Ruler::of(
                self.axes[1].1,
                points().flat_map(|point| [point.low, point.high]),
            ),
        ]
    }

    /// The picture, whose id in its page begins with `id`.
    pub fn svg(&self, id: &str) -> Markup {
        let [x, y] = self.rulers();
        let across = |value: f64| round(LEFT + WIDTH * x.share(value));
        let down = |value: f64| round(ABOVE + HEIGHT * (1.0 - y.share(value)));
        let title = format!("{id}-figure");
        let size = format!("0 0 {} {}", LEFT + WIDTH + 16.0, ABOVE + HEIGHT + BELOW);
        html! {
            svg.plot viewBox=(size) role="img" aria-labelledby=(title) {
                title id=(title) { (self.title) }
                g.grid {
                    @for mark in &y.marks {
                        path d={ "M" (LEFT) " " (down(*mark)) "h" (WIDTH) } {}
                        text.end x=(LEFT - 8.0) y=(down(*mark) + 4.0) { (y.name(*mark)) }
                    }
                    @for mark in &x.marks {
                        path d={ "M" (across(*mark)) " " (ABOVE + HEIGHT) "v5" } {}
                        text.middle x=(across(*mark)) y=(ABOVE + HEIGHT + 19.0) { (x.name(*mark)) }
                    }
                    text x="0" y="12" { (self.axes[1].0) }
                    text.end x=(LEFT + WIDTH) y=(ABOVE + HEIGHT + 38.0) { (self.axes[0].0) }
                }
                @for (at, curve) in self.curves.iter().enumerate() {
                    g.(self.kind(at)) {
                        path d=(line(curve.points.iter().map(|p| (across(p.x), down(middle(p)))))) {}
                        @if self.kind(at) == "found" {
                            @for point in &curve.points {
                                circle cx=(across(point.x)) cy=(down(middle(point))) r="3.5" {}
                            }
                        }
                    }
                }
            }
            p.key {
                @for (at, curve) in self.curves.iter().enumerate() {
                    span {
                        svg.plot viewBox="0 0 34 8" aria-hidden="true" { g.(self.kind(at)) { path d="M0 4h34" {} } }
                        " " (curve.name)
                    }
                }
            }
        }
    }

    /// The last curve is what was found, and has its points marked; the others stand beside it.
    fn kind(&self, at: usize) -> &'static str {
        match at + 1 < self.curves.len() {
            true => "beside",
            false => "found",
        }
    }

    /// A line a point: the curve, x, and both ends.
    pub fn csv(&self) -> String {
        let mut text = format!("curve,{},low,high\n", quoted(self.axes[0].0));
        for curve in &self.curves {
            for Point { x, low, high } in &curve.points {
                let _ = writeln!(text, "{},{x},{low},{high}", quoted(curve.name));
            }
        }
        text
    }
}

fn middle(point: &Point) -> f64 {
    0.5 * (point.low + point.high)
}

/// A tenth of a unit is not seen.
fn round(length: f64) -> f64 {
    (10.0 * length).round() / 10.0
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// A line through these points, in the order of x.
fn line(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut points: Vec<_> = points.collect();
    points.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut text = String::new();
    for (at, (x, y)) in points.into_iter().enumerate() {
        let _ = write!(text, "{}{x} {y}", if at == 0 { 'M' } else { 'L' });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(scale: Scale) -> Plot {
        let points = [(1.0, 0.5), (100.0, 20.0), (10.0, 3.0)];
        Plot {
            title: "three points".to_owned(),
            axes: [("n", scale), ("error, at most", scale)],
            curves: vec![Curve {
                name: "found, here",
                points: points.map(|(x, y)| Point { x, low: y, high: y }).to_vec(),
            }],
        }
    }

    #[test]
    fn every_point_and_mark_lies_in_the_frame() {
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let plot = plot(scale);
            let rulers = plot.rulers();
            for point in &plot.curves[0].points {
                for (ruler, value) in rulers.iter().zip([point.x, point.low]) {
                    assert!((0.0..=1.0).contains(&ruler.share(value)), "{value}");
                }
            }
            for ruler in &rulers {
                assert!(ruler.marks.len() > 1 && ruler.marks.len() < 9);
                for mark in &ruler.marks {
                    assert!((-1e-9..=1.0 + 1e-9).contains(&ruler.share(*mark)), "{mark}");
                }
            }
        }
    }

    #[test]
    fn a_place_is_that_of_its_value() {
        let linear = Ruler::of(Scale::Linear, [0.05, 0.1].into_iter());
        assert_eq!(linear.share(0.0), 0.0);
        assert!((linear.share(0.05) * linear.ends[1] - 0.05).abs() < 1e-12);
        let logarithmic = Ruler::of(Scale::Logarithmic, [1e-6, 1e-2].into_iter());
        assert!((logarithmic.share(1e-4) - 0.5).abs() < 1e-12);
        assert_eq!(logarithmic.name(1e-6), "1e-6");
        assert_eq!(linear.name(0.05), "0.05");
    }

    #[test]
    fn the_numbers_are_a_line_each() {
        let text = plot(Scale::Linear).csv();
        assert_eq!(
            text,
            "curve,n,low,high\n\"found, here\",1,0.5,0.5\n\"found, here\",100,20,20\n\"found, here\",10,3,3\n"
        );
        assert!(line([(2.0, 1.0), (1.0, 3.0)].into_iter()).starts_with("M1 3L2 1"));
    }
}
