//! How long a booking waits before the next try.

use std::time::Duration;

use super::miss::Miss;
use super::state::Booking;
use crate::time::Time;

/// After the deadline the carrier is asked at least this often.
pub(super) const ASK_PAUSE_MAX: Duration = Duration::from_mins(10);
pub(super) const PAUSE_MAX: Duration = Duration::from_secs(30);
/// After a second attempt in vain the carrier is left alone for so long, and longer each time.
pub(super) const CALL_PAUSE: Duration = Duration::from_secs(3);
/// However long the pauses are by then, one attempt is made so shortly before the deadline.
pub(super) const LAST_CHANCE: Duration = Duration::from_secs(10);

/// As long as a miss would be too early, but neither always at once nor much more than a minute.
pub(super) fn pause_until_settled(booking: &Booking, miss: &Miss) -> Duration {
    let least = pause(booking, Duration::from_secs(2));
    let left = booking.settled_at().since(miss.asked_at);
    left.clamp(least, least + Duration::from_secs(60))
}

/// Half a second, doubled with each try.
pub(super) fn pause(booking: &Booking, max: Duration) -> Duration {
    (Duration::from_millis(500) * 2u32.pow(booking.tries.min(12))).min(max)
}

/// This time, doubled so often.
pub(super) fn doubled(time: Duration, times: u32) -> Duration {
    (time * 2u32.pow(times.min(8))).min(PAUSE_MAX)
}

/// When the next attempt is made: after the pause, which grows while a carrier fails, but not so
/// late that a carrier which recovers in time would have no chance.
pub fn call_at(booking: &Booking, now: Time, pause: Duration) -> Time {
    let last = booking.deadline.minus(LAST_CHANCE);
    let at = now.plus(pause);
    if at <= last { at } else { last.max(now.plus(pause.min(CALL_PAUSE))) }
}
