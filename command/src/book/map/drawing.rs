//! A map as SVG, whose colours are those of the page.

use super::layout::{self, HEIGHT};
use super::{Graph, Prose};
use maud::{Markup, html};

/// The drawing: arrows first, nodes over them, each claim a link.
pub fn svg(prose: &Prose, graph: &Graph) -> Markup {
    let layout = layout::of(graph);
    let (width, height) = (whole(layout.width), whole(layout.height));
    html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } {
            defs {
                marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse" {
                    path d="M0 0 8 4 0 8z" {}
                }
            }
            g.arrows { @for points in &layout.arrows { path d=(path(points)) marker-end="url(#tip)" {} } }
            @for place in &layout.places {
                @if let Some(node) = graph.nodes.get(&place.name) {
                    @let shape = html! {
                        rect x=(whole(place.x - place.width / 2.0)) y=(whole(place.y - HEIGHT / 2.0))
                            width=(whole(place.width)) height=(whole(HEIGHT)) rx=(if node.class.starts_with("refuted") { "0" } else { "6" }) {}
                        text x=(whole(place.x)) y=(whole(place.y + 4.0)) { (node.label) }
                        title { (node.title) }
                    };
                    @if node.is_claim { a.node.(node.class) href=(prose.claim(&node.name)) { (shape) } }
                    @else { g.node.(node.class) { (shape) } }
                }
            }
        }
    }
}

fn whole(length: f64) -> i64 {
    length.round() as i64
}

/// A line through these points: at each between the first and the last it bends, and halfway between two it is straight.
fn path(points: &[(f64, f64)]) -> String {
    let Some((first, rest)) = points.split_first() else {
        return String::new();
    };
    let mut text = format!("M{} {}", whole(first.0), whole(first.1));
    for pair in rest.windows(2) {
        let middle = ((pair[0].0 + pair[1].0) / 2.0, (pair[0].1 + pair[1].1) / 2.0);
        text += &format!(
            "Q{} {} {} {}",
            whole(pair[0].0),
            whole(pair[0].1),
            whole(middle.0),
            whole(middle.1)
        );
    }
    if let Some(last) = rest.last() {
        text += &format!("L{} {}", whole(last.0), whole(last.1));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_begins_and_ends_at_its_points() {
        assert_eq!(path(&[(0.0, 0.0), (5.0, 5.0)]), "M0 0L5 5");
        assert_eq!(
            path(&[(0.0, 0.0), (4.0, 4.0), (8.0, 0.0)]),
            "M0 0Q4 4 6 2L8 0"
        );
        assert_eq!(path(&[]), "");
    }
}
