//! The demo: a user, a team with a sandbox account and a token on an empty database, and a call to
//! try at once.

mod error;
mod password;

use std::fs::{OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use waybill_api::docs::Demo;
use waybill_domain::access::Scopes;
use waybill_domain::audit::Act;
use waybill_domain::ids::{PrinterId, TeamId};
use waybill_domain::json::{Json, parse};
use waybill_domain::printing::VIRTUAL_PRINTER;
use waybill_engine::app::App;
use waybill_engine::points::{self, RefreshTimes};
use waybill_engine::printing;
use waybill_engine::seed::seed_sandbox_team;
use waybill_store::printers::Printer;
use waybill_store::{carrier_accounts, printers, teams, users};

use super::admin::{AdminError, NewTeam, NewToken, create_team, insert_token};
use super::file_error::FileError;
use super::sandbox;
use crate::config::beside;
pub use error::DemoError;

/// The folder beside the database into which the virtual printer prints.
pub const PRINTED: &str = "printed";

const DOMAIN: &str = "demo.example.com";
const SENDER: &str = r#"{"sender_address": {
    "contact": {"name": "Demo Shop", "company": "Demo Shop ApS",
        "email": "hello@demo.example.com", "phone": "+4533112233"},
    "address": {"address_lines": ["Vesterbrogade 12"], "postal_code": "1620",
        "city": "København V", "country": "DK"}}}"#;

/// Makes the demo's team unless it is there, writes `demo.json` and prints how to go on.
pub async fn prepare(app: &App, database: &str, is_public: bool) -> Result<Demo, DemoError> {
    let path = beside(database, "demo.json");
    let (kept, kept_password) = (read(&path), read_text(&path, "password"));
    let team = app.read(|tx| teams::any_find_by_domain(tx, DOMAIN)).await?;
    let (team_uuid, token) = match (team, kept) {
        (Some(team), Some((uuid, token))) if team.id.to_string() == uuid => (uuid, token),
        // The file was lost, or the first start ended before it was written.
        (Some(team), _) => (team.id.to_string(), another_token(app).await?),
        (None, _) => {
            let new = NewTeam::named("Demo Shop", DOMAIN, app.now(), app.ids().as_ref());
            let made = create_team(app.store(), app.quotas(), new).await?;
            (made.team.to_string(), made.token.expose().clone())
        }
    };
    let printer = complete(app, &team_uuid).await?;
    let email = format!("admin@{DOMAIN}");
    let password = password::keep_or_set(app, &email, kept_password).await?;
    let demo = Json::object([
        ("base_url", app.base_url().into()),
        ("team_uuid", team_uuid.as_str().into()),
        ("domain", DOMAIN.into()),
        ("email", email.as_str().into()),
        ("password", password.as_str().into()),
        ("token", token.as_str().into()),
        ("printer_uuid", printer.map(Json::text).into()),
        ("docs_url", format!("{}/docs", app.base_url()).into()),
    ]);
    write_private(&path, &format!("{demo}\n")).map_err(FileError::of(&path))?;
    print(app.base_url(), &team_uuid, &token);
    print_sign_in(&email, &password);
    if let Some(printer) = printer {
        print_printing(printer, &beside(database, PRINTED));
    }
    Ok(Demo { team: team_uuid, token, is_public })
}

/// Gives the demo's team what it needs to book and print, unless it has it: a start may end at any
/// point. Tells the printer.
async fn complete(app: &App, team_uuid: &str) -> Result<Option<PrinterId>, DemoError> {
    let team = TeamId::parse(team_uuid).ok_or(DemoError::NoUuid)?;
    let accounts = app.read(move |tx| carrier_accounts::list(tx, team)).await?;
    if accounts.is_empty() {
        seed_sandbox_team(app, team, sandbox::CODE, SENDER).await?;
        points::refresh_all(app, &RefreshTimes::default()).await?;
    }
    virtual_printer(app, team).await
}

/// The virtual printer of the team, which is added when the team has no printer. Nothing when it
/// was deleted, or is in another process.
async fn virtual_printer(app: &App, team: TeamId) -> Result<Option<PrinterId>, DemoError> {
    let Ok(uri) = app.printers().locate(VIRTUAL_PRINTER) else { return Ok(None) };
    let known = app.read(move |tx| printers::list(tx, team)).await?;
    let is_virtual = |printer: &&Printer| printer.uri.as_deref() == Some(VIRTUAL_PRINTER);
    if !known.is_empty() {
        return Ok(known.iter().find(is_virtual).map(|printer| printer.id));
    }
    let (report, _) = app.printers().probe(&uri, None).await?;
    let (id, now) = (PrinterId(app.new_uuid()), app.now());
    let names = ("Virtual printer".to_owned(), VIRTUAL_PRINTER.to_owned());
    let printer = Printer::new(id, names, (true, report.abilities), now);
    app.write(move |tx| printing::add_printer(tx, team, &printer, now)).await?;
    Ok(Some(id))
}

/// A new token of the demo's user.
async fn another_token(app: &App) -> Result<String, DemoError> {
    let email = format!("admin@{DOMAIN}");
    let wanted = email.clone();
    let user = app.read(move |tx| users::any_find_by_email(tx, &wanted)).await?;
    let user = user.ok_or(DemoError::NoUser(email))?;
    let all = Scopes::all();
    let new = NewToken::make(user.id, "demo", &all, app.now(), app.ids().as_ref());
    let (row, hash) = (new.row.clone(), new.hash);
    let (limits, act) = (app.quotas().clone(), Act::by_operator(app.new_uuid(), app.now()));
    let made = app.write(move |tx| insert_token(tx, &limits, &row, &hash, &act)).await?;
    made.map_err(AdminError::QuotaReached)?;
    Ok(new.secret.expose().clone())
}

/// The file holds a token: nobody but its owner may read it, whoever made it.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    file.write_all(text.as_bytes())
}

fn read(path: &Path) -> Option<(String, String)> {
    Some((read_text(path, "team_uuid")?, read_text(path, "token")?))
}

/// What the file says under this name.
fn read_text(path: &Path, name: &str) -> Option<String> {
    let demo = parse(&std::fs::read(path).ok()?).ok()?;
    match demo.member(name) {
        Some(Json::Text(text)) => Some(text.clone()),
        _ => None,
    }
}

fn print(base_url: &str, team: &str, token: &str) {
    // A server goes on when nobody reads this.
    let _unread = writeln!(
        std::io::stdout(),
        r#"
Waybill is running. Book a parcel with the sandbox carrier:

export BASE={base_url} TEAM={team}
export TOKEN={token}
curl $BASE/v2/teams/$TEAM/shipments -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" -H "Idempotency-Key: my-first-shipment" \
  -d '{{"reference": "ORDER-1", "delivery": {{"service_code": "sandbox:home"}},
       "parties": {{"customer": {{"contact": {{"name": "Ada Jensen", "phone": "+4530274735",
         "email": "ada@example.com"}}, "address": {{"address_lines": ["Islands Brygge 39"],
         "postal_code": "2300", "city": "København S", "country": "DK"}}}}}},
       "parcels": [{{"gross_weight": {{"value": 1200, "unit": "g"}}}}]}}'

The answer has the label under data.documents[0].url. The API, to read and to try: {base_url}/docs
"#
    );
}

fn print_sign_in(email: &str, password: &str) {
    // As above.
    let _unread = writeln!(
        std::io::stdout(),
        "Where a page asks you to sign in, you are {email} with the password {password}\n"
    );
}

fn print_printing(printer: PrinterId, folder: &Path) {
    let folder = folder.display();
    // As above.
    let _unread = writeln!(
        std::io::stdout(),
        r#"Print that label, with data.documents[0].uuid in place of the dots:

curl $BASE/beta/teams/$TEAM/print-jobs -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" \
  -d '{{"document_uuid": "...", "printer_uuid": "{printer}"}}'

The virtual printer puts its papers into the folder {folder}.
"#
    );
}
