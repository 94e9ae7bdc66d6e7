//! Inputs that the configuration of another client asks its user for.
//!
//! Some clients write `${input:NAME}` for a value that they ask their user for, and `${env:NAME}` for a value from
//! their own environment. Sonde knows neither, so it asks for both and does not connect before: placeholders sent as
//! they are only make a server fail, or reveal their names to it.

use super::server_config::{ConfigValue, NamedValue, Transport};

/// Beginnings of the placeholders of inputs. A placeholder ends with a brace.
const BEGINNINGS: [&str; 2] = ["${input:", "${env:"];

/// Returns the placeholders of inputs in a text, as they are written.
pub fn inputs_in(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("${") {
        let rest = &text[at..];
        if BEGINNINGS.iter().any(|begin| rest.starts_with(begin))
            && let Some(end) = rest.find('}')
        {
            found.push(&rest[..=end]);
        }
    }
    found
}

/// Returns the placeholders of inputs in a configuration, each once, in the order of the form.
#[must_use]
pub fn missing_inputs(transport: &Transport) -> Vec<String> {
    let plain = |values: &[NamedValue]| -> Vec<String> {
        let values = values.iter().filter_map(|one| match &one.value {
            ConfigValue::Plain(text) => Some(text.clone()),
            ConfigValue::Secret(_) => None,
        });
        values.collect()
    };
    let texts = match transport {
        Transport::Stdio {
            command,
            args,
            env,
            cwd,
        } => [
            vec![command.clone()],
            args.clone(),
            plain(env),
            Vec::from_iter(cwd.clone()),
        ]
        .concat(),
        Transport::Http { url, headers, .. } => [vec![url.clone()], plain(headers)].concat(),
        Transport::Demo { .. } => Vec::new(),
    };
    let mut missing: Vec<String> = Vec::new();
    for input in texts.iter().flat_map(|text| inputs_in(text)) {
        if !missing.iter().any(|known| known == input) {
            missing.push(input.to_owned());
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_found_wherever_it_stands() {
        let named = |name: &str, value| NamedValue {
            name: name.to_owned(),
            value,
        };
        let transport = Transport::Stdio {
            command: "${env:HOME}/bin/server".to_owned(),
            args: vec![
                "--key=${input:key}".to_owned(),
                "${input:key}${env:B}".to_owned(),
            ],
            env: vec![
                named("A", ConfigValue::Plain("Bearer ${input:a b}".to_owned())),
                named("B", ConfigValue::SECRET),
            ],
            cwd: Some("${env:HOME}".to_owned()),
        };
        assert_eq!(
            missing_inputs(&transport),
            ["${env:HOME}", "${input:key}", "${env:B}", "${input:a b}"]
        );
        // What a shell or a server may read itself, and what is none.
        for text in [
            "${HOME}",
            "$input:a",
            "${input:a",
            "{input:a}",
            "${ENV:A}",
            "",
        ] {
            assert!(inputs_in(text).is_empty(), "{text}");
        }
    }
}
