//! The password of the demo's user, for pages on which people sign in.

use waybill_domain::audit::Act;
use waybill_domain::password::Password;
use waybill_engine::app::App;
use waybill_engine::change_password::password_note;
use waybill_store::{passwords, users};

use super::error::DemoError;

/// As long as nobody types it by chance.
const LENGTH: usize = 20;
/// Without letters and digits that look alike.
const ALPHABET: &[u8] = b"abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789";

/// The password that was written down, as long as the user has one; else a new one.
pub async fn keep_or_set(
    app: &App,
    email: &str,
    kept: Option<String>,
) -> Result<String, DemoError> {
    let wanted = email.to_owned();
    let user = app.read(move |tx| users::any_find_by_email(tx, &wanted)).await?;
    let user = user.ok_or_else(|| DemoError::NoUser(email.to_owned()))?;
    let id = user.id;
    let is_set = app.read(move |tx| users::any_has_password(tx, id)).await?;
    if let Some(kept) = kept.filter(|_| is_set) {
        return Ok(kept);
    }
    let password = generate(app);
    let typed = Password::typed(&password);
    let hash = app.secrets().passwords().hash(typed, app.ids().clone()).await?;
    let now = app.now();
    let note = password_note(&user, Act::by_operator(app.new_uuid(), now));
    app.write(move |tx| {
        passwords::any_set(tx, id, &hash, now)?;
        note(tx)
    })
    .await?;
    Ok(password)
}

fn generate(app: &App) -> String {
    let mut password = String::with_capacity(LENGTH);
    while password.len() < LENGTH {
        let mut bytes = [0; 64];
        app.ids().fill(&mut bytes);
        // What lies above a multiple of the length would make some characters likelier.
        let fair = bytes.iter().filter(|byte| usize::from(**byte) < 256 - 256 % ALPHABET.len());
        let letters = fair.map(|byte| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()]));
        password.extend(letters.take(LENGTH - password.len()));
    }
    password
}
