//! Resources and resource templates as the window shows them.

use serde::{Deserialize, Serialize};
use sonde_explorer::{
    limits::{TEXT, cut_text},
    resource_subscriptions::ResourceSubscription,
    servers::ServerId,
    sessions::Session,
};
use sonde_mcp::{CatalogItem, ItemDetail, TemplateValue, TemplateVariable, UriTemplate};
use ts_rs::TS;

use super::catalog::{CatalogRow, ListedItem};

/// Everything about one resource or resource template.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ResourceDetail {
    /// Row and definition.
    #[serde(flatten)]
    pub item: ListedItem,
    /// The URI or URI template, at most 64 KiB.
    pub uri: String,
    /// Variables to fill in, for a resource template.
    pub template: Option<TemplateView>,
}

/// A URI template as a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TemplateView {
    /// Variables in the order of the template.
    pub variables: Vec<TemplateVariable>,
    /// Reason why the text is not a URI template, as a part of a sentence; then there are no variables.
    pub problem: Option<String>,
}

/// The subscriptions to resources of one server. Replaced whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ResourceSubscriptionsView {
    /// The server.
    pub server: ServerId,
    /// The server accepts subscriptions.
    pub supported: bool,
    /// All subscriptions by URI; at most 1,000.
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
    /// Value of the variable.
    pub value: TemplateValue,
}

/// A URI template with its values filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ExpandedTemplate {
    /// The URI; `None` if there is a problem.
    pub uri: Option<String>,
    /// Reason why there is no URI, as a part of a sentence.
    pub problem: Option<String>,
}

impl ResourceDetail {
    pub(crate) fn new(item: &CatalogItem, row: CatalogRow) -> Self {
        let is_template = matches!(item.detail, ItemDetail::ResourceTemplate { .. });
        Self {
            item: ListedItem::new(item, row),
            uri: cut_text(&item.key, TEXT),
            template: is_template.then(|| TemplateView::new(&item.key)),
        }
    }
}

impl TemplateView {
    fn new(template: &str) -> Self {
        let (variables, problem) = match UriTemplate::read(template) {
            Ok(template) => (template.variables().to_vec(), None),
            Err(problem) => (Vec::new(), Some(problem)),
        };
        Self { variables, problem }
    }
}

impl ExpandedTemplate {
    /// Fills values into a template.
    pub(crate) fn new(template: &str, values: Vec<TemplateInput>) -> Self {
        let values = values.into_iter().map(|input| (input.name, input.value));
        let uri = UriTemplate::read(template).and_then(|template| template.expand(values));
        let (uri, problem) = match uri {
            Ok(uri) => (Some(uri), None),
            Err(problem) => (None, Some(problem)),
        };
        Self { uri, problem }
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
        let list = TemplateValue::List(vec!["1".to_owned(), "2".to_owned()]);
        let text = TemplateValue::Text("a b".to_owned());
        let values = vec![input("table", text), input("row", list)];
        let expanded = ExpandedTemplate::new("db://{table}{/row*}", values);
        assert_eq!(expanded.uri.as_deref(), Some("db://a%20b/1/2"));
        assert!(ExpandedTemplate::new("{", Vec::new()).problem.is_some());
    }
}
