/**
 * Takes everything from a worker that loads from elsewhere: the content security policy of the page does not hold in it, as
 * a worker has that of its own response.
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
