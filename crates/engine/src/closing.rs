//! Closing the day with a carrier, before a manifest is stored. Each account is closed by itself.

use std::collections::HashMap;
use std::time::Duration;

use sha2::{Digest, Sha256};
use tokio::time::timeout;
use waybill_carriers::booking::{Booked, File, Why};
use waybill_carriers::closing::{CloseError, ClosingDay};
use waybill_domain::country::Country;
use waybill_domain::document::DocumentType;
use waybill_domain::ids::{AccountId, TeamId};
use waybill_domain::time::Time;
use waybill_store::shipments::Shipment;
use waybill_store::{Error, carrier_accounts};

use crate::app::App;
use crate::bound_carrier::booked;
use crate::papers::{Paper, measured};
use crate::telemetry::counted;
use crate::vault::AccountError;

/// The longest that a carrier may take for one account.
const TIME_MAX: Duration = Duration::from_secs(20);

/// What is to be closed with a carrier; nothing where the carrier does not want that.
pub struct ClosingDraft {
    carrier_code: String,
    by_account: HashMap<AccountId, Vec<Booked>>,
}

/// Why a day is not closed.
#[derive(Debug, thiserror::Error)]
pub enum NotClosed {
    /// The carrier did not.
    #[error(transparent)]
    Carrier(#[from] CloseError),
    /// We cannot read what it takes.
    #[error(transparent)]
    Store(#[from] Error),
}

impl ClosingDraft {
    /// Nothing to be closed with this carrier yet.
    pub fn new(carrier_code: &str) -> ClosingDraft {
        ClosingDraft { carrier_code: carrier_code.to_owned(), by_account: HashMap::new() }
    }

    /// Adds what the carrier has of these shipments.
    pub async fn add(
        &mut self,
        app: &App,
        team: TeamId,
        shipments: &[Shipment],
    ) -> Result<(), Error> {
        let carrier = app.carriers().get(&self.carrier_code);
        if carrier.is_none_or(|carrier| carrier.closing().is_none()) {
            return Ok(());
        }
        for shipment in shipments {
            let booked = booked(app, team, shipment).await?;
            self.by_account.entry(shipment.account).or_default().extend(booked);
        }
        Ok(())
    }

    /// Closes all of it, and gives what the carrier made of it. What was closed before an error is
    /// asked for again under the same reference by whoever tries again.
    pub async fn close(
        self,
        app: &App,
        team: TeamId,
        country: Option<Country>,
        now: Time,
    ) -> Result<Vec<Paper>, NotClosed> {
        let Some(carrier) = app.carriers().get(&self.carrier_code) else { return Ok(Vec::new()) };
        let Some(closing) = carrier.closing() else { return Ok(Vec::new()) };
        let mut papers = Vec::new();
        for (id, bookings) in self.by_account {
            let row = app.read(move |tx| carrier_accounts::find(tx, team, id)).await?;
            let Some(row) = row else {
                // Nobody can close it any more, and its parcels are handed over all the same.
                tracing::warn!(account = %id, "an account is gone, and its day is not closed");
                continue;
            };
            let unusable = |error: AccountError| CloseError::Unknown(Why::from(error.to_string()));
            let account = app.vault().account(&row).map_err(unusable)?;
            let reference = reference(id, &bookings);
            let date = account.local_time(country, now).date();
            let day = ClosingDay { reference, bookings, date };
            let call = async {
                let late = || CloseError::Unknown(Why::from("no answer in time".to_owned()));
                timeout(TIME_MAX, closing.close(&account, &day)).await.map_err(|_| late())?
            };
            let files = counted(app.clock().as_ref(), carrier.code(), "close", call).await?;
            papers.extend(files.into_iter().flat_map(|file| paper(app, file)));
        }
        Ok(papers)
    }
}

/// The same for the same bookings, in whatever order they are named.
fn reference(account: AccountId, bookings: &[Booked]) -> String {
    let mut references: Vec<&str> = bookings.iter().map(|it| it.reference.as_str()).collect();
    references.sort_unstable();
    let digest = Sha256::digest(format!("{account} {}", references.join(" ")));
    digest[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A file as a paper of the manifest. One that is not fit to be passed on is left out: the day is
/// closed, and ours says what is on it.
fn paper(app: &App, file: File) -> Vec<Paper> {
    let file = File { types: vec![DocumentType::Manifest], ..file };
    measured(app.renderer(), vec![file]).unwrap_or_else(|why| {
        tracing::warn!(%why, "a carrier's file about a closed day is left out");
        Vec::new()
    })
}
