//! Pages of the older API: fifteen rows, numbered from one, and every number a text.

use axum::http::StatusCode;
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::words::Message;

use super::site::clean;
use crate::reply::Reply;
use crate::request::Request;

/// Rows of one page.
pub const PER_PAGE: i64 = 15;

/// Which page is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page(i64);

impl Page {
    /// How many rows come before it.
    pub fn offset(self) -> i64 {
        (self.0 - 1).saturating_mul(PER_PAGE)
    }

    /// Its part of all rows.
    pub fn of<T>(self, rows: Vec<T>) -> Vec<T> {
        let before = usize::try_from(self.offset()).unwrap_or(usize::MAX);
        rows.into_iter().skip(before).take(PER_PAGE as usize).collect()
    }
}

/// Reads `page`. A number that nothing has so many pages for is a page past the end.
pub fn read_page(request: &Request, errors: &mut FieldErrors) -> Page {
    let mut given = request.query.values("page");
    let text = given.next().unwrap_or_default();
    if text.is_empty() {
        return Page(1);
    }
    let digits = text.strip_prefix('-').unwrap_or(&text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // A number with more digits than ours is still a number.
    let page = if digits.len() < text.len() { 0 } else { text.parse().unwrap_or(i64::MAX) };
    if !is_number {
        errors.add("page", Message::new("not-an-integer"));
    } else if page < 1 {
        errors.add("page", Message::new("too-small").text("min", 1));
    }
    Page(page.max(1))
}

/// The envelope around the rows of a page of `total`.
pub fn page_of(request: &Request, page: Page, rows: Vec<Json>, total: i64) -> Reply {
    let path = format!("{}{}", request.app.base_url(), clean(&request.path));
    Reply::json(StatusCode::OK, envelope(&path, page, rows, total))
}

fn envelope(path: &str, Page(page): Page, rows: Vec<Json>, total: i64) -> Json {
    let last = ((total + PER_PAGE - 1) / PER_PAGE).max(1);
    let count = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let from = (count > 0).then(|| Page(page).offset() + 1);
    let url = |page: i64| Json::text(format!("{path}?page={page}"));
    let previous = match page > 1 {
        true => url((page - 1).min(last)),
        false => Json::Null,
    };
    let next = if page < last { url(page + 1) } else { Json::Null };
    let links = Json::object([
        ("first", url(1)),
        ("last", url(last)),
        ("prev", previous.clone()),
        ("previous", previous),
        ("next", next),
    ]);
    let number = |number: i64| Json::text(number);
    let meta = Json::object([
        ("current_page", number(page)),
        ("from", from.map(number).into()),
        ("path", path.into()),
        ("per_page", number(PER_PAGE)),
        ("to", from.map(|from| number(from + count - 1)).into()),
        ("last_page", number(last)),
        ("total", number(total)),
    ]);
    Json::object([("data", Json::List(rows)), ("links", links), ("meta", meta)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_list_has_one_page() {
        assert_eq!(
            envelope("p", Page(1), Vec::new(), 0).to_string(),
            r#"{"data":[],"links":{"first":"p?page=1","last":"p?page=1","prev":null,"previous":null,"next":null},"meta":{"current_page":"1","from":null,"path":"p","per_page":"15","to":null,"last_page":"1","total":"0"}}"#
        );
    }

    #[test]
    fn a_page_in_the_middle_leads_both_ways() {
        let body = envelope("p", Page(2), vec![Json::Null; 15], 31);
        let links = body.member("links").unwrap();
        assert_eq!(links.member("prev"), Some(&"p?page=1".into()));
        assert_eq!(links.member("previous"), links.member("prev"));
        assert_eq!(links.member("next"), Some(&"p?page=3".into()));
        assert_eq!(links.member("last"), Some(&"p?page=3".into()));
        let meta = body.member("meta").unwrap();
        assert_eq!(meta.member("from"), Some(&"16".into()));
        assert_eq!(meta.member("to"), Some(&"30".into()));
        assert_eq!(meta.member("last_page"), Some(&"3".into()));
    }

    #[test]
    fn a_page_past_the_end_is_empty_and_leads_back() {
        let page = Page(i64::MAX);
        assert_eq!(page.of(vec![1, 2, 3]), Vec::<i32>::new());
        let body = envelope("p", page, Vec::new(), 20);
        assert_eq!(body.member("links").unwrap().member("prev"), Some(&"p?page=2".into()));
        assert_eq!(body.member("meta").unwrap().member("from"), Some(&Json::Null));
    }
}
