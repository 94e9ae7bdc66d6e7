use super::*;
use crate::servers::{import, missing_inputs, secret_names};

fn named(name: &str, value: ConfigValue) -> NamedValue {
    NamedValue {
        name: name.to_owned(),
        value,
    }
}

fn plain(text: &str) -> ConfigValue {
    ConfigValue::Plain(text.to_owned())
}

fn stdio() -> ServerConfig {
    ServerConfig::new(
        "My files",
        Transport::Stdio {
            command: "npx".to_owned(),
            args: ["-y", "pkg", "--key", "${secret:key}"]
                .map(str::to_owned)
                .to_vec(),
            env: vec![
                named("TOKEN", ConfigValue::SECRET),
                named("REGION", plain("e\"u")),
                named("HOST", plain("${env:HOST}")),
            ],
            cwd: None,
        },
    )
}

fn http(kind: HttpKind) -> ServerConfig {
    let headers = vec![
        named("X-Api-Key", ConfigValue::SECRET),
        named("X-Region", plain("eu")),
        named("Authorization", plain("Bearer ${input:token}")),
    ];
    let transport = Transport::Http {
        url: "https://a.example/mcp".to_owned(),
        headers,
        kind,
        network: NetworkConfig::default(),
        auth: AuthConfig::default(),
    };
    ServerConfig::new("Web", transport)
}

fn facts(id: &str) -> &'static ClientFacts {
    CLIENTS.iter().find(|one| one.id == id).unwrap()
}

fn text(config: &ServerConfig, id: &str) -> String {
    export(config, None, facts(id)).text.unwrap()
}

/// An export to Sonde on another computer differs there by its secrets only, and can be exported again unchanged.
#[test]
fn what_is_portable_is_the_same_elsewhere() {
    let demo = |http| ServerConfig::new("Demo server", Transport::Demo { http });
    let mut set = http(HttpKind::Streamable);
    set.idle_seconds = Some(90);
    set.protocol = ProtocolMode::Stateless;
    let mut odd = stdio();
    if let Transport::Stdio { args, cwd, .. } = &mut odd.transport {
        args.extend(["", "a 'b\"", "{env:X}"].map(str::to_owned));
        *cwd = Some("/a b".to_owned());
    }
    for config in [
        demo(false),
        demo(true),
        stdio(),
        odd,
        http(HttpKind::Automatic),
        http(HttpKind::Sse),
        set,
    ] {
        let (written, notes) = portable(&config);
        let text = suite(&written);
        assert!(!text.contains("${secret:"), "{text}");
        let mut read = import::read(&text).unwrap();
        assert_eq!(read.problems, Vec::<String>::new(), "{text}");
        let found = read.servers.remove(0);
        assert_eq!(found.name, "S");
        let (found, asked) = (found.input, found.remarks);
        assert_eq!(found.secrets, [], "{text}");
        assert_eq!(asked.len(), notes.len(), "{asked:?} {notes:?}");
        let found = found.config;
        assert_eq!(portable(&found).0, written);
        assert_eq!(
            (&found.protocol, found.idle_seconds),
            (&config.protocol, config.idle_seconds)
        );
        match (config.transport, found.transport) {
            (Transport::Http { kind, .. }, Transport::Http { kind: read, .. }) => {
                assert_eq!(kind, read);
            }
            (Transport::Stdio { cwd, .. }, Transport::Stdio { cwd: read, .. }) => {
                assert_eq!(cwd, read);
            }
            (demo, read) => assert_eq!(demo, read),
        }
    }
    let mut limited = stdio();
    limited.hard_seconds = Some(900);
    assert!(portable(&limited).1[1].contains("longest duration"));
}

#[test]
fn a_link_has_all_of_a_server_but_its_secrets() {
    let mut config = stdio();
    if let Transport::Stdio { cwd, .. } = &mut config.transport {
        *cwd = Some("/a b".to_owned());
    }
    let link = link_of(&config).unwrap();
    let mut read = import::read(&link).unwrap();
    assert_eq!(read.problems, Vec::<String>::new(), "{link}");
    let found = read.servers.remove(0).input.config;
    assert_eq!(found.name, config.name);
    let Transport::Stdio { args, env, cwd, .. } = found.transport else {
        panic!("{link}")
    };
    assert_eq!(args, ["-y", "pkg", "--key", "${input:KEY}"]);
    assert_eq!(cwd.as_deref(), Some("/a b"));
    let expected = [
        named("TOKEN", plain("${input:TOKEN}")),
        named("REGION", plain("e\"u")),
        named("HOST", plain("${input:HOST}")),
    ];
    assert_eq!(env, expected);
}

/// A suite with this server, called `S`.
fn suite(server: &Value) -> String {
    json!({ "sonde": 1, "name": "T", "servers": { "S": server }, "steps": [] }).to_string()
}

/// Exports can be imported: with the same command or address, and with secrets asked for or marked for replacement.
#[test]
fn what_is_exported_is_read_again() {
    for config in [stdio(), http(HttpKind::Automatic), http(HttpKind::Sse)] {
        for facts in &CLIENTS {
            let exported = export(&config, None, facts);
            let Some(text) = exported.text else {
                assert_eq!(facts.client, Client::ClaudeDesktop);
                continue;
            };
            assert!(!text.contains("${secret:"), "{text}");
            let mut read = import::read(&text).unwrap();
            assert_eq!((read.servers.len(), read.problems.len()), (1, 0), "{text}");
            let found = read.servers.remove(0).input;
            assert_eq!(found.secrets, [], "{text}");
            assert!(secret_names(&found.config.transport).is_empty());
            match (&config.transport, &found.config.transport) {
                (
                    Transport::Stdio { env, args, .. },
                    Transport::Stdio {
                        command,
                        args: read,
                        env: given,
                        ..
                    },
                ) => {
                    assert_eq!(command, "npx", "{text}");
                    assert_eq!(args[..3], read[..3], "{text}");
                    assert_eq!(env.len(), given.len(), "{text}");
                    let region = given.iter().find(|one| one.name == "REGION").unwrap();
                    assert_eq!(region.value, plain("e\"u"));
                }
                (
                    Transport::Http { url, headers, .. },
                    Transport::Http {
                        url: read,
                        headers: given,
                        ..
                    },
                ) => {
                    assert_eq!(url, read);
                    assert_eq!(headers.len(), given.len(), "{text}");
                }
                _ => panic!("{text}"),
            }
            let first = exported.notes.first().unwrap();
            assert!(first.starts_with("Secrets are not part of it."), "{first}");
        }
    }
}

#[test]
fn every_client_has_what_it_replaces_itself() {
    let config = stdio();
    for (id, place) in [
        ("claude_desktop", "\"TOKEN\": \"<TOKEN>\""),
        ("claude_code", "\"TOKEN\": \"${TOKEN}\""),
        ("vs_code", "\"TOKEN\": \"${input:TOKEN}\""),
        ("cursor", "\"TOKEN\": \"${env:TOKEN}\""),
        ("codex", "env_vars = [\n    \"TOKEN\",\n    \"HOST\",\n]"),
        ("goose", "    env_keys: [\"TOKEN\",\"HOST\"]"),
        ("opencode", "\"TOKEN\": \"{env:TOKEN}\""),
        ("gemini_cli", "\"${KEY}\""),
    ] {
        let text = text(&config, id);
        assert!(text.contains(place), "{text}");
    }
    let vs_code: Value = serde_json::from_str(&text(&config, "vs_code")).unwrap();
    let ids: Vec<_> = vs_code["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["HOST", "KEY", "TOKEN"]);
    let codex = text(&http(HttpKind::Automatic), "codex");
    for line in [
        "[mcp_servers.web]",
        "bearer_token_env_var = \"TOKEN\"",
        "X-Api-Key = \"X_API_KEY\"",
        "X-Region = \"eu\"",
    ] {
        assert!(codex.contains(line), "{codex}");
    }
    let goose = text(&http(HttpKind::Automatic), "goose");
    for line in ["env_keys: [", "\"TOKEN\"", "${TOKEN}"] {
        assert!(goose.contains(line), "{goose}");
    }
    // It replaces nothing in arguments.
    let goose = export(&config, None, facts("goose"));
    assert!(goose.text.unwrap().contains("<KEY>"));
    assert!(
        goose.notes[0].contains("Replace what stands for `KEY`. Goose asks for `HOST`, `TOKEN`"),
        "{:?}",
        goose.notes
    );
    let web = text(&http(HttpKind::Automatic), "windsurf");
    assert!(web.contains("\"serverUrl\""), "{web}");
    let back = import::read(&text(&http(HttpKind::Automatic), "vs_code")).unwrap();
    let missing = missing_inputs(&back.servers[0].input.config.transport);
    assert_eq!(missing, ["${input:X_API_KEY}", "${input:TOKEN}"]);
}

#[test]
fn what_a_client_cannot_have_is_said() {
    let demo = ServerConfig::new("Demo", Transport::Demo { http: false });
    for facts in &CLIENTS {
        assert!(export(&demo, None, facts).text.is_none());
    }
    let desktop = facts("claude_desktop");
    assert!(export(&http(HttpKind::Sse), None, desktop).text.is_none());
}

/// Fields that an import kept are part of an export for clients with the same name of the server list, and of no other.
#[test]
fn what_only_another_client_knows_goes_back_to_it() {
    for (id, text) in [
        (
            "cline",
            r#"{"mcpServers": {"a": {"command": "x", "timeout": 60.50, "alwaysAllow": ["b"], "x": null}}}"#,
        ),
        (
            "codex",
            "[mcp_servers.a]\ncommand = \"x\"\nstartup_timeout_sec = 20\n[mcp_servers.a.tools.b]\nratio = 0.5\n",
        ),
        (
            "goose",
            "extensions:\n  a:\n    type: stdio\n    cmd: x\n    timeout: 300\n",
        ),
        (
            "opencode",
            r#"{"mcp": {"a": {"type": "local", "command": ["x"], "timeout": 5000}}}"#,
        ),
        (
            "vs_code",
            r#"{"servers": {"a": {"command": "x", "envFile": "{env:x}", "dev": {"watch": "*"}}}}"#,
        ),
        (
            "zed",
            r#"{"context_servers": {"a": {"command": "x", "settings": {"b": 1}}}}"#,
        ),
    ] {
        let read = |text: &str| import::read(text).unwrap().servers.remove(0);
        let found = read(text);
        let other = found.other_fields.unwrap();
        assert!(found.remarks.iter().any(|remark| remark.contains("kept")));
        let config = found.input.config;
        for facts in &CLIENTS {
            let again = read(&export(&config, Some(&other), facts).text.unwrap());
            let same = facts.container == other.container;
            assert_eq!(again.other_fields.is_some(), same, "{}", facts.id);
            if facts.id == id {
                assert_eq!(again.other_fields.unwrap().fields.len(), other.fields.len());
            }
        }
    }
    let number = r#"{"mcpServers": {"a": {"command": "x", "timeout": 60.50}}}"#;
    let found = import::read(number).unwrap().servers.remove(0);
    let exported = export(
        &found.input.config,
        found.other_fields.as_ref(),
        facts("cline"),
    );
    assert!(exported.text.unwrap().contains("\"timeout\": 60.50"));
}

/// Secrets in plain text: in a URL, among arguments, in a variable, in a header.
#[test]
fn no_export_has_what_import_takes_for_a_secret() {
    let mut web = http(HttpKind::Automatic);
    if let Transport::Http { url, headers, .. } = &mut web.transport {
        *url = "https://ghp_hush0123456789ab@a.example/s/hush0123456789abcdef0123456789ab/mcp?region=eu&api_key=hush-1#token=hush-2".to_owned();
        headers.push(named("X-Token", plain("hush-3")));
        headers.push(named("X-Back", plain("https://a.example/?sig=hush-4")));
    }
    let mut files = stdio();
    if let Transport::Stdio { args, env, .. } = &mut files.transport {
        args.extend(
            [
                "--token",
                "hush-5",
                "--db",
                "postgresql://me:hush-6@db/x",
                "--url=https://a.example/?key=hush-7",
            ]
            .map(str::to_owned),
        );
        env.push(named("API_KEY", plain("hush-8")));
    }
    for config in [web, files] {
        for facts in &CLIENTS {
            let exported = export(&config, None, facts);
            let Some(text) = exported.text else { continue };
            assert!(!text.contains("hush"), "{text}");
            assert!(
                exported.notes[0].contains("Left out of a URL: "),
                "{:?}",
                exported.notes
            );
        }
        let (written, notes) = portable(&config);
        let text = suite(&written);
        assert!(
            !text.contains("hush") && notes[0].contains("`API_KEY`"),
            "{text} {notes:?}"
        );
        // It asks for them there, and goes on as it came.
        let found = import::read(&text).unwrap().servers.remove(0);
        assert_eq!(found.input.secrets, []);
        assert!(
            found.remarks[0].contains("`${input:API_KEY}`"),
            "{:?}",
            found.remarks
        );
        assert_eq!(portable(&found.input.config).0, written);
    }
}
