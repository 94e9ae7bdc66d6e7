use std::{path::Path, sync::Arc};

use serde_json::json;
use sonde_client::config::{ConfigValue, ProtocolMode, Transport};

use super::{LIGHTHOUSE, ORDERS, SERVERS, broken};
use crate::{
    format::{CancelAfter, Client, ServerRef, Suite, Verb, Within},
    node::Node,
    number::Decimal,
    predicate::Test,
    problem::{Span, Spanned},
    scalars::{Range, duration},
    servers::{Restart, Server, Servers},
    variables::Variables,
};

fn variables() -> Variables {
    let env = |name: &str| (name == "SHOP_URL").then(|| "https://shop.example".to_owned());
    Variables::new(Arc::new(env))
}

#[test]
fn the_examples_are_read() {
    let suite = Suite::read("checks/orders.sonde.yaml", ORDERS).unwrap();
    assert_eq!((suite.stem(), suite.steps.len()), ("orders", 14));
    assert!(matches!(&suite.server, Some(ServerRef::Named(name)) if name.value == "shop"));
    assert_eq!(suite.matrix.revisions, ["2025-11-25", "2026-07-28"]);
    let create = &suite.steps[1];
    assert_eq!(create.title(), "create an order");
    assert_eq!(create.answers.len(), 3);
    assert_eq!(create.captures[1].within, Some(Within::Result));
    let as_typed = &suite.steps[4 + 1];
    let arguments = as_typed.arguments.as_ref().unwrap();
    assert_eq!(arguments.value, r#"{"id": 9007199254740993, "id": 1e400}"#);
    assert_eq!(suite.steps[6].cancel, Some(CancelAfter::Progress(1)));
    let lost = &suite.steps[8];
    assert!(lost.lost && lost.verify.len() == 1 && lost.group.as_deref() == Some("effects"));
    assert_eq!(
        suite.steps[9].skip.as_deref(),
        Some("waits for the new archive")
    );
    assert!(suite.steps[11].decline_others);
    assert_eq!(suite.steps[12].verb, Verb::Ping);
    let Verb::Complete(params) = &suite.steps[10].verb else {
        panic!()
    };
    assert!(params.contains(r#""_meta":{"a":1}"#), "{params}");
    Suite::read("lighthouse.sonde.yaml", LIGHTHOUSE).unwrap();
}

#[test]
fn each_fault_has_its_place_and_words() {
    for (text, place, words) in broken() {
        let problems = Suite::read("a.sonde.yaml", &text).expect_err(&text);
        let first = &problems.list[0];
        let found = format!("{}:{}", first.span.line, first.span.column);
        assert_eq!(found, place, "{text}\n{problems}");
        assert!(first.message.contains(words), "{text}\n{problems}");
    }
}

#[test]
fn problems_name_file_line_and_column() {
    let problems = Suite::read("a.sonde.yaml", "sonde: 1\nstepps: []\n").unwrap_err();
    let text = problems.to_string();
    for words in [
        "a.sonde.yaml:1:1: `steps` is missing",
        "\na.sonde.yaml:2:1: `stepps` is not a key of a suite; did you mean `steps`?",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn values_keep_their_digits_and_their_order() {
    let node = Node::read(
        "{ z: 1.10, a: [9007199254740993, -0, 1e400], n: ~, s: no, d: 2025-11-25, q: \"1\" }",
    )
    .unwrap();
    let text =
        r#"{"z":1.10,"a":[9007199254740993,-0,1e400],"n":null,"s":"no","d":"2025-11-25","q":"1"}"#;
    assert_eq!(node.json_text(), text);
    // A parsed number has a sign in its exponent, and all its digits.
    let parsed = Node::of_json(&node.json(), Span::default()).json_text();
    assert_eq!(parsed, text.replace("1e400", "1e+400"));
    for number in [
        "+1", "01", ".5", "1.", "0x1F", "0o17", ".inf", "-.inf", ".nan",
    ] {
        assert!(Node::read(number).is_err(), "{number}");
    }
    for text in ["1_000", "1.2.3", "0xg", "e5", "1e", "0b1"] {
        assert_eq!(Node::read(text).unwrap().text(), Some(text));
    }
}

#[test]
fn files_are_bounded() {
    let deep = "[".repeat(65) + &"]".repeat(65);
    assert!(Node::read(&deep).unwrap_err().message.contains("64 deep"));
    let long = " ".repeat(4 * 1024 * 1024 + 1);
    assert!(Node::read(&long).unwrap_err().message.contains("4 MiB"));
    let steps = "sonde: 1\nsteps:\n".to_owned() + &"- ping: true\n".repeat(10_001);
    let refused = Suite::read("a", &steps).unwrap_err().to_string();
    assert!(refused.contains("at most 10000 steps"), "{refused}");
}

#[test]
fn numbers_are_compared_by_digits() {
    let number = |text| Decimal::parse(text).unwrap();
    for pair in ["1 1.0", "100 1e2", "-0 0", "0.10 1E-1", "12e-1 1.2"] {
        let (one, other) = pair.split_once(' ').unwrap();
        assert_eq!(number(one), number(other), "{pair}");
    }
    let row = "-10 -9.99 -1e-3 0 1e-400 0.1 9007199254740992 9007199254740993 1e400 1.1e400";
    let sorted: Vec<_> = row.split(' ').map(number).collect();
    assert!(sorted.is_sorted_by(|one, next| one < next));
    for text in ["", "-", "x", "1x", "1e", ".5", "1e99999999999999999999"] {
        assert!(Decimal::parse(text).is_none(), "{text}");
    }
    assert!(Range::parse("5..1").is_err() && Range::parse("1..1").is_ok());
    assert!(number("1.0").is_whole() && number("1e3").is_whole() && !number("1.5").is_whole());
    assert_eq!(duration("1.5s").unwrap().as_millis(), 1_500);
    assert!(duration("2").is_err() && duration("2 days").is_err() && duration("-1s").is_err());
}

#[test]
fn variables_are_replaced() {
    let mut variables = variables();
    variables
        .add_vars(&[("big".to_owned(), Node::read("9007199254740993").unwrap())])
        .unwrap();
    variables.set("order", json!({ "id": "ord_1" }));
    variables.set("name", json!("A\"b"));
    let resolved = |text: &str| {
        variables
            .resolve(&Node::read(text).unwrap())
            .map(|node| node.json_text())
    };
    for (text, expected) in [
        ("\"${vars.big}\"", "9007199254740993"),
        ("'n ${vars.big}'", "\"n 9007199254740993\""),
        ("'${order}'", r#"{"id":"ord_1"}"#),
        ("'is ${order}'", r#""is {\"id\":\"ord_1\"}""#),
        (
            "{ '${name}': '${env.SHOP_URL}/x' }",
            r#"{"A\"b":"https://shop.example/x"}"#,
        ),
        ("'$${x} and $$${name}'", "\"${x} and $${name}\""),
        ("'$5'", "\"$5\""),
    ] {
        assert_eq!(resolved(text).as_deref(), Ok(expected), "{text}");
    }
    let uuid = resolved("'${uuid}'").unwrap();
    assert_ne!(uuid, resolved("'${uuid}'").unwrap());
    assert_eq!(uuid.len(), 38);
    assert!(resolved("'${now}'").unwrap().ends_with("Z\""));
    for (text, words) in [
        ("'${x}'", "`x` is not set"),
        ("a: '${vars.y}'", "Add it to `vars`"),
        ("'${env.NOPE}'", "Set it in the environment"),
        ("'${secrets.T}'", "Add it to `secrets`"),
        ("'${name'", "`}` is missing"),
    ] {
        let problems = resolved(text).unwrap_err();
        assert!(problems[0].message.contains(words), "{problems:?}");
    }
}

#[test]
fn secrets_are_named_and_masked() {
    let mut variables = variables();
    let name = |value: &str| Spanned {
        value: value.to_owned(),
        span: Span::default(),
    };
    let lookup: crate::variables::Lookup =
        Arc::new(|name| (name == "TOKEN").then(|| "s3cr\"et".to_owned()));
    variables
        .add_secrets(&[name("TOKEN"), name("SHOP_URL")], &lookup)
        .unwrap();
    assert_eq!(
        variables.text("a ${secrets.TOKEN} ${env.TOKEN}").unwrap(),
        "a s3cr\"et s3cr\"et"
    );
    assert_eq!(
        variables.mask("is s3cr\"et or \"s3cr\\\"et\""),
        "is ‹secret TOKEN› or \"‹secret TOKEN›\""
    );
    assert_eq!(variables.mask("is s3cr\"…"), "is ‹secret TOKEN›…");
    assert_eq!(variables.mask("is s3c…"), "is s3c…");
    let missing = variables.add_secrets(&[name("GONE")], &lookup).unwrap_err();
    let why = &missing[0].message;
    assert!(why.contains("neither in the environment nor in the keyring"));
}

#[test]
fn variables_that_double_end_at_a_limit() {
    // As texts, and as values.
    for twice in ["'BEFOREBEFORE'", "['BEFORE', 'BEFORE']"] {
        let doubled = (1..60).map(|at| {
            let before = format!("${{vars.v{}}}", at - 1);
            format!("  v{at}: {}\n", twice.replace("BEFORE", &before))
        });
        let doubled: String = doubled.collect();
        let text = format!("sonde: 1\nvars:\n  v0: xxxxxxxx\n{doubled}steps: []\n");
        let suite = Suite::read("a.sonde.yaml", &text).unwrap();
        let problems = variables().add_vars(&suite.vars).unwrap_err();
        let why = &problems[0].message;
        assert!(why.contains("would be too large"), "{why}");
    }
}

#[test]
fn a_step_has_its_variables_replaced() {
    let step = "vars: { id: 'a${vars.n}', own: 1 }\ncall: get\nwith: { id: '${id}', own: '${vars.own}', port: '${vars.port}' }\n\
                expect: { content: { count: '${vars.n}' }, at: { '/${id}': '> ${vars.n}' } }\n\
                verify: [{ call: '${later}' }]\n";
    let suite = format!(
        "sonde: 1\nvars: {{ n: 2, own: 2, port: 2 }}\nsteps:\n  - {}\n",
        step.trim().replace('\n', "\n    ")
    );
    let suite = Suite::read("a", &suite).unwrap();
    let mut variables = variables();
    variables.add_vars(&suite.vars).unwrap();
    variables.set("port", json!("8123"));
    let step = variables.step(&suite.steps[0]).unwrap().into_owned();
    let arguments = step.arguments.unwrap().value;
    assert_eq!(arguments, r#"{"id":"a2","own":1,"port":2}"#);
    let count = step.expect.content.unwrap().count.unwrap();
    assert_eq!(count.value.to_string(), "2");
    assert_eq!(step.expect.at[0].path.to_string(), "/a2");
    assert!(variables.step(&suite.steps[0].verify[0]).is_err());
    // A server that says a condition is judged by it as little as by any value.
    for (value, expected) in [
        (json!({ "type": "string" }), json!({ "type": "string" })),
        (json!({ "id": 5 }), json!({ "id": 5 })),
        (json!(5), json!(5)),
        (json!("> 3"), json!("> 3")),
    ] {
        let text = "sonde: 1\nsteps: [{ call: get, expect: { text: '${said}', result: '${said}', at: { /a: '${said}' } } }]\n";
        let suite = Suite::read("a", text).unwrap();
        variables.set("said", value);
        let step = variables.step(&suite.steps[0]).unwrap().into_owned();
        let text = step.expect.text.unwrap();
        let result = step.expect.result.unwrap();
        for predicate in [&text, &result, &step.expect.at[0].predicate] {
            assert_eq!(predicate.tests[0].1, Test::Equals(expected.clone()));
        }
    }
    variables.set("later", json!(5));
    let problems = variables.step(&suite.steps[0].verify[0]).unwrap_err();
    let why = &problems[0].message;
    assert!(why.contains("Expected a text, found the number 5"), "{why}");
}

#[test]
fn servers_are_configured() {
    let servers = Servers::read("sonde.servers.yaml", SERVERS).unwrap();
    assert_eq!(servers.names(), ["shop"]);
    let mut variables = variables();
    variables.set("port", json!("8123"));
    let shop = servers.find("shop", None, &mut variables).unwrap();
    let staging = servers
        .find("shop", Some("staging"), &mut variables)
        .unwrap();
    assert_eq!(
        (shop.transports(), shop.restart),
        (vec!["stdio", "http"], Restart::File)
    );
    let client = Client {
        revision: Some("legacy".to_owned()),
        ..Client::default()
    };
    let plan = |server: &Server, transport| {
        server.plan("shop", transport, &client, Path::new("/checks"), &variables)
    };
    let stdio = plan(&shop, None).unwrap();
    assert_eq!(stdio.config.protocol, ProtocolMode::Handshake);
    let Transport::Stdio {
        command, args, cwd, ..
    } = stdio.config.transport
    else {
        panic!()
    };
    assert_eq!(
        (command.as_str(), args, cwd.as_deref()),
        (
            "uv",
            vec!["run".to_owned(), "shop_server.py".to_owned()],
            Some("/checks/..")
        )
    );
    let http = plan(&shop, Some("http")).unwrap();
    assert_eq!(http.config.transport.peer().0, "http://127.0.0.1:8123/mcp");
    assert_eq!(
        http.start.unwrap().args,
        ["run", "shop_server.py", "--http", "8123"]
    );
    assert_eq!(plan(&staging, Some("http")).unwrap().start, None);
    assert_eq!(servers.vars(Some("staging")).unwrap().len(), 1);
    for (name, environment, words) in [
        ("shp", None, "did you mean `shop`?"),
        ("shop", Some("stging"), "did you mean `staging`?"),
    ] {
        let problems = servers.find(name, environment, &mut variables).unwrap_err();
        assert!(problems[0].message.contains(words), "{problems:?}");
        assert_eq!(problems[0].file.as_deref(), Some("sonde.servers.yaml"));
    }
    let text = "sonde-servers: 1\nservers: { a: { stdio: { args: [] } } }\n";
    let broken = Servers::read("a", text).unwrap_err().to_string();
    assert!(broken.contains("a:2:24: `command` is missing"), "{broken}");
}

#[test]
fn a_secret_of_a_server_goes_to_the_keyring() {
    let mut variables = variables();
    let token = Spanned {
        value: "TOKEN".to_owned(),
        span: Span::default(),
    };
    variables
        .add_secrets(
            &[token],
            &(Arc::new(|_: &str| Some("hush-hush".to_owned())) as _),
        )
        .unwrap();
    let node = Node::read(
        "{ url: 'https://a', headers: { Authorization: 'Bearer ${secrets.TOKEN}', X: y } }",
    )
    .unwrap();
    let server = Server::read(&node, &mut variables).unwrap();
    let plan = server
        .plan("a", None, &Client::default(), Path::new("."), &variables)
        .unwrap();
    let Transport::Http { headers, .. } = plan.config.transport else {
        panic!()
    };
    assert_eq!(headers[0].value, ConfigValue::SECRET);
    assert_eq!(headers[1].value, ConfigValue::Plain("y".to_owned()));
    assert_eq!(plan.secrets.len(), 1);
    assert_eq!(plan.secrets[0].1, "Bearer hush-hush");
    let node = Node::read("{ command: 'node s.js --token=${secrets.TOKEN}' }").unwrap();
    let server = Server::read(&node, &mut variables).unwrap();
    let plan = server
        .plan("a", None, &Client::default(), Path::new("."), &variables)
        .unwrap();
    let Transport::Stdio { args, .. } = plan.config.transport else {
        panic!()
    };
    assert_eq!(args, ["s.js", "${secret:argument-1}"]);
    let secret = ("arg:argument-1", "--token=hush-hush");
    assert_eq!(plan.secrets, [(secret.0.to_owned(), secret.1.to_owned())]);
    let values = "the HOST, the PATH, the LAMP, the API_KEY, test is the latest, the https://u?key";
    for (node, masked) in [
        (
            "{ url: 'https://${env.HOST}/${env.PATH}', headers: { X: '${env.HOST} ${env.LAMP}' } }",
            values.replace("the LAMP", "‹secret LAMP›"),
        ),
        (
            "{ url: 'https://${env.LAMP}@${env.HOST}/${env.API_KEY}?page=${env.PATH}' }",
            values
                .replace("the LAMP", "‹secret LAMP›")
                .replace("the PATH", "‹secret PATH›")
                .replace("the API_KEY", "‹secret API_KEY›"),
        ),
        (
            "{ url: '${env.URL}' }",
            values.replace("the https://u?key", "‹secret URL›"),
        ),
        (
            "{ command: a, args: ['${env.PATH}/x', '${env.HOST}', '--token', '${env.LAMP}', '${env.API_KEY}'] }",
            values
                .replace("the LAMP", "‹secret LAMP›")
                .replace("the API_KEY", "‹secret API_KEY›"),
        ),
        (
            "{ command: a, args: ['--token=${env.LAMP}'], env: { MODE: '${env.NODE_ENV}', TOKEN: '${env.NODE_ENV}', USER: '${env.HOST}', PASSWORD: '${env.PATH}' } }",
            values
                .replace("the LAMP", "‹secret LAMP›")
                .replace("the PATH", "‹secret PATH›"),
        ),
    ] {
        let mut variables = Variables::new(Arc::new(|name: &str| {
            Some(match name {
                "NODE_ENV" => "test".to_owned(),
                "URL" => "the https://u?key".to_owned(),
                name => format!("the {name}"),
            })
        }));
        Server::read(&Node::read(node).unwrap(), &mut variables).unwrap();
        assert_eq!(variables.mask(values), masked, "{node}");
        assert!(variables.text("${secrets.LAMP}").is_err(), "{node}");
    }
}
