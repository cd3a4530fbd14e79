//! A team to be, with its first administrator.

use waybill_domain::access::Role;
use waybill_domain::audit::{Act, Action, Changes};
use waybill_domain::ids::UserId;
use waybill_domain::json::Json;
use waybill_domain::language::Language;
use waybill_domain::settings::Settings;
use waybill_store::teams::Team;
use waybill_store::{Error, Tx, members, teams};

/// Adds the team with its first administrator, and writes both down.
pub fn insert(tx: &mut Tx<'_>, team: &Team, admin: UserId, act: &Act) -> Result<(), Error> {
    let language = Language::parse(&team.language).unwrap_or(Language::En);
    teams::insert(tx, team, &Settings::new(language).to_json().to_string())?;
    let changes = Changes::none()
        .and("name", Json::Null, team.name.as_str().into())
        .and("domain", Json::Null, team.domain.as_str().into())
        .and("language", Json::Null, team.language.as_str().into());
    teams::note(tx, team.id, (Action::TeamCreated, act), &changes)?;
    members::add(tx, team.id, admin, Role::Admin, &act.line(1))?;
    Ok(())
}
