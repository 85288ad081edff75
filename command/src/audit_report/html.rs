//! A report as one page of HTML: no script, nothing that is loaded, and all text escaped.

/// The page: a heading and a table.
pub fn page(title: &str, rows: &[(String, String)]) -> String {
    let title = escaped(title);
    let rows: String = rows
        .iter()
        .map(|(name, value)| {
            let (name, value) = (escaped(name), escaped(value));
            format!("<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>\n")
        })
        .collect();
    format!(
        r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<table>
{rows}</table>
</body>
</html>
"#
    )
}

const STYLE: &str = "
body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }
h1 { font-size: 1.3em }
table { border-collapse: collapse }
th, td { text-align: left; vertical-align: top; padding: .3em .6em; border-top: 1px solid #ccc }
th { white-space: nowrap }
td { font-family: monospace; white-space: pre-wrap; overflow-wrap: anywhere }
";

/// Text in which nothing is markup, in an element as in an attribute.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // Not allowed in a page.
            letter if letter.is_control() && !letter.is_whitespace() => safe.push('\u{fffd}'),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_whole_and_has_no_script() {
        let rows = [("event".to_owned(), "\u{0} <img src=x>".to_owned())];
        let page = page("a <b>", &rows);
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
        assert!(page.contains("<h1>a &lt;b&gt;</h1>") && page.contains("\u{fffd} &lt;img"));
        for wrong in ["<script", "<img", "<b>", "://"] {
            assert!(!page.contains(wrong), "{wrong}");
        }
    }
}
