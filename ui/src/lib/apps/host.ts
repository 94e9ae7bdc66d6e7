/**
 * The host's side of the protocol between an app and the window (MCP Apps 2026-01-26, Communication Protocol), without
 * any window: incoming messages are data, outgoing ones pass through {@link HostPorts}.
 */
import { boundedText, isPlain, type Json, LONGEST_MESSAGE } from "./message";
import { pieces } from "./pieces";
import { MAX_DROPPED, Rate, type Rated } from "./rate";
import { type AppRequest, type DisplayMode, readRequest, REFUSED, Refusal } from "./request";

/** Protocol version that Sonde speaks. */
export const PROTOCOL = "2026-01-26";
/** Limit of an app's requests that wait for a response at once. */
const MAX_PENDING = 20;
/** Limits of an app's height while it is shown inline, in pixels. */
export const LEAST_HEIGHT = 240;
export const MOST_HEIGHT = 600;
/** Timeout for the response to the teardown request, in milliseconds. */
const TEARDOWN_TIMEOUT = 1_000;
/** Pause between two pieces of the arguments, in milliseconds. */
const PIECE_PAUSE = 150;
/** Method of the messages from the script in the app's frame (`src-tauri/src/apps.js`). Not part of the protocol. */
const BLOCKED_METHOD = "sonde/blocked";

/** Effects of the host on the world outside. */
export interface HostPorts {
  /** Sends a message to the app. */
  post(message: Json): void;
  /** Records a message or a note in the log. */
  record(entry: "sent" | "received" | "note", text: string): void;
  /**
   * Serves a request of the app, after asking the user for consent if that is needed. Throws a {@link Refusal} if it
   * cannot.
   */
  serve(request: AppRequest): Promise<Json>;
  /** Returns the response to `ui/initialize` without the version. */
  introduce(): Json;
  /** Closes the app at its own request. */
  close(): void;
  /** Reports a change of {@link AppHost.state}. */
  changed(): void;
  /** Returns the current time in milliseconds. */
  now(): number;
}

export interface HostState {
  /** `ready` once the app has sent that it is initialized; nothing is sent to it earlier. */
  readonly phase: "loading" | "initializing" | "ready" | "ended";
  /** Name that the app gives itself. */
  readonly name: string | null;
  /** Display modes that the app declared; `null` if it declared none. */
  readonly modes: readonly string[] | null;
  /** Inline height in pixels. It only grows, so that nothing below moves up under the pointer. */
  readonly height: number;
  /** Reason that the app was ended, one plain sentence. */
  readonly ended: string | null;
}

export class AppHost {
  state: HostState = { phase: "loading", name: null, modes: null, height: LEAST_HEIGHT, ended: null };
  private readonly ports: HostPorts;
  private readonly rate: Rate;
  private pending = 0;
  /** The complete arguments; sent once. */
  private input: Json | null = null;
  private inputSent = false;
  /** The arguments in growing pieces, as a model would write them; sent before the complete ones. */
  private partial: Json[] = [];
  private piece: ReturnType<typeof setTimeout> | null = null;
  /** True while the app's height must not change. */
  private heightHeld = false;
  /** The height that the app requested last, if it is more than its current height. */
  private wanted = LEAST_HEIGHT;
  /** The result or the cancellation; sent after the arguments. */
  private outcome: Json | null = null;
  private outcomeSent = false;
  private lastId = 0;
  /** The teardown request was sent. */
  private leaving = false;
  private readonly answered = new Map<number, () => void>();

  constructor(ports: HostPorts) {
    this.ports = ports;
    this.rate = new Rate(ports.now);
  }

  /** Handles a message of the app. `read` returns its data; it is not called for messages above the limits. */
  receive(read: () => unknown): void {
    if (this.state.phase === "ended") return;
    if (this.isDropped(this.rate.take(), "The app sends too many messages; some are dropped.")) return;
    const data = read();
    const text = boundedText(data);
    // A message that is too long to be read counts as much as the longest one that is read.
    const weight = this.rate.weigh(text?.length ?? LONGEST_MESSAGE);
    if (this.isDropped(weight, "The app sends too much at once; some is dropped.")) return;
    if (text === null) {
      this.ports.record("note", "The app sent a message that is no JSON or longer than 1 MB; it is dropped.");
      return;
    }
    if (!isPlain(data) || data["jsonrpc"] !== "2.0") return this.ports.record("received", text);
    const { id, method, params } = data;
    if (method === BLOCKED_METHOD && id === undefined) return this.ports.record("note", blockedWords(params));
    this.ports.record("received", text);
    const isId = typeof id === "string" || typeof id === "number";
    if (typeof method === "string" && isId) void this.request(id, method, params);
    else if (typeof method === "string" && id === undefined) this.notification(method, params);
    else if (typeof id === "number" && method === undefined) this.answered.get(id)?.();
  }

  private isDropped(rate: Rated, words: string): boolean {
    if (rate === "handled") return false;
    if (rate === "first_dropped") this.ports.record("note", words);
    if (this.rate.dropped >= MAX_DROPPED) this.end("It sent far too many messages.");
    return true;
  }

  /**
   * Sets the arguments of the run. `inPieces` sends them first in growing parts, as a model would write them, and then
   * whole.
   */
  setInput(input: Json, inPieces: boolean): void {
    if (this.input !== null) return;
    this.input = input;
    this.partial = inPieces ? pieces(input) : [];
    this.deliver();
  }

  /** Keeps the app from growing while a consent below it can be clicked, so that nothing moves there. */
  holdHeight(held: boolean): void {
    this.heightHeld = held;
    this.grow();
  }

  /** Sends the result of the run. */
  setResult(result: Json): void {
    this.outcome ??= { method: "ui/notifications/tool-result", params: result };
    this.deliver();
  }

  /** Tells the app that the run ended without a result. */
  setCancelled(reason: string): void {
    this.outcome ??= { method: "ui/notifications/tool-cancelled", params: { reason } };
    this.deliver();
  }

  /** Sends a change of the host context. */
  contextChanged(change: Json): void {
    if (this.state.phase === "ready") this.notify("ui/notifications/host-context-changed", change);
  }

  /** Returns true if the app declared this display mode, or no modes at all. */
  allows(mode: DisplayMode): boolean {
    return this.state.modes?.includes(mode) ?? true;
  }

  /** Announces to the app that it is removed. Resolves on its response or after the timeout. */
  async teardown(reason: string): Promise<void> {
    if (this.state.phase !== "ready" || this.leaving) return;
    this.leaving = true;
    const id = ++this.lastId;
    const answer = new Promise<void>((resolve) => {
      this.answered.set(id, resolve);
      setTimeout(resolve, TEARDOWN_TIMEOUT);
    });
    this.send({ id, method: "ui/resource-teardown", params: { reason } });
    await answer;
  }

  /** Ends the app at once, without announcing it. */
  drop(why: string): void {
    if (this.piece !== null) clearTimeout(this.piece);
    if (this.leaving || this.state.phase !== "ready") return;
    this.leaving = true;
    this.ports.record("note", `The app was taken away without ui/resource-teardown. ${why}`);
  }

  /** Ends the conversation for good; `why` is a plain sentence. */
  end(why: string): void {
    if (this.state.phase === "ended") return;
    if (this.piece !== null) clearTimeout(this.piece);
    this.ports.record("note", `The app was ended. ${why}`);
    this.change({ phase: "ended", ended: why });
  }

  private change(change: Partial<HostState>): void {
    this.state = { ...this.state, ...change };
    this.ports.changed();
  }

  private send(message: Json): void {
    const whole = { jsonrpc: "2.0", ...message };
    this.ports.record("sent", JSON.stringify(whole));
    this.ports.post(whole);
  }

  private notify(method: string, params: Json): void {
    this.send({ method, params });
  }

  /**
   * Sends what is due, in this order: pieces of the arguments, the complete arguments once ("This notification is sent
   * at most once and is required before sending `ui/notifications/tool-result`"), the outcome.
   */
  private deliver(): void {
    if (this.leaving || this.state.phase !== "ready" || this.input === null || this.piece !== null) return;
    const [next, ...rest] = this.partial;
    if (next !== undefined) {
      this.partial = rest;
      this.notify("ui/notifications/tool-input-partial", { arguments: next });
      this.piece = setTimeout(() => {
        this.piece = null;
        this.deliver();
      }, PIECE_PAUSE);
      return;
    }
    if (!this.inputSent) {
      this.inputSent = true;
      this.notify("ui/notifications/tool-input", { arguments: this.input });
    }
    if (this.outcome !== null && !this.outcomeSent) {
      this.outcomeSent = true;
      this.send(this.outcome);
    }
  }

  private async request(id: string | number, method: string, params: unknown): Promise<void> {
    const done = (answer: Json): void => {
      if (this.state.phase !== "ended") this.send({ id, ...answer });
    };
    if (method === "ping") return done({ result: {} });
    if (method === "ui/initialize") return this.initialize(params, done);
    if (this.state.phase !== "ready") return done(error(new Refusal(-32_600, "The app is not initialized")));
    if (this.pending >= MAX_PENDING) return done(error(new Refusal(REFUSED, "Too many requests at once")));
    this.pending += 1;
    try {
      done({ result: await this.ports.serve(readRequest(method, params)) });
    } catch (thrown) {
      done(error(thrown));
    } finally {
      this.pending -= 1;
    }
  }

  private initialize(params: unknown, done: (answer: Json) => void): void {
    if (this.state.phase !== "loading") return done(error(new Refusal(-32_600, "The app is initialized already")));
    const given = isPlain(params) ? params : {};
    const { name } = isPlain(given["appInfo"]) ? given["appInfo"] : { name: undefined };
    const capabilities = isPlain(given["appCapabilities"]) ? given["appCapabilities"] : {};
    const modes = capabilities["availableDisplayModes"];
    this.change({
      phase: "initializing",
      name: typeof name === "string" ? name.slice(0, 200) : null,
      modes: Array.isArray(modes) ? modes.filter((mode): mode is string => typeof mode === "string") : null,
    });
    done({ result: { protocolVersion: PROTOCOL, ...this.ports.introduce() } });
  }

  private notification(method: string, params: unknown): void {
    if (method === "ui/notifications/initialized" && this.state.phase === "initializing") {
      this.change({ phase: "ready" });
      this.deliver();
    } else if (method === "ui/notifications/size-changed" && isPlain(params)) {
      const { height } = params;
      if (typeof height !== "number" || !Number.isFinite(height)) return;
      this.wanted = Math.min(Math.ceil(height), MOST_HEIGHT);
      this.grow();
    } else if (method === "ui/notifications/request-teardown" && this.state.phase === "ready" && !this.leaving) {
      this.ports.close();
    }
  }

  private grow(): void {
    if (!this.heightHeld && this.wanted > this.state.height) this.change({ height: this.wanted });
  }
}

/** Describes a message of the frame's script. An app can send the same message, but it opens nothing. */
function blockedWords(params: unknown): string {
  const told = isPlain(params) ? params : {};
  const text = (name: string): string => {
    const value = told[name];
    return typeof value === "string" ? value.slice(0, 1000) : "";
  };
  return text("directive") === ""
    ? `The app tried to use ${text("what") || "something"}. No app may.`
    : `The app tried to load ${text("uri")}. Its content security policy refused it (${text("directive")}).`;
}

function error(thrown: unknown): Json {
  const code = thrown instanceof Refusal ? thrown.code : -32_603;
  return { error: { code, message: thrown instanceof Error ? thrown.message : "Internal error" } };
}
