//! What a path of the older API asks for: every part is checked, and all that is wrong is told at
//! once.

use waybill_domain::country::Country;
use waybill_domain::fields::{FieldErrors, one_of};
use waybill_domain::point::{Bounds, Position};
use waybill_domain::words::Message;
use waybill_store::service_points::Set;

use super::page::{Page, read_page};
use super::site::Site;
use crate::reply::ApiError;
use crate::request::Request;

/// The carriers that have agents there, each with the one whose agents stand for its own where
/// things are tried out.
fn carriers() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("carriers.txt").lines().filter_map(|line| line.split_once(' '))
}

/// Whether the agents of a carrier are shown where things are tried out.
pub fn is_for_trying_out(carrier: &str) -> bool {
    carriers().any(|(_, stands_in)| stands_in == carrier)
}

/// Reads parts of a path and collects what is wrong with them.
pub struct Wanted<'a> {
    request: &'a Request,
    site: &'a Site,
    errors: FieldErrors,
}

/// Whose agents are wanted.
#[derive(Clone, Debug)]
pub struct Carrier {
    /// The carrier that was asked for, which the agents are shown with.
    pub shown: &'static str,
    /// The carrier that has them.
    pub code: &'static str,
}

impl Carrier {
    /// Its points in a country.
    pub fn points_in(&self, country: Country) -> Set {
        Set { carrier: self.code.to_owned(), country }
    }
}

impl<'a> Wanted<'a> {
    /// A reader of this request's path.
    pub fn by(request: &'a Request, site: &'a Site) -> Wanted<'a> {
        Wanted { request, site, errors: FieldErrors::default() }
    }

    /// The carrier.
    pub fn carrier(&mut self) -> Option<Carrier> {
        let given = self.text("carrier");
        let Some((shown, stands_in)) = carriers().find(|(known, _)| given == Some(*known)) else {
            let all: Vec<&str> = carriers().map(|(known, _)| known).collect();
            self.errors.add("carrier", one_of(&all));
            return None;
        };
        Some(Carrier { shown, code: if self.site.is_demo { stands_in } else { shown } })
    }

    /// The country, where the path has one.
    pub fn country(&mut self) -> Option<Country> {
        let given = self.text("country")?.to_ascii_uppercase();
        let country = Country::parse(&given);
        if country.is_none() {
            self.errors.add("country", Message::new("not-a-country"));
        }
        country
    }

    /// An area, whose edges belong to it.
    pub fn bounds(&mut self) -> Option<Bounds> {
        let (south, north) = self.range(("minLatitude", "maxLatitude"), 90);
        let (west, east) = self.range(("minLongitude", "maxLongitude"), 180);
        Some(Bounds {
            min: Position { latitude: south?, longitude: west? },
            max: Position { latitude: north?, longitude: east? },
        })
    }

    fn range(
        &mut self,
        (least, most): (&'static str, &'static str),
        max: i32,
    ) -> (Option<i32>, Option<i32>) {
        let (from, to) = (self.degrees(least, max), self.degrees(most, max));
        if from.zip(to).is_some_and(|(from, to)| from > to) {
            let most = self.text(most).unwrap_or_default();
            self.errors.add(least, Message::new("too-large").text("max", most));
        }
        (from, to)
    }

    /// A position, where the path has one.
    pub fn position(&mut self) -> Option<Position> {
        self.text("latitude")?;
        let (latitude, longitude) = (self.degrees("latitude", 90), self.degrees("longitude", 180));
        Some(Position { latitude: latitude?, longitude: longitude? })
    }

    fn degrees(&mut self, name: &str, max: i32) -> Option<i32> {
        let degrees = Position::parse_degrees(self.text(name).unwrap_or_default(), max);
        if degrees.is_none() {
            self.errors.add(name, Message::new("not-degrees").text("max", max));
        }
        degrees
    }

    /// Any other part of the path, as it is.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        let found = self.request.parameters.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The page.
    pub fn page(&mut self) -> Page {
        read_page(self.request, &mut self.errors)
    }

    /// Nothing, or all that is wrong.
    pub fn finish(self) -> Result<(), ApiError> {
        if self.errors.is_empty() { Ok(()) } else { Err(ApiError::Invalid(self.errors)) }
    }
}
