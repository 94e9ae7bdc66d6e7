import type { SamplingDraft } from "./sampling";
import type {
  OperationNumber,
  CatalogKind,
  CheckId,
  ListSide,
  LogRow,
  Notice,
  OperationView,
  Presentation,
  PresentationStep,
  ServerConfig,
  ServerId,
} from "../ipc/bindings";
import type { FormDocument } from "../schema";
import type { Giving } from "./giving";

/** Sources of an address that can be opened. */
export type LinkSource = "server" | "specification" | "guide" | "releases" | "hosts";

/** The tabs of a server in order. */
export const tabs = [
  "tools",
  "resources",
  "prompts",
  "skills",
  "tasks",
  "issues",
  "checks",
  "hosts",
  "wire",
  "console",
  "request",
  "connection",
  "about",
  "sign_in",
] as const;
export type Tab = (typeof tabs)[number];

/** A row of the checks: a file, a group of its checks (`group`), or one check (`step`). */
export interface CheckPlace {
  readonly file: string;
  readonly group: string | null;
  readonly step: string | null;
  /** Place of the check in its file. An edit of the check changes its id, not its place. */
  readonly index: number;
}

/** Panel in the main area, in place of the selected server. */
export type Panel =
  | { readonly type: "add_server" }
  | { readonly type: "edit_server"; readonly server: ServerId }
  /** `text` is what was pasted, empty to begin with an empty field. */
  /** `given`: by the user in this window, not by a link or a file that was opened with the app. */
  | { readonly type: "import"; readonly text: string; readonly given?: boolean }
  | { readonly type: "export"; readonly server: ServerId }
  | { readonly type: "diagnosis"; readonly server: ServerId }
  /** Two runs beside each other; without the second, the choice of it. */
  | {
      readonly type: "compare";
      readonly first: OperationNumber;
      readonly second: OperationNumber | null;
      readonly maximized?: boolean;
      /** The run that was compared before another was to be chosen. */
      readonly before?: OperationNumber;
    }
  /** A run, to be kept as a check. */
  | { readonly type: "keep_check"; readonly operation: OperationNumber }
  /** The present result of a check beside its baseline. */
  | {
      readonly type: "compare_check";
      readonly server: ServerId;
      readonly check: CheckPlace;
      readonly maximized?: boolean;
    }
  /** The lists of two servers, or of two moments of one. */
  | { readonly type: "compare_lists"; readonly left: ListSide; readonly right: ListSide }
  | {
      readonly type: "confirm_command";
      readonly server: ServerId;
      readonly how: "connect" | "restart";
      /** Servers whose commands are asked about after this one. */
      readonly then?: readonly ServerId[];
    }
  /** All presentations; `adding` is a step for the one that is chosen. */
  | { readonly type: "presentations"; readonly adding?: PresentationStep }
  /** One presentation; where it is new its title is selected, to be replaced. */
  | { readonly type: "presentation"; readonly presentation: string; readonly isNew?: boolean }
  /** `at` is where the focus goes. */
  | { readonly type: "settings"; readonly at?: "secrets" }
  /** A page of the guide, by the name of its file. */
  | { readonly type: "help"; readonly page: string; readonly at: HelpPlace | null };

/** A place in a page of the guide: a heading, or what it says about something that failed. */
export type HelpPlace =
  | { readonly type: "heading"; readonly slug: string }
  | { readonly type: "failure"; readonly code: string; readonly sentence: string };

/** Subject of an action, if it is not the window. */
export type Subject =
  | { readonly type: "server"; readonly server: ServerId }
  /** A group of servers in the list. */
  | { readonly type: "group"; readonly group: string }
  | { readonly type: "item"; readonly server: ServerId; readonly kind: CatalogKind; readonly key: string }
  | { readonly type: "run"; readonly operation: OperationNumber }
  | { readonly type: "check"; readonly server: ServerId; readonly check: CheckId }
  /** A saved input. */
  | { readonly type: "input"; readonly input: string }
  | { readonly type: "presentation"; readonly presentation: string }
  | { readonly type: "step"; readonly presentation: string; readonly place: number }
  | ({ readonly type: "entry"; readonly server: ServerId } & Pick<
      LogRow,
      "seq" | "kind" | "out" | "bytes" | "operation" | "partner" | "method"
    >);

/** The levels of log messages, least severe first (RFC 5424). */
export const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

/** Marks the element that shows a subject: its context menu is about that. */
export function subjectMark(subject: Subject): { readonly "data-subject": string } {
  return { "data-subject": JSON.stringify(subject) };
}

/** A failure in the window. */
export interface LocalNotice extends Notice {
  /** The server that was selected then. */
  readonly at: ServerId | null;
}

/** Unsaved form of one tool or prompt. */
export interface Draft {
  readonly document: FormDocument;
  /** The schema has password or write-only fields: keep the text in memory only. */
  readonly isPrivate: boolean;
  /** The schema this document was made for. */
  readonly schemaText: string;
  /** The saved input that it was filled with, or saved as. */
  readonly input: string | null;
  /** The replaced draft, as after a reset; it can be restored. */
  readonly replaced: Replaced | null;
}

/** A draft that was replaced. */
export interface Replaced {
  readonly before: Draft;
  /** The document that replaced it. */
  readonly by: FormDocument;
  /** Closes the toast that offers to bring it back. */
  readonly closeToast: () => void;
}

/** Draft of the reply to a server request. */
export interface Answer {
  /** The filled form; `null` if the server request has no form. */
  readonly document: FormDocument | null;
  /** A result as JSON text, for requests without a form. */
  readonly raw: string;
  /** The reply of a model in its own form; `null` while {@link raw} is edited. */
  readonly sampling: SamplingDraft | null;
}

/** Panes that can be maximized; `run` is the selected run alone. */
export type MaximizedPane = "list" | "form" | "runs" | "run" | "wire_entry" | "console" | "issues" | "checks" | "hosts";

/** The panes of a view with items, as the tools: if there is not room for all, one of them is shown. */
export type ToolsPart = "list" | "form" | "runs";

/** State of the window for one server. */
export interface ServerUi {
  readonly tab: Tab;
  /** Pane shown in place of all panes of the view. */
  readonly maximized: MaximizedPane | null;
  /** The pane of the tools that was gone to last, for a window that has room for one. */
  readonly part: ToolsPart;
  /** State of the features, by the name of their slice. */
  readonly slices: Readonly<Record<string, unknown>>;
}

export const initialServerUi: ServerUi = { tab: "tools", maximized: null, part: "list", slices: {} };

/** The server that stands beside the selected one, at its left or its right. */
export interface Beside {
  readonly server: ServerId;
  readonly left: boolean;
}

export interface ViewState {
  /** The presentation that takes the whole window. */
  readonly giving: Giving | null;
  /** Presentations as they were left, by id: they go on there. */
  readonly left: Readonly<Record<string, Giving>>;
  /** The presentation that was left last. */
  readonly lastGiven: string | null;
  readonly server: ServerId | null;
  /** Text that the names of the listed servers must contain. */
  readonly serverFilter: string;
  readonly beside: Beside | null;
  readonly panel: Panel | null;
  readonly perServer: Readonly<Record<ServerId, ServerUi>>;
  /** By {@link draftKey}. */
  readonly drafts: Readonly<Record<string, Draft>>;
  /** Typed texts that are stored like the drafts, by `textKey`. */
  readonly texts: Readonly<Record<string, string>>;
  /** Drafts of replies to open server requests, by server request. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Unsaved forms of servers, by server id or `new`. */
  readonly serverForms: Readonly<Record<string, ServerConfig>>;
  /** Edits of presentations that the host has not confirmed yet. */
  readonly presentations: Readonly<Record<string, Presentation>>;
  /** The group of servers whose name is being typed. */
  readonly editedGroup: string | null;
  /** Overlay above everything else. */
  readonly overlay: "palette" | "shortcuts" | null;
  /** The open context menu: its subject, unless it is only about a text, and its place. */
  readonly menu: { readonly label: string; readonly subject: Subject | null; readonly at: DOMRectReadOnly } | null;
  /** The element with this {@link focusMark} is to take the focus, now or as soon as it is there. */
  readonly focus: string | null;
  /** The card of this server's sign-in is to take the focus once it is there. */
  readonly signInFocus: ServerId | null;
  /** The address that the user is asked about before it is opened. */
  readonly opening: { readonly url: string; readonly from: LinkSource } | null;
  /** Commands that failed, shown beside the host's notices. */
  readonly localNotices: readonly LocalNotice[];
}

export const initialView: ViewState = {
  giving: null,
  left: {},
  lastGiven: null,
  server: null,
  serverFilter: "",
  beside: null,
  panel: null,
  perServer: {},
  drafts: {},
  texts: {},
  answers: {},
  serverForms: {},
  presentations: {},
  editedGroup: null,
  overlay: null,
  menu: null,
  focus: null,
  signInFocus: null,
  opening: null,
  localNotices: [],
};

/**
 * The view with another server selected. Where that stands beside the one before, the two change their roles and
 * stay where they are.
 */
export function withServer(view: ViewState, server: ServerId | null): ViewState {
  const { server: before, beside } = view;
  if (beside === null || server !== beside.server) return { ...view, server };
  return { ...view, server, beside: before === null ? null : { server: before, left: !beside.left } };
}

/** Marks an element for {@link ViewState.focus}. */
export function focusMark(name: string): { readonly "data-focus-name": string } {
  return { "data-focus-name": name };
}

/** The parts of the window that F6 goes round, where they are on show. */
export type Pane =
  | "servers"
  | "header"
  | "tabs"
  | "content"
  | "list"
  | "form"
  | "runs"
  | "filters"
  | "entries"
  | "details"
  | "panel";

/** The names of the marks. */
export const focusNames = {
  pane: (pane: Pane) => `pane ${pane}`,
  search: "search",
  form: (draft: string) => `form ${draft}`,
  run: (operation: OperationNumber) => `run ${operation}`,
  inputs: "saved inputs",
  /** The field of a URI that is written by hand. */
  uri: "form uri",
  input: (input: string) => `input ${input}`,
  group: (group: string) => `group ${group}`,
};

/** Target with a form of its own: a tool, by its key in the list, or a prompt. */
export type FormTarget = string | { readonly method: "prompts/get"; readonly key: string };

/** The method and the key of what has a form. */
export function methodOf(target: FormTarget): { readonly method: string; readonly target: string } {
  return typeof target === "string" ? { method: "tools/call", target } : { method: target.method, target: target.key };
}

/** The list, and the tab, of what has a form. */
export function kindOf(target: FormTarget): "tools" | "prompts" {
  return typeof target === "string" ? "tools" : "prompts";
}

/** Returns the target whose form the run belongs to; `null` if the list never had it or has it no longer. */
export function formTargetOf({ method, key }: Pick<OperationView, "method" | "key">): FormTarget | null {
  if (key === null) return null;
  if (method === "prompts/get") return { method, key };
  return method === "tools/call" ? key : null;
}

/** Names the draft of a form. Server ids hold no newline. */
export function draftKey(server: ServerId, target: FormTarget): string {
  return typeof target === "string" ? `${server}\n${target}` : `${server}\n${target.method}\n${target.key}`;
}
