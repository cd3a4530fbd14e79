//! Where the printers of an agent come from: a CUPS server that is asked again and again, and those
//! that it was told of.

use std::sync::Arc;
use std::time::Duration;

use waybill_printing::queue::QueuePrinter;
use waybill_printing::{CupsQueue, LinkError, Printers};

use crate::options::Sources;
use crate::queue::pause;
use crate::queues::Queues;
use crate::shared::Shared;
use crate::spool::{SpoolError, SpoolPrinter, rows};

/// CUPS is asked for its queues so often, also while there is none.
const ASK: Duration = Duration::from_secs(30);
/// A server knows no more printers of an agent.
pub const PRINTERS_MAX: usize = 100;

/// A printer that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// What the server knows it by.
    pub key: String,
    /// What it is called.
    pub name: String,
    /// Where it is.
    pub uri: String,
}

impl Sources {
    /// The printers that the agent was told of.
    pub fn named(&self) -> Vec<Found> {
        let found = self.printers.iter().map(|printer| Found {
            key: printer.key(),
            name: printer.name.clone(),
            uri: printer.uri.clone(),
        });
        found.collect()
    }

    /// The queues that CUPS has now; none where it is not asked.
    pub async fn queues(&self, printers: &Printers) -> Result<Vec<Found>, LinkError> {
        let Some(cups) = &self.cups else { return Ok(Vec::new()) };
        let queues = printers.connect(cups).await?.queues().await?;
        let wanted = queues.into_iter().filter(|queue| self.has_queue(&queue.name));
        Ok(wanted.map(|queue| found(&queue, queue.uri_at(cups))).collect())
    }
}

fn found(queue: &CupsQueue, uri: String) -> Found {
    let name = queue.info.clone().unwrap_or_else(|| queue.name.clone());
    Found { key: format!("cups:{}", queue.name), name, uri }
}

/// Takes up the printers that are known, and looks for others until nothing is begun any more.
pub async fn follow(
    shared: &Arc<Shared>,
    sources: &Sources,
    printers: &Printers,
    running: &Queues,
) -> Result<(), SpoolError> {
    let mut trouble = None;
    while !shared.is_stopping() {
        match sources.queues(printers).await {
            Ok(queues) => {
                if trouble.take().is_some() {
                    tracing::info!("CUPS answers again");
                }
                let others = sources.printers.len();
                let room = PRINTERS_MAX.saturating_sub(others);
                if queues.len() > room {
                    let left_out = queues.len() - room;
                    tracing::warn!(left_out, "CUPS has more queues than an agent can tell of");
                }
                let queues: Vec<Found> = queues.into_iter().take(room).collect();
                update(shared, "cups:", queues, running).await?;
            }
            Err(error) if trouble.as_ref() != Some(&error) => {
                let cups = sources.cups.as_ref().map(|cups| cups.text.as_str());
                tracing::warn!(%error, cups, "CUPS is not there");
                trouble = Some(error);
            }
            Err(_) => {}
        }
        pause(shared, ASK).await;
    }
    Ok(())
}

/// Begins with what the agent was told and what it knew before: what it holds is printed, whether
/// CUPS and the server answer or not.
pub async fn begin(
    shared: &Arc<Shared>,
    sources: &Sources,
    running: &Queues,
) -> Result<(), SpoolError> {
    update(shared, "uri:", sources.named(), running).await?;
    let (known, busy) = shared
        .spool
        .run(|tx| Ok((rows::list_printers(tx)?, rows::list_printers_with_open(tx)?)))
        .await?;
    let mut unwanted = Vec::new();
    for printer in known {
        let (key, is_wanted) = (printer.key.clone(), sources.has(&printer.key));
        if is_wanted || busy.contains(&key) {
            running.ensure(&key, &printer.seen.uri, is_wanted);
        }
        if !is_wanted {
            unwanted.push(key.clone());
            let is_busy = busy.contains(&key);
            let dropped = shared.spool.run(move |tx| match is_busy {
                true => rows::set_listed(tx, &key, false),
                false => rows::remove_printer(tx, &key),
            });
            dropped.await?;
        }
    }
    let now = shared.clock.now();
    shared.spool.run(move |tx| rows::give_up_orphans(tx, &unwanted, now)).await
}

/// From now on these are the printers whose keys begin so.
async fn update(
    shared: &Arc<Shared>,
    prefix: &'static str,
    found: Vec<Found>,
    running: &Queues,
) -> Result<(), SpoolError> {
    let now_there = found.clone();
    let is_news = shared.spool.run(move |tx| {
        let listed = |all: Vec<SpoolPrinter>| {
            let all = all.into_iter().filter(|printer| printer.is_listed);
            all.map(|printer| (printer.key, printer.name, printer.seen.uri)).collect::<Vec<_>>()
        };
        let before = listed(rows::list_printers(tx)?);
        for (key, ..) in before.iter().filter(|(key, ..)| key.starts_with(prefix)) {
            if !now_there.iter().any(|one| one.key == *key) {
                rows::set_listed(tx, key, false)?;
            }
        }
        for one in now_there {
            let seen = QueuePrinter::unseen(one.uri);
            rows::add_printer(tx, (&one.key, &one.name), &seen)?;
        }
        Ok(before != listed(rows::list_printers(tx)?))
    });
    let is_news = is_news.await?;
    for one in found {
        running.ensure(&one.key, &one.uri, true);
    }
    if is_news {
        shared.printers.notify_one();
    }
    Ok(())
}
