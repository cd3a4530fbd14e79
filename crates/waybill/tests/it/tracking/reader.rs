//! A reader that pages, stops, polls in vain, goes on and is killed in between, while many publish.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use serde_json::Value;
use waybill_api::dispatch;
use waybill_domain::ids::{AccountId, TeamId};
use waybill_domain::tracking::{
    Status, TrackingAnswer, TrackingEvent, TrackingEventKind, TrackingReport, Trigger, fingerprint,
};
use waybill_engine::app::App;
use waybill_engine::ingest::ingest_part;
use waybill_store::feed;

use super::{Parcel, parcel};
use crate::harness::answers::send;
use crate::shipments::fixtures;

const WRITERS: usize = 6;
const ROUNDS: usize = 25;

/// The carrier says something new of a parcel; sometimes the transaction fails in the end.
async fn publish(app: App, team: TeamId, account: AccountId, number: String, writer: usize) {
    for round in 0..ROUNDS {
        let event = |n: usize| TrackingEvent {
            kind: TrackingEventKind::Seen(Status::AtTerminal),
            happened_at: None,
            location: Some(format!("Terminal {writer}")),
            coordinates: None,
            note: None,
            estimate: None,
            fingerprint: fingerprint(&[&writer.to_string(), &round.to_string(), &n.to_string()]),
        };
        let events = (0..=round % 3).map(|n| Ok(event(n))).collect();
        let report = TrackingReport { events, ..TrackingReport::default() };
        let answers = vec![(number.clone(), TrackingAnswer::Report(report))];
        let (now, ids) = (app.now(), app.ids().clone());
        let mut fails = round % 4 == 0;
        loop {
            let (answers, ids) = (answers.clone(), ids.clone());
            let written = app.write(move |tx| {
                let (ids, place) = (ids.as_ref(), (team, account));
                ingest_part(tx, ids, place, Trigger::Callback, &answers, now)?;
                match fails {
                    true => Err(waybill_store::Error::Broken("on purpose".to_owned())),
                    false => Ok(()),
                }
            });
            if written.await.is_ok() {
                break;
            }
            fails = false;
        }
    }
}

async fn get(router: &axum::Router, path: &str, token: &str) -> Value {
    let request = Request::get(path).header("authorization", format!("Bearer {token}"));
    let request = request.body(Body::empty()).unwrap();
    send(router, request).await.expect(200).json()
}

/// Reads from one server or the other. What is saved, is saved with the position after it; what
/// was read when it is killed is read again.
async fn read(
    routers: Vec<axum::Router>,
    base: String,
    token: String,
    random: usize,
    is_over: Arc<AtomicBool>,
) -> Vec<String> {
    let (mut saved, mut cursor): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut turn = random;
    loop {
        let was_over = is_over.load(Ordering::SeqCst);
        turn += 1;
        let per_page = [1, 3, 7, 100][turn % 4];
        let after = cursor.as_ref().map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let path = format!("{base}?per_page={per_page}{after}");
        let body = get(&routers[turn % routers.len()], &path, &token).await;
        if turn % 5 == random % 5 {
            // Killed before anything was saved.
            continue;
        }
        let rows = body["data"].as_array().unwrap();
        saved.extend(rows.iter().map(|row| row["uuid"].as_str().unwrap().to_owned()));
        cursor = Some(body["meta"]["resume_cursor"].as_str().unwrap().to_owned());
        let has_next = body["meta"]["next_cursor"].is_string();
        if rows.is_empty() && !has_next {
            if was_over {
                return saved;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

fixtures! {
    // Rules: Tracking feed 2, 3, 4.
    async fn a_reader_ends_with_exactly_what_was_published(fixture) {
        let mut parcels: Vec<Parcel> = Vec::new();
        for n in 0..3 {
            parcels.push(parcel(&fixture, &format!("READ-{n}")).await);
        }
        let mut servers = vec![fixture.app.api.clone()];
        if fixture.app.app.store().is_shared() {
            servers.push(fixture.app.beside(0, 0));
        }
        let routers: Vec<_> = servers.iter().map(|api| dispatch::router(api.clone())).collect();
        let account = parcels[0].callbacks.rsplit('/').next().unwrap();
        let account = AccountId::parse(account).unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let base = fixture.app.path("/tracking/events");
        let readers: Vec<_> = (0..3).map(|random| {
            let (routers, is_over) = (routers.clone(), is_over.clone());
            tokio::spawn(read(routers, base.clone(), fixture.app.admin.clone(), random, is_over))
        }).collect();
        let writers: Vec<_> = (0..WRITERS).map(|writer| {
            let app = servers[writer % servers.len()].app().clone();
            let number = parcels[writer % parcels.len()].number.clone();
            tokio::spawn(publish(app, fixture.app.team, account, number, writer))
        }).collect();
        for writer in writers {
            writer.await.unwrap();
        }
        is_over.store(true, Ordering::SeqCst);
        let team = fixture.app.team;
        let list = move |tx: &mut waybill_store::Tx<'_>| {
            feed::list(tx, team, Default::default(), 0, 10_000)
        };
        let all = fixture.app.app.read(list).await.unwrap();
        let published: Vec<String> =
            all.iter().map(|entry| entry.recorded.id.to_string()).collect();
        let each_writer: usize = (0..ROUNDS).map(|round| round % 3 + 1).sum();
        assert_eq!(published.len(), WRITERS * each_writer);
        let positions: Vec<i64> = all.iter().map(|entry| entry.recorded.position).collect();
        assert_eq!(positions, (1..=i64::try_from(positions.len()).unwrap()).collect::<Vec<_>>());
        for reader in readers {
            assert_eq!(reader.await.unwrap(), published);
        }
    }
}
