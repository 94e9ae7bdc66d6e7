use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{LIGHTHOUSE, ORDERS, rows};
use crate::{edit::SuiteText, format::Suite, node::Node};

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => panic!("{other}"),
    }
}

fn steps(text: &str) -> Vec<String> {
    let node = Node::read(text).unwrap();
    let steps = node.items_of("steps").iter();
    steps.map(Node::json_text).collect()
}

const SMALL: &str = "\
# Ours.
sonde: 1
steps:   # in order
  # The first.
  - name: one   # quick
    ping: true

  # The second.
  - call: two
    with: { a: 1.0 }   # digits
    expect:
      text: x

# The end.
";

fn edited(change: impl FnOnce(&mut SuiteText)) -> String {
    let mut text = SuiteText::new("a", SMALL).unwrap();
    change(&mut text);
    text.text().to_owned()
}

#[test]
fn one_value_is_set_and_the_rest_stays() {
    // The path, the value, the text that it replaces, and the new text.
    let values = r#"
        expect > text | { "contains": "z" } | text: x | text: { contains: z }
        expect > error | true | text: x\n | text: x\n      error: true\n
        expect > at > /a b | "1" | text: x\n | text: x\n      at: { /a b: "1" }\n
        with > a | "no" | { a: 1.0 } | { a: "no" }
        with > b | [null, {}] | { a: 1.0 } | { a: 1.0, b: [null, {}] }
        retry | { "times": 2 } | text: x\n | text: x\n    retry: { times: 2 }\n
        expect | { "error": false } | expect:\n      text: x | expect: { error: false }
        call | "three" | call: two | call: three
    "#;
    for [path, value, from, to] in rows(values) {
        let keys: Vec<_> = path.split(" > ").collect();
        let value: Value = serde_json::from_str(value).unwrap();
        let [from, to] = [from, to].map(|text| text.replace("\\n", "\n"));
        let text = edited(|text| text.set(1, &keys, Some(&value)).unwrap());
        assert_eq!(text, SMALL.replace(&from, &to), "{path}");
    }
    let name = edited(|text| text.set(0, &["name"], Some(&json!("1: one"))).unwrap());
    assert_eq!(name, SMALL.replace("name: one ", "name: \"1: one\" "));
}

#[test]
fn values_are_removed() {
    let remove = |index, path: &[&str]| edited(|text| text.set(index, path, None).unwrap());
    let without = |text: &str| SMALL.replace(text, "");
    assert_eq!(
        remove(1, &["with"]),
        without("    with: { a: 1.0 }   # digits\n")
    );
    assert_eq!(
        remove(1, &["expect"]),
        without("    expect:\n      text: x\n")
    );
    assert_eq!(remove(0, &["name"]), without("name: one   # quick\n    "));
    assert_eq!(remove(1, &["gone", "deeper"]), SMALL);
    let mut text = SuiteText::new("a", SMALL).unwrap();
    assert!(text.set(1, &["call"], None).is_err());
    assert!(text.set(5, &["call"], None).is_err());
    assert_eq!(text.text(), SMALL);
}

#[test]
fn steps_are_added_and_removed() {
    let step = object(json!({
        "name": "three",
        "call": "c",
        "with-json": "{\"n\": 1e400}\n",
    }));
    let appended = edited(|text| text.append(&step).unwrap());
    let new = "  - name: three\n    call: c\n    with-json: \"{\\\"n\\\": 1e400}\\n\"\n";
    let last = "text: x\n";
    assert_eq!(appended, SMALL.replace(last, &format!("{last}{new}")));
    let first = "  - name: one   # quick\n    ping: true\n";
    let removed = edited(|text| text.remove(0).unwrap());
    assert_eq!(removed, SMALL.replace(first, ""));
    let without_end = edited(|text| {
        text.remove(0).unwrap();
        text.remove(0).unwrap();
    });
    assert!(steps(&without_end).is_empty());
    let mut again = SuiteText::new("a", without_end).unwrap();
    again.append(&step).unwrap();
    assert_eq!(steps(again.text()).len(), 1);
    for (before, after) in [
        ("sonde: 1\nsteps: []", "sonde: 1\nsteps:\n  - ping: true"),
        (
            "sonde: 1\nsteps: []\nname: a\n",
            "sonde: 1\nsteps:\n  - ping: true\nname: a\n",
        ),
        (
            "sonde: 1\nsteps:\n- ping: true",
            "sonde: 1\nsteps:\n- ping: true\n- ping: true",
        ),
        (
            "sonde: 1\nsteps:\n- with-json: |\n    {}\n\n  call: a\n\n\n# c\n",
            "sonde: 1\nsteps:\n- with-json: |\n    {}\n\n  call: a\n- ping: true\n\n\n# c\n",
        ),
    ] {
        let mut text = SuiteText::new("a", before).unwrap();
        text.append(&object(json!({ "ping": true }))).unwrap();
        assert_eq!(text.text(), after);
    }
    let mut flow = SuiteText::new("a", "sonde: 1\nsteps: [{ ping: true }]\n").unwrap();
    let refused = flow.append(&step).unwrap_err().to_string();
    assert!(refused.contains("written in brackets"), "{refused}");
}

#[test]
fn long_values_go_on_lines_of_their_own() {
    let step = object(json!({
        "name": "long",
        "call": "c",
        "with": { "customer": "C-1042", "note": "first\n\n  second\n", "lines": [{ "sku": "A-1", "qty": 2, "of": "a warehouse far away from everything else" }, { "sku": "B-2", "qty": 1, "of": "the one around the corner, by the station" }] },
        "expect": { "text": { "contains": "created" } },
    }));
    let mut text = SuiteText::new("a", "sonde: 1\nsteps: []\n").unwrap();
    text.append(&step).unwrap();
    assert_eq!(
        text.text(),
        "sonde: 1
steps:
  - name: long
    call: c
    with:
      customer: C-1042
      note: |
        first

          second
      lines:
        - sku: A-1
          qty: 2
          of: a warehouse far away from everything else
        - sku: B-2
          qty: 1
          of: \"the one around the corner, by the station\"
    expect: { text: { contains: created } }
"
    );
    assert_eq!(steps(text.text()), [Value::Object(step).to_string()]);
}

#[test]
fn a_removed_step_is_put_back_by_its_lines() {
    let mut text = SuiteText::new("a", SMALL).unwrap();
    let lines = text.step(1).unwrap().to_owned();
    assert!(lines.starts_with("  - call: two\n") && lines.ends_with("text: x\n"));
    text.remove(1).unwrap();
    text.insert(1, &lines).unwrap();
    assert_eq!(steps(text.text()), steps(SMALL));
    text.remove(1).unwrap();
    text.remove(0).unwrap();
    text.insert(9, &lines).unwrap();
    assert_eq!(steps(text.text()), steps(SMALL)[1..]);
    assert!(text.text().contains("# digits"));
    // Another indentation, the first place, and no line break at the end.
    let mut other = SuiteText::new("b", "sonde: 1\nsteps:\n- ping: true").unwrap();
    other.insert(0, &lines).unwrap();
    other.insert(2, &lines).unwrap();
    let first = other.step(0).unwrap();
    assert!(first.starts_with("- call: two\n  with"), "{first}");
    assert_eq!(steps(other.text()).len(), 3);
    assert_eq!(steps(other.text())[2], steps(SMALL)[1]);
}

#[test]
fn a_step_moves_with_its_comment_and_the_rest_stays() {
    let suite = "sonde: 1\nsteps:\n  # A.\n  - name: a\n    ping: true\n\n  # B.\n  # Both lines.\n  - name: b # x\n    ping: true\n  - name: c\n    ping: true";
    let moved = |from, to| {
        let mut text = SuiteText::new("a", suite).unwrap();
        text.shift(from, to).unwrap();
        text.text().to_owned()
    };
    let b = "  # B.\n  # Both lines.\n  - name: b # x\n    ping: true\n";
    let a = "  # A.\n  - name: a\n    ping: true\n";
    let c = "  - name: c\n    ping: true\n";
    let head = "sonde: 1\nsteps:\n";
    assert_eq!(moved(1, 0), format!("{head}{b}{a}\n{}", c.trim_end()));
    assert_eq!(moved(0, 1), format!("{head}\n{b}{a}{}", c.trim_end()));
    assert_eq!(moved(1, 9), format!("{head}{a}\n{c}{b}"));
    assert_eq!(moved(2, 0), format!("{head}{c}{a}\n{b}"));
    assert_eq!(moved(1, 1), suite);
    assert!(SuiteText::new("a", suite).unwrap().shift(3, 0).is_err());
}

#[test]
fn values_are_added_to_lists() {
    for (before, after) in [
        ("{ SAME }", "{ SAME, ignore: [/new] }"),
        ("{ SAME, ignore: [/a] }", "{ SAME, ignore: [/a, /new] }"),
        (
            "\n      SAME\n      ignore: [] # none",
            "\n      SAME\n      ignore: [/new] # none",
        ),
        (
            "\n      SAME\n      ignore:\n      - /a # why\n      # end",
            "\n      SAME\n      ignore:\n      - /a # why\n      - /new\n      # end",
        ),
    ] {
        let suite = |expect: &str| {
            let expect = expect.replace("SAME", "result: { snapshot: b }");
            format!("sonde: 1\nsteps:\n  - call: a\n    expect: {expect}\n  - ping: true\n")
        };
        let mut text = SuiteText::new("a", suite(before)).unwrap();
        text.push(0, &["expect", "ignore"], &json!("/new")).unwrap();
        assert_eq!(text.text(), suite(after));
    }
}

#[test]
fn a_list_of_a_verifying_step_grows() {
    let suite = |more: &str| {
        format!(
            "sonde: 1\nsteps:\n  - call: a\n    verify:\n      - ping: true\n      - read: b{more}\n"
        )
    };
    let same = "\n        expect: { result: { snapshot: b }";
    let mut text = SuiteText::new("a", suite(&format!("{same} }}"))).unwrap();
    let path = ["verify", "1", "expect", "ignore"];
    text.push(0, &path, &json!("/one")).unwrap();
    let one = &format!("{same}, ignore: [/one] }}");
    assert_eq!(text.text(), suite(one));
    text.push(0, &path, &json!("/two")).unwrap();
    assert_eq!(text.text(), suite(&one.replace("/one", "/one, /two")));
    let none = text.push(0, &["verify", "2", "expect", "ignore"], &json!("/one"));
    assert!(none.is_err());
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{0,6}",
        "[ -~\n\t]{0,12}",
        any::<String>(),
        Just("no".to_owned()),
        Just("a: b # c".to_owned())
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((any_text(), inner), 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn bytes_outside_of_the_changed_step_stay(
        index in 0_usize..14,
        members in prop::collection::vec((any_text(), any_value()), 0..3),
        kind in 0..3,
    ) {
        let mut text = SuiteText::new("a", ORDERS).unwrap();
        let with = Value::Object(members.into_iter().collect());
        let step = object(json!({ "name": "new", "call": "c", "with": with }));
        let is_call = steps(ORDERS)[index].contains("\"call\"") && !steps(ORDERS)[index].contains("with-json");
        let (kept_before, kept_after) = match kind {
            0 => { text.remove(index).unwrap(); (index, index + 1) }
            1 if is_call => { text.set(index, &["with"], Some(&with)).unwrap(); (index, index + 1) }
            _ => { text.append(&step).unwrap(); (14, 14) }
        };
        let dashes: Vec<usize> = ORDERS.match_indices("\n  - ").map(|(at, _)| at + 1)
            .skip(ORDERS[..ORDERS.find("\nsteps:").unwrap()].matches("\n  - ").count()).collect();
        let start = dashes.get(kept_before).copied().unwrap_or(ORDERS.len());
        let end = dashes.get(kept_after).copied().unwrap_or(ORDERS.len());
        // Comments and empty lines after the last line of the step stay with the file.
        prop_assert!(text.text().starts_with(&ORDERS[..start]));
        prop_assert!(text.text().ends_with(&ORDERS[end..]));
        Suite::read("a", text.text()).unwrap();
        let expected = Value::Object(step).to_string();
        if kind == 2 {
            let last = steps(text.text()).pop();
            prop_assert_eq!(last, Some(expected));
        }
    }
}

#[test]
fn every_step_of_an_example_can_be_removed_and_written_again() {
    for example in [ORDERS, LIGHTHOUSE] {
        let all = steps(example);
        for (index, step) in all.iter().enumerate() {
            let mut text = SuiteText::new("a", example).unwrap();
            let step: Map<String, Value> = serde_json::from_str(step).unwrap();
            text.remove(index).unwrap();
            text.append(&step).unwrap();
            text.shift(all.len() - 1, index).unwrap();
            assert_eq!(steps(text.text()), all);
        }
    }
}
