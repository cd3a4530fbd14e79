//! Requests that are wrong, and what a printer tells of itself.

use waybill_printing::ipp::{Group, Kind, Message, Value, group, operation};

use crate::client::*;
use crate::harness::Printer;

#[track_caller]
fn status(client: &Client, message: &Message) -> u16 {
    client.send_message(message, b"").unwrap().code
}

#[test]
fn a_request_that_is_not_one_of_ipp_is_told_so() {
    let printer = Printer::start();
    let client = Client::new(&printer, "");
    let right = Message::new((1, 1), operation::GET_PRINTER_ATTRIBUTES, 1);
    let right = right.with(client.operation_group());
    assert_eq!(status(&client, &right), OK);
    let wrong = |change: fn(&mut Message)| {
        let mut message = right.clone();
        change(&mut message);
        status(&client, &message)
    };
    assert_eq!(wrong(|message| message.version = (3, 0)), 0x0503);
    assert_eq!(wrong(|message| message.request_id = 0), 0x0400);
    assert_eq!(wrong(|message| message.code = 0x4002), 0x0501);
    assert_eq!(wrong(|message| message.groups.clear()), 0x0400);
    assert_eq!(wrong(|message| message.groups[0].attributes.swap(0, 1)), 0x0400);
    assert_eq!(wrong(|message| drop(message.groups[0].attributes.remove(2))), 0x0400);
    assert_eq!(
        wrong(|message| {
            let value = Value::text(Kind::Charset, "latin1");
            message.groups[0].attributes[0].values = vec![value];
        }),
        0x040d
    );
}

#[test]
fn documents_of_other_kinds_and_values_out_of_bounds_are_refused() {
    let printer = Printer::start();
    let client = Client::new(&printer, "");
    assert_eq!(client.print("a", "text/plain", 1, b"x").unwrap().code, 0x040a);
    assert_eq!(client.print("a", "image/png", 0, b"x").unwrap().code, 0x040b);
    assert_eq!(client.print("a", "image/png", 100, b"x").unwrap().code, 0x040b);
    assert_eq!(client.print("a", "image/png", 1, b"").unwrap().code, 0x0400);
    let id = client.created("a");
    let group = client.operation_group().with("job-id", Value::Integer(id));
    let message = Message::new((2, 0), operation::SEND_DOCUMENT, 1);
    assert_eq!(status(&client, &message.clone().with(group.clone())), 0x0400);
    let compressed = group
        .with("compression", Value::keyword("gzip"))
        .with("last-document", Value::Boolean(true));
    assert_eq!(status(&client, &message.with(compressed)), 0x040f);
    assert!(printer.papers().is_empty());
}

#[test]
fn it_tells_what_it_prints_and_only_what_is_asked_for() {
    let printer = Printer::start();
    let client = Client::new(&printer, "");
    let all = client.attributes();
    let formats: Vec<&str> = all.texts("document-format-supported").collect();
    assert_eq!(formats, ["application/pdf", "application/vnd.zebra-zpl", "image/png"]);
    let media: Vec<&str> = all.texts("media-supported").collect();
    assert_eq!(media, ["custom_100x150mm_100x150mm", "iso_a4_210x297mm"]);
    assert_eq!(all.values("copies-supported"), [Value::Range(1, 99)]);
    let ask = |names: &[&str]| -> Group {
        let names = names.iter().map(|name| Value::keyword(*name)).collect();
        let group = client.operation_group().with_all("requested-attributes", names);
        let answer = client.ask(operation::GET_PRINTER_ATTRIBUTES, group).unwrap();
        answer.group(group::PRINTER).unwrap().clone()
    };
    let names = |group: Group| -> Vec<String> {
        group.attributes.into_iter().map(|attribute| attribute.name).collect()
    };
    assert_eq!(names(ask(&["printer-name", "sides-default"])), ["printer-name", "sides-default"]);
    let (templates, others) = (names(ask(&["job-template"])), names(ask(&["printer-description"])));
    assert!(templates.contains(&"media-ready".to_owned()));
    assert_eq!(templates.len() + others.len(), all.attributes.len());
}

#[test]
fn a_job_is_found_by_its_own_address_too() {
    let printer = Printer::start();
    let client = Client::new(&printer, "blind");
    let id = client.created("label");
    let uri = client.job(id).unwrap().text("job-uri").unwrap().to_owned();
    let mut group = client.operation_group();
    group.attributes.retain(|attribute| attribute.name != "printer-uri");
    let group = group.with("job-uri", Value::uri(uri));
    let answer = client.ask(operation::GET_JOB_ATTRIBUTES, group).unwrap();
    assert_eq!(answer.group(group::JOB).unwrap().integer("job-id"), Some(id));
}
