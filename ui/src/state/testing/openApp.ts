/** State of the window over a simulated host, for tests. */
import { expect, vi } from "vitest";

import type { Backend, CommandName } from "../../ipc/backend";
import { fakeBackend } from "../../ipc/fake";
import { createApp } from "../app";
import { createToasts, type Toasts, type Undoable } from "../toasts";

/** An offer to undo something; the offer may be closed. */
interface Offer extends Undoable {
  readonly title: string;
  readonly closed: () => boolean;
}

/** Wraps a host and records the commands sent to it. */
export function recorded(host: Backend) {
  const sent: { readonly name: CommandName; readonly args: unknown }[] = [];
  const backend: Backend = {
    ...host,
    call(name, args) {
      sent.push({ name, args });
      return host.call(name, args);
    },
  };
  /** Returns the arguments of the commands of this name. */
  const named = (name: CommandName): unknown[] => sent.filter((one) => one.name === name).map(({ args }) => args);
  return { backend, sent, named };
}

/** Wraps a host and replaces the results of the named commands. */
export function answering(host: Backend, instead: Partial<Record<CommandName, (args: never) => unknown>>): Backend {
  return {
    ...host,
    call(name, args) {
      const answer = instead[name];
      return answer ? (Promise.resolve(answer(args as never)) as Promise<never>) : host.call(name, args);
    },
  };
}

/** Waits until the simulated host has answered, by faked timers. */
export const settle = () => vi.advanceTimersByTimeAsync(50);

/** Opens the app after the first snapshot, and records the commands, notices and toasts. */
export async function openApp(scenario: string | Backend) {
  const host = recorded(typeof scenario === "string" ? fakeBackend(scenario) : scenario);
  const offers: Offer[] = [];
  const said: string[] = [];
  const shown = createToasts();
  const toasts: Toasts = {
    ...shown,
    say(title, ...more) {
      said.push(title);
      return shown.say(title, ...more);
    },
    offerUndo(title, undoable) {
      let closed = false;
      offers.push({ title, closed: () => closed, ...undoable });
      const close = shown.offerUndo(title, undoable);
      return () => {
        closed = true;
        close();
      };
    },
  };
  const app = createApp(host.backend, (run) => run(), undefined, toasts);
  const state = () => app.store.getState();
  const started = app.start();
  if (vi.isFakeTimers()) await settle();
  else {
    await started;
    await expect.poll(() => state().live.ready).toBe(true);
  }
  const [server = ""] = state().live.order;
  return { ...host, app, server, offers, said, state, live: () => state().live, view: () => state().view };
}
