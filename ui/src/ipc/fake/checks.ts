/** Checks of servers: a folder of suites, some of which fail. */
import type {
  Check,
  CheckCase,
  CheckDraft,
  CheckId,
  CheckResult,
  Checks,
  CheckSuite,
  ListComparison,
  ServerId,
} from "../bindings";
import { fail } from "./fail";
import type { Handlers } from "./handlers";
import { prepare } from "./presenting";
import type { World } from "./world";

/** Duration of a run, in ms. */
const TIME = 900;

const OWN = "/home/ada/.local/share/Sonde/checks";
const REPOSITORY = "/home/ada/harbour/checks";
const OWN_FILE = "checks.sonde.yaml";
const VERSION = { server_name: "harbour", version: "1.5.0", revision: "2025-11-25" };

export function result(change: Partial<CheckResult> = {}): CheckResult {
  return {
    state: "passed",
    failures: [],
    reason: null,
    duration: 12_400,
    at: Date.now() - 60_000,
    ...VERSION,
    differs: false,
    baseline_missing: false,
    cases: [],
    ...change,
  };
}

export function check(file: string, name: string, request: string, change: Partial<Check> = {}): Check {
  return {
    id: { file, step: name },
    name,
    group: null,
    request,
    tool: request.startsWith("call ") ? request.slice(5) : null,
    arguments: null,
    on: true,
    skip_reason: null,
    destructive: false,
    line: 0,
    result: null,
    ...change,
  };
}

export function suite(
  file: string,
  name: string,
  checks: readonly Check[],
  change: Partial<CheckSuite> = {},
): CheckSuite {
  const lined = checks.map((one, place) => ({ ...one, line: 6 + place * 7 }));
  return { file, name, server: null, describes_server: false, problems: [], checks: lined, ...change };
}

export function empty(server: ServerId, change: Partial<Checks> = {}): Checks {
  return {
    server,
    folder: `${OWN}/${server}`,
    own_folder: true,
    suites: [],
    run: null,
    last: null,
    before: null,
    too_many: 0,
    problem: null,
    ...change,
  };
}

/** Results for the two cases of a matrix. */
function cases(
  first: CheckCase["state"],
  second: CheckCase["state"],
  duration: number,
  before = duration,
): Pick<CheckResult, "cases"> {
  return {
    cases: [
      { label: "2025-11-25", state: first, duration: before },
      { label: "2026-07-28", state: second, duration: second === "broken" ? null : duration },
    ],
  };
}

const differs = result({
  state: "failed",
  differs: true,
  failures: [
    {
      line: 17,
      differs: true,
      message: 'result/structuredContent/generatedAt: expected "2026-11-24T08:00Z", found "2026-11-25T09:30Z".',
      path: "/structuredContent/generatedAt",
    },
    {
      line: 17,
      differs: true,
      message: "result/structuredContent/tides/1/metres: expected 2.2, found 2.",
      path: "/structuredContent/tides/1/metres",
    },
  ],
});

const broken: CheckSuite = suite("draft.sonde.yaml", "draft.sonde.yaml", [], {
  problems: [
    { line: 9, column: 5, message: "`expct` is no key of a step. Did you mean `expect`?" },
    { line: 14, column: 11, message: "`error` is true or false, not `maybe`." },
  ],
});

/** Two suites of a harbour, with checks in every state. */
function harbour(): CheckSuite[] {
  const file = "harbour.sonde.yaml";
  const slow = "slow/reports.sonde.yaml";
  const tides = { group: "Tides" };
  return [
    suite(file, "Harbour, the happy path", [
      check(file, "The tools are those that we shipped", "list tools", { result: result({ duration: 3_100 }) }),
      check(file, "Greets by name", "call say_hello", { arguments: '{"name":"Ada"}', result: result() }),
      check(file, "Tides of three days", "call read_tide_table", {
        ...tides,
        arguments: '{"days":3}',
        result: differs,
      }),
      check(file, "No days is a tool error", "call read_tide_table", {
        ...tides,
        arguments: '{"days":0}',
        result: result({ duration: 870 }),
      }),
      check(file, "Empties the harbour", "call empty_harbour", {
        destructive: true,
        result: result({ state: "skipped", reason: "Destructive checks were not included.", duration: null }),
      }),
    ]),
    suite(
      slow,
      "Slow reports",
      [
        check(slow, "The survey is quick enough", "call survey_buoys", {
          arguments: '{"buoys":500}',
          result: result({
            state: "failed",
            duration: 3_104_000,
            ...cases("passed", "failed", 3_104_000, 904_000),
            failures: [
              { line: 12, message: "2026-07-28: duration: expected < 2s, found 3.1s.", differs: false, path: null },
            ],
          }),
        }),
        check(slow, "The logbook can be read", "read station://logbook", {
          result: result({
            state: "broken",
            ...cases("passed", "broken", 2_300),
            reason: "2026-07-28: The server's process ended before it answered.",
            duration: null,
          }),
        }),
        check(slow, "The chart has two layers", "call show_chart", {
          result: result({
            state: "incomplete",
            reason: "2025-11-25: The server asked for input, and no answer is written.",
            ...cases("incomplete", "passed", 12_400),
          }),
        }),
        check(slow, "Old reports", "call old_report", { on: false, skip_reason: "Removed in 2.0" }),
        check(slow, "The weather of tomorrow", "call forecast", { arguments: '{"days":1}' }),
      ],
      { server: "harbour" },
    ),
  ];
}

/** Gives a server one of the prepared sets of checks. */
export function prepareChecks(
  world: World,
  server: ServerId,
  like: "run" | "running" | "new" | "broken" | "unreadable",
): void {
  const base = empty(server, { folder: REPOSITORY, own_folder: false, suites: harbour() });
  const ran = { ...VERSION, at: Date.now() - 60_000, passed: 3, failed: 3, off: 0, skipped: 1, other: 1 };
  const before = { ...ran, version: "1.4.0", passed: 8, failed: 0, skipped: 0, other: 0 };
  const put = (checks: Partial<Checks>): void => void world.checks.set(server, { ...base, ...checks });
  if (like === "run") put({ last: ran, before });
  if (like === "new") put({ suites: base.suites.map((one) => ({ ...one, checks: one.checks.map(fresh) })) });
  if (like === "broken") put({ last: ran, suites: [broken, ...base.suites], too_many: 12 });
  if (like === "unreadable") {
    put({ suites: [], problem: `The folder ${REPOSITORY} cannot be read: it does not exist any more.` });
  }
  if (like === "running") {
    const states = ["passed", "running", "waiting"] as const;
    const suites = base.suites.map((one, at) => ({
      ...one,
      checks: one.checks.map((each, place) => ({
        ...each,
        result: result({ state: states[Math.min(2, at * 5 + place)] ?? "waiting" }),
      })),
    }));
    put({ suites, last: ran, run: { done: 1, total: 9, on: null, stopping: false } });
  }
}

const fresh = (one: Check): Check => ({ ...one, result: null });

/** Writes the choices for a check, each in a line. */
function choicesText(draft: CheckDraft): string {
  return Object.entries(draft)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join("\n");
}

type Change = ListComparison["changes"][number];

const changed = (list: Change["list"], name: string, kind: Change["class"], words: string): Change => ({
  list,
  name,
  class: kind,
  words: `\`${name}\`${words}`,
});

const changes: readonly Change[] = [
  changed("tools", "get_product", "breaking", ": it is gone."),
  changed("tools", "search", "breaking", " at /inputSchema/required: `currency` is required now."),
  changed("tools", "search", "additive", " at /inputSchema/properties/currency/enum: `HRK` is new."),
  changed("tools", "stock_report", "additive", ": it is new."),
  changed("prompts", "greet", "routing", ' at /description: "Says hello." became "Greets a guest.".'),
];

/** Commands that keep, run and edit checks. */
export function checking(world: World) {
  const tell = (checks: Checks): void => {
    world.checks.set(checks.server, checks);
    world.channel.send({ type: "checks", data: checks });
  };
  const of = (server: ServerId): Checks => world.checks.get(server) ?? empty(server);
  const editable = (): void => {
    if (world.checksReadOnly) fail("storage", "The file cannot be written: the folder is read-only.");
  };
  const isThat = (one: Check, id: CheckId): boolean => one.id.file === id.file && one.id.step === id.step;
  const find = (server: ServerId, id: CheckId): Check =>
    of(server)
      .suites.flatMap(({ checks }) => checks)
      .find((one) => isThat(one, id)) ?? fail("not_found", "This check is no longer in its file.");
  /** Changes the checks of a file. */
  const edit = (server: ServerId, file: string, change: (checks: Check[]) => Check[]): void => {
    editable();
    const checks = of(server);
    const suites = checks.suites.map((one) => (one.file === file ? { ...one, checks: change(one.checks) } : one));
    tell({ ...checks, suites });
  };
  const set = (server: ServerId, id: CheckId, change: Partial<Check>): void => {
    const found = find(server, id);
    edit(server, id.file, (checks) => checks.map((one) => (one === found ? { ...one, ...change } : one)));
  };
  /** Adds a check to its file. */
  const add = (server: ServerId, kept: Check): CheckId => {
    editable();
    const { file } = kept.id;
    const checks = of(server);
    const known = checks.suites.find((one) => one.file === file);
    const next = suite(file, known?.name ?? "Checks", [...(known?.checks ?? []), kept]);
    tell({ ...checks, suites: [...checks.suites.filter((one) => one.file !== file), next] });
    return kept.id;
  };
  /** Checks before they ran again. */
  const earlier = new Map<ServerId, Checks>();
  /** Checks in which a path was ignored. */
  const ignoredAt = new Set<string>();
  const keyOf = ({ file, step }: CheckId): string => `${file} ${step}`;
  const put = (checks: Checks, run: Checks["run"], result: (one: Check) => CheckResult | null): void => {
    const each = (one: Check): Check => ({ ...one, result: result(one) });
    tell({ ...checks, run, suites: checks.suites.map((one) => ({ ...one, checks: one.checks.map(each) })) });
  };

  return {
    open_checks: ({ server }) => tell(of(server)),
    choose_checks_folder: ({ server }) => {
      tell(empty(server, { folder: REPOSITORY, own_folder: false, suites: harbour() }));
      return true;
    },
    use_own_checks_folder: ({ server }) => tell(empty(server)),
    run_checks: ({ server, choice, destructive, on }) => {
      if (!world.server(on ?? server).view.confirmed) {
        fail("command_not_confirmed", "Review the command and confirm it first.");
      }
      const checks = of(server);
      const isChosen = (one: Check): boolean => {
        if (!one.on || (one.destructive && !destructive)) return false;
        if (choice.type === "failed") return ["failed", "broken", "incomplete"].includes(one.result?.state ?? "");
        return choice.type === "all" || choice.checks.some((id) => isThat(one, id));
      };
      const total = checks.suites.flatMap((one) => one.checks).filter(isChosen).length;
      earlier.set(server, checks);
      put(checks, { done: 0, total, on, stopping: false }, (one) =>
        isChosen(one) ? result({ state: "waiting", duration: null }) : one.result,
      );
      setTimeout(() => of(server).run && tell(checks), TIME);
    },
    // Checks that did not run keep their previous result.
    stop_checks: ({ server }) => {
      const open = (one: Check): boolean => one.result?.state === "waiting" || one.result?.state === "running";
      const known = earlier.get(server);
      if (known) tell(known);
      else put(of(server), null, (one) => (open(one) ? null : one.result));
    },
    set_check_on: ({ server, check: id, on }) => set(server, id, { on, skip_reason: null }),
    move_check: ({ server, check: id, index }) => {
      const found = find(server, id);
      edit(server, id.file, (checks) => checks.filter((one) => one !== found).toSpliced(index, 0, found));
    },
    remove_check: ({ server, check: id }) => {
      const found = find(server, id);
      const before = of(server).suites.find(({ file }) => file === id.file)?.checks ?? [];
      edit(server, id.file, (checks) => checks.filter((one) => one !== found));
      return world.deleted(() => edit(server, id.file, () => before));
    },
    check_draft: ({ operation }) => {
      const view = world.operations.get(operation)?.view ?? fail("not_found", "The run was deleted.");
      const { outcome } = view;
      const structured = outcome?.type === "result" && outcome.structured !== null;
      return {
        operation,
        name: view.label.name ?? view.title ?? view.method,
        outcome: outcome?.type === "result" ? (outcome.is_error ? "tool_error" : "done") : "rpc_error",
        no_findings: view.issues === 0,
        result: { type: "same", ignore: [] },
        can_contain: outcome?.type === "result",
        schema: structured,
        has_schema: structured,
        duration_factor: null,
        duration: view.micros,
        file: null,
      };
    },
    preview_check: ({ draft }) => {
      const wrong =
        draft.result.type === "same" ? draft.result.ignore.find((path) => !path.startsWith("/")) : undefined;
      if (wrong !== undefined) fail("invalid_input", `\`${wrong}\` is not a JSON Pointer: it begins with a slash.`);
      return choicesText(draft);
    },
    keep_check: ({ draft }) => {
      const view = world.operations.get(draft.operation)?.view ?? fail("not_found", "The run was deleted.");
      const kept = check(draft.file ?? OWN_FILE, draft.name, `call ${view.target ?? ""}`, {
        arguments: view.arguments,
      });
      return add(view.server, kept);
    },
    add_input_to_checks: ({ input }) => {
      const found = world.savedInputs.find(({ id }) => id === input) ?? fail("not_found", "The input is gone.");
      return add(found.server, check(OWN_FILE, found.name, `call ${found.target}`, { arguments: found.arguments }));
    },
    check_arguments: ({ server, check: id }) => find(server, id).arguments ?? "{}",
    check_comparison: ({ server, check: id }) => {
      find(server, id);
      const text = (at: string, metres: number): string =>
        JSON.stringify({
          content: [{ type: "text", text: "Two tides." }],
          structuredContent: { generatedAt: at, tides: [{ metres: 1.1 }, { metres }] },
        });
      const ignored = ignoredAt.has(keyOf(id));
      const time = ignored ? "" : "2026-11-25T09:30Z";
      return { before: text(ignored ? "" : "2026-11-24T08:00Z", 2.2), now: text(time, 2) };
    },
    accept_check: ({ server, check: id }) => {
      const before = find(server, id);
      set(server, id, { result: result({ at: Date.now() }) });
      return world.deleted(() => set(server, id, before));
    },
    ignore_in_check: ({ server, check: id, pointer }) => {
      const before = find(server, id);
      const last = before.result;
      const failures = last?.failures.filter(({ path }) => path !== pointer) ?? [];
      const state = failures.length > 0 ? "failed" : "passed";
      const changed = { file: id.file, step: `${id.step} without ${pointer}` };
      ignoredAt.add(keyOf(changed));
      set(server, id, {
        id: changed,
        result: last && { ...last, failures, state, differs: failures.length > 0 },
      });
      return world.deleted(() => {
        ignoredAt.delete(keyOf(changed));
        set(server, changed, before);
      });
    },
    checks_report: ({ server }) => `# Checks of ${world.server(server).view.config.name}\n`,
    present_suite: ({ server, file }) => {
      const found = of(server).suites.find((one) => one.file === file) ?? fail("not_found", "There is no such file.");
      const calls = found.checks.flatMap(({ name, tool }) => (tool === null ? [] : [{ name, tool }]));
      const steps = calls.map(({ name, tool }) => [tool, name, "", { [name]: { name } }] as const);
      return { id: prepare(world, world.server(server), found.name, steps), replaced: null };
    },
    compare_lists: ({ left, right }) => {
      const words = ({ server, when }: typeof left): string =>
        `${world.server(server).view.config.name} ${when === "now" ? "1.5.0" : "as accepted on 24 Nov 2026"}`;
      const same = JSON.stringify(left) === JSON.stringify(right);
      return {
        left: words(left),
        right: words(right),
        changes: same ? [] : [...changes],
        more: 0,
        unread: same ? [] : ["Resources were not compared: the server did not declare them."],
      };
    },
  } satisfies Partial<Handlers>;
}
