//! The demo: a user, a team and a token on an empty database, and a call to try at once.

use std::path::Path;

use waybill_domain::json::{Json, parse};
use waybill_store::teams;

use super::admin::{NewTeam, create_team};
use crate::app::App;
use crate::config::beside;

const DOMAIN: &str = "demo.example.com";

/// Makes the demo's team unless it is there, writes `demo.json` and prints how to go on.
pub async fn prepare(app: &App, database: &str) -> Result<(), String> {
    let path = beside(database, "demo.json");
    let kept = read(&path);
    let team = app
        .store
        .read(|tx| teams::any_find_by_domain(tx, DOMAIN))
        .await
        .map_err(|error| error.to_string())?;
    let (team_uuid, token) = match (team, kept) {
        (Some(team), Some((uuid, token))) if team.id.to_string() == uuid => (uuid, token),
        (Some(_), _) => {
            return Err(format!(
                "the database has a demo team but {} does not know its token: \
                 start with another --database, or make a token with `waybill token create`",
                path.display()
            ));
        }
        (None, _) => {
            let new = NewTeam::named("Demo Shop", DOMAIN, app.clock.now(), app.ids.as_ref());
            let made = create_team(&app.store, new).await?;
            (made.team.to_string(), made.token.expose().clone())
        }
    };
    let demo = Json::object([
        ("base_url", app.base_url.as_str().into()),
        ("team_uuid", team_uuid.as_str().into()),
        ("token", token.as_str().into()),
        ("docs_url", format!("{}/docs", app.base_url).into()),
    ]);
    std::fs::write(&path, format!("{demo}\n"))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    print(&app.base_url, &team_uuid, &token);
    Ok(())
}

fn read(path: &Path) -> Option<(String, String)> {
    let demo = parse(&std::fs::read(path).ok()?).ok()?;
    let text = |name: &str| match demo.member(name) {
        Some(Json::Text(text)) => Some(text.clone()),
        _ => None,
    };
    Some((text("team_uuid")?, text("token")?))
}

fn print(base_url: &str, team: &str, token: &str) {
    println!(
        r#"
Waybill is running. Save a shipment template:

curl {base_url}/v2/teams/{team}/shipment-templates \
  -H "Authorization: Bearer {token}" \
  -H "Content-Type: application/json" \
  -d '{{"title": "Books", "shipment": {{"weight_unit": "g",
       "parcels": [{{"gross_weight": 1200}}]}}}}'

The API, to read and to try: {base_url}/docs
"#
    );
}
