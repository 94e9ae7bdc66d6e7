//! What servers list: the newest reading of each kind, and searching in it.

mod kind;
mod summary;
mod search;
mod catalog;
mod store;
mod commands;

pub use self::{
    catalog::{Catalog, CatalogChange, FoundInList, Listed, SearchHits},
    commands::Searched,
    kind::CatalogKind,
    store::Catalogs,
    summary::summary,
};
