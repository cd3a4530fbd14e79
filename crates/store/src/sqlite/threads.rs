//! The writer thread and the reader threads of SQLite. Many closures share one commit and each is
//! answered after it; what a commit did not make durable is never acknowledged.

use metrics::histogram;

use crate::dialect::Mode;
use crate::error::{Error, Failure};
use crate::queue::Queue;
use crate::sql::{Connection, Tx};
use crate::sqlite::DatabaseFile;
use crate::task::Task;
use crate::writing::Writing;

/// Runs writes until the queue is closed and drained. It takes what is waiting, so a lone write
/// is never delayed to fill a group.
pub(crate) fn write(
    connection: &mut Connection,
    file: &DatabaseFile,
    queue: &Queue,
    (writing, group_max): (&Writing, usize),
) {
    let mut version = None;
    loop {
        let mut group = queue.take(group_max);
        if group.is_empty() {
            return;
        }
        histogram!("waybill_store_group_size").record(group.len() as f64);
        // What is committed into a file that is gone would be lost with the process: nothing is
        // written then, and nothing is acknowledged when that happened meanwhile.
        let in_place = || file.verify_in_place().map_err(Failure::from);
        let durable = in_place()
            .and_then(|()| commit_together(connection, file, &mut version, &mut group))
            .and_then(|ends| in_place().map(|()| ends));
        match durable {
            Ok((failure, has_changed)) => {
                writing.note(failure.as_ref(), has_changed);
                group.into_iter().for_each(Task::answer);
                note_progress(connection, file);
            }
            Err(failure) => {
                let error = unavailable(failure);
                writing.note(Some(&error), false);
                tracing::error!(%error, closures = group.len(), "a group is not acknowledged");
                group.into_iter().for_each(|task| task.fail(error.clone()));
            }
        }
    }
}

fn note_progress(connection: &Connection, file: &DatabaseFile) {
    let Connection::Sqlite(session) = connection else { return };
    match session.progress() {
        Ok(progress) => file.note_progress(progress),
        Err(error) => tracing::warn!(%error, "the progress of the database is not known"),
    }
}

/// Runs reads until the queue is closed and drained, each on one snapshot.
pub(crate) fn read(mut connection: Connection, file: &DatabaseFile, queue: &Queue) {
    loop {
        let Some(mut task) = queue.take(1).pop() else { return };
        if let Err(why) = file.verify_not_overwritten() {
            task.fail(why.into());
            continue;
        }
        end(&mut connection);
        if let Err(failure) = connection.begin(Mode::Read) {
            task.fail(unavailable(failure));
            continue;
        }
        task.run(&mut Tx::new(&mut connection));
        end(&mut connection);
        task.answer();
    }
}

/// How closures ended: the last one that could not write, and whether any has changed something.
type Ends = (Option<Error>, bool);

/// All closures of the group in one transaction. On an error nothing of the group is kept.
fn commit_together(
    connection: &mut Connection,
    file: &DatabaseFile,
    version: &mut Option<i64>,
    group: &mut [Box<dyn Task>],
) -> Result<Ends, Failure> {
    end(connection);
    connection.begin(Mode::Write)?;
    let mut ends = Ends::default();
    let mut run = |task: &mut Box<dyn Task>, connection: &mut Connection| {
        let (failure, has_changed) = run_alone(connection, task.as_mut())?;
        ends = (failure.or(ends.0.take()), ends.1 | has_changed);
        Ok(())
    };
    let committed = verify_contents(connection, file, version)
        .and_then(|()| group.iter_mut().try_for_each(|task| run(task, connection)))
        .and_then(|()| connection.commit());
    if committed.is_err() {
        end(connection);
    }
    committed.map(|()| ends)
}

/// Looks at the contents when another program has committed something: it may have put an older
/// copy there.
fn verify_contents(
    connection: &Connection,
    file: &DatabaseFile,
    version: &mut Option<i64>,
) -> Result<(), Failure> {
    let Connection::Sqlite(session) = connection else { return Ok(()) };
    let found = Some(session.data_version()?);
    if *version != found {
        // A database of tests may lack the tables.
        let older = session.progress().map_or(Ok(()), |progress| file.verify_not_older(progress));
        older?;
        *version = found;
    }
    Ok(())
}

/// One closure in its own savepoint, so that its failure is undone alone.
fn run_alone(connection: &mut Connection, task: &mut dyn Task) -> Result<Ends, Failure> {
    connection.control("SAVEPOINT closure")?;
    let mut tx = Tx::new(connection);
    let commits = task.run(&mut tx);
    let failure = tx.failure().filter(|error| matches!(error, Error::Unavailable(_)));
    let ends = (failure, commits && tx.has_changed());
    if !is_in_transaction(connection) {
        // A full disk or an I/O error may roll back everything, the earlier closures included.
        return Err(Failure::unavailable("the whole transaction was rolled back"));
    }
    if !commits {
        connection.control("ROLLBACK TO closure")?;
    }
    connection.control("RELEASE closure")?;
    Ok(ends)
}

/// Rolls back what is open; without effect when SQLite already did. It also comes before each
/// beginning, so that a rollback that once failed does not stop all further work.
fn end(connection: &mut Connection) {
    if !is_in_transaction(connection) {
        return;
    }
    if let Err(failure) = connection.rollback() {
        tracing::error!(error = %failure.error, "a transaction could not be rolled back");
    }
}

fn is_in_transaction(connection: &Connection) -> bool {
    match connection {
        Connection::Sqlite(session) => session.is_in_transaction(),
        Connection::Postgres(_) => false,
    }
}

/// A transaction that could not begin or end is for the caller to try again, whatever the reason.
fn unavailable(failure: Failure) -> Error {
    match failure.error {
        Error::Broken(why) | Error::Denied(why) | Error::Unavailable(why) => {
            Error::Unavailable(why)
        }
        Error::Conflict(name) => Error::Unavailable(name),
        // No statement of its own says that.
        gone @ Error::TeamDeleted => gone,
    }
}
