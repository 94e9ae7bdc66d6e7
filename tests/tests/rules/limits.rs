//! Limits at which Sonde stops reading.

use serde_json::{Value, json};
use sonde_client::catalogs::CatalogKind;

use crate::{
    lists,
    play::{Act, Case},
    server::{DONE, Server, events, of, result, with},
};

/// Creates a server with these pages of prompts.
fn prompts(pages: Vec<Vec<Value>>) -> Server {
    let last = pages.len() - 1;
    let page = |(number, prompts): (usize, Vec<Value>)| {
        let cursor = (number < last).then(|| number.to_string());
        result(with(
            &json!({ "prompts": prompts }),
            json!({ "nextCursor": cursor }),
        ))
    };
    Server::new()
        .declares(json!({ "prompts": {} }))
        .on_each(
            "prompts/list",
            pages.into_iter().enumerate().map(page).collect(),
        )
        .then(Act::List(CatalogKind::Prompts))
}

pub(crate) fn cases() -> Vec<Case> {
    let none = r#"{"jsonrpc":"2.0","method":"notifications/unheard-of"}"#;
    let arguments =
        |count: usize| lists::prompt(json!({ "arguments": vec![json!({ "name": "a" }); count] }));
    vec![
        of(
            "catalogs-too-large",
            |size: usize| {
                let named = |number: usize| {
                    let name = format!("{number}{}", "x".repeat(size));
                    vec![
                        json!({ "uri": format!("a:/{number}"), "name": name, "description": name }),
                    ]
                };
                let prompts = prompts((0..3).map(named).collect());
                let pages = (0..3).map(|number| {
                    let cursor = (number < 2).then(|| number.to_string());
                    let page = json!({ "resources": named(number) });
                    result(with(&page, json!({ "nextCursor": cursor })))
                });
                let pages = pages.collect();
                prompts
                    .declares(json!({ "prompts": {}, "resources": {} }))
                    .on_each("resources/list", pages)
                    .then(Act::List(CatalogKind::Resources))
            },
            5 << 20,
            5 << 10,
        ),
        of("too-many-arguments", arguments, 1_001, 1_000),
        of(
            "batch-too-long",
            |count: usize| {
                let batch = format!("[{}]", vec![none; count].join(","));
                Server::of("2025-03-26")
                    .on("tools/call", events([batch, DONE.to_owned()]))
                    .called()
            },
            10_001,
            10_000,
        ),
    ]
}
