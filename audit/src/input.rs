//! Files that are read, and no more of them than is allowed: a file may have no end; and the pipes of other programs.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

/// All bytes of a file; `None` if it has more than `most`.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// The same of a text.
pub fn read_text_at_most(path: &Path, most: u64) -> io::Result<Option<String>> {
    let text = read_at_most(path, most)?.map(String::from_utf8);
    let text = text.transpose();
    text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

/// So many bytes of a pipe are read at once.
pub const CHUNK: usize = 1 << 16;

/// Gives away what comes through a pipe, until it ends or fails, or nobody wants more.
pub fn read_pipe(mut pipe: impl Read, mut taken: impl FnMut(&[u8]) -> ControlFlow<()>) {
    let mut chunk = vec![0; CHUNK];
    loop {
        match pipe.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) if taken(&chunk[..length]).is_break() => return,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// The end of what a program says on its standard error.
#[derive(Debug, Default)]
pub struct LastWords(Vec<u8>);

impl LastWords {
    /// So many bytes are kept.
    pub const KEPT: usize = 1 << 12;

    /// Adds what came.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
        self.0.drain(..self.0.len().saturating_sub(Self::KEPT));
    }

    /// What was kept, as a text.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe that is interrupted before each of its chunks.
    struct Interrupted<'a>(Vec<&'a [u8]>, bool);

    impl Read for Interrupted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let Some(chunk) = self.0.pop() else {
                return Ok(0);
            };
            buffer[..chunk.len()].copy_from_slice(chunk);
            Ok(chunk.len())
        }
    }

    #[test]
    fn an_interrupt_is_not_the_end_of_a_pipe() {
        let mut read = Vec::new();
        read_pipe(Interrupted(vec![b"c", b"b", b"a"], false), |bytes| {
            read.extend_from_slice(bytes);
            if bytes == b"b" {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        assert_eq!(read, b"ab");
    }

    #[test]
    fn the_end_of_what_is_said_is_kept_and_no_more() {
        let mut last = LastWords::default();
        last.add(&[b'a'; 3 * LastWords::KEPT]);
        last.add(b"the end");
        assert_eq!(last.text().len(), LastWords::KEPT);
        assert!(last.text().ends_with("athe end"));
    }
}
