//! Which routes a path of the older API has. Its clients put whatever a customer typed into paths:
//! each part is decoded once and by itself, so that an encoded slash divides nothing, and a street
//! is all of the rest. One slash at the end does not count.

use std::sync::Arc;

use super::dialect::LEGACY;
use crate::dialect::Dialect;
use crate::routes::Route;

/// Below these everything is of the older API, also what is not there.
const AREAS: [&str; 2] = ["/api/v1/", "/api/v2/"];
/// The parameter that takes the rest of a path, where it is the last one.
const REST: &str = "street";

/// What stands at a path.
pub(crate) struct Found {
    /// Its routes; none when nothing has that path.
    pub routes: Option<Arc<Vec<Route>>>,
    /// The parameters in it.
    pub parameters: Vec<(String, String)>,
    /// How it speaks.
    pub dialect: &'static Dialect,
}

/// Whether the path is one of the older API.
pub fn is_legacy(path: &str) -> bool {
    AREAS.iter().any(|area| path.starts_with(area))
}

/// The paths of the older API. Of two that fit, the one with fewer parameters is meant.
#[derive(Default)]
pub(crate) struct Paths(Vec<(Vec<Part>, Arc<Vec<Route>>)>);

enum Part {
    Literal(String),
    Parameter(String),
    Rest(String),
}

impl Paths {
    /// Adds the routes of a path.
    pub fn add(&mut self, path: &str, routes: Arc<Vec<Route>>) {
        let names: Vec<&str> = split(path).collect();
        let part = |(index, text): (usize, &&str)| match text
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'))
        {
            None => Part::Literal((*text).to_owned()),
            Some(REST) if index + 1 == names.len() => Part::Rest(REST.to_owned()),
            Some(name) => Part::Parameter(name.to_owned()),
        };
        let parts: Vec<Part> = names.iter().enumerate().map(part).collect();
        self.0.push((parts, routes));
        self.0.sort_by_key(|(parts, _)| {
            parts.iter().filter(|part| !matches!(part, Part::Literal(_))).count()
        });
    }

    /// What stands at a path as it was sent; nothing where that is not of the older API.
    pub fn find(&self, path: &str) -> Option<Found> {
        if !is_legacy(path) {
            return None;
        }
        let given: Option<Vec<String>> = split(path).map(decode).collect();
        let given = given.unwrap_or_default();
        let fitting = |(parts, routes): &(Vec<Part>, Arc<Vec<Route>>)| {
            let parameters = fit(parts, &given)?;
            let dialect = routes.first().map_or(&LEGACY, |route| route.dialect);
            Some(Found { routes: Some(routes.clone()), parameters, dialect })
        };
        let nothing = || Found { routes: None, parameters: Vec::new(), dialect: &LEGACY };
        Some(self.0.iter().find_map(fitting).unwrap_or_else(nothing))
    }
}

/// The parts of a path, without one slash at its end.
fn split(path: &str) -> impl Iterator<Item = &str> {
    let path = path.strip_suffix('/').unwrap_or(path);
    path.strip_prefix('/').unwrap_or(path).split('/')
}

/// The parameters, where the path fits. None of them is empty.
fn fit(parts: &[Part], given: &[String]) -> Option<Vec<(String, String)>> {
    let has_rest = matches!(parts.last(), Some(Part::Rest(_)));
    if given.len() < parts.len() || (given.len() > parts.len() && !has_rest) {
        return None;
    }
    let fits = |(part, given): (&Part, &String)| match part {
        Part::Literal(text) => text == given,
        Part::Parameter(_) | Part::Rest(_) => true,
    };
    if !parts.iter().zip(given).all(fits) {
        return None;
    }
    let mut parameters = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let (name, value) = match part {
            Part::Literal(_) => continue,
            Part::Parameter(name) => (name, given[index].clone()),
            Part::Rest(name) => (name, given[index..].join("/")),
        };
        if value.is_empty() {
            return None;
        }
        parameters.push((name.clone(), value));
    }
    Some(parameters)
}

/// A part without its percents; nothing when it is not UTF-8. A percent that is not followed by two
/// digits stands for itself.
fn decode(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [first, others @ ..] = rest {
        let encoded = match (first, others) {
            (b'%', [high, low, ..]) => digit(*high).zip(digit(*low)),
            _ => None,
        };
        bytes.push(encoded.map_or(*first, |(high, low)| high * 16 + low));
        rest = if encoded.is_some() { &others[2..] } else { others };
    }
    String::from_utf8(bytes).ok()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(path: &str) -> Option<Vec<String>> {
        let mut paths = Paths::default();
        for path in [
            "/api/v1/website/{team}",
            "/api/v1/website/{team}/shipments/{shipment}",
            "/api/v1/website/{team}/shipments/labels",
            "/api/v1/website/{team}/postalcode/{postalcode}/street/{street}",
        ] {
            paths.add(path, Arc::default());
        }
        let found = paths.find(path)?;
        found.routes.as_ref()?;
        Some(found.parameters.into_iter().map(|(_, value)| value).collect())
    }

    #[test]
    fn each_part_is_decoded_once_and_by_itself() {
        let of = |path| parameters(path).unwrap();
        assert_eq!(of("/api/v1/website/a.dk"), ["a.dk"]);
        assert_eq!(of("/api/v1/website/a.dk/"), ["a.dk"]);
        assert_eq!(of("/api/v1/w%65bsite/%61.dk/shipments/a%2Fb"), ["a.dk", "a/b"]);
        assert_eq!(of("/api/v1/website/a%2520b/"), ["a%20b"]);
        assert_eq!(of("/api/v1/website/100%/"), ["100%"]);
        assert!(parameters("/api/v1/website/a.dk//").is_none());
        assert!(parameters("/api/v1/website/%ff").is_none());
        assert!(parameters("/api/v1/website/a.dk/shipments/a/b").is_none());
    }

    #[test]
    fn a_street_is_the_rest_of_the_path() {
        let of = |street: &str| {
            let path = format!("/api/v1/website/a/postalcode/2300/street/{street}");
            parameters(&path).map(|all| all[2].clone())
        };
        assert_eq!(of("Gade%201/"), Some("Gade 1".to_owned()));
        assert_eq!(of("Gade 1/3"), Some("Gade 1/3".to_owned()));
        assert_eq!(of("Gade%201%2F3/4/"), Some("Gade 1/3/4".to_owned()));
        assert_eq!(of(""), None);
    }

    #[test]
    fn a_word_is_meant_before_a_parameter() {
        assert_eq!(parameters("/api/v1/website/a/shipments/labels").unwrap().len(), 1);
    }

    #[test]
    fn other_paths_are_none_of_the_older_api() {
        assert!(Paths::default().find("/v2/me").is_none());
        assert!(Paths::default().find("/api/v3/me").is_none());
        assert!(Paths::default().find("/api/v1/nothing").unwrap().routes.is_none());
    }
}
