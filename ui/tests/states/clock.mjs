// The clock of a page under test. It stands still except for what a state waits for: no state can miss a short moment,
// and none depends on the speed of the machine. Playwright's own clock belongs to a context, whose pages share a
// process here.
import { AsyncLocalStorage } from "node:async_hooks";

/** Longest wait of a state, in milliseconds of the machine. Only failures take that long. */
export const LIMIT = Number(process.env.SONDE_TEST_LIMIT ?? 180) * 1000;

/** The page, the deadline and the audit of the running state. */
const running = new AsyncLocalStorage();

const remaining = () => Math.max(1, (running.getStore()?.deadline ?? Date.now() + LIMIT) - Date.now());

/** Runs in the page before its own scripts. The frames of apps keep the clock of the machine. */
function install() {
  if (window !== window.top) return;
  const FRAME = 16;
  const machine = {
    setTimeout: window.setTimeout.bind(window),
    setInterval: window.setInterval.bind(window),
    requestAnimationFrame: window.requestAnimationFrame.bind(window),
    requestIdleCallback: window.requestIdleCallback.bind(window),
  };
  const clearOfMachine = window.clearTimeout.bind(window);
  const cancelOfMachine = window.cancelAnimationFrame.bind(window);
  const [MachineDate, began] = [Date, Date.now()];
  // Timers of the machine have small numbers.
  let last = 1e9;
  // React treats a time of 0 as none.
  let now = 1;
  const timers = new Map();

  const add = (run, at, every = null) => {
    timers.set(++last, { id: last, run, at, every });
    return last;
  };
  const inMilliseconds = (delay) => Math.max(0, Number(delay) || 0);
  const still = {
    setTimeout: (run, delay, ...args) => add(() => run(...args), now + inMilliseconds(delay)),
    setInterval: (run, delay, ...args) => {
      const every = Math.max(1, inMilliseconds(delay));
      return add(() => run(...args), now + every, every);
    },
    requestAnimationFrame: (run) => add(() => run(now), now + FRAME - (now % FRAME)),
    requestIdleCallback: (run) => add(() => run({ didTimeout: false, timeRemaining: () => 10 }), now + FRAME),
  };
  const clear = (orElse) => (id) => void (timers.delete(id) || orElse(id));
  window.clearTimeout = window.clearInterval = clear(clearOfMachine);
  window.cancelAnimationFrame = clear(cancelOfMachine);
  window.cancelIdleCallback = clear(window.cancelIdleCallback.bind(window));
  window.Date = class Date extends MachineDate {
    constructor(...args) {
      super(...(args.length === 0 ? [began + now] : args));
    }
    static now() {
      return began + now;
    }
  };
  performance.now = () => now;
  const stamps = new WeakMap();
  Object.defineProperty(Event.prototype, "timeStamp", {
    get() {
      if (!stamps.has(this)) stamps.set(this, now);
      return stamps.get(this);
    },
  });

  const channel = new MessageChannel();
  const tasks = [];
  channel.port1.onmessage = () => tasks.shift()();
  /** Resolves after the tasks scheduled meanwhile. */
  const task = () =>
    new Promise((done) => {
      tasks.push(done);
      channel.port2.postMessage(null);
    });
  const frame = () => new Promise((next) => machine.requestAnimationFrame(next)).then(task);
  const first = (until) => {
    let next = null;
    for (const timer of timers.values()) {
      if (timer.at <= until && (next === null || timer.at < next.at)) next = timer;
    }
    return next;
  };

  let ran = 0;
  /** Advances the time in order. */
  let passing = Promise.resolve();
  const pass = (milliseconds) =>
    (passing = passing.then(async () => {
      const until = now + milliseconds;
      for (let next = first(until); next; next = first(until)) {
        now = Math.max(now, next.at);
        if (next.every === null) timers.delete(next.id);
        else next.at += next.every;
        ran += 1;
        try {
          next.run();
        } catch (error) {
          reportError(error);
        }
        await task();
      }
      now = until;
      await frame();
    }));

  window.testClock = {
    pass,
    /** Advances frames until something has happened; at most six. */
    async advance() {
      const [before, changes] = [ran, []];
      const observer = new MutationObserver((all) => changes.push(...all));
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      for (let frames = 0; frames < 6 && ran === before && changes.length === 0; frames++) await pass(FRAME);
      observer.disconnect();
    },
    /** Advances frames until the page has nothing under way; at most a second, for calls that stay open. */
    async settle() {
      let isIdle = !window.sondeIdle;
      void window.sondeIdle?.().then(() => (isIdle = true));
      for (let frames = 0; frames < 3 || (!isIdle && frames < 60); frames++) await pass(FRAME);
    },
    /** Lets timers set from now on follow the clock of the machine, or stand still again. Earlier ones wait. */
    stand(isStill) {
      Object.assign(window, isStill ? still : machine);
    },
  };
  Object.assign(window, still);
}

/** Pages with a clock, each with the state of actions that may still be under way. */
const lives = new WeakMap();

/** Advances the page's time by this many milliseconds, once nothing else is under way. */
export async function passes(page, milliseconds) {
  await settle(page);
  await evaluate.call(page, (time) => globalThis.testClock.pass(time), milliseconds);
}

/** Waits until the present content and its effects are laid out and drawn. */
export async function drawn(page) {
  for (let frames = 0; frames < 4; frames++) await passes(page, 16);
}

/** Advances the time until something has happened. */
const step = (page) => evaluate.call(page, () => globalThis.testClock.advance());

/** Waits until nothing is under way in the page. */
async function settle(page) {
  const life = lives.get(page);
  if (!life?.isMoved) return;
  life.isMoved = false;
  await evaluate.call(page, () => globalThis.testClock?.settle());
}

/** Advances the time until the check holds; it is repeated after each frame in which something happened. */
async function until(page, check) {
  for (;;) {
    if (await check()) return true;
    if (remaining() === 1) return false;
    await step(page);
  }
}

/** Runs an action to its end, and advances the time of the page if the action waits. */
async function pump(page, action) {
  let isOver = false;
  const over = () => (isOver = true);
  action.then(over, over);
  for (;;) {
    let timer;
    await Promise.race([action.then(over, over), new Promise((next) => (timer = setTimeout(next, 100)))]);
    clearTimeout(timer);
    if (isOver) return action;
    await step(page);
  }
}

/** Waits until an assertion about the page holds, as effects of a click may still be under way. */
export async function eventually(check) {
  const { page } = running.getStore();
  for (let failed = null; ;) {
    try {
      return await check();
    } catch (error) {
      if (error.code === "ERR_ASSERTION") failed = error;
      // Waits within the check end with the deadline too, and say less.
      if (failed !== error || remaining() === 1) throw failed ?? error;
    }
    await step(page);
  }
}

/** The unpatched evaluation of a page. */
let evaluate;

const POINTED = ["click", "dblclick", "hover", "check", "uncheck", "setChecked", "tap", "dragTo"];
const TYPED = ["fill", "clear", "press", "pressSequentially", "selectOption", "setInputFiles", "selectText"];
const ATTACHED = ["focus", "blur", "scrollIntoViewIfNeeded", "dispatchEvent", "evaluate", "elementHandle"];
const READ = ["innerText", "textContent", "inputValue", "getAttribute", "boundingBox", "isChecked", "isEnabled"];
const READ_AT_ONCE = ["count", "isVisible", "isHidden", "allInnerTexts", "allTextContents"];

let isPatched = false;

/** Makes every action and every read wait until the page has nothing under way, and every wait advance the time. */
function patch(page) {
  if (isPatched) return;
  isPatched = true;
  const locators = Object.getPrototypeOf(page.locator("html"));
  const { count, isVisible, isHidden, waitFor } = locators;
  const replace = (prototype, names, pageOf, wrap) => {
    for (const name of names) {
      const original = prototype[name];
      prototype[name] = async function (...args) {
        const on = pageOf(this);
        return lives.has(on) ? wrap.call(this, on, () => original.apply(this, args), args) : original.apply(this, args);
      };
    }
  };
  const ofLocator = (locator) => locator.page();
  /**
   * Runs an action with the remaining time as the page's limit, so that Playwright reports a failure in its own words.
   */
  const limited = (on, run) => {
    on.setDefaultTimeout(remaining());
    return pump(on, run());
  };
  const waiting = (isThere, isAction) =>
    async function (on, run) {
      await settle(on);
      await until(on, () => isThere.call(this));
      await settle(on);
      if (isAction) lives.get(on).isMoved = true;
      return limited(on, run);
    };
  const attached = async function () {
    return (await count.call(this)) > 0;
  };
  replace(locators, [...POINTED, ...TYPED], ofLocator, waiting(isVisible, true));
  replace(locators, ATTACHED, ofLocator, waiting(attached, true));
  replace(locators, [...READ, "isDisabled", "isEditable"], ofLocator, waiting(attached, false));
  const atOnce = async (on, run) => {
    await settle(on);
    return run();
  };
  replace(locators, READ_AT_ONCE, ofLocator, atOnce);
  const moving = async (on, run) => {
    await settle(on);
    lives.get(on).isMoved = true;
    return run();
  };
  replace(locators, ["evaluateAll"], ofLocator, moving);
  locators.waitFor = async function (options = {}) {
    const on = this.page();
    if (!lives.has(on)) return waitFor.call(this, options);
    const { state = "visible" } = options;
    await settle(on);
    const holds = await until(on, async () => {
      if (state === "visible") return isVisible.call(this);
      if (state === "hidden") return isHidden.call(this);
      return (await count.call(this)) > 0 === (state === "attached");
    });
    // Reports what was waited for.
    if (!holds) await waitFor.call(this, { ...options, timeout: 1 });
  };
  const pages = Object.getPrototypeOf(page);
  const itself = (on) => on;
  ({ evaluate } = pages);
  replace(pages, ["evaluate"], itself, moving);
  replace(pages, ["title"], itself, atOnce);
  replace(pages, ["goto", "reload", "setViewportSize", "emulateMedia"], itself, async (on, run) => {
    lives.get(on).isMoved = true;
    return run();
  });
  pages.waitForFunction = async function (test, argument) {
    await settle(this);
    if (await until(this, () => evaluate.call(this, test, argument))) return;
    throw new Error(`waited in vain for ${test} ${JSON.stringify(argument) ?? ""}`);
  };
  for (const device of [page.keyboard, page.mouse]) {
    const prototype = Object.getPrototypeOf(device);
    const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
    replace(prototype, names, ({ _page }) => _page, moving);
  }
}

/** Gives the page its own clock, and runs the steps within the limit. */
export async function inState(page, audit, run) {
  patch(page);
  lives.set(page, { isMoved: true });
  page.setDefaultTimeout(LIMIT);
  await page.addInitScript(install);
  await running.run({ page, audit, deadline: Date.now() + LIMIT }, run);
}

/** Runs the checks of the end in the middle of a state: axe, the width of the page, failed panes. */
export const audit = () => running.getStore().audit();

/** Runs steps by the clock of the machine, while nothing else moves in the page. */
export async function frozen(page, run) {
  await settle(page);
  await evaluate.call(page, () => globalThis.testClock.stand(false));
  try {
    return await run();
  } finally {
    await evaluate.call(page, () => globalThis.testClock.stand(true));
  }
}
