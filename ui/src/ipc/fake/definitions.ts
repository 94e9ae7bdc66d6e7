/** The tools of the simulated servers, as a server would send them. */

export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: Readonly<Record<string, boolean>>;
  /** Why the protocol forbids to call it. */
  readonly forbidden?: string;
}

const nothing = { type: "object", properties: {} };

export const demoTools: readonly ToolDefinition[] = [
  {
    name: "say_hello",
    title: "Say hello",
    description: "Greets you by name. The quickest way to see a tool at work.",
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", title: "Your name", description: "Whom to greet.", minLength: 1, default: "Ada" },
        loud: { type: "boolean", title: "Loudly", description: "In capital letters." },
      },
      required: ["name"],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: "plan_voyage",
    title: "Plan a voyage",
    description:
      "Plans a voyage from **harbour to harbour** and shows every kind of field a form can have.\n\n- choices, dates, lists and nested objects\n- a field that depends on another one\n\nSee [the harbour guide](https://example.org/guide?from=sonde&chapter=4) for the names.\n\n| Kind | Crew |\n|---|---|\n| cutter | 6 |\n| schooner | 9 |",
    inputSchema: {
      type: "object",
      required: ["from", "to", "vessel", "crew"],
      properties: {
        from: { type: "string", title: "From", enum: ["Bergen", "Bilbao", "Brest", "Bremen"] },
        to: { type: "string", title: "To", enum: ["Bergen", "Bilbao", "Brest", "Bremen"] },
        departure: { type: "string", format: "date", title: "Departure" },
        contact: { type: "string", format: "email", title: "Contact" },
        notes: { type: "string", title: "Notes", description: "Anything the crew should know.", maxLength: 2000 },
        cargo_kg: { type: "number", title: "Cargo (kg)", minimum: 0, maximum: 90000, default: 1200 },
        insured: { type: "boolean", title: "Insured" },
        vessel: {
          type: "object",
          title: "Vessel",
          required: ["name"],
          properties: {
            name: { type: "string", title: "Name" },
            kind: { type: "string", enum: ["cutter", "ketch", "schooner"], default: "cutter" },
            length_m: { type: ["number", "null"], title: "Length (m)" },
          },
        },
        crew: {
          type: "array",
          title: "Crew",
          minItems: 1,
          items: {
            type: "object",
            required: ["name"],
            properties: {
              name: { type: "string", title: "Name" },
              role: { type: "string", enum: ["captain", "mate", "cook"] },
            },
          },
        },
        labels: { type: "object", title: "Labels", additionalProperties: { type: "string" } },
        payment: {
          title: "Payment",
          oneOf: [
            { title: "Cash", type: "object", properties: { currency: { const: "EUR" } }, required: ["currency"] },
            { title: "Invoice", type: "object", properties: { vat_id: { type: "string" } }, required: ["vat_id"] },
          ],
        },
      },
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  },
  {
    name: "survey_buoys",
    title: "Survey the buoys",
    description: "Visits a number of buoys, one after the other, and reports progress with a total.",
    inputSchema: {
      type: "object",
      properties: {
        buoys: { type: "integer", title: "Buoys", minimum: 1, maximum: 500, default: 40 },
        pause_ms: { type: "integer", title: "Pause between two (ms)", minimum: 0, default: 400 },
      },
      required: ["buoys"],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: "listen_for_ships",
    title: "Listen for ships",
    description: "Listens until you cancel it. Reports progress without a total and writes log messages.",
    inputSchema: nothing,
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
  {
    name: "stubborn_winch",
    title: "Stubborn winch",
    description: "Ignores a cancellation for a while and responds anyway.",
    inputSchema: nothing,
  },
  {
    name: "read_tide_table",
    title: "Read the tide table",
    description: "Structured content that is a table, checked against an output schema.",
    inputSchema: {
      type: "object",
      properties: { days: { type: "integer", minimum: 1, maximum: 30, default: 3, title: "Days" } },
    },
    outputSchema: {
      type: "object",
      properties: { tides: { type: "array", items: { type: "object" } } },
      required: ["tides"],
    },
    annotations: { readOnlyHint: true, idempotentHint: true },
  },
  {
    name: "show_chart",
    title: "Show the chart",
    description: "An image, a sound, a link, an embedded text and an embedded file in one result.",
    inputSchema: nothing,
    annotations: { readOnlyHint: true },
  },
  {
    name: "read_logbook",
    title: "Read the logbook",
    description: "A long Markdown text.",
    inputSchema: {
      type: "object",
      properties: { pages: { type: "integer", title: "Pages", minimum: 1, maximum: 2000, default: 3 } },
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: "wipe_logbook",
    title: "Wipe the logbook",
    description: "Deletes all entries. Marked as destructive.",
    inputSchema: nothing,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  },
  {
    name: "run_aground",
    title: "Run aground",
    description: "Fails, as tools fail: the result says so.",
    inputSchema: nothing,
  },
  {
    name: "forbidden_waters",
    title: "Forbidden waters",
    description: "Answered with a protocol error.",
    inputSchema: nothing,
  },
  {
    name: "sink",
    title: "Sink",
    description: "Ends the server's process at once.",
    inputSchema: nothing,
    annotations: { destructiveHint: true },
  },
  {
    name: "open_boathouse",
    title: "Open the boathouse",
    description: "Adds and removes tools, so that the list changes.",
    inputSchema: nothing,
  },
  {
    name: "radio_login",
    title: "Log in to the radio",
    description: "Has a password field, whose draft is kept in memory only.",
    inputSchema: {
      type: "object",
      properties: {
        user: { type: "string", title: "User" },
        secret: { type: "string", format: "password", title: "Password", writeOnly: true },
      },
      required: ["user", "secret"],
    },
  },
];

/** Tools that ask before they answer, and one that must not be called. */
export const askingTools: readonly ToolDefinition[] = [
  {
    name: "hail_pilot",
    title: "Hail the pilot",
    description: "Asks the harbour's serverRequests with a form before the pilot comes aboard.",
    inputSchema: nothing,
  },
  {
    name: "consult_chart",
    title: "Consult the chart",
    description: "Its stream closes before the response and is resumed from there.",
    inputSchema: nothing,
    annotations: { readOnlyHint: true },
  },
  {
    name: "signal_fleet",
    title: "Signal the fleet",
    description: "Wants a header whose name is not allowed.",
    inputSchema: {
      type: "object",
      properties: { flag: { type: "string", title: "Flag", default: "blue", "x-mcp-header": "Flag Colour" } },
      required: ["flag"],
    },
    forbidden:
      "The input schema names the header “Flag Colour”, which is not a valid header name, so clients must leave this tool out.",
  },
];

export const boathouseTools: readonly ToolDefinition[] = [
  { name: "row_out", title: "Row out", description: "Takes the rowing boat.", inputSchema: nothing },
  { name: "mend_nets", title: "Mend the nets", description: "Slow work.", inputSchema: nothing },
];

export const plainTools: readonly ToolDefinition[] = [
  {
    name: "read_file",
    description: "Reads a file below the allowed folders.",
    inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    annotations: { readOnlyHint: true },
  },
  {
    name: "write_file",
    description: "Writes a file, replacing what was there.",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" } },
      required: ["path", "content"],
    },
    annotations: { destructiveHint: true },
  },
  { name: "broken_schema", description: "Its schema is not a valid schema.", inputSchema: { type: "objekt" } },
];

const verbs = ["create", "list", "update", "delete", "search", "export", "archive", "compare", "assign", "merge"];
const nouns = ["invoice", "customer", "ticket", "order", "report", "contract", "shipment", "project", "asset", "user"];

/** So many tools that only a virtual list can show them. */
export function manyTools(count: number): ToolDefinition[] {
  return Array.from({ length: count }, (_, index) => {
    const verb = verbs[index % verbs.length] ?? "create";
    const noun = nouns[Math.floor(index / verbs.length) % nouns.length] ?? "user";
    const part = Math.floor(index / 100);
    return {
      name: `${verb}_${noun}_${part}`,
      title: `${verb[0]?.toUpperCase() ?? ""}${verb.slice(1)} ${noun} (area ${part})`,
      description: `Part ${index + 1} of a large catalogue: ${verb} one ${noun} in area ${part}.`,
      inputSchema: {
        type: "object",
        properties: { id: { type: "integer", title: "Number" }, note: { type: "string", title: "Note" } },
        required: ["id"],
      },
      annotations: { readOnlyHint: verb === "list" || verb === "search", destructiveHint: verb === "delete" },
    };
  });
}
