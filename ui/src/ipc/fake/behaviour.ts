import { boathouseTools } from "./definitions";
import { mixed, protocolError, result, text } from "./results";
import type { FakeCall, FakeServer, World } from "./world";

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

/** Plays a call of a simulated tool. */
export function play(world: World, server: FakeServer, call: FakeCall): void {
  const given = parse(call.text);
  const later = (millis: number, run: () => void): void => {
    const timer = setTimeout(run, millis);
    call.stop = () => clearTimeout(timer);
  };
  const every = (millis: number, run: () => void): void => {
    const timer = setInterval(run, millis);
    call.stop = () => clearInterval(timer);
  };

  switch (call.view.tool) {
    case "say_hello": {
      const words = `Hello, ${String(given["name"] ?? "stranger")}!`;
      later(120, () => world.answer(call, result([text(given["loud"] === true ? words.toUpperCase() : words)])));
      break;
    }
    case "survey_buoys": {
      const total = Number(given["buoys"] ?? 40);
      let done = 0;
      every(Math.max(20, Number(given["pause_ms"] ?? 400)), () => {
        done++;
        world.progress(call, done, total, `Buoy ${done}: ${done % 7 === 0 ? "battery low" : "in order"}`, 2.5);
        if (done % 7 === 0) world.say(call, "warning", `Buoy ${done} has a low battery`);
        if (done >= total)
          world.answer(call, result([text(`Visited ${total} buoys.`)], { structured: { visited: total } }));
      });
      break;
    }
    case "listen_for_ships": {
      let heard = 0;
      every(700, () => {
        heard++;
        world.progress(call, heard, null, `Heard ${heard} ${heard === 1 ? "ship" : "ships"}`, 1.4);
        world.say(call, heard % 5 === 0 ? "error" : "info", `Ship ${heard} passed at ${(heard * 37) % 360} degrees`);
      });
      break;
    }
    case "stubborn_winch":
      later(8000, () => world.answer(call, result([text("The winch has finished, whatever you said.")])));
      break;
    case "read_tide_table": {
      const days = Number(given["days"] ?? 3);
      const tides = Array.from({ length: days * 4 }, (_, index) => ({
        day: Math.floor(index / 4) + 1,
        time: `${String((index * 6) % 24).padStart(2, "0")}:10`,
        kind: index % 2 === 0 ? "high" : "low",
        metres: index % 2 === 0 ? 3.4 : 0.6,
      }));
      later(180, () => world.answer(call, result([text(JSON.stringify({ tides }))], { structured: { tides } })));
      break;
    }
    case "show_chart":
      later(250, () => world.answer(call, mixed()));
      break;
    case "read_logbook": {
      const pages = Number(given["pages"] ?? 3);
      const page = (number: number): string =>
        `## Page ${number}\n\nWind **${(number * 3) % 12}**, sight good. See [the chart](https://example.org/chart).\n\n- first watch\n- second watch\n`;
      const words = Array.from({ length: pages }, (_, index) => page(index + 1)).join("\n");
      later(200, () => world.answer(call, result([text(words)])));
      break;
    }
    case "run_aground":
      later(150, () =>
        world.answer(call, result([text("The ship has run aground: depth 1.2 m, draught 2.1 m.")], { isError: true })),
      );
      break;
    case "forbidden_waters":
      later(90, () =>
        world.answer(
          call,
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
        world.answer(call, result([text(open ? "The boathouse is closed." : "The boathouse is open.")]));
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
        if (stateless) world.update(call, { state: "input_required", rounds: round });
        world.ask(server, {
          call: call.view.call,
          method: "elicitation/create",
          message: "The pilot needs to know your ship before she comes aboard.",
          schema: pilotForm,
          params: { message: "The pilot needs to know your ship before she comes aboard.", requestedSchema: pilotForm },
          onAnswer: (answer) => {
            const said = answer.type === "accept" ? answer.content : answer.type;
            if (stateless) world.update(call, { state: "running" });
            later(150, () => world.answer(call, result([text(`The pilot heard: ${said}`)])));
          },
        });
      };
      ask(1);
      break;
    }
    case "consult_chart": {
      const { connection } = server;
      const stream = connection?.addStream({
        call: call.view.call,
        method: "tools/call",
        state: "open",
        last_event_id: "c-4",
      });
      if (connection && stream !== undefined)
        connection.lose(stream, "The server closed the stream before its answer.", 30_000, "server");
      call.stop = () => undefined;
      break;
    }
    default:
      later(300, () => world.answer(call, result([text(`Done: ${call.view.tool}`)], { structured: given })));
  }
}

/** Answers a cancellation the way the tool would. */
export function cancel(world: World, call: FakeCall): void {
  if (call.view.state === "finished" || call.view.state === "cancelling") return;
  world.update(call, { state: "cancelling" });
  world.log.record(call.view.server, {
    kind: "notification",
    out: true,
    method: "notifications/cancelled",
    call: call.view.call,
    body: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${call.id}}}`,
  });
  if (call.view.tool !== "stubborn_winch") {
    setTimeout(() => world.finishWith(call, { type: "cancelled" }), 500);
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
