//! The commands that read catalogs by index.

use std::sync::Arc;

use sonde_explorer::{
    Error, State, blocking,
    catalogs::{CatalogKind, Searched},
    servers::ServerId,
};
use sonde_mcp::CatalogItem;

use crate::{
    backend::Backend,
    catalog::{CatalogRow, PromptDetail, Rows, ToolDetail},
    error::IpcError,
    resource::{ExpandedTemplate, ResourceDetail, TemplateInput},
    skill::SkillDetail,
};

/// Returns the current row of an item.
fn row(state: &State, server: &str, kind: CatalogKind, key: &str) -> Option<CatalogRow> {
    let listed = state
        .connection(server)?
        .read(|state| Some(Arc::clone(&state.catalogs.get(kind)?.listed)))?;
    CatalogRow::new(
        &listed,
        listed.place(key)?,
        &state.issues_of_items(server, kind),
    )
}

/// Limit of rows in a response.
const ROWS: u32 = 1_000;

impl Backend {
    /// Returns rows of a catalog that match the search, by index, best first; without a search, all rows in the
    /// server's order. At most 1,000 at once. For another revision than the current one, returns no rows but the
    /// current revision.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn catalog_rows(
        &self,
        server: ServerId,
        kind: CatalogKind,
        revision: u32,
        search: String,
        from: u64,
        count: u32,
    ) -> Result<Rows<CatalogRow>, IpcError> {
        let explorer = self.explorer();
        let connection = explorer.connection(&server)?;
        let present = connection.catalog_revision(kind);
        if present != revision {
            return Ok(Rows::none(present));
        }
        let searched = connection.search_catalog(kind, search).await?;
        if searched.revision != revision {
            return Ok(Rows::none(searched.revision));
        }
        let Searched { listed, found, .. } = searched;
        let total = found.count(&listed);
        let from = u32::try_from(from).unwrap_or(u32::MAX).min(total);
        let to = from.saturating_add(count.min(ROWS)).min(total);
        let issues = explorer.read(|state| state.issues_of_items(&server, kind));
        let rows = (from..to)
            .filter_map(|place| CatalogRow::new(&listed, found.item(place)?, &issues))
            .collect();
        Ok(Rows {
            revision,
            total,
            rows,
        })
    }

    /// Returns the index of an item among those that match the search; `None` if it does not match.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn catalog_index(
        &self,
        server: ServerId,
        kind: CatalogKind,
        search: String,
        key: String,
    ) -> Result<Option<u64>, IpcError> {
        let connection = self.explorer().connection(&server)?;
        let searched = connection.search_catalog(kind, search);
        let Searched { listed, found, .. } = searched.await?;
        let place = listed.place(&key).and_then(|item| found.place(item));
        Ok(place.map(u64::from))
    }

    /// Returns everything about one prompt.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn prompt_detail(
        &self,
        server: ServerId,
        key: String,
    ) -> Result<PromptDetail, IpcError> {
        let gone = "This prompt is no longer in the server's list.";
        let (prompt, row) = self.item_with_row(&server, CatalogKind::Prompts, &key, gone)?;
        Ok(PromptDetail::new(&prompt, row))
    }

    /// Returns everything about one skill.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn skill_detail(
        &self,
        server: ServerId,
        key: String,
    ) -> Result<SkillDetail, IpcError> {
        let gone = "This skill is no longer in the server's list.";
        let (skill, row) = self.item_with_row(&server, CatalogKind::Skills, &key, gone)?;
        Ok(SkillDetail::new(&skill, row))
    }

    /// Returns everything about one tool.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn tool_detail(&self, server: ServerId, key: String) -> Result<ToolDetail, IpcError> {
        let explorer = self.explorer();
        let connection = explorer.connection(&server)?;
        let tool = connection.tool(&key)?;
        let row = explorer.read(|state| row(state, &server, CatalogKind::Tools, &key));
        let row = row.ok_or(Error::NotFound(
            "This tool is no longer in the server's list.",
        ))?;
        let problem = connection.schema_problem(&tool).await;
        Ok(blocking(move || ToolDetail::new(&tool, row, problem)).await?)
    }

    /// Returns everything about one resource or resource template.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn resource_detail(
        &self,
        server: ServerId,
        kind: CatalogKind,
        key: String,
    ) -> Result<ResourceDetail, IpcError> {
        let none = "This is no resource of the server's list.";
        let (item, row) = self.item_with_row(&server, kind, &key, none)?;
        match row.resource {
            Some(_) => Ok(ResourceDetail::new(&item, row)),
            None => Err(Error::NotFound(none).into()),
        }
    }

    /// Fills values into a resource template and returns the URI.
    ///
    /// # Errors
    /// None: the response has any problem.
    pub async fn expand_template(
        &self,
        template: String,
        values: Vec<TemplateInput>,
    ) -> Result<ExpandedTemplate, IpcError> {
        Ok(ExpandedTemplate::new(&template, values))
    }

    /// Returns an item of a list with its row.
    fn item_with_row(
        &self,
        server: &str,
        kind: CatalogKind,
        key: &str,
        gone: &'static str,
    ) -> Result<(CatalogItem, CatalogRow), IpcError> {
        let explorer = self.explorer();
        let item = explorer.connection(server)?.item(kind, key)?;
        let row = explorer.read(|state| row(state, server, kind, key));
        Ok((item, row.ok_or(Error::NotFound(gone))?))
    }
}
