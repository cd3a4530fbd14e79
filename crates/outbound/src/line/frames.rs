//! Where a request begins in what is written to a connection of HTTP/2. Settings, pings and windows
//! are written at any time and belong to no request.

/// What a client writes before its first frame: the preface of RFC 9113, section 3.4.
const PREFACE_LENGTH: usize = 24;
/// Three bytes of length, type, flags and four bytes of stream.
const HEAD_LENGTH: usize = 9;
/// The type of a frame that begins a request.
const HEADERS: u8 = 1;

/// How far what was written reaches into a frame.
#[derive(Clone, Copy)]
pub struct Frames {
    /// Bytes to come before the next head.
    ahead: usize,
    /// Bytes of the head that were written.
    of_head: usize,
    /// The length that the head tells, as far as it was written.
    length: usize,
}

impl Default for Frames {
    fn default() -> Frames {
        Frames { ahead: PREFACE_LENGTH, of_head: 0, length: 0 }
    }
}

impl Frames {
    /// Goes on with these bytes. True when a request begins among them.
    pub fn begin_request(&mut self, mut bytes: &[u8]) -> bool {
        let mut begins = false;
        loop {
            let inside = self.ahead.min(bytes.len());
            self.ahead -= inside;
            bytes = &bytes[inside..];
            let Some((byte, rest)) = bytes.split_first() else { return begins };
            begins |= self.of_head == 3 && *byte == HEADERS;
            self.take_head(*byte);
            bytes = rest;
        }
    }

    fn take_head(&mut self, byte: u8) {
        if self.of_head < 3 {
            self.length = self.length << 8 | usize::from(byte);
        }
        self.of_head += 1;
        if self.of_head == HEAD_LENGTH {
            *self = Frames { ahead: self.length, of_head: 0, length: 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, length: usize) -> Vec<u8> {
        let mut frame = u32::try_from(length).unwrap().to_be_bytes()[1..].to_vec();
        frame.extend([kind, 0, 0, 0, 0, 1]);
        // A payload that looks like heads of requests.
        frame.extend(std::iter::repeat_n(HEADERS, length));
        frame
    }

    #[test]
    fn a_request_begins_with_its_headers_however_the_bytes_are_cut() {
        let before = [vec![HEADERS; PREFACE_LENGTH], frame(4, 18), frame(8, 4), frame(6, 8)];
        let request = [frame(HEADERS, 70_000), frame(9, 10), frame(0, 300)];
        for size in [1, 2, 3, 7, 9, 1000, 100_000] {
            let mut frames = Frames::default();
            let cut = |frames: &mut Frames, bytes: &[u8]| -> usize {
                bytes.chunks(size).filter(|chunk| frames.begin_request(chunk)).count()
            };
            assert_eq!(cut(&mut frames, &before.concat()), 0, "{size}");
            assert_eq!(cut(&mut frames, &request.concat()), 1, "{size}");
            assert_eq!(cut(&mut frames, &frame(4, 0)), 0, "{size}");
            assert_eq!(cut(&mut frames, &request.concat()), 1, "{size}");
        }
    }
}
