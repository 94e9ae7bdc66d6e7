//! The event decoder: every field, every line end, any chunking.

use proptest::prelude::*;
use sonde_wire::{
    Limits,
    sse::{Control, Decoder, Event, Incomplete, Item},
};

const SMALL: Limits = Limits {
    message: 20,
    kept: 6,
};

fn decode(limits: Limits, chunks: &[&[u8]]) -> (Vec<Item>, Option<Incomplete>) {
    let mut decoder = Decoder::new(limits);
    let mut items = Vec::new();
    for chunk in chunks {
        decoder.push(chunk);
        items.extend(std::iter::from_fn(|| decoder.next_item()));
    }
    (items, decoder.finish())
}

fn items(text: &str) -> Vec<Item> {
    decode(Limits::default(), &[text.as_bytes()]).0
}

fn event(data: &str) -> Event {
    Event {
        name: None,
        data: data.as_bytes().to_vec(),
        id: None,
        sets_id: false,
        retry: None,
        cut: None,
        findings: Vec::new(),
    }
}

fn codes(item: &Item) -> Vec<&'static str> {
    let findings = match item {
        Item::Event(event) => &event.findings,
        Item::Control(control) => &control.findings,
        Item::Comment(_) => return Vec::new(),
    };
    findings.iter().map(|finding| finding.id()).collect()
}

#[test]
fn a_block_without_an_end_keeps_few_findings() {
    let text = format!("{}data: x\n\n", "odd: 1\n".repeat(10_000));
    let items = items(&text);
    assert_eq!(items.len(), 1);
    assert_eq!(codes(&items[0]), ["sse-unknown-field"; 32]);
}

#[test]
fn all_fields_of_one_event() {
    assert_eq!(
        items("event: message\nid: 7\nretry: 1500\ndata: {\"a\":\ndata:  1}\n\n"),
        [Item::Event(Event {
            name: Some("message".to_owned()),
            id: Some("7".into()),
            sets_id: true,
            retry: Some(1500),
            ..event("{\"a\":\n 1}")
        })]
    );
}

#[test]
fn every_line_end_and_their_mixtures() {
    for text in [
        "data: a\n\ndata: b\n\n",
        "data: a\r\rdata: b\r\r",
        "data: a\r\n\r\ndata: b\r\n\r\n",
        "data: a\r\n\rdata: b\n\r\n",
        "\u{FEFF}data: a\n\n\n\ndata: b\r\r\n",
    ] {
        assert_eq!(
            items(text),
            [Item::Event(event("a")), Item::Event(event("b"))],
            "{text:?}"
        );
    }
}

#[test]
fn a_byte_order_mark_in_the_middle_belongs_to_the_field() {
    let found = items("data: a\n\n\u{FEFF}data: b\n\n");
    assert_eq!(found[0], Item::Event(event("a")));
    assert_eq!(codes(&found[1]), ["sse-unknown-field"]);
}

#[test]
fn values_keep_all_but_one_leading_space() {
    assert_eq!(items("data:a\n\n"), [Item::Event(event("a"))]);
    assert_eq!(items("data:  a \n\n"), [Item::Event(event(" a "))]);
    assert_eq!(items("data:a:b\n\n"), [Item::Event(event("a:b"))]);
    assert_eq!(items("data\ndata\n\n"), [Item::Event(event("\n"))]);
    assert_eq!(items("data: a\ndata\n\n"), [Item::Event(event("a\n"))]);
    assert_eq!(items("data:\n\n"), [Item::Event(event(""))]);
}

#[test]
fn comments_and_bare_fields_are_not_lost() {
    let control = |id: Option<&str>, retry| {
        Item::Control(Control {
            name: None,
            id: id.map(Into::into),
            retry,
            findings: Vec::new(),
        })
    };
    assert_eq!(
        items(": keep-alive\n\nid: 1\n\nretry: 10\n\n:\nid\n\n"),
        [
            Item::Comment(" keep-alive".to_owned()),
            control(Some("1"), None),
            control(None, Some(10)),
            Item::Comment(String::new()),
            control(Some(""), None),
        ]
    );
}

#[test]
fn the_last_id_stays_until_it_is_taken_back() {
    let ids = items("id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\ndata: d\n\n")
        .into_iter()
        .map(|item| match item {
            Item::Event(event) => (event.id.as_deref().map(str::to_owned), event.sets_id),
            other => panic!("{other:?}"),
        })
        .collect::<Vec<_>>();
    assert_eq!(
        ids,
        [
            (Some("1".to_owned()), true),
            (Some("1".to_owned()), false),
            (None, true),
            (None, false),
        ]
    );
}

#[test]
fn what_is_wrong_is_ignored_and_reported() {
    let found = items("id: a\0b\nretry: 1s\nretry: -1\nfoo: bar\nDATA: x\ndata: y\n\n");
    let Item::Event(event) = &found[0] else {
        panic!("{found:?}");
    };
    assert_eq!(
        (event.data.as_slice(), &event.id, event.retry),
        (&b"y"[..], &None, None)
    );
    assert_eq!(
        codes(&found[0]),
        [
            "sse-id-nul",
            "sse-bad-retry",
            "sse-bad-retry",
            "sse-unknown-field",
            "sse-unknown-field"
        ]
    );
}

#[test]
fn an_event_without_its_blank_line_is_none_but_reported() {
    for (text, data, line) in [
        ("data: a\n\ndata: b\n", "b", ""),
        ("data: a\n\ndata: b", "b", ""),
        ("data: a\n\nid: 7", "", "id: 7"),
        ("data: a\n\nid: 7\n", "", ""),
    ] {
        let (found, rest) = decode(Limits::default(), &[text.as_bytes()]);
        assert_eq!(found, [Item::Event(event("a"))], "{text:?}");
        assert_eq!(
            rest,
            Some(Incomplete {
                data: data.as_bytes().to_vec(),
                line: line.as_bytes().to_vec(),
            }),
            "{text:?}"
        );
    }
    assert_eq!(decode(Limits::default(), &[b"data: a\n\n"]).1, None);
    assert_eq!(decode(Limits::default(), &[b": a\n"]).1, None);
    assert_eq!(decode(Limits::default(), &[]).1, None);
}

#[test]
fn an_oversized_event_is_cut_and_still_tells_its_id() {
    let text = "data: {\"x\":\"yyyyyyyyyyyyyyyy\",\"id\":42}\n\ndata: next\n\n";
    let (found, _) = decode(SMALL, &[text.as_bytes()]);
    let Item::Event(cut) = &found[0] else {
        panic!("{found:?}");
    };
    assert_eq!(cut.data, b"{\"x\":\"");
    let rest = cut.cut.as_ref().unwrap();
    assert_eq!((rest.size, rest.message_id.as_deref()), (32, Some("42")));
    assert_eq!(codes(&found[0]), ["oversized"]);
    assert_eq!(found[1], Item::Event(event("next")));

    let longest = "y".repeat(20);
    let (found, _) = decode(SMALL, &[format!("data: {longest}\n\n").as_bytes()]);
    assert_eq!(
        found,
        [Item::Event(event(&longest))],
        "the limit itself is allowed"
    );
}

#[test]
fn a_field_without_end_takes_bounded_memory() {
    let mut decoder = Decoder::new(Limits::default());
    decoder.push(b"id: ");
    for _ in 0..100 {
        decoder.push(&[b'x'; 65_536]);
    }
    decoder.push(b"\n\n");
    match decoder.next_item() {
        Some(Item::Control(control)) => {
            assert!(control.id.unwrap().len() <= 65_536);
            assert_eq!(control.findings[0].id(), "sse-field-cut");
        }
        other => panic!("{other:?}"),
    }
}

/// Pieces of streams, so that random concatenations meet the interesting borders.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => Just(b"\n".to_vec()),
        3 => Just(b"\r".to_vec()),
        2 => Just(b"\r\n".to_vec()),
        4 => Just(b"data:".to_vec()),
        2 => Just(b"data: ".to_vec()),
        2 => Just(b"id:".to_vec()),
        1 => Just(b"event: ".to_vec()),
        1 => Just(b"retry: 5".to_vec()),
        2 => Just(b":".to_vec()),
        1 => Just(b" ".to_vec()),
        1 => Just(b"\xEF\xBB\xBF".to_vec()),
        1 => Just(b"\0".to_vec()),
        3 => prop::collection::vec(any::<u8>(), 0..30),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_chunking_gives_the_same_items(
        bytes in stream(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let mut cuts = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect::<Vec<_>>();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let chunks = cuts.windows(2).map(|at| &bytes[at[0]..at[1]]).collect::<Vec<_>>();
        let single = bytes.chunks(1).collect::<Vec<_>>();
        for limits in [Limits::default(), SMALL] {
            let whole = decode(limits, &[&bytes]);
            prop_assert_eq!(&decode(limits, &chunks), &whole);
            prop_assert_eq!(&decode(limits, &single), &whole);
        }
    }

    #[test]
    fn data_arrives_as_it_was_sent(
        lines in prop::collection::vec("[^\r\n]{0,40}", 1..6),
        end in prop_oneof![Just("\n"), Just("\r"), Just("\r\n")],
    ) {
        let mut stream = lines
            .iter()
            .map(|line| format!("data: {line}{end}"))
            .collect::<String>();
        stream.push_str(end);
        let found = items(&stream);
        prop_assert_eq!(found, [Item::Event(event(&lines.join("\n")))]);
    }
}
