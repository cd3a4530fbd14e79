//! What was seen of a booking, with all that came along.

use std::time::Duration;

use waybill_carriers::booking::{Accepted, Complaint, Found, Outcome, Partial, Why};
use waybill_carriers::plausible;
use waybill_domain::booking::{Obstacle, Seen};
use waybill_domain::fields::FieldErrors;
use waybill_domain::language::Language;
use waybill_domain::words::Message;
use waybill_engine::bound_carrier::Unusable;
use waybill_engine::papers::{Paper, PapersError};

/// An observation with what came along.
pub struct Observed {
    pub seen: Seen,
    pub accepted: Option<Accepted>,
    /// The places of the parcels that the carrier did not take.
    pub missing: Vec<usize>,
    pub complaints: Vec<Complaint>,
    /// What stood in the way on our side.
    pub obstacle: Option<Obstacle>,
    pub papers: Vec<Paper>,
    /// Where people see where each parcel is, where the carrier told that with its papers.
    pub tracking_urls: Vec<Option<String>>,
    /// What it was concluded from.
    pub evidence: Option<String>,
    /// Why the papers could not be made that came with an answer.
    pub papers_error: Option<String>,
    /// How long the carrier asked to be left alone.
    pub patience: Option<Duration>,
}

impl Observed {
    pub fn of(seen: Seen) -> Observed {
        let (accepted, complaints, papers) = (None, Vec::new(), Vec::new());
        let missing = Vec::new();
        Observed {
            seen,
            accepted,
            missing,
            complaints,
            obstacle: None,
            papers,
            tracking_urls: Vec::new(),
            evidence: None,
            papers_error: None,
            patience: None,
        }
    }

    pub fn because(seen: Seen, why: impl Into<Why>) -> Observed {
        let why = why.into();
        let evidence = Some(why.to_string());
        Observed { evidence, complaints: why.said, ..Observed::of(seen) }
    }

    /// A worker that is gone made the open attempt.
    pub fn taken_over() -> Observed {
        let evidence = "the worker that sent it stopped before it had an answer".to_owned();
        Observed { evidence: Some(evidence), ..Observed::of(Seen::TakenOver) }
    }

    /// There is no way to speak to the carrier.
    pub fn no_carrier(seen: Seen, why: &Unusable) -> Observed {
        let obstacle = Some(Obstacle::NoAccount);
        Observed { obstacle, ..Observed::because(seen, why.to_string()) }
    }

    /// The order cannot be said to the carrier.
    pub fn unprepared(problems: &FieldErrors) -> Observed {
        let complaint = |path: &str, message: &Message| Complaint {
            path: Some(path.to_owned()),
            code: None,
            message: message.say(Language::En),
        };
        let each = problems.iter();
        let complaints = each
            .flat_map(|(path, messages)| messages.iter().map(move |it| complaint(path, it)))
            .collect();
        let reason = "the carrier cannot be told this".to_owned();
        Observed::because(Seen::Unsendable, Why { reason, said: complaints })
    }

    fn accepted(accepted: Accepted) -> Observed {
        Observed { accepted: Some(accepted), ..Observed::of(Seen::Accepted) }
    }

    fn partial(partial: Partial) -> Observed {
        let Partial { accepted, missing, complaints } = partial;
        Observed { accepted: Some(accepted), missing, complaints, ..Observed::of(Seen::Partial) }
    }

    pub fn of_papers(made: Result<Vec<Paper>, PapersError>) -> Observed {
        match made {
            Ok(papers) if !papers.is_empty() => {
                Observed { papers, ..Observed::of(Seen::DocumentsReady) }
            }
            Ok(_) => Observed::of(Seen::DocumentsFailed),
            Err(why) => {
                let is_our_place = matches!(why, PapersError::Files(_));
                let obstacle = match is_our_place {
                    true => Obstacle::NotKept,
                    false => Obstacle::DocumentsUnusable,
                };
                let obstacle = Some(obstacle);
                Observed { obstacle, ..Observed::because(Seen::DocumentsFailed, why.to_string()) }
            }
        }
    }

    /// What came of a call. `not_sent` is what it comes to when nothing was sent.
    pub fn of_call(outcome: Outcome, not_sent: Seen) -> Observed {
        let fault = match &outcome {
            Outcome::Accepted(accepted) => plausible::fault(accepted),
            Outcome::Partial(partial) => plausible::fault(&partial.accepted),
            _ => None,
        };
        match fault.map_or(outcome, Outcome::Unknown) {
            Outcome::Accepted(accepted) => Observed::accepted(accepted),
            Outcome::Partial(partial) => Observed::partial(partial),
            Outcome::Rejected(complaints) => {
                Observed { complaints, ..Observed::of(Seen::Rejected) }
            }
            Outcome::AccessDenied(why) => Observed::because(Seen::Unsendable, why),
            Outcome::NotSent(why) => Observed::because(not_sent, why),
            Outcome::TurnedAway(why, patience) => {
                Observed { patience: Some(patience), ..Observed::because(not_sent, why) }
            }
            Outcome::Unknown(why) => Observed::because(Seen::Unclear, why),
        }
    }

    /// What came of a look-up. Nothing for a miss, of which more is to be known.
    pub fn of_look_up(found: Found) -> Option<Observed> {
        let fault = match &found {
            Found::Accepted(accepted) => plausible::fault(accepted),
            Found::Partial(partial) => plausible::fault(&partial.accepted),
            _ => None,
        };
        match fault.map_or(found, Found::Unknown) {
            Found::Accepted(accepted) => Some(Observed::accepted(accepted)),
            Found::Partial(partial) => Some(Observed::partial(partial)),
            Found::Absent => None,
            Found::Unknown(why) => Some(Observed::because(Seen::NoAnswer, why)),
        }
    }
}
