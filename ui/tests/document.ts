import { cleanup, configure } from "@testing-library/react";
import { afterEach, inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    limit: number;
  }
}

// Finding out which elements are hidden takes most of the time of a query by role. A test that needs it asks for `hidden: false`.
configure({ asyncUtilTimeout: inject("limit"), defaultHidden: true });

// jsdom has no fonts, and no media.
Object.assign(document, { fonts: { load: () => Promise.resolve([]) } });
const media = { matches: false, addEventListener: () => undefined, removeEventListener: () => undefined };
Object.assign(globalThis, { matchMedia: () => media });

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});
