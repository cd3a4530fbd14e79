//! What a printer is told about a job and its document.

use waybill_domain::printing::Media;

use crate::ipp::{Attribute, Group, Kind, Value, group};

/// The longest name that IPP knows, RFC 8011 section 5.1.3.
const NAME_BYTES_MAX: usize = 255;

/// What is printed, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobTicket {
    /// The name by which the printer job is found again.
    pub name: String,
    /// The name of the document for people.
    pub document_name: String,
    /// The media type of the document, as the printer names it.
    pub format: String,
    /// How often it is printed.
    pub copies: i64,
    /// The paper, when the printer has to be told.
    pub media: Option<Media>,
    /// Whether it is told to print on one side.
    pub one_sided: bool,
    /// Whether it is told to leave the size as it is.
    pub no_scaling: bool,
}

impl JobTicket {
    /// What the operation says about the job.
    pub(crate) fn job(&self) -> Vec<Attribute> {
        vec![
            attribute("job-name", Value::name(cut(&self.name))),
            attribute("ipp-attribute-fidelity", Value::Boolean(false)),
        ]
    }

    /// What the operation says about the document.
    pub(crate) fn document(&self) -> Vec<Attribute> {
        vec![
            attribute("document-name", Value::name(cut(&self.document_name))),
            attribute("document-format", Value::text(Kind::MimeType, &self.format)),
        ]
    }

    /// How it is printed. A single copy is what every printer makes unasked.
    pub(crate) fn template(&self) -> Group {
        let mut job = Group::new(group::JOB);
        if self.copies > 1 {
            let copies = i32::try_from(self.copies).unwrap_or(i32::MAX);
            job = job.with("copies", Value::Integer(copies));
        }
        match &self.media {
            Some(Media::Named(name)) => job = job.with("media", Value::keyword(name)),
            Some(Media::Custom(width, height)) => {
                let size = Value::Collection(vec![
                    attribute("x-dimension", Value::Integer(*width)),
                    attribute("y-dimension", Value::Integer(*height)),
                ]);
                let media = Value::Collection(vec![attribute("media-size", size)]);
                job = job.with("media-col", media);
            }
            None => {}
        }
        if self.one_sided {
            job = job.with("sides", Value::keyword("one-sided"));
        }
        if self.no_scaling {
            job = job.with("print-scaling", Value::keyword("none"));
        }
        job
    }
}

pub(crate) fn attribute(name: &str, value: Value) -> Attribute {
    Attribute { name: name.to_owned(), values: vec![value] }
}

/// A name as IPP wants it: short and on one line.
fn cut(name: &str) -> String {
    let mut end = name.len().min(NAME_BYTES_MAX);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name[..end].replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticket(media: Option<Media>) -> JobTicket {
        JobTicket {
            name: "wb-1 Label".to_owned(),
            document_name: "Label\n1".to_owned(),
            format: "application/pdf".to_owned(),
            copies: 3,
            media,
            one_sided: true,
            no_scaling: true,
        }
    }

    #[test]
    fn a_printer_is_told_the_paper_by_its_name_or_by_its_size() {
        let named = ticket(Some(Media::Named("iso_a4_210x297mm".to_owned()))).template();
        assert_eq!(named.text("media"), Some("iso_a4_210x297mm"));
        let custom = ticket(Some(Media::Custom(10_000, 15_000))).template();
        let size = custom.values("media-col")[0].member("media-size").unwrap();
        assert_eq!(size.member("y-dimension"), Some(&Value::Integer(15_000)));
        assert_eq!(named.integer("copies"), Some(3));
        assert_eq!(named.text("sides"), Some("one-sided"));
        assert_eq!(named.text("print-scaling"), Some("none"));
    }

    #[test]
    fn what_needs_not_be_said_is_not_said() {
        let plain = JobTicket { copies: 1, one_sided: false, no_scaling: false, ..ticket(None) };
        assert_eq!(plain.template(), Group::new(group::JOB));
    }

    #[test]
    fn names_are_short_and_on_one_line() {
        let long = JobTicket { document_name: "ø".repeat(200), ..ticket(None) };
        let text = |ticket: &JobTicket| match &ticket.document()[0].values[0] {
            Value::Text { text, .. } => text.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(text(&long).len(), 254);
        assert_eq!(text(&ticket(None)), "Label 1");
    }
}
