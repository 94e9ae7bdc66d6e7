//! Tests of the summaries of results, and of the findings about them.

use sonde_findings::FindingView;
use sonde_wire::TextPart;

use super::{
    content_block::{BlockBody, block_body},
    outcome::{ContentBlock, ContentKind, OperationOutcome, StructuredContent},
    summary::{ResultShape, block, structured, summarize},
};
use crate::limits::{LINE, RESULT_URI};

fn messages(findings: &[FindingView]) -> String {
    let messages: Vec<_> = findings.iter().map(|one| one.message.as_str()).collect();
    messages.join(" ")
}

fn result(
    text: &str,
) -> (
    Vec<ContentBlock>,
    Option<StructuredContent>,
    Vec<FindingView>,
) {
    let mut shown = summarize(text, ResultShape::Tool, text.contains("\"isError\":true"));
    shown.keep_applicable(Some("2025-11-25"));
    match shown {
        OperationOutcome::Result {
            content,
            structured,
            findings,
            bytes,
            ..
        } => {
            assert_eq!(bytes, text.len() as u64);
            (content, structured, findings)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_repeated_member_is_told_and_hides_nothing() {
    let text =
        r#"{"_meta":{"a":1},"content":[],"_meta":{"a":2},"content":[{"type":"text","text":"hi"}]}"#;
    let (content, _, findings) = result(text);
    assert_eq!(content.len(), 1);
    assert_eq!(findings[0].rule, "repeated-member");
    assert!(block(text, 0).is_some());
    let OperationOutcome::Result { meta, .. } = summarize(text, ResultShape::Tool, false) else {
        panic!("it is a result");
    };
    assert_eq!(meta.as_deref(), Some(r#"{"a":2}"#));
}

#[test]
fn results_are_judged_by_their_revision() {
    let of = |text: &str, revision| {
        let mut shown = summarize(text, ResultShape::Tool, text.contains("\"isError\":true"));
        shown.keep_applicable(revision);
        let OperationOutcome::Result {
            content, findings, ..
        } = shown
        else {
            panic!("it is a result");
        };
        let of_blocks = content.into_iter().flat_map(|block| block.findings);
        let all = findings.into_iter().chain(of_blocks);
        all.map(|one| one.rule).collect::<Vec<_>>().join(" ")
    };
    let [r24, r25m, r25j, r25n, r26] = [
        "2024-11-05",
        "2025-03-26",
        "2025-06-18",
        "2025-11-25",
        "2026-07-28",
    ]
    .map(Some);
    let list = r#"{"content":[{"type":"text","text":"[1]"}],"structuredContent":[1]}"#;
    let bare = r#"{"content":[],"structuredContent":{"a":1}}"#;
    let audio = r#"{"content":[{"type":"audio","data":"AAAA","mimeType":"audio/wav"}]}"#;
    let link = r#"{"content":[{"type":"resource_link","uri":"a:b","name":"n"}]}"#;
    for (text, revision, expected) in [
        (list, r25n, "bad-structured-content"),
        (list, r26, ""),
        (list, None, ""),
        (bare, r25j, "missing-text"),
        (bare, r25m, ""),
        (audio, r24, "audio-too-new"),
        (audio, r25m, ""),
        (link, r25m, "resource-link-too-new"),
        (link, r25j, ""),
        (r#"{"content":[],"isError":true}"#, r24, "unexplained-error"),
        (
            r#"{"content":[{"type":"text","text":""}],"isError":true}"#,
            None,
            "unexplained-error",
        ),
        (
            r#"{"content":[{"type":"text","text":"why"}],"isError":true}"#,
            r24,
            "",
        ),
        (
            r#"{"content":[],"structuredContent":{"why":1},"isError":true}"#,
            r25n,
            "",
        ),
        (
            r#"{"content":[{"type":"image","data":"iVBORw0KGgo","mimeType":"image/jpeg"}]}"#,
            r24,
            "other-media",
        ),
        (
            r#"{"content":[{"type":"resource","resource":{"uri":"a:b","text":"t","blob":"AAAA"}}]}"#,
            r24,
            "text-and-blob",
        ),
    ] {
        assert_eq!(of(text, revision), expected, "{text} {revision:?}");
    }
}

#[test]
fn every_kind_of_content_is_summarized() {
    let (content, structured, findings) = result(
        r#"{"content": [
            {"type": "text", "text": "h\u00e9llo"},
            {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
            {"type": "audio", "data": "aGVsbG8", "mimeType": "audio/wav"},
            {"type": "resource_link", "uri": "file:///a", "name": "a", "title": "A", "description": "d"},
            {"type": "resource", "resource": {"uri": "x:1", "mimeType": "text/css", "text": "b{}"}},
            {"type": "resource", "resource": {"uri": "x:2", "blob": "AAAA"}}
        ], "structuredContent": {"n": 9007199254740993}}"#,
    );
    assert!(findings.is_empty(), "{findings:?}");
    let kinds: Vec<_> = content.iter().map(|one| one.kind).collect();
    assert_eq!(
        kinds,
        [
            ContentKind::Text,
            ContentKind::Image,
            ContentKind::Audio,
            ContentKind::ResourceLink,
            ContentKind::EmbeddedText,
            ContentKind::EmbeddedBlob
        ]
    );
    let sizes: Vec<_> = content.iter().map(|one| one.bytes).collect();
    assert_eq!(
        (sizes[0], sizes[1], sizes[2], sizes[4], sizes[5]),
        (6, 5, 5, 3, 3)
    );
    assert_eq!(content[0].text.as_deref(), Some("héllo"));
    assert_eq!(content[3].title.as_deref(), Some("A: d"));
    assert_eq!(content[4].mime_type.as_deref(), Some("text/css"));
    assert!(
        content.iter().all(|one| one.findings.is_empty()),
        "{content:?}"
    );
    assert_eq!(
        structured.unwrap().json.unwrap(),
        r#"{"n": 9007199254740993}"#
    );
}

#[test]
fn one_damaged_block_does_not_hide_the_others() {
    let (content, structured, findings) = result(
        r#"{"content": [7, {"type": "text", "text": 5}, {"type": "hologram"}, {},
            {"type": "image", "data": "not base64!"}, {"type": "text", "text": "\ud800ok"},
            {"type": "resource", "resource": {}}, {"type": "image", "data": "AAAAA", "mimeType": "text/plain"},
            {"type": "text", "text": "fine", "mimeType": 3, "title": []}, {"type": "resource_link", "uri": "a:b"}],
            "structuredContent": [1]}"#,
    );
    assert_eq!(messages(&findings), "`structuredContent` is not an object.");
    assert_eq!(structured.unwrap().bytes, 3);
    for (index, words) in [
        (0, "cannot be read"),
        (1, "`text` is not a string"),
        (2, "`hologram` is unknown"),
        (3, "no `type`"),
        (4, "2 of its characters"),
        (5, "lone surrogate"),
        (6, "neither `text` nor `blob`"),
        (7, "truncated"),
        (8, "`mimeType` is not a string"),
        (9, "no `name`"),
    ] {
        let found = messages(&content[index].findings);
        assert!(found.contains(words), "{index}: {found}");
        let place = format!("/content/{index}");
        for one in &content[index].findings {
            let location = one.location.as_deref().unwrap_or_default();
            assert!(location.starts_with(&place), "{place}: {location}");
        }
    }
    assert!(messages(&content[4].findings).contains("no `mimeType`"));
    assert_eq!(content[5].text.as_deref(), Some("\u{fffd}ok"));
    assert_eq!(content[8].text.as_deref(), Some("fine"));
}

#[test]
fn wrong_results_are_told() {
    for (text, words) in [
        ("{}", "no `content`"),
        ("[]", "cannot be read"),
        (r#"{"content": {}}"#, "no `content`"),
        (r#"{"content": [], "content": []}"#, "more than once"),
    ] {
        let (_, _, findings) = result(text);
        assert!(messages(&findings).contains(words), "{text}: {findings:?}");
    }
}

#[test]
fn what_travels_is_bounded() {
    let text = "x".repeat(60_000);
    let block = format!(r#"{{"type": "text", "text": "{text}"}}"#);
    let (content, _, _) = result(&format!(
        r#"{{"content": [{}]}}"#,
        vec![block; 10].join(",")
    ));
    assert_eq!(content.iter().filter(|one| one.text.is_some()).count(), 4);
    assert!(content.iter().all(|one| one.bytes == 60_000));
    let links = |length: usize, count: usize| -> Vec<String> {
        let uri = format!("https://h/{}", "u".repeat(length - 10));
        let link = format!(r#"{{"type": "resource_link", "uri": "{uri}"}}"#);
        let links = vec![link; count].join(",");
        let (content, _, _) = result(&format!(r#"{{"content": [{links}]}}"#));
        content.into_iter().filter_map(|one| one.uri).collect()
    };
    assert_eq!(links(RESULT_URI, 1)[0].len(), RESULT_URI);
    let cut = |uri: &String, longest| uri.chars().count() == longest + 1 && uri.ends_with('…');
    assert!(cut(&links(RESULT_URI + 1, 1)[0], RESULT_URI));
    let many = links(RESULT_URI, 1_000);
    assert!(many.last().is_some_and(|uri| cut(uri, LINE)));
    assert!(many.iter().map(String::len).sum::<usize>() < 2 * 1024 * 1024);
    let many = vec![r#"{"type":"text","text":""}"#; 1_500].join(",");
    let (content, _, findings) = result(&format!(r#"{{"content": [{many}]}}"#));
    assert_eq!(content.len(), 1_000);
    assert!(findings[0].message.contains("1500"));
    let long = "y".repeat(70_000);
    let (content, structured, _) = result(&format!(
        r#"{{"content": [{{"type": "text", "text": "{long}"}}], "structuredContent": {{"a": "{}"}}}}"#,
        "z".repeat(300_000)
    ));
    assert_eq!((content[0].text.as_ref(), content[0].bytes), (None, 70_000));
    assert_eq!(structured.unwrap().json, None);
}

#[test]
fn what_is_found_in_a_block_is_at_its_place_in_the_result() {
    let (content, _, _) = result(
        r#"{"content": [
            {"type":"text","text":3},
            {"type":"resource","annotations":{"priority":"high"},"resource":{"uri":"x:1","blob":"?","_meta":3}},
            {"type":"resource","resource":{"text":"t"}}
        ]}"#,
    );
    let places = content
        .iter()
        .flat_map(|block| block.findings.iter().filter_map(|one| one.location.clone()));
    let mut places: Vec<_> = places.collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(
        places,
        [
            "/content/0/text",
            "/content/1/annotations/priority",
            "/content/1/resource/_meta",
            "/content/1/resource/blob",
            "/content/2/resource",
        ]
    );
}

#[test]
fn the_contents_of_a_resource_are_blocks_with_bodies() {
    let text = r#"{"contents": [
        {"uri": "x:1", "mimeType": "text/plain", "text": "h\u00e9"},
        {"uri": "x:2", "blob": "_-8="},
        {"mimeType": "a/b"}, 7
    ], "ttlMs": 0}"#;
    let OperationOutcome::Result {
        content,
        findings,
        bytes,
        ..
    } = summarize(text, ResultShape::Resource, false)
    else {
        panic!("it is a result");
    };
    assert_eq!((findings.len(), bytes), (0, text.len() as u64));
    assert_eq!(
        (content[0].kind, content[0].uri.as_deref(), content[0].bytes),
        (ContentKind::EmbeddedText, Some("x:1"), 3)
    );
    assert_eq!(content[0].text.as_deref(), Some("hé"));
    assert_eq!(
        (content[1].kind, content[1].bytes),
        (ContentKind::EmbeddedBlob, 2)
    );
    assert!(messages(&content[2].findings).contains("neither `text` nor `blob`"));
    assert!(messages(&content[3].findings).contains("cannot be read"));
    assert_eq!(
        block(text, 0).map(block_body),
        Some((BlockBody::Text("hé".into()), Some("text/plain".into())))
    );
    assert_eq!(
        block(text, 1).map(block_body),
        Some((BlockBody::Bytes(vec![0xff, 0xef]), None))
    );
    for (text, words) in [
        ("{}", "no `contents`"),
        (r#"{"contents": 3}"#, "no `contents`"),
        ("[]", "cannot be read"),
    ] {
        let outcome = summarize(text, ResultShape::Resource, false);
        let OperationOutcome::Result { findings, .. } = outcome else {
            panic!("it is a result");
        };
        assert!(messages(&findings).contains(words), "{text}: {findings:?}");
    }
}

#[test]
fn block_bodies_are_decoded() {
    let raw = TextPart::from(
        r#"{"content": [{"type":"text","text":"a\nb"},
            {"type":"image","data":"aGVs\nbG8","mimeType":"image/png"},
            {"type":"resource","resource":{"uri":"x","blob":"_-8=","mimeType":"a/b"}},
            {"type":"resource_link","uri":"x"},{"type":"image","data":"???"},
            {"type":"picture","data":"x"},
            {"type":"image","data":"aGVsbG8=","text":"a caption"},
            {"type":"resource","text":"a note","resource":{"uri":"x","blob":"aGVsbG8="}}],
            "structuredContent": {"a": 1.50}}"#
            .to_owned(),
    );
    let body = |index| block(raw.get(), index).map(block_body);
    let picture = r#"{"type":"picture","data":"x"}"#;
    assert_eq!(body(5), Some((BlockBody::Json(picture.into()), None)));
    assert_eq!(body(0), Some((BlockBody::Text("a\nb".into()), None)));
    assert_eq!(
        body(1),
        Some((
            BlockBody::Bytes(b"hello".to_vec()),
            Some("image/png".into())
        ))
    );
    assert_eq!(
        body(2),
        Some((BlockBody::Bytes(vec![0xff, 0xef]), Some("a/b".into())))
    );
    assert_eq!(
        body(3),
        Some((
            BlockBody::Json(r#"{"type":"resource_link","uri":"x"}"#.into()),
            None
        ))
    );
    assert_eq!(body(4), Some((BlockBody::Text("???".into()), None)));
    for foreign in [6, 7] {
        let bytes = BlockBody::Bytes(b"hello".to_vec());
        assert_eq!(body(foreign), Some((bytes, None)), "{foreign}");
    }
    assert_eq!(body(8), None);
    assert_eq!(structured(&raw).unwrap().get(), r#"{"a": 1.50}"#);
}

#[test]
fn what_is_said_beside_the_content_is_shown_within_limits() {
    let text = r#"{"content":[
        {"type":"text","text":"a","annotations":{"audience":["user"],"priority":0.7,"lastModified":"2025-01-12"},"_meta":{"n": 1.0}},
        {"type":"resource_link","uri":"a:b","name":"n","size":12,"icons":[{"src":"https://example.org/i"}]},
        {"type":"resource","resource":{"uri":"a:b","text":"t","_meta":{"inner":true}},"_meta":{"outer":true}},
        {"type":"text","text":"plain"},
        {"type":"text","text":"odd","annotations":{"priority":"high"}}
    ]}"#;
    let (content, ..) = result(text);
    let details: Vec<_> = content.iter().map(|block| block.details.as_ref()).collect();
    let first = details[0].unwrap();
    assert_eq!(first.audience, ["user"]);
    assert_eq!(first.priority, Some(0.7));
    assert_eq!(first.last_modified.as_deref(), Some("2025-01-12"));
    assert_eq!(first.meta.as_deref(), Some(r#"{"n": 1.0}"#));
    let link = details[1].unwrap();
    assert_eq!((link.size, link.icons.first.len()), (Some(12), 1));
    let embedded = details[2].unwrap();
    assert_eq!(embedded.meta.as_deref(), Some(r#"{"outer":true}"#));
    assert_eq!(embedded.resource_meta.as_deref(), Some(r#"{"inner":true}"#));
    assert_eq!(details[3], None);
    assert!(messages(&content[4].findings).contains("annotations.priority"));

    let meta = "m".repeat(3_000);
    let block = format!(r#"{{"type":"text","text":"a","_meta":{{"m":"{meta}"}}}}"#);
    let blocks = vec![block; 900].join(",");
    let (content, ..) = result(&format!(r#"{{"content":[{blocks}]}}"#));
    let all: usize = content.iter().map(ContentBlock::inline).sum();
    assert!(all < 300 * 1024, "{all}");
    let last = content.last().and_then(|block| block.details.as_ref());
    assert_eq!(last.unwrap().meta.as_deref(), Some("…"));
}

#[test]
fn the_meta_of_a_result_is_kept_as_received() {
    let meta = |text: &str, shape| match summarize(text, shape, false) {
        OperationOutcome::Result { meta, .. } => meta,
        other => panic!("{other:?}"),
    };
    let tool = r#"{"content":[],"_meta":{"a": 1.0}}"#;
    assert_eq!(
        meta(tool, ResultShape::Tool).as_deref(),
        Some(r#"{"a": 1.0}"#)
    );
    let read = r#"{"contents":[],"_meta":{"a":2}}"#;
    assert_eq!(
        meta(read, ResultShape::Resource).as_deref(),
        Some(r#"{"a":2}"#)
    );
    assert_eq!(meta(r#"{"contents":[]}"#, ResultShape::Resource), None);
    let long = format!(
        r#"{{"content":[],"_meta":{{"a":"{}"}}}}"#,
        "x".repeat(100_000)
    );
    let long = meta(&long, ResultShape::Tool).unwrap();
    assert!(long.len() < 66_000 && long.ends_with('…'));
}

#[test]
fn types_compare_without_case() {
    let block = |mime: &str, data: &str| {
        let (content, ..) = result(&format!(
            r#"{{"content":[{{"type":"image","mimeType":"{mime}","data":"{data}"}}]}}"#
        ));
        messages(&content[0].findings)
    };
    assert_eq!(block("IMAGE/PNG", "iVBORw0KGgo="), "");
    assert_eq!(block("Image/Png; q=1", "iVBORw0KGgo="), "");
    assert!(block("imagery/png", "AAAA").contains("not a type of image"));
    let said = block("image/png", "data:image/png;base64,iVBORw0KGgo=");
    assert_eq!(said, "`data` is not valid Base64: it is a `data:` URI.");
}

#[test]
fn a_block_that_is_no_object_is_told_in_plain_words() {
    for (block, said) in [
        ("7", "it is the number `7`, not an object"),
        ("[1]", "it is an array, not an object"),
        (
            r#"{"type":"text","text":"a","text":"b"}"#,
            "`text` is there more than once",
        ),
    ] {
        let (content, ..) = result(&format!(r#"{{"content":[{block}]}}"#));
        let said = format!("This content block cannot be read: {said}.");
        assert_eq!(messages(&content[0].findings), said);
    }
}

#[test]
fn a_result_that_is_no_object_is_told_in_plain_words() {
    let OperationOutcome::Result { findings, .. } = summarize("[]", ResultShape::Tool, false)
    else {
        panic!("it is a result");
    };
    let said = messages(&findings);
    assert!(
        said.contains("it is an array, not") && !said.contains("column"),
        "{said}"
    );
}
