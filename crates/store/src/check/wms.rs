//! The rules about the warehouse. Those about the stock are asked every minute too, of the levels
//! that changed last: reading all of them would take too long.

use std::time::Duration;

use super::rule::{Age, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "what lies somewhere is what came less what went",
        sql: "SELECT 'level', id FROM wms_level AS level
               WHERE on_hand <> (SELECT CAST(COALESCE(sum(delta), 0) AS BIGINT)
                                   FROM wms_adjustment AS one
                                  WHERE one.team = level.team AND one.item = level.item
                                    AND one.location = level.location)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "what changed lately somewhere is what came less what went",
        sql: "SELECT 'level', id
                FROM (SELECT team, item, location, id, on_hand FROM wms_level
                       WHERE updated_at > $1 ORDER BY updated_at DESC LIMIT 1000) AS level
               WHERE on_hand <> (SELECT CAST(COALESCE(sum(delta), 0) AS BIGINT)
                                   FROM wms_adjustment AS one
                                  WHERE one.team = level.team AND one.item = level.item
                                    AND one.location = level.location)
               LIMIT 100",
        age: Some(Age::Broken(Duration::from_mins(2))),
    },
    Rule {
        name: "what is reserved is what requests hold",
        sql: "SELECT 'level', id FROM wms_level AS level
               WHERE reserved <> (SELECT CAST(COALESCE(sum(quantity), 0) AS BIGINT)
                                    FROM wms_hold AS hold
                                   WHERE hold.team = level.team AND hold.item = level.item
                                     AND hold.location = level.location)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "what was reserved lately is what requests hold",
        sql: "SELECT 'level', id
                FROM (SELECT team, item, location, id, reserved FROM wms_level
                       WHERE updated_at > $1 ORDER BY updated_at DESC LIMIT 1000) AS level
               WHERE reserved <> (SELECT CAST(COALESCE(sum(quantity), 0) AS BIGINT)
                                    FROM wms_hold AS hold
                                   WHERE hold.team = level.team AND hold.item = level.item
                                     AND hold.location = level.location)
               LIMIT 100",
        age: Some(Age::Broken(Duration::from_mins(2))),
    },
    Rule {
        name: "a request that is allocated, picking or packed holds all that it wants",
        sql: "SELECT request.state, request.id FROM wms_fulfilment AS request
                JOIN wms_line AS line
                  ON line.team = request.team AND line.fulfilment = request.id
               WHERE request.state IN ('allocated', 'picking', 'packed')
                 AND line.quantity <> (SELECT CAST(COALESCE(sum(hold.quantity), 0) AS BIGINT)
                                         FROM wms_hold AS hold
                                        WHERE hold.team = line.team
                                          AND hold.fulfilment = line.fulfilment
                                          AND hold.item = line.item)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "no other request holds anything",
        sql: "SELECT request.state, request.id FROM wms_hold AS hold
                JOIN wms_fulfilment AS request
                  ON request.team = hold.team AND request.id = hold.fulfilment
               WHERE request.state NOT IN ('allocated', 'picking', 'packed') LIMIT 100",
        age: None,
    },
    Rule {
        name: "a shipped request has a shipment that was booked for it",
        sql: "SELECT state, id FROM wms_fulfilment AS request
               WHERE state = 'shipped'
                 AND NOT EXISTS (SELECT 1 FROM shipment
                                  WHERE shipment.team = request.team
                                    AND shipment.id = request.shipment
                                    AND shipment.fulfilment = request.id
                                    AND shipment.booked_at IS NOT NULL)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a shipment that was booked for a request has shipped it",
        sql: "SELECT shipment.state, shipment.id FROM shipment
               WHERE shipment.fulfilment IS NOT NULL AND shipment.booked_at IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM wms_fulfilment AS request
                                  WHERE request.team = shipment.team
                                    AND request.id = shipment.fulfilment
                                    AND request.shipment = shipment.id
                                    AND request.state = 'shipped')
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a request has a live shipment at most, and knows it",
        sql: "SELECT shipment.state, shipment.id FROM shipment
               WHERE shipment.fulfilment IS NOT NULL
                 AND (shipment.state IN ('processing', 'booked')
                      OR (shipment.state = 'failed' AND shipment.step <> 'done'))
                 AND NOT EXISTS (SELECT 1 FROM wms_fulfilment AS request
                                  WHERE request.team = shipment.team
                                    AND request.id = shipment.fulfilment
                                    AND request.shipment = shipment.id
                                    AND request.state IN ('packed', 'shipped'))
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "what a shipped request took is what it wanted",
        sql: "SELECT request.state, request.id FROM wms_fulfilment AS request
                JOIN wms_line AS line
                  ON line.team = request.team AND line.fulfilment = request.id
               WHERE request.state = 'shipped'
                 AND line.quantity <> (SELECT CAST(COALESCE(-sum(one.delta), 0) AS BIGINT)
                                         FROM wms_adjustment AS one
                                        WHERE one.team = line.team
                                          AND one.fulfilment = line.fulfilment
                                          AND one.item = line.item)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "nothing left for another request, or for an item that is on none of its lines",
        sql: "SELECT 'adjustment', one.id FROM wms_adjustment AS one
               WHERE one.fulfilment IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM wms_fulfilment AS request
                                  JOIN wms_line AS line ON line.team = request.team
                                   AND line.fulfilment = request.id
                                 WHERE request.team = one.team AND request.id = one.fulfilment
                                   AND line.item = one.item AND request.state = 'shipped')
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "a request that is over wants nothing any more, and every other does",
        sql: "SELECT request.state, request.id FROM wms_fulfilment AS request
                JOIN wms_line AS line
                  ON line.team = request.team AND line.fulfilment = request.id
               WHERE line.is_open = (request.state IN ('shipped', 'cancelled')) LIMIT 100",
        age: None,
    },
    Rule {
        name: "the last change of a fulfilment request was told",
        sql: "SELECT state, id FROM wms_fulfilment AS request
               WHERE NOT EXISTS (SELECT 1 FROM event
                                  WHERE event.team = request.team AND subject = request.id
                                    AND kind = 'wms.fulfilment_request.updated'
                                    AND occurred_at = request.updated_at)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "an event about a fulfilment request is about one that is there",
        sql: "SELECT kind, id FROM event
               WHERE kind = 'wms.fulfilment_request.updated'
                 AND NOT EXISTS (SELECT 1 FROM wms_fulfilment AS request
                                  WHERE request.team = event.team
                                    AND request.id = event.subject)
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "nothing of an item that was removed is in stock or wanted",
        sql: "SELECT 'item', id FROM wms_item AS item
               WHERE deleted_at IS NOT NULL
                 AND (EXISTS (SELECT 1 FROM wms_level AS level
                               WHERE level.team = item.team AND level.item = item.id
                                 AND (on_hand <> 0 OR is_listed))
                      OR EXISTS (SELECT 1 FROM wms_line AS line
                                  WHERE line.team = item.team AND line.item = item.id
                                    AND line.is_open))
               LIMIT 100",
        age: None,
    },
];
