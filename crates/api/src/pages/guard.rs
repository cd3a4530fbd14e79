//! Where a form may come from. Browsers say which site made them send a form; what another site
//! made them send is refused before anything else is looked at.

use axum::http::{HeaderMap, HeaderName, header};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether the headers of a form say that it is one of our own. A program that sends neither header
/// is not a browser that somebody could trick: the token in the form is asked for in any case.
pub fn is_own_form(headers: &HeaderMap, base_url: &str) -> bool {
    let text = |name: &HeaderName| {
        let values = headers.get_all(name).iter();
        values.map(|value| value.to_str().unwrap_or("?").to_owned()).collect::<Vec<_>>()
    };
    let (sites, origins) = (text(&SEC_FETCH_SITE), text(&header::ORIGIN));
    let is_same_origin = sites == ["same-origin"];
    let is_own = |origin: &String| match origin.as_str() {
        "null" => is_same_origin,
        origin => is_own_origin(origin, headers, base_url),
    };
    sites.iter().all(|site| site == "same-origin" || site == "none") && origins.iter().all(is_own)
}

fn is_own_origin(origin: &str, headers: &HeaderMap, base_url: &str) -> bool {
    if origin.eq_ignore_ascii_case(origin_of(base_url)) {
        return true;
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let named = ["http://", "https://"].iter().find_map(|scheme| origin.strip_prefix(scheme));
    host.zip(named)
        .is_some_and(|(host, named)| !host.is_empty() && host.eq_ignore_ascii_case(named))
}

/// Scheme, host and port of a URL, without its path.
fn origin_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let path = url[host..].find('/').map_or(url.len(), |at| host + at);
    &url[..path]
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn is_own(pairs: &[(&'static str, &str)]) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8080"));
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        is_own_form(&headers, "https://waybill.example.com/base")
    }

    #[test]
    fn a_form_comes_from_our_base_url_from_the_requests_host_or_from_no_browser() {
        assert!(is_own(&[]));
        for origin in
            ["https://waybill.example.com", "http://127.0.0.1:8080", "https://127.0.0.1:8080"]
        {
            assert!(is_own(&[("origin", origin)]), "{origin}");
            assert!(is_own(&[("origin", origin), ("sec-fetch-site", "same-origin")]), "{origin}");
        }
        for site in ["same-origin", "none"] {
            assert!(is_own(&[("sec-fetch-site", site)]), "{site}");
        }
    }

    #[test]
    fn what_another_site_sends_is_refused() {
        for origin in [
            "https://evil.example",
            "http://waybill.example.com",
            "https://waybill.example.com.evil.example",
            "https://waybill.example.com:8443",
            "http://127.0.0.1:8081",
            "http://127.0.0.1",
            "ftp://127.0.0.1:8080",
            "",
        ] {
            assert!(!is_own(&[("origin", origin)]), "{origin}");
            assert!(!is_own(&[("origin", origin), ("sec-fetch-site", "same-origin")]), "{origin}");
        }
        for site in ["cross-site", "same-site", "", "Same-Origin"] {
            assert!(!is_own(&[("sec-fetch-site", site)]), "{site}");
        }
    }

    #[test]
    fn an_origin_that_says_nothing_needs_the_browsers_word_beside_it() {
        assert!(!is_own(&[("origin", "null")]));
        assert!(!is_own(&[("origin", "null"), ("sec-fetch-site", "none")]));
        assert!(!is_own(&[("origin", "null"), ("sec-fetch-site", "cross-site")]));
        assert!(is_own(&[("origin", "null"), ("sec-fetch-site", "same-origin")]));
    }

    #[test]
    fn a_header_that_is_there_twice_is_believed_only_when_both_are_ours() {
        let (own, other) = ("https://waybill.example.com", "https://evil.example");
        assert!(!is_own(&[("origin", own), ("origin", other)]));
        assert!(!is_own(&[("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")]));
    }
}
