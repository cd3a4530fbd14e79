//! The rules about parcels that are followed: each is what its history says, and the feed has every
//! entry once, in one order.

use std::time::Duration;

use uuid::Uuid;
use waybill_domain::ids::TeamId;
use waybill_domain::tracking::TrackingSummary;

use super::rule::{Age, CHUNK, Rule, Violation};
use crate::trackings::Tracking;
use crate::{Result, Tx, feed};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "a parcel that has a number is followed",
        sql: "SELECT tracking_number.number, tracking_number.shipment FROM tracking_number
                JOIN shipment ON shipment.team = tracking_number.team
                 AND shipment.id = tracking_number.shipment
               WHERE accepted_at >= (SELECT applied_at FROM schema_migration WHERE version = 7)
                 AND NOT EXISTS (SELECT 1 FROM tracking
                                  WHERE tracking.team = tracking_number.team
                                    AND tracking.shipment = tracking_number.shipment
                                    AND tracking.number = tracking_number.number) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a parcel is followed in its shipment",
        sql: "SELECT number, id FROM tracking
               WHERE NOT EXISTS (SELECT 1 FROM tracking_number
                                  WHERE tracking_number.team = tracking.team
                                    AND tracking_number.shipment = tracking.shipment
                                    AND tracking_number.number = tracking.number) LIMIT 100",
        age: None,
    },
    Rule {
        name: "an end has its time",
        sql: "SELECT state, id FROM tracking_event
               WHERE (state = 'Delivered' AND delivered_at IS NULL)
                  OR (state = 'Returned' AND returned_at IS NULL) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a feed has every position once",
        sql: "SELECT 'feed', team FROM feed
               WHERE last <> (SELECT count(*) FROM tracking_event
                               WHERE tracking_event.team = feed.team)
                  OR last <> COALESCE((SELECT max(position) FROM tracking_event
                                        WHERE tracking_event.team = feed.team), 0) LIMIT 100",
        age: None,
    },
    Rule {
        name: "what was heard is in a feed",
        sql: "SELECT code, id FROM tracking_event
               WHERE position < 1
                  OR NOT EXISTS (SELECT 1 FROM feed WHERE feed.team = tracking_event.team)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a parcel that was heard of has its event",
        sql: "SELECT state, id FROM tracking
               WHERE updated_at IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM event WHERE event.team = tracking.team
                                    AND subject = tracking.id AND kind = 'tracking.updated'
                                    AND occurred_at = tracking.updated_at) LIMIT 100",
        age: None,
    },
    Rule {
        name: "an event about a parcel is about something that was heard",
        sql: "SELECT kind, id FROM event
               WHERE kind = 'tracking.updated'
                 AND NOT EXISTS (SELECT 1 FROM tracking_event
                                  WHERE tracking_event.team = event.team
                                    AND tracking = event.subject
                                    AND recorded_at = event.occurred_at) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a parcel that is to be looked at has an alarm",
        sql: "SELECT state, id FROM tracking
               WHERE look_at IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM unscheduled_tracking
                                  WHERE unscheduled_tracking.tracking = tracking.id)
                 AND NOT EXISTS (SELECT 1 FROM shipment WHERE shipment.team = tracking.team
                                    AND shipment.id = tracking.shipment
                                    AND shipment.state = 'cancelled')
                 AND NOT EXISTS (SELECT 1 FROM job WHERE kind = 'track'
                                    AND subject = tracking.account AND run_at IS NOT NULL)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a parcel that is followed soon has an alarm",
        sql: "SELECT CAST(account AS TEXT), tracking FROM unscheduled_tracking
               WHERE since < $1 ORDER BY since LIMIT 100",
        age: Some(Age::Late(Duration::from_mins(5))),
    },
];

const FOLD: &str = "a parcel's summary is the fold of its history";

/// Folds every history again.
pub(super) fn check_folds(tx: &mut Tx<'_>, violations: &mut Vec<Violation>) -> Result<()> {
    let mut after = (Uuid::nil(), Uuid::nil());
    loop {
        let rows: Vec<(TeamId, Tracking)> = tx.all(
            "SELECT team, id, shipment, parcel, place, account, carrier_code, service_code,
                    number, url, state, status, newest_at, estimate_start, estimate_end,
                    estimated_at, delivered_at, returned_at, updated_at, created_at, look_at
               FROM tracking WHERE (team, id) > ($1, $2) ORDER BY team, id LIMIT $3",
            &[after.0.into(), after.1.into(), CHUNK.into()],
        )?;
        let Some((team, last)) = rows.last() else { return Ok(()) };
        after = ((*team).into(), last.id.into());
        for (team, tracking) in &rows {
            if !is_fold(tx, *team, tracking)? {
                violations.push(Violation::new(FOLD, format!("tracking {}", tracking.id)));
            }
        }
    }
}

fn is_fold(tx: &mut Tx<'_>, team: TeamId, tracking: &Tracking) -> Result<bool> {
    let mut summary = TrackingSummary::default();
    for recorded in feed::list_of(tx, team, tracking.id)? {
        let Some(recorded_at) = recorded.after.updated_at else { return Ok(false) };
        summary.apply(&recorded.event, recorded_at);
        if summary != recorded.after {
            return Ok(false);
        }
    }
    Ok(summary == tracking.summary)
}
