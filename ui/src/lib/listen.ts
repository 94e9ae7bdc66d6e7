type Handlers = { readonly [K in keyof WindowEventMap]?: (event: WindowEventMap[K]) => void };

/** Handles events of the window, the document or an element. The returned function removes the handlers. */
export function listen(target: EventTarget, handlers: Handlers, options: AddEventListenerOptions = {}): () => void {
  const end = new AbortController();
  for (const [type, handle] of Object.entries(handlers)) {
    target.addEventListener(type, handle as EventListener, { ...options, signal: end.signal });
  }
  return () => end.abort();
}
