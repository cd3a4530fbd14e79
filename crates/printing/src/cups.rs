//! The queues of a CUPS server.

use waybill_domain::printing::Uri;

use crate::error::clean;
use crate::ipp::Group;

/// A queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CupsQueue {
    /// Its name, which people do not change.
    pub name: String,
    /// What people call it, if they do.
    pub info: Option<String>,
    /// Its path at the server.
    path: String,
}

/// What CUPS is asked about its queues.
pub(crate) const QUEUE_ATTRIBUTES: &[&str] =
    &["printer-name", "printer-info", "printer-uri-supported"];

impl CupsQueue {
    /// Reads a queue. One without a name cannot be spoken of.
    pub(crate) fn read(queue: &Group) -> Option<CupsQueue> {
        let text = |name: &str| queue.text(name).map(clean).filter(|text| !text.is_empty());
        let name = text("printer-name").filter(|name| is_plain(name))?;
        // The host that CUPS gives itself may be one that nobody else can reach.
        let path = queue.text("printer-uri-supported").and_then(path_of);
        let path = path.unwrap_or_else(|| format!("/printers/{name}"));
        Some(CupsQueue { info: text("printer-info"), name, path })
    }

    /// The queue's address at this server.
    pub fn uri_at(&self, cups: &Uri) -> String {
        let scheme = if cups.endpoint.is_https { "ipps" } else { "ipp" };
        format!("{scheme}://{}{}", cups.endpoint.authority, self.path)
    }
}

/// A name that can stand in a path as it is. CUPS lets others have neither spaces nor slashes.
fn is_plain(name: &str) -> bool {
    name.len() <= 127 && !name.contains(|c: char| c.is_whitespace() || "/#?%".contains(c))
}

fn path_of(uri: &str) -> Option<String> {
    let (_, rest) = uri.split_once("://")?;
    let path = &rest[rest.find('/')?..];
    let is_queue = path.starts_with("/printers/") || path.starts_with("/classes/");
    let is_safe = path.len() <= 512 && !path.contains(['?', '#']);
    (is_queue && is_safe).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ipp::{Value, group};

    fn queue(name: &str, uri: &str) -> Option<CupsQueue> {
        let queue = Group::new(group::PRINTER)
            .with("printer-name", Value::name(name))
            .with("printer-info", Value::name(""))
            .with("printer-uri-supported", Value::uri(uri));
        CupsQueue::read(&queue)
    }

    #[test]
    fn a_queue_is_called_at_the_server_that_told_of_it() {
        let cups = Uri::parse("ipp://localhost:8631/").unwrap();
        for (name, uri, address) in [
            ("zebra", "ipp://other:631/printers/zebra", "ipp://localhost:8631/printers/zebra"),
            ("both", "ipp://other/classes/both", "ipp://localhost:8631/classes/both"),
            ("zebra", "ipp://other/admin", "ipp://localhost:8631/printers/zebra"),
            ("zebra", "", "ipp://localhost:8631/printers/zebra"),
        ] {
            let found = queue(name, uri).unwrap();
            assert_eq!((found.uri_at(&cups).as_str(), found.info), (address, None));
        }
    }

    #[test]
    fn a_queue_whose_name_leads_elsewhere_is_passed_over() {
        for name in ["", "a/../b", "a b", "a?b", "a#b", "%2e"] {
            assert_eq!(queue(name, ""), None, "{name}");
        }
    }
}
