//! Files that are read, and no more of them than is allowed: a file may have no end; and the pipes of other programs.

use crate::hexadecimal::hexadecimal;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

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

/// The digest of a regular file, by SHA-256 and in hexadecimal; `None` if there is none of this name, or it cannot be read.
pub fn digest_of_file(path: &Path) -> Option<String> {
    // What is no regular file may have no end, or wait for somebody.
    let is_file = std::fs::metadata(path).is_ok_and(|found| found.is_file());
    let mut file = is_file.then(|| File::open(path).ok())??;
    let mut hash = Sha256::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        match file.read(&mut chunk).ok()? {
            0 => break,
            length => hash.update(&chunk[..length]),
        }
    }
    Some(hexadecimal(&hash.finalize()))
}

/// So many bytes are read at once.
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

/// What comes through a pipe, which is read in a thread of its own: a process that its program left behind may hold it open.
#[derive(Debug)]
pub struct Reading<K> {
    kept: Arc<Mutex<K>>,
    // Disconnected at the end.
    end: Receiver<()>,
}

impl<K: Default + Send + 'static> Reading<K> {
    /// Reads a pipe, if there is one, and lets `keep` keep what it wants.
    pub fn of(
        pipe: Option<impl Read + Send + 'static>,
        mut keep: impl FnMut(&mut K, &[u8]) + Send + 'static,
    ) -> Self {
        let kept = Arc::new(Mutex::new(K::default()));
        let (at_end, end) = channel::<()>();
        if let Some(pipe) = pipe {
            let kept = Arc::clone(&kept);
            thread::spawn(move || {
                let _at_end = at_end;
                read_pipe(pipe, |bytes| {
                    keep(&mut lock(&kept), bytes);
                    ControlFlow::Continue(())
                });
            });
        }
        Self { kept, end }
    }

    /// Waits until all has come, but no longer than this.
    pub fn wait(&self, at_most: Duration) {
        let _ = self.end.recv_timeout(at_most);
    }

    /// What was kept so far.
    pub fn kept(&self) -> MutexGuard<'_, K> {
        lock(&self.kept)
    }
}

fn lock<K>(kept: &Mutex<K>) -> MutexGuard<'_, K> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
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
