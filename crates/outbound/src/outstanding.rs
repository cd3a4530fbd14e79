//! What the other side's system has not acknowledged yet, as Linux tells of every line of this
//! process in a table. Elsewhere nobody knows.

use std::fs;
use std::net::{IpAddr, SocketAddr};

use tokio::net::TcpStream;
use tokio::task::spawn_blocking;

/// A line, as it is found in the table.
pub struct Outstanding {
    table: &'static str,
    ends: String,
}

impl Outstanding {
    /// What is outstanding of this line.
    pub fn of(stream: &TcpStream) -> Option<Outstanding> {
        let (ours, theirs) = (stream.local_addr().ok()?, stream.peer_addr().ok()?);
        let table = if ours.is_ipv4() { "/proc/self/net/tcp" } else { "/proc/self/net/tcp6" };
        Some(Outstanding { table, ends: format!("{} {}", in_table(ours), in_table(theirs)) })
    }

    /// How many bytes that is now; nothing when that is not known. The end of a line counts as one.
    pub async fn bytes(&self) -> Option<u64> {
        let table = self.table;
        let table = spawn_blocking(move || fs::read_to_string(table)).await.ok()?.ok()?;
        find(&table, &self.ends)
    }

    /// The same at once, for whoever cannot wait: it takes as long as the table is.
    pub fn bytes_at_once(&self) -> Option<u64> {
        find(&fs::read_to_string(self.table).ok()?, &self.ends)
    }
}

/// An address as the table has it: words of four bytes, each as this machine stores it.
fn in_table(address: SocketAddr) -> String {
    let word = |bytes: &[u8]| bytes.try_into().map(u32::from_ne_bytes).unwrap_or_default();
    let words = |bytes: &[u8]| bytes.chunks(4).map(|four| format!("{:08X}", word(four))).collect();
    let host: String = match address.ip() {
        IpAddr::V4(ip) => words(&ip.octets()),
        IpAddr::V6(ip) => words(&ip.octets()),
    };
    format!("{host}:{:04X}", address.port())
}

/// After the two ends of a line come its state and its two counts, of which the first is ours.
fn find(table: &str, ends: &str) -> Option<u64> {
    let rest = table.lines().find_map(|row| row.split_once(ends))?.1;
    let (unacknowledged, _unread) = rest.split_whitespace().nth(1)?.split_once(':')?;
    u64::from_str_radix(unacknowledged, 16).ok()
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn bytes_count_until_the_other_sides_system_has_them() {
        for host in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(host).await else { continue };
            let ours = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let (_theirs, _) = listener.accept().await.unwrap();
            let outstanding = Outstanding::of(&ours).unwrap();
            assert_eq!(outstanding.bytes().await, Some(0), "{host}");
            // More than the other side's system takes while nobody reads.
            loop {
                ours.writable().await.unwrap();
                if ours.try_write(&[7; 65_536]).is_err() {
                    break;
                }
            }
            assert!(outstanding.bytes().await.unwrap() > 0, "{host}");
        }
    }

    #[test]
    fn a_line_is_found_by_both_its_ends() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when\n   \
            0: 0100007F:1F90 0100007F:A001 01 00000000:00000003 00:00000000\n   \
            1: 0100007F:1F90 0100007F:A002 08 0004FEE1:00000001 01:00000014\n";
        assert_eq!(find(table, "0100007F:1F90 0100007F:A001"), Some(0));
        assert_eq!(find(table, "0100007F:1F90 0100007F:A002"), Some(327_393));
        assert_eq!(find(table, "0100007F:1F90 0100007F:A003"), None);
    }
}
