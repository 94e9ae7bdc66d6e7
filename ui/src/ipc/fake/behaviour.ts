import { failureOf } from "./fail";
import { promptAnswer } from "./prompts";
import { missingArgument, mixed, result, text, type Answer } from "./results";
import type { FakeOperation, FakeServer, World } from "./world";

const pilotForm = {
  type: "object",
  properties: {
    ship: { type: "string", title: "Name of the ship", minLength: 1 },
    draught: { type: "number", title: "Draught (m)", minimum: 0, maximum: 30, default: 4.5 },
    flag: { type: "string", title: "Flag", enum: ["Norway", "Spain", "France"], default: "Norway" },
    tug: { type: "boolean", title: "A tug is wanted", default: true },
  },
  required: ["ship", "draught"],
};

type Arguments = Readonly<Record<string, unknown>>;

/** Result that also arrives after a cancellation. */
const winchFinished = (): Answer => result([text("The winch has finished, whatever you said.")]);

/** Tools that only answer, each with its duration in ms. */
const answers: Readonly<Record<string, readonly [millis: number, answer: (given: Arguments) => Answer]>> = {
  say_hello: [
    120,
    ({ name = "stranger", loud }) => {
      const words = `Hello, ${String(name)}!`;
      return result([text(loud === true ? words.toUpperCase() : words)]);
    },
  ],
  stubborn_winch: [60_000, winchFinished],
  read_tide_table: [
    180,
    ({ days = 3 }) => {
      const tides = Array.from({ length: Number(days) * 4 }, (_, index) => ({
        day: Math.floor(index / 4) + 1,
        time: `${String((index * 6) % 24).padStart(2, "0")}:10`,
        kind: index % 2 === 0 ? "high" : "low",
        metres: index % 2 === 0 ? 3.4 : 0.6,
      }));
      return result([text(JSON.stringify({ tides }))], { structured: { tides } });
    },
  ],
  measure_waves: [
    180,
    ({ hours = 24 }) => {
      const readings = Array.from({ length: Number(hours) }, (_, hour) => ({
        hour,
        waves: Math.round((1.4 + Math.sin(hour / 4) * 0.8) * 10) / 10,
        wind: 12 + Math.round(Math.sin(hour / 4 + 0.6) * 7),
      }));
      return result([text(JSON.stringify({ readings }))], { structured: { readings } });
    },
  ],
  show_chart: [250, mixed],
  read_logbook: [
    200,
    ({ pages = 3 }) => {
      const page = (_: unknown, index: number): string =>
        `## Page ${index + 1}\n\nWind **${((index + 1) * 3) % 12}**, sight good. See [the chart](https://example.org/chart).\n\n- first watch\n- second watch\n`;
      return result([text(Array.from({ length: Number(pages) }, page).join("\n"))]);
    },
  ],
  run_aground: [150, () => result([text("The ship has run aground: depth 1.2 m, draught 2.1 m.")], { isError: true })],
};

/** Plays an operation of a simulated tool. */
export function play(world: World, server: FakeServer, operation: FakeOperation): void {
  const given = parse(operation.text);
  const tool = operation.view.target ?? "";
  const later = (millis: number, run: () => void): void => {
    const timer = setTimeout(run, millis);
    operation.stop = () => clearTimeout(timer);
  };
  const every = (millis: number, run: (times: number) => void): void => {
    let times = 0;
    const timer = setInterval(() => run(++times), millis);
    operation.stop = () => clearInterval(timer);
  };
  switch (tool) {
    case "survey_buoys": {
      const total = Number(given["buoys"] ?? 40);
      return every(Math.max(20, Number(given["pause_ms"] ?? 400)), (done) => {
        const low = done % 7 === 0;
        world.progress(operation, done, total, `Buoy ${done}: ${low ? "battery low" : "in order"}`, 2.5);
        if (low) world.say(operation, "warning", `Buoy ${done} has a low battery`);
        if (done < total) return;
        world.answer(operation, result([text(`Visited ${total} buoys.`)], { structured: { visited: total } }));
      });
    }
    case "listen_for_ships":
      return every(700, (heard) => {
        world.progress(operation, heard, null, `Heard ${heard} ${heard === 1 ? "ship" : "ships"}`, 1.4);
        const level = heard % 5 === 0 ? "error" : "info";
        world.say(operation, level, `Ship ${heard} passed at ${(heard * 37) % 360} degrees`);
      });
    case "sink":
      return later(150, () => {
        world.stderr(server, "station: water in the engine room", "station: fatal: sinking");
        const cause = "It ended by itself with exit code 3.";
        const stderr_tail = server.stderr.slice(-6);
        world.end(
          server,
          failureOf(
            "process_exited",
            "The server's process ended.",
            cause,
            ["If it ends again, check the server's own log."],
            { stderr_tail },
          ),
        );
      });
    case "hail_pilot": {
      const stateless = server.traits.era === "stateless";
      const message = "The pilot needs to know your ship before she comes aboard.";
      if (stateless) world.update(operation, { state: "input_required", rounds: 1 });
      return world.ask(server, {
        operation: operation.view.operation,
        method: "elicitation/create",
        message,
        schema: pilotForm,
        params: { message, requestedSchema: pilotForm },
        onAnswer: (answer) => {
          if (stateless) world.update(operation, { state: "running" });
          const heard = answer.type === "accept" ? answer.content : answer.type;
          later(150, () => world.answer(operation, result([text(`The pilot heard: ${heard}`)])));
        },
      });
    }
    case "consult_chart": {
      const of = { operation: operation.view.operation, method: "tools/call" };
      const stream = server.connection?.addStream({ ...of, state: "open", last_event_id: "c-4" }) ?? 0;
      return server.connection?.lose(stream, "The server closed the stream before its answer.", 30_000, "server");
    }
    default: {
      const done = (): Answer => result([text(`Done: ${tool}`)], { structured: given });
      const [millis, answer] = answers[tool] ?? [300, done];
      later(millis, () => world.answer(operation, answer(given)));
    }
  }
}

/** Answers a request for a prompt; with an error if a required argument is missing. */
export function getPrompt(world: World, server: FakeServer, operation: FakeOperation): void {
  const given = parse(operation.text);
  const prompt = server.prompts.find(({ name }) => name === operation.view.target);
  const missing = prompt?.arguments?.some(({ name, required }) => required === true && !(name in given)) ?? false;
  world.answer(operation, missing ? missingArgument : promptAnswer(operation.view.target ?? "", given));
}

/** Answers a cancellation as the tool would. */
export function cancel(world: World, operation: FakeOperation): void {
  if (operation.view.state === "finished" || operation.view.state === "cancelling") return;
  world.update(operation, { state: "cancelling" });
  world.notify(operation, "notifications/cancelled", { requestId: operation.id }, true);
  if (operation.view.target === "stubborn_winch") setTimeout(() => world.answer(operation, winchFinished()), 1500);
  else setTimeout(() => world.finishWith(operation, { type: "cancelled" }), 500);
}

function parse(words: string | null): Arguments {
  try {
    const value: unknown = JSON.parse(words ?? "{}");
    return typeof value === "object" && value !== null ? (value as Arguments) : {};
  } catch {
    return {};
  }
}
