//! Shipment templates: a team's drafts, each a title and a shipment in JSON.

use waybill_domain::ids::{TeamId, TemplateId};
use waybill_domain::time::Time;

use crate::{FromRow, Result, Row, Tx};

/// A draft of a shipment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// Its id.
    pub id: TemplateId,
    /// How it is shown.
    pub title: String,
    /// What it is for.
    pub description: Option<String>,
    /// The shipment as JSON.
    pub shipment: String,
    /// When it was made.
    pub created_at: Time,
    /// When it last changed.
    pub updated_at: Time,
}

impl FromRow for Template {
    fn from_row(row: &mut Row<'_>) -> Result<Template> {
        Ok(Template {
            id: row.next()?,
            title: row.next()?,
            description: row.next()?,
            shipment: row.next()?,
            created_at: row.next()?,
            updated_at: row.next()?,
        })
    }
}

/// Adds a template.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, template: &Template) -> Result<()> {
    tx.exec(
        "INSERT INTO shipment_template (team, id, title, description, shipment,
                                        created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        &[
            team.into(),
            template.id.into(),
            (&template.title).into(),
            template.description.as_deref().into(),
            (&template.shipment).into(),
            template.created_at.into(),
            template.updated_at.into(),
        ],
    )?;
    Ok(())
}

/// The team's template.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: TemplateId) -> Result<Option<Template>> {
    tx.one(
        "SELECT id, title, description, shipment, created_at, updated_at
           FROM shipment_template WHERE team = $1 AND id = $2",
        &[team.into(), id.into()],
    )
}

/// The team's templates, newest first.
pub fn list(tx: &mut Tx<'_>, team: TeamId, offset: i64, limit: i64) -> Result<Vec<Template>> {
    tx.all(
        "SELECT id, title, description, shipment, created_at, updated_at
           FROM shipment_template WHERE team = $1 ORDER BY id DESC LIMIT $2 OFFSET $3",
        &[team.into(), limit.into(), offset.into()],
    )
}

/// How many templates the team has.
pub fn count(tx: &mut Tx<'_>, team: TeamId) -> Result<i64> {
    let count = tx.one("SELECT count(*) FROM shipment_template WHERE team = $1", &[team.into()])?;
    Ok(count.unwrap_or(0))
}

/// Replaces all but the id and the time it was made. False when there is none.
pub fn replace(tx: &mut Tx<'_>, team: TeamId, template: &Template) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE shipment_template
            SET title = $3, description = $4, shipment = $5, updated_at = $6
          WHERE team = $1 AND id = $2",
        &[
            team.into(),
            template.id.into(),
            (&template.title).into(),
            template.description.as_deref().into(),
            (&template.shipment).into(),
            template.updated_at.into(),
        ],
    )?;
    Ok(rows == 1)
}

/// Deletes the template. False when there is none.
pub fn delete(tx: &mut Tx<'_>, team: TeamId, id: TemplateId) -> Result<bool> {
    let rows = tx.exec(
        "DELETE FROM shipment_template WHERE team = $1 AND id = $2",
        &[team.into(), id.into()],
    )?;
    Ok(rows == 1)
}
