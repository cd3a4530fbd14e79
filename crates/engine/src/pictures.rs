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
/// So often is looked whether a process that has said everything is over.
const ENDING: Duration = Duration::from_millis(2);
/// No picture has more bytes.
const BYTES_MAX: u64 = 64 * 1024 * 1024;
/// So many of one team may be drawn or wait for it.
const WAITING_MAX: usize = 100;
/// The exit code that means: this file has no picture.
pub const NOT_DRAWN: u8 = 65;

/// Draws pages, a few at once.
pub struct Pictures {
    program: PathBuf,
    time_max: Duration,
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
        Pictures { program, time_max: TIME_MAX, queue: FairQueue::new(2, 1) }
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
        let time = self.time_max;
        match tokio::time::timeout(time, drawing.draw(bytes)).await {
            Ok(drawn) => drawn,
            // The process ends with what is dropped here.
            Err(_) => Err(PictureError::NotDrawn(format!("it takes more than {time:?}"))),
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
    /// The picture, when the process ends well.
    async fn draw(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, PictureError> {
        let picture = self.converse(bytes).await?;
        // One that has closed its output ends by itself, if it is ours.
        let status = loop {
            match self.0.try_wait()? {
                Some(status) => break status,
                None => tokio::time::sleep(ENDING).await,
            }
        };
        let is_drawn = status.success() && !picture.is_empty();
        if is_drawn { Ok(picture) } else { Err(PictureError::NotDrawn(status.to_string())) }
    }

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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use waybill_domain::ids::TeamId;

    use super::*;

    #[tokio::test]
    async fn a_process_that_closes_its_output_and_goes_on_is_ended() {
        let program = std::env::temp_dir().join(format!("waybill-draws-{}", std::process::id()));
        std::fs::write(&program, "#!/bin/sh\necho picture\nexec >&- <&-\nexec sleep 60\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
        let time_max = Duration::from_millis(500);
        let pictures = Pictures { time_max, ..Pictures::new(program.clone()) };
        let turn = pictures.turn(TeamId(uuid::Uuid::nil())).await.unwrap();
        let wanted = Wanted { page: 1, width: 100, size_mm: None };
        let drawing = pictures.draw(&turn, vec![1], Format::Pdf, wanted);
        let drawn = tokio::time::timeout(Duration::from_secs(20), drawing).await;
        std::fs::remove_file(program).unwrap();
        let Ok(Err(PictureError::NotDrawn(why))) = drawn else { panic!("{drawn:?}") };
        assert_eq!(why, "it takes more than 500ms");
    }
}
