//! The replay carrier: it serves conversations with a carrier that are written in files, over real
//! HTTP/1.1, with or without TLS. Which carrier it plays is in its files alone.
//!
//! A file is TOML. Its exchanges are tried from the top, and the first that fits is answered:
//!
//! ```toml
//! [always]                                # what each request of this file has
//! query = { apikey = "key-1" }
//! headers = { accept = "application/json" }
//!
//! [[exchange]]
//! name = "book"                           # for `hits("book")`, `fail("book", …)` and `after`
//! books = "{reference}"                   # it makes a booking, and this is its name
//! times = 1                               # it is answered so often, then it fits no more
//! request = { method = "POST", path = "/orders/{kind}", query = { locale = "da" }, json = '''
//!   {
//!     "reference": "{reference}",
//!     "weight": "{weight:number}",
//!     "note": "{absent}",
//!     "items": ["{each item}", {"id": "{reference}-{n}", "count": "{any}"}]
//!   }''' }
//! answer = { status = 201, headers = { x-kind = "{kind}" }, json = '''
//!   {"id": "B-{reference}", "labels": ["{each item}", {"number": "N{n}"}]}''' }
//!
//! [[exchange]]
//! name = "find"
//! after = "book"                          # only once `book` was answered with the same captures
//! request = { method = "GET", path = "/orders", query = { q = "{reference}" } }
//! answer = { file = "found.json" }        # beside this file
//! ```
//!
//! Only what is named is looked at: other members, parameters and headers may be there. A request
//! has at most one of `json`, `form` (a table) and `text`; an answer at most one of `json`, `text`,
//! `base64` and `file`. `delay_ms` makes an answer late. In texts of a request
//!
//! | text | fits |
//! | --- | --- |
//! | `{any}` | whatever is there |
//! | `{absent}` | what is not there |
//! | `{name}` | any text that is not empty, kept as `name`; the kept text when there is one |
//! | `{name:rule}` | the same, when it keeps a rule: `digits`, `number`, `date`, `time`, `base64` |
//! | `["{each name}", X]` | a list of any length, each entry like `X`; `{n}` counts from 1 |
//! | `[X, Y, "{more}"]` | a list that begins like this |
//! | `{"{only}": true, …}` | an object without other members |
//!
//! In texts of an answer `{name}` and `{n}` are what was kept, `{url}` is where the carrier is, and
//! `["{each name}", X]` has an `X` for each entry of that list. In an answer's JSON
//! `{base64 label.pdf}` is the file of that name beside this one.
//!
//! A [`Fault`] takes the place of an answer: `fault = "hang"` in an exchange, or `fail` while it
//! runs. What no exchange fits is answered with 501, noted in `unmatched`, and told with the
//! nearest exchange and what is different about it.
//!
//! A [`Recorder`] stands between a program and a carrier, and writes such files without what lets
//! somebody in.

mod carrier;
mod compare;
mod error;
mod fault;
mod file;
mod history;
mod json;
mod pattern;
mod record;
mod respond;

pub use carrier::{Options, Replay};
pub use error::ReplayError;
pub use fault::{Fault, Kind};
pub use file::Exchanges;
pub use record::{RecordError, RecordOptions, Recorder, Upstream};
