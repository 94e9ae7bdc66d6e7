//! Connecting: a task per connect opens a transport and a session, applies its events, and explains why it failed or
//! ended.

mod state;
mod steps;
mod stream;
mod streams;
mod stats;
mod health;
mod connect_details;
mod server_requests;
mod auto_answer;
mod connect_tap;
mod transport;
mod client_info;
mod attempts;
mod connect_options;
mod connect;
mod event_loop;
mod sent_roots;
mod exit;
mod failure;
mod control;
mod icons;
mod panel;
#[cfg(test)]
mod session_tests;

pub(crate) use self::failure::given_up;
pub use self::{
    attempts::TransportKind,
    connect_details::{ConnectDetails, ConnectFacts, Detection},
    control::ConnectInput,
    exit::TransportEnd,
    failure::Failure,
    health::{HealthCode, HealthLevel, HealthProblem},
    sent_roots::{RootsAnswer, SentRoot},
    server_requests::{AnswerInput, OpenServerRequest, ServerRequests},
    state::{PingFailure, ServerIdentity, ServerProcess, Session, SessionPhase},
    stats::{MethodStats, RoundTrip, Stats},
    steps::{ConnectStep, Step, StepState},
    stream::{StreamLine, StreamPurpose, StreamState, StreamStatus},
    streams::Streams,
};
