//! Whoever prints: requests as they go over the line, and what comes back.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};

use waybill_printing::ipp::{Group, Kind, Message, Value, group, operation, parse};

use crate::harness::{Printer, wait_until};

/// The states of a job.
pub const PENDING: i32 = 3;
pub const HELD: i32 = 4;
pub const PROCESSING: i32 = 5;
pub const STOPPED: i32 = 6;
pub const CANCELLED: i32 = 7;
pub const ABORTED: i32 = 8;
pub const COMPLETED: i32 = 9;

/// The statuses that are looked for.
pub const OK: u16 = 0x0000;
pub const NOT_POSSIBLE: u16 = 0x0404;
pub const NOT_FOUND: u16 = 0x0406;
pub const UNKNOWN_OPERATION: u16 = 0x0501;
pub const NOT_ACCEPTING: u16 = 0x0506;
pub const BUSY: u16 = 0x0507;
pub const ONE_DOCUMENT: u16 = 0x0509;

/// One printer of the sandbox, as somebody sees it who prints there.
pub struct Client {
    address: SocketAddr,
    uri: String,
}

impl Client {
    /// The printer with these words at the end of its path.
    pub fn new(printer: &Printer, words: &str) -> Client {
        let path = if words.is_empty() { String::new() } else { format!("/{words}") };
        let address = printer.address;
        Client { address, uri: format!("ipp://{address}/ipp/print{path}") }
    }

    /// The attributes that every request begins with.
    pub fn operation_group(&self) -> Group {
        Group::new(group::OPERATION)
            .with("attributes-charset", Value::text(Kind::Charset, "utf-8"))
            .with("attributes-natural-language", Value::text(Kind::Language, "en"))
            .with("printer-uri", Value::uri(&self.uri))
            .with("requesting-user-name", Value::name("waybill"))
    }

    /// Sends a request with a document behind it. Nothing comes back when the line breaks.
    pub fn send_message(&self, message: &Message, document: &[u8]) -> Option<Message> {
        let body = [&message.encode()[..], document].concat();
        let mut line = self.begin(body.len());
        line.write_all(&body).unwrap();
        let mut answer = Vec::new();
        // A line that is broken on purpose may end with an error.
        let _ = line.read_to_end(&mut answer);
        let at = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
        assert!(answer.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(&answer));
        Some(parse(&answer[at + 4..]).unwrap().0)
    }

    fn begin(&self, length: usize) -> TcpStream {
        let mut line = TcpStream::connect(self.address).unwrap();
        let head = format!(
            "POST /ipp/print HTTP/1.1\r\nHost: {}\r\nContent-Type: application/ipp\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n",
            self.address
        );
        line.write_all(head.as_bytes()).unwrap();
        line
    }

    /// An operation with these attributes.
    pub fn ask(&self, operation: u16, group: Group) -> Option<Message> {
        self.send_message(&Message::new((2, 0), operation, 1).with(group), b"")
    }

    /// Create-Job.
    pub fn create(&self, name: &str) -> Option<Message> {
        self.ask(operation::CREATE_JOB, self.operation_group().with("job-name", Value::name(name)))
    }

    /// Create-Job that is answered well: the number of the job.
    #[track_caller]
    pub fn created(&self, name: &str) -> i32 {
        let answer = self.create(name).unwrap();
        assert_eq!(answer.code, OK);
        answer.group(group::JOB).unwrap().integer("job-id").unwrap()
    }

    fn document(&self, id: i32, format: &str) -> Message {
        let group = self
            .operation_group()
            .with("job-id", Value::Integer(id))
            .with("document-format", Value::text(Kind::MimeType, format))
            .with("last-document", Value::Boolean(true));
        Message::new((2, 0), operation::SEND_DOCUMENT, 1).with(group)
    }

    /// Send-Document with some ZPL.
    pub fn send(&self, id: i32, bytes: &[u8]) -> Option<Message> {
        self.send_message(&self.document(id, "application/vnd.zebra-zpl"), bytes)
    }

    /// Send-Document of which all but the last bytes arrive before the line is cut.
    pub fn send_cut(&self, id: i32, bytes: &[u8], missing: usize) {
        let head = self.document(id, "application/vnd.zebra-zpl").encode();
        let body = [&head[..], bytes].concat();
        let mut line = self.begin(body.len());
        line.write_all(&body[..body.len() - missing]).unwrap();
        line.shutdown(Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        let _ = line.read_to_end(&mut answer);
        assert_eq!(String::from_utf8_lossy(&answer), "", "a line that was cut got an answer");
    }

    /// Print-Job.
    pub fn print(&self, name: &str, format: &str, copies: i32, bytes: &[u8]) -> Option<Message> {
        let group = self
            .operation_group()
            .with("job-name", Value::name(name))
            .with("document-format", Value::text(Kind::MimeType, format));
        let job = Group::new(group::JOB).with("copies", Value::Integer(copies));
        let message = Message::new((2, 0), operation::PRINT_JOB, 1).with(group).with(job);
        self.send_message(&message, bytes)
    }

    /// Cancel-Job: its status.
    pub fn cancel(&self, id: i32) -> u16 {
        let group = self.operation_group().with("job-id", Value::Integer(id));
        self.ask(operation::CANCEL_JOB, group).unwrap().code
    }

    /// Get-Job-Attributes: the job, when the printer knows it.
    pub fn job(&self, id: i32) -> Option<Group> {
        let group = self.operation_group().with("job-id", Value::Integer(id));
        let answer = self.ask(operation::GET_JOB_ATTRIBUTES, group).unwrap();
        match answer.code {
            NOT_FOUND => None,
            code => {
                assert_eq!(code, OK);
                answer.group(group::JOB).cloned()
            }
        }
    }

    /// The state of a job that the printer knows.
    #[track_caller]
    pub fn state(&self, id: i32) -> i32 {
        state(&self.job(id).unwrap())
    }

    /// Waits until a job is in a state.
    #[track_caller]
    pub fn wait_for(&self, id: i32, state: i32) {
        wait_until(&format!("job {id} is in state {state}"), || self.state(id) == state);
    }

    /// Get-Jobs: the numbers of the jobs that are over, or of those that are not.
    pub fn jobs(&self, which: &str) -> Vec<i32> {
        let group = self.operation_group().with("which-jobs", Value::keyword(which));
        let answer = self.ask(operation::GET_JOBS, group).unwrap();
        answer.groups_of(group::JOB).map(|job| job.integer("job-id").unwrap()).collect()
    }

    /// Get-Printer-Attributes.
    pub fn attributes(&self) -> Group {
        let answer = self.ask(operation::GET_PRINTER_ATTRIBUTES, self.operation_group()).unwrap();
        answer.group(group::PRINTER).unwrap().clone()
    }
}

/// The state in the attributes of a job.
pub fn state(job: &Group) -> i32 {
    job.integer("job-state").unwrap()
}

/// The state of the job that an answer tells of.
#[track_caller]
pub fn told_state(answer: Option<Message>) -> i32 {
    state(answer.unwrap().group(group::JOB).unwrap())
}
