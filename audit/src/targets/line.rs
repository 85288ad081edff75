//! Outputs as they stand on the lines of a reply.

use super::Output;
use super::floats::{hex, read_hex};
use crate::hexadecimal::hexadecimal;
use num_bigint::BigInt;

/// The deepest nesting of arrays that is read.
const DEEPEST: usize = 64;

/// What a line of a reply holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// An output.
    Output(Output),
    /// What the target believes about its own noise: the object after `"trace"`.
    Trace(serde_json::Value),
}

impl Output {
    /// Reads an output as it stands on a line.
    ///
    /// A text is a float if it is one of those that Python's `float.hex()` prints: `0x…p…` with or without a minus
    /// before it and with any number of digits, `inf`, `-inf` and `nan`; or `nan:0x…`, which keeps the bits of a NaN.
    /// Every other text is a label, also `Infinity`, `NaN`, `+inf` and `0X1P+0`. A label that would be read as a float
    /// needs a prefix, say `=inf`.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reader = Reader { text, place: 0 };
        let output = reader.value(0)?;
        reader.end()?;
        Ok(output)
    }

    /// The output as a line of the protocol, that [`Output::read`] reads back.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Self::Integer(value) => value.to_string(),
            Self::Large(value) => value.to_string(),
            Self::Float(bits) => format!("\"{}\"", hex(*bits)),
            Self::Label(text) => serde_json::Value::from(text.as_str()).to_string(),
            Self::Bytes(bytes) => format!("{{\"bytes\":\"{}\"}}", hexadecimal(bytes)),
            Self::Vector(items) => {
                let items: Vec<String> = items.iter().map(Self::line).collect();
                format!("[{}]", items.join(","))
            }
            Self::Object(names, values) => {
                let entry = |(name, value): (&String, &Self)| {
                    format!(
                        "{}:{}",
                        serde_json::Value::from(name.as_str()),
                        value.line()
                    )
                };
                let entries: Vec<String> = names.iter().zip(values).map(entry).collect();
                format!("{{{}}}", entries.join(","))
            }
            Self::Boolean(value) => value.to_string(),
            Self::Null => "null".to_owned(),
            Self::Error(text) => serde_json::json!({"error": text}).to_string(),
        }
    }
}

impl Line {
    /// Reads a line of a reply: an output, `{"error": "…"}` or `{"trace": {…}}`.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim_matches([' ', '\t', '\r']);
        if let Some(line) = Self::of_one_name(text) {
            return Ok(line);
        }
        Output::read(text).map(Self::Output)
    }

    /// Reads the line before an output that is to be timed, `{"time": N}`: N in nanoseconds.
    ///
    /// # Errors
    /// What was expected.
    pub(super) fn read_time(text: &str) -> Result<u64, String> {
        let value: Option<serde_json::Value> = serde_json::from_str(text).ok();
        let object = value.as_ref().and_then(serde_json::Value::as_object);
        let time = object.filter(|object| object.len() == 1);
        time.and_then(|object| object.get("time")?.as_u64())
            .ok_or_else(|| {
                format!(
                    "expected {{\"time\": NANOSECONDS}} before the output, a whole number of at least 0, as the request asked for it, got: {} (an adapter that was copied before there was --time? copy it again)",
                    excerpt(text)
                )
            })
    }

    /// The two objects that are no outputs like others, with one name each.
    fn of_one_name(text: &str) -> Option<Self> {
        let name = text.strip_prefix('{')?.trim_start();
        if !name.starts_with("\"error\"") && !name.starts_with("\"trace\"") {
            return None;
        }
        let value: serde_json::Value = serde_json::from_str(text).ok()?;
        let object = value.as_object().filter(|object| object.len() == 1)?;
        match object.iter().next()? {
            (name, serde_json::Value::String(message)) if name == "error" => {
                Some(Self::Output(Output::Error(message.clone())))
            }
            (name, trace @ serde_json::Value::Object(_)) if name == "trace" => {
                Some(Self::Trace(trace.clone()))
            }
            _ => None,
        }
    }
}

/// The bytes after the name of that name: pairs of hexadecimal digits.
pub(super) fn read_bytes(text: &str) -> Result<Vec<u8>, String> {
    let wrong = || {
        format!(
            "expected pairs of hexadecimal digits after \"bytes\", got: {} (an object with this one name is bytes)",
            excerpt(text)
        )
    };
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let pair = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(16 * digit(high)? + digit(low)?).ok(),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(pair).collect();
    bytes.ok_or_else(wrong)
}

/// Reads JSON values as outputs: what `serde_json` does, but for integers of any size.
struct Reader<'a> {
    text: &'a str,
    place: usize,
}

const EXPECTED: &str = "expected a number, a float in hexadecimal (\"0x1.8p+0\"), a \"text\", true, false, null, an array or an object";

impl Reader<'_> {
    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.place..]
    }

    fn space(&mut self) {
        let blank = self.rest().iter().take_while(|b| b" \t\r\n".contains(b));
        self.place += blank.count();
    }

    fn end(&mut self) -> Result<(), String> {
        self.space();
        match self.rest() {
            [] => Ok(()),
            _ => Err(format!(
                "expected one JSON value, got more after it: {}",
                excerpt(&self.text[self.place..])
            )),
        }
    }

    fn wrong(&self) -> String {
        let rest = self.text.get(self.place..).unwrap_or("");
        let hints = [
            ("True", "true"),
            ("False", "false"),
            ("None", "null"),
            ("NaN", "\"nan\""),
            ("nan", "\"nan\""),
            ("-Infinity", "\"-inf\""),
            ("-inf", "\"-inf\""),
            ("Infinity", "\"inf\""),
            ("inf", "\"inf\""),
        ];
        let hint = hints.iter().find(|(got, _)| rest.starts_with(got));
        let hint = hint.map_or(String::new(), |(_, right)| format!(": write {right}"));
        match excerpt(rest) {
            text if text.is_empty() => format!("{EXPECTED}, got nothing"),
            text => format!("{EXPECTED}, got: {text}{hint}"),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Output, String> {
        self.space();
        match self.rest().first() {
            Some(b'"') => self.label(),
            Some(b'[') if depth < DEEPEST => self.vector(depth),
            Some(b'{') if depth < DEEPEST => self.object(depth),
            Some(b'[' | b'{') => Err(format!(
                "expected arrays and objects at most {DEEPEST} deep"
            )),
            Some(b't') => self.word("true", Output::Boolean(true)),
            Some(b'f') => self.word("false", Output::Boolean(false)),
            Some(b'n') => self.word("null", Output::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.wrong()),
        }
    }

    fn number(&mut self) -> Result<Output, String> {
        let length = self
            .rest()
            .iter()
            .take_while(|b| b.is_ascii_digit() || b"+-.eE".contains(b))
            .count();
        let token = &self.text[self.place..self.place + length];
        let digits = token.strip_prefix('-').unwrap_or(token);
        let leading_zero =
            digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
        if leading_zero {
            return Err(self.wrong());
        }
        // "-0" can only be meant as a float.
        let output = if digits.bytes().all(|b| b.is_ascii_digit()) && token != "-0" {
            match token.parse::<i128>() {
                Ok(small) => Output::Integer(small),
                Err(_) => {
                    let large = token.parse::<BigInt>().map_err(|_| self.wrong())?;
                    Output::integer(&large)
                }
            }
        } else {
            // The grammar of JSON is narrower than that of Rust, and serde_json knows it.
            let value: f64 = token.parse().map_err(|_| self.wrong())?;
            if let Err(error) = serde_json::from_str::<serde_json::Number>(token) {
                // What is a number, and above all doubles, is called out of range there.
                return Err(
                    if value.is_infinite() && error.to_string().contains("out of range") {
                        let right = if value > 0.0 { "inf" } else { "-inf" };
                        format!(
                            "{}, which is above all doubles: write \"{right}\"",
                            self.wrong()
                        )
                    } else {
                        self.wrong()
                    },
                );
            }
            Output::float(value)
        };
        self.place += length;
        Ok(output)
    }

    /// `true`, `false` or `null`.
    fn word(&mut self, word: &str, output: Output) -> Result<Output, String> {
        let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let rest = self.rest();
        if !rest.starts_with(word.as_bytes()) || rest.get(word.len()).is_some_and(goes_on) {
            return Err(self.wrong());
        }
        self.place += word.len();
        Ok(output)
    }

    fn label(&mut self) -> Result<Output, String> {
        let text = self.string()?;
        match read_hex(&text) {
            Some(bits) => bits.map(Output::Float),
            None => Ok(Output::Label(text)),
        }
    }

    fn string(&mut self) -> Result<String, String> {
        let bytes = self.rest();
        let mut length = 1;
        loop {
            match bytes.get(length) {
                Some(b'"') => break,
                Some(b'\\') => length += 2,
                Some(_) => length += 1,
                None => return Err(format!("{}: the quote is not closed", self.wrong())),
            }
        }
        let token = self
            .text
            .get(self.place..=self.place + length)
            .ok_or_else(|| self.wrong())?;
        let text: String = serde_json::from_str(token).map_err(|_| self.wrong())?;
        self.place += length + 1;
        Ok(text)
    }

    fn object(&mut self, depth: usize) -> Result<Output, String> {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        let mut text: Option<String> = None;
        self.entries(b'}', "',' or '}' in an object", |reader| {
            reader.space();
            match reader.rest().first() {
                Some(b'"') => names.push(reader.string()?),
                _ => return Err(reader.wanted("a \"name\" in an object")),
            }
            reader.space();
            match reader.rest().first() {
                Some(b':') => reader.place += 1,
                _ => return Err(reader.wanted("':' after a name of an object")),
            }
            reader.space();
            let start = reader.place;
            values.push(reader.value(depth + 1)?);
            if names == ["bytes"] && reader.text.as_bytes().get(start) == Some(&b'"') {
                text = serde_json::from_str(&reader.text[start..reader.place]).ok();
            }
            Ok(())
        })?;
        match text {
            // A text that looks like a double is one elsewhere, and no bytes either.
            Some(text) if names == ["bytes"] => read_bytes(&text).map(Output::Bytes),
            _ => Ok(Output::Object(names, values)),
        }
    }

    fn wanted(&self, what: &str) -> String {
        let got = excerpt(self.text.get(self.place..).unwrap_or(""));
        format!("expected {what}, got: {got}")
    }

    fn vector(&mut self, depth: usize) -> Result<Output, String> {
        let mut items = Vec::new();
        self.entries(b']', "',' or ']' in an array", |reader| {
            items.push(reader.value(depth + 1)?);
            Ok(())
        })?;
        Ok(Output::Vector(items))
    }

    /// What stands between the bracket here and the one that closes it, separated by commas.
    fn entries(
        &mut self,
        close: u8,
        wanted: &str,
        mut read: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        self.place += 1;
        self.space();
        if self.rest().first() != Some(&close) {
            read(self)?;
            self.space();
            while self.rest().first() == Some(&b',') {
                self.place += 1;
                read(self)?;
                self.space();
            }
        }
        if self.rest().first() != Some(&close) {
            return Err(self.wanted(wanted));
        }
        self.place += 1;
        Ok(())
    }
}

/// The first characters of `text`, for an error. What a terminal would obey is escaped.
pub(crate) fn excerpt(text: &str) -> String {
    let start: String = text.chars().take(40).collect();
    let end = if start.len() < text.len() { "…" } else { "" };
    let mut short = String::new();
    for letter in start.chars() {
        match letter {
            // Not control characters, and usual in JSON.
            '"' | '\'' | '\\' => short.push(letter),
            _ => short.extend(letter.escape_debug()),
        }
    }
    short + end
}

/// The most characters of a text that are printed for people.
const LONGEST: usize = 200;

/// The beginning of a long text, and how long it is.
#[must_use]
pub fn cut(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_displayed() {
        let text = "a\nb\u{1b}[31m \u{202e}x";
        for shown in [
            Output::Error(text.to_owned()).to_string(),
            Output::Label(text.to_owned()).to_string(),
            excerpt(text),
            Line::read(&format!("{{{text}")).unwrap_err(),
            Line::read(&format!("1 {text}")).unwrap_err(),
        ] {
            assert!(!shown.contains(['\n', '\u{1b}', '\u{202e}']), "{shown:?}");
        }
        // What is usual stays readable.
        assert_eq!(excerpt("[\"é\", 'x']"), "[\"é\", 'x']");
    }

    #[test]
    fn what_is_not_an_output_is_refused() {
        for text in [
            "",
            "nul",
            "nulls",
            "tru",
            "01",
            "1 2",
            "[1,",
            "[1,]",
            "1.",
            ".5",
            "+1",
            "\"a",
            "--1",
            "1e",
            "-",
            "\"\\",
            "\"é\\",
            "{",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "{\"a\":1",
            "\"0x1.00000000000001p+0\"",
            "\"0x1p+1024\"",
            "\"0x1p+99999999999999999999999\"",
        ] {
            let error = Line::read(text).unwrap_err();
            assert!(
                error.contains("expected") || error.contains("double"),
                "{text}: {error}"
            );
        }
        assert!(Output::read(&"[".repeat(100_000)).is_err());
        assert!(Output::read(&"{\"a\":".repeat(100_000)).is_err());
    }

    #[test]
    fn what_python_prints_for_truth_and_numbers_above_all_doubles_have_a_hint() {
        for (text, right) in [
            ("True", "write true"),
            ("[False]", "write false"),
            ("None", "write null"),
            ("1e400", "above all doubles: write \"inf\""),
            ("-1e400", "above all doubles: write \"-inf\""),
        ] {
            let error = Line::read(text).unwrap_err();
            assert!(error.contains(right), "{text}: {error}");
        }
        assert!(!Line::read("1e+").unwrap_err().contains("doubles"));
    }

    #[test]
    fn arrays_labels_errors_and_traces_are_read() {
        assert_eq!(
            Output::read(" [1, \"0x1p-1\",\"a\\\"b\", []] ").unwrap(),
            Output::Vector(vec![
                Output::Integer(1),
                Output::float(0.5),
                Output::Label("a\"b".into()),
                Output::Vector(vec![]),
            ])
        );
        assert_eq!(
            Line::read("{\"error\":\"division by zero\"}\r").unwrap(),
            Line::Output(Output::Error("division by zero".into()))
        );
        assert!(matches!(
            Line::read("{\"trace\":{\"scale\":2}}").unwrap(),
            Line::Trace(_)
        ));
    }
}
