//! Lists of the servers: the newest reading of each kind, and searching in it.

mod summary;
mod search;
mod catalog;
mod store;
mod lint;
mod schemas;
mod commands;

pub use sonde_mcp::CatalogKind;

pub use self::{
    catalog::{
        Catalog, CatalogChange, FoundByLint, FoundInList, Linted, Listed, SchemaCheck, SearchHits,
    },
    commands::Searched,
    lint::definition,
    store::Catalogs,
    summary::summary,
};
pub(crate) use self::{
    lint::{lint_all, lint_tools},
    schemas::judge_schemas,
};
