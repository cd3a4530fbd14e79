//! What came of each question, one line for each.

use waybill_domain::json::Json;
use waybill_outbound::Secrets;

use crate::cli::output::escaped;

/// How a question ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// As it should.
    Good,
    /// Not as it should.
    Failed,
    /// It was not asked, because an earlier one failed.
    Skipped,
    /// The carrier does not offer this.
    NotOffered,
}

impl Ending {
    fn name(self) -> &'static str {
        match self {
            Ending::Good => "ok",
            Ending::Failed => "failed",
            Ending::Skipped => "skipped",
            Ending::NotOffered => "not_offered",
        }
    }
}

/// A question, and what came of it.
pub struct Step {
    pub name: String,
    pub ending: Ending,
    pub detail: String,
}

impl Step {
    pub fn new(name: impl Into<String>, ending: Ending, detail: impl Into<String>) -> Step {
        Step { name: name.into(), ending, detail: detail.into() }
    }
}

/// Everything that was asked.
pub struct Report {
    code: &'static str,
    /// Where the carrier was, when it was not at its own host.
    url: Option<String>,
    steps: Vec<Step>,
}

impl Report {
    /// What carriers say may have anything in it, also what they were sent.
    pub fn new(
        code: &'static str,
        url: Option<&str>,
        mut steps: Vec<Step>,
        secrets: &Secrets,
    ) -> Report {
        for step in &mut steps {
            step.detail = secrets.hide(&step.detail);
        }
        Report { code, url: url.map(str::to_owned), steps }
    }

    /// Whether everything that the carrier offers works.
    pub fn is_good(&self) -> bool {
        let is_bad = |ending| matches!(ending, Ending::Failed | Ending::Skipped);
        !self.steps.iter().any(|step| is_bad(step.ending))
    }

    pub fn print(&self) {
        let place = self.url.as_ref().map(|url| format!(" at {url}")).unwrap_or_default();
        println!("{}{place}; nothing is booked", self.code);
        for Step { name, ending, detail } in &self.steps {
            let ending = ending.name().replace('_', " ");
            println!("{ending:<12}{name}: {}", escaped(detail));
        }
    }

    pub fn to_json(&self) -> Json {
        let step = |step: &Step| {
            Json::object([
                ("step", step.name.as_str().into()),
                ("result", step.ending.name().into()),
                ("detail", step.detail.as_str().into()),
            ])
        };
        Json::object([
            ("carrier", self.code.into()),
            ("carrier_url", self.url.as_deref().into()),
            ("is_good", self.is_good().into()),
            ("steps", Json::list(self.steps.iter().map(step))),
        ])
    }
}
