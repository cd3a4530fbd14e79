//! What to do in each step, and what each observation changes, as tables.

use super::*;

/// The same words for several kinds, or in several phases, make one line.
fn gather<'a>(words: impl Iterator<Item = (&'a str, String)>, all: usize) -> Vec<(String, String)> {
    let mut lines: Vec<(Vec<&str>, String)> = Vec::new();
    for (name, words) in words {
        match lines.iter_mut().find(|(_, known)| *known == words) {
            Some((names, _)) => names.push(name),
            None => lines.push((vec![name], words)),
        }
    }
    let join = |names: Vec<&str>| if names.len() == all { "any".into() } else { names.join(", ") };
    lines.into_iter().map(|(names, words)| (join(names), words)).collect()
}

/// The lines of a table: which kinds, in which phases, what happens. Nothing, when nothing does.
fn lines(head: &str, cell: impl Fn(CarrierKind, Time, bool) -> Option<String>) -> String {
    let of_kind = |kind| {
        let cells = phases().into_iter();
        let cells = cells.filter_map(|(phase, now, is)| Some((phase, cell(kind, now, is)?)));
        let lines = gather(cells, phases().len()).into_iter();
        lines.map(|(phases, words)| format!("{phases} | {words}")).collect::<Vec<_>>()
    };
    let names = ["Idempotent", "Lookup", "Blind"].into_iter().zip(KINDS);
    let all =
        names.flat_map(|(name, kind)| of_kind(kind).into_iter().map(move |line| (name, line)));
    let lines = gather(all, KINDS.len()).into_iter();
    lines.map(|(kinds, line)| format!("{head} | {kinds} | {line}\n")).collect()
}

/// Step, kind of carrier, phase, what to do. A booking that failed is not `Ready`: see below.
const WHAT_TO_DO: &str = "
Ready | any | early, settled | Call
Ready | any | late, told, given up | Fail(Deadline)
Calling | any | early, settled, told, given up | TakeOver
Calling | any | late | Fail(Deadline)
Unknown | Idempotent | early, settled, told | CallAgain
Unknown | any | late | Fail(Deadline)
Unknown | Idempotent, Lookup | given up | Rest
Unknown | Lookup | early, settled, told | Ask
Unknown | Blind | early, settled | Wait(deadline)
Unknown | Blind | told, given up | Rest
Accepted | any | any | Documents
Done | any | any | Rest
";

/// Step, observation, kind of carrier, phase, what follows. What is not here changes nothing.
const WHAT_CHANGES: &str = "
Ready | Unsendable | any | early, settled, late | Done, told Technical, rest
Ready | Unsendable | any | told, given up | Done, rest
Calling | NotSent | any | early, settled, late | Ready, call NotSent
Calling | NotSent | any | told, given up | Done, call NotSent, told Deadline, rest
Calling | TakenOver | any | any | Unknown, call Unknown
Calling | Accepted | any | any | Accepted, call Accepted
Calling | Booked | any | any | Done, call Accepted, told Booked, rest
Calling | Partial | any | any | Done, call Accepted, told Technical, rest
Calling | Rejected | any | any | Done, call Rejected, told Rejected, rest
Calling | Unsendable | any | early, settled, late | Done, call NotSent, told Technical, rest
Calling | Unsendable | any | told, given up | Done, call NotSent, told Deadline, rest
Calling | Unclear | any | any | Unknown, call Unknown
Calling | Absent | Idempotent, Blind | early, settled, late, told | Unknown, call Unknown
Calling | Absent | Idempotent, Blind | given up | Done, call Absent, told Deadline, rest
Calling | Absent | Lookup | early | Unknown, call Unknown
Calling | Absent | Lookup | settled | Ready, call Absent
Calling | Absent | Lookup | late, told, given up | Done, call Absent, told Deadline, rest
Calling | NoAnswer | any | any | Unknown, call Unknown
Calling | NotListed | any | given up | Done, call Absent, told Deadline, rest
Unknown | NotSent | Idempotent | any | Unknown, call Unknown
Unknown | Accepted | any | any | Accepted, call Accepted
Unknown | Booked | any | any | Done, call Accepted, told Booked, rest
Unknown | Partial | any | any | Done, call Accepted, told Technical, rest
Unknown | Rejected | Idempotent | any | Unknown, call Unknown
Unknown | Rejected | Lookup, Blind | any | Done, call Rejected, told Rejected, rest
Unknown | Unsendable | Idempotent | any | Unknown, call Unknown
Unknown | Unclear | any | any | Unknown, call Unknown
Unknown | Absent | Idempotent, Blind | early, settled, late, told | Unknown, call Unknown
Unknown | Absent | Idempotent, Blind | given up | Done, call Absent, told Deadline, rest
Unknown | Absent | Lookup | early | Unknown, call Unknown
Unknown | Absent | Lookup | settled | Ready, call Absent
Unknown | Absent | Lookup | late, told, given up | Done, call Absent, told Deadline, rest
Unknown | NoAnswer | any | any | Unknown, call Unknown
Unknown | NotListed | Idempotent, Lookup | given up | Done, call Absent, told Deadline, rest
Unknown | NotListed | Blind | told, given up | Done, call Absent, told Deadline, rest
Accepted | DocumentsReady | any | any | Done, told Booked, rest
Accepted | DocumentsFailed | any | any | Done, told Technical, rest
Accepted | Cancelled | any | told, given up | Done, cancelled, rest
Accepted, holds Part | DocumentsReady | any | any | Done, told Technical, rest
Accepted, holds Part | DocumentsFailed | any | any | Done, told Technical, rest
Accepted, holds Part | Cancelled | any | told, given up | Done, cancelled, rest
Done, holds Part | DocumentsWanted | any | told, given up | Accepted
Done, holds Part | Cancelled | any | any | Done, cancelled, rest
Done, holds All | DocumentsWanted | any | told, given up | Accepted
Done, holds All | Cancelled | any | any | Done, cancelled, rest
";

#[test]
fn for_every_step_it_is_said_what_to_do() {
    let row = |step| {
        lines(&format!("{step:?}"), move |kind, now, is_failed| {
            let next = decide(&booking(step, kind, is_failed), now);
            Some(format!("{next:?}").replace(&format!("{DEADLINE:?}"), "deadline"))
        })
    };
    let table: String = Step::ALL.into_iter().map(row).collect();
    assert_eq!(table, WHAT_TO_DO.trim_start());
}

#[test]
fn these_observations_change_something_and_no_others() {
    let mut table = String::new();
    let all = STANDS.into_iter().flat_map(|stand| SEEN.map(|seen| (stand, seen)));
    for ((step, held), seen) in all {
        let stand = match held {
            Held::Nothing => format!("{step:?}"),
            Held::All if step == Step::Accepted => format!("{step:?}"),
            held => format!("{step:?}, holds {held:?}"),
        };
        let name = format!("{seen:?}");
        let name = name.split([' ', '(']).next().unwrap_or_default();
        table += &lines(&format!("{stand} | {name}"), |kind, now, is_failed| {
            // One more failure is one too many.
            let tries = DOCUMENT_TRIES - 1;
            let booking = Booking { tries, held, ..booking(step, kind, is_failed) };
            let change = record(&booking, seen_at(seen, now), now);
            let call = change.call.map(|call| format!(", call {call:?}")).unwrap_or_default();
            let told = change.ending.map(|end| format!(", told {end:?}")).unwrap_or_default();
            let cancelled = if change.is_cancelled { ", cancelled" } else { "" };
            let rest = if change.look_at.is_none() { ", rest" } else { "" };
            let words = format!("{:?}{call}{told}{cancelled}{rest}", change.step);
            (words != format!("{step:?}")).then_some(words)
        });
    }
    assert_eq!(table, WHAT_CHANGES.trim_start());
}
