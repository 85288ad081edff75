//! The bar that shows how far a long command is.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};

/// A bar on standard error, if that is a terminal: how many of these are done, the time, and what was said last.
pub fn progress_bar(count: usize, what: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(count as u64);
    // Without colours: nothing to take away for NO_COLOR.
    let template = format!("{{bar:30}} {{pos}}/{{len}} {what}, {{elapsed}} {{msg}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}
