//! What an agent would see of its printers, without being one.

use waybill_domain::printing::Abilities;
use waybill_outbound::Network;
use waybill_printing::queue::QueuePrinter;
use waybill_printing::{LinkError, PrinterNetworks, Printers};

use crate::options::Sources;
use crate::queue::{Device, Folder, Raw};
use crate::sources::Found;
use crate::target::{Target, TargetError};

/// A printer as it was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Surveyed {
    /// What a server would know it by.
    pub key: String,
    /// What it is called.
    pub name: String,
    /// Where it is.
    pub uri: String,
    /// The formats that it takes.
    pub formats: Vec<&'static str>,
    /// How many papers it names; nothing when it does not speak of papers.
    pub papers: Option<usize>,
    /// Why it takes nothing now; nothing when it does.
    pub trouble: Option<String>,
}

/// Looks at all printers once. The queues of a CUPS server that is not there are not among them;
/// why is told beside.
pub async fn survey(sources: &Sources, network: &Network) -> (Vec<Surveyed>, Option<LinkError>) {
    let printers = Printers::new(network.clone(), PrinterNetworks::Any, None);
    let (queues, trouble) = match sources.queues(&printers).await {
        Ok(queues) => (queues, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    let mut all = Vec::new();
    for found in queues.into_iter().chain(sources.named()) {
        all.push(look(&printers, found).await);
    }
    (all, trouble)
}

async fn look(printers: &Printers, found: Found) -> Surveyed {
    let (abilities, trouble) = match Target::parse(&found.uri) {
        Ok(Target::Ipp(uri)) => match printers.probe(&uri, None).await {
            Ok((report, _)) => {
                let why_not = report.why_not();
                (report.abilities, why_not)
            }
            Err(error) => (Abilities::default(), Some(error.to_string())),
        },
        Ok(Target::Raw(host, port)) => {
            let raw = Raw { host, port };
            (raw.abilities(), raw.probe().await.err().map(|why| why.to_string()))
        }
        Ok(Target::Folder(path)) => {
            let folder = Folder { path };
            (folder.abilities(), folder.look().await.err().map(|why| why.to_string()))
        }
        Err(problem) => (Abilities::default(), Some(TargetError::to_string(&problem))),
    };
    let seen = QueuePrinter { abilities, ..QueuePrinter::unseen(found.uri.clone()) };
    Surveyed {
        key: found.key,
        name: found.name,
        uri: found.uri,
        formats: seen.intake().types().formats().map(|format| format.name()).collect(),
        papers: seen.abilities.sizes.as_ref().map(Vec::len),
        trouble,
    }
}
