import type { ContentBlock, FindingView, OperationOutcome } from "../bindings";

/** Result of a simulated tool: the outcome as shown, and the bytes behind it. */
export interface Answer {
  readonly outcome: OperationOutcome;
  /** The JSON-RPC response as text. */
  readonly frame: (id: number) => string;
  /** Decoded data of each content block. */
  readonly bodies: readonly Uint8Array[];
}

type Result = Extract<OperationOutcome, { type: "result" }>;

/** Builds the outcome of an unremarkable run with a result. */
export function resultOutcome(more: Partial<Result>): Result {
  return {
    type: "result",
    is_error: false,
    content: [],
    structured: null,
    prompt: null,
    meta: null,
    bytes: 0,
    findings: [],
    ...more,
  };
}

/** Builds the answer with this result. */
export function answerOf(json: object, more: Partial<Result>, bodies: readonly Uint8Array[]): Answer {
  return {
    outcome: resultOutcome({ bytes: bytesOf(JSON.stringify(json)).length, ...more }),
    frame: (id) => JSON.stringify({ jsonrpc: "2.0", id, result: json }),
    bodies,
  };
}

/** Builds the answer with this error. */
export function failure(code: number, message: string, meaning: string, data?: object): Answer {
  const error = { code, message, ...(data && { data }) };
  return {
    outcome: { type: "protocol_error", code, message, data: data ? JSON.stringify(data) : null, meaning },
    frame: (id) => JSON.stringify({ jsonrpc: "2.0", id, error }),
    bodies: [],
  };
}

export interface Block {
  readonly view: ContentBlock;
  readonly json: unknown;
  readonly body: Uint8Array;
}

const bytesOf = (words: string) => new TextEncoder().encode(words);
const fromBase64 = (words: string) => Uint8Array.from(atob(words), (letter) => letter.charCodeAt(0));

export function content(kind: ContentBlock["kind"], more: Partial<ContentBlock> = {}): ContentBlock {
  return { kind, mime_type: null, bytes: 0, text: null, uri: null, title: null, details: null, findings: [], ...more };
}

function block(
  kind: ContentBlock["kind"],
  view: Partial<ContentBlock>,
  json: object,
  body: Uint8Array = new Uint8Array(),
): Block {
  return { view: content(kind, { bytes: body.length, ...view }), json, body };
}

export function text(words: string): Block {
  const body = bytesOf(words);
  return block("text", { text: body.length <= 65_536 ? words : null }, { type: "text", text: words }, body);
}

export function result(blocks: readonly Block[], more: { structured?: unknown; isError?: boolean } = {}): Answer {
  const json = {
    content: blocks.map((each) => each.json),
    ...(more.structured === undefined ? {} : { structuredContent: more.structured }),
    ...(more.isError ? { isError: true } : {}),
  };
  const structured = more.structured === undefined ? null : JSON.stringify(more.structured);
  const outcome = {
    is_error: more.isError ?? false,
    content: blocks.map((each) => each.view),
    structured:
      structured === null
        ? null
        : {
            bytes: structured.length,
            json: structured.length <= 262_144 ? structured : null,
            problems: [],
            unchecked: null,
          },
  };
  return answerOf(
    json,
    outcome,
    blocks.map((each) => each.body),
  );
}

/** Messages of a prompt, and the findings about the first one. */
export function conversation(
  description: string | null,
  messages: readonly (readonly [role: string, block: Block])[],
  findings: readonly (readonly FindingView[])[] = [],
): Answer {
  const json = {
    ...(description === null ? {} : { description }),
    messages: messages.map(([role, { json: content }]) => ({ role, content })),
  };
  const outcome = {
    content: messages.map(([, { view }]) => view),
    prompt: {
      description,
      messages: messages.map(([role], index) => ({ role, blocks: 1, findings: [...(findings[index] ?? [])] })),
    },
  };
  return answerOf(
    json,
    outcome,
    messages.map(([, { body }]) => body),
  );
}

const badParameters = "The server says that the parameters are not valid.";

/** Error for a closed zone of a tool. */
export const zoneIsClosed = failure(-32602, "zone is closed", badParameters, { zone: "north" });

/** Error for a prompt without a required argument. */
export const missingArgument = failure(-32602, "missing required argument", badParameters);

/** Error of a stateless connection, on which the server cannot ask. */
export const noBackChannel = failure(
  -32600,
  "no back-channel for server-initiated requests",
  "The server says that the request is not valid.",
);

/** An image that is shown without a click. */
function picture(): Block {
  const mime = "image/png";
  return block(
    "image",
    { mime_type: mime },
    { type: "image", mimeType: mime, data: waves320x200 },
    fromBase64(waves320x200),
  );
}

/** An image that waits for a click. */
export function drawing(): Block {
  const mime = "image/svg+xml";
  return block("image", { mime_type: mime }, { type: "image", mimeType: mime, data: btoa(chart) }, bytesOf(chart));
}

/** A block of every kind. */
export function mixed(): Answer {
  const [wav, json] = ["audio/wav", "application/json"];
  const [chart, log] = ["https://example.org/charts/north-sea?edition=12", "station://log/today"];
  const words = '{"wind":7,"sight":9007199254740993.0}';
  const blob = { uri: "station://data.bin", mime_type: "application/octet-stream" };
  return result([
    text("The chart of **today**, with its sound."),
    picture(),
    block("audio", { mime_type: wav }, { type: "audio", mimeType: wav, data: sound }, fromBase64(sound)),
    block(
      "resource_link",
      { uri: chart, title: "North Sea: the twelfth edition", mime_type: "text/html" },
      { type: "resource_link", uri: chart, name: "North Sea" },
    ),
    block(
      "embedded_text",
      { uri: log, mime_type: json, text: words },
      { type: "resource", resource: { uri: log } },
      bytesOf(words),
    ),
    block(
      "embedded_blob",
      blob,
      { type: "resource", resource: { uri: blob.uri, blob: "AAECAw==" } },
      fromBase64("AAECAw=="),
    ),
  ]);
}

const waves = [200, 208, 216, 224, 232, 240].map(
  (hue, index) =>
    `<path d="M0 ${60 + index * 22} q40 -18 80 0 t80 0 t80 0 t80 0" fill="none" stroke="hsl(${hue} 70% 50%)" stroke-width="6"/>`,
);
const chart = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><rect width="320" height="200" fill="#dff1fb"/>${waves.join("")}</svg>`;

/** Silence: a WAV file of 64 samples at 8 kHz and 8 bits. */
const sound = `UklGRmQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YUAAAACA${"gICA".repeat(21)}`;

/** Five waves, as a PNG of 320 × 200 pixels. */
const waves320x200 =
  "iVBORw0KGgoAAAANSUhEUgAAAUAAAADIAQMAAACjyqroAAAABlBMVEXf8fsvb5/T+AceAAACgElEQVR42u2YTW6EMAyFHbFgmSNwk3KxEXA0jsIRWLJAk+Y/z21JvO7EEpqEydgOdh5fS9StW7dun2rrhrN5x9l0wti84RttDMwGnBljDnBvDDiZYeF40XgXFzepEkBhrHkLV8xjD1fMA0Ip523MNxbnNceewWFYk2KHNUtycuH+2U+1jzpt6CROXuFWTOsr+D3QyQGxSJ0s1oVOQlp6K5som5rRyQyxUloTSzU68WnlfYVf32y7C0zKE/WP88THmZ2s8SolKQVyDnKB9OXqnB/8TUOprB2q3A7Kts3OmuhkTXSJGnE0ZhO29tGP/n+zEc+uUxQwZXCMCkWs1axE3dhcb9Zchmle6TXbaeuOnQbtZYc6BRiucBXBUiXaO17pSGVNCuc/K5g/wRMKhN5R5bIE+jVMcrIe3kzrFlCeKGIvQhGLKhN1i8nihPrDJMd+oLzFtBb6LWKkUDBDWoqlSkyWN9xu3ry/PWJlc/H8mpU9zgnEoaicK0cpkHMABdpQUWy95xLLDuFlaaCHXBMZ3kQbLHxuxBU0r97a7370O5b9jWW7FMsuKZYZKZYlkGhimbqkWDZLsUzvQixjsljDsii0bSwLmQiwzGciwTJ/W4Rlrh4iLHMORFjmhjIsY4RdxbKBOpZ1LOtY5k2KZSTFMhJg2fHrj+EHLMPKVbHsix3pCpZpPO41LBtY7BqWrey9WcEyO9QiLBsM/4fGI5axtqxjmelC8EFYRlIsIyGWhde0AMsSmrWw7IcSPGMZHvcqlpEUywIBtLGMwnFtY1ly0sSy5KSFZdlJC8vKfhtYVpw0sKwUqIFlVASrimWGvzmfsYy1ZQ3L9NmFoFu3bv/GvgFXL+StDIXR2gAAAABJRU5ErkJggg==";
