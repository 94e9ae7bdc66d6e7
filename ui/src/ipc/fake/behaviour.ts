import { boathouseTools } from "./definitions";
import { mixed, protocolError, result, text } from "./results";
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

/** Plays an operation of a simulated tool. */
export function play(world: World, server: FakeServer, operation: FakeOperation): void {
  const given = parse(operation.text);
  const later = (millis: number, run: () => void): void => {
    const timer = setTimeout(run, millis);
    operation.stop = () => clearTimeout(timer);
  };
  const every = (millis: number, run: () => void): void => {
    const timer = setInterval(run, millis);
    operation.stop = () => clearInterval(timer);
  };

  switch (operation.view.target) {
    case "say_hello": {
      const words = `Hello, ${String(given["name"] ?? "stranger")}!`;
      later(120, () => world.answer(operation, result([text(given["loud"] === true ? words.toUpperCase() : words)])));
      break;
    }
    case "survey_buoys": {
      const total = Number(given["buoys"] ?? 40);
      let done = 0;
      every(Math.max(20, Number(given["pause_ms"] ?? 400)), () => {
        done++;
        world.progress(operation, done, total, `Buoy ${done}: ${done % 7 === 0 ? "battery low" : "in order"}`, 2.5);
        if (done % 7 === 0) world.say(operation, "warning", `Buoy ${done} has a low battery`);
        if (done >= total)
          world.answer(operation, result([text(`Visited ${total} buoys.`)], { structured: { visited: total } }));
      });
      break;
    }
    case "listen_for_ships": {
      let heard = 0;
      every(700, () => {
        heard++;
        world.progress(operation, heard, null, `Heard ${heard} ${heard === 1 ? "ship" : "ships"}`, 1.4);
        world.say(
          operation,
          heard % 5 === 0 ? "error" : "info",
          `Ship ${heard} passed at ${(heard * 37) % 360} degrees`,
        );
      });
      break;
    }
    case "stubborn_winch":
      later(8000, () => world.answer(operation, result([text("The winch has finished, whatever you said.")])));
      break;
    case "read_tide_table": {
      const days = Number(given["days"] ?? 3);
      const tides = Array.from({ length: days * 4 }, (_, index) => ({
        day: Math.floor(index / 4) + 1,
        time: `${String((index * 6) % 24).padStart(2, "0")}:10`,
        kind: index % 2 === 0 ? "high" : "low",
        metres: index % 2 === 0 ? 3.4 : 0.6,
      }));
      later(180, () => world.answer(operation, result([text(JSON.stringify({ tides }))], { structured: { tides } })));
      break;
    }
    case "show_chart":
      later(250, () => world.answer(operation, mixed()));
      break;
    case "read_logbook": {
      const pages = Number(given["pages"] ?? 3);
      const page = (number: number): string =>
        `## Page ${number}\n\nWind **${(number * 3) % 12}**, sight good. See [the chart](https://example.org/chart).\n\n- first watch\n- second watch\n`;
      const words = Array.from({ length: pages }, (_, index) => page(index + 1)).join("\n");
      later(200, () => world.answer(operation, result([text(words)])));
      break;
    }
    case "run_aground":
      later(150, () =>
        world.answer(
          operation,
          result([text("The ship has run aground: depth 1.2 m, draught 2.1 m.")], { isError: true }),
        ),
      );
      break;
    case "forbidden_waters":
      later(90, () =>
        world.answer(
          operation,
          protocolError(-32602, "zone is closed", "The server says that the parameters are not valid."),
        ),
      );
      break;
    case "sink":
      later(150, () => {
        world.stderr(server, "station: water in the engine room", "station: fatal: sinking");
        world.end(server, {
          code: "process_exited",
          title: "The server's process ended.",
          cause: "It ended by itself with exit code 3.",
          advice: ["Read the last lines of stderr below.", "Reconnect: the next start may succeed."],
          detail: null,
          stderr_tail: server.stderr.slice(-6),
          noise_tail: [],
        });
      });
      break;
    case "open_boathouse": {
      const open = server.definitions.some((tool) => tool.name === "row_out");
      const names = new Set(boathouseTools.map((tool) => tool.name));
      later(150, () => {
        world.answer(operation, result([text(open ? "The boathouse is closed." : "The boathouse is open.")]));
        world.log.record(server.view.id, {
          kind: "notification",
          method: "notifications/tools/list_changed",
          body: '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
        });
        const others = server.definitions.filter((tool) => !names.has(tool.name));
        world.list(server, open ? others : [...others, ...boathouseTools]);
      });
      break;
    }
    case "hail_pilot": {
      const stateless = server.traits.era === "stateless";
      const ask = (round: number): void => {
        if (stateless) world.update(operation, { state: "input_required", rounds: round });
        world.ask(server, {
          operation: operation.view.operation,
          method: "elicitation/create",
          message: "The pilot needs to know your ship before she comes aboard.",
          schema: pilotForm,
          params: { message: "The pilot needs to know your ship before she comes aboard.", requestedSchema: pilotForm },
          onAnswer: (answer) => {
            const said = answer.type === "accept" ? answer.content : answer.type;
            if (stateless) world.update(operation, { state: "running" });
            later(150, () => world.answer(operation, result([text(`The pilot heard: ${said}`)])));
          },
        });
      };
      ask(1);
      break;
    }
    case "consult_chart": {
      const { connection } = server;
      const stream = connection?.addStream({
        operation: operation.view.operation,
        method: "tools/call",
        state: "open",
        last_event_id: "c-4",
      });
      if (connection && stream !== undefined)
        connection.lose(stream, "The server closed the stream before its answer.", 30_000, "server");
      operation.stop = () => undefined;
      break;
    }
    default:
      later(300, () =>
        world.answer(operation, result([text(`Done: ${operation.view.target}`)], { structured: given })),
      );
  }
}

/** Answers a cancellation the way the tool would. */
export function cancel(world: World, operation: FakeOperation): void {
  if (operation.view.state === "finished" || operation.view.state === "cancelling") return;
  world.update(operation, { state: "cancelling" });
  world.log.record(operation.view.server, {
    kind: "notification",
    out: true,
    method: "notifications/cancelled",
    operation: operation.view.operation,
    body: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${operation.id}}}`,
  });
  if (operation.view.target !== "stubborn_winch") {
    setTimeout(() => world.finishWith(operation, { type: "cancelled" }), 500);
  }
}

function parse(words: string | null): Arguments {
  try {
    const value: unknown = JSON.parse(words ?? "{}");
    return typeof value === "object" && value !== null ? (value as Arguments) : {};
  } catch {
    return {};
  }
}
