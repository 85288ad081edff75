//! What a data file is by its first bytes: text, or text packed by gzip. Of another kind it is refused by its name, with what
//! would do.

use crate::error::Error;
use flate2::bufread::MultiGzDecoder;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// The text of a file.
pub struct Input(Box<dyn BufRead>);

/// So many bytes tell a kind.
const FIRST: u64 = 8;

/// Of gzip.
const PACKED: &[u8] = b"\x1f\x8b";

/// How files begin that are no text, what they are, and what would do.
const OTHERS: &[(&[u8], &str)] = &[
    (
        b"BZh",
        "it is packed by bzip2: unpack it, as by bunzip2, or pack it by gzip",
    ),
    (
        b"\xfd7zXZ\0",
        "it is packed by xz: unpack it, as by unxz, or pack it by gzip",
    ),
    (
        b"\x28\xb5\x2f\xfd",
        "it is packed by zstd: unpack it, as by unzstd, or pack it by gzip",
    ),
    (
        b"PK\x03\x04",
        "it is a zip archive, as a spreadsheet of .xlsx or .ods is: save the table as CSV, or unpack the archive",
    ),
    (
        b"\xd0\xcf\x11\xe0",
        "it is a spreadsheet of .xls: save the table as CSV",
    ),
    (
        b"PAR1",
        "it is a Parquet file: write the table as CSV, as pandas.read_parquet and to_csv do",
    ),
    (
        b"ARROW1",
        "it is an Arrow file: write the table as CSV, as pandas.read_feather and to_csv do",
    ),
    (
        b"\x89HDF",
        "it is an HDF5 file: write the table as CSV, as pandas.read_hdf and to_csv do",
    ),
    (b"\xff\xfe", UTF_16),
    (b"\xfe\xff", UTF_16),
];

/// How files begin that are text, and no table of lines.
const NO_TABLES: &[(&[u8], &str)] = &[
    (b"@relatio", ARFF),
    (b"@RELATIO", ARFF),
    (b"[{\"", JSON),
    (b"{\"", JSON),
];
const ARFF: &str = "it is an ARFF file: save the table as CSV";
const JSON: &str = "it is JSON: write the table as CSV, as pandas.read_json and to_csv do";

/// What text of another encoding is told.
pub(super) const UTF_16: &str = "it is text of another encoding, UTF-16: it must be UTF-8, as iconv -f UTF-16 -t UTF-8 writes it";

impl Input {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let wrong = |source| Error::read(path, source);
        let mut file = File::open(path).map_err(wrong)?;
        let mut first = Vec::new();
        file.by_ref()
            .take(FIRST)
            .read_to_end(&mut first)
            .map_err(wrong)?;
        if let Some(reason) = another(&first) {
            return Err(Error::data(path, reason));
        }
        let is_packed = first.starts_with(PACKED);
        let all = BufReader::with_capacity(1 << 18, Cursor::new(first).chain(file));
        Ok(Self(match is_packed {
            false => Box::new(all),
            true => Box::new(BufReader::with_capacity(1 << 18, MultiGzDecoder::new(all))),
        }))
    }
}

/// What a file is that begins so, if it is no table of text.
fn another(first: &[u8]) -> Option<&'static str> {
    // A name of a column may begin with letters, but has none of these after them.
    let is_binary = |byte: &u8| !matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    let is_bzip2 = first.get(4..) == Some(b"1AY&");
    if let Some((_, what)) = NO_TABLES.iter().find(|(bytes, _)| first.starts_with(bytes)) {
        return Some(what);
    }
    let (_, what) = OTHERS.iter().find(|(bytes, _)| first.starts_with(bytes))?;
    (is_bzip2 || first.iter().any(is_binary)).then_some(*what)
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Input")
    }
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::fs;
    use std::io::Write;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        packer.write_all(text).unwrap();
        packer.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> Result<String, String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("d.csv");
        fs::write(&path, bytes).unwrap();
        let mut text = String::new();
        let mut input = Input::open(&path).map_err(|error| error.to_string())?;
        let read = input.read_to_string(&mut text);
        read.map(|_| text).map_err(|error| error.to_string())
    }

    #[test]
    fn text_is_read_as_it_is_and_packed_text_unpacked() {
        for text in ["", "a", "a,b\n1,2\n", "BZh,PAR1\n", "PAR1,b\n1,2\n"] {
            assert_eq!(read(text.as_bytes()).as_deref(), Ok(text));
            assert_eq!(read(&packed(text.as_bytes())).as_deref(), Ok(text));
        }
        // As `cat a.gz b.gz` makes it.
        let two = [packed(b"a,b\n"), packed(b"1,2\n")].concat();
        assert_eq!(read(&two).as_deref(), Ok("a,b\n1,2\n"));
        let cut = packed(b"a,b\n1,2\n");
        assert!(read(&cut[..cut.len() - 3]).is_err());
    }

    #[test]
    fn other_files_are_refused_by_their_names() {
        for (bytes, name) in [
            (&b"BZh91AY&SY"[..], "bzip2"),
            (b"\xfd7zXZ\0\0\x04", "xz"),
            (b"\x28\xb5\x2f\xfd\x24\0", "zstd"),
            (b"PK\x03\x04\x14\0\x06\0", ".xlsx"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1", ".xls"),
            (b"PAR1\x15\x04\x15\x10", "Parquet"),
            (b"ARROW1\0\0", "Arrow"),
            (b"\x89HDF\r\n\x1a\n", "HDF5"),
            (b"@relation iris\n", "ARFF"),
            (b"[{\"a\": 1}]", "JSON"),
            (b"{\"a\": [1]}", "JSON"),
            (b"\xff\xfea\0,\0", "UTF-16"),
            (b"\xfe\xff\0a\0,", "UTF-16"),
        ] {
            let said = read(bytes).unwrap_err();
            assert!(said.contains(name), "{said}");
        }
    }
}
