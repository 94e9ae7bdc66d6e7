//! Catalogs of a server: its tools, resources, resource templates, prompts and skills. Reading is pure and
//! goes item by item: a faulty item hides no other.

mod kind;

mod uri_template;
mod item;
mod reading;
mod prompt;
mod resource;
mod skill;
mod app;
mod tool;

mod annotations;
mod schema;
mod judge;

mod budget;
mod difference;
mod listing;
mod pages;

pub use budget::{CatalogBudget, CatalogItems, CatalogShare};
pub use difference::ListDiff;
pub use item::{
    CatalogItem, ItemDetail, PromptArgument, ResourceAnnotations, TaskSupport, Tool,
    ToolAnnotations, ToolApp,
};
pub use kind::CatalogKind;
pub use listing::{CatalogEvent, Freshness, Listing};
pub use resource::{ContentExtras, content_extras};
pub use skill::{Skill, SkillFile, SkillFiles};
pub use uri_template::{TemplateValue, TemplateVariable, UriTemplate};

pub(crate) use judge::judge_icons;
pub(crate) use kind::{declared, declared_catalogs, declares_subscriptions};
pub(crate) use pages::{NextPage, Pages};
