use serde::{Deserialize, Serialize};
use sonde_explorer::{
    icons::ShownIcons,
    limits::{TEXT, cut_text},
};
use sonde_mcp::{CatalogItem, extras};
use ts_rs::TS;

/// Members of a definition that items of every kind may have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ItemExtras {
    /// `icons`.
    pub icons: ShownIcons,
    /// `_meta` as JSON text as received; at most 64 KiB, `…` ends a cut one.
    pub meta: Option<String>,
}

impl From<&CatalogItem> for ItemExtras {
    fn from(item: &CatalogItem) -> Self {
        let said = extras(&item.raw);
        Self {
            icons: ShownIcons::from(&said.icons),
            meta: said.meta.map(|raw| cut_text(raw.get(), TEXT)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;
    use sonde_mcp::{ItemDetail, Tool};

    use super::*;

    #[test]
    fn what_crosses_of_an_item_is_as_received_and_bounded() {
        let extras = |raw: String| {
            ItemExtras::from(&CatalogItem {
                key: String::new(),
                name: String::new(),
                title: None,
                description: None,
                detail: ItemDetail::Tool(Tool::default()),
                raw: RawValue::from_string(raw).unwrap().into(),
                findings: Vec::new(),
            })
        };
        let few =
            extras(r#"{"icons":[{"src":"https://example.org/i"}],"_meta":{"n": 1.0}}"#.into());
        assert_eq!(few.icons.first[0].icon.src, "https://example.org/i");
        assert_eq!(few.meta.as_deref(), Some(r#"{"n": 1.0}"#));
        let long = extras(format!(r#"{{"_meta":{{"n":"{}"}}}}"#, "x".repeat(100_000)));
        assert!(
            long.meta
                .is_some_and(|meta| meta.len() < 66_000 && meta.ends_with('…'))
        );
        assert_eq!(extras("{}".into()).meta, None);
    }
}
