//! The kinds of outputs: all of one target are of one kind.

use super::line::excerpt;
use super::{Output, TargetError};
use std::fmt;

/// What the outputs of one target have in common. Errors may occur among all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputKind {
    /// Integers and floats.
    Number,
    /// Texts.
    Label,
    /// Arrays.
    Vector,
}

impl fmt::Display for OutputKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Number => "a number",
            Self::Label => "a label",
            Self::Vector => "an array",
        })
    }
}

/// What helps where a label was meant and a float was read.
const LABEL_HINT: &str = ". The texts \"inf\", \"nan\" and \"0x1.8p+0\" are floats: put something before labels that look so";

/// Checks that the outputs of a target are of one kind, as they come.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OneKind {
    kind: Option<OutputKind>,
    /// Whether a number came as a text.
    quoted: bool,
}

impl OneKind {
    /// `text` is the line.
    pub(super) fn check(
        &mut self,
        output: &Output,
        line: u64,
        text: &str,
    ) -> Result<(), TargetError> {
        let Some(kind) = output.kind() else {
            return Ok(());
        };
        self.quoted |= matches!(output, Output::Float(_)) && text.contains('"');
        match self.kind {
            Some(before) if before != kind => Err(TargetError::MixedKinds {
                line,
                before,
                got: kind,
                text: excerpt(text),
                hint: match (before, kind) {
                    (OutputKind::Label, OutputKind::Number)
                    | (OutputKind::Number, OutputKind::Label)
                        if self.quoted =>
                    {
                        LABEL_HINT
                    }
                    _ => "",
                },
            }),
            _ => {
                self.kind = Some(kind);
                Ok(())
            }
        }
    }
}
