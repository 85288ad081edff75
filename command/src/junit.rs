//! JUnit XML: suites of cases, as continuous integration reads them.

use crate::error::Error;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::borrow::Cow;
use std::io;
use std::time::Duration;

/// What became of a case; each but the first says why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It is as it should be.
    Passed,
    /// It was not decided.
    #[cfg_attr(not(feature = "papers"), allow(dead_code, reason = "of claims"))]
    Skipped(String),
    /// It is not as it should be.
    Failed(String),
    /// It could not be run.
    Error(String),
}

/// A case.
pub struct Case {
    /// Its name.
    pub name: String,
    /// What it belongs to.
    pub class: String,
    /// What became of it.
    pub status: Status,
    /// How long it took, if that is known.
    pub time: Option<Duration>,
    /// What it says, on lines; nothing if it is empty.
    pub text: String,
}

/// Cases that belong together.
pub struct Suite {
    /// Its name.
    pub name: String,
    /// What holds for all cases: a name and a value each.
    pub properties: Vec<(&'static str, &'static str)>,
    /// The cases.
    pub cases: Vec<Case>,
}

/// The document.
///
/// # Errors
/// [`Error::Print`] if it cannot be written to memory.
pub fn document(name: &str, suites: &[Suite]) -> Result<String, Error> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 4);
    write(name, suites, &mut writer).map_err(Error::Print)?;
    let text = String::from_utf8(writer.into_inner());
    text.map_err(|error| Error::Print(io::Error::other(error)))
}

type Out = Writer<Vec<u8>>;

fn write(name: &str, suites: &[Suite], out: &mut Out) -> io::Result<()> {
    out.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let all = suites.iter().flat_map(|suite| &suite.cases);
    let element = out.create_element("testsuites");
    let element = element.with_attribute(("name", &*legal(name)));
    let counts = counts(all);
    let attributes = counts.iter().map(|(name, count)| (*name, count.as_str()));
    let element = element.with_attributes(attributes);
    element
        .write_inner_content(|out| suites.iter().try_for_each(|suite| write_suite(suite, out)))?;
    out.write_indent()
}

fn write_suite(suite: &Suite, out: &mut Out) -> io::Result<()> {
    let element = out.create_element("testsuite");
    let element = element.with_attribute(("name", &*legal(&suite.name)));
    let counts = counts(suite.cases.iter());
    let attributes = counts.iter().map(|(name, count)| (*name, count.as_str()));
    let element = element.with_attributes(attributes);
    element.write_inner_content(|out| {
        if !suite.properties.is_empty() {
            let properties = out.create_element("properties");
            properties.write_inner_content(|out| {
                suite.properties.iter().try_for_each(|(name, value)| {
                    let element = out.create_element("property");
                    let attributes = [("name", *name), ("value", *value)];
                    element.with_attributes(attributes).write_empty()?;
                    Ok(())
                })
            })?;
        }
        suite
            .cases
            .iter()
            .try_for_each(|case| write_case(case, out))
    })?;
    Ok(())
}

fn write_case(case: &Case, out: &mut Out) -> io::Result<()> {
    let mut element = out.create_element("testcase").with_attributes([
        ("name", &*legal(&case.name)),
        ("classname", &*legal(&case.class)),
    ]);
    if let Some(time) = case.time {
        element = element.with_attribute(("time", &*format!("{:.3}", time.as_secs_f64())));
    }
    let status = match &case.status {
        Status::Passed => None,
        Status::Skipped(message) => Some(("skipped", message)),
        Status::Failed(message) => Some(("failure", message)),
        Status::Error(message) => Some(("error", message)),
    };
    element.write_inner_content(|out| {
        if let Some((name, message)) = status {
            let element = out.create_element(name);
            element
                .with_attribute(("message", &*legal(message)))
                .write_empty()?;
        }
        if !case.text.is_empty() {
            let text = legal(&case.text);
            let element = out.create_element("system-out");
            element.write_text_content(BytesText::new(&text))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// How many cases there are, and how many of each kind.
fn counts<'a>(cases: impl Iterator<Item = &'a Case>) -> [(&'static str, String); 4] {
    let mut counts = [0u64; 4];
    for case in cases {
        counts[0] += 1;
        match case.status {
            Status::Passed => {}
            Status::Skipped(_) => counts[1] += 1,
            Status::Failed(_) => counts[2] += 1,
            Status::Error(_) => counts[3] += 1,
        }
    }
    let names = ["tests", "skipped", "failures", "errors"];
    std::array::from_fn(|index| (names[index], counts[index].to_string()))
}

/// Text with the letters escaped that no XML document may hold, whatever it does with them.
fn legal(text: &str) -> Cow<'_, str> {
    let illegal = |letter: char| {
        (letter < ' ' && !matches!(letter, '\t' | '\n' | '\r'))
            || matches!(letter, '\u{fffe}' | '\u{ffff}')
    };
    if !text.contains(illegal) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    for letter in text.chars() {
        match illegal(letter) {
            true => kept.extend(letter.escape_default()),
            false => kept.push(letter),
        }
    }
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quick_xml::Reader;

    fn case(status: Status) -> Case {
        Case {
            name: "a \"<b>\" & \u{1b}[31m".to_owned(),
            class: "it's".to_owned(),
            status,
            time: Some(Duration::from_millis(1250)),
            text: "one < two\n]]> & \u{0}\n".to_owned(),
        }
    }

    #[test]
    fn a_document_counts_its_cases_and_says_what_they_say() {
        let reason = || "no\nluck".to_owned();
        let suites = [
            Suite {
                name: "first".to_owned(),
                properties: vec![("arithmetic", "one")],
                cases: vec![
                    case(Status::Passed),
                    case(Status::Failed(reason())),
                    case(Status::Error(reason())),
                ],
            },
            Suite {
                name: "second".to_owned(),
                properties: Vec::new(),
                cases: vec![case(Status::Skipped(reason()))],
            },
        ];
        let text = document("all", &suites).unwrap();
        for part in [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
            "name=\"all\" tests=\"4\" skipped=\"1\" failures=\"1\" errors=\"1\"",
            "name=\"first\" tests=\"3\" skipped=\"0\" failures=\"1\" errors=\"1\"",
            "name=\"second\" tests=\"1\" skipped=\"1\" failures=\"0\" errors=\"0\"",
            "<property name=\"arithmetic\" value=\"one\"/>",
            "name=\"a &quot;&lt;b&gt;&quot; &amp; \\u{1b}[31m\"",
            "time=\"1.250\"",
            "<system-out>one &lt; two\n]]&gt; &amp; \\u{0}\n</system-out>",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(text.ends_with("</testsuites>\n"), "{text}");
        // It is read back by a parser that checks the ends of elements.
        let mut reader = Reader::from_str(&text);
        let mut open = 0;
        loop {
            match reader.read_event().unwrap() {
                Event::Start(_) => open += 1,
                Event::End(_) => open -= 1,
                Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(open, 0);
    }

    #[test]
    fn a_document_without_a_case_is_one_too() {
        let text = document("none", &[]).unwrap();
        assert!(text.contains("tests=\"0\""), "{text}");
    }
}
