//! Resources and resource templates as the window shows them.

use serde::{Deserialize, Serialize};
use sonde_explorer::{
    limits::{DEFINITION, TEXT, cut_text},
    resource_subscriptions::ResourceSubscription,
    servers::ServerId,
    sessions::Session,
};
use sonde_findings::FindingView;
use sonde_mcp::{CatalogItem, ItemDetail, TemplateValue, UriTemplate};
use ts_rs::TS;

use super::{catalog::CatalogRow, item_extras::ItemExtras};

/// All about one resource or resource template.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ResourceDetail {
    /// Its row in the list.
    pub row: CatalogRow,
    /// The whole URI or URI template, at most 64 KiB of it.
    pub uri: String,
    /// The description, Markdown by convention; at most 64 KiB.
    pub description: Option<String>,
    /// Findings about the definition.
    pub findings: Vec<FindingView>,
    /// `icons` and `_meta`.
    pub extras: ItemExtras,
    /// The definition as JSON text as received; at most 1 MiB, `…` ends a cut one.
    pub raw: String,
    /// Variables to fill in, for a resource template.
    pub template: Option<TemplateView>,
}

/// A URI template as a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TemplateView {
    /// Its variables in the order of the template.
    pub variables: Vec<TemplateVariable>,
    /// Reason why it is no URI template, as a part of a sentence; then there are no variables.
    pub problem: Option<String>,
}

/// A variable of a URI template (RFC 6570).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TemplateVariable {
    /// Its name.
    pub name: String,
    /// It takes several values, or names with values (`{name*}`).
    pub explode: bool,
    /// Only so many characters of it are used (`{name:3}`).
    pub prefix: Option<u16>,
}

/// The subscriptions to resources of one server. Replaced whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ResourceSubscriptionsView {
    /// The server.
    pub server: ServerId,
    /// The server takes them.
    pub supported: bool,
    /// All of them, by URI; at most 1,000.
    pub subscriptions: Vec<ResourceSubscription>,
}

impl From<&Session> for ResourceSubscriptionsView {
    fn from(session: &Session) -> Self {
        let subscriptions = &session.resource_subscriptions;
        Self {
            server: session.server.clone(),
            supported: subscriptions.supported,
            subscriptions: subscriptions.iter().cloned().collect(),
        }
    }
}

/// Input for a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TemplateInput {
    /// The variable.
    pub name: String,
    /// Its value.
    pub value: TemplateInputValue,
}

/// Value of a variable of a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum TemplateInputValue {
    /// One value.
    Text(String),
    /// Several.
    List(Vec<String>),
    /// Names with values.
    Map(Vec<(String, String)>),
}

/// A URI template with values put in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ExpandedTemplate {
    /// The URI; `None` where there is a problem.
    pub uri: Option<String>,
    /// Reason why there is no URI, as a part of a sentence.
    pub problem: Option<String>,
}

impl ResourceDetail {
    pub(crate) fn new(item: &CatalogItem, row: CatalogRow) -> Self {
        let is_template = matches!(item.detail, ItemDetail::ResourceTemplate { .. });
        Self {
            row,
            uri: cut_text(&item.key, TEXT),
            description: item.description.as_deref().map(|text| cut_text(text, TEXT)),
            findings: item.findings.iter().map(FindingView::from).collect(),
            extras: item.into(),
            raw: cut_text(item.raw.get(), DEFINITION),
            template: is_template.then(|| TemplateView::new(&item.key)),
        }
    }
}

impl TemplateView {
    fn new(template: &str) -> Self {
        match UriTemplate::read(template) {
            Ok(template) => Self {
                variables: template
                    .variables()
                    .iter()
                    .map(|variable| TemplateVariable {
                        name: variable.name.clone(),
                        explode: variable.explode,
                        prefix: variable.prefix,
                    })
                    .collect(),
                problem: None,
            },
            Err(problem) => Self {
                variables: Vec::new(),
                problem: Some(problem),
            },
        }
    }
}

impl ExpandedTemplate {
    /// Puts values into a template.
    pub(crate) fn new(template: &str, values: Vec<TemplateInput>) -> Self {
        let values = values.into_iter().map(|input| {
            let value = match input.value {
                TemplateInputValue::Text(text) => TemplateValue::Text(text),
                TemplateInputValue::List(values) => TemplateValue::List(values),
                TemplateInputValue::Map(entries) => TemplateValue::Map(entries),
            };
            (input.name, value)
        });
        match UriTemplate::read(template).and_then(|template| template.expand(values)) {
            Ok(uri) => Self {
                uri: Some(uri),
                problem: None,
            },
            Err(problem) => Self {
                uri: None,
                problem: Some(problem),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_a_form_or_says_why_it_is_none() {
        let view = TemplateView::new("db://{table}/{row*}");
        assert_eq!(view.problem, None);
        let variables: Vec<_> = view
            .variables
            .iter()
            .map(|one| (one.name.as_str(), one.explode))
            .collect();
        assert_eq!(variables, [("table", false), ("row", true)]);
        let broken = TemplateView::new("db://{table");
        assert!(broken.variables.is_empty() && broken.problem.is_some());
    }

    #[test]
    fn values_make_a_uri() {
        let input = |name: &str, value| TemplateInput {
            name: name.to_owned(),
            value,
        };
        let list = TemplateInputValue::List(vec!["1".to_owned(), "2".to_owned()]);
        let text = TemplateInputValue::Text("a b".to_owned());
        let values = vec![input("table", text), input("row", list)];
        let expanded = ExpandedTemplate::new("db://{table}{/row*}", values);
        assert_eq!(expanded.uri.as_deref(), Some("db://a%20b/1/2"));
        assert!(ExpandedTemplate::new("{", Vec::new()).problem.is_some());
    }
}
