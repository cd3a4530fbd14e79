//! PgBouncer between us and PostgreSQL.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use postgres::config::Host;
use waybill_store::testing::{Database, fresh, unique_name};
use waybill_store::{Error, OpenError, Options, Store, hints, users};

use crate::fixtures::{block_on, count_users, id, seconds, user};

/// A PgBouncer of one test. It ends with this.
struct Bouncer {
    process: Child,
    folder: PathBuf,
    port: u16,
}

impl Bouncer {
    /// Starts one before the database at this URL: it is `session` and `transaction` there.
    fn start(url: &str) -> Bouncer {
        let config: postgres::Config = url.parse().unwrap();
        let Some(Host::Tcp(host)) = config.get_hosts().first() else { panic!("no host: {url}") };
        let (name, user) = (config.get_dbname().unwrap(), config.get_user().unwrap());
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let password = config.get_password().map(String::from_utf8_lossy);
        let password = password.map(|word| format!("password='{word}'")).unwrap_or_default();
        let server = format!("host={host} port={port} dbname={name} user={user} {password}");
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = std::env::temp_dir().join(unique_name("waybill_bouncer"));
        std::fs::create_dir(&folder).unwrap();
        let file = folder.join("pgbouncer.ini");
        let settings = format!(
            "[databases]\nsession = {server} pool_mode=session\n\
             transaction = {server} pool_mode=transaction\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nauth_type = any\n\
             unix_socket_dir =\n"
        );
        std::fs::write(&file, settings).unwrap();
        // It refuses to run as root, and changes to another user by itself.
        let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
        let user: &[&str] = if is_root { &["-u", "nobody"] } else { &[] };
        let path = format!("{}:/usr/sbin", std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("pgbouncer");
        command.env("PATH", path).args(user).arg("-q").arg(&file);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().expect("`./tools` installs pgbouncer");
        Bouncer { process, folder, port }
    }

    /// Opens the store through it, as soon as it listens.
    fn open(&self, database: &str) -> Result<Store, OpenError> {
        let url = format!("postgres://waybill@127.0.0.1:{}/{database}", self.port);
        for _ in 0..200 {
            match Store::open(&url, Options::default()) {
                Err(OpenError::Unreachable(why)) if why.contains("refused") => {
                    std::thread::sleep(Duration::from_millis(25));
                }
                opened => return opened,
            }
        }
        panic!("PgBouncer does not listen");
    }
}

impl Drop for Bouncer {
    fn drop(&mut self) {
        let _ended = self.process.kill();
        let _ended = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_pooler_that_keeps_a_connection_for_one_client_is_as_good_as_the_server() {
    let scratch = fresh(Database::Postgres);
    let bouncer = Bouncer::start(&scratch.url);
    let store = bouncer.open("session").unwrap();
    let (tell, told) = mpsc::channel();
    store.hear_hints(Box::new(move |subject| _ = tell.send(subject))).unwrap();
    block_on(async {
        let writes: Vec<_> = (1..=40)
            .map(|number| {
                let store = store.clone();
                tokio::spawn(async move {
                    store.write_grouped(move |tx| users::insert(tx, &user(number))).await
                })
            })
            .collect();
        for write in writes {
            write.await.unwrap().unwrap();
        }
        assert_eq!(count_users(&store).await, 40);
        // Whoever hears may be a moment late.
        for _ in 0..100 {
            let send = |tx: &mut waybill_store::Tx<'_>| hints::send(tx, &[id(7)]);
            store.write::<_, Error, _>(send).await.unwrap();
            if told.recv_timeout(Duration::from_millis(100)).is_ok_and(|heard| heard == id(7)) {
                return;
            }
        }
        panic!("no hint was heard in {:?}", seconds(10));
    });
}

#[test]
fn a_pooler_that_gives_connections_away_after_each_transaction_is_refused_at_once() {
    let scratch = fresh(Database::Postgres);
    let bouncer = Bouncer::start(&scratch.url);
    let Err(refused) = bouncer.open("transaction") else { panic!("it was not noticed") };
    assert_eq!(
        refused.to_string(),
        "postgres://127.0.0.1/transaction is a pooler that gives a connection to others after \
         each transaction (PgBouncer's pool_mode=transaction), and Waybill keeps prepared \
         statements and settings in its connections: let it use pool_mode=session, or name \
         PostgreSQL itself"
    );
}
