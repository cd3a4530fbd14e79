//! A real CUPS that is killed, with a queue that prints on an IPP printer. It is held to its own
//! list of jobs: what it had in hand when it was killed it may give to that printer once more.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::Instant;
use waybill_domain::printing::JobName;

use super::printers::{Paper, Size, Source};
use crate::crash::Failure;
use crate::crash::process::{Process, free_address};

/// It reads all its jobs when it starts.
const READY_MAX: Duration = Duration::from_secs(30);
/// The user that CUPS has for its work. Root starts it as that one.
const OWNER: &str = "lp";
/// Asks for all jobs there ever were.
const JOBS: &str = "{
  OPERATION Get-Jobs
  GROUP operation-attributes-tag
  ATTR charset attributes-charset utf-8
  ATTR naturalLanguage attributes-natural-language en
  ATTR uri printer-uri $uri
  ATTR keyword which-jobs all
  ATTR keyword requested-attributes job-name,job-state,job-k-octets,number-of-documents,copies
  DISPLAY job-name
  DISPLAY job-state
  DISPLAY job-k-octets
  DISPLAY number-of-documents
  DISPLAY copies
}";

/// A CUPS of our own. Its queue outlives its process.
pub struct Cups {
    home: PathBuf,
    at: SocketAddr,
    process: Process,
}

impl Cups {
    /// Starts one whose queue prints on the printer at this address.
    pub async fn start(device: &str) -> Result<Cups, Failure> {
        let at = free_address()?;
        let home = std::env::temp_dir().join(format!("waybill-cups-{}", at.port()));
        write(&home, at)?;
        let process = spawn(&home)?;
        let cups = Cups { home, at, process };
        cups.until_ready().await?;
        let queue = ["-p", "office", "-E", "-v", device, "-m", "everywhere"];
        let mut add = as_owner("lpadmin");
        add.args(queue).env("CUPS_SERVER", at.to_string());
        let added = add.output()?;
        match added.status.success() {
            true => Ok(cups),
            false => Err(format!("no queue: {}", String::from_utf8_lossy(&added.stderr)).into()),
        }
    }

    /// The address of its queue.
    pub fn uri(&self) -> String {
        format!("ipp://{}/printers/office", self.at)
    }

    /// Kills it, and starts it again after a while. What it started lives on.
    pub async fn kill(&mut self, pause: Duration) -> Result<(), Failure> {
        self.process.kill();
        tokio::time::sleep(pause).await;
        self.process = spawn(&self.home)?;
        self.until_ready().await
    }

    /// The jobs that it printed or prints.
    pub fn papers(&self) -> Result<Vec<Paper>, Failure> {
        let mut ask = Command::new("ipptool");
        let asked = ask.args(["-c", &self.uri()]).arg(self.home.join("jobs.ipp")).output()?;
        let text = String::from_utf8(asked.stdout)?;
        // Without a list there is no word of names.
        if !text.starts_with("job-name") {
            return Err(format!("no list of jobs: {text}").into());
        }
        Ok(text.lines().skip(1).filter_map(paper).collect())
    }

    async fn until_ready(&self) -> Result<(), Failure> {
        let started = Instant::now();
        while TcpStream::connect(self.at).await.is_err() {
            if started.elapsed() > READY_MAX {
                return Err(format!("no CUPS; see {}", self.home.display()).into());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }
}

impl Drop for Cups {
    fn drop(&mut self) {
        self.process.kill();
        let _left = std::fs::remove_dir_all(&self.home);
    }
}

/// A line of the list: name, state, kilobytes, documents, copies. A job without a document prints
/// nothing, and neither does one that was cancelled or aborted.
fn paper(line: &str) -> Option<Paper> {
    let mut fields = line.rsplitn(5, ',');
    let mut number = || fields.next().and_then(|text| text.parse::<u64>().ok());
    let (copies, documents, kilobytes) = (number(), number()?, number()?);
    let (state, name) = (fields.next()?, fields.next()?);
    let is_over = matches!(state, "canceled" | "aborted");
    let job = JobName::read(name)?.job().to_string();
    let (size, copies) = (Size::Kilobytes(kilobytes), copies.unwrap_or(1));
    let paper = Paper { source: Source::Cups, job, size, copies, at: String::new() };
    (documents > 0 && !is_over).then_some(paper)
}

fn as_owner(program: &str) -> Command {
    if !rustix::process::geteuid().is_root() {
        return Command::new(program);
    }
    // It becomes the program that it runs, so that its process is the one that is killed.
    let mut command = Command::new("setpriv");
    command.args(["--reuid", OWNER, "--regid", OWNER, "--clear-groups", "--", program]);
    // Debian keeps CUPS where only root looks.
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{path}:/usr/sbin:/sbin"));
    command
}

fn spawn(home: &Path) -> Result<Process, Failure> {
    let mut command = as_owner("cupsd");
    command.arg("-f").arg("-c").arg(home.join("cupsd.conf"));
    command.arg("-s").arg(home.join("cups-files.conf"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(Process(command.spawn()?))
}

fn write(home: &Path, at: SocketAddr) -> Result<(), Failure> {
    let folders = ["root/ppd", "root/ssl", "spool/tmp", "cache", "state", "log"];
    for folder in folders {
        std::fs::create_dir_all(home.join(folder))?;
    }
    let is_root = rustix::process::geteuid().is_root();
    let group = if is_root { format!("SystemGroup {OWNER}\n") } else { String::new() };
    let at_home = home.display();
    let files = format!(
        "ServerRoot {at_home}/root\nRequestRoot {at_home}/spool\nTempDir {at_home}/spool/tmp\n\
         CacheDir {at_home}/cache\nStateDir {at_home}/state\nServerBin /usr/lib/cups\n\
         DataDir /usr/share/cups\nAccessLog {at_home}/log/access\nErrorLog {at_home}/log/error\n\
         PageLog {at_home}/log/page\nPrintcap\n{group}"
    );
    // All jobs stay in its list, with their names for everybody. It waits for a document that was
    // cut off by its end for a quarter of an hour unless it is told otherwise.
    let server = format!(
        "Listen {at}\nBrowsing No\nWebInterface No\nDefaultAuthType None\nDirtyCleanInterval 0\n\
         MultipleOperationTimeout 20\n\
         ErrorPolicy retry-job\nJobRetryInterval 1\nMaxJobs 0\nPreserveJobHistory Yes\n\
         <Location />\n  Order allow,deny\n  Allow 127.0.0.1\n</Location>\n\
         <Policy default>\n  JobPrivateAccess all\n  JobPrivateValues none\n\
         <Limit All>\n    Order deny,allow\n  </Limit>\n</Policy>\n"
    );
    std::fs::write(home.join("cups-files.conf"), files)?;
    std::fs::write(home.join("cupsd.conf"), server)?;
    std::fs::write(home.join("jobs.ipp"), JOBS)?;
    if is_root {
        Command::new("chown").arg("-R").arg(format!("{OWNER}:{OWNER}")).arg(home).status()?;
    }
    Ok(())
}
