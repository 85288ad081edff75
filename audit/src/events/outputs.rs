//! Training outputs: those of the two datasets side by side, and how many of them are kept.

use crate::targets::Output;
pub(crate) use crate::targets::bytes;

/// Training outputs on the two datasets.
pub type Outputs<'a> = [&'a [Output]; 2];

/// The most outputs of each dataset that are learned from: those that come first. The standard error of a frequency is then 0.0014
/// at most.
pub const MOST_OUTPUTS: usize = 1 << 17;
/// The outputs of each dataset, the first ones, that are read where many candidates are compared or a fit takes long. The
/// standard error of a frequency is then 0.004 at most.
pub const SAMPLE: usize = 1 << 14;
/// The most bytes of outputs that are kept, on both datasets together: 256 MiB.
pub const MOST_BYTES: usize = 1 << 28;

/// The first outputs on the two datasets of a pair: at most [`MOST_OUTPUTS`] on each, and [`MOST_BYTES`] in all.
#[derive(Debug, Default)]
pub struct Kept {
    outputs: [Vec<Output>; 2],
    bytes: usize,
}

impl Kept {
    /// Keeps what there is room for, side by side, so that neither dataset takes it all; the rest is dropped.
    pub fn extend(&mut self, outputs: [Vec<Output>; 2]) {
        let [first, second] = outputs;
        let (mut first, mut second) = (first.into_iter(), second.into_iter());
        loop {
            let next = [first.next(), second.next()];
            if next.iter().all(Option::is_none) {
                return;
            }
            for (kept, output) in self.outputs.iter_mut().zip(next) {
                let Some(output) = output else { continue };
                let size = bytes(&output);
                if kept.len() < MOST_OUTPUTS && self.bytes + size <= MOST_BYTES {
                    self.bytes += size;
                    kept.push(output);
                }
            }
        }
    }

    /// The outputs on the two datasets.
    #[must_use]
    pub fn outputs(&self) -> &[Vec<Output>; 2] {
        &self.outputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_and_large_outputs_are_dropped() {
        let mut kept = Kept::default();
        let many = vec![Output::Integer(1); MOST_OUTPUTS + 10];
        kept.extend([many.clone(), many[..5].to_vec()]);
        assert_eq!(kept.outputs().each_ref().map(Vec::len), [MOST_OUTPUTS, 5]);
        // Texts of 16 MiB: sixteen of them and a little are 256 MiB.
        let mut kept = Kept::default();
        let large = || vec![Output::Label("x".repeat(1 << 24)); 2];
        for _ in 0..8 {
            kept.extend([large(), large()]);
        }
        assert!(kept.bytes <= MOST_BYTES);
        let [first, second] = kept.outputs();
        assert_eq!(
            (first.len() + second.len(), first.len() - second.len()),
            (15, 1)
        );
    }
}
