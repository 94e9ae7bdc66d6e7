/** Diagnosis of a server: its own failure, or success except for one tool in one host. */
import type { Diagnosis, DiagnosisStep, DiagnosisStepCode, Failure, StepOutcome, Transport } from "../bindings";
import { fail } from "./fail";
import type { Handlers } from "./handlers";
import type { FakeServer, World } from "./world";

type Change = Partial<DiagnosisStep>;

/** Duration of a step, in ms. */
const TIME = 60;

const titles: Readonly<Record<DiagnosisStepCode, string>> = {
  settings: "Settings",
  command: "Command",
  process: "Process",
  dns: "DNS",
  tcp: "TCP",
  tls: "TLS",
  http: "HTTP",
  authorization: "Authorization",
  stdout: "First output",
  handshake: "Handshake",
  lists: "Lists",
  schemas: "Schemas",
  hosts: "Hosts",
  ping: "Ping",
  shutdown: "Shutdown",
};

const tried: Readonly<Partial<Record<DiagnosisStepCode, string>>> = {
  settings: "Read the command and its secrets.",
  command: "Find the program. From your login shell, as in a terminal.",
  process: "Start the process.",
  stdout: "Wait for a message on standard output.",
  handshake: "Agree on a protocol version.",
  lists: "Read all pages of all lists that the server declares.",
  schemas: "Compile the input and output schema of each tool.",
  hosts: "Compare names and schemas with what hosts are known to demand.",
  ping: "Send `ping`, or `server/discover` where the version has no `ping`. No tool is called.",
  shutdown: "Close standard input and wait for the process to exit.",
};

const found: Readonly<Partial<Record<DiagnosisStepCode, Change>>> = {
  authorization: { outcome: "not_evaluated", found: "The server did not ask for authorization." },
  handshake: { found: "harbour 2.1.0 speaks protocol version 2025-11-25." },
  lists: { found: "Tools: 9, Resources: 3, Prompts: 2." },
  schemas: { found: "The schemas of 9 tools compile." },
  hosts: {
    outcome: "fail",
    found: "Tools fail in OpenAI API (1 tool).",
    fix: ["Describe the parameters in `properties` of one object, and move the combination into one of them."],
    detail: ["OpenAI API: measure_waves: The input schema has `anyOf` at its root."],
  },
  ping: { found: "The server answered." },
  shutdown: { found: "The process exited with code 0." },
};

function codesOf(transport: Transport["type"], url: string): readonly DiagnosisStepCode[] {
  const tls: readonly DiagnosisStepCode[] = url.startsWith("https:") ? ["tls"] : [];
  const first: Readonly<Record<Transport["type"], readonly DiagnosisStepCode[]>> = {
    stdio: ["settings", "command", "process", "stdout"],
    http: ["settings", "dns", "tcp", ...tls, "http", "authorization"],
    demo: ["process", "stdout"],
  };
  return [...first[transport], "handshake", "lists", "schemas", "hosts", "ping", "shutdown"];
}

/** Returns the step at which a simulated server fails. */
function failedAt({ code }: Failure): DiagnosisStepCode {
  if (code === "command_not_found") return "command";
  if (code === "connection_refused") return "tcp";
  if (code === "process_exited") return "stdout";
  return "handshake";
}

function step(code: DiagnosisStepCode, outcome: StepOutcome, change: Change = {}): DiagnosisStep {
  return { code, title: titles[code], outcome, tried: "", found: "", millis: null, fix: [], detail: [], ...change };
}

function newDiagnosis(world: World, { view }: FakeServer): Diagnosis {
  const { transport } = view.config;
  const codes = codesOf(transport.type, transport.type === "http" ? transport.url : "");
  return {
    server: view.id,
    number: (world.diagnoses.get(view.id)?.number ?? 0) + 1,
    state: "running",
    name: view.config.name,
    address: view.address,
    began: Date.now(),
    millis: null,
    steps: codes.map((code, index) =>
      step(code, index === 0 ? "running" : "waiting", index === 0 ? { tried: tried[code] ?? "" } : {}),
    ),
  };
}

function endDiagnosis(diagnosis: Diagnosis, failure: Failure | null): Diagnosis {
  const at = failure === null ? null : failedAt(failure);
  let reached = true;
  const steps = diagnosis.steps.map(({ code }, index): DiagnosisStep => {
    if (!reached && at !== null) {
      return step(code, "not_evaluated", { found: `Not reached: ${titles[at]} failed.` });
    }
    const seen = { tried: tried[code] ?? "", millis: index * 3 + 1 };
    if (code !== at) return step(code, "pass", { ...seen, found: "It worked.", ...found[code] });
    reached = false;
    return step(code, "fail", {
      ...seen,
      found: `${failure?.title ?? ""} ${failure?.cause ?? ""}`.trim(),
      fix: failure?.advice ?? [],
      detail: [
        ...(failure?.detail?.split("\n") ?? []),
        ...(failure?.stderr_tail ?? []).map((line) => `stderr: ${line}`),
      ],
    });
  });
  return { ...diagnosis, state: "done", millis: 214, steps };
}

/** Commands of a diagnosis, and its report. */
export function diagnosing(world: World) {
  const tell = (diagnosis: Diagnosis): void => {
    world.diagnoses.set(diagnosis.server, diagnosis);
    world.channel.send({ type: "diagnosis", data: diagnosis });
  };
  const last = (server: string): Diagnosis =>
    world.diagnoses.get(server) ?? fail("not_found", "Not diagnosed since Sonde started.");
  const path = (server: string, ending: string): string =>
    `/home/ada/Downloads/${last(server).name} - diagnosis 2026-11-24.${ending}`;
  return {
    diagnose: ({ server: id }) => {
      const server = world.server(id);
      const diagnosis = newDiagnosis(world, server);
      tell(diagnosis);
      if (server.stuckAt !== null) return;
      setTimeout(() => tell(endDiagnosis(diagnosis, server.failure)), TIME);
    },
    cancel_diagnosis: ({ server }) => {
      const diagnosis = last(server);
      const why = {
        outcome: "not_evaluated" as const,
        found: "The diagnosis was stopped before this step was done.",
      };
      const open = (one: DiagnosisStep): boolean => one.outcome === "waiting" || one.outcome === "running";
      const steps = diagnosis.steps.map((one) => (open(one) ? { ...one, ...why } : one));
      tell({ ...diagnosis, state: "cancelled", millis: 900, steps });
    },
    diagnosis_report: ({ server }) => `# Diagnosis of ${last(server).name}\n`,
    save_diagnosis: ({ server, format }) => path(server, format === "html" ? "html" : "md"),
    save_diagnosis_log: ({ server }) => path(server, "mcplog"),
  } satisfies Partial<Handlers>;
}
