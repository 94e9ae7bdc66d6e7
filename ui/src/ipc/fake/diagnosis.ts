/** Diagnosis of a program: its command is not found, or all is well except for one tool in one host. */
import type { Diagnosis, DiagnosisStep, DiagnosisStepCode, Failure, StepOutcome } from "../bindings";
import { fail } from "./fail";
import type { Handlers } from "./handlers";
import type { World } from "./world";

/** Duration of a step, in ms. */
const TIME = 60;

/** The steps with their titles, what they try, and what they find in a server that works. */
const STEPS: readonly (readonly [DiagnosisStepCode, string, string, Partial<DiagnosisStep>?])[] = [
  ["settings", "Settings", "Read the command and its secrets."],
  ["command", "Command", "Find the program. From your login shell, as in a terminal."],
  ["process", "Process", "Start the process."],
  ["stdout", "First output", "Wait for a message on standard output."],
  ["handshake", "Handshake", "Agree on a protocol version."],
  ["lists", "Lists", "Read all pages of all lists that the server declares.", { found: "Tools: 9, Resources: 3." }],
  ["schemas", "Schemas", "Compile the input and output schema of each tool."],
  [
    "hosts",
    "Hosts",
    "Compare names and schemas with what hosts are known to demand.",
    {
      outcome: "fail",
      found: "Tools fail in OpenAI API (1 tool).",
      fix: ["Describe the parameters in `properties` of one object, and move the combination into one of them."],
      detail: ["OpenAI API: measure_waves: The input schema has `anyOf` at its root."],
    },
  ],
  ["ping", "Ping", "Send `ping`, or `server/discover` where the version has no `ping`. No tool is called."],
  ["shutdown", "Shutdown", "Close standard input and wait for the process to exit."],
];

function step(code: DiagnosisStepCode, outcome: StepOutcome, change: Partial<DiagnosisStep> = {}): DiagnosisStep {
  const [, title = "", tried = ""] = STEPS.find(([each]) => each === code) ?? [];
  const known = outcome === "running" || outcome === "pass" || outcome === "fail";
  return { code, title, outcome, tried: known ? tried : "", found: "", millis: null, fix: [], detail: [], ...change };
}

function endDiagnosis(diagnosis: Diagnosis, failure: Failure | null): Diagnosis {
  const at = failure === null ? Infinity : diagnosis.steps.findIndex(({ code }) => code === "command");
  const steps = diagnosis.steps.map(({ code }, index): DiagnosisStep => {
    if (index > at) return step(code, "not_evaluated", { found: "Not reached: Command failed." });
    const millis = index * 3 + 1;
    const [, , , found] = STEPS.find(([each]) => each === code) ?? [];
    if (index < at || failure === null) return step(code, "pass", { millis, found: "It worked.", ...found });
    return step(code, "fail", { millis, found: `${failure.title} ${failure.cause}`, fix: failure.advice });
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
      const { config, address } = server.view;
      // The demo server has no command of its own.
      const codes = STEPS.slice(config.transport.type === "demo" ? 2 : 0).map(([code]) => code);
      const diagnosis: Diagnosis = {
        server: id,
        number: (world.diagnoses.get(id)?.number ?? 0) + 1,
        state: "running",
        name: config.name,
        address,
        began: Date.now(),
        millis: null,
        steps: codes.map((code, index) => step(code, index === 0 ? "running" : "waiting")),
      };
      tell(diagnosis);
      if (server.stuckAt !== null) return;
      setTimeout(() => tell(endDiagnosis(diagnosis, server.failure)), TIME);
    },
    cancel_diagnosis: ({ server }) => {
      const diagnosis = last(server);
      const steps = diagnosis.steps.map(({ code }) => step(code, "not_evaluated"));
      tell({ ...diagnosis, state: "cancelled", millis: 900, steps });
    },
    diagnosis_report: ({ server }) => `# Diagnosis of ${last(server).name}\n`,
    save_diagnosis: ({ server, format }) => path(server, format === "html" ? "html" : "md"),
    save_diagnosis_log: ({ server }) => path(server, "mcplog"),
  } satisfies Partial<Handlers>;
}
