//! Limits at which Sonde stops reading.

use serde_json::{Value, json};
use sonde_client::catalogs::CatalogKind;

use crate::{
    lists,
    play::{Act, Case},
    server::{Answer, DONE, Server, events, of, result, with},
};

/// Responds with a page of tools with these names, and a cursor if there is another page.
fn page(names: &[&str], cursor: Value) -> Answer {
    let tool = |name: &&str| {
        let description = format!("Says which ships are in berth {name}.");
        json!({ "name": name, "description": description, "inputSchema": { "type": "object" } })
    };
    let tools: Vec<Value> = names.iter().map(tool).collect();
    result(with(
        &json!({ "tools": tools }),
        json!({ "nextCursor": cursor }),
    ))
}

/// Creates a server with this many pages of tools, each with its own tool or all with the same one.
fn pages(count: usize, own: bool) -> Server {
    let page = |number: usize| {
        let name = if own {
            number.to_string()
        } else {
            "same".to_owned()
        };
        let cursor = (number + 1 < count).then(|| number.to_string());
        page(&[&name], json!(cursor))
    };
    Server::new().on_each("tools/list", (0..count).map(page).collect())
}

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
    let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let arguments =
        |count: usize| lists::prompt(json!({ "arguments": vec![json!({ "name": "a" }); count] }));
    vec![
        of("many-pages", |count: usize| pages(count, true), 51, 50),
        of("no-new-items", |own: bool| pages(22, own), false, true),
        of(
            "list-too-long",
            |count: usize| prompts(vec![vec![json!({}); count]]),
            50_001,
            50,
        ),
        of(
            "list-too-large",
            |size: usize| {
                let named = |number: usize| {
                    vec![json!({ "name": format!("{number}{}", "x".repeat(size)) })]
                };
                prompts((0..5).map(named).collect())
            },
            8 << 20,
            8 << 10,
        ),
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
        of(
            "list-changes-too-often",
            |said: &'static str| {
                let tool = json!({ "name": "t", "description": "Waits.", "inputSchema": { "type": "object" } });
                let list = json!({ "tools": [tool] });
                let list = format!(r#"{{"jsonrpc":"2.0","id":{{id}},"result":{list}}}"#);
                Server::new()
                    .declares(json!({ "tools": { "listChanged": true } }))
                    .on("tools/list", events([list, said.to_owned()]))
            },
            changed,
            none,
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
        of(
            "more-findings",
            |count: usize| lists::prompt(json!({ "arguments": vec![7; count] })),
            200,
            2,
        ),
    ]
}
