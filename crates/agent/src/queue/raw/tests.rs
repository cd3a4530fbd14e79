use tokio::net::TcpListener;

use super::*;

/// What becomes of a file that is sent to somebody who does this.
async fn sent<F, Fut>(bytes: Vec<u8>, other: F) -> Sent
where
    F: FnOnce(TcpStream) -> Fut + Send + 'static,
    Fut: Future<Output = ()> + Send,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let there = tokio::spawn(async move { other(listener.accept().await.unwrap().0).await });
    let raw = Raw { host: address.ip().to_string(), port: address.port() };
    let open = raw.connect().await.unwrap();
    let sent = send(open, &bytes, Duration::from_secs(2)).await;
    there.abort();
    sent
}

#[tokio::test]
async fn a_printer_that_reads_everything_and_closes_has_printed() {
    let reading = |mut stream: TcpStream| async move {
        let mut read = Vec::new();
        stream.read_to_end(&mut read).await.unwrap();
        assert_eq!(read.len(), 300_000);
    };
    assert_eq!(sent(vec![7; 300_000], reading).await, Sent::Whole);
}

#[tokio::test]
async fn a_line_that_breaks_after_the_first_byte_leaves_it_unclear() {
    let breaking = |mut stream: TcpStream| async move {
        stream.read_exact(&mut [0; 100]).await.unwrap();
    };
    assert!(matches!(sent(vec![7; 9_000_000], breaking).await, Sent::Unclear(_)));
}

#[tokio::test]
async fn a_printer_that_closes_before_the_first_byte_was_sent_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let open = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    drop(listener.accept().await.unwrap());
    open.readable().await.unwrap();
    assert!(matches!(send(open, &[7; 327_393], CLOSING).await, Sent::Nothing(_)));
}

#[tokio::test]
async fn a_printer_that_closes_before_our_end_has_not_read_everything() {
    for size in [6, 327_393] {
        let busy = |mut stream: TcpStream| async move {
            // It closes after the first byte has arrived, and has read none.
            stream.readable().await.unwrap();
            stream.write_all(b"BUSY").await.unwrap();
        };
        let sent_to = sent(vec![7; size], busy).await;
        assert!(matches!(sent_to, Sent::Unclear(_)), "{size} bytes: {sent_to:?}");
        let leaving = |mut stream: TcpStream| async move {
            stream.read_exact(&mut [0; 6]).await.unwrap();
        };
        let sent_to = sent(vec![7; size], leaving).await;
        assert!(matches!(sent_to, Sent::Unclear(_)), "{size} bytes: {sent_to:?}");
    }
}

#[tokio::test]
async fn a_printer_that_closes_its_half_early_has_not_read_everything() {
    for size in [5_000, 327_393] {
        let halving = |mut stream: TcpStream| async move {
            stream.read_exact(&mut [0; 2_000]).await.unwrap();
            stream.shutdown().await.unwrap();
            std::future::pending::<()>().await;
        };
        let sent_to = sent(vec![7; size], halving).await;
        assert!(matches!(sent_to, Sent::Unclear(_)), "{size} bytes: {sent_to:?}");
    }
}

#[tokio::test]
async fn a_printer_that_reads_slowly_and_speaks_has_printed() {
    let slow = |mut stream: TcpStream| async move {
        stream.write_all(b"READY").await.unwrap();
        let (mut some, mut read) = (vec![0; 2_000_000], 0);
        loop {
            sleep(Duration::from_millis(20)).await;
            match stream.read(&mut some).await.unwrap() {
                0 => break,
                count => read += count,
            }
        }
        assert_eq!(read, 9_000_000);
    };
    assert_eq!(sent(vec![7; 9_000_000], slow).await, Sent::Whole);
}

#[tokio::test]
async fn a_printer_that_does_not_close_leaves_it_unclear() {
    let keeping = |mut stream: TcpStream| async move {
        let mut read = Vec::new();
        let _all = stream.read_to_end(&mut read).await;
        std::future::pending::<()>().await;
    };
    assert!(matches!(sent(b"^XA^XZ".to_vec(), keeping).await, Sent::Unclear(_)));
}

#[tokio::test]
async fn nobody_who_takes_a_connection_is_nothing_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let raw = Raw { host: address.ip().to_string(), port: address.port() };
    assert!(raw.probe().await.is_err());
}
