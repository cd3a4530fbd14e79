//! Which shipment is meant: people have the order's reference or a tracking number at hand, and
//! seldom a UUID.

use waybill_domain::ids::ShipmentId;
use waybill_store::shipments::{self, Filter, Shipment, Sort};
use waybill_store::teams::{self, Team};
use waybill_store::{Error, Tx};

/// So many shipments of a team are listed.
const LISTED_MAX: usize = 50;

/// A shipment that may be meant.
pub struct Found {
    /// Whose it is.
    pub team: Team,
    /// The shipment.
    pub shipment: Shipment,
}

/// Every shipment that is called so, in all teams.
pub fn find(tx: &mut Tx<'_>, wanted: &str) -> Result<Vec<Found>, Error> {
    let mut found = Vec::new();
    if let Some(id) = ShipmentId::parse(wanted)
        && let Some(team) = shipments::any_find_team(tx, id)?
        && let Some(shipment) = shipments::find(tx, team, id)?
        && let Some(team) = teams::find(tx, team)?
    {
        found.push(Found { team, shipment });
    }
    for team in teams::any_list(tx)? {
        let text = Some(wanted.to_owned());
        let names = [
            Filter { reference: text.clone(), ..Filter::default() },
            Filter { identifier: text.clone(), ..Filter::default() },
            Filter { tracking_number: text, ..Filter::default() },
        ];
        for filter in names {
            let sort = Sort::CreatedDescending;
            let rows = shipments::list(tx, team.id, &filter, sort, None, LISTED_MAX - 1)?;
            for shipment in rows {
                if !found.iter().any(|known: &Found| known.shipment.id == shipment.id) {
                    found.push(Found { team: team.clone(), shipment });
                }
            }
        }
    }
    Ok(found)
}
