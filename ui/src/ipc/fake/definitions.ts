/** Tools of the simulated servers, as a server would send them. */
import type { TaskSupport } from "../bindings";

export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: Readonly<Record<string, boolean>>;
  /** Reason that the protocol forbids calling the tool. */
  readonly forbidden?: string;
  /** `execution.taskSupport`. */
  readonly taskSupport?: TaskSupport;
  /** URI of the tool's app. */
  readonly app?: string;
}

type More = Pick<ToolDefinition, "inputSchema" | "outputSchema" | "annotations" | "forbidden" | "taskSupport" | "app">;

function tool(name: string, title: string, description: string, more: More = {}): ToolDefinition {
  return { name, title, description, inputSchema: object({}), ...more };
}

/** Builds the schema of an object; `required` lists names separated by spaces. */
function object(properties: object, required?: string): object {
  return { type: "object", properties, ...(required !== undefined && { required: required.split(" ") }) };
}

const text = (title: string, more: object = {}) => ({ type: "string", title, ...more });
const integer = (title: string, more: object = {}) => ({ type: "integer", title, ...more });
const number = (title: string) => ({ type: "number", title });
const harbours = { enum: ["Bergen", "Bilbao", "Brest", "Bremen"] };

const reads = { readOnlyHint: true };

const voyage = object(
  {
    from: text("From", harbours),
    to: text("To", harbours),
    departure: text("Departure", { format: "date" }),
    contact: text("Contact", { format: "email" }),
    notes: text("Notes", { description: "Anything the crew should know.", maxLength: 2000 }),
    cargo_kg: { type: "number", title: "Cargo (kg)", minimum: 0, maximum: 90000, default: 1200 },
    insured: { type: "boolean", title: "Insured" },
    vessel: {
      title: "Vessel",
      type: "object",
      required: ["name"],
      properties: {
        name: text("Name"),
        kind: { type: "string", enum: ["cutter", "ketch", "schooner"], default: "cutter" },
        length_m: { type: ["number", "null"], title: "Length (m)" },
      },
    },
    crew: {
      type: "array",
      title: "Crew",
      minItems: 1,
      items: object({ name: text("Name"), role: { type: "string", enum: ["captain", "mate", "cook"] } }, "name"),
    },
    labels: { type: "object", title: "Labels", additionalProperties: { type: "string" } },
    payment: {
      title: "Payment",
      oneOf: [
        { title: "Cash", ...object({ currency: { const: "EUR" } }, "currency") },
        { title: "Invoice", ...object({ vat_id: { type: "string" } }, "vat_id") },
      ],
    },
  },
  "from to vessel crew",
);

export const demoTools: readonly ToolDefinition[] = [
  tool("say_hello", "Say hello", "Greets you by name. The quickest way to see a tool at work.", {
    inputSchema: object(
      {
        name: text("Your name", { description: "Whom to greet.", minLength: 1, default: "Ada" }),
        loud: { type: "boolean", title: "Loudly", description: "In capital letters." },
      },
      "name",
    ),
    annotations: { ...reads, openWorldHint: false },
  }),
  tool(
    "plan_voyage",
    "Plan a voyage",
    "Plans a voyage from **harbour to harbour** and shows every kind of field a form can have.\n\n- choices, dates, lists and nested objects\n- a field that depends on another one\n\nSee [the harbour guide](https://example.org/guide?from=sonde&chapter=4) for the names.\n\n| Kind | Crew |\n|---|---|\n| cutter | 6 |\n| schooner | 9 |",
    { inputSchema: voyage, annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true } },
  ),
  tool("survey_buoys", "Survey the buoys", "Visits a number of buoys, one after the other, and reports progress.", {
    inputSchema: object(
      {
        buoys: integer("Buoys", { minimum: 1, maximum: 500, default: 40 }),
        pause_ms: integer("Pause between two (ms)", { minimum: 0, default: 400 }),
      },
      "buoys",
    ),
    annotations: reads,
  }),
  tool("listen_for_ships", "Listen for ships", "Listens until you cancel it. Progress without a total, and messages.", {
    annotations: { ...reads, openWorldHint: true },
  }),
  tool("stubborn_winch", "Stubborn winch", "Ignores a cancellation for a while and responds anyway."),
  tool("read_tide_table", "Read the tide table", "A table as structured content, checked against an output schema.", {
    inputSchema: object({ days: integer("Days", { minimum: 1, maximum: 30, default: 3 }) }),
    outputSchema: object({ tides: { type: "array", items: { type: "object" } } }, "tides"),
    annotations: { ...reads, idempotentHint: true },
  }),
  tool("show_chart", "Show the chart", "An image, a sound, a link, an embedded text and file in one result.", {
    annotations: reads,
  }),
  tool("read_logbook", "Read the logbook", "A long Markdown text.", {
    inputSchema: object({ pages: integer("Pages", { minimum: 1, maximum: 2000, default: 3 }) }),
    annotations: reads,
  }),
  tool("wipe_logbook", "Wipe the logbook", "Deletes all entries. Marked as destructive.", {
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  }),
  tool("run_aground", "Run aground", "Fails, as tools fail: the result says so."),
  tool("forbidden_waters", "Forbidden waters", "Answered with a protocol error."),
  tool("sink", "Sink", "Ends the server's process at once.", { annotations: { destructiveHint: true } }),
  tool("open_boathouse", "Open the boathouse", "Adds and removes tools, so that the list changes."),
  tool("radio_login", "Log in to the radio", "Has a password field, whose draft is kept in memory only.", {
    inputSchema: object(
      { user: text("User"), secret: text("Password", { format: "password", writeOnly: true }) },
      "user secret",
    ),
  }),
];

/** Tools that ask before they answer, and a tool that must not be called. */
export const askingTools: readonly ToolDefinition[] = [
  tool("hail_pilot", "Hail the pilot", "Asks the harbour's questions with a form before the pilot comes aboard."),
  tool("consult_chart", "Consult the chart", "Its stream closes before the response and is resumed from there.", {
    annotations: reads,
  }),
  tool("signal_fleet", "Signal the fleet", "Wants a header whose name is not allowed.", {
    inputSchema: object({ flag: text("Flag", { default: "blue", "x-mcp-header": "Flag Colour" }) }, "flag"),
    forbidden:
      "The input schema names the header “Flag Colour”, which is not a valid header name, so clients must leave this tool out.",
  }),
];

/** Tools that are run as tasks. */
export const taskTools: readonly ToolDefinition[] = [
  tool("dredge_harbour", "Dredge the harbour", "Takes hours, so it **has to be run as a task**.", {
    inputSchema: object({ metres: integer("Depth (m)", { minimum: 1, maximum: 20, default: 8 }) }),
    taskSupport: "required",
  }),
  tool("paint_hull", "Paint the hull", "Can be run as a task.", { taskSupport: "optional" }),
];

const reading = object(
  { hour: integer("Hour"), waves: number("Waves (m)"), wind: number("Wind (kn)") },
  "hour waves wind",
);

/** A tool whose result is a series of numbers. */
export const seriesTools: readonly ToolDefinition[] = [
  tool("measure_waves", "Measure the waves", "A **series of numbers** as structured content: one reading an hour.", {
    inputSchema: object({ hours: integer("Hours", { minimum: 2, maximum: 72, default: 24 }) }),
    outputSchema: object({ readings: { type: "array", items: reading } }, "readings"),
    annotations: { ...reads, idempotentHint: true },
  }),
];

export const boathouseTools: readonly ToolDefinition[] = [
  tool("row_out", "Row out", "Takes the rowing boat."),
  tool("mend_nets", "Mend the nets", "Slow work."),
];

const plain = { type: "string" };

export const plainTools: readonly ToolDefinition[] = [
  {
    name: "read_file",
    description: "Reads a file below the allowed folders.",
    inputSchema: object({ path: plain }, "path"),
    annotations: reads,
  },
  {
    name: "write_file",
    description: "Writes a file, replacing what was there.",
    inputSchema: object({ path: plain, content: plain }, "path content"),
    annotations: { destructiveHint: true },
  },
  { name: "broken_schema", description: "Its schema is not a valid schema.", inputSchema: { type: "objekt" } },
];

const verbs = ["Create", "List", "Update", "Delete", "Search", "Export", "Archive", "Compare", "Assign", "Merge"];
const nouns = ["invoice", "customer", "ticket", "order", "report", "contract", "shipment", "project", "asset", "user"];

/** Ten thousand tools, more than a list without virtual rows can show. */
export function manyTools(): ToolDefinition[] {
  const inputSchema = object({ id: integer("Number"), note: text("Note") }, "id");
  return Array.from({ length: 10_000 }, (_, index) => {
    const [verb = "", noun = "", area] = [
      verbs[index % 10],
      nouns[Math.floor(index / 10) % 10],
      Math.floor(index / 100),
    ];
    const annotations = { readOnlyHint: verb === "List" || verb === "Search", destructiveHint: verb === "Delete" };
    const description = `Part ${index + 1} of a large catalogue: ${verb} one ${noun} in area ${area}.`;
    const name = `${verb.toLowerCase()}_${noun}_${area}`;
    return tool(name, `${verb} ${noun} (area ${area})`, description, { inputSchema, annotations });
  });
}
