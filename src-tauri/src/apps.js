// Runs in every frame of the window before its page does. The window's own page is left alone; any other is that of an
// app. What isolates an app is its origin, its sandbox and its policy; this takes away what would be left to it, and
// tells the window what the policy refused.
(() => {
  if (window.top === window) return;
  const tell = window.parent.postMessage.bind(window.parent);
  addEventListener(
    "securitypolicyviolation",
    (event) => {
      const params = { directive: String(event.effectiveDirective), uri: String(event.blockedURI).slice(0, 1000) };
      tell({ jsonrpc: "2.0", method: "sonde/blocked", params }, "*");
    },
    true,
  );
  const remove = (owner, name, value) => {
    try {
      Object.defineProperty(owner, name, { value, writable: false, configurable: false });
    } catch {
      // It is not there.
    }
  };
  // The way of the web view to the program, which cannot be taken out of the page, but called. A call without the
  // window's key is refused there as well.
  const handler = window.webkit?.messageHandlers?.ipc;
  if (handler) {
    remove(Object.getPrototypeOf(handler), "postMessage", () => {
      throw new Error("An app cannot call the program.");
    });
  }
  // A click in the page would allow it to write to the clipboard.
  remove(Navigator.prototype, "clipboard", undefined);
  remove(Document.prototype, "execCommand", () => false);
  // Connections that no content security policy knows of.
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) remove(window, name, undefined);
})();
