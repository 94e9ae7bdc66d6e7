import type { ContentView, OutcomeView } from "../bindings";

/** What a simulated tool answers: the outcome as shown, and the bytes behind it. */
export interface Answer {
  readonly outcome: OutcomeView;
  /** The JSON-RPC answer as text. */
  readonly frame: (id: number) => string;
  /** Decoded data of each content block. */
  readonly bodies: readonly Uint8Array[];
}

const encoder = new TextEncoder();

interface Block {
  readonly view: Partial<ContentView> & Pick<ContentView, "kind">;
  readonly json: unknown;
  readonly body: Uint8Array;
}

export function text(words: string): Block {
  const body = encoder.encode(words);
  return {
    view: { kind: "text", bytes: body.length, text: body.length <= 65_536 ? words : null },
    json: { type: "text", text: words },
    body,
  };
}

export function result(blocks: readonly Block[], more: { structured?: unknown; isError?: boolean } = {}): Answer {
  const json = {
    content: blocks.map((block) => block.json),
    ...(more.structured === undefined ? {} : { structuredContent: more.structured }),
    ...(more.isError ? { isError: true } : {}),
  };
  const structured = more.structured === undefined ? null : JSON.stringify(more.structured);
  return {
    outcome: {
      type: "result",
      is_error: more.isError ?? false,
      content: blocks.map(({ view }) => ({
        mime_type: null,
        bytes: 0,
        text: null,
        uri: null,
        title: null,
        findings: [],
        ...view,
      })),
      structured: structured === null ? null : { bytes: structured.length, json: structured, problems: [] },
      bytes: encoder.encode(JSON.stringify(json)).length,
      findings: [],
    },
    frame: (id) => JSON.stringify({ jsonrpc: "2.0", id, result: json }),
    bodies: blocks.map((block) => block.body),
  };
}

export function protocolError(code: number, message: string, meaning: string): Answer {
  return {
    outcome: { type: "protocol_error", code, message, data: '{"zone":"north"}', meaning },
    frame: (id) => JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data: { zone: "north" } } }),
    bodies: [],
  };
}

export function mixed(): Answer {
  const picture = chart();
  const sound = tone();
  const base64 = (body: Uint8Array): string => btoa(String.fromCharCode(...body));
  return result([
    text("The chart of **today**, with its sound."),
    {
      view: { kind: "image", mime_type: "image/svg+xml", bytes: picture.length },
      json: { type: "image", mimeType: "image/svg+xml", data: base64(picture) },
      body: picture,
    },
    {
      view: { kind: "audio", mime_type: "audio/wav", bytes: sound.length },
      json: { type: "audio", mimeType: "audio/wav", data: "…" },
      body: sound,
    },
    {
      view: {
        kind: "resource_link",
        uri: "https://example.org/charts/north-sea?edition=12",
        title: "North Sea: the twelfth edition",
        mime_type: "text/html",
      },
      json: { type: "resource_link", uri: "https://example.org/charts/north-sea?edition=12", name: "North Sea" },
      body: new Uint8Array(),
    },
    {
      view: {
        kind: "embedded_text",
        uri: "station://log/today",
        mime_type: "application/json",
        bytes: 39,
        text: '{"wind":7,"sight":9007199254740993.0}',
      },
      json: { type: "resource", resource: { uri: "station://log/today" } },
      body: encoder.encode('{"wind":7,"sight":9007199254740993.0}'),
    },
    {
      view: { kind: "embedded_blob", uri: "station://data.bin", mime_type: "application/octet-stream", bytes: 4 },
      json: { type: "resource", resource: { uri: "station://data.bin", blob: "AAECAw==" } },
      body: new Uint8Array([0, 1, 2, 3]),
    },
  ]);
}

function chart(): Uint8Array {
  const waves = Array.from({ length: 6 }, (_, index) => {
    const y = 60 + index * 22;
    return `<path d="M0 ${y} q40 -18 80 0 t80 0 t80 0 t80 0" fill="none" stroke="hsl(${200 + index * 8} 70% 50%)" stroke-width="6"/>`;
  });
  return encoder.encode(
    `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><rect width="320" height="200" fill="#dff1fb"/>${waves.join("")}</svg>`,
  );
}

/** A quarter of a second of 440 Hz as a WAV file. */
function tone(): Uint8Array {
  const samples = 2000;
  const view = new DataView(new ArrayBuffer(44 + samples));
  const words = (at: number, letters: string): void => {
    for (let index = 0; index < letters.length; index++) view.setUint8(at + index, letters.charCodeAt(index));
  };
  words(0, "RIFF");
  view.setUint32(4, 36 + samples, true);
  words(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 8000, true);
  view.setUint32(28, 8000, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  words(36, "data");
  view.setUint32(40, samples, true);
  for (let index = 0; index < samples; index++) {
    view.setUint8(44 + index, 128 + Math.round(60 * Math.sin((index / 8000) * 440 * 2 * Math.PI)));
  }
  return new Uint8Array(view.buffer);
}
