import { declares } from "../../lib/capabilities";
import { own } from "../../lib/own";

/** A method of the protocol that a client can send. */
export interface Method {
  readonly name: string;
  readonly notification: boolean;
  /** Initial `params`. */
  readonly params: string;
}

interface Row {
  readonly name: string;
  /** Path of members to the capability that the server has to declare. */
  readonly needs?: readonly string[];
  /** Only available in this protocol mode. */
  readonly mode?: "handshake" | "stateless";
  readonly params?: string;
}

const NAME = '{\n  "name": ""\n}';
const URI = '{\n  "uri": ""\n}';
const TASK = '{\n  "taskId": ""\n}';

/** Extensions with methods of their own. */
const SKILLS = ["extensions", "io.modelcontextprotocol/skills"];
const TASKS = ["extensions", "io.modelcontextprotocol/tasks"];

const METHOD_ROWS: readonly Row[] = [
  { name: "ping", mode: "handshake" },
  { name: "server/discover", mode: "stateless" },
  { name: "tools/list", needs: ["tools"] },
  { name: "tools/call", needs: ["tools"], params: '{\n  "name": "",\n  "arguments": {}\n}' },
  { name: "resources/list", needs: ["resources"] },
  { name: "resources/templates/list", needs: ["resources"] },
  { name: "resources/read", needs: ["resources"], params: URI },
  { name: "resources/subscribe", needs: ["resources", "subscribe"], mode: "handshake", params: URI },
  { name: "resources/unsubscribe", needs: ["resources", "subscribe"], mode: "handshake", params: URI },
  { name: "prompts/list", needs: ["prompts"] },
  { name: "prompts/get", needs: ["prompts"], params: NAME },
  { name: "skills/list", needs: SKILLS },
  { name: "skills/get", needs: SKILLS, params: URI },
  {
    name: "completion/complete",
    needs: ["completions"],
    params: '{\n  "ref": { "type": "ref/prompt", "name": "" },\n  "argument": { "name": "", "value": "" }\n}',
  },
  { name: "logging/setLevel", needs: ["logging"], mode: "handshake", params: '{\n  "level": "debug"\n}' },
  { name: "tasks/get", needs: ["tasks"], mode: "handshake", params: TASK },
  { name: "tasks/result", needs: ["tasks"], mode: "handshake", params: TASK },
  { name: "tasks/list", needs: ["tasks", "list"], mode: "handshake" },
  { name: "tasks/cancel", needs: ["tasks", "cancel"], mode: "handshake", params: TASK },
  { name: "tasks/get", needs: TASKS, mode: "stateless", params: TASK },
  {
    name: "tasks/update",
    needs: TASKS,
    mode: "stateless",
    params: '{\n  "taskId": "",\n  "inputResponses": {}\n}',
  },
  { name: "tasks/cancel", needs: TASKS, mode: "stateless", params: TASK },
  { name: "subscriptions/listen", mode: "stateless", params: '{\n  "notifications": {}\n}' },
  { name: "initialize", mode: "handshake" },
  { name: "notifications/initialized", mode: "handshake" },
  { name: "notifications/cancelled", params: '{\n  "requestId": 0\n}' },
  { name: "notifications/progress", params: '{\n  "progressToken": 0,\n  "progress": 0\n}' },
  { name: "notifications/roots/list_changed", mode: "handshake" },
];

/** Methods that fit a server: its protocol mode and, if known, its capabilities. */
export function methodsOf(capabilities: string | null, stateless: boolean): readonly Method[] {
  return METHOD_ROWS.filter(
    ({ needs, mode }) =>
      (needs === undefined || declares(capabilities, ...needs) !== false) &&
      (mode === undefined || (mode === "stateless") === stateless),
  ).map(({ name, params = "" }) => ({ name, params, notification: name.startsWith("notifications/") }));
}

/** Methods that Sonde sends itself: a second one can confuse the server, or Sonde's view of it. */
const SENT_BY_SONDE: Readonly<Record<string, string>> = {
  initialize: "Sonde sends initialize when it connects. A server may end the session at a second one.",
  "notifications/initialized": "Sonde sends this after the handshake. A server may not expect a second one.",
  "notifications/cancelled": "Sonde sends this when a run is cancelled. A run that this names may never end.",
  "notifications/progress": "Only a request of the server with a progress token is reported on.",
  "logging/setLevel": "The console shows the log level that was chosen there, not this one.",
  "resources/subscribe":
    "The Resources tab does not show what is subscribed to by hand. A resource has Subscribe there.",
  "subscriptions/listen":
    "Sonde keeps a subscription of its own. This one stays open, and this run with it, until it is cancelled.",
};

/** Reason why a method is better left to Sonde; `null` for any other. */
export function warningOf(method: string): string | null {
  return own(SENT_BY_SONDE, method) ?? null;
}
