import { describe, expect, it } from "vitest";

import type { ConnectionView, StreamStatus } from "../../ipc/bindings";
import { build } from "../../ipc/fake/scenarios";
import {
  countdown,
  delayText,
  faultReason,
  listenerOf,
  streamFacts,
  streamName,
  streamWords,
  type Disturbance,
} from "./connectionWords";

/** Returns the connection of the first server of a simulated world. */
function connectionOf(scenario: string): ConnectionView {
  const world = build(scenario);
  const view = world.server(world.order[0] ?? "").connection?.view ?? expect.fail("the server is connected");
  return view;
}

const stream = (change: Partial<StreamStatus>): StreamStatus => ({
  id: 1,
  purpose: "listener",
  method: null,
  operation: null,
  state: "open",
  attempt: 0,
  budget: 5,
  next_at: null,
  delay_by: null,
  last_event_id: null,
  event_ids: 0,
  lost: 0,
  reason: null,
  ...change,
});

describe("where a stream stands", () => {
  it("counts what happened and leaves out what cannot", () => {
    expect(streamFacts(stream({}))).toBe("No event IDs so far");
    expect(streamFacts(stream({ purpose: "subscription" }))).toBe("");
    expect(streamFacts(stream({ event_ids: 2, last_event_id: "b" }))).toBe("2 event IDs, the last “b”");
    const lost = stream({ purpose: "answer", last_event_id: "a", lost: 1, reason: "The server closed the stream." });
    expect(streamFacts(lost)).toBe("Last event ID “a”, lost 1 time. The server closed the stream.");
  });

  it("is said in plain words", () => {
    expect(streamWords(stream({}), 0)).toEqual({ text: "Open, listening", tone: "ok" });
    expect(streamWords(stream({ state: "not_offered" }), 0)).toEqual({
      text: "Not offered by this server (HTTP 405). That is normal.",
      tone: "quiet",
    });
    const waiting = stream({ state: "waiting", attempt: 2, next_at: 3000, delay_by: "server" });
    expect(streamWords(waiting, 0).text).toBe("Reconnecting: attempt 2 of 5 in 3 s (delay set by the server)");
    expect(streamWords({ ...waiting, delay_by: "backoff" }, 2999).text).toBe(
      "Reconnecting: attempt 2 of 5 in 1 s (delay set by Sonde)",
    );
    expect(streamWords({ ...waiting, delay_by: "user" }, 9000).text).toBe(
      "Reconnecting: attempt 2 of 5 now (requested by you)",
    );
    expect(streamWords(stream({ state: "resuming", attempt: 3 }), 0).text).toBe("Reconnecting: attempt 3 of 5");
  });

  it("counts down in whole seconds and never below none", () => {
    expect(countdown(65_000, 0)).toBe("in 1:05");
    expect(countdown(1, 0)).toBe("in 1 s");
    expect(countdown(0, 5000)).toBe("now");
    expect(countdown(null, 0)).toBe("now");
  });

  it("names whose answer it is", () => {
    expect(streamName(stream({ purpose: "answer", method: "tools/call", operation: 7 }))).toBe(
      "Response to tools/call, run 7",
    );
    expect(streamName(stream({ purpose: "answer", method: "tools/list" }))).toBe("Response to tools/list");
    expect(streamName(stream({ purpose: "subscription" }))).toBe("Subscription");
  });
});

describe("a disturbance", () => {
  const possible = (scenario: string, change: Partial<ConnectionView> = {}, running = 1): Disturbance[] => {
    const connection = { ...connectionOf(scenario), ...change };
    const all: Disturbance[] = [
      "drop_listener",
      "drop_operation_stream",
      "forget_session_id",
      "stale_session_id",
      "wrong_last_event_id",
      "raw_frame",
      "delay_answers",
      "kill",
      "pause_reading",
    ];
    return all.filter((fault) => faultReason(fault, { ready: true, connection, running }) === null);
  };

  it("is offered where it makes sense", () => {
    expect(possible("listening")).toEqual([
      "drop_listener",
      "drop_operation_stream",
      "forget_session_id",
      "stale_session_id",
      "wrong_last_event_id",
      "raw_frame",
      "delay_answers",
      "pause_reading",
    ]);
    expect(possible("history")).toEqual(["raw_frame", "delay_answers", "kill", "pause_reading"]);
    expect(possible("stateless")).toEqual(["drop_listener", "drop_operation_stream", "raw_frame", "pause_reading"]);
    expect(possible("listening", { streams: [stream({ state: "not_offered" })] }, 0)).toEqual([
      "forget_session_id",
      "stale_session_id",
      "raw_frame",
      "delay_answers",
      "pause_reading",
    ]);
    expect(possible("history", { transport: "web_socket" })).toContain("kill");
    expect(possible("listening", { session_fingerprint: null })).not.toContain("stale_session_id");
  });

  it("waits for a connection", () => {
    expect(faultReason("raw_frame", { ready: false, connection: connectionOf("listening"), running: 0 })).toBe(
      "Connect first.",
    );
    expect(faultReason("kill", { ready: true, connection: undefined, running: 0 })).toBe("Connect first.");
  });

  it("cuts a stream only while it is open", () => {
    expect(possible("waiting")).not.toContain("drop_listener");
  });
});

describe("a connection", () => {
  it("has a background stream beside those of answers", () => {
    const connection = {
      ...connectionOf("listening"),
      streams: [stream({ id: 4, purpose: "answer" }), stream({ id: 5 })],
    };
    expect(listenerOf(connection)?.id).toBe(5);
  });

  it("says a delay in seconds", () => {
    expect(delayText(5000)).toBe("5 s");
    expect(delayText(1500)).toBe("1.5 s");
  });
});
