//! Line charts as SVG.

use std::fmt::Write;

/// A chart of lines; the vertical axis is logarithmic.
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What the horizontal axis is.
    pub x: &'static str,
    /// What the vertical axis is.
    pub y: &'static str,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A line of a chart.
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// Whether it is drawn with dashes.
    pub dashed: bool,
    /// Its points; those that are not finite, or not above 0 in the second coordinate, are left out.
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
    /// The chart as an SVG file.
    pub fn svg(&self) -> String {
        let points = || {
            let all = self.lines.iter().flat_map(Line::drawn);
            all.map(|(x, y)| (x, y.log10()))
        };
        let (mut x0, mut x1) = extremes(points().map(|(x, _)| x));
        if x0 >= x1 {
            (x0, x1) = (x0 - 1.0, x1 + 1.0);
        }
        let (y0, y1) = extremes(points().map(|(_, y)| y));
        let (y0, y1) = (y0.floor(), y1.ceil().max(y0.floor() + 1.0));
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
        // Ten to a whole power, for which y0 and y1 were rounded outward.
        for power in (y0 as i32)..=(y1 as i32) {
            let y = down(f64::from(power));
            put(format!(
                "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>",
                WIDTH - RIGHT
            ));
            let label = format!("{:e}", 10f64.powi(power));
            put(text(LEFT - 6.0, y + 4.0, "end", &label));
        }
        let mut marks: Vec<f64> = points().map(|(x, _)| x).collect();
        marks.sort_by(f64::total_cmp);
        marks.dedup();
        // Of many marks, some.
        for x in marks.iter().step_by(marks.len().div_ceil(10).max(1)) {
            let short = format!("{x:.3}");
            let short = short.trim_end_matches('0').trim_end_matches('.');
            put(text(across(*x), HEIGHT - BOTTOM + 18.0, "middle", short));
        }
        for (index, line) in self.lines.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let dash = if line.dashed {
                " stroke-dasharray=\"6 4\""
            } else {
                ""
            };
            let mut path = String::new();
            for (x, y) in line.drawn() {
                // Writing to a text does not fail.
                let _ = write!(path, "{:.1},{:.1} ", across(x), down(y.log10()));
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

impl Line {
    /// The points that can be drawn.
    fn drawn(&self) -> impl Iterator<Item = (f64, f64)> {
        let points = self.points.iter().copied();
        points.filter(|(x, y)| x.is_finite() && y.is_finite() && *y > 0.0)
    }
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

    fn chart(points: Vec<(f64, f64)>) -> String {
        Chart {
            title: "a < b".to_owned(),
            x: "N",
            y: "error",
            lines: vec![Line {
                name: "l".to_owned(),
                dashed: true,
                points,
            }],
        }
        .svg()
    }

    #[test]
    fn every_drawable_point_is_drawn_and_text_is_escaped() {
        let svg = chart(vec![(1.0, 10.0), (2.0, 0.1), (3.0, f64::NAN), (4.0, -1.0)]);
        assert!(svg.contains("a &lt; b"));
        let path = svg
            .split("points=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        assert_eq!(path, "70.0,40.0 490.0,390.0");
        assert!(svg.contains(">1e-1<") && svg.contains(">1e1<"));
    }

    #[test]
    fn nothing_and_one_point_are_drawn_too() {
        for points in [vec![], vec![(5.0, 1.0)]] {
            let svg = chart(points);
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
        }
    }
}
