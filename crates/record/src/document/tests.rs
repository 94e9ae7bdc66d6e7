use proptest::prelude::*;

use super::*;

async fn all(documents: &Documents, document: u64) -> Vec<DocumentRow> {
    documents.rows(document, 0, 1000).await.unwrap()
}

/// Formats a tree's rows as `depth name value`.
fn lines(rows: &[DocumentRow]) -> Vec<String> {
    rows.iter()
        .map(|row| match row {
            DocumentRow::Text { text, .. } => text.clone(),
            DocumentRow::Node {
                depth,
                key,
                index,
                value,
                expanded,
                children,
                kind,
                ..
            } => {
                let name = match (key, index) {
                    (Some(key), _) => key.clone(),
                    (_, Some(index)) => index.to_string(),
                    _ => String::new(),
                };
                let value = match kind {
                    NodeKind::Object | NodeKind::Array => {
                        format!("{kind:?}/{children}{}", if *expanded { "+" } else { "-" })
                    }
                    _ => value.clone(),
                };
                format!("{depth} {name}: {value}")
            }
        })
        .collect()
}

fn node(row: &DocumentRow) -> u32 {
    match row {
        DocumentRow::Node { node, .. } => *node,
        DocumentRow::Text { .. } => panic!("no node"),
    }
}

#[tokio::test]
async fn a_small_tree_is_shown_whole_and_folds() {
    let documents = Documents::new();
    let text = r#"{"a":[1.50,{"b\u0061\n":"x"}],"a":null}"#.to_owned();
    let view = documents.open(text.into(), DocumentMode::Tree, 80).await;
    assert_eq!(
        (view.mode, view.rows, view.nodes),
        (DocumentMode::Tree, 6, Some(6))
    );
    let rows = all(&documents, view.document).await;
    assert_eq!(view.first, rows);
    assert_eq!(
        lines(&rows),
        [
            "0 : Object/2+",
            "1 a: Array/2+",
            "2 0: 1.50",
            "2 1: Object/1+",
            "3 ba␊: \"x\"",
            "1 a: null",
        ]
    );
    let view = documents
        .toggle(view.document, node(&rows[1]))
        .await
        .unwrap();
    assert_eq!(view.rows, 3);
    let rows = all(&documents, view.document).await;
    assert_eq!(
        lines(&rows),
        ["0 : Object/2+", "1 a: Array/2-", "1 a: null"]
    );
    // A scalar cannot be opened.
    assert_eq!(
        documents
            .toggle(view.document, node(&rows[2]))
            .await
            .unwrap()
            .rows,
        3
    );
    // Folded nodes stay folded while another mode is shown.
    let raw = documents
        .show(view.document, DocumentMode::Raw, 20)
        .await
        .unwrap();
    assert_eq!(
        (raw.mode, raw.rows, raw.nodes),
        (DocumentMode::Raw, 2, None)
    );
    let tree = documents
        .show(view.document, DocumentMode::Tree, 20)
        .await
        .unwrap();
    assert_eq!(tree.rows, 3);
    assert_eq!(
        documents.expand(view.document, false).await.unwrap().rows,
        3
    );
    assert_eq!(documents.expand(view.document, true).await.unwrap().rows, 6);
}

#[tokio::test]
async fn a_large_tree_opens_its_first_levels_only() {
    let documents = Documents::new();
    let wide = format!("[{}]", vec!["[1,2]"; 300].join(","));
    let view = documents.open(wide.into(), DocumentMode::Tree, 80).await;
    assert_eq!((view.rows, view.nodes), (901, Some(901)));
    let wider = format!("[{}]", vec!["[1,2]"; 3000].join(","));
    let view = documents.open(wider.into(), DocumentMode::Tree, 80).await;
    assert_eq!((view.rows, view.nodes), (3001, Some(9001)));
    let rows = documents.rows(view.document, 2999, 100).await.unwrap();
    assert_eq!(lines(&rows), ["1 2998: Array/2-", "1 2999: Array/2-"]);
    assert_eq!(documents.rows(view.document, 5000, 100).await.unwrap(), []);
    assert_eq!(
        documents.rows(view.document, 0, 5000).await.unwrap().len(),
        1000
    );
}

#[tokio::test]
async fn long_values_are_cut_and_marks_are_seen() {
    let documents = Documents::new();
    let text = format!("[\"{}\",\"a\u{202e}b\"]", "é".repeat(500));
    let view = documents.open(text.into(), DocumentMode::Tree, 80).await;
    let rows = all(&documents, view.document).await;
    let DocumentRow::Node {
        value, truncated, ..
    } = &rows[1]
    else {
        panic!()
    };
    assert!(*truncated && value.chars().count() == 400);
    let DocumentRow::Node {
        value, truncated, ..
    } = &rows[2]
    else {
        panic!()
    };
    assert_eq!((value.as_str(), *truncated), ("\"a⟨U+202E⟩b\"", false));
}

#[tokio::test]
async fn values_and_paths_are_copied_as_received() {
    let documents = Documents::new();
    let long = "é".repeat(500);
    let text = format!(
        r#"{{"co\u00adop":"a\nb","a":1.50,"a":{{"first name":[true,"{long}"]}},"\ud800":"\ud800","":1}}"#
    );
    let view = documents.open(text.into(), DocumentMode::Tree, 80).await;
    let mut copied = Vec::new();
    let mut parents = Vec::new();
    for row in all(&documents, view.document).await {
        let DocumentRow::Node { node, parent, .. } = row else {
            panic!("no node")
        };
        let path = documents.node_path(view.document, node).await.unwrap();
        let value = documents.node_value(view.document, node).await.unwrap();
        copied.push((path.unwrap(), value.unwrap()));
        parents.push(parent);
    }
    let nested = format!("[\n  true,\n  \"{long}\"\n]");
    let expected = [
        (r#"$["co\u00adop"]"#, "a\nb"),
        ("$.a", "1.50"),
        (
            "$.a",
            &*format!("{{\n  \"first name\": {}\n}}", nested.replace('\n', "\n  ")),
        ),
        (r#"$.a["first name"]"#, &*nested),
        (r#"$.a["first name"][0]"#, "true"),
        (r#"$.a["first name"][1]"#, &*long),
        (r#"$["\ud800"]"#, r"\ud800"),
        (r#"$[""]"#, "1"),
    ];
    assert_eq!(copied[0].0, "$");
    for (found, expected) in copied[1..].iter().zip(expected) {
        assert_eq!((&*found.0, &*found.1), expected);
    }
    assert_eq!(copied.len(), 1 + expected.len());
    let parents: Vec<i64> = parents
        .iter()
        .map(|row| row.map_or(-1, |row| row as i64))
        .collect();
    assert_eq!(parents, [-1, 0, 0, 0, 3, 4, 4, 0, 0]);
    assert_eq!(documents.node_value(view.document, 9).await, Some(None));

    let huge = format!("[\"{}\"]", "x".repeat(17 << 20));
    let view = documents.open(huge.into(), DocumentMode::Tree, 80).await;
    assert_eq!(documents.node_value(view.document, 1).await, Some(None));
}

#[tokio::test]
async fn what_is_no_json_is_shown_as_text() {
    let documents = Documents::new();
    for mode in [DocumentMode::Tree, DocumentMode::Pretty] {
        let view = documents
            .open("{\"a\":\n oops}".to_owned().into(), mode, 80)
            .await;
        assert_eq!((view.mode, view.rows), (DocumentMode::Raw, 2));
        assert_eq!(
            view.not_json.as_deref(),
            Some("This is not valid JSON: a value was expected at line 2, column 2.")
        );
        let raw = documents
            .show(view.document, DocumentMode::Raw, 80)
            .await
            .unwrap();
        assert_eq!(raw.not_json, None);
    }
    let bytes = bytes::Bytes::from_static(b"a\xffb");
    let view = documents.open(bytes.into(), DocumentMode::Raw, 80).await;
    assert_eq!(lines(&all(&documents, view.document).await), ["a\u{fffd}b"]);
    let view = documents
        .open(String::new().into(), DocumentMode::Tree, 80)
        .await;
    assert_eq!(
        (view.rows, view.not_json.as_deref()),
        (0, Some("This is empty."))
    );
}

#[tokio::test]
async fn pretty_keeps_numbers_and_wraps() {
    let documents = Documents::new();
    let view = documents
        .open(
            "{\"n\":9007199254740993.10,\"s\":\"aaaaaaaaaaaaaaaa\"}"
                .to_owned()
                .into(),
            DocumentMode::Pretty,
            20,
        )
        .await;
    assert_eq!(
        lines(&all(&documents, view.document).await),
        [
            "{",
            "  \"n\": 9007199254740",
            "993.10,",
            "  \"s\": \"aaaaaaaaaaaa",
            "aaaa\"",
            "}"
        ]
    );
    let wide = documents
        .show(view.document, DocumentMode::Pretty, 80)
        .await
        .unwrap();
    assert_eq!(wide.rows, 4);
}

#[tokio::test]
async fn search_finds_the_nth_place_in_each_mode() {
    let documents = Documents::new();
    let items: Vec<String> = (0..2000)
        .map(|n| format!("{{\"name\":\"Item {n}\",\"\\u00e9t\":{n}}}"))
        .collect();
    let text = format!("[{}]", items.join(","));
    let tree = documents.open(text.into(), DocumentMode::Tree, 80).await;
    let find = |text: &str, ordinal| documents.search(tree.document, text.to_owned(), ordinal);
    let hit = find("item 1999", 0).await.unwrap().unwrap();
    assert_eq!((hit.total, hit.ordinal), (1, 0));
    assert_eq!(documents.view(tree.document).unwrap().rows, tree.rows + 2);
    let rows = documents.rows(tree.document, hit.row, 1).await.unwrap();
    assert_eq!(lines(&rows), ["2 name: \"Item 1999\""]);
    assert_eq!(find("ÉT", 0).await.unwrap().unwrap().total, 2000);
    assert_eq!(find("name", 2001).await.unwrap().unwrap().ordinal, 1);
    assert_eq!(find("nothing", 0).await.unwrap(), None);
    assert_eq!(find("", 0).await.unwrap(), None);
    documents
        .show(tree.document, DocumentMode::Pretty, 80)
        .await
        .unwrap();
    let hit = find("ITEM 1234\"", 0).await.unwrap().unwrap();
    let rows = documents.rows(tree.document, hit.row, 1).await.unwrap();
    assert_eq!(lines(&rows), ["    \"name\": \"Item 1234\","]);
    documents
        .show(tree.document, DocumentMode::Raw, 40)
        .await
        .unwrap();
    let hit = find("item", 1999).await.unwrap().unwrap();
    assert_eq!(hit.total, 2000);
    let rows = documents.rows(tree.document, hit.row, 2).await.unwrap();
    assert!(lines(&rows).concat().contains("Item 1999"));
    assert_eq!(find("a", 0).await.unwrap().unwrap().total, 2000);
    assert_eq!(find("e", 0).await.unwrap().unwrap().total, 6000);
}

#[tokio::test]
async fn a_pointer_leads_to_a_value_from_the_root_or_within_a_message() {
    let documents = Documents::new();
    let text = r#"{"id":1,"result":{"tools":[{"name":"a"},{"name":"b","na/me":{"~":[0,{"name":"c"}]}}]},"name":"top","é":2}"#;
    let tree = documents
        .open(text.to_owned().into(), DocumentMode::Tree, 80)
        .await;
    documents.expand(tree.document, false).await.unwrap();
    let row_of = async |pointer: &str| {
        let row = documents.locate(tree.document, pointer.to_owned()).await;
        let Some(row) = row.unwrap() else {
            return "nothing".to_owned();
        };
        lines(&documents.rows(tree.document, row, 1).await.unwrap()).concat()
    };
    for (pointer, row) in [
        ("/name", "1 name: \"top\""),
        ("/result/tools/1/name", "4 name: \"b\""),
        ("/é", "1 é: 2"),
        // Pointers of findings in results begin at the result.
        ("/tools/0/name", "4 name: \"a\""),
        ("/tools/1/na~1me/~0/1/name", "7 name: \"c\""),
        ("/tools/2", "nothing"),
        ("/tools/01", "nothing"),
        // A missing value is not looked for elsewhere.
        ("/1/name", "nothing"),
        ("/na~1me", "nothing"),
        ("/tools", "2 tools: Array/2+"),
        ("name", "nothing"),
        ("", "nothing"),
    ] {
        assert_eq!(row_of(pointer).await, row, "{pointer}");
    }
    // Each object and array was on the way to a hit, so all are open.
    assert_eq!(documents.view(tree.document).unwrap().rows, 15);
    documents
        .show(tree.document, DocumentMode::Pretty, 80)
        .await
        .unwrap();
    assert_eq!(row_of("/name").await, "nothing");
}

#[tokio::test]
async fn the_one_not_used_for_longest_is_closed() {
    let documents = Documents::new();
    let mut ids = Vec::new();
    for _ in 0..64 {
        ids.push(
            documents
                .open("x".to_owned().into(), DocumentMode::Raw, 80)
                .await
                .document,
        );
    }
    assert!(documents.view(ids[0]).is_some());
    documents
        .open("x".to_owned().into(), DocumentMode::Raw, 80)
        .await;
    assert!(documents.view(ids[0]).is_some());
    assert!(documents.view(ids[1]).is_none());
    assert!(documents.rows(ids[1], 0, 1).await.is_none());
    documents.close(ids[0]);
    assert!(documents.toggle(ids[0], 0).await.is_none());
}

#[tokio::test]
async fn a_hundred_thousand_levels_are_a_document() {
    let documents = Documents::new();
    let text = format!("{}\"x\"{}", "[".repeat(100_000), "]".repeat(100_000));
    let view = documents.open(text.into(), DocumentMode::Tree, 80).await;
    assert_eq!(view.nodes, Some(100_001));
    let hit = documents
        .search(view.document, "x".to_owned(), 0)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(hit.row, 100_000);
    let rows = documents.rows(view.document, hit.row, 1).await.unwrap();
    assert_eq!(lines(&rows), ["100000 0: \"x\""]);
    let pretty = documents
        .show(view.document, DocumentMode::Pretty, 80)
        .await
        .unwrap();
    assert!(pretty.rows >= 200_001);
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        "[a-z\"\\\\\u{7f}é]{0,6}".prop_map(Into::into),
    ];
    leaf.prop_recursive(6, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::btree_map("[a-c\"é]{0,3}", inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn pretty_is_what_serde_json_writes(value in json()) {
        let text = serde_json::to_string(&value).unwrap();
        prop_assert_eq!(pretty::pretty(&text).unwrap(), serde_json::to_string_pretty(&value).unwrap());
    }

    #[test]
    fn the_tree_has_every_value_once(value in json(), toggles in prop::collection::vec(0_u32..80, 0..10)) {
        let text = serde_json::to_string(&value).unwrap();
        let all = nodes::nodes(&text).unwrap();
        let mut tree = tree::Tree::new(all.clone());
        for node in toggles {
            tree.toggle(node);
        }
        let mut folded: Vec<u32> = Vec::new();
        for row in tree.rows(&text, 0, 1000) {
            let DocumentRow::Node { node, expanded, children, .. } = row else { panic!() };
            if !expanded && children > 0 {
                folded.push(node);
            }
        }
        // The rows and the contents of the folded nodes together are all nodes.
        let hidden: u64 = folded
            .iter()
            .map(|node| u64::from(all[*node as usize].next - node - 1))
            .sum();
        prop_assert_eq!(tree.count() + hidden, all.len() as u64);
        for id in 0..all.len() as u32 {
            let row = tree.reveal(id);
            let rows = tree.rows(&text, row, 1);
            prop_assert_eq!(node(&rows[0]), id);
        }
        for (at, node) in all.iter().enumerate() {
            let parsed: serde_json::Value = serde_json::from_str(node.lexeme(&text)).unwrap();
            let expected = match &parsed {
                serde_json::Value::Array(items) => items.len(),
                serde_json::Value::Object(members) => members.len(),
                _ => 0,
            };
            prop_assert_eq!(node.children as usize, expected, "node {}", at);
        }
    }
}
