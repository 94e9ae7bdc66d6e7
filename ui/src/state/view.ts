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
import type { FormDocument } from "../schema/document";
import type { Giving } from "./giving";

/** Origin of an address to open. */
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

/** A row of the checks: a file, a group of checks (`group`), or one check (`step`). */
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
  /** Comparison of two runs; without the second run, its choice. */
  | {
      readonly type: "compare";
      readonly first: OperationNumber;
      readonly second: OperationNumber | null;
      readonly maximized?: boolean;
      /** The previously compared run, while another one is chosen. */
      readonly before?: OperationNumber;
    }
  /** The page that keeps a run as a check. */
  | { readonly type: "keep_check"; readonly operation: OperationNumber }
  /** Comparison of the present result of a check with its baseline. */
  | {
      readonly type: "compare_check";
      readonly server: ServerId;
      readonly check: CheckPlace;
      readonly maximized?: boolean;
    }
  /** Comparison of the lists of two servers, or of one server at two times. */
  | { readonly type: "compare_lists"; readonly left: ListSide; readonly right: ListSide }
  | {
      readonly type: "confirm_command";
      readonly server: ServerId;
      readonly how: "connect" | "restart";
      /** From {@link ViewState.commandQueue}: back there if another panel replaces it. */
      readonly queued?: boolean;
    }
  /** All presentations; `adding` is a step to add to the chosen one. */
  | { readonly type: "presentations"; readonly adding?: PresentationStep }
  /** One presentation; the title of a new one is selected, to be replaced. */
  | { readonly type: "presentation"; readonly presentation: string; readonly isNew?: boolean }
  /** `at` is the place that gets the focus. */
  | { readonly type: "settings"; readonly at?: "secrets" }
  /** A page of the guide, by the name of its file. */
  | { readonly type: "help"; readonly page: string; readonly at: HelpPlace | null };

/** A place in a page of the guide: a heading, or the text about a failure. */
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
      "seq" | "kind" | "out" | "bytes" | "has_body" | "operation" | "partner" | "method"
    >);

/** The levels of log messages, least severe first (RFC 5424). */
export const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

/** Marks the element that shows a subject, for its context menu. */
export function subjectMark(subject: Subject): { readonly "data-subject": string } {
  return { "data-subject": JSON.stringify(subject) };
}

/** A failure in the window. */
export interface LocalNotice extends Notice {
  /** The server that was selected at that time. */
  readonly at: ServerId | null;
}

/** Unsaved form of one tool or prompt. */
export interface Draft {
  readonly document: FormDocument;
  /** The schema has password or write-only fields: keep the text in memory only. */
  readonly isPrivate: boolean;
  /** The schema this document was made for. */
  readonly schemaText: string;
  /** The saved input that it was filled in with, or saved as. */
  readonly input: string | null;
  /** The draft that was replaced, as by a reset; it can be restored. */
  readonly replaced: Replaced | null;
}

/** A draft that was replaced. */
export interface Replaced {
  readonly before: Draft;
  /** The document that replaced it. */
  readonly by: FormDocument;
  /** Closes the toast that offers to restore it. */
  readonly closeToast: () => void;
}

/** Choices made by hand for one imported text, by the indices of its servers. */
export interface ImportChoice {
  /** Servers whose default choice was reversed by hand. */
  readonly turned: ReadonlySet<number>;
  /** Typed names. */
  readonly names: Readonly<Record<number, string>>;
}

/** Unsaved form of the Import panel. */
export interface ImportForm {
  /** Text that the panel was opened with. */
  readonly pasted: string;
  readonly text: string;
  /** For each text: the typed one, and files of other clients by their paths. */
  readonly choices: Readonly<Record<string, ImportChoice>>;
  /** The imported presentation replaces the one with its title. */
  readonly replacing: boolean;
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

/** Panes of a tab with items, such as the tools. If there is no room for all, one of them is shown. */
export type ToolsPart = "list" | "form" | "runs";

/** State of the window for one server. */
export interface ServerUi {
  readonly tab: Tab;
  /** Pane shown in place of all panes. */
  readonly maximized: MaximizedPane | null;
  /** Tools pane that was visited last, for a window that has room for only one. */
  readonly part: ToolsPart;
  /** State of the features, by the name of their slice. */
  readonly slices: Readonly<Record<string, unknown>>;
}

export const initialServerUi: ServerUi = { tab: "tools", maximized: null, part: "list", slices: {} };

/** The server beside the selected one, on its left or right. */
export interface Beside {
  readonly server: ServerId;
  readonly left: boolean;
}

export interface ViewState {
  /** The presentation that fills the window. */
  readonly giving: Giving | null;
  /** Presentations as they were left, by id, to be resumed. */
  readonly left: Readonly<Record<string, Giving>>;
  /** The presentation that was left last. */
  readonly lastGiven: string | null;
  readonly server: ServerId | null;
  /** Text that the names of the listed servers must contain. */
  readonly serverFilter: string;
  readonly beside: Beside | null;
  readonly panel: Panel | null;
  /** Servers whose commands are asked about one after the other, each once no panel is open. */
  readonly commandQueue: readonly ServerId[];
  readonly perServer: Readonly<Record<ServerId, ServerUi>>;
  /** By {@link draftKey}. */
  readonly drafts: Readonly<Record<string, Draft>>;
  /** Typed texts that are stored like the drafts, by `textKey`. */
  readonly texts: Readonly<Record<string, string>>;
  /** Drafts of replies to open server requests, by server request. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Unsaved forms of servers, by server id or `new`. */
  readonly serverForms: Readonly<Record<string, ServerConfig>>;
  readonly importForm: ImportForm | null;
  /** Edits of presentations that the host has not confirmed yet. */
  readonly presentations: Readonly<Record<string, Presentation>>;
  /** The group of servers that is being renamed. */
  readonly editedGroup: string | null;
  /** Overlay above everything else. */
  readonly overlay: "palette" | "shortcuts" | null;
  /** The open context menu: its subject (none for a selected text), and its position. */
  readonly menu: { readonly label: string; readonly subject: Subject | null; readonly at: DOMRectReadOnly } | null;
  /** The {@link focusMark} of the element that should take the focus once it is rendered. */
  readonly focus: string | null;
  /** The server whose sign-in card should take the focus once it is rendered. */
  readonly signInFocus: ServerId | null;
  /** The address that the user is asked to open. */
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
  commandQueue: [],
  perServer: {},
  drafts: {},
  texts: {},
  answers: {},
  serverForms: {},
  importForm: null,
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
 * Returns the view with another server selected. If that server was beside the previous one, both keep their places.
 */
export function withServer(view: ViewState, server: ServerId | null): ViewState {
  const { server: before, beside } = view;
  if (beside === null || server !== beside.server) return { ...view, server };
  return { ...view, server, beside: before === null ? null : { server: before, left: !beside.left } };
}

/**
 * Returns the view with the question about the next queued command, unless a panel is open. If a panel about something
 * else has replaced the queued question that was open before, that question is the next one.
 */
export function withNextQuestion(view: ViewState, before: Panel | null): ViewState {
  const { panel } = view;
  if (panel !== null) {
    if (before?.type !== "confirm_command" || before.queued !== true) return view;
    const isReplaced = !("server" in panel && panel.server === before.server);
    return isReplaced ? { ...view, commandQueue: [before.server, ...view.commandQueue] } : view;
  }
  const [server, ...commandQueue] = view.commandQueue;
  if (server === undefined) return view;
  return { ...view, commandQueue, panel: { type: "confirm_command", server, how: "connect", queued: true } };
}

/** Marks an element for {@link ViewState.focus}. */
export function focusMark(name: string): { readonly "data-focus-name": string } {
  return { "data-focus-name": name };
}

/** Panes of the window that F6 cycles through, if they are visible. */
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

/** Names of focus marks. */
export const focusNames = {
  pane: (pane: Pane) => `pane ${pane}`,
  search: "search",
  form: (draft: string) => `form ${draft}`,
  run: (operation: OperationNumber) => `run ${operation}`,
  inputs: "saved inputs",
  /** The field for a URI typed by hand. */
  uri: "form uri",
  input: (input: string) => `input ${input}`,
  group: (group: string) => `group ${group}`,
};

/** Target with a form of its own: a tool, by its key in the list, or a prompt. */
export type FormTarget = string | { readonly method: "prompts/get"; readonly key: string };

/** Returns the method and the key of a form's target. */
export function methodOf(target: FormTarget): { readonly method: string; readonly target: string } {
  return typeof target === "string" ? { method: "tools/call", target } : { method: target.method, target: target.key };
}

/** Returns the list, and the tab, of a form's target. */
export function kindOf(target: FormTarget): "tools" | "prompts" {
  return typeof target === "string" ? "tools" : "prompts";
}

/** Returns the target whose form a run belongs to; `null` if it is not in the list, or no longer. */
export function formTargetOf({ method, key }: Pick<OperationView, "method" | "key">): FormTarget | null {
  if (key === null) return null;
  if (method === "prompts/get") return { method, key };
  return method === "tools/call" ? key : null;
}

/** Names the draft of a form. Server ids hold no newline. */
export function draftKey(server: ServerId, target: FormTarget): string {
  return typeof target === "string" ? `${server}\n${target}` : `${server}\n${target.method}\n${target.key}`;
}
