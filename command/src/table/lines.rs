//! Records of a CSV file, with the line on which each starts.

use super::input::{Input, UTF_16};
use crate::error::Error;
use crate::options::whole;
use clap::Args;
use dp_assay::number::{rational, shortened};
use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{BufRead, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Those of UTF-16.
const WIDE_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// A record of more bytes is refused: a million coordinates of sixty characters.
pub const LONGEST: usize = 1 << 26;

/// Reads a line to the end of `into`, counts it, and says how many bytes were read; of one that is too long only so many that
/// this is seen. The byte order mark of a file's first line is left out.
pub fn read_line(
    input: &mut impl BufRead,
    (path, lines): (&Path, &mut u64),
    into: &mut Vec<u8>,
) -> Result<usize, Error> {
    let room = (LONGEST + BYTE_ORDER_MARK.len() + 1).saturating_sub(into.len()) as u64;
    let read = input
        .by_ref()
        .take(room)
        .read_until(b'\n', into)
        .map_err(|source| Error::read(path, source))?;
    *lines += u64::from(read > 0);
    if *lines == 1 && into.starts_with(BYTE_ORDER_MARK) {
        into.drain(..BYTE_ORDER_MARK.len());
    }
    Ok(read)
}

/// There are no more records. It is an error if one was still to be edited.
pub(super) fn no_more(path: &Path, edit: Option<&Edit>) -> Result<Option<u64>, Error> {
    match edit {
        None => Ok(None),
        Some(edit) => Err(Error::data(
            path,
            format!("no record starts on line {}", edit.line),
        )),
    }
}

/// What a data file looks like.
#[derive(Debug, Clone, Default, Args)]
pub struct Form {
    /// What separates the fields: one of , ; | : or a word, comma, semicolon, tab, pipe, colon, space. Spaces may be several, and
    /// tabs among them. It holds for every CSV file of a call. Otherwise found from the first line: the one of , ; and tab that it has, or spaces if it has nothing else
    #[arg(long, value_name = "CHARACTER", value_parser = separator)]
    pub separator: Option<u8>,
    /// The first line is a record, not the names of the columns: they are called 1, 2, 3 and so on
    #[arg(long)]
    pub no_header: bool,
    /// The first line has the names of the columns, although they are numbers. Names are public: they stand in
    /// the model file
    #[arg(long, conflicts_with = "no_header")]
    pub numeric_names: bool,
    /// The first N lines are left out, whatever they have
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 0)]
    pub skip_lines: u64,
    /// Lines that begin with this character are left out, such as #
    #[arg(long, value_name = "CHARACTER", value_parser = comment)]
    pub comment: Option<u8>,
    /// Numbers have a comma before their decimals, and no point
    #[arg(long)]
    pub decimal_comma: bool,
}

/// Reads `--comment`.
fn comment(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        [byte @ b'!'..=b'~'] if *byte != b'"' => Ok(*byte),
        _ => Err("it must be one character that can be seen, such as #, and no quote".to_owned()),
    }
}

impl Form {
    /// Refuses the options of CSV files, since these are in the LIBSVM format.
    pub(super) fn refuse(&self) -> Result<(), Error> {
        let given = [
            ("--separator", self.separator.is_some()),
            ("--no-header", self.no_header),
            ("--numeric-names", self.numeric_names),
            ("--skip-lines", self.skip_lines > 0),
            ("--comment", self.comment.is_some()),
            ("--decimal-comma", self.decimal_comma),
        ];
        match given.iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((option, _)) => Err(Error::Usage(format!(
                "{option} is for CSV files: the LIBSVM format has no header, spaces between its fields, and comments after #"
            ))),
        }
    }
}

/// One record of a file that is read as if it were another, or were not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The line on which it starts, counted from 1.
    pub line: u64,
    /// What is read in its place, in the form of the file; `None`: nothing.
    pub record: Option<String>,
}

/// Reads records one at a time, into one buffer.
///
/// Fields are split by the separator and, where quotes occur, by the crate `csv`; lines are counted
/// here, so that errors can name them also after blank lines and line breaks inside quotes.
#[derive(Debug)]
pub struct Records<R = Input> {
    path: PathBuf,
    input: R,
    separator: u8,
    header: Vec<String>,
    // Whether the first line is a record, so that the columns are numbered.
    is_numbered: bool,
    // Which columns have no name in the header, and so their number.
    unnamed: HashSet<String>,
    comment: Option<u8>,
    decimal_comma: bool,
    // The number of lines read so far.
    lines: u64,
    // The first line is a record, which is split and not yet returned.
    first: Option<u64>,
    // What is still to be edited.
    edit: Option<Edit>,
    raw: Vec<u8>,
    text: Vec<u8>,
    fields: Vec<Range<usize>>,
    unquoted: csv::ByteRecord,
}

impl Records {
    /// Opens a file and reads its header; the separator is found from the first line if it is not given.
    pub fn open(path: &Path, form: &Form) -> Result<Self, Error> {
        Self::new(path, Input::open(path)?, form)
    }
}

impl<R: BufRead> Records<R> {
    /// Reads the header from `input`; `path` is its name in errors.
    pub fn new(path: &Path, input: R, form: &Form) -> Result<Self, Error> {
        let mut records = Self {
            path: path.to_owned(),
            input,
            separator: form.separator.unwrap_or(b','),
            header: Vec::new(),
            is_numbered: form.no_header,
            unnamed: HashSet::new(),
            comment: form.comment,
            decimal_comma: form.decimal_comma,
            lines: 0,
            first: None,
            edit: None,
            raw: Vec::new(),
            text: Vec::new(),
            fields: Vec::new(),
            unquoted: csv::ByteRecord::new(),
        };
        for skipped in 0..form.skip_lines {
            if records.read_line()? == 0 {
                let reason = format!(
                    "--skip-lines {} leaves nothing: it has {skipped} lines",
                    form.skip_lines
                );
                return Err(Error::data(path, reason));
            }
            records.raw.clear();
        }
        let Some(line) = records.read_raw()? else {
            return Err(Error::data(path, "the file is empty: a header is needed"));
        };
        if form.separator.is_none() {
            records.separator =
                find_separator(&records.raw).map_err(|reason| Error::data(path, reason))?;
        }
        if form.decimal_comma && records.separator == b',' {
            return Err(Error::data(
                path,
                "--decimal-comma: a comma separates the fields as well, so that numbers are cut: say what does with --separator",
            ));
        }
        records.split()?;
        if form.no_header {
            records.first = Some(line);
            records.header = (1..=records.len()).map(|place| place.to_string()).collect();
        } else {
            (records.header, records.unnamed) = records.names(form.numeric_names)?;
        }
        Ok(records)
    }

    /// The names in the line read last, without apostrophes around them; a column without a name has its number as its name.
    /// And which those are. No message shows a name: a file without a header has data there.
    fn names(&self, numeric: bool) -> Result<(Vec<String>, HashSet<String>), Error> {
        let wrong = |reason: String| Error::data(&self.path, reason);
        let mut header: Vec<String> = Vec::with_capacity(self.len());
        let (mut seen, mut unnamed) = (HashSet::new(), HashSet::new());
        for index in 0..self.len() {
            let place = index + 1;
            let name = std::str::from_utf8(self.field(index))
                .map_err(|_| wrong("the header must be UTF-8 text".to_owned()))?;
            let mut name = without_apostrophes(name.trim()).to_owned();
            let is_unnamed = name.is_empty();
            if is_unnamed {
                name = place.to_string();
                unnamed.insert(name.clone());
            }
            if name.contains(|c: char| c.is_control() || c == '\u{feff}') {
                return Err(wrong(format!(
                    "column {place} of the header has a character in its name that cannot be seen: it must be plain UTF-8 text"
                )));
            }
            if !numeric && !is_unnamed && is_number(&name) {
                return Err(wrong(format!(
                    "column {place} of the first line is a number, where the names of the columns are expected: \
                     --no-header if the first line is a record, --numeric-names if it has the names"
                )));
            }
            if !seen.insert(name.clone()) {
                return Err(wrong(format!(
                    "the header has the name of column {place} twice: give one of the two columns another name"
                )));
            }
            header.push(name);
        }
        if unnamed.len() == header.len() {
            return Err(wrong("no column of the header has a name".to_owned()));
        }
        Ok((header, unnamed))
    }

    /// Whether a column has no name in the header, and its number instead.
    pub fn is_unnamed(&self, name: &str) -> bool {
        self.unnamed.contains(name)
    }

    /// The names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// What separates the fields.
    pub fn separator(&self) -> u8 {
        self.separator
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        let is = |name| self.header.iter().position(|column| column == name);
        is(name).or_else(|| is(without_apostrophes(name)))
    }

    /// Why there is no column of this name, and which there are: whoever has the file has its header.
    pub fn no_column(&self, name: &str) -> String {
        let many = self.header.len();
        if self.is_numbered {
            return format!(
                "there is no column '{name}': with --no-header the columns are called 1 to {many}, as many as the first line has \
                 fields (--skip-lines 1 leaves that line out)"
            );
        }
        let separator = SEPARATORS.iter().find(|(byte, _)| *byte == self.separator);
        match (many, separator) {
            (1, Some((_, separator))) => format!(
                "there is no column '{name}' in the header, which is one column, since no {separator} separates it: \
                 say what does with --separator"
            ),
            _ => format!(
                "there is no column '{name}' in the header, which has {}{}{}",
                listed(&self.header),
                self.nearest(name),
                self.how_to_leave_it_out()
            ),
        }
    }

    /// What leaves the first line out, if it looks like a comment.
    fn how_to_leave_it_out(&self) -> String {
        let first = self.header.first().and_then(|name| name.chars().next());
        match first {
            Some(sign @ ('#' | '%')) if self.comment.is_none() => {
                format!(
                    ": if the line is a comment, --comment '{sign}' leaves out all that begin so"
                )
            }
            _ => String::new(),
        }
    }

    /// The name that was likely meant.
    fn nearest(&self, name: &str) -> String {
        let distance = |column: &&String| {
            strsim::damerau_levenshtein(&column.to_lowercase(), &name.to_lowercase())
        };
        match self.header.iter().min_by_key(distance) {
            Some(nearest) if distance(&nearest) <= name.chars().count() / 3 => {
                format!("; is it '{}'?", shortened(nearest))
            }
            _ => String::new(),
        }
    }

    /// Reads the next record, and returns the line on which it starts; `None` at the end.
    pub fn advance(&mut self) -> Result<Option<u64>, Error> {
        loop {
            let line = match self.first.take() {
                Some(line) => line,
                None => {
                    let Some(line) = self.read_raw()? else {
                        return no_more(&self.path, self.edit.as_ref());
                    };
                    self.split()?;
                    line
                }
            };
            let mut whose = "";
            if let Some(edit) = self.edit.take_if(|edit| edit.line == line) {
                let Some(record) = edit.record else {
                    continue;
                };
                whose = "the record given in its place has ";
                self.raw = record.into_bytes();
                self.split()?;
            }
            let (found, expected) = (self.fields.len(), self.header.len());
            if found != expected {
                return Err(Error::Record {
                    path: self.path.clone(),
                    line,
                    reason: format!(
                        "{whose}{found} field{}, where the header has {expected}",
                        if found == 1 { "" } else { "s" }
                    ),
                });
            }
            return Ok(Some(line));
        }
    }

    /// Reads one record as if it were another. It is an error if no record starts on that line.
    pub fn edit(&mut self, edit: Edit) {
        self.edit = Some(edit);
    }

    /// A field of the record read last, without the quotes and spaces around it.
    pub fn field(&self, index: usize) -> &[u8] {
        self.fields
            .get(index)
            .and_then(|range| self.text.get(range.clone()))
            .unwrap_or_default()
            .trim_ascii()
    }

    /// The same of a number, with a point before its decimals; nothing if a comma is said to stand there and a point does.
    pub fn number(&self, index: usize) -> Option<Cow<'_, [u8]>> {
        let field = self.field(index);
        if !self.decimal_comma {
            return Some(Cow::Borrowed(field));
        }
        let pointed = |byte: &u8| if *byte == b',' { b'.' } else { *byte };
        (!field.contains(&b'.')).then(|| field.iter().map(pointed).collect())
    }

    /// An error in a field of the record that starts on `line`.
    pub fn wrong(&self, line: u64, index: usize, reason: impl Into<String>) -> Error {
        Error::Field {
            path: self.path.clone(),
            line,
            column: self.header.get(index).cloned().unwrap_or_default(),
            reason: reason.into(),
        }
    }

    /// How many fields the record read last has.
    fn len(&self) -> usize {
        self.fields.len()
    }

    /// Reads the lines of one record into `raw`, without the last line break: more than one where a
    /// line ends inside quotes. Blank lines are skipped.
    fn read_raw(&mut self) -> Result<Option<u64>, Error> {
        self.raw.clear();
        let mut first = self.lines + 1;
        let mut quoted = false;
        loop {
            let start = self.raw.len();
            let read = self.read_line()?;
            if self.raw.len() > LONGEST {
                return Err(Error::Record {
                    path: self.path.clone(),
                    line: first,
                    reason: format!(
                        "longer than {LONGEST} bytes: a line break or a closing quote is missing"
                    ),
                });
            }
            if read == 0 {
                if start == 0 {
                    return Ok(None);
                }
                return Err(Error::Record {
                    path: self.path.clone(),
                    line: first,
                    reason: "a quote is opened and never closed".to_owned(),
                });
            }
            let line = self.raw.get(start..).unwrap_or_default();
            if !quoted
                && self.comment.is_some()
                && line.trim_ascii_start().first() == self.comment.as_ref()
            {
                self.raw.clear();
                first = self.lines + 1;
                continue;
            }
            quoted ^= line.iter().filter(|&&byte| byte == b'"').count() % 2 == 1;
            if quoted {
                continue;
            }
            while matches!(self.raw.last(), Some(b'\n' | b'\r')) {
                self.raw.pop();
            }
            if !self.raw.trim_ascii().is_empty() {
                return Ok(Some(first));
            }
            self.raw.clear();
            first = self.lines + 1;
        }
    }

    /// Reads a line to the end of `raw`, and says how many bytes it has.
    fn read_line(&mut self) -> Result<usize, Error> {
        let from = (&*self.path, &mut self.lines);
        let read = read_line(&mut self.input, from, &mut self.raw)?;
        if self.lines == 1 && WIDE_MARKS.iter().any(|mark| self.raw.starts_with(mark)) {
            return Err(Error::data(&self.path, UTF_16));
        }
        Ok(read)
    }

    /// Splits `raw` into fields.
    fn split(&mut self) -> Result<(), Error> {
        self.fields.clear();
        if self.separator == b' ' {
            single_spaces(&mut self.raw);
        }
        if self.raw.contains(&b'"') {
            let mut reader = csv::ReaderBuilder::new()
                .delimiter(self.separator)
                .has_headers(false)
                .flexible(true)
                .buffer_capacity(self.raw.len())
                .from_reader(self.raw.as_slice());
            reader
                .read_byte_record(&mut self.unquoted)
                .map_err(|error| Error::data(&self.path, error.to_string()))?;
            self.text.clear();
            self.text.extend_from_slice(self.unquoted.as_slice());
            self.fields.extend(
                (0..self.unquoted.len())
                    .map(|index| self.unquoted.range(index).unwrap_or_default()),
            );
        } else {
            std::mem::swap(&mut self.raw, &mut self.text);
            let mut start = 0;
            for (at, &byte) in self.text.iter().enumerate() {
                if byte == self.separator {
                    self.fields.push(start..at);
                    start = at + 1;
                }
            }
            self.fields.push(start..self.text.len());
        }
        Ok(())
    }
}

/// Names, as many as are read by anybody.
pub(super) fn listed(names: &[String]) -> String {
    const MOST: usize = 30;
    let shown = names.iter().take(MOST);
    let shown: Vec<String> = shown.map(|name| format!("'{}'", shortened(name))).collect();
    match names.len().saturating_sub(MOST) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A name without the apostrophes around it, with which some files quote.
fn without_apostrophes(name: &str) -> &str {
    let inside = name
        .strip_prefix('\'')
        .and_then(|name| name.strip_suffix('\''));
    match inside.map(str::trim) {
        Some(inside) if !inside.is_empty() => inside,
        _ => name,
    }
}

/// Whether a name is a number or a word for a missing one: then it is likely to be a value of a record.
fn is_number(name: &str) -> bool {
    rational::parse(name).is_ok() || name.parse::<f64>().is_ok()
}

/// What may separate fields, and its name. The first three are looked for in a file.
const SEPARATORS: [(u8, &str); 6] = [
    (b',', "comma"),
    (b';', "semicolon"),
    (b'\t', "tab"),
    (b'|', "pipe"),
    (b':', "colon"),
    (b' ', "space"),
];

/// The one of `,` `;` and tab that occurs outside quotes; spaces, if nothing else does that could separate; a comma, if nothing
/// does at all.
fn find_separator(header: &[u8]) -> Result<u8, String> {
    let mut quoted = false;
    let mut found = [false; SEPARATORS.len()];
    for &byte in header.trim_ascii() {
        if byte == b'"' {
            quoted = !quoted;
        } else if !quoted {
            for (found, (candidate, _)) in found.iter_mut().zip(SEPARATORS) {
                *found |= byte == candidate;
            }
        }
    }
    let occurring = |candidates: Range<usize>| {
        let each = candidates.filter(|index| found[*index]);
        each.map(|index| SEPARATORS[index]).collect::<Vec<_>>()
    };
    match (&occurring(0..3)[..], &occurring(3..6)[..]) {
        ([(separator, _)], _) | ([], [(separator @ b' ', _)]) => Ok(*separator),
        // One column, with nothing to separate.
        ([], []) => Ok(b','),
        ([], _) => Err(
            "the first line has none of ',' ';' and tab, nor spaces alone: say what separates its fields with --separator"
                .to_owned(),
        ),
        (several, _) => {
            let names: Vec<_> = several.iter().map(|(_, name)| *name).collect();
            Err(format!(
                "the first line has {}: say which separates its fields with --separator",
                names.join(" and ")
            ))
        }
    }
}

/// Reads `--separator`: a character, or its name.
pub fn separator(text: &str) -> Result<u8, String> {
    let means = |(byte, name): &&(u8, &str)| text == *name || text.as_bytes() == [*byte];
    match SEPARATORS.iter().find(means) {
        Some((byte, _)) => Ok(*byte),
        None if text == "\\t" => Ok(b'\t'),
        None => Err(format!(
            "the separator must be one of , ; | : or {}",
            SEPARATORS.map(|(_, name)| name).join(", ")
        )),
    }
}

/// One space where there are more, or tabs, and none at the ends; inside quotes all stay.
fn single_spaces(line: &mut Vec<u8>) {
    let (mut quoted, mut after_space) = (false, true);
    line.retain_mut(|byte| {
        quoted ^= *byte == b'"';
        if *byte == b'\t' && !quoted {
            *byte = b' ';
        }
        let is_space = *byte == b' ' && !quoted;
        let keeps = !(is_space && after_space);
        after_space = is_space;
        keeps
    });
    if after_space {
        line.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(text: &str) -> Result<Records<&[u8]>, Error> {
        Records::new(Path::new("t.csv"), text.as_bytes(), &Form::default())
    }

    fn all(text: &str) -> Vec<(u64, Vec<String>)> {
        let mut records = open(text).unwrap();
        let mut all = Vec::new();
        while let Some(line) = records.advance().unwrap() {
            let fields = (0..records.len())
                .map(|index| String::from_utf8(records.field(index).to_vec()).unwrap())
                .collect();
            all.push((line, fields));
        }
        all
    }

    fn message(text: &str) -> String {
        let mut records = match open(text) {
            Ok(records) => records,
            Err(error) => return error.to_string(),
        };
        loop {
            match records.advance() {
                Ok(Some(_)) => {}
                Ok(None) => return "no error".to_owned(),
                Err(error) => return error.to_string(),
            }
        }
    }

    #[test]
    fn a_column_that_is_not_there_may_be_the_fault_of_the_separator() {
        let says = |text: &str, separator, no_header| {
            let form = Form {
                separator,
                no_header,
                ..Form::default()
            };
            let records = Records::new(Path::new("t.csv"), text.as_bytes(), &form);
            records.unwrap().no_column("label")
        };
        let one = says("a;label\n", Some(b','), false);
        assert!(one.contains("since no comma separates it") && one.contains("--separator"));
        let numbered = says("1,2,3\n", None, true);
        assert!(numbered.contains("with --no-header the columns are called 1 to 3"));
        let other = says("a,b\n", None, false);
        assert!(
            other.ends_with("in the header, which has 'a', 'b'"),
            "{other}"
        );
        let near = says("a,Lable\n", None, false);
        assert!(near.ends_with("is it 'Lable'?"), "{near}");
        let comment = says("# made by me\n", None, false);
        assert!(comment.contains("--comment '#' leaves out"), "{comment}");
    }

    #[test]
    fn a_column_without_a_name_has_its_number_as_its_name() {
        // As pandas and R write their index.
        let records = open("\"\",a,b,\n1,2,3,\n").unwrap();
        assert_eq!(records.header(), ["1", "a", "b", "4"]);
        assert_eq!(records.column("1"), Some(0));
        assert!(records.is_unnamed("4") && !records.is_unnamed("a"));
        assert_eq!(message("a,b,\n1,2,\n"), "no error");
        assert!(message(",\n").contains("no column of the header has a name"));
        // A column that is called so for itself.
        let form = Form {
            numeric_names: true,
            ..Form::default()
        };
        let twice = Records::new(Path::new("t.csv"), &b"2,\n"[..], &form).unwrap_err();
        assert!(
            twice.to_string().contains("the name of column 2 twice"),
            "{twice}"
        );
    }

    #[test]
    fn apostrophes_around_a_name_are_not_of_it() {
        let records = open("'age','body mass','o'neill',''\n").unwrap();
        assert_eq!(records.header(), ["age", "body mass", "o'neill", "''"]);
        assert_eq!(records.column("age"), Some(0));
        assert_eq!(records.column("'body mass'"), Some(1));
        assert_eq!(records.column("mass"), None);
    }

    #[test]
    fn lines_above_the_header_and_comments_are_left_out() {
        let read = |text: &str, skip_lines, comment| {
            let form = Form {
                skip_lines,
                comment,
                ..Form::default()
            };
            let mut records = Records::new(Path::new("t.csv"), text.as_bytes(), &form)
                .map_err(|e| e.to_string())?;
            let mut lines = Vec::new();
            while let Some(line) = records.advance().map_err(|e| e.to_string())? {
                lines.push(line);
            }
            Ok::<_, String>((records.header().join("|"), lines))
        };
        let text = "\u{feff}569,30,\"bad\n# about\na,b\n1,2\n  # so it is\n\n\"#\n#\",4\n";
        assert_eq!(
            read(text, 1, Some(b'#')),
            Ok(("a|b".to_owned(), vec![4, 7]))
        );
        assert_eq!(
            read("x\ny\na,b\n1,2\n", 2, None),
            Ok(("a|b".to_owned(), vec![4]))
        );
        let said = read("a,b\n", 3, None).unwrap_err();
        assert!(
            said.contains("--skip-lines 3 leaves nothing: it has 1 lines"),
            "{said}"
        );
        for wrong in ["", "##", " ", "\"", "\u{e9}"] {
            assert!(comment(wrong).unwrap_err().contains("such as #"));
        }
    }

    #[test]
    fn a_comma_may_stand_before_the_decimals() {
        let form = |separator| Form {
            separator,
            decimal_comma: true,
            ..Form::default()
        };
        let text = "a;b;c\n-1,5;1.000,5;2\n";
        let mut records = Records::new(Path::new("t.csv"), text.as_bytes(), &form(None)).unwrap();
        records.advance().unwrap();
        assert_eq!(records.number(0).as_deref(), Some(&b"-1.5"[..]));
        assert_eq!(records.number(1), None);
        assert_eq!(records.number(2).as_deref(), Some(&b"2"[..]));
        for separator in [None, Some(b',')] {
            let said = Records::new(Path::new("t.csv"), &b"a,b\n"[..], &form(separator));
            assert!(said.unwrap_err().to_string().contains("--separator"));
        }
    }

    #[test]
    fn names_are_of_letters_that_can_be_seen() {
        for text in [
            "a,b\0c\n",
            "a,\u{feff}b\n",
            "\u{feff}\u{feff}a,b\n",
            "a,\x1b[1m\n",
        ] {
            let said = message(text);
            assert!(said.contains("that cannot be seen"), "{text:?}: {said}");
        }
        for bytes in [&b"\xff\xfea\0,\0b\0\n\0"[..], b"\xfe\xff\0a\0,\0b\0\n"] {
            let said = Records::new(Path::new("t.csv"), bytes, &Form::default());
            let said = said.unwrap_err().to_string();
            assert!(said.contains("UTF-16: it must be UTF-8"), "{said}");
        }
    }

    #[test]
    fn line_ends_marks_and_blank_lines_are_understood() {
        for text in [
            "a,b\n1,2\n\n3,4\n",
            "a,b\r\n1,2\r\n\r\n3,4\r\n",
            "\u{feff}a,b\n1,2\n \n3,4",
            "a;b\n1;2\n\n3;4\n",
            "\"a\"\tb\n1\t2\n\n\"3\"\t 4 \n",
        ] {
            let expected = [
                (2, vec!["1".to_owned(), "2".to_owned()]),
                (4, vec!["3".to_owned(), "4".to_owned()]),
            ];
            assert_eq!(all(text), expected, "{text:?}");
            assert_eq!(open(text).unwrap().header(), ["a", "b"], "{text:?}");
        }
    }

    #[test]
    fn every_separator_is_read_by_its_character_and_by_its_name() {
        for (byte, name) in SEPARATORS {
            let character = char::from(byte).to_string();
            assert_eq!(separator(&character), Ok(byte));
            assert_eq!(separator(name), Ok(byte));
            let form = Form {
                separator: Some(byte),
                ..Form::default()
            };
            let text = ["a", "b\n1", "2\n"].join(&character);
            let mut records = Records::new(Path::new("t.csv"), text.as_bytes(), &form).unwrap();
            assert_eq!(records.header(), ["a", "b"], "{name}");
            records.advance().unwrap();
            assert_eq!((records.field(0), records.field(1)), (&b"1"[..], &b"2"[..]));
        }
        assert_eq!(separator("\\t"), Ok(b'\t'));
        for wrong in ["", "  ", "x", "comma ", "Space", ",,"] {
            let message = separator(wrong).unwrap_err();
            assert!(
                message.ends_with("comma, semicolon, tab, pipe, colon, space"),
                "{message}"
            );
        }
    }

    #[test]
    fn spaces_separate_however_many_there_are() {
        let text = "  a  b   \"c  d\" \n 1   2 3\n\n-4 5 \"6 \"  \n";
        assert_eq!(open(text).unwrap().header(), ["a", "b", "c  d"]);
        let fields = |line, fields: [&str; 3]| (line, fields.map(str::to_owned).to_vec());
        assert_eq!(
            all(text),
            [fields(2, ["1", "2", "3"]), fields(4, ["-4", "5", "6"])]
        );
        // Tabs among them, where spaces are said to separate.
        let form = Form {
            separator: Some(b' '),
            ..Form::default()
        };
        let records = Records::new(Path::new("t.csv"), &b"a \t b\tc\t\n"[..], &form);
        assert_eq!(records.unwrap().header(), ["a", "b", "c"]);
        // Beside another character they are part of a name, or it is not clear what is meant.
        assert_eq!(open("a b, c d\n").unwrap().header(), ["a b", "c d"]);
        for unclear in ["a b|c\n", "a b:c\n"] {
            assert!(message(unclear).contains("--separator"), "{unclear}");
        }
        // One column needs none.
        assert_eq!(open("\"a b\"\n").unwrap().header(), ["a b"]);
        assert_eq!(open("a\n").unwrap().header(), ["a"]);
    }

    #[test]
    fn quotes_hide_separators_and_line_breaks() {
        let text = "\"a;b\",c\n\"x\n,\"\"y\",1\n2,3\n";
        assert_eq!(open(text).unwrap().header(), ["a;b", "c"]);
        assert_eq!(
            all(text),
            [
                (2, vec!["x\n,\"y".to_owned(), "1".to_owned()]),
                (4, vec!["2".to_owned(), "3".to_owned()])
            ]
        );
    }

    #[test]
    fn a_file_that_is_wrong_is_refused_with_its_line() {
        assert_eq!(
            message("a,b\n1,2\n\n31415\n"),
            "t.csv, line 4: 1 field, where the header has 2"
        );
        assert_eq!(message(""), "t.csv: the file is empty: a header is needed");
        assert_eq!(
            message("\u{feff}\n\n"),
            "t.csv: the file is empty: a header is needed"
        );
        assert!(message("a;b,c\n").contains("comma and semicolon"));
        assert_eq!(message("a\n1\n"), "no error");
        assert!(message("a,a\n").contains("column 2 twice"));
        assert!(message("a,b\n1,\"2\n3,4\n").contains("line 2: a quote is opened"));
    }

    #[test]
    fn numbers_are_no_names_unless_it_is_said_and_are_never_shown() {
        let text = "0.731,0.5,y\n1,2,3\n";
        for text in [text, "a,NaN\n", "a,0x1p3\n", "-inf,a\n", "a,731/2\n"] {
            let message = message(text);
            assert!(message.contains("--no-header"), "{message}");
            assert!(!message.contains("731"), "{message}");
        }
        let with = |form: Form| Records::new(Path::new("t.csv"), text.as_bytes(), &form).unwrap();
        let named = with(Form {
            numeric_names: true,
            ..Form::default()
        });
        assert_eq!(named.header(), ["0.731", "0.5", "y"]);
        let mut bare = with(Form {
            no_header: true,
            ..Form::default()
        });
        assert_eq!(bare.header(), ["1", "2", "3"]);
        assert_eq!(bare.advance().unwrap(), Some(1));
        assert_eq!(bare.field(0), b"0.731");
        assert_eq!(bare.advance().unwrap(), Some(2));
        assert_eq!(bare.advance().unwrap(), None);
    }

    #[test]
    fn one_record_is_read_as_if_it_were_another_or_not_there() {
        let text = "a,b\n1,2\n\n\"3\n\",4\n5,6\n";
        let read = |line, record: Option<&str>| {
            let mut records = open(text).unwrap();
            let record = record.map(str::to_owned);
            records.edit(Edit { line, record });
            let mut first = Vec::new();
            loop {
                match records.advance() {
                    Ok(Some(_)) => {
                        first.push(String::from_utf8(records.field(0).to_vec()).unwrap())
                    }
                    Ok(None) => return first.join(" "),
                    Err(error) => return error.to_string(),
                }
            }
        };
        assert_eq!(read(4, Some("\"7\", 8")), "1 7 5");
        assert_eq!(read(2, None), "3 5");
        assert_eq!(read(6, None), "1 3");
        for line in [0, 1, 3, 5, 7] {
            let message = format!("t.csv: no record starts on line {line}");
            assert_eq!(read(line, None), message);
        }
        let message = read(4, Some("7"));
        assert!(
            message.contains("line 4: the record given in its place has 1 field,"),
            "{message}"
        );
        // The first line of a file without a header is a record.
        let form = Form {
            no_header: true,
            ..Form::default()
        };
        let mut bare = Records::new(Path::new("t.csv"), "1,2\n3,4\n".as_bytes(), &form).unwrap();
        bare.edit(Edit {
            line: 1,
            record: None,
        });
        assert_eq!(bare.advance().unwrap(), Some(2));
        assert_eq!(bare.advance().unwrap(), None);
    }

    #[test]
    fn a_record_without_an_end_is_refused() {
        let refusal = |input: &mut dyn std::io::Read| {
            let input = std::io::BufReader::new(input);
            let mut records = match Records::new(Path::new("t.csv"), input, &Form::default()) {
                Ok(records) => records,
                Err(error) => return error.to_string(),
            };
            records.advance().unwrap_err().to_string()
        };
        let endless =
            |first: &'static [u8], byte: u8| refusal(&mut first.chain(std::io::repeat(byte)));
        assert!(endless(b"", 0).contains("line 1: longer than"));
        assert!(endless(BYTE_ORDER_MARK, b'a').contains("line 1: longer than"));
        assert!(endless(b"a,b\n1,2", b'2').contains("line 2: longer than"));
        let lines = ["1".repeat(999), String::new()].join("\n");
        let quoted = lines.repeat(LONGEST / lines.len() + 1);
        let unclosed = refusal(&mut (&b"a,b\n\"1,2\n"[..]).chain(quoted.as_bytes()));
        assert!(unclosed.contains("line 2: longer than"));
    }
}
