//! What servers list, as the window shows it. A list stays here: the window reads its rows by index
//! and searches in it with commands, so that ten thousand items cross no more than ten do.

mod row;
mod freshness;
mod search;
mod catalog;
mod store;
mod commands;

pub(crate) use catalog::Catalog;
pub(crate) use store::Catalogs;
