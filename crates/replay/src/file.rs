//! The files: their shapes, and what is checked of them before anything is served.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use hyper::StatusCode;
use hyper::header::{HeaderName, HeaderValue};
use serde::Deserialize;
use waybill_domain::json::{Json, parse_within};

use crate::error::{Malformed, ReplayError};
use crate::fault::Kind;
use crate::{json, pattern};

/// Lists of service points are long.
pub const VALUES_MAX: usize = 2_000_000;

/// In front of the name of a file that stands in an answer's JSON.
const IN_BASE64: &str = "{base64 ";

/// Everything that a carrier says.
#[derive(Clone, Default, Debug)]
pub struct Exchanges(pub(crate) Vec<Exchange>);

/// A request, and what is answered.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    pub name: String,
    pub after: Option<String>,
    pub books: Option<String>,
    pub times: Option<usize>,
    pub method: Option<String>,
    pub path: Option<String>,
    pub query: BTreeMap<String, String>,
    pub headers: BTreeMap<String, String>,
    pub wants: Wants,
    pub answer: Answer,
    pub fault: Option<Kind>,
}

/// What a request's body must be.
#[derive(Clone, Debug)]
pub(crate) enum Wants {
    Anything,
    Json(Json),
    Form(BTreeMap<String, String>),
    Text(String),
}

/// What is answered.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub status: StatusCode,
    pub headers: BTreeMap<String, String>,
    pub body: Body,
    pub delay: Duration,
}

/// A body to be.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Json(Json),
    Text(String),
    Bytes(Bytes),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExchangesFile {
    #[serde(default)]
    always: AlwaysFile,
    #[serde(default)]
    exchange: Vec<ExchangeFile>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AlwaysFile {
    query: BTreeMap<String, String>,
    headers: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExchangeFile {
    name: String,
    after: Option<String>,
    books: Option<String>,
    times: Option<usize>,
    #[serde(default)]
    request: RequestFile,
    #[serde(default)]
    answer: AnswerFile,
    fault: Option<Kind>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RequestFile {
    method: Option<String>,
    path: Option<String>,
    query: BTreeMap<String, String>,
    headers: BTreeMap<String, String>,
    json: Option<String>,
    form: Option<BTreeMap<String, String>>,
    text: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AnswerFile {
    status: Option<u16>,
    headers: BTreeMap<String, String>,
    json: Option<String>,
    text: Option<String>,
    base64: Option<String>,
    file: Option<String>,
    delay_ms: u64,
}

impl Exchanges {
    /// The exchanges of all files of a folder that end in `.toml`, by their names.
    pub fn folder(folder: &Path) -> Result<Exchanges, ReplayError> {
        let unreadable = |error| ReplayError::Unreadable { path: folder.to_owned(), error };
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            paths.push(entry.map_err(unreadable)?.path());
        }
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
        paths.sort();
        let mut all = Exchanges::default();
        for path in paths {
            let text = read_file(&path)?;
            let name = path.display().to_string();
            let malformed = |fault| ReplayError::Malformed { file: name.clone(), fault };
            let text = String::from_utf8(text).map_err(|_| malformed(Malformed::NotText))?;
            all = all.and(Exchanges::read(&text, &name, folder)?);
        }
        all.checked()
    }

    /// The exchanges of a text. What it names as files is in the folder.
    pub fn text(text: &str, folder: &Path) -> Result<Exchanges, ReplayError> {
        Exchanges::read(text, "exchanges", folder)?.checked()
    }

    /// These, and then the others.
    pub fn and(mut self, others: Exchanges) -> Exchanges {
        self.0.extend(others.0);
        self
    }

    fn read(text: &str, name: &str, folder: &Path) -> Result<Exchanges, ReplayError> {
        let malformed = |fault| ReplayError::Malformed { file: name.to_owned(), fault };
        let file: ExchangesFile = toml::from_str(text).map_err(|it| malformed(it.into()))?;
        let read = |mut exchange: ExchangeFile| {
            let json = exchange.answer.json.take().map(|json| with_files(&json, folder));
            exchange.answer.json = json.transpose()?;
            let bytes = match &exchange.answer.file {
                Some(file) => Some(read_file(&folder.join(file))?),
                None => None,
            };
            Exchange::read(exchange, &file.always, bytes).map_err(malformed)
        };
        Ok(Exchanges(file.exchange.into_iter().map(read).collect::<Result<_, _>>()?))
    }

    fn checked(self) -> Result<Exchanges, ReplayError> {
        let mut names = BTreeSet::new();
        let malformed = |fault| ReplayError::Malformed { file: "exchanges".to_owned(), fault };
        for exchange in &self.0 {
            if !names.insert(exchange.name.as_str()) {
                return Err(malformed(Malformed::Twice(exchange.name.clone())));
            }
        }
        for Exchange { name, after, .. } in &self.0 {
            if let Some(after) = after.as_ref().filter(|after| !names.contains(after.as_str())) {
                let (exchange, after) = (name.clone(), after.clone());
                return Err(malformed(Malformed::After { exchange, after }));
            }
        }
        Ok(self)
    }
}

/// A text with files of the folder in it, in base64.
fn with_files(text: &str, folder: &Path) -> Result<String, ReplayError> {
    let (mut whole, mut rest) = (String::new(), text);
    while let Some((before, (name, after))) =
        rest.split_once(IN_BASE64).and_then(|(before, it)| Some((before, it.split_once('}')?)))
    {
        whole.push_str(before);
        whole.push_str(&STANDARD.encode(read_file(&folder.join(name))?));
        rest = after;
    }
    whole.push_str(rest);
    Ok(whole)
}

fn read_file(path: &Path) -> Result<Vec<u8>, ReplayError> {
    std::fs::read(path).map_err(|error| ReplayError::Unreadable { path: path.to_owned(), error })
}

impl Exchange {
    fn read(
        file: ExchangeFile,
        always: &AlwaysFile,
        bytes: Option<Vec<u8>>,
    ) -> Result<Exchange, Malformed> {
        let name = file.name;
        let request = file.request;
        let both = |always: &BTreeMap<String, String>, own: BTreeMap<String, String>| {
            let mut all = always.clone();
            all.extend(own);
            all
        };
        let exchange = Exchange {
            after: file.after,
            books: file.books,
            times: file.times,
            method: request.method,
            path: request.path,
            query: both(&always.query, request.query),
            headers: both(&always.headers, request.headers),
            wants: wants(&name, request.json, request.form, request.text)?,
            answer: answer(&name, file.answer, bytes)?,
            fault: file.fault,
            name,
        };
        let rule = exchange.texts().into_iter().find_map(pattern::unknown_rule);
        match rule {
            Some(rule) => Err(Malformed::Rule { exchange: exchange.name, rule }),
            None => Ok(exchange),
        }
    }

    fn texts(&self) -> Vec<&str> {
        let tables = self.query.values().chain(self.headers.values());
        let mut all: Vec<&str> = tables.map(String::as_str).collect();
        all.extend(self.path.as_deref());
        match &self.wants {
            Wants::Anything => {}
            Wants::Json(wanted) => all.extend(json::texts(wanted)),
            Wants::Form(form) => all.extend(form.values().map(String::as_str)),
            Wants::Text(text) => all.push(text),
        }
        all
    }
}

fn read_json(name: &str, text: &str) -> Result<Json, Malformed> {
    parse_within(text.as_bytes(), VALUES_MAX).map_err(|_| Malformed::Json(name.to_owned()))
}

fn wants(
    name: &str,
    json: Option<String>,
    form: Option<BTreeMap<String, String>>,
    text: Option<String>,
) -> Result<Wants, Malformed> {
    match (json, form, text) {
        (None, None, None) => Ok(Wants::Anything),
        (Some(json), None, None) => Ok(Wants::Json(read_json(name, &json)?)),
        (None, Some(form), None) => Ok(Wants::Form(form)),
        (None, None, Some(text)) => Ok(Wants::Text(text)),
        _ => Err(Malformed::Bodies(name.to_owned())),
    }
}

fn answer(name: &str, file: AnswerFile, bytes: Option<Vec<u8>>) -> Result<Answer, Malformed> {
    let head = || Malformed::Head(name.to_owned());
    let status = StatusCode::from_u16(file.status.unwrap_or(200)).map_err(|_| head())?;
    let is_header = |(name, value): (&String, &String)| {
        name.parse::<HeaderName>().is_ok() && HeaderValue::from_str(value).is_ok()
    };
    if !file.headers.iter().all(is_header) {
        return Err(head());
    }
    let body = match (file.json, file.text, file.base64, bytes) {
        (None, None, None, None) => Body::Bytes(Bytes::new()),
        (Some(json), None, None, None) => Body::Json(read_json(name, &json)?),
        (None, Some(text), None, None) => Body::Text(text),
        (None, None, Some(text), None) => {
            let bytes = STANDARD.decode(text.split_whitespace().collect::<String>());
            Body::Bytes(bytes.map_err(|_| Malformed::Base64(name.to_owned()))?.into())
        }
        (None, None, None, Some(bytes)) => Body::Bytes(bytes.into()),
        _ => return Err(Malformed::Bodies(name.to_owned())),
    };
    let delay = Duration::from_millis(file.delay_ms);
    Ok(Answer { status, headers: file.headers, body, delay })
}
