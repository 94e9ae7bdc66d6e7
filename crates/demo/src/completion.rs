//! Suggestions for the arguments of prompts and the variables of templates.

use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference};

use crate::{prompts, resources};

/// Returns the values of an argument that contain the typed text.
pub(crate) fn complete(request: &CompleteRequestParams) -> CompleteResult {
    let argument = request.argument.name.as_str();
    let context = request.context.as_ref();
    let all = match &request.r#ref {
        Reference::Prompt(prompt) => {
            let harbour = context.and_then(|context| context.get_argument("harbour"));
            prompts::values(&prompt.name, argument, harbour.map(String::as_str))
        }
        Reference::Resource(template) => resources::values(&template.uri, argument),
        _ => Vec::new(),
    };
    let typed = request.argument.value.to_lowercase();
    let values = all
        .into_iter()
        .filter(|value| value.to_lowercase().contains(&typed))
        .map(str::to_owned)
        .collect();
    // There are never more than the protocol allows.
    CompletionInfo::with_all_values(values)
        .map_or_else(|_| CompleteResult::default(), CompleteResult::new)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rmcp::model::{ArgumentInfo, CompletionContext};

    use super::*;
    use crate::prompts::BERTH;

    #[test]
    fn berths_depend_on_the_harbour() {
        let ask = |argument: &str, typed: &str, harbour: Option<&str>| {
            let mut request = CompleteRequestParams::new(
                Reference::for_prompt(BERTH),
                ArgumentInfo::new(argument, typed),
            );
            request.context = harbour.map(|harbour| {
                let chosen = HashMap::from([("harbour".to_owned(), harbour.to_owned())]);
                CompletionContext::with_arguments(chosen)
            });
            complete(&request).completion.values
        };
        assert_eq!(ask("harbour", "s", None).len(), 3);
        assert_eq!(
            ask("berth", "", Some("Seal Bay")),
            ["Coal pier", "Old slip"]
        );
        assert_eq!(ask("berth", "buoy 2", None), ["Buoy 2"]);
        assert_eq!(ask("ship", "", None), Vec::<String>::new());
    }

    #[test]
    fn variables_of_a_template_have_suggestions() {
        let ask = |uri: &str, variable: &str, typed: &str| {
            let request = CompleteRequestParams::new(
                Reference::for_resource(uri),
                ArgumentInfo::new(variable, typed),
            );
            complete(&request).completion.values
        };
        let watch = &resources::templates()[0].uri_template;
        assert_eq!(ask(watch, "day", "fr"), ["friday"]);
        assert_eq!(ask(watch, "watch", ""), ["morning", "evening"]);
        assert_eq!(ask("else://{day}", "day", ""), Vec::<String>::new());
    }
}
