//! Everything that can go wrong with a booking, with each adapter. What a server does with the
//! outcome is done here too, and the bookings at the carrier are counted: never two.

#[path = "../../../waybill/tests/it/harness/tls.rs"]
mod tls;

use std::sync::Arc;

use rustls::RootCertStore;
use tls::{Loopback, certified};
use tokio::net::TcpListener;
use waybill_carriers::booking::{Found, Lookup, Outcome, Plan};
use waybill_carriers::registry::Connector;
use waybill_carriers::urls::BaseUrl;
use waybill_carriers::{Account, DialFailure};
use waybill_outbound::Network;
use waybill_replay::{Exchanges, Fault, Kind, Options, Replay};

use crate::conversation::{Conversation, Open, TIMEOUTS, adapter, exchanges, kept};
use crate::harness::new_reference;

/// The name that a carrier with TLS proves.
const NAME: &str = "carrier.example";

/// An adapter, and a booking that is tried with every fault.
pub struct Subject {
    pub code: &'static str,
    pub open: Open,
    pub account: Account,
    pub plan: Plan,
    /// The exchange that it is booked by.
    pub booking: &'static str,
    /// What an empty 401 means to it.
    pub unauthorized: Ends,
    /// What a 403 with a page means to it.
    pub forbidden: Ends,
    /// What a 429 means to it.
    pub busy: Ends,
    /// An answer in which a number is missing, and no word why.
    pub incomplete: &'static str,
    /// Where its labels are.
    pub labels: Labels,
}

/// Where the labels of a carrier are.
pub enum Labels {
    /// In the answer to a booking: one without them, and one whose labels cannot be read.
    Inside(&'static str, &'static str),
    /// Behind this exchange.
    Apart(&'static str),
}

/// How an attempt ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    Accepted,
    Partial,
    Rejected,
    AccessDenied,
    NotSent,
    Unknown,
}

impl Ends {
    pub fn of(outcome: &Outcome) -> Ends {
        match outcome {
            Outcome::Accepted(_) => Ends::Accepted,
            Outcome::Partial(_) => Ends::Partial,
            Outcome::Rejected(_) => Ends::Rejected,
            Outcome::AccessDenied(_) => Ends::AccessDenied,
            Outcome::NotSent(_) | Outcome::TurnedAway(..) => Ends::NotSent,
            Outcome::Unknown(_) => Ends::Unknown,
        }
    }
}

fn status(status: u16) -> Kind {
    Kind::Status(status, "application/json".to_owned(), String::new())
}

fn answer(body: &str) -> Kind {
    Kind::Status(200, "application/json".to_owned(), body.to_owned())
}

/// What goes wrong, and what the attempt then ends as.
fn faults(subject: &Subject) -> Vec<(Fault, Ends)> {
    let page = Kind::Status(403, "text/html".to_owned(), "<html>no</html>".to_owned());
    vec![
        (Fault::before(status(401)), subject.unauthorized),
        (Fault::before(page), subject.forbidden),
        (Fault::before(status(429)), subject.busy),
        (Fault::before(status(500)), Ends::Unknown),
        (Fault::before(status(503)), Ends::Unknown),
        (Fault::after(status(500)), Ends::Unknown),
        (Fault::after(status(502)), Ends::Unknown),
        (Fault::after(status(504)), Ends::Unknown),
        (Fault::before(Kind::Drop), Ends::Unknown),
        (Fault::after(Kind::Drop), Ends::Unknown),
        (Fault::before(Kind::Hang), Ends::Unknown),
        (Fault::after(Kind::Hang), Ends::Unknown),
        (Fault::after(Kind::Broken), Ends::Unknown),
        (Fault::after(Kind::Cut), Ends::Unknown),
        (Fault::after(Kind::Page), Ends::Unknown),
        (Fault::after(Kind::WrongType), Ends::Accepted),
        (Fault::after(Kind::Redirect("/elsewhere".to_owned())), Ends::Unknown),
        (Fault::after(Kind::Big(24)), Ends::Unknown),
        (Fault::after(answer(subject.incomplete)), Ends::Unknown),
    ]
}

/// Tries the booking with every fault.
pub async fn never_two(subject: &Subject) {
    for (fault, ends) in faults(subject) {
        let plan = Plan { reference: new_reference(), ..subject.plan.clone() };
        let conversation = conversation_with(subject).await;
        conversation.replay.fail(subject.booking, fault.clone());
        let first = conversation.book(&plan).await;
        assert_eq!(Ends::of(&first), ends, "{fault:?}: {first:?}");
        settle(&conversation, &plan, first).await;
        let made = conversation.replay.bookings().len();
        assert!(made <= 1, "{fault:?}: {made} bookings");
        let is_lost = fault.is_done && made == 0;
        assert!(!is_lost, "{fault:?}: a fault after a booking has none");
        conversation.is_understood();
    }
    nobody_is_there(subject).await;
    match subject.labels {
        Labels::Inside(missing, broken) => {
            accepted_without_labels(subject, missing).await;
            accepted_without_labels(subject, broken).await;
        }
        Labels::Apart(exchange) => labels_that_come_later(subject, exchange).await,
    }
}

/// A carrier of its own, that is played.
pub async fn conversation_with(subject: &Subject) -> Conversation {
    Conversation::with(subject.code, subject.open, subject.account.clone()).await
}

/// A booking whose labels are missing or broken is a booking, and stays the only one.
async fn accepted_without_labels(subject: &Subject, body: &str) {
    let conversation = conversation_with(subject).await;
    conversation.replay.fail(subject.booking, Fault::after(answer(body)));
    let outcome = conversation.book(&subject.plan).await;
    let Outcome::Accepted(accepted) = &outcome else { panic!("{body}: {outcome:?}") };
    assert!(accepted.files.is_empty(), "{body}: {accepted:?}");
    let mut lost = accepted.clone();
    lost.keep_files();
    let _failed =
        conversation.carrier.documents(&conversation.account, &kept(&subject.plan, &lost)).await;
    settle(&conversation, &subject.plan, outcome).await;
    assert_eq!(conversation.replay.bookings().len(), 1, "{body}");
}

/// The same of labels that are asked for after the booking.
async fn labels_that_come_later(subject: &Subject, exchange: &str) {
    let conversation = conversation_with(subject).await;
    let booking = kept(&subject.plan, &conversation.accepted(&subject.plan).await);
    let documents = || conversation.carrier.documents(&conversation.account, &booking);
    for kind in [Kind::Page, Kind::Drop, Kind::Cut, Kind::Big(24), status(404), answer("{}")] {
        // Some ask for another link to a label once.
        for _ in 0..2 {
            conversation.replay.fail(exchange, Fault::before(kind.clone()));
        }
        assert!(documents().await.is_err() || kind == Kind::Cut, "{kind:?}");
        let mut tries = 1;
        while documents().await.is_err() {
            tries += 1;
            assert!(tries < 4, "{kind:?}: never a label again");
        }
        assert_eq!(conversation.replay.bookings().len(), 1, "{kind:?}");
    }
}

/// What a server does with an outcome, for as long as it may send again.
pub async fn settle(conversation: &Conversation, plan: &Plan, mut outcome: Outcome) {
    let mut plan = plan.clone();
    for _ in 0..3 {
        let may_send_again = match &outcome {
            Outcome::NotSent(_) | Outcome::TurnedAway(..) => true,
            Outcome::Unknown(_) => is_absent(conversation, &plan).await,
            _ => false,
        };
        if !may_send_again {
            return;
        }
        plan.reference = new_reference();
        outcome = conversation.book(&plan).await;
    }
}

/// Whether the carrier has proved that it has no such booking. Without a look-up there is no proof.
async fn is_absent(conversation: &Conversation, plan: &Plan) -> bool {
    match conversation.carrier.lookup(&plan.order.delivery.service_code) {
        Lookup::Never => false,
        _ => matches!(conversation.find(plan).await, Found::Absent),
    }
}

/// Refused connections, and those who cannot prove their name: nothing is sent.
async fn nobody_is_there(subject: &Subject) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let carrier = adapter(subject.open, &url);
    let dialled = carrier.dial(&subject.account).await;
    assert!(matches!(dialled, Err(DialFailure::Unreachable(_))), "{dialled:?}");

    let stranger = Stranger::start(subject.code).await;
    let network = Network::new().unwrap().resolving_with(Arc::new(Loopback));
    let carrier = speaking(subject.open, network, stranger.replay.url());
    let dialled = carrier.dial(&subject.account).await;
    assert!(matches!(dialled, Err(DialFailure::Unreachable(_))), "{dialled:?}");
    assert_eq!(stranger.replay.bookings(), Vec::<String>::new());
}

/// Books over TLS.
pub async fn books_over_tls(subject: &Subject) {
    let Stranger { replay, roots } = Stranger::start(subject.code).await;
    let network = Network::new().unwrap().resolving_with(Arc::new(Loopback));
    let carrier = speaking(subject.open, network.trusting(roots).unwrap(), replay.url());
    let conversation = Conversation { replay, carrier, account: subject.account.clone() };
    assert!(conversation.replay.url().starts_with("https://"));
    conversation.accepted(&subject.plan).await;
    assert_eq!(conversation.replay.bookings(), [subject.plan.reference.to_string()]);
}

/// A carrier with TLS, and who vouches for it.
struct Stranger {
    replay: Replay,
    roots: RootCertStore,
}

impl Stranger {
    async fn start(code: &str) -> Stranger {
        let (acceptor, roots) = certified(NAME);
        let tls = Some((acceptor, NAME.to_owned()));
        let all: Exchanges = exchanges(code);
        let replay = Replay::start(all, Options { listen: None, tls }).await.unwrap();
        Stranger { replay, roots }
    }
}

fn speaking(open: Open, network: Network, url: &str) -> Arc<dyn waybill_carriers::Carrier> {
    let connector = Connector::new(&network, Some(BaseUrl::parse(url).unwrap()));
    open(Connector { timeouts: TIMEOUTS, ..connector })
}
