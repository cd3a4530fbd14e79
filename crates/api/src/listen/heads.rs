//! Lines of a head end with CR LF. The HTTP library takes a bare LF too, where a proxy in front of
//! us may see no end of line: two that disagree about where a request ends can be made to take one
//! request for two. So what a peer sends over HTTP/1 is looked at on its way to the library, and
//! refused from the first bare LF on, in heads, trailers and sizes of chunks. Bodies may hold any
//! byte and are skipped by count.
//!
//! Only what the library would accept matters here: whatever else is wrong with a head ends the
//! connection anyway.

use memchr::memchr;

use super::frames::Frames;

/// What a connection of HTTP/2 begins with.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// What is handed on in place of a bare LF: a byte that no head may hold, and an end of the head,
/// for the library looks at a head that came in parts only when it has seen its end.
pub const REFUSED: &[u8] = b"\0\r\n\r\n";

/// How much of a line is kept: fields that say how long a body is are shorter.
const KEPT_MAX: usize = 128;

/// Follows what one peer sends.
pub struct Heads {
    position: Position,
    line: Line,
    frames: Frames,
}

/// Where in a request we are.
#[derive(Clone, Copy)]
enum Position {
    /// At the very beginning, after this much of HTTP/2's preface.
    Preface(usize),
    Head(Framing),
    /// This many bytes are left of a body.
    Body(u64),
    ChunkSize,
    /// This many bytes are left of a chunk and the end of line after it.
    Chunk(u64),
    Trailers,
    /// Of HTTP/2: none of it is lines.
    Frames,
    Refused,
}

/// What a head has said so far about its body.
#[derive(Clone, Copy, Default)]
struct Framing {
    /// False before the first line that is not empty.
    is_begun: bool,
    length: u64,
    has_length: bool,
    is_chunked: bool,
}

impl Heads {
    /// For a connection that has just been accepted.
    pub fn new() -> Heads {
        Heads { position: Position::Preface(0), line: Line::default(), frames: Frames::new() }
    }

    /// How many of these bytes, which come next, may be handed on.
    pub fn pass(&mut self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            at += match self.position {
                Position::Preface(seen) => self.preface(seen, rest),
                Position::Head(_) | Position::ChunkSize | Position::Trailers => self.line(rest),
                Position::Body(left) => self.skip(left, rest, Position::Body, Position::new_head()),
                Position::Chunk(left) => {
                    self.skip(left, rest, Position::Chunk, Position::ChunkSize)
                }
                Position::Frames => self.frames(rest),
                Position::Refused => return at,
            };
        }
        at
    }

    /// True once something was not handed on.
    pub fn is_refused(&self) -> bool {
        matches!(self.position, Position::Refused)
    }

    fn preface(&mut self, seen: usize, bytes: &[u8]) -> usize {
        let is_same = |(got, expected): &(&u8, &u8)| got == expected;
        let same = bytes.iter().zip(&PREFACE[seen..]).take_while(is_same).count();
        let seen = seen + same;
        if seen == PREFACE.len() {
            self.position = Position::Frames;
        } else if same == bytes.len() {
            self.position = Position::Preface(seen);
        } else {
            self.position = Position::new_head();
            self.pass(&PREFACE[..seen]);
        }
        same
    }

    fn frames(&mut self, bytes: &[u8]) -> usize {
        if self.frames.pass(bytes) {
            return bytes.len();
        }
        self.position = Position::Refused;
        0
    }

    fn skip(
        &mut self,
        left: u64,
        bytes: &[u8],
        more: fn(u64) -> Position,
        next: Position,
    ) -> usize {
        let length = bytes.len() as u64;
        if left > length {
            self.position = more(left - length);
            return bytes.len();
        }
        self.position = next;
        // Not more than there are.
        left as usize
    }

    fn line(&mut self, bytes: &[u8]) -> usize {
        let Some(end) = memchr(b'\n', bytes) else {
            self.line.push(bytes);
            return bytes.len();
        };
        self.line.push(&bytes[..end]);
        if !self.line.ends_in_cr {
            self.position = Position::Refused;
            return end;
        }
        self.position = self.position.after(&self.line);
        self.line.clear();
        end + 1
    }
}

impl Position {
    fn new_head() -> Position {
        Position::Head(Framing::default())
    }

    /// Where we are after this line.
    fn after(self, line: &Line) -> Position {
        match self {
            Position::Head(framing) if line.is_empty() => match framing {
                Framing { is_begun: false, .. } | Framing { length: 0, is_chunked: false, .. } => {
                    Position::new_head()
                }
                Framing { is_chunked: true, .. } => Position::ChunkSize,
                Framing { length, .. } => Position::Body(length),
            },
            Position::Head(framing) => {
                framing.after(line).map_or(Position::Refused, Position::Head)
            }
            Position::ChunkSize => match line.chunk_size() {
                Some(0) => Position::Trailers,
                Some(size) => size.checked_add(2).map_or(Position::Refused, Position::Chunk),
                None => Position::Refused,
            },
            Position::Trailers if line.is_empty() => Position::new_head(),
            other => other,
        }
    }
}

impl Framing {
    /// With what this line of the head says; `None` if a body would have no certain end.
    fn after(mut self, line: &Line) -> Option<Framing> {
        self.is_begun = true;
        if let Some(value) = line.field(b"content-length:")? {
            let digits = str::from_utf8(value).ok().filter(|_| value[0].is_ascii_digit())?;
            (self.length, self.has_length) = (digits.parse().ok()?, true);
        } else if let Some(value) = line.field(b"transfer-encoding:")? {
            // No other coding is undone here.
            self.is_chunked = value.trim_ascii().eq_ignore_ascii_case(b"chunked");
            if !self.is_chunked {
                return None;
            }
        }
        // A proxy in front may believe the other of the two.
        (!(self.has_length && self.is_chunked)).then_some(self)
    }
}

/// The line that is being read.
#[derive(Default)]
struct Line {
    /// Its first bytes.
    start: Vec<u8>,
    length: usize,
    ends_in_cr: bool,
}

impl Line {
    fn push(&mut self, bytes: &[u8]) {
        let room = KEPT_MAX - self.start.len();
        self.start.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.length = self.length.saturating_add(bytes.len());
        if let Some(last) = bytes.last() {
            self.ends_in_cr = *last == b'\r';
        }
    }

    fn clear(&mut self) {
        self.start.clear();
        (self.length, self.ends_in_cr) = (0, false);
    }

    /// Nothing but its CR.
    fn is_empty(&self) -> bool {
        self.length == 1
    }

    /// The value, if this is the field of that name, which is given with its colon. The outer
    /// `None` is for a value that is missing or longer than it can have reason to be.
    fn field(&self, name: &[u8]) -> Option<Option<&[u8]>> {
        match self.start.split_at_checked(name.len()) {
            Some((start, value)) if start.eq_ignore_ascii_case(name) => {
                let value = value.trim_ascii();
                (self.length <= KEPT_MAX && !value.is_empty()).then_some(Some(value))
            }
            _ => Some(None),
        }
    }

    fn chunk_size(&self) -> Option<u64> {
        let digits = self.start.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        if digits == KEPT_MAX {
            return None;
        }
        u64::from_str_radix(str::from_utf8(&self.start[..digits]).ok()?, 16).ok()
    }
}

#[cfg(test)]
mod tests;
