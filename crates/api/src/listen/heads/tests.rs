use super::*;

const GET: &str = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const BARE: &[&str] = &[
    "GET / HTTP/1.1\nHost: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\n\n",
    "\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "\r\n\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "\n",
    "PRI * HTTP/2.0\n\n",
    "PRI * HTTP/2.0\r\n\r\nSM\n\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\nx\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a\nb\r\nx\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nA: b\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\n",
];

const BODIES: &[&str] = &[
    "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n\n\n\r\n\n",
    "POST / HTTP/1.1\r\nHost: x\r\ncontent-length:\t5 \r\nA: b\r\n\r\na\n\nb\n",
    "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n\n\n\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nTRANSFER-ENCODING:  Chunked \r\n\r\n0A;x=y\r\n\n\n\n\n\n\n\n\n\n\n\r\n\
     1\r\n\n\r\n0\r\nA: b\r\nC: d\r\n\r\n",
];

/// What is handed on of these bytes when they come in these parts.
fn passed<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> (usize, bool) {
    let mut heads = Heads::new();
    let passed = parts.into_iter().map(|part| heads.pass(part)).sum();
    (passed, heads.is_refused())
}

/// In one piece, byte by byte, and in two pieces cut at every place.
fn every_way(text: &str) -> Vec<(usize, bool)> {
    let bytes = text.as_bytes();
    let cut = |at: usize| passed([&bytes[..at], &bytes[at..]]);
    (0..=bytes.len()).map(cut).chain([passed(bytes.chunks(1))]).collect()
}

fn is_accepted(text: &str) {
    for result in every_way(text) {
        assert_eq!(result, (text.len(), false), "{text:?}");
    }
}

fn is_refused_at(text: &str, at: usize) {
    for result in every_way(text) {
        assert_eq!(result, (at, true), "{text:?}");
    }
}

fn first_bare_lf(text: &str) -> usize {
    let bytes = text.as_bytes();
    (0..bytes.len()).find(|at| bytes[*at] == b'\n' && (*at == 0 || bytes[at - 1] != b'\r')).unwrap()
}

#[test]
fn a_bare_lf_outside_a_body_is_refused_however_it_is_cut() {
    for text in BARE {
        is_refused_at(text, first_bare_lf(text));
    }
}

#[test]
fn a_bare_lf_in_a_body_is_handed_on_however_it_is_cut() {
    is_accepted(GET);
    for text in BODIES {
        is_accepted(text);
    }
}

#[test]
fn requests_that_follow_each_other_are_all_looked_at() {
    let mut before = String::new();
    for text in BODIES {
        before = format!("{before}{text}{GET}\r\n\r\n");
        is_accepted(&before);
        for bare in BARE.iter().filter(|bare| !bare.starts_with("PRI")) {
            is_refused_at(&format!("{before}{bare}"), before.len() + first_bare_lf(bare));
        }
    }
}

#[test]
fn http_2_is_handed_on_untouched_for_ever() {
    is_accepted("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\n\n\0\n GET / HTTP/1.1\n\n");
}

#[test]
fn a_body_without_a_certain_end_is_refused_after_the_line_that_says_so() {
    for field in [
        "Content-Length: ",
        "Content-Length: +1",
        "Content-Length: 1, 1",
        "Content-Length: 99999999999999999999",
        "Transfer-Encoding: gzip",
        "Transfer-Encoding: chunked, gzip",
        "Transfer-Encoding: gzip, chunked",
        "Content-Length: 1\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 1",
        &format!("Content-Length: {}1", "0".repeat(KEPT_MAX)),
        &format!("Transfer-Encoding: {}, chunked", "gzip,".repeat(KEPT_MAX)),
    ] {
        let head = format!("POST / HTTP/1.1\r\n{field}\r\n");
        is_refused_at(&format!("{head}\r\n\n\n"), head.len());
    }
    let chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    for size in ["", "x", "ffffffffffffffff", "10000000000000000", &"0".repeat(KEPT_MAX)] {
        let begun = format!("{chunked}{size}\r\n");
        is_refused_at(&format!("{begun}x\n"), begun.len());
    }
}

#[test]
fn long_lines_of_other_fields_are_handed_on() {
    let long = "content-lengthy: ".repeat(1000);
    is_accepted(&format!("GET /{} HTTP/1.1\r\nX-Long: {long}\r\n\r\n{GET}", "a".repeat(KEPT_MAX)));
}
