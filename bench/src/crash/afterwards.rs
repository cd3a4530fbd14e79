//! What clients do with a shipment once its booking has ended: cancel it, from whatever state the
//! carrier has it in, and ask for its documents again.

use std::time::Duration;

use tokio::time::Instant;

use super::http::{Answer, Request};
use super::load::{Client, PATIENCE};

/// A client asks for one thing this long in all.
const PERSISTENCE: Duration = Duration::from_secs(30);

/// What is wanted afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Afterwards {
    /// Nothing.
    Nothing,
    /// It is cancelled.
    Cancel,
    /// Its documents, until they are there.
    Recover,
    /// Its documents and a cancellation, in turns, until it is cancelled.
    Both,
}

impl Client {
    /// Asks until it is done, and notes what was asked for and answered.
    pub(super) async fn follow_up(&self, reference: &str, shipment: &str, wanted: Afterwards) {
        let started = Instant::now();
        if matches!(wanted, Afterwards::Cancel | Afterwards::Both) {
            self.note(|told| told.cancelling.insert(reference.to_owned()));
        }
        let mut tries = usize::try_from(self.number).unwrap_or(0);
        while wanted != Afterwards::Nothing && started.elapsed() < PERSISTENCE {
            tries += 1;
            let is_recovery = match wanted {
                Afterwards::Recover => true,
                Afterwards::Both => tries.is_multiple_of(2),
                Afterwards::Nothing | Afterwards::Cancel => false,
            };
            let action = if is_recovery { "documents" } else { "cancel" };
            let answer = self.act(shipment, action, tries).await;
            match answer.map_or(0, |answer| answer.status) {
                200 if !is_recovery => {
                    self.note(|told| told.cancelled.insert(reference.to_owned()));
                    return;
                }
                200 if wanted == Afterwards::Recover => return,
                // Half of them believe what they are told: the service asks until it is known.
                502 if wanted == Afterwards::Cancel && self.number.is_multiple_of(2) => return,
                // Not answered, being booked, being asked, unclear, or under way.
                0 | 200 | 202 | 409 | 502 | 503 => {}
                other => return eprintln!("{reference}: {action} gives {other}"),
            }
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
    }

    async fn act(&self, shipment: &str, action: &str, tries: usize) -> Option<Answer> {
        let path = format!("{}/shipments/{shipment}/{action}", self.team);
        let token = &self.tokens[tries % 2];
        let request = Request { method: "POST", path: &path, token, key: "", body: "" };
        self.ask(tries, &request, PATIENCE).await
    }
}
