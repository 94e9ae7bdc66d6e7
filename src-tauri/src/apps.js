// Runs in every frame of the window before its page does. The window's own page is left alone; any other is that of an
// app. What isolates an app is its origin, its sandbox and its policy; this takes away what would be left to it, and
// tells the window what was refused.
(() => {
  if (window.top === window) return;
  const tell = window.parent.postMessage.bind(window.parent);
  const report = (params) => tell({ jsonrpc: "2.0", method: "sonde/blocked", params }, "*");
  addEventListener(
    "securitypolicyviolation",
    (event) => report({ directive: String(event.effectiveDirective), uri: String(event.blockedURI).slice(0, 1000) }),
    true,
  );
  // Once for each: an app that tries without end fills no log.
  const reported = {};
  const blocked = (what) => {
    if (reported[what]) return;
    reported[what] = true;
    report({ what });
  };
  const define = (owner, name, rest) => {
    try {
      Object.defineProperty(owner, name, { configurable: false, ...rest });
    } catch {
      // It is not there.
    }
  };
  const replace = (owner, name, value) => define(owner, name, { value, writable: false });
  // What the origin and the sandbox refuse by themselves, without a word to anybody.
  const watch = (owner, name, what) => {
    const own = Object.getOwnPropertyDescriptor(owner, name);
    if (!own?.configurable) return;
    const seen = (call) =>
      call &&
      function (...given) {
        try {
          const value = call.apply(this, given);
          if (value instanceof Promise) value.catch(() => blocked(what));
          else if (value === null) blocked(what);
          return value;
        } catch (error) {
          blocked(what);
          throw error;
        }
      };
    define(owner, name, "value" in own ? { value: seen(own.value) } : { get: seen(own.get), set: seen(own.set) });
  };

  // The way of the web view to the program, which cannot be taken out of the page, but called. A call without the
  // window's key is refused there as well.
  const handler = window.webkit?.messageHandlers?.ipc;
  if (handler) {
    replace(Object.getPrototypeOf(handler), "postMessage", () => {
      blocked("the program of the window");
      throw new Error("An app cannot call the program.");
    });
  }
  // A click in the page would allow it to write to the clipboard.
  define(Navigator.prototype, "clipboard", { get: () => blocked("the clipboard") });
  replace(Document.prototype, "execCommand", (command) => {
    if (/^(copy|cut|paste)$/i.test(String(command))) blocked("the clipboard");
    return false;
  });
  // Connections that no content security policy knows of.
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) {
    if (name in window) define(window, name, { get: () => blocked(name) });
  }
  for (const name of ["localStorage", "sessionStorage"]) watch(window, name, name);
  if (window.IDBFactory) watch(IDBFactory.prototype, "open", "indexedDB");
  if (window.CacheStorage) watch(CacheStorage.prototype, "open", "caches");
  // Without an origin nothing is kept of what is written here, and nobody is told.
  define(Document.prototype, "cookie", { get: () => "", set: () => blocked("cookies") });
  watch(window, "open", "another window");
})();
