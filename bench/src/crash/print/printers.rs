//! The printers of a run: two processes with many printers each, of which one is never killed, and
//! a line to some of them that breaks.

use std::fs::OpenOptions;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::Instant;
use waybill_domain::printing::{JobName, Uri};
use waybill_outbound::Network;
use waybill_printing::{PrinterNetworks, Printers};

use super::agents::AgentHost;
use super::line::Line;
use super::real::RealPrinters;
use crate::crash::Failure;
use crate::crash::process::{Process, free_address};
use crate::crash::site::Site;

/// A process that takes no connections by then never will.
const READY_MAX: Duration = Duration::from_secs(20);

/// How a printer is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// In the process that is never killed.
    Steady,
    /// There too, over the line that breaks.
    Unsteady,
    /// In the process that is killed.
    Killed,
    /// Where nothing is killed but the agent that has it.
    Agent,
    /// An IPP printer that is not ours.
    Eve,
    /// A CUPS that is killed.
    Cups,
    /// The same by way of an agent.
    AgentCups,
}

impl Access {
    fn is_of_agent(self) -> bool {
        matches!(self, Access::Agent | Access::AgentCups)
    }

    /// Who tells what it printed.
    pub fn source(self) -> Source {
        match self {
            Access::Steady | Access::Unsteady | Access::Killed | Access::Agent => Source::Sandbox,
            Access::Eve => Source::Eve,
            Access::Cups | Access::AgentCups => Source::Cups,
        }
    }
}

/// Who tells of papers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The journals of the sandbox printers.
    Sandbox,
    /// That of the IPP printer.
    Eve,
    /// The list of CUPS.
    Cups,
}

/// How much of a file a paper has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// So many bytes.
    Bytes(u64),
    /// So many times 1,024, of which the last may be begun.
    Kilobytes(u64),
}

impl Size {
    /// Whether that is a file of so many bytes.
    pub fn is_of(self, bytes: u64) -> bool {
        match self {
            Size::Bytes(found) => found == bytes,
            Size::Kilobytes(found) => found == bytes.div_ceil(1024),
        }
    }
}

/// A printer, and how often something is printed there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// Where it is.
    pub access: Access,
    /// The words of its address.
    pub words: &'static str,
    /// The milliseconds between two jobs on average.
    pub pace: u64,
    /// Whether nothing of it keeps a job from being printed for certain.
    pub is_honest: bool,
}

impl Kind {
    /// A printer that everything is expected of.
    pub const fn honest(words: &'static str, pace: u64) -> Kind {
        Kind { access: Access::Steady, words, pace, is_honest: true }
    }

    /// The same by way of an agent.
    pub const fn of_agent(words: &'static str, pace: u64) -> Kind {
        Kind { access: Access::Agent, words, pace, is_honest: true }
    }

    /// One whose jobs may end as `failed` or `unknown`.
    pub const fn awkward(access: Access, words: &'static str, pace: u64) -> Kind {
        Kind { access, words, pace, is_honest: false }
    }
}

/// The printers of a run by hand. The pace leaves a slow one time for what it is given.
pub const KINDS: [Kind; 27] = [
    Kind::honest("", 200),
    Kind::honest("slow=300ms", 800),
    Kind::honest("busy=3s", 400),
    Kind::honest("lose-create", 400),
    Kind::honest("twice", 300),
    Kind::honest("one-at-a-time,lose-create", 500),
    Kind::honest("paper-out=1s", 2500),
    Kind::awkward(Access::Steady, "lose-send", 1000),
    Kind::awkward(Access::Steady, "lose-send,twice,slow=6s", 9000),
    Kind::awkward(Access::Steady, "half,lose-send", 2000),
    Kind::awkward(Access::Steady, "blind", 1000),
    Kind::awkward(Access::Steady, "abort", 800),
    Kind::awkward(Access::Steady, "print-job-only", 300),
    Kind::awkward(Access::Unsteady, "slow=10ms", 300),
    Kind::awkward(Access::Unsteady, "half", 300),
    Kind::awkward(Access::Unsteady, "twice,slow=20ms", 400),
    Kind::awkward(Access::Unsteady, "print-job-only,half", 400),
    Kind::awkward(Access::Killed, "", 300),
    Kind::awkward(Access::Killed, "slow=1s", 1500),
    Kind::awkward(Access::Killed, "ids,slow=200ms", 500),
    Kind::awkward(Access::Killed, "forget", 600),
    Kind::awkward(Access::Killed, "lose-create", 600),
    Kind::awkward(Access::Killed, "print-job-only,slow=200ms", 500),
    Kind::of_agent("", 300),
    Kind::of_agent("slow=200ms", 600),
    Kind::of_agent("lose-create", 600),
    Kind::awkward(Access::Agent, "lose-send,twice,slow=100ms", 2000),
];

/// Printers that others have made. CUPS takes its time for each.
pub const REAL_KINDS: [Kind; 3] = [
    Kind::awkward(Access::Eve, "", 3000),
    Kind::awkward(Access::Cups, "", 6000),
    Kind::awkward(Access::AgentCups, "", 9000),
];

/// A printer that the team knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// What it is.
    pub kind: Kind,
    /// Its id.
    pub id: String,
    /// Its address, without a line that breaks.
    uri: String,
}

/// A paper that came out of a printer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paper {
    /// Who tells of it.
    pub source: Source,
    /// The print job that it belongs to.
    pub job: String,
    /// How much of the file it has.
    pub size: Size,
    /// How many copies it is.
    pub copies: u64,
    /// When it came out.
    pub at: String,
}

/// A process with printers. Its journal outlives it.
pub struct PrinterHost {
    program: PathBuf,
    folder: PathBuf,
    /// Where it listens.
    pub at: SocketAddr,
    process: Process,
}

impl PrinterHost {
    /// Starts one.
    pub async fn start(site: &Site, name: &str) -> Result<PrinterHost, Failure> {
        let (at, folder) = (free_address()?, site.folder().join(name));
        std::fs::create_dir_all(&folder)?;
        let program = site.program().to_owned();
        let process = spawn(&program, &folder, at)?;
        let host = PrinterHost { program, folder, at, process };
        host.until_ready().await?;
        Ok(host)
    }

    /// Kills it, and starts it again after a while.
    pub async fn kill(&mut self, pause: Duration) -> Result<(), Failure> {
        self.end();
        tokio::time::sleep(pause).await;
        self.process = spawn(&self.program, &self.folder, self.at)?;
        self.until_ready().await
    }

    /// Kills it for good.
    pub fn end(&mut self) {
        self.process.kill();
    }

    /// Sends it a signal by name.
    pub fn signal(&self, name: &str) -> Result<(), Failure> {
        self.process.signal(name)
    }

    /// What came out of its printers.
    pub fn papers(&self) -> Result<Vec<Paper>, Failure> {
        let journal = std::fs::read_to_string(self.folder.join("journal.jsonl"))?;
        // The last line may be half written while it prints.
        let whole = journal.rfind('\n').map_or("", |end| &journal[..end]);
        whole.lines().map(|line| Ok(paper(&serde_json::from_str(line)?))).collect()
    }

    async fn until_ready(&self) -> Result<(), Failure> {
        let started = Instant::now();
        while TcpStream::connect(self.at).await.is_err() {
            if started.elapsed() > READY_MAX {
                return Err(format!("no printers; see {}", self.folder.display()).into());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }
}

fn spawn(program: &PathBuf, folder: &std::path::Path, at: SocketAddr) -> Result<Process, Failure> {
    let log = OpenOptions::new().create(true).append(true).open(folder.join("log"))?;
    let mut command = Command::new(program);
    command
        .args(["sandbox-printer", "--listen", &at.to_string(), "--folder"])
        .arg(folder.join("printed"))
        .arg("--journal")
        .arg(folder.join("journal.jsonl"))
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log);
    Ok(Process(command.spawn()?))
}

/// The address of the printer that fares as these words say.
fn uri(at: SocketAddr, words: &str) -> String {
    let path = if words.is_empty() { String::new() } else { format!("/{words}") };
    format!("ipp://{at}/ipp/print{path}")
}

fn paper(line: &Value) -> Paper {
    let name = line["job_name"].as_str().unwrap_or_default();
    let job = JobName::read(name).map_or(name.to_owned(), |name| name.job().to_string());
    let at = line["at"].as_str().unwrap_or_default().to_owned();
    let number = |name: &str| line[name].as_u64().unwrap_or(0);
    let (source, size) = (Source::Sandbox, Size::Bytes(number("bytes")));
    Paper { source, job, size, copies: number("copies"), at }
}

/// All printers of a run.
pub struct Park {
    /// Never killed.
    pub steady: PrinterHost,
    /// Killed.
    pub killed: PrinterHost,
    /// Killed too, where there are printers of its own.
    pub agent: Option<AgentHost>,
    /// Those that others have made.
    pub real: Option<RealPrinters>,
    line: Line,
    /// The printers that the team knows.
    pub known: Vec<Known>,
}

impl Park {
    /// Starts the processes, and tells the team of these printers through a server.
    pub async fn open(site: &Site, server: SocketAddr, kinds: &[Kind]) -> Result<Park, Failure> {
        let steady = PrinterHost::start(site, "steady").await?;
        let killed = PrinterHost::start(site, "killed").await?;
        let line = Line::start(steady.at).await?;
        let real = match kinds.iter().any(|kind| kind.access.source() != Source::Sandbox) {
            true => Some(RealPrinters::start().await?),
            false => None,
        };
        let mut park = Park { steady, killed, agent: None, real, line, known: Vec::new() };
        for kind in kinds.iter().filter(|kind| !kind.access.is_of_agent()) {
            let known = park.add(site, server, *kind).await?;
            park.known.push(known);
        }
        let of_agent = kinds.iter().filter(|kind| kind.access.is_of_agent());
        park.add_agent(site, server, of_agent.copied().collect()).await?;
        Ok(park)
    }

    async fn add_agent(
        &mut self,
        site: &Site,
        server: SocketAddr,
        kinds: Vec<Kind>,
    ) -> Result<(), Failure> {
        if kinds.is_empty() {
            return Ok(());
        }
        let uris: Vec<String> = kinds.iter().map(|kind| self.addresses(*kind).1).collect();
        let (agent, ids) = AgentHost::register(site, server, &uris).await?;
        self.agent = Some(agent);
        let known = kinds.into_iter().zip(ids).zip(uris);
        self.known.extend(known.map(|((kind, id), uri)| Known { kind, id, uri }));
        Ok(())
    }

    async fn add(&self, site: &Site, server: SocketAddr, kind: Kind) -> Result<Known, Failure> {
        let (there, here) = self.addresses(kind);
        let name = format!("{:?} {}", kind.access, kind.words);
        let body = json!({"name": name.trim(), "uri": there}).to_string();
        let started = Instant::now();
        // The line may break while the new printer is asked what it is.
        loop {
            let answer = site.ask_beta(server, "POST", "/printers", &body).await;
            let answer = answer.ok_or("no answer to a new printer")?;
            if let (201, Some(id)) = (answer.status, answer.body["data"]["uuid"].as_str()) {
                return Ok(Known { kind, id: id.to_owned(), uri: here });
            }
            if started.elapsed() > READY_MAX {
                return Err(format!("{name}: {} {}", answer.status, answer.body).into());
            }
        }
    }

    /// Where a printer is for the servers, and where it is without a line that breaks.
    fn addresses(&self, kind: Kind) -> (String, String) {
        let of_sandbox = |at: SocketAddr| uri(at, kind.words);
        let real = self.real.as_ref();
        let cups = || real.map(|real| real.cups.uri()).unwrap_or_default();
        let twice = |uri: String| (uri.clone(), uri);
        match kind.access {
            Access::Steady | Access::Agent => twice(of_sandbox(self.steady.at)),
            Access::Unsteady => (of_sandbox(self.line.at), of_sandbox(self.steady.at)),
            Access::Killed => twice(of_sandbox(self.killed.at)),
            Access::Eve => twice(real.map(|real| real.eve.clone()).unwrap_or_default()),
            Access::Cups | Access::AgentCups => twice(cups()),
        }
    }

    /// What came out of all of them.
    pub fn papers(&self) -> Result<Vec<Paper>, Failure> {
        let real = self.real.as_ref().map(RealPrinters::papers).transpose()?.unwrap_or_default();
        Ok([self.steady.papers()?, self.killed.papers()?, real].concat())
    }

    /// The empty jobs of ours that printers have.
    pub async fn empty_jobs(&self) -> Result<Vec<String>, Failure> {
        let printers = Printers::new(Network::new()?, PrinterNetworks::Any, None);
        let mut left = Vec::new();
        for known in &self.known {
            let uri = Uri::parse(&known.uri).map_err(|problem| format!("{problem:?}"))?;
            for job in printers.connect(&uri).await?.jobs().await? {
                let is_ours = job.name.as_deref().and_then(JobName::read).is_some();
                if is_ours && job.documents == Some(0) {
                    left.push(format!("{} at {}", job.name.unwrap_or_default(), known.uri));
                }
            }
        }
        Ok(left)
    }
}
