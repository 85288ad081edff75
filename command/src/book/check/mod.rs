//! The page that checks: forms that the exact core answers in the reader's browser. Without the core it says what they would do.

use super::frame;
use super::site::Site;
use maud::{Markup, html};

const SCRIPT: &str = include_str!("check.js");

/// What the page may load: its own two scripts and its style, and nothing from anywhere while it runs.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; style-src 'self'; img-src data:; \
     base-uri 'none'; form-action 'none'";

/// The page, its script and, where there is a core, the core as text.
pub fn files(site: &Site, core: Option<&[u8]>) -> Vec<(String, String)> {
    let page = page(site, core.map(<[u8]>::len));
    let mut files = vec![("check.html".to_owned(), page)];
    if let Some(core) = core {
        files.push(("check.js".to_owned(), SCRIPT.to_owned()));
        // A script, and no file to be fetched: so it opens from a disk too, and the page needs no connection.
        let text = format!("const CORE = \"{}\";\n", base64(core));
        files.push(("core.js".to_owned(), text));
    }
    files
}

/// The place of that page where the sampler of a claim is run, if it is offered there.
pub fn place_of(claim: &str) -> Option<&'static str> {
    let law = claim.strip_prefix("sample.")?;
    let is_offered = SAMPLED.iter().any(|(name, _, _)| *name == law);
    is_offered.then_some("check.html#explore")
}

fn page(site: &Site, core: Option<usize>) -> String {
    let body = html! {
        h1 { "Check it here" }
        p.short {
            "The exact core of dp-assay, in this page: no server is asked, and nothing that you enter leaves the page."
        }
        @match core {
            Some(bytes) => {
                p { "A policy in the head of this page forbids it every connection: your browser holds it to that. What answers is the program \
                    itself as WebAssembly, " (format!("{:.1}", bytes as f64 / 1e6)) " MB. It has no clock and no coins of its own, and each \
                    answer stands beside the command that prints the same." }
                noscript { p { "These forms need scripts. The rest of the book does not." } }
                p.machine role="status" aria-live="polite" {}
            }
            None => p { "This copy of the book was made without the core, so that there is nothing to press. " code { "make site" }
                " makes one with it; the commands below say the same in a terminal." },
        }
        @for part in [explore(), truth(), draw(), account(), outputs()] { (part.section(core.is_some())) }
        @if core.is_some() { script src="core.js" defer {} script src="check.js" defer {} }
    };
    frame::page_under(Some(POLICY), site, "", "check.html", "Check", &body)
}

/// One thing to check.
struct Part {
    name: &'static str,
    title: &'static str,
    about: Markup,
    fields: Markup,
    button: &'static str,
    command: &'static str,
}

impl Part {
    fn section(&self, has_core: bool) -> Markup {
        html! {
            section.part id=(self.name) {
                h2 { (self.title) }
                p { (self.about) }
                @if has_core {
                    form.ask data-part=(self.name) hidden {
                        (self.fields)
                        button { (self.button) }
                        button.stop type="button" hidden { "Stop" }
                    }
                    div.answer data-part=(self.name) aria-live="polite" {}
                }
                p.label { "In a terminal: " code data-command=(self.name) { (self.command) } }
            }
        }
    }
}

/// A field with its label.
fn field(label: &str, name: &str, value: &str) -> Markup {
    html! { label { (label) input name=(name) value=(value) autocomplete="off" spellcheck="false" maxlength="40"; } }
}

/// A choice; each with what it puts into the field beside it, if it is a law.
fn choice(label: &str, name: &str, options: &[(&str, &str, &str)]) -> Markup {
    html! {
        label { (label)
            select name=(name) {
                @for (value, words, parameter) in options { option value=(value) data-parameter=(parameter) { (words) } }
            }
        }
    }
}

/// The laws of the reference that are offered.
const SAMPLED: [(&str, &str, &str); 6] = [
    ("discrete-laplace", "discrete Laplace, of this scale", "2"),
    (
        "discrete-gaussian",
        "discrete Gaussian, of this variance",
        "4",
    ),
    ("geometric", "geometric, of this rate", "1/2"),
    ("uniform-below", "uniform, below this number", "6"),
    ("bernoulli", "Bernoulli, of this p", "1/3"),
    ("bernoulli-exp", "Bernoulli(exp(-x)), of this x", "1/2"),
];

fn explore() -> Part {
    Part {
        name: "explore",
        title: "A sampler, on every outcome of its coins",
        about: html! {
            "The explorer runs the sampling code of the reference again and again, on every outcome of its coins, the likeliest first. What "
            "ends gives probability to its result; what has not ended yet is counted as undecided. So each probability lies between two "
            "numbers, without any statistics, and the stated one must lie between them too. Run its broken twin, which has a mistake, and see it refused."
        },
        fields: html! {
            (choice("Law", "law", &SAMPLED))
            (field("Parameter", "parameter", "2"))
            (choice("Coins", "coins", &[("bernoulli-exp", "Bernoulli(exp(-x)), and all below", ""), ("bernoulli", "Bernoulli(p), and all below", ""),
                ("uniform-below", "uniform integers and bits", ""), ("bits", "fair bits alone", "")]))
            (choice("Sampler", "broken", &[("", "of the reference", ""), ("yes", "its broken twin", "")]))
        },
        button: "Check",
        command: "assay verify 'sample.*' --figures",
    }
}

fn truth() -> Part {
    Part {
        name: "truth",
        title: "The delta of noise, to 20 digits",
        about: html! {
            "The least delta for which values that differ by the shift are (epsilon, delta)-private with this noise: between two decimals of 20 "
            "digits, by exact rational arithmetic and series with proven remainders. Move epsilon."
        },
        fields: html! {
            (choice("Noise", "law", &[("discrete-laplace scale", "discrete Laplace, of this scale", "2"), ("discrete-gaussian variance", "discrete Gaussian, of this variance", "4"),
                ("laplace scale", "Laplace, of this scale", "2"), ("gaussian deviation", "Gaussian, of this deviation", "2")]))
            (field("Parameter", "parameter", "2"))
            (field("Shift", "shift", "1"))
            label.wide-field { "Epsilon" input type="range" name="epsilon" min="0" max="200" value="30"; }
            output name="shown" { "0.3" }
        },
        button: "Certify",
        command: "assay truth discrete-laplace scale=2 --quantity profile --shift 1 --epsilon 3/10 --digits 20",
    }
}

fn draw() -> Part {
    Part {
        name: "draw",
        title: "Exact noise, by your browser's coins",
        about: html! {
            "The reference draws, and each of its coins is a bit of your browser's cryptographic generator, " code { "crypto.getRandomValues" }
            ". The draws have exactly the stated law: no float is involved, and nothing is cut off."
        },
        fields: html! {
            (choice("Law", "law", &SAMPLED))
            (field("Parameter", "parameter", "2"))
            (field("Draws", "count", "100"))
        },
        button: "Draw",
        command: "assay sample discrete-laplace scale=2 -n 100",
    }
}

fn account() -> Part {
    Part {
        name: "account",
        title: "What a plan of training steps costs",
        about: html! {
            "Each record is sampled into a step with this probability, and the step releases a sum with Gaussian noise of this deviation, in units of \
            the norm to which records are clipped. Together the steps cost an epsilon that lies between two certified ends, at this delta, when a \
            record is added or removed."
        },
        fields: html! {
            (field("Sampling rate", "rate", "0.01"))
            (field("Noise deviation", "deviation", "1"))
            (field("Steps", "steps", "1000"))
            (field("Delta", "delta", "1e-5"))
        },
        button: "Account",
        command: "assay truth subsampled-gaussian rate=0.01 deviation=1 steps=1000 --quantity epsilon --delta 1e-5 --digits 6",
    }
}

fn outputs() -> Part {
    Part {
        name: "outputs",
        title: "Outputs of your own mechanism",
        about: html! {
            "Run your mechanism on two neighbouring datasets, as often on each, and paste what it answered, one output a line, or numbers with \
            spaces between. The auditor turns over one output after the other, each of a dataset that a fair coin chooses, and bets against the claim \
            on what comes next. A true claim is called violated with probability at most the level, if the outputs are independent."
        },
        fields: html! {
            label.wide-field { "On the first dataset" textarea name="first" rows="4" spellcheck="false" {} }
            label.wide-field { "On the second dataset" textarea name="second" rows="4" spellcheck="false" {} }
            (field("Claimed epsilon", "epsilon", "1"))
            (field("Claimed delta", "delta", "0"))
            (field("Level", "level", "1/20"))
            button.example type="button" { "Fill in an example" }
        },
        button: "Bet",
        command: "assay audit --target 'PROGRAM' --epsilon 1 --pair first.json,second.json --level 1/20",
    }
}

/// Bytes as text: six bits a letter (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word = (0..3).fold(0u32, |word, place| {
            word << 8 | u32::from(*three.get(place).unwrap_or(&0))
        });
        for place in 0..4 {
            match place <= three.len() {
                true => text.push(char::from(
                    LETTERS[(word >> (18 - 6 * place) & 63) as usize],
                )),
                false => text.push('='),
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    /// The test vectors of RFC 4648, section 10.
    #[test]
    fn bytes_are_written_as_the_standard_says() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(super::base64(bytes.as_bytes()), text);
        }
        assert_eq!(super::base64(&[0xfb, 0xff]), "+/8=");
    }
}
