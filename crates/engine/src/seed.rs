//! What a team needs before it can book with the sandbox carrier: for the demo and for benchmarks.

use waybill_domain::ids::{AccountId, TeamId};
use waybill_domain::json::{Json, parse};
use waybill_domain::settings::Settings;
use waybill_store::{Error, carrier_accounts, teams};

use crate::app::App;

/// Gives the team this sender address, a patch of its settings, and an account with the sandbox
/// carrier.
pub async fn seed_sandbox_team(
    app: &App,
    team: TeamId,
    carrier: &str,
    sender: &'static str,
) -> Result<(), Error> {
    let (id, now) = (AccountId(app.new_uuid()), app.now());
    let nothing = Json::Object(Vec::new());
    let account = carrier_accounts::Account {
        id,
        carrier_code: carrier.to_owned(),
        name: "Sandbox".to_owned(),
        is_active: true,
        options: nothing.to_string(),
        credentials: app.vault().seal(id.into(), &nothing, app.ids().as_ref()),
        created_at: now,
        updated_at: now,
    };
    let seeded = app.write(move |tx| {
        carrier_accounts::insert(tx, team, &account)?;
        let broken = |why: String| Error::Broken(why);
        let (text, version) = teams::find_settings(tx, team)?.unwrap_or_default();
        let stored = parse(text.as_bytes()).map_err(|fault| broken(format!("{fault:?}")))?;
        let patch = parse(sender.as_bytes()).map_err(|fault| broken(format!("{fault:?}")))?;
        let settings = Settings::parse(&stored).and_then(|s| s.patched(&patch, |_| false));
        let settings = settings.map_err(|errors| broken(format!("{errors:?}")))?;
        let (json, language) = (settings.to_json().to_string(), settings.language.tag());
        teams::set_settings(tx, team, version, &json, language, now)
    });
    seeded.await.map(drop)
}
