//! Counts of log messages by level and by logger.

use std::collections::BTreeMap;
use std::sync::Arc;

use sonde_wire::Label;

use crate::text::preview;

/// Limit of the loggers that the filter offers; a server may invent any number.
const MAX_LOGGERS: usize = 200;

/// Limit in characters of a logger's name in rows.
const LONGEST_NAME: usize = 60;

/// The number of levels: debug to emergency.
const LEVELS: usize = 8;

/// Returns the name of a logger as rows show it.
pub(super) fn logger_name(logger: &str) -> String {
    preview(logger, LONGEST_NAME)
}

/// Counts of the stored log messages. All loggers are counted: an omitted logger could not be told from one whose
/// messages are gone. There are at most as many as messages, whose names they share.
#[derive(Debug, Default)]
pub(super) struct Tally {
    levels: [u64; LEVELS],
    /// Number of messages by logger, as the message names it.
    loggers: BTreeMap<Arc<str>, u64>,
}

impl Tally {
    /// Returns the numbers of messages by level, least severe first.
    pub(super) fn levels(&self) -> Vec<u64> {
        self.levels.to_vec()
    }

    /// Returns the first 200 loggers as rows name them, in order.
    pub(super) fn loggers(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in self.loggers.keys().map(|name| logger_name(name)) {
            if names.last() == Some(&name) {
                continue;
            }
            if names.len() == MAX_LOGGERS {
                break;
            }
            names.push(name);
        }
        names
    }

    pub(super) fn add(&mut self, label: &Label) {
        if let Some(count) = self.level(label) {
            *count += 1;
        }
        if let Some(logger) = &label.logger {
            *self.loggers.entry(Arc::clone(logger)).or_default() += 1;
        }
    }

    pub(super) fn remove(&mut self, label: &Label) {
        if let Some(count) = self.level(label) {
            *count = count.saturating_sub(1);
        }
        if let Some(logger) = &label.logger
            && let Some(count) = self.loggers.get_mut(logger)
        {
            *count -= 1;
            if *count == 0 {
                self.loggers.remove(logger);
            }
        }
    }

    /// Adds the counts of other entries.
    pub(super) fn extend(&mut self, other: &Tally) {
        for (count, more) in self.levels.iter_mut().zip(other.levels) {
            *count += more;
        }
        for (logger, more) in &other.loggers {
            *self.loggers.entry(Arc::clone(logger)).or_default() += more;
        }
    }

    fn level(&mut self, label: &Label) -> Option<&mut u64> {
        self.levels.get_mut(usize::from(label.level?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(level: u8, logger: &str) -> Label {
        Label {
            level: Some(level),
            logger: Some(logger.into()),
            ..Label::default()
        }
    }

    #[test]
    fn what_goes_is_not_counted_any_more() {
        let mut tally = Tally::default();
        for (level, logger) in [(1, "db"), (1, "web"), (7, "db"), (9, "odd")] {
            tally.add(&of(level, logger));
        }
        assert_eq!(tally.levels(), [0, 2, 0, 0, 0, 0, 0, 1]);
        assert_eq!(tally.loggers(), ["db", "odd", "web"]);
        tally.remove(&of(1, "web"));
        tally.remove(&of(7, "db"));
        assert_eq!(tally.levels(), [0, 1, 0, 0, 0, 0, 0, 0]);
        assert_eq!(tally.loggers(), ["db", "odd"]);
    }

    #[test]
    fn a_server_that_invents_loggers_is_bounded_and_none_is_forgotten() {
        let mut tally = Tally::default();
        let logger = |number: usize| of(0, &format!("logger {number:04}"));
        let last = 2 * MAX_LOGGERS - 1;
        for number in 0..=last {
            tally.add(&logger(number));
        }
        assert_eq!(tally.loggers().len(), MAX_LOGGERS);
        // When old messages are dropped, other loggers get their place in the filter.
        for number in 0..last {
            tally.remove(&logger(number));
        }
        assert_eq!(tally.loggers(), [format!("logger {last:04}")]);
        tally.add(&logger(last));
        tally.remove(&logger(last));
        assert_eq!(tally.loggers(), [format!("logger {last:04}")]);

        // Two logs that are combined.
        let (mut newer, mut older) = (Tally::default(), Tally::default());
        for number in 0..MAX_LOGGERS {
            newer.add(&logger(number));
            older.add(&logger(MAX_LOGGERS + number));
        }
        newer.extend(&older);
        for number in 0..last {
            newer.remove(&logger(number));
        }
        assert_eq!(newer.loggers(), [format!("logger {last:04}")]);
    }
}
