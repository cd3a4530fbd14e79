//! The rules about print jobs.

use std::time::Duration;

use super::rule::{Age, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "a document shows its newest print job",
        sql: "SELECT COALESCE(print_status, 'none'), id FROM document
               WHERE (print_job IS NULL AND print_status IS NOT NULL)
                  OR (print_job IS NOT NULL
                      AND NOT EXISTS (SELECT 1 FROM print_job AS job
                                       WHERE job.team = document.team
                                         AND job.id = document.print_job
                                         AND job.document = document.id
                                         AND job.state = document.print_status))
                  OR EXISTS (SELECT 1 FROM print_job AS newer
                              WHERE newer.team = document.team AND newer.document = document.id
                                AND newer.id > document.print_job)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a document that was never printed has no print job",
        sql: "SELECT job.state, document.id FROM print_job AS job
                JOIN document ON document.team = job.team AND document.id = job.document
               WHERE document.print_job IS NULL LIMIT 100",
        age: None,
    },
    Rule {
        name: "the state of a print job was told",
        sql: "SELECT state, id FROM print_job
               WHERE NOT EXISTS (SELECT 1 FROM event WHERE event.team = print_job.team
                                    AND subject = print_job.id AND kind = 'print_job.updated'
                                    AND occurred_at = print_job.updated_at)
               LIMIT 100",
        age: None,
    },
    // Nothing goes back to pending. Jobs for files of reports go with them, and their events stay.
    Rule {
        name: "an event about a print job is about a state that it entered",
        sql: "SELECT kind, id FROM event
               WHERE kind = 'print_job.updated'
                 AND (EXISTS (SELECT 1 FROM print_job AS job
                               WHERE job.team = event.team AND job.id = event.subject
                                 AND job.state = 'pending'
                                 AND job.created_at <> event.occurred_at)
                      OR (ids LIKE '%\"shipment_uuid\"%'
                          AND NOT EXISTS (SELECT 1 FROM print_job AS job
                                           WHERE job.team = event.team
                                             AND job.id = event.subject)))
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a print job is at one printer job at most",
        sql: "SELECT 'live', print_job FROM print_submission
               WHERE outcome IS NULL OR outcome IN ('accepted', 'unknown')
               GROUP BY team, print_job HAVING count(*) > 1 LIMIT 100",
        age: None,
    },
    Rule {
        name: "a print job is printed when it says when",
        sql: "SELECT state, id FROM print_job
               WHERE (state = 'printed') <> (printed_at IS NOT NULL) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a print job that may have left has its submission",
        sql: "SELECT step, id FROM print_job
               WHERE step IN ('creating', 'sending', 'watching')
                 AND NOT EXISTS (SELECT 1 FROM print_submission AS one
                                  WHERE one.team = print_job.team AND one.print_job = print_job.id
                                    AND one.n = print_job.submission)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a printed job was accepted by its printer",
        sql: "SELECT state, id FROM print_job
               WHERE state = 'printed'
                 AND NOT EXISTS (SELECT 1 FROM print_submission AS one
                                  WHERE one.team = print_job.team AND one.print_job = print_job.id
                                    AND one.outcome = 'accepted')
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a job that a print agent has is held by its spool",
        sql: "SELECT step, id FROM print_job
               WHERE agent IS NOT NULL AND step = 'watching'
                 AND (spool IS NULL
                      OR NOT EXISTS (SELECT 1 FROM print_agent
                                      WHERE print_agent.team = print_job.team
                                        AND print_agent.id = print_job.agent
                                        AND print_agent.deleted_at IS NULL))
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a job that is offered is in no spool",
        sql: "SELECT step, id FROM print_job
               WHERE step = 'ready' AND (spool IS NOT NULL OR sequence <> 0) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a job that a print agent has was reported by it",
        sql: "SELECT step, id FROM print_job
               WHERE spool IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM print_report AS one
                                  WHERE one.team = print_job.team AND one.print_job = print_job.id
                                    AND one.sequence = print_job.sequence)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "printers of a print agent that is not heard are offline",
        sql: "SELECT printer.agent_key, printer.id FROM printer
                JOIN print_agent AS agent ON agent.team = printer.team AND agent.id = printer.agent
               WHERE printer.is_online AND printer.deleted_at IS NULL AND NOT agent.is_online
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a print agent that is online was heard",
        sql: "SELECT name, id FROM print_agent WHERE is_online AND seen_at < $1 LIMIT 100",
        age: Some(Age::Late(Duration::from_mins(5))),
    },
    Rule {
        name: "no file is on its way to a printer for an hour",
        sql: "SELECT step, id FROM print_job
               WHERE step = 'sending' AND sent_at < $1
                 AND silent_since IS NULL
               LIMIT 100",
        age: Some(Age::Late(Duration::from_hours(1))),
    },
];
