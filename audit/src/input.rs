//! Files that are read, and no more of them than is allowed: a file may have no end.

use std::fs::File;
use std::io::{self, Read};
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
