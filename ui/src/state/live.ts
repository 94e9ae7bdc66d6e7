import type {
  AuthStatus,
  Batch,
  Checks,
  OperationNumber,
  OperationView,
  Presentation,
  ResourceSubscription,
  ResourceSubscriptionsView,
  SavedInput,
  CatalogKind,
  CatalogView,
  ConnectionView,
  Diagnosis,
  IssueCounts,
  HealthProblem,
  LogViewState,
  Notice,
  ServerGroupView,
  OpenServerRequest,
  ServerId,
  ServerView,
  SessionView,
  TaskList,
  Settings,
  UiEvent,
} from "../ipc/bindings";
import { DEFAULT_SETTINGS } from "../ipc/settings";

/** Lists of one server, without their items. */
export type ServerCatalogs = Readonly<Partial<Record<CatalogKind, CatalogView>>>;

/** State reported by the host. Only {@link reduce} changes it. */
export interface LiveState {
  /** A snapshot has arrived. */
  readonly ready: boolean;
  /** Number of the last batch. */
  readonly number: number;
  /** Servers in list order: those without a group, then those of each group. */
  readonly order: readonly ServerId[];
  /** Groups of servers in order. */
  readonly groups: readonly ServerGroupView[];
  readonly servers: Readonly<Record<ServerId, ServerView>>;
  readonly sessions: Readonly<Record<ServerId, SessionView>>;
  /** Lists of each server, by kind; servers that were never connected are missing. */
  readonly catalogs: Readonly<Record<ServerId, ServerCatalogs>>;
  readonly connections: Readonly<Record<ServerId, ConnectionView>>;
  /** Issue counts of each server. `version` changes whenever the issues may have changed. */
  readonly issues: Readonly<Record<ServerId, { readonly counts: IssueCounts; readonly version: number }>>;
  /** Subscriptions to resources of each server. */
  readonly subscriptions: Readonly<Record<ServerId, ResourceSubscriptionsView>>;
  /** The tasks that each server lists. */
  readonly taskLists: Readonly<Record<ServerId, TaskList>>;
  /** Sign-in state; servers for which it never mattered are missing. */
  readonly auth: Readonly<Record<ServerId, AuthStatus>>;
  /** The last diagnosis of each server; servers that were not diagnosed are missing. */
  readonly diagnoses: Readonly<Record<ServerId, Diagnosis>>;
  /** The checks of each server; servers whose checks were not opened are missing. */
  readonly checks: Readonly<Record<ServerId, Checks>>;
  /** Open server requests by number. */
  readonly serverRequests: Readonly<Record<number, OpenServerRequest>>;
  /** Open server requests of each server, oldest first; servers without any may be missing. */
  readonly serverRequestOrder: Readonly<Record<ServerId, readonly number[]>>;
  readonly operations: Readonly<Record<OperationNumber, OperationView>>;
  /** Operations of each server, newest first. Stays the same array while only their contents change. */
  readonly operationOrder: Readonly<Record<ServerId, readonly OperationNumber[]>>;
  /** Operations of each server that have not ended; servers without any may be missing. */
  readonly running: Readonly<Record<ServerId, number>>;
  /** Open log views by number. */
  readonly logs: Readonly<Record<number, LogViewState>>;
  readonly notices: readonly Notice[];
  /** A link with which the app was opened waits for the user. */
  readonly offer: boolean;
  readonly settings: Settings;
  /** Saved inputs of each server, in order; servers without any may be missing. */
  readonly savedInputs: Readonly<Record<ServerId, readonly SavedInput[]>>;
  readonly presentations: readonly Presentation[];
}

export const initialLive: LiveState = {
  ready: false,
  number: 0,
  order: [],
  groups: [],
  servers: {},
  sessions: {},
  catalogs: {},
  connections: {},
  issues: {},
  subscriptions: {},
  taskLists: {},
  auth: {},
  diagnoses: {},
  checks: {},
  serverRequests: {},
  serverRequestOrder: {},
  operations: {},
  operationOrder: {},
  running: {},
  logs: {},
  notices: [],
  offer: false,
  settings: DEFAULT_SETTINGS,
  savedInputs: {},
  presentations: [],
};

/** Returns the health problem of an open connection; `null` if there is no problem, or no open connection. */
export function healthOf(live: LiveState, server: ServerId): HealthProblem | null {
  return live.sessions[server]?.phase === "ready" ? (live.connections[server]?.health ?? null) : null;
}

/** Returns the subscription to the resource with this URI, if there is one. */
export function subscriptionTo(live: LiveState, server: ServerId, uri: string): ResourceSubscription | undefined {
  return live.subscriptions[server]?.subscriptions.find((one) => one.uri === uri);
}

/** Thrown for a batch that does not follow the previous one: events are lost, so request a snapshot. */
export class Gap extends Error {
  override readonly name = "Gap";
}

/**
 * Returns the state after a batch.
 *
 * @throws Gap when an events batch does not follow the last one.
 */
export function reduce(state: LiveState, batch: Batch): LiveState {
  switch (batch.type) {
    case "snapshot": {
      // Log views outlive a snapshot: they belong to the panes that opened them. Versions of issues only grow.
      const { logs, issues } = state;
      return { ...applyAll({ ...initialLive, logs, issues }, batch.events), ready: true, number: batch.number };
    }
    case "events": {
      if (!state.ready || batch.number !== state.number + 1) {
        throw new Gap(`batch ${batch.number} after ${state.number}`);
      }
      return { ...applyAll(state, batch.events), number: batch.number };
    }
    default:
      return never(batch);
  }
}

/** Tables with one entry for each server. */
const BY_SERVER = [
  "servers",
  "sessions",
  "catalogs",
  "connections",
  "issues",
  "subscriptions",
  "taskLists",
  "auth",
  "diagnoses",
  "checks",
  "serverRequestOrder",
  "operationOrder",
  "running",
  "savedInputs",
] as const;

type OwnTable = (typeof BY_SERVER)[number] | "serverRequests" | "operations" | "logs";

/**
 * Applies events in order. Each table is copied at most once per batch, so that a batch of many
 * events over a long history stays linear.
 */
function applyAll(state: LiveState, events: readonly UiEvent[]): LiveState {
  const next: { -readonly [K in keyof LiveState]: LiveState[K] } = { ...state };
  const own = <K extends OwnTable>(table: K): { -readonly [P in keyof LiveState[K]]: LiveState[K][P] } => {
    if (next[table] === state[table]) next[table] = { ...state[table] };
    return next[table] as { -readonly [P in keyof LiveState[K]]: LiveState[K][P] };
  };

  const count = (server: ServerId, change: number): void => {
    if (change !== 0) own("running")[server] = (next.running[server] ?? 0) + change;
  };

  for (const event of events) {
    switch (event.type) {
      case "server": {
        own("servers")[event.data.id] = event.data;
        if (!next.order.includes(event.data.id)) next.order = [...next.order, event.data.id];
        break;
      }
      case "server_removed": {
        const id = event.data;
        const operations = own("operations");
        for (const number of next.operationOrder[id] ?? []) delete operations[number];
        const serverRequests = own("serverRequests");
        for (const number of next.serverRequestOrder[id] ?? []) delete serverRequests[number];
        for (const table of BY_SERVER) delete own(table)[id];
        next.order = next.order.filter((other) => other !== id);
        break;
      }
      case "server_order":
        next.order = event.data.order;
        next.groups = event.data.groups;
        break;
      case "session":
        own("sessions")[event.data.server] = event.data;
        break;
      case "catalog": {
        const { server, kind } = event.data;
        own("catalogs")[server] = { ...next.catalogs[server], [kind]: event.data };
        break;
      }
      case "auth":
        own("auth")[event.data.server] = event.data;
        break;
      case "diagnosis":
        own("diagnoses")[event.data.server] = event.data;
        break;
      case "checks":
        own("checks")[event.data.server] = event.data;
        break;
      case "issues": {
        const { server } = event.data;
        own("issues")[server] = { counts: event.data, version: (next.issues[server]?.version ?? 0) + 1 };
        break;
      }
      case "resource_subscriptions":
        own("subscriptions")[event.data.server] = event.data;
        break;
      case "task_list":
        own("taskLists")[event.data.server] = event.data.list;
        break;
      case "connection":
        own("connections")[event.data.server] = event.data;
        break;
      case "server_request": {
        const { request, server } = event.data;
        if (!(request in next.serverRequests)) {
          own("serverRequestOrder")[server] = [...(next.serverRequestOrder[server] ?? []), request].toSorted(
            (a, b) => a - b,
          );
        }
        own("serverRequests")[request] = event.data;
        break;
      }
      case "server_request_removed": {
        const gone = next.serverRequests[event.data];
        if (gone) {
          delete own("serverRequests")[event.data];
          own("serverRequestOrder")[gone.server] = without(next.serverRequestOrder[gone.server], event.data);
        }
        break;
      }
      case "operation": {
        const { operation, server } = event.data;
        count(server, unfinished(event.data) - unfinished(next.operations[operation]));
        if (!(operation in next.operations)) {
          own("operationOrder")[server] = insertNewestFirst(next.operationOrder[server] ?? [], operation);
        }
        own("operations")[operation] = event.data;
        break;
      }
      case "operation_removed": {
        const gone = next.operations[event.data];
        if (gone) {
          count(gone.server, -unfinished(gone));
          delete own("operations")[event.data];
          own("operationOrder")[gone.server] = without(next.operationOrder[gone.server], event.data);
        }
        break;
      }
      case "log":
        own("logs")[event.data.view] = event.data;
        break;
      case "notice":
        next.notices = [...next.notices.filter((other) => other.id !== event.data.id), event.data];
        break;
      case "notice_removed":
        next.notices = next.notices.filter((other) => other.id !== event.data);
        break;
      case "offer":
        next.offer = event.data;
        break;
      case "settings":
        next.settings = event.data;
        break;
      case "saved_inputs":
        own("savedInputs")[event.data.server] = event.data.inputs;
        break;
      case "presentations":
        next.presentations = event.data;
        break;
      case "closing":
        // The app handles it once the batch is applied.
        break;
      default:
        never(event);
    }
  }
  return next;
}

/** Returns 1 for an operation that has not ended, otherwise 0. */
function unfinished(operation: OperationView | undefined): 0 | 1 {
  return operation !== undefined && operation.state !== "finished" ? 1 : 0;
}

/**
 * Inserts a number into a list that is sorted newest first. Numbers only grow, so its place is nearly always the front.
 */
function insertNewestFirst(numbers: readonly OperationNumber[], operation: OperationNumber): OperationNumber[] {
  const at = numbers.findIndex((other) => other < operation);
  return at < 0 ? [...numbers, operation] : [...numbers.slice(0, at), operation, ...numbers.slice(at)];
}

function without(numbers: readonly number[] = [], gone: number): number[] {
  return numbers.filter((number) => number !== gone);
}

/** Fails to compile when a case is missing; at run time an unknown event changes nothing. */
function never(value: never): never {
  throw new Error(`unknown event ${JSON.stringify(value)}`);
}
