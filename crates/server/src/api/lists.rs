//! The two pagination envelopes, built once for every list.

use uuid::Uuid;
use waybill_domain::json::Json;
use waybill_domain::page::{Cursor, Page, Place};

use super::caller::Member;
use super::query::Reader;
use super::reply::ApiError;
use super::request::Call;
use waybill_domain::words::Message;

/// The last page that may be asked for. Beyond it an offset costs more than anyone gains.
const PAGE_MAX: i64 = 100_000;
/// So many page links stand on either side of the current one.
const LINKS_AROUND: i64 = 3;

/// A wish for one numbered page.
pub struct Numbered {
    page: i64,
    per_page: i64,
    asked_per_page: Option<i64>,
}

impl Numbered {
    /// Reads `page` and `per_page`.
    pub fn read(call: &Call, default: i64, max: i64) -> Result<Numbered, ApiError> {
        let mut query = call.query.knowing(&["page", "per_page"]);
        let page = query.integer("page", 1..=PAGE_MAX).unwrap_or(1);
        let asked_per_page = query.integer("per_page", 1..=max);
        query.finish()?;
        Ok(Numbered { page, per_page: asked_per_page.unwrap_or(default), asked_per_page })
    }

    /// How many rows come before the page.
    pub fn offset(&self) -> i64 {
        (self.page - 1) * self.per_page
    }

    /// How many rows the page has at most.
    pub fn limit(&self) -> i64 {
        self.per_page
    }

    /// The envelope around the rows of this page of `total`.
    pub fn envelope(&self, path: &str, rows: Vec<Json>, total: i64) -> Json {
        let last = ((total + self.per_page - 1) / self.per_page).max(1);
        let count = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        let from = (count > 0).then_some(self.offset() + 1);
        let previous = (self.page > 1).then(|| (self.page - 1).min(last));
        let next = (self.page < last).then_some(self.page + 1);
        let url = |page: i64| self.url(path, page);
        let links = Json::object([
            ("first", url(1).into()),
            ("last", url(last).into()),
            ("prev", previous.map(url).into()),
            ("next", next.map(url).into()),
        ]);
        let meta = Json::object([
            ("current_page", self.page.into()),
            ("from", from.into()),
            ("last_page", last.into()),
            ("path", path.into()),
            ("per_page", self.per_page.into()),
            ("to", from.map(|from| from + count - 1).into()),
            ("total", total.into()),
            ("links", Json::List(self.page_links(path, last, previous, next))),
        ]);
        Json::object([("data", Json::List(rows)), ("links", links), ("meta", meta)])
    }

    fn page_links(
        &self,
        path: &str,
        last: i64,
        previous: Option<i64>,
        next: Option<i64>,
    ) -> Vec<Json> {
        let link = |label: String, page: Option<i64>| {
            Json::object([
                ("url", page.map(|page| self.url(path, page)).into()),
                ("label", label.into()),
                ("page", page.into()),
                ("active", (page == Some(self.page) && page != previous && page != next).into()),
            ])
        };
        let mut links = vec![link("« Previous".to_owned(), previous)];
        let mut shown = 0;
        for page in shown_pages(self.page, last) {
            if page > shown + 1 {
                links.push(link("…".to_owned(), None));
            }
            links.push(link(page.to_string(), Some(page)));
            shown = page;
        }
        links.push(link("Next »".to_owned(), next));
        links
    }

    /// The URL of a page, with the page size that the caller chose.
    fn url(&self, path: &str, page: i64) -> String {
        match self.asked_per_page {
            Some(per_page) => format!("{path}?page={page}&per_page={per_page}"),
            None => format!("{path}?page={page}"),
        }
    }
}

/// The first two, the last two, and those around the current page: never more than a screen shows.
fn shown_pages(current: i64, last: i64) -> Vec<i64> {
    let around = (current - LINKS_AROUND).max(1)..=(current + LINKS_AROUND).min(last);
    let mut pages: Vec<i64> = [1, 2, last - 1, last].into_iter().chain(around).collect();
    pages.retain(|page| (1..=last).contains(page));
    pages.sort_unstable();
    pages.dedup();
    pages
}

/// A wish for one page of a list that is read by cursor.
pub struct FromCursor {
    /// Where the page begins; nothing for the first page.
    pub cursor: Option<Cursor>,
    /// How many rows it has at most.
    pub per_page: usize,
}

impl FromCursor {
    /// Opens the `cursor` text for the place where it is used.
    pub fn open(
        call: &Call,
        place: Place,
        cursor: Option<&str>,
        per_page: i64,
    ) -> Result<FromCursor, ApiError> {
        let open = |text: &str| {
            let cursor = call.app.sealer.open(place, text);
            cursor.ok_or_else(|| ApiError::invalid("cursor", Message::new("bad-cursor")))
        };
        let per_page = usize::try_from(per_page).unwrap_or(1);
        Ok(FromCursor { cursor: cursor.map(open).transpose()?, per_page })
    }
}

/// The envelope around one page of a cursor list. `query` is what the caller filtered and sorted
/// by, already encoded, without the cursor.
pub fn cursor_envelope<T>(
    call: &Call,
    place: Place,
    page: &Page<T>,
    per_page: usize,
    query: &str,
    row: impl FnMut(&T) -> Json,
) -> Json {
    let path = call.url();
    let seal = |cursor: Option<Cursor>| cursor.map(|cursor| call.app.sealer.seal(place, cursor));
    let (next, previous) = (seal(page.next), seal(page.previous));
    let url = |cursor: &Option<String>| {
        let and = if query.is_empty() { "" } else { "&" };
        cursor.as_ref().map(|cursor| format!("{path}?{query}{and}cursor={cursor}"))
    };
    let links = Json::object([
        ("first", Json::Null),
        ("last", Json::Null),
        ("prev", url(&previous).into()),
        ("next", url(&next).into()),
    ]);
    let meta = Json::object([
        ("path", path.as_str().into()),
        ("per_page", i64::try_from(per_page).unwrap_or(i64::MAX).into()),
        ("next_cursor", next.into()),
        ("prev_cursor", previous.into()),
    ]);
    Json::object([
        ("data", Json::list(page.rows.iter().map(row))),
        ("links", links),
        ("meta", meta),
    ])
}

/// One page of a list that is newest first.
pub struct Newest {
    place: &'static str,
    from: FromCursor,
    filters: String,
    shown: String,
}

impl Newest {
    /// Reads what page is wanted of the list of this name.
    pub fn read(call: &Call, member: Member, list: &'static str) -> Result<Newest, ApiError> {
        Newest::of(call, member, list, call.query.knowing(&["cursor", "per_page"]))
    }

    /// The same for a list with filters, which the caller has read from the query.
    pub fn of(
        call: &Call,
        member: Member,
        list: &'static str,
        mut query: Reader<'_>,
    ) -> Result<Newest, ApiError> {
        let per_page = query.integer("per_page", 1..=1000);
        let cursor = query.text("cursor").map(str::to_owned);
        query.finish()?;
        let (filters, shown) = (call.query.filters(&[]), call.query.without("cursor"));
        let place = Place { list, team: member.team, filters: &filters };
        let from = FromCursor::open(call, place, cursor.as_deref(), per_page.unwrap_or(100))?;
        Ok(Newest { place: list, from, filters, shown })
    }

    /// Where the page begins, and how many rows it has at most.
    pub fn wish(&self) -> (Option<Cursor>, usize) {
        (self.from.cursor, self.from.per_page)
    }

    /// The envelope around its rows.
    pub fn envelope<T>(
        &self,
        call: &Call,
        member: Member,
        rows: Vec<T>,
        id: impl Fn(&T) -> Uuid,
        view: impl FnMut(&T) -> Json,
    ) -> Json {
        let place = Place { list: self.place, team: member.team, filters: &self.filters };
        let (cursor, wanted) = self.wish();
        let page = Page::new(rows, wanted, cursor, |row: &T| (0, id(row)));
        cursor_envelope(call, place, &page, wanted, &self.shown, view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(page: i64, per_page: i64) -> Numbered {
        Numbered { page, per_page, asked_per_page: Some(per_page) }
    }

    #[test]
    fn an_empty_list_has_one_page_and_null_bounds() {
        let envelope = numbered(1, 25).envelope("http://x/t", Vec::new(), 0);
        let links = envelope.member("links").unwrap();
        assert_eq!(links.member("first"), Some(&"http://x/t?page=1&per_page=25".into()));
        assert_eq!(links.member("last"), Some(&"http://x/t?page=1&per_page=25".into()));
        assert_eq!(links.member("next"), Some(&Json::Null));
        let meta = envelope.member("meta").unwrap();
        assert_eq!(meta.member("from"), Some(&Json::Null));
        assert_eq!(meta.member("last_page"), Some(&1.into()));
    }

    #[test]
    fn a_page_beyond_the_last_is_empty_and_leads_back_to_it() {
        let envelope = numbered(9, 2).envelope("p", Vec::new(), 5);
        let links = envelope.member("links").unwrap();
        assert_eq!(links.member("prev"), Some(&"p?page=3&per_page=2".into()));
        assert_eq!(links.member("next"), Some(&Json::Null));
    }

    #[test]
    fn page_links_are_few_however_many_pages_there_are() {
        assert_eq!(shown_pages(50, 100), [1, 2, 47, 48, 49, 50, 51, 52, 53, 99, 100]);
        assert_eq!(shown_pages(1, 1), [1]);
        assert_eq!(shown_pages(2, 3), [1, 2, 3]);
    }
}
