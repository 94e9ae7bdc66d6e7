//! Presentations: operations to show to an audience, in order, each with a title, saved inputs to pick from,
//! and notes for the speaker.
//!
//! A presentation refers to servers and saved inputs without owning them. If one is removed, the step stays and shows
//! that ([`Presentation::look_up`]).

mod presentation;
mod list;
mod add;
mod demo;
mod export;
mod of_suite;
mod saving;

pub(crate) use self::list::GONE;
pub use self::{
    add::ImportedPresentation,
    export::PresentationText,
    list::PresentationList,
    presentation::{Presentation, PresentationStep, StepInput},
};
