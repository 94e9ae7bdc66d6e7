//! What servers list: the newest reading of each kind, and searching in it.

mod kind;
mod summary;
mod search;
mod catalog;
mod store;
mod commands;
mod schemas;

pub(crate) use self::schemas::judge_schemas;
pub use self::{
    catalog::{Catalog, CatalogChange, Listed, SearchHits},
    commands::Searched,
    kind::CatalogKind,
    store::Catalogs,
    summary::summary,
};
