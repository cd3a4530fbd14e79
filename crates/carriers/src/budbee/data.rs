//! What is kept of an order for later calls about it.

use waybill_domain::json::{Json, parse};

use crate::members::{list, text};

/// The order's number, and links to its labels as they came with it. They work for two days.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// Budbee's number of the order.
    pub order: String,
    /// A link for each parcel, where there was one.
    pub labels: Vec<Option<String>>,
}

impl Kept {
    /// As it is stored.
    pub fn written(&self) -> String {
        let labels = self.labels.iter().map(|label| label.as_deref().into());
        Json::object([("order", self.order.as_str().into()), ("labels", Json::list(labels))])
            .to_string()
    }

    /// Reads what `written` wrote.
    pub fn read(stored: &str) -> Option<Kept> {
        let stored = parse(stored.as_bytes()).ok()?;
        let label = |entry: &Json| match entry {
            Json::Text(link) => Some(link.clone()),
            _ => None,
        };
        let labels = list(&stored, "labels").iter().map(label).collect();
        Some(Kept { order: text(&stored, "order")?.to_owned(), labels })
    }

    /// The links, when there is one for each of so many parcels.
    pub fn links(&self, parcels: usize) -> Option<Vec<String>> {
        let links: Option<Vec<String>> = self.labels.iter().cloned().collect();
        links.filter(|links| links.len() == parcels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_links_are_there_for_all_parcels_or_none() {
        let link = |name: &str| Some(format!("https://files.example/{name}?a=%2F&b=1"));
        let kept = |labels| Kept { order: "O-1".to_owned(), labels };
        let all = kept(vec![link("1"), link("2")]);
        assert_eq!(Kept::read(&all.written()), Some(all.clone()));
        assert_eq!(all.links(2).unwrap().len(), 2);
        assert_eq!(all.links(3), None);
        let some = kept(vec![link("1"), None]);
        assert_eq!(Kept::read(&some.written()), Some(some.clone()));
        assert_eq!(some.links(2), None);
        assert_eq!(Kept::read("O-1"), None);
    }
}
