//! Other programs that use the database while its server is killed: the tools of operators, and the
//! commands of the program itself. Nothing that they do may cost an acknowledged booking.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::time::Instant;

use super::Failure;
use super::load::Dice;
use super::site::Site;

/// The longest pause between two commands, in milliseconds: the servers need the processors too.
const PAUSE_MAX: u64 = 100;
/// The longest that a command may take.
const COMMAND_MAX: Duration = Duration::from_secs(20);
/// A place of its own in the sequence of the dice.
const SEED: u64 = 77;

/// What other programs did.
#[derive(Default, Debug)]
pub struct Outcome {
    /// Commands that were run.
    pub runs: usize,
    /// Copies of the database that are not whole.
    pub broken_copies: Vec<String>,
}

/// Programs that run until they are told to stop.
pub struct Outsiders {
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<Outcome>,
}

/// One command: what to run, and the copy that it makes.
struct Step {
    command: Command,
    copy: Option<PathBuf>,
}

impl Outsiders {
    /// Starts them beside the servers of the site.
    pub fn start(site: &Site) -> Result<Outsiders, Failure> {
        let is_over = Arc::new(AtomicBool::new(false));
        let toolbox = Toolbox {
            program: site.program().to_owned(),
            folder: site.folder().to_owned(),
            url: site.url.clone(),
        };
        std::fs::write(toolbox.folder.join("points.csv"), POINTS)?;
        let stop = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || toolbox.work(&stop));
        Ok(Outsiders { is_over, thread })
    }

    /// Stops them and tells what they did.
    pub fn finish(self) -> Result<Outcome, Failure> {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| "the thread of other programs panicked".into())
    }
}

const POINTS: &str = "carrier,country,code,name,type,address_line_1,postal_code,city,latitude,\
                      longitude\n\
                      sandbox,DK,X-1,Kiosk,parcel_shop,Vestergade 1,1456,København K,55.6,12.5\n";

/// The commands of the program that work beside a server.
const OWN: [&[&str]; 8] = [
    &["check"],
    &["team", "list"],
    &["user", "list"],
    &["token", "list", "--email", "admin@shop.example.com"],
    &["token", "create", "--email", "admin@shop.example.com", "--name", "outside"],
    &["import", "service-points", "points.csv"],
    &["why", "01890000-0000-7000-8000-000000000000"],
    &["backup", "COPY"],
];

/// What `sqlite3` is asked to do.
const SQLITE: [&str; 5] = [
    "select count(*) from shipment",
    ".backup COPY",
    "vacuum into 'COPY'",
    "pragma wal_checkpoint(truncate)",
    "pragma quick_check",
];

/// What `psql` is asked to do.
const POSTGRESQL: [&str; 3] = ["select count(*) from shipment", "vacuum analyze", "checkpoint"];

struct Toolbox {
    program: PathBuf,
    folder: PathBuf,
    url: String,
}

impl Toolbox {
    fn work(&self, is_over: &AtomicBool) -> Outcome {
        let (mut dice, mut outcome) = (Dice::new(SEED), Outcome::default());
        while !is_over.load(Ordering::Relaxed) {
            let copy = self.folder.join(format!("copy-{}.db", outcome.runs));
            let step = self.choose(&mut dice, &copy);
            self.run(step, &mut outcome);
            std::thread::sleep(Duration::from_millis(dice.below(PAUSE_MAX)));
        }
        outcome
    }

    fn choose(&self, dice: &mut Dice, copy: &Path) -> Step {
        let text = copy.display().to_string();
        let own = |dice: &mut Dice| {
            let words = pick(dice, &OWN);
            let mut command = Command::new(&self.program);
            command.args(words.iter().map(|word| word.replace("COPY", &text)));
            command.args(["--database", &self.url]).env_clear();
            Step { command, copy: words.contains(&"COPY").then(|| copy.to_owned()) }
        };
        match (self.url.strip_prefix("sqlite:"), dice.below(8)) {
            (_, 0..=2) => own(dice),
            (Some(database), 3..=6) => {
                let words = pick(dice, &SQLITE);
                let mut command = Command::new("sqlite3");
                command.arg("-cmd").arg(".timeout 2000").arg(database);
                command.arg(words.replace("COPY", &text));
                Step { command, copy: words.contains("COPY").then(|| copy.to_owned()) }
            }
            // A copy that nobody should trust; taking it must harm nobody.
            (Some(database), _) => {
                let mut command = Command::new("cp");
                for suffix in ["", "-wal", "-shm"] {
                    command.arg(format!("{database}{suffix}"));
                }
                command.arg(self.folder.join("copied"));
                let _there = std::fs::create_dir(self.folder.join("copied"));
                Step { command, copy: None }
            }
            (None, 3..=5) => {
                let mut command = Command::new("psql");
                command.args(["--quiet", "--command", pick(dice, &POSTGRESQL), &self.url]);
                Step { command, copy: None }
            }
            (None, _) => {
                let mut command = Command::new("pg_dump");
                command.args(["--format=custom", "--file"]).arg(copy).arg(&self.url);
                Step { command, copy: None }
            }
        }
    }

    /// A command may fail, as when the server recovers at that moment. A copy that it made may not.
    fn run(&self, mut step: Step, outcome: &mut Outcome) {
        step.command.current_dir(&self.folder).stdin(Stdio::null());
        step.command.stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(mut child) = step.command.spawn() else {
            return outcome.broken_copies.push(format!("{:?} cannot be run", step.command));
        };
        let has_succeeded = wait_or_kill(&mut child);
        outcome.runs += 1;
        if let Some(copy) = step.copy.filter(|_| has_succeeded) {
            let found = integrity(&copy);
            if found != "ok" {
                outcome.broken_copies.push(format!("{:?}: {found}", step.command));
            }
        }
        self.remove_copies();
    }

    fn remove_copies(&self) {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for entry in
            entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("copy-"))
        {
            let _gone = std::fs::remove_file(entry.path());
        }
    }
}

/// Whether the command ends well in time. `.backup` of `sqlite3` begins anew whenever the server
/// writes, and may never end: it is killed, as an operator would.
fn wait_or_kill(child: &mut Child) -> bool {
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if begun.elapsed() < COMMAND_MAX => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Ok(None) | Err(_) => {
                let _killed = child.kill().and_then(|()| child.wait());
                return false;
            }
        }
    }
}

fn pick<'a, T: ?Sized>(dice: &mut Dice, all: &[&'a T]) -> &'a T {
    let index = usize::try_from(dice.below(all.len() as u64)).unwrap_or(0);
    all[index]
}

/// What SQLite's own shell says of a file.
pub fn integrity(database: &Path) -> String {
    let output = Command::new("sqlite3").arg(database).arg("pragma integrity_check").output();
    match output {
        Ok(Output { stdout, stderr, .. }) => {
            let all = [stdout, stderr].concat();
            String::from_utf8_lossy(&all).trim().to_owned()
        }
        Err(error) => error.to_string(),
    }
}
