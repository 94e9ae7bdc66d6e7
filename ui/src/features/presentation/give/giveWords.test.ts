import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { address, plainDraft } from "../../../ipc/drafts";
import type { AuthStatus, LostCode, OperationOutcome, SessionPhase } from "../../../ipc/bindings";
import { initialLive, type LiveState } from "../../../state/live";
import { linkOf, type Link } from "../../../state/stepLink";
import { linkWords, lostWords } from "./linkWords";
import { amountWords, faceOf, isConnectionLost, linkName, runningWords, stepTitle, troubleOf } from "./giveWords";

const file = fileURLToPath(new URL("../../../../tests/protocolTerms.json", import.meta.url));
const terms = JSON.parse(readFileSync(file, "utf8")) as string[];
const technical = new RegExp(`(^|[^\\p{L}\\d])(${terms.join("|")})($|[^\\p{L}\\d])`, "iu");

const lost: readonly LostCode[] = [
  "connection_lost",
  "app_closed",
  "exchange_failed",
  "no_response",
  "http_status",
  "too_large",
  "session_expired",
  "stream_lost",
  "too_many_rounds",
  "forbidden",
  "not_sent",
];
const result = {
  type: "result",
  content: [],
  structured: null,
  prompt: null,
  meta: null,
  bytes: 0,
  findings: [],
} as const;
const outcomes: readonly OperationOutcome[] = [
  { ...result, is_error: true, content: [], findings: [] },
  { type: "protocol_error", code: -32602, message: "zone is closed", data: null, meaning: "The request is invalid." },
  { type: "bad_shape", problem: "content is no array" },
  { type: "timed_out", hard: true },
  { type: "cancelled" },
  ...lost.map((code) => ({ type: "lost", reason: "The stream ended.", code }) as const),
];

/** Live state with a server in a phase; `null`: the server was removed. */
function live(phase: SessionPhase | null, server: Partial<LiveState["servers"][string]> = {}): LiveState {
  const config = { name: "Harbour", transport: address("https://example.com"), ...plainDraft };
  const view = {
    id: "s",
    config,
    address: "",
    confirmed: true,
    log_level: null,
    unsaved_secrets: [],
    missing_inputs: [],
    ...server,
  };
  return {
    ...initialLive,
    servers: phase === null ? {} : { s: view },
    sessions: phase === null ? {} : { s: { phase } as LiveState["sessions"][string] },
  };
}

describe("what a presentation says", () => {
  it("has a title and advice for every end, without the words of the protocol", () => {
    for (const outcome of outcomes) {
      const trouble = troubleOf(outcome);
      expect(trouble?.title).toMatch(/\.$/);
      expect(trouble?.advice).toMatch(/\.$/);
      expect(`${trouble?.title} ${trouble?.advice}`).not.toMatch(technical);
    }
    expect(troubleOf({ ...result, is_error: false, content: [], findings: [] })).toBeNull();
    const failed = { ...result, is_error: true, content: [], findings: [] };
    expect(troubleOf(failed, { changeable: false })?.advice).not.toContain("values");
    // No step follows the last one.
    for (const outcome of outcomes) {
      for (const changeable of [true, false]) {
        expect(troubleOf(outcome, { changeable, last: true })?.advice).not.toMatch(/next/);
        expect(troubleOf(outcome, { changeable, last: true })?.advice).not.toMatch(technical);
      }
    }
    expect(linkWords("gone", "Harbour", true).advice).not.toMatch(/next/);
    // A run stopped on purpose is no fault.
    expect(troubleOf({ type: "cancelled" })?.tone).toBe("neutral");
  });

  it("always has a name for a step and for a presentation", () => {
    const call = { method: "tools/call", target: "say_hello" };
    expect(stepTitle({ ...call, title: "Good morning" }, "Say hello")).toBe("Good morning");
    expect(stepTitle({ ...call, title: " " }, "Say hi")).toBe("Say hi");
    expect(stepTitle({ ...call, title: "" }, "")).toBe("Say hello");
    expect(stepTitle({ ...call, title: "\u200b" })).toBe("⟨U+200B⟩");
    const read = { method: "resources/read", title: "" };
    expect(stepTitle({ ...read, target: "station://charts/the%20approach" })).toBe("the approach");
    expect(stepTitle({ ...read, target: "station://" })).toBe("station://");
  });

  it("names what an answer leads to as people do", () => {
    expect(linkName("North Sea", "https://example.org/x.pdf")).toBe("North Sea");
    expect(linkName(" ", "file:///home/ada/The%20chart.pdf?edition=12#top")).toBe("The chart.pdf");
    expect(linkName(null, "station://log/today")).toBe("today");
    expect(linkName(null, "file:///home/100%25%zz")).toBe("100%25%zz");
    expect(linkName(null, "urn:isbn:0451450523")).toBe("isbn:0451450523");
    expect(linkName(null, "https://example.org/")).toBeNull();
    expect(linkName(null, "https://example.org")).toBeNull();
  });

  it("warns of a program in plain words, as whoever looks after the window does", () => {
    const said = ["preview", "steering"].flatMap((name) => {
      const source = new URL(`../../../../../crates/explorer/src/servers/${name}.rs`, import.meta.url);
      const [own = ""] = readFileSync(fileURLToPath(source), "utf8").split("#[cfg(test)]");
      return [...own.matchAll(/"([A-Z][^"]* [^"]*\.)"/g)].map(([, sentence = ""]) => sentence);
    });
    expect(said.length).toBeGreaterThan(15);
    expect(said.filter((sentence) => technical.test(sentence))).toEqual([]);
  });

  it("never says more of a run than is known", () => {
    expect(runningWords({ state: "cancelling" }, true)).toBe("Stopping… You can go on meanwhile.");
    expect(runningWords({ state: "running" }, true)).toBe("Please answer to go on.");
    for (const state of ["queued", "running", "waiting", "signing_in", "input_required", "cancelling"] as const) {
      expect(runningWords({ state }, false)).not.toMatch(technical);
    }
    const progress = { progress: 3, total: null, message: null, count: 1, rate: null };
    expect(amountWords({ progress })).toBe("3");
    expect(amountWords({ progress: { ...progress, progress: 1234, total: 5000 } })).toBe("1,234 of 5,000");
    expect(amountWords({ progress: null })).toBe("");
  });

  it("shows the form, what goes on, or the end", () => {
    const run = (state: "running" | "finished") => ({ state }) as Parameters<typeof faceOf>[0];
    expect(faceOf(undefined, false)).toBe("form");
    // A run in progress is shown even while its values are being changed.
    expect(faceOf(run("running"), true)).toBe("running");
    expect(faceOf(run("finished"), true)).toBe("form");
    expect(faceOf(run("finished"), false)).toBe("ended");
  });

  it("says of the connection what can be done, in one sentence and one button", () => {
    const link = (state: LiveState): Link => linkOf(state, { server: "s" });
    expect(link(live(null))).toBe("gone");
    expect(link(live("ready"))).toBe("ready");
    expect(link(live("connecting"))).toBe("connecting");
    expect(link(live("idle"))).toBe("off");
    expect(link(live("failed"))).toBe("failed");
    // An existing connection is lost; a connection that was never made is not.
    const identity = { name: "Harbour" } as LiveState["sessions"][string]["identity"];
    expect(link({ ...live("failed"), sessions: { s: { phase: "failed", identity } as never } })).toBe("lost");
    expect(link(live("idle", { confirmed: false }))).toBe("confirm");
    expect(link(live("failed", { missing_inputs: ["KEY"], confirmed: false }))).toBe("incomplete");
    const prompt = { url: "https://example.com/sign-in" } as AuthStatus["prompt"];
    expect(link({ ...live("connecting"), auth: { s: { prompt, confirmation: null } as AuthStatus } })).toBe("sign_in");
    const links = [
      "unwell",
      "connecting",
      "confirm",
      "incomplete",
      "sign_in",
      "failed",
      "lost",
      "off",
      "gone",
    ] as const;
    for (const each of links) {
      const { title, advice, button } = linkWords(each, "Harbour");
      expect(title).toMatch(/[.…]$/);
      expect(`${title} ${advice ?? ""} ${button ?? ""}`).not.toMatch(technical);
    }
  });

  it("says one thing of a connection that was lost during a run, and never that it could not be made", () => {
    expect(lost.filter((code) => isConnectionLost({ type: "lost", reason: "", code }))).toEqual(
      lost.filter((code) => !["too_large", "too_many_rounds", "forbidden", "not_sent"].includes(code)),
    );
    expect(isConnectionLost({ type: "timed_out", hard: true })).toBe(false);
    for (const link of ["lost", "off", "unwell", "connecting"] as const) {
      expect(lostWords(link, "Harbour").title).toBe("The connection to Harbour was lost.");
      expect(`${lostWords(link, "Harbour").advice}`).not.toMatch(technical);
    }
    expect(lostWords("lost", "Harbour", true).advice).not.toMatch(/next/);
    // Reconnecting was tried.
    expect(lostWords("failed", "Harbour").title).toBe("Sonde could not connect to Harbour.");
  });
});
