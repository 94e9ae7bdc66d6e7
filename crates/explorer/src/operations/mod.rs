//! Operations: their live state, their history, and what their results contain.

mod history;
mod rate;
mod messages;
mod text;
mod summary;
mod outcome;
mod live;
mod source;
mod commands;

/// The method of an operation that runs a tool.
const TOOLS_CALL: &str = "tools/call";

pub(crate) use self::{
    history::History, history::OperationRecord, live::apply, live::explain_lost, live::lose_all,
    live::resumed, messages::log_message, source::find as find_source,
};
