/**
 * Removes all network access from a worker: the page's content security policy does not apply to it, as a worker has
 * the policy of its own response.
 */
const LOADERS = [
  "fetch",
  "XMLHttpRequest",
  "WebSocket",
  "WebTransport",
  "EventSource",
  "BroadcastChannel",
  "indexedDB",
  "caches",
  "Worker",
  "importScripts",
];
for (const name of LOADERS) {
  if (name in globalThis) Object.defineProperty(globalThis, name, { value: undefined, configurable: false });
}
