//! The rules about events: one for every change, none without, and each told to whom it concerns.
//! Changes from before there were events are not asked for any.

use std::time::Duration;

use super::rule::{Age, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "a booked shipment has its event",
        sql: "SELECT state, id FROM shipment
               WHERE booked_at >= (SELECT applied_at FROM schema_migration WHERE version = 5)
                 AND NOT EXISTS (SELECT 1 FROM event WHERE event.team = shipment.team
                                    AND subject = shipment.id AND kind = 'shipment.booked')
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a failed shipment has its event",
        sql: "SELECT state, id FROM shipment
               WHERE state = 'failed'
                 AND updated_at >= (SELECT applied_at FROM schema_migration WHERE version = 5)
                 AND NOT EXISTS (SELECT 1 FROM event WHERE event.team = shipment.team
                                    AND subject = shipment.id AND kind = 'shipment.failed')
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "the last that is known of a failed shipment was told",
        sql: "SELECT state, id FROM shipment
               WHERE state = 'failed' AND step = 'done'
                 AND updated_at >= (SELECT applied_at FROM schema_migration WHERE version = 12)
                 AND NOT EXISTS (SELECT 1 FROM event WHERE event.team = shipment.team
                                    AND subject = shipment.id AND kind = 'shipment.failed'
                                    AND occurred_at >= shipment.updated_at)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a cancelled shipment has its event",
        sql: "SELECT state, id FROM shipment
               WHERE cancelled_at >= (SELECT applied_at FROM schema_migration WHERE version = 5)
                 AND NOT EXISTS (SELECT 1 FROM event WHERE event.team = shipment.team
                                    AND subject = shipment.id AND kind = 'shipment.cancelled')
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a deleted shipment has its event",
        sql: "SELECT state, id FROM shipment
               WHERE state = 'deleted'
                 AND updated_at >= (SELECT applied_at FROM schema_migration WHERE version = 5)
                 AND NOT EXISTS (SELECT 1 FROM event WHERE event.team = shipment.team
                                    AND subject = shipment.id AND kind = 'shipment.deleted')
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a report that ended has its event",
        sql: "SELECT state, id FROM report
               WHERE state <> 'pending'
                 AND updated_at >= (SELECT applied_at FROM schema_migration WHERE version = 5)
                 AND NOT EXISTS (SELECT 1 FROM event WHERE event.team = report.team
                                    AND subject = report.id AND kind = 'report.' || report.state)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a manifest has its event",
        sql: "SELECT carrier_code, id FROM manifest
               WHERE created_at >= (SELECT applied_at FROM schema_migration WHERE version = 5)
                 AND NOT EXISTS (SELECT 1 FROM event WHERE event.team = manifest.team
                                    AND subject = manifest.id AND kind = 'manifest.created')
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "an event about a shipment is about what happened to it",
        sql: "SELECT kind, id FROM event
               WHERE kind IN ('shipment.booked', 'shipment.failed', 'shipment.cancelled',
                              'shipment.deleted')
                 AND NOT EXISTS (
                     SELECT 1 FROM shipment
                      WHERE shipment.team = event.team AND shipment.id = event.subject
                        AND CASE event.kind
                            WHEN 'shipment.booked' THEN booked_at IS NOT NULL
                            WHEN 'shipment.cancelled' THEN state = 'cancelled'
                            WHEN 'shipment.deleted' THEN state = 'deleted'
                            ELSE ending IS NOT NULL END)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "what happens once is told once",
        sql: "SELECT kind, subject FROM event
               WHERE kind IN ('shipment.booked', 'shipment.cancelled', 'shipment.deleted')
               GROUP BY team, kind, subject HAVING count(*) > 1 LIMIT 100",
        age: None,
    },
    Rule {
        name: "an event is soon told to whom it concerns",
        sql: "SELECT kind, event FROM pending_event WHERE since < $1 LIMIT 100",
        age: Some(Age::Late(Duration::from_mins(5))),
    },
    Rule {
        name: "a delivery that waits has an alarm",
        sql: "SELECT state, id FROM delivery WHERE next_at IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM job WHERE kind = 'deliver'
                                    AND subject = delivery.webhook AND run_at IS NOT NULL)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "nothing is sent later than a day after the first attempt",
        sql: "SELECT state, delivery.id FROM delivery
                JOIN delivery_attempt ON delivery_attempt.team = delivery.team
                 AND delivery_attempt.delivery = delivery.id
               WHERE attempted_at > started_at + 86400000000 LIMIT 100",
        age: None,
    },
];
