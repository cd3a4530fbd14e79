//! The files of a recording. They are whole after each exchange, so that it may end at any time.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use waybill_domain::json::Json;
use waybill_domain::time::Time;
use waybill_outbound::Secrets;
use waybill_outbound::line::Response as Answered;

use super::error::RecordError;
use super::forward::Asked;
use super::redact::learn;
use super::render::{Pen, Told, ToldBody, Wanted, WantedBody};
use crate::pattern::ABSENT;

/// Longer answers are in files of their own.
const INLINE_MAX: usize = 32 * 1024;
/// A day is close within this time.
const CLOSE: Duration = Duration::from_hours(20 * 24);
const NAME: &str = "exchanges.toml";
/// How the names of other files begin.
const ANSWER: &str = "answer-";
const HEAD: &str = "# A conversation as it was recorded. Secrets are not in it, and what people are
# called is as it was sent. Mark what makes a booking with `books = \"{reference}\"`.
";

/// What was heard so far, and where it is written.
pub struct Tape {
    to: PathBuf,
    our_url: String,
    secrets: Secrets,
    months: Vec<String>,
    next: usize,
    heard: BTreeMap<usize, (Asked, Answered)>,
    /// Exchanges as they were written, with how many secrets were known then.
    drawn: BTreeMap<usize, (usize, Drawn)>,
}

#[derive(Clone)]
struct Drawn {
    name: String,
    after: Option<String>,
    wanted: Wanted,
    told: Told,
}

impl Tape {
    /// Takes the folder, which must be empty or may be emptied of what was recorded.
    pub fn begin(
        to: PathBuf,
        overwrites: bool,
        our_url: &str,
        (secrets, now): (Secrets, Time),
    ) -> Result<Tape, RecordError> {
        fs::create_dir_all(&to).map_err(in_file(&to))?;
        let mut paths = Vec::new();
        for entry in fs::read_dir(&to).map_err(in_file(&to))? {
            paths.push(entry.map_err(in_file(&to))?.path());
        }
        if !overwrites && !paths.is_empty() {
            return Err(RecordError::NotEmpty(to));
        }
        for path in paths.iter().filter(|path| is_recorded(path)) {
            fs::remove_file(path).map_err(in_file(path))?;
        }
        let month = |at: Time| at.to_string().chars().take(7).collect();
        let months = vec![month(now.minus(CLOSE)), month(now), month(now.plus(CLOSE))];
        let (our_url, drawn) = (our_url.to_owned(), BTreeMap::new());
        let tape = Tape { to, our_url, secrets, months, next: 1, heard: BTreeMap::new(), drawn };
        tape.write()?;
        Ok(tape)
    }

    /// The place of a request among all.
    pub fn next_number(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// How many exchanges there are.
    pub fn count(&self) -> usize {
        self.heard.len()
    }

    /// Takes an exchange in, and writes all. Tells what the exchange is called.
    pub fn record(
        &mut self,
        number: usize,
        asked: Asked,
        answered: Answered,
    ) -> Result<String, RecordError> {
        learn(&mut self.secrets, &asked, &answered);
        self.heard.insert(number, (asked, answered));
        self.draw()?;
        self.write()?;
        Ok(self.drawn.get(&number).map(|(_, drawn)| drawn.name.clone()).unwrap_or_default())
    }

    /// Draws what is new, and everything anew when another secret is known.
    fn draw(&mut self) -> Result<(), RecordError> {
        let known = self.secrets.count();
        let mut named: Vec<String> = Vec::new();
        for (number, exchange) in &self.heard {
            let is_drawn = self.drawn.get(number).is_some_and(|(count, _)| *count == known);
            if !is_drawn {
                let drawn = self.draw_one(*number, exchange, &named);
                if let Some((name, bytes)) = drawn.file(*number) {
                    let path = self.to.join(name);
                    fs::write(&path, bytes).map_err(in_file(&path))?;
                }
                self.drawn.insert(*number, (known, drawn));
            }
            let own = self.drawn.get(number).map(|(_, drawn)| &drawn.wanted.references);
            let new = own.into_iter().flatten().filter(|it| !named.contains(it));
            named.extend(new.cloned().collect::<Vec<_>>());
        }
        Ok(())
    }

    fn draw_one(&self, number: usize, exchange: &(Asked, Answered), named: &[String]) -> Drawn {
        let (asked, answered) = exchange;
        let (secrets, our_url, months) = (&self.secrets, &self.our_url, &self.months);
        let pen = Pen { secrets, our_url, months, named };
        let wanted = pen.wanted(asked);
        let (mut after, mut places) = (None, wanted.references.clone());
        if places.is_empty() {
            // What the answer tells of a booking is known from where we named it.
            let text = String::from_utf8_lossy(&answered.body);
            let earlier = self.drawn.range(..number).rev().map(|(_, (_, drawn))| drawn);
            let mut tellers = earlier.filter(|drawn| {
                let reference = drawn.wanted.references.first();
                reference.is_some_and(|reference| text.contains(reference.as_str()))
            });
            if let Some(drawn) = tellers.next() {
                after = Some(drawn.name.clone());
                places.clone_from(&drawn.wanted.references);
            }
        }
        let told = pen.told(answered, &places);
        let name = format!("{number} {} {}", wanted.method, wanted.path);
        Drawn { name, after, wanted, told }
    }

    fn write(&self) -> Result<(), RecordError> {
        let mut text = HEAD.to_owned();
        for (number, (_, drawn)) in &self.drawn {
            let others = || self.drawn.iter().map(|(other, (_, drawn))| (other, drawn));
            let is_again = others().any(|(other, it)| other > number && it.wanted == drawn.wanted);
            let mut wanted = drawn.wanted.clone();
            for (_, other) in others().filter(|(_, it)| it.is_at(drawn)) {
                rule_out(&mut wanted.query, &other.wanted.query);
                rule_out(&mut wanted.headers, &other.wanted.headers);
            }
            drawn.write(&mut text, *number, &wanted, is_again);
        }
        let (path, new) = (self.to.join(NAME), self.to.join(format!("{NAME}.new")));
        fs::write(&new, text).map_err(in_file(&new))?;
        fs::rename(&new, &path).map_err(in_file(&path))
    }
}

/// A request without what another one at the same place has.
fn rule_out(own: &mut BTreeMap<String, String>, others: &BTreeMap<String, String>) {
    for name in others.keys() {
        own.entry(name.clone()).or_insert_with(|| ABSENT.to_owned());
    }
}

impl Drawn {
    fn is_at(&self, other: &Drawn) -> bool {
        (&self.wanted.method, &self.wanted.path) == (&other.wanted.method, &other.wanted.path)
    }

    /// The file of the answer, when it has one.
    fn file(&self, number: usize) -> Option<(String, Bytes)> {
        let named = |ending: &str| format!("{ANSWER}{number}.{ending}");
        match &self.told.body {
            ToldBody::Bytes(bytes) => {
                let ending = match bytes {
                    bytes if bytes.starts_with(b"%PDF") => "pdf",
                    bytes if bytes.starts_with(b"\x89PNG") => "png",
                    _ => "bin",
                };
                Some((named(ending), bytes.clone()))
            }
            ToldBody::Json(json) => {
                let text = json.to_string();
                // Places are filled in here alone.
                let is_plain = !text.contains("{url}") && !text.contains("{reference");
                let is_long = text.len() > INLINE_MAX;
                (is_long && is_plain).then(|| (named("json"), text.into()))
            }
            ToldBody::Nothing | ToldBody::Text(_) => None,
        }
    }

    fn write(&self, text: &mut String, number: usize, wanted: &Wanted, is_again: bool) {
        let mut line = |words: String| {
            text.push_str(&words);
            text.push('\n');
        };
        line(format!("\n[[exchange]]\nname = {}", quoted(&self.name)));
        if let Some(after) = &self.after {
            line(format!("after = {}", quoted(after)));
        }
        if is_again {
            line("times = 1".to_owned());
        }
        line("[exchange.request]".to_owned());
        line(format!("method = {}", quoted(&wanted.method)));
        line(format!("path = {}", quoted(&wanted.path)));
        for (name, pairs) in [("headers", &wanted.headers), ("query", &wanted.query)] {
            if !pairs.is_empty() {
                line(format!("{name} = {}", table(pairs)));
            }
        }
        match &wanted.body {
            WantedBody::Anything => {}
            WantedBody::Json(json) => line(format!("json = {}", document(json))),
            WantedBody::Form(pairs) => line(format!("form = {}", table(pairs))),
            WantedBody::Text(body) => line(format!("text = {}", quoted(body))),
        }
        line(format!("[exchange.answer]\nstatus = {}", self.told.status));
        if !self.told.headers.is_empty() {
            line(format!("headers = {}", table(&self.told.headers)));
        }
        match (self.file(number), &self.told.body) {
            (Some((file, _)), _) => line(format!("file = {}", quoted(&file))),
            (None, ToldBody::Json(json)) => line(format!("json = {}", document(json))),
            (None, ToldBody::Text(body)) => line(format!("text = {}", quoted(body))),
            (None, ToldBody::Nothing | ToldBody::Bytes(_)) => {}
        }
    }
}

fn is_recorded(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.ends_with(".toml") || name.starts_with(ANSWER)
}

fn in_file(path: &Path) -> impl Fn(std::io::Error) -> RecordError {
    move |error| RecordError::File { path: path.to_owned(), error }
}

fn table(pairs: &BTreeMap<String, String>) -> String {
    let pairs: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{} = {}", quoted(name), quoted(value))).collect();
    format!("{{ {} }}", pairs.join(", "))
}

/// A text of TOML on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if u32::from(c) < 0x20 || u32::from(c) == 0x7f => {
                let _infallible = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// JSON for people.
fn document(json: &Json) -> String {
    let mut text = String::new();
    indent(json, 0, &mut text);
    match text.contains("'''") || text.contains('\u{7f}') {
        true => quoted(&text),
        false => format!("'''\n{text}'''"),
    }
}

fn indent(json: &Json, depth: usize, out: &mut String) {
    const WIDTH: usize = 96;
    let line = json.to_string();
    let (inner, outer) = ("  ".repeat(depth + 1), "  ".repeat(depth));
    match json {
        Json::Object(members) if line.len() + 2 * depth > WIDTH => {
            out.push_str("{\n");
            for (place, (name, value)) in members.iter().enumerate() {
                let _infallible = write!(out, "{inner}{}: ", Json::text(name));
                indent(value, depth + 1, out);
                out.push_str(if place + 1 < members.len() { ",\n" } else { "\n" });
            }
            let _infallible = write!(out, "{outer}}}");
        }
        Json::List(list) if line.len() + 2 * depth > WIDTH => {
            out.push_str("[\n");
            for (place, value) in list.iter().enumerate() {
                out.push_str(&inner);
                indent(value, depth + 1, out);
                out.push_str(if place + 1 < list.len() { ",\n" } else { "\n" });
            }
            let _infallible = write!(out, "{outer}]");
        }
        _ => out.push_str(&line),
    }
}

#[cfg(test)]
mod tests {
    use waybill_domain::json::parse;

    use super::*;

    #[test]
    fn texts_and_documents_are_read_back_as_they_were() {
        let long = "x".repeat(120);
        for text in ["a\"b\\c\nd\te\u{7f}\u{1}ø'''", "{url}", long.as_str()] {
            let table: toml::Table = format!("text = {}", quoted(text)).parse().unwrap();
            assert_eq!(table["text"].as_str(), Some(text));
            let json = Json::list([Json::object([("a", text.into()), ("b", Json::list([]))])]);
            let table: toml::Table = format!("json = {}", document(&json)).parse().unwrap();
            assert_eq!(parse(table["json"].as_str().unwrap().as_bytes()).unwrap(), json);
        }
    }
}
