//! Where the nodes and arrows of a map stand: by the method of Sugiyama, from left to right.

use super::Graph;
use dagre::graph::{Graph as Drawn, GraphOptions};
use dagre::{EdgeLabel, LayoutOptions, NodeLabel, RankDir, layout};

/// The width of a letter of the map, and the height of a node, in points.
const LETTER: f64 = 7.3;
pub const HEIGHT: f64 = 24.0;

/// The place of a node: its middle, and its width.
#[derive(Debug)]
pub struct Place {
    pub name: String,
    pub x: f64,
    pub y: f64,
    pub width: f64,
}

/// A map that is laid out.
#[derive(Debug)]
pub struct Layout {
    pub width: f64,
    pub height: f64,
    pub places: Vec<Place>,
    /// The points through which each arrow goes.
    pub arrows: Vec<Vec<(f64, f64)>>,
}

/// Lays a map out.
pub fn of(graph: &Graph) -> Layout {
    let mut drawn: Drawn<NodeLabel, EdgeLabel> = Drawn::with_options(GraphOptions {
        directed: true,
        multigraph: true,
        compound: true,
    });
    for (name, node) in &graph.nodes {
        let label = NodeLabel {
            width: LETTER * node.label.chars().count() as f64 + 16.0,
            height: HEIGHT,
            ..NodeLabel::default()
        };
        drawn.set_node(name.as_str(), Some(label));
    }
    for (from, to) in &graph.arrows {
        drawn.set_edge(from.as_str(), to.as_str(), Some(EdgeLabel::default()), None);
    }
    let options = LayoutOptions {
        rankdir: RankDir::LR,
        nodesep: 9.0,
        edgesep: 6.0,
        ranksep: 36.0,
        marginx: 6.0,
        marginy: 6.0,
        ..LayoutOptions::default()
    };
    layout(&mut drawn, Some(options));
    let place = |name: &String| {
        let node = drawn.node(name)?;
        Some(Place {
            name: name.clone(),
            x: node.x?,
            y: node.y?,
            width: node.width,
        })
    };
    let places: Vec<Place> = graph.nodes.keys().filter_map(place).collect();
    let arrows = graph.arrows.iter().filter_map(|(from, to)| {
        let edge = drawn.edge(from, to, None)?;
        Some(edge.points.iter().map(|point| (point.x, point.y)).collect())
    });
    let most = |of: fn(&Place) -> f64| places.iter().map(of).fold(0.0, f64::max) + 6.0;
    Layout {
        width: most(|place| place.x + place.width / 2.0),
        height: most(|place| place.y + HEIGHT / 2.0),
        arrows: arrows.collect(),
        places,
    }
}
