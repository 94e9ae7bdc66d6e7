//! Lists of a server: the newest reading of each kind, and searching in it.

mod summary;
mod search;
mod catalog;
mod store;
mod schemas;
mod lint;
mod reading;

pub use sonde_mcp::CatalogKind;

pub(crate) use self::schemas::judge_schemas;
pub use self::{
    catalog::{
        Catalog, CatalogChange, FoundByLint, FoundInList, Linted, Listed, SchemaCheck, SearchHits,
    },
    lint::definition,
    reading::Searched,
    store::Catalogs,
    summary::summary,
};
