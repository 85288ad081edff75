//! Enough of HTML to test pages that we write.

/// The values of an attribute, without the escapes of HTML.
pub fn attributes(page: &str, name: &str) -> impl Iterator<Item = String> + use<> {
    let begins = format!(" {name}=\"");
    let mut parts = page.split(&begins).map(str::to_owned).collect::<Vec<_>>();
    parts.remove(0);
    parts
        .into_iter()
        .filter_map(|part| part.split_once('"').map(|(value, _)| unescaped(value)))
}

/// What a page shows, without its tags.
pub fn text(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some((before, tag)) = rest.split_once('<') {
        out += before;
        rest = tag.split_once('>').map_or("", |(_, after)| after);
    }
    out += rest;
    unescaped(&out)
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&")
}
