//! Presentations: operations to show to an audience, in order, each with a title, saved inputs to pick from,
//! and notes for the speaker.
//!
//! A presentation names servers and saved inputs and owns neither. What it names can be removed; then it
//! keeps its step, which says so ([`Presentation::look_up`]).

mod presentation;
mod list;
mod file;
mod add;
mod demo;
mod export;
mod of_suite;
mod saving;

pub use self::{
    add::ImportedPresentation,
    export::PresentationText,
    list::PresentationList,
    presentation::{Presentation, PresentationStep, StepInput},
};
pub(crate) use self::{file::load, list::GONE};
