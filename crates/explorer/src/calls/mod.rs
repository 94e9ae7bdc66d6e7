//! Calls: their live state, their history, and what their results contain.

mod history;
mod rate;
mod messages;
mod text;
mod summary;
mod outcome;
mod live;
mod source;
mod commands;

pub(crate) use self::{
    history::CallRecord, history::History, live::apply, live::explain_lost, live::resumed,
    messages::call_message, source::find as find_source,
};
