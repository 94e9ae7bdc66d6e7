import { afterEach, inject } from "vitest";

import { cleanup, configure } from "../src/lib/render.test.helper";

declare module "vitest" {
  interface ProvidedContext {
    limit: number;
  }
}

// Finding out which elements are hidden takes most of the time of a query by role. A test that needs it asks for `hidden: false`.
configure({ asyncUtilTimeout: inject("limit"), defaultHidden: true });

// jsdom has no fonts, lays nothing out, and matches nothing.
Object.assign(document, { fonts: { load: () => Promise.resolve([]) } });
const nothing = (): void => undefined;
Element.prototype.scrollIntoView = nothing;
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect = () => new DOMRect();
Object.assign(window, {
  matchMedia: () => ({ matches: false, addEventListener: nothing, removeEventListener: nothing }),
  ResizeObserver: class {
    observe = nothing;
    unobserve = nothing;
    disconnect = nothing;
  },
});

// Files share the document too.
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  document.getSelection()?.removeAllRanges();
});
