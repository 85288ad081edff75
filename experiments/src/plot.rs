//! Line charts as SVG.

use std::fmt::Write;

/// A chart of lines.
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What the horizontal axis is.
    pub x: &'static str,
    /// What the vertical axis is.
    pub y: &'static str,
    /// How the horizontal and the vertical axis are divided.
    pub axes: [Axis; 2],
    /// The lines.
    pub lines: Vec<Line>,
}

/// How an axis is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Evenly.
    Linear,
    /// By powers of ten: only values above 0 are drawn.
    Logarithmic,
}

/// A line of a chart.
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// Whether it is drawn with dashes.
    pub dashed: bool,
    /// Its points; those that the axes have no place for are left out.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 230.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// The colours of Okabe and Ito, which also the colour-blind tell apart.
const COLOURS: [&str; 8] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999",
];

impl Chart {
    /// Adds a point to the line of this name, which is begun if there is none.
    pub fn add(&mut self, name: &str, dashed: bool, point: (f64, f64)) {
        match self.lines.iter_mut().find(|line| line.name == name) {
            Some(line) => line.points.push(point),
            None => self.lines.push(Line {
                name: name.to_owned(),
                dashed,
                points: vec![point],
            }),
        }
    }

    /// The chart as an SVG file.
    pub fn svg(&self) -> String {
        let [horizontal, vertical] = self.axes;
        let drawn = |line| self.drawn(line);
        let points = || self.lines.iter().flat_map(drawn);
        let (mut x0, mut x1) = extremes(points().map(|(x, _)| x));
        if x0 >= x1 {
            (x0, x1) = (x0 - 1.0, x1 + 1.0);
        }
        let (y0, y1) = extremes(points().map(|(_, y)| y));
        let (y0, y1, step) = vertical.rounded_out(y0, y1);
        let across = |x: f64| LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT);
        let down = |y: f64| HEIGHT - BOTTOM - (y - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM);

        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        );
        let mut put = |element: String| {
            svg += &element;
            svg.push('\n');
        };
        put(text(LEFT, TOP - 16.0, "start", &self.title));
        put(text(
            across(x0.midpoint(x1)),
            HEIGHT - 12.0,
            "middle",
            self.x,
        ));
        put(format!(
            "<text x=\"16\" y=\"{0:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {0:.1})\">{1}</text>",
            HEIGHT / 2.0,
            escape(self.y)
        ));
        let lines = ((y1 - y0) / step).round() as u32;
        for line in 0..=lines {
            let value = y0 + f64::from(line) * step;
            let y = down(value);
            put(format!(
                "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>",
                WIDTH - RIGHT
            ));
            put(text(LEFT - 6.0, y + 4.0, "end", &vertical.label(value)));
        }
        let mut marks: Vec<f64> = points().map(|(x, _)| x).collect();
        marks.sort_by(f64::total_cmp);
        marks.dedup();
        // Of many marks, some.
        for x in marks.iter().step_by(marks.len().div_ceil(10).max(1)) {
            let label = short(horizontal.value(*x));
            put(text(across(*x), HEIGHT - BOTTOM + 18.0, "middle", &label));
        }
        for (index, line) in self.lines.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let dash = if line.dashed {
                " stroke-dasharray=\"6 4\""
            } else {
                ""
            };
            let mut path = String::new();
            for (x, y) in self.drawn(line) {
                // Writing to a text does not fail.
                let _ = write!(path, "{:.1},{:.1} ", across(x), down(y));
            }
            put(format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>",
                path.trim_end()
            ));
            let y = TOP + 10.0 + 18.0 * index as f64;
            let x = WIDTH - RIGHT + 12.0;
            put(format!(
                "<line x1=\"{x}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>",
                x + 24.0
            ));
            put(text(x + 30.0, y + 4.0, "start", &line.name));
        }
        svg + "</svg>\n"
    }
}

impl Chart {
    /// The points of a line that can be drawn, as the axes place them.
    fn drawn(&self, line: &Line) -> impl Iterator<Item = (f64, f64)> {
        let [horizontal, vertical] = self.axes;
        let points = line.points.iter();
        points.filter_map(move |&(x, y)| Some((horizontal.place(x)?, vertical.place(y)?)))
    }
}

impl Axis {
    /// Where a value stands, if it has a place.
    fn place(self, value: f64) -> Option<f64> {
        let place = match self {
            Self::Linear => value,
            Self::Logarithmic => value.log10(),
        };
        place.is_finite().then_some(place)
    }

    /// The value at a place.
    fn value(self, place: f64) -> f64 {
        match self {
            Self::Linear => place,
            Self::Logarithmic => 10f64.powf(place),
        }
    }

    /// Places about these two at which lines are drawn, and how far the lines are apart.
    fn rounded_out(self, low: f64, high: f64) -> (f64, f64, f64) {
        let step = match self {
            Self::Logarithmic => 1.0,
            Self::Linear => {
                let width = (high - low).max(1e-9);
                let ten = 10f64.powf((width / 5.0).log10().floor());
                let enough = |step: &f64| width / step <= 8.0;
                let steps = [ten, 2.0 * ten, 5.0 * ten];
                steps.into_iter().find(enough).unwrap_or(10.0 * ten)
            }
        };
        let low = (low / step).floor() * step;
        let high = ((high / step).ceil() * step).max(low + step);
        (low, high, step)
    }

    /// What stands beside a line.
    fn label(self, place: f64) -> String {
        match self {
            Self::Linear => short(place),
            Self::Logarithmic => format!("{:e}", 10f64.powi(place.round() as i32)),
        }
    }
}

/// A number to three places.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn text(x: f64, y: f64, anchor: &str, text: &str) -> String {
    let text = escape(text);
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The least and the largest; 0 and 0 of nothing.
fn extremes(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values
        .map(|value| (value, value))
        .reduce(|(low, high), (value, _)| (low.min(value), high.max(value)))
        .unwrap_or((0.0, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<(f64, f64)>) -> Chart {
        Chart {
            title: "a < b".to_owned(),
            x: "N",
            y: "error",
            axes: [Axis::Linear, Axis::Logarithmic],
            lines: vec![Line {
                name: "l".to_owned(),
                dashed: true,
                points,
            }],
        }
    }

    fn path(svg: &str) -> &str {
        let points = svg.split("points=\"").nth(1).unwrap();
        points.split('"').next().unwrap()
    }

    #[test]
    fn every_drawable_point_is_drawn_and_text_is_escaped() {
        let svg = chart(vec![(1.0, 10.0), (2.0, 0.1), (3.0, f64::NAN), (4.0, -1.0)]).svg();
        assert!(svg.contains("a &lt; b"));
        assert_eq!(path(&svg), "70.0,40.0 490.0,390.0");
        assert!(svg.contains(">1e-1<") && svg.contains(">1e1<"));
    }

    #[test]
    fn nothing_and_one_point_are_drawn_too() {
        for points in [vec![], vec![(5.0, 1.0)]] {
            let svg = chart(points).svg();
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
        }
    }

    #[test]
    fn the_other_division_of_each_axis_places_its_points_too() {
        let svg = Chart {
            axes: [Axis::Logarithmic, Axis::Linear],
            ..chart(vec![(10.0, 0.0), (100.0, 0.25), (1000.0, 0.5), (0.0, 0.1)])
        }
        .svg();
        assert_eq!(path(&svg), "70.0,390.0 280.0,215.0 490.0,40.0");
        for label in [">0<", ">0.1<", ">0.5<", ">10<", ">100<", ">1000<"] {
            assert!(svg.contains(label), "{label}");
        }
    }
}
