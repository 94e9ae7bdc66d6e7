//! Descriptions of a resource in the server's lists, links and templates, compared with the result of reading it.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_findings::{Finding, FindingView, rules};
use sonde_mcp::{CatalogItem, ItemDetail, Skill};

use super::{
    content_block::{BlockBody, block_body},
    outcome::{ContentBlock, ContentKind, OperationOutcome},
    summary,
};
use crate::{limits::NAME, skills, text::cut};

/// Limit of skills that one file is compared with: skills can nest, but no reasonable server nests them deeper.
const SKILLS: usize = 8;

/// Description of a resource in the list, or in the link or template that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PromisedResource {
    /// The source of this description, in words.
    by: &'static str,
    uri: String,
    mime_type: Option<String>,
    /// In bytes.
    size: Option<u64>,
}

impl PromisedResource {
    /// Returns the description in an item of the list; `None` if the item is not a resource.
    pub(super) fn of(item: &CatalogItem) -> Option<Self> {
        match &item.detail {
            ItemDetail::Resource {
                mime_type, size, ..
            } => Some(Self {
                by: "list of resources",
                uri: item.key.clone(),
                mime_type: mime_type.clone(),
                size: *size,
            }),
            _ => None,
        }
    }

    /// Returns the description in the template that produced this URI; `None` if the item is not a template.
    pub(super) fn of_template(item: &CatalogItem, uri: &str) -> Option<Self> {
        match &item.detail {
            ItemDetail::ResourceTemplate { mime_type, .. } => Some(Self {
                by: "resource template",
                uri: uri.to_owned(),
                mime_type: mime_type.clone(),
                size: None,
            }),
            _ => None,
        }
    }

    /// Returns the description in a link to this URI among a result's content; `None` if the block is not such a link.
    pub(super) fn of_link(outcome: &OperationOutcome, index: usize, uri: &str) -> Option<Self> {
        let OperationOutcome::Result { content, .. } = outcome else {
            return None;
        };
        let block = content.get(index)?;
        let is_link = block.kind == ContentKind::ResourceLink && block.uri.as_deref() == Some(uri);
        is_link.then(|| Self {
            by: "resource link",
            uri: uri.to_owned(),
            mime_type: block.mime_type.clone(),
            size: block.details.as_ref().and_then(|details| details.size),
        })
    }

    /// Adds findings to the contents of this resource where they differ from its description. A read may also return
    /// the contents of other resources, which are not compared.
    pub(super) fn compare(&self, outcome: &mut OperationOutcome) {
        let OperationOutcome::Result { content, .. } = outcome else {
            return;
        };
        let own = |block: &&mut ContentBlock| block.uri.as_deref() == Some(self.uri.as_str());
        for block in content.iter_mut().filter(own) {
            let mut findings = Vec::new();
            if let (Some(listed), Some(read)) = (&self.mime_type, &block.mime_type)
                && !same_type(listed, read)
            {
                findings.push(
                    Finding::new(&rules::DIFFERENT_MIME_TYPE)
                        .with("source", self.by)
                        .with("listed", cut(listed, NAME))
                        .with("read", read),
                );
            }
            let is_read = matches!(
                block.kind,
                ContentKind::EmbeddedText | ContentKind::EmbeddedBlob
            );
            if let Some(size) = self.size
                && is_read
                && size != block.bytes
            {
                findings.push(
                    Finding::new(&rules::DIFFERENT_SIZE)
                        .with("source", self.by)
                        .with("listed", size)
                        .with("read", block.bytes),
                );
            }
            block
                .findings
                .extend(findings.iter().map(FindingView::from));
        }
    }
}

/// A resource in the directory of a skill that the server lists.
#[derive(Debug)]
pub(crate) struct SkillFile {
    uri: String,
    /// The entries of the skills, as received.
    entries: Vec<Arc<RawValue>>,
}

impl SkillFile {
    /// Returns the resource with this URI; `None` if it belongs to none of the skills.
    pub(super) fn of(uri: &str, listed: &[CatalogItem]) -> Option<Self> {
        let skills = listed
            .iter()
            .filter(|skill| Skill::has_in_directory(&skill.key, uri));
        let entries: Vec<_> = skills
            .take(SKILLS)
            .map(|skill| Arc::clone(&skill.raw))
            .collect();
        (!entries.is_empty()).then(|| Self {
            uri: uri.to_owned(),
            entries,
        })
    }

    /// Adds findings where the file differs from the entries of its skills.
    pub(super) fn verify(&self, result: &str, outcome: &mut OperationOutcome) {
        let OperationOutcome::Result { content, .. } = outcome else {
            return;
        };
        for (place, block) in content.iter_mut().enumerate() {
            if block.uri.as_deref() != Some(self.uri.as_str()) {
                continue;
            }
            let Some((body, _)) = summary::block(result, place).map(block_body) else {
                continue;
            };
            let bytes = match body {
                BlockBody::Text(text) => text.into_bytes(),
                BlockBody::Bytes(bytes) => bytes,
                BlockBody::Json(_) => continue,
            };
            for entry in &self.entries {
                let findings = skills::verify(entry, &self.uri, &bytes);
                let findings = findings.iter().map(FindingView::from);
                block.findings.extend(findings);
            }
            // A file is one content block, and verifying parses all entries: do it once.
            return;
        }
    }
}

/// Compares media types without case (RFC 9110, Media Type) and without white space between parameters.
fn same_type(one: &str, other: &str) -> bool {
    let plain = |mime: &str| {
        let parts = mime.split(';').map(str::trim);
        parts.collect::<Vec<_>>().join(";").to_ascii_lowercase()
    };
    plain(one) == plain(other)
}

#[cfg(test)]
mod tests {
    use sonde_mcp::ResourceAnnotations;

    use super::{super::outcome::ContentDetails, *};

    fn block(uri: &str, mime_type: &str, bytes: u64) -> ContentBlock {
        ContentBlock {
            kind: ContentKind::EmbeddedText,
            mime_type: Some(mime_type.to_owned()),
            bytes,
            size: Default::default(),
            text: None,
            uri: Some(uri.to_owned()),
            title: None,
            details: None,
            findings: Vec::new(),
        }
    }

    fn result(content: Vec<ContentBlock>) -> OperationOutcome {
        OperationOutcome::Result {
            is_error: false,
            content,
            structured: None,
            prompt: None,
            meta: None,
            bytes: 0,
            findings: Vec::new(),
        }
    }

    #[test]
    fn what_differs_from_the_list_is_told_of_the_resource_itself() {
        let listed = PromisedResource {
            by: "list of resources",
            uri: "x:1".to_owned(),
            mime_type: Some("text/plain; charset=utf-8".to_owned()),
            size: Some(3),
        };
        let mut outcome = result(vec![
            block("x:1", "TEXT/plain;charset=utf-8", 3),
            block("x:1", "text/html", 4),
            block("x:2", "text/html", 4),
        ]);
        listed.compare(&mut outcome);
        let OperationOutcome::Result { content, .. } = outcome else {
            panic!("it is a result");
        };
        let said: Vec<Vec<&str>> = content
            .iter()
            .map(|block| {
                let messages = block.findings.iter();
                messages.map(|finding| finding.message.as_str()).collect()
            })
            .collect();
        assert!(said[0].is_empty() && said[2].is_empty(), "{said:?}");
        assert_eq!(
            said[1],
            [
                "The list of resources says `text/plain; charset=utf-8`, and reading gave `text/html`.",
                "The list of resources says 3 bytes, and reading gave 4."
            ]
        );
    }
    #[test]
    fn a_link_and_a_template_promise_too() {
        let read = |promise: &PromisedResource| {
            let mut outcome = result(vec![block("x:1", "text/html", 4)]);
            promise.compare(&mut outcome);
            let findings = outcome.findings();
            findings.map(|one| one.message.clone()).collect::<Vec<_>>()
        };
        let mut link = block("x:1", "text/plain", 0);
        link.kind = ContentKind::ResourceLink;
        link.details = Some(Box::new(ContentDetails {
            size: Some(3),
            ..ContentDetails::default()
        }));
        let linked = result(vec![block("x:1", "text/plain", 0), link]);
        let promise = PromisedResource::of_link(&linked, 1, "x:1").unwrap();
        assert_eq!(
            read(&promise),
            [
                "The resource link says `text/plain`, and reading gave `text/html`.",
                "The resource link says 3 bytes, and reading gave 4."
            ]
        );
        for (index, uri) in [(0, "x:1"), (1, "x:2"), (2, "x:1")] {
            assert_eq!(PromisedResource::of_link(&linked, index, uri), None);
        }
        let item = CatalogItem {
            key: "x:{n}".to_owned(),
            name: "n".to_owned(),
            title: None,
            description: None,
            detail: ItemDetail::ResourceTemplate {
                mime_type: Some("image/png".to_owned()),
                annotations: ResourceAnnotations::default(),
            },
            raw: Arc::from(RawValue::from_string("{}".to_owned()).unwrap()),
            findings: Vec::new(),
        };
        let promise = PromisedResource::of_template(&item, "x:1").unwrap();
        assert_eq!(
            read(&promise),
            ["The resource template says `image/png`, and reading gave `text/html`."]
        );
    }
}
