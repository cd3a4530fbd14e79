//! The two pagination envelopes, built once for every list.

use uuid::Uuid;
use waybill_domain::json::Json;
use waybill_domain::page::{Cursor, CursorScope, Page, is_cursor};

use super::caller::Member;
use super::query::Reader;
use super::reply::ApiError;
use super::request::Request;
use waybill_domain::words::Message;

/// The last page that may be asked for. Beyond it an offset costs more than anyone gains.
const PAGE_MAX: i64 = 100_000;
/// So many page links stand on either side of the current one.
const LINKS_AROUND: i64 = 3;

/// The rows of one answer hold no more bytes than this, so that links and all are less than 4 MiB.
/// One row is always among them, however large.
const ROWS_BYTES_MAX: usize = 4 * 1024 * 1024 - 128 * 1024;

/// Rows as they are shown, each beside itself, and how many of them the page has: what would make
/// the answer too large waits for the next one. One row more than the page has tells that there
/// are more.
pub fn render_within_limit<T>(
    rows: Vec<T>,
    wanted: usize,
    mut view: impl FnMut(&T) -> Result<Json, ApiError>,
) -> Result<(Vec<(T, Json)>, usize), ApiError> {
    let (mut shown, mut bytes) = (Vec::with_capacity(rows.len()), 0);
    for row in rows {
        let count = shown.len();
        if count >= wanted {
            shown.push((row, Json::Null));
            return Ok((shown, wanted));
        }
        // Written here, so that nobody writes it again.
        let text = view(&row)?.to_string();
        bytes += text.len() + 1;
        if count > 0 && bytes > ROWS_BYTES_MAX {
            shown.push((row, Json::Null));
            return Ok((shown, count));
        }
        shown.push((row, Json::Written(text)));
    }
    Ok((shown, wanted))
}

/// A wish for one numbered page.
pub struct PageQuery {
    page: i64,
    per_page: i64,
    asked_per_page: Option<i64>,
}

impl PageQuery {
    /// Reads `page` and `per_page`.
    pub fn read(request: &Request, default: i64, max: i64) -> Result<PageQuery, ApiError> {
        let mut query = request.query.knowing(&["page", "per_page"]);
        let page = query.integer("page", 1..=PAGE_MAX).unwrap_or(1);
        let asked_per_page = query.integer("per_page", 1..=max);
        query.finish()?;
        Ok(PageQuery { page, per_page: asked_per_page.unwrap_or(default), asked_per_page })
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
pub struct CursorQuery {
    /// Where the page begins; nothing for the first page.
    pub cursor: Option<Cursor>,
    /// How many rows it has at most.
    pub per_page: usize,
}

impl CursorQuery {
    /// Reads `cursor` and `per_page`, and ends the reading of the query.
    pub fn read(
        request: &Request,
        scope: CursorScope,
        mut query: Reader<'_>,
    ) -> Result<CursorQuery, ApiError> {
        let per_page = query.integer("per_page", 1..=1000).unwrap_or(100);
        let text = query.text("cursor").map(str::to_owned);
        let cursor = text.as_deref().and_then(|text| request.app.sealer().open(scope, text));
        if let (Some(text), None) = (text, cursor) {
            // A wrong filter makes any cursor wrong: then only what is not a cursor at all is told.
            if query.is_fine() || !is_cursor(&text) {
                query.refuse("cursor", Message::new("bad-cursor"));
            }
        }
        query.finish()?;
        Ok(CursorQuery { cursor, per_page: usize::try_from(per_page).unwrap_or(1) })
    }
}

/// The envelope around one page of a cursor list, whose rows [`render_within_limit`] made. `query`
/// is what the caller filtered and sorted by, already encoded, without the cursor.
pub fn cursor_envelope<T>(
    request: &Request,
    scope: CursorScope,
    page: Page<(T, Json)>,
    per_page: usize,
    query: &str,
) -> Json {
    let path = request.url();
    let seal =
        |cursor: Option<Cursor>| cursor.map(|cursor| request.app.sealer().seal(scope, cursor));
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
    let mut meta = Json::object([
        ("path", path.as_str().into()),
        ("per_page", i64::try_from(per_page).unwrap_or(i64::MAX).into()),
        ("next_cursor", next.into()),
        ("prev_cursor", previous.into()),
    ]);
    if let Some(resume) = seal(page.resume) {
        meta.merge(&Json::object([("resume_cursor", resume.into())]));
    }
    if let Some(until) = page.sync_until {
        meta.merge(&Json::object([("sync_until", Json::text(until))]));
    }
    Json::object([
        ("data", Json::list(page.rows.into_iter().map(|(_, shown)| shown))),
        ("links", links),
        ("meta", meta),
    ])
}

/// One page of a list that is newest first.
pub struct NewestFirst {
    list: &'static str,
    from: CursorQuery,
    filters: String,
    shown: String,
}

impl NewestFirst {
    /// Reads what page is wanted of the list of this name.
    pub fn read(
        request: &Request,
        member: Member,
        list: &'static str,
    ) -> Result<NewestFirst, ApiError> {
        NewestFirst::of(request, member, list, request.query.knowing(&["cursor", "per_page"]))
    }

    /// The same for a list with filters, which the caller has read from the query.
    pub fn of(
        request: &Request,
        member: Member,
        list: &'static str,
        query: Reader<'_>,
    ) -> Result<NewestFirst, ApiError> {
        let (filters, shown) = (request.query.filters(&[]), request.query.without("cursor"));
        let scope = CursorScope { list, team: member.team, filters: &filters };
        let from = CursorQuery::read(request, scope, query)?;
        Ok(NewestFirst { list, from, filters, shown })
    }

    /// Where the page begins, and how many rows it has at most.
    pub fn wanted(&self) -> (Option<Cursor>, usize) {
        (self.from.cursor, self.from.per_page)
    }

    /// The envelope around its rows.
    pub fn envelope<T>(
        &self,
        request: &Request,
        member: Member,
        rows: Vec<T>,
        id: impl Fn(&T) -> Uuid,
        mut view: impl FnMut(&T) -> Json,
    ) -> Result<Json, ApiError> {
        let scope = CursorScope { list: self.list, team: member.team, filters: &self.filters };
        let (cursor, wanted) = self.wanted();
        let (rows, count) = render_within_limit(rows, wanted, |row| Ok(view(row)))?;
        let page = Page::new(rows, count, cursor, |(row, _)| (0, id(row)));
        Ok(cursor_envelope(request, scope, page, wanted, &self.shown))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(page: i64, per_page: i64) -> PageQuery {
        PageQuery { page, per_page, asked_per_page: Some(per_page) }
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

    fn large() -> Json {
        Json::text("x".repeat(ROWS_BYTES_MAX / 3))
    }

    #[test]
    fn a_page_ends_before_the_row_that_would_make_it_too_large() {
        let (rows, count) = render_within_limit((0..9).collect(), 8, |_| Ok(large())).unwrap();
        assert_eq!((rows.len(), count), (3, 2), "and one row tells that there are more");
        let page = Page::new(rows, count, None, |(row, _)| (*row, Uuid::nil()));
        assert_eq!(page.next.map(|cursor| cursor.at), Some(1), "after its last row");
        let (rows, count) =
            render_within_limit((0..2).collect::<Vec<i64>>(), 8, |_| Ok(large())).unwrap();
        assert_eq!((rows.len(), count), (2, 8), "what fits is all there is");
        let huge = |_: &i64| Ok(Json::text("x".repeat(2 * ROWS_BYTES_MAX)));
        let (rows, count) = render_within_limit((0..2).collect(), 8, huge).unwrap();
        assert_eq!((rows.len(), count), (2, 1), "one row is always among them");
    }

    #[test]
    fn page_links_are_few_however_many_pages_there_are() {
        assert_eq!(shown_pages(50, 100), [1, 2, 47, 48, 49, 50, 51, 52, 53, 99, 100]);
        assert_eq!(shown_pages(1, 1), [1]);
        assert_eq!(shown_pages(2, 3), [1, 2, 3]);
    }
}
