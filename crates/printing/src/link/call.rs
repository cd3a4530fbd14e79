//! One request to a printer, and what its answer says.

use bytes::{Bytes, BytesMut};
use hyper::Request;
use hyper::header::{CONTENT_TYPE, HeaderMap};
use tokio::time::Instant;
use waybill_outbound::line::{Response, SendError};

use super::{Link, time_max};
use crate::error::LinkError;
use crate::ipp::{Attribute, BYTES_MAX, Group, Kind, Message, Value, group, parse};
use crate::status::{Purpose, VERSION_NOT_SUPPORTED, check};

/// Who we are at every printer. Some let only the owner of a job see it, or do anything with it.
const USER: &str = "waybill";
const IPP_TYPE: &str = "application/ipp";

/// The versions of IPP that we speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Version {
    Two,
    One,
}

impl Version {
    fn numbers(self) -> (u8, u8) {
        match self {
            Version::Two => (2, 0),
            Version::One => (1, 1),
        }
    }
}

/// What is asked for.
pub(super) struct Call {
    operation: u16,
    purpose: Purpose,
    /// Whether it is about a server and none of its printers.
    is_of_server: bool,
    job: Option<i32>,
    more: Vec<Attribute>,
    template: Option<Group>,
    document: Bytes,
    /// It begins to leave before this moment, or never does.
    send_before: Option<Instant>,
}

impl Call {
    pub fn new(operation: u16, purpose: Purpose) -> Call {
        let (more, document) = (Vec::new(), Bytes::new());
        Call {
            operation,
            purpose,
            is_of_server: false,
            job: None,
            more,
            template: None,
            document,
            send_before: None,
        }
    }

    pub fn of_server(self) -> Call {
        Call { is_of_server: true, ..self }
    }

    pub fn job(self, printer_job: i32) -> Call {
        Call { job: Some(printer_job), ..self }
    }

    pub fn with(mut self, more: Vec<Attribute>) -> Call {
        self.more.extend(more);
        self
    }

    pub fn with_all(self, name: &str, words: &[&str]) -> Call {
        let values = words.iter().map(|word| Value::keyword(*word)).collect();
        self.with(vec![Attribute { name: name.to_owned(), values }])
    }

    pub fn template(self, template: Group) -> Call {
        Call { template: Some(template).filter(|it| !it.attributes.is_empty()), ..self }
    }

    pub fn document(self, document: Bytes, send_before: Option<Instant>) -> Call {
        Call { document, send_before, ..self }
    }

    /// The attributes in the order that printers insist on, and then the document.
    fn encode(&self, version: Version, id: i32, uri: &str) -> Bytes {
        let mut about = Group::new(group::OPERATION)
            .with("attributes-charset", Value::text(Kind::Charset, "utf-8"))
            .with("attributes-natural-language", Value::text(Kind::Language, "en"));
        if !self.is_of_server {
            about = about.with("printer-uri", Value::uri(uri));
        }
        if let Some(job) = self.job {
            about = about.with("job-id", Value::Integer(job));
        }
        about = about.with("requesting-user-name", Value::name(USER));
        about.attributes.extend(self.more.iter().cloned());
        let mut message = Message::new(version.numbers(), self.operation, id).with(about);
        message.groups.extend(self.template.clone());
        let head = message.encode();
        if self.document.is_empty() {
            return head;
        }
        let mut body = BytesMut::with_capacity(head.len() + self.document.len());
        body.extend_from_slice(&head);
        body.extend_from_slice(&self.document);
        body.freeze()
    }
}

impl Link {
    /// Asks, and gives the answer if it is a good one.
    pub(super) async fn ask(&mut self, call: Call) -> Result<Message, LinkError> {
        let mut answer = self.ask_once(&call).await?;
        if answer.code == VERSION_NOT_SUPPORTED && self.version == Version::Two {
            self.version = Version::One;
            answer = self.ask_once(&call).await?;
        }
        check(answer, call.purpose, call.job.is_some())
    }

    async fn ask_once(&mut self, call: &Call) -> Result<Message, LinkError> {
        let started = Instant::now();
        self.last_id = self.last_id.wrapping_add(1).max(1);
        let (operation, id) = (call.operation, self.last_id);
        let result = match self.send(call, id).await {
            Ok(response) => read(&response, id, call.purpose),
            Err(error) => Err(error),
        };
        let (millis, peer) = (started.elapsed().as_millis(), self.line.peer());
        match &result {
            Ok(answer) => {
                let status = answer.code;
                tracing::debug!(operation, %peer, status, millis, "printer answered");
            }
            Err(error) => {
                tracing::debug!(operation, %peer, %error, millis, "printer did not answer");
            }
        }
        result
    }

    async fn send(&mut self, call: &Call, id: i32) -> Result<Response, LinkError> {
        let until = Instant::now() + time_max(call.purpose, call.document.len());
        let request = Request::post(self.uri.endpoint.path.as_str())
            .header(CONTENT_TYPE, IPP_TYPE)
            .body(call.encode(self.version, id, &self.uri.text))
            .map_err(|error| LinkError::NotSent(error.to_string()))?;
        if !self.line.is_ready().await {
            self.line = self.printers.dial(&self.uri, &self.trust).await?;
        }
        if call.send_before.is_some_and(|before| Instant::now() >= before) {
            return Err(LinkError::NotSent("it was too late to send".to_owned()));
        }
        self.line.send_before(call.send_before);
        let time = until.saturating_duration_since(Instant::now());
        self.line.send(request, time, BYTES_MAX).await.map_err(|error| match error {
            SendError::NotSent(why) => LinkError::NotSent(why),
            SendError::Unclear(_) if call.purpose == Purpose::Look && Instant::now() >= until => {
                LinkError::TimedOut
            }
            SendError::Unclear(why) => LinkError::Unclear(why),
        })
    }
}

/// The IPP in an answer of HTTP. What cannot be read proves nothing about a job.
fn read(response: &Response, id: i32, purpose: Purpose) -> Result<Message, LinkError> {
    let status = response.status.as_u16();
    let refused = |message: &str| LinkError::Refused { status, message: message.to_owned() };
    match status {
        200 => {}
        401 if purpose == Purpose::Look => return Err(LinkError::WantsPassword),
        401 => return Err(refused("not-authenticated")),
        403 => return Err(refused("forbidden")),
        404 => return Err(LinkError::NoSuchQueue),
        413 => return Err(refused("the document is too large")),
        426 => return Err(LinkError::WantsTls),
        _ if purpose != Purpose::Look => {
            return Err(LinkError::Unclear(format!("HTTP status {status}")));
        }
        500.. => {
            let message = format!("HTTP status {status}");
            return Err(LinkError::PutOff { status, message });
        }
        _ => return Err(LinkError::NotIpp),
    }
    let answer = Some(&response.body).filter(|_| is_ipp(&response.headers));
    let answer = answer.and_then(|body| parse(body).ok()).map(|(answer, _)| answer);
    match answer.filter(|answer| answer.request_id == id) {
        Some(answer) => Ok(answer),
        None if purpose == Purpose::Look => Err(LinkError::NotIpp),
        None => Err(LinkError::Unclear("the answer is not IPP".to_owned())),
    }
}

fn is_ipp(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(IPP_TYPE))
}
