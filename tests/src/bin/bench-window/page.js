// Measures frames from inside the page: a frame's gap is the time since the frame before.
window.bench = {
  /** Begins to measure. `shown` is asked in every frame until it says yes, if there is one. */
  begin(shown, each) {
    const run = { longest: 0, over50: 0, over100: 0, frames: 0, began: Date.now(), shownAt: null, over: false };
    let last = performance.now();
    const frame = () => {
      if (run.over) return;
      const now = performance.now();
      const gap = now - last;
      last = now;
      run.frames++;
      run.longest = Math.max(run.longest, gap);
      if (gap > 50) run.over50++;
      if (gap > 100) run.over100++;
      if (run.shownAt === null && shown?.()) run.shownAt = Date.now();
      each?.(run);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    this.run = run;
  },
  end() {
    this.run.over = true;
    return { ...this.run, ended: Date.now() };
  },
  /** Scrolls an element from top to end in so many frames, and back to the top. */
  scroll(find, frames) {
    let at = 0;
    this.begin(null, (run) => {
      const element = find();
      if (run.scrolled || !element) return;
      at++;
      const way = element.scrollHeight - element.clientHeight;
      element.scrollTop = at <= frames ? (way * at) / frames : way * (2 - at / frames);
      if (at >= 2 * frames) run.scrolled = true;
    });
  },
  /** Sets a field as typing does. */
  type(field, text) {
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
    set.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  },
  /** Calls the host. */
  call: (name, args) => window.__TAURI_INTERNALS__.invoke(name, args),
  newestRun: () => document.querySelector('[aria-label="Runs, newest first"] article'),
};
return true;
