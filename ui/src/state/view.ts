import type { AppRule } from "./appRules";
import type { SamplingDraft } from "./sampling";
import type {
  OperationNumber,
  CatalogKind,
  IssueFilter,
  LogFilter,
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
  "hosts",
  "wire",
  "console",
  "request",
  "connection",
  "about",
  "sign_in",
] as const;
export type Tab = (typeof tabs)[number];

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
export type MaximizedPane = "list" | "form" | "runs" | "run" | "wire_entry" | "console" | "issues" | "hosts";

/** The kinds that the view of the resources shows. */
export type ResourceKind = "resources" | "resource_templates";

/** Choice on the Resources tab: an item of one of its lists, or a URI that was typed or found in a result. */
export type ResourceChoice =
  | { readonly type: "item"; readonly kind: ResourceKind; readonly key: string }
  | { readonly type: "uri"; readonly uri: string };

/** The panes of a view with items, as the tools: if there is not room for all, one of them is shown. */
export type ToolsPart = "list" | "form" | "runs";

type PerKind<T> = Readonly<Partial<Record<CatalogKind, T>>>;

/** A rule, or one case of it, in the view of the issues. */
export interface IssueChoice {
  readonly rule: string;
  /** The id of the case; `null` for the rule itself. */
  readonly case: string | null;
  /** Location of the case, which tells it from others of the selected subject. */
  readonly location?: string | null;
}

/** A place in the subject of an issue. */
export interface IssuePlace {
  /** The key of the subject. */
  readonly subject: string;
  /** A JSON Pointer, from the root of it or from the result, params or error of a message. */
  readonly pointer: string;
}

/** Grouping of issues: by rule, or by the item that breaks it. */
export type IssueGrouping = "rule" | "item";

/** State of the Hosts tab. */
export interface HostsUi {
  /** The ids of the hosts with a column; `null` as long as the user chose none. */
  readonly chosen: readonly string[] | null;
  /** Shows only tools with a problem in one of them. */
  readonly problems: boolean;
  readonly search: string;
  /** The current cell: a host as a whole without a tool, a tool as a whole without a host. */
  readonly shown: { readonly host: string | null; readonly tool: string | null } | null;
}

export const initialHosts: HostsUi = { chosen: null, problems: false, search: "", shown: null };

/** State of the wire log. */
export interface WireUi {
  /** Its filter, without the search text; `null` until one was set. */
  readonly filter: LogFilter | null;
  readonly text: string;
  readonly selection: {
    /** The entry of the row. */
    readonly seq: number;
    readonly index: number;
    /** The entry whose details are shown. */
    readonly shown: number;
    /** The newest entry when it was selected. */
    readonly seen: number;
  } | null;
  /** Shows times since the start of the connection. */
  readonly relative: boolean;
}

/** State of the console. */
export interface ConsoleUi {
  readonly text: string;
  /** Names of the visible sources; empty shows all. */
  readonly sources: readonly string[];
  readonly least: number | null;
  readonly logger: string | null;
  readonly details: boolean;
  /** Number of lines on stderr at the last look, and the connection that they belong to. */
  readonly seen: { readonly generation: number; readonly lines: number } | null;
}

/** Filters above the runs. */
export interface RunsUi {
  readonly text: string;
  /** Shows only the runs of the item beside them. */
  readonly only: boolean;
  /** Run shown anyway beside an item, as it was started or asked for there. */
  readonly also: { readonly run: OperationNumber; readonly beside: string } | null;
}

/** State of views that are recreated each time they are shown. */
export interface PaneStates {
  readonly wire: WireUi;
  readonly console: ConsoleUi;
  readonly runs: RunsUi;
  readonly issues: IssueFilter;
}

const initialPaneStates: PaneStates = {
  wire: { filter: null, text: "", selection: null, relative: true },
  console: { text: "", sources: [], least: null, logger: null, details: false, seen: null },
  runs: { text: "", only: true, also: null },
  issues: { text: "", severities: [], groups: [], muted: false },
};

/** Texts of the editor of a run's name and note. */
export interface LabelDraft {
  readonly name: string;
  readonly note: string;
}

/** State of the window for one server. */
export interface ServerUi extends PaneStates {
  readonly tab: Tab;
  /** Key of the selected tool. */
  readonly tool: string | null;
  /** The visible list of the Resources tab. */
  readonly resourceKind: ResourceKind;
  readonly resource: ResourceChoice | null;
  /** Typed variables of resource templates, by the key of the template. */
  readonly templateValues: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** URIs of resources that are read again at each update. */
  readonly rereads: readonly string[];
  /** The cached read that Read showed last without a request, as the server allows. */
  readonly fromCache: OperationNumber | null;
  /** Key of the selected prompt. */
  readonly prompt: string | null;
  /** Key of the selected skill. */
  readonly skill: string | null;
  /** Search text of each list. */
  readonly search: PerKind<string>;
  readonly run: OperationNumber | null;
  /** Permissions of the server's apps to act without asking; see `appRules.ts`. */
  readonly appRules: readonly AppRule[];
  /** The run whose name and note are being edited. */
  readonly labelling: OperationNumber | null;
  /** Names and notes of runs that were typed and are not saved. */
  readonly labelDrafts: Readonly<Record<OperationNumber, LabelDraft>>;
  /** The entry that the wire pane is to show and select; cleared by the pane once done. */
  readonly wireTarget: number | null;
  /** The wire pane is limited to this operation. */
  readonly wireOperation: OperationNumber | null;
  /** The wire pane is limited to violations of the specification. */
  readonly wireIssuesOnly: boolean;
  readonly hosts: HostsUi;
  /** The wire pane is limited to the findings of this rule. */
  readonly wireRule: string | null;
  /** Selection among the issues. */
  readonly issue: IssueChoice | null;
  /** Key of a subject whose case of the selected rule is to be selected; without a rule, the subject itself. */
  readonly issueSubject: string | null;
  /** Place of the followed issue in its subject, while the subject is shown. */
  readonly issuePlace: IssuePlace | null;
  /** By what the issues are listed. */
  readonly issueGrouping: IssueGrouping;
  /** The reasons that were typed for muting rules, by the rule, until these are muted. */
  readonly muteReasons: Readonly<Record<string, string>>;
  /** The rules and the subjects whose cases are listed, by their ids and keys. */
  readonly openIssues: readonly string[];
  /** Time of each list's difference that was dismissed. */
  readonly seenDiff: PerKind<number>;
  /** Pane shown in place of all panes of the view. */
  readonly maximized: MaximizedPane | null;
  /** The pane of the tools that was gone to last, for a window that has room for one. */
  readonly part: ToolsPart;
  /**
   * Saved inputs opened for a tool: their list, or the name field to save values. `text` has values that are not in
   * the form.
   */
  readonly inputs:
    | { readonly type: "list"; readonly tool: string }
    | { readonly type: "save"; readonly tool: string; readonly text: string | null }
    | null;
  /** The tools for disturbing the connection are open. */
  readonly faultsOpen: boolean;
  /** The server requests above the tabs are folded away. */
  readonly serverRequestsFolded: boolean;
  /** The frame that is being written by hand. */
  readonly rawFrame: string;
  // Sign-ins are named by `waitingSignIn`.
  /** The sign-in whose card has had the focus. */
  readonly signInSeen: string | null;
  /** The sign-in whose card above the tabs is folded away. */
  readonly signInFolded: string | null;
  /** The address at which the browser ended, as it is being typed for one sign-in. */
  readonly redirect: { readonly signIn: string; readonly text: string } | null;
}

/** Identifies the item that a tab shows beside the runs. */
export function besideRuns({ tab, tool, resource, prompt }: ServerUi): string {
  return JSON.stringify([tab, tool, resource, prompt]);
}

/** The run filter, changed so that a run is shown beside the present item. */
export function withRun(ui: ServerUi, run: OperationNumber): RunsUi {
  return { ...ui.runs, also: { run, beside: besideRuns(ui) } };
}

export const initialServerUi: ServerUi = {
  ...initialPaneStates,
  tab: "tools",
  tool: null,
  resourceKind: "resources",
  resource: null,
  templateValues: {},
  rereads: [],
  fromCache: null,
  prompt: null,
  skill: null,
  search: {},
  run: null,
  appRules: [],
  labelling: null,
  labelDrafts: {},
  wireTarget: null,
  wireOperation: null,
  wireIssuesOnly: false,
  hosts: initialHosts,
  wireRule: null,
  issue: null,
  issueSubject: null,
  issuePlace: null,
  issueGrouping: "rule",
  muteReasons: {},
  openIssues: [],
  seenDiff: {},
  maximized: null,
  part: "list",
  inputs: null,
  faultsOpen: false,
  serverRequestsFolded: false,
  rawFrame: "",
  signInSeen: null,
  signInFolded: null,
  redirect: null,
};

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
  readonly localNotices: readonly Notice[];
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
