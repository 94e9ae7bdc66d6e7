import { chartPdf } from "./chart";
import { film } from "./film";
import type {
  CatalogKind,
  CatalogRow,
  ContentBlock,
  ExpandedTemplate,
  FindingView,
  ResourceDetail,
  ResourceRow,
  TemplateInput,
  TemplateView,
} from "../bindings";
import { skillTexts } from "./skills";
import { appContents } from "./appPages";
import { noExtras, rowOf, stationIcons } from "./extras";
import { fail } from "./fail";
import { finding } from "./finding";
import { answerOf, content, failure, type Answer } from "./results";

/** A resource or a resource template of a simulated server. */
interface Definition {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly said?: Partial<ResourceRow>;
  /** Contents of the resource, each with its media type; a string is text. */
  readonly contents?: readonly (readonly [mime: string, data: string | Uint8Array])[];
  readonly template?: TemplateView;
}

export type ResourceKind = "resources" | "resource_templates";

export function isResourceKind(kind: CatalogKind): kind is ResourceKind {
  return kind === "resources" || kind === "resource_templates";
}

const chart = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="120"><rect width="240" height="120" fill="#dff1fb"/><path d="M0 80 q60 -40 120 0 t120 0" fill="none" stroke="#1c6ea4" stroke-width="6"/></svg>`;

const definitions: Readonly<Record<ResourceKind, readonly Definition[]>> = {
  resources: [
    {
      uri: "station://charts/approach",
      name: "approach",
      title: "Chart of the approach",
      description: "How to come near **without** touching the rock.",
      said: {
        mime_type: "text/markdown",
        size: 74,
        audience: ["user"],
        priority: 0.9,
        last_modified: "2026-03-01T08:00:00Z",
      },
      contents: [
        ["text/markdown", "# Approach\n\nKeep the tower on a bearing of **040 degrees**.\n\n1. Leave the buoy.\n"],
      ],
    },
    {
      uri: "station://state",
      name: "state",
      said: { mime_type: "application/json", audience: ["user", "assistant"] },
      contents: [["application/json", '{"lamp":"lit","wind":{"speed":7,"from":"west"}}']],
    },
    {
      uri: "station://pictures/waves",
      name: "waves",
      title: "Picture of the waves",
      said: { mime_type: "image/svg+xml" },
      contents: [["image/svg+xml", new TextEncoder().encode(chart)]],
    },
    {
      uri: "station://barograph",
      name: "barograph",
      title: "Barograph roll",
      description: "Air pressure, two bytes a minute.",
      said: { mime_type: "application/octet-stream", size: 512 },
      contents: [["application/x-barograph", Uint8Array.from({ length: 480 }, (_, place) => (place * 37) % 256)]],
    },
    {
      uri: "station://bundle",
      name: "bundle",
      title: "All of the day",
      contents: [
        ["text/css", "/* For the night. */\nbody {\n  color: navy;\n}\n"],
        ["text/plain", "Fair weather."],
        ["application/pdf", chartPdf],
        ["video/webm", film],
      ],
    },
  ],
  resource_templates: [
    {
      uri: "station://tides/{port}{?day,kinds*}",
      name: "tides",
      title: "Tides of a port",
      description: "High and low water.",
      said: { mime_type: "application/json" },
      template: {
        variables: [
          { name: "port", explode: false, prefix: null },
          { name: "day", explode: false, prefix: 10 },
          { name: "kinds", explode: true, prefix: null },
        ],
        problem: null,
      },
    },
    {
      uri: "station://broken/{port",
      name: "broken",
      template: { variables: [], problem: "expression not closed (at 17-th byte)" },
    },
  ],
};

function row({ uri, name, title, description, said, template }: Definition): CatalogRow {
  return rowOf(uri, name, {
    title: title ?? null,
    summary: (description ?? "").replaceAll("*", ""),
    issues: template && template.problem !== null ? 1 : 0,
    resource: { uri, mime_type: null, size: null, audience: [], priority: null, last_modified: null, ...said },
  });
}

export function resourceRows(kind: ResourceKind): readonly CatalogRow[] {
  return definitions[kind].map(row);
}

export function detail(kind: CatalogKind, key: string): ResourceDetail {
  const found = isResourceKind(kind) ? definitions[kind].find(({ uri }) => uri === key) : undefined;
  if (!found) return fail("not_found", "This is not, or no longer, in the server's list.");
  const { uri, name, description = null, template = null } = found;
  const problem = template?.problem ?? null;
  return {
    row: row(found),
    uri,
    description,
    findings:
      problem === null ? [] : [finding("invalid-uri-template", `\`uriTemplate\` is not a URI template: ${problem}.`)],
    extras:
      uri === "station://charts/approach"
        ? { icons: stationIcons, meta: '{"org.example/edition":9007199254740993}' }
        : noExtras,
    raw: JSON.stringify({ uri, name }),
    template,
  };
}

/** Returns the findings about the items of a list. */
export function findingsOf(kind: ResourceKind): readonly { readonly key: string; readonly finding: FindingView }[] {
  return definitions[kind].flatMap(({ uri }) => detail(kind, uri).findings.map((one) => ({ key: uri, finding: one })));
}

/** Expands simple expressions and query expressions, the only ones in the templates here. */
export function expand(template: string, values: readonly TemplateInput[]): ExpandedTemplate {
  const texts = (name: string): readonly string[] => {
    const value = values.find((one) => one.name === name)?.value;
    if (!value) return [];
    if (value.type === "text") return [encodeURIComponent(value.value)];
    return value.value.map((one) => (typeof one === "string" ? one : one.join("="))).map(encodeURIComponent);
  };
  const uri = template.replaceAll(/\{(\??)([^}]*)\}/g, (_, query: string, names: string) => {
    const parts = names.split(",").flatMap((spec) => {
      const name = spec.replace("*", "");
      return query === "" ? texts(name) : texts(name).map((text) => `${name}=${text}`);
    });
    return parts.length === 0 || query === "" ? parts.join(",") : `?${parts.join("&")}`;
  });
  return { uri, problem: null };
}

export function titleOf(uri: string): string | null {
  return definitions.resources.find((one) => one.uri === uri)?.title ?? null;
}

/** Returns the result of reading a URI. */
export function read(uri: string, updates = 0): Answer {
  const found = definitions.resources.find((one) => one.uri === uri);
  const port = /^station:\/\/tides\/([^?]*)/.exec(uri)?.[1];
  const tides = port === undefined ? undefined : ([["application/json", `{"port":"${port}","high":"04:10"}`]] as const);
  const skillText = skillTexts[uri];
  const skill = skillText === undefined ? undefined : ([["text/markdown", skillText]] as const);
  // The content of a resource that changes by itself differs after each update.
  const state = [["application/json", `{"lamp":"lit","wind":{"speed":${7 + updates},"from":"west"}}`]] as const;
  const contents = uri === "station://state" ? state : (found?.contents ?? appContents[uri] ?? skill ?? tides);
  if (!contents) {
    const meaning = "The server does not have the requested resource, or is not ready yet.";
    return failure(-32002, "There is no resource with this URI.", meaning, { uri });
  }
  const blocks = contents.map(([mime_type, data]): ContentBlock => {
    const text = typeof data === "string" ? data : null;
    const bytes = typeof data === "string" ? new TextEncoder().encode(data).length : data.length;
    return content(text === null ? "embedded_blob" : "embedded_text", { uri, mime_type, text, bytes });
  });
  const [only] = blocks;
  const size = found?.said?.size ?? null;
  if (only && size !== null && size !== only.bytes) {
    const message = `The list of resources says ${size} bytes, and reading gave ${only.bytes}.`;
    only.findings = [{ ...finding("different-size", message), severity: "info" }];
  }
  const json = { contents: contents.map(([mimeType, data]) => ({ uri, mimeType, text: String(data) })) };
  const bodies = contents.map(([, data]) => (typeof data === "string" ? new TextEncoder().encode(data) : data));
  return answerOf(json, { content: blocks }, bodies);
}
