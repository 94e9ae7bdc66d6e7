//! Tools of the lighthouse, one file for each capability of the protocol.

mod content;
mod elicitation;
mod errors;
mod fields;
mod forms;
mod generated;
mod large_results;
mod list_changes;
mod logbook;
mod logging;
mod notification_load;
mod progress;
mod request_headers;
mod roots;
mod sampling;
mod structured;
mod tasks;
mod text;
mod url_elicitation;

use std::sync::{Arc, LazyLock};

use futures_util::future::BoxFuture;
use rmcp::model::{Icon, JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use self::fields::Field;
use crate::call::{Answer, Call};
use crate::state::State;

/// A tool and the function that runs it.
#[derive(Clone)]
pub(crate) struct DemoTool {
    pub(crate) definition: Tool,
    run: Run,
}

type Run = for<'a> fn(&'a Call) -> BoxFuture<'a, Answer>;

/// All tools except the generated ones, in the order in which a visitor meets them.
static TOOLS: LazyLock<Vec<DemoTool>> = LazyLock::new(|| {
    [
        text::tools(),
        structured::tools(),
        logbook::tools(),
        content::tools(),
        progress::tools(),
        logging::tools(),
        progress::cancellable_tools(),
        tasks::tools(),
        elicitation::tools(),
        url_elicitation::tools(),
        sampling::tools(),
        roots::tools(),
        request_headers::tools(),
        list_changes::tools(),
        forms::tools(),
        errors::tools(),
        large_results::tools(),
        notification_load::tools(),
    ]
    .concat()
});

/// Returns the tools that exist at this moment.
fn current(state: &State) -> impl Iterator<Item = DemoTool> {
    TOOLS
        .iter()
        .filter(|tool| state.boathouse_is_open() || tool.definition.name != list_changes::LAUNCH)
        .cloned()
        .chain(generated::tools(state.generated().tools))
}

/// Returns the definitions of the tools that exist at this moment.
pub(crate) fn definitions(state: &State) -> Vec<Tool> {
    current(state).map(|tool| tool.definition).collect()
}

/// Returns the tool with a name.
pub(crate) fn find(name: &str, state: &State) -> Option<DemoTool> {
    current(state).find(|tool| tool.definition.name == name)
}

impl DemoTool {
    /// Creates a tool that only reads.
    fn reading<const N: usize>(
        name: &'static str,
        title: &str,
        description: &'static str,
        fields: [Field; N],
        run: Run,
    ) -> Self {
        let hints = ToolAnnotations::new()
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        let definition = Tool::new(name, description, object(fields::schema(fields)))
            .with_title(title)
            .with_annotations(hints);
        Self { definition, run }
    }

    /// Marks the tool as one that changes something.
    fn changing(self, destructive: bool, idempotent: bool) -> Self {
        let hints = ToolAnnotations::new()
            .read_only(false)
            .destructive(destructive)
            .idempotent(idempotent)
            .open_world(false);
        self.with(|tool| tool.with_annotations(hints))
    }

    fn with_output(self, schema: Value) -> Self {
        self.with(|tool| tool.with_raw_output_schema(object(schema)))
    }

    fn with_icon(self, icon: Icon) -> Self {
        self.with(|tool| tool.with_icons(vec![icon]))
    }

    fn with_meta(self, meta: MetaObject) -> Self {
        self.with(|tool| tool.with_meta(meta))
    }

    fn with(self, change: impl FnOnce(Tool) -> Tool) -> Self {
        Self {
            definition: change(self.definition),
            run: self.run,
        }
    }

    pub(crate) async fn run(&self, call: &Call) -> Answer {
        (self.run)(call).await
    }
}

/// Creates an output schema of an object with these properties, all of them required.
fn output(properties: Value) -> Value {
    let names: Vec<&String> = properties
        .as_object()
        .into_iter()
        .flat_map(|all| all.keys())
        .collect();
    json!({ "type": "object", "properties": properties, "required": names })
}

fn object(value: Value) -> Arc<JsonObject> {
    match value {
        Value::Object(object) => Arc::new(object),
        other => unreachable!("schemas are written as objects, this is {other}"),
    }
}
