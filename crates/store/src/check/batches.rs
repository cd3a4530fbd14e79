//! The rules about batches: counts that are those of the members, one member in hand, in order.

use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "a batch counts its members as what they are",
        sql: "SELECT batch.state, batch.id FROM batch
                LEFT JOIN shipment ON shipment.team = batch.team AND shipment.batch = batch.id
               GROUP BY batch.team, batch.id, batch.state, member_count, pending_count,
                        processing_count, booked_count, failed_count, cancelled_count
              HAVING member_count <> count(shipment.id)
                  OR pending_count <> sum(CASE WHEN shipment.state = 'pending'
                                               THEN 1 ELSE 0 END)
                  OR processing_count <> sum(CASE WHEN shipment.state = 'processing'
                                                   AND ending IS NULL THEN 1 ELSE 0 END)
                  OR booked_count <> sum(CASE WHEN booked_at IS NOT NULL THEN 1 ELSE 0 END)
                  OR failed_count <> sum(CASE WHEN ending <> 'booked' AND booked_at IS NULL
                                              THEN 1 ELSE 0 END)
                  OR cancelled_count <> sum(CASE WHEN shipment.state = 'cancelled'
                                                  AND ending IS NULL THEN 1 ELSE 0 END)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a member's batch exists",
        sql: "SELECT state, id FROM shipment WHERE batch IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM batch WHERE batch.team = shipment.team
                                    AND batch.id = shipment.batch) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a batch that is being booked has one member in hand",
        sql: "SELECT state, id FROM batch
               WHERE (state IN ('processing', 'stopping')) <> (processing_count = 1) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a batch that is over has nothing left to do",
        sql: "SELECT state, id FROM batch WHERE state IN ('completed', 'stopped')
                 AND (pending_count > 0 OR processing_count > 0) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a batch that waits for its turn has an alarm, or others before it",
        sql: "SELECT state, id FROM batch WHERE state = 'queued'
                 AND NOT EXISTS (SELECT 1 FROM job WHERE kind = 'batch' AND subject = batch.id
                                    AND run_at IS NOT NULL)
                 AND NOT EXISTS (SELECT 1 FROM batch AS other WHERE other.team = batch.team
                                    AND other.state IN ('processing', 'stopping')) LIMIT 100",
        age: None,
    },
    Rule {
        name: "members are begun in the order in which they were added",
        sql: "SELECT state, id FROM shipment AS later
               WHERE batch IS NOT NULL AND state NOT IN ('pending', 'deleted')
                 AND EXISTS (SELECT 1 FROM shipment AS earlier
                              WHERE earlier.team = later.team AND earlier.batch = later.batch
                                AND earlier.batch_position < later.batch_position
                                AND earlier.state = 'pending') LIMIT 100",
        age: None,
    },
    Rule {
        name: "a batch that was started has its event",
        sql: "SELECT state, id FROM batch WHERE started_at IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM event WHERE event.team = batch.team
                                    AND subject = batch.id AND kind = 'booking_batch.started')
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a batch that is over has its event",
        sql: "SELECT state, id FROM batch WHERE finished_at IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM event WHERE event.team = batch.team
                                    AND subject = batch.id
                                    AND kind = 'booking_batch.' || batch.state)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "an event about a batch is about what happened to it, once",
        sql: "SELECT kind, subject FROM event
               WHERE kind IN ('booking_batch.started', 'booking_batch.completed',
                              'booking_batch.stopped')
               GROUP BY team, kind, subject
              HAVING count(*) > 1 OR NOT EXISTS (
                     SELECT 1 FROM batch
                      WHERE batch.team = event.team AND batch.id = event.subject
                        AND CASE event.kind
                            WHEN 'booking_batch.started' THEN started_at IS NOT NULL
                            ELSE 'booking_batch.' || batch.state = event.kind END) LIMIT 100",
        age: None,
    },
];
