import type {
  Chosen,
  ExportedServer,
  ImportCandidate,
  ImportPreview,
  InstalledConfiguration,
  PreparedValue,
  PresentationPreview,
  ServerConfig,
  StepPreview,
} from "../bindings";
import { address, plainDraft } from "../drafts";
import { fail } from "./fail";
import type { Handlers } from "./handlers";
import type { World } from "./world";

/** Commands that import servers from texts and other clients, and export them. */
export function importing(world: World) {
  const add = ({ candidates }: ImportPreview, chosen: readonly Chosen[]) =>
    chosenDrafts(candidates, chosen).map(({ draft }) => world.announce(world.addServer(draft)));
  return {
    preview_import: ({ text }) => previewImport(world, text),
    import_servers: ({ text, chosen }) => add(previewImport(world, text), chosen),
    installed_configurations: () =>
      installed.map(({ client, path, text, problem }): InstalledConfiguration => ({
        client,
        path,
        fingerprint: path,
        preview: text === null ? null : previewImport(world, text),
        problem,
      })),
    import_installed: ({ path, chosen }) => {
      const text = installed.find((file) => file.path === path)?.text;
      return add(previewImport(world, text ?? fail("invalid_input", "The file has changed.")), chosen);
    },
    take_offer: () => {
      const offer = world.offers.shift();
      world.channel.send({ type: "offer", data: world.offers.length > 0 });
      return offer ?? null;
    },
    export_server: ({ server }) => exported(world.server(server).view.config),
    save_export: ({ server, client }) => {
      const { config } = world.server(server).view;
      const name = exported(config).find((one) => one.client === client)?.name ?? client;
      return `/home/ada/Downloads/${config.name} - ${name}.json`;
    },
  } satisfies Partial<Handlers>;
}

/** Returns the chosen servers of a text in order, each with its name in the text. */
export function chosenDrafts(
  candidates: readonly ImportCandidate[],
  chosen: readonly Chosen[],
): { key: string; draft: ServerConfig }[] {
  return candidates.flatMap(({ config }, place) => {
    const one = chosen.find(({ index }) => index === place);
    if (!one) return [];
    return [{ key: config.name, draft: { ...config, name: one.name ?? config.name } }];
  });
}

/** Files of other clients on the simulated computer. */
const installed: readonly { client: string; path: string; text: string | null; problem: string | null }[] = [
  {
    client: "Claude Desktop",
    path: "/home/ada/.config/Claude/claude_desktop_config.json",
    text: JSON.stringify({
      mcpServers: {
        notes: { command: "npx", args: ["-y", "@scope/notes", "/home/ada/notes"], env: { NOTES_TOKEN: "secret" } },
        calendar: { command: "uvx", args: ["calendar-server"], disabled: true },
      },
    }),
    problem: null,
  },
  {
    client: "Cursor",
    path: "/home/ada/.cursor/mcp.json",
    text: JSON.stringify({ mcpServers: { tickets: { url: "https://mcp.example.com/v1/mcp" }, odd: {} } }),
    problem: null,
  },
  {
    client: "Codex",
    path: "/home/ada/.codex/config.toml",
    text: null,
    problem: "The file is a symbolic link, which is not followed. Open or drop the file that it leads to.",
  },
];

function exported({ name, transport }: ServerConfig): ExportedServer[] {
  const server =
    transport.type === "stdio"
      ? { command: transport.command, args: transport.args }
      : { url: transport.type === "http" ? transport.url : "" };
  const text = JSON.stringify({ mcpServers: { [name]: server } }, null, 2);
  const secret = "Secrets are not part of it. Claude Code takes `API_KEY` from its environment.";
  const desktop = "The file of Claude Desktop has commands only. Add the URL as a connector in its settings.";
  const isRemote = transport.type !== "stdio";
  return [
    {
      client: "claude_desktop",
      name: "Claude Desktop",
      text: isRemote ? null : text,
      problem: isRemote ? desktop : null,
      notes: [],
    },
    { client: "claude_code", name: "Claude Code", text, problem: null, notes: isRemote ? [] : [secret] },
  ];
}

interface ImportEntry {
  readonly demo?: string;
  readonly url?: string;
  readonly command?: string;
  readonly args?: string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
}

/** The part of a suite that a presentation shows. */
interface SuiteFile {
  readonly sonde: number;
  readonly name: string;
  readonly server: string;
  readonly servers: Readonly<Record<string, ImportEntry>>;
  readonly steps: readonly {
    readonly title: string;
    readonly name?: string;
    readonly notes?: string;
    readonly server?: string;
    readonly call: string;
    readonly with?: object;
  }[];
}

/** Returns the steps of a presentation with the values that they offer. */
export function stepsOf({ server: first, steps }: SuiteFile): StepPreview[] {
  return steps.map(({ title, name = title, notes = "", server = first, call, with: given }) => ({
    title,
    server,
    method: "tools/call",
    target: call,
    inputs: given === undefined ? [] : [{ name, values: valuesOf(given) }],
    notes,
  }));
}

export function previewImport(world: World, text: string): ImportPreview {
  const { recognized, entries, presentation } = recognize(text.trim());
  const known = [...world.servers.values()];
  const preview: ImportPreview = {
    recognized,
    candidates: [],
    problems: [],
    presentation: presentation ?? null,
    masked: null,
  };
  if (preview.presentation) {
    const { title } = preview.presentation;
    preview.presentation.same_title = world.presentations.find((one) => one.title === title)?.id ?? null;
  }
  for (const [name, { demo, url, command, args = [], env = {}, disabled }] of entries) {
    const transport: ServerConfig["transport"] | null =
      url !== undefined
        ? address(url)
        : command === undefined
          ? demo !== undefined
            ? { type: "demo", http: false }
            : null
          : { type: "stdio", command, args: args.map(argument), env: Object.entries(env).map(variable), cwd: null };
    if (!transport) {
      preview.problems.push(`“${name}” has neither a command nor a URL.`);
      continue;
    }
    const secrets = [
      ...Object.entries(env).flatMap(([name, value]) =>
        variable([name, value]).value.kind === "secret" ? [value] : [],
      ),
      ...args.filter((arg, index, all) => argument(arg, index, all) !== arg),
    ];
    for (const secret of secrets.filter((one) => text.includes(one))) {
      preview.masked = (preview.masked ?? text).replaceAll(secret, "••••••••");
    }
    const at = demo !== undefined ? "the built-in demo server" : (url ?? [command, ...args].join(" "));
    preview.candidates.push({
      config: { name, ...plainDraft, transport },
      remarks: disabled === true ? ["It is switched off in the other client."] : [],
      duplicate_of: known.find((server) => server.view.address === at)?.view.config.name ?? null,
    });
  }
  return preview;
}

/** Recognizes approximately the same as the host: links, addresses, command lines without quotes, JSON. */
function recognize(text: string): {
  recognized: string;
  entries: [string, ImportEntry][];
  presentation?: PresentationPreview;
} {
  if (text.startsWith("sonde://add?")) {
    const link = new URLSearchParams(text.slice("sonde://add?".length));
    const server = parse(link.get("config") ?? "") as ImportEntry;
    return { recognized: "A link that adds a server to Sonde", entries: [[link.get("name") ?? "", server]] };
  }
  if (/^https?:\/\/\S+$/.test(text)) {
    return { recognized: "A URL", entries: [[new URL(text).host.replace("127.0.0.1", "localhost"), { url: text }]] };
  }
  const words = text.split(/\s+/);
  const sets = words.findIndex((word) => !/^\w+=/.test(word));
  if (words[sets] === "npx") {
    const env = Object.fromEntries(words.slice(0, sets).map((word) => word.split("=") as [string, string]));
    const args = words.slice(sets + 1);
    const name = args.find((arg) => !arg.startsWith("-"))?.replace(/^.*\/|@[^/]*$/g, "") ?? "npx";
    return { recognized: "A command line", entries: [[name, { command: "npx", args, env }]] };
  }
  const given = parse(text) as { mcpServers?: Readonly<Record<string, ImportEntry>> } | SuiteFile;
  if ("sonde" in given) {
    return {
      recognized: "A presentation",
      entries: Object.entries(given.servers),
      presentation: { title: given.name, steps: stepsOf(given), same_title: null },
    };
  }
  const none = "There are no servers in this JSON: it has no member “mcpServers”.";
  return {
    recognized: "Configuration in JSON",
    entries: Object.entries(given.mcpServers ?? fail("invalid_input", none)),
  };
}

function valuesOf(given: object): PreparedValue[] {
  return Object.entries(given).map(([name, value]) => ({
    name,
    text: typeof value === "string" ? value : JSON.stringify(value),
  }));
}

function argument(arg: string, index: number, all: readonly string[]): string {
  return all[index - 1] === "--api-key" ? "${secret:api-key}" : arg;
}

function variable([name, value]: [string, string]) {
  return /key|token|secret/i.test(name) && !value.includes("${")
    ? { name, value: { kind: "secret" as const, value: { type: "keep" as const } } }
    : { name, value: { kind: "plain" as const, value } };
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    return fail("invalid_input", "This is not JSON.", String(thrown));
  }
}
