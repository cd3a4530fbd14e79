//! Pictures of pages. A file that others made may ask for any time and memory, so each picture is
//! drawn by a process of its own: this program again, with limits that it sets for itself before it
//! reads (`waybill/cli/draw_page.rs`). Whatever becomes of it, the service goes on.

use std::io::{Error, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
use waybill_domain::document::Format;
use waybill_domain::ids::TeamId;
use waybill_paper::Wanted;

use crate::fair_queue::{FairQueue, Turn};

/// For how long a picture is drawn at most.
const TIME_MAX: Duration = Duration::from_secs(8);
/// How often it is looked whether a process has ended that has closed its output.
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// No picture has more bytes.
const BYTES_MAX: u64 = 64 * 1024 * 1024;
/// So many of one team may be drawn or wait for it.
const WAITING_MAX: usize = 100;
/// The exit code that means: this file has no picture.
pub const NOT_DRAWN: u8 = 65;

/// Draws pages, a few at once.
pub struct Pictures {
    program: PathBuf,
    queue: Arc<FairQueue>,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The file cannot be drawn, or not within the time and memory that a page gets.
    #[error("the page cannot be drawn: {0}")]
    NotDrawn(String),
    /// Nothing can be drawn now.
    #[error("the process that draws cannot be run: {0}")]
    Unavailable(#[from] Error),
}

impl Pictures {
    /// Pictures that this program draws.
    pub fn new(program: PathBuf) -> Pictures {
        Pictures { program, queue: FairQueue::new(2, 1) }
    }

    /// Waits for the team's turn; none when too many of the team wait already. To be had before the
    /// bytes of the file are read: those of all who wait would be held at once.
    pub async fn turn(&self, team: TeamId) -> Option<Turn> {
        self.queue.take_within(team, WAITING_MAX).await
    }

    /// Draws a page of a file.
    pub async fn draw(
        &self,
        _turn: &Turn,
        bytes: Vec<u8>,
        format: Format,
        wanted: Wanted,
    ) -> Result<Vec<u8>, PictureError> {
        let mut command = self.command(format, wanted);
        let mut drawing = Drawing(command.spawn()?);
        let drawn = async {
            let picture = drawing.converse(bytes).await?;
            drawing.judge(picture).await
        };
        match tokio::time::timeout(TIME_MAX, drawn).await {
            Ok(drawn) => drawn,
            // The process ends with what is dropped here.
            Err(_) => Err(PictureError::NotDrawn(format!("it takes more than {TIME_MAX:?}"))),
        }
    }

    fn command(&self, format: Format, wanted: Wanted) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("draw-page").args(["--format", format.name()]);
        command.args(["--page", &wanted.page.to_string(), "--width", &wanted.width.to_string()]);
        if let Some((width, height)) = wanted.size_mm {
            command.args(["--size", &format!("{width}x{height}")]);
        }
        // Nothing of ours is known there. The allocator must not ask for more at once than it may
        // have in all.
        command.env_clear().env("MIMALLOC_ARENA_RESERVE", "32768").current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }
}

/// A process that draws. It does not outlive this.
struct Drawing(Child);

impl Drawing {
    /// Hands over the file, and takes the picture. Pipes are read and written on threads of their
    /// own, which end with the process.
    async fn converse(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        let (Some(mut to), Some(from)) = (self.0.stdin.take(), self.0.stdout.take()) else {
            return Err(Error::from(ErrorKind::BrokenPipe));
        };
        // Whoever does not want all of it has ended, and tells why by its code.
        let giving = spawn_blocking(move || drop(to.write_all(&bytes)));
        let taking = spawn_blocking(move || {
            let mut picture = Vec::new();
            from.take(BYTES_MAX).read_to_end(&mut picture).map(|_| picture)
        });
        let (_given, taken) = tokio::join!(giving, taking);
        taken.map_err(died)?
    }

    /// The picture, when the process ended well. It may close its output and not end, so nothing
    /// waits for it that cannot be left.
    async fn judge(&mut self, picture: Vec<u8>) -> Result<Vec<u8>, PictureError> {
        let status = loop {
            match self.0.try_wait()? {
                Some(status) => break status,
                None => tokio::time::sleep(LOOK_EVERY).await,
            }
        };
        let is_drawn = status.success() && !picture.is_empty();
        if is_drawn { Ok(picture) } else { Err(PictureError::NotDrawn(status.to_string())) }
    }
}

impl Drop for Drawing {
    fn drop(&mut self) {
        // One that has ended is not there any more.
        let _ended = self.0.kill();
        let _status = self.0.wait();
    }
}

fn died(error: tokio::task::JoinError) -> Error {
    Error::other(error)
}
